//! Artifacts: named, versioned results of a conversation.

use std::sync::Arc;

use ptc_subagent::host::Start;
use ptc_subagent::provider::{NoModel, Reply, Scripted};
use ptc_subagent::replay::{Replay, Resume};
use ptc_subagent::store::{ArtifactVersion, Filter, Store};
use ptc_subagent::{
    Agent, Artifact, Artifacts, Data, Earlier, ErrorKind, Mission, PayloadDef, RunChange,
    RunReport, RunSettings, Status, TakenArtifact,
};
use serde_json::{Value, json};
use tokio::task::JoinSet;

use crate::styles::tools::Model;
use crate::support::{exported, program};

/// An agent whose payload starts with this, and becomes an artifact.
fn with_payload(start: Value, taken: TakenArtifact) -> Agent {
    let payload = PayloadDef::new().with_start(start).expect("a payload");
    let agent = Agent::new("Answer: {{message}}").with_name("helper").with_payload(payload);
    let agent = agent.with_signature("(message :string) -> :any").expect("a signature");
    agent.with_artifacts(Artifacts::Taken(vec![taken]))
}

fn helper() -> Agent {
    let agent = Agent::new("Answer: {{message}}").with_name("helper");
    agent.with_signature("(message :string) -> :any").expect("a signature")
}

/// Says a message, and checks that its run replays in the same way.
async fn say(agent: &Agent, store: &Store, after: Option<&RunReport>, source: &str) -> RunReport {
    say_with(agent, store, after, source, RunSettings::new()).await
}

async fn say_with(
    agent: &Agent,
    store: &Store,
    after: Option<&RunReport>,
    source: &str,
    settings: RunSettings,
) -> RunReport {
    let mut mission = Mission::new(agent, json!({"message": "go"})).with_settings(settings);
    mission = mission.record_in(store);
    if let Some(before) = after {
        let earlier = Earlier::of(store, before.run.as_str(), agent).await.expect("is there");
        mission = mission.after(earlier);
    }
    let model = Model::new(vec![Reply::new(program(source))]);
    let report = mission.run(&model).await.expect("runs");
    let replay = Replay::of(store, report.run.as_str()).expect("is there").run().await;
    let replay = replay.expect("replays");
    assert_eq!((replay.differences, replay.missing), (vec![], None));
    let again = replay.report.expect("ends").artifacts;
    assert_eq!(again, report.artifacts);
    report
}

/// Returns the artifacts of the conversation of a run, as name, version, type and value.
fn list(store: &Store, report: &RunReport) -> Vec<(String, u32, String, Data)> {
    let run = report.run.to_string();
    let all = store.read(move |snapshot| snapshot.artifacts(&run)).expect("reads");
    let row = |ArtifactVersion { artifact: it, .. }: ArtifactVersion| {
        (it.name, it.version, it.media_type, it.value)
    };
    all.into_iter().map(row).collect()
}

fn rows(rows: &[(&str, u32, &str, Value)]) -> Vec<(String, u32, String, Data)> {
    let row = |(name, version, kind, value): &(&str, u32, &str, Value)| {
        ((*name).to_owned(), *version, (*kind).to_owned(), Data::from(value.clone()))
    };
    rows.iter().map(row).collect()
}

const JSON: &str = "application/json";

/// M17, M22, M23, M24: programs put artifacts. A new name has version 1. The next message of the conversation, and another
/// answer to the same message, make the next version. The report names what the run made, and its place in the conversation.
#[tokio::test]
async fn m17_m22_m23_m24_versions_count_within_a_conversation() {
    let (store, agent) = (Store::in_memory().unwrap(), helper());
    let one = say(&agent, &store, None, r#"(artifact/put "report" {:n 1}) (return 1)"#).await;
    let source = r#"(artifact/put :report (update (artifact/get "report") :n inc)) (artifact/put "note" "x") (return (artifact/names))"#;
    let two = say(&agent, &store, Some(&one), source).await;
    assert_eq!(two.value, json!(["report", "note"]));
    // What a run leaves as it is gets no new version.
    let three = say(&agent, &store, Some(&two), r#"(artifact/put "note" "x") (return 3)"#).await;
    let other =
        say(&agent, &store, Some(&one), r#"(artifact/put "report" {:n 9}) (return 2)"#).await;
    let expected = rows(&[
        ("report", 1, JSON, json!({"n": 1})),
        ("note", 1, JSON, json!("x")),
        ("report", 2, JSON, json!({"n": 2})),
        ("report", 3, JSON, json!({"n": 9})),
    ]);
    for report in [&one, &two, &three, &other] {
        assert_eq!(list(&store, report), expected);
    }
    assert_eq!(three.artifacts, []);
    let json = two.to_json();
    let made = json!([{"name": "note", "version": 1, "type": JSON}, {"name": "report", "version": 2, "type": JSON}]);
    assert_eq!(json.get("artifacts"), Some(made.into()));
    let place = json!({"first": one.run, "after": one.run, "message": 2});
    assert_eq!(json.get("conversation"), Some(place.into()));
    assert_eq!(one.to_json().get("conversation"), None);
    // Another conversation begins with version 1.
    let fresh = say(&agent, &store, None, r#"(artifact/put "report" 5) (return 1)"#).await;
    assert_eq!(list(&store, &fresh), rows(&[("report", 1, JSON, json!(5))]));
}

/// M21: a run that fails makes none, nor does one whose payload is empty, nor one whose settings say so.
#[tokio::test]
async fn m21_only_a_run_that_returned_something_makes_artifacts() {
    let store = Store::in_memory().unwrap();
    let put = r#"(artifact/put "report" 1)"#;
    let failed = say(&helper(), &store, None, &format!("{put} (fail {{:reason :no}})")).await;
    assert_eq!((failed.status, list(&store, &failed)), (Status::Failed, vec![]));
    // A turn that ends in an error keeps nothing.
    let broken = helper().with_max_turns(1);
    let broken = say(&broken, &store, None, &format!("{put} (/ 1 0)")).await;
    assert_eq!((broken.status, list(&store, &broken)), (Status::Stopped, vec![]));
    let empty = with_payload(json!({}), TakenArtifact::new("payload"));
    let empty = say(&empty, &store, None, "(return 1)").await;
    assert_eq!((empty.status, list(&store, &empty)), (Status::Returned, vec![]));
    let mut change = RunChange::new();
    change.artifacts = Some(false);
    let agent = with_payload(json!({"a": 1}), TakenArtifact::new("payload"));
    let source = format!("{put} (return 1)");
    let off = say_with(&agent, &store, None, &source, change.into()).await;
    assert_eq!((off.status, list(&store, &off)), (Status::Returned, vec![]));
    let on = say(&agent, &store, None, &source).await;
    let expected = rows(&[("report", 1, JSON, json!(1)), ("helper", 1, JSON, json!({"a": 1}))]);
    assert_eq!(list(&store, &on), expected);
}

/// M25, M26, M27: the agent says whether an artifact is hidden, and its type. Its name is that of the agent file, or comes
/// from the value.
#[tokio::test]
async fn m25_m26_m27_an_agent_names_and_types_what_it_takes() {
    let store = Store::in_memory().unwrap();
    let take = |from: &str, name: Option<&str>, media_type: Option<&str>, hidden: bool| {
        let mut taken = TakenArtifact::new(from);
        taken.name = name.map(str::to_owned);
        taken.media_type = media_type.map(str::to_owned);
        taken.hidden = hidden;
        taken
    };
    for (taken, expected, hidden) in [
        (
            take("payload", None, None, false),
            ("Q4", JSON, json!({"name": "Q4", "text": "# Q4"})),
            false,
        ),
        (
            take("payload.text", Some("report"), Some("text/markdown"), true),
            ("report", "text/markdown", json!("# Q4")),
            true,
        ),
        (take("value.list", None, None, false), ("helper", JSON, json!([1])), false),
    ] {
        let agent = with_payload(json!({"name": "Q4", "text": "# Q4"}), taken);
        let report = say(&agent, &store, None, "(return {:list [1]})").await;
        let (name, kind, value) = expected;
        assert_eq!(list(&store, &report), rows(&[(name, 1, kind, value)]));
        let record = store.show(report.run.as_str()).unwrap();
        assert_eq!(record.artifacts[0].hidden, hidden);
    }
    // "Never" is an agent that makes none at all.
    let agent = helper().with_artifacts(Artifacts::Made(false));
    let report = say(&agent, &store, None, r#"(artifact/put "a" 1) (return 1)"#).await;
    assert_eq!(list(&store, &report), vec![]);
    let wrong = helper().with_artifacts(Artifacts::Taken(vec![TakenArtifact::new("memory.x")]));
    let message = "`memory.x` is not `value`, `payload` or a part of one, such as `payload.report`";
    let error = wrong.check().unwrap_err();
    assert!(error.message().contains(message), "{}", error.message());
}

/// M28: a host finds versions and makes one without a run. The next run of the conversation reads it.
#[tokio::test]
async fn m28_a_person_makes_a_version_without_a_run() {
    let (store, agent) = (Store::in_memory().unwrap(), helper());
    let one = say(&agent, &store, None, r#"(artifact/put "report" {:n 1}) (return 1)"#).await;
    let put = |value: Value| Artifact::new("report", value);
    let made = store.put_artifact(one.run.as_str(), put(json!({"n": 7})), "ada").await.unwrap();
    assert_eq!((made.artifact.version, made.artifact.by.as_deref()), (2, Some("ada")));
    let source = r#"(artifact/put "report" (update (artifact/get "report") :n inc)) (return 2)"#;
    let two = say(&agent, &store, Some(&one), source).await;
    let run = two.run.to_string();
    let find = |number| {
        let run = run.clone();
        store.read(move |snapshot| snapshot.artifact(&run, "report", number))
    };
    assert_eq!(find(None).unwrap().artifact.value, json!({"n": 8}));
    let second = find(Some(2)).unwrap();
    assert_eq!((second.run, second.artifact.value), (one.run.clone(), json!({"n": 7}).into()));
    let error = find(Some(9)).unwrap_err();
    assert_eq!((error.kind(), error.help()), (ErrorKind::Input, Some("it has report")));
    // An export has the versions of its run, and an import gives them back.
    let copy = Store::in_memory().unwrap();
    for run in [&one, &two] {
        let file = exported(&store, run.run.as_str());
        copy.import(None, std::io::Cursor::new(file)).unwrap();
    }
    assert_eq!(list(&copy, &one), list(&store, &one));
    assert_eq!(
        copy.show(one.run.as_str()).unwrap().artifacts,
        store.show(one.run.as_str()).unwrap().artifacts
    );
    // A run that waits has not decided yet.
    let asks = Agent::workflow("(ask \"Go?\")").with_name("asks");
    let waiting = Mission::new(&asks, json!({})).record_in(&store).run(&NoModel).await.unwrap();
    let error = store.put_artifact(waiting.run.as_str(), put(json!(1)), "ada").await.unwrap_err();
    assert_eq!(error.message(), format!("run {} has not ended", waiting.run));
}

/// A run that waited makes its artifacts once, at its end.
#[tokio::test]
async fn a_resumed_run_makes_its_artifacts_once() {
    let store = Store::in_memory().unwrap();
    let program = r#"(artifact/put "draft" 1) (let [answer (ask {:title "Go?" :type ":int"})] (artifact/put "final" answer) (return answer))"#;
    let agent = Agent::workflow(program).with_name("asks");
    let waiting = Mission::new(&agent, json!({})).record_in(&store).run(&NoModel).await.unwrap();
    assert_eq!((waiting.status, list(&store, &waiting)), (Status::Waiting, vec![]));
    let resume = Resume::of(&store, waiting.run.as_str()).unwrap();
    let resume = resume.answer(None, json!(5)).unwrap().mission(&agent).unwrap();
    let ended = resume.run(&NoModel).await.unwrap();
    let expected = rows(&[("draft", 1, JSON, json!(1)), ("final", 1, JSON, json!(5))]);
    assert_eq!((ended.status, list(&store, &ended)), (Status::Returned, expected));
    // The run of a sub-agent makes none: its caller has its value.
    let caller = Agent::workflow("(tool/asks {})").with_name("caller");
    let inner = Agent::workflow(r#"(artifact/put "inner" 1)"#).with_name("asks");
    let caller = caller.with_tool(ptc_subagent::tool::ToolDef::agent(inner));
    let called = Mission::new(&caller, json!({})).record_in(&store).run(&NoModel).await.unwrap();
    assert_eq!((called.status, list(&store, &called)), (Status::Returned, vec![]));
}

/// M16, M17, M18: a conversation has a name. The first run with it begins the conversation, and each later one goes on.
#[tokio::test]
async fn m16_m17_m18_a_conversation_has_a_name() {
    let (store, agent) = (Store::in_memory().unwrap(), Agent::workflow("(inc 1)").with_name("one"));
    let say = async |agent: &Agent, name: &str| {
        let mut start = Start::of(json!({}));
        start.conversation = Some(name.to_owned());
        let mission = start.mission(agent, Some(&store)).await.unwrap();
        mission.run(&NoModel).await.unwrap()
    };
    let place = |report: &RunReport| report.to_json().get("conversation");
    let first = say(&agent, "budget").await;
    let begun = json!({"first": first.run, "message": 1, "name": "budget"});
    assert_eq!(place(&first), Some(begun.clone().into()));
    let second = say(&agent, "budget").await;
    let third = say(&agent, "budget").await;
    let place_of = |message: u32, after: &RunReport| {
        let after = &after.run;
        json!({"first": first.run, "message": message, "name": "budget", "after": after}).into()
    };
    assert_eq!(place(&second), Some(place_of(2, &first)));
    assert_eq!(place(&third), Some(place_of(3, &second)));
    // Another agent has conversations of its own, and so has another name.
    let other = Agent::workflow("(inc 1)").with_name("two");
    assert_eq!(say(&other, "budget").await.conversation.unwrap().message, 1);
    assert_eq!(say(&agent, "plans").await.conversation.unwrap().message, 1);
    let list = |conversation: String| {
        let mut filter = Filter::default();
        filter.conversation = Some(conversation);
        let found = store.find(&filter).unwrap().runs;
        found.into_iter().map(|it| it.run).collect::<Vec<_>>()
    };
    assert_eq!(list("plans".to_owned()).len(), 1);
    let all = [&third, &second, &first].map(|it| it.run.clone());
    assert_eq!(list(second.run.to_string()), all);
    // The record of the first run has the name, and so has the report that is read of it.
    let run = first.run.to_string();
    let read = store.read(move |snapshot| snapshot.report(&run)).unwrap();
    assert_eq!(read.to_json().get("conversation"), Some(begun.into()));
}

/// Runs of one conversation that end at the same moment, in two processes, make versions of their own, and so do persons.
#[tokio::test(flavor = "multi_thread")]
async fn runs_that_end_together_make_different_versions() {
    let folder = tempfile::tempdir().expect("a folder");
    let open = || Arc::new(Store::open(&folder.path().join("runs.sqlite")).expect("opens"));
    let (one, other) = (open(), open());
    let first = say(&helper(), &one, None, "(do (artifact/put \"note\" 0) (return 0))").await;
    let mut ends = JoinSet::new();
    for at in 0..16 {
        let store = Arc::clone(if at % 2 == 0 { &one } else { &other });
        let first = first.run.clone();
        ends.spawn(async move {
            let agent = helper();
            let earlier = Earlier::of(&store, first.as_str(), &agent).await.expect("is there");
            let mission = Mission::new(&agent, json!({"message": "go"})).record_in(&store);
            let source = program("(do (artifact/put \"note\" 1) (return 1))");
            let report = mission.after(earlier).run(&Scripted::new([source])).await.expect("runs");
            report.artifacts[0].version
        });
    }
    let mut versions = Vec::new();
    for _ in 0..4 {
        let artifact = Artifact::new("note", json!("mine"));
        let made = other.put_artifact(first.run.as_str(), artifact, "ada").await;
        versions.push(made.expect("is made").artifact.version);
    }
    versions.extend(ends.join_all().await);
    versions.sort_unstable();
    assert_eq!(versions, (2..22).collect::<Vec<u32>>());
    let mut on_record: Vec<u32> = list(&one, &first).into_iter().map(|it| it.1).collect();
    on_record.sort_unstable();
    assert_eq!(on_record, (1..22).collect::<Vec<u32>>());
}
