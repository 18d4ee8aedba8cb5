//! The codes and kinds of problems in runs.

use std::str::FromStr;

use ptc_lisp::{Code, Kind};
use ptc_prompt::Problem;
use ptc_signatures::Warning;

use crate::provider::ProviderErrorKind;
use crate::words::{NotAWord, Word, as_text, words};

/// The stable code of a problem: of the language and its tools, of a provider, or of the run itself.
///
/// ```
/// use ptc_lisp::Code;
/// use ptc_subagent::{ErrorCode, RunCode};
///
/// assert_eq!("fuel-limit".parse(), Ok(ErrorCode::Language(Code::FuelLimit)));
/// assert_eq!(ErrorCode::Run(RunCode::InDoubt).as_str(), "in-doubt");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ErrorCode {
    /// The code of a diagnostic of the language, or of a tool error.
    Language(Code),
    /// The reason a provider gave no reply.
    Provider(ProviderErrorKind),
    /// Any other code, also one that this version does not know.
    Run(RunCode),
}

words! {
    /// The codes of a run that belong neither to the language nor to a provider.
    pub enum RunCode {
        /// The reply has no program.
        NoProgram = "no-program",
        /// The reply is empty, or its code block is.
        EmptyReply = "empty-reply",
        /// The reply has more than one program.
        SeveralPrograms = "several-programs",
        /// The reply stops before its end.
        CutOff = "cut-off",
        /// The program was refused without a reason.
        Rejected = "rejected",
        /// The reply has no JSON.
        NoAnswer = "no-answer",
        /// The reply has another form than its answer style.
        WrongForm = "wrong-form",
        /// A value was changed to match a signature.
        Coerced = "coerced",
        /// A value does not match a signature and was let through.
        Mismatch = "mismatch",
        /// The input has a key that the signature does not name.
        UnknownKey = "unknown-key",
        /// A part of the settings of the run has no effect.
        UnusedSetting = "unused-setting",
        /// The answer is the value of an earlier turn.
        Fallback = "fallback",
        /// The answer is partial, since no turn was left.
        Partial = "partial",
        /// A value of a program has no text form, so later programs do not have it.
        NotKept = "not-kept",
        /// The payload does not match its signature.
        WrongPayload = "wrong-payload",
        /// A sub-agent changed a part of the payload that it may not change.
        PayloadBlocked = "payload-blocked",
        /// The run could not continue from the payload of another run.
        PayloadLost = "payload-lost",
        /// A source could not be loaded.
        SourceFailed = "source-failed",
        /// No snapshot of a turn could be taken.
        NoSnapshot = "no-snapshot",
        /// No turn is left, and the last program did not return.
        TurnLimit = "turn-limit",
        /// The run reached its time limit.
        RunTimeLimit = "run-time-limit",
        /// The fuel of a budget is used up.
        FuelBudget = "fuel-budget",
        /// The turns of a budget are used up.
        TurnBudget = "turn-budget",
        /// The tokens of a budget are used up.
        TokenBudget = "token-budget",
        /// The money of a budget is used up.
        CostBudget = "cost-budget",
        /// The tool calls of a budget are used up.
        ToolCallBudget = "tool-call-budget",
        /// The money of a budget is limited, and the cost of a reply is unknown.
        CostUnknown = "cost-unknown",
        /// A program called a tool that is only for planning.
        ToolNotCallable = "tool-not-callable",
        /// The outcome of a call that writes is unknown.
        InDoubt = "in-doubt",
        /// The model did not reply, so the run goes on with another one.
        ModelSwitched = "model-switched",
        /// The observer of the run failed, and the run went on.
        ObserverFailed = "observer-failed",
        /// The run was cancelled.
        Cancelled = "cancelled",
        /// A bug in this library.
        Internal = "internal",
        /// The record does not say what went wrong.
        Unexplained = "unknown",
    }
}

/// The kind of problem that a code belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ProblemKind {
    /// A kind that diagnostics of the language share.
    Language(Kind),
    /// The provider gave no reply, or a reply needed a retry or another workaround.
    Provider,
    /// A word that this version does not know.
    Unknown(Word),
}

impl ErrorCode {
    /// Returns every code of this version.
    pub fn all() -> impl Iterator<Item = ErrorCode> {
        let language = Code::ALL.iter().copied().map(ErrorCode::Language);
        let provider = ProviderErrorKind::ALL.into_iter().map(ErrorCode::Provider);
        language.chain(provider).chain(RunCode::ALL.iter().copied().map(ErrorCode::Run))
    }

    /// Returns the stable kebab-case code.
    pub fn as_str(&self) -> &str {
        match self {
            ErrorCode::Language(code) => code.as_str(),
            ErrorCode::Provider(kind) => kind.code(),
            ErrorCode::Run(code) => code.as_str(),
        }
    }

    /// Returns whether a warning of this code is about a request to a model.
    pub(crate) fn is_of_request(&self) -> bool {
        matches!(self, ErrorCode::Provider(_) | ErrorCode::Run(RunCode::ModelSwitched))
    }

    /// Returns the kind of problem.
    pub fn kind(&self) -> ProblemKind {
        match self {
            ErrorCode::Language(code) => code.kind().into(),
            ErrorCode::Provider(_) | ErrorCode::Run(RunCode::ModelSwitched) => {
                ProblemKind::Provider
            }
            ErrorCode::Run(code) => code.kind().into(),
        }
    }
}

impl RunCode {
    fn kind(self) -> Kind {
        match self {
            RunCode::Coerced | RunCode::Mismatch | RunCode::UnknownKey | RunCode::WrongPayload => {
                Kind::Signature
            }
            RunCode::Fallback
            | RunCode::Partial
            | RunCode::NoSnapshot
            | RunCode::TurnLimit
            | RunCode::RunTimeLimit
            | RunCode::FuelBudget
            | RunCode::TurnBudget
            | RunCode::TokenBudget
            | RunCode::CostBudget
            | RunCode::ToolCallBudget
            | RunCode::CostUnknown => Kind::Limit,
            RunCode::ToolNotCallable | RunCode::InDoubt => Kind::Tool,
            RunCode::NoProgram
            | RunCode::EmptyReply
            | RunCode::SeveralPrograms
            | RunCode::CutOff
            | RunCode::Rejected
            | RunCode::NoAnswer
            | RunCode::WrongForm
            | RunCode::NotKept
            | RunCode::PayloadBlocked
            | RunCode::PayloadLost
            | RunCode::ModelSwitched
            | RunCode::SourceFailed
            | RunCode::UnusedSetting
            | RunCode::ObserverFailed
            | RunCode::Cancelled
            | RunCode::Internal
            | RunCode::Unexplained
            | RunCode::Unknown(_) => Kind::Other,
        }
    }
}

impl FromStr for ErrorCode {
    type Err = NotAWord;

    fn from_str(text: &str) -> Result<ErrorCode, NotAWord> {
        let known = ErrorCode::all().find(|it| it.as_str() == text);
        known.map_or_else(|| text.parse().map(ErrorCode::Run), Ok)
    }
}

as_text!(ErrorCode);

impl ProblemKind {
    /// Returns the stable word: `type`, `tool`, `limit`, `provider` …
    pub fn as_str(&self) -> &str {
        match self {
            ProblemKind::Language(kind) => kind.as_str(),
            ProblemKind::Provider => "provider",
            ProblemKind::Unknown(word) => word.as_str(),
        }
    }
}

impl FromStr for ProblemKind {
    type Err = NotAWord;

    fn from_str(text: &str) -> Result<ProblemKind, NotAWord> {
        let language = Kind::ALL.iter().copied().map(ProblemKind::Language);
        let known = language.chain([ProblemKind::Provider]).find(|it| it.as_str() == text);
        known.or_else(|| Word::new(text).map(ProblemKind::Unknown)).ok_or(NotAWord)
    }
}

as_text!(ProblemKind);

impl From<Kind> for ProblemKind {
    fn from(kind: Kind) -> ProblemKind {
        ProblemKind::Language(kind)
    }
}

impl From<Code> for ErrorCode {
    fn from(code: Code) -> ErrorCode {
        ErrorCode::Language(code)
    }
}

impl From<ProviderErrorKind> for ErrorCode {
    fn from(kind: ProviderErrorKind) -> ErrorCode {
        ErrorCode::Provider(kind)
    }
}

impl From<RunCode> for ErrorCode {
    fn from(code: RunCode) -> ErrorCode {
        ErrorCode::Run(code)
    }
}

impl From<&Warning> for ErrorCode {
    fn from(warning: &Warning) -> ErrorCode {
        match warning {
            Warning::Coerced(_) => RunCode::Coerced.into(),
            Warning::Mismatch(_) => RunCode::Mismatch.into(),
        }
    }
}

impl From<&Problem<'_>> for ErrorCode {
    fn from(problem: &Problem<'_>) -> ErrorCode {
        match problem {
            Problem::NoProgram { .. } => RunCode::NoProgram.into(),
            Problem::Empty => RunCode::EmptyReply.into(),
            Problem::SeveralPrograms { .. } => RunCode::SeveralPrograms.into(),
            Problem::CutOff => RunCode::CutOff.into(),
            Problem::NoAnswer => RunCode::NoAnswer.into(),
            Problem::Form { .. } => RunCode::WrongForm.into(),
            Problem::Rejected { diagnostics: [first, ..] } => first.code_value().into(),
            Problem::Failed { diagnostic, .. } => diagnostic.code_value().into(),
            Problem::WrongReturn { .. } => Code::WrongReturn.into(),
            _ => RunCode::Rejected.into(),
        }
    }
}
