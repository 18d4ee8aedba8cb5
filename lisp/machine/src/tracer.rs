//! The interface of a debugger to the machine.
//!
//! The machine is compiled once for `()`, which removes all of this, and once for a debugger. Both
//! walk the same nodes with the same frames and pay the same fuel. Only the short paths that make
//! no value are skipped under a debugger, which could not see them.

#![expect(clippy::inline_always, reason = "nothing of it is left when nobody looks")]

use std::sync::Arc;

use super::{Core, ToolCall};
use ptc_values::ir::Program;
use ptc_values::{Diagnostic, Res, Value};

/// The events that the machine reports to a tracer. An error stops the machine.
pub trait Tracer: Sized {
    /// Whether there is a tracer.
    const ON: bool;

    /// Returns whether values stay in their slots after the last read, which otherwise moves them.
    #[inline(always)]
    fn keeps(&self) -> bool {
        false
    }

    /// Reports that a node is about to be evaluated. Returns whether [`Tracer::end`] wants its
    /// result, if it is evaluated directly.
    #[inline(always)]
    fn begin(_: &mut Core<Self>, _: &Program, _: u32) -> Res<bool> {
        Ok(false)
    }

    /// Reports the result of the innermost reported node that was evaluated directly.
    #[inline(always)]
    fn end(_: &mut Core<Self>, _: &Res) {}

    /// Reports the value of all nodes that began with the current number of frames.
    #[inline(always)]
    fn value(_: &mut Core<Self>, _: &Value) {}

    /// Reports a `recur` to its loop or function.
    #[inline(always)]
    fn again(_: &mut Core<Self>, _: &Program, _: u32) {}

    /// Reports a tool call before it is made.
    #[inline(always)]
    fn asks(_: &mut Core<Self>, _: &ToolCall) -> Res<()> {
        Ok(())
    }

    /// Reports a problem that is raised or propagates.
    #[inline(always)]
    fn raised(_: &mut Core<Self>, _: &Diagnostic) -> Res<()> {
        Ok(())
    }

    /// Reports that a `try` takes over: the frames above it are gone.
    #[inline(always)]
    fn unwound(_: &mut Core<Self>) {}

    /// Reports that the running branch has ended.
    #[inline(always)]
    fn branch_over(_: &mut Core<Self>) {}

    /// Reports that a builtin calls a function without a frame, from the function of `running`
    /// whose slots start at that position. None means that the call has ended.
    #[inline(always)]
    fn calls_directly(&mut self, _: &Arc<Program>, _: Option<usize>) {}
}

impl Tracer for () {
    const ON: bool = false;
}
