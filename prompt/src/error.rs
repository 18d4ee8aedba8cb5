//! The error of rendering a prompt.

use std::fmt;

/// The reason that a prompt cannot be rendered. The text names the offending thing.
#[derive(Debug)]
pub struct Error(Box<Inner>);

#[derive(Debug)]
struct Inner {
    kind: ErrorKind,
    message: String,
}

/// The kind of an [`Error`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ErrorKind {
    /// A placeholder of the mission is malformed.
    MalformedPlaceholder,
    /// A placeholder of the mission has no value in the input.
    MissingValue,
    /// A placeholder of the mission would show the model a hidden field.
    HiddenValue,
    /// A placeholder of the mission names an input that the signature does not have.
    UnknownPlaceholder,
    /// A template fails to render.
    Template,
    /// The prompt is too long, even after every possible cut.
    TooLong,
}

impl Error {
    /// Returns the kind of the error.
    pub fn kind(&self) -> ErrorKind {
        self.0.kind
    }

    /// Returns the stable code.
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

    /// Makes the error of a style of a host that cannot render a text.
    pub fn unrendered(message: impl Into<String>) -> Self {
        Self::new(ErrorKind::Template, message)
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
