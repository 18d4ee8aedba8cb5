//! The values of sources beside those of the caller, who wins key by key.

use ptc_lisp::{Map, Value};

/// Returns two values as one. Where both have a key, `winner` counts; where both have an object under it, its keys are
/// merged. It recurs at most as deep as data nests.
pub(crate) fn merged(winner: &Value, other: &Value) -> Value {
    let (Some(one), Some(two)) = (winner.as_map(), other.as_map()) else { return winner.clone() };
    let own = one.iter().map(|(key, value)| {
        let value = two.get(key).map_or_else(|| value.clone(), |other| merged(value, other));
        (key.clone(), value)
    });
    let further = two.iter().filter(|(key, _)| one.get(key).is_none());
    let further = further.map(|(key, value)| (key.clone(), value.clone()));
    Value::map(own.chain(further))
}

/// Returns objects around a value, so that it is at a dotted path.
pub(crate) fn at_path(path: &str, value: Value) -> Value {
    path.rsplit('.').fold(value, |value, key| Value::map([(Value::str(key), value)]))
}

/// Returns whether a value leaves no room at a dotted path: it has something there, or on the way to it, that has no keys.
pub(crate) fn has_no_room(value: &Value, path: &str) -> bool {
    let mut value = value;
    for key in path.split('.') {
        match value.as_map().map(|map| Map::get(map, &Value::str(key))) {
            None => return true,
            Some(None) => return false,
            Some(Some(inner)) => value = inner,
        }
    }
    value.as_map().is_none()
}
