//! The report of a run that has ended, and the limits on its record.

use serde_json::{Value, json};

use super::context::RunContext;
use super::journal::Journal;
use super::ledger::Consumed;
use super::turns::Ending;
use crate::agent::{Agent, RunBudget};
use crate::record::{Below, ConversationPlace, Earlier, RunCode, RunError, RunReport, Status};

/// Returns the report of a run that has ended.
pub(super) fn report(
    ending: Ending,
    journal: &mut Journal<'_>,
    context: &RunContext<'_>,
    seed: u64,
) -> RunReport {
    let ledger = &context.ledger;
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
    let named = context.origin.and_then(|it| it.named);
    let begins = named.map(|it| ConversationPlace::beginning(&report.run, it.to_owned()));
    report.conversation = context.after.map(Earlier::next_place).or(begins);
    report.below = below(ledger.taken_below());
    match ending {
        Ending::Returned(value) => {
            report.status = Status::Returned;
            report.value = value;
        }
        Ending::Waiting => {
            report.status = Status::Waiting;
            (report.due, report.questions) = context.outside.left_open(ledger.waits());
        }
        Ending::ExitedLoop => {
            report.status = Status::Returned;
            report.exits_loop = true;
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

/// Returns the limits as the record keeps them, with times in seconds.
pub(super) fn limits(agent: &Agent) -> Value {
    let mut all = agent.limits.to_json();
    all.insert("timeout".to_string(), json!(agent.timeout.as_secs_f64()));
    let RunBudget { turns, tool_calls, fuel, tokens, cost, depth } = agent.budget;
    let budget = json!({
        "turns": turns, "tool_calls": tool_calls, "fuel": fuel,
        "tokens": tokens, "cost": cost, "depth": depth.unwrap_or(RunBudget::DEFAULT_DEPTH),
    });
    all.insert("budget".to_string(), budget);
    Value::Object(all)
}
