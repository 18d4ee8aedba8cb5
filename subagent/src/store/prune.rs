//! Deleting runs, with everything that only they had.

use std::time::Duration;

use rusqlite::{Connection, Transaction, TransactionBehavior, params};
use serde::Serialize;

use super::cells::damage;
use super::owner::Living;
use super::query::{SUMMARY, summary};
use super::tables::LONG_MARK;
use crate::run::now_ms;

/// Which runs are to go, each with those of its sub-agents. Without anything said, none.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct Prune {
    /// These.
    pub runs: Vec<String>,
    /// Those that began longer ago than this.
    pub older_than: Option<Duration>,
    /// All but so many of the newest.
    pub keep: Option<u32>,
    /// Only says what would go.
    pub dry_run: bool,
}

/// What went.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Pruned {
    /// Runs, those of sub-agents included.
    pub runs: u64,
    /// Texts that no other run had.
    pub texts: u64,
    /// Bytes that the file is smaller by; 0 if another process kept it from shrinking.
    pub bytes: u64,
}

/// Deletes runs. One that a living process has stays.
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
        for run in behind(&tx, keep, living)? {
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
    // Where another process reads or writes, the space is used again instead.
    let shrunk = runs == 0 || db.execute_batch("VACUUM").is_ok();
    let bytes = if shrunk { before.saturating_sub(size(db)?) } else { 0 };
    Ok(Pruned { runs, texts, bytes })
}

/// The runs that no run called, but for so many of the newest. One that cannot be read counts as none of them and
/// stays, until it is named.
fn behind(db: &Connection, keep: u32, living: &Living<'_>) -> rusqlite::Result<Vec<String>> {
    let sql = format!("SELECT {SUMMARY} FROM run_heads WHERE parent IS NULL ORDER BY id DESC");
    let (mut left, mut all) = (keep, Vec::new());
    let mut list = db.prepare(&sql)?;
    let mut rows = list.query([])?;
    while let Some(row) = rows.next()? {
        match summary(db, row, living) {
            Ok(_) if left > 0 => left -= 1,
            Ok(run) => all.push(run.run.to_string()),
            Err(error) if damage(&error).is_some() => {}
            Err(error) => return Err(error),
        }
    }
    Ok(all)
}

/// The bytes of the file.
fn size(db: &Connection) -> rusqlite::Result<u64> {
    let number =
        |name: &str| db.query_row(&format!("PRAGMA {name}"), [], |row| row.get::<_, i64>(0));
    Ok((number("page_count")? * number("page_size")?).cast_unsigned())
}
