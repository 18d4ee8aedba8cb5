//! The machine: a tree walker with a stack of its own.
//!
//! What lives here: frames, evaluation, calls, suspension at tool calls, limits. What never will:
//! waiting, clocks, threads. A tool call ends [`Machine::run`] with [`Step::Calls`]; whoever drives
//! the machine answers through [`Machine::resume`] and runs it again.
//!
//! Nodes that call no function of the program are evaluated by native calls of bounded depth
//! ([`direct`]); everything else goes through frames ([`walk`]).

mod branch;
mod call;
mod callback;
mod change;
mod closure;
mod cx;
mod direct;
mod exits;
mod ints;
mod item_iter;
mod live;
mod nil;
mod own;
mod prints;
mod realizer;
mod repeat;
mod sort;
mod sorted_insert;
mod stages;
mod task;
mod tracer;
mod unwind;
mod view;
mod waiting;
mod walk;

use std::fmt;
use std::sync::{Arc, Mutex};

use arcstr::ArcStr;
use ptc_signatures::Field;

use branch::Branches;
pub(crate) use branch::Fork;
pub(crate) use callback::{
    CallbackState, Collect, Each, Sort, finish_first, finish_groups, finish_list, finish_vector,
    map_of, set_of,
};
pub(crate) use change::{Answer, Change, Force, cell_of, over};
pub use closure::Closure;
pub(crate) use closure::wrong_arity_of;
pub(crate) use cx::{Alive, Cx, Res, is_long};
pub(crate) use direct::divides_by_zero;
pub(crate) use item_iter::{ItemIter, items_of, not_a_collection};
pub(crate) use realizer::LazyRealizer;
pub(crate) use sort::merge_sort;
pub(crate) use sorted_insert::{SortedInsert, sorted_by};
pub(crate) use stages::{Items, Stages, rows_of};
use task::Task;
pub(crate) use tracer::Tracer;
pub(crate) use view::{Level, Waits};

use crate::admission::SeenFields;
use crate::diagnostic::{Code, Diagnostic, Span};
use crate::ir::{Operand, Program};
use crate::limits::Limits;
use crate::random::Random;
use crate::session::ToolDecl;
use crate::value::{Map, Value};
use own::Own;

/// Keys of maps and members of sets nest at most this deep, so that hashing them may recur.
pub(crate) const MAX_KEY_DEPTH: u32 = 64;

/// Keys of maps and members of sets hold at most this many values, so that comparing and hashing
/// one takes a bounded time.
pub(crate) const MAX_KEY_PARTS: usize = 65_536;

/// What is left to use. One serves one program, or all programs of a run in turn.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Budget {
    /// Fuel left.
    pub fuel: u64,
    /// Tool calls left.
    pub tool_calls: u32,
    /// Fuel after which [`Machine::run`] yields, so that its driver can look at its clock.
    pub slice: u64,
}

impl Budget {
    /// The full budget of one program.
    pub fn new(limits: &Limits) -> Budget {
        Budget { fuel: limits.fuel, tool_calls: limits.tool_calls, slice: 100_000 }
    }
}

/// Answers a tool call at once, or not at all: see [`Machine::run_with`].
pub type Host<'h> = dyn FnMut(&ToolCall) -> Option<Result<Value, ToolFailure>> + 'h;

/// Why [`Machine::run`] came back.
#[derive(Debug)]
pub enum Step {
    /// The program is over: call [`Machine::finish`].
    Done,
    /// New tool calls to make. Nothing goes on before one of these or of those in flight is answered.
    Calls(Vec<ToolCall>),
    /// The slice of fuel is used up: run again.
    Yield,
}

/// The identity of a tool call within its program: its number in order of evaluation, behind the
/// path of parallel branches it stands in. It does not depend on when calls are answered.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct CallId {
    /// The branch; empty for the program's own line.
    path: Vec<u32>,
    number: u32,
}

impl CallId {
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
    /// Where the call stands in the source.
    pub span: Span,
}

/// How a tool call failed. It stops a program that does not catch it.
#[derive(Debug, Clone)]
pub struct ToolFailure {
    /// What happened, without the name of the tool: the machine knows which one it called.
    pub message: String,
    /// What kind of failure it is; [`Code::ToolFailed`] unless something better is known.
    pub code: Code,
    /// One concrete thing to do about it, for whoever writes the program.
    pub help: Option<String>,
    /// One thing that the author of the mission can do about it; a model is not told.
    pub advice: Option<String>,
}

impl ToolFailure {
    /// A tool that failed with a message.
    pub fn new(message: impl Into<String>) -> ToolFailure {
        ToolFailure { message: message.into(), code: Code::ToolFailed, help: None, advice: None }
    }

    /// The problem that a call of `tool` becomes; its data is what a program gets from `ex-data`.
    #[cold]
    fn into_diagnostic(self, tool: &str) -> Diagnostic {
        let data = failure_data(tool, self.code.as_str(), &self.message);
        let message = format!("tool `{tool}`: {}", self.message);
        let problem = Diagnostic::new(self.code, message).with_data(data);
        let problem = self.help.into_iter().fold(problem, Diagnostic::with_help);
        self.advice.into_iter().fold(problem, Diagnostic::with_advice)
    }
}

/// What a program that catches the failure of a call gets from `ex-data`.
fn failure_data(tool: &str, code: &str, message: &str) -> Value {
    Value::map([
        (Value::keyword("tool"), Value::str(tool)),
        (Value::keyword("kind"), Value::keyword(code)),
        (Value::keyword("message"), Value::str(message)),
    ])
}

/// How a program ended and what it leaves behind.
#[derive(Debug)]
pub struct Ended {
    /// How it ended.
    pub outcome: Outcome,
    /// Lines it printed.
    pub prints: Vec<String>,
    /// Fuel it used.
    pub fuel: u64,
    /// Tool calls it made.
    pub tool_calls: u32,
    pub(crate) memory: Arc<Map>,
    pub(crate) globals: Vec<Option<Value>>,
    pub(crate) new_globals: Vec<ArcStr>,
    pub(crate) lazy_aware: bool,
    /// Bytes that it allocated and that nobody has counted.
    pub(crate) uncounted: u64,
    pub(crate) kept_tools: Vec<ArcStr>,
    /// Fields that results of tools had besides those that are declared.
    pub(crate) seen: SeenFields,
}

impl Ended {
    /// What the program wants to keep for later turns.
    pub fn memory(&self) -> Value {
        Value::Map(self.memory.clone())
    }
}

/// How a program ended.
#[derive(Debug)]
pub enum Outcome {
    /// With the value of its last form.
    Value(Value),
    /// With `(return value)`.
    Return(Value),
    /// With `(fail …)`.
    Fail(Failure),
    /// With an error or a limit.
    Error(Diagnostic),
}

/// What a program gave to `fail`.
#[derive(Debug, Clone)]
pub struct Failure {
    /// The name under `:reason`; `failed` if there is none.
    pub reason: String,
    /// The text under `:message`; the whole value if there is none.
    pub message: String,
    /// All that was given.
    pub details: Value,
}

impl Failure {
    fn of(details: Value) -> Failure {
        let text = |key| details.get(key).filter(|value| !value.is_nil());
        let reason = text("reason").map_or_else(
            || "failed".to_owned(),
            |reason| crate::value::print::display(reason).trim_start_matches(':').to_owned(),
        );
        let message = match text("message") {
            Some(message) => crate::value::print::display(message),
            None => crate::value::print::display(&details),
        };
        Failure { reason, message, details }
    }
}

/// One frame of the machine's stack: what to do with the value that comes next.
#[derive(Debug, Clone, Copy)]
enum Frame {
    /// Go back to the caller's frame of slots. `at`: the node of the call.
    Return { base: u32, at: u32, to: Caller },
    /// Choose a branch of an `if`.
    If { node: u32 },
    /// Go on with a part of `do`, `and` or `or`.
    Sequence { node: u32, next: u32 },
    /// Put the value into a slot.
    Bind { slot: u32 },
    /// Push the value and go on with a list of operands.
    Args { node: u32, next: u32 },
    /// The value is the left operand.
    Left { node: u32 },
    /// The value is the right operand; the left one is on the value stack.
    Right { node: u32 },
    /// The value is the one part of a node.
    Part { node: u32 },
    /// Hand the value to the builtin that is stepping.
    CallbackState,
    /// The body of a `try` is over; and how high the stacks were when it began.
    Try { node: u32, stack: u32, hofs: u32 },
    /// The same for its `finally`.
    Finally { node: u32, stack: u32, hofs: u32 },
    /// A `finally` is over: go on with the value below, or raise what was raised.
    AfterFinally { raise: bool },
}

/// Who has called a function.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Caller {
    /// A function of the same program.
    Here,
    /// A function of another program.
    Elsewhere,
    /// The innermost builtin that calls back, with so many arguments for each of its items.
    Builtin { count: u8 },
}

// Frames are pushed and popped once per step: four to a cache line.
const _: () = assert!(size_of::<Frame>() <= 16);

/// What the machine does next.
enum Mode {
    Eval(Operand),
    Value(Value),
    /// The same, when the machine should stop for a moment before.
    Pause(Operand),
    /// Evaluate an operand of another program, which runs now.
    Enter(Operand),
    /// Raise a problem.
    Raise(Diagnostic),
    /// Start the next branch, or go on when all are over.
    Fork,
    /// Let the innermost builtin that calls back go on.
    CallbackState,
    /// A tool call is in flight, or branches are.
    Waiting,
    Over,
}

// A mode is handed from step to step, so it must not be larger than the value it carries.
const _: () = assert!(size_of::<Mode>() == 16);

/// A program being run. Suspended, it holds no thread and waits for nothing.
pub struct Machine(Core<()>);

/// The machine itself, with somebody who may look at what it does: see [`Tracer`].
pub(crate) struct Core<W> {
    pub(crate) watch: W,
    /// The line of evaluation that runs; the program's own is the first.
    task: Task,
    /// All others.
    branches: Branches,
    cx: Cx,
    ctx: Arc<Map>,
    /// What the mission declares its data to be.
    input: Option<Arc<[Field]>>,
    globals: Vec<Option<Value>>,
    global_names: Vec<ArcStr>,
    /// How many of them earlier programs have defined.
    old_globals: usize,
    history: [Value; 3],
    /// The tool call that the running task has just made, for which it waits unless the host answers at
    /// once; or the last one that it has answered, without the values of its arguments: the next call is
    /// made in its place, and touches no reference counts of names that are the same.
    call: Option<ToolCall>,
    /// Whether it has just been made.
    asked: bool,
    /// Tool calls that were made and not handed out yet.
    pending: Vec<ToolCall>,
    /// How many of them the host was asked to answer at once.
    offered: usize,
    /// Calls in flight for whose answers nobody waits any more.
    given_up: Vec<CallId>,
    outcome: Option<Outcome>,
    fuel_used: u64,
    calls_made: u32,
    /// Tools that functions of the program can call, which later programs may call.
    kept_tools: Vec<ArcStr>,
}

/// What a session hands to a new machine.
pub(crate) struct Start {
    pub(crate) program: Arc<Program>,
    pub(crate) limits: Limits,
    pub(crate) ctx: Arc<Map>,
    pub(crate) input: Option<Arc<[Field]>>,
    pub(crate) memory: Arc<Map>,
    pub(crate) tools: Arc<[ToolDecl]>,
    pub(crate) budget: Arc<Map>,
    pub(crate) globals: Vec<Option<Value>>,
    /// The names of all globals, the new ones included.
    pub(crate) global_names: Vec<ArcStr>,
    pub(crate) old_globals: usize,
    pub(crate) history: [Value; 3],
    /// What it draws from.
    pub(crate) random: Random,
    pub(crate) lazy_aware: bool,
    pub(crate) lazies: Option<Arc<Mutex<Alive>>>,
    /// Bytes that earlier programs allocated and that nobody has counted.
    pub(crate) uncounted: u64,
}

impl Machine {
    pub(crate) fn new(start: Start) -> Machine {
        Machine(Core::new(start, ()))
    }

    /// Runs until the program is over, needs a tool, or has used up its slice of fuel.
    pub fn run(&mut self, budget: &mut Budget) -> Step {
        self.run_with(budget, &mut |_| None)
    }

    /// The same, with somebody who may answer a tool call at once: a function of the host that needs
    /// no waiting. A call that gets no answer is handed out as ever. Which of the two happens decides
    /// the order of answers, and nothing else.
    pub fn run_with(&mut self, budget: &mut Budget, host: &mut Host<'_>) -> Step {
        self.0.run_with(budget, host)
    }

    /// Answers a tool call. An answer nobody waits for is ignored.
    ///
    /// The branch that made the call goes on at the next run, whatever other branches wait for.
    /// Answers take effect in the order in which they were given: what the program does depends on
    /// that order at most, and not on what was run between two answers.
    pub fn resume(&mut self, id: &CallId, outcome: Result<Value, ToolFailure>) {
        // A call that was not handed out cannot have been made.
        if self.0.pending.iter().all(|call| call.id != *id) {
            self.0.branches.answer(id, outcome);
        }
    }

    /// The calls in flight that the program has given up since this was last asked: those of branches
    /// behind one that failed or ended the program, and of all branches when a limit did. Answers to
    /// them are ignored, so the host may cancel them.
    pub fn given_up(&mut self) -> Vec<CallId> {
        std::mem::take(&mut self.0.given_up)
    }

    /// How the program ended. A program that has not ended yet counts as stopped.
    pub fn finish(self) -> Ended {
        self.0.finish()
    }
}

impl<W: Tracer> Core<W> {
    pub(crate) fn new(start: Start, watch: W) -> Core<W> {
        let arity =
            start.program.lambdas.first().and_then(|main| main.arities.iter().next()).copied();
        let (frame, mode) = match arity {
            Some(arity) => (arity.frame as usize, Mode::Eval(arity.body)),
            None => (0, Mode::Value(Value::Nil)),
        };
        let mut stack = Vec::with_capacity(frame + 16);
        stack.push(Value::Int(closure::plain(0)));
        stack.resize(frame + 1, Value::Nil);
        let functions = start.program.lambdas.len() > 1;
        let tools = start.program.tools.iter().chain(&start.program.named);
        let kept_tools = if functions { tools.cloned().collect() } else { Vec::new() };
        let cx = Cx::new(
            start.limits,
            Own::of_program(start.memory, start.random),
            (start.tools, start.budget),
            start.lazy_aware,
            start.lazies,
            start.uncounted,
        );
        Core {
            watch,
            task: Task::main(start.program, stack, mode),
            branches: Branches::default(),
            cx,
            ctx: start.ctx,
            input: start.input,
            globals: start.globals,
            global_names: start.global_names,
            old_globals: start.old_globals,
            history: start.history,
            call: None,
            asked: false,
            pending: Vec::new(),
            offered: 0,
            given_up: Vec::new(),
            outcome: None,
            fuel_used: 0,
            calls_made: 0,
            kept_tools,
        }
    }

    pub(crate) fn run_with(&mut self, budget: &mut Budget, host: &mut Host<'_>) -> Step {
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

    pub(crate) fn finish(mut self) -> Ended {
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
            tool_calls: self.calls_made - self.pending.len() as u32,
            memory,
            globals: std::mem::take(&mut self.globals),
            new_globals: self.global_names.split_off(self.old_globals),
            lazy_aware: self.cx.lazy_aware,
            uncounted: self.cx.uncounted(),
            kept_tools: std::mem::take(&mut self.kept_tools),
            seen: std::mem::take(&mut self.cx.own.seen),
        }
    }

    fn end(&mut self, outcome: Outcome) {
        // Calls that were never handed out were never made.
        let asked = u32::from(std::mem::take(&mut self.asked));
        let pending = std::mem::take(&mut self.pending);
        let unmade = pending.len() as u32 + asked;
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

    /// How the program ends with a value, if the value may leave the machine.
    fn outcome_of(&self, value: Value, wrap: fn(Value) -> Outcome) -> Outcome {
        match self.checked_result(&value) {
            Ok(()) => wrap(value),
            Err(problem) => Outcome::Error(problem),
        }
    }

    /// A value that is returned must have a JSON form of bounded size; a value that is only
    /// observed may hold anything.
    fn checked_result(&self, value: &Value) -> Result<(), Diagnostic> {
        let max = self.cx.limits.result_bytes as usize;
        match crate::value::json::size(value, max) {
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
            .field("depth", &self.0.task.depth)
            .finish_non_exhaustive()
    }
}
