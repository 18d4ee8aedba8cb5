//! Decides whether a program is lazy-aware: whether it can make values whose use calls functions.

use super::Analyzer;
use crate::builtins::makes_lazy;
use crate::reader::{FormId, FormKind};

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
