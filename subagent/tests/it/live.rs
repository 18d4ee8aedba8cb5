//! Three missions against a real chat completions server, if one is configured.

use std::path::Path;
use std::time::Duration;

use ptc_subagent::provider::{
    BoxFuture, GrammarServer, ModelSpec, Partial, Provider, ProviderError, ProviderOptions, Reply,
    Request,
};
use ptc_subagent::{Agent, Mission};
use serde_json::Value;

/// Requests streams, and checks the streamed text against the reply.
struct Streamed(Box<dyn Provider>);

impl Provider for Streamed {
    fn complete<'a>(&'a self, request: &'a Request) -> BoxFuture<'a, Result<Reply, ProviderError>> {
        Box::pin(async move {
            let mut told = Vec::new();
            let mut on = |partial: Partial<'_>| {
                if let Partial::Text(text) = partial {
                    told.push(text.to_string());
                }
            };
            let request = Request { streamed: true, ..request.clone() };
            let reply = self.0.ask(&request, &mut on).await?;
            assert_eq!(told.concat(), reply.text);
            assert!(told.len() > 1, "{told:?}");
            Ok(reply)
        })
    }

    fn name(&self) -> String {
        self.0.name()
    }
}

/// Runs the first case of a mission of the examples and compares its value.
async fn check(name: &str, grammar: Option<GrammarServer>, provider: &dyn Provider) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../examples/missions").join(name);
    let cases = std::fs::read_to_string(folder.join("cases.json")).unwrap();
    let cases: Value = serde_json::from_str(&cases).unwrap();
    let case = &cases["cases"][0];
    let mut agent = Agent::read(&folder.join("agent.toml")).unwrap();
    agent.grammar = grammar;
    agent.parameters.max_tokens = Some(400);
    let report = Mission::new(&agent, &case["input"]).run(provider).await.unwrap();
    assert_eq!(report.value, case["expected"], "{report:?}");
    assert!(report.usage.input_tokens > 0 && report.usage.output_tokens > 0, "{report:?}");
}

#[tokio::test]
#[expect(clippy::print_stderr, reason = "who runs the tests is to know that this one did nothing")]
async fn missions() {
    let variable = |name: &str| std::env::var(name).ok().filter(|it| !it.is_empty());
    let (Some(base_url), Some(model)) = (variable("PTC_TEST_BASE_URL"), variable("PTC_TEST_MODEL"))
    else {
        eprintln!("skipped: PTC_TEST_BASE_URL and PTC_TEST_MODEL name no server and model");
        return;
    };
    let options = ProviderOptions {
        base_url: Some(base_url),
        request_timeout: Duration::from_mins(10),
        ..ProviderOptions::from_env()
    };
    let open = || format!("openai:{model}").parse::<ModelSpec>().unwrap().open(&options).unwrap();
    check("count", None, open().as_ref()).await;
    check("sum", None, &Streamed(open())).await;
    check("names", Some(GrammarServer::LlamaCpp), open().as_ref()).await;
}
