//! Decides whether a program is lazy-aware: whether it can make values whose use calls functions.

use std::sync::LazyLock;

use hashbrown::HashMap;

use super::analyzer::Analyzer;
use super::forms::FORMS;
use ptc_facts::registry::{Builtin, rows};
use ptc_reader::{FormId, FormKind};

impl Analyzer<'_> {
    /// Returns whether a form of the source can make a value whose use calls functions.
    pub(super) fn needs_frames(&self) -> bool {
        // Few programs name such a function, so the names are checked first.
        self.forms.names().any(|name| makes_lazy(name).is_some()) && self.makes_lazy()
    }

    /// Checks the calls of the source.
    fn makes_lazy(&self) -> bool {
        let mut work = self.top.clone();
        while let Some(form) = work.pop() {
            let kids = self.forms.kids(form);
            if let FormKind::Symbol(name) = self.forms.get(form).kind
                && makes_lazy(self.forms.text(name)).is_some()
            {
                return true;
            }
            let Some((head, args)) = kids.split_first() else { continue };
            work.extend(args);
            match (&self.forms.get(form).kind, &self.forms.get(*head).kind) {
                (FormKind::List | FormKind::ShortFn, FormKind::Symbol(name)) => {
                    if makes_lazy(self.forms.text(*name))
                        .is_some_and(|most| args.len() <= most || self.are_endless(args))
                    {
                        return true;
                    }
                }
                _ => work.push(*head),
            }
        }
        false
    }

    /// Returns whether an infinite number is among arguments: a range up to it has no end.
    fn are_endless(&self, args: &[FormId]) -> bool {
        let is_infinite = |arg: &FormId| matches!(self.forms.get(*arg).kind, FormKind::Float(it) if it.is_infinite());
        args.iter().any(is_infinite)
    }
}

/// Returns the maximum number of arguments with which a name of a source makes a lazy sequence, by its row or form.
/// The namespace is left out, because a program may give it any alias.
fn makes_lazy(name: &str) -> Option<usize> {
    static MAKERS: LazyLock<HashMap<&str, usize>> = LazyLock::new(|| {
        let own = |name: &'static str| name.rsplit('/').next().unwrap_or(name);
        let maker = |(row, _): (&'static Builtin, _)| Some((own(row.name), row.facts.makes_lazy?));
        let forms = FORMS.iter().filter(|form| form.makes_lazy);
        rows().filter_map(maker).chain(forms.map(|form| (form.name, usize::MAX))).collect()
    });
    MAKERS.get(name.rsplit('/').next().unwrap_or(name)).copied()
}
