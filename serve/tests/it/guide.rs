//! The examples of the guide: each request of its blocks `api` gets the answer that the page shows.

use ptc_subagent::Agent;
use serde_json::Value;

use crate::support::{Model, serve, with_model};

const GUIDE: &str = include_str!("../../../docs/serve.md");

/// A request of the guide with its answer.
#[derive(Debug)]
struct Example<'t> {
    request: &'t str,
    body: &'t str,
    status: &'t str,
    answer: &'t str,
}

fn examples() -> Vec<Example<'static>> {
    let mut all = Vec::new();
    for block in GUIDE.split("```api\n").skip(1) {
        let block = block.split("\n```").next().unwrap_or_default();
        let mut lines = block.lines().peekable();
        while let Some(request) = lines.next().and_then(|it| it.strip_prefix("> ")) {
            let body = lines.next_if(|it| it.starts_with("> "));
            let body = body.and_then(|it| it.strip_prefix("> ")).unwrap_or_default();
            let status = lines.next().unwrap_or_default();
            let answer = lines.next().unwrap_or_default();
            all.push(Example { request, body, status, answer });
        }
    }
    all
}

/// Returns whether a text fits a pattern, in which `[..]` is any text.
fn fits(pattern: &str, text: &str) -> bool {
    let mut parts = pattern.split("[..]");
    let Some(mut rest) = text.strip_prefix(parts.next().unwrap_or_default()) else { return false };
    let parts: Vec<&str> = parts.collect();
    for (at, part) in parts.iter().enumerate() {
        if at + 1 == parts.len() {
            return rest.ends_with(part);
        }
        let Some(found) = rest.find(part) else { return false };
        rest = &rest[found + part.len()..];
    }
    rest.is_empty()
}

#[tokio::test(flavor = "multi_thread")]
async fn the_requests_of_the_guide_get_their_answers() {
    let double = Agent::new("Double {{n}}.").with_name("double");
    let double = double.with_signature("(n :int) -> :int").expect("a signature");
    let program = r#"
        (let [form {:title (str "How much for order " ctx/order "?")
                    :fields "(amount :int[0..500] \"Amount\")"}]
          {:paid (:amount (ask form))})"#;
    let refund = Agent::workflow(program).with_name("refund");
    let folder = tempfile::tempdir().expect("a folder");
    let model = Model::of("(return (* 2 ctx/n))");
    let served = serve(vec![double, refund], &folder.path().join("runs"), with_model(model)).await;
    let (mut problems, mut run) = (Vec::new(), String::new());
    let all = examples();
    assert!(all.len() > 5, "{all:?}");
    for Example { request, body, status, answer } in all {
        let (method, path) = request.split_once(' ').expect("a method");
        let path = path.replace("{run}", &run);
        let found = match method {
            "GET" => served.get(&path).await,
            _ => served.post(&path, &serde_json::from_str(body).expect("JSON")).await,
        };
        let json: Value = serde_json::from_str(&found.body).unwrap_or_default();
        if let Some(id) = json["run"].as_str() {
            run = id.to_string();
        }
        if found.status.to_string() != status || !fits(answer, &found.body) {
            problems.push(format!("{request} {body}\n{}\n{}", found.status, found.body));
        }
    }
    assert!(problems.is_empty(), "{}", problems.join("\n\n"));
    served.stop().await;
}
