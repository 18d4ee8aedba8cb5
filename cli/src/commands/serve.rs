//! `ptc serve`: agents and their runs over HTTP.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use ptc_serve::{Log, Options, Server};
use ptc_subagent::host::Webhook;
use ptc_subagent::{Agent, ErrorKind};
use serde_json::{Value, json};
use tokio::net::TcpListener;

use crate::agents;
use crate::args::{LogForm, ServeArgs};
use crate::process::runtime;
use crate::records;
use crate::report::{self, Fault, Result};
use crate::signals::interrupted;
use crate::telemetry::Telemetry;
use crate::tokens;

/// Runs `ptc serve`.
pub(crate) fn command(args: &ServeArgs) -> Result<u8> {
    // Without a file there are no tokens, unless the command line names one.
    let is_named = args.tokens.file().is_some();
    let tokens = tokens::file(&args.tokens).ok().filter(|it| is_named || it.path().is_file());
    Server::check(args.http, tokens.is_some()).map_err(|error| {
        let fault = Fault::new("usage", error.message());
        match error.help() {
            Some(help) => fault.with_help(help),
            None => fault,
        }
    })?;
    let notes = Notes(args.log);
    let store = records::open_for_writing(args.store.file())?;
    let mut all = Vec::new();
    for path in &args.agents {
        if path.is_dir() {
            in_folder(path, &mut all, notes)?;
        } else {
            all.push(agents::read(path)?);
        }
    }
    if all.is_empty() {
        return Err(Fault::new("usage", "there is no agent file in these folders"));
    }
    let runtime = runtime()?;
    let mut options = Options::default();
    options.max_runs = args.max_runs;
    options.max_queued = args.max_queue;
    options.grace = Duration::from_secs(args.grace);
    options.model = args.model.model.as_deref().map(str::parse).transpose()?;
    options.base_url.clone_from(&args.model.base_url);
    options.keys = args.model.keys();
    options.tokens = tokens;
    options.log = args.log.map(|_| -> Log { Arc::new(move |line| notes.log(line)) });
    if let (Some(url), Some(name)) = (&args.webhook, &args.webhook_secret_env) {
        let secret =
            std::env::var(name).ok().filter(|it| !it.trim().is_empty()).ok_or_else(|| {
                Fault::new("usage", format!("the environment variable `{name}` has no secret"))
            })?;
        options.webhook = Some(Arc::new(Webhook::new(url, &secret)?));
    }
    let telemetry = runtime.block_on(async { Telemetry::from_env() });
    let spans = Mutex::new(telemetry.observer());
    options.observer = Some(Arc::new(move |run, event| {
        spans.lock().unwrap_or_else(PoisonError::into_inner)(run, event);
    }));
    let servers = agents::servers();
    options.recall = Some(Arc::new(move |record| {
        let file = record.setup.file.as_ref().map(Path::new);
        let file = file.ok_or_else(|| {
            let message = format!("run {} does not name its agent file", record.summary.run);
            ptc_subagent::Error::new(ErrorKind::Replay, message)
        })?;
        Agent::read_with(file, &servers, Some(record))
    }));
    let server = Server::new(all, store, options)?;
    let outcome = runtime.block_on(async {
        let failed = |error: std::io::Error| {
            let message = format!("cannot listen at {}: {error}", args.http);
            Fault::new("unusable-server", message)
        };
        let listener = TcpListener::bind(args.http).await.map_err(failed)?;
        let address = listener.local_addr().map_err(failed)?;
        let url = format!("http://{address}");
        notes.tell("listening", "url", &url, &format!("listening at {url}"));
        let stops = async {
            interrupted().await;
            server.stop().await;
        };
        tokio::select! {
            outcome = server.serve(listener) => Ok(outcome?),
            () = stops => Ok(()),
        }
    });
    let unsent = runtime.block_on(telemetry.finish());
    if let Some(warning) = unsent {
        report::say(&warning);
    }
    runtime.shutdown_background();
    outcome.map(|()| report::DONE)
}

/// The lines on stderr. With a log of JSON, each of them is JSON.
#[derive(Clone, Copy)]
struct Notes(Option<LogForm>);

impl Notes {
    /// Tells something that is not part of the log. `text` is its line for a person.
    fn tell(self, event: &str, key: &str, value: &str, text: &str) {
        match self.0 {
            Some(LogForm::Json) => {
                let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
                let at = u64::try_from(since.as_millis()).unwrap_or(u64::MAX);
                self.log(&json!({"event": event, "at": at, key: value}));
            }
            _ => say(text),
        }
    }

    /// Writes a line of the log.
    fn log(self, line: &Value) {
        match self.0 {
            Some(LogForm::Json) => say(&line.to_string()),
            _ => say(&words(line)),
        }
    }

    /// Tells that a file is left out.
    fn left_out(self, why: &str) {
        self.tell("left-out", "why", why, &format!("warning: left out: {why}"));
    }
}

fn say(line: &str) {
    report::say(&format!("{}\n", report::clean(line)));
}

/// Returns a line of the log as words.
fn words(line: &Value) -> String {
    let fields = line.as_object().into_iter().flatten();
    // Whatever keeps lines of words notes the time too.
    let fields = fields.filter(|(key, _)| *key != "at");
    let word = |(key, value): (&String, &Value)| match value {
        Value::String(text) if key == "event" => text.clone(),
        Value::String(text) => format!("{key}={text}"),
        value => format!("{key}={value}"),
    };
    fields.filter(|(_, value)| !value.is_null()).map(word).collect::<Vec<_>>().join(" ")
}

/// The maximum depth of the folders in which agent files are looked for.
const MAX_DEPTH: usize = 3;

/// Adds the agents of a folder. Each file `agent.toml` is one; a folder without any has one in each file that can be read
/// as an agent. A file that cannot be used is told.
fn in_folder(folder: &Path, all: &mut Vec<Agent>, notes: Notes) -> Result<()> {
    let mut files = Vec::new();
    agent_files(folder, MAX_DEPTH, &mut files)?;
    for file in files {
        let agent = match agents::read(&file) {
            Ok(agent) => agent,
            Err(error) => {
                notes.left_out(&error.to_string());
                continue;
            }
        };
        if all.iter().any(|it| it.name == agent.name) {
            let file = file.display();
            notes.left_out(&format!("{file}: another agent is named `{}`", agent.name));
            continue;
        }
        all.push(agent);
    }
    Ok(())
}

/// Lists the agent files of a folder and the folders in it, in the order of their names.
fn agent_files(folder: &Path, depth: usize, files: &mut Vec<PathBuf>) -> Result<()> {
    let failed = |error: std::io::Error| {
        Fault::new("unreadable-file", format!("cannot read {}: {error}", folder.display()))
    };
    let mut entries = Vec::new();
    for entry in std::fs::read_dir(folder).map_err(failed)? {
        entries.push(entry.map_err(failed)?.path());
    }
    entries.sort();
    let named: Vec<PathBuf> = entries
        .iter()
        .filter(|it| it.file_name().is_some_and(|it| it == "agent.toml"))
        .cloned()
        .collect();
    let others = entries.iter().filter(|it| it.extension().is_some_and(|it| it == "toml"));
    if named.is_empty() {
        files.extend(others.filter(|it| it.is_file()).cloned());
    } else {
        // The other files of such a folder are the agents that it calls.
        files.extend(named);
    }
    let folders = entries.iter().filter(|it| it.is_dir()).filter(|_| depth > 0);
    for folder in folders {
        agent_files(folder, depth - 1, files)?;
    }
    Ok(())
}
