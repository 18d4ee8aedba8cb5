//! The machine: an evaluator of register code with a stack of its own.
//!
//! It owns frames, evaluation, calls, suspension at tool calls, and limits. It never waits and uses
//! no clocks or threads. A tool call ends [`Machine::run`] with [`Step::Calls`]. The driver answers
//! through [`Machine::resume`] and runs the machine again.
//!
//! Each function of a program is lowered into register code at its first call (`lower/`). One loop
//! runs it (`run.rs`). Nothing is evaluated on the native stack, so the machine can stop between any
//! two operations.

#![expect(
    missing_docs,
    clippy::missing_errors_doc,
    clippy::return_self_not_must_use,
    reason = "a part of `ptc-lisp`, which documents what it re-exports"
)]

mod branch;
mod built;
mod builtin_ops;
mod call;
mod callback;
mod calls;
mod change;
mod codes;
mod cx;
mod each;
mod exception;
mod exits;
mod failure;
mod flow;
mod fork;
mod item_iter;
mod items;
mod live;
mod lower;
mod making;
mod next;
mod nil;
mod operations;
mod ops;
mod own;
mod own_payload;
mod payload;
mod pipe;
mod prints;
mod problems;
mod pulling;
mod quiet;
mod rare;
mod realizer;
mod reduce;
mod reducing;
mod rest;
mod row;
mod run;
mod slots;
mod slow;
mod sort;
mod sorted_insert;
mod sorting;
mod stages;
mod step;
mod swap;
mod taken;
mod task;
mod texts;
mod then;
mod tracer;
mod unwind;
mod update;
mod view;
mod waiting;
mod walk;

use std::fmt;
use std::sync::{Arc, Mutex};

use arcstr::ArcStr;
use ptc_signatures::Field;

use branch::Branches;
pub use callback::CallbackState;
pub use change::{Answer, Change, cell_of};
use codes::{Codes, Quick};
pub use cx::{Alive, Cx};
pub use each::{Each, feeds, finish_first, finish_groups, finish_vector};
pub use exception::raise;
pub use failure::ToolFailure;
pub use flow::{Act, Looped, arguments_from};
pub use fork::Fork;
pub use item_iter::{ItemIter, rows_of};
pub use items::{items_in, items_of, not_a_collection};
pub use live::Count;
pub use lower::code_listing;
pub use next::Next;
pub use own_payload::PayloadEnd;
pub use problems::over;
pub use realizer::LazyRealizer;
pub use reducing::{kind_of, streamed};
pub use rest::{make, skip};
pub use row::{
    Functions, Imp, PROBLEM, Row, Shortcut, act, callback, compiled, constant_row, fork, lisp,
    pure, register, step, time_order,
};
pub use sort::{SortKeys, merge_sort};
pub use sorted_insert::{SortedInsert, sorted_by};
pub use sorting::{Sort, SortBy};
pub use stages::{Items, Stages};
pub use step::{Collect, ItemStep, Pass, StageStep, register_steps};
use task::Task;
pub use texts::{made, pay};
pub use tracer::Tracer;
pub use update::Changes;
pub use view::{Level, Seen, Waits};

use own::Own;
use own_payload::OwnPayload;
use ptc_facts::field_watch::{FieldWatch, WatchedField};
use ptc_facts::payload::{Payload, PayloadOp};
use ptc_facts::seen::SeenFields;
use ptc_facts::tool::ToolDecl;
use ptc_values::code::{Code, Span};
use ptc_values::ir::Program;
use ptc_values::limits::Limits;
use ptc_values::random::Random;
use ptc_values::{Diagnostic, HiddenTexts, Map, Value};

/// The remaining budget of one program, or of all programs of a run in turn.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Budget {
    /// The remaining fuel.
    pub fuel: u64,
    /// The remaining tool calls.
    pub tool_calls: u32,
    /// The fuel after which [`Machine::run`] yields, so that its driver can look at its clock.
    pub slice: u64,
}

impl Budget {
    /// Returns the full budget of one program.
    pub fn new(limits: &Limits) -> Budget {
        Budget { fuel: limits.fuel, tool_calls: limits.tool_calls, slice: 100_000 }
    }
}

/// A function that answers a tool call at once or not at all: see [`Machine::run_with`].
pub type Host<'h> = dyn FnMut(&ToolCall) -> Option<Result<Value, ToolFailure>> + 'h;

/// The reason [`Machine::run`] returned.
#[derive(Debug)]
pub enum Step {
    /// The program is over: call [`Machine::finish`].
    Done,
    /// New tool calls. The machine continues when one of these, or of those in flight, is answered.
    Calls(Vec<ToolCall>),
    /// The slice of fuel is used up: run the machine again.
    Yield,
}

/// The identity of a tool call within its program: its number in order of evaluation, behind the
/// path of its parallel branches. It does not depend on when calls are answered.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct CallId {
    /// The branch; empty for the main task.
    path: Vec<u32>,
    number: u32,
}

impl CallId {
    /// Returns the outermost branch that made the call: the number of its fork in the main task,
    /// and its place there. A call of the main task has zeros.
    pub fn branch(&self) -> (u32, u32) {
        if let [fork, place, ..] = self.path[..] { (fork, place) } else { (0, 0) }
    }

    fn parts(&self) -> impl Iterator<Item = u32> {
        self.path.iter().copied().chain([self.number])
    }
}

impl Ord for CallId {
    fn cmp(&self, other: &CallId) -> std::cmp::Ordering {
        self.parts().cmp(other.parts())
    }
}

impl PartialOrd for CallId {
    fn partial_cmp(&self, other: &CallId) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl fmt::Display for CallId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for part in &self.path {
            write!(f, "{part}.")?;
        }
        write!(f, "{}", self.number)
    }
}

/// A tool call that the machine waits for.
#[derive(Debug, Clone)]
pub struct ToolCall {
    /// Its identity.
    pub id: CallId,
    /// The tool.
    pub name: ArcStr,
    /// The arguments: a map.
    pub args: Value,
    /// The position of the call in the source.
    pub span: Span,
    /// The names of the steps around it, outermost first, joined by `/`; none outside `flow/step`.
    pub step: Option<ArcStr>,
    /// Whether it is made inside `flow/loop`. An agent that it calls may then end the loop: see
    /// [`AnswerEffects::exits_loop`].
    pub in_loop: bool,
}

/// The effects of an answer, besides its value.
#[derive(Debug, Clone, Default)]
pub struct AnswerEffects {
    /// The operations of a sub-agent on the payload. The task that made the call sees them from then on.
    pub payload: Vec<PayloadOp>,
    /// Whether the called agent ends the innermost loop of agents.
    pub exits_loop: bool,
}

impl AnswerEffects {
    /// Returns whether there is no effect.
    pub fn is_none(&self) -> bool {
        self.payload.is_empty() && !self.exits_loop
    }
}

/// Returns the number of calls of tools among calls.
fn tool_calls(calls: &[ToolCall]) -> u32 {
    calls.iter().filter(|call| call.is_of_tool()).count() as u32
}

/// The end of a program: its outcome and what it leaves behind.
#[derive(Debug)]
pub struct Ended {
    /// The outcome.
    pub outcome: Outcome,
    /// The lines it printed.
    pub prints: Vec<String>,
    /// The fuel it used.
    pub fuel: u64,
    /// The number of tool calls it made.
    pub tool_calls: u32,
    pub memory: Arc<Map>,
    pub payload: Option<PayloadEnd>,
    pub globals: Vec<Option<Value>>,
    pub new_globals: Vec<ArcStr>,
    pub lazy_aware: bool,
    /// Bytes that it allocated since the last count of live bytes.
    pub uncounted: u64,
    pub kept_tools: Vec<ArcStr>,
    /// Undeclared fields that results of tools had.
    pub seen: SeenFields,
    /// The reads of fields that no map had.
    pub unseen: Vec<Diagnostic>,
    /// The hidden values of the results of tools.
    pub hidden: HiddenTexts,
    left_at: Option<Place>,
}

/// A form, and the source that it is in.
type Place = (Span, Arc<str>);

impl Ended {
    /// Returns a problem of the value with the place of the form that gave it, if that is known. No form in a branch is.
    #[must_use]
    pub fn locate(&self, problem: Diagnostic) -> Diagnostic {
        match &self.left_at {
            Some((span, source)) => problem.at(*span).in_source(source),
            None => problem,
        }
    }

    /// Returns the values that the program keeps for later turns.
    pub fn memory(&self) -> Value {
        Value::Map(self.memory.clone())
    }

    /// Returns the payload that the program leaves; none if the mission has no payload.
    pub fn payload(&self) -> Option<&PayloadEnd> {
        self.payload.as_ref()
    }
}

/// The outcome of a program.
#[derive(Debug)]
pub enum Outcome {
    /// The value of its last form.
    Value(Value),
    /// The value of `(return value)`.
    Return(Value),
    /// The argument of `(flow/continue state)`.
    Continue(Value),
    /// The argument of `(fail …)`.
    Fail(Failure),
    /// An error or a limit.
    Error(Diagnostic),
}

/// The argument of `fail`.
#[derive(Debug, Clone)]
pub struct Failure {
    /// The name under `:reason`; `failed` if there is none.
    pub reason: String,
    /// The text under `:message`; the whole value if there is none.
    pub message: String,
    /// The whole argument.
    pub details: Value,
}

impl Failure {
    fn of(details: Value) -> Failure {
        let text = |key| details.get(key).filter(|value| !value.is_nil());
        let reason = text("reason").map_or_else(
            || "failed".to_owned(),
            |reason| ptc_values::print::display(reason).trim_start_matches(':').to_owned(),
        );
        let message = match text("message") {
            Some(message) => ptc_values::print::display(message),
            None => ptc_values::print::display(&details),
        };
        Failure { reason, message, details }
    }
}

/// The next action of the machine.
enum Mode {
    /// Run the code of the task.
    Go,
    /// Put a value where the task waits for it.
    Value(Value),
    Raise(Diagnostic),
    /// Start the next branch, or continue when all branches have ended.
    Fork,
    /// Step the innermost builtin, which waited for a value that another task computes.
    Retry,
    /// End the program, or the branch that ends it.
    Leave,
    /// A tool call or a branch is in flight.
    Waiting,
    Over,
}

// Each step passes on a mode, so it must not be larger than the value it carries.
const _: () = assert!(size_of::<Mode>() == 16);

/// Makes an outcome of a value.
type Wrap = fn(Value) -> Outcome;

/// The outcome of `fail`.
fn failed_with(details: Value) -> Outcome {
    Outcome::Fail(Failure::of(details))
}

/// A running program. A suspended one holds no thread and waits for nothing.
pub struct Machine(Core<()>);

/// The machine itself, with a tracer: see [`Tracer`].
pub struct Core<W> {
    pub watch: W,
    /// The running task; the main task is the first.
    task: Task,
    /// All other tasks.
    branches: Branches,
    cx: Cx,
    ctx: Arc<Map>,
    /// The mission's declarations of its data.
    input: Option<Arc<[Field]>>,
    globals: Vec<Option<Value>>,
    global_names: Vec<ArcStr>,
    /// The number of globals that earlier programs defined.
    old_globals: usize,
    history: [Value; 3],
    /// The code of all functions called so far.
    codes: Arc<Codes>,
    /// For each global, the code of its function if a call needs nothing else.
    quick: Vec<Quick>,
    /// Functions that are made once.
    made: Vec<Value>,
    /// The values that a builtin passes to the function it calls.
    scratch: Vec<Value>,
    /// The reason to leave the loop of the machine: see `rare.rs`.
    exit: Option<then::Exit>,
    problem: Option<Diagnostic>,
    /// The value that ends the program, and its outcome.
    leaving: Option<(Value, Wrap)>,
    /// Whether the last record is known to be small as JSON.
    fits: bool,
    /// The latest tool call of the running task. While `asked` is set, the task waits for it unless
    /// the host answers at once. Afterwards it is an answered call without its arguments. The next
    /// call reuses it, so reference counts of equal names are not touched.
    call: Option<ToolCall>,
    /// The place of its tool among the tools, if the tool has a signature.
    signed: Option<usize>,
    /// Whether `call` is new and unanswered.
    asked: bool,
    /// Tool calls that are not handed out yet.
    pending: Vec<ToolCall>,
    /// The number of pending calls that the host was offered to answer at once.
    offered: usize,
    /// Calls in flight whose answers no task needs any more.
    given_up: Vec<CallId>,
    outcome: Option<Outcome>,
    fuel_used: u64,
    calls_made: u32,
    /// Tools that functions of the program can call, so later programs may call them.
    kept_tools: Vec<ArcStr>,
    /// The hidden values that the program began with, once a message may quote one.
    own_hidden: Option<HiddenTexts>,
    /// The node that ended the program, and its program.
    left_at: Option<(Arc<Program>, u32)>,
}

/// The state that a session hands to a new machine.
pub struct Start {
    pub program: Arc<Program>,
    /// The fields that are watched.
    pub watched: Arc<[WatchedField]>,
    pub limits: Limits,
    pub ctx: Arc<Map>,
    pub input: Option<Arc<[Field]>>,
    pub memory: Arc<Map>,
    pub payload: Option<Payload>,
    pub tools: Arc<[ToolDecl]>,
    pub budget: Arc<Map>,
    pub conversation: Arc<[Value]>,
    pub globals: Vec<Option<Value>>,
    /// The names of all globals, including the new ones.
    pub global_names: Vec<ArcStr>,
    pub old_globals: usize,
    pub history: [Value; 3],
    /// The generator of random numbers.
    pub random: Random,
    pub lazy_aware: bool,
    pub lazies: Option<Arc<Mutex<Alive>>>,
    /// Bytes that earlier programs allocated since the last count of live bytes.
    pub uncounted: u64,
    /// The hidden values of the results of earlier tools.
    pub hidden: HiddenTexts,
}

impl Machine {
    pub fn new(start: Start) -> Machine {
        Machine(Core::new(start, ()))
    }

    /// Runs until the program ends, needs a tool, or has used up its slice of fuel.
    pub fn run(&mut self, budget: &mut Budget) -> Step {
        self.run_with(budget, &mut |_| None)
    }

    /// Runs like [`Machine::run`], with a host function that may answer a tool call without
    /// waiting. A call that gets no answer is handed out as usual. The choice affects only the
    /// order of answers.
    pub fn run_with(&mut self, budget: &mut Budget, host: &mut Host<'_>) -> Step {
        self.0.run_with(budget, host)
    }

    /// Answers a tool call. The machine ignores answers that no task waits for.
    ///
    /// The branch that made the call continues at the next run, independently of other branches.
    /// Answers take effect in the order they were given. The program depends on that order at most,
    /// not on the runs between two answers.
    pub fn resume(&mut self, id: &CallId, outcome: Result<Value, ToolFailure>) {
        self.0.answer(id, outcome, AnswerEffects::default());
    }

    /// Answers a tool call like [`Machine::resume`], with further effects.
    pub fn resume_with(
        &mut self,
        id: &CallId,
        outcome: Result<Value, ToolFailure>,
        effects: AnswerEffects,
    ) {
        self.0.answer(id, outcome, effects);
    }

    /// Returns the calls in flight that the program gave up since the last query. They belong to
    /// branches behind one that failed or ended the program, or to all branches when a limit did.
    /// Answers to them are ignored, so the host may cancel them.
    pub fn given_up(&mut self) -> Vec<CallId> {
        std::mem::take(&mut self.0.given_up)
    }

    /// Returns the end of the program. A program that has not ended counts as stopped.
    pub fn finish(self) -> Ended {
        self.0.finish()
    }
}

impl<W> Core<W> {
    /// Returns the fuel and memory of builtins, for tests of them.
    pub fn cx(&mut self) -> &mut Cx {
        &mut self.cx
    }
}

impl<W: Tracer> Core<W> {
    pub fn new(start: Start, watch: W) -> Core<W> {
        let functions = start.program.lambdas.len() > 1;
        let tools = start.program.tools.iter().chain(&start.program.named);
        let kept_tools = if functions { tools.cloned().collect() } else { Vec::new() };
        let payload = start.payload.as_ref().map(|payload| Box::new(OwnPayload::of(payload)));
        let mut cx = Cx::new(
            start.limits,
            Own::of_main(start.memory, payload, start.random),
            (start.tools, start.budget, start.conversation),
            start.lazy_aware,
            start.lazies,
            start.uncounted,
            FieldWatch::of(start.watched, start.program.source.clone()),
        );
        cx.hidden = start.hidden;
        let mut codes = Codes::default();
        codes.is_watched = W::ON;
        let mode = match codes.link(&start.program, 0) {
            Ok(_) if !codes.list.is_empty() => Mode::Go,
            _ => Mode::Value(Value::Nil),
        };
        let made = vec![Value::Nil; codes.caches as usize];
        let quick = vec![Quick::NONE; start.globals.len()];
        Core {
            watch,
            task: Task::of(0, mode),
            codes: Arc::new(codes),
            quick,
            made,
            scratch: Vec::new(),
            exit: None,
            problem: None,
            leaving: None,
            fits: false,
            branches: Branches::default(),
            cx,
            ctx: start.ctx,
            input: start.input,
            globals: start.globals,
            global_names: start.global_names,
            old_globals: start.old_globals,
            history: start.history,
            call: None,
            signed: None,
            asked: false,
            pending: Vec::new(),
            offered: 0,
            given_up: Vec::new(),
            outcome: None,
            fuel_used: 0,
            calls_made: 0,
            kept_tools,
            own_hidden: None,
            left_at: None,
        }
    }

    pub fn run_with(&mut self, budget: &mut Budget, host: &mut Host<'_>) -> Step {
        self.cx.load(budget);
        let step = match self.walk(host) {
            Ok(step) => step,
            Err(problem) => {
                self.end(Outcome::Error(problem));
                Step::Done
            }
        };
        self.fuel_used += self.cx.store(budget);
        step
    }

    pub fn finish(mut self) -> Ended {
        let outcome = self.outcome.take().unwrap_or_else(|| {
            Outcome::Error(Diagnostic::new(
                Code::Unsupported,
                "the program was stopped before it ended",
            ))
        });
        self.join_all();
        let (prints, memory) = self.cx.finish();
        Ended {
            outcome,
            prints,
            fuel: self.fuel_used,
            tool_calls: self.calls_made - tool_calls(&self.pending),
            memory,
            payload: self.cx.own.take_payload(),
            globals: std::mem::take(&mut self.globals),
            new_globals: self.global_names.split_off(self.old_globals),
            lazy_aware: self.cx.lazy_aware,
            uncounted: self.cx.uncounted(),
            kept_tools: std::mem::take(&mut self.kept_tools),
            seen: std::mem::take(&mut self.cx.own.seen),
            unseen: self.cx.fields.take_problems(),
            hidden: std::mem::take(&mut self.cx.hidden),
            left_at: self.left_at.take().map(|(it, node)| (it.span(node), it.source.clone())),
        }
    }

    pub fn answer(
        &mut self,
        id: &CallId,
        outcome: Result<Value, ToolFailure>,
        effects: AnswerEffects,
    ) {
        // A call that was not handed out cannot have an answer.
        if self.pending.iter().all(|call| call.id != *id) {
            self.branches.answer(id, outcome, effects);
        }
    }

    /// Returns the program.
    fn main(&self) -> Option<&Arc<Program>> {
        self.codes.list.first().map(|entry| &entry.program)
    }

    fn end(&mut self, outcome: Outcome) {
        // Calls that were not handed out do not count.
        let asked = std::mem::take(&mut self.asked);
        let asked = asked && self.call.as_ref().is_none_or(ToolCall::is_of_tool);
        let pending = std::mem::take(&mut self.pending);
        let unmade = tool_calls(&pending) + u32::from(asked);
        self.calls_made -= unmade;
        self.cx.calls_left += unmade;
        if self.branches.are_used() {
            self.join_all();
            let in_flight = std::mem::take(&mut self.branches).into_in_flight();
            let is_made = |id: &CallId| pending.iter().all(|call| call.id != *id);
            self.given_up.extend(in_flight.filter(is_made));
        }
        self.task.mode = Mode::Over;
        self.outcome = Some(outcome);
    }

    /// Returns the outcome for a value, or an error if the value may not leave the machine.
    fn outcome_of(&mut self, value: Value, wrap: fn(Value) -> Outcome) -> Outcome {
        let built = self.cx.build(&value).map_err(|problem| self.locate(problem));
        match built.and_then(|()| self.checked_result(&value)) {
            Ok(()) => wrap(value),
            Err(problem) => Outcome::Error(problem),
        }
    }

    /// Checks that a returned value has a bounded JSON form; an observed value may hold anything.
    fn checked_result(&self, value: &Value) -> Result<(), Diagnostic> {
        let max = self.cx.limits.result_bytes as usize;
        match ptc_values::json::size(value, max) {
            Ok(size) if size > max => Err(self.locate(
                Diagnostic::new(
                    Code::ResultSizeLimit,
                    format!("the result is larger as JSON than the limit of {max} bytes"),
                )
                .with_help("return less: a summary, the first items, or counts")
                .with_advice("raise the limit `result_bytes`"),
            )),
            _ => Ok(()),
        }
    }
}

impl fmt::Debug for Machine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Machine")
            .field("frames", &self.0.task.frames.len())
            .field("depth", &self.0.task.calls())
            .finish_non_exhaustive()
    }
}
