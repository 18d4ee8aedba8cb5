//! The workflows of `examples/`, run from recordings: values, payloads, records, replays, and processes that are killed.

use std::collections::BTreeSet;
use std::ops::Deref;
use std::path::Path;
use std::time::Duration;

use serde_json::{Value, json};

use crate::support::Folder;

/// A copy of an example with a store of its own. The tools of an example write beside its files.
struct Example(Folder);

impl Deref for Example {
    type Target = Folder;

    fn deref(&self) -> &Folder {
        &self.0
    }
}

impl Example {
    fn new(name: &str) -> Example {
        let folder = Folder::new();
        let from = Path::new(env!("CARGO_MANIFEST_DIR")).join("../examples").join(name);
        for file in std::fs::read_dir(from).expect("is there").flatten() {
            std::fs::copy(file.path(), folder.path(&file.file_name().to_string_lossy()))
                .expect("copies");
        }
        Example(folder)
    }

    fn text(&self, name: &str) -> String {
        std::fs::read_to_string(self.path(name)).unwrap_or_default()
    }

    fn json(&self, name: &str) -> Value {
        serde_json::from_str(&self.text(name)).expect("is JSON")
    }

    /// Changes a word of a file.
    fn change(&self, name: &str, from: &str, to: &str) {
        let text = self.text(name);
        assert!(text.contains(from), "{name} has no {from}");
        std::fs::write(self.path(name), text.replace(from, to)).expect("writes");
    }

    /// Runs the example, replays the run, and returns the report.
    fn run(&self, args: &[&str]) -> Value {
        self.run_file("agent.toml", args)
    }

    /// Runs an agent of the example, replays the run, and returns the report.
    fn run_file(&self, agent: &str, args: &[&str]) -> Value {
        let output = self.ptc(&[&["run", agent, "--json", "--quiet"], args].concat());
        let report: Value = serde_json::from_str(&output.stdout).expect("is JSON");
        let id = report["run"].as_str().expect("is a text");
        // A run that waits is replayed when it has ended.
        if report["status"] != "waiting" {
            let replayed = self.ptc(&["replay", id]);
            assert_eq!(replayed.code, Some(0), "{}{}", replayed.stdout, replayed.stderr);
        }
        report
    }

    /// Returns the calls of a run, in their order.
    fn calls(&self, run: &Value) -> Vec<Value> {
        let output = self.ptc(&["show", run.as_str().expect("is a text"), "--json"]);
        let record: Value = serde_json::from_str(&output.stdout).expect("is JSON");
        let turns = record["turn_records"].as_array().cloned().unwrap_or_default();
        turns
            .iter()
            .flat_map(|turn| turn["calls"].as_array().cloned().unwrap_or_default())
            .collect()
    }
}

fn tools(calls: &[Value]) -> Vec<&str> {
    calls.iter().filter_map(|call| call["tool"].as_str()).collect()
}

/// K8, K9, K10, K11, K12, K13, K15, K17, K19, K20, K22, K23, K25 and the scenario `pipeline_exit_2`: the whole pipeline.
#[test]
fn k8_to_k25_the_clinical_pipeline() {
    let example = Example::new("clinical");
    let report = example.run(&[]);
    assert_eq!(report["value"], example.json("expected.json"));
    let (payload, input) = (&report["payload"], example.json("input.json"));
    assert_eq!(payload["template"], input["template"]);
    assert_eq!(payload["reviewed_summary"], input["summary"]);
    assert_eq!(
        payload["pruned_template"],
        "Name: ____\nAge: ____\nDiagnosis: ____\nMedication: ____\nFollow-up: ____"
    );
    assert!(payload["filled_template"].as_str().unwrap().contains("5 mg each morning"));
    assert_eq!(payload["refinement_feedback"], "Give the dose.");
    assert_eq!(payload["enriched_template"], report["value"]);
    assert_eq!(payload["final_filled_template"], report["value"]);
    let calls = example.calls(&report["run"]);
    assert_eq!(
        tools(&calls),
        ["save_initial_inputs", "pipeline", "save_final_filled_template", "display_all_states"]
    );
    // K17: the inputs are kept before the pipeline runs.
    assert_eq!(calls[0]["args"]["reviewed_summary"], input["summary"]);
    assert_eq!(calls[1]["result"], json!({"passes": 2, "ended_by": "exit_loop"}));
    let passes = example.calls(&calls[1]["run"]);
    let pass = ["pruner", "filler", "enricher", "evaluator"];
    assert_eq!(tools(&passes), [pass, pass].concat());
    // K14: the first pass has no feedback, the second has it.
    assert_eq!(passes[0]["args"].get("refinement_feedback"), None);
    assert_eq!(passes[4]["args"]["refinement_feedback"], "Give the dose.");
}

/// K21 and the scenario `root_display_exact`: the answer is the exact result of the tool.
#[test]
fn k21_all_states_are_the_result_of_the_tool() {
    let example = Example::new("clinical");
    let report = example.run(&["--input", "@display.json"]);
    let calls = example.calls(&report["run"]);
    assert_eq!(report["value"], calls.last().unwrap()["result"]);
    assert_eq!(report["value"], report["payload"]);
    let keys: BTreeSet<&str> =
        report["value"].as_object().unwrap().keys().map(String::as_str).collect();
    let expected = [
        "enriched_template",
        "filled_template",
        "final_filled_template",
        "pruned_template",
        "refinement_feedback",
        "reviewed_summary",
        "template",
    ];
    assert_eq!(keys, BTreeSet::from(expected));
}

/// K16 and the scenario `pipeline_five`: an evaluator that is never satisfied ends after five passes, with success.
#[test]
fn k16_five_passes_are_a_success() {
    let example = Example::new("clinical");
    let report = example.run(&["--model", "recorded:five.recording.jsonl"]);
    assert_eq!(report["status"], "returned");
    assert_eq!(report["value"], report["payload"]["enriched_template"]);
    let calls = example.calls(&report["run"]);
    assert_eq!(calls[1]["result"], json!({"passes": 5, "ended_by": "max"}));
    assert_eq!(example.calls(&calls[1]["run"]).len(), 20);
}

/// `ptc diff` compares the changes and the payloads of two runs.
#[test]
fn a_diff_has_the_payloads() {
    let example = Example::new("clinical");
    let two = example.run(&[]);
    let five = example.run(&["--model", "recorded:five.recording.jsonl"]);
    let runs = [&two, &five].map(|it| it["run"].as_str().expect("is a text"));
    let diff = |args: &[&str]| example.ptc(&[&["diff", runs[0], runs[1]], args].concat());
    let found: Value = serde_json::from_str(&diff(&["--json"]).stdout).expect("is JSON");
    let found = found["differences"].as_array().expect("is a list");
    let payload = found.iter().find(|it| it["what"] == "payload").expect("is there");
    assert_eq!(
        (&payload["recorded"], &payload["replayed"], &payload["turn"]),
        (&two["payload"], &five["payload"], &Value::Null)
    );
    let changes = found.iter().find(|it| it["what"] == "payload_changes").expect("is there");
    assert_eq!(changes["turn"], 1);
    let keys = |changes: &Value| -> Vec<Value> {
        let ops = changes.as_array().expect("is a list").iter();
        ops.flat_map(|it| it["patch"].as_array().expect("is a list"))
            .map(|it| it["path"][0].clone())
            .collect()
    };
    assert_eq!(keys(&changes["recorded"]).last(), Some(&json!("final_filled_template")));
    let text = diff(&["--all"]).stdout;
    assert!(text.contains(&format!("run {} differs: payload\n", runs[0])), "{text}");
    assert_eq!(diff(&["--json"]).code, Some(3));
    let same = example.ptc(&["diff", runs[0], runs[0], "--json"]).stdout;
    let same: Value = serde_json::from_str(&same).expect("is JSON");
    assert_eq!(same["differences"], json!([]));
}

/// Runs that differ only in the name of their agent have no differences.
#[test]
fn a_diff_ignores_the_name_of_the_agent() {
    let example = Example::new("clinical");
    let first = example.run(&[]);
    example.change("agent.toml", "name = \"clinical\"", "name = \"copy\"");
    let second = example.run(&[]);
    let runs = [&first, &second].map(|it| it["run"].as_str().expect("is a text"));
    let output = example.ptc(&["diff", runs[0], runs[1]]);
    let expected = "no differences except names and times\n";
    assert_eq!((output.code, output.stdout.as_str()), (Some(0), expected));
}

/// K26: one word makes the pipeline a sequence of the same four agents.
#[test]
fn k26_the_pipeline_as_a_sequence() {
    let example = Example::new("clinical");
    example.change("agent.toml", "agent = \"loop.toml\"", "agent = \"sequence.toml\"");
    let report = example.run(&["--model", "recorded:once.recording.jsonl"]);
    assert_eq!(report["status"], "returned");
    let calls = example.calls(&report["run"]);
    assert_eq!(
        tools(&example.calls(&calls[1]["run"])),
        ["pruner", "filler", "enricher", "evaluator"]
    );
}

/// K18 and the scenario `root_once`: a second delegation is refused.
#[test]
fn k18_a_second_delegation_is_refused() {
    let example = Example::new("clinical");
    let program = "(do (tool/save_initial_inputs {:initial_template ctx/template :reviewed_summary ctx/summary}) \
         (tool/pipeline {}) (return (flow/attempt (fn [] (tool/pipeline {})))))";
    let root = json!({"when": "A clinician wants", "text": format!("```clojure\n{program}\n```")});
    let rest = example.text("five.recording.jsonl");
    let rest = rest.split_once('\n').unwrap().1;
    std::fs::write(example.path("twice.jsonl"), format!("{root}\n{rest}")).unwrap();
    let report = example.run(&["--model", "recorded:twice.jsonl"]);
    let message = &report["value"]["error"]["message"];
    assert_eq!(message, "tool `pipeline`: may be called once in a run, and was");
}

/// K24: only what is missing is asked for, and the pipeline does not start without it.
#[test]
fn k24_a_missing_summary_is_asked_for() {
    let example = Example::new("clinical");
    let report = example.run(&["--input", "@incomplete.json"]);
    assert_eq!((&report["status"], &report["tool_calls"]), (&json!("waiting"), &json!(0)));
    let titles: Vec<&Value> =
        report["questions"].as_array().unwrap().iter().map(|it| &it["form"]["title"]).collect();
    assert_eq!(titles, ["What is the reviewed summary?"]);
    let input: Value = serde_json::from_str(&example.text("input.json")).unwrap();
    let (id, summary) = (report["run"].as_str().unwrap(), input["summary"].as_str().unwrap());
    let output = example.ptc(&["answer", id, summary, "--json", "--quiet"]);
    let report: Value = serde_json::from_str(&output.stdout).unwrap();
    assert_eq!(report["value"], example.run(&[])["value"], "{}", output.stderr);
}

/// The answers to the question of the approval flow, by the names of the inputs.
const DECISIONS: [(&str, &str); 2] = [
    ("approved", r#"{"approved": true, "reason": "The old one is broken."}"#),
    ("rejected", r#"{"approved": false, "reason": "The office has no use for a drone."}"#),
];

/// The approval flow in its four outcomes, as a program and as a flow file. Two of them ask a person.
#[test]
fn m138_the_approval_flow_has_four_outcomes() {
    for agent in ["agent.toml", "flow.toml"] {
        for (name, approvals) in [("low", 1), ("approved", 1), ("invalid", 0), ("rejected", 0)] {
            let example = Example::new("approval");
            let mut report = example.run_file(agent, &["--input", &format!("@{name}.json")]);
            if let Some(answer) = DECISIONS.iter().find(|(input, _)| *input == name).map(|it| it.1)
            {
                assert_eq!(report["status"], "waiting", "{agent} {name}");
                let id = report["run"].as_str().unwrap().to_owned();
                let output = example.ptc(&["answer", &id, answer, "--json", "--quiet"]);
                report = serde_json::from_str(&output.stdout).expect("is JSON");
                let replayed = example.ptc(&["replay", &id]);
                assert_eq!(replayed.code, Some(0), "{}{}", replayed.stdout, replayed.stderr);
            }
            let expected = example.json(&format!("{name}.expected.json"));
            assert_eq!(report["value"], expected, "{agent} {name}: {}", report["error"]);
            assert_eq!(
                example.text("approvals.jsonl").lines().count(),
                approvals,
                "{agent} {name}"
            );
            assert_eq!(example.text("messages.jsonl").lines().count(), 1, "{agent} {name}");
        }
    }
}

/// The clinical pipeline as a flow file ends as the loop of agents does.
#[test]
fn the_clinical_pipeline_is_a_flow_too() {
    let example = Example::new("clinical");
    let report = example.run_file("flow.toml", &[]);
    assert_eq!(report["value"], example.json("expected.json"), "{}", report["error"]);
    let (of_flow, of_loop) = (&report["payload"], &example.run(&[])["payload"]);
    for key in ["pruned_template", "filled_template", "enriched_template", "final_filled_template"]
    {
        assert_eq!(of_flow[key], of_loop[key], "{key}");
    }
    let calls = example.calls(&report["run"]);
    let pass = ["pruner", "filler", "enricher", "evaluate"];
    assert_eq!(tools(&example.calls(&calls[1]["run"])), [pass, pass].concat());
}

/// A flow starts at a step, and skips steps.
#[test]
fn m127_m128_the_command_starts_at_a_step_and_skips_steps() {
    let example = Example::new("approval");
    let steps = ["--start-at", "AutoApprove", "--skip", "NotifyApproved"];
    let payload = r#"{"result": {"outcome": "approved", "message": "Told by mail."}}"#;
    let args = [&steps[..], &["--payload", payload]].concat();
    let report = example.run_file("flow.toml", &args);
    let value = json!({"outcome": "approved", "by": "automatic", "approval": 1, "message": "Told by mail."});
    assert_eq!(report["value"], value, "{}", report["error"]);
    let path = json!([{"step": "AutoApprove"}, {"step": "NotifyApproved", "skipped": true}]);
    assert_eq!(report["remarks"], json!({"path": path}));
    assert_eq!(example.text("messages.jsonl"), "");
    let output = example.ptc(&["run", "flow.toml", "--start-at", "AutoAprove"]);
    assert_eq!(output.code, Some(2));
    assert!(output.stderr.contains("did you mean `AutoApprove`?"), "{}", output.stderr);
}

#[test]
fn a_plan_that_fails_is_made_anew() {
    let example = Example::new("planner");
    let report = example.run(&[]);
    assert_eq!(report["value"], example.json("expected.json"));
    assert_eq!(report["value"]["plans"], 2);
    let steps: BTreeSet<String> =
        example.calls(&report["run"]).iter().map(|call| call["step"].to_string()).collect();
    let expected = ["\"answer\"", "\"execute\"", "\"plan\""].map(str::to_owned);
    assert_eq!(steps, BTreeSet::from(expected));
    let orders = example.text("orders.jsonl");
    let distinct: BTreeSet<&str> = orders.lines().collect();
    assert_eq!((orders.lines().count(), distinct.len()), (2, 2));
}

/// Runs an example in processes that are killed after these milliseconds, and resumed until it has ended. Returns what
/// `ptc show` has of it.
fn run_killed(example: &Example, args: &[&str], delays: &[u64]) -> Value {
    let mut delays = delays.iter();
    let mut decisions = Vec::new();
    for _ in 0..100 {
        let root = root_of(example);
        let shown = root.as_ref().map(|id| example.show(id));
        if let Some(run) = shown.filter(|run| run["status"] == "returned") {
            return run;
        }
        let start = match &root {
            Some(id) if asks(example, id) => {
                vec!["answer", id.as_str(), DECISIONS[0].1, "--json", "--quiet"]
            }
            Some(id) => vec!["resume", id.as_str(), "--json", "--quiet"],
            None => [&["run"][..], args, &["--json", "--quiet"]].concat(),
        };
        // A process that is killed before it records the decisions leaves the calls in doubt.
        let decided = std::mem::take(&mut decisions);
        let decided: Vec<&str> = decided.iter().map(String::as_str).collect();
        let mut child = example.command(&[start, decided].concat()).spawn().expect("starts");
        if let Some(delay) = delays.next() {
            std::thread::sleep(Duration::from_millis(*delay));
            // The process may have ended by itself.
            drop(child.kill());
        }
        let output = child.wait_with_output().expect("ends");
        let report = serde_json::from_slice(&output.stdout).unwrap_or(Value::Null);
        match report["stop"].as_str() {
            _ if report["status"] == "returned" || report["status"] == "waiting" => (),
            Some("in-doubt") => decisions = decide(example, &report),
            // A killed process prints nothing.
            _ => assert_eq!(report, Value::Null, "{}", String::from_utf8_lossy(&output.stderr)),
        }
    }
    panic!("the run did not end");
}

/// Returns whether a run has an open question on record, also if its process was killed before it could wait.
fn asks(example: &Example, id: &str) -> bool {
    let open = example.ptc(&["answer", id, "--json"]);
    serde_json::from_str::<Vec<Value>>(&open.stdout).is_ok_and(|open| !open.is_empty())
}

/// Returns the id of the first run on record.
fn root_of(example: &Example) -> Option<String> {
    let file = example.path("runs.sqlite");
    let db = file.exists().then(|| rusqlite::Connection::open(file).expect("opens"))?;
    db.query_row("SELECT id FROM run_heads WHERE parent IS NULL", [], |row| row.get(0)).ok()
}

/// Returns the options that tell for each call in doubt whether it was made. The file that it appends a line to knows.
fn decide(example: &Example, report: &Value) -> Vec<String> {
    wait_for_tools(example);
    let mut options = Vec::new();
    for doubt in report["error"]["in_doubt"].as_array().expect("names the calls") {
        let (call, tool) = (doubt["call"].as_str().unwrap(), doubt["tool"].as_str().unwrap());
        let (_, file) = LOGS.iter().find(|(name, _)| *name == tool).expect("writes a file");
        let made = example.text(file).lines().count();
        let result = if tool == "order" { json!({"number": made}) } else { json!(made) };
        if made > finished(example, tool) {
            options.extend(["--assume-done".to_owned(), call.to_owned(), result.to_string()]);
        } else {
            options.extend(["--retry".to_owned(), call.to_owned()]);
        }
    }
    options
}

/// Waits until no process works in the folder of the example. A tool outlives the process that was killed.
fn wait_for_tools(example: &Example) {
    let folder = example.path("").canonicalize().expect("is there");
    let works = |process: std::fs::DirEntry| {
        std::fs::read_link(process.path().join("cwd")).is_ok_and(|it| it == folder)
    };
    let Ok(_) = std::fs::read_dir("/proc/self") else {
        // Only Linux shows the folders of processes.
        return std::thread::sleep(Duration::from_secs(1));
    };
    while std::fs::read_dir("/proc").expect("is there").flatten().any(works) {
        std::thread::sleep(Duration::from_millis(5));
    }
}

/// The tools that write, and the files that they append to.
const LOGS: [(&str, &str); 3] =
    [("order", "orders.jsonl"), ("approve", "approvals.jsonl"), ("notify", "messages.jsonl")];

/// Returns the number of calls of a tool on record that have a result.
fn finished(example: &Example, tool: &str) -> usize {
    let db = rusqlite::Connection::open(example.path("runs.sqlite")).expect("opens");
    let sql = "SELECT count(*) FROM event_rows WHERE kind = 'call-finished' \
               AND json_extract(data, '$.tool') = ?1 AND json_extract(data, '$.error') IS NULL";
    let count: u32 = db.query_row(sql, [tool], |row| row.get(0)).expect("counts");
    count as usize
}

/// Every example has the same result, and makes no write twice, whenever its processes are killed.
#[cfg(unix)]
#[test]
fn killed_examples_end_as_others_do() {
    let cases = [
        ("clinical", "agent.toml", "input.json", "expected.json", 0),
        ("clinical", "flow.toml", "input.json", "expected.json", 0),
        ("approval", "agent.toml", "approved.json", "approved.expected.json", 2),
        ("approval", "flow.toml", "approved.json", "approved.expected.json", 2),
        ("planner", "agent.toml", "input.json", "expected.json", 2),
    ];
    // A generator of moments up to 60 ms, the same in every test run.
    let mut state = 1_u64;
    let mut moment = || {
        state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) % 60
    };
    for (name, agent, input, expected, writes) in cases {
        for _ in 0..6 {
            let example = Example::new(name);
            let delays: Vec<u64> = (0..5).map(|_| moment()).collect();
            let report = run_killed(&example, &[agent, "--input", &format!("@{input}")], &delays);
            assert_eq!(report["value"], example.json(expected), "{name} {delays:?}");
            let logs = LOGS.map(|(_, file)| example.text(file).lines().count());
            assert_eq!(logs.iter().sum::<usize>(), writes, "{name} {delays:?}");
            let replayed = example.ptc(&["replay", report["run"].as_str().unwrap()]);
            assert_eq!(replayed.code, Some(0), "{}", replayed.stdout);
        }
    }
}
