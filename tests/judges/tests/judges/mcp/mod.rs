//! Agents with MCP servers: real processes, their tools, calls, failures and records.

mod asks;
mod code;
mod content;
mod exact;
mod hostile_clients;
mod hostile_servers;
mod http;
mod login;
mod many;
mod oauth;
mod oauth_server;
mod progress;
mod seen;
mod server;
mod support;

use std::time::Duration;

use ptc_subagent::provider::Scripted;
use ptc_subagent::replay::{Replay, Resume};
use ptc_subagent::store::{RunRecord, Store};
use ptc_subagent::tool::{Effect, ToolDef};
use ptc_subagent::{Agent, Blob, Mission};
use serde_json::json;

use support::{Place, call, record, runtime, tool};

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
        r#"add(a :int, b :int, unit? :string) -> {sum :int} reads false false Some("desk") Some("Adds two numbers.")"#,
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
    // The secret is across the cut.
    let long = format!("tool-failed: {} [API_TOKEN] an…", "x".repeat(985));
    let cases = [
        ("add", json!({"a": 1, "b": 2}), r#"{"sum":3}"#),
        // An argument that is nil is left out, because its schema does not allow null.
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
        (
            "say",
            json!({"kind": "blocks"}),
            r#"["a picture",{"media_type":"image/png","size":5,"hash":"ea8f163db38682925e4491c5e58d4bb3506ef8c14eb78a86e908c5624a67200f"}]"#,
        ),
        ("say", json!({"kind": "garbage"}), "tool-output: gave binary content that is not Base64"),
        ("say", json!({"kind": "error"}), "tool-failed: no such city"),
        ("say", json!({"kind": "long error"}), &long),
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
fn a_server_that_answers_any_request_is_of_the_older_revision() {
    let place = Place::new();
    drop(place.agent("vague"));
    place.wait_for("end");
    let version = "list 2025-11-25";
    assert_eq!(place.log(), ["start vague", "start vague", version, version, "end"]);
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

/// The first tool of a name in programs is taken.
#[test]
fn tools_with_the_name_of_another_one_are_left_out() {
    let place = Place::new();
    place.write("alike", "[[mcp]]\nname = \"desk\"\ncommand = [\"SERVER\", \"alike\"]\n");
    let agent = place.read(None).unwrap();
    let names: Vec<&str> = agent.tools.iter().map(|it| it.name.as_str()).collect();
    assert_eq!(names, ["a_b", "ok"]);
    let left_out: Vec<String> = agent.tools_left_out().iter().map(ToString::to_string).collect();
    let of = |name: &str| {
        format!(
            "`{name}` of the MCP server `desk` is left out: it has the name of another tool of its source"
        )
    };
    assert_eq!(left_out, [of("a_b"), of("ok")]);
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
            "5:1: unknown key `colour` (the known keys are name, command, env, url, headers, oauth, allow, deny, prefix, effects, timeout, start_timeout, max_output, trust)",
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

#[test]
fn no_text_of_a_server_shows_its_secret() {
    let place = Place::new();
    let agent = place.agent("leaky");
    let tool = &agent.tools[0];
    let shown = format!("{}{} {:?}", tool.name, tool.signature.as_ref().unwrap(), tool.description);
    let x = "x".repeat(985);
    let expected = format!(
        r#"get__API_TOKEN_(a :enum[x "[API_TOKEN]"], b :string "Never [API_TOKEN]", :"[API_TOKEN]" :int) -> {{:"[API_TOKEN]"? :string}} Some("{x} [API_TOKEN] an…")"#
    );
    assert_eq!(shown, expected);
    let prompt = Mission::new(&agent, json!({})).system_prompt().unwrap().to_string();
    assert!(!prompt.contains("token-of"), "{prompt}");
    // The server knows the tool by its own name.
    assert_eq!(
        call(tool, json!({"a": "x", "b": "", "[API_TOKEN]": 1})),
        r#"tool-result: the result does not match: expected map, found string "get [API_TOKEN]""#
    );
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
fn descriptions_have_the_types_of_earlier_results() {
    let place = Place::new();
    let store = Store::open(&place.path("runs.db")).unwrap();
    let described = |agent: &Agent, name: &str| tool(agent, name).description.clone().unwrap();
    // Runs an agent that has learned from earlier runs. Returns the description of its tool, and its record.
    let run = |program: &str| {
        let mut agent = place.agent("usual");
        agent.learn(&store).unwrap();
        let provider = Scripted::new([format!("```clojure\n(return {program})\n```")]);
        let mission = Mission::new(&agent, json!({})).record_in(&store);
        let report = runtime().block_on(mission.run(&provider)).unwrap();
        assert_eq!(report.error, None);
        let replay = Replay::of(&store, report.run.as_str()).unwrap();
        assert_eq!(runtime().block_on(replay.run()).unwrap().differences, []);
        (described(&agent, "say"), record(&store))
    };
    let learned = "Gives content.\nEarlier results have the type `{a [:int]}`.";
    assert_eq!(run("(tool/say {:kind \"json\"})").0, "Gives content.");
    let (description, record) = run("(tool/say {:kind \"json\"})");
    assert_eq!(description, learned);
    assert!(record.setup.system.contains("Earlier results have the type `{a [:int]}`."));
    // A resumed run has the type on record, whatever the store has since then.
    assert_eq!(described(&place.read(Some(&record)).unwrap(), "say"), learned);
    // Fields that begin with an underscore are hidden.
    assert_eq!(run("(tool/say {:kind \"hidden\"})").0, learned);
    let optional = "Gives content.\nEarlier results have the type `{a [:int]?}`.";
    // A result of another kind, after which there is no common type.
    assert_eq!(run("(tool/say {:kind \"number\"})").0, optional);
    assert_eq!(run("nil").0, "Gives content.");
    // A tool with an output schema learns nothing.
    let mut agent = place.agent("usual");
    run("(tool/add {:a 1 :b 2})");
    agent.learn(&store).unwrap();
    assert_eq!(described(&agent, "add"), "Adds two numbers.");
}

#[test]
fn the_record_has_binary_content() {
    let place = Place::new();
    let agent = place.agent("usual");
    let store = Store::open(&place.path("runs.db")).unwrap();
    let replies = [
        "```clojure\n(def blocks (tool/say {:kind \"blocks\"}))\n(return [(:size (second blocks)) (= blocks (tool/say {:kind \"blocks\"})) (tool/say {:kind \"resource\"})])\n```",
    ];
    let mission = Mission::new(&agent, json!({})).record_in(&store);
    let report = runtime().block_on(mission.run(&Scripted::new(replies))).unwrap();
    let hash = "ea8f163db38682925e4491c5e58d4bb3506ef8c14eb78a86e908c5624a67200f";
    let resource = json!({"hash": hash, "media_type": "application/octet-stream", "size": 5, "uri": "file:///a"});
    assert_eq!(serde_json::to_value(&report.value).unwrap(), json!([5, true, resource]));
    let blobs = |record: &RunRecord| {
        let calls = record.turn_records.iter().flat_map(|turn| &turn.calls);
        calls.map(|call| call.blobs.clone()).collect::<Vec<Vec<Blob>>>()
    };
    let image = vec![Blob::new("image/png", b"hello")];
    let expected = [image.clone(), image, vec![Blob::new("application/octet-stream", b"hello")]];
    assert_eq!(blobs(&record(&store)), expected);

    let run = report.run.to_string();
    let replayed = runtime().block_on(Replay::of(&store, &run).unwrap().run()).unwrap();
    assert_eq!(replayed.differences, []);

    // A file has the bytes too.
    let file = place.path("run.jsonl");
    store.export(&[&run], None, std::fs::File::create(&file).unwrap()).unwrap();
    let other = Store::in_memory().unwrap();
    other.import(None, std::io::BufReader::new(std::fs::File::open(&file).unwrap())).unwrap();
    assert_eq!(blobs(&record(&other)), expected);
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
