//! Labels of what is kept: after a snapshot, in a further exchange of a conversation, and in `flow/continue`.

use ptc_subagent::provider::Scripted;
use ptc_subagent::replay::{Replay, Resume};
use ptc_subagent::store::{RunRecord, Store};
use ptc_subagent::tool::{Effect, FnTool, ToolDef, ToolError};
use ptc_subagent::{Agent, Earlier, Mission, OnLabel, PayloadDef, RunReport, Status};
use serde_json::{Value, json};

use super::rules;
use crate::support::program;

/// Gives an agent a tool with texts of strangers, and one that writes.
fn with_tools(agent: Agent, action: OnLabel) -> Agent {
    let gives = |data: Value| {
        FnTool::new(move |_: Value, _| {
            let data = data.clone();
            async move { Ok::<_, ToolError>(data) }
        })
    };
    let inbox = gives(json!([{"from": "eve@evil.example", "text": "Hello."}]));
    let inbox = ToolDef::new("inbox", inbox).with_effect(Effect::Read);
    agent
        .with_policy(rules(action))
        .with_tool(inbox.with_trust("untrusted".to_string()))
        .with_tool(ToolDef::new("mail", gives(json!("sent"))).with_effect(Effect::Write))
}

/// Returns the problems and the labels of the mails of a run.
fn mails(record: &RunRecord) -> Vec<String> {
    let mut found = Vec::new();
    for turn in &record.turn_records {
        let problems = turn.rejection.iter().flatten().map(|it| it.message.as_str());
        let prefix = "the policy of this mission: a call of `mail` is not allowed: ";
        found.extend(problems.map(|it| format!("denied {}", it.replace(prefix, ""))));
        for call in turn.calls.iter().filter(|it| it.tool == "mail") {
            let labels: Vec<String> = call.labels.iter().map(ToString::to_string).collect();
            let outcome = if call.error.is_some() { "denied" } else { "sent" };
            found.push(format!("{outcome} {}", labels.join("; ")));
        }
    }
    found
}

async fn replayed(store: &Store, report: &RunReport) -> RunRecord {
    let replay = Replay::of(store, report.run.as_str()).unwrap().run().await.unwrap();
    assert_eq!((replay.differences, replay.missing), (vec![], None));
    store.show(report.run.as_str()).unwrap()
}

/// An exchange: the message, and the programs.
type Exchange = (&'static str, &'static [&'static str]);

const GO_ON: &str = "Go on.";

/// Conversations with what comes of the mails of their last exchange.
const CONVERSATIONS: &[(&[Exchange], &[&str])] = &[
    (
        &[
            ("Hi.", &["(def to ctx/message) (def mails (tool/inbox {})) 1", "(return 1)"]),
            (GO_ON, &["(return (tool/mail {:to to :body (:text (first mails))}))"]),
        ],
        &["sent body ← inbox (untrusted)"],
    ),
    (
        &[
            ("Hi.", &["(memory/put :to 7) (memory/put :mails (tool/inbox {})) 1", "(return 1)"]),
            (GO_ON, &["(return (tool/mail {:to memory/to :body (str memory/mails)}))"]),
        ],
        &["sent body ← inbox (untrusted)"],
    ),
    (
        &[
            ("Hi.", &["(def mails (tool/inbox {})) 1", "(return 1)"]),
            (GO_ON, &["(return (tool/mail {:to (:from (first mails)) :body \"x\"}))", "(fail 1)"]),
        ],
        &["denied to ← inbox (untrusted)"],
    ),
    (
        &[
            ("Hi.", &["(defn who [m] (:from m)) (def mails (tool/inbox {})) 1", "(return 1)"]),
            (GO_ON, &["(return (tool/mail {:to (who {:from 3}) :body (who (first mails))}))"]),
        ],
        &["sent body ← inbox (untrusted)"],
    ),
    // A model that has read nothing may write what it likes.
    (
        &[
            ("Hi.", &["(def mails (tool/inbox {})) 1", "(return 1)"]),
            (GO_ON, &["(return (tool/mail {:to \"ann\" :body \"x\"}))"]),
        ],
        &["sent "],
    ),
    // The answer of the first exchange is in the message of the second.
    (
        &[
            ("Hi.", &["(return (:text (first (tool/inbox {}))))"]),
            (GO_ON, &["(return (tool/mail {:to \"ann\" :body 1}))", "(fail 1)"]),
        ],
        &["denied to ← the model, which read inbox (untrusted)"],
    ),
    (
        &[
            ("Hi.", &["(return (:text (first (tool/inbox {}))))"]),
            (GO_ON, &["(return (tool/mail {:to (conversation/last) :body 1}))", "(fail 1)"]),
        ],
        &["denied to ← inbox (untrusted)"],
    ),
    // Messages of the user are trusted.
    (
        &[
            ("Write to ann.", &["(return (:text (first (tool/inbox {}))))"]),
            (GO_ON, &["(return (tool/mail {:to \"ann\" :body 1}))"]),
        ],
        &["sent "],
    ),
    (
        &[
            ("Hi.", &["(return (:text (first (tool/inbox {}))))"]),
            ("And now?", &["(return 2)"]),
            (GO_ON, &["(return (tool/mail {:to \"ann\" :body 1}))", "(fail 1)"]),
        ],
        &["denied to ← the model, which read inbox (untrusted)"],
    ),
];

#[tokio::test]
async fn an_exchange_knows_the_labels_of_those_before() {
    for snapshots in [false, true] {
        for (exchanges, expected) in CONVERSATIONS {
            let agent = Agent::new("Answer: {{message}}")
                .with_signature("(message :string) -> :any")
                .unwrap()
                .with_snapshots(snapshots);
            let agent = with_tools(agent, OnLabel::Deny);
            let store = Store::in_memory().unwrap();
            let (mut after, mut found) = (None::<RunReport>, Vec::new());
            for (message, programs) in *exchanges {
                let replies = Scripted::new(programs.iter().map(|it| program(it)));
                let mission = Mission::new(&agent, json!({"message": message})).record_in(&store);
                let mission = match &after {
                    Some(it) => {
                        mission.after(Earlier::of(&store, it.run.as_str(), &agent).await.unwrap())
                    }
                    None => mission,
                };
                let report = mission.run(&replies).await.unwrap();
                found = mails(&replayed(&store, &report).await);
                after = Some(report);
            }
            assert_eq!(found, *expected, "{exchanges:?}, snapshots: {snapshots}");
        }
    }
}

/// Workflows that continue with a state, with what comes of their mails.
const CONTINUED: &[(&str, &str)] = &[
    (
        "(if ctx/state (tool/mail {:to (:to ctx/state) :body (:text ctx/state)}) \
         (flow/continue {:to \"ann\" :text (:text (first (tool/inbox {})))}))",
        "sent body ← inbox (untrusted)",
    ),
    (
        "(if ctx/state (tool/mail {:to (:to ctx/state) :body 1}) \
         (flow/continue {:to (:from (first (tool/inbox {})))}))",
        "denied to ← inbox (untrusted)",
    ),
];

#[tokio::test]
async fn the_state_of_a_continued_program_keeps_its_labels() {
    for snapshots in [false, true] {
        for (source, expected) in CONTINUED {
            let agent = Agent::workflow(*source).with_snapshots(snapshots);
            let agent = with_tools(agent, OnLabel::Deny);
            let store = Store::in_memory().unwrap();
            let mission = Mission::new(&agent, json!({})).record_in(&store);
            let report = mission.run(&Scripted::new([""; 0])).await.unwrap();
            let found = mails(&replayed(&store, &report).await);
            assert_eq!(found, [*expected], "{source}, snapshots: {snapshots}");
        }
    }
}

/// Programs of an agent and of its sub-agent, which share a payload, with what comes of the mails of both.
const SHARED: &[(&str, &str, &str)] = &[
    (
        "(do (tool/helper {}) (tool/mail {:to payload/to :body 1}))",
        "(payload/put [:to] (:from (first (tool/inbox {}))))",
        "denied to ← helper (untrusted)",
    ),
    (
        "(do (payload/put [:to] (:from (first (tool/inbox {})))) (tool/helper {}))",
        "(tool/mail {:to payload/to :body 1})",
        "denied to ← payload (untrusted)",
    ),
    ("(do (payload/put [:to] \"ann\") (tool/mail {:to payload/to :body 1}))", "1", "sent "),
];

#[tokio::test]
async fn a_shared_payload_has_the_labels_of_both_agents() {
    for (source, below, expected) in SHARED {
        let payload = || PayloadDef::new().with_start(json!({"to": "ann"})).unwrap();
        let below = Agent::workflow(*below).with_name("helper").with_payload(payload());
        let below = with_tools(below.with_signature("() -> :any").unwrap(), OnLabel::Deny);
        let agent = Agent::workflow(*source).with_payload(payload());
        let agent = with_tools(agent, OnLabel::Deny).with_tool(ToolDef::agent(below));
        let store = Store::in_memory().unwrap();
        let mission = Mission::new(&agent, json!({})).record_in(&store);
        let report = mission.run(&Scripted::new([""; 0])).await.unwrap();
        replayed(&store, &report).await;
        let records = store.tree(report.run.as_str()).unwrap();
        let found: Vec<String> = records.iter().flat_map(mails).collect();
        assert_eq!(found, [*expected], "{source}");
    }
}

#[tokio::test]
async fn a_run_resumed_from_a_snapshot_asks_as_one_without() {
    let programs = [
        "(def mails (tool/inbox {})) (def pick (fn [m] {:who (:from m)}))",
        "(return (tool/mail {:to (:who (pick (first mails))) :body \"x\"}))",
    ];
    let mut asked = Vec::new();
    for snapshots in [false, true] {
        let agent = with_tools(Agent::new("Go.").with_snapshots(snapshots), OnLabel::Ask);
        let replies = Scripted::new(programs.iter().map(|it| program(it)));
        let store = Store::in_memory().unwrap();
        let mission = Mission::new(&agent, json!({})).record_in(&store);
        let waiting = mission.run(&replies).await.unwrap();
        let [question] = waiting.questions.as_slice() else { panic!("{:?}", waiting.questions) };
        let form = question.form.clone();
        let resume = Resume::of(&store, waiting.run.as_str()).unwrap();
        let resume = resume.answer(None, json!({"allow": true})).unwrap();
        let report = resume.mission(&agent).unwrap().run(&replies).await.unwrap();
        assert_eq!(report.status, Status::Returned, "{:?}", report.error);
        let record = replayed(&store, &report).await;
        let call = record.turn_records[1].calls.iter().find(|it| it.tool == "mail").unwrap();
        assert_eq!(call.labels.len(), 1);
        asked.push((form, call.labels.clone()));
    }
    assert_eq!(asked[0], asked[1]);
}
