//! Functions on the payload, the state that the runs of one tree share.

use super::facts::{ANY, NIL, listed};
use super::{Row, pure, take, wrong_type};
use ptc_facts::payload::PayloadOpKind;
use ptc_machine::Cx;
use ptc_values::{Res, Value};

pub const TABLE: &[Row] = &[
    pure(
        "payload/get",
        "path|path default",
        "The value at a path of the payload; a path is a vector of keys and indexes.",
        "(payload/get [:nothing] 0) => 0",
        listed(ANY).varies(),
        |cx, args| {
            let path = path_of(cx, "payload/get", &args[0])?;
            let found = cx.payload_at(&path)?;
            Ok(found.unwrap_or_else(|| take(args, 1)))
        },
    ),
    pure(
        "payload/put",
        "path value",
        "Sets the value at a path of the payload, as JSON; returns the value.",
        "(payload/put [:n] 1) => 1",
        listed(ANY).looks_inside().acts(),
        |cx, args| change(cx, PayloadOpKind::Put, args),
    ),
    pure(
        "payload/push",
        "path item",
        "Appends an item to the list at a path of the payload; returns the item.",
        "(payload/push [:rows] {:id 1}) => {:id 1}",
        listed(ANY).looks_inside().acts(),
        |cx, args| change(cx, PayloadOpKind::Push, args),
    ),
    pure(
        "payload/delete",
        "path",
        "Removes the value at a path of the payload; returns nil.",
        "(payload/delete [:n]) => nil",
        listed(NIL).acts(),
        |cx, args| change(cx, PayloadOpKind::Delete, args),
    ),
    pure(
        "payload/merge",
        "path m",
        "Sets each key of a map in the map at a path of the payload, one level as `merge` does; returns the map m.",
        "(payload/merge [:order] {:paid true}) => {:paid true}",
        listed(ANY).looks_inside().acts(),
        |cx, args| change(cx, PayloadOpKind::Merge, args),
    ),
];

fn change(cx: &mut Cx, kind: PayloadOpKind, args: &mut [Value]) -> Res {
    let path = path_of(cx, kind.name(), &args[0])?;
    let value = take(args, 1);
    cx.change_payload(kind, path, &value)?;
    Ok(value)
}

/// Reads a path: strings, and integers from 0.
fn path_of(cx: &mut Cx, who: &str, path: &Value) -> Res<Vec<Value>> {
    let expected = "a path: a vector of keys and of indexes from 0";
    let wrong = |found: &Value| {
        wrong_type(who, expected, found).with_help("write a path such as `[:items 0 :price]`")
    };
    let Some(steps) = path.items() else { return Err(wrong(path)) };
    let mut made = Vec::new();
    for step in steps {
        cx.spend(1)?;
        made.push(match step {
            Value::Str(_) => step.clone(),
            Value::Keyword(key) => Value::Str(key.clone()),
            Value::Int(index) if *index >= 0 => step.clone(),
            other => return Err(wrong(other)),
        });
    }
    Ok(made)
}
