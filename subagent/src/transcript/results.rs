//! The rules about results that expire.

use serde::{Deserialize, Serialize};

use crate::setters::setters;

/// The rule about the results of a tool, or about all results. A part that is not set comes from the rule around it: a
/// tool's from its agent, an agent's from the defaults.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
#[non_exhaustive]
pub struct ResultRule {
    /// The number of turns after which a result expires. The result of turn 1 with a limit of 2 is whole in the requests
    /// of the turns 2 and 3. Without a number, results do not expire.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub result_turns: Option<u32>,
    /// The form of an expired result. By default, its beginning stays.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub result_after: Option<AfterExpiry>,
    /// The number of characters that stay of an expired result, and the length that a summary aims at; 500 by default.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub result_length: Option<u32>,
    /// The system prompt of the request for a summary; by default one of `ptc`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub summary_prompt: Option<String>,
    /// Whether the model can get an expired result back; true by default.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub keep_original: Option<bool>,
}

/// The form of an expired result.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum AfterExpiry {
    /// A note replaces it.
    Remove,
    /// Its first characters stay.
    #[default]
    First,
    /// A summary by the model of the run replaces it. If there is none, its first characters stay.
    Summary,
}

/// The number of characters that stay of an expired result, if no rule sets it.
const LENGTH: u32 = 500;

impl ResultRule {
    /// Returns this rule, with its missing parts from another one.
    pub(crate) fn or(&self, other: &ResultRule) -> ResultRule {
        ResultRule {
            result_turns: self.result_turns.or(other.result_turns),
            result_after: self.result_after.or(other.result_after),
            result_length: self.result_length.or(other.result_length),
            summary_prompt: self.summary_prompt.clone().or_else(|| other.summary_prompt.clone()),
            keep_original: self.keep_original.or(other.keep_original),
        }
    }

    /// Returns the number of characters that stay.
    pub(crate) fn length(&self) -> u32 {
        self.result_length.unwrap_or(LENGTH)
    }

    /// Returns whether the model can get an expired result back.
    pub(crate) fn keeps_original(&self) -> bool {
        self.keep_original.unwrap_or(true)
    }

    /// Returns the first key that is 0 and must not be.
    pub(crate) fn fault(&self) -> Option<&'static str> {
        (self.result_turns == Some(0)).then_some("result_turns")
    }
}

setters! {
    ResultRule:
    /// Sets the number of turns after which results expire.
    with_result_turns(result_turns: u32) => Some;
    /// Sets the form of expired results.
    with_result_after(result_after: AfterExpiry) => Some;
    /// Sets the number of characters that stay of an expired result.
    with_result_length(result_length: u32) => Some;
    /// Sets the system prompt of requests for summaries.
    with_summary_prompt(summary_prompt: String) => Some;
    /// Sets whether the model can get expired results back.
    with_keep_original(keep_original: bool) => Some;
}
