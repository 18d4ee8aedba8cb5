//! Renders values for a model: in the notation of the language, cut, without hidden fields.
//!
//! String keys appear as keywords, because a program reads them as such (`(:id m)`).

use std::fmt::Write;

use ptc_lisp::Value;
use ptc_signatures::HIDDEN;

use crate::PromptLimits;

/// A rendered value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Sample {
    pub(crate) text: String,
    /// The size of a list: `(5 items)`. Empty for anything else.
    pub(crate) size: String,
    /// Whether the text omits a part of the value because of its size.
    pub(crate) cut: bool,
    /// Whether the text has a hidden field, shown as [`HIDDEN`].
    pub(crate) hidden: bool,
}

/// Renders the beginning of a value, within the limits, without the values of hidden fields.
pub(crate) fn sample(value: &Value, limits: &PromptLimits) -> Sample {
    write(value, limits, false)
}

/// Renders a value as [`sample`] does, but with hidden fields: for examples generated from a type,
/// which are not anyone's data.
pub(crate) fn sample_unredacted(value: &Value, limits: &PromptLimits) -> Sample {
    write(value, limits, true)
}

fn write(value: &Value, limits: &PromptLimits, reveal: bool) -> Sample {
    let mut writer = Writer {
        out: String::new(),
        limits,
        reveal,
        room: limits.string_truncate.saturating_mul(4),
        cut: false,
        hidden: false,
    };
    let count = len(value);
    match count {
        Some(count) => writer.items(value, count, 0),
        None => writer.value(value, 0),
    }
    let size = count.map(size_note).unwrap_or_default();
    Sample { text: writer.out, size, cut: writer.cut, hidden: writer.hidden }
}

/// Returns whether a field of this name is hidden from the model.
pub(crate) fn is_hidden(name: &str) -> bool {
    name.starts_with('_')
}

/// Returns whether a name can be written as a keyword or a symbol.
pub(crate) fn is_plain_name(name: &str) -> bool {
    let mut chars = name.chars();
    let begins = chars.next().is_some_and(|c| c.is_alphabetic() || "_*+!?<>=-".contains(c));
    begins && chars.all(|c| c.is_alphanumeric() || "_*+!?<>=.$&-".contains(c))
}

/// The maximum depth of containers, in levels, which also bounds the recursion. Deeper containers
/// appear as `...`.
const MAX_DEPTH: usize = 8;
/// The maximum number of keys of a map.
const MAX_KEYS: usize = 24;

struct Writer<'a> {
    out: String,
    limits: &'a PromptLimits,
    /// Whether hidden fields appear like others.
    reveal: bool,
    /// The length of the text, in bytes, beyond which containers add no further items.
    room: usize,
    cut: bool,
    hidden: bool,
}

impl Writer<'_> {
    fn value(&mut self, value: &Value, depth: usize) {
        if let Some(text) = value.as_str() {
            self.string(text, depth);
        } else if let Some(count) = len(value) {
            self.items(value, count, depth);
            if count > self.limits.list_sample {
                self.out.push(' ');
                self.out.push_str(&size_note(count));
            }
        } else if value.as_map().is_some() {
            self.map(value, depth);
        } else {
            let _ = write!(self.out, "{value}");
        }
    }

    fn string(&mut self, text: &str, depth: usize) {
        let most = self.limits.string_truncate;
        let most = if depth == 0 { most } else { most.div_ceil(4) };
        match text.char_indices().nth(most) {
            None => quote(&mut self.out, text),
            Some((end, _)) => {
                self.cut = true;
                quote(&mut self.out, text.get(..end).unwrap_or(text));
                self.out.pop();
                let _ = write!(self.out, "...\" ({} characters)", text.chars().count());
            }
        }
    }

    fn items(&mut self, value: &Value, count: usize, depth: usize) {
        let (open, close) = match value {
            Value::List(_) => ("(", ")"),
            Value::Set(_) => ("#{", "}"),
            _ => ("[", "]"),
        };
        self.out.push_str(open);
        let shown = if depth < MAX_DEPTH { self.limits.list_sample } else { 0 };
        let mut written = 0;
        for item in value.items().into_iter().flatten().take(shown) {
            if self.out.len() > self.room {
                break;
            }
            if written > 0 {
                self.out.push(' ');
            }
            self.value(item, depth + 1);
            written += 1;
        }
        self.rest(written, count);
        self.out.push_str(close);
    }

    fn map(&mut self, value: &Value, depth: usize) {
        let Some(map) = value.as_map() else { return };
        self.out.push('{');
        let shown = if depth < MAX_DEPTH { MAX_KEYS } else { 0 };
        let mut written = 0;
        for (key, value) in map.iter().take(shown) {
            if self.out.len() > self.room {
                break;
            }
            if written > 0 {
                self.out.push_str(", ");
            }
            let name = key.name();
            match name {
                Some(name) if is_plain_name(name) => {
                    let _ = write!(self.out, ":{name} ");
                }
                _ => {
                    self.value(key, depth + 1);
                    self.out.push(' ');
                }
            }
            if name.is_some_and(is_hidden) && !self.reveal {
                self.hidden = true;
                self.out.push_str(HIDDEN);
            } else {
                self.value(value, depth + 1);
            }
            written += 1;
        }
        let count = map.len();
        self.rest(written, count);
        self.out.push('}');
        if written < count {
            let unit = if count == 1 { "key" } else { "keys" };
            let _ = write!(self.out, " ({count} {unit})");
        }
    }

    /// Writes an ellipsis if a container has more entries than were written.
    fn rest(&mut self, written: usize, count: usize) {
        if written < count {
            self.cut = true;
            self.out.push_str(if written > 0 { " ..." } else { "..." });
        }
    }
}

fn size_note(count: usize) -> String {
    if count == 1 { "(1 item)".to_owned() } else { format!("({count} items)") }
}

/// Returns the number of items of a list, a vector or a set.
fn len(value: &Value) -> Option<usize> {
    match value {
        Value::List(list) => Some(list.len()),
        Value::Vector(vector) => Some(vector.len()),
        Value::Set(set) => Some(set.len()),
        _ => None,
    }
}

/// Writes a string literal, with escapes for invisible characters.
fn quote(out: &mut String, text: &str) {
    out.push('"');
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            c if c.is_control() || INVISIBLE.contains(&c) => {
                let _ = write!(out, "\\u{:04X}", u32::from(c));
            }
            c => out.push(c),
        }
    }
    out.push('"');
}

/// Characters that would break a line or change the direction of the following text.
const INVISIBLE: [char; 15] = [
    '\u{2028}', '\u{2029}', '\u{200B}', '\u{200E}', '\u{200F}', '\u{202A}', '\u{202B}', '\u{202C}',
    '\u{202D}', '\u{202E}', '\u{2066}', '\u{2067}', '\u{2068}', '\u{2069}', '\u{FEFF}',
];
