//! Ollama's protocol.

use serde_json::{Map, Value, json};

use super::conversation::{arguments, name};
use super::http::{ModelList, Protocol, RequestParts, bearer};
use super::reply_builder::ReplyBuilder;
use super::stream::Framing;
use super::{Finish, Message, Parameters, Transport, tool};
use crate::blob::Blob;

pub(super) static PROTOCOL: Protocol = Protocol {
    prefix: "ollama",
    title: "Ollama's own",
    vendor: "ollama",
    base: "http://localhost:11434",
    also: &["https://ollama.com"],
    path: "/api/chat",
    models: ModelList { path: "/api/tags", items: "models", name: "name" },
    reply_name: "a reply of Ollama",
    needs_key: false,
    is_priced: false,
    key_variable: "OLLAMA_API_KEY",
    absent: Some("see whether `ollama list` has `MODEL`, or get it with `ollama pull MODEL`"),
    headers: bearer,
    framing: Framing::Lines,
    body,
    read,
    event,
};

fn body(parts: &RequestParts<'_>) -> Result<Value, String> {
    let RequestParts { model, request, parameters, streamed, quirks } = parts;
    if request.grammar.is_some() {
        return Err("does not support grammars".to_string());
    }
    let mut messages = vec![json!({"role": "system", "content": request.system})];
    for (message, images) in request.with_images(!quirks.no_images) {
        add_message(message, &images, &mut messages);
    }
    let mut body = Map::new();
    let mut set = |key: &str, value: Value| body.insert(key.to_string(), value);
    set("model", (*model).into());
    set("messages", messages.into());
    set("stream", (*streamed).into());
    // By default, the server silently drops the beginning of a conversation that is too long.
    set("truncate", false.into());
    let Parameters { temperature, max_tokens, .. } = *parameters;
    let mut options = Map::new();
    if let Some(temperature) = temperature.filter(|_| !quirks.no_temperature) {
        options.insert("temperature".to_string(), temperature.into());
    }
    if let Some(max_tokens) = max_tokens {
        options.insert("num_predict".to_string(), max_tokens.into());
    }
    if !request.stop.is_empty() {
        options.insert("stop".to_string(), json!(request.stop));
    }
    if !options.is_empty() {
        set("options", options.into());
    }
    if let Some(effort) = parameters.effort_word() {
        set("think", effort.into());
    }
    if request.transport == Transport::Tool {
        set("tools", json!([tool::function(&tool::offer())]));
    }
    // The protocol has no way to forbid calls other than to offer no tools.
    if !request.tools.is_empty() && !request.wants_text {
        set("tools", request.tools.iter().map(tool::function).collect());
    }
    Ok(Value::Object(body))
}

/// Adds the JSON of a message. The protocol has no ids: results are in the order of the calls.
fn add_message(message: &Message, images: &[&Blob], messages: &mut Vec<Value>) {
    for result in &message.results {
        let (name, text) = (&result.name, &result.text);
        messages.push(json!({"role": "tool", "tool_name": name, "content": text}));
    }
    if message.calls.is_empty() {
        if message.results.is_empty() || !message.text.is_empty() {
            let mut json = message.json();
            if !images.is_empty() {
                json["images"] = images.iter().map(|it| it.base64.as_str()).collect();
            }
            messages.push(json);
        }
        return;
    }
    let calls = message
        .calls
        .iter()
        .map(|call| json!({"function": {"name": name(call), "arguments": arguments(call)}}));
    let calls: Vec<Value> = calls.collect();
    messages.push(json!({"role": "assistant", "content": message.text, "tool_calls": calls}));
}

fn read(body: &Value, builder: &mut ReplyBuilder) -> Result<(), &'static str> {
    body.get("message").ok_or("no `message`")?;
    event(body, builder)
}

fn event(line: &Value, builder: &mut ReplyBuilder) -> Result<(), &'static str> {
    let message = &line["message"];
    builder.push_text(message["content"].as_str().unwrap_or_default());
    for (call, index) in message["tool_calls"].as_array().into_iter().flatten().zip(0..) {
        if builder.keeps_calls() {
            // Each line of a stream has complete calls and counts them anew.
            builder.add_call(&call["function"]);
            continue;
        }
        builder.push_call(index, &call["function"]["arguments"]);
    }
    if line["done"] == true {
        builder.is_over = true;
        builder.finish = line["done_reason"].as_str().map(|reason| match reason {
            "stop" => Finish::Stop,
            "length" => Finish::Length,
            _ => Finish::Other,
        });
        builder.tokens.input = line["prompt_eval_count"].as_u64();
        builder.tokens.output = line["eval_count"].as_u64();
    }
    Ok(())
}
