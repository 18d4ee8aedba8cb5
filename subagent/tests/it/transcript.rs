//! The part of a conversation that is sent: windows, resets and results that expire. A resumed run and a branch send the
//! same requests.

use ptc_subagent::provider::{CallResult, Message, Reply, Role};
use ptc_subagent::replay::{Replay, Resume};
use ptc_subagent::store::Store;
use ptc_subagent::{Agent, Answers, DecisionsStyle, Mission, PayloadDef, Stop, Transcript};
use serde_json::{Value, json};

use crate::styles::tools::{Model, agent, calls};

fn add(x: i64) -> Reply {
    calls(&[("add", &json!({"x": x, "y": 10}).to_string())])
}

fn done() -> Reply {
    Reply::new("done")
}

/// Runs a mission of four calls and returns the conversation of each request.
async fn asked(transcript: Transcript) -> Vec<Vec<Message>> {
    let (agent, _) = agent(None);
    let agent = agent.with_max_turns(9).with_transcript(transcript);
    let replies = || vec![add(1), add(2), add(3), add(4), done()];
    let store = Store::in_memory().unwrap();
    let model = Model::new(replies());
    let mission = Mission::new(&agent, json!({"n": 1})).record_in(&store);
    let report = mission.run(&model).await.unwrap();
    let replay = Replay::of(&store, report.run.as_str()).unwrap();
    assert_eq!(replay.run().await.unwrap().differences, []);
    let whole = messages(&model);
    assert_eq!(whole.len(), 5);
    // A run that stops after any reply and is resumed sends the same, and so does a branch of its record.
    for snapshots in [false, true] {
        for turns in 1..=4 {
            let agent = agent.clone().with_snapshots(snapshots);
            let model = Model::new(replies().into_iter().take(turns).collect());
            let mission = Mission::new(&agent, json!({"n": 1})).record_in(&store);
            let stopped = mission.run(&model).await.unwrap();
            assert_eq!(stopped.stop, Some(Stop::Provider));
            let model = Model::new(replies().into_iter().skip(turns).collect());
            let resume = Resume::of(&store, stopped.run.as_str()).unwrap();
            resume.mission(&agent).unwrap().run(&model).await.unwrap();
            assert_eq!(messages(&model), whole[turns..], "{snapshots} {turns}");
            let replay = Replay::of(&store, stopped.run.as_str()).unwrap();
            assert_eq!(replay.run().await.unwrap().differences, []);
        }
    }
    let model = Model::new(vec![add(4), done()]);
    let replay = Replay::of(&store, report.run.as_str()).unwrap();
    replay.branch(&agent, 3).run(&model).await.unwrap();
    assert_eq!(messages(&model), whole[3..]);
    whole
}

fn messages(model: &Model) -> Vec<Vec<Message>> {
    model.requests().into_iter().map(|it| it.messages).collect()
}

/// Returns what the first message of a request has behind the mission.
fn summary(messages: &[Message]) -> Option<&str> {
    let mission = "Find the sum of 1 and 2.\n\nYou have at most 9 replies.";
    let rest = messages[0].text.strip_prefix(mission).unwrap();
    rest.strip_prefix(
        "\n\n# Earlier turns\n\nThese turns are left out of the conversation, except for the following:\n",
    )
}

/// Checks that every result follows its call.
fn check_pairs(messages: &[Message]) {
    for pair in messages[1..].chunks(2) {
        let [reply, told] = pair else { panic!("{pair:?}") };
        assert_eq!((reply.role, told.role), (Role::Assistant, Role::User));
        let ids = |it: &[CallResult]| it.iter().map(|it| it.id.clone()).collect::<Vec<_>>();
        let asked: Vec<String> = reply.calls.iter().map(|it| it.id.clone()).collect();
        assert_eq!(asked, ids(&told.results));
    }
}

fn turn(number: i64) -> String {
    format!(
        "- turn {number}: you wrote \"add {{\\\"x\\\":{number},\\\"y\\\":10}}\", and were told \"{}\"",
        number + 10
    )
}

/// R22: the conversation is bounded, and a summary has the turns before the window.
#[tokio::test]
async fn r22_a_window_with_a_summary() {
    let asked = asked(Transcript::default().with_window(2)).await;
    for it in &asked {
        check_pairs(it);
    }
    let sizes: Vec<usize> = asked.iter().map(Vec::len).collect();
    assert_eq!(sizes, [1, 3, 5, 5, 5]);
    let summaries: Vec<_> = asked.iter().map(|it| summary(it)).collect();
    let both = [turn(1), turn(2)].join("\n");
    assert_eq!(summaries, [None, None, None, Some(turn(1).as_str()), Some(both.as_str())]);
}

/// R23: after a number of turns, the conversation begins anew with a summary.
#[tokio::test]
async fn r23_a_reset_with_a_summary() {
    let asked = asked(Transcript::default().with_reset_after(2)).await;
    let sizes: Vec<usize> = asked.iter().map(Vec::len).collect();
    assert_eq!(sizes, [1, 3, 5, 3, 5]);
    let both = [turn(1), turn(2)].join("\n");
    assert_eq!(summary(&asked[3]), Some(both.as_str()));
    assert_eq!(summary(&asked[4]), Some(both.as_str()));
}

#[tokio::test]
async fn results_of_calls_expire() {
    let asked = asked(Transcript::default().with_keep_results(2)).await;
    for it in &asked {
        check_pairs(it);
    }
    let results = asked[4].iter().flat_map(|it| &it.results).map(|it| it.text.as_str());
    let expired = |turn| format!("[what you were told after turn {turn} has expired]");
    assert_eq!(results.collect::<Vec<_>>(), [&expired(1), &expired(2), "13", "14"]);
}

/// L35, L36, L48: the results of a loop are in the next prompt alone, and what the model stores in that turn stays.
#[tokio::test]
async fn l35_l36_l48_results_of_loops_are_there_once() {
    let each = json!({"type": "ForEach", "forEach": {"collectionPath": "payload.xs",
        "action": {"name": "add", "params": {"x": "item", "y": 70}}}});
    let again = json!({"type": "While", "while": {"condition": "results.length < 2",
        "action": {"name": "add", "params": {"x": "attempt.attemptNumber", "y": 80}}}});
    let decision = |step: &Value, change: Value| {
        let decision = json!({"nextStep": step, "payloadChangeRequest": change});
        Reply::new(decision.to_string())
    };
    let retry = json!({"type": "Retry"});
    for (step, marks) in [(each, ["71", "72"]), (again, ["81", "82"])] {
        let (agent, _) = agent(None);
        let agent: Agent = agent
            .with_answers(Answers::Decisions(DecisionsStyle::WHOLE))
            .with_max_turns(9)
            .with_transcript(Transcript::default().with_keep_results(1))
            .with_payload(PayloadDef::new().with_start(json!({"xs": [1, 2]})).unwrap());
        let model = Model::new(vec![
            decision(&step, json!({})),
            decision(&retry, json!({"newElements": {"kept": "the first sum"}})),
            decision(&retry, json!({})),
            Reply::new(json!({"taskComplete": true, "message": "done"}).to_string()),
        ]);
        let report = Mission::new(&agent, json!({"n": 1})).run(&model).await.unwrap();
        assert_eq!(report.value, json!("done"));
        let texts: Vec<String> = messages(&model)
            .iter()
            .map(|it| it.iter().flat_map(|it| [it.text.as_str(), "\n"]).collect())
            .collect();
        for mark in marks {
            let has: Vec<bool> = texts.iter().map(|it| it.contains(&format!("\n{mark}"))).collect();
            assert_eq!(has, [false, true, false, false], "{mark}");
        }
        let kept: Vec<bool> = texts.iter().map(|it| it.contains("the first sum")).collect();
        assert_eq!(kept[2..], [true, true]);
        let payload = serde_json::to_value(report.payload).unwrap();
        assert_eq!(payload["kept"], "the first sum");
    }
}
