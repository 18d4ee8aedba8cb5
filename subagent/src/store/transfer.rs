//! Exports of runs: JSON lines that another store can import, also on another machine.
//!
//! The first line identifies the file: `{"ptc": "runs", "version": …, "runs": […]}`. Each further line is an event of
//! the log: `{"run": …, "at": …, "event": …, "turn": …, "call": …}` and the fields of the event, with all long texts in
//! place. The last line has the hash of all lines before it, `{"blake3": "…"}`. It detects a file that was truncated or
//! changed.

use std::collections::{HashMap, HashSet};
use std::ffi::OsString;
use std::fmt::Write as _;
use std::io::{BufRead, Write};
use std::path::{Path, PathBuf};

use rusqlite::{Connection, Transaction, TransactionBehavior};
use serde_json::{Value, json};

use super::fold::Fold;
use super::heads::{self, Runs};
use super::legacy;
use super::log::{self, Logged, Part, Placed, Row};
use super::tables::{LINES_VERSION, LONG_MARK};
use super::transfer_error::TransferError;
use crate::record::{Event, Fields, RunId, Stored};

/// The maximum size of a line, in bytes. It exceeds the size of any event.
const MAX_LINE: u64 = 256 << 20;

/// Exports the logs of runs. Call this in a transaction, because other processes may write.
///
/// With `folder`, the folder of the file, paths of agent files become relative to it. So the file and the agents can
/// move together.
pub(super) fn export(
    db: &Connection,
    runs: &[String],
    folder: Option<&Path>,
    to: &mut dyn Write,
) -> Result<(), TransferError> {
    let mut out = Hashed { to, hash: blake3::Hasher::new() };
    out.line(&json!({"ptc": "runs", "version": LINES_VERSION, "runs": runs}).to_string())?;
    for run in runs {
        log::rows(
            db,
            heads::number(db, run)?.ok_or(rusqlite::Error::QueryReturnedNoRows)?,
            Part::All,
            |mut row| {
                let file =
                    row.fields.json("file").and_then(|it| serde_json::from_str::<String>(it).ok());
                if let (Some(file), Some(folder)) = (file, folder) {
                    row.fields.set("file", json!(relative(Path::new(&file), folder)).to_string());
                }
                out.line(&line(run, &row)).map_err(TransferError::Io)
            },
        )?;
    }
    let hash = out.hash.finalize().to_hex();
    writeln!(out.to, "{}", json!({"blake3": hash.as_str()}))?;
    out.to.flush()?;
    Ok(())
}

/// Returns a row as a line.
fn line(run: &str, row: &Row) -> String {
    let place = (row.kind.as_str(), row.turn, row.call.as_deref());
    line_of(run, row.at, place, row.fields.iter())
}

impl Placed {
    /// Returns the event as a line of an [export](super::Store::export), without its end.
    pub fn line(&self) -> String {
        let Logged { at, event } = &self.logged;
        let fields = event.fields();
        let fields = fields.iter().filter(|(_, json)| json != "null");
        let fields = fields.map(|(name, json)| (*name, json.as_str()));
        line_of(self.run.as_str(), *at, (event.name(), event.turn(), event.call()), fields)
    }
}

/// Returns the line of an event of a run: its kind, turn and call, and its fields as JSON.
fn line_of<'f>(
    run: &str,
    at: u64,
    (kind, turn, call): (&str, Option<u32>, Option<&str>),
    fields: impl Iterator<Item = (&'f str, &'f str)>,
) -> String {
    let mut line = format!("{{\"run\":{},\"at\":{at},\"event\":{}", json!(run), json!(kind));
    // Writing to a string never fails.
    if let Some(turn) = turn {
        let _ = write!(line, ",\"turn\":{turn}");
    }
    if let Some(call) = call {
        let _ = write!(line, ",\"call\":{}", json!(call));
    }
    for (name, json) in fields.filter(|(name, _)| *name != "run") {
        let _ = write!(line, ",{}:{json}", Value::from(name));
    }
    line.push('}');
    line
}

/// Makes an export of lines of this version.
pub(super) fn export_of<L: AsRef<str>>(lines: impl Iterator<Item = L>) -> Vec<u8> {
    let mut file = Vec::new();
    let mut out = Hashed { to: &mut file, hash: blake3::Hasher::new() };
    // Writing to a vector never fails.
    drop(out.line(&json!({"ptc": "runs", "version": LINES_VERSION, "runs": []}).to_string()));
    for line in lines {
        drop(out.line(line.as_ref()));
    }
    let hash = out.hash.finalize().to_hex();
    file.extend_from_slice(format!("{}\n", json!({"blake3": hash.as_str()})).as_bytes());
    file
}

/// Returns a path relative to a folder, if both are absolute and have a common folder.
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
    fn line(&mut self, line: &str) -> std::io::Result<()> {
        for part in [line, "\n"] {
            self.hash.update(part.as_bytes());
            self.to.write_all(part.as_bytes())?;
        }
        Ok(())
    }
}

/// Imports runs from a file: all of them, or none. Returns the runs that are new.
///
/// Relative paths of agent files start from the folder of the file. `goes_on` is whether queued runs go on here.
pub(super) fn import(
    db: &Connection,
    folder: Option<&Path>,
    from: &mut dyn BufRead,
    goes_on: bool,
) -> Result<Vec<RunId>, TransferError> {
    let mut lines = Lines { from, hash: blake3::Hasher::new(), number: 0 };
    let head = lines.next()?.ok_or_else(|| lines.wrong("the file is empty"))?;
    let version = version(&head).map_err(|what| lines.wrong(&what))?;
    let tx = Transaction::new_unchecked(db, TransactionBehavior::Immediate)?;
    let mut importer = Importer::new(&tx, folder, goes_on);
    if version < LINES_VERSION {
        let mut old = legacy::Lines::new()?;
        while let Some(line) = lines.next()? {
            old.add(lines.number, &line)?;
        }
        for (number, run, log) in old.into_logs()? {
            for it in log {
                importer.add(&run, it).map_err(|wrong| wrong.at(number))?;
            }
        }
    } else {
        while let Some(line) = lines.next()? {
            let (run, logged) = event(line).map_err(|what| lines.wrong(&what))?;
            importer.add(&run, logged).map_err(|wrong| wrong.at(lines.number))?;
        }
    }
    let new = importer.new;
    tx.commit()?;
    Ok(new)
}

impl TransferError {
    /// Turns damage into an error at a line of the file.
    fn at(self, number: usize) -> TransferError {
        match self {
            TransferError::Damage(what) => TransferError::Content(number, what),
            other => other,
        }
    }
}

/// The lines of a file before the last one, which has their hash.
struct Lines<'a> {
    from: &'a mut dyn BufRead,
    hash: blake3::Hasher,
    number: usize,
}

impl Lines<'_> {
    /// Reads the next line as an object of fields. Returns `None` at the end of an intact file.
    fn next(&mut self) -> Result<Option<Fields>, TransferError> {
        self.number += 1;
        let mut line = Vec::new();
        let read = std::io::Read::take(&mut *self.from, MAX_LINE).read_until(b'\n', &mut line)?;
        if read == 0 {
            return Err(self.wrong("the file is truncated: its last line has no hash"));
        }
        let text = std::str::from_utf8(&line).ok();
        let json = text.filter(|it| serde_json::from_str::<serde::de::IgnoredAny>(it).is_ok());
        let json = json.ok_or_else(|| self.wrong("the line is not JSON, or was cut off"))?;
        let mut fields =
            Fields::parse(json).ok_or_else(|| self.wrong("the line is not an object"))?;
        if let Some(expected) = fields.take("blake3") {
            let expected = serde_json::from_str::<String>(&expected).ok();
            if expected.as_deref() != Some(self.hash.finalize().to_hex().as_str()) {
                return Err(self.wrong("the file was changed: its hash does not match"));
            }
            if !self.from.fill_buf()?.is_empty() {
                self.number += 1;
                return Err(self.wrong("there is more data after the last line of the export"));
            }
            return Ok(None);
        }
        self.hash.update(&line);
        Ok(Some(fields))
    }

    fn wrong(&self, what: &str) -> TransferError {
        TransferError::Content(self.number, what.to_string())
    }
}

/// Returns the version of the store that wrote a file.
fn version(head: &Fields) -> Result<i64, String> {
    if head.json("ptc") != Some("\"runs\"") {
        return Err("the file is not an export of runs".to_string());
    }
    let version = head.json("version").and_then(|it| it.parse::<i64>().ok());
    match version {
        Some(version @ legacy::OLDEST_LINES..=LINES_VERSION) => Ok(version),
        Some(other) => Err(format!(
            "the file has store version {other}, and this ptc reads versions {} to {LINES_VERSION}",
            legacy::OLDEST_LINES
        )),
        None => Err("the file does not name its version".to_string()),
    }
}

/// Parses a line as an event.
fn event(mut line: Fields) -> Result<(RunId, Logged), String> {
    let text = |json: Option<String>| json.and_then(|it| serde_json::from_str::<String>(&it).ok());
    let (Some(run), Some(kind)) = (text(line.take("run")), text(line.take("event"))) else {
        return Err("the line is not an event of a run".to_string());
    };
    let at = line.take("at").and_then(|it| it.parse().ok());
    let at = at.filter(|at| i64::try_from(*at).is_ok());
    let at = at.ok_or("`at` is not a time in milliseconds since 1970")?;
    let turn = line.take("turn").map(|it| it.parse().map_err(|_| format!("`turn` holds {it}")));
    let call = line.take("call").filter(|it| it != "null");
    let call = call.map(|it| serde_json::from_str(&it).map_err(|_| format!("`call` holds {it}")));
    let (turn, call) = (turn.transpose()?, call.transpose()?);
    if let Some((name, _)) = line.iter().find(|(name, _)| name.ends_with(LONG_MARK)) {
        return Err(format!("`{name}` is not a name of a field"));
    }
    let run: RunId = run.parse().map_err(|it| format!("`run` is {it}"))?;
    let stored = Stored { run: &run, turn, call, fields: line };
    let event = Event::read(&kind, stored).map_err(|it| it.to_string())?;
    Ok((run, Logged { at, event }))
}

/// An import of runs from a file.
struct Importer<'a> {
    tx: &'a Transaction<'a>,
    folder: Option<&'a Path>,
    goes_on: bool,
    runs: Runs,
    /// The records so far. They ensure that every imported run has a valid record.
    folds: HashMap<RunId, Fold>,
    existing: HashSet<RunId>,
    new: Vec<RunId>,
}

impl<'a> Importer<'a> {
    fn new(tx: &'a Transaction<'a>, folder: Option<&'a Path>, goes_on: bool) -> Importer<'a> {
        let (runs, folds, existing) = (Runs::default(), HashMap::new(), HashSet::new());
        Importer { tx, folder, goes_on, runs, folds, existing, new: Vec::new() }
    }

    /// Adds an event to a run, unless the store already had the run.
    fn add(&mut self, run: &RunId, it: Logged) -> Result<(), TransferError> {
        if self.existing.contains(run) {
            return Ok(());
        }
        let Logged { at, mut event } = it;
        let damage =
            |what: String| TransferError::Damage(format!("run {run} cannot be read: {what}"));
        if let Some(fold) = self.folds.get_mut(run) {
            fold.add(at, event.clone()).map_err(damage)?;
        } else {
            if heads::number(self.tx, run.as_str())?.is_some() {
                self.existing.insert(run.clone());
                return Ok(());
            }
            if let (Event::RunStarted(started), Some(folder)) = (&mut event, self.folder) {
                let file = &mut started.setup.file;
                *file = file.take().map(|it| folder.join(it).to_string_lossy().into_owned());
            }
            let fold = Fold::start(run, at, event.clone()).map_err(damage)?;
            self.folds.insert(run.clone(), fold);
            self.new.push(run.clone());
        }
        let goes_on = self.goes_on;
        self.runs.write(self.tx, run, at, &event, None, goes_on).map_err(TransferError::Sqlite)
    }
}
