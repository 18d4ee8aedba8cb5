//! Rules of other systems in the keys of JSON: `rows:[3+]`, `message:!empty`, `done?`, `url*`.
//!
//! A prompt of such a system shows an example whose keys have rules, and a model copies the keys with them.
//!
//! | key | rule |
//! |---|---|
//! | `a?` | the key is optional |
//! | `a*` | the key is optional, and its value is not checked |
//! | `a:!empty` | the text, the list or the map is not empty |
//! | `a:[3]`, `a:[=3]`, `a:[3+]`, `a:[3-5]` | the number of items or characters, or the value of a number |
//! | `a:string`, `a:number`, `a:boolean`, `a:array`, `a:object`, `a:any` | the kind of the value |
//! | `a:enum:low,high` | the text is one of these |
//!
//! Several rules follow one another: `tags:array:[1-5]`.
//!
//! ```
//! use ptc_signatures::key_rules::KeyRules;
//! use serde_json::json;
//!
//! let key = KeyRules::read("tags:[3+]");
//! assert_eq!(key.name, "tags");
//! assert_eq!(key.violation(&json!(["a", "b", "c"])), None);
//! let broken = key.violation(&json!(["a"])).unwrap();
//! assert_eq!(broken.to_string(), "expected at least 3 items, found 1 item");
//! // Text behind a colon is a rule only if all of it is.
//! assert_eq!(KeyRules::read("http://a.org").name, "http://a.org");
//! ```

use std::fmt;

use crate::{Datum, View};

/// The kinds of values that rules name.
pub const TYPES: &[&str] = &["string", "number", "boolean", "object", "array", "any"];

/// A key, with the rules behind its name.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct KeyRules {
    /// The name.
    pub name: String,
    /// Whether the key may be absent, or its value null.
    pub is_optional: bool,
    /// Whether its value is not checked.
    pub is_unchecked: bool,
    /// The rules as text, without colons around them.
    pub rules: Vec<String>,
}

/// A value that breaks a rule of its key.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Violation {
    /// The expectation of the rule in words.
    pub expected: String,
    /// The finding in words, without the value.
    pub found: String,
}

/// The numbers that a rule such as `[2-5]` allows.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Range {
    /// The minimum.
    pub min: f64,
    /// The maximum, if there is one.
    pub max: Option<f64>,
}

impl KeyRules {
    /// Reads a key. A key without rules is its own name.
    pub fn read(key: &str) -> KeyRules {
        let (text, is_optional, is_unchecked) = match (key.strip_suffix('?'), key.strip_suffix('*'))
        {
            (Some(text), _) => (text, true, false),
            (_, Some(text)) => (text, true, true),
            (None, None) => (key, false, false),
        };
        // Text behind a colon is a rule only if all of it is; `http://…` is a key.
        match text.split_once(':') {
            Some((name, rules)) if rules_of(rules).iter().all(|rule| is_rule(rule)) => {
                let (name, is_optional) = match name.strip_suffix('?') {
                    Some(name) => (name, true),
                    None => (name, is_optional),
                };
                let (name, rules) = (name.to_owned(), rules_of(rules));
                KeyRules { name, is_optional, is_unchecked, rules }
            }
            _ => KeyRules { name: text.to_owned(), is_optional, is_unchecked, rules: Vec::new() },
        }
    }

    /// Returns the first rule that a value breaks. A malformed range says nothing.
    pub fn violation<D: Datum>(&self, value: &D) -> Option<Violation> {
        let is_absent = self.is_optional && value.view() == View::Nil;
        let rules = self.rules.iter().filter(|_| !self.is_unchecked && !is_absent);
        rules.into_iter().find_map(|rule| violation(rule, value))
    }
}

impl fmt::Display for Violation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "expected {}, found {}", self.expected, self.found)
    }
}

/// Returns the name in a key, whatever follows it: `a` of `a:b`, `a?` and `a*`. A colon before `//` belongs to the name.
pub fn bare_name(key: &str) -> &str {
    let begins = |(at, c): (usize, char)| match c {
        '?' | '*' => true,
        ':' => !key.get(at..).is_some_and(|rest| rest.starts_with("://")),
        _ => false,
    };
    let end = key.char_indices().find(|it| begins(*it)).map_or(key.len(), |(at, _)| at);
    key.get(..end).unwrap_or(key).trim()
}

/// Splits rules at colons outside brackets. `enum:` has the rest.
pub fn rules_of(text: &str) -> Vec<String> {
    let mut rules = Vec::new();
    let mut rest = text;
    loop {
        if rest.starts_with("enum:") {
            rules.push(rest.to_owned());
            return rules;
        }
        let mut depth = 0_usize;
        let end = rest.find(|c| {
            match c {
                '[' => depth += 1,
                ']' => depth = depth.saturating_sub(1),
                _ => {}
            }
            c == ':' && depth == 0
        });
        match end {
            None => {
                rules.push(rest.to_owned());
                return rules;
            }
            Some(end) => {
                rules.push(rest.get(..end).unwrap_or_default().to_owned());
                rest = rest.get(end + 1..).unwrap_or_default();
            }
        }
    }
}

/// Returns whether a text has the form of a rule, although its range may be malformed.
pub fn is_rule(text: &str) -> bool {
    text == "!empty"
        || text.starts_with("enum:")
        || text.starts_with('[') && text.ends_with(']')
        || TYPES.contains(&text)
}

/// Returns the values of a rule such as `enum:low,high`; `None` for another rule.
pub fn words(rule: &str) -> Option<Vec<String>> {
    let words = rule.strip_prefix("enum:")?.split(',').map(str::trim);
    Some(words.filter(|word| !word.is_empty()).map(str::to_owned).collect())
}

/// Reads a range such as `[3+]`; `None` if it is malformed.
pub fn range(rule: &str) -> Option<Range> {
    let inner = rule.strip_prefix('[')?.strip_suffix(']')?.trim();
    let number = |text: &str| {
        let number: f64 = text.trim().parse().ok()?;
        number.is_finite().then_some(number)
    };
    if let Some(min) = inner.strip_suffix('+') {
        return Some(Range { min: number(min)?, max: None });
    }
    if let Some(exact) = number(inner.strip_prefix('=').unwrap_or(inner)) {
        return Some(Range { min: exact, max: Some(exact) });
    }
    // The first minus may be a sign.
    let split = inner.char_indices().skip(1).find(|(_, c)| *c == '-')?.0;
    let (min, max) = inner.split_at(split);
    let range = Range { min: number(min)?, max: Some(number(max.strip_prefix('-')?)?) };
    range.max.is_some_and(|max| range.min <= max).then_some(range)
}

fn violation<D: Datum>(rule: &str, value: &D) -> Option<Violation> {
    let view = value.view();
    let broken = |expected: String, found: String| Some(Violation { expected, found });
    if rule == "!empty" {
        let is_empty = match view {
            View::Nil => true,
            View::Str(text) => text.trim().is_empty(),
            View::List => value.length() == Some(0),
            View::Map => value.entries().next().is_none(),
            _ => false,
        };
        return is_empty.then(|| Violation {
            expected: "a value that is not empty".to_owned(),
            found: kind(view).to_owned(),
        });
    }
    if let Some(words) = words(rule) {
        let fits = matches!(view, View::Str(text) | View::Keyword(text) if words.iter().any(|it| it == text));
        let expected = || format!("one of {}", words.join(", "));
        return if fits { None } else { broken(expected(), format!("another {}", kind(view))) };
    }
    if TYPES.contains(&rule) {
        let fits = match rule {
            "string" => matches!(view, View::Str(_) | View::Keyword(_) | View::Datetime),
            "number" => matches!(view, View::Int(_) | View::BigInt(_) | View::Float(_)),
            "boolean" => matches!(view, View::Bool(_)),
            "array" => matches!(view, View::List),
            "object" => matches!(view, View::Map),
            _ => true,
        };
        return if fits { None } else { broken(rule.to_owned(), kind(view).to_owned()) };
    }
    let range = range(rule)?;
    let (size, unit) = match view {
        View::Nil => return broken(range.of("item"), kind(view).to_owned()),
        View::List => (value.length()? as f64, "item"),
        View::Str(text) => (text.chars().count() as f64, "character"),
        View::Int(it) => (it as f64, ""),
        View::BigInt(it) | View::Float(it) => (it, ""),
        _ => return None,
    };
    let fits = range.min <= size && range.max.is_none_or(|max| size <= max);
    if fits { None } else { broken(range.of(unit), counted(size, unit)) }
}

impl Range {
    /// Returns the range in words.
    fn of(self, unit: &str) -> String {
        let Range { min, max } = self;
        match max {
            None => format!("at least {}", counted(min, unit)),
            Some(max) if min == max => format!("exactly {}", counted(min, unit)),
            Some(max) => format!("{min} to {}", counted(max, unit)),
        }
    }
}

fn counted(number: f64, unit: &str) -> String {
    match unit {
        "" => number.to_string(),
        unit if number == 1.0 => format!("1 {unit}"),
        unit => format!("{number} {unit}s"),
    }
}

fn kind(view: View<'_>) -> &'static str {
    match view {
        View::Nil => "null",
        View::Bool(_) => "boolean",
        View::Int(_) | View::BigInt(_) | View::Float(_) => "number",
        View::Str("") => "empty string",
        View::Str(text) if text.trim().is_empty() => "blank string",
        View::Str(_) | View::Keyword(_) | View::Datetime => "string",
        View::List => "array",
        View::Map => "object",
        View::Other(_) | View::Unknown(_) => "value",
    }
}
