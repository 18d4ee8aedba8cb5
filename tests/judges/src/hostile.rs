//! Answers that no client can use.

use std::collections::BTreeMap;

use serde_json::value::RawValue;
use serde_json::{Value, json};

/// The kinds of answers.
pub const KINDS: [&str; 9] =
    ["large", "large first", "bytes", "surrogate", "nan", "huge", "deep", "neither", "both"];

/// Returns an answer to a request, as the bytes of its message.
///
/// # Panics
///
/// Panics if there is no such kind.
pub fn answer(kind: &str, id: &Value) -> Vec<u8> {
    let with = |result: &str| format!("{{\"jsonrpc\":\"2.0\",\"id\":{id},\"result\":{result}}}");
    let text = |text: &str| {
        with(&format!("{{\"content\":[{{\"type\":\"text\",\"text\":{text}}}],\"_meta\":{{}}}}"))
    };
    let error = json!({"code": -32000, "message": "no"});
    let usual = json!({"content": [{"type": "text", "text": "yes"}]});
    match kind {
        "usual" => with(&usual.to_string()).into_bytes(),
        "large" => text(&format!("\"{}\"", "x".repeat(17 << 20))).into_bytes(),
        "large first" => {
            let large = "x".repeat(17 << 20);
            format!("{{\"result\":{{\"x\":\"{large}\"}},\"jsonrpc\":\"2.0\",\"id\":{id}}}")
                .into_bytes()
        }
        "bytes" => {
            let mut bytes = text("\"?\"").into_bytes();
            let place = bytes.iter().position(|it| *it == b'?').unwrap();
            bytes[place] = 0xff;
            bytes
        }
        "surrogate" => text("\"\\ud800\"").into_bytes(),
        "nan" => with("{\"content\":[],\"structuredContent\":{\"x\":NaN}}").into_bytes(),
        "huge" => with("{\"content\":[],\"structuredContent\":{\"x\":1e400}}").into_bytes(),
        "deep" => {
            let deep = format!("{}{}", "[".repeat(100_000), "]".repeat(100_000));
            with(&format!("{{\"content\":[],\"structuredContent\":{{\"x\":{deep}}}}}")).into_bytes()
        }
        "long" => {
            let long = "9".repeat(4001);
            with(&format!("{{\"content\":[],\"structuredContent\":{{\"n\":[1,{long}]}}}}"))
                .into_bytes()
        }
        "neither" => json!({"jsonrpc": "2.0", "id": id}).to_string().into_bytes(),
        "both" => json!({"jsonrpc": "2.0", "id": id, "result": usual, "error": error})
            .to_string()
            .into_bytes(),
        _ => panic!("there is no answer `{kind}`"),
    }
}

/// Returns the answer to a call of `echo`, with its arguments byte for byte: as structured content, and as text if one of
/// them is named `text`. Returns `None` for any other request.
pub fn echo(request: &str) -> Option<String> {
    type Fields = BTreeMap<String, Box<RawValue>>;
    let fields: Fields = serde_json::from_str(request).ok()?;
    let params: Fields = serde_json::from_str(fields.get("params")?.get()).ok()?;
    if params.get("name")?.get() != "\"echo\"" {
        return None;
    }
    let (id, given) = (fields.get("id")?, params.get("arguments")?.get());
    let is_error = given.contains("\"fail\"");
    let result = if given.contains("\"text\"") {
        let text = Value::from(given);
        format!("{{\"content\":[{{\"type\":\"text\",\"text\":{text}}}]}}")
    } else {
        format!("{{\"structuredContent\":{given},\"content\":[],\"isError\":{is_error}}}")
    };
    Some(format!("{{\"jsonrpc\":\"2.0\",\"id\":{id},\"result\":{result}}}"))
}

/// Returns the answer to a request; `None` for the call of a tool, and for a notification.
pub fn greeting(request: &Value) -> Option<Value> {
    let id = request.get("id")?;
    let result = match request["method"].as_str()? {
        "initialize" => json!({
            "protocolVersion": "2025-11-25",
            "capabilities": {"tools": {}},
            "serverInfo": {"name": "hostile", "version": "1"},
        }),
        "tools/list" => {
            let kind = json!({"type": "object", "properties": {"kind": {"type": "string"}}});
            let echo = json!({"name": "echo", "inputSchema": {"type": "object"}});
            json!({"tools": [{"name": "get", "inputSchema": kind}, echo]})
        }
        "tools/call" => return None,
        method => {
            let error = json!({"code": -32601, "message": format!("no {method}")});
            return Some(json!({"jsonrpc": "2.0", "id": id, "error": error}));
        }
    };
    Some(json!({"jsonrpc": "2.0", "id": id, "result": result}))
}

/// Returns the requests that a server sends without end.
pub fn flood() -> impl Iterator<Item = String> {
    (0_u64..).map(|id| json!({"jsonrpc": "2.0", "id": id, "method": "ping"}).to_string())
}
