//! The tools of an agent file: the keys of `[[tools]]`, and the tools they define.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use ptc_signatures::SignatureMode;
use ptc_signatures::spelling::nearest;
use serde::{Deserialize, Deserializer};
use serde_json::{Map, Value};

use super::key_values::{Seconds, set};
use super::source::Source;
use super::{Agent, Answers};
use crate::error::{Error, ErrorKind};
use crate::tool::{CommandTool, Constant, ContextIn, Effect, HttpTool, ToolDef};
use crate::transcript::{AfterExpiry, ResultRule};

#[derive(Deserialize)]
#[serde(deny_unknown_fields, expecting = "the keys of a tool")]
pub(super) struct ToolFile {
    name: Option<String>,
    signature: Option<String>,
    signature_mode: Option<SignatureMode>,
    description: Option<String>,
    #[serde(default)]
    effect: Option<Effect>,
    #[serde(default)]
    command: Vec<String>,
    url: Option<String>,
    method: Option<String>,
    #[serde(default)]
    headers: BTreeMap<String, String>,
    timeout: Option<Seconds>,
    retries: Option<u32>,
    retry_delay: Option<Seconds>,
    cost: Option<f64>,
    max_calls: Option<u32>,
    cache: Option<bool>,
    idempotent: Option<bool>,
    repeat: Option<bool>,
    confirm: Option<bool>,
    trust: Option<String>,
    result_turns: Option<u32>,
    result_after: Option<AfterExpiry>,
    result_length: Option<u32>,
    summary_prompt: Option<String>,
    keep_original: Option<bool>,
    agent: Option<PathBuf>,
    prompt: Option<String>,
    retry_turns: Option<u32>,
    model: Option<String>,
    #[serde(default)]
    env: Vec<String>,
    context: Option<String>,
    max_output: Option<usize>,
    #[serde(default)]
    planning: bool,
    #[serde(default, deserialize_with = "given")]
    returns: Option<Value>,
    error: Option<String>,
    #[serde(default)]
    cases: Vec<CaseFile>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields, expecting = "the keys of a case")]
struct CaseFile {
    args: Map<String, Value>,
    #[serde(default, deserialize_with = "given")]
    returns: Option<Value>,
    error: Option<String>,
}

/// Reads a value that is present, even if it is null.
fn given<'de, D: Deserializer<'de>>(from: D) -> Result<Option<Value>, D::Error> {
    Value::deserialize(from).map(Some)
}

impl ToolFile {
    /// Returns the present keys that define the answers; a valid tool has one. The keys of a constant count as one key.
    fn answer_keys(&self) -> Vec<&'static str> {
        let constant = [
            ("returns", self.returns.is_some()),
            ("error", self.error.is_some()),
            ("cases", !self.cases.is_empty()),
        ];
        let ways = [
            ("command", !self.command.is_empty()),
            ("url", self.url.is_some()),
            ("agent", self.agent.is_some()),
            ("prompt", self.prompt.is_some()),
        ];
        let constant = constant.into_iter().filter(|(_, is_there)| *is_there).take(1);
        let ways = ways.into_iter().filter(|(_, is_there)| *is_there);
        ways.chain(constant).map(|(key, _)| key).collect()
    }

    /// Returns the rule about results in the conversation.
    fn result_rule(&self) -> ResultRule {
        ResultRule {
            result_turns: self.result_turns,
            result_after: self.result_after,
            result_length: self.result_length,
            summary_prompt: self.summary_prompt.clone(),
            keep_original: self.keep_original,
        }
    }

    /// Returns the first present key that belongs in the definition of an agent, not of a tool.
    fn agent_key(&self) -> Option<&'static str> {
        let keys = [
            ("signature", self.signature.is_some() && self.agent.is_some()),
            ("signature_mode", self.signature_mode.is_some() && self.agent.is_some()),
            ("model", self.model.is_some() && self.agent.is_some()),
            ("retry_turns", self.retry_turns.is_some() && self.agent.is_some()),
            ("effect", self.effect.is_some()),
            ("idempotent", self.idempotent.is_some()),
            ("timeout", self.timeout.is_some()),
            ("retries", self.retries.is_some()),
            ("retry_delay", self.retry_delay.is_some()),
            ("max_output", self.max_output.is_some()),
            ("env", !self.env.is_empty()),
        ];
        keys.into_iter().find(|(_, is_there)| *is_there).map(|(key, _)| key)
    }
}

impl Source<'_> {
    /// Makes the tool at `index` of the list.
    pub(super) fn tool(
        &self,
        file: ToolFile,
        index: usize,
        folder: &Path,
    ) -> Result<ToolDef, Error> {
        let is_a_file = file.agent.as_ref().is_some_and(|it| it != Path::new(SELF));
        let Some(name) = file.name.as_deref().or(is_a_file.then_some("")) else {
            let message = format!("`{}[{index}]` has no `name`", self.tools);
            let error = Error::new(ErrorKind::AgentFile, message);
            return Err(self.locate(error, Some(index), "name", "", 0));
        };
        let wrong = |key, message: String| {
            let error = Error::new(ErrorKind::AgentFile, message);
            // JSON gives no locations of keys, so the name of the tool is located instead.
            let value = if self.is_json || key == "name" { name } else { "" };
            Err(self.locate(error, Some(index), key, value, 0))
        };
        if file.url.is_none() && (file.method.is_some() || !file.headers.is_empty()) {
            return wrong("name", format!("tool `{name}` has no `url` for its method or headers"));
        }
        if file.command.is_empty() && file.url.is_some() && !file.env.is_empty() {
            let message = format!("tool `{name}` has a `url` and `env`, which is for a `command`");
            let error = Error::new(ErrorKind::AgentFile, message)
                .with_help("write `$NAME` in a header for a variable of the environment");
            return Err(self.locate(error, Some(index), "env", "", 0));
        }
        if file.command.is_empty() && file.context.is_some() {
            let message = format!("tool `{name}` has no `command` for its `context`");
            return wrong("context", message);
        }
        if file.prompt.is_none() && file.agent.is_none() {
            for (key, is_there) in
                [("retry_turns", file.retry_turns.is_some()), ("model", file.model.is_some())]
            {
                if is_there {
                    return wrong(key, format!("tool `{name}` has no `prompt` for its `{key}`"));
                }
            }
        }
        let mut tool = match (&file.answer_keys()[..], file.planning) {
            ([], true) => ToolDef::planning(name),
            ([key, ..], true) => {
                let message = format!("tool `{name}` is only for planning and has `{key}`");
                return wrong(key, message);
            }
            ([], false) => {
                let message = format!("tool `{name}` has no implementation");
                let error = Error::new(ErrorKind::AgentFile, message)
                    .with_help("give it a `command`, a `url`, an `agent`, a `prompt` or `returns`");
                let value = if self.is_json { name } else { "" };
                return Err(self.locate(error, Some(index), "command", value, 0));
            }
            ([one, other, ..], false) => {
                let message =
                    format!("tool `{name}` has both `{one}` and `{other}`: only one is allowed");
                return wrong(other, message);
            }
            (["agent" | "prompt"], false) => return self.agent_tool(&file, name, index, folder),
            (["command"], false) => {
                if file.command.first().is_none_or(|program| program.trim().is_empty()) {
                    return wrong("command", format!("the `command` of tool `{name}` is empty"));
                }
                if let Some(variable) = file.env.iter().find(|it| !is_variable(it)) {
                    let message = format!(
                        "`env` of tool `{name}` has `{variable}`, which is not a name of a variable"
                    );
                    return wrong("env", message);
                }
                let mut command = CommandTool::new(&file.command, folder).with_env(&file.env);
                if let Some(text) = &file.context {
                    let Some(context) = context_in(text) else {
                        let message = format!("`context` of tool `{name}` is `{text}`");
                        let error = Error::new(ErrorKind::AgentFile, message).with_help(
                            "write \"stdin\", or \"env:NAME\" with the name of a variable",
                        );
                        return Err(self.locate(error, Some(index), "context", text, 0));
                    };
                    command = command.with_context(context);
                }
                ToolDef::new(name, command)
            }
            (["url"], false) => {
                let made = http_tool(&file);
                let made = made.map_err(|(key, error)| {
                    let message = format!("tool `{name}`: {error}");
                    let mut located = Error::new(ErrorKind::AgentFile, message);
                    if let Some(help) = error.help() {
                        located = located.with_help(help);
                    }
                    self.locate(located, Some(index), key, "", 0)
                })?;
                ToolDef::new(name, made)
            }
            _ => match constant(&file, self.is_json) {
                Ok(constant) => ToolDef::new(name, constant),
                Err((key, what)) => return wrong(key, format!("tool `{name}`: {what}")),
            },
        };
        if let Some(signature) = &file.signature {
            tool.signature = Some(self.signature(signature, Some((index, name)))?);
        }
        if let (Some((unknown, message)), Some(url)) = (tool.unknown_placeholder(), &file.url) {
            let inputs = tool.signature.iter().flat_map(|it| &it.params).map(|it| it.name.as_str());
            let inputs: Vec<&str> = inputs.collect();
            let help = match nearest(&unknown, inputs.iter().copied()) {
                Some(near) => format!("did you mean `{{{near}}}`?"),
                None => format!("add `{unknown}` to the signature, or correct the URL"),
            };
            let error = Error::new(ErrorKind::AgentFile, message).with_help(help);
            let offset = url.find(&format!("{{{unknown}}}")).unwrap_or_default();
            return Err(self.locate(error, Some(index), "url", url, offset));
        }
        tool.result = file.result_rule();
        tool.signature_mode = file.signature_mode;
        tool.description = file.description.map(|it| it.trim().to_string());
        tool.effect = file.effect;
        tool.cost = file.cost;
        tool.max_calls = file.max_calls;
        set(&mut tool.cache, file.cache);
        set(&mut tool.idempotent, file.idempotent);
        set(&mut tool.repeat, file.repeat);
        set(&mut tool.confirm, file.confirm);
        // What comes from another machine is untrusted, unless the file says otherwise.
        let of_url = file.url.is_some().then(|| "untrusted".to_string());
        tool.trust = file.trust.or(of_url);
        set(&mut tool.timeout, file.timeout);
        set(&mut tool.retries, file.retries);
        set(&mut tool.retry_delay, file.retry_delay);
        set(&mut tool.max_output, file.max_output);
        Ok(tool)
    }

    /// Makes a tool that is an agent: one from a file, one from a prompt, or the agent that has the tool.
    fn agent_tool(
        &self,
        file: &ToolFile,
        name: &str,
        index: usize,
        folder: &Path,
    ) -> Result<ToolDef, Error> {
        let wrong = |key, message: String| {
            let error = Error::new(ErrorKind::AgentFile, message);
            Err(self.locate(error, Some(index), key, "", 0))
        };
        if let Some(key) = file.agent_key() {
            let message = format!("tool `{name}` is an agent, which sets its own `{key}`");
            return wrong(key, message);
        }
        let mut tool = match (&file.agent, &file.prompt) {
            (Some(path), _) if path == Path::new(SELF) => ToolDef::itself(name),
            (Some(path), _) => ToolDef::agent(self.sub_agent(&folder.join(path), index)?),
            (None, prompt) => {
                let prompt = prompt.as_deref().unwrap_or_default();
                let mut agent = Agent::new(prompt)
                    .with_name(name)
                    .with_answers(Answers::Json)
                    .with_max_turns(1)
                    .with_retry_turns(file.retry_turns.unwrap_or(1));
                if let Some(signature) = &file.signature {
                    agent.signature = Some(self.signature(signature, Some((index, name)))?);
                }
                set(&mut agent.signature_mode, file.signature_mode);
                if let Some(model) = &file.model {
                    let spec = self.model(model, folder);
                    let spec =
                        spec.map_err(|error| self.locate(error, Some(index), "model", model, 0))?;
                    agent.model = Some(spec);
                    agent.models = self.reading.borrow().models.clone();
                }
                if let Err(error) = agent.check() {
                    return wrong("prompt", format!("tool `{name}`: {error}"));
                }
                ToolDef::agent(agent)
            }
        };
        if let Some(name) = &file.name {
            tool.name.clone_from(name);
        }
        if let Some(description) = &file.description {
            tool.description = Some(description.trim().to_string());
        }
        tool.cost = file.cost;
        tool.max_calls = file.max_calls;
        tool.result = file.result_rule();
        set(&mut tool.cache, file.cache);
        Ok(tool)
    }
}

/// The value of `agent` for the agent that has the tool.
const SELF: &str = "self";

/// Returns whether an environment variable can have this name.
pub(super) fn is_variable(name: &str) -> bool {
    !name.is_empty() && !name.contains(['=', '$', '\0']) && !name.contains(char::is_whitespace)
}

/// Reads how a command gets the host context.
fn context_in(text: &str) -> Option<ContextIn> {
    match text.strip_prefix("env:") {
        Some(name) if is_variable(name) => Some(ContextIn::Variable(name.to_string())),
        None if text == "stdin" => Some(ContextIn::Stdin),
        _ => None,
    }
}

/// Makes the HTTP tool that a table defines.
///
/// # Errors
///
/// The error, with the key that is wrong.
fn http_tool(file: &ToolFile) -> Result<HttpTool, (&'static str, Error)> {
    let usual = if matches!(file.effect, Some(Effect::Write)) { "POST" } else { "GET" };
    let method = file.method.as_deref().unwrap_or(usual);
    let key = if file.method.is_some() { "method" } else { "url" };
    let url = file.url.as_deref().unwrap_or_default();
    let mut tool = HttpTool::new(method, url).map_err(|error| (key, error))?;
    for (name, value) in &file.headers {
        tool = tool.with_header(name, value).map_err(|error| ("headers", error))?;
    }
    Ok(tool)
}

/// Makes the table of answers that a table defines.
///
/// # Errors
///
/// The key that is wrong, and the message.
fn constant(file: &ToolFile, is_json: bool) -> Result<Constant, (&'static str, String)> {
    let checked = |key: &'static str, place: String, value: &Value| match foreign(value) {
        Some((path, what)) if !is_json => Err((key, format!("`{place}{path}` is {what}"))),
        _ => Ok(value.clone()),
    };
    let mut constant = match (&file.returns, &file.error) {
        (Some(_), Some(_)) => {
            return Err(("error", "it has both `returns` and `error`".to_string()));
        }
        (Some(result), None) => {
            Constant::returns(checked("returns", "returns".to_string(), result)?)
        }
        (None, Some(message)) => Constant::fails(message),
        (None, None) => Constant::default(),
    };
    for (at, case) in file.cases.iter().enumerate() {
        let args = Value::Object(case.args.clone());
        let args = checked("cases", format!("cases[{at}].args"), &args)?;
        constant = match (&case.returns, &case.error) {
            (Some(result), None) => {
                let result = checked("cases", format!("cases[{at}].returns"), result)?;
                constant.with_case(args, result)
            }
            (None, Some(message)) => constant.with_failure(args, message),
            (Some(_), Some(_)) => {
                return Err(("cases", format!("`cases[{at}]` has both `returns` and `error`")));
            }
            (None, None) => {
                return Err(("cases", format!("`cases[{at}]` has neither `returns` nor `error`")));
            }
        };
    }
    Ok(constant)
}

/// Returns the path of the first TOML value that JSON does not have, and a description of it.
pub(super) fn foreign(value: &Value) -> Option<(String, &'static str)> {
    let at = |step: String, value: &Value| {
        foreign(value).map(|(path, what)| (format!("{step}{path}"), what))
    };
    match value {
        // TOML has no null, so this was a number without a JSON form.
        Value::Null => Some((String::new(), "not a number in JSON")),
        Value::Array(items) => {
            items.iter().enumerate().find_map(|(index, item)| at(format!("[{index}]"), item))
        }
        Value::Object(map) if map.contains_key(TOML_DATE) => {
            Some((String::new(), "a date, which JSON does not have: write it as a string"))
        }
        Value::Object(map) => map.iter().find_map(|(key, value)| at(format!(".{key}"), value)),
        _ => None,
    }
}

/// The key of the map that a TOML date becomes when it is read as JSON.
const TOML_DATE: &str = "$__toml_private_datetime";
