//! The bound of answers that a server does not read.

use std::future::Future;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use rmcp::model::JsonRpcMessage;
use rmcp::service::{RoleClient, RxJsonRpcMessage, TxJsonRpcMessage};
use rmcp::transport::Transport;
use tokio::sync::watch;

/// The maximum number of answers to requests of a server that it has not read. Pipes and sockets keep some besides.
const MAX_UNREAD: usize = 256;

/// Whether a server has broken the protocol. Clones share it.
#[derive(Clone, Debug, Default)]
pub(crate) struct Broken(watch::Sender<bool>);

impl Broken {
    /// Returns how the server has broken the protocol.
    pub(crate) fn why(&self) -> Option<&'static str> {
        self.0.borrow().then_some("it does not read the answers to its requests")
    }

    /// Waits until the server has broken the protocol.
    async fn wait(&self) {
        // The sender lives as long as `self`.
        drop(self.0.subscribe().wait_for(|it| *it).await);
    }
}

/// A transport that ends when the server does not read its answers.
pub(crate) struct Read<T> {
    /// The transport, until the server breaks the protocol. Its close could wait for what the server sends.
    inner: Option<T>,
    unread: Arc<AtomicUsize>,
    broken: Broken,
}

impl<T> Read<T> {
    pub(crate) fn new(inner: T, broken: &Broken) -> Read<T> {
        Read { inner: Some(inner), unread: Arc::default(), broken: broken.clone() }
    }
}

/// An answer that is being sent.
struct Unread(Arc<AtomicUsize>);

impl Drop for Unread {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}

impl<T: Transport<RoleClient>> Transport<RoleClient> for Read<T> {
    type Error = T::Error;

    fn send(
        &mut self,
        message: TxJsonRpcMessage<RoleClient>,
    ) -> impl Future<Output = Result<(), T::Error>> + Send + 'static {
        let is_answer = matches!(message, JsonRpcMessage::Response(_) | JsonRpcMessage::Error(_));
        let unread = is_answer.then(|| {
            if self.unread.fetch_add(1, Ordering::Relaxed) >= MAX_UNREAD {
                self.broken.0.send_replace(true);
            }
            Unread(Arc::clone(&self.unread))
        });
        let sends = self.inner.as_mut().map(|it| it.send(message));
        let broken = self.broken.clone();
        async move {
            let Some(sends) = sends else { return Ok(()) };
            let Some(_unread) = unread else { return sends.await };
            tokio::select! {
                sent = sends => sent,
                // Nobody waits for an answer to such a server, but the end of the connection waits for this.
                () = broken.wait() => Ok(()),
            }
        }
    }

    /// Receives a message. A flood of them leaves the runtime time to answer.
    async fn receive(&mut self) -> Option<RxJsonRpcMessage<RoleClient>> {
        tokio::task::coop::consume_budget().await;
        tokio::select! {
            biased;
            () = self.broken.wait() => {
                self.inner = None;
                None
            }
            message = self.inner.as_mut()?.receive() => message,
        }
    }

    async fn close(&mut self) -> Result<(), T::Error> {
        match &mut self.inner {
            Some(inner) => inner.close().await,
            None => Ok(()),
        }
    }
}
