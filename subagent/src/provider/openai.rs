//! The Chat Completions protocol, of OpenAI and of compatible servers.

use serde_json::{Map, Value, json};

use super::conversation::name;
use super::http::{ModelList, Protocol, RequestParts, bearer};
use super::images::data_url;
use super::reply_builder::ReplyBuilder;
use super::stream::Framing;
use super::{Cost, Finish, GrammarServer, Message, Parameters, Transport, tool};
use crate::blob::Blob;

pub(super) static PROTOCOL: Protocol = Protocol {
    prefix: "openai",
    title: "chat completions",
    vendor: "openai",
    base: "https://api.openai.com/v1",
    also: &[],
    path: "/chat/completions",
    models: ModelList { path: "/models", items: "data", name: "id" },
    reply_name: "a chat completion",
    needs_key: true,
    is_priced: true,
    key_variable: "OPENAI_API_KEY",
    absent: None,
    headers: bearer,
    framing: Framing::Events,
    body,
    read,
    event,
};

fn body(parts: &RequestParts<'_>) -> Result<Value, String> {
    let RequestParts { model, request, parameters, streamed, quirks } = parts;
    let mut messages = vec![json!({"role": "system", "content": request.system})];
    for (message, images) in request.with_images(!quirks.no_images) {
        add_message(message, &images, &mut messages);
    }
    let mut body = Map::new();
    let mut set = |key: &str, value: Value| body.insert(key.to_string(), value);
    set("model", (*model).into());
    set("messages", messages.into());
    let Parameters { temperature, max_tokens, effort } = *parameters;
    // Models with an effort refuse a temperature.
    if let Some(temperature) = temperature.filter(|_| effort.is_none() && !quirks.no_temperature) {
        set("temperature", temperature.into());
    }
    if let Some(max_tokens) = max_tokens {
        let key = if quirks.completion_tokens { "max_completion_tokens" } else { "max_tokens" };
        set(key, max_tokens.into());
    }
    if let Some(effort) = parameters.effort_word() {
        set("reasoning_effort", effort.into());
    }
    if request.transport == Transport::Tool {
        if request.grammar.is_some() {
            return Err("cannot have both a grammar and `transport = \"tool\"`".to_string());
        }
        set("tools", json!([tool::function(&tool::offer())]));
        set("tool_choice", json!({"type": "function", "function": {"name": tool::NAME}}));
    }
    if !request.tools.is_empty() {
        set("tools", request.tools.iter().map(tool::function).collect());
        if request.wants_text {
            set("tool_choice", "none".into());
        }
    }
    if !request.stop.is_empty() && !quirks.no_stop {
        set("stop", json!(request.stop));
    }
    if let Some(grammar) = &request.grammar {
        match grammar.server {
            GrammarServer::LlamaCpp => set("grammar", grammar.gbnf.as_str().into()),
            GrammarServer::Vllm => set("structured_outputs", json!({"grammar": grammar.gbnf})),
        };
    }
    if *streamed {
        set("stream", true.into());
        set("stream_options", json!({"include_usage": true}));
    }
    Ok(Value::Object(body))
}

/// Adds the JSON of a message. The result of each call is a message of its own.
fn add_message(message: &Message, images: &[&Blob], messages: &mut Vec<Value>) {
    for result in &message.results {
        messages.push(json!({"role": "tool", "tool_call_id": result.id, "content": result.text}));
    }
    if message.calls.is_empty() {
        if message.results.is_empty() || !message.text.is_empty() {
            messages.push(if images.is_empty() { message.json() } else { shown(message, images) });
        }
        return;
    }
    let calls = message.calls.iter().map(|call| {
        let function = json!({"name": name(call), "arguments": call.arguments});
        json!({"id": call.id, "type": "function", "function": function})
    });
    let calls: Vec<Value> = calls.collect();
    let content = if message.text.is_empty() { Value::Null } else { message.text.clone().into() };
    messages.push(json!({"role": "assistant", "content": content, "tool_calls": calls}));
}

/// Returns the JSON of a message with images.
fn shown(message: &Message, images: &[&Blob]) -> Value {
    let mut parts = vec![json!({"type": "text", "text": message.text})];
    parts.extend(
        images.iter().map(|it| json!({"type": "image_url", "image_url": {"url": data_url(it)}})),
    );
    json!({"role": message.role.as_str(), "content": parts})
}

fn read(body: &Value, builder: &mut ReplyBuilder) -> Result<(), &'static str> {
    let choice = body.pointer("/choices/0").ok_or("no `choices`")?;
    let message = choice.get("message").ok_or("no `message`")?;
    match message.get("content") {
        Some(Value::String(text)) => builder.push_text(text),
        Some(Value::Array(parts)) => {
            parts
                .iter()
                .filter_map(|it| it.get("text")?.as_str())
                .for_each(|it| builder.push_text(it));
        }
        // A refusal or an empty reply. The turn loop gives feedback on it.
        None | Some(Value::Null) => {
            builder.push_text(message.get("refusal").and_then(Value::as_str).unwrap_or_default());
        }
        Some(_) => return Err("`content` is not text"),
    }
    calls(message, builder);
    finish(choice, builder);
    usage(body, builder);
    Ok(())
}

fn event(chunk: &Value, builder: &mut ReplyBuilder) -> Result<(), &'static str> {
    usage(chunk, builder);
    // The last chunk has the usage but no choice.
    let Some(choice) = chunk.pointer("/choices/0") else { return Ok(()) };
    if let Some(delta) = choice.get("delta") {
        for key in ["content", "refusal"] {
            builder.push_text(delta.get(key).and_then(Value::as_str).unwrap_or_default());
        }
        calls(delta, builder);
    }
    finish(choice, builder);
    Ok(())
}

fn calls(message: &Value, builder: &mut ReplyBuilder) {
    let calls = message.get("tool_calls").and_then(Value::as_array);
    for (place, call) in calls.into_iter().flatten().enumerate() {
        let index = call.get("index").and_then(Value::as_u64).unwrap_or(place as u64);
        if builder.keeps_calls() {
            let text = |path: &str| call.pointer(path).and_then(Value::as_str).unwrap_or_default();
            builder.name_call(index, text("/id"), text("/function/name"));
        }
        match call.pointer("/function/arguments") {
            Some(Value::String(json)) => builder.push_arguments(index, json),
            // Some servers send the arguments as a JSON object.
            Some(arguments @ Value::Object(_)) => builder.push_call(index, arguments),
            _ => {}
        }
    }
}

fn finish(choice: &Value, builder: &mut ReplyBuilder) {
    let Some(reason) = choice.get("finish_reason").and_then(Value::as_str) else { return };
    builder.finish = Some(match reason {
        "stop" | "tool_calls" => Finish::Stop,
        "length" => Finish::Length,
        "content_filter" => Finish::Filtered,
        _ => Finish::Other,
    });
}

fn usage(body: &Value, builder: &mut ReplyBuilder) {
    let Some(usage) = body.get("usage").filter(|it| it.is_object()) else { return };
    let tokens = |path: &str| usage.pointer(path).and_then(Value::as_u64);
    builder.tokens.input = tokens("/prompt_tokens").or(builder.tokens.input);
    builder.tokens.output = tokens("/completion_tokens").or(builder.tokens.output);
    builder.tokens.cached =
        tokens("/prompt_tokens_details/cached_tokens").unwrap_or(builder.tokens.cached);
    // OpenRouter sends the cost of a reply.
    let cost = usage.get("cost").and_then(Value::as_f64).and_then(Cost::from_dollars);
    builder.tokens.cost = cost.or(builder.tokens.cost);
}
