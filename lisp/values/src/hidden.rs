//! The values of hidden fields, and texts without them.
//!
//! A field is hidden from models if its name starts with `_`. A program may use its value anywhere, so a message about a
//! mistake can quote the value far from its field. [`HiddenTexts`] knows the values and removes them from messages.

use std::borrow::Cow;
use std::collections::BTreeSet;

use ptc_signatures::HIDDEN;

use crate::{Diagnostic, Ext, Time, Value, print};

/// The maximum number of values. With more of them, messages quote no value at all.
const MAX_TEXTS: usize = 256;

/// The maximum length of all values together, in bytes.
const MAX_BYTES: usize = 1 << 20;

/// The maximum number of values that one search visits. Shared parts are visited at each of their places.
const MAX_VISITS: usize = 1 << 20;

/// The minimum length of a text that is removed wherever it is, in characters. Our own words may have a shorter one.
const LONG: usize = 6;

/// The minimum length of the beginning of a text that is removed, in characters.
const BEGINNING: usize = 8;

/// The minimum length of a number that is removed wherever it is, in characters.
const LONG_NUMBER: usize = 4;

/// The words of messages before a value.
const BEFORE_VALUES: &[&str] = &[
    "integer ",
    "int ",
    "float ",
    "number ",
    "double ",
    "boolean ",
    "bool ",
    "position ",
    "index ",
    "found ",
    "keyword ",
    "symbol ",
    "character ",
    "and ",
    "is ",
    "to ",
    "clause: ",
    "argument: ",
    "got: ",
];

/// The scalar values of hidden fields.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct HiddenTexts {
    texts: BTreeSet<String>,
    bytes: usize,
    /// Whether there are more values than the set holds.
    is_full: bool,
}

impl HiddenTexts {
    /// Returns whether there is no hidden value.
    pub fn is_empty(&self) -> bool {
        self.texts.is_empty() && !self.is_full
    }

    /// Returns the number of values, which is the work of [`HiddenTexts::cover`].
    pub fn len(&self) -> usize {
        self.texts.len()
    }

    /// Returns the values as texts, with an empty text if there are more of them.
    pub fn to_texts(&self) -> Vec<String> {
        self.texts.iter().cloned().chain(self.is_full.then(String::new)).collect()
    }

    /// Returns the set of [`HiddenTexts::to_texts`].
    pub fn of_texts(texts: &[String]) -> HiddenTexts {
        let mut hidden = HiddenTexts::default();
        for text in texts {
            hidden.add(text.clone());
        }
        hidden.is_full |= texts.iter().any(String::is_empty);
        hidden
    }

    /// Adds the values of another set.
    pub fn add_all(&mut self, more: &HiddenTexts) {
        more.texts.iter().for_each(|it| self.add(it.clone()));
        self.is_full |= more.is_full;
    }

    /// Adds the values of the hidden fields of a value.
    #[inline]
    pub fn find(&mut self, value: &Value) {
        if may_have_fields(value) {
            self.find_inside(value);
        }
    }

    fn find_inside(&mut self, value: &Value) {
        let mut open = vec![(value, false)];
        let mut left = MAX_VISITS;
        while let Some((value, is_hidden)) = open.pop() {
            if left == 0 || self.is_full {
                // A part that was not searched may have one.
                self.is_full |= !self.texts.is_empty();
                return;
            }
            left -= 1;
            match value {
                Value::Map(map) => {
                    for (key, value) in map.iter() {
                        let name = key.name();
                        // Names of fields are in types, which models read. Other keys are data.
                        if is_hidden && !name.is_some_and(is_field) {
                            open.push((key, true));
                        }
                        let is_hidden = is_hidden || name.is_some_and(|it| it.starts_with('_'));
                        if is_hidden || may_have_fields(value) {
                            open.push((value, is_hidden));
                        }
                    }
                }
                // It is a value by itself, and nobody has paid for its items.
                Value::List(seq) if seq.is_unbuilt() => {}
                Value::List(_) | Value::Vector(_) | Value::Set(_) => {
                    let items = value.items().into_iter().flatten();
                    open.extend(
                        items
                            .filter(|it| is_hidden || may_have_fields(it))
                            .map(|it| (it, is_hidden)),
                    );
                }
                _ if !is_hidden => {}
                Value::Str(text) | Value::Keyword(text) | Value::Symbol(text) => {
                    self.add(text.to_string());
                }
                Value::Int(_) | Value::Bool(_) => self.add(print::readable(value)),
                Value::Float(_) | Value::Big(_) => self.add(print::display(value)),
                Value::Ext(ext) => match &**ext {
                    Ext::Uuid(uuid) => self.add(uuid.text().to_string()),
                    Ext::Time(_) => {
                        if let Some(time) = Time::of(value) {
                            self.add(time.text().to_string());
                        }
                    }
                    _ => {}
                },
                _ => {}
            }
        }
    }

    fn add(&mut self, text: String) {
        if text.is_empty() || text == HIDDEN || self.is_full {
            return;
        }
        self.bytes += text.len();
        self.texts.insert(text);
        self.is_full = self.texts.len() > MAX_TEXTS || self.bytes > MAX_BYTES;
    }

    /// Returns a message without the hidden values that it quotes, whole or cut.
    pub fn cover<'t>(&self, text: &'t str) -> Cow<'t, str> {
        self.covered(text, true)
    }

    /// Returns a problem whose texts of the runtime quote no hidden value.
    pub fn cover_problem(&self, problem: Diagnostic) -> Diagnostic {
        if self.is_empty() { problem } else { problem.with_texts(&|text| self.cover(text)) }
    }

    /// Returns a text of several messages, programs and values without hidden values. Short numbers remain, since a
    /// program may have them.
    pub fn cover_page<'t>(&self, text: &'t str) -> Cow<'t, str> {
        self.covered(text, false)
    }

    fn covered<'t>(&self, text: &'t str, is_message: bool) -> Cow<'t, str> {
        if self.is_empty() || text.is_empty() {
            return Cow::Borrowed(text);
        }
        let mut spans = Vec::new();
        for hidden in &self.texts {
            find_in(text, hidden, is_message, &mut spans);
            let literal = print::literal(hidden);
            let escaped = literal.trim_start_matches('"');
            let escaped = escaped.strip_suffix('"').unwrap_or(escaped);
            if escaped != hidden {
                find_in(text, escaped, is_message, &mut spans);
            }
        }
        if self.is_full && is_message {
            find_all_values(text, &mut spans);
        }
        if spans.is_empty() {
            return Cow::Borrowed(text);
        }
        let spans = spans.into_iter().map(|(start, end)| with_quotes(text, start, end));
        let mut spans: Vec<(usize, usize)> = spans.collect();
        spans.sort_unstable();
        let mut covered = String::with_capacity(text.len());
        let mut at = 0;
        for (start, end) in spans {
            if start >= at {
                covered.push_str(text.get(at..start).unwrap_or_default());
                covered.push_str(HIDDEN);
            }
            at = at.max(end);
        }
        covered.push_str(text.get(at..).unwrap_or_default());
        Cow::Owned(covered)
    }
}

fn may_have_fields(value: &Value) -> bool {
    matches!(value, Value::Map(_) | Value::List(_) | Value::Vector(_) | Value::Set(_))
}

/// Returns whether a key is written as fields are.
fn is_field(name: &str) -> bool {
    name.chars().all(|c| c.is_alphanumeric() || "_-".contains(c))
}

/// The form of a hidden value. It decides which places of a message are the value, and which are words of ours.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Form {
    Number,
    /// A word that our messages have too, or one that is short.
    Word,
    /// Any other short text, such as `Q7`.
    Short,
    Long,
}

impl Form {
    fn of(hidden: &str) -> Form {
        let length = hidden.chars().count();
        let is_numeric = |c: char| c.is_ascii_digit() || "+-.eEN".contains(c);
        let is_lower = hidden.chars().all(|c| c.is_ascii_lowercase());
        match hidden {
            _ if hidden.contains(|c: char| c.is_ascii_digit())
                && hidden.chars().all(is_numeric) =>
            {
                Form::Number
            }
            _ if length < 2 || is_lower && (length < LONG || WORDS.contains(&hidden)) => Form::Word,
            // A longer plain word is removed where it is a word of its own.
            _ if length < LONG || is_lower && length < 2 * LONG => Form::Short,
            _ => Form::Long,
        }
    }

    /// Returns whether the part of a text that equals a hidden value is the value.
    fn is_value(self, hidden: &str, before: &str, after: &str, is_message: bool) -> bool {
        let next = after.chars().next();
        let is_whole = !is_name(before.chars().next_back()) && !is_name(next);
        if !is_whole {
            return false;
        }
        let follows = || is_message && BEFORE_VALUES.iter().any(|it| before.ends_with(it));
        let is_quoted = || before.matches('"').count() % 2 == 1 && after.contains(['"', '…']);
        let is_marked = || before.ends_with('`') && after.starts_with('`');
        match self {
            Form::Number => {
                let is_longer = before.ends_with(['.', '-'])
                    || after.starts_with('.') && is_digit(after.chars().nth(1));
                let is_long = hidden.chars().count() >= LONG_NUMBER;
                !is_longer
                    && (is_long
                        || is_message
                            && !is_code(before, after)
                            && (follows()
                                || is_quoted()
                                || is_in_collection(before)
                                || !is_count(before, after)))
            }
            Form::Word if matches!(hidden, "true" | "false") => {
                is_message && (follows() || is_in_collection(before))
            }
            Form::Word => is_quoted() || is_marked() || before.ends_with(':'),
            Form::Short | Form::Long => true,
        }
    }
}

/// The words of messages of at least [`LONG`] characters that a value may equal.
const WORDS: &[&str] = &[
    "argument",
    "arguments",
    "between",
    "boolean",
    "cannot",
    "character",
    "characters",
    "collection",
    "compare",
    "compared",
    "condition",
    "descending",
    "double",
    "expects",
    "failed",
    "functions",
    "function",
    "integer",
    "keyword",
    "matches",
    "missing",
    "nothing",
    "number",
    "numbers",
    "optional",
    "position",
    "positions",
    "program",
    "reason",
    "regular",
    "return",
    "returned",
    "second",
    "sequence",
    "strings",
    "string",
    "symbol",
    "unknown",
    "values",
    "vector",
];

/// Returns whether a number in a message counts something, such as `2 arguments`, or is a limit.
fn is_count(before: &str, after: &str) -> bool {
    let word = after.strip_prefix(' ').map(|it| it.split(|c: char| !c.is_alphabetic()).next());
    let word = word.flatten().unwrap_or_default();
    let joins = ["", "and", "as", "cannot", "does", "has", "in", "is", "of", "or", "to", "was"];
    !joins.contains(&word)
        || ["limit of ", "status ", "HTTP ", "line ", "column "]
            .iter()
            .any(|it| before.ends_with(it))
}

/// Returns whether a place of a message is in an example of code.
fn is_code(before: &str, after: &str) -> bool {
    let Some((outside, code)) = before.rsplit_once('`') else { return false };
    let is_inside = outside.matches('`').count() % 2 == 0;
    let code_ends = after.split('`').next().unwrap_or_default();
    is_inside && code.starts_with('(') && (code.contains(' ') || code_ends.contains(' '))
}

/// Finds a hidden value in a text.
fn find_in(text: &str, hidden: &str, is_message: bool, spans: &mut Vec<(usize, usize)>) {
    let form = Form::of(hidden);
    if form != Form::Long {
        for (start, part) in text.match_indices(hidden) {
            let end = start + part.len();
            let (before, after) = around(text, start, end);
            if form.is_value(hidden, before, after, is_message) {
                spans.push((start, end));
            }
        }
        return;
    }
    let head_end = hidden.char_indices().nth(LONG).map_or(hidden.len(), |(at, _)| at);
    let head = hidden.get(..head_end).unwrap_or(hidden);
    for (start, _) in text.match_indices(head) {
        let rest = text.get(start..).unwrap_or_default();
        let same = rest.chars().zip(hidden.chars()).take_while(|(a, b)| a == b);
        let (count, bytes) = same.fold((0, 0), |(n, bytes), (c, _)| (n + 1, bytes + c.len_utf8()));
        let is_cut =
            rest.get(bytes..).is_some_and(|it| it.starts_with(['…', '.']) || it.is_empty());
        if bytes == hidden.len() || count >= BEGINNING || is_cut {
            spans.push((start, start + bytes));
        }
    }
    // A message quotes a part of the value, such as a piece of a split text.
    for (start, part) in quoted(text) {
        if part.chars().count() >= LONG && hidden.contains(part) {
            spans.push((start, start + part.len()));
        }
    }
}

/// Returns whether the text that follows is inside a printed collection.
fn is_in_collection(before: &str) -> bool {
    let mut open = 0i32;
    for c in before.chars().rev() {
        match c {
            ']' | '}' => open -= 1,
            '[' | '{' => open += 1,
            // Code in a message is not a value.
            '`' => return false,
            _ => {}
        }
        if open > 0 {
            return true;
        }
    }
    false
}

/// Finds everything in a text that may be a value.
fn find_all_values(text: &str, spans: &mut Vec<(usize, usize)>) {
    spans.extend(quoted(text).map(|(start, part)| (start, start + part.len())));
    let mut at = 0;
    while let Some(found) = text.get(at..).and_then(|it| it.find(|c: char| c.is_ascii_digit())) {
        let start = at + found;
        let rest = text.get(start..).unwrap_or_default();
        let length = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
        let before = text.get(..start).unwrap_or_default();
        let follows = BEFORE_VALUES.iter().any(|it| before.ends_with(it));
        if length >= LONG_NUMBER || follows || is_in_collection(before) {
            spans.push((start, start + length));
        }
        at = start + length;
    }
}

/// Returns the texts in double quotes, with their places.
fn quoted(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let mut at = 0;
    std::iter::from_fn(move || {
        let start = at + text.get(at..)?.find('"')? + 1;
        let rest = text.get(start..)?;
        let mut is_escaped = false;
        let end = rest.find(|c| {
            let ends = c == '"' && !is_escaped;
            is_escaped = c == '\\' && !is_escaped;
            ends
        });
        let part = rest.get(..end.unwrap_or(rest.len()))?;
        at = (start + part.len() + 1).min(text.len());
        Some((start, part.trim_end_matches('…')))
    })
    .filter(|(_, part)| !part.is_empty() && *part != HIDDEN)
}

/// Adds the quotes around a part, and the mark of a cut behind it.
fn with_quotes(text: &str, start: usize, end: usize) -> (usize, usize) {
    let (before, after) = around(text, start, end);
    let cut = if after.starts_with('…') { '…'.len_utf8() } else { 0 };
    let closes = after.get(cut..).is_some_and(|it| it.starts_with('"'));
    let opens = before.ends_with('"') && !before.ends_with("\\\"");
    match (opens, closes) {
        (true, true) => (start - 1, end + cut + 1),
        (true, false) if cut > 0 => (start - 1, end + cut),
        _ => (start, end),
    }
}

fn around(text: &str, start: usize, end: usize) -> (&str, &str) {
    (text.get(..start).unwrap_or_default(), text.get(end..).unwrap_or_default())
}

fn is_name(c: Option<char>) -> bool {
    c.is_some_and(|c| c.is_alphanumeric() || c == '_')
}

fn is_digit(c: Option<char>) -> bool {
    c.is_some_and(|c| c.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hidden(json: &str) -> HiddenTexts {
        let mut hidden = HiddenTexts::default();
        hidden.find(&crate::json::from_serde(&serde_json::from_str(json).unwrap()));
        hidden
    }

    #[test]
    fn messages_quote_no_hidden_value() {
        let hidden = hidden(
            r#"{"_a": "xyzzy-7719 \"q\" and more", "_b": {"c": ["Q7", "plover", "string", "DE"]},
                "_n": [4815, 73, 2.5, true], "_by": {"a b": null}, "open": "shown"}"#,
        );
        for (message, expected) in [
            ("found a string \"xyzzy-7719 \\\"q\\\" and more\"", "found a string [Hidden]"),
            ("found a string \"xyzzy-7719…", "found a string [Hidden]"),
            ("found a string \"to xyzzy-7719…\"", "found a string \"to [Hidden]…\""),
            ("found a string \"Q7\"", "found a string [Hidden]"),
            ("found a string \"string\"", "found a string [Hidden]"),
            ("no such name: plover", "no such name: [Hidden]"),
            ("the key `DE` of DENMARK", "the key `[Hidden]` of DENMARK"),
            ("found an integer 73", "found an integer [Hidden]"),
            ("found a vector [1 73 \"a b\"]", "found a vector [1 [Hidden] [Hidden]]"),
            (
                "no item at position 4815; it has 73 items",
                "no item at position [Hidden]; it has 73 items",
            ),
            ("found a float 2.5", "found a float [Hidden]"),
            ("found a boolean true", "found a boolean [Hidden]"),
            ("use `(or x 73)` for a string", "use `(or x 73)` for a string"),
            ("found a string \"shown\" of 173 or 73.5", "found a string \"shown\" of 173 or 73.5"),
        ] {
            assert_eq!(hidden.cover(message), expected, "{message}");
        }
        assert_eq!(hidden.cover_page("at 73, or 4815, or Q7"), "at 73, or [Hidden], or [Hidden]");
    }

    #[test]
    fn with_too_many_hidden_values_no_value_is_quoted() {
        let many: Vec<String> = (0..300).map(|i| format!("\"value {i}\"")).collect();
        let hidden = hidden(&format!("{{\"_a\": [{}]}}", many.join(",")));
        let covered = hidden.cover("expected int, found string \"other\" or int 7 of 2 items");
        assert_eq!(covered, "expected int, found string [Hidden] or int [Hidden] of 2 items");
        assert!(HiddenTexts::of_texts(&hidden.to_texts()).is_full);
    }
}
