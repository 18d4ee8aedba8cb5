//! The numbers of a range on their way through stages, block by block.
//!
//! Each stage is called with a block, so it costs for an item what it costs for an item of a list. Blocks grow, so a walk
//! that stops makes at most about twice the items that it takes. Numbers without an end go one by one: what nobody asks
//! for must not fail.

use super::cx::Cx;
use super::items::items_of;
use super::next::{Looked, Next};
use super::problems::invariant_violated;
use super::realizer::Puller;
use crate::StageStep;
use ptc_values::{BuiltinId, Lazy, Numbers, Res, Seq, StageKind, Value};

/// The numbers in the first block.
pub(super) const FIRST_BLOCK: usize = 32;

const LARGEST_BLOCK: usize = 1_024;

pub struct Pipe {
    numbers: Numbers,
    /// Builtins with their functions, the first stage first.
    stages: Vec<(BuiltinId, Value)>,
    /// The stage that works on the block, and the number of items that it got.
    working: Option<(usize, usize)>,
    /// The numbers in the next block.
    block: usize,
    /// The items that have gone through all stages.
    items: std::vec::IntoIter<Value>,
    /// The same, if the last stage made a lazy sequence.
    lazy: Option<Puller>,
}

impl Pipe {
    pub(super) fn new(numbers: Numbers, stages: Vec<(BuiltinId, Value)>) -> Pipe {
        let block = if numbers.left.is_some() { FIRST_BLOCK } else { 1 };
        let items = Vec::new().into_iter();
        Pipe { numbers, stages, working: None, block, items, lazy: None }
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
            if let Some((at, count)) = self.working.take() {
                let block = got.take().ok_or_else(invariant_violated)?;
                if self.is_ended_by(at, count, &block) {
                    self.numbers.left = Some(0);
                }
                if at + 1 < self.stages.len() {
                    return self.send(stack, at + 1, block);
                }
                self.put(cx, block)?;
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
            let count = self.numbers.at_most(self.block);
            if count == 0 {
                return Ok(Looked::End);
            }
            if self.numbers.left.is_some() {
                self.block = LARGEST_BLOCK.min(self.block * 2);
            }
            cx.spend(count as u64)?;
            let block = cx.list(self.numbers.by_ref().take(count).map(Value::Int).collect())?;
            return self.send(stack, 0, block);
        }
    }

    /// Calls a stage with a block.
    fn send(&mut self, stack: &mut Vec<Value>, at: usize, block: Value) -> Res<Looked> {
        let (stage, function) = self.stages.get(at).ok_or_else(invariant_violated)?;
        self.working = Some((at, count_of(&block)));
        stack.extend([Value::Builtin(*stage), function.clone(), block]);
        Ok(Looked::Wait(Next::Call(2)))
    }

    /// Returns whether a stage has stopped before the end of its block.
    fn is_ended_by(&self, at: usize, count: usize, block: &Value) -> bool {
        let stage = self.stages.get(at).and_then(|(id, _)| StageKind::Step(*id).step());
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

    pub(super) fn each_value(&self, visit: &mut impl FnMut(&Value)) {
        self.stages.iter().for_each(|(_, function)| visit(function));
        self.items.as_slice().iter().for_each(&mut *visit);
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

fn count_of(block: &Value) -> usize {
    match block {
        Value::List(seq) => seq.len(),
        _ => usize::MAX,
    }
}
