//! Native calls of tools in each protocol: requests, replies and streams, against a real listener.

use ptc_subagent::provider::{
    CallResult, Finish, Message, ModelCall, ModelSpec, Opaque, Parameters, Partial, Reply, Request,
    ToolOffer,
};
use serde_json::{Value, json};

use crate::provider::{options, request};
use crate::provider_protocols::{ask, raw};
use crate::support::{Answer, Server};

fn call(id: &str, name: &str, arguments: &str) -> ModelCall {
    ModelCall { id: id.into(), name: name.into(), arguments: arguments.into() }
}

fn result(id: &str, name: &str, text: &str) -> CallResult {
    CallResult { id: id.into(), name: name.into(), text: text.into() }
}

fn opaque(provider: &str, part: Value) -> Opaque {
    Opaque { provider: provider.into(), part }
}

/// Returns a conversation with two calls in one reply, their results, and parts of two providers.
fn conversation() -> Request {
    let mut asks = Message::assistant("Let me see.");
    asks.calls = vec![call("a", "add", r#"{"x": 1}"#), call("b", "crm/find", "{")];
    asks.opaque = vec![
        opaque("anthropic", json!({"type": "thinking", "thinking": "hm", "signature": "s"})),
        opaque("openai-responses", json!({"type": "reasoning", "encrypted_content": "e"})),
    ];
    let results = vec![result("a", "add", "2"), result("b", "crm/find", "Error: no")];
    let mut more = Message::assistant("");
    more.calls = vec![call("c", "add", "{}")];
    Request {
        messages: vec![
            Message::user("one"),
            asks,
            Message::user("Last turn.").with_results(results),
            more,
            Message::user("").with_results(vec![result("c", "add", "3")]),
        ],
        tools: vec![ToolOffer {
            name: "add".into(),
            description: "Adds.".into(),
            parameters: json!({"type": "object"}),
        }],
        stop: vec!["Observation:".into()],
        ..request()
    }
}

async fn check_body(spec: &str, request: &Request, expected: Value) {
    let (_, server) = ask(spec, request, vec![raw(400, "")]).await;
    assert_eq!(server.bodies(), [expected], "{spec}");
}

#[tokio::test]
async fn r4_r5_requests_of_chat_completions() {
    let function = |id: &str, name: &str, arguments: &str| json!({"id": id, "type": "function", "function": {"name": name, "arguments": arguments}});
    let mut expected = json!({
        "model": "m",
        "messages": [
            {"role": "system", "content": "be brief"},
            {"role": "user", "content": "one"},
            {"role": "assistant", "content": "Let me see.", "tool_calls": [
                function("a", "add", r#"{"x": 1}"#), function("b", "crm_find", "{")]},
            {"role": "tool", "tool_call_id": "a", "content": "2"},
            {"role": "tool", "tool_call_id": "b", "content": "Error: no"},
            {"role": "user", "content": "Last turn."},
            {"role": "assistant", "content": null, "tool_calls": [function("c", "add", "{}")]},
            {"role": "tool", "tool_call_id": "c", "content": "3"},
        ],
        "temperature": 0.0,
        "tools": [{"type": "function", "function":
            {"name": "add", "description": "Adds.", "parameters": {"type": "object"}}}],
        "stop": ["Observation:"],
    });
    check_body("openai:m", &conversation(), expected.clone()).await;
    expected["tool_choice"] = json!("none");
    check_body("openai:m", &Request { wants_text: true, ..conversation() }, expected).await;
}

#[tokio::test]
async fn r4_r5_requests_of_responses() {
    let mut expected = json!({
        "model": "m",
        "instructions": "be brief",
        "input": [
            {"role": "user", "content": "one"},
            {"type": "reasoning", "encrypted_content": "e"},
            {"role": "assistant", "content": "Let me see."},
            {"type": "function_call", "call_id": "a", "name": "add", "arguments": "{\"x\": 1}"},
            {"type": "function_call", "call_id": "b", "name": "crm_find", "arguments": "{"},
            {"type": "function_call_output", "call_id": "a", "output": "2"},
            {"type": "function_call_output", "call_id": "b", "output": "Error: no"},
            {"role": "user", "content": "Last turn."},
            {"type": "function_call", "call_id": "c", "name": "add", "arguments": "{}"},
            {"type": "function_call_output", "call_id": "c", "output": "3"},
        ],
        "store": false,
        "tools": [{"type": "function", "name": "add", "description": "Adds.",
            "parameters": {"type": "object"}, "strict": false}],
        "reasoning": {"effort": "medium"},
        "include": ["reasoning.encrypted_content"],
    });
    let parameters = Parameters { effort: Some(50), ..Parameters::default() };
    let request = Request { parameters, ..conversation() };
    check_body("openai-responses:m", &request, expected.clone()).await;
    expected["tool_choice"] = json!("none");
    check_body("openai-responses:m", &Request { wants_text: true, ..request }, expected).await;
}

#[tokio::test]
async fn r4_r5_requests_of_messages() {
    let mut expected = json!({
        "model": "m",
        "system": [{"type": "text", "text": "be brief", "cache_control": {"type": "ephemeral"}}],
        "max_tokens": 4096,
        "temperature": 0.0,
        "messages": [
            {"role": "user", "content": "one"},
            {"role": "assistant", "content": [
                {"type": "thinking", "thinking": "hm", "signature": "s"},
                {"type": "text", "text": "Let me see."},
                {"type": "tool_use", "id": "a", "name": "add", "input": {"x": 1}},
                {"type": "tool_use", "id": "b", "name": "crm_find", "input": {}},
            ]},
            {"role": "user", "content": [
                {"type": "tool_result", "tool_use_id": "a", "content": "2"},
                {"type": "tool_result", "tool_use_id": "b", "content": "Error: no"},
                {"type": "text", "text": "Last turn."},
            ]},
            {"role": "assistant", "content": [
                {"type": "tool_use", "id": "c", "name": "add", "input": {}}]},
            {"role": "user", "content": [
                {"type": "tool_result", "tool_use_id": "c", "content": "3",
                    "cache_control": {"type": "ephemeral"}}]},
        ],
        "tools": [{"name": "add", "description": "Adds.", "input_schema": {"type": "object"}}],
        "stop_sequences": ["Observation:"],
    });
    check_body("anthropic:m", &conversation(), expected.clone()).await;
    expected["tool_choice"] = json!({"type": "none"});
    check_body("anthropic:m", &Request { wants_text: true, ..conversation() }, expected).await;
}

#[tokio::test]
async fn r4_r5_requests_of_ollama() {
    let function =
        |name: &str, arguments: Value| json!({"function": {"name": name, "arguments": arguments}});
    let mut expected = json!({
        "model": "m",
        "messages": [
            {"role": "system", "content": "be brief"},
            {"role": "user", "content": "one"},
            {"role": "assistant", "content": "Let me see.", "tool_calls": [
                function("add", json!({"x": 1})), function("crm_find", json!({}))]},
            {"role": "tool", "tool_name": "add", "content": "2"},
            {"role": "tool", "tool_name": "crm/find", "content": "Error: no"},
            {"role": "user", "content": "Last turn."},
            {"role": "assistant", "content": "", "tool_calls": [function("add", json!({}))]},
            {"role": "tool", "tool_name": "add", "content": "3"},
        ],
        "stream": false,
        "truncate": false,
        "options": {"temperature": 0.0, "stop": ["Observation:"]},
        "tools": [{"type": "function", "function":
            {"name": "add", "description": "Adds.", "parameters": {"type": "object"}}}],
    });
    check_body("ollama:m", &conversation(), expected.clone()).await;
    expected.as_object_mut().unwrap().remove("tools");
    check_body("ollama:m", &Request { wants_text: true, ..conversation() }, expected).await;
}

/// Compares the reply that is read from a complete body and from a stream.
async fn check_reply(spec: &str, body: &Value, stream: (&'static str, &str), expected: &Reply) {
    let (reply, _) = ask(spec, &conversation(), vec![raw(200, &body.to_string())]).await;
    assert_eq!(reply.as_ref(), Ok(expected), "{spec} {body}");
    let (kind, stream) = stream;
    let bytes: Vec<Vec<u8>> = stream.bytes().map(|it| vec![it]).collect();
    let server = Server::start(vec![Answer::Chunks(kind, bytes, true)]).await;
    let provider = spec.parse::<ModelSpec>().unwrap().open(&options(&server)).unwrap();
    let request = Request { streamed: true, ..conversation() };
    let mut told = String::new();
    let mut on = |partial: Partial<'_>| {
        if let Partial::Text(text) = partial {
            told.push_str(text);
        }
    };
    let reply = provider.ask(&request, &mut on).await;
    assert_eq!(reply.as_ref(), Ok(expected), "{spec} {stream}");
    assert_eq!(told, expected.text, "{spec}");
}

fn events(all: &[Value]) -> String {
    let lines: Vec<String> = all.iter().map(|it| format!("data: {it}\n\n")).collect();
    lines.concat()
}

fn expected(opaque: Vec<Opaque>) -> Reply {
    let calls = vec![call("a", "add", r#"{"x":1}"#), call("b", "find", r#"{"q":"ü"}"#)];
    Reply { calls, opaque, finish: Finish::Stop, ..Reply::new("Look.") }
}

#[tokio::test]
async fn r5_calls_of_chat_completions() {
    let function = |id: &str, name: &str, arguments: &str| json!({"id": id, "type": "function", "function": {"name": name, "arguments": arguments}});
    let calls = [function("a", "add", r#"{"x":1}"#), function("b", "find", r#"{"q":"ü"}"#)];
    let message = json!({"content": "Look.", "tool_calls": calls});
    let body = json!({"choices": [{"message": message, "finish_reason": "tool_calls"}]});
    let chunk = |delta: Value, reason: Value| json!({"choices": [{"delta": delta, "finish_reason": reason}]});
    let piece = |index: u32, arguments: &str| {
        let piece = json!({"index": index, "function": {"arguments": arguments}});
        chunk(json!({"tool_calls": [piece]}), Value::Null)
    };
    let head = |index: u32, id: &str, name: &str| {
        let function = json!({"name": name, "arguments": ""});
        let head = json!({"index": index, "id": id, "type": "function", "function": function});
        chunk(json!({"tool_calls": [head]}), Value::Null)
    };
    let stream = events(&[
        chunk(json!({"content": "Look."}), Value::Null),
        head(0, "a", "add"),
        piece(0, r#"{"x""#),
        piece(0, ":1}"),
        head(1, "b", "find"),
        piece(1, r#"{"q":"ü"}"#),
        chunk(json!({}), json!("tool_calls")),
    ]) + "data: [DONE]\n\n";
    check_reply("openai:m", &body, ("text/event-stream", &stream), &expected(vec![])).await;
    // Some servers give every call of a stream the number 0.
    let whole = |id: &str, name: &str, arguments: &str| {
        let function = json!({"name": name, "arguments": arguments});
        let call = json!({"index": 0, "id": id, "function": function});
        chunk(json!({"tool_calls": [call]}), Value::Null)
    };
    let stream = events(&[
        chunk(json!({"content": "Look."}), Value::Null),
        whole("a", "add", r#"{"x":1}"#),
        whole("b", "find", r#"{"q":"ü"}"#),
        chunk(json!({}), json!("stop")),
    ]) + "data: [DONE]\n\n";
    check_reply("openai:m", &body, ("text/event-stream", &stream), &expected(vec![])).await;
}

#[tokio::test]
async fn r5_calls_of_responses() {
    let reasoning =
        json!({"type": "reasoning", "id": "r", "summary": [], "encrypted_content": "e"});
    let message = json!({"type": "message", "content": [{"type": "output_text", "text": "Look."}]});
    let function = |id: &str, name: &str, arguments: &str| {
        json!({"type": "function_call", "id": "fc", "call_id": id, "name": name,
            "arguments": arguments})
    };
    let items = [
        reasoning.clone(),
        message.clone(),
        function("a", "add", r#"{"x":1}"#),
        function("b", "find", r#"{"q":"ü"}"#),
    ];
    let body = json!({"status": "completed", "output": items});
    let done = |index: usize| json!({"type": "response.output_item.done", "output_index": index, "item": items[index]});
    let stream = events(&[
        done(0),
        json!({"type": "response.output_text.delta", "output_index": 1, "delta": "Look."}),
        done(1),
        json!({"type": "response.function_call_arguments.delta", "output_index": 2, "delta": "{"}),
        done(2),
        done(3),
        json!({"type": "response.completed", "response": {"status": "completed"}}),
    ]);
    let expected = expected(vec![opaque("openai-responses", reasoning)]);
    check_reply("openai-responses:m", &body, ("text/event-stream", &stream), &expected).await;
}

#[tokio::test]
async fn r5_calls_of_messages() {
    let thinking = json!({"type": "thinking", "thinking": "hm so", "signature": "sig"});
    let hidden = json!({"type": "redacted_thinking", "data": "d"});
    let content = json!([
        thinking,
        hidden,
        {"type": "text", "text": "Look."},
        {"type": "tool_use", "id": "a", "name": "add", "input": {"x": 1}},
        {"type": "tool_use", "id": "b", "name": "find", "input": {"q": "ü"}},
    ]);
    let body = json!({"content": content, "stop_reason": "tool_use"});
    let start = |index: u32, block: Value| json!({"type": "content_block_start", "index": index, "content_block": block});
    let delta = |index: u32, delta: Value| json!({"type": "content_block_delta", "index": index, "delta": delta});
    let stream = events(&[
        start(0, json!({"type": "thinking", "thinking": "", "signature": ""})),
        delta(0, json!({"type": "thinking_delta", "thinking": "hm "})),
        delta(0, json!({"type": "thinking_delta", "thinking": "so"})),
        delta(0, json!({"type": "signature_delta", "signature": "sig"})),
        start(1, hidden.clone()),
        start(2, json!({"type": "text", "text": ""})),
        delta(2, json!({"type": "text_delta", "text": "Look."})),
        start(3, json!({"type": "tool_use", "id": "a", "name": "add", "input": {}})),
        delta(3, json!({"type": "input_json_delta", "partial_json": "{\"x\""})),
        delta(3, json!({"type": "input_json_delta", "partial_json": ":1}"})),
        start(4, json!({"type": "tool_use", "id": "b", "name": "find", "input": {}})),
        delta(4, json!({"type": "input_json_delta", "partial_json": "{\"q\":\"ü\"}"})),
        json!({"type": "message_delta", "delta": {"stop_reason": "tool_use"}}),
        json!({"type": "message_stop"}),
    ]);
    let expected = expected(vec![opaque("anthropic", thinking), opaque("anthropic", hidden)]);
    check_reply("anthropic:m", &body, ("text/event-stream", &stream), &expected).await;
}

#[tokio::test]
async fn r5_calls_of_ollama() {
    let function =
        |name: &str, arguments: Value| json!({"function": {"name": name, "arguments": arguments}});
    let calls = [function("add", json!({"x": 1})), function("find", json!({"q": "ü"}))];
    let line = |message: Value| json!({"message": message, "done": false}).to_string() + "\n";
    let body = json!({"message": {"content": "Look.", "tool_calls": calls}, "done": true,
        "done_reason": "stop"});
    let stream = line(json!({"content": "Look."}))
        + &line(json!({"content": "", "tool_calls": [calls[0]]}))
        + &line(json!({"content": "", "tool_calls": [calls[1]]}))
        + "{\"done\": true, \"done_reason\": \"stop\"}\n";
    let mut expected = expected(vec![]);
    expected.calls[0].id = "call-1".into();
    expected.calls[1].id = "call-2".into();
    check_reply("ollama:m", &body, ("application/x-ndjson", &stream), &expected).await;
}

/// Malformed, repeated and nameless calls are kept, each with an id of its own.
#[tokio::test]
async fn r8_r10_malformed_calls_are_kept() {
    let calls = json!([
        {"id": "a", "function": {"name": "add", "arguments": "{"}},
        {"id": "a", "function": {"arguments": {"x": 1}}},
        {"function": {"name": "add"}},
    ]);
    let body = json!({"choices": [{"message": {"content": null, "tool_calls": calls},
        "finish_reason": "tool_calls"}]});
    let (reply, _) = ask("openai:m", &conversation(), vec![raw(200, &body.to_string())]).await;
    let expected =
        [call("a", "add", "{"), call("call-1", "", r#"{"x":1}"#), call("call-2", "add", "")];
    assert_eq!(reply.unwrap().calls, expected);
}
