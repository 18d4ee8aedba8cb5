//! JSON in both directions, without native recursion and with every digit.
//!
//! `serde_json` recurs on nesting and reads integers over 64 bits as doubles. Data from tools may
//! be deep or hold such integers, so this module reads and writes JSON itself.

pub mod marks;
mod read;
mod serde;
mod write;

use std::fmt;

pub use read::parse;
pub use read::{MAX_DIGITS, parse_within};
pub use serde::{from_serde, plain, to_serde};
pub use write::{key_text, size, write_within};
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

/// Returns the number of bytes before the first quote, backslash or control character.
fn plain_length(text: &[u8]) -> Option<usize> {
    const ONES: u64 = u64::MAX / 255;
    const HIGHS: u64 = ONES << 7;
    // Sets the high bit of each byte that is zero. Bytes above such a byte may be wrong, so only the
    // first one counts.
    let zeros = |word: u64| word.wrapping_sub(ONES) & !word & HIGHS;
    let (words, rest) = text.as_chunks::<8>();
    for (at, word) in words.iter().enumerate() {
        let word = u64::from_le_bytes(*word);
        let quotes = zeros(word ^ (ONES * u64::from(b'"')));
        let escapes = zeros(word ^ (ONES * u64::from(b'\\')));
        let controls = word.wrapping_sub(ONES * 0x20) & !word & HIGHS;
        let found = quotes | escapes | controls;
        if found != 0 {
            return Some(at * 8 + found.trailing_zeros() as usize / 8);
        }
    }
    let found = rest.iter().position(|byte| matches!(byte, b'"' | b'\\' | 0..=0x1f))?;
    Some(words.len() * 8 + found)
}
