//! Transducers, and the reducing functions they make of others.
//!
//! Both are functions of the language. A transducer describes the treatment of each item. Called
//! with a reducing function, it returns one that does so and leads to the first. The module
//! `stages` of [`crate::machine`] implements each [`StageKind`].

use std::sync::{Mutex, MutexGuard, PoisonError};

use super::{Set, Value};

/// The treatment of items by a transducer.
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
    /// f of the position and the item unless that is nil.
    KeepIndexed,
    /// The first n items.
    Take,
    /// Items up to the first that does not pass.
    TakeWhile,
    /// Every nth item.
    TakeNth,
    /// Items after the first n.
    Drop,
    /// Items from the first that does not pass.
    DropWhile,
    /// Items that did not occur before.
    Distinct,
    /// Items that differ from the one before.
    Dedupe,
    /// Items with a separator between them.
    Interpose,
    /// Items, with those that are keys replaced.
    Replace,
    /// Groups of n items.
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

    /// Returns the kind whose function has this name.
    pub(crate) fn named(name: &str) -> Option<StageKind> {
        StageKind::ALL.into_iter().find(|kind| kind.name() == name)
    }

    /// Returns whether it may stop early.
    pub(crate) fn ends(self) -> bool {
        matches!(self, StageKind::Take | StageKind::TakeWhile | StageKind::HaltWhen)
    }

    /// Returns whether it calls its function with each item alone.
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

    /// Returns the name of its function.
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
    /// The next reducing function; none for a transducer.
    pub(crate) next: Option<Value>,
    /// The number of linked steps from here on.
    pub(crate) length: u32,
    state: Mutex<StageState>,
    depth: u32,
}

/// The state of a reducing function between items.
#[derive(Default)]
pub(crate) struct StageState {
    /// Items that were seen, or that are still allowed.
    pub(crate) count: u64,
    /// Whether it has passed its first item.
    pub(crate) begun: bool,
    /// The last item or key.
    pub(crate) last: Value,
    /// The incomplete group.
    pub(crate) group: Vec<Value>,
    /// Items seen before.
    pub(crate) seen: Set,
}

impl Stage {
    pub(crate) fn transducer(kind: StageKind, arg: Value, more: Value) -> Stage {
        Stage::new(kind, (arg, more), None, 0)
    }

    /// Makes the reducing function of a step in front of another; `count` is its initial count.
    pub(crate) fn reducing(
        kind: StageKind,
        args: (Value, Value),
        next: Value,
        count: u64,
    ) -> Stage {
        Stage::new(kind, args, Some(next), count)
    }

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

    pub(crate) fn state(&self) -> MutexGuard<'_, StageState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn depth(&self) -> u32 {
        self.depth
    }

    pub(crate) fn each_value(&self, visit: &mut impl FnMut(&Value)) {
        let state = self.state();
        [&self.arg, &self.more, &state.last].into_iter().chain(&self.next).for_each(&mut *visit);
        state.group.iter().chain(state.seen.iter()).for_each(visit);
    }

    /// Removes the state. It may hold the step itself, so only this frees it.
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
