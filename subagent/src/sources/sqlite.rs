//! Queries of `SQLite` as sources. The connection only reads, and parameters are bound, never pasted.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::OnceLock;
use std::time::{Duration, Instant};

use ptc_lisp::{Value, json};
use rusqlite::types::{ToSqlOutput, ValueRef};
use rusqlite::{Connection, ErrorCode, InterruptHandle, OpenFlags, Statement, ToSql};

use super::cache::Read;
use crate::data::Data;

/// Bounds of a query.
#[derive(Clone, Copy, Debug)]
pub(super) struct Bounds {
    pub(super) max_bytes: u64,
    pub(super) max_rows: u64,
    pub(super) timeout: Duration,
}

/// Runs a query, and returns its rows as a list of objects. Blocks the calling thread. `handle` gets the means to
/// interrupt it.
///
/// # Errors
///
/// The reason, without a value of a parameter.
pub(super) fn read(
    path: &Path,
    query: &str,
    params: &BTreeMap<String, Value>,
    bounds: Bounds,
    handle: &OnceLock<InterruptHandle>,
) -> Result<Read, String> {
    let since = Instant::now();
    let db = open(path)?;
    // The reader may have gone already; then the check of the time ends the query.
    drop(handle.set(db.get_interrupt_handle()));
    let mut statement = prepare(&db, query, params.keys())?;
    bind(&mut statement, params)?;
    let names: Vec<Value> = statement.column_names().map(Value::str).collect();
    if let Some((_, name)) = names.iter().enumerate().find(|(at, it)| names[..*at].contains(it)) {
        let name = name.as_str().unwrap_or_default();
        return Err(format!("two columns are named `{name}`: rename one with `AS`"));
    }
    let mut rows = statement.raw_query();
    let (mut all, mut bytes) = (Vec::new(), 0_u64);
    while let Some(row) = rows.next().map_err(|error| told(&error))? {
        if all.len() as u64 >= bounds.max_rows {
            return Err(format!("it has more than {} rows", bounds.max_rows));
        }
        if since.elapsed() >= bounds.timeout {
            return Err(format!("it took longer than {:?}", bounds.timeout));
        }
        let mut cells = Vec::with_capacity(names.len());
        for (at, name) in names.iter().enumerate() {
            let cell = row.get_ref(at).map_err(|error| told(&error))?;
            let (value, size) = cell_value(cell).map_err(|why| {
                format!("the column `{}` {why}", name.as_str().unwrap_or_default())
            })?;
            bytes = bytes.saturating_add(size);
            cells.push((name.clone(), value));
        }
        if bytes > bounds.max_bytes {
            return Err(format!("its rows have more than {} bytes", bounds.max_bytes));
        }
        all.push(Value::map(cells));
    }
    Ok(Read { value: Data::made(Value::vector(all)), bytes })
}

/// Checks that a query can run, without running it. Blocks the calling thread.
///
/// # Errors
///
/// The reason.
pub(super) fn check<'p>(
    path: &Path,
    query: &str,
    params: impl Iterator<Item = &'p String>,
) -> Result<(), String> {
    prepare(&open(path)?, query, params).map(drop)
}

fn open(path: &Path) -> Result<Connection, String> {
    if !path.is_file() {
        return Err("there is no such file".to_string());
    }
    // Without `SQLITE_OPEN_URI` a name is a name.
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let db = Connection::open_with_flags(path, flags).map_err(|error| told(&error))?;
    // The schema of a file that others made calls no function that acts.
    db.execute_batch("PRAGMA query_only = ON; PRAGMA trusted_schema = OFF")
        .map_err(|error| told(&error))?;
    db.busy_timeout(Duration::from_secs(1)).map_err(|error| told(&error))?;
    Ok(db)
}

fn prepare<'c, 'p>(
    db: &'c Connection,
    query: &str,
    mut params: impl Iterator<Item = &'p String>,
) -> Result<Statement<'c>, String> {
    let statement = db.prepare(query).map_err(|error| told(&error))?;
    if !statement.readonly() || statement.column_count() == 0 {
        return Err("the query must be one SELECT".to_string());
    }
    if let Some(name) =
        params.find(|name| !matches!(statement.parameter_index(&format!(":{name}")), Ok(Some(_))))
    {
        return Err(format!("the query has no parameter `:{name}`"));
    }
    Ok(statement)
}

fn bind(statement: &mut Statement<'_>, params: &BTreeMap<String, Value>) -> Result<(), String> {
    for at in 1..=statement.parameter_count() {
        let name = statement.parameter_name(at).unwrap_or("?").to_string();
        let value = params.get(name.trim_start_matches(':')).filter(|_| name.starts_with(':'));
        let value =
            value.ok_or_else(|| format!("the parameter `{name}` has no value in `params`"))?;
        statement.raw_bind_parameter(at, Bound(value)).map_err(|error| match error {
            rusqlite::Error::ToSqlConversionFailure(_) => {
                format!("the parameter `{name}` has more than 64 bits")
            }
            error => told(&error),
        })?;
    }
    Ok(())
}

/// A value as the parameter of a query. Lists and objects are bound as JSON, for `json_each`.
struct Bound<'v>(&'v Value);

impl ToSql for Bound<'_> {
    fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
        Ok(match self.0 {
            Value::Nil => ToSqlOutput::Borrowed(ValueRef::Null),
            Value::Bool(it) => ToSqlOutput::Owned(i64::from(*it).into()),
            Value::Int(it) => ToSqlOutput::Owned((*it).into()),
            Value::Float(it) => ToSqlOutput::Owned((*it).into()),
            Value::Str(text) => ToSqlOutput::Borrowed(ValueRef::Text(text.as_bytes())),
            Value::Big(_) => {
                return Err(rusqlite::Error::ToSqlConversionFailure(
                    "an integer past 64 bits".into(),
                ));
            }
            other => ToSqlOutput::Owned(json::write(other).unwrap_or_default().into()),
        })
    }
}

/// Returns a cell as a value, and its size in bytes.
fn cell_value(cell: ValueRef<'_>) -> Result<(Value, u64), &'static str> {
    Ok(match cell {
        ValueRef::Null => (Value::Nil, 1),
        ValueRef::Integer(it) => (Value::Int(it), 8),
        ValueRef::Real(it) if it.is_finite() => (Value::Float(it), 8),
        ValueRef::Real(_) => return Err("has a number without a JSON form"),
        ValueRef::Text(bytes) => {
            let text = std::str::from_utf8(bytes).map_err(|_| "has a text that is not UTF-8")?;
            (Value::str(text), text.len() as u64)
        }
        ValueRef::Blob(_) => return Err("has bytes: use `hex(…)` or `CAST(… AS TEXT)`"),
    })
}

/// Returns an error of `SQLite` in words. They have names of the query and of the file, and no values of parameters.
fn told(error: &rusqlite::Error) -> String {
    match error {
        rusqlite::Error::SqliteFailure(failure, _)
            if failure.code == ErrorCode::OperationInterrupted =>
        {
            "it was interrupted".to_string()
        }
        rusqlite::Error::MultipleStatement => "the query must be one SELECT".to_string(),
        error => error.to_string(),
    }
}
