//! Items on their way through the steps of transducers: see [`Stage`].
//!
//! A reducing function that a transducer makes leads to another one. The last one, such as `conj`,
//! is not a step. The machine unpacks that chain and passes items along it. So any number of steps
//! are one callback state, and each of their functions may suspend the program.

use super::cx::Cx;
use super::item_iter::ItemIter;
use super::reducing::wrong_arity_of_step;
use super::request::{CallsBack, Looked, Request};
use super::step::{Call, Choice, Collect, ItemStep, Pass};
use crate::StageStep;
use ptc_facts::messages::without_end;
use ptc_facts::registry::op_of;
use ptc_values::ir::Op;
use ptc_values::{Ext, Lazy, Res, Stage, StageKind, Value};

/// The key under which `halt-when` stores its result.
const HALT: &str = "clojure.core/halt";

/// The callback state of a chain of steps.
pub struct Stages {
    /// The work before the first item.
    begin: Option<Begin>,
    /// The steps, the outermost first, and what those with a row do.
    chain: Vec<(Value, Option<&'static ItemStep>)>,
    /// The reducing function behind the steps, and its operation if it is one.
    last: Value,
    op: Option<Op>,
    so_far: Value,
    /// The pending jobs, innermost last.
    jobs: Vec<Job>,
    awaited: Awaited,
    /// The request of a lazy sequence.
    waits: Option<Request>,
    /// The step whose function was called, and the item of the call.
    at: usize,
    item: Value,
    /// The number of jobs left when the last wanted item has passed.
    end_at: Option<usize>,
    /// Whether no more items are wanted.
    ended: bool,
    end: End,
    /// The collecting step, if there is one.
    collector: Value,
}

/// The arguments of `transduce`, until the chain exists.
struct Begin {
    transducer: Value,
    init: Option<Value>,
    items: Items,
}

pub enum Items {
    Of(Value),
    /// Lists of the items at the same position of several collections.
    Rows(Vec<Value>),
}

/// The conversion of the result.
#[derive(Clone, Copy, PartialEq, Eq)]
enum End {
    /// None.
    Plain,
    /// Wrap a result that ends a `reduce` early: a reducing function was called for one item.
    Wrapped,
    /// Return the items that the last step collected.
    Collected,
}

/// One thing to do.
enum Job {
    /// Pass items to the step with this number.
    Items(usize, ItemIter),
    /// Pass lists of items to the first step.
    Rows(ItemIter),
    /// Pass one item to a step.
    One(usize, Value),
    /// Start the next group of a step with an item.
    Group(usize, Value),
    Complete(usize),
    /// Call the second function of `halt-when` with the completed result.
    Halt(usize, Value),
}

/// The purpose of a call.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Awaited {
    Nothing,
    Init,
    /// The reducing function of the transducer.
    Chain,
    /// The result of the function of a step.
    Function,
    /// The result of the last reducing function.
    Last,
    /// A part of a lazy sequence.
    Pulled,
    /// The completed result.
    Completed,
    /// The result of the second function of `halt-when`.
    Halted,
}

/// The next action.
enum Turn {
    /// Pass an item to a step.
    Item(usize, Value),
    /// Continue the innermost job.
    Jobs,
    /// Wait for a call with this number of arguments.
    Call(usize),
    /// Wait for a part of a lazy sequence, as [`Stages::waits`] says.
    Wait,
}

impl Stages {
    /// Makes a `transduce`: passes items through a transducer into a reducing function and
    /// completes the result. Without an initial value the function makes it.
    pub fn transduce(
        transducer: Value,
        function: Value,
        init: Option<Value>,
        items: Items,
    ) -> Stages {
        let begin = Begin { transducer, init, items };
        Stages::new(Some(begin), function, End::Plain)
    }

    /// Collects the items that a transducer passes on, in a list.
    pub fn collect(transducer: Value, collector: Value, items: Items) -> Stages {
        let begin = Begin { transducer, init: Some(Value::Nil), items };
        let mut stages = Stages::new(Some(begin), collector.clone(), End::Collected);
        stages.collector = collector;
        stages
    }

    /// Calls a reducing function with a value so far, which is the first argument.
    pub(super) fn call(
        cx: &mut Cx,
        kind: StageKind,
        (chain, last): Chain,
        mut args: Vec<Value>,
    ) -> Res<Stages> {
        let mut inputs = args.split_off(1);
        let job = match inputs.len() {
            0 => Job::Complete(0),
            1 => Job::One(0, inputs.pop().unwrap_or_default()),
            _ if takes_rows(kind) => {
                let row = cx.list(inputs)?;
                Job::Rows(ItemIter::Own(vec![row].into_iter()))
            }
            more => return Err(wrong_arity_of_step(kind, more + 1, true)),
        };
        let end = if matches!(job, Job::Complete(_)) { End::Plain } else { End::Wrapped };
        let mut stages = Stages::new(None, last, end);
        stages.chain = chain;
        stages.so_far = args.pop().unwrap_or_default();
        stages.jobs.push(job);
        Ok(stages)
    }

    fn new(begin: Option<Begin>, last: Value, end: End) -> Stages {
        let op = op_of(&last);
        Stages {
            begin,
            chain: Vec::new(),
            last,
            op,
            so_far: Value::Nil,
            jobs: Vec::new(),
            awaited: Awaited::Nothing,
            waits: None,
            at: 0,
            item: Value::Nil,
            end_at: None,
            ended: false,
            end,
            collector: Value::Nil,
        }
    }

    /// Requests the initial value, then the chain.
    fn begin(&mut self, stack: &mut Vec<Value>) -> Turn {
        let Some(begin) = &self.begin else { return Turn::Jobs };
        if begin.init.is_none() {
            self.awaited = Awaited::Init;
            stack.push(self.last.clone());
            return Turn::Call(0);
        }
        self.awaited = Awaited::Chain;
        stack.extend([begin.transducer.clone(), self.last.clone()]);
        Turn::Call(1)
    }

    /// Takes the result of a call.
    fn take_result(&mut self, cx: &mut Cx, stack: &mut Vec<Value>, got: Value) -> Res<Turn> {
        match std::mem::replace(&mut self.awaited, Awaited::Nothing) {
            Awaited::Nothing => Ok(Turn::Jobs),
            Awaited::Init => {
                if let Some(begin) = &mut self.begin {
                    begin.init = Some(got);
                }
                Ok(self.begin(stack))
            }
            Awaited::Chain => {
                if let Some(begin) = self.begin.take() {
                    (self.chain, self.last) = chain_of(cx, got)?;
                    self.op = op_of(&self.last);
                    self.so_far = begin.init.unwrap_or_default();
                    let items = match begin.items {
                        Items::Of(items)
                            if Lazy::of(&items).is_some_and(Lazy::is_endless)
                                && !self.may_end() =>
                        {
                            return Err(without_end());
                        }
                        Items::Of(items) => job_of(cx, 0, items)?,
                        Items::Rows(rows) => Job::Rows(ItemIter::Own(rows.into_iter())),
                    };
                    self.jobs.extend([Job::Complete(0), items]);
                }
                Ok(Turn::Jobs)
            }
            Awaited::Function => {
                let item = std::mem::take(&mut self.item);
                let step = self.chain.get(self.at).and_then(|(_, step)| *step);
                self.answer(cx, self.at, step, item, got)
            }
            Awaited::Last => {
                self.keep(got);
                Ok(Turn::Jobs)
            }
            Awaited::Pulled => self.pull(cx, stack, Some(got)),
            Awaited::Completed => {
                self.so_far = got;
                Ok(Turn::Jobs)
            }
            Awaited::Halted => {
                self.halt(cx, got)?;
                Ok(Turn::Jobs)
            }
        }
    }

    /// Returns whether the result of its call is the value so far, which it only passes on.
    pub(super) fn carries_result(&self) -> bool {
        matches!(self.awaited, Awaited::Init | Awaited::Last | Awaited::Completed)
    }

    /// Returns whether a step or the last function may end the walk early.
    fn may_end(&self) -> bool {
        let ends = |stage: &Stage| stage.kind.ends();
        !matches!(self.last, Value::Builtin(_) | Value::Nil)
            || self.chain.iter().filter_map(|(stage, _)| Stage::of(stage)).any(ends)
    }

    /// Takes the result of the last reducing function.
    fn keep(&mut self, got: Value) {
        self.so_far = match ptc_values::reduced(got) {
            Ok(last) => {
                self.ended = true;
                last
            }
            Err(value) => value,
        };
    }

    /// Applies the last reducing function if that needs no call by the machine.
    fn reduce_with(&self, cx: &mut Cx, args: &mut [Value; 2]) -> Res<Option<Value>> {
        if let Some(op) = self.op {
            cx.spend(1)?;
            let [so_far, item] = args;
            return cx.take_op(op, std::mem::take(so_far), std::mem::take(item)).map(Some);
        }
        cx.call_pure(&self.last, args)
    }

    /// Passes an item to a step.
    fn pass(&mut self, cx: &mut Cx, stack: &mut Vec<Value>, at: usize, item: Value) -> Res<Turn> {
        let Some((stage, step)) = self.chain.get(at) else { return Ok(Turn::Jobs) };
        let (Some(stage), step) = (Stage::of(stage), *step) else { return Ok(Turn::Jobs) };
        let next = at + 1;
        let Some(step) = step else { return self.pass_special(cx, stack, at, item) };
        match step.call {
            Call::Nothing => self.answer(cx, at, Some(step), item, Value::Nil),
            Call::Key => self.answer(cx, at, Some(step), item.clone(), item),
            Call::Item if matches!(step.collect, Collect::From) && stage.state().begun => {
                Ok(Turn::Item(next, item))
            }
            Call::Item => {
                let kept = if step.collect.needs_item() { item.clone() } else { Value::Nil };
                self.ask(cx, stack, (at, Some(step)), kept, [item])
            }
            Call::Indexed => {
                let index = Value::Int(stage.state().next_index());
                let kept = if step.collect.needs_item() { item.clone() } else { Value::Nil };
                self.ask(cx, stack, (at, Some(step)), kept, [index, item])
            }
        }
    }

    /// Passes an item to a step without a row.
    fn pass_special(
        &mut self,
        cx: &mut Cx,
        stack: &mut Vec<Value>,
        at: usize,
        item: Value,
    ) -> Res<Turn> {
        let Some(stage) = stage_at(&self.chain, at) else { return Ok(Turn::Jobs) };
        let next = at + 1;
        match stage.kind {
            StageKind::Step(_) | StageKind::Completing => Ok(Turn::Item(next, item)),
            StageKind::HaltWhen => self.ask(cx, stack, (at, None), item.clone(), [item]),
            StageKind::Cat => {
                let job = job_of(cx, next, item)?;
                self.jobs.push(job);
                Ok(Turn::Jobs)
            }
            StageKind::Collect => {
                cx.alloc(16)?;
                stage.state().group.push(item);
                Ok(Turn::Jobs)
            }
        }
    }

    /// Calls the function of a step; `item` is kept until it answers.
    fn ask<const COUNT: usize>(
        &mut self,
        cx: &mut Cx,
        stack: &mut Vec<Value>,
        (at, step): (usize, Option<&'static ItemStep>),
        item: Value,
        mut args: [Value; COUNT],
    ) -> Res<Turn> {
        cx.spend(1)?;
        let Some(stage) = stage_at(&self.chain, at) else { return Ok(Turn::Jobs) };
        if let Some(result) = cx.call_pure(&stage.arg, &mut args)? {
            return self.answer(cx, at, step, item, result);
        }
        stack.push(stage.arg.clone());
        stack.extend(args);
        (self.at, self.item) = (at, item);
        self.awaited = Awaited::Function;
        Ok(Turn::Call(COUNT))
    }

    /// Continues with the result of a step for an item.
    #[inline]
    fn answer(
        &mut self,
        cx: &mut Cx,
        at: usize,
        step: Option<&'static ItemStep>,
        item: Value,
        result: Value,
    ) -> Res<Turn> {
        let Some(step) = step else { return self.answer_halting(cx, at, item, &result) };
        match step.collect.choose(&result) {
            Choice::Result => Ok(Turn::Item(at + 1, result)),
            Choice::Item => Ok(Turn::Item(at + 1, item)),
            Choice::Nothing => Ok(Turn::Jobs),
            choice => self.answer_rarely(cx, at, choice, item, result),
        }
    }

    #[inline(never)]
    fn answer_rarely(
        &mut self,
        cx: &mut Cx,
        at: usize,
        choice: Choice,
        item: Value,
        result: Value,
    ) -> Res<Turn> {
        let Some(stage) = stage_at(&self.chain, at) else { return Ok(Turn::Jobs) };
        let next = at + 1;
        let pass = choice.pass(cx, &mut stage.state(), &stage.arg, item, result)?;
        Ok(match pass {
            Pass::Nothing => Turn::Jobs,
            Pass::One(value) => Turn::Item(next, value),
            Pass::Two(first, second) => {
                self.jobs.push(Job::One(next, second));
                Turn::Item(next, first)
            }
            Pass::Items(value) => {
                let job = job_of(cx, next, value)?;
                self.jobs.push(job);
                Turn::Jobs
            }
            Pass::Group(group, item) => {
                let group = cx.vector(group)?;
                self.jobs.extend(item.map(|item| Job::Group(at, item)));
                Turn::Item(next, group)
            }
            Pass::Last(value) => {
                self.end_at = self.end_at.max(Some(self.jobs.len()));
                Turn::Item(next, value)
            }
            Pass::Rest(first) => {
                stage.state().begun = true;
                Turn::Item(next, first)
            }
            Pass::End => {
                self.ended = true;
                Turn::Jobs
            }
        })
    }

    /// Continues after the test of `halt-when`.
    fn answer_halting(&mut self, cx: &mut Cx, at: usize, item: Value, result: &Value) -> Res<Turn> {
        let stops = stage_at(&self.chain, at).filter(|_| result.truthy());
        Ok(match stops {
            None => Turn::Item(at + 1, item),
            Some(stage) if stage.more.is_nil() => {
                self.halt(cx, item)?;
                Turn::Jobs
            }
            Some(_) => {
                self.jobs.extend([Job::Halt(at, item), Job::Complete(at + 1)]);
                Turn::Jobs
            }
        })
    }

    /// Ends with the result of `halt-when`, which its completion unwraps.
    fn halt(&mut self, cx: &mut Cx, value: Value) -> Res<()> {
        self.so_far = cx.map_of(std::iter::once((Value::keyword(HALT), value)))?;
        self.ended = true;
        Ok(())
    }

    fn next_job(&mut self, cx: &mut Cx, stack: &mut Vec<Value>) -> Res<Turn> {
        if let Some(Job::Complete(at)) = self.jobs.last() {
            let at = *at;
            self.jobs.pop();
            (self.ended, self.end_at) = (false, None);
            return self.complete(cx, stack, at);
        }
        if self.ended || self.end_at.is_some_and(|end_at| self.jobs.len() <= end_at) {
            self.ended = true;
            self.jobs.pop();
            return Ok(Turn::Jobs);
        }
        match self.jobs.last_mut() {
            Some(Job::Items(_, input)) if input.is_lazy() => {
                cx.spend(1)?;
                return self.pull(cx, stack, None);
            }
            Some(Job::Items(at, input)) => {
                if let Some(item) = input.next() {
                    cx.spend(1)?;
                    return Ok(Turn::Item(*at, item));
                }
            }
            Some(Job::Rows(input)) => {
                if let Some(row) = input.next() {
                    cx.spend(1)?;
                    return self.pass_row(stack, &row);
                }
            }
            _ => {}
        }
        Ok(match self.jobs.pop() {
            Some(Job::One(at, item)) => Turn::Item(at, item),
            Some(Job::Group(at, item)) => {
                if let Some(step) = stage_at(&self.chain, at) {
                    step.state().group.push(item);
                }
                Turn::Jobs
            }
            Some(Job::Halt(at, item)) => {
                let Some(step) = stage_at(&self.chain, at) else {
                    return Ok(Turn::Jobs);
                };
                self.awaited = Awaited::Halted;
                stack.extend([step.more.clone(), std::mem::take(&mut self.so_far), item]);
                Turn::Call(2)
            }
            _ => Turn::Jobs,
        })
    }

    /// Passes several items to the first function together.
    fn pass_row(&mut self, stack: &mut Vec<Value>, row: &Value) -> Res<Turn> {
        let items = row.items().into_iter().flatten().cloned();
        match stage_at(&self.chain, 0) {
            Some(step) if takes_rows(step.kind) => {
                stack.push(step.arg.clone());
                self.at = 0;
                self.awaited = Awaited::Function;
                let before = stack.len();
                stack.extend(items);
                Ok(Turn::Call(stack.len() - before))
            }
            Some(step) => Err(wrong_arity_of_step(step.kind, items.count() + 1, true)),
            None => {
                stack.extend([self.last.clone(), std::mem::take(&mut self.so_far)]);
                self.awaited = Awaited::Last;
                let before = stack.len();
                stack.extend(items);
                Ok(Turn::Call(stack.len() - before + 1))
            }
        }
    }

    /// Takes the next item of a lazy sequence. `got` is the result that it waits for.
    fn pull(&mut self, cx: &mut Cx, stack: &mut Vec<Value>, got: Option<Value>) -> Res<Turn> {
        let Some(Job::Items(at, input)) = self.jobs.last_mut() else { return Ok(Turn::Jobs) };
        Ok(match input.pull(cx, stack, got)? {
            Looked::Item(item) => Turn::Item(*at, item),
            Looked::End => {
                self.jobs.pop();
                Turn::Jobs
            }
            Looked::Wait(next) => {
                self.awaited = Awaited::Pulled;
                self.waits = Some(next);
                Turn::Wait
            }
        })
    }

    /// Completes the result from a step on; incomplete groups are passed on first.
    fn complete(&mut self, cx: &mut Cx, stack: &mut Vec<Value>, from: usize) -> Res<Turn> {
        for at in from..self.chain.len() {
            let Some(step) = stage_at(&self.chain, at) else { break };
            match step.kind {
                StageKind::Step(_) => {
                    let group = std::mem::take(&mut step.state().group);
                    if !group.is_empty() {
                        let group = cx.vector(group)?;
                        self.jobs.push(Job::Complete(at + 1));
                        return Ok(Turn::Item(at + 1, group));
                    }
                }
                StageKind::HaltWhen => {
                    let halted = match &self.so_far {
                        Value::Map(map) => map.get(&Value::keyword(HALT)).cloned(),
                        _ => None,
                    };
                    if let Some(value) = halted {
                        self.so_far = value;
                        return Ok(Turn::Jobs);
                    }
                }
                StageKind::Collect => return Ok(Turn::Jobs),
                StageKind::Completing => {
                    stack.extend([step.arg.clone(), std::mem::take(&mut self.so_far)]);
                    self.awaited = Awaited::Completed;
                    return Ok(Turn::Call(1));
                }
                StageKind::Cat => {}
            }
        }
        stack.extend([self.last.clone(), std::mem::take(&mut self.so_far)]);
        self.awaited = Awaited::Completed;
        Ok(Turn::Call(1))
    }

    fn over(&mut self, cx: &mut Cx) -> Res {
        let so_far = std::mem::take(&mut self.so_far);
        match self.end {
            End::Wrapped if self.ended || self.end_at.is_some() => {
                cx.alloc(64)?;
                Ok(Ext::Reduced(so_far).into_value())
            }
            End::Plain | End::Wrapped => Ok(so_far),
            End::Collected => {
                let collected = Stage::of(&self.collector).map(Stage::forget);
                cx.list(collected.map(|state| state.group).unwrap_or_default())
            }
        }
    }
}

impl CallsBack for Stages {
    fn step(&mut self, cx: &mut Cx, stack: &mut Vec<Value>, got: Option<Value>) -> Res<Request> {
        let mut turn = match got {
            Some(value) => self.take_result(cx, stack, value)?,
            None if self.begin.is_some() => self.begin(stack),
            // A part of a lazy sequence may have needed no call.
            None if self.awaited == Awaited::Pulled => {
                self.awaited = Awaited::Nothing;
                self.pull(cx, stack, None)?
            }
            None => Turn::Jobs,
        };
        loop {
            turn = match turn {
                Turn::Call(count) => return Ok(Request::Call(count)),
                Turn::Wait => return Ok(self.waits.take().unwrap_or(Request::Pause)),
                Turn::Item(at, item) if at < self.chain.len() => self.pass(cx, stack, at, item)?,
                Turn::Item(_, item) => {
                    let mut args = [std::mem::take(&mut self.so_far), item];
                    match self.reduce_with(cx, &mut args)? {
                        Some(value) => {
                            self.keep(value);
                            Turn::Jobs
                        }
                        None => {
                            self.awaited = Awaited::Last;
                            stack.push(self.last.clone());
                            stack.extend(args);
                            Turn::Call(2)
                        }
                    }
                }
                Turn::Jobs if cx.pausing() => return Ok(Request::Pause),
                Turn::Jobs if self.jobs.is_empty() => return self.over(cx).map(Request::Done),
                Turn::Jobs => self.next_job(cx, stack)?,
            };
        }
    }

    fn each_value(&self, visit: &mut impl FnMut(&Value)) {
        if let Some(begin) = &self.begin {
            visit(&begin.transducer);
            begin.init.iter().for_each(&mut *visit);
            match &begin.items {
                Items::Of(items) => visit(items),
                Items::Rows(rows) => rows.iter().for_each(&mut *visit),
            }
        }
        let own = [&self.last, &self.so_far, &self.item, &self.collector];
        self.chain.iter().map(|(stage, _)| stage).chain(own).for_each(&mut *visit);
        for job in &self.jobs {
            match job {
                Job::Items(_, input) | Job::Rows(input) => input.each_value(visit),
                Job::One(_, item) | Job::Group(_, item) | Job::Halt(_, item) => visit(item),
                Job::Complete(_) => {}
            }
        }
    }

    /// Visits the keys of the cells that it computes.
    fn computes(&self, visit: &mut impl FnMut(usize)) {
        for job in &self.jobs {
            if let Job::Items(_, input) = job {
                input.computes(visit);
            }
        }
    }
}

/// The steps of a reducing function, and the function behind them.
pub(super) type Chain = (Vec<(Value, Option<&'static ItemStep>)>, Value);

/// Unpacks a reducing function.
pub(super) fn chain_of(cx: &mut Cx, function: Value) -> Res<Chain> {
    let length = Stage::of(&function).map_or(0, |stage| stage.length);
    cx.spend(u64::from(length))?;
    let mut chain = Vec::with_capacity(length as usize);
    let mut last = function;
    while let Some(stage) = Stage::of(&last)
        && let Some(next) = stage.next.clone()
    {
        let step = stage.kind.step();
        chain.push((std::mem::replace(&mut last, next), step));
    }
    Ok((chain, last))
}

fn stage_at<'a>(chain: &'a [(Value, Option<&'static ItemStep>)], at: usize) -> Option<&'a Stage> {
    chain.get(at).and_then(|(stage, _)| Stage::of(stage))
}

/// Returns whether a step passes the items of several collections to its function together.
fn takes_rows(kind: StageKind) -> bool {
    kind.step()
        .is_some_and(|step| matches!((step.call, step.collect), (Call::Item, Collect::Results)))
}

/// Makes the job that takes the items out of a collection of any kind.
fn job_of(cx: &mut Cx, at: usize, items: Value) -> Res<Job> {
    Ok(Job::Items(at, ItemIter::pulled(cx, items)?))
}
