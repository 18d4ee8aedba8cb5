//! Whether a source can make values whose use calls functions, such as lazy sequences.

use super::Analyzer;
use crate::reader::{FormId, FormKind};

impl Analyzer<'_> {
    /// Whether a form of the source can make a value whose use calls functions.
    pub(super) fn needs_frames(&self) -> bool {
        // Hardly any program names one of the functions that do, so the names are looked at first.
        self.forms.names().any(|name| crate::builtins::needs_frames(name, None))
            && self.makes_lazy()
    }

    /// The same for the calls that the source consists of.
    fn makes_lazy(&self) -> bool {
        let mut work = self.top.clone();
        while let Some(form) = work.pop() {
            let kids = self.forms.kids(form);
            if let FormKind::Symbol(name) = self.forms.get(form).kind
                && crate::builtins::needs_frames(self.forms.text(name), None)
            {
                return true;
            }
            let Some((head, args)) = kids.split_first() else { continue };
            work.extend(args);
            match (&self.forms.get(form).kind, &self.forms.get(*head).kind) {
                (FormKind::List | FormKind::ShortFn, FormKind::Symbol(name)) => {
                    let name = self.forms.text(*name);
                    if crate::builtins::needs_frames(name, Some(args.len()))
                        || matches!(name, "range" | "clojure.core/range") && self.is_far(args)
                    {
                        return true;
                    }
                }
                _ => work.push(*head),
            }
        }
        false
    }

    /// Whether a number stands in forms that is too large to be the length of a list.
    fn is_far(&self, forms: &[FormId]) -> bool {
        const FAR: i64 = 4_000_000;
        let mut work = forms.to_vec();
        while let Some(form) = work.pop() {
            let is_far = match self.forms.get(form).kind {
                FormKind::Int(int) => int.unsigned_abs() >= FAR.unsigned_abs(),
                FormKind::Big(_) => true,
                FormKind::Float(float) => float.abs() >= FAR as f64,
                FormKind::Symbol(name) => {
                    matches!(self.forms.text(name), "Long/MAX_VALUE" | "Integer/MAX_VALUE")
                }
                _ => false,
            };
            if is_far {
                return true;
            }
            work.extend(self.forms.kids(form));
        }
        false
    }
}
