//! Functions on artifacts. An artifact is memory under its own prefix. So a turn that ends in an error keeps none, branches
//! join theirs, and the next message of a conversation has them.

use super::facts::{ANY, LIST, listed};
use super::{Row, pure, take, wrong_type};
use ptc_machine::Cx;
use ptc_values::{Res, Value};

/// The beginning of the keys of memory that are artifacts.
pub const PREFIX: &str = "artifact/";

pub const TABLE: &[Row] = &[
    pure(
        "artifact/put",
        "name value",
        "Keeps a value as an artifact, whose next version the run makes when it returns; returns the value.",
        "(artifact/put \"report\" {:total 1}) => {:total 1}",
        listed(ANY).looks_inside().acts(),
        |cx, args| {
            let key = key_of("artifact/put", &args[0])?;
            cx.alloc(64 + key.len() as u64)?;
            let value = take(args, 1);
            cx.own.put(Value::str(&key), value.clone());
            Ok(value)
        },
    ),
    pure(
        "artifact/get",
        "name|name default",
        "The newest value of an artifact of the conversation; without one, the default or nil.",
        "(artifact/get \"nothing\" 0) => 0",
        listed(ANY).varies(),
        |cx, args| {
            let key = key_of("artifact/get", &args[0])?;
            let found = cx.own.memory.get(&Value::str(&key)).cloned();
            Ok(found.unwrap_or_else(|| take(args, 1)))
        },
    ),
    pure(
        "artifact/names",
        "",
        "The names of the artifacts of the conversation, in the order in which they were first put.",
        "(artifact/names) => []",
        listed(LIST).varies(),
        |cx, _| {
            let found = names(cx)?;
            cx.vector(found)
        },
    ),
];

/// The longest name, in characters.
const MAX_NAME: usize = 100;

fn key_of(who: &'static str, name: &Value) -> Res<String> {
    let fits = |it: &&str| !it.is_empty() && it.chars().count() <= MAX_NAME;
    let text = name.name().filter(fits);
    let text =
        text.ok_or_else(|| wrong_type(who, "a text of 1 to 100 characters as its name", name))?;
    Ok(format!("{PREFIX}{text}"))
}

fn names(cx: &mut Cx) -> Res<Vec<Value>> {
    let keys = cx.own.memory.iter().map(|(key, _)| key.clone()).collect::<Vec<_>>();
    cx.spend(keys.len() as u64)?;
    let names = keys.iter().filter_map(|key| key.name()?.strip_prefix(PREFIX));
    Ok(names.map(Value::str).collect())
}
