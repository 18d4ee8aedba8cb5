//! Runs that are gone on with, and whose they are.

use std::collections::BTreeMap;

use rusqlite::{Connection, OptionalExtension as _, Transaction, TransactionBehavior, params};
use serde_json::Value;

use super::owner::{Holder, Living};
use super::writer::keep;
use crate::provider::ProviderErrorKind;
use crate::run::{Past, RunId, TurnOutcome, now_ms};

/// Why runs are not opened again.
pub(super) enum Refused {
    /// A living process has the first one.
    Held(Holder),
    /// Another process has gone on with it since somebody looked.
    Changed,
}

/// What is to be opened again.
#[derive(Clone)]
pub(crate) struct Reopen {
    /// The run of the tree, and the process and the end that its record has.
    pub(crate) run: RunId,
    pub(crate) process: Option<String>,
    pub(crate) ended_at: Option<u64>,
    /// It, and those of sub-agents that are open with it.
    pub(crate) runs: Vec<RunId>,
    /// Results of calls that are in doubt, by their keys.
    pub(crate) done: BTreeMap<String, Value>,
    /// Whether a living process does not matter.
    pub(crate) takes_over: bool,
}

/// Opens runs again as if they had not ended, for `owner`.
pub(super) fn reopen(
    db: &Connection,
    what: &Reopen,
    owner: &str,
    living: &Living<'_>,
) -> rusqlite::Result<Result<(), Refused>> {
    // No other process may come between the look and the change.
    let tx = Transaction::new_unchecked(db, TransactionBehavior::Immediate)?;
    let sql = "SELECT process, ended_at FROM run_rows WHERE id = ?1";
    let now = tx.query_row(sql, [what.run.as_str()], |row| Ok((row.get(0)?, row.get(1)?)));
    let now: Option<(Option<String>, Option<i64>)> = now.optional()?;
    if let Some((Some(process), None)) = &now
        && let Some(holder) = living.holder(process)
        && !what.takes_over
    {
        return Ok(Err(Refused::Held(holder)));
    }
    if now != Some((what.process.clone(), what.ended_at.map(u64::cast_signed))) {
        return Ok(Err(Refused::Changed));
    }
    for run in &what.runs {
        tx.execute(
            "UPDATE run_rows SET status = 'running', stop = NULL, value = NULL, fail = NULL, error = NULL, \
             ended_at = NULL, process = ?2 WHERE id = ?1",
            params![run.as_str(), owner],
        )?;
        // What was cut from a conversation that had no reply is decided anew when it is asked again.
        tx.execute(
            "DELETE FROM warning_rows WHERE run = ?1 AND call IS NULL AND code = ?2 AND turn IN \
             (SELECT turn FROM turn_rows WHERE run = ?1 AND reply IS NULL)",
            params![run.as_str(), ProviderErrorKind::Context.code()],
        )?;
        let passing = [
            TurnOutcome::Cancelled,
            TurnOutcome::InDoubt,
            TurnOutcome::Provider,
            TurnOutcome::Time,
        ];
        for outcome in passing {
            tx.execute(
                "UPDATE turn_rows SET outcome = NULL, value = NULL, error = NULL, bounds = NULL, fuel = 0, \
                 tool_calls = 0, ended_at = NULL WHERE run = ?1 AND outcome = ?2",
                params![run.as_str(), outcome.as_str()],
            )?;
        }
    }
    for (key, result) in &what.done {
        let mut parts = key.splitn(3, '.');
        let (run, turn, call) = (parts.next(), parts.next(), parts.next());
        tx.execute(
            "UPDATE call_rows SET status = 'finished', result = ?4, ended_at = ?5, \
             ended_seq = (SELECT coalesce(max(ended_seq), 0) + 1 FROM call_rows WHERE run = ?1 AND turn = ?2) \
             WHERE run = ?1 AND turn = ?2 AND call = ?3 AND status = 'started'",
            params![run, turn, call, keep(db, result.to_string())?, now_ms().cast_signed()],
        )?;
    }
    tx.commit()?;
    Ok(Ok(()))
}

/// Sets the times of a run and of those below it.
pub(super) fn set_times(db: &Connection, past: &Past) -> rusqlite::Result<()> {
    let (run, summary) = (past.record.summary.run.as_str(), &past.record.summary);
    let time = |it: Option<u64>| it.map(u64::cast_signed);
    db.execute(
        "UPDATE run_rows SET started_at = ?2, ended_at = ?3, process = NULL WHERE id = ?1",
        params![run, summary.started_at.cast_signed(), time(summary.ended_at)],
    )?;
    for turn in &past.record.turn_records {
        db.execute(
            "UPDATE turn_rows SET started_at = ?3, ended_at = ?4 WHERE run = ?1 AND turn = ?2",
            params![run, turn.turn, turn.started_at.cast_signed(), time(turn.ended_at)],
        )?;
        for call in &turn.calls {
            db.execute(
                "UPDATE call_rows SET started_at = ?4, ended_at = ?5 WHERE run = ?1 AND turn = ?2 AND call = ?3",
                params![run, turn.turn, call.call, call.started_at.cast_signed(), time(call.ended_at)],
            )?;
        }
    }
    past.children.iter().try_for_each(|child| set_times(db, child))
}
