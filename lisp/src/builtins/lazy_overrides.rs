//! Lazy overrides: the treatment by other builtins of values whose use calls functions of the
//! program.
//!
//! A builtin that calls nothing cannot realize the items of a lazy sequence. When one receives such
//! a value, the machine calls the lazy form of its step, or the definition of its name in
//! `clj/of_lazy.clj`. A builtin without either receives all items in a list. Only lazy-aware
//! programs pay for the difference: see [`makes_lazy`].

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
        Lazily::Listed | Lazily::Streams | Lazily::Function => is_lazy(arg),
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
        Lazily::Streams if args.len() == id.builtin().min => {
            Some(Ok((super::named("ptc/stream-of"), true)))
        }
        _ => Role::OfLazy.function(id).map(|function| Ok((function.clone(), false))),
    }
}

/// When a function or form of the language makes a lazy sequence.
#[derive(Debug, Clone, Copy)]
pub(crate) struct MakesLazy {
    /// The maximum number of arguments with which it does.
    pub(crate) most: usize,
    /// Whether it also does with more arguments, if a number among them is huge.
    pub(crate) if_huge: bool,
}

/// Returns when a name of a source makes a lazy sequence, by the row or form it stands for. The
/// namespace is left out, because a program may give it any alias.
pub(crate) fn makes_lazy(name: &str) -> Option<MakesLazy> {
    static MAKERS: LazyLock<HashMap<&str, MakesLazy>> = LazyLock::new(|| {
        let own = |name: &'static str| name.rsplit('/').next().unwrap_or(name);
        let maker = |(name, id): (_, BuiltinId)| Some((own(name), id.builtin().facts.makes_lazy?));
        let forms = FORMS.iter().filter(|form| form.makes_lazy);
        let always = MakesLazy { most: usize::MAX, if_huge: false };
        rows().filter_map(maker).chain(forms.map(|form| (form.name, always))).collect()
    });
    MAKERS.get(name.rsplit('/').next().unwrap_or(name)).copied()
}
