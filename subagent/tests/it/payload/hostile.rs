//! Deep and large payloads, and patterns with many wildcards.

use ptc_signatures::MAX_NESTING;
use ptc_subagent::Data;
use ptc_subagent::payload::{
    ChangeRequest, Counts, Diff, Grants, Op, Path, Scope, Segment, Template, View, join, merge,
    suspicions,
};
use serde_json::{Value, json};

use super::{data, grants, patch, path, put};

const DEPTH: usize = 512;

/// Returns a value with this many maps and lists around a number.
fn deep(depth: usize, leaf: i64) -> Data {
    data(deep_value(depth, leaf))
}

fn deep_value(depth: usize, leaf: i64) -> Value {
    (0..depth).fold(
        json!(leaf),
        |value, at| {
            if at % 2 == 0 { json!({"a": value}) } else { json!([value]) }
        },
    )
}

/// Returns the path of the number.
fn bottom(depth: usize) -> Path {
    (0..depth)
        .rev()
        .map(|at| if at % 2 == 0 { Segment::from("a") } else { Segment::from(0) })
        .collect()
}

#[test]
fn deep_payloads_are_compared_and_read() {
    let (one, other) = (deep(DEPTH, 1), deep(DEPTH, 2));
    let at = bottom(DEPTH);
    assert_eq!(at.get(&one), Some(data(json!(1))));
    let diff = Diff::between(&one, &other);
    assert_eq!(diff.changes().len(), 1);
    assert_eq!(diff.changes()[0].path, at);
    assert!(Diff::between(&one, &deep(DEPTH, 1)).is_empty());
    assert_eq!(suspicions(&one, &other), []);
    assert_eq!(suspicions(&one, &data(json!([]))).len(), 2);
    for pattern in ["*", "**", "**.a", "[*].a.**", "**.**.**.a.**"] {
        assert!(at.get(&grants(&[pattern]).read(&one)).is_some(), "{pattern}");
    }
    let reads = grants(&["**.b"]);
    assert_eq!(reads.read(&one), json!({}));
    let view = View::new(&one, &Grants::all(), &Scope::root()).unwrap();
    let merged = merge(&view, &other, &Grants::all());
    // The payload came with this depth; an operation may not reach so deep.
    assert_eq!(merged.blocked[0].reason, "expected at most 126 levels, found more");
    assert_eq!(at.get(&merged.payload), Some(data(json!(1))));
}

#[test]
fn operations_keep_payloads_readable() {
    let depth = |levels: usize| deep(levels, 1);
    let mut payload = data(json!({"x": []}));
    // The map `x` is one level, and the list in it another.
    Op::put(path("x"), depth(125)).apply_to(&mut payload).unwrap();
    let text = payload.to_string();
    assert_eq!(text.parse::<Data>().unwrap(), payload);
    let error = Op::put(path("x"), depth(126)).apply_to(&mut payload).unwrap_err();
    assert_eq!(error.to_string(), "payload/put x: expected at most 126 levels, found more");
    let error = Op::push(path("y"), depth(125)).apply_to(&mut payload).unwrap_err();
    assert_eq!(error.to_string(), "payload/push y: expected at most 126 levels, found more");
    let error =
        Op::put(bottom(DEPTH), data(json!(1))).apply_to(&mut data(json!(null))).unwrap_err();
    assert_eq!((error.expected.as_str(), error.found.as_str()), ("at most 126 levels", "more"));
    assert_eq!(payload.to_string(), text);
}

#[test]
fn deep_requests_and_templates_are_read() {
    let maps = |leaf: i64| (0..DEPTH).fold(json!(leaf), |value, _| json!({"a": value}));
    let payload = data(maps(1));
    let request =
        json!({"updateElements": maps(2), "newElements": {"b": deep_value(DEPTH, 2), "c": 1}});
    let result = ChangeRequest::from_data(&data(request)).unwrap().apply(&payload, &Grants::all());
    // The changes that are too deep are blocked, the other one is made.
    assert_eq!(path("c").get(&result.payload), Some(data(json!(1))));
    let Counts { additions, updates, deletions } = result.applied;
    assert_eq!([additions, updates, deletions], [1, 0, 0]);
    let reasons: Vec<&str> = result.blocked.iter().map(|it| it.reason.as_str()).collect();
    assert_eq!(reasons, ["expected at most 126 levels, found more"; 2]);
    let error = Template::read(&payload).unwrap_err().to_string();
    assert!(
        error.ends_with(&format!("expected at most {MAX_NESTING} levels, found more")),
        "{error}"
    );
}

/// The work of a match is bounded by the steps of the path times those of the pattern.
#[test]
fn wildcards_do_not_explode() {
    let hostile = vec!["**.a"; 63].join(".");
    let also = vec!["**.*"; 63].join(".");
    let all = grants(&[&hostile, &also, "**.**.**.**.b"]);
    let long: Path = (0..10_000).map(|_| Segment::from("a")).collect();
    assert!(all.allows(ptc_subagent::payload::Access::Add, &long));
    let short: Path = (0..50).map(|_| Segment::from("a")).collect();
    assert!(!grants(&[&hostile]).allows(ptc_subagent::payload::Access::Add, &short));
    let rows: Vec<Value> = (0..2_000).map(|at| json!({"a": {"a": [{"a": at}]}, "c": 1})).collect();
    let payload = data(json!(rows));
    assert_eq!(grants(&[&hostile]).read(&payload), json!({}));
    let filtered =
        grants(&[&hostile]).filter(&payload, &patch([put("", json!({"a": {"a": 1}, "b": 2}))]));
    assert_eq!(filtered.payload, payload);
    assert_eq!(filtered.blocked.len(), 1);
}

#[test]
fn large_payloads_with_small_changes() {
    let rows: Vec<Value> = (0..30_000).map(|at| json!({"id": at, "text": "some text"})).collect();
    let keys: serde_json::Map<String, Value> =
        (0..10_000).map(|at| (format!("key {at}"), json!(at))).collect();
    let payload = data(json!({"rows": rows, "keys": keys}));
    let change =
        patch([put("rows[29999].text", json!("new")), put(r#"keys["key 77"]"#, json!("new"))]);
    let mut now = payload.clone();
    for _ in 0..200 {
        now = change.apply(&payload).unwrap();
    }
    assert_eq!(Diff::between(&payload, &now).changes().len(), 2);
    let branches: Vec<_> = (0..200)
        .map(|at| {
            patch([put(&format!("rows[{at}].id"), json!("new")), super::push("log", json!(at))])
        })
        .collect();
    let joined = join(&payload, &branches).unwrap();
    assert_eq!(joined.patch.ops().len(), 400);
    assert_eq!(path("log[199]").get(&joined.payload), Some(data(json!(199))));
    let request = json!({"newElements": {"keys": (0..10_000).map(|at| (format!("new {at}"), json!(at))).collect::<serde_json::Map<_, _>>()}});
    let result =
        ChangeRequest::from_data(&data(request)).unwrap().apply(&payload, &grants(&["keys.*:add"]));
    assert_eq!((result.applied.additions, result.blocked.len()), (10_000, 0));
}
