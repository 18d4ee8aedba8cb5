//! Why a call has no result: kinds, codes, and whether trying again can help.

use std::time::Duration;

use ptc_lisp::{Code, ToolFailure};
use ptc_signatures::Mismatch;

use crate::run::{ErrorCode, RunError};

/// Why a call has no result. The message does not name the tool: whoever shows it does.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct ToolError {
    /// What kind of failure it is.
    pub kind: ToolErrorKind,
    /// What happened, in lower case.
    pub message: String,
    again: Again,
    help: Option<String>,
    advice: Option<String>,
}

/// When the same call may go well.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Again {
    Never,
    Soon,
    After(Duration),
}

/// A tool that asks for a longer wait is not tried again.
const MAX_RETRY_AFTER: Duration = Duration::from_mins(1);

impl ToolError {
    /// Makes an error of `kind`.
    #[cold]
    pub fn new(kind: ToolErrorKind, message: impl Into<String>) -> ToolError {
        let again = if kind.is_transient() { Again::Soon } else { Again::Never };
        ToolError { kind, message: message.into(), again, help: None, advice: None }
    }

    /// Makes the error of a tool that did its work and cannot give a result.
    #[cold]
    pub fn failed(message: impl Into<String>) -> ToolError {
        ToolError::new(ToolErrorKind::Failed, message)
    }

    /// Says that the same call would fail again, so that it is not tried.
    #[must_use]
    pub fn permanent(mut self) -> ToolError {
        self.again = Again::Never;
        self
    }

    /// Says how long to wait before the call is tried again. More than a minute is not waited for.
    #[must_use]
    pub fn with_retry_after(mut self, time: Duration) -> ToolError {
        self.again = if time > MAX_RETRY_AFTER { Again::Never } else { Again::After(time) };
        self
    }

    /// Adds one concrete thing to do about it, for the model that wrote the program.
    #[must_use]
    pub fn with_help(mut self, help: impl Into<String>) -> ToolError {
        self.help = Some(help.into());
        self
    }

    /// Adds one thing that the author of the agent can do about it. It is on record and on the terminal; a model is
    /// not told.
    #[must_use]
    pub fn with_advice(mut self, advice: impl Into<String>) -> ToolError {
        self.advice = Some(advice.into());
        self
    }

    /// Takes an error back from a record.
    pub(crate) fn recorded(error: RunError) -> ToolError {
        let RunError { code, message, help, advice, .. } = error;
        let kind = ToolErrorKind::ALL.into_iter().find(|kind| ErrorCode::from(*kind) == code);
        let error = ToolError::new(kind.unwrap_or(ToolErrorKind::Failed), message);
        ToolError { help, advice, ..error }
    }

    /// Returns how long to wait before the next attempt, which is `usual` if the error knows no better;
    /// none if there is to be no other.
    pub(super) fn wait(&self, usual: Duration) -> Option<Duration> {
        match self.again {
            Again::Never => None,
            Again::Soon => Some(usual),
            Again::After(time) => Some(time),
        }
    }

    /// Adds how often the call was tried, if that was more than once.
    pub(super) fn after(mut self, attempts: u32) -> ToolError {
        if attempts > 1 {
            self.message = format!("{} (after {attempts} attempts)", self.message);
        }
        self
    }
}

/// The kinds of [`ToolError`]. Codes are stable.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ToolErrorKind {
    /// The tool says that it failed: its error, its exit code or its status.
    Failed,
    /// The arguments do not match the signature; the tool was not called.
    Arguments,
    /// The result does not match the signature.
    Result,
    /// No result in time.
    Timeout,
    /// What the tool is made of is not there: a program, a variable of the environment.
    Missing,
    /// What the tool answered is no JSON.
    Output,
    /// The result is larger than the tool's `max_output`.
    TooLarge,
    /// The tool is only there to plan with.
    NotCallable,
    /// The tool panicked.
    Panicked,
    /// The call was cancelled, since nobody would have looked at its result. It may have had an effect.
    Cancelled,
    /// The sub-agent failed with a reason of its own.
    AgentFailed,
    /// The sub-agent was stopped before it had a value.
    AgentStopped,
    /// There may be no further level of sub-agents.
    Depth,
    /// The calls of the tool that a run may make are used up.
    UsedUp,
}

impl ToolErrorKind {
    const ALL: [ToolErrorKind; 14] = [
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
    ];

    /// Returns the stable kebab-case code.
    pub fn code(self) -> &'static str {
        match self {
            ToolErrorKind::NotCallable => "tool-not-callable",
            kind => kind.diagnostic().as_str(),
        }
    }

    /// Whether the same call may go well another time.
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
        failure
    }
}

/// More than these in one message tell nobody anything new.
const MAX_SHOWN: usize = 5;

/// The message goes to programs and models: it does not say what is in hidden fields.
pub(super) fn refuse(
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

/// Returns mismatches on one line, the first few of them.
pub(crate) fn list(mismatches: &[Mismatch]) -> String {
    let mut shown: Vec<_> = mismatches.iter().take(MAX_SHOWN).map(ToString::to_string).collect();
    if mismatches.len() > MAX_SHOWN {
        shown.push(format!("and {} more", mismatches.len() - MAX_SHOWN));
    }
    shown.join("; ")
}
