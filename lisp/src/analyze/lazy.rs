//! Decides whether a program is lazy-aware: whether it can make values whose use calls functions.

use std::sync::LazyLock;

use hashbrown::HashMap;

use super::Analyzer;
use super::forms::FORMS;
use crate::reader::{FormId, FormKind};
use crate::registry::{Builtin, rows};

impl Analyzer<'_> {
    /// Returns whether a form of the source can make a value whose use calls functions.
    pub(super) fn needs_frames(&self) -> bool {
        // Few programs name such a function, so the names are checked first.
        self.forms.names().any(|name| may_make_lazy(name, None)) && self.makes_lazy()
    }

    /// Checks the calls of the source.
    fn makes_lazy(&self) -> bool {
        let mut work = self.top.clone();
        while let Some(form) = work.pop() {
            let kids = self.forms.kids(form);
            if let FormKind::Symbol(name) = self.forms.get(form).kind
                && may_make_lazy(self.forms.text(name), None)
            {
                return true;
            }
            let Some((head, args)) = kids.split_first() else { continue };
            work.extend(args);
            match (&self.forms.get(form).kind, &self.forms.get(*head).kind) {
                (FormKind::List | FormKind::ShortFn, FormKind::Symbol(name)) => {
                    let name = self.forms.text(*name);
                    if may_make_lazy(name, Some(args.len()))
                        || matches!(name, "range" | "clojure.core/range")
                            && self.has_huge_number(args)
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

/// Returns whether a call of this name with this number of arguments, or its use as a value, can
/// make a lazy sequence. A program that contains one gives frames to all its builtins.
fn may_make_lazy(name: &str, args: Option<usize>) -> bool {
    static MOST: LazyLock<(usize, HashMap<&str, usize>)> = LazyLock::new(|| {
        let own = |name: &'static str| name.rsplit('/').next().unwrap_or(name);
        let most = |(row, _): (&Builtin, _)| Some((own(row.name), row.facts.makes_lazy?));
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
