//! Functions that read texts as data.

use super::facts::{ANY, as_value, listed};
use super::{Row, lisp, pure, take, wrong_type};
use ptc_facts::messages::message_text;
use ptc_machine::Cx;
use ptc_reader::{Text, read_first};
use ptc_values::code::{Code, Kind};
use ptc_values::{Diagnostic, Res, Value};

pub const TABLE: &[Row] = &[
    lisp(
        "read-string",
        "text|options text",
        "The first form of a text as data, which is not evaluated.",
        "(read-string \"{:a [1 2]}\") => {:a [1 2]}",
        listed(ANY),
    ),
    lisp(
        "edn/read-string",
        "text|options text",
        "The first form of an EDN text as data; `:readers` and `:default` handle tags.",
        "(edn/read-string \"{:a [1 2]}\") => {:a [1 2]}",
        listed(ANY),
    ),
    lisp(
        "ptc/read",
        "who options text",
        "The first form of a text, with its tags read.",
        "",
        as_value(ANY),
    ),
    pure(
        "ptc/form",
        "who text",
        "The first form of a text and whether there are tags in it; nil if there is no form.",
        "",
        as_value(ANY),
        form,
    ),
    pure(
        "ptc/no-form",
        "who",
        "The error of a text without a form.",
        "",
        as_value(ANY),
        |_, args| {
            let who = args[0].as_str().unwrap_or_default();
            Err(Diagnostic::new(Code::EmptyProgram, format!("`{who}` found no form in the text"))
                .with_class("RuntimeException")
                .with_jvm_message("EOF while reading".to_owned())
                .with_help("test the text first with `str/blank?`, or give a value: `{:eof nil}`"))
        },
    ),
];

fn form(cx: &mut Cx, args: &mut [Value]) -> Res {
    let who = args[0].as_str().unwrap_or_default().to_owned();
    let source = take(args, 1);
    let Value::Str(text) = &source else {
        return Err(wrong_type(&who, "a text", &source));
    };
    cx.spend(text.len() as u64)?;
    cx.alloc(text.len() as u64 * 32)?;
    let what = if who == "read-string" { Text::Data } else { Text::Edn };
    let read = read_first(text, what, &cx.limits).map_err(|problem| {
        // Its position is in the text, not in the program.
        let message = format!("`{who}`: {}", problem.message());
        let error = Diagnostic::new(problem.code_value(), message);
        let error = match problem.help() {
            Some(help) => error.with_help(help),
            None => error,
        };
        match problem.kind() {
            Kind::Limit => error,
            _ if problem.class() == Some("NumberFormatException") => {
                error.with_class("NumberFormatException")
            }
            _ => error.with_class("RuntimeException"),
        }
    })?;
    cx.spend(read.regex_units)?;
    let Some(top) = read.top.first() else { return Ok(Value::Nil) };
    let (value, twice) = read.forms.datum_and_twice(*top);
    cx.depth(value.depth() + 1)?;
    match twice {
        Some(key) => {
            let problem =
                format!("`{who}`: {} occurs twice in a map or set", super::describe(&key));
            Err(Diagnostic::new(Code::BadForm, problem)
                .with_class("IllegalArgumentException")
                .with_jvm_message(format!("Duplicate key: {}", message_text(&key)))
                .with_help(
                    "remove one of the two; a keyword and a string with its text are the same key",
                ))
        }
        None => cx.vector(vec![value, Value::Bool(read.tags)]),
    }
}
