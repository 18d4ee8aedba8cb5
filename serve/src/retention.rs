//! The deletion of runs that ended long ago.

use std::sync::Arc;
use std::time::Duration;

use ptc_subagent::store::Prune;
use serde_json::json;

use crate::state::{State, blocking, now};

/// The time between two deletions.
const PAUSE: Duration = Duration::from_hours(1);

/// Deletes runs that have reached the [age](crate::Options::keep), for ever.
pub(crate) async fn delete_old(state: Arc<State>) {
    let Some(age) = state.options.keep else { return std::future::pending().await };
    let mut old = Prune::default();
    (old.older_than, old.ended, old.keeps_size) = (Some(age), true, true);
    loop {
        let (store, old) = (Arc::clone(state.store()), old.clone());
        let (runs, why) = match blocking(move || store.prune(&old)).await {
            Ok(Ok(pruned)) => (Some(pruned.runs), None),
            Ok(Err(error)) => (None, Some(error.to_string())),
            Err(problem) => (None, Some(problem.detail)),
        };
        if let Some(log) = state.options.log.as_ref().filter(|_| runs != Some(0)) {
            let mut line = json!({"event": "deleted", "at": now(), "runs": runs});
            if let (Some(why), Some(line)) = (why, line.as_object_mut()) {
                line.insert("why".to_owned(), why.into());
            }
            log(&line);
        }
        tokio::time::sleep(PAUSE).await;
    }
}
