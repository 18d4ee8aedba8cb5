//! The reading of the author of programs, such as a model. Constants of later programs may come from that.

use super::label::Label;

/// The labels of what an author has read, and the trusted texts that it may take constants from.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Reading {
    pub label: Label,
    /// The label of everything that the programs have read, which a refusal of a later one may quote.
    pub met: Label,
    trusted: String,
}

/// The most bytes of texts that constants are looked for in.
const MOST_TRUSTED: usize = 1 << 20;

impl Reading {
    pub fn new(label: Label, met: Label, trusted: &str) -> Reading {
        Reading { label, met, trusted: trusted.to_owned() }
    }

    /// Adds a trusted text. Beyond a limit, its constants are not found.
    pub fn trust(&mut self, text: &str) {
        if self.trusted.len() + text.len() <= MOST_TRUSTED {
            self.trusted.push('\n');
            self.trusted.push_str(text);
        }
    }

    pub fn trusted(&self) -> &str {
        &self.trusted
    }
}
