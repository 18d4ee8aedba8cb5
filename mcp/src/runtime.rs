//! The runtime in which connections work.

use std::future::Future;
use std::sync::OnceLock;
use std::sync::mpsc;

use ptc_subagent::tool::{ToolError, ToolErrorKind};
use tokio::runtime::{Builder, Handle, Runtime};
use tokio::sync::oneshot;

/// A runtime with a thread of its own, which starts with the first task.
#[derive(Debug, Default)]
pub(crate) struct Background(OnceLock<Runtime>);

impl Background {
    /// Makes `work` in the runtime and blocks the calling thread until it ends.
    pub(crate) fn block_on<T: Send + 'static>(
        &self,
        work: impl Future<Output = Result<T, ToolError>> + Send + 'static,
    ) -> Result<T, ToolError> {
        let (sender, receiver) = mpsc::sync_channel(1);
        self.handle()?.spawn(async move {
            // The receiver waits for it.
            let _ = sender.send(work.await);
        });
        receiver.recv().unwrap_or_else(|_| Err(ended()))
    }

    /// Makes `work` in the runtime. Dropping the future closes the channel that `work` gets.
    pub(crate) async fn run<T, F>(
        &self,
        work: impl FnOnce(oneshot::Receiver<()>) -> F,
    ) -> Result<T, ToolError>
    where
        T: Send + 'static,
        F: Future<Output = Result<T, ToolError>> + Send + 'static,
    {
        let (alive, dropped) = oneshot::channel();
        let (sender, receiver) = oneshot::channel();
        let work = work(dropped);
        self.handle()?.spawn(async move { sender.send(work.await) });
        let result = receiver.await.unwrap_or_else(|_| Err(ended()));
        drop(alive);
        result
    }

    /// Makes `work` in the runtime. Blocks until it ends, unless the calling thread is one of the runtime.
    pub(crate) fn finish(&self, work: impl Future<Output = ()> + Send + 'static) {
        let Some(runtime) = self.0.get() else { return };
        let (sender, receiver) = mpsc::sync_channel(1);
        runtime.spawn(async move {
            work.await;
            // The receiver may not wait for it.
            let _ = sender.send(());
        });
        let is_inside = Handle::try_current().is_ok_and(|it| it.id() == runtime.handle().id());
        if !is_inside {
            // An error is the end of the runtime, and so of the work.
            let _ = receiver.recv();
        }
    }

    fn handle(&self) -> Result<&Handle, ToolError> {
        if let Some(runtime) = self.0.get() {
            return Ok(runtime.handle());
        }
        let made =
            Builder::new_multi_thread().worker_threads(1).thread_name("mcp").enable_all().build();
        let made = made.map_err(|error| {
            ToolError::new(ToolErrorKind::Missing, format!("cannot be connected: {error}"))
        })?;
        // Another thread may have been faster. An unused runtime ends at once.
        if let Err(unused) = self.0.set(made) {
            unused.shutdown_background();
        }
        self.0.get().map(Runtime::handle).ok_or_else(ended)
    }
}

impl Drop for Background {
    fn drop(&mut self) {
        // The drop of a runtime blocks, which tokio forbids in async code.
        if let Some(runtime) = self.0.take() {
            runtime.shutdown_background();
        }
    }
}

#[cold]
fn ended() -> ToolError {
    ToolError::new(ToolErrorKind::Missing, "cannot be connected: its thread has ended")
}
