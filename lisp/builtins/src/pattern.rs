//! The functions behind patterns and checks in programs.

use super::collection::{character, conj_all};
use super::facts::{
    ANY, LazyInput, Moves, OnNil, Origin, Pulls, ResultShape::By, as_value, lazily,
};
use ptc_facts::shape::gives;

use super::{Row, pure, take, wrong_type};
use ptc_facts::messages::message_text;
use ptc_machine::{Cx, skip};
use ptc_values::code::Code;
use ptc_values::{Diagnostic, Ext, Res, Seq, Value, Vector};

pub const TABLE: &[Row] = &[
    // The functions behind destructuring and `case`.
    pure(
        "ptc/item",
        "coll index",
        "The item of a pattern.",
        "",
        lazily(By(gives::nth), LazyInput::Function)
            .pulls(Pulls::AsValue)
            .moves(Moves::Collection)
            .borrows(2, |_, coll, index| match coll {
                Value::Nil => Some(Value::Nil),
                Value::Vector(vector) => {
                    Some(vector.get(index.as_int()? as usize).cloned().unwrap_or_default())
                }
                _ => None,
            }),
        pattern_item,
    ),
    pure(
        "ptc/seq-item",
        "coll index",
        "The item of a pattern with a rest.",
        "",
        lazily(By(gives::nth), LazyInput::Function).pulls(Pulls::AsValue).moves(Moves::Collection),
        |cx, args| match &args[0] {
            Value::Map(_) | Value::Set(_) => {
                let index = args[1].as_int().unwrap_or(0) as usize;
                super::sequence::item("a pattern in square brackets", &args[0], index)
            }
            Value::Nil | Value::Vector(_) | Value::List(_) | Value::Str(_) => {
                pattern_item(cx, args)
            }
            other => Err(no_items(other)
                .with_class("IllegalArgumentException")
                .with_jvm_message(super::no_seq(other))),
        },
    ),
    pure(
        "ptc/rest-from",
        "coll index",
        "The rest of a pattern.",
        "",
        lazily(By(|g| g.list_of(g.item(0)).or_nil()), LazyInput::Function).pulls(Pulls::AsValue),
        |cx, args| {
            let start = args[1].as_int().unwrap_or(0) as usize;
            let source = take(args, 0);
            let rest = skip(cx, source, start)?;
            Ok(if rest.is_empty() { Value::Nil } else { Value::List(rest) })
        },
    ),
    pure(
        "ptc/as-map",
        "x",
        "The map that a map pattern destructures.",
        "",
        lazily(By(gives::as_map), LazyInput::Function)
            .moves(Moves::Collection)
            .borrows(1, |_, x, _| matches!(x, Value::Map(_) | Value::Nil).then(|| x.clone())),
        |cx, args| match take(args, 0) {
            Value::List(seq) => {
                let mut items = Seq::into_vec(seq);
                cx.spend(items.len() as u64)?;
                if items.len() == 1 {
                    return Ok(items.into_iter().next().unwrap_or_default());
                }
                // A value after the pairs is a map of more entries.
                let more = if items.len() % 2 == 1 { items.pop() } else { None };
                let map = cx.map_of(ptc_values::pairs(items))?;
                match more {
                    Some(more) => conj_all(cx, map, vec![more]),
                    None => Ok(map),
                }
            }
            other => Ok(other),
        },
    ),
    pure(
        "ptc/as-list",
        "x",
        "A vector as a sequence.",
        "",
        as_value(By(gives::unpositioned))
            .pulls(Pulls::AsValue)
            .on_nil(OnNil::Passes)
            .origin(Origin::Last),
        |cx, args| match take(args, 0) {
            Value::Vector(vector) => {
                let items = Vector::into_vec(vector);
                cx.list(items)
            }
            other => Ok(other),
        },
    ),
    pure(
        "ptc/no-clause",
        "x",
        "The error of a `case` without a match.",
        "",
        as_value(ANY),
        |_, args| {
            Err(Diagnostic::new(
                Code::NoClause,
                format!("no clause matches {}", super::describe(&args[0])),
            )
            .with_jvm_message(format!("No matching clause: {}", message_text(&args[0])))
            .with_help("add a default as the last form"))
        },
    ),
];

fn pattern_item(cx: &mut Cx, args: &mut [Value]) -> Res {
    let index = args[1].as_int().unwrap_or(0) as usize;
    match &args[0] {
        Value::Nil => Ok(Value::Nil),
        Value::Vector(vector) => Ok(vector.get(index).cloned().unwrap_or_default()),
        Value::List(seq) => Ok(seq.front(index).unwrap_or_default()),
        Value::Str(text) => Ok(character(cx, text, &args[1])),
        Value::Ext(ext) if let Ext::Matcher(matcher) = &**ext => {
            let who = "a pattern in square brackets";
            Ok(super::regex::group(who, matcher, index)?.unwrap_or_default())
        }
        other => Err(no_items(other)
            .with_class("UnsupportedOperationException")
            .with_jvm_message(super::sequence::no_nth(other))
            .with_help(match other {
                Value::Set(_) => "a set has no positions: write `[a & more]`, or `(first s)`",
                _ => "destructure a map with `{:keys [a b]}`",
            })),
    }
}

/// Returns the error of a value that a pattern in square brackets cannot destructure.
#[cold]
fn no_items(value: &Value) -> Diagnostic {
    wrong_type("a pattern in square brackets", "a list, a vector, a string or nil", value)
}
