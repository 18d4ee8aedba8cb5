//! The budget of a run with all its sub-agents.

use serde::{Deserialize, Deserializer, Serialize};

use crate::provider::Cost;
use crate::setters::setters;

/// The ceilings of a run together with its sub-agents; `None` means unlimited. A sub-agent charges the budgets of
/// all runs above it too.
///
/// A run checks its ceilings before it asks the model, before a program computes, and before a call is made. A reply
/// that reaches a ceiling still counts: its program runs, and may return.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, expecting = "the keys of a budget")]
#[non_exhaustive]
pub struct RunBudget {
    /// The largest number of replies of models.
    pub turns: Option<u64>,
    /// The largest number of tool calls.
    pub tool_calls: Option<u64>,
    /// The most fuel of all programs, in units of work.
    pub fuel: Option<u64>,
    /// The largest number of tokens of prompts and replies.
    pub tokens: Option<u64>,
    /// The highest cost of replies. If a provider does not state the cost of a reply, the ceiling cannot be
    /// enforced, and the run ends after that reply.
    pub cost: Option<Cost>,
    /// The largest number of levels of sub-agents below the run. `None` means that a sub-agent adds no bound to those of
    /// the runs above it, and that a run without a caller has [`RunBudget::DEFAULT_DEPTH`] levels.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub depth: Option<u32>,
}

impl Default for RunBudget {
    fn default() -> RunBudget {
        let (turns, depth) = (Some(100), None);
        RunBudget { turns, tool_calls: None, fuel: None, tokens: None, cost: None, depth }
    }
}

impl RunBudget {
    /// The number of levels of sub-agents below a run without a caller, if its budget does not state it.
    pub const DEFAULT_DEPTH: u32 = 3;

    /// Reads the budget of an agent file. Without a number of turns, it has the default.
    pub(super) fn of_file<'de, D: Deserializer<'de>>(from: D) -> Result<RunBudget, D::Error> {
        let budget = RunBudget::deserialize(from)?;
        let turns = budget.turns.or(RunBudget::default().turns);
        Ok(RunBudget { turns, ..budget })
    }
}

setters! {
    RunBudget:
    /// Sets the largest number of replies of models.
    with_turns(turns: u64) => Some;
    /// Sets the largest number of tool calls.
    with_tool_calls(tool_calls: u64) => Some;
    /// Sets the most fuel of all programs, in units of work.
    with_fuel(fuel: u64) => Some;
    /// Sets the largest number of tokens.
    with_tokens(tokens: u64) => Some;
    /// Sets the highest cost.
    with_cost(cost: Cost) => Some;
    /// Sets the largest number of levels of sub-agents.
    with_depth(depth: u32) => Some;
}
