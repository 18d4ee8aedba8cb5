//! The rules about the part of a conversation that is sent.

use std::str::FromStr;

use serde::{Deserialize, Serialize};

use super::results::{AfterExpiry, ResultRule};
use crate::error::{Error, ErrorKind};
use crate::setters::setters;

/// The rules about the part of a conversation that is sent. By default, all of it is sent.
///
/// The rules depend on the conversation alone, and what they did is on record. They keep the system prompt, the first
/// message and the newest turn. A call and its result stay or go together.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, expecting = "the keys of a transcript")]
#[non_exhaustive]
pub struct Transcript {
    /// The most turns that are sent whole. A summary in the first message replaces the turns before them. Of the
    /// conversation before a run, it is the most exchanges that the model sees whole; without a window they are 20.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub window: Option<u32>,
    /// The number of turns after which the summary replaces all of them except the newest one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reset_after: Option<u32>,
    /// The most tokens of a request, as they are estimated. Before a longer one, the oldest results expire, whatever
    /// their rules say, and then the oldest turns are left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tokens: Option<u32>,
    /// The number of requests that have the results of a turn. Then a note replaces them. It is another name for
    /// `result_turns` with `result_after = "remove"`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub keep_results: Option<u32>,
    /// The number of turns from one run of the rules to the next. By default it is the largest power of two in half of the
    /// window or of `result_turns`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub step: Option<u32>,
    /// The number of turns after which results expire. See [`ResultRule::result_turns`].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub result_turns: Option<u32>,
    /// The form of expired results.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub result_after: Option<AfterExpiry>,
    /// The number of characters that stay of an expired result.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub result_length: Option<u32>,
    /// The system prompt of requests for summaries.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub summary_prompt: Option<String>,
    /// Whether the model can get expired results back.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub keep_original: Option<bool>,
}

/// The number of exchanges before a run that its model sees whole, if there is no window.
const EXCHANGES: u32 = 20;

impl Transcript {
    /// Returns whether the whole conversation is sent.
    pub(crate) fn is_whole(&self) -> bool {
        self.window.is_none()
            && self.reset_after.is_none()
            && self.tokens.is_none()
            && self.result_rule().result_turns.is_none()
    }

    /// Returns a problem of the rules: the key, and what is wrong with it.
    pub(crate) fn fault(&self) -> Option<(&'static str, String)> {
        let rules = [
            ("window", self.window),
            ("reset_after", self.reset_after),
            ("tokens", self.tokens),
            ("keep_results", self.keep_results),
            ("step", self.step),
            ("result_turns", self.result_turns),
        ];
        let zero = rules.into_iter().find(|(_, turns)| *turns == Some(0));
        if let Some((key, _)) = zero {
            return Some((key, format!("`{key}` of the transcript is 0")));
        }
        let says_both = self.keep_results.is_some() && self.result_turns.is_some();
        says_both.then(|| {
            let message =
                "the transcript has both `keep_results` and `result_turns`, which are one rule";
            ("keep_results", message.to_string())
        })
    }

    /// Returns these rules, with missing ones from others.
    pub(crate) fn or(&self, other: &Transcript) -> Transcript {
        // The two names of one rule stay or go together.
        let sets_turns = self.keep_results.is_some() || self.result_turns.is_some();
        let turns = if sets_turns { self } else { other };
        let after = other.result_after.filter(|_| self.keep_results.is_none());
        Transcript {
            window: self.window.or(other.window),
            reset_after: self.reset_after.or(other.reset_after),
            tokens: self.tokens.or(other.tokens),
            keep_results: turns.keep_results,
            step: self.step.or(other.step),
            result_turns: turns.result_turns,
            result_after: self.result_after.or(after),
            result_length: self.result_length.or(other.result_length),
            summary_prompt: self.summary_prompt.clone().or_else(|| other.summary_prompt.clone()),
            keep_original: self.keep_original.or(other.keep_original),
        }
    }

    /// Returns the rule about results.
    pub(crate) fn result_rule(&self) -> ResultRule {
        let removes = self.keep_results.is_some().then_some(AfterExpiry::Remove);
        ResultRule {
            result_turns: self.result_turns.or(self.keep_results),
            result_after: self.result_after.or(removes),
            result_length: self.result_length,
            summary_prompt: self.summary_prompt.clone(),
            keep_original: self.keep_original,
        }
    }

    /// Returns the number of turns from one run of a rule about this many turns to the next.
    pub(super) fn step_of(&self, turns: u32) -> u32 {
        self.step.unwrap_or_else(|| (turns / 2).checked_ilog2().map_or(1, |it| 1 << it)).max(1)
    }

    /// Returns the number of exchanges before a run that its model sees whole.
    pub(crate) fn exchanges(&self) -> usize {
        self.window.unwrap_or(EXCHANGES).max(1) as usize
    }
}

impl FromStr for Transcript {
    type Err = Error;

    /// Reads the rules from JSON.
    fn from_str(text: &str) -> Result<Transcript, Error> {
        let wrong = |message| Error::new(ErrorKind::AgentFile, message);
        let rules: Transcript = serde_json::from_str(text)
            .map_err(|error| wrong(format!("the rules of the transcript: {error}")))?;
        match rules.fault() {
            Some((_, message)) => Err(wrong(message)),
            None => Ok(rules),
        }
    }
}

setters! {
    Transcript:
    /// Sets the most turns that are sent whole. 0 counts as 1.
    with_window(window: u32) => Some;
    /// Sets the number of turns after which a summary replaces all of them except the newest one. 0 counts as 1.
    with_reset_after(reset_after: u32) => Some;
    /// Sets the most tokens of a request.
    with_tokens(tokens: u32) => Some;
    /// Sets the number of requests that have the results of a turn. 0 counts as 1.
    with_keep_results(keep_results: u32) => Some;
    /// Sets the number of turns from one run of the rules to the next.
    with_step(step: u32) => Some;
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
