//! The program of a workflow's turn, which is the reply of every turn.
//!
//! A run continues with another program only from a snapshot. Its turns behind the snapshot end as abandoned: nothing
//! of them lasts, so a replay repeats their events without running them.

use crate::agent::Workflow;
use crate::error::Error;
use crate::provider::{Message, Reply};
use crate::record::{Event, Status, Stop, TurnOutcome, TurnRecord};
use crate::run::context::RunContext;
use crate::run::journal::{Journal, cancelled};
use crate::run::ledger::Consumed;
use crate::run::recorded::{RecordedRun, end_of_record};
use crate::run::turns::{Signal, Turns};
use crate::store::{Store, report_of, unfold_turn};

/// Begins a turn, and passes the turns before it that were abandoned.
///
/// # Errors
///
/// [`ErrorKind::Replay`](crate::ErrorKind::Replay) if a replay reached the end of its record.
pub(super) fn begin_turn(
    workflow: &Workflow,
    context: &RunContext<'_>,
    turns: &mut Turns,
    journal: &mut Journal<'_>,
) -> Result<Signal, Error> {
    let record = context.outside.record();
    while let Some((run, row)) = record.and_then(|run| Some((run, run.abandoned(turns.turn())?))) {
        tell_change(run, row.turn, journal);
        pass_turn(run, row, context, journal);
        turns.pass();
    }
    let turn = turns.turn();
    if context.outside.is_closed() && record.is_none_or(|run| run.turn(turn).is_none()) {
        return Err(end_of_record(&format!("turn {turn}")));
    }
    if let Some(run) = record {
        tell_change(run, turn, journal);
    }
    journal.start_turn(turn, &Message::user(""));
    let recorded = record.and_then(|run| run.workflow_reply(turn, workflow));
    Ok(Signal::Replied(recorded.unwrap_or_else(|| Reply::new(workflow.program.as_str()))))
}

/// Records the program with which the run continues in a turn, if it is not the one before.
fn tell_change(run: &RecordedRun, turn: u32, journal: &mut Journal<'_>) {
    if let Some(program) = run.program_from(turn) {
        journal.tell(|_| Event::ProgramChanged { turn, program: program.to_string() });
    }
}

/// Records an abandoned turn again, and charges what it used. If the record does not have its end yet, the turn ends
/// now, and so do the runs that it started.
fn pass_turn(
    run: &RecordedRun,
    row: &TurnRecord,
    context: &RunContext<'_>,
    journal: &mut Journal<'_>,
) {
    journal.repeat_turn(row, unfold_turn(&run.record, row));
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
    for child in run.children_of(row.turn) {
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
