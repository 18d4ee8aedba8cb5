//! Why a prompt cannot be made.

use std::fmt;

/// Why a prompt cannot be made. The text names the offending thing.
#[derive(Debug)]
pub struct Error(Box<Inner>);

#[derive(Debug)]
struct Inner {
    kind: ErrorKind,
    message: String,
}

/// What is wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ErrorKind {
    /// A placeholder of the mission is not written as one.
    MalformedPlaceholder,
    /// A placeholder of the mission has no value in the input.
    MissingValue,
    /// A placeholder of the mission would show the model a hidden field.
    HiddenValue,
    /// A placeholder of the mission names an input that the signature does not have.
    UnknownPlaceholder,
    /// A template does not work: a bug of the template.
    Template,
    /// The prompt is longer than it may be, with everything cut that may be cut.
    TooLong,
}

impl Error {
    /// What is wrong.
    pub fn kind(&self) -> ErrorKind {
        self.0.kind
    }

    /// A stable name of what is wrong.
    pub fn code(&self) -> &'static str {
        match self.0.kind {
            ErrorKind::MalformedPlaceholder => "malformed-placeholder",
            ErrorKind::MissingValue => "missing-value",
            ErrorKind::HiddenValue => "hidden-value",
            ErrorKind::UnknownPlaceholder => "unknown-placeholder",
            ErrorKind::Template => "template",
            ErrorKind::TooLong => "prompt-too-long",
        }
    }

    pub(crate) fn new(kind: ErrorKind, message: impl Into<String>) -> Self {
        Self(Box::new(Inner { kind, message: message.into() }))
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0.message)
    }
}

impl std::error::Error for Error {}
