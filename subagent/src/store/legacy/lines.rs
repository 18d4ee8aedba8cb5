//! Exports of versions 4 and 5. Each line is a row.

use rusqlite::types::Value as Cell;
use rusqlite::{Connection, params_from_iter};
use serde_json::{Map, Value};

use super::rows;
use super::tables::{ALL, TABLES, Table, views};
use crate::record::{Fields, RunId};
use crate::store::cells::damage;
use crate::store::log::Logged;
use crate::store::transfer_error::TransferError;
use crate::store::unfold::unfold;

/// The first version with exports.
pub(in crate::store) const OLDEST_LINES: i64 = 4;

/// The lines of an export, inserted into the tables of version 5.
pub(in crate::store) struct Lines {
    db: Connection,
    /// The runs, with the numbers of their lines.
    runs: Vec<(usize, String)>,
}

/// The log of a run, with the number of the run's line.
pub(in crate::store) type LogOfLine = (usize, RunId, Vec<Logged>);

impl Lines {
    pub(in crate::store) fn new() -> rusqlite::Result<Lines> {
        let db = Connection::open_in_memory()?;
        db.execute_batch(TABLES)?;
        db.execute_batch(&views())?;
        Ok(Lines { db, runs: Vec::new() })
    }

    /// Adds a line, such as `{"turns": {…}}`.
    pub(in crate::store) fn add(
        &mut self,
        number: usize,
        line: &Fields,
    ) -> Result<(), TransferError> {
        let wrong = |what: &str| TransferError::Content(number, what.to_string());
        let found = ALL.iter().find_map(|table| {
            let row = serde_json::from_str::<Map<String, Value>>(line.json(table.view)?);
            Some((table, row.ok()?))
        });
        let (table, row) = found.ok_or_else(|| wrong("the line is not a row of a run"))?;
        let id = row.get(if table.view == "runs" { "id" } else { "run" });
        let id = id.and_then(Value::as_str).ok_or_else(|| wrong("the row names no run"))?;
        id.parse::<RunId>().map_err(|it| wrong(&format!("`run` is {it}")))?;
        if table.view == "runs" {
            self.runs.push((number, id.to_string()));
        }
        insert(&self.db, table, &row).map_err(|error| match error {
            rusqlite::Error::SqliteFailure(code, message)
                if code.code == rusqlite::ErrorCode::ConstraintViolation
                    || code.code == rusqlite::ErrorCode::TypeMismatch =>
            {
                wrong(&format!("the row does not fit its table: {}", message.unwrap_or_default()))
            }
            other => TransferError::Sqlite(other),
        })
    }

    /// Reads the runs as logs.
    pub(in crate::store) fn into_logs(self) -> Result<Vec<LogOfLine>, TransferError> {
        let Lines { db, runs } = self;
        let log = |(number, id): (usize, String)| {
            let record = rows::show(&db, &id).map_err(|error| match damage(&error) {
                Some(damage) => {
                    TransferError::Content(number, format!("run {id} cannot be read: {damage}"))
                }
                None => TransferError::Sqlite(error),
            })?;
            Ok((number, record.summary.run.clone(), unfold(&record)))
        };
        runs.into_iter().map(log).collect()
    }
}

fn insert(db: &Connection, table: &Table, row: &Map<String, Value>) -> rusqlite::Result<()> {
    let mut names = Vec::new();
    let mut values = Vec::new();
    for column in table.columns.iter().filter(|it| **it != "seq" && **it != "process") {
        let Some(value) = row.get(*column) else { continue };
        names.push(*column);
        values.push(match value {
            Value::String(text) => Cell::Text(text.clone()),
            Value::Number(number) => match number.as_i64() {
                // In a column of long texts, an integer would be read as the number of a text.
                Some(_) if table.long.contains(column) => Cell::Text(number.to_string()),
                Some(it) => Cell::Integer(it),
                None => Cell::Real(number.as_f64().unwrap_or_default()),
            },
            other => Cell::Text(other.to_string()),
        });
    }
    let places: Vec<&str> = names.iter().map(|_| "?").collect();
    let sql =
        format!("INSERT INTO {} ({}) VALUES ({})", table.rows, names.join(", "), places.join(", "));
    db.prepare_cached(&sql)?.execute(params_from_iter(values))?;
    Ok(())
}
