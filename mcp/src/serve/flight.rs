//! The calls of clients in flight. Each has an id of its own.

use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;

use ptc_http::MAX_CALLS;
use rmcp::ErrorData;
use rmcp::model::{ClientJsonRpcMessage, ClientNotification, JsonRpcMessage, RequestId};
use rmcp::service::{RoleServer, RxJsonRpcMessage, TxJsonRpcMessage};
use rmcp::transport::Transport;

use super::bounded::{Admission, Sessions};

/// The id of the session of a client that is alone.
const ALONE: &str = "alone";

/// The maximum length of an id, in bytes.
const MAX_ID: usize = 256;

/// A transport that notes the end of each call of its session.
pub(super) struct InFlight<T> {
    inner: T,
    sessions: Arc<Sessions<RequestId>>,
    session: Arc<str>,
    /// Whether calls begin here, and are cancelled. For those of HTTP, that is before their message is routed.
    begins: bool,
    /// A refusal that is being sent. [`Transport::receive`] may be dropped meanwhile.
    refusing: Option<Pin<Box<dyn Future<Output = ()> + Send>>>,
}

impl<T> InFlight<T> {
    /// Creates the transport of a session whose calls begin elsewhere.
    pub(super) fn of_session(
        inner: T,
        sessions: &Arc<Sessions<RequestId>>,
        session: &Arc<str>,
    ) -> InFlight<T> {
        let (sessions, session) = (Arc::clone(sessions), Arc::clone(session));
        InFlight { inner, sessions, session, begins: false, refusing: None }
    }

    /// Creates the transport of a client that is alone.
    pub(super) fn alone(inner: T) -> InFlight<T> {
        let (sessions, session) = (Arc::<Sessions<RequestId>>::default(), Arc::from(ALONE));
        sessions.open(&session);
        InFlight { inner, sessions, session, begins: true, refusing: None }
    }
}

/// Begins a call.
///
/// # Errors
///
/// The error that answers a request with an id that another has, or with a long id; `None` if there is no place.
pub(super) fn begin(
    sessions: &Sessions<RequestId>,
    session: &str,
    call: &RequestId,
) -> Result<(), Option<ErrorData>> {
    let refused = |why: String| Err(Some(ErrorData::invalid_request(why, None)));
    if let RequestId::String(text) = call
        && text.len() > MAX_ID
    {
        return refused(format!("the id is longer than {MAX_ID} bytes"));
    }
    match sessions.begin(session, call.clone()) {
        Admission::Admitted => Ok(()),
        Admission::Repeated => refused(format!("another request has the id {call}")),
        Admission::Full => Err(None),
    }
}

/// Notes the end of a call that a message cancels, since its answer is not sent.
pub(super) fn cancel(
    sessions: &Sessions<RequestId>,
    session: &str,
    message: &ClientJsonRpcMessage,
) {
    if let JsonRpcMessage::Notification(notification) = message
        && let ClientNotification::CancelledNotification(cancelled) = &notification.notification
        && let Some(call) = &cancelled.params.request_id
    {
        sessions.cancel(session, call);
    }
}

impl<T: Transport<RoleServer>> Transport<RoleServer> for InFlight<T> {
    type Error = T::Error;

    /// Sends a message. A call has ended before its client can read the answer.
    fn send(
        &mut self,
        message: TxJsonRpcMessage<RoleServer>,
    ) -> impl Future<Output = Result<(), T::Error>> + Send + 'static {
        let ended = match &message {
            JsonRpcMessage::Response(response) => Some(&response.id),
            JsonRpcMessage::Error(error) => error.id.as_ref(),
            _ => None,
        };
        if let Some(id) = ended {
            self.sessions.end(&self.session, id);
        }
        self.inner.send(message)
    }

    async fn receive(&mut self) -> Option<RxJsonRpcMessage<RoleServer>> {
        loop {
            if let Some(refusing) = &mut self.refusing {
                refusing.as_mut().await;
                self.refusing = None;
            }
            let message = self.inner.receive().await?;
            match &message {
                JsonRpcMessage::Request(request) if self.begins => {
                    let id = request.id.clone();
                    if let Err(error) = begin(&self.sessions, &self.session, &id) {
                        let full = || format!("{MAX_CALLS} requests are in flight");
                        let error =
                            error.unwrap_or_else(|| ErrorData::invalid_request(full(), None));
                        let sending = self.inner.send(JsonRpcMessage::error(error, Some(id)));
                        // A client that has gone needs none.
                        self.refusing = Some(Box::pin(async move { drop(sending.await) }));
                        continue;
                    }
                }
                message if self.begins => cancel(&self.sessions, &self.session, message),
                _ => {}
            }
            return Some(message);
        }
    }

    async fn close(&mut self) -> Result<(), T::Error> {
        self.inner.close().await
    }
}
