//! The interface of front ends: tasks, models, runs in progress, and hosts.

use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use ptc_subagent::host::{Decisions, Host, Model, Running, Start, Task, Watch};
use ptc_subagent::provider::{ModelSpec, NoModel, Recorder, Scripted};
use ptc_subagent::store::Store;
use ptc_subagent::tool::{Effect, FnTool, ToolDef, ToolError};
use ptc_subagent::{Agent, Data, Error, ErrorKind, Event, Mission, RunReport, Status, Stop};
use serde_json::{Value, json};

use crate::support::program;

/// Drives a run to its end.
async fn end(
    agent: &Arc<Agent>,
    model: Model,
    store: Option<&Arc<Store>>,
    task: Task,
) -> Result<RunReport, Error> {
    let watch = Watch::default();
    let (running, work) =
        Running::new(Arc::clone(agent), model, store.map(Arc::clone), task, watch);
    work.await;
    running.take_report().unwrap()
}

fn text(error: &Error) -> (ErrorKind, String) {
    (error.kind(), error.to_string())
}

/// A workflow that asks a person for its value.
fn asking() -> Arc<Agent> {
    Arc::new(Agent::workflow(r#"(:n (ask {:title "Which?" :fields "(n :int)"}))"#))
}

#[tokio::test]
async fn a_start_has_input_payload_seed_and_an_earlier_run() {
    let agent = Agent::workflow(
        "{:n ctx/n :kept memory/kept :payload (payload/get [:stock]) :random (rand-int 1000)}",
    )
    .with_payload(ptc_subagent::PayloadDef::default());
    let agent = Arc::new(agent);
    let store = Arc::new(Store::in_memory().unwrap());
    let start = |n: i64| {
        let mut start = Start::of(json!({"n": n}));
        start.seed = Some(7);
        start
    };
    let mut first = start(1);
    first.payload = Some(json!({"stock": 3}).into());
    let first = end(&agent, NoModel.into(), Some(&store), Task::Start(first)).await.unwrap();
    let mut second = start(2);
    second.payload_from = Some(first.run.to_string());
    let second = end(&agent, NoModel.into(), Some(&store), Task::Start(second)).await.unwrap();
    let mut third = start(3);
    third.after = Some(first.run.to_string());
    let third = end(&agent, NoModel.into(), Some(&store), Task::Start(third)).await.unwrap();
    let values = [&first, &second, &third].map(|it| {
        assert_eq!(it.status, Status::Returned, "{:?}", it.error);
        it.value.to_json().unwrap()
    });
    let random = values[0]["random"].clone();
    // The random numbers of a conversation go on, so the third run has another one.
    let expected = [(1, &random), (2, &random), (3, &values[2]["random"])];
    let expected =
        expected.map(|(n, random)| json!({"n": n, "kept": null, "payload": 3, "random": random}));
    assert_eq!(values, expected);
    assert_ne!(values[2]["random"], random);
    let place = store.show(third.run.as_str()).unwrap().summary.conversation.unwrap();
    assert_eq!((place.after, place.message), (Some(first.run), 2));
}

#[tokio::test]
async fn what_needs_a_store_says_so() {
    let agent = asking();
    let mut after = Start::of(json!({}));
    after.after = Some("0198".to_owned());
    let mut payload = Start::of(json!({}));
    payload.payload_from = Some("0198".to_owned());
    let tasks = [
        (Task::Start(after), ErrorKind::Input, "a run follows one of a store, and none is given"),
        (
            Task::Start(payload),
            ErrorKind::Input,
            "a payload comes from a run of a store, and none is given",
        ),
        (
            Task::Resume("0198".to_owned(), Decisions::default()),
            ErrorKind::Replay,
            "a run is resumed from a store, and none is given",
        ),
    ];
    for (task, kind, message) in tasks {
        let mission = task.clone().mission(&agent, None).await;
        assert_eq!(text(&mission.err().unwrap()), (kind, message.to_owned()));
        let error = end(&agent, NoModel.into(), None, task).await.unwrap_err();
        assert_eq!(text(&error), (kind, message.to_owned()));
    }
}

/// A recording of three replies answers a run of two turns, and goes on behind the first one when the run resumes.
#[tokio::test]
async fn a_recording_goes_on_behind_the_replies_of_a_resumed_run() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("replies.jsonl");
    let asks = program(r#"(def n (:n (ask {:title "Which?" :fields "(n :int)"})))"#);
    let answers = program("(return n)");
    let agent = Agent::new("Ask.").with_signature("() -> :int").unwrap();
    let agent = Arc::new(agent);
    let recorded = Recorder::create(Scripted::new([asks, answers]), &path).unwrap();
    let mission = Mission::new(&agent, json!({}));
    let mission = mission.ask_with(|_| Box::pin(async { Some(json!({"n": 1}).into()) }));
    assert_eq!(mission.run(&recorded).await.unwrap().value, json!(1));

    let store = Arc::new(Store::in_memory().unwrap());
    let spec: ModelSpec = format!("recorded:{}", path.display()).parse().unwrap();
    let chosen = || Model::Chosen(agent.choose_model(Some(spec.clone()), None).unwrap());
    let start = Task::Start(Start::of(json!({})));
    let waiting = end(&agent, chosen(), Some(&store), start).await.unwrap();
    assert_eq!((waiting.status, waiting.turns), (Status::Waiting, 1));
    let mut decisions = Decisions::default();
    decisions.answers.push((None, json!({"n": 41}).into()));
    let resume = Task::Resume(waiting.run.to_string(), decisions);
    let report = end(&agent, chosen(), Some(&store), resume).await.unwrap();
    assert_eq!((report.value, report.turns), (Data::from(json!(41)), 2));
}

#[tokio::test]
async fn a_resumed_run_has_every_decision() {
    let made = Arc::new(Mutex::new(Vec::new()));
    let kept = Arc::clone(&made);
    let pay = FnTool::new(move |args: Value, _| {
        kept.lock().unwrap().push(args["n"].clone());
        async move {
            // The process never hears the first answer.
            if args["n"] == 1 {
                std::future::pending::<()>().await;
            }
            Ok::<_, ToolError>(json!(true))
        }
    });
    let pay = ToolDef::new("pay", pay).with_signature("(n :int) -> :bool").unwrap();
    let agent = Agent::workflow("[(tool/pay {:n 1}) (tool/pay {:n 2})]")
        .with_tool(pay.with_effect(Effect::Write));
    let agent = Arc::new(agent);
    let store = Arc::new(Store::in_memory().unwrap());
    let start = Task::Start(Start::of(json!({})));
    let (running, work) = Running::new(
        Arc::clone(&agent),
        NoModel.into(),
        Some(Arc::clone(&store)),
        start,
        Watch::default(),
    );
    let work = tokio::spawn(work);
    while made.lock().unwrap().is_empty() {
        tokio::task::yield_now().await;
    }
    running.cancel();
    work.await.unwrap();
    let report = running.take_report().unwrap().unwrap();
    assert_eq!(report.stop, Some(Stop::Cancelled));
    let run = report.run.to_string();
    let in_doubt = Task::Resume(run.clone(), Decisions::default());
    let in_doubt = end(&agent, NoModel.into(), Some(&store), in_doubt).await.unwrap();
    assert_eq!(in_doubt.stop, Some(Stop::InDoubt));

    let mut unknown = Decisions::default();
    unknown.retry.push("9.9".to_owned());
    let error = end(&agent, NoModel.into(), Some(&store), Task::Resume(run.clone(), unknown)).await;
    assert_eq!(text(&error.unwrap_err()), (ErrorKind::Replay, "no call `9.9` is open".to_owned()));
    let mut decisions = Decisions::default();
    decisions.done.push(("1.0".to_owned(), json!(false).into()));
    let resume = Task::Resume(run, decisions);
    let report = end(&agent, NoModel.into(), Some(&store), resume).await.unwrap();
    assert_eq!(report.value, json!([false, true]));
    assert_eq!(*made.lock().unwrap(), [json!(1), json!(2)]);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_run_in_progress_tells_events_and_its_end() {
    let agent = Arc::new(Agent::new("Answer.").with_signature("() -> :int").unwrap());
    let woken = Arc::new(AtomicU32::new(0));
    let mut watch = Watch::default();
    watch.keeps_events = true;
    let count = Arc::clone(&woken);
    watch.wake = Some(Box::new(move || {
        count.fetch_add(1, Ordering::Relaxed);
    }));
    let start = Task::Start(Start::of(json!({})));
    let model = Scripted::new([program("(return 5)")]).into();
    let (running, work) = Running::new(agent, model, None, start, watch);
    assert!(!running.is_over());
    assert!(!running.wait(Duration::ZERO));
    assert!(running.take_report().is_none());
    tokio::spawn(work).await.unwrap();
    // Nobody took an event, so there was one call.
    assert_eq!(woken.load(Ordering::Relaxed), 1);
    assert!(running.wait_for_end(Duration::ZERO));
    let events = running.take_events();
    let kinds = (
        matches!(events.front(), Some((_, Event::RunStarted(_)))),
        matches!(events.back(), Some((_, Event::RunEnded { .. }))),
    );
    assert_eq!(kinds, (true, true), "{events:?}");
    assert!(running.take_events().is_empty());
    assert_eq!(running.take_report().unwrap().unwrap().value, json!(5));
    assert!(running.take_report().is_none());
    assert!(running.is_over());
}

#[tokio::test]
async fn an_asker_answers_at_once() {
    let agent = asking();
    let mut watch = Watch::default();
    watch.asker = Some(Box::new(|question| {
        let is_first = question.problems.is_empty();
        Box::pin(
            async move { Some(json!({"n": if is_first { json!("x") } else { json!(8) }}).into()) },
        )
    }));
    let start = Task::Start(Start::of(json!({})));
    let (running, work) = Running::new(agent, NoModel.into(), None, start, watch);
    work.await;
    assert_eq!(running.take_report().unwrap().unwrap().value, json!(8));
}

#[test]
fn a_model_is_chosen_named_or_not_needed() {
    let named = |agent: &Agent, chosen: Option<&str>, url: Option<&str>| {
        let chosen = chosen.map(|it| it.parse().unwrap());
        let found = agent.choose_model(chosen, url.map(str::to_owned));
        found.map(|it| (it.spec.to_string(), it.options.base_url)).map_err(|error| text(&error))
    };
    let mut agent = Agent::new("Answer.").with_name("clerk");
    let missing = (ErrorKind::Model, "agent `clerk` names no model".to_owned());
    assert_eq!(named(&agent, None, None), Err(missing));
    let of = |spec: &str, url: Option<&str>| Ok((spec.to_owned(), url.map(str::to_owned)));
    assert_eq!(named(&agent, Some("openai:a"), None), of("openai:a", None));
    agent.model = Some("openai:b".parse().unwrap());
    agent.base_url = Some("http://own".to_owned());
    assert_eq!(named(&agent, None, None), of("openai:b", Some("http://own")));
    assert_eq!(named(&agent, Some("ollama:c"), Some("http://x")), of("ollama:c", Some("http://x")));
    let workflow = Agent::workflow("1");
    assert_eq!(named(&workflow, None, None), of(&ModelSpec::None.to_string(), None));
}

#[tokio::test]
async fn a_host_has_agents_places_and_an_end() {
    let mut host = Host::new(Store::in_memory().unwrap(), 1);
    let agent = host.add(Agent::new("Answer.").with_name("clerk")).unwrap();
    assert!(Arc::ptr_eq(host.agent("clerk").unwrap(), &agent));
    assert!(host.agent("other").is_none());
    let error = host.add(Agent::new("Other.").with_name("clerk")).unwrap_err();
    assert_eq!(text(&error), (ErrorKind::Agent, "two agents are named `clerk`".to_owned()));
    assert_eq!(error.help(), Some("give one of the files another `name`"));

    let place = host.place().await;
    let second = tokio::time::timeout(Duration::from_millis(20), host.place()).await;
    assert!(second.is_err(), "there is one place");
    // The end of the host waits for the run that has the place.
    tokio::join!(host.end(), async {
        host.ending().await;
        drop(place);
    });
}
