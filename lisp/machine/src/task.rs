//! A task: one line of evaluation, with its stacks and its position.

use super::action::Action;
use super::callback::CallbackState;
use super::codes::Frame;
use super::cx::Cx;
use super::fork::{Fork, Origin};
use super::own::Own;
use super::request::CallsBack;
use super::slots::Stack;
use crate::ops::WINDOW;
use ptc_values::{Diagnostic, Value};

/// A builtin that calls back.
pub(super) struct Working {
    pub(super) state: CallbackState,
    /// Whether another one called it. Its value goes to that one.
    pub(super) is_nested: bool,
}

/// The work on a call after a pause.
pub(super) enum Later {
    /// The callee and this number of arguments are in their places.
    Call(usize),
    /// The callee and its arguments.
    CallOf(Vec<Value>),
    /// The same for a call that the innermost builtin makes.
    Item(usize),
    ItemOf(Vec<Value>),
    /// The innermost builtin takes the result of a call.
    Got(Value),
    /// The innermost builtin goes on.
    Step,
}

/// The place of a value that a task waits for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Dest {
    Slot(u8),
    /// The innermost builtin, whose calls begin at one slot and whose value goes to another.
    Builtin {
        first: u8,
        to: u8,
    },
    /// It is the value of the task.
    End,
}

/// One line of evaluation.
pub(super) struct Task {
    /// The slots of all frames. Each frame has [`WINDOW`] slots, which overlap.
    pub(super) stack: Stack,
    /// The callers that wait, innermost last.
    pub(super) frames: Vec<Frame>,
    /// Builtins that call back, innermost last.
    pub(super) callbacks: Vec<Working>,
    /// The code of the running function, its next operation, and the start of its slots. The first of them holds the
    /// function itself if the code needs it.
    pub(super) entry: u32,
    pub(super) pc: u32,
    pub(super) base: u32,
    /// The number of calls around the task.
    pub(super) depth: u32,
    /// The call to go on with, the slot where it begins, and that of its value.
    pub(super) later: Option<(u8, u8, Later)>,
    pub(super) dest: Dest,
    pub(super) action: Action,
    /// An entry for each `finally` that runs: the problem that waits for it, if one does.
    pub(super) raised: Vec<Option<Diagnostic>>,
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
    /// Makes a task that is about to run code.
    pub(super) fn of(entry: u32, action: Action) -> Task {
        Task {
            stack: Stack::default(),
            frames: Vec::new(),
            callbacks: Vec::new(),
            entry,
            pc: 0,
            base: 0,
            depth: 0,
            later: None,
            dest: Dest::End,
            action,
            raised: Vec::new(),
            id: 0,
            origin: None,
            fork: None,
            own: None,
            made: 0,
        }
    }

    /// Returns the number of calls around the running function.
    pub(super) fn calls(&self) -> u32 {
        self.depth + self.frames.len() as u32
    }

    /// Returns a slot of the running function.
    pub(super) fn slot(&mut self, slot: u8) -> Option<&mut Value> {
        self.stack.get_mut(self.base as usize + usize::from(slot))
    }

    /// Gives back the slots that no frame uses, before the task waits. `slots` is the number that the running function uses.
    pub(super) fn shrink(&mut self, slots: usize) {
        let used = self.base as usize + slots;
        if self.stack.len() > used {
            self.stack.truncate(used);
            self.stack.shrink_to(used);
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
        for working in &self.callbacks {
            working.state.each_value(visit);
        }
        match &self.later {
            Some((.., Later::Got(value))) => visit(value),
            Some((.., Later::CallOf(values) | Later::ItemOf(values))) => {
                values.iter().for_each(&mut *visit);
            }
            _ => {}
        }
        if let Action::Value(value) = &self.action {
            visit(value);
        }
        let own = self.own.as_ref().map_or(0, |own| own.each_value(visit));
        own + self.fork.as_ref().map_or(0, |fork| fork.each_value(visit))
    }

    /// Returns an empty task that reuses the allocations of this one.
    pub(super) fn emptied(mut self) -> Task {
        self.stack.truncate(WINDOW);
        super::slots::empty(&mut self.stack);
        self.frames.clear();
        self.callbacks.clear();
        self.raised.clear();
        let Task { stack, frames, callbacks, raised, .. } = self;
        Task { stack, frames, callbacks, raised, ..Task::of(0, Action::Over) }
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
