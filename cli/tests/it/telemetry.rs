//! `ptc run` and a collector of spans: one that answers, one that is missing, and one that does not answer.

use std::io::{Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::thread::JoinHandle;

use opentelemetry_proto::tonic::collector::trace::v1::ExportTraceServiceRequest;
use opentelemetry_proto::tonic::common::v1::{KeyValue, any_value::Value as Any};
use opentelemetry_proto::tonic::trace::v1::Span;
use prost::Message as _;

use crate::serve::Server;
use crate::support::{Folder, Output, ptc, run};

/// A collector that accepts every request.
struct Collector {
    address: String,
    thread: JoinHandle<Vec<(String, ExportTraceServiceRequest)>>,
}

impl Collector {
    fn start() -> Collector {
        let listener = TcpListener::bind("127.0.0.1:0").expect("listens");
        let address = listener.local_addr().expect("has an address").to_string();
        let thread = std::thread::spawn(move || {
            let mut received = Vec::new();
            loop {
                let (mut stream, _) = listener.accept().expect("accepts");
                // An empty connection ends the collector.
                let Some(request) = read(&mut stream) else { return received };
                received.push(request);
                let answer = "HTTP/1.1 200 OK\r\nContent-Length: 0\r\nConnection: close\r\n\r\n";
                stream.write_all(answer.as_bytes()).expect("writes");
            }
        });
        Collector { address, thread }
    }

    /// Ends the collector; returns the heads and the bodies of the requests.
    fn end(self) -> (Vec<String>, Vec<ExportTraceServiceRequest>) {
        drop(TcpStream::connect(&self.address).expect("connects"));
        self.thread.join().expect("ends").into_iter().unzip()
    }
}

fn read(stream: &mut TcpStream) -> Option<(String, ExportTraceServiceRequest)> {
    let (mut bytes, mut buffer) = (Vec::new(), [0; 4096]);
    loop {
        let n = stream.read(&mut buffer).expect("reads");
        if n == 0 {
            assert!(bytes.is_empty(), "it broke off");
            return None;
        }
        bytes.extend_from_slice(&buffer[..n]);
        let Some(at) = bytes.windows(4).position(|it| it == b"\r\n\r\n") else { continue };
        let head = String::from_utf8_lossy(&bytes[..at]).into_owned();
        let length = head.lines().find_map(|it| it.strip_prefix("content-length: "));
        let length: usize = length.and_then(|it| it.parse().ok()).expect("has a length");
        if bytes.len() == at + 4 + length {
            let body = ExportTraceServiceRequest::decode(&bytes[at + 4..]).expect("is OTLP");
            return Some((head, body));
        }
    }
}

/// Returns the spans as lines, in the order of their starts. A child is indented below its parent.
fn outline(received: &[ExportTraceServiceRequest]) -> Vec<String> {
    let scopes = received.iter().flat_map(|it| &it.resource_spans).flat_map(|it| &it.scope_spans);
    let mut spans: Vec<&Span> = scopes.flat_map(|it| &it.spans).collect();
    spans.sort_by_key(|it| it.start_time_unix_nano);
    let mut lines = Vec::new();
    push_children(&spans, &[], 0, &mut lines);
    lines
}

fn push_children(all: &[&Span], parent: &[u8], depth: usize, lines: &mut Vec<String>) {
    for span in all.iter().filter(|it| it.parent_span_id == parent) {
        let names = ["ptc.outcome", "ptc.status", "ptc.cached", "gen_ai.output.messages"];
        let with = names.iter().filter_map(|name| {
            attribute(&span.attributes, name).map(|value| format!(" {name}={value}"))
        });
        let with = with.collect::<String>();
        lines.push(format!("{}{}{with}", "  ".repeat(depth), span.name));
        push_children(all, &span.span_id, depth + 1, lines);
    }
}

fn attribute(attributes: &[KeyValue], name: &str) -> Option<String> {
    let value = attributes.iter().find(|it| it.key == name)?.value.as_ref()?.value.as_ref()?;
    Some(match value {
        Any::StringValue(it) => it.clone(),
        Any::BoolValue(it) => it.to_string(),
        other => panic!("{other:?}"),
    })
}

const WORDS: &str = r#"{"words": ["labyrinth", "ox", "labyrinth"]}"#;

/// Runs an agent with a sub-agent and some environment variables.
fn family(variables: &[(&str, &str)]) -> Output {
    let folder = tempfile::tempdir().expect("makes a folder");
    let args = ["run", "agents/family.toml", "--quiet", "--input", WORDS];
    let mut command = ptc(&args, &folder.path().join("runs.sqlite"));
    run(command.envs(variables.iter().copied()), b"")
}

fn expected(stderr: &str) -> Output {
    let stdout = "[\n  \"labyrinth\",\n  \"labyrinth\"\n]\n".to_owned();
    Output { code: Some(0), stdout, stderr: stderr.to_owned() }
}

#[test]
fn the_spans_of_a_run_reach_the_collector() {
    let collector = Collector::start();
    let endpoint = format!("http://{}/", collector.address);
    let output = family(&[
        ("OTEL_EXPORTER_OTLP_ENDPOINT", &endpoint),
        ("OTEL_EXPORTER_OTLP_HEADERS", "x-team=of%20two"),
        ("OTEL_RESOURCE_ATTRIBUTES", "deployment.environment.name=tests"),
    ]);
    let (heads, received) = collector.end();
    assert_eq!(output, expected(""));
    assert_eq!(
        outline(&received),
        [
            "invoke_agent family ptc.status=returned",
            "  turn ptc.outcome=returned",
            "    chat agents/family.jsonl",
            "    execute_tool long",
            "      invoke_agent long ptc.status=returned",
            "        turn ptc.outcome=returned",
            "          chat agents/long.jsonl",
            "    execute_tool long",
            "      invoke_agent long ptc.status=returned",
            "        turn ptc.outcome=no-answer",
            "          chat agents/long.jsonl",
            "        turn ptc.outcome=returned",
            "          chat agents/long.jsonl",
            "    execute_tool long ptc.cached=true",
        ]
    );
    for head in heads {
        assert!(head.starts_with("POST /v1/traces HTTP/1.1"), "{head}");
        assert!(head.contains("x-team: of two"), "{head}");
    }
    let resource = received[0].resource_spans[0].resource.as_ref().expect("is there");
    let attribute_of = |name: &str| attribute(&resource.attributes, name);
    assert_eq!(attribute_of("service.name").as_deref(), Some("ptc"));
    assert_eq!(attribute_of("deployment.environment.name").as_deref(), Some("tests"));
}

/// A server records a run as queued before it runs it, which no span shows.
#[cfg(unix)]
#[test]
fn the_spans_of_a_run_of_a_server_are_those_of_ptc_run() {
    let of_run = {
        let collector = Collector::start();
        let endpoint = format!("http://{}/", collector.address);
        assert_eq!(family(&[("OTEL_EXPORTER_OTLP_ENDPOINT", &endpoint)]), expected(""));
        outline(&collector.end().1)
    };
    let collector = Collector::start();
    let endpoint = format!("http://{}/", collector.address);
    let folder = tempfile::tempdir().expect("makes a folder");
    let mut command = ptc(&["serve", "agents/family.toml"], &folder.path().join("runs.sqlite"));
    let server = Server::start(command.env("OTEL_EXPORTER_OTLP_ENDPOINT", &endpoint));
    let words: serde_json::Value = serde_json::from_str(WORDS).expect("is JSON");
    let body = serde_json::json!({"agent": "family", "input": words});
    let (status, run) = server.ask("POST", "/v1/runs?wait=60", &body).expect("lives");
    assert_eq!((status, &run["status"]), (201, &serde_json::json!("returned")));
    server.end();
    assert_eq!(outline(&collector.end().1), of_run);
}

/// The record names a run that another process started.
#[cfg(unix)]
#[test]
fn the_spans_of_a_run_that_goes_on_are_named() {
    let folder = Folder::new();
    folder.wait("one");
    folder.pass_time();
    let collector = Collector::start();
    let endpoint = format!("http://{}/", collector.address);
    let mut command = folder.command(&["work", "--once"]);
    let output = run(command.env("OTEL_EXPORTER_OTLP_ENDPOINT", &endpoint), b"");
    assert_eq!((output.code, output.stderr.as_str()), (Some(0), ""));
    assert_eq!(outline(&collector.end().1)[0], "invoke_agent one ptc.status=returned");
}

#[test]
fn other_variables_of_the_environment() {
    let collector = Collector::start();
    let endpoint = format!("http://{}/of/traces", collector.address);
    let output = family(&[
        ("OTEL_EXPORTER_OTLP_ENDPOINT", "http://nowhere.invalid"),
        ("OTEL_EXPORTER_OTLP_TRACES_ENDPOINT", &endpoint),
        ("OTEL_SERVICE_NAME", "words"),
        ("OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT", "true"),
    ]);
    let (heads, received) = collector.end();
    assert_eq!(output, expected(""));
    assert!(heads[0].starts_with("POST /of/traces HTTP/1.1"), "{}", heads[0]);
    let resource = received[0].resource_spans[0].resource.as_ref().expect("is there");
    assert_eq!(attribute(&resource.attributes, "service.name").as_deref(), Some("words"));
    let value = r#"[{"role":"assistant","parts":[{"type":"text","content":"[\"labyrinth\",\"labyrinth\"]"}],"finish_reason":"stop"}]"#;
    let first = format!("invoke_agent family ptc.status=returned gen_ai.output.messages={value}");
    assert_eq!(outline(&received)[0], first);

    // These variables turn spans off.
    let disabling: &[(&str, &str)] = &[
        ("OTEL_SDK_DISABLED", "true"),
        ("OTEL_TRACES_EXPORTER", "none"),
        ("OTEL_EXPORTER_OTLP_ENDPOINT", ""),
    ];
    for variable in disabling {
        let collector = Collector::start();
        let endpoint = format!("http://{}", collector.address);
        let output = family(&[("OTEL_EXPORTER_OTLP_ENDPOINT", &endpoint), *variable]);
        assert_eq!((output, collector.end().1), (expected(""), Vec::new()), "{variable:?}");
    }
}

#[test]
fn each_of_many_inputs_is_a_run() {
    let collector = Collector::start();
    let endpoint = format!("http://{}", collector.address);
    let folder = tempfile::tempdir().expect("makes a folder");
    let args =
        ["run", "agents/one.toml", "--quiet", "--jobs", "1", "--inputs", "inputs/good.jsonl"];
    let mut command = ptc(&args, &folder.path().join("runs.sqlite"));
    let output = run(command.env("OTEL_EXPORTER_OTLP_ENDPOINT", endpoint), b"");
    let (_, received) = collector.end();
    assert_eq!((output.code, output.stderr.as_str()), (Some(0), ""));
    let one = [
        "invoke_agent one ptc.status=returned",
        "  turn ptc.outcome=returned",
        "    chat agents/one.jsonl",
    ];
    assert_eq!(outline(&received), [one, one].concat());
}

#[test]
fn a_failing_collector_does_not_fail_the_run() {
    let warning = |endpoint: &str, why: &str| {
        format!(
            "warning: spans were not sent to {endpoint}/v1/traces: {why}\n\
             help: a collector takes them as protobuf over HTTP, most of them at port 4318\n"
        )
    };
    let listener = TcpListener::bind("127.0.0.1:0").expect("listens");
    let endpoint = format!("http://{}", listener.local_addr().expect("has an address"));
    let endpoint = ("OTEL_EXPORTER_OTLP_ENDPOINT", endpoint.as_str());
    // The collector accepts connections but does not answer within the wait at the end of a run.
    assert_eq!(family(&[endpoint]), expected(&warning(endpoint.1, "no answer within 3s")));
    let soon = ("OTEL_EXPORTER_OTLP_TIMEOUT", "100");
    assert_eq!(family(&[endpoint, soon]), expected(&warning(endpoint.1, "no answer within 100ms")));
    // Nobody listens at the address.
    drop(listener);
    let mut output = family(&[endpoint]);
    // The number of the error depends on the system, so it is removed.
    let (start, rest) = output.stderr.split_once(" (os error ").expect("has a number");
    let (_, end) = rest.split_once(')').expect("ends");
    output.stderr = format!("{start}{end}");
    assert_eq!(output, expected(&warning(endpoint.1, "Connection refused")));
    // The endpoint is invalid.
    let none = ("OTEL_EXPORTER_OTLP_ENDPOINT", "collector:4318");
    let said = "warning: spans cannot be sent: the endpoint is not a URL\n\
                help: give one like `http://localhost:4318`\n";
    assert_eq!(family(&[none]), expected(said));
}
