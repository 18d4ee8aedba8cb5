//! The end of a run: its report.

use super::code::RunCode;
use super::journal::Journal;
use super::ledger::{Consumed, Ledger};
use super::report::{Below, RunError, RunReport, Status};
use super::turns::Ending;

/// Returns the report of a run that ends.
pub(super) fn report(
    ending: Ending,
    journal: &mut Journal<'_>,
    ledger: &Ledger,
    seed: u64,
) -> RunReport {
    if let Ending::FellBack { turn, error, .. } = &ending {
        let message = format!(
            "no program returned ({}): the value of turn {turn} is the answer",
            error.message
        );
        journal.warn(*turn, None, vec![RunError::new(RunCode::Fallback, message)]);
    }
    if let Ending::Summarized { error, .. } = &ending {
        let message = format!("the answer is partial: {}", error.message);
        let turn = journal.report().turns;
        journal.warn(turn, None, vec![RunError::new(RunCode::Partial, message)]);
    }
    let mut report = journal.report();
    report.seed = seed;
    report.below = below(ledger.taken_below());
    match ending {
        Ending::Returned(value) => {
            report.status = Status::Returned;
            report.value = value;
        }
        Ending::FellBack { value, error, .. } => {
            report.status = Status::Returned;
            report.value = value;
            report.error = Some(error);
        }
        Ending::Summarized { value, error } => {
            report.status = Status::Returned;
            report.value = value;
            report.error = Some(error);
            report.partial = true;
        }
        Ending::Failed(fail) => {
            report.status = Status::Failed;
            report.fail = Some(fail);
        }
        Ending::Stopped { stop, error } => {
            report.stop = Some(stop);
            report.error = Some(error);
        }
    }
    report
}

fn below(taken: Consumed) -> Option<Below> {
    let Consumed { runs, turns, tool_calls, fuel, usage, .. } = taken;
    (runs > 0).then_some(Below { runs, turns, tool_calls, fuel, usage })
}
