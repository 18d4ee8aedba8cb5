//! The line of a message about the remaining turns.

use crate::TurnInfo;

/// Returns the last line of every message; empty if the message asks for a partial answer.
pub(crate) fn line(turn: TurnInfo) -> String {
    let TurnInfo { turn: now, max_turns, retry_turns, ends } = turn;
    if ends {
        String::new()
    } else if let Some(retry) = turn.retry() {
        format!(
            "This is retry {retry} of {retry_turns}: only what is returned was wrong. The program has to end with \
             `(return result)` or `(fail {{:reason :keyword :message \"...\"}})`."
        )
    } else if turn.is_last() {
        "This is the last turn: the program has to end with `(return result)` or \
         `(fail {:reason :keyword :message \"...\"})`; any other end loses the mission."
            .to_owned()
    } else {
        format!("This is turn {now} of {max_turns}.")
    }
}
