//! A stretch of a run: the run works in this process, and hands over its events in the order in which they happen.

use std::sync::Arc;
use std::time::Duration;

use ptc_subagent::host::{Decisions, Running, Task, Watch};
use ptc_subagent::store::{Placed, Store};
use ptc_subagent::{Error, ErrorKind, RunId};
use serde_json::value::RawValue;
use tokio::sync::Notify;
use tokio::task::JoinHandle;

use crate::agents::Agents;
use crate::gate::Gate;
use crate::log::{End, Line, Log};

/// The longest wait that a run sits out in the process. A longer one is a timer of the server.
const PATIENCE: Duration = Duration::from_secs(1);

/// How long the end of a call waits for the next step of the run, so that both are one entry of the journal.
const GATHER: Duration = Duration::from_millis(20);

/// A run that works in this process. Dropping it ends the work.
pub(crate) struct Stretch {
    store: Arc<Store>,
    run: RunId,
    gate: Arc<Gate>,
    running: Running,
    news: Arc<Notify>,
    work: JoinHandle<()>,
    is_over: bool,
    /// The number of the last event that was handed over.
    seen: u64,
    ticket: u64,
}

impl Stretch {
    /// Lets a run go on from its log.
    ///
    /// # Errors
    ///
    /// The reason that this process cannot go on with the run.
    pub(crate) fn begin(agents: &Agents, log: &Log) -> Result<Stretch, Error> {
        let gate = Arc::new(Gate::new());
        let keeper = Arc::clone(&gate);
        let (store, run) = tokio::task::block_in_place(|| {
            let store = store_of(log)?.kept_by(keeper);
            let root = log.root().unwrap_or_default();
            let run = store.show(root)?.summary.run;
            Ok::<_, Error>((Arc::new(store), run))
        })?;
        let record = tokio::task::block_in_place(|| store.show(run.as_str()))?;
        let agent = agents.of_record(&record)?;
        let model = agents.model();
        let news = Arc::new(Notify::new());
        let told = Arc::clone(&news);
        let mut watch = Watch::default();
        watch.keeps_events = true;
        watch.wait_at_most = Some(PATIENCE);
        watch.wake = Some(Box::new(move || told.notify_one()));
        let seen = newest(&store)?;
        let task = Task::Resume(run.to_string(), Decisions::default());
        let (running, work) = Running::new(agent, model, Some(Arc::clone(&store)), task, watch);
        let work = tokio::spawn(work);
        Ok(Stretch { store, run, gate, running, news, work, is_over: false, seen, ticket: 0 })
    }

    /// Returns the next events of the run: those before it waits for the journal, or those that happened while it waits for
    /// something outside.
    ///
    /// # Errors
    ///
    /// The reason that the run cannot go on, or that its store cannot be read.
    pub(crate) async fn next(&mut self) -> Result<Vec<Line>, Error> {
        loop {
            tokio::select! {
                biased;
                () = self.gate.wanted() => {}
                // A run that panics has no report.
                _ = &mut self.work, if !self.is_over => self.is_over = true,
                () = self.news.notified() => {
                    // The run may have come to its next step; if not, it waits for something outside.
                    drop(tokio::time::timeout(GATHER, self.gate.wanted()).await);
                }
            }
            // Progress and texts of replies are events that no record has.
            drop(self.running.take_events());
            let failed = self.running.take_report().and_then(Result::err);
            if let Some(error) = &failed {
                let (store, run, why) = (&self.store, &self.run, error.message());
                tokio::task::block_in_place(|| store.end_stuck(run, why))?;
            }
            self.ticket = self.gate.ticket();
            let (lines, seen) = behind(&self.store, self.seen)?;
            if !lines.is_empty() {
                self.seen = seen;
                return Ok(lines);
            }
            if let Some(error) = failed {
                return Err(error);
            }
            if self.is_over {
                return Ok(lines);
            }
            self.gate.release(self.ticket);
        }
    }

    /// Lets the run go on: the journal has the events that were handed over.
    pub(crate) fn release(&self) {
        self.gate.release(self.ticket);
    }
}

impl Drop for Stretch {
    fn drop(&mut self) {
        // Another process may go on with the run. What this one still records reaches nobody.
        self.work.abort();
    }
}

/// Cuts events that the journal does not have yet where no call is open, and leaves the rest away: nothing of it was done
/// outside. Returns the events before the cut; `None` if there is no such place.
pub(crate) fn cut(log: &Log, lines: &[Line]) -> Option<Vec<Line>> {
    let mut before = Log::default();
    before.extend(log.lines().iter().cloned()).ok()?;
    let mut at = None;
    for (number, line) in lines.iter().enumerate() {
        before.extend([line.clone()]).ok()?;
        match before.end() {
            Some(End::Over(_) | End::Waits(_)) => return None,
            _ if before.is_quiet() => at = Some(number + 1),
            _ => {}
        }
    }
    at.map(|at| lines.iter().take(at).cloned().collect())
}

/// Makes a store in memory of a log.
///
/// # Errors
///
/// Those of [`Store::import`].
pub(crate) fn store_of(log: &Log) -> Result<Store, Error> {
    let store = Store::in_memory()?;
    store.import_lines(log.lines().iter().map(|it| it.get()))?;
    Ok(store)
}

/// Returns the number of the newest event of a store.
///
/// # Errors
///
/// Those of [`Store::read`].
#[expect(
    clippy::redundant_closure_for_method_calls,
    reason = "a path to the method holds for one lifetime alone"
)]
pub(crate) fn newest(store: &Store) -> Result<u64, Error> {
    tokio::task::block_in_place(|| store.read(|snapshot| snapshot.newest_event()))
}

/// Returns the events of a store behind a number as lines, and the number of the last one.
///
/// # Errors
///
/// Those of [`Store::read`], and an error if an event is no JSON, which is a bug of ours.
pub(crate) fn behind(store: &Store, seen: u64) -> Result<(Vec<Line>, u64), Error> {
    let read = || store.read(move |snapshot| snapshot.events_behind(seen, None, u32::MAX));
    let placed = tokio::task::block_in_place(read)?;
    let line = |it: &Placed| {
        RawValue::from_string(it.line())
            .map_err(|error| Error::new(ErrorKind::Store, format!("an event is no JSON: {error}")))
    };
    let lines = placed.iter().map(line).collect::<Result<_, Error>>()?;
    Ok((lines, placed.last().map_or(seen, |it| it.seq)))
}
