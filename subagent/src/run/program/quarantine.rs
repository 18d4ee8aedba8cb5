//! The values that the model of a run does not read, because the policy keeps their labels in quarantine.
//!
//! Each message to the model passes here. In it, a withheld value is a handle: its kind and its size.

use std::borrow::Cow;

use ptc_lisp::labels::{Label, Mark};
use ptc_lisp::{Code, Diagnostic, Kind, Value};
use ptc_prompt::{CallsMade, Problem, handle};
use ptc_signatures::{Mismatch, Segment};

use super::Programs;
use super::labels::ProgramLabels;
use crate::data::Data;
use crate::record::Earlier;

/// The text that the model reads of a withheld one without a handle.
const NOT_SHOWN: &str = "[not shown]";

/// The parts of a program's outcome that the model does not read.
#[derive(Clone, Copy, Default)]
struct Withheld {
    value: bool,
    printed: bool,
    /// The arguments and results of its calls, its warnings and its problems.
    met: bool,
}

/// The parts of a problem, as the model reads them.
pub(super) struct ShownProblem {
    diagnostics: Vec<Diagnostic>,
    mismatches: Vec<Mismatch>,
    value: Value,
    calls: CallsMade,
}

impl Programs<'_> {
    /// Notes what prompts say of the quarantine.
    pub(super) fn note_quarantine(&mut self) {
        self.withheld_names = self.names_in_quarantine();
        self.withheld_payload = self.handle_of_payload();
    }

    /// Returns the names of the tools and the data in quarantine, as programs write them.
    fn names_in_quarantine(&self) -> Vec<String> {
        let sources = self.sources();
        if sources.withheld.is_empty() {
            return Vec::new();
        }
        let tools = sources.tools.iter().filter(|(name, _)| sources.withholds(&sources.tool(name)));
        let inputs = sources.inputs.iter().map(|(key, _)| key);
        let inputs = inputs.filter(|key| sources.withholds(&sources.input(key)));
        let mut names: Vec<String> = tools.map(|(name, _)| name.to_string()).collect();
        names.extend(inputs.map(|key| format!("ctx/{key}")));
        if sources.withholds(&sources.payload()) {
            names.push("payload".to_string());
        }
        names.dedup();
        names
    }

    /// Returns the data of the mission as prompts show it.
    pub(super) fn shown_ctx(&self, ctx: Value) -> Value {
        let Some(map) = ctx.as_map().filter(|_| !self.agent.policy.quarantine.is_empty()) else {
            return ctx;
        };
        let sources = self.sources();
        let shown = |(key, value): (&Value, &Value)| {
            let name = key.name().unwrap_or_default();
            let is_withheld = sources.withholds(&self.session.ctx_label(name));
            (key.clone(), if is_withheld { self.handle_of(value) } else { value.clone() })
        };
        Value::map(map.iter().map(shown))
    }

    /// Returns the handle of the payload; `None` if the model reads it.
    fn handle_of_payload(&self) -> Option<Value> {
        let payload = self.payload.as_ref()?;
        let sources = self.sources();
        let is_withheld = sources.withholds(&sources.payload());
        is_withheld.then(|| self.handle_of(payload.spec().value))
    }

    /// Returns the value of the last program as the model reads it.
    pub(super) fn shown_value<'v>(&self, value: &'v Value) -> Cow<'v, Value> {
        if self.withheld().value { Cow::Owned(self.handle_of(value)) } else { Cow::Borrowed(value) }
    }

    /// Returns the printed lines of the last program as the model reads them.
    pub(super) fn shown_prints<'p>(&self, prints: &'p [String]) -> Cow<'p, [String]> {
        match prints.len() {
            count if count > 0 && self.withheld().printed => {
                let lines = if count == 1 { "line" } else { "lines" };
                Cow::Owned(vec![format!("[not shown: {count} {lines}]")])
            }
            _ => Cow::Borrowed(prints),
        }
    }

    /// Returns the calls of the last program as the model reads them.
    pub(super) fn shown_calls<'c>(&self, calls: &'c CallsMade) -> Cow<'c, CallsMade> {
        if self.withheld().met { Cow::Owned(calls.without_values()) } else { Cow::Borrowed(calls) }
    }

    /// Returns a problem as the model reads it; `None` if it reads all of the problem.
    pub(super) fn shown_problem(&self, problem: &Problem<'_>) -> Option<ShownProblem> {
        let withheld = self.withheld();
        if !withheld.met {
            return None;
        }
        let (Problem::Failed { calls, .. }
        | Problem::WrongReturn { calls, .. }
        | Problem::HeldReturn { calls, .. }
        | Problem::WrongPayload { calls, .. }) = problem
        else {
            return None;
        };
        let mut shown = ShownProblem {
            diagnostics: Vec::new(),
            mismatches: Vec::new(),
            value: Value::Nil,
            calls: calls.without_values(),
        };
        match problem {
            Problem::Failed { diagnostic, .. } => {
                shown.diagnostics.push(shown_diagnostic(diagnostic));
            }
            Problem::WrongReturn { mismatches, received, .. } => {
                shown.mismatches = mismatches.to_vec();
                if withheld.value {
                    let knows = self.known_names();
                    shown.mismatches.iter_mut().for_each(|it| hide_value(it, &knows));
                }
                shown.value = self.shown_value(received).into_owned();
            }
            Problem::HeldReturn { unseen, value, .. } => {
                shown.diagnostics.extend(unseen.iter().map(shown_diagnostic));
                shown.value = self.shown_value(value).into_owned();
            }
            _ => {}
        }
        Some(shown)
    }

    /// Returns the conversation before the run as the model reads it, with the names that earlier programs left.
    pub(super) fn shown_earlier<'e>(
        &self,
        earlier: &'e Earlier,
        names: Vec<String>,
    ) -> (Cow<'e, Earlier>, Vec<String>) {
        let sources = self.sources();
        if sources.withheld.is_empty() {
            return (Cow::Borrowed(earlier), names);
        }
        let of_users = sources.withholds(&self.asked());
        let others = sources.withholds(&self.session.conversation_label());
        let shown = |message: Value| {
            let role = message.get("role").and_then(Value::as_str);
            let is_withheld = if role == Some("user") { of_users } else { others };
            match (message.as_map(), message.get("content")) {
                (Some(map), Some(content)) if is_withheld => {
                    let content = (Value::str("content"), self.handle_of(content));
                    let fields = map.iter().map(|(key, value)| (key.clone(), value.clone()));
                    Value::map(fields.chain([content]))
                }
                _ => message,
            }
        };
        let messages = earlier.list().into_iter().map(shown).collect();
        let messages = Data::made(Value::vector(messages));
        // A program may have kept a value under a text that it has read.
        let knows = self.known_names();
        let is_known = |name: &String| name.strip_prefix("memory/").is_none_or(&knows);
        let names = names.into_iter().filter(is_known).collect();
        (Cow::Owned(Earlier { messages, ..earlier.clone() }), names)
    }

    /// Returns the parts of the last program's outcome that the model does not read.
    fn withheld(&self) -> Withheld {
        if self.agent.policy.quarantine.is_empty() {
            return Withheld::default();
        }
        let sources = self.sources();
        let ProgramLabels { value, printed, met } = &self.labels.of_program;
        Withheld {
            value: sources.withholds(value),
            printed: sources.withholds(printed),
            met: sources.withholds(met),
        }
    }

    fn handle_of(&self, value: &Value) -> Value {
        Value::Symbol(handle(value, &self.known_names()).into())
    }

    /// Returns the test whether a trusted text has a name.
    fn known_names(&self) -> impl Fn(&str) -> bool + use<> {
        let mut sources = self.sources();
        let trusted = self.trusted_text(&sources);
        let unknown = Mark::new("unknown".into(), "unknown".into());
        sources.suspect_literals(Label::from_iter([unknown]), &trusted);
        move |name| sources.literal(&Value::str(name)).is_empty()
    }
}

impl ShownProblem {
    /// Returns the problem with the parts of it that the model reads.
    pub(super) fn of<'p>(&'p self, problem: &Problem<'p>) -> Problem<'p> {
        let (calls, diagnostics) = (&self.calls, self.diagnostics.as_slice());
        match (*problem, diagnostics) {
            (Problem::Failed { .. }, [diagnostic, ..]) => Problem::Failed { diagnostic, calls },
            (Problem::WrongReturn { expected, program, .. }, _) => {
                let (mismatches, received) = (self.mismatches.as_slice(), &self.value);
                Problem::WrongReturn { expected, mismatches, received, program, calls }
            }
            (Problem::HeldReturn { .. }, unseen) => {
                Problem::HeldReturn { unseen, value: &self.value, calls }
            }
            (Problem::WrongPayload { .. }, _) => Problem::WrongPayload { text: NOT_SHOWN, calls },
            (other, _) => other,
        }
    }
}

/// Returns a problem with its code and its place. Its message stays only if it quotes no value.
fn shown_diagnostic(problem: &Diagnostic) -> Diagnostic {
    let (kind, code) = (problem.kind(), problem.code_value());
    let quotes_nothing = kind == Kind::Limit
        || matches!(
            code,
            Code::DivideByZero
                | Code::EndlessSequence
                | Code::Policy
                | Code::ToolCancelled
                | Code::ToolDenied
                | Code::ToolMissing
                | Code::ToolTimeout
                | Code::ToolUsedUp
        );
    if quotes_nothing {
        return problem.clone();
    }
    let what = match kind {
        Kind::Unresolved => "a name is nowhere in the data",
        Kind::Arity => "a function got a wrong number of arguments",
        Kind::Type => "a value is of another kind than the form takes",
        Kind::Arithmetic => "a number is outside the range of the form",
        Kind::Bounds => "a position is outside the value",
        Kind::Tool => "a tool failed",
        Kind::Signature => "a value does not match the signature",
        _ => "the program stopped",
    };
    let message = format!("{what}; the message is not shown, because it may quote data");
    let mut shown = Diagnostic::new(code, message).with_trace(problem.trace().to_vec());
    if let (Some(span), Some(source)) = (problem.span(), problem.shared_source()) {
        shown = shown.at(span).in_source(source);
    }
    shown
}

/// Takes out of a mismatch what it says of the value.
fn hide_value(mismatch: &mut Mismatch, knows: &impl Fn(&str) -> bool) {
    for segment in &mut mismatch.path.0 {
        if let Segment::Field(name) = segment
            && !knows(name)
        {
            NOT_SHOWN.clone_into(name);
        }
    }
    NOT_SHOWN.clone_into(&mut mismatch.found);
    (mismatch.help, mismatch.form) = (None, None);
}
