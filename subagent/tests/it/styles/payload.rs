//! The payload of agents whose model writes no programs.

use ptc_subagent::payload::{EndCheck, Verdict};
use ptc_subagent::provider::Reply;
use ptc_subagent::replay::{Replay, Resume};
use ptc_subagent::store::{RunRecord, Store};
use ptc_subagent::{Agent, Answers, DecisionsStyle, Mission, PayloadDef, RunReport, Status, Stop};
use serde_json::{Value, json};

use super::tools::{Model, calls};
use crate::support::program;

fn payload(start: Value, writes: Option<&[&str]>) -> PayloadDef {
    let payload = PayloadDef::new().with_start(start).unwrap();
    let payload = payload.with_signature("{n :int[1..], rows [:any]}").unwrap();
    let payload = payload.with_check_start(ptc_subagent::payload::StartCheck::Warn);
    match writes {
        None => payload,
        Some(writes) => payload.with_writes(writes).unwrap(),
    }
}

fn agent(answers: Answers, writes: Option<&[&str]>) -> Agent {
    let start = json!({"n": 0, "rows": [], "_key": "k"});
    Agent::new("Go.").with_answers(answers).with_payload(payload(start, writes)).with_max_turns(9)
}

/// Runs an agent and replays its record, which is exact.
async fn run(agent: &Agent, model: &Model) -> (RunReport, RunRecord) {
    let folder = tempfile::tempdir().unwrap();
    let store = Store::open(&folder.path().join("runs.db")).unwrap();
    let mission = Mission::new(agent, json!({})).record_in(&store);
    let report = mission.run(model).await.unwrap();
    let run = report.run.to_string();
    let replayed = Replay::of(&store, &run).unwrap().with_agent(agent.clone()).run().await.unwrap();
    assert_eq!(replayed.differences, []);
    (report, store.show(&run).unwrap())
}

fn verdicts(record: &RunRecord) -> Vec<(Verdict, Option<(u32, u32)>)> {
    let checks = record.turn_records.iter().filter_map(|it| it.payload_check.as_ref());
    checks.map(|it| (it.verdict, it.retry)).collect()
}

#[tokio::test]
async fn native_calls_read_and_change_the_payload_in_their_order() {
    let model = Model::new(vec![
        calls(&[
            ("payload_put", r#"{"path": ["n"], "value": 2}"#),
            ("payload_get", r#"{"path": ["n"]}"#),
            ("payload_push", r#"{"path": ["rows"], "item": {"id": 1}}"#),
            ("payload_merge", r#"{"path": ["rows", 0], "fields": {"ok": true}}"#),
            ("payload_get", r#"{"path": []}"#),
            ("payload_delete", r#"{"path": ["rows", 0, "id"]}"#),
        ]),
        calls(&[
            ("payload_put", r#"{"path": "n", "value": 3}"#),
            ("payload_put", r#"{"path": ["n"]}"#),
            ("payload_get", r#"{"path": ["_key"]}"#),
            ("payload_push", r#"{"path": ["n"], "item": 1}"#),
            ("payload_put", r#"{"path": ["m"], "value": 3}"#),
        ]),
        Reply::new("Done."),
    ]);
    let agent = agent(Answers::Tools, None);
    let (report, record) = run(&agent, &model).await;
    assert_eq!(report.status, Status::Returned, "{report:?}");
    assert_eq!(report.payload.unwrap(), json!({"n": 2, "rows": [{"ok": true}], "_key": "k"}));
    assert_eq!(verdicts(&record), [(Verdict::Pass, None)]);
    let path = "Error: the argument `path` must be a list of keys and of indexes from 0, such as `[\"orders\", 0, \"state\"]`";
    assert_eq!(
        model.results(),
        [
            "a: 2",
            "b: 2",
            "c: {\"id\":1}",
            "d: {\"ok\":true}",
            "e: {\"n\":2,\"rows\":[{\"id\":1,\"ok\":true}]}",
            "f: null",
            &format!("a: {path}"),
            "b: Error: the argument `value` is missing",
            "c: Error: `_key` of the payload is hidden",
            "d: Error executing payload_push: payload/push n: expected a list, found int",
            "e: Error: `payload_put` was not called: there is no `payload/m`",
        ]
    );
    let requests = model.requests();
    assert_eq!(
        requests[0].messages[0].text,
        "Go.\n\nPayload at the start:\n{\"n\":0,\"rows\":[]}\n\nYou have at most 9 replies."
    );
    // A message shows the payload if the turn has changed it.
    let told: Vec<&str> = record.turn_records.iter().skip(1).map(|it| it.prompt.as_str()).collect();
    let now = "Payload now, in place of all earlier ones:\n{\"n\":2,\"rows\":[{\"ok\":true}]}";
    assert_eq!(told, [now, ""]);
}

#[tokio::test]
async fn actions_change_the_payload_that_observations_show() {
    let step = |action: &str, input: &str| {
        Reply::new(format!("Thought: t\nAction: {action}\nAction Input: {input}"))
    };
    let model = Model::new(vec![
        step("payload/put", r#"{"path": ["n"], "value": 2}"#),
        step("payload/get", r#"["n"]"#),
        step("payload/put", r#"{"path": ["rows"], "value": [1]}"#),
        Reply::new("Final Answer: Done."),
    ]);
    let agent = agent(Answers::React, Some(&["n"]));
    let (report, record) = run(&agent, &model).await;
    assert_eq!(report.payload.unwrap(), json!({"n": 2, "rows": [], "_key": "k"}));
    let told: Vec<&str> = record.turn_records.iter().skip(1).map(|it| it.prompt.as_str()).collect();
    assert_eq!(
        told,
        [
            "Observation: 2\n\nPayload now, in place of all earlier ones:\n{\"n\":2,\"rows\":[]}",
            "Observation: 2",
            "Observation: Error: `payload/put` was not called: payload/put rows: expected a grant to change rows, found n",
        ]
    );
    let system = model.requests()[0].system.text();
    assert!(system.contains("\nYou may change only n"), "{system}");
}

/// A run that is resumed between two changes has the first one.
#[tokio::test]
async fn a_resumed_run_goes_on_with_the_payload() {
    let folder = tempfile::tempdir().unwrap();
    let store = Store::open(&folder.path().join("runs.db")).unwrap();
    let agent = agent(Answers::Tools, None);
    let put = |n: u32| {
        let arguments = json!({"path": ["n"], "value": n}).to_string();
        calls(&[("payload_put", &arguments), ("payload_get", r#"{"path": ["n"]}"#)])
    };
    let report = Mission::new(&agent, json!({})).record_in(&store);
    let report = report.run(&Model::new(vec![put(1)])).await.unwrap();
    assert_eq!(report.stop, Some(Stop::Provider));
    let run = report.run.to_string();
    let model = Model::new(vec![put(5), Reply::new("Done.")]);
    let resume = Resume::of(&store, &run).unwrap();
    let report = resume.mission(&agent).unwrap().run(&model).await.unwrap();
    assert_eq!(report.payload.unwrap(), json!({"n": 5, "rows": [], "_key": "k"}));
    assert_eq!(model.results(), ["a: 1", "b: 1", "a: 5", "b: 5"]);
    let replayed = Replay::of(&store, &run).unwrap().with_agent(agent).run().await.unwrap();
    assert_eq!(replayed.differences, []);
}

/// A check that fails is not followed by a retry if the model cannot change the payload.
#[tokio::test]
async fn a_check_that_the_model_cannot_influence_has_no_retries() {
    let text = || Reply::new("Done.");
    let last = |text: &str| Reply::new(format!("Final Answer: {text}"));
    let decision = || Reply::new(r#"{"taskComplete": true, "message": "Done."}"#);
    let failed = vec![(Verdict::Fail, None)];
    let retried = vec![
        (Verdict::Retry, Some((1, 2))),
        (Verdict::Retry, Some((2, 2))),
        (Verdict::Fail, Some((2, 2))),
    ];
    let none: Option<&[&str]> = Some(&[]);
    for (answers, writes, reply, expected) in [
        (Answers::Tools, None, text(), &retried),
        (Answers::Tools, none, text(), &failed),
        (Answers::React, None, last("Done."), &retried),
        (Answers::React, none, last("Done."), &failed),
        (Answers::Decisions(DecisionsStyle::WHOLE), None, decision(), &retried),
        (Answers::Decisions(DecisionsStyle::WHOLE), none, decision(), &failed),
        (Answers::Program, None, Reply::new(program("(return 1)")), &retried),
        (Answers::Program, none, Reply::new(program("(return 1)")), &failed),
    ] {
        let mut agent = agent(answers.clone(), None);
        let payload = payload(json!({"n": 0, "rows": []}), writes);
        agent = agent.with_payload(payload.with_check_end(EndCheck::Retry, 2));
        let model = Model::new(vec![reply; 4]);
        let (report, record) = run(&agent, &model).await;
        assert_eq!(report.stop, Some(Stop::Payload), "{answers:?} {writes:?} {report:?}");
        assert_eq!(&verdicts(&record), expected, "{answers:?} {writes:?}");
        let message = report.error.unwrap().message;
        let problem =
            "Final payload validation failed:\n1. n: expected int of at least 1, found int 0";
        assert!(message.starts_with(problem), "{message}");
        assert_eq!(message == problem, *expected == failed, "{message}");
    }
}
