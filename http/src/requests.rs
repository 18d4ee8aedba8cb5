//! Requests: their bodies, and the places that they take.

use std::convert::Infallible;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};

use hyper::body::{Body, Bytes, Frame, Incoming, SizeHint};
use hyper::header::{CONNECTION, HeaderValue, RETRY_AFTER};
use hyper::{Response, StatusCode};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use super::connections::{Connection, Working};
use super::places::MAX_BODY;

/// The kind of a request, which decides the places that it takes.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Kind {
    /// A call, which may last.
    Call,
    /// An event stream.
    Stream,
    /// A request that is answered at once. It takes no place.
    Short,
}

/// A body that has been read. Its bytes count as long as this lives.
#[derive(Default)]
pub struct Whole {
    bytes: Bytes,
    counted: Option<OwnedSemaphorePermit>,
}

impl Whole {
    /// Reads the body of a request.
    ///
    /// # Errors
    ///
    /// 408 if it is not whole in time, 413 if it is too large, 503 if there is no place for it, and 400 if the connection
    /// fails.
    pub async fn read(mut body: Incoming, connection: &Connection) -> Result<Whole, StatusCode> {
        let counts = &connection.places.bytes;
        if body.size_hint().lower() > MAX_BODY as u64 {
            return Err(StatusCode::PAYLOAD_TOO_LARGE);
        }
        let reads = async {
            let (mut read, mut counted) = (Vec::new(), None);
            while let Some(frame) = next(&mut body).await {
                let frame = frame.map_err(|_| StatusCode::BAD_REQUEST)?;
                let Ok(data) = frame.into_data() else { continue };
                if read.len() + data.len() > MAX_BODY {
                    return Err(StatusCode::PAYLOAD_TOO_LARGE);
                }
                count(counts, &mut counted, data.len())?;
                read.extend_from_slice(&data);
            }
            Ok(Whole { bytes: read.into(), counted })
        };
        tokio::time::timeout(connection.places.patience, reads)
            .await
            .unwrap_or(Err(StatusCode::REQUEST_TIMEOUT))
    }

    /// Returns the bytes of the body.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// Returns the body with other bytes, which count as its own did.
    #[must_use]
    pub fn with_bytes(self, bytes: impl Into<Bytes>) -> Whole {
        Whole { bytes: bytes.into(), ..self }
    }
}

/// Counts more bytes of a body.
fn count(
    counts: &Arc<Semaphore>,
    counted: &mut Option<OwnedSemaphorePermit>,
    bytes: usize,
) -> Result<(), StatusCode> {
    let bytes = u32::try_from(bytes).unwrap_or(u32::MAX);
    let more = Arc::clone(counts).try_acquire_many_owned(bytes);
    let more = more.map_err(|_| StatusCode::SERVICE_UNAVAILABLE)?;
    match counted {
        Some(counted) => counted.merge(more),
        None => *counted = Some(more),
    }
    Ok(())
}

async fn next(body: &mut Incoming) -> Option<hyper::Result<Frame<Bytes>>> {
    std::future::poll_fn(|cx| Pin::new(&mut *body).poll_frame(cx)).await
}

impl Connection {
    /// Makes the answer to a request. `answer` gets the body; the request keeps its places until its response has ended.
    pub async fn answer<B, F>(
        self: &Arc<Connection>,
        kind: Kind,
        mut body: Whole,
        answer: impl FnOnce(Sent) -> F,
    ) -> Response<Held<B>>
    where
        B: Default,
        F: Future<Output = Response<B>>,
    {
        let places = match kind {
            Kind::Call => Some(&self.places.calls),
            Kind::Stream => Some(&self.places.streams),
            Kind::Short => None,
        };
        let mut held = None;
        if let Some(places) = places {
            let place = Arc::clone(places).try_acquire_owned().ok();
            let Some((place, working)) = place.zip(self.work()) else {
                return refusal(StatusCode::SERVICE_UNAVAILABLE);
            };
            held = Some(Place { _permit: place, _bytes: body.counted.take(), _working: working });
        }
        answer(Sent(Some(body.bytes))).await.map(|body| Held { body, _place: held })
    }
}

/// The places of a request, which are free again after this.
struct Place {
    _permit: OwnedSemaphorePermit,
    _bytes: Option<OwnedSemaphorePermit>,
    _working: Working,
}

/// Returns a response that refuses a request, and ends the connection: its body may not have been read.
pub fn refusal<B: Default>(status: StatusCode) -> Response<Held<B>> {
    let mut response = Response::new(Held { body: B::default(), _place: None });
    *response.status_mut() = status;
    let headers = response.headers_mut();
    headers.insert(CONNECTION, HeaderValue::from_static("close"));
    if status == StatusCode::SERVICE_UNAVAILABLE {
        headers.insert(RETRY_AFTER, HeaderValue::from_static("1"));
    }
    response
}

/// The body of a response, which keeps the places of its request.
pub struct Held<B> {
    body: B,
    _place: Option<Place>,
}

impl<B: Body + Unpin> Body for Held<B> {
    type Data = B::Data;
    type Error = B::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<B::Data>, B::Error>>> {
        Pin::new(&mut self.body).poll_frame(cx)
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}

/// The body of a request, for its service.
pub struct Sent(Option<Bytes>);

impl Body for Sent {
    type Data = Bytes;
    type Error = Infallible;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        _: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Infallible>>> {
        Poll::Ready(self.0.take().map(|bytes| Ok(Frame::data(bytes))))
    }
}
