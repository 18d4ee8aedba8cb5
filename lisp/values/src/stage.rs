//! Transducers, and the reducing functions they make of others.
//!
//! Both are functions of the language. A transducer describes the treatment of each item. Called
//! with a reducing function, it returns one that does so and leads to the first. The module
//! `stages` of [`ptc_machine`] implements them.

use std::sync::{Mutex, MutexGuard, PoisonError};

use super::builtin_id::BuiltinId;
use super::item::Holder;
use super::shape::Key;
use super::table::Set;

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
pub struct Stage<T: Key> {
    pub kind: StageKind,
    /// Its function, number or separator.
    pub arg: T,
    /// The second function of `halt-when`.
    pub more: T,
    /// The next reducing function; none for a transducer.
    pub next: Option<T>,
    /// The number of linked steps from here on.
    pub length: u32,
    state: Mutex<StageState<T>>,
    depth: u32,
}

/// The state of a reducing function between items.
#[derive(Default)]
pub struct StageState<T: Key> {
    /// Items that were seen, or that are still allowed.
    pub count: u64,
    /// Whether it has passed its first item.
    pub begun: bool,
    /// The last item or key.
    pub last: T,
    /// The incomplete group.
    pub group: Vec<T>,
    /// Items seen before.
    pub seen: Set<T>,
}

impl<T: Key> StageState<T> {
    /// Returns the position of the next item.
    pub fn next_index(&mut self) -> i64 {
        self.count += 1;
        self.count as i64 - 1
    }

    pub fn each_value(&self, visit: &mut impl FnMut(&T)) {
        visit(&self.last);
        self.group.iter().chain(self.seen.iter()).for_each(visit);
    }
}

impl<T: Key> Stage<T> {
    /// Makes a step in front of a reducing function, in which `following` steps are linked; `count` is its initial count.
    pub(crate) fn before(
        kind: StageKind,
        (arg, more): (T, T),
        next: Option<T>,
        following: u32,
        count: u64,
    ) -> Stage<T> {
        let deepest = next.as_ref().map_or(0, T::depth);
        let depth = arg.depth().max(more.depth()).max(deepest) + 1;
        let state = Mutex::new(StageState { count, ..StageState::default() });
        Stage { kind, arg, more, next, length: following + 1, state, depth }
    }

    pub fn remembering(self, state: StageState<T>) -> Stage<T> {
        *self.state() = state;
        self
    }

    pub fn state(&self) -> MutexGuard<'_, StageState<T>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn depth(&self) -> u32 {
        self.depth
    }

    pub fn each_value(&self, visit: &mut impl FnMut(&T)) {
        [&self.arg, &self.more].into_iter().chain(&self.next).for_each(&mut *visit);
        self.state().each_value(visit);
    }

    /// Removes the state. It may hold the step itself, so only this frees it.
    pub fn forget(&self) -> StageState<T> {
        std::mem::take(&mut *self.state())
    }
}

impl<T: Key> Holder<T> for Stage<T> {
    fn drain_into(&mut self, work: &mut Vec<T>) {
        let StageState { last, group, mut seen, .. } = self.forget();
        work.extend([std::mem::take(&mut self.arg), std::mem::take(&mut self.more), last]);
        work.extend(self.next.take());
        work.extend(group);
        seen.drain_into(work);
    }
}

impl<T: Key> std::fmt::Debug for Stage<T> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "#function[{}]", self.kind.name())
    }
}
