//! Errors of servers, in their documented shapes, against a real listener.

use std::time::Duration;

use ptc_subagent::provider::{
    GrammarServer, ModelSpec, ProviderKind, ProviderOptions, ReplyGrammar, Request, Transport,
};
use ptc_subagent::replay::Replay;
use ptc_subagent::store::Store;
use ptc_subagent::{Agent, Event, Mission, Status};
use serde_json::{Value, json};

use crate::provider::{KEY, options, request};
use crate::provider_protocols::{ask, raw};
use crate::support::{Answer, Server, program, text};

/// Sends a request to a server with this answer. Compares the error's kind, message and help.
async fn check(spec: &str, answer: Answer, expected: &str) {
    let (result, server) = ask(spec, &request(), vec![answer.clone()]).await;
    let error = result.unwrap_err();
    let help = error.help.as_deref().unwrap_or("-");
    let found = format!("{}: {error} | {help}", error.kind.code());
    assert_eq!(found.replace(&server.base_url, "SERVER"), expected, "{answer:?}");
    assert!(!format!("{error:?}").contains(KEY), "{answer:?}");
}

/// Does the same for an error body. The expected message is built from `said`.
async fn check_error_body(spec: &str, status: u16, body: Value, code: &str, said: &str) {
    let path = match spec {
        "openai:m" => "/chat/completions",
        "openai-responses:m" => "/responses",
        "anthropic:m" => "/messages",
        _ => "/api/chat",
    };
    let reason = reqwest_reason(status);
    let (what, help) = expected_words(spec, code);
    let tries = if matches!(code, "rate" | "server") { " (after 3 attempts)" } else { "" };
    let expected = format!(
        "provider-{code}: SERVER{path} {what} (HTTP {status}{reason}, model `m`): {said}{tries} | {help}"
    );
    check(spec, raw(status, &body.to_string()), &expected).await;
}

fn reqwest_reason(status: u16) -> &'static str {
    match status {
        400 => " Bad Request",
        401 => " Unauthorized",
        402 => " Payment Required",
        403 => " Forbidden",
        404 => " Not Found",
        413 => " Payload Too Large",
        429 => " Too Many Requests",
        500 => " Internal Server Error",
        503 => " Service Unavailable",
        529 => " <unknown status code>",
        other => panic!("{other}"),
    }
}

/// Returns the message and the help of a kind of failure.
fn expected_words(spec: &str, code: &str) -> (&'static str, String) {
    let key = match spec {
        "anthropic:m" => "ANTHROPIC_API_KEY",
        "ollama:m" => "OLLAMA_API_KEY",
        _ => "OPENAI_API_KEY",
    };
    let (what, help) = match code {
        "auth" => {
            let help = format!("see whether {key} has a key of this server that may use `m`");
            return ("does not accept the key", help);
        }
        "quota" => ("says that there is no credit left", "add credit to the account of the key"),
        "rate" => ("limits the rate of requests", "run it again later"),
        "model" if spec == "ollama:m" => (
            "does not know the model or the address",
            "see whether `ollama list` has `m`, or get it with `ollama pull m`",
        ),
        "model" => (
            "does not know the model or the address",
            "see whether the server has a model of this name, and whether the base URL is right",
        ),
        "context" => (
            "finds the conversation too long",
            "use a model with a longer context, or make the prompt shorter with the sizes under `[system]`",
        ),
        "filtered" => (
            "blocked the request with its content filter",
            "change the prompt or the data, or use another model",
        ),
        "server" => ("failed", "run it again later"),
        "rejected" => (
            "refused the request",
            "read the server's message; a model may not support `temperature`, `max_tokens`, `effort`, \
             `grammar` or `transport` of the agent",
        ),
        other => panic!("{other}"),
    };
    (what, help.to_string())
}

fn openai(message: &str, kind: &str, code: &Value) -> Value {
    json!({"error": {"message": message, "type": kind, "param": null, "code": code}})
}

#[tokio::test]
async fn errors_of_openai() {
    for spec in ["openai:m", "openai-responses:m"] {
        let invalid = "invalid_request_error";
        let cases = [
            (401, "Incorrect API key provided.", invalid, json!("invalid_api_key"), "auth"),
            (403, "Country not supported", "request_forbidden", json!("unsupported"), "auth"),
            (
                429,
                "You exceeded your current quota.",
                "insufficient_quota",
                json!("insufficient_quota"),
                "quota",
            ),
            (429, "Rate limit reached for m.", "tokens", json!("rate_limit_exceeded"), "rate"),
            (404, "The model `m` does not exist.", invalid, json!("model_not_found"), "model"),
            (
                400,
                "The requested model 'm' does not exist.",
                invalid,
                json!("model_not_found"),
                "model",
            ),
            (
                400,
                "Your input exceeds the limit.",
                invalid,
                json!("context_length_exceeded"),
                "context",
            ),
            (400, "Invalid prompt: it was flagged.", invalid, json!("invalid_prompt"), "filtered"),
            (400, "Unknown parameter: 'grammar'.", invalid, json!("unknown_parameter"), "rejected"),
            (500, "The server had an error.", "server_error", Value::Null, "server"),
            (503, "The engine is overloaded.", "server_error", Value::Null, "server"),
        ];
        for (status, message, kind, code, expected) in cases {
            check_error_body(spec, status, openai(message, kind, &code), expected, message).await;
        }
    }
}

/// OpenAI-compatible servers, each with its own errors.
#[tokio::test]
async fn errors_of_compatible_servers() {
    let spec = "openai:m";
    let router = |code: u16, message: &str| json!({"error": {"code": code, "message": message}});
    check_error_body(
        spec,
        402,
        router(402, "Insufficient credits"),
        "quota",
        "Insufficient credits",
    )
    .await;
    let moderated = "m requires moderation on OpenAI. Your input was flagged for \"violence\".";
    check_error_body(spec, 403, router(403, moderated), "filtered", moderated).await;
    check_error_body(
        spec,
        400,
        router(400, "m is not a valid model ID"),
        "model",
        "m is not a valid model ID",
    )
    .await;
    let long =
        "This endpoint's maximum context length is 16384 tokens. However, you requested 94307.";
    check_error_body(spec, 400, router(400, long), "context", long).await;
    let llama = "the request exceeds the available context size, try increasing it";
    let body = json!({"error": {"code": 400, "message": llama, "type": "exceed_context_size_error",
        "n_prompt_tokens": 1407, "n_ctx": 256}});
    check_error_body(spec, 400, body, "context", llama).await;
    let loading =
        json!({"error": {"code": 503, "message": "Loading model", "type": "unavailable_error"}});
    check_error_body(spec, 503, loading, "server", "Loading model").await;
    let vllm =
        "This model's maximum context length is 4096 tokens. However, you requested 5000 tokens.";
    let body = json!({"object": "error", "message": vllm, "type": "BadRequestError", "code": 400});
    check_error_body(spec, 400, body, "context", vllm).await;
    let vllm = "The model `m` does not exist.";
    let body = json!({"error": {"message": vllm, "type": "NotFoundError", "code": 404}});
    check_error_body(spec, 404, body, "model", vllm).await;
    let azure = "The response was filtered due to Azure OpenAI's content management policy.";
    check_error_body(spec, 400, openai(azure, "", &json!("content_filter")), "filtered", azure)
        .await;
    // An error with the status of success, which quotes the upstream server.
    let raw_words = json!({"error": {"code": 429, "message": "Provider returned error",
        "metadata": {"raw": "m is busy"}}});
    check(
        spec,
        raw(200, &raw_words.to_string()),
        "provider-rate: SERVER/chat/completions limits the rate of requests (in the reply, model `m`): Provider \
         returned error: m is busy (after 3 attempts) | run it again later",
    )
    .await;
}

#[tokio::test]
async fn errors_of_anthropic() {
    let cases = [
        (401, "invalid x-api-key", "authentication_error", "auth"),
        (403, "Your key may not use this resource.", "permission_error", "auth"),
        (
            400,
            "Your credit balance is too low to access the API.",
            "invalid_request_error",
            "quota",
        ),
        (402, "Payment required.", "billing_error", "quota"),
        (429, "This would exceed your rate limit.", "rate_limit_error", "rate"),
        (404, "model: m", "not_found_error", "model"),
        (
            400,
            "prompt is too long: 210000 tokens > 200000 maximum",
            "invalid_request_error",
            "context",
        ),
        (
            400,
            "input length and `max_tokens` exceed context limit: 199000 + 20000 > 200000",
            "invalid_request_error",
            "context",
        ),
        (413, "Request exceeds the maximum size", "request_too_large", "context"),
        (400, "Output blocked by content filtering policy", "invalid_request_error", "filtered"),
        (400, "messages: roles must alternate", "invalid_request_error", "rejected"),
        (500, "Internal server error", "api_error", "server"),
        (529, "Overloaded", "overloaded_error", "server"),
    ];
    for (status, message, kind, expected) in cases {
        let body = json!({"type": "error", "error": {"type": kind, "message": message},
            "request_id": "req_1"});
        check_error_body("anthropic:m", status, body, expected, message).await;
    }
}

#[tokio::test]
async fn errors_of_ollama() {
    let cases = [
        (401, "unauthorized", "auth"),
        (402, "this model needs a subscription", "quota"),
        (429, "too many concurrent requests", "rate"),
        (404, "model 'm' not found", "model"),
        (400, "prompt too long; exceeded max context length by 90 tokens", "context"),
        (400, "\"m\" does not support thinking", "rejected"),
        (500, "llama runner process has terminated", "server"),
        (503, "server busy, please try again", "server"),
    ];
    for (status, message, expected) in cases {
        check_error_body("ollama:m", status, json!({"error": message}), expected, message).await;
    }
}

#[tokio::test]
async fn a_server_may_ask_to_wait() {
    for (spec, path) in [
        ("openai:m", "/chat/completions"),
        ("openai-responses:m", "/responses"),
        ("anthropic:m", "/messages"),
        ("ollama:m", "/api/chat"),
    ] {
        let expected = format!(
            "provider-rate: SERVER{path} limits the rate of requests (HTTP 429 Too Many Requests, model `m`) | run it \
             again; the server asks to wait 3600s"
        );
        check(spec, Answer::Raw(429, "Retry-After: 3600\r\n", String::new()), &expected).await;
        let wait = Answer::Raw(429, "Retry-After: 0\r\n", String::new());
        let (_, server) = ask(spec, &request(), vec![wait]).await;
        assert_eq!(server.requests().len(), 3, "{spec}");
    }
}

#[tokio::test]
async fn invalid_replies() {
    for (spec, path, reply, what) in [
        ("openai", "/chat/completions", "a chat completion", "no `choices`"),
        ("openai-responses", "/responses", "a response", "no `output`"),
        ("anthropic", "/messages", "a message", "no `content`"),
        ("ollama", "/api/chat", "a reply of Ollama", "no `message`"),
    ] {
        for (body, what) in [("{}", what), ("<p>", "no JSON")] {
            let expected = format!(
                "provider-malformed: SERVER{path} did not answer with {reply}: {what}: {body} | see whether the \
                 base URL is that of a server for `{spec}:` models"
            );
            check(&format!("{spec}:m"), raw(200, body), &expected).await;
        }
    }
}

/// A server that echoes the key in an escaped form does not reveal it either.
#[tokio::test]
async fn the_key_in_every_encoding() {
    // Every character of the key is escaped: as JSON, in a URL, in Base64 and in hexadecimal.
    let units: Vec<String> = KEY.chars().map(|it| format!("\\u{:04x}", u32::from(it))).collect();
    let json = units.concat();
    let percent = KEY.replace('-', "%2D");
    let base64 = "c2stc2VjcmV0LTAxMjM0NTY3ODk=";
    let hex = "736b2d7365637265742d30313233343536373839";
    for echoed in [KEY, &json, &json.replace('\\', "\\\\"), &percent, hex, base64] {
        let mark = if echoed == base64 { "[key]k=" } else { "[key]" };
        for (body, what) in [
            (format!("<p>{echoed}</p>"), "no JSON"),
            (format!("{{\"a\":\"{echoed}\"}}"), "no `choices`"),
        ] {
            let expected = format!(
                "provider-malformed: SERVER/chat/completions did not answer with a chat completion: {what}: {} | \
                 see whether the base URL is that of a server for `openai:` models",
                body.replace(echoed, mark)
            );
            check("openai:m", raw(200, &body), &expected).await;
        }
        let body = format!("{{\"error\": {{\"message\": \"no {echoed}\"}}}}");
        let expected = format!(
            "provider-auth: SERVER/chat/completions does not accept the key (HTTP 401 Unauthorized, model `m`): no \
             {mark} | see whether OPENAI_API_KEY has a key of this server that may use `m`"
        );
        check("openai:m", raw(401, &body), &expected).await;
    }
}

/// A password or a key in the base URL is in no error, whether the URL is valid or not.
#[tokio::test]
async fn secrets_of_the_base_url() {
    let server = Server::start(vec![raw(500, "user:pass-word-7 and key-9876")]).await;
    let url = server.base_url.replace("://", "://user:pass-word-7@") + "?api_key=key-9876";
    let options = ProviderOptions { base_url: Some(url), attempts: 1, ..options(&server) };
    let provider = "openai:m".parse::<ModelSpec>().unwrap().open(&options).unwrap();
    let error = provider.complete(&request()).await.unwrap_err();
    assert_eq!(
        error.to_string().replace(&server.base_url, "SERVER"),
        "SERVER/chat/completions failed (HTTP 500 Internal Server Error, model `m`): user:[url] and [url]"
    );
    for (url, shown) in [
        ("ftp://user:PW@h?key=Q", "ftp://h"),
        ("user:PW@h?key=Q", "h"),
        ("http://user:PW@[?key=Q", "http://["),
    ] {
        let options = ProviderOptions { base_url: Some(url.into()), ..options.clone() };
        let error = "openai:m".parse::<ModelSpec>().unwrap().open(&options).err().unwrap();
        assert_eq!(error.to_string(), format!("`{shown}` is not an http or https URL"));
    }
}

#[tokio::test]
async fn connections_that_fail() {
    for (spec, path) in [
        ("openai:m", "/chat/completions"),
        ("openai-responses:m", "/responses"),
        ("anthropic:m", "/messages"),
        ("ollama:m", "/api/chat"),
    ] {
        let server = Server::start(vec![Answer::Wait(Duration::from_secs(9))]).await;
        let mut options = options(&server);
        options.request_timeout = Duration::from_millis(100);
        let provider = spec.parse::<ModelSpec>().unwrap().open(&options).unwrap();
        let error = provider.complete(&request()).await.unwrap_err();
        assert_eq!(
            format!("{error} | {}", error.help.as_deref().unwrap())
                .replace(&server.base_url, "SERVER"),
            format!(
                "no complete reply from SERVER{path} within 100ms (after 3 attempts) | raise \
                 `request_timeout`, or use a faster model"
            )
        );
        // The message of a dropped connection depends on the moment, so only the number of attempts is compared.
        let (result, server) = ask(spec, &request(), vec![Answer::Drop]).await;
        let error = result.unwrap_err();
        assert_eq!((error.kind.code(), server.requests().len()), ("provider-network", 3));
        assert_eq!(error.help.unwrap(), "see whether the server runs and the base URL is right");
    }
}

/// A request that a protocol cannot express is an error before anything is sent.
#[tokio::test]
async fn unsupported_requests() {
    let grammar = ReplyGrammar {
        server: GrammarServer::LlamaCpp,
        gbnf: "root ::= \"a\"".to_string(),
        lark: "start: \"a\"".to_string(),
    };
    let held = Request { grammar: Some(grammar), transport: Transport::Tool, ..request() };
    for (spec, what) in [
        ("openai:m", "cannot have both a grammar and `transport = \"tool\"`"),
        ("anthropic:m", "does not support grammars"),
        ("ollama:m", "does not support grammars"),
    ] {
        let (result, server) = ask(spec, &held, vec![raw(500, "")]).await;
        let error = result.unwrap_err();
        let found = (error.kind.code(), error.message, server.requests().len());
        assert_eq!(found, ("provider-rejected", format!("`{spec}` {what}"), 0));
    }
}

/// A mission whose conversation is too long continues with a shorter one, with a warning.
#[tokio::test]
async fn too_long_a_conversation_is_shortened_once() {
    let long = "(println (apply str (repeat 3000 \"x\")))";
    let refusal = openai("too long", "invalid_request_error", &json!("context_length_exceeded"));
    let refusal = || raw(400, &refusal.to_string());
    let said = || vec![text(program(long)), text(program("1"))];
    let agent = Agent::new("Return 2.");
    let run = async |answers: Vec<Answer>| {
        let server = Server::start([said(), answers].concat()).await;
        let provider = "openai:m".parse::<ModelSpec>().unwrap().open(&options(&server)).unwrap();
        let report = Mission::new(&agent, json!({})).run(&provider).await.unwrap();
        (report, server.bodies())
    };
    let (report, bodies) = run(vec![refusal(), text(program("(return 2)"))]).await;
    assert_eq!(report.value, json!(2));
    let warnings: Vec<_> =
        report.warnings.iter().map(|it| (it.code.as_str(), &*it.message)).collect();
    let [(code, note)] = warnings[..] else { panic!("{warnings:?}") };
    assert_eq!(code, "provider-context");
    let (before, after) = (&bodies[2]["messages"], &bodies[3]["messages"]);
    let length =
        |messages: &Value, at: usize| messages[at]["content"].as_str().unwrap().chars().count();
    let mark = "\n[... 2400 characters left out ...]\n".len();
    let cut = length(before, 3) - 600;
    assert_eq!(length(after, 3), 600 + mark);
    let expected = format!(
        "the conversation was too long for the model, so {cut} characters were cut out of the middle of 1 \
         earlier message"
    );
    assert_eq!(note, expected);
    for at in [0, 1, 2, 4, 5] {
        assert_eq!(before[at], after[at], "{at}");
    }
    let (report, bodies) = run(vec![refusal()]).await;
    assert_eq!((report.error.unwrap().code.as_str(), bodies.len()), ("provider-context", 4));
}

#[tokio::test]
async fn no_key_is_ever_shown() {
    for kind in ProviderKind::all() {
        let spec = format!("{}:m", kind.name());
        for status in [200, 400, 401, 404, 429, 500] {
            let (result, _) = ask(&spec, &request(), vec![Answer::Echo(status)]).await;
            let error = result.unwrap_err();
            assert!(!format!("{error:?}").contains(KEY), "{error:?}");
            assert!(error.message.contains("[key]"), "{error:?}");
        }
    }
}

/// Retried attempts are observed as they fail and are on record. A replay has them too.
#[tokio::test]
async fn retried_attempts() {
    let busy = |after| Answer::Raw(429, after, "{\"error\": \"slow down\"}".to_string());
    let failed = |attempt: u32, wait: &str| {
        format!(
            "provider-rate attempt {attempt} of 3 failed, asking again{wait}: SERVER/chat/completions limits the rate \
             of requests (HTTP 429 Too Many Requests, model `m`): slow down"
        )
    };
    for (answers, status) in [
        (vec![busy(""), busy("Retry-After: 0\r\n"), text(program("(return 1)"))], Status::Returned),
        (vec![busy(""), busy("Retry-After: 0\r\n"), busy("")], Status::Stopped),
    ] {
        for streams in [false, true] {
            let server = Server::start(answers.clone()).await;
            let provider =
                "openai:m".parse::<ModelSpec>().unwrap().open(&options(&server)).unwrap();
            let (agent, store) = (Agent::new("Go."), Store::in_memory().unwrap());
            let mut told = Vec::new();
            let mission = Mission::new(&agent, json!({})).record_in(&store).stream(streams);
            let mission = mission.observe(|_, event| {
                if let Event::Warned { turn, warning, .. } = event {
                    told.push(format!("{turn} {} {}", warning.code, warning.message));
                }
            });
            let report = mission.run(&provider).await.unwrap();
            assert_eq!(report.status, status);
            let expected = [failed(1, ""), failed(2, " after 0ns, as the server asks")];
            let told: Vec<String> =
                told.iter().map(|it| it.replace(&server.base_url, "SERVER")).collect();
            assert_eq!(told, expected.map(|it| format!("1 {it}")));
            let record = store.show(report.run.as_str()).unwrap();
            assert_eq!(record.warnings.len(), 2);
            let replayed = Replay::of(&store, report.run.as_str()).unwrap().run().await.unwrap();
            assert_eq!((replayed.differences, replayed.missing), (vec![], None));
        }
    }
}
