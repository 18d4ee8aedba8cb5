//! Checks of a payload against its signature, at the start and at the end of a run.

use std::fmt::{self, Display, Formatter};

use ptc_signatures::{Mismatch, Type, check};
use serde::{Deserialize, Serialize};

use super::template::{Template, TemplateError};
use crate::Data;
use crate::words::words;

/// The signature of a payload, with the effects of a payload that does not fit.
///
/// ```
/// use ptc_subagent::Data;
/// use ptc_subagent::payload::{Contract, EndCheck, Verdict};
/// use serde_json::json;
///
/// let contract = Contract::new("{summary :string[1..], score :float[0..100]}".parse()?)
///     .with_end(EndCheck::Retry, 1);
/// let payload = Data::from(json!({"summary": "", "score": 120}));
///
/// let check = contract.at_end(&payload, 0);
/// assert_eq!(check.verdict, Verdict::Retry);
/// assert_eq!(check.to_string(), "\
/// Final payload validation failed:
/// 1. summary: expected string of at least 1 character, found string \"\"
/// 2. score: expected float from 0 to 100, found int 120
/// Retry attempt 1 of 1");
/// assert_eq!(contract.at_end(&payload, 1).verdict, Verdict::Fail);
/// # Ok::<(), ptc_signatures::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Contract {
    signature: Type,
    start: StartCheck,
    end: EndCheck,
    retries: u32,
}

words! {
    /// The effect of a payload that does not fit at the start of a run: `check_start`.
    pub enum StartCheck {
        /// The run fails before its first request. This is the default.
        Fail = "fail",
        /// The run continues with a warning.
        Warn = "warn",
    }
}

words! {
    /// The effect of a payload that does not fit at the end of a run: `check_end`.
    pub enum EndCheck {
        /// The model reads the problems and goes on, a limited number of times; then the run fails. This is the
        /// default.
        Retry = "retry",
        /// The run fails.
        Fail = "fail",
        /// The run ends with a warning.
        Warn = "warn",
    }
}

words! {
    /// The outcome of a check, as it is recorded.
    pub enum Verdict {
        /// The payload fits.
        Pass = "pass",
        /// It does not fit. The run continues with a warning.
        Warn = "warn",
        /// It does not fit, and the model tries again.
        Retry = "retry",
        /// It does not fit, and the run fails.
        Fail = "fail",
    }
}

/// The number of retries of a [`Contract`] that sets none.
pub const DEFAULT_RETRIES: u32 = 3;

/// The outcome of one check. It prints as the feedback of a model, with numbered problems.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PayloadCheck {
    /// The outcome.
    pub verdict: Verdict,
    /// The problems, in the order of the signature. Values of hidden fields are left out.
    pub problems: Vec<String>,
    /// The number of this retry and the maximum, if the verdict is about retries.
    pub retry: Option<(u32, u32)>,
    /// Whether the check is that of the end.
    pub at_end: bool,
}

impl Contract {
    /// Returns the contract of a signature, with the defaults: `fail` at the start, `retry` at the end.
    pub fn new(signature: Type) -> Contract {
        let (start, end) = (StartCheck::Fail, EndCheck::Retry);
        Contract { signature, start, end, retries: DEFAULT_RETRIES }
    }

    /// Returns the contract of a validation template.
    ///
    /// # Errors
    ///
    /// [`TemplateError`] if the template is malformed.
    pub fn from_template(template: &Data) -> Result<Contract, TemplateError> {
        Ok(Contract::new(Template::read(template)?.signature))
    }

    /// Sets the effect at the start.
    #[must_use]
    pub fn with_start(mut self, start: StartCheck) -> Contract {
        self.start = start;
        self
    }

    /// Sets the effect at the end, and the maximum number of retries.
    #[must_use]
    pub fn with_end(mut self, end: EndCheck, retries: u32) -> Contract {
        self.end = end;
        self.retries = retries;
        self
    }

    /// Returns the signature.
    pub fn signature(&self) -> &Type {
        &self.signature
    }

    /// Returns the effect at the start.
    pub fn start_check(&self) -> StartCheck {
        self.start
    }

    /// Returns the effect at the end.
    pub fn end_check(&self) -> EndCheck {
        self.end
    }

    /// Returns the maximum number of retries.
    pub fn retries(&self) -> u32 {
        self.retries
    }

    /// Checks the payload before the first request.
    pub fn at_start(&self, payload: &Data) -> PayloadCheck {
        let problems = self.problems(payload);
        let verdict = match self.start {
            _ if problems.is_empty() => Verdict::Pass,
            StartCheck::Warn => Verdict::Warn,
            // An unknown word must not let a bad payload through.
            StartCheck::Fail | StartCheck::Unknown(_) => Verdict::Fail,
        };
        PayloadCheck { verdict, problems, retry: None, at_end: false }
    }

    /// Checks the payload at the end of a run that has already had this number of retries.
    pub fn at_end(&self, payload: &Data, retries: u32) -> PayloadCheck {
        let problems = self.problems(payload);
        let (verdict, retry) = match self.end {
            _ if problems.is_empty() => (Verdict::Pass, None),
            EndCheck::Warn => (Verdict::Warn, None),
            EndCheck::Retry if retries < self.retries => {
                (Verdict::Retry, Some((retries + 1, self.retries)))
            }
            EndCheck::Retry => (Verdict::Fail, Some((self.retries, self.retries))),
            EndCheck::Fail | EndCheck::Unknown(_) => (Verdict::Fail, None),
        };
        PayloadCheck { verdict, problems, retry, at_end: true }
    }

    fn problems(&self, payload: &Data) -> Vec<String> {
        let mismatches = check(&self.signature, payload.value());
        mismatches.iter().map(Mismatch::redacted).map(|it| it.to_string()).collect()
    }
}

impl Display for PayloadCheck {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let which = if self.at_end { "Final" } else { "Starting" };
        if self.verdict == Verdict::Pass {
            return write!(f, "{which} payload validation passed");
        }
        write!(f, "{which} payload validation failed:")?;
        for (at, problem) in self.problems.iter().enumerate() {
            write!(f, "\n{}. {problem}", at + 1)?;
        }
        match (self.verdict, self.retry) {
            (Verdict::Retry, Some((retry, max))) => write!(f, "\nRetry attempt {retry} of {max}"),
            (Verdict::Fail, Some((_, max))) => {
                write!(f, "\nMax validation retries ({max}) exceeded.")
            }
            _ => Ok(()),
        }
    }
}
