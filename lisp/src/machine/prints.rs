//! The prints of a task: kept lines, or the text of a `with-out-str`.

use std::fmt::Write as _;

use super::cx::Cx;
use crate::limits::Limits;
use crate::value::print::{Appended, Style};
use crate::value::{Res, Value};

/// Lines for the next turn, or a text.
#[derive(Clone, Default)]
pub(super) struct Prints {
    lines: Vec<String>,
    /// Bytes of the lines.
    bytes: usize,
    /// Bytes of the lines that existed when the task branched off.
    before: usize,
    /// Whether printed text was cut for lack of room.
    cut: bool,
    /// The text to print to inside a `with-out-str`.
    text: Option<String>,
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
    fn room(&self, limits: &Limits) -> usize {
        (limits.print_bytes as usize).saturating_sub(self.before + self.bytes)
    }

    /// Keeps a line, as far as there is room.
    fn keep(&mut self, mut line: String, limits: &Limits) {
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

impl Cx {
    /// Prints values separated by spaces. A text gets `end` behind them; a kept line needs none.
    pub(crate) fn print(&mut self, values: &[Value], readable: bool, end: &str) -> Res<()> {
        if self.own.prints.text.is_some() {
            let max = self.limits.memory as usize;
            let mut text = String::new();
            let whole = self.write(&mut text, values, readable, max)?;
            text.push_str(end);
            self.spend(text.len() as u64 / 16 + 1)?;
            self.alloc(text.len() as u64)?;
            self.own.prints.text.get_or_insert_default().push_str(&text);
            return if whole { Ok(()) } else { Err(self.too_much()) };
        }
        let room = self.own.prints.room(&self.limits);
        if room == 0 {
            self.own.prints.cut = true;
            return Ok(());
        }
        let mut line = String::new();
        if !self.write(&mut line, values, readable, room)? {
            self.own.prints.cut = true;
        }
        self.spend(line.len() as u64 / 16 + 1)?;
        self.charge(line.len() as u64);
        self.own.prints.keep(line, &self.limits);
        Ok(())
    }

    /// Writes values separated by spaces; returns false if the room did not suffice.
    fn write(
        &mut self,
        line: &mut String,
        values: &[Value],
        readable: bool,
        room: usize,
    ) -> Res<bool> {
        let style = if readable { Style::Readable } else { Style::Printed };
        for (at, value) in values.iter().enumerate() {
            if at > 0 {
                line.push(' ');
            }
            if self.append(line, value, style, room)? != Appended::Whole {
                return Ok(false);
            }
        }
        Ok(true)
    }
}
