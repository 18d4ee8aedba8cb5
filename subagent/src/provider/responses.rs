//! OpenAI's Responses protocol. It has tools that a grammar constrains.

use serde_json::{Map, Value, json};

use super::conversation::name;
use super::http::{ModelList, Protocol, RequestParts, bearer};
use super::images::data_url;
use super::reply_builder::ReplyBuilder;
use super::stream::Framing;
use super::{Finish, Message, Parameters, Transport, tool};
use crate::blob::Blob;

pub(super) static PROTOCOL: Protocol = Protocol {
    prefix: "openai-responses",
    title: "OpenAI's responses",
    vendor: "openai",
    base: "https://api.openai.com/v1",
    also: &[],
    path: "/responses",
    models: ModelList { path: "/models", items: "data", name: "id" },
    reply_name: "a response",
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
    let mut body = Map::new();
    let mut set = |key: &str, value: Value| body.insert(key.to_string(), value);
    set("model", (*model).into());
    set("instructions", request.system.text().into());
    let mut input = Vec::new();
    for (message, images) in request.with_images(!quirks.no_images) {
        add_message(message, &images, &mut input);
    }
    set("input", input.into());
    // Each request has the whole conversation, so the server need not store it.
    set("store", false.into());
    let Parameters { temperature, max_tokens, effort } = *parameters;
    // Models with an effort refuse a temperature.
    if let Some(temperature) = temperature.filter(|_| effort.is_none() && !quirks.no_temperature) {
        set("temperature", temperature.into());
    }
    if let Some(max_tokens) = max_tokens {
        set("max_output_tokens", max_tokens.into());
    }
    if let Some(effort) = parameters.effort_word() {
        set("reasoning", json!({"effort": effort}));
        // The server stores nothing, so it can continue its reasoning only from what it gets back.
        if !request.tools.is_empty() {
            set("include", json!(["reasoning.encrypted_content"]));
        }
    }
    if !request.tools.is_empty() {
        let tools = request.tools.iter().map(|it| {
            json!({
                "type": "function",
                "name": it.name,
                "description": it.description,
                "parameters": it.parameters,
                "strict": false,
            })
        });
        set("tools", tools.collect());
        if request.wants_text {
            set("tool_choice", "none".into());
        }
    }
    // A grammar can constrain only a custom tool, so the program is the input of such a tool.
    if let Some(grammar) = &request.grammar {
        let format = json!({"type": "grammar", "syntax": "lark", "definition": grammar.lark});
        let (name, description) = (tool::NAME, tool::DESCRIPTION);
        set(
            "tools",
            json!([{"type": "custom", "name": name, "description": description, "format": format}]),
        );
        set("tool_choice", json!({"type": "custom", "name": name}));
    } else if request.transport == Transport::Tool {
        set(
            "tools",
            json!([{
                "type": "function",
                "name": tool::NAME,
                "description": tool::DESCRIPTION,
                "parameters": tool::parameters(),
                "strict": true,
            }]),
        );
        set("tool_choice", json!({"type": "function", "name": tool::NAME}));
    }
    if *streamed {
        set("stream", true.into());
    }
    Ok(Value::Object(body))
}

/// Adds the items of a message: the reasoning, the text and each call, or the results and the text.
fn add_message(message: &Message, images: &[&Blob], input: &mut Vec<Value>) {
    input.extend(message.opaque_for(PROTOCOL.prefix).cloned());
    for result in &message.results {
        let (id, text) = (&result.id, &result.text);
        input.push(json!({"type": "function_call_output", "call_id": id, "output": text}));
    }
    let has_others = !message.results.is_empty() || !message.calls.is_empty();
    if !has_others || !message.text.is_empty() {
        input.push(if images.is_empty() { message.json() } else { shown(message, images) });
    }
    for call in &message.calls {
        let (id, name, arguments) = (&call.id, name(call), &call.arguments);
        input.push(
            json!({"type": "function_call", "call_id": id, "name": name, "arguments": arguments}),
        );
    }
}

/// Returns the item of a message with images.
fn shown(message: &Message, images: &[&Blob]) -> Value {
    let mut parts = vec![json!({"type": "input_text", "text": message.text})];
    parts.extend(images.iter().map(|it| json!({"type": "input_image", "image_url": data_url(it)})));
    json!({"role": message.role.as_str(), "content": parts})
}

/// Reads a complete item of the output that the conversation keeps: a call, or reasoning that the server can read again.
fn keep_item(item: &Value, index: u64, builder: &mut ReplyBuilder) {
    match item["type"].as_str() {
        Some("function_call") => {
            let text = |key: &str| item[key].as_str().unwrap_or_default();
            builder.name_call(index, text("call_id"), text("name"));
            builder.push_call(index, &item["arguments"]);
        }
        Some("reasoning") if item["encrypted_content"].is_string() => {
            if let (Some(part), Value::Object(item)) = (builder.opaque(index), item) {
                part.clone_from(item);
            }
        }
        _ => {}
    }
}

fn read(response: &Value, builder: &mut ReplyBuilder) -> Result<(), &'static str> {
    let output = response.get("output").and_then(Value::as_array).ok_or("no `output`")?;
    for (item, index) in output.iter().zip(0..) {
        match item["type"].as_str() {
            Some("message") => {
                for part in item["content"].as_array().into_iter().flatten() {
                    let text = part.get("text").or(part.get("refusal"));
                    builder.push_text(text.and_then(Value::as_str).unwrap_or_default());
                }
            }
            _ if builder.keeps_calls() => keep_item(item, index, builder),
            Some("function_call") => {
                builder.push_arguments(index, item["arguments"].as_str().unwrap_or_default());
            }
            Some("custom_tool_call") => {
                builder.push_program(index, item["input"].as_str().unwrap_or_default());
            }
            // A reasoning item.
            _ => {}
        }
    }
    end(response, builder);
    Ok(())
}

fn event(event: &Value, builder: &mut ReplyBuilder) -> Result<(), &'static str> {
    let delta = event["delta"].as_str().unwrap_or_default();
    let index = event["output_index"].as_u64().unwrap_or_default();
    match event["type"].as_str().ok_or("no `type`")? {
        "response.output_text.delta" | "response.refusal.delta" => builder.push_text(delta),
        "response.output_item.done" if builder.keeps_calls() => {
            keep_item(&event["item"], index, builder);
        }
        "response.function_call_arguments.delta" if builder.keeps_calls() => {}
        "response.function_call_arguments.delta" => builder.push_arguments(index, delta),
        "response.custom_tool_call_input.delta" => builder.push_program(index, delta),
        "response.completed" | "response.incomplete" => {
            builder.is_over = true;
            end(&event["response"], builder);
        }
        _ => {}
    }
    Ok(())
}

fn end(response: &Value, builder: &mut ReplyBuilder) {
    let reason = response.pointer("/incomplete_details/reason").and_then(Value::as_str);
    builder.finish = match (response["status"].as_str(), reason) {
        (Some("completed"), _) => Some(Finish::Stop),
        (_, Some("max_output_tokens")) => Some(Finish::Length),
        (_, Some("content_filter")) => Some(Finish::Filtered),
        _ => None,
    };
    let tokens = |path: &str| response["usage"].pointer(path).and_then(Value::as_u64);
    builder.tokens.input = tokens("/input_tokens");
    builder.tokens.output = tokens("/output_tokens");
    builder.tokens.cached = tokens("/input_tokens_details/cached_tokens").unwrap_or(0);
}
