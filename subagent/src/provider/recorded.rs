//! Replies that are known beforehand, and the writer of such recordings.

use std::collections::VecDeque;
use std::fs::File;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize};

use super::{
    BoxFuture, Checked, Cost, Finish, Partial, Provider, ProviderError, ProviderErrorKind, Reply,
    Request, Usage,
};
use crate::error::{Error, ErrorKind};

/// Answers from a recording, in order. Of the conversation it only knows what a line asks for with `when`: such a
/// reply is for a request that has this text, which sub-agents side by side need.
#[derive(Debug)]
pub struct Recorded {
    path: PathBuf,
    replies: Scripted,
}

impl Recorded {
    /// Reads the whole recording, so that a malformed line is found before the run starts.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Recording`] if the file cannot be read or a line is malformed.
    pub fn open(path: &Path) -> Result<Recorded, Error> {
        let unusable = |message: String| Error::new(ErrorKind::Recording, message).in_file(path);
        let text = std::fs::read_to_string(path)
            .map_err(|error| unusable(format!("cannot read the recording: {error}")))?;
        let mut replies = Vec::new();
        for (index, line) in text.lines().enumerate() {
            if line.trim().is_empty() {
                continue;
            }
            let line: Line = serde_json::from_str(line).map_err(|error| {
                let column = error.column().max(1);
                unusable(format!("malformed reply in the recording: {}", without_place(&error)))
                    .at(index + 1, column)
                    .with_help(
                        r#"each line is {"text": "…", "usage": {"input_tokens": n, "output_tokens": n}?}"#,
                    )
            })?;
            let reply = Reply { text: line.text, usage: line.usage, finish: line.finish };
            replies.push((line.when, reply));
        }
        if replies.is_empty() {
            return Err(unusable("the recording holds no reply".to_string()));
        }
        Ok(Recorded { path: path.to_path_buf(), replies: Scripted::of(replies) })
    }
}

impl Recorded {
    /// Leaves out replies that were given before: one for each of these texts.
    #[must_use]
    pub fn without<'t>(self, texts: impl IntoIterator<Item = &'t str>) -> Recorded {
        {
            let mut left = self.replies.left.lock().unwrap_or_else(PoisonError::into_inner);
            for text in texts {
                let at = left.iter().position(|(_, reply)| reply.text == text);
                at.and_then(|at| left.remove(at));
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

/// Answers from memory, in order; for tests.
#[derive(Debug)]
pub struct Scripted {
    total: usize,
    /// The replies that are left, each with the text that a request for it has.
    left: Mutex<VecDeque<(Option<String>, Reply)>>,
}

impl Scripted {
    /// Makes a provider that says these texts one after another.
    pub fn new<T: Into<String>>(texts: impl IntoIterator<Item = T>) -> Scripted {
        Scripted::from_replies(texts.into_iter().map(Reply::new).collect())
    }

    /// Makes a provider that gives these replies one after another.
    pub fn from_replies(replies: Vec<Reply>) -> Scripted {
        Scripted::of(replies.into_iter().map(|reply| (None, reply)).collect())
    }

    fn of(replies: Vec<(Option<String>, Reply)>) -> Scripted {
        Scripted { total: replies.len(), left: Mutex::new(replies.into()) }
    }

    /// Returns the next reply for such a request, or how many there were.
    fn next(&self, request: &Request) -> Result<Reply, usize> {
        let mut left = self.left.lock().unwrap_or_else(PoisonError::into_inner);
        let system = request.system.text();
        let is_for = |when: &str| {
            let mut messages = request.messages.iter();
            system.contains(when) || messages.any(|message| message.text.contains(when))
        };
        let at = left.iter().position(|(when, _)| when.as_deref().is_none_or(is_for));
        at.and_then(|at| left.remove(at)).map(|(_, reply)| reply).ok_or(self.total)
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

/// Passes everything on to another provider and writes its replies down as a recording.
#[derive(Debug)]
pub struct Recorder<P> {
    inner: P,
    path: PathBuf,
    file: Mutex<File>,
}

impl<P: Provider> Recorder<P> {
    /// Starts a recording. An existing file is overwritten.
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

    fn keep(&self, reply: Reply) -> Result<Reply, ProviderError> {
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
        let line = Line { text, usage: reply.usage, finish: reply.finish, when };
        let mut line = serde_json::to_vec(&line)?;
        line.push(b'\n');
        // One short line for each reply of a model: not worth a thread.
        self.file.lock().unwrap_or_else(PoisonError::into_inner).write_all(&line)
    }
}

impl<P: Provider> Provider for Recorder<P> {
    fn complete<'a>(&'a self, request: &'a Request) -> BoxFuture<'a, Result<Reply, ProviderError>> {
        Box::pin(async move { self.keep(self.inner.complete(request).await?) })
    }

    fn ask<'a>(
        &'a self,
        request: &'a Request,
        on: &'a mut (dyn FnMut(Partial<'_>) + Send),
    ) -> BoxFuture<'a, Result<Reply, ProviderError>> {
        Box::pin(async move { self.keep(self.inner.ask(request, on).await?) })
    }

    fn price_of(&self, usage: &Usage) -> Option<Cost> {
        self.inner.price_of(usage)
    }

    fn name(&self) -> String {
        self.inner.name()
    }

    fn check(&self) -> BoxFuture<'_, Result<Checked, ProviderError>> {
        self.inner.check()
    }
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Line {
    text: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    usage: Option<Usage>,
    /// Written only when the reply was not complete, so that it is taken for the same again.
    #[serde(default, skip_serializing_if = "is_stop", deserialize_with = "known")]
    finish: Finish,
    /// What a request for it has somewhere.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    when: Option<String>,
}

fn is_stop(finish: &Finish) -> bool {
    *finish == Finish::Stop
}

/// Somebody may have written a recording by hand: a word that is not ours is a slip.
fn known<'de, D: Deserializer<'de>>(from: D) -> Result<Finish, D::Error> {
    match Finish::deserialize(from)? {
        Finish::Unknown(word) => {
            Err(D::Error::unknown_variant(word.as_str(), &["stop", "length", "filtered", "other"]))
        }
        known => Ok(known),
    }
}

/// Drops serde's own "at line 1 column 7": every line of a recording is line 1 to it.
fn without_place(error: &serde_json::Error) -> String {
    let text = error.to_string();
    text.split(" at line ").next().unwrap_or(&text).to_string()
}
