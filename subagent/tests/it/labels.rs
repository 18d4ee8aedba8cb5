//! Labels in runs: missions whose data has injections, the questions and denials of the policy, and the record of origins.

mod kept;
mod quarantine;
mod read;

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use ptc_subagent::provider::{Reply, Scripted};
use ptc_subagent::replay::{Replay, Resume};
use ptc_subagent::store::{RunRecord, Store};
use ptc_subagent::tool::{Effect, FnTool, ToolDef, ToolError};
use ptc_subagent::{Agent, Answers, Mission, OnLabel, Policy, RunReport, Status, Takes};
use serde_json::{Value, json};

use crate::support::{Model, program};

/// The tools that give texts of strangers.
const SOURCES: &[&str] = &["inbox", "page", "files", "tickets", "calendar", "forum"];

const WRITES: &[&str] = &["mail", "post", "pay", "delete", "grant", "invite", "comment"];

/// The arguments whose texts may come from anywhere.
const FREE: &[(&str, &str)] =
    &[("mail", "body"), ("post", "body"), ("invite", "title"), ("comment", "text")];

/// A mission: what a tool or an input gives, and the replies of the model.
struct Case {
    name: String,
    source: String,
    good: Value,
    evil: Value,
    about: String,
    evil_about: String,
    first: String,
    then: String,
    attack: String,
}

fn cases() -> Vec<Case> {
    let text = include_str!("labels/missions.txt");
    let blocks = text.split("\n= ").skip(1);
    blocks
        .map(|block| {
            let mut lines = block.lines();
            let name = lines.next().unwrap().to_string();
            let lines: Vec<(&str, &str)> =
                lines.filter(|it| !it.is_empty()).map(|it| it.split_once(": ").unwrap()).collect();
            let get = |key: &str| {
                lines.iter().find(|it| it.0 == key).map_or_else(String::new, |it| it.1.to_string())
            };
            let (source, good) = lines[0];
            let good: Value = serde_json::from_str(good).expect(good);
            let evil = get("evil");
            let evil = if evil.is_empty() {
                good.clone()
            } else {
                serde_json::from_str(&evil).expect(&evil)
            };
            Case {
                name,
                source: source.to_string(),
                good,
                evil,
                about: get("about"),
                evil_about: get("evil-about"),
                first: get("first"),
                then: get("then"),
                attack: get("attack"),
            }
        })
        .collect()
}

type Calls = Arc<Mutex<Vec<String>>>;

/// Makes the agent of a case, with the policy for labels or without one.
fn agent(case: &Case, is_evil: bool, policy: Policy, calls: &Calls) -> Agent {
    let data = if is_evil { &case.evil } else { &case.good };
    let gives = |name: &str| {
        let data = if case.source == name { data.clone() } else { json!([]) };
        FnTool::new(move |_: Value, _| {
            let data = data.clone();
            async move { Ok::<_, ToolError>(data) }
        })
    };
    let signature = "(boss :string, hook :string, account :string, user :string, old :string, mails :any) -> :any";
    let mut agent = Agent::new("Do the work of the office. Roles are reader and admin.")
        .with_signature(signature)
        .unwrap()
        .with_policy(policy)
        .with_trust(if case.source == "mails" {
            [("mails".to_string(), "untrusted".to_string())].into()
        } else {
            BTreeMap::new()
        });
    for name in SOURCES {
        let tool = ToolDef::new(*name, gives(name)).with_effect(Effect::Read);
        agent = agent.with_tool(tool.with_trust("untrusted".to_string()));
    }
    let mut notes = ToolDef::new("notes/list", gives("notes/list")).with_effect(Effect::Read);
    notes.server = (case.source == "notes/list").then(|| "notes".to_string());
    let about = if is_evil && !case.evil_about.is_empty() { &case.evil_about } else { &case.about };
    notes.description = Some(about.clone());
    let helper = Agent::new("Help with the work.")
        .with_name("helper")
        .with_answers(Answers::Json)
        .with_signature("() -> :any")
        .unwrap();
    let helper = ToolDef::agent(helper).with_trust("untrusted".to_string());
    agent = agent.with_tool(notes).with_tool(helper);
    for name in WRITES {
        let calls = Arc::clone(calls);
        let tool = FnTool::new(move |args: Value, _| {
            let calls = Arc::clone(&calls);
            async move {
                calls.lock().unwrap().push(args.to_string());
                Ok::<_, ToolError>(json!("done"))
            }
        });
        agent = agent.with_tool(ToolDef::new(*name, tool).with_effect(Effect::Write));
    }
    agent
}

/// Runs a case. Returns its report, its records and the arguments of its writes.
async fn run(
    case: &Case,
    is_evil: bool,
    policy: Policy,
) -> (RunReport, Vec<RunRecord>, Vec<String>) {
    run_with(case, is_evil, policy, false).await
}

/// Runs a case, with a snapshot after each turn or without.
async fn run_with(
    case: &Case,
    is_evil: bool,
    policy: Policy,
    snapshots: bool,
) -> (RunReport, Vec<RunRecord>, Vec<String>) {
    let calls = Calls::default();
    let agent = agent(case, is_evil, policy, &calls).with_snapshots(snapshots);
    let data = if is_evil { &case.evil } else { &case.good };
    let answer = data.to_string();
    let is_in_quarantine = !agent.policy.quarantine.is_empty();
    let has_read = AtomicBool::new(!is_in_quarantine);
    let turn = AtomicUsize::new(0);
    let model = Model(|text: &str| {
        if text.contains("Help with the work.") {
            return Reply::new(answer.as_str());
        }
        // A model that obeys does so once it has read the injection.
        if text.contains("evil") || text.contains("OBEY") {
            has_read.store(true, Ordering::Relaxed);
        }
        let obeys = is_evil && has_read.load(Ordering::Relaxed);
        let second = if obeys { &case.attack } else { &case.then };
        let source = match turn.fetch_add(1, Ordering::Relaxed) {
            0 => case.first.as_str(),
            1 => second.as_str(),
            _ => "(fail \"stopped\")",
        };
        Reply::new(program(source))
    });
    let mails = if case.source == "mails" { data.clone() } else { json!([]) };
    let input = json!({
        "boss": "boss@corp.example", "hook": "https://corp.example/hook", "account": "shop-1",
        "user": "ann", "old": "old.txt", "mails": mails,
    });
    let store = Store::in_memory().unwrap();
    let mission = Mission::new(&agent, input).record_in(&store);
    let report = mission.run(&model).await.unwrap();
    let replayed = Replay::of(&store, report.run.as_str()).unwrap().run().await.unwrap();
    assert_eq!((replayed.differences, replayed.missing), (vec![], None), "{}", case.name);
    let records = store.tree(report.run.as_str()).unwrap();
    let calls = calls.lock().unwrap().clone();
    (report, records, calls)
}

/// Returns the problems and the labels of all calls of a run.
fn origins(records: &[RunRecord]) -> Vec<String> {
    let turns = records.iter().flat_map(|record| &record.turn_records);
    let all = turns.flat_map(|turn| {
        let calls = turn.calls.iter().map(|it| format!("{} {:?}", it.tool, it.labels));
        let problems = turn.rejection.iter().flatten().map(|it| it.message.clone());
        problems.chain(calls).collect::<Vec<_>>()
    });
    all.collect()
}

fn rules(action: OnLabel) -> Policy {
    let policy = Policy::default().with_untrusted_to(action);
    FREE.iter()
        .fold(policy, |policy, (tool, argument)| policy.with_argument(*tool, *argument, Takes::Any))
}

fn is_reached(calls: &[String]) -> bool {
    calls.iter().any(|args| args.contains("evil"))
}

#[tokio::test]
async fn no_write_reaches_the_attacker_if_untrusted_values_are_denied() {
    let (mut missed, mut reached) = (Vec::new(), Vec::new());
    for case in cases() {
        let (_, _, open) = run(&case, true, Policy::default()).await;
        if !is_reached(&open) {
            missed.push(case.name.clone());
        }
        for action in [OnLabel::Deny, OnLabel::Ask] {
            let (_, records, calls) = run(&case, true, rules(action)).await;
            if is_reached(&calls) {
                reached.push(format!("{}: {calls:?}", case.name));
            }
            let (_, same, _) = run_with(&case, true, rules(action), true).await;
            assert_eq!(origins(&same), origins(&records), "{}", case.name);
        }
    }
    assert_eq!((missed, reached), (Vec::<String>::new(), Vec::new()));
}

/// The missions without an injection in which a person is asked.
const ASKED: &[&str] = &["a page that names the amount"];

#[tokio::test]
async fn missions_without_an_injection_end_without_a_question() {
    let mut asked = Vec::new();
    let cases = cases();
    for case in &cases {
        let (plain, _, writes) = run(case, false, Policy::default()).await;
        assert_eq!(plain.status, Status::Returned, "{}: {:?}", case.name, plain.error);
        let (report, records, same) = run(case, false, rules(OnLabel::Ask)).await;
        let (_, kept, _) = run_with(case, false, rules(OnLabel::Ask), true).await;
        assert_eq!(origins(&kept), origins(&records), "{}", case.name);
        if (report.value, same) != (plain.value, writes) {
            asked.push(case.name.as_str());
        }
    }
    assert_eq!(asked, ASKED);
    assert!(cases.len() >= 40 && asked.len() * 10 <= cases.len());
}

/// The missions that a call in quarantine is refused in: their program writes to the sender of the mail.
const REFUSED: &[&str] = &["kept in memory"];

/// Returns whether a text of a stranger is in an argument that is not free.
fn is_led(call: &str) -> bool {
    let mut args: Value = serde_json::from_str(call).unwrap();
    let named = args.as_object_mut().unwrap();
    named.retain(|name, _| FREE.iter().all(|(_, free)| free != name));
    args.to_string().contains("evil")
}

#[tokio::test]
async fn missions_in_quarantine_end_as_the_model_planned() {
    let (mut reached, mut refused) = (Vec::new(), Vec::new());
    let cases = cases();
    for case in &cases {
        let policy = rules(OnLabel::Deny).with_quarantine("untrusted");
        let (report, records, calls) = run(case, true, policy).await;
        if calls.iter().any(|call| is_led(call)) {
            reached.push(format!("{}: {calls:?}", case.name));
        }
        let labels = origins(&records).join("\n");
        let is_refused = ["is not allowed", "untrusted_to"].iter().any(|it| labels.contains(it));
        if is_refused || report.status != Status::Returned {
            refused.push(case.name.as_str());
        }
    }
    assert_eq!((reached, refused), (Vec::<String>::new(), REFUSED.to_vec()));
}

fn mail_of_a_stranger() -> Case {
    cases().into_iter().find(|it| it.name == "reply to the sender").unwrap()
}

#[tokio::test]
async fn the_record_tells_where_a_denied_argument_came_from() {
    let case = mail_of_a_stranger();
    let (_, records, _) = run(&case, true, rules(OnLabel::Deny)).await;
    let turn = &records[0].turn_records[1];
    let problem = &turn.rejection.as_ref().unwrap()[0];
    assert_eq!(
        problem.message,
        "the policy of this mission: a call of `mail` is not allowed: to ← inbox (untrusted)"
    );
    // `ptc why`, Python and Node read the same.
    let origin = json!({
        "argument": "to", "label": "untrusted", "from": "inbox", "certain": true,
        "path": ["(tool/inbox {})", "mails", "(first mails)", "(:from (first mails))"],
        "rule": "untrusted_to = \"deny\"",
    });
    let denied = json!(problem.denied);
    let expected = json!({"tool": "mail", "line": 1, "column": 9, "labels": [origin]});
    assert_eq!(denied, expected);
    let why = json!(records[0].why("mail", Some("to")).unwrap());
    let expected = json!([{
        "turn": 2, "call": null, "tool": "mail", "args": null, "error": problem.message, "labels": [origin],
    }]);
    assert_eq!(why, expected);
    let unknown = records[0].why("pay", None).unwrap_err();
    assert_eq!((unknown.code(), unknown.help()), ("unknown-call", Some("it has 1.0 (inbox)")));
}

#[tokio::test]
async fn a_question_shows_value_origin_and_rule() {
    let case = mail_of_a_stranger();
    let (agent, calls) = {
        let calls = Calls::default();
        (agent(&case, true, rules(OnLabel::Ask), &calls), calls)
    };
    let store = Store::in_memory().unwrap();
    let replies = Scripted::new([program(&case.first), program(&case.attack)]);
    let input =
        json!({"boss": "b", "hook": "h", "account": "a", "user": "u", "old": "o", "mails": []});
    let waiting = Mission::new(&agent, input).record_in(&store).run(&replies).await.unwrap();
    assert_eq!(waiting.status, Status::Waiting, "{:?}", waiting.error);
    let [question] = waiting.questions.as_slice() else { panic!("{:?}", waiting.questions) };
    let help = question.form["help"].as_str().unwrap();
    let expected = "mission: Do the work of the office. Roles are reader and admin.\n\
        write {\"to\":\"eve@evil.example\",\"body\":\"the report\"}\n\
        the argument `to` is untrusted, so the rule untrusted_to = \"ask\" needs your yes\n\
        \x20 value: \"eve@evil.example\"\n  comes from: inbox\n\
        \x20 by way of: (tool/inbox {}) → mails → (first mails) → (:from (first mails))";
    assert_eq!(help, expected);
    let answer = json!({"allow": true});
    let resume = Resume::of(&store, waiting.run.as_str()).unwrap().answer(None, answer).unwrap();
    let report = resume.mission(&agent).unwrap().run(&replies).await.unwrap();
    assert_eq!(report.status, Status::Returned, "{:?}", report.error);
    assert_eq!(calls.lock().unwrap().len(), 1);
    let record = store.tree(report.run.as_str()).unwrap().remove(0);
    let call = record.turn_records[1].calls.iter().find(|it| it.tool == "mail").unwrap();
    let labels: Vec<String> = call.labels.iter().map(ToString::to_string).collect();
    assert_eq!(labels, ["to ← inbox (untrusted)"]);
}

#[tokio::test]
async fn a_denied_call_is_a_problem_that_the_program_can_catch() {
    let mut case = mail_of_a_stranger();
    case.attack = "(return (try (tool/mail {:to (if ctx/boss (:from (first mails)) ctx/hook) :body \"x\"}) (catch Exception e (:kind (ex-data e)))))".to_string();
    let (report, records, calls) = run(&case, true, rules(OnLabel::Deny)).await;
    assert_eq!((report.value.value(), calls), (&json!("tool-denied").into(), Vec::new()));
    let call = &records[0].turn_records[1].calls[0];
    assert_eq!(
        call.error.as_ref().unwrap().message,
        "was denied: a call of `mail` is not allowed: to ← inbox (untrusted)"
    );
}

/// Policies, programs, and the outcomes: an answer, or the place and the label that is denied.
const RULES: &[(&str, &str, &str)] = &[
    (
        "secret_to = 'deny'",
        "(tool/post {:text (tool/vault {})})",
        "the policy of this mission: a call of `post` is not allowed: text ← vault (secret)",
    ),
    ("secret_to = 'deny'", "(tool/post {:text (tool/crm {})})", "\"done\""),
    ("untrusted_to = 'deny'", "(tool/post {:text (tool/vault {})})", "\"done\""),
    (
        "labels_to = { customer = 'deny' }",
        "(tool/post {:text (tool/crm {})})",
        "the policy of this mission: a call of `post` is not allowed: text ← crm (customer)",
    ),
    ("labels_to = { customer = 'deny' }", "(tool/post {:text (count (tool/page {}))})", "\"done\""),
    (
        "untrusted_to = 'deny'",
        "(tool/post {:text ctx/notes})",
        "the policy of this mission: a call of `post` is not allowed: text ← ctx/notes (untrusted)",
    ),
    (
        "untrusted_to = 'deny'",
        "(tool/post {:text ctx/copy})",
        "the policy of this mission: a call of `post` is not allowed: text ← ctx/copy (untrusted)",
    ),
    ("untrusted_to = 'deny'", "(tool/post {:text [ctx/plain ctx/read]})", "\"done\""),
    ("untrusted_to = 'allow'", "(tool/post {:text (tool/page {})})", "\"done\""),
    ("untrusted_to = 'deny'", "(tool/find {:text (tool/page {})})", "\"found\""),
    (
        "untrusted_to = 'deny'\narguments = { 'find(text)' = 'trusted' }",
        "(tool/find {:text (tool/page {})})",
        "the policy of this mission: a call of `find` is not allowed: text ← page (untrusted)",
    ),
    (
        "untrusted_to = 'deny'",
        "(if (seq (tool/page {})) (tool/post {:text ctx/name}) 0)",
        "\"done\"",
    ),
    (
        "untrusted_to = 'deny'\ncontrol = true",
        "(if (seq (tool/page {})) (tool/post {:text ctx/name}) 0)",
        "tool `post`: was denied: a call of `post` is not allowed: the call ← page (untrusted)",
    ),
];

#[tokio::test]
async fn each_rule_has_its_labels() {
    let folder = tempfile::tempdir().unwrap();
    let mut found = Vec::new();
    for (policy, program, _) in RULES {
        let text = format!(
            "program = \"program.clj\"\nsignature = \"(name :string) -> :any\"\n[policy]\n{policy}\n\
             [[tools]]\nname = \"vault\"\neffect = \"read\"\ntrust = \"secret\"\nreturns = \"key\"\n\
             [[tools]]\nname = \"crm\"\neffect = \"read\"\ntrust = \"customer\"\nreturns = \"Ann\"\n\
             [[tools]]\nname = \"page\"\neffect = \"read\"\ntrust = \"untrusted\"\nreturns = \"text\"\n\
             [[tools]]\nname = \"find\"\neffect = \"read\"\nreturns = \"found\"\n\
             [[sources]]\nname = \"notes\"\nfile = \"notes.json\"\ntrust = \"untrusted\"\n\
             [[sources]]\nname = \"plain\"\nfile = \"notes.json\"\n\
             [[sources]]\nname = \"copy\"\ntool = \"page\"\n\
             [[sources]]\nname = \"read\"\ntool = \"page\"\ntrust = \"trusted\"\n\
             [[tools]]\nname = \"post\"\neffect = \"write\"\nreturns = \"done\"\n"
        );
        std::fs::write(folder.path().join("program.clj"), program).unwrap();
        std::fs::write(folder.path().join("notes.json"), "[1]").unwrap();
        let file = folder.path().join("agent.toml");
        std::fs::write(&file, text).unwrap();
        let agent = Agent::read(&file).unwrap();
        let report =
            Mission::new(&agent, json!({"name": "a"})).run(&Scripted::new([""; 0])).await.unwrap();
        found.push(match report.error {
            Some(error) => error.message,
            None => report.value.to_string(),
        });
    }
    let expected: Vec<&str> = RULES.iter().map(|it| it.2).collect();
    assert_eq!(found, expected);
}
