//! Runs that are gone on with, and whose they are.

use std::collections::BTreeMap;

use rusqlite::{Connection, OptionalExtension as _, Transaction, TransactionBehavior, params};
use serde_json::Value;

use super::writer::keep;
use crate::provider::ProviderErrorKind;
use crate::run::{Past, RunId, TurnOutcome, now_ms, process_name};

/// What the record says of the process that writes it.
pub(super) fn process() -> &'static str {
    process_name()
}

/// Opens runs again as if they had not ended, for this process; gives the number of the process that has the first
/// one, if that is alive.
pub(super) fn reopen(
    db: &Connection,
    run: &RunId,
    runs: &[RunId],
    done: &BTreeMap<String, Value>,
    takes_over: bool,
) -> rusqlite::Result<Result<(), String>> {
    // No other process may come between the look and the change.
    let tx = Transaction::new_unchecked(db, TransactionBehavior::Immediate)?;
    let sql = "SELECT process FROM run_rows WHERE id = ?1 AND ended_at IS NULL";
    let has: Option<String> =
        tx.query_row(sql, [run.as_str()], |row| row.get(0)).optional()?.flatten();
    if let Some(number) = has.and_then(|process| alive(&process))
        && !takes_over
    {
        return Ok(Err(number));
    }
    for run in runs {
        tx.execute(
            "UPDATE run_rows SET status = 'running', stop = NULL, value = NULL, fail = NULL, error = NULL, \
             ended_at = NULL, process = ?2 WHERE id = ?1",
            params![run.as_str(), process()],
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
    for (key, result) in done {
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

/// The number of the process that has a run, if it is alive: this one, or another one that runs.
pub(super) fn alive(process: &str) -> Option<String> {
    let number = process.split(':').next()?;
    let is_alive = process == process_name() || (other(number) && runs(number));
    is_alive.then(|| number.to_string())
}

/// Whether a number is not that of this process, which has another name then.
fn other(number: &str) -> bool {
    number != std::process::id().to_string()
}

#[cfg(unix)]
fn runs(number: &str) -> bool {
    let number = number.parse().ok().and_then(rustix::process::Pid::from_raw);
    // A process of somebody else is alive too.
    number.is_some_and(|it| {
        !matches!(rustix::process::test_kill_process(it), Err(rustix::io::Errno::SRCH))
    })
}

/// Nobody can be asked here.
#[cfg(not(unix))]
fn runs(_number: &str) -> bool {
    false
}
