//! The lazy realizer, which takes items out of a lazy sequence.
//!
//! A cell of a sequence is computed by a function of the language, or by a step over another
//! sequence: see [`ItemStep`]. Both may need cells of other sequences. The realizer keeps the cells in
//! progress on a stack of its own, so that any number of sequences over one another is one callback
//! state.

use std::sync::Arc;

use super::cx::Cx;
use super::problems::invariant_violated;
use super::request::{CallsBack, Looked, Request};
use super::rest::as_seq;
use super::step::{COMPUTED, Call, Collect, ItemStep, Pass};
use super::waiting;
use crate::StageStep;
use ptc_facts::registry::named;
use ptc_values::code::Code;
use ptc_values::{Diagnostic, Ext, Lazy, Link, Res, Seq, Stage, StageState, Value};

/// A walk along a sequence, which calls the functions of its cells.
pub struct LazyRealizer {
    /// The part of the sequence that is not walked yet.
    rest: Value,
    /// The number of items still wanted.
    left: usize,
    /// Whether the items are kept or only skipped.
    keep: bool,
    items: Vec<Value>,
    /// Cells in progress, the innermost last.
    making: Vec<Making>,
    /// Whether another task computes the innermost of them.
    waiting: bool,
    finish: fn(&mut Cx, LazyRealizer) -> Res,
}

/// A cell in progress.
struct Making {
    cell: Arc<Ext>,
    /// Whether the step of the cell before it takes items out of it. Otherwise it is the result of
    /// the function of the cell before it.
    is_source: bool,
    /// The step that computes it, if one does.
    work: Option<Work>,
}

/// A step on the way to the next item that it passes on.
struct Work {
    step: &'static ItemStep,
    /// The step as a value, which keeps the state between cells.
    stage: Value,
    state: StageState,
    /// The count, the flag and the length of the group of the state before this cell.
    before: (u64, bool, usize),
    /// Whether it gives the further items of a long group.
    is_tail: bool,
    source: Value,
    /// The item whose result is awaited.
    item: Option<Value>,
}

/// The progress of a step.
enum Progress {
    Made(Link),
    /// The cell is the first one of this sequence.
    Becomes(Value),
    /// It needs this cell of its source.
    Needs(Arc<Ext>),
    /// It needs a call with this number of arguments.
    Call(usize),
    /// It looks for another item.
    More,
}

/// Takes one item after another out of a lazy sequence.
pub struct Puller {
    pub(super) rest: Value,
    /// The sequence from the last item on.
    last: Value,
    maker: LazyRealizer,
}

impl LazyRealizer {
    /// Walks `left` items along a sequence or up to its end.
    pub fn new(
        rest: Value,
        left: usize,
        keep: bool,
        finish: fn(&mut Cx, LazyRealizer) -> Res,
    ) -> LazyRealizer {
        let (items, making) = (Vec::new(), Vec::new());
        LazyRealizer { rest, left, keep, items, making, waiting: false, finish }
    }

    /// Walks to the end of a long group, then makes the items that follow it.
    pub fn behind(tail: Value, stage: Value) -> LazyRealizer {
        let mut walk = LazyRealizer::new(tail, usize::MAX, false, |cx, mut walk| {
            let stage = walk.items.pop().unwrap_or_default();
            let Some(tail) = Stage::of(&stage) else { return Err(invariant_violated()) };
            // A copy: after an error in the next group, this is done again.
            let (last, mut group) = {
                let state = tail.state();
                (state.last.clone(), state.group.clone())
            };
            let Some(source) = group.pop() else { return cx.list(Vec::new()) };
            let state = StageState { last, group, ..StageState::default() };
            let next = Stage::transducer(tail.kind, tail.arg.clone(), Value::Nil);
            let endless = Lazy::of(&source).is_some_and(Lazy::is_endless);
            let next = cx.stage(next.remembering(state), true)?;
            cx.lazy(Lazy::unmade(next, vec![source], endless))
        });
        walk.items.push(stage);
        walk
    }

    pub fn into_parts(mut self) -> (Vec<Value>, Value) {
        (std::mem::take(&mut self.items), std::mem::take(&mut self.rest))
    }

    /// Takes the progress of the step of the innermost cell.
    fn go_on(&mut self, cx: &mut Cx, progress: Progress) -> Res<()> {
        match progress {
            Progress::Made(link) => self.settle(cx, &link),
            Progress::Needs(cell) => {
                cx.alloc(16)?;
                self.waiting = true;
                self.making.push(Making { cell, is_source: true, work: None });
            }
            Progress::Becomes(sequence) => {
                if let Some(mut work) = self.making.last_mut().and_then(|it| it.work.take()) {
                    work.keep();
                }
                self.take_result(cx, sequence)?;
            }
            Progress::More | Progress::Call(_) => {}
        }
        Ok(())
    }

    /// Begins with the first cell of the rest, unless a cell is in progress.
    fn begin(&mut self) {
        if self.making.is_empty()
            && let Value::Ext(cell) = &self.rest
        {
            self.making.push(Making { cell: cell.clone(), is_source: false, work: None });
        }
    }

    /// Takes the first item of a realized cell.
    fn pass(&mut self, cx: &mut Cx, made: Link) -> Res<()> {
        if let Link::Made(first, rest) = made {
            if self.keep {
                cx.alloc(16)?;
                self.items.push(first);
            }
            self.left -= 1;
            cx.spend(1)?;
            self.rest = rest;
        } else {
            self.rest = Value::Nil;
            self.left = 0;
        }
        Ok(())
    }

    /// Takes the items of a rest that is an ordinary collection.
    fn finite(&mut self, cx: &mut Cx) -> Res<()> {
        let seq = as_seq(cx, std::mem::take(&mut self.rest))?;
        let count = self.left.min(seq.len());
        cx.spend(count as u64)?;
        if self.keep {
            cx.alloc(count as u64 * 16)?;
            self.items.extend(seq.iter().take(count).cloned());
        }
        self.rest = Value::List(Seq::skip(seq, count));
        self.left = 0;
        Ok(())
    }

    /// Takes the result of the function of the innermost cell, or of the function of its step.
    fn take_result(&mut self, cx: &mut Cx, result: Value) -> Res<()> {
        if let Some(Making { work: Some(work), .. }) = self.making.last_mut()
            && work.item.is_some()
        {
            let progress = work.answer(cx, result)?;
            return self.go_on(cx, progress);
        }
        if let Value::Ext(ext) = &result
            && let Ext::Lazy(lazy) = &**ext
        {
            match lazy.link() {
                Link::Unmade(..) | Link::Making(..) => {
                    cx.alloc(16)?;
                    self.waiting = true;
                    self.making.push(Making { cell: ext.clone(), is_source: false, work: None });
                }
                made => self.settle(cx, &made),
            }
            return Ok(());
        }
        let made = match as_seq(cx, result)? {
            seq if seq.is_empty() => Link::Empty,
            seq => {
                Link::Made(seq.front(0).unwrap_or_default(), Value::List(Seq::skip(seq.clone(), 1)))
            }
        };
        self.settle(cx, &made);
        Ok(())
    }

    /// Gives the innermost cell its link, and the cells that equal it.
    fn settle(&mut self, cx: &mut Cx, made: &Link) {
        self.waiting = false;
        while let Some(mut making) = self.making.pop() {
            if let Some(work) = &mut making.work {
                work.keep();
            }
            cx.waiting.wake(waiting::key(&making.cell));
            if let Ext::Lazy(lazy) = &*making.cell {
                drop(lazy.set(made.clone()));
            }
            if making.is_source {
                break;
            }
        }
    }

    /// Sets the link of the innermost cell.
    fn mark(&self, link: Link) {
        if let Some(Ext::Lazy(lazy)) = self.making.last().map(|making| &*making.cell) {
            drop(lazy.set(link));
        }
    }
}

impl CallsBack for LazyRealizer {
    fn step(&mut self, cx: &mut Cx, stack: &mut Vec<Value>, got: Option<Value>) -> Res<Request> {
        if let Some(result) = got {
            self.take_result(cx, result)?;
        }
        while self.left > 0 || !self.making.is_empty() {
            if cx.pausing() {
                return Ok(Request::Pause);
            }
            let next = match self.making.last_mut() {
                Some(Making { work: Some(work), .. }) => {
                    match work.advance(cx, stack)? {
                        Progress::Call(count) => return Ok(Request::Call(count)),
                        progress => self.go_on(cx, progress)?,
                    }
                    continue;
                }
                Some(making) => match &*making.cell {
                    Ext::Lazy(lazy) => lazy.link(),
                    _ => Link::Empty,
                },
                None => match Lazy::of(&self.rest) {
                    Some(lazy) => lazy.link(),
                    None => {
                        self.finite(cx)?;
                        break;
                    }
                },
            };
            match next {
                Link::Unmade(function, args) => {
                    self.begin();
                    cx.spend(1)?;
                    self.waiting = false;
                    self.mark(Link::Making(function.clone(), args.clone()));
                    if let Some(work) = Work::of(&function, &args) {
                        if let Some(making) = self.making.last_mut() {
                            making.work = Some(work);
                        }
                        continue;
                    }
                    stack.push(function);
                    stack.extend(args.iter().cloned());
                    return Ok(Request::Call(args.len()));
                }
                // Another branch computes it, or it needs itself, which the machine detects.
                Link::Making(..) => {
                    self.begin();
                    self.waiting = true;
                    let of = self.making.last().map_or(0, |making| waiting::key(&making.cell));
                    return Ok(Request::Hold(of));
                }
                Link::Over => return Err(over()),
                made if self.making.is_empty() => self.pass(cx, made)?,
                made => self.settle(cx, &made),
            }
        }
        let rest = std::mem::take(&mut self.rest);
        let mut whole = LazyRealizer::new(rest, 0, self.keep, self.finish);
        whole.items = std::mem::take(&mut self.items);
        (self.finish)(cx, whole).map(Request::Done)
    }

    fn each_value(&self, visit: &mut impl FnMut(&Value)) {
        visit(&self.rest);
        self.items.iter().for_each(&mut *visit);
        for making in &self.making {
            visit(&Value::Ext(making.cell.clone()));
            if let Some(work) = &making.work {
                work.item.iter().chain([&work.source]).for_each(&mut *visit);
                work.state.each_value(visit);
            }
        }
    }

    /// Visits the keys of the cells that it computes.
    fn computes(&self, visit: &mut impl FnMut(usize)) {
        let others = usize::from(self.waiting);
        let own = self.making.iter().rev().skip(others);
        own.for_each(|making| visit(waiting::key(&making.cell)));
    }
}

impl Drop for LazyRealizer {
    fn drop(&mut self) {
        // An error or the end of a branch stopped it: the next task that asks starts again.
        let others = usize::from(self.waiting);
        for making in self.making.iter_mut().rev().skip(others) {
            if let Some(work) = &mut making.work {
                work.undo();
            }
            if let Ext::Lazy(lazy) = &*making.cell
                && let Link::Making(function, args) = lazy.link()
            {
                drop(lazy.set(Link::Unmade(function, args)));
            }
        }
    }
}

impl Work {
    /// Begins with a cell whose function is a step and whose argument is its source.
    fn of(function: &Value, args: &[Value]) -> Option<Work> {
        let stage = Stage::of(function)?;
        let [source] = args else { return None };
        let step = stage.kind.step()?;
        let state = stage.forget();
        Some(Work {
            step,
            stage: function.clone(),
            before: (state.count, state.begun, state.group.len()),
            is_tail: stage.more.truthy(),
            state,
            source: source.clone(),
            item: None,
        })
    }

    /// Continues up to the next item that passes, or up to a call.
    fn advance(&mut self, cx: &mut Cx, stack: &mut Vec<Value>) -> Res<Progress> {
        let Some(item) = (match self.next(cx)? {
            Ok(item) => item,
            Err(cell) => return Ok(Progress::Needs(cell)),
        }) else {
            let group = std::mem::take(&mut self.state.group);
            return Ok(Progress::Made(if group.is_empty() || self.is_tail {
                Link::Empty
            } else {
                Link::Made(cx.list(group)?, Value::empty_list())
            }));
        };
        let call = self.step.call;
        match call {
            Call::Nothing => {
                self.item = Some(item);
                return self.answer(cx, Value::Nil);
            }
            Call::Key if !may_hold_lazy(&item) => {
                self.item = Some(item.clone());
                return self.answer(cx, item);
            }
            Call::Key => stack.push(named("ptc/realized")),
            Call::Item | Call::Indexed => {
                stack.push(
                    Stage::of(&self.stage).map(|stage| stage.arg.clone()).unwrap_or_default(),
                );
            }
        }
        if call == Call::Indexed {
            stack.push(Value::Int(self.state.next_index()));
        }
        stack.push(item.clone());
        self.item = Some(item);
        Ok(Progress::Call(if call == Call::Indexed { 2 } else { 1 }))
    }

    /// Takes the next item of the source; returns the cell that must be computed first.
    fn next(&mut self, cx: &mut Cx) -> Res<Result<Option<Value>, Arc<Ext>>> {
        if let Value::Ext(cell) = &self.source
            && let Ext::Lazy(lazy) = &**cell
        {
            return match lazy.link() {
                Link::Made(first, rest) => {
                    cx.spend(1)?;
                    self.source = rest;
                    Ok(Ok(Some(first)))
                }
                Link::Empty => Ok(Ok(None)),
                Link::Unmade(..) | Link::Making(..) => Ok(Err(cell.clone())),
                Link::Over => Err(over()),
            };
        }
        let seq = as_seq(cx, std::mem::take(&mut self.source))?;
        let first = seq.front(0);
        if first.is_some() {
            cx.spend(1)?;
            self.source = Value::List(Seq::skip(seq, 1));
        }
        Ok(Ok(first))
    }

    /// Takes the result for the item.
    fn answer(&mut self, cx: &mut Cx, result: Value) -> Res<Progress> {
        let item = self.item.take().unwrap_or_default();
        let choice = self.step.collect.choose(&result);
        let pass = match Stage::of(&self.stage) {
            Some(stage) => choice.pass(cx, &mut self.state, &stage.arg, item, result)?,
            None => Pass::End,
        };
        let pass = if self.is_tail { self.pass_of_tail(pass) } else { pass };
        // The items of a result follow one another.
        let pass = match (self.step.collect, pass) {
            (Collect::Items, Pass::One(value)) => Pass::Items(value),
            (_, pass) => pass,
        };
        Ok(Progress::Made(match pass {
            Pass::Nothing if self.has_long_group() => self.long_group(cx)?,
            Pass::Nothing => return Ok(Progress::More),
            Pass::One(value) => Link::Made(value, self.others(cx)?),
            Pass::Two(first, second) => {
                let others = self.others(cx)?;
                Link::Made(first, cx.lazy(Lazy::cons(second, others))?)
            }
            Pass::Items(value) => {
                let args = vec![value, self.others(cx)?];
                return cx
                    .lazy(Lazy::unmade(named("ptc/append"), args, false))
                    .map(Progress::Becomes);
            }
            Pass::Group(group, next) => {
                self.state.group.extend(next);
                Link::Made(cx.list(group)?, self.others(cx)?)
            }
            Pass::Last(value) => Link::Made(value, Value::empty_list()),
            Pass::Rest(first) => Link::Made(first, std::mem::take(&mut self.source)),
            Pass::End => Link::Empty,
        }))
    }

    /// Returns the sequence behind this cell.
    fn others(&mut self, cx: &mut Cx) -> Res {
        let source = std::mem::take(&mut self.source);
        let ends = self.step.ends || self.is_tail;
        let endless = !ends && Lazy::of(&source).is_some_and(Lazy::is_endless);
        cx.alloc(16)?;
        cx.lazy(Lazy::unmade(self.stage.clone(), vec![source], endless))
    }

    /// Returns whether the group may have no end: its items decide about that, not their number.
    fn has_long_group(&self) -> bool {
        self.step.call == Call::Item && self.state.group.len() > COMPUTED
    }

    /// Passes on a group before its end is known. Its further items are cells of a stage of their own, which leaves the
    /// state behind the group to [`LazyRealizer::behind`].
    fn long_group(&mut self, cx: &mut Cx) -> Res<Link> {
        let mut state = std::mem::take(&mut self.state);
        let group = std::mem::take(&mut state.group);
        // The rule compares an item with a group that is not empty.
        state.group.extend(group.last().cloned());
        let source = std::mem::take(&mut self.source);
        let endless = Lazy::of(&source).is_some_and(Lazy::is_endless);
        let Some(stage) = Stage::of(&self.stage) else { return Err(invariant_violated()) };
        let tail = Stage::transducer(stage.kind, stage.arg.clone(), Value::Bool(true));
        let tail = cx.stage(tail.remembering(state), true)?;
        cx.alloc(group.len() as u64 * 16 + 80)?;
        let more = cx.lazy(Lazy::unmade(tail.clone(), vec![source], false))?;
        let parts = vec![cx.list(group)?, more.clone()];
        let whole = cx.lazy(Lazy::unmade(named("ptc/append"), parts, false))?;
        let behind = Lazy::unmade(named("ptc/behind"), vec![more, tail], endless);
        Ok(Link::Made(whole, cx.lazy(behind)?))
    }

    /// Passes on an item of a long group. At its end the state is that of the next group, with the source behind it.
    fn pass_of_tail(&mut self, pass: Pass) -> Pass {
        match pass {
            Pass::Nothing => self.state.group.pop().map_or(Pass::End, Pass::One),
            Pass::Group(_, next) => {
                self.state.group.extend(next);
                self.state.group.push(std::mem::take(&mut self.source));
                Pass::End
            }
            other => other,
        }
    }

    /// Keeps the state for the next cell.
    fn keep(&mut self) {
        if let Some(stage) = Stage::of(&self.stage) {
            *stage.state() = std::mem::take(&mut self.state);
        }
    }

    /// Keeps the state from before the cell, which will be computed again.
    fn undo(&mut self) {
        let (count, begun, grouped) = self.before;
        (self.state.count, self.state.begun) = (count, begun);
        self.state.group.truncate(grouped);
        self.keep();
    }
}

impl Puller {
    pub(super) fn new(sequence: Value) -> Puller {
        let maker = LazyRealizer::new(Value::Nil, 0, false, |_, _| Ok(Value::Nil));
        Puller { rest: sequence, last: Value::Nil, maker }
    }

    /// Looks for the next item; returns none where the rest is an ordinary collection.
    pub(super) fn pull(
        &mut self,
        cx: &mut Cx,
        stack: &mut Vec<Value>,
        mut got: Option<Value>,
    ) -> Res<Option<Looked>> {
        loop {
            if got.is_some() || !self.maker.making.is_empty() {
                match self.maker.step(cx, stack, got.take())? {
                    Request::Done(_) => {}
                    next => return Ok(Some(Looked::Wait(next))),
                }
            }
            let Value::Ext(cell) = &self.rest else { return Ok(None) };
            let Ext::Lazy(lazy) = &**cell else { return Ok(None) };
            match lazy.link() {
                Link::Made(first, rest) => {
                    self.last = std::mem::replace(&mut self.rest, rest);
                    return Ok(Some(Looked::Item(first)));
                }
                Link::Empty => return Ok(Some(Looked::End)),
                Link::Unmade(..) | Link::Making(..) => {
                    self.maker.waiting = true;
                    let cell = cell.clone();
                    self.maker.making.push(Making { cell, is_source: false, work: None });
                }
                Link::Over => return Err(over()),
            }
        }
    }

    pub(super) fn into_rest(self) -> Value {
        self.rest
    }

    /// Returns the sequence from the last item on.
    pub(super) fn into_last(self) -> Value {
        self.last
    }

    pub(super) fn each_value(&self, visit: &mut impl FnMut(&Value)) {
        visit(&self.rest);
        visit(&self.last);
        self.maker.each_value(visit);
    }

    pub(super) fn computes(&self, visit: &mut impl FnMut(usize)) {
        self.maker.computes(visit);
    }
}

fn may_hold_lazy(value: &Value) -> bool {
    value.depth() > 0 || matches!(value, Value::Ext(_))
}

#[cold]
pub(super) fn over() -> Diagnostic {
    Diagnostic::new(Code::Unsupported, "this lazy sequence belongs to a run that has ended")
        .with_class("IllegalStateException")
        .with_help("create it again in this program")
}
