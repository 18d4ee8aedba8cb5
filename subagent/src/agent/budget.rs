//! The budget of a run with all its sub-agents.

use serde::{Deserialize, Deserializer, Serialize};

use crate::provider::Cost;

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

    /// Sets the largest number of replies of models.
    #[must_use]
    pub fn with_turns(mut self, turns: u64) -> RunBudget {
        self.turns = Some(turns);
        self
    }

    /// Sets the largest number of tool calls.
    #[must_use]
    pub fn with_tool_calls(mut self, calls: u64) -> RunBudget {
        self.tool_calls = Some(calls);
        self
    }

    /// Sets the most fuel of all programs, in units of work.
    #[must_use]
    pub fn with_fuel(mut self, fuel: u64) -> RunBudget {
        self.fuel = Some(fuel);
        self
    }

    /// Sets the largest number of tokens.
    #[must_use]
    pub fn with_tokens(mut self, tokens: u64) -> RunBudget {
        self.tokens = Some(tokens);
        self
    }

    /// Sets the highest cost.
    #[must_use]
    pub fn with_cost(mut self, cost: Cost) -> RunBudget {
        self.cost = Some(cost);
        self
    }

    /// Sets the largest number of levels of sub-agents.
    #[must_use]
    pub fn with_depth(mut self, depth: u32) -> RunBudget {
        self.depth = Some(depth);
        self
    }
}
