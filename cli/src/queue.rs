//! A queue for a thread that writes to a slow reader, so that no other thread waits for the reader.

use std::collections::VecDeque;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// How long a writer may make no progress before nobody waits for it any longer.
pub(crate) const PATIENCE: Duration = Duration::from_secs(2);

/// Items on their way to one thread, bounded in bytes.
pub(crate) struct Queue<T> {
    state: Mutex<State<T>>,
    changed: Condvar,
    max_bytes: usize,
}

struct State<T> {
    items: VecDeque<(T, usize)>,
    /// The bytes of all items, with those of the item that is being written.
    bytes: usize,
    /// The bytes of the item that is being written.
    writing: Option<usize>,
    /// How often the thread has got on.
    steps: u64,
    /// The step that somebody has waited at for too long.
    stuck_at: Option<u64>,
}

impl<T> Queue<T> {
    /// Makes an empty queue.
    pub(crate) fn new(max_bytes: usize) -> Queue<T> {
        let state =
            State { items: VecDeque::new(), bytes: 0, writing: None, steps: 0, stuck_at: None };
        Queue { state: Mutex::new(state), changed: Condvar::new(), max_bytes }
    }

    /// Adds an item and returns at once; gives it back if the queue is full.
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

    /// Takes the next item, for the thread; the one before it is written. Returns nothing if none comes in time.
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

    /// Says, from the thread, that a part of an item is written.
    pub(crate) fn step(&self) {
        self.lock().steps += 1;
        self.changed.notify_all();
    }

    /// Waits until everything is written, but no longer than [`PATIENCE`] without progress; says whether it is.
    pub(crate) fn drained(&self) -> bool {
        let mut state = self.lock();
        loop {
            let is_due = |it: &State<T>| it.writing.is_some() || !it.items.is_empty();
            if !is_due(&state) {
                return true;
            }
            let before = state.steps;
            // One wait is enough: the writer is as stuck for the next one.
            if state.stuck_at == Some(before) {
                return false;
            }
            let waits = |it: &mut State<T>| is_due(it) && it.steps == before;
            let waited = self.changed.wait_timeout_while(state, PATIENCE, waits);
            let (now, timeout) = waited.unwrap_or_else(PoisonError::into_inner);
            state = now;
            if timeout.timed_out() {
                state.stuck_at = Some(before);
            }
        }
    }

    fn lock(&self) -> MutexGuard<'_, State<T>> {
        // Nothing in here panics half way.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_full_queue_gives_items_back() {
        let queue = Queue::new(10);
        assert_eq!(queue.push('a', 8), Ok(()));
        assert_eq!(queue.push('b', 3), Err('b'));
        assert_eq!(queue.push('c', 2), Ok(()));
        assert_eq!(queue.next(None), Some('a'));
        // What is being written counts.
        assert_eq!(queue.push('b', 3), Err('b'));
        assert_eq!(queue.next(None), Some('c'));
        assert_eq!(queue.push('b', 3), Ok(()));
        assert_eq!(queue.next(None), Some('b'));
        assert_eq!(queue.next(Some(Duration::ZERO)), None);
        assert!(queue.drained());
        // One item is never too many.
        assert_eq!(queue.push('d', 100), Ok(()));
    }

    #[test]
    fn nobody_waits_for_a_writer_for_ever() {
        let queue = Queue::new(10);
        assert_eq!(queue.push('a', 1), Ok(()));
        assert_eq!(queue.next(None), Some('a'));
        assert!(!queue.drained());
        // Once it gets on, it is waited for again.
        assert_eq!(queue.next(Some(Duration::ZERO)), None);
        assert!(queue.drained());
    }
}
