//! Flow files: steps and paths that become the program of a workflow. A test has the ids of the capabilities in its name.

use std::path::Path;
use std::time::Duration;

use ptc_subagent::provider::{NoModel, Reply};
use ptc_subagent::store::{CallRecord, RunRecord};
use ptc_subagent::tool::{Constant, FnTool, NoServers, ToolDef};
use ptc_subagent::{Agent, Data, Error, Mission, RunChange, RunReport, RunSettings, Status};
use serde_json::{Value, json};

use crate::support::{Model, run_and_replay};

/// An agent with tools for flows: `echo` gives its argument back, `boom` fails, `risk` and `any` ask a model.
const AGENT: &str = r#"
name = "flow"
flow = "flow.toml"
signature = "(n :int?, list [:any]?) -> :any"

[payload]
start = {}

[[tools]]
name = "echo"
agent = "echo.toml"

[[tools]]
name = "user"
signature = "(id :int) -> {UserId :string, profile {Name :string, age :int?}, tags [:string]}"
returns = { UserId = "u7", profile = { Name = "Ada" }, tags = ["a", "b"] }

[[tools]]
name = "answer"
returns = { BettyResponse = "The answer is 42.", BettyReferences = ["p. 7"], Why = "It is known.", Sure = 0.9 }

[[tools]]
name = "boom"
signature = "(n :int?) -> :any"
error = "the server is down"

[[tools]]
name = "risk"
prompt = "How risky is {{n}}?"
signature = "(n :int) -> {decision {approved :bool, confidence :float}}"

[[tools]]
name = "next"
prompt = "What comes after {{n}}?"
signature = "(n :int) -> {nextStepName :string?, terminate :bool?, message :string?, reasoning :string?, confidence :float?, nextStep {type :string}?, taskComplete :bool?}"
"#;

const ECHO: &str =
    "name = \"echo\"\nprogram = \"echo.clj\"\nsignature = \"(value :any?) -> {value :any?}\"";

/// Reads the agent of a flow file.
fn read(flow: &str) -> Result<Agent, Error> {
    read_as(AGENT, flow)
}

fn read_as(agent: &str, flow: &str) -> Result<Agent, Error> {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| std::fs::write(folder.path().join(name), text).unwrap();
    write("agent.toml", agent);
    write("flow.toml", flow);
    write("echo.toml", ECHO);
    write("echo.clj", "{:value ctx/value}");
    Agent::read(&folder.path().join("agent.toml"))
}

async fn run(flow: &str, input: Value) -> (RunReport, Vec<RunRecord>) {
    run_and_replay(&read(flow).unwrap(), input, &NoModel).await
}

async fn run_with(flow: &str, change: RunChange, payload: Value) -> Result<RunReport, Error> {
    let agent = read(flow).unwrap();
    let mission = Mission::new(&agent, json!({"n": 1})).with_payload(payload);
    mission.with_settings(RunSettings::from(change)).run(&NoModel).await
}

/// Returns the payload at the end.
fn payload(report: &RunReport) -> Value {
    report.payload.as_ref().unwrap().to_json().unwrap()
}

/// Returns the names of the steps that a run entered; those that it skipped have a mark.
fn path(report: &RunReport) -> String {
    let remarks = report.remarks.as_ref().and_then(|it| it["path"].as_array());
    let name = |it: &Value| {
        let mark = if it["skipped"] == json!(true) { "-" } else { "" };
        format!("{mark}{}", it["step"].as_str().unwrap())
    };
    remarks.into_iter().flatten().map(name).collect::<Vec<_>>().join(" ")
}

/// Makes the text of a flow of steps that echo, and of paths such as `a b when`. The first step starts.
fn flow(steps: &str, paths: &[&str]) -> String {
    let step = |(at, name): (usize, &str)| {
        let starts = if at == 0 { "starts = true\n" } else { "" };
        format!("[[steps]]\nname = \"{name}\"\naction = \"echo\"\n{starts}\n")
    };
    let path = |path: &&str| {
        let (from, rest) = path.split_once(' ').unwrap();
        let (to, rest) = rest.split_once(' ').unwrap_or((rest, ""));
        format!("[[paths]]\nfrom = \"{from}\"\nto = \"{to}\"\n{rest}\n")
    };
    steps.split(' ').enumerate().map(step).chain(paths.iter().map(path)).collect()
}

/// Checks the first error of a flow file, with its place and its advice.
fn wrong(flow: &str, expected: &str) {
    let error = read(flow).unwrap_err();
    let file = error.path().and_then(Path::file_name).unwrap().to_string_lossy();
    let (line, column) = error.line_column().unwrap();
    let help = error.help().map(|it| format!(" | {it}")).unwrap_or_default();
    assert_eq!(format!("{file}:{line}:{column}: {}{help}", error.message()), expected, "{flow}");
}

/// M120: every key of a step, the kinds of work, and malformed steps.
#[tokio::test]
async fn m120_steps() {
    let whole = r#"
payload = { rows = [1, 2], left = 3 }
result = { sums = "payload.sums", left = "payload.left" }

[[steps]]
name = "Sum up"
description = "Adds one up."
action = "echo"
each = { over = "payload.rows", item = "row", index = "i", at_once = 2, max = 9, on_error = "stop" }
starts = true
sequence = 0
status = "active"
timeout = 30
input = { value = ["row", "i"] }
output = { value = "payload.sums[]" }

[[steps]]
name = "Count down"
action = "echo"
timeout = 12.5
while = { condition = "payload.left > 0 && payload.left < 9", max = 2 }
input = { value = "attempt.attemptNumber" }
set = { left = "payload.rows[0]" }
output = { value = "payload.left" }

[[steps]]
name = "Wait"
action = "echo"
status = "pending"
timeout = 30

[[paths]]
from = "Sum up"
to = "Count down"
priority = 10
"#;
    let (report, _) = run(whole, json!({})).await;
    let value = json!({"sums": [[1, 0], [2, 1]], "left": 2});
    assert_eq!((report.error, report.value), (None, Data::from(value)));
    let graph = read(whole).unwrap().flow.unwrap();
    let expected = json!({
        "steps": [
            {"name": "Sum up", "kind": "action", "tool": "echo", "description": "Adds one up.", "starts": true, "timeout": 30.0, "repeated": "each"},
            {"name": "Count down", "kind": "action", "tool": "echo", "timeout": 12.5, "repeated": "while"},
            {"name": "Wait", "kind": "action", "tool": "echo", "status": "pending", "timeout": 30.0},
        ],
        "paths": [{"from": "Sum up", "to": "Count down", "priority": 10}],
    });
    assert_eq!(serde_json::to_value(graph).unwrap(), expected);
    for (step, expected) in [
        (
            "",
            "flow.toml:2:8: step `a` has no `action`, `prompt` or `agent` | name one tool of the agent file",
        ),
        (
            "action = \"echo\"\nagent = \"echo\"",
            "flow.toml:2:8: step `a` has more than one of `action`, `prompt` and `agent` | name one tool of the agent file",
        ),
        (
            "type = \"Action\"",
            "flow.toml:4:1: unknown key `type` | the known keys are name, description, action, prompt, agent, each, while, starts, sequence, status, timeout, set, input, output",
        ),
        (
            "action = \"ecko\"",
            "flow.toml:4:10: step `a` names `ecko`, which is not a tool of the agent | did you mean `echo`?",
        ),
        ("prompt = \"boom\"", "flow.toml:4:10: `boom` asks no model, so it is an `action`"),
        (
            "action = \"echo\"\nstatus = \"off\"",
            "flow.toml:5:10: `off` is not a value of `steps[0].status` | the known values are active, disabled, pending",
        ),
        ("action = \"echo\"\ntimeout = -1.0", "flow.toml:5:11: -1 is no number of seconds above 0"),
        (
            "action = \"echo\"\neach = { over = \"payload.\" }",
            "flow.toml:5:17: `payload.` is not a path of a list | write a path such as \"payload.customers\"",
        ),
        (
            "action = \"echo\"\nwhile = { condition = \"payload.n >\" }",
            "flow.toml:5:23: the condition cannot be read: it ends where a value is expected",
        ),
    ] {
        wrong(&format!("[[steps]]\nname = \"a\"\nstarts = true\n{step}\n"), expected);
    }
    wrong(
        "steps = []",
        "flow.toml:1:1: no step of the flow starts it | write `starts = true` in the first step",
    );
}

/// M121: paths, and malformed ones.
#[tokio::test]
async fn m121_paths() {
    for (paths, expected) in [
        (&["a c"][..], "flow.toml:12:6: there is no step `c` | the steps are a, b"),
        (&["x b"], "flow.toml:11:8: there is no step `x` | the steps are a, b"),
        (
            &["a b when = \"payload.n = 3\""],
            "flow.toml:13:8: the condition cannot be read: it has `=`",
        ),
        (
            &["a b when = \"payloat.n == 3\""],
            "flow.toml:13:8: the condition cannot be read: `payloat` is not a name; there are payload, stepResult, data and flowContext",
        ),
        (
            &["a b", "b a"],
            "flow.toml:16:6: the steps a, b repeat without end | give one of the paths between them a condition with `when`",
        ),
    ] {
        wrong(&flow("a b", paths), expected);
    }
}

/// M122: paths of a higher priority are tried first, one without a condition always holds, and the order of the file
/// decides between equal ones.
#[tokio::test]
async fn m122_routing() {
    let low = "when = \"data.n < 3\"";
    for (paths, n, expected) in [
        (vec![format!("a b {low}"), "a c".to_owned()], 1, "a b"),
        (vec![format!("a b {low}"), "a c".to_owned()], 5, "a c"),
        (vec![format!("a b {low}\npriority = 5"), "a c priority = 10".to_owned()], 1, "a c"),
        (vec!["a c priority = -1".to_owned(), format!("a b {low}")], 1, "a b"),
        (vec!["a c priority = -1".to_owned(), format!("a b {low}")], 5, "a c"),
        (vec!["a b".to_owned(), "a c".to_owned()], 1, "a b"),
        (vec![format!("a b {low}")], 5, "a"),
    ] {
        let paths: Vec<&str> = paths.iter().map(String::as_str).collect();
        let (report, _) = run(&flow("a b c", &paths), json!({"n": n})).await;
        assert_eq!((report.error.clone(), path(&report).as_str()), (None, expected), "{paths:?}");
    }
}

/// M123: a flow without a further path has ended, with its message if it has one.
#[tokio::test]
async fn m123_the_end_of_a_flow() {
    let (report, _) = run(&flow("a b", &["a b"]), json!({})).await;
    assert_eq!(
        (report.status, report.ended_by(), path(&report).as_str()),
        (Status::Returned, "answer", "a b")
    );
    assert_eq!(report.remarks, Some(json!({"path": [{"step": "a"}, {"step": "b"}]})));
}

fn failing(paths: &str) -> String {
    format!(
        "[[steps]]\nname = \"Fail\"\naction = \"boom\"\nstarts = true\n\
         [[steps]]\nname = \"Mend\"\naction = \"echo\"\ninput = {{ value = \"mended\" }}\noutput = {{ value = \"state\" }}\n\
         [[steps]]\nname = \"Next\"\naction = \"echo\"\n{paths}"
    )
}

/// M124: after an error the paths for errors are tried; without one, the flow fails with the error of the step.
#[tokio::test]
async fn m124_a_failed_step() {
    let mends = "[[paths]]\nfrom = \"Fail\"\nto = \"Next\"\n\
         [[paths]]\nfrom = \"Fail\"\nto = \"Mend\"\non = \"error\"\nwhen = \"stepResult.error.message.includes('down')\"\n";
    let (report, _) = run(&failing(mends), json!({})).await;
    assert_eq!((report.error.clone(), path(&report).as_str()), (None, "Fail Mend"));
    assert_eq!(payload(&report), json!({"state": "mended"}));
    let any = "[[paths]]\nfrom = \"Fail\"\nto = \"Next\"\non = \"any\"\n";
    let (report, _) = run(&failing(any), json!({})).await;
    assert_eq!((report.error.clone(), path(&report).as_str()), (None, "Fail Next"));
    for paths in [
        "",
        "[[paths]]\nfrom = \"Fail\"\nto = \"Next\"\n",
        "[[paths]]\nfrom = \"Fail\"\nto = \"Mend\"\non = \"error\"\nwhen = \"stepResult.error.message == ''\"\n",
    ] {
        let (report, _) = run(&failing(paths), json!({})).await;
        let error = report.error.clone().unwrap();
        assert!(error.message.contains("the server is down"), "{}", error.message);
        assert_eq!((report.status, path(&report).as_str()), (Status::Stopped, "Fail"));
    }
}

/// M125: a path to a step that is not active is passed over. If only such a path holds, the flow fails.
#[tokio::test]
async fn m125_steps_that_are_not_active() {
    let disabled = |paths: &[&str]| {
        flow("a b c", paths).replacen("name = \"b\"", "name = \"b\"\nstatus = \"disabled\"", 1)
    };
    let (report, _) = run(&disabled(&["a b priority = 9", "a c"]), json!({})).await;
    assert_eq!((report.error.clone(), path(&report).as_str()), (None, "a c"));
    let (report, _) = run(&disabled(&["a b", "a c when = \"data.n == 7\""]), json!({"n": 1})).await;
    let error = report.error.unwrap();
    assert_eq!(error.message, "step `b` is disabled");
}

/// M126: steps that start with the lowest sequence run side by side. Their changes are merged in the order of the file,
/// and a step that several of them lead to runs once.
#[tokio::test]
async fn m126_parallel_starts() {
    let starting = |name: &str, sequence: i64| {
        format!(
            "[[steps]]\nname = \"{name}\"\naction = \"echo\"\nstarts = true\nsequence = {sequence}\n\
             input = {{ value = \"{name}\" }}\noutput = {{ value = \"names[]\" }}\n"
        )
    };
    let join = "[[steps]]\nname = \"join\"\naction = \"echo\"\ninput = { value = \"payload.names\" }\noutput = { value = \"joined\" }\n\
         [[paths]]\nfrom = \"a\"\nto = \"join\"\n[[paths]]\nfrom = \"b\"\nto = \"join\"\n";
    let text = starting("a", 0) + &starting("b", 0) + &starting("later", 1) + join;
    let (report, _) = run(&text, json!({})).await;
    assert_eq!(report.error, None);
    assert_eq!(path(&report), "a b join");
    assert_eq!(payload(&report), json!({"names": ["a", "b"], "joined": ["a", "b"]}));
    let alone = starting("a", 0) + &starting("b", 0);
    let (report, _) = run(&alone, json!({})).await;
    assert_eq!((path(&report).as_str(), payload(&report)), ("a b", json!({"names": ["a", "b"]})));
}

const THREE: &str = r#"
[[steps]]
name = "first"
action = "echo"
starts = true
input = { value = 1 }
output = { value = "done[]" }

[[steps]]
name = "second"
action = "echo"
input = { value = 2 }
output = { value = "done[]" }

[[steps]]
name = "third"
action = "echo"
input = { value = "flowContext.stepResults.second" }
output = { value = "done[]" }

[[paths]]
from = "first"
to = "second"

[[paths]]
from = "second"
to = "third"
"#;

/// M127: a run starts at a step. Another name is an error before the run.
#[tokio::test]
async fn m127_start_at_a_step() {
    let start = RunChange::new().starting_at("second".to_owned());
    let report = run_with(THREE, start, json!({"done": [0]})).await.unwrap();
    assert_eq!((report.error.clone(), path(&report).as_str()), (None, "second third"));
    assert_eq!(payload(&report), json!({"done": [0, 2, {"value": 2}]}));
    let wrong = RunChange::new().starting_at("secont".to_owned());
    let error = run_with(THREE, wrong, json!({})).await.unwrap_err();
    assert_eq!(error.message(), "`start_at`: agent `flow` has no step `secont`");
    assert_eq!(error.help(), Some("did you mean `second`?"));
}

/// M128: a skipped step counts as done with `{:skipped true}`, its paths are tried, also into the next skipped step, and
/// its outputs are not mapped. The steps of a program are skipped by the same setting.
#[tokio::test]
async fn m128_skip_steps() {
    let skip = |names: &[&str]| RunChange::new().skipping(names.iter().copied());
    let report = run_with(THREE, skip(&["second"]), json!({})).await.unwrap();
    assert_eq!((report.error.clone(), path(&report).as_str()), (None, "first -second third"));
    assert_eq!(payload(&report), json!({"done": [1, {"skipped": true, "stepName": "second"}]}));
    let disabled = THREE.replacen("name = \"third\"", "name = \"third\"\nstatus = \"disabled\"", 1);
    let error = run_with(&disabled, skip(&["third"]), json!({})).await.unwrap_err();
    assert_eq!(error.message(), "`skip`: step `third` is disabled");
    let report = run_with(THREE, skip(&["first", "second"]), json!({})).await.unwrap();
    assert_eq!(path(&report), "-first -second third");
    let error = run_with(THREE, skip(&["fourth"]), json!({})).await.unwrap_err();
    assert_eq!(error.message(), "`skip`: agent `flow` has no step `fourth`");

    let program = "[(flow/step \"a\" (fn [] 1)) (flow/step \"b\" (fn [] (flow/step \"c\" (fn [] 2)))) (flow/path)]";
    let agent = Agent::workflow(program);
    for (change, expected) in [
        (skip(&["a"]), json!([{"skipped": true, "stepName": "a"}, 2, "-a b b/c"])),
        (skip(&["b/c"]), json!([1, {"skipped": true, "stepName": "c"}, "a b -b/c"])),
        (
            RunChange::new().starting_at("b".to_owned()),
            json!([{"skipped": true, "stepName": "a"}, 2, "-a b b/c"]),
        ),
        (
            RunChange::new().starting_at("b/c".to_owned()),
            json!([{"skipped": true, "stepName": "a"}, 2, "-a b b/c"]),
        ),
    ] {
        let mission = Mission::new(&agent, json!({})).with_settings(RunSettings::from(change));
        let report = mission.run(&NoModel).await.unwrap();
        let value = report.value.to_json().unwrap();
        assert_eq!(json!([value[0], value[1], path(&report)]), expected);
    }
}

/// M129: the mapping of inputs: paths, fixed texts, numbers, nested tables and lists, and messages.
#[tokio::test]
async fn m129_inputs() {
    let text = r#"
payload = { customer = { id = 7 }, order = { items = [1, 2] }, "filters" = { orderStatus = "open" } }

[[steps]]
name = "Map"
action = "echo"
starts = true
output = { value = "got" }

[steps.input.value]
customerId = "payload.customer.id"
orderDate = "static:2024-01-01"
path = "static:payload.customer.id"
includeDetails = true
maxResults = 100
filters = { status = " Payload.filters.orderStatus ", region = "static:US-WEST" }
itemIds = "payload.order.items"
second = "payload.order.items[1]"
pair = ["data.n", { deep = "payload.customer" }]
text = "Customer {{payload.customer.id}} of {{data.n}}"
plain = "a text. With dots"
missing = "payload.nothing.there"
messages = "conversation.user.all"
"#;
    let (report, _) = run(text, json!({"n": 3})).await;
    assert_eq!(report.error, None);
    let expected = json!({
        "customerId": 7, "orderDate": "2024-01-01", "path": "payload.customer.id", "includeDetails": true,
        "maxResults": 100, "filters": {"status": "open", "region": "US-WEST"}, "itemIds": [1, 2], "second": 2,
        "pair": [3, {"deep": {"id": 7}}], "text": "Customer 7 of 3", "plain": "a text. With dots", "missing": null,
        "messages": [{"role": "user", "content": {"n": 3}}],
    });
    assert_eq!(payload(&report)["got"], expected);
    for (text, why) in [
        (
            "conversation.robot.last",
            "has an unknown role \"robot\": there are user, assistant, ai, system, all",
        ),
        ("context.customerId", "names the host context, which tools alone read"),
        (
            "stepResult.score",
            "is for conditions: `flowContext.stepResults.NAME` is the result of a step",
        ),
        (
            "flowContext.path",
            "is not known: there are executionPath, completedSteps, completedStepIds, currentStepId, stepCount, stepResults, agentId",
        ),
    ] {
        let text = text.to_owned();
        let step = "[[steps]]\nname = \"a\"\naction = \"echo\"\nstarts = true\n";
        wrong(
            &format!("{step}input = {{ value = \"{text}\" }}"),
            &format!("flow.toml:5:9: the reference `{text}` {why}"),
        );
    }
}

fn mapped(tool: &str, input: &str, output: &str) -> String {
    format!(
        "[[steps]]\nname = \"Map\"\naction = \"{tool}\"\nstarts = true\ninput = {input}\noutput = {output}\n"
    )
}

/// M130: the mapping of outputs: names in any case, nested ones, and the whole result.
#[tokio::test]
async fn m130_outputs() {
    let of_user = r#"{ userid = "payload.customer.id", "profile.name" = "name", "profile.age" = "age", "*" = "raw.user" }"#;
    let (report, _) = run(&mapped("user", "{ id = 7 }", of_user), json!({})).await;
    let user = json!({"UserId": "u7", "profile": {"Name": "Ada"}, "tags": ["a", "b"]});
    let expected = json!({"customer": {"id": "u7"}, "name": "Ada", "raw": {"user": user}});
    assert_eq!((report.error.clone(), payload(&report)), (None, expected));
    // Without a signature, the names are looked for when the result is there.
    let of_any = r#"{ bettyresponse = "text", sure = "sure", nothing = "nothing" }"#;
    let (report, _) = run(&mapped("answer", "{}", of_any), json!({})).await;
    assert_eq!(payload(&report), json!({"text": "The answer is 42.", "sure": 0.9}));
    for (output, expected) in [
        (
            "{ usrid = \"x\" }",
            "flow.toml:6:12: the result of `user` has no `usrid` | did you mean `UserId`?",
        ),
        (
            "{ tags = \"$tags\" }",
            "flow.toml:6:19: `$tags` is no field of a report | write $message, $reasoning or $confidence",
        ),
        (
            "{ tags = \"a..b\" }",
            "flow.toml:6:19: `a..b` is not a path of the payload | write a path such as \"order.total\", or \"rows[]\" to append",
        ),
        (
            "{ tags = \"payload[]\" }",
            "flow.toml:6:19: the payload itself is no list | write a path such as \"order.total\", or \"rows[]\" to append",
        ),
    ] {
        wrong(&mapped("user", "{ id = 7 }", output), expected);
    }
}

/// M131: message, reasoning and confidence go to the report and not to the payload.
#[tokio::test]
async fn m131_special_outputs() {
    let output = r#"{ BettyResponse = "$message", BettyReferences = "references", why = "$reasoning", sure = "$confidence" }"#;
    let (report, records) = run(&mapped("answer", "{}", output), json!({})).await;
    let remarks = json!({
        "message": "The answer is 42.", "reasoning": "It is known.", "confidence": 0.9, "path": [{"step": "Map"}],
    });
    assert_eq!((report.error.clone(), report.remarks.clone()), (None, Some(remarks.clone())));
    assert_eq!(payload(&report), json!({"references": ["p. 7"]}));
    assert_eq!(records[0].remarks, Some(remarks));
}

/// M132: `[]` appends, makes the list, works for nested paths and the whole result, and needs a list.
#[tokio::test]
async fn m132_appended_outputs() {
    let twice = r#"
[[steps]]
name = "Map"
action = "user"
starts = true
each = { over = "data.list" }
input = { id = "item" }
output = { UserId = "found.ids[]", "*" = "payload.raw[]" }
"#;
    let (report, _) = run(twice, json!({"list": [1, 2]})).await;
    assert_eq!(report.error, None);
    assert_eq!(payload(&report)["found"], json!({"ids": ["u7", "u7"]}));
    assert_eq!(payload(&report)["raw"].as_array().map(Vec::len), Some(2));
    let text = format!(
        "payload = {{ ids = 3 }}\n{}",
        mapped("user", "{ id = 1 }", "{ UserId = \"ids[]\" }")
    );
    let (report, _) = run(&text, json!({})).await;
    assert_eq!(report.error.unwrap().message, "payload/push ids: expected a list, found int");
}

/// M133: the reply of a prompt is merged into the payload, with the maps in it.
#[tokio::test]
async fn m133_replies_are_merged() {
    let text = "payload = { decision = { status = \"pending\", reviewerId = \"user-123\" }, metadata = { startTime = \"9\" } }\n\
         [[steps]]\nname = \"Ask\"\nprompt = \"risk\"\nstarts = true\ninput = { n = 7 }\n";
    let model =
        Model(|_: &str| Reply::new("{\"decision\": {\"approved\": true, \"confidence\": 0.95}}"));
    let (report, _) = run_and_replay(&read(text).unwrap(), json!({}), &model).await;
    let expected = json!({
        "decision": {"status": "pending", "reviewerId": "user-123", "approved": true, "confidence": 0.95},
        "metadata": {"startTime": "9"},
    });
    assert_eq!((report.error.clone(), payload(&report)), (None, expected));
}

const ASKING: &str = r#"
[[steps]]
name = "Ask"
prompt = "next"
starts = true
input = { n = 7 }

[[steps]]
name = "B"
action = "echo"

[[steps]]
name = "C"
action = "echo"

[[paths]]
from = "Ask"
to = "B"

[[paths]]
from = "Ask"
to = "C"
"#;

async fn asked(reply: &'static str) -> RunReport {
    let model = Model(move |_: &str| Reply::new(reply));
    let (report, _) = run_and_replay(&read(ASKING).unwrap(), json!({}), &model).await;
    assert_eq!(report.error, None, "{reply}");
    report
}

/// M134: a reply that asks to talk to the user ends the flow with its message.
#[tokio::test]
async fn m134_a_prompt_talks_to_the_user() {
    for reply in [
        r#"{"nextStep": {"type": "Chat"}, "message": "Which invoice?", "taskComplete": false}"#,
        r#"{"taskComplete": true, "message": "Which invoice?"}"#,
    ] {
        let report = asked(reply).await;
        assert_eq!(
            (report.status, report.ended_by(), path(&report).as_str()),
            (Status::Returned, "chat", "Ask")
        );
        assert_eq!(report.remarks.unwrap()["message"], json!("Which invoice?"));
    }
}

/// M135: a reply chooses the next step, or ends the flow.
#[tokio::test]
async fn m135_a_prompt_chooses_the_path() {
    for (reply, expected, payload_after) in [
        (r#"{"message": "x"}"#, "Ask B", json!({"message": "x"})),
        (
            r#"{"nextStepName": "C", "reasoning": "C is better.", "confidence": 0.8}"#,
            "Ask C",
            json!({"reasoning": "C is better.", "confidence": 0.8}),
        ),
        (r#"{"nextStepName": "nowhere"}"#, "Ask B", json!({})),
        (r#"{"terminate": true, "nextStepName": "C"}"#, "Ask", json!({})),
    ] {
        let report = asked(reply).await;
        assert_eq!(
            (path(&report).as_str(), payload(&report)),
            (expected, payload_after),
            "{reply}"
        );
        let remarks = report.remarks.unwrap();
        let given: Value = serde_json::from_str(reply).unwrap();
        for key in ["message", "reasoning", "confidence"] {
            assert_eq!(remarks.get(key), given.get(key), "{reply}");
        }
    }
}

/// M136: the conditions of paths, over the payload, the result of the step, the input and the path so far.
#[tokio::test]
async fn m136_conditions() {
    let holds = |condition: &str| {
        format!(
            "payload = {{ status = \"approved\", priority = 7, user = {{ roles = [\"admin\"] }}, items = [{{ price = 50 }}, {{ price = 150 }}] }}\n\
             [[steps]]\nname = \"a\"\naction = \"user\"\nstarts = true\ninput = {{ id = 1 }}\n\
             [[steps]]\nname = \"yes\"\naction = \"echo\"\n[[steps]]\nname = \"no\"\naction = \"echo\"\n\
             [[paths]]\nfrom = \"a\"\nto = \"yes\"\nwhen = \"\"\"{condition}\"\"\"\n[[paths]]\nfrom = \"a\"\nto = \"no\"\n"
        )
    };
    for condition in [
        "payload.status == 'approved' && payload.priority > 5",
        "payload.status === \"approved\" && payload.status !== 'x' && payload.status != 'y'",
        "payload.priority >= 7 && payload.priority <= 7 && !(payload.priority < 7)",
        "payload.user.roles.includes('admin') || payload.override === true",
        "payload.items.some(item => item.price > 100) && !payload.items.every(item => item.price > 100)",
        "payload.items.length == 2 && payload.items[1].price == 150 && payload.items[0]['price'] < 51",
        "typeof payload.priority == 'number' && typeof payload.nothing == 'undefined'",
        "payload.nothing.at.all == null && payload.managerDecision.approved !== true",
        "stepResult.UserId == 'u7' && stepResult.profile.Name.length == 3 && stepResult.tags.length == 2",
        "data.n == 3 && payload.priority > data.n",
        "flowContext.stepResults.a.UserId == 'u7' && flowContext.currentStepId == 'a'",
        "flowContext.executionPath.includes('a') && flowContext.stepCount == 1 && flowContext.agentId == 'flow'",
        "payload.__flowContext.completedStepIds.length == 1",
        "'b' > 'a' && payload.status.startsWith('app') && payload.priority + 1 == 8",
    ] {
        let (report, _) = run(&holds(condition), json!({"n": 3})).await;
        assert_eq!((report.error.clone(), path(&report).as_str()), (None, "a yes"), "{condition}");
        let (report, _) = run(&holds(&format!("!({condition})")), json!({"n": 3})).await;
        assert_eq!((report.error.clone(), path(&report).as_str()), (None, "a no"), "{condition}");
    }
    let (report, _) = run(&holds("payload.nothing > 5"), json!({"n": 3})).await;
    assert_eq!(report.status, Status::Stopped);
    wrong(
        &flow("a b", &["a b when = \"flowContext == 1\""]),
        "flow.toml:13:8: the condition cannot be read: `flowContext` has only executionPath, completedSteps, completedStepIds, currentStepId, stepCount, stepResults, agentId",
    );
}

/// M137: a program and a mapping read the path so far, and the report has it.
#[tokio::test]
async fn m137_the_path_is_readable() {
    let text = r#"
[[steps]]
name = "one"
action = "user"
starts = true
input = { id = 1 }

[[steps]]
name = "two"
action = "echo"
output = { value = "context" }

[steps.input.value]
agentId = "flowContext.agentId"
currentStepId = "flowContext.currentStepId"
executionPath = "flowContext.executionPath"
user = "flowContext.stepResults.one.UserId"

[[paths]]
from = "one"
to = "two"
"#;
    let (report, _) = run(text, json!({})).await;
    let expected = json!({"agentId": "flow", "currentStepId": "two", "executionPath": ["one", "two"], "user": "u7"});
    assert_eq!((report.error.clone(), payload(&report)), (None, json!({"context": expected})));

    let program = "(pmap (fn [n] (flow/step (str \"item \" n) (fn [] n))) [1 2])
        (flow/step \"end\" (fn [] (flow/report {:message \"Done.\" :confidence 1}) (mapv :step (flow/path))))";
    let (report, _) = run_and_replay(&Agent::workflow(program), json!({}), &NoModel).await;
    let names = json!(["item 1", "item 2", "end"]);
    assert_eq!((report.error.clone(), report.value.clone()), (None, Data::from(names)));
    let path = json!([{"step": "item 1"}, {"step": "item 2"}, {"step": "end"}]);
    assert_eq!(report.remarks, Some(json!({"message": "Done.", "confidence": 1, "path": path})));
}

/// A circle of paths with a condition runs until it no longer holds.
#[tokio::test]
async fn steps_repeat_while_a_path_leads_back() {
    let text = flow("a b end", &["a b", "b a when = \"flowContext.stepCount < 4\"", "b end"]);
    let (report, _) = run(&text, json!({})).await;
    assert_eq!((report.error.clone(), path(&report).as_str()), (None, "a b a b end"));
}

/// A host names a flow file by the key of an agent file. Faults of the flow file keep their place.
#[test]
fn a_flow_file_is_a_key_of_hosts() {
    let folder = tempfile::tempdir().unwrap();
    let keys = json!({
        "flow": "flow.toml",
        "tools": [{"name": "echo", "signature": "() -> :int", "returns": 1}],
    });
    let read = |flow: &str| {
        std::fs::write(folder.path().join("flow.toml"), flow).unwrap();
        Agent::from_keys(&keys.to_string(), None, folder.path(), &NoServers)
    };
    assert_eq!(read(&flow("a b", &["a b"])).unwrap().flow.unwrap().steps.len(), 2);
    // Tools in code are added behind the keys.
    let bare = json!({"flow": "flow.toml"}).to_string();
    std::fs::write(folder.path().join("flow.toml"), flow("a b", &["a b"])).unwrap();
    let agent = Agent::from_keys(&bare, None, folder.path(), &NoServers).unwrap();
    let message = agent.check().unwrap_err().message().to_owned();
    let expected = "flow.toml:3:10: step `a` names `echo`, which is not a tool of the agent";
    assert!(message.ends_with(expected), "{message}");
    let agent = agent.with_tool(ToolDef::new("echo", Constant::returns(1)));
    assert_eq!((agent.check().is_ok(), agent.flow.unwrap().steps.len()), (true, 2));
    let error = read(&flow("a b", &["a c"])).unwrap_err();
    let file = error.path().and_then(Path::file_name).unwrap();
    assert_eq!((file.to_str(), error.line_column()), (Some("flow.toml"), Some((12, 6))));
}

/// An error of the program has its place in the flow file.
#[tokio::test]
async fn errors_have_their_place_in_the_file() {
    let text = "payload = { left = \"many\" }\n".to_owned()
        + &flow("a b", &["a b when = \"payload.left > 3\""]);
    let (report, _) = run(&text, json!({})).await;
    let error = report.error.unwrap();
    let file = error.file.as_deref().and_then(Path::file_name).unwrap();
    assert_eq!((file.to_str(), error.line, error.column), (Some("flow.toml"), Some(14), Some(8)));
    assert_eq!(error.code.as_str(), "wrong-type");
}

/// M139: the time limit of a step is that of its calls alone, and a path for errors leads on. A step with the same tool and
/// another limit keeps its own.
#[tokio::test]
async fn m139_a_step_has_a_time_limit() {
    let step = |name: &str, more: &str| {
        format!("[[steps]]\nname = \"{name}\"\naction = \"boom\"\n{more}\n")
    };
    let flow = step(
        "Short",
        "starts = true\ntimeout = 0.2\noutput = { \"*\" = \"payload.short\" }",
    ) + &step("Long", "timeout = 60\noutput = { \"*\" = \"payload.long\" }")
        + &step(
            "Each",
            "timeout = 0.3\neach = { over = \"data.list\", at_once = 2, on_error = \"continue\" }",
        )
        + "[[paths]]\nfrom = \"Short\"\nto = \"Long\"\non = \"error\"\nwhen = \"stepResult.error.message.includes('within')\"\n"
        + "[[paths]]\nfrom = \"Long\"\nto = \"Each\"\n";
    let mut agent = read(&flow).unwrap();
    let slow = FnTool::new(async |_: Value, _| {
        tokio::time::sleep(Duration::from_secs(1)).await;
        Ok(json!(1))
    });
    let boom = agent.tools.iter_mut().find(|it| it.name == "boom").unwrap();
    *boom = ToolDef::new("boom", slow).with_signature("(n :int?) -> :any").unwrap();
    let (report, records) = run_and_replay(&agent, json!({"list": [1, 2]}), &NoModel).await;
    assert_eq!((report.error.clone(), path(&report).as_str()), (None, "Short Long Each"));
    assert_eq!(payload(&report), json!({"long": 1}));
    let calls = records[0].turn_records[0].calls.iter();
    let message = |it: &CallRecord| it.error.as_ref().map(|it| it.message.clone());
    let ends: Vec<_> = calls.map(|it| (it.step.as_deref().unwrap(), message(it))).collect();
    let late = |limit: &str| Some(format!("gave no result within {limit}"));
    let each = ("Each", late("300ms"));
    assert_eq!(ends, [("Short", late("200ms")), ("Long", None), each.clone(), each]);
}
