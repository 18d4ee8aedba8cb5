//! Runs that a host is to start or to go on with, and the keys under which they were asked for.

use rusqlite::Connection;

use super::log;
use super::snapshot::Snapshot;
use crate::error::Error;
use crate::record::{Event, RunId, RunQueued};

/// A run that a host is to start or to go on with.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct QueuedRun {
    /// The run.
    pub run: RunId,
    /// Its agent.
    pub agent: String,
    /// The request, and who made it.
    pub queued: RunQueued,
}

/// The newest request about a run that has not ended since.
const NEWEST: &str = "SELECT max(e.seq) FROM event_rows e WHERE e.run = r.seq AND e.turn IS NULL AND e.call IS NULL \
    AND e.kind = 'run-queued'";

impl Snapshot<'_> {
    /// Returns the queued runs, and those that were queued and whose process died before their end. The one that was
    /// asked for first comes first.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Store`](crate::ErrorKind::Store) if the store cannot be read.
    pub fn queued(&self) -> Result<Vec<QueuedRun>, Error> {
        let sql = format!(
            "SELECT r.id, r.agent, r.status, r.process, ({NEWEST}) AS asked FROM run_heads r \
             WHERE r.ended IS NULL AND r.parent IS NULL AND (r.status = 'queued' OR r.process IS NOT NULL) \
             AND asked IS NOT NULL ORDER BY asked"
        );
        let is_open = |status: &str, process: Option<&str>| {
            // A queued run that a living process has claimed is about to start there.
            !process.is_some_and(|it| self.living.has(it))
                && (status == "queued" || process.is_some())
        };
        let found = rows(self.db, &sql, |row| {
            let (status, process): (String, Option<String>) = (row.get(2)?, row.get(3)?);
            let is_open = is_open(&status, process.as_deref());
            Ok(is_open.then_some((row.get(0)?, row.get(1)?, row.get(4)?)))
        });
        let found: Vec<(String, String, i64)> = found.map_err(|it| self.sqlite_error(&it))?;
        let mut all = Vec::new();
        for (run, agent, asked) in found {
            // `Store::find` reports a run that cannot be read.
            let Some(run) = run.parse().ok() else { continue };
            if let Some(queued) = request(self.db, &run, asked) {
                all.push(QueuedRun { run, agent, queued });
            }
        }
        Ok(all)
    }

    /// Returns the runs that were asked for under a key since a time, in milliseconds since 1970.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Store`](crate::ErrorKind::Store) if the store cannot be read.
    pub fn queued_under_keys(&self, since: u64) -> Result<Vec<QueuedRun>, Error> {
        let since = i64::try_from(since).unwrap_or(i64::MAX);
        let sql = format!(
            "SELECT r.id, r.agent, e.seq FROM run_heads r CROSS JOIN event_rows e ON e.run = r.seq \
             AND e.turn IS NULL AND e.call IS NULL AND e.kind = 'run-queued' AND e.data ->> 'key' IS NOT NULL \
             WHERE r.started_at >= {since} AND r.parent IS NULL ORDER BY e.seq"
        );
        let found = rows(self.db, &sql, |row| Ok(Some((row.get(0)?, row.get(1)?, row.get(2)?))));
        let found: Vec<(String, String, i64)> = found.map_err(|it| self.sqlite_error(&it))?;
        let asked = |(run, agent, seq): (String, String, i64)| {
            let run: RunId = run.parse().ok()?;
            Some(QueuedRun { agent, queued: request(self.db, &run, seq)?, run })
        };
        Ok(found.into_iter().filter_map(asked).collect())
    }
}

impl Snapshot<'_> {
    /// Returns the queued runs that have ended or begun to wait since a time, in milliseconds since 1970, and about which
    /// nobody was told since.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Store`](crate::ErrorKind::Store) if the store cannot be read.
    pub fn untold(&self, since: u64) -> Result<Vec<RunId>, Error> {
        let since = i64::try_from(since).unwrap_or(i64::MAX);
        let sql = format!(
            "SELECT r.id FROM run_heads r WHERE r.ended IS NOT NULL AND r.ended_at >= {since} AND r.parent IS NULL \
             AND ({NEWEST}) IS NOT NULL AND NOT EXISTS (SELECT 1 FROM event_rows w WHERE w.run = r.seq \
             AND w.turn IS NULL AND w.call IS NULL AND w.kind = 'webhook-sent' AND w.seq > r.ended) ORDER BY r.ended"
        );
        let found = rows(self.db, &sql, |row| row.get::<_, String>(0).map(Some));
        let found = found.map_err(|it| self.sqlite_error(&it))?;
        Ok(found.into_iter().filter_map(|run| run.parse().ok()).collect())
    }
}

fn rows<T>(
    db: &Connection,
    sql: &str,
    mut read: impl FnMut(&rusqlite::Row<'_>) -> rusqlite::Result<Option<T>>,
) -> rusqlite::Result<Vec<T>> {
    let mut statement = db.prepare_cached(sql)?;
    let rows = statement.query_map([], |row| read(row))?;
    rows.filter_map(Result::transpose).collect()
}

/// Returns the request that an event is; `None` for a row that no version writes.
fn request(db: &Connection, run: &RunId, seq: i64) -> Option<RunQueued> {
    match log::numbered(db, seq).ok()?.into_event(run).ok()?.event {
        Event::RunQueued(queued) => Some(*queued),
        _ => None,
    }
}
