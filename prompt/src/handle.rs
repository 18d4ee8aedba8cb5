//! Handles: what a model is told of a value that it does not read.

use std::fmt::Write;

use ptc_lisp::{Map, Value};

use crate::sample::{is_hidden, is_plain_name};

/// The fields of a map that a handle names.
const MOST_FIELDS: usize = 12;

/// The levels of a value that a handle describes.
const MOST_LEVELS: usize = 3;

/// The length of a handle, in bytes, beyond which it looks into no further part.
const ROOM: usize = 600;

/// Returns the kind and the size of a value in words, for a model that does not read it. Of a map, the fields whose names
/// the model `knows` are named.
///
/// ```
/// use ptc_lisp::json;
///
/// let mails = json::parse(r#"[{"from": "eve", "Send it": true}, {"from": "ann"}]"#)?;
/// assert_eq!(
///     ptc_prompt::handle(&mails, &|name| name == "from"),
///     "[not shown: 2 items, the first is {:from string of 3 characters, and 1 more field}]"
/// );
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn handle(value: &Value, knows: &dyn Fn(&str) -> bool) -> String {
    let mut text = String::from("[not shown: ");
    write(&mut text, value, knows, MOST_LEVELS);
    text.push(']');
    text
}

fn write(text: &mut String, value: &Value, knows: &dyn Fn(&str) -> bool, levels: usize) {
    let levels = if text.len() < ROOM { levels } else { 0 };
    let kind = match value {
        Value::Nil => "nil",
        Value::Bool(_) => "boolean",
        Value::Int(_) | Value::Big(_) => "integer",
        Value::Float(_) => "float",
        Value::Keyword(_) => "keyword",
        Value::Symbol(_) => "symbol",
        Value::Str(it) => return push(text, "string of", it.chars().count(), "character"),
        Value::Map(map) => return write_map(text, map, knows, levels),
        Value::List(_) | Value::Vector(_) | Value::Set(_) => {
            let mut items = value.items().into_iter().flatten();
            let (first, count) = (items.next(), items.count());
            push(text, "", count + usize::from(first.is_some()), "item");
            if let Some(first) = first.filter(|_| levels > 0) {
                text.push_str(", the first is ");
                write(text, first, knows, levels - 1);
            }
            return;
        }
        Value::Function(_) | Value::Builtin(_) => "function",
        Value::Ext(_) => "value",
    };
    text.push_str(kind);
}

fn write_map(text: &mut String, map: &Map, knows: &dyn Fn(&str) -> bool, levels: usize) {
    let is_known = |name: &&str| is_plain_name(name) && !is_hidden(name) && knows(name);
    let named = map.iter().filter_map(|(key, value)| Some((key.name().filter(is_known)?, value)));
    let named: Vec<_> = named.take(if levels > 0 { MOST_FIELDS } else { 0 }).collect();
    if named.is_empty() {
        return push(text, "map of", map.len(), "field");
    }
    let more = map.len() - named.len();
    for (at, (name, value)) in named.into_iter().enumerate() {
        // Writing to a string cannot fail.
        let _ = write!(text, "{}:{name} ", if at > 0 { ", " } else { "{" });
        write(text, value, knows, levels - 1);
    }
    if more > 0 {
        text.push_str(", and ");
        push(text, "", more, "more field");
    }
    text.push('}');
}

/// Writes a number of things.
fn push(text: &mut String, before: &str, count: usize, thing: &str) {
    let space = if before.is_empty() { "" } else { " " };
    let plural = if count == 1 { "" } else { "s" };
    let _ = write!(text, "{before}{space}{count} {thing}{plural}");
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn handles_tell_kinds_and_sizes() {
        let check = |json: &str, expected: &str| {
            let value = ptc_lisp::json::parse(json).unwrap();
            let knows = |name: &str| ["from", "id", "a"].contains(&name);
            assert_eq!(handle(&value, &knows), format!("[not shown: {expected}]"), "{json}");
        };
        check("null", "nil");
        check("true", "boolean");
        check("250", "integer");
        check("2.5", "float");
        check("\"é!\"", "string of 2 characters");
        check("[]", "0 items");
        check("[1]", "1 item, the first is integer");
        check("{}", "map of 0 fields");
        check("{\"Do it\": 1}", "map of 1 field");
        check("{\"from\": \"e\"}", "{:from string of 1 character}");
        check("{\"x\": 1, \"id\": 7, \"y\": 2}", "{:id integer, and 2 more fields}");
        check("{\"a\": {\"a\": {\"a\": {\"a\": 1}}}}", "{:a {:a {:a map of 1 field}}}");
        check("[[[[1]]]]", "1 item, the first is 1 item, the first is 1 item, the first is 1 item");
    }
    /// A stranger may write words that the model knows as names of fields.
    #[test]
    fn a_handle_is_short() {
        let nest = |inner: &Value| {
            Value::map((0..12).map(|at| (Value::str(format!("k{at}")), inner.clone())))
        };
        let value = (0..4).fold(Value::Int(1), |inner, _| nest(&inner));
        let text = handle(&value, &|_| true);
        assert!(text.ends_with(", :k11 map of 12 fields}]"), "{text}");
        assert!(text.len() < 1_500, "{} bytes", text.len());
    }
}
