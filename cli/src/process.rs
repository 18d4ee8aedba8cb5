//! The threads of the process, and its end by a signal.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use tokio::runtime::Runtime;

use crate::report::{self, Fault, Result};
use crate::signals::interrupted;

/// Starts the runtime that waits for models and tools.
pub(crate) fn runtime() -> Result<Runtime> {
    tokio::runtime::Builder::new_multi_thread()
        .worker_threads(2)
        .enable_all()
        .build()
        .map_err(|error| Fault::new("threads", format!("cannot start threads: {error}")))
}

/// Ends the process at the second signal. After the run, the first signal ends it: nobody may be reading the remaining
/// output.
pub(crate) async fn exit_on_signals(is_over: Arc<AtomicBool>) {
    interrupted().await;
    if !is_over.load(Ordering::Relaxed) {
        interrupted().await;
    }
    std::process::exit(i32::from(report::LIMIT));
}
