//! Anthropic's Messages protocol.

use reqwest::header::{HeaderMap, HeaderValue};
use secrecy::{ExposeSecret, SecretString};
use serde_json::{Map, Value, json};

use super::conversation::{arguments, name};
use super::http::{ModelList, Protocol, RequestParts, secret};
use super::reply_builder::ReplyBuilder;
use super::stream::Framing;
use super::{Finish, Message, Parameters, Transport, tool};
use crate::blob::Blob;

/// The default limit of a reply, in tokens. The protocol requires a limit. Programs are short, and the oldest models
/// allow no more.
const MAX_TOKENS: u32 = 4096;

/// The thinking budget for each step of effort, in tokens. The full effort gets 31,000 tokens.
const BUDGET: u32 = 310;

/// The smallest thinking budget that the server accepts, in tokens.
const SMALLEST_BUDGET: u32 = 1024;

pub(super) static PROTOCOL: Protocol = Protocol {
    prefix: "anthropic",
    title: "Anthropic's messages",
    vendor: "anthropic",
    base: "https://api.anthropic.com",
    also: &[],
    path: "/v1/messages",
    models: ModelList { path: "/v1/models", items: "data", name: "id" },
    reply_name: "a message",
    needs_key: true,
    is_priced: true,
    key_variable: "ANTHROPIC_API_KEY",
    absent: None,
    headers,
    framing: Framing::Events,
    body,
    read,
    event,
};

fn headers(key: Option<&SecretString>) -> Option<HeaderMap> {
    let mut headers = HeaderMap::new();
    headers.insert("anthropic-version", HeaderValue::from_static("2023-06-01"));
    if let Some(key) = key {
        headers.insert("x-api-key", secret(key.expose_secret())?);
    }
    Some(headers)
}

fn body(parts: &RequestParts<'_>) -> Result<Value, String> {
    let RequestParts { model, request, parameters, streamed, quirks } = parts;
    if request.grammar.is_some() {
        return Err("does not support grammars".to_string());
    }
    let mut body = Map::new();
    let mut set = |key: &str, value: Value| body.insert(key.to_string(), value);
    let Parameters { temperature, max_tokens, effort } = *parameters;
    let budget = effort.map(|it| (u32::from(it) * BUDGET).max(SMALLEST_BUDGET));
    set("model", (*model).into());
    // Thinking counts towards `max_tokens`, and the limit of a request is that of the reply.
    let limit = max_tokens.unwrap_or(MAX_TOKENS).saturating_add(budget.unwrap_or(0));
    set("max_tokens", limit.into());
    // The tool and the system prompt are the same in every turn of a run, and in most runs of an agent.
    let cached = json!({"type": "ephemeral"});
    set("system", json!([{"type": "text", "text": request.system, "cache_control": cached}]));
    let messages = request.with_images(!quirks.no_images);
    let mut messages: Vec<Value> =
        messages.iter().map(|(it, images)| message_json(it, images)).collect();
    // The next request begins with these messages. One request alone would pay for the cache and never read it.
    if let [_, .., newest] = messages.as_mut_slice() {
        mark_as_cached(newest, &cached);
    }
    set("messages", messages.into());
    // A model that thinks refuses a temperature.
    if let Some(temperature) = temperature.filter(|_| effort.is_none() && !quirks.no_temperature) {
        set("temperature", temperature.min(1.0).into());
    }
    if let Some(budget) = budget {
        if quirks.budget {
            set("thinking", json!({"type": "enabled", "budget_tokens": budget}));
        } else {
            set("thinking", json!({"type": "adaptive"}));
            set("output_config", json!({"effort": parameters.effort_word()}));
        }
    }
    if !request.tools.is_empty() {
        let tools = request.tools.iter().map(|it| {
            json!({"name": it.name, "description": it.description, "input_schema": it.parameters})
        });
        set("tools", tools.collect());
        if request.wants_text {
            set("tool_choice", json!({"type": "none"}));
        }
    }
    if !request.stop.is_empty() {
        set("stop_sequences", json!(request.stop));
    }
    if request.transport == Transport::Tool {
        let (name, description) = (tool::NAME, tool::DESCRIPTION);
        set(
            "tools",
            json!([{"name": name, "description": description, "input_schema": tool::parameters()}]),
        );
        // A model that thinks cannot be forced to call a tool.
        let choice = if effort.is_some() {
            json!({"type": "auto", "disable_parallel_tool_use": true})
        } else {
            json!({"type": "tool", "name": name, "disable_parallel_tool_use": true})
        };
        set("tool_choice", choice);
    }
    if *streamed {
        set("stream", true.into());
    }
    Ok(Value::Object(body))
}

/// Returns the JSON of a message. One with more than a text is a list of blocks; thinking comes first.
fn message_json(message: &Message, images: &[&Blob]) -> Value {
    let mut blocks: Vec<Value> = message.opaque_for(PROTOCOL.prefix).cloned().collect();
    blocks.extend(
        message
            .results
            .iter()
            .map(|it| json!({"type": "tool_result", "tool_use_id": it.id, "content": it.text})),
    );
    if blocks.is_empty() && message.calls.is_empty() && images.is_empty() {
        return message.json();
    }
    // The server refuses an empty text.
    if !message.text.trim().is_empty() {
        blocks.push(json!({"type": "text", "text": message.text}));
    }
    blocks.extend(images.iter().map(|it| {
        let (media_type, data) = (it.image_type(), &it.base64);
        json!({"type": "image", "source": {"type": "base64", "media_type": media_type, "data": data}})
    }));
    blocks.extend(message.calls.iter().map(
        |it| json!({"type": "tool_use", "id": it.id, "name": name(it), "input": arguments(it)}),
    ));
    json!({"role": message.role.as_str(), "content": blocks})
}

/// Has the server cache the conversation up to the end of a message.
fn mark_as_cached(message: &mut Value, mark: &Value) {
    let Some(content) = message.get_mut("content") else { return };
    if let Some(text) = content.as_str() {
        *content = json!([{"type": "text", "text": text}]);
    }
    let newest = content.as_array_mut().and_then(|it| it.last_mut()).and_then(Value::as_object_mut);
    if let Some(block) = newest {
        block.insert("cache_control".to_owned(), mark.clone());
    }
}

/// Starts a block that the conversation keeps: a call, or signed thinking.
fn start_block(block: &Value, index: u64, builder: &mut ReplyBuilder) {
    match block["type"].as_str() {
        Some("tool_use") => {
            let text = |key: &str| block[key].as_str().unwrap_or_default();
            builder.name_call(index, text("id"), text("name"));
        }
        Some("thinking" | "redacted_thinking") => {
            if let (Some(part), Value::Object(block)) = (builder.opaque(index), block) {
                part.clone_from(block);
            }
        }
        _ => {}
    }
}

fn read(message: &Value, builder: &mut ReplyBuilder) -> Result<(), &'static str> {
    let content = message.get("content").and_then(Value::as_array).ok_or("no `content`")?;
    for (block, index) in content.iter().zip(0..) {
        if builder.keeps_calls() {
            start_block(block, index, builder);
        }
        match block["type"].as_str() {
            Some("text") => builder.push_text(block["text"].as_str().unwrap_or_default()),
            Some("tool_use") => builder.push_call(index, &block["input"]),
            // A thinking block.
            _ => {}
        }
    }
    finish(message, builder);
    usage(message, builder);
    Ok(())
}

fn event(event: &Value, builder: &mut ReplyBuilder) -> Result<(), &'static str> {
    let delta = &event["delta"];
    let index = event["index"].as_u64().unwrap_or_default();
    match event["type"].as_str().ok_or("no `type`")? {
        "message_start" => usage(&event["message"], builder),
        "content_block_start" if builder.keeps_calls() => {
            start_block(&event["content_block"], index, builder);
        }
        "content_block_delta" => match delta["type"].as_str() {
            Some("text_delta") => builder.push_text(delta["text"].as_str().unwrap_or_default()),
            Some("input_json_delta") => {
                builder.push_arguments(index, delta["partial_json"].as_str().unwrap_or_default());
            }
            Some("thinking_delta") => {
                let text = delta["thinking"].as_str().unwrap_or_default();
                builder.push_opaque(index, "thinking", text);
            }
            Some("signature_delta") => {
                let text = delta["signature"].as_str().unwrap_or_default();
                builder.push_opaque(index, "signature", text);
            }
            _ => {}
        },
        "message_delta" => {
            finish(delta, builder);
            usage(event, builder);
        }
        "message_stop" => builder.is_over = true,
        _ => {}
    }
    Ok(())
}

fn finish(message: &Value, builder: &mut ReplyBuilder) {
    builder.finish = message["stop_reason"].as_str().map(|reason| match reason {
        "end_turn" | "stop_sequence" | "tool_use" => Finish::Stop,
        "max_tokens" | "model_context_window_exceeded" => Finish::Length,
        "refusal" => Finish::Filtered,
        _ => Finish::Other,
    });
}

/// Reads the usage. `input_tokens` excludes the tokens that are read from the cache or written to it.
fn usage(message: &Value, builder: &mut ReplyBuilder) {
    let tokens = |name: &str| message["usage"][name].as_u64();
    let known = &mut builder.tokens;
    known.output = tokens("output_tokens").or(known.output);
    if let Some(fresh) = tokens("input_tokens") {
        known.cached = tokens("cache_read_input_tokens").unwrap_or(0);
        known.written = tokens("cache_creation_input_tokens").unwrap_or(0);
        known.input = Some(fresh.saturating_add(known.cached).saturating_add(known.written));
    }
}
