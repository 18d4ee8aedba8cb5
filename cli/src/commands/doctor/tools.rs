//! The checks of tools. None is called.

use std::env::VarError;
use std::path::Path;
use std::time::Duration;

use ptc_subagent::Agent;
use ptc_subagent::tool::{ToolDef, ToolPlace};

use super::check::{Check, State};
use crate::report;

/// The time limit of a connection to a server.
const CONNECT: Duration = Duration::from_secs(5);

/// Returns the tools that an agent does without. `prefix` is the path of the agent.
pub(super) fn left_out(prefix: &str, agent: &Agent) -> Vec<Check> {
    let all = agent.left_out.iter().map(|it| {
        let what = format!("tool {prefix}{}", it.name);
        let message = format!("is left out of the {}: it {}", it.source, it.why);
        Check::new(&what, State::Warn, message)
    });
    all.collect()
}

/// Checks a tool other than an agent.
pub(super) async fn tool(name: &str, tool: &ToolDef) -> Vec<Check> {
    let mut checks = vec![place(name, tool).await];
    checks.extend(variables(name, tool));
    checks.extend(effect(name, tool));
    checks
}

async fn place(name: &str, tool: &ToolDef) -> Check {
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
