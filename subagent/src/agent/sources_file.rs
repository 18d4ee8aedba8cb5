//! The sources of an agent file: the keys of `[[sources]]`.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::time::Duration;

use serde::Deserialize;
use serde_json::{Map, Value};

use super::Agent;
use super::key_values::{Seconds, set};
use super::source::Source;
use super::tool_file::foreign;
use crate::error::{Error, ErrorKind};
use crate::record::SourceInto;
use crate::sources::{OnSourceError, Origin, SourceCache, SourceDef};
use crate::tool::{Effect, ToolDef};

#[derive(Deserialize)]
#[serde(deny_unknown_fields, expecting = "the keys of a source")]
pub(super) struct SourceFile {
    name: String,
    file: Option<PathBuf>,
    sqlite: Option<PathBuf>,
    query: Option<String>,
    params: Option<Map<String, Value>>,
    tool: Option<String>,
    args: Option<Map<String, Value>>,
    select: Option<String>,
    into: Option<IntoFile>,
    path: Option<String>,
    order: Option<i64>,
    enabled: Option<bool>,
    on_error: Option<OnSourceError>,
    #[serde(default)]
    cache: CacheFile,
    cache_for: Option<Seconds>,
    max_bytes: Option<u64>,
    max_rows: Option<u64>,
    timeout: Option<Seconds>,
    trust: Option<String>,
}

#[derive(Clone, Copy, Deserialize)]
#[serde(rename_all = "lowercase")]
enum IntoFile {
    Ctx,
    Payload,
    Context,
}

#[derive(Clone, Copy, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
enum CacheFile {
    #[default]
    None,
    Run,
    Agent,
}

impl SourceFile {
    /// Returns the first problem of keys that do not belong together: the key, the problem and the help.
    fn misplaced(&self) -> Option<(&'static str, String, &'static str)> {
        let ways = [
            ("file", self.file.is_some()),
            ("sqlite", self.sqlite.is_some()),
            ("tool", self.tool.is_some()),
        ];
        let mut ways = ways.into_iter().filter(|it| it.1).map(|it| it.0);
        let Some(way) = ways.next() else {
            let help = "give it a `file`, `sqlite` with a `query`, or a `tool`";
            return Some(("name", "reads nothing".to_string(), help));
        };
        if let Some(other) = ways.next() {
            let problem = format!("has both `{way}` and `{other}`");
            return Some((other, problem, "a source reads at one place"));
        }
        if way == "sqlite" && self.query.is_none() {
            return Some(("sqlite", "has no `query`".to_string(), "add a SELECT"));
        }
        let parts = [
            ("query", self.query.is_some(), "sqlite"),
            ("params", self.params.is_some(), "sqlite"),
            ("args", self.args.is_some(), "tool"),
        ];
        if let Some((key, _, of)) =
            parts.into_iter().find(|(_, is_there, of)| *is_there && *of != way)
        {
            return Some((key, format!("has `{key}` without `{of}`"), "remove it"));
        }
        let needs = "`cache_for` is for `cache = \"agent\"`";
        match (self.cache, &self.cache_for) {
            (CacheFile::Agent, None) => {
                let problem = "has `cache = \"agent\"` without `cache_for`".to_string();
                Some(("cache", problem, "set `cache_for` to a number of seconds above 0"))
            }
            (CacheFile::Run | CacheFile::None, Some(_)) => {
                Some(("cache_for", "has `cache_for` without a cache that lasts".to_string(), needs))
            }
            _ => None,
        }
    }

    fn source(self, folder: &Path) -> SourceDef {
        let mut source = match (self.file, self.sqlite, self.tool) {
            (Some(file), ..) => SourceDef::file(self.name, folder.join(file)),
            (_, Some(file), _) => {
                SourceDef::sqlite(self.name, folder.join(file), self.query.unwrap_or_default())
            }
            (.., tool) => SourceDef::tool(self.name, tool.unwrap_or_default()),
        };
        if let Some(given) = self.params.or(self.args) {
            source = source.with_args(Value::Object(given));
        }
        source.select = self.select;
        source.trust = self.trust;
        source.path = self.path;
        source.into = match self.into {
            None | Some(IntoFile::Ctx) => SourceInto::Ctx,
            Some(IntoFile::Payload) => SourceInto::Payload,
            Some(IntoFile::Context) => SourceInto::Context,
        };
        set(&mut source.order, self.order);
        set(&mut source.enabled, self.enabled);
        set(&mut source.on_error, self.on_error);
        set(&mut source.max_bytes, self.max_bytes);
        set(&mut source.max_rows, self.max_rows);
        set(&mut source.timeout, self.timeout);
        source.cache = match self.cache {
            CacheFile::None => SourceCache::None,
            CacheFile::Run => SourceCache::Run,
            CacheFile::Agent => {
                SourceCache::Agent(self.cache_for.map_or(Duration::ZERO, Duration::from))
            }
        };
        source
    }
}

impl Source<'_> {
    /// Adds the sources of the file to the agent, whose tools are there.
    pub(super) fn add_sources(
        &self,
        agent: &mut Agent,
        tables: Vec<SourceFile>,
        folder: &Path,
    ) -> Result<(), Error> {
        for (index, table) in tables.into_iter().enumerate() {
            let name = table.name.clone();
            let wrong = |key: &str, message: String, help: &str| {
                let error = Error::new(ErrorKind::AgentFile, message).with_help(help);
                let value = if self.is_json { name.as_str() } else { "" };
                Err(self.locate(error, None, &format!("sources.{index}.{key}"), value, 0))
            };
            if let Some((key, problem, help)) = table.misplaced() {
                return wrong(key, format!("source `{name}` {problem}"), help);
            }
            for (key, given) in [("params", &table.params), ("args", &table.args)] {
                let foreign = given.as_ref().and_then(|it| foreign(&Value::Object(it.clone())));
                if let Some((path, what)) = foreign.filter(|_| !self.is_json) {
                    return wrong(key, format!("source `{name}`: `{key}{path}` is {what}"), "");
                }
            }
            // Code adds its tools later.
            let is_lost = |tool: &&String| {
                self.in_code.is_none() && !agent.tools.iter().any(|it| it.name == **tool)
            };
            if let Some(tool) = table.tool.as_ref().filter(is_lost) {
                let message = format!("source `{name}`: there is no tool `{tool}`");
                return wrong("tool", message, NAME_A_TOOL);
            }
            agent.sources.push(table.source(folder));
            if let Some((_, key, message, help)) = agent.source_fault(index) {
                return wrong(key, message, &help);
            }
        }
        Ok(())
    }
}

/// The help for a tool that no source can have.
const NAME_A_TOOL: &str = "name a tool that reads";

/// Returns why a source cannot be the result of a tool.
fn unusable(tool: &ToolDef) -> Option<&'static str> {
    if tool.as_agent().is_some() {
        Some("is an agent")
    } else if !tool.is_callable() {
        Some("is for planning only")
    } else if tool.effect() == Effect::Write {
        Some("writes")
    } else if tool.confirm {
        Some("asks a person")
    } else {
        None
    }
}

impl Agent {
    /// Finds what is wrong with the source at `index` or with its destination. Also returns the index.
    pub(super) fn source_fault(
        &self,
        index: usize,
    ) -> Option<(usize, &'static str, String, String)> {
        let source = self.sources.get(index)?;
        if let Some((key, message, help)) = source.fault() {
            return Some((index, key, message, help));
        }
        let name = &source.name;
        let fault =
            |key, message: String, help: &str| Some((index, key, message, help.to_string()));
        if let Origin::Tool { tool: called, .. } = &source.origin
            && let Some(tool) = self.tools.iter().find(|it| it.name == *called)
            && let Some(why) = unusable(tool)
        {
            let message = format!("source `{name}`: the tool `{called}` {why}");
            return fault("tool", message, NAME_A_TOOL);
        }
        if source.into == SourceInto::Payload && self.payload.is_none() {
            let message = format!("source `{name}` goes into the payload, and the agent has none");
            return fault("into", message, "add a table `[payload]`");
        }
        let before = self.sources.get(..index).unwrap_or_default();
        if before.iter().any(|it| it.name == *name) {
            let message = format!("two sources are named `{name}`");
            return fault("name", message, "give each a name of its own");
        }
        let taken = before.iter().find(|it| it.into == source.into && it.path() == source.path());
        taken.and_then(|other| {
            let (into, path) = (source.into, source.path());
            let message = format!(
                "the sources `{}` and `{name}` both go to `{path}` of `{into}`",
                other.name
            );
            fault("path", message, "give each a `path` of its own")
        })
    }

    /// Returns the first names at the paths of its sources into the input.
    pub(super) fn sourced_inputs(&self) -> BTreeSet<&str> {
        let sources = self.sources.iter().filter(|it| it.into == SourceInto::Ctx);
        sources.filter_map(|it| it.path().split('.').next()).collect()
    }
}
