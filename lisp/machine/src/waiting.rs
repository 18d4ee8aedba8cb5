//! Tasks that wait for another task to compute a delay or a cell of a lazy sequence.

use std::collections::{BTreeMap, VecDeque};
use std::sync::Arc;

use ptc_values::Ext;

/// The waiting tasks, and those of them that may continue.
///
/// A task continues only when its own delay or cell is computed or given up. So waiting costs no
/// fuel, however often others are computed meanwhile.
#[derive(Default)]
pub(super) struct WaitingTasks {
    /// The number of waits so far.
    count: u64,
    /// The task and the key it waits for, in the order of the waits.
    tasks: BTreeMap<u64, (u64, usize)>,
    /// The keys of `tasks` by the keys they wait for.
    waiting: BTreeMap<usize, VecDeque<u64>>,
    waking: VecDeque<u64>,
}

impl WaitingTasks {
    /// Makes a task wait for a value that another task computes.
    pub(super) fn hold(&mut self, task: u64, of: usize) {
        self.count += 1;
        self.tasks.insert(self.count, (task, of));
        self.waiting.entry(of).or_default().push_back(self.count);
    }

    /// Wakes the tasks that wait for a delay or a cell that is computed or given up.
    pub(super) fn wake(&mut self, of: usize) {
        for number in self.waiting.remove(&of).unwrap_or_default() {
            self.waking.extend(self.tasks.remove(&number).map(|(task, _)| task));
        }
    }

    /// Returns whether a task waits.
    pub(super) fn any(&self) -> bool {
        !self.tasks.is_empty()
    }

    /// Returns the next task that may continue.
    pub(super) fn next(&mut self) -> Option<u64> {
        self.waking.pop_front()
    }

    /// Removes the task that has waited longest, when no task is left to compute its value.
    pub(super) fn stuck(&mut self) -> Option<u64> {
        let (_, (task, of)) = self.tasks.pop_first()?;
        self.waiting.get_mut(&of).and_then(VecDeque::pop_front);
        Some(task)
    }
}

/// Returns the key of a delay or a cell, valid while it is alive.
pub(super) fn key(cell: &Arc<Ext>) -> usize {
    Arc::as_ptr(cell).addr()
}
