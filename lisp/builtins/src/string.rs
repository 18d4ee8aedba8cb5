//! Strings, keywords and regular expressions. Positions count characters (D3).

use std::borrow::Cow;

use arcstr::ArcStr;
use ptc_signatures::Kinds;

use super::facts::{
    ANY, BOOL, NO_TEXT_LAST, OnNil, ResultShape, ResultShape::By, TEXT, TEXT_FIRST, as_value,
    listed,
};
use super::regex::Matches;
use super::{Row, pure, take, wrong_type};
use ptc_facts::shape::{Shape, gives};
use ptc_machine::{Cx, items_of, made, pay};
use ptc_values::code::Code;
use ptc_values::{Diagnostic, Ext, Pattern, Res, Value, own_name};

/// Returns the length of all strings with separators, to reserve room once for them.
fn room_for(items: &[Value], between: usize) -> usize {
    let texts = items.iter().map(|item| match item {
        Value::Str(text) => text.len() + between,
        _ => 0,
    });
    texts.fold(0, usize::saturating_add)
}

pub const TABLE: &[Row] = &[
    pure(
        "str",
        "& values",
        "The texts of the values, joined; nil is empty.",
        "(str \"a\" 1 nil :k) => \"a1:k\"",
        listed(TEXT).looks_inside(),
        |cx, args| {
            if let [Value::Str(text)] = args {
                return Ok(Value::Str(text.clone()));
            }
            // Most texts are short and made in succession, so they share one buffer.
            let mut out = std::mem::take(&mut cx.scratch);
            out.clear();
            let paid = cx.write_texts(&mut out, args)?;
            made(cx, out, paid)
        },
    ),
    pure(
        "pr-str",
        "& values",
        "The readable texts of the values, joined with spaces.",
        "(pr-str \"a\" [1]) => \"\\\"a\\\" [1]\"",
        listed(TEXT).looks_inside(),
        |cx, args| {
            let mut out = String::new();
            for (at, value) in args.iter().enumerate() {
                if at > 0 {
                    out.push(' ');
                }
                cx.text_of(&mut out, value, true)?;
            }
            finish(cx, out)
        },
    ),
    pure(
        "subs",
        "text start|text start end",
        "The characters from start (inclusive) to end (exclusive).",
        "(subs \"hello\" 1 3) => \"el\"",
        as_value(TEXT).charges_lookup(),
        subs,
    ),
    pure(
        "name",
        "x",
        "The name of a keyword or symbol; a string is its own name.",
        "(name :a) => \"a\"",
        as_value(By(gives::name)),
        |_, args| match &args[0] {
            Value::Keyword(text) | Value::Symbol(text) => Ok(Value::str(own_name(text))),
            Value::Str(_) => Ok(take(args, 0)),
            other => Err(wrong_type("name", "a keyword, a symbol or a string", other)),
        },
    ),
    pure(
        "keyword",
        "text|namespace text",
        "The keyword of a name, optionally in a namespace.",
        "(keyword \"a\") => :a",
        as_value(ResultShape::OrNil(Kinds::KEYWORD)),
        |cx, args| match args {
            [Value::Str(text) | Value::Symbol(text)] => Ok(Value::Keyword(text.clone())),
            [Value::Keyword(_)] => Ok(take(args, 0)),
            // As in Clojure, a value without a name is not a keyword.
            [_] => Ok(Value::Nil),
            _ => qualified(cx, "keyword", args).map(|text| Value::Keyword(text.into())),
        },
    ),
    pure(
        "symbol",
        "text|namespace text",
        "The symbol of a name, optionally in a namespace.",
        "(symbol \"a\") => a",
        as_value(ANY),
        |cx, args| match args {
            [Value::Str(text) | Value::Keyword(text)] => Ok(Value::Symbol(text.clone())),
            [Value::Symbol(_)] => Ok(take(args, 0)),
            [other] => Err(wrong_type("symbol", "a string", other)
                .with_class("IllegalArgumentException")
                .with_jvm_message("no conversion to symbol".to_owned())),
            _ => qualified(cx, "symbol", args).map(|text| Value::Symbol(text.into())),
        },
    ),
    pure(
        "str/join",
        "coll|separator coll",
        "The texts of the items, joined with a separator.",
        "(str/join \", \" [1 2]) => \"1, 2\"",
        listed(TEXT).collection(NO_TEXT_LAST),
        |cx, args| {
            let (separator, at) =
                if args.len() == 2 { (args[0].clone(), 1) } else { (Value::str(""), 0) };
            let items = items_of(cx, take(args, at))?;
            let mut between = String::new();
            cx.text_of(&mut between, &separator, false)?;
            cx.alloc((between.len() as u64).saturating_mul(items.len() as u64))?;
            let mut out = String::with_capacity(
                room_for(&items, between.len()).min(cx.limits.memory as usize),
            );
            for (at, item) in items.iter().enumerate() {
                if at > 0 {
                    out.push_str(&between);
                }
                match item {
                    // Most items are strings, which need no printer.
                    Value::Str(text) if (out.len() + text.len()) as u64 <= cx.limits.memory => {
                        out.push_str(text);
                        cx.charge(text.len() as u64);
                    }
                    other => cx.text_of(&mut out, other, false)?,
                }
            }
            finish(cx, out)
        },
    ),
    pure(
        "str/split",
        "text regex|text regex limit",
        "The parts of a text between matches of a regular expression.",
        "(str/split \"a,b\" #\",\") => [\"a\" \"b\"]",
        listed(By(|g| g.list_of(Shape::Kinds(Kinds::STRING)))).collection(TEXT_FIRST),
        split,
    ),
    pure(
        "str/split-lines",
        "text",
        "The lines of a text.",
        "(str/split-lines \"a\\nb\") => [\"a\" \"b\"]",
        listed(By(|g| g.list_of(Shape::Kinds(Kinds::STRING)))),
        |cx, args| {
            let text = text("str/split-lines", &args[0])?;
            pay(cx, text)?;
            cx.alloc(text.len() as u64 + text.matches('\n').count() as u64 * 64)?;
            let mut lines: Vec<Value> = text
                .split('\n')
                .map(|line| Value::str(line.strip_suffix('\r').unwrap_or(line)))
                .collect();
            while !text.is_empty() && lines.last().is_some_and(|line| line.as_str() == Some("")) {
                lines.pop();
            }
            cx.vector(lines)
        },
    ),
    pure(
        "str/trim",
        "text",
        "The text without white space at its ends.",
        "(str/trim \" a \") => \"a\"",
        listed(TEXT),
        |cx, args| map_text(cx, args, "str/trim", |text| text.trim_matches(white).into()),
    ),
    pure(
        "str/triml",
        "text",
        "The text without white space at its start.",
        "(str/triml \" a \") => \"a \"",
        listed(TEXT),
        |cx, args| map_text(cx, args, "str/triml", |text| text.trim_start_matches(white).into()),
    ),
    pure(
        "str/trimr",
        "text",
        "The text without white space at its end.",
        "(str/trimr \" a \") => \" a\"",
        listed(TEXT),
        |cx, args| map_text(cx, args, "str/trimr", |text| text.trim_end_matches(white).into()),
    ),
    pure(
        "str/trim-newline",
        "text",
        "The text without line breaks at its end.",
        "(str/trim-newline \"a\\n\") => \"a\"",
        listed(TEXT),
        |cx, args| {
            map_text(cx, args, "str/trim-newline", |text| {
                text.trim_end_matches(['\n', '\r']).into()
            })
        },
    ),
    pure(
        "str/upper-case",
        "text",
        "The text in upper case.",
        "(str/upper-case \"a\") => \"A\"",
        listed(TEXT),
        |cx, args| {
            display(cx, args, "str/upper-case", str::make_ascii_uppercase, str::to_uppercase)
        },
    ),
    pure(
        "str/lower-case",
        "text",
        "The text in lower case.",
        "(str/lower-case \"A\") => \"a\"",
        listed(TEXT),
        |cx, args| {
            display(cx, args, "str/lower-case", str::make_ascii_lowercase, str::to_lowercase)
        },
    ),
    pure(
        "str/capitalize",
        "text",
        "The text with its first character in upper case and the others in lower case.",
        "(str/capitalize \"aB\") => \"Ab\"",
        listed(TEXT),
        |cx, args| {
            let ascii = |text: &mut str| {
                text.make_ascii_lowercase();
                if let Some(first) = text.get_mut(..1) {
                    first.make_ascii_uppercase();
                }
            };
            display(cx, args, "str/capitalize", ascii, |text| {
                let mut chars = text.chars();
                let first = chars.next().map(|c| c.to_uppercase().to_string()).unwrap_or_default();
                first + &chars.as_str().to_lowercase()
            })
        },
    ),
    pure(
        "str/reverse",
        "text",
        "The characters in reverse order.",
        "(str/reverse \"ab\") => \"ba\"",
        listed(TEXT),
        |cx, args| {
            map_text(cx, args, "str/reverse", |text| text.chars().rev().collect::<String>().into())
        },
    ),
    pure(
        "str/blank?",
        "text",
        "Whether a text is nil, empty or white space.",
        "(str/blank? \" \") => true",
        listed(BOOL).on_nil(OnNil::Asks),
        |cx, args| match &args[0] {
            Value::Nil => Ok(Value::Bool(true)),
            other => {
                let text = text("str/blank?", other)?;
                pay(cx, text)?;
                Ok(Value::Bool(text.chars().all(white)))
            }
        },
    ),
    pure(
        "str/starts-with?",
        "text start",
        "Whether a text starts with another.",
        "(str/starts-with? \"abc\" \"ab\") => true",
        listed(BOOL),
        |cx, args| {
            let whole = any_text(cx, "str/starts-with?", &args[0])?;
            Ok(Value::Bool(whole.starts_with(text("str/starts-with?", &args[1])?)))
        },
    ),
    pure(
        "str/ends-with?",
        "text end",
        "Whether a text ends with another.",
        "(str/ends-with? \"abc\" \"bc\") => true",
        listed(BOOL),
        |cx, args| {
            let whole = any_text(cx, "str/ends-with?", &args[0])?;
            Ok(Value::Bool(whole.ends_with(text("str/ends-with?", &args[1])?)))
        },
    ),
    pure(
        "str/includes?",
        "text part",
        "Whether a text contains another.",
        "(str/includes? \"abc\" \"b\") => true",
        listed(BOOL),
        |cx, args| {
            let whole = any_text(cx, "str/includes?", &args[0])?;
            pay(cx, &whole)?;
            Ok(Value::Bool(whole.contains(text("str/includes?", &args[1])?)))
        },
    ),
    pure(
        "str/index-of",
        "text part|text part from",
        "The position of a part in a text; nil if there is none.",
        "(str/index-of \"abc\" \"c\") => 2",
        listed(ANY).charges_lookup(),
        |cx, args| {
            let whole = any_text(cx, "str/index-of", &args[0])?;
            let from = position("str/index-of", args.get(2))?.unwrap_or(0).max(0) as usize;
            let part = text("str/index-of", &args[1])?;
            let Some(start) = cx.positions.byte(&whole, from) else {
                pay_search(cx, &whole, 0, Some(0))?;
                return Ok(Value::Nil);
            };
            let found = whole[start..].find(part).map(|at| start + at);
            pay_search(cx, &whole, start, found.map(|at| at + part.len()))?;
            Ok(found
                .map_or(Value::Nil, |byte| Value::Int(cx.positions.before(&whole, byte) as i64)))
        },
    ),
    pure(
        "str/last-index-of",
        "text part|text part from",
        "The last position of a part in a text; nil if there is none.",
        "(str/last-index-of \"aba\" \"a\") => 2",
        listed(ANY),
        |cx, args| {
            let whole = any_text(cx, "str/last-index-of", &args[0])?;
            pay(cx, &whole)?;
            let part = text("str/last-index-of", &args[1])?;
            let end = match position("str/last-index-of", args.get(2))? {
                None => whole.len(),
                Some(..=-1) => return Ok(Value::Nil),
                // A match that starts at the position may end after it.
                Some(from) => whole
                    .char_indices()
                    .nth(from as usize)
                    .map_or(whole.len(), |(at, _)| (at + part.len()).min(whole.len())),
            };
            let found = whole.get(..end).unwrap_or(&whole).rfind(part);
            Ok(found.map_or(Value::Nil, |at| Value::Int(whole[..at].chars().count() as i64)))
        },
    ),
];

fn text<'a>(who: &str, value: &'a Value) -> Res<&'a str> {
    value.as_str().ok_or_else(|| wrong_type(who, "a string", value))
}

/// Returns the text of any value but nil; some functions of Clojure accept all of them.
pub(super) fn any_text(cx: &mut Cx, who: &str, value: &Value) -> Res<ArcStr> {
    match value {
        Value::Str(text) => Ok(text.clone()),
        Value::Nil => Err(wrong_type(who, "a string", value)),
        other => {
            let mut out = String::new();
            cx.text_of(&mut out, other, false)?;
            pay(cx, &out)?;
            Ok(out.into())
        }
    }
}

/// Pays for searching a text from one byte to another. A short text counts as a whole.
pub fn pay_search(cx: &mut Cx, text: &str, from: usize, to: Option<usize>) -> Res<()> {
    let to = to.unwrap_or(text.len());
    let bytes = if text.len() <= 256 { text.len() } else { to.saturating_sub(from) };
    cx.spend(bytes as u64 / 16 + 1)
}

/// Returns a name in a namespace; a nil namespace is none.
fn qualified(cx: &mut Cx, who: &str, args: &[Value]) -> Res<String> {
    let [space, name] = args else { return Err(wrong_type(who, "a string", &Value::Nil)) };
    let name = text(who, name)?;
    cx.alloc(name.len() as u64 + 64)?;
    if space.is_nil() { Ok(name.to_owned()) } else { Ok(format!("{}/{name}", text(who, space)?)) }
}

pub(super) fn finish(cx: &mut Cx, text: String) -> Res {
    pay(cx, &text)?;
    cx.string(text)
}

fn map_text(cx: &mut Cx, args: &[Value], who: &str, function: fn(&str) -> Cow<'_, str>) -> Res {
    let text = function(text(who, &args[0])?);
    pay(cx, &text)?;
    cx.string(&*text)
}

/// Applies a case function, which in Clojure accepts any value with a text.
fn display(
    cx: &mut Cx,
    args: &[Value],
    who: &str,
    ascii: fn(&mut str),
    function: fn(&str) -> String,
) -> Res {
    if args[0].is_nil() {
        return Err(wrong_type(who, "a string", &args[0]));
    }
    // Most texts are ASCII, and short: they are changed in the reused buffer.
    let mut out = std::mem::take(&mut cx.scratch);
    out.clear();
    cx.text_of(&mut out, &args[0], false)?;
    if !out.is_ascii() {
        return finish(cx, function(&out));
    }
    ascii(&mut out);
    pay(cx, &out)?;
    cx.scratch_text(out)
}

fn subs(cx: &mut Cx, args: &mut [Value]) -> Res {
    substring(cx, "subs", args)
}

/// Returns an optional number for a position or a length, cut to an integer.
fn position(who: &str, value: Option<&Value>) -> Res<Option<i64>> {
    value.map(|value| super::sequence::cut(who, "a position", value)).transpose()
}

/// Implements `subs` and the corresponding method.
pub fn substring(cx: &mut Cx, who: &str, args: &[Value]) -> Res {
    let whole = match &args[0] {
        Value::Str(text) => text,
        other => return Err(wrong_type(who, "a string", other)),
    };
    let start = position(who, args.get(1))?.unwrap_or(0);
    let end = position(who, args.get(2))?;
    let out_of_bounds = || {
        let length = whole.chars().count();
        Diagnostic::new(
            Code::OutOfBounds,
            format!(
                "`{who}` from {start} to {} is out of range: the text has {} characters",
                end.map_or("its end".to_owned(), |end| end.to_string()),
                length
            ),
        )
        .with_class("StringIndexOutOfBoundsException")
        .with_jvm_message(format!(
            "begin {start}, end {}, length {length}",
            end.unwrap_or(length as i64)
        ))
        .with_help("limit the position: `(min n (count text))`")
    };
    // For a long text only the copied part counts.
    cx.spend(if whole.len() <= 256 { whole.len() as u64 / 16 + 1 } else { 1 })?;
    let mut byte = |at: i64| cx.positions.byte(whole, usize::try_from(at).ok()?);
    let from = byte(start).ok_or_else(out_of_bounds)?;
    let to = match end {
        Some(end) => byte(end).ok_or_else(out_of_bounds)?,
        None => whole.len(),
    };
    if whole.len() > 256 {
        cx.spend(to.saturating_sub(from) as u64 / 16)?;
    }
    let part = whole.get(from..to).ok_or_else(out_of_bounds)?;
    cx.string(part)
}

pub fn split(cx: &mut Cx, args: &mut [Value]) -> Res {
    let whole = text("str/split", &args[0])?;
    let limit = position("str/split", args.get(2))?.unwrap_or(0);
    let mut parts = match &args[1] {
        Value::Ext(ext) => match &**ext {
            Ext::Regex(regex) => split_by(cx, regex, whole, limit)?,
            _ => return Err(wrong_type("str/split", "a regular expression", &args[1])),
        },
        Value::Str(separator) => {
            return Err(wrong_type("str/split", "a regular expression", &args[1])
                .with_help(format!("write `#\"{}\"`", regex::escape(separator))));
        }
        other => return Err(wrong_type("str/split", "a regular expression", other)),
    };
    if limit == 0 {
        // Empty parts at the end are dropped, as on the JVM.
        while parts.last().and_then(Value::as_str).is_some_and(str::is_empty) {
            parts.pop();
        }
        if whole.is_empty() {
            parts = vec![Value::str("")];
        }
    }
    cx.alloc(whole.len() as u64)?;
    cx.vector(parts)
}

fn split_by(cx: &mut Cx, regex: &Pattern, text: &str, limit: i64) -> Res<Vec<Value>> {
    cx.spend(regex.search_cost(text.len()))?;
    let mut parts = Vec::new();
    let mut start = 0;
    let mut matches = Matches::new(regex, text);
    while let Some(found) = matches.next_span(cx)? {
        if limit > 0 && parts.len() as i64 == limit - 1 {
            break;
        }
        // An empty match at the very beginning makes no part, as on the JVM.
        if found.end == 0 {
            continue;
        }
        cx.alloc(64)?;
        if parts.len() as u64 * 64 > cx.limits.memory {
            return Err(cx.too_much());
        }
        parts.push(Value::str(&text[start..found.start]));
        start = found.end;
    }
    parts.push(Value::str(&text[start..]));
    Ok(parts)
}

/// Returns whether a character is white space in Java, which excludes no-break spaces.
pub fn white(c: char) -> bool {
    (c.is_whitespace() && !matches!(c, '\u{a0}' | '\u{2007}' | '\u{202f}' | '\u{85}'))
        || ('\u{1c}'..='\u{1f}').contains(&c)
}
