//! Models that stand in for a model that does not reply: when they do, what is on record, and what follows.

use std::path::Path;

use ptc_subagent::provider::{Provider, ProviderErrorKind};
use ptc_subagent::replay::{Replay, Resume};
use ptc_subagent::store::{RunRecord, Store};
use ptc_subagent::{Agent, Event, FallbackModel, Mission, RunReport, Status};
use serde_json::{Value, json};

use crate::support::{Answer, Server, program, text};

fn fails(status: u16, message: &str) -> Answer {
    Answer::Raw(status, "", json!({"error": {"message": message}}).to_string())
}

/// Servers, each with a model of its own: `a`, `b`, `c`.
struct Servers(Vec<Server>);

impl Servers {
    async fn start(answers: Vec<Vec<Answer>>) -> Servers {
        let mut all = Vec::new();
        for answers in answers {
            all.push(Server::start(answers).await);
        }
        Servers(all)
    }

    /// Returns the table of the models of one kind.
    fn table(&self, kind: &str) -> String {
        let rows = self.0.iter().zip('a'..).map(|(server, name)| {
            let url = server.base_url.strip_suffix("/v1").unwrap();
            let url = if kind == "anthropic" { url } else { &server.base_url };
            format!("[models.{name}]\nmodel = \"{kind}:{name}\"\nbase_url = \"{url}\"\n")
        });
        rows.collect()
    }

    /// Writes an agent that has all models, the first one as its own.
    fn agent(&self, folder: &Path, kind: &str, keys: &str) -> Agent {
        let others: Vec<char> = self.0.iter().skip(1).zip('b'..).map(|it| it.1).collect();
        let others: Vec<String> = others.iter().map(ToString::to_string).collect();
        let path = folder.join("agent.toml");
        let table = self.table(kind);
        let file = format!(
            "prompt = \"Go.\"\nmodel = \"a\"\nfallback_models = {others:?}\n{keys}\n{table}"
        );
        std::fs::write(&path, file).unwrap();
        Agent::read(&path).unwrap()
    }

    /// Returns the number of requests that each server got.
    fn asked(&self) -> Vec<usize> {
        self.0.iter().map(|it| it.requests().len()).collect()
    }
}

fn open(agent: &Agent) -> Box<dyn Provider> {
    agent.choose_model(None, None).unwrap().open().unwrap()
}

/// Returns the models of the requests of a run, as `turn number model`.
fn requests(record: &RunRecord) -> Vec<String> {
    let turns = record.turn_records.iter();
    let all = turns.flat_map(|turn| turn.requests.iter().map(move |it| (turn.turn, it)));
    let shown = all.map(|(turn, it)| {
        let model = it.fallback.as_ref().map_or("own", |it| it.model.as_str());
        format!("{turn} {} {model}", it.number)
    });
    shown.collect()
}

async fn run(agent: &Agent, store: &Store) -> (RunReport, RunRecord) {
    let mission = Mission::new(agent, json!({})).record_in(store);
    let report = mission.run(&*open(agent)).await.unwrap();
    let record = store.show(report.run.as_str()).unwrap();
    let replayed = Replay::of(store, report.run.as_str()).unwrap().run().await.unwrap();
    assert_eq!((replayed.differences, replayed.missing), (Vec::new(), None));
    let folded = replayed.report.unwrap();
    assert_eq!((folded.value, folded.status), (report.value.clone(), report.status));
    (report, record)
}

/// Runs an agent whose first model answers so. Compares the code of its error, and whether the second one replies.
async fn check(answer: Answer, code: &str, switches: bool) {
    let replies = text(program("(return 7)"));
    let servers = Servers::start(vec![vec![answer.clone()], vec![replies]]).await;
    let folder = tempfile::tempdir().unwrap();
    let agent = servers.agent(folder.path(), "openai", "request_timeout = 1");
    let store = Store::in_memory().unwrap();
    let (report, record) = run(&agent, &store).await;
    assert_eq!(report.status == Status::Returned, switches, "{answer:?} {:?}", report.error);
    assert_eq!(servers.asked()[1], usize::from(switches), "{answer:?}");
    if !switches {
        assert_eq!(report.error.unwrap().code.as_str(), code);
        assert_eq!(requests(&record), ["1 1 own"]);
        return;
    }
    assert_eq!(
        (report.turns, requests(&record)),
        (1, vec!["1 1 own".into(), "1 2 openai:b".into()])
    );
    let last = report.warnings.last().unwrap();
    assert_eq!(last.code.as_str(), "model-switched");
    let told = format!("the run goes on with `openai:b`: {}", servers.0[0].base_url);
    let told = told.replace(
        "http",
        if code == "provider-network" { "the connection broke to http" } else { "http" },
    );
    assert!(last.message.starts_with(&told) || code == "provider-timeout", "{}", last.message);
    let retries = report.warnings.len() - 1;
    let is_transient =
        ProviderErrorKind::ALL.into_iter().any(|it| it.code() == code && it.is_transient());
    let waits = matches!(&answer, Answer::Raw(_, headers, _) if !headers.is_empty());
    assert_eq!(retries, if is_transient && !waits { 2 } else { 0 }, "{code}");
}

#[tokio::test]
async fn m113_errors_that_may_pass_elsewhere() {
    tokio::join!(
        check(fails(500, "it burns"), "provider-server", true),
        check(Answer::Raw(429, "Retry-After: 3600\r\n", String::new()), "provider-rate", true),
        check(fails(404, "no such model"), "provider-model", true),
        check(fails(400, "prompt is too long"), "provider-context", true),
        check(fails(402, "pay"), "provider-quota", true),
        check(Answer::Drop, "provider-network", true),
        check(Answer::Raw(200, "", "<p>".into()), "provider-malformed", true),
        check(fails(401, "who are you?"), "provider-auth", false),
        check(fails(400, "no such field"), "provider-rejected", false),
        check(fails(400, "content_filter"), "provider-filtered", false),
    );
}

#[tokio::test]
async fn m113_models_are_asked_in_order_and_the_run_stays_with_the_one_that_replies() {
    let last = vec![text(program("(def n 1)")), text(program("(return n)"))];
    let servers = Servers::start(vec![vec![fails(404, "no")], vec![fails(402, "pay")], last]).await;
    let folder = tempfile::tempdir().unwrap();
    let agent = servers.agent(folder.path(), "openai", "");
    let store = Store::in_memory().unwrap();
    let (report, record) = run(&agent, &store).await;
    assert_eq!(report.value, json!(1));
    assert_eq!(servers.asked(), [1, 1, 2]);
    assert_eq!(record.summary.model, "openai:a");
    let expected = ["1 1 own", "1 2 openai:b", "1 3 openai:c", "2 1 openai:c"];
    assert_eq!(requests(&record), expected);
}

#[tokio::test]
async fn m113_the_last_error_stops_a_run_that_no_model_answers() {
    let servers = Servers::start(vec![vec![fails(404, "no")], vec![fails(402, "pay")]]).await;
    let folder = tempfile::tempdir().unwrap();
    let agent = servers.agent(folder.path(), "openai", "");
    let store = Store::in_memory().unwrap();
    let (report, record) = run(&agent, &store).await;
    assert_eq!(report.error.unwrap().code.as_str(), "provider-quota");
    assert_eq!(requests(&record), ["1 1 own", "1 2 openai:b"]);
    // The same requests are made again when it resumes.
    let resumed = Resume::of(&store, report.run.as_str()).unwrap().mission(&agent).unwrap();
    let again = resumed.run(&*open(&agent)).await.unwrap();
    assert_eq!(again.error.unwrap().code.as_str(), "provider-quota");
    let record = store.show(report.run.as_str()).unwrap();
    assert_eq!(requests(&record), ["1 1 own", "1 2 openai:b", "1 3 own", "1 4 openai:b"]);
    assert_eq!(record.warnings.len(), 1);
}

/// The conversation is cut only after every model found it too long.
#[tokio::test]
async fn m113_a_conversation_is_cut_after_all_models_refused_it() {
    let long = program("(dotimes [n 12] (println n (apply str (repeat 1000 \"x\"))))");
    let done = text(program("(return 3)"));
    let too_long = || fails(400, "prompt is too long");
    let check = async |second: Vec<Answer>, asked: [usize; 2], expected: &[&str]| {
        let first = vec![text(long.clone()), too_long(), done.clone()];
        let servers = Servers::start(vec![first, second]).await;
        let folder = tempfile::tempdir().unwrap();
        let mut agent = servers.agent(folder.path(), "openai", "");
        agent.prompt_limits.string_truncate = 100_000;
        let store = Store::in_memory().unwrap();
        let (report, record) = run(&agent, &store).await;
        assert_eq!(report.value, json!(3), "{:?}", report.error);
        assert_eq!(
            (servers.asked(), requests(&record)),
            (asked.to_vec(), expected.iter().map(ToString::to_string).collect())
        );
        let cut = report.warnings.iter().any(|it| it.message.contains("too long for the model"));
        assert!(cut, "{:?}", report.warnings);
    };
    check(
        vec![too_long(), done.clone()],
        [2, 2],
        &["1 1 own", "2 1 own", "2 2 openai:b", "2 3 openai:b"],
    )
    .await;
    // A model that is down does not keep the first one from a shorter conversation.
    check(vec![fails(404, "no")], [3, 1], &["1 1 own", "2 1 own", "2 2 openai:b", "2 3 own"]).await;
}

#[tokio::test]
async fn a_resumed_run_goes_on_with_the_model_that_it_switched_to() {
    for snapshots in ["", "snapshots = true"] {
        let second = vec![
            text(program("(def n 1)")),
            fails(401, "the key expired"),
            text(program("(return (inc n))")),
        ];
        let servers = Servers::start(vec![vec![fails(404, "no")], second]).await;
        let folder = tempfile::tempdir().unwrap();
        let agent = servers.agent(folder.path(), "openai", snapshots);
        let store = Store::in_memory().unwrap();
        let (report, _) = run(&agent, &store).await;
        assert_eq!(report.error.unwrap().code.as_str(), "provider-auth");
        assert_eq!(servers.asked(), [1, 2]);
        let resumed = Resume::of(&store, report.run.as_str()).unwrap().mission(&agent).unwrap();
        let report = resumed.run(&*open(&agent)).await.unwrap();
        assert_eq!((report.value, servers.asked()), (json!(2).into(), vec![1, 3]));
        let record = store.show(report.run.as_str()).unwrap();
        let expected = ["1 1 own", "1 2 openai:b", "2 1 openai:b", "2 2 openai:b"];
        assert_eq!(requests(&record), expected, "{snapshots}");
        let replayed = Replay::of(&store, report.run.as_str()).unwrap().run().await.unwrap();
        assert_eq!(replayed.differences, []);
    }
}

/// Returns a message of Anthropic's with signed thinking and a call.
fn thinking(id: &str) -> Answer {
    let blocks = json!([
        {"type": "thinking", "thinking": "Hm.", "signature": format!("signed-{id}")},
        {"type": "tool_use", "id": id, "name": "look", "input": {}},
    ]);
    let message = json!({"content": blocks, "stop_reason": "tool_use",
        "usage": {"input_tokens": 1, "output_tokens": 1}});
    Answer::Raw(200, "", message.to_string())
}

fn says(text: &str) -> Answer {
    let message = json!({"content": [{"type": "text", "text": text}], "stop_reason": "end_turn",
        "usage": {"input_tokens": 1, "output_tokens": 1}});
    Answer::Raw(200, "", message.to_string())
}

/// Returns the signatures of thinking in the messages of a request.
fn signatures(body: &Value) -> Vec<&str> {
    let messages = body["messages"].as_array().unwrap().iter();
    let blocks = messages.filter_map(|it| it["content"].as_array()).flatten();
    blocks.filter_map(|it| it["signature"].as_str()).collect()
}

#[tokio::test]
async fn a_switch_drops_the_parts_that_only_the_model_before_understands() {
    let tool = "answers = \"tools\"\nsignature = \"() -> :string\"\n[[tools]]\nname = \"look\"\neffect = \"read\"\n\
                signature = \"() -> :int\"\nreturns = 1\nrepeat = true\n";
    for snapshots in ["", "snapshots = true\n"] {
        let first = vec![thinking("one"), fails(404, "no")];
        let second = vec![thinking("two"), fails(401, "the key expired"), says("done")];
        let servers = Servers::start(vec![first, second]).await;
        let folder = tempfile::tempdir().unwrap();
        let agent = servers.agent(folder.path(), "anthropic", &format!("{snapshots}{tool}"));
        let store = Store::in_memory().unwrap();
        let (report, record) = run(&agent, &store).await;
        assert_eq!(report.error.unwrap().code.as_str(), "provider-auth");
        // The record keeps them, for the model that they are from.
        let opaque: Vec<usize> = record.turn_records.iter().map(|it| it.opaque.len()).collect();
        assert_eq!(opaque, [1, 1, 0]);
        let resumed = Resume::of(&store, report.run.as_str()).unwrap().mission(&agent).unwrap();
        let report = resumed.run(&*open(&agent)).await.unwrap();
        assert_eq!(report.value, json!("done"));
        let sent = |server: &Server| -> Vec<Vec<String>> {
            let bodies = server.bodies();
            let all = bodies.iter().map(|it| signatures(it).into_iter().map(str::to_string));
            all.map(Iterator::collect).collect()
        };
        let of = |all: &[&str]| all.iter().map(|it| format!("signed-{it}")).collect::<Vec<_>>();
        assert_eq!(sent(&servers.0[0]), [of(&[]), of(&["one"])]);
        assert_eq!(sent(&servers.0[1]), [of(&[]), of(&["two"]), of(&["two"])], "{snapshots}");
    }
}

#[tokio::test]
async fn m154_sub_agents_have_the_models_of_their_caller() {
    let check = async |child: &str, asked: [usize; 3], expected: &str| {
        let calls = text(program("(return (tool/child {}))"));
        let second = vec![calls, text(program("(return \"by b\")"))];
        let servers =
            Servers::start(vec![vec![fails(404, "no")], second, vec![fails(404, "no")]]).await;
        let folder = tempfile::tempdir().unwrap();
        let file = format!("prompt = \"Help.\"\nname = \"child\"\n{child}\n");
        std::fs::write(folder.path().join("child.toml"), file).unwrap();
        let tools = "fallback_models = [\"b\"]\nmax_turns = 1\n[[tools]]\nagent = \"child.toml\"\n";
        let table = servers.table("openai");
        let path = folder.path().join("agent.toml");
        let file = format!("prompt = \"Go.\"\nmodel = \"a\"\n{tools}{table}");
        std::fs::write(&path, file).unwrap();
        let agent = Agent::read(&path).unwrap();
        let store = Store::in_memory().unwrap();
        let (report, _) = run(&agent, &store).await;
        let found = match &report.error {
            None => report.value.to_string(),
            Some(error) => format!("{}: {}", error.code.as_str(), error.message),
        };
        assert!(found.contains(expected), "{child}: {found}");
        assert_eq!(servers.asked(), asked, "{child}");
    };
    // It begins with the model that its caller asks now.
    check("", [1, 2, 0], "by b").await;
    // The fallbacks of the caller stand in for a model of its own too, unless it has others or none.
    check("model = \"c\"", [1, 2, 1], "by b").await;
    check("model = \"c\"\nfallback_models = [\"b\"]", [1, 2, 1], "by b").await;
    check("model = \"c\"\nfallback_models = []", [1, 1, 1], "does not know the model").await;
    check("fallback_models = [\"c\"]", [1, 2, 0], "by b").await;
}

#[tokio::test]
async fn events_name_the_fallback_of_a_request() {
    let replies = text(program("(return 7)"));
    let servers = Servers::start(vec![vec![fails(404, "no")], vec![replies]]).await;
    let folder = tempfile::tempdir().unwrap();
    let agent = servers.agent(folder.path(), "openai", "");
    let mut seen = Vec::new();
    let mission = Mission::new(&agent, json!({})).observe(|run, event| match event {
        Event::ModelAsked { fallback, .. } => {
            let model = fallback.as_ref().map(|FallbackModel { model, .. }| model.clone());
            seen.push((event.name().to_string(), model));
            let json = event.to_json(run).to_json().unwrap();
            let expected =
                fallback.as_ref().map(|it| json!({"number": it.number, "model": it.model}));
            assert_eq!(json.get("fallback"), expected.as_ref());
        }
        Event::Warned { warning, .. } => {
            seen.push((event.name().to_string(), Some(warning.code.as_str().to_string())));
        }
        _ => {}
    });
    mission.run(&*open(&agent)).await.unwrap();
    let of = |name: &str, what: Option<&str>| (name.to_string(), what.map(str::to_string));
    let expected = [
        of("model-asked", None),
        of("warned", Some("model-switched")),
        of("model-asked", Some("openai:b")),
    ];
    assert_eq!(seen, expected);
}
