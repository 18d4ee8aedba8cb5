//! Calls over HTTP. The client of the SDK parses an answer and drops its text, which has the integers past 64 bits.

use std::collections::HashMap;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};

use hyper::body::{Body, Bytes, Frame};
use hyper::header::{ACCEPT, CONTENT_TYPE, HeaderName, HeaderValue, WWW_AUTHENTICATE};
use hyper::{Response, StatusCode};
use rmcp::model::{ClientJsonRpcMessage, JsonRpcMessage, RequestId, ServerJsonRpcMessage};
use rmcp::transport::WWWAuthenticateParams;
use rmcp::transport::common::http_header::{
    EVENT_STREAM_MIME_TYPE, HEADER_SESSION_ID, JSON_MIME_TYPE,
};
use rmcp::transport::streamable_http_client::{
    AuthRequiredError, HttpStatusError, InsufficientScopeError, StreamableHttpError,
    StreamableHttpPostResponse, StreamableHttpResponseLimits,
};
use sse_stream::SseStream;

use super::exact;
use super::unusable::{self, Unusable};

pub(super) type Headers = HashMap<HeaderName, HeaderValue>;
pub(super) type Error = StreamableHttpError<reqwest::Error>;

/// The beginning of the SDK's text for an event over the limit.
pub(super) const TOO_LARGE: &str = "SSE event exceeded";

/// The parts of a request beside its message.
pub(super) struct Post {
    pub(super) uri: Arc<str>,
    pub(super) session: Option<Arc<str>>,
    pub(super) token: Option<String>,
    pub(super) headers: Headers,
    pub(super) limits: StreamableHttpResponseLimits,
}

/// Sends a call, as the client of the SDK does. Marks keep integers past 64 bits in an answer that is JSON.
pub(super) async fn post(
    client: &reqwest::Client,
    message: &ClientJsonRpcMessage,
    call: &RequestId,
    post: Post,
) -> Result<StreamableHttpPostResponse, Error> {
    let Post { uri, session, token, headers, limits } = post;
    let json = serde_json::to_string(message)?;
    let accepted = format!("{EVENT_STREAM_MIME_TYPE}, {JSON_MIME_TYPE}");
    let mut request = client.post(&*uri).header(ACCEPT, accepted);
    request = request.header(CONTENT_TYPE, JSON_MIME_TYPE);
    // The order of a hash map must not reach a server.
    let mut headers: Vec<_> = headers.into_iter().collect();
    headers.sort_unstable_by(|a, b| a.0.as_str().cmp(b.0.as_str()));
    for (name, value) in headers {
        // A header may repeat an argument.
        let text = value.to_str().ok().and_then(exact::number);
        let number = text.and_then(|it| HeaderValue::try_from(it).ok());
        request = request.header(name, number.unwrap_or(value));
    }
    let has_session = session.is_some();
    if let Some(session) = session {
        request = request.header(HEADER_SESSION_ID, &*session);
    }
    if let Some(token) = token {
        request = request.bearer_auth(token);
    }
    let response = request.body(exact::written(&json).into_owned()).send().await?;
    let (parts, body) = Response::from(response).into_parts();
    let header = |name: &str| parts.headers.get(name).and_then(|it| it.to_str().ok());
    let kind = header(CONTENT_TYPE.as_str()).and_then(|it| it.split(';').next());
    let is = |expected: &str| kind.is_some_and(|it| it.trim().eq_ignore_ascii_case(expected));
    match (parts.status, header(WWW_AUTHENTICATE.as_str())) {
        (StatusCode::UNAUTHORIZED, Some(challenge)) => {
            let error = AuthRequiredError::new(challenge.to_string());
            return Err(StreamableHttpError::AuthRequired(error));
        }
        (StatusCode::FORBIDDEN, Some(challenge)) => {
            let base = reqwest::Url::parse(&uri).ok();
            let scope = base.and_then(|it| WWWAuthenticateParams::parse(challenge, &it).scope);
            let error = InsufficientScopeError::new(challenge.to_string(), scope);
            return Err(StreamableHttpError::InsufficientScope(error));
        }
        (StatusCode::ACCEPTED | StatusCode::NO_CONTENT, _) => {
            return Ok(StreamableHttpPostResponse::Accepted);
        }
        (StatusCode::NOT_FOUND, _) if has_session => {
            return Err(StreamableHttpError::SessionExpired);
        }
        (status, _) if !status.is_success() => {
            return refusal(status, is(JSON_MIME_TYPE), body, &limits).await;
        }
        _ => {}
    }
    let session = header(HEADER_SESSION_ID).map(str::to_string);
    if is(EVENT_STREAM_MIME_TYPE) {
        let events = SseStream::new(Events::new(body, limits.max_sse_event_size));
        return Ok(StreamableHttpPostResponse::Sse(Box::pin(events), session));
    }
    if !is(JSON_MIME_TYPE) {
        return Err(StreamableHttpError::UnexpectedContentType(kind.map(str::to_string)));
    }
    let (body, is_whole) = start(body, limits.max_json_response_size).await?;
    if !is_whole {
        let message = Unusable::TooLarge.message(call.clone());
        return Ok(StreamableHttpPostResponse::Json(message, session));
    }
    let message = match unusable::read(&body) {
        Ok(usable) => usable.message,
        Err(Some((_, why))) => why.message(call.clone()),
        Err(None) => {
            let why = Unusable::Malformed("it is not a message of the protocol".to_string());
            why.message(call.clone())
        }
    };
    Ok(StreamableHttpPostResponse::Json(message, session))
}

/// Reads the answer of a server that refuses a request: its error, if the body is one.
async fn refusal(
    status: StatusCode,
    is_json: bool,
    body: reqwest::Body,
    limits: &StreamableHttpResponseLimits,
) -> Result<StreamableHttpPostResponse, Error> {
    let is_failure = status == StatusCode::TOO_MANY_REQUESTS || status.is_server_error();
    let has_error = is_json
        && status != StatusCode::TOO_MANY_REQUESTS
        && !matches!(status, StatusCode::UNAUTHORIZED | StatusCode::FORBIDDEN);
    let limit =
        if has_error { limits.max_json_response_size } else { limits.max_error_response_size };
    let (body, is_whole) =
        if is_failure && !has_error { (Vec::new(), true) } else { start(body, limit).await? };
    if has_error
        && is_whole
        && let Ok(error @ JsonRpcMessage::Error(_)) =
            serde_json::from_slice::<ServerJsonRpcMessage>(&body)
    {
        return Ok(StreamableHttpPostResponse::Json(error, None));
    }
    if is_failure {
        return Err(HttpStatusError::new(status.as_u16(), None).into());
    }
    let why = format!("HTTP {status}: {}", String::from_utf8_lossy(&body));
    Err(StreamableHttpError::UnexpectedServerResponse(why.into()))
}

/// Reads the start of a body. Returns whether that is all of it.
async fn start(mut body: reqwest::Body, limit: usize) -> Result<(Vec<u8>, bool), Error> {
    let mut read = Vec::new();
    let next = |body: &mut reqwest::Body, cx: &mut Context<'_>| Pin::new(body).poll_frame(cx);
    while let Some(frame) = std::future::poll_fn(|cx| next(&mut body, cx)).await {
        let Ok(data) = frame?.into_data() else { continue };
        let room = limit - read.len();
        read.extend_from_slice(&data[..data.len().min(room)]);
        if data.len() > room {
            return Ok((read, false));
        }
    }
    Ok((read, true))
}

/// A body of events with a maximum size.
struct Events {
    body: reqwest::Body,
    limit: usize,
    /// The number of bytes of the event that is read.
    size: usize,
    /// Whether the line that is read is empty so far.
    is_empty: bool,
    has_failed: bool,
}

impl Events {
    fn new(body: reqwest::Body, limit: usize) -> Events {
        Events { body, limit, size: 0, is_empty: true, has_failed: false }
    }

    /// Counts bytes. Returns whether each event fits. An empty line ends an event.
    fn fits(&mut self, bytes: &[u8]) -> bool {
        bytes.iter().all(|byte| {
            match byte {
                b'\n' | b'\r' if self.is_empty => self.size = 0,
                b'\n' | b'\r' => self.is_empty = true,
                _ => self.is_empty = false,
            }
            self.size += 1;
            self.size <= self.limit
        })
    }
}

impl Body for Events {
    type Data = Bytes;
    type Error = std::io::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, std::io::Error>>> {
        if self.has_failed {
            return Poll::Ready(None);
        }
        let frame = std::task::ready!(Pin::new(&mut self.body).poll_frame(cx));
        let checked = frame.map(|frame| {
            let frame = frame.map_err(std::io::Error::other)?;
            let fits = frame.data_ref().is_none_or(|it| self.fits(it));
            if fits { Ok(frame) } else { Err(std::io::Error::other(TOO_LARGE)) }
        });
        self.has_failed = matches!(checked, Some(Err(_)));
        Poll::Ready(checked)
    }
}
