//! Where events go: to whoever watches, and into the store.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::code::RunCode;
use super::event::{Event, Purpose, RunStarted, TurnOutcome};
use super::id::RunId;
use super::question::Approve;
use super::record_check::{Comparison, RecordCheck};
use super::recorded::{RecordedRun, RunMode};
use super::report::{RunError, RunReport, Status, Stop};
use crate::error::{Error, ErrorKind};
use crate::provider::{Message, Reply, Usage};
use crate::store::{Folds, Store};

/// Who is told of events.
pub(super) type Observer<'a> = dyn Fn(&RunId, &Event) + Sync + 'a;

/// What a run has in common with its sub-agents.
#[derive(Clone, Copy)]
pub(super) struct Shared<'a> {
    pub(super) store: Option<&'a Store>,
    /// Where events go of a run that is gone through again.
    pub(super) folds: Option<&'a Folds>,
    /// Is told of every event of a run and its sub-agents, in order, as it happens.
    pub(super) observer: Option<&'a Observer<'a>>,
    pub(super) approver: Option<&'a (dyn Approve + 'a)>,
    /// Whether whoever watches wants to see replies as they come.
    pub(super) streams: bool,
    /// Where answers come from that are on record.
    pub(super) mode: RunMode,
    /// What is known by now of calls in doubt.
    pub(super) doubts: &'a Doubts,
}

impl Shared<'_> {
    /// Whether anybody hears of events.
    pub(super) fn is_heard(&self) -> bool {
        self.store.is_some() || self.folds.is_some() || self.observer.is_some()
    }

    /// Tells whoever watches.
    pub(super) fn tell(&self, run: &RunId, event: &Event) {
        // An observer that panicked is why a run is over, and is not asked for a second panic.
        if let Some(observer) = self.observer.filter(|_| !std::thread::panicking()) {
            observer(run, event);
        }
    }
}

/// What somebody has said of calls in doubt, by their keys.
#[derive(Clone, Debug, Default)]
pub(crate) struct Doubts {
    /// Calls that are to be made again.
    pub(crate) retry: BTreeSet<String>,
    /// The results of calls that did what they should.
    pub(crate) done: BTreeMap<String, Value>,
}

/// The record of one run. When it is dropped before the run has ended, the run was cancelled, and the record says
/// so.
pub(super) struct Journal<'a> {
    pub(super) run: RunId,
    shared: Shared<'a>,
    /// What is on record already, and whether the record says that the run goes on.
    known: Option<(RecordCheck<'a>, bool)>,
    /// The first turn and field in which the run goes another way than its record.
    differs: Option<(Option<u32>, &'static str)>,
    tally: Tally,
    warnings: Vec<RunError>,
    /// The turn that has started and not ended.
    open: Option<u32>,
    is_running: bool,
}

/// What a run has taken itself, as its events tell.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub(super) struct Tally {
    pub(super) turns: u32,
    pub(super) tool_calls: u64,
    pub(super) fuel: u64,
    pub(super) usage: Usage,
    #[serde(skip)]
    calls_in_turn: u32,
    #[serde(skip)]
    ended_in_turn: u32,
}

/// How many warnings the report of a run has; the record has all of them.
const MAX_WARNINGS: usize = 100;

impl<'a> Journal<'a> {
    /// A journal in which nothing happened yet.
    pub(super) fn new(
        run: RunId,
        shared: Shared<'a>,
        past: Option<&'a RecordedRun>,
    ) -> Journal<'a> {
        let known =
            past.filter(|_| shared.mode == RunMode::Resume).map(|it| (RecordCheck::new(it), false));
        let tally = Tally {
            turns: 0,
            tool_calls: 0,
            fuel: 0,
            usage: Usage::NOTHING,
            calls_in_turn: 0,
            ended_in_turn: 0,
        };
        let warnings = Vec::new();
        let differs = None;
        Journal { run, shared, known, differs, tally, warnings, open: None, is_running: false }
    }

    /// Begins the record.
    pub(super) fn start(&mut self, started: impl FnOnce(&RunId) -> RunStarted) {
        self.is_running = true;
        self.tell(|run| Event::RunStarted(Box::new(started(run))));
    }

    /// What the run has taken.
    pub(super) fn tally(&self) -> Tally {
        self.tally
    }

    /// Begins behind a turn that is on record: with what the run had taken, and with its warnings.
    pub(super) fn go_on(&mut self, tally: Tally, warnings: impl Iterator<Item = RunError>) {
        self.tally = tally;
        self.warnings = warnings.take(MAX_WARNINGS).collect();
    }

    /// Begins a turn; `prompt` is what is new in it.
    pub(super) fn start_turn(&mut self, turn: u32, prompt: &str) {
        self.open = Some(turn);
        self.tally.turns = turn;
        (self.tally.calls_in_turn, self.tally.ended_in_turn) = (0, 0);
        self.tell(|_| Event::TurnStarted { turn, prompt: prompt.to_string() });
    }

    /// Tells of a request for the reply of a turn; `messages` are there if they are others than the turns say.
    pub(super) fn asks(&mut self, turn: u32, number: u32, messages: Option<Vec<Message>>) {
        let purpose = Purpose::Turn;
        self.tell(|_| Event::ModelAsked { turn, purpose, number, messages });
    }

    /// Tells what the model said to a request.
    pub(super) fn replied(&mut self, turn: u32, number: u32, reply: &Reply) {
        self.tally.usage.add(reply.usage.unwrap_or_default());
        let purpose = Purpose::Turn;
        self.tell(|_| Event::ModelReplied { turn, purpose, number, reply: reply.clone() });
    }

    /// Tells of a call that is about to be made.
    pub(super) fn start_call(&mut self, started: impl FnOnce() -> Event) {
        self.tally.calls_in_turn += 1;
        self.tally.tool_calls += 1;
        self.tell(|_| started());
    }

    /// Tells of a call that is over; `ended` gets its place among those of the turn that are over.
    pub(super) fn end_call(&mut self, ended: impl FnOnce(u32) -> Event) {
        self.tally.ended_in_turn += 1;
        let place = self.tally.ended_in_turn;
        self.tell(|_| ended(place));
    }

    /// Ends the record.
    pub(super) fn end(&mut self, report: &RunReport) {
        self.is_running = false;
        self.tell(|_| Event::RunEnded(Box::new(report.clone())));
    }

    /// Whether anybody hears of events.
    pub(super) fn is_heard(&self) -> bool {
        self.shared.is_heard()
    }

    /// Tells of an event; returns at once. It is made only if anybody hears of it.
    pub(super) fn tell(&mut self, event: impl FnOnce(&RunId) -> Event) {
        if !self.is_heard() {
            return;
        }
        let event = event(&self.run);
        if self.differs.is_some() {
            return;
        }
        if let Some((known, is_resumed)) = &mut self.known {
            match known.check(&event) {
                Comparison::OnRecord => return,
                Comparison::Differs(what) => {
                    self.differs = Some((event.turn(), what));
                    return;
                }
                Comparison::New if !*is_resumed => {
                    *is_resumed = true;
                    self.write(Event::RunResumed);
                }
                Comparison::New => {}
            }
        }
        self.write(event);
    }

    fn write(&self, event: Event) {
        self.shared.tell(&self.run, &event);
        if let Some(folds) = self.shared.folds {
            folds.record(&self.run, event);
        } else if let Some(store) = self.shared.store {
            store.record(&self.run, event);
        }
    }

    /// Ends the turn that is open, which came to nothing.
    pub(super) fn end_turn(&mut self, outcome: TurnOutcome, error: Option<RunError>) {
        let Some(turn) = self.open else { return };
        let (value, fuel, tool_calls) = (None, 0, self.tally.calls_in_turn);
        let bounds = Vec::new();
        self.came_to(Event::TurnEnded { turn, outcome, value, error, fuel, tool_calls, bounds });
    }

    /// Ends the turn with what it came to.
    pub(super) fn came_to(&mut self, ended: Event) {
        self.open = None;
        if let Event::TurnEnded { fuel, .. } = &ended {
            self.tally.fuel = self.tally.fuel.saturating_add(*fuel);
        }
        self.tell(|_| ended);
    }

    /// Tells of warnings; returns their texts.
    pub(super) fn warn(
        &mut self,
        turn: u32,
        call: Option<&str>,
        all: Vec<RunError>,
    ) -> Vec<String> {
        let mut texts = Vec::with_capacity(all.len());
        for warning in all {
            texts.push(warning.message.clone());
            if self.warnings.len() < MAX_WARNINGS {
                self.warnings.push(warning.clone());
            }
            self.tell(|_| Event::Warned { turn, call: call.map(str::to_string), warning });
        }
        texts
    }

    /// A report of what the run has taken and said so far, of a run that was stopped.
    pub(super) fn report(&self) -> RunReport {
        RunReport {
            run: self.run.clone(),
            status: Status::Stopped,
            value: Value::Null,
            fail: None,
            stop: None,
            turns: self.tally.turns,
            tool_calls: self.tally.tool_calls,
            fuel: self.tally.fuel,
            seed: 0,
            usage: self.tally.usage,
            below: None,
            error: None,
            warnings: self.warnings.clone(),
        }
    }

    /// Says nothing more: a record that is replayed ends here.
    pub(super) fn abandon(&mut self) {
        self.is_running = false;
    }

    /// Waits until the store has everything. To be called before every step outside: what is not
    /// on record must not happen. Fails if a run that is resumed goes another way than it went.
    pub(super) async fn flush(&self) -> Result<(), Error> {
        if let Some((turn, what)) = self.differs {
            return Err(goes_another_way(&self.run, turn, what));
        }
        match self.shared.store {
            Some(store) => store.flush().await,
            None => Ok(()),
        }
    }
}

impl Drop for Journal<'_> {
    fn drop(&mut self) {
        if !self.is_running {
            return;
        }
        self.end_turn(TurnOutcome::Cancelled, None);
        let mut report = self.report();
        report.stop = Some(Stop::Cancelled);
        report.error = Some(cancelled());
        self.end(&report);
    }
}

fn goes_another_way(run: &RunId, turn: Option<u32>, what: &str) -> Error {
    let place = turn.map_or(String::new(), |turn| format!(" of turn {turn}"));
    let message = format!("run {run} goes another way than it went: `{what}`{place} differs");
    Error::new(ErrorKind::Replay, message)
        .with_help("another version of ptc recorded it; `ptc replay RUN` shows both sides")
}

/// What is said of a run that was cancelled.
pub(super) fn cancelled() -> RunError {
    RunError::new(RunCode::Cancelled, "the run was cancelled")
}
