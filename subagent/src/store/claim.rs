//! Runs that a process takes to go on with.

use rusqlite::{Connection, OptionalExtension as _, Transaction, TransactionBehavior, params};

use super::owner::{Holder, Living};
use crate::run::RunId;

/// Why a run is not taken.
pub(super) enum Refused {
    /// A living process has it.
    Held(Holder),
    /// Another process has gone on with it since it was read.
    Changed,
}

/// A run that is to be taken.
#[derive(Clone)]
pub(crate) struct Claim {
    pub(crate) run: RunId,
    /// The process that has it, as its record says.
    pub(crate) process: Option<String>,
    /// When it ended, as its record says.
    pub(crate) ended_at: Option<u64>,
    /// Whether it is taken from a living process.
    pub(crate) takes_over: bool,
}

/// Takes a run for `owner`. Its log stays as it is until something new happens in it.
pub(super) fn claim(
    db: &Connection,
    what: &Claim,
    owner: &str,
    living: &Living<'_>,
) -> rusqlite::Result<Result<(), Refused>> {
    // No other process may come between the look and the change.
    let tx = Transaction::new_unchecked(db, TransactionBehavior::Immediate)?;
    let sql = "SELECT process, ended_at FROM run_heads WHERE id = ?1";
    let now = tx.query_row(sql, [what.run.as_str()], |row| Ok((row.get(0)?, row.get(1)?)));
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
    tx.execute(sql, params![what.run.as_str(), owner])?;
    tx.commit()?;
    Ok(Ok(()))
}
