//! Calls in flight.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::task::Poll;
use std::thread;

use crate::provider::BoxFuture;

/// Futures that run concurrently, each with a key. The task that waits for the next result polls all of them; they are
/// as few as a program may have calls in flight.
pub(crate) struct InFlight<'a, K, T>(Vec<(K, BoxFuture<'a, T>)>);

impl<K, T> Default for InFlight<'_, K, T> {
    fn default() -> Self {
        InFlight(Vec::new())
    }
}

impl<'a, K, T> InFlight<'a, K, T> {
    /// Adds a future.
    pub(crate) fn push(&mut self, key: K, future: BoxFuture<'a, T>) {
        // Thousands of runs may wait at once, so spare capacity would add up.
        self.0.reserve_exact(1);
        self.0.push((key, future));
    }

    /// Drops the first future whose key matches, and returns the key.
    pub(crate) fn remove(&mut self, mut matches: impl FnMut(&K) -> bool) -> Option<K> {
        let at = self.0.iter().position(|(key, _)| matches(key))?;
        Some(self.0.remove(at).0)
    }

    /// Returns the keys.
    pub(crate) fn keys(&self) -> impl Iterator<Item = &K> {
        self.0.iter().map(|(key, _)| key)
    }

    /// Returns the number of futures.
    pub(crate) fn len(&self) -> usize {
        self.0.len()
    }

    /// Returns whether nothing is in flight.
    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Drops all futures.
    pub(crate) fn clear(&mut self) {
        self.0.clear();
    }

    /// Waits for the next future that is ready or panics, and waits forever if nothing is in flight. Dropping the
    /// returned future loses nothing.
    pub(crate) async fn next(&mut self) -> (K, thread::Result<T>) {
        std::future::poll_fn(|cx| {
            let ready = self.0.iter_mut().enumerate().find_map(|(index, (_, future))| {
                // A future that panicked is removed and never polled again.
                let polled = catch_unwind(AssertUnwindSafe(|| future.as_mut().poll(cx)));
                match polled {
                    Ok(Poll::Pending) => None,
                    Ok(Poll::Ready(result)) => Some((index, Ok(result))),
                    Err(panic) => Some((index, Err(panic))),
                }
            });
            let Some((index, result)) = ready else { return Poll::Pending };
            Poll::Ready((self.0.remove(index).0, result))
        })
        .await
    }
}
