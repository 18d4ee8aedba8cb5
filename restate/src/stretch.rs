//! A stretch of a run: the run works in this process, and hands over its events in the order in which they happen.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use ptc_subagent::host::{Decisions, Running, Task, Watch};
use ptc_subagent::store::{Placed, Store};
use ptc_subagent::{AgentCall, Elsewhere, Error, ErrorKind, RunId};
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use tokio::sync::Notify;
use tokio::task::JoinHandle;

use crate::agents::Agents;
use crate::errands::Errands;
use crate::gate::Gate;
use crate::log::{End, Line, Log, run_of};
use crate::text::{PART, parts};

/// The longest wait that a run sits out in the process. A longer one is a timer of the server.
const PATIENCE: Duration = Duration::from_secs(1);

/// How long the end of a call waits for the next step of the run, so that both are one entry of the journal.
const GATHER: Duration = Duration::from_millis(20);

/// The run that works in a stretch.
#[derive(Clone, Default)]
pub(crate) struct Work {
    /// The call that it answers, and the lines with which the runs above it began.
    pub(crate) answers: Option<(AgentCall, Vec<Line>)>,
    /// The number of lines that its caller gave it.
    pub(crate) given: usize,
    /// The calls of its sub-agents that work elsewhere.
    pub(crate) begun: Vec<AgentCall>,
}

/// The deeds of a run up to its next step outside.
#[derive(Default, Serialize, Deserialize)]
pub(crate) struct Step {
    pub(crate) lines: Vec<Line>,
    /// The number of parts in which the lines come, if they are too long for this.
    #[serde(default)]
    pub(crate) parts: u64,
    /// The sub-agents that start elsewhere.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) calls: Vec<AgentCall>,
    /// Whether the run waits for sub-agents alone.
    #[serde(default)]
    pub(crate) rests: bool,
    /// How many milliseconds it waits at most.
    #[serde(default)]
    pub(crate) longest: Option<u64>,
    /// Whether the stretch ends here although the run goes on.
    #[serde(default)]
    pub(crate) is_cut: bool,
}

/// A run that works in this process. Dropping it ends the work.
pub(crate) struct Stretch {
    store: Arc<Store>,
    /// The run, once it is on record.
    run: Option<RunId>,
    gate: Arc<Gate>,
    errands: Arc<Errands>,
    running: Running,
    news: Arc<Notify>,
    work: JoinHandle<()>,
    /// The number of times that the work began or ended a stretch of computing. It is odd while it computes.
    pulse: Arc<AtomicU64>,
    is_over: bool,
    /// The number of the last event that was handed over.
    seen: u64,
    ticket: u64,
    /// The lines of the last step, and their parts if there are several.
    last: Vec<Line>,
    parts: Vec<String>,
}

impl Stretch {
    /// Lets a run go on from its log.
    ///
    /// # Errors
    ///
    /// The reason that this process cannot go on with the run.
    pub(crate) fn begin(agents: &Agents, log: &Log, work: &Work) -> Result<Stretch, Error> {
        let gate = Arc::new(Gate::new());
        let keeper = Arc::clone(&gate);
        let own = log.root();
        let first = work.answers.as_ref().and_then(|(call, _)| call.callers().next());
        let first = first.map_or_else(|| own.unwrap_or_default(), |it| it.run.as_str());
        let above = work.answers.as_ref().map(|(_, above)| above.as_slice()).unwrap_or_default();
        let (store, record, run) = tokio::task::block_in_place(|| {
            let store = Store::in_memory()?;
            store.import_lines(above.iter().chain(log.lines()).map(|it| it.get()))?;
            let record = store.show(first)?;
            let run = own.map(|own| store.show(own)).transpose()?.map(|it| it.summary.run);
            Ok::<_, Error>((Arc::new(store.kept_by(keeper)), record, run))
        })?;
        let agent = agents.of_record(&record)?;
        let news = Arc::new(Notify::new());
        let told = Arc::clone(&news);
        let errands = Arc::new(Errands::new(work.begun.clone(), Arc::clone(&news)));
        let mut watch = Watch::default();
        watch.keeps_events = true;
        watch.elsewhere = Some(Arc::clone(&errands) as Arc<dyn Elsewhere>);
        watch.wait_at_most = Some(PATIENCE);
        watch.wake = Some(Box::new(move || told.notify_one()));
        let seen = newest(&store)?;
        let task = match &work.answers {
            Some((call, _)) => Task::Answer(Box::new(call.clone()), log.lines().len() > work.given),
            None => Task::Resume(first.to_owned(), Decisions::default()),
        };
        let (running, work) =
            Running::new(agent, agents.model(), Some(Arc::clone(&store)), task, watch);
        let pulse = Arc::new(AtomicU64::new(0));
        let work = tokio::spawn(felt(work, Arc::clone(&pulse)));
        let (is_over, ticket, last, parts) = (false, 0, Vec::new(), Vec::new());
        Ok(Stretch {
            store,
            run,
            gate,
            errands,
            running,
            news,
            work,
            pulse,
            is_over,
            seen,
            ticket,
            last,
            parts,
        })
    }

    /// Returns the next events of the run: those before it waits for the journal, or those that happened while it waits for
    /// something outside. `log` has all events before.
    ///
    /// # Errors
    ///
    /// The reason that the run cannot go on, or that its store cannot be read.
    pub(crate) async fn next(&mut self, log: &Log) -> Result<Step, Error> {
        if self.errands.is_any() {
            // The run may do nothing when a sub-agent has ended.
            self.news.notify_one();
        }
        loop {
            tokio::select! {
                biased;
                () = self.gate.wanted() => {}
                // A run that panics has no report.
                _ = &mut self.work, if !self.is_over => self.is_over = true,
                () = self.news.notified() => self.gather().await,
            }
            // Progress and texts of replies are events that no record has.
            drop(self.running.take_events());
            let failed = self.running.take_report().and_then(Result::err);
            if let (Some(error), Some(run)) = (&failed, &self.run) {
                let (store, why) = (&self.store, error.message());
                tokio::task::block_in_place(|| store.end_stuck(run, why))?;
            }
            self.ticket = self.gate.ticket();
            let calls = self.errands.take_new();
            let (lines, seen) = behind(&self.store, self.seen)?;
            if self.run.is_none() {
                self.run = lines.first().and_then(run_of);
            }
            if !lines.is_empty() {
                self.seen = seen;
                self.last.clone_from(&lines);
                return Ok(Step { lines, calls, ..Step::default() });
            }
            if let Some(error) = failed {
                return Err(error);
            }
            if self.is_over {
                return Err(Error::new(ErrorKind::Store, "the run has ended without an event"));
            }
            let rests = !self.gate.is_wanted() && log.rests(|place| self.errands.has(place));
            if !calls.is_empty() || rests && self.errands.is_any() {
                let due = log.due().filter(|_| rests);
                let longest = due.map(|due| due.saturating_sub(now_ms()));
                return Ok(Step { calls, rests, longest, ..Step::default() });
            }
            self.gate.release(self.ticket);
        }
    }

    /// Waits until the run comes to its next step, or waits for something outside.
    async fn gather(&self) {
        loop {
            let before = self.pulse.load(Ordering::SeqCst);
            let wanted = tokio::time::timeout(GATHER, self.gate.wanted()).await;
            let rests = before.is_multiple_of(2) && self.pulse.load(Ordering::SeqCst) == before;
            if wanted.is_ok() || rests || self.is_over {
                return;
            }
        }
    }

    /// Divides the lines of a step if they are too long for one message. Returns the number of their parts.
    pub(crate) fn divide(&mut self, step: &Step) -> Option<u64> {
        self.parts.clear();
        let bytes: usize = step.lines.iter().map(|it| it.get().len()).sum();
        if bytes > PART {
            self.parts = parts(&step.lines);
        }
        (!self.parts.is_empty()).then_some(self.parts.len() as u64)
    }

    /// Returns a part of the lines of the last step.
    pub(crate) fn part(&self, number: u64) -> Option<String> {
        self.parts.get(usize::try_from(number).ok()?).cloned()
    }

    /// Gives the run the end of a sub-agent that worked elsewhere. `log` has its events.
    ///
    /// # Errors
    ///
    /// The reason that the record of the sub-agent cannot be read.
    pub(crate) fn end(&self, call: &AgentCall, log: &Log) -> Result<(), Error> {
        let Some(call) = call.parent() else { return Ok(()) };
        let lines = log.lines_of(call);
        let Some(run) = lines.first().and_then(run_of) else { return Ok(()) };
        let report = tokio::task::block_in_place(|| {
            let store = Store::in_memory()?;
            store.import_lines(lines.iter().map(|it| it.get()))?;
            store.read(move |snapshot| snapshot.report(run.as_str()))
        })?;
        self.errands.end(call, report);
        Ok(())
    }

    /// Returns the lines of the last step, if the run has not gone on.
    pub(crate) fn last(&self) -> Vec<Line> {
        self.last.clone()
    }

    /// Lets the run go on: the journal has the events that were handed over.
    pub(crate) fn release(&mut self) {
        self.last.clear();
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

/// Returns a future that counts in `pulse` when another one begins to compute, and when it stops.
fn felt(work: impl Future<Output = ()>, pulse: Arc<AtomicU64>) -> impl Future<Output = ()> {
    let mut work = Box::pin(work);
    std::future::poll_fn(move |cx| {
        pulse.fetch_add(1, Ordering::SeqCst);
        let polled = work.as_mut().poll(cx);
        pulse.fetch_add(1, Ordering::SeqCst);
        polled
    })
}

fn now_ms() -> u64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    u64::try_from(since.as_millis()).unwrap_or(u64::MAX)
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
