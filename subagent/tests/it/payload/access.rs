//! Grants: reading, checking and filtering.

use ptc_subagent::payload::{Access, Blocked, CheckError, Grants, Op};
use serde_json::{Value, json};

use super::{data, delete, grants, merge_in, patch, path, push, put};

/// Returns the message of a refusal; none if the operation is allowed.
fn refusal(grants: &Grants, payload: &Value, op: Op) -> Option<String> {
    grants.check(&data(payload.clone()), &patch([op])).err().map(|error| error.to_string())
}

#[test]
fn m90_a_sub_agent_reads_only_its_paths() {
    let payload = data(json!({
        "customer": {"id": 7, "name": "Ada"},
        "order": {"id": 1, "items": [{"price": 2, "cost": 1}]},
        "secret": true,
    }));
    let read = grants(&["customer.id", "order.*"]).read(&payload);
    assert_eq!(
        read.to_string(),
        r#"{"customer":{"id":7},"order":{"id":1,"items":[{"price":2,"cost":1}]}}"#
    );
    assert_eq!(Grants::none().read(&payload), json!({}));
    assert_eq!(Grants::all().read(&payload), payload);
}

#[test]
fn m91_writes_outside_the_grants_are_blocked() {
    let payload = json!({"order": {"id": 1}});
    let writes = grants(&["analysis.*", "recommendations"]);
    assert_eq!(refusal(&writes, &payload, put("analysis.score", json!(5))), None);
    assert_eq!(refusal(&writes, &payload, push("recommendations", json!("buy"))), None);
    assert_eq!(
        refusal(&writes, &payload, put("order.id", json!(2))).unwrap(),
        "payload/put order.id: expected a grant to update order.id, found analysis.*, recommendations"
    );
    assert_eq!(
        refusal(&Grants::none(), &payload, merge_in("", json!({"x": 1}))).unwrap(),
        "payload/merge the payload: expected a grant to add x, found no grants"
    );
}

/// One row for each kind of pattern: the pattern, the part that it reads, the paths that it covers and does not cover.
#[test]
fn m92_patterns_read_and_write() {
    let payload = json!({
        "id": 1,
        "order": {"id": 2, "total": 3},
        "items": [{"id": 4, "price": 5}, {"id": 6, "price": 7}],
        "dotted.key": {"x": 8},
    });
    let rows: &[(&str, Value, &[&str], &[&str])] = &[
        (
            "order.total",
            json!({"order": {"total": 3}}),
            &["order.total", "order.total.net"],
            &["order", "order.id", "orders.total"],
        ),
        (
            "order.*",
            json!({"order": {"id": 2, "total": 3}}),
            &["order", "order.id"],
            &["", "id", "items[0].id"],
        ),
        ("order", json!({"order": {"id": 2, "total": 3}}), &["order", "order.id"], &["", "id"]),
        (
            "items[0].price",
            json!({"items": [{"price": 5}]}),
            &["items[0].price"],
            &["items[0]", "items[1].price"],
        ),
        (
            "items[1].price",
            json!({"items": [null, {"price": 7}]}),
            &["items[1].price"],
            &["items[0].price"],
        ),
        (
            "items[1]",
            json!({"items": [null, {"id": 6, "price": 7}]}),
            &["items[1]", "items[1].id"],
            &["items", "items[0]"],
        ),
        (
            "items[*].price",
            json!({"items": [{"price": 5}, {"price": 7}]}),
            &["items[0].price", "items[9].price.net"],
            &["items", "items[0].id"],
        ),
        (
            "items[*]",
            json!({"items": [{"id": 4, "price": 5}, {"id": 6, "price": 7}]}),
            &["items[0]", "items[3].id"],
            &["items"],
        ),
        ("items.0.id", json!({"items": [{"id": 4}]}), &["items[0].id"], &["items[1].id"]),
        ("*.id", json!({"order": {"id": 2}}), &["order.id", "x.id"], &["id", "items[0].id"]),
        (
            "**.id",
            json!({"id": 1, "order": {"id": 2}, "items": [{"id": 4}, {"id": 6}]}),
            &["id", "x.id", "a.b.id", "items[3].id"],
            &["", "idx", "order.total"],
        ),
        (
            "items.**",
            json!({"items": [{"id": 4, "price": 5}, {"id": 6, "price": 7}]}),
            &["items", "items[0].id"],
            &["id"],
        ),
        (
            r#"["dotted.key"].x"#,
            json!({"dotted.key": {"x": 8}}),
            &[r#"["dotted.key"].x"#],
            &["dotted.key.x"],
        ),
        ("*", payload.clone(), &["", "a", "a.b[0]"], &[]),
        ("**", payload.clone(), &["", "a", "a.b[0]"], &[]),
        ("nothing", json!({}), &["nothing"], &["", "id"]),
    ];
    for (pattern, read, covered, others) in rows {
        let grants = grants(&[pattern]);
        assert_eq!(grants.read(&data(payload.clone())), *read, "{pattern}");
        for at in *covered {
            assert!(grants.allows(Access::Update, &path(at)), "{pattern} covers {at}");
        }
        for at in *others {
            assert!(!grants.allows(Access::Update, &path(at)), "{pattern} does not cover {at}");
        }
    }
}

#[test]
fn an_item_without_the_field_keeps_its_place() {
    let payload = data(json!({"items": [{"p": 1, "q": 2}, {"q": 3}, {"p": 4}, {"q": 5}]}));
    assert_eq!(
        grants(&["items[*].p"]).read(&payload),
        json!({"items": [{"p": 1}, null, {"p": 4}]})
    );
    // Several patterns add up, and the keys keep their order.
    let read = grants(&["items[*].q", "items[0].p"]).read(&payload);
    assert_eq!(read.to_string(), r#"{"items":[{"p":1,"q":2},{"q":3},null,{"q":5}]}"#);
}

/// Six ways to limit a grant, and the three kinds of access.
#[test]
fn m93_access_limits_a_grant() {
    for (text, add, update, remove) in [
        ("a", true, true, true),
        ("a:add", true, false, false),
        ("a:update", false, true, false),
        ("a:delete", false, false, true),
        ("a: ADD , update", true, true, false),
        ("a:add,update,delete", true, true, true),
    ] {
        let grants = grants(&[text]);
        let given =
            [Access::Add, Access::Update, Access::Delete].map(|it| grants.allows(it, &path("a")));
        assert_eq!(given, [add, update, remove], "{text}");
        let payload = json!({"a": 1});
        let allowed = [
            refusal(&grants, &json!({}), put("a", json!(1))).is_none(),
            refusal(&grants, &payload, put("a", json!(2))).is_none(),
            refusal(&grants, &payload, delete("a")).is_none(),
        ];
        assert_eq!(allowed, [add, update, remove], "{text}");
    }
}

/// The sub-agent that validates, from the documentation of another system.
#[test]
fn m93_the_validating_sub_agent() {
    let writes = grants(&["data.validated:update", "errors:add", "warnings:add,delete"]);
    let payload = json!({
        "data": {"validated": false, "records": [1]}, "errors": ["old"], "warnings": ["w0", "w1"],
    });
    for (op, refused) in [
        (
            delete("data.records"),
            Some("payload/delete data.records: expected a grant to delete data.records"),
        ),
        (
            put("errors[0]", json!("new")),
            Some("payload/put errors[0]: expected a grant to update errors[0]"),
        ),
        (
            put("errors", json!(["new", "x"])),
            Some("payload/put errors: expected a grant to update errors[0]"),
        ),
        (push("errors", json!("new")), None),
        // All that changes is a new last item.
        (put("errors", json!(["old", "new"])), None),
        (push("warnings", json!("w2")), None),
        (delete("warnings[0]"), None),
        (
            put("warnings[0]", json!("x")),
            Some("payload/put warnings[0]: expected a grant to update warnings[0]"),
        ),
        (put("data.validated", json!(true)), None),
        (
            put("data.other", json!(true)),
            Some("payload/put data.other: expected a grant to update data.other"),
        ),
    ] {
        let given = ", found data.validated:update, errors:add, warnings:add,delete";
        let shown = refusal(&writes, &payload, op.clone());
        let refused = refused.map(|refused| format!("{refused}{given}"));
        let fixed = shown.map(|text| text.replace("to add data.other", "to update data.other"));
        assert_eq!(fixed, refused, "{op}");
    }
}

#[test]
fn m94_the_own_changes_of_an_agent() {
    let writes = grants(&[
        "workspace.*",
        "analysis.results:add",
        "analysis.status:update",
        "temp.*:add,delete",
    ]);
    let payload = json!({"workspace": {"a": 1}, "analysis": {"results": {"r": 1}, "status": "new"}, "temp": {"t": 1}});
    for (op, allowed) in [
        (delete("workspace.a"), true),
        (put("workspace", json!({})), true),
        (put("analysis.results.s", json!(2)), true),
        (put("analysis.results.r", json!(2)), false),
        (delete("analysis.results.r"), false),
        (put("analysis.status", json!("done")), true),
        (delete("analysis.status"), false),
        (put("temp.u", json!(1)), true),
        (put("temp.t", json!(2)), false),
        (delete("temp.t"), true),
        (merge_in("analysis", json!({"status": "done"})), true),
        (merge_in("analysis", json!({"status": "done", "other": 1})), false),
    ] {
        assert_eq!(refusal(&writes, &payload, op.clone()).is_none(), allowed, "{op}");
    }
}

#[test]
fn m95_the_allowed_part_is_kept_and_the_rest_is_told() {
    let payload = data(json!({"a": {"x": 1, "y": 2}, "b": [1]}));
    let change = patch([
        put("a", json!({"x": 5, "z": {"p": 1, "q": 2}})),
        push("b", json!(2)),
        delete("b[0]"),
        put("c", json!("new")),
    ]);
    let filtered = grants(&["a.x:update", "a.z.p:add", "b:add"]).filter(&payload, &change);
    assert_eq!(filtered.payload.to_string(), r#"{"a":{"x":5,"y":2,"z":{"p":1}},"b":[1,2]}"#);
    assert_eq!(
        filtered.patch,
        patch([put("a.x", json!(5)), put("a.z.p", json!(1)), push("b", json!(2))])
    );
    let blocked = |at: &str, access, from: Option<Value>, to: Option<Value>| Blocked {
        path: path(at),
        access,
        from: from.map(data),
        to: to.map(data),
        reason: format!("no grant allows to {access} it"),
    };
    assert_eq!(
        filtered.blocked,
        [
            blocked("a.y", Access::Delete, Some(json!(2)), None),
            blocked("a.z.q", Access::Add, None, Some(json!(2))),
            blocked("b[0]", Access::Delete, Some(json!(1)), None),
            blocked("c", Access::Add, None, Some(json!("new"))),
        ]
    );
    assert_eq!(
        serde_json::to_value(&filtered.blocked[0]).unwrap(),
        json!({"path": ["a", "y"], "access": "delete", "from": 2, "reason": "no grant allows to delete it"})
    );
}

#[test]
fn an_operation_that_does_not_fit_is_blocked_by_a_filter_and_refused_by_a_check() {
    let payload = data(json!({"a": 1}));
    let change = patch([push("a", json!(2)), put("b", json!(3))]);
    let filtered = Grants::all().filter(&payload, &change);
    assert_eq!(filtered.payload, json!({"a": 1, "b": 3}));
    let [blocked] = filtered.blocked.as_slice() else { panic!("{:?}", filtered.blocked) };
    assert_eq!(
        (blocked.path.to_string(), blocked.reason.as_str()),
        ("a".to_owned(), "expected a list, found int")
    );
    let error = Grants::all().check(&payload, &change).unwrap_err();
    assert_eq!(error.to_string(), "payload/push a: expected a list, found int");
}

#[test]
fn a_check_names_the_first_refused_operation() {
    let change = patch([put("a", json!(1)), put("a", json!(2)), put("b", json!(3))]);
    let error = grants(&["a:add"]).check(&data(json!({})), &change).unwrap_err();
    let CheckError::Denied(denied) = error else { panic!("{error}") };
    assert_eq!((denied.at, denied.op, denied.path), (1, "payload/put", path("a")));
    assert_eq!(denied.blocked.access, Access::Update);
}

/// Admission knows the path of an operation, but neither the payload nor the value.
#[test]
fn literal_paths_are_judged_without_a_payload() {
    let writes = grants(&["order.items[*].price:update", "errors:add", "temp:delete"]);
    for (op, at, may) in [
        ("payload/put", "order", true),
        ("payload/put", "order.items[3].price", true),
        ("payload/put", "order.items[3].name", false),
        ("payload/put", "other", false),
        ("payload/merge", "", true),
        ("payload/push", "errors", true),
        ("payload/push", "order.items", false),
        ("payload/delete", "temp.x", true),
        ("payload/delete", "errors", false),
        ("payload/delete", "order", false),
    ] {
        assert_eq!(writes.may_allow(op, &path(at)), may, "{op} {at}");
    }
}

#[test]
fn malformed_grants_are_refused() {
    for (text, message) in [
        ("a:ad", "the grant `a:ad`: expected `add`, `update` or `delete` behind `:`, found `ad`"),
        ("a:", "the grant `a:`: expected `add`, `update` or `delete` behind `:`, found ``"),
        ("", "the grant ``: expected a pattern, or `*` for everything, found an empty text"),
        (
            "a..b",
            "the grant `a..b`: expected a key at character 3 of the path \"a..b\", found \".b\"",
        ),
    ] {
        assert_eq!(Grants::parse([text]).unwrap_err().to_string(), message);
    }
    let long = vec!["a"; 127].join(".");
    let error = Grants::parse([&long]).unwrap_err().to_string();
    assert!(error.ends_with("expected a pattern of at most 126 steps, found 127 steps"), "{error}");
    // A colon in quotes is part of the key.
    assert!(grants(&[r#"["a:b"]"#]).allows(Access::Add, &path(r#"["a:b"]"#)));
    assert!(!grants(&[r#"["a:b"]:add"#]).allows(Access::Delete, &path(r#"["a:b"]"#)));
}

/// The agents of a refinement loop write their own templates and never the inputs of the run.
#[test]
fn k12_inputs_of_the_run_are_not_written() {
    let writes =
        grants(&["pruned_template", "filled_template", "enriched_template", "refinement_feedback"]);
    let mut payload = data(json!({"template": "T", "reviewed_summary": "S"}));
    for pass in 0..5 {
        let change = patch([
            put("template", json!(format!("changed in pass {pass}"))),
            put("reviewed_summary", json!("changed")),
            put("pruned_template", json!(format!("pruned {pass}"))),
        ]);
        let filtered = writes.filter(&payload, &change);
        assert_eq!(filtered.blocked.len(), 2);
        payload = filtered.payload;
    }
    assert_eq!(
        payload,
        json!({"template": "T", "reviewed_summary": "S", "pruned_template": "pruned 4"})
    );
}

#[test]
fn k13_own_keys_are_overwritten_each_pass() {
    let writes = grants(&["pruned_template", "filled_template", "enriched_template"]);
    let mut payload = data(json!({"template": "T"}));
    for pass in [1, 2] {
        for key in ["pruned_template", "filled_template", "enriched_template"] {
            let change = patch([put(key, json!(format!("{key} {pass}")))]);
            writes.check(&payload, &change).unwrap();
            payload = change.apply(&payload).unwrap();
        }
    }
    let expected = json!({
        "template": "T", "pruned_template": "pruned_template 2", "filled_template": "filled_template 2",
        "enriched_template": "enriched_template 2",
    });
    assert_eq!(payload, expected);
}

#[test]
fn k14_an_optional_key_is_absent_until_it_is_written() {
    let reads = grants(&["template", "refinement_feedback"]);
    let first = data(json!({"template": "T", "secret": 1}));
    assert_eq!(reads.read(&first), json!({"template": "T"}));
    let second = patch([put("refinement_feedback", json!("shorter"))]).apply(&first).unwrap();
    assert_eq!(reads.read(&second), json!({"template": "T", "refinement_feedback": "shorter"}));
}
