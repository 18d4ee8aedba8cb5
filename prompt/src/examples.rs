//! The names that the examples of the prompt use: those of the mission itself.
//!
//! A small model copies the names of an example, so an example with made-up tools makes it call tools
//! that are not there.

use minijinja::{Value as Data, context};
use ptc_lisp::{Effect, ToolDecl, Value};
use ptc_signatures::Type;

use crate::sample::{is_hidden, is_plain_name, made_up, sample};
use crate::{Mode, PromptLimits, PromptSpec};

/// What the templates with examples take.
pub(crate) fn data(spec: &PromptSpec<'_>) -> Data {
    let records = entries(spec.ctx).find_map(|(key, value)| Some((key, fields(value)?)));
    let records = records.map(|(key, fields)| {
        context! {
            path => format!("ctx/{key}"),
            // (filter #(= (:label %) value) path), (sort-by :order > path)
            label => fields.label,
            value => sample(fields.value, &PromptLimits::default()).text,
            order => fields.order,
        }
    });
    let single = entries(spec.ctx).next().map(|(key, _)| format!("ctx/{key}"));
    context! {
        agent => spec.mode == Mode::Agent,
        tools => spec.tools.iter().any(|tool| tool.callable),
        records,
        key => single,
        call => tool(spec.tools).map(|tool| call(tool, spec.ctx)),
    }
}

/// A value that satisfies a type, as a program writes it.
pub(crate) fn of_type(ty: &Type) -> String {
    let value = ptc_lisp::json::from_serde(&ty.example());
    made_up(&value, &PromptLimits::default()).text
}

/// The entries of the data that a program reads by `ctx/name`.
fn entries(ctx: &Value) -> impl Iterator<Item = (&str, &Value)> {
    let all = ctx.as_map().into_iter().flat_map(ptc_lisp::Map::iter);
    all.filter_map(|(key, value)| Some((key.name()?, value))).filter(|(key, _)| is_shown(key))
}

/// What an example says about a list of maps.
struct Fields<'a> {
    label: &'a str,
    /// The label's value in the first map: short, and in plain sight in the inventory.
    value: &'a Value,
    order: Option<&'a str>,
}

fn fields(value: &Value) -> Option<Fields<'_>> {
    let first = value.items()?.next()?.as_map()?;
    let shown = |(key, value)| Some((Value::name(key)?, value)).filter(|(key, _)| is_shown(key));
    let number = |value: &Value| matches!(value, Value::Int(_) | Value::Float(_));
    // A backtick might close the block of the examples.
    let short =
        |value: &Value| value.as_str().is_some_and(|text| text.len() <= 20 && !text.contains('`'));
    let fields = || first.iter().filter_map(shown);
    let label = fields()
        .find(|(_, value)| short(value))
        .or_else(|| fields().find(|(_, value)| number(value)));
    let (label, value) = label?;
    let order = fields().filter(|(key, value)| *key != label && number(value)).last();
    Some(Fields { label, value, order: order.map(|(key, _)| key) })
}

fn is_shown(name: &str) -> bool {
    is_plain_name(name) && !is_hidden(name)
}

/// The tool to show a call of: one that only reads, if there is one.
fn tool(tools: &[ToolDecl]) -> Option<&ToolDecl> {
    let callable = || tools.iter().filter(|tool| tool.callable);
    callable().find(|tool| tool.effect == Effect::Read).or_else(|| callable().next())
}

/// A call with the arguments that the tool asks for: from the data where it has one of that name.
fn call(tool: &ToolDecl, ctx: &Value) -> String {
    let params = tool.signature.iter().flat_map(|signature| &signature.params);
    let args: Vec<String> = params
        .filter(|param| !param.is_optional())
        .map(|param| {
            let name = &param.name;
            // The name of a hidden key tells nothing of its value.
            let known = is_plain_name(name) && ctx.get(name).is_some();
            let value = if known { format!("ctx/{name}") } else { of_type(&param.ty) };
            let key = if is_plain_name(name) { format!(":{name}") } else { quoted(name) };
            format!("{key} {value}")
        })
        .collect();
    format!("(call {} {{{}}})", quoted(&tool.name), args.join(" "))
}

fn quoted(text: &str) -> String {
    sample(&Value::str(text), &PromptLimits::default()).text
}
