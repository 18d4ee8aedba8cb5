//! Exceptions, and `memoize`.

use arcstr::ArcStr;

use super::facts::{ANY, Head, as_value, listed};
use super::{Builtin, describe, lisp, pure, take, wrong_type};
use crate::diagnostic::Diagnostic;
use crate::limits::MAX_KEY_PARTS;
use crate::machine::{Cx, Res, over};
use crate::value::{Ext, Thrown, Value};

pub(super) const TABLE: &[Builtin] = &[
    pure(
        "ex-info",
        "message map|message map cause",
        "An exception with a map of data, to be thrown.",
        "(ex-data (ex-info \"bad\" {:id 1})) => {:id 1}",
        listed(ANY),
        |cx, args| {
            let message = match &args[0] {
                Value::Nil => None,
                Value::Str(text) => Some(text.clone()),
                other => return Err(wrong_type("ex-info", "a text as its message", other)),
            };
            if !matches!(args[1], Value::Map(_)) {
                return Err(wrong_type("ex-info", "a map of data", &args[1]));
            }
            cx.spend(super::PROBLEM)?;
            let (data, cause) = (take(args, 1), take(args, 2));
            exception(cx, "ExceptionInfo", message, data, cause)
        },
    ),
    pure(
        "ex-message",
        "exception",
        "The message of an exception; nil for anything else.",
        "(ex-message (ex-info \"bad\" {})) => \"bad\"",
        listed(ANY),
        |_, args| {
            Ok(thrown(&args[0])
                .and_then(|thrown| thrown.message.clone())
                .map_or(Value::Nil, Value::Str))
        },
    ),
    pure(
        "ex-data",
        "exception",
        "The map given to `ex-info`, or `:tool`, `:kind` and `:message` of a call that failed; nil for anything else.",
        "(ex-data 1) => nil",
        listed(ANY),
        |_, args| Ok(thrown(&args[0]).map(|thrown| thrown.data.clone()).unwrap_or_default()),
    ),
    pure(
        "ex-cause",
        "exception",
        "The cause of an exception; nil if it has none.",
        "(ex-cause (ex-info \"bad\" {})) => nil",
        listed(ANY),
        |_, args| Ok(thrown(&args[0]).map(|thrown| thrown.cause.clone()).unwrap_or_default()),
    ),
    pure(
        "throw",
        "exception",
        "Throws an exception.",
        "(try (throw (ex-info \"bad\" {})) (catch Exception e (ex-message e))) => \"bad\"",
        listed(ANY).acts(),
        |_, args| match thrown(&args[0]) {
            Some(thrown) => Err(raise(thrown, args[0].clone())),
            None => Err(wrong_type("throw", "an exception", &args[0])
                .with_help("write `(throw (ex-info \"what went wrong\" {:key value}))`")),
        },
    ),
    pure(
        "ptc/assert-failed",
        "test|test message",
        "The error of a failed `assert`.",
        "",
        as_value(ANY),
        |cx, args| {
            let mut message = "Assert failed: ".to_owned();
            if let Some(text) = args.get(1) {
                cx.text_of(&mut message, text, false)?;
                message.push('\n');
            }
            cx.text_of(&mut message, &args[0], false)?;
            let error =
                exception(cx, "AssertionError", Some(message.into()), Value::Nil, Value::Nil)?;
            Err(thrown(&error).map_or_else(over, |thrown| raise(thrown, error.clone())))
        },
    ),
    pure(
        ".getMessage",
        "exception",
        "The message of an exception.",
        "(.getMessage (Exception. \"bad\")) => \"bad\"",
        listed(ANY),
        |_, args| match thrown(&args[0]) {
            Some(thrown) => Ok(thrown.message.clone().map_or(Value::Nil, Value::Str)),
            None => Err(wrong_type(".getMessage", "an exception", &args[0])),
        },
    ),
    pure(
        ".getData",
        "exception",
        "The map given to `ex-info`.",
        "(.getData (ex-info \"bad\" {:id 1})) => {:id 1}",
        listed(ANY),
        |_, args| match thrown(&args[0]) {
            Some(thrown) => Ok(thrown.data.clone()),
            None => Err(wrong_type(".getData", "an exception", &args[0])),
        },
    ),
    pure(
        ".getCause",
        "exception",
        "The cause of an exception.",
        "(.getCause (Exception. \"bad\")) => nil",
        listed(ANY),
        |_, args| match thrown(&args[0]) {
            Some(thrown) => Ok(thrown.cause.clone()),
            None => Err(wrong_type(".getCause", "an exception", &args[0])),
        },
    ),
    lisp(
        "memoize",
        "f",
        "f with remembered results: each result is computed once.",
        "((memoize inc) 1) => 2",
        listed(ANY).head(Head::Thunk),
    ),
    pure(
        "ptc/memo-key",
        "args",
        "The key of remembered arguments: equal ones differ if a keyword is where a string was (D5).",
        "",
        as_value(ANY),
        |cx, args| {
            // The map with the key pays for its parts, and refuses one that is too large.
            let mut left = MAX_KEY_PARTS;
            let (mut kinds, mut work) = (String::new(), vec![&args[0]]);
            while let Some(value) = work.pop() {
                left -= 1;
                if left == 0 {
                    break;
                }
                match value {
                    Value::Keyword(_) => kinds.push('k'),
                    Value::Str(_) => kinds.push('s'),
                    Value::Map(map) => work.extend(map.iter().flat_map(|(key, it)| [key, it])),
                    other => work.extend(other.items().into_iter().flatten()),
                }
            }
            let args = args[0].clone();
            if !kinds.contains('k') {
                return Ok(args);
            }
            // No list of arguments equals this one.
            let key = cx.vector(vec![args, kinds.into()])?;
            Ok(Ext::Reduced(key).into_value())
        },
    ),
];

fn thrown(value: &Value) -> Option<&Thrown> {
    match value {
        Value::Ext(ext) => match &**ext {
            Ext::Error(thrown) => Some(thrown),
            _ => None,
        },
        _ => None,
    }
}

pub(super) fn make(cx: &mut Cx, class: &'static str, args: &mut [Value]) -> Res {
    let message = match args.first() {
        None | Some(Value::Nil) => None,
        Some(Value::Str(text)) => Some(text.clone()),
        Some(other) => return Err(wrong_type(class, "a text as its message", other)),
    };
    exception(cx, class, message, Value::Nil, take(args, 1))
}

fn exception(
    cx: &mut Cx,
    class: &'static str,
    message: Option<ArcStr>,
    data: Value,
    cause: Value,
) -> Res {
    let thrown = Thrown::new(class.into(), message, data, cause);
    cx.alloc(128)?;
    cx.depth(thrown.depth())?;
    Ok(Ext::Error(thrown).into_value())
}

/// Returns the problem of throwing an exception again.
pub(crate) fn rethrown(value: &Value) -> Diagnostic {
    thrown(value).map_or_else(over, |thrown| raise(thrown, value.clone()))
}

/// Returns the problem of a thrown exception. One raised by the language is raised again unchanged.
fn raise(thrown: &Thrown, value: Value) -> Diagnostic {
    if let Some(problem) = &thrown.problem {
        return problem.clone();
    }
    let message = match &thrown.message {
        Some(message) => message.to_string(),
        None => format!("a {} without a message was thrown", thrown.class),
    };
    let problem = Diagnostic::thrown(message, value);
    match &thrown.data {
        Value::Map(map) if !map.is_empty() => {
            problem.with_help(format!("its data is {}", describe(&thrown.data)))
        }
        _ => problem,
    }
}

/// Returns the value that `catch` binds for a problem.
pub(crate) fn caught(problem: Diagnostic) -> Value {
    if let Some(value) = problem.thrown_value() {
        return value.clone();
    }
    let class = problem.class().unwrap_or("Exception").into();
    let data = problem.data().clone();
    let message = problem.exception_message().into();
    let mut thrown = Thrown::new(class, Some(message), data, Value::Nil);
    thrown.problem = Some(problem);
    Ext::Error(thrown).into_value()
}
