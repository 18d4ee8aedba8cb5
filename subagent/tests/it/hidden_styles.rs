//! Mistakes with values of hidden fields, in the styles whose replies become programs. No text of ours quotes such a value.

use ptc_subagent::provider::{ModelCall, Reply, Request};
use ptc_subagent::replay::Replay;
use ptc_subagent::store::Store;
use ptc_subagent::tool::{Effect, FnTool, ToolDef, ToolError};
use ptc_subagent::{Agent, Answers, DecisionsStyle, Mission, PayloadDef, Status};
use serde_json::{Value, json};

use crate::hidden_mistakes::{RESULT, canaries, has, parts, scrubbed};
use crate::styles::tools::Model;
use crate::support::exported;

/// Keys of events whose values are data, as those of turns and the payload are, or vary from run to run.
const DATA: [&str; 7] = ["at", "run", "elapsed", "fuel", "seed", "value", "payload"];

/// The act of a reply of the model.
enum Act {
    /// Calls of tools, side by side.
    Calls(Vec<(&'static str, Value)>),
    /// A loop of decisions.
    Loop(Value),
    /// An answer of a wrong type.
    Wrong(Value),
}

/// The replies that every style can give.
fn acts() -> Vec<Act> {
    vec![
        Act::Calls(vec![("secret", json!({}))]),
        Act::Calls(vec![("refuses", json!({"id": 1}))]),
        Act::Calls(vec![("secret", json!({})), ("refuses", json!({"id": 2}))]),
        Act::Calls(vec![("lookup", json!({"id": {"a": 1}}))]),
        Act::Calls(vec![("lookup", json!({"id": "x", "kind": "none"}))]),
        Act::Calls(vec![("wrong", json!({}))]),
        Act::Calls(vec![("wrong", json!({})), ("refuses", json!({"id": 3}))]),
        Act::Wrong(json!({"n": "x", "kind": "open"})),
    ]
}

/// The loops of decisions, in which `X` is the hidden value of a payload.
fn loops() -> Vec<Act> {
    const CONDITIONS: &[&str] = &[
        "payload.X < payload.list",
        "payload.X.a.b === 1",
        "payload.X - 'a' > 0",
        "payload.X * payload.list > 0",
        "payload.list.a.b === payload.X",
        "results[0]._key - 'a' > 0",
        "results[0]._key < payload.list",
    ];
    const PARAMS: &[&str] = &[
        r#"{"id": "customer.X"}"#,
        r#"{"id": {"a": "customer.X"}}"#,
        r#"{"id": 1, "kind": "customer.X"}"#,
        r#"{"id": "payload.X"}"#,
        r#"{"id": "customer.X.a.b"}"#,
    ];
    let conditions = CONDITIONS.iter().map(|condition| {
        let action = json!({"name": "secret", "params": {}});
        let details = json!({"condition": condition, "action": action, "maxIterations": 2});
        json!({"type": "While", "while": details})
    });
    let each = PARAMS.iter().flat_map(|params| {
        ["lookup", "refuses"].map(|name| {
            let params: Value = serde_json::from_str(params).unwrap();
            let action = json!({"name": name, "params": params});
            json!({"type": "ForEach", "forEach": {
                "collectionPath": "payload.customers", "itemVariable": "customer",
                "continueOnError": true, "action": action}})
        })
    });
    conditions.chain(each).map(Act::Loop).collect()
}

/// Returns the reply of a style.
fn reply(act: &Act, answers: &Answers, at: usize, hidden: &str) -> Reply {
    let decision = |step: Value| Reply::new(json!({"nextStep": step}).to_string());
    let call = |place: usize, name: &str, args: &Value| ModelCall {
        id: format!("c{at}-{place}"),
        name: name.to_string(),
        arguments: args.to_string(),
    };
    match (act, answers) {
        (Act::Calls(calls), Answers::Tools) => {
            let calls =
                calls.iter().enumerate().map(|(place, (name, args))| call(place, name, args));
            Reply { calls: calls.collect(), ..Reply::new("") }
        }
        (Act::Calls(calls), Answers::React) => {
            let (name, args) = calls.last().unwrap();
            Reply::new(format!("Thought: next\nAction: {name}\nAction Input: {args}"))
        }
        (Act::Calls(calls), _) => {
            let actions: Vec<Value> =
                calls.iter().map(|(name, args)| json!({"name": name, "params": args})).collect();
            decision(json!({"type": "Actions", "actions": actions}))
        }
        (Act::Loop(step), _) => {
            let step = step.to_string().replace('X', hidden);
            decision(serde_json::from_str(&step).unwrap())
        }
        (Act::Wrong(answer), Answers::Tools) => {
            Reply { calls: vec![call(0, "return", answer)], ..Reply::new("") }
        }
        (Act::Wrong(answer), Answers::React) => {
            Reply::new(format!("Thought: done\nFinal Answer: {answer}"))
        }
        (Act::Wrong(answer), _) => {
            Reply::new(json!({"taskComplete": true, "result": answer}).to_string())
        }
    }
}

/// Returns an agent whose payload has hidden values, and tools that quote them.
fn agent(answers: &Answers, hidden: &Value) -> Agent {
    let mut payload = hidden.clone();
    payload["list"] = json!([1]);
    payload["customers"] = json!([hidden, hidden]);
    let number = FnTool::new(async |_: Value, _| Ok(json!(1)));
    let quoted = hidden.as_object().unwrap().values().map(|it| match it {
        Value::String(text) => text.clone(),
        other => other.to_string(),
    });
    let message = format!("no such account: {} {RESULT}", quoted.collect::<Vec<_>>().join(" "));
    let refuses = FnTool::new(move |_: Value, _| {
        let message = message.clone();
        async move { Err::<Value, _>(ToolError::failed(message)) }
    });
    let secret = FnTool::new(async |_: Value, _| {
        Ok(json!({"_key": RESULT, "n": 1, "rows": [{"_key": RESULT, "id": 1}]}))
    });
    let wrong = FnTool::new(async |_: Value, _| Ok(json!({"_key": RESULT, "n": [RESULT]})));
    Agent::new("Go.")
        .with_answers(answers.clone())
        .with_signature("() -> {n :int, kind :enum[open closed]}")
        .unwrap()
        .with_payload(PayloadDef::new().with_start(payload).unwrap())
        .with_tool(
            ToolDef::new("lookup", number)
                .with_effect(Effect::Read)
                .with_signature("(id :int, kind :enum[open closed]?) -> :int")
                .unwrap(),
        )
        .with_tool(ToolDef::new("refuses", refuses).with_effect(Effect::Read))
        .with_tool(ToolDef::new("secret", secret).with_effect(Effect::Read))
        .with_tool(
            ToolDef::new("wrong", wrong)
                .with_signature("() -> {_key :string, n [:int]}")
                .unwrap()
                .with_effect(Effect::Read),
        )
        .with_max_turns(60)
}

/// Returns every text of a request after the first message.
fn texts(request: &Request) -> Vec<String> {
    let told = request.messages.iter().skip(1);
    told.flat_map(|it| {
        std::iter::once(it.text.clone()).chain(it.results.iter().map(|it| it.text.clone()))
    })
    .collect()
}

#[tokio::test]
async fn no_text_about_a_mistake_quotes_a_hidden_value_in_any_style() {
    let mut found = Vec::new();
    for answers in [Answers::Tools, Answers::React, Answers::Decisions(DecisionsStyle::WHOLE)] {
        for (name, canary) in canaries().as_object().unwrap() {
            let mut acts = acts();
            if answers == Answers::Decisions(DecisionsStyle::WHOLE) {
                acts.extend(loops());
            }
            acts.push(Act::Wrong(json!({"n": 1, "kind": "open"})));
            let replies = acts.iter().enumerate();
            let replies = replies.map(|(at, act)| reply(act, &answers, at, name)).collect();
            let model = Model::new(replies);
            let store = Store::in_memory().unwrap();
            let agent = agent(&answers, &canaries());
            let mission = Mission::new(&agent, json!({})).record_in(&store);
            let report = mission.run(&model).await.unwrap();
            assert_eq!(report.status, Status::Returned, "{answers:?} {name}: {:?}", report.error);
            let mut canaries = parts(canary);
            canaries.push(RESULT.to_string());
            let mut check = |place: &str, text: &str| {
                if let Some(canary) = canaries.iter().find(|it| has(text, it)) {
                    found.push(format!("{answers:?} {name} ({canary}) {place}: {text}\n"));
                }
            };
            let requests = model.requests();
            let told = texts(requests.last().unwrap());
            assert!(told.iter().any(|it| it.contains("no such account: [Hidden]")), "{told:?}");
            for text in told {
                check("told", &text);
            }
            let run = report.run.as_str();
            for line in exported(&store, run).lines() {
                let mut event: Value = serde_json::from_str(line).unwrap();
                scrubbed(&mut event);
                let is_told = ["run-started", "model-asked"]
                    .contains(&event["event"].as_str().unwrap_or_default());
                if !is_told {
                    let event = event.as_object_mut().unwrap();
                    event.retain(|it, _| !DATA.contains(&it.as_str()));
                    check("export", &Value::Object(event.clone()).to_string());
                }
            }
            let replayed = Replay::of(&store, run).unwrap().run().await.unwrap();
            assert_eq!(replayed.differences, []);
        }
    }
    assert!(found.is_empty(), "{} texts:\n{}", found.len(), found.join("\n"));
}
