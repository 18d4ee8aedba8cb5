//! Views of sub-agents, and merging.

use ptc_subagent::payload::{
    Access, Blocked, Filtered, Grants, JoinError, Patch, Scope, View, join, merge,
};
use serde_json::{Value, json};

use super::{data, delete, grants, merge_in, patch, path, push, put, sorted};

fn view(payload: &Value, reads: &[&str], scope: &str) -> View {
    View::new(&data(payload.clone()), &grants(reads), &scope.parse().unwrap()).unwrap()
}

/// Merges the end of a sub-agent that may write everything.
fn merged(view: &View, end: Value) -> Filtered {
    merge(view, &data(end), &Grants::all())
}

#[test]
fn m61_a_scope_is_the_whole_payload_of_a_sub_agent() {
    let payload = json!({"functionalRequirements": {"scope": ["fast"]}, "other": 1});
    for scope in ["/functionalRequirements", "functionalRequirements"] {
        let view = view(&payload, &["*"], scope);
        assert_eq!(*view.payload(), json!({"scope": ["fast"]}));
        assert_eq!(*view.base(), path("functionalRequirements"));
    }
    assert_eq!(*view(&payload, &["*"], "/functionalRequirements/scope/0").payload(), json!("fast"));
    assert_eq!(*view(&payload, &["*"], "/").payload(), payload);
    assert_eq!(*view(&payload, &["*"], "").payload(), payload);
}

#[test]
fn m62_changes_go_back_under_the_scope() {
    let payload = json!({"a": {"b": {"x": 1, "list": [1]}, "sibling": true}, "other": [1]});
    let view = view(&payload, &["*"], "/a/b");
    let end = json!({"x": 2, "list": [1, 2], "analysis": {"deep": true}});
    let merged = merged(&view, end);
    assert_eq!(
        merged.payload.to_string(),
        r#"{"a":{"b":{"x":2,"list":[1,2],"analysis":{"deep":true}},"sibling":true},"other":[1]}"#
    );
    let expected = patch([
        push("a.b.list", json!(2)),
        put("a.b.x", json!(2)),
        put("a.b.analysis", json!({"deep": true})),
    ]);
    assert_eq!(sorted(&merged.patch), sorted(&expected));
    assert_eq!(merged.blocked, []);
}

#[test]
fn m63_the_own_writes_of_a_sub_agent_are_relative_to_its_scope() {
    let view = view(&json!({"requirements": {"text": "x"}}), &["*"], "/requirements");
    let own = grants(&["analysis"]);
    assert!(own.check(view.payload(), &patch([put("analysis", json!(1))])).is_ok());
    assert!(own.check(view.payload(), &patch([put("text", json!("y"))])).is_err());
    // The caller's grants have the caller's paths.
    let end = data(json!({"text": "x", "analysis": 1}));
    let caller = grants(&["requirements.analysis"]);
    assert_eq!(
        merge(&view, &end, &caller).payload,
        json!({"requirements": {"text": "x", "analysis": 1}})
    );
    assert_eq!(merge(&view, &end, &own).payload, json!({"requirements": {"text": "x"}}));
}

#[test]
fn m64_a_missing_scope_is_an_error() {
    let payload = data(json!({"a": {"b": null}, "hidden": {"c": 1}, "list": [1]}));
    let reads = grants(&["a", "list"]);
    for (scope, message) in [
        ("/x", "the scope /x: expected a value, found nothing at x"),
        ("/a/x/y", "the scope /a/x/y: expected a value, found nothing at a.x"),
        ("/a/b", "the scope /a/b: expected a value, found nil at a.b"),
        ("list[1]", "the scope list[1]: expected a value, found nothing at list[1]"),
        // The sub-agent may not read it.
        ("/hidden/c", "the scope /hidden/c: expected a value, found nothing at hidden"),
    ] {
        let scope: Scope = scope.parse().unwrap();
        assert_eq!(View::new(&payload, &reads, &scope).unwrap_err().to_string(), message);
    }
}

/// Another system erases `kept` here, since the sub-agent's payload does not have it.
#[test]
fn d14_a_merge_keeps_unseen_parts() {
    let payload =
        json!({"order": {"id": 1, "total": 9}, "analysis": {"kept": true}, "errors": ["old"]});
    let view = view(&payload, &["order.id"], "");
    assert_eq!(*view.payload(), json!({"order": {"id": 1}}));
    let writes = grants(&["analysis.score", "errors:add"]);
    let end = data(json!({"analysis": {"score": 5}, "errors": ["new"]}));
    let merged = merge(&view, &end, &writes);
    assert_eq!(
        merged.payload,
        json!({"order": {"id": 1, "total": 9}, "analysis": {"kept": true, "score": 5}, "errors": ["old", "new"]})
    );
    let [blocked] = merged.blocked.as_slice() else { panic!("{:?}", merged.blocked) };
    // Of `order`, the sub-agent saw and deleted `id` alone.
    assert_eq!((blocked.path.to_string(), blocked.access), ("order.id".to_owned(), Access::Delete));
}

#[test]
fn values_with_unseen_parts_are_neither_removed_nor_replaced() {
    let payload = json!({"a": {"seen": 1, "unseen": 2}, "items": [{"p": 1, "q": 2}, {"p": 3, "q": 4}], "z": {"q": 1}});
    let view = view(&payload, &["a.seen", "items[*].p"], "");
    assert_eq!(*view.payload(), json!({"a": {"seen": 1}, "items": [{"p": 1}, {"p": 3}]}));
    let unseen = |at: &str, access, from: Value, to: Option<Value>| Blocked {
        path: path(at),
        access,
        from: Some(data(from)),
        to: to.map(data),
        reason: "it has parts that the sub-agent cannot see".to_owned(),
    };
    for (end, expected, blocked) in [
        // Removed: what was seen goes, the rest stays.
        (
            json!({"items": [{"p": 1}, {"p": 3}]}),
            json!({"a": {"unseen": 2}, "items": [{"p": 1, "q": 2}, {"p": 3, "q": 4}], "z": {"q": 1}}),
            vec![],
        ),
        // Replaced by another kind.
        (
            json!({"a": 5, "items": [{"p": 1}, {"p": 3}], "z": 5}),
            payload.clone(),
            vec![
                unseen("a", Access::Update, json!({"seen": 1}), Some(json!(5))),
                unseen("z", Access::Update, json!({"q": 1}), Some(json!(5))),
            ],
        ),
        // A list of partly seen items may change and grow.
        (
            json!({"a": {"seen": 1}, "items": [{"p": 1}, {"p": 30}, {"p": 5}]}),
            json!({"a": {"seen": 1, "unseen": 2}, "items": [{"p": 1, "q": 2}, {"p": 30, "q": 4}, {"p": 5}], "z": {"q": 1}}),
            vec![],
        ),
        // It may not shrink: nobody knows which item is gone.
        (
            json!({"a": {"seen": 1}, "items": [{"p": 3}]}),
            payload,
            vec![unseen("items", Access::Delete, json!([{"p": 1}, {"p": 3}]), None)],
        ),
    ] {
        let merged = merged(&view, end.clone());
        assert_eq!(merged.payload, expected, "{end}");
        assert_eq!(merged.blocked, blocked, "{end}");
    }
}

#[test]
fn places_of_unseen_items_are_kept() {
    let payload = json!({"items": ["a", "b", "c"], "other": [{"x": 1}, {"y": 2}]});
    let view = view(&payload, &["items[1]", "other[*].y"], "");
    assert_eq!(*view.payload(), json!({"items": [null, "b"], "other": [null, {"y": 2}]}));
    let end = json!({"items": [null, "B", "d"], "other": [{"x": 5}, {"y": 3}]});
    let merged = merged(&view, end);
    assert_eq!(
        merged.payload,
        json!({"items": ["a", "B", "c", "d"], "other": [{"x": 5}, {"y": 3}]})
    );
    assert_eq!(merged.blocked, []);
}

#[test]
fn branches_are_merged_in_the_order_of_the_program() {
    let fork = data(json!({"list": [0], "a": {"x": 1}, "none": null}));
    let joined = join(
        &fork,
        &[
            patch([
                push("list", json!(1)),
                put("a.y", json!(2)),
                put("new.p", json!(1)),
                push("log", json!("one")),
            ]),
            patch([]),
            patch([
                push("list", json!(2)),
                put("list[0]", json!("changed")),
                delete("a.x"),
                push("log", json!("two")),
            ]),
            patch([
                merge_in("new", json!({"q": 2})),
                put("none.z", json!(3)),
                push("list", json!(3)),
                delete("list[2]"),
            ]),
        ],
    );
    // The last branch pushed an item and deleted the one at index 2, which does not exist in its list of two.
    let joined = joined.unwrap();
    assert_eq!(
        joined.payload,
        json!({
            "list": ["changed", 1, 2, 3], "a": {"y": 2}, "none": {"z": 3}, "new": {"p": 1, "q": 2},
            "log": ["one", "two"],
        })
    );
    assert_eq!(joined.patch.apply(&fork).unwrap(), joined.payload);
}

/// The branches, and the message of the conflict; none if they merge.
#[test]
fn branches_that_set_one_path_differently_are_in_conflict() {
    let fork = data(json!({"a": {"x": 1}, "list": [1, 2], "none": null}));
    for (one, other, message) in [
        (put("a.x", json!(2)), put("a.x", json!(3)), Some("branches 0 and 1 set a.x differently")),
        // One of them sets the value that it has.
        (put("a.x", json!(1)), put("a.x", json!(3)), Some("branches 0 and 1 set a.x differently")),
        (put("a.x", json!(2)), put("a.x", json!(2)), None),
        (
            put("a.x", json!(2)),
            put("a.x", json!(2.0)),
            Some("branches 0 and 1 set a.x differently"),
        ),
        (delete("a.x"), delete("a.x"), None),
        (delete("a.x"), put("a.x", json!(2)), Some("branches 0 and 1 set a.x differently")),
        (
            put("a", json!({})),
            put("a.y", json!(2)),
            Some("branch 0 changes a, branch 1 changes a.y"),
        ),
        (
            put("a.y", json!(2)),
            put("a", json!({})),
            Some("branch 0 changes a.y, branch 1 changes a"),
        ),
        (
            put("", json!({})),
            put("a.y", json!(2)),
            Some("branch 0 changes the payload, branch 1 changes a.y"),
        ),
        (merge_in("a", json!({"x": 2, "y": 1})), merge_in("a", json!({"z": 1})), None),
        (
            merge_in("a", json!({"x": 2, "y": 1})),
            put("a.y", json!(2)),
            Some("branches 0 and 1 set a.y differently"),
        ),
        (
            push("list", json!(3)),
            put("list", json!([])),
            Some("branches 0 and 1 set list differently"),
        ),
        (put("list[2]", json!(3)), push("list", json!(4)), None),
        (push("list", json!(3)), put("list[0]", json!(4)), None),
        (put("list[0]", json!(4)), push("list", json!(3)), None),
        (put("list[0]", json!(4)), put("list[1]", json!(3)), None),
        (delete("list[0]"), push("list", json!(3)), Some("branches 0 and 1 set list differently")),
        (
            delete("list[0]"),
            put("list[1]", json!(3)),
            Some("branch 0 changes list, branch 1 changes list[1]"),
        ),
        (delete("list[0]"), delete("list[0]"), None),
        (
            push("none", json!(1)),
            put("none.x", json!(2)),
            Some("branch 0 changes none, branch 1 changes none.x"),
        ),
        (
            put("none.x", json!(2)),
            push("none", json!(1)),
            Some("branch 0 changes none.x, branch 1 changes none"),
        ),
        (push("none", json!(1)), push("none", json!(2)), None),
        (put("none[0].x", json!(1)), put("none[0].y", json!(2)), None),
    ] {
        let found = join(&fork, &[patch([one.clone()]), patch([other.clone()])]);
        let found = found.err().map(|error| error.to_string());
        assert_eq!(found.as_deref(), message, "{one} {other}");
    }
}

#[test]
fn what_a_branch_makes_and_removes_again() {
    let fork = data(json!({}));
    for ops in [
        vec![put("a.b", json!(1)), delete("a.b")],
        vec![push("a", json!(1)), delete("a[0]")],
        vec![push("a", json!(1)), put("a[0]", json!(2)), push("a[0]", json!(3))],
        vec![put("a", json!({})), put("a.b.c", json!(1)), delete("a")],
        vec![put("a[0].b", json!(1)), put("a[0].c", json!(2)), push("a", json!(3)), delete("a[0]")],
        vec![merge_in("a.b", json!({}))],
    ] {
        let one = Patch::new(ops);
        let Ok(end) = one.apply(&fork) else {
            let error = join(&fork, &[patch([]), one]).unwrap_err();
            assert!(matches!(error, JoinError::Patch { branch: 1, .. }), "{error}");
            continue;
        };
        let joined = join(&fork, &[one.clone(), patch([put("z", json!(1))])]).unwrap();
        assert_eq!(joined.payload, patch([put("z", json!(1))]).apply(&end).unwrap(), "{one}");
    }
    // A branch that deletes what does not exist may treat it as a list and as a map.
    let both = patch([delete("a[0]"), delete("a.b")]);
    let list = patch([delete("a[0]")]);
    for branches in [[both.clone(), list.clone()], [list, both.clone()]] {
        let error = join(&fork, &branches).unwrap_err();
        assert_eq!(error.to_string(), "branches 0 and 1 set a differently");
    }
    assert_eq!(join(&fork, &[both]).unwrap().payload, json!({}));
    // Both branches delete a key, and one of them has made the map around it.
    let deleted = patch([delete("a.c")]);
    let made = patch([merge_in("a.c", json!({})), delete("a.c")]);
    for branches in [[deleted.clone(), made.clone()], [made, deleted]] {
        assert_eq!(join(&fork, &branches).unwrap().payload, json!({"a": {}}));
    }
    // A list that one branch empties again, and another fills.
    let emptied = patch([push("a", json!(1)), delete("a[0]")]);
    let filled = patch([push("a", json!(2))]);
    for branches in [[emptied.clone(), filled.clone()], [filled, emptied]] {
        assert_eq!(join(&fork, &branches).unwrap().payload, json!({"a": [2]}));
    }
}
