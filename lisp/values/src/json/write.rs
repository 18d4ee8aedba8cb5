//! Writes JSON, without recursion.

use std::fmt::{self, Write as _};

use super::plain::plain_length;
use crate::{Ext, Items, Map, TableIter, Value, print};

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

/// Writes a value as compact JSON: a keyword is its name, a set is a list, a key is its name.
///
/// # Errors
///
/// Returns the first value without a JSON form.
pub fn write(value: &Value) -> Result<String, NotJson> {
    let mut out = String::new();
    Writer::new(&mut out, None, usize::MAX).write(value)?;
    Ok(out)
}

/// Writes a value as JSON with an indent of two spaces.
///
/// # Errors
///
/// Returns the first value without a JSON form.
pub fn write_pretty(value: &Value) -> Result<String, NotJson> {
    let mut out = String::new();
    Writer::new(&mut out, Some(2), usize::MAX).write(value)?;
    Ok(out)
}

/// Writes a value as JSON, compact or on lines. Stops soon after `max` bytes, which the caller sees
/// by the length of the text. Also returns the work for the digits of large integers, which is at
/// most `max_work`.
///
/// # Errors
///
/// Returns the first value without a JSON form.
pub fn write_within(
    value: &Value,
    pretty: bool,
    max: usize,
    max_work: u64,
) -> Result<(String, u64), NotJson> {
    let mut out = String::new();
    let indent = pretty.then_some(2);
    let mut writer = Writer { max_work, ..Writer::new(&mut out, indent, max) };
    writer.write(value)?;
    let work = writer.work;
    Ok((out, work))
}

/// Writes a value for readers outside, which have one zero and integers of at most `bits` bits.
///
/// # Errors
///
/// Returns the first value without a JSON form, or the first larger integer.
pub(super) fn write_outside(value: &Value, bits: u64) -> Result<String, NotJson> {
    let mut out = String::new();
    Writer { outside: Some(bits), ..Writer::new(&mut out, None, usize::MAX) }.write(value)?;
    Ok(out)
}

/// Returns the size of a value as JSON in bytes, or an upper bound that is at most `max`. Stops
/// counting soon after `max`.
///
/// # Errors
///
/// Returns the first value without a JSON form.
pub fn size(value: &Value, max: usize) -> Result<usize, NotJson> {
    if let Some(bound) = bound(value, 3)
        && bound <= max
    {
        return Ok(bound);
    }
    let mut out = String::new();
    Writer { counts: true, ..Writer::new(&mut out, None, max) }.write(value)?;
    Ok(out.len())
}

/// Returns an upper bound of the JSON size of a small value in bytes. Returns none for many items
/// or levels, and for parts that may not have a JSON form.
fn bound(value: &Value, levels: u32) -> Option<usize> {
    const FEW: usize = 32;
    // A character takes at most six bytes, as `\u0000`.
    let text = |text: &str| text.len() * 6 + 2;
    // Most parts are of these kinds and need no call.
    let plain = |value: &Value| match value {
        Value::Nil | Value::Bool(_) => Some(5),
        Value::Int(_) => Some(20),
        Value::Str(string) => Some(text(string)),
        _ => None,
    };
    let part = |value: &Value| plain(value).or_else(|| bound(value, levels - 1));
    let row = |sum, (key, value): (&Value, &Value)| match key {
        Value::Str(name) | Value::Keyword(name) => Some(sum + text(name) + 2 + part(value)?),
        _ => None,
    };
    match value {
        Value::Map(map) if levels > 0 && map.len() <= FEW => match map.small_rows() {
            Some(mut rows) => rows.try_fold(2, row),
            None => map.rows().try_fold(2, row),
        },
        Value::Vector(items) if levels > 0 && items.len() <= FEW => {
            let mut sum = 2;
            for item in items.iter() {
                sum += part(item)? + 1;
            }
            Some(sum)
        }
        value => plain(value),
    }
}

struct Writer<'o> {
    out: &'o mut String,
    indent: Option<usize>,
    max_bytes: usize,
    /// Whether only the length of the text matters.
    counts: bool,
    /// The maximum bits of an integer in text for outside readers, who have only one zero.
    outside: Option<u64>,
    /// The work spent on digits of large integers, and its maximum.
    work: u64,
    max_work: u64,
}

impl<'o> Writer<'o> {
    fn new(out: &'o mut String, indent: Option<usize>, max_bytes: usize) -> Writer<'o> {
        Writer { out, indent, max_bytes, counts: false, outside: None, work: 0, max_work: u64::MAX }
    }
}

enum Part<'v> {
    Items {
        items: Items<'v>,
        count: usize,
    },
    Pairs {
        map: &'v Map,
        pairs: TableIter<'v, (Value, Value)>,
        count: usize,
        key: Option<&'v Value>,
    },
}

impl Writer<'_> {
    fn write(&mut self, value: &Value) -> Result<(), NotJson> {
        let mut open: Vec<Part<'_>> = Vec::new();
        self.write_one(value, &mut open)?;
        while self.out.len() <= self.max_bytes && self.work <= self.max_work {
            let depth = open.len();
            let Some(top) = open.last_mut() else { return Ok(()) };
            let next = match top {
                Part::Items { items, count } => items.next().map(|item| {
                    *count += 1;
                    (*count, None, item)
                }),
                Part::Pairs { pairs, count, key, .. } => pairs.next().map(|(name, value)| {
                    *count += 1;
                    *key = Some(name);
                    (*count, Some(name), value)
                }),
            };
            let Some((count, key, value)) = next else {
                let (close, count) = match top {
                    Part::Items { count, .. } => (']', *count),
                    Part::Pairs { count, .. } => ('}', *count),
                };
                if count > 0 {
                    self.line(depth - 1);
                }
                self.out.push(close);
                open.pop();
                continue;
            };
            if count > 1 {
                self.out.push(',');
            }
            self.line(depth);
            if let Some(key) = key {
                let text = key_text(key).ok_or_else(|| not_json(&open, key.type_name()))?;
                if is_twice(&open, key, &text) {
                    return Err(not_json(&open, "map with two keys of this name"));
                }
                write_text(self.out, &text);
                self.out.push_str(if self.indent.is_some() { ": " } else { ":" });
            }
            self.write_one(value, &mut open)?;
        }
        Ok(())
    }

    fn line(&mut self, depth: usize) {
        if let Some(indent) = self.indent {
            self.out.push('\n');
            self.out.extend(std::iter::repeat_n(' ', depth * indent));
        }
    }

    fn write_one<'v>(&mut self, value: &'v Value, open: &mut Vec<Part<'v>>) -> Result<(), NotJson> {
        // Writing to a string cannot fail.
        let _ = match value {
            Value::Nil => self.out.write_str("null"),
            Value::Bool(true) => self.out.write_str("true"),
            Value::Bool(false) => self.out.write_str("false"),
            Value::Int(int) => self.out.write_str(itoa::Buffer::new().format(*int)),
            Value::Big(big) if self.outside == Some(64) && u64::try_from(&**big).is_err() => {
                return Err(not_json(open, "whole number past 64 bits"));
            }
            Value::Big(big) if self.outside.is_some_and(|most| big.bits() > most) => {
                return Err(not_json(open, "whole number of over 4,000 digits"));
            }
            Value::Float(0.0) if self.outside.is_some() => self.out.write_str("0.0"),
            Value::Big(big) if self.counts => {
                // 302 / 1000 is slightly more than log10 of 2; only the length matters.
                let digits = big.bits() * 302 / 1000 + 2;
                self.out.extend(std::iter::repeat_n('0', digits as usize));
                Ok(())
            }
            Value::Big(big) => {
                self.work += print::big_cost(big);
                if self.work > self.max_work {
                    return Ok(());
                }
                write!(self.out, "{big}")
            }
            Value::Float(float) if float.is_finite() => {
                let start = self.out.len();
                print::write_float(self.out, *float, true);
                if let Some(at) = self.out[start..].find('E') {
                    self.out.replace_range(start + at..=start + at, "e");
                }
                Ok(())
            }
            Value::Float(_) => return Err(not_json(open, "not-a-number or infinite float")),
            Value::Str(text) | Value::Keyword(text) | Value::Symbol(text) => {
                write_text(self.out, text);
                Ok(())
            }
            Value::Map(map) => {
                open.push(Part::Pairs { map, pairs: map.rows(), count: 0, key: None });
                self.out.write_str("{")
            }
            Value::List(_) | Value::Vector(_) | Value::Set(_) => {
                if let Some(items) = value.items() {
                    open.push(Part::Items { items, count: 0 });
                }
                self.out.write_str("[")
            }
            Value::Function(_) | Value::Builtin(_) => return Err(not_json(open, "function")),
            Value::Ext(ext) => match &**ext {
                Ext::Time(time) if time.is_data() => {
                    write_text(self.out, time.text());
                    Ok(())
                }
                Ext::Class(class) => {
                    write_text(self.out, class.full_name);
                    Ok(())
                }
                Ext::Uuid(uuid) => {
                    write_text(self.out, uuid.text());
                    Ok(())
                }
                _ => return Err(not_json(open, value.type_name())),
            },
        };
        Ok(())
    }
}

/// Returns the text of a key: its name, or the text of a number or a boolean.
pub fn key_text(key: &Value) -> Option<std::borrow::Cow<'_, str>> {
    match key {
        Value::Str(text) | Value::Keyword(text) | Value::Symbol(text) => Some(text.as_str().into()),
        Value::Big(big) => Some(big.to_string().into()),
        Value::Nil | Value::Bool(_) | Value::Int(_) => Some(print::readable(key).into()),
        Value::Float(float) if float.is_finite() => Some(print::readable(key).into()),
        Value::List(_) | Value::Vector(_) | Value::Set(_) | Value::Map(_) => {
            Some(print::readable(key).into())
        }
        Value::Ext(ext) => match &**ext {
            Ext::Time(time) if time.is_data() => Some(time.text().as_str().into()),
            Ext::Class(class) => Some(class.full_name.into()),
            Ext::Uuid(uuid) => Some(uuid.text().as_str().into()),
            _ => None,
        },
        _ => None,
    }
}

/// Returns whether the map being written has another key with the same text.
fn is_twice(open: &[Part<'_>], key: &Value, text: &str) -> bool {
    let Some(Part::Pairs { map, .. }) = open.last() else { return false };
    // A keyword and a string of the same text are one key.
    !matches!(key, Value::Str(_) | Value::Keyword(_)) && map.get(&Value::str(text)).is_some()
}

fn not_json(open: &[Part<'_>], what: &'static str) -> NotJson {
    let mut path = String::new();
    for part in open {
        match part {
            Part::Items { count, .. } => {
                let _ = write!(path, "[{}]", count.saturating_sub(1));
            }
            Part::Pairs { key, .. } => {
                if !path.is_empty() {
                    path.push('.');
                }
                path.push_str(&key.and_then(key_text).unwrap_or_default());
            }
        }
    }
    NotJson { path, what }
}

fn write_text(out: &mut String, text: &str) {
    out.push('"');
    let mut rest = text;
    while let Some(at) = plain_length(rest.as_bytes()) {
        let (plain, special) = rest.split_at(at);
        out.push_str(plain);
        // A special character is one byte.
        let (special, after) = special.split_at(1);
        match special {
            "\"" => out.push_str("\\\""),
            "\\" => out.push_str("\\\\"),
            "\n" => out.push_str("\\n"),
            "\r" => out.push_str("\\r"),
            "\t" => out.push_str("\\t"),
            _ => {
                let byte = special.bytes().next().unwrap_or_default();
                let _ = write!(out, "\\u{byte:04x}");
            }
        }
        rest = after;
    }
    out.push_str(rest);
    out.push('"');
}
