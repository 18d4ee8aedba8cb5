//! Somebody who looks at what the machine does: a debugger.
//!
//! The machine is compiled once for nobody, `()`, in which nothing of this is left, and once for a
//! debugger. Both walk the same nodes with the same frames, and pay the same fuel; only the short ways
//! that make no value are not taken when somebody looks, since there would be nothing to see.

#![expect(clippy::inline_always, reason = "nothing of it is left when nobody looks")]

use std::sync::Arc;

use super::cx::Res;
use super::{Core, ToolCall};
use crate::diagnostic::Diagnostic;
use crate::ir::Program;
use crate::value::Value;

/// What the machine tells somebody who looks at it. An error stops the machine.
pub(crate) trait Tracer: Sized {
    /// Whether anybody looks.
    const ON: bool;

    /// Whether values stay in the slots that they are moved out of when they are read last.
    #[inline(always)]
    fn keeps(&self) -> bool {
        false
    }

    /// A node is about to be evaluated; says whether it is one that [`Tracer::end`] should be told of,
    /// if it is evaluated directly.
    #[inline(always)]
    fn begin(_: &mut Core<Self>, _: &Program, _: u32) -> Res<bool> {
        Ok(false)
    }

    /// What the innermost node came to that began: it was evaluated directly.
    #[inline(always)]
    fn end(_: &mut Core<Self>, _: &Res) {}

    /// The value of all nodes that began with as many frames as there are now.
    #[inline(always)]
    fn value(_: &mut Core<Self>, _: &Value) {}

    /// A `recur` goes back to its loop or function.
    #[inline(always)]
    fn again(_: &mut Core<Self>, _: &Program, _: u32) {}

    /// A tool is about to be called.
    #[inline(always)]
    fn asks(_: &mut Core<Self>, _: &ToolCall) -> Res<()> {
        Ok(())
    }

    /// A problem is raised, or on its way up.
    #[inline(always)]
    fn raised(_: &mut Core<Self>, _: &Diagnostic) -> Res<()> {
        Ok(())
    }

    /// A `try` takes over: frames above it are gone.
    #[inline(always)]
    fn unwound(_: &mut Core<Self>) {}

    /// The running branch is over.
    #[inline(always)]
    fn branch_over(_: &mut Core<Self>) {}

    /// A builtin calls a function without a frame, from the function of `running` whose slots start
    /// there; none when that is over.
    #[inline(always)]
    fn calls_directly(&mut self, _: &Arc<Program>, _: Option<usize>) {}
}

impl Tracer for () {
    const ON: bool = false;
}
