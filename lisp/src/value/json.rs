//! JSON in both directions, without native recursion and with every digit.
//!
//! `serde_json` recurs on nesting and reads integers over 64 bits as doubles. Data from tools may
//! be deep or hold such integers, so this module reads and writes JSON itself.

mod serde;

use std::collections::HashSet;
use std::fmt::{self, Write as _};
use std::sync::Arc;

use arcstr::ArcStr;
use num_bigint::BigInt;

use super::{Ext, Items, Map, TableIter, Value, Vector};
pub use serde::{from_serde, plain, to_serde};

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

/// Reads one JSON text. Object keys become string keys. Integers keep every digit. Of equal keys
/// the last value wins.
///
/// # Errors
///
/// Returns the first problem, with its position.
pub fn parse(text: &str) -> Result<Value, Error> {
    let mut reader = Reader::new(text, false, usize::MAX);
    reader.document().map_err(|message| reader.error(message))
}

/// Reads like [`parse`], with keys as keywords or as strings. Returns none for a text that nests
/// deeper than `max_depth` levels.
pub(crate) fn parse_within(
    text: &str,
    keywords: bool,
    max_depth: u32,
) -> Result<Option<Value>, Error> {
    let mut reader = Reader::new(text, keywords, max_depth as usize);
    match reader.document() {
        Ok(value) => Ok(Some(value)),
        Err(TOO_DEEP) => Ok(None),
        Err(message) => Err(reader.error(message)),
    }
}

struct Reader<'a> {
    text: &'a str,
    at: usize,
    keys: Keys,
    keywords: bool,
    /// The maximum number of open containers.
    max_depth: usize,
}

/// Keys seen so far, so that records of one shape share the text of their keys.
#[derive(Default)]
struct Keys {
    /// The keys of the last object at each depth, in order.
    last: Vec<Vec<ArcStr>>,
    all: HashSet<ArcStr>,
}

impl Keys {
    fn get(&mut self, depth: usize, place: usize, text: &str) -> ArcStr {
        if let Some(key) = self.last.get(depth).and_then(|keys| keys.get(place))
            && key == text
        {
            return key.clone();
        }
        let key = match self.all.get(text) {
            Some(key) => key.clone(),
            None => {
                let key = ArcStr::from(text);
                self.all.insert(key.clone());
                key
            }
        };
        if self.last.len() <= depth {
            self.last.resize_with(depth + 1, Vec::new);
        }
        if let Some(keys) = self.last.get_mut(depth) {
            keys.truncate(place);
            keys.push(key.clone());
        }
        key
    }
}

/// A container that is being read.
enum Open {
    Array(Vec<Value>),
    Object { map: Map, key: Value },
}

type Problem = &'static str;

const TOO_DEEP: Problem = "the text nests too deeply";

impl<'t> Reader<'t> {
    fn new(text: &'t str, keywords: bool, max_depth: usize) -> Reader<'t> {
        Reader { text, at: 0, keys: Keys::default(), keywords, max_depth }
    }
}

impl Reader<'_> {
    fn error(&self, message: Problem) -> Error {
        let mut at = self.at.min(self.text.len());
        while !self.text.is_char_boundary(at) {
            at -= 1;
        }
        let before = &self.text[..at];
        let line_start = before.rfind('\n').map_or(0, |at| at + 1);
        Error {
            message: message.to_owned(),
            line: before.matches('\n').count() as u32 + 1,
            column: before[line_start..].chars().count() as u32 + 1,
        }
    }

    fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    fn space(&mut self) {
        while matches!(self.peek(), Some(b' ' | b'\t' | b'\n' | b'\r')) {
            self.at += 1;
        }
    }

    fn document(&mut self) -> Result<Value, Problem> {
        let mut open: Vec<Open> = Vec::new();
        loop {
            self.space();
            let mut value = match self.peek() {
                Some(b'[') => {
                    self.at += 1;
                    self.space();
                    if self.peek() != Some(b']') {
                        if open.len() >= self.max_depth {
                            return Err(TOO_DEEP);
                        }
                        open.push(Open::Array(Vec::new()));
                        continue;
                    }
                    self.at += 1;
                    Value::vector(Vec::new())
                }
                Some(b'{') => {
                    self.at += 1;
                    self.space();
                    if self.peek() != Some(b'}') {
                        if open.len() >= self.max_depth {
                            return Err(TOO_DEEP);
                        }
                        let key = self.key(open.len(), 0)?;
                        open.push(Open::Object { map: Map::default(), key });
                        continue;
                    }
                    self.at += 1;
                    Value::map([])
                }
                _ => self.scalar()?,
            };
            // The value is complete: store it, and close the containers that end with it.
            loop {
                let depth = open.len().saturating_sub(1);
                match open.last_mut() {
                    None => {
                        self.space();
                        return if self.peek().is_none() {
                            Ok(value)
                        } else {
                            Err("expected the end of the text")
                        };
                    }
                    Some(Open::Array(items)) => {
                        items.push(value);
                        self.space();
                        match self.peek() {
                            Some(b',') => {
                                self.at += 1;
                                break;
                            }
                            Some(b']') => self.at += 1,
                            _ => return Err("expected `,` or `]`"),
                        }
                    }
                    Some(Open::Object { map, key }) => {
                        map.insert((std::mem::take(key), value));
                        let place = map.len();
                        self.space();
                        match self.peek() {
                            Some(b',') => {
                                self.at += 1;
                                self.space();
                                let next = self.key(depth, place)?;
                                if let Some(Open::Object { key, .. }) = open.last_mut() {
                                    *key = next;
                                }
                                break;
                            }
                            Some(b'}') => self.at += 1,
                            _ => return Err("expected `,` or `}`"),
                        }
                    }
                }
                value = match open.pop() {
                    Some(Open::Array(items)) => Value::Vector(Arc::new(Vector::new(items))),
                    Some(Open::Object { map, .. }) => Value::Map(Arc::new(map)),
                    None => Value::Nil,
                };
            }
        }
    }

    /// Reads a key and its colon.
    fn key(&mut self, depth: usize, place: usize) -> Result<Value, Problem> {
        if self.peek() != Some(b'"') {
            return Err("expected a key in double quotes");
        }
        let key = match self.plain_end() {
            Some(end) => {
                let text = &self.text[self.at + 1..end];
                self.at = end + 1;
                self.keys.get(depth, place, text)
            }
            None => self.escaped_string()?.into(),
        };
        self.space();
        if self.peek() != Some(b':') {
            return Err("expected `:` after a key");
        }
        self.at += 1;
        Ok(if self.keywords { Value::Keyword(key) } else { Value::Str(key) })
    }

    fn scalar(&mut self) -> Result<Value, Problem> {
        match self.peek() {
            Some(b'"') => match self.plain_end() {
                Some(end) => {
                    let text = &self.text[self.at + 1..end];
                    self.at = end + 1;
                    Ok(Value::str(text))
                }
                None => Ok(Value::from(self.escaped_string()?)),
            },
            Some(b'-' | b'0'..=b'9') => self.number(),
            Some(b't') => self.word("true", Value::Bool(true)),
            Some(b'f') => self.word("false", Value::Bool(false)),
            Some(b'n') => self.word("null", Value::Nil),
            Some(_) => Err("expected a JSON value"),
            None => Err("the text ends where a JSON value is expected"),
        }
    }

    fn word(&mut self, word: &str, value: Value) -> Result<Value, Problem> {
        if self.text.as_bytes()[self.at..].starts_with(word.as_bytes()) {
            self.at += word.len();
            Ok(value)
        } else {
            Err("expected a JSON value")
        }
    }

    fn digits(&mut self) -> bool {
        let start = self.at;
        while matches!(self.peek(), Some(b'0'..=b'9')) {
            self.at += 1;
        }
        self.at > start
    }

    fn number(&mut self) -> Result<Value, Problem> {
        let start = self.at;
        if self.peek() == Some(b'-') {
            self.at += 1;
        }
        if self.peek() == Some(b'0') {
            self.at += 1;
        } else if !self.digits() {
            return Err("expected a digit");
        }
        let mut whole = true;
        if self.peek() == Some(b'.') {
            whole = false;
            self.at += 1;
            if !self.digits() {
                return Err("expected a digit after the point");
            }
        }
        if matches!(self.peek(), Some(b'e' | b'E')) {
            whole = false;
            self.at += 1;
            if matches!(self.peek(), Some(b'+' | b'-')) {
                self.at += 1;
            }
            if !self.digits() {
                return Err("expected a digit in the exponent");
            }
        }
        let text = &self.text[start..self.at];
        if whole {
            if let Ok(int) = text.parse::<i64>() {
                return Ok(Value::Int(int));
            }
            if text.len() > MAX_DIGITS {
                return Err("the integer has too many digits");
            }
            return text.parse::<BigInt>().map(Value::big).map_err(|_| "expected a number");
        }
        match text.parse::<f64>() {
            Ok(float) if float.is_finite() => Ok(Value::Float(float)),
            _ => Err("the number is out of range"),
        }
    }

    /// Returns the end of the string that opens here, if it has no escapes.
    fn plain_end(&self) -> Option<usize> {
        let start = self.at + 1;
        let rest = self.text.as_bytes().get(start..)?;
        let len = rest.iter().position(|byte| matches!(byte, b'"' | b'\\' | 0..=0x1f))?;
        (rest.get(len) == Some(&b'"')).then_some(start + len)
    }

    fn escaped_string(&mut self) -> Result<String, Problem> {
        self.at += 1;
        let mut out = String::new();
        loop {
            let rest = self.text.as_bytes().get(self.at..).unwrap_or_default();
            let len = rest.iter().position(|byte| matches!(byte, b'"' | b'\\' | 0..=0x1f));
            let Some(len) = len else {
                self.at = self.text.len();
                return Err("the string is not closed");
            };
            out.push_str(&self.text[self.at..self.at + len]);
            self.at += len;
            match self.peek() {
                Some(b'"') => {
                    self.at += 1;
                    return Ok(out);
                }
                Some(b'\\') => {
                    self.at += 1;
                    out.push(self.escape()?);
                }
                _ => return Err("a control character in a string must be escaped"),
            }
        }
    }

    fn escape(&mut self) -> Result<char, Problem> {
        let byte = self.peek();
        self.at += 1;
        Ok(match byte {
            Some(b'"') => '"',
            Some(b'\\') => '\\',
            Some(b'/') => '/',
            Some(b'b') => '\u{8}',
            Some(b'f') => '\u{c}',
            Some(b'n') => '\n',
            Some(b'r') => '\r',
            Some(b't') => '\t',
            Some(b'u') => {
                let unit = self.hex()?;
                if !(0xd800..0xe000).contains(&unit) {
                    return char::from_u32(unit).ok_or("bad escape");
                }
                if self.text.as_bytes().get(self.at..self.at + 2) != Some(b"\\u") {
                    return Err("unpaired surrogate");
                }
                self.at += 2;
                let low = self.hex()?;
                if unit >= 0xdc00 || !(0xdc00..0xe000).contains(&low) {
                    return Err("unpaired surrogate");
                }
                let code = 0x10000 + ((unit - 0xd800) << 10) + (low - 0xdc00);
                char::from_u32(code).ok_or("bad escape")?
            }
            _ => return Err("unknown escape in a string"),
        })
    }

    fn hex(&mut self) -> Result<u32, Problem> {
        let digits =
            self.text.get(self.at..self.at + 4).ok_or("expected four hexadecimal digits")?;
        if !digits.bytes().all(|byte| byte.is_ascii_hexdigit()) {
            return Err("expected four hexadecimal digits");
        }
        self.at += 4;
        u32::from_str_radix(digits, 16).map_err(|_| "expected four hexadecimal digits")
    }
}

/// The maximum number of digits, because reading them takes time that grows with their square.
pub(crate) const MAX_DIGITS: usize = 4096;

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
pub(crate) fn write_within(
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

/// Returns the size of a value as JSON in bytes, or an upper bound that is at most `max`. Stops
/// counting soon after `max`.
///
/// # Errors
///
/// Returns the first value without a JSON form.
pub(crate) fn size(value: &Value, max: usize) -> Result<usize, NotJson> {
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
    let row = |sum, (key, value): &(Value, Value)| match key {
        Value::Str(name) | Value::Keyword(name) => Some(sum + text(name) + 2 + part(value)?),
        _ => None,
    };
    match value {
        Value::Map(map) if levels > 0 && map.len() <= FEW => match map.block() {
            Some(rows) => rows.iter().try_fold(2, row),
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
                if self.outside.is_some() && is_twice(&open, key, &text) {
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
            Value::Bool(bool) => write!(self.out, "{bool}"),
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
                self.work += super::print::big_cost(big);
                if self.work > self.max_work {
                    return Ok(());
                }
                write!(self.out, "{big}")
            }
            Value::Float(float) if float.is_finite() => {
                let mut buffer = String::new();
                super::print::write_float(&mut buffer, *float, true);
                self.out.write_str(&buffer.replace('E', "e"))
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
pub(crate) fn key_text(key: &Value) -> Option<std::borrow::Cow<'_, str>> {
    match key {
        Value::Str(text) | Value::Keyword(text) | Value::Symbol(text) => Some(text.as_str().into()),
        Value::Big(big) => Some(big.to_string().into()),
        Value::Nil | Value::Bool(_) | Value::Int(_) => Some(super::print::readable(key).into()),
        Value::Float(float) if float.is_finite() => Some(super::print::readable(key).into()),
        Value::List(_) | Value::Vector(_) | Value::Set(_) | Value::Map(_) => {
            Some(super::print::readable(key).into())
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
    let mut start = 0;
    for (at, byte) in text.bytes().enumerate() {
        let escape = match byte {
            b'"' => "\\\"",
            b'\\' => "\\\\",
            b'\n' => "\\n",
            b'\r' => "\\r",
            b'\t' => "\\t",
            0..=0x1f => "",
            _ => continue,
        };
        out.push_str(&text[start..at]);
        if escape.is_empty() {
            let _ = write!(out, "\\u{byte:04x}");
        } else {
            out.push_str(escape);
        }
        start = at + 1;
    }
    out.push_str(&text[start..]);
    out.push('"');
}
