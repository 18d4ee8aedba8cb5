//! Flows of a program: where the values that it gives to tools may come from.
//!
//! The walk goes through the nodes with flows for values, as a machine goes through them with values. It takes both
//! branches of a test, and repeats loops and whole programs until nothing is added. A builtin without a rule of its own
//! may call every function that it gets, and its result has the label of everything that it gets. So a rule makes flows
//! more exact, and a missing one loses no mark. A program that is too deep or too long for the walk has every label.

mod call;
mod control;
mod paths;
mod rule_table;
mod rules;
mod state;
mod state_rules;
mod walk;

use std::sync::Arc;

use ptc_facts::flows::{Flow, Flows, Labels};
use ptc_facts::globals::Globals;
use ptc_values::Program;

use walk::Walk;

/// The most times that a program is walked.
const MOST_ROUNDS: usize = 16;

/// Returns the flows of a checked program. `globals` has the names of earlier programs.
pub fn flows(program: &Arc<Program>, globals: &Globals, labels: &Labels) -> Flows {
    let mut walk = Walk::new(globals, labels);
    let number = walk.kept.number(program);
    let mut value = Flow::never();
    for round in 0.. {
        walk.begin();
        value = walk.program(number);
        if walk.is_coarse || !walk.has_grown {
            break;
        }
        walk.is_coarse = round == MOST_ROUNDS;
    }
    walk.end(&value)
}
