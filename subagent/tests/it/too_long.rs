//! Conversations that are too long for a model: the parts that are cut stay cut, and a replayed or resumed run sends
//! the same requests.

use std::sync::Mutex;

use ptc_subagent::provider::{
    BoxFuture, Provider, ProviderError, ProviderErrorKind, Reply, Request,
};
use ptc_subagent::replay::{Replay, Resume};
use ptc_subagent::store::Store;
use ptc_subagent::{Agent, Data, Mission, RunReport, Stop};
use serde_json::json;

use crate::support::program;

/// A model that accepts at most `most` characters of messages, and answers with the next program each time. An empty
/// program means a server error.
struct Small {
    most: usize,
    programs: Mutex<Vec<&'static str>>,
    asked: Mutex<Vec<Vec<String>>>,
}

impl Small {
    fn new(most: usize, programs: &[&'static str]) -> Small {
        let programs = programs.iter().rev().copied().collect();
        Small { most, programs: Mutex::new(programs), asked: Mutex::default() }
    }

    /// Returns the messages of each request so far.
    fn asked(&self) -> Vec<Vec<String>> {
        self.asked.lock().unwrap().clone()
    }

    /// Returns for each request whether it was accepted.
    fn sizes(&self) -> Vec<bool> {
        self.asked().iter().map(|it| size(it) <= self.most).collect()
    }
}

fn size(messages: &[String]) -> usize {
    messages.iter().map(|it| it.chars().count()).sum()
}

impl Provider for Small {
    fn complete<'a>(&'a self, request: &'a Request) -> BoxFuture<'a, Result<Reply, ProviderError>> {
        let messages: Vec<String> = request.messages.iter().map(|it| it.text.clone()).collect();
        let is_too_long = size(&messages) > self.most;
        self.asked.lock().unwrap().push(messages);
        let fails = |kind| Err(ProviderError::new(kind, "no"));
        let answer = if is_too_long {
            fails(ProviderErrorKind::Context)
        } else {
            match self.programs.lock().unwrap().pop() {
                None | Some("") => fails(ProviderErrorKind::Server),
                Some(source) => Ok(Reply::new(program(source))),
            }
        };
        Box::pin(std::future::ready(answer))
    }

    fn name(&self) -> String {
        "small".to_string()
    }
}

/// A program that prints about 12,000 characters.
const LONG: &str = "(dotimes [n 12] (println n (apply str (repeat 1000 \"x\"))))";

/// A program that prints about 20,000 characters.
const LONGER: &str = "(dotimes [n 20] (println n (apply str (repeat 1000 \"x\"))))";

fn agent() -> Agent {
    let mut agent = Agent::new("Work.").with_name("a").with_max_turns(9);
    agent.prompt_limits.string_truncate = 100_000;
    agent
}

async fn run(most: usize, programs: &[&'static str], store: &Store) -> (RunReport, Small) {
    let model = Small::new(most, programs);
    let agent = agent();
    let mission = Mission::new(&agent, json!({})).record_in(store);
    (mission.run(&model).await.unwrap(), model)
}

/// Runs programs with a model that accepts `most` characters. Compares which requests were accepted, and the recorded
/// warnings about cuts.
async fn check(most: usize, programs: &[&'static str], expected: &[bool], notes: &[(u32, &str)]) {
    let store = Store::in_memory().unwrap();
    let (report, model) = run(most, programs, &store).await;
    assert_eq!(model.sizes(), expected, "{:?}", report.error);
    let record = store.show(report.run.as_str()).unwrap();
    let found: Vec<(u32, &str)> = record
        .warnings
        .iter()
        .map(|it| {
            let start = "the conversation was too long for the model, so ";
            assert_eq!((it.code.as_str(), it.call.as_deref()), ("provider-context", None));
            (it.turn, it.message.strip_prefix(start).unwrap().split_once(" of ").unwrap().1)
        })
        .collect();
    assert_eq!(found, notes);
    let replayed = Replay::of(&store, report.run.as_str()).unwrap().run().await.unwrap();
    assert_eq!(replayed.differences, []);
    // The next turn continues from the accepted request. The opening and the end of the newest message are kept.
    let asked = model.asked();
    for pair in asked.windows(2).filter(|pair| size(&pair[0]) <= most) {
        assert!(pair[1].starts_with(&pair[0]));
    }
    for messages in &asked {
        assert_eq!(messages[0], asked[0][0]);
        let newest = messages.last().unwrap();
        assert!(messages.len() == 1 || newest.contains("\n</output>\n"), "{newest}");
    }
}

#[tokio::test]
async fn the_newest_observation_is_cut_and_stays_cut() {
    let newest = "the newest message";
    // The second request is too long until its newest message is cut. Later ones fit.
    let programs = [LONG, "1", "2", "(return 3)"];
    check(7500, &programs, &[true, false, true, true, true], &[(2, newest)]).await;
    // Earlier messages are cut first.
    let programs = [LONG, LONG, "1", "(return 3)"];
    let old = "the middle of 1 earlier message";
    check(14_000, &programs, &[true, true, false, true, true], &[(3, old)]).await;
    // If that is not enough, the newest one is trimmed too.
    let programs = [LONG, LONGER, "1", "(return 3)"];
    let both = [(3, old), (3, newest)];
    check(13_000, &programs, &[true, true, false, false, true, true], &both).await;
    // The first request has nothing to cut. The second one is too long even after its cuts.
    check(5, &[LONG], &[false], &[]).await;
    check(600, &[LONG, "1"], &[true, false, false], &[(2, newest)]).await;
}

/// M109, M112: a run recovers once, with one more request. The second time ends it.
#[tokio::test]
async fn m109_m112_a_run_recovers_once() {
    let newest = [(2, "the newest message")];
    check(8000, &[LONG, LONG, "(return 3)"], &[true, false, true, false], &newest).await;
    let (report, model) =
        run(8000, &[LONG, LONG, "(return 3)"], &Store::in_memory().unwrap()).await;
    let error = report.error.unwrap();
    assert_eq!(error.code.as_str(), "provider-context");
    assert_eq!(error.message, "no; the run has shortened it once, in turn 2");
    let trimmed = model.asked()[2][2].clone();
    let guidance = "\n... (truncated due to context length)\n\n⚠️ CONTEXT OVERFLOW RECOVERY ⚠️\n\nThe previous step";
    assert!(trimmed.contains(guidance), "{trimmed}");
}

/// A run that is resumed from its record sends the same requests.
#[tokio::test]
async fn a_run_on_record_sends_the_same() {
    let programs = [LONG, "1", "1", "2", "(return 3)"];
    let whole = run(9000, &programs, &Store::in_memory().unwrap()).await;
    assert_eq!(whole.0.value, json!(3));
    let store = Store::in_memory().unwrap();
    let (first, _) = run(9000, &[LONG, "1", "1", "2", ""], &store).await;
    assert_eq!(first.stop, Some(Stop::Provider));
    let model = Small::new(9000, &["(return 3)"]);
    let agent = agent();
    let resume = Resume::of(&store, first.run.as_str()).unwrap();
    let report = resume.mission(&agent).unwrap().run(&model).await.unwrap();
    assert_eq!(report.value, json!(3));
    assert_eq!(model.asked().last(), whole.1.asked().last());
    let replayed = Replay::of(&store, report.run.as_str()).unwrap().run().await.unwrap();
    assert_eq!(replayed.differences, []);

    // A branch sends the same requests too.
    let model = Small::new(9000, &["(return 3)"]);
    let replay = Replay::of(&store, first.run.as_str()).unwrap();
    let report = replay.branch(&agent, 4).record_in(&store).run(&model).await.unwrap();
    assert_eq!(
        (report.value, model.asked().last()),
        (Data::from(json!(3)), whole.1.asked().last())
    );
}

/// The cuts of a request without a reply do not count for the next request.
#[tokio::test]
async fn a_repeated_request_is_cut_anew() {
    let store = Store::in_memory().unwrap();
    let (first, _) = run(600, &[LONG, "1"], &store).await;
    assert_eq!(first.error.unwrap().code.as_str(), "provider-context");
    let agent = agent();
    let model = Small::new(100_000, &["1", "(return 3)"]);
    let resume = Resume::of(&store, first.run.as_str()).unwrap();
    let report = resume.mission(&agent).unwrap().run(&model).await.unwrap();
    assert_eq!((report.value, model.sizes()), (Data::from(json!(3)), vec![true, true]));
    let record = store.show(report.run.as_str()).unwrap();
    assert_eq!(record.warnings, []);
    let asked = model.asked();
    let branch = Small::new(100_000, &["(return 4)"]);
    let replay = Replay::of(&store, report.run.as_str()).unwrap();
    let value = replay.branch(&agent, 2).run(&branch).await.unwrap().value;
    assert_eq!((value, branch.asked().last()), (Data::from(json!(4)), asked.last()));
}
