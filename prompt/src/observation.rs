//! The message after a program that ended in a plain value.

use minijinja::context;
use ptc_lisp::Value;

use crate::calls::CallsMade;
use crate::problem::warnings;
use crate::sample::sample;
use crate::text::{DATA_TAG, inside_data_tag};
use crate::{PromptLimits, TurnInfo, templates, turn};

/// Renders the value and the printed lines of a program, and the warnings of its calls, for the
/// next turn.
///
/// If the value would be an answer, the message says how to return it.
///
/// The value and the prints are marked as data, and no text in them can close that mark. Where
/// something is cut, the message says so and names the symbol with the whole value.
pub fn observation(
    value: &Value,
    prints: &[String],
    calls: &CallsMade,
    is_answer: bool,
    turn: TurnInfo,
    limits: &PromptLimits,
) -> String {
    let sample = sample(value, limits);
    let most = limits.string_truncate.saturating_mul(4);
    let all = prints.join("\n");
    let end = all.char_indices().nth(most).map(|(end, _)| end);
    let shown = end.and_then(|end| all.get(..end)).unwrap_or(&all);
    let data = context! {
        tag => DATA_TAG,
        value => inside_data_tag(format!("{} {}", sample.text, sample.size).trim_end()),
        prints => inside_data_tag(shown),
        warnings => inside_data_tag(&warnings(calls)),
        is_answer => is_answer,
        cut => sample.cut,
        hidden => sample.hidden,
        prints_cut => end.map(|_| format!(
            "The printed text is cut after {most} of {} characters: print only what you need.",
            all.chars().count(),
        )),
        turn => turn::line(turn),
    };
    templates::message("observation", data)
}
