//! The data that forms are when nothing evaluates them: quoted forms and texts that are read.

use std::sync::Arc;

use arcstr::ArcStr;

use super::{FormId, FormKind, Forms};
use crate::value::{Ext, Seq, Set, Value};

impl Forms {
    /// The data that a form is.
    pub(crate) fn datum(&self, form: FormId) -> Value {
        self.datum_and_twice(form).0
    }

    /// The data that a form is, and a key or a member in it that stands in one map or set twice.
    pub(crate) fn datum_and_twice(&self, form: FormId) -> (Value, Option<Value>) {
        let mut twice = None;
        // Post-order with a stack of our own: each entry is a form and whether its parts are
        // already among the values.
        let mut work = vec![(form, false)];
        let mut values: Vec<Value> = Vec::new();
        while let Some((form, ready)) = work.pop() {
            let kids = self.kids(form);
            if !ready && !kids.is_empty() {
                work.push((form, true));
                work.extend(kids.iter().rev().map(|kid| (*kid, false)));
                continue;
            }
            let parts = values.split_off(values.len().saturating_sub(kids.len()));
            values.push(match self.get(form).kind {
                FormKind::Nil => Value::Nil,
                FormKind::Bool(bool) => Value::Bool(bool),
                FormKind::Int(int) => Value::Int(int),
                FormKind::Big(big) => Value::big(self.big(big).clone()),
                FormKind::Float(float) => Value::Float(float),
                FormKind::Str(text) => Value::Str(self.shared(text)),
                FormKind::Regex(text) => crate::builtins::compile_regex(self.text(text))
                    .unwrap_or_else(|_| Value::Str(self.shared(text))),
                FormKind::Keyword(name) => Value::Keyword(self.shared(name)),
                FormKind::Symbol(name) => Value::Symbol(self.shared(name)),
                FormKind::Core(name) => Value::Symbol((*name).into()),
                FormKind::Vector => Value::vector(parts),
                FormKind::Map => {
                    let keys = parts.iter().step_by(2);
                    twice = twice.or_else(|| first_twice(keys));
                    Value::map(crate::analyze::pairs(parts))
                }
                FormKind::Set => {
                    twice = twice.or_else(|| first_twice(parts.iter()));
                    Value::set(parts)
                }
                // No data holds a reduced value otherwise.
                FormKind::List if self.is_tagged(form) => {
                    Ext::Reduced(Value::vector(parts.into_iter().skip(1).collect())).into_value()
                }
                FormKind::List => Value::List(Arc::new(Seq::new(parts).into_list())),
                // As in Clojure, a reader sign in data is the form it stands for.
                FormKind::ShortFn => headed("fn*", parts),
                FormKind::Quote => headed("quote", parts),
                FormKind::Deref => headed("clojure.core/deref", parts),
                FormKind::Var => headed("var", parts),
            });
        }
        (values.pop().unwrap_or_default(), twice)
    }

    /// Whether a form is a tag with the form that it is on.
    pub(crate) fn is_tagged(&self, form: FormId) -> bool {
        let head = self.kids(form).first().map(|head| self.get(*head).kind);
        matches!(head, Some(FormKind::Core(core)) if *core == TAG)
    }
}

/// The head of the list that a tag and its form are.
pub(super) const TAG: &str = "ptc/tag";

/// The first of some values that is equal to one before it.
fn first_twice<'v>(mut values: impl Iterator<Item = &'v Value>) -> Option<Value> {
    let mut seen = Set::default();
    values
        .find(|value| {
            let is_new = !seen.contains(value);
            if is_new {
                seen.insert((*value).clone());
            }
            !is_new
        })
        .cloned()
}

/// A list with a symbol in front.
fn headed(head: &'static str, mut parts: Vec<Value>) -> Value {
    parts.insert(0, Value::Symbol(ArcStr::from(head)));
    Value::List(Arc::new(Seq::new(parts).into_list()))
}
