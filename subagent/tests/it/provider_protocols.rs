//! The requests of each protocol and its reading of replies, against a real listener.

use ptc_prompt::GrammarOptions;
use ptc_subagent::provider::{
    Cost, Finish, GrammarServer, ModelSpec, Parameters, ProviderError, ProviderOptions, Reply,
    ReplyGrammar, Request, Transport, Usage,
};
use ptc_subagent::{Agent, Data, Mission};
use serde_json::{Value, json};

use crate::provider::{KEY, options, request};
use crate::support::{Answer, Server};

const SPECS: [&str; 4] = ["openai:m", "openai-responses:m", "anthropic:m", "ollama:m"];

/// Sends a request to a server with these answers. Returns the outcome, and the server with the requests it got.
pub(crate) async fn ask(
    spec: &str,
    request: &Request,
    answers: Vec<Answer>,
) -> (Result<Reply, ProviderError>, Server) {
    let server = Server::start(answers).await;
    let provider = spec.parse::<ModelSpec>().unwrap().open(&options(&server)).unwrap();
    (provider.complete(request).await, server)
}

pub(crate) fn raw(status: u16, body: &str) -> Answer {
    Answer::Raw(status, "", body.to_string())
}

/// Compares the address of a request, its special headers, and its whole body.
async fn check_body(spec: &str, request: &Request, expected: Value) {
    let (_, server) = ask(spec, request, vec![raw(400, "")]).await;
    assert_eq!(server.bodies(), [expected], "{spec}");
}

fn with(parameters: Parameters, transport: Transport) -> Request {
    Request { parameters, transport, ..request() }
}

fn plain() -> Parameters {
    Parameters { max_tokens: Some(50), ..Parameters::default() }
}

fn thinking() -> Parameters {
    Parameters { effort: Some(50), ..Parameters::default() }
}

fn grammar(server: GrammarServer) -> Request {
    let (gbnf, lark) = ("root ::= fence".to_string(), "start: program".to_string());
    Request { grammar: Some(ReplyGrammar { server, gbnf, lark }), ..request() }
}

/// Returns the messages of every request here.
fn said() -> [Value; 3] {
    [
        json!({"role": "user", "content": "one"}),
        json!({"role": "assistant", "content": "two"}),
        json!({"role": "user", "content": "three"}),
    ]
}

fn with_system() -> Vec<Value> {
    [&[json!({"role": "system", "content": "be brief"})], &said()[..]].concat()
}

const ABOUT: &str = "Runs one PTC-Lisp program. Answer by calling this once, with the program as it would stand in \
    the block of code.";

fn schema() -> Value {
    json!({
        "type": "object",
        "properties": {"program": {"type": "string", "description": "The source of the program."}},
        "required": ["program"],
        "additionalProperties": false,
    })
}

fn function() -> Value {
    json!({
        "type": "function",
        "function": {"name": "run_program", "description": ABOUT, "parameters": schema()},
    })
}

#[tokio::test]
async fn bodies_of_chat_completions() {
    let body = |rest: Value| {
        let mut body = json!({"model": "m", "messages": with_system()});
        body.as_object_mut().unwrap().extend(rest.as_object().unwrap().clone());
        body
    };
    let check = async |request: Request, rest: Value| {
        check_body("openai:m", &request, body(rest)).await;
    };
    check(with(plain(), Transport::Fence), json!({"temperature": 0.0, "max_tokens": 50})).await;
    check(with(thinking(), Transport::Fence), json!({"reasoning_effort": "medium"})).await;
    let choice = json!({"type": "function", "function": {"name": "run_program"}});
    let tool = json!({"temperature": 0.0, "tools": [function()], "tool_choice": choice});
    check(with(Parameters::default(), Transport::Tool), tool).await;
    let llama = json!({"temperature": 0.0, "grammar": "root ::= fence"});
    check(grammar(GrammarServer::LlamaCpp), llama).await;
    let vllm = json!({"temperature": 0.0, "structured_outputs": {"grammar": "root ::= fence"}});
    check(grammar(GrammarServer::Vllm), vllm).await;
}

#[tokio::test]
async fn bodies_of_responses() {
    let check = async |request: Request, rest: Value| {
        let mut body =
            json!({"model": "m", "instructions": "be brief", "input": said(), "store": false});
        body.as_object_mut().unwrap().extend(rest.as_object().unwrap().clone());
        check_body("openai-responses:m", &request, body).await;
    };
    let rest = json!({"temperature": 0.0, "max_output_tokens": 50});
    check(with(plain(), Transport::Fence), rest).await;
    check(with(thinking(), Transport::Fence), json!({"reasoning": {"effort": "medium"}})).await;
    let function = json!({"type": "function", "name": "run_program", "description": ABOUT,
        "parameters": schema(), "strict": true});
    let choice = json!({"type": "function", "name": "run_program"});
    let tool = json!({"temperature": 0.0, "tools": [function], "tool_choice": choice});
    check(with(Parameters::default(), Transport::Tool), tool).await;
    let custom = json!({"type": "custom", "name": "run_program", "description": ABOUT,
        "format": {"type": "grammar", "syntax": "lark", "definition": "start: program"}});
    let choice = json!({"type": "custom", "name": "run_program"});
    let tool = json!({"temperature": 0.0, "tools": [custom], "tool_choice": choice});
    check(grammar(GrammarServer::LlamaCpp), tool).await;
}

#[tokio::test]
async fn bodies_of_messages() {
    let check = async |request: Request, rest: Value| {
        let system = json!([{"type": "text", "text": "be brief",
            "cache_control": {"type": "ephemeral"}}]);
        // The next request of the run begins with these messages.
        let mut said = said();
        said[2]["content"] = json!([{"type": "text", "text": "three",
            "cache_control": {"type": "ephemeral"}}]);
        let mut body = json!({"model": "m", "system": system, "messages": said});
        body.as_object_mut().unwrap().extend(rest.as_object().unwrap().clone());
        check_body("anthropic:m", &request, body).await;
    };
    let rest = json!({"temperature": 0.0, "max_tokens": 50});
    check(with(plain(), Transport::Fence), rest).await;
    let hot = Parameters { temperature: Some(1.5), ..Parameters::default() };
    check(with(hot, Transport::Fence), json!({"temperature": 1.0, "max_tokens": 4096})).await;
    let adaptive = json!({"type": "adaptive"});
    let effort = json!({"effort": "medium"});
    let rest = json!({"max_tokens": 19_596, "thinking": adaptive, "output_config": effort});
    check(with(thinking(), Transport::Fence), rest).await;
    let tool = json!({"name": "run_program", "description": ABOUT, "input_schema": schema()});
    let choice = json!({"type": "tool", "name": "run_program", "disable_parallel_tool_use": true});
    let rest =
        json!({"temperature": 0.0, "max_tokens": 4096, "tools": [tool], "tool_choice": choice});
    check(with(Parameters::default(), Transport::Tool), rest).await;
    let choice = json!({"type": "auto", "disable_parallel_tool_use": true});
    let rest = json!({"max_tokens": 19_596, "thinking": adaptive, "output_config": effort,
        "tools": [tool], "tool_choice": choice});
    check(with(thinking(), Transport::Tool), rest).await;
}

#[tokio::test]
async fn bodies_of_ollama() {
    let check = async |request: Request, rest: Value| {
        let mut body = json!({"model": "m", "messages": with_system(), "stream": false,
            "truncate": false});
        body.as_object_mut().unwrap().extend(rest.as_object().unwrap().clone());
        check_body("ollama:m", &request, body).await;
    };
    let rest = json!({"options": {"temperature": 0.0, "num_predict": 50}});
    check(with(plain(), Transport::Fence), rest).await;
    let rest = json!({"options": {"temperature": 0.0}, "think": "medium"});
    check(with(thinking(), Transport::Fence), rest).await;
    let rest = json!({"options": {"temperature": 0.0}, "tools": [function()]});
    check(with(Parameters::default(), Transport::Tool), rest).await;
    let none = Parameters { temperature: None, ..Parameters::default() };
    check(with(none, Transport::Fence), json!({})).await;
}

#[tokio::test]
async fn addresses_and_keys() {
    let bearer = format!("authorization: bearer {KEY}");
    let expected = [
        ("/v1/chat/completions", bearer.clone(), ""),
        ("/v1/responses", bearer.clone(), ""),
        ("/v1/messages", format!("x-api-key: {KEY}"), "anthropic-version: 2023-06-01"),
        ("/v1/api/chat", bearer, ""),
    ];
    for (spec, (path, key, other)) in SPECS.iter().zip(expected) {
        let (_, server) = ask(spec, &request(), vec![raw(400, "")]).await;
        let head = server.requests()[0].to_lowercase();
        assert!(head.starts_with(&format!("post {path} http/1.1\r\n")), "{head}");
        assert!(head.contains(&format!("\r\n{key}\r\n")), "{head}");
        assert!(head.contains(other), "{head}");
        assert_eq!(head.matches(KEY).count(), 1, "{head}");
    }
}

/// An effort becomes a word, or a budget of tokens for models that take one.
#[tokio::test]
async fn efforts() {
    let words =
        [(1, "low"), (33, "low"), (34, "medium"), (66, "medium"), (67, "high"), (100, "high")];
    for (effort, word) in words {
        let parameters = Parameters { effort: Some(effort), ..Parameters::default() };
        let request = with(parameters, Transport::Fence);
        let paths = ["/reasoning_effort", "/reasoning/effort", "/output_config/effort", "/think"];
        for (spec, path) in SPECS.iter().zip(paths) {
            let (_, server) = ask(spec, &request, vec![raw(400, "")]).await;
            assert_eq!(server.bodies()[0].pointer(path), Some(&json!(word)), "{spec}");
        }
    }
    for (effort, budget) in [(1, 1024), (50, 15_500), (100, 31_000)] {
        let parameters = Parameters { effort: Some(effort), ..plain() };
        let refusal =
            r#"{"error": {"message": "adaptive thinking is not supported on this model"}}"#;
        let answers = vec![raw(400, refusal), raw(400, "")];
        let (_, server) = ask("anthropic:m", &with(parameters, Transport::Fence), answers).await;
        let body = &server.bodies()[1];
        let expected = json!({"type": "enabled", "budget_tokens": budget});
        assert_eq!((&body["thinking"], body.get("output_config")), (&expected, None));
        assert_eq!(body["max_tokens"], json!(budget + 50));
    }
}

/// A parameter that a model refuses is left out from then on. The refusal does not count as an attempt.
#[tokio::test]
async fn parameters_that_a_model_refuses_are_left_out() {
    let refusal = |message: &str| raw(400, &json!({"error": {"message": message}}).to_string());
    let answers = vec![
        refusal("Unsupported parameter: 'max_tokens'. Use 'max_completion_tokens' instead."),
        refusal("Unsupported value: 'temperature' does not support 0.0 with this model."),
        crate::support::text("hello"),
    ];
    let server = Server::start(answers).await;
    let options = ProviderOptions { attempts: 1, ..options(&server) };
    let provider = "openai:m".parse::<ModelSpec>().unwrap().open(&options).unwrap();
    let request = with(plain(), Transport::Fence);
    for _ in 0..2 {
        assert_eq!(provider.complete(&request).await.unwrap().text, "hello");
    }
    let keys = |body: &Value| {
        let keys: Vec<String> = body.as_object().unwrap().keys().skip(2).cloned().collect();
        keys.join(" ")
    };
    let sent: Vec<String> = server.bodies().iter().map(keys).collect();
    let expected = [
        "temperature max_tokens",
        "temperature max_completion_tokens",
        "max_completion_tokens",
        "max_completion_tokens",
    ];
    assert_eq!(sent, expected);
}

/// Compares the reply that is read from a body.
async fn check_reply(spec: &str, body: Value, text: &str, usage: Option<Usage>, finish: Finish) {
    let (reply, _) = ask(spec, &request(), vec![raw(200, &body.to_string())]).await;
    let expected = Reply { usage, finish, ..Reply::new(text) };
    assert_eq!(reply.as_ref(), Ok(&expected), "{spec} {body}");
}

fn usage(input_tokens: u64, output_tokens: u64, cached_input_tokens: u64) -> Option<Usage> {
    Some(Usage { input_tokens, output_tokens, cached_input_tokens, cost: None })
}

#[tokio::test]
async fn replies_of_chat_completions() {
    let body = |message: Value, reason: &str| {
        json!({"choices": [{"index": 0, "message": message, "finish_reason": reason}],
            "usage": {"prompt_tokens": 9, "completion_tokens": 4,
                "prompt_tokens_details": {"cached_tokens": 6}}})
    };
    let used = usage(9, 4, 6);
    let reasons = [
        ("stop", Finish::Stop),
        ("tool_calls", Finish::Stop),
        ("length", Finish::Length),
        ("content_filter", Finish::Filtered),
        ("error", Finish::Other),
    ];
    for (reason, finish) in reasons {
        check_reply("openai:m", body(json!({"content": "hi"}), reason), "hi", used, finish).await;
    }
    let call = json!({"id": "c", "type": "function",
        "function": {"name": "run_program", "arguments": "{\"program\": \"(f)\"}"}});
    let message = json!({"content": null, "tool_calls": [call]});
    let text = "```clojure\n(f)\n```";
    check_reply("openai:m", body(message, "tool_calls"), text, used, Finish::Stop).await;
    let said =
        json!({"content": "So.", "tool_calls": [{"function": {"arguments": {"program": "(f)"}}}]});
    let text = "So.\n\n```clojure\n(f)\n```";
    check_reply("openai:m", body(said, "stop"), text, used, Finish::Stop).await;
    let priced = json!({"choices": [{"message": {"content": "hi"}, "finish_reason": "stop"}],
        "usage": {"prompt_tokens": 9, "completion_tokens": 4, "cost": 0.000_25}});
    let cost = Cost::from_dollars(0.000_25);
    let used = usage(9, 4, 0).map(|it| Usage { cost, ..it });
    check_reply("openai:m", priced, "hi", used, Finish::Stop).await;
}

#[tokio::test]
async fn replies_of_responses() {
    let body = |item: Value, status: &str, reason: Value| {
        json!({"object": "response", "status": status, "error": null, "incomplete_details": reason,
            "output": [{"type": "reasoning", "summary": []}, item],
            "usage": {"input_tokens": 9, "input_tokens_details": {"cached_tokens": 6},
                "output_tokens": 4}})
    };
    let spec = "openai-responses:m";
    let message = |kind: &str| {
        json!({"type": "message", "role": "assistant",
            "content": [{"type": format!("output_{kind}"), "text": "a"}, {"type": "refusal", "refusal": "b"}]})
    };
    let (used, none) = (usage(9, 4, 6), Value::Null);
    check_reply(spec, body(message("text"), "completed", none.clone()), "ab", used, Finish::Stop)
        .await;
    for (reason, finish) in [
        ("max_output_tokens", Finish::Length),
        ("content_filter", Finish::Filtered),
        ("x", Finish::Other),
    ] {
        let body = body(message("text"), "incomplete", json!({"reason": reason}));
        check_reply(spec, body, "ab", used, finish).await;
    }
    let text = "```clojure\n(f)\n```";
    let call = json!({"type": "function_call", "name": "run_program", "arguments": "{\"program\":\"(f)\"}"});
    check_reply(spec, body(call, "completed", none.clone()), text, used, Finish::Stop).await;
    let call = json!({"type": "custom_tool_call", "name": "run_program", "input": "(f)"});
    check_reply(spec, body(call, "completed", none), text, used, Finish::Stop).await;
}

#[tokio::test]
async fn replies_of_messages() {
    let body = |content: Value, reason: &str| {
        json!({"type": "message", "role": "assistant", "content": content, "stop_reason": reason,
            "usage": {"input_tokens": 2, "cache_read_input_tokens": 6,
                "cache_creation_input_tokens": 1, "output_tokens": 4}})
    };
    let text = json!([{"type": "thinking", "thinking": "hm", "signature": "s"},
        {"type": "text", "text": "a"}, {"type": "text", "text": "b"}]);
    let used = usage(9, 4, 6);
    let reasons = [
        ("end_turn", Finish::Stop),
        ("stop_sequence", Finish::Stop),
        ("max_tokens", Finish::Length),
        ("model_context_window_exceeded", Finish::Length),
        ("refusal", Finish::Filtered),
        ("pause_turn", Finish::Other),
    ];
    for (reason, finish) in reasons {
        check_reply("anthropic:m", body(text.clone(), reason), "ab", used, finish).await;
    }
    let call = json!([{"type": "text", "text": "So."},
        {"type": "tool_use", "id": "t", "name": "run_program", "input": {"program": "(f)"}}]);
    let text = "So.\n\n```clojure\n(f)\n```";
    check_reply("anthropic:m", body(call, "tool_use"), text, used, Finish::Stop).await;
}

#[tokio::test]
async fn replies_of_ollama() {
    let body = |message: Value, reason: &str| {
        json!({"model": "m", "message": message, "done": true, "done_reason": reason,
            "prompt_eval_count": 9, "eval_count": 4})
    };
    let message = json!({"role": "assistant", "content": "hi", "thinking": "hm"});
    let used = usage(9, 4, 0);
    for (reason, finish) in
        [("stop", Finish::Stop), ("length", Finish::Length), ("load", Finish::Other)]
    {
        check_reply("ollama:m", body(message.clone(), reason), "hi", used, finish).await;
    }
    let call = json!({"role": "assistant", "content": "",
        "tool_calls": [{"function": {"name": "run_program", "arguments": {"program": "(f)"}}}]});
    check_reply("ollama:m", body(call, "stop"), "```clojure\n(f)\n```", used, Finish::Stop).await;
}

/// A mission whose programs are arguments of a tool runs like any other.
#[tokio::test]
async fn programs_in_tool_arguments_run() {
    let json = r#"{"program": "(return (inc ctx/n))"}"#;
    let args = json!({"program": "(return (inc ctx/n))"});
    let bodies = [
        json!({"choices": [{"message": {"tool_calls": [{"function": {"arguments": json}}]}}]}),
        json!({"output": [{"type": "function_call", "arguments": json}], "status": "completed"}),
        json!({"content": [{"type": "tool_use", "input": args}], "stop_reason": "tool_use"}),
        json!({"message": {"tool_calls": [{"function": {"arguments": args}}]}, "done": true}),
    ];
    let agent = Agent::new("Say n and one.").with_transport(Transport::Tool);
    for (spec, body) in SPECS.iter().zip(bodies) {
        let server = Server::start(vec![raw(200, &body.to_string())]).await;
        let provider = spec.parse::<ModelSpec>().unwrap().open(&options(&server)).unwrap();
        let report = Mission::new(&agent, json!({"n": 4})).run(&provider).await.unwrap();
        assert_eq!((report.value, report.turns), (Data::from(json!(5)), 1), "{spec}");
    }
}

/// The custom tool has the grammar of the mission's programs, without the code fence.
#[tokio::test]
async fn a_custom_tool_has_the_grammar_of_its_mission() {
    let body = json!({"output": [{"type": "custom_tool_call", "input": "(return ctx/n)"}]});
    let server = Server::start(vec![raw(200, &body.to_string())]).await;
    let provider = SPECS[1].parse::<ModelSpec>().unwrap().open(&options(&server)).unwrap();
    let agent = Agent::new("Say n.").with_grammar(GrammarServer::LlamaCpp);
    let mission = Mission::new(&agent, json!({"n": 4}));
    let bare = GrammarOptions { reply: ptc_prompt::ReplyFormat::Bare, ..GrammarOptions::default() };
    let expected = mission.grammar(&bare).unwrap().lark();
    assert_eq!(mission.run(&provider).await.unwrap().value, json!(4));
    let sent = &server.bodies()[0]["tools"][0]["format"]["definition"];
    assert_eq!(sent, &json!(expected));
}

/// The configured prices give the cost of a reply. Without them the cost is unknown.
#[tokio::test]
async fn prices() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("prices.toml");
    let server = Server::start(vec![crate::support::text("hello")]).await;
    let ask = async |content: Option<&str>| {
        let mut options = options(&server);
        if let Some(content) = content {
            std::fs::write(&path, content).unwrap();
            options.prices = Some(path.clone());
        }
        let provider = match "openai:gpt-5".parse::<ModelSpec>().unwrap().open(&options) {
            Ok(provider) => provider,
            Err(error) => {
                let file = path.display().to_string();
                return error.to_string().replace(&file, "FILE");
            }
        };
        let usage = provider.complete(&request()).await.unwrap().usage.unwrap();
        assert_eq!(provider.price_of(&usage), usage.cost);
        usage.cost.map_or("unknown".to_string(), |it| it.to_string())
    };
    // The reply has 11 input tokens and 7 output tokens. The server is not OpenAI's, so OpenAI's prices do not apply.
    assert_eq!(ask(None).await, "unknown");
    assert_eq!(
        ask(Some("[models]\n\"gpt-5\" = { input = 1000, output = 100000 }")).await,
        "$0.711"
    );
    assert_eq!(ask(Some("[models]\n\"gpt-4*\" = { input = 1, output = 1 }")).await, "unknown");
    assert_eq!(ask(Some("[models]\n\"*\" = { input = 0, output = 0 }")).await, "$0.00");
    assert_eq!(
        ask(Some("[models]\n\"a\" = { input = 1 }")).await,
        "FILE:2:7: malformed prices: missing field `output`"
    );
    assert_eq!(
        ask(Some("[models]\n\"a\" = { input = -1, output = 1 }")).await,
        "FILE: a price of `a` is not an amount of dollars"
    );
    std::fs::remove_file(&path).unwrap();
    let options = ProviderOptions { prices: Some(path), ..options(&server) };
    assert!("openai:m".parse::<ModelSpec>().unwrap().open(&options).is_err());
}
