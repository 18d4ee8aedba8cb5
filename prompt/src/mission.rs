//! The mission's text with its placeholders expanded.
//!
//! The text is the author's and its values are data: a value is put in as it is and is never looked at
//! for placeholders again.

use ptc_lisp::Value;
use ptc_signatures::{Field, Signature, Type};

use crate::PromptLimits;
use crate::error::{Error, ErrorKind};
use crate::sample::{is_hidden, sample};

/// The paths of a mission's placeholders, in order: `user.name` for `{{user.name}}`.
///
/// An agent is checked with it before there is any input.
pub fn placeholders(mission: &str) -> Result<Vec<&str>, Error> {
    let mut paths = Vec::new();
    each(
        mission,
        |_| {},
        |path| {
            paths.push(path);
            Ok(())
        },
    )?;
    Ok(paths)
}

/// Says whether every placeholder of a mission names an input that the signature has, before there is any.
///
/// It fails at the first one that does not, and at one that is not written as a placeholder.
///
/// ```
/// use ptc_prompt::check_placeholders;
///
/// let signature = "(user {name :string}) -> :string".parse()?;
/// assert!(check_placeholders("Greet {{user.name}}.", &signature).is_ok());
/// let error = check_placeholders("Greet {{user.nmae}}.", &signature).unwrap_err();
/// assert_eq!(
///     error.to_string(),
///     "the placeholder `{{user.nmae}}` names `nmae`, which `user` does not have; it has `name`"
/// );
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn check_placeholders(mission: &str, signature: &Signature) -> Result<(), Error> {
    for path in placeholders(mission)? {
        let mut steps = path.split('.');
        let first = steps.next().unwrap_or_default();
        let mut ty = known(path, first, &signature.params, "the signature")?;
        let mut of = first;
        for step in steps {
            while let Type::Optional(inner) = ty {
                ty = inner;
            }
            ty = match ty {
                Type::Record(fields) => known(path, step, fields, &format!("`{of}`"))?,
                Type::List(item, _) if step.parse::<usize>().is_ok() => item,
                // What is in there is known when the input is.
                Type::Any | Type::Map | Type::Union(_) => break,
                other => {
                    let message = format!(
                        "the placeholder `{{{{{path}}}}}` reads `{step}` of `{of}`, which is a {other} and has no parts"
                    );
                    return Err(Error::new(ErrorKind::UnknownPlaceholder, message));
                }
            };
            of = step;
        }
    }
    Ok(())
}

fn known<'a>(path: &str, name: &str, fields: &'a [Field], of: &str) -> Result<&'a Type, Error> {
    if let Some(field) = fields.iter().find(|field| field.name == name) {
        return Ok(&field.ty);
    }
    let names: Vec<String> = fields
        .iter()
        .filter(|field| !is_hidden(&field.name))
        .map(|field| format!("`{}`", field.name))
        .collect();
    let names = if names.is_empty() { "nothing".to_owned() } else { names.join(", ") };
    let message = format!(
        "the placeholder `{{{{{path}}}}}` names `{name}`, which {of} does not have; it has {names}"
    );
    Err(Error::new(ErrorKind::UnknownPlaceholder, message))
}

/// Puts the input's values in the place of the placeholders, as much of them as a prompt shows.
pub(crate) fn expand(mission: &str, ctx: &Value, limits: &PromptLimits) -> Result<String, Error> {
    expand_with(mission, ctx, |value| Ok(shown(value, limits)))
}

/// Puts the input's values in the place of the placeholders, as `show` gives them.
pub(crate) fn expand_with(
    mission: &str,
    ctx: &Value,
    show: impl Fn(&Value) -> Result<String, Error>,
) -> Result<String, Error> {
    let out = std::cell::RefCell::new(String::with_capacity(mission.len()));
    each(
        mission,
        |text| out.borrow_mut().push_str(text),
        |path| {
            let value = show(lookup(path, ctx)?)?;
            out.borrow_mut().push_str(&value);
            Ok(())
        },
    )?;
    Ok(out.into_inner())
}

/// Walks over a mission: its plain text and the paths of its placeholders.
fn each<'a>(
    mission: &'a str,
    mut text: impl FnMut(&'a str),
    mut path: impl FnMut(&'a str) -> Result<(), Error>,
) -> Result<(), Error> {
    let mut rest = mission;
    while let Some((before, after)) = rest.split_once("{{") {
        text(before);
        let Some((inner, after)) = after.split_once("}}") else {
            let begin: String = after.chars().take(40).collect();
            return Err(malformed(&format!("the placeholder `{{{{{begin}` has no closing `}}}}`")));
        };
        let name = inner.trim();
        let wrong = |c: char| c.is_whitespace() || c.is_control() || "{}|()\"'`".contains(c);
        if name.contains(wrong) || name.split('.').any(str::is_empty) {
            return Err(malformed(&format!(
                "the placeholder `{{{{{inner}}}}}` is not a path like `{{{{user.name}}}}`"
            )));
        }
        path(name)?;
        rest = after;
    }
    text(rest);
    Ok(())
}

fn malformed(message: &str) -> Error {
    Error::new(ErrorKind::MalformedPlaceholder, message)
}

fn lookup<'a>(path: &str, ctx: &'a Value) -> Result<&'a Value, Error> {
    let mut value = ctx;
    let mut walked = String::from("the input");
    for step in path.split('.') {
        if is_hidden(step) {
            let message = format!(
                "the placeholder `{{{{{path}}}}}` names `{step}`, which is hidden from the model"
            );
            return Err(Error::new(ErrorKind::HiddenValue, message));
        }
        let next = match step.parse::<usize>() {
            Ok(index) if value.as_map().is_none() => {
                value.items().and_then(|mut items| items.nth(index))
            }
            _ => value.get(step),
        };
        value = match next {
            None | Some(Value::Nil) => {
                let lack = if next.is_some() { "is nil" } else { "is missing" };
                let message = format!(
                    "the placeholder `{{{{{path}}}}}` has no value: `{step}` {lack} in {walked}"
                );
                return Err(Error::new(ErrorKind::MissingValue, message));
            }
            Some(next) => next,
        };
        walked = format!("`{step}`");
    }
    Ok(value)
}

fn shown(value: &Value, limits: &PromptLimits) -> String {
    if let Some(text) = value.name() {
        return text.to_owned();
    }
    let sample = sample(value, limits);
    if sample.cut { format!("{} {}", sample.text, sample.size) } else { sample.text }
}
