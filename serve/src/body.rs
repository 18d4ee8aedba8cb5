//! The body of a response: bytes, or a stream of parts.

use std::convert::Infallible;
use std::pin::Pin;
use std::task::{Context, Poll};

use hyper::body::{Bytes, Frame, SizeHint};
use tokio::sync::mpsc::Receiver;

/// The body of a response.
pub(crate) enum Body {
    /// No bytes.
    Empty,
    /// Bytes that are there.
    Whole(Bytes),
    /// Parts that arrive, until their sender is dropped.
    Parts(Receiver<Bytes>),
}

/// The problem of a request that finds no place among the connections. They make its response themselves.
const NO_PLACE: &[u8] = br#"{"type":"urn:ptc:problem:no-place","title":"Service Unavailable","status":503,"code":"no-place","detail":"too many requests are in work"}"#;

impl Default for Body {
    fn default() -> Body {
        Body::Whole(Bytes::from_static(NO_PLACE))
    }
}

impl hyper::body::Body for Body {
    type Data = Bytes;
    type Error = Infallible;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Infallible>>> {
        match std::mem::replace(&mut *self, Body::Empty) {
            Body::Empty => Poll::Ready(None),
            Body::Whole(bytes) => Poll::Ready(Some(Ok(Frame::data(bytes)))),
            Body::Parts(mut parts) => {
                let part = parts.poll_recv(cx);
                if !matches!(part, Poll::Ready(None)) {
                    *self = Body::Parts(parts);
                }
                part.map(|it| it.map(|bytes| Ok(Frame::data(bytes))))
            }
        }
    }

    fn is_end_stream(&self) -> bool {
        matches!(self, Body::Empty)
    }

    fn size_hint(&self) -> SizeHint {
        match self {
            Body::Empty => SizeHint::with_exact(0),
            Body::Whole(bytes) => SizeHint::with_exact(bytes.len() as u64),
            Body::Parts(_) => SizeHint::default(),
        }
    }
}
