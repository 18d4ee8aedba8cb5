//! The journal of a run: it sends events to the observer and to the store.

use ptc_lisp::{FlowPlace, StepTaken};
use ptc_prompt::Plan;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

use super::elsewhere::{AgentStep, Elsewhere};
use super::outside::{Comparison, RecordCheck};
use super::question::Approve;
use crate::data::Data;
use crate::error::{Error, ErrorKind};
use crate::provider::{Message, Reply, Usage};
use crate::record::{
    Artifact, Event, FallbackModel, Purpose, RunCode, RunError, RunId, RunQueued, RunReport,
    RunStarted, SourceRecord, Status, Stop, TurnOutcome, TurnRecord,
};
use crate::store::{Folds, Store};
use crate::transcript::TranscriptChange;

/// A callback that receives events.
pub(super) type Observer<'a> = dyn Fn(&RunId, &Event) + Sync + 'a;

/// A callback that says whether the agent of a name may be called, or why not.
pub(super) type Permit<'a> = dyn Fn(&str) -> Result<(), String> + Send + Sync + 'a;

/// The parts that a run shares with its sub-agents.
#[derive(Clone, Copy)]
pub(super) struct Shared<'a> {
    pub(super) store: Option<&'a Store>,
    /// The records that events of a replay are folded into.
    pub(super) folds: Option<&'a Folds>,
    /// Receives every event of a run and its sub-agents, in order, as it happens.
    pub(super) observer: Option<&'a Observer<'a>>,
    /// Returns the warning about an observer that has failed.
    pub(super) observer_failed: Option<&'a (dyn Fn() -> Option<RunError> + Sync + 'a)>,
    pub(super) approver: Option<&'a (dyn Approve + 'a)>,
    /// Says whether an agent may be called.
    pub(super) permit: Option<&'a Permit<'a>>,
    /// Runs sub-agents in other processes, and the calls that lead to the run of this one.
    pub(super) elsewhere: Option<(&'a dyn Elsewhere, &'a [AgentStep])>,
    /// Whether the observer receives the text of replies while they arrive.
    pub(super) streams: bool,
}

impl Shared<'_> {
    /// Returns whether anything receives events.
    pub(super) fn is_heard(&self) -> bool {
        self.store.is_some() || self.folds.is_some() || self.observer.is_some()
    }

    /// Passes an event to the observer.
    pub(super) fn tell(&self, run: &RunId, event: &Event) {
        // A bug of ours may have ended the run. A panic of the observer while unwinding would abort the process.
        if let Some(observer) = self.observer.filter(|_| !std::thread::panicking()) {
            observer(run, event);
        }
    }
}

/// The journal of one run. Dropping it before the run has ended records the run as cancelled.
pub(super) struct Journal<'a> {
    pub(super) run: RunId,
    shared: Shared<'a>,
    /// The check against the record, if the run is resumed, and whether `run-resumed` is already written.
    record_check: Option<(RecordCheck<'a>, bool)>,
    /// The turn and field of the first divergence from the record.
    divergence: Option<(Option<u32>, &'static str)>,
    tally: Tally,
    /// The purpose of the next requests.
    purpose: Purpose,
    warnings: Vec<RunError>,
    /// The remarks of the model beside the decision that ends the run.
    remarks: Option<Value>,
    /// Whether the decision that ends the run is a question.
    chat: bool,
    /// The committed payload, if the agent has one.
    payload: Option<Data>,
    sources: Vec<SourceRecord>,
    /// The turn that has started but not ended.
    open_turn: Option<u32>,
    is_running: bool,
}

/// The run's own totals, as its events count them.
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

/// The maximum number of warnings in the report of a run. The record has all of them.
const MAX_WARNINGS: usize = 100;

impl<'a> Journal<'a> {
    /// Creates an empty journal. `check` compares the events of a resumed run with its record.
    pub(super) fn new(
        run: RunId,
        shared: Shared<'a>,
        check: Option<RecordCheck<'a>>,
    ) -> Journal<'a> {
        let tally = Tally {
            turns: 0,
            tool_calls: 0,
            fuel: 0,
            usage: Usage::NOTHING,
            calls_in_turn: 0,
            ended_in_turn: 0,
        };
        let warnings = Vec::new();
        let divergence = None;
        Journal {
            run,
            shared,
            record_check: check.map(|it| (it, false)),
            divergence,
            tally,
            purpose: Purpose::Turn,
            warnings,
            remarks: None,
            chat: false,
            payload: None,
            sources: Vec::new(),
            open_turn: None,
            is_running: false,
        }
    }

    /// Starts the record.
    pub(super) fn start(&mut self, started: impl FnOnce(&RunId) -> RunStarted) {
        self.is_running = true;
        self.tell(|run| Event::RunStarted(Box::new(started(run))));
    }

    /// Returns the totals so far.
    pub(super) fn tally(&self) -> Tally {
        self.tally
    }

    /// Continues after a recorded turn, with the totals and warnings up to it.
    pub(super) fn continue_from(&mut self, tally: Tally, warnings: impl Iterator<Item = RunError>) {
        self.tally = tally;
        self.warnings = warnings.take(MAX_WARNINGS).collect();
    }

    /// Sets the sources, which the report has.
    pub(super) fn set_sources(&mut self, sources: &[SourceRecord]) {
        self.sources = sources.to_vec();
    }

    /// Sets the committed payload, which the report has.
    pub(super) fn set_payload(&mut self, payload: &Data) {
        self.payload = Some(payload.clone());
    }

    /// Sets the purpose of the next requests.
    pub(super) fn set_purpose(&mut self, purpose: Purpose) {
        self.purpose = purpose;
    }

    /// Starts a turn with its new message.
    pub(super) fn start_turn(&mut self, turn: u32, message: &Message) {
        self.open_turn = Some(turn);
        self.tally.turns = turn;
        (self.tally.calls_in_turn, self.tally.ended_in_turn) = (0, 0);
        let Message { text, results, images, .. } = message.clone();
        self.tell(|_| Event::TurnStarted { turn, prompt: text, results, images });
    }

    /// Records a turn with its events on record, without running it.
    pub(super) fn repeat_turn(&mut self, turn: &TurnRecord, events: Vec<Event>) {
        self.tally.turns = turn.turn;
        self.tally.tool_calls += turn.tool_calls() as u64;
        for event in events {
            self.tell(|_| event);
        }
    }

    /// Records a request for the reply of a turn, with the changes of what is sent of the conversation. `messages` is
    /// present if the turns and the changes do not determine them.
    pub(super) fn start_request(
        &mut self,
        turn: u32,
        number: u32,
        messages: Option<Vec<Message>>,
        fallback: Option<FallbackModel>,
        changes: Vec<TranscriptChange>,
    ) {
        let purpose = self.purpose;
        self.tell(|_| Event::ModelAsked { turn, purpose, number, messages, fallback, changes });
    }

    /// Records a request for a summary of an expired result.
    pub(super) fn start_summary(&mut self, turn: u32, number: u32) {
        let (purpose, messages) = (Purpose::Transcript, None);
        let (fallback, changes) = (None, Vec::new());
        self.tell(|_| Event::ModelAsked { turn, purpose, number, messages, fallback, changes });
    }

    /// Records a summary of an expired result.
    pub(super) fn end_summary(&mut self, turn: u32, number: u32, reply: &Reply) {
        self.tally.usage.add(reply.usage.unwrap_or_default());
        let purpose = Purpose::Transcript;
        self.tell(|_| Event::ModelReplied { turn, purpose, number, reply: reply.clone() });
    }

    /// Records the reply to a request.
    pub(super) fn end_request(&mut self, turn: u32, number: u32, reply: &Reply) {
        self.tally.usage.add(reply.usage.unwrap_or_default());
        let purpose = self.purpose;
        self.tell(|_| Event::ModelReplied { turn, purpose, number, reply: reply.clone() });
    }

    /// Records a call that is about to be made.
    pub(super) fn start_call(&mut self, started: impl FnOnce() -> Event) {
        self.tally.calls_in_turn += 1;
        self.tally.tool_calls += 1;
        self.tell(|_| started());
    }

    /// Records that a resumed run goes on, before it does anything outside again. Otherwise the decision to make a call again
    /// would count once more if the process died during the call.
    pub(super) fn go_on(&mut self) {
        if let Some((_, is_resumed @ false)) = &mut self.record_check {
            *is_resumed = true;
            self.write(Event::RunResumed);
        }
    }

    /// Records the end of a call. `ended` gets its position among the finished calls of the turn, counted from 1.
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

    /// Returns whether anything receives events.
    pub(super) fn is_heard(&self) -> bool {
        self.shared.is_heard()
    }

    /// Records an event without waiting for the store. The closure runs only if anything receives events.
    pub(super) fn tell(&mut self, event: impl FnOnce(&RunId) -> Event) {
        if !self.is_heard() {
            return;
        }
        let event = event(&self.run);
        if self.is_new(&event) {
            self.write(event);
        }
    }

    /// Returns whether an event is not on record, and begins the part of a resumed run that is not.
    fn is_new(&mut self, event: &Event) -> bool {
        if self.divergence.is_some() {
            return false;
        }
        let Some((check, _)) = &mut self.record_check else { return true };
        match check.check(event) {
            Comparison::OnRecord => return false,
            Comparison::Differs(what) => {
                self.divergence = Some((event.turn(), what));
                return false;
            }
            Comparison::New => {}
        }
        self.go_on();
        true
    }

    /// Records artifacts that are not on record. The store numbers their versions within the conversation, which its first
    /// run names. Without a store they are first versions.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Store`](crate::ErrorKind::Store) if the store cannot be read or written.
    pub(super) async fn make_artifacts(
        &mut self,
        first: &RunId,
        artifacts: Vec<Artifact>,
    ) -> Result<Vec<Artifact>, Error> {
        let event = |it: &Artifact| Event::ArtifactMade(Box::new(it.clone()));
        let artifacts: Vec<_> =
            artifacts.into_iter().filter(|it| self.is_new(&event(it))).collect();
        match self.shared.store.filter(|_| self.shared.folds.is_none()) {
            Some(store) if !artifacts.is_empty() => {
                let made = store.make_versions(&self.run, first, artifacts).await?;
                for it in &made {
                    self.shared.tell(&self.run, &event(it));
                }
                Ok(made)
            }
            _ => {
                for it in &artifacts {
                    self.write(event(it));
                }
                Ok(artifacts)
            }
        }
    }

    fn write(&self, event: Event) {
        self.shared.tell(&self.run, &event);
        if let Some(folds) = self.shared.folds {
            folds.record(&self.run, event);
        } else if let Some(store) = self.shared.store {
            store.record(&self.run, event);
        }
    }

    /// Ends the open turn without a result.
    pub(super) fn abort_turn(&mut self, outcome: TurnOutcome, error: Option<RunError>) {
        let Some(turn) = self.open_turn else { return };
        let (value, fuel, tool_calls) = (None, 0, self.tally.calls_in_turn);
        let bounds = Vec::new();
        self.end_turn(Event::TurnEnded { turn, outcome, value, error, fuel, tool_calls, bounds });
    }

    /// Ends the turn with its outcome.
    pub(super) fn end_turn(&mut self, ended: Event) {
        self.open_turn = None;
        if let Event::TurnEnded { fuel, .. } = &ended {
            self.tally.fuel = self.tally.fuel.saturating_add(*fuel);
        }
        self.tell(|_| ended);
    }

    /// Records warnings and returns their texts.
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

    /// Keeps the remarks of the model beside the decision that ends the run, and whether it is a question.
    pub(super) fn remark(&mut self, plan: &Plan) {
        if !plan.remarks.is_empty() {
            self.remarks = Some(plan.remarks.clone().into_iter().collect());
        }
        self.chat = plan.is_question;
    }

    /// Keeps the report of the program of a turn: what it told, and the steps that it entered. A program that was made of
    /// a reply has the remarks of that reply.
    pub(super) fn note_flow(&mut self, flow: &FlowPlace, is_made_of_reply: bool) {
        if is_made_of_reply {
            return;
        }
        let told = flow.told.iter().flat_map(|told| told.iter());
        let told = told.filter(|(_, value)| !value.is_nil());
        let told = told.filter_map(|(key, value)| {
            Some((key.name()?.to_string(), Data::made(value.clone()).to_json().ok()?))
        });
        let mut remarks: Map<String, Value> = told.collect();
        self.chat = remarks.remove("chat") == Some(Value::Bool(true));
        if !flow.path.is_empty() {
            let step = |it: &StepTaken| {
                let mut step = json!({"step": it.name.as_str()});
                if it.is_skipped {
                    step["skipped"] = Value::Bool(true);
                }
                step
            };
            remarks.insert("path".to_string(), flow.path.steps().map(step).collect());
        }
        self.remarks = (!remarks.is_empty()).then_some(Value::Object(remarks));
    }

    /// Returns the report of a stopped run, with the totals and warnings so far.
    pub(super) fn report(&self) -> RunReport {
        RunReport {
            run: self.run.clone(),
            status: Status::Stopped,
            value: Data::default(),
            fail: None,
            stop: None,
            turns: self.tally.turns,
            tool_calls: self.tally.tool_calls,
            fuel: self.tally.fuel,
            seed: 0,
            usage: self.tally.usage,
            below: None,
            error: None,
            feedback: None,
            partial: false,
            chat: self.chat,
            remarks: self.remarks.clone(),
            warnings: self.warnings.clone(),
            payload: self.payload.clone(),
            sources: self.sources.clone(),
            artifacts: Vec::new(),
            conversation: None,
            exits_loop: false,
            due: None,
            questions: Vec::new(),
        }
    }

    /// Closes the journal: the run goes on when its host has a place for it.
    pub(super) async fn queue(&mut self, queued: RunQueued) -> Result<RunReport, Error> {
        self.is_running = false;
        self.tell(|_| Event::RunQueued(Box::new(queued)));
        self.flush().await?;
        Ok(RunReport { status: Status::Queued, ..self.report() })
    }

    /// Closes the journal without an end: the replayed record ends here.
    pub(super) fn abandon(&mut self) {
        self.is_running = false;
    }

    /// Waits until the store has written every event, and fails if a resumed run has diverged from its record. Call it
    /// before every step outside, so that nothing happens that is not on record.
    pub(super) async fn flush(&self) -> Result<(), Error> {
        if let Some((turn, what)) = self.divergence {
            return Err(diverged(&self.run, turn, what));
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
        self.abort_turn(TurnOutcome::Cancelled, None);
        let mut report = self.report();
        report.stop = Some(Stop::Cancelled);
        report.error = Some(cancelled());
        self.end(&report);
    }
}

fn diverged(run: &RunId, turn: Option<u32>, what: &str) -> Error {
    let place = turn.map_or(String::new(), |turn| format!(" of turn {turn}"));
    let message = format!("run {run} diverges from its record: `{what}`{place} differs");
    Error::new(ErrorKind::Replay, message)
        .with_help("another version of ptc recorded it; `ptc replay RUN` shows both sides")
}

/// Returns the error of a cancelled run.
pub(super) fn cancelled() -> RunError {
    RunError::new(RunCode::Cancelled, "the run was cancelled")
}
