//! The threads of programs and runs. All threads of Node share them.

use std::sync::{Mutex, PoisonError};

use napi::Result;
use tokio::runtime::{Builder, Handle, Runtime};

use crate::error::plain_error;

static SHARED: Mutex<Option<Runtime>> = Mutex::new(None);

/// Returns the runtime, which starts with its first use.
///
/// # Errors
///
/// The reason that there are no threads.
pub(crate) fn runtime() -> Result<Handle> {
    let mut shared = SHARED.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(runtime) = shared.as_ref() {
        return Ok(runtime.handle().clone());
    }
    let runtime = Builder::new_multi_thread()
        .enable_all()
        .thread_name("ptc-runs")
        .build()
        .map_err(|error| plain_error(format!("cannot start threads: {error}")))?;
    let handle = runtime.handle().clone();
    *shared = Some(runtime);
    Ok(handle)
}
