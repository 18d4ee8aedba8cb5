//! Streamed replies: any split of the bytes gives the same reply and the same streamed text.

use std::time::Duration;

use ptc_subagent::provider::{
    Cost, Finish, ModelSpec, Partial, Provider, ProviderError, ProviderOptions, Recorder, Reply,
    Request, Scripted, Usage,
};
use serde_json::{Value, json};

use crate::provider::{KEY, options, request};
use crate::support::{Answer, Server, text};

const EVENTS: &str = "text/event-stream";
const LINES: &str = "application/x-ndjson";

/// Asks for one reply. Returns it and the streamed pieces.
async fn listen(provider: &dyn Provider) -> (Result<Reply, ProviderError>, Vec<String>) {
    let mut told = Vec::new();
    let mut on = |partial: Partial<'_>| {
        if let Partial::Text(text) = partial {
            told.push(text.to_string());
        }
    };
    let request = Request { streamed: true, ..request() };
    let reply = provider.ask(&request, &mut on).await;
    (reply, told)
}

async fn open(spec: &str, answers: Vec<Answer>) -> (Box<dyn Provider>, Server) {
    let server = Server::start(answers).await;
    let provider = spec.parse::<ModelSpec>().unwrap().open(&options(&server)).unwrap();
    (provider, server)
}

/// Sends a stream split in two at every byte, and byte by byte. Compares the reply and the streamed text.
async fn check(spec: &str, content: &'static str, stream: &str, expected: &Reply) {
    let bytes = stream.as_bytes();
    let halves = (0..=bytes.len()).map(|at| {
        let (one, two) = bytes.split_at(at);
        vec![one.to_vec(), two.to_vec()]
    });
    let single = bytes.iter().map(|it| vec![*it]).collect();
    let answers: Vec<Answer> =
        halves.chain([single]).map(|chunks| Answer::Chunks(content, chunks, true)).collect();
    let n_answers = answers.len();
    let (provider, server) = open(spec, answers).await;
    for at in 0..n_answers {
        let (reply, told) = listen(provider.as_ref()).await;
        assert_eq!(reply.as_ref(), Ok(expected), "{spec} split at {at}");
        assert_eq!(told.concat(), expected.text, "{spec} split at {at}");
    }
    assert_eq!(server.requests().len(), n_answers, "{spec}");
    assert_eq!(server.bodies()[0]["stream"], json!(true));
    check_cut(spec, content, bytes, expected).await;
}

/// Cuts a stream at every byte. That must be a broken connection, unless the whole text came before.
async fn check_cut(spec: &str, content: &'static str, bytes: &[u8], expected: &Reply) {
    let cut = |at: usize| vec![bytes[..at].to_vec()];
    let answers = (0..bytes.len()).map(|at| Answer::Chunks(content, cut(at), true)).collect();
    let server = Server::start(answers).await;
    let options = ProviderOptions { attempts: 1, ..options(&server) };
    let provider = spec.parse::<ModelSpec>().unwrap().open(&options).unwrap();
    for at in 0..bytes.len() {
        let (reply, told) = listen(provider.as_ref()).await;
        assert!(expected.text.starts_with(&told.concat()), "{spec} cut at {at}: {told:?}");
        match reply {
            Ok(reply) => assert_eq!(reply.text, expected.text, "{spec} cut at {at}"),
            Err(error) => assert_eq!(error.kind.code(), "provider-network", "{spec} cut at {at}"),
        }
    }
}

fn reply(text: &str, finish: Finish, usage: Option<Usage>) -> Reply {
    Reply { usage, finish, ..Reply::new(text) }
}

fn usage(input_tokens: u64, output_tokens: u64, cached_input_tokens: u64) -> Option<Usage> {
    Some(Usage { input_tokens, output_tokens, cached_input_tokens, cost: None })
}

/// Formats events with the names of their types, as some protocols do.
fn events(all: &[Value]) -> String {
    let one = |it: &Value| match it["type"].as_str() {
        Some(kind) => format!("event: {kind}\ndata: {it}\n\n"),
        None => format!("data: {it}\n\n"),
    };
    all.iter().map(one).collect()
}

/// Formats a stream of chat completions from the changes of the message.
fn chunks(deltas: &[Value], reason: &str) -> String {
    let choice = |delta: &Value, reason: Value| json!({"id": "c", "choices": [{"index": 0, "delta": delta, "finish_reason": reason}]});
    let mut all: Vec<Value> = deltas.iter().map(|it| choice(it, Value::Null)).collect();
    all.push(choice(&json!({}), json!(reason)));
    all.push(json!({"choices": [], "usage": {"prompt_tokens": 9, "completion_tokens": 4,
        "prompt_tokens_details": {"cached_tokens": 6}}}));
    events(&all) + "data: [DONE]\n\n"
}

#[tokio::test]
async fn streams_of_chat_completions() {
    let said = [
        json!({"role": "assistant", "content": ""}),
        json!({"content": "größer "}),
        json!({"content": "als 😀\n", "reasoning_content": "hm"}),
    ];
    let stream = format!(": comment\n\n{}", chunks(&said, "stop"));
    check("openai:m", EVENTS, &stream, &reply("größer als 😀\n", Finish::Stop, usage(9, 4, 6)))
        .await;
    let call = |arguments: &str| json!({"tool_calls": [{"index": 0, "function": {"arguments": arguments}}]});
    let program = [
        json!({"content": null}),
        call(""),
        call("{\"program\":\"(f \\"),
        call("\"ü\\u00"),
        call("e9\\\")\"}"),
    ];
    let expected = reply("```clojure\n(f \"üé\")\n```", Finish::Stop, usage(9, 4, 6));
    check("openai:m", EVENTS, &chunks(&program, "tool_calls").replace('\n', "\r\n"), &expected)
        .await;
    let cut = reply("(f", Finish::Length, usage(9, 4, 6));
    check("openai:m", EVENTS, &chunks(&[json!({"content": "(f"})], "length"), &cut).await;
}

#[tokio::test]
async fn streams_of_responses() {
    let end = |kind: &str, status: &str, reason: Value| {
        json!({"type": kind, "response": {"status": status, "error": null,
            "incomplete_details": reason, "usage": {"input_tokens": 9, "output_tokens": 4,
                "input_tokens_details": {"cached_tokens": 6}}}})
    };
    let delta = |kind: &str, delta: &str| json!({"type": kind, "output_index": 1, "delta": delta});
    let created =
        json!({"type": "response.created", "response": {"status": "in_progress", "error": null}});
    let completed = end("response.completed", "completed", Value::Null);
    let spec = "openai-responses:m";
    let text = "response.output_text.delta";
    let stream = events(&[
        created.clone(),
        delta("response.reasoning_text.delta", "hm"),
        delta(text, "grö"),
        delta(text, "ßer"),
        completed.clone(),
    ]);
    check(spec, EVENTS, &stream, &reply("größer", Finish::Stop, usage(9, 4, 6))).await;
    let kind = "response.custom_tool_call_input.delta";
    let program = reply("```clojure\n(f)\n```", Finish::Stop, usage(9, 4, 6));
    let stream = events(&[created, delta(kind, "(f"), delta(kind, ")"), completed.clone()]);
    check(spec, EVENTS, &stream, &program).await;
    let kind = "response.function_call_arguments.delta";
    let stream = events(&[delta(kind, "{\"program\": \"(f"), delta(kind, ")\"}"), completed]);
    check(spec, EVENTS, &stream, &program).await;
    let cut = end("response.incomplete", "incomplete", json!({"reason": "max_output_tokens"}));
    let stream = events(&[delta(text, "(f"), cut]);
    check(spec, EVENTS, &stream, &reply("(f", Finish::Length, usage(9, 4, 6))).await;
}

#[tokio::test]
async fn streams_of_messages() {
    let start = json!({"type": "message_start", "message": {"type": "message", "content": [],
        "stop_reason": null, "usage": {"input_tokens": 2, "cache_read_input_tokens": 6,
            "cache_creation_input_tokens": 1, "output_tokens": 1}}});
    let delta = |index: u64, delta: Value| json!({"type": "content_block_delta", "index": index, "delta": delta});
    let text = |text: &str| json!({"type": "text_delta", "text": text});
    let json = |part: &str| json!({"type": "input_json_delta", "partial_json": part});
    let end = |reason: &str| {
        [
            json!({"type": "message_delta", "delta": {"stop_reason": reason, "stop_sequence": null},
            "usage": {"output_tokens": 4}}),
            json!({"type": "message_stop"}),
        ]
    };
    let block = json!({"type": "content_block_start", "index": 0,
        "content_block": {"type": "text", "text": ""}});
    let mut all = vec![
        start.clone(),
        block,
        json!({"type": "ping"}),
        delta(0, json!({"type": "thinking_delta", "thinking": "hm"})),
        delta(1, text("grö")),
        delta(1, text("ßer")),
        json!({"type": "content_block_stop", "index": 1}),
    ];
    all.extend(end("end_turn"));
    let expected = reply("größer", Finish::Stop, usage(9, 4, 6));
    check("anthropic:m", EVENTS, &events(&all), &expected).await;
    let mut all = vec![
        start,
        delta(0, text("So.")),
        delta(1, json("")),
        delta(1, json("{\"prog")),
        delta(1, json("ram\": \"(f)\\n\"}")),
    ];
    all.extend(end("tool_use"));
    let expected = reply("So.\n\n```clojure\n(f)\n```", Finish::Stop, usage(9, 4, 6));
    check("anthropic:m", EVENTS, &events(&all), &expected).await;
}

#[tokio::test]
async fn streams_of_ollama() {
    let line = |message: Value| json!({"model": "m", "message": message, "done": false});
    let end = json!({"model": "m", "message": {"role": "assistant", "content": ""}, "done": true,
        "done_reason": "stop", "prompt_eval_count": 9, "eval_count": 4});
    let lines = |all: &[Value]| {
        let lines: Vec<String> = all.iter().map(Value::to_string).collect();
        lines.join("\n") + "\n"
    };
    let said = [
        line(json!({"content": "", "thinking": "hm"})),
        line(json!({"content": "grö"})),
        line(json!({"content": "ßer"})),
        end.clone(),
    ];
    let expected = reply("größer", Finish::Stop, usage(9, 4, 0));
    check("ollama:m", LINES, &lines(&said), &expected).await;
    let call = json!({"content": "", "tool_calls": [{"function": {"name": "run_program",
        "arguments": {"program": "(f)"}}}]});
    let expected = reply("```clojure\n(f)\n```", Finish::Stop, usage(9, 4, 0));
    check("ollama:m", LINES, lines(&[line(call), end]).trim_end(), &expected).await;
}

/// Asks a server with these answers. Compares the result and the streamed pieces.
async fn check_pieces(spec: &str, answers: Vec<Answer>, expected: &str, told: &[&str]) {
    let (provider, server) = open(spec, answers.clone()).await;
    let (result, found) = listen(provider.as_ref()).await;
    let result = match result {
        Ok(reply) => reply.text,
        Err(error) => format!("{}: {error}", error.kind.code()),
    };
    assert_eq!(result.replace(&server.base_url, "SERVER"), expected, "{answers:?}");
    assert_eq!(found, told, "{answers:?}");
}

fn stream(text: &str) -> Answer {
    Answer::Chunks(EVENTS, vec![text.as_bytes().to_vec()], true)
}

/// Creates a stream that ends, or breaks off, before the reply is complete.
fn half(text: &str, is_broken: bool) -> Answer {
    let chunk = chunks(&[json!({"content": text})], "stop");
    let first = chunk.split_inclusive("\n\n").next().unwrap().as_bytes().to_vec();
    Answer::Chunks(EVENTS, vec![first], !is_broken)
}

#[tokio::test]
async fn a_broken_stream_is_retried() {
    let whole =
        || stream(&chunks(&[json!({"content": "(f 1"}), json!({"content": " 2)"})], "stop"));
    for is_broken in [true, false] {
        check_pieces(
            "openai:m",
            vec![half("(f", is_broken), whole()],
            "(f 1 2)",
            &["(f", " 1", " 2)"],
        )
        .await;
        check_pieces("openai:m", vec![half("(g", is_broken), whole()], "(f 1 2)", &["(g"]).await;
    }
    check_pieces(
        "openai:m",
        vec![half("(f", false)],
        "provider-network: the stream from SERVER/chat/completions ended before the reply was complete (after 3 attempts)",
        &["(f"],
    )
    .await;
    let (provider, _server) = open("openai:m", vec![half("(f", true)]).await;
    let error = listen(provider.as_ref()).await.0.unwrap_err();
    assert_eq!(error.kind.code(), "provider-network");
}

/// Data after the last message is ignored, and its absence is too.
#[tokio::test]
async fn a_stream_ends_with_its_last_message() {
    let whole = chunks(&[json!({"content": "hi"})], "stop");
    let broken = |text: &str| Answer::Chunks(EVENTS, vec![text.as_bytes().to_vec()], false);
    check_pieces("openai:m", vec![broken(&whole)], "hi", &["hi"]).await;
    check_pieces("openai:m", vec![broken(&format!("{whole}data: <p>"))], "hi", &["hi"]).await;
    let without = whole.replace("data: [DONE]\n\n", "");
    check_pieces("openai:m", vec![stream(&without)], "hi", &["hi"]).await;
}

#[tokio::test]
async fn streams_that_end_before_the_reply() {
    for (spec, path, content, stream) in [
        ("openai-responses:m", "responses", EVENTS, "data: {\"type\":\"response.created\"}\n\n"),
        ("anthropic:m", "messages", EVENTS, "data: {\"type\":\"ping\"}\n\n"),
        ("ollama:m", "api/chat", LINES, "{\"message\":{\"content\":\"\"},\"done\":false}\n"),
        ("openai:m", "chat/completions", EVENTS, ""),
    ] {
        let answer = Answer::Chunks(content, vec![stream.as_bytes().to_vec()], true);
        let expected = format!(
            "provider-network: the stream from SERVER/{path} ended before the reply was complete (after 3 attempts)"
        );
        check_pieces(spec, vec![answer], &expected, &[]).await;
    }
}

/// An HTML page with the status of success is not a broken stream, so it is not retried.
#[tokio::test]
async fn invalid_streams() {
    for (spec, path, reply) in [
        ("openai:m", "chat/completions", "a chat completion"),
        ("openai-responses:m", "responses", "a response"),
        ("anthropic:m", "messages", "a message"),
        ("ollama:m", "api/chat", "a reply of Ollama"),
    ] {
        for content in ["text/html", EVENTS] {
            for page in ["<html>", "\n<html>\n<p>hi</p>\n</html>\n"] {
                let chunks = page.as_bytes().chunks(5).map(<[u8]>::to_vec).collect();
                let start = if spec == "ollama:m" { "<html>" } else { page.trim() };
                let expected = format!(
                    "provider-malformed: SERVER/{path} did not answer with {reply}: no JSON: {start}"
                );
                check_pieces(spec, vec![Answer::Chunks(content, chunks, true)], &expected, &[])
                    .await;
            }
        }
    }
    // A server's error without a stream, under any content type.
    let body = json!({"error": {"code": 429, "message": "m"}}).to_string();
    let answer = Answer::Chunks("text/plain", vec![body.into_bytes()], true);
    let expected = "provider-rate: SERVER/chat/completions limits the rate of requests (in the reply, model `m`): m (after 3 \
                    attempts)";
    check_pieces("openai:m", vec![answer], expected, &[]).await;
}

#[tokio::test]
async fn errors_in_streams() {
    let at = |path: &str, what: &str| format!("SERVER/{path} {what} (in the stream, model `m`): m");
    let cases = [
        (
            "openai:m",
            json!({"error": {"code": 429, "message": "m"}}),
            format!(
                "provider-rate: {} (after 3 attempts)",
                at("chat/completions", "limits the rate of requests")
            ),
        ),
        (
            "openai-responses:m",
            json!({"type": "error", "code": "server_error", "message": "m", "param": null}),
            format!("provider-server: {} (after 3 attempts)", at("responses", "failed")),
        ),
        (
            "openai-responses:m",
            json!({"type": "response.failed", "response": {"status": "failed",
                "error": {"code": "context_length_exceeded", "message": "m"}}}),
            format!("provider-context: {}", at("responses", "finds the conversation too long")),
        ),
        (
            "anthropic:m",
            json!({"type": "error", "error": {"type": "overloaded_error", "message": "m"}}),
            format!("provider-server: {} (after 3 attempts)", at("messages", "failed")),
        ),
        (
            "ollama:m",
            json!({"error": "m"}),
            format!("provider-server: {} (after 3 attempts)", at("api/chat", "failed")),
        ),
    ];
    for (spec, error, expected) in cases {
        let content = if spec == "ollama:m" { LINES } else { EVENTS };
        let text = if spec == "ollama:m" { format!("{error}\n") } else { events(&[error]) };
        let answer = Answer::Chunks(content, vec![text.into_bytes()], true);
        check_pieces(spec, vec![answer], &expected, &[]).await;
    }
    check_pieces(
        "openai:m",
        vec![stream("data: <p>\n\n")],
        "provider-malformed: SERVER/chat/completions did not answer with a chat completion: no JSON: <p>",
        &[],
    )
    .await;
    check_pieces(
        "anthropic:m",
        vec![stream("data: {}\n\n")],
        "provider-malformed: SERVER/messages did not answer with a message: no `type`: {}",
        &[],
    )
    .await;
}

#[tokio::test]
async fn a_key_is_not_streamed() {
    let (one, two) = KEY.split_at(5);
    let said = [json!({"content": format!("is it {one}")}), json!({"content": format!("{two}?")})];
    check_pieces(
        "openai:m",
        vec![stream(&chunks(&said, "stop"))],
        "is it [key]?",
        &["is it ", "[key]?"],
    )
    .await;
}

#[tokio::test]
async fn a_provider_without_streams_sends_one_piece() {
    check_pieces("openai:m", vec![text("hello")], "hello", &["hello"]).await;
    let (reply, told) = listen(&Scripted::new(["hello"])).await;
    assert_eq!((reply.unwrap().text, told), ("hello".to_string(), vec!["hello".to_string()]));
}

#[tokio::test]
async fn a_stream_is_bounded_in_time_and_length() {
    let server = Server::start(vec![Answer::Wait(Duration::from_secs(9))]).await;
    let options = ProviderOptions {
        request_timeout: Duration::from_millis(100),
        attempts: 1,
        ..options(&server)
    };
    let provider = "openai:m".parse::<ModelSpec>().unwrap().open(&options).unwrap();
    let error = listen(provider.as_ref()).await.0.unwrap_err();
    assert_eq!(error.kind.code(), "provider-timeout");
    let long = chunks(&[json!({"content": "x".repeat(17 << 20)})], "stop");
    let expected =
        "provider-malformed: the reply of SERVER/chat/completions is longer than 16777216 bytes";
    let (provider, server) = open("openai:m", vec![stream(&long)]).await;
    let error = listen(provider.as_ref()).await.0.unwrap_err();
    let found = format!("{}: {error}", error.kind.code()).replace(&server.base_url, "SERVER");
    assert_eq!(found, expected);
}

#[tokio::test]
async fn a_recorder_passes_a_stream_on() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("r.jsonl");
    let said = [json!({"content": "a"}), json!({"content": "b"})];
    let priced = chunks(&said, "stop")
        .replace("\"completion_tokens\"", "\"cost\":0.5,\"completion_tokens\"");
    let (provider, _server) = open("openai:m", vec![stream(&priced)]).await;
    let recorder = Recorder::create(provider, &path).unwrap();
    let (found, told) = listen(&recorder).await;
    let used = usage(9, 4, 6).map(|it| Usage { cost: Cost::from_dollars(0.5), ..it });
    assert_eq!(found, Ok(reply("ab", Finish::Stop, used)));
    assert_eq!(told, ["a", "b"]);
    let line = std::fs::read_to_string(&path).unwrap();
    assert_eq!(
        line,
        "{\"text\":\"ab\",\"usage\":{\"input_tokens\":9,\"output_tokens\":4,\"cached_input_tokens\":6,\
         \"cost\":0.5}}\n"
    );
    let recorded = ModelSpec::Recorded(path).open(&ProviderOptions::default()).unwrap();
    assert_eq!(listen(recorded.as_ref()).await.0, found);
}
