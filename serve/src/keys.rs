//! Idempotency keys: the same caller starts one run under a key. The record keeps them, so a restart forgets none.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use hyper::StatusCode;
use ptc_subagent::RunId;
use ptc_subagent::store::QueuedRun;
use tokio::sync::OwnedMutexGuard;

use crate::problem::Problem;

/// How long a key is remembered, in milliseconds: a day.
pub(crate) const REMEMBERED: u64 = 24 * 60 * 60 * 1000;

/// The maximum length of a key in bytes.
const MAX_KEY: usize = 200;

/// The least number of keys at which those that are too old are forgotten.
const FORGET: usize = 1024;

/// The runs by callers and keys.
#[derive(Default)]
pub(crate) struct Keys(Mutex<Known>);

#[derive(Default)]
struct Known {
    runs: HashMap<(Option<String>, String), Arc<Slot>>,
    /// The number of keys after the last time that old ones were forgotten.
    kept: usize,
}

/// The run of one key; `None` before it is started. A request locks it while it starts the run, and those of other keys
/// do not wait.
type Slot = tokio::sync::Mutex<Option<Started>>;

struct Started {
    /// The hash of the request.
    hash: String,
    run: RunId,
    at: Instant,
}

/// A key of a request, which no other request can use meanwhile.
pub(crate) struct Held {
    slot: OwnedMutexGuard<Option<Started>>,
    pub(crate) key: String,
    pub(crate) hash: String,
}

/// The finding about a key.
pub(crate) enum Found {
    /// It is new.
    New(Held),
    /// The run that was started under it.
    Known(RunId),
}

impl Keys {
    /// Remembers the keys on record.
    pub(crate) fn remember(&self, all: Vec<QueuedRun>) {
        let mut known = self.lock();
        for QueuedRun { run, queued, .. } in all {
            if let (Some(key), Some(hash)) = (queued.key, queued.request) {
                let slot = Slot::new(Some(Started { hash, run, at: Instant::now() }));
                known.runs.insert((queued.by, key), Arc::new(slot));
            }
        }
    }

    /// Finds the run of a key.
    ///
    /// # Errors
    ///
    /// The problem of a key that another request has used, or that is too long.
    pub(crate) async fn find(
        &self,
        by: Option<String>,
        key: &str,
        hash: String,
    ) -> Result<Found, Problem> {
        if key.is_empty() || key.len() > MAX_KEY {
            let detail = format!("`Idempotency-Key` must have from 1 to {MAX_KEY} characters");
            return Err(Problem::malformed(detail));
        }
        let slot = self.lock().slot(by, key, Instant::now());
        let slot = slot.lock_owned().await;
        match &*slot {
            None => Ok(Found::New(Held { slot, key: key.to_string(), hash })),
            Some(before) if before.hash == hash => Ok(Found::Known(before.run.clone())),
            Some(_) => {
                let detail = "another request has used this `Idempotency-Key`";
                Err(Problem::new(StatusCode::UNPROCESSABLE_ENTITY, "key-reused", detail))
            }
        }
    }

    fn lock(&self) -> MutexGuard<'_, Known> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Known {
    /// Returns the slot of a key. If there are twice as many keys as after the last time, it forgets the old ones first.
    fn slot(&mut self, by: Option<String>, key: &str, now: Instant) -> Arc<Slot> {
        if self.runs.len() >= FORGET.max(2 * self.kept) {
            self.runs.retain(|_, slot| {
                // A request holds a slot that is locked, or that has another owner.
                let is_free = Arc::strong_count(slot) == 1;
                let started = slot.try_lock().ok().map(|it| it.as_ref().map(|it| it.at));
                let is_new =
                    |at: Instant| now.duration_since(at) < Duration::from_millis(REMEMBERED);
                !is_free || started.is_none_or(|it| it.is_some_and(is_new))
            });
            self.kept = self.runs.len();
        }
        Arc::clone(self.runs.entry((by, key.to_string())).or_default())
    }
}

impl Held {
    /// Notes the run of the key.
    pub(crate) fn started(mut self, run: RunId) {
        *self.slot = Some(Started { hash: self.hash, run, at: Instant::now() });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const RUN: &str = "01m8j2p5dem2srwbwtf4691mar";

    fn run() -> RunId {
        RUN.parse().expect("is an id")
    }

    #[tokio::test]
    async fn a_key_has_one_run() {
        let keys = Keys::default();
        let find = |key: &'static str, hash: &str| keys.find(None, key, hash.to_string());
        let Ok(Found::New(held)) = find("a", "1").await else { panic!("is new") };
        // Another key does not wait for the request that holds this one.
        assert!(matches!(find("b", "1").await, Ok(Found::New(_))));
        held.started(run());
        assert!(matches!(find("a", "1").await, Ok(Found::Known(it)) if it == run()));
        assert_eq!(find("a", "2").await.err().map(|it| it.code), Some("key-reused"));
        // A run that was not started frees its key.
        assert!(matches!(find("b", "2").await, Ok(Found::New(_))));
    }

    #[test]
    fn old_keys_are_forgotten() {
        let mut known = Known::default();
        let start = Instant::now();
        let started = |at| Slot::new(Some(Started { hash: "1".to_string(), run: run(), at }));
        for at in 0..FORGET {
            known.runs.insert((None, at.to_string()), Arc::new(started(start)));
        }
        let day = Duration::from_millis(REMEMBERED);
        known.runs.insert((None, "new".to_string()), Arc::new(started(start + day / 2)));
        known.slot(None, "x", start + day / 2);
        assert_eq!(known.runs.len(), FORGET + 2);
        known.kept = 0;
        known.slot(None, "y", start + day);
        let mut left: Vec<&str> = known.runs.keys().map(|it| it.1.as_str()).collect();
        left.sort_unstable();
        assert_eq!(left, ["new", "y"]);
    }
}
