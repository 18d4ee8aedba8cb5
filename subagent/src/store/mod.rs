//! The record of runs: one `SQLite` file, or memory.
//!
//! What is here writes down [`Event`]s and answers questions about them. It decides nothing about
//! a run, and no key ever reaches it.

mod query;
mod schema;
mod upgrade;
mod writer;

use std::fmt;
use std::path::{Path, PathBuf};

use rusqlite::Connection;
use tokio::sync::oneshot;

use crate::error::{Error, ErrorKind};
use crate::run::{Event, RunId};
pub use query::{CallRecord, RunRecord, RunSummary, TurnRecord, WarningRecord};
use writer::{Job, Writer};

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
        self.query(move |db| query::runs(db, limit))
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

impl fmt::Debug for Store {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Store").field("path", &self.path).finish_non_exhaustive()
    }
}
