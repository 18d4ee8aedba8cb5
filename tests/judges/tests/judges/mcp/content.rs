//! Binary content in the results of a server.

use ptc_mcp::{AgentServer, Served};
use ptc_subagent::provider::NoModel;
use ptc_subagent::store::Store;
use ptc_subagent::tool::{CallContext, Effect, FnTool, ToolDef};
use ptc_subagent::{Agent, Blob};
use serde_json::{Value, json};

use super::server::{Client, connect, params, ways};

/// Returns an image, a sound, a file with an address, and a file without one.
const PROGRAM: &str = "(let [[image sound page file] (tool/files {})]
  {:first image :again image :sound sound :_hidden file
   :page (assoc page :uri \"notes://page\")
   :unknown {:media_type \"image/png\" :hash \"0000\"}})";

fn files() -> ToolDef {
    let files = FnTool::new(async |_: Value, cx: CallContext| {
        let kinds = ["image/png", "audio/wav", "application/pdf", "text/plain"];
        let kept: Result<Vec<Value>, _> =
            kinds.iter().map(|kind| cx.keep(Blob::new(kind, kind.as_bytes()))).collect();
        Ok(Value::Array(kept?))
    });
    ToolDef::new("files", files).with_effect(Effect::Read)
}

#[tokio::test(flavor = "multi_thread")]
async fn results_have_the_content_that_their_value_names() {
    let expected = [
        json!({"type": "image", "data": "aW1hZ2UvcG5n", "mimeType": "image/png"}),
        json!({"type": "audio", "data": "YXVkaW8vd2F2", "mimeType": "audio/wav"}),
        json!({"type": "resource", "resource": {
            "uri": "notes://page", "blob": "YXBwbGljYXRpb24vcGRm", "mimeType": "application/pdf",
        }}),
    ];
    for (way, mode) in ways() {
        let agent = Agent::workflow(PROGRAM).with_name("files").with_tool(files());
        let served = Served { agent, provider: Some(Box::new(NoModel)) };
        let agents = AgentServer::new([served], Store::in_memory().unwrap()).unwrap();
        let programs = Agent::new("Run programs.").with_tool(files());
        let programs = AgentServer::of_programs(programs, Store::in_memory().unwrap()).unwrap();
        let cases = [
            (agents, params("files", &json!({}))),
            (programs, params("run", &json!({"program": PROGRAM}))),
        ];
        for (server, params) in cases {
            let client = connect(&server, way, mode.clone(), Client::default()).await;
            let result = client.call_tool(params).await.unwrap();
            let blocks: Vec<Value> =
                result.content.iter().map(|it| serde_json::to_value(it).unwrap()).collect();
            let value: Value = serde_json::from_str(blocks[0]["text"].as_str().unwrap()).unwrap();
            let found = value.pointer("/result").unwrap_or(&value);
            assert_eq!(found["sound"]["media_type"], "audio/wav", "{way:?} {mode:?}");
            assert_eq!(blocks[1..], expected, "{way:?} {mode:?}");
        }
    }
}
