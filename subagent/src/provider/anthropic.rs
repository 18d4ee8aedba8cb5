//! Anthropic's messages.

use reqwest::header::{HeaderMap, HeaderValue};
use secrecy::{ExposeSecret, SecretString};
use serde_json::{Map, Value, json};

use super::http::{Asked, Protocol, secret};
use super::reply_builder::ReplyBuilder;
use super::stream::Framing;
use super::{Finish, Parameters, Transport, tool};

/// The protocol wants a limit. Programs are short, and the oldest models give no more.
const MAX_TOKENS: u32 = 4096;

/// Thinks at most so many tokens for each step of effort, so 31,000 for the whole.
const BUDGET: u32 = 310;

/// No smaller budget is taken.
const SMALLEST_BUDGET: u32 = 1024;

pub(super) static PROTOCOL: Protocol = Protocol {
    kind: "anthropic",
    base: "https://api.anthropic.com",
    path: "/v1/messages",
    list: ("/v1/models", "data", "id"),
    reply: "a message",
    is_paid: true,
    variable: "ANTHROPIC_API_KEY",
    key: |keys| keys.anthropic.as_ref(),
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

fn body(asked: &Asked<'_>) -> Result<Value, String> {
    let Asked { model, request, streamed, learned } = asked;
    if request.grammar.is_some() {
        return Err("cannot be held to a grammar".to_string());
    }
    let mut body = Map::new();
    let mut set = |key: &str, value: Value| body.insert(key.to_string(), value);
    let Parameters { temperature, max_tokens, effort } = request.parameters;
    let budget = effort.map(|it| (u32::from(it) * BUDGET).max(SMALLEST_BUDGET));
    set("model", (*model).into());
    // What it thinks counts towards the limit, which is meant for the reply.
    let limit = max_tokens.unwrap_or(MAX_TOKENS).saturating_add(budget.unwrap_or(0));
    set("max_tokens", limit.into());
    // The tool and the system prompt are the same in every turn of a run, and in most runs of an agent.
    let cached = json!({"type": "ephemeral"});
    set("system", json!([{"type": "text", "text": request.system, "cache_control": cached}]));
    set("messages", request.messages.iter().map(super::Message::json).collect());
    // Who thinks takes no temperature.
    if let Some(temperature) = temperature.filter(|_| effort.is_none() && !learned.no_temperature) {
        set("temperature", temperature.min(1.0).into());
    }
    if let Some(budget) = budget {
        if learned.budget {
            set("thinking", json!({"type": "enabled", "budget_tokens": budget}));
        } else {
            set("thinking", json!({"type": "adaptive"}));
            set("output_config", json!({"effort": request.parameters.effort_word()}));
        }
    }
    if request.transport == Transport::Tool {
        let (name, description) = (tool::NAME, tool::DESCRIPTION);
        set(
            "tools",
            json!([{"name": name, "description": description, "input_schema": tool::parameters()}]),
        );
        // Who thinks cannot be made to call a tool.
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

fn read(message: &Value, heard: &mut ReplyBuilder) -> Result<(), &'static str> {
    let content = message.get("content").and_then(Value::as_array).ok_or("no `content`")?;
    for (block, index) in content.iter().zip(0..) {
        match block["type"].as_str() {
            Some("text") => heard.say(block["text"].as_str().unwrap_or_default()),
            Some("tool_use") => heard.call(index, &block["input"]),
            // What it thought.
            _ => {}
        }
    }
    finish(message, heard);
    usage(message, heard);
    Ok(())
}

fn event(event: &Value, heard: &mut ReplyBuilder) -> Result<(), &'static str> {
    let delta = &event["delta"];
    match event["type"].as_str().ok_or("no `type`")? {
        "message_start" => usage(&event["message"], heard),
        "content_block_delta" => match delta["type"].as_str() {
            Some("text_delta") => heard.say(delta["text"].as_str().unwrap_or_default()),
            Some("input_json_delta") => {
                let index = event["index"].as_u64().unwrap_or_default();
                heard.argue(index, delta["partial_json"].as_str().unwrap_or_default());
            }
            _ => {}
        },
        "message_delta" => {
            finish(delta, heard);
            usage(event, heard);
        }
        "message_stop" => heard.over = true,
        _ => {}
    }
    Ok(())
}

fn finish(message: &Value, heard: &mut ReplyBuilder) {
    heard.finish = message["stop_reason"].as_str().map(|reason| match reason {
        "end_turn" | "stop_sequence" | "tool_use" => Finish::Stop,
        "max_tokens" | "model_context_window_exceeded" => Finish::Length,
        "refusal" => Finish::Filtered,
        _ => Finish::Other,
    });
}

/// What is in the cache and what is put into it is not counted among the other tokens of the prompt.
fn usage(message: &Value, heard: &mut ReplyBuilder) {
    let tokens = |name: &str| message["usage"][name].as_u64();
    let known = &mut heard.tokens;
    known.output = tokens("output_tokens").or(known.output);
    if let Some(fresh) = tokens("input_tokens") {
        known.cached = tokens("cache_read_input_tokens").unwrap_or(0);
        known.written = tokens("cache_creation_input_tokens").unwrap_or(0);
        known.input = Some(fresh.saturating_add(known.cached).saturating_add(known.written));
    }
}
