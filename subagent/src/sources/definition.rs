//! Definitions of sources: where they read, where their values go, and their bounds.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use ptc_lisp::{Kind, Limits, Session, Value};
use serde_json::Value as Json;

use super::cache::{Kept, Read};
use super::file::{self, SourceFormat};
use super::sqlite::{self, Bounds};
use super::template;
use crate::record::SourceInto;
use crate::setters::setters;

/// A source: data that is loaded before each run of an agent, and needs no call of the model.
///
/// ```
/// use ptc_subagent::provider::NoModel;
/// use ptc_subagent::sources::SourceDef;
/// use ptc_subagent::{Agent, Mission};
/// use serde_json::json;
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let folder = tempfile::tempdir()?;
/// let file = folder.path().join("rates.csv");
/// std::fs::write(&file, "currency,rate\nUSD,0.5\nGBP,1.25\n")?;
///
/// let rates = SourceDef::file("rates", file).with_select("(map :currency ctx/loaded)");
/// let agent = Agent::workflow("(count ctx/rates)").with_source(rates);
/// let report = Mission::new(&agent, json!({})).run(&NoModel).await?;
/// assert_eq!(report.value, json!(2));
/// assert_eq!(report.sources[0].bytes, Some(31));
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct SourceDef {
    /// The name, by which [settings of a run](crate::RunChange::sources) switch it.
    pub name: String,
    /// The expression that makes the value of what was read, which is `ctx/loaded` in it. `ctx/input` is the input so far,
    /// and `ctx/context` the host context.
    pub select: Option<String>,
    /// The destination of the value.
    pub into: SourceInto,
    /// The dotted path at the destination; `None` is the name.
    pub path: Option<String>,
    /// Its place among the sources. Those with equal places are loaded in the order of their names.
    pub order: i64,
    /// Whether it is loaded, unless the settings of a run say otherwise.
    pub enabled: bool,
    /// The consequence if it cannot be loaded.
    pub on_error: OnSourceError,
    /// How long what was read is kept.
    pub cache: SourceCache,
    /// The most bytes that are read.
    pub max_bytes: u64,
    /// The most rows that are read.
    pub max_rows: u64,
    /// The longest time of reading.
    pub timeout: Duration,
    /// The label of its value for the rules of the [`Policy`](crate::Policy): `untrusted`, `secret`, a name, or
    /// `trusted` for none. The default is that of its tool, and none for a file or a database.
    pub trust: Option<String>,
    pub(crate) origin: Origin,
    pub(crate) kept: Kept,
}

/// Where a source reads.
#[derive(Clone, Debug)]
pub(crate) enum Origin {
    File(PathBuf, Option<SourceFormat>),
    Sqlite {
        file: PathBuf,
        query: String,
        params: BTreeMap<String, Json>,
    },
    Tool {
        tool: String,
        args: Json,
    },
    /// The source of an agent on record, which reads nothing. It has the tool.
    Record(Option<String>),
}

/// The consequence if a source cannot be loaded.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum OnSourceError {
    /// The run goes on without its value, with a warning.
    #[default]
    Warn,
    /// The run stops before its first request.
    Stop,
}

/// How long what a source read is kept, for sources with equal arguments.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum SourceCache {
    /// Each run reads anew.
    #[default]
    None,
    /// For a run and all runs below it.
    Run,
    /// For all runs of this agent in the process, for this time.
    Agent(Duration),
}

/// Returns the source of an agent on record.
pub(crate) fn origin_on_record(name: String, tool: Option<String>) -> SourceDef {
    SourceDef::new(name, Origin::Record(tool))
}

impl SourceDef {
    /// The default of the most bytes that are read.
    pub const DEFAULT_MAX_BYTES: u64 = 16 << 20;

    /// The default of the most rows that are read.
    pub const DEFAULT_MAX_ROWS: u64 = 100_000;

    /// The default of the longest time of reading.
    pub const DEFAULT_TIMEOUT: Duration = Duration::from_secs(30);

    fn new(name: String, origin: Origin) -> SourceDef {
        SourceDef {
            name,
            select: None,
            into: SourceInto::Ctx,
            path: None,
            order: 0,
            enabled: true,
            on_error: OnSourceError::Warn,
            cache: SourceCache::None,
            max_bytes: SourceDef::DEFAULT_MAX_BYTES,
            max_rows: SourceDef::DEFAULT_MAX_ROWS,
            timeout: SourceDef::DEFAULT_TIMEOUT,
            trust: None,
            origin,
            kept: Kept::default(),
        }
    }

    /// Makes a source of a file: JSON, JSON lines (`.jsonl`, `.ndjson`), or a table (`.csv`, `.tsv`).
    pub fn file(name: impl Into<String>, path: impl Into<PathBuf>) -> SourceDef {
        let path = path.into();
        let format = SourceFormat::of(&path);
        SourceDef::new(name.into(), Origin::File(path, format))
    }

    /// Makes a source of a query of an `SQLite` file, which is opened for reading alone. Its rows are a list of objects.
    pub fn sqlite(
        name: impl Into<String>,
        file: impl Into<PathBuf>,
        query: impl Into<String>,
    ) -> SourceDef {
        let (file, query) = (file.into(), query.into());
        SourceDef::new(name.into(), Origin::Sqlite { file, query, params: BTreeMap::new() })
    }

    /// Makes a source of the result of a tool of the agent, which must read.
    pub fn tool(name: impl Into<String>, tool: impl Into<String>) -> SourceDef {
        let args = Json::Object(serde_json::Map::new());
        SourceDef::new(name.into(), Origin::Tool { tool: tool.into(), args })
    }

    /// Sets the parameters of a query, or the arguments of a tool: an object. `{{context.NAME}}` and `{{input.NAME}}` in
    /// its texts are values of the host context and of the input.
    #[must_use]
    pub fn with_args(mut self, given: Json) -> SourceDef {
        match &mut self.origin {
            Origin::Sqlite { params, .. } => {
                let rows = given.as_object().cloned().unwrap_or_default();
                *params = rows.into_iter().collect();
            }
            Origin::Tool { args, .. } => *args = given,
            Origin::File(..) | Origin::Record(_) => {}
        }
        self
    }

    /// Returns the tool that it reads.
    pub(crate) fn of_tool(&self) -> Option<&str> {
        match &self.origin {
            Origin::Tool { tool, .. } => Some(tool),
            Origin::Record(tool) => tool.as_deref(),
            Origin::File(..) | Origin::Sqlite { .. } => None,
        }
    }

    /// Returns the path at the destination.
    pub fn path(&self) -> &str {
        self.path.as_deref().unwrap_or(&self.name)
    }

    /// Finds what is wrong with the definition. Returns the key of the agent file, the problem, and the help.
    pub(crate) fn fault(&self) -> Option<(&'static str, String, String)> {
        let name = &self.name;
        let fault = |key, what: String, help: &str| {
            Some((key, format!("source `{name}`: {what}"), help.to_string()))
        };
        if name.trim().is_empty() || name.contains(char::is_control) {
            let help = "give it a name of one line";
            return Some(("name", "a source has no name".to_string(), help.to_string()));
        }
        if self.path().split('.').any(|key| key.trim().is_empty()) {
            let what = format!("`{}` is no path", self.path());
            return fault(
                "path",
                what,
                "write names with dots between them, such as `customer.orders`",
            );
        }
        if self.cache == SourceCache::Agent(Duration::ZERO) {
            let what = "`cache = \"agent\"` needs a time".to_string();
            return fault("cache_for", what, "set `cache_for` to a number of seconds above 0");
        }
        match &self.origin {
            Origin::File(path, None) => {
                let what = format!("`{}` has no known extension", path.display());
                return fault(
                    "file",
                    what,
                    "the formats are .json, .jsonl, .ndjson, .csv and .tsv",
                );
            }
            Origin::File(..) | Origin::Record(_) => {}
            Origin::Sqlite { params, .. } => {
                for value in params.values() {
                    if let Err(what) = template::checked(value) {
                        return fault("params", what, TEMPLATES);
                    }
                }
            }
            Origin::Tool { args, .. } => {
                if !args.is_object() {
                    let what = "`args` is no object".to_string();
                    return fault("args", what, "write a table of arguments");
                }
                if let Err(what) = template::checked(args) {
                    return fault("args", what, TEMPLATES);
                }
            }
        }
        let problem = problem_of(self.select.as_deref()?)?;
        fault("select", problem, "in `select`, `ctx/` has `loaded`, `input` and `context`")
    }

    /// Reads a file or a database. Fills nothing in: `params` are the parameters of a query.
    ///
    /// # Errors
    ///
    /// The reason, in words.
    pub(crate) async fn read(&self, params: BTreeMap<String, Value>) -> Result<Read, String> {
        let (max_bytes, max_rows, timeout) = (self.max_bytes, self.max_rows, self.timeout);
        let handle = Arc::new(OnceLock::new());
        let interrupt = Interrupt(Arc::clone(&handle));
        let origin = self.origin.clone();
        let work = tokio::task::spawn_blocking(move || match &origin {
            Origin::File(path, format) => match format {
                Some(format) => file::read(path, *format, max_bytes, max_rows),
                None => Err("its format is not known".to_string()),
            },
            Origin::Sqlite { file, query, .. } => {
                let bounds = Bounds { max_bytes, max_rows, timeout };
                sqlite::read(file, query, &params, bounds, &handle)
            }
            Origin::Tool { .. } | Origin::Record(_) => Err("it reads no file".to_string()),
        });
        let read = tokio::time::timeout(timeout, work).await;
        drop(interrupt);
        match read {
            Ok(Ok(read)) => read,
            Ok(Err(_)) => Err("it broke down".to_string()),
            Err(_) => Err(format!("it took longer than {timeout:?}")),
        }
    }

    /// Checks that the file or the database can be read, without loading it, and that its query fits. Blocks the calling
    /// thread.
    ///
    /// # Errors
    ///
    /// The reason, in words.
    pub fn check(&self) -> Result<(), String> {
        match &self.origin {
            Origin::File(path, _) => readable(path),
            Origin::Sqlite { file, query, params } => sqlite::check(file, query, params.keys()),
            Origin::Tool { .. } | Origin::Record(_) => Ok(()),
        }
    }

    /// Returns where it reads, in words: `orders.csv`, `shop.sqlite`, `tool rates`.
    pub fn place(&self) -> String {
        match &self.origin {
            Origin::File(path, _) | Origin::Sqlite { file: path, .. } => path.display().to_string(),
            Origin::Tool { tool, .. } => format!("tool {tool}"),
            Origin::Record(_) => "record".to_string(),
        }
    }
}

impl SourceDef {
    /// Sets the label of its value.
    #[must_use]
    pub fn with_trust(mut self, trust: impl Into<String>) -> SourceDef {
        self.trust = Some(trust.into());
        self
    }

    /// Sets the expression that makes the value of what was read.
    #[must_use]
    pub fn with_select(mut self, select: impl Into<String>) -> SourceDef {
        self.select = Some(select.into());
        self
    }

    /// Sets the dotted path at the destination.
    #[must_use]
    pub fn with_path(mut self, path: impl Into<String>) -> SourceDef {
        self.path = Some(path.into());
        self
    }
}

setters! {
    SourceDef:
    /// Sets the destination of the value.
    with_into(into: SourceInto);
    /// Sets its place among the sources.
    with_order(order: i64);
    /// Sets whether it is loaded.
    with_enabled(enabled: bool);
    /// Sets what follows if it cannot be loaded.
    with_on_error(on_error: OnSourceError);
    /// Sets how long what was read is kept.
    with_cache(cache: SourceCache);
    /// Sets the most bytes that are read.
    with_max_bytes(max_bytes: u64);
    /// Sets the most rows that are read.
    with_max_rows(max_rows: u64);
    /// Sets the longest time of reading.
    with_timeout(timeout: Duration);
}

/// The help for templates that are wrong.
const TEMPLATES: &str = "write `{{context.NAME}}` or `{{input.NAME}}`";

/// Interrupts a query when nobody waits for it any more.
struct Interrupt(Arc<OnceLock<rusqlite::InterruptHandle>>);

impl Drop for Interrupt {
    fn drop(&mut self) {
        if let Some(handle) = self.0.get() {
            handle.interrupt();
        }
    }
}

fn readable(path: &Path) -> Result<(), String> {
    if !path.exists() {
        return Err("there is no such file".to_string());
    }
    // It is opened and not read.
    std::fs::File::open(path).map(drop).map_err(|error| error.to_string())
}

/// Returns what is certainly wrong with a `select`, whatever is read.
fn problem_of(select: &str) -> Option<String> {
    let names = ["loaded", "input", "context"].map(|name| (Value::str(name), Value::Nil));
    let session = Session::new(Value::map(names), Vec::new(), Limits::default());
    let problems = session.admit(select).err()?.diagnostics;
    let is_certain = |kind: Kind| matches!(kind, Kind::Parse | Kind::Unresolved | Kind::Arity);
    problems.iter().find(|it| is_certain(it.kind())).map(|it| it.message().to_string())
}
