//! Lazy overrides: the treatment by other builtins of values whose use calls functions of the
//! program.
//!
//! A builtin calls nothing, so it cannot realize the items of a lazy sequence. When one receives
//! such a value, the machine calls the function in its row instead, which is written in the
//! language. A builtin without one receives all items in a list. Only lazy-aware programs pay for
//! the difference: see [`needs_frames`].

use std::sync::LazyLock;

use hashbrown::HashMap;

use super::library::{Role, library};
use super::{BuiltinId, Lazily, rows};
use crate::analyze::forms::FORMS;
use crate::machine::Res;
use crate::value::{Lazy, Value};

/// Returns whether a builtin cannot take this value itself.
fn is_lazy(lazily: Lazily, arg: &Value) -> bool {
    let is_lazy = |value: &Value| Lazy::of(value).is_some();
    match lazily {
        Lazily::AsValue => false,
        Lazily::Listed | Lazily::Function => is_lazy(arg),
        Lazily::Always => true,
        Lazily::Inside => arg.depth() > 0 || is_lazy(arg),
        Lazily::Items => is_lazy(arg) || arg.items().into_iter().flatten().any(is_lazy),
    }
}

/// Returns the override to call with the same arguments; none if the builtin itself can take them.
/// The boolean is whether the override takes the builtin before its arguments.
pub(crate) fn lazy_override(id: BuiltinId, args: &[Value]) -> Option<Res<(Value, bool)>> {
    let facts = &id.builtin().facts;
    if let Some(at) = facts.of_sorted
        && args.get(at).is_some_and(super::sorted::is_sorted_by)
    {
        return Role::OfSorted.function(id).map(|function| Ok((function.clone(), false)));
    }
    if !args.iter().any(|arg| is_lazy(facts.lazily, arg)) {
        return None;
    }
    match facts.lazily {
        Lazily::Listed => {
            let all = super::find("ptc/with-all")?;
            Some(library(all).map(|function| (function, true)))
        }
        _ => Role::OfLazy.function(id).map(|function| Ok((function.clone(), false))),
    }
}

/// Returns whether a call of this name with this number of arguments, or its use as a value, can
/// make a lazy sequence. A program that contains one gives frames to all its builtins.
pub(crate) fn needs_frames(name: &str, args: Option<usize>) -> bool {
    static MOST: LazyLock<(usize, HashMap<&str, usize>)> = LazyLock::new(|| {
        let own = |name: &'static str| name.rsplit('/').next().unwrap_or(name);
        let most = |(name, id): (_, BuiltinId)| Some((own(name), id.builtin().facts.makes_lazy?));
        let forms = FORMS.iter().filter(|form| form.makes_lazy);
        let forms = forms.map(|form| (form.name, usize::MAX));
        let all: HashMap<&str, usize> = rows().filter_map(most).chain(forms).collect();
        (all.keys().map(|name| name.len()).min().unwrap_or(0), all)
    });
    // Most names are shorter than all of these.
    let (shortest, most) = &*MOST;
    if name.len() < *shortest {
        return false;
    }
    let name = name.rsplit('/').next().unwrap_or(name);
    most.get(name).is_some_and(|most| args.is_none_or(|count| count <= *most))
}
