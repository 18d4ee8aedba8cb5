//! The state of lowering: the pending tasks, the operands and functions so far, and the names in scope.

use std::num::NonZeroU32;
use std::rc::Rc;

use arcstr::ArcStr;
use hashbrown::HashMap;

use super::bindings::{Binding, Bindings, Bound};
use super::last_use::{Event, Kept, Read};
use super::library_names::Libraries;
use super::meanings::Words;
use crate::lowered::{FailingCall, Lowered, MAX_PROBLEMS, Mark, Outline};
use crate::scope::Scope;
use ptc_reader::{Form, FormId, Forms, Name, Source};
use ptc_values::code::{Code, Span};
use ptc_values::ir::{Local, Named, Node, Operand, OperandKind};
use ptc_values::{BuiltinId, Diagnostic, Program, Value};

/// A pending step; the last one runs first.
pub(super) enum Task {
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
pub(super) enum Make {
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
pub(super) struct Val {
    pub(super) operand: Operand,
    /// The number of the event, from 1.
    pub(super) read: Option<NonZeroU32>,
}

/// A function whose body is being visited.
#[derive(Default)]
pub(super) struct Function {
    pub(super) lambda: u32,
    /// The names bound in it, innermost last.
    pub(super) names: Vec<Name>,
    pub(super) next_slot: u32,
    pub(super) frame: u32,
    pub(super) captures: Vec<Binding>,
    pub(super) capture_places: HashMap<Binding, u32>,
    pub(super) events: Vec<Event>,
    /// The enclosing loops, innermost last.
    pub(super) loops: Vec<LoopScope>,
    /// The first node of the current arity.
    pub(super) start: u32,
    /// The number of parameters of the current arity, including the rest parameter.
    pub(super) params: usize,
    pub(super) self_name: Option<Name>,
    /// The names of the functions of the same `letfn`.
    pub(super) siblings: Vec<Name>,
    /// The number of reads of itself other than self-calls.
    pub(super) reads_itself: u32,
}

impl Function {
    /// Creates a function with room for the typical contents.
    pub(super) fn with_capacity() -> Function {
        Function {
            names: Vec::with_capacity(8),
            events: Vec::with_capacity(32),
            ..Function::default()
        }
    }

    /// Clears a function and keeps its allocations.
    pub(super) fn cleared(mut self) -> Function {
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
pub(super) struct LoopScope {
    pub(super) node: u32,
    pub(super) count: usize,
}

/// The captures that the functions of a `letfn` share.
#[derive(Default)]
pub(super) struct Shared {
    pub(super) captures: Vec<Binding>,
    pub(super) places: HashMap<Binding, u32>,
}

pub(super) struct Analyzer<'a> {
    pub(super) scope: &'a Scope<'a>,
    pub(super) forms: Forms,
    pub(super) top: Vec<FormId>,
    pub(super) tasks: Vec<Task>,
    pub(super) vals: Vec<Val>,
    pub(super) function: Function,
    /// The enclosing functions, innermost last.
    pub(super) outer: Vec<Function>,
    /// Finished functions, cleared for reuse.
    pub(super) cleared: Vec<Function>,
    pub(super) bound: Bindings,
    /// The nesting of each direct node; 0 for the others.
    pub(super) depths: Vec<u8>,
    pub(super) words: Words,
    /// The bodies of loops whose variables are being visited, innermost last.
    pub(super) loop_bodies: Vec<(Vec<FormId>, Span)>,
    /// The parameters of arities still to be visited, those of the next one last.
    pub(super) params: Vec<Name>,
    /// The slots of `catch` names, in order.
    pub(super) catch_slots: Vec<u32>,
    pub(super) libraries: Libraries,
    /// The classes of each enclosing `try`, and whether it has a `finally`.
    pub(super) try_plans: Vec<(Vec<ArcStr>, bool)>,
    /// The shared captures of each enclosing `letfn`, innermost last.
    pub(super) siblings: Vec<Shared>,
    /// The facts for the later passes.
    pub(super) lowered: Lowered,
}

impl<'a> Analyzer<'a> {
    pub(super) fn new(source: Source, scope: &'a Scope<'a>) -> Analyzer<'a> {
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
            depths: Vec::with_capacity(room),
            words: Words::with_capacity(names),
            loop_bodies: Vec::new(),
            params: Vec::new(),
            catch_slots: Vec::new(),
            libraries: Libraries::default(),
            try_plans: Vec::new(),
            siblings: Vec::new(),
            lowered: Lowered {
                program: Program {
                    source: source.text,
                    builtin: scope.builtin,
                    lazy_aware: scope.lazy_aware,
                    known: scope.env.globals.count() as u32,
                    nodes: Vec::with_capacity(room),
                    spans: Vec::with_capacity(room),
                    operands: Vec::with_capacity(if room > 4 { room } else { 0 }),
                    consts: Vec::with_capacity(forms / 4 + 1),
                    lambdas: Vec::with_capacity(if is_long { 8 } else { 1 }),
                    ..Program::default()
                },
                outline: Outline::with_room(if is_long { 32 } else { 0 }),
                ..Lowered::default()
            },
        }
    }

    /// Records a call that is certain to fail. Inside a `try` it is only a warning.
    pub(super) fn fails(&mut self, problem: Diagnostic) {
        if self.may_be_caught() {
            self.lowered.warn(problem);
        } else if self.lowered.failing.len() <= MAX_PROBLEMS {
            let lambda = self.function.lambda;
            self.lowered.failing.push(FailingCall { lambda, problem });
        }
    }

    pub(super) fn mark(&mut self, mark: Mark) {
        self.lowered.outline.mark(self.lowered.program.nodes.len(), mark);
    }

    pub(super) fn problem(&mut self, problem: Diagnostic) {
        self.lowered.problem(problem);
    }

    /// Reports a malformed form and leaves `nil` as its operand.
    pub(super) fn bad(&mut self, span: Span, message: impl Into<String>, help: impl Into<String>) {
        self.problem(Diagnostic::new(Code::BadForm, message).at(span).with_help(help));
        self.push_const(Value::Nil);
    }

    pub(super) fn form(&self, id: FormId) -> &Form {
        self.forms.get(id)
    }

    pub(super) fn span(&self, id: FormId) -> Span {
        self.forms.get(id).span
    }

    /// Returns the number of enclosing functions.
    pub(super) fn depth(&self) -> u32 {
        self.outer.len() as u32
    }

    /// Starts a function inside the current one.
    pub(super) fn start_function(&mut self, lambda: u32) -> &mut Function {
        let function = self.cleared.pop().unwrap_or_else(Function::with_capacity);
        self.outer.push(std::mem::replace(&mut self.function, function));
        self.function.lambda = lambda;
        &mut self.function
    }

    /// Returns to the enclosing function; returns the finished one.
    pub(super) fn leave_function(&mut self) -> Function {
        let outer = self.outer.pop().unwrap_or_default();
        std::mem::replace(&mut self.function, outer)
    }

    pub(super) fn event(&mut self, event: Event) -> u32 {
        let events = &mut self.function.events;
        events.push(event);
        events.len() as u32 - 1
    }

    /// Gives a name a slot and stores the last operand there.
    pub(super) fn bind(&mut self, name: Name, span: Span) {
        let Some(value) = self.vals.pop() else { return };
        let slot = self.new_slot(name);
        if self.scope.names {
            self.remember_value(slot, span);
        }
        self.bind_node(slot, value, span);
    }

    pub(super) fn new_slot(&mut self, name: Name) -> u32 {
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

    pub(super) fn end_scope(&mut self, names: usize, slots: u32) {
        let function = &mut self.function;
        function.next_slot = slots;
        if self.scope.names {
            let (lambda, end) = (function.lambda, self.lowered.program.nodes.len() as u32);
            end_names(&mut self.lowered.program.locals, lambda, slots, end);
        }
        while self.function.names.len() > names
            && let Some(name) = self.function.names.pop()
        {
            self.bound.pop(name);
        }
    }

    /// Pushes the operand of a local name, captured through every function in between.
    pub(super) fn read_binding(&mut self, binding: Binding) {
        let here = self.depth();
        if binding.depth == here {
            let val = match binding.what {
                Bound::Slot(slot) => {
                    let read = self.event(Event::Read(Read { slot, kept: Kept::Nowhere }));
                    let read = NonZeroU32::new(read + 1);
                    Val { operand: Operand::new(OperandKind::Local(slot)), read }
                }
                Bound::Myself => {
                    self.function.reads_itself += 1;
                    return self.push_node(Node::Myself, Span::default(), &[]);
                }
                Bound::Sibling(lambda) => {
                    self.function.reads_itself += 1;
                    return self.push_node(Node::Sibling(lambda), Span::default(), &[]);
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

/// Ends the scopes of a function's names with slots from `first` on.
pub(super) fn end_names(locals: &mut [Local], lambda: u32, first: u32, node: u32) {
    for local in locals.iter_mut().rev() {
        let ends = matches!(local.what, Named::Slot(slot) if slot >= first);
        if local.lambda == lambda && ends && is_open(local) {
            local.nodes.end = node;
        }
    }
}

pub(super) fn is_open(local: &Local) -> bool {
    local.nodes.end == u32::MAX
}

/// Copies a slice, without an allocation up to 16 items, which is typical.
pub(super) fn copied<'c, T: Copy>(
    items: &[T],
    few: &'c mut [T; 16],
    many: &'c mut Vec<T>,
) -> &'c [T] {
    match few.get_mut(..items.len()) {
        Some(few) => {
            few.copy_from_slice(items);
            few
        }
        None => {
            many.extend_from_slice(items);
            many
        }
    }
}
