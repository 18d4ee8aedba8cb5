//! `ptc mcp`: a server that a client starts, over pipes.

use std::io::{BufRead as _, BufReader, Write as _};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use serde_json::{Value, json};

/// A client that sends and receives lines.
struct Client {
    process: Child,
    stdin: Option<ChildStdin>,
    stdout: BufReader<ChildStdout>,
}

impl Client {
    /// Starts `ptc mcp` with these arguments, and says hello in the older revision of the protocol.
    fn start(folder: &Path, args: &[&str]) -> Client {
        let mut command = Command::new(env!("CARGO_BIN_EXE_ptc"));
        command.arg("mcp").args(args).current_dir(folder);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        let mut process = command.spawn().unwrap();
        let stdin = process.stdin.take();
        let stdout = BufReader::new(process.stdout.take().unwrap());
        let mut client = Client { process, stdin, stdout };
        let hello = json!({
            "protocolVersion": "2025-11-25",
            "capabilities": {},
            "clientInfo": {"name": "test", "version": "1"},
        });
        client.send(&json!({"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": hello}));
        let hello = client.receive();
        let version = env!("CARGO_PKG_VERSION");
        let expected = json!({
            "protocolVersion": "2025-11-25",
            "capabilities": {"tools": {}},
            "serverInfo": {"name": "ptc", "version": version},
        });
        assert_eq!(hello["result"], expected);
        client.send(&json!({"jsonrpc": "2.0", "method": "notifications/initialized"}));
        client
    }

    fn send(&mut self, message: &Value) {
        writeln!(self.stdin.as_mut().unwrap(), "{message}").unwrap();
    }

    fn receive(&mut self) -> Value {
        let mut line = String::new();
        self.stdout.read_line(&mut line).unwrap();
        serde_json::from_str(&line).unwrap_or_else(|error| panic!("{line:?}: {error}"))
    }

    fn ask(&mut self, method: &str, params: &Value) -> Value {
        self.send(&json!({"jsonrpc": "2.0", "id": 1, "method": method, "params": params}));
        let reply = self.receive();
        assert_eq!(reply["id"], 1, "{reply}");
        if reply["error"].is_null() { reply["result"].clone() } else { reply["error"].clone() }
    }

    /// Calls a tool. Returns the result without the id of its run.
    fn call(&mut self, name: &str, arguments: &Value) -> Value {
        let result = self.ask("tools/call", &json!({"name": name, "arguments": arguments}));
        without_run(result)
    }

    /// Closes stdin, which ends the server. Returns its exit code.
    fn end(mut self) -> Option<i32> {
        drop(self.stdin.take());
        self.process.wait().unwrap().code()
    }
}

/// Removes the id of the run from a result.
fn without_run(mut result: Value) -> Value {
    if let Some(meta) = result.as_object_mut().and_then(|it| it.remove("_meta")) {
        assert_eq!(meta.as_object().unwrap().keys().collect::<Vec<_>>(), ["ptc/run"]);
    }
    result
}

fn ptc(folder: &Path, args: &[&str]) -> (Option<i32>, String, String) {
    let output =
        Command::new(env!("CARGO_BIN_EXE_ptc")).args(args).current_dir(folder).output().unwrap();
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    (output.status.code(), text(&output.stdout), text(&output.stderr))
}

/// A folder with agents and their recordings.
fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| std::fs::write(folder.path().join(name), text).unwrap();
    let reply = |program: &str| json!({"text": format!("```clojure\n{program}\n```")}).to_string();
    write(
        "double.toml",
        "name = \"double it\"\nprompt = \"Double {{n}}.\"\nsignature = \"(n :int) -> :int\"\nmodel = \"recorded:double.jsonl\"\nmax_turns = 2",
    );
    let replies = [
        "(* 2 ctx/n)",
        "(return (* 2 ctx/n))",
        "(fail {:reason :odd :message \"is odd\"})",
        "(+ 1 \"x\")",
        "(+ 1 \"y\")",
    ];
    write("double.jsonl", &replies.map(reply).join("\n"));
    write(
        "parcel.toml",
        "prompt = \"Find {{id}}.\"\nsignature = \"(id :string) -> {place :string, _key :string}\"\nmodel = \"recorded:parcel.jsonl\"\n[[tools]]\nname = \"move\"\nreturns = 1\neffect = \"write\"",
    );
    write(
        "slow.toml",
        "prompt = \"Sleep.\"\nmodel = \"recorded:slow.jsonl\"\n[[tools]]\nname = \"nap\"\ncommand = [\"sleep\", \"600\"]\neffect = \"read\"\ntimeout = 600",
    );
    write("slow.jsonl", &["1", "(tool/nap {})"].map(reply).join("\n"));
    write("parcel.jsonl", &reply("(tool/move {}) (return {:place \"Ulm\" :_key \"hidden\"})"));
    folder
}

/// The texts of a result are for the model of the client, so characters that move or hide text are escapes in them. The
/// structured content has the exact value.
#[test]
fn texts_for_a_model_hide_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| std::fs::write(folder.path().join(name), text).unwrap();
    let raw = "\u{1b}[2J\u{202e}\u{200b}\u{e0041}";
    let agent = json!({
        "name": "w",
        "description": raw,
        "program": "w.clj",
        "signature": "(fails :bool, text :string) -> {text :string}",
    });
    write("w.json", &agent.to_string());
    write(
        "w.clj",
        "(if ctx/fails (fail {:reason :no :message ctx/text}) (return {:text ctx/text}))",
    );
    let mut client = Client::start(folder.path(), &["w.json", "--store", "s.sqlite"]);
    let escaped = "\\u001b[2J\\u202e\\u200b\\udb40\\udc41";
    assert_eq!(client.ask("tools/list", &json!({}))["tools"][0]["description"], escaped);
    let result = client.call("w", &json!({"fails": false, "text": raw}));
    assert_eq!(result["structuredContent"], json!({ "text": raw }));
    let text = result["content"][0]["text"].as_str().unwrap();
    assert_eq!(text, format!("{{\"text\":\"{escaped}\"}}"));
    assert_eq!(serde_json::from_str::<Value>(text).unwrap(), result["structuredContent"]);
    let result = client.call("w", &json!({"fails": true, "text": raw}));
    assert_eq!(result["content"][0]["text"], format!("failed: no: {escaped}"));
    assert_eq!(client.end(), Some(0));
}

#[test]
fn agents_are_tools_with_schemas_and_annotations() {
    let folder = folder();
    let mut client =
        Client::start(folder.path(), &["double.toml", "parcel.toml", "--store", "runs.db"]);
    let tools = client.ask("tools/list", &json!({}));
    let integer = json!({"type": "integer"});
    let text = json!({"type": "string"});
    let expected = json!([
        {
            "name": "double_it",
            "description": "Double n.",
            "inputSchema": {"type": "object", "properties": {"n": integer}, "required": ["n"]},
            "outputSchema": {"type": "object", "properties": {"result": integer}, "required": ["result"]},
            "annotations": {"readOnlyHint": true},
        },
        {
            "name": "parcel",
            "description": "Find id.",
            "inputSchema": {"type": "object", "properties": {"id": text}, "required": ["id"]},
            "outputSchema": {"type": "object", "properties": {"place": text}, "required": ["place"]},
            "annotations": {"readOnlyHint": false, "idempotentHint": false},
        },
    ]);
    assert_eq!(tools["tools"], expected);
    assert_eq!(client.end(), Some(0));
}

#[test]
fn calls_are_runs_on_record_with_progress() {
    let folder = folder();
    let mut client =
        Client::start(folder.path(), &["double.toml", "parcel.toml", "--store", "runs.db"]);
    // The turns that have ended come before the result.
    let with_progress = |client: &mut Client, name: &str, arguments: Value, messages: &[&str]| {
        let params = json!({"name": name, "arguments": arguments, "_meta": {"progressToken": "t"}});
        client.send(&json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params}));
        for (index, message) in messages.iter().enumerate() {
            let progress = client.receive();
            let count = (index + 1) as f64;
            let expected = json!({"progressToken": "t", "progress": count, "message": message});
            assert_eq!(progress["params"], expected);
        }
        without_run(client.receive()["result"].clone())
    };
    let content = |value: &Value| json!([{"type": "text", "text": value.to_string()}]);
    let value = json!({"result": 42});
    let result = with_progress(
        &mut client,
        "double_it",
        json!({"n": 21}),
        &["turn 1: value", "turn 2: returned"],
    );
    assert_eq!(
        result,
        json!({"content": content(&value), "structuredContent": value, "isError": false})
    );
    let value = json!({"place": "Ulm"});
    let result = with_progress(
        &mut client,
        "parcel",
        json!({"id": "p"}),
        &["called `move`", "turn 1: returned"],
    );
    assert_eq!(
        result,
        json!({"content": content(&value), "structuredContent": value, "isError": false})
    );

    let mut error = |name: &str, arguments: Value| {
        let result = client.call(name, &arguments);
        assert_eq!(result["isError"], true);
        result["content"][0]["text"].as_str().unwrap().to_string()
    };
    assert_eq!(error("double_it", json!({"n": 1})), "failed: odd: is odd");
    assert_eq!(
        error("double_it", json!({"n": 1})),
        "stopped (turns): `+` expects numbers, its second argument is a string \"y\""
    );
    assert_eq!(
        error("double_it", json!({"n": "x"})),
        "the input does not match: n: expected int, found string \"x\"; the signature is (n :int) -> :int"
    );
    let unknown = client.call("triple", &json!({}));
    assert_eq!(unknown, json!({"code": -32602, "message": "there is no tool `triple`"}));
    assert_eq!(client.end(), Some(0));

    let (_, runs, _) = ptc(folder.path(), &["runs", "--store", "runs.db", "--json"]);
    let runs: Value = serde_json::from_str(&runs).unwrap();
    let runs = runs["runs"].as_array().unwrap();
    let runs =
        runs.iter().map(|it| (it["agent"].as_str().unwrap(), it["status"].as_str().unwrap()));
    let expected = [
        ("double it", "stopped"),
        ("double it", "failed"),
        ("parcel", "returned"),
        ("double it", "returned"),
    ];
    assert_eq!(runs.collect::<Vec<_>>(), expected);
}

#[cfg(unix)]
#[test]
fn the_end_of_a_call_or_of_the_server_ends_its_run() {
    for way in ["cancelled by the client", "terminated"] {
        let folder = folder();
        let mut client = Client::start(folder.path(), &["slow.toml", "--store", "runs.db"]);
        let params = json!({"name": "slow", "_meta": {"progressToken": 1}});
        client.send(&json!({"jsonrpc": "2.0", "id": 7, "method": "tools/call", "params": params}));
        let progress = client.receive();
        assert_eq!(progress["params"]["message"], "turn 1: value");
        if way == "terminated" {
            let pid = client.process.id().to_string();
            assert!(Command::new("kill").arg(pid).status().unwrap().success());
            assert_eq!(client.process.wait().unwrap().code(), Some(0));
        } else {
            let params = json!({"requestId": 7, "reason": "enough"});
            let method = "notifications/cancelled";
            client.send(&json!({"jsonrpc": "2.0", "method": method, "params": params}));
            // Nobody waits for the result of the call: the next message answers the next request.
            assert_eq!(client.ask("ping", &json!({})), json!({}));
            assert_eq!(client.end(), Some(0));
        }
        let (_, runs, _) = ptc(folder.path(), &["runs", "--store", "runs.db", "--json"]);
        let runs: Value = serde_json::from_str(&runs).unwrap();
        let run = &runs["runs"][0];
        assert_eq!(
            (&run["status"], &run["stop"]),
            (&json!("stopped"), &json!("cancelled")),
            "{way}"
        );
    }
}

#[test]
fn an_agent_calls_an_agent_of_a_server() {
    let folder = folder();
    let outer = json!({"mcpServers": {"inner": {
        "command": env!("CARGO_BIN_EXE_ptc"),
        "args": ["mcp", "parcel.toml", "--store", "inner.db"],
    }}});
    std::fs::write(folder.path().join("servers.json"), outer.to_string()).unwrap();
    let agent = "prompt = \"Ask.\"\nmcp = \"servers.json\"";
    std::fs::write(folder.path().join("outer.toml"), agent).unwrap();
    let program = "(:place (tool/parcel {:id \"p\"}))";
    let (code, out, errors) =
        ptc(folder.path(), &["eval", "--agent", "outer.toml", "--live", "-e", program]);
    assert_eq!((code, out.as_str()), (Some(0), "\"Ulm\"\n"), "{errors}");
    // Admission knows the schema of the result.
    let wrong = "(:plce (tool/parcel {:id \"p\"}))";
    let (code, out, errors) = ptc(folder.path(), &["check", "--agent", "outer.toml", "-e", wrong]);
    assert_eq!((code, out.as_str()), (Some(3), ""), "{errors}");
    assert!(errors.contains("the record has no field `:plce`"), "{errors}");
}

#[test]
fn programs_of_the_client_call_the_tools_of_an_agent_or_of_servers() {
    let folder = folder();
    let servers = json!({"mcpServers": {"inner": {
        "command": env!("CARGO_BIN_EXE_ptc"),
        "args": ["mcp", "parcel.toml", "double.toml", "--store", "inner.db"],
    }}});
    std::fs::write(folder.path().join("servers.json"), servers.to_string()).unwrap();
    let denied = "\"a person refused the call: this client cannot ask a person\"";
    let read = "(:result (tool/inner/double_it {:n 21}))";
    let write = "(:place (tool/inner/parcel {:id \"p\"}))";
    let caught = format!("(try {write} (catch Exception e (:message (ex-data e))))");
    let cases: [(&[&str], &str, &str); 4] = [
        (&["--code", "parcel.toml"], "(tool/move {})", "1"),
        (&["--code", "--mcp", "servers.json"], read, "42"),
        (&["--code", "--mcp", "servers.json"], &caught, denied),
        (&["--code", "--mcp", "servers.json", "--yes"], write, "\"Ulm\""),
    ];
    for (args, program, expected) in cases {
        let mut client = Client::start(folder.path(), &[args, &["--store", "runs.db"]].concat());
        let tools = client.ask("tools/list", &json!({}));
        let names: Vec<_> =
            tools["tools"].as_array().unwrap().iter().map(|it| &it["name"]).collect();
        assert_eq!(names, ["search", "run"]);
        let result = client.call("run", &json!({"program": program}));
        let content = json!([{"type": "text", "text": expected}]);
        assert_eq!(result, json!({"content": content, "isError": false}), "{program}");
        assert_eq!(client.end(), Some(0));
    }
}

#[test]
fn agents_are_served_over_http() {
    let folder = folder();
    let mut server = Command::new(env!("CARGO_BIN_EXE_ptc"))
        .args([
            "mcp",
            "parcel.toml",
            "--store",
            "inner.db",
            "--http",
            "0",
            "--token-env",
            "DESK_TOKEN",
        ])
        .env("DESK_TOKEN", "secret")
        .current_dir(folder.path())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut line = String::new();
    BufReader::new(server.stderr.take().unwrap()).read_line(&mut line).unwrap();
    let url = line.trim().strip_prefix("listening at ").unwrap();
    let program = "(:place (tool/parcel {:id \"p\"}))";
    for (token, expected) in [("secret", "\"Ulm\"\n"), ("guess", "")] {
        let headers = format!("{{ Authorization = \"Bearer {token}\" }}");
        let agent = format!(
            "prompt = \"Ask.\"\n[[mcp]]\nname = \"desk\"\nurl = \"{url}\"\nheaders = {headers}"
        );
        std::fs::write(folder.path().join("outer.toml"), agent).unwrap();
        let (_, out, errors) =
            ptc(folder.path(), &["eval", "--agent", "outer.toml", "--live", "-e", program]);
        assert_eq!(out, expected, "{errors}");
    }
    server.kill().unwrap();
    server.wait().unwrap();
}

#[test]
fn agents_that_cannot_be_served_are_faults() {
    let folder = folder();
    let cases: [(&[&str], &str); 8] = [
        (&["parcel.toml", "parcel.toml"], "two agents are named `parcel`"),
        (&["absent.toml"], "No such file or directory"),
        (&["double.toml", "--model", "no:such"], "no:such"),
        (
            &["double.toml", "--http", "0.0.0.0:0"],
            "0.0.0.0:0 is not a loopback address, so clients need a token",
        ),
        (&["--code", "double.toml", "parcel.toml"], "`--code` takes one agent file"),
        (&["--code", "--mcp", "absent.json"], "cannot read the MCP servers in `absent.json`"),
        (
            &["double.toml", "--http", "here"],
            "expected a port, or an address with a port such as 127.0.0.1:8080",
        ),
        (
            &["double.toml", "--http", "0", "--token-env", "NO_SUCH"],
            "the environment variable `NO_SUCH` has no token",
        ),
    ];
    for (args, expected) in cases {
        let args = [&["mcp", "--store", "runs.db"], args].concat();
        let (code, out, errors) = ptc(folder.path(), &args);
        assert_eq!((code, out.as_str()), (Some(2), ""), "{errors}");
        assert!(errors.contains(expected), "{errors}");
    }
}

#[test]
fn a_token_that_no_client_can_send_is_a_fault() {
    let folder = folder();
    let output = Command::new(env!("CARGO_BIN_EXE_ptc"))
        .args([
            "mcp",
            "double.toml",
            "--store",
            "runs.db",
            "--http",
            "0",
            "--token-env",
            "DESK_TOKEN",
        ])
        .env("DESK_TOKEN", "secret\n")
        .current_dir(folder.path())
        .output()
        .unwrap();
    let said = String::from_utf8(output.stderr).unwrap().replace("\n  │ ", " ");
    let expected = "the token may have only visible ASCII characters, and spaces between them";
    assert_eq!((output.status.code(), said.contains(expected)), (Some(2), true), "{said}");
    assert!(!said.contains("listening"), "{said}");
}

#[test]
fn logins_are_in_the_folder_of_the_user() {
    let folder = tempfile::tempdir().unwrap();
    let servers = json!({"mcpServers": {"issues": {"url": "http://127.0.0.1:1/mcp"}}});
    std::fs::write(folder.path().join("servers.json"), servers.to_string()).unwrap();
    let mut agent = std::fs::File::create(folder.path().join("agent.toml")).unwrap();
    write!(agent, "prompt = \"Work.\"\nmcp = \"servers.json\"\n").unwrap();
    let state = folder.path().join("ptc/mcp-logins.json");
    let run = |args: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_ptc"));
        command.arg("mcp").args(args).current_dir(folder.path());
        let output = command.env("XDG_STATE_HOME", folder.path()).output().unwrap();
        (output.status.code(), String::from_utf8(output.stderr).unwrap())
    };
    let unknown = (Some(0), "there was no login to `issues`\n".to_string());
    assert_eq!(run(&["logout", "agent.toml"]), unknown);
    std::fs::write(&state, json!({"http://127.0.0.1:1/mcp": {}, "x": {}}).to_string()).unwrap();
    let known = (Some(0), "logged out of `issues`\n".to_string());
    assert_eq!(run(&["logout", "servers.json", "issues"]), known);
    let left: Value = serde_json::from_str(&std::fs::read_to_string(&state).unwrap()).unwrap();
    assert_eq!(left, json!({"x": {}}));
    assert_eq!(run(&["logout", "agent.toml"]), unknown);
    let (code, said) = run(&["login", "agent.toml"]);
    let said = said.replace("\n  │ ", " ");
    let expected = "cannot log in to MCP server `issues`: OAuth metadata discovery failed for \
        http://127.0.0.1:1/mcp: Connection refused";
    assert_eq!((code, said.contains(expected)), (Some(2), true), "{said}");
}
