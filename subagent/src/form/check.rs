//! Checks answers by their forms.

use std::collections::BTreeSet;

use ptc_lisp::json;
use ptc_signatures::{Enforced, SignatureMode, Type};

use super::fields::{Form, FormField, FormProblem, label_of};
use crate::data::Data;

type Problems = Vec<FormProblem>;

/// The maximum size of an answer, in bytes of JSON: that of a tool's result. A larger one could end the run that asks.
const MAX_ANSWER: usize = 1 << 20;

/// Checks the answer to a form. Returns it with defaults, and with values in their types.
pub(super) fn answer(form: &Form, answer: Data) -> Result<Data, Problems> {
    if !json::size(answer.value(), MAX_ANSWER).is_ok_and(|size| size <= MAX_ANSWER) {
        let message = format!("an answer has at most {MAX_ANSWER} bytes of JSON");
        return Err(vec![FormProblem::new(None, message)]);
    }
    let given = match (answer.is_object(), form.fields.as_slice()) {
        (true, [only]) if form.is_bare && answer.get(&only.id).is_none() => {
            Data::object([(only.id.clone(), answer)])
        }
        (true, _) => answer,
        (false, [only]) => Data::object([(only.id.clone(), answer)]),
        _ => return Err(vec![FormProblem::new(None, "the answer is an object of values")]),
    };
    let (mut values, mut problems) = (Vec::new(), Vec::new());
    for field in &form.fields {
        match given.get(&field.id).filter(|it| !is_empty(it)) {
            Some(value) => match self::value(field, value) {
                Ok(value) => values.push((field.id.clone(), value)),
                Err(found) => problems.extend(found),
            },
            None => match &field.default {
                Some(default) => values.push((field.id.clone(), default.into())),
                None if field.is_required => {
                    problems.push(FormProblem::new(Some(&field.id), "an answer is required"));
                }
                None => {}
            },
        }
    }
    let known: BTreeSet<&str> = form.fields.iter().map(|it| it.id.as_str()).collect();
    for (id, _) in given.fields().filter(|(id, _)| !known.contains(id.as_str())) {
        problems.push(FormProblem::new(Some(&id), "the form has no such field"));
    }
    if !problems.is_empty() {
        return Err(problems);
    }
    let only = values.pop_if(|_| form.is_bare && form.fields.len() == 1);
    match only {
        Some((_, value)) => Ok(value),
        None if form.is_bare && form.fields.len() == 1 => Ok(Data::default()),
        None => Ok(Data::object(values)),
    }
}

/// Returns whether a value leaves a field empty: null, or a blank text.
fn is_empty(value: &Data) -> bool {
    value.is_null() || value.as_str().is_some_and(|text| text.trim().is_empty())
}

/// Checks the value of a field. Returns it in its type.
pub(super) fn value(field: &FormField, value: Data) -> Result<Data, Problems> {
    let value = match (&field.ty, value.as_str()) {
        (Type::Bool, Some("yes" | "y")) => serde_json::Value::Bool(true).into(),
        (Type::Bool, Some("no" | "n")) => serde_json::Value::Bool(false).into(),
        _ => value,
    };
    let enforced = field.ty.enforce(value.into_value(), SignatureMode::Coerce);
    let Enforced { value, mismatches, .. } = enforced;
    let value = Data::made(value);
    let problem = |message: String| FormProblem::new(Some(&field.id), message);
    if !mismatches.is_empty() {
        return Err(mismatches.iter().map(|it| problem(it.to_string())).collect());
    }
    if let Some(other) = other_choice(field, &value) {
        let all: Vec<String> =
            field.choices.iter().take(MAX_NAMED).map(|it| label_of(&it.value)).collect();
        let more = if field.choices.len() > MAX_NAMED { ", …" } else { "" };
        let message = format!("{other} is not one of {}{more}", all.join(", "));
        return Err(vec![problem(message)]);
    }
    let refused = field.control.zip(value.as_str()).and_then(|(it, text)| it.refuses(text));
    match refused {
        Some(expected) => Err(vec![problem(format!("expected {expected}"))]),
        None => Ok(value),
    }
}

/// The most choices that a message names.
const MAX_NAMED: usize = 20;

/// Returns the first value that is none of the choices. A form without choices takes every value.
fn other_choice(field: &FormField, value: &Data) -> Option<Data> {
    if field.choices.is_empty() {
        return None;
    }
    let items = value.items();
    let is_other = |it: &Data| !is_choice(field, it);
    match items {
        Some(mut items) => items.find(is_other),
        None => Some(value.clone()).filter(is_other),
    }
}

fn is_choice(field: &FormField, value: &Data) -> bool {
    // No choice is an integer past 64 bits.
    let Ok(value) = value.to_json() else { return false };
    field.choices.iter().any(|it| match (it.value.as_f64(), value.as_f64()) {
        (Some(one), Some(other)) => one.total_cmp(&other).is_eq(),
        _ => it.value == value,
    })
}
