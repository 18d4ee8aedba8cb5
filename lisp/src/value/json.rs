//! JSON in both directions, without native recursion and with every digit.
//!
//! `serde_json` recurs on nesting and reads integers over 64 bits as doubles. Data from tools may
//! be deep or hold such integers, so this module reads and writes JSON itself.

mod read;
mod serde;
mod write;

use std::fmt;

pub use read::parse;
pub(crate) use read::{MAX_DIGITS, parse_within};
pub use serde::{from_serde, plain, to_serde};
pub(crate) use write::{key_text, size, write_within};
pub use write::{write, write_pretty};

/// The reason a text is not JSON.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{message} at line {line}, column {column}")]
pub struct Error {
    /// The expectation or the problem.
    pub message: String,
    /// The line, from 1.
    pub line: u32,
    /// The column in characters, from 1.
    pub column: u32,
}

/// A value without a JSON form, and its path.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NotJson {
    /// The path of the value, such as `rows[0].f`; empty for the whole value.
    pub path: String,
    /// The kind of the value.
    pub what: &'static str,
}

impl fmt::Display for NotJson {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.path.is_empty() {
            write!(f, "a {} has no JSON form", self.what)
        } else {
            write!(f, "{}: a {} has no JSON form", self.path, self.what)
        }
    }
}

impl std::error::Error for NotJson {}
