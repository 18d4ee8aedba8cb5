//! Runs as a file of their own: JSON lines that another store takes, on another machine.
//!
//! The first line says what it is: `{"ptc": "runs", "version": …, "runs": […]}`. Each further line is an event of the
//! log, as `{"run": …, "at": …, "event": …, "turn": …, "call": …}` with the fields of the event, all texts in their
//! places. The last one has the hash of everything before it, `{"blake3": "…"}`, so that a file that was cut off or
//! changed is told from a whole one.

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
use super::log::{self, Logged, Part, Row, Unread};
use super::schema::VERSION;
use super::tables::LONG_MARK;
use crate::run::{Event, Fields, RunId, read};

/// The most bytes of one line: more than any event can have.
const MAX_LINE: u64 = 256 << 20;

/// What went wrong with a file.
pub(super) enum Wrong {
    /// The store.
    Sqlite(rusqlite::Error),
    /// Reading or writing the file.
    Io(std::io::Error),
    /// What is in it, with the line.
    Content(usize, String),
    /// What is in the store.
    Damage(String),
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

impl From<Unread> for Wrong {
    fn from(error: Unread) -> Wrong {
        match error {
            Unread::Sqlite(error) => Wrong::Sqlite(error),
            Unread::Damage(what) => Wrong::Damage(what),
        }
    }
}

/// Writes the logs of some runs. To be called in a transaction: others may be writing.
///
/// Where the file will be in a folder, the paths of agent files are from there, so that both can move together.
pub(super) fn export(
    db: &Connection,
    runs: &[String],
    folder: Option<&Path>,
    to: &mut dyn Write,
) -> Result<(), Wrong> {
    let mut out = Hashed { to, hash: blake3::Hasher::new() };
    out.line(&json!({"ptc": "runs", "version": VERSION, "runs": runs}).to_string())?;
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
                out.line(&line(run, &row)).map_err(Wrong::Io)
            },
        )?;
    }
    let hash = out.hash.finalize().to_hex();
    writeln!(out.to, "{}", json!({"blake3": hash.as_str()}))?;
    out.to.flush()?;
    Ok(())
}

/// An event as a line.
fn line(run: &str, row: &Row) -> String {
    let mut line =
        format!("{{\"run\":{},\"at\":{},\"event\":{}", json!(run), row.at, json!(row.kind));
    let place = [
        ("turn", row.turn.map(|it| it.to_string())),
        ("call", row.call.as_ref().map(|it| json!(it).to_string())),
    ];
    let place = place.iter().filter_map(|(name, json)| Some((*name, json.as_deref()?)));
    let fields = row.fields.iter().filter(|(name, _)| *name != "run");
    for (name, json) in place.chain(fields) {
        // A string takes everything that is written to it.
        let _ = write!(line, ",{}:{json}", Value::from(name));
    }
    line.push('}');
    line
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
    fn line(&mut self, line: &str) -> std::io::Result<()> {
        for part in [line, "\n"] {
            self.hash.update(part.as_bytes());
            self.to.write_all(part.as_bytes())?;
        }
        Ok(())
    }
}

/// Takes runs from a file, all of them or none; returns those that were not there before.
///
/// Paths of agent files are taken from the folder of the file.
pub(super) fn import(
    db: &Connection,
    folder: Option<&Path>,
    from: &mut dyn BufRead,
) -> Result<Vec<String>, Wrong> {
    let mut lines = Lines { from, hash: blake3::Hasher::new(), number: 0 };
    let head = lines.next()?.ok_or_else(|| lines.wrong("the file is empty"))?;
    let version = version(&head).map_err(|what| lines.wrong(&what))?;
    let tx = Transaction::new_unchecked(db, TransactionBehavior::Immediate)?;
    let mut taken = Taken::new(&tx, folder);
    if version < VERSION {
        let mut old = legacy::Lines::new()?;
        while let Some(line) = lines.next()? {
            old.add(lines.number, &line)?;
        }
        for (number, run, log) in old.into_logs()? {
            for it in log {
                taken.add(&run, it).map_err(|wrong| wrong.at(number))?;
            }
        }
    } else {
        while let Some(line) = lines.next()? {
            let (run, logged) = event(line).map_err(|what| lines.wrong(&what))?;
            taken.add(&run, logged).map_err(|wrong| wrong.at(lines.number))?;
        }
    }
    let new = taken.new;
    tx.commit()?;
    Ok(new)
}

impl Wrong {
    /// Names the line where the file has what is wrong.
    fn at(self, number: usize) -> Wrong {
        match self {
            Wrong::Damage(what) => Wrong::Content(number, what),
            other => other,
        }
    }
}

/// The lines of a file between its first and its last one, which has their hash.
struct Lines<'a> {
    from: &'a mut dyn BufRead,
    hash: blake3::Hasher,
    number: usize,
}

impl Lines<'_> {
    /// Reads the next line as an object of fields; `None` at the end of a whole file.
    fn next(&mut self) -> Result<Option<Fields>, Wrong> {
        self.number += 1;
        let mut line = Vec::new();
        let read = std::io::Read::take(&mut *self.from, MAX_LINE).read_until(b'\n', &mut line)?;
        if read == 0 {
            return Err(self.wrong("the file breaks off: its last line has no hash"));
        }
        let text = std::str::from_utf8(&line).ok();
        let json = text.filter(|it| serde_json::from_str::<serde::de::IgnoredAny>(it).is_ok());
        let json = json.ok_or_else(|| self.wrong("the line is no JSON, or was cut off"))?;
        let mut fields = Fields::parse(json).ok_or_else(|| self.wrong("the line is no object"))?;
        if let Some(expected) = fields.take("blake3") {
            let expected = serde_json::from_str::<String>(&expected).ok();
            if expected.as_deref() != Some(self.hash.finalize().to_hex().as_str()) {
                return Err(self.wrong("the file was changed: its hash is another one"));
            }
            if !self.from.fill_buf()?.is_empty() {
                self.number += 1;
                return Err(self.wrong("the runs end on the line before, and the file goes on"));
            }
            return Ok(None);
        }
        self.hash.update(&line);
        Ok(Some(fields))
    }

    fn wrong(&self, what: &str) -> Wrong {
        Wrong::Content(self.number, what.to_string())
    }
}

/// The version of the store that wrote a file.
fn version(head: &Fields) -> Result<i64, String> {
    if head.json("ptc") != Some("\"runs\"") {
        return Err("the file is no export of runs".to_string());
    }
    let version = head.json("version").and_then(|it| it.parse::<i64>().ok());
    match version {
        Some(version @ legacy::OLDEST_LINES..=VERSION) => Ok(version),
        Some(other) => Err(format!(
            "the file has store version {other}, and this ptc reads versions {} to {VERSION}",
            legacy::OLDEST_LINES
        )),
        None => Err("the file does not say which version it has".to_string()),
    }
}

/// Reads a line as an event.
fn event(mut line: Fields) -> Result<(RunId, Logged), String> {
    let text = |json: Option<String>| json.and_then(|it| serde_json::from_str::<String>(&it).ok());
    let (Some(run), Some(kind)) = (text(line.take("run")), text(line.take("event"))) else {
        return Err("the line is no event of a run".to_string());
    };
    let at = line.take("at").and_then(|it| it.parse().ok());
    let at = at.filter(|at| i64::try_from(*at).is_ok());
    let at = at.ok_or("`at` is no time in milliseconds since 1970")?;
    let turn = line.take("turn").map(|it| it.parse().map_err(|_| format!("`turn` holds {it}")));
    let call = line.take("call").filter(|it| it != "null");
    let call = call.map(|it| serde_json::from_str(&it).map_err(|_| format!("`call` holds {it}")));
    let (turn, call) = (turn.transpose()?, call.transpose()?);
    if let Some((name, _)) = line.iter().find(|(name, _)| name.ends_with(LONG_MARK)) {
        return Err(format!("`{name}` is no name of a field"));
    }
    let run = RunId::stored(run);
    let event = read(&run, &kind, turn, call, line).map_err(|it| it.to_string())?;
    Ok((run, Logged { at, event }))
}

/// The runs that are taken from a file.
struct Taken<'a> {
    tx: &'a Transaction<'a>,
    folder: Option<&'a Path>,
    runs: Runs,
    /// What the events make so far: a run that has no record is not taken.
    folds: HashMap<RunId, Fold>,
    there: HashSet<RunId>,
    new: Vec<String>,
}

impl<'a> Taken<'a> {
    fn new(tx: &'a Transaction<'a>, folder: Option<&'a Path>) -> Taken<'a> {
        let (runs, folds, there) = (Runs::default(), HashMap::new(), HashSet::new());
        Taken { tx, folder, runs, folds, there, new: Vec::new() }
    }

    /// Adds an event to a run, unless the run was there before.
    fn add(&mut self, run: &RunId, it: Logged) -> Result<(), Wrong> {
        if self.there.contains(run) {
            return Ok(());
        }
        let Logged { at, mut event } = it;
        let damage = |what: String| Wrong::Damage(format!("run {run} cannot be read: {what}"));
        if let Some(fold) = self.folds.get_mut(run) {
            fold.add(at, event.clone()).map_err(damage)?;
        } else {
            if heads::number(self.tx, run.as_str())?.is_some() {
                self.there.insert(run.clone());
                return Ok(());
            }
            if let (Event::RunStarted(started), Some(folder)) = (&mut event, self.folder) {
                started.file = started.file.take().map(|it| folder.join(it));
            }
            let fold = Fold::start(run, at, event.clone()).map_err(damage)?;
            self.folds.insert(run.clone(), fold);
            self.new.push(run.to_string());
        }
        self.runs.write(self.tx, run, at, &event, None).map_err(Wrong::Sqlite)
    }
}
