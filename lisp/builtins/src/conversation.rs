//! Functions on the conversation: the messages up to that of the user which the mission answers.

use arcstr::literal;
use ptc_signatures::Kinds;

use super::facts::{ResultShape::By, listed};
use super::{Row, pure, wrong_type};
use ptc_facts::shape::{Input, Length, Shape};
use ptc_machine::Cx;
use ptc_values::code::Code;
use ptc_values::{Diagnostic, Res, Value};

pub const TABLE: &[Row] = &[
    pure(
        "conversation/all",
        "|role",
        "The messages of the conversation or of a role, the oldest first: maps with `:role` and `:content`.",
        "(conversation/all :user) => []",
        listed(By(|_| messages())),
        |cx, args| {
            let role = args.first().map(|role| role_of("conversation/all", role)).transpose()?;
            let found = matching(cx, role.flatten())?;
            cx.vector(found)
        },
    ),
    pure(
        "conversation/first",
        "|role-or-n|role n",
        "The first message of the conversation or of a role, or nil; with n, the first n of them.",
        "(conversation/first :user 5) => []",
        listed(By(some)),
        |cx, args| part("conversation/first", cx, args, End::First),
    ),
    pure(
        "conversation/last",
        "|role-or-n|role n",
        "The last message of the conversation or of a role, or nil; with n, the last n of them, the oldest first.",
        "(conversation/last :user 5) => []",
        listed(By(some)),
        |cx, args| part("conversation/last", cx, args, End::Last),
    ),
];

#[derive(Clone, Copy, PartialEq)]
enum End {
    First,
    Last,
}

fn part(who: &'static str, cx: &mut Cx, args: &mut [Value], end: End) -> Res {
    let (role, count) = match args {
        [] => (None, None),
        [count @ Value::Int(_)] => (None, Some(count_of(who, count)?)),
        [role] => (role_of(who, role)?, None),
        [role, count, ..] => (role_of(who, role)?, Some(count_of(who, count)?)),
    };
    let mut found = matching(cx, role)?;
    match count {
        Some(count) if end == End::First => found.truncate(count),
        Some(count) => drop(found.drain(..found.len().saturating_sub(count))),
        None => {
            let one = if end == End::First { found.first() } else { found.last() };
            return Ok(one.cloned().unwrap_or_default());
        }
    }
    cx.vector(found)
}

/// Returns the messages of a role, or all.
fn matching(cx: &mut Cx, role: Option<&str>) -> Res<Vec<Value>> {
    let messages = cx.world.conversation.clone();
    cx.spend(messages.len() as u64)?;
    cx.alloc(messages.len() as u64 * 16)?;
    let has_role = |it: &&Value| it.get("role").and_then(Value::as_str) == role;
    Ok(messages.iter().filter(|it| role.is_none() || has_role(it)).cloned().collect())
}

/// Reads a role; none for `:all`.
fn role_of(who: &str, role: &Value) -> Res<Option<&'static str>> {
    let Some(name) = role.name() else {
        return Err(wrong_type(who, "a role such as `:user`", role));
    };
    match name {
        "all" => Ok(None),
        "user" => Ok(Some("user")),
        "assistant" | "ai" => Ok(Some("assistant")),
        "system" => Ok(Some("system")),
        _ => Err(Diagnostic::new(Code::UnknownOption, format!("`{who}` knows no role {role}"))
            .with_help("the roles are `:user`, `:assistant`, `:system` and `:all`")),
    }
}

fn count_of(who: &str, count: &Value) -> Res<usize> {
    match count {
        Value::Int(count) => Ok(usize::try_from(*count).unwrap_or_default()),
        other => Err(wrong_type(who, "a number of messages", other)),
    }
}

/// Returns the shape of a list of messages.
fn messages() -> Shape {
    Shape::list(message(), Length::default())
}

fn message() -> Shape {
    let text = Shape::Kinds(Kinds::STRING);
    let fields = vec![
        (literal!("role"), text.clone()),
        (literal!("content"), Shape::ANY),
        (literal!("status"), text.or_nil()),
    ];
    Shape::declared_record(fields, true)
}

/// Returns the shape of one message, or of several if a number is given.
fn some(given: &Input<'_>) -> Shape {
    match given.args {
        [_, _, ..] => messages(),
        [one] if one.kinds() == Kinds::INT => messages(),
        [one] if one.kinds().meets(Kinds::INT) => Shape::ANY,
        _ => message().or_nil(),
    }
}
