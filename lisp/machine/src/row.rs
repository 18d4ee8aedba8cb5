//! Rows of builtins: their facts with their functions, and the table by which the machine calls them.
//!
//! The layer of the functions registers the table, so the machine imports none of them.

use std::cmp::Ordering;
use std::sync::OnceLock;

use super::callback::CallbackState;
use super::cx::Cx;
use super::flow_place::MachineAction;
use super::fork::Fork;
use super::step::{Call, ItemStep};
use super::update::Changes;
use ptc_facts::registry::Builtin;
use ptc_facts::registry::Registered;
use ptc_facts::registry::facts::{ANY, Callback, EACH, Facts, INDEXED, Moves, as_value};
use ptc_values::code::Code;
use ptc_values::ir::Op;
use ptc_values::{BuiltinId, CellKind, Diagnostic, Res, Time, Value, is_long};

/// The fuel for a problem of a builtin: its texts are formatted, and a `catch` may read it.
pub const PROBLEM: u64 = 40;

/// All that is known about a builtin.
pub struct Row {
    pub builtin: Builtin,
    pub imp: Implementation,
    /// The use of one item by a sequence function.
    pub step: Option<&'static ItemStep>,
}

impl Row {
    /// Adds what the function does with one item. Its transducer and its lazy form follow from that.
    pub const fn step(self, step: &'static ItemStep) -> Row {
        let Row { builtin, imp, .. } = self;
        let facts = builtin.facts.step(step.facts());
        Row { builtin: Builtin { facts, ..builtin }, imp, step: Some(step) }
    }
}

impl Row {
    /// Adds a form in which the machine may do the function.
    pub const fn shortcut(self, shortcut: Shortcut) -> Row {
        match self.imp {
            Implementation::CallbackState(make) => {
                Row { imp: Implementation::Shortcut(shortcut, make), ..self }
            }
            _ => self,
        }
    }
}

/// The implementation of a builtin.
#[derive(Clone, Copy)]
pub enum Implementation {
    /// A function of its arguments alone, which it may move out.
    Pure(fn(&mut Cx, &mut [Value]) -> Res),
    /// A state machine that calls functions.
    CallbackState(fn(&mut Cx, Vec<Value>) -> Res<CallbackState>),
    /// The same for a function that the machine does without a state machine in most cases.
    Shortcut(Shortcut, fn(&mut Cx, Vec<Value>) -> Res<CallbackState>),
    /// The eager form of its step.
    Step(&'static ItemStep),
    /// A fork that calls functions in branches.
    Fork(fn(&mut Cx, Vec<Value>) -> Res<Fork>),
    /// An action of the machine on its argument.
    Action(MachineAction),
    /// A definition in the language itself.
    Lisp,
}

/// A function that the machine does itself in most cases: see `update.rs`, `swap.rs` and `applied.rs`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Shortcut {
    Update(Changes),
    Swap(CellKind),
    Reset,
    Deref,
    Apply,
}

/// The override of a builtin: a function, and whether it takes the builtin before its arguments.
pub(super) type LazyOverride = (Value, bool);

/// The functions that the layer of builtins supplies.
pub struct Functions {
    /// The implementations, by the ids of builtins.
    pub imps: Vec<Implementation>,
    /// Returns the function of a builtin written in the language.
    pub compiled: fn(BuiltinId) -> Res,
    /// Returns the override to call with the same arguments; none if the builtin itself can take them.
    pub lazy_override: fn(BuiltinId, &[Value]) -> Option<Res<LazyOverride>>,
    /// Applies an operation of numbers to dates, times and durations; none if it has no meaning.
    pub time_op: fn(&mut Cx, Op, &Value, &Value) -> Option<Res>,
    /// Compares two dates, times or durations for the function of a name.
    pub time_order: fn(&str, &Time, &Time) -> Res<Ordering>,
}

static FUNCTIONS: OnceLock<Functions> = OnceLock::new();

/// The functions of a process that has registered none.
static NONE: Functions = Functions {
    imps: Vec::new(),
    compiled: |_| Err(super::problems::invariant_violated()),
    lazy_override: |_, _| None,
    time_op: |_, _, _, _| None,
    time_order: |_, _, _| Err(super::problems::invariant_violated()),
};

/// Registers the functions of all builtins; later calls change nothing.
pub fn register(functions: impl FnOnce() -> Functions) {
    FUNCTIONS.get_or_init(functions);
}

/// Returns the function of a builtin written in the language.
pub fn compiled(id: BuiltinId) -> Res {
    (functions().compiled)(id)
}

/// Returns the override to call with the same arguments: see [`Functions::lazy_override`].
#[inline]
pub(super) fn lazy_override(id: BuiltinId, args: &[Value]) -> Option<Res<LazyOverride>> {
    (functions().lazy_override)(id, args)
}

/// Applies an operation of numbers to dates: see [`Functions::time_op`].
#[cold]
pub(super) fn time_op(cx: &mut Cx, op: Op, a: &Value, b: &Value) -> Option<Res> {
    (functions().time_op)(cx, op, a, b)
}

/// Compares two dates, times or durations for the function of a name.
pub fn time_order(who: &str, a: &Time, b: &Time) -> Res<Ordering> {
    (functions().time_order)(who, a, b)
}

/// Returns the implementation of a builtin.
#[inline]
pub(super) fn imp_of(id: BuiltinId) -> Implementation {
    functions().imps.get(id.index()).copied().unwrap_or(Implementation::Lisp)
}

/// Returns the registered functions.
#[inline]
fn functions() -> &'static Functions {
    FUNCTIONS.get().unwrap_or(&NONE)
}

impl Cx {
    /// Returns the implementation of a builtin.
    #[inline]
    pub fn imp(&self, id: BuiltinId) -> Implementation {
        imp_of(id)
    }

    /// Calls a builtin that calls nothing itself.
    pub fn call(&mut self, id: BuiltinId, args: &mut [Value]) -> Res {
        self.call_inline(id, args)
    }

    /// Does the work of [`Cx::call`] without a call of its own.
    #[inline(always)]
    #[expect(clippy::inline_always, reason = "measured: a sixth of a call of a small builtin")]
    pub(super) fn call_inline(&mut self, id: BuiltinId, args: &mut [Value]) -> Res {
        match self.imp(id) {
            Implementation::Pure(function) => {
                if args.iter().any(is_long) {
                    self.charge_arguments_of(id, args)?;
                }
                let result = function(self, args);
                // Describing a problem takes longer than most calls, and a program may catch it.
                if result.is_err() {
                    self.spend(PROBLEM)?;
                }
                result
            }
            Implementation::CallbackState(_)
            | Implementation::Shortcut(..)
            | Implementation::Step(_)
            | Implementation::Fork(_)
            | Implementation::Action(_)
            | Implementation::Lisp => Err(Diagnostic::new(
                Code::InvariantViolated,
                format!(
                    "`{}` was called in the wrong place; this is a bug of the language",
                    id.name()
                ),
            )),
        }
    }

    /// Calls a function that calls nothing itself; returns none if the machine must call it.
    #[inline]
    pub(super) fn call_pure(&mut self, function: &Value, args: &mut [Value]) -> Res<Option<Value>> {
        match function {
            Value::Builtin(id) => {
                let builtin = id.builtin();
                if !builtin.is_pure || !builtin.takes(args.len()) {
                    return Ok(None);
                }
                if builtin.facts.is_brief()
                    && let [first] | [first, _] = &*args
                    && let Some(value) = self.call_brief(*id, first, args.get(1))
                {
                    return Ok(Some(value));
                }
                if self.is_lazy_aware() && self.overridden(*id, args)?.is_some() {
                    return Ok(None);
                }
                self.call_growing(*id, args).map(Some)
            }
            Value::Keyword(_) | Value::Map(_) | Value::Set(_) => {
                self.pay_for_lookup(function, args)?;
                if let (Value::Keyword(_), [map]) = (function, &*args) {
                    return Ok(Some(self.fields.lookup(map, function)));
                }
                ptc_facts::access::call_data(function, args).transpose()
            }
            _ => Ok(None),
        }
    }

    /// Pays for long arguments. A builtin that reads a position of a text pays for the lookup once,
    /// and itself pays for the characters it reads.
    #[cold]
    fn charge_arguments_of(&mut self, id: BuiltinId, args: &mut [Value]) -> Res<()> {
        self.build_arguments(id, args)?;
        match &*args {
            _ if id.builtin().facts.moves == Moves::Kind => Ok(()),
            [Value::Str(text), rest @ ..] if id.builtin().facts.charges_lookup => {
                self.charge_lookup(text)?;
                self.charge_arguments(rest)
            }
            _ => self.charge_arguments(args),
        }
    }
}

/// Makes the row of a function of its arguments alone.
pub const fn pure(
    name: &'static str,
    usage: &'static str,
    doc: &'static str,
    example: &'static str,
    facts: Facts,
    function: fn(&mut Cx, &mut [Value]) -> Res,
) -> Row {
    row(name, usage, doc, example, facts, Implementation::Pure(function))
}

/// Makes the row of a function that calls others.
pub const fn callback(
    name: &'static str,
    usage: &'static str,
    doc: &'static str,
    example: &'static str,
    calls: &'static [Callback],
    facts: Facts,
    function: fn(&mut Cx, Vec<Value>) -> Res<CallbackState>,
) -> Row {
    row(name, usage, doc, example, facts.calls(calls), Implementation::CallbackState(function))
}

/// Makes the row of a function that its step defines, which calls another one.
pub const fn step(
    name: &'static str,
    usage: &'static str,
    doc: &'static str,
    example: &'static str,
    facts: Facts,
    step: &'static ItemStep,
) -> Row {
    let calls = if let Call::Indexed = step.call { INDEXED } else { EACH };
    row(name, usage, doc, example, facts.calls(calls), Implementation::Step(step)).step(step)
}

/// Makes the row of a function that calls others in branches.
pub const fn fork(
    name: &'static str,
    usage: &'static str,
    doc: &'static str,
    example: &'static str,
    calls: &'static [Callback],
    facts: Facts,
    function: fn(&mut Cx, Vec<Value>) -> Res<Fork>,
) -> Row {
    row(name, usage, doc, example, facts.calls(calls), Implementation::Fork(function))
}

/// Makes the row of a function of one argument that starts an action of the machine.
pub const fn act(
    name: &'static str,
    usage: &'static str,
    doc: &'static str,
    example: &'static str,
    facts: Facts,
    act: MachineAction,
) -> Row {
    row(name, usage, doc, example, facts, Implementation::Action(act))
}

/// Makes the row of a function written in the language.
pub const fn lisp(
    name: &'static str,
    usage: &'static str,
    doc: &'static str,
    example: &'static str,
    facts: Facts,
) -> Row {
    row(name, usage, doc, example, facts, Implementation::Lisp)
}

const fn row(
    name: &'static str,
    usage: &'static str,
    doc: &'static str,
    example: &'static str,
    facts: Facts,
    imp: Implementation,
) -> Row {
    let is_pure = matches!(imp, Implementation::Pure(_));
    Row { builtin: Builtin::new(name, usage, doc, example, is_pure, facts), imp, step: None }
}

/// Makes the row of a constant. Java allows parentheses around a static field, so a constant can be
/// called without arguments.
#[macro_export]
macro_rules! constant {
    ($name:literal, $doc:literal, $example:literal, $value:expr) => {
        $crate::constant_row($name, $doc, $example, || $value, |_, _| Ok($value))
    };
}
pub const fn constant_row(
    name: &'static str,
    doc: &'static str,
    example: &'static str,
    value: fn() -> Value,
    function: fn(&mut Cx, &mut [Value]) -> Res,
) -> Row {
    let row = pure(name, "", doc, example, as_value(ANY), function);
    Row { builtin: Builtin { constant: Some(value), ..row.builtin }, imp: row.imp, step: None }
}
