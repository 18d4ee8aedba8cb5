//! The sessions of clients of HTTP that speak an older revision: a bounded number, with calls that have ids of their own.

use std::fmt;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};

use futures_core::Stream;
use rmcp::ErrorData;
use rmcp::model::{ClientJsonRpcMessage, JsonRpcMessage, RequestId, ServerJsonRpcMessage};
use rmcp::transport::WorkerTransport;
use rmcp::transport::streamable_http_server::session::local::{
    LocalSessionManager, LocalSessionWorker, SessionConfig,
};
use rmcp::transport::streamable_http_server::session::{
    EventStream, ServerSseMessage, SessionId, SessionManager,
};
use tokio::sync::Mutex;

use super::bounded::Sessions;
use super::flight::{InFlight, begin, cancel};

/// The maximum size of the first request of a session, which the session keeps, in bytes of JSON.
const MAX_HELLO: usize = 64 << 10;

/// The sessions of a server.
pub(super) struct BoundedSessions {
    inner: LocalSessionManager,
    sessions: Arc<Sessions<RequestId>>,
    /// Held while a session begins, so that each has its place.
    begins: Mutex<()>,
}

/// The error of a request for which there is no place, or whose session has ended.
#[derive(Debug)]
pub(super) struct NoPlace;

impl fmt::Display for NoPlace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("there is no place for it")
    }
}

impl std::error::Error for NoPlace {}

impl BoundedSessions {
    pub(super) fn new(config: SessionConfig) -> BoundedSessions {
        let mut inner = LocalSessionManager::default();
        inner.session_config = config;
        BoundedSessions { inner, sessions: Arc::default(), begins: Mutex::default() }
    }
}

impl SessionManager for BoundedSessions {
    type Error = NoPlace;
    type Transport = InFlight<WorkerTransport<LocalSessionWorker>>;

    /// Creates a session. It may take the place of the one that has been idle for longest.
    async fn create_session(&self) -> Result<(SessionId, Self::Transport), NoPlace> {
        let _begins = self.begins.lock().await;
        if let Some(oldest) = self.sessions.make_room().map_err(|()| NoPlace)? {
            // Its worker may have ended.
            drop(self.inner.close_session(&oldest).await);
        }
        let (id, transport) = self.inner.create_session().await.map_err(|_| NoPlace)?;
        self.sessions.open(&id);
        let transport = InFlight::of_session(transport, &self.sessions, &id);
        Ok((id, transport))
    }

    async fn initialize_session(
        &self,
        id: &SessionId,
        message: ClientJsonRpcMessage,
    ) -> Result<ServerJsonRpcMessage, NoPlace> {
        if serde_json::to_vec(&message).is_ok_and(|it| it.len() <= MAX_HELLO) {
            return self.inner.initialize_session(id, message).await.map_err(|_| NoPlace);
        }
        self.close_session(id).await?;
        let why = format!("the request is larger than {MAX_HELLO} bytes");
        let request = match message {
            JsonRpcMessage::Request(request) => Some(request.id),
            _ => None,
        };
        Ok(JsonRpcMessage::error(ErrorData::invalid_request(why, None), request))
    }

    async fn has_session(&self, id: &SessionId) -> Result<bool, NoPlace> {
        self.sessions.touch(id);
        self.inner.has_session(id).await.map_err(|_| NoPlace)
    }

    async fn close_session(&self, id: &SessionId) -> Result<(), NoPlace> {
        self.sessions.close(id);
        self.inner.close_session(id).await.map_err(|_| NoPlace)
    }

    /// Begins a call. One whose id is in flight is refused.
    async fn create_stream(
        &self,
        id: &SessionId,
        message: ClientJsonRpcMessage,
    ) -> Result<impl Stream<Item = ServerSseMessage> + Send + Sync + 'static, NoPlace> {
        let JsonRpcMessage::Request(request) = &message else { return Err(NoPlace) };
        let call = request.id.clone();
        if let Err(error) = begin(&self.sessions, id, &call) {
            let error = JsonRpcMessage::error(error.ok_or(NoPlace)?, Some(call));
            let error = ServerSseMessage::from_message(error);
            return Ok(Box::pin(Single(Some(error))) as EventStream);
        }
        match self.inner.create_stream(id, message).await {
            Ok(stream) => Ok(Box::pin(stream) as EventStream),
            Err(_) => {
                self.sessions.end(id, &call);
                Err(NoPlace)
            }
        }
    }

    async fn accept_message(
        &self,
        id: &SessionId,
        message: ClientJsonRpcMessage,
    ) -> Result<(), NoPlace> {
        cancel(&self.sessions, id, &message);
        self.inner.accept_message(id, message).await.map_err(|_| NoPlace)
    }

    async fn create_standalone_stream(
        &self,
        id: &SessionId,
    ) -> Result<impl Stream<Item = ServerSseMessage> + Send + Sync + 'static, NoPlace> {
        let stream = self.inner.create_standalone_stream(id).await.map_err(|_| NoPlace)?;
        Ok(Box::pin(stream) as EventStream)
    }

    async fn resume(
        &self,
        id: &SessionId,
        last_event: String,
    ) -> Result<impl Stream<Item = ServerSseMessage> + Send + Sync + 'static, NoPlace> {
        let stream = self.inner.resume(id, last_event).await.map_err(|_| NoPlace)?;
        Ok(Box::pin(stream) as EventStream)
    }
}

/// A stream of one message.
struct Single(Option<ServerSseMessage>);

impl Stream for Single {
    type Item = ServerSseMessage;

    fn poll_next(mut self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<Option<ServerSseMessage>> {
        Poll::Ready(self.0.take())
    }
}
