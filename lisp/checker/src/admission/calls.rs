//! Bounds of calls by tool.

use ptc_facts::times::{Collection, Times};

/// The bound of calls of each tool, by its index in the program's list of tools.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Calls(Vec<(u32, Times)>);

impl Calls {
    pub(super) fn one(tool: u32) -> Calls {
        Calls(vec![(tool, Times::exactly(1))])
    }

    pub(super) fn of(calls: Vec<(u32, Times)>) -> Calls {
        Calls(calls)
    }

    pub(super) fn is_none(&self) -> bool {
        self.0.is_empty()
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = &(u32, Times)> {
        self.0.iter()
    }

    /// Adds other calls.
    pub(super) fn plus(self, other: &Calls) -> Calls {
        self.with(other, Times::plus)
    }

    /// Joins with the calls of an alternative.
    pub(super) fn or(self, other: &Calls) -> Calls {
        self.with(other, Times::or)
    }

    fn with(mut self, other: &Calls, combine: impl Fn(Times, &Times) -> Times) -> Calls {
        for (tool, times) in &other.0 {
            match self.0.iter_mut().find(|(known, _)| known == tool) {
                Some((_, own)) => *own = combine(std::mem::take(own), times),
                None => self.0.push((*tool, times.clone())),
            }
        }
        self
    }

    /// Removes all bounds.
    pub(super) fn unbounded(self) -> Calls {
        Calls(self.0.into_iter().map(|(tool, _)| (tool, Times::UNBOUNDED)).collect())
    }

    pub(super) fn for_each(self, of: &Collection) -> Calls {
        self.map(|times| times.for_each(of))
    }

    pub(super) fn times(self, count: u64) -> Calls {
        self.map(|times| times.times(count))
    }

    fn map(self, change: impl Fn(Times) -> Times) -> Calls {
        Calls(self.0.into_iter().map(|(tool, times)| (tool, change(times))).collect())
    }
}
