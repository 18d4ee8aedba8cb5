//! Texts that builtins make.

use super::cx::Cx;
use super::row::PROBLEM;
use ptc_values::print::{Appended, Style};
use ptc_values::{BuiltinId, CHARGE_BYTES, Ext, Grown, Res, Value, is_long};

/// The length in bytes up to which reading a text is free.
const SHORT: usize = 256;

/// The maximum capacity of the reused scratch text, in bytes.
const MAX_SCRATCH: usize = 64 << 10;

/// Returns the result of `str` for short strings and integers, its most common arguments. Returns
/// none if there are other values.
pub(crate) fn short_text<'v>(
    cx: &mut Cx,
    values: impl Iterator<Item = Option<&'v Value>>,
) -> Option<Res> {
    let mut out = std::mem::take(&mut cx.scratch);
    out.clear();
    for value in values {
        match value {
            Some(Value::Str(text)) if text.len() < SHORT => out.push_str(text),
            Some(Value::Int(int)) => out.push_str(itoa::Buffer::new().format(*int)),
            _ => {
                cx.scratch = out;
                return None;
            }
        }
    }
    if out.len() as u64 > cx.limits.memory {
        return None;
    }
    Some(match made(cx, out, 0) {
        Err(problem) => cx.spend(PROBLEM).and(Err(problem)),
        text => text,
    })
}

/// Makes a string of the scratch text. `paid` of its bytes come from long arguments, whose copies are paid for already. So
/// a text that grows pays for what is added, and less for what is copied.
pub fn made(cx: &mut Cx, out: String, paid: usize) -> Res {
    cx.charge(out.len() as u64);
    cx.spend(out.len().saturating_sub(paid) as u64 / 16 + 1)?;
    cx.scratch_text(out)
}

/// Pays for reading a whole text.
pub fn pay(cx: &mut Cx, text: &str) -> Res<()> {
    cx.spend(text.len() as u64 / 16 + 1)
}

impl Cx {
    /// Calls a builtin that calls nothing. `str` of a long text and others appends to it in place, and `str` of one that grew
    /// is that text.
    #[inline]
    pub(super) fn call_growing(&mut self, id: BuiltinId, args: &mut [Value]) -> Res {
        if let [first, rest @ ..] = &*args
            && is_long(first)
            && id.name() == "str"
            && (matches!(first, Value::Str(_)) && !rest.is_empty() || Grown::of(first).is_some())
            && let [first, more @ ..] = args
        {
            let grown = self.grown(first, more);
            if grown.is_err() {
                self.spend(PROBLEM)?;
            }
            return grown;
        }
        self.call_inline(id, args)
    }

    /// Appends the texts of values to a long text, and pays for these alone if nobody has appended to that text.
    #[cold]
    fn grown(&mut self, first: &Value, more: &mut [Value]) -> Res {
        if more.is_empty() {
            return self.spend(1).map(|()| first.clone());
        }
        more.iter_mut().try_for_each(|value| self.build(value))?;
        self.charge_arguments(more)?;
        let len = Grown::of(first).map_or_else(|| first.as_str().map_or(0, str::len), Grown::len);
        let mut added = std::mem::take(&mut self.scratch);
        added.clear();
        let paid = self.write_texts(&mut added, more)?;
        if (len + added.len()) as u64 > self.limits.memory {
            return Err(self.too_much());
        }
        self.spend(added.len().saturating_sub(paid) as u64 / 16 + 1)?;
        self.alloc(added.len() as u64 + 128)?;
        let longer = Grown::of(first).and_then(|text| text.append(&added));
        let longer = match longer {
            Some(longer) => longer,
            None => {
                self.spend(len as u64 / CHARGE_BYTES)?;
                self.alloc(len as u64)?;
                let mut copy = match Grown::of(first) {
                    Some(text) => text.copied(added.len()),
                    None => {
                        let mut copy = String::with_capacity(len + added.len());
                        copy.push_str(first.as_str().unwrap_or_default());
                        copy
                    }
                };
                copy.push_str(&added);
                Grown::new(copy)
            }
        };
        if added.capacity() <= MAX_SCRATCH {
            self.scratch = added;
        }
        Ok(Ext::Grown(longer).into_value())
    }

    /// Writes the texts of values one after another, as `str` does. Returns the bytes of long arguments, whose copies are
    /// paid for already.
    pub fn write_texts(&mut self, out: &mut String, values: &[Value]) -> Res<usize> {
        let mut paid = 0;
        for value in values {
            if let Value::Str(text) = value
                && is_long(value)
            {
                paid += text.len();
            }
            match value {
                Value::Str(text) if (out.len() + text.len()) as u64 > self.limits.memory => {
                    return Err(self.too_much());
                }
                Value::Str(text) => out.push_str(text),
                Value::Int(int) => out.push_str(itoa::Buffer::new().format(*int)),
                other => self.text_of(out, other, false)?,
            }
            if out.len() as u64 > self.limits.memory {
                return Err(self.too_much());
            }
        }
        Ok(paid)
    }

    /// Makes a string of the scratch text, which is paid for.
    pub fn scratch_text(&mut self, out: String) -> Res {
        let text = self.string(out.as_str());
        if out.capacity() <= MAX_SCRATCH {
            self.scratch = out;
        }
        text
    }

    /// Prints values separated by spaces. A text gets `end` behind them; a kept line needs none.
    pub fn print(&mut self, values: &[Value], readable: bool, end: &str) -> Res<()> {
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
