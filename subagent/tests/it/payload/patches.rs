//! Paths and patches.

use ptc_subagent::Data;
use ptc_subagent::payload::{Op, Patch, Path, Segment};
use serde_json::json;

use super::{data, delete, merge_in, patch, path, push, put};

#[test]
fn paths_are_read_and_printed() {
    for (text, list) in [
        ("", json!([])),
        ("a", json!(["a"])),
        ("a.b-c._d", json!(["a", "b-c", "_d"])),
        ("items[0].price", json!(["items", 0, "price"])),
        ("[2][3]", json!([2, 3])),
        ("a.0", json!(["a", "0"])),
        (r#"["a.b"].c[""]"#, json!(["a.b", "c", ""])),
        (r#"["say \"]\" \\"][1]"#, json!(["say \"]\" \\", 1])),
        (r#"["*"].x["**"]"#, json!(["*", "x", "**"])),
        ("größe.日本", json!(["größe", "日本"])),
    ] {
        let path: Path = text.parse().unwrap();
        assert_eq!(path.to_data(), list, "{text}");
        assert_eq!(path.to_string(), text);
        assert_eq!(Path::from_data(&path.to_data()).unwrap(), path);
        assert_eq!(serde_json::to_value(&path).unwrap(), list);
        assert_eq!(serde_json::from_value::<Path>(list).unwrap(), path);
    }
    // Keys that need no quotes may have them, and a space needs none in a text.
    assert_eq!(path(r#"["a"]["b"]"#).to_string(), "a.b");
    assert_eq!(path("unit price").to_string(), r#"["unit price"]"#);
}

#[test]
fn malformed_paths_are_refused() {
    let place = |text: &str| text.parse::<Path>().unwrap_err().to_string();
    let form = "`[index]`, `[*]` or `[\"key\"]`";
    for (text, message) in [
        (
            ".a",
            "expected a key, `.` or `[` at character 1 of the path \".a\", found \".a\"".to_owned(),
        ),
        ("a..b", "expected a key at character 3 of the path \"a..b\", found \".b\"".to_owned()),
        ("a.", "expected a key at character 3 of the path \"a.\", found its end".to_owned()),
        (
            "a[0]b",
            "expected a key, `.` or `[` at character 5 of the path \"a[0]b\", found \"b\""
                .to_owned(),
        ),
        ("é[x]", format!("expected {form} at character 2 of the path \"é[x]\", found \"[x]\"")),
        ("a[-1]", format!("expected {form} at character 2 of the path \"a[-1]\", found \"[-1]\"")),
        ("a[01]", format!("expected {form} at character 2 of the path \"a[01]\", found \"[01]\"")),
        (
            "a[\"b\"",
            format!(
                "expected {form} at character 2 of the path \"a[\\\"b\\\"\", found \"[\\\"b\\\"\""
            ),
        ),
        ("a.*", "expected a path without wildcards, found \"a.*\"".to_owned()),
    ] {
        assert_eq!(place(text), message);
    }
    for (list, message) in [
        (json!({}), "expected a list of keys and indexes, found map"),
        (json!(["a", 1.5]), "expected a key or an index as item 1 of the path, found float"),
        (json!([-1]), "expected an index from 0 as item 0 of the path, found -1"),
        (json!([null]), "expected a key or an index as item 0 of the path, found nil"),
    ] {
        assert_eq!(Path::from_data(&data(list)).unwrap_err().to_string(), message);
    }
}

#[test]
fn paths_have_parts() {
    let order = path("order.items[1]");
    assert_eq!(order.child("id"), path("order.items[1].id"));
    assert_eq!(order.parent(), Some(path("order.items")));
    assert_eq!((Path::root().parent(), Path::root().is_root()), (None, true));
    assert!(order.starts_with(&path("order")) && !path("orders").starts_with(&path("order")));
    assert_eq!(path("a").join(&path("b[0]")), path("a.b[0]"));
    assert_eq!(order.segments()[2], Segment::Index(1));
    let payload = data(json!({"order": {"items": [1, {"id": 2}]}}));
    assert_eq!(order.get(&payload), Some(data(json!({"id": 2}))));
    assert_eq!(path("order[0]").get(&payload), None);
    assert_eq!(path("order.items.1").get(&payload), None);
}

#[test]
fn operations_change_a_copy() {
    let before = data(json!({"a": {"b": 1}, "list": [1, {"x": 2}], "none": null}));
    for (op, after) in [
        (put("a.b", json!(2)), json!({"a": {"b": 2}, "list": [1, {"x": 2}], "none": null})),
        (
            put("a.c.d", json!(2)),
            json!({"a": {"b": 1, "c": {"d": 2}}, "list": [1, {"x": 2}], "none": null}),
        ),
        (
            put("none.x[0].y", json!(2)),
            json!({"a": {"b": 1}, "list": [1, {"x": 2}], "none": {"x": [{"y": 2}]}}),
        ),
        (put("list[2]", json!(3)), json!({"a": {"b": 1}, "list": [1, {"x": 2}, 3], "none": null})),
        (put("list[1].x", json!([])), json!({"a": {"b": 1}, "list": [1, {"x": []}], "none": null})),
        (put("", json!([0])), json!([0])),
        (push("list", json!(3)), json!({"a": {"b": 1}, "list": [1, {"x": 2}, 3], "none": null})),
        (push("none", json!(3)), json!({"a": {"b": 1}, "list": [1, {"x": 2}], "none": [3]})),
        (
            push("a.new", json!(3)),
            json!({"a": {"b": 1, "new": [3]}, "list": [1, {"x": 2}], "none": null}),
        ),
        (delete("a.b"), json!({"a": {}, "list": [1, {"x": 2}], "none": null})),
        (delete("list[0]"), json!({"a": {"b": 1}, "list": [{"x": 2}], "none": null})),
        (delete("list[7]"), json!({"a": {"b": 1}, "list": [1, {"x": 2}], "none": null})),
        (delete("none.x.y"), json!({"a": {"b": 1}, "list": [1, {"x": 2}], "none": null})),
        (
            merge_in("a", json!({"b": {"z": 1}, "c": 2})),
            json!({"a": {"b": {"z": 1}, "c": 2}, "list": [1, {"x": 2}], "none": null}),
        ),
        (merge_in("none", json!({})), json!({"a": {"b": 1}, "list": [1, {"x": 2}], "none": {}})),
        (merge_in("", json!({"a": 0})), json!({"a": 0, "list": [1, {"x": 2}], "none": null})),
    ] {
        assert_eq!(patch([op.clone()]).apply(&before).unwrap(), after, "{op}");
    }
    assert_eq!(before.to_string(), r#"{"a":{"b":1},"list":[1,{"x":2}],"none":null}"#);
}

#[test]
fn operations_that_do_not_fit_change_nothing() {
    let before = data(json!({"a": {"b": "text"}, "list": [1]}));
    for (op, message) in [
        (push("a", json!(1)), "payload/push a: expected a list, found map"),
        (put("a.b.c", json!(1)), "payload/put a.b.c: expected a map at a.b, found string"),
        (put("list.x", json!(1)), "payload/put list.x: expected a map at list, found list"),
        (put("a[0]", json!(1)), "payload/put a[0]: expected a list at a, found map"),
        (put("[0]", json!(1)), "payload/put [0]: expected a list as the payload, found map"),
        (
            put("list[2]", json!(1)),
            "payload/put list[2]: expected an index from 0 to 1 at list, found 2",
        ),
        (
            put("new[1].x", json!(1)),
            "payload/put new[1].x: expected an index from 0 to 0 at new, found 1",
        ),
        (delete("a.b.c"), "payload/delete a.b.c: expected a map at a.b, found string"),
        (delete(""), "payload/delete: expected a path of a part, found the root"),
        (merge_in("list", json!({})), "payload/merge list: expected a map, found list"),
        (merge_in("a", json!([])), "payload/merge a: expected a map to merge, found list"),
    ] {
        let mut payload = before.clone();
        assert_eq!(op.apply_to(&mut payload).unwrap_err().to_string(), message);
        assert_eq!(payload.to_string(), before.to_string());
    }
    let two = patch([put("a.b", json!(1)), push("a", json!(1))]);
    let error = two.apply(&before).unwrap_err();
    assert_eq!((error.op, error.path, error.at), ("payload/push", path("a"), path("a")));
    assert_eq!((error.expected.as_str(), error.found.as_str()), ("a list", "map"));
}

#[test]
fn patches_are_recorded_with_every_digit() {
    let big: Data = r#"{"n":123456789012345678901234567890}"#.parse().unwrap();
    let all = patch([
        Op::put(path("a[0]"), big),
        push("a", json!(1.0)),
        delete(r#"["x.y"]"#),
        merge_in("", json!({"b": null})),
    ]);
    let text = concat!(
        r#"[{"op":"put","path":["a",0],"value":{"n":123456789012345678901234567890}},"#,
        r#"{"op":"push","path":["a"],"value":1.0},"#,
        r#"{"op":"delete","path":["x.y"]},"#,
        r#"{"op":"merge","path":[],"value":{"b":null}}]"#,
    );
    assert_eq!(serde_json::to_string(&all).unwrap(), text);
    assert_eq!(all.to_data().to_string(), text);
    assert_eq!(Patch::from_data(&text.parse().unwrap()).unwrap(), all);
    assert_eq!(
        all.to_string(),
        "(payload/put [\"a\" 0] {\"n\" 123456789012345678901234567890N})\n\
         (payload/push [\"a\"] 1.0)\n\
         (payload/delete [\"x.y\"])\n\
         (payload/merge [] {\"b\" nil})"
    );
    for (record, message) in [
        (json!({}), "operation 0 of the patch: expected a list of operations, found map"),
        (json!([7]), "operation 0 of the patch: expected an object with `path`, found int"),
        (
            json!([{"op": "put", "path": ["a"]}]),
            "operation 0 of the patch: expected an object with `value`, found map",
        ),
        (
            json!([{"op": "delete", "path": []}, {"op": "move", "path": []}]),
            "operation 1 of the patch: expected `op` to be put, push, delete or merge, found move",
        ),
        (
            json!([{"op": "put", "path": [true]}]),
            "operation 0 of the patch: expected a key or an index as item 0 of the path, found bool",
        ),
    ] {
        assert_eq!(Patch::from_data(&data(record)).unwrap_err().to_string(), message);
    }
}

/// A payload that shares its parts is changed only where it must be.
#[test]
fn many_small_operations_on_a_large_payload() {
    let rows: Vec<_> =
        (0..20_000).map(|at| json!({"id": at, "name": format!("row {at}")})).collect();
    let mut payload = data(json!({"rows": rows, "log": []}));
    let before = payload.clone();
    for at in 0..5_000 {
        put(&format!("rows[{at}].name"), json!("new")).apply_to(&mut payload).unwrap();
        push("log", json!(at)).apply_to(&mut payload).unwrap();
    }
    delete("rows[19999]").apply_to(&mut payload).unwrap();
    assert_eq!(path("rows[4999]").get(&payload), Some(data(json!({"id": 4999, "name": "new"}))));
    assert_eq!(path("rows[5000]").get(&payload), path("rows[5000]").get(&before));
    assert_eq!(
        (path("rows[19999]").get(&payload), path("log[4999]").get(&payload)),
        (None, Some(data(json!(4999))))
    );
    assert_eq!(path("rows[0].name").get(&before), Some(data(json!("row 0"))));
    assert_eq!(path("log").get(&before), Some(data(json!([]))));
}
