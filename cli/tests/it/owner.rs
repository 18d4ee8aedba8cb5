//! Runs that have not ended and the processes that own them, as other processes see them. Some of those processes
//! cannot see the owner.

#![cfg(unix)]
#![expect(clippy::print_stderr, reason = "it says what this machine does not let it test")]

use std::fs;
use std::io::Read as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use crate::support::{Output, ptc, run};

/// An agent whose tool writes the key of each call to a file. Its first call waits until the test releases it.
const AGENT: &str = r#"
name = "slow"
prompt = "Write."
signature = "() -> :int"
model = "recorded:slow.jsonl"

[[tools]]
name = "put"
command = ["sh", "-c", "echo $PTC_IDEMPOTENCY_KEY >> log; if [ ! -e go-on ]; then echo > called; cat let-go; fi; echo 7"]
effect = "write"
idempotent = true
timeout = 600
"#;

struct Folder(tempfile::TempDir);

impl Folder {
    fn new() -> Folder {
        let folder = Folder(tempfile::tempdir().expect("makes a folder"));
        for pipe in ["called", "let-go"] {
            let made = Command::new("mkfifo").arg(folder.path(pipe)).status();
            assert!(made.expect("starts").success());
        }
        let reply = "```clojure\n(return (tool/put {}))\n```";
        let reply = serde_json::json!({ "text": reply }).to_string();
        fs::write(folder.path("slow.jsonl"), reply + "\n").expect("writes");
        fs::write(folder.path("slow.toml"), AGENT).expect("writes");
        folder
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn ptc(&self, args: &[&str]) -> Command {
        let mut command = ptc(args, &self.path("runs.sqlite"));
        command.current_dir(self.0.path());
        command
    }

    /// Starts a command, and returns once its tool is called.
    fn start(&self, mut command: Command) -> Child {
        let child = command.stdin(Stdio::null()).spawn().expect("starts");
        self.wait_for_call();
        child
    }

    /// Waits until a tool is called.
    fn wait_for_call(&self) {
        let mut pipe = fs::File::open(self.path("called")).expect("opens");
        pipe.read_to_end(&mut Vec::new()).expect("reads");
    }

    /// Releases the calls that wait, once there is one. A call that waits later is not released.
    fn release_calls(&self) {
        drop(fs::OpenOptions::new().write(true).open(self.path("let-go")).expect("opens"));
    }

    /// Returns the number of times the tool ran, and the number of different calls.
    fn calls(&self) -> (usize, usize) {
        let log = fs::read_to_string(self.path("log")).unwrap_or_default();
        let mut keys: Vec<&str> = log.lines().collect();
        let all = keys.len();
        keys.dedup();
        (all, keys.len())
    }

    /// Returns the status of each run of the store, as `ptc runs` prints it; `died` if the owner died.
    fn statuses(&self, command: Command) -> Vec<String> {
        let mut command = command;
        let output = run(&mut command, b"");
        assert_eq!((output.code, output.stderr.as_str()), (Some(0), ""));
        let found: serde_json::Value = serde_json::from_str(&output.stdout).expect("is JSON");
        let runs = found["runs"].as_array().expect("has runs").iter();
        runs.map(|it| if it["died"] == true { "died".into() } else { text(&it["status"]) })
            .collect()
    }

    /// Returns the output of a resume that is refused while the run is alive.
    fn refusal(&self) -> Output {
        let shown = run(&mut self.ptc(&["show", "--json"]), b"").stdout;
        let record: serde_json::Value = serde_json::from_str(&shown).expect("is JSON");
        let process = text(&record["process"]);
        let place = process.split_once(':').expect("has a name").0.replace('@', " on ");
        let (id, store) = (text(&record["run"]), self.path("runs.sqlite"));
        let stderr = format!(
            "no-replay\n\n  × {}: run {id} is still running in process {place}\n  \
             help: end that process first, or resume anyway with `--take-over`\n",
            store.display()
        );
        Output { code: Some(2), stdout: String::new(), stderr }
    }

    fn owners(&self) -> usize {
        let entries = fs::read_dir(self.0.path()).expect("reads").flatten();
        entries.filter(|it| it.file_name().to_string_lossy().contains("-owner-")).count()
    }
}

fn text(value: &serde_json::Value) -> String {
    value.as_str().expect("is a text").to_owned()
}

/// Returns the command in a new process namespace. Returns `None` if the machine does not permit that.
fn in_new_namespace(inner: &Command) -> Option<Command> {
    wrapped("unshare", &["-rmpf", "--mount-proc"], inner)
}

/// Returns the command as a user who may only read the folder. Returns `None` if the machine does not permit
/// that.
pub(crate) fn as_reader(inner: &Command) -> Option<Command> {
    wrapped("setpriv", &["--reuid=65534", "--regid=65534", "--clear-groups"], inner)
}

/// Returns the command as an argument of another program.
fn wrapped(program: &str, args: &[&str], inner: &Command) -> Option<Command> {
    let probe = Command::new(program).args(args).arg("true").output();
    if !probe.is_ok_and(|it| it.status.success()) {
        eprintln!("this machine does not permit `{program}`: not tested");
        return None;
    }
    let mut command = Command::new(program);
    command.args(args).arg(inner.get_program()).args(inner.get_args());
    command.env_clear();
    for (name, value) in inner.get_envs() {
        value.map(|value| command.env(name, value));
    }
    command.current_dir(inner.get_current_dir().unwrap_or(Path::new("/")));
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    Some(command)
}

/// Every process that can open the store sees that a run is alive. As soon as the owner is killed, all of them see that
/// it is dead, although its tool still runs.
#[test]
fn a_run_is_alive_until_its_process_is_killed() {
    let folder = Folder::new();
    let mut child = folder.start(folder.ptc(&["run", "slow.toml", "--quiet"]));
    let local = |args: &[&str]| folder.ptc(args);
    assert_eq!(folder.statuses(local(&["runs", "--json"])), ["running"]);
    let refusal = folder.refusal();
    assert_eq!(run(&mut local(&["resume", "--quiet"]), b""), refusal);
    if let Some(runs) = in_new_namespace(&local(&["runs", "--json"])) {
        assert_eq!(folder.statuses(runs), ["running"]);
        let mut resume = in_new_namespace(&local(&["resume", "--quiet"])).expect("is permitted");
        assert_eq!(run(&mut resume, b""), refusal);
    }
    assert_eq!(folder.calls(), (1, 1));
    assert_eq!(folder.owners(), 1);

    child.kill().expect("kills");
    child.wait().expect("ends");
    assert_eq!(folder.statuses(local(&["runs", "--json"])), ["died"]);
    if let Some(runs) = in_new_namespace(&local(&["runs", "--json"])) {
        assert_eq!(folder.statuses(runs), ["died"]);
    }
    assert_eq!(folder.owners(), 1, "its file is there");
    fs::write(folder.path("go-on"), "").expect("writes");
    let resumed = run(&mut local(&["resume", "--quiet"]), b"");
    assert_eq!((resumed.code, resumed.stdout.as_str()), (Some(0), "7\n"), "{}", resumed.stderr);
    assert_eq!(folder.calls(), (2, 1), "the same call again");
    assert_eq!(folder.owners(), 0);
    folder.release_calls();
}

/// The owner is in a process namespace of its own, where its process id is that of another process here.
#[test]
fn a_run_in_another_namespace_is_left_alone() {
    let folder = Folder::new();
    let Some(command) = in_new_namespace(&folder.ptc(&["run", "slow.toml", "--quiet"])) else {
        return;
    };
    let child = folder.start(command);
    assert_eq!(folder.statuses(folder.ptc(&["runs", "--json"])), ["running"]);
    assert_eq!(run(&mut folder.ptc(&["resume", "--quiet"]), b""), folder.refusal());
    assert_eq!(folder.calls(), (1, 1));
    folder.release_calls();
    let output = child.wait_with_output().expect("ends");
    assert_eq!((output.status.code(), output.stdout.as_slice()), (Some(0), &b"7\n"[..]));
    assert_eq!(folder.statuses(folder.ptc(&["runs", "--json"])), ["returned"]);
    assert_eq!((folder.calls(), folder.owners()), ((1, 1), 0));
}

/// If two processes resume the same dead run, one of them gets it. The other is refused while the tool of the first
/// waits.
#[test]
fn only_one_of_two_processes_resumes_a_dead_run() {
    let folder = Folder::new();
    let mut child = folder.start(folder.ptc(&["run", "slow.toml", "--quiet"]));
    child.kill().expect("kills");
    child.wait().expect("ends");
    // The tool of the dead run still waits. If it did so until the end, the last release could reach it before the tool of
    // the resumed run waits, which would then wait for ever.
    folder.release_calls();
    let (ends, ended) = std::sync::mpsc::channel();
    for _ in 0..2 {
        let (mut resume, ends) = (folder.ptc(&["resume", "--quiet"]), ends.clone());
        std::thread::spawn(move || ends.send(run(&mut resume, b"")));
    }
    folder.wait_for_call();
    let refusal = ended.recv().expect("one ends");
    assert_eq!(refusal, folder.refusal());
    folder.release_calls();
    let resumed = ended.recv().expect("both end");
    assert_eq!((resumed.code, resumed.stdout.as_str()), (Some(0), "7\n"), "{}", resumed.stderr);
    assert_eq!(folder.calls(), (2, 1));
    assert_eq!(
        (folder.statuses(folder.ptc(&["runs", "--json"])), folder.owners()),
        (vec!["returned".into()], 0)
    );
}

/// A user who may only read a store sees that its runs are alive. If the user may not open the owner's file, a dead run
/// is still shown as running.
#[test]
fn a_reader_sees_that_a_run_is_alive() {
    use std::os::unix::fs::PermissionsExt as _;
    let folder = Folder::new();
    let mode = |path: &Path, mode: u32| {
        fs::set_permissions(path, fs::Permissions::from_mode(mode)).expect("sets permissions");
    };
    mode(folder.0.path(), 0o755);
    let runs = || folder.ptc(&["runs", "--json"]);
    let mut child = folder.start(folder.ptc(&["run", "slow.toml", "--quiet"]));
    if let Some(reader) = as_reader(&runs()) {
        assert_eq!(folder.statuses(reader), ["running"]);
    }
    child.kill().expect("kills");
    child.wait().expect("ends");
    if let Some(reader) = as_reader(&runs()) {
        assert_eq!(folder.statuses(reader), ["died"]);
        let entries = fs::read_dir(folder.0.path()).expect("reads").flatten();
        for entry in entries.filter(|it| it.file_name().to_string_lossy().contains("-owner-")) {
            mode(&entry.path(), 0);
        }
        let reader = as_reader(&runs()).expect("is permitted");
        assert_eq!(folder.statuses(reader), ["running"]);
    }
    folder.release_calls();
}
