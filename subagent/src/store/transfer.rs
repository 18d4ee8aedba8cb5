//! Runs as a file of their own: JSON lines that another store takes, on another machine.
//!
//! The first line says what it is: `{"ptc": "runs", "version": …, "runs": […]}`. Each further line is a row of one of
//! the views, such as `{"turns": {…}}`, with all texts in their places. The last one has the hash of everything before
//! it, `{"blake3": "…"}`, so that a file that was cut off or changed is told from a whole one.

use std::collections::HashSet;
use std::ffi::OsString;
use std::io::{BufRead, Write};
use std::path::{Path, PathBuf};

use rusqlite::types::{Value as Cell, ValueRef};
use rusqlite::{Connection, Transaction, TransactionBehavior, params_from_iter};
use serde_json::{Map, Value, json};

use super::owner::Living;
use super::query;
use super::schema::VERSION;
use super::tables::{ALL, Table};
use super::writer::keep;

/// The first version whose rows the tables still take as they are: columns that came later may be missing.
const OLDEST: i64 = 4;

/// The most bytes of one line: more than any row can have.
const MAX_LINE: u64 = 256 << 20;

/// What went wrong with a file.
pub(super) enum Wrong {
    /// The store.
    Sqlite(rusqlite::Error),
    /// Reading or writing the file.
    Io(std::io::Error),
    /// What is in it, with the line.
    Content(usize, String),
}

impl From<rusqlite::Error> for Wrong {
    fn from(error: rusqlite::Error) -> Wrong {
        Wrong::Sqlite(error)
    }
}

impl From<std::io::Error> for Wrong {
    fn from(error: std::io::Error) -> Wrong {
        Wrong::Io(error)
    }
}

/// Writes everything of some runs. To be called in a transaction: others may be writing.
///
/// Where the file will be in a folder, the paths of agent files are from there, so that both can move together.
pub(super) fn export(
    db: &Connection,
    runs: &[String],
    folder: Option<&Path>,
    to: &mut dyn Write,
) -> Result<(), Wrong> {
    let mut out = Hashed { to, hash: blake3::Hasher::new() };
    out.line(&json!({"ptc": "runs", "version": VERSION, "runs": runs}))?;
    for table in &ALL {
        let Table { view, columns, .. } = table;
        let id = if *view == "runs" { "id" } else { "run" };
        let order = if columns.contains(&"seq") { "seq" } else { "1, 2" };
        let sql =
            format!("SELECT {} FROM {view} WHERE {id} = ?1 ORDER BY {order}", columns.join(", "));
        let mut statement = db.prepare(&sql)?;
        for run in runs {
            let mut rows = statement.query([run])?;
            while let Some(row) = rows.next()? {
                let mut cells = Map::new();
                for (at, column) in columns.iter().enumerate() {
                    match row.get_ref(at)? {
                        _ if *column == "seq" || *column == "process" => continue,
                        ValueRef::Null => continue,
                        ValueRef::Integer(it) => cells.insert((*column).to_string(), json!(it)),
                        ValueRef::Real(it) => cells.insert((*column).to_string(), json!(it)),
                        ValueRef::Text(it) | ValueRef::Blob(it) => {
                            let mut text = String::from_utf8_lossy(it);
                            if *column == "file"
                                && let Some(folder) = folder
                            {
                                text = relative(Path::new(&*text), folder).into();
                            }
                            cells.insert((*column).to_string(), json!(text))
                        }
                    };
                }
                out.line(&json!({ *view: cells }))?;
            }
        }
    }
    let hash = out.hash.finalize().to_hex();
    writeln!(out.to, "{}", json!({"blake3": hash.as_str()}))?;
    out.to.flush()?;
    Ok(())
}

/// A path as it is from a folder, if both are whole and have something in common.
fn relative(path: &Path, folder: &Path) -> String {
    let parts = |path: &Path| path.components().map(|it| it.as_os_str().to_owned()).collect();
    let (path_parts, folder_parts): (Vec<OsString>, Vec<OsString>) = (parts(path), parts(folder));
    let both = path_parts.iter().zip(&folder_parts).take_while(|(one, other)| one == other).count();
    if both < 2 || !path.is_absolute() || !folder.is_absolute() {
        return path.to_string_lossy().into_owned();
    }
    let up = folder_parts.iter().skip(both).map(|_| OsString::from(".."));
    let down = path_parts.iter().skip(both).cloned();
    up.chain(down).collect::<PathBuf>().to_string_lossy().into_owned()
}

struct Hashed<'a> {
    to: &'a mut dyn Write,
    hash: blake3::Hasher,
}

impl Hashed<'_> {
    fn line(&mut self, line: &Value) -> std::io::Result<()> {
        let line = format!("{line}\n");
        self.hash.update(line.as_bytes());
        self.to.write_all(line.as_bytes())
    }
}

/// Takes runs from a file, all of them or none; returns those that were not there before.
///
/// Paths of agent files are taken from the folder of the file.
pub(super) fn import(
    db: &Connection,
    folder: Option<&Path>,
    from: &mut dyn BufRead,
    living: &Living<'_>,
) -> Result<Vec<String>, Wrong> {
    let tx = Transaction::new_unchecked(db, TransactionBehavior::Immediate)?;
    let mut hash = blake3::Hasher::new();
    let mut there = HashSet::new();
    let mut taken: Vec<(usize, String)> = Vec::new();
    let mut line = Vec::new();
    for number in 1.. {
        line.clear();
        let read = std::io::Read::take(&mut *from, MAX_LINE).read_until(b'\n', &mut line)?;
        let wrong = |what: &str| Wrong::Content(number, what.to_string());
        if read == 0 {
            return Err(wrong("the file breaks off: its last line has no hash"));
        }
        let json: Value = serde_json::from_slice(&line)
            .map_err(|_| wrong("the line is no JSON, or was cut off"))?;
        let row = json.as_object().ok_or_else(|| wrong("the line is no object"))?;
        if number == 1 {
            check_head(row).map_err(|what| wrong(&what))?;
            hash.update(&line);
            continue;
        }
        if let Some(expected) = row.get("blake3") {
            if expected.as_str() != Some(hash.finalize().to_hex().as_str()) {
                return Err(wrong("the file was changed: its hash is another one"));
            }
            if !from.fill_buf()?.is_empty() {
                let what = "the runs end on the line before, and the file goes on";
                return Err(Wrong::Content(number + 1, what.to_string()));
            }
            break;
        }
        hash.update(&line);
        let found = ALL.iter().find_map(|table| Some((table, row.get(table.view)?.as_object()?)));
        let (table, cells) = found.ok_or_else(|| wrong("the line is no row of a run"))?;
        let id = cells.get(if table.view == "runs" { "id" } else { "run" });
        let id = id.and_then(Value::as_str).ok_or_else(|| wrong("the row names no run"))?;
        if table.view == "runs" {
            let known = "SELECT count(*) FROM run_rows WHERE id = ?1";
            if tx.query_row(known, [id], |row| row.get::<_, i64>(0))? > 0 {
                there.insert(id.to_string());
            } else {
                taken.push((number, id.to_string()));
            }
        }
        if !there.contains(id) {
            insert(&tx, table, cells, folder).map_err(|error| match error {
                Wrong::Sqlite(rusqlite::Error::SqliteFailure(code, message))
                    if code.code == rusqlite::ErrorCode::ConstraintViolation
                        || code.code == rusqlite::ErrorCode::TypeMismatch =>
                {
                    wrong(&format!("the row fits nowhere: {}", message.unwrap_or_default()))
                }
                other => other,
            })?;
        }
    }
    for (number, id) in &taken {
        query::show(&tx, id, living).map_err(|error| match query::damage(&error) {
            Some(damage) => Wrong::Content(*number, format!("run {id} cannot be read: {damage}")),
            None => Wrong::Sqlite(error),
        })?;
    }
    tx.commit()?;
    Ok(taken.into_iter().map(|(_, id)| id).collect())
}

fn check_head(head: &Map<String, Value>) -> Result<(), String> {
    if head.get("ptc").and_then(Value::as_str) != Some("runs") {
        return Err("the file is no export of runs".to_string());
    }
    match head.get("version").and_then(Value::as_i64) {
        Some(OLDEST..=VERSION) => Ok(()),
        Some(other) => Err(format!(
            "the file has store version {other}, and this ptc reads versions {OLDEST} to {VERSION}"
        )),
        None => Err("the file does not say which version it has".to_string()),
    }
}

fn insert(
    tx: &Transaction<'_>,
    table: &Table,
    cells: &Map<String, Value>,
    folder: Option<&Path>,
) -> Result<(), Wrong> {
    let mut names = Vec::new();
    let mut values = Vec::new();
    for column in table.columns.iter().filter(|it| **it != "seq" && **it != "process") {
        let Some(value) = cells.get(*column) else { continue };
        names.push(*column);
        values.push(match value {
            Value::String(text) if table.long.contains(column) => match keep(tx, text)? {
                rusqlite::types::ToSqlOutput::Owned(cell) => cell,
                _ => Cell::Text(text.clone()),
            },
            Value::String(text) if *column == "file" => {
                let path = folder.map_or_else(|| PathBuf::from(text), |it| it.join(text));
                Cell::Text(path.to_string_lossy().into_owned())
            }
            Value::String(text) => Cell::Text(text.clone()),
            Value::Number(number) => match number.as_i64() {
                // In a column of texts a number would be taken for that of a text.
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
    tx.prepare_cached(&sql)?.execute(params_from_iter(values))?;
    Ok(())
}
