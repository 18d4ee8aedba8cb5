//! Exceptions, and `memoize`.

use arcstr::ArcStr;

use super::facts::{ANY, MADE, as_value, listed};
use super::{Row, lisp, pure, take, wrong_type};
use ptc_machine::{Cx, over, raise};
use ptc_values::limits::MAX_KEY_PARTS;
use ptc_values::{Ext, Res, Thrown, Value, is_long};

pub const TABLE: &[Row] = &[
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
            Ok(Thrown::of(&args[0])
                .and_then(|thrown| thrown.message.clone())
                .map_or(Value::Nil, Value::Str))
        },
    ),
    pure(
        "ex-data",
        "exception",
        "The map given to `ex-info`, or `:tool`, `:kind` and `:message` of a call that failed; nil for anything else.",
        "(ex-data 1) => nil",
        listed(MADE),
        |_, args| Ok(Thrown::of(&args[0]).map(|thrown| thrown.data.clone()).unwrap_or_default()),
    ),
    pure(
        "ex-cause",
        "exception",
        "The cause of an exception; nil if it has none.",
        "(ex-cause (ex-info \"bad\" {})) => nil",
        listed(ANY),
        |_, args| Ok(Thrown::of(&args[0]).map(|thrown| thrown.cause.clone()).unwrap_or_default()),
    ),
    pure(
        "throw",
        "exception",
        "Throws an exception.",
        "(try (throw (ex-info \"bad\" {})) (catch Exception e (ex-message e))) => \"bad\"",
        listed(ANY).acts(),
        |_, args| match Thrown::of(&args[0]) {
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
            Err(Thrown::of(&error).map_or_else(over, |thrown| raise(thrown, error.clone())))
        },
    ),
    pure(
        ".getMessage",
        "exception",
        "The message of an exception.",
        "(.getMessage (Exception. \"bad\")) => \"bad\"",
        listed(ANY),
        |_, args| match Thrown::of(&args[0]) {
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
        |_, args| match Thrown::of(&args[0]) {
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
        |_, args| match Thrown::of(&args[0]) {
            Some(thrown) => Ok(thrown.cause.clone()),
            None => Err(wrong_type(".getCause", "an exception", &args[0])),
        },
    ),
    lisp(
        "memoize",
        "f",
        "f with remembered results: each result is computed once.",
        "((memoize inc) 1) => 2",
        listed(ANY),
    ),
    lisp("ptc/remembered", "seen f args", "The remembered result of a call.", "", listed(ANY)),
    pure(
        "ptc/is-own-key",
        "x",
        "Whether the only argument of a call is the key of its remembered result. A list of arguments equals none.",
        "",
        as_value(ANY),
        |_, args| {
            Ok(Value::Bool(match &args[0] {
                Value::Nil | Value::Bool(_) | Value::Int(_) | Value::Float(_) => true,
                Value::Str(_) => !is_long(&args[0]),
                _ => false,
            }))
        },
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

pub fn make(cx: &mut Cx, class: &'static str, args: &mut [Value]) -> Res {
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
