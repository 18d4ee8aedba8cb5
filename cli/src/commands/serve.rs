//! `ptc serve`: agents and their runs over HTTP.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use ptc_serve::{Log, Options, Server};
use ptc_subagent::host::Webhook;
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
    let keep = args.keep.as_deref().map(keep).transpose()?;
    let store = records::open_for_writing(args.store.file())?;
    let all = agents::read_all(&args.agents, &|why| notes.left_out(why))?;
    let runtime = runtime()?;
    let mut options = Options::default();
    options.max_runs = args.max_runs;
    options.max_queued = args.max_queue;
    options.grace = Duration::from_secs(args.grace);
    options.keep = keep;
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
    let spans = Mutex::new(telemetry.observer(Vec::new()));
    options.observer = Some(Arc::new(move |run, event| {
        spans.lock().unwrap_or_else(PoisonError::into_inner)(run, event);
    }));
    options.recall = Some(Arc::new(agents::recall()));
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

/// The least age of runs that a server deletes. Its budgets count the runs of a day.
const DAY: Duration = Duration::from_hours(24);

fn keep(text: &str) -> Result<Duration> {
    let wrong = || records::invalid_age("--keep", text, "write it as `90d`");
    let age = records::age(text).ok_or_else(wrong)?;
    if age < DAY {
        let fault = Fault::new("usage", format!("--keep: `{text}` is less than a day"));
        return Err(fault.with_help("budgets count the runs of a day"));
    }
    Ok(age)
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
