//! The thread that owns the connection: async code never waits for the disk on its own thread.

use std::borrow::Cow;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread::JoinHandle;

use rusqlite::types::ToSqlOutput;
use rusqlite::{Connection, OptionalExtension as _, Transaction, TransactionBehavior, params};
use tokio::sync::oneshot;

use super::owner::Owner;
use super::schema::sqlite;
use crate::error::{Error, ErrorKind};
use crate::run::{Event, RunId, now_ms};

/// One transaction takes at most this many rows, so that nobody waits long for its own.
const BATCH: usize = 512;

/// What the thread is asked to do.
pub(super) enum Job {
    /// Write down what happened, and when.
    Event { run: RunId, at: u64, event: Box<Event> },
    /// Say when everything before this is committed, or why it never will be.
    Flush(oneshot::Sender<Result<(), String>>),
    /// Read something, or change what is there.
    Query(Box<dyn FnOnce(&Connection) + Send>),
}

/// The way to the thread. Dropping it waits until everything is written.
pub(super) struct Writer {
    jobs: Option<Sender<Job>>,
    thread: Option<JoinHandle<()>>,
}

impl Writer {
    /// Hands the connection to a new thread.
    pub(super) fn start(db: Connection, path: PathBuf, owner: Arc<Owner>) -> Result<Writer, Error> {
        let (jobs, inbox) = channel();
        let thread = std::thread::Builder::new()
            .name("ptc-store".to_string())
            .spawn(move || work(&db, &inbox, &path, &owner))
            .map_err(|error| {
                Error::new(ErrorKind::Store, format!("cannot start the store's thread: {error}"))
            })?;
        Ok(Writer { jobs: Some(jobs), thread: Some(thread) })
    }

    /// Hands over a job. If the thread is gone, the next flush says so.
    pub(super) fn send(&self, job: Job) {
        if let Some(jobs) = &self.jobs {
            // A closed channel drops the job and with it the sender of its answer.
            drop(jobs.send(job));
        }
    }

    /// Hands over an event with the time it has now.
    pub(super) fn event(&self, run: &RunId, event: Event) {
        self.send(Job::Event { run: run.clone(), at: now_ms(), event: Box::new(event) });
    }
}

impl Drop for Writer {
    fn drop(&mut self) {
        self.jobs = None;
        if let Some(thread) = self.thread.take() {
            drop(thread.join());
        }
    }
}

fn work(db: &Connection, inbox: &Receiver<Job>, path: &std::path::Path, owner: &Owner) {
    // More than there are: none is ever prepared twice.
    db.set_prepared_statement_cache_capacity(64);
    let mut failed: Option<String> = None;
    while let Ok(first) = inbox.recv() {
        let mut events = Vec::new();
        let mut waiting = Vec::new();
        let mut queries = Vec::new();
        let mut next = Some(first);
        while let Some(job) = next {
            match job {
                Job::Event { run, at, event } => events.push((run, at, event)),
                Job::Flush(answer) => waiting.push(answer),
                Job::Query(query) => queries.push(query),
            }
            next = if events.len() < BATCH { inbox.try_recv().ok() } else { None };
        }
        // A store that failed once has a hole: it takes nothing more, and every run hears of it.
        if failed.is_none() && !events.is_empty() {
            let commit = |process: String| {
                commit(db, &events, &process).map_err(|error| sqlite(path, &error))
            };
            failed = owner.claim().and_then(commit).err().map(|error| error.to_string());
        }
        for answer in waiting {
            // Whoever asked may be gone.
            drop(answer.send(failed.clone().map_or(Ok(()), Err)));
        }
        for query in queries {
            query(db);
        }
    }
}

fn commit(
    db: &Connection,
    events: &[(RunId, u64, Box<Event>)],
    process: &str,
) -> rusqlite::Result<()> {
    // It reads before it writes: another process must not write in between.
    let tx = Transaction::new_unchecked(db, TransactionBehavior::Immediate)?;
    for (run, at, event) in events {
        write(&tx, run.as_str(), *at as i64, event, process)?;
    }
    tx.commit()
}

/// Writes down one event.
fn write(
    db: &Connection,
    run: &str,
    at: i64,
    event: &Event,
    process: &str,
) -> rusqlite::Result<()> {
    let sql = |text| db.prepare_cached(text);
    match event {
        Event::RunStarted(it) => sql(
            "INSERT INTO run_rows (id, agent, model, signature, input, system, limits, max_turns, \
             status, started_at, parent, parent_turn, parent_call, definition, file, process, origin, origin_turns, \
             seed) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, 'running', ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17, ?18)",
        )?
        .execute(params![
            run,
            it.agent,
            it.model,
            it.signature,
            keep(db, it.input.to_string())?,
            keep(db, &it.system)?,
            it.limits.to_string(),
            it.max_turns,
            at,
            it.parent.as_ref().map(|parent| parent.run.as_str()),
            it.parent.as_ref().map(|parent| parent.turn),
            it.parent.as_ref().map(|parent| &parent.call),
            it.definition.as_ref().map(|it| keep(db, it.to_string())).transpose()?,
            it.file.as_ref().map(|it| it.to_string_lossy()),
            process,
            it.origin.as_ref().map(|origin| origin.run.as_str()),
            it.origin.as_ref().map(|origin| origin.turns),
            it.seed.cast_signed()
        ])?,
        Event::TurnStarted { turn, prompt } => {
            sql("INSERT INTO turn_rows (run, turn, prompt, started_at) VALUES (?1, ?2, ?3, ?4)")?
                .execute(params![run, turn, keep(db, prompt)?, at])?
        }
        // The whole reply comes later.
        Event::ReplyText { .. } => 0,
        Event::ModelReplied { turn, reply } => sql(
            "UPDATE turn_rows SET reply = ?3, finish = ?4, input_tokens = ?5, output_tokens = ?6, \
             cached_input_tokens = ?7, cost = ?8 WHERE run = ?1 AND turn = ?2",
        )?
        .execute(params![
            run,
            turn,
            keep(db, &reply.text)?,
            reply.finish.as_str(),
            reply.usage.map(|it| it.input_tokens as i64),
            reply.usage.map(|it| it.output_tokens as i64),
            reply.usage.map(|it| it.cached_input_tokens as i64),
            reply.usage.and_then(|it| it.cost).map(|it| it.billionths() as i64)
        ])?,
        Event::Admitted { turn, program, repair, report, budget, warnings, notes } => sql(
            "UPDATE turn_rows SET program = ?3, repair = ?4, report = ?5, warnings = ?6, notes = ?7, \
             budget = ?8 WHERE run = ?1 AND turn = ?2",
        )?
        .execute(params![
            run,
            turn,
            keep(db, program)?,
            repair.as_ref().map(|it| keep(db, it.to_json().to_string())).transpose()?,
            keep(db, report.to_string())?,
            json(warnings),
            json(notes),
            budget.to_string()
        ])?,
        Event::Rejected { turn, program, errors, notes } => sql(
            "UPDATE turn_rows SET program = ?3, rejection = ?4, notes = ?5 \
             WHERE run = ?1 AND turn = ?2",
        )?
        .execute(params![
            run,
            turn,
            program.as_ref().map(|it| keep(db, it)).transpose()?,
            keep(db, json(errors))?,
            json(notes)
        ])?,
        Event::CallStarted { turn, call, tool, args } => sql(
            "INSERT INTO call_rows (run, turn, call, tool, args, status, started_at) \
             VALUES (?1, ?2, ?3, ?4, ?5, 'started', ?6)",
        )?
        .execute(params![run, turn, call, tool, keep(db, args.to_string())?, at])?,
        Event::CallFinished { turn, call, result, run: sub_run, cached, ended, .. } => sql(
            "UPDATE call_rows SET status = ?4, result = ?5, error = ?6, ended_at = ?7, sub_run = ?8, \
             cached = ?9, ended_seq = ?10 WHERE run = ?1 AND turn = ?2 AND call = ?3",
        )?
        .execute(params![
            run,
            turn,
            call,
            if result.is_ok() { "finished" } else { "failed" },
            result.as_ref().ok().map(|it| keep(db, it.to_string())).transpose()?,
            result.as_ref().err().map(json),
            at,
            sub_run.as_ref().map(RunId::as_str),
            cached,
            ended
        ])?,
        Event::Printed { turn, line } => {
            sql("INSERT INTO print_rows (run, turn, line) VALUES (?1, ?2, ?3)")?
                .execute(params![run, turn, keep(db, line)?])?
        }
        Event::Warned { turn, call, warning } => sql(
            "INSERT INTO warning_rows (run, turn, call, code, message) VALUES (?1, ?2, ?3, ?4, ?5)",
        )?
        .execute(params![run, turn, call, warning.code, warning.message])?,
        Event::TurnEnded { turn, outcome, value, error, fuel, tool_calls, bounds } => sql(
            "UPDATE turn_rows SET outcome = ?3, value = ?4, error = ?5, fuel = ?6, tool_calls = ?7, \
             ended_at = ?8, bounds = ?9 WHERE run = ?1 AND turn = ?2",
        )?
        .execute(params![
            run,
            turn,
            outcome.as_str(),
            value.as_ref().map(|it| keep(db, it)).transpose()?,
            error.as_ref().map(json),
            *fuel as i64,
            tool_calls,
            at,
            (!bounds.is_empty()).then(|| json(bounds))
        ])?,
        Event::RunEnded(it) => sql(
            "UPDATE run_rows SET status = ?2, stop = ?3, value = ?4, fail = ?5, error = ?6, turns = ?7, \
             tool_calls = ?8, fuel = ?9, input_tokens = ?10, output_tokens = ?11, ended_at = ?12, \
             cost = ?13, cached_input_tokens = ?14, process = NULL WHERE id = ?1",
        )?
        .execute(params![
            run,
            it.status.as_str(),
            it.stop.map(crate::run::Stop::code),
            keep(db, it.value.to_string())?,
            it.fail.as_ref().map(json),
            it.error.as_ref().map(json),
            it.turns,
            it.tool_calls as i64,
            it.fuel as i64,
            it.usage.input_tokens as i64,
            it.usage.output_tokens as i64,
            at,
            it.usage.cost.map(|it| it.billionths() as i64),
            it.usage.cached_input_tokens as i64
        ])?,
    };
    Ok(())
}

/// Shorter texts take less where they are than a row of their own would.
const LONG: usize = 512;

/// What a row has in the place of a text: the text, or the number of the one that all rows share.
pub(super) fn keep<'t>(
    db: &Connection,
    text: impl Into<Cow<'t, str>>,
) -> rusqlite::Result<ToSqlOutput<'t>> {
    let text = text.into();
    if text.len() < LONG {
        return Ok(match text {
            Cow::Borrowed(text) => ToSqlOutput::from(text),
            Cow::Owned(text) => ToSqlOutput::from(text),
        });
    }
    let hash = blake3::hash(text.as_bytes());
    let known = db
        .prepare_cached("SELECT id FROM texts WHERE hash = ?1")?
        .query_row([hash.as_bytes()], |row| row.get(0))
        .optional()?;
    let id: i64 = match known {
        Some(id) => id,
        None => {
            let sql = "INSERT INTO texts (hash, text) VALUES (?1, ?2)";
            db.prepare_cached(sql)?.insert(params![hash.as_bytes(), text])?
        }
    };
    Ok(ToSqlOutput::from(id))
}

/// Returns the JSON of our own types, whose keys are all strings: there is nothing to fail.
fn json<T: serde::Serialize + ?Sized>(value: &T) -> String {
    serde_json::to_string(value).unwrap_or_default()
}
