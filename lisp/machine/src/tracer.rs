//! The interface of a debugger to the machine.
//!
//! The machine is compiled once for `()`, which removes all of this, and once for a debugger. Code for
//! a debugger tells it where each form begins and ends, and keeps no value in another's place. Both
//! codes pay the same fuel.

#![expect(clippy::inline_always, reason = "nothing of it is left when nobody looks")]

use super::machine_core::Core;
use super::tool_call::ToolCall;
use ptc_values::{Diagnostic, Program, Res, Value};

/// The events that the machine reports to a tracer. An error stops the machine.
pub trait Tracer: Sized {
    /// Whether there is a tracer.
    const ON: bool;

    /// Returns whether values stay in their slots after the last read, which otherwise moves them.
    #[inline(always)]
    fn keeps(&self) -> bool {
        false
    }

    /// Reports that a node is about to be evaluated.
    #[inline(always)]
    fn begin(_: &mut Core<Self>, _: &Program, _: u32) -> Res<()> {
        Ok(())
    }

    /// Reports the value of a node whose code goes on behind it.
    #[inline(always)]
    fn end(_: &mut Core<Self>, _: &Program, _: u32, _: &Value) {}

    /// Reports the value of all nodes that began with the current number of frames: that of the running function.
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

    /// Reports that the `try` of a node takes over: the frames above it are gone.
    #[inline(always)]
    fn unwound(_: &mut Core<Self>, _: &Program, _: u32) {}

    /// Reports that the running branch has ended.
    #[inline(always)]
    fn branch_over(_: &mut Core<Self>) {}
}

impl Tracer for () {
    const ON: bool = false;
}
