//! Checks the admission report of a program against a run.

use std::collections::BTreeMap;

use ptc_lisp::{Admitted, Ended, Outcome};

/// Describes an action of a run that the report of its program rules out. `calls` are the names of
/// the called tools, in any order.
pub fn broken_promise<'a>(
    admitted: &Admitted,
    ended: &Ended,
    calls: impl IntoIterator<Item = &'a str>,
) -> Option<String> {
    let mut counts: BTreeMap<&str, u64> = BTreeMap::new();
    for call in calls {
        *counts.entry(call).or_default() += 1;
    }
    let report = admitted.report();
    for (name, count) in counts {
        let Some(tool) = report.tools.iter().find(|tool| tool.name == name) else {
            return Some(format!("{name} is not in the report"));
        };
        if tool.times.at_most().is_some_and(|most| count > most) {
            return Some(format!("{name} was called {count} times, and {}", tool.times));
        }
    }
    match &ended.outcome {
        Outcome::Value(_) if report.always_ends => {
            Some("it always returns or fails, and ended in a plain value".to_owned())
        }
        Outcome::Value(value) if !admitted.may_give(value) => {
            Some(format!("its value is {value}, which it cannot be"))
        }
        _ => None,
    }
}
