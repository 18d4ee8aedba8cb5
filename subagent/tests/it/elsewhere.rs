//! Sub-agents that work in other processes: each has a share of the budget, and the record is that of any run.

use std::sync::{Arc, Mutex};

use ptc_subagent::host::{Model, Running, Start, Task, Watch};
use ptc_subagent::provider::{BoxFuture, Provider};
use ptc_subagent::store::{Placed, Store};
use ptc_subagent::tool::ToolDef;
use ptc_subagent::{Agent, AgentCall, Elsewhere, Error, Parent, RunBudget, RunReport, Status};
use serde_json::{Value, json};

use crate::support::scripted_by;

type Rules = &'static [(&'static str, &'static str)];

/// Runs each sub-agent against a store of its own, which begins with the runs above it.
struct Other {
    agent: Arc<Agent>,
    rules: Rules,
    above: Arc<Store>,
    calls: Mutex<Vec<Value>>,
    lines: Mutex<Vec<String>>,
}

fn provider(rules: Rules) -> Arc<dyn Provider> {
    Arc::new(scripted_by(rules))
}

/// Returns the events of a store as lines.
fn lines(store: &Store) -> Vec<String> {
    let placed = store.read(|snapshot| snapshot.events_behind(0, None, u32::MAX)).unwrap();
    placed.iter().map(Placed::line).collect()
}

impl Elsewhere for Other {
    fn begun(&self, _call: &Parent) -> Option<AgentCall> {
        None
    }

    fn run(&self, call: AgentCall) -> BoxFuture<'_, Result<RunReport, Error>> {
        let sent = serde_json::to_value(&call).unwrap();
        self.calls.lock().unwrap().push(sent["share"]["turns"].clone());
        let call: AgentCall = serde_json::from_value(sent).unwrap();
        Box::pin(async move {
            let store = Arc::new(Store::in_memory().unwrap());
            let mut above = lines(&self.above);
            above.retain(|it| it.contains("run-started"));
            store.import_lines(above.iter()).unwrap();
            let (agent, model) = (Arc::clone(&self.agent), Model::from(provider(self.rules)));
            let task = Task::Answer(Box::new(call), false);
            let (running, work) =
                Running::new(agent, model, Some(Arc::clone(&store)), task, Watch::default());
            work.await;
            let report = running.take_report().unwrap();
            self.lines.lock().unwrap().extend(lines(&store).split_off(above.len()));
            report
        })
    }
}

/// Runs an agent whose sub-agents work elsewhere. Returns its report, the turns of their shares, and the runs on record.
async fn run(agent: Agent, rules: Rules) -> (RunReport, Vec<Value>, Vec<String>) {
    let (agent, store) = (Arc::new(agent), Arc::new(Store::in_memory().unwrap()));
    let other = Arc::new(Other {
        agent: Arc::clone(&agent),
        rules,
        above: Arc::clone(&store),
        calls: Mutex::default(),
        lines: Mutex::default(),
    });
    let mut watch = Watch::default();
    watch.elsewhere = Some(Arc::clone(&other) as Arc<dyn Elsewhere>);
    let task = Task::Start(Start::of(json!({})));
    let model = Model::from(provider(rules));
    let (running, work) =
        Running::new(Arc::clone(&agent), model, Some(Arc::clone(&store)), task, watch);
    work.await;
    let report = running.take_report().unwrap().unwrap();
    let whole = Store::in_memory().unwrap();
    let mut all = lines(&store);
    all.extend(other.lines.lock().unwrap().drain(..));
    whole.import_lines(all.iter()).unwrap();
    let tree = whole.tree(report.run.as_str()).unwrap();
    let runs = tree.iter().map(|it| format!("{} {}", it.summary.agent, it.summary.status));
    let runs = runs.collect();
    let calls = other.calls.lock().unwrap().clone();
    (report, calls, runs)
}

fn parent(turns: u64, own: Option<u64>) -> Agent {
    let mut doubler = Agent::new("Double {{n}}.")
        .with_name("doubler")
        .with_signature("(n :int) -> :int")
        .unwrap()
        .with_max_turns(1);
    doubler.budget.turns = own;
    Agent::new("Work with numbers.")
        .with_name("parent")
        .with_budget(RunBudget::default().with_turns(turns))
        .with_tool(ToolDef::agent(doubler))
        .with_max_turns(1)
}

const DOUBLE: (&str, &str) = ("Double", "(* 2 ctx/n)");

/// Sub-agents that start together have equal shares of what is left, but no more than their own budget.
#[tokio::test]
async fn shares_are_equal() {
    let rules: Rules =
        &[DOUBLE, ("Work", "(return (pmap (fn [n] (tool/doubler {:n n})) (range 3)))")];
    for (turns, own, shares) in [
        (31, None, json!([10, 10, 10])),
        (31, Some(4), json!([4, 4, 4])),
        (4, None, json!([1, 1, 1])),
    ] {
        let (report, calls, runs) = run(parent(turns, own), rules).await;
        assert_eq!(report.value, json!([0, 2, 4]), "{:?}", report.error);
        assert_eq!(json!(calls), shares);
        let below = report.below.unwrap();
        assert_eq!((below.runs, below.turns), (3, 3));
        let expected =
            ["parent returned", "doubler returned", "doubler returned", "doubler returned"];
        assert_eq!(runs, expected);
    }
}

/// One that starts alone may have all that is left, and what it does not use comes back.
#[tokio::test]
async fn what_is_not_used_comes_back() {
    let rules: Rules =
        &[DOUBLE, ("Work", "(return (mapv (fn [n] (tool/doubler {:n n})) (range 3)))")];
    let (report, calls, _) = run(parent(4, None), rules).await;
    assert_eq!(report.value, json!([0, 2, 4]), "{:?}", report.error);
    assert_eq!(json!(calls), json!([3, 2, 1]));
}

/// Where the shares are too small for all, later ones wait. A budget that is used up ends a run as ever.
#[tokio::test]
async fn nobody_spends_more_than_there_is() {
    let rules: Rules =
        &[DOUBLE, ("Work", "(return (pmap (fn [n] (tool/doubler {:n n})) (range 4)))")];
    let (report, calls, _) = run(parent(4, None), rules).await;
    assert_eq!(report.status, Status::Stopped);
    let error = report.error.unwrap();
    assert!(error.message.contains("turns"), "{}", error.message);
    assert_eq!(json!(calls), json!([1, 1, 1, 0]));
    assert_eq!(report.below.unwrap().turns, 3);
}

/// A ceiling of tool calls or fuel holds at each step, so the sub-agents of such a run stay with it.
#[tokio::test]
async fn a_run_with_a_ceiling_of_calls_keeps_its_sub_agents() {
    let rules: Rules = &[DOUBLE, ("Work", "(return (tool/doubler {:n 21}))")];
    let mut agent = parent(10, None);
    agent.budget.tool_calls = Some(5);
    let (report, calls, _) = run(agent, rules).await;
    assert_eq!((report.value, calls), (json!(42).into(), Vec::new()));
}
