//! Expands the placeholders of the mission's text.
//!
//! The text is the author's, and the values are data. A value is inserted unchanged and is never
//! searched for placeholders.

use ptc_lisp::{Value, json};
use ptc_signatures::{Field, Signature, Type};

use crate::error::{Error, ErrorKind};
use crate::sample::{is_hidden, sample};
use crate::{Instruction, PromptLimits, PromptSpec};

/// Returns the paths of the placeholders in a mission, in order: `user.name` for `{{user.name}}`.
///
/// This checks agents before there is any input.
///
/// # Errors
///
/// Returns [`ErrorKind::MalformedPlaceholder`](crate::ErrorKind::MalformedPlaceholder) if a
/// placeholder is malformed.
pub fn placeholders(mission: &str) -> Result<Vec<&str>, Error> {
    let mut paths = Vec::new();
    walk_parts(
        mission,
        |_| {},
        |path| {
            paths.push(path);
            Ok(())
        },
    )?;
    Ok(paths)
}

/// Checks that every placeholder of a mission names an input of the signature, before there is any
/// input.
///
/// It returns an error for the first placeholder that is unknown or malformed.
///
/// # Errors
///
/// [`ErrorKind::UnknownPlaceholder`](crate::ErrorKind::UnknownPlaceholder) if the signature lacks an input;
/// [`ErrorKind::MalformedPlaceholder`](crate::ErrorKind::MalformedPlaceholder) and
/// [`ErrorKind::HiddenValue`](crate::ErrorKind::HiddenValue) for other faults of a placeholder.
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
        let mut parent = first;
        for step in steps {
            while let Type::Optional(inner) = ty {
                ty = inner;
            }
            ty = match ty {
                Type::Record(fields) => known(path, step, fields, &format!("`{parent}`"))?,
                Type::List(item, _) if step.parse::<usize>().is_ok() => item,
                // The parts of such a value are only known at run time.
                Type::Any | Type::Map | Type::Union(_) => break,
                other => {
                    let message = format!(
                        "the placeholder `{{{{{path}}}}}` reads `{step}` of `{parent}`, which is a {other} and has no parts"
                    );
                    return Err(Error::new(ErrorKind::UnknownPlaceholder, message));
                }
            };
            parent = step;
        }
    }
    Ok(())
}

fn known<'a>(path: &str, name: &str, fields: &'a [Field], parent: &str) -> Result<&'a Type, Error> {
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
        "the placeholder `{{{{{path}}}}}` names `{name}`, which {parent} does not have; it has {names}"
    );
    Err(Error::new(ErrorKind::UnknownPlaceholder, message))
}

/// Replaces the placeholders of a mission with the values of its input, cut to the limits of the
/// prompt.
///
/// # Errors
///
/// The kinds of [`check_placeholders`]: a placeholder is malformed, or names what the input lacks.
pub fn expand(spec: &PromptSpec<'_>) -> Result<String, Error> {
    expand_with(spec, |value| {
        Ok(match value {
            // An input of 20 is a float where its type says so, and prose says 20.
            Value::Float(it) if it.fract() == 0.0 && it.abs() < WHOLE => format!("{it:.0}"),
            _ => shown(value, &spec.limits),
        })
    })
}

/// The bound of the floats that a mission shows as whole numbers. Larger ones have an exponent.
const WHOLE: f64 = 1e7;

/// Returns the texts of the author's instructions that are on, in their order, with the values of the input.
pub(crate) fn instructions(spec: &PromptSpec<'_>) -> Result<Vec<String>, Error> {
    let mut shown: Vec<&Instruction> = spec.instructions.iter().filter(|it| it.is_on).collect();
    shown.sort_by_key(|it| it.order);
    shown.into_iter().map(|it| expand(&PromptSpec { mission: &it.text, ..*spec })).collect()
}

/// Replaces the placeholders of a mission with the values of its input, as `show` renders them. An
/// absent value that the signature allows to be absent becomes nothing.
pub(crate) fn expand_with(
    spec: &PromptSpec<'_>,
    show: impl Fn(&Value) -> Result<String, Error>,
) -> Result<String, Error> {
    let mission = spec.mission.trim();
    let out = std::cell::RefCell::new(String::with_capacity(mission.len()));
    walk_parts(
        mission,
        |text| out.borrow_mut().push_str(text),
        |path| {
            if let Some(value) = lookup(path, spec.ctx, spec.signature)? {
                let value = show(value)?;
                out.borrow_mut().push_str(&value);
            }
            Ok(())
        },
    )?;
    Ok(out.into_inner())
}

/// Walks over a mission, and passes on its plain text and the paths of its placeholders.
fn walk_parts<'a>(
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

/// Returns the value at a path, or `None` if it is absent and the signature allows that.
fn lookup<'a>(
    path: &str,
    ctx: &'a Value,
    signature: Option<&Signature>,
) -> Result<Option<&'a Value>, Error> {
    if let Some(step) = path.split('.').find(|step| is_hidden(step)) {
        let message = format!(
            "the placeholder `{{{{{path}}}}}` names `{step}`, which is hidden from the model"
        );
        return Err(Error::new(ErrorKind::HiddenValue, message));
    }
    let mut value = ctx;
    let mut walked = String::from("the input");
    for (at, step) in path.split('.').enumerate() {
        let next = match step.parse::<usize>() {
            Ok(index) if value.as_map().is_none() => {
                value.items().and_then(|mut items| items.nth(index))
            }
            _ => value.get(step),
        };
        value = match next {
            None | Some(Value::Nil) => {
                if signature.is_some_and(|signature| may_be_absent(signature, path, at)) {
                    return Ok(None);
                }
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
    Ok(Some(value))
}

/// Returns whether a signature allows the value to be absent that the steps of a path up to `last`
/// lead to.
fn may_be_absent(signature: &Signature, path: &str, last: usize) -> bool {
    fn field<'a>(fields: &'a [Field], name: &str) -> Option<&'a Type> {
        fields.iter().find(|it| it.name == name).map(|it| &it.ty)
    }
    let mut steps = path.split('.').take(last + 1);
    let first = steps.next().and_then(|name| field(&signature.params, name));
    let found = first.and_then(|first| {
        steps.try_fold(first, |mut ty, step| {
            while let Type::Optional(inner) = ty {
                ty = inner;
            }
            match ty {
                Type::Record(fields) => field(fields, step),
                Type::List(item, _) if step.parse::<usize>().is_ok() => Some(&**item),
                _ => None,
            }
        })
    });
    found.is_some_and(Type::is_optional)
}

fn shown(value: &Value, limits: &PromptLimits) -> String {
    if let Some(text) = value.name() {
        return text.to_owned();
    }
    // The digits, as `(str n)` prints them.
    if let Value::Big(_) = value
        && let Ok(digits) = json::write(value)
    {
        return digits;
    }
    let sample = sample(value, limits);
    if sample.cut { format!("{} {}", sample.text, sample.size) } else { sample.text }
}
