//! What a program prints: lines that are kept, or the text of a `with-out-str`.

use std::fmt::Write as _;
use std::sync::{Arc, Mutex, PoisonError};

use super::Limits;
use super::cx::{Cx, Res};
use crate::value::Value;
use crate::value::print::{Appended, Style};

/// Lines that the next turn is shown.
#[derive(Default)]
pub(super) struct Prints {
    lines: Vec<String>,
    bytes: usize,
    /// Whether something was left out for want of room.
    cut: bool,
    /// Where the running task prints to instead.
    pub(super) captured: Option<Captured>,
}

/// A text that tasks print to; branches share that of the task they branched off from.
#[derive(Clone, Default)]
pub(super) struct Captured(Arc<Mutex<String>>);

impl Captured {
    fn add(&self, text: &str) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).push_str(text);
    }

    pub(super) fn len(&self) -> usize {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).len()
    }

    pub(super) fn take(&self) -> String {
        std::mem::take(&mut *self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

impl Prints {
    /// Lines that are kept.
    pub(super) fn lines(&self) -> &[String] {
        &self.lines
    }

    pub(super) fn finish(mut self, limits: &Limits) -> Vec<String> {
        if self.cut {
            self.lines.push(format!("… (printed text is kept up to {} bytes)", limits.print_bytes));
        }
        self.lines
    }
}

impl Cx {
    /// Prints values with spaces between them and an end, which a line that is kept does not need.
    pub(crate) fn print(&mut self, values: &[Value], readable: bool, end: &str) -> Res<()> {
        if let Some(captured) = self.prints.captured.clone() {
            let max = self.limits.memory as usize;
            let mut text = String::new();
            let whole = self.write(&mut text, values, readable, max)?;
            text.push_str(end);
            self.spend(text.len() as u64 / 16 + 1)?;
            self.alloc(text.len() as u64)?;
            captured.add(&text);
            return if whole { Ok(()) } else { Err(self.too_much()) };
        }
        let room = (self.limits.print_bytes as usize).saturating_sub(self.prints.bytes);
        if room == 0 {
            self.prints.cut = true;
            return Ok(());
        }
        let mut line = String::new();
        if !self.write(&mut line, values, readable, room)? {
            self.prints.cut = true;
        }
        self.spend(line.len() as u64 / 16 + 1)?;
        if line.len() > room {
            let mut end = room;
            while !line.is_char_boundary(end) {
                end -= 1;
            }
            line.truncate(end);
            let _ = write!(line, "…");
            self.prints.cut = true;
        }
        self.prints.bytes += line.len() + 1;
        self.prints.lines.push(line);
        Ok(())
    }

    /// Writes values with spaces between them; false when the room did not do.
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
