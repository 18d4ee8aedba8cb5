//! Lowers forms to a checked program: names become slots, sugar is expanded, and certain failures are refused.
//!
//! The checker works through a list of tasks instead of calling itself, so the nesting of a source never reaches the
//! native stack. Visiting a form leaves one operand. The task that finishes a form takes the operands of its parts and
//! makes a node.

mod bindings;
mod build;
mod calls;
mod destructure;
mod doc;
mod expand;
mod flow;
pub mod forms;
mod functions;
mod last_use;
mod lazy;
mod libraries;
mod loops;
mod members;
mod names;
mod payload;
mod remember;
mod special;
mod visit;
mod words;

pub use doc::text_of;
use std::collections::BTreeMap;
use std::num::NonZeroU32;
use std::rc::Rc;
use std::sync::Arc;
pub use words::NAMING;

use arcstr::ArcStr;
use hashbrown::HashMap;

use crate::admission::{self, Defined, Environment, Mark, Outline, World};
use crate::sites::separate;
use bindings::Bindings;
use last_use::{Event, Read};
use libraries::Libraries;
use ptc_facts::field_watch::WatchedField;
use ptc_facts::report::Report;
use ptc_facts::shape::Shape;
use ptc_reader::{Form, FormId, FormKind, Forms, Name, Source};
use ptc_values::code::{Code, Span};
use ptc_values::ir::{Lambda, Operand, OperandKind, Program};
use ptc_values::{BuiltinId, Diagnostic, Value};
use visit::copied;
use words::Words;

/// The number of problems reported at once: a model fixes a few at a time.
const MAX_PROBLEMS: usize = 5;

/// The environment of a program, and the way to check it.
pub struct Scope<'a> {
    pub env: Environment<'a>,
    /// The limit of tool calls.
    pub tool_calls: u32,
    /// Whether the source is a part of the language.
    pub builtin: bool,
    /// Whether every builtin is called with frames. It costs time, and lets builtins receive values whose use calls
    /// functions: lazy sequences, and collections sorted by a function. A program that can make such values is
    /// lazy-aware in any case.
    pub lazy_aware: bool,
    /// Whether the program keeps the names of its source.
    pub names: bool,
    /// For a program that was accepted before, the facts found about its reads. Then only its nodes are made anew. They
    /// depend on nothing but the source and the names defined before it.
    pub again: Option<&'a [(u32, bool)]>,
}

/// An accepted program.
pub struct Analyzed {
    pub program: Arc<Program>,
    pub report: Report,
    pub warnings: Vec<Diagnostic>,
    /// The fields that are watched while it runs.
    pub watched: Arc<[WatchedField]>,
    /// The shape of its value; `None` if it was not examined.
    pub value: Option<Shape>,
    /// The names that this program defines for the first time, ordered by number.
    pub new_globals: Vec<ArcStr>,
    /// Whether its builtins are called with frames.
    pub lazy_aware: bool,
}

/// Checks a source.
///
/// # Errors
/// Returns the certain failures, most useful first, at most five.
pub fn analyze(source: Source, scope: &Scope<'_>) -> Result<Analyzed, Vec<Diagnostic>> {
    let mut analyzer = Analyzer::new(source, scope);
    analyzer.run();
    if let Some(reads) = scope.again {
        analyzer.program.reads = reads.to_vec();
    } else {
        analyzer.check_global_calls();
        let guarded = analyzer.examine();
        analyzer.refuse_failing(&guarded);
    }
    // Destructured in place because it is large.
    let Analyzer {
        program,
        report,
        warnings,
        watched,
        value,
        new_globals,
        lazy_aware,
        mut problems,
        ..
    } = analyzer;
    if problems.is_empty() {
        let program = Arc::new(program);
        // An empty list needs no allocation.
        let watched = if watched.is_empty() { Arc::default() } else { watched.into() };
        return Ok(Analyzed { program, report, warnings, watched, value, new_globals, lazy_aware });
    }
    // Problems inside a form come before problems of the form.
    problems.sort_by_key(|problem| problem.span().map(|span| span.end));
    problems.truncate(MAX_PROBLEMS);
    Err(problems.into_iter().map(|problem| problem.in_source(&program.source)).collect())
}

/// A pending step; the last one runs first.
enum Task {
    /// Turn a form into an operand. With `tail`, its value is the value of the enclosing loop or function.
    Visit {
        form: FormId,
        tail: bool,
    },
    /// Record where control forks, joins or turns back.
    Mark(Event),
    /// Bind the last operand to a name.
    Bind {
        name: Name,
        span: Span,
    },
    /// Remove the names bound since.
    EndScope {
        names: usize,
        slots: u32,
    },
    /// Make a node of the last operands.
    Make {
        what: Make,
        count: usize,
        span: Span,
    },
    StartLoop {
        slots: u32,
        count: usize,
        span: Span,
    },
    EndLoop {
        node: u32,
    },
    /// Starts an arity, whose parameters are the last of [`Analyzer::params`].
    StartArity {
        params: usize,
    },
    EndArity {
        params: usize,
        variadic: bool,
    },
    EndFunction {
        span: Span,
    },
    /// Reserve the slot of a `catch`, which receives the exception.
    Catch {
        name: Name,
    },
    /// Begin the next function of a `letfn`, with the captures of those before it.
    StartSibling {
        lambda: u32,
        names: Rc<[(Name, u32)]>,
    },
    EndSibling,
    /// Bind the functions of a `letfn` in the enclosing scope.
    EndSiblings {
        functions: Rc<[(Name, u32)]>,
        span: Span,
    },
}

/// The kind of node to make.
#[derive(Clone, Copy)]
enum Make {
    If,
    And,
    Or,
    Do,
    Call,
    Builtin(BuiltinId),
    Get(u32),
    Vector,
    Map,
    Set,
    Recur,
    Def(u32),
    Tool(u32),
    Named,
    Return,
    Fail,
    Try,
}

/// An operand with the event of its read, which is told where the operand is stored.
#[derive(Clone, Copy, Default)]
struct Val {
    operand: Operand,
    /// The number of the event, from 1.
    read: Option<NonZeroU32>,
}

/// The meaning of a local name.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct Binding {
    /// The nesting depth of the function it belongs to; 0 is the program.
    depth: u32,
    what: Bound,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Bound {
    Slot(u32),
    /// The running function itself.
    Myself,
    /// A function of the same `letfn`.
    Sibling(u32),
}

/// A function whose body is being visited.
#[derive(Default)]
struct Function {
    lambda: u32,
    /// The names bound in it, innermost last.
    names: Vec<Name>,
    next_slot: u32,
    frame: u32,
    captures: Vec<Binding>,
    capture_places: HashMap<Binding, u32>,
    events: Vec<Event>,
    /// The enclosing loops, innermost last.
    loops: Vec<LoopScope>,
    /// The first node of the current arity.
    start: u32,
    /// The number of parameters of the current arity, including the rest parameter.
    params: usize,
    self_name: Option<Name>,
    /// The names of the functions of the same `letfn`.
    siblings: Vec<Name>,
    /// The number of reads of itself other than self-calls.
    reads_itself: u32,
}

impl Function {
    /// Creates a function with room for the typical contents.
    fn with_capacity() -> Function {
        Function {
            names: Vec::with_capacity(8),
            events: Vec::with_capacity(32),
            ..Function::default()
        }
    }

    /// Clears a function and keeps its allocations.
    fn cleared(mut self) -> Function {
        self.names.clear();
        self.captures.clear();
        self.capture_places.clear();
        self.events.clear();
        self.loops.clear();
        self.siblings.clear();
        Function {
            names: self.names,
            captures: self.captures,
            capture_places: self.capture_places,
            events: self.events,
            loops: self.loops,
            siblings: self.siblings,
            ..Function::default()
        }
    }
}

#[derive(Clone, Copy)]
struct LoopScope {
    node: u32,
    count: usize,
}

/// A call of a function that a name of the program refers to, checked at the end.
struct GlobalCall {
    /// The function that contains the call.
    lambda: u32,
    global: u32,
    count: u32,
    span: Span,
}

/// The captures that the functions of a `letfn` share.
#[derive(Default)]
struct Shared {
    captures: Vec<Binding>,
    places: HashMap<Binding, u32>,
}

struct Analyzer<'a> {
    scope: &'a Scope<'a>,
    forms: Forms,
    top: Vec<FormId>,
    tasks: Vec<Task>,
    vals: Vec<Val>,
    function: Function,
    /// The enclosing functions, innermost last.
    outer: Vec<Function>,
    /// Finished functions, cleared for reuse.
    cleared: Vec<Function>,
    bound: Bindings,
    program: Program,
    /// The nesting of each direct node; 0 for the others.
    depths: Vec<u8>,
    new_globals: Vec<ArcStr>,
    /// The definition of each name that this program defines.
    defined: BTreeMap<u32, Defined>,
    global_calls: Vec<GlobalCall>,
    problems: Vec<Diagnostic>,
    /// Calls that are certain to fail, by their function. A `catch` around a call of that function may expect them.
    failing: Vec<(u32, Diagnostic)>,
    warnings: Vec<Diagnostic>,
    watched: Vec<WatchedField>,
    report: Report,
    words: Words,
    /// The bodies of loops whose variables are being visited, innermost last.
    loop_bodies: Vec<(Vec<FormId>, Span)>,
    /// The parameters of arities still to be visited, those of the next one last.
    params: Vec<Name>,
    /// The slots of `catch` names, in order.
    catch_slots: Vec<u32>,
    libraries: Libraries,
    /// The classes of each enclosing `try`, and whether it has a `finally`.
    try_plans: Vec<(Vec<ArcStr>, bool)>,
    /// The shared captures of each enclosing `letfn`, innermost last.
    siblings: Vec<Shared>,
    /// The places where bodies begin and end among the nodes.
    outline: Outline,
    /// Whether it contains a `return`, a `fail` or a tool call by a computed name.
    ends: bool,
    /// Whether a builtin gets named options, or a literal that may be wrong there.
    is_doubtful: bool,
    /// The shape of the program's value.
    value: Option<Shape>,
    lazy_aware: bool,
}

impl<'a> Analyzer<'a> {
    fn new(source: Source, scope: &'a Scope<'a>) -> Analyzer<'a> {
        // About every second form becomes a node.
        let forms = source.forms.count();
        let room = forms / 2 + 1;
        let names = source.forms.names().len();
        // A long program mostly has functions; a short one must not pay for them.
        let is_long = forms > 64;
        Analyzer {
            scope,
            forms: source.forms,
            top: source.top,
            tasks: Vec::with_capacity(forms.min(64)),
            vals: Vec::with_capacity(forms.min(64)),
            function: if is_long { Function::with_capacity() } else { Function::default() },
            outer: Vec::with_capacity(if is_long { 4 } else { 0 }),
            cleared: Vec::new(),
            bound: Bindings::with_capacity(names),
            program: Program {
                source: source.text,
                builtin: scope.builtin,
                known: scope.env.globals.count() as u32,
                nodes: Vec::with_capacity(room),
                spans: Vec::with_capacity(room),
                operands: Vec::with_capacity(if room > 4 { room } else { 0 }),
                consts: Vec::with_capacity(forms / 4 + 1),
                lambdas: Vec::with_capacity(if is_long { 8 } else { 1 }),
                ..Program::default()
            },
            depths: Vec::with_capacity(room),
            new_globals: Vec::new(),
            defined: BTreeMap::new(),
            global_calls: Vec::new(),
            problems: Vec::new(),
            failing: Vec::new(),
            warnings: Vec::new(),
            watched: Vec::new(),
            report: Report::default(),
            words: Words::with_capacity(names),
            loop_bodies: Vec::new(),
            params: Vec::new(),
            catch_slots: Vec::new(),
            libraries: Libraries::default(),
            try_plans: Vec::new(),
            siblings: Vec::new(),
            outline: Outline::with_room(if is_long { 32 } else { 0 }),
            ends: false,
            is_doubtful: false,
            value: None,
            lazy_aware: scope.lazy_aware,
        }
    }

    /// Numbers the names of top-level definitions, so that functions can call functions defined below.
    fn predeclare(&mut self) {
        for at in 0..self.top.len() {
            let form = self.top[at];
            if let [head, name, ..] = *self.forms.kids(form)
                && matches!(self.forms.get(form).kind, FormKind::List)
                && let FormKind::Symbol(head) = self.forms.get(head).kind
                && matches!(self.forms.text(head), "def" | "defn" | "defn-" | "defonce" | "declare")
                && let FormKind::Symbol(name) = self.forms.get(name).kind
            {
                self.global(name);
            }
        }
    }

    /// Finds out what the program can do and what is certain to fail. Returns the functions that a `try` calls.
    fn examine(&mut self) -> Vec<u32> {
        let reads_data = !self.report.ctx.is_empty()
            || !self.report.memory_reads.is_empty()
            || !self.report.payload_reads.is_empty()
            || self.scope.env.globals.count() > 0
            || self.scope.env.history.iter().any(|value| !value.is_nil());
        // Otherwise there is nothing to find out.
        let is_useful = self.ends
            || self.is_doubtful
            || !self.program.tools.is_empty()
            || self.program.lambdas.len() > 1
            || !self.report.memory_reads.is_empty()
            || reads_data
            || !self.scope.env.kept_tools.is_empty();
        if self.scope.builtin || !is_useful {
            return Vec::new();
        }
        let world = World {
            env: self.scope.env,
            reads_data,
            defined: &self.defined,
            writes_memory: !self.report.memory_writes.is_empty(),
            changes_payload: !self.report.payload_writes.is_empty()
                || self.scope.env.payload.is_some_and(|payload| payload.is_shared),
            has_gaps: !self.problems.is_empty() || !self.failing.is_empty(),
        };
        let found = admission::examine(&self.program, &self.outline, &world);
        for problem in found.problems {
            self.problem(problem);
        }
        let source = self.program.source.clone();
        let warnings = found.warnings.into_iter();
        self.warnings.extend(warnings.map(|warning| warning.in_source(&source)));
        self.program.named = found.named;
        for name in found.places {
            if let Some(decl) = self.scope.env.tools.iter().find(|decl| decl.name == name.as_str())
            {
                self.report.calls_tool(decl);
            }
        }
        self.report.found(found.tools, found.ends, self.scope.env.tools, self.scope.tool_calls);
        self.program.reads = found.reads;
        self.watched = separate(&mut self.program, found.watched);
        self.value = found.value;
        found.guarded
    }

    /// Refuses calls that are certain to fail, unless a `try` may enclose them.
    fn refuse_failing(&mut self, guarded: &[u32]) {
        for (lambda, problem) in std::mem::take(&mut self.failing) {
            if guarded.contains(&lambda) {
                self.warnings.push(problem.in_source(&self.program.source));
            } else {
                self.problem(problem);
            }
        }
    }

    /// Records a call that is certain to fail. Inside a `try` it is only a warning.
    fn fails(&mut self, problem: Diagnostic) {
        if self.may_be_caught() {
            self.warnings.push(problem.in_source(&self.program.source));
        } else if self.failing.len() <= MAX_PROBLEMS {
            self.failing.push((self.function.lambda, problem));
        }
    }

    fn run(&mut self) {
        self.resolve_keywords();
        self.lazy_aware |= !self.scope.builtin && self.needs_frames();
        self.program.lazy_aware = self.lazy_aware;
        self.predeclare();
        let end = self.program.source.len();
        let whole = Span::new(0, end);
        self.program.lambdas.push(Lambda::default());
        if self.top.is_empty() {
            self.problem(
                Diagnostic::new(Code::EmptyProgram, "the program has no form")
                    .at(whole)
                    .with_help("write an expression, such as `(return ctx/name)`"),
            );
            return;
        }
        self.tasks.push(Task::EndArity { params: 0, variadic: false });
        let top = std::mem::take(&mut self.top);
        self.body(&top, whole, false);
        while let Some(task) = self.tasks.pop() {
            self.step(task);
        }
    }

    #[expect(clippy::inline_always, reason = "it is the body of one loop, and entered often")]
    #[inline(always)]
    fn step(&mut self, task: Task) {
        match task {
            Task::Visit { form, tail } => self.visit(form, tail),
            Task::Mark(event) => {
                match event {
                    Event::Try => self.mark(Mark::Try),
                    Event::Catch => self.mark(Mark::EndTry),
                    _ => {}
                }
                self.event(event);
            }
            Task::Bind { name, span } => self.bind(name, span),
            Task::EndScope { names, slots } => self.end_scope(names, slots),
            Task::Make { what, count, span } => self.make(what, count, span),
            Task::StartLoop { slots, count, span } => self.start_loop(slots, count, span),
            Task::EndLoop { node } => self.end_loop(node),
            Task::StartArity { params } => self.start_arity(params),
            Task::EndArity { params, variadic } => self.end_arity(params, variadic),
            Task::EndFunction { span } => self.end_function(span),
            Task::Catch { name } => {
                let slot = self.new_slot(name);
                self.mark(Mark::Catch { slot });
                self.catch_slots.push(slot);
                self.event(Event::Write(slot));
            }
            Task::StartSibling { lambda, names } => self.start_sibling(lambda, &names),
            Task::EndSibling => self.end_sibling(),
            Task::EndSiblings { functions, span } => self.end_siblings(&functions, span),
        }
    }

    fn mark(&mut self, mark: Mark) {
        self.outline.mark(self.program.nodes.len(), mark);
    }

    /// Returns whether a further problem would be dropped, so its help is not needed.
    fn has_enough_problems(&self) -> bool {
        self.problems.len() > MAX_PROBLEMS
    }

    fn problem(&mut self, problem: Diagnostic) {
        // One more than the limit shows that there are more.
        if !self.has_enough_problems() {
            self.problems.push(problem);
        }
    }

    /// Reports a malformed form and leaves `nil` as its operand.
    fn bad(&mut self, span: Span, message: impl Into<String>, help: impl Into<String>) {
        self.problem(Diagnostic::new(Code::BadForm, message).at(span).with_help(help));
        self.push_const(Value::Nil);
    }

    fn form(&self, id: FormId) -> &Form {
        self.forms.get(id)
    }

    fn span(&self, id: FormId) -> Span {
        self.forms.get(id).span
    }

    /// Returns the number of enclosing functions.
    fn depth(&self) -> u32 {
        self.outer.len() as u32
    }

    /// Starts a function inside the current one.
    fn start_function(&mut self, lambda: u32) -> &mut Function {
        let function = self.cleared.pop().unwrap_or_else(Function::with_capacity);
        self.outer.push(std::mem::replace(&mut self.function, function));
        self.function.lambda = lambda;
        &mut self.function
    }

    /// Returns to the enclosing function; returns the finished one.
    fn leave_function(&mut self) -> Function {
        let outer = self.outer.pop().unwrap_or_default();
        std::mem::replace(&mut self.function, outer)
    }

    fn event(&mut self, event: Event) -> u32 {
        let events = &mut self.function.events;
        events.push(event);
        events.len() as u32 - 1
    }

    /// Gives a name a slot and stores the last operand there.
    fn bind(&mut self, name: Name, span: Span) {
        let Some(value) = self.vals.pop() else { return };
        let slot = self.new_slot(name);
        if self.scope.names {
            self.remember_value(slot, span);
        }
        self.bind_node(slot, value, span);
    }

    fn new_slot(&mut self, name: Name) -> u32 {
        let depth = self.depth();
        let function = &mut self.function;
        let slot = function.next_slot;
        function.next_slot += 1;
        function.frame = function.frame.max(function.next_slot);
        function.names.push(name);
        self.bound.push(name, Binding { depth, what: Bound::Slot(slot) });
        if self.scope.names {
            self.remember(name, slot);
        }
        slot
    }

    fn end_scope(&mut self, names: usize, slots: u32) {
        let function = &mut self.function;
        function.next_slot = slots;
        if self.scope.names {
            let (lambda, end) = (function.lambda, self.program.nodes.len() as u32);
            remember::end(&mut self.program.locals, lambda, slots, end);
        }
        while self.function.names.len() > names
            && let Some(name) = self.function.names.pop()
        {
            self.bound.pop(name);
        }
    }

    /// Pushes the operand of a local name, captured through every function in between.
    fn read_binding(&mut self, binding: Binding) {
        let here = self.depth();
        if binding.depth == here {
            let val = match binding.what {
                Bound::Slot(slot) => {
                    let read =
                        self.event(Event::Read(Read { slot, kept: last_use::Kept::Nowhere }));
                    let read = NonZeroU32::new(read + 1);
                    Val { operand: Operand::new(OperandKind::Local(slot)), read }
                }
                Bound::Myself => {
                    self.function.reads_itself += 1;
                    return self.push_node(ptc_values::ir::Node::Myself, Span::default(), &[]);
                }
                Bound::Sibling(lambda) => {
                    self.function.reads_itself += 1;
                    return self.push_node(
                        ptc_values::ir::Node::Sibling(lambda),
                        Span::default(),
                        &[],
                    );
                }
            };
            return self.vals.push(val);
        }
        let mut index = 0;
        let functions = self.outer.iter_mut().chain([&mut self.function]);
        for function in functions.skip(binding.depth as usize + 1) {
            index = *function.capture_places.entry(binding).or_insert_with(|| {
                function.captures.push(binding);
                function.captures.len() as u32 - 1
            });
        }
        self.push_place(OperandKind::Capture(index));
    }
}
