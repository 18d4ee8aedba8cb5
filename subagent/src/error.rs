//! The error type of the crate: faults that prevent a run from starting, and failures of a store.

use std::fmt;
use std::path::{Path, PathBuf};

/// An error with a message, its location, and advice on how to fix it.
///
/// The type is one word wide. A failure *inside* a run is not an error of this type: a run that stops early is a
/// [`RunReport`](crate::RunReport) with a stop code.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub struct Error(Box<Inner>);

/// The kinds of [`Error`]. Their codes are stable.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ErrorKind {
    /// A file of the agent could not be read.
    Unreadable,
    /// The agent file is malformed: not TOML or JSON, an unknown key, a value of the wrong type.
    AgentFile,
    /// The definition of an agent, in a file or in code, is inconsistent.
    Agent,
    /// The settings of a run are malformed.
    Settings,
    /// The input does not match the signature, or is not an object.
    Input,
    /// The model cannot be used with its configuration.
    Model,
    /// A recording is missing or malformed, or cannot be written.
    Recording,
    /// The store cannot be opened, read or written.
    Store,
    /// The file is a store of another version, or is not a store.
    StoreVersion,
    /// A recorded run has a row that no version of the store writes.
    DamagedRun,
    /// No run, or more than one run, has the requested id.
    UnknownRun,
    /// The run has no such call.
    UnknownCall,
    /// The prompt cannot be rendered from its template.
    Prompt,
    /// A run has no value, or its value does not have the requested type.
    Value,
    /// A run cannot be replayed or resumed as requested.
    Replay,
    /// The file of a trial is malformed.
    Trial,
    /// Spans cannot be sent, or were lost.
    Telemetry,
    /// An MCP server or an API that an agent file names cannot be used.
    Server,
}

impl ErrorKind {
    /// Returns the stable kebab-case code.
    pub fn code(self) -> &'static str {
        match self {
            ErrorKind::Unreadable => "unreadable-file",
            ErrorKind::AgentFile => "malformed-agent-file",
            ErrorKind::Agent => "invalid-agent",
            ErrorKind::Settings => "invalid-settings",
            ErrorKind::Input => "invalid-input",
            ErrorKind::Model => "unusable-model",
            ErrorKind::Recording => "unusable-recording",
            ErrorKind::Store => "store-failure",
            ErrorKind::StoreVersion => "foreign-store",
            ErrorKind::DamagedRun => "damaged-run",
            ErrorKind::UnknownRun => "unknown-run",
            ErrorKind::UnknownCall => "unknown-call",
            ErrorKind::Prompt => "invalid-prompt",
            ErrorKind::Value => "no-such-value",
            ErrorKind::Replay => "no-replay",
            ErrorKind::Trial => "malformed-trial",
            ErrorKind::Telemetry => "spans-not-sent",
            ErrorKind::Server => "unusable-server",
        }
    }

    /// Returns the exit code of a command that ends with this error.
    ///
    /// The caller can fix every one of these errors, so it is always 2.
    /// [`RunReport::exit_code`](crate::RunReport::exit_code) has the other codes.
    pub fn exit_code(self) -> u8 {
        2
    }
}

impl Error {
    /// Creates an error of `kind`.
    #[cold]
    pub fn new(kind: ErrorKind, message: impl Into<String>) -> Error {
        let message = message.into();
        Error(Box::new(Inner { kind, message, path: None, line_column: None, help: None }))
    }

    /// Sets the file that the error is about.
    #[must_use]
    pub fn in_file(mut self, path: &Path) -> Error {
        self.0.path = Some(path.to_path_buf());
        self
    }

    /// Sets the line and the column in the file. Both start at 1, and columns count characters.
    #[must_use]
    pub fn at(mut self, line: usize, column: usize) -> Error {
        self.0.line_column = Some((line, column));
        self
    }

    /// Sets the advice on how to fix the error.
    #[must_use]
    pub fn with_help(mut self, help: impl Into<String>) -> Error {
        self.0.help = Some(help.into());
        self
    }

    /// Sets the kind.
    #[must_use]
    pub(crate) fn of_kind(mut self, kind: ErrorKind) -> Error {
        self.0.kind = kind;
        self
    }

    /// Returns the error without the file and the place in it.
    #[must_use]
    pub(crate) fn without_place(mut self) -> Error {
        (self.0.path, self.0.line_column) = (None, None);
        self
    }

    /// Prefixes the message with the name of the part that it is about.
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

    /// Returns the message without the file, the line and the column.
    pub fn message(&self) -> &str {
        &self.0.message
    }

    /// Returns the file that the error is about.
    pub fn path(&self) -> Option<&Path> {
        self.0.path.as_deref()
    }

    /// Returns the line and the column in the file. Both start at 1, and columns count characters.
    pub fn line_column(&self) -> Option<(usize, usize)> {
        self.0.line_column
    }

    /// Returns the advice on how to fix the error.
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

/// Returns the line and the column of a byte offset in `text`. Both start at 1, and columns count characters.
pub(crate) fn line_column(text: &str, offset: usize) -> (usize, usize) {
    let before = text.get(..offset).unwrap_or(text);
    let line = before.matches('\n').count() + 1;
    let start = before.rfind('\n').map_or(0, |at| at + 1);
    (line, before[start..].chars().count() + 1)
}

/// Rewrites a message of serde: plain words replace the names of Rust types.
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
