//! Atoms and exceptions.

use arcstr::ArcStr;

use super::{Builtin, at_least, between, describe, exactly, hof, lisp, pure, take, wrong_type};
use crate::diagnostic::{Code, Diagnostic};
use crate::machine::{Cx, Hof, Res};
use crate::value::{Atom, Ext, Thrown, Value};

pub(super) const TABLE: &[Builtin] = &[
    pure(
        "atom",
        exactly(1),
        "x",
        "A cell that holds x; it lives as long as the program.",
        "@(atom 1) => 1",
        |cx, args| {
            let atom = Ext::Atom(Atom::new(take(args, 0))).into_value();
            cx.alloc(96)?;
            cx.note_atom(&atom);
            Ok(atom)
        },
    ),
    pure(
        "deref",
        exactly(1),
        "x",
        "The value in an atom, a delay or a reduced value; also written @x.",
        "(deref (atom 1)) => 1",
        |_, args| match &args[0] {
            Value::Ext(ext) => match &**ext {
                Ext::Atom(atom) => atom.get().ok_or_else(over),
                Ext::Reduced(inner) => Ok(inner.clone()),
                _ => Err(wrong_type("deref", "an atom", &args[0])),
            },
            other => Err(wrong_type("deref", "an atom", other)),
        },
    ),
    pure(
        "reset!",
        exactly(2),
        "atom x",
        "Puts x into an atom, and gives it.",
        "(reset! (atom 1) 2) => 2",
        |_, args| {
            let value = take(args, 1);
            atom_of("reset!", &args[0])?.replace(value.clone()).ok_or_else(over)?;
            Ok(value)
        },
    ),
    pure(
        "reset-vals!",
        exactly(2),
        "atom x",
        "Puts x into an atom; gives the old value and the new one.",
        "(reset-vals! (atom 1) 2) => [1 2]",
        |cx, args| {
            let value = take(args, 1);
            let old = atom_of("reset-vals!", &args[0])?.replace(value.clone()).ok_or_else(over)?;
            cx.vector(vec![old, value])
        },
    ),
    pure(
        "compare-and-set!",
        exactly(3),
        "atom old new",
        "Puts new into an atom that holds old; says whether it did.",
        "(compare-and-set! (atom 1) 1 2) => true",
        |cx, args| {
            let atom = atom_of("compare-and-set!", &args[0])?;
            let now = atom.get().ok_or_else(over)?;
            let same = cx.equal(&now, &args[1])?;
            if same {
                atom.replace(args[2].clone());
            }
            Ok(Value::Bool(same))
        },
    ),
    hof(
        "swap!",
        at_least(2),
        "atom f & args",
        "Puts f of its value into an atom, and gives it.",
        "(swap! (atom 1) + 10) => 11",
        |_, args| {
            swap(args, "swap!", |_, state, result| {
                if let [atom, _] = &state[..] {
                    atom_of("swap!", atom)?.replace(result.clone());
                }
                Ok(result)
            })
        },
    ),
    hof(
        "swap-vals!",
        at_least(2),
        "atom f & args",
        "Puts f of its value into an atom; gives the old value and the new one.",
        "(swap-vals! (atom 1) inc) => [1 2]",
        |_, args| {
            swap(args, "swap-vals!", |cx, state, result| match <[Value; 2]>::try_from(state) {
                Ok([atom, old]) => {
                    atom_of("swap-vals!", &atom)?.replace(result.clone());
                    cx.vector(vec![old, result])
                }
                Err(_) => Ok(result),
            })
        },
    ),
    pure(
        "ex-info",
        between(2, 3),
        "message map|message map cause",
        "An exception with a map of data, to be thrown.",
        "(ex-data (ex-info \"bad\" {:id 1})) => {:id 1}",
        |cx, args| {
            let message = match &args[0] {
                Value::Nil => None,
                Value::Str(text) => Some(text.clone()),
                other => return Err(wrong_type("ex-info", "a text as its message", other)),
            };
            if !matches!(args[1], Value::Map(_)) {
                return Err(wrong_type("ex-info", "a map of data", &args[1]));
            }
            let (data, cause) = (take(args, 1), take(args, 2));
            exception(cx, "ExceptionInfo", message, data, cause)
        },
    ),
    pure(
        "ex-message",
        exactly(1),
        "exception",
        "The message of an exception; nil for anything else.",
        "(ex-message (ex-info \"bad\" {})) => \"bad\"",
        |_, args| {
            Ok(thrown(&args[0])
                .and_then(|thrown| thrown.message.clone())
                .map_or(Value::Nil, Value::Str))
        },
    ),
    pure(
        "ex-data",
        exactly(1),
        "exception",
        "The map given to `ex-info`; nil for anything else.",
        "(ex-data 1) => nil",
        |_, args| Ok(thrown(&args[0]).map(|thrown| thrown.data.clone()).unwrap_or_default()),
    ),
    pure(
        "ex-cause",
        exactly(1),
        "exception",
        "The exception that led to this one; nil if there is none.",
        "(ex-cause (ex-info \"bad\" {})) => nil",
        |_, args| Ok(thrown(&args[0]).map(|thrown| thrown.cause.clone()).unwrap_or_default()),
    ),
    pure(
        "throw",
        exactly(1),
        "exception",
        "Throws an exception.",
        "(try (throw (ex-info \"bad\" {})) (catch Exception e (ex-message e))) => \"bad\"",
        |_, args| match thrown(&args[0]) {
            Some(thrown) => Err(raise(thrown, args[0].clone())),
            None => Err(wrong_type("throw", "an exception", &args[0])
                .with_help("write `(throw (ex-info \"what went wrong\" {:key value}))`")),
        },
    ),
    pure(
        "ptc/assert-failed",
        between(1, 2),
        "test message",
        "What `assert` does when its test fails.",
        "",
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
        exactly(1),
        "exception",
        "The message of an exception.",
        "(.getMessage (Exception. \"bad\")) => \"bad\"",
        |_, args| match thrown(&args[0]) {
            Some(thrown) => Ok(thrown.message.clone().map_or(Value::Nil, Value::Str)),
            None => Err(wrong_type(".getMessage", "an exception", &args[0])),
        },
    ),
    pure(
        ".getData",
        exactly(1),
        "exception",
        "The map given to `ex-info`.",
        "(.getData (ex-info \"bad\" {:id 1})) => {:id 1}",
        |_, args| match thrown(&args[0]) {
            Some(thrown) => Ok(thrown.data.clone()),
            None => Err(wrong_type(".getData", "an exception", &args[0])),
        },
    ),
    pure(
        ".getCause",
        exactly(1),
        "exception",
        "The exception that led to this one.",
        "(.getCause (Exception. \"bad\")) => nil",
        |_, args| match thrown(&args[0]) {
            Some(thrown) => Ok(thrown.cause.clone()),
            None => Err(wrong_type(".getCause", "an exception", &args[0])),
        },
    ),
    lisp(
        "memoize",
        exactly(1),
        "f",
        "f that computes each answer once.",
        "((memoize inc) 1) => 2",
        "(fn [f]
        (let [seen (atom {})]
          (fn [& args]
            (let [found (find @seen args)]
              (if found
                (val found)
                (let [value (apply f args)]
                  (swap! seen assoc args value)
                  value))))))",
    ),
];

fn swap(
    args: Vec<Value>,
    who: &'static str,
    finish: fn(&mut Cx, Vec<Value>, Value) -> Res,
) -> Res<Hof> {
    let mut args = args.into_iter();
    let (Some(atom), Some(function)) = (args.next(), args.next()) else {
        return Ok(Hof::value(Value::Nil));
    };
    let old = atom_of(who, &atom)?.get().ok_or_else(over)?;
    let call = std::iter::once(old.clone()).chain(args).collect();
    Ok(Hof::once(function, call, vec![atom, old], finish))
}

fn atom_of<'a>(who: &str, value: &'a Value) -> Res<&'a Atom> {
    match value {
        Value::Ext(ext) => match &**ext {
            Ext::Atom(atom) => Ok(atom),
            _ => Err(wrong_type(who, "an atom", value)),
        },
        other => Err(wrong_type(who, "an atom", other)),
    }
}

#[cold]
fn over() -> Diagnostic {
    Diagnostic::new(Code::Unsupported, "this atom belongs to an earlier program, which is over")
        .with_class("IllegalStateException")
        .with_help("keep the value instead: `(memory/put :key @atom)`")
}

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

/// The problem of a thrown exception. One that the language raised is raised again as it was.
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

/// What `catch` binds for a problem.
pub(crate) fn caught(problem: Diagnostic) -> Value {
    if let Some(value) = problem.thrown_value() {
        return value.clone();
    }
    let class = problem.class().unwrap_or("Exception").into();
    let data = match problem.code_value() {
        Code::ToolFailed | Code::ToolArguments | Code::ToolResult => {
            Value::map([(Value::keyword("code"), Value::str(problem.code()))])
        }
        _ => Value::Nil,
    };
    let message = problem.exception_message().into();
    let mut thrown = Thrown::new(class, Some(message), data, Value::Nil);
    thrown.problem = Some(problem);
    Ext::Error(thrown).into_value()
}
