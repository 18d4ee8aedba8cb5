//! The record of runs: one `SQLite` file, or memory.
//!
//! What is here writes down [`Event`]s and answers questions about them. It decides nothing about
//! a run, and no key ever reaches it.

mod filter;
mod prune;
mod query;
mod reopen;
mod schema;
mod tables;
mod transfer;
mod upgrade;
mod writer;

use std::collections::BTreeMap;
use std::fmt;
use std::io::{BufRead, Write};
use std::path::{Path, PathBuf};

use rusqlite::Connection;
use serde_json::Value;
use tokio::sync::oneshot;

use crate::error::{Error, ErrorKind};
pub use crate::hidden::Hidden;
use crate::run::{Event, Past, RunId};
pub use filter::{Filter, Found, Totals};
pub use prune::{Prune, Pruned};
pub use query::{CallRecord, RunRecord, RunSummary, TurnRecord, WarningRecord};
use transfer::Wrong;
use writer::{Job, Writer};

/// How deep a tree of runs may be; nothing makes one that is deeper.
const MAX_DEPTH: u32 = 64;

/// A store of runs. Share it by reference or in an `Arc`; many runs may write at once.
pub struct Store {
    path: PathBuf,
    writer: Writer,
}

impl Store {
    /// Opens a store for writing, and makes the file if there is none.
    ///
    /// A store of an earlier version is brought up to date, with all its runs. A file of a later version, or
    /// that is no store, is left as it is, and is an error.
    pub fn open(path: &Path) -> Result<Store, Error> {
        Store::start(schema::open(path)?, path)
    }

    /// Opens a store that is there, for reading only. One of an earlier version is brought up to date first.
    pub fn open_read_only(path: &Path) -> Result<Store, Error> {
        Store::start(schema::open_read_only(path)?, path)
    }

    /// Makes a store in memory.
    pub fn in_memory() -> Result<Store, Error> {
        Store::start(schema::open_in_memory()?, Path::new(":memory:"))
    }

    /// Returns the newest runs, newest first. Blocks the calling thread.
    pub fn runs(&self, limit: u32) -> Result<Vec<RunSummary>, Error> {
        let filter = Filter { limit: Some(limit), ..Filter::default() };
        self.query(move |db| filter::list(db, &filter))
    }

    /// Returns the runs that a filter lets through, newest first, and what all of them come to together.
    /// Blocks the calling thread.
    pub fn find(&self, filter: &Filter) -> Result<Found, Error> {
        let filter = filter.clone();
        self.query(move |db| filter::find(db, &filter))
    }

    /// Returns everything of one run; the start of its id is enough if no other run has the same.
    /// Blocks the calling thread.
    pub fn show(&self, run: &str) -> Result<RunRecord, Error> {
        let prefix = run.trim().to_ascii_lowercase();
        let unknown = |message: String| {
            Error::new(ErrorKind::UnknownRun, message)
                .in_file(&self.path)
                .with_help("`ptc runs` lists the runs of a store")
        };
        let wanted = prefix.clone();
        let mut ids = self.query(move |db| query::matching(db, &wanted))?;
        if prefix.is_empty() || ids.is_empty() {
            return Err(unknown(format!("no run `{run}`")));
        }
        if ids.len() > 1 {
            return Err(unknown(format!("several runs start with `{run}`: {}", ids.join(", "))));
        }
        let id = ids.remove(0);
        self.query(move |db| query::show(db, &id))
    }

    /// Returns everything of one run and of those of its sub-agents, each before those that it called.
    /// Blocks the calling thread.
    pub fn tree(&self, run: &str) -> Result<Vec<RunRecord>, Error> {
        let mut open = vec![self.past(run)?];
        let mut records = Vec::new();
        while let Some(Past { record, mut children, .. }) = open.pop() {
            records.push(record);
            children.reverse();
            open.append(&mut children);
        }
        Ok(records)
    }

    /// Returns the whole tree that a run belongs to: the run that no other run called, then those below it. Blocks the
    /// calling thread.
    pub fn family(&self, run: &str) -> Result<Vec<RunRecord>, Error> {
        let mut top = self.show(run)?.summary;
        for _ in 0..MAX_DEPTH {
            // A run that called it may have been deleted.
            let Some(parent) = top.parent.as_ref() else { break };
            match self.show(parent.run.as_str()) {
                Ok(record) => top = record.summary,
                Err(error) if error.kind() == ErrorKind::UnknownRun => break,
                Err(error) => return Err(error),
            }
        }
        self.tree(top.run.as_str())
    }

    /// Returns everything of one run and of those of its sub-agents.
    pub(crate) fn past(&self, run: &str) -> Result<Past, Error> {
        self.past_within(run, MAX_DEPTH)
    }

    fn past_within(&self, run: &str, depth: u32) -> Result<Past, Error> {
        let record = self.show(run)?;
        let id = record.summary.run.to_string();
        let mut children = Vec::new();
        for child in self.query(move |db| query::children(db, &id))? {
            let Some(depth) = depth.checked_sub(1) else {
                let message = format!("run {run} has sub-agents without end");
                return Err(Error::new(ErrorKind::Store, message).in_file(&self.path));
            };
            children.push(self.past_within(&child, depth)?);
        }
        Ok(Past::new(record, children))
    }

    /// Sets the times of a run and of those below it to those of another record of it.
    pub(crate) fn set_times(&self, past: &Past) -> Result<(), Error> {
        let past = past.clone();
        self.query(move |db| reopen::set_times(db, &past))
    }

    /// Opens runs again that have ended, or whose process died; the first one is that of the tree. Results of calls
    /// that are in doubt, by their keys, go on record.
    pub(crate) fn reopen(
        &self,
        run: &RunId,
        runs: &[RunId],
        done: &BTreeMap<String, Value>,
        takes_over: bool,
    ) -> Result<(), Error> {
        let (id, runs, done) = (run.clone(), runs.to_vec(), done.clone());
        let opened = self.query(move |db| reopen::reopen(db, &id, &runs, &done, takes_over))?;
        opened.map_err(|process| {
            let message = format!("run {run} is still running in process {process}");
            Error::new(ErrorKind::Replay, message)
                .in_file(&self.path)
                .with_help("if that is another program by now, `--take-over` says so")
        })
    }

    /// Deletes runs, with those of their sub-agents and everything that only they had, and gives the space back.
    /// A run that a living process has stays. Blocks the calling thread.
    pub fn prune(&self, what: &Prune) -> Result<Pruned, Error> {
        let mut what = what.clone();
        for run in &mut what.runs {
            *run = self.show(run)?.summary.run.to_string();
        }
        self.query(move |db| prune::prune(db, &what))
    }

    /// Writes runs down with everything that belongs to them, as JSON lines that [`Store::import`] takes. Blocks the
    /// calling thread.
    ///
    /// The file has everything that the record has: inputs, prompts, replies, results. If `folder` is where it will
    /// be, the paths of agent files are from there.
    pub fn export(
        &self,
        runs: &[&str],
        folder: Option<&Path>,
        mut to: impl Write + Send + 'static,
    ) -> Result<(), Error> {
        let mut all = Vec::new();
        for run in runs {
            collect(&self.past(run)?, &mut all);
        }
        let folder = folder.map(Path::to_path_buf);
        let export =
            move |db: &Connection| Ok(transfer::export(db, &all, folder.as_deref(), &mut to));
        let done = self.query(export)?;
        done.map_err(|wrong| self.wrong(wrong))
    }

    /// Takes the runs of a file that [`Store::export`] has written, all of them or none. Returns the names of those
    /// that were not there before. Blocks the calling thread.
    ///
    /// It fails for a file that was cut off or changed, or that another version wrote. `folder` is where the file is.
    pub fn import(
        &self,
        folder: Option<&Path>,
        mut from: impl BufRead + Send + 'static,
    ) -> Result<Vec<RunId>, Error> {
        let folder = folder.map(Path::to_path_buf);
        let import = move |db: &Connection| Ok(transfer::import(db, folder.as_deref(), &mut from));
        let taken = self.query(import)?;
        let taken = taken.map_err(|wrong| self.wrong(wrong))?;
        Ok(taken.into_iter().map(RunId::stored).collect())
    }

    fn wrong(&self, wrong: Wrong) -> Error {
        match wrong {
            Wrong::Sqlite(error) => schema::sqlite(&self.path, &error),
            Wrong::Io(error) => {
                Error::new(ErrorKind::Unreadable, format!("cannot read or write the runs: {error}"))
            }
            Wrong::Content(line, what) => {
                Error::new(ErrorKind::Replay, format!("line {line}: {what}"))
            }
        }
    }

    /// Returns the path it was opened with.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Takes an event; returns at once.
    pub(crate) fn record(&self, run: &RunId, event: Event) {
        self.writer.event(run, event);
    }

    /// Waits until everything recorded so far is committed.
    pub(crate) async fn flush(&self) -> Result<(), Error> {
        let (answer, done) = oneshot::channel();
        self.writer.send(Job::Flush(answer));
        match done.await {
            Ok(Ok(())) => Ok(()),
            Ok(Err(message)) => Err(Error::new(ErrorKind::Store, message)),
            Err(_) => Err(self.gone()),
        }
    }

    fn start(db: Connection, path: &Path) -> Result<Store, Error> {
        Ok(Store { path: path.to_path_buf(), writer: Writer::start(db, path.to_path_buf())? })
    }

    fn query<T: Send + 'static>(
        &self,
        ask: impl FnOnce(&Connection) -> rusqlite::Result<T> + Send + 'static,
    ) -> Result<T, Error> {
        let (answer, done) = std::sync::mpsc::sync_channel(1);
        self.writer.send(Job::Query(Box::new(move |db| {
            // Whoever asked may be gone.
            drop(answer.send(ask(db)));
        })));
        let result = done.recv().map_err(|_| self.gone())?;
        result.map_err(|error| schema::sqlite(&self.path, &error))
    }

    fn gone(&self) -> Error {
        Error::new(ErrorKind::Store, "the store's thread is gone").in_file(&self.path)
    }
}

/// The names of a run and of those below it.
fn collect(past: &Past, all: &mut Vec<String>) {
    all.push(past.record.summary.run.to_string());
    for child in &past.children {
        collect(child, all);
    }
}

impl fmt::Debug for Store {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Store").field("path", &self.path).finish_non_exhaustive()
    }
}
