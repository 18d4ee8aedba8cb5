//! The check of a store: pages, texts, records, and the rows that are derived from them.

use std::collections::BTreeMap;

use rusqlite::{Connection, Row, params};
use serde::Serialize;

use super::fold::Fold;
use super::heads::{self, DAMAGED};
use super::log::{self, Part, ReadError};
use super::tables::LONG_MARK;
use crate::blob::Blob;
use crate::record::{Event, RunId};

/// The most problems that are reported. A broken page makes thousands.
const MAX_PROBLEMS: usize = 100;

/// The result of a check of a store.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Checked {
    /// The number of runs, including those of sub-agents.
    pub runs: u64,
    /// The number of events.
    pub events: u64,
    /// The number of long texts.
    pub texts: u64,
    /// The number of binary contents.
    pub blobs: u64,
    /// The problems, at most a hundred.
    pub problems: Vec<StoreProblem>,
}

/// A problem of a store.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct StoreProblem {
    /// The run that has it; `None` if the store has it.
    pub run: Option<String>,
    /// The problem.
    pub message: String,
}

/// Checks a store. Call this in a transaction, because other processes may write.
pub(super) fn check(db: &Connection) -> rusqlite::Result<Checked> {
    let mut checked = Checked::default();
    pages(db, &mut checked)?;
    // Rows of broken pages cannot be read, so what follows would report the same problem again.
    if checked.problems.is_empty() {
        texts(db, &mut checked)?;
        records(db, &mut checked)?;
        heads_of_log(db, &mut checked)?;
        strays(db, &mut checked)?;
    }
    Ok(checked)
}

impl Checked {
    fn add(&mut self, run: Option<&str>, message: impl Into<String>) {
        if self.problems.len() < MAX_PROBLEMS {
            let run = run.map(str::to_string);
            self.problems.push(StoreProblem { run, message: message.into() });
        }
    }
}

/// Has `SQLite` check its pages and its indexes.
fn pages(db: &Connection, checked: &mut Checked) -> rusqlite::Result<()> {
    let mut list = db.prepare(&format!("PRAGMA integrity_check({MAX_PROBLEMS})"))?;
    let mut rows = list.query([])?;
    while let Some(row) = rows.next()? {
        let said: String = row.get(0)?;
        if said != "ok" {
            checked.add(None, format!("the database is damaged: {said}"));
        }
    }
    Ok(())
}

/// Compares each long text with its hash. A text that was changed would be found under a hash that is not its own.
fn texts(db: &Connection, checked: &mut Checked) -> rusqlite::Result<()> {
    let mut list = db.prepare("SELECT id, hash, json FROM long_texts ORDER BY id")?;
    let mut rows = list.query([])?;
    while let Some(row) = rows.next()? {
        checked.texts += 1;
        let (id, hash, json): (i64, Vec<u8>, String) = (row.get(0)?, row.get(1)?, row.get(2)?);
        if blake3::hash(json.as_bytes()).as_bytes() != hash.as_slice() {
            checked.add(None, format!("text {id} does not have its hash"));
        }
    }
    Ok(())
}

/// Reads the log of each run in its order, and makes its record.
fn records(db: &Connection, checked: &mut Checked) -> rusqlite::Result<()> {
    let all: Vec<(i64, String, String)> = db
        .prepare("SELECT seq, id, status FROM run_heads ORDER BY seq")?
        .query_map([], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)))?
        .collect::<rusqlite::Result<_>>()?;
    for (number, id, status) in all {
        checked.runs += 1;
        let found = match id.parse::<RunId>() {
            Ok(_) if status == DAMAGED => {
                Err(ReadError::Damage("an earlier version kept rows that it could not read".into()))
            }
            Ok(run) => record(db, number, &run, checked),
            Err(error) => Err(ReadError::Damage(format!("its id is {error}"))),
        };
        match found {
            Ok(()) => {}
            Err(ReadError::Damage(what)) => checked.add(Some(&id), what),
            Err(ReadError::Sqlite(error)) => return Err(error),
        }
    }
    Ok(())
}

fn record(
    db: &Connection,
    number: i64,
    run: &RunId,
    checked: &mut Checked,
) -> Result<(), ReadError> {
    let mut fold: Option<Fold> = None;
    log::rows(db, number, Part::All, |row| {
        checked.events += 1;
        let logged = row.into_event(run)?;
        if let Event::CallFinished { blobs, call, turn, .. } = &logged.event {
            for blob in blobs {
                checked.blobs += 1;
                if blob.bytes().is_none_or(|it| Blob::new("", &it).hash != blob.hash) {
                    let what = format!("content of call {turn}.{call} does not have its hash");
                    return Err(ReadError::Damage(what));
                }
            }
        }
        match &mut fold {
            Some(fold) => fold.add(logged.at, logged.event).map_err(ReadError::Damage),
            none => {
                *none = Some(Fold::start(run, logged.at, logged.event).map_err(ReadError::Damage)?);
                Ok(())
            }
        }
    })?;
    fold.map(drop).ok_or_else(|| ReadError::Damage("it has no events".to_string()))
}

/// The columns of heads that the log determines.
const COLUMNS: [&str; 21] = [
    "id",
    "agent",
    "model",
    "parent",
    "parent_turn",
    "parent_call",
    "origin",
    "origin_turns",
    "status",
    "stop",
    "turns",
    "tool_calls",
    "fuel",
    "input_tokens",
    "output_tokens",
    "cached_input_tokens",
    "cost",
    "started_at",
    "ended_at",
    "ended",
    "seq",
];

/// Compares the heads of runs with heads that are made anew of the log.
///
/// A temporary table of the same name hides the real one, so the function that makes heads writes to it, also where the
/// store cannot be written.
fn heads_of_log(db: &Connection, checked: &mut Checked) -> rusqlite::Result<()> {
    let columns = COLUMNS.join(", ");
    let list = |table: &str| -> rusqlite::Result<BTreeMap<i64, Vec<String>>> {
        let sql = format!("SELECT {columns} FROM {table}.run_heads WHERE status <> ?1");
        let texts = |row: &Row<'_>| {
            let texts = (0..COLUMNS.len()).map(|at| row.get_ref(at).map(|it| format!("{it:?}")));
            Ok((row.get("seq")?, texts.collect::<rusqlite::Result<_>>()?))
        };
        db.prepare(&sql)?.query_map([DAMAGED], texts)?.collect()
    };
    let stored = list("main")?;
    // With the same definition it has the same defaults.
    let sql = "SELECT sql FROM main.sqlite_master WHERE type = 'table' AND name = 'run_heads'";
    let definition: String = db.query_row(sql, [], |row| row.get(0))?;
    db.execute_batch(&definition.replacen("CREATE TABLE", "CREATE TEMP TABLE", 1))?;
    db.execute_batch("INSERT INTO temp.run_heads SELECT * FROM main.run_heads")?;
    let made = match heads::rebuild(db) {
        Ok(()) => list("temp").map(Some),
        // The record of that run is reported already.
        Err(ReadError::Damage(_)) => Ok(None),
        Err(ReadError::Sqlite(error)) => Err(error),
    };
    db.execute_batch("DROP TABLE temp.run_heads")?;
    let Some(made) = made? else { return Ok(()) };
    for (number, head) in &stored {
        let id: String =
            db.query_row("SELECT id FROM run_heads WHERE seq = ?1", [number], |row| row.get(0))?;
        let wrong = match made.get(number) {
            None => continue,
            Some(of_log) => COLUMNS.iter().zip(head.iter().zip(of_log)).find(|it| it.1.0 != it.1.1),
        };
        if let Some((column, _)) = wrong {
            checked.add(Some(&id), format!("the list of runs has another `{column}` than its log"));
        }
    }
    for number in made.keys().filter(|it| !stored.contains_key(it)) {
        checked.add(None, format!("the list of runs lacks the run that event {number} begins"));
    }
    Ok(())
}

/// Finds events of no run, and texts that events name and that are not there.
fn strays(db: &Connection, checked: &mut Checked) -> rusqlite::Result<()> {
    let sql = "SELECT count(*) FROM event_rows \
               WHERE run NOT IN (SELECT seq FROM run_heads) AND seq <> run AND kind <> 'run-started'";
    let strays: i64 = db.query_row(sql, [], |row| row.get(0))?;
    if strays > 0 {
        checked.add(None, format!("the number of events that belong to no run is {strays}"));
    }
    let sql = format!(
        "SELECT count(*) FROM long_texts WHERE id NOT IN (SELECT value FROM event_rows, json_each(data) \
         WHERE instr(data, '{LONG_MARK}\":') > 0 AND key LIKE '%{LONG_MARK}')"
    );
    let unused: i64 = db.query_row(&sql, params![], |row| row.get(0))?;
    if unused > 0 {
        checked.add(None, format!("the number of texts that no event has is {unused}"));
    }
    Ok(())
}
