//! Providers with predetermined replies, and a recorder of replies.

use std::collections::VecDeque;
use std::fs::File;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use ptc_prompt::ModelCall;
use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize};

use super::conversation::with_own_ids;
use super::{
    BoxFuture, Checked, Cost, Finish, Opaque, Partial, Provider, ProviderError, ProviderErrorKind,
    Reply, Request, Usage,
};
use crate::error::{Error, ErrorKind};
use crate::files::{MAX_RECORDING, read_text};

/// A provider that replies from a recording, in order. A line with `when` replies only to a request that contains that
/// text. Concurrent sub-agents need such lines.
#[derive(Debug)]
pub struct Recorded {
    path: PathBuf,
    replies: Scripted,
}

impl Recorded {
    /// Reads the complete recording, so that a malformed line is found before the run starts.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Recording`] if the file cannot be read or a line is malformed.
    pub fn open(path: &Path) -> Result<Recorded, Error> {
        let unusable = |message: String| Error::new(ErrorKind::Recording, message).in_file(path);
        let text = read_text(path, MAX_RECORDING)
            .map_err(|error| unusable(format!("cannot read the recording: {error}")))?;
        let mut replies = Vec::new();
        for (index, line) in text.lines().enumerate() {
            if line.trim().is_empty() {
                continue;
            }
            let line: Line = serde_json::from_str(line).map_err(|error| {
                let column = error.column().max(1);
                unusable(format!("malformed reply in the recording: {}", without_position(&error)))
                    .at(index + 1, column)
                    .with_help(
                        r#"each line is {"text": "…", "usage": {"input_tokens": n, "output_tokens": n}?}"#,
                    )
            })?;
            let calls = with_own_ids(line.calls);
            let Line { text, opaque, usage, finish, .. } = line;
            let reply = Reply { text, calls, opaque, usage, finish };
            replies.push((line.when, reply));
        }
        if replies.is_empty() {
            return Err(unusable("the recording holds no reply".to_string()));
        }
        Ok(Recorded { path: path.to_path_buf(), replies: Scripted::of(replies) })
    }
}

impl Recorded {
    /// Removes one reply for each of these texts. A resumed run has received those replies already.
    #[must_use]
    pub fn without<'t>(self, texts: impl IntoIterator<Item = &'t str>) -> Recorded {
        {
            let mut remaining =
                self.replies.remaining.lock().unwrap_or_else(PoisonError::into_inner);
            for text in texts {
                let at = remaining.iter().position(|(_, reply)| reply.text == text);
                at.and_then(|at| remaining.remove(at));
            }
        }
        self
    }
}

impl Provider for Recorded {
    fn complete<'a>(&'a self, request: &'a Request) -> BoxFuture<'a, Result<Reply, ProviderError>> {
        let reply = self.replies.next(request).map_err(|total| {
            let path = self.path.display();
            let replies = if total == 1 { "reply" } else { "replies" };
            ProviderError::new(
                ProviderErrorKind::Recording,
                format!("the recording {path} ran out after {total} {replies}"),
            )
        });
        Box::pin(std::future::ready(reply))
    }

    fn name(&self) -> String {
        format!("recorded:{}", self.path.display())
    }
}

/// A provider that replies from memory, in order. It is meant for tests.
#[derive(Debug)]
pub struct Scripted {
    total: usize,
    /// The remaining replies, each with the text that its request must contain.
    remaining: Mutex<VecDeque<(Option<String>, Reply)>>,
}

impl Scripted {
    /// Creates a provider that replies with these texts, one after another.
    pub fn new<T: Into<String>>(texts: impl IntoIterator<Item = T>) -> Scripted {
        Scripted::from_replies(texts.into_iter().map(Reply::new).collect())
    }

    /// Creates a provider that gives these replies, one after another.
    pub fn from_replies(replies: Vec<Reply>) -> Scripted {
        Scripted::of(replies.into_iter().map(|reply| (None, reply)).collect())
    }

    fn of(replies: Vec<(Option<String>, Reply)>) -> Scripted {
        Scripted { total: replies.len(), remaining: Mutex::new(replies.into()) }
    }

    /// Returns the next reply to a request. The error is the total number of replies.
    fn next(&self, request: &Request) -> Result<Reply, usize> {
        let mut remaining = self.remaining.lock().unwrap_or_else(PoisonError::into_inner);
        let system = request.system.text();
        let is_for = |when: &str| {
            let mut messages = request.messages.iter();
            system.contains(when)
                || messages.any(|message| {
                    let mut results = message.results.iter();
                    message.text.contains(when) || results.any(|it| it.text.contains(when))
                })
        };
        let at = remaining.iter().position(|(when, _)| when.as_deref().is_none_or(is_for));
        at.and_then(|at| remaining.remove(at)).map(|(_, reply)| reply).ok_or(self.total)
    }
}

impl Provider for Scripted {
    fn complete<'a>(&'a self, request: &'a Request) -> BoxFuture<'a, Result<Reply, ProviderError>> {
        let reply = self.next(request).map_err(|total| {
            ProviderError::new(
                ProviderErrorKind::Recording,
                format!("the script ran out after {total} replies"),
            )
        });
        Box::pin(std::future::ready(reply))
    }

    fn name(&self) -> String {
        "scripted".to_string()
    }
}

/// A provider that forwards requests to another provider and records the replies.
#[derive(Debug)]
pub struct Recorder<P> {
    inner: P,
    path: PathBuf,
    file: Mutex<File>,
}

impl<P: Provider> Recorder<P> {
    /// Creates a recording, and overwrites an existing file.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Recording`] if the file cannot be created.
    pub fn create(inner: P, path: &Path) -> Result<Recorder<P>, Error> {
        let file = File::create(path).map_err(|error| {
            Error::new(ErrorKind::Recording, format!("cannot write the recording: {error}"))
                .in_file(path)
        })?;
        Ok(Recorder { inner, path: path.to_path_buf(), file: Mutex::new(file) })
    }

    fn record(&self, reply: Reply) -> Result<Reply, ProviderError> {
        self.write(&reply).map_err(|error| {
            let path = self.path.display();
            ProviderError::new(
                ProviderErrorKind::Recording,
                format!("cannot write the recording {path}: {error}"),
            )
        })?;
        Ok(reply)
    }

    fn write(&self, reply: &Reply) -> std::io::Result<()> {
        let (text, when) = (reply.text.clone(), None);
        let (calls, opaque) = (reply.calls.clone(), reply.opaque.clone());
        let line = Line { text, calls, opaque, usage: reply.usage, finish: reply.finish, when };
        let mut line = serde_json::to_vec(&line)?;
        line.push(b'\n');
        // A reply is one short line, so writing it does not need another thread.
        self.file.lock().unwrap_or_else(PoisonError::into_inner).write_all(&line)
    }
}

impl<P: Provider> Provider for Recorder<P> {
    fn complete<'a>(&'a self, request: &'a Request) -> BoxFuture<'a, Result<Reply, ProviderError>> {
        Box::pin(async move { self.record(self.inner.complete(request).await?) })
    }

    fn ask<'a>(
        &'a self,
        request: &'a Request,
        on: &'a mut (dyn FnMut(Partial<'_>) + Send),
    ) -> BoxFuture<'a, Result<Reply, ProviderError>> {
        Box::pin(async move { self.record(self.inner.ask(request, on).await?) })
    }

    fn price_of(&self, usage: &Usage) -> Option<Cost> {
        self.inner.price_of(usage)
    }

    fn name(&self) -> String {
        self.inner.name()
    }

    fn fallbacks(&self) -> Vec<String> {
        self.inner.fallbacks()
    }

    fn check(&self) -> BoxFuture<'_, Result<Checked, ProviderError>> {
        self.inner.check()
    }
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Line {
    text: String,
    /// The calls of tools.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    calls: Vec<ModelCall>,
    /// The parts that only their provider understands.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    opaque: Vec<Opaque>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    usage: Option<Usage>,
    /// The finish reason. It is written only if the reply was not complete.
    #[serde(default, skip_serializing_if = "is_stop", deserialize_with = "known_finish")]
    finish: Finish,
    /// A text that the request must contain.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    when: Option<String>,
}

fn is_stop(finish: &Finish) -> bool {
    *finish == Finish::Stop
}

/// Refuses unknown words, because a recording may be written by hand and a typing error should not pass.
fn known_finish<'de, D: Deserializer<'de>>(from: D) -> Result<Finish, D::Error> {
    match Finish::deserialize(from)? {
        Finish::Unknown(word) => {
            Err(D::Error::unknown_variant(word.as_str(), &["stop", "length", "filtered", "other"]))
        }
        known => Ok(known),
    }
}

/// Removes serde's "at line 1 column 7", which is wrong: serde parses each line of a recording alone.
fn without_position(error: &serde_json::Error) -> String {
    let text = error.to_string();
    text.split(" at line ").next().unwrap_or(&text).to_string()
}
