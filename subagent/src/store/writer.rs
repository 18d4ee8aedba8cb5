//! The thread that owns the connection: async code never waits for the disk on its own thread.

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread::JoinHandle;

use rusqlite::{Connection, Transaction, TransactionBehavior};
use tokio::sync::oneshot;

use super::heads::Runs;
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
    let mut runs = Runs::default();
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
                commit(db, &mut runs, &events, &process).map_err(|error| sqlite(path, &error))
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
    runs: &mut Runs,
    events: &[(RunId, u64, Box<Event>)],
    process: &str,
) -> rusqlite::Result<()> {
    // It reads before it writes: another process must not write in between.
    let tx = Transaction::new_unchecked(db, TransactionBehavior::Immediate)?;
    for (run, at, event) in events {
        runs.write(&tx, run, *at, event, Some(process))?;
    }
    tx.commit()
}
