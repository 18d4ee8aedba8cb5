//! The parked tasks, and the calls that they wait for.

use std::collections::{BTreeMap, VecDeque};

use arcstr::ArcStr;

use super::codes::Frame;
use super::cx::Cx;
use super::failure::ToolFailure;
use super::task::Task;
use super::tool_call::{AnswerEffects, CallId};
use ptc_values::Value;

/// The bytes of a branch besides its values.
pub(super) const TASK_BYTES: u64 = 512;

/// The parked tasks, and the calls they wait for.
#[derive(Default)]
pub(super) struct Branches {
    pub(super) parked: BTreeMap<u64, Box<Task>>,
    /// The number of branches started so far.
    pub(super) started: u64,
    /// Tasks that have branches to start, innermost last.
    pub(super) starting: Vec<u64>,
    /// The call that the main task waits for; then no branch waits for one.
    pub(super) call: Option<(CallId, Call)>,
    /// The calls that branches wait for.
    pub(super) calls: BTreeMap<CallId, Call>,
    /// Answered calls whose tasks have not continued yet, in the order of the answers.
    pub(super) answered: VecDeque<(Call, Result<Value, ToolFailure>)>,
    /// An ended task whose stacks the next one reuses.
    pub(super) spare: Option<Box<Task>>,
}

pub(super) struct Call {
    pub(super) task: u64,
    pub(super) tool: ArcStr,
    /// The effects of its answer, with its id.
    pub(super) effects: Option<Box<(CallId, AnswerEffects)>>,
}

/// The reason a task continues.
pub(super) enum Wake {
    /// It has branches to start.
    Fork,
    Answer(Call, Result<Value, ToolFailure>),
    /// The delay that it waits for may be computed.
    Retry,
    /// No task is left to compute the delay that it waits for.
    Stuck,
}

impl Branches {
    /// Resumes the task that waits for a call.
    pub(super) fn answer(
        &mut self,
        id: &CallId,
        outcome: Result<Value, ToolFailure>,
        effects: AnswerEffects,
    ) {
        let own = self.call.take_if(|(own, _)| own == id).map(|(_, call)| call);
        let Some(mut call) = own.or_else(|| self.calls.remove(id)) else { return };
        if effects.exits_loop || !effects.payload.is_empty() {
            call.effects = Some(Box::new((id.clone(), effects)));
        }
        self.answered.push_back((call, outcome));
    }

    pub(super) fn into_in_flight(self) -> impl Iterator<Item = CallId> {
        self.call.into_iter().map(|(id, _)| id).chain(self.calls.into_keys())
    }

    /// Returns whether the running task is the only one.
    pub(super) fn is_alone(&self) -> bool {
        self.parked.is_empty()
    }

    /// Visits every value of parked tasks; returns the bytes that they take besides.
    pub(super) fn each_value(&self, visit: &mut impl FnMut(&Value)) -> u64 {
        let mut bytes = 0;
        for task in self.parked.values() {
            bytes += TASK_BYTES + (task.frames.len() * size_of::<Frame>()) as u64;
            bytes += task.each_value(visit);
        }
        self.answered.iter().filter_map(|(_, answer)| answer.as_ref().ok()).for_each(visit);
        bytes
    }

    /// Returns whether anything ever had to be waited for.
    pub(super) fn are_used(&self) -> bool {
        self.started > 0 || !self.are_idle()
    }

    /// Returns whether no task waits for anything but a value that another task computes.
    pub(super) fn are_idle(&self) -> bool {
        self.call.is_none()
            && self.calls.is_empty()
            && self.parked.is_empty()
            && self.starting.is_empty()
            && self.answered.is_empty()
    }

    /// Returns the next task that can continue.
    pub(super) fn next(&mut self, cx: &mut Cx) -> Option<(u64, Wake)> {
        if let Some(task) = self.starting.last() {
            return Some((*task, Wake::Fork));
        }
        if let Some(task) = cx.waiting.next() {
            return Some((task, Wake::Retry));
        }
        if let Some((call, answer)) = self.answered.pop_front() {
            return Some((call.task, Wake::Answer(call, answer)));
        }
        // While a call is in flight, the task that waits for it may compute the value.
        let is_stuck = self.call.is_none() && self.calls.is_empty();
        let stuck = if is_stuck { cx.waiting.stuck() } else { None };
        stuck.map(|task| (task, Wake::Stuck))
    }

    /// Gives up branches and their own branches.
    pub(super) fn cancel(&mut self, cx: &mut Cx, branches: BTreeMap<u32, u64>) {
        let mut work: Vec<u64> = branches.into_values().collect();
        while let Some(id) = work.pop() {
            let Some(task) = self.parked.remove(&id) else { continue };
            cx.give_up(task.callbacks.iter().map(|it| &it.state));
            work.extend(task.fork.into_iter().flat_map(|fork| fork.open.into_values()));
        }
    }
}

// The following is kept out of the loop of the machine, which runs programs without branches too.
