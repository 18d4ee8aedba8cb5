//! Messages over HTTP: unusable answers end their call.

use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};

use futures_core::Stream;
use rmcp::model::{ClientJsonRpcMessage, ClientRequest, JsonRpcMessage, RequestId};
use rmcp::transport::common::client_side_sse::BoxedSseResponse;
use rmcp::transport::streamable_http_client::{
    SseError, StreamableHttpClient, StreamableHttpError, StreamableHttpPostResponse,
    StreamableHttpResponseLimits,
};
use sse_stream::Sse;

use super::calls::{self, Error, Headers, Post, TOO_LARGE};
use super::unusable::{self, MAX_MESSAGE, Unusable, Usable};

/// The client of a server at an address.
#[derive(Clone)]
pub(crate) struct CheckedHttp(pub(crate) reqwest::Client);

impl StreamableHttpClient for CheckedHttp {
    type Error = reqwest::Error;

    async fn post_message(
        &self,
        uri: Arc<str>,
        message: ClientJsonRpcMessage,
        session: Option<Arc<str>>,
        token: Option<String>,
        headers: Headers,
    ) -> Result<StreamableHttpPostResponse, Error> {
        let limits = StreamableHttpResponseLimits::default();
        self.post_message_with_response_limits(uri, message, session, token, headers, limits).await
    }

    async fn post_message_with_response_limits(
        &self,
        uri: Arc<str>,
        message: ClientJsonRpcMessage,
        session: Option<Arc<str>>,
        token: Option<String>,
        headers: Headers,
        limits: StreamableHttpResponseLimits,
    ) -> Result<StreamableHttpPostResponse, Error> {
        let call = match &message {
            JsonRpcMessage::Request(request) => Some(request.id.clone()),
            _ => None,
        };
        let reply = match &message {
            // The SDK keeps no text of an answer.
            JsonRpcMessage::Request(request)
                if matches!(request.request, ClientRequest::CallToolRequest(_)) =>
            {
                let post = Post { uri, session, token, headers, limits };
                calls::post(&self.0, &message, &request.id, post).await
            }
            _ => {
                self.0
                    .post_message_with_response_limits(
                        uri, message, session, token, headers, limits,
                    )
                    .await
            }
        };
        match (reply, call) {
            (Ok(StreamableHttpPostResponse::Sse(events, session)), call) => {
                Ok(StreamableHttpPostResponse::Sse(Checked::boxed(events, call), session))
            }
            (Err(error), Some(call)) => match unusable_body(&error) {
                Some(why) => Ok(StreamableHttpPostResponse::Json(why.message(call), None)),
                None => Err(error),
            },
            (reply, _) => reply,
        }
    }

    async fn delete_session(
        &self,
        uri: Arc<str>,
        session: Arc<str>,
        token: Option<String>,
        headers: Headers,
    ) -> Result<(), Error> {
        self.0.delete_session(uri, session, token, headers).await
    }

    async fn get_stream(
        &self,
        uri: Arc<str>,
        session: Option<Arc<str>>,
        last_event: Option<String>,
        token: Option<String>,
        headers: Headers,
    ) -> Result<BoxedSseResponse, Error> {
        self.get_stream_with_max_sse_event_size(
            uri,
            session,
            last_event,
            token,
            headers,
            MAX_MESSAGE,
        )
        .await
    }

    async fn get_stream_with_max_sse_event_size(
        &self,
        uri: Arc<str>,
        session: Option<Arc<str>>,
        last_event: Option<String>,
        token: Option<String>,
        headers: Headers,
        limit: usize,
    ) -> Result<BoxedSseResponse, Error> {
        let events = self
            .0
            .get_stream_with_max_sse_event_size(uri, session, last_event, token, headers, limit)
            .await?;
        Ok(Checked::boxed(events, None))
    }
}

/// Returns what is wrong with the body of an answer, if that is why a request failed.
fn unusable_body(error: &Error) -> Option<Unusable> {
    // The beginning of the SDK's text for a body that is not a message.
    const NO_MESSAGE: &str = "could not parse JSON response";
    match error {
        StreamableHttpError::ResponseBodyTooLarge { .. } => Some(Unusable::TooLarge),
        StreamableHttpError::UnexpectedServerResponse(why) if why.starts_with(NO_MESSAGE) => {
            Some(Unusable::Malformed("it is not a message of the protocol".to_string()))
        }
        _ => None,
    }
}

/// Returns what is wrong with an event, if that is why a stream has failed.
fn unusable_event(error: &SseError) -> Option<Unusable> {
    match error {
        SseError::Body(error) if error.to_string().starts_with(TOO_LARGE) => {
            Some(Unusable::TooLarge)
        }
        // The connection may have ended, and the rest of the stream can be asked for.
        SseError::Body(_) => None,
        error => Some(Unusable::Malformed(error.to_string())),
    }
}

/// A stream of events, in which errors replace unusable answers.
struct Checked {
    events: BoxedSseResponse,
    /// The call whose answer the stream brings, if that is known.
    call: Option<RequestId>,
}

impl Checked {
    fn boxed(events: BoxedSseResponse, call: Option<RequestId>) -> BoxedSseResponse {
        Box::pin(Checked { events, call })
    }
}

/// Returns an answer as the data of an event.
fn data(why: Unusable, call: RequestId) -> Option<String> {
    serde_json::to_string(&why.message(call)).ok()
}

impl Stream for Checked {
    type Item = Result<Sse, SseError>;

    fn poll_next(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        let event = std::task::ready!(self.events.as_mut().poll_next(cx));
        Poll::Ready(Some(match event {
            None => return Poll::Ready(None),
            Some(Ok(mut event)) => {
                let text = event.data.as_deref().unwrap_or_default();
                match unusable::read(text.as_bytes()) {
                    Err(Some((call, why))) => event.data = data(why, call),
                    Ok(Usable { marked: Some(marked), .. }) => event.data = Some(marked),
                    _ => {}
                }
                Ok(event)
            }
            Some(Err(error)) => match unusable_event(&error).zip(self.call.clone()) {
                Some((why, call)) => Ok(Sse { data: data(why, call), ..Sse::default() }),
                None => Err(error),
            },
        }))
    }
}
