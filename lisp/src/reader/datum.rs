//! The data that forms are when nothing evaluates them: quoted forms and texts that are read.

use std::sync::Arc;

use arcstr::ArcStr;

use super::{FormId, FormKind, Forms};
use crate::value::{Seq, Value};

impl Forms {
    /// The data that a form is.
    pub(crate) fn datum(&self, form: FormId) -> Value {
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
                FormKind::Map => Value::map(crate::analyze::pairs(parts)),
                FormKind::Set => Value::set(parts),
                FormKind::List => Value::List(Arc::new(Seq::new(parts).into_list())),
                // As in Clojure, a reader sign in data is the form it stands for.
                FormKind::ShortFn => headed("fn*", parts),
                FormKind::Quote => headed("quote", parts),
                FormKind::Deref => headed("clojure.core/deref", parts),
                FormKind::Var => headed("var", parts),
            });
        }
        values.pop().unwrap_or_default()
    }
}

/// A list with a symbol in front.
fn headed(head: &'static str, mut parts: Vec<Value>) -> Value {
    parts.insert(0, Value::Symbol(ArcStr::from(head)));
    Value::List(Arc::new(Seq::new(parts).into_list()))
}
