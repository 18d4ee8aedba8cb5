//! Spans of runs at a collector on loopback.

use std::collections::BTreeMap;
use std::fmt::Debug;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use opentelemetry_proto::tonic::collector::trace::v1::ExportTraceServiceRequest;
use opentelemetry_proto::tonic::common::v1::any_value::Value as Any;
use opentelemetry_proto::tonic::trace::v1::Span;
use prost::Message as _;
use ptc_subagent::provider::{
    BoxFuture, Finish, ModelCall, NoModel, Provider, ProviderError, Reply, Request, Scripted, Usage,
};
use ptc_subagent::replay::Resume;
use ptc_subagent::store::Store;
use ptc_subagent::telemetry::{Otlp, Spans};
use ptc_subagent::tool::{FnTool, ToolDef, ToolError};
use ptc_subagent::{Agent, Answers, Data, Event, Mission, RunReport};
use serde_json::{Map, Value, json};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream};
use tracing::field::Field;
use tracing::span::{Attributes, Id, Record};
use tracing::subscriber::set_default;
use tracing::{Instrument as _, Subscriber, info_span};
use tracing_subscriber::layer::{Context, SubscriberExt as _};
use tracing_subscriber::registry::LookupSpan;
use tracing_subscriber::{Layer, Registry};

use crate::support::{Model, priced, program};

/// A collector. It stops with the runtime of the test.
struct Collector {
    endpoint: String,
    received: Arc<Mutex<Vec<ExportTraceServiceRequest>>>,
}

impl Collector {
    /// Starts a collector that answers every request with this status.
    async fn start(status: &'static str) -> Collector {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let endpoint = format!("http://{}/v1/traces", listener.local_addr().unwrap());
        let received: Arc<Mutex<Vec<ExportTraceServiceRequest>>> = Arc::default();
        let seen = Arc::clone(&received);
        tokio::spawn(async move {
            loop {
                let (mut socket, _) = listener.accept().await.unwrap();
                let (head, body) = read(&mut socket).await;
                assert!(head.starts_with("POST /v1/traces HTTP/1.1"), "{head}");
                assert!(head.contains("content-type: application/x-protobuf"), "{head}");
                let request = ExportTraceServiceRequest::decode(&*body).unwrap();
                seen.lock().unwrap().push(request);
                let answer =
                    format!("HTTP/1.1 {status}\r\nContent-Length: 0\r\nConnection: close\r\n\r\n");
                socket.write_all(answer.as_bytes()).await.unwrap();
            }
        });
        Collector { endpoint, received }
    }

    /// Returns all spans as a tree.
    fn tree(&self) -> Value {
        let received = self.received.lock().unwrap();
        let resources = received.iter().flat_map(|it| &it.resource_spans);
        let scopes = resources.flat_map(|it| &it.scope_spans);
        let spans: Vec<Span> = scopes.flat_map(|it| it.spans.clone()).collect();
        let mut tree = within(&spans, &[]);
        let mut runs = Vec::new();
        name_runs(&mut tree, &mut runs);
        tree
    }
}

async fn read(socket: &mut TcpStream) -> (String, Vec<u8>) {
    let mut bytes = Vec::new();
    loop {
        if let Some(at) = bytes.windows(4).position(|it| it == b"\r\n\r\n") {
            let head = String::from_utf8(bytes[..at].to_vec()).unwrap();
            let length = head.lines().find_map(|it| it.strip_prefix("content-length: "));
            let length: usize = length.unwrap().parse().unwrap();
            if bytes.len() == at + 4 + length {
                return (head, bytes.split_off(at + 4));
            }
        }
        assert_ne!(socket.read_buf(&mut bytes).await.unwrap(), 0, "it broke off");
    }
}

/// Returns the child spans of a span, ordered by turn. In each turn, requests precede calls.
fn within(all: &[Span], parent: &[u8]) -> Value {
    let mut found: Vec<Value> = all
        .iter()
        .filter(|span| span.parent_span_id == parent)
        .map(|span| {
            assert!(span.start_time_unix_nano > 0);
            assert!(span.start_time_unix_nano <= span.end_time_unix_nano);
            let outer = all.iter().find(|it| it.span_id == parent).unwrap_or(span);
            assert_eq!(span.trace_id, outer.trace_id);
            assert!(outer.start_time_unix_nano <= span.start_time_unix_nano);
            assert!(span.end_time_unix_nano <= outer.end_time_unix_nano);
            json!({
                "name": span.name,
                "kind": span.kind().as_str_name(),
                "status": span.status.as_ref().map(|it| json!([it.code().as_str_name(), it.message])),
                "attributes": attributes(span),
                "spans": within(all, &span.span_id),
            })
        })
        .collect();
    found.sort_by_key(|span| {
        let attributes = &span["attributes"];
        let call = attributes["gen_ai.tool.call.id"].as_str().unwrap_or_default().to_string();
        (attributes["ptc.turn"].as_i64(), call)
    });
    found.into()
}

fn attributes(span: &Span) -> Value {
    let mut attributes = BTreeMap::new();
    for it in &span.attributes {
        let value = json(it.value.as_ref().unwrap().value.as_ref().unwrap());
        assert_eq!(attributes.insert(it.key.clone(), value), None, "{} is there twice", it.key);
    }
    Value::Object(Map::from_iter(attributes))
}

fn json(value: &Any) -> Value {
    match value {
        Any::StringValue(it) => it.as_str().into(),
        Any::BoolValue(it) => (*it).into(),
        Any::IntValue(it) => (*it).into(),
        Any::DoubleValue(it) => (*it).into(),
        Any::ArrayValue(list) => {
            let items = list.values.iter().map(|it| json(it.value.as_ref().unwrap()));
            items.collect()
        }
        other => panic!("{other:?}"),
    }
}

/// Replaces the ids of runs, which are different each time, by numbers in the order of their appearance.
fn name_runs(tree: &mut Value, runs: &mut Vec<String>) {
    for span in tree.as_array_mut().unwrap() {
        if let Some(id) = span.pointer_mut("/attributes/gen_ai.conversation.id") {
            let run = id.as_str().unwrap().to_string();
            let at = runs.iter().position(|it| *it == run).unwrap_or_else(|| {
                runs.push(run);
                runs.len() - 1
            });
            *id = format!("run {at}").into();
        }
        name_runs(&mut span["spans"], runs);
    }
}

/// A provider under another name.
struct Named<P>(&'static str, P);

impl<P: Provider> Provider for Named<P> {
    fn complete<'a>(&'a self, request: &'a Request) -> BoxFuture<'a, Result<Reply, ProviderError>> {
        self.1.complete(request)
    }

    fn name(&self) -> String {
        self.0.to_string()
    }
}

async fn run(agent: &Agent, provider: &impl Provider, otlp: &Otlp) -> RunReport {
    let mut spans = otlp.spans();
    let mission = Mission::new(agent, json!({})).observe(move |run, event| spans.see(run, event));
    mission.run(provider).await.unwrap()
}

/// Creates an agent with a tool that knows one currency.
fn changer() -> Agent {
    let rate = FnTool::new(async |args: Value, _| match args["currency"].as_str() {
        Some("USD") => Ok(json!(0.5)),
        _ => Err(ToolError::failed("no such currency").permanent()),
    });
    let rate = ToolDef::new("rate", rate).with_signature("(currency :string) -> :float").unwrap();
    Agent::new("Change money.").with_name("changer").with_tool(rate)
}

fn span(name: &str, kind: &str, attributes: Value, spans: Value) -> Value {
    let status = match attributes.get("error.type") {
        Some(_) => json!(["STATUS_CODE_ERROR", ""]),
        None => json!(["STATUS_CODE_UNSET", ""]),
    };
    let mut span = json!({"name": name, "kind": kind, "status": status});
    (span["attributes"], span["spans"]) = (attributes, spans);
    span
}

const INTERNAL: &str = "SPAN_KIND_INTERNAL";
const CLIENT: &str = "SPAN_KIND_CLIENT";

/// M15: a run is a tree of turns, requests, calls and runs of sub-agents, with their errors.
#[tokio::test]
async fn the_spans_of_a_run_and_its_sub_agents() {
    let collector = Collector::start("200 OK").await;
    let otlp = Otlp::new(&collector.endpoint, "tests").unwrap();
    let doubler = Agent::new("Double {{n}}.")
        .with_name("doubler")
        .with_signature("(n :int) -> :int")
        .unwrap()
        .with_max_turns(1);
    let agent = changer().with_tool(ToolDef::agent(doubler));
    let model = Named(
        "openai-responses:gpt-5",
        Model(|text: &str| {
            if text.contains("Double 1.") {
                return priced("(return (* 2 ctx/n))", 10, 0.001);
            }
            if text.contains("Double") {
                return priced("(fail {:reason :secret :message \"secret\"})", 10, 0.001);
            }
            // The first turn makes a call that fails, and the second one catches the error.
            if !text.contains("no such currency") {
                return priced("(tool/rate {:currency \"secret\"})", 100, 0.01);
            }
            let source = "(def all (pmap (fn [n] (try (tool/doubler {:n n}) (catch Exception e 0))) [1 2]))\n\
                 (return (reduce + (tool/rate {:currency \"USD\"}) all))";
            priced(source, 200, 0.02)
        }),
    );
    let report = run(&agent, &model, &otlp).await;
    assert_eq!((report.value, report.turns), (Data::from(json!(2.5)), 2));
    otlp.finish().await.unwrap();

    let chat = |run: &str, turn: u32, tokens: u32, cost: f64| {
        let attributes = json!({
            "gen_ai.conversation.id": run,
            "gen_ai.operation.name": "chat",
            "gen_ai.provider.name": "openai",
            "gen_ai.request.model": "gpt-5",
            "gen_ai.response.finish_reasons": ["stop"],
            "gen_ai.usage.input_tokens": tokens,
            "gen_ai.usage.output_tokens": 0,
            "ptc.cost": cost,
            "ptc.turn": turn,
        });
        span("chat gpt-5", CLIENT, attributes, json!([]))
    };
    let turn = |turn: u32, outcome: &str, fuel: u32, calls: u32| json!({"ptc.turn": turn, "ptc.outcome": outcome, "ptc.fuel": fuel, "ptc.tool_calls": calls});
    let with = |mut attributes: Value, key: &str, value: &str| {
        attributes[key] = value.into();
        attributes
    };
    let call = |turn: u32, id: &str, tool: &str| {
        json!({
            "gen_ai.agent.name": "changer",
            "gen_ai.operation.name": "execute_tool",
            "gen_ai.tool.call.id": id,
            "gen_ai.tool.name": tool,
            "gen_ai.tool.type": "function",
            "ptc.turn": turn,
        })
    };
    let agent = |name: &str, run: &str, status: &str, tokens: u32, cost: f64| {
        json!({
            "gen_ai.agent.name": name,
            "gen_ai.conversation.id": run,
            "gen_ai.operation.name": "invoke_agent",
            "gen_ai.provider.name": "openai",
            "gen_ai.request.model": "gpt-5",
            "gen_ai.usage.input_tokens": tokens,
            "gen_ai.usage.output_tokens": 0,
            "ptc.cost": cost,
            "ptc.fuel": 0,
            "ptc.status": status,
            "ptc.tool_calls": 0,
            "ptc.turns": 1,
        })
    };
    let doubled = span(
        "invoke_agent doubler",
        INTERNAL,
        agent("doubler", "run 1", "returned", 10, 0.001),
        json!([span(
            "turn",
            INTERNAL,
            turn(1, "returned", 0, 0),
            json!([chat("run 1", 1, 10, 0.001)])
        )]),
    );
    let refused = span(
        "invoke_agent doubler",
        INTERNAL,
        with(agent("doubler", "run 2", "failed", 10, 0.001), "error.type", "failed"),
        json!([span(
            "turn",
            INTERNAL,
            turn(1, "failed", 0, 0),
            json!([chat("run 2", 1, 10, 0.001)])
        )]),
    );
    let first = json!([
        chat("run 0", 1, 100, 0.01),
        span(
            "execute_tool rate",
            INTERNAL,
            with(call(1, "0", "rate"), "error.type", "tool-failed"),
            json!([])
        ),
    ]);
    let second = json!([
        chat("run 0", 2, 200, 0.02),
        span("execute_tool doubler", INTERNAL, call(2, "0.0.0", "doubler"), json!([doubled])),
        span(
            "execute_tool doubler",
            INTERNAL,
            with(call(2, "0.1.0", "doubler"), "error.type", "agent-failed"),
            json!([refused])
        ),
        span("execute_tool rate", INTERNAL, call(2, "1", "rate"), json!([])),
    ]);
    let mut whole = agent("changer", "run 0", "returned", 300, 0.03);
    (whole["ptc.turns"], whole["ptc.tool_calls"]) = (2.into(), 4.into());
    whole["ptc.fuel"] = report.fuel.into();
    let turns = json!([
        span("turn", INTERNAL, with(turn(1, "error", 0, 1), "error.type", "tool-failed"), first),
        span("turn", INTERNAL, turn(2, "returned", report.fuel as u32, 3), second),
    ]);
    assert_eq!(collector.tree(), json!([span("invoke_agent changer", INTERNAL, whole, turns)]));

    // The sender of the spans.
    let received = collector.received.lock().unwrap();
    let sent = &received[0].resource_spans[0];
    let scope = sent.scope_spans[0].scope.as_ref().unwrap();
    assert_eq!((&*scope.name, &*scope.version), ("ptc_subagent", env!("CARGO_PKG_VERSION")));
    let resource = sent.resource.as_ref().unwrap();
    let service = resource.attributes.iter().find(|it| it.key == "service.name").unwrap();
    assert_eq!(json(service.value.as_ref().unwrap().value.as_ref().unwrap()), "tests");
}

/// A layer that notes everything a subscriber receives.
struct Notes(Arc<Mutex<Vec<String>>>);

impl<S: Subscriber + for<'a> LookupSpan<'a>> Layer<S> for Notes {
    fn on_new_span(&self, _: &Attributes<'_>, id: &Id, context: Context<'_, S>) {
        let span = context.span(id).unwrap();
        let parent = span.parent().map_or("nothing", |it| it.name());
        self.0.lock().unwrap().push(format!("{} in {parent}", span.name()));
    }

    fn on_record(&self, _: &Id, values: &Record<'_>, _: Context<'_, S>) {
        values.record(&mut |field: &Field, value: &dyn Debug| {
            if field.name() == "gen_ai.response.finish_reasons" {
                self.0.lock().unwrap().push(format!("{field}={value:?}"));
            }
        });
    }

    fn on_close(&self, id: Id, context: Context<'_, S>) {
        let name = context.span(&id).unwrap().name();
        self.0.lock().unwrap().push(format!("{name} is over"));
    }
}

#[tokio::test]
async fn any_subscriber_gets_the_spans_inside_its_current_one() {
    let notes = Arc::default();
    let _guard = set_default(Registry::default().with(Notes(Arc::clone(&notes))));
    let mut spans = Spans::new();
    let (agent, provider) =
        (changer(), Scripted::new([program("(tool/rate {:currency \"USD\"})")]));
    let agent = agent.with_max_turns(1);
    let mission = Mission::new(&agent, json!({})).observe(move |run, event| spans.see(run, event));
    mission.run(&provider).instrument(info_span!("request")).await.unwrap();
    assert_eq!(
        *notes.lock().unwrap(),
        [
            "request in nothing",
            "invoke_agent in request",
            "turn in invoke_agent",
            "chat in turn",
            r#"gen_ai.response.finish_reasons="[\"stop\"]""#,
            "chat is over",
            "execute_tool in turn",
            "execute_tool is over",
            "turn is over",
            "invoke_agent is over",
            "request is over",
        ]
    );
}

#[tokio::test]
async fn contents_are_exported_on_request() {
    let collector = Collector::start("200 OK").await;
    let otlp = Otlp::new(&collector.endpoint, "tests").unwrap().with_contents(true);
    let agent = changer().with_signature("(amount :float) -> :any").unwrap();
    let programs = [program("(tool/rate {:currency \"XXX\"})"), program("(fail \"no rate\")")];
    let input = json!({"amount": 2.0});
    let mut prompts = Vec::new();
    let mut spans = otlp.spans();
    let mission = Mission::new(&agent, input.clone()).stream(true).observe(|run, event| {
        if let Event::TurnStarted { prompt, .. } = event {
            prompts.push(prompt.clone());
        }
        spans.see(run, event);
    });
    let system = mission.system_prompt().unwrap().text();
    mission.run(&Scripted::new(programs.clone())).await.unwrap();
    otlp.finish().await.unwrap();

    let text = |text: &str| json!({"type": "text", "content": text});
    let user = |said: &str| json!({"role": "user", "parts": [text(said)]});
    let model = |said: &str| json!({"role": "assistant", "parts": [text(said)]});
    let output = |said: &str| {
        json!([{"role": "assistant", "parts": [text(said)], "finish_reason": "stop"}]).to_string()
    };
    let mut said = Vec::new();
    contents(&collector.tree(), &mut said);
    let instructions = json!([text(&system)]).to_string();
    let first = json!([user(&prompts[0])]);
    let second = json!([user(&prompts[0]), model(&programs[0]), user(&prompts[1])]);
    assert_eq!(
        Value::from(said),
        json!([
            ["invoke_agent changer", "failed: no rate", {
                "gen_ai.input.messages": json!([user(&input.to_string())]).to_string(),
            }],
            ["turn", "tool `rate`: no such currency", {}],
            ["chat", "", {
                "gen_ai.request.stream": true,
                "gen_ai.system_instructions": instructions,
                "gen_ai.input.messages": first.to_string(),
                "gen_ai.output.messages": output(&programs[0]),
            }],
            ["execute_tool rate", "no such currency", {
                "gen_ai.tool.call.arguments": r#"{"currency":"XXX"}"#,
            }],
            ["turn", "", {}],
            ["chat", "", {
                "gen_ai.request.stream": true,
                "gen_ai.system_instructions": instructions,
                "gen_ai.input.messages": second.to_string(),
                "gen_ai.output.messages": output(&programs[1]),
            }],
        ])
    );

    // The contents of the results of a tool and of a run.
    let collector = Collector::start("200 OK").await;
    let otlp = Otlp::new(&collector.endpoint, "tests").unwrap().with_contents(true);
    let returns = program("(return (tool/rate {:currency \"USD\"}))");
    run(&changer(), &Scripted::new([returns.clone()]), &otlp).await;
    otlp.finish().await.unwrap();
    let mut said = Vec::new();
    contents(&collector.tree(), &mut said);
    let given = |at: usize, name: &str| said[at][2][name].clone();
    assert_eq!(given(0, "gen_ai.output.messages"), output("0.5"));
    assert_eq!(given(3, "gen_ai.tool.call.result"), "0.5");
}

/// Native calls and their results are parts of the messages.
#[tokio::test]
async fn native_calls_are_parts_of_messages() {
    let collector = Collector::start("200 OK").await;
    let otlp = Otlp::new(&collector.endpoint, "tests").unwrap().with_contents(true);
    let call = |id: &str, arguments: &str| ModelCall {
        id: id.to_string(),
        name: "rate".to_string(),
        arguments: arguments.to_string(),
    };
    let calls = vec![call("a", r#"{"currency": "USD"}"#), call("b", "{")];
    let replies = vec![Reply { calls, ..Reply::new("I ask.") }, Reply::new("0.5")];
    let agent = changer().with_answers(Answers::Tools);
    run(&agent, &Scripted::from_replies(replies), &otlp).await;
    otlp.finish().await.unwrap();
    let mut said = Vec::new();
    contents(&collector.tree(), &mut said);
    let found = |name: &str| -> Vec<Value> {
        let found = said.iter().filter_map(|span| span[2][name].as_str());
        found.map(|json| serde_json::from_str(json).unwrap()).collect()
    };
    let text = |text: &str| json!({"type": "text", "content": text});
    let asked = json!([
        text("I ask."),
        {"type": "tool_call", "id": "a", "name": "rate", "arguments": {"currency": "USD"}},
        {"type": "tool_call", "id": "b", "name": "rate", "arguments": "{"},
    ]);
    let output = &found("gen_ai.output.messages")[1];
    assert_eq!(*output, json!([{"role": "assistant", "parts": asked, "finish_reason": "stop"}]));
    let input = found("gen_ai.input.messages").pop().unwrap();
    assert_eq!(input[1], json!({"role": "assistant", "parts": asked}));
    let response =
        |id: &str, text: &str| json!({"type": "tool_call_response", "id": id, "response": text});
    let wrong = "Error: the arguments of `rate` are not valid JSON: expected a key in double quotes at \
                 line 1, column 2";
    assert_eq!(
        input[2],
        json!({"role": "tool", "parts": [response("a", "0.5"), response("b", wrong)]})
    );
    assert_eq!(input.as_array().unwrap().len(), 3);
}

/// Collects the attributes that spans have only with contents or with streamed replies, outer spans first.
fn contents(tree: &Value, found: &mut Vec<Value>) {
    for span in tree.as_array().unwrap() {
        let mut attributes = span["attributes"].clone();
        let marks = ["messages", "instructions", "arguments", "result", "stream"];
        let object = attributes.as_object_mut().unwrap();
        object.retain(|name, _| marks.iter().any(|mark| name.ends_with(mark)));
        found.push(json!([span["name"], span["status"][1], attributes]));
        contents(&span["spans"], found);
    }
}

#[tokio::test]
async fn a_run_that_is_dropped_closes_its_spans() {
    let collector = Collector::start("200 OK").await;
    let otlp = Otlp::new(&collector.endpoint, "tests").unwrap();
    let (called, is_called) = tokio::sync::oneshot::channel();
    let called = Mutex::new(Some(called));
    let wait = FnTool::new(move |_: Value, _| {
        called.lock().unwrap().take().unwrap().send(()).unwrap();
        std::future::pending::<Result<Value, ToolError>>()
    });
    let agent = Agent::new("Wait.").with_name("waiter").with_tool(ToolDef::new("wait", wait));
    let provider = Scripted::new([program("(tool/wait {})")]);
    tokio::select! {
        _ = run(&agent, &provider, &otlp) => panic!("it ended"),
        _ = is_called => {}
    }
    otlp.finish().await.unwrap();

    let chat = json!({
        "gen_ai.conversation.id": "run 0",
        "gen_ai.operation.name": "chat",
        "gen_ai.provider.name": "scripted",
        "gen_ai.response.finish_reasons": ["stop"],
        "ptc.turn": 1,
    });
    let call = json!({
        "error.type": "tool-cancelled",
        "gen_ai.agent.name": "waiter",
        "gen_ai.operation.name": "execute_tool",
        "gen_ai.tool.call.id": "0",
        "gen_ai.tool.name": "wait",
        "gen_ai.tool.type": "function",
        "ptc.turn": 1,
    });
    let turn = json!({
        "error.type": "cancelled",
        "ptc.fuel": 0,
        "ptc.outcome": "cancelled",
        "ptc.tool_calls": 1,
        "ptc.turn": 1,
    });
    let whole = json!({
        "error.type": "cancelled",
        "gen_ai.agent.name": "waiter",
        "gen_ai.conversation.id": "run 0",
        "gen_ai.operation.name": "invoke_agent",
        "gen_ai.provider.name": "scripted",
        "gen_ai.usage.input_tokens": 0,
        "gen_ai.usage.output_tokens": 0,
        "ptc.fuel": 0,
        "ptc.status": "stopped",
        "ptc.stop": "cancelled",
        "ptc.tool_calls": 1,
        "ptc.turns": 1,
    });
    let inside = json!([
        span("chat", CLIENT, chat, json!([])),
        span("execute_tool wait", INTERNAL, call, json!([])),
    ]);
    let turns = json!([span("turn", INTERNAL, turn, inside)]);
    assert_eq!(collector.tree(), json!([span("invoke_agent waiter", INTERNAL, whole, turns)]));
}

/// Another process has started the run and its sub-agent. Both are named, and the sub-agent is inside its caller.
#[tokio::test]
async fn a_resumed_run_has_spans_of_its_new_steps() {
    let asks = Agent::workflow("(ask \"How many?\")").with_name("asks");
    let agent =
        Agent::workflow("(tool/asks {})").with_name("outer").with_tool(ToolDef::agent(asks));
    let store = Store::in_memory().unwrap();
    let mission = Mission::new(&agent, json!({})).record_in(&store).wait_at_most(Duration::ZERO);
    let waiting = mission.run(&NoModel).await.unwrap();
    let resume = Resume::of(&store, waiting.run.as_str()).unwrap();
    let resume = resume.answer(None, json!("4")).unwrap();
    let mission = resume.mission(&agent).unwrap();

    let collector = Collector::start("200 OK").await;
    let otlp = Otlp::new(&collector.endpoint, "tests").unwrap();
    let mut spans = otlp.spans();
    spans.know(mission.runs_on_record());
    let mission = mission.observe(move |run, event| spans.see(run, event));
    assert_eq!(mission.run(&NoModel).await.unwrap().value, json!("4"));
    otlp.finish().await.unwrap();
    let names = |span: &Value| span["name"].clone();
    let tree = collector.tree();
    assert_eq!(names(&tree[0]), "invoke_agent outer");
    let inside: Vec<Value> = tree[0]["spans"].as_array().unwrap().iter().map(names).collect();
    assert_eq!(inside, ["invoke_agent asks"]);
}

/// Only the new steps of a run are known.
#[tokio::test]
async fn a_run_whose_start_nobody_saw_has_spans_without_a_name() {
    let collector = Collector::start("200 OK").await;
    let otlp = Otlp::new(&collector.endpoint, "tests").unwrap();
    let mut spans = otlp.spans();
    let agent = changer();
    let mission = Mission::new(&agent, json!({})).observe(move |run, event| match event {
        Event::RunStarted(_) => {}
        event => spans.see(run, event),
    });
    mission.run(&Scripted::new([program("(return 42)")])).await.unwrap();
    otlp.finish().await.unwrap();

    let chat = json!({
        "gen_ai.conversation.id": "run 0",
        "gen_ai.operation.name": "chat",
        "gen_ai.response.finish_reasons": ["stop"],
        "ptc.turn": 1,
    });
    let turn = json!({
        "ptc.fuel": 0,
        "ptc.outcome": "returned",
        "ptc.tool_calls": 0,
        "ptc.turn": 1,
    });
    let whole = json!({
        "gen_ai.conversation.id": "run 0",
        "gen_ai.operation.name": "invoke_agent",
        "gen_ai.usage.input_tokens": 0,
        "gen_ai.usage.output_tokens": 0,
        "ptc.fuel": 0,
        "ptc.status": "returned",
        "ptc.tool_calls": 0,
        "ptc.turns": 1,
    });
    let turns =
        json!([span("turn", INTERNAL, turn, json!([span("chat", CLIENT, chat, json!([]))]))]);
    assert_eq!(collector.tree(), json!([span("invoke_agent", INTERNAL, whole, turns)]));
}

/// Returns the attributes of the turns and of their requests.
fn request_attributes(collector: &Collector) -> Value {
    let tree = collector.tree();
    let turns = tree[0]["spans"].as_array().unwrap();
    let of = |span: &Value| span["attributes"].clone();
    turns.iter().flat_map(|turn| [of(turn), of(&turn["spans"][0])]).collect()
}

#[tokio::test]
async fn a_reply_that_was_cut_off_and_a_missing_reply() {
    let check = async |agent: Agent, provider: &dyn Provider, expected: Value| {
        let collector = Collector::start("200 OK").await;
        let otlp = Otlp::new(&collector.endpoint, "tests").unwrap();
        run(&agent, &provider, &otlp).await;
        otlp.finish().await.unwrap();
        assert_eq!(request_attributes(&collector), expected);
    };
    let turn = |outcome: &str, code: &str| {
        json!({
            "error.type": code,
            "ptc.fuel": 0,
            "ptc.outcome": outcome,
            "ptc.tool_calls": 0,
            "ptc.turn": 1,
        })
    };
    let model = Named(
        "ollama:small",
        Model(|_: &str| {
            let usage = Usage { input_tokens: 7, cached_input_tokens: 5, ..Usage::default() };
            Reply { finish: Finish::Filtered, usage: Some(usage), ..Reply::new("What would") }
        }),
    );
    let chat = json!({
        "gen_ai.conversation.id": "run 0",
        "gen_ai.operation.name": "chat",
        "gen_ai.provider.name": "ollama",
        "gen_ai.request.model": "small",
        "gen_ai.response.finish_reasons": ["content_filter"],
        "gen_ai.usage.cache_read.input_tokens": 5,
        "gen_ai.usage.input_tokens": 7,
        "gen_ai.usage.output_tokens": 0,
        "ptc.turn": 1,
    });
    let agent = changer().with_max_turns(1);
    check(agent, &model, json!([turn("no-program", "no-program"), chat])).await;

    let unasked = |code: &str| {
        json!({
            "error.type": code,
            "gen_ai.conversation.id": "run 0",
            "gen_ai.operation.name": "chat",
            "gen_ai.provider.name": "scripted",
            "gen_ai.response.finish_reasons": ["error"],
            "ptc.turn": 1,
        })
    };
    let code = "provider-recording";
    let nothing = Scripted::new([""; 0]);
    check(changer(), &nothing, json!([turn("provider", code), unasked(code)])).await;
}

#[tokio::test]
async fn a_collector_that_is_missing_or_refuses() {
    let check = async |endpoint: &str, why: &str| {
        let otlp = Otlp::new(endpoint, "tests").unwrap();
        let provider = Scripted::new([program("(return 42)")]);
        assert_eq!(run(&changer(), &provider, &otlp).await.value, json!(42));
        let error = otlp.finish().await.unwrap_err();
        assert_eq!(error.code(), "spans-not-sent");
        let message = error.to_string();
        // The number of the error depends on the system.
        let message = message.split(" (os error").next().unwrap();
        assert_eq!(message, format!("spans were not sent to {endpoint}: {why}"));
    };
    let refuses = Collector::start("400 Bad Request").await;
    check(&refuses.endpoint, "the answer was 400 Bad Request").await;
    // The address of a listener that is already closed.
    let gone = TcpListener::bind("127.0.0.1:0").await.unwrap().local_addr().unwrap();
    check(&format!("http://{gone}/v1/traces"), "Connection refused").await;
}

#[tokio::test]
async fn invalid_endpoints() {
    for endpoint in ["localhost", "localhost:4317", "grpc://localhost:4317", ""] {
        let error = Otlp::new(endpoint, "tests").unwrap_err();
        assert_eq!(
            (error.to_string().as_str(), error.help()),
            (
                "spans cannot be sent: the endpoint is not a URL",
                Some("give one like `http://localhost:4318`")
            ),
            "{endpoint}"
        );
    }
}
