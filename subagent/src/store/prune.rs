//! Deletion of runs and of the data that only they used.

use std::time::Duration;

use rusqlite::{Connection, Transaction, TransactionBehavior, params};
use serde::Serialize;

use super::cells::damage;
use super::heads::DAMAGED;
use super::owner::Living;
use super::query::{SUMMARY, summary};
use super::tables::LONG_MARK;
use crate::record::{Status, now_ms};

/// The runs to delete, each with the runs of its sub-agents. The default deletes none.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct Prune {
    /// The ids of runs to delete.
    pub runs: Vec<String>,
    /// The minimum age of runs to delete, counted from their start.
    pub older_than: Option<Duration>,
    /// The number of newest runs to keep; all others are deleted.
    pub keep: Option<u32>,
    /// Whether a run stays that has not ended, or below which a run has not. A waiting run has not ended, nor has one whose
    /// process died.
    pub ended: bool,
    /// Whether the file keeps its size, and `SQLite` reuses the space. To shrink it takes long, and nothing is written meanwhile.
    pub keeps_size: bool,
    /// Whether to only compute the result, and delete nothing.
    pub dry_run: bool,
}

/// The amount of deleted data.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Pruned {
    /// The number of runs, including those of sub-agents.
    pub runs: u64,
    /// The number of texts that no other run used.
    pub texts: u64,
    /// The number of bytes by which the file shrank; 0 if another process prevented it, or if it keeps its size.
    pub bytes: u64,
}

/// Deletes runs, except those that a living process owns.
pub(super) fn prune(
    db: &Connection,
    what: &Prune,
    living: &Living<'_>,
) -> rusqlite::Result<Pruned> {
    let before = size(db)?;
    let tx = Transaction::new_unchecked(db, TransactionBehavior::Immediate)?;
    tx.execute_batch("CREATE TEMP TABLE going (id TEXT PRIMARY KEY)")?;
    for run in &what.runs {
        tx.execute("INSERT OR IGNORE INTO going VALUES (?1)", [run])?;
    }
    if let Some(age) = what.older_than {
        let age = i64::try_from(age.as_millis()).unwrap_or(i64::MAX);
        tx.execute(
            "INSERT OR IGNORE INTO going SELECT id FROM run_heads WHERE parent IS NULL AND started_at < ?1",
            [now_ms().cast_signed().saturating_sub(age)],
        )?;
    }
    if let Some(keep) = what.keep {
        for run in beyond_newest(&tx, keep, living)? {
            tx.execute("INSERT OR IGNORE INTO going VALUES (?1)", [run])?;
        }
    }
    let sql = "SELECT id, process FROM run_heads WHERE process IS NOT NULL \
               AND id IN (SELECT id FROM going)";
    let taken: Vec<(String, String)> = tx
        .prepare(sql)?
        .query_map([], |row| Ok((row.get(0)?, row.get(1)?)))?
        .collect::<rusqlite::Result<_>>()?;
    for (id, process) in taken {
        if living.has(&process) {
            tx.execute("DELETE FROM going WHERE id = ?1", [id])?;
        }
    }
    if what.ended {
        keep_open(&tx)?;
    }
    tx.execute_batch(
        "WITH RECURSIVE tree (id) AS (SELECT id FROM going UNION \
         SELECT run_heads.id FROM run_heads JOIN tree ON run_heads.parent = tree.id) \
         INSERT OR IGNORE INTO going SELECT id FROM tree",
    )?;
    let runs = tx.query_row("SELECT count(*) FROM going", [], |row| row.get::<_, i64>(0))?;
    tx.execute_batch(
        "DELETE FROM event_rows WHERE run IN (SELECT seq FROM run_heads JOIN going USING (id));
         DELETE FROM run_heads WHERE id IN (SELECT id FROM going)",
    )?;
    if runs == 0 {
        tx.rollback()?;
        return Ok(Pruned::default());
    }
    let used = format!(
        "SELECT value FROM event_rows, json_each(data) WHERE instr(data, '{LONG_MARK}\":') > 0 AND key LIKE '%{LONG_MARK}'"
    );
    let texts =
        tx.execute(&format!("DELETE FROM long_texts WHERE id NOT IN ({used})"), params![])?;
    tx.execute_batch("DROP TABLE going")?;
    let (runs, texts) = (runs.cast_unsigned(), texts as u64);
    if what.dry_run {
        tx.rollback()?;
        return Ok(Pruned { runs, texts, bytes: 0 });
    }
    tx.commit()?;
    // If another process reads or writes, the file keeps its size and the space is reused.
    let shrunk = !what.keeps_size && db.execute_batch("VACUUM").is_ok();
    let bytes = if shrunk { before.saturating_sub(size(db)?) } else { 0 };
    Ok(Pruned { runs, texts, bytes })
}

/// Keeps the runs that have not ended, and those above them.
fn keep_open(tx: &Transaction<'_>) -> rusqlite::Result<()> {
    tx.execute(
        "WITH RECURSIVE open (id, parent) AS (
             SELECT id, parent FROM run_heads
             WHERE (ended IS NULL AND status <> ?1) OR status = ?2
             UNION SELECT run_heads.id, run_heads.parent FROM run_heads JOIN open ON run_heads.id = open.parent)
         DELETE FROM going WHERE id IN (SELECT id FROM open)",
        [DAMAGED, Status::Waiting.as_str()],
    )?;
    Ok(())
}

/// Returns the root runs after the newest `keep` ones. An unreadable run does not count and is kept, unless it is
/// named.
fn beyond_newest(db: &Connection, keep: u32, living: &Living<'_>) -> rusqlite::Result<Vec<String>> {
    let sql = format!("SELECT {SUMMARY} FROM run_heads WHERE parent IS NULL ORDER BY id DESC");
    let (mut to_keep, mut all) = (keep, Vec::new());
    let mut list = db.prepare(&sql)?;
    let mut rows = list.query([])?;
    while let Some(row) = rows.next()? {
        match summary(db, row, living) {
            Ok(_) if to_keep > 0 => to_keep -= 1,
            Ok(run) => all.push(run.run.to_string()),
            Err(error) if damage(&error).is_some() => {}
            Err(error) => return Err(error),
        }
    }
    Ok(all)
}

/// Returns the size of the database in bytes.
fn size(db: &Connection) -> rusqlite::Result<u64> {
    let number =
        |name: &str| db.query_row(&format!("PRAGMA {name}"), [], |row| row.get::<_, i64>(0));
    Ok((number("page_count")? * number("page_size")?).cast_unsigned())
}
