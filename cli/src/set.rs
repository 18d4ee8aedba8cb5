//! `--set key=value`: parts of an input on the command line.

use ptc_lisp::{Value, json};
use ptc_signatures::{Field, Signature, Type};
use ptc_subagent::Data;

use crate::report::{Fault, Result};

/// Sets each `key=value` in the input, in order. `a.b=1` sets `b` in the object under `a`.
pub(crate) fn apply(
    input: Data,
    settings: &[String],
    signature: Option<&Signature>,
) -> Result<Data> {
    if settings.is_empty() {
        return Ok(input);
    }
    let mut input = input.value().clone();
    for setting in settings {
        let Some((path, text)) = setting.split_once('=') else {
            return Err(Fault::new("usage", format!("`--set {setting}` has no `=`"))
                .with_help("write `--set KEY=VALUE`, such as `--set limit=10`"));
        };
        let keys: Vec<&str> = path.split('.').collect();
        if keys.iter().any(|key| key.is_empty()) {
            return Err(Fault::new("usage", format!("`--set {setting}` names no key"))
                .with_help("write `--set KEY=VALUE`, or `--set OUTER.INNER=VALUE`"));
        }
        if let Some(signature) = signature {
            check(setting, &keys, signature)?;
        }
        let ty = signature.and_then(|it| type_of(&it.params, &keys));
        let value = value(text, ty);
        input = put(&input, &keys, value).map_err(|key| {
            let message =
                format!("`--set {setting}`: `{key}` is not an object, so it cannot have keys");
            Fault::new("usage", message)
        })?;
    }
    Ok(Data::of(&input).map_err(|error| error.within("the input with `--set`"))?)
}

/// Fails if the signature does not have a path.
fn check(setting: &str, keys: &[&str], signature: &Signature) -> Result<()> {
    // An empty input has no value that could block the path.
    let Ok(alone) = put(&Value::Nil, keys, Value::Nil) else { return Ok(()) };
    let Some(unknown) = signature.unknown_keys(&alone).into_iter().next() else { return Ok(()) };
    let message = format!("`--set {setting}`: the signature has no `{}`", unknown.path);
    let help = match &unknown.near {
        Some(near) => {
            let before = unknown.path.0.len() - 1;
            let meant = keys.iter().enumerate();
            let meant = meant.map(|(at, key)| if at == before { near.as_str() } else { key });
            format!("did you mean `{}`?", meant.collect::<Vec<_>>().join("."))
        }
        None => unknown.help(),
    };
    Err(Fault::new("usage", message).with_help(help))
}

/// Parses a typed value: as JSON if it is JSON, unless the signature asks for text at its path.
fn value(text: &str, ty: Option<&Type>) -> Value {
    let parsed = if ty.is_some_and(is_text) { None } else { json::parse(text).ok() };
    parsed.unwrap_or_else(|| Value::str(text))
}

/// Returns whether all values of a type are text in JSON.
fn is_text(ty: &Type) -> bool {
    match ty {
        Type::String(_) | Type::Keyword | Type::Datetime | Type::Enum(_) => true,
        Type::Optional(inner) => is_text(inner),
        Type::Union(members) => members.iter().all(is_text),
        _ => false,
    }
}

/// Returns the type of the fields at a path of keys.
fn type_of<'a>(fields: &'a [Field], keys: &[&str]) -> Option<&'a Type> {
    let (first, rest) = keys.split_first()?;
    let mut ty = &fields.iter().find(|field| field.name == *first)?.ty;
    while let Type::Optional(inner) = ty {
        ty = inner;
    }
    match ty {
        _ if rest.is_empty() => Some(ty),
        Type::Record(fields) => type_of(fields, rest),
        _ => None,
    }
}

/// Returns the input with a value at a path. The error is the path of a value in between that is not an object.
fn put(input: &Value, keys: &[&str], value: Value) -> std::result::Result<Value, String> {
    // The objects along the path, from the outermost; `None` for a missing one.
    let mut objects = Vec::new();
    let mut place = Some(input);
    for depth in 0..keys.len() {
        let object = match place {
            None | Some(Value::Nil) => None,
            Some(Value::Map(object)) => Some(object),
            Some(_) => {
                let before = keys.get(..depth).unwrap_or_default().join(".");
                return Err(if before.is_empty() { "the input".to_owned() } else { before });
            }
        };
        place = keys.get(depth).and_then(|key| place?.get(key));
        objects.push(object);
    }
    Ok(keys.iter().zip(objects).rfold(value, |inner, (key, object)| {
        let rows = object.into_iter().flat_map(|it| it.iter());
        let rows = rows.map(|(key, value)| (key.clone(), value.clone()));
        Value::map(rows.chain([(Value::str(*key), inner)]))
    }))
}
