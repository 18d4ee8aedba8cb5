//! `update` and `update-in` of a map that nobody else holds, by a function that needs no frames.
//!
//! The old value moves out of its place and the new one into it, so no level of the map is taken out of the one above
//! it. Fuel and bytes are those of the general form in `builtins/map.rs`, which does all other cases.

use std::sync::Arc;

use super::cx::Cx;
use super::problems::invariant_violated;
use ptc_values::{Res, Value, holds_grown, is_long};

/// The value that a function changes: under a key, or at the end of a path of keys.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Changes {
    Field,
    Path,
}

/// The most keys of a path.
const MOST_KEYS: usize = 8;

impl Changes {
    /// Returns the keys of a short path whose keys cost nothing to look for.
    #[inline]
    pub(super) fn keys(self, path: &Value) -> Option<&[Value]> {
        let keys = known_keys(self, path)?;
        let are_cheap = (1..=MOST_KEYS).contains(&keys.len())
            && keys.iter().all(|key| key.depth() == 0 && !is_long(key));
        are_cheap.then_some(keys)
    }
}

/// Returns the keys of a path that [`Changes::keys`] returned before.
#[inline]
pub(super) fn known_keys(changes: Changes, path: &Value) -> Option<&[Value]> {
    match (changes, path) {
        (Changes::Field, key) => Some(std::slice::from_ref(key)),
        (Changes::Path, Value::Vector(path)) => path.as_slice(),
        (Changes::Path, _) => None,
    }
}

/// Returns the value at the end of a path, if there is one and nobody else holds a map on the way.
pub(super) fn find<'m>(map: &'m mut Value, keys: &[Value]) -> Option<&'m mut Value> {
    let mut level = map;
    for key in keys {
        let Value::Map(map) = level else { return None };
        level = Arc::get_mut(map)?.get_mut(key)?;
    }
    Some(level)
}

/// Puts a value at the end of the path where [`find`] found one, and pays for each level as `assoc` does.
pub(super) fn put(cx: &mut Cx, mut map: Value, keys: &[Value], mut new: Value) -> Res {
    if !holds_grown(&new) {
        cx.build(&mut new)?;
    }
    let depth = new.depth();
    let mut new = Some(new);
    let mut level = &mut map;
    for (below, key) in (0..keys.len() as u32).rev().zip(keys) {
        let Value::Map(map) = level else { return Err(invariant_violated()) };
        cx.before_change(map)?;
        cx.alloc(40)?;
        let own = Arc::get_mut(map).ok_or_else(invariant_violated)?;
        if depth > 0 {
            own.deepen_to(depth + below + 1);
        }
        cx.nesting(own.depth())?;
        level = own.get_mut(key).ok_or_else(invariant_violated)?;
        if below == 0 {
            std::mem::replace(level, new.take().unwrap_or_default()).done();
        }
    }
    Ok(map)
}
