//! Paths of constant keys through flows.

use ptc_facts::flows::{Flow, Key, Label};
use ptc_values::Value;

/// Returns the keys of a constant path.
pub(super) fn path_of(path: &Flow) -> Option<Vec<Key>> {
    match path.as_constant() {
        Some(Value::Vector(path)) => path.iter().map(Key::of).collect(),
        _ => None,
    }
}

/// Returns a collection with a part on a path of keys, whose names have a label.
pub(super) fn put_at(coll: &Flow, keys: &[Key], value: Flow, names: &Label) -> Flow {
    match keys {
        [] => value,
        [key, more @ ..] => {
            let inner = put_at(&coll.get(key), more, value, names);
            coll.set(key, inner).with_names(names)
        }
    }
}
