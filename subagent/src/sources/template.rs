//! Templates in the arguments and parameters of sources: `{{context.tenant}}`, `{{input.region}}`.
//!
//! A value is filled in as a value, into data: nothing of it is ever read as a part of a query or of a template.

use ptc_lisp::{Value, json};
use serde_json::Value as Json;

/// The roots of the paths of templates.
const ROOTS: [&str; 2] = ["context", "input"];

/// Returns data with its templates filled. A text that is one template alone becomes the value itself; in a longer text,
/// each template becomes a text, number or boolean. It recurs at most as deep as an agent file nests.
///
/// # Errors
///
/// The first template that is wrong or has no value, in words without the value.
pub(crate) fn filled<'v>(
    data: &Json,
    find: &dyn Fn(&str, &str) -> Option<&'v Value>,
) -> Result<Value, String> {
    Ok(match data {
        Json::String(text) => filled_text(text, find)?,
        Json::Array(items) => {
            let items: Result<_, _> = items.iter().map(|item| filled(item, find)).collect();
            Value::vector(items?)
        }
        Json::Object(map) => {
            let rows = map.iter().map(|(key, item)| Ok((Value::str(key), filled(item, find)?)));
            Value::map(rows.collect::<Result<Vec<_>, String>>()?)
        }
        plain => json::from_serde(plain),
    })
}

/// Checks the templates in data.
///
/// # Errors
///
/// The first template that is wrong, in words.
pub(super) fn checked(data: &Json) -> Result<(), String> {
    // Every template has a value that fits.
    filled(data, &|_, _| Some(&Value::Bool(true))).map(drop)
}

fn filled_text<'v>(
    text: &str,
    find: &dyn Fn(&str, &str) -> Option<&'v Value>,
) -> Result<Value, String> {
    let mut out = String::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once("{{") {
        let Some((inside, after)) = after.split_once("}}") else {
            return Err(format!("`{text}` has a `{{{{` without `}}}}`"));
        };
        let path = inside.trim();
        let value = value_of(path, find)?;
        if before.is_empty() && after.is_empty() && out.is_empty() {
            return Ok(value.clone());
        }
        out.push_str(before);
        match value {
            Value::Str(text) => out.push_str(text),
            Value::Map(_) | Value::Vector(_) => {
                return Err(format!("`{{{{{path}}}}}` is no text, number or boolean"));
            }
            other => out.push_str(&json::write(other).unwrap_or_default()),
        }
        rest = after;
    }
    out.push_str(rest);
    Ok(Value::str(out))
}

fn value_of<'v>(
    path: &str,
    find: &dyn Fn(&str, &str) -> Option<&'v Value>,
) -> Result<&'v Value, String> {
    let (root, rest) = path.split_once('.').unwrap_or((path, ""));
    if !ROOTS.contains(&root) || rest.split('.').any(|key| key.trim() != key || key.is_empty()) {
        return Err(format!("`{{{{{path}}}}}` must begin with `context.` or `input.`"));
    }
    let found = find(root, rest).filter(|it| !it.is_nil());
    found.ok_or_else(|| format!("`{{{{{path}}}}}` has no value"))
}
