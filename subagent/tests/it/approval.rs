//! Programs that a person must allow: the policy's `ask` as a question that a run can wait for.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use ptc_subagent::provider::{NoModel, Scripted};
use ptc_subagent::replay::{Replay, Resume};
use ptc_subagent::store::Store;
use ptc_subagent::tool::{Constant, Effect, FnTool, ToolDef, ToolError};
use ptc_subagent::{Agent, Ask, Data, Mission, OpenQuestion, Policy, RunReport, Status, Stop};
use serde_json::{Value, json};

use crate::support::program;

/// An agent whose programs need approval if they save, and the values that it has saved.
fn saver(ask: Ask) -> (Agent, Arc<Mutex<Vec<Value>>>) {
    let saved = Arc::new(Mutex::new(Vec::new()));
    let log = Arc::clone(&saved);
    let save = FnTool::new(move |args: Value, _| {
        let log = Arc::clone(&log);
        async move {
            log.lock().unwrap().push(args["n"].clone());
            Ok::<_, ToolError>(json!(true))
        }
    });
    let agent = Agent::new("Save {{n}}.")
        .with_name("saver")
        .with_signature("(n :int) -> :any")
        .unwrap()
        .with_policy(Policy::default().with_ask(ask))
        .with_tool(ToolDef::new("save", save).with_effect(Effect::Write))
        .with_tool(ToolDef::new("look", Constant::returns(7)).with_effect(Effect::Read));
    (agent, saved)
}

fn replies(programs: &[&str]) -> Scripted {
    Scripted::new(programs.iter().map(|it| program(it)))
}

async fn start(agent: &Agent, store: &Store, programs: &[&str]) -> RunReport {
    let mission = Mission::new(agent, json!({"n": 3})).record_in(store);
    mission.run(&replies(programs)).await.unwrap()
}

/// Answers the only open question of a run in a new process, so to speak, and resumes it.
async fn answer(
    agent: &Agent,
    store: &Store,
    run: &RunReport,
    value: Value,
    programs: &[&str],
) -> RunReport {
    let resume = Resume::of(store, run.run.as_str()).unwrap().answer(None, value).unwrap();
    resume.mission(agent).unwrap().run(&replies(programs)).await.unwrap()
}

async fn replays(store: &Store, report: &RunReport) {
    let replayed = Replay::of(store, report.run.as_str()).unwrap().run().await.unwrap();
    assert_eq!((replayed.differences, replayed.missing), (vec![], None));
}

fn help(question: &OpenQuestion) -> &str {
    question.form["help"].as_str().unwrap()
}

const SAVES: &str = "(return (tool/save {:n ctx/n}))";

#[tokio::test]
async fn a_run_waits_for_the_approval_of_its_program() {
    let store = Store::in_memory().unwrap();
    let (agent, saved) = saver(Ask::Writes);
    let waiting = start(&agent, &store, &[SAVES]).await;
    assert_eq!((waiting.status, waiting.exit_code(), waiting.tool_calls), (Status::Waiting, 6, 0));
    let [question] = waiting.questions.as_slice() else { panic!("{:?}", waiting.questions) };
    assert_eq!(question.id, format!("{}.1.program", waiting.run));
    let expected =
        "mission: Save 3.\ncalls: save (write), at most once\n(return (tool/save {:n ctx/n}))";
    assert_eq!(
        (question.form["title"].as_str(), help(question)),
        (Some("May this program run?"), expected)
    );
    assert_eq!(store.waiting().unwrap()[0].questions, waiting.questions);
    assert_eq!(Resume::of(&store, waiting.run.as_str()).unwrap().questions(), waiting.questions);
    assert_eq!(*saved.lock().unwrap(), Vec::<Value>::new());

    // A wrong answer is refused, and the run goes on waiting.
    let resume = Resume::of(&store, waiting.run.as_str()).unwrap();
    let wrong = resume.answer(None, json!({"allow": "perhaps"})).unwrap_err();
    let expected = format!(
        "question {}.1.program: `allow`: expected bool, found string \"perhaps\"",
        waiting.run
    );
    assert_eq!(wrong.to_string(), expected);

    let report = answer(&agent, &store, &waiting, json!(true), &[]).await;
    assert_eq!(
        (report.status, &report.value),
        (Status::Returned, &Data::from(json!(true))),
        "{:?}",
        report.error
    );
    assert_eq!(*saved.lock().unwrap(), [json!(3)]);
    replays(&store, &report).await;
    let late = Resume::of(&store, report.run.as_str()).and_then(|it| it.answer(None, json!(true)));
    assert!(late.unwrap_err().to_string().ends_with("it cannot be resumed"));
}

#[tokio::test]
async fn the_model_reads_a_no_with_its_reason() {
    let store = Store::in_memory().unwrap();
    let (agent, saved) = saver(Ask::Writes);
    let waiting = start(&agent, &store, &[SAVES]).await;
    let no = json!({"allow": false, "reason": "3 is too many"});
    let report = answer(&agent, &store, &waiting, no, &["(return (tool/look {}))"]).await;
    assert_eq!((report.status, report.value.clone()), (Status::Returned, Data::from(json!(7))));
    assert_eq!(*saved.lock().unwrap(), Vec::<Value>::new());
    let record = store.tree(report.run.as_str()).unwrap().remove(0);
    let refused = &record.turn_records[0].rejection.as_ref().unwrap()[0];
    assert_eq!(
        (refused.code.as_str(), refused.message.as_str()),
        ("policy", "the person who was asked did not allow this program: 3 is too many")
    );
    let told = &record.turn_records[1].prompt;
    assert!(told.contains("did not allow this program: 3 is too many"), "{told}");
    replays(&store, &report).await;
}

/// Each program is asked about alone, also the program of a sub-agent, at the root.
#[tokio::test]
async fn programs_of_sub_agents_are_asked_about_at_the_root() {
    let store = Store::in_memory().unwrap();
    let (child, saved) = saver(Ask::Always);
    let agent = Agent::workflow("(mapv (fn [n] (tool/saver {:n n})) [1 2])")
        .with_tool(ToolDef::agent(child));
    let run = async |programs: &[&str], resume: Option<Resume<'_>>| {
        let mission = match resume {
            None => Mission::new(&agent, json!({})).record_in(&store),
            Some(resume) => resume.mission(&agent).unwrap(),
        };
        mission.run(&replies(programs)).await.unwrap()
    };
    let mut report = run(&[SAVES], None).await;
    for (n, programs) in [(1, &[SAVES][..]), (2, &[])] {
        assert_eq!((report.status, report.questions.len()), (Status::Waiting, 1));
        assert_eq!(report.questions[0].agent, "saver");
        assert!(help(&report.questions[0]).starts_with(&format!("mission: Save {n}.\n")));
        let resume = Resume::of(&store, report.run.as_str()).unwrap();
        report = run(programs, Some(resume.answer(None, json!(true)).unwrap())).await;
    }
    assert_eq!(
        (report.status, report.value.clone()),
        (Status::Returned, Data::from(json!([true, true])))
    );
    assert_eq!(*saved.lock().unwrap(), [json!(1), json!(2)]);
    replays(&store, &report).await;
}

/// The clock of a run stops while a host thinks about a program.
#[tokio::test(start_paused = true)]
async fn a_host_allows_a_program_at_once() {
    let (mut agent, saved) = saver(Ask::Writes);
    agent.timeout = Duration::from_secs(5);
    let mission = Mission::new(&agent, json!({"n": 3})).ask_with(|question| {
        assert_eq!(question.program.map(|it| it.0), Some(SAVES));
        Box::pin(async {
            tokio::time::sleep(Duration::from_hours(9)).await;
            Some(json!(true).into())
        })
    });
    let report = mission.run(&replies(&[SAVES])).await.unwrap();
    assert_eq!((report.status, report.value), (Status::Returned, Data::from(json!(true))));
    assert_eq!(*saved.lock().unwrap(), [json!(3)]);
}

/// A run that is cancelled while somebody is asked keeps its question.
#[tokio::test]
async fn a_run_is_cancelled_at_its_question() {
    let store = Store::in_memory().unwrap();
    let (agent, saved) = saver(Ask::Writes);
    let (asked, is_asked) = tokio::sync::oneshot::channel();
    let mut asked = Some(asked);
    let mission = Mission::new(&agent, json!({"n": 4})).record_in(&store).ask_with(move |_| {
        if let Some(asked) = asked.take() {
            asked.send(()).unwrap();
        }
        Box::pin(std::future::pending())
    });
    let cancelled = mission.cancel_on(async move { drop(is_asked.await) });
    let report = cancelled.run(&replies(&[SAVES])).await.unwrap();
    assert_eq!(report.stop, Some(Stop::Cancelled));
    replays(&store, &report).await;
    let report = answer(&agent, &store, &report, json!(true), &[]).await;
    assert_eq!((report.status, &report.value), (Status::Returned, &Data::from(json!(true))));
    assert_eq!(*saved.lock().unwrap(), [json!(4)]);
    replays(&store, &report).await;
}

/// Only calls of tools count towards the place where the clock stopped a program, not waits and questions.
#[tokio::test]
async fn a_replay_stops_where_the_clock_stopped_a_program_after_a_wait() {
    let store = Store::in_memory().unwrap();
    let mut agent = Agent::workflow("(flow/wait 1) (loop [] (recur))");
    agent.limits.program_time = Duration::from_millis(20);
    let report = Mission::new(&agent, json!({})).record_in(&store).run(&NoModel).await.unwrap();
    assert_eq!(report.stop, Some(Stop::Time), "{:?}", report.error);
    replays(&store, &report).await;
}

/// A replay of a run that waits ends where the run waits, with the same questions.
#[tokio::test]
async fn a_waiting_run_replays() {
    let store = Store::in_memory().unwrap();
    let (agent, _) = saver(Ask::Writes);
    let waiting = start(&agent, &store, &[SAVES]).await;
    replays(&store, &waiting).await;
    let asks =
        Agent::workflow("(println 1) (pcalls #(ask \"a\") #(flow/wait 3600000) #(ask \"b\"))")
            .with_name("asks");
    let patient = Mission::new(&asks, json!({})).record_in(&store).wait_at_most(Duration::ZERO);
    let waiting = patient.run(&NoModel).await.unwrap();
    assert_eq!((waiting.status, waiting.questions.len()), (Status::Waiting, 2));
    replays(&store, &waiting).await;
    let above =
        Agent::workflow("(pcalls #(tool/asks {}) #(ask \"c\"))").with_tool(ToolDef::agent(asks));
    let mission = Mission::new(&above, json!({})).record_in(&store).wait_at_most(Duration::ZERO);
    let waiting = mission.run(&NoModel).await.unwrap();
    assert_eq!((waiting.status, waiting.questions.len()), (Status::Waiting, 3));
    replays(&store, &waiting).await;
}
