//! The budget of a program.

use ptc_values::limits::Limits;

/// The remaining budget of one program, or of all programs of a run in turn.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Budget {
    /// The remaining fuel.
    pub fuel: u64,
    /// The remaining tool calls.
    pub tool_calls: u32,
    /// The fuel after which [`Machine::run`] yields, so that its driver can look at its clock.
    pub slice: u64,
}

impl Budget {
    /// Returns the full budget of one program.
    pub fn new(limits: &Limits) -> Budget {
        Budget { fuel: limits.fuel, tool_calls: limits.tool_calls, slice: 100_000 }
    }
}
