//! Reads tools that answer from a table, for `ptc eval`.
//!
//! `{"NAME": {"signature", "description"?, "effect"?, "cases": [{"args", "returns"|"error"}]?,
//! "returns"?, "error"?}}`. The first case with equal arguments answers. Without one, the call fails with `error`, or
//! else returns `returns`.

use ptc_lisp::{Effect, Value};
use ptc_signatures::Signature;
use ptc_subagent::eval::ConstantTool;
use ptc_subagent::tool::Constant;

use crate::input::json_type;

/// Reads tools; null means none.
pub(crate) fn tools(value: &Value) -> Result<Vec<ConstantTool>, String> {
    if value.is_nil() {
        return Ok(Vec::new());
    }
    let map = value
        .as_map()
        .ok_or_else(|| format!("`tools` must be an object, and is {}", json_type(value)))?;
    map.iter().map(|(name, value)| tool(name.name().unwrap_or_default(), value)).collect()
}

fn tool(name: &str, value: &Value) -> Result<ConstantTool, String> {
    if name.trim().is_empty() {
        return Err("a tool has an empty name".to_owned());
    }
    if name == "return" || name == "fail" {
        return Err(format!("`{name}` cannot name a tool: programs end with it"));
    }
    let what = format!("tool `{name}`");
    let known = ["signature", "description", "effect", "cases", "returns", "error"];
    check_keys(&what, value, &known)?;
    let signature = match text(&what, value, "signature")? {
        None => None,
        Some(text) => Some(text.parse::<Signature>().map_err(|error| {
            let help = error.help().map(|it| format!(" ({it})")).unwrap_or_default();
            let at = error.span().start;
            format!(
                "the signature of {what} does not parse: {error}{help}, at byte {at} of `{text}`"
            )
        })?),
    };
    let effect = match text(&what, value, "effect")? {
        None | Some("read") => Effect::Read,
        Some("write") => Effect::Write,
        Some(other) => {
            return Err(format!("the effect of {what} is `read` or `write`, not `{other}`"));
        }
    };
    let mut answers = match (text(&what, value, "error")?, value.get("returns")) {
        (Some(message), _) => Constant::fails(message),
        (None, Some(result)) => Constant::returns(result.clone()),
        (None, None) => Constant::default(),
    };
    match value.get("cases") {
        None | Some(Value::Nil) => {}
        Some(Value::Vector(cases)) => {
            for case in cases.iter() {
                answers = self::case(&what, case, answers)?;
            }
        }
        Some(other) => {
            let found = json_type(other);
            return Err(format!("the cases of {what} must be a list, and are {found}"));
        }
    }
    let description = text(&what, value, "description")?.map(str::to_owned);
    Ok(ConstantTool::new(name, answers)
        .with_signature(signature)
        .with_description(description)
        .with_effect(effect))
}

fn case(what: &str, case: &Value, answers: Constant) -> Result<Constant, String> {
    let what = format!("a case of {what}");
    check_keys(&what, case, &["args", "returns", "error"])?;
    let args = match case.get("args") {
        Some(args @ Value::Map(_)) => args.clone(),
        _ => return Err(format!("{what} has no `args`, which is an object")),
    };
    match (text(&what, case, "error")?, case.get("returns")) {
        (Some(message), None) => Ok(answers.with_failure(args, message)),
        (None, Some(result)) => Ok(answers.with_case(args, result.clone())),
        (Some(_), Some(_)) => Err(format!("{what} has both `returns` and `error`")),
        (None, None) => Err(format!("{what} has neither `returns` nor `error`")),
    }
}

/// Refuses values other than objects, and unknown keys.
pub(crate) fn check_keys(what: &str, value: &Value, known: &[&str]) -> Result<(), String> {
    let map = value
        .as_map()
        .ok_or_else(|| format!("{what} must be an object, and is {}", json_type(value)))?;
    for (key, _) in map.iter() {
        let key = key.name().unwrap_or_default();
        if !known.contains(&key) {
            return Err(format!(
                "{what} has an unknown key `{key}`; the known keys are {}",
                known.join(", ")
            ));
        }
    }
    Ok(())
}

/// Returns the text of a key; null means none.
pub(crate) fn text<'a>(what: &str, value: &'a Value, key: &str) -> Result<Option<&'a str>, String> {
    match value.get(key) {
        None | Some(Value::Nil) => Ok(None),
        Some(Value::Str(text)) => Ok(Some(text)),
        Some(other) => {
            Err(format!("`{key}` of {what} must be a string, and is {}", json_type(other)))
        }
    }
}
