//! Workflows: agents whose program a person wrote.

use std::path::PathBuf;
use std::time::Duration;

use ptc_lisp::Limits;

/// The program of a workflow. See [`Agent::workflow`](super::Agent::workflow).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Workflow {
    /// The source.
    pub program: String,
    /// The file of the source, if it comes from one.
    pub file: Option<PathBuf>,
}

/// The fuel of one turn of a workflow.
const FUEL: u64 = 1_000_000_000;

/// The longest time that an agent file can state. A workflow has no time limit of its own below it.
const NO_TIME_LIMIT: Duration = Duration::from_hours(365 * 24);

/// Returns the limits of the program of a workflow: more fuel than a model's program has, any number of calls, and no
/// limit of computing time. The budget of the run still holds.
pub(super) fn limits() -> Limits {
    let mut limits = Limits { program_time: NO_TIME_LIMIT, fuel: FUEL, ..Limits::default() };
    limits.tool_calls = u32::MAX;
    limits
}
