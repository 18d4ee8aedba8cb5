//! Decides whether a program is lazy-aware: whether it can make values whose use calls functions.

use std::sync::LazyLock;

use hashbrown::HashMap;

use super::analyzer::Analyzer;
use super::forms::FORMS;
use ptc_facts::registry::facts::MakesLazy;
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
                    if let Some(maker) = makes_lazy(self.forms.text(*name))
                        && (args.len() <= maker.most || maker.if_huge && self.has_huge_number(args))
                    {
                        return true;
                    }
                }
                _ => work.push(*head),
            }
        }
        false
    }

    /// Returns whether the forms contain a number too large to be the length of a list.
    fn has_huge_number(&self, forms: &[FormId]) -> bool {
        const HUGE: i64 = 4_000_000;
        let mut work = forms.to_vec();
        while let Some(form) = work.pop() {
            let is_huge = match self.forms.get(form).kind {
                FormKind::Int(int) => int.unsigned_abs() >= HUGE.unsigned_abs(),
                FormKind::Big(_) => true,
                FormKind::Float(float) => float.abs() >= HUGE as f64,
                FormKind::Symbol(name) => {
                    matches!(self.forms.text(name), "Long/MAX_VALUE" | "Integer/MAX_VALUE")
                }
                _ => false,
            };
            if is_huge {
                return true;
            }
            work.extend(self.forms.kids(form));
        }
        false
    }
}

/// Returns when a name of a source makes a lazy sequence, by its row or form. The
/// namespace is left out, because a program may give it any alias.
fn makes_lazy(name: &str) -> Option<MakesLazy> {
    static MAKERS: LazyLock<HashMap<&str, MakesLazy>> = LazyLock::new(|| {
        let own = |name: &'static str| name.rsplit('/').next().unwrap_or(name);
        let maker = |(row, _): (&'static Builtin, _)| Some((own(row.name), row.facts.makes_lazy?));
        let forms = FORMS.iter().filter(|form| form.makes_lazy);
        let always = MakesLazy { most: usize::MAX, if_huge: false };
        rows().filter_map(maker).chain(forms.map(|form| (form.name, always))).collect()
    });
    MAKERS.get(name.rsplit('/').next().unwrap_or(name)).copied()
}
