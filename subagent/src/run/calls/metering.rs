//! The use of a program while it runs, and the bounds that the budget of its run sets.

use std::pin::Pin;

use ptc_lisp::Budget;
use tokio::time::{Instant, Sleep, sleep_until};

use crate::record::Bound;
use crate::run::ledger::Ledger;

/// The meter of one program.
pub(super) struct Metering {
    /// The pauses at which the budget of the run lowered the budget of the program.
    bounds: Vec<Bound>,
    /// The number of stretches of computing so far. Each one ends in a pause.
    pauses: u32,
    /// The units of fuel used so far.
    fuel: u64,
    /// Wakes when the run reaches its time limit.
    clock: Pin<Box<Sleep>>,
}

impl Metering {
    pub(super) fn new(ledger: &Ledger) -> Metering {
        let clock = Box::pin(sleep_until(ledger.deadline()));
        Metering { bounds: Vec::new(), pauses: 0, fuel: 0, clock }
    }

    /// Begins a stretch of computing. `lower` gets its number, and lowers the budget of the program.
    pub(super) fn begin(&mut self, budget: &mut Budget, lower: impl FnOnce(u32, &mut Budget)) {
        let (before, pause) = ((budget.fuel, budget.tool_calls), self.pauses);
        lower(pause, budget);
        let (fuel, tool_calls) = (budget.fuel, budget.tool_calls);
        if (fuel, tool_calls) != before {
            self.bounds.push(Bound { pause, fuel, tool_calls });
        }
        self.pauses += 1;
    }

    /// Ends a stretch of computing that used this fuel.
    pub(super) fn end(&mut self, fuel: u64) {
        self.fuel += fuel;
    }

    /// Returns the units of fuel used so far.
    pub(super) fn fuel(&self) -> u64 {
        self.fuel
    }

    /// Returns the pauses at which the budget of the run lowered the budget of the program.
    pub(super) fn into_bounds(self) -> Vec<Bound> {
        self.bounds
    }

    /// Waits until the run reaches its time limit. Dropping the future loses nothing.
    pub(super) async fn time_up(&mut self, ledger: &Ledger) {
        loop {
            self.clock.as_mut().await;
            // The limit moves while the clock of the run stands.
            let deadline = ledger.deadline();
            if Instant::now() >= deadline {
                return;
            }
            self.clock.as_mut().reset(deadline);
        }
    }
}
