//! Helpers that start the command and compare output with files.

use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use serde_json::Value;

/// The exit code and the output of a process.
#[derive(Debug, PartialEq)]
pub(crate) struct Output {
    pub(crate) code: Option<i32>,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

/// Returns the folder of the test data, in which processes run.
pub(crate) fn data() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests").join("data")
}

/// Returns the command with an environment that is the same on every machine.
pub(crate) fn ptc(args: &[&str], store: &Path) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_ptc"));
    command
        .args(args)
        .current_dir(data())
        .env_clear()
        .env("PATH", std::env::var_os("PATH").unwrap_or_default())
        .env("TZ", "UTC")
        .env("PTC_STORE", store)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    command
}

/// A folder with agents, and a store of its own.
pub(crate) struct Folder(tempfile::TempDir);

impl Folder {
    pub(crate) fn new() -> Folder {
        Folder(tempfile::tempdir().expect("makes a folder"))
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    /// Writes a workflow: its program, and its agent file.
    pub(crate) fn write_workflow(&self, name: &str, program: &str) {
        let agent = format!("name = \"{name}\"\nprogram = \"{name}.clj\"\n");
        std::fs::write(self.path(&format!("{name}.clj")), program).expect("writes");
        std::fs::write(self.path(&format!("{name}.toml")), agent).expect("writes");
    }

    /// Returns the command with its folder and its store.
    pub(crate) fn command(&self, args: &[&str]) -> Command {
        let mut command = ptc(args, &self.path("runs.sqlite"));
        command.current_dir(self.0.path());
        command
    }

    pub(crate) fn ptc(&self, args: &[&str]) -> Output {
        run(&mut self.command(args), b"")
    }

    /// Returns what `ptc show --json` prints of a run.
    pub(crate) fn show(&self, id: &str) -> Value {
        serde_json::from_str(&self.ptc(&["show", id, "--json"]).stdout).expect("is JSON")
    }
}

/// Runs a command to its end.
pub(crate) fn run(command: &mut Command, stdin: &[u8]) -> Output {
    let mut child = command.spawn().expect("starts");
    let mut input = child.stdin.take().expect("is piped");
    let stdin = stdin.to_vec();
    // Without a thread, a process that answers while it reads would block.
    let writer = std::thread::spawn(move || {
        // The process may end before it has read everything.
        drop(input.write_all(&stdin));
    });
    let output = child.wait_with_output().expect("ends");
    writer.join().expect("writes");
    Output {
        code: output.status.code(),
        stdout: String::from_utf8(output.stdout).expect("is UTF-8"),
        stderr: String::from_utf8(output.stderr).expect("is UTF-8"),
    }
}

/// Runs `ptc` with a new store.
pub(crate) fn run_ptc(args: &[&str], stdin: &str) -> Output {
    let folder = tempfile::tempdir().expect("makes a folder");
    run(&mut ptc(args, &folder.path().join("runs.sqlite")), stdin.as_bytes())
}

/// Returns the names of all commands, as `ptc --help` lists them.
pub(crate) fn commands() -> Vec<String> {
    let help = run_ptc(&["--help"], "").stdout;
    let list = help.split("Commands:\n").nth(1).and_then(|rest| rest.split("\n\n").next());
    // A long description continues on lines that are indented further.
    let lines = list.expect("lists commands").lines();
    let names = lines.filter_map(|line| line.strip_prefix("  ")?.split(' ').next());
    names.filter(|name| !name.is_empty()).map(str::to_owned).collect()
}

/// Returns `count`, or 1 if `PTC_TESTS=all` asks for every case of a corpus.
pub(crate) fn one_in(count: usize) -> usize {
    if std::env::var_os("PTC_TESTS").is_some_and(|value| value == "all") { 1 } else { count }
}

/// Compares a text with a file. With `UPDATE=1` it writes the file instead, for review.
pub(crate) fn compare(path: &Path, actual: &str) {
    if std::env::var_os("UPDATE").is_some_and(|value| value == "1") {
        std::fs::write(path, actual).expect("writes");
        return;
    }
    let expected = std::fs::read_to_string(path).expect("reads");
    if actual == expected {
        return;
    }
    let pairs = expected.lines().zip(actual.lines()).enumerate();
    let first = pairs.into_iter().find(|(_, (expected, actual))| expected != actual);
    match first {
        Some((at, (expected, actual))) => {
            panic!("{}:{}\nexpected: {expected}\n  actual: {actual}", path.display(), at + 1)
        }
        None => panic!("{}: one ends before the other", path.display()),
    }
}
