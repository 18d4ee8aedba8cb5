//! Keys of JSON to which a model adds rules: `rows:[3+]`, `message:!empty`, `done?`.

use std::collections::BTreeSet;

use ptc_lisp::{Value, json};
use ptc_signatures::key_rules::{KeyRules, bare_name};
use ptc_signatures::{Field, Type};

use super::{Reading, ReplyProblem};
use crate::PromptSpec;
use crate::text::one_line;

/// The remedy of a value that breaks the rule of its key.
pub(super) const KEEP_RULES: &str = "Give a value that keeps the rule, under the key without it.";

/// Drops the rules from the keys of an answer, where the type of the mission has the key without them.
///
/// # Errors
///
/// The first value that breaks the rule of its key, in words.
pub(super) fn answer(value: Value, spec: &PromptSpec<'_>) -> Result<Value, String> {
    match spec.signature {
        Some(signature) => of_type(value, &signature.output),
        None => Ok(value),
    }
}

/// Drops the rules from keys of a value, where its type has the key without them and not the key with them. All else
/// stays as it is.
///
/// # Errors
///
/// The first value that breaks the rule of its key, in words.
pub(super) fn of_type(value: Value, ty: &Type) -> Result<Value, String> {
    Ok(cleaned(&value, ty)?.unwrap_or(value))
}

/// Returns the reading of a reply with a value that breaks the rule of its key.
pub(super) fn broken(message: String) -> Reading {
    Reading::Problem(ReplyProblem::Form { message, fix: KEEP_RULES.to_owned() })
}

/// Returns why a value breaks the rules of its key, if it does.
pub(super) fn violation(key: &str, value: &Value) -> Option<String> {
    let rules = KeyRules::read(key);
    let broken = rules.violation(value)?;
    Some(format!("`{}` breaks the rule of its key `{}`: {broken}", rules.name, one_line(key, 200)))
}

/// Drops the rules from all keys of a value, whatever its type. It is for JSON that a host knows to have such keys: a key
/// such as `10:30` becomes `10`.
///
/// ```
/// use ptc_prompt::without_key_rules;
/// use serde_json::json;
///
/// let answer = json!({"analysisComplete?": true, "recommendations:[3+]": ["a", "b", "c"]}).into();
/// let plain = json!({"analysisComplete": true, "recommendations": ["a", "b", "c"]});
/// assert_eq!(without_key_rules(&answer), plain.into());
/// ```
pub fn without_key_rules(value: &Value) -> Value {
    match value {
        Value::Map(map) => {
            let whole = value;
            let mut taken = BTreeSet::new();
            Value::map(map.iter().map(|(key, value)| {
                let name = key.name().map(|name| (name, bare_name(name)));
                // A name that is there twice keeps its rules the second time.
                let bare = name.filter(|(name, bare)| {
                    let clashes = name != bare && whole.get(bare).is_some();
                    !bare.is_empty() && !clashes && taken.insert((*bare).to_owned())
                });
                let key = bare.map_or_else(|| key.clone(), |(_, bare)| Value::str(bare));
                (key, without_key_rules(value))
            }))
        }
        Value::Vector(items) => Value::vector(items.iter().map(without_key_rules).collect()),
        other => other.clone(),
    }
}

/// Drops the rules from all keys of JSON in a text, such as a value that is JSON itself. Returns `None` if the text is not
/// an object or a list of JSON.
///
/// ```
/// use ptc_prompt::text_without_key_rules;
///
/// let text = r#"{"rows:[1+]": [{"id:number": 1}]}"#;
/// assert_eq!(text_without_key_rules(text).as_deref(), Some(r#"{"rows":[{"id":1}]}"#));
/// assert_eq!(text_without_key_rules("rows: 1"), None);
/// ```
pub fn text_without_key_rules(text: &str) -> Option<String> {
    let value = json::parse(text).ok()?;
    matches!(value, Value::Map(_) | Value::Vector(_)).then_some(())?;
    json::write(&without_key_rules(&value)).ok()
}

/// Returns the value with cleaned keys, or `None` if none has a rule.
fn cleaned(value: &Value, ty: &Type) -> Result<Option<Value>, String> {
    match (ty, value) {
        (Type::Optional(inner), _) => cleaned(value, inner),
        (Type::Union(members), _) => {
            let fitting = |member: &&Type| match bare(member) {
                Type::Record(_) => value.as_map().is_some(),
                Type::List(..) => matches!(value, Value::Vector(_)),
                _ => false,
            };
            let mut fitting = members.iter().filter(fitting);
            match (fitting.next(), fitting.next()) {
                (Some(member), None) => cleaned(value, member),
                // Nobody knows which of them the model means.
                _ => Ok(None),
            }
        }
        (Type::List(item, _), Value::Vector(items)) => {
            let mut changed = false;
            let mut all = Vec::with_capacity(items.len());
            for value in items.iter() {
                let clean = cleaned(value, item)?;
                changed |= clean.is_some();
                all.push(clean.unwrap_or_else(|| value.clone()));
            }
            Ok(changed.then(|| Value::vector(all)))
        }
        (Type::Record(record), Value::Map(_)) => cleaned_record(value, &record.fields),
        _ => Ok(None),
    }
}

fn cleaned_record(value: &Value, fields: &[Field]) -> Result<Option<Value>, String> {
    let Some(map) = value.as_map() else { return Ok(None) };
    let whole = value;
    let field = |name: &str| fields.iter().find(|field| field.name == name);
    let mut taken = BTreeSet::new();
    let mut changed = false;
    let mut entries = Vec::with_capacity(fields.len());
    for (key, value) in map.iter() {
        let name = key.name().unwrap_or_default();
        let plain = bare_name(name);
        let renamed = field(plain).filter(|_| {
            let is_free = field(name).is_none() && whole.get(plain).is_none();
            is_free && taken.insert(plain)
        });
        let Some(known) = renamed.or_else(|| field(name)) else {
            entries.push((key.clone(), value.clone()));
            continue;
        };
        if renamed.is_some()
            && let Some(message) = violation(name, value)
        {
            return Err(message);
        }
        let clean = cleaned(value, &known.ty)?;
        changed |= renamed.is_some() || clean.is_some();
        let key = if renamed.is_some() { Value::str(plain) } else { key.clone() };
        entries.push((key, clean.unwrap_or_else(|| value.clone())));
    }
    Ok(changed.then(|| Value::map(entries)))
}

fn bare(ty: &Type) -> &Type {
    match ty {
        Type::Optional(inner) => bare(inner),
        ty => ty,
    }
}
