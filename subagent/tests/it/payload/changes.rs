//! Diffs, suspicious changes and change requests.

use ptc_subagent::payload::{
    Access, ChangeKind, ChangeRequest, Counts, Diff, Grants, Severity, Suspicion, SuspicionKind,
    suspicions,
};
use serde_json::{Value, json};

use super::{data, delete, grants, patch, path, push, put, sorted};

fn diff(before: &Value, after: &Value) -> Diff {
    Diff::between(&data(before.clone()), &data(after.clone()))
}

#[test]
fn m89_a_diff_is_readable() {
    let before = json!({
        "name": "Ada", "age": 30, "items": [{"id": 1}], "gone": {"a": 1, "b": 2}, "note": "x".repeat(120),
    });
    let after = json!({
        "name": "Ada", "age": 31, "items": [{"id": 1}, {"id": 2}], "address": {"city": "London"}, "note": "",
        "list": [1, 2],
    });
    let x = "x".repeat(100);
    assert_eq!(
        diff(&before, &after).to_string(),
        format!(
            "\
=== Deep Diff Summary ===
7 changes: 3 added, 1 removed, 3 modified

=== Changes ===
Added
  address: Added Object{{1 key}}
  items[1]: Added Object{{1 key}}
  list: Added Array[2 items]
Removed
  gone: Removed Object{{2 keys}}
Modified
  age: Changed from 30 to 31
  items: Array length changed from 1 to 2
  note: Changed from \"{x}\"… (120 characters) to \"\"
"
        )
    );
    assert_eq!(
        diff(&json!(1), &json!([])).to_string(),
        "=== Deep Diff Summary ===\n1 change: 0 added, 0 removed, 1 modified\n\n=== Changes ===\nModified\n  \
         (payload): Changed from 1 to Array[0 items]\n"
    );
    assert_eq!(diff(&after, &after).to_string(), "=== Deep Diff Summary ===\nNo changes\n");
    let many: Vec<u32> = (0..150).collect();
    let text = diff(&json!([]), &json!(many)).to_string();
    assert!(
        text.contains("151 changes: 150 added") && text.contains("  … and 50 more\n"),
        "{text}"
    );
}

#[test]
fn a_diff_of_lists_finds_the_items_in_the_middle() {
    let found = diff(&json!([1, 2, 3, 4, 5]), &json!([1, 9, 5]));
    let expected = patch([put("[1]", json!(9)), delete("[3]"), delete("[2]")]);
    assert_eq!(sorted(&found.patch()), sorted(&expected));
    let kinds: Vec<(ChangeKind, String)> =
        found.changes().iter().map(|it| (it.kind(), it.path.to_string())).collect();
    assert_eq!(kinds.len(), 3);
    assert!(kinds.contains(&(ChangeKind::Modified, "[1]".to_owned())), "{kinds:?}");
    assert_eq!(diff(&json!(["a", "b", "c"]), &json!(["b", "c"])).patch(), patch([delete("[0]")]));
    assert_eq!(
        diff(&json!({"l": [1]}), &json!({"l": [1, 2, 3]})).patch(),
        patch([push("l", json!(2)), push("l", json!(3))])
    );
    // A number of another kind is another value, and a key with nil is not an absent one.
    assert_eq!(diff(&json!({"n": 1}), &json!({"n": 1.0})).patch(), patch([put("n", json!(1.0))]));
    assert_eq!(diff(&json!({"n": null}), &json!({})).patch(), patch([delete("n")]));
    assert_eq!(
        serde_json::to_value(diff(&json!({"a": 1}), &json!({"b": null})).changes()).unwrap(),
        json!([{"path": ["a"], "from": 1}, {"path": ["b"], "to": null}])
    );
}

fn suspicion(at: &str, kind: SuspicionKind, severity: Severity, message: &str) -> Suspicion {
    Suspicion { path: path(at), kind, severity, message: message.to_owned() }
}

fn suspects(before: Value, after: Value) -> Vec<Suspicion> {
    suspicions(&data(before), &data(after))
}

#[test]
fn m85_content_truncation() {
    let text = |length: usize| json!({"a": {"report": "é".repeat(length)}});
    let found = |message: &str, severity| {
        vec![suspicion("a.report", SuspicionKind::ContentTruncation, severity, message)]
    };
    for (from, to, expected) in [
        (200, 50, found("Content reduced by 75.0% (from 200 to 50 characters)", Severity::High)),
        (200, 60, vec![]),
        (200, 59, found("Content reduced by 70.5% (from 200 to 59 characters)", Severity::High)),
        (200, 20, found("Content reduced by 90.0% (from 200 to 20 characters)", Severity::High)),
        (
            200,
            19,
            found("Content reduced by 90.5% (from 200 to 19 characters)", Severity::Critical),
        ),
        (300, 1, found("Content reduced by 99.7% (from 300 to 1 characters)", Severity::Critical)),
        (99, 1, vec![]),
        (50, 200, vec![]),
    ] {
        assert_eq!(suspects(text(from), text(to)), expected, "{from} to {to}");
    }
}

#[test]
fn m86_removal_of_keys_that_are_not_empty() {
    let map = |keys: &[&str], value: Value| -> Value {
        keys.iter()
            .map(|key| (key.to_string(), value.clone()))
            .collect::<serde_json::Map<_, _>>()
            .into()
    };
    let all = ["a", "b", "c", "d"];
    let removed = |message: &str, severity| {
        vec![suspicion("m", SuspicionKind::KeyRemoval, severity, message)]
    };
    for (before, after, expected) in [
        (map(&all, json!(1)), map(&all[..2], json!(1)), vec![]),
        (
            map(&all, json!(1)),
            map(&all[..1], json!(1)),
            removed("Removed 3 of 4 keys: b, c, d", Severity::High),
        ),
        (
            map(&all, json!(1)),
            map(&[], json!(1)),
            removed("Removed 4 of 4 keys: a, b, c, d", Severity::Critical),
        ),
        (map(&all, json!("")), map(&[], json!(1)), vec![]),
        (map(&all, json!(null)), map(&[], json!(1)), vec![]),
    ] {
        assert_eq!(suspects(json!({"m": before}), json!({"m": after})), expected);
    }
    // One key of four, with a long value.
    for (length, expected) in [
        (40, vec![]),
        (
            60,
            vec![suspicion(
                "m.a",
                SuspicionKind::KeyRemoval,
                Severity::Medium,
                "Removed a value of 62 characters",
            )],
        ),
        (
            600,
            vec![suspicion(
                "m.a",
                SuspicionKind::KeyRemoval,
                Severity::High,
                "Removed a value of 602 characters",
            )],
        ),
    ] {
        let before = json!({"m": {"a": "x".repeat(length), "b": 1, "c": 1, "d": 1}});
        assert_eq!(suspects(before, json!({"m": {"b": 1, "c": 1, "d": 1}})), expected);
    }
}

#[test]
fn m87_a_container_becomes_a_scalar() {
    for (before, after, message) in [
        (json!({"x": 1}), json!("done"), Some("Type changed from map to string")),
        (json!([1]), json!(1), Some("Type changed from list to int")),
        (json!([1]), json!(true), Some("Type changed from list to bool")),
        (json!([1]), json!({"x": 1}), None),
        (json!("done"), json!([1]), None),
        (json!([1]), json!(null), None),
    ] {
        let expected: Vec<Suspicion> = message
            .map(|message| suspicion("a", SuspicionKind::TypeChange, Severity::High, message))
            .into_iter()
            .collect();
        assert_eq!(suspects(json!({"a": before}), json!({"a": after})), expected);
    }
}

#[test]
fn m88_placeholders() {
    let long = "a".repeat(60);
    for (to, flagged) in [
        ("TODO: write it", true),
        ("todo: x", true),
        ("TBD", true),
        ("[the text of before]", true),
        ("<unchanged>", true),
        ("a short text", false),
        ("To be decided", false),
        ("", false),
    ] {
        // In a list as in a map.
        let expected: Vec<Suspicion> = flagged
            .then(|| {
                let message = format!("A text of 60 characters became the placeholder `{to}`");
                suspicion("l[0]", SuspicionKind::PlaceholderReplacement, Severity::Medium, &message)
            })
            .into_iter()
            .collect();
        assert_eq!(suspects(json!({"l": [long]}), json!({"l": [to]})), expected, "{to}");
    }
    assert_eq!(suspects(json!({"l": "short"}), json!({"l": "TBD"})), []);
    assert_eq!(suspects(json!({"l": format!("[{long}]")}), json!({"l": "TBD"})), []);
}

#[test]
fn other_patterns_of_lost_content() {
    let long = "word ".repeat(30);
    let cut = |sign: &str| {
        let message = format!("The text now has the sign of a cut `{sign}`");
        suspicion("t", SuspicionKind::PatternAnomaly, Severity::Medium, &message)
    };
    for (to, expected) in [
        (format!("{long}..."), vec![cut("...")]),
        (format!("{long}…  "), vec![cut("…")]),
        (format!("{long}[Truncated] end"), vec![cut("[truncated]")]),
        (format!("{long}, etc."), vec![cut("etc.")]),
        (format!("{long} and more of it"), vec![cut("and more")]),
        (format!("{long} the end."), vec![]),
    ] {
        assert_eq!(suspects(json!({"t": long}), json!({"t": to})), expected, "{to}");
    }
    let items = |count: usize| json!({"l": vec![1; count]});
    let shrunk = |message: &str, severity| {
        vec![suspicion("l", SuspicionKind::PatternAnomaly, severity, message)]
    };
    assert_eq!(suspects(items(10), items(5)), []);
    assert_eq!(
        suspects(items(10), items(4)),
        shrunk("The list shrank from 10 to 4 items", Severity::Medium)
    );
    assert_eq!(
        suspects(items(10), items(1)),
        shrunk("The list shrank from 10 to 1 items", Severity::High)
    );
    let six = json!({"a": 1, "b": 1, "c": 1, "d": 1, "e": 1, "f": 1});
    let message = "The payload lost 2 of 6 keys, as if only a part was returned: e, f";
    assert_eq!(
        suspects(six.clone(), json!({"a": 1, "b": 1, "c": 1, "d": 1})),
        [suspicion("", SuspicionKind::PartialStateReturn, Severity::High, message)]
    );
    assert_eq!(suspects(six, json!({"a": 1, "b": 1, "c": 1, "d": 1, "e": 1})), []);
}

#[test]
fn m84_a_change_request_has_a_whole_result() {
    let before = json!({"report": "x".repeat(200), "status": "new", "items": [1]});
    let request = json!({
        "updateElements": {"report": "x".repeat(50), "status": "done"},
        "newElements": {"items": [2], "score": 1},
        "reasoning": "because",
    });
    let request = ChangeRequest::from_data(&data(request)).unwrap();
    assert_eq!(request.reasoning(), Some("because"));
    let result = request.apply(&data(before.clone()), &grants(&["report", "items", "score"]));
    assert_eq!(
        result.payload,
        json!({"report": "x".repeat(50), "status": "new", "items": [1, 2], "score": 1})
    );
    assert_eq!(result.applied, Counts { additions: 2, updates: 1, deletions: 0 });
    assert_eq!(result.warnings, Vec::<String>::new());
    let [blocked] = result.blocked.as_slice() else { panic!("{:?}", result.blocked) };
    assert_eq!((blocked.path.clone(), blocked.access), (path("status"), Access::Update));
    assert_eq!(
        (blocked.from.clone(), blocked.to.clone()),
        (Some(data(json!("new"))), Some(data(json!("done"))))
    );
    assert!(result.requires_feedback());
    assert_eq!(result.diff(&data(before.clone())).changes().len(), 3);
    assert_eq!(
        result.notes(),
        [
            "Blocked: update status: no grant allows to update it",
            "[high] report: Content reduced by 75.0% (from 200 to 50 characters)",
        ]
    );
    // The patch alone makes the result.
    assert_eq!(result.patch.apply(&data(before)).unwrap(), result.payload);
}

/// A row: the payload, the request, the result, the numbers of additions, updates and deletions, and the warnings.
type Row = (Value, Value, Value, [usize; 3], &'static [&'static str]);

fn rows() -> Vec<Row> {
    vec![
        // Objects.
        (
            json!({"a": 1}),
            json!({"newElements": {"b": 2}}),
            json!({"a": 1, "b": 2}),
            [1, 0, 0],
            &[],
        ),
        (json!(null), json!({"newElements": {"b": 2}}), json!({"b": 2}), [1, 0, 0], &[]),
        (json!({"a": 1}), json!({"updateElements": {"a": 2}}), json!({"a": 2}), [0, 1, 0], &[]),
        (
            json!({"a": 1}),
            json!({"removeElements": {"a": "__DELETE__"}}),
            json!({}),
            [0, 0, 1],
            &[],
        ),
        (
            json!({"a": 1}),
            json!({"removeElements": {"a": "_DELETE_"}}),
            json!({"a": 1}),
            [0, 0, 0],
            &[],
        ),
        (
            json!({"a": 1}),
            json!({"updateElements": {"a": "__DELETE__"}}),
            json!({}),
            [0, 0, 1],
            &[],
        ),
        (
            json!({"a": 1}),
            json!({"updateElements": {"z": "__DELETE__"}}),
            json!({"a": 1}),
            [0, 0, 0],
            &[],
        ),
        (
            json!({"a": 1}),
            json!({"removeElements": {"z": "__DELETE__"}}),
            json!({"a": 1}),
            [0, 0, 0],
            &[],
        ),
        (
            json!({"a": 1}),
            json!({"updateElements": {"a": null}}),
            json!({"a": null}),
            [0, 1, 0],
            &[],
        ),
        (
            json!({"a": 1}),
            json!({"newElements": {"a": 2}}),
            json!({"a": 2}),
            [0, 1, 0],
            &["Auto-corrected: newElements of a treated as an update"],
        ),
        (
            json!({"a": 1}),
            json!({"updateElements": {"b": {"c": 2}}}),
            json!({"a": 1, "b": {"c": 2}}),
            [1, 0, 0],
            &["Auto-corrected: updateElements of b treated as an addition"],
        ),
        (
            json!({"o": {"a": 1, "b": 2}}),
            json!({"updateElements": {"o": {"a": 9}}, "newElements": {"o": {"c": 3}}, "removeElements": {"o": {"b": "__DELETE__"}}}),
            json!({"o": {"a": 9, "c": 3}}),
            [1, 1, 1],
            &[],
        ),
        (
            json!({"o": {"a": 1, "b": 2}}),
            json!({"replaceElements": {"o": {"a": 9}}}),
            json!({"o": {"a": 9}}),
            [1, 0, 1],
            &[],
        ),
        (
            json!({}),
            json!({"replaceElements": {"o": {"a": 9}}}),
            json!({"o": {"a": 9}}),
            [1, 0, 0],
            &[],
        ),
        (
            json!({"k": {"a": 1}}),
            json!({"removeElements": {"k": "__DELETE__"}, "newElements": {"k": {"b": 2}}}),
            json!({"k": {"b": 2}}),
            [1, 0, 1],
            &[],
        ),
        (
            json!({"o": {"a": 1}}),
            json!({"updateElements": {"o": 5}}),
            json!({"o": 5}),
            [0, 1, 0],
            &[],
        ),
        (
            json!({"o": {"a": {"b": {"c": 1}}}}),
            json!({"updateElements": {"o": {"a": {"b": {"c": 2}}}}}),
            json!({"o": {"a": {"b": {"c": 2}}}}),
            [0, 1, 0],
            &[],
        ),
        // Lists.
        (
            json!({"l": [{"id": 1, "v": 1}, {"id": 2, "v": 2}]}),
            json!({"updateElements": {"l": [{}, {"v": 9}]}}),
            json!({"l": [{"id": 1, "v": 1}, {"id": 2, "v": 9}]}),
            [0, 1, 0],
            &[],
        ),
        (
            json!({"l": ["a", "b"]}),
            json!({"newElements": {"l": ["c"]}}),
            json!({"l": ["a", "b", "c"]}),
            [1, 0, 0],
            &[],
        ),
        (
            json!({"l": []}),
            json!({"updateElements": {"l": ["x", "y"]}}),
            json!({"l": ["x", "y"]}),
            [2, 0, 0],
            &[],
        ),
        (
            json!({"l": ["a", "b", "c"]}),
            json!({"removeElements": {"l": [{}, "__DELETE__", {}]}}),
            json!({"l": ["a", "c"]}),
            [0, 0, 1],
            &[],
        ),
        (
            json!({"l": [1, 2, 3]}),
            json!({"updateElements": {"l": [null, 5]}}),
            json!({"l": [null, 5, 3]}),
            [0, 2, 0],
            &[],
        ),
        (
            json!({"l": [1, 2, 3]}),
            json!({"replaceElements": {"l": [9]}}),
            json!({"l": [9]}),
            [1, 0, 1],
            &[],
        ),
        (
            json!({"l": [1, 2, 3]}),
            json!({"updateElements": {"l": ["__DELETE__", {}, "__DELETE__"]}, "newElements": {"l": [{}, 4, "__DELETE__"]}}),
            json!({"l": [2, 4]}),
            [1, 0, 2],
            &[],
        ),
        (
            json!({"l": [{"t": {"a": 1, "b": 2}}, {"t": {"a": 3}}]}),
            json!({"removeElements": {"l": [{"t": {"a": "__DELETE__"}}, "__DELETE__"]}}),
            json!({"l": [{"t": {"b": 2}}]}),
            [0, 0, 2],
            &[],
        ),
        (
            json!([1, 2]),
            json!({"newElements": [3], "updateElements": [{}, 9]}),
            json!([1, 9, 3]),
            [1, 1, 0],
            &[],
        ),
        (json!([1, 2]), json!({"replaceElements": [3]}), json!([3]), [1, 0, 1], &[]),
        // Markers are never data.
        (
            json!({}),
            json!({"newElements": {"a": {"b": "__DELETE__", "c": [1, "__DELETE__", {"d": 2}]}}}),
            json!({"a": {"c": [1, {"d": 2}]}}),
            [1, 0, 0],
            &[],
        ),
        // Stray keys.
        (
            json!({"a": 1}),
            json!({"a": 2, "b": 3, "_x": 4, "$y": 5, "reasoning": "r"}),
            json!({"a": 2, "b": 3}),
            [1, 1, 0],
            &["Moved \"a\" into updateElements", "Moved \"b\" into newElements"],
        ),
        (
            json!({"o": {"p": 1}}),
            json!({"o": {"p": 2, "q": 3}, "updateElements": {"o": {"p": 9}}}),
            json!({"o": {"p": 9, "q": 3}}),
            [1, 1, 0],
            &[
                "Moved \"o\" into updateElements",
                "Auto-corrected: updateElements of o.q treated as an addition",
            ],
        ),
        // Malformed parts.
        (
            json!({"a": 1}),
            json!({"newElements": "b", "updateElements": [1], "removeElements": null}),
            json!({"a": 1}),
            [0, 0, 0],
            &[
                "Left out newElements: expected a map, found string",
                "Left out updateElements: expected a map, as the payload is",
            ],
        ),
    ]
}

#[test]
fn m96_change_requests_are_read_into_patches() {
    for (before, request, after, counts, warnings) in rows() {
        let shown = format!("{before} {request}");
        let request = ChangeRequest::from_data(&data(request)).unwrap();
        let requested = request.read(&data(before.clone()));
        assert_eq!(requested.patch.apply(&data(before.clone())).unwrap(), after, "{shown}");
        assert_eq!(requested.warnings, warnings, "{shown}");
        let result = request.apply(&data(before.clone()), &Grants::all());
        assert_eq!(result.payload, after, "{shown}");
        let Counts { additions, updates, deletions } = result.applied;
        assert_eq!([additions, updates, deletions], counts, "{shown}");
        assert_eq!(
            (result.warnings.as_slice(), result.blocked.len()),
            (requested.warnings.as_slice(), 0)
        );
        // Without grants nothing changes, and nothing counts.
        let result = request.apply(&data(before.clone()), &Grants::none());
        assert_eq!(result.payload, before, "{shown}");
        assert_eq!(result.applied, Counts::default(), "{shown}");
    }
    assert_eq!(
        ChangeRequest::from_data(&data(json!([]))).unwrap_err().to_string(),
        "expected a change request as a map, found list"
    );
}

/// A deletion needs its grant, however it is spelled.
#[test]
fn d13_a_deletion_in_an_update_needs_the_grant() {
    let before = data(json!({"a": 1, "l": [1, 2]}));
    let request = json!({"updateElements": {"a": "__DELETE__", "l": ["__DELETE__"]}});
    let request = ChangeRequest::from_data(&data(request)).unwrap();
    let result = request.apply(&before, &grants(&["*:add,update"]));
    assert_eq!(result.payload, before);
    let blocked: Vec<_> =
        result.blocked.iter().map(|it| (it.path.to_string(), it.access)).collect();
    assert_eq!(blocked, [("a".to_owned(), Access::Delete), ("l[0]".to_owned(), Access::Delete)]);
}

/// The step of a run records the payload at its start and at its end, and the changes between them. All three are data.
#[test]
fn m97_the_outcome_of_a_request_is_recorded_as_data() {
    let before = data(json!({"a": 1, "b": 2}));
    let request = json!({"updateElements": {"a": 5}, "removeElements": {"b": "__DELETE__"}});
    let result = ChangeRequest::from_data(&data(request)).unwrap().apply(&before, &grants(&["a"]));
    assert_eq!(
        json!({
            "start": before, "end": result.payload, "patch": result.patch, "applied": result.applied,
            "warnings": result.warnings, "blocked": result.blocked, "suspicions": result.suspicions,
            "changes": result.diff(&before).changes(),
        }),
        json!({
            "start": {"a": 1, "b": 2}, "end": {"a": 5, "b": 2},
            "patch": [{"op": "put", "path": ["a"], "value": 5}],
            "applied": {"additions": 0, "updates": 1, "deletions": 0},
            "warnings": [],
            "blocked": [{"path": ["b"], "access": "delete", "from": 2, "reason": "no grant allows to delete it"}],
            "suspicions": [],
            "changes": [{"path": ["a"], "from": 1, "to": 5}],
        })
    );
}
