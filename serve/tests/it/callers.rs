//! What callers may do together with what their runs do: the agents that a run calls, and the budgets of runs side by side.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use ptc_serve::{NewToken, Options, TokenFile};
use ptc_subagent::Agent;
use ptc_subagent::provider::{BoxFuture, Provider, ProviderError, Reply, Request, Usage};
use ptc_subagent::tool::ToolDef;
use serde_json::{Value, json};
use tokio::sync::Semaphore;

use crate::support::{Answer, Served, asks, doubles, serve, with_model};

/// A model that replies with a program as often as its gate lets it, and counts. A reply uses ten tokens.
struct Counted {
    program: &'static str,
    gate: Arc<Semaphore>,
    asked: Arc<AtomicU64>,
}

impl Provider for Counted {
    fn complete<'a>(&'a self, _: &'a Request) -> BoxFuture<'a, Result<Reply, ProviderError>> {
        Box::pin(async move {
            self.asked.fetch_add(1, Ordering::Relaxed);
            self.gate.acquire().await.expect("open").forget();
            let mut reply = Reply::new(format!("```clojure\n{}\n```", self.program));
            reply.usage = Some(Usage { input_tokens: 6, output_tokens: 4, ..Usage::NOTHING });
            Ok(reply)
        })
    }

    fn name(&self) -> String {
        "scripted".to_string()
    }
}

/// Returns the options of a server with tokens, the gate of its model, and the number of its requests.
fn options(program: &'static str, tokens: &TokenFile) -> (Options, Arc<Semaphore>, Arc<AtomicU64>) {
    let (gate, asked) = (Arc::new(Semaphore::new(0)), Arc::default());
    let counted = Counted { program, gate: Arc::clone(&gate), asked: Arc::clone(&asked) };
    let mut options = with_model(Arc::new(counted));
    options.tokens = Some(tokens.clone());
    (options, gate, asked)
}

/// Makes the token of a person, and returns the header with it.
fn token(tokens: &TokenFile, name: &str, agents: &[&str]) -> String {
    let mut new = NewToken::new(name, "edit");
    new.agents = agents.iter().map(ToString::to_string).collect();
    format!("Authorization: Bearer {}\r\n", tokens.add(&new).expect("adds"))
}

async fn start(served: &Served, by: &str, body: &Value) -> Answer {
    served.post_with("/v1/runs?wait=60", by, body).await
}

/// M145: a caller who may run an agent but not one that it calls. Nothing of the called agent is run, and no model is asked.
#[tokio::test(flavor = "multi_thread")]
async fn m145_a_run_calls_no_agent_that_its_caller_may_not_run() {
    let folder = tempfile::tempdir().expect("a folder");
    let tokens = TokenFile::new(folder.path().join("tokens.toml"));
    let (ada, bob) = (token(&tokens, "ada", &["asks", "tries"]), token(&tokens, "bob", &["*"]));
    let (options, gate, asked) = options("(return (* 2 ctx/n))", &tokens);
    let calls = |name: &str, program: &str| {
        Agent::workflow(program).with_name(name).with_tool(ToolDef::agent(doubles()))
    };
    let agents = vec![
        calls("asks", "(tool/doubles {:n 4})"),
        calls("tries", "(if-error (tool/doubles {:n 4}) :refused)"),
        doubles(),
    ];
    let served = serve(agents, &folder.path().join("runs"), options).await;

    let refused = start(&served, &ada, &json!({"agent": "asks"})).await.json();
    assert_eq!((&refused["status"], &refused["stop"]), (&json!("stopped"), &json!("program")));
    let message = refused["error"]["message"].as_str().expect("a message");
    let text = "ada does not have permission to run agent 'doubles'";
    assert!(message.contains(text), "{message}");
    assert_eq!(refused["error"]["code"], "tool-denied");
    // A program may go on without it.
    let tried = start(&served, &ada, &json!({"agent": "tries"})).await.json();
    assert_eq!((&tried["status"], &tried["value"]), (&json!("returned"), &json!("refused")));
    assert_eq!(asked.load(Ordering::Relaxed), 0);
    // The record answers a replay, which knows no tokens.
    let run = tried["run"].as_str().expect("an id");
    let replayed = served.post_with(&format!("/v1/runs/{run}/replay"), &ada, &json!({})).await;
    assert_eq!(replayed.json()["same"], true, "{replayed:?}");

    gate.add_permits(1);
    let returned = start(&served, &bob, &json!({"agent": "asks"})).await.json();
    assert_eq!((&returned["value"], asked.load(Ordering::Relaxed)), (&json!(8), 1));
    served.stop().await;
}

/// M146, M148: the list of agents tells a caller the level for each. One that the caller may not see answers as one that
/// there is not.
#[tokio::test(flavor = "multi_thread")]
async fn m146_m148_a_caller_learns_its_levels() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("tokens.toml");
    let tokens = TokenFile::new(&path);
    let (ada, _) = (token(&tokens, "ada", &["asks"]), token(&tokens, "bob", &["pay"]));
    let text = std::fs::read_to_string(&path).expect("reads");
    let text = text.replacen("\nagents", "\nowns = [\"doubles\"]\nagents", 1);
    std::fs::write(&path, text).expect("writes");
    let open = Agent::workflow("1").with_name("open");
    let pay = Agent::workflow("2").with_name("pay");
    let (options, ..) = options("1", &tokens);
    let served =
        serve(vec![asks(), doubles(), open, pay], &folder.path().join("runs"), options).await;
    let get = async |path: &str| {
        let head = format!("GET {path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n");
        served.send(&format!("{head}{ada}\r\n")).await
    };
    let listed = get("/v1/agents").await.json();
    let listed = listed["agents"].as_array().expect("a list").iter();
    let levels: Vec<(&Value, &Value)> = listed.map(|it| (&it["name"], &it["level"])).collect();
    assert_eq!(json!(levels), json!([["asks", "edit"], ["doubles", "delete"], ["open", "run"]]));
    assert_eq!(get("/v1/agents/doubles").await.json()["level"], "delete");
    let unseen = ["pay", "nobody"].map(|it| (it, format!("/v1/agents/{it}")));
    for (name, path) in unseen {
        let answer = get(&path).await;
        let detail = answer.json()["detail"].as_str().expect("a detail").replace(name, "NAME");
        assert_eq!((answer.status, detail.as_str()), (404, "there is no agent `NAME`"));
    }
    served.stop().await;
}

/// Returns the header of a person with a budget.
fn with_budget(tokens: &TokenFile, folder: &Path, budget: &str) -> String {
    let header = token(tokens, "ada", &["*"]);
    let path = folder.join("tokens.toml");
    let text = std::fs::read_to_string(&path).expect("reads");
    std::fs::write(&path, format!("{text}\n[tokens.ada.budget]\n{budget}\n")).expect("writes");
    header
}

/// Asserts that an answer refuses a run for the budget, and why.
#[track_caller]
fn assert_refused(answer: &Answer, why: &str) {
    let json = answer.json();
    let detail = json["detail"].as_str().unwrap_or_default();
    assert_eq!((answer.status, &json["code"]), (429, &json!("budget-used")), "{answer:?}");
    assert!(detail.contains(why), "{detail}");
    assert!(answer.header("retry-after").is_some());
}

#[tokio::test(flavor = "multi_thread")]
async fn runs_side_by_side_keep_to_the_budget_of_a_day_together() {
    let folder = tempfile::tempdir().expect("a folder");
    let tokens = TokenFile::new(folder.path().join("tokens.toml"));
    let ada = with_budget(&tokens, folder.path(), "run = {tokens = 40}\nday = {tokens = 100}");
    let (options, gate, _) = options("(return (* 2 ctx/n))", &tokens);
    let served = Arc::new(serve(vec![doubles()], &folder.path().join("runs"), options).await);
    let body = json!({"agent": "doubles", "input": {"n": 4}});

    // Eight at once: 40 and 40 and the 20 that are left.
    let starts: Vec<_> = (0..8)
        .map(|_| {
            let (served, ada, body) = (Arc::clone(&served), ada.clone(), body.clone());
            tokio::spawn(async move { served.post_with("/v1/runs", &ada, &body).await })
        })
        .collect();
    let mut taken = Vec::new();
    for start in starts {
        let answer = start.await.expect("ends");
        if answer.status == 201 {
            let run = answer.json()["run"].as_str().expect("an id").to_string();
            let path = format!("/v1/runs/{run}/record");
            let head =
                format!("GET {path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n{ada}\r\n");
            let record = served.send(&head).await.json();
            let ceiling = record["settings"][0]["budget"]["tokens"].as_u64();
            taken.push((ceiling.expect("a ceiling"), run));
        } else {
            assert_refused(&answer, "runs that have not ended have reserved the rest");
        }
    }
    taken.sort_unstable();
    let [(20, _), (40, _), (40, whole)] = &taken[..] else { panic!("{taken:?}") };

    // They end with ten each: 70 are left, for a new run and a fork.
    gate.add_permits(3);
    let path = |run: &str, what: &str| format!("/v1/runs/{run}/{what}");
    for (_, run) in &taken {
        until(&served, &ada, run, "returned").await;
    }
    let open = served.post_with("/v1/runs", &ada, &body).await;
    assert_eq!(open.status, 201, "{open:?}");
    let fork = |run: &str| {
        let path = path(run, "fork");
        let (served, ada) = (Arc::clone(&served), ada.clone());
        async move { served.post_with(&path, &ada, &json!({"turns": 0})).await }
    };
    let forked = fork(whole).await;
    assert_eq!(forked.status, 201, "{forked:?}");
    assert_refused(&fork(whole).await, "have reserved the rest");

    // A cancelled run gives its part back, and takes it again to go on.
    let open = open.json()["run"].as_str().expect("an id").to_string();
    let forked = forked.json()["run"].as_str().expect("an id").to_string();
    assert_eq!(
        served.post_with(&path(&open, "cancel?wait=60"), &ada, &json!({})).await.status,
        200
    );
    let other = served.post_with("/v1/runs", &ada, &body).await;
    assert_eq!(other.status, 201, "{other:?}");
    let resumed = served.post_with(&path(&open, "resume"), &ada, &json!({})).await;
    assert_refused(&resumed, "have reserved the rest");
    gate.add_permits(2);
    for run in [&forked, other.json()["run"].as_str().expect("an id")] {
        until(&served, &ada, run, "returned").await;
    }
    // 50 are used.
    gate.add_permits(1);
    let resumed = served.post_with(&path(&open, "resume?wait=60"), &ada, &json!({})).await;
    assert_eq!((resumed.status, &resumed.json()["value"]), (202, &json!(8)));
    let Ok(served) = Arc::try_unwrap(served) else { panic!("a request is open") };
    served.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_day_that_is_used_refuses_forks_too() {
    let folder = tempfile::tempdir().expect("a folder");
    let tokens = TokenFile::new(folder.path().join("tokens.toml"));
    let ada = with_budget(&tokens, folder.path(), "day = {runs = 2}");
    let (options, gate, _) = options("(return (* 2 ctx/n))", &tokens);
    gate.add_permits(9);
    let served = serve(vec![doubles()], &folder.path().join("runs"), options).await;
    let body = json!({"agent": "doubles", "input": {"n": 4}});
    let first = start(&served, &ada, &body).await.json();
    let path = format!("/v1/runs/{}/fork?wait=60", first["run"].as_str().expect("an id"));
    assert_eq!(served.post_with(&path, &ada, &json!({"turns": 0})).await.status, 201);
    assert_refused(&served.post_with(&path, &ada, &json!({"turns": 0})).await, "is used");
    assert_refused(&start(&served, &ada, &body).await, "is used");
    served.stop().await;
}

/// Asks for a run until it has a status.
async fn until(served: &Served, by: &str, run: &str, status: &str) {
    let head =
        format!("GET /v1/runs/{run} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n{by}\r\n");
    for _ in 0..1000 {
        if served.send(&head).await.json()["status"] == status {
            return;
        }
        tokio::time::sleep(std::time::Duration::from_millis(20)).await;
    }
    panic!("run {run} does not become {status}: {}", served.send(&head).await.body);
}
