//! JSON text read and written by programs: `cheshire.core` and `clojure.data.json`, by the names
//! and arguments of their functions.

use super::facts::{ANY, Options, TEXT, UNSEEN, as_value, listed};
use super::predicate::callable;
use super::{PROBLEM, Row, callback, find, lisp, pure, take, wrong_type};
use ptc_facts::registry::Registered;
use ptc_machine::{CallbackState, Cx, compiled};
use ptc_values::code::Code;
use ptc_values::{Diagnostic, Map, Res, Value, json};

pub const READ_OPTIONS: &[&str] = &["key-fn", "value-fn", "eof-error?", "eof-value", "bigdec"];

pub const WRITE_OPTIONS: &[&str] =
    &["key-fn", "value-fn", "indent", "escape-unicode", "escape-js-separators", "escape-slash"];

pub const GENERATE_OPTIONS: &[&str] = &["pretty", "key-fn", "escape-non-ascii"];

pub const TABLE: &[Row] = &[
    callback(
        "json/parse-string",
        "text|text key-fn|text key-fn array-fn",
        "The value of a JSON text; with true, its keys are keywords. nil for nil and for an empty text.",
        "(json/parse-string \"{\\\"a\\\": [1, 2.5]}\" true) => {:a [1 2.5]}",
        UNSEEN,
        listed(ANY),
        |cx, args| parse_string(cx, "json/parse-string", args),
    ),
    callback(
        "json/parse-string-strict",
        "text|text key-fn|text key-fn array-fn",
        "`json/parse-string` that also calls array-fn for a text that is an array.",
        "(json/parse-string-strict \"[1, null]\") => [1 nil]",
        UNSEEN,
        listed(ANY),
        |cx, args| parse_string(cx, "json/parse-string-strict", args),
    ),
    pure(
        "json/parse-lines",
        "text|text keywords?",
        "The values of a text with one JSON value per line; blank lines are skipped.",
        "(json/parse-lines \"{\\\"a\\\": 1}\\n[2]\") => ({\"a\" 1} [2])",
        listed(ANY),
        parse_lines,
    ),
    callback(
        "json/generate-string",
        "value|value options",
        "The JSON text of a value; `{:pretty true}` indents it, `:key-fn` converts keys.",
        "(json/generate-string {:a [1 nil]}) => \"{\\\"a\\\":[1,null]}\"",
        UNSEEN,
        listed(TEXT)
            .options(Options { from: 1, known: GENERATE_OPTIONS, closed: false })
            .looks_inside(),
        generate_string,
    ),
    callback(
        "json/read-str",
        "text & options",
        "The value of a JSON text, with options such as `:key-fn keyword`, `:value-fn`, `:eof-error?`.",
        "(json/read-str \"{\\\"a\\\": null}\" :key-fn keyword) => {:a nil}",
        UNSEEN,
        listed(ANY).options(Options { from: 1, known: READ_OPTIONS, closed: true }),
        read_str,
    ),
    callback(
        "json/write-str",
        "value & options",
        "The JSON text of a value in ASCII, with options such as `:key-fn`, `:value-fn`, `:indent`.",
        "(json/write-str [1 \"a\"]) => \"[1,\\\"a\\\"]\"",
        UNSEEN,
        listed(ANY).options(Options { from: 1, known: WRITE_OPTIONS, closed: true }).looks_inside(),
        write_str,
    ),
    lisp(
        "ptc/json-read",
        "key-fn value-fn array-fn field x",
        "Parsed JSON after the program's functions. array-fn skips an array whose field is true.",
        "",
        as_value(ANY),
    ),
    lisp(
        "ptc/json-write",
        "key-fn value-fn keywords x",
        "Data for JSON after the program's functions; with keywords, key-fn is called for keyword keys only.",
        "",
        as_value(ANY),
    ),
];

/// Implements `cheshire.core/parse-string`, strict or not.
fn parse_string(cx: &mut Cx, who: &'static str, args: Vec<Value>) -> Res<CallbackState> {
    let strict = who == "json/parse-string-strict";
    let [text, key, array] = three(args);
    let key = match key {
        Value::Bool(true) => builtin_value("keyword"),
        Value::Bool(false) | Value::Nil => Value::Nil,
        // Named options belong to the other library.
        Value::Keyword(_) => {
            return problem(
                cx,
                wrong_type(who, "true or a function as its second argument", &key)
                    .with_help(format!("write `({who} text true)` for keys that are keywords")),
            );
        }
        function if callable(&function) => function,
        other => {
            return problem(
                cx,
                wrong_type(who, "true or a function as its second argument", &other),
            );
        }
    };
    if !array.is_nil() && !callable(&array) {
        return problem(cx, wrong_type(who, "a function as its third argument", &array));
    }
    if text.is_nil() || text.as_str().is_some_and(is_blank) {
        return Ok(CallbackState::value(Value::Nil));
    }
    let field = if strict { Value::Nil } else { Value::Bool(true) };
    read(cx, who, &text, [key, Value::Nil, array], field)
}

/// Implements `clojure.data.json/read-str`.
fn read_str(cx: &mut Cx, mut args: Vec<Value>) -> Res<CallbackState> {
    let who = "json/read-str";
    let text = take(&mut args, 0);
    let read_options = || {
        let options = options(who, READ_OPTIONS, &args[1..])?;
        if option(&options, "bigdec").is_some_and(Value::truthy) {
            return Err(Diagnostic::new(
                Code::NotAvailable,
                format!("`{who}` does not support the option `:bigdec`: there is no BigDecimal"),
            )
            .with_help("remove the option: a number with a point is a float"));
        }
        let key = function(who, &options, "key-fn")?;
        let value = function(who, &options, "value-fn")?;
        Ok((options, key, value))
    };
    let (options, key, value) = paid(cx, read_options())?;
    let may_be_empty = option(&options, "eof-error?").is_some_and(|it| !it.truthy());
    if may_be_empty && text.as_str().is_some_and(is_blank) {
        return Ok(CallbackState::value(
            option(&options, "eof-value").cloned().unwrap_or_default(),
        ));
    }
    read(cx, who, &text, [key, value, Value::Nil], Value::Bool(true))
}

/// Implements `cheshire.core/generate-string`.
fn generate_string(cx: &mut Cx, mut args: Vec<Value>) -> Res<CallbackState> {
    let who = "json/generate-string";
    let data = take(&mut args, 0);
    let options = match args.get(1) {
        None | Some(Value::Nil) => Value::Nil,
        Some(options @ Value::Map(_)) => options.clone(),
        Some(other) => {
            return problem(
                cx,
                wrong_type(who, "a map of options", other)
                    .with_help("write `(json/generate-string x {:pretty true})`"),
            );
        }
    };
    let key = paid(cx, function(who, &options, "key-fn"))?;
    if key.is_nil() {
        return generate(cx, who, &data, Style::of_generate(&options)).map(CallbackState::value);
    }
    let given = vec![key, Value::Nil, Value::Bool(true), data];
    let state = vec![options];
    Ok(CallbackState::once(
        library_function("ptc/json-write")?,
        given,
        state,
        |cx, mut state, value| {
            generate(cx, "json/generate-string", &value, Style::of_generate(&take(&mut state, 0)))
        },
    ))
}

/// Implements `clojure.data.json/write-str`.
fn write_str(cx: &mut Cx, mut args: Vec<Value>) -> Res<CallbackState> {
    let who = "json/write-str";
    let data = take(&mut args, 0);
    let write_options = || {
        let options = options(who, WRITE_OPTIONS, &args[1..])?;
        let key = function(who, &options, "key-fn")?;
        let value = function(who, &options, "value-fn")?;
        Ok((options, key, value))
    };
    let (options, key, value) = paid(cx, write_options())?;
    if key.is_nil() && value.is_nil() {
        return generate(cx, who, &data, Style::of_write(&options)).map(CallbackState::value);
    }
    let given = vec![key, value, Value::Bool(false), data];
    let state = vec![options];
    Ok(CallbackState::once(
        library_function("ptc/json-write")?,
        given,
        state,
        |cx, mut state, value| {
            generate(cx, "json/write-str", &value, Style::of_write(&take(&mut state, 0)))
        },
    ))
}

/// Parses a text, then applies the functions for keys, values and arrays.
fn read(
    cx: &mut Cx,
    who: &str,
    text: &Value,
    functions: [Value; 3],
    field: Value,
) -> Res<CallbackState> {
    let [key, value, array] = functions;
    let known = if value.is_nil() && array.is_nil() { makes_keywords(&key) } else { None };
    let parsed = parse(cx, who, text, known == Some(true))?;
    if known.is_some() {
        return Ok(CallbackState::value(parsed));
    }
    let key = if key.is_nil() { builtin_value("identity") } else { key };
    let given = vec![key, value, array, field, parsed];
    Ok(CallbackState::once(library_function("ptc/json-read")?, given, Vec::new(), |_, _, value| {
        Ok(value)
    }))
}

/// Returns whether a function for keys makes keywords or strings; none if only a call can tell.
fn makes_keywords(function: &Value) -> Option<bool> {
    match function {
        Value::Nil => Some(false),
        Value::Builtin(id) => match id.builtin().name {
            "keyword" => Some(true),
            "identity" => Some(false),
            _ => None,
        },
        _ => None,
    }
}

/// Collects named options given as pairs, as a map, or as pairs before a map.
fn options(who: &str, known: &[&str], given: &[Value]) -> Res {
    let mut options = Map::default();
    // The first unknown option ends it, so a large map costs nothing.
    let mut add = |name: &Value, value: &Value| {
        if name.name().is_some_and(|name| known.contains(&name)) {
            options.insert((name.clone(), value.clone()));
            return Ok(());
        }
        let known: Vec<String> = known.iter().map(|name| format!("`:{name}`")).collect();
        Err(wrong_type(who, &format!("the options {}", known.join(", ")), name))
    };
    let (pairs, rest) = given.as_chunks::<2>();
    for [name, value] in pairs {
        add(name, value)?;
    }
    match rest {
        [] | [Value::Nil] => {}
        [Value::Map(map)] => {
            for (name, value) in map.rows() {
                add(name, value)?;
            }
        }
        [other, ..] => {
            return Err(wrong_type(who, "a name and a value for each option", other)
                .with_help(format!("write `({who} x :key-fn f)`")));
        }
    }
    Ok(Value::Map(options.into()))
}

fn option<'o>(options: &'o Value, name: &str) -> Option<&'o Value> {
    match options {
        Value::Map(options) => options.get_name(name),
        _ => None,
    }
}

fn function(who: &str, options: &Value, name: &str) -> Res {
    match option(options, name) {
        None => Ok(Value::Nil),
        Some(function) if function.is_nil() || callable(function) => Ok(function.clone()),
        Some(other) => Err(wrong_type(who, &format!("a function as `:{name}`"), other)
            .with_help(format!("write `:{name}` and a function, such as `:key-fn keyword`"))),
    }
}

fn three(args: Vec<Value>) -> [Value; 3] {
    let mut args = args.into_iter();
    std::array::from_fn(|_| args.next().unwrap_or_default())
}

fn builtin_value(name: &str) -> Value {
    find(name).map_or(Value::Nil, Value::Builtin)
}

fn library_function(name: &str) -> Res {
    find(name).map_or(Ok(Value::Nil), compiled)
}

/// Pays for a problem that a program may catch, and returns it.
fn problem<T>(cx: &mut Cx, problem: Diagnostic) -> Res<T> {
    cx.spend(PROBLEM)?;
    Err(problem)
}

/// Pays for the problem of a result, if there is one.
fn paid<T>(cx: &mut Cx, result: Res<T>) -> Res<T> {
    result.or_else(|error| problem(cx, error))
}

fn is_blank(text: &str) -> bool {
    text.bytes().all(|byte| matches!(byte, b' ' | b'\t' | b'\n' | b'\r'))
}

/// Returns whether keys become keywords: the second argument is true or `keyword`.
fn keywords(who: &str, args: &[Value]) -> Res<bool> {
    match args.get(1) {
        None | Some(Value::Bool(false)) => Ok(false),
        Some(Value::Bool(true)) => Ok(true),
        Some(other) => makes_keywords(other)
            .ok_or_else(|| wrong_type(who, "true or `keyword` as its second argument", other)),
    }
}

fn pay(cx: &mut Cx, text: &str) -> Res<()> {
    cx.spend(text.len() as u64 / 4 + 1)?;
    // Short nested arrays take the most memory: about eight bytes for each byte of text.
    cx.alloc(text.len() as u64 * 8)
}

fn parse(cx: &mut Cx, who: &str, value: &Value, keywords: bool) -> Res {
    let Some(text) = value.as_str() else {
        return problem(cx, wrong_type(who, "a text of JSON", value));
    };
    pay(cx, text)?;
    let max_depth = cx.limits.value_depth;
    match json::parse_within(text, keywords, max_depth) {
        Ok(parsed) => within_depth(cx, parsed),
        Err(error) => problem(
            cx,
            Diagnostic::new(Code::BadJson, format!("`{who}` cannot read the text: {error}"))
                .with_help("check that the text is complete JSON: print its start and its end"),
        ),
    }
}

/// Returns the parsed value, if its nesting is allowed.
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
    let text = args[0].as_str().ok_or_else(|| wrong_type(who, "a text of JSON", &args[0]))?;
    pay(cx, text)?;
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
                .with_help("for a single value write `(json/parse-string text)`")
        })?;
        values.push(within_depth(cx, value)?);
    }
    cx.list(values)
}

#[derive(Clone, Copy)]
struct Style {
    pretty: bool,
    escapes: Escapes,
}

/// The characters to escape beyond those that JSON requires.
#[derive(Clone, Copy)]
struct Escapes {
    /// Characters outside ASCII, without those of `separators`.
    unicode: bool,
    /// The line and paragraph separators of Unicode.
    separators: bool,
    slash: bool,
    digits: Digits,
}

/// The letter case of the digits of an escape.
#[derive(Clone, Copy)]
enum Digits {
    Large,
    Small,
}

impl Style {
    fn of_generate(options: &Value) -> Style {
        let is = |name| option(options, name).is_some_and(Value::truthy);
        let unicode = is("escape-non-ascii");
        let digits = Digits::Large;
        let escapes = Escapes { unicode, separators: unicode, slash: false, digits };
        Style { pretty: is("pretty"), escapes }
    }

    fn of_write(options: &Value) -> Style {
        let is = |name, default| option(options, name).map_or(default, Value::truthy);
        let escapes = Escapes {
            unicode: is("escape-unicode", true),
            separators: is("escape-js-separators", true),
            slash: is("escape-slash", true),
            digits: Digits::Small,
        };
        Style { pretty: is("indent", false), escapes }
    }
}

impl Escapes {
    /// Writes a character as its UTF-16 code units.
    fn number(self, out: &mut String, char: char) {
        use std::fmt::Write as _;
        for unit in char.encode_utf16(&mut [0; 2]) {
            // Writing to a string cannot fail.
            let _ = match self.digits {
                Digits::Large => write!(out, "\\u{unit:04X}"),
                Digits::Small => write!(out, "\\u{unit:04x}"),
            };
        }
    }

    /// Replaces the escapes in a JSON text, which occur only in strings, by those of its library.
    fn escaped(self, text: String) -> String {
        let plain = |byte: u8| byte.is_ascii() && !matches!(byte, b'\\' | b'/');
        if text.bytes().all(plain) {
            return text;
        }
        let mut out = String::with_capacity(text.len());
        let mut rest = text.as_str();
        while let Some(char) = rest.chars().next() {
            let mut len = char.len_utf8();
            match char {
                '\\' => {
                    // The writer escapes control characters, by number, and single letters.
                    let number = rest.get(2..6).filter(|_| rest.starts_with("\\u"));
                    len = if number.is_some() { 6 } else { 2 };
                    match number.and_then(|digits| u8::from_str_radix(digits, 16).ok()) {
                        Some(0x8) => out.push_str("\\b"),
                        Some(0xc) => out.push_str("\\f"),
                        Some(byte) => self.number(&mut out, char::from(byte)),
                        None => out.push_str(rest.get(..len).unwrap_or(rest)),
                    }
                }
                '/' if self.slash => out.push_str("\\/"),
                '\u{2028}' | '\u{2029}' if self.separators => self.number(&mut out, char),
                '\u{2028}' | '\u{2029}' => out.push(char),
                _ if self.unicode && !char.is_ascii() => self.number(&mut out, char),
                _ => out.push(char),
            }
            rest = rest.get(len..).unwrap_or_default();
        }
        out
    }
}

fn generate(cx: &mut Cx, who: &str, value: &Value, style: Style) -> Res {
    // A value that shares parts can be endless to write, so the text is paid for as it is written.
    let most = cx.limits.memory.min(cx.fuel_left().saturating_mul(4)) as usize;
    match json::write_within(value, style.pretty, most, cx.fuel_left()) {
        Ok((text, work)) => {
            cx.spend(work.saturating_add(text.len() as u64 / 4 + 1))?;
            if text.len() > most {
                return Err(cx.too_much());
            }
            cx.string(style.escapes.escaped(text))
        }
        Err(error) => problem(
            cx,
            Diagnostic::new(Code::NotJson, format!("`{who}` cannot write the value: {error}"))
                .with_help("call functions first, and leave out values that are not data"),
        ),
    }
}
