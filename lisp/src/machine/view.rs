//! What somebody who looks at a machine sees of it.

use std::sync::Arc;

use super::task::Task;
use super::{Caller, Core, Frame, Tracer};
use crate::ir::{Lambda, Program};
use crate::session::Seen;
use crate::value::Value;

/// A function that has been called and is not over.
pub(crate) struct Level<'c> {
    task: &'c Task,
    pub(crate) program: &'c Arc<Program>,
    base: usize,
    pub(crate) waits: Waits,
}

/// What a function waits for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Waits {
    /// For nothing: it is the innermost one.
    Runs,
    /// For a function that a builtin calls without a frame.
    Directly,
    /// For a function that was called when there were so many frames.
    Under(usize),
    /// For a branch.
    ForBranch,
}

impl<W: Tracer> Core<W> {
    /// The functions that are running, innermost first. `direct` is the function that calls the
    /// innermost one without a frame, if that is how it was called.
    pub(crate) fn levels<'c>(
        &'c self,
        mut direct: Option<(&'c Arc<Program>, usize)>,
        visit: &mut impl FnMut(Level<'c>),
    ) {
        let mut waits = Waits::Runs;
        for task in self.line() {
            let (mut program, mut base) = (&task.program, task.base);
            // A branch begins in what stands for the function that it branched off from.
            let is_stub = |base: usize| task.is_branch() && base == 1;
            if !is_stub(base) {
                visit(Level { task, program, base, waits });
            }
            if let Some(caller) = direct.take() {
                (program, base) = caller;
                visit(Level { task, program, base, waits: Waits::Directly });
            }
            let mut callers = task.callers.iter().rev();
            for (height, frame) in task.frames.iter().enumerate().rev() {
                let Frame::Return { base: caller_base, to, .. } = *frame else { continue };
                if to == Caller::Elsewhere {
                    let Some(caller) = callers.next() else { break };
                    program = caller;
                }
                base = caller_base as usize;
                if !is_stub(base) {
                    visit(Level { task, program, base, waits: Waits::Under(height) });
                }
            }
            waits = Waits::ForBranch;
        }
    }

    /// How many frames the running task has.
    pub(crate) fn height(&self) -> usize {
        self.task.frames.len()
    }

    /// How many frames it had when the function that runs in it was called; none in a function that
    /// nobody called.
    pub(crate) fn called_at(&self) -> Option<usize> {
        self.task.frames.iter().rposition(|frame| matches!(frame, Frame::Return { .. }))
    }

    /// The number of the task that runs.
    pub(crate) fn task(&self) -> u64 {
        self.task.id
    }

    /// The number of the task that it branched off from.
    pub(crate) fn parent(&self) -> Option<u64> {
        self.task.origin.map(|origin| origin.task)
    }

    /// Fuel that was used up to now.
    pub(crate) fn fuel(&self) -> u64 {
        self.fuel_used + self.cx.fuel_taken()
    }

    /// Tool calls that were made up to now.
    pub(crate) fn calls(&self) -> u32 {
        self.calls_made
    }

    /// Lines that were printed up to now.
    pub(crate) fn prints(&self) -> Vec<String> {
        self.joined().prints.into_lines()
    }

    /// A problem with its place, as if nobody caught it.
    pub(crate) fn placed(&self, problem: &crate::Diagnostic) -> crate::Diagnostic {
        self.locate(problem.clone())
    }

    /// What an expression may see.
    pub(crate) fn seen(&self) -> Seen {
        let defined = self.global_names.iter().zip(&self.globals);
        Seen {
            ctx: self.ctx.clone(),
            input: self.input.clone(),
            memory: self.cx.own.memory.clone(),
            globals: defined.map(|(name, value)| (name.clone(), value.clone())).collect(),
            history: self.history.clone(),
            tools: self.cx.tools.clone(),
            budget: self.cx.budget.clone(),
            limits: self.cx.limits.clone(),
            random: self.cx.own.random,
            lazy_aware: self.cx.lazy_aware,
        }
    }
}

impl<'c> Level<'c> {
    /// The function, and its number in its program.
    pub(crate) fn function(&self) -> Option<(u32, &'c Lambda)> {
        let number = self.task.number(self.base)?;
        Some((number, self.program.lambdas.get(number as usize)?))
    }

    /// The task that it runs in.
    pub(crate) fn task(&self) -> u64 {
        self.task.id
    }

    /// What stands in one of its slots.
    pub(crate) fn slot(&self, slot: u32) -> Option<&'c Value> {
        self.task.stack.get(self.base + slot as usize)
    }

    /// What it closed over.
    pub(crate) fn capture(&self, index: u32) -> Option<&'c Value> {
        match self.task.stack.get(self.base.wrapping_sub(1))? {
            Value::Function(closure) => closure.captures.get(index as usize),
            _ => None,
        }
    }
}
