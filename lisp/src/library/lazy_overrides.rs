//! Lazy overrides: the treatment by other builtins of values whose use calls functions of the
//! program.
//!
//! A builtin calls nothing, so it cannot realize the items of a lazy sequence. When one receives
//! such a value, the machine calls the function in its row instead, which is written in the
//! language. A builtin without one receives all items in a list. Only lazy-aware programs pay for
//! the difference: see [`needs_frames`].

use std::sync::LazyLock;

use hashbrown::HashMap;

use super::compile::compile;
use crate::builtins::sorted::is_sorted_by;
use crate::machine::compiled;
use crate::registry::facts::Lazily;
use crate::registry::rows;
use crate::value::{BuiltinId, Lazy, Res, Value};

static LAZY: LazyLock<HashMap<BuiltinId, Value>> = LazyLock::new(|| {
    let compiled = |(_, id): (_, BuiltinId)| Some((id, compile(source(id)?, true)?));
    rows().filter_map(compiled).collect()
});

static OF_SORTED: LazyLock<HashMap<BuiltinId, Value>> = LazyLock::new(|| {
    let source = |id: BuiltinId| id.builtin().facts.of_sorted.map(|(_, source)| source);
    let compiled = |(_, id): (_, BuiltinId)| Some((id, compile(source(id)?, true)?));
    rows().filter_map(compiled).collect()
});

/// Returns the source of a builtin's override.
fn source(id: BuiltinId) -> Option<&'static str> {
    match id.builtin().facts.lazily {
        Lazily::Listed | Lazily::AsValue => None,
        Lazily::Function(source)
        | Lazily::Always(source)
        | Lazily::Inside(source)
        | Lazily::Items(source) => Some(source),
    }
}

/// Returns whether a builtin cannot take this value itself.
fn is_lazy(lazily: Lazily, arg: &Value) -> bool {
    let is_lazy = |value: &Value| Lazy::of(value).is_some();
    match lazily {
        Lazily::AsValue => false,
        Lazily::Listed | Lazily::Function(_) => is_lazy(arg),
        Lazily::Always(_) => true,
        Lazily::Inside(_) => arg.depth() > 0 || is_lazy(arg),
        Lazily::Items(_) => is_lazy(arg) || arg.items().into_iter().flatten().any(is_lazy),
    }
}

/// Returns all overrides, under unique names.
pub(super) fn functions() -> impl Iterator<Item = (String, Value)> {
    let named = |word: &'static str| {
        move |(id, function): (&BuiltinId, &Value)| {
            (format!("{word} {}", id.builtin().name), function.clone())
        }
    };
    LAZY.iter().map(named("lazy")).chain(OF_SORTED.iter().map(named("sorted")))
}

/// Returns the override to call with the same arguments; none if the builtin itself can take them.
/// The boolean is whether the override takes the builtin before its arguments.
pub(crate) fn lazy_override(id: BuiltinId, args: &[Value]) -> Option<Res<(Value, bool)>> {
    let facts = &id.builtin().facts;
    if let Some((at, _)) = facts.of_sorted
        && args.get(at).is_some_and(is_sorted_by)
    {
        return OF_SORTED.get(&id).map(|function| Ok((function.clone(), false)));
    }
    if !args.iter().any(|arg| is_lazy(facts.lazily, arg)) {
        return None;
    }
    match facts.lazily {
        Lazily::Listed => {
            let all = crate::registry::find("ptc/with-all")?;
            Some(compiled(all).map(|function| (function, true)))
        }
        _ => LAZY.get(&id).map(|function| Ok((function.clone(), false))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_function_for_lazy_sequences_compiles() {
        let rows = || rows().map(|(_, id)| id);
        let missing = rows().find(|id| source(*id).is_some() && !LAZY.contains_key(id));
        assert_eq!(missing.map(|id| id.builtin().name), None);
        let sorted = |id: &BuiltinId| id.builtin().facts.of_sorted.is_some();
        let missing = rows().find(|id| sorted(id) && !OF_SORTED.contains_key(id));
        assert_eq!(missing.map(|id| id.builtin().name), None);
    }
}
