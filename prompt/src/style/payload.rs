//! The payload as a model reads it: whole if it is small, and otherwise a sample with the changes of the turn. The
//! functions on it are tools for a model that writes no programs.

use std::fmt::Write as _;
use std::sync::LazyLock;

use minijinja::{Value as Data, context};
use ptc_lisp::{Effect, ToolDecl, Value, print};

use super::ShownChange;
use super::json::{answer_opening, plain, without_hidden};
use crate::error::Error;
use crate::sample::is_hidden;
use crate::text::one_line;
use crate::{PromptLimits, PromptSpec};

/// The number of times that a whole payload may be longer than a string of a prompt.
const WHOLE: usize = 8;
/// The most keys of a map, and the most levels, in a sample.
const KEYS: usize = 24;
const LEVELS: usize = 8;
/// The most values in a sample.
const VALUES: usize = 400;
/// The most changes that are listed.
const CHANGES: usize = 20;

/// The functions of programs on the payload, as tools. The first reads, and the others change.
static OPERATIONS: LazyLock<[ToolDecl; 5]> = LazyLock::new(|| {
    [
        operation(
            "payload/get",
            "(path [:string|:int]) -> :any",
            "Gives the part of the payload at a path of keys and of indexes from 0. The path `[]` is the whole.",
        ),
        operation(
            "payload/put",
            "(path [:string|:int], value :any) -> :any",
            "Sets the part of the payload at a path, and makes the objects and lists on the way.",
        ),
        operation(
            "payload/push",
            "(path [:string|:int], item :any) -> :any",
            "Appends an item to the list at a path of the payload.",
        ),
        operation(
            "payload/merge",
            "(path [:string|:int], fields :map) -> :any",
            "Sets fields of the object at a path of the payload. The other fields stay.",
        ),
        operation(
            "payload/delete",
            "(path [:string|:int]) -> :any",
            "Removes the part of the payload at a path.",
        ),
    ]
});

fn operation(name: &str, signature: &str, description: &str) -> ToolDecl {
    let effect = if name == "payload/get" { Effect::Read } else { Effect::Write };
    let mut tool = ToolDecl::new(name, effect);
    tool.signature = signature.parse().ok();
    tool.description = Some(description.to_owned());
    tool
}

/// Returns the operations that a model without programs has: none without a payload, and only the one that reads where
/// it may change nothing.
pub(super) fn operations(spec: &PromptSpec<'_>) -> &'static [ToolDecl] {
    match spec.payload {
        None => &[],
        Some(payload) if payload.can_write => &*OPERATIONS,
        Some(_) => OPERATIONS.get(..1).unwrap_or_default(),
    }
}

/// Returns the source of a call of one of the [`operations`], or an observation about its arguments; `None` for
/// another tool.
pub(super) fn source(tool: &ToolDecl, args: &Value) -> Option<Result<String, String>> {
    OPERATIONS.iter().any(|it| std::ptr::eq(it, tool)).then(|| call(tool, args))
}

fn call(tool: &ToolDecl, args: &Value) -> Result<String, String> {
    let mut source = format!("({}", tool.name);
    for param in tool.signature.iter().flat_map(|it| &it.params) {
        let Some(value) = args.get(&param.name) else {
            return Err(format!("Error: the argument `{}` is missing", param.name));
        };
        if param.name == "path" {
            check_path(tool, value)?;
        }
        source.push(' ');
        source.push_str(&print::readable(value));
    }
    source.push(')');
    Ok(source)
}

fn check_path(tool: &ToolDecl, path: &Value) -> Result<(), String> {
    let is_step = |it: &Value| matches!(it, Value::Str(_) | Value::Int(_));
    let wrong = || {
        let what = "a list of keys and of indexes from 0, such as";
        Err(format!("Error: the argument `path` must be {what} {PATH}"))
    };
    let Value::Vector(steps) = path else { return wrong() };
    if !steps.iter().all(is_step) {
        return wrong();
    }
    let mut hidden = steps.iter().filter_map(Value::name).filter(|it| is_hidden(it));
    match hidden.next().filter(|_| tool.effect == Effect::Read) {
        Some(key) => Err(format!("Error: `{}` of the payload is hidden", one_line(key, 200))),
        None => Ok(()),
    }
}

/// An example of a path, in marks.
const PATH: &str = "`[\"orders\", 0, \"state\"]`";

/// Returns the data of the section about the payload, if there is one. `names` are those of the [`operations`].
pub(super) fn section(spec: &PromptSpec<'_>, names: &[&str]) -> Option<Data> {
    let payload = spec.payload?;
    let marked = |names: &[&str]| names.iter().map(|it| format!("`{it}`")).collect::<Vec<_>>();
    let (get, changes) = names.split_first()?;
    let changes = match marked(changes).as_slice() {
        [first @ .., last] if !first.is_empty() => Some(format!("{} and {last}", first.join(", "))),
        changes => changes.first().cloned(),
    };
    let writes = payload.writes.filter(|_| payload.can_write).map(|it| one_line(it, 2_000));
    Some(context! { get => *get, changes, path => PATH, writes })
}

/// Renders the first message of a style that acts without programs: the mission with its values, and the payload.
pub(super) fn opening(spec: &PromptSpec<'_>) -> Result<String, Error> {
    let mut text = answer_opening(spec)?;
    if let Some(payload) = spec.payload {
        text.push_str("\n\n");
        text.push_str(&at_start(payload.value, &spec.limits));
    }
    Ok(text)
}

/// Returns the payload at the start of a mission.
fn at_start(payload: &Value, limits: &PromptLimits) -> String {
    let (shown, is_cut) = shown(&without_hidden(payload), limits);
    let cut = if is_cut { "a sample of the " } else { "" };
    headed(&format!("{cut}payload at the start"), &shown)
}

/// Returns the payload after a turn, and what the turn has changed if the payload is too long to be whole.
pub(super) fn after_turn(
    payload: &Value,
    changes: &[ShownChange],
    limits: &PromptLimits,
) -> String {
    let (shown, is_cut) = shown(&without_hidden(payload), limits);
    if !is_cut {
        return headed("payload now, in place of all earlier ones", &shown);
    }
    let mut text = headed("a sample of the payload now, in place of all earlier ones", &shown);
    if !changes.is_empty() {
        text.push_str("\n\nChanged by this turn:");
    }
    for ShownChange { path, value } in changes.iter().take(CHANGES) {
        let value =
            value.as_ref().map(|it| quoted(&sample(&without_hidden(it), limits, LEVELS, &mut 40)));
        let what = value.map_or_else(|| " is removed".to_owned(), |it| format!(" = {it}"));
        let dot = if path.is_empty() || path.starts_with('[') { "" } else { "." };
        // Writing to a `String` cannot fail.
        let _ = write!(text, "\n- payload{dot}{path}{what}");
    }
    if let more @ 1.. = changes.len().saturating_sub(CHANGES) {
        let _ = write!(text, "\n- and {more} more");
    }
    text
}

/// Returns a value as JSON, with the quotes of a string.
fn quoted(value: &Value) -> String {
    let listed = plain(&Value::vector(vec![value.clone()]));
    listed.strip_prefix('[').and_then(|it| it.strip_suffix(']')).unwrap_or_default().to_owned()
}

fn headed(title: &str, text: &str) -> String {
    let mut chars = title.chars();
    let first = chars.next().map(|it| it.to_ascii_uppercase()).unwrap_or_default();
    format!("{first}{}:\n{text}", chars.as_str())
}

/// Returns a value as JSON, and whether it is cut.
fn shown(value: &Value, limits: &PromptLimits) -> (String, bool) {
    let whole = plain(value);
    if whole.chars().count() <= limits.string_truncate.saturating_mul(WHOLE) {
        return (whole, false);
    }
    let mut left = VALUES;
    (plain(&sample(value, limits, LEVELS, &mut left)), true)
}

/// Returns a value whose long parts are replaced by their beginnings. `left` is the number of values that it may have.
fn sample(value: &Value, limits: &PromptLimits, levels: usize, left: &mut usize) -> Value {
    *left = left.saturating_sub(1);
    match value {
        Value::Str(text) => short(text, limits),
        Value::Map(_) | Value::Vector(_) if levels == 0 || *left == 0 => Value::str("…"),
        Value::Map(map) => {
            let rows = map.iter().take(KEYS);
            let mut rows: Vec<(Value, Value)> =
                rows.map(|(key, it)| (key.clone(), sample(it, limits, levels - 1, left))).collect();
            if map.len() > rows.len() {
                let more = Value::str(format!("and {} more keys", map.len() - rows.len()));
                rows.push((Value::str("…"), more));
            }
            Value::map(rows)
        }
        Value::Vector(items) => {
            let first = items.iter().take(limits.list_sample.max(1));
            let mut first: Vec<Value> =
                first.map(|it| sample(it, limits, levels - 1, left)).collect();
            if items.len() > first.len() {
                first.push(Value::str(format!("… and {} more items", items.len() - first.len())));
            }
            Value::vector(first)
        }
        other => other.clone(),
    }
}

fn short(text: &str, limits: &PromptLimits) -> Value {
    let most = limits.string_truncate.max(1);
    match text.char_indices().nth(most) {
        None => Value::str(text),
        Some((end, _)) => {
            let start = text.get(..end).unwrap_or_default();
            Value::str(format!("{start}… ({} characters)", text.chars().count()))
        }
    }
}

#[cfg(test)]
mod tests {
    use ptc_lisp::json;

    use super::*;

    fn payload(change: &str) -> Value {
        let rows: Vec<String> =
            (0..500).map(|n| format!("{{\"id\": {n}, \"ok\": true}}")).collect();
        let text = format!("{{\"rows\": [{}], {change}}}", rows.join(", "));
        json::parse(&text).unwrap()
    }

    #[test]
    fn a_large_payload_is_a_sample_with_its_changes() {
        let limits = PromptLimits::default();
        let before = payload("\"state\": {\"n\": 1, \"old\": 0, \"_key\": \"x\"}, \"log\": [1, 2]");
        let after = payload("\"state\": {\"n\": 2, \"_key\": \"y\"}, \"log\": [1, 3, \"four\"]");
        let change =
            |path: &str, value: Option<Value>| ShownChange { path: path.to_owned(), value };
        let changes = [
            change("state.n", Some(2.into())),
            change("state.old", None),
            change("log[2]", Some("four".into())),
            change("[\"a b\"]", json::parse("{\"c\": [1], \"_d\": 2}").ok()),
            change("", json::parse("{}").ok()),
        ];
        let rows = "\"rows\":[{\"id\":0,\"ok\":true},{\"id\":1,\"ok\":true},{\"id\":2,\"ok\":true},\"… and 497 more items\"]";
        assert_eq!(
            after_turn(&after, &changes, &limits),
            format!(
                "A sample of the payload now, in place of all earlier ones:\n{{{rows},\"state\":{{\"n\":2}},\
                 \"log\":[1,3,\"four\"]}}\n\nChanged by this turn:\n- payload.state.n = 2\n- payload.state.old is \
                 removed\n- payload.log[2] = \"four\"\n- payload[\"a b\"] = {{\"c\":[1]}}\n- payload = {{}}"
            )
        );
        assert_eq!(
            at_start(&before, &limits),
            format!(
                "A sample of the payload at the start:\n{{{rows},\"state\":{{\"n\":1,\"old\":0}},\"log\":[1,2]}}"
            )
        );
    }

    #[test]
    fn samples_and_changes_are_bounded() {
        let limits = PromptLimits::default();
        let list = |item: &str, count: usize| format!("[{}]", vec![item; count].join(","));
        let wide: Vec<String> =
            (0..100).map(|n| format!("\"k{n}\":{}", list("[[1,2,3],\"x\"]", 60))).collect();
        let wide = |more: &str| json::parse(&format!("{{{}{more}}}", wide.join(","))).unwrap();
        let value = json::parse(&list("[[1,2,3],\"x\"]", 60)).ok();
        let changes = (0..100).map(|n| ShownChange { path: format!("k{n}"), value: value.clone() });
        let text = after_turn(&wide(""), &changes.collect::<Vec<_>>(), &limits);
        assert!(text.len() < 12_000, "{}", text.len());
        assert!(text.contains("\"…\":\"and 76 more keys\""), "{text}");
        assert!(text.ends_with("\n- and 80 more"), "{text}");
        let long = json::parse(&format!("{{\"text\": \"{}\"}}", "ä".repeat(9_000))).unwrap();
        let text = at_start(&long, &limits);
        assert!(text.ends_with("ä… (9000 characters)\"}"), "{text}");
    }
}
