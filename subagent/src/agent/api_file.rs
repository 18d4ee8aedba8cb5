//! The APIs of an agent file: the keys of `[[openapi]]`.

use std::collections::BTreeMap;
use std::path::{Component, Path, PathBuf};

use reqwest::header::HeaderName;
use serde::Deserialize;

use super::key_values::{Seconds, set};
use super::source::Source;
use crate::error::{Error, ErrorKind};
use crate::secrets::shown_url;
use crate::tool::{ApiDef, ApiDocument, Effect, Setting, TakenTools, ToolDef};

#[derive(Deserialize)]
#[serde(deny_unknown_fields, expecting = "the keys of an API")]
pub(super) struct ApiFile {
    name: String,
    file: Option<PathBuf>,
    url: Option<String>,
    base_url: Option<String>,
    #[serde(default)]
    headers: BTreeMap<String, String>,
    #[serde(default)]
    query: BTreeMap<String, String>,
    allow: Option<Vec<String>>,
    #[serde(default)]
    deny: Vec<String>,
    prefix: Option<String>,
    #[serde(default)]
    effects: BTreeMap<String, Effect>,
    files: Option<PathBuf>,
    timeout: Option<Seconds>,
    start_timeout: Option<Seconds>,
    max_output: Option<usize>,
    trust: Option<String>,
}

impl Source<'_> {
    /// Adds the tools of the APIs that a file names. The document of an API with tools on record is not read.
    pub(super) fn add_api_tools(
        &self,
        tables: Vec<ApiFile>,
        folder: &Path,
        taken: &mut TakenTools,
    ) -> Result<(), Error> {
        let TakenTools { tools, left_out } = taken;
        for (index, table) in tables.into_iter().enumerate() {
            let api = self.api(table, index, folder)?;
            let wrong = |error| {
                let value = if self.is_json { &api.name } else { "" };
                self.locate(error, None, &format!("openapi.{index}"), value, 0)
            };
            if tools.iter().any(|it| it.server.as_ref() == Some(&api.name)) {
                let message = format!(
                    "an API has the name `{}` of another one or of an MCP server",
                    api.name
                );
                return Err(wrong(Error::new(ErrorKind::AgentFile, message)));
            }
            let known: Vec<ToolDef> =
                self.recorded_tools(&api.name).map(|tool| api.recall(tool.clone())).collect();
            if known.is_empty() {
                let more = api.tools().map_err(wrong)?;
                tools.extend(more.tools);
                left_out.extend(more.left_out);
            } else {
                tools.extend(known);
            }
        }
        Ok(())
    }

    /// Makes the API of the table at `index`.
    fn api(&self, file: ApiFile, index: usize, folder: &Path) -> Result<ApiDef, Error> {
        let name = file.name;
        let fault = |key: &str, message: String| {
            let error = Error::new(ErrorKind::AgentFile, message);
            let value = if self.is_json { name.as_str() } else { "" };
            self.locate(error, None, &format!("openapi.{index}.{key}"), value, 0)
        };
        let wrong = |key, message| Err(fault(key, message));
        if name.trim().is_empty() || name.contains(char::is_control) {
            let message = "the `name` of an API is empty or has a control character";
            return wrong("name", message.to_string());
        }
        let parsed = |key: &str, text: &str| {
            parse(text).ok_or_else(|| {
                let text = shown_url(text);
                fault(key, format!("API `{name}`: `{text}` is not an http or https URL"))
            })
        };
        let document = match (&file.file, &file.url) {
            (Some(_), Some(_)) => {
                let message =
                    format!("API `{name}` has both `file` and `url`: only one is allowed");
                return wrong("url", message);
            }
            (None, None) => {
                return wrong("file", format!("API `{name}` has no `file` and no `url`"));
            }
            (Some(path), None) => ApiDocument::File(folder.join(path)),
            (None, Some(url)) => ApiDocument::Url(parsed("url", url)?),
        };
        let is_valid = |name: &&String| HeaderName::from_bytes(name.as_bytes()).is_ok();
        if let Some(header) = file.headers.keys().find(|name| !is_valid(name)) {
            let message = format!("API `{name}`: the header `{header}` has an invalid name");
            return wrong("headers", message);
        }
        let settings = |texts: BTreeMap<String, String>| {
            texts.into_iter().map(|(name, value)| (name, Setting::header(&value))).collect()
        };
        let is_inside = |it: Component<'_>| matches!(it, Component::Normal(_) | Component::CurDir);
        if let Some(files) = file.files.as_ref().filter(|it| !it.components().all(is_inside)) {
            let message = format!(
                "API `{name}`: `files` is `{}`, which is not in the folder of the agent file",
                files.display()
            );
            return wrong("files", message);
        }
        let mut api = ApiDef::new(&name, document);
        api.files = file.files.map(|it| folder.join(it));
        api.base_url = file.base_url.map(|url| parsed("base_url", &url)).transpose()?;
        api.headers = settings(file.headers);
        api.query = settings(file.query);
        let tools = &mut api.tools;
        tools.allow = file.allow;
        tools.deny = file.deny;
        set(&mut tools.prefix, file.prefix);
        tools.effects = file.effects;
        tools.trust = file.trust;
        set(&mut tools.timeout, file.timeout);
        set(&mut tools.max_output, file.max_output);
        set(&mut api.start_timeout, file.start_timeout);
        Ok(api)
    }
}

fn parse(url: &str) -> Option<reqwest::Url> {
    let parsed = reqwest::Url::parse(url).ok()?;
    (matches!(parsed.scheme(), "http" | "https") && parsed.has_host()).then_some(parsed)
}
