//! Laws of all payloads, patches and grants.

use proptest::prelude::*;
use ptc_subagent::Data;
use ptc_subagent::payload::{
    Access, ChangeRequest, Diff, Grants, Op, Patch, Path, Scope, Segment, View, join, merge,
};
use serde_json::{Value, json};

const KEYS: &[&str] = &["a", "b", "c", "x.y", ""];

fn key() -> impl Strategy<Value = &'static str> {
    prop::sample::select(KEYS)
}

fn value() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(json!(null)),
        any::<bool>().prop_map(Value::from),
        (0..4_i64).prop_map(Value::from),
        Just(json!(1.0)),
        "[a-c]{0,3}".prop_map(Value::from),
        Just(json!({})),
        Just(json!([])),
    ];
    leaf.prop_recursive(4, 24, 4, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
            object(inner),
        ]
    })
}

fn object(inner: impl Strategy<Value = Value>) -> impl Strategy<Value = Value> {
    prop::collection::vec((key(), inner), 0..4).prop_map(|rows| {
        let rows = rows.into_iter().map(|(key, value)| (key.to_owned(), value));
        Value::from(rows.collect::<serde_json::Map<_, _>>())
    })
}

fn payload() -> impl Strategy<Value = Data> {
    object(value()).prop_map(Data::from)
}

fn segment() -> impl Strategy<Value = Segment> {
    prop_oneof![3 => key().prop_map(Segment::from), 1 => (0..3_usize).prop_map(Segment::from)]
}

fn path() -> impl Strategy<Value = Path> {
    prop::collection::vec(segment(), 0..4).prop_map(|steps| steps.into_iter().collect())
}

fn op() -> impl Strategy<Value = Op> {
    prop_oneof![
        (path(), value()).prop_map(|(path, value)| Op::put(path, value)),
        (path(), value()).prop_map(|(path, value)| Op::push(path, value)),
        path().prop_map(Op::delete),
        (path(), object(value())).prop_map(|(path, value)| Op::merge(path, value)),
    ]
}

/// Returns the operations that fit a payload, one after another.
fn fitting(payload: &Data, ops: Vec<Op>) -> Patch {
    let mut now = payload.clone();
    ops.into_iter().filter(|op| op.apply_to(&mut now).is_ok()).collect()
}

fn ops() -> impl Strategy<Value = Vec<Op>> {
    prop::collection::vec(op(), 0..8)
}

fn pattern() -> impl Strategy<Value = String> {
    let step = prop_oneof![
        Just(".a".to_owned()),
        Just(".b".to_owned()),
        Just(".c".to_owned()),
        Just("[\"x.y\"]".to_owned()),
        Just("[0]".to_owned()),
        Just("[1]".to_owned()),
        Just("[*]".to_owned()),
        Just(".*".to_owned()),
        Just(".**".to_owned()),
    ];
    let access = prop_oneof![
        4 => Just(""),
        1 => Just(":add"),
        1 => Just(":update"),
        1 => Just(":delete"),
        1 => Just(":add,update"),
    ];
    (prop::collection::vec(step, 1..4), access).prop_map(|(steps, access)| {
        let text: String = steps.concat();
        format!("{}{access}", text.strip_prefix('.').unwrap_or(&text))
    })
}

fn grants() -> impl Strategy<Value = Grants> {
    prop::collection::vec(pattern(), 0..4).prop_map(|texts| Grants::parse(texts).unwrap())
}

/// Returns the paths of all scalars and empty containers, with their text.
fn leaves(value: &Value) -> Vec<(Path, String)> {
    let mut leaves = Vec::new();
    let mut work = vec![(Path::root(), value)];
    while let Some((path, value)) = work.pop() {
        match value {
            Value::Object(rows) if !rows.is_empty() => {
                work.extend(rows.iter().map(|(key, value)| (path.child(key.as_str()), value)));
            }
            Value::Array(items) if !items.is_empty() => {
                work.extend(items.iter().enumerate().map(|(at, item)| (path.child(at), item)));
            }
            leaf => leaves.push((path, leaf.to_string())),
        }
    }
    leaves
}

fn json_of(data: &Data) -> Value {
    data.to_json().unwrap()
}

/// Decides by trial of all ways whether steps of a pattern match a path, or a path around it.
fn covers(pattern: &[&str], path: &[Segment]) -> bool {
    match (pattern.split_first(), path.split_first()) {
        (None, _) => true,
        (Some((&"**", rest)), step) => {
            covers(rest, path) || step.is_some_and(|(_, path)| covers(pattern, path))
        }
        (Some(_), None) => false,
        (Some((step, rest)), Some((segment, path))) => {
            let text = match segment {
                Segment::Key(key) => key.to_string(),
                Segment::Index(index) => index.to_string(),
            };
            (*step == "*" || *step == text) && covers(rest, path)
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_patch_never_changes_its_input(before in payload(), ops in ops()) {
        let text = before.to_string();
        let mut now = before.clone();
        for op in &ops {
            let shown = now.to_string();
            if op.apply_to(&mut now).is_err() {
                prop_assert_eq!(now.to_string(), shown);
            }
        }
        let _ = Patch::new(ops).apply(&before);
        prop_assert_eq!(before.to_string(), text);
    }

    #[test]
    fn a_patch_and_its_record_do_the_same(before in payload(), ops in ops()) {
        let patch = fitting(&before, ops);
        let read = Patch::from_data(&serde_json::to_string(&patch).unwrap().parse().unwrap()).unwrap();
        prop_assert_eq!(&read, &patch);
        prop_assert_eq!(read.apply(&before).unwrap().to_string(), patch.apply(&before).unwrap().to_string());
    }

    #[test]
    fn a_diff_is_the_way_to_the_later_payload(before in value(), after in value()) {
        let (before, after) = (Data::from(before), Data::from(after));
        let diff = Diff::between(&before, &after);
        prop_assert_eq!(&diff.patch().apply(&before).unwrap(), &after);
        prop_assert_eq!(diff.is_empty(), before == after);
    }

    #[test]
    fn a_diff_of_a_change_is_the_way_and_a_diff_of_nothing_is_empty(before in payload(), ops in ops()) {
        let after = fitting(&before, ops).apply(&before).unwrap();
        let diff = Diff::between(&before, &after);
        prop_assert_eq!(&diff.patch().apply(&before).unwrap(), &after);
        prop_assert_eq!(diff.is_empty(), before == after);
        prop_assert!(Diff::between(&after, &after.to_string().parse().unwrap()).is_empty());
    }

    /// A part changes only with a grant for its path, or for the path of a value around it.
    #[test]
    fn what_is_blocked_stays_byte_equal(before in payload(), ops in ops(), grants in grants()) {
        let change = fitting(&before, ops);
        let filtered = grants.filter(&before, &change);
        prop_assert_eq!(filtered.patch.apply(&before).unwrap().to_string(), filtered.payload.to_string());
        let any = |path: &Path| Access::ALL.iter().any(|it| grants.allows(*it, path));
        // Deleted items move those behind them, so their lists change as a whole.
        let moved = |path: &Path| filtered.patch.ops().iter().any(|op| {
            matches!((op, op.path().segments().last()), (Op::Delete { .. }, Some(Segment::Index(_))))
                && path.starts_with(&op.path().parent().unwrap())
        });
        for (path, text) in leaves(&json_of(&before)) {
            let is_leaf_again = path.get(&filtered.payload).is_some_and(|it| it.to_string() == text);
            // An empty container may be filled, and nil replaced, on the way to a granted path.
            let is_gap = matches!(text.as_str(), "{}" | "[]" | "null");
            if !any(&path) && !moved(&path) && !is_gap {
                prop_assert!(is_leaf_again, "{path} was {text} and is in {}", filtered.payload);
            }
        }
        // Nothing is blocked that a check allows, and the other way round.
        let checked = grants.check(&before, &change);
        prop_assert_eq!(checked.is_ok(), filtered.blocked.is_empty());
        if checked.is_ok() {
            prop_assert_eq!(filtered.payload.to_string(), change.apply(&before).unwrap().to_string());
            prop_assert_eq!(filtered.patch, change);
        }
    }

    /// Admission refuses no operation that a check would allow.
    #[test]
    fn admission_is_no_stricter_than_the_check(before in payload(), op in op(), grants in grants()) {
        if Patch::new([op.clone()]).apply(&before).is_ok() && grants.check_op(&before, &op).is_ok() {
            prop_assert!(grants.may_allow(op.name(), op.path()), "{op} with {grants}");
        }
    }

    #[test]
    fn patches_that_join_commute(before in payload(), one in ops(), other in ops()) {
        let (one, other) = (fitting(&before, one), fitting(&before, other));
        let joined = join(&before, &[one.clone(), other.clone()]);
        let reverse = join(&before, &[other.clone(), one.clone()]);
        prop_assert_eq!(joined.is_ok(), reverse.is_ok());
        let Ok(joined) = joined else { return Ok(()) };
        prop_assert_eq!(&joined.patch.apply(&before).unwrap(), &joined.payload);
        let pushes = |patch: &Patch| patch.ops().iter().any(|op| {
            matches!(op, Op::Push { .. }) || op.path().segments().iter().any(|it| matches!(it, Segment::Index(_)))
        });
        // Two branches may push to one list, whose order is that of the program.
        if !pushes(&one) || !pushes(&other) {
            prop_assert_eq!(&reverse.unwrap().payload, &joined.payload);
            // A merge of nothing leaves a map as it is, so it never conflicts; alone it would make one of nil.
            let merges_nothing =
                |op: &Op| matches!(op, Op::Merge { value, .. } if *value == json!({}));
            if !one.ops().iter().chain(other.ops()).any(merges_nothing)
                // Operations whose effects the branch replaced later need not fit behind the other branch.
                && let Ok(both) = other.apply(&one.apply(&before).unwrap())
            {
                prop_assert_eq!(both, joined.payload);
            }
        }
    }

    /// Patches whose paths differ in their first key never conflict, and may be applied in either order.
    #[test]
    fn patches_on_disjoint_paths_commute(before in payload(), one in ops(), other in ops()) {
        let under = |key: &str, ops: Vec<Op>| {
            ops.iter().map(|op| op.under(&[Segment::from(key)].into_iter().collect())).collect::<Vec<_>>()
        };
        let one = fitting(&before, under("a", one));
        let other = fitting(&before, under("b", other));
        let (first, second) = (one.apply(&before).unwrap(), other.apply(&before).unwrap());
        let (forth, back) = (other.apply(&first).unwrap(), one.apply(&second).unwrap());
        prop_assert_eq!(&forth, &back);
        prop_assert_eq!(join(&before, &[one, other]).unwrap().payload, forth);
    }

    #[test]
    fn a_single_branch_joins_as_it_is(before in payload(), ops in ops()) {
        let one = fitting(&before, ops);
        let joined = join(&before, &[Patch::default(), one.clone(), Patch::default()]).unwrap();
        prop_assert_eq!(joined.payload, one.apply(&before).unwrap());
    }

    #[test]
    fn a_merge_never_deletes_what_the_sub_agent_could_not_see(
        whole in payload(), reads in grants(), ops in ops(), end in value(), writes in grants(), replaced in any::<bool>(),
    ) {
        let view = View::new(&whole, &reads, &Scope::root()).unwrap();
        let start = view.payload().clone();
        let end = if replaced { Data::from(end) } else { fitting(&start, ops).apply(&start).unwrap() };
        for writes in [Grants::all(), writes] {
            let merged = merge(&view, &end, &writes);
            prop_assert_eq!(merged.patch.apply(&whole).unwrap(), merged.payload.clone());
            for (path, text) in leaves(&json_of(&whole)) {
                // A nil in a list of the view is a place that the sub-agent cannot see.
                let seen = path.get(&start).is_some_and(|it| it.to_string() == text);
                let is_gap = matches!(text.as_str(), "{}" | "[]" | "null");
                if !seen && !is_gap {
                    prop_assert!(path.get(&merged.payload).is_some(), "{path} of {whole} is gone: {}", merged.payload);
                }
            }
        }
    }

    /// A sub-agent that sees everything and may write everything has its payload taken over as it is.
    #[test]
    fn a_merge_of_a_whole_view_is_the_end(whole in payload(), end in payload(), ops in ops()) {
        let view = View::new(&whole, &Grants::all(), &Scope::root()).unwrap();
        for end in [end, fitting(&whole, ops).apply(&whole).unwrap()] {
            let merged = merge(&view, &end, &Grants::all());
            prop_assert_eq!(merged.payload, end);
            prop_assert_eq!(merged.blocked, []);
        }
        prop_assert_eq!(merge(&view, &whole, &Grants::none()).payload, whole);
    }

    /// A view has the covered leaves at their places, and no others.
    #[test]
    fn a_view_has_what_is_covered(whole in payload(), reads in grants()) {
        let read = reads.read(&whole);
        let any = |path: &Path| Access::ALL.iter().any(|it| reads.allows(*it, path));
        for (path, text) in leaves(&json_of(&whole)) {
            let shown = path.get(&read).map(|it| it.to_string());
            if any(&path) {
                prop_assert_eq!(shown, Some(text), "{}", path);
            } else {
                prop_assert!(shown.is_none_or(|it| it == "null" || text == "{}" || text == "[]"), "{path}");
            }
        }
    }

    #[test]
    fn patterns_match_as_by_trial(
        steps in prop::collection::vec(prop::sample::select(&["a", "b", "0", "*", "**"][..]), 1..6),
        path in prop::collection::vec(
            prop_oneof![key().prop_map(Segment::from), (0..2_usize).prop_map(Segment::from)], 0..6),
    ) {
        let grants = Grants::parse([steps.join(".")]).unwrap();
        let path: Path = path.into_iter().collect();
        let end = if steps.last() == Some(&"*") { steps.len() - 1 } else { steps.len() };
        prop_assert_eq!(grants.allows(Access::Add, &path), covers(&steps[..end], path.segments()));
    }

    #[test]
    fn paths_print_and_read(
        steps in prop::collection::vec(prop_oneof![any::<String>().prop_map(|key| Segment::from(key.as_str())), any::<u32>().prop_map(|at| Segment::from(at as usize))], 0..6),
    ) {
        let path: Path = steps.into_iter().collect();
        prop_assert_eq!(&path.to_string().parse::<Path>().unwrap(), &path);
        prop_assert_eq!(&Path::from_data(&path.to_data()).unwrap(), &path);
        let record = serde_json::to_string(&path).unwrap();
        prop_assert_eq!(&serde_json::from_str::<Path>(&record).unwrap(), &path);
        let text = path.to_string();
        let pattern = Grants::parse([if text.is_empty() { "*" } else { &text }]).unwrap();
        prop_assert!(pattern.allows(Access::Delete, &path));
    }

    #[test]
    fn any_text_is_a_path_or_an_error(text in "[a.\\[\\]\"0*\\\\ é:-]{0,12}") {
        if let Ok(path) = text.parse::<Path>() {
            prop_assert_eq!(path.to_string().parse::<Path>().unwrap(), path);
        }
        let _ = Grants::parse([&text]);
        let _ = text.parse::<Scope>();
    }

    /// A request does what its operations do, and its numbers are those of its operations.
    #[test]
    fn requests_are_patches(before in payload(), new in value(), update in value(), remove in value(), replace in value(), grants in grants()) {
        let request = json!({
            "newElements": new, "updateElements": update, "removeElements": remove, "replaceElements": {"c": replace},
        });
        let request = ChangeRequest::from_data(&Data::from(request)).unwrap();
        let requested = request.read(&before);
        let all = request.apply(&before, &Grants::all());
        prop_assert_eq!(requested.patch.apply(&before).unwrap().to_string(), all.payload.to_string());
        prop_assert!(all.blocked.is_empty());
        let some = request.apply(&before, &grants);
        prop_assert_eq!(some.patch.apply(&before).unwrap().to_string(), some.payload.to_string());
        prop_assert!(some.applied.additions <= all.applied.additions);
    }
}
