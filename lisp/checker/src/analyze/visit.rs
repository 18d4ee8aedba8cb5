//! Visits forms: some become operands immediately, others need tasks.

use super::analyzer::{Analyzer, Make, Task, Val, copied};
use ptc_reader::{Form, FormId, FormKind, Name};
use ptc_values::Value;
use ptc_values::code::Span;
use ptc_values::ir::{Operand, OperandKind};

impl Analyzer<'_> {
    /// Visits the forms in order: immediately while they need no task, then as tasks.
    pub(super) fn visit_all(&mut self, forms: &[FormId]) {
        for (at, form) in forms.iter().enumerate() {
            if !self.visit_plain(*form) {
                let rest = forms[at..].iter().rev();
                self.tasks.extend(rest.map(|form| Task::Visit { form: *form, tail: false }));
                return;
            }
        }
    }

    /// Visits a constant or local, which becomes an operand immediately. Returns false for other
    /// forms.
    pub(super) fn visit_plain(&mut self, form: FormId) -> bool {
        match self.form(form).kind {
            FormKind::Symbol(name) => {
                let Some(binding) = self.bound.get(name) else { return false };
                self.read_binding(binding);
            }
            FormKind::Keyword(name) => self.push_keyword(name),
            FormKind::Str(text) => self.push_text(text),
            FormKind::Int(int) => self.push_const(Value::Int(int)),
            FormKind::Float(float) => self.push_const(Value::Float(float)),
            FormKind::Bool(bool) => self.push_const(Value::Bool(bool)),
            FormKind::Nil => self.push_const(Value::Nil),
            _ => return false,
        }
        true
    }

    /// Schedules a body: all forms are evaluated, and the last is the value.
    pub(super) fn body(&mut self, forms: &[FormId], span: Span, tail: bool) {
        match forms {
            [] => {
                let form = self.forms_nil(span);
                self.tasks.push(Task::Visit { form, tail: false });
            }
            [only] => self.tasks.push(Task::Visit { form: *only, tail }),
            [before @ .., last] => {
                self.tasks.push(Task::Make { what: Make::Do, count: forms.len(), span });
                self.tasks.push(Task::Visit { form: *last, tail });
                self.visit_all(before);
            }
        }
    }

    pub(super) fn visit(&mut self, form: FormId, tail: bool) {
        let Form { kind, span, .. } = *self.form(form);
        match kind {
            FormKind::Nil
            | FormKind::Bool(_)
            | FormKind::Int(_)
            | FormKind::Float(_)
            | FormKind::Str(_)
            | FormKind::Keyword(_) => {
                self.visit_plain(form);
            }
            FormKind::Big(big) => {
                let big = self.forms.big(big).clone();
                self.push_const(Value::big(big));
            }
            FormKind::Regex(text) => self.regex(text, span),
            FormKind::Symbol(name) => self.symbol(name, span),
            FormKind::Core(name) => self.core_value(name, span),
            FormKind::List => self.list(form, span, tail),
            FormKind::Vector => self.collection(form, Make::Vector, span),
            FormKind::Map => self.collection(form, Make::Map, span),
            FormKind::Set => self.collection(form, Make::Set, span),
            FormKind::ShortFn => self.short_fn(form, span),
            FormKind::Quote => match self.forms.kids(form).first() {
                Some(quoted) => self.quote(*quoted),
                None => self.push_const(Value::Nil),
            },
            FormKind::Var => match self.forms.kids(form).first().copied() {
                Some(name) => self.tasks.push(Task::Visit { form: name, tail: false }),
                None => self.push_const(Value::Nil),
            },
            FormKind::Deref => {
                let kids = self.forms.kids(form).to_vec();
                let form = self.call_core(&"deref", &kids, span);
                self.tasks.push(Task::Visit { form, tail: false });
            }
        }
    }

    pub(super) fn collection(&mut self, form: FormId, what: Make, span: Span) {
        let (mut few, mut many) = Default::default();
        let kids = copied(self.forms.kids(form), &mut few, &mut many);
        self.tasks.push(Task::Make { what, count: kids.len(), span });
        self.visit_all(kids);
    }

    pub(super) fn regex(&mut self, text: Name, span: Span) {
        match ptc_values::compile_regex(self.forms.text(text)) {
            Ok(regex) => self.push_const(regex),
            Err(problem) => {
                self.problem(problem.at(span));
                self.push_const(Value::Nil);
            }
        }
    }

    pub(super) fn quote(&mut self, form: FormId) {
        let value = self.forms.datum(form);
        self.push_const(value);
    }

    pub(super) fn push_const(&mut self, value: Value) {
        let index = self.constant(value);
        self.push_place(OperandKind::Const(index));
    }

    pub(super) fn push_place(&mut self, place: OperandKind) {
        self.vals.push(Val { operand: Operand::new(place), read: None });
    }

    pub(super) fn constant(&mut self, value: Value) -> u32 {
        self.lowered.program.consts.push(value);
        self.lowered.program.consts.len() as u32 - 1
    }
}
