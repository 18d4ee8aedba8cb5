//! The error of a document, an operation or a request.

use std::fmt::{self, Display, Formatter};

/// A problem of a document, of an operation, or of the arguments of a request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Error {
    message: String,
    help: Option<String>,
}

impl Error {
    /// Returns the problem, as the end of a sentence about the document, the operation or the request.
    pub fn message(&self) -> &str {
        &self.message
    }

    /// Returns a way to avoid the problem.
    pub fn help(&self) -> Option<&str> {
        self.help.as_deref()
    }

    #[cold]
    pub(crate) fn new(message: impl Into<String>) -> Error {
        Error { message: message.into(), help: None }
    }

    pub(crate) fn with_help(mut self, help: impl Into<String>) -> Error {
        self.help = Some(help.into());
        self
    }
}

impl Display for Error {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for Error {}

/// The maximum length of a name of the document in a message, in characters.
const MAX_SHOWN: usize = 80;

/// Returns a text of the document for a message: without control characters, and cut.
pub(crate) fn shown(text: &str) -> String {
    cut(text, MAX_SHOWN)
}

/// Returns the start of a text, without control characters except line breaks and tabs.
pub(crate) fn cut(text: &str, max: usize) -> String {
    let is_plain = |c: &char| !c.is_control() || matches!(c, '\n' | '\t');
    let mut chars = text.trim().chars().filter(is_plain);
    let mut start: String = chars.by_ref().take(max).collect();
    if chars.next().is_some() {
        start.push('…');
    }
    start
}
