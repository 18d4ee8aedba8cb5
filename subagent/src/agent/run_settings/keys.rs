//! The keys of settings, in a file or from a host.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::path::Path;

use ptc_lisp::Effect;
use serde::Deserialize;

use super::change::{RunChange, RunSettings, Scope, SourceSwitches, ToolChange, effects};
use crate::agent::RunBudget;
use crate::agent::source::{Reading, Source};
use crate::agent::tool_file::ToolFile;
use crate::error::{Error, ErrorKind};
use crate::files::{MAX_FILE, read_text};
use crate::provider::ModelSpec;
use crate::secrets::has_secrets;
use crate::tool::{NoServers, ToolDef, ToolServers};
use crate::transcript::Transcript;

impl RunSettings {
    /// Reads a settings file: JSON if its extension is `.json`, TOML otherwise. It is one change, or a list of them
    /// under `changes`. JSON may be a list too. Paths in the file are relative to its folder.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Unreadable`] if the file cannot be read; [`ErrorKind::Settings`] if it is malformed. The errors of
    /// [`Agent::read`](crate::Agent::read) for the agent files that its tools name.
    pub fn read(path: &Path) -> Result<RunSettings, Error> {
        RunSettings::read_with(path, &NoServers)
    }

    /// Reads a settings file whose agents may have MCP servers. Blocks the calling thread.
    ///
    /// # Errors
    ///
    /// The errors of [`RunSettings::read`]; [`ErrorKind::Server`] if a server does not start or has no list of tools.
    pub fn read_with(path: &Path, servers: &dyn ToolServers) -> Result<RunSettings, Error> {
        let text = read_text(path, MAX_FILE).map_err(|why| {
            let message = format!("cannot read the settings file: {why}");
            Error::new(ErrorKind::Unreadable, message).in_file(path)
        })?;
        let is_json = path.extension().is_some_and(|it| it.eq_ignore_ascii_case("json"));
        let mut settings = parse(path, &text, is_json, servers)?;
        for change in settings.changes.iter_mut().filter(|it| !it.tools.add.is_empty()) {
            change.file = Some(path.canonicalize().unwrap_or_else(|_| path.to_path_buf()));
        }
        Ok(settings)
    }

    /// Makes settings of the keys of a settings file, as JSON that a host wrote. Paths are relative to `folder`. May
    /// block, as [`RunSettings::read_with`] does.
    ///
    /// # Errors
    ///
    /// Those of [`RunSettings::read_with`], without a place.
    pub fn from_keys(
        json: &str,
        folder: &Path,
        servers: &dyn ToolServers,
    ) -> Result<RunSettings, Error> {
        let path = folder.join("settings");
        // There is no file to point into.
        parse(&path, json, true, servers).map_err(|error| match error.kind() {
            ErrorKind::Settings => error.without_place(),
            _ => error,
        })
    }

    /// Returns the settings of a record with the tools of the files that define them, which are read again. Blocks the
    /// calling thread.
    ///
    /// # Errors
    ///
    /// The errors of [`RunSettings::read_with`]. [`ErrorKind::Replay`] if a file has changed, or if tools were added in
    /// code.
    pub fn with_tools_of_files(&self, servers: &dyn ToolServers) -> Result<RunSettings, Error> {
        let mut settings = self.clone();
        let adds = |it: &&mut RunChange| it.tools.add.iter().any(ToolDef::is_callable);
        for change in settings.changes.iter_mut().filter(adds) {
            let names: Vec<&str> = change.tools.add.iter().map(|it| it.name.as_str()).collect();
            let names = names.join("`, `");
            let Some(file) = &change.file else {
                let message = format!("the settings of the run add `{names}`, and no file has it");
                return Err(Error::new(ErrorKind::Replay, message)
                    .with_help("give the settings again, with the same tools"));
            };
            let read = RunSettings::read_with(file, servers)?;
            let is_same = |it: &&RunChange| it.on_record() == change.on_record();
            let Some(found) = read.changes.iter().find(is_same) else {
                let message =
                    format!("the settings that add `{names}` have changed since the run began");
                return Err(Error::new(ErrorKind::Replay, message)
                    .in_file(file)
                    .with_help("restore the file, or begin a new run"));
            };
            *change = found.clone();
        }
        Ok(settings)
    }
}

fn parse(
    path: &Path,
    text: &str,
    is_json: bool,
    servers: &dyn ToolServers,
) -> Result<RunSettings, Error> {
    let source = Source {
        path,
        text,
        is_json,
        in_code: None,
        reading: &RefCell::<Reading>::default(),
        servers,
        recorded: None,
        tools: "",
    };
    let changes = match form(text, is_json) {
        Form::One => source.parse().map(|change: ChangeFile| vec![(String::new(), change)]),
        Form::List => source.parse().map(|all: Vec<ChangeFile>| numbered("", all)),
        Form::Changes => source.parse().map(|all: ChangesFile| numbered("changes.", all.changes)),
    };
    let change = |(key, change): (String, ChangeFile)| {
        let tools = format!("{key}tools.add");
        let source = Source { tools: &tools, ..source };
        source.change(&key, change)
    };
    let changes = changes.and_then(|all| all.into_iter().map(change).collect::<Result<_, _>>());
    let changes = changes.map_err(|error| match error.kind() {
        // The file of a sub-agent has its own faults.
        ErrorKind::AgentFile if error.path() == Some(path) => error.of_kind(ErrorKind::Settings),
        _ => error,
    })?;
    Ok(RunSettings { changes })
}

fn numbered(list: &str, changes: Vec<ChangeFile>) -> Vec<(String, ChangeFile)> {
    let key = |at: usize| format!("{list}{at}.");
    changes.into_iter().enumerate().map(|(at, change)| (key(at), change)).collect()
}

/// The forms of settings.
enum Form {
    /// The keys of one change.
    One,
    /// A list of changes, which only JSON has.
    List,
    /// A table with the key `changes`.
    Changes,
}

fn form(text: &str, is_json: bool) -> Form {
    if is_json && text.trim_start().starts_with('[') {
        return Form::List;
    }
    let key = ChangesFile::KEY;
    let has_list = if is_json {
        serde_json::from_str::<serde_json::Value>(text).is_ok_and(|it| it.get(key).is_some())
    } else {
        toml::from_str::<toml::Table>(text).is_ok_and(|it| it.contains_key(key))
    };
    if has_list { Form::Changes } else { Form::One }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields, expecting = "a list of changes")]
struct ChangesFile {
    changes: Vec<ChangeFile>,
}

impl ChangesFile {
    const KEY: &str = "changes";
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields, expecting = "the keys of a change")]
struct ChangeFile {
    #[serde(default, rename = "for")]
    scope: Scope,
    model: Option<String>,
    base_url: Option<String>,
    fallback_models: Option<Vec<String>>,
    effort: Option<u8>,
    #[serde(default)]
    keys: BTreeMap<String, String>,
    #[serde(default)]
    tools: ToolsFile,
    #[serde(default)]
    prompt: BTreeMap<String, bool>,
    #[serde(default)]
    transcript: Transcript,
    budget: Option<RunBudget>,
    #[serde(default)]
    sources: SourceSwitches,
    artifacts: Option<bool>,
    start_at: Option<String>,
    #[serde(default)]
    skip: Vec<String>,
}

#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields, expecting = "the keys of a change of tools")]
struct ToolsFile {
    #[serde(default)]
    add: Vec<ToolFile>,
    #[serde(default)]
    remove: Vec<String>,
    allow: Option<Vec<String>>,
    #[serde(default, deserialize_with = "effects")]
    effects: Option<Vec<Effect>>,
}

impl Source<'_> {
    /// Makes the change at a key, which is empty or ends in a dot.
    fn change(&self, at: &str, file: ChangeFile) -> Result<RunChange, Error> {
        let wrong = |key: &str, message: String, help: &str| {
            let error = Error::new(ErrorKind::AgentFile, message).with_help(help);
            Err(self.locate(error, None, &format!("{at}{key}"), "", 0))
        };
        if file.effort.is_some_and(|it| !(1..=100).contains(&it)) {
            let message = "`effort` is a number from 1 to 100".to_string();
            return wrong("effort", message, "leave it out for the effort of the agent");
        }
        if file.base_url.as_deref().is_some_and(has_secrets) {
            let message =
                "`base_url` has a password or a key, and settings are on record".to_string();
            let help = "name the variable of the key under `keys`";
            return wrong("base_url", message, help);
        }
        let models = file.model.iter().map(|it| ("model".to_string(), it));
        let fallbacks = file.fallback_models.iter().flatten().zip(0..);
        let fallbacks = fallbacks.map(|(it, number)| (format!("fallback_models.{number}"), it));
        for (key, text) in models.chain(fallbacks) {
            if let Err(error) = text.parse::<ModelSpec>() {
                return Err(self.locate(error, None, &format!("{at}{key}"), text, 0));
            }
        }
        if let Some((kind, _)) = file.keys.iter().find(|(_, it)| !is_variable(it)) {
            // The text may be a key, so nobody sees it.
            let message = format!("`keys.{kind}` is not the name of an environment variable");
            let help = "write the name of the variable that holds the key, such as `ACME_KEY`";
            return wrong(&format!("keys.{kind}"), message, help);
        }
        if let Some((key, message)) = file.transcript.fault() {
            return wrong(&format!("transcript.{key}"), message, "a turn is the least");
        }
        let folder = self.path.parent().unwrap_or(Path::new(""));
        let ToolsFile { add, remove, allow, effects } = file.tools;
        let add = add.into_iter().enumerate().map(|(index, tool)| {
            let tool = self.tool(tool, index, folder)?;
            match tool.fault() {
                Some((key, message)) => {
                    let error = Error::new(ErrorKind::AgentFile, message);
                    Err(self.locate(error, Some(index), key, &tool.name, 0))
                }
                None => Ok(tool),
            }
        });
        let tools = ToolChange { add: add.collect::<Result<_, _>>()?, remove, allow, effects };
        Ok(RunChange {
            scope: file.scope,
            model: file.model,
            base_url: file.base_url,
            fallback_models: file.fallback_models,
            effort: file.effort,
            keys: file.keys,
            tools,
            prompt: file.prompt,
            transcript: file.transcript,
            budget: file.budget,
            sources: file.sources,
            artifacts: file.artifacts,
            start_at: file.start_at,
            skip: file.skip,
            file: None,
        })
    }
}

/// Returns whether a text is a usual name of an environment variable. Keys of vendors have other characters.
fn is_variable(text: &str) -> bool {
    let is_part = |c: char| c.is_ascii_alphanumeric() || c == '_';
    text.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_') && text.chars().all(is_part)
}
