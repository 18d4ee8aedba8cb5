//! Budgets of runs with their sub-agents: every ceiling, for one run and for a tree, sequentially and concurrently.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use ptc_subagent::provider::{Cost, Reply};
use ptc_subagent::tool::{FnTool, ToolDef};
use ptc_subagent::{Agent, Data, Mission, PayloadDef, RunBudget, RunReport, Stop};
use serde_json::{Value, json};

use crate::support::{Model, priced, program, run_and_replay};

fn budget() -> RunBudget {
    RunBudget::default()
}

/// Runs an agent with a model whose replies all have the same price: 100 tokens and 10 cents.
async fn run(agent: &Agent, source: fn(&str) -> &'static str) -> (RunReport, u64) {
    let asked = Arc::new(AtomicU64::new(0));
    let count = Arc::clone(&asked);
    let provider = Model(move |text: &str| {
        count.fetch_add(1, Ordering::SeqCst);
        priced(source(text), 100, 0.1)
    });
    let report = Mission::new(agent, json!({})).run(&provider).await.unwrap();
    (report, asked.load(Ordering::SeqCst))
}

fn stop(report: &RunReport) -> (Option<Stop>, &str, &str) {
    let error = report.error.as_ref().unwrap();
    (report.stop, error.code.as_str(), &error.message)
}

fn agent(budget: RunBudget) -> Agent {
    Agent::new("Go on.").with_name("a").with_max_turns(20).with_budget(budget)
}

/// M70, M71, M72, M76, M74: the reason names the ceiling and what is used.
#[tokio::test]
async fn m74_a_run_ends_between_turns_when_a_ceiling_is_reached() {
    let dollars = |it| Cost::from_dollars(it).unwrap();
    let reached = "agent `a` has used up its budget of";
    for (budget, turns, expected_stop, code, what) in [
        (budget().with_turns(3), 3, Stop::Turns, "turn-budget", "3 turns"),
        (budget().with_tokens(250), 3, Stop::Tokens, "token-budget", "250 tokens"),
        (budget().with_tokens(300), 3, Stop::Tokens, "token-budget", "300 tokens"),
        (budget().with_cost(dollars(0.35)), 4, Stop::Cost, "cost-budget", "$0.35"),
        (budget().with_fuel(20), 3, Stop::Fuel, "fuel-budget", "20 units of fuel"),
    ] {
        let (report, asked) = run(&agent(budget), |_| "(reduce + (range 8))").await;
        let used = match expected_stop {
            Stop::Turns => report.turns.to_string(),
            Stop::Tokens => report.usage.tokens().to_string(),
            Stop::Cost => report.usage.cost.unwrap().to_string(),
            _ => report.fuel.to_string(),
        };
        let message = format!("{reached} {what}, with its sub-agents: {used} used");
        assert_eq!(stop(&report), (Some(expected_stop), code, message.as_str()));
        assert_eq!((u64::from(report.turns), asked), (turns, turns), "{code}");
        let exit = if expected_stop == Stop::Turns { 3 } else { 4 };
        assert_eq!(report.exit_code(), exit);
    }
}

/// M77: a run that returns or fails in the turn that reaches a ceiling has ended so.
#[tokio::test]
async fn the_decision_of_the_turn_that_reaches_a_ceiling_counts() {
    let dollars = |it| Cost::from_dollars(it).unwrap();
    for budget in [
        budget().with_turns(1),
        budget().with_tokens(1),
        budget().with_cost(dollars(0.01)),
        budget().with_turns(1).with_tokens(100).with_cost(dollars(0.1)),
    ] {
        let (report, _) = run(&agent(budget.clone()), |_| "(return :done)").await;
        assert_eq!(report.value, json!("done"), "{budget:?}");
        let (report, _) = run(&agent(budget), |_| "(fail {:reason :no :message \"m\"})").await;
        assert_eq!(report.fail.unwrap().reason, "no");
    }
}

#[tokio::test]
async fn a_program_is_stopped_where_the_budget_of_its_run_ends() {
    let count = FnTool::new(async |_, _| Ok(json!(1)));
    let agent = agent(budget().with_fuel(1_000).with_tool_calls(3))
        .with_tool(ToolDef::new("one", count))
        .with_max_turns(2);
    let (report, _) = run(&agent, |text| match text {
        it if it.contains("turn 1 of 2") && !it.contains("last turn") => "(tool/one {})",
        _ => "(dotimes [_ 10] (tool/one {}))",
    })
    .await;
    assert_eq!(
        stop(&report),
        (
            Some(Stop::ToolCalls),
            "tool-call-limit",
            "agent `a` has used up its budget of 3 tool calls, with its sub-agents: all used"
        )
    );
    assert_eq!(report.tool_calls, 3);
    let (report, _) = run(&agent, |_| "(loop [] (recur))").await;
    assert_eq!(
        stop(&report),
        (
            Some(Stop::Fuel),
            "fuel-budget",
            "agent `a` has used up its budget of 1000 units of fuel, with its sub-agents: 1000 used"
        )
    );
    assert_eq!((report.fuel, report.turns), (1_000, 1));
}

#[tokio::test]
async fn an_unknown_cost_cannot_be_limited() {
    let agent = agent(budget().with_cost(Cost::from_dollars(1.0).unwrap()));
    let provider = Model(|_: &str| Reply::new(program("1")));
    let report = Mission::new(&agent, json!({})).run(&provider).await.unwrap();
    assert_eq!(
        stop(&report),
        (
            Some(Stop::Cost),
            "cost-unknown",
            "agent `a` has a cost budget of $1.00, but the cost of its replies is unknown"
        )
    );
    assert_eq!(report.turns, 1);
}

/// Creates a parent whose program calls `n` children. Each child takes three turns.
fn family(budget: RunBudget, n: usize, in_flight: u32) -> Agent {
    let child = Agent::new("Child {{i}}.")
        .with_name("child")
        .with_signature("(i :int) -> :int")
        .unwrap()
        .with_max_turns(3);
    let mut agent = Agent::new("Parent.").with_name("parent").with_budget(budget);
    agent = agent.with_tool(ToolDef::agent(child)).with_max_turns(2);
    agent.limits.calls_in_flight = in_flight;
    agent.prompt = format!("Parent of {n}.");
    agent
}

fn children(text: &str) -> &'static str {
    match text {
        it if it.contains("Child") && it.contains("turn 2 of 3") && it.contains("last turn") => {
            "(return ctx/i)"
        }
        it if it.contains("Child") => "ctx/i",
        it if it.contains("of 3.") => {
            "(return (pmap (fn [i] (try (tool/child {:i i}) (catch Exception e (ex-message e)))) (range 3)))"
        }
        _ => "(return (pmap (fn [i] (tool/child {:i i})) (range 12)))",
    }
}

/// M78: what sub-agents use counts for their parent.
#[tokio::test]
async fn children_use_the_remaining_budget_of_their_parent() {
    // Without ceilings, the parent takes one turn and each child takes three.
    let (report, asked) = run(&family(budget(), 3, 8), children).await;
    assert_eq!((report.value.clone(), asked), (Data::from(json!([0, 1, 2])), 10));
    let below = report.below.unwrap();
    assert_eq!((below.runs, below.turns, below.usage.input_tokens), (3, 9, 900));

    for in_flight in [1, 3] {
        // The ceiling holds for any number of concurrent requests. The parent still finishes with the remaining budget.
        for turns in [4, 6, 7] {
            let (report, asked) =
                run(&family(budget().with_turns(turns), 3, in_flight), children).await;
            assert_eq!(asked, turns, "{in_flight}");
            let value = report.value.to_json().unwrap();
            let failed: Vec<&Value> = value.as_array().unwrap().iter().collect();
            let spent = json!(format!(
                "tool `child`: was stopped (turns): agent `parent` has used up its budget of {turns} turns, \
                 with its sub-agents: {turns} used"
            ));
            assert!(failed.contains(&&spent), "{failed:?}");
        }
    }
}

#[tokio::test]
async fn tokens_of_pending_replies_are_reserved() {
    // Twelve children ask concurrently. The estimate of one reply exceeds the remaining budget, so they ask one after
    // another, and the budget is exceeded by less than one reply.
    let run = async |tokens| {
        let agent = family(budget().with_tokens(tokens), 12, 12);
        run(&agent, |text| if text.contains("Child") { "(return ctx/i)" } else { children(text) })
            .await
    };
    for tokens in [1_201, 1_300] {
        let (report, asked) = run(tokens).await;
        assert_eq!(
            (report.value, asked),
            (Data::from(json!((0..12).collect::<Vec<_>>())), 13),
            "{tokens}"
        );
    }
    let (report, asked) = run(1_200).await;
    assert_eq!(asked, 12);
    assert_eq!(
        stop(&report),
        (
            Some(Stop::Tokens),
            "token-budget",
            "agent `parent` has used up its budget of 1200 tokens, with its sub-agents: 1200 used"
        )
    );
    assert_eq!(report.below.unwrap().usage.tokens() + report.usage.tokens(), 1_200);
}

#[tokio::test]
async fn a_child_has_a_budget_of_its_own_within_that_of_its_parent() {
    let child = Agent::new("Child.").with_name("child").with_budget(budget().with_turns(2));
    let parent = Agent::new("Parent.").with_name("parent").with_tool(ToolDef::agent(child));
    let (report, asked) = run(&parent.with_max_turns(1), |text| match text {
        it if it.contains("Child") => "1",
        _ => "(return (try (tool/child {}) (catch Exception e (ex-message e))))",
    })
    .await;
    assert_eq!(asked, 3);
    assert_eq!(
        report.value,
        json!(
            "tool `child`: was stopped (turns): agent `child` has used up its budget of 2 turns, with its \
             sub-agents: 2 used"
        )
    );
}

#[tokio::test]
async fn programs_see_the_remaining_budget() {
    let budget = budget()
        .with_turns(10)
        .with_tokens(1_000)
        .with_cost(Cost::from_dollars(1.0).unwrap())
        .with_tool_calls(7)
        .with_fuel(500_000);
    let child = Agent::new("Child.")
        .with_name("child")
        .with_max_turns(2)
        .with_budget(RunBudget::default().with_depth(1));
    let parent = Agent::new("Parent.")
        .with_name("parent")
        .with_max_turns(3)
        .with_budget(budget)
        .with_tool(ToolDef::agent(child));
    let (report, _) = run(&parent, |text| match text {
        it if it.contains("Child") => "(return (dissoc (budget) :seconds))",
        _ => "(return [(dissoc (budget) :seconds) (tool/child {}) (pos? (:seconds (budget)))])",
    })
    .await;
    assert_eq!(
        report.value,
        json!([
            {
                "fuel": 500_000, "tool-calls": 7, "turns": 2, "run-fuel": 500_000, "run-tool-calls": 7,
                "tokens": 900, "cost": 0.9, "depth": 3,
            },
            {
                "fuel": 499_991, "tool-calls": 6, "turns": 1, "run-fuel": 499_991, "run-tool-calls": 6,
                "tokens": 800, "cost": 0.8, "depth": 1,
            },
            true,
        ])
    );
    // Without ceilings, the shared amounts are nil.
    let agent = Agent::new("x").with_max_turns(1);
    let (report, _) = run(&agent, |_| "(dissoc (budget) :seconds)").await;
    assert_eq!(
        report.value,
        json!({
            "fuel": 30_000_000, "tool-calls": 256, "turns": 0, "run-fuel": null, "run-tool-calls": null,
            "tokens": null, "cost": null, "depth": 3,
        })
    );
}

/// M75: a run that its budget stops keeps the payload that it has, in the report and on record.
#[tokio::test]
async fn m75_a_stopped_run_keeps_its_payload() {
    let payload = PayloadDef::new().with_start(json!({"n": 1})).unwrap();
    let agent = agent(budget().with_turns(2)).with_payload(payload);
    let provider = Model(|_: &str| Reply::new(program("(payload/put [:n] (* 10 payload/n))")));
    let (report, records) = run_and_replay(&agent, json!({}), &provider).await;
    let end = Data::from(json!({"n": 100}));
    assert_eq!((report.stop, report.payload.as_ref()), (Some(Stop::Turns), Some(&end)));
    let on_record = records[0].payload.as_ref().unwrap();
    assert_eq!(on_record.end.as_ref(), Some(&end));
}
