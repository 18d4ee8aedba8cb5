//! Idempotency keys: the same caller starts one run under a key. The record keeps them, so a restart forgets none.

use std::collections::HashMap;

use hyper::StatusCode;
use ptc_subagent::RunId;
use ptc_subagent::store::QueuedRun;
use tokio::sync::{Mutex, MutexGuard};

use crate::problem::Problem;

/// How long a key is remembered, in milliseconds: a day.
pub(crate) const REMEMBERED: u64 = 24 * 60 * 60 * 1000;

/// The maximum length of a key in bytes.
const MAX_KEY: usize = 200;

/// The runs by callers and keys.
#[derive(Default)]
pub(crate) struct Keys(Mutex<Known>);

/// The runs by callers and keys, each with the hash of its request.
type Known = HashMap<(Option<String>, String), (String, RunId)>;

/// A key of a request, which no other request can use meanwhile.
pub(crate) struct Held<'k> {
    known: MutexGuard<'k, Known>,
    by: Option<String>,
    pub(crate) key: String,
    pub(crate) hash: String,
}

/// The finding about a key.
pub(crate) enum Found<'k> {
    /// It is new.
    New(Held<'k>),
    /// The run that was started under it.
    Known(RunId),
}

impl Keys {
    /// Remembers the keys on record.
    pub(crate) async fn remember(&self, all: Vec<QueuedRun>) {
        let mut known = self.0.lock().await;
        for QueuedRun { run, queued, .. } in all {
            if let (Some(key), Some(hash)) = (queued.key, queued.request) {
                known.insert((queued.by, key), (hash, run));
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
    ) -> Result<Found<'_>, Problem> {
        if key.is_empty() || key.len() > MAX_KEY {
            let detail = format!("`Idempotency-Key` must have from 1 to {MAX_KEY} characters");
            return Err(Problem::malformed(detail));
        }
        let known = self.0.lock().await;
        let at = (by, key.to_string());
        match known.get(&at) {
            None => Ok(Found::New(Held { known, by: at.0, key: at.1, hash })),
            Some((before, run)) if *before == hash => Ok(Found::Known(run.clone())),
            Some(_) => {
                let detail = "another request has used this `Idempotency-Key`";
                Err(Problem::new(StatusCode::UNPROCESSABLE_ENTITY, "key-reused", detail))
            }
        }
    }
}

impl Held<'_> {
    /// Notes the run of the key.
    pub(crate) fn started(mut self, run: RunId) {
        self.known.insert((self.by, self.key), (self.hash, run));
    }
}
