//! A task: one line of evaluation, with its stacks and its position.

use std::sync::Arc;

use super::cx::Cx;
use super::fork::{Fork, Origin};
use super::own::Own;
use super::plain::plain_number;
use super::{CallbackState, Frame, Mode};
use ptc_values::ir::{Lambda, Program};
use ptc_values::{Diagnostic, Value};

/// One line of evaluation.
pub(super) struct Task {
    /// The program of the running function.
    pub(super) program: Arc<Program>,
    /// The programs of callers in other programs, innermost last.
    pub(super) callers: Vec<Arc<Program>>,
    /// The slots of all frames, and the values between them.
    pub(super) stack: Vec<Value>,
    pub(super) frames: Vec<Frame>,
    /// Builtins that call back, innermost last.
    pub(super) callbacks: Vec<CallbackState>,
    /// The start of the running function's slots. Below them is the function itself, or the number
    /// of its lambda if its body needs only that.
    pub(super) base: usize,
    pub(super) depth: u32,
    pub(super) mode: Mode,
    /// The node of errors.
    pub(super) at: u32,
    /// Problems that wait for a `finally`, innermost last.
    pub(super) raised: Vec<Diagnostic>,
    /// Its number; 0 for the main task.
    pub(super) id: u64,
    /// Its origin; none for the main task.
    pub(super) origin: Option<Origin>,
    /// Branches that it waits for.
    pub(super) fork: Option<Box<Fork>>,
    /// Its private state, while another task runs.
    pub(super) own: Option<Own>,
    /// The number of its tool calls and forks, which is the next number in an id.
    pub(super) made: u32,
}

impl Task {
    /// Makes the main task, about to call the main function of a program.
    pub(super) fn main(program: Arc<Program>, stack: Vec<Value>, mode: Mode) -> Task {
        Task { stack, base: 1, mode, at: u32::MAX, ..Task::of(program) }
    }

    pub(super) fn of(program: Arc<Program>) -> Task {
        Task {
            program,
            callers: Vec::new(),
            stack: Vec::new(),
            frames: Vec::new(),
            callbacks: Vec::new(),
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

    /// Returns the function whose slots start at `base`, in its program.
    pub(super) fn lambda<'p>(&self, program: &'p Program, base: usize) -> Option<&'p Lambda> {
        program.lambdas.get(self.number(base)? as usize)
    }

    /// Returns the number of that function in its program.
    pub(super) fn number(&self, base: usize) -> Option<u32> {
        match self.stack.get(base.wrapping_sub(1)) {
            Some(Value::Function(closure)) => Some(closure.lambda),
            Some(Value::Int(number)) => plain_number(*number),
            _ => None,
        }
    }

    /// Returns the number of the running function if only the number is below its slots.
    #[inline]
    pub(super) fn plain(&self) -> Option<u32> {
        match self.stack.get(self.base.wrapping_sub(1)) {
            Some(Value::Int(number)) => plain_number(*number),
            _ => None,
        }
    }

    /// Stores a value in a slot of the running function.
    #[inline]
    pub(super) fn bind(&mut self, slot: u32, value: Value) {
        let slot = self.base + slot as usize;
        std::mem::replace(&mut self.stack[slot], value).done();
    }

    #[inline]
    pub(super) fn drop_above(&mut self, height: usize) {
        while self.stack.len() > height {
            if let Some(value) = self.stack.pop() {
                value.done();
            }
        }
    }

    /// Returns the number of the next tool call or fork.
    #[inline]
    pub(super) fn next_number(&mut self) -> u32 {
        self.made += 1;
        self.made - 1
    }

    #[inline]
    pub(super) fn is_branch(&self) -> bool {
        self.origin.is_some()
    }

    /// Visits every value it holds; returns the bytes that its branches take besides.
    pub(super) fn each_value(&self, visit: &mut impl FnMut(&Value)) -> u64 {
        self.stack.iter().for_each(&mut *visit);
        for state in &self.callbacks {
            state.each_value(visit);
        }
        if let Mode::Value(value) = &self.mode {
            visit(value);
        }
        let own = self.own.as_ref().map_or(0, |own| own.each_value(visit));
        own + self.fork.as_ref().map_or(0, |fork| fork.each_value(visit))
    }

    /// Returns an empty task that reuses the allocations of this one.
    pub(super) fn emptied(mut self) -> Task {
        self.callers.clear();
        self.stack.clear();
        self.frames.clear();
        self.callbacks.clear();
        self.raised.clear();
        let Task { program, callers, stack, frames, callbacks, raised, .. } = self;
        Task { callers, stack, frames, callbacks, raised, ..Task::of(program) }
    }
}

impl Cx {
    /// Gives up builtins and the values they compute.
    pub(super) fn give_up<'h>(&mut self, callbacks: impl IntoIterator<Item = &'h CallbackState>) {
        if self.waiting.any() {
            callbacks.into_iter().for_each(|state| state.computes(&mut |of| self.waiting.wake(of)));
        }
    }
}
