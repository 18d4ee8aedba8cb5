//! Values of the language as JSON text, and back, without recursion while they are plain JSON.
//!
//! A text that starts with [`MARK`] has marked parts: objects with the one key `$` hold a kind and the parts of a value
//! that JSON lacks. `lib/values.js` is the other end.

use std::fmt::Write as _;

use ptc_lisp::values::{Ext, Items, TableIter};
use ptc_lisp::{Value, json};
use ptc_subagent::Data;

/// Begins a text with marked parts.
const MARK: char = '~';

/// The maximum nesting of a value that leaves a program, in levels.
const MAX_DEPTH: usize = 1_000;

/// The largest number of JavaScript that is an exact integer.
const SAFE: u64 = (1 << 53) - 1;

/// The reason that a value has no text.
pub(crate) enum NoText {
    /// The kind of value without a form outside programs.
    Kind(&'static str),
    /// The value is larger than the limit.
    Size,
    Depth,
}

/// Reads a text that `lib/values.js` has written.
pub(crate) fn read(text: &str) -> Result<Value, String> {
    let (text, is_marked) = match text.strip_prefix(MARK) {
        Some(marked) => (marked, true),
        None => (text, false),
    };
    let value = json::parse(text).map_err(|error| error.to_string())?;
    Ok(if is_marked { unmarked(value) } else { value })
}

/// Writes data that the library made.
pub(crate) fn of_data(data: &Data) -> String {
    let mut writer = Writer::default();
    if writer.value(data.value(), usize::MAX).is_err() {
        // Data nests less deep than the limit.
        writer.raw("null");
    }
    writer.finish()
}

/// Writes values, and JSON between them.
#[derive(Default)]
pub(crate) struct Writer {
    out: String,
    has_marks: bool,
    left: usize,
}

impl Writer {
    /// Adds JSON.
    pub(crate) fn raw(&mut self, json: &str) {
        self.out.push_str(json);
    }

    /// Returns the text.
    pub(crate) fn finish(mut self) -> String {
        if self.has_marks {
            self.out.insert(0, MARK);
        }
        self.out
    }

    /// Adds a value. Keywords and symbols become strings, dates and identifiers their text. A value that shares its parts
    /// may be much larger outside, so its size is limited to about `max` bytes.
    ///
    /// # Errors
    ///
    /// The reason that the value has no text. Nothing is added then.
    pub(crate) fn value(&mut self, value: &Value, max: usize) -> Result<(), NoText> {
        let start = self.out.len();
        let had_marks = self.has_marks;
        self.left = max;
        let written = self.all(value);
        if written.is_err() {
            self.out.truncate(start);
            self.has_marks = had_marks;
        }
        written
    }

    fn all(&mut self, value: &Value) -> Result<(), NoText> {
        let mut open = Vec::new();
        self.begin(value, &mut open)?;
        while let Some(top) = open.last_mut() {
            let next = match &mut top.rest {
                Rest::Items(items) => items.next().map(|it| (None, it)),
                Rest::Fields(rows) => rows.next().map(|(key, value)| (Some(key), value)),
                Rest::Pairs(rows, second) => match second.take() {
                    Some(value) => Some((None, value)),
                    None => rows.next().map(|(key, value)| {
                        *second = Some(value);
                        (None, key)
                    }),
                },
            };
            let Some((key, next)) = next else {
                let end = top.end;
                open.pop();
                self.out.push_str(end);
                continue;
            };
            if top.is_begun {
                self.out.push(',');
            }
            top.is_begun = true;
            if open.len() > MAX_DEPTH {
                return Err(NoText::Depth);
            }
            if let Some(key) = key {
                self.string(key.name().unwrap_or_default())?;
                self.out.push(':');
            }
            self.begin(next, &mut open)?;
        }
        Ok(())
    }

    /// Writes a value without parts. A container is opened instead.
    fn begin<'v>(&mut self, value: &'v Value, open: &mut Vec<Open<'v>>) -> Result<(), NoText> {
        self.pay(2)?;
        match value {
            Value::Nil => self.out.push_str("null"),
            Value::Bool(true) => self.out.push_str("true"),
            Value::Bool(false) => self.out.push_str("false"),
            Value::Int(int) if int.unsigned_abs() <= SAFE => self.display(int),
            Value::Int(int) => self.marked("int", &int.to_string())?,
            Value::Big(big) => {
                self.pay(big.bits() as usize / 3)?;
                self.marked("int", &big.to_string())?;
            }
            Value::Float(float) if float.is_finite() && !is_negative_zero(*float) => {
                self.display(float);
            }
            Value::Float(float) => self.marked("float", &float.to_string())?,
            Value::Str(text) | Value::Keyword(text) | Value::Symbol(text) => self.string(text)?,
            Value::List(_) | Value::Vector(_) | Value::Set(_) => {
                let Some(items) = value.items() else { return Err(NoText::Kind("value")) };
                let is_set = matches!(value, Value::Set(_));
                let (start, end) = if is_set { (r#"{"$":["set",["#, "]]}") } else { ("[", "]") };
                self.has_marks |= is_set;
                self.out.push_str(start);
                open.push(Open { rest: Rest::Items(items), end, is_begun: false });
            }
            Value::Map(map) => {
                let is_text = |key: &Value| {
                    matches!(key, Value::Str(_) | Value::Keyword(_) | Value::Symbol(_))
                };
                let is_object = map.rows().all(|(key, _)| is_text(key));
                if is_object && !(map.len() == 1 && is_mark(map.rows().next())) {
                    self.out.push('{');
                    open.push(Open { rest: Rest::Fields(map.rows()), end: "}", is_begun: false });
                } else {
                    self.has_marks = true;
                    let kind = if is_object { "object" } else { "map" };
                    // Writing to a string cannot fail.
                    let _ = write!(self.out, r#"{{"$":["{kind}",["#);
                    let rest = Rest::Pairs(map.rows(), None);
                    open.push(Open { rest, end: "]]}", is_begun: false });
                }
            }
            Value::Ext(ext) => match &**ext {
                Ext::Time(time) if time.is_data() => self.string(time.text())?,
                Ext::Uuid(_) => self.string(&ptc_lisp::print::display(value))?,
                _ => return Err(NoText::Kind(value.type_name())),
            },
            Value::Function(_) | Value::Builtin(_) => {
                return Err(NoText::Kind(value.type_name()));
            }
        }
        Ok(())
    }

    fn marked(&mut self, kind: &str, text: &str) -> Result<(), NoText> {
        self.pay(text.len())?;
        self.has_marks = true;
        // Writing to a string cannot fail.
        let _ = write!(self.out, r#"{{"$":["{kind}","{text}"]}}"#);
        Ok(())
    }

    fn display(&mut self, number: impl std::fmt::Display) {
        // Writing to a string cannot fail.
        let _ = write!(self.out, "{number}");
    }

    fn string(&mut self, text: &str) -> Result<(), NoText> {
        self.pay(text.len())?;
        let is_plain = |byte: u8| byte >= b' ' && byte != b'"' && byte != b'\\';
        if text.bytes().all(is_plain) {
            self.out.push('"');
            self.out.push_str(text);
            self.out.push('"');
        } else {
            self.display(serde_json::Value::from(text));
        }
        Ok(())
    }

    fn pay(&mut self, bytes: usize) -> Result<(), NoText> {
        self.left = self.left.checked_sub(bytes).ok_or(NoText::Size)?;
        Ok(())
    }
}

enum Rest<'v> {
    Items(Items<'v>),
    /// Entries whose keys are texts.
    Fields(TableIter<'v, (Value, Value)>),
    /// Other entries, and the value of the current one.
    Pairs(TableIter<'v, (Value, Value)>, Option<&'v Value>),
}

/// A container whose parts are written.
struct Open<'v> {
    rest: Rest<'v>,
    end: &'static str,
    is_begun: bool,
}

fn is_mark(row: Option<(&Value, &Value)>) -> bool {
    row.is_some_and(|(key, _)| key.name() == Some("$"))
}

fn is_negative_zero(float: f64) -> bool {
    float == 0.0 && float.is_sign_negative()
}

/// Replaces the marked parts. `lib/values.js` bounds their nesting.
fn unmarked(value: Value) -> Value {
    if let Some(map) = value.as_map() {
        let mut rows = map.rows();
        if let (Some((_, inner)), true, true) =
            (rows.next(), map.len() == 1, is_mark(map.rows().next()))
            && let Some(made) = marked(inner)
        {
            return made;
        }
        return Value::map(map.rows().map(|(key, value)| (key.clone(), unmarked(value.clone()))));
    }
    match value.items() {
        Some(items) => Value::vector(items.map(|it| unmarked(it.clone())).collect::<Vec<_>>()),
        None => value,
    }
}

fn marked(inner: &Value) -> Option<Value> {
    let mut parts = inner.items()?;
    let kind = parts.next()?.as_str()?;
    let part = parts.next()?;
    let list =
        || part.items().map(|items| items.map(|it| unmarked(it.clone())).collect::<Vec<_>>());
    Some(match kind {
        "int" => json::parse(part.as_str()?).ok()?,
        "float" => Value::Float(part.as_str()?.parse().ok()?),
        "set" => Value::set(list()?),
        "map" | "object" => {
            let parts = list()?;
            let pairs = parts.chunks_exact(2).map(|it| (it[0].clone(), it[1].clone()));
            Value::map(pairs)
        }
        _ => return None,
    })
}

/// Reads a text as data.
pub(crate) fn data(text: &str) -> Result<Data, String> {
    let value = read(text)?;
    Data::of(&value).map_err(|error| error.message().to_owned())
}

/// Writes a text as JSON.
pub(crate) fn quoted(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}
