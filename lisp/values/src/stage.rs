//! Transducers, and the reducing functions they make of others.
//!
//! Both are functions of the language. A transducer describes the treatment of each item. Called
//! with a reducing function, it returns one that does so and leads to the first. The module
//! `stages` of [`ptc_machine`] implements them.

use std::sync::{Mutex, MutexGuard, PoisonError};

use super::{BuiltinId, Set, Value};

/// The treatment of items by a transducer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StageKind {
    /// The step in the row of this function.
    Step(BuiltinId),
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
    /// The kinds without a step, with the names of their functions.
    pub const OTHERS: [(StageKind, &str); 4] = [
        (StageKind::Cat, "cat"),
        (StageKind::HaltWhen, "halt-when"),
        (StageKind::Completing, "completing"),
        (StageKind::Collect, "sequence"),
    ];

    /// Returns the name of its function.
    pub fn name(self) -> &'static str {
        match self {
            StageKind::Step(id) => id.name(),
            other => StageKind::OTHERS
                .iter()
                .find(|(kind, _)| *kind == other)
                .map_or("", |(_, name)| name),
        }
    }
}

/// A transducer, or a reducing function made by one.
pub struct Stage {
    pub kind: StageKind,
    /// Its function, number or separator.
    pub arg: Value,
    /// The second function of `halt-when`.
    pub more: Value,
    /// The next reducing function; none for a transducer.
    pub next: Option<Value>,
    /// The number of linked steps from here on.
    pub length: u32,
    state: Mutex<StageState>,
    depth: u32,
}

/// The state of a reducing function between items.
#[derive(Default)]
pub struct StageState {
    /// Items that were seen, or that are still allowed.
    pub count: u64,
    /// Whether it has passed its first item.
    pub begun: bool,
    /// The last item or key.
    pub last: Value,
    /// The incomplete group.
    pub group: Vec<Value>,
    /// Items seen before.
    pub seen: Set,
}

impl StageState {
    /// Returns the position of the next item.
    pub fn next_index(&mut self) -> i64 {
        self.count += 1;
        self.count as i64 - 1
    }

    pub fn each_value(&self, visit: &mut impl FnMut(&Value)) {
        visit(&self.last);
        self.group.iter().chain(self.seen.iter()).for_each(visit);
    }
}

impl Stage {
    pub fn transducer(kind: StageKind, arg: Value, more: Value) -> Stage {
        Stage::new(kind, (arg, more), None, 0)
    }

    /// Makes the reducing function of a step in front of another; `count` is its initial count.
    pub fn reducing(kind: StageKind, args: (Value, Value), next: Value, count: u64) -> Stage {
        Stage::new(kind, args, Some(next), count)
    }

    pub fn remembering(self, state: StageState) -> Stage {
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

    pub fn state(&self) -> MutexGuard<'_, StageState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn depth(&self) -> u32 {
        self.depth
    }

    pub fn each_value(&self, visit: &mut impl FnMut(&Value)) {
        [&self.arg, &self.more].into_iter().chain(&self.next).for_each(&mut *visit);
        self.state().each_value(visit);
    }

    /// Removes the state. It may hold the step itself, so only this frees it.
    pub fn forget(&self) -> StageState {
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
