//! The host context: what tools get of it, and what nobody else does.

use std::sync::{Arc, Mutex};

use ptc_subagent::provider::Scripted;
use ptc_subagent::replay::{Replay, Resume};
use ptc_subagent::store::Store;
use ptc_subagent::tool::{
    CallContext, CommandTool, ContextIn, Effect, FnTool, HostContext, HttpTool, ToolDef, ToolError,
};
use ptc_subagent::{Agent, Mission, RunReport, Status};
use serde_json::{Value, json};

use crate::support::{Answer, Server, exported, program};

const TOKEN: &str = "tok-0123456789";

fn context() -> HostContext {
    HostContext::new(json!({"tenant": "acme", "rights": {"most": 3}, "token": TOKEN})).unwrap()
}

/// Runs a workflow that calls the tool `t` without arguments.
async fn run(tool: ToolDef, context: Option<HostContext>) -> RunReport {
    let workflow = "(try (tool/t {}) (catch Exception e (ex-message e)))";
    let agent = Agent::workflow(workflow).with_tool(tool);
    let mission = Mission::new(&agent, json!({})).with_context(context);
    mission.run(&ptc_subagent::provider::NoModel).await.unwrap()
}

#[tokio::test]
async fn m36_functions_commands_and_endpoints_read_it() {
    let function = FnTool::new(async |_: Value, cx: CallContext| {
        Ok(cx.context().to_json().unwrap()["tenant"].clone())
    });
    let check = async |tool: ToolDef, with: Value, without: Value| {
        assert_eq!(run(tool.clone(), Some(context())).await.value, with);
        assert_eq!(run(tool, None).await.value, without);
    };
    check(ToolDef::new("t", function), json!("acme"), json!(null)).await;

    let shell = |script: &str, context| {
        ToolDef::new("t", CommandTool::new(["sh", "-c", script], "/tmp").with_context(context))
    };
    let variable = shell(r#"printf '{"got": %s}' "$HOST""#, ContextIn::Variable("HOST".into()));
    let got = json!({"got": {"tenant": "acme", "rights": {"most": 3}, "token": "[context.token]"}});
    check(variable, got, json!({"got": null})).await;
    let second =
        shell(r#"read -r args; read -r host; printf '[%s, %s]' "$args" "$host""#, ContextIn::Stdin);
    let both = json!([{}, {"tenant": "acme", "rights": {"most": 3}, "token": "[context.token]"}]);
    check(second, both, json!([{}, null])).await;
    let unasked = ToolDef::new(
        "t",
        CommandTool::new(["sh", "-c", "cat | tr -d \"{}\" ; env | grep -c acme || true"], "/tmp"),
    );
    check(unasked, json!(0), json!(0)).await;
}

#[tokio::test]
async fn m36_headers_name_values() {
    let server = Server::start(vec![Answer::Raw(200, "", "{\"ok\": true}".to_string())]).await;
    let tool = |header: &str| {
        let tool = HttpTool::new("GET", &format!("{}/x", server.base_url)).unwrap();
        ToolDef::new("t", tool.with_header("X-Of", header).unwrap())
    };
    let value = |report: RunReport| report.value.to_string();
    let header = "{a} {{context.tenant}} {{context.rights.most}}";
    assert_eq!(value(run(tool(header), Some(context())).await), r#"{"ok":true}"#);
    let asked = server.requests().concat();
    assert!(asked.contains("x-of: {a} acme 3\r\n"), "{asked}");
    let missing = "\"tool `t`: the host context has no `rights.least`, which a header needs\"";
    assert_eq!(value(run(tool("{{context.rights.least}}"), Some(context())).await), missing);
    let whole = "\"tool `t`: the host context has no text, number or boolean `rights`, which a header needs\"";
    assert_eq!(value(run(tool("{{context.rights}}"), Some(context())).await), whole);
    let wrong =
        HttpTool::new("GET", "http://h/x").unwrap().with_header("X-Of", "{{tenant}}").unwrap_err();
    assert_eq!(
        wrong.message(),
        "the header `X-Of` has a `{{` that does not begin `{{context.NAME}}`"
    );
}

#[tokio::test]
async fn m36_sub_agents_inherit_it_and_check_its_type() {
    let seen = Arc::new(Mutex::new(Vec::new()));
    let keep = Arc::clone(&seen);
    let tool = FnTool::new(move |_: Value, cx: CallContext| {
        keep.lock().unwrap().push(cx.context().to_string());
        async { Ok(json!(null)) }
    });
    let child = |signature: &str| {
        Agent::workflow("(tool/t {})")
            .with_name("child")
            .with_tool(ToolDef::new("t", tool.clone()))
            .with_context_signature(signature)
            .unwrap()
    };
    let parent = |child: Agent| Agent::workflow("(tool/child {})").with_tool(ToolDef::agent(child));
    let run = async |agent: Agent| {
        let mission = Mission::new(&agent, json!({})).with_context(context());
        mission.run(&ptc_subagent::provider::NoModel).await.unwrap()
    };
    assert_eq!(run(parent(child("{tenant :string}"))).await.status, Status::Returned);
    assert_eq!(*seen.lock().unwrap(), [context().data().to_string()]);
    let error =
        run(parent(child("{tenant :int, token {a :int}, user :string}"))).await.error.unwrap();
    let expected = "tool `child`: the host context of agent `child` does not match: \
        `tenant` is no int, `token` is no map, `user` is missing";
    assert_eq!(error.message, expected);

    let agent = child("{user :string}");
    let error =
        Mission::new(&agent, json!({})).run(&ptc_subagent::provider::NoModel).await.unwrap_err();
    assert_eq!(
        error.message(),
        "the host context of agent `child` does not match: `user` is missing"
    );
    for (wrong, message) in [
        (json!([1]), "the host context must be a JSON object"),
        (json!(TOKEN), "the host context must be a JSON object"),
    ] {
        assert_eq!(HostContext::new(wrong).unwrap_err().to_string(), message);
    }
}

#[tokio::test]
async fn m36_a_tool_that_repeats_a_secret_tells_nobody() {
    let tool = FnTool::new(async |args: Value, cx: CallContext| {
        let token = cx.context().get("token").unwrap().to_json().unwrap();
        let token = token.as_str().unwrap().to_string();
        cx.report(1.0, None, Some(&format!("with {token}")));
        match args["fails"].as_bool() {
            Some(true) => {
                Err(ToolError::failed(format!("no {token}")).with_help(format!("not {token}")))
            }
            _ => Ok(json!({"said": token, token: 1})),
        }
    });
    let agent = Agent::new("Do it.").with_tool(ToolDef::new("t", tool).with_effect(Effect::Read));
    let provider = Scripted::new([
        program("(println (tool/t {:fails true}))"),
        program("(println (tool/t {})) (return (tool/t {}))"),
    ]);
    let store = Store::in_memory().unwrap();
    let told = Mutex::new(String::new());
    let mission = Mission::new(&agent, json!({})).with_context(context()).record_in(&store);
    let mission = mission
        .observe(|run, event| told.lock().unwrap().push_str(&event.to_json(run).to_string()));
    let report = mission.run(&provider).await.unwrap();
    assert_eq!(report.value, json!({"said": "[context.token]", "[context.token]": 1}));
    let export = exported(&store, report.run.as_str());
    let told = told.into_inner().unwrap();
    for text in [&export, &told, &report.to_json().to_string()] {
        assert!(!text.contains(TOKEN), "{text}");
        assert!(!text.contains("acme"), "{text}");
    }
    assert!(told.contains("with [context.token]"), "{told}");
    assert!(export.contains("no [context.token]"), "{export}");
}

#[tokio::test]
async fn m36_a_replay_needs_none_and_a_resumed_run_needs_it_again() {
    let tool = FnTool::new(async |_: Value, cx: CallContext| {
        let tenant = cx.context().get("tenant").map(|it| it.to_string());
        Ok(json!(tenant))
    });
    let agent = Agent::workflow(
        "[(tool/t {}) (ask {:title \"Go on?\" :fields \"(a :bool)\"}) (tool/t {})]",
    )
    .with_tool(ToolDef::new("t", tool))
    .with_context_signature("{tenant :string}")
    .unwrap();
    let store = Store::in_memory().unwrap();
    let mission = Mission::new(&agent, json!({})).with_context(context()).record_in(&store);
    let report = mission.run(&ptc_subagent::provider::NoModel).await.unwrap();
    assert_eq!(report.status, Status::Waiting);
    let resume = || {
        Resume::of(&store, report.run.as_str()).unwrap().answer(None, json!({"a": true})).unwrap()
    };
    let without = resume().mission(&agent).unwrap().run(&ptc_subagent::provider::NoModel).await;
    assert_eq!(
        without.unwrap_err().message(),
        "the host context of agent `agent` does not match: `tenant` is missing"
    );
    let mission = resume().mission(&agent).unwrap().with_context(context());
    let resumed = mission.run(&ptc_subagent::provider::NoModel).await.unwrap();
    assert_eq!(resumed.value, json!(["\"acme\"", {"a": true}, "\"acme\""]));
    let replayed = Replay::of(&store, report.run.as_str()).unwrap().run().await.unwrap();
    assert_eq!(replayed.differences, []);
    assert_eq!(replayed.report.unwrap().value, resumed.value);
}
