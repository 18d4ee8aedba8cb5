//! Changes of what is sent of a conversation.

use std::fmt;

use ptc_prompt::CHARS_PER_TOKEN;
use serde::{Deserialize, Serialize};

use crate::words::words;

/// A change of what is sent of a conversation, from one request on.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct TranscriptChange {
    /// The kind of the change.
    pub did: TranscriptDeed,
    /// The turn whose outcome the changed message tells.
    pub turn: u32,
    /// The place of the changed result among those of the message; `None` for the text of the message, or all of it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub result: Option<u32>,
    /// The number of characters that stay at the beginning.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub head: u32,
    /// The text that replaces the rest, or the line about a turn that is left out.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub note: String,
    /// The number of characters that stay at the end, behind the note.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub tail: u32,
    /// Whether the model cannot get the whole text back.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub lost: bool,
    /// The estimated number of tokens that each request saves by the change. It is negative for an expansion.
    pub tokens_saved: i64,
}

words! {
    /// The kind of a change of what is sent. All other messages are kept.
    pub enum TranscriptDeed {
        /// A result has expired, and its beginning stays.
        Shortened = "shortened",
        /// A result has expired, and a summary by a model replaces it.
        Summarized = "summarized",
        /// A result has expired, and a note replaces it.
        Removed = "removed",
        /// A turn is left out, and a line in the first message replaces it.
        LeftOut = "left-out",
        /// A message was cut, since the conversation was too long for the model.
        Cut = "cut",
        /// A message is sent whole again.
        Expanded = "expanded",
    }
}

impl TranscriptChange {
    /// Makes a change that keeps nothing of a text but a note.
    pub(crate) fn new(did: TranscriptDeed, turn: u32) -> TranscriptChange {
        let (note, lost, tokens_saved) = (String::new(), false, 0);
        TranscriptChange { did, turn, result: None, head: 0, note, tail: 0, lost, tokens_saved }
    }

    /// Returns what is sent of a text.
    pub(crate) fn of_text(&self, text: &str) -> String {
        let head = text.char_indices().nth(self.head as usize).map_or(text.len(), |(at, _)| at);
        let mut sent = text.get(..head).unwrap_or_default().to_string();
        sent.push_str(&self.note);
        if let Some(before) = self.tail.checked_sub(1) {
            let tail = text.char_indices().rev().nth(before as usize).map_or(0, |(at, _)| at);
            sent.push_str(text.get(tail..).unwrap_or_default());
        }
        sent
    }
}

impl fmt::Display for TranscriptChange {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "turn {}", self.turn)?;
        if let Some(at) = self.result {
            write!(f, ", result {}", at.saturating_add(1))?;
        }
        let does = if self.tokens_saved < 0 { "adds" } else { "saves" };
        write!(f, ": {}, {does} about {} tokens", self.did, self.tokens_saved.unsigned_abs())
    }
}

/// Estimates the tokens of this many bytes of text.
pub(crate) fn tokens_of(bytes: usize) -> i64 {
    (bytes as f64 / CHARS_PER_TOKEN) as i64
}

/// Returns the number of bytes of text in so many tokens.
pub(super) fn bytes_of(tokens: u32) -> usize {
    (f64::from(tokens) * CHARS_PER_TOKEN) as usize
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde asks for a reference")]
fn is_zero(count: &u32) -> bool {
    *count == 0
}
