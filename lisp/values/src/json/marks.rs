//! Integers past 64 bits in values of `serde_json`, which turns them into floats.
//!
//! A mark replaces such an integer while other code holds its message: a text with a tag that nobody outside this process
//! can know. So no text from outside is taken for one. Marks are only at places from which our own code takes a value,
//! and every message that leaves has the numbers again.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::hash::BuildHasher as _;
use std::sync::LazyLock;

use serde_json::value::RawValue;

use super::{from_serde, parse, to_serde, write};
use crate::Value;

/// The number of digits of the shortest integer past 64 bits, which is negative.
const LONG: usize = 19;

/// The beginning of each mark.
static TAG: LazyLock<String> = LazyLock::new(|| {
    // Standard keys come from the random bytes of the operating system.
    let keys = std::hash::RandomState::new();
    format!("{:016x}{:016x}", keys.hash_one("one"), keys.hash_one("two"))
});

/// A place of values in messages.
#[derive(Clone, Copy, Debug)]
pub struct Place {
    /// The keys that lead there; `*` is any item of a list.
    pub path: &'static [&'static str],
    /// Whether the value may be a number alone. Elsewhere the reader of the message refuses one, and its error must not
    /// quote a mark.
    pub may_be_number: bool,
}

impl Place {
    /// Creates the place of an object or a list.
    pub const fn of_parts(path: &'static [&'static str]) -> Place {
        Place { path, may_be_number: false }
    }

    /// Creates the place of any value.
    pub const fn of_any(path: &'static [&'static str]) -> Place {
        Place { path, may_be_number: true }
    }
}

/// Converts plain data to a value of `serde_json` with marks. Parts without a JSON form become null.
pub fn marked(value: &Value) -> serde_json::Value {
    to_serde(value).unwrap_or_else(|_| marked_parts(value))
}

/// It recurs at most as deep as JSON nests.
fn marked_parts(value: &Value) -> serde_json::Value {
    match value {
        Value::Map(fields) => {
            let fields = fields.iter();
            let fields = fields
                .map(|(name, it)| (name.name().unwrap_or_default().to_owned(), marked_parts(it)));
            serde_json::Value::Object(fields.collect())
        }
        Value::Vector(items) => items.iter().map(marked_parts).collect(),
        Value::Big(_) => {
            write(value).map(|digits| format!("{}{digits}", &*TAG).into()).unwrap_or_default()
        }
        scalar => to_serde(scalar).unwrap_or_default(),
    }
}

/// Converts a value of `serde_json` with marks to a value of the language.
pub fn unmarked(value: &serde_json::Value) -> Value {
    if !has_mark(value) {
        return from_serde(value);
    }
    parse(&written(&value.to_string())).unwrap_or_default()
}

/// It recurs at most as deep as `serde_json` reads.
fn has_mark(value: &serde_json::Value) -> bool {
    match value {
        serde_json::Value::String(text) => text.starts_with(&*TAG),
        serde_json::Value::Array(items) => items.iter().any(has_mark),
        serde_json::Value::Object(fields) => fields.values().any(has_mark),
        _ => false,
    }
}

/// Returns JSON in which each mark is its number.
pub fn written(json: &str) -> Cow<'_, str> {
    if !json.contains(&*TAG) {
        return Cow::Borrowed(json);
    }
    let mark = format!("\"{}", &*TAG);
    let mut parts = json.split(&mark);
    let mut text = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let (number, rest) = part.split_once('"').unwrap_or((part, ""));
        text.push_str(number);
        text.push_str(rest);
    }
    Cow::Owned(text)
}

/// Returns the digits of a mark; `None` for any other text.
pub fn number(text: &str) -> Option<&str> {
    text.strip_prefix(&*TAG)
}

/// Returns a message with marks at places; `None` if it needs none.
///
/// # Errors
///
/// The reason that an integer has no exact form, with its path.
pub fn read(message: &[u8], places: &[Place]) -> Result<Option<String>, String> {
    if !may_be_long(message) {
        return Ok(None);
    }
    let Ok(text) = std::str::from_utf8(message) else { return Ok(None) };
    let mut marked = None;
    for place in places {
        let text = marked.as_deref().unwrap_or(text);
        let found = marked_at(text, place.path, place.may_be_number);
        let found = found.map_err(|why| format!("{}: {why}", place.path.join(".")))?;
        marked = found.or(marked);
    }
    Ok(marked)
}

/// Returns whether bytes may contain an integer past 64 bits.
fn may_be_long(message: &[u8]) -> bool {
    let mut run = 0;
    message.iter().any(|byte| {
        run = if byte.is_ascii_digit() { run + 1 } else { 0 };
        run >= LONG
    })
}

/// Returns JSON with marks at a place; `None` if it needs none there.
fn marked_at(json: &str, path: &[&str], may_be_number: bool) -> Result<Option<String>, String> {
    match path {
        [] if !may_be_number && !json.trim_start().starts_with(['{', '[']) => Ok(None),
        [] => {
            let value = parse(json).map_err(|error| error.to_string())?;
            let value = super::plain(&value).map_err(|why| why.to_string())?;
            Ok(to_serde(&value).is_err().then(|| marked(&value).to_string()))
        }
        ["*", rest @ ..] => {
            let Ok(mut items) = serde_json::from_str::<Vec<Box<RawValue>>>(json) else {
                return Ok(None);
            };
            let mut has_changed = false;
            for item in &mut items {
                has_changed |= mark_part(item, rest, may_be_number)?;
            }
            Ok(has_changed.then(|| serde_json::to_string(&items).ok()).flatten())
        }
        [key, rest @ ..] => {
            let Ok(mut fields) = serde_json::from_str::<BTreeMap<String, Box<RawValue>>>(json)
            else {
                return Ok(None);
            };
            let Some(field) = fields.get_mut(*key) else { return Ok(None) };
            let has_changed = mark_part(field, rest, may_be_number)?;
            Ok(has_changed.then(|| serde_json::to_string(&fields).ok()).flatten())
        }
    }
}

/// Sets marks in a part of a message. Returns whether it needs some.
fn mark_part(part: &mut Box<RawValue>, path: &[&str], may_be_number: bool) -> Result<bool, String> {
    let Some(marked) = marked_at(part.get(), path, may_be_number)? else { return Ok(false) };
    *part = RawValue::from_string(marked).map_err(|error| error.to_string())?;
    Ok(true)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    const BIG: &str = "123456789012345678901234567890";
    const PLACES: [Place; 2] =
        [Place::of_any(&["result", "made"]), Place::of_parts(&["all", "*", "args"])];

    fn read_text(text: &str) -> Result<Option<String>, String> {
        read(text.as_bytes(), &PLACES)
    }

    #[test]
    fn marks_are_only_at_their_places() {
        let part = format!(r#"{{"n":[{BIG},-{BIG},"{BIG}",1.5,18446744073709551615]}}"#);
        let text = format!(
            r#"{{"id":7,"result":{{"made":{part},"n":{BIG}}},"all":[1,{{"args":{part}}},{{"args":{BIG}}}]}}"#
        );
        let value: serde_json::Value =
            serde_json::from_str(&read_text(&text).unwrap().unwrap()).unwrap();
        assert!(value["result"]["n"].is_f64());
        assert!(value["all"][2]["args"].is_f64());
        for made in [&value["result"]["made"], &value["all"][1]["args"]] {
            assert_eq!(made["n"][0].as_str().and_then(number), Some(BIG));
            assert_eq!(written(&made.to_string()), part);
            assert_eq!(write(&unmarked(made)).unwrap(), part);
            assert_eq!(&marked(&unmarked(made)), made);
        }
    }

    #[test]
    fn other_messages_need_no_marks() {
        for text in [
            r#"{"id":7,"result":{"made":{"n":1}}}"#,
            r#"{"id":7,"result":{"made":{"n":9223372036854775808,"t":"123456789012345678901234567890"}}}"#,
            r#"{"id":7,"result":{"made":{"n":0.12345678901234567890123}}}"#,
            r#"{"id":7,"result":{"content":[123456789012345678901234567890]}}"#,
            r#"{"all":{"args":123456789012345678901234567890}}"#,
            r#"{"result":{"made":123456789012345678901234567890"#,
            "[123456789012345678901234567890]",
            "123456789012345678901234567890",
        ] {
            assert_eq!(read_text(text), Ok(None), "{text}");
        }
        assert_eq!(unmarked(&json!({"a": [1.5, null]})), from_serde(&json!({"a": [1.5, null]})));
    }

    #[test]
    fn an_integer_without_an_exact_form_has_its_path() {
        let nines = "9".repeat(4001);
        let text = format!(r#"{{"result":{{"made":{{"n":[1,{nines}]}}}}}}"#);
        let expected = "result.made: n[1]: a whole number of over 4,000 digits has no JSON form";
        assert_eq!(read_text(&text), Err(expected.to_owned()));
    }
}
