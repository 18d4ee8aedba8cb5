//! Tasks: the main task, and the branches that `pmap` and its relatives start.
//!
//! A branch runs until it ends or waits for a tool; then the next one runs. When no task can run,
//! the new calls are handed out. A branch continues as soon as its own call is answered. All
//! runnable tasks run before the next answer takes effect.
//!
//! Values, prints, fuel and the ids of calls do not depend on the order of answers. Branches share
//! only atoms, definitions, and delays and lazy sequences that are not computed yet. Each has the
//! rest of its own ([`super::own`]). An error in a branch, and the end of the program, waits until
//! all earlier branches have ended. It gives up the later ones.

use std::collections::BTreeMap;
use std::sync::Arc;

use arcstr::ArcStr;

use super::action::Action;
use super::branches::{Call, TASK_BYTES, Wake};
use super::cx::Cx;
use super::driver::Host;
use super::failure::ToolFailure;
use super::fork::{Exit, Fork, Origin};
use super::machine_core::Core;
use super::outcome::Outcome;
use super::own::Own;
use super::problems::circular;
use super::problems::invariant_violated;
use super::task::Later;
use super::task::Task;
use super::tool_call::{AnswerEffects, CallId, ToolCall};
use super::tracer::Tracer;
use ptc_values::code::Code;
use ptc_values::{Diagnostic, Map, Res, Value};

impl<W: Tracer> Core<W> {
    /// Returns the running task and its ancestors, innermost first.
    pub(super) fn lineage(&self) -> impl Iterator<Item = &Task> {
        std::iter::successors(Some(&self.task), |task| {
            let origin = task.origin?;
            self.branches.parked.get(&origin.task).map(|task| &**task)
        })
    }

    /// Returns the numbers of the forks and branches that the running task is in.
    fn path(&self) -> Vec<u32> {
        let mut path = Vec::new();
        for origin in self.lineage().filter_map(|task| task.origin) {
            path.extend([origin.place, origin.fork]);
        }
        path.reverse();
        path
    }

    /// Returns the id of the next call.
    #[inline]
    pub(super) fn next_call_id(&mut self) -> Res<CallId> {
        let path = if self.task.is_branch() { self.path() } else { Vec::new() };
        self.cx.alloc((path.len() as u64 + 1) * 4)?;
        Ok(CallId { path, number: self.task.next_number() })
    }

    /// Makes the running task wait for a call.
    fn await_answer(&mut self, call: ToolCall) {
        let (id, tool) = (call.id.clone(), call.name.clone());
        let waiting = Call { task: self.task.id, tool, effects: None };
        if self.branches.are_idle() {
            // Thousands of machines may wait for one call each, so reserve room for just one.
            self.pending.reserve_exact(1);
        }
        if self.task.is_branch() {
            self.branches.calls.insert(id, waiting);
        } else {
            self.branches.call = Some((id, waiting));
        }
        self.pending.push(call);
    }

    /// Takes the new calls.
    pub(super) fn hand_out(&mut self) -> Vec<ToolCall> {
        self.offered = 0;
        std::mem::take(&mut self.pending)
    }

    /// Offers the new call of the running task to the host if nothing else waits. Returns the next
    /// action if the host answers; otherwise the task waits.
    #[inline(never)]
    pub(super) fn answered(&mut self, host: &mut Host<'_>) -> Option<Action> {
        if !self.asked {
            return None;
        }
        let mut answer = Value::Nil;
        match self.answered_here(host, &mut answer) {
            None => Some(Action::Value(answer)),
            Some(Action::Waiting) => None,
            action => action,
        }
    }

    /// Offers the new call of the running task to the host as [`Core::answered`] does. Returns none if the host answers
    /// with a value, which is stored in `answer`; otherwise the next action.
    #[inline(always)]
    #[expect(clippy::inline_always, reason = "it is a third of a call")]
    pub(super) fn answered_here(
        &mut self,
        host: &mut Host<'_>,
        answer: &mut Value,
    ) -> Option<Action> {
        self.asked = false;
        let Some(call) = self.call.as_mut() else { return Some(Action::Waiting) };
        let is_alone = self.branches.are_idle();
        if is_alone {
            // An answer is large, so it is not moved as a whole.
            match host(call) {
                Some(Ok(value)) => {
                    std::mem::replace(answer, value).done();
                    call.drop_args();
                    self.cx.note_answer(&call.name, self.signed, answer);
                    return None;
                }
                Some(Err(failure)) => {
                    call.drop_args();
                    self.cx.charge(super::live::size(&failure.data));
                    return Some(Action::Raise(failure.into_diagnostic(&call.name)));
                }
                None => {}
            }
        }
        self.await_new(is_alone);
        Some(Action::Waiting)
    }

    /// Makes the running task wait for its new call; `is_alone` tells that the host was offered it.
    #[inline(never)]
    fn await_new(&mut self, is_alone: bool) {
        let Some(call) = self.call.take() else { return };
        self.await_answer(call);
        if is_alone {
            self.offered = self.pending.len();
        }
    }

    /// Returns the action with which a task continues after an answer.
    fn mode_after(&mut self, call: Call, answer: Result<Value, ToolFailure>) -> Action {
        let Call { tool, effects, .. } = call;
        if let Some((id, effects)) = effects.map(|effects| *effects) {
            if effects.exits_loop {
                self.cx.own.flow.exit();
            }
            if !effects.payload.is_empty()
                && let Err(problem) = self.cx.adopt_payload(id, effects.payload)
            {
                return Action::Raise(problem);
            }
        }
        match answer {
            Ok(value) => {
                self.cx.note_answer(&tool, self.cx.signed(&tool), &value);
                Action::Value(value)
            }
            Err(failure) => {
                self.cx.charge(super::live::size(&failure.data));
                Action::Raise(failure.into_diagnostic(&tool))
            }
        }
    }

    /// Returns whether the host answers one of the new calls at once, so that a task can continue.
    #[inline(never)]
    pub(super) fn any_answered(&mut self, host: &mut Host<'_>) -> bool {
        let mut calls = std::mem::take(&mut self.pending);
        let new = calls.split_off(self.offered.min(calls.len()));
        for call in new {
            match host(&call) {
                Some(outcome) => self.branches.answer(&call.id, outcome, AnswerEffects::default()),
                None => calls.push(call),
            }
        }
        self.offered = calls.len();
        self.pending = calls;
        !self.branches.answered.is_empty()
    }

    /// Makes the running task start branches.
    pub(super) fn fork(&mut self, mut fork: Fork) -> Action {
        fork.number = self.task.next_number();
        fork.beginning = Some(self.cx.own.at_fork(fork.text.is_some()));
        self.task.fork = Some(Box::new(fork));
        self.branches.starting.push(self.task.id);
        Action::Fork
    }

    /// Starts the next branch of the running task; continues the task when all have ended.
    #[inline(never)]
    pub(super) fn step_fork(&mut self) -> Res<Action> {
        let fork = self.task.fork.as_mut().ok_or_else(invariant_violated)?;
        // A fork with room for one more branch starts it when one of its branches ends.
        let is_full = fork.open.len() >= fork.at_once;
        let next = if is_full { None } else { fork.next(&mut self.cx)? };
        if let Some((place, call)) = next {
            return self.branch_off(place, call);
        }
        if self.branches.starting.last() == Some(&self.task.id) {
            self.branches.starting.pop();
        }
        if !fork.open.is_empty() {
            fork.waited = true;
            return Ok(Action::Waiting);
        }
        let mut fork = self.task.fork.take().ok_or_else(invariant_violated)?;
        if fork.waited {
            // The cached indexes depend on which branch ran last.
            self.cx.positions.clear();
        }
        let has_problem = matches!(fork.exit, Some(Exit::Problem(_)));
        self.join_fork_payloads(std::mem::take(&mut fork.payloads), has_problem)?;
        match &fork.conflict {
            // A branch that failed is the first problem, and its fork keeps nothing that conflicts.
            Some(key) if !has_problem => return Err(memory_conflict(key)),
            Some(_) => {}
            None => fork.puts.iter().for_each(|(key, value)| {
                self.cx.own.put(key.clone(), value.clone());
            }),
        }
        match (fork.exit, fork.text) {
            (Some(Exit::Problem(problem)), _) => Err(problem),
            (Some(Exit::End(outcome)), _) => self.leave_program(outcome),
            (None, Some(text)) => self.cx.string(text).map(Action::Value),
            (None, None) => self.cx.list(fork.results).map(Action::Value),
        }
    }

    /// Ends the program; in a branch, after the earlier branches have ended.
    pub(super) fn leave_program(&mut self, outcome: Outcome) -> Res<Action> {
        if self.task.is_branch() {
            return self.join(Err(Exit::End(outcome)));
        }
        // An error inside the language's own functions belongs to no form of the program.
        self.left_at = self.codes.list.get(self.task.entry as usize).and_then(|entry| {
            let node = entry.node(self.task.pc);
            let is_own = !entry.program.builtin && node != u32::MAX;
            is_own.then(|| (entry.program.clone(), node))
        });
        self.end(outcome);
        Ok(Action::Over)
    }

    /// Makes a task that calls a function, and switches to it. The function is the first of the values, its arguments follow.
    fn branch_off(&mut self, place: u32, call: Vec<Value>) -> Res<Action> {
        let fork = self.task.fork.as_ref().ok_or_else(invariant_violated)?;
        let own = fork.own(place)?;
        if self.task.calls() >= self.cx.limits.call_depth {
            let problem = self.locate(self.cx.too_deep());
            return self.branch_over(place, own, Err(Exit::of(problem)?));
        }
        self.cx.alloc(TASK_BYTES)?;
        self.branches.started += 1;
        let id = self.branches.started;
        let fork = self.task.fork.as_mut().ok_or_else(invariant_violated)?;
        fork.open.insert(place, id);
        let origin = Origin { task: self.task.id, fork: fork.number, place };
        // The branch starts in a stub of the node that started it, so that its errors have a position.
        let codes = Arc::get_mut(&mut self.codes).ok_or_else(invariant_violated)?;
        let stub = codes.stub(self.task.entry, self.task.pc)?;
        let mut branch = match self.branches.spare.take() {
            Some(spare) => spare,
            None => Box::new(Task::of(stub, Action::Over)),
        };
        (branch.entry, branch.pc, branch.base) = (stub, 1, 0);
        branch.depth = self.task.calls() + 1;
        branch.later = Some((0, 0, Later::CallOf(call)));
        branch.id = id;
        branch.origin = Some(origin);
        self.give_back_slots();
        self.task.own = Some(std::mem::replace(&mut self.cx.own, own));
        std::mem::swap(&mut self.task, &mut branch);
        branch.action = Action::Fork;
        self.branches.parked.insert(origin.task, branch);
        Ok(Action::Go)
    }

    /// Ends the running branch and returns to its parent task.
    #[inline(never)]
    pub(super) fn join(&mut self, result: Result<Value, Exit>) -> Res<Action> {
        let origin = self.task.origin.ok_or_else(invariant_violated)?;
        W::branch_over(self);
        self.abandon_fork();
        self.cx.give_up(self.task.callbacks.iter().map(|it| &it.state));
        let mut task = self.branches.parked.remove(&origin.task).ok_or_else(invariant_violated)?;
        std::mem::swap(&mut self.task, &mut task);
        let own = self.task.own.take().ok_or_else(invariant_violated)?;
        let own = std::mem::replace(&mut self.cx.own, own);
        *task = task.emptied();
        self.branches.spare = Some(task);
        self.branch_over(origin.place, own, result)
    }

    /// Records the result, prints and memory of an ended branch of the running task.
    fn branch_over(
        &mut self,
        place: u32,
        mut own: Own,
        result: Result<Value, Exit>,
    ) -> Res<Action> {
        let fork = self.task.fork.as_mut().ok_or_else(invariant_violated)?;
        fork.open.remove(&place);
        self.cx.own.flow.join(&own.flow);
        if let Some(text) = &mut fork.text {
            *text = std::mem::take(&mut own.prints).into_text();
        }
        if let Some(payload) = own.changed_payload() {
            fork.payloads.insert(place, payload);
        }
        if !own.is_untouched() {
            fork.apart.insert(place, own);
        }
        match result {
            Ok(value) => {
                if let Some(slot) = fork.results.get_mut(place as usize) {
                    *slot = value;
                }
            }
            // Earlier branches continue: one of them may fail too, and then it is the first.
            Err(exit) => {
                fork.exit = Some(exit);
                fork.inputs.clear();
                fork.apart.split_off(&(place + 1));
                fork.payloads.split_off(&(place + 1));
                self.give_up_from(place);
            }
        }
        let Some(fork) = self.task.fork.as_mut() else { return Ok(Action::Fork) };
        while let Some(first) = fork.apart.first_entry()
            && fork.open.first_key_value().is_none_or(|(open, _)| first.key() < open)
        {
            self.cx.spend(first.get().weight())?;
            let own = first.remove();
            for (key, value) in own.puts() {
                let is_other = match fork.puts.get(key) {
                    Some(known) => !self.cx.equal(known, value)?,
                    None => false,
                };
                if is_other {
                    fork.conflict.get_or_insert_with(|| key.clone());
                }
                fork.puts.insert((key.clone(), value.clone()));
            }
            self.cx.own.take_in(own, &self.cx.limits);
        }
        Ok(Action::Fork)
    }

    /// Gives up the branches of the running task from a place on, and their calls.
    fn give_up_from(&mut self, place: u32) {
        let Some(fork) = self.task.fork.as_mut() else { return };
        let behind = fork.open.split_off(&place);
        if behind.is_empty() {
            return;
        }
        let number = fork.number;
        self.branches.cancel(&mut self.cx, behind);
        // The ids of their calls begin with the path of the running task, the fork and their place.
        let path = self.path();
        let end = CallId { path: path.clone(), number: number + 1 };
        let first = CallId { path: [path, vec![number]].concat(), number: place };
        let calls = self.branches.calls.range(first..end).map(|(id, _)| id.clone());
        for id in calls.collect::<Vec<_>>() {
            self.branches.calls.remove(&id);
            match self.pending.iter().position(|call| call.id == id) {
                Some(at) => {
                    // A call that was not handed out does not count.
                    let call = self.pending.remove(at);
                    self.offered -= usize::from(at < self.offered);
                    if call.is_of_tool() {
                        self.calls_made -= 1;
                        self.cx.calls_left += 1;
                    }
                }
                None => self.given_up.push(id),
            }
        }
    }

    /// Returns the private state of the main task.
    pub(super) fn main_own(&mut self) -> &mut Own {
        let parked = self.branches.parked.get_mut(&0).and_then(|main| main.own.as_mut());
        parked.unwrap_or(&mut self.cx.own)
    }

    fn task_by_id(&self, id: u64) -> Option<&Task> {
        if self.task.id == id {
            Some(&self.task)
        } else {
            self.branches.parked.get(&id).map(|it| &**it)
        }
    }

    /// Gives up all branches of a task that raises a problem of its own.
    pub(super) fn abandon_fork(&mut self) {
        if self.task.fork.is_some() {
            self.give_up_from(0);
            self.task.fork = None;
            self.branches.starting.retain(|task| *task != self.task.id);
        }
    }

    /// Joins all prints and memory: the main task first, then its branches in order.
    pub(super) fn joined(&self) -> Own {
        enum Part<'p> {
            Task(u64),
            Apart(&'p Own),
            Puts(&'p Map),
        }
        let mut whole: Option<Own> = None;
        let mut work = vec![Part::Task(0)];
        while let Some(part) = work.pop() {
            let own = match part {
                Part::Apart(own) => own,
                Part::Puts(puts) => {
                    for (key, value) in puts.iter() {
                        if let Some(whole) = &mut whole {
                            whole.put(key.clone(), value.clone());
                        }
                    }
                    continue;
                }
                Part::Task(id) => {
                    let Some(task) = self.task_by_id(id) else { continue };
                    if let Some(fork) = &task.fork {
                        let apart = fork.apart.iter().map(|(place, own)| (place, Part::Apart(own)));
                        let open = fork.open.iter().map(|(place, id)| (place, Part::Task(*id)));
                        let parts: BTreeMap<&u32, Part<'_>> = apart.chain(open).collect();
                        work.extend(parts.into_values().rev());
                        work.push(Part::Puts(&fork.puts));
                    }
                    task.own.as_ref().unwrap_or(&self.cx.own)
                }
            };
            match &mut whole {
                Some(whole) => {
                    own.puts().for_each(|(key, value)| whole.put(key.clone(), value.clone()));
                    whole.take_in(own.clone(), &self.cx.limits);
                }
                None => whole = Some(own.clone()),
            }
        }
        whole.unwrap_or_else(|| self.cx.own.clone())
    }

    /// Joins the prints and memory of all tasks, since none of them continues.
    pub(super) fn join_all(&mut self) {
        if self.task.is_branch() || self.task.fork.is_some() {
            self.cx.own = self.joined();
            self.task.fork = None;
            self.task.origin = None;
        }
    }

    /// Parks the running task and switches to the next one that can continue, if there is one.
    #[inline(never)]
    pub(super) fn next_task(&mut self) -> Option<Action> {
        self.task.action = Action::Waiting;
        self.give_back_slots();
        loop {
            let (id, next) = self.branches.next(&mut self.cx)?;
            if !self.switch_to(id) {
                // The task was given up when an earlier branch failed.
                self.branches.starting.retain(|task| *task != id);
                continue;
            }
            if self.task.is_branch() && !matches!(next, Wake::Fork) {
                // The cached indexes depend on the tasks that ran meanwhile.
                self.cx.positions.clear();
            }
            return Some(match next {
                Wake::Fork => Action::Fork,
                Wake::Retry => Action::Retry,
                Wake::Stuck => Action::Raise(circular()),
                Wake::Answer(call, answer) => self.mode_after(call, answer),
            });
        }
    }

    /// Makes the running task wait for a value that another task computes.
    pub(super) fn hold(&mut self, of: usize) -> Action {
        self.cx.waiting.hold(self.task.id, of);
        Action::Waiting
    }

    /// Switches to a task; returns false if it no longer exists.
    fn switch_to(&mut self, id: u64) -> bool {
        if self.task.id == id {
            return true;
        }
        let Some(mut task) = self.branches.parked.remove(&id) else { return false };
        if let Some(own) = task.own.take() {
            self.task.own = Some(std::mem::replace(&mut self.cx.own, own));
        }
        std::mem::swap(&mut self.task, &mut task);
        self.branches.parked.insert(task.id, task);
        true
    }
}

impl Cx {
    /// Returns the place of a tool among the tools, if it has a signature.
    pub(super) fn signed(&self, tool: &str) -> Option<usize> {
        let place = self.world.tools.iter().position(|decl| decl.name == tool)?;
        self.world.tools[place].signature.as_ref().map(|_| place)
    }

    /// Pays for the answer of a tool, and notes the fields that its signature does not declare.
    #[inline]
    fn note_answer(&mut self, tool: &ArcStr, signed: Option<usize>, answer: &Value) {
        self.charge(super::live::size(answer));
        if !answer.is_plain() {
            self.note_parts(tool, signed, answer);
        }
    }

    #[inline(never)]
    fn note_parts(&mut self, tool: &ArcStr, signed: Option<usize>, answer: &Value) {
        self.world.hidden.find(answer);
        if let Some(place) = signed
            && let Some(signature) =
                self.world.tools.get(place).and_then(|decl| decl.signature.as_ref())
        {
            ptc_facts::seen::note(&mut self.own.seen, tool, &signature.output, answer);
        }
    }
}

#[cold]
fn memory_conflict(key: &Value) -> Diagnostic {
    let message = format!("two branches put different values into memory under `{key}`");
    Diagnostic::new(Code::MemoryConflict, message)
        .with_help("return the values from the branches, and put them into memory afterwards")
}
