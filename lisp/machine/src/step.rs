//! Steps: what a sequence function does with one item.
//!
//! The row of such a function has one [`ItemStep`], and three drivers use it. [`Each`](super::Each)
//! makes the eager form, [`LazyRealizer`](super::LazyRealizer) the lazy form, and
//! [`Stages`](super::Stages) the transducer.

#![expect(clippy::inline_always, reason = "what the drivers do for every item")]

use std::sync::OnceLock;

use super::cx::Cx;
use ptc_facts::registry::facts::{Passes, StepFacts};
use ptc_facts::registry::{Registered, find};
use ptc_values::{Ext, Res, StageKind, StageState, Value};

/// The number of items of a lazy sequence that a step computes at once. The others are computed on demand, since they may
/// have no end.
pub(super) const COMPUTED: usize = 1_000;

/// The use of an item by a sequence function, and of the result of its own function for it.
#[derive(Debug)]
pub struct ItemStep {
    pub call: Call,
    pub collect: Collect,
    /// Checks the argument before the first item, and returns the count of the state.
    pub start: fn(&mut Cx, &Value) -> Res<u64>,
    /// Whether it may end before the last item.
    pub ends: bool,
    /// Whether it keeps items in its state.
    pub keeps: bool,
    /// The items that it passes on.
    pub passes: Passes,
}

/// The call that precedes the decision about an item.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Call {
    /// None; there is no result.
    Nothing,
    /// None; the result is the item, without lazy sequences inside.
    Key,
    /// The function, with the item.
    Item,
    /// The function, with the position and the item.
    Indexed,
}

/// The use of an item and the result for it.
#[derive(Debug, Clone, Copy)]
pub enum Collect {
    /// Pass on the result.
    Results,
    /// Pass on the items of the result.
    Items,
    /// Pass on the result unless it is nil.
    NotNil,
    /// Pass on the result unless it is `ptc/none`.
    Given,
    /// Pass on the item if the result is true.
    Kept,
    /// Pass on the item if the result is false.
    Dropped,
    /// Pass on items until a result is false.
    While,
    /// Pass on the items from the first whose result is false.
    From,
    /// Decide by a rule, which also sees the state and the argument of the step.
    By(Rule),
    /// Keep the result, and the item beside it; only [`Each`](super::Each) can.
    Both,
    /// Pass on items until a result is false, and keep the remaining ones separately.
    Split,
    /// Pass on the first true result, and end.
    First,
    /// Pass on the item of the first true result, and end.
    Found,
    /// Pass on the first false result, and end.
    FirstFalse,
    /// Pass on nothing; end at a reduced result.
    Nothing,
}

/// The fate of an item and the result for it.
#[derive(Clone, Copy)]
pub(super) enum Choice {
    Result,
    Item,
    Nothing,
    /// The result, and then nothing more.
    Last,
    /// The item, and then nothing more.
    LastItem,
    /// This item and all items after it.
    Rest,
    /// Nothing more.
    End,
    Both,
    By(Rule),
}

/// Decides about an item: the state, the argument of the step, the item, and the result for it.
///
/// It changes `last` and `seen` of the state only with an item that passes, because a lazy sequence
/// starts again after an error.
pub(crate) type Rule = fn(&mut Cx, &mut StageState, &Value, Value, Value) -> Res<Pass>;

/// The values that a rule passes on for an item.
pub enum Pass {
    Nothing,
    One(Value),
    Two(Value, Value),
    /// The items of a value.
    Items(Value),
    /// A group of items; the next group starts with the item, if there is one.
    Group(Vec<Value>, Option<Value>),
    /// One value, and then nothing more.
    Last(Value),
    /// This item and all items after it.
    Rest(Value),
    /// Nothing more.
    End,
}

impl ItemStep {
    /// Makes a step that calls its function with each item.
    pub const fn calling(collect: Collect) -> ItemStep {
        ItemStep::new(Call::Item, collect, matches!(collect, Collect::While))
    }

    /// Makes a step that calls its function with the position of each item and the item.
    pub const fn indexed(collect: Collect) -> ItemStep {
        ItemStep::new(Call::Indexed, collect, false)
    }

    /// Makes a step that calls nothing.
    pub const fn plain(rule: Rule) -> ItemStep {
        ItemStep::new(Call::Nothing, Collect::By(rule), false)
    }

    /// Makes a step that compares items and calls nothing.
    pub const fn comparing(rule: Rule) -> ItemStep {
        ItemStep::new(Call::Key, Collect::By(rule), false).keeping()
    }

    const fn new(call: Call, collect: Collect, ends: bool) -> ItemStep {
        let passes = match (call, collect) {
            (Call::Item, Collect::Results) => Passes::Results,
            (Call::Item, Collect::NotNil) => Passes::NotNil,
            (_, Collect::Items) => Passes::Items,
            (_, Collect::Kept | Collect::Dropped | Collect::While | Collect::From) => Passes::Some,
            _ => Passes::Other,
        };
        ItemStep { call, collect, start: |_, _| Ok(0), ends, keeps: false, passes }
    }

    /// Returns what the layers below the machine know about it.
    pub(super) const fn facts(&self) -> StepFacts {
        StepFacts { calls_with_item: matches!(self.call, Call::Item), passes: self.passes }
    }

    pub const fn start(self, start: fn(&mut Cx, &Value) -> Res<u64>) -> ItemStep {
        ItemStep { start, ..self }
    }

    pub const fn ending(self) -> ItemStep {
        ItemStep { ends: true, ..self }
    }

    pub const fn keeping(self) -> ItemStep {
        ItemStep { keeps: true, ..self }
    }

    pub const fn passes(self, passes: Passes) -> ItemStep {
        ItemStep { passes, ..self }
    }
}

impl Choice {
    /// Returns what a driver passes on; only [`Each`](super::Each) keeps both.
    pub(super) fn pass(
        self,
        cx: &mut Cx,
        state: &mut StageState,
        arg: &Value,
        item: Value,
        result: Value,
    ) -> Res<Pass> {
        Ok(match self {
            Choice::Result | Choice::Both => Pass::One(result),
            Choice::Item => Pass::One(item),
            Choice::Nothing => Pass::Nothing,
            Choice::Last => Pass::Last(result),
            Choice::LastItem => Pass::Last(item),
            Choice::Rest => Pass::Rest(item),
            Choice::End => Pass::End,
            Choice::By(rule) => return rule(cx, state, arg, item, result),
        })
    }
}

impl Collect {
    /// Decides about an item by the result for it.
    #[inline(always)]
    pub(super) fn choose(self, result: &Value) -> Choice {
        match self {
            Collect::Results | Collect::Items => Choice::Result,
            Collect::NotNil if result.is_nil() => Choice::Nothing,
            Collect::Given if is_no_item(result) => Choice::Nothing,
            Collect::NotNil | Collect::Given => Choice::Result,
            Collect::Kept | Collect::While | Collect::Split if result.truthy() => Choice::Item,
            Collect::Dropped if !result.truthy() => Choice::Item,
            Collect::Kept | Collect::Dropped => Choice::Nothing,
            Collect::While => Choice::End,
            Collect::From if result.truthy() => Choice::Nothing,
            Collect::From | Collect::Split => Choice::Rest,
            Collect::First if result.truthy() => Choice::Last,
            Collect::Found if result.truthy() => Choice::LastItem,
            Collect::FirstFalse if !result.truthy() => Choice::Last,
            Collect::Nothing if is_reduced(result) => Choice::End,
            Collect::First | Collect::Found | Collect::FirstFalse | Collect::Nothing => {
                Choice::Nothing
            }
            Collect::Both => Choice::Both,
            Collect::By(rule) => Choice::By(rule),
        }
    }

    /// Returns whether it needs the item besides the result for it.
    pub(super) fn needs_item(self) -> bool {
        !matches!(
            self,
            Collect::Results
                | Collect::Items
                | Collect::NotNil
                | Collect::Given
                | Collect::First
                | Collect::FirstFalse
                | Collect::Nothing
        )
    }
}

/// Returns whether a value is `ptc/none`.
fn is_no_item(value: &Value) -> bool {
    matches!(value, Value::Builtin(id) if id.builtin().facts.is_no_item())
}

fn is_reduced(value: &Value) -> bool {
    matches!(value, Value::Ext(ext) if matches!(**ext, Ext::Reduced(_)))
}

/// The steps of sequence functions, by the ids of builtins.
static STEPS: OnceLock<Vec<Option<&'static ItemStep>>> = OnceLock::new();

/// Registers the steps of all sequence functions, by the ids of builtins; later calls change nothing.
pub fn register_steps(steps: impl FnOnce() -> Vec<Option<&'static ItemStep>>) {
    STEPS.get_or_init(steps);
}

/// The step of a kind of stage.
pub trait StageStep: Sized {
    /// Returns the step in the row of its function, if there is one.
    fn step(self) -> Option<&'static ItemStep>;

    /// Returns the kind whose function has this name.
    fn named(name: &str) -> Option<StageKind>;

    /// Returns whether it may stop early.
    fn ends(self) -> bool;
}

impl StageStep for StageKind {
    fn step(self) -> Option<&'static ItemStep> {
        match self {
            StageKind::Step(id) => STEPS.get()?.get(id.index()).copied().flatten(),
            _ => None,
        }
    }

    fn named(name: &str) -> Option<StageKind> {
        if let Some((kind, _)) = StageKind::OTHERS.iter().find(|(_, known)| *known == name) {
            return Some(*kind);
        }
        find(name).map(StageKind::Step).filter(|kind| kind.step().is_some())
    }

    fn ends(self) -> bool {
        self == StageKind::HaltWhen || self.step().is_some_and(|step| step.ends)
    }
}
