//! The payload of programs: names, literal paths and shapes that admission knows.

use std::fmt::Write as _;

use ptc_lisp::{Limits, Payload};
use ptc_subagent::payload::{Grants, payload_of_session};
use ptc_tests::World;
use serde_json::json;

fn payload(grants: &[&str]) -> Payload {
    let start = json!({
        "order": {"id": 7, "lines": [{"price": 2}, {"price": 3}]}, "status": "new", "extra": true,
    });
    payload_of_session(start.into(), Grants::parse(grants).unwrap())
}

fn typed(grants: &[&str]) -> Payload {
    let signature =
        "{order {id :int, lines [{price :float, name :string?}]}, status :string, total :float?}";
    payload(grants).with_signature(signature.parse().unwrap())
}

/// Runs each program in a world with a payload, and compares the outcome and the help.
fn check(payload: impl Fn() -> Payload, cases: &[(&str, &str)]) {
    for (source, expected) in cases {
        let mut world = World::new("{}", Limits::default()).with_payload(payload());
        let mut found = String::new();
        match world.session.admit(source) {
            Err(rejection) => {
                for problem in rejection.diagnostics {
                    let help = problem.help().unwrap_or_default();
                    write!(found, "{}: {}; {help}", problem.code(), problem.message()).unwrap();
                }
            }
            Ok(_) => found = world.run(source).shown,
        }
        assert_eq!(found, *expected, "{source}");
    }
}

#[test]
fn admission_knows_the_names_of_a_signature() {
    check(
        || typed(&["*"]),
        &[
            ("payload/status", "=> \"new\""),
            ("payload/extra", "=> true"),
            ("payload/total", "=> nil"),
            (
                "payload/statsu",
                "unknown-payload-key: there is no `payload/statsu`; did you mean `payload/status`?",
            ),
            (
                "(payload/get [:order :lines 0 :prize])",
                "unknown-payload-key: the payload has no `order.lines[0].prize`; did you mean `price`?",
            ),
            (
                "(payload/put [:absent] 1)",
                "unknown-payload-key: there is no `payload/absent`; there are `payload/order`, \
                 `payload/status`, `payload/total`, `payload/extra`",
            ),
            ("(let [key :absent] (payload/put [key] 1))", "=> 1"),
            ("(payload/put [:order :lines 0 :name] \"pen\")", "=> \"pen\""),
        ],
    );
    check(|| payload(&["*"]), &[("payload/absent", "=> nil"), ("(payload/put [:new] 1)", "=> 1")]);
}

#[test]
fn admission_refuses_literal_paths_that_no_grant_allows() {
    let help = "change only what the grants allow";
    let refused = |what: &str| format!("payload-denied: {what}; {help}");
    check(
        || payload(&["order.*:update", "notes:add"]),
        &[
            ("(payload/put [:order :id] 8)", "=> 8"),
            ("(payload/push [:notes] 1)", "=> 1"),
            (
                "(payload/put [:status] 1)",
                &refused(
                    "payload/put status: expected a grant to change status, found order.*:update, notes:add",
                ),
            ),
            (
                "(payload/delete [:order :id])",
                &refused(
                    "payload/delete order.id: expected a grant to delete order.id, found order.*:update, notes:add",
                ),
            ),
            (
                "(let [key :status] (payload/put [key] 1))",
                "! payload-denied payload/put status: expected a grant to update status, found order.*:update, notes:add",
            ),
            (
                "(try (let [key :status] (payload/put [key] 1)) (catch IllegalStateException e :no))",
                "=> :no",
            ),
        ],
    );
}

#[test]
fn admission_knows_the_shape_of_a_payload_that_nothing_changes() {
    check(
        || payload(&["*"]),
        &[
            ("(reduce + (map :price (:lines payload/order)))", "=> 5"),
            ("(do (payload/put [:status] 2) (+ 1 payload/status))", "=> 3"),
        ],
    );
    let world = World::new("{}", Limits::default()).with_payload(payload(&["*"]));
    let source = "(doseq [line (payload/get [:order :lines])] (call \"echo\" {:v line}))";
    let admitted = world.session.admit(source).unwrap();
    assert_eq!(admitted.report().tools[0].times.at_most(), Some(2));
    assert_eq!(
        admitted.report().to_json()["payload"],
        json!({"reads": ["order.lines"], "writes": []})
    );
}

#[test]
fn a_mission_without_a_payload_has_none_of_its_names() {
    let world = World::new("{}", Limits::default());
    for source in ["payload/x", "(payload/get [:x])", "(map payload/get [[:x]])"] {
        let rejection = world.session.admit(source).unwrap_err();
        assert_eq!(rejection.to_string(), "this mission has no payload", "{source}");
    }
    assert_eq!(world.session.admit("payload").unwrap_err().to_string(), "`payload` is not defined");
    let report = world.session.admit("(+ 1 2)").unwrap().report().to_json();
    assert_eq!(report.get("payload"), None);
}

#[test]
fn a_payload_has_a_maximum_size() {
    let limits = Limits { memory_bytes: 100, ..Limits::default() };
    let mut world = World::new("{}", limits).with_payload(payload(&["*"]));
    let ran = world.run("(payload/put [:text] (apply str (repeat 200 \"x\")))");
    assert_eq!(
        ran.shown,
        "! kept-memory-limit the payload is larger as JSON than the limit of 100 bytes"
    );
    assert_eq!(world.run("payload/status").shown, "=> \"new\"");
}
