//! The commands of a guide, run one after another in one folder.
//!
//! `[RUN]` in a command is the newest run. Lines with `ptc> ` are typed into the session of the command before them. A server on loopback replaces the servers
//! that the page names. `UPDATE=1` writes the output of the commands into the page.

use std::fmt::Write as _;
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use serde_json::json;

use crate::cases::settle;
use crate::support::{compare, run};

/// The servers that the page names.
const SERVERS: [&str; 2] = ["https://api.openai.com/v1", "http://localhost:8080/v1"];

#[cfg(unix)]
#[test]
fn the_quick_start() {
    check("quickstart.md", &[]);
}

#[cfg(unix)]
#[test]
fn looking_at_runs() {
    check("looking.md", &["examples/parcels".to_owned()]);
}

#[cfg(unix)]
#[test]
fn workflows() {
    check("workflows.md", &["examples/pages".to_owned()]);
}

#[cfg(unix)]
#[test]
fn flow_files() {
    check("flow-files.md", &["examples/approval".to_owned(), "examples/rating".to_owned()]);
}

#[cfg(unix)]
#[test]
fn people() {
    check("people.md", &["examples/approval".to_owned()]);
}

#[cfg(unix)]
#[test]
fn labels() {
    check("labels.md", &["examples/labels".to_owned()]);
}

#[cfg(unix)]
#[test]
fn conversations() {
    check("conversations.md", &["examples/orders".to_owned()]);
}

#[cfg(unix)]
#[test]
fn replaying() {
    let examples = ["parcels", "refunds", "desk", "inspections", "runs"];
    check("replay.md", &examples.map(|it| format!("examples/{it}")));
}

/// Runs the commands of a page in a new folder, which has copies of some folders of the repository.
#[cfg(unix)]
fn check(name: &str, examples: &[String]) {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let page = root.join("docs").join(name);
    let text = std::fs::read_to_string(&page).expect("reads");
    let folder = tempfile::tempdir().expect("makes a folder");
    for example in examples {
        let copy = folder.path().join(example);
        std::fs::create_dir_all(&copy).expect("makes a folder");
        let files = std::fs::read_dir(root.join(example)).expect("is there").flatten();
        for file in files.filter(|it| it.path().is_file()) {
            std::fs::copy(file.path(), copy.join(file.file_name())).expect("copies");
        }
    }
    let mut shell_session = Shell {
        folder: folder.path().to_path_buf(),
        home: folder.path().to_path_buf(),
        key: None,
        server: serve(),
    };
    let (mut actual, mut lines, mut in_block) = (String::new(), text.lines().peekable(), false);
    let mut commands = 0;
    while let Some(line) = lines.next() {
        if line.starts_with("```") {
            in_block = line == "```console";
        }
        let Some(command) = line.strip_prefix("$ ").filter(|_| in_block) else {
            let _ = writeln!(actual, "{line}");
            continue;
        };
        let mut typed = Vec::new();
        while let Some(line) = lines.next_if(|it| !it.starts_with("$ ") && !it.starts_with("```")) {
            typed.extend(line.strip_prefix("ptc> "));
        }
        let _ = writeln!(actual, "{line}");
        actual.push_str(&shell_session.execute(command, &typed));
        commands += 1;
    }
    assert!(commands > 3, "{commands} commands");
    compare(&page, &actual);
}

/// The state of a shell session.
struct Shell {
    folder: PathBuf,
    home: PathBuf,
    key: Option<String>,
    server: String,
}

impl Shell {
    /// Runs a command, or a session line by line; returns the text that a terminal would show.
    fn execute(&mut self, command: &str, typed: &[&str]) -> String {
        if let Some(folder) = command.strip_prefix("cd ") {
            self.folder.push(folder);
            return String::new();
        }
        if let Some(key) = command.strip_prefix("export OPENAI_API_KEY=") {
            self.key = Some(key.to_owned());
            return String::new();
        }
        if typed.is_empty() {
            return self.terminal_output(command, "");
        }
        // The session runs again with one more line each time. The new end of its output is the answer to that line.
        let mut shown = String::new();
        let mut before = self.terminal_output(command, "");
        shown.push_str(&before);
        for until in 1..=typed.len() {
            let lines = typed.get(..until).unwrap_or_default().join("\n") + "\n";
            let now = self.terminal_output(command, &lines);
            let new = now.strip_prefix(&before).expect("a session says the same again");
            let _ = write!(shown, "ptc> {}\n{new}", typed.get(until - 1).unwrap_or(&""));
            before = now;
        }
        shown
    }

    fn terminal_output(&self, command: &str, stdin: &str) -> String {
        let newest =
            "$(ptc runs --json --limit 1 --roots | sed 's/.*\"run\":\"\\([^\"]*\\)\".*/\\1/')";
        let mut real = command.replace(SERVERS[1], &self.server).replace("[RUN]", newest);
        if command.contains("openai:gpt") {
            let _ = write!(real, " --base-url {} --key-env openai=OPENAI_API_KEY", self.server);
        }
        let bin =
            Path::new(env!("CARGO_BIN_EXE_ptc")).parent().expect("has a folder").to_path_buf();
        let path = std::env::var_os("PATH").unwrap_or_default();
        let folders = std::iter::once(bin).chain(std::env::split_paths(&path));
        let mut shell = Command::new("sh");
        shell
            // Stdout and stderr are one stream, as on a terminal.
            .args(["-c", &format!("{{ {real}\n}} 2>&1")])
            .current_dir(&self.folder)
            .env_clear()
            .env("PATH", std::env::join_paths(folders).expect("joins"))
            .env("HOME", &self.home)
            .env("TZ", "UTC")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        if let Some(key) = &self.key {
            shell.env("OPENAI_API_KEY", key);
        }
        let output = run(&mut shell, stdin.as_bytes());
        let server = if command.contains("openai:gpt") { SERVERS[0] } else { SERVERS[1] };
        let home = self.home.to_string_lossy().into_owned();
        let shown = output.stdout.replace(&self.server, server).replace(&home, "~");
        // Each shell has its own message for a killed process.
        let shown: String = shown
            .split_inclusive('\n')
            .map(|line| if line.contains("Killed") { "Killed\n" } else { line })
            .collect();
        settle(&shown).split_inclusive('\n').map(str::trim_end).flat_map(|it| [it, "\n"]).collect()
    }
}

/// Starts a server with the models that the page names. It replies with the recording of the project.
fn serve() -> String {
    let listener = TcpListener::bind("127.0.0.1:0").expect("listens");
    let url = format!("http://{}/v1", listener.local_addr().expect("has an address"));
    std::thread::spawn(move || {
        for stream in listener.incoming() {
            answer(stream.expect("accepts"));
        }
    });
    url
}

fn answer(stream: TcpStream) {
    let mut reader = BufReader::new(stream);
    let (mut first, mut length) = (String::new(), 0);
    reader.read_line(&mut first).expect("reads");
    loop {
        let mut line = String::new();
        reader.read_line(&mut line).expect("reads");
        if let Some((name, value)) = line.split_once(':')
            && name.eq_ignore_ascii_case("content-length")
        {
            length = value.trim().parse().expect("is a number");
        }
        if line.trim().is_empty() {
            break;
        }
    }
    reader.read_exact(&mut vec![0; length]).expect("reads");
    let recording = include_str!("../../src/commands/init/replies.jsonl");
    let reply: serde_json::Value = serde_json::from_str(recording).expect("is JSON");
    let body = if first.starts_with("GET /v1/models ") {
        json!({ "data": [{ "id": "gpt-4.1" }, { "id": "gpt-4.1-mini" }] })
    } else {
        json!({
            "choices": [{"message": {"content": reply["text"]}, "finish_reason": "stop"}],
            "usage": {"prompt_tokens": 2310, "completion_tokens": 148},
        })
    };
    let body = body.to_string();
    let mut stream = reader.into_inner();
    write!(
        stream,
        "HTTP/1.1 200 OK\r\ncontent-length: {}\r\nconnection: close\r\n\r\n{body}",
        body.len()
    )
    .expect("writes");
}
