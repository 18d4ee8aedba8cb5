//! Folding of events into the record of a run.

use std::collections::{BTreeMap, HashMap};
use std::sync::{Mutex, PoisonError};

use crate::data::Data;
use crate::provider::Usage;
use crate::record::{
    ActRecord, CallRecord, CallStatus, Earlier, Event, PayloadRecord, ProgramRecord, Purpose,
    RequestRecord, RunId, RunRecord, RunReport, RunStarted, RunSummary, RunTree, SnapshotRecord,
    Status, TurnOutcome, TurnRecord, WarningRecord, now_ms,
};

/// The record of a run so far. It takes the events of the run in order.
#[derive(Debug)]
pub(crate) struct Fold {
    record: RunRecord,
    /// The positions of the calls of the last turn.
    calls: HashMap<String, usize>,
}

/// The records of runs that are not in a store, folded from their events.
#[derive(Debug, Default)]
pub(crate) struct Folds(Mutex<BTreeMap<RunId, Fold>>);

impl Folds {
    /// Adds an event.
    pub(crate) fn record(&self, run: &RunId, event: Event) {
        let mut folds = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let at = now_ms();
        match folds.get_mut(run) {
            // A misplaced event changes nothing, so its absence shows in the record.
            Some(fold) => drop(fold.add(at, event)),
            None => {
                if let Ok(fold) = Fold::start(run, at, event) {
                    folds.insert(run.clone(), fold);
                }
            }
        }
    }

    /// Returns the records of a run and of the runs below it.
    pub(crate) fn into_tree(self, run: &RunId) -> Option<RunTree> {
        let folds = self.0.into_inner().unwrap_or_else(PoisonError::into_inner);
        let mut below: BTreeMap<RunId, Vec<RunRecord>> = BTreeMap::new();
        let mut root = None;
        for (id, fold) in folds {
            let record = fold.record();
            match record.summary.parent.as_ref().filter(|_| id != *run) {
                Some(parent) => below.entry(parent.run.clone()).or_default().push(record),
                None => root = root.or(Some(record).filter(|_| id == *run)),
            }
        }
        root.map(|root| with_children(root, &mut below))
    }
}

fn with_children(record: RunRecord, below: &mut BTreeMap<RunId, Vec<RunRecord>>) -> RunTree {
    let children = below.remove(&record.summary.run).unwrap_or_default();
    let children = children.into_iter().map(|child| with_children(child, below)).collect();
    RunTree { record, children }
}

impl Fold {
    /// Starts a record with the first event of a run. The error names any other first event.
    pub(crate) fn start(run: &RunId, at: u64, event: Event) -> Result<Fold, String> {
        match event {
            Event::RunStarted(started) => {
                Ok(Fold { record: started_run(run, at, *started), calls: HashMap::new() })
            }
            other => Err(format!("the first event is `{}`", other.name())),
        }
    }

    /// Adds the next event. The error names the event and the reason that it is misplaced.
    pub(crate) fn add(&mut self, at: u64, event: Event) -> Result<(), String> {
        let name = event.name().to_string();
        let misplaced = || format!("`{name}` precedes the event that it belongs to");
        let record = &mut self.record;
        match event {
            Event::RunStarted(_) => return Err("a run starts a second time".to_string()),
            Event::RunResumed => forget_ending(record),
            Event::RunQueued(queued) => {
                forget_ending(record);
                record.summary.status = Status::Queued;
                record.queued = Some(*queued);
            }
            Event::Acted(act) => record.acts.push(ActRecord { at, act: *act }),
            Event::ArtifactMade(artifact) => record.artifacts.push(*artifact),
            Event::ProgramChanged { turn, program } => {
                record.programs.push(ProgramRecord { turn, program });
            }
            Event::TurnStarted { turn, prompt, results, images } => {
                if record.turn_records.last().is_some_and(|last| last.turn >= turn) {
                    return Err(format!("turn {turn} starts after a later turn"));
                }
                let started_at = at;
                let turn = TurnRecord {
                    turn,
                    prompt,
                    results,
                    images,
                    started_at,
                    ..TurnRecord::default()
                };
                record.turn_records.push(turn);
                self.calls.clear();
            }
            Event::ModelAsked { turn, purpose, number, messages, fallback, changes } => {
                let turn = self.turn(turn).ok_or_else(misplaced)?;
                let (summary, usage) = (None, None);
                let request =
                    RequestRecord { purpose, number, messages, fallback, changes, summary, usage };
                turn.requests.push(request);
            }
            Event::ModelReplied { turn, purpose: Purpose::Transcript, number, reply } => {
                let turn = self.turn(turn).ok_or_else(misplaced)?;
                let request = turn.requests.iter_mut().find(|it| it.number == number);
                let request = request.ok_or_else(misplaced)?;
                (request.summary, request.usage) = (Some(reply.text), reply.usage);
            }
            Event::ModelReplied { turn, reply, .. } => {
                let turn = self.turn(turn).ok_or_else(misplaced)?;
                turn.reply = Some(reply.text);
                (turn.model_calls, turn.opaque) = (reply.calls, reply.opaque);
                turn.finish = Some(reply.finish);
                turn.usage = reply.usage;
            }
            Event::Admitted { turn, program, repair, report, budget, warnings, notes, refused } => {
                let turn = self.turn(turn).ok_or_else(misplaced)?;
                (turn.program, turn.repair) = (Some(program), repair);
                (turn.report, turn.budget) = (Some(report), Some(budget));
                (turn.warnings, turn.notes) = (Some(warnings), Some(notes));
                turn.refused = refused;
            }
            Event::Rejected { turn, program, errors, notes, refused } => {
                let turn = self.turn(turn).ok_or_else(misplaced)?;
                (turn.program, turn.rejection, turn.notes) = (program, Some(errors), Some(notes));
                turn.refused = refused;
            }
            Event::CallStarted { turn, call, tool, args, step, labels } => {
                let last = record.turn_records.last_mut().filter(|it| it.turn == turn);
                let last = last.ok_or_else(misplaced)?;
                if self.calls.insert(call.clone(), last.calls.len()).is_some() {
                    return Err(format!("call {call} of turn {turn} starts a second time"));
                }
                let started_at = at;
                last.calls.push(CallRecord {
                    call,
                    tool,
                    args,
                    step,
                    labels,
                    started_at,
                    ..CallRecord::default()
                });
            }
            Event::CallFinished { turn, call, result, blobs, run, cached, ended, .. } => {
                let place = self.calls.get(&call).copied();
                let last = record.turn_records.last_mut().filter(|it| it.turn == turn);
                let call = last.zip(place).and_then(|(turn, place)| turn.calls.get_mut(place));
                let call = call.ok_or_else(misplaced)?;
                match result {
                    Ok(result) => {
                        call.status = CallStatus::Finished;
                        call.result = Some(result);
                    }
                    Err(error) => {
                        call.status = CallStatus::Failed;
                        call.error = Some(Box::new(error));
                    }
                }
                (call.blobs, call.run) = (blobs, run);
                (call.cached, call.ended) = (cached, Some(ended));
                call.ended_at = Some(at);
            }
            Event::Warned { turn, call, warning } => {
                let (code, message) = (warning.code, warning.message);
                record.warnings.push(WarningRecord { turn, call, code, message });
            }
            Event::Printed { turn, line } => {
                self.turn(turn).ok_or_else(misplaced)?.prints.push(line);
            }
            Event::PayloadChanged { turn, change } => {
                self.turn(turn).ok_or_else(misplaced)?.payload_changes.push(change);
            }
            Event::PayloadChecked { turn: 0, check } => {
                if let Some(payload) = &mut record.payload {
                    payload.check = Some(check);
                }
            }
            Event::PayloadChecked { turn, check } => {
                self.turn(turn).ok_or_else(misplaced)?.payload_check = Some(check);
            }
            Event::TurnEnded { turn, outcome, value, error, fuel, bounds, .. } => {
                let turn = self.turn(turn).ok_or_else(misplaced)?;
                (turn.outcome, turn.value, turn.error) = (Some(outcome), value, error);
                (turn.fuel, turn.bounds, turn.ended_at) = (fuel, bounds, Some(at));
            }
            Event::Snapshot { turn, state } => {
                record.snapshot = Some(SnapshotRecord { turn, state });
            }
            Event::RunEnded(report) => end(record, at, *report),
            // `ModelReplied` has the whole reply.
            Event::ReplyText { .. }
            | Event::CallProgress { .. }
            | Event::WebhookSent(_)
            | Event::Other { .. } => {}
        }
        Ok(())
    }

    /// Returns the record.
    pub(crate) fn record(self) -> RunRecord {
        let mut record = self.record;
        if record.summary.ended_at.is_none() {
            count(&mut record);
        }
        record
    }

    fn turn(&mut self, turn: u32) -> Option<&mut TurnRecord> {
        self.record.turn_records.iter_mut().rfind(|it| it.turn == turn)
    }
}

fn started_run(run: &RunId, at: u64, started: RunStarted) -> RunRecord {
    let from = started.payload_from;
    let payload = |start| PayloadRecord { start, from, check: None, end: None };
    let summary = RunSummary {
        run: run.clone(),
        parent: started.parent,
        origin: started.origin,
        conversation: started.after.as_ref().map(Earlier::next_place),
        by: started.by,
        agent: started.agent,
        model: started.model,
        status: Status::Running,
        died: false,
        stop: None,
        turns: 0,
        tool_calls: 0,
        fuel: 0,
        usage: Usage::NOTHING,
        started_at: at,
        ended_at: None,
    };
    RunRecord {
        payload: started.payload.map(payload),
        after: started.after,
        named: started.named,
        sources: started.sources,
        ..RunRecord::new(summary, started.setup)
    }
}

/// Removes everything that a resumed run may decide anew.
pub(crate) fn forget_ending(record: &mut RunRecord) {
    let summary = &mut record.summary;
    (summary.status, summary.stop, summary.ended_at) = (Status::Running, None, None);
    (record.value, record.fail, record.error, record.due) = (Data::default(), None, None, None);
    (record.partial, record.chat, record.remarks) = (false, false, None);
    record.questions.clear();
    if let Some(payload) = &mut record.payload {
        payload.end = None;
    }
    for turn in &mut record.turn_records {
        if turn.outcome.is_some_and(TurnOutcome::passes) {
            (turn.outcome, turn.value, turn.error) = (None, None, None);
            (turn.fuel, turn.ended_at) = (0, None);
            turn.bounds.clear();
        }
    }
    // Without a reply the requests are made again, and then retries, switches and cuts are told again.
    let unanswered: Vec<u32> =
        record.turn_records.iter().filter(|it| it.reply.is_none()).map(|it| it.turn).collect();
    let is_of_request = |it: &WarningRecord| it.call.is_none() && it.code.is_of_request();
    record.warnings.retain(|it| !(is_of_request(it) && unanswered.contains(&it.turn)));
}

fn end(record: &mut RunRecord, at: u64, report: RunReport) {
    let summary = &mut record.summary;
    (summary.status, summary.stop) = (report.status, report.stop);
    (summary.turns, summary.tool_calls) = (report.turns, report.tool_calls);
    (summary.fuel, summary.usage, summary.ended_at) = (report.fuel, report.usage, Some(at));
    (record.value, record.fail, record.error) = (report.value, report.fail, report.error);
    (record.partial, record.chat, record.remarks) = (report.partial, report.chat, report.remarks);
    (record.due, record.questions) = (report.due, report.questions);
    record.queued = None;
    if let Some(payload) = &mut record.payload {
        payload.end = report.payload;
    }
}

/// Computes the totals of a run that has not ended.
fn count(record: &mut RunRecord) {
    let RunRecord { summary, turn_records, .. } = record;
    summary.turns = turn_records.last().map_or(0, |it| it.turn);
    summary.tool_calls = turn_records.iter().map(|it| it.tool_calls() as u64).sum();
    summary.fuel = turn_records.iter().fold(0, |sum, it| sum.saturating_add(it.fuel));
    let mut usage = Usage::NOTHING;
    for turn in turn_records.iter().filter(|it| it.reply.is_some()) {
        usage.add(turn.usage.unwrap_or_default());
    }
    summary.usage = usage;
}
