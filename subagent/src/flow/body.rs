//! The work of a step: the call of its tool, its repetition, and what becomes of the result.

use ptc_prompt::expressions::{Condition, Expressions, Names, TEXT, Writing, condition, literal};
use serde_json::Value as Json;

use super::fault::FlowFault;
use super::file::{EachFile, OnError, WhileFile};
use super::output::{outputs, target_of};
use super::places::marked;
use super::scope::{FlowScope, Need, Needs};
use super::steps::{Repeated, Step, StepKind, span};

/// The fields of a prompt's reply that say how the flow goes on. They are not merged into the payload.
pub(super) const CONTROL: [&str; 4] = ["nextStepName", "terminate", "nextStep", "taskComplete"];

/// Returns the forms that do the work of a step.
pub(super) fn body(
    step: &Step<'_>,
    scope: &FlowScope<'_>,
    needs: &mut Needs,
) -> Result<String, FlowFault> {
    let repeated = match step.repeated {
        Repeated::Once => None,
        Repeated::Each(each) => {
            Some((each.item.as_deref(), Some(each.index.as_deref().unwrap_or("index"))))
        }
        Repeated::While(repeated) => Some((repeated.item.as_deref().or(Some("attempt")), None)),
    };
    let names = Names {
        item: repeated.map(|(item, _)| item.unwrap_or("item")),
        index: repeated.and_then(|(_, index)| index),
        has_payload: scope.has_payload,
        others: &scope.names,
        writing: Writing::Program,
    };
    let mut expressions = Expressions::new(names);
    let mut forms = set_before(step, scope, &mut expressions)?;
    let call = call(step, &mut expressions)?;
    needs.add(Need::Text, expressions.joins_texts);
    for form in forms.iter().chain([&call]) {
        needs.reads(form);
    }
    forms.push(finished(step, call, scope, needs)?);
    let work = forms.join("\n");
    match step.repeated {
        Repeated::Once => Ok(work),
        Repeated::Each(each) => each_item(step, each, &work, &expressions, names),
        Repeated::While(repeated) => while_it_holds(repeated, &work, scope, needs),
    }
}

/// Returns the call of the tool of a step.
fn call(step: &Step<'_>, expressions: &mut Expressions<'_>) -> Result<String, FlowFault> {
    let name = &step.tool.name;
    let Some(input) = &step.file.input else {
        return Ok(match step.kind {
            StepKind::Action => call_of(name, "{}"),
            // The inputs are those of the signature, from the payload.
            StepKind::Prompt | StepKind::Agent => format!("(flow/sequence [{}])", literal(name)),
        });
    };
    if !input.get_ref().is_table() {
        let message = format!("the input of step `{}` is no table", step.name());
        return Err(FlowFault::new(input.span(), message));
    }
    let args = mapped(input, expressions)?;
    Ok(marked(&call_of(name, &args), &input.span()))
}

/// Returns the forms that write values before the call.
fn set_before(
    step: &Step<'_>,
    scope: &FlowScope<'_>,
    expressions: &mut Expressions<'_>,
) -> Result<Vec<String>, FlowFault> {
    let mut forms = Vec::new();
    for (target, value) in &step.file.set {
        let source = mapped(value, expressions)?;
        forms.push(marked(&target_of(target, &source, scope.has_payload)?, &target.span()));
    }
    Ok(forms)
}

fn call_of(name: &str, args: &str) -> String {
    let is_part = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '-';
    if name.chars().all(is_part) {
        format!("(tool/{name} {args})")
    } else {
        format!("(call {} {args})", literal(name))
    }
}

/// Returns the expression of a mapping: texts that are references name values.
pub(super) fn mapped(
    mapping: &toml::Spanned<toml::Value>,
    expressions: &mut Expressions<'_>,
) -> Result<String, FlowFault> {
    let source = expressions.checked(&json(mapping.get_ref()));
    source.map_err(|why| FlowFault::new(span(mapping), why))
}

/// Returns a value of the file as JSON. Dates are texts.
fn json(value: &toml::Value) -> Json {
    match value {
        toml::Value::String(text) => Json::String(text.clone()),
        toml::Value::Integer(number) => Json::from(*number),
        toml::Value::Float(number) => Json::from(*number),
        toml::Value::Boolean(is) => Json::Bool(*is),
        toml::Value::Datetime(when) => Json::String(when.to_string()),
        toml::Value::Array(items) => items.iter().map(json).collect(),
        toml::Value::Table(fields) => {
            Json::Object(fields.iter().map(|(key, it)| (key.clone(), json(it))).collect())
        }
    }
}

/// Returns a call with what becomes of its result.
fn finished(
    step: &Step<'_>,
    call: String,
    scope: &FlowScope<'_>,
    needs: &mut Needs,
) -> Result<String, FlowFault> {
    let mut outputs = outputs(step, scope.has_payload)?;
    needs.add(Need::Output, outputs.finds);
    let is_prompt = step.kind == StepKind::Prompt;
    for field in ["message", "reasoning", "confidence"] {
        if is_prompt && step.gives().is_some() && step.may_give(field) {
            let line = format!(
                "(when (and (map? result) (some? (:{field} result)))\n  (flow/report {{:{field} (:{field} result)}}))"
            );
            outputs.lines.push(line);
        }
    }
    let merges = is_prompt && scope.has_payload && step.file.output.is_empty() && step.may_be_map();
    let call = if merges {
        needs.add(Need::Merge, true);
        let has_control = CONTROL.iter().any(|field| step.may_give(field));
        needs.add(Need::MergeWithoutControl, has_control);
        format!("(merge-in {call})")
    } else {
        call
    };
    if outputs.lines.is_empty() {
        return Ok(call);
    }
    let lines = outputs.lines.iter().map(|line| indented(line, 2));
    let lines: Vec<String> = lines.collect();
    Ok(format!("(let [result {}]\n  {}\n  result)", indented(&call, 13), lines.join("\n  ")))
}

fn each_item(
    step: &Step<'_>,
    each: &EachFile,
    work: &str,
    expressions: &Expressions<'_>,
    names: Names<'_>,
) -> Result<String, FlowFault> {
    let Some(items) = names.collection(each.over.get_ref()) else {
        let message = format!("`{}` is not a path of a list", each.over.get_ref());
        return Err(FlowFault::new(each.over.span(), message)
            .with_help("write a path such as \"payload.customers\""));
    };
    let items = marked(&items, &each.over.span());
    let at_once = each.at_once.unwrap_or(1).max(1);
    let delay = each.delay.filter(|it| *it > 0.0).map(milliseconds);
    let is_counted = expressions.reads_index || delay.is_some();
    let (items, item) = if is_counted {
        (format!("(map-indexed vector {items})"), "[[index item]]")
    } else {
        (items, "[item]")
    };
    let work = match delay {
        Some(ms) => {
            format!("(when (>= index {at_once}) (flow/wait {ms}))\n{work}")
        }
        None => work.to_owned(),
    };
    let options = [
        (at_once > 1).then(|| format!(":at-once {at_once}")),
        (each.on_error == OnError::Continue).then(|| ":on-error :continue".to_owned()),
        each.max.filter(|max| *max > 0).map(|max| format!(":max {max}")),
    ];
    let options: Vec<String> = options.into_iter().flatten().collect();
    let options =
        if options.is_empty() { String::new() } else { format!("\n  {{{}}}", options.join(" ")) };
    let missing = format!("`{}` of step `{}` is no list", each.over.get_ref().trim(), step.name());
    Ok(format!(
        "(flow/each (let [items {items}] (if (sequential? items) items (throw (ex-info {} {{}}))))\n  (fn {item}\n    {}){options})",
        literal(&missing),
        indented(&work, 4)
    ))
}

/// The most rounds of a loop that does not say it.
const ROUNDS: u32 = 100;

fn while_it_holds(
    repeated: &WhileFile,
    work: &str,
    scope: &FlowScope<'_>,
    needs: &mut Needs,
) -> Result<String, FlowFault> {
    let given = &repeated.condition;
    let Condition { source, helpers, .. } =
        condition(given.get_ref(), &scope.condition_names(false), Writing::Program).map_err(
            |why| FlowFault::new(given.span(), format!("the condition cannot be read: {why}")),
        )?;
    needs.reads(&source);
    needs.helpers.extend(helpers);
    let most = repeated.max.filter(|max| *max > 0).unwrap_or(ROUNDS);
    let every = repeated.delay.filter(|it| *it > 0.0).map(milliseconds);
    let every = every.map(|ms| format!(" :every {ms}")).unwrap_or_default();
    let source = marked(&source, &given.span());
    Ok(format!(
        "(flow/poll\n  (fn [attempt]\n    (let [item {{:attemptNumber attempt :totalAttempts (dec attempt)}}]\n      {}))\n  (fn [_] (not {source}))\n  {{:check :before :max {most}{every}}})",
        indented(work, 6)
    ))
}

#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "the file has been checked"
)]
fn milliseconds(seconds: f64) -> u64 {
    (seconds * 1_000.0).round() as u64
}

/// Indents all lines behind the first.
pub(super) fn indented(text: &str, by: usize) -> String {
    text.replace('\n', &format!("\n{}", " ".repeat(by)))
}

/// The definition of the function that gives a value as a part of a text.
pub(super) fn text_definition() -> String {
    format!("(def {TEXT})")
}
