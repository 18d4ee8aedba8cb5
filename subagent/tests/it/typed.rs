//! Closures over Rust types: their arguments, their results, and the signature that a program sees.

use std::collections::BTreeMap;

use ptc_subagent::provider::Scripted;
use ptc_subagent::schemars::{self, JsonSchema};
use ptc_subagent::tool::{CallContext, ToolDef, ToolError};
use ptc_subagent::{Agent, Mission, SignatureMode};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::support::program;

/// Finds orders.
#[derive(Deserialize, JsonSchema)]
struct Query {
    state: State,
    lines: Vec<Line>,
    limit: Option<u8>,
}

#[derive(Clone, Copy, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
enum State {
    Open,
    Paid,
}

#[derive(Deserialize, Serialize, JsonSchema)]
struct Line {
    id: i64,
    price: f64,
}

#[derive(Serialize, JsonSchema)]
struct Found {
    state: State,
    total: f64,
    key: String,
}

fn orders() -> ToolDef {
    ToolDef::typed("orders", async |query: Query, cx: CallContext| {
        if query.limit == Some(0) {
            return Err(ToolError::failed("a limit of 0 finds nothing"));
        }
        let total = query.lines.iter().map(|it| it.price * it.id as f64).sum();
        Ok(Found { state: query.state, total, key: cx.idempotency_key })
    })
}

async fn check(tool: &ToolDef, args: Value, expected: &str) {
    let found = match tool.call(args, &CallContext::new("key-1")).await {
        Ok(value) => value.to_string(),
        Err(error) => format!("{}: {error}", error.kind.code()),
    };
    assert_eq!(found, expected);
}

#[test]
fn signature_and_description_come_from_the_types() {
    let tool = orders();
    assert_eq!(
        tool.signature.unwrap().to_string(),
        "(state :enum[open paid], lines [{id :int, price :float}], limit :int[0..255]?) -> \
         {state :enum[open paid], total :float, key :string}"
    );
    assert_eq!(tool.description.unwrap(), "Finds orders.");
}

/// P12: the description of a tool is the one that was set, or the comment of its type. That of a sub-agent is its own, or
/// the beginning of its prompt.
#[test]
fn p12_descriptions() {
    let of = |tool: ToolDef| tool.description.unwrap();
    let agent = Agent::new("Count the rows of {{table}}.\nThen say it.").with_name("count");
    let described = agent.clone().with_description("Counts rows.");
    assert_eq!(of(orders().with_description("Mine.")), "Mine.");
    assert_eq!(of(orders()), "Finds orders.");
    assert_eq!(of(ToolDef::agent(described)), "Counts rows.");
    assert_eq!(of(ToolDef::agent(agent)), "Count the rows of table.");
}

#[tokio::test]
async fn arguments_and_results() {
    let line = json!({"id": 2, "price": 1.5});
    for (args, expected) in [
        (
            json!({"state": "open", "lines": [line, {"id": "1", "price": 4}]}),
            r#"{"state":"open","total":7.0,"key":"key-1"}"#,
        ),
        (
            json!({"state": "open", "lines": [], "limit": 0}),
            "tool-failed: a limit of 0 finds nothing",
        ),
        (
            json!({"state": "late", "lines": [{"id": 1}]}),
            "tool-arguments: the arguments do not match: state: expected one of open, paid, found string \
             \"late\"; lines[0].price: expected float, found nothing",
        ),
    ] {
        check(&orders(), args, expected).await;
    }
    // Without the check of the signature, serde refuses the arguments, and its error names the location too.
    let unchecked = orders().with_signature_mode(SignatureMode::Off);
    for (args, expected) in [
        (
            json!({"state": "open", "lines": [line, {"id": "x", "price": 1}]}),
            "tool-arguments: the arguments do not match: lines[1].id: found string \"x\", expected a whole number",
        ),
        (
            json!({"state": "late", "lines": []}),
            "tool-arguments: the arguments do not match: state: unknown variant `late`, expected `open` or `paid`",
        ),
        (json!({"lines": []}), "tool-arguments: the arguments do not match: missing field `state`"),
    ] {
        check(&unchecked, args, expected).await;
    }
    let keys = ToolDef::typed("keys", async |_: Empty| Ok(BTreeMap::from([((1, 2), 3)])));
    check(&keys, json!({}), "tool-output: the result has no JSON form: key must be a string").await;
    let nan = ToolDef::typed("nan", async |_: Empty| Ok(f64::NAN));
    check(&nan, json!({}), "tool-result: the result does not match: expected float, found nil")
        .await;
}

#[derive(Deserialize, JsonSchema)]
struct Empty {}

#[tokio::test]
async fn in_a_run() {
    let agent = Agent::new("Orders.").with_signature("() -> :float").unwrap().with_tool(orders());
    let source = "(return (:total (tool/orders {:state :paid :lines [{:id 2 :price 3}]})))";
    let report =
        Mission::new(&agent, json!({})).run(&Scripted::new([program(source)])).await.unwrap();
    assert_eq!(report.value, json!(6.0));
}
