//! Observations: the outcome of one call as a text for the model.

use ptc_lisp::{Value, json};

use super::json::{plain, without_hidden};
use super::{CallOutcome, PlannedCall};
use crate::PromptLimits;
use crate::calls::CallMade;
use crate::text::one_line;

/// The number of times that an observation may be longer than a string of a prompt. A model that
/// writes no programs reads a result only here.
const OBSERVATION: usize = 20;
/// The maximum length of an error in an observation, in characters.
const MESSAGE: usize = 1_000;

/// Returns the observation of a call.
pub(super) fn observation(
    call: &PlannedCall,
    outcome: &CallOutcome,
    limits: &PromptLimits,
) -> String {
    if let Err(message) = &call.source {
        return message.clone();
    }
    let name = one_line(&call.name, 200);
    match outcome {
        CallOutcome::Refused(message) => {
            format!("Error: `{name}` was not called: {}", one_line(message, MESSAGE))
        }
        CallOutcome::NotMade(why) => {
            format!("Error: `{name}` was not called: {}", one_line(why, MESSAGE))
        }
        CallOutcome::Gave(Ok(value)) => result_text(value, limits),
        CallOutcome::Gave(Err(message)) => failed(&name, message),
        CallOutcome::Made(calls) => match calls.as_slice() {
            [] => format!("Error: `{name}` was not called."),
            all => {
                let all: Vec<String> = all.iter().map(|it| made(&name, it, limits)).collect();
                all.join("\n")
            }
        },
    }
}

/// Returns the data of a result as text, without hidden fields: a string unquoted, anything else as
/// JSON. A long text is cut, and says so.
pub(super) fn result_text(value: &Value, limits: &PromptLimits) -> String {
    let visible = json::plain(value).map(|it| without_hidden(&it));
    let text =
        visible.map_or_else(|error| format!("a value without JSON: {error}"), |it| plain(&it));
    let most = limits.string_truncate.saturating_mul(OBSERVATION);
    let Some((end, _)) = text.char_indices().nth(most) else { return text };
    let total = text.chars().count();
    let shown = text.get(..end).unwrap_or_default();
    format!("{shown}\n[cut after {most} of {total} characters]")
}

fn failed(name: &str, message: &str) -> String {
    format!("Error executing {name}: {}", one_line(message, MESSAGE))
}

fn made(name: &str, call: &CallMade, limits: &PromptLimits) -> String {
    let mut text = match &call.outcome {
        Ok(value) => result_text(value, limits),
        Err(message) => failed(name, message),
    };
    if call.repeats > 0 && call.outcome.is_ok() {
        text = format!(
            "You have already called {name} with this input. The result was: {text}\n\
             Use a different approach."
        );
    }
    if call.repeats > 1 {
        text.push_str("\nYou've already tried this. Try a different approach.");
    }
    for warning in call.warnings.iter().take(5) {
        text.push_str("\nNote: ");
        text.push_str(&one_line(warning, 500));
    }
    text
}
