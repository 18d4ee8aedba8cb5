//! Every protocol honours every field of a request: it sends the field, or refuses the request.

use ptc_subagent::Blob;
use ptc_subagent::provider::{
    GrammarServer, Images, Message, ModelSpec, Parameters, ProviderKind, ReplyGrammar, Request,
    ToolOffer, Transport,
};
use serde_json::{Value, json};

use crate::provider::{options, request};
use crate::provider_protocols::raw;
use crate::support::Server;

/// The fields that servers of a protocol do not have, so that requests go without them.
const LEFT_OUT: &[(&str, &str)] = &[("openai-responses", "stop")];

/// Returns a request for each field, with the request that differs from it in that field alone.
fn pairs() -> Vec<(&'static str, Request, Request)> {
    let plain = request();
    let tools = vec![ToolOffer {
        name: "add".to_string(),
        description: "Adds.".to_string(),
        parameters: json!({"type": "object"}),
    }];
    let image = Blob::new("image/png", b"\x89PNG\r\n\x1a\n");
    let mut images = Images::default();
    images.add(&image);
    let showing = vec![Message::user("one").with_images(vec![image.hash])];
    let parameters = |change: fn(&mut Parameters)| {
        let mut parameters = Parameters::default();
        change(&mut parameters);
        parameters
    };
    // A field that is added here needs a row below.
    let Request {
        system: _,
        messages: _,
        images: _,
        parameters: Parameters { temperature: _, max_tokens: _, effort: _ },
        grammar: _,
        transport: _,
        streamed: _,
        tools: _,
        wants_text: _,
        stop: _,
        // The provider chooses the model, and the protocol is that of the model.
        fallback: _,
    } = &plain;
    let (gbnf, lark) = ("root ::= fence".to_string(), "start: program".to_string());
    let grammar = Some(ReplyGrammar { server: GrammarServer::LlamaCpp, gbnf, lark });
    let of = |parameters: Parameters| Request { parameters, ..plain.clone() };
    vec![
        ("system", plain.clone(), Request { system: "be long".into(), ..plain.clone() }),
        (
            "messages",
            plain.clone(),
            Request { messages: vec![Message::user("x")], ..plain.clone() },
        ),
        (
            "images",
            Request { messages: showing.clone(), ..plain.clone() },
            Request { messages: showing, images, ..plain.clone() },
        ),
        ("temperature", plain.clone(), of(parameters(|it| it.temperature = Some(0.5)))),
        ("max_tokens", plain.clone(), of(parameters(|it| it.max_tokens = Some(50)))),
        ("effort", plain.clone(), of(parameters(|it| it.effort = Some(50)))),
        ("grammar", plain.clone(), Request { grammar, ..plain.clone() }),
        ("transport", plain.clone(), Request { transport: Transport::Tool, ..plain.clone() }),
        ("streamed", plain.clone(), Request { streamed: true, ..plain.clone() }),
        ("tools", plain.clone(), Request { tools: tools.clone(), ..plain.clone() }),
        (
            "wants_text",
            Request { tools: tools.clone(), ..plain.clone() },
            Request { tools, wants_text: true, ..plain.clone() },
        ),
        ("stop", plain.clone(), Request { stop: vec!["Observation:".to_string()], ..plain }),
    ]
}

/// Returns the body of a request, or the reason that it is not sent.
async fn body(spec: &str, request: &Request) -> Result<Value, String> {
    let server = Server::start(vec![raw(400, "")]).await;
    let provider = spec.parse::<ModelSpec>().unwrap().open(&options(&server)).unwrap();
    let refused = provider.ask(request, &mut |_| {}).await.unwrap_err();
    server.bodies().pop().ok_or_else(|| refused.to_string())
}

#[tokio::test]
async fn every_protocol_sends_or_refuses_every_field() {
    let mut left_out = Vec::new();
    for kind in ProviderKind::all() {
        let spec = format!("{}:m", kind.name());
        for (field, without, with) in pairs() {
            let plain = body(&spec, &without).await.unwrap();
            match body(&spec, &with).await {
                Ok(body) if body == plain => left_out.push((kind.name(), field)),
                Ok(_) => {}
                Err(refused) => assert!(refused.contains("does not support"), "{spec}: {refused}"),
            }
        }
    }
    assert_eq!(left_out, LEFT_OUT);
}
