//! The command on a terminal: typed input, and the screen after it.

#![cfg(unix)]

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::io::{Read as _, Write as _};
use std::net::TcpListener;
use std::num::NonZero;
use std::path::Path;
use std::process::Child;
use std::sync::mpsc::{Receiver, channel};
use std::sync::{Arc, Mutex};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use pty_process::Size;
use pty_process::blocking::{Command, Pty, open};

use crate::cases::settle;
use crate::server::stream_a_line;
use crate::support::{compare, data, ptc, run};

const CTRL_C: &str = "\u{3}";
const CTRL_D: &str = "\u{4}";
const CTRL_S: &str = "\u{13}";
const UP: &str = "\u{1b}[A";
const ENTER: &str = "\r";

/// A process on a terminal of 160 columns and 40 rows.
struct Terminal {
    pty: Pty,
    child: Child,
    received: Arc<Mutex<Received>>,
    /// The thread that reads the terminal; it ends when no process can write to it any more.
    reader: Option<JoinHandle<()>>,
}

struct Received {
    screen: vt100::Parser,
    raw: Vec<u8>,
}

impl Terminal {
    /// Starts the command with its own home folder.
    fn start(args: &[&str], home: &Path, vars: &[(&str, &str)]) -> Terminal {
        let (pty, pts) = open().expect("opens");
        pty.resize(Size::new(40, 160)).expect("resizes");
        let mut env = BTreeMap::from([
            ("HOME", home.to_string_lossy().into_owned()),
            ("PATH", std::env::var("PATH").unwrap_or_default()),
            ("TERM", "xterm-256color".to_owned()),
            ("TZ", "UTC".to_owned()),
        ]);
        env.extend(vars.iter().map(|(name, value)| (*name, (*value).to_owned())));
        let command = Command::new(env!("CARGO_BIN_EXE_ptc"));
        let command = command.args(args).current_dir(data()).env_clear().envs(env);
        let child = command.spawn(pts).expect("starts");
        let size = |cells| NonZero::new(cells).expect("is not 0");
        let screen = vt100::Parser::new(size(40), size(160), 0);
        let received = Arc::new(Mutex::new(Received { screen, raw: Vec::new() }));
        let fd = std::os::fd::AsFd::as_fd(&pty).try_clone_to_owned().expect("clones");
        let (mut reader, writer) = (std::fs::File::from(fd), Arc::clone(&received));
        let reader = std::thread::spawn(move || {
            let mut bytes = [0; 4096];
            // Reading fails or returns no bytes once the last process of the terminal is gone.
            while let Ok(count @ 1..) = reader.read(&mut bytes) {
                let bytes = bytes.get(..count).unwrap_or_default();
                let mut received = writer.lock().expect("no thread panics");
                received.screen.process(bytes);
                received.raw.extend_from_slice(bytes);
            }
        });
        Terminal { pty, child, received, reader: Some(reader) }
    }

    fn type_text(&mut self, text: &str) {
        self.pty.write_all(text.as_bytes()).expect("writes");
    }

    /// Waits until the screen ends with a text; blanks at the end do not count.
    fn wait_for(&self, text: &str) {
        until(text, || self.screen().trim_end().ends_with(text));
    }

    /// Waits until the process ends; returns its exit code.
    fn exit_code(&mut self) -> Option<i32> {
        let code = self.child.wait().expect("ends").code();
        // Its last output may not have arrived yet.
        self.reader.take().map(JoinHandle::join).transpose().expect("no thread panics");
        code
    }

    fn screen(&self) -> String {
        let received = self.received.lock().expect("no thread panics");
        let mut text = String::new();
        for row in received.screen.screen().rows(0, 160) {
            let _ = writeln!(text, "{}", row.trim_end());
        }
        text
    }

    fn raw(&self) -> String {
        String::from_utf8_lossy(&self.received.lock().expect("no thread panics").raw).into_owned()
    }
}

/// Compares a screen and an exit code with a file.
fn check(file: &str, terminal: &mut Terminal, home: &Path) {
    let code = terminal.exit_code();
    let screen = terminal.screen().replace(&*home.to_string_lossy(), "~");
    let mut actual = String::new();
    for line in settle(&screen).trim_end().lines() {
        let _ = writeln!(actual, "{}", line.trim_end());
    }
    let _ = writeln!(actual, "exit {}", code.unwrap_or(-1));
    compare(&data().join("terminal").join(file), &actual);
}

/// Waits until a condition holds; panics after a minute.
fn until(what: &str, condition: impl Fn() -> bool) {
    let started = Instant::now();
    while !condition() {
        assert!(started.elapsed() < Duration::from_mins(1), "never: {what}");
        std::thread::sleep(Duration::from_millis(10));
    }
}

fn home() -> tempfile::TempDir {
    tempfile::tempdir().expect("makes a folder")
}

/// A signal that ends a session leaves the terminal as it was: with lines and an echo.
#[test]
fn signals_leave_the_terminal_as_it_was() {
    use rustix::termios::{LocalModes, tcgetattr};
    for (args, prompt) in
        [(&["repl"][..], "ptc>"), (&["chat", "agents/gated-talk.toml", "--quiet"], ">")]
    {
        // On a terminal, Ctrl-C is for the line.
        for signal in crate::signals::signals().into_iter().filter(|it| *it != "INT") {
            let home = home();
            let mut terminal = Terminal::start(args, home.path(), &[]);
            let modes = |it: &Terminal| tcgetattr(&it.pty).expect("is a terminal").local_modes;
            terminal.wait_for(prompt);
            until("raw", || !modes(&terminal).contains(LocalModes::ICANON));
            crate::signals::send(signal, &terminal.child);
            assert_eq!(terminal.exit_code(), Some(4), "{args:?} {signal}");
            assert!(modes(&terminal).contains(LocalModes::ICANON | LocalModes::ECHO), "{signal}");
        }
    }
}

#[test]
fn a_session() {
    let home = home();
    let mut repl = Terminal::start(
        &["repl", "agents/turns.toml", "--ctx", r#"{"rows": [1, 2]}"#],
        home.path(),
        &[],
    );
    repl.wait_for("ptc>");
    // The session has several lines, completed names, the last value, and documentation.
    for (typed, expected) in [
        ("(defn twice [x]\r", "(defn twice [x]"),
        ("  (* 2 x))\r", "#'twice\nptc>"),
        ("(map twi\t ctx/ro\t)\r", "(2 4)\nptc>"),
        ("(count *1)\r", "2\nptc>"),
        ("(tool/o\t {})\r", "1\nptc>"),
        ("(doc inc)\r", "nil\nptc>"),
        ("(twice :a)\r", "╰────\nptc>"),
    ] {
        repl.type_text(typed);
        repl.wait_for(expected);
    }
    // Ctrl-C discards a line, and the history has earlier ones.
    repl.type_text("(never");
    repl.wait_for("(never");
    repl.type_text(CTRL_C);
    repl.wait_for("(never\nptc>");
    repl.type_text(UP);
    repl.wait_for("ptc> (twice :a)");
    repl.type_text(UP);
    repl.wait_for("ptc> (doc inc)");
    repl.type_text(ENTER);
    repl.wait_for("nil\nptc>");
    repl.type_text(CTRL_D);
    check("session.txt", &mut repl, home.path());

    // The next session has the history of this one.
    let mut repl = Terminal::start(&["repl"], home.path(), &[]);
    repl.wait_for("ptc>");
    for line in ["(doc inc)", "(twice :a)", "(doc inc)", "(tool/one {})"] {
        repl.type_text(UP);
        repl.wait_for(&format!("ptc> {line}"));
    }
    repl.type_text(CTRL_C);
    repl.wait_for("\nptc>");
    repl.type_text(":quit\r");
    check("history.txt", &mut repl, home.path());
}

#[test]
fn stepping_over_a_program() {
    let home = home();
    let args = ["debug", "--eval", "steps.clj", "--tools", "tools.json"];
    let mut debug = Terminal::start(&args, home.path(), &[]);
    debug.wait_for("(ptc)");
    // The session has a completed command and tool, a repeated command, letters, an expression, and a step back.
    for (typed, expected) in [
        ("break to\t ra\t\r", "stops at tool rate\n(ptc)"),
        ("cont\t\r", "calls rate {:currency \"USD\"}\n(ptc)"),
        ("where\r", "0 rows)\n(ptc)"),
        ("s\r", "(* rate (:amount row))  in in-euros\n(ptc)"),
        ("\r", "(:amount row)  in in-euros\n(ptc)"),
        ("l\r", "{:amount 10, :currency \"EUR\"}]\n(ptc)"),
        ("p (* rate 2)\r", "1.8\n(ptc)"),
        ("b\r", "11  5:5  (* rate (:amount row))  in in-euros\n(ptc)"),
        ("list\r", "(str total \" EUR\"))\n(ptc)"),
    ] {
        debug.type_text(typed);
        debug.wait_for(expected);
    }
    debug.type_text(CTRL_D);
    check("debug.txt", &mut debug, home.path());
}

#[test]
fn a_place_for_the_history() {
    let home = home();
    let state = home.path().join("state");
    let mut repl =
        Terminal::start(&["repl"], home.path(), &[("XDG_STATE_HOME", &state.to_string_lossy())]);
    repl.wait_for("ptc>");
    repl.type_text("(+ 1 2)\r");
    repl.wait_for("3\nptc>");
    repl.type_text(CTRL_D);
    assert_eq!(repl.exit_code(), Some(0));
    let history = std::fs::read_to_string(state.join("ptc").join("history")).expect("reads");
    assert_eq!(history, "#V2\n(+ 1 2)\n");
}

#[test]
fn ctrl_c_stops_a_program_and_not_the_session() {
    let home = home();
    let gate = home.path().join("gate");
    let vars = [("GATE", &*gate.to_string_lossy())];
    let mut repl =
        Terminal::start(&["repl", "agents/gate.toml", "--ctx", r#"{"n": 0}"#], home.path(), &vars);
    repl.wait_for("ptc>");
    repl.type_text("(def kept 1)\r");
    repl.wait_for("#'kept\nptc>");
    repl.type_text("(do (def lost 2) (tool/wait {:n 2}))\r");
    repl.wait_for("(tool/wait {:n 2}))");
    // Before the tool waits, the line editor has the terminal, and Ctrl-C is not a signal.
    let waits = home.path().join("gate.waits");
    until("the tool waits", || waits.exists());
    repl.type_text(CTRL_C);
    repl.wait_for("ptc>");
    repl.type_text("(inc kept)\r");
    repl.wait_for("2\nptc>");
    repl.type_text("lost\r");
    repl.wait_for("did you mean `last`?\nptc>");
    repl.type_text(CTRL_D);
    check("interrupted.txt", &mut repl, home.path());
}

/// A chat survives Ctrl-C and a restart, and asks at the terminal.
#[test]
fn a_chat() {
    let home = home();
    let gate = home.path().join("gate");
    let vars = [("GATE", &*gate.to_string_lossy())];
    // A live line would be on the screen if Ctrl-C came while it was drawn.
    let quiet = ["chat", "agents/gated-talk.toml", "--quiet"];
    let mut chat = Terminal::start(&quiet, home.path(), &vars);
    chat.wait_for(">");
    chat.type_text("Keep it\r");
    chat.wait_for("I keep it.\n>");
    chat.type_text("Wait\r");
    // Before the tool waits, the line editor has the terminal, and Ctrl-C is not a signal.
    let waits = home.path().join("gate.waits");
    until("the tool waits", || waits.exists());
    chat.type_text(CTRL_C);
    chat.wait_for("cancelled\n>");
    chat.type_text("Which colour?\r");
    chat.wait_for("\ncolour:");
    chat.type_text("blue\r");
    chat.wait_for("\nblue\n>");
    // Ctrl-C discards a line, and the history has earlier ones.
    chat.type_text("never");
    chat.wait_for("> never");
    chat.type_text(CTRL_C);
    chat.wait_for("> never\n>");
    chat.type_text("/runs\r");
    chat.wait_for("Which colour?\n>");
    chat.type_text(UP);
    chat.wait_for("> /runs");
    chat.type_text(UP);
    chat.wait_for("> Which colour?");
    chat.type_text(CTRL_C);
    chat.wait_for("> Which colour?\n>");
    chat.type_text(CTRL_D);
    check("chat.txt", &mut chat, home.path());
    assert_eq!(statuses(home.path()), ["returned", "cancelled", "returned"]);

    let mut chat = Terminal::start(&["chat", "agents/gated-talk.toml"], home.path(), &vars);
    chat.wait_for(">");
    chat.type_text("Again\r");
    chat.wait_for("kept, after 4 messages\n>");
    chat.type_text("/undo\r");
    chat.wait_for("took back: Again\n>");
    chat.type_text("/quit\r");
    check("chat-again.txt", &mut chat, home.path());
}

#[test]
fn a_run() {
    let home = home();
    let mut run = Terminal::start(&["run", "agents/turns.toml"], home.path(), &[]);
    check("run.txt", &mut run, home.path());
}

#[test]
fn a_question_before_a_write() {
    for (answer, file) in [("y\r", "asked-yes.txt"), ("\r", "asked-no.txt")] {
        let home = home();
        let mut run = Terminal::start(&["run", "agents/asks.toml"], home.path(), &[]);
        run.wait_for("run it? [y/N, or why not]");
        // In this time, a live line would be drawn over the question several times.
        std::thread::sleep(Duration::from_millis(400));
        run.wait_for("run it? [y/N, or why not]");
        run.type_text(answer);
        check(file, &mut run, home.path());
    }
}

/// L55: a choice is a numbered list. Return takes a default, wrong values are asked again, and a secret has no echo.
#[test]
fn l55_a_form_on_a_terminal() {
    let home = home();
    let mut run = Terminal::start(&["run", "agents/form.toml"], home.path(), &[]);
    for (expected, typed) in [
        ("form asks: Which colour?\n  1  Red\n  2  Blue\nnumber:", "3\r"),
        ("found string \"3\"\nnumber:", "2\r"),
        ("\nSeats [2]:", "9\r"),
        ("found int 9\nSeats [2]:", "\r"),
        ("\nnumbers:", "1 bag\r"),
        ("\nCard number:", "4711\r"),
        ("\nSend it? yes or no:", "perhaps\r"),
        ("found string \"perhaps\"\nSend it? yes or no:", "yes\r"),
        ("\nNote [none]:", "\r"),
    ] {
        run.wait_for(expected);
        run.type_text(typed);
    }
    check("form.txt", &mut run, home.path());
}

/// Ctrl-D leaves a question open, and a later answer on a terminal continues there.
#[test]
fn a_question_that_is_left_open() {
    let home = home();
    let mut run = Terminal::start(&["run", "agents/form.toml"], home.path(), &[]);
    run.wait_for("\nnumber:");
    run.type_text(CTRL_D);
    check("left-open.txt", &mut run, home.path());
    let id = {
        let store = home.path().join(".local/share/ptc/runs.sqlite");
        let output = crate::support::run(&mut ptc(&["runs", "--waiting", "--json"], &store), b"");
        let runs: serde_json::Value = serde_json::from_str(&output.stdout).expect("is JSON");
        runs[0]["run"].as_str().expect("is a text").to_owned()
    };
    let mut answer = Terminal::start(&["answer", &id], home.path(), &[]);
    answer.wait_for("\nnumber:");
    answer.type_text("1\r");
    answer.wait_for("\nSeats [2]:");
    answer.type_text(CTRL_D);
    assert_eq!(answer.exit_code(), Some(6));
}

#[test]
fn interrupted_inputs_are_resumed() {
    let home = home();
    let (gate, out) = (home.path().join("gate"), home.path().join("out.jsonl"));
    let (gate_text, out_text) = (gate.to_string_lossy(), out.to_string_lossy());
    let vars = [("GATE", &*gate_text)];
    let args = [
        "run",
        "agents/gate.toml",
        "--inputs",
        "inputs/gate.jsonl",
        "--jobs",
        "1",
        "--out",
        &out_text,
    ];
    let lines = || {
        let text = std::fs::read_to_string(&out).unwrap_or_default();
        let lines =
            text.lines().map(|it| serde_json::from_str::<serde_json::Value>(it).expect("is JSON"));
        lines.map(|it| (it["line"].as_u64(), it["value"].as_u64())).collect::<Vec<_>>()
    };

    let mut run = Terminal::start(&args, home.path(), &vars);
    until("a bar", || run.screen().contains("░ 1/3 · 1 returned, 0 failed, 0 stopped"));
    run.type_text(CTRL_C);
    assert_eq!(run.exit_code(), Some(4));
    // The rest of the bar is above the summary.
    let screen = run.screen();
    let words = screen.find("3 inputs: ").and_then(|at| screen.get(at..)).unwrap_or_default();
    let words = words.trim_end().replace(&*home.path().to_string_lossy(), "~");
    let expected = "3 inputs: 1 returned, 0 failed, 0 stopped\n\
        interrupted, 2 left: the same command continues from ~/out.jsonl";
    assert_eq!(words, expected);
    assert_eq!(lines(), [(Some(1), Some(1))]);

    std::fs::write(&gate, "").expect("writes");
    let mut run = Terminal::start(&args, home.path(), &vars);
    check("inputs-resumed.txt", &mut run, home.path());
    assert_eq!(lines(), [(Some(1), Some(1)), (Some(2), Some(1)), (Some(3), Some(1))]);
}

#[test]
fn results_and_a_bar_on_one_terminal() {
    let home = home();
    let args = ["run", "agents/one.toml", "--inputs", "inputs/good.jsonl", "--jobs", "1"];
    let mut run = Terminal::start(&args, home.path(), &[]);
    check("inputs.txt", &mut run, home.path());
}

/// Starts a server that streams one long line. Returns the arguments of a run against it, and a receiver that gets a
/// message after the last piece.
fn long_line(agent: &str) -> (Vec<String>, Receiver<()>, JoinHandle<()>) {
    let listener = TcpListener::bind("127.0.0.1:0").expect("listens");
    let url = format!("http://{}/v1", listener.local_addr().expect("has an address"));
    let (sent, is_sent) = channel();
    let server = std::thread::spawn(move || stream_a_line(&listener, 3000, &sent));
    let args = ["run", agent, "--model", "openai:small", "--base-url", &url];
    (args.map(str::to_owned).to_vec(), is_sent, server)
}

fn terminate(process: &Child) {
    let id = process.id().to_string();
    let status = std::process::Command::new("kill").args(["-TERM", &id]).status();
    assert!(status.expect("starts").success());
}

/// Returns the stop code, or else the status, of each run on record.
fn statuses(home: &Path) -> Vec<String> {
    let store = home.join(".local/share/ptc/runs.sqlite");
    let output = run(&mut ptc(&["runs", "--json"], &store), b"");
    let runs: serde_json::Value = serde_json::from_str(&output.stdout).unwrap_or_default();
    let runs = runs["runs"].as_array().cloned().unwrap_or_default();
    let status =
        |it: &serde_json::Value| it["stop"].as_str().or(it["status"].as_str()).map(str::to_owned);
    runs.iter().filter_map(status).collect()
}

#[test]
fn a_long_line_ends_in_time() {
    let home = home();
    let (args, _told, server) = long_line("agents/hasty.toml");
    let args: Vec<&str> = args.iter().map(String::as_str).collect();
    let mut run = Terminal::start(&args, home.path(), &[]);
    assert_eq!(run.exit_code(), Some(4));
    assert!(run.screen().contains("turn 1/5: out of time ("), "{}", run.screen());
    // The end of the line was shown.
    assert!(run.raw().contains("turn 1/5: …"), "{}", run.raw());
    assert_eq!(statuses(home.path()), ["time"]);
    server.join().expect("serves");
}

#[test]
fn a_long_line_is_cancelled() {
    let home = home();
    let (args, sent, server) = long_line("agents/single.toml");
    let args: Vec<&str> = args.iter().map(String::as_str).collect();
    let mut run = Terminal::start(&args, home.path(), &[]);
    sent.recv().expect("sends");
    until("the end of the line", || run.raw().contains("turn 1/1: …"));
    terminate(&run.child);
    assert_eq!(run.exit_code(), Some(4));
    assert!(run.screen().contains("turn 1/1: cancelled ("), "{}", run.screen());
    assert_eq!(statuses(home.path()), ["cancelled"]);
    server.join().expect("serves");
}

/// Answers a client of the older revision. A call reports its progress and then waits for a file.
const SERVER_WITH_PROGRESS: &str = r#"
reply() { printf '{"jsonrpc":"2.0","id":%s,"result":%s}\n' "$id" "$1"; }
while read -r line; do
  id="$(printf '%s' "$line" | sed -n 's/.*"id":\([0-9]*\).*/\1/p')"
  case "$line" in
    *'"initialize"'*) reply '{"protocolVersion":"2025-11-25","capabilities":{"tools":{}},"serverInfo":{"name":"desk","version":"1"}}' ;;
    *'"tools/list"'*) reply '{"tools":[{"name":"sort","inputSchema":{"type":"object"},"annotations":{"readOnlyHint":true}}]}' ;;
    *'"tools/call"'*)
      token="$(printf '%s' "$line" | sed -n 's/.*"progressToken":\([0-9]*\).*/\1/p')"
      printf '{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":%s,"progress":3,"total":8,"message":"third drawer"}}\n' "$token"
      until [ -e seen ]; do sleep 0.05; done
      reply '{"content":[{"type":"text","text":"sorted"}]}' ;;
    *'"id"'*) printf '{"jsonrpc":"2.0","id":%s,"error":{"code":-32601,"message":"unknown"}}\n' "$id" ;;
  esac
done
"#;

#[test]
fn the_live_line_has_the_progress_of_a_call() {
    let home = home();
    std::fs::write(home.path().join("server.sh"), SERVER_WITH_PROGRESS).expect("writes");
    std::fs::write(home.path().join("sort.clj"), "(return (tool/sort {}))").expect("writes");
    let agent = "program = \"sort.clj\"\nmcp = \"servers.json\"\n";
    std::fs::write(home.path().join("agent.toml"), agent).expect("writes");
    let servers = r#"{"mcpServers": {"desk": {"command": "sh", "args": ["server.sh"]}}}"#;
    std::fs::write(home.path().join("servers.json"), servers).expect("writes");
    let agent = home.path().join("agent.toml");
    let mut run = Terminal::start(&["run", &agent.to_string_lossy()], home.path(), &[]);
    until("the progress", || {
        run.screen().contains("turn 1: calling sort (call 1): 3/8 third drawer")
    });
    std::fs::write(home.path().join("seen"), "").expect("writes");
    assert_eq!(run.exit_code(), Some(0));
    assert!(run.screen().contains("sorted"), "{}", run.screen());
}

#[test]
fn a_run_ends_on_a_stopped_terminal() {
    let home = home();
    let (args, sent, server) = long_line("agents/hasty.toml");
    let args: Vec<&str> = args.iter().map(String::as_str).collect();
    let mut run = Terminal::start(&args, home.path(), &[]);
    run.type_text(CTRL_S);
    sent.recv().expect("sends");
    until("the run ends", || statuses(home.path()) == ["time"]);
    assert_eq!(run.child.wait().expect("ends").code(), Some(4));
    server.join().expect("serves");
}

#[test]
fn a_signal_ends_a_blocked_result() {
    let home = home();
    let mut run = Terminal::start(
        &["run", "agents/gate.toml", "--set", "n=2"],
        home.path(),
        &[("GATE", &home.path().join("gate").to_string_lossy())],
    );
    until("the tool waits", || home.path().join("gate.waits").exists());
    run.type_text(CTRL_S);
    std::fs::write(home.path().join("gate"), "").expect("writes");
    until("the run ends", || statuses(home.path()) == ["returned"]);
    // The process is blocked while it prints the value; the signal ends that.
    terminate(&run.child);
    assert!(matches!(run.child.wait().expect("ends").code(), Some(4)));
}

#[test]
fn only_terminals_that_take_colour_get_it() {
    let cases: [&[&str]; 4] = [
        &["eval", "-e", "(foo)"],
        &["doctor", "agents/places.toml"],
        &["--help"],
        &["run", "agents/one.toml", "--inputs", "inputs/good.jsonl"],
    ];
    for args in cases {
        let coloured = |vars: &[(&str, &str)]| {
            let home = home();
            let mut process = Terminal::start(args, home.path(), vars);
            process.exit_code();
            // A number other than 0 and 22 sets a colour or a weight.
            let raw = process.raw();
            let starts = raw.split("\u{1b}[").skip(1);
            let codes = starts.filter_map(|it| it.split_once('m').map(|(code, _)| code.to_owned()));
            codes
                .filter(|it| it.chars().all(|c| c.is_ascii_digit() || c == ';'))
                .any(|it| it != "0" && it != "22")
        };
        assert!(coloured(&[]), "{args:?}");
        assert!(!coloured(&[("NO_COLOR", "1")]), "{args:?}");
    }
}

#[test]
fn a_program_in_colour() {
    let home = home();
    assert_eq!(Terminal::start(&["run", "agents/one.toml"], home.path(), &[]).exit_code(), Some(0));
    let shown = |vars: &[(&str, &str)]| {
        let mut show = Terminal::start(&["show", "--turn", "1"], home.path(), vars);
        assert_eq!(show.exit_code(), Some(0));
        show.raw()
    };
    let program = "(\u{1b}[34mreturn\u{1b}[0m (\u{1b}[34m+\u{1b}[0m \u{1b}[33mctx/a\u{1b}[0m \u{1b}[33mctx/b\u{1b}[0m))";
    assert!(shown(&[]).contains(program));
    assert!(!shown(&[("NO_COLOR", "1")]).contains('\u{1b}'));
}
