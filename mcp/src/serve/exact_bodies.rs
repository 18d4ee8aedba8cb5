//! Bodies of HTTP in which marks keep integers past 64 bits.

use std::convert::Infallible;
use std::pin::Pin;
use std::task::{Context, Poll, ready};

use hyper::Response;
use hyper::body::{Body, Bytes, Frame, SizeHint};
use ptc_http::Whole;

use crate::wire::exact;

/// Returns the body of a request with marks.
pub(super) fn marked(body: Whole) -> Whole {
    match exact::of_client(body.bytes()) {
        Some(marked) => body.with_bytes(marked),
        None => body,
    }
}

/// The body of a response, in which each mark is its number.
pub(super) enum Exact<B> {
    /// A body whose length is known.
    Whole(Option<Bytes>),
    /// A stream whose frames are whole events.
    Events(B),
}

impl<B> Default for Exact<B> {
    fn default() -> Exact<B> {
        Exact::Whole(None)
    }
}

impl<B: Body<Data = Bytes, Error = Infallible> + Unpin> Exact<B> {
    /// Changes the body of a response.
    pub(super) async fn response(response: Response<B>) -> Response<Exact<B>> {
        let (parts, mut body) = response.into_parts();
        if body.size_hint().exact().is_none() {
            return Response::from_parts(parts, Exact::Events(body));
        }
        let mut bytes = Vec::new();
        while let Some(Ok(frame)) =
            std::future::poll_fn(|cx| Pin::new(&mut body).poll_frame(cx)).await
        {
            if let Ok(data) = frame.into_data() {
                bytes.extend_from_slice(&data);
            }
        }
        let bytes = Some(unmarked(bytes.into())).filter(|it| !it.is_empty());
        Response::from_parts(parts, Exact::Whole(bytes))
    }
}

fn unmarked(bytes: Bytes) -> Bytes {
    let changed = std::str::from_utf8(&bytes).map(|it| exact::written(it).into_owned());
    changed.map_or(bytes, Bytes::from)
}

impl<B: Body<Data = Bytes, Error = Infallible> + Unpin> Body for Exact<B> {
    type Data = Bytes;
    type Error = Infallible;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Infallible>>> {
        let body = match &mut *self {
            Exact::Whole(bytes) => return Poll::Ready(bytes.take().map(|it| Ok(Frame::data(it)))),
            Exact::Events(body) => body,
        };
        let frame = ready!(Pin::new(body).poll_frame(cx));
        Poll::Ready(frame.map(|it| it.map(|frame| frame.map_data(unmarked))))
    }

    fn is_end_stream(&self) -> bool {
        match self {
            Exact::Whole(bytes) => bytes.is_none(),
            Exact::Events(body) => body.is_end_stream(),
        }
    }

    fn size_hint(&self) -> SizeHint {
        match self {
            Exact::Whole(bytes) => {
                SizeHint::with_exact(bytes.as_ref().map_or(0, Bytes::len) as u64)
            }
            Exact::Events(body) => body.size_hint(),
        }
    }
}
