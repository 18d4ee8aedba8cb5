//! JSON as text, read and written by a program.

use super::{Builtin, between, exactly, pure, wrong_type};
use crate::diagnostic::{Code, Diagnostic};
use crate::machine::{Cx, Res};
use crate::value::{Value, json};

pub(super) const TABLE: &[Builtin] = &[
    pure(
        "json/parse-string",
        between(1, 2),
        "text|text keywords?",
        "The value of a JSON text; with true its keys are keywords. Nil of nil.",
        "(json/parse-string \"{\\\"a\\\": [1, 2.5]}\" true) => {:a [1 2.5]}",
        |cx, args| {
            let keywords = keywords("json/parse-string", args)?;
            parse(cx, "json/parse-string", &args[0], keywords)
        },
    ),
    pure(
        "json/parse-lines",
        between(1, 2),
        "text|text keywords?",
        "The values of a text with one JSON text a line; blank lines are left out.",
        "(json/parse-lines \"{\\\"a\\\": 1}\\n[2]\") => ({\"a\" 1} [2])",
        parse_lines,
    ),
    pure(
        "json/generate-string",
        between(1, 2),
        "value|value options",
        "The JSON text of a value; `{:pretty true}` puts it on lines.",
        "(json/generate-string {:a [1 nil]}) => \"{\\\"a\\\":[1,null]}\"",
        |cx, args| {
            let pretty = match args.get(1) {
                None | Some(Value::Nil) => false,
                Some(Value::Map(options)) => options.get_name("pretty").is_some_and(Value::truthy),
                Some(other) => {
                    return Err(wrong_type("json/generate-string", "a map of options", other)
                        .with_help("write `(json/generate-string x {:pretty true})`"));
                }
            };
            generate(cx, "json/generate-string", &args[0], pretty)
        },
    ),
    pure(
        "json/read-str",
        between(1, 3),
        "text|text :key-fn keyword",
        "The value of a JSON text; the same as `json/parse-string`.",
        "(json/read-str \"[1, null]\") => [1 nil]",
        |cx, args| {
            let keywords = match &args[1..] {
                [] => false,
                [Value::Keyword(option), Value::Builtin(function)]
                    if option == "key-fn" && function.builtin().name == "keyword" =>
                {
                    true
                }
                [other, ..] => {
                    return Err(wrong_type("json/read-str", "`:key-fn keyword`", other)
                        .with_help("write `(json/parse-string text true)` for keyword keys"));
                }
            };
            parse(cx, "json/read-str", &args[0], keywords)
        },
    ),
    pure(
        "json/write-str",
        exactly(1),
        "value",
        "The JSON text of a value; the same as `json/generate-string`.",
        "(json/write-str [1 \"a\"]) => \"[1,\\\"a\\\"]\"",
        |cx, args| generate(cx, "json/write-str", &args[0], false),
    ),
];

/// Whether keys shall be keywords: the second argument is true or `keyword`.
fn keywords(who: &str, args: &[Value]) -> Res<bool> {
    match args.get(1) {
        None | Some(Value::Nil | Value::Bool(false)) => Ok(false),
        Some(Value::Bool(true)) => Ok(true),
        Some(Value::Builtin(id)) if id.builtin().name == "keyword" => Ok(true),
        Some(Value::Builtin(id)) if id.builtin().name == "identity" => Ok(false),
        Some(other) => Err(wrong_type(who, "true or `keyword` as its second argument", other)),
    }
}

fn text<'a>(cx: &mut Cx, who: &str, value: &'a Value) -> Res<&'a str> {
    let text = value.as_str().ok_or_else(|| wrong_type(who, "a text of JSON", value))?;
    cx.spend(text.len() as u64 / 4 + 1)?;
    // Short arrays in arrays take the most: about eight bytes for each of the text.
    cx.alloc(text.len() as u64 * 8)?;
    Ok(text)
}

fn parse(cx: &mut Cx, who: &str, value: &Value, keywords: bool) -> Res {
    if value.is_nil() {
        return Ok(Value::Nil);
    }
    let text = text(cx, who, value)?;
    let max_depth = cx.limits.value_depth;
    let parsed = json::parse_within(text, keywords, max_depth).map_err(|error| {
        Diagnostic::new(Code::BadJson, format!("`{who}` cannot read the text: {error}"))
            .with_help("check that the text is JSON and whole: print how it starts and ends")
    })?;
    within_depth(cx, parsed)
}

/// What was read, if it does not nest too deep.
fn within_depth(cx: &mut Cx, parsed: Option<Value>) -> Res {
    cx.depth(parsed.as_ref().map_or(u32::MAX, Value::depth))?;
    Ok(parsed.unwrap_or_default())
}

fn parse_lines(cx: &mut Cx, args: &mut [Value]) -> Res {
    let who = "json/parse-lines";
    let keywords = keywords(who, args)?;
    if args[0].is_nil() {
        return cx.list(Vec::new());
    }
    let text = text(cx, who, &args[0])?;
    let mut values = Vec::new();
    for (number, line) in text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty()) {
        let value = json::parse_within(line, keywords, cx.limits.value_depth).map_err(|error| {
            let message = format!(
                "`{who}` cannot read line {}: {} at column {}",
                number + 1,
                error.message,
                error.column
            );
            Diagnostic::new(Code::BadJson, message)
                .with_help("for a text of one value write `(json/parse-string text)`")
        })?;
        values.push(within_depth(cx, value)?);
    }
    cx.list(values)
}

fn generate(cx: &mut Cx, who: &str, value: &Value, pretty: bool) -> Res {
    // What shares its parts can be written without end, so the text is paid for while it is written.
    let most = cx.limits.memory.min(cx.fuel_left().saturating_mul(4)) as usize;
    let (text, work) =
        json::write_within(value, pretty, most, cx.fuel_left()).map_err(|error| {
            Diagnostic::new(Code::NotJson, format!("`{who}` cannot write the value: {error}"))
                .with_help("call functions first, and leave out what is no data")
        })?;
    cx.spend(work.saturating_add(text.len() as u64 / 4 + 1))?;
    if text.len() > most {
        return Err(cx.too_much());
    }
    cx.string(text)
}
