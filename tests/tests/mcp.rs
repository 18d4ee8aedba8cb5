//! Agents with MCP servers: real processes, their tools, calls, failures and records.

use std::path::PathBuf;
use std::process::Stdio;
use std::time::{Duration, Instant};

use ptc_mcp::Servers;
use ptc_subagent::provider::Scripted;
use ptc_subagent::replay::{Replay, Resume};
use ptc_subagent::store::{RunRecord, Store};
use ptc_subagent::tool::{CallContext, Effect, ToolDef};
use ptc_subagent::{Agent, Error, Mission};
use serde_json::{Value, json};

const SERVER: &str = env!("CARGO_BIN_EXE_mcp-server");

/// A folder with an agent file and the log of its server.
struct Place {
    folder: tempfile::TempDir,
    servers: Servers,
}

impl Place {
    fn new() -> Place {
        Place { folder: tempfile::tempdir().unwrap(), servers: Servers::new() }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// Writes an agent file whose keys follow a prompt, and a file of servers with one in this mode.
    fn write(&self, mode: &str, keys: &str) {
        let env = json!({
            "LOG": self.path("log"),
            "GONE": self.path("gone"),
            "API_TOKEN": "token-of-the-server",
            "HOME_COPY": "${HOME}",
        });
        let server = json!({"command": SERVER, "args": [mode], "env": env, "type": "stdio"});
        let off = json!({"command": "missing", "disabled": true});
        let servers = json!({"mcpServers": {"desk": server, "off": off}});
        std::fs::write(self.path("servers.json"), servers.to_string()).unwrap();
        let text = format!("prompt = \"Work.\"\n{keys}").replace("SERVER", SERVER);
        std::fs::write(self.path("agent.toml"), text).unwrap();
    }

    fn read(&self, record: Option<&RunRecord>) -> Result<Agent, Error> {
        Agent::read_with(&self.path("agent.toml"), &self.servers, record)
    }

    /// Reads the agent of a server in this mode.
    fn agent(&self, mode: &str) -> Agent {
        self.write(mode, "mcp = \"servers.json\"");
        self.read(None).unwrap()
    }

    fn log(&self) -> Vec<String> {
        let log = std::fs::read_to_string(self.path("log")).unwrap_or_default();
        log.lines().map(str::to_string).collect()
    }

    /// Waits until the log ends with a line.
    fn wait_for(&self, line: &str) {
        let start = Instant::now();
        while self.log().last().is_none_or(|it| it != line) {
            assert!(start.elapsed() < Duration::from_secs(20), "{line}: {:?}", self.log());
            std::thread::sleep(Duration::from_millis(5));
        }
    }

    /// Returns an error without the paths of the folder and the server.
    fn shown(&self, text: &str) -> String {
        let folder = self.folder.path().to_string_lossy().into_owned();
        text.replace(&*folder, "FOLDER").replace(SERVER, "SERVER")
    }
}

fn runtime() -> tokio::runtime::Runtime {
    tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap()
}

fn tool<'a>(agent: &'a Agent, name: &str) -> &'a ToolDef {
    agent.tools.iter().find(|it| it.name == name).unwrap()
}

/// Calls a tool in a runtime of its own. Returns the result as JSON, or the code and message of the error.
fn call(tool: &ToolDef, args: Value) -> String {
    let cx = CallContext::new("key");
    match runtime().block_on(tool.call(args, &cx)) {
        Ok(value) => value.to_string(),
        Err(error) => format!("{}: {error}", error.kind.code()),
    }
}

#[test]
fn tools_have_signatures_effects_and_descriptions() {
    let place = Place::new();
    let agent = place.agent("usual");
    let shown: Vec<String> = agent
        .tools
        .iter()
        .map(|tool| {
            let ToolDef { name, idempotent, server, description, .. } = tool;
            let signature = tool.signature.as_ref().unwrap();
            let effect = if tool.effect() == Effect::Read { "reads" } else { "writes" };
            let assumed = tool.effect_is_assumed();
            format!("{name}{signature} {effect} {assumed} {idempotent} {server:?} {description:?}")
        })
        .collect();
    let expected = [
        r#"add(a :int, b :int, unit :string?) -> {sum :int} reads false false Some("desk") Some("Adds two numbers.")"#,
        r#"note(text :string) -> :any writes false true Some("desk") Some("Keeps a note.")"#,
        r#"say(kind :string) -> :any writes true false Some("desk") Some("Gives content.")"#,
        r#"crash() -> :any writes true false Some("desk") Some("Ends the server.")"#,
        r#"hang() -> :any reads false false Some("desk") Some("Never ends.")"#,
    ];
    assert_eq!(shown, expected);
}

#[test]
fn results_are_structured_content_or_content() {
    // A server that also prints text.
    check_results("noise", 1);
    // A server of the older revision of the protocol, which is started again with a handshake.
    check_results("legacy", 2);
}

fn check_results(mode: &str, starts: usize) {
    let place = Place::new();
    let agent = place.agent(mode);
    let cases = [
        ("add", json!({"a": 1, "b": 2}), r#"{"sum":3}"#),
        // An argument that is nil is left out.
        ("add", json!({"a": 1, "b": 2, "unit": null}), r#"{"sum":3}"#),
        (
            "add",
            json!({"a": "x", "b": 2}),
            "tool-arguments: the arguments do not match: a: expected int, found string \"x\"",
        ),
        ("note", json!({"text": "n"}), r#""noted""#),
        ("say", json!({"kind": "json"}), r#"{"a":[1,2]}"#),
        ("say", json!({"kind": "number"}), r#""42""#),
        ("say", json!({"kind": "nothing"}), "null"),
        ("say", json!({"kind": "blocks"}), r#"["a picture",{"media_type":"image/png","size":5}]"#),
        ("say", json!({"kind": "error"}), "tool-failed: no such city"),
        ("say", json!({"kind": "secret"}), r#""[API_TOKEN]""#),
        (
            "say",
            json!({"kind": "big"}),
            "tool-too-large: the result is larger as JSON than its `max_output` of 1048576 bytes",
        ),
        (
            "say",
            json!({"kind": "environment"}),
            r#"["API_TOKEN","GONE","HOME","HOME_COPY","LOG","PATH","PTC_CALL"]"#,
        ),
    ];
    for (name, args, expected) in cases {
        let found = call(tool(&agent, name), args.clone());
        let found = found.replace(r#""LANG","#, "").replace(r#","TMPDIR""#, "");
        assert_eq!(found, expected, "{mode} {name} {args}");
    }
    assert!(place.log().contains(&r#"add {"a":1,"b":2}"#.to_string()));
    assert_eq!(place.log().iter().filter(|line| line.starts_with("start")).count(), starts);
    drop(agent);
    place.wait_for("end");
}

#[test]
fn an_agent_file_selects_and_renames_tools() {
    let cases = [
        ("", "add* note say crash hang*"),
        ("allow = [\"hang\", \"add\"]", "add* hang*"),
        ("deny = [\"crash\"]", "add* note say hang*"),
        ("prefix = \"desk/\"\nallow = [\"add\"]", "desk/add*"),
        ("allow = [\"add\", \"say\"]\neffects = { say = \"read\", add = \"write\" }", "add say*"),
    ];
    let place = Place::new();
    for (keys, expected) in cases {
        place.write("usual", &format!("[[mcp]]\nname = \"desk\"\ncommand = [\"SERVER\"]\n{keys}"));
        let agent = place.read(None).unwrap();
        let mark = |it: &ToolDef| if it.effect() == Effect::Read { "*" } else { "" };
        let names: Vec<String> =
            agent.tools.iter().map(|it| format!("{}{}", it.name, mark(it))).collect();
        assert_eq!(names.join(" "), expected, "{keys}");
    }
}

#[test]
fn faults_name_the_server_and_the_place() {
    let server = "[[mcp]]\nname = \"desk\"\ncommand = [\"SERVER\", \"MODE\"]\n";
    let cases = [
        (
            "usual",
            format!("{server}allow = [\"ad\"]"),
            "2:1: MCP server `desk` offers no tool `ad` (did you mean `add`?)",
        ),
        (
            "usual",
            format!("{server}deny = [\"remove\"]"),
            "2:1: MCP server `desk` offers no tool `remove` (it offers add, note, say, crash, hang)",
        ),
        (
            "usual",
            format!("{server}[[tools]]\nname = \"add\"\nreturns = 1"),
            "2:1: MCP server `desk`: two tools are named `add` (rename its tools with `prefix`, or leave one out with `deny`)",
        ),
        (
            "reserved",
            server.to_string(),
            "2:1: MCP server `desk`: `return` cannot name a tool: programs end with it (rename its tools with `prefix`, or leave one out with `deny`)",
        ),
        ("usual", format!("{server}{server}"), "5:1: two MCP servers are named `desk`"),
        (
            "usual",
            format!("{server}colour = 1"),
            "5:1: unknown key `colour` (the known keys are name, command, env, url, headers, allow, deny, prefix, effects, timeout, start_timeout, max_output)",
        ),
        (
            "usual",
            "[[mcp]]\nname = \"desk\"".to_string(),
            "2:1: MCP server `desk` has no `command` and no `url`",
        ),
        (
            "usual",
            "[[mcp]]\nname = \" \"\ncommand = [\"SERVER\"]".to_string(),
            "3:8: the `name` of an MCP server is empty or has a control character",
        ),
        (
            "usual",
            format!("{server}env = [\"A=B\"]"),
            "5:7: `env` of MCP server `desk` has `A=B`, which is not a name of a variable",
        ),
        (
            "usual",
            "mcp = 7".to_string(),
            "2:7: `mcp`: found integer `7`, expected tables `[[mcp]]` or the path of a file",
        ),
        (
            "usual",
            "mcp = \"other.json\"".to_string(),
            "2:8: cannot read the MCP servers in `FOLDER/other.json`: No such file or directory (os error 2)",
        ),
        (
            "usual",
            "[[mcp]]\nname = \"desk\"\ncommand = [\"no-such-program\"]".to_string(),
            "2:1: MCP server `desk` cannot start `no-such-program` in FOLDER: there is no such program",
        ),
        (
            "dies",
            server.to_string(),
            "2:1: MCP server `desk` did not start: it has ended; it said: cannot read its configuration",
        ),
        (
            "silent",
            format!("{server}start_timeout = 0.2"),
            "2:1: MCP server `desk` did not start within 200ms",
        ),
        ("endless", server.to_string(), "2:1: MCP server `desk` offers more than 10000 tools"),
    ];
    let place = Place::new();
    for (mode, keys, expected) in cases {
        place.write(mode, &keys.replace("MODE", mode));
        let error = place.read(None).unwrap_err();
        let (line, column) = error.line_column().unwrap();
        let help = error.help().map(|help| format!(" ({help})")).unwrap_or_default();
        let found = place.shown(&format!("{line}:{column}: {}{help}", error.message()));
        assert_eq!(found, expected, "{mode} {keys}");
    }
    place.write("usual", server);
    let error = Agent::read(&place.path("agent.toml")).unwrap_err();
    assert_eq!(
        (error.code(), error.message(), error.help()),
        (
            "unusable-server",
            "MCP server `desk` is not connected",
            Some("read the agent file with `Agent::read_with`")
        )
    );
}

#[test]
fn a_server_that_ends_in_mid_call_is_started_again() {
    let place = Place::new();
    let agent = place.agent("usual");
    let crash = call(tool(&agent, "crash"), json!({}));
    let expected = "tool-failed: ended in mid-call, so the call may have had an effect; it said: the disk is full, [API_TOKEN]";
    assert_eq!(crash, expected);
    assert_eq!(call(tool(&agent, "add"), json!({"a": 1, "b": 1})), r#"{"sum":2}"#);
    let starts = place.log().iter().filter(|line| line.starts_with("start")).count();
    assert_eq!(starts, 2);
}

#[test]
fn a_call_that_takes_too_long_is_cancelled() {
    let place = Place::new();
    let agent = place.agent("usual");
    let hang = tool(&agent, "hang").clone().with_timeout(Duration::from_millis(50));
    assert_eq!(call(&hang, json!({})), "tool-timeout: gave no result within 50ms");
    place.wait_for("cancelled");
    // Other calls go on.
    assert_eq!(call(tool(&agent, "note"), json!({"text": "x"})), r#""noted""#);
}

#[test]
fn names_and_descriptions_of_a_server_are_data() {
    let place = Place::new();
    let agent = place.agent("hostile");
    let names: Vec<&str> = agent.tools.iter().map(|it| it.name.as_str()).collect();
    assert_eq!(names, ["a_b_c_", "long"]);
    assert_eq!(agent.tools[1].description.as_ref().unwrap().chars().count(), 1001);
    let prompt = Mission::new(&agent, json!({})).system_prompt().unwrap();
    let prompt = prompt.to_string();
    assert_eq!(prompt.matches("</tools>").count(), 1, "{prompt}");
    assert!(!prompt.contains('\u{1b}'), "{prompt}");
}

fn record(store: &Store) -> RunRecord {
    let run = store.runs(1).unwrap().remove(0).run;
    store.show(run.as_str()).unwrap()
}

#[test]
fn replay_and_resume_need_no_server() {
    let place = Place::new();
    let agent = place.agent("usual");
    let store = Store::open(&place.path("runs.db")).unwrap();
    let replies =
        ["```clojure\n(def n (tool/note {:text \"first\"}))\n(tool/add {:a 1 :b 2})\n```"];
    let provider = Scripted::new(replies);
    let mission = Mission::new(&agent, json!({})).record_in(&store);
    let report = runtime().block_on(mission.run(&provider)).unwrap();
    assert_eq!(
        (report.stop.map(|it| it.to_string()), report.tool_calls),
        (Some("provider".to_string()), 2)
    );
    drop(agent);
    place.wait_for("end");
    let log = place.log();

    // A replay takes everything from the record, also with the agent's file.
    let record = record(&store);
    let run = record.summary.run.to_string();
    let replay = Replay::of(&store, &run).unwrap();
    let replay = replay.with_agent(place.read(Some(&record)).unwrap());
    let replayed = runtime().block_on(replay.run()).unwrap();
    assert_eq!(replayed.differences, []);
    drop(replay);
    assert_eq!(place.log(), log);

    // A resumed run has the tools on record, and asks the server for new calls only.
    std::fs::write(place.path("gone"), "").unwrap();
    let resume = Resume::of(&store, &run).unwrap();
    let agent = place.read(Some(resume.record())).unwrap();
    assert_eq!(place.log(), log);
    let replies = [
        "```clojure\n(return [n (:sum (tool/add {:a 3 :b 4})) (try (tool/note {:text \"again\"}) (catch Exception e (ex-message e)))])\n```",
    ];
    let mission = resume.mission(&agent).unwrap();
    let report = runtime().block_on(mission.run(&Scripted::new(replies))).unwrap();
    let expected = json!(["noted", 7, "tool `note`: is no longer offered by its server"]);
    assert_eq!(serde_json::to_value(&report.value).unwrap(), expected, "{report:?}");
    drop(agent);
    place.wait_for("end");
    let expected = ["start usual", "list", "list", r#"add {"a":3,"b":4}"#, "list", "list", "end"];
    assert_eq!(place.log()[log.len()..], expected);
}

#[test]
fn servers_of_equal_agents_are_shared() {
    let place = Place::new();
    place.write(
        "usual",
        "mcp = \"servers.json\"\n[[tools]]\nname = \"helper\"\nagent = \"helper.toml\"",
    );
    let helper = "prompt = \"Help.\"\nmcp = \"servers.json\"";
    std::fs::write(place.path("helper.toml"), helper).unwrap();
    let agent = place.read(None).unwrap();
    // The tools of its server decide the effect of a sub-agent.
    assert_eq!(tool(&agent, "helper").effect(), Effect::Write);
    assert_eq!(agent.tools_without_effect(), ["helper/say", "helper/crash", "say", "crash"]);
    let starts = place.log().iter().filter(|line| line.starts_with("start")).count();
    assert_eq!(starts, 1);
}

/// A server of HTTP in a process of its own, which ends with it.
struct HttpServer {
    process: std::process::Child,
    port: String,
}

impl HttpServer {
    fn start(place: &Place, mode: &str) -> HttpServer {
        let file = place.path("port");
        // A server that follows another has its port.
        let port = std::fs::read_to_string(&file).unwrap_or("0".to_string());
        drop(std::fs::remove_file(&file));
        let mut command = std::process::Command::new(SERVER);
        command.arg(mode).arg(&file).arg(port).env("LOG", place.path("log")).stderr(Stdio::null());
        let mut server = HttpServer { process: command.spawn().unwrap(), port: String::new() };
        let start = Instant::now();
        while server.port.is_empty() {
            assert!(start.elapsed() < Duration::from_secs(20));
            std::thread::sleep(Duration::from_millis(5));
            server.port = std::fs::read_to_string(&file).unwrap_or_default();
        }
        server
    }
}

impl Drop for HttpServer {
    fn drop(&mut self) {
        drop(self.process.kill());
        drop(self.process.wait());
    }
}

#[test]
fn servers_speak_http() {
    let effect = "in mid-call, so the call may have had an effect";
    let cases = [
        ("usual", format!("tool-failed: gave no answer {effect}: ")),
        ("legacy", format!("tool-failed: ended {effect}")),
    ];
    for (mode, expected) in &cases {
        let place = Place::new();
        let server = HttpServer::start(&place, mode);
        let url = format!("http://127.0.0.1:{}/", server.port);
        let keys = format!(
            "[[mcp]]\nname = \"desk\"\nurl = \"{url}\"\nheaders = {{ Authorization = \"Bearer $CARGO_PKG_NAME\" }}"
        );
        place.write(mode, &keys);
        let agent = place.read(None).unwrap();
        let sum = || call(tool(&agent, "add"), json!({"a": 1, "b": 2}));
        assert_eq!(sum(), r#"{"sum":3}"#, "{mode}");
        let big = call(tool(&agent, "say"), json!({"kind": "big"}));
        assert!(big.starts_with("tool-too-large: "), "{mode} {big}");
        let hang = tool(&agent, "hang").clone().with_timeout(Duration::from_millis(50));
        assert_eq!(call(&hang, json!({})), "tool-timeout: gave no result within 50ms", "{mode}");
        place.wait_for("cancelled");
        let requests = place.log();
        assert!(requests.contains(&"POST Bearer ptc-tests".to_string()), "{requests:?}");
        let crash = call(tool(&agent, "crash"), json!({}));
        assert!(crash.starts_with(expected), "{mode} {crash}");
        let gone = call(tool(&agent, "add"), json!({"a": 1, "b": 2}));
        assert!(gone.starts_with("tool-"), "{mode} {gone}");
        drop(server);
        let _server = HttpServer::start(&place, mode);
        assert_eq!(sum(), r#"{"sum":3}"#, "{mode}");
    }
}

#[test]
fn servers_of_http_that_refuse_are_unusable() {
    let cases = [
        ("away", "did not start: unexpected server response: HTTP 307 Temporary Redirect:"),
        ("locked", "did not start: needs authorization: give it a token in `headers`"),
    ];
    for (mode, expected) in cases {
        let place = Place::new();
        let server = HttpServer::start(&place, mode);
        let url = format!("http://127.0.0.1:{}/", server.port);
        place.write(mode, &format!("[[mcp]]\nname = \"desk\"\nurl = \"{url}\""));
        let error = place.read(None).unwrap_err();
        assert_eq!(error.message(), format!("MCP server `desk` {expected}"), "{mode}");
        drop(server);
        let error = place.read(None).unwrap_err();
        let expected = "MCP server `desk` did not start: cannot be reached: ";
        assert!(error.message().starts_with(expected), "{mode} {error}");
    }
}

#[test]
fn a_file_of_servers_names_addresses() {
    let place = Place::new();
    let server = HttpServer::start(&place, "usual");
    place.write("usual", "mcp = \"servers.json\"");
    let address = |kind: &str, url: &str, headers: Value| {
        let servers =
            json!({"mcpServers": {"desk": {"type": kind, "url": url, "headers": headers}}});
        std::fs::write(place.path("servers.json"), servers.to_string()).unwrap();
        match place.read(None) {
            Ok(agent) => format!("{} tools", agent.tools.len()),
            Err(error) => place.shown(error.message()),
        }
    };
    let url = format!("http://127.0.0.1:{}/", server.port);
    assert_eq!(
        address("http", &url, json!({"Authorization": "Bearer ${CARGO_PKG_NAME}"})),
        "5 tools"
    );
    assert!(place.log().contains(&"POST Bearer ptc-tests".to_string()));
    let cannot = "cannot read the MCP servers in `FOLDER/servers.json`: `desk`";
    assert_eq!(
        address("sse", &url, json!({})),
        format!("{cannot} has the transport `sse`, which is not supported")
    );
    assert_eq!(
        address("http", "ftp://user:password@host/", json!({})),
        format!("{cannot}: `ftp://host/` is not an http or https URL")
    );
    assert_eq!(
        address("http", &url, json!({"a b": "c"})),
        format!("{cannot}: the header `a b` has an invalid name")
    );
    assert_eq!(
        address("http", &url, json!({"A": "${NO_SUCH_VARIABLE}"})),
        "MCP server `desk` needs `NO_SUCH_VARIABLE`, which the environment lacks"
    );
}
