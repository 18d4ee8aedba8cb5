//! Keepers: a log that is also kept outside its store.

use crate::error::Error;
use crate::provider::BoxFuture;

/// Keeps the log of a store outside of it, such as in the journal of another system.
///
/// The store calls it when its own copy is complete. A run waits for it before each step outside, so no call is made that
/// the keeper does not have as started.
pub trait Keeper: Send + Sync {
    /// Waits until everything is kept that the store has when this is called.
    fn kept(&self) -> BoxFuture<'_, Result<(), Error>>;
}
