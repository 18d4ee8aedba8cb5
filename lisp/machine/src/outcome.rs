//! The outcomes of programs.

use ptc_values::{Diagnostic, Value};

/// The outcome of a program.
#[derive(Debug)]
pub enum Outcome {
    /// The value of its last form.
    Value(Value),
    /// The value of `(return value)`.
    Return(Value),
    /// The argument of `(flow/continue state)`.
    Continue(Value),
    /// The argument of `(fail …)`.
    Fail(Failure),
    /// An error or a limit.
    Error(Diagnostic),
}

/// The argument of `fail`.
#[derive(Debug, Clone)]
pub struct Failure {
    /// The name under `:reason`; `failed` if there is none.
    pub reason: String,
    /// The text under `:message`; the whole value if there is none.
    pub message: String,
    /// The whole argument.
    pub details: Value,
}

impl Failure {
    pub(super) fn of(details: Value) -> Failure {
        let text = |key| details.get(key).filter(|value| !value.is_nil());
        let reason = text("reason").map_or_else(
            || "failed".to_owned(),
            |reason| ptc_values::print::display(reason).trim_start_matches(':').to_owned(),
        );
        let message = match text("message") {
            Some(message) => ptc_values::print::display(message),
            None => ptc_values::print::display(&details),
        };
        Failure { reason, message, details }
    }
}

/// Makes an outcome of a value.
pub(super) type Wrap = fn(Value) -> Outcome;

/// The outcome of `fail`.
pub(super) fn failed_with(details: Value) -> Outcome {
    Outcome::Fail(Failure::of(details))
}
