//! Turns forms into data: quoted forms and texts read by programs.

use std::sync::Arc;

use arcstr::ArcStr;

use super::{FormId, FormKind, Forms};
use ptc_values::{Ext, Seq, Set, Value};

impl Forms {
    /// Returns the data of a form.
    pub fn datum(&self, form: FormId) -> Value {
        self.datum_and_twice(form).0
    }

    /// Returns the data of a form, and the first duplicate of a key or member in it.
    pub fn datum_and_twice(&self, form: FormId) -> (Value, Option<Value>) {
        let mut twice = None;
        // Post-order with an explicit stack: a form, and whether its parts are among the values.
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
                FormKind::Regex(text) => ptc_values::compile_regex(self.text(text))
                    .unwrap_or_else(|_| Value::Str(self.shared(text))),
                FormKind::Keyword(name) => Value::Keyword(self.shared(name)),
                FormKind::Symbol(name) => Value::Symbol(self.shared(name)),
                FormKind::Core(name) => Value::Symbol((*name).into()),
                FormKind::Vector => Value::vector(parts),
                FormKind::Map => {
                    let keys = parts.iter().step_by(2);
                    twice = twice.or_else(|| first_duplicate(keys));
                    Value::map(ptc_values::pairs(parts))
                }
                FormKind::Set => {
                    twice = twice.or_else(|| first_duplicate(parts.iter()));
                    Value::set(parts)
                }
                // No other data holds a reduced value.
                FormKind::List if self.is_tagged(form) => {
                    Ext::Reduced(Value::vector(parts.into_iter().skip(1).collect())).into_value()
                }
                FormKind::List => Value::List(Arc::new(Seq::new(parts).into_list())),
                // As in Clojure, a reader macro in data is the form it abbreviates.
                FormKind::ShortFn => headed("fn*", parts),
                FormKind::Quote => headed("quote", parts),
                FormKind::Deref => headed("clojure.core/deref", parts),
                FormKind::Var => headed("var", parts),
            });
        }
        (values.pop().unwrap_or_default(), twice)
    }

    /// Returns whether a form is a tag with its tagged form.
    pub fn is_tagged(&self, form: FormId) -> bool {
        let head = self.kids(form).first().map(|head| self.get(*head).kind);
        matches!(head, Some(FormKind::Core(core)) if *core == TAG)
    }
}

/// The head of the list that represents a tagged form.
pub(super) const TAG: &str = "ptc/tag";

/// Returns the first value that equals an earlier one.
fn first_duplicate<'v>(mut values: impl Iterator<Item = &'v Value>) -> Option<Value> {
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

/// Makes a list with a symbol in front.
fn headed(head: &'static str, mut parts: Vec<Value>) -> Value {
    parts.insert(0, Value::Symbol(ArcStr::from(head)));
    Value::List(Arc::new(Seq::new(parts).into_list()))
}
