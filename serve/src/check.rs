//! The check of a request against its route: no unknown parts, and each of its type.

use ptc_subagent::Data;
use serde_json::Value;

use crate::problem::Problem;
use crate::request::wrong;
use crate::route::{Field, Type};

/// Reads the parameters of a query.
///
/// # Errors
///
/// The problem of a parameter that the route does not have, or has twice.
pub(crate) fn query(
    fields: &[Field],
    query: Option<&str>,
) -> Result<Vec<(String, String)>, Problem> {
    let mut all: Vec<(String, String)> = Vec::new();
    for (name, value) in form_urlencoded::parse(query.unwrap_or_default().as_bytes()) {
        if !fields.iter().any(|it| it.name == name) {
            return Err(unknown("the query", &name, fields));
        }
        if all.iter().any(|(it, _)| *it == name) {
            return Err(Problem::malformed(format!("the query has `{name}` twice")));
        }
        all.push((name.into_owned(), value.into_owned()));
    }
    Ok(all)
}

/// Checks a body.
///
/// # Errors
///
/// The problem of a key that is unknown, missing or of another type.
pub(crate) fn body(fields: &[Field], body: &Data) -> Result<(), Problem> {
    for (key, value) in body.fields() {
        let Some(field) = fields.iter().find(|it| it.name == key) else {
            return Err(unknown("the body", &key, fields));
        };
        // A null is an absent key, but it may be an answer.
        if !value.is_null() && !field.ty.has(&value) {
            return Err(wrong(&key, &field.ty.in_words(), &value));
        }
    }
    let is_absent = |it: &&Field| body.get(it.name).is_none_or(|it| it.is_null());
    match fields.iter().filter(|it| it.is_required).find(is_absent) {
        Some(missing) => Err(Problem::malformed(format!("`{}` is missing", missing.name))),
        None => Ok(()),
    }
}

fn unknown(place: &str, name: &str, fields: &[Field]) -> Problem {
    const SHOWN: usize = 60;
    let name: String = name.chars().take(SHOWN).collect();
    let known: Vec<&str> = fields.iter().map(|it| it.name).collect();
    let problem = Problem::malformed(format!("{place} has the unknown name `{name}`"));
    if known.is_empty() {
        return problem.with_help(format!("{place} of this path has no names"));
    }
    problem.with_help(format!("it can have {}", known.join(", ")))
}

impl Type {
    fn has(self, value: &Data) -> bool {
        match self {
            Type::Text => value.as_str().is_some(),
            Type::Whole(most) => {
                let number = value.to_json().ok().as_ref().and_then(Value::as_u64);
                number.is_some_and(|it| it <= most)
            }
            Type::Flag => value.as_bool().is_some(),
            Type::Object => value.is_object(),
            Type::Texts => value.items().is_some_and(|mut all| all.all(|it| it.as_str().is_some())),
            Type::Objects => {
                value.is_object()
                    || value.items().is_some_and(|mut all| all.all(|it| it.is_object()))
            }
            Type::Any => true,
        }
    }

    fn in_words(self) -> String {
        match self {
            Type::Text => "a string".to_string(),
            Type::Whole(most) => format!("a whole number from 0 to {most}"),
            Type::Flag => "true or false".to_string(),
            Type::Object => "an object".to_string(),
            Type::Texts => "a list of strings".to_string(),
            Type::Objects => "an object, or a list of objects".to_string(),
            Type::Any => "any value".to_string(),
        }
    }
}
