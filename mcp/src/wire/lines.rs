//! Messages as lines of a pair of streams.

use std::future::Future;
use std::io;
use std::sync::Arc;

use rmcp::model::ServerJsonRpcMessage;
use rmcp::service::{RoleClient, RxJsonRpcMessage, TxJsonRpcMessage};
use rmcp::transport::Transport;
use tokio::io::{AsyncBufReadExt as _, AsyncRead, AsyncWrite, AsyncWriteExt as _, BufReader};
use tokio::sync::Mutex;

use super::unusable::{self, MAX_MESSAGE, Unusable};
use super::{Outline, exact};

/// The transport of a server that is a program. It keeps at most one message, and no message that is too large.
pub(crate) struct Lines<R, W> {
    input: BufReader<R>,
    output: Arc<Mutex<Option<W>>>,
    line: Line,
}

/// The line that is read.
#[derive(Default)]
struct Line {
    /// Its bytes, unless there are too many.
    bytes: Vec<u8>,
    /// The outline of a line with too many bytes.
    outline: Option<Outline>,
    /// Whether its call has ended.
    is_answered: bool,
}

impl<R: AsyncRead, W> Lines<R, W> {
    pub(crate) fn new(input: R, output: W) -> Lines<R, W> {
        let (input, output) = (BufReader::new(input), Arc::new(Mutex::new(Some(output))));
        Lines { input, output, line: Line::default() }
    }
}

impl Line {
    /// Adds bytes, which may end the line. Returns a message, if one is there.
    fn add(&mut self, bytes: &[u8], ends: bool) -> Option<ServerJsonRpcMessage> {
        if self.outline.is_none() && self.bytes.len() + bytes.len() > MAX_MESSAGE {
            self.outline = Some(Outline::of(&std::mem::take(&mut self.bytes)));
        }
        let Some(outline) = &mut self.outline else {
            self.bytes.extend_from_slice(bytes);
            return if ends { std::mem::take(self).parse() } else { None };
        };
        outline.read(bytes);
        let is_answer = outline.has_result || outline.has_error || ends;
        let call = unusable::answered(outline).filter(|_| is_answer && !self.is_answered);
        self.is_answered |= call.is_some();
        if ends {
            *self = Line::default();
        }
        call.map(|call| Unusable::TooLarge.message(call))
    }

    /// Returns the message of a whole line. Other lines are left out: programs also print text.
    fn parse(self) -> Option<ServerJsonRpcMessage> {
        const MARK_OF_ORDER: &[u8] = b"\xEF\xBB\xBF";
        let line = self.bytes.trim_ascii();
        let line = line.strip_prefix(MARK_OF_ORDER).unwrap_or(line);
        match unusable::read(line) {
            Ok(usable) => Some(usable.message),
            Err(call) => call.map(|(call, why)| why.message(call)),
        }
    }
}

impl<R, W> Transport<RoleClient> for Lines<R, W>
where
    R: AsyncRead + Send + Unpin,
    W: AsyncWrite + Send + Unpin + 'static,
{
    type Error = io::Error;

    fn send(
        &mut self,
        message: TxJsonRpcMessage<RoleClient>,
    ) -> impl Future<Output = io::Result<()>> + Send + 'static {
        let output = Arc::clone(&self.output);
        async move {
            let message = serde_json::to_string(&message)?;
            let mut line = exact::written(&message).into_owned();
            line.push('\n');
            let mut output = output.lock().await;
            let output = output.as_mut().ok_or(io::ErrorKind::NotConnected)?;
            output.write_all(line.as_bytes()).await?;
            output.flush().await
        }
    }

    /// Receives a message. Nothing is lost if this is dropped: the bytes read so far are in `self`.
    async fn receive(&mut self) -> Option<RxJsonRpcMessage<RoleClient>> {
        loop {
            let bytes = self.input.fill_buf().await.ok().filter(|it| !it.is_empty())?;
            let end = bytes.iter().position(|it| *it == b'\n');
            let message = self.line.add(&bytes[..end.unwrap_or(bytes.len())], end.is_some());
            let read = end.map_or(bytes.len(), |it| it + 1);
            self.input.consume(read);
            if message.is_some() {
                return message;
            }
        }
    }

    async fn close(&mut self) -> io::Result<()> {
        drop(self.output.lock().await.take());
        Ok(())
    }
}
