//! Tools that answer from a table instead of the world, for `ptc eval`.
//!
//! `{"NAME": {"signature", "description"?, "effect"?, "cases": [{"args", "returns"|"error"}]?,
//! "returns"?, "error"?}}`: the first case with equal arguments answers; else `error` makes the
//! call fail; else `returns` is the result.

use ptc_lisp::{Code, Effect, ToolDecl, ToolFailure, Value, json};
use ptc_signatures::{Mismatch, Signature};
use ptc_subagent::tool::Constant;

use crate::input::json_type;

/// The tools of one program.
#[derive(Debug, Default, Clone)]
pub(crate) struct Tools(Vec<Tool>);

#[derive(Debug, Clone)]
struct Tool {
    decl: ToolDecl,
    answers: Constant,
}

impl Tools {
    /// Reads tools; null is none.
    pub(crate) fn of(value: &Value) -> Result<Tools, String> {
        if value.is_nil() {
            return Ok(Tools::default());
        }
        let map = value
            .as_map()
            .ok_or_else(|| format!("`tools` must be an object, and is {}", json_type(value)))?;
        let tools = map.iter().map(|(name, tool)| Tool::of(name.name().unwrap_or_default(), tool));
        tools.collect::<Result<_, _>>().map(Tools)
    }

    /// What programs may know of them.
    pub(crate) fn declarations(&self) -> Vec<ToolDecl> {
        self.0.iter().map(|tool| tool.decl.clone()).collect()
    }

    /// Answers a call. Both sides are checked against the signature as they are in a run: as JSON,
    /// where a string may stand for a keyword; but nothing is changed to match. Only what nests too deep for that is checked as it is.
    pub(crate) fn answer(&self, name: &str, args: &Value) -> Result<Value, ToolFailure> {
        let Some(tool) = self.0.iter().find(|it| it.decl.name == name) else {
            return Err(ToolFailure::new("is not there"));
        };
        if let Some(signature) = &tool.decl.signature {
            let found = match json::to_serde(args) {
                Ok(args) => signature.check_input(&args),
                Err(_) => signature.check_input(args),
            };
            refuse(Code::ToolArguments, "the arguments do not match", &found)?;
        }
        let result = tool.answers.answer(args).map_err(|error| ToolFailure::from(&error))?;
        if let Some(signature) = &tool.decl.signature {
            let found = match json::to_serde(&result) {
                Ok(result) => signature.check_output(&result),
                Err(_) => signature.check_output(&result),
            };
            refuse(Code::ToolResult, "the result does not match", &found)?;
        }
        Ok(result)
    }
}

/// What a tool is told, and may be compared with: keywords are strings out there.
pub(crate) fn arguments(args: &Value, max_bytes: usize) -> Result<Value, ToolFailure> {
    let refused = |why: String| {
        let mut failure = ToolFailure::new(why);
        failure.code = Code::ToolArguments;
        failure
    };
    let plain = crate::eval::plain(args, max_bytes);
    let text = plain.map_err(|why| refused(format!("the arguments {why}")))?;
    json::parse(&text).map_err(|error| refused(format!("the arguments have no JSON form: {error}")))
}

/// More than these in one message tell nobody anything new.
const MAX_SHOWN: usize = 5;

fn refuse(code: Code, what: &str, found: &[Mismatch]) -> Result<(), ToolFailure> {
    if found.is_empty() {
        return Ok(());
    }
    let mut shown: Vec<String> = found.iter().take(MAX_SHOWN).map(ToString::to_string).collect();
    if found.len() > MAX_SHOWN {
        shown.push(format!("and {} more", found.len() - MAX_SHOWN));
    }
    let mut failure = ToolFailure::new(format!("{what}: {}", shown.join("; ")));
    failure.code = code;
    Err(failure)
}

impl Tool {
    fn of(name: &str, value: &Value) -> Result<Tool, String> {
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
                format!("the signature of {what} does not parse: {error}{help}, at byte {at} of `{text}`")
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
        let name = name.to_owned();
        let decl = ToolDecl { signature, description, ..ToolDecl::new(name, effect) };
        Ok(Tool { decl, answers })
    }
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

/// Refuses what is no object, and keys that nobody knows.
pub(crate) fn check_keys(what: &str, value: &Value, known: &[&str]) -> Result<(), String> {
    let map = value
        .as_map()
        .ok_or_else(|| format!("{what} must be an object, and is {}", json_type(value)))?;
    for (key, _) in map.iter() {
        let key = key.name().unwrap_or_default();
        if !known.contains(&key) {
            return Err(format!(
                "{what} has an unknown key `{key}`; known are {}",
                known.join(", ")
            ));
        }
    }
    Ok(())
}

/// The text under a key; null is none.
pub(crate) fn text<'a>(what: &str, value: &'a Value, key: &str) -> Result<Option<&'a str>, String> {
    match value.get(key) {
        None | Some(Value::Nil) => Ok(None),
        Some(Value::Str(text)) => Ok(Some(text)),
        Some(other) => {
            Err(format!("`{key}` of {what} must be a string, and is {}", json_type(other)))
        }
    }
}
