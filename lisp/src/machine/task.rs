//! One line of evaluation: its stacks and where it stands.

use std::sync::Arc;

use super::branch::{Fork, Origin};
use super::closure::plain_number;
use super::own::Own;
use super::{CallbackState, Frame, Mode};
use crate::diagnostic::Diagnostic;
use crate::ir::{Lambda, Program};
use crate::value::Value;

/// One line of evaluation.
pub(super) struct Task {
    /// The program of the running function.
    pub(super) program: Arc<Program>,
    /// Programs to go back to, innermost last: those of callers of functions of another one.
    pub(super) callers: Vec<Arc<Program>>,
    /// Slots of all frames, and values in between.
    pub(super) stack: Vec<Value>,
    pub(super) frames: Vec<Frame>,
    /// Builtins that call back, innermost last.
    pub(super) hofs: Vec<CallbackState>,
    /// Where the slots of the running function start. Below them stands the function itself, or the
    /// number of its lambda when its body needs no more.
    pub(super) base: usize,
    pub(super) depth: u32,
    pub(super) mode: Mode,
    /// The node that errors point at.
    pub(super) at: u32,
    /// Problems that wait for a `finally`, innermost last.
    pub(super) raised: Vec<Diagnostic>,
    /// Its number; the program's own line is 0.
    pub(super) id: u64,
    /// Where it branched off; none for the program's own line.
    pub(super) origin: Option<Origin>,
    /// Branches that it waits for.
    pub(super) fork: Option<Box<Fork>>,
    /// What it has of its own, while another task runs.
    pub(super) own: Option<Own>,
    /// How many tool calls and forks it has made, which is the next number in an id.
    pub(super) made: u32,
}

impl Task {
    /// The program's own line, about to call its main function.
    pub(super) fn main(program: Arc<Program>, stack: Vec<Value>, mode: Mode) -> Task {
        Task { stack, base: 1, mode, at: u32::MAX, ..Task::of(program) }
    }

    pub(super) fn of(program: Arc<Program>) -> Task {
        Task {
            program,
            callers: Vec::new(),
            stack: Vec::new(),
            frames: Vec::new(),
            hofs: Vec::new(),
            base: 0,
            depth: 0,
            mode: Mode::Over,
            at: 0,
            raised: Vec::new(),
            id: 0,
            origin: None,
            fork: None,
            own: None,
            made: 0,
        }
    }

    /// The function whose slots start at `base`, in its program.
    pub(super) fn lambda<'p>(&self, program: &'p Program, base: usize) -> Option<&'p Lambda> {
        program.lambdas.get(self.number(base)? as usize)
    }

    /// The number of that function in its program.
    pub(super) fn number(&self, base: usize) -> Option<u32> {
        match self.stack.get(base.wrapping_sub(1)) {
            Some(Value::Function(closure)) => Some(closure.lambda),
            Some(Value::Int(number)) => plain_number(*number),
            _ => None,
        }
    }

    /// The same for the running function, if its number is all that stands below its slots.
    #[inline]
    pub(super) fn plain(&self) -> Option<u32> {
        match self.stack.get(self.base.wrapping_sub(1)) {
            Some(Value::Int(number)) => plain_number(*number),
            _ => None,
        }
    }

    /// Drops the values above a height.
    #[inline]
    pub(super) fn drop_above(&mut self, height: usize) {
        while self.stack.len() > height {
            if let Some(value) = self.stack.pop() {
                value.done();
            }
        }
    }

    #[inline]
    pub(super) fn is_branch(&self) -> bool {
        self.origin.is_some()
    }

    /// Every value it holds; gives the bytes that its branches take besides.
    pub(super) fn each_value(&self, visit: &mut impl FnMut(&Value)) -> u64 {
        self.stack.iter().for_each(&mut *visit);
        for hof in &self.hofs {
            hof.each_value(visit);
        }
        if let Mode::Value(value) = &self.mode {
            visit(value);
        }
        let own = self.own.as_ref().map_or(0, |own| own.each_value(visit));
        own + self.fork.as_ref().map_or(0, |fork| fork.each_value(visit))
    }

    /// A task without anything, with the room that this one had.
    pub(super) fn emptied(mut self) -> Task {
        self.callers.clear();
        self.stack.clear();
        self.frames.clear();
        self.hofs.clear();
        self.raised.clear();
        let Task { program, callers, stack, frames, hofs, raised, .. } = self;
        Task { callers, stack, frames, hofs, raised, ..Task::of(program) }
    }
}
