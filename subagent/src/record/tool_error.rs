//! Errors of tool calls: kinds, codes, and whether a retry can help.

use std::time::Duration;

use ptc_lisp::{Code, HiddenTexts, ToolFailure, Value};
use ptc_signatures::Mismatch;

use super::code::{ErrorCode, RunCode};
use super::report::{Fail, RunError};
use crate::data::Data;
use crate::secrets::Secrets;

/// The reason that a call has no result. The message does not contain the tool's name, because the code that shows it
/// adds the name.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct ToolError {
    /// The kind of the failure.
    pub kind: ToolErrorKind,
    /// The message, in lower case.
    pub message: String,
    retry: Retry,
    help: Option<String>,
    advice: Option<String>,
    /// The failure that the called agent declared.
    pub(crate) fail: Option<Box<Fail>>,
}

/// The time at which the same call may succeed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Retry {
    Never,
    Soon,
    After(Duration),
}

/// The longest wait that a tool may ask for. A call that asks for a longer wait is not retried.
const MAX_RETRY_AFTER: Duration = Duration::from_mins(1);

impl ToolError {
    /// Creates an error of `kind`.
    #[cold]
    pub fn new(kind: ToolErrorKind, message: impl Into<String>) -> ToolError {
        let retry = if kind.is_transient() { Retry::Soon } else { Retry::Never };
        ToolError { kind, message: message.into(), retry, help: None, advice: None, fail: None }
    }

    /// Replaces secrets in its texts.
    pub(crate) fn clean(&mut self, secrets: &Secrets) {
        let texts = [Some(&mut self.message), self.help.as_mut(), self.advice.as_mut()];
        texts.into_iter().flatten().for_each(|text| secrets.clean_string(text));
    }

    /// Creates the error of a tool that ran and cannot give a result.
    #[cold]
    pub fn failed(message: impl Into<String>) -> ToolError {
        ToolError::new(ToolErrorKind::Failed, message)
    }

    /// Returns the error without hidden values in its texts. The failure of an agent is its own text.
    pub(crate) fn covered(mut self, hidden: &HiddenTexts) -> ToolError {
        let texts = [Some(&mut self.message), self.help.as_mut(), self.advice.as_mut()];
        for text in texts.into_iter().flatten() {
            *text = hidden.cover(text).into_owned();
        }
        self
    }

    /// Marks the error as permanent: the same call would fail again, so it is not retried.
    #[must_use]
    pub fn permanent(mut self) -> ToolError {
        self.retry = Retry::Never;
        self
    }

    /// Sets the wait before the next attempt. With a wait of more than a minute, the call is not retried.
    #[must_use]
    pub fn with_retry_after(mut self, time: Duration) -> ToolError {
        self.retry = if time > MAX_RETRY_AFTER { Retry::Never } else { Retry::After(time) };
        self
    }

    /// Adds one concrete fix, for the model that wrote the program.
    #[must_use]
    pub fn with_help(mut self, help: impl Into<String>) -> ToolError {
        self.help = Some(help.into());
        self
    }

    /// Adds one concrete fix for the author of the agent. It is in the record and on the terminal; the model does not
    /// read it.
    #[must_use]
    pub fn with_advice(mut self, advice: impl Into<String>) -> ToolError {
        self.advice = Some(advice.into());
        self
    }

    /// Returns the fix for the model that wrote the program.
    pub fn help(&self) -> Option<&str> {
        self.help.as_deref()
    }

    /// Restores an error from a record.
    pub(crate) fn recorded(error: RunError) -> ToolError {
        let RunError { code, message, help, advice, fail, .. } = error;
        let kind = ToolErrorKind::ALL.into_iter().find(|kind| ErrorCode::from(*kind) == code);
        let error = ToolError::new(kind.unwrap_or(ToolErrorKind::Failed), message);
        ToolError { help, advice, fail, ..error }
    }

    /// Creates the error of a call whose agent declared a failure.
    pub(crate) fn of_agent(fail: Fail) -> ToolError {
        let message = format!("failed: {}: {}", fail.reason, fail.message);
        let fail = Some(Box::new(fail));
        ToolError { fail, ..ToolError::new(ToolErrorKind::AgentFailed, message) }
    }

    /// Returns the wait before the next attempt, or `None` if no retry can help. It is `usual` unless the error states
    /// a wait.
    pub(crate) fn retry_delay(&self, usual: Duration) -> Option<Duration> {
        match self.retry {
            Retry::Never => None,
            Retry::Soon => Some(usual),
            Retry::After(time) => Some(time),
        }
    }

    /// Adds the number of attempts to the message, if there were several.
    pub(crate) fn with_attempts(mut self, attempts: u32) -> ToolError {
        if attempts > 1 {
            self.message = format!("{} (after {attempts} attempts)", self.message);
        }
        self
    }
}

/// The kinds of [`ToolError`]. Their codes are stable.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ToolErrorKind {
    /// The tool reports a failure by its error, its exit code or its status.
    Failed,
    /// The arguments do not match the signature; the tool was not called.
    Arguments,
    /// The result does not match the signature.
    Result,
    /// The call exceeded its time limit.
    Timeout,
    /// A part of the tool is missing, such as a program or an environment variable.
    Missing,
    /// The output of the tool is not JSON.
    Output,
    /// The result is larger than the tool's `max_output`.
    TooLarge,
    /// The tool cannot be called: it is for planning only, or it is an agent and there is no run.
    NotCallable,
    /// The tool panicked.
    Panicked,
    /// The call was cancelled, because nothing needed its result any longer. It may have had an effect.
    Cancelled,
    /// The sub-agent failed with its own reason.
    AgentFailed,
    /// The sub-agent stopped before it returned a value.
    AgentStopped,
    /// The nesting limit of sub-agents is reached.
    Depth,
    /// The run has used all the calls of the tool that it may make.
    UsedUp,
    /// A person refused the call.
    Denied,
    /// Nobody can answer a question, or it has expired.
    Unanswered,
}

impl ToolErrorKind {
    const ALL: [ToolErrorKind; 16] = [
        ToolErrorKind::Failed,
        ToolErrorKind::Arguments,
        ToolErrorKind::Result,
        ToolErrorKind::Timeout,
        ToolErrorKind::Missing,
        ToolErrorKind::Output,
        ToolErrorKind::TooLarge,
        ToolErrorKind::NotCallable,
        ToolErrorKind::Panicked,
        ToolErrorKind::Cancelled,
        ToolErrorKind::AgentFailed,
        ToolErrorKind::AgentStopped,
        ToolErrorKind::Depth,
        ToolErrorKind::UsedUp,
        ToolErrorKind::Denied,
        ToolErrorKind::Unanswered,
    ];

    /// Returns the stable kebab-case code.
    pub fn code(self) -> &'static str {
        match self {
            ToolErrorKind::NotCallable => "tool-not-callable",
            kind => kind.diagnostic().as_str(),
        }
    }

    /// Returns whether the same call may succeed later.
    fn is_transient(self) -> bool {
        matches!(self, ToolErrorKind::Failed | ToolErrorKind::Timeout | ToolErrorKind::Output)
    }

    pub(crate) fn diagnostic(self) -> Code {
        match self {
            ToolErrorKind::Failed => Code::ToolFailed,
            ToolErrorKind::Arguments => Code::ToolArguments,
            ToolErrorKind::Result => Code::ToolResult,
            ToolErrorKind::Timeout => Code::ToolTimeout,
            ToolErrorKind::Missing => Code::ToolMissing,
            ToolErrorKind::Output => Code::ToolOutput,
            ToolErrorKind::TooLarge => Code::ToolTooLarge,
            ToolErrorKind::NotCallable => Code::PlanningTool,
            ToolErrorKind::Panicked => Code::ToolPanicked,
            ToolErrorKind::Cancelled => Code::ToolCancelled,
            ToolErrorKind::AgentFailed => Code::AgentFailed,
            ToolErrorKind::AgentStopped => Code::AgentStopped,
            ToolErrorKind::Depth => Code::NestingLimit,
            ToolErrorKind::UsedUp => Code::ToolUsedUp,
            ToolErrorKind::Denied => Code::ToolDenied,
            ToolErrorKind::Unanswered => Code::Unanswered,
        }
    }
}

impl From<ToolErrorKind> for ErrorCode {
    fn from(kind: ToolErrorKind) -> ErrorCode {
        match kind {
            ToolErrorKind::NotCallable => RunCode::ToolNotCallable.into(),
            kind => kind.diagnostic().into(),
        }
    }
}

impl From<&ToolError> for ToolFailure {
    fn from(error: &ToolError) -> ToolFailure {
        let mut failure = ToolFailure::new(&error.message);
        failure.code = error.kind.diagnostic();
        failure.help.clone_from(&error.help);
        failure.advice.clone_from(&error.advice);
        if error.kind == ToolErrorKind::TooLarge {
            failure.help.get_or_insert_with(|| "ask for less at once".to_string());
            failure.advice.get_or_insert_with(|| "raise `max_output` of the tool".to_string());
        }
        failure.data = Box::new(error.fail.as_deref().map_or(Value::Nil, failure_data));
        failure
    }
}

impl From<&ToolError> for RunError {
    fn from(error: &ToolError) -> RunError {
        let ToolFailure { help, advice, .. } = ToolFailure::from(error);
        let fail = error.fail.clone();
        RunError { help, advice, fail, ..RunError::new(error.kind, &error.message) }
    }
}

/// Returns the failure of a called agent as the program that called it reads it with `ex-data`.
fn failure_data(fail: &Fail) -> Value {
    let of = |name: &str, value: &Data| {
        (!value.is_null()).then(|| (Value::keyword(name), value.value().clone()))
    };
    let own = [
        (Value::keyword("message"), Value::str(&fail.message)),
        (Value::keyword("reason"), Value::keyword(&fail.reason)),
    ];
    let op = fail.details.get("op").and_then(|op| of("op", &op));
    Value::map(own.into_iter().chain(op).chain(of("details", &fail.details)))
}

/// The maximum number of mismatches in one message. More of them would not help a reader.
const MAX_SHOWN: usize = 5;

/// Returns an error for the mismatches, if there are any. It redacts the values of hidden fields, because programs and
/// models read the message.
pub(crate) fn refuse(
    kind: ToolErrorKind,
    what: &str,
    mismatches: &[Mismatch],
) -> Result<(), ToolError> {
    if mismatches.is_empty() {
        return Ok(());
    }
    let shown: Vec<Mismatch> = mismatches.iter().map(Mismatch::redacted).collect();
    Err(ToolError::new(kind, format!("{what}: {}", list(&shown))))
}

/// Returns the first few mismatches on one line.
pub(crate) fn list(mismatches: &[Mismatch]) -> String {
    let mut shown: Vec<_> = mismatches.iter().take(MAX_SHOWN).map(ToString::to_string).collect();
    if mismatches.len() > MAX_SHOWN {
        shown.push(format!("and {} more", mismatches.len() - MAX_SHOWN));
    }
    shown.join("; ")
}
