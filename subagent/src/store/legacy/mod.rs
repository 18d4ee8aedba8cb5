//! Upgrades of stores and imports of exports of earlier versions, with all their data.
//!
//! Versions 1 to 5 stored a run as rows, one for each turn and call, and changed them as the run progressed. First, the
//! tables are upgraded to version 5. Then the rows of each run are read as a record, and the record is written as
//! events.

mod lines;
mod rows;
mod tables;

use rusqlite::types::ValueRef;
use rusqlite::{Connection, OptionalExtension as _, Transaction, TransactionBehavior};
use serde_json::{Map, Value, json};

use super::cells::damage;
use super::heads::Runs;
use super::tables::VERSION;
use super::unfold::unfold;

pub(super) use lines::{Lines, OLDEST_LINES};
use tables::{ALL, TABLES, Table, views};

/// Upgrades a store of an earlier version to `VERSION`, in one transaction.
///
/// Another process may upgrade the same store at the same time. The second one finds it upgraded.
pub(super) fn upgrade(db: &mut Connection) -> rusqlite::Result<()> {
    let tx = db.transaction_with_behavior(TransactionBehavior::Immediate)?;
    let version: i64 = tx.query_row("PRAGMA user_version", [], |row| row.get(0))?;
    for (step, since) in STEPS.iter().zip(1..) {
        if version <= since {
            step(&tx)?;
        }
    }
    if version < VERSION {
        tx.pragma_update(None, "user_version", VERSION)?;
    }
    tx.commit()
}

type Step = fn(&Transaction<'_>) -> rusqlite::Result<()>;

/// The steps. Step `n`, counted from 1, upgrades a store of version `n` to version `n + 1`.
const STEPS: [Step; VERSION as usize - 1] =
    [repairs_and_warnings, sub_agents, texts, seeds, events, parts];

/// Version 2 records the repairs of programs, and the warnings of signatures.
///
/// The first stores of version 1 lack two columns that later ones have.
fn repairs_and_warnings(tx: &Transaction<'_>) -> rusqlite::Result<()> {
    for column in ["warnings", "notes", "repair"] {
        add_column(tx, "turns", column, "TEXT")?;
    }
    tx.execute_batch(
        "CREATE TABLE warnings (
            seq INTEGER PRIMARY KEY,
            run TEXT NOT NULL REFERENCES runs (id),
            turn INTEGER NOT NULL,
            call TEXT,
            code TEXT NOT NULL,
            message TEXT NOT NULL
        ) STRICT;",
    )
}

/// Version 3 links runs of sub-agents to their calls, and records the cost of replies.
fn sub_agents(tx: &Transaction<'_>) -> rusqlite::Result<()> {
    tx.execute_batch(
        "ALTER TABLE runs ADD COLUMN parent TEXT REFERENCES runs (id);
        ALTER TABLE runs ADD COLUMN parent_turn INTEGER;
        ALTER TABLE runs ADD COLUMN parent_call TEXT;
        ALTER TABLE runs ADD COLUMN cost INTEGER;
        ALTER TABLE turns ADD COLUMN cost INTEGER;
        ALTER TABLE turns ADD COLUMN budget TEXT;
        ALTER TABLE calls ADD COLUMN sub_run TEXT;
        ALTER TABLE calls ADD COLUMN cached INTEGER NOT NULL DEFAULT 0;",
    )
}

/// Version 4 stores each long text once, and the data that a replay needs. Existing rows keep their texts. This step
/// creates the tables of version 5.
fn texts(tx: &Transaction<'_>) -> rusqlite::Result<()> {
    tx.execute_batch("DROP INDEX IF EXISTS runs_by_parent; DROP INDEX IF EXISTS prints_by_turn; DROP INDEX IF EXISTS warnings_by_run;")?;
    for Table { view, .. } in ALL {
        tx.execute_batch(&format!("ALTER TABLE {view} RENAME TO old_{view}"))?;
    }
    tx.execute_batch(TABLES)?;
    for Table { rows, view, columns, .. } in ALL {
        let sql = "SELECT name FROM pragma_table_info(?1)";
        let old: Vec<String> = tx
            .prepare(sql)?
            .query_map([format!("old_{view}")], |row| row.get(0))?
            .collect::<rusqlite::Result<_>>()?;
        let both: Vec<&str> =
            columns.iter().filter(|name| old.iter().any(|old| old == *name)).copied().collect();
        let both = both.join(", ");
        tx.execute_batch(&format!("INSERT INTO {rows} ({both}) SELECT {both} FROM old_{view}"))?;
    }
    // The order in which the calls of a turn ended is lost, so they get the order of their starts.
    tx.execute_batch("UPDATE call_rows SET ended_seq = seq WHERE ended_at IS NOT NULL")?;
    for Table { view, .. } in ALL.iter().rev() {
        tx.execute_batch(&format!("DROP TABLE old_{view}"))?;
    }
    tx.execute_batch(&views())
}

/// Version 5 records the seed of a run's random numbers.
fn seeds(tx: &Transaction<'_>) -> rusqlite::Result<()> {
    add_column(tx, "run_rows", "seed", "INTEGER")?;
    for Table { view, .. } in ALL {
        tx.execute_batch(&format!("DROP VIEW {view}"))?;
    }
    tx.execute_batch(&views())
}

/// Version 6 has a log of events, from which everything else is derived.
fn events(tx: &Transaction<'_>) -> rusqlite::Result<()> {
    tx.execute_batch(super::tables::TABLES)?;
    let all: Vec<String> = tx
        .prepare("SELECT id FROM run_rows ORDER BY id")?
        .query_map([], |row| row.get(0))?
        .collect::<rusqlite::Result<_>>()?;
    for id in all {
        match rows::show(tx, &id) {
            Ok(record) => {
                let mut runs = Runs::default();
                for it in unfold(&record) {
                    runs.write(
                        tx,
                        &record.summary.run,
                        it.at,
                        &it.event,
                        record.process.as_deref(),
                        record.process.is_some(),
                    )?;
                }
            }
            Err(error) => match damage(&error) {
                Some(why) => keep_damaged(tx, &id, &why)?,
                None => return Err(error),
            },
        }
    }
    for Table { view, .. } in ALL {
        tx.execute_batch(&format!("DROP VIEW {view}"))?;
    }
    for Table { rows, .. } in ALL.iter().rev() {
        tx.execute_batch(&format!("DROP TABLE {rows}"))?;
    }
    tx.execute_batch("DROP TABLE texts")?;
    tx.execute_batch(&super::tables::views())
}

/// Version 7 stores the texts in lists once. Rows of version 6 have the lists whole, and are read as they are.
fn parts(_: &Transaction<'_>) -> rusqlite::Result<()> {
    Ok(())
}

/// Stores the rows of an unreadable run as they are.
fn keep_damaged(tx: &Transaction<'_>, run: &str, why: &str) -> rusqlite::Result<()> {
    let mut rows = Map::new();
    for Table { view, columns, .. } in ALL {
        let id = if view == "runs" { "id" } else { "run" };
        let sql = format!("SELECT {} FROM {view} WHERE {id} = ?1", columns.join(", "));
        let mut statement = tx.prepare(&sql)?;
        let mut found = statement.query([run])?;
        let mut all = Vec::new();
        while let Some(row) = found.next()? {
            let mut cells = Map::new();
            for (at, column) in columns.iter().enumerate() {
                cells.insert((*column).to_string(), cell(row.get_ref(at)?));
            }
            all.push(Value::Object(cells));
        }
        rows.insert(view.to_string(), Value::Array(all));
    }
    let sql = "SELECT parent, coalesce(started_at, 0) FROM run_rows WHERE id = ?1";
    let head = tx.query_row(sql, [run], |row| Ok((row.get(0)?, row.get(1)?)));
    let (parent, at): (Option<String>, i64) = head.optional()?.unwrap_or_default();
    super::heads::damaged(tx, run, parent.as_deref(), at, why, &Value::Object(rows))
}

fn cell(cell: ValueRef<'_>) -> Value {
    match cell {
        ValueRef::Null => Value::Null,
        ValueRef::Integer(it) => json!(it),
        ValueRef::Real(it) => json!(it),
        ValueRef::Text(it) | ValueRef::Blob(it) => json!(String::from_utf8_lossy(it)),
    }
}

/// Adds a column to a table, unless the table has it.
fn add_column(tx: &Transaction<'_>, table: &str, column: &str, kind: &str) -> rusqlite::Result<()> {
    let sql = "SELECT count(*) FROM pragma_table_info(?1) WHERE name = ?2";
    let exists: bool = tx.query_row(sql, [table, column], |row| row.get(0))?;
    if exists {
        return Ok(());
    }
    tx.execute_batch(&format!("ALTER TABLE {table} ADD COLUMN {column} {kind}"))
}
