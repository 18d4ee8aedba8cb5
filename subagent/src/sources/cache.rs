//! Caches of what sources read: for a tree of runs, or for all runs of an agent in the process.

use std::collections::HashMap;
use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use tokio::time::Instant;

use crate::data::Data;

/// The data that a source read.
#[derive(Clone, Debug)]
pub(crate) struct Read {
    pub(crate) value: Data,
    /// The size, in bytes.
    pub(crate) bytes: u64,
}

/// The most entries of a cache. Arguments tell entries apart, so each customer of a service may have one.
const MOST: usize = 100;

/// The data that sources read, by source and arguments. Clones share the entries.
#[derive(Clone, Default)]
pub(crate) struct Kept(Arc<Mutex<HashMap<String, Slot>>>);

/// An entry. The holder of its lock reads the source, and the others wait.
type Slot = Arc<tokio::sync::Mutex<Option<(Read, Instant)>>>;

impl Kept {
    /// Returns what was read for a key, or reads it now. Also returns whether it was there. An entry that is older than
    /// `lasts` is read again.
    pub(crate) async fn get_or_read<E>(
        &self,
        key: String,
        lasts: Option<Duration>,
        read: impl Future<Output = Result<Read, E>>,
    ) -> Result<(Read, bool), E> {
        let slot = self.slot(key);
        let mut entry = slot.lock().await;
        if let Some((read, at)) = &*entry
            && lasts.is_none_or(|lasts| at.elapsed() < lasts)
        {
            return Ok((read.clone(), true));
        }
        let read = read.await?;
        *entry = Some((read.clone(), Instant::now()));
        Ok((read, false))
    }

    /// Returns a text that tells this cache from all others that are alive.
    pub(crate) fn id(&self) -> String {
        format!("{:p}", Arc::as_ptr(&self.0))
    }

    fn slot(&self, key: String) -> Slot {
        let mut slots = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if slots.len() >= MOST && !slots.contains_key(&key) {
            // A source that is being read stays.
            let times = slots.iter().filter_map(|(key, slot)| {
                Some((slot.try_lock().ok()?.as_ref().map(|it| it.1), key))
            });
            let oldest = times.min().map(|(_, key)| key.clone());
            oldest.and_then(|key| slots.remove(&key));
        }
        Arc::clone(slots.entry(key).or_default())
    }
}

impl fmt::Debug for Kept {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Kept").finish_non_exhaustive()
    }
}
