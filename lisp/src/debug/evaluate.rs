//! Evaluates an expression in the middle of a program.

use arcstr::ArcStr;

use super::stop::{Evaluated, text};
use crate::session::Session;
use ptc_machine::{Budget, Outcome, ToolFailure, World, Yielded};
use ptc_values::limits::Limits;
use ptc_values::{Diagnostic, Value};

/// The fuel of an expression: enough for a loop over a long list, and little enough to finish
/// quickly.
const FUEL: u64 = 1_000_000;

/// Evaluates an expression with the names of the program. Tool calls fail.
pub(super) fn in_scope(
    (world, mut limits): (World, Limits),
    locals: Vec<(ArcStr, Value)>,
    source: &str,
) -> Result<Evaluated, Vec<Diagnostic>> {
    limits.fuel = FUEL;
    let session = Session::inside(world, limits, locals);
    let admitted = session.admit(source).map_err(|rejection| rejection.diagnostics)?;
    let mut machine = session.start(&admitted);
    let mut budget = Budget::new(session.limits());
    let refuse = || Some(Err(ToolFailure::new("a debugger calls no tools")));
    while !matches!(machine.run_with(&mut budget, &mut |_| refuse()), Yielded::Done) {}
    let ended = machine.finish();
    let value = match ended.outcome {
        Outcome::Value(value) | Outcome::Return(value) | Outcome::Continue(value) => value,
        Outcome::Fail(failure) => failure.details,
        Outcome::Error(problem) => return Err(vec![problem]),
    };
    Ok(Evaluated { value: text(&value), prints: ended.prints })
}
