//! Tests of `ReAct`.

use ptc_subagent::provider::{Finish, Reply};
use ptc_subagent::tool::{Effect, FnTool, ToolDef};
use ptc_subagent::{Answers, Data, Status, Stop};
use serde_json::json;

use super::tools::{Model, agent, run};

fn step(action: &str, input: &str) -> Reply {
    Reply::new(format!("Thought: I need it.\nAction: {action}\nAction Input: {input}"))
}

/// R15 to R17, R8 to R10: the format, plain and JSON input, and errors as observations.
#[tokio::test]
async fn r8_r10_r15_r16_actions_and_observations() {
    let (agent, _) = agent(None);
    let echo = FnTool::new(|args: serde_json::Value, _| std::future::ready(Ok(args)));
    let agent = agent.with_answers(Answers::React).with_max_turns(9).with_tool(
        ToolDef::new("echo", echo)
            .with_signature("(text :string, times :int?) -> {text :string}")
            .unwrap()
            .with_effect(Effect::Read),
    );
    let model = Model::new(vec![
        step("add", "{\"x\": 1, \"y\": 2}"),
        step("echo", "hello\nworld"),
        step("nope", ""),
        step("boom", "{}"),
        step("add", "{\"x\": \"one\", \"y\": 2}"),
        step("add", "{\"x\":"),
        step("add", "5"),
        Reply::new("Thought: done.\nFinal Answer: It is\n3."),
    ]);
    let (report, record) = run(&agent, &model).await;
    assert_eq!((report.turns, report.value), (8, Data::from(json!("It is\n3."))));
    let told: Vec<&str> = record.turn_records.iter().skip(1).map(|it| it.prompt.as_str()).collect();
    assert_eq!(
        told,
        [
            "Observation: 3",
            "Observation: {\"text\":\"hello\\nworld\"}",
            "Observation: Error: Tool 'nope' not found. Available: add, boom, notes/save, echo",
            "Observation: Error executing boom: boom",
            "Observation: Error: `add` was not called: the argument `x` of the tool `add`: expected \
             int, found string \"one\"",
            "Observation: Error: the arguments of `add` are not valid JSON: the text ends where a \
             JSON value is expected at line 1, column 6",
            "Observation: Error: the arguments of `add` must be a JSON object",
        ]
    );
    let requests = model.requests();
    assert_eq!(requests[0].stop, ["Observation:"]);
    assert_eq!(requests[0].tools, []);
    let system = requests[0].system.text();
    assert!(system.contains(
        "- add: Adds two numbers.\n  Action Input: {\"type\":\"object\",\"properties\":{\"x\":"
    ));
    assert_eq!(
        requests[0].messages[0].text,
        "Find the sum of 1 and 2.\n\nYou have at most 9 replies."
    );
}

/// RT19, RT20: an observation of the model is cut, and a reply without a step is told the format.
#[tokio::test]
async fn rt19_rt20_malformed_replies() {
    let (agent, _) = agent(Some("(n :int) -> {sum :int}"));
    let agent = agent.with_answers(Answers::React).with_max_turns(6);
    let model = Model::new(vec![
        Reply::new("The sum is 3."),
        Reply { finish: Finish::Length, ..Reply::new("Thought: I") },
        Reply::new(
            "Action: add\nAction Input: {\"x\": 1, \"y\": 2}\nObservation: 7\nFinal Answer: 7",
        ),
        Reply::new("Final Answer: three"),
        Reply::new("Final Answer: {\"sum\": \"x\"}"),
        Reply::new("Final Answer: ```json\n{\"sum\": 3}\n```"),
    ]);
    let (report, record) = run(&agent, &model).await;
    assert_eq!((report.turns, report.value), (6, Data::from(json!({"sum": 3}))));
    let told: Vec<&str> = record.turn_records.iter().skip(1).map(|it| it.prompt.as_str()).collect();
    assert_eq!(
        told,
        [
            "Observation: Error: The reply has neither an action nor a final answer. Write `Action:` \
             and `Action Input:`, or `Final Answer:`.",
            "Observation: Error: your reply stops in the middle. Write a shorter one.",
            "Observation: 3\nNote: you wrote an observation yourself, and it was ignored.",
            "Observation: Error: The final answer has no JSON. Write `Final Answer:` and the JSON \
             value, and nothing else.",
            "Observation: Error: the answer is not of the type `{sum :int}`:\n- sum: expected int, \
             found string \"x\"\n\nThis is the last turn: write the final answer now.",
        ]
    );
}

/// RT19: the lines that a model makes up after the input of an action are ignored.
#[tokio::test]
async fn rt19_a_made_up_result_is_ignored() {
    let agent = agent(Some("(n :int) -> :int")).0.with_answers(Answers::React);
    let model = Model::new(vec![
        Reply::new(
            "Action: add\nAction Input: {\"x\": 1,\n\"y\": 2}\nResult: {sum :int}\n\nThe sum is 9.\nIt is {9}.",
        ),
        Reply::new("Action: add\nAction Input: {\"x\": 1\nResult: 9"),
        Reply::new("Final Answer: 3"),
    ]);
    let (report, record) = run(&agent, &model).await;
    assert_eq!((report.turns, report.value), (3, Data::from(json!(3))));
    let told: Vec<&str> = record.turn_records.iter().skip(1).map(|it| it.prompt.as_str()).collect();
    assert_eq!(
        told,
        [
            "Observation: 3",
            "Observation: Error: the arguments of `add` are not valid JSON: expected `,` or `}` at \
             line 2, column 1",
        ]
    );
}

/// RT20: three malformed replies in a row stop the run. Another reply between them starts the count anew, also after
/// a snapshot.
#[tokio::test]
async fn rt20_three_malformed_replies_stop_the_run() {
    let prose = || Reply::new("I do not know.");
    for snapshots in [false, true] {
        let agent =
            agent(None).0.with_answers(Answers::React).with_max_turns(9).with_snapshots(snapshots);
        let model = Model::new(vec![
            prose(),
            prose(),
            step("add", "{\"x\": 1, \"y\": 2}"),
            prose(),
            Reply::new(""),
            Reply { finish: Finish::Length, ..Reply::new("Thought: I") },
        ]);
        let (report, record) = run(&agent, &model).await;
        assert_eq!(
            (report.turns, report.status, report.ended_by(), report.exit_code()),
            (6, Status::Stopped, "malformed", 3)
        );
        let error = report.error.unwrap();
        assert_eq!(error.message, "3 malformed replies in a row: the reply stops before its end");
        assert_eq!(record.summary.stop, Some(Stop::Malformed));
    }
}

/// R18: an equal action gets the earlier result.
#[tokio::test]
async fn r18_equal_actions_get_the_earlier_result() {
    let (agent, _) = agent(None);
    let agent = agent.with_answers(Answers::React);
    let add = || step("add", "{\"x\": 1, \"y\": 2}");
    let model = Model::new(vec![add(), add(), Reply::new("Final Answer: 3")]);
    let (_, record) = run(&agent, &model).await;
    assert_eq!(
        record.turn_records[2].prompt,
        "Observation: You have already called add with this input. The result was: 3\nUse a \
         different approach."
    );
    assert!(record.turn_records[1].calls[0].cached);
}
