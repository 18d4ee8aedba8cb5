//! Checks names and paths of the payload.

use super::analyzer::{Analyzer, Task};
use ptc_facts::flows::Labels;
use ptc_facts::payload::{PayloadOpKind, path_text};
use ptc_facts::registry;
use ptc_facts::registry::Registered;
use ptc_reader::{FormId, FormKind};
use ptc_values::code::{Code, Span};
use ptc_values::spelling::nearest;
use ptc_values::{BuiltinId, Diagnostic, Value};

impl Analyzer<'_> {
    /// Lowers `payload/key`, or the whole payload without a key.
    pub(super) fn payload_value(&mut self, key: Option<&str>, span: Span) {
        if !self.has_payload(span) {
            return self.push_const(Value::Nil);
        }
        let steps: Vec<FormId> =
            key.into_iter().map(|key| self.forms.text_leaf(key, span)).collect();
        let path = self.forms.branch(FormKind::Vector, span, &steps);
        let read = self.call_core(&"payload/get", &[path], span);
        self.tasks.push(Task::Visit { form: read, tail: false });
    }

    /// Checks a use of a function of the payload: a call with these arguments, or its use as a value.
    pub(super) fn note_payload(&mut self, id: BuiltinId, args: Option<&[FormId]>, span: Span) {
        let name = id.builtin().name;
        if !name.starts_with("payload/")
            || self.scope.known_reads.is_some()
            || !self.has_payload(span)
        {
            return;
        }
        let kind = PayloadOpKind::of_function(name);
        let path = args.and_then(|args| args.first()).and_then(|path| self.literal_path(*path));
        let text = path.as_deref().map(path_text).filter(|text| !text.is_empty());
        let text = text.unwrap_or_else(|| "*".to_owned());
        self.lowered.report.uses_payload(text, kind.is_some());
        let (Some(path), Some(payload)) = (path, self.scope.env.payload) else { return };
        let is_withheld = self.scope.env.withholds(Labels::of_payload);
        if let Some(unknown) = payload.unknown_key(&path).filter(|_| !is_withheld) {
            let shown = match unknown.depth {
                0 => format!("there is no `payload/{}`", unknown.path),
                _ => format!("the payload has no `{}`", unknown.path),
            };
            let named = |name: &str| match unknown.depth {
                0 => format!("`payload/{name}`"),
                _ => format!("`{name}`"),
            };
            let help = match &unknown.near {
                Some(near) => format!("did you mean {}?", named(near)),
                None => {
                    let names = unknown.names.iter().take(20);
                    let names: Vec<String> = names.map(|name| named(name)).collect();
                    format!("there are {}", names.join(", "))
                }
            };
            let problem = Diagnostic::new(Code::UnknownPayloadKey, shown);
            return self.problem(problem.at(span).with_help(help));
        }
        let path = Value::vector(path);
        if let Some(kind) = kind
            && let Err(reason) = payload.rules.may_allow(kind, &path)
        {
            let problem = Diagnostic::new(Code::PayloadDenied, reason).at(span);
            self.problem(problem.with_help("change only what the grants allow"));
        }
    }

    /// Reports a call of a name in the payload that is not one of its functions.
    pub(super) fn not_of_payload(&mut self, text: &str, span: Span) {
        let message = format!("`{text}` is not a function of the payload");
        let functions = registry::names().filter(|name| name.starts_with("payload/"));
        let names: Vec<&str> = functions.map(|name| -> &str { name }).collect();
        let help = match nearest(text, names.iter().copied()) {
            Some(near) => format!("did you mean `{near}`?"),
            None => format!("the functions are {}; `{text}` alone reads a value", names.join(", ")),
        };
        self.problem(Diagnostic::new(Code::NotCallable, message).at(span).with_help(help));
        self.push_const(Value::Nil);
    }

    /// Returns whether the mission has a payload. If not, reports that.
    fn has_payload(&mut self, span: Span) -> bool {
        if self.scope.env.payload.is_some() {
            return true;
        }
        let problem = Diagnostic::new(Code::NotAvailable, "this mission has no payload").at(span);
        self.problem(problem.with_help("keep a value with `(memory/put :key value)`"));
        false
    }

    /// Returns the steps of a path that is written out.
    fn literal_path(&self, form: FormId) -> Option<Vec<Value>> {
        if !matches!(self.form(form).kind, FormKind::Vector) {
            return None;
        }
        let step = |step: &FormId| match self.form(*step).kind {
            FormKind::Keyword(key) | FormKind::Str(key) => Some(Value::str(self.forms.text(key))),
            FormKind::Int(index) if index >= 0 => Some(Value::from(index)),
            _ => None,
        };
        self.forms.kids(form).iter().map(step).collect()
    }
}
