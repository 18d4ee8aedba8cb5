//! Takes snapshots of a run, and continues from them.

use std::fmt::Display;

use super::context::RunContext;
use super::continuation::{AllTaken, Continuation};
use super::journal::Journal;
use super::ledger::Ledger;
use super::outside::reply::{fallback_of, go_on_with};
use super::payload::GivenPayload;
use super::program::Programs;
use super::recorded::RecordedRun;
use super::turns::{Action, Turns};
use crate::agent::Agent;
use crate::error::{Error, ErrorKind};
use crate::provider::Message;
use crate::record::{Event, RunCode, RunError};

/// Continues from the newest snapshot of a resumed run. Returns the next action, or `None` if it has
/// none that is usable.
pub(super) fn continue_from_snapshot(
    programs: &mut Programs<'_>,
    turns: &mut Turns,
    journal: &mut Journal<'_>,
    context: &RunContext<'_>,
) -> Result<Option<Action>, Error> {
    let Some((run, turn, found)) = context.outside.snapshot() else { return Ok(None) };
    let Continuation { prompt, results, images, called, expanded, fallback, programs: kept, taken } =
        found;
    match programs.go_on(kept, run.ended_calls(turn)) {
        Ok(()) => {}
        Err(error) if run.begins_behind_snapshot() => {
            journal.abandon();
            let message = format!("the snapshot of turn {turn}: {error}");
            return Err(Error::new(ErrorKind::Replay, message));
        }
        // The run replays its whole record instead.
        Err(_) => return Ok(None),
    }
    if let Some(payload) = programs.payload() {
        journal.set_payload(payload.committed());
    }
    context.ledger.take_recorded(taken.own, taken.below);
    journal.continue_from(taken.tally, run.warnings_up_to(turn));
    let newest = Message::user(prompt).with_results(results).with_images(images);
    go_on_with(fallback_of(turn, context), context, turns);
    let Some(mut history) = run.record.history(turn, &called) else { return Ok(None) };
    history.tell(turn, newest, called.get(&turn).cloned().unwrap_or_default());
    Ok(Some(turns.continue_from(turn, history, expanded, programs.images(), fallback)))
}

/// Returns whether a run can continue from its newest recorded snapshot.
pub(crate) fn can_continue(agent: &Agent, run: &RecordedRun) -> bool {
    let payload = GivenPayload::recorded(&run.record).start;
    let (input, after) = (run.record.setup.input.clone(), run.record.after.as_ref());
    let semantics = run.record.setup.semantics;
    let prepared = Programs::of_run(agent, input, payload, after, (None, false, true), semantics);
    let (Ok((mut programs, _)), Some((turn, found))) = (prepared, run.snapshot()) else {
        return false;
    };
    programs.go_on(found.programs, run.ended_calls(turn)).is_ok()
}

/// Takes a snapshot after the turn that has ended.
pub(super) fn take_snapshot(
    programs: &mut Programs<'_>,
    turns: &Turns,
    journal: &mut Journal<'_>,
    ledger: &Ledger,
) {
    let turn = turns.turn() - 1;
    let warning = |code, what: &dyn Display| RunError::new(code, what.to_string());
    match programs.take_snapshot() {
        Ok((kept, dropped)) => {
            let dropped = dropped.iter().map(|it| warning(RunCode::NotKept, it)).collect();
            journal.warn(turn, None, dropped);
            let taken =
                AllTaken { own: ledger.own(), below: ledger.taken_below(), tally: journal.tally() };
            let Message { text: prompt, results, images, .. } = turns.newest().clone();
            let (called, fallback) = (turns.called_tools(), turns.fallback().cloned());
            let (programs, expanded) = (kept, turns.expanded().to_vec());
            let state = Continuation {
                prompt,
                results,
                images,
                called,
                expanded,
                fallback,
                programs,
                taken,
            };
            journal.tell(|_| Event::Snapshot { turn, state: state.to_json() });
        }
        Err(error) => {
            journal.warn(turn, None, vec![warning(RunCode::NoSnapshot, &error)]);
        }
    }
}
