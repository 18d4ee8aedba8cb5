//! The worked examples of the prompt, which use the names of the mission itself.
//!
//! A small model copies the names of an example, so an example with invented tools makes it call
//! tools that do not exist. Every example is a program that runs against the mission's data and
//! tools. None depends on the text of the mission.

use std::collections::BTreeSet;

use ptc_lisp::{Effect, ToolDecl, Value};
use ptc_signatures::{Field, Type, check};
use serde::Serialize;

use crate::answer::{Places, Rows, answer};
use crate::example_value::sample_of_type;
use crate::kinds::Kinds;
use crate::sample::{is_plain_name, is_shown, sample};
use crate::{MissionMode, PromptLimits, PromptSpec};

/// The data of the templates with examples.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(crate) struct Examples {
    agent: bool,
    pub(crate) records: Option<Records>,
    key: Option<String>,
    list: Option<String>,
    pub(crate) first: Option<Call>,
    second: Option<Call>,
    /// A call for each item of a list in the data.
    pub(crate) each: Option<String>,
    /// Whether the answer has a type other than `:any`.
    typed: bool,
    /// An expression of the type of the answer.
    answer: Option<String>,
    #[serde(skip)]
    pub(crate) kinds: Kinds,
}

/// A list of maps in the data, and the [`RecordFields`] that examples use.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(crate) struct Records {
    pub(crate) path: String,
    pub(crate) label: String,
    /// The value of the label in the first record.
    pub(crate) value: String,
    sort: Option<String>,
    pub(crate) number: Option<String>,
    pick: String,
}

/// A call of a tool, and an expression that uses its result.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(crate) struct Call {
    pub(crate) call: String,
    used: String,
}

/// Selects the data and the tools for the examples of a mission.
pub(crate) fn choose(spec: &PromptSpec<'_>, kinds: Kinds) -> Examples {
    let records =
        entries(spec.ctx).find_map(|(key, value)| Some((key, RecordFields::choose(value)?)));
    let records = records.map(|(key, fields)| Records {
        path: format!("ctx/{key}"),
        label: fields.label.to_owned(),
        value: fields.value,
        sort: fields.sort,
        number: fields.number.map(str::to_owned),
        pick: fields.pick.to_owned(),
    });
    let mut callable = tools(spec).filter(|tool| call(tool, spec.ctx, None).is_some());
    let (first, second) = (callable.next(), callable.next());
    let used = |name: &str, tool: &ToolDecl, before: Option<&ToolDecl>| {
        Some(Call { call: call(tool, spec.ctx, before)?, used: used(name, tool) })
    };
    let (first, second) = (
        first.and_then(|tool| used("a", tool, None)),
        second.and_then(|tool| used("b", tool, first)),
    );
    let path = |fits: fn(&Value) -> bool| {
        entries(spec.ctx).find(|(_, value)| fits(value)).map(|(key, _)| format!("ctx/{key}"))
    };
    let (key, list) = (path(|_| true), path(|value| value.items().is_some()));
    let output = spec.signature.map(|it| &it.output).filter(|it| **it != Type::Any);
    let rows = declared_rows(spec);
    let rows_path = rows.map(|(name, _)| format!("ctx/{name}"));
    let rows = rows.zip(rows_path.as_deref());
    let rows = rows.map(|((_, fields), path)| Rows { path, fields, is_item: false });
    let places = Places { list: list.as_deref(), any: key.as_deref(), rows };
    Examples {
        typed: output.is_some(),
        answer: output.and_then(|output| answer(output, places)),
        agent: spec.mode == MissionMode::Agent,
        records,
        key,
        list,
        first,
        second,
        each: tools(spec).find_map(|tool| each(tool, spec.ctx)),
        kinds: kinds.with_signatures(spec),
    }
}

/// Returns the first list of records by the signature that is not empty, with the fields of a record.
fn declared_rows<'a>(spec: &PromptSpec<'a>) -> Option<(&'a str, &'a [Field])> {
    let params = spec.signature?.params.iter().filter(|it| is_shown(&it.name));
    params.into_iter().find_map(|param| {
        let Type::List(item, _) = &param.ty else { return None };
        let Type::Record(fields) = &**item else { return None };
        spec.ctx.get(&param.name)?.items()?.next()?;
        Some((param.name.as_str(), &**fields))
    })
}

/// Returns the entries of the data that a program reads as `ctx/name`.
fn entries(ctx: &Value) -> impl Iterator<Item = (&str, &Value)> {
    shown(ctx.as_map())
}

fn shown(map: Option<&ptc_lisp::Map>) -> impl Iterator<Item = (&str, &Value)> {
    let all = map.into_iter().flat_map(ptc_lisp::Map::iter);
    all.filter_map(|(key, value)| Some((key.name()?, value))).filter(|(key, _)| is_shown(key))
}

/// The fields of a list of maps that the examples use.
struct RecordFields<'a> {
    /// The field to group by.
    label: &'a str,
    /// The value of the label in the first map, which is short and visible in the inventory.
    value: String,
    /// The arguments of `sort-by`: a number in every map, or otherwise a label that is a string in
    /// every map.
    sort: Option<String>,
    /// A field with a number in every map.
    number: Option<&'a str>,
    /// The field to take from each map.
    pick: &'a str,
}

impl<'a> RecordFields<'a> {
    fn choose(list: &'a Value) -> Option<RecordFields<'a>> {
        let fields = || shown(list.items().and_then(|mut items| items.next()?.as_map()));
        let text = || fields().filter(|(_, value)| is_short(value));
        // A text that repeats makes useful groups.
        let label = text().find(|(key, _)| repeats(list, key)).or_else(|| text().next());
        let (label, value) =
            label.or_else(|| fields().find(|(_, value)| is_number(Some(value))))?;
        let in_all = |key: &str, test: fn(Option<&Value>) -> bool| {
            list.items().is_some_and(|mut items| items.all(|item| test(item.get(key))))
        };
        let value = sample(value, &PromptLimits::default()).text;
        let number = fields().map(|(key, _)| key).filter(|key| in_all(key, is_number)).last();
        let texts = || in_all(label, |value| value.is_some_and(|it| it.as_str().is_some()));
        let sort = match number {
            Some(key) => Some(format!(":{key} >")),
            None => texts().then(|| format!(":{label}")),
        };
        let pick = fields().map(|(key, _)| key).find(|key| *key != label);
        Some(RecordFields { label, value, sort, number, pick: pick.unwrap_or(label) })
    }
}

fn is_number(value: Option<&Value>) -> bool {
    matches!(value, Some(Value::Int(_) | Value::Float(_)))
}

/// Returns whether a value is a text of at most 20 bytes without a backtick, which might close the
/// block of the examples.
fn is_short(value: &Value) -> bool {
    value.as_str().is_some_and(|text| text.len() <= 20 && !text.contains('`'))
}

/// Returns whether two of the first maps of a list have the same text in a field.
fn repeats(list: &Value, key: &str) -> bool {
    let mut seen = BTreeSet::new();
    let mut items = list.items().into_iter().flatten().take(MAX_SEARCHED);
    items.any(|it| it.get(key).and_then(Value::as_str).is_some_and(|text| !seen.insert(text)))
}

/// The maximum number of maps that are searched for repeated texts.
const MAX_SEARCHED: usize = 50;

/// Returns the callable tools, with those that only read first.
fn tools<'a>(spec: &PromptSpec<'a>) -> impl Iterator<Item = &'a ToolDecl> {
    let tools = spec.tools;
    let callable = move |effect| tools.iter().filter(move |it| it.callable && it.effect == effect);
    callable(Effect::Read).chain(callable(Effect::Write))
}

/// Returns a call with the required arguments of the tool. An argument comes from the data if it
/// has a value of that name and type, or else from `a`, the result of the tool `before`. Returns
/// `None` if the call is too long for an example.
fn call(tool: &ToolDecl, ctx: &Value, before: Option<&ToolDecl>) -> Option<String> {
    let whole = PromptLimits { list_sample: LONGEST, string_truncate: LONGEST, ..<_>::default() };
    let mut args = Vec::new();
    for param in tool.signature.iter().flat_map(|signature| &signature.params) {
        if param.is_optional() {
            continue;
        }
        let name = &param.name;
        // The name of a hidden key does not reveal its value.
        let known = ctx.get(name).filter(|_| is_plain_name(name));
        let known = known.filter(|value| check(&param.ty, *value).is_empty());
        let given = before.and_then(|before| field_for(param, before));
        let value = match (known, given) {
            (Some(_), _) => format!("ctx/{name}"),
            (None, Some(field)) => format!("(:{field} a)"),
            (None, None) => Some(sample_of_type(&param.ty, &whole)).filter(|made| !made.cut)?.text,
        };
        let key = if is_plain_name(name) { format!(":{name}") } else { quoted(name) };
        args.push(format!("{key} {value}"));
    }
    let call = format!("(call {} {{{}}})", quoted(&tool.name), args.join(" "));
    Some(call).filter(|call| call.len() <= LONGEST && !call.contains('`'))
}

/// Returns the field of a tool's result that a parameter of another tool is named after, such as `id`
/// or `customer_id` for `customer_id`.
pub(crate) fn field_for<'a>(param: &Field, tool: &'a ToolDecl) -> Option<&'a str> {
    let output = &tool.signature.as_ref()?.output;
    let output = if let Type::Optional(inner) = output { inner } else { output };
    let Type::Record(fields) = output else { return None };
    let is_named = |field: &&Field| {
        let before = param.name.strip_suffix(field.name.as_str());
        before.is_some_and(|it| it.is_empty() || it.ends_with(['_', '-']))
    };
    let mut fields = fields.iter().filter(|field| field.ty == param.ty && is_shown(&field.name));
    fields.find(is_named).map(|field| field.name.as_str())
}

/// The maximum length of a call in an example, in bytes; of a string in it, in characters.
const LONGEST: usize = 200;

/// Returns a call for each item of a list in the data, for a tool whose only required argument is
/// such an item.
fn each(tool: &ToolDecl, ctx: &Value) -> Option<String> {
    let params = &tool.signature.as_ref()?.params;
    let mut needed = params.iter().filter(|param| !param.is_optional());
    let (param, None) = (needed.next()?, needed.next()) else { return None };
    let fits = |value: &Value| {
        let mut items = value.items()?.peekable();
        items.peek()?;
        Some(items.all(|item| check(&param.ty, item).is_empty()))
    };
    let (key, _) = entries(ctx).find(|(_, value)| fits(value) == Some(true))?;
    call(tool, ctx, None)?;
    let name = Some(&param.name).filter(|name| is_plain_name(name))?;
    Some(format!("(mapv #(call {} {{:{name} %}}) ctx/{key})", quoted(&tool.name)))
}

/// Returns an expression that uses the result of a tool: a field of a map, or twice a number.
fn used(name: &str, tool: &ToolDecl) -> String {
    let output = tool.signature.as_ref().map_or(&Type::Any, |signature| &signature.output);
    match output {
        Type::Int(_) | Type::Float(_) => format!("(* 2 {name})"),
        Type::List(item, _) => match field(item) {
            Some(field) => format!("(mapv :{field} {name})"),
            None => format!("(count {name})"),
        },
        other => match field(other) {
            Some(field) => format!("(:{field} {name})"),
            None => name.to_owned(),
        },
    }
}

/// Returns the first visible field of a record.
fn field(ty: &Type) -> Option<&str> {
    let ty = if let Type::Optional(inner) = ty { inner } else { ty };
    let Type::Record(fields) = ty else { return None };
    fields.iter().map(|field| field.name.as_str()).find(|name| is_shown(name))
}

fn quoted(text: &str) -> String {
    sample(&Value::str(text), &PromptLimits::default()).text
}
