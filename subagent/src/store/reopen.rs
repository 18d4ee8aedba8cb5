//! Runs that are gone on with, and whose they are.

use std::collections::BTreeMap;
use std::time::Duration;

use rusqlite::{Connection, OptionalExtension as _, Row, Transaction, TransactionBehavior, params};
use serde_json::Value;

use super::heads::Runs;
use super::owner::{Holder, Living};
use crate::run::{Event, RunId, now_ms};

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
    let sql = "SELECT process, ended_at FROM run_heads WHERE id = ?1";
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
    let mut runs = Runs::default();
    for run in &what.runs {
        runs.write(&tx, run, now_ms(), &Event::RunResumed, Some(owner))?;
    }
    for (key, result) in &what.done {
        let mut parts = key.splitn(3, '.');
        let (run, turn, call) = (parts.next(), parts.next(), parts.next());
        let (Some(run), Some(turn), Some(call)) = (run, turn.and_then(|it| it.parse().ok()), call)
        else {
            continue;
        };
        let sql = "SELECT tool, (SELECT count(*) FROM calls WHERE run = ?1 AND turn = ?2 AND ended_seq IS NOT NULL) \
                   FROM calls WHERE run = ?1 AND turn = ?2 AND call = ?3 AND status = 'started'";
        let row = |row: &Row<'_>| Ok((row.get(0)?, row.get::<_, u32>(1)?));
        let Some((tool, over)) = tx.query_row(sql, params![run, turn, call], row).optional()?
        else {
            continue;
        };
        let event = Event::CallFinished {
            turn,
            call: call.to_string(),
            tool,
            result: Ok(result.clone()),
            run: None,
            cached: false,
            ended: over + 1,
            elapsed: Duration::ZERO,
        };
        runs.write(&tx, &RunId::stored(run.to_string()), now_ms(), &event, None)?;
    }
    tx.commit()?;
    Ok(Ok(()))
}
