//! Calls of functions that capture nothing, by the number of their lambda.
//!
//! An integer represents such a function below its slots, so a call touches no reference count. Counting makes a call
//! over half as long again: a floor in `bench/benches/ratios.rs` checks this. A program can make such an integer, so a
//! global that holds one is checked before a call. No other value gets below the slots. A separate kind of value would
//! add a case to every match.

#![expect(clippy::inline_always, reason = "what the machine does for every call")]

use super::problems::invariant_violated;
use super::tracer::Tracer;
use super::{Caller, Core, Mode};
use ptc_values::ir::Program;
use ptc_values::{Res, Value, wrong_arity_of};

/// Returns the integer that represents a function whose body needs only the number of its lambda.
#[inline]
pub(super) fn plain(lambda: u32) -> i64 {
    i64::MIN + i64::from(lambda)
}

/// Returns the number of the lambda, if the integer represents a function.
#[inline]
pub(super) fn plain_number(int: i64) -> Option<u32> {
    u32::try_from(int.wrapping_sub(i64::MIN)).ok()
}

impl<W: Tracer> Core<W> {
    /// Calls the function of the running program whose number is below the last `count` values.
    #[inline(always)]
    pub(super) fn enter_plain(
        &mut self,
        program: &Program,
        lambda: u32,
        count: usize,
    ) -> Res<Mode> {
        let lambda = program.lambdas.get(lambda as usize).ok_or_else(invariant_violated)?;
        let Some(arity) = lambda.arity(count as u32) else {
            return Err(wrong_arity_of(lambda, count));
        };
        let pausing = self.pay_call(program.builtin)?;
        self.push_frame(arity, count, Caller::Here)?;
        Ok(if pausing { Mode::Pause(arity.body) } else { Mode::Eval(arity.body) })
    }

    /// Returns the number of a global's function if it belongs to the running program and a call
    /// needs only the number. Such a call touches no reference count.
    #[inline]
    pub(super) fn plain_global(&self, program: &Program, global: u32) -> Option<u32> {
        match self.globals.get(global as usize) {
            Some(Some(Value::Function(closure))) => closure.plain_in(program),
            _ => None,
        }
    }
}
