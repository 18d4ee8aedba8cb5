//! Calls with an unknown outcome: the error of their run, and the decisions of a user about them.

use std::collections::{BTreeMap, BTreeSet};

use super::question::Answers;
use crate::data::Data;
use crate::record::{CallInDoubt, RunCode, RunError};

/// The decisions of a user about calls in doubt, by the key of the call, and answers to questions.
#[derive(Clone, Debug, Default)]
pub(crate) struct Decisions {
    /// The calls to make again.
    pub(crate) retry: BTreeSet<String>,
    /// The results of calls that are declared done.
    pub(crate) done: BTreeMap<String, Data>,
    /// The answers to questions.
    pub(crate) answers: Answers,
}

/// Returns the error of a run that stops because the outcome of calls is unknown.
pub(super) fn in_doubt_error(calls: Vec<CallInDoubt>) -> RunError {
    let names: Vec<String> =
        calls.iter().map(|it| format!("`{}` ({})", it.tool, it.call)).collect();
    let message = match names.as_slice() {
        [] => "the outcome of a call of a sub-agent is unknown".to_string(),
        names => format!("the outcome of {} is unknown, and the tool writes", names.join(", ")),
    };
    let mut error = RunError::new(RunCode::InDoubt, message);
    error.in_doubt = calls;
    error.help = Some(
        "check what the tool did, then resume with `--assume-done CALL JSON` or with `--retry CALL`"
            .to_string(),
    );
    error
}
