//! The streams of a client, for the transport of the SDK: marks keep integers past 64 bits in its lines.

use std::io;
use std::pin::Pin;
use std::task::{Context, Poll, ready};

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};

use super::exact;
use super::unusable::MAX_MESSAGE;

/// The input of a server: lines of a client, which get marks.
pub(crate) struct Marking<R> {
    inner: R,
    /// The bytes of the line that is read.
    line: Vec<u8>,
    /// The bytes that are ready, and how many of them are taken.
    out: Vec<u8>,
    taken: usize,
    /// Whether the line is too long. Then its bytes pass, and the SDK drops them.
    passes: bool,
}

impl<R> Marking<R> {
    pub(crate) fn new(inner: R) -> Marking<R> {
        Marking { inner, line: Vec::new(), out: Vec::new(), taken: 0, passes: false }
    }

    /// Adds bytes of the client.
    fn add(&mut self, bytes: &[u8]) {
        for part in bytes.split_inclusive(|it| *it == b'\n') {
            let ends = part.ends_with(b"\n");
            if self.passes {
                self.out.extend_from_slice(part);
            } else if self.line.len() + part.len() > MAX_MESSAGE {
                self.passes = true;
                self.out.append(&mut self.line);
                self.out.extend_from_slice(part);
            } else {
                self.line.extend_from_slice(part);
                if ends {
                    self.end_line();
                }
            }
            self.passes &= !ends;
        }
    }

    fn end_line(&mut self) {
        match exact::of_client(self.line.trim_ascii()) {
            Some(marked) => {
                self.line.clear();
                self.out.extend_from_slice(marked.as_bytes());
                self.out.push(b'\n');
            }
            None => self.out.append(&mut self.line),
        }
    }
}

impl<R: AsyncRead + Unpin> AsyncRead for Marking<R> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let this = &mut *self;
        loop {
            let ready = this.out.get(this.taken..).unwrap_or_default();
            if !ready.is_empty() {
                let taken = ready.len().min(buffer.remaining());
                buffer.put_slice(&ready[..taken]);
                this.taken += taken;
                return Poll::Ready(Ok(()));
            }
            this.out.clear();
            this.taken = 0;
            let mut bytes = [0; 8192];
            let mut read = ReadBuf::new(&mut bytes);
            ready!(Pin::new(&mut this.inner).poll_read(cx, &mut read))?;
            if read.filled().is_empty() {
                // A line without an end is not a message.
                return Poll::Ready(Ok(()));
            }
            this.add(read.filled());
        }
    }
}

/// The output of a server: lines in which each mark is its number.
pub(crate) struct Unmarking<W> {
    inner: W,
    /// The bytes of the line that is written.
    line: Vec<u8>,
    /// The bytes of whole lines, and how many of them are written.
    out: Vec<u8>,
    written: usize,
}

impl<W> Unmarking<W> {
    pub(crate) fn new(inner: W) -> Unmarking<W> {
        Unmarking { inner, line: Vec::new(), out: Vec::new(), written: 0 }
    }
}

impl<W: AsyncWrite + Unpin> Unmarking<W> {
    fn poll_drain(&mut self, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        while self.written < self.out.len() {
            let rest = &self.out[self.written..];
            let written = ready!(Pin::new(&mut self.inner).poll_write(cx, rest))?;
            if written == 0 {
                return Poll::Ready(Err(io::ErrorKind::WriteZero.into()));
            }
            self.written += written;
        }
        self.out.clear();
        self.written = 0;
        Poll::Ready(Ok(()))
    }
}

impl<W: AsyncWrite + Unpin> AsyncWrite for Unmarking<W> {
    fn poll_write(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        ready!(self.poll_drain(cx))?;
        for part in bytes.split_inclusive(|it| *it == b'\n') {
            self.line.extend_from_slice(part);
            if part.ends_with(b"\n") {
                let line = std::mem::take(&mut self.line);
                match String::from_utf8(line) {
                    Ok(line) => self.out.extend_from_slice(exact::written(&line).as_bytes()),
                    Err(line) => self.out.extend_from_slice(line.as_bytes()),
                }
            }
        }
        Poll::Ready(Ok(bytes.len()))
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        ready!(self.poll_drain(cx))?;
        Pin::new(&mut self.inner).poll_flush(cx)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        ready!(self.poll_drain(cx))?;
        Pin::new(&mut self.inner).poll_shutdown(cx)
    }
}
