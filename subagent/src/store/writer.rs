//! The thread that owns the connection, so that async code never waits for the disk.

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread::JoinHandle;

use rusqlite::{Connection, Transaction, TransactionBehavior};
use tokio::sync::oneshot;

use super::heads::Runs;
use super::owner::Owner;
use super::schema::sqlite;
use super::versions::NewVersions;
use crate::error::{Error, ErrorKind};
use crate::record::{Event, RunId, now_ms};

/// The maximum number of events in a transaction. It bounds the wait for a commit.
const BATCH: usize = 512;

/// A job for the thread.
pub(super) enum Job {
    /// Record an event with its time.
    Event { run: RunId, at: u64, event: Box<Event> },
    /// Record the next versions of artifacts.
    Versions(NewVersions),
    /// Reply when all earlier events are committed, or with the reason that they cannot be.
    Flush(oneshot::Sender<Result<(), String>>),
    /// Query or change the store.
    Query(Box<dyn FnOnce(&Connection) + Send>),
}

/// A handle to the thread. Dropping it waits until everything is written.
pub(super) struct Writer {
    jobs: Option<Sender<Job>>,
    thread: Option<JoinHandle<()>>,
}

impl Writer {
    /// Starts a thread that owns the connection.
    pub(super) fn start(db: Connection, path: PathBuf, owner: Arc<Owner>) -> Result<Writer, Error> {
        let (jobs, inbox) = channel();
        let thread = std::thread::Builder::new()
            .name("ptc-store".to_string())
            .spawn(move || serve(&db, &inbox, &path, &owner))
            .map_err(|error| {
                Error::new(ErrorKind::Store, format!("cannot start the store's thread: {error}"))
            })?;
        Ok(Writer { jobs: Some(jobs), thread: Some(thread) })
    }

    /// Sends a job. If the thread has ended, the next flush reports it.
    pub(super) fn send(&self, job: Job) {
        if let Some(jobs) = &self.jobs {
            // A closed channel drops the job, and with it the sender of the reply.
            drop(jobs.send(job));
        }
    }

    /// Sends an event with the current time.
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

fn serve(db: &Connection, inbox: &Receiver<Job>, path: &std::path::Path, owner: &Owner) {
    // There are fewer statements than this, so each is prepared once. To prepare those of reads again and again took half of
    // the time of this thread in a server.
    db.set_prepared_statement_cache_capacity(128);
    let mut failed: Option<String> = None;
    let mut runs = Runs::default();
    while let Ok(first) = inbox.recv() {
        let mut events = Vec::new();
        let mut versions = Vec::new();
        let mut waiting = Vec::new();
        let mut queries = Vec::new();
        let mut next = Some(first);
        while let Some(job) = next {
            match job {
                Job::Event { run, at, event } => events.push((run, at, event)),
                Job::Versions(new) => versions.push(new),
                Job::Flush(answer) => waiting.push(answer),
                Job::Query(query) => queries.push(query),
            }
            next = if events.len() < BATCH { inbox.try_recv().ok() } else { None };
        }
        // After a failure the log has a gap. The store then accepts no more events, and every flush
        // reports the failure.
        if failed.is_none() && !events.is_empty() {
            let commit = |process: String| {
                commit(db, &mut runs, &events, &process).map_err(|error| sqlite(path, &error))
            };
            failed = owner.claim().and_then(commit).err().map(|error| error.to_string());
        }
        for new in versions {
            let made = match &failed {
                Some(why) => Err(why.clone()),
                None => owner
                    .claim()
                    .and_then(|process| {
                        let made = new.make(db, &mut runs, &process);
                        made.map_err(|error| sqlite(path, &error))
                    })
                    .map_err(|error| error.to_string()),
            };
            failed = failed.or_else(|| made.as_ref().err().cloned());
            new.answer(made);
        }
        for answer in waiting {
            // The caller may have given up.
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
    // The transaction reads before it writes, and no other process may write in between.
    let tx = Transaction::new_unchecked(db, TransactionBehavior::Immediate)?;
    for (run, at, event) in events {
        runs.write(&tx, run, *at, event, Some(process), true)?;
    }
    tx.commit()
}
