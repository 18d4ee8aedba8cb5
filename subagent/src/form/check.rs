//! Checks answers by their forms.

use ptc_signatures::{Enforced, SignatureMode, Type};
use serde_json::{Map, Value};

use super::{Form, FormField, FormProblem, label_of};

type Problems = Vec<FormProblem>;

/// The maximum size of an answer, in bytes of JSON: that of a tool's result. A larger one could end the run that asks.
const MAX_ANSWER: usize = 1 << 20;

/// Checks the answer to a form. Returns it with defaults, and with values in their types.
pub(super) fn answer(form: &Form, answer: Value) -> Result<Value, Problems> {
    if is_too_large(&answer) {
        let message = format!("an answer has at most {MAX_ANSWER} bytes of JSON");
        return Err(vec![FormProblem::new(None, message)]);
    }
    let mut given = match (answer, form.fields.as_slice()) {
        (Value::Object(given), [only]) if form.is_bare && !given.contains_key(&only.id) => {
            Map::from_iter([(only.id.clone(), Value::Object(given))])
        }
        (Value::Object(given), _) => given,
        (value, [only]) => Map::from_iter([(only.id.clone(), value)]),
        _ => return Err(vec![FormProblem::new(None, "the answer is an object of values")]),
    };
    let (mut values, mut problems) = (Map::new(), Vec::new());
    for field in &form.fields {
        match given.remove(&field.id).filter(|it| !is_empty(it)) {
            Some(value) => match self::value(field, value) {
                Ok(value) => drop(values.insert(field.id.clone(), value)),
                Err(found) => problems.extend(found),
            },
            None => match &field.default {
                Some(default) => drop(values.insert(field.id.clone(), default.clone())),
                None if field.is_required => {
                    problems.push(FormProblem::new(Some(&field.id), "an answer is required"));
                }
                None => {}
            },
        }
    }
    for id in given.keys() {
        problems.push(FormProblem::new(Some(id), "the form has no such field"));
    }
    if !problems.is_empty() {
        return Err(problems);
    }
    match form.fields.as_slice() {
        [only] if form.is_bare => Ok(values.remove(&only.id).unwrap_or_default()),
        _ => Ok(Value::Object(values)),
    }
}

/// Returns whether an answer is too large. Its text is not made.
fn is_too_large(answer: &Value) -> bool {
    struct Room(usize);
    impl std::io::Write for Room {
        fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
            self.0 = self.0.checked_sub(bytes.len()).ok_or(std::io::ErrorKind::FileTooLarge)?;
            Ok(bytes.len())
        }

        fn flush(&mut self) -> std::io::Result<()> {
            Ok(())
        }
    }
    serde_json::to_writer(Room(MAX_ANSWER), answer).is_err()
}

/// Returns whether a value leaves a field empty: null, or a blank text.
fn is_empty(value: &Value) -> bool {
    value.is_null() || value.as_str().is_some_and(|text| text.trim().is_empty())
}

/// Checks the value of a field. Returns it in its type.
pub(super) fn value(field: &FormField, value: Value) -> Result<Value, Problems> {
    let value = match (&field.ty, value) {
        (Type::Bool, Value::String(text)) => match text.as_str() {
            "yes" | "y" => Value::Bool(true),
            "no" | "n" => Value::Bool(false),
            _ => Value::String(text),
        },
        (_, value) => value,
    };
    let Enforced { value, mismatches, .. } = field.ty.enforce(value, SignatureMode::Coerce);
    let problem = |message: String| FormProblem::new(Some(&field.id), message);
    if !mismatches.is_empty() {
        return Err(mismatches.iter().map(|it| problem(it.to_string())).collect());
    }
    let values = match &value {
        Value::Array(items) => items.as_slice(),
        value => std::slice::from_ref(value),
    };
    if !field.choices.is_empty()
        && let Some(other) = values.iter().find(|it| !is_choice(field, it))
    {
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

fn is_choice(field: &FormField, value: &Value) -> bool {
    field.choices.iter().any(|it| match (it.value.as_f64(), value.as_f64()) {
        (Some(one), Some(other)) => one.total_cmp(&other).is_eq(),
        _ => it.value == *value,
    })
}
