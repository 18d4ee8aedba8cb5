//! `ptc doctor`: checks everything that a run needs. It calls no tool and asks no model for a reply.

use std::collections::BTreeSet;
use std::env::VarError;
use std::fmt::Write as _;
use std::io::{self, IsTerminal as _};
use std::path::Path;
use std::time::Duration;

use ptc_subagent::host::ChosenModel;
use ptc_subagent::provider::{Keys, ModelSpec, ProviderKind, ProviderOptions};
use ptc_subagent::store::Store;
use ptc_subagent::tool::{ToolDef, ToolPlace};
use ptc_subagent::{Agent, Mission, RunSettings};
use serde_json::{Value, json};

use crate::agents;
use crate::args::{DoctorArgs, ModelArgs};
use crate::figures::plural;
use crate::input::mission_input;
use crate::model::chosen_model;
use crate::process::runtime;
use crate::records;
use crate::report::{self, Fault, Result};

/// The time limit of a connection to a server.
const CONNECT: Duration = Duration::from_secs(5);

/// The outcome of a check.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum State {
    Ok,
    /// A run may work.
    Warn,
    /// A run cannot work.
    Fail,
}

impl State {
    fn as_str(self) -> &'static str {
        match self {
            State::Ok => "ok",
            State::Warn => "warn",
            State::Fail => "fail",
        }
    }

    fn colour(self) -> &'static str {
        match self {
            State::Ok => "\u{1b}[32m",
            State::Warn => "\u{1b}[33m",
            State::Fail => "\u{1b}[31m",
        }
    }
}

/// One check.
struct Check {
    what: String,
    state: State,
    message: String,
    help: Option<String>,
}

impl Check {
    fn new(what: &str, state: State, message: impl Into<String>) -> Check {
        Check {
            what: report::clean(what),
            state,
            message: report::clean(&message.into()),
            help: None,
        }
    }

    fn with_help(mut self, help: impl Into<String>) -> Check {
        self.help = Some(report::clean(&help.into()));
        self
    }

    fn of_error(what: &str, error: &ptc_subagent::Error) -> Check {
        let check = Check::new(what, State::Fail, error.to_string());
        match error.help() {
            Some(help) => check.with_help(help),
            None => check,
        }
    }
}

/// Runs `ptc doctor`.
pub(crate) fn command(args: &DoctorArgs) -> Result<u8> {
    let ModelArgs { model: spec, base_url, key_env } = &args.model;
    let has_options = spec.is_some() || base_url.is_some() || !key_env.is_empty();
    if args.agent.is_none() && has_options {
        let message = "`--model`, `--base-url` and `--key-env` are for the model of an agent";
        return Err(Fault::new("usage", message).with_help("give an agent file too"));
    }
    let version = format!("version {}", env!("CARGO_PKG_VERSION"));
    let mut checks = vec![Check::new("ptc", State::Ok, version), record(args.store.file())];
    match &args.agent {
        None => checks.push(key_without_agent()),
        Some(path) => match agents::read(path) {
            Err(error) => checks.push(Check::of_error("agent", &error)),
            Ok(agent) => {
                let tools = plural(agent.tools.len() as u64, "tool");
                let about = format!("{} reads: `{}` with {tools}", path.display(), agent.name);
                checks.push(Check::new("agent", State::Ok, about));
                checks.push(input(&agent));
                let runtime = runtime()?;
                checks.extend(runtime.block_on(model("", &args.model, &agent)));
                runtime.block_on(self::tools(&agent, &mut checks));
                runtime.shutdown_background();
            }
        },
    }
    let worst = checks.iter().map(|it| it.state).max().unwrap_or(State::Ok);
    if args.output.json {
        report::print_json(&as_json(&checks, worst))?;
    } else {
        report::print(&for_people(&checks))?;
    }
    Ok(if worst == State::Fail { report::USAGE } else { report::DONE })
}

fn as_json(checks: &[Check], worst: State) -> Value {
    let checks: Vec<Value> = checks
        .iter()
        .map(|it| {
            json!({
                "check": it.what,
                "state": it.state.as_str(),
                "message": it.message,
                "help": it.help,
            })
        })
        .collect();
    json!({ "state": worst.as_str(), "checks": checks })
}

fn for_people(checks: &[Check]) -> String {
    let coloured = io::stdout().is_terminal() && report::colour_is_wanted();
    let wide = checks.iter().map(|it| it.what.chars().count()).max().unwrap_or(0);
    let mut text = String::new();
    for Check { what, state, message, help } in checks {
        let (on, off) = if coloured { (state.colour(), "\u{1b}[0m") } else { ("", "") };
        // Writing to a string cannot fail.
        let _ = writeln!(text, "{on}{:<4}{off}  {what:<wide$}  {message}", state.as_str());
        if let Some(help) = help {
            let _ = writeln!(text, "      {:<wide$}  help: {help}", "");
        }
    }
    text
}

/// Checks that runs can be recorded. Creates nothing: the first run creates the record.
fn record(option: Option<&Path>) -> Check {
    let what = "record";
    let path = match records::place(option) {
        Ok((path, _)) => path,
        Err(fault) => {
            return Check::new(what, State::Fail, fault.to_string())
                .with_help("name a place with `--store FILE` or in PTC_STORE");
        }
    };
    let shown = path.display();
    if !path.exists() {
        let folder = path.ancestors().skip(1).find(|it| it.exists() || it.as_os_str().is_empty());
        let is_closed =
            folder.and_then(|it| it.metadata().ok()).is_some_and(|it| it.permissions().readonly());
        if is_closed {
            let why = format!("{shown} cannot be created: its folder is not writable");
            return Check::new(what, State::Fail, why)
                .with_help("name another place with `--store FILE` or in PTC_STORE");
        }
        return Check::new(what, State::Ok, format!("{shown} will be created by the first run"));
    }
    let count = Store::open_read_only(&path).and_then(|store| store.runs(1));
    match count {
        Err(error) => Check::of_error(what, &error),
        Ok(_) => match std::fs::OpenOptions::new().append(true).open(&path) {
            Ok(_) => Check::new(what, State::Ok, format!("{shown} opens and is writable")),
            Err(error) => {
                Check::new(what, State::Fail, format!("{shown} cannot be written: {error}"))
                    .with_help("name another place with `--store FILE` or in PTC_STORE")
            }
        },
    }
}

fn input(agent: &Agent) -> Check {
    let what = "input";
    let input = match mission_input(agent, None, &[]) {
        Ok(input) => input,
        Err(fault) => return Check::new(what, State::Fail, fault.to_string()),
    };
    let mission = Mission::new(agent, input);
    if let (Ok(warnings), Some(path)) = (mission.warnings(), &agent.input)
        && let [first, rest @ ..] = &warnings[..]
    {
        let more =
            if rest.is_empty() { String::new() } else { format!(" (and {} more)", rest.len()) };
        let about = format!("{}: {}{more}", path.display(), first.message);
        return Check::new(what, State::Warn, about)
            .with_help("correct the file, or the signature");
    }
    match (mission.system_prompt(), &agent.input) {
        (Ok(_), Some(path)) => Check::new(what, State::Ok, format!("{} matches", path.display())),
        (Ok(_), None) => Check::new(what, State::Ok, "the agent needs none"),
        // Each run may have its own input.
        (Err(error), None) => Check::new(what, State::Warn, format!("none of its own: {error}"))
            .with_help("give one to each run with `--input` or `--set`"),
        (Err(error), Some(_)) => Check::of_error(what, &error),
    }
}

/// Checks the model of an agent and its key, which is never shown. `name` is the sub-agent's name, or empty.
async fn model(name: &str, args: &ModelArgs, agent: &Agent) -> Vec<Check> {
    let what = &format!("model {name}").trim_end().to_owned();
    let chosen = chosen_model(args, agent, &RunSettings::new());
    let chosen = match chosen {
        Ok(chosen) => chosen,
        Err(fault) => {
            let check = Check::new(what, State::Fail, fault.to_string());
            return vec![match fault.help() {
                Some(help) => check.with_help(help),
                None => check,
            }];
        }
    };
    let mut checks = one_model(what, &chosen.spec, &chosen.options).await;
    for (ChosenModel { spec, options, .. }, number) in chosen.fallbacks.iter().zip(1..) {
        let what = format!("fallback {number} {name}");
        checks.extend(one_model(what.trim_end(), spec, options).await);
    }
    checks
}

async fn one_model(what: &str, spec: &ModelSpec, options: &ProviderOptions) -> Vec<Check> {
    let mut checks: Vec<Check> = key(spec, options).into_iter().collect();
    let provider = match spec.open(options) {
        Ok(provider) => provider,
        Err(error) => {
            checks.push(Check::of_error(what, &error));
            return checks;
        }
    };
    checks.push(match provider.check().await {
        Ok(_) if matches!(spec, ModelSpec::Recorded(_)) => {
            Check::new(what, State::Ok, format!("{spec} reads"))
        }
        Ok(checked) if checked.is_certain => {
            Check::new(what, State::Ok, format!("{spec}: {}", checked.message))
        }
        Ok(checked) => Check::new(what, State::Warn, format!("{spec}: {}", checked.message))
            .with_help("the server may know it nevertheless; try a run"),
        Err(error) => {
            let check = Check::new(what, State::Fail, format!("{spec}: {}", error.message));
            match error.help {
                Some(help) => check.with_help(help),
                None => check,
            }
        }
    });
    checks
}

/// Tells which key the server of a model gets.
fn key(spec: &ModelSpec, options: &ProviderOptions) -> Option<Check> {
    let ModelSpec::Server { kind, .. } = spec else { return None };
    let variable = options.api_key_env.as_deref().unwrap_or(kind.key_variable());
    let is_set = options.keys.get(variable).is_some();
    if !is_set && !kind.requires_key() {
        return None;
    }
    let foreign = options.base_url.as_deref().filter(|it| !kind.is_vendors(it));
    let foreign = foreign.filter(|_| options.api_key_env.is_none() && !options.send_key);
    match (is_set, foreign) {
        (true, None) => Some(Check::new("key", State::Ok, format!("{variable} is set"))),
        (true, Some(_)) => {
            let message = format!("{variable} is not sent to a server that is not its vendor's");
            let help = "name the variable of its key with `api_key_env`, if the server needs one";
            Some(Check::new("key", State::Ok, message).with_help(help))
        }
        (false, _) if options.base_url.is_some() && options.api_key_env.is_none() => {
            let message = format!("{variable} is not set; a server of yours may need none");
            Some(Check::new("key", State::Ok, message))
        }
        // The check of the model reports the missing key.
        (false, _) => None,
    }
}

fn key_without_agent() -> Check {
    let keys = Keys::from_env();
    let kinds = ProviderKind::all().filter(|kind| kind.requires_key());
    let variables: BTreeSet<&str> = kinds.map(ProviderKind::key_variable).collect();
    let set: Vec<&str> = variables.iter().copied().filter(|it| keys.get(it).is_some()).collect();
    if !set.is_empty() {
        return Check::new("key", State::Ok, format!("set: {}", set.join(", ")));
    }
    let variables: Vec<&str> = variables.into_iter().collect();
    Check::new("key", State::Warn, format!("none of {} is set", variables.join(", ")))
        .with_help("a server with `base_url`, Ollama and recordings need none")
}

/// Checks the tools of an agent, and the models and tools of its sub-agents. A tool of a sub-agent has the name of the
/// sub-agent before its own.
async fn tools(agent: &Agent, checks: &mut Vec<Check>) {
    let mut work = vec![(String::new(), agent)];
    while let Some((prefix, agent)) = work.pop() {
        checks.extend(agent.left_out.iter().map(|it| {
            let what = format!("tool {prefix}{}", it.name);
            let message = format!("is left out of the {}: it {}", it.source, it.why);
            Check::new(&what, State::Warn, message)
        }));
        for tool in &agent.tools {
            let name = format!("{prefix}{}", tool.name);
            let Some(sub_agent) = tool.sub_agent() else {
                checks.push(self::tool(&name, tool).await);
                checks.extend(variables(&name, tool));
                checks.extend(effect(&name, tool));
                continue;
            };
            if sub_agent.model.is_some() {
                checks.extend(model(&name, &ModelArgs::default(), sub_agent).await);
            } else {
                let what = format!("model {name}");
                checks.push(Check::new(&what, State::Ok, "the model of the agent that calls it"));
            }
            work.push((format!("{name}/"), sub_agent));
        }
    }
}

async fn tool(name: &str, tool: &ToolDef) -> Check {
    let what = format!("tool {name}");
    match tool.place() {
        _ if !tool.is_callable() => Check::new(&what, State::Ok, "for planning only"),
        Some(ToolPlace::Command { command, folder }) => self::command_tool(&what, command, folder),
        Some(ToolPlace::Server { host, port }) => server(&what, &host, port).await,
        _ => Check::new(&what, State::Ok, "nothing to reach"),
    }
}

/// Checks the environment variables that a tool needs, and returns the problems. Values are never shown.
fn variables(name: &str, tool: &ToolDef) -> Vec<Check> {
    let what = &format!("tool {name}");
    let needs = tool.needs();
    let for_headers = needs.header_variables.iter().filter_map(|variable| {
        let why = match std::env::var(variable) {
            Ok(value) if value.is_empty() => "is empty",
            Ok(value) if value.contains(|c: char| c.is_control() && c != '\t') => {
                "has a line break or another character that is invalid in a header"
            }
            Ok(_) => return None,
            Err(VarError::NotPresent) => "is not set",
            Err(VarError::NotUnicode(_)) => "is not valid Unicode",
        };
        let state = if why == "is empty" { State::Warn } else { State::Fail };
        let message = format!("the variable {variable}, which a header needs, {why}");
        Some(Check::new(what, state, message).with_help(format!("set {variable} before a run")))
    });
    let missing = |variable: &&String| std::env::var_os(variable).is_none();
    let passed = needs.passed_variables.iter().filter(missing).map(|variable| {
        let message = format!("the variable {variable}, which its `env` names, is not set");
        let help = format!("set {variable} before a run, or take it out of `env`");
        Check::new(what, State::Warn, message).with_help(help)
    });
    for_headers.chain(passed).collect()
}

/// Returns a warning about a tool that declares no effect.
fn effect(name: &str, tool: &ToolDef) -> Option<Check> {
    let message = "none is given, so it counts as a tool that writes";
    tool.effect_is_assumed().then(|| {
        Check::new(&format!("effect {name}"), State::Warn, message).with_help(report::SAY_EFFECT)
    })
}

/// Programs that run the file of their first argument.
const INTERPRETERS: &[&str] =
    &["bash", "bb", "deno", "node", "perl", "php", "python", "python3", "Rscript", "ruby", "sh"];

fn command_tool(what: &str, command: &[String], folder: &Path) -> Check {
    let Some((program, arguments)) = command.split_first() else {
        return Check::new(what, State::Fail, "has no command");
    };
    if let Err((why, help)) = find_program(program, folder) {
        return Check::new(what, State::Fail, why).with_help(help);
    }
    let script = arguments.first().filter(|it| {
        INTERPRETERS.contains(&program.as_str()) && !it.starts_with('-') && it.contains(['.', '/'])
    });
    if let Some(script) = script
        && !folder.join(script).is_file()
    {
        let why = format!("there is no file {}", folder.join(script).display());
        return Check::new(what, State::Fail, why)
            .with_help("paths in a command are relative to the agent file");
    }
    Check::new(what, State::Ok, format!("`{program}` exists; it was not called"))
}

/// Looks for a program as the start of a tool does: a path relative to the tool's folder, a bare name in PATH.
///
/// # Errors
///
/// The reason that it cannot run, and the help.
fn find_program(program: &str, folder: &Path) -> std::result::Result<(), (String, String)> {
    let change = "install it, or change `command` of the tool".to_owned();
    if Path::new(program).components().count() > 1 {
        let path = folder.join(program);
        return match (path.is_file(), is_executable(&path)) {
            (true, true) => Ok(()),
            (true, false) => Err((
                format!("{} is not executable", path.display()),
                format!("chmod +x {}", path.display()),
            )),
            (false, _) => Err((format!("there is no file {}", path.display()), change)),
        };
    }
    let path = std::env::var_os("PATH").unwrap_or_default();
    let mut names = vec![program.to_owned()];
    if cfg!(windows) {
        names.extend(["exe", "cmd", "bat"].map(|ending| format!("{program}.{ending}")));
    }
    std::env::split_paths(&path)
        .flat_map(|folder| names.iter().map(move |name| folder.join(name)).collect::<Vec<_>>())
        .find(|it| it.is_file() && is_executable(it))
        .map(drop)
        .ok_or_else(|| (format!("`{program}` is not in a folder of PATH"), change))
}

#[cfg(unix)]
fn is_executable(path: &Path) -> bool {
    use std::os::unix::fs::PermissionsExt as _;
    path.metadata().is_ok_and(|it| it.permissions().mode() & 0o111 != 0)
}

#[cfg(not(unix))]
fn is_executable(_: &Path) -> bool {
    true
}

/// Checks that a server accepts connections. It sends no request, because that would be a call.
async fn server(what: &str, host: &str, port: u16) -> Check {
    let bare = host.trim_matches(['[', ']']);
    let connected = tokio::time::timeout(CONNECT, tokio::net::TcpStream::connect((bare, port)));
    match connected.await {
        Ok(Ok(_)) => {
            Check::new(what, State::Ok, format!("{host}:{port} answers; the tool was not called"))
        }
        Ok(Err(error)) => {
            Check::new(what, State::Fail, format!("cannot connect to {host}:{port}: {error}"))
                .with_help("look at `url` of the tool, and whether the server runs")
        }
        Err(_) => Check::new(
            what,
            State::Fail,
            format!("{host}:{port} does not answer within {CONNECT:?}"),
        )
        .with_help("look at `url` of the tool, at the network and its proxy"),
    }
}
