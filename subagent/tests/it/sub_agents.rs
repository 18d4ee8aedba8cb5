//! Agents as tools of agents: the parent's view, the record, and the errors.

use ptc_lisp::Code;
use ptc_subagent::store::CallStatus;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use ptc_subagent::provider::{
    BoxFuture, Provider, ProviderError, Recorded, Reply, Request, Scripted,
};
use ptc_subagent::replay::Resume;
use ptc_subagent::store::Store;
use ptc_subagent::tool::{Effect, FnTool, ToolDef};
use ptc_subagent::{
    Agent, Answers, Data, Event, Mission, RunBudget, RunId, RunReport, Status, Stop, TurnOutcome,
};
use serde_json::{Value, json};

use crate::support::{Model, program, run_and_replay, scripted_by};

/// Creates an agent that doubles a number.
fn doubler() -> Agent {
    Agent::new("Double {{n}}.")
        .with_name("doubler")
        .with_signature("(n :int) -> :int")
        .unwrap()
        .with_max_turns(1)
}

fn parent() -> Agent {
    Agent::new("Work with numbers.").with_name("parent").with_tool(ToolDef::agent(doubler()))
}

async fn run(agent: &Agent, provider: &impl Provider) -> RunReport {
    Mission::new(agent, json!({})).run(provider).await.unwrap()
}

/// Runs a parent with one program. Compares the ending: the value, or the error of the last turn.
async fn check(agent: &Agent, rules: &[(&'static str, &'static str)], expected: Value) {
    let report = run(agent, &scripted_by(rules)).await;
    let found = match (report.status, &report.error) {
        (Status::Returned, _) => report.value,
        (_, Some(error)) => Data::from(json!([report.stop.unwrap(), error.code, error.message])),
        (_, None) => Data::from(json!(report.fail)),
    };
    assert_eq!(found, expected, "{rules:?}");
}

const DOUBLE: (&str, &str) = ("Double", "(* 2 ctx/n)");

#[tokio::test]
async fn a_sub_agent_is_a_call() {
    let agent = parent().with_max_turns(1);
    check(&agent, &[DOUBLE, ("Work", "(return (tool/doubler {:n 21}))")], json!(42)).await;
    // Concurrent calls give results in the order of the program.
    check(
        &agent,
        &[DOUBLE, ("Work", "(return (pmap (fn [n] (tool/doubler {:n n})) (range 12)))")],
        json!((0..12).map(|n| 2 * n).collect::<Vec<_>>()),
    )
    .await;
    // Arguments are coerced and checked before a run starts.
    check(&agent, &[DOUBLE, ("Work", "(return (tool/doubler {:n \"21\"}))")], json!(42)).await;
    check(
        &agent,
        &[DOUBLE, ("Work", "(return (tool/doubler {:n (str \"x\" 1)}))")],
        json!([
            "turns",
            "tool-arguments",
            "tool `doubler`: the arguments do not match: n: expected int, found string \"x1\""
        ]),
    )
    .await;
}

#[tokio::test]
async fn its_usage_is_reported_beside_that_of_the_run() {
    let rules = [DOUBLE, ("Work", "(return (+ (tool/doubler {:n 1}) (tool/doubler {:n 2})))")];
    let model = Model(move |text: &str| {
        let (_, source) = rules.iter().find(|(mark, _)| text.contains(mark)).unwrap();
        crate::support::priced(source, 100, 0.01)
    });
    let report = run(&parent(), &model).await;
    let mut json = report.to_json().to_json().unwrap();
    for key in ["run", "seed"] {
        json.as_object_mut().unwrap().remove(key);
    }
    assert_eq!(
        json,
        json!({
            "status": "returned", "ended_by": "answer", "value": 6, "payload": null, "fail": null, "stop": null, "error": null,
            "turns": 1, "tool_calls": 2, "fuel": 0,
            "usage": {"input_tokens": 100, "output_tokens": 0, "cost": 0.01},
            "sub_agents": {
                "runs": 2, "turns": 2, "tool_calls": 0, "fuel": 0,
                "usage": {"input_tokens": 200, "output_tokens": 0, "cost": 0.02},
            },
        })
    );
}

#[tokio::test]
async fn a_child_without_a_value_is_an_error_of_the_call() {
    let agent = parent().with_max_turns(1);
    let work = ("Work", "(return (tool/doubler {:n 21}))");
    let refuse = ("Double", "(fail {:reason :too-large :message \"21 is a lot\"})");
    check(
        &agent,
        &[refuse, work],
        json!(["turns", "agent-failed", "tool `doubler`: failed: too-large: 21 is a lot"]),
    )
    .await;
    check(
        &agent,
        &[("Double", "(/ 1 0)"), work],
        json!([
            "turns",
            "agent-stopped",
            "tool `doubler`: was stopped (turns): `/` divides by zero"
        ]),
    )
    .await;
    check(
        &agent,
        &[
            refuse,
            ("Work", "(return (try (tool/doubler {:n 21}) (catch Exception e (ex-message e))))"),
        ],
        json!("tool `doubler`: failed: too-large: 21 is a lot"),
    )
    .await;
    // The sub-agent's own provider has no replies.
    let silent = Arc::new(Scripted::new(Vec::<String>::new()));
    let agent = Agent::new("Work.")
        .with_max_turns(1)
        .with_tool(ToolDef::agent(doubler()).with_provider(silent));
    check(
        &agent,
        &[work],
        json!([
            "turns",
            "agent-stopped",
            "tool `doubler`: was stopped (provider): the script ran out after 0 replies"
        ]),
    )
    .await;
}

/// The report and the record have all details of a failure besides its reason and message.
#[tokio::test]
async fn details_of_failures() {
    let reasons = [
        ("{:reason :no :message \"m\"}", json!(["no", "m", null])),
        ("{:reason :no :message \"m\" :details {:at 3}}", json!(["no", "m", {"at": 3}])),
        (
            "{:reason :no :message \"m\" :op \"pay\" :details [1]}",
            json!(["no", "m", {"op": "pay", "details": [1]}]),
        ),
        (
            "{:reason :no :message \"m\" :op \"pay\" :details {:at 3 \"n\" 1} :x 2}",
            json!(["no", "m", {"op": "pay", "x": 2, "at": 3, "n": 1}]),
        ),
        // A name that would be there twice.
        (
            "{:reason :no :message \"m\" :op \"pay\" :details {\"op\" 1}}",
            json!(["no", "m", {"op": "pay", "details": {"op": 1}}]),
        ),
        ("{:reason :no :message \"m\" :details nil}", json!(["no", "m", null])),
        ("{:reason :no :message \"m\" :details false}", json!(["no", "m", false])),
        ("{:reason :no :message \"m\" :details nil :n 1}", json!(["no", "m", {"n": 1}])),
        (
            "{:reason :no :message \"m\" :op \"pay\" :n 1}",
            json!(["no", "m", {"op": "pay", "n": 1}]),
        ),
        ("{\"reason\" \"no\" \"message\" \"m\" \"n\" 1}", json!(["no", "m", {"n": 1}])),
        ("{:reason :no}", json!(["no", "{:reason :no}", null])),
        ("{:n 1}", json!(["failed", "{:n 1}", {"n": 1}])),
        (
            "{:message \"m\" :details \"12345678901234567890123\"}",
            json!(["failed", "m", "12345678901234567890123"]),
        ),
        ("{}", json!(["failed", "{}", null])),
        ("\"no rate\"", json!(["failed", "no rate", null])),
        ("nil", json!(["failed", "", null])),
        ("[1 2]", json!(["failed", "[1 2]", null])),
    ];
    for (given, expected) in reasons {
        let store = Store::in_memory().unwrap();
        let provider = Scripted::new([program(&format!("(fail {given})"))]);
        let agent = Agent::new("Fail.");
        let mission = Mission::new(&agent, json!({})).record_in(&store);
        let report = mission.run(&provider).await.unwrap();
        let fail = report.fail.clone().unwrap_or_else(|| panic!("{given}: {:?}", report.error));
        assert_eq!(json!([fail.reason, fail.message, fail.details]), expected, "{given}");
        let record = store.show(report.run.as_str()).unwrap();
        assert_eq!(record.fail.as_ref(), Some(&fail), "{given}");
        assert_eq!(report.to_json().to_json().unwrap()["fail"], json!(fail), "{given}");
    }
}

/// The program of the caller reads the whole failure, in the run and in its replay.
#[tokio::test]
async fn the_failure_of_a_child_is_data_of_the_exception() {
    let data = "(dissoc (ex-data e) :tool :kind)";
    let work = format!("(return (try (tool/doubler {{:n 21}}) (catch Exception e {data})))");
    for (failure, expected) in [
        (
            "{:reason :too-large :message \"21 is a lot\" :op :double :details {:most 20}}",
            json!({
                "message": "21 is a lot", "reason": "too-large", "op": "double",
                "details": {"op": "double", "most": 20},
            }),
        ),
        (
            "{:reason :too-large :message \"21 is a lot\" :details [21]}",
            json!({"message": "21 is a lot", "reason": "too-large", "details": [21]}),
        ),
        (
            "{:reason :too-large :message \"21 is a lot\"}",
            json!({"message": "21 is a lot", "reason": "too-large"}),
        ),
    ] {
        let (refuse, work) = (format!("(fail {failure})"), work.clone());
        let model = Model(move |text: &str| {
            let program = if text.contains("Double") { &refuse } else { &work };
            crate::support::priced(program, 1, 0.0)
        });
        let (report, _) = run_and_replay(&parent(), json!({}), &model).await;
        assert_eq!(report.value, expected, "{:?}", report.error);
    }
}

#[tokio::test]
async fn it_uses_its_own_provider_or_that_of_the_parent() {
    let own = Arc::new(Scripted::new([program("1000")]));
    let agent = Agent::new("Work.")
        .with_tool(ToolDef::agent(doubler()).with_provider(own))
        .with_tool(ToolDef::agent(doubler().with_name("other")));
    let parents = Scripted::new([
        program("(return [(tool/doubler {:n 1}) (tool/other {:n 1})])"),
        program("2000"),
    ]);
    assert_eq!(run(&agent, &parents).await.value, json!([1000, 2000]));
    // A model that cannot be opened is an error before any request.
    let lost = doubler().with_model("recorded:/nowhere/at/all.jsonl".parse().unwrap());
    let agent = Agent::new("Work.").with_tool(ToolDef::agent(lost));
    let error = Mission::new(&agent, json!({})).run(&parents).await.unwrap_err();
    assert_eq!(error.code(), "unusable-recording");
}

#[tokio::test]
async fn it_may_call_itself_as_deep_as_its_budget_allows() {
    let sum = Agent::new("The sum of 1 to {{n}}.")
        .with_name("sum")
        .with_signature("(n :int) -> :int")
        .unwrap()
        .with_tool(ToolDef::itself("sum"))
        .with_max_turns(1);
    let source = "(return (if (= ctx/n 0) 0 (+ ctx/n (tool/sum {:n (dec ctx/n)}))))";
    let run = async |n: u64, depth: u32| {
        let agent = sum.clone().with_budget(RunBudget::default().with_depth(depth));
        let provider = Model(move |_: &str| Reply::new(program(source)));
        Mission::new(&agent, json!({"n": n})).run(&provider).await.unwrap()
    };
    let report = run(3, 3).await;
    assert_eq!((report.value, report.below.unwrap().runs), (Data::from(json!(6)), 3));
    let report = run(4, 3).await;
    // The fourth run below it did not start. Each level reports the failure of the next.
    assert_eq!(report.below.unwrap().runs, 3);
    let inner = "was stopped (depth): tool `sum`: agent `sum` allows 3 levels of sub-agents below it (`[budget] depth`)";
    let error = report.error.unwrap();
    assert_eq!(
        error.message,
        format!(
            "tool `sum`: was stopped (turns): tool `sum`: was stopped (turns): tool `sum`: {inner}"
        )
    );
    let report = run(1, 0).await;
    assert_eq!((report.stop, report.exit_code()), (Some(Stop::Depth), 4));
    assert_eq!(report.error.unwrap().code, Code::NestingLimit.into());
}

/// Returns a chain of agents below `top`: `a1` calls `a2`, and so on. The last one returns its name.
fn chain(levels: usize, budget: impl Fn(usize) -> RunBudget) -> Agent {
    let agent = |level: usize| {
        let name = if level == 0 { "top".to_owned() } else { format!("a{level}") };
        Agent::new(format!("Level {level} works.")).with_name(name).with_budget(budget(level))
    };
    (0..levels)
        .rev()
        .fold(agent(levels), |below, level| agent(level).with_tool(ToolDef::agent(below)))
}

/// The model of a chain: it calls the tool that its prompt shows, and returns its level without one.
struct CallsBelow;

impl Provider for CallsBelow {
    fn complete<'a>(&'a self, request: &'a Request) -> BoxFuture<'a, Result<Reply, ProviderError>> {
        let mut text = request.system.text();
        text.extend(request.messages.iter().map(|it| it.text.as_str()));
        let level = (0..9).find(|it| text.contains(&format!("Level {it} works."))).unwrap();
        let (next, about) = (level + 1, format!("Level {} works.", level + 1));
        let call =
            if text.contains(&about) { format!("(tool/a{next} {{}})") } else { level.to_string() };
        Box::pin(std::future::ready(Ok(Reply::new(program(&format!("(return {call})"))))))
    }

    fn name(&self) -> String {
        "model".to_owned()
    }
}

/// The budget of the first run bounds the tree. A sub-agent bounds it further only if its own budget states a depth.
#[tokio::test]
async fn the_depth_of_a_budget_holds_for_the_tree() {
    let budget =
        |depth: Option<u32>| depth.into_iter().fold(RunBudget::default(), RunBudget::with_depth);
    for (levels, top, second, deepest) in [
        (5, Some(5), None, 5),
        (5, Some(4), None, 4),
        (5, None, None, 3),
        (5, Some(5), Some(1), 3),
        (5, Some(2), Some(4), 2),
        (2, Some(0), None, 0),
    ] {
        let depth = |level: usize| match level {
            0 => budget(top),
            2 => budget(second),
            _ => RunBudget::default(),
        };
        // A prompt shows no sub-agent that cannot be called.
        let agent = chain(levels, depth);
        let report = Mission::new(&agent, json!({})).run(&CallsBelow).await.unwrap();
        let found = (report.value.to_string(), report.error.map(|it| it.message));
        assert_eq!(found, (deepest.to_string(), None), "{levels} {top:?} {second:?}");
    }
    let agent = chain(3, |level| if level == 1 { budget(Some(1)) } else { budget(Some(7)) });
    let deep = Model(|text: &str| {
        let level = (0..9).find(|it| text.contains(&format!("Level {it} works."))).unwrap();
        Reply::new(program(&format!("(return (tool/a{} {{}}))", level + 1)))
    });
    let report = Mission::new(&agent.with_max_turns(1), json!({})).run(&deep).await.unwrap();
    let message = report.error.unwrap().message;
    let end = "tool `a3`: agent `a1` allows 1 level of sub-agents below it (`[budget] depth`)";
    assert!(message.ends_with(end), "{message}");
}

/// A resumed sub-agent goes on in its own recording, behind the replies that its record has.
#[tokio::test]
async fn a_resumed_run_goes_on_in_the_recording_of_its_sub_agent() {
    let folder = tempfile::tempdir().unwrap();
    let recording = folder.path().join("child.jsonl");
    let line = |source: &str| format!("{}\n", json!({"text": program(source)}));
    let ask =
        |name: &str| line(&format!("(def {name} (ask {{:title \"{name}?\" :type \"bool\"}}))"));
    let replies = [line("(return :first)"), ask("a"), ask("b"), line("(return [a b])")];
    std::fs::write(&recording, replies.concat()).unwrap();
    let agent = |snapshots: bool| {
        let child = Agent::new("Ask.")
            .with_name("child")
            .with_can_ask(true)
            .with_model(format!("recorded:{}", recording.display()).parse().unwrap());
        Agent::new("Work.")
            .with_name("parent")
            .with_snapshots(snapshots)
            .with_tool(ToolDef::agent(child))
    };
    let parent = ["(def one (tool/child {}))", "(return [one (tool/child {})])"].map(program);
    for snapshots in [false, true] {
        let store = Store::open(&folder.path().join(format!("{snapshots}.db"))).unwrap();
        let first = agent(snapshots);
        let mission = Mission::new(&first, json!({}));
        let report = mission.record_in(&store).run(&Scripted::new(parent.clone())).await.unwrap();
        assert_eq!(report.status, Status::Waiting, "{:?}", report.error);
        let mut run = report;
        // Each agent is read again, as by another process.
        for question in ["a?", "b?"] {
            let resume = Resume::of(&store, run.run.as_str()).unwrap();
            assert_eq!(resume.questions()[0].form["title"], question);
            // The replies of the parent alone: its recording has no others.
            assert_eq!(resume.replies(&first), parent);
            let resume = resume.answer(None, json!(true)).unwrap();
            let agent = agent(snapshots);
            let nothing = Scripted::new([] as [&str; 0]);
            run = resume.mission(&agent).unwrap().run(&nothing).await.unwrap();
        }
        assert_eq!(run.value, json!(["first", [true, true]]), "{:?}", run.error);
    }
}

/// The model of a run may have another name when it resumes, such as another path of the same recording. The replies of
/// sub-agents count in any case.
#[tokio::test]
async fn replies_of_sub_agents_count_under_any_name_of_the_model() {
    let folder = tempfile::tempdir().unwrap();
    let ask = |name: &str| format!("(return (ask {{:title \"{name}?\" :type \"bool\"}}))");
    let sources =
        ["(def one (tool/child {}))", &ask("a"), "(return [one (tool/child {})])", &ask("b")];
    let replies = sources.map(program);
    let lines: Vec<String> = replies.iter().map(|it| json!({"text": it}).to_string()).collect();
    let [here, there] = ["here.jsonl", "there.jsonl"].map(|name| folder.path().join(name));
    for path in [&here, &there] {
        std::fs::write(path, lines.join("\n")).unwrap();
    }
    let child = Agent::new("Ask.").with_name("child").with_can_ask(true);
    let agent = Agent::new("Work.").with_name("parent").with_tool(ToolDef::agent(child));
    let store = Store::in_memory().unwrap();
    let mission = Mission::new(&agent, json!({})).record_in(&store);
    let mut run = mission.run(&Recorded::open(&here).unwrap()).await.unwrap();
    for (question, path, count) in [("a?", &there, 2), ("b?", &here, 4)] {
        let resume = Resume::of(&store, run.run.as_str()).unwrap();
        assert_eq!(resume.questions()[0].form["title"], question);
        let (mut used, mut expected) = (resume.replies(&agent), replies[..count].to_vec());
        used.sort_unstable();
        expected.sort_unstable();
        assert_eq!(used, expected);
        let recording = Recorded::open(path).unwrap().without(resume.replies(&agent));
        let resume = resume.answer(None, json!(true)).unwrap();
        run = resume.mission(&agent).unwrap().run(&recording).await.unwrap();
    }
    assert_eq!(run.value, json!([true, true]), "{:?}", run.error);
}

#[tokio::test]
async fn a_level_too_deep_cannot_be_caught() {
    let agent = parent().with_max_turns(1).with_budget(RunBudget::default().with_depth(0));
    check(
        &agent,
        &[("Work", "(return (try (tool/doubler {:n 21}) (catch Throwable e 0)))")],
        json!([
            "depth",
            "nesting-limit",
            "tool `doubler`: agent `parent` allows 0 levels of sub-agents below it (`[budget] depth`)"
        ]),
    )
    .await;
}

/// M114: each call of a sub-agent is a run of its own, which names the call of its parent.
#[tokio::test]
async fn its_run_is_on_record_and_linked_to_the_call() {
    let store = Store::in_memory().unwrap();
    let seen = Mutex::new(Vec::new());
    let rules: &[_] = &[DOUBLE, ("Work", "(return (pmap (fn [n] (tool/doubler {:n n})) [1 2]))")];
    let agent = parent();
    let report = Mission::new(&agent, json!({}))
        .record_in(&store)
        .observe(|run, event| {
            let word = match event {
                Event::RunStarted(it) => format!("started {}", it.agent),
                Event::RunEnded(it) => format!("ended {}", it.value),
                _ => return,
            };
            seen.lock().unwrap().push((run.clone(), word));
        })
        .run(&scripted_by(rules))
        .await
        .unwrap();
    let runs = store.runs(10).unwrap();
    let words: Vec<(&str, &str)> =
        runs.iter().map(|it| (it.agent.as_str(), it.status.as_str())).collect();
    assert_eq!(words, [("doubler", "returned"), ("doubler", "returned"), ("parent", "returned")]);
    let record = store.show(report.run.as_str()).unwrap();
    assert_eq!(record.summary.parent, None);
    let calls = &record.turn_records[0].calls;
    for (index, call) in calls.iter().enumerate() {
        let child = store.show(call.run.as_ref().unwrap().as_str()).unwrap();
        let parent = child.summary.parent.unwrap();
        assert_eq!(
            (parent.run, parent.turn, parent.call),
            (report.run.clone(), 1, call.call.clone())
        );
        assert_eq!(child.setup.input, json!({"n": index + 1}));
        assert_eq!(Some(child.value), call.result);
    }
    let seen = seen.into_inner().unwrap();
    let of = |run: &ptc_subagent::RunId| -> Vec<&str> {
        seen.iter().filter(|it| it.0 == *run).map(|it| it.1.as_str()).collect()
    };
    assert_eq!(of(&report.run), ["started parent", "ended [2,4]"]);
    assert_eq!(of(calls[1].run.as_ref().unwrap()), ["started doubler", "ended 4"]);
}

/// P31, P33: the next turn shows the result of a sub-agent without its hidden fields.
#[tokio::test]
async fn hidden_fields_of_a_child_stay_hidden_from_the_models() {
    let finder = Agent::new("Find {{name}}.")
        .with_name("finder")
        .with_signature("(name :string, _key :string) -> {id :int, _token :string}")
        .unwrap()
        .with_max_turns(1);
    let agent = Agent::new("Work.")
        .with_signature("(_key :string) -> :int")
        .unwrap()
        .with_tool(ToolDef::agent(finder));
    let asked = Arc::new(Mutex::new(Vec::new()));
    let said = Arc::clone(&asked);
    let provider = Model(move |text: &str| {
        said.lock().unwrap().push(text.to_string());
        Reply::new(program(match text {
            it if it.contains("Find Ada") => "{:id 7 :_token (str \"token-\" ctx/_key)}",
            it if it.contains("turn 2") => "(return (:id *1))",
            _ => "(tool/finder {:name \"Ada\" :_key ctx/_key})",
        }))
    });
    let report = Mission::new(&agent, json!({"_key": "sesame"})).run(&provider).await.unwrap();
    assert_eq!((report.value, report.turns), (Data::from(json!(7)), 2));
    let asked = asked.lock().unwrap().concat();
    assert!(asked.contains("{:id 7"), "{asked}");
    assert!(!asked.contains("sesame"), "{asked}");
}

/// A panic of the observer about a sub-agent is neither its answer nor the end of the tree.
#[tokio::test]
async fn a_panic_of_the_observer_ends_no_sub_agent() {
    let store = Store::in_memory().unwrap();
    let (agent, provider) = (
        parent().with_max_turns(1),
        scripted_by(&[DOUBLE, ("Work", "(return (pmap #(tool/doubler {:n %}) [1 2]))")]),
    );
    let watch = |_: &RunId, event: &Event| match event {
        Event::RunStarted(started) if started.agent == "doubler" => panic!("seen enough"),
        _ => {}
    };
    let mission = Mission::new(&agent, json!({})).record_in(&store).observe(watch);
    let report = mission.run(&provider).await.unwrap();
    assert_eq!(report.value, json!([2, 4]));
    let told: Vec<&str> = report.warnings.iter().map(|it| it.message.as_str()).collect();
    let message = "the observer of the run panicked 2 times, and the run went on: seen enough";
    assert_eq!(told, [message]);
    let runs: Vec<_> = store.runs(10).unwrap();
    let mut runs: Vec<_> = runs.iter().map(|it| (it.agent.as_str(), it.stop)).collect();
    runs.sort_unstable_by_key(|it| it.0);
    assert_eq!(runs, [("doubler", None), ("doubler", None), ("parent", None)]);
}

#[tokio::test]
async fn a_run_that_is_dropped_leaves_a_sound_record_at_every_level() {
    let store = Store::in_memory().unwrap();
    let started = Arc::new(tokio::sync::Notify::new());
    let tell = Arc::clone(&started);
    let wait = FnTool::new(move |_, _| {
        tell.notify_one();
        std::future::pending()
    });
    let child = Agent::new("Wait.").with_name("child").with_tool(ToolDef::new("wait", wait));
    let agent = Agent::new("Work.").with_name("parent").with_tool(ToolDef::agent(child));
    let provider = scripted_by(&[("Wait", "(tool/wait {})"), ("Work", "(tool/child {})")]);
    {
        let run = Mission::new(&agent, json!({})).record_in(&store).run(&provider);
        tokio::select! {
            _ = run => panic!("it waits for ever"),
            () = started.notified() => {}
        }
    }
    let mut cancelled = agent.clone();
    cancelled.name = "cancelled".to_string();
    let report = Mission::new(&cancelled, json!({}))
        .record_in(&store)
        .cancel_on(started.notified())
        .run(&provider)
        .await
        .unwrap();
    assert_eq!((report.stop, report.tool_calls), (Some(Stop::Cancelled), 1));
    for run in store.runs(10).unwrap() {
        let record = store.show(run.run.as_str()).unwrap();
        let turn = &record.turn_records[0];
        let call = &turn.calls[0];
        assert_eq!(
            (run.status, run.stop, turn.outcome, call.status),
            (
                Status::Stopped,
                Some(Stop::Cancelled),
                Some(TurnOutcome::Cancelled),
                CallStatus::Started
            ),
            "{}",
            run.agent
        );
        assert_eq!((run.turns, run.tool_calls), (1, 1));
        assert!(run.ended_at.is_some());
    }
    assert_eq!(store.runs(10).unwrap().len(), 4);
}

#[tokio::test]
async fn a_child_ends_when_the_time_of_its_parent_is_up() {
    let wait = FnTool::new(async |_, _| std::future::pending().await);
    let child = Agent::new("Wait.").with_tool(ToolDef::new("wait", wait)).with_name("child");
    let agent = Agent::new("Work.")
        .with_tool(ToolDef::agent(child))
        .with_timeout(Duration::from_millis(50));
    let store = Store::in_memory().unwrap();
    let report = Mission::new(&agent, json!({}))
        .record_in(&store)
        .run(&scripted_by(&[("Wait", "(tool/wait {})"), ("Work", "(tool/child {})")]))
        .await
        .unwrap();
    assert_eq!(report.stop, Some(Stop::Time));
    let runs = store.runs(10).unwrap();
    assert!(
        runs.iter().all(|it| it.status == Status::Stopped && it.ended_at.is_some()),
        "{runs:?}"
    );
}

#[tokio::test]
async fn a_parent_writes_if_a_child_does() {
    let save = ToolDef::new("save", FnTool::new(async |_, _| Ok(json!(null))));
    let child = Agent::new("Save.").with_tool(save.with_effect(Effect::Write));
    let child = ToolDef::agent(child);
    assert_eq!((child.effect(), ToolDef::agent(doubler()).effect()), (Effect::Write, Effect::Read));
    assert_eq!(child.description.as_deref(), Some("Save."));
    let outer = Agent::new("x").with_tool(child);
    assert_eq!(ToolDef::agent(outer).effect(), Effect::Write);
}

#[tokio::test]
async fn a_run_with_sub_agents_moves_between_threads() {
    let agent = parent();
    let task = tokio::spawn(async move {
        let provider = scripted_by(&[DOUBLE, ("Work", "(return (tool/doubler {:n 4}))")]);
        Mission::new(&agent, json!({})).run(&provider).await.unwrap().value
    });
    assert_eq!(task.await.unwrap(), json!(8));
}

/// Creates a question that a model answers itself.
fn question() -> Agent {
    Agent::new("What is {{text}} about?")
        .with_name("topic")
        .with_signature(
            "(text :string, _id :int?, notes [:string]?) -> {topic :string, sure :bool}",
        )
        .unwrap()
        .with_answers(Answers::Json)
        .with_max_turns(1)
        .with_retry_turns(1)
}

#[tokio::test]
async fn a_question_is_answered_with_json() {
    let report = async |replies: Vec<&str>| {
        let agent = question();
        let input = json!({"text": "rain", "_id": 7, "notes": ["wet"]});
        Mission::new(&agent, input).run(&Scripted::new(replies)).await.unwrap()
    };
    let right = Data::from(json!({"topic": "weather", "sure": true}));
    for reply in [
        r#"{"topic": "weather", "sure": true}"#,
        "```json\n{\"topic\": \"weather\", \"sure\": true}\n```",
        "<think>Rain [maybe] {x}</think>\nIt is:\n{\"topic\": \"weather\", \"sure\": \"true\"}\nSure.",
    ] {
        let found = report(vec![reply]).await;
        assert_eq!((found.value, found.turns), (right.clone(), 1), "{reply}");
    }
    let found = report(vec!["Weather!", r#"{"topic": "weather", "sure": true}"#]).await;
    assert_eq!((found.value, found.turns), (right, 2));
    let found = report(vec![r#"{"topic": 1}"#, "no"]).await;
    assert_eq!((found.stop, found.turns), (Some(Stop::Turns), 2));
    assert_eq!(found.error.unwrap().message, "the reply has no JSON");
}

#[tokio::test]
async fn a_question_shows_the_whole_input_except_hidden_fields() {
    let agent = question();
    let mission = Mission::new(&agent, json!({"text": "rain", "_id": 7, "notes": ["wet", "cold"]}));
    assert_eq!(mission.opening().unwrap(), "What is rain about?\n\nnotes:\n[\"wet\",\"cold\"]");
    assert_eq!(
        mission.system_prompt().unwrap().text(),
        "# Role\n\n\
         You answer one question with JSON. Write one JSON value and nothing else: no introduction, no \
         explanation, no code block.\n\n\
         # Output Format\n\n\
         The answer has the type `{topic :string, sure :bool}`; as JSON Schema:\n\n\
         {\"type\":\"object\",\"properties\":{\"topic\":{\"type\":\"string\"},\"sure\":{\"type\":\"boolean\"}},\
         \"required\":[\"topic\",\"sure\"]}\n\n\
         For example: {\"topic\":\"text\",\"sure\":true}"
    );
    let text = Agent::new("Say {{x}}.").with_signature("(x :string) -> :string").unwrap();
    let text = text.with_answers(Answers::Json);
    let mission = Mission::new(&text, json!({"x": "hello"}));
    assert_eq!(
        mission.system_prompt().unwrap().text(),
        "# Role\n\n\
         You answer one question with a text. Everything you write is the answer: no introduction, no \
         explanation, no marks around it."
    );
    let report = mission.run(&Scripted::new(["  Hello, (you)!\n"])).await.unwrap();
    assert_eq!(report.value, json!("Hello, (you)!"));
}

#[tokio::test]
async fn feedback_on_an_answer_leaves_hidden_fields_out() {
    let agent = Agent::new("Which pin?")
        .with_name("pin")
        .with_signature("-> {_pin :int, ok :bool}")
        .unwrap()
        .with_answers(Answers::Json)
        .with_max_turns(1);
    let parent = Agent::new("Work.").with_tool(ToolDef::agent(agent)).with_max_turns(1);
    let provider = Scripted::new([
        program("(return (try (tool/pin {}) (catch Exception e (ex-message e))))"),
        r#"{"_pin": "sesame", "ok": 1}"#.to_string(),
    ]);
    let report = run(&parent, &provider).await;
    assert_eq!(
        report.value,
        json!("tool `pin`: was stopped (turns): _pin: expected int, found [Hidden] (and 1 more)")
    );
}

#[tokio::test]
async fn a_question_is_a_tool_like_any_agent() {
    let agent = Agent::new("Sort.").with_tool(ToolDef::agent(question())).with_max_turns(1);
    let provider = Model(|text: &str| match text {
        it if it.contains("about rain") || it.contains("is rain about") => {
            Reply::new(r#"{"topic": "weather", "sure": true}"#)
        }
        it if it.contains("is x about") => Reply::new(r#"{"topic": "letters", "sure": false}"#),
        _ => Reply::new(program(
            "(return (mapv :topic (pmap (fn [t] (tool/topic {:text t})) [\"rain\" \"x\"])))",
        )),
    });
    let report = run(&agent, &provider).await;
    assert_eq!(report.value, json!(["weather", "letters"]));
    let wrong = question().with_tool(ToolDef::agent(doubler()));
    assert_eq!(
        wrong.check().unwrap_err().to_string(),
        "an agent with `answers = \"json\"` cannot have tools"
    );
}

#[tokio::test]
async fn a_run_dropped_at_any_moment_is_on_record_as_cancelled() {
    let nap = FnTool::new(async |_, _| {
        tokio::task::yield_now().await;
        Ok(json!(1))
    });
    let child = Agent::new("Nap.").with_name("child").with_tool(ToolDef::new("nap", nap));
    let agent = Agent::new("Work.").with_name("parent").with_tool(ToolDef::agent(child));
    let provider = scripted_by(&[
        ("Nap", "(return (reduce + (pmap (fn [_] (tool/nap {})) (range 2))))"),
        ("turn 2", "(return (+ *1 (tool/child {})))"),
        ("Work", "(reduce + (pmap (fn [_] (tool/child {})) (range 2)))"),
    ]);
    let mut seen = std::collections::BTreeSet::new();
    for moment in 1.. {
        let store = Store::in_memory().unwrap();
        let mut polls = 0;
        let ended = {
            let mut run =
                Box::pin(Mission::new(&agent, json!({})).record_in(&store).run(&provider));
            std::future::poll_fn(|cx| {
                polls += 1;
                match run.as_mut().poll(cx) {
                    std::task::Poll::Ready(report) => std::task::Poll::Ready(Some(report.unwrap())),
                    std::task::Poll::Pending if polls >= moment => std::task::Poll::Ready(None),
                    std::task::Poll::Pending => std::task::Poll::Pending,
                }
            })
            .await
        };
        for run in store.runs(100).unwrap() {
            let record = store.show(run.run.as_str()).unwrap();
            let last = record.turn_records.last().and_then(|it| it.outcome);
            assert!(run.ended_at.is_some(), "{moment}: {run:?}");
            assert!(
                record.turn_records.iter().all(|it| it.ended_at.is_some()),
                "{moment}: {record:?}"
            );
            seen.insert((
                run.agent,
                run.status.to_string(),
                run.stop.map(|it| it.to_string()).unwrap_or_default(),
                last.map(|it| it.to_string()).unwrap_or_default(),
            ));
        }
        if let Some(report) = ended {
            assert_eq!(report.value, json!(6));
            break;
        }
    }
    let seen: Vec<_> = seen.iter().map(|it| (&*it.0, &*it.1, &*it.2, &*it.3)).collect();
    for expected in [
        ("child", "returned", "", "returned"),
        ("child", "stopped", "cancelled", "cancelled"),
        ("parent", "returned", "", "returned"),
        ("parent", "stopped", "cancelled", "cancelled"),
    ] {
        assert!(seen.contains(&expected), "{expected:?} is not in {seen:?}");
    }
}
