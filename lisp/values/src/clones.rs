//! Counts the clones of values on each thread, for benchmarks.

use std::cell::Cell;

thread_local! {
    static MADE: Cell<u64> = const { Cell::new(0) };
}

/// Returns the number of clones that this thread has made. A clone counts if it changes the count of a reference, so
/// those of `nil`, booleans, small numbers and builtins do not.
pub fn made() -> u64 {
    MADE.get()
}

/// Counts the clone of a value that counts references.
pub(crate) fn note() {
    MADE.set(MADE.get() + 1);
}
