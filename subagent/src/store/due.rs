//! Waiting runs: the times at which they are to be resumed, and their questions.

use rusqlite::Connection;
use serde::Serialize;

use super::snapshot::Snapshot;
use super::{Filter, Store, tables};
use crate::error::Error;
use crate::record::{OpenQuestion, RunId, RunSummary};

/// A run that waits for a time.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct DueRun {
    /// The run.
    pub run: RunId,
    /// The time at which it is to be resumed, in milliseconds since 1970.
    pub due: u64,
}

/// A run that waits for a time or a person.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct WaitingRun {
    /// The run.
    pub run: RunId,
    /// Its agent.
    pub agent: String,
    /// The time at which it is to be resumed, in milliseconds since 1970; `None` if it waits for a person alone.
    pub due: Option<u64>,
    /// The open questions of the run and its sub-agents.
    pub questions: Vec<OpenQuestion>,
}

impl Store {
    /// Returns the waiting runs, the oldest first, and the runs whose process died at an open question. Runs of
    /// sub-agents are not among them: they resume with their callers.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Store`](crate::ErrorKind::Store) if the store cannot be read.
    pub fn waiting(&self) -> Result<Vec<WaitingRun>, Error> {
        self.read(|snapshot| {
            let mut runs = waiting(snapshot.db).map_err(|it| snapshot.sqlite_error(&it))?;
            runs.extend(snapshot.died_at_a_question()?);
            // The ids have the order of the starts.
            runs.sort_by(|one, other| one.run.as_str().cmp(other.run.as_str()));
            Ok(runs)
        })
    }

    /// Returns the waiting runs that were due at a time, in milliseconds since 1970, the earliest first. Runs of
    /// sub-agents are not among them: they resume with their callers.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Store`](crate::ErrorKind::Store) if the store cannot be read.
    pub fn due(&self, at: u64) -> Result<Vec<DueRun>, Error> {
        self.read(move |snapshot| snapshot.due(at))
    }
}

impl Snapshot<'_> {
    /// Returns the waiting runs that were due at a time, as [`Store::due`] does.
    ///
    /// # Errors
    ///
    /// As [`Store::due`].
    pub fn due(&self, at: u64) -> Result<Vec<DueRun>, Error> {
        due(self.db, at).map_err(|it| self.sqlite_error(&it))
    }

    fn died_at_a_question(&self) -> Result<Vec<WaitingRun>, Error> {
        let died = Filter { status: Some("died".to_string()), roots: true, ..Filter::default() };
        let mut runs = Vec::new();
        for RunSummary { run, agent, .. } in self.find(&died)?.runs {
            // `Store::find` reports a run that cannot be read.
            let questions = self.past(run.as_str()).map(|past| past.open_questions());
            let questions = questions.unwrap_or_default();
            if !questions.is_empty() {
                runs.push(WaitingRun { run, agent, due: None, questions });
            }
        }
        Ok(runs)
    }
}

/// Returns the waiting runs, the oldest first.
fn waiting(db: &Connection) -> rusqlite::Result<Vec<WaitingRun>> {
    let sql = format!(
        "SELECT id, agent, json_extract(data, '$.due'), {} \
         FROM run_heads JOIN event_rows ON event_rows.seq = run_heads.ended \
         WHERE status = 'waiting' AND run_heads.parent IS NULL ORDER BY started_at, id",
        tables::json("event_rows", "questions")
    );
    let mut statement = db.prepare_cached(&sql)?;
    let rows = statement.query_map([], |row| {
        let (id, agent): (String, String) = (row.get(0)?, row.get(1)?);
        let (due, questions): (Option<i64>, Option<String>) = (row.get(2)?, row.get(3)?);
        // A question of a later version may have another form; it is left out.
        let questions = questions.and_then(|it| serde_json::from_str(&it).ok()).unwrap_or_default();
        let due = due.map(i64::cast_unsigned);
        // `Store::find` reports a run whose id has another form.
        Ok(id.parse().ok().map(|run| WaitingRun { run, agent, due, questions }))
    })?;
    rows.filter_map(Result::transpose).collect()
}

/// Returns the waiting runs that were due at a time, the earliest first.
fn due(db: &Connection, at: u64) -> rusqlite::Result<Vec<DueRun>> {
    let sql = "SELECT id, json_extract(data, '$.due') AS due \
               FROM run_heads JOIN event_rows ON event_rows.seq = run_heads.ended \
               WHERE status = 'waiting' AND run_heads.parent IS NULL AND due <= ?1 ORDER BY due, id";
    let mut statement = db.prepare_cached(sql)?;
    let rows = statement.query_map([i64::try_from(at).unwrap_or(i64::MAX)], |row| {
        let (id, due): (String, i64) = (row.get(0)?, row.get(1)?);
        Ok(id.parse().ok().map(|run| DueRun { run, due: due.cast_unsigned() }))
    })?;
    rows.filter_map(Result::transpose).collect()
}
