//! Who may do what: the caller of a request, and the one function that every handler asks.

use crate::problem::Problem;

/// The one who makes a request.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Caller {
    /// The name of the token; `None` where the server has no tokens.
    pub(crate) name: Option<String>,
}

/// The levels of actions, each of which includes those before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Action {
    /// To see agents and runs.
    View,
    /// To start runs, and to answer, cancel and resume them.
    Run,
}

/// Returns whether a caller may do this with the agent of this name and its runs.
///
/// # Errors
///
/// The problem to answer with.
#[expect(clippy::unnecessary_wraps, reason = "without tokens all is allowed")]
pub(crate) fn allow(_caller: &Caller, _action: Action, _agent: &str) -> Result<(), Problem> {
    Ok(())
}

/// Returns whether a caller may see the runs of all agents, also of those that are not served.
pub(crate) fn sees_all(_caller: &Caller) -> bool {
    true
}
