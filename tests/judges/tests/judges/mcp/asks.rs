//! Questions and models of a client: elicitation in both revisions of the protocol, and sampling in the older one.

use std::collections::BTreeMap;
use std::sync::Arc;

use ptc_mcp::{AgentServer, Served};
use ptc_subagent::provider::NoModel;
use ptc_subagent::store::Store;
use ptc_subagent::tool::{Effect, FnTool, ToolDef};
use ptc_subagent::{Agent, Ask, Policy};
use rmcp::model::CallToolResponse;
use rmcp::service::ClientLifecycleMode;
use serde_json::{Value, json};

use super::code::{ask, text_of};
use super::server::{Answer, Client, Way, connect, params, shown, ways};

fn workflow(program: &str) -> Served {
    let agent = Agent::workflow(program).with_name("desk");
    Served { agent, provider: Some(Box::new(NoModel)) }
}

fn serve(served: Served) -> (AgentServer, Arc<Store>) {
    let store = Arc::new(Store::in_memory().unwrap());
    (AgentServer::new([served], Arc::clone(&store)).unwrap(), store)
}

/// Calls the only agent. Returns its result, and the questions that the client was asked.
async fn call(
    served: Served,
    way: Way,
    mode: ClientLifecycleMode,
    client: Client,
) -> (Value, Vec<Value>) {
    let (server, _) = serve(served);
    let connected = connect(&server, way, mode, client.clone()).await;
    let result = connected.call_tool(params("desk", &json!({}))).await.unwrap();
    let asked = client.asked.lock().unwrap().clone();
    (shown(&result), asked)
}

const FORM: &str = "(ask {:title \"Pay 26 euros?\" :help \"For a cable.\" :fields [\
    {:id \"approved\" :type \":bool\" :label \"Approve it?\"} \
    {:id \"size\" :type \":int\" :choices [{:value 1 :label \"Small\"} {:value 2 :label \"Large\"}]} \
    {:id \"color\" :type \":enum[red blue]\" :default \"red\"} \
    {:id \"due\" :control \"date\" :default \"2026-12-01\"} \
    {:id \"share\" :type \":float[0..1]\" :default 0.5} \
    {:id \"lines\" :type \"[:int]\" :help \"Of the order\" :default [1 2]} \
    {:id \"tags\" :type \"[:enum[new old]]\" :default [\"new\"]} \
    {:id \"mail\" :control \"email\" :default \"ada@example.com\"} \
    {:id \"note\" :type \":string[..20]?\"}]})";

#[tokio::test(flavor = "multi_thread")]
async fn a_form_of_a_run_is_a_form_of_the_client() {
    let schema = json!({
        "type": "object",
        "properties": {
            "approved": {"type": "boolean", "title": "Approve it?"},
            "size": {
                "type": "string", "title": "size",
                "oneOf": [{"const": "1", "title": "Small"}, {"const": "2", "title": "Large"}],
            },
            "color": {"type": "string", "title": "color", "enum": ["red", "blue"], "default": "red"},
            "due": {"type": "string", "title": "due", "format": "date", "default": "2026-12-01"},
            "share": {
                "type": "number", "title": "share", "minimum": 0.0, "maximum": 1.0, "default": 0.5,
            },
            "lines": {
                "type": "string", "title": "lines", "default": "[1,2]",
                "description": "Of the order. JSON of the type `[:int]`",
            },
            "tags": {
                "type": "array", "title": "tags", "default": ["new"],
                "items": {"type": "string", "enum": ["new", "old"]},
            },
            "mail": {
                "type": "string", "title": "mail", "format": "email", "default": "ada@example.com",
            },
            "note": {"type": "string", "title": "note", "maxLength": 20},
        },
        "required": ["approved", "size"],
    });
    for (way, mode) in ways() {
        let client = Client::asked_with([
            Answer::Accept(json!({"approved": true, "size": "7"})),
            Answer::Accept(json!({
                "approved": true, "size": "2", "lines": "[3]", "tags": ["old"], "note": "soon",
            })),
        ]);
        let (result, asked) = call(workflow(FORM), way, mode.clone(), client).await;
        let expected = json!({
            "approved": true, "size": 2, "color": "red", "due": "2026-12-01", "share": 0.5,
            "lines": [3], "tags": ["old"], "mail": "ada@example.com", "note": "soon",
        });
        assert_eq!(result, json!({"result": expected}), "{way:?} {mode:?}");
        assert_eq!(asked.len(), 2, "{way:?} {mode:?}");
        let found = &asked[0]["requestedSchema"];
        for (name, property) in schema["properties"].as_object().unwrap() {
            assert_eq!(&found["properties"][name], property, "{name}");
        }
        assert_eq!(found, &schema, "{way:?} {mode:?}");
        assert_eq!(asked[0]["message"], "Pay 26 euros?\n\nFor a cable.");
        assert_eq!(
            asked[1]["message"],
            "Pay 26 euros?\n\nFor a cable.\n\nThe answer was refused: `size`: 7 is not one of 1, 2",
            "{way:?} {mode:?}"
        );
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_question_without_an_answer_leaves_the_run_waiting() {
    let long = format!("(ask \"{}\")", "long ".repeat(5_000));
    let accept = || Client::asked_with([Answer::Accept(json!({"answer": "1234"}))]);
    for (way, mode) in ways() {
        let cases = [
            ("(ask \"Which?\")", Client::asked_with([Answer::Decline]), 1),
            ("(ask \"Which?\")", Client::asked_with([Answer::Cancel]), 1),
            ("(ask \"Which?\")", Client::default(), 0),
            // The protocol forbids to ask for a secret.
            ("(ask {:title \"Pin?\" :secret true})", accept(), 0),
            (&long, accept(), 0),
        ];
        for (program, client, times) in cases {
            let (server, store) = serve(workflow(program));
            let connected = connect(&server, way, mode.clone(), client.clone()).await;
            let result = connected.call_tool(params("desk", &json!({}))).await.unwrap();
            let run = store.runs(1).unwrap().remove(0).run;
            let waits = format!("the run waits for an answer; `ptc answer {run}` gives it");
            assert_eq!(shown(&result), json!({"error": waits}), "{way:?} {mode:?}");
            assert_eq!(client.asked.lock().unwrap().len(), times, "{way:?} {mode:?}");
        }
    }
}

/// Serves programs over `pay`, which writes and needs a yes. The server asks a client with one answer.
async fn pay(
    (way, mode): (Way, ClientLifecycleMode),
    policy: Policy,
    answer: Answer,
    program: &str,
) -> (String, Vec<Value>) {
    let pay = FnTool::new(async |args: Value, _| Ok(json!(format!("paid {}", args["amount"]))));
    let pay = ToolDef::new("pay", pay).with_effect(Effect::Write).with_confirm(true);
    let agent = Agent::new("Run programs.").with_tool(pay).with_policy(policy);
    let server = AgentServer::of_programs(agent, Store::in_memory().unwrap()).unwrap();
    let client = Client::asked_with([answer]);
    let connected = connect(&server, way, mode, client.clone()).await;
    let result = ask(&connected, "run", "program", program).await;
    let asked = client.asked.lock().unwrap().clone();
    (result, asked)
}

#[tokio::test(flavor = "multi_thread")]
async fn a_person_allows_calls_of_programs() {
    let pays = "(println \"before\")\n\
                (try (tool/pay {:amount 26}) (catch Exception e (:message (ex-data e))))";
    let unasked = "nobody was asked: the question is too long, or the client gave no answer";
    for way in ways() {
        for (answer, expected) in [
            (Answer::Accept(json!({"allow": true})), "paid 26"),
            (
                Answer::Accept(json!({"allow": false, "reason": "Too much."})),
                "a person refused the call: Too much.",
            ),
            (Answer::Decline, "a person refused the call: the person declined"),
        ] {
            let (result, asked) = pay(way.clone(), Policy::default(), answer, pays).await;
            assert_eq!(result, format!("\"{expected}\"\nprinted:\nbefore"), "{way:?}");
            let messages: Vec<&Value> = asked.iter().map(|it| &it["message"]).collect();
            assert_eq!(messages, ["Call `pay`?\n\nwrite {\"amount\":26}"], "{way:?}");
        }
        let long = format!(
            "(try (tool/pay {{:amount \"{}\"}}) (catch Exception e (:message (ex-data e))))",
            "9".repeat(16_000)
        );
        let (result, asked) = pay(way.clone(), Policy::default(), Answer::Decline, &long).await;
        assert_eq!(result, format!("\"a person refused the call: {unasked}\""), "{way:?}");
        assert_eq!(asked, [json!(null); 0], "{way:?}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_person_allows_a_program_that_the_policy_asks_about() {
    for way in ways() {
        for (answer, expected) in [
            (Answer::Accept(json!({"allow": true})), "3"),
            (Answer::Accept(json!({"allow": false})), "error: "),
            (Answer::Decline, "error: "),
        ] {
            let policy = Policy::default().with_ask(Ask::Always);
            let (result, asked) = pay(way.clone(), policy, answer, "(+ 1 2)").await;
            assert!(result.starts_with(expected), "{way:?} {result}");
            let messages: Vec<&Value> = asked.iter().map(|it| &it["message"]).collect();
            assert_eq!(messages, ["May this program run?\n\ncalls: no tool\n(+ 1 2)"]);
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_call_continues_only_a_run_of_its_own() {
    let (server, _) = serve(workflow("(ask \"Which?\")"));
    let newest = ways().next().unwrap().1;
    let client = connect(&server, Way::Streams, newest, Client::default()).await;
    for state in ["", "01m8", "../x"] {
        let params = params("desk", &json!({})).with_request_state(state);
        let result = client.call_tool(params).await.unwrap();
        let expected = json!({"error": "no call of this server waits with this `requestState`"});
        assert_eq!(shown(&result), expected, "{state}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn the_model_of_the_client_answers() {
    let agent = || {
        let agent = Agent::new("Double {{n}}.").with_name("desk");
        let agent = agent.with_signature("(n :int) -> :int").unwrap();
        Served { agent, provider: None }
    };
    let replies = ["```clojure\n(* 2 ctx/n)\n```", "```clojure\n(return (* 2 ctx/n))\n```"];
    let none =
        "the agent answers with the model of the client, and this client offers none (`sampling`)";
    for (way, mode) in ways() {
        for offers in [true, false] {
            let client = if offers { Client::replying(replies) } else { Client::default() };
            let (server, store) = serve(agent());
            let connected = connect(&server, way, mode.clone(), client.clone()).await;
            let result = connected.call_tool(params("desk", &json!({"n": 21}))).await.unwrap();
            if !offers || !matches!(mode, ClientLifecycleMode::Initialize) {
                assert_eq!(shown(&result), json!({"error": none}), "{way:?} {mode:?}");
                continue;
            }
            assert_eq!(shown(&result), json!({"result": 42}), "{way:?}");
            let asked = client.asked.lock().unwrap().clone();
            assert_eq!(asked.len(), 2);
            let system = asked[0]["systemPrompt"].as_str().unwrap();
            assert!(system.contains("Double 21."), "{system}");
            let roles: Vec<&Value> =
                asked[1]["messages"].as_array().unwrap().iter().map(|it| &it["role"]).collect();
            assert_eq!(roles, ["user", "assistant", "user"]);
            let run = store.runs(1).unwrap().remove(0);
            assert_eq!((run.model.as_str(), run.turns), ("client", 2));
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_repeated_call_continues_the_same_program() {
    let server =
        AgentServer::of_programs(Agent::new("Run programs."), Store::in_memory().unwrap()).unwrap();
    let newest = ways().next().unwrap().1;
    let client = Client::asked_with([]);
    let connected = connect(&server, Way::Streams, newest, client).await;
    let call = |program: &str| params("run", &json!({"program": program}));
    let program = "(do (println \"before\") (str \"yes \" (ask \"Which?\")))";
    let asks = connected.call_tool_once(call(program)).await.unwrap();
    let CallToolResponse::InputRequired(asks) = asks else { panic!("{asks:?}") };
    let (requests, state) = (asks.input_requests.unwrap(), asks.request_state.unwrap());
    let answer = json!({"action": "accept", "content": {"answer": "this"}});
    let answers: BTreeMap<String, Value> =
        requests.into_keys().map(|id| (id, answer.clone())).collect();
    let other = "(do (println \"before\") (str \"no \" (ask \"Which?\")))";
    let mut results = Vec::new();
    for program in [other, program, program] {
        let params = call(program).with_request_state(&state).with_input_responses(answers.clone());
        let text = text_of(&connected.call_tool(params).await.unwrap());
        results.push(text.replace(&state, "RUN"));
    }
    assert_eq!(
        results,
        [
            "error: the program of run RUN has changed, from line 1 on; restore the program, or start a new run: \
             this run has no snapshot yet, from which another program could continue",
            "\"yes this\"\nprinted:\nbefore",
            "error: no call of this server waits with this `requestState`",
        ]
    );
}
