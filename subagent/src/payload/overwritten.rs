//! Changes of a program that the changes of its sub-agents replaced.

use std::collections::BTreeMap;

use ptc_lisp::{Map, Value};

use super::merge::below;
use super::{Op, Patch, Path, Segment, tree};
use crate::Data;

/// Returns the paths that a program set, and that a sub-agent then set without having seen it.
///
/// `ops` are the operations of the program, with those of its sub-agents where it took them over. `patches` are the
/// changes of the sub-agents, and `after` is the payload after all of them. A path counts if its value is another
/// one than the program put there.
pub(crate) fn overwritten<'p>(
    ops: &Patch,
    patches: impl IntoIterator<Item = &'p Patch>,
    after: &Data,
) -> Vec<Path> {
    // How often each change of a sub-agent is among the operations.
    let mut adopted: BTreeMap<&Path, Vec<&Op>> = BTreeMap::new();
    for op in patches.into_iter().flat_map(Patch::ops) {
        adopted.entry(op.path()).or_default().push(op);
    }
    if adopted.is_empty() {
        return Vec::new();
    }
    let mut own: BTreeMap<Path, Option<Value>> = BTreeMap::new();
    let mut found = Vec::new();
    // An item that is pushed replaces nothing.
    for op in ops.ops().iter().filter(|it| !matches!(it, Op::Push { .. })) {
        let overlapping = overlapping(&own, op.path());
        let values = overlapping.into_iter().filter_map(|path| own.remove_entry(&path));
        let values: Vec<(Path, Option<Value>)> = values.collect();
        let same = adopted.get_mut(op.path());
        let place = same.as_ref().and_then(|all| all.iter().position(|it| *it == op));
        if let (Some(all), Some(place)) = (same, place) {
            all.remove(place);
            let replaced = values.into_iter().filter(|(path, value)| {
                match (tree::at(after.value(), path.segments()), value) {
                    (Some(now), Some(value)) => !tree::is_same(now, value),
                    (None, None) => false,
                    _ => true,
                }
            });
            found.extend(replaced.map(|(path, _)| path));
            continue;
        }
        match op {
            Op::Put { path, value } => {
                own.insert(path.clone(), Some(value.value().clone()));
            }
            Op::Delete { path } => {
                own.insert(path.clone(), None);
            }
            Op::Merge { path, value } => {
                for (key, value) in value.value().as_map().into_iter().flat_map(Map::iter) {
                    if let Value::Str(key) = key {
                        own.insert(path.child(Segment::Key(key.clone())), Some(value.clone()));
                    }
                }
            }
            Op::Push { .. } => {}
        }
    }
    found
}

/// Returns the paths that are around a path, at it or in it.
fn overlapping<T>(paths: &BTreeMap<Path, T>, path: &Path) -> Vec<Path> {
    let around = std::iter::successors(path.parent(), Path::parent);
    let around = around.filter(|it| paths.contains_key(it));
    around.chain(below(paths, path).map(|(it, _)| it.clone())).collect()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn put(path: &str, value: serde_json::Value) -> Op {
        Op::put(path.parse().unwrap(), value)
    }

    /// Applies operations, where sub-agents made those at `brought`, and compares the paths that were replaced.
    fn check(ops: &[Op], brought: &[usize], expected: &[&str]) {
        let patch = Patch::new(ops.to_vec());
        let brought = Patch::new(brought.iter().map(|at| ops[*at].clone()));
        let after = patch.apply(&Data::from(json!({"list": [1]}))).unwrap();
        let found = overwritten(&patch, [&brought], &after);
        assert_eq!(found.iter().map(ToString::to_string).collect::<Vec<_>>(), expected);
    }

    #[test]
    fn replaced_changes() {
        let (one, two) = (put("a.b", json!(1)), put("a.b", json!(2)));
        let delete = Op::delete("a.b".parse().unwrap());
        let push = |n: i64| Op::push("list".parse().unwrap(), json!(n));
        check(&[one.clone(), two.clone()], &[1], &["a.b"]);
        check(&[one.clone(), one.clone()], &[1], &[]);
        check(&[one.clone(), delete.clone()], &[1], &["a.b"]);
        check(&[put("a", json!({"b": 1, "c": 1})), two.clone()], &[1], &["a"]);
        check(&[one.clone(), put("a", json!({"c": 1}))], &[1], &["a.b"]);
        check(&[one.clone(), put("a", json!({"b": 1, "c": 1}))], &[1], &[]);
        // The program has the last word, or touches other paths, or both push.
        check(&[two.clone(), one.clone()], &[0], &[]);
        check(&[one.clone(), two.clone(), one.clone()], &[1], &[]);
        check(&[one.clone(), put("a.c", json!(2))], &[1], &[]);
        check(&[push(2), push(3)], &[1], &[]);
        check(&[put("list", json!([])), push(3)], &[1], &[]);
        let merge = Op::merge(Path::root(), json!({"x": 1, "y": 1}));
        check(&[merge, put("x", json!(2))], &[1], &["x"]);
        check(&[one, delete, two], &[2], &["a.b"]);
    }
}
