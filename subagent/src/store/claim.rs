//! Claims of runs: a process takes over a run to resume it.

use rusqlite::{Connection, OptionalExtension as _, Transaction, TransactionBehavior, params};

use super::owner::{Holder, Living};
use crate::record::RunId;

/// The reason that a claim is refused.
pub(super) enum Refused {
    /// A living process owns the run.
    Held(Holder),
    /// Another process has resumed the run since it was read.
    Changed,
}

/// A claim of a run.
#[derive(Clone)]
pub(crate) struct Claim {
    pub(crate) run: RunId,
    /// The owner of the run when it was read.
    pub(crate) process: Option<String>,
    /// The end of the run when it was read, in milliseconds since 1970.
    pub(crate) ended_at: Option<u64>,
    /// Whether the claim may take the run from a living process.
    pub(crate) takes_over: bool,
}

/// Claims a run for `owner`, and returns the number of its newest event. The log does not change until the run has a new
/// one.
pub(super) fn claim(
    db: &Connection,
    what: &Claim,
    owner: &str,
    living: &Living<'_>,
) -> rusqlite::Result<Result<i64, Refused>> {
    // No other process may write between the check and the update.
    let tx = Transaction::new_unchecked(db, TransactionBehavior::Immediate)?;
    let sql = "SELECT process, ended_at FROM run_heads WHERE id = ?1";
    let now = {
        let mut now = tx.prepare_cached(sql)?;
        now.query_row([what.run.as_str()], |row| Ok((row.get(0)?, row.get(1)?)))
    };
    let now: Option<(Option<String>, Option<i64>)> = now.optional()?;
    if let Some((Some(process), _)) = &now
        && let Some(holder) = living.holder(process)
        && !what.takes_over
    {
        return Ok(Err(Refused::Held(holder)));
    }
    if now != Some((what.process.clone(), what.ended_at.map(u64::cast_signed))) {
        return Ok(Err(Refused::Changed));
    }
    let sql = "UPDATE run_heads SET process = ?2 WHERE id = ?1";
    tx.prepare_cached(sql)?.execute(params![what.run.as_str(), owner])?;
    let sql = format!("SELECT ({NEWEST}) FROM run_heads WHERE id = ?1");
    let newest: Option<i64> =
        tx.prepare_cached(&sql)?.query_row([what.run.as_str()], |row| row.get(0))?;
    tx.commit()?;
    Ok(Ok(newest.unwrap_or_default()))
}

/// Gives a run back to the owner that it had before its claim, unless it has a newer event than `newest`.
pub(super) fn give_back(
    db: &Connection,
    what: &Claim,
    owner: &str,
    newest: i64,
) -> rusqlite::Result<()> {
    let sql = format!(
        "UPDATE run_heads SET process = ?3 WHERE id = ?1 AND process = ?2 AND ({NEWEST}) = ?4"
    );
    db.execute(&sql, params![what.run.as_str(), owner, what.process, newest]).map(drop)
}

/// SQL for the number of the newest event of a run, without the acts of those who claim it.
const NEWEST: &str =
    "SELECT max(seq) FROM event_rows WHERE run = run_heads.seq AND kind != 'acted'";
