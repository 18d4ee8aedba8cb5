//! Writes a grammar in its two notations.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use super::rule::{Chars, Part, Rule};

/// Writes GBNF, the notation of llama.cpp.
pub(super) fn gbnf(rules: &[Rule]) -> String {
    let mut out = String::new();
    for rule in rules {
        let body = Gbnf.part(&rule.body, Around::Rule).replace(BREAK, " |\n  ");
        let _ = writeln!(out, "{} ::= {body}", rule.name);
    }
    out
}

/// Writes Lark's notation. Words become terminals, which match as much text as possible. That
/// changes nothing, because a character that cannot belong to the word follows every word.
pub(super) fn lark(rules: &[Rule]) -> String {
    let tokens = rules.iter().filter(|rule| rule.token);
    let tokens = tokens.map(|rule| (rule.name.as_str(), &rule.body)).collect();
    let writer = Lark { tokens };
    let mut out = String::new();
    for rule in rules {
        let name = writer.name(&rule.name);
        let body = if rule.token {
            writer.terminal(&rule.body, Around::Rule)
        } else {
            writer.part(&rule.body, Around::Rule)
        };
        let _ = writeln!(out, "{name}: {}", body.replace(BREAK, "\n  | "));
    }
    out
}

/// The separator of a rule's alternatives while it is written. No text of the grammar has this
/// control character.
const BREAK: char = '\u{1}';

/// The context of a part, which determines whether it needs parentheses.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Around {
    Rule,
    Choice,
    Sequence,
    Repeat,
}

/// The common behaviour of both notations.
trait Notation {
    fn text(&self, text: &str) -> String;
    fn chars(&self, chars: &Chars) -> String;
    fn name(&self, name: &str) -> String;

    fn part(&self, part: &Part, around: Around) -> String {
        self.compound(part, around, &|part, around| self.part(part, around))
    }

    /// Writes a part, and its own parts with `inner`.
    fn compound(
        &self,
        part: &Part,
        around: Around,
        inner: &dyn Fn(&Part, Around) -> String,
    ) -> String {
        match part {
            Part::Text(text) => self.text(text),
            Part::Char(chars) => self.chars(chars),
            Part::Rule(name) => self.name(name),
            Part::All(parts) => {
                let parts: Vec<String> = parts
                    .iter()
                    .map(|part| inner(part, Around::Sequence))
                    .filter(|part| !part.is_empty())
                    .collect();
                grouped(parts.join(" "), parts.len() > 1 && around == Around::Repeat)
            }
            Part::Any(parts) => {
                let parts: Vec<String> =
                    parts.iter().map(|part| inner(part, Around::Choice)).collect();
                let bar = if around == Around::Rule { BREAK.to_string() } else { " | ".to_owned() };
                let whole = !matches!(around, Around::Rule | Around::Choice);
                grouped(parts.join(&bar), whole)
            }
            Part::Repeat(part, min, max) => {
                let text = inner(part, Around::Repeat) + &times(*min, *max);
                grouped(text, around == Around::Repeat)
            }
        }
    }
}

fn grouped(text: String, group: bool) -> String {
    if group { format!("({text})") } else { text }
}

fn times(min: u32, max: Option<u32>) -> String {
    match (min, max) {
        (0, None) => "*".to_owned(),
        (1, None) => "+".to_owned(),
        (0, Some(1)) => "?".to_owned(),
        (min, None) => format!("{{{min},}}"),
        (min, Some(max)) => format!("{{{min},{max}}}"),
    }
}

/// Returns a text in quotes, in the syntax of both notations.
fn quoted(text: &str) -> String {
    let mut out = String::from("\"");
    for c in text.chars() {
        match c {
            '"' | '\\' => out.extend(['\\', c]),
            '\n' => out.push_str("\\n"),
            c if c.is_control() => {
                let _ = write!(out, "\\u{:04X}", c as u32);
            }
            c => out.push(c),
        }
    }
    out.push('"');
    out
}

/// Returns a set of characters in brackets. The characters of `escaped` need an escape in it.
fn bracketed(chars: &Chars, escaped: &str) -> String {
    let mut out = String::from(if chars.not { "[^" } else { "[" });
    let mut push = |c: char| match c {
        '\n' => out.push_str("\\n"),
        '\r' => out.push_str("\\r"),
        '\t' => out.push_str("\\t"),
        c if escaped.contains(c) => {
            let _ = write!(out, "\\x{:02X}", c as u32);
        }
        c => out.push(c),
    };
    for (first, last) in &chars.ranges {
        push(*first);
        if first != last {
            push('\u{1}');
            push(*last);
        }
    }
    out.push(']');
    out.replace('\u{1}', "-")
}

struct Gbnf;

impl Notation for Gbnf {
    fn text(&self, text: &str) -> String {
        quoted(text)
    }

    fn chars(&self, chars: &Chars) -> String {
        bracketed(chars, "\\]^-\"")
    }

    fn name(&self, name: &str) -> String {
        name.to_owned()
    }
}

struct Lark<'a> {
    tokens: BTreeMap<&'a str, &'a Part>,
}

impl Lark<'_> {
    /// Returns the body of a terminal: regular expressions and references to other terminals.
    fn terminal(&self, part: &Part, around: Around) -> String {
        match part {
            Part::Rule(name) => self.name(name),
            Part::Text(text) => self.text(text),
            _ if !refers(part) || matches!(part, Part::Repeat(_, _, max) if *max != Some(1)) => {
                format!("/{}/", self.regex(part, false))
            }
            _ => self.compound(part, around, &|part, around| self.terminal(part, around)),
        }
    }

    /// Returns a part as a regular expression. `whole` groups it, so that it can be repeated.
    fn regex(&self, part: &Part, whole: bool) -> String {
        match part {
            Part::Text(text) => {
                let mut out = String::new();
                for c in text.chars() {
                    match c {
                        '\n' => out.push_str("\\n"),
                        c if r"\.+*?()|[]{}^$#&-~/".contains(c) => out.extend(['\\', c]),
                        c => out.push(c),
                    }
                }
                if whole && text.chars().count() > 1 { format!("({out})") } else { out }
            }
            Part::Char(chars) => self.chars(chars).trim_matches('/').to_owned(),
            Part::All(parts) => {
                let parts: String = parts
                    .iter()
                    .map(|part| self.regex(part, matches!(part, Part::Any(_))))
                    .collect();
                grouped(parts, whole)
            }
            Part::Any(parts) => {
                let parts: Vec<String> = parts
                    .iter()
                    .map(|part| self.regex(part, matches!(part, Part::Any(_))))
                    .collect();
                grouped(parts.join("|"), whole)
            }
            Part::Repeat(part, min, max) => {
                let text = self.regex(part, true) + &times(*min, *max);
                grouped(text, whole)
            }
            Part::Rule(name) => match self.tokens.get(name.as_str()) {
                Some(part) => grouped(self.regex(part, false), true),
                None => String::new(),
            },
        }
    }
}

impl Notation for Lark<'_> {
    fn text(&self, text: &str) -> String {
        quoted(text)
    }

    fn chars(&self, chars: &Chars) -> String {
        format!("/{}/", bracketed(chars, "\\[]^-/&~"))
    }

    fn name(&self, name: &str) -> String {
        let name = if name == "root" { "start" } else { name };
        let name = name.replace('-', "_");
        if self.tokens.contains_key(name.replace('_', "-").as_str()) {
            name.to_uppercase()
        } else {
            name
        }
    }
}

fn refers(part: &Part) -> bool {
    match part {
        Part::Text(_) | Part::Char(_) => false,
        Part::All(parts) | Part::Any(parts) => parts.iter().any(refers),
        Part::Repeat(part, ..) => refers(part),
        Part::Rule(_) => true,
    }
}
