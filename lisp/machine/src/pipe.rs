//! Items of a range or an `iterate` on their way through stages.
//!
//! A range goes block by block: each stage is called with a block, so it costs for an item what it costs for an item of a
//! list. Blocks grow, so a walk that stops makes at most about twice the items that it takes. Items without an end go one
//! by one: what nobody asks for must not fail.

use super::cx::Cx;
use super::items::items_of;
use super::problems::invariant_violated;
use super::realizer::Puller;
use super::reducing::streamed;
use super::request::{Looked, Request};
use super::step::{Call, Choice, Collect, ItemStep};
use crate::StageStep;
use ptc_facts::registry::named;
use ptc_values::{BuiltinId, Lazy, Numbers, Origin, Pulled, Res, Seq, StageKind, Value};

/// The numbers in the first block.
pub(super) const FIRST_BLOCK: usize = 32;

/// The same if a stage may end the walk, which then often ends soon.
const FIRST_BLOCK_THAT_ENDS: usize = 8;

const LARGEST_BLOCK: usize = 1_024;

pub struct Pipe {
    of: Pulled,
    /// The steps of the stages, if items go one by one.
    single: Option<Vec<&'static ItemStep>>,
    /// The work that a call is awaited for.
    working: Working,
    /// The numbers in the next block.
    block: usize,
    /// Whether the first item of an `iterate` is taken.
    has_begun: bool,
    /// Whether a stage has ended the walk.
    is_over: bool,
    /// The items that have gone through all stages.
    items: std::vec::IntoIter<Value>,
    /// The same, if the last stage made a lazy sequence.
    lazy: Option<Puller>,
}

enum Working {
    Nothing,
    /// A stage works on a block of this number of items.
    Block(usize, usize),
    /// The function of a stage was called with this item.
    Item(usize, Value),
    /// The function of an `iterate` makes the next item.
    Request,
}

impl Pipe {
    pub(super) fn new(of: Pulled) -> Pipe {
        let ends = |(id, _): &(BuiltinId, Value)| {
            StageKind::Step(*id).step().is_some_and(|step| step.ends)
        };
        let (block, single) = match of.left() {
            Some(_) if of.stages.iter().any(ends) => (FIRST_BLOCK_THAT_ENDS, None),
            Some(_) => (FIRST_BLOCK, None),
            None => (1, singly(&of.stages)),
        };
        let items = Vec::new().into_iter();
        let (working, is_over) = (Working::Nothing, false);
        Pipe { of, single, working, block, has_begun: false, is_over, items, lazy: None }
    }

    /// Returns the next item if it is made already.
    #[inline]
    pub(super) fn at_hand(&mut self) -> Option<Value> {
        self.items.next()
    }

    /// Returns whether the next item is made already.
    pub(super) fn has_next(&self) -> bool {
        !self.items.as_slice().is_empty()
    }

    /// Looks for the next item. `got` is the result that an earlier look waits for.
    pub(super) fn pull(
        &mut self,
        cx: &mut Cx,
        stack: &mut Vec<Value>,
        mut got: Option<Value>,
    ) -> Res<Looked> {
        loop {
            match std::mem::replace(&mut self.working, Working::Nothing) {
                Working::Nothing => {}
                Working::Block(at, count) => {
                    let block = got.take().ok_or_else(invariant_violated)?;
                    self.is_over |= self.is_ended_by(at, count, &block);
                    if at + 1 < self.of.stages.len() {
                        return self.send(stack, at + 1, block);
                    }
                    self.put(cx, block)?;
                }
                Working::Item(at, item) => {
                    let result = got.take().ok_or_else(invariant_violated)?;
                    if let Some(looked) = self.choose(cx, stack, at, item, result)? {
                        return Ok(looked);
                    }
                }
                Working::Request => {
                    let next = got.take().ok_or_else(invariant_violated)?;
                    if let Some(looked) = self.begin(cx, stack, next)? {
                        return Ok(looked);
                    }
                }
            }
            if let Some(puller) = &mut self.lazy {
                match puller.pull(cx, stack, got.take())? {
                    Some(Looked::End) => self.lazy = None,
                    Some(looked) => return Ok(looked),
                    None => {
                        let rest = self.lazy.take().map(Puller::into_rest).unwrap_or_default();
                        self.put(cx, rest)?;
                    }
                }
                continue;
            }
            if let Some(item) = self.items.next() {
                return Ok(Looked::Item(item));
            }
            if self.is_over {
                return Ok(Looked::End);
            }
            if let Some(looked) = self.next(cx, stack)? {
                return Ok(looked);
            }
            if cx.pausing() {
                return Ok(Looked::Wait(Request::Pause));
            }
        }
    }

    /// Takes the next items from the origin.
    fn next(&mut self, cx: &mut Cx, stack: &mut Vec<Value>) -> Res<Option<Looked>> {
        match &mut self.of.origin {
            Origin::Numbers(numbers) if self.single.is_none() => {
                let count = numbers.at_most(self.block);
                if count == 0 {
                    return Ok(Some(Looked::End));
                }
                if numbers.left.is_some() {
                    self.block = LARGEST_BLOCK.min(self.block * 2);
                }
                cx.spend(count as u64)?;
                let block = cx.list(numbers.by_ref().take(count).map(Value::Int).collect())?;
                self.send(stack, 0, block).map(Some)
            }
            Origin::Numbers(numbers) => match numbers.next() {
                Some(number) => self.begin(cx, stack, Value::Int(number)),
                None => Ok(Some(Looked::End)),
            },
            // After its first item, the next one is the result of the function for it.
            Origin::Iterated { function, first } => {
                cx.spend(1)?;
                let mut last = [std::mem::take(first)];
                if !std::mem::replace(&mut self.has_begun, true) {
                    let [first] = last;
                    return self.begin(cx, stack, first);
                }
                if let Some(next) = cx.call_pure(function, &mut last)? {
                    return self.begin(cx, stack, next);
                }
                self.working = Working::Request;
                stack.push(function.clone());
                stack.extend(last);
                Ok(Some(Looked::Wait(Request::Call(1))))
            }
        }
    }

    /// Begins with an item of the origin. Returns none if it does not pass.
    fn begin(&mut self, cx: &mut Cx, stack: &mut Vec<Value>, item: Value) -> Res<Option<Looked>> {
        if let Origin::Iterated { first, .. } = &mut self.of.origin {
            *first = item.clone();
        }
        if self.single.is_none() {
            let block = cx.list(vec![item])?;
            return self.send(stack, 0, block).map(Some);
        }
        self.call(cx, stack, 0, item)
    }

    /// Calls the function of a stage with an item; behind the last stage, the item has gone through all. Returns none if it
    /// does not pass.
    fn call(
        &mut self,
        cx: &mut Cx,
        stack: &mut Vec<Value>,
        at: usize,
        item: Value,
    ) -> Res<Option<Looked>> {
        let Some((_, function)) = self.of.stages.get(at) else {
            return Ok(Some(Looked::Item(item)));
        };
        cx.spend(1)?;
        let mut args = [item.clone()];
        if let Some(result) = cx.call_pure(function, &mut args)? {
            return self.choose(cx, stack, at, item, result);
        }
        stack.push(function.clone());
        stack.extend(args);
        self.working = Working::Item(at, item);
        Ok(Some(Looked::Wait(Request::Call(1))))
    }

    /// Takes the result of a stage for an item. Returns none if the item does not pass.
    fn choose(
        &mut self,
        cx: &mut Cx,
        stack: &mut Vec<Value>,
        at: usize,
        item: Value,
        result: Value,
    ) -> Res<Option<Looked>> {
        let step = self.single.as_ref().and_then(|steps| steps.get(at));
        let step = step.ok_or_else(invariant_violated)?;
        let passed = match step.collect.choose(&result) {
            Choice::Result => result,
            Choice::Item => item,
            Choice::Nothing => return Ok(None),
            Choice::End => {
                self.is_over = true;
                return Ok(Some(Looked::End));
            }
            _ => return Err(invariant_violated()),
        };
        self.call(cx, stack, at + 1, passed)
    }

    /// Calls a stage with a block. Without stages, the block has gone through all.
    fn send(&mut self, stack: &mut Vec<Value>, at: usize, block: Value) -> Res<Looked> {
        let (stage, function) = self.of.stages.get(at).ok_or_else(invariant_violated)?;
        self.working = Working::Block(at, count_of(&block));
        stack.extend([Value::Builtin(*stage), function.clone(), block]);
        Ok(Looked::Wait(Request::Call(2)))
    }

    /// Returns whether a stage has stopped before the end of its block.
    fn is_ended_by(&self, at: usize, count: usize, block: &Value) -> bool {
        let stage = self.of.stages.get(at).and_then(|(id, _)| StageKind::Step(*id).step());
        stage.is_some_and(|step| step.ends) && count_of(block) < count
    }

    /// Keeps the items of a block.
    fn put(&mut self, cx: &mut Cx, block: Value) -> Res<()> {
        if Lazy::of(&block).is_some() {
            self.lazy = Some(Puller::new(block));
            return Ok(());
        }
        self.items = match block {
            Value::List(seq) => Seq::into_vec(seq).into_iter(),
            other => items_of(cx, other)?.into_iter(),
        };
        Ok(())
    }

    pub(super) fn is_endless(&self) -> bool {
        self.of.left().is_none()
    }

    /// Returns the items that nobody has looked for, as a lazy sequence.
    pub(super) fn into_lazy(self, cx: &mut Cx) -> Res {
        lazy_of(cx, &self.of, self.has_begun)
    }

    pub(super) fn each_value(&self, visit: &mut impl FnMut(&Value)) {
        self.of.each_value(visit);
        self.items.as_slice().iter().for_each(&mut *visit);
        if let Working::Item(_, item) = &self.working {
            visit(item);
        }
        if let Some(puller) = &self.lazy {
            puller.each_value(visit);
        }
    }

    pub(super) fn computes(&self, visit: &mut impl FnMut(usize)) {
        if let Some(puller) = &self.lazy {
            puller.computes(visit);
        }
    }
}

/// Makes the lazy sequence of items and the stages over them. `has_begun` tells that the first item of an `iterate` is
/// taken.
pub(super) fn lazy_of(cx: &mut Cx, pulled: &Pulled, has_begun: bool) -> Res {
    let (maker, args) = match &pulled.origin {
        Origin::Iterated { function, first } => {
            let maker = if has_begun { "ptc/iterate-after" } else { "iterate" };
            (maker, vec![function.clone(), first.clone()])
        }
        Origin::Numbers(Numbers { next, left: None, .. }) => ("ptc/from", vec![Value::Int(*next)]),
        Origin::Numbers(Numbers { next, step, left: Some(left) }) => {
            let last = i128::from(*next) + i128::from(*step) * (i128::from(*left) - 1);
            let end = Value::Int((last + i128::from(step.signum())) as i64);
            ("ptc/up-to", vec![Value::Int(*next), end, Value::Int(*step)])
        }
    };
    let is_endless = pulled.left().is_none();
    let mut sequence = cx.lazy(Lazy::unmade(named(maker), args, is_endless))?;
    for (stage, function) in &pulled.stages {
        let mut args = [Value::Builtin(*stage), function.clone(), sequence];
        sequence = streamed(cx, &mut args)?;
    }
    Ok(sequence)
}

/// Returns the steps of stages through which items can go one by one: those that pass on one item at most.
fn singly(stages: &[(BuiltinId, Value)]) -> Option<Vec<&'static ItemStep>> {
    let step = |(id, _): &(BuiltinId, Value)| {
        let step = StageKind::Step(*id).step()?;
        let is_single = step.call == Call::Item && !matches!(step.collect, Collect::Items);
        is_single.then_some(step)
    };
    stages.iter().map(step).collect()
}

fn count_of(block: &Value) -> usize {
    match block {
        Value::List(seq) => seq.len(),
        _ => usize::MAX,
    }
}
