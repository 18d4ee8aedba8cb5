//! Agents made of other agents: plan and execute, bodies of loops, nested loops and mapped results. A test has the ids of
//! the capabilities in its name.

use ptc_lisp::debug::Debugger;
use ptc_lisp::{Outcome, ToolCall};
use ptc_subagent::provider::{NoModel, Reply};
use ptc_subagent::replay::ProgramOnRecord;
use ptc_subagent::store::{RunRecord, Store};
use ptc_subagent::tool::{Constant, Effect, ToolDef};
use ptc_subagent::{
    Agent, Answers, Data, DecisionsStyle, Mission, PayloadDef, RunBudget, RunReport, Stop,
};
use serde_json::{Value, json};

use crate::styles::tools::Model as Scripts;
use crate::support::{Model, program, run_and_replay as run};

/// Returns the agent, the turns and the end of each run below the first.
fn below(records: &[RunRecord]) -> Vec<(&str, u32, Option<Stop>)> {
    let runs = records.iter().skip(1).map(|it| &it.summary);
    runs.map(|it| (it.agent.as_str(), it.turns, it.stop)).collect()
}

fn weather() -> ToolDef {
    ToolDef::new("weather", Constant::returns(json!("rain"))).with_effect(Effect::Read)
}

/// R25: a plan of three steps is three bounded loops of `ReAct`. A step that does not end stops at its limit.
#[tokio::test]
async fn r25_a_plan_of_three_steps() {
    let planner = Agent::new("Plan {{task}}.")
        .with_name("planner")
        .with_signature("(task :string) -> [:string]")
        .unwrap()
        .with_answers(Answers::Json);
    let step = Agent::new("Do the step {{step}}.")
        .with_name("step")
        .with_signature("(step :string) -> :string")
        .unwrap()
        .with_answers(Answers::React)
        .with_tool(weather())
        .with_max_turns(2);
    let source = "(let [plan (tool/planner {:task ctx/task})]
       (flow/each plan (fn [step] (tool/step {:step step})) {:on-error :continue :max 5}))";
    let agent = Agent::workflow(source)
        .with_signature("(task :string) -> :any")
        .unwrap()
        .with_tool(ToolDef::agent(planner))
        .with_tool(ToolDef::agent(step));
    let act = || Reply::new("Thought: I look.\nAction: weather\nAction Input: {}");
    let done = |text: &str| Reply::new(format!("Final Answer: {text}"));
    let model = Scripts::new(vec![
        Reply::new("[\"look\", \"wander\", \"tell\"]"),
        act(),
        done("rain"),
        act(),
        act(),
        done("told"),
    ]);
    let (report, records) = run(&agent, json!({"task": "a walk"}), &model).await;
    let wandered = "tool `step`: was stopped (turns): no turn is left after 2, and the last reply has no \
                    answer";
    let results = &report.value;
    assert_eq!(results.to_json().unwrap()[1]["error"]["message"], wandered);
    assert_eq!(
        (&results.to_json().unwrap()[0], &results.to_json().unwrap()[2]),
        (&json!({"ok": "rain"}), &json!({"ok": "told"}))
    );
    assert_eq!(
        below(&records),
        [
            ("planner", 1, None),
            ("step", 2, None),
            ("step", 2, Some(Stop::Turns)),
            ("step", 1, None),
        ]
    );
}

/// M30: the body of a loop is a tool, a sub-agent, or a question to a model.
#[tokio::test]
async fn m30_bodies_of_loops() {
    let double =
        Agent::workflow("(* 2 ctx/n)").with_name("double").with_signature("(n :int) -> :int");
    let question = Agent::new("Is {{n}} odd?")
        .with_name("odd")
        .with_signature("(n :int) -> :bool")
        .unwrap()
        .with_answers(Answers::Json);
    let source = "(mapv (fn [name] (flow/each [1 2] (fn [n] (call name {:n n}))))
                        [\"weather\" \"double\" \"odd\"])";
    let agent = Agent::workflow(source)
        .with_tool(weather())
        .with_tool(ToolDef::agent(double.unwrap()))
        .with_tool(ToolDef::agent(question));
    let model =
        Model(|text: &str| Reply::new(if text.contains("Is 1 odd?") { "true" } else { "false" }));
    let (report, _) = run(&agent, json!({}), &model).await;
    assert_eq!(report.value, json!([["rain", "rain"], [2, 4], [true, false]]));
}

/// M32: loops nest through sub-agents, as deep as the budget allows.
#[tokio::test]
async fn m32_nested_loops() {
    let level = |source: &str| {
        let budget = RunBudget::default().with_depth(5).with_turns(1000);
        Agent::workflow(source).with_name("level").with_budget(budget)
    };
    let nested = |levels: u32| {
        let source = "(apply + (flow/each [1 2] (fn [_] (tool/level {}))))";
        (0..levels).fold(level("1"), |inner, _| level(source).with_tool(ToolDef::agent(inner)))
    };
    let check = async |levels: u32, expected: Result<Value, &str>| {
        let agent = nested(levels);
        let report = Mission::new(&agent, json!({})).run(&NoModel).await.unwrap();
        let error =
            report.error.as_ref().map(|it| it.message.rsplit("tool `level`: ").next().unwrap());
        assert_eq!(error.map_or(Ok(report.value.to_json().unwrap()), Err), expected);
    };
    check(5, Ok(json!(32))).await;
    check(6, Err("agent `level` allows 5 levels of sub-agents below it (`[budget] depth`)")).await;
}

/// M119: the caller maps values of its payload to the inputs of an agent, and its result to a path of the payload.
#[tokio::test]
async fn m119_mapped_inputs_and_results() {
    let child = Agent::workflow("{:greeting (str \"Dear \" ctx/name) :all ctx/parent}")
        .with_name("child")
        .with_signature("(name :string, parent :any) -> :any")
        .unwrap();
    let source =
        "(do (payload/put [:x] (tool/child {:name payload/customer :parent (payload/get [])}))
                      (payload/put [:letter] (get payload/x \"greeting\")))";
    let start = json!({"customer": "Ada", "n": 1});
    let agent = Agent::workflow(source)
        .with_payload(PayloadDef::new().with_start(start.clone()).unwrap())
        .with_tool(ToolDef::agent(child));
    let (report, records) = run(&agent, json!({}), &NoModel).await;
    let x = json!({"greeting": "Dear Ada", "all": start});
    let end = json!({"customer": "Ada", "n": 1, "x": x, "letter": "Dear Ada"});
    assert_eq!(serde_json::to_value(report.payload).unwrap(), end);
    // The agent has no payload of its own.
    assert!(records[1].payload.is_none());
}

/// P22: an agent that is a prompt and nothing else has a whole system prompt in every style, with no data and no tools.
#[test]
fn p22_defaults_render() {
    let decisions = Answers::Decisions(DecisionsStyle::default());
    let styles = [Answers::default(), Answers::Tools, Answers::React, decisions, Answers::Json];
    for answers in styles {
        let agent = Agent::new("Report.").with_answers(answers);
        let mission = Mission::new(&agent, json!({}));
        let prompt = mission.system_prompt().unwrap().text() + &mission.opening().unwrap();
        assert!(prompt.contains("Report.") && !prompt.contains("undefined"), "{prompt}");
        assert_eq!(mission.warnings().unwrap().len(), 0);
        assert!(
            mission
                .native_tools()
                .unwrap()
                .iter()
                .all(|it| it.name == "return" || it.name == "fail")
        );
    }
}

/// M1, M9: one run has the system prompt of its style, which contains the prompt of the agent, and its sub-agents have
/// theirs. The parts of a prompt have a fixed order.
#[tokio::test]
async fn m1_m9_prompts_of_a_tree() {
    let child = Agent::new("Count {{what}}.")
        .with_name("counter")
        .with_signature("(what :string) -> :int")
        .unwrap()
        .with_max_turns(1);
    let agent = Agent::new("Report the number of sheep.").with_tool(ToolDef::agent(child));
    let model = Scripts::new(vec![
        Reply::new(program("(return (tool/counter {:what \"sheep\"}))")),
        Reply::new(program("3")),
    ]);
    let (report, records) = run(&agent, json!({}), &model).await;
    assert_eq!(report.value, json!(3));
    for (record, mission) in records.iter().zip(["Report the number of sheep.", "Count sheep."]) {
        let headings = record.setup.system.lines().filter(|it| it.starts_with("# "));
        let headings: Vec<&str> = headings.collect();
        let sections = [
            "# Role",
            "# Rules",
            "# Data Inventory",
            "# Available Tools",
            "# PTC-Lisp Quick Reference",
            "# Output Format",
            "# Mission",
        ];
        assert_eq!(headings, sections);
        let (_, last) = record.setup.system.rsplit_once("# Mission").unwrap();
        assert!(last.contains(mission), "{last}");
    }
}

/// M8: a run that is started as a task, and one that is a call of another run, end as one that is waited for.
#[tokio::test]
async fn m8_ways_to_run_an_agent() {
    let agent = Agent::workflow("(do (payload/put [:n] 1) {:double (* 2 ctx/n)})")
        .with_name("double")
        .with_signature("(n :int) -> :any")
        .unwrap()
        .with_payload(PayloadDef::new());
    let shape = |report: &RunReport| {
        let json = report.to_json().with("run", Data::default());
        json.with("seed", Data::default())
    };
    let (direct, _) = run(&agent, json!({"n": 4}), &NoModel).await;
    let task = agent.clone();
    let task =
        tokio::spawn(
            async move { Mission::new(&task, json!({"n": 4})).run(&NoModel).await.unwrap() },
        );
    assert_eq!(shape(&task.await.unwrap()), shape(&direct));
    let caller = Agent::workflow("(tool/double {:n 4})").with_tool(ToolDef::agent(agent));
    let (report, records) = run(&caller, json!({}), &NoModel).await;
    assert_eq!(report.value, direct.value);
    let child = &records[1];
    assert_eq!((&child.value, child.summary.status), (&direct.value, direct.status));
}

/// The debugger has the changes of the payload by sub-agents, and the loop that one of them ended.
#[test]
fn a_debugger_has_the_changes_of_sub_agents() {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let part = |name: &str, source: &str| {
        let part = Agent::workflow(source).with_name(name).with_payload(PayloadDef::new());
        ToolDef::agent(part)
    };
    let source = "(do (payload/put [:n] 0)
       (let [ended (flow/loop [:count :stop] {:max 9})] [payload/n (:passes ended) (:ended_by ended)]))";
    let agent = Agent::workflow(source)
        .with_payload(PayloadDef::new())
        .with_tool(part("count", "(payload/put [:n] (inc payload/n))"))
        .with_tool(part("stop", "(when (= payload/n 3) (call \"exit_loop\" {}))"));
    let store = Store::in_memory().unwrap();
    let mission = Mission::new(&agent, json!({})).record_in(&store);
    let report = runtime.block_on(mission.run(&NoModel)).unwrap();
    assert_eq!(report.value, json!([3, 3, "exit_loop"]), "{:?}", report.error);
    let program = ProgramOnRecord::of(&store, report.run.as_str(), None).unwrap();
    let session = || runtime.block_on(program.session()).unwrap();
    let answers = |call: &ToolCall| program.answer(&call.id.to_string());
    let effects = |call: &ToolCall| program.effects(call);
    let debugger = Debugger::new(&session, program.source(), &answers).unwrap();
    let trace = debugger.with_effects(&effects).trace(0);
    let Outcome::Value(value) = trace.ended.outcome else { panic!("{:?}", trace.ended.outcome) };
    assert_eq!(value.to_string(), "[3 3 \"exit_loop\"]");
    assert_eq!(u64::from(trace.ended.tool_calls), report.tool_calls);
}
