//! What is said about the turns that are left.

use crate::TurnInfo;

/// The line that ends every message: it changes from turn to turn, so it stands nowhere else.
pub(crate) fn line(turn: TurnInfo) -> String {
    let TurnInfo { turn: now, max_turns, retry_turns } = turn;
    if let Some(retry) = turn.retry() {
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
