//! The heads of runs: the rows that a list of runs shows. They are derived from the log and written with it.

use rusqlite::{Connection, OptionalExtension as _, params};
use serde_json::json;

use super::log::{self, Part, ReadError};
use crate::record::{Event, Fields, RunId, RunReport, RunStarted, Stop};

/// The runs that receive events, with their numbers.
#[derive(Default)]
pub(super) struct Runs(std::collections::HashMap<RunId, i64>);

impl Runs {
    /// Adds an event to the log of its run, and updates the head of the run. `process` becomes the owner of the run.
    /// `goes_on` is whether a run that is queued goes on here.
    pub(super) fn write(
        &mut self,
        db: &Connection,
        run: &RunId,
        at: u64,
        event: &Event,
        process: Option<&str>,
        goes_on: bool,
    ) -> rusqlite::Result<()> {
        match event {
            // A later event has the whole reply, or the result of the call.
            Event::ReplyText { .. } | Event::CallProgress { .. } => {}
            Event::RunStarted(started) => {
                let number = log::append(db, None, at, event)?;
                start(db, number, run, at, started, process)?;
                self.0.insert(run.clone(), number);
            }
            event => {
                // The store has no start of this run, so the run is not recorded.
                let Some(number) = self.number(db, run)? else { return Ok(()) };
                let seq = log::append(db, Some(number), at, event)?;
                match event {
                    Event::RunResumed => resume(db, number, process)?,
                    // Nobody here asked for the runs of an import, so they do not start by themselves.
                    Event::RunQueued(_) if goes_on => queue(db, number)?,
                    Event::RunEnded(report) => {
                        end(db, number, seq, at, report)?;
                        self.0.remove(run);
                    }
                    _ => {}
                }
            }
        }
        Ok(())
    }

    fn number(&mut self, db: &Connection, run: &RunId) -> rusqlite::Result<Option<i64>> {
        if let Some(number) = self.0.get(run) {
            return Ok(Some(*number));
        }
        let number = number(db, run.as_str())?;
        if let Some(number) = number {
            self.0.insert(run.clone(), number);
        }
        Ok(number)
    }
}

/// Returns the number of a run.
pub(super) fn number(db: &Connection, run: &str) -> rusqlite::Result<Option<i64>> {
    let sql = "SELECT seq FROM run_heads WHERE id = ?1";
    db.prepare_cached(sql)?.query_row([run], |row| row.get(0)).optional()
}

/// Rebuilds all heads from the log.
pub(super) fn rebuild(db: &Connection) -> Result<(), ReadError> {
    let sql =
        "SELECT seq, process, status FROM run_heads WHERE process IS NOT NULL OR status = 'queued'";
    let known = db
        .prepare(sql)?
        .query_map([], |row| Ok((row.get(0)?, (row.get(1)?, row.get(2)?))))?
        .collect::<rusqlite::Result<std::collections::HashMap<i64, (Option<String>, String)>>>()?;
    db.execute_batch("DELETE FROM run_heads")?;
    let sql = "SELECT seq FROM event_rows WHERE kind = 'run-started' ORDER BY seq";
    let all: Vec<i64> =
        db.prepare(sql)?.query_map([], |row| row.get(0))?.collect::<rusqlite::Result<_>>()?;
    for number in all {
        let (process, is_queued) = match known.get(&number) {
            Some((process, status)) => (process.as_deref(), status == "queued"),
            None => (None, false),
        };
        let mut run = None;
        log::rows(db, number, Part::All, |row| -> Result<(), ReadError> {
            let id = match &run {
                Some(run) => RunId::clone(run),
                None => {
                    let id = row.fields.json("run").and_then(|it| serde_json::from_str(it).ok());
                    run.insert(
                        id.ok_or_else(|| ReadError::Damage("`run` is not a run id".to_string()))?,
                    )
                    .clone()
                }
            };
            let seq = row.seq;
            let kinds = ["run-started", "run-resumed", "run-queued", "run-ended"];
            if !kinds.contains(&row.kind.as_str()) {
                return Ok(());
            }
            let it = row.into_event(&id)?;
            match &it.event {
                Event::RunStarted(started) => start(db, number, &id, it.at, started, process)?,
                Event::RunResumed => resume(db, number, process)?,
                Event::RunQueued(_) if is_queued => queue(db, number)?,
                Event::RunEnded(report) => end(db, number, seq, it.at, report)?,
                _ => {}
            }
            Ok(())
        })?;
    }
    Ok(())
}

/// Stores an unreadable run: the reason, and its rows as they are.
pub(super) fn damaged(
    db: &Connection,
    run: &str,
    parent: Option<&str>,
    at: i64,
    why: &str,
    rows: &serde_json::Value,
) -> rusqlite::Result<()> {
    let mut fields = Fields::default();
    for (name, json) in [("run", json!(run)), ("why", json!(why)), ("rows", rows.clone())] {
        fields.set(name, json.to_string());
    }
    let kind = DAMAGED.to_string();
    let event = Event::Other { kind, turn: None, call: None, fields };
    let number = log::append(db, None, at.max(0).cast_unsigned(), &event)?;
    let sql = "INSERT INTO run_heads (seq, id, agent, model, parent, status, started_at) \
               VALUES (?1, ?2, '', '', ?3, ?4, ?5)";
    db.prepare_cached(sql)?.execute(params![number, run, parent, DAMAGED, at])?;
    Ok(())
}

/// The status of an unreadable run of an earlier version, and the kind of its only event.
pub(super) const DAMAGED: &str = "damaged";

fn start(
    db: &Connection,
    number: i64,
    run: &RunId,
    at: u64,
    it: &RunStarted,
    process: Option<&str>,
) -> rusqlite::Result<()> {
    let sql = "INSERT INTO run_heads (seq, id, agent, model, process, parent, parent_turn, parent_call, origin, \
               origin_turns, status, started_at) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, 'running', ?11)";
    let (parent, origin) = (it.parent.as_ref(), it.origin.as_ref());
    db.prepare_cached(sql)?.execute(params![
        number,
        run.as_str(),
        it.agent,
        it.model,
        process,
        parent.map(|parent| parent.run.as_str()),
        parent.map(|parent| parent.turn),
        parent.map(|parent| &parent.call),
        origin.map(|origin| origin.run.as_str()),
        origin.map(|origin| origin.turns),
        at.cast_signed(),
    ])?;
    Ok(())
}

fn resume(db: &Connection, number: i64, process: Option<&str>) -> rusqlite::Result<()> {
    let sql = "UPDATE run_heads SET status = 'running', stop = NULL, ended_at = NULL, ended = NULL, process = ?2 \
               WHERE seq = ?1";
    db.prepare_cached(sql)?.execute(params![number, process])?;
    Ok(())
}

fn queue(db: &Connection, number: i64) -> rusqlite::Result<()> {
    let sql = "UPDATE run_heads SET status = 'queued', stop = NULL, ended_at = NULL, ended = NULL, process = NULL \
               WHERE seq = ?1";
    db.prepare_cached(sql)?.execute([number])?;
    Ok(())
}

fn end(db: &Connection, number: i64, seq: i64, at: u64, it: &RunReport) -> rusqlite::Result<()> {
    let sql = "UPDATE run_heads SET status = ?2, stop = ?3, turns = ?4, tool_calls = ?5, fuel = ?6, input_tokens = ?7, \
               output_tokens = ?8, cached_input_tokens = ?9, cost = ?10, ended_at = ?11, ended = ?12, process = NULL \
               WHERE seq = ?1";
    db.prepare_cached(sql)?.execute(params![
        number,
        it.status.as_str(),
        it.stop.as_ref().map(Stop::as_str),
        it.turns,
        it.tool_calls.cast_signed(),
        it.fuel.cast_signed(),
        it.usage.input_tokens.cast_signed(),
        it.usage.output_tokens.cast_signed(),
        it.usage.cached_input_tokens.cast_signed(),
        it.usage.cost.map(|it| it.billionths().cast_signed()),
        at.cast_signed(),
        seq,
    ])?;
    Ok(())
}
