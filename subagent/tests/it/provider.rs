//! Providers: a real listener on loopback, real recordings on disk.

use std::sync::Arc;
use std::time::Duration;

use ptc_prompt::GrammarOptions;
use ptc_subagent::provider::{
    BoxFuture, Checked, Cost, Finish, GrammarServer, Images, Keys, Message, ModelSpec, Parameters,
    Partial, Provider, ProviderError, ProviderErrorKind, ProviderKind, ProviderOptions, Recorded,
    Recorder, Reply, Request, Scripted, Transport, Usage,
};
use ptc_subagent::{Agent, Mission};
use serde_json::json;

use crate::support::{Answer, Server, program, text};

pub(crate) const KEY: &str = "sk-secret-0123456789";

pub(crate) fn keys() -> Keys {
    let variables = ProviderKind::all().map(ProviderKind::key_variable);
    variables.fold(Keys::default(), |keys, variable| keys.with(variable, KEY))
}

pub(crate) fn options(server: &Server) -> ProviderOptions {
    ProviderOptions {
        base_url: Some(server.base_url.clone()),
        keys: keys(),
        send_key: true,
        request_timeout: Duration::from_mins(1),
        retry_delay: Duration::from_millis(1),
        ..ProviderOptions::default()
    }
}

pub(crate) fn request() -> Request {
    Request {
        system: "be brief".into(),
        messages: vec![Message::user("one"), Message::assistant("two"), Message::user("three")],
        images: Images::default(),
        parameters: Parameters::default(),
        grammar: None,
        transport: Transport::Fence,
        streamed: false,
        tools: Vec::new(),
        wants_text: false,
        stop: Vec::new(),
        fallback: 0,
    }
}

/// Asks a server that gives `answers`. Compares the result and the number of requests.
async fn check(answers: Vec<Answer>, expected: &str, asked: usize) {
    let server = Server::start(answers.clone()).await;
    let mut options = options(&server);
    if answers.iter().any(|it| matches!(it, Answer::Wait(_))) {
        options.request_timeout = Duration::from_secs(1);
    }
    let provider = "openai:m".parse::<ModelSpec>().unwrap().open(&options).unwrap();
    let result = provider.complete(&request()).await;
    let found = match &result {
        Ok(reply) => reply.text.clone(),
        Err(error) => format!("{}: {error}", error.kind.code()),
    };
    let found = found.replace(&server.base_url, "SERVER");
    assert_eq!(found, expected, "{answers:?}");
    assert_eq!(server.requests().len(), asked, "{answers:?}");
    assert!(!format!("{result:?}").contains(KEY), "{answers:?}");
}

fn fails(status: u16, body: &str) -> Answer {
    Answer::Raw(status, "", body.to_string())
}

#[tokio::test]
async fn replies() {
    check(vec![text("hello")], "hello", 1).await;
    let parts = json!({"choices": [{"message": {"content": [
        {"type": "text", "text": "a"}, {"type": "image"}, {"type": "text", "text": "b"}]}}]});
    check(vec![fails(200, &parts.to_string())], "ab", 1).await;
    let nothing = json!({"choices": [{"message": {"content": null}}]});
    check(vec![fails(200, &nothing.to_string())], "", 1).await;
    let refusal = json!({"choices": [{"message": {"content": null, "refusal": "no"}}]});
    check(vec![fails(200, &refusal.to_string())], "no", 1).await;
}

#[tokio::test]
async fn transient_errors_are_retried() {
    check(vec![fails(500, "oops"), text("hello")], "hello", 2).await;
    check(vec![fails(503, ""), fails(429, ""), text("hello")], "hello", 3).await;
    check(vec![Answer::Drop, text("hello")], "hello", 2).await;
    check(vec![Answer::Half, text("hello")], "hello", 2).await;
    check(vec![Answer::Wait(Duration::from_secs(9)), text("hello")], "hello", 2).await;
    let wait = Answer::Raw(429, "Retry-After: 0\r\n", String::new());
    check(vec![wait, text("hello")], "hello", 2).await;
}

#[tokio::test]
async fn persistent_errors_are_returned() {
    let at = "SERVER/chat/completions";
    let said = r#"{"error": {"message": "it burns"}}"#;
    check(
        vec![fails(500, said)],
        &format!(
            "provider-server: {at} failed (HTTP 500 Internal Server Error, model `m`): it burns \
             (after 3 attempts)"
        ),
        3,
    )
    .await;
    check(
        vec![fails(401, said)],
        &format!(
            "provider-auth: {at} does not accept the key (HTTP 401 Unauthorized, model `m`): it burns"
        ),
        1,
    )
    .await;
    check(
        vec![fails(404, "")],
        &format!(
            "provider-model: {at} does not know the model or the address (HTTP 404 Not Found, model `m`)"
        ),
        1,
    )
    .await;
    check(
        vec![fails(429, r#"{"error": {"message": "pay", "code": "insufficient_quota"}}"#)],
        &format!(
            "provider-quota: {at} says that there is no credit left (HTTP 429 Too Many Requests, \
             model `m`): pay"
        ),
        1,
    )
    .await;
    check(
        vec![Answer::Raw(429, "Retry-After: 3600\r\n", String::new())],
        &format!(
            "provider-rate: {at} limits the rate of requests (HTTP 429 Too Many Requests, model `m`)"
        ),
        1,
    )
    .await;
    check(
        vec![fails(400, r#"{"error": "logit_bias is not supported"}"#)],
        &format!(
            "provider-rejected: {at} refused the request (HTTP 400 Bad Request, model `m`): \
             logit_bias is not supported"
        ),
        1,
    )
    .await;
    check(
        vec![fails(302, "")],
        &format!("provider-rejected: {at} refused the request (HTTP 302 Found, model `m`)"),
        1,
    )
    .await;
    check(
        vec![Answer::Wait(Duration::from_secs(9))],
        &format!("provider-timeout: no complete reply from {at} within 1s (after 3 attempts)"),
        3,
    )
    .await;
}

#[tokio::test]
async fn an_invalid_completion_is_an_error() {
    let at = "SERVER/chat/completions did not answer with a chat completion";
    let cases = [
        ("<html>hi</html>", "no JSON: <html>hi</html>"),
        ("{}", "no `choices`: {}"),
        (r#"{"choices": []}"#, r#"no `choices`: {"choices": []}"#),
        (r#"{"choices": [{}]}"#, r#"no `message`: {"choices": [{}]}"#),
        (
            r#"{"choices": [{"message": {"content": 7}}]}"#,
            r#"`content` is not text: {"choices": [{"message": {"content": 7}}]}"#,
        ),
    ];
    for (body, what) in cases {
        check(vec![fails(200, body)], &format!("provider-malformed: {at}: {what}"), 1).await;
    }
}

#[tokio::test]
async fn a_body_without_end_is_cut_short() {
    let server = Server::start(vec![Answer::Endless]).await;
    let provider = "openai:m".parse::<ModelSpec>().unwrap().open(&options(&server)).unwrap();
    let error = provider.complete(&request()).await.unwrap_err();
    assert_eq!(
        error.to_string().replace(&server.base_url, "SERVER"),
        "the reply of SERVER/chat/completions is longer than 16777216 bytes"
    );
}

#[tokio::test]
async fn a_refused_connection() {
    let options = ProviderOptions {
        // Port 1 is reserved, so connections to it are refused.
        base_url: Some("http://127.0.0.1:1/v1".to_string()),
        retry_delay: Duration::from_millis(1),
        ..ProviderOptions::default()
    };
    let provider = "openai:m".parse::<ModelSpec>().unwrap().open(&options).unwrap();
    let error = provider.complete(&request()).await.unwrap_err();
    assert_eq!(
        error.to_string(),
        "cannot connect to http://127.0.0.1:1/v1/chat/completions: Connection refused (os error 111) \
         (after 3 attempts)"
    );
}

#[tokio::test]
async fn the_request_is_what_servers_expect() {
    let server = Server::start(vec![text("hello")]).await;
    let provider = "openai:gpt-x".parse::<ModelSpec>().unwrap().open(&options(&server)).unwrap();
    let reply = provider.complete(&request()).await.unwrap();
    let usage = Some(Usage { input_tokens: 11, output_tokens: 7, ..Usage::default() });
    assert_eq!(reply, Reply { usage, ..Reply::new("hello") });
    assert_eq!(
        server.bodies(),
        [json!({
            "model": "gpt-x",
            "messages": [
                {"role": "system", "content": "be brief"},
                {"role": "user", "content": "one"},
                {"role": "assistant", "content": "two"},
                {"role": "user", "content": "three"},
            ],
            "temperature": 0.0,
        })]
    );
    let head = server.requests()[0].to_lowercase();
    assert!(head.starts_with("post /v1/chat/completions http/1.1\r\n"), "{head}");
    assert!(head.contains(&format!("authorization: bearer {KEY}\r\n")), "{head}");
}

#[tokio::test]
async fn a_grammar_goes_with_every_request_of_its_run() {
    let ctx = json!({"n": 20});
    for grammar in [true, false] {
        let server =
            Server::start(vec![text(program("(inc ctx/n)")), text(program("(return ctx/n)"))])
                .await;
        let provider = "openai:m".parse::<ModelSpec>().unwrap().open(&options(&server)).unwrap();
        let mut agent = Agent::new("Say n.");
        agent.grammar = grammar.then_some(GrammarServer::LlamaCpp);
        let mission = Mission::new(&agent, ctx.clone());
        let expected = mission.grammar(&GrammarOptions::default()).unwrap().gbnf();
        assert!(expected.contains(r#"ctx-key ::= "ctx/" ("fail" | "n")"#), "{expected}");
        let report = mission.run(&provider).await.unwrap();
        assert_eq!(report.value, json!(20));
        let sent: Vec<serde_json::Value> =
            server.bodies().iter().map(|body| body["grammar"].clone()).collect();
        let expected = if grammar { json!(expected) } else { serde_json::Value::Null };
        assert_eq!(sent, [expected.clone(), expected]);
    }
}

#[tokio::test]
async fn an_echoed_key_is_removed() {
    check(vec![Answer::EchoKey], "authorization: Bearer [key]", 1).await;
    for status in [400, 401, 404, 429, 500] {
        let server = Server::start(vec![Answer::Echo(status)]).await;
        let provider = "openai:m".parse::<ModelSpec>().unwrap().open(&options(&server)).unwrap();
        let error = provider.complete(&request()).await.unwrap_err();
        assert!(!format!("{error} {error:?} {provider}", provider = provider.name()).contains(KEY));
        assert!(error.to_string().contains("Bearer [key]"), "{error}");
    }
    let body = format!("<p>{KEY}</p>");
    check(
        vec![fails(200, &body)],
        "provider-malformed: SERVER/chat/completions did not answer with a chat completion: no JSON: \
         <p>[key]</p>",
        1,
    )
    .await;
}

#[test]
fn specs() {
    let check = |text: &str, expected: &str| {
        let found = match text.parse::<ModelSpec>() {
            Ok(spec) => spec.to_string(),
            Err(error) => format!("{error} ({})", error.help().unwrap_or("-")),
        };
        assert_eq!(found, expected);
    };
    check("openai:gpt-x", "openai:gpt-x");
    check("openai:org/model:free", "openai:org/model:free");
    check("recorded:a b.jsonl", "recorded:a b.jsonl");
    // The name may be that of a model of an agent.
    check("gpt-x", "gpt-x");
    let error = "gpt-x".parse::<ModelSpec>().unwrap().open(&ProviderOptions::default()).err();
    let told = error.map(|it| format!("{it} ({})", it.help().unwrap_or_default()));
    let expected = "model `gpt-x` does not name its kind (write `openai:gpt-x` or `recorded:FILE`)";
    assert_eq!(told.as_deref(), Some(expected));
    check("openai:", "model `openai:` has no name after the colon (-)");
    check("openai-responses:gpt-x", "openai-responses:gpt-x");
    check("anthropic:x", "anthropic:x");
    check("ollama:x:7b", "ollama:x:7b");
    let servers = ProviderKind::all().map(|kind| format!("`{}:NAME`", kind.name()));
    let servers = servers.collect::<Vec<_>>().join(", ");
    check(
        "opneai:x",
        &format!(
            "there is no kind of model `opneai` (in `opneai:x`) (the kinds are {servers} and `recorded:FILE`)"
        ),
    );
}

#[test]
fn configuration_errors_are_found_before_the_first_request() {
    let check = |base_url: Option<&str>, key: Option<&str>, expected: &str| {
        let options = ProviderOptions {
            base_url: base_url.map(str::to_string),
            keys: key.map_or_else(Keys::default, |key| Keys::default().with("OPENAI_API_KEY", key)),
            send_key: true,
            ..ProviderOptions::default()
        };
        let found = "openai:m".parse::<ModelSpec>().unwrap().open(&options).err();
        assert_eq!(found.map_or("fine".to_string(), |it| it.to_string()), expected);
    };
    let named = |variable: &str, header: Option<&str>| {
        let options = ProviderOptions {
            api_key_env: Some(variable.to_string()),
            key_header: header.map(str::to_string),
            keys: Keys::default().with("OURS", KEY),
            ..ProviderOptions::default()
        };
        let found = "openai:m".parse::<ModelSpec>().unwrap().open(&options).err();
        found.map(|it| (it.to_string(), it.help().unwrap_or_default().to_string()))
    };
    assert_eq!(named("OURS", Some("api-key")), None);
    let unset = "set THEIRS, which was named for this model";
    assert_eq!(named("THEIRS", None), Some(("no key for `openai:m`".into(), unset.into())));
    let header = "`api key` is not the name of a header";
    assert_eq!(named("OURS", Some("api key")), Some((header.into(), String::new())));
    check(None, None, "no key for `openai:m`");
    check(Some("http://localhost:1"), None, "fine");
    check(Some("localhost:8080"), None, "`localhost:8080` is not an http or https URL");
    check(Some("ftp://x"), None, "`ftp://x` is not an http or https URL");
    check(Some("http://x"), Some("two\nlines"), "the key contains invalid characters");
}

#[tokio::test]
async fn recordings() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("r.jsonl");
    let lines = "{\"text\": \"a\", \"usage\": {\"input_tokens\": 1, \"output_tokens\": 2}}\n\n\
                 {\"text\": \"b\", \"finish\": \"length\"}\n";
    std::fs::write(&path, lines).unwrap();
    let provider = Recorded::open(&path).unwrap();
    let usage = Some(Usage { input_tokens: 1, output_tokens: 2, ..Usage::default() });
    assert_eq!(provider.complete(&request()).await.unwrap(), Reply { usage, ..Reply::new("a") });
    assert_eq!(provider.complete(&request()).await.unwrap().finish, Finish::Length);
    assert_eq!(
        provider.complete(&request()).await.unwrap_err().to_string(),
        format!("the recording {} ran out after 2 replies", path.display())
    );
}

#[tokio::test]
async fn a_recorder_writes_what_a_recording_reads() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("r.jsonl");
    let usage = Some(Usage { input_tokens: 1, output_tokens: 2, ..Usage::default() });
    let replies = vec![
        Reply { usage, ..Reply::new("a\n\"b\"") },
        Reply { finish: Finish::Length, ..Reply::new("ü") },
    ];
    let recorder = Recorder::create(Scripted::from_replies(replies.clone()), &path).unwrap();
    assert_eq!(recorder.name(), "scripted");
    for reply in &replies {
        assert_eq!(&recorder.complete(&request()).await.unwrap(), reply);
    }
    assert!(recorder.complete(&request()).await.is_err());
    let recorded = Recorded::open(&path).unwrap();
    for reply in &replies {
        assert_eq!(&recorded.complete(&request()).await.unwrap(), reply);
    }
}

#[test]
fn invalid_recordings() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("r.jsonl");
    let check = |content: Option<&str>, expected: &str| {
        match content {
            Some(content) => std::fs::write(&path, content).unwrap(),
            None => drop(std::fs::remove_file(&path)),
        }
        let error = Recorded::open(&path).unwrap_err().to_string();
        assert_eq!(error.replace(&path.display().to_string(), "FILE"), expected);
    };
    check(None, "FILE: cannot read the recording: No such file or directory (os error 2)");
    check(Some("\n"), "FILE: the recording holds no reply");
    check(
        Some("{\"text\": \"a\"}\n{\"text\": 7}\n"),
        "FILE:2:10: malformed reply in the recording: invalid type: integer `7`, expected a string",
    );
    check(
        Some("{\"txt\": \"a\"}\n"),
        "FILE:1:6: malformed reply in the recording: unknown field `txt`, expected one of `text`, \
         `calls`, `opaque`, `usage`, `finish`, `when`",
    );
    check(
        Some("{\"text\": \"a\"\n"),
        "FILE:1:12: malformed reply in the recording: EOF while parsing an object",
    );
}

/// A provider with its own implementation of every method.
struct Own;

impl Provider for Own {
    fn complete<'a>(&'a self, _: &'a Request) -> BoxFuture<'a, Result<Reply, ProviderError>> {
        Box::pin(std::future::ready(Ok(Reply::new("whole"))))
    }

    fn ask<'a>(
        &'a self,
        _: &'a Request,
        on: &'a mut (dyn FnMut(Partial<'_>) + Send),
    ) -> BoxFuture<'a, Result<Reply, ProviderError>> {
        on(Partial::Text("part"));
        Box::pin(std::future::ready(Ok(Reply::new("streamed"))))
    }

    fn price_of(&self, _: &Usage) -> Option<Cost> {
        Some(Cost::from_billionths(7))
    }

    fn name(&self) -> String {
        "own".to_string()
    }

    fn check(&self) -> BoxFuture<'_, Result<Checked, ProviderError>> {
        let error = ProviderError::new(ProviderErrorKind::Model, "no such model");
        Box::pin(std::future::ready(Err(error)))
    }
}

#[tokio::test]
async fn pointers_to_a_provider_forward_every_method() {
    let folder = tempfile::tempdir().unwrap();
    let recorder = Recorder::create(Own, &folder.path().join("r.jsonl")).unwrap();
    let all: [Box<dyn Provider>; 4] =
        [Box::new(&Own), Box::new(Box::new(Own)), Box::new(Arc::new(Own)), Box::new(recorder)];
    for provider in all {
        let request = request();
        let mut told = String::new();
        let mut on = |partial: Partial<'_>| told = format!("{told}{partial:?}");
        let streamed = provider.ask(&request, &mut on).await.unwrap();
        assert_eq!((streamed.text.as_str(), told.as_str()), ("streamed", "Text(\"part\")"));
        assert_eq!(provider.complete(&request).await.unwrap().text, "whole");
        assert_eq!(provider.price_of(&Usage::default()), Some(Cost::from_billionths(7)));
        assert_eq!(provider.name(), "own");
        assert_eq!(provider.check().await.unwrap_err().message, "no such model");
    }
}
