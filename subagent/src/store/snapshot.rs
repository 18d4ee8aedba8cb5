//! The state of a store at one moment, for several queries with consistent answers.

use std::io::Write;
use std::path::Path;

use rusqlite::Connection;
use serde_json::Value;

use super::cells;
use super::filter::{self, Filter, Found};
use super::heads;
use super::log::{self, Logged, Part, Placed, ReadError};
use super::owner::Living;
use super::query;
use super::schema;
use super::transfer;
use super::transfer_error::TransferError;
use super::unfold::report_of;
use crate::error::{Error, ErrorKind};
use crate::record::{Event, RunId, RunRecord, RunReport, RunSummary, RunTree};

/// The maximum depth of a tree of runs. No run creates a deeper one.
const MAX_DEPTH: u32 = 64;

/// The state of a store at one moment. Later writes and deletions do not change it. [`Store::read`] creates one.
///
/// [`Store::read`]: super::Store::read
#[derive(Debug)]
pub struct Snapshot<'a> {
    pub(super) db: &'a Connection,
    path: &'a Path,
    pub(super) living: Living<'a>,
}

impl<'a> Snapshot<'a> {
    /// Creates a snapshot from a connection in a transaction, the path of the store, and the living processes.
    pub(super) fn new(db: &'a Connection, path: &'a Path, living: Living<'a>) -> Snapshot<'a> {
        Snapshot { db, path, living }
    }

    /// Returns the runs that match a filter, newest first, and their totals.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::UnknownRun`] if no run, or more than one, has the id of `conversation`; [`ErrorKind::Store`] if the
    /// store cannot be read.
    pub fn find(&self, filter: &Filter) -> Result<Found, Error> {
        let mut filter = filter.clone();
        if let Some(run) = &mut filter.conversation {
            let named = query::named(self.db, run).map_err(|it| self.sqlite_error(&it))?;
            *run = match named {
                Some(first) => first,
                None => {
                    let id = self.id(run)?;
                    query::first_run(self.db, &id).map_err(|it| self.sqlite_error(&it))?
                }
            };
        }
        filter::find(self.db, &filter, &self.living).map_err(|it| self.sqlite_error(&it))
    }

    /// Returns the newest run of an agent in the conversation of a name; `None` if there is no such conversation.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Store`] if the store cannot be read.
    pub fn newest_of(&self, conversation: &str, agent: &str) -> Result<Option<String>, Error> {
        query::newest_of(self.db, conversation, Some(agent)).map_err(|it| self.sqlite_error(&it))
    }

    /// Returns the summary of one run. A prefix of the id is enough if it is unique.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::UnknownRun`] if no run, or more than one, has the id; [`ErrorKind::DamagedRun`] if a row of the run
    /// is malformed; [`ErrorKind::Store`] if the store cannot be read.
    pub fn summary(&self, run: &str) -> Result<RunSummary, Error> {
        let id = self.id(run)?;
        let found = query::summary_of(self.db, &id, &self.living);
        found.map_err(|error| self.unreadable(&id, &error))
    }

    /// Returns the complete record of one run. A prefix of the id is enough if it is unique.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::UnknownRun`] if no run, or more than one, has the id; [`ErrorKind::DamagedRun`] if a row of a run
    /// is malformed; [`ErrorKind::Store`] if the store cannot be read.
    pub fn show(&self, run: &str) -> Result<RunRecord, Error> {
        self.part(run, Part::Record)
    }

    fn part(&self, run: &str, part: Part) -> Result<RunRecord, Error> {
        let id = self.id(run)?;
        let found = query::show(self.db, &id, part, &self.living);
        found.map_err(|error| self.unreadable(&id, &error))
    }

    /// Returns the error of a run that cannot be read.
    fn unreadable(&self, run: &str, error: &rusqlite::Error) -> Error {
        match cells::damage(error) {
            Some(damage) => damaged(run, &damage).in_file(self.path),
            None => self.sqlite_error(error),
        }
    }

    /// Returns the log of one run: its events in order.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::UnknownRun`] if no run, or more than one, has the id; [`ErrorKind::DamagedRun`] if a row of a run
    /// is malformed; [`ErrorKind::Store`] if the store cannot be read.
    pub fn events(&self, run: &str) -> Result<Vec<Logged>, Error> {
        let id = self.id(run)?;
        let run: RunId =
            id.parse().map_err(|it| damaged(&id, &format!("its id is {it}")).in_file(self.path))?;
        let mut events = Vec::new();
        let number = heads::number(self.db, &id).map_err(|it| self.sqlite_error(&it))?;
        let read = log::rows(self.db, number.unwrap_or_default(), Part::All, |row| {
            events.push(row.into_event(&run)?);
            Ok(())
        });
        read.map(|()| events).map_err(|error| self.unread(&id, error))
    }

    /// Returns events of all runs, or of the tree of one, in the order of the store: the first ones with a number above
    /// `seq`, at most `limit`. Runs with a row that no version writes are left out.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::UnknownRun`] if no run, or more than one, has the id; [`ErrorKind::Store`] if the store cannot be read.
    pub fn events_behind(
        &self,
        seq: u64,
        tree: Option<&str>,
        limit: u32,
    ) -> Result<Vec<Placed>, Error> {
        let tree = tree.map(|run| self.id(run)).transpose()?;
        let seq = i64::try_from(seq).unwrap_or(i64::MAX);
        let rows = log::behind(self.db, seq, tree.as_deref(), limit);
        let rows = rows.map_err(|error| self.unread("the log", error))?;
        let placed = |(run, agent, row): (String, String, log::Row)| {
            let run: RunId = run.parse().ok()?;
            let seq = row.seq.cast_unsigned();
            Some(Placed { seq, agent, logged: row.into_event(&run).ok()?, run })
        };
        Ok(rows.into_iter().filter_map(placed).collect())
    }

    /// Returns the number of the newest event of the store; 0 without one.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Store`] if the store cannot be read.
    pub fn newest_event(&self) -> Result<u64, Error> {
        let newest = log::newest(self.db).map_err(|it| self.sqlite_error(&it))?;
        Ok(newest.cast_unsigned())
    }

    /// Returns the number of the event that ended a run; `None` if it has not ended. A run that waits has ended for now.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::UnknownRun`] if no run, or more than one, has the id; [`ErrorKind::Store`] if the store cannot be read.
    pub fn end_of(&self, run: &str) -> Result<Option<u64>, Error> {
        let id = self.id(run)?;
        let ended = query::end_of(self.db, &id).map_err(|it| self.sqlite_error(&it))?;
        Ok(ended.map(i64::cast_unsigned))
    }

    /// Returns the report of a run as it is now. That of a run that has ended is what it ended with.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::UnknownRun`] if no run, or more than one, has the id; [`ErrorKind::DamagedRun`] if a row of a run
    /// is malformed; [`ErrorKind::Store`] if the store cannot be read.
    pub fn report(&self, run: &str) -> Result<RunReport, Error> {
        let past = self.past(run)?;
        let record = &past.record;
        let run = &record.summary.run;
        let ended = query::end_of(self.db, run.as_str()).map_err(|it| self.sqlite_error(&it))?;
        let Some(ended) = ended else {
            let mut questions = past.open_questions();
            let decisions = record.queued.as_ref().and_then(|it| it.decisions.as_ref());
            questions.retain(|it| !decisions.is_some_and(|all| all.answers.contains_key(&it.id)));
            return Ok(RunReport { questions, ..report_of(record) });
        };
        let row =
            log::numbered(self.db, ended).map_err(|error| self.unread(run.as_str(), error))?;
        match row.into_event(run) {
            Ok(Logged { event: Event::RunEnded(report), .. }) => Ok(*report),
            _ => Ok(report_of(record)),
        }
    }

    /// Returns the error of rows that cannot be read.
    fn unread(&self, what: &str, error: ReadError) -> Error {
        match error {
            ReadError::Sqlite(error) => self.sqlite_error(&error),
            ReadError::Damage(damage) => damaged(what, &damage).in_file(self.path),
        }
    }

    /// Returns the records of a run and of its sub-agents, each parent before its children.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::UnknownRun`] if no run, or more than one, has the id; [`ErrorKind::DamagedRun`] if a row of a run
    /// is malformed; [`ErrorKind::Store`] if the store cannot be read.
    pub fn tree(&self, run: &str) -> Result<Vec<RunRecord>, Error> {
        Ok(self.past(run)?.into_records())
    }

    /// Returns the whole tree of a run: the root, then the runs below it.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::UnknownRun`] if no run, or more than one, has the id; [`ErrorKind::DamagedRun`] if a row of a run
    /// is malformed; [`ErrorKind::Store`] if the store cannot be read.
    pub fn family(&self, run: &str) -> Result<Vec<RunRecord>, Error> {
        let mut top = self.show(run)?.summary;
        for _ in 0..MAX_DEPTH {
            // The parent may have been deleted.
            let Some(parent) = top.parent.as_ref() else { break };
            match self.show(parent.run.as_str()) {
                Ok(record) => top = record.summary,
                Err(error) if error.kind() == ErrorKind::UnknownRun => break,
                Err(error) => return Err(error),
            }
        }
        self.tree(top.run.as_str())
    }

    /// Returns the run whose payload a run continues from, if there is one. An absent run continues from none.
    pub(super) fn payload_from(&self, run: &str) -> Result<Option<String>, Error> {
        query::payload_from(self.db, run).map_err(|it| self.sqlite_error(&it))
    }

    /// Returns the run before a run in its conversation. An absent run has none.
    pub(super) fn run_before(&self, run: &str) -> Result<Option<String>, Error> {
        query::run_before(self.db, run).map_err(|it| self.sqlite_error(&it))
    }

    /// Returns the complete record of a run and of the runs of its sub-agents.
    pub(crate) fn past(&self, run: &str) -> Result<RunTree, Error> {
        self.past_within(run, MAX_DEPTH)
    }

    /// Returns the part of a run that a resume needs after the newest snapshot; `None` without a snapshot.
    pub(crate) fn rest(&self, run: &str) -> Result<Option<RunTree>, Error> {
        let id = self.id(run)?;
        let number = heads::number(self.db, &id).map_err(|it| self.sqlite_error(&it))?;
        let newest = log::newest_snapshot(self.db, number.unwrap_or_default());
        let Some(turn) = newest.map_err(|it| self.sqlite_error(&it))? else { return Ok(None) };
        let mut record = self.part(&id, Part::Rest { calls: false })?;
        let setup = &record.setup;
        if setup.definition.as_ref().is_some_and(needs_calls)
            || setup.settings.as_ref().is_some_and(add_tools_that_need_calls)
        {
            record = self.part(&id, Part::Rest { calls: true })?;
        }
        let children = self.children(&record, turn, MAX_DEPTH)?;
        Ok(Some(RunTree { record, children }))
    }

    fn past_within(&self, run: &str, depth: u32) -> Result<RunTree, Error> {
        let record = self.show(run)?;
        let children = self.children(&record, 0, depth)?;
        Ok(RunTree { record, children })
    }

    /// Returns the runs that programs of a run started in the turns after `turn`.
    fn children(&self, record: &RunRecord, turn: u32, depth: u32) -> Result<Vec<RunTree>, Error> {
        let run = &record.summary.run;
        let called = query::children(self.db, run.as_str(), turn);
        let mut children = Vec::new();
        for child in called.map_err(|it| self.sqlite_error(&it))? {
            let Some(depth) = depth.checked_sub(1) else {
                let message =
                    format!("run {run} has sub-agents nested more than {MAX_DEPTH} levels deep");
                return Err(Error::new(ErrorKind::Store, message).in_file(self.path));
            };
            children.push(self.past_within(&child, depth)?);
        }
        Ok(children)
    }

    /// Exports the logs of runs.
    pub(super) fn export(
        &self,
        runs: &[String],
        folder: Option<&Path>,
        to: &mut dyn Write,
    ) -> Result<(), TransferError> {
        transfer::export(self.db, runs, folder, to)
    }

    /// Returns the id that a text is, or else the only id that starts with it.
    pub(super) fn id(&self, run: &str) -> Result<String, Error> {
        let prefix = run.trim().to_ascii_lowercase();
        // A damaged store may have any text as an id, such as one that another id starts with.
        for id in [run, &prefix] {
            if heads::number(self.db, id).map_err(|it| self.sqlite_error(&it))?.is_some() {
                return Ok(id.to_string());
            }
        }
        let unknown = |message: String| {
            Error::new(ErrorKind::UnknownRun, message)
                .in_file(self.path)
                .with_help("`ptc runs` lists the runs of a store")
        };
        let mut ids = query::matching(self.db, &prefix).map_err(|it| self.sqlite_error(&it))?;
        if prefix.is_empty() || ids.is_empty() {
            return Err(unknown(format!("no run `{run}`")));
        }
        if ids.len() > 1 {
            return Err(unknown(format!("several runs start with `{run}`: {}", ids.join(", "))));
        }
        Ok(ids.remove(0))
    }

    pub(super) fn sqlite_error(&self, error: &rusqlite::Error) -> Error {
        schema::sqlite(self.path, error)
    }
}

/// Returns whether a recorded agent, or an agent below it, needs the calls of earlier turns. Its model sees images of
/// results, its style remembers calls, or one of its tools caches results.
fn needs_calls(definition: &Value) -> bool {
    // A style may remember calls. Only programs make many of them.
    let is_program = definition.get("answers").is_none_or(|it| it == "program");
    !is_program || is_set(definition, "images") || of_tools(definition.get("tools"))
}

/// Returns whether one of the tools that recorded settings add needs the calls of earlier turns.
fn add_tools_that_need_calls(settings: &Value) -> bool {
    let changes = settings.as_array().into_iter().flatten();
    changes.into_iter().any(|change| of_tools(change.pointer("/tools/add")))
}

fn of_tools(tools: Option<&Value>) -> bool {
    let mut tools = tools.and_then(Value::as_array).into_iter().flatten();
    tools.any(|tool| is_set(tool, "cache") || tool.get("agent").is_some_and(needs_calls))
}

fn is_set(it: &Value, key: &str) -> bool {
    it.get(key).and_then(Value::as_bool).unwrap_or_default()
}

/// Returns the error of an unreadable run.
fn damaged(run: &str, damage: &str) -> Error {
    Error::new(ErrorKind::DamagedRun, format!("run {run} cannot be read: {damage}"))
        .with_help(format!("`ptc runs prune {run}` deletes it; the other runs are intact"))
}
