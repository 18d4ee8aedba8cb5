//! The programs of a workflow's turns, and their change while a run was open.
//!
//! A run continues with another program only from a snapshot. Its turns behind the snapshot end as abandoned: nothing
//! of them lasts, so a replay repeats their events without running them.

use super::context::{RunContext, end_of_record};
use super::journal::{Journal, cancelled};
use super::ledger::Consumed;
use super::recorded::{ProgramChange, RecordedRun};
use super::turns::{Signal, Turns};
use crate::agent::Workflow;
use crate::error::Error;
use crate::provider::{Message, Reply};
use crate::record::{Event, ProgramRecord, Status, Stop, TurnOutcome, TurnRecord};
use crate::store::{Store, report_of, unfold_turn};

/// Begins a turn of a workflow, whose program is the reply of every turn. Passes the turns that were abandoned.
pub(super) fn begin_turn(
    workflow: &Workflow,
    context: &RunContext<'_>,
    turns: &mut Turns,
    journal: &mut Journal<'_>,
) -> Result<Signal, Error> {
    let past = context.past;
    if let Some(past) = past {
        while let Some(row) = past.abandoned(turns.turn()) {
            tell_change(past, row.turn, journal);
            pass_turn(past, row, context, journal);
            turns.pass();
        }
    }
    let turn = turns.turn();
    let is_unknown = past.is_none_or(|past| past.turn(turn).is_none());
    if context.shared.mode.is_closed() && is_unknown {
        return Err(end_of_record(&format!("turn {turn}")));
    }
    if let Some(past) = past {
        tell_change(past, turn, journal);
    }
    journal.start_turn(turn, &Message::user(""));
    let program = past.map_or(workflow.program.as_str(), |past| past.program_of(turn, workflow));
    Ok(Signal::Replied(Reply::new(program)))
}

/// Records the program with which the run continues in a turn, if it is not the one before.
fn tell_change(past: &RecordedRun, turn: u32, journal: &mut Journal<'_>) {
    if let Some(new) = past.programs().rfind(|it| it.turn == turn) {
        journal.tell(|_| Event::ProgramChanged { turn, program: new.program.clone() });
    }
}

/// Records an abandoned turn again, and charges what it used. If the record does not have its end yet, the turn ends
/// now, and so do the runs that it started.
fn pass_turn(
    past: &RecordedRun,
    row: &TurnRecord,
    context: &RunContext<'_>,
    journal: &mut Journal<'_>,
) {
    journal.repeat_turn(row, unfold_turn(&past.record, row));
    let tool_calls = row.tool_calls();
    if row.outcome.is_none() {
        journal.tell(|_| Event::TurnEnded {
            turn: row.turn,
            outcome: TurnOutcome::Abandoned,
            value: None,
            error: None,
            fuel: 0,
            tool_calls: u32::try_from(tool_calls).unwrap_or(u32::MAX),
            bounds: Vec::new(),
        });
    }
    let mut below = Consumed::NOTHING;
    for child in past.children_of(row.turn) {
        below = below.plus(consumed(child));
        if let Some(store) = context.shared.store.filter(|_| row.outcome.is_none()) {
            end_run(child, store);
        }
    }
    context.ledger.take_recorded(Consumed::calls(tool_calls as u64), below);
}

/// Returns the amounts that a recorded run and the runs below it used.
fn consumed(run: &RecordedRun) -> Consumed {
    let own = Consumed::recorded(&run.record.summary);
    run.children.iter().fold(own, |sum, child| sum.plus(consumed(child)))
}

/// Ends a run that broke off or waits, and those below it.
fn end_run(run: &RecordedRun, store: &Store) {
    run.children.iter().for_each(|child| end_run(child, store));
    let record = &run.record;
    let id = &record.summary.run;
    let is_waiting = record.summary.status == Status::Waiting;
    if run.is_over() && !is_waiting {
        return;
    }
    if is_waiting {
        store.record(id, Event::RunResumed);
    }
    let mut report = report_of(record);
    report.status = Status::Stopped;
    (report.stop, report.error, report.due) = (Some(Stop::Cancelled), Some(cancelled()), None);
    store.record(id, Event::RunEnded(Box::new(report)));
}

impl RecordedRun {
    /// Continues the run with another program, from the snapshot after the turn `after`.
    pub(crate) fn change_program(&mut self, after: u32, program: String) {
        let last = self.record.turn_records.last().map_or(0, |it| it.turn);
        let new = ProgramRecord { turn: last.max(after) + 1, program };
        self.change = Some(ProgramChange { after, new });
    }

    /// Replaces the program of the workflow from the last turn on.
    pub(crate) fn replace_program(&mut self, program: String) {
        let turn = self.record.turn_records.last().map_or(1, |it| it.turn);
        self.replace_reply(None);
        self.record.programs.retain(|it| it.turn < turn);
        self.record.programs.push(ProgramRecord { turn, program });
    }

    /// Returns the program of a turn. Without a change on record, it is that of the agent.
    pub(super) fn program_of<'p>(&'p self, turn: u32, workflow: &'p Workflow) -> &'p str {
        let has_changed = self.programs().next().is_some();
        let on_record = self.program_on_record(turn).filter(|_| has_changed);
        on_record.unwrap_or(&workflow.program)
    }

    /// Returns the program of a turn, as the record has it.
    pub(crate) fn program_on_record(&self, turn: u32) -> Option<&str> {
        let newest = self.programs().rfind(|it| it.turn <= turn);
        let at_start = || self.record.setup.definition.as_ref()?.get("program")?.as_str();
        newest.map(|it| it.program.as_str()).or_else(at_start)
    }

    /// Makes the programs of the turns on record those of a new run, which continues with the program of `workflow`.
    pub(crate) fn branch_programs(&mut self, workflow: &Workflow) {
        if self.record.programs.is_empty() {
            return;
        }
        let last = self.record.turn_records.last().map_or(0, |it| it.turn);
        let program = self.program_of(0, workflow).to_string();
        let mut programs = vec![ProgramRecord { turn: 1, program }];
        programs.append(&mut self.record.programs);
        programs.retain(|it| it.turn <= last);
        programs.push(ProgramRecord { turn: last + 1, program: workflow.program.clone() });
        self.record.programs = programs;
    }

    /// Forgets the changes of the program, so that every turn runs the program of the agent.
    pub(crate) fn forget_programs(&mut self) {
        self.record.programs.clear();
    }

    /// Returns the record of a turn that the run does not go through, since its program changed.
    pub(super) fn abandoned(&self, turn: u32) -> Option<&TurnRecord> {
        let is_left = |it: &ProgramChange| (it.after + 1..it.new.turn).contains(&turn);
        let is_open = self.change.as_ref().is_some_and(is_left);
        self.turn(turn).filter(|it| is_open || it.outcome == Some(TurnOutcome::Abandoned))
    }

    /// Returns the programs that replaced an earlier one, in the order of their turns.
    fn programs(&self) -> impl DoubleEndedIterator<Item = &ProgramRecord> {
        self.record.programs.iter().chain(self.change.as_ref().map(|it| &it.new))
    }
}

/// Returns the reply of a turn of a workflow on record; `None` if the turn was abandoned.
pub(super) fn recorded_program(
    past: &RecordedRun,
    turn: u32,
    workflow: &Workflow,
) -> Option<Reply> {
    let is_run = past.abandoned(turn).is_none();
    is_run.then(|| Reply::new(past.program_of(turn, workflow)))
}
