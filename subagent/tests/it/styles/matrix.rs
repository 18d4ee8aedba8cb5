//! One mission in every answer style and protocol: equal values, equal calls, exact replays.

use ptc_subagent::provider::{ModelCall, ModelSpec, Reply};
use ptc_subagent::replay::Replay;
use ptc_subagent::store::Store;
use ptc_subagent::tool::{Effect, FnTool, ToolDef, ToolError};
use ptc_subagent::{Agent, Answers, Data, DecisionsStyle, Mission};
use serde_json::{Value, json};

use crate::provider::options;
use crate::support::{Answer, Server, program};

/// A mission, and what its model does: calls in steps, then an answer.
struct Script {
    name: &'static str,
    signature: Option<&'static str>,
    input: Value,
    /// The calls of each step.
    steps: Vec<Vec<(&'static str, Value)>>,
    answer: Value,
}

fn script(
    name: &'static str,
    signature: Option<&'static str>,
    input: Value,
    steps: Vec<Vec<(&'static str, Value)>>,
    answer: Value,
) -> Script {
    Script { name, signature, input, steps, answer }
}

fn scripts() -> Vec<Script> {
    let price = |id: i64| ("price", json!({"id": id}));
    vec![
        script("a text", Some("(n :int) -> :string"), json!({"n": 1}), vec![], json!("one")),
        script("a number", Some("(n :int) -> :int"), json!({"n": 1}), vec![], json!(2)),
        script(
            "a record",
            Some("(n :int) -> {a :int, b [:string]}"),
            json!({"n": 1}),
            vec![],
            json!({"a": 1, "b": ["x", "ü \"q\" \\ \n"]}),
        ),
        script(
            "an optional",
            Some("(n :int) -> {a :float?}"),
            json!({"n": 1}),
            vec![],
            json!({"a": null}),
        ),
        script(
            "one call",
            Some("(id :int) -> :float"),
            json!({"id": 7}),
            vec![vec![price(7)]],
            json!(14.0),
        ),
        script(
            "calls side by side",
            Some("(ids [:int]) -> [:float]"),
            json!({"ids": [1, 2, 3]}),
            vec![vec![price(1), price(2), price(3)]],
            json!([2.0, 4.0, 6.0]),
        ),
        script(
            "calls in steps",
            Some("(id :int) -> {kept :bool}"),
            json!({"id": 4}),
            vec![vec![price(4)], vec![("keep", json!({"price": 8.0, "note": "é"}))]],
            json!({"kept": true}),
        ),
        script(
            "a call that fails",
            None,
            json!({}),
            vec![vec![price(-1)], vec![price(1)]],
            json!("2.0"),
        ),
        script(
            "a failure beside others",
            Some("() -> [:float]"),
            json!({}),
            vec![vec![price(1), price(-1), price(2)]],
            json!([2.0, 4.0]),
        ),
        script(
            "a large integer",
            Some("(id :int) -> :int"),
            json!({"id": 1}),
            vec![vec![("echo", json!({"value": 9_007_199_254_740_993_i64}))]],
            json!(9_007_199_254_740_993_i64),
        ),
        script(
            "nested arguments",
            None,
            json!({}),
            vec![vec![("echo", json!({"value": {"a": [1, {"b": null}], "c d": "x"}}))]],
            json!("done"),
        ),
        script(
            "a write",
            Some("() -> :string"),
            json!({}),
            vec![vec![("keep", json!({"price": 1.5, "note": "a\nb"}))], vec![price(3)]],
            json!("kept"),
        ),
        script(
            "many calls",
            Some("() -> :int"),
            json!({}),
            vec![(0..20).map(price).collect(), vec![("echo", json!({"value": []}))]],
            json!(20),
        ),
    ]
}

fn agent(script: &Script, answers: &Answers) -> Agent {
    let price = FnTool::new(|args: Value, _| {
        let id = args["id"].as_i64().unwrap();
        let known = (id >= 0).then(|| json!(id as f64 * 2.0));
        std::future::ready(known.ok_or_else(|| ToolError::failed("there is no such id")))
    });
    let keep = FnTool::new(|_, _| std::future::ready(Ok(json!({"kept": true}))));
    let echo = FnTool::new(|args: Value, _| std::future::ready(Ok(args["value"].clone())));
    let mut agent = Agent::new("Do it.").with_answers(answers.clone()).with_max_turns(30);
    if let Some(signature) = script.signature {
        agent = agent.with_signature(signature).unwrap();
    }
    if *answers == Answers::Json {
        return agent;
    }
    agent
        .with_tool(
            ToolDef::new("price", price)
                .with_signature("(id :int) -> :float")
                .unwrap()
                .with_effect(Effect::Read),
        )
        .with_tool(
            ToolDef::new("keep", keep)
                .with_signature("(price :float, note :string) -> {kept :bool}")
                .unwrap()
                .with_effect(Effect::Write),
        )
        .with_tool(
            ToolDef::new("echo", echo)
                .with_signature("(value :any) -> :any")
                .unwrap()
                .with_effect(Effect::Read),
        )
}

/// Returns JSON as a literal of the language.
fn literal(value: &Value) -> String {
    ptc_lisp::print::readable(&ptc_lisp::json::from_serde(value))
}

/// Returns the replies of the model in a style.
fn replies(script: &Script, answers: &Answers) -> Vec<Reply> {
    let is_text = script.signature.is_none_or(|it| it.ends_with("-> :string"));
    let answer = &script.answer;
    let answer_text = answer.as_str().map_or_else(|| answer.to_string(), str::to_string);
    let mut replies = Vec::new();
    for (at, step) in script.steps.iter().enumerate() {
        match answers.name() {
            "program" => {
                let calls = step.iter().map(|(tool, args)| {
                    let args = literal(args);
                    format!("#(try (call \"{tool}\" {args}) (catch Exception e (ex-message e)))")
                });
                let calls: Vec<String> = calls.collect();
                replies.push(Reply::new(program(&format!("(pcalls {})", calls.join(" ")))));
            }
            "tools" => {
                let calls = step.iter().enumerate().map(|(place, (tool, args))| ModelCall {
                    id: format!("c{at}-{place}"),
                    name: (*tool).to_string(),
                    arguments: args.to_string(),
                });
                replies.push(Reply { calls: calls.collect(), ..Reply::new("") });
            }
            "react" => replies.extend(step.iter().map(|(tool, args)| {
                Reply::new(format!("Thought: next\nAction: {tool}\nAction Input: {args}"))
            })),
            _ => {
                let actions: Vec<Value> =
                    step.iter().map(|(tool, args)| json!({"name": tool, "params": args})).collect();
                let next = json!({"type": "Actions", "actions": actions});
                replies.push(Reply::new(json!({"nextStep": next}).to_string()));
            }
        }
    }
    replies.push(match answers.name() {
        "program" => Reply::new(program(&format!("(return {})", literal(answer)))),
        "tools" if !is_text => {
            let is_record = answer.is_object();
            let arguments = if is_record { answer.clone() } else { json!({"value": answer}) };
            let (id, name) = ("end".to_string(), "return".to_string());
            let call = ModelCall { id, name, arguments: arguments.to_string() };
            Reply { calls: vec![call], ..Reply::new("") }
        }
        "react" => Reply::new(format!("Thought: done\nFinal Answer: {answer_text}")),
        "decisions" => {
            let key = if is_text { "message" } else { "result" };
            Reply::new(json!({"taskComplete": true, key: answer}).to_string())
        }
        _ => Reply::new(answer_text),
    });
    replies
}

/// Returns a reply as the body of a protocol's response.
fn body(spec: &str, reply: &Reply) -> Value {
    let text = &reply.text;
    let parsed = |call: &ModelCall| serde_json::from_str::<Value>(&call.arguments).unwrap();
    match spec {
        "openai:m" => {
            let calls = reply.calls.iter().map(|it| {
                json!({"id": it.id, "type": "function",
                    "function": {"name": it.name, "arguments": it.arguments}})
            });
            let calls: Vec<Value> = calls.collect();
            json!({"choices": [{"message": {"content": text, "tool_calls": calls},
                "finish_reason": "stop"}]})
        }
        "openai-responses:m" => {
            let calls = reply.calls.iter().map(|it| {
                json!({"type": "function_call", "call_id": it.id, "name": it.name,
                    "arguments": it.arguments})
            });
            let message =
                json!({"type": "message", "content": [{"type": "output_text", "text": text}]});
            let output: Vec<Value> = [message].into_iter().chain(calls).collect();
            json!({"status": "completed", "output": output})
        }
        "anthropic:m" => {
            let calls = reply.calls.iter().map(
                |it| json!({"type": "tool_use", "id": it.id, "name": it.name, "input": parsed(it)}),
            );
            let message = json!({"type": "text", "text": text});
            let content: Vec<Value> = [message].into_iter().chain(calls).collect();
            json!({"content": content, "stop_reason": "end_turn"})
        }
        _ => {
            let calls = reply
                .calls
                .iter()
                .map(|it| json!({"function": {"name": it.name, "arguments": parsed(it)}}));
            let calls: Vec<Value> = calls.collect();
            json!({"message": {"content": text, "tool_calls": calls}, "done": true,
                "done_reason": "stop"})
        }
    }
}

/// Runs a script. Returns the value, and the calls in a fixed order: tool, arguments, and result or error.
async fn run(script: &Script, answers: &Answers, spec: &str) -> (Value, Vec<String>) {
    let name = format!("{} with {answers:?} from {spec}", script.name);
    let replies = replies(script, answers);
    let bodies = replies.iter().map(|it| Answer::Raw(200, "", body(spec, it).to_string()));
    let server = Server::start(bodies.collect()).await;
    let provider = spec.parse::<ModelSpec>().unwrap().open(&options(&server)).unwrap();
    let agent = agent(script, answers);
    let store = Store::in_memory().unwrap();
    let mission = Mission::new(&agent, Data::from(&script.input)).record_in(&store);
    let report = mission.run(&provider).await.unwrap();
    assert_eq!(report.error, None, "{name}");
    assert_eq!(server.requests().len(), replies.len(), "{name}");
    let replayed = Replay::of(&store, report.run.as_str()).unwrap().run().await.unwrap();
    assert_eq!(replayed.differences, [], "{name}");
    assert_eq!(replayed.report.unwrap(), report, "{name}");
    let record = store.show(report.run.as_str()).unwrap();
    let calls = record.turn_records.iter().flat_map(|it| &it.calls).map(|it| {
        let error = it.error.as_ref().map(|it| it.message.clone());
        json!([it.tool, it.args.to_string(), it.result, error]).to_string()
    });
    let mut calls: Vec<String> = calls.collect();
    calls.sort();
    (report.value.to_json().unwrap(), calls)
}

#[tokio::test]
async fn every_style_and_protocol_gives_the_same_value_and_calls() {
    let styles = [
        Answers::Program,
        Answers::Tools,
        Answers::React,
        Answers::Decisions(DecisionsStyle::WHOLE),
        Answers::Json,
    ];
    let specs = ["openai:m", "openai-responses:m", "anthropic:m", "ollama:m"];
    for script in scripts() {
        let mut first: Option<Vec<String>> = None;
        for answers in &styles {
            if *answers == Answers::Json && !script.steps.is_empty() {
                continue;
            }
            for spec in specs {
                let (value, calls) = run(&script, answers, spec).await;
                let name = format!("{} with {answers:?} from {spec}", script.name);
                assert_eq!(value, script.answer, "{name}");
                let asked: usize = script.steps.iter().map(Vec::len).sum();
                assert_eq!(calls.len(), asked, "{name}");
                assert_eq!(&calls, first.get_or_insert_with(|| calls.clone()), "{name}");
            }
        }
    }
}
