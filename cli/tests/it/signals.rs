//! Signals: each that ends a process ends its run on record, with its tools, and leaves the terminal as it was.

#![cfg(unix)]

use std::io::{BufRead as _, BufReader, Read as _};
use std::process::{Child, Command};

use serde_json::Value;

use crate::support::Folder;

/// A program whose tool tells that it runs by a pipe, which is open as long as a process of the tool lives.
const AGENT: &str = r#"
name = "slow"
program = "slow.clj"

[[tools]]
name = "wait"
command = ["sh", "-c", "exec 3> alive; echo up >&3; cat let-go; echo 7"]
effect = "write"
timeout = 600
"#;

fn folder() -> Folder {
    let folder = Folder::new();
    for pipe in ["alive", "let-go"] {
        let made = Command::new("mkfifo").arg(folder.path(pipe)).status();
        assert!(made.expect("starts").success());
    }
    std::fs::write(folder.path("slow.clj"), "(return (tool/wait {}))").expect("writes");
    std::fs::write(folder.path("slow.toml"), AGENT).expect("writes");
    folder
}

/// Returns the pipe once a tool has opened it.
fn wait_for_tool(folder: &Folder, child: &mut Child) -> BufReader<std::fs::File> {
    let path = folder.path("alive");
    let opened = std::thread::spawn(move || std::fs::File::open(path).expect("opens"));
    while !opened.is_finished() {
        assert_eq!(child.try_wait().expect("runs"), None, "it ended before its tool");
        std::thread::sleep(std::time::Duration::from_millis(10));
    }
    let mut alive = BufReader::new(opened.join().expect("opens"));
    let mut line = String::new();
    alive.read_line(&mut line).expect("reads");
    assert_eq!(line, "up\n");
    alive
}

/// Returns the signals that end a process. A test behind `nohup` cannot send all of them, since its commands inherit what
/// it ignores.
pub(crate) fn signals() -> Vec<&'static str> {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    let mask = mask.and_then(|it| u64::from_str_radix(it.trim(), 16).ok()).unwrap_or_default();
    let all = [("INT", 0), ("TERM", 0), ("HUP", 1)];
    all.into_iter().filter(|(_, bit)| mask & bit == 0).map(|(name, _)| name).collect()
}

pub(crate) fn send(signal: &str, child: &Child) {
    let sent = Command::new("kill").args(["-s", signal, &child.id().to_string()]).status();
    assert!(sent.expect("starts").success());
}

#[test]
fn each_signal_ends_a_run_with_its_tools() {
    for signal in signals() {
        let folder = folder();
        let mut command = folder.command(&["run", "slow.toml", "--json", "--quiet"]);
        let mut child = command.spawn().expect("starts");
        let mut alive = wait_for_tool(&folder, &mut child);
        send(signal, &child);
        let output = child.wait_with_output().expect("ends");
        let report: Value = serde_json::from_slice(&output.stdout).expect("is JSON");
        assert_eq!((output.status.code(), &report["stop"]), (Some(4), &"cancelled".into()));
        // The pipe ends with the last process of the tool.
        let mut rest = Vec::new();
        alive.read_to_end(&mut rest).expect("reads");
        assert_eq!(rest, b"", "{signal}");
        let run = report["run"].as_str().expect("is a text");
        assert_eq!(folder.show(run)["status"], "stopped", "{signal}");
    }
}

/// A session of lines ends what runs, too.
#[test]
fn each_signal_ends_a_session_with_its_tools() {
    for signal in signals() {
        let folder = folder();
        let mut child = folder.command(&["repl", "slow.toml"]).spawn().expect("starts");
        let mut stdin = child.stdin.take().expect("is piped");
        std::io::Write::write_all(&mut stdin, b"(tool/wait {})\n").expect("writes");
        let mut alive = wait_for_tool(&folder, &mut child);
        send(signal, &child);
        let output = child.wait_with_output().expect("ends");
        let mut rest = Vec::new();
        alive.read_to_end(&mut rest).expect("reads");
        assert_eq!((output.status.code(), rest), (Some(4), Vec::new()), "{signal}");
        drop(stdin);
    }
}

/// `nohup` starts a command so that it survives its terminal.
#[cfg(target_os = "linux")]
#[test]
fn a_run_behind_nohup_survives_its_terminal() {
    let folder = folder();
    let inner = folder.command(&["run", "slow.toml", "--quiet"]);
    let mut command = folder.command(&[]);
    let mut outer = Command::new("sh");
    outer.args(["-c", "trap '' HUP; exec \"$@\"", "sh"]);
    outer.arg(inner.get_program()).args(inner.get_args()).current_dir(folder.path(""));
    outer.env_clear();
    for (name, value) in command.env("LC_ALL", "C").get_envs() {
        value.map(|value| outer.env(name, value));
    }
    let mut child = outer.stdout(std::process::Stdio::piped()).spawn().expect("starts");
    let alive = wait_for_tool(&folder, &mut child);
    send("HUP", &child);
    std::fs::write(folder.path("let-go"), "").expect("writes");
    let output = child.wait_with_output().expect("ends");
    assert_eq!((output.status.code(), output.stdout), (Some(0), b"7\n".to_vec()));
    drop(alive);
}
