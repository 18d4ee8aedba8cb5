//! The log: events as rows. Each long field is stored once.

use std::fmt::Write as _;

use rusqlite::{Connection, OptionalExtension as _, params};
use serde_json::Value;

use super::tables::LONG_MARK;
use crate::record::{BadField, Event, Fields, RunId, Stored};

/// The minimum size of a long field, in bytes of JSON. A smaller field takes less space in the event than in its own
/// row.
const LONG_BYTES: usize = 512;

/// The fields that are lists of objects with long texts, and the key of these texts. A result of a native call is
/// stored once as the result of the call and as what the model was told. The field `FIELD/N` has the text of item N.
const PARTS: [(&str, &str); 1] = [("results", "text")];

/// Appends an event to a run, or starts a new run if `run` is `None`. Returns the number of the event. The number of
/// the first event is the number of the run.
pub(super) fn append(
    db: &Connection,
    run: Option<i64>,
    at: u64,
    event: &Event,
) -> rusqlite::Result<i64> {
    let data = data(db, event)?;
    let (at, kind, turn, call) = (at.cast_signed(), event.name(), event.turn(), event.call());
    match run {
        Some(run) => {
            let sql = "INSERT INTO event_rows (run, at, kind, turn, call, data) VALUES (?1, ?2, ?3, ?4, ?5, ?6)";
            db.prepare_cached(sql)?.insert(params![run, at, kind, turn, call, data])
        }
        None => {
            let sql = "INSERT INTO event_rows (seq, run, at, kind, turn, call, data) \
                       SELECT seq, seq, ?1, ?2, ?3, ?4, ?5 FROM \
                       (SELECT coalesce(max(seq), 0) + 1 AS seq FROM event_rows)";
            db.prepare_cached(sql)?.insert(params![at, kind, turn, call, data])
        }
    }
}

/// Returns the fields of an event as a JSON object, without the null ones.
fn data(db: &Connection, event: &Event) -> rusqlite::Result<String> {
    let mut data = String::from("{");
    for (name, json) in event.fields() {
        if json == "null" {
            continue;
        }
        let is_long = json.len() >= LONG_BYTES;
        let (json, parts) = match PARTS.iter().find(|it| it.0 == name && is_long) {
            Some((_, key)) => without_parts(&json, key),
            None => (json, Vec::new()),
        };
        add(db, &mut data, name, &json)?;
        for (place, part) in parts {
            add(db, &mut data, &format!("{name}/{place}"), &part)?;
        }
    }
    data.push('}');
    Ok(data)
}

/// Adds a field to a JSON object, or the number of its text if it is long.
fn add(db: &Connection, data: &mut String, name: &str, json: &str) -> rusqlite::Result<()> {
    if data.len() > 1 {
        data.push(',');
    }
    // Writing to a string never fails.
    let _ = if json.len() < LONG_BYTES {
        write!(data, "{}:{json}", quoted(name))
    } else {
        write!(data, "{}:{}", quoted(&format!("{name}{LONG_MARK}")), intern(db, json)?)
    };
    Ok(())
}

/// Takes the long texts under a key out of a list of objects. Returns the list with empty texts, and the JSON of each
/// text with its place in the list.
fn without_parts(json: &str, key: &str) -> (String, Vec<(usize, String)>) {
    let mut parts = Vec::new();
    let Ok(mut items) = serde_json::from_str::<Vec<Value>>(json) else {
        return (json.to_string(), parts);
    };
    for (place, item) in items.iter_mut().enumerate() {
        let Some(text) = item.get_mut(key) else { continue };
        if text.as_str().is_some_and(|it| it.len() >= LONG_BYTES) {
            parts.push((place, std::mem::replace(text, Value::from("")).to_string()));
        }
    }
    (Value::from(items).to_string(), parts)
}

/// Puts texts back into a list of objects; `None` if the JSON is something else.
fn with_parts(json: &str, key: &str, parts: &[(usize, String)]) -> Option<String> {
    let mut items: Vec<Value> = serde_json::from_str(json).ok()?;
    for (place, part) in parts {
        *items.get_mut(*place)?.get_mut(key)? = serde_json::from_str(part).ok()?;
    }
    Some(Value::from(items).to_string())
}

fn quoted(name: &str) -> String {
    Value::from(name).to_string()
}

/// Stores a long JSON text once, and returns its number.
fn intern(db: &Connection, json: &str) -> rusqlite::Result<i64> {
    let hash = blake3::hash(json.as_bytes());
    let known = db
        .prepare_cached("SELECT id FROM long_texts WHERE hash = ?1")?
        .query_row([hash.as_bytes()], |row| row.get(0))
        .optional()?;
    match known {
        Some(id) => Ok(id),
        None => {
            let sql = "INSERT INTO long_texts (hash, json) VALUES (?1, ?2)";
            db.prepare_cached(sql)?.insert(params![hash.as_bytes(), json])
        }
    }
}

/// A recorded event.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Logged {
    /// The time, in milliseconds since 1970.
    pub at: u64,
    /// The event.
    pub event: Event,
}

/// A recorded event with its place among those of all runs.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Placed {
    /// The number of the event in the store, which is larger than those of all earlier events.
    pub seq: u64,
    /// The run.
    pub run: RunId,
    /// The agent of the run.
    pub agent: String,
    /// The event with its time.
    pub logged: Logged,
}

/// A row of the log.
pub(super) struct Row {
    /// The number of the event in the store.
    pub(super) seq: i64,
    pub(super) at: u64,
    pub(super) kind: String,
    pub(super) turn: Option<u32>,
    pub(super) call: Option<String>,
    pub(super) fields: Fields,
}

impl Row {
    pub(super) fn into_event(self, run: &RunId) -> Result<Logged, BadField> {
        let Row { at, kind, turn, call, fields, .. } = self;
        Ok(Logged { at, event: Event::read(&kind, Stored { run, turn, call, fields })? })
    }
}

/// The reason that the events of a run cannot be read.
pub(super) enum ReadError {
    Sqlite(rusqlite::Error),
    /// A row has a value that no version writes.
    Damage(String),
}

impl From<rusqlite::Error> for ReadError {
    fn from(error: rusqlite::Error) -> ReadError {
        ReadError::Sqlite(error)
    }
}

impl From<BadField> for ReadError {
    fn from(error: BadField) -> ReadError {
        ReadError::Damage(error.to_string())
    }
}

/// A subquery with the numbers of the turns of a run. It seeks each in the index, past the rows of its calls.
macro_rules! turns_of {
    ($run:literal) => {
        concat!(
            " (WITH RECURSIVE turns (number) AS (
                SELECT min(turn) FROM event_rows WHERE run = ",
            $run,
            " UNION ALL
                SELECT (SELECT min(turn) FROM event_rows WHERE run = ",
            $run,
            " AND turn > number) FROM turns WHERE number IS NOT NULL)
            SELECT number FROM turns WHERE number IS NOT NULL) "
        )
    };
}
pub(super) use turns_of;

/// The rows of a run to read.
#[derive(Clone, Copy, Debug)]
pub(super) enum Part {
    /// All rows.
    All,
    /// The rows that make up the record: all except earlier snapshots.
    Record,
    /// The rows that a resume needs after the newest snapshot. Of earlier turns they are the messages, and the calls if
    /// `calls` is set because calls are remembered, or the model sees images.
    Rest { calls: bool },
}

impl Part {
    /// Returns the condition for a row of the run `?1`. `?2` is the turn of the newest snapshot.
    fn condition(self) -> &'static str {
        match self {
            Part::All => "run = ?1 AND ?2 IS ?2",
            Part::Record => "run = ?1 AND (kind <> 'snapshot' OR turn = ?2)",
            // The index finds each of these rows, so the calls of earlier turns, which may be millions, are not read.
            // Only their warnings need a walk, of the index alone.
            Part::Rest { calls: false } => {
                concat!("seq IN (
                    SELECT seq FROM event_rows WHERE run = ?1 AND turn IS NULL
                    UNION ALL
                    SELECT seq FROM event_rows WHERE run = ?1 AND turn > ?2
                    UNION ALL
                    SELECT seq FROM event_rows
                    WHERE run = ?1 AND turn = ?2 AND call IS NULL AND kind = 'snapshot'
                    UNION ALL
                    SELECT seq FROM",
                    turns_of!("?1"),
                    "CROSS JOIN event_rows ON run = ?1 AND turn = number AND number <= ?2 AND call IS NULL
                        AND kind IN ('turn-started', 'model-asked', 'model-replied', 'warned', 'turn-ended',
                            'program-changed')
                    UNION ALL
                    SELECT seq FROM event_rows
                    WHERE run = ?1 AND turn <= ?2 AND call IS NOT NULL AND kind = 'warned')"
                )
            }
            Part::Rest { calls: true } => {
                "run = ?1 AND (coalesce(turn > ?2, TRUE) OR turn = ?2 AND kind = 'snapshot' OR \
                 kind IN ('turn-started', 'model-asked', 'model-replied', 'warned', 'turn-ended', \
                 'call-started', 'call-finished', 'program-changed'))"
            }
        }
    }
}

/// Returns the turn of the newest snapshot of a run.
pub(super) fn newest_snapshot(db: &Connection, run: i64) -> rusqlite::Result<Option<u32>> {
    let sql = "SELECT turn FROM event_rows WHERE run = ?1 AND kind = 'snapshot' AND turn IS NOT NULL \
               ORDER BY turn DESC LIMIT 1";
    db.prepare_cached(sql)?.query_row([run], |row| row.get(0)).optional()
}

/// Passes rows of a run to `each` in order, until it fails.
pub(super) fn rows<E: From<ReadError>>(
    db: &Connection,
    run: i64,
    part: Part,
    mut each: impl FnMut(Row) -> Result<(), E>,
) -> Result<(), E> {
    let sqlite = |error| E::from(ReadError::Sqlite(error));
    let newest = match part {
        Part::All => None,
        Part::Record | Part::Rest { .. } => newest_snapshot(db, run).map_err(sqlite)?,
    };
    let sql = format!(
        "SELECT at, kind, turn, call, data, seq FROM event_rows WHERE {} ORDER BY seq",
        part.condition()
    );
    let mut statement = db.prepare_cached(&sql).map_err(sqlite)?;
    let mut rows = statement.query(params![run, newest]).map_err(sqlite)?;
    while let Some(row) = rows.next().map_err(sqlite)? {
        each(self::row(db, row).map_err(E::from)?)?;
    }
    Ok(())
}

/// Returns the number of the newest row.
pub(super) fn newest(db: &Connection) -> rusqlite::Result<i64> {
    let sql = "SELECT coalesce(max(seq), 0) FROM event_rows";
    db.prepare_cached(sql)?.query_row([], |row| row.get(0))
}

/// Returns the row with a number.
pub(super) fn numbered(db: &Connection, seq: i64) -> Result<Row, ReadError> {
    let sql = "SELECT at, kind, turn, call, data, seq FROM event_rows WHERE seq = ?1";
    db.prepare_cached(sql)?.query_row([seq], |found| Ok(row(db, found)))?
}

/// Returns rows of all runs, or of the tree of one, that come after a number, with the ids and agents of their runs.
pub(super) fn behind(
    db: &Connection,
    seq: i64,
    tree: Option<&str>,
    limit: u32,
) -> Result<Vec<(String, String, Row)>, ReadError> {
    let sql = "WITH RECURSIVE tree (id) AS (
            SELECT id FROM run_heads WHERE id = ?2
            UNION ALL
            SELECT r.id FROM tree CROSS JOIN run_heads r ON r.parent = tree.id)
        SELECT at, kind, turn, call, data, e.seq, r.id, r.agent
        FROM event_rows e CROSS JOIN run_heads r ON r.seq = e.run
        WHERE e.seq > ?1 AND (?2 IS NULL OR r.id IN (SELECT id FROM tree)) ORDER BY e.seq LIMIT ?3";
    let mut statement = db.prepare_cached(sql)?;
    let mut found = statement.query(params![seq, tree, limit])?;
    let mut all = Vec::new();
    while let Some(it) = found.next()? {
        all.push((it.get(6)?, it.get(7)?, row(db, it)?));
    }
    Ok(all)
}

fn row(db: &Connection, row: &rusqlite::Row<'_>) -> Result<Row, ReadError> {
    let number = |column: usize, name: &str| -> Result<Option<u64>, ReadError> {
        let number: Option<i64> = row.get(column)?;
        let number = number.map(|it| u64::try_from(it).map_err(|_| bad(name, &it.to_string())));
        number.transpose()
    };
    let text: String = row.get(4)?;
    let mut fields = Fields::parse(&text).ok_or_else(|| bad("data", &text))?;
    let long: Vec<(String, String)> = fields
        .iter()
        .filter_map(|(name, json)| {
            Some((name.strip_suffix(LONG_MARK)?.to_string(), json.to_string()))
        })
        .collect();
    let mut parts = Vec::new();
    for (name, id) in long {
        fields.take(&format!("{name}{LONG_MARK}"));
        let missing = || bad(&name, "the number of a text that is not there");
        let id: i64 = id.parse().map_err(|_| missing())?;
        let json: Option<String> = db
            .prepare_cached("SELECT json FROM long_texts WHERE id = ?1")?
            .query_row([id], |row| row.get(0))
            .optional()?;
        let json = json.ok_or_else(missing)?;
        match name.split_once('/').map(|(list, place)| (list.to_string(), place.parse())) {
            Some((list, Ok(place))) => parts.push((list, (place, json))),
            _ => fields.set(&name, json),
        }
    }
    for (name, key) in PARTS {
        let own = parts.extract_if(.., |it| it.0 == name).map(|it| it.1);
        let own: Vec<(usize, String)> = own.collect();
        if own.is_empty() {
            continue;
        }
        let list = fields.json(name).and_then(|it| with_parts(it, key, &own));
        fields.set(name, list.ok_or_else(|| bad(name, "no list with its texts"))?);
    }
    let turn = number(2, "turn")?;
    let turn = turn.map(|it| u32::try_from(it).map_err(|_| bad("turn", &it.to_string())));
    Ok(Row {
        seq: row.get(5)?,
        at: number(0, "at")?.unwrap_or_default(),
        kind: row.get(1)?,
        turn: turn.transpose()?,
        call: row.get(3)?,
        fields,
    })
}

fn bad(field: &str, holds: &str) -> ReadError {
    ReadError::from(BadField::new(field, Some(holds)))
}
