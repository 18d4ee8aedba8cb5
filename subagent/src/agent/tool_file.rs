//! The tools of an agent file: the keys of `[[tools]]`, and what they make.

use std::collections::BTreeMap;
use std::path::Path;

use ptc_signatures::SignatureMode;
use serde::Deserialize;

use super::file::{ModeFile, Seconds, Source, set};
use crate::error::{Error, ErrorKind};
use crate::tool::{CommandTool, Effect, HttpTool, ToolDef};

#[derive(Deserialize)]
#[serde(deny_unknown_fields, expecting = "the keys of a tool")]
pub(super) struct ToolFile {
    name: String,
    signature: Option<String>,
    signature_mode: Option<ModeFile>,
    description: Option<String>,
    #[serde(default)]
    effect: EffectFile,
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
    #[serde(default)]
    env: Vec<String>,
    max_output: Option<usize>,
    #[serde(default)]
    planning: bool,
}

#[derive(Clone, Copy, Default, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum EffectFile {
    #[default]
    Read,
    Write,
}

impl From<EffectFile> for Effect {
    fn from(effect: EffectFile) -> Effect {
        match effect {
            EffectFile::Read => Effect::Read,
            EffectFile::Write => Effect::Write,
        }
    }
}

impl Source<'_> {
    /// Makes the tool that stands at `index` of the list.
    pub(super) fn tool(
        &self,
        file: ToolFile,
        index: usize,
        folder: &Path,
    ) -> Result<ToolDef, Error> {
        let name = file.name.as_str();
        let wrong = |key, message: String| {
            let error = Error::new(ErrorKind::AgentFile, message);
            // JSON has no places of keys; there the name of the tool is looked for.
            let value = if self.is_json || key == "name" { name } else { "" };
            Err(self.locate(error, Some(index), key, value, 0))
        };
        let http = file.url.is_some();
        if !http && (file.method.is_some() || !file.headers.is_empty()) {
            return wrong("name", format!("tool `{name}` has no `url` for its method or headers"));
        }
        let mut tool = match (file.planning, file.command.first()) {
            (true, None) if !http => ToolDef::planning(name),
            (true, command) => {
                let key = if command.is_some() { "command" } else { "url" };
                let message = format!("tool `{name}` is only for planning and has a `{key}`");
                return wrong(key, message);
            }
            (false, Some(_)) if http => {
                return wrong("url", format!("tool `{name}` has a `command` and a `url`"));
            }
            (false, None) if http => {
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
            (false, None) => {
                return wrong("command", format!("tool `{name}` has no `command` and no `url`"));
            }
            (false, Some(program)) if program.trim().is_empty() => {
                return wrong("command", format!("the `command` of tool `{name}` is empty"));
            }
            (false, Some(_)) => {
                ToolDef::new(name, CommandTool::new(file.command, folder).with_env(file.env))
            }
        };
        if let Some(signature) = &file.signature {
            tool.signature = Some(self.signature(signature, Some((index, name)))?);
        }
        tool.signature_mode = file.signature_mode.map(SignatureMode::from);
        tool.description = file.description.map(|it| it.trim().to_string());
        tool.effect = file.effect.into();
        tool.cost = file.cost;
        set(&mut tool.timeout, file.timeout.map(|it| it.0));
        set(&mut tool.retries, file.retries);
        set(&mut tool.retry_delay, file.retry_delay.map(|it| it.0));
        set(&mut tool.max_output, file.max_output);
        Ok(tool)
    }
}

/// The endpoint that a tool of a file is; an error comes with its key.
fn http_tool(file: &ToolFile) -> Result<HttpTool, (&'static str, Error)> {
    let usual = if matches!(file.effect, EffectFile::Read) { "GET" } else { "POST" };
    let method = file.method.as_deref().unwrap_or(usual);
    let key = if file.method.is_some() { "method" } else { "url" };
    let url = file.url.as_deref().unwrap_or_default();
    let mut tool = HttpTool::new(method, url).map_err(|error| (key, error))?;
    for (name, value) in &file.headers {
        tool = tool.with_header(name, value).map_err(|error| ("headers", error))?;
    }
    Ok(tool)
}
