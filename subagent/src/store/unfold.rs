//! Unfolding of a record into events, for records that were stored as rows and for records that were edited.

use std::collections::VecDeque;
use std::time::Duration;

use super::log::Logged;
use crate::provider::Usage;
use crate::record::{
    Artifact, CallRecord, ConversationPlace, Earlier, Event, Purpose, RunError, RunRecord,
    RunReport, RunStarted, TurnRecord, WarningRecord,
};

/// Returns events that fold into this record. Data that the record lacks is missing from them. The order of concurrent
/// calls is inferred from their times.
pub(super) fn unfold(record: &RunRecord) -> Vec<Logged> {
    let mut log = Vec::new();
    let mut add = |at, event| log.push(Logged { at, event });
    let summary = &record.summary;
    add(summary.started_at, Event::RunStarted(Box::new(record.started())));
    if let Some(check) = record.payload.as_ref().and_then(|it| it.check.clone()) {
        add(summary.started_at, Event::PayloadChecked { turn: 0, check });
    }
    let mut warnings: VecDeque<&WarningRecord> = record.warnings.iter().collect();
    let mut programs = record.programs.iter().peekable();
    for turn in &record.turn_records {
        let at = turn.started_at;
        add_warnings(&mut warnings, turn.turn.saturating_sub(1), at, &mut add);
        while let Some(it) = programs.next_if(|it| it.turn <= turn.turn) {
            add(at, Event::ProgramChanged { turn: it.turn, program: it.program.clone() });
        }
        add(at, turn_started(turn));
        add_warnings(&mut warnings, turn.turn, at, &mut add);
        turn_events(turn, &mut add);
        if let Some(it) = record.snapshot.as_ref().filter(|it| it.turn == turn.turn) {
            let state = it.state.clone();
            add(turn.ended_at.unwrap_or(at), Event::Snapshot { turn: it.turn, state });
        }
    }
    for it in &record.acts {
        add(it.at, Event::Acted(Box::new(it.act.clone())));
    }
    let at = summary.ended_at.unwrap_or(summary.started_at);
    add_warnings(&mut warnings, u32::MAX, at, &mut add);
    if let Some(queued) = &record.queued {
        add(at, Event::RunQueued(Box::new(queued.clone())));
    }
    let made = |by_person: bool| {
        record.artifacts.iter().filter(move |it| it.by.is_some() == by_person).cloned()
    };
    for it in made(false) {
        add(at, Event::ArtifactMade(Box::new(it)));
    }
    if summary.ended_at.is_some() {
        add(at, Event::RunEnded(Box::new(report_of(record))));
    }
    for it in made(true) {
        add(at, Event::ArtifactMade(Box::new(it)));
    }
    log
}

fn turn_started(turn: &TurnRecord) -> Event {
    let (prompt, results, images) =
        (turn.prompt.clone(), turn.results.clone(), turn.images.clone());
    Event::TurnStarted { turn: turn.turn, prompt, results, images }
}

/// Returns the events of one turn of a record.
pub(crate) fn unfold_turn(record: &RunRecord, turn: &TurnRecord) -> Vec<Event> {
    let mut events = Vec::new();
    let mut add = |_, event| events.push(event);
    add(turn.started_at, turn_started(turn));
    let mut warnings: VecDeque<&WarningRecord> =
        record.warnings.iter().filter(|it| it.turn == turn.turn).collect();
    add_warnings(&mut warnings, turn.turn, turn.started_at, &mut add);
    turn_events(turn, &mut add);
    events
}

/// Adds the next warnings, up to those of `turn`.
fn add_warnings(
    warnings: &mut VecDeque<&WarningRecord>,
    turn: u32,
    at: u64,
    add: &mut impl FnMut(u64, Event),
) {
    while let Some(next) = warnings.pop_front_if(|it| it.turn <= turn) {
        let warning = RunError::new(next.code, next.message.clone());
        add(at, Event::Warned { turn: next.turn, call: next.call.clone(), warning });
    }
}

fn turn_events(it: &TurnRecord, add: &mut impl FnMut(u64, Event)) {
    let (turn, at) = (it.turn, it.started_at);
    for request in &it.requests {
        let (purpose, number) = (request.purpose, request.number);
        let (messages, fallback) = (request.messages.clone(), request.fallback.clone());
        let changes = request.changes.clone();
        add(at, Event::ModelAsked { turn, purpose, number, messages, fallback, changes });
        if let Some(reply) = request.summary_reply() {
            add(at, Event::ModelReplied { turn, purpose, number, reply });
        }
    }
    if let Some(text) = &it.reply {
        let reply = it.reply_with(text.clone());
        let number = it.requests.last().map_or(0, |it| it.number);
        add(at, Event::ModelReplied { turn, purpose: Purpose::Turn, number, reply });
    }
    let notes = it.notes.clone().unwrap_or_default();
    if let Some(errors) = &it.rejection {
        let (program, errors, refused) = (it.program.clone(), errors.clone(), it.refused.clone());
        add(at, Event::Rejected { turn, program, errors, notes, refused });
    } else if let Some(program) = &it.program {
        let event = Event::Admitted {
            turn,
            program: program.clone(),
            repair: it.repair.clone(),
            report: it.report.clone().unwrap_or_default(),
            budget: it.budget.clone().unwrap_or_default(),
            warnings: it.warnings.clone().unwrap_or_default(),
            notes,
            refused: it.refused.clone(),
        };
        add(at, event);
    }
    call_events(it, add);
    let end = it.ended_at.unwrap_or(at);
    for change in &it.payload_changes {
        add(end, Event::PayloadChanged { turn, change: change.clone() });
    }
    if let Some(check) = &it.payload_check {
        add(end, Event::PayloadChecked { turn, check: check.clone() });
    }
    for line in &it.prints {
        add(end, Event::Printed { turn, line: line.clone() });
    }
    if let Some(outcome) = it.outcome {
        let event = Event::TurnEnded {
            turn,
            outcome,
            value: it.value.clone(),
            error: it.error.clone(),
            fuel: it.fuel,
            tool_calls: u32::try_from(it.tool_calls()).unwrap_or(u32::MAX),
            bounds: it.bounds.clone(),
        };
        add(end, event);
    }
}

/// Adds the events of the calls of a turn. They start in one order and end in another.
fn call_events(it: &TurnRecord, add: &mut impl FnMut(u64, Event)) {
    let turn = it.turn;
    let mut finished: Vec<(usize, &CallRecord)> =
        it.calls.iter().enumerate().filter(|(_, call)| call.ended.is_some()).collect();
    finished.sort_by_key(|(_, call)| call.ended);
    let mut finished = VecDeque::from(finished);
    for (at, call) in it.calls.iter().enumerate() {
        // By the clock, this call ended before the next one started.
        while let Some((_, call)) = finished.pop_front_if(|(place, other)| {
            *place < at && other.ended_at.is_some_and(|ended| ended < call.started_at)
        }) {
            add_finished(turn, call, add);
        }
        let (id, tool, args) = (call.call.clone(), call.tool.clone(), call.args.clone());
        let (step, labels) = (call.step.clone(), call.labels.clone());
        add(call.started_at, Event::CallStarted { turn, call: id, tool, args, step, labels });
    }
    for (_, call) in finished {
        add_finished(turn, call, add);
    }
}

fn add_finished(turn: u32, call: &CallRecord, add: &mut impl FnMut(u64, Event)) {
    let ended_at = call.ended_at.unwrap_or(call.started_at);
    let result = match &call.error {
        Some(error) => Err((**error).clone()),
        None => Ok(call.result.clone().unwrap_or_default()),
    };
    let event = Event::CallFinished {
        turn,
        call: call.call.clone(),
        tool: call.tool.clone(),
        result,
        blobs: call.blobs.clone(),
        run: call.run.clone(),
        cached: call.cached,
        ended: call.ended.unwrap_or_default(),
        elapsed: Duration::from_millis(ended_at.saturating_sub(call.started_at)),
    };
    add(ended_at, event);
}

impl RunRecord {
    /// Returns the place of the run in its conversation; `None` if it begins one without a name.
    fn place(&self) -> Option<ConversationPlace> {
        let begins =
            || self.named.clone().map(|it| ConversationPlace::beginning(&self.summary.run, it));
        self.after.as_ref().map(Earlier::next_place).or_else(begins)
    }

    /// Returns what was known when the run started, for an observer that sees only how it goes on.
    pub fn started(&self) -> RunStarted {
        let summary = &self.summary;
        RunStarted {
            run: summary.run.clone(),
            parent: summary.parent.clone(),
            agent: summary.agent.clone(),
            model: summary.model.clone(),
            setup: self.setup.clone(),
            origin: summary.origin.clone(),
            payload: self.payload.as_ref().map(|it| it.start.clone()),
            payload_from: self.payload.as_ref().and_then(|it| it.from.clone()),
            after: self.after.clone(),
            by: summary.by.clone(),
            named: self.named.clone(),
            sources: self.sources.clone(),
        }
    }
}

/// Returns the report of a recorded run.
pub(crate) fn report_of(record: &RunRecord) -> RunReport {
    let summary = &record.summary;
    RunReport {
        sources: record.sources.clone(),
        artifacts: record
            .artifacts
            .iter()
            .filter(|it| it.by.is_none())
            .map(Artifact::link)
            .collect(),
        conversation: record.place(),
        exits_loop: false,
        due: record.due,
        questions: record.questions.clone(),
        run: summary.run.clone(),
        status: summary.status,
        value: record.value.clone(),
        fail: record.fail.clone(),
        stop: summary.stop,
        turns: summary.turns,
        tool_calls: summary.tool_calls,
        fuel: summary.fuel,
        seed: record.setup.seed.unwrap_or_default(),
        usage: Usage { ..summary.usage },
        below: None,
        error: record.error.clone(),
        feedback: None,
        partial: record.partial,
        chat: record.chat,
        remarks: record.remarks.clone(),
        warnings: Vec::new(),
        payload: record.payload.as_ref().and_then(|it| it.end.clone()),
    }
}
