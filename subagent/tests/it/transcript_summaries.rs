//! Summaries of expired results by the model of a run: what they replace, what they cost, and what a record has of them.

use std::sync::Mutex;

use ptc_subagent::provider::{
    BoxFuture, Provider, ProviderError, ProviderErrorKind, Reply, Request, Usage,
};
use ptc_subagent::replay::{Replay, Resume};
use ptc_subagent::store::Store;
use ptc_subagent::{
    AfterExpiry, Agent, Answers, Mission, Purpose, ResultRule, RunBudget, Transcript,
};
use serde_json::json;
use tokio::sync::Notify;

use crate::styles::tools::{Model, calls};
use crate::transcript::{done, messages, page, read, reader};

/// A model that summarizes with a function of the request; without a summary, the request fails.
pub(crate) struct Summarizing {
    pub(crate) model: Model,
    summary: fn(&str) -> Option<String>,
    /// The system prompts and messages of the requests for summaries.
    asked: Mutex<Vec<(String, String)>>,
}

impl Summarizing {
    pub(crate) fn new(replies: Vec<Reply>, summary: fn(&str) -> Option<String>) -> Summarizing {
        Summarizing { model: Model::new(replies), summary, asked: Mutex::default() }
    }
}

impl Provider for Summarizing {
    fn complete<'a>(&'a self, request: &'a Request) -> BoxFuture<'a, Result<Reply, ProviderError>> {
        let message = &request.messages[0].text;
        if !message.starts_with("Summarize this result") {
            return self.model.complete(request);
        }
        self.asked.lock().unwrap().push((request.system.text(), message.clone()));
        assert!(request.tools.is_empty() && request.messages.len() == 1);
        let reply = match (self.summary)(message) {
            Some(text) => Ok(Reply { usage: Some(usage(30, 5)), ..Reply::new(text) }),
            None => Err(ProviderError::new(ProviderErrorKind::Server, "down")),
        };
        Box::pin(std::future::ready(reply))
    }

    fn name(&self) -> String {
        "summarizing".to_string()
    }
}

fn usage(input_tokens: u64, output_tokens: u64) -> Usage {
    Usage { input_tokens, output_tokens, ..Usage::default() }
}

/// M102, M107, M108: a summary by the model, a prompt of its own, and the beginning of the text if there is no summary.
#[tokio::test]
async fn m102_m107_m108_summaries_by_the_model() {
    let rules = Transcript::default()
        .with_result_turns(1)
        .with_result_length(40)
        .with_result_after(AfterExpiry::Summary);
    let agent = reader(Answers::Tools).with_transcript(rules);
    let replies = || vec![read(1), read(2), read(3), done()];
    let store = Store::in_memory().unwrap();
    let model = Summarizing::new(replies(), |message| {
        message.contains("page 1").then(|| "Page one.".to_string())
    });
    let report = Mission::new(&agent, json!({"n": 1})).record_in(&store).run(&model).await.unwrap();
    let asked = model.asked.lock().unwrap().clone();
    let expected = format!(
        "Summarize this result, which was told after turn 1, in at most 40 characters. It has 1050 characters:\n\n{}",
        page(1)
    );
    assert_eq!(asked[0].1, expected);
    assert!(asked[0].0.starts_with("You shorten the results of tools"));
    let last = messages(&model.model).pop().unwrap();
    let results: Vec<&str> =
        last.iter().flat_map(|it| &it.results).map(|it| it.text.as_str()).collect();
    assert_eq!(
        results[0],
        "[AI Summary of 1050 chars. Agent can request full expansion if needed.]\n\nPage one.\n[Call `expand` with the \
         turn 1 to see it whole.]"
    );
    assert!(
        results[1].contains("[Compacted: showing first 40 of 1050 characters."),
        "{}",
        results[1]
    );
    let warnings: Vec<&str> = report.warnings.iter().map(|it| it.message.as_str()).collect();
    assert_eq!(warnings, ["no summary of turn 2: down"]);
    // A summary is a request of its own, with its tokens. The replay answers it.
    assert_eq!(report.usage.tokens(), 35);
    let record = store.show(report.run.as_str()).unwrap();
    let purposes: Vec<Vec<Purpose>> = record
        .turn_records
        .iter()
        .map(|it| it.requests.iter().map(|it| it.purpose).collect())
        .collect();
    let (turn, own) = (Purpose::Turn, Purpose::Transcript);
    assert_eq!(purposes, [vec![turn], vec![turn], vec![own, turn], vec![own, turn]]);
    assert_eq!(record.sent(4, 2).as_ref(), Some(&last));
    let replayed = Replay::of(&store, report.run.as_str()).unwrap().run().await.unwrap();
    assert_eq!(replayed.differences, []);
    assert_eq!(replayed.report.unwrap(), report);
    // M107: the prompt of the run goes before that of the tool, that before that of the agent, and that before ours.
    let of_tool = ResultRule::default().with_summary_prompt("tool".to_string());
    let own = agent.transcript.clone();
    let of_agent = own.clone().with_summary_prompt("agent".to_string());
    let of_run = Transcript::default().with_summary_prompt("run".to_string());
    for (rules, tool, run, expected) in [
        (&own, None, None, "You shorten"),
        (&of_agent, None, None, "agent"),
        (&of_agent, Some(&of_tool), None, "tool"),
        (&of_agent, Some(&of_tool), Some(&of_run), "run"),
    ] {
        let mut agent = agent.clone().with_transcript(rules.clone());
        agent.tools[0].result = tool.cloned().unwrap_or_default();
        let model = Summarizing::new(replies(), |_| Some("s".to_string()));
        let mission = Mission::new(&agent, json!({"n": 1}));
        let mission = match run {
            Some(run) => mission.with_transcript(run.clone()),
            None => mission,
        };
        mission.run(&model).await.unwrap();
        let asked = model.asked.lock().unwrap();
        assert!(asked[0].0.starts_with(expected), "{expected}: {}", asked[0].0);
    }
}

/// Returns an agent whose results are summarized in the second turn after theirs.
fn summarizing() -> Agent {
    let rules = Transcript::default()
        .with_result_turns(1)
        .with_result_length(40)
        .with_result_after(AfterExpiry::Summary);
    reader(Answers::Tools).with_transcript(rules)
}

fn short(_: &str) -> Option<String> {
    Some("short".to_string())
}

/// M108: a budget without room for a summary leaves the beginning of the result, and no request is made.
#[tokio::test]
async fn m108_a_summary_needs_room_in_the_budget() {
    let replies = || vec![read(1), read(2), read(3), done()];
    let texts = async |budget: RunBudget| {
        let agent = summarizing().with_budget(budget);
        let store = Store::in_memory().unwrap();
        let model = Summarizing::new(replies(), short);
        let mission = Mission::new(&agent, json!({"n": 1})).record_in(&store);
        let report = mission.run(&model).await.unwrap();
        assert_eq!((report.stop, report.warnings), (None, Vec::new()));
        let replayed = Replay::of(&store, report.run.as_str()).unwrap().run().await.unwrap();
        assert_eq!(replayed.differences, []);
        let last = messages(&model.model).pop().unwrap();
        let starts = last.iter().flat_map(|it| &it.results).map(|it| it.text[..12].to_string());
        (model.asked.into_inner().unwrap().len(), starts.collect::<Vec<_>>())
    };
    // The request of a turn reserves more than that. Its summaries would have to wait for it.
    let (asked, starts) = texts(RunBudget::default().with_tokens(500)).await;
    assert_eq!((asked, starts), (0, [page(1), page(2), page(3)].map(|it| it[..12].into()).into()));
    // A summary is not a turn.
    let (asked, starts) = texts(RunBudget::default().with_turns(4)).await;
    let summary = "[AI Summary ".to_string();
    assert_eq!((asked, starts), (2, vec![summary.clone(), summary, page(3)[..12].into()]));
}

/// A model whose requests for summaries never end from the second one on.
struct Hanging {
    inner: Summarizing,
    hangs: Notify,
}

impl Provider for Hanging {
    fn complete<'a>(&'a self, request: &'a Request) -> BoxFuture<'a, Result<Reply, ProviderError>> {
        let asked = self.inner.asked.lock().unwrap().len();
        if asked < 1 || !request.messages[0].text.starts_with("Summarize this result") {
            return self.inner.complete(request);
        }
        self.hangs.notify_one();
        Box::pin(std::future::pending())
    }

    fn name(&self) -> String {
        self.inner.name()
    }
}

/// A process dies between two summaries of a turn. The resumed run asks only for the second one.
#[tokio::test]
async fn a_summary_on_record_is_not_asked_for_again() {
    let both = || {
        let call = |n: u64| ("page", json!({ "n": n }).to_string());
        let (one, two) = (call(1), call(2));
        calls(&[(one.0, &one.1), (two.0, &two.1)])
    };
    let replies = || vec![both(), read(3), done()];
    let summary = |message: &str| Some(message.chars().rev().take(20).collect());
    let agent = summarizing();
    let undisturbed = Summarizing::new(replies(), summary);
    let expected = Mission::new(&agent, json!({"n": 1})).run(&undisturbed).await.unwrap();
    let store = Store::in_memory().unwrap();
    let model = Hanging { inner: Summarizing::new(replies(), summary), hangs: Notify::new() };
    let mission = Mission::new(&agent, json!({"n": 1})).record_in(&store);
    tokio::select! {
        _ = mission.run(&model) => panic!("the run must hang"),
        () = model.hangs.notified() => {}
    }
    let run = store.runs(1).unwrap().remove(0).run;
    let model = Summarizing::new(vec![done()], summary);
    let resume = Resume::of(&store, run.as_str()).unwrap();
    let report = resume.mission(&agent).unwrap().run(&model).await.unwrap();
    assert_eq!((&report.value, report.usage), (&expected.value, expected.usage));
    assert_eq!(messages(&model.model).last(), messages(&undisturbed.model).last());
    let asked = model.asked.lock().unwrap().clone();
    assert_eq!(asked, undisturbed.asked.lock().unwrap()[1..]);
    let replayed = Replay::of(&store, run.as_str()).unwrap().run().await.unwrap();
    assert_eq!(replayed.differences, []);
}
