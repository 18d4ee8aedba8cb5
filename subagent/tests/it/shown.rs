//! Characters that move or hide text: no model reads them, whatever their source. Programs, tools and records have the
//! exact text.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex};

use ptc_signatures::shown::{UNSAFE, is_unsafe};
use ptc_subagent::provider::{BoxFuture, ModelCall, Provider, ProviderError, Reply, Request, Role};
use ptc_subagent::store::Store;
use ptc_subagent::tool::{Effect, FnTool, ToolDef, ToolError};
use ptc_subagent::{Agent, Answers, DecisionsStyle, Mission, Transcript};
use serde_json::{Value, json};

use crate::support::program;

/// The ends of every range of such characters.
fn raw() -> String {
    UNSAFE.iter().flat_map(|(first, last)| [*first, *last]).collect()
}

/// A model that keeps all that it is shown.
struct Watched {
    replies: Mutex<VecDeque<Reply>>,
    shown: Arc<Mutex<Vec<String>>>,
}

impl Provider for Watched {
    fn complete<'a>(&'a self, request: &'a Request) -> BoxFuture<'a, Result<Reply, ProviderError>> {
        let mut shown = self.shown.lock().unwrap();
        shown.push(request.system.text());
        for message in request.messages.iter().filter(|it| it.role == Role::User) {
            shown.push(message.text.clone());
            shown.extend(message.results.iter().map(|it| it.text.clone()));
        }
        for tool in &request.tools {
            shown.extend([tool.name.clone(), tool.description.clone()]);
            texts(&tool.parameters, &mut shown);
        }
        let reply = self.replies.lock().unwrap().pop_front().unwrap();
        Box::pin(std::future::ready(Ok(reply)))
    }

    fn name(&self) -> String {
        "watched".to_string()
    }
}

/// Adds the texts and the keys of a value.
fn texts(value: &Value, all: &mut Vec<String>) {
    match value {
        Value::String(text) => all.push(text.clone()),
        Value::Array(items) => items.iter().for_each(|it| texts(it, all)),
        Value::Object(fields) => fields.iter().for_each(|(key, value)| {
            all.push(key.clone());
            texts(value, all);
        }),
        _ => {}
    }
}

/// Returns an agent with the characters in every text of its own and of its tools.
fn agent(answers: &Answers, received: &Arc<Mutex<Vec<Value>>>) -> Agent {
    let seen = Arc::clone(received);
    let say = FnTool::new(move |args: Value, _| {
        let text = args["text"].as_str().unwrap_or_default().to_string();
        seen.lock().unwrap().push(args);
        std::future::ready(if text.starts_with("fail") {
            Err(ToolError::failed(format!("cannot: {}", raw())))
        } else {
            Ok(json!({ "said": raw(), raw(): [raw()] }))
        })
    });
    let quoted = raw().replace('\u{b}', "");
    let signature =
        format!("(text :string \"{quoted}\", :\"k{quoted}\" :enum[\"{quoted}\"]?) -> :any");
    let tool = ToolDef::new("say", say)
        .with_signature(&signature)
        .unwrap()
        .with_description(format!("Says {}", raw()))
        .with_effect(Effect::Read);
    let signature =
        format!("(text :string \"{quoted}\", data :any) -> {{answer :string \"{quoted}\"}}");
    let agent = Agent::new(format!("Say {{{{text}}}} {}", raw()))
        .with_description(raw())
        .with_signature(&signature)
        .unwrap()
        .with_answers(answers.clone())
        .with_max_turns(6)
        .with_transcript(Transcript::default().with_window(1));
    if *answers == Answers::Json { agent } else { agent.with_tool(tool) }
}

/// Returns the replies: a call, a call that fails, a reply of the wrong form, an answer of the wrong type, and the answer.
fn replies(answers: &Answers) -> Vec<Reply> {
    let call = |args: Value| match answers.name() {
        "program" => {
            let args = ptc_lisp::print::readable(&ptc_lisp::json::from_serde(&args));
            Reply::new(program(&format!("(println ctx/text) (tool/say {args})")))
        }
        "tools" => {
            let (id, name) = ("c".to_string(), "say".to_string());
            let calls = vec![ModelCall { id, name, arguments: args.to_string() }];
            Reply { calls, ..Reply::new("") }
        }
        "react" => Reply::new(format!("Action: say\nAction Input: {args}")),
        _ => {
            let actions = json!([{"name": "say", "params": args}]);
            let next = json!({"type": "Actions", "actions": actions});
            Reply::new(json!({ "nextStep": next }).to_string())
        }
    };
    let answer = |value: Value| match answers.name() {
        "program" => {
            let value = ptc_lisp::print::readable(&ptc_lisp::json::from_serde(&value));
            Reply::new(program(&format!("(return {value})")))
        }
        "tools" => {
            let (id, name) = ("end".to_string(), "return".to_string());
            let calls = vec![ModelCall { id, name, arguments: value.to_string() }];
            Reply { calls, ..Reply::new("") }
        }
        "react" => Reply::new(format!("Final Answer: {value}")),
        "decisions" => Reply::new(json!({"taskComplete": true, "result": value}).to_string()),
        _ => Reply::new(value.to_string()),
    };
    let mut all = vec![
        Reply::new(format!("nothing {}", raw())),
        answer(json!({ "answer": 7, raw(): raw() })),
        answer(json!({ "answer": raw() })),
    ];
    if *answers != Answers::Json {
        let failing = json!({"text": format!("fail {}", raw())});
        all.splice(0..0, [call(json!({"text": raw()})), call(failing)]);
    }
    all
}

#[tokio::test]
async fn no_model_reads_characters_that_move_or_hide_text() {
    let styles = [
        Answers::Program,
        Answers::Tools,
        Answers::React,
        Answers::Decisions(DecisionsStyle::WHOLE),
        Answers::Json,
    ];
    for answers in &styles {
        let (shown, received) = (Arc::default(), Arc::default());
        let provider =
            Watched { replies: Mutex::new(replies(answers).into()), shown: Arc::clone(&shown) };
        let input = json!({"text": raw(), "data": [{ raw(): raw(), "n": 1 }]});
        let store = Store::in_memory().unwrap();
        let agent = agent(answers, &received);
        let mission = Mission::new(&agent, input.clone()).record_in(&store);
        let report = mission.run(&provider).await.unwrap();
        assert_eq!(report.error, None, "{answers:?}");
        for text in shown.lock().unwrap().iter() {
            let found = text.chars().find(|c| is_unsafe(*c));
            assert_eq!(found, None, "{answers:?}: {text:?}");
        }
        let all = shown.lock().unwrap().join("\n");
        assert!(all.contains("\\u202e") && all.contains("\\udb43\\udfff"), "{all}");
        // Programs, tools and records have the text itself.
        assert_eq!(report.value, json!({ "answer": raw() }), "{answers:?}");
        let record = store.show(report.run.as_str()).unwrap();
        let recorded: Value = serde_json::from_str(&record.setup.input.to_string()).unwrap();
        assert_eq!(recorded, input, "{answers:?}");
        if *answers != Answers::Json {
            assert_eq!(received.lock().unwrap()[0]["text"], raw(), "{answers:?}");
            let mut results = record.turn_records.iter().flat_map(|it| &it.calls);
            let result = results.find_map(|it| it.result.as_ref()).unwrap();
            assert_eq!(result.to_json().unwrap()["said"], raw(), "{answers:?}");
        }
    }
}
