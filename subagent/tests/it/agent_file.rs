//! Agent files: their meaning, and the locations of their errors.

use std::time::Duration;

use ptc_subagent::provider::{Cost, GrammarServer, ModelSpec, Transport};
use ptc_subagent::tool::{CallContext, Effect, ToolDef};
use ptc_subagent::{
    Agent, Answers, Ask, Error, OnLimit, PromptPart, Reference, RunBudget, SignatureMode,
    Transcript,
};
use serde_json::{Value, json};

/// Reads a file with this name and content.
pub(crate) fn read(name: &str, content: &str) -> (tempfile::TempDir, Result<Agent, Error>) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join(name);
    std::fs::write(&path, content).unwrap();
    let agent = Agent::read(&path);
    (folder, agent)
}

/// Reads an invalid file and compares the error's location, message and help.
pub(crate) fn check(name: &str, content: &str, expected: &str) {
    let (folder, agent) = read(name, content);
    let error = agent.expect_err(content);
    let prefix = format!("{}/", folder.path().display());
    let mut found = error.to_string().replace(&prefix, "");
    if let Some(help) = error.help() {
        found = format!("{found} | {help}");
    }
    assert_eq!(found, expected, "{content}");
    assert_eq!(error.kind().exit_code(), 2);
}

const WHOLE: &str = r#"
name = "rates"
description = "what it is for"
prompt = "Say {{x}}."
signature = "(x :int) -> :float"
signature_mode = "strict"
max_turns = 3
model = "recorded:r.jsonl"
base_url = "http://localhost:1/v1"
input = "in/x.json"
timeout = 20
request_timeout = 1.5
temperature = 0.5
max_tokens = 100
grammar = true
transport = "tool"
prices = "prices.toml"

[[tools]]
name = "rate"
signature = "(c :string) -> :float"
signature_mode = "warn"
description = """
Exchange rate.
"""
effect = "write"
command = ["python3", "rate.py"]
timeout = 2
env = ["HOME"]
max_output = 10

[[tools]]
name = "later"
planning = true

[[tools]]
name = "again"
url = "http://localhost:1/"
retries = 2
retry_delay = 0.25

[transcript]
window = 20
reset_after = 40
keep_results = 3

[limits]
fuel = 1000
tool_calls = 7
program_time = 0.5

[system]
list_sample = 1
reference = "full"
string_truncate = 80
max_tools = 9
max_chars = 20000

[system.sections]
rules = "{{ section }}\n8. Amounts are in EUR"
"#;

#[test]
fn every_key() {
    let (folder, agent) = read("a.toml", WHOLE);
    let agent = agent.unwrap();
    assert_eq!(agent.name, "rates");
    assert_eq!(agent.description.as_deref(), Some("what it is for"));
    assert_eq!(agent.prompt, "Say {{x}}.");
    assert_eq!(agent.signature.unwrap().to_string(), "(x :int) -> :float");
    assert_eq!(agent.signature_mode, SignatureMode::Strict);
    assert_eq!(agent.prompt_limits.reference, Reference::Full);
    assert_eq!(agent.max_turns, 3);
    assert_eq!(agent.model, Some(ModelSpec::Recorded(folder.path().join("r.jsonl"))));
    assert_eq!(agent.base_url.as_deref(), Some("http://localhost:1/v1"));
    assert_eq!(agent.input, Some(folder.path().join("in/x.json")));
    assert_eq!(agent.timeout, Duration::from_secs(20));
    assert_eq!(agent.request_timeout, Duration::from_millis(1500));
    assert_eq!(agent.parameters.temperature, Some(0.5));
    assert_eq!(agent.parameters.max_tokens, Some(100));
    assert_eq!(agent.grammar, Some(GrammarServer::LlamaCpp));
    assert_eq!(agent.transport, Transport::Tool);
    assert_eq!(agent.prices, Some(folder.path().join("prices.toml")));
    assert_eq!((agent.limits.fuel, agent.limits.tool_calls), (1000, 7));
    assert_eq!(agent.limits.program_time, Duration::from_millis(500));
    let transcript = Transcript::default().with_window(20).with_reset_after(40);
    assert_eq!(agent.transcript, transcript.with_keep_results(3));
    let limits = agent.prompt_limits;
    assert_eq!((limits.list_sample, limits.string_truncate), (1, 80));
    assert_eq!((limits.max_tools, limits.max_chars), (9, Some(20_000)));
    assert_eq!(agent.sections.get(PromptPart::Rules), Some("{{ section }}\n8. Amounts are in EUR"));
    assert_eq!(agent.sections.get(PromptPart::Role), None);
    let [rate, later, again] = &agent.tools[..] else { panic!("{:?}", agent.tools) };
    assert_eq!(rate.name, "rate");
    assert_eq!(rate.signature.as_ref().unwrap().to_string(), "(c :string) -> :float");
    assert_eq!(rate.description.as_deref(), Some("Exchange rate."));
    assert_eq!((rate.effect(), rate.timeout), (Effect::Write, Duration::from_secs(2)));
    assert_eq!((rate.signature_mode, later.signature_mode), (Some(SignatureMode::Warn), None));
    assert_eq!(
        (rate.retries, rate.retry_delay, rate.max_output),
        (0, Duration::from_millis(500), 10)
    );
    assert_eq!((again.retries, again.retry_delay), (2, Duration::from_millis(250)));
    assert_eq!(again.max_output, 1 << 20);
    assert!(rate.is_callable());
    assert!(!later.is_callable());
}

/// R2: the defaults of an agent. The seed's `max_iterations` is `max_turns`.
#[test]
fn r2_defaults() {
    let (_folder, agent) = read("overdue.toml", "prompt = \"p\"");
    let agent = agent.unwrap();
    assert_eq!((agent.name.as_str(), agent.max_turns), ("overdue", 5));
    assert_eq!(agent.signature_mode, SignatureMode::Coerce);
    assert_eq!(agent.prompt_limits.reference, Reference::Auto);
    assert_eq!(agent.timeout, Duration::from_mins(5));
    assert_eq!(agent.request_timeout, Duration::from_mins(1));
    assert_eq!(agent.parameters.temperature, Some(0.0));
    assert_eq!(agent.limits.fuel, 30_000_000);
    assert!(agent.model.is_none() && agent.tools.is_empty() && agent.grammar.is_none());
    assert_eq!((agent.transport, agent.prices), (Transport::Fence, None));
    let (_folder, agent) = read("a.toml", "prompt = \"p\"\ntemperature = \"default\"");
    assert_eq!(agent.unwrap().parameters.temperature, None);
}

#[test]
fn json_has_the_same_keys() {
    let toml: serde_json::Value =
        serde_json::to_value(toml::from_str::<toml::Table>(WHOLE).unwrap()).unwrap();
    let (folder, agent) = read("a.json", &toml.to_string());
    let (other, same) = read("a.toml", WHOLE);
    let show = |mut agent: Agent, folder: &tempfile::TempDir| {
        agent.file = None;
        format!("{agent:?}").replace(&folder.path().display().to_string(), "")
    };
    assert_eq!(show(agent.unwrap(), &folder), show(same.unwrap(), &other));
}

#[test]
fn endpoints() {
    let tool = |keys: &str| format!("prompt = \"p\"\n[[tools]]\nname = \"t\"\n{keys}\n");
    let (_folder, agent) = read(
        "a.toml",
        &tool("url = \"http://a/b/{id}\"\nmethod = \"PUT\"\nheaders = { X-Key = \"$KEY\" }"),
    );
    assert!(agent.unwrap().tools[0].is_callable());
    for (keys, expected) in [
        (
            "url = \"http://a/b\"\nmethod = \"put\"",
            "a.toml:5:10: tool `t`: `put` is not a supported method | write GET, POST, PUT, PATCH or DELETE",
        ),
        ("url = \"ftp://a/b\"", "a.toml:4:7: tool `t`: `ftp://a/b` is not an http or https URL"),
        (
            "url = \"http://{host}/b\"",
            "a.toml:4:7: tool `t`: `http://{host}/b` has an argument before its path | write arguments in the path or in the query",
        ),
        (
            "url = \"http://a/b\"\nheaders = { \"a b\" = \"c\" }",
            "a.toml:5:11: tool `t`: the header `a b` has an invalid name",
        ),
        (
            "url = \"http://a/b\"\ncommand = [\"true\"]",
            "a.toml:4:7: tool `t` has both `command` and `url`: only one is allowed",
        ),
        (
            "url = \"http://a/b\"\nplanning = true",
            "a.toml:4:7: tool `t` is only for planning and has `url`",
        ),
        (
            "command = [\"true\"]\nmethod = \"PUT\"",
            "a.toml:3:9: tool `t` has no `url` for its method or headers",
        ),
        (
            "effect = \"read\"",
            "a.toml:2:1: tool `t` has no implementation | give it a `command`, a `url`, an `agent`, a `prompt` or `returns`",
        ),
    ] {
        check("a.toml", &tool(keys), expected);
    }
}

#[test]
fn system_prompts() {
    check(
        "a.toml",
        "prompt = \"p\"\n[system.sections]\nrules = \"{{ section\"\n",
        "a.toml:3:10: the template `rules` fails: syntax error: unexpected end of input, expected end of \
         variable block (in rules:1)",
    );
    check(
        "a.json",
        "{\"prompt\": \"p\",\n \"system\": {\"sections\": {\"role\": \"{% x %}\"}}}",
        "a.json:2:35: the template `role` fails: syntax error: unknown statement x (in role:1)",
    );
    check(
        "a.toml",
        "prompt = \"p\"\n[system.sections]\ninventry = \"x\"\n",
        "a.toml:3:1: unknown key `inventry` | did you mean `inventory`?",
    );
    check(
        "a.toml",
        "prompt = \"p\"\n[system]\nlist_samples = 3\n",
        "a.toml:3:1: unknown key `list_samples` | did you mean `list_sample`?",
    );
    let (_folder, agent) = read("a.toml", "prompt = \"p\"\nsystem.omit_reference = true\n");
    assert_eq!(agent.unwrap().prompt_limits.reference, Reference::None);
    check(
        "a.toml",
        "prompt = \"Say {{user.nmae}}.\"\nsignature = \"(user {name :string}) -> :string\"\n",
        "a.toml:1:10: the placeholder `{{user.nmae}}` names `nmae`, which `user` does not have; it has `name`",
    );
}

#[test]
fn malformed_toml() {
    check(
        "a.toml",
        "name = \"x\"\nprompt = \"unclosed\n",
        "a.toml:2:19: invalid basic string, expected `\"`",
    );
    check("a.toml", "name = \"x\"\n", "a.toml:1:1: the file has no `prompt`");
    check(
        "a.toml",
        "prompt = \"p\"\nmodle = \"x\"\n",
        "a.toml:2:1: unknown key `modle` | did you mean `model`?",
    );
    check(
        "a.toml",
        "prompt = \"p\"\nmax_turns = \"five\"\n",
        "a.toml:2:13: `max_turns`: found string \"five\", expected a whole number up to 4294967295",
    );
    check(
        "a.toml",
        "prompt = \"p\"\nmax_turns = -1\n",
        "a.toml:2:13: `max_turns`: found integer `-1`, expected a whole number up to 4294967295",
    );
    check(
        "a.toml",
        "prompt = \"p\"\ntimeout = 0\n",
        "a.toml:2:11: `timeout`: 0 is not a number of seconds between 0 and a year",
    );
    check(
        "a.toml",
        "prompt = \"p\"\ntemperature = 3\n",
        "a.toml:2:15: `temperature`: 3 is not a temperature from 0 to 2",
    );
    check(
        "a.toml",
        "prompt = \"p\"\n\n[[tools]]\nname = \"t\"\ncomand = [\"x\"]\n",
        "a.toml:5:1: unknown key `comand` | did you mean `command`?",
    );
    check(
        "a.toml",
        "prompt = \"p\"\nsignature_mode = \"stric\"\n",
        "a.toml:2:18: `stric` is not a value of `signature_mode` | did you mean `strict`?",
    );
    check(
        "a.toml",
        "prompt = \"p\"\nsystem.reference = \"short\"\n",
        "a.toml:2:20: `short` is not a value of `system.reference` | the known values are none, auto, minimal, full",
    );
    check(
        "a.toml",
        "prompt = \"p\"\n\n[[tools]]\nname = \"t\"\ncommand = [\"x\"]\neffect = \"delete\"\n",
        "a.toml:6:10: `delete` is not a value of `tools[0].effect` | the known values are read, write",
    );
    check(
        "a.toml",
        "prompt = \"p\"\n[[tools]]\ncommand = [\"x\"]\n",
        "a.toml:2:1: `tools[0]` has no `name`",
    );
    check(
        "a.toml",
        "prompt = \"p\"\n[limits]\nfule = 3\n",
        "a.toml:3:1: unknown key `fule` | did you mean `fuel`?",
    );
}

#[test]
fn malformed_json() {
    check("a.json", "{\n  \"prompt\": \"p\",\n}", "a.json:3:1: trailing comma");
    check(
        "a.json",
        "{\n  \"prompt\": \"p\",\n  \"modle\": 1}",
        "a.json:3:9: unknown key `modle` | did you mean `model`?",
    );
    check("a.json", "{\"prompt\": \"p\"} x", "a.json:1:17: trailing characters");
    check("a.json", "{}", "a.json:1:1: the file has no `prompt`");
    check(
        "a.json",
        "{\"prompt\": \"p\",\n \"signature\": \"(x :strng) -> :int\"}",
        "a.json:2:19: the signature does not parse: unknown type `:strng` | did you mean `:string`?",
    );
}

/// M11: a missing part is an error of the definition, which names the part, and no run starts.
#[test]
fn m11_invalid_definitions() {
    check("a.toml", "prompt = \" \"", "a.toml:1:10: `prompt` is empty");
    check(
        "a.toml",
        "max_turns = 0\nprompt = \"p\"",
        "a.toml:1:13: `max_turns` is 0: no turn, no answer",
    );
    check(
        "a.toml",
        "prompt = \"p\"\n[transcript]\nwindow = 0\n",
        "a.toml:2:1: `window` of the transcript is 0",
    );
    check(
        "a.toml",
        "prompt = \"p\"\n[transcript]\nwindows = 3\n",
        "a.toml:3:1: unknown key `windows` | did you mean `window`?",
    );
    check(
        "a.toml",
        "prompt = \"p\"\nsignature = \"(x :strng) -> :int\"",
        "a.toml:2:17: the signature does not parse: unknown type `:strng` | did you mean `:string`?",
    );
    check(
        "a.toml",
        "prompt = \"p\"\nsignature = \"\"\"\n(x :int)\n-> :strng\"\"\"",
        "a.toml:4:4: the signature does not parse: unknown type `:strng` | did you mean `:string`?",
    );
    check(
        "a.toml",
        "prompt = \"p\"\nmodel = \"gpt\"",
        "a.toml:2:10: model `gpt` does not name its kind | write `openai:gpt` or `recorded:FILE`",
    );
    check(
        "a.toml",
        "prompt = \"p\"\n[limits]\ncalls_in_flight = 0",
        "a.toml:2:1: `calls_in_flight` is 0: no call could ever start",
    );
    let tool = |rest: &str| format!("prompt = \"p\"\n[[tools]]\nname = \"t\"\n{rest}");
    check(
        "a.toml",
        &tool(""),
        "a.toml:2:1: tool `t` has no implementation | give it a `command`, a `url`, an `agent`, a `prompt` or `returns`",
    );
    check(
        "a.toml",
        &tool("command = []"),
        "a.toml:4:11: tool `t` has no implementation | give it a `command`, a `url`, an `agent`, a `prompt` or `returns`",
    );
    check("a.toml", &tool("command = [\"\"]"), "a.toml:4:11: the `command` of tool `t` is empty");
    check(
        "a.toml",
        &tool("planning = true\ncommand = [\"x\"]"),
        "a.toml:5:11: tool `t` is only for planning and has `command`",
    );
    check(
        "a.toml",
        &tool("command = [\"x\"]\nsignature = \"(x :int -> :int\""),
        "a.toml:5:22: the signature of tool `t` does not parse: expected `)`, found `->`",
    );
    check(
        "a.toml",
        &tool("command = [\"x\"]\n[[tools]]\nname = \"t\"\ncommand = [\"x\"]"),
        "a.toml:6:9: two tools are named `t`",
    );
    check(
        "a.toml",
        &tool("command = [\"x\"]\neffect = \"write\"\nretries = 1"),
        "a.toml:6:11: tool `t` writes and has `retries`: only a tool that reads may be repeated | remove `retries`, or set `idempotent = true` if a repeated call changes nothing more",
    );
    check(
        "a.toml",
        "prompt = \"p\"\n[[tools]]\nname = \"return\"\ncommand = [\"x\"]",
        "a.toml:3:9: `return` cannot name a tool: programs end with it",
    );
}

#[test]
fn unreadable_files() {
    let folder = tempfile::tempdir().unwrap();
    let check = |name: &str, expected: &str| {
        let error = Agent::read(&folder.path().join(name)).unwrap_err().to_string();
        assert_eq!(error.replace(&format!("{}/", folder.path().display()), ""), expected);
    };
    check(
        "none.toml",
        "none.toml: cannot read the agent file: No such file or directory (os error 2)",
    );
    std::fs::write(folder.path().join("bytes.toml"), [0xff, 0xfe]).unwrap();
    check("bytes.toml", "bytes.toml: cannot read the agent file: it is not UTF-8, at byte 0");
    std::fs::create_dir(folder.path().join("dir.toml")).unwrap();
    check("dir.toml", "dir.toml: cannot read the agent file: Is a directory (os error 21)");
}

#[test]
fn the_default_input() {
    let (folder, agent) = read("a.toml", "prompt = \"p\"\ninput = \"x.json\"");
    let agent = agent.unwrap();
    let path = folder.path().join("x.json");
    let found = || match agent.default_input() {
        Ok(input) => input.map_or_else(String::new, |it| it.to_string()),
        Err(error) => error.to_string().replace(&path.display().to_string(), "FILE"),
    };
    assert_eq!(
        found(),
        "FILE: cannot read the input of agent `a`: No such file or directory (os error 2)"
    );
    std::fs::write(&path, "{\n oops").unwrap();
    assert_eq!(
        found(),
        "FILE:2:2: the input is not valid JSON: expected a key in double quotes at line 2, column 2"
    );
    let nines = "9".repeat(4001);
    std::fs::write(&path, format!("{{\"rows\": [{{\"n\": {nines}}}]}}")).unwrap();
    assert_eq!(found(), "FILE: rows[0].n: a whole number of over 4,000 digits has no JSON form");
    let exact = "{\"rows\":[{\"n\":-123456789012345678901234567890}]}";
    std::fs::write(&path, exact).unwrap();
    assert_eq!(found(), exact);
    std::fs::write(&path, "{}").unwrap();
    assert_eq!(found(), "{}");
}

#[test]
fn grammars_and_transports() {
    let grammar = |value: &str| {
        let (_folder, agent) = read("a.toml", &format!("prompt = \"p\"\ngrammar = {value}"));
        agent.unwrap().grammar
    };
    assert_eq!(grammar("true"), Some(GrammarServer::LlamaCpp));
    assert_eq!(grammar("false"), None);
    assert_eq!(grammar("\"llama.cpp\""), Some(GrammarServer::LlamaCpp));
    assert_eq!(grammar("\"vllm\""), Some(GrammarServer::Vllm));
    check(
        "a.toml",
        "prompt = \"p\"\ngrammar = \"vlm\"",
        "a.toml:2:11: `vlm` is not a value of `grammar` | did you mean `vllm`?",
    );
    check(
        "a.toml",
        "prompt = \"p\"\ngrammar = 7",
        "a.toml:2:11: `grammar`: found integer `7`, expected true, false, \"llama.cpp\" or \"vllm\"",
    );
    check(
        "a.toml",
        "prompt = \"p\"\ntransport = \"json\"",
        "a.toml:2:13: `json` is not a value of `transport` | the known values are fence, tool",
    );
}

/// Tests the policy of the guide, and invalid policies.
#[test]
fn policies() {
    let page = include_str!("../../../docs/admission.md");
    let block = page.split("```toml\n").nth(1).and_then(|rest| rest.split("```").next()).unwrap();
    let tool = "prompt = \"p\"\n[[tools]]\nname = \"orders\"\ncommand = [\"x\"]\ncost = 0.25\n";
    let (_folder, agent) = read("a.toml", &format!("{tool}{block}"));
    let agent = agent.unwrap();
    assert_eq!(agent.policy.effects, Some(vec![Effect::Read]));
    assert_eq!(agent.policy.max_calls.get("orders"), Some(&20));
    assert_eq!(agent.policy.max_cost, Some(1.5));
    assert_eq!(agent.policy.ask, Ask::Writes);
    assert_eq!(agent.policy.yes, ["orders(n :int[..9])".parse().unwrap()]);
    assert_eq!(agent.tools[0].cost, Some(0.25));
    check(
        "a.toml",
        "prompt = \"p\"\n[policy]\nmax_calls = { rate = 1 }",
        "a.toml:2:1: `max_calls` of the policy names `rate`, which is not a tool",
    );
    check(
        "a.toml",
        "prompt = \"p\"\n[policy]\nyes = [\"rate\"]",
        "a.toml:2:1: `yes` of the policy names `rate`, which is not a tool",
    );
    check(
        "a.toml",
        "prompt = \"p\"\n[policy]\nyes = [\"(n :int)\"]",
        "a.toml:3:7: `policy.yes[0]`: `(n :int)` is not a pattern of calls: it begins with the name of a tool",
    );
    check(
        "a.toml",
        "prompt = \"p\"\n[policy]\nask = \"sometimes\"",
        "a.toml:3:7: `sometimes` is not a value of `policy.ask` | the known values are never, writes, always",
    );
    check(
        "a.toml",
        "prompt = \"p\"\n[[tools]]\nname = \"a\"\ncommand = [\"x\"]\ncost = -1",
        "a.toml:5:8: `cost` must be a number that is not negative",
    );
}

#[tokio::test]
async fn constants() {
    let check = async |text: &str, args: Value, expected: &str| {
        let name = if text.starts_with('{') { "a.json" } else { "a.toml" };
        let (_folder, agent) = read(name, text);
        let found = match agent.unwrap().tools[0].call(args, &CallContext::new("k")).await {
            Ok(value) => value.to_string(),
            Err(error) => format!("{}: {error}", error.kind.code()),
        };
        assert_eq!(found, expected, "{text}");
    };
    let tool = |keys: &str| format!("prompt = \"p\"\n[[tools]]\nname = \"t\"\n{keys}\n");
    let cases = tool(
        "error = \"no such order\"\n\
         [[tools.cases]]\nargs = { id = 1, tags = [\"a\"] }\nreturns = { total = 2.5 }\n\
         [[tools.cases]]\nargs = { id = 2 }\nerror = \"it is locked\"\n\
         [[tools.cases]]\nargs = { id = 2 }\nreturns = 0\n",
    );
    for (text, args, expected) in [
        (tool("returns = [1, \"b\", { c = true }]"), json!({"x": 1}), r#"[1,"b",{"c":true}]"#),
        (tool("error = \"it is down\""), json!({}), "tool-failed: it is down"),
        (cases.clone(), json!({"tags": ["a"], "id": 1}), r#"{"total":2.5}"#),
        (cases.clone(), json!({"tags": ["a"], "id": 1.0}), r#"{"total":2.5}"#),
        (cases.clone(), json!({"id": 2}), "tool-failed: it is locked"),
        (cases, json!({"id": 3}), "tool-failed: no such order"),
        (
            tool("[[tools.cases]]\nargs = { id = 1 }\nreturns = 1"),
            json!({"id": "1"}),
            "tool-failed: has no result for {\"id\" \"1\"}",
        ),
        (
            tool(
                "signature = \"(id :int) -> :string\"\n[[tools.cases]]\nargs = { id = 1 }\nreturns = 1",
            ),
            json!({"id": "1"}),
            "tool-result: the result does not match: expected string, found int 1",
        ),
        (
            r#"{"prompt": "p", "tools": [{"name": "t", "returns": null}]}"#.to_string(),
            json!({}),
            "null",
        ),
    ] {
        check(&text, args, expected).await;
    }
}

#[test]
fn invalid_constants() {
    let tool = |keys: &str| format!("prompt = \"p\"\n[[tools]]\nname = \"t\"\n{keys}\n");
    for (keys, expected) in [
        ("returns = 1\nerror = \"e\"", "a.toml:5:9: tool `t`: it has both `returns` and `error`"),
        (
            "returns = 1\nurl = \"http://a/b\"",
            "a.toml:4:11: tool `t` has both `url` and `returns`: only one is allowed",
        ),
        (
            "planning = true\nerror = \"e\"",
            "a.toml:5:9: tool `t` is only for planning and has `error`",
        ),
        (
            "returns = [{ at = 2024-01-01 }]",
            "a.toml:4:11: tool `t`: `returns[0].at` is a date, which JSON does not have: write it as a string",
        ),
        ("returns = { x = nan }", "a.toml:4:11: tool `t`: `returns.x` is not a number in JSON"),
        (
            "[[tools.cases]]\nargs = { at = 07:30:00 }\nreturns = 1",
            "a.toml:4:1: tool `t`: `cases[0].args.at` is a date, which JSON does not have: write it as a string",
        ),
        (
            "[[tools.cases]]\nargs = {}",
            "a.toml:4:1: tool `t`: `cases[0]` has neither `returns` nor `error`",
        ),
        (
            "[[tools.cases]]\nargs = {}\nreturns = 1\nerror = \"e\"",
            "a.toml:4:1: tool `t`: `cases[0]` has both `returns` and `error`",
        ),
        ("[[tools.cases]]\nreturns = 1", "a.toml:4:1: `tools[0].cases[0]` has no `args`"),
        (
            "[[tools.cases]]\nargs = {}\nreturn = 1",
            "a.toml:6:1: unknown key `return` | did you mean `returns`?",
        ),
    ] {
        self::check("a.toml", &tool(keys), expected);
    }
}

/// Writes several files and reads the first.
fn read_all(files: &[(&str, &str)]) -> (tempfile::TempDir, Result<Agent, Error>) {
    let folder = tempfile::tempdir().unwrap();
    for (name, content) in files {
        std::fs::write(folder.path().join(name), content).unwrap();
    }
    let agent = Agent::read(&folder.path().join(files[0].0));
    (folder, agent)
}

const CHILD: &str = "prompt = \"Find {{x}}.\"\nsignature = \"(x :int) -> :int\"\n";

#[test]
fn sub_agents() {
    let parent = r#"
prompt = "p"
retry_turns = 2
fallback = true

[[tools]]
agent = "child.toml"

[[tools]]
agent = "child.toml"
name = "other"
description = "Another one."
max_calls = 3
cache = true
cost = 2

[[tools]]
agent = "self"
name = "me"

[[tools]]
name = "topic"
prompt = "What is {{text}} about?"
signature = "(text :string) -> :enum[a b]"
model = "recorded:r.jsonl"

[budget]
turns = 7
tool_calls = 8
fuel = 9
tokens = 10
cost = 0.5
depth = 1
"#;
    let (folder, agent) = read_all(&[("a.toml", parent), ("child.toml", CHILD)]);
    let agent = agent.unwrap();
    assert_eq!(
        (agent.retry_turns, agent.on_limit, agent.answers.clone()),
        (2, OnLimit::LastValue, Answers::Program)
    );
    let cost = Cost::from_dollars(0.5).unwrap();
    let budget = RunBudget::default().with_turns(7).with_tool_calls(8).with_fuel(9).with_tokens(10);
    assert_eq!(agent.budget, budget.with_cost(cost).with_depth(1));
    let tools: Vec<_> = agent
        .tools
        .iter()
        .map(|it| {
            let signature = it.signature.as_ref().map(ToString::to_string);
            (
                it.name.as_str(),
                signature,
                it.description.as_deref(),
                it.max_calls,
                it.cache,
                it.cost,
            )
        })
        .collect();
    let find = || Some("(x :int) -> :int".to_string());
    let topic = Some("(text :string) -> :enum[a b]".to_string());
    assert_eq!(
        tools,
        [
            ("child", find(), Some("Find x."), None, false, None),
            ("other", find(), Some("Another one."), Some(3), true, Some(2.0)),
            ("me", None, None, None, false, None),
            ("topic", topic, Some("What is text about?"), None, false, None),
        ]
    );
    assert!(agent.tools.iter().all(ToolDef::is_callable));
    drop(folder);

    let (_folder, agent) = read(
        "a.toml",
        "prompt = \"Say {{x}}.\"\nsignature = \"(x :int) -> :int\"\nanswers = \"json\"\n",
    );
    assert_eq!(agent.unwrap().answers, Answers::Json);
}

#[test]
fn invalid_sub_agents() {
    let check = |tool: &str, expected: &str| {
        check("a.toml", &format!("prompt = \"p\"\n[[tools]]\n{tool}\n"), expected);
    };
    let said = "is an agent, which sets its own";
    check("agent = \"lost.toml\"", "a.toml:3:9: there is no agent file `lost.toml`");
    check("agent = \"self\"", "a.toml:2:1: `tools[0]` has no `name`");
    check(
        "name = \"t\"\nagent = \"self\"\nsignature = \"-> :int\"",
        &format!("a.toml:5:13: tool `t` {said} `signature`"),
    );
    check(
        "name = \"t\"\nagent = \"self\"\ntimeout = 3",
        &format!("a.toml:5:11: tool `t` {said} `timeout`"),
    );
    check(
        "name = \"t\"\nprompt = \"q\"\neffect = \"write\"",
        &format!("a.toml:5:10: tool `t` {said} `effect`"),
    );
    check(
        "name = \"t\"\nprompt = \"Say {{y}}.\"\nsignature = \"(x :int) -> :int\"",
        "a.toml:4:10: tool `t`: the placeholder `{{y}}` names `y`, which the signature does not have; it has `x`",
    );
    check(
        "name = \"t\"\ncommand = [\"x\"]\nmodel = \"openai:m\"",
        "a.toml:5:9: tool `t` has no `prompt` for its `model`",
    );
    check(
        "name = \"t\"\nprompt = \"q\"\nmodel = \"m\"",
        "a.toml:5:10: model `m` does not name its kind | write `openai:m` or `recorded:FILE`",
    );
    check(
        "name = \"t\"\ncommand = [\"x\"]\nagent = \"self\"",
        "a.toml:5:9: tool `t` has both `command` and `agent`: only one is allowed",
    );
    check(
        "name = \"t\"\ncommand = [\"x\"]\neffect = \"write\"\ncache = true",
        "a.toml:6:9: `cache` of tool `t`: only results of a tool that reads can be cached | remove `cache`",
    );
}

#[test]
fn cycles_of_files_are_errors_and_repeated_files_are_not() {
    let names = |name: &str| format!("prompt = \"p\"\n[[tools]]\nagent = \"{name}\"\n");
    let (b, c, a) = (names("b.toml"), names("./c.toml"), names("../FOLDER/a.toml"));
    let folder = tempfile::tempdir().unwrap();
    let this = folder.path().file_name().unwrap().to_string_lossy().into_owned();
    let a = a.replace("FOLDER", &this);
    for (name, content) in [("a.toml", &b), ("b.toml", &c), ("c.toml", &a)] {
        std::fs::write(folder.path().join(name), content).unwrap();
    }
    let error = Agent::read(&folder.path().join("a.toml")).unwrap_err();
    let prefix = format!("{}/", folder.path().display());
    assert_eq!(
        error.to_string().replace(&prefix, ""),
        format!("./c.toml:3:9: `../{this}/a.toml` calls itself through its tools")
    );
    assert_eq!(error.help(), Some("`agent = \"self\"` is for an agent that calls itself"));

    let twice = "prompt = \"p\"\n[[tools]]\nagent = \"b.toml\"\n[[tools]]\nname = \"b2\"\nagent = \"b.toml\"\n";
    let (_folder, agent) = read_all(&[("a.toml", twice), ("b.toml", "prompt = \"p\"\n")]);
    assert_eq!(agent.unwrap().tools.len(), 2);
    // Each file names the next one twice, so the last one would be read a million times.
    let next = |n: u32| {
        format!(
            "prompt = \"p\"\n[[tools]]\nname = \"x\"\nagent = \"{n}.toml\"\n[[tools]]\nname = \"y\"\nagent = \"{n}.toml\"\n"
        )
    };
    let folder = tempfile::tempdir().unwrap();
    for n in 0..20 {
        std::fs::write(folder.path().join(format!("{n}.toml")), next(n + 1)).unwrap();
    }
    std::fs::write(folder.path().join("20.toml"), "prompt = \"p\"\n").unwrap();
    let error = Agent::read(&folder.path().join("0.toml")).unwrap_err();
    assert_eq!(error.message(), "the tools refer to more than 100 agent files");
}

/// Without a description, other models see the beginning of the prompt.
#[test]
fn default_descriptions() {
    let check = |prompt: &str, expected: &str| {
        let schema = Agent::new(prompt).tool_schema();
        assert_eq!(schema.description.as_deref(), Some(expected), "{prompt}");
    };
    check("Read {{ user.name }} of {{users}}.\nThen write.", "Read user.name of users.");
    check("Is 3.5 more than {{n}}? Say so.", "Is 3.5 more than n?");
    check("  Count\n\n  the rows  ", "Count the rows");
    check(&"é".repeat(300), &format!("{}...", "é".repeat(200)));
    let (_folder, agent) = read("a.toml", "prompt = \"p\"\ndescription = \"Counts.\"");
    assert_eq!(agent.unwrap().tool_schema().description.as_deref(), Some("Counts."));
}
