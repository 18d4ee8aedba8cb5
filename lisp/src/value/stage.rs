//! Transducers, and the reducing functions that they make of others.
//!
//! Both are functions of the language. A transducer says what to do with each item; called with a
//! reducing function, it gives a reducing function that does so and leads to the first. What
//! each [`StageKind`] does with an item stands in [`crate::machine`], `steps.rs`.

use std::sync::{Mutex, MutexGuard, PoisonError};

use super::{Ext, Set, Value};

/// What a transducer does with items.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum StageKind {
    /// f of the item.
    Map,
    /// f of the position and the item.
    MapIndexed,
    /// The items of f of the item: `map`, then `cat`.
    Mapcat,
    /// The item if it passes.
    Filter,
    /// The item if it does not pass.
    Remove,
    /// f of the item unless that is nil.
    Keep,
    /// The same with the position.
    KeepIndexed,
    /// The first so many items.
    Take,
    /// Items up to the first that does not pass.
    TakeWhile,
    /// Every nth item.
    TakeNth,
    /// Items after so many.
    Drop,
    /// Items from the first that does not pass.
    DropWhile,
    /// Items that were not there before.
    Distinct,
    /// Items that differ from the one before.
    Dedupe,
    /// Items with a separator between them.
    Interpose,
    /// Items, those that are keys replaced.
    Replace,
    /// Groups of so many items.
    PartitionAll,
    /// Groups, a new one wherever f of the item changes.
    PartitionBy,
    /// The items of the item.
    Cat,
    /// Everything up to an item that passes, which is then the result.
    HaltWhen,
    /// The item; at the end f of the result.
    Completing,
    /// The end of a chain that keeps the items.
    Collect,
}

impl StageKind {
    const ALL: [StageKind; 22] = [
        StageKind::Map,
        StageKind::MapIndexed,
        StageKind::Mapcat,
        StageKind::Filter,
        StageKind::Remove,
        StageKind::Keep,
        StageKind::KeepIndexed,
        StageKind::Take,
        StageKind::TakeWhile,
        StageKind::TakeNth,
        StageKind::Drop,
        StageKind::DropWhile,
        StageKind::Distinct,
        StageKind::Dedupe,
        StageKind::Interpose,
        StageKind::Replace,
        StageKind::PartitionAll,
        StageKind::PartitionBy,
        StageKind::Cat,
        StageKind::HaltWhen,
        StageKind::Completing,
        StageKind::Collect,
    ];

    /// The one whose function has this name.
    pub(crate) fn named(name: &str) -> Option<StageKind> {
        StageKind::ALL.into_iter().find(|kind| kind.name() == name)
    }

    /// Whether it may want no more items.
    pub(crate) fn ends(self) -> bool {
        matches!(self, StageKind::Take | StageKind::TakeWhile | StageKind::HaltWhen)
    }

    /// Whether it calls its function with each item alone.
    pub(crate) fn calls_with_item(self) -> bool {
        matches!(
            self,
            StageKind::Map
                | StageKind::Mapcat
                | StageKind::Filter
                | StageKind::Remove
                | StageKind::Keep
                | StageKind::TakeWhile
                | StageKind::DropWhile
                | StageKind::PartitionBy
        )
    }

    /// The function whose transducer it is.
    pub(crate) fn name(self) -> &'static str {
        match self {
            StageKind::Map => "map",
            StageKind::MapIndexed => "map-indexed",
            StageKind::Mapcat => "mapcat",
            StageKind::Filter => "filter",
            StageKind::Remove => "remove",
            StageKind::Keep => "keep",
            StageKind::KeepIndexed => "keep-indexed",
            StageKind::Take => "take",
            StageKind::TakeWhile => "take-while",
            StageKind::TakeNth => "take-nth",
            StageKind::Drop => "drop",
            StageKind::DropWhile => "drop-while",
            StageKind::Distinct => "distinct",
            StageKind::Dedupe => "dedupe",
            StageKind::Interpose => "interpose",
            StageKind::Replace => "replace",
            StageKind::PartitionAll => "partition-all",
            StageKind::PartitionBy => "partition-by",
            StageKind::Cat => "cat",
            StageKind::HaltWhen => "halt-when",
            StageKind::Completing => "completing",
            StageKind::Collect => "sequence",
        }
    }
}

/// A transducer, or a reducing function made by one.
pub struct Stage {
    pub(crate) kind: StageKind,
    /// Its function, number or separator.
    pub(crate) arg: Value,
    /// The second function of `halt-when`.
    pub(crate) more: Value,
    /// The reducing function that it leads to; none of a transducer.
    pub(crate) next: Option<Value>,
    /// How many steps lead one to another from here.
    pub(crate) length: u32,
    state: Mutex<StageState>,
    depth: u32,
}

/// What a reducing function remembers between items.
#[derive(Default)]
pub(crate) struct StageState {
    /// Items that were seen, or that may still come.
    pub(crate) count: u64,
    /// Whether it is past its first item.
    pub(crate) begun: bool,
    /// The last item or key.
    pub(crate) last: Value,
    /// The group that is not full yet.
    pub(crate) group: Vec<Value>,
    /// Items that were there.
    pub(crate) seen: Set,
}

impl Stage {
    /// A transducer.
    pub(crate) fn transducer(kind: StageKind, arg: Value, more: Value) -> Stage {
        Stage::new(kind, (arg, more), None, 0)
    }

    /// The reducing function of a step that leads to another one; `count` is what it counts from.
    pub(crate) fn reducing(
        kind: StageKind,
        args: (Value, Value),
        next: Value,
        count: u64,
    ) -> Stage {
        Stage::new(kind, args, Some(next), count)
    }

    /// The same, with all that it remembers.
    pub(crate) fn remembering(self, state: StageState) -> Stage {
        *self.state() = state;
        self
    }

    fn new(kind: StageKind, (arg, more): (Value, Value), next: Option<Value>, count: u64) -> Stage {
        let deepest = next.as_ref().map_or(0, Value::depth);
        let depth = arg.depth().max(more.depth()).max(deepest) + 1;
        let length = next.as_ref().and_then(Stage::of).map_or(0, |next| next.length) + 1;
        let state = Mutex::new(StageState { count, ..StageState::default() });
        Stage { kind, arg, more, next, length, state, depth }
    }

    /// The transducer or reducing function that a value is.
    pub(crate) fn of(value: &Value) -> Option<&Stage> {
        match value {
            Value::Ext(ext) => match &**ext {
                Ext::Stage(step) => Some(step),
                _ => None,
            },
            _ => None,
        }
    }

    /// What it remembers.
    pub(crate) fn state(&self) -> MutexGuard<'_, StageState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn depth(&self) -> u32 {
        self.depth
    }

    /// Every value in it.
    pub(crate) fn each_value(&self, visit: &mut impl FnMut(&Value)) {
        let state = self.state();
        [&self.arg, &self.more, &state.last].into_iter().chain(&self.next).for_each(&mut *visit);
        state.group.iter().chain(state.seen.iter()).for_each(visit);
    }

    /// Lets go of what it remembers. It may remember itself, so this is also what frees it.
    pub(crate) fn forget(&self) -> StageState {
        std::mem::take(&mut *self.state())
    }

    /// Moves the values out, to be dropped without native recursion.
    pub(super) fn drain_into(&mut self, work: &mut Vec<Value>) {
        let StageState { last, group, seen, .. } = self.forget();
        work.extend([std::mem::take(&mut self.arg), std::mem::take(&mut self.more), last]);
        work.extend(self.next.take());
        work.extend(group);
        if !seen.is_empty() {
            work.push(Value::Set(std::sync::Arc::new(seen)));
        }
    }
}

impl std::fmt::Debug for Stage {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "#function[{}]", self.kind.name())
    }
}
