//! Reads JSON, without recursion.

use std::borrow::Cow;
use std::collections::HashSet;
use std::sync::Arc;

use arcstr::ArcStr;
use num_bigint::BigInt;

use super::plain::plain_length;
use crate::shape::{Key as _, Shape};
use crate::{FLAT_MAX, Map, Shapes, Value, Vector};

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
    texts: Texts,
    /// The maximum number of open containers.
    max_depth: usize,
}

/// Short texts that were read before, so that equal values of a column share one. Which texts share depends on the read
/// text alone, since live bytes count a shared one once.
struct Texts(Vec<Known>);

#[derive(Default)]
struct Known {
    text: ArcStr,
    /// Whether it was read again since another one wanted its place: a text that comes once must not take it.
    is_frequent: bool,
}

impl Texts {
    const MOST: usize = 256;

    /// The length of the longest one, in bytes.
    const LONGEST: usize = 16;

    /// Makes room for the texts of a document of this length, a power of two.
    fn of(length: usize) -> Texts {
        let count = (length / 64).clamp(8, Texts::MOST).next_power_of_two();
        Texts(std::iter::repeat_with(Known::default).take(count).collect())
    }

    fn share(&mut self, text: &str) -> ArcStr {
        if text.len() > Texts::LONGEST {
            return ArcStr::from(text);
        }
        let add = |sum: usize, byte| sum.wrapping_mul(31).wrapping_add(usize::from(byte));
        let place = text.bytes().fold(text.len(), add) & self.0.len().wrapping_sub(1);
        let Some(known) = self.0.get_mut(place) else { return ArcStr::from(text) };
        if *known.text == *text {
            known.is_frequent = true;
            return known.text.clone();
        }
        let new = ArcStr::from(text);
        if !std::mem::take(&mut known.is_frequent) {
            known.text = new.clone();
        }
        new
    }
}

/// Keys seen so far, so that records of one shape share the text of their keys, and their shape.
#[derive(Default)]
pub(super) struct Keys {
    /// The keys of the last object at each depth.
    last: Vec<Last>,
    all: HashSet<ArcStr>,
    shapes: Shapes,
    /// Whether keys are keywords.
    keywords: bool,
}

/// The keys of an object in order, up to the first one that JSON writes with an escape. So a key of this list, at its
/// place, is new to an object whose earlier keys were those before it.
#[derive(Default)]
struct Last {
    keys: Vec<Value>,
    /// The shape of the last object. Its keys are the first of these.
    shape: Option<Arc<Shape<Value>>>,
}

impl Keys {
    /// Makes a key the one at a place of a small object whose earlier keys are known. Returns its place, which is an
    /// earlier one if the object has it.
    pub(super) fn put(&mut self, depth: usize, place: usize, text: &str) -> usize {
        if self.at(depth, place).is_some_and(|key| *key == *text) {
            return place;
        }
        let key = self.key(text);
        let last = self.cut(depth, place);
        let known = last.keys.iter().position(|other| other.is_the_name(&key));
        known.unwrap_or_else(|| {
            last.keys.push(key);
            place
        })
    }

    /// Returns the shape of a small object that has this number of the known keys.
    pub(super) fn shape(&mut self, depth: usize, count: usize) -> Arc<Shape<Value>> {
        let Some(last) = self.last.get_mut(depth) else { return Value::no_keys() };
        if let Some(shape) = &last.shape
            && shape.len() == count
        {
            return shape.clone();
        }
        let keys = last.keys.iter().take(count);
        let known = self.shapes.known(keys.clone());
        let shape = known.unwrap_or_else(|| Shape::of(keys.cloned().collect()));
        if let Some(earlier) = last.shape.replace(shape.clone()) {
            self.shapes.keep(&earlier);
        }
        shape
    }

    /// Forgets the keys of the last object from a place on, so that none of them is expected.
    fn cut(&mut self, depth: usize, place: usize) -> &mut Last {
        if self.last.len() <= depth {
            self.last.resize_with(depth + 1, Last::default);
        }
        let last = &mut self.last[depth];
        last.keys.truncate(place);
        if let Some(shape) = last.shape.take_if(|shape| shape.len() > place) {
            self.shapes.keep(&shape);
        }
        last
    }

    /// Returns the key of a text, which all equal keys share.
    pub(super) fn key(&mut self, text: &str) -> Value {
        let key = match self.all.get(text) {
            Some(key) => key.clone(),
            None => {
                let key = ArcStr::from(text);
                self.all.insert(key.clone());
                key
            }
        };
        if self.keywords { Value::Keyword(key) } else { Value::Str(key) }
    }

    /// Returns the key that an object has at this place if it has those of the last one.
    fn at(&self, depth: usize, place: usize) -> Option<&ArcStr> {
        match self.last.get(depth)?.keys.get(place)? {
            Value::Str(key) | Value::Keyword(key) => Some(key),
            _ => None,
        }
    }

    /// Returns the keys of the last object.
    fn last(&self, depth: usize) -> &[Value] {
        self.last.get(depth).map_or(&[], |last| &last.keys)
    }
}

/// A container that is being read.
enum Open {
    Array(Vec<Value>),
    /// An object whose keys are the first ones of the last object at its depth.
    Object {
        values: Vec<Value>,
        /// The place of the next value.
        place: usize,
    },
    /// An object with many keys, or with a key that JSON writes with an escape.
    Many {
        map: Map,
        key: Value,
        /// Whether the map certainly does not have the key.
        is_new: bool,
    },
}

/// The start of a value.
enum Started {
    Value(Value),
    Container(Open),
}

/// A key of an object that is being read.
enum Key<'t> {
    /// The next key of the last object.
    Next,
    /// A text that JSON writes as it is.
    Plain(Cow<'t, str>),
    Escaped(String),
}

type Problem = &'static str;

const TOO_DEEP: Problem = "the text nests too deeply";

impl<'t> Reader<'t> {
    fn new(text: &'t str, keywords: bool, max_depth: usize) -> Reader<'t> {
        let keys = Keys { keywords, ..Keys::default() };
        Reader { text, at: 0, keys, texts: Texts::of(text.len()), max_depth }
    }
}

impl<'t> Reader<'t> {
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
            let mut value = match self.start(open.len())? {
                Started::Container(container) => {
                    open.push(container);
                    continue;
                }
                Started::Value(value) => value,
            };
            // The value is complete: store it, and close the containers that end with it.
            loop {
                let depth = open.len().saturating_sub(1);
                let Some(container) = open.last_mut() else { return self.end(value) };
                if self.add(container, depth, value)? {
                    break;
                }
                value = open.pop().map_or(Value::Nil, |container| self.closed(container, depth));
            }
        }
    }

    /// Reads a value without parts, or the start of a container.
    #[inline]
    fn start(&mut self, depth: usize) -> Result<Started, Problem> {
        let end = match self.peek() {
            Some(b'[') => b']',
            Some(b'{') => b'}',
            _ => return self.scalar().map(Started::Value),
        };
        if depth >= self.max_depth {
            return Err(TOO_DEEP);
        }
        self.at += 1;
        self.space();
        let is_array = end == b']';
        if self.peek() == Some(end) {
            self.at += 1;
            let empty = if is_array { Value::vector(Vec::new()) } else { Value::map([]) };
            return Ok(Started::Value(empty));
        }
        if is_array {
            return Ok(Started::Container(Open::Array(Vec::new())));
        }
        let values = Vec::with_capacity(self.keys.last(depth).len().min(FLAT_MAX));
        let mut object = Open::Object { values, place: 0 };
        self.key(depth, &mut object)?;
        Ok(Started::Container(object))
    }

    /// Adds a value to a container. Reads the comma behind it, with the key of the next value, or the end of the
    /// container; returns whether another value follows.
    #[inline]
    fn add(&mut self, container: &mut Open, depth: usize, value: Value) -> Result<bool, Problem> {
        let (end, problem) = match &mut *container {
            Open::Array(items) => {
                items.push(value);
                (b']', "expected `,` or `]`")
            }
            object => {
                object.put(value);
                (b'}', "expected `,` or `}`")
            }
        };
        self.space();
        let more = match self.peek() {
            Some(b',') => true,
            Some(found) if found == end => false,
            _ => return Err(problem),
        };
        self.at += 1;
        if more && end == b'}' {
            self.space();
            self.key(depth, container)?;
        }
        Ok(more)
    }

    #[inline]
    fn closed(&mut self, container: Open, depth: usize) -> Value {
        match container {
            Open::Array(items) => Value::Vector(Arc::new(Vector::new(items))),
            Open::Object { values, .. } => {
                let shape = self.keys.shape(depth, values.len());
                Value::Map(Arc::new(Map::of_shape(shape, values)))
            }
            Open::Many { map, .. } => Value::Map(Arc::new(map)),
        }
    }

    /// Returns the value of the document, if nothing follows it.
    fn end(&mut self, value: Value) -> Result<Value, Problem> {
        self.space();
        if self.peek().is_none() { Ok(value) } else { Err("expected the end of the text") }
    }

    /// Reads a key of an object and its colon.
    fn key(&mut self, depth: usize, object: &mut Open) -> Result<(), Problem> {
        let count = match object {
            Open::Object { values, .. } => values.len(),
            Open::Many { map, .. } => map.len(),
            Open::Array(_) => 0,
        };
        let text = self.key_text(depth, count)?;
        match object {
            Open::Object { place, .. } if count < FLAT_MAX && !matches!(text, Key::Escaped(_)) => {
                *place = match text {
                    Key::Plain(text) => self.keys.put(depth, count, &text),
                    _ => count,
                };
            }
            Open::Object { values, .. } => {
                let mut map = Map::with_capacity((count + 1).next_multiple_of(FLAT_MAX));
                let keys = self.keys.last(depth).iter().cloned();
                keys.zip(values.drain(..)).for_each(|row| map.insert_new(row));
                let (key, is_new) = self.key_of_many(depth, &map, &text);
                *object = Open::Many { map, key, is_new };
            }
            Open::Many { map, key, is_new } => {
                (*key, *is_new) = self.key_of_many(depth, map, &text);
            }
            Open::Array(_) => {}
        }
        Ok(())
    }

    /// Returns the key of a text, and whether the map certainly does not have it.
    fn key_of_many(&mut self, depth: usize, map: &Map, text: &Key<'_>) -> (Value, bool) {
        let count = map.len();
        let (text, is_plain) = match text {
            Key::Plain(text) => (&**text, true),
            Key::Escaped(text) => (&**text, false),
            Key::Next => {
                let key = self.keys.last(depth).get(count).cloned();
                return (key.unwrap_or_default(), true);
            }
        };
        let key = self.keys.key(text);
        let is_new = !map.contains(&key);
        let last = self.keys.cut(depth, count);
        if is_new && is_plain && last.keys.len() == count {
            last.keys.push(key.clone());
        }
        (key, is_new)
    }

    fn key_text(&mut self, depth: usize, place: usize) -> Result<Key<'t>, Problem> {
        if self.peek() != Some(b'"') {
            return Err("expected a key in double quotes");
        }
        let key = if let Some(length) = self.expected_key(depth, place) {
            self.at += length + 2;
            Key::Next
        } else if let Some(end) = self.plain_end() {
            let text = &self.text[self.at + 1..end];
            self.at = end + 1;
            Key::Plain(Cow::Borrowed(text))
        } else {
            let text = self.escaped_string()?;
            match plain_length(text.as_bytes()) {
                None => Key::Plain(Cow::Owned(text)),
                Some(_) => Key::Escaped(text),
            }
        };
        self.space();
        if self.peek() != Some(b':') {
            return Err("expected `:` after a key");
        }
        self.at += 1;
        Ok(key)
    }

    /// Returns the length of the key of the last object at this depth and place, if it comes next.
    fn expected_key(&self, depth: usize, place: usize) -> Option<usize> {
        let key = self.keys.at(depth, place)?;
        let rest = self.text.as_bytes().get(self.at + 1..)?.strip_prefix(key.as_bytes())?;
        (rest.first() == Some(&b'"')).then_some(key.len())
    }

    fn scalar(&mut self) -> Result<Value, Problem> {
        match self.peek() {
            Some(b'"') => match self.plain_end() {
                Some(end) => {
                    let text = &self.text[self.at + 1..end];
                    self.at = end + 1;
                    Ok(Value::Str(self.texts.share(text)))
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

impl Open {
    /// Puts the value of the last key into an object.
    fn put(&mut self, value: Value) {
        match self {
            Open::Array(items) => items.push(value),
            Open::Object { values, place } => match values.get_mut(*place) {
                Some(old) => *old = value,
                None => values.push(value),
            },
            Open::Many { map, key, is_new } => {
                let row = (std::mem::take(key), value);
                if *is_new {
                    map.insert_new(row);
                } else {
                    map.insert(row);
                }
            }
        }
    }
}

/// The maximum number of digits, because reading them takes time that grows with their square.
pub const MAX_DIGITS: usize = 4096;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::json::write;

    /// Returns the objects of an array.
    fn objects(text: &str) -> Vec<Map> {
        let array = parse(text).unwrap();
        array.items().unwrap().map(|item| item.as_map().unwrap().clone()).collect()
    }

    fn shared(objects: &[Map]) -> Vec<bool> {
        objects.windows(2).map(|two| Map::same_keys(&two[0], &two[1])).collect()
    }

    #[test]
    fn objects_of_one_text_share_their_keys() {
        let text =
            r#"[{"a":1,"b":{"c":1}},{"a":2,"b":{"c":2}},{"a":3},{"a":4,"b":5},{"b":1,"a":2}]"#;
        let rows = objects(text);
        assert_eq!(shared(&rows), [true, false, false, false]);
        assert!(Map::same_keys(&rows[0], &rows[3]));
        let inner = |row: &Map| row.get_name("b").unwrap().as_map().unwrap().clone();
        assert!(Map::same_keys(&inner(&rows[0]), &inner(&rows[1])));
        let optional = [r#"{"a":1,"b":2,"c":3}"#, r#"{"a":1,"c":3}"#].repeat(3).join(",");
        let rows = objects(&format!("[{optional}]"));
        assert!(Map::same_keys(&rows[0], &rows[4]) && Map::same_keys(&rows[1], &rows[5]));
        let rows: Vec<serde_json::Value> = serde_json::from_str(text).unwrap();
        let Value::Vector(rows) = Value::from(serde_json::Value::Array(rows)) else { panic!() };
        let maps: Vec<Map> = rows.iter().map(|row| row.as_map().unwrap().clone()).collect();
        assert_eq!(shared(&maps), [true, false, false, false]);
    }

    #[test]
    fn texts_that_come_often_are_shared_beside_texts_that_come_once() {
        let row = |at: usize| format!(r#"["x{at}","{}","d{at}"]"#, ["red", "blue"][at % 2]);
        let rows: Vec<String> = (0..2_000).map(row).collect();
        let rows = parse(&format!("[{}]", rows.join(","))).unwrap();
        let texts = |place: usize| {
            let text = |row: &Value| match row.items().unwrap().nth(place) {
                Some(Value::Str(text)) => text.as_ptr(),
                other => panic!("{other:?}"),
            };
            rows.items().unwrap().map(text).collect::<std::collections::HashSet<_>>().len()
        };
        assert!(texts(1) <= 4 && texts(0) == 2_000);
    }

    #[test]
    fn objects_keep_the_order_of_their_keys_and_the_last_values() {
        let wide = |count: i64, last: i64| {
            let rows: Vec<String> = (0..count).map(|at| format!(r#""k{at}":{at}"#)).collect();
            format!(r#"{{{},"last":{last}}}"#, rows.join(","))
        };
        for text in [
            r#"[{"a":1,"b":2,"a":3,"c":4},{"a":1,"b":2,"c":3},{"a":1,"a":2}]"#.to_owned(),
            r#"[{"\u0061":1,"b":2},{"a":1,"b":2},{"a\"b":1,"c":2},{"a\"b":3,"c":4},{"a":1}]"#
                .to_owned(),
            format!("[{},{},{}]", wide(15, 1), wide(15, 2), wide(15, 3)),
            format!("[{},{},{},{}]", wide(16, 1), wide(16, 2), wide(40, 3), wide(16, 4)),
            format!("[{},{}]", wide(16, 1).replace("last", "k3"), wide(16, 2)),
        ] {
            // `serde_json` keeps the order of keys, and the last of equal ones, in the first place.
            let expected: serde_json::Value = serde_json::from_str(&text).unwrap();
            assert_eq!(write(&parse(&text).unwrap()).unwrap(), expected.to_string());
            assert_eq!(parse(&text).unwrap(), Value::from(expected));
        }
        // A key with a quote is not the start of another text.
        let error = parse(r#"[{"a\"b":1},{"a"b":1}]"#).unwrap_err();
        assert_eq!(error.to_string(), "expected `:` after a key at line 1, column 17");
    }

    #[test]
    fn keys_of_many_objects_are_new_in_constant_time() {
        let rows: Vec<String> = (0..200_000).map(|at| format!(r#""k{at}":{at}"#)).collect();
        let text = format!("{{{}}}", rows.join(","));
        assert_eq!(parse(&text).unwrap().as_map().unwrap().len(), 200_000);
    }
}
