//! Regular expressions.

use std::ops::Range;
use std::sync::Arc;

use regex::Captures;

use super::facts::{ANY, as_value, listed};
use super::{Row, pure, take, wrong_type};
use ptc_machine::Cx;
use ptc_values::code::Code;
use ptc_values::{Diagnostic, Ext, Matcher, Pattern, Res, Value, after, bad_regex, regex, span};

pub const TABLE: &[Row] = &[
    pure(
        "re-pattern",
        "text",
        "A regular expression from a text.",
        "(re-find (re-pattern \"b+\") \"abb\") => \"bb\"",
        listed(ANY),
        |cx, args| match &args[0] {
            Value::Str(text) => regex_value(cx, text),
            other => match regex_of("re-pattern", other) {
                Ok(_) => Ok(take(args, 0)),
                Err(_) => Err(wrong_type("re-pattern", "a text", other)),
            },
        },
    ),
    pure(
        "re-find",
        "regex text|matcher",
        "The first match, or the next of a matcher: a text, or a vector with its groups; nil if there is none.",
        "(re-find #\"(\\d)-(\\d)\" \"1-2\") => [\"1-2\" \"1\" \"2\"]",
        as_value(ANY),
        |cx, args| {
            if let [matcher] = args {
                return next(cx, matcher_of("re-find", matcher)?);
            }
            let (pattern, text) = searched(cx, "re-find", args)?;
            Ok(found_at(pattern, text, 0).map_or(Value::Nil, |(found, _)| found))
        },
    ),
    pure(
        "re-matches",
        "regex text",
        "The match of a whole text; nil if it does not match.",
        "(re-matches #\"\\d+\" \"12\") => \"12\"",
        as_value(ANY),
        |cx, args| {
            let (pattern, text) = searched(cx, "re-matches", args)?;
            Ok(pattern.full(text).map_or(Value::Nil, |found| groups(&found)))
        },
    ),
    pure(
        "re-seq",
        "regex text",
        "A sequence of all matches.",
        "(re-seq #\"\\d\" \"1a2\") => (\"1\" \"2\")",
        as_value(ANY),
        |cx, args| {
            let (pattern, text) = searched(cx, "re-seq", args)?;
            let mut found = Vec::new();
            let mut matches = Matches::new(pattern, text);
            while let Some((one, _)) = matches.next(cx, found_at, |(_, span)| span.clone())? {
                cx.alloc(48)?;
                found.push(one);
            }
            if found.is_empty() { Ok(Value::Nil) } else { cx.list(found) }
        },
    ),
    pure(
        "re-matcher",
        "regex text",
        "A matcher, whose matches `re-find` finds one after another.",
        "(re-find (re-matcher #\"\\d\" \"1a2\")) => \"1\"",
        listed(ANY),
        |cx, args| {
            let pattern = regex_of("re-matcher", &args[0])?.clone();
            let Value::Str(text) = &args[1] else {
                return Err(wrong_type("re-matcher", "a string", &args[1]));
            };
            cx.alloc(128)?;
            Ok(Ext::Matcher(Matcher::new(pattern, text.clone())).into_value())
        },
    ),
    pure(
        "re-groups",
        "matcher",
        "The last match of a matcher, with its groups.",
        "(re-groups (doto (re-matcher #\"(a)(b)\" \"ab\") re-find)) => [\"ab\" \"a\" \"b\"]",
        listed(ANY),
        |_, args| last_match("re-groups", matcher_of("re-groups", &args[0])?),
    ),
];

fn last_match(who: &str, matcher: &Matcher) -> Res {
    matcher.last().ok_or_else(|| {
        Diagnostic::new(Code::BadRegex, format!("`{who}` expects a matcher that has found a match"))
            .with_class("IllegalStateException")
            .with_jvm_message("No match found".to_owned())
            .with_help("call `(re-find matcher)` first and test its result")
    })
}

/// Returns the group of the last match at a position; none if the expression does not have it.
pub fn group(who: &str, matcher: &Matcher, at: usize) -> Res<Option<Value>> {
    if at >= matcher.groups() {
        return Ok(None);
    }
    Ok(Some(match last_match(who, matcher)? {
        Value::Vector(groups) => groups.get(at).cloned().unwrap_or_default(),
        whole => whole,
    }))
}

pub fn regex_value(cx: &mut Cx, source: &str) -> Res {
    cx.alloc(4096)?;
    pattern_of(cx, source).map(regex)
}

/// Makes the expression of a text; pays for compiling it.
pub fn pattern_of(cx: &mut Cx, source: &str) -> Res<Pattern> {
    cx.spend(source.len() as u64)?;
    Pattern::new(source, |units| cx.spend(units), |why| bad_regex(source, &why))
}

/// All matches of an expression. As in Java, an empty one may follow a match directly.
pub(super) struct Matches<'p, 't> {
    pattern: &'p Pattern,
    text: &'t str,
    next: Option<usize>,
}

impl<'p, 't> Matches<'p, 't> {
    /// Starts a search. The caller has paid for the whole text.
    pub(crate) fn new(pattern: &'p Pattern, text: &'t str) -> Matches<'p, 't> {
        Matches { pattern, text, next: Some(0) }
    }

    /// Returns the next match that `find` gives; pays for it, and for the bytes read behind it.
    fn next<T>(
        &mut self,
        cx: &mut Cx,
        find: impl Fn(&Pattern, &'t str, usize) -> Option<T>,
        span: impl Fn(&T) -> Range<usize>,
    ) -> Res<Option<T>> {
        let Some(at) = self.next else { return Ok(None) };
        if at > 0 {
            cx.spend(1 + self.pattern.reach_cost(self.text.len() - at))?;
        }
        let found = find(self.pattern, self.text, at);
        self.next = found.as_ref().and_then(|found| after(self.text, &span(found)));
        Ok(found)
    }

    /// Returns the next match with its groups.
    pub(crate) fn next_groups(&mut self, cx: &mut Cx) -> Res<Option<Captures<'t>>> {
        self.next(cx, Pattern::find_at, span)
    }

    /// Returns the bytes of the next match.
    pub(crate) fn next_span(&mut self, cx: &mut Cx) -> Res<Option<Range<usize>>> {
        self.next(cx, Pattern::span_at, Range::clone)
    }
}

/// Returns the value of the first match that starts at a byte or after it, and its bytes.
fn found_at(pattern: &Pattern, text: &str, at: usize) -> Option<(Value, Range<usize>)> {
    if pattern.groups() == 1 {
        let span = pattern.span_at(text, at)?;
        return Some((Value::str(text.get(span.clone())?), span));
    }
    let found = pattern.find_at(text, at)?;
    Some((groups(&found), span(&found)))
}

pub fn regex_of<'a>(who: &str, value: &'a Value) -> Res<&'a Arc<Pattern>> {
    if let Value::Ext(ext) = value
        && let Ext::Regex(pattern) = &**ext
    {
        return Ok(pattern);
    }
    Err(wrong_type(who, "a regular expression first", value))
}

fn matcher_of<'a>(who: &str, value: &'a Value) -> Res<&'a Matcher> {
    if let Value::Ext(ext) = value
        && let Ext::Matcher(matcher) = &**ext
    {
        return Ok(matcher);
    }
    Err(wrong_type(who, "a matcher", value)
        .with_help("write `(re-find regex text)`, or make one: `(re-matcher regex text)`"))
}

/// Returns an expression and the text to search; pays for the search.
fn searched<'a>(cx: &mut Cx, who: &str, args: &'a [Value]) -> Res<(&'a Pattern, &'a str)> {
    let pattern = regex_of(who, &args[0])?;
    let text = args[1].as_str().ok_or_else(|| wrong_type(who, "a string", &args[1]))?;
    cx.spend(pattern.search_cost(text.len()))?;
    Ok((pattern, text))
}

fn next(cx: &mut Cx, matcher: &Matcher) -> Res {
    cx.spend(matcher.cost())?;
    cx.alloc(64)?;
    Ok(matcher.advance(groups, emptied))
}

/// Returns the value of a match without its texts.
fn emptied(found: &Value) -> Value {
    match found {
        Value::Vector(groups) => Value::vector(vec![Value::Nil; groups.len()]),
        _ => Value::Nil,
    }
}

/// Returns a match as Clojure does: the text, or a vector of it and its groups.
pub fn groups(found: &Captures<'_>) -> Value {
    let group = |index| found.get(index).map_or(Value::Nil, |group| Value::str(group.as_str()));
    if found.len() == 1 { group(0) } else { Value::vector((0..found.len()).map(group).collect()) }
}
