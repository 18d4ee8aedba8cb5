//! Renders values for a model: in the notation of the language, cut, without hidden fields.
//!
//! String keys appear as keywords, because a program reads them as such (`(:id m)`).

use std::fmt::Write;

use ptc_lisp::{Map, Value};
use ptc_signatures::shown::{is_unsafe, push_escape};
use ptc_signatures::{Field, HIDDEN, Type};

use crate::PromptLimits;
use crate::telling::telling;

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
    /// Whether the text leaves out keys that the type has.
    pub(crate) keyless: bool,
}

/// Renders the beginning of a value, within the limits, without the values of hidden fields.
pub(crate) fn sample(value: &Value, limits: &PromptLimits) -> Sample {
    write(value, None, limits, false, None)
}

/// Renders what a value tells beyond its type, in about so many bytes: of lists, the items of [`telling`], and of listed
/// records, the values alone.
///
/// The values of a record are in the order of the type's fields, with nil for a missing one. Keys that the type does not have
/// are left out.
pub(crate) fn sample_beyond_type(
    value: &Value,
    ty: &Type,
    limits: &PromptLimits,
    room: usize,
) -> Sample {
    write(value, Some(ty), limits, false, Some(room))
}

/// Renders a value as [`sample`] does, but with hidden fields: for examples generated from a type,
/// which are not anyone's data.
pub(crate) fn sample_unredacted(value: &Value, limits: &PromptLimits) -> Sample {
    write(value, None, limits, true, None)
}

fn write(
    value: &Value,
    ty: Option<&Type>,
    limits: &PromptLimits,
    reveal: bool,
    telling_room: Option<usize>,
) -> Sample {
    let count = len(value);
    let size = count.map(size_note).unwrap_or_default();
    let made = Sample { text: String::new(), size, cut: false, hidden: false, keyless: false };
    let room = limits.string_truncate.saturating_mul(4);
    let room = telling_room.map_or(room, |it| it.saturating_mul(2).max(LEAST_ROOM).min(room));
    let mut writer = Writer { made, limits, reveal, room, telling_room };
    match count {
        Some(count) => writer.items(value, ty, count, 0),
        None => writer.value(value, ty, 0),
    }
    writer.made
}

/// Returns whether a field of this name is hidden from the model.
pub(crate) fn is_hidden(name: &str) -> bool {
    name.starts_with('_')
}

/// Returns whether a program can name a field of data, and a prompt shows it.
pub(crate) fn is_shown(name: &str) -> bool {
    is_plain_name(name) && !is_hidden(name)
}

/// Returns whether a name can be written as a keyword or a symbol.
pub(crate) fn is_plain_name(name: &str) -> bool {
    let mut chars = name.chars();
    let begins = chars.next().is_some_and(|c| c.is_alphabetic() || "_*+!?<>=-".contains(c));
    let continues = |c: char| c.is_alphanumeric() || "_*+!?<>=.$&-".contains(c);
    // Some blank letters are letters.
    begins && chars.all(continues) && !name.contains(is_unsafe)
}

/// The maximum depth of containers, in levels, which also bounds the recursion. Deeper containers
/// appear as `...`.
const MAX_DEPTH: usize = 8;
/// The room of a sample beyond its type, in bytes, however many share it.
const LEAST_ROOM: usize = 200;
/// The maximum number of keys of a map.
const MAX_KEYS: usize = 24;

struct Writer<'a> {
    made: Sample,
    limits: &'a PromptLimits,
    /// Whether hidden fields appear like others.
    reveal: bool,
    /// The length of the text, in bytes, beyond which containers add no further entries.
    room: usize,
    /// The length of the text, in bytes, beyond which lists add no further items, if their items are the
    /// [telling] ones.
    telling_room: Option<usize>,
}

impl Writer<'_> {
    fn value(&mut self, value: &Value, ty: Option<&Type>, depth: usize) {
        if let Some(text) = value.as_str() {
            self.string(text, depth);
        } else if let Some(count) = len(value) {
            self.items(value, ty, count, depth);
            if count > self.limits.list_sample {
                self.made.text.push(' ');
                self.made.text.push_str(&size_note(count));
            }
        } else if let Some(map) = value.as_map() {
            self.map(map, ty, depth);
        } else {
            let _ = write!(self.made.text, "{value}");
        }
    }

    fn string(&mut self, text: &str, depth: usize) {
        let most = self.limits.string_truncate;
        let most = if depth == 0 { most } else { most.div_ceil(4) };
        match text.char_indices().nth(most) {
            None => quote(&mut self.made.text, text),
            Some((end, _)) => {
                self.made.cut = true;
                quote(&mut self.made.text, text.get(..end).unwrap_or(text));
                self.made.text.pop();
                let _ = write!(self.made.text, "...\" ({} characters)", text.chars().count());
            }
        }
    }

    fn items(&mut self, value: &Value, ty: Option<&Type>, count: usize, depth: usize) {
        let ty = match ty.map(required) {
            Some(Type::List(item, _)) => Some(&**item),
            _ => None,
        };
        let (open, close) = match value {
            Value::List(_) => ("(", ")"),
            Value::Set(_) => ("#{", "}"),
            _ => ("[", "]"),
        };
        self.made.text.push_str(open);
        let shown = if depth < MAX_DEPTH { self.limits.list_sample } else { 0 };
        let items = value.items().into_iter().flatten();
        let items = match self.telling_room {
            Some(_) => telling(items, shown),
            None => items.take(shown).collect(),
        };
        let fields = ty.and_then(|ty| fields_of(ty, &items));
        let room = self.telling_room.unwrap_or(self.room);
        let mut written = 0;
        for item in items {
            if self.made.text.len() > room && (written > 0 || self.telling_room.is_none()) {
                break;
            }
            if written > 0 {
                self.made.text.push(' ');
            }
            match (fields, item.as_map()) {
                (Some(fields), Some(map)) => self.record(map, fields, depth + 1),
                _ => self.value(item, ty, depth + 1),
            }
            written += 1;
        }
        self.rest(written, count);
        self.made.text.push_str(close);
    }

    /// Writes the values of a record in the order of the fields of its type.
    fn record(&mut self, map: &Map, fields: &[Field], depth: usize) {
        self.made.keyless = true;
        self.made.text.push('{');
        for (at, field) in fields.iter().enumerate() {
            if self.made.text.len() > self.room {
                self.rest(at, fields.len());
                break;
            }
            if at > 0 {
                self.made.text.push(' ');
            }
            let value = map.get(&Value::str(&field.name));
            if is_hidden(&field.name) && value.is_some() {
                self.made.hidden = true;
                self.made.text.push_str(HIDDEN);
            } else {
                self.value(value.unwrap_or(&Value::Nil), Some(&field.ty), depth + 1);
            }
        }
        self.made.text.push('}');
    }

    fn map(&mut self, map: &Map, ty: Option<&Type>, depth: usize) {
        let fields = match ty.map(required) {
            Some(Type::Record(fields)) => &**fields,
            _ => &[],
        };
        self.made.text.push('{');
        let shown = if depth < MAX_DEPTH { MAX_KEYS } else { 0 };
        let mut written = 0;
        for (key, value) in map.iter().take(shown) {
            if self.made.text.len() > self.room {
                break;
            }
            if written > 0 {
                self.made.text.push_str(", ");
            }
            let name = key.name();
            match name {
                Some(name) if is_plain_name(name) => {
                    let _ = write!(self.made.text, ":{name} ");
                }
                _ => {
                    self.value(key, None, depth + 1);
                    self.made.text.push(' ');
                }
            }
            if name.is_some_and(is_hidden) && !self.reveal {
                self.made.hidden = true;
                self.made.text.push_str(HIDDEN);
            } else {
                let field = fields.iter().find(|field| name == Some(&field.name));
                self.value(value, field.map(|field| &field.ty), depth + 1);
            }
            written += 1;
        }
        let count = map.len();
        self.rest(written, count);
        self.made.text.push('}');
        if written < count {
            let unit = if count == 1 { "key" } else { "keys" };
            let _ = write!(self.made.text, " ({count} {unit})");
        }
    }

    /// Writes an ellipsis if a container has more entries than were written.
    fn rest(&mut self, written: usize, count: usize) {
        if written < count {
            self.made.cut = true;
            self.made.text.push_str(if written > 0 { " ..." } else { "..." });
        }
    }
}

/// Returns the type without the option of nil.
fn required(ty: &Type) -> &Type {
    match ty {
        Type::Optional(inner) => inner,
        other => other,
    }
}

/// Returns the fields of a type whose values stand for these items:.
fn fields_of<'a>(ty: &'a Type, items: &[&Value]) -> Option<&'a [Field]> {
    let Type::Record(fields) = required(ty) else { return None };
    let all_maps = items.iter().all(|item| item.as_map().is_some());
    (!fields.is_empty() && all_maps).then_some(fields)
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

/// Writes a string literal, with escapes for characters that move or hide text.
fn quote(out: &mut String, text: &str) {
    out.push('"');
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            c if is_unsafe(c) => push_escape(out, c),
            c => out.push(c),
        }
    }
    out.push('"');
}
