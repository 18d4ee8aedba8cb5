//! The prints of a task: kept lines, or the text of a `with-out-str`.

use std::fmt::Write as _;

use ptc_values::limits::Limits;

/// Lines for the next turn, or a text.
#[derive(Clone, Default)]
pub(super) struct Prints {
    lines: Vec<String>,
    /// Bytes of the lines.
    bytes: usize,
    /// Bytes of the lines that existed when the task branched off.
    before: usize,
    /// Whether printed text was cut for lack of room.
    pub(super) cut: bool,
    /// The text to print to inside a `with-out-str`.
    pub(super) text: Option<String>,
}

impl Prints {
    pub(super) fn for_branch(&self, captured: bool) -> Prints {
        let text = (captured || self.text.is_some()).then(String::new);
        Prints { before: self.before + self.bytes, text, ..Prints::default() }
    }

    /// Adds the prints of a branch, as far as there is room.
    pub(super) fn take_in(&mut self, branch: Prints, limits: &Limits) {
        match (&mut self.text, branch.text) {
            (Some(text), Some(more)) if text.is_empty() => *text = more,
            (Some(text), Some(more)) => text.push_str(&more),
            _ => {}
        }
        let is_whole = branch.bytes <= self.room(limits);
        if self.lines.is_empty() && is_whole {
            (self.lines, self.bytes) = (branch.lines, branch.bytes);
        } else {
            branch.lines.into_iter().for_each(|line| self.keep(line, limits));
        }
        self.cut |= branch.cut;
    }

    pub(super) fn into_text(self) -> String {
        self.text.unwrap_or_default()
    }

    pub(super) fn is_untouched(&self) -> bool {
        self.lines.is_empty() && !self.cut && self.text.as_ref().is_none_or(String::is_empty)
    }

    /// Returns the fuel that adding the prints to others costs.
    pub(super) fn weight(&self) -> u64 {
        let text = self.text.as_ref().map_or(0, String::len);
        self.lines.len() as u64 / 16 + text as u64 / 256
    }

    /// Returns the bytes of the prints.
    pub(super) fn bytes(&self) -> u64 {
        let text = self.text.as_ref().map_or(0, String::len);
        (self.lines.len() * size_of::<String>() + self.bytes + text) as u64
    }

    /// Returns the bytes that may still be kept.
    pub(super) fn room(&self, limits: &Limits) -> usize {
        (limits.print_bytes as usize).saturating_sub(self.before + self.bytes)
    }

    /// Keeps a line, as far as there is room.
    pub(super) fn keep(&mut self, mut line: String, limits: &Limits) {
        let room = self.room(limits);
        if room == 0 {
            self.cut = true;
            return;
        }
        if line.len() > room {
            let mut end = room;
            while !line.is_char_boundary(end) {
                end -= 1;
            }
            line.truncate(end);
            let _ = write!(line, "…");
            self.cut = true;
        }
        self.bytes += line.len() + 1;
        self.lines.push(line);
    }

    pub(super) fn into_lines(self) -> Vec<String> {
        self.lines
    }

    pub(super) fn finish(mut self, limits: &Limits) -> Vec<String> {
        if self.cut {
            self.lines.push(format!("… (printed text is kept up to {} bytes)", limits.print_bytes));
        }
        self.lines
    }
}
