//! Tasks that wait until another one has computed a delay or a cell of a lazy sequence.

use std::collections::{BTreeMap, VecDeque};
use std::sync::Arc;

use super::callback::CallbackState;
use crate::value::Ext;

/// The tasks that wait, and those of them that may go on.
///
/// A task goes on only when its own delay or cell is there or given up, so that waiting costs no
/// fuel, however often other ones are computed meanwhile.
#[derive(Default)]
pub(super) struct WaitingTasks {
    /// How many tasks have waited.
    count: u64,
    /// The task and what it waits for, in the order in which they began to wait.
    tasks: BTreeMap<u64, (u64, usize)>,
    /// The keys of `tasks` by what they wait for.
    waiting: BTreeMap<usize, VecDeque<u64>>,
    /// Tasks that may go on.
    waking: VecDeque<u64>,
}

impl WaitingTasks {
    /// A task waits for what another one computes.
    pub(super) fn hold(&mut self, task: u64, of: usize) {
        self.count += 1;
        self.tasks.insert(self.count, (task, of));
        self.waiting.entry(of).or_default().push_back(self.count);
    }

    /// A delay or a cell was computed, or is computed no more.
    pub(super) fn wake(&mut self, of: usize) {
        for number in self.waiting.remove(&of).unwrap_or_default() {
            self.waking.extend(self.tasks.remove(&number).map(|(task, _)| task));
        }
    }

    /// Builtins are given up, and with them what they compute.
    pub(super) fn give_up<'h>(&mut self, hofs: impl IntoIterator<Item = &'h CallbackState>) {
        if !self.tasks.is_empty() {
            hofs.into_iter().for_each(|hof| hof.computes(&mut |of| self.wake(of)));
        }
    }

    /// The next task that may go on.
    pub(super) fn next(&mut self) -> Option<u64> {
        self.waking.pop_front()
    }

    /// The task that has waited longest, when nobody is left to compute what it waits for.
    pub(super) fn stuck(&mut self) -> Option<u64> {
        let (_, (task, of)) = self.tasks.pop_first()?;
        self.waiting.get_mut(&of).and_then(VecDeque::pop_front);
        Some(task)
    }
}

/// What a delay or a cell is known by while somebody holds it.
pub(super) fn key(cell: &Arc<Ext>) -> usize {
    Arc::as_ptr(cell).addr()
}
