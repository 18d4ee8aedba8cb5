//! The crate's one error: what stands in the way of a run before it starts, and a store that fails.

use std::fmt;
use std::path::{Path, PathBuf};

/// What went wrong, where, and what to do about it.
///
/// One word wide. What happens *inside* a run is no error of this type: a run that stops early is
/// a [`RunReport`](crate::RunReport) with a stop code.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub struct Error(Box<Inner>);

/// The kinds of [`Error`]. Codes are stable.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ErrorKind {
    /// A file of the agent could not be read.
    Unreadable,
    /// The agent file is malformed: not TOML or JSON, an unknown key, a value of the wrong type.
    AgentFile,
    /// The definition of an agent does not make sense, whether from a file or from code.
    Agent,
    /// The input does not match the signature, or is not an object.
    Input,
    /// The model cannot be used as it is configured.
    Model,
    /// A recording is missing or malformed, or cannot be written.
    Recording,
    /// The store cannot be opened, read or written.
    Store,
    /// The file was written by another version of the store, or is no store at all.
    StoreVersion,
    /// A run on record has a row that no version wrote.
    DamagedRun,
    /// No run, or more than one, has the id that was asked for.
    UnknownRun,
    /// The prompt could not be made: a template that does not render.
    Prompt,
    /// A run has no value, or one that is not of the type that was asked for.
    Value,
    /// A run cannot be repeated or gone on with as it was asked for.
    Replay,
    /// Spans cannot be sent, or were not.
    Telemetry,
}

impl ErrorKind {
    /// Returns the stable kebab-case code.
    pub fn code(self) -> &'static str {
        match self {
            ErrorKind::Unreadable => "unreadable-file",
            ErrorKind::AgentFile => "malformed-agent-file",
            ErrorKind::Agent => "invalid-agent",
            ErrorKind::Input => "invalid-input",
            ErrorKind::Model => "unusable-model",
            ErrorKind::Recording => "unusable-recording",
            ErrorKind::Store => "store-failure",
            ErrorKind::StoreVersion => "foreign-store",
            ErrorKind::DamagedRun => "damaged-run",
            ErrorKind::UnknownRun => "unknown-run",
            ErrorKind::Prompt => "invalid-prompt",
            ErrorKind::Value => "no-such-value",
            ErrorKind::Replay => "no-replay",
            ErrorKind::Telemetry => "spans-not-sent",
        }
    }

    /// Returns the exit code of a command that ends with this error.
    ///
    /// All of them are the caller's to mend (2); [`RunReport::exit_code`](crate::RunReport::exit_code)
    /// has the others.
    pub fn exit_code(self) -> u8 {
        2
    }
}

impl Error {
    /// Makes an error of `kind`.
    #[cold]
    pub fn new(kind: ErrorKind, message: impl Into<String>) -> Error {
        let message = message.into();
        Error(Box::new(Inner { kind, message, path: None, line_column: None, help: None }))
    }

    /// Names the file that the error is about.
    #[must_use]
    pub fn in_file(mut self, path: &Path) -> Error {
        self.0.path = Some(path.to_path_buf());
        self
    }

    /// Adds the place in the file, both counted from 1, columns in characters.
    #[must_use]
    pub fn at(mut self, line: usize, column: usize) -> Error {
        self.0.line_column = Some((line, column));
        self
    }

    /// Adds what to do about it.
    #[must_use]
    pub fn with_help(mut self, help: impl Into<String>) -> Error {
        self.0.help = Some(help.into());
        self
    }

    /// Says in front of the message what it is about.
    #[must_use]
    pub fn within(mut self, what: &str) -> Error {
        self.0.message = format!("{what}: {}", self.0.message);
        self
    }

    /// Returns the kind.
    pub fn kind(&self) -> ErrorKind {
        self.0.kind
    }

    /// Returns the stable kebab-case code.
    pub fn code(&self) -> &'static str {
        self.0.kind.code()
    }

    /// Returns the message without file and place.
    pub fn message(&self) -> &str {
        &self.0.message
    }

    /// Returns the file the error is about.
    pub fn path(&self) -> Option<&Path> {
        self.0.path.as_deref()
    }

    /// Returns line and column in the file, counted from 1.
    pub fn line_column(&self) -> Option<(usize, usize)> {
        self.0.line_column
    }

    /// Returns what to do about it.
    pub fn help(&self) -> Option<&str> {
        self.0.help.as_deref()
    }
}

#[derive(Debug)]
struct Inner {
    kind: ErrorKind,
    message: String,
    path: Option<PathBuf>,
    line_column: Option<(usize, usize)>,
    help: Option<String>,
}

impl fmt::Display for Inner {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(path) = &self.path {
            write!(f, "{}:", path.display())?;
            if let Some((line, column)) = self.line_column {
                write!(f, "{line}:{column}:")?;
            }
            f.write_str(" ")?;
        }
        f.write_str(&self.message)
    }
}

/// Returns line and column, counted from 1 and in characters, of a byte offset in `text`.
pub(crate) fn line_column(text: &str, offset: usize) -> (usize, usize) {
    let before = text.get(..offset).unwrap_or(text);
    let line = before.matches('\n').count() + 1;
    let start = before.rfind('\n').map_or(0, |at| at + 1);
    (line, before[start..].chars().count() + 1)
}

/// Returns the start of `text`, cut to `max` characters with a note of what is missing.
pub(crate) fn cut(text: &str, max: usize) -> String {
    let text = text.trim();
    match text.char_indices().nth(max) {
        None => text.to_string(),
        Some((at, _)) => format!("{}… ({} bytes in all)", &text[..at], text.len()),
    }
}

/// Returns a message of serde with our words in the place of the Rust types that values go into.
pub(crate) fn in_our_words(message: &str) -> String {
    IN_OUR_WORDS.iter().fold(message.to_string(), |text, (theirs, ours)| text.replace(theirs, ours))
}

const IN_OUR_WORDS: &[(&str, &str)] = &[
    ("expected u8", "expected a whole number up to 255"),
    ("expected u16", "expected a whole number up to 65535"),
    ("expected i32", "expected a whole number from -2147483648 to 2147483647"),
    ("expected i64", "expected a whole number"),
    ("expected f64", "expected a number"),
    ("expected u32", "expected a whole number up to 4294967295"),
    ("expected u64", "expected a whole number"),
    ("expected usize", "expected a whole number"),
    ("expected a sequence", "expected a list"),
    ("expected path string", "expected a string"),
    ("expected a boolean", "expected true or false"),
    ("invalid type: ", "found "),
    ("invalid value: ", "found "),
    ("sequence", "list"),
];
