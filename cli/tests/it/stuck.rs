//! Pipes without a reader: a run still ends, and its value is printed.

#![cfg(unix)]

use std::io::Write;
use std::process::{Command, Stdio};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use crate::support::{ptc, run};

/// Keeps a pipe full until its last reader is closed.
fn fill(mut pipe: impl Write + Send + 'static) -> JoinHandle<()> {
    std::thread::spawn(move || while pipe.write_all(&[0; 4096]).is_ok() {})
}

#[test]
fn a_stderr_without_a_reader() {
    let folder = tempfile::tempdir().expect("makes a folder");
    let store = folder.path().join("runs.sqlite");
    for (args, code, stdout) in [
        (["run", "agents/one.toml"], 0, "3\n"),
        (["run", "agents/turns.toml"], 3, ""),
        (["run", "agents/mended.toml"], 0, "3\n"),
    ] {
        let (reader, writer) = std::io::pipe().expect("makes a pipe");
        let full = fill(writer.try_clone().expect("clones"));
        let mut command = ptc(&args, &store);
        let child = command.stdin(Stdio::null()).stderr(writer).spawn().expect("starts");
        // Otherwise, this process would keep the other end of the pipe open.
        drop(command);
        let output = child.wait_with_output().expect("ends");
        assert_eq!(
            (output.status.code(), String::from_utf8_lossy(&output.stdout).as_ref()),
            (Some(code), stdout),
            "{args:?}"
        );
        drop(reader);
        full.join().expect("writes");
    }
}

#[test]
fn events_without_a_reader() {
    let folder = tempfile::tempdir().expect("makes a folder");
    let pipe = folder.path().join("events");
    let status = Command::new("mkfifo").arg(&pipe).status().expect("starts");
    assert!(status.success());
    // Opened for reading and writing, so that no process blocks while it opens the pipe.
    let pipe_ends = std::fs::OpenOptions::new().read(true).write(true).open(&pipe).expect("opens");
    let full = fill(std::fs::OpenOptions::new().write(true).open(&pipe).expect("opens"));
    let name = pipe.to_string_lossy();
    let args = ["run", "agents/one.toml", "--quiet", "--events", &name];
    let output = run(&mut ptc(&args, &folder.path().join("runs.sqlite")), b"");
    let expected =
        format!("output\n\n  × cannot write events to {name}: the reader does not read\n");
    assert_eq!((output.code, output.stdout.as_str()), (Some(2), "3\n"));
    assert_eq!(output.stderr, expected);
    drop(pipe_ends);
    full.join().expect("writes");
}

#[test]
fn results_without_a_reader() {
    let folder = tempfile::tempdir().expect("makes a folder");
    let store = folder.path().join("runs.sqlite");
    let (reader, writer) = std::io::pipe().expect("makes a pipe");
    let full = fill(writer.try_clone().expect("clones"));
    let args = ["run", "agents/one.toml", "--inputs", "inputs/good.jsonl", "--jobs", "2"];
    let mut command = ptc(&args, &store);
    let child = command.stdin(Stdio::null()).stdout(writer).spawn().expect("starts");
    drop(command);
    let started = Instant::now();
    while run(&mut ptc(&["runs"], &store), b"").stdout.matches("returned").count() < 3 {
        assert!(started.elapsed() < Duration::from_mins(1), "never: both have returned");
        std::thread::sleep(Duration::from_millis(20));
    }
    let id = child.id().to_string();
    let killed = Command::new("kill").args(["-TERM", &id]).status().expect("starts");
    assert!(killed.success());
    let output = child.wait_with_output().expect("ends");
    assert_eq!(output.status.code(), Some(4), "{}", String::from_utf8_lossy(&output.stderr));
    drop(reader);
    full.join().expect("writes");
}
