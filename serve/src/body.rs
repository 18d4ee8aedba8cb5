//! The body of a response: bytes, or a stream of parts.

use std::convert::Infallible;
use std::pin::Pin;
use std::task::{Context, Poll};

use hyper::body::{Bytes, Frame, SizeHint};
use tokio::sync::mpsc::Receiver;

/// The body of a response.
#[derive(Default)]
pub(crate) enum Body {
    /// No bytes.
    #[default]
    Empty,
    /// Bytes that are there.
    Whole(Bytes),
    /// Parts that arrive, until their sender is dropped.
    Parts(Receiver<Bytes>),
}

impl hyper::body::Body for Body {
    type Data = Bytes;
    type Error = Infallible;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Infallible>>> {
        match std::mem::take(&mut *self) {
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
