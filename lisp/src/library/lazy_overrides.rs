//! Lazy overrides: the treatment by other builtins of values whose use calls functions of the
//! program.
//!
//! A builtin that calls nothing cannot realize the items of a lazy sequence. When one receives such
//! a value, the machine calls the lazy form of its step, or the definition of its name in
//! `clj/of_lazy.clj`. A builtin without either receives all items in a list. Only lazy-aware
//! programs pay for the difference.

use super::functions::{Role, compiled};
use ptc_builtins::sorted::is_sorted_by;
use ptc_facts::registry::Registered;
use ptc_facts::registry::facts::LazyInput;
use ptc_facts::registry::{find, named};
use ptc_values::{BuiltinId, Grown, Lazy, Res, Value};

fn is_sequence(value: &Value) -> bool {
    Lazy::of(value).is_some()
}

/// Returns whether a builtin cannot take this value itself.
fn is_lazy(lazily: LazyInput, arg: &Value) -> bool {
    match lazily {
        LazyInput::AsValue => false,
        LazyInput::Listed | LazyInput::Streams | LazyInput::Function => is_sequence(arg),
        LazyInput::Always => true,
        // The items of a range are integers.
        LazyInput::Inside | LazyInput::Items if matches!(arg, Value::List(seq) if seq.is_range()) => {
            false
        }
        LazyInput::Inside => arg.depth() > 0 && Grown::of(arg).is_none() || is_sequence(arg),
        LazyInput::Items => is_sequence(arg) || arg.items().into_iter().flatten().any(is_sequence),
    }
}

/// Returns the override to call with the same arguments; none if the builtin itself can take them.
/// The boolean is whether the override takes the builtin before its arguments.
pub(crate) fn lazy_override(id: BuiltinId, args: &[Value]) -> Option<Res<(Value, bool)>> {
    let facts = &id.builtin().facts;
    if let Some(at) = facts.of_sorted
        && args.get(at).is_some_and(is_sorted_by)
    {
        return Role::OfSorted.function(id).map(|function| Ok((function.clone(), false)));
    }
    if !args.iter().any(|arg| is_lazy(facts.lazily, arg)) {
        return None;
    }
    let streamed = Some(Ok((named("ptc/stream-of"), true)));
    match facts.lazily {
        LazyInput::Listed => {
            let all = find("ptc/with-all")?;
            Some(compiled(all).map(|function| (function, true)))
        }
        LazyInput::Streams if args.len() == id.builtin().min => streamed,
        // A step looks for lazy sequences inside of each item by itself.
        LazyInput::Items if facts.step.is_some() && args.iter().any(is_sequence) => streamed,
        LazyInput::Items => {
            let realized = find("ptc/with-realized")?;
            Some(compiled(realized).map(|function| (function, true)))
        }
        _ => Role::OfLazy.function(id).map(|function| Ok((function.clone(), false))),
    }
}
