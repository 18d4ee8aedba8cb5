//! Reads YAML as JSON values: the core schema of YAML 1.2, with bounds on depth and aliases.

use std::collections::BTreeMap;

use granit_parser::{Event, Parser, ScalarStyle};
use serde_json::{Map, Number, Value};

use crate::error::{Error, shown};

/// The maximum nesting, in levels. It is that of the JSON reader.
const MAX_DEPTH: usize = 127;

/// The maximum size of the copies that anchors and aliases add, in bytes. A few lines of aliases can otherwise become any
/// amount of memory.
const MAX_COPIED: usize = 64 << 20;

/// Reads the one document of a text. `hide` replaces the secrets in texts for messages.
pub(crate) fn parse(text: &str, hide: &dyn Fn(&mut Value)) -> Result<Value, Error> {
    let shown = |text: &str| {
        let mut text = Value::from(text);
        hide(&mut text);
        shown(text.as_str().unwrap_or_default())
    };
    let mut builder = Builder::default();
    for next in Parser::new_from_str(text) {
        let (event, span) = next.map_err(|error| {
            let at = error.marker();
            let what = format!("is not YAML: {} at line {}", shown(&error.info()), at.line());
            Error::new(what)
        })?;
        builder.event(event, &shown).map_err(|error| {
            Error::new(format!("{} at line {}", error.message(), span.start.line()))
        })?;
    }
    builder.root.ok_or_else(|| Error::new("is empty"))
}

/// A list or map whose end has not come yet.
enum Open {
    List(Vec<Value>),
    Map(Map<String, Value>, Option<String>),
}

#[derive(Default)]
struct Builder {
    open: Vec<(Open, usize)>,
    root: Option<Value>,
    /// The values of anchors, by their numbers, with their sizes.
    anchors: BTreeMap<usize, (Value, usize)>,
    copied: usize,
    documents: usize,
}

impl Builder {
    fn event(&mut self, event: Event<'_>, shown: &dyn Fn(&str) -> String) -> Result<(), Error> {
        match event {
            Event::DocumentStart(..) => {
                self.documents += 1;
                if self.documents > 1 {
                    return Err(Error::new("has a second YAML document"));
                }
            }
            Event::SequenceStart(_, anchor, _) => self.start(Open::List(Vec::new()), anchor)?,
            Event::MappingStart(_, anchor, _) => self.start(Open::Map(Map::new(), None), anchor)?,
            Event::SequenceEnd | Event::MappingEnd => {
                let Some((open, anchor)) = self.open.pop() else { return Ok(()) };
                let value = match open {
                    Open::List(items) => Value::Array(items),
                    Open::Map(map, _) => Value::Object(map),
                };
                self.put(value, anchor)?;
            }
            Event::Scalar(text, style, anchor, tag) => {
                if let Some((Open::Map(map, key @ None), _)) = self.open.last_mut() {
                    if text == "<<" && style == ScalarStyle::Plain {
                        return Err(Error::new(
                            "has a merge key `<<`, which YAML 1.2 does not have",
                        ));
                    }
                    if map.contains_key(text.as_ref()) {
                        return Err(Error::new(format!("has the key `{}` twice", shown(&text))));
                    }
                    *key = Some(text.into_owned());
                    return Ok(());
                }
                let is_text = tag.is_some_and(|it| it.core_suffix() == Some("str"));
                let value = if style == ScalarStyle::Plain && !is_text {
                    plain(&text)
                } else {
                    Value::String(text.into_owned())
                };
                self.put(value, anchor)?;
            }
            Event::Alias(anchor) => {
                let Some((value, size)) = self.anchors.get(&anchor) else {
                    return Err(Error::new("has an alias of a value that contains it"));
                };
                self.copied += size;
                if self.copied > MAX_COPIED {
                    return Err(Error::new("has too many aliases"));
                }
                let value = value.clone();
                self.put(value, 0)?;
            }
            _ => {}
        }
        Ok(())
    }

    fn start(&mut self, open: Open, anchor: usize) -> Result<(), Error> {
        if self.open.len() >= MAX_DEPTH {
            return Err(Error::new(format!("nests deeper than {MAX_DEPTH} levels")));
        }
        if matches!(self.open.last(), Some((Open::Map(_, None), _))) {
            return Err(Error::new("has a key that is a list or map"));
        }
        self.open.push((open, anchor));
        Ok(())
    }

    /// Adds a value to the list or map that it belongs to.
    fn put(&mut self, value: Value, anchor: usize) -> Result<(), Error> {
        if anchor > 0 {
            let (size, depth) = measure(&value);
            self.copied += size;
            if self.copied > MAX_COPIED {
                return Err(Error::new("has too many anchors"));
            }
            if self.open.len() + depth > MAX_DEPTH {
                return Err(Error::new(format!("nests deeper than {MAX_DEPTH} levels")));
            }
            self.anchors.insert(anchor, (value.clone(), size));
        }
        match self.open.last_mut() {
            None => self.root = Some(value),
            Some((Open::List(items), _)) => items.push(value),
            Some((Open::Map(map, key), _)) => {
                let Some(key) = key.take() else {
                    return Err(Error::new("has a key that is an alias"));
                };
                map.insert(key, value);
            }
        }
        Ok(())
    }
}

/// Returns the memory that a value takes, in bytes, and its depth.
fn measure(value: &Value) -> (usize, usize) {
    let (mut size, mut deepest) = (0, 0);
    let mut open = vec![(value, 1)];
    while let Some((value, depth)) = open.pop() {
        size += size_of::<Value>();
        deepest = deepest.max(depth);
        match value {
            Value::String(text) => size += text.len(),
            Value::Array(items) => open.extend(items.iter().map(|it| (it, depth + 1))),
            Value::Object(map) => {
                size += map.keys().map(|key| size_of::<String>() + key.len()).sum::<usize>();
                open.extend(map.values().map(|it| (it, depth + 1)));
            }
            _ => {}
        }
    }
    (size, deepest)
}

/// Returns the value of a scalar without quotes.
fn plain(text: &str) -> Value {
    match text {
        "" | "~" | "null" | "Null" | "NULL" => return Value::Null,
        "true" | "True" | "TRUE" => return Value::Bool(true),
        "false" | "False" | "FALSE" => return Value::Bool(false),
        _ => {}
    }
    number(text).map_or_else(|| Value::String(text.to_string()), Value::Number)
}

fn number(text: &str) -> Option<Number> {
    let radix = |digits: &str, radix| u64::from_str_radix(digits, radix).ok().map(Number::from);
    if let Some(digits) = text.strip_prefix("0x") {
        return radix(digits, 16);
    }
    if let Some(digits) = text.strip_prefix("0o") {
        return radix(digits, 8);
    }
    let digits = text.strip_prefix(['-', '+']).unwrap_or(text);
    // Rust reads more texts as floats than YAML does, such as `inf` and `nan`.
    let is_number = digits.starts_with(|c: char| c.is_ascii_digit() || c == '.')
        && digits.contains(|c: char| c.is_ascii_digit())
        && digits.chars().all(|c| c.is_ascii_digit() || "+-.eE".contains(c));
    if !is_number {
        return None;
    }
    let unsigned = text.strip_prefix('+').unwrap_or(text);
    let int = unsigned.parse::<i64>().map(Number::from);
    let int = int.or_else(|_| unsigned.parse::<u64>().map(Number::from)).ok();
    int.or_else(|| Number::from_f64(unsigned.parse().ok()?))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn yaml_is_read_as_json() {
        let check =
            |text: &str, expected: Value| assert_eq!(parse(text, &|_| {}), Ok(expected), "{text}");
        check(
            "a: 1\nb: [x, 'y', \"z\"]\n# no\nc: {d: e}",
            json!({"a": 1, "b": ["x", "y", "z"], "c": {"d": "e"}}),
        );
        check("200: a\ntrue: b\n'': c", json!({"200": "a", "true": "b", "": "c"}));
        check(
            "[~, null, '', true, FALSE, yes, -1, +2, 0x1f, 0o17, 1.5, .5, 1e3, 1.2.3, '1', !!str 1]",
            json!([
                null, null, "", true, false, "yes", -1, 2, 31, 15, 1.5, 0.5, 1000.0, "1.2.3", "1",
                "1"
            ]),
        );
        check(
            "[inf, .inf, .nan, 2024-01-01, 18446744073709551615, e3]",
            json!(["inf", ".inf", ".nan", "2024-01-01", u64::MAX, "e3"]),
        );
        check("a: |\n  x\n  y\nb: >\n  x\n  y", json!({"a": "x\ny\n", "b": "x y\n"}));
        check(
            "a: &n {b: 1}\nc: *n\nd: [*n]",
            json!({"a": {"b": 1}, "c": {"b": 1}, "d": [{"b": 1}]}),
        );
        check("---\na:\n...\n", json!({"a": null}));
    }

    #[test]
    fn malformed_and_hostile_yaml_is_an_error() {
        let check = |text: &str, expected: &str| {
            assert_eq!(
                parse(text, &|_| {}).map_err(|it| it.to_string()),
                Err(expected.to_string()),
                "{text}"
            );
        };
        check("", "is empty");
        check("a: 1\na: 2", "has the key `a` twice at line 2");
        check("? [a]\n: 1", "has a key that is a list or map at line 1");
        check("a: &x 1\n*x : 2", "has a key that is an alias at line 2");
        check("a: &x [*x]", "has an alias of a value that contains it at line 1");
        check(
            "a: &x {b: 1}\nc:\n  <<: *x",
            "has a merge key `<<`, which YAML 1.2 does not have at line 3",
        );
        check("a: 1\n---\nb: 2", "has a second YAML document at line 2");
        let deep = format!("{}1{}", "[".repeat(200), "]".repeat(200));
        check(&deep, "nests deeper than 127 levels at line 1");
        let deep =
            |i: i32| format!("a{i}: &a{i} {}*a{}{}\n", "[".repeat(40), i - 1, "]".repeat(40));
        let deeper = (0..5).map(deep).collect::<Vec<String>>().concat();
        let deeper = deeper.replacen("*a-1", "1", 1);
        check(&deeper, "nests deeper than 127 levels at line 4");
        let wide =
            |i: i32| format!("a{i}: &a{i} [{}]\n", vec![format!("*a{}", i - 1); 10].join(", "));
        let bomb = (1..30).map(wide).collect::<Vec<String>>().concat();
        check(&format!("a0: &a0 [lol]\n{bomb}"), "has too many aliases at line 7");
        // One long text counts with its bytes.
        let long = format!("a: &a {}\nb: [{}]", "x".repeat(1 << 20), vec!["*a"; 10_000].join(","));
        check(&long, "has too many aliases at line 2");
        let long =
            format!("a: &a {{{}: 1}}\nb: [{}]", "x".repeat(1000), vec!["*a"; 100_000].join(","));
        check(&long, "has too many aliases at line 2");
    }
}
