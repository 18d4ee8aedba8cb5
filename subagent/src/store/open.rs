//! An open store.

use std::ffi::OsStr;
use std::fmt;
use std::io::{BufRead, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use rusqlite::Connection;
use tokio::sync::oneshot;

use super::backup;
use super::check::{self, Checked};
use super::claim::{self, Claim, Refused};
use super::filter::{Filter, Found};
use super::heads::{self, Runs};
use super::keeper::Keeper;
use super::owner::Owner;
use super::prune::{self, Prune, Pruned};
use super::schema;
use super::snapshot::Snapshot;
use super::transfer;
use super::transfer_error::TransferError;
use super::unfold::{report_of, unfold};
use super::versions::NewVersions;
use super::writer::{Job, Writer};
use crate::error::{Error, ErrorKind};
use crate::record::{
    Act, Event, RunCode, RunError, RunId, RunRecord, RunReport, RunSummary, RunTree, Status, Stop,
    WebhookSent,
};

/// A store of runs. Share it by reference or in an `Arc`. Many runs may write at the same time.
pub struct Store {
    path: PathBuf,
    writer: Writer,
    owner: Arc<Owner>,
    keeper: Option<Arc<dyn Keeper>>,
    is_kept: bool,
}

impl Store {
    /// Opens a store for reading and writing, and creates the file if it does not exist.
    ///
    /// A store of an earlier version is upgraded with all its runs. A file of a later version, or one that is not a
    /// store, is not changed.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::StoreVersion`] if a later version wrote the file, or if it is not a store; [`ErrorKind::Store`] if
    /// it cannot be opened.
    pub fn open(path: &Path) -> Result<Store, Error> {
        // SQLite keeps a database of these names only while it is open.
        let is_kept = ![":memory:", ""].map(OsStr::new).contains(&path.as_os_str());
        let store = Store::start(schema::open(path)?, path, Owner::of(path))?;
        Ok(Store { is_kept, ..store })
    }

    /// Opens an existing store for reading only. A store of an earlier version is upgraded first.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::StoreVersion`] if a later version wrote the file, or if it is not a store; [`ErrorKind::Store`] if
    /// it cannot be opened.
    pub fn open_read_only(path: &Path) -> Result<Store, Error> {
        Store::start(schema::open_read_only(path)?, path, Owner::of(path))
    }

    /// Creates a store in memory.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Store`] if the database cannot be opened.
    pub fn in_memory() -> Result<Store, Error> {
        Store::start(schema::open_in_memory()?, Path::new(":memory:"), Owner::in_memory())
    }

    /// Has a keeper keep the log too. The runs of the store wait for it before each step outside, and before they end.
    #[must_use]
    pub fn kept_by(self, keeper: Arc<dyn Keeper>) -> Store {
        Store { keeper: Some(keeper), ..self }
    }

    /// Runs several queries on the store as it is at one moment, even if other processes write or delete. Blocks the
    /// calling thread.
    ///
    /// Writes to this store wait until `ask` returns.
    ///
    /// # Errors
    ///
    /// The error of `ask`, or [`ErrorKind::Store`] if the store cannot be read.
    pub fn read<T, E>(
        &self,
        ask: impl FnOnce(&Snapshot<'_>) -> Result<T, E> + Send + 'static,
    ) -> Result<T, E>
    where
        T: Send + 'static,
        E: From<Error> + Send + 'static,
    {
        let (path, owner) = (self.path.clone(), Arc::clone(&self.owner));
        self.query(move |db| {
            // A transaction does not see commits made after its first query.
            let tx = db.unchecked_transaction()?;
            Ok(ask(&Snapshot::new(&tx, &path, owner.living())))
        })?
    }

    /// Returns the newest runs, newest first. Blocks the calling thread.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Store`] if the store cannot be read.
    pub fn runs(&self, limit: u32) -> Result<Vec<RunSummary>, Error> {
        let filter = Filter { limit: Some(limit), ..Filter::default() };
        self.find(&filter).map(|found| found.runs)
    }

    /// Calls [`Snapshot::find`]. Blocks the calling thread.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Store`] if the store cannot be read.
    pub fn find(&self, filter: &Filter) -> Result<Found, Error> {
        let filter = filter.clone();
        self.read(move |snapshot| snapshot.find(&filter))
    }

    /// Calls [`Snapshot::show`]. Blocks the calling thread.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::UnknownRun`] if no run, or more than one, has the id; [`ErrorKind::DamagedRun`] if a row of a run
    /// is malformed; [`ErrorKind::Store`] if the store cannot be read.
    pub fn show(&self, run: &str) -> Result<RunRecord, Error> {
        let run = run.to_string();
        self.read(move |snapshot| snapshot.show(&run))
    }

    /// Calls [`Snapshot::tree`]. Blocks the calling thread.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::UnknownRun`] if no run, or more than one, has the id; [`ErrorKind::DamagedRun`] if a row of a run
    /// is malformed; [`ErrorKind::Store`] if the store cannot be read.
    pub fn tree(&self, run: &str) -> Result<Vec<RunRecord>, Error> {
        let run = run.to_string();
        self.read(move |snapshot| snapshot.tree(&run))
    }

    /// Calls [`Snapshot::family`]. Blocks the calling thread.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::UnknownRun`] if no run, or more than one, has the id; [`ErrorKind::DamagedRun`] if a row of a run
    /// is malformed; [`ErrorKind::Store`] if the store cannot be read.
    pub fn family(&self, run: &str) -> Result<Vec<RunRecord>, Error> {
        let run = run.to_string();
        self.read(move |snapshot| snapshot.family(&run))
    }

    /// Returns the complete record of a run and of the runs of its sub-agents.
    pub(crate) fn past(&self, run: &str) -> Result<RunTree, Error> {
        let run = run.to_string();
        self.read(move |snapshot| snapshot.past(&run))
    }

    /// Returns the part of a run that a resume needs after the newest snapshot; `None` without a snapshot.
    pub(crate) fn rest(&self, run: &str) -> Result<Option<RunTree>, Error> {
        let run = run.to_string();
        self.read(move |snapshot| snapshot.rest(&run))
    }

    /// Records runs that have ended, or that no process owns.
    pub(crate) fn put(&self, records: Vec<RunRecord>) -> Result<(), Error> {
        self.query(move |db| {
            let tx = db.unchecked_transaction()?;
            for record in &records {
                let mut runs = Runs::default();
                for it in unfold(record) {
                    runs.write(&tx, &record.summary.run, it.at, &it.event, None, false)?;
                }
            }
            tx.commit()
        })
    }

    /// Rebuilds all tables that are derived from the log. Blocks the calling thread.
    ///
    /// Every write keeps these tables current, so only a damaged store needs a rebuild.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Store`] if the store cannot be read or written; [`ErrorKind::DamagedRun`] if the log is malformed.
    pub fn rebuild(&self) -> Result<(), Error> {
        let rebuilt = self.query(move |db| {
            let tx = db.unchecked_transaction()?;
            Ok(heads::rebuild(&tx).map(|()| tx.commit()))
        })?;
        match rebuilt {
            Ok(committed) => committed.map_err(|error| schema::sqlite(&self.path, &error)),
            Err(unread) => Err(self.wrong(TransferError::from(unread))),
        }
    }

    /// Checks the store: the pages of the database, the hashes of texts and of binary content, the order of the events of
    /// each run, and the list of runs. It changes nothing. Blocks the calling thread.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Store`] if the store cannot be read.
    pub fn check(&self) -> Result<Checked, Error> {
        self.query(|db| {
            let tx = db.unchecked_transaction()?;
            check::check(&tx)
        })
    }

    /// Copies the store, as it is at one moment, to a file. Replaces an earlier content of the file. Returns the size of the
    /// copy in bytes. Other processes may write meanwhile. Blocks the calling thread.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Store`] if the store cannot be read or is damaged; [`ErrorKind::Unreadable`] if the file cannot be
    /// written.
    pub fn backup(&self, to: &Path) -> Result<u64, Error> {
        let (path, to) = (self.path.clone(), to.to_path_buf());
        self.query(move |db| Ok(backup::backup(db, &path, &to)))?
    }

    /// Claims a run for this process. The run must have ended, or its process must be dead.
    pub(crate) fn claim(&self, what: Claim) -> Result<Claimed<'_>, Error> {
        let (process, owner) = (self.owner.claim()?, Arc::clone(&self.owner));
        let (run, claimed, own) = (what.run.clone(), what.clone(), process.clone());
        let claim = move |db: &Connection| claim::claim(db, &what, &process, &owner.living());
        let error = match self.query(claim)? {
            Ok(newest) => return Ok(Claimed { store: self, claim: claimed, owner: own, newest }),
            Err(Refused::Held(holder)) => holder.refuse(run.as_str()),
            Err(Refused::Changed) => {
                let message = format!("another process has resumed run {run}");
                Error::new(ErrorKind::Replay, message).with_help(
                    "look at it with `ptc show RUN`; resume it again if it has not ended",
                )
            }
        };
        Err(error.in_file(&self.path))
    }

    /// Deletes runs, the runs of their sub-agents and all data that only they used, and frees the space. Keeps a run
    /// that a living process owns. Blocks the calling thread.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Store`] if the store cannot be written.
    pub fn prune(&self, what: &Prune) -> Result<Pruned, Error> {
        let mut what = what.clone();
        for run in &mut what.runs {
            let named = run.clone();
            *run = self.read(move |snapshot| snapshot.id(&named))?;
        }
        let owner = Arc::clone(&self.owner);
        self.query(move |db| prune::prune(db, &what, &owner.living()))
    }

    /// Exports runs with all their data as JSON lines that [`Store::import`] reads. Blocks the calling thread.
    ///
    /// The file holds the complete record: inputs, prompts, replies and results. `folder` is the folder in which the
    /// file will be. With it, the paths of agent files become relative to that folder.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::UnknownRun`] if no run, or more than one, has the id; [`ErrorKind::DamagedRun`] if a row of a run
    /// is malformed; [`ErrorKind::Store`] if the store cannot be read. [`ErrorKind::Unreadable`] if the file cannot be
    /// written.
    pub fn export(
        &self,
        runs: &[&str],
        folder: Option<&Path>,
        mut to: impl Write + Send + 'static,
    ) -> Result<(), Error> {
        let runs: Vec<String> = runs.iter().map(|it| (*it).to_string()).collect();
        let folder = folder.map(Path::to_path_buf);
        let done = self.read(move |snapshot| {
            let mut all = Vec::new();
            for run in &runs {
                let tree = snapshot.tree(run)?;
                all.extend(tree.iter().map(|it| it.summary.run.to_string()));
            }
            Ok::<_, Error>(snapshot.export(&all, folder.as_deref(), &mut to))
        })?;
        done.map_err(|wrong| self.wrong(wrong))
    }

    /// Imports the runs of a file that [`Store::export`] wrote: all of them, or none. Returns the ids of the new runs.
    /// `folder` is the folder of the file. Blocks the calling thread.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Replay`] if a line is malformed, or names a run by a text that has not the form of an id. Also if
    /// the file was truncated or changed, or a later version wrote it. [`ErrorKind::Unreadable`] if the file cannot be
    /// read; [`ErrorKind::Store`] if the store cannot be written.
    pub fn import(
        &self,
        folder: Option<&Path>,
        mut from: impl BufRead + Send + 'static,
    ) -> Result<Vec<RunId>, Error> {
        let folder = folder.map(Path::to_path_buf);
        let import =
            move |db: &Connection| Ok(transfer::import(db, folder.as_deref(), &mut from, false));
        self.query(import)?.map_err(|wrong| self.wrong(wrong))
    }

    /// Imports runs that go on here, from their lines, as [`Placed::line`](super::Placed::line) makes them: all of them, or
    /// none. Returns the ids of the new runs. Blocks the calling thread.
    ///
    /// # Errors
    ///
    /// Those of [`Store::import`].
    pub fn import_lines<L: AsRef<str>>(
        &self,
        lines: impl Iterator<Item = L>,
    ) -> Result<Vec<RunId>, Error> {
        let mut from = std::io::Cursor::new(transfer::export_of(lines));
        let import = move |db: &Connection| Ok(transfer::import(db, None, &mut from, true));
        self.query(import)?.map_err(|wrong| self.wrong(wrong))
    }

    fn wrong(&self, wrong: TransferError) -> Error {
        match wrong {
            TransferError::Sqlite(error) => schema::sqlite(&self.path, &error),
            TransferError::Io(error) => {
                Error::new(ErrorKind::Unreadable, format!("cannot read or write the runs: {error}"))
            }
            TransferError::Damage(what) => {
                Error::new(ErrorKind::DamagedRun, what).in_file(&self.path)
            }
            TransferError::Content(line, what) => {
                Error::new(ErrorKind::Replay, format!("line {line}: {what}"))
            }
        }
    }

    /// Records that a host told another server about a run. A run that has been resumed since has no use for it.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Store`] if the store cannot be written.
    pub async fn record_webhook(&self, run: &RunId, sent: WebhookSent) -> Result<(), Error> {
        self.record(run, Event::WebhookSent(Box::new(sent)));
        self.flush().await
    }

    /// Ends a run that this process cannot go on with: a queued one, or one whose process is dead or this one. It counts as
    /// cancelled, so it can be resumed when the reason has passed. Returns whether it was such a run. Blocks the calling
    /// thread.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::UnknownRun`] if there is no such run; [`ErrorKind::DamagedRun`] if a row of a run is malformed;
    /// [`ErrorKind::Store`] if the store cannot be read or written.
    pub fn end_stuck(&self, run: &RunId, why: &str) -> Result<bool, Error> {
        let record = self.show(run.as_str())?;
        if record.summary.ended_at.is_some() {
            return Ok(false);
        }
        let is_own = record.process.as_ref().is_some_and(|it| self.owner.is_own(it));
        let mut claimed = None;
        if !is_own {
            let (process, ended_at) = (record.process.clone(), None);
            let claim = Claim { run: run.clone(), process, ended_at, takes_over: false };
            // A run whose resumption failed has the dead owner before again. One that was imported while it worked has none.
            let is_free = record.summary.status == Status::Queued
                || record.summary.died
                || record.process.is_none();
            claimed = is_free.then(|| self.claim(claim).ok()).flatten();
            if claimed.is_none() {
                return Ok(false);
            }
        }
        let error = Some(RunError::new(RunCode::Cancelled, why));
        let (status, stop) = (Status::Stopped, Some(Stop::Cancelled));
        let report = RunReport {
            status,
            stop,
            error,
            due: None,
            questions: Vec::new(),
            ..report_of(&record)
        };
        self.record(run, Event::RunEnded(Box::new(report)));
        drop(claimed);
        // A query comes behind the events before it.
        self.read(|snapshot| snapshot.newest_event().map(|_| true))
    }

    /// Returns whether another part of the host, or another process, can continue a run of the store later. Nobody else
    /// can open a store in memory that a path names.
    pub(crate) fn is_kept(&self) -> bool {
        self.is_kept
    }

    /// Returns the path with which the store was opened.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Sends an event to the writer, and returns at once.
    pub(crate) fn record(&self, run: &RunId, event: Event) {
        self.writer.event(run, event);
    }

    /// Has the writer make versions of artifacts.
    pub(super) fn send_versions(&self, new: NewVersions) {
        self.writer.send(Job::Versions(new));
    }

    /// Records a warning of a host whose observer of a run has failed: it learns of that when the run may have ended.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::UnknownRun`] if it is not the id of a run; [`ErrorKind::Store`] if the store cannot be written.
    pub async fn record_observer_failure(&self, run: &str, message: &str) -> Result<(), Error> {
        let run: RunId = run.parse().map_err(|_| {
            Error::new(ErrorKind::UnknownRun, format!("`{run}` is not the id of a run"))
        })?;
        let warning = RunError::new(RunCode::ObserverFailed, message);
        self.record(&run, Event::Warned { turn: 0, call: None, warning });
        self.flush().await
    }

    /// Records an act of a person on a run that is on record, such as its cancellation. An act on another run is not recorded.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Store`] if the store cannot be written.
    pub async fn act(&self, run: &RunId, act: Act) -> Result<(), Error> {
        self.record(run, Event::Acted(Box::new(act)));
        self.flush().await
    }

    /// Waits until everything recorded so far is committed, and kept if there is a keeper.
    pub(crate) async fn flush(&self) -> Result<(), Error> {
        let (answer, done) = oneshot::channel();
        self.writer.send(Job::Flush(answer));
        match done.await {
            Ok(Ok(())) => {}
            Ok(Err(message)) => return Err(Error::new(ErrorKind::Store, message)),
            Err(_) => return Err(self.thread_gone()),
        }
        match &self.keeper {
            Some(keeper) => keeper.kept().await,
            None => Ok(()),
        }
    }

    fn start(db: Connection, path: &Path, owner: Owner) -> Result<Store, Error> {
        let owner = Arc::new(owner);
        let writer = Writer::start(db, path.to_path_buf(), Arc::clone(&owner))?;
        Ok(Store { path: path.to_path_buf(), writer, owner, keeper: None, is_kept: true })
    }

    fn query<T: Send + 'static>(
        &self,
        ask: impl FnOnce(&Connection) -> rusqlite::Result<T> + Send + 'static,
    ) -> Result<T, Error> {
        let (answer, done) = std::sync::mpsc::sync_channel(1);
        self.writer.send(Job::Query(Box::new(move |db| {
            // The caller may have given up.
            drop(answer.send(ask(db)));
        })));
        let result = done.recv().map_err(|_| self.thread_gone())?;
        result.map_err(|error| schema::sqlite(&self.path, &error))
    }

    pub(super) fn thread_gone(&self) -> Error {
        Error::new(ErrorKind::Store, "the store's thread is gone").in_file(&self.path)
    }
}

/// A claimed run. If it is dropped before the run has a new event, the owner before has the run again.
#[must_use]
pub(crate) struct Claimed<'s> {
    store: &'s Store,
    claim: Claim,
    owner: String,
    /// The number of the newest event of the run when it was claimed.
    newest: i64,
}

impl Drop for Claimed<'_> {
    fn drop(&mut self) {
        let (claim, owner, newest) = (self.claim.clone(), self.owner.clone(), self.newest);
        // A run that cannot be given back can still be taken over.
        let give_back = move |db: &Connection| drop(claim::give_back(db, &claim, &owner, newest));
        self.store.writer.send(Job::Query(Box::new(give_back)));
    }
}

impl fmt::Debug for Store {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Store").field("path", &self.path).finish_non_exhaustive()
    }
}
