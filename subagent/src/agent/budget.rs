//! What a run may take, with all its sub-agents.

use crate::provider::Cost;

/// What a run may take together with its sub-agents; `None` is no ceiling. What a sub-agent takes comes out of
/// the budgets of all runs above it.
///
/// Ceilings are looked at before each step outside: before the model is asked, before a program computes on,
/// before a call is made. A reply that brings a run to its ceiling still counts: its program runs, and may
/// return.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct RunBudget {
    /// Replies of models.
    pub turns: Option<u64>,
    /// Tool calls.
    pub tool_calls: Option<u64>,
    /// Work of all programs.
    pub fuel: Option<u64>,
    /// Tokens of prompts and replies.
    pub tokens: Option<u64>,
    /// What replies cost. A provider that does not say what a reply costs cannot be held to it: then the run
    /// ends after that reply.
    pub cost: Option<Cost>,
    /// How many levels of sub-agents a run may have below it.
    pub depth: u32,
}

impl Default for RunBudget {
    fn default() -> RunBudget {
        let (turns, depth) = (Some(100), 3);
        RunBudget { turns, tool_calls: None, fuel: None, tokens: None, cost: None, depth }
    }
}

impl RunBudget {
    /// Sets the most replies of models.
    #[must_use]
    pub fn with_turns(mut self, turns: u64) -> RunBudget {
        self.turns = Some(turns);
        self
    }

    /// Sets the most tool calls.
    #[must_use]
    pub fn with_tool_calls(mut self, calls: u64) -> RunBudget {
        self.tool_calls = Some(calls);
        self
    }

    /// Sets the most work of programs.
    #[must_use]
    pub fn with_fuel(mut self, fuel: u64) -> RunBudget {
        self.fuel = Some(fuel);
        self
    }

    /// Sets the most tokens.
    #[must_use]
    pub fn with_tokens(mut self, tokens: u64) -> RunBudget {
        self.tokens = Some(tokens);
        self
    }

    /// Sets the most money.
    #[must_use]
    pub fn with_cost(mut self, cost: Cost) -> RunBudget {
        self.cost = Some(cost);
        self
    }

    /// Sets how many levels of sub-agents there may be.
    #[must_use]
    pub fn with_depth(mut self, depth: u32) -> RunBudget {
        self.depth = depth;
        self
    }
}
