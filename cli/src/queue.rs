//! A queue for a thread that writes to a slow reader, so that no other thread waits for the reader.

use std::collections::VecDeque;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// The longest time without progress for which others wait for a writer.
pub(crate) const PATIENCE: Duration = Duration::from_secs(2);

/// A queue of items for one writer thread, bounded in bytes.
pub(crate) struct Queue<T> {
    state: Mutex<State<T>>,
    changed: Condvar,
    max_bytes: usize,
}

struct State<T> {
    items: VecDeque<(T, usize)>,
    /// The size of all items in bytes, with that of the item being written.
    bytes: usize,
    /// The size of the item being written, in bytes.
    writing: Option<usize>,
    /// The number of times that the writer thread has made progress.
    steps: u64,
    /// The value of `steps` at which a wait has timed out.
    stuck_at: Option<u64>,
}

impl<T> Queue<T> {
    /// Makes an empty queue.
    pub(crate) fn new(max_bytes: usize) -> Queue<T> {
        let state =
            State { items: VecDeque::new(), bytes: 0, writing: None, steps: 0, stuck_at: None };
        Queue { state: Mutex::new(state), changed: Condvar::new(), max_bytes }
    }

    /// Adds an item and returns at once. Returns the item if the queue is full; an empty queue takes any size.
    pub(crate) fn push(&self, item: T, bytes: usize) -> Result<(), T> {
        let mut state = self.lock();
        if state.bytes > 0 && state.bytes + bytes > self.max_bytes {
            return Err(item);
        }
        state.bytes += bytes;
        state.items.push_back((item, bytes));
        drop(state);
        self.changed.notify_all();
        Ok(())
    }

    /// Takes the next item, in the writer thread; the item before it counts as written. Returns `None` if no item
    /// arrives within `timeout`.
    pub(crate) fn next(&self, timeout: Option<Duration>) -> Option<T> {
        let mut state = self.lock();
        if let Some(bytes) = state.writing.take() {
            state.bytes -= bytes;
            state.steps += 1;
            self.changed.notify_all();
        }
        let is_empty = |it: &mut State<T>| it.items.is_empty();
        state = match timeout {
            Some(timeout) => {
                let waited = self.changed.wait_timeout_while(state, timeout, is_empty);
                waited.unwrap_or_else(PoisonError::into_inner).0
            }
            None => {
                let waited = self.changed.wait_while(state, is_empty);
                waited.unwrap_or_else(PoisonError::into_inner)
            }
        };
        let (item, bytes) = state.items.pop_front()?;
        state.writing = Some(bytes);
        Some(item)
    }

    /// Records, in the writer thread, that a part of an item is written.
    pub(crate) fn record_progress(&self) {
        self.lock().steps += 1;
        self.changed.notify_all();
    }

    /// Waits until everything is written, for at most [`PATIENCE`] without progress. Returns whether it is.
    pub(crate) fn wait_until_drained(&self) -> bool {
        let mut state = self.lock();
        loop {
            let is_pending = |it: &State<T>| it.writing.is_some() || !it.items.is_empty();
            if !is_pending(&state) {
                return true;
            }
            let before = state.steps;
            // An earlier wait has timed out at this step, and the writer is still stuck.
            if state.stuck_at == Some(before) {
                return false;
            }
            let waits = |it: &mut State<T>| is_pending(it) && it.steps == before;
            let waited = self.changed.wait_timeout_while(state, PATIENCE, waits);
            let (now, timeout) = waited.unwrap_or_else(PoisonError::into_inner);
            state = now;
            if timeout.timed_out() {
                state.stuck_at = Some(before);
            }
        }
    }

    fn lock(&self) -> MutexGuard<'_, State<T>> {
        // No code panics while it holds the lock, so the state is consistent.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_full_queue_returns_items() {
        let queue = Queue::new(10);
        assert_eq!(queue.push('a', 8), Ok(()));
        assert_eq!(queue.push('b', 3), Err('b'));
        assert_eq!(queue.push('c', 2), Ok(()));
        assert_eq!(queue.next(None), Some('a'));
        // The item being written counts.
        assert_eq!(queue.push('b', 3), Err('b'));
        assert_eq!(queue.next(None), Some('c'));
        assert_eq!(queue.push('b', 3), Ok(()));
        assert_eq!(queue.next(None), Some('b'));
        assert_eq!(queue.next(Some(Duration::ZERO)), None);
        assert!(queue.wait_until_drained());
        // An empty queue takes an item of any size.
        assert_eq!(queue.push('d', 100), Ok(()));
    }

    #[test]
    fn a_wait_for_a_stuck_writer_ends() {
        let queue = Queue::new(10);
        assert_eq!(queue.push('a', 1), Ok(()));
        assert_eq!(queue.next(None), Some('a'));
        assert!(!queue.wait_until_drained());
        // After progress, others wait for the writer again.
        assert_eq!(queue.next(Some(Duration::ZERO)), None);
        assert!(queue.wait_until_drained());
    }
}
