//! Reads JSON, without recursion.

use std::collections::HashSet;
use std::sync::Arc;

use arcstr::ArcStr;
use num_bigint::BigInt;

use super::{Error, plain_length};
use crate::{FLAT_MAX, Map, Value, Vector};

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
pub fn parse_within(text: &str, keywords: bool, max_depth: u32) -> Result<Option<Value>, Error> {
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
pub(super) struct Keys {
    /// The keys of the last object at each depth, in order, up to the first one that repeats or has
    /// escapes. So a key of this list, at its place, is new to an object whose earlier keys were
    /// those before it.
    last: Vec<Vec<ArcStr>>,
    all: HashSet<ArcStr>,
}

impl Keys {
    pub(super) fn get(&mut self, depth: usize, place: usize, text: &str) -> ArcStr {
        match self.at(depth, place) {
            Some(key) if key == text => key.clone(),
            _ => self.put(depth, place, text),
        }
    }

    /// Returns the key that an object has at this place if it has those of the last one.
    fn at(&self, depth: usize, place: usize) -> Option<&ArcStr> {
        self.last.get(depth)?.get(place)
    }

    /// Returns the number of keys of the last object.
    fn count(&self, depth: usize) -> usize {
        self.last.get(depth).map_or(0, Vec::len)
    }

    /// Forgets the keys of the last object from a place on, so that none of them is expected.
    fn cut(&mut self, depth: usize, place: usize) {
        if let Some(keys) = self.last.get_mut(depth) {
            keys.truncate(place);
        }
    }

    /// Puts another key at a place.
    fn put(&mut self, depth: usize, place: usize, text: &str) -> ArcStr {
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
            if keys.len() == place && !keys.contains(&key) {
                keys.push(key.clone());
            }
        }
        key
    }
}

/// A container that is being read.
enum Open {
    Array(Vec<Value>),
    /// `is_new` says that the map certainly does not have the key.
    Object {
        map: Map,
        key: Value,
        is_new: bool,
    },
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
                    if open.len() >= self.max_depth {
                        return Err(TOO_DEEP);
                    }
                    self.at += 1;
                    self.space();
                    if self.peek() != Some(b']') {
                        open.push(Open::Array(Vec::new()));
                        continue;
                    }
                    self.at += 1;
                    Value::vector(Vec::new())
                }
                Some(b'{') => {
                    if open.len() >= self.max_depth {
                        return Err(TOO_DEEP);
                    }
                    self.at += 1;
                    self.space();
                    if self.peek() != Some(b'}') {
                        let map = Map::with_capacity(self.keys.count(open.len()).min(FLAT_MAX));
                        let (key, is_new) = self.key(open.len(), 0)?;
                        open.push(Open::Object { map, key, is_new });
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
                    Some(Open::Object { map, key, is_new }) => {
                        let row = (std::mem::take(key), value);
                        if *is_new {
                            map.insert_new(row);
                        } else {
                            map.insert(row);
                        }
                        let place = map.len();
                        self.space();
                        match self.peek() {
                            Some(b',') => {
                                self.at += 1;
                                self.space();
                                (*key, *is_new) = self.key(depth, place)?;
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

    /// Reads a key and its colon. Also returns whether the object certainly does not have the key.
    fn key(&mut self, depth: usize, place: usize) -> Result<(Value, bool), Problem> {
        if self.peek() != Some(b'"') {
            return Err("expected a key in double quotes");
        }
        let mut is_new = false;
        let key = match self.expected_key(depth, place) {
            Some(key) => {
                is_new = true;
                self.at += key.len() + 2;
                key
            }
            None => match self.plain_end() {
                Some(end) => {
                    let text = &self.text[self.at + 1..end];
                    self.at = end + 1;
                    self.keys.put(depth, place, text)
                }
                None => {
                    self.keys.cut(depth, place);
                    self.escaped_string()?.into()
                }
            },
        };
        self.space();
        if self.peek() != Some(b':') {
            return Err("expected `:` after a key");
        }
        self.at += 1;
        Ok((if self.keywords { Value::Keyword(key) } else { Value::Str(key) }, is_new))
    }

    /// Returns the key of the last object at this depth and place, if it comes next.
    fn expected_key(&self, depth: usize, place: usize) -> Option<ArcStr> {
        let key = self.keys.at(depth, place)?;
        let rest = self.text.as_bytes().get(self.at + 1..)?.strip_prefix(key.as_bytes())?;
        (rest.first() == Some(&b'"')).then(|| key.clone())
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
        let len = plain_length(rest)?;
        (rest.get(len) == Some(&b'"')).then_some(start + len)
    }

    fn escaped_string(&mut self) -> Result<String, Problem> {
        self.at += 1;
        let mut out = String::new();
        loop {
            let rest = self.text.as_bytes().get(self.at..).unwrap_or_default();
            let Some(len) = plain_length(rest) else {
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
pub const MAX_DIGITS: usize = 4096;
