//! Lines of evaluation: the program's own, and the branches that `pmap` and its kin start.
//!
//! A branch runs until it is over or waits for a tool; then the next one runs. When nothing can run
//! any more, all calls of that round are handed out together, and the next round begins when all
//! are answered. In a round branches run in the order of the program. So neither values nor prints,
//! fuel or the ids of calls depend on which answer came first, even where branches share an atom.

use std::collections::{BTreeMap, VecDeque};
use std::ops::Bound;
use std::sync::Arc;

use arcstr::ArcStr;

use super::change::circular;
use super::cx::{Cx, Res};
use super::feed::Feed;
use super::prints::Captured;
use super::walk::crooked;
use super::watch::Watch;
use super::{CallId, Core, Frame, Host, Mode, Task, ToolCall, ToolFailure};
use crate::diagnostic::Diagnostic;
use crate::ir::Program;
use crate::value::{Map, Value};

/// What a branch takes besides its values.
const TASK_BYTES: u64 = 512;

/// Where a branch belongs.
#[derive(Clone, Copy)]
pub(super) struct Origin {
    /// The task that it branched off from.
    pub(super) task: u64,
    /// The number of the fork among the calls and forks of that task.
    fork: u32,
    /// Its place among the branches.
    place: u32,
}

/// A function to be called in branches, one for every item, and what came of it.
pub(crate) struct Fork {
    /// None when the items are the functions.
    function: Option<Value>,
    feeds: Vec<Feed>,
    /// The number of the fork among the calls and forks of its task.
    number: u32,
    /// What the branches gave, in their order.
    results: Vec<Value>,
    /// Branches that are not over, by place.
    open: BTreeMap<u32, u64>,
    /// What the first branch that failed failed with; the branches behind it are given up.
    problem: Option<Diagnostic>,
    /// Where the branches print to; that is then the result.
    captured: Option<Captured>,
}

/// The tasks that do not run, and what they wait for.
#[derive(Default)]
pub(super) struct Branches {
    parked: BTreeMap<u64, Box<Task>>,
    /// How many branches there have been.
    started: u64,
    /// Tasks that have branches to start, innermost last.
    starting: Vec<u64>,
    /// The calls of this round, in the order of the program.
    round: Vec<Call>,
    /// How many of them are not answered.
    unanswered: usize,
    /// Answered calls of the round before, whose tasks have not gone on yet; the next one is last.
    ready: Vec<Call>,
    /// Tasks that wait for a delay which another one computes.
    held: VecDeque<u64>,
    /// How many of them are to be looked at again.
    waking: usize,
    /// A task that is over, whose stacks the next one may have.
    spare: Option<Box<Task>>,
}

/// A call that a task waits for.
struct Call {
    id: CallId,
    pub(super) task: u64,
    tool: ArcStr,
    answer: Option<Result<Value, ToolFailure>>,
}

/// Why a task goes on.
enum Wake {
    /// It has branches to start.
    Fork,
    /// Its call is answered.
    Answer(ArcStr, Result<Value, ToolFailure>),
    /// The delay that it waits for may be there.
    Hof,
    /// Nobody is left to compute the delay that it waits for.
    Stuck,
}

impl Fork {
    /// Every value it holds.
    pub(super) fn each_value(&self, visit: &mut impl FnMut(&Value)) {
        self.function.iter().chain(&self.results).for_each(&mut *visit);
        self.feeds.iter().flat_map(Feed::rest).for_each(visit);
    }

    /// Calls a function for the items of collections, as `map` does.
    pub(crate) fn over(function: Value, feeds: Vec<Feed>) -> Fork {
        Fork { function: Some(function), ..Fork::of(feeds) }
    }

    /// Calls functions that take nothing.
    pub(crate) fn calls(functions: Vec<Value>) -> Fork {
        Fork::of(vec![Feed::Own(functions.into_iter())])
    }

    /// Calls a function that takes nothing for what it prints.
    pub(crate) fn captured(function: Value) -> Fork {
        Fork { captured: Some(Captured::default()), ..Fork::calls(vec![function]) }
    }

    fn of(feeds: Vec<Feed>) -> Fork {
        Fork {
            function: None,
            feeds,
            number: 0,
            results: Vec::new(),
            open: BTreeMap::new(),
            problem: None,
            captured: None,
        }
    }

    /// Pushes the function and the arguments of the next branch; gives its place and how many
    /// arguments there are.
    fn next(&mut self, cx: &mut Cx, stack: &mut Vec<Value>) -> Res<Option<(u32, usize)>> {
        // None are left when all have started or one has failed.
        if self.feeds.is_empty() {
            return Ok(None);
        }
        let start = stack.len();
        stack.extend(self.function.clone());
        for feed in &mut self.feeds {
            let Some(item) = feed.next() else {
                stack.truncate(start);
                self.feeds.clear();
                return Ok(None);
            };
            stack.push(item);
        }
        cx.spend(1)?;
        cx.alloc(16)?;
        self.results.push(Value::Nil);
        Ok(Some((self.results.len() as u32 - 1, stack.len() - start - 1)))
    }

    fn finish(self, cx: &mut Cx) -> Res {
        match (self.problem, self.captured) {
            (Some(problem), _) => Err(problem),
            (None, Some(captured)) => cx.string(captured.take()),
            (None, None) => cx.list(self.results),
        }
    }
}

impl Branches {
    /// Lets tasks go on if all calls that were handed out are answered.
    pub(super) fn begin_round(&mut self) {
        if self.unanswered == 0 && self.ready.is_empty() {
            std::mem::swap(&mut self.round, &mut self.ready);
            self.ready.reverse();
        }
    }

    pub(super) fn answer(&mut self, id: &CallId, outcome: Result<Value, ToolFailure>) {
        if let Ok(at) = self.round.binary_search_by(|call| call.id.cmp(id))
            && let Some(call) = self.round.get_mut(at)
            && call.answer.is_none()
        {
            call.answer = Some(outcome);
            self.unanswered -= 1;
        }
    }

    /// Every value that tasks at rest hold; gives the bytes that they take besides.
    pub(super) fn each_value(&self, visit: &mut impl FnMut(&Value)) -> u64 {
        let mut bytes = 0;
        for task in self.parked.values() {
            task.each_value(visit);
            bytes += TASK_BYTES + (task.frames.len() * size_of::<Frame>()) as u64;
            let captured = task.fork.as_ref().and_then(|fork| fork.captured.as_ref());
            bytes += captured.map_or(0, Captured::len) as u64;
        }
        for call in self.round.iter().chain(&self.ready) {
            if let Some(Ok(value)) = &call.answer {
                visit(value);
            }
        }
        bytes
    }

    /// Whether there has been anything to wait for.
    pub(super) fn are_used(&self) -> bool {
        self.started > 0 || !self.are_idle()
    }

    /// Whether no task waits for anything.
    fn are_idle(&self) -> bool {
        self.round.is_empty()
            && self.parked.is_empty()
            && self.starting.is_empty()
            && self.ready.is_empty()
            && self.held.is_empty()
    }

    /// The task that goes on next, if one can.
    fn next(&mut self, cx: &mut Cx) -> Option<(u64, Wake)> {
        if let Some(task) = self.starting.last() {
            return Some((*task, Wake::Fork));
        }
        while let Some(call) = self.ready.pop() {
            if let Some(answer) = call.answer {
                return Some((call.task, Wake::Answer(call.tool, answer)));
            }
        }
        if std::mem::take(&mut cx.computed) {
            self.waking = self.held.len();
        }
        if let Some(left) = self.waking.checked_sub(1) {
            self.waking = left;
            return self.held.pop_front().map(|task| (task, Wake::Hof));
        }
        // While a call is in flight, who waits for it may be the one who computes.
        let stuck = if self.round.is_empty() { self.held.pop_front() } else { None };
        stuck.map(|task| (task, Wake::Stuck))
    }

    /// Gives up branches and what branched off from them.
    fn cancel(&mut self, cx: &mut Cx, branches: BTreeMap<u32, u64>) {
        // One of them may have been computing a delay that another one waits for.
        cx.computed |= !branches.is_empty();
        let mut work: Vec<u64> = branches.into_values().collect();
        while let Some(id) = work.pop() {
            if let Some(task) = self.parked.remove(&id)
                && let Some(fork) = task.fork
            {
                work.extend(fork.open.into_values());
            }
        }
    }
}

// What follows is kept out of the loop of the machine, which programs without branches run, too.
impl<W: Watch> Core<W> {
    /// The task that runs and those that it branched off from, innermost first.
    pub(super) fn line(&self) -> impl Iterator<Item = &Task> {
        std::iter::successors(Some(&self.task), |task| {
            let origin = task.origin?;
            self.branches.parked.get(&origin.task).map(|task| &**task)
        })
    }

    /// The id of the next call of the running task.
    pub(super) fn next_call_id(&mut self) -> Res<CallId> {
        let mut path = Vec::new();
        if self.task.is_branch() {
            for task in self.line() {
                if let Some(origin) = task.origin {
                    path.extend([origin.place, origin.fork]);
                }
            }
            path.reverse();
        }
        self.cx.alloc((path.len() as u64 + 1) * 4)?;
        let number = self.task.made;
        self.task.made += 1;
        Ok(CallId { path, number })
    }

    /// Lets the running task wait for a call.
    fn await_answer(&mut self, call: ToolCall) {
        let (id, tool) = (call.id.clone(), call.name.clone());
        let waiting = Call { id, task: self.task.id, tool, answer: None };
        if self.branches.are_idle() {
            // Thousands of machines may wait for one call each: no room for more.
            self.branches.round.reserve_exact(1);
            self.pending.reserve_exact(1);
        }
        // Branches make their calls in order, so that this is nearly always the last place.
        let round = &mut self.branches.round;
        let behind = round.iter().rev().take_while(|other| other.id > call.id).count();
        round.insert(round.len() - behind, waiting);
        self.branches.unanswered += 1;
        self.pending.push(call);
    }

    /// What comes of the call that the running task has just made, when nothing else waits and the
    /// host answers it at once: the round that it would be. Otherwise the task waits for it.
    #[inline(never)]
    pub(super) fn answered(&mut self, host: &mut Host<'_>) -> Option<Mode> {
        if !std::mem::take(&mut self.asked) {
            return None;
        }
        let call = self.call.as_mut()?;
        if self.branches.are_idle()
            && let Some(answer) = host(call)
        {
            if let Value::Map(args) = &mut call.args
                && !Map::drop_values(args)
            {
                call.args = Value::Nil;
            }
            return Some(match answer {
                Ok(value) => {
                    let tool = call.name.clone();
                    self.take_answer(&tool, value)
                }
                Err(failure) => Mode::Raise(failure.into_diagnostic(&call.name)),
            });
        }
        let call = self.call.take()?;
        self.await_answer(call);
        None
    }

    /// How a task goes on behind the answer to its call.
    fn mode_of(&mut self, tool: &ArcStr, answer: Result<Value, ToolFailure>) -> Mode {
        match answer {
            Ok(value) => self.take_answer(tool, value),
            Err(failure) => Mode::Raise(failure.into_diagnostic(tool)),
        }
    }

    fn take_answer(&mut self, tool: &ArcStr, value: Value) -> Mode {
        self.cx.charge(super::live::size(&value));
        let declared = self.cx.tools.iter().find(|decl| decl.name == tool.as_str());
        if let Some(signature) = declared.and_then(|decl| decl.signature.as_ref()) {
            crate::admission::note(&mut self.seen, tool, &signature.output, &value);
        }
        Mode::Value(value)
    }

    /// Whether the host answers all calls of this round at once, so that the next one can begin.
    #[inline(never)]
    pub(super) fn all_answered(&mut self, host: &mut Host<'_>) -> bool {
        let mut calls = std::mem::take(&mut self.pending);
        if calls.is_empty() {
            return false;
        }
        calls.retain(|call| match host(call) {
            Some(outcome) => {
                self.branches.answer(&call.id, outcome);
                false
            }
            None => true,
        });
        self.pending = calls;
        self.branches.begin_round();
        !self.branches.ready.is_empty()
    }

    /// Lets the running task start branches.
    pub(super) fn fork(&mut self, mut fork: Fork) -> Mode {
        fork.number = self.task.made;
        self.task.made += 1;
        self.task.fork = Some(Box::new(fork));
        self.branches.starting.push(self.task.id);
        Mode::Fork
    }

    /// Starts the next branch of the running task; goes on with the task when all are over.
    #[inline(never)]
    pub(super) fn step_fork(&mut self, program: &Arc<Program>) -> Res<Mode> {
        let fork = self.task.fork.as_mut().ok_or_else(crooked)?;
        let start = self.task.stack.len();
        if let Some((place, count)) = fork.next(&mut self.cx, &mut self.task.stack)? {
            if fork.captured.is_some() {
                return self.branch_off(place, count);
            }
            // A function that needs no frames cannot wait, so it needs no task either.
            let random = self.cx.random;
            self.cx.random = random.of_branch(fork.number, place);
            let called = self.call_directly(program, count);
            self.cx.random = random;
            return match called {
                Ok(None) => self.branch_off(place, count),
                Ok(Some(value)) => self.branch_over(place, Ok(value)),
                Err(problem) if problem.class().is_some() => {
                    self.task.stack.truncate(start);
                    let problem = self.locate(problem);
                    self.branch_over(place, Err(problem))
                }
                Err(problem) => Err(problem),
            };
        }
        if self.branches.starting.last() == Some(&self.task.id) {
            self.branches.starting.pop();
        }
        if fork.open.is_empty() {
            let fork = self.task.fork.take().ok_or_else(crooked)?;
            return fork.finish(&mut self.cx).map(Mode::Value);
        }
        Ok(Mode::Waiting)
    }

    /// Makes a task of the function below the last `count` values, and goes on with it.
    fn branch_off(&mut self, place: u32, count: usize) -> Res<Mode> {
        if self.task.depth >= self.cx.limits.call_depth {
            return Err(self.cx.too_deep());
        }
        self.cx.alloc(TASK_BYTES)?;
        self.branches.started += 1;
        let id = self.branches.started;
        let fork = self.task.fork.as_mut().ok_or_else(crooked)?;
        fork.open.insert(place, id);
        let origin = Origin { task: self.task.id, fork: fork.number, place };
        let captured = fork.captured.clone().or_else(|| self.task.captured.clone());
        let program = self.task.program.clone();
        let mut branch = match self.branches.spare.take() {
            Some(spare) => spare,
            None => Box::new(Task::of(program.clone())),
        };
        branch.program = program;
        // The branch stands in the function that started it, so that its errors have a place.
        branch.stack.push(self.task.stack[self.task.base - 1].clone());
        let callee = self.task.stack.len() - count - 1;
        branch.stack.extend(self.task.stack.drain(callee..));
        branch.base = 1;
        branch.depth = self.task.depth + 1;
        branch.at = self.task.at;
        branch.id = id;
        branch.origin = Some(origin);
        branch.captured.clone_from(&captured);
        self.cx.prints.captured = captured;
        self.task.random = self.cx.random;
        self.cx.random = self.task.random.of_branch(origin.fork, place);
        std::mem::swap(&mut self.task, &mut branch);
        branch.mode = Mode::Fork;
        self.branches.parked.insert(origin.task, branch);
        self.enter(count)
    }

    /// The running task, a branch, is over: goes back to the one that it branched off from.
    #[inline(never)]
    pub(super) fn join(&mut self, result: Result<Value, Diagnostic>) -> Res<Mode> {
        let origin = self.task.origin.ok_or_else(crooked)?;
        W::branch_over(self);
        let mut task = self.branches.parked.remove(&origin.task).ok_or_else(crooked)?;
        std::mem::swap(&mut self.task, &mut task);
        self.cx.random = self.task.random;
        *task = task.emptied();
        self.branches.spare = Some(task);
        self.cx.prints.captured.clone_from(&self.task.captured);
        self.branch_over(origin.place, result)
    }

    /// Notes what a branch of the running task gave.
    fn branch_over(&mut self, place: u32, result: Result<Value, Diagnostic>) -> Res<Mode> {
        let fork = self.task.fork.as_mut().ok_or_else(crooked)?;
        fork.open.remove(&place);
        match result {
            Ok(value) => {
                if let Some(slot) = fork.results.get_mut(place as usize) {
                    *slot = value;
                }
            }
            // Branches before it go on: one of them may fail too, and then it is the first.
            Err(problem) => {
                fork.problem = Some(problem);
                fork.feeds.clear();
                let behind = fork.open.split_off(&place);
                self.branches.cancel(&mut self.cx, behind);
            }
        }
        Ok(Mode::Fork)
    }

    /// The calls of this round that are given up if one of them fails, as [`Core::raise`] goes: out of every
    /// branch that catches nothing, whose fork gives up what is behind it.
    pub(super) fn branches_given_up(&self, id: &CallId, failure: &ToolFailure) -> Vec<CallId> {
        let round = &self.branches.round;
        let Some(call) = round.iter().find(|call| call.id == *id) else { return Vec::new() };
        let may_be_caught = Diagnostic::new(failure.code, "").class().is_some();
        let mut given_up: Vec<u64> = Vec::new();
        let mut at = call.task;
        while let Some(task) = self.resting(at) {
            let catches =
                |frame: &Frame| matches!(frame, Frame::Try { .. } | Frame::Finally { .. });
            if may_be_caught && task.frames.iter().any(catches) {
                break;
            }
            let Some(origin) = task.origin else { break };
            let fork = self.resting(origin.task).and_then(|task| task.fork.as_deref());
            let behind = (Bound::Excluded(origin.place), Bound::Unbounded);
            given_up
                .extend(fork.into_iter().flat_map(|fork| fork.open.range(behind)).map(|it| it.1));
            at = origin.task;
        }
        let mut next = 0;
        while let Some(task) = given_up.get(next) {
            let fork = self.resting(*task).and_then(|task| task.fork.as_deref());
            given_up.extend(fork.into_iter().flat_map(|fork| fork.open.values()));
            next += 1;
        }
        let open = round.iter().filter(|call| call.answer.is_none());
        open.filter(|call| given_up.contains(&call.task)).map(|call| call.id.clone()).collect()
    }

    /// A task, whether it rests or is the one that ran last.
    fn resting(&self, id: u64) -> Option<&Task> {
        if self.task.id == id {
            Some(&self.task)
        } else {
            self.branches.parked.get(&id).map(|it| &**it)
        }
    }

    /// A task that raises a problem of its own waits for no branches any more.
    pub(super) fn abandon_fork(&mut self) {
        if let Some(fork) = self.task.fork.take() {
            self.branches.cancel(&mut self.cx, fork.open);
            self.branches.starting.retain(|task| *task != self.task.id);
        }
    }

    /// The running task has to wait: turns to the next one that can go on, if there is one.
    #[inline(never)]
    pub(super) fn next_task(&mut self) -> Option<Mode> {
        self.task.mode = Mode::Waiting;
        loop {
            let (id, next) = self.branches.next(&mut self.cx)?;
            if !self.turn_to(id) {
                // The task was given up when a branch before it failed.
                self.branches.starting.retain(|task| *task != id);
                continue;
            }
            return Some(match next {
                Wake::Fork => Mode::Fork,
                Wake::Hof => Mode::Hof,
                Wake::Stuck => Mode::Raise(circular()),
                Wake::Answer(tool, answer) => self.mode_of(&tool, answer),
            });
        }
    }

    /// The innermost builtin of the running task waits for what another task computes.
    pub(super) fn hold(&mut self) -> Mode {
        self.branches.held.push_back(self.task.id);
        Mode::Waiting
    }

    /// Makes a task the running one; false if it is no more.
    fn turn_to(&mut self, id: u64) -> bool {
        if self.task.id == id {
            return true;
        }
        let Some(mut task) = self.branches.parked.remove(&id) else { return false };
        self.task.random = self.cx.random;
        std::mem::swap(&mut self.task, &mut task);
        self.cx.random = self.task.random;
        self.branches.parked.insert(task.id, task);
        self.cx.prints.captured.clone_from(&self.task.captured);
        true
    }
}
