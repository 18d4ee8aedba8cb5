//! Errors in the text of a signature.

use std::ops::Range;

/// The reason that a text is not a signature or type.
///
/// The message is in lower case, has no final dot, and names the expectation and the finding.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{}", .0.message)]
pub struct Error(Box<Inner>);

/// The kind of an [`Error`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ErrorKind {
    /// The text does not follow the grammar: `signature-syntax`.
    Syntax,
    /// A type name that does not exist: `unknown-type`.
    UnknownType,
    /// Two fields or parameters with the same name: `duplicate-field`.
    DuplicateField,
    /// An enum names a word twice: `duplicate-value`.
    DuplicateValue,
    /// A union names a type twice: `duplicate-type`.
    DuplicateType,
    /// A range that is empty or does not suit its type: `invalid-range`.
    InvalidRange,
    /// Types nest deeper than [`MAX_NESTING`](crate::MAX_NESTING): `type-nesting`.
    Nesting,
    /// The text is longer than [`MAX_SOURCE`](crate::MAX_SOURCE): `signature-length`.
    TooLong,
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct Inner {
    kind: ErrorKind,
    span: Range<usize>,
    message: String,
    help: Option<String>,
}

impl Error {
    /// Returns the kind of the error.
    pub fn kind(&self) -> ErrorKind {
        self.0.kind
    }

    /// Returns the stable code, such as `unknown-type`.
    pub fn code(&self) -> &'static str {
        self.0.kind.code()
    }

    /// Returns the span of the error in the text, in bytes. It is empty at the end of the text.
    pub fn span(&self) -> Range<usize> {
        self.0.span.clone()
    }

    /// Returns advice on how to fix the error, where there is any.
    pub fn help(&self) -> Option<&str> {
        self.0.help.as_deref()
    }

    #[cold]
    pub(crate) fn new(kind: ErrorKind, span: Range<usize>, message: impl Into<String>) -> Error {
        Error(Box::new(Inner { kind, span, message: message.into(), help: None }))
    }

    pub(crate) fn with_help(mut self, help: impl Into<String>) -> Error {
        self.0.help = Some(help.into());
        self
    }
}

impl ErrorKind {
    /// Returns the stable code, such as `unknown-type`.
    pub fn code(self) -> &'static str {
        match self {
            ErrorKind::Syntax => "signature-syntax",
            ErrorKind::UnknownType => "unknown-type",
            ErrorKind::DuplicateField => "duplicate-field",
            ErrorKind::DuplicateValue => "duplicate-value",
            ErrorKind::DuplicateType => "duplicate-type",
            ErrorKind::InvalidRange => "invalid-range",
            ErrorKind::Nesting => "type-nesting",
            ErrorKind::TooLong => "signature-length",
        }
    }
}
