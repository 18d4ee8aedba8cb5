//! The first items of a range or of stages over it, for a builtin that needs no others.

use super::cx::Cx;
use super::item_iter::ItemIter;
use super::problems::invariant_violated;
use super::request::{CallsBack, Looked, Request};
use ptc_values::{BuiltinId, Res, Value};

/// A builtin that gets the first items in a list.
pub struct Taken {
    id: BuiltinId,
    args: Vec<Value>,
    /// The argument that is the collection.
    at: usize,
    items: ItemIter,
    /// The number of items still wanted.
    left: usize,
    first: Vec<Value>,
}

impl Taken {
    /// Makes the call of a builtin with the first `left` items of its argument at `at`.
    pub(super) fn new(
        cx: &mut Cx,
        id: BuiltinId,
        mut args: Vec<Value>,
        at: usize,
        left: usize,
    ) -> Res<Taken> {
        let items = args.get_mut(at).map(std::mem::take).ok_or_else(invariant_violated)?;
        let items = ItemIter::pulled(cx, items)?;
        Ok(Taken { id, args, at, items, left, first: Vec::new() })
    }
}

impl CallsBack for Taken {
    fn step(
        &mut self,
        cx: &mut Cx,
        stack: &mut Vec<Value>,
        mut got: Option<Value>,
    ) -> Res<Request> {
        while self.left > 0 {
            match self.items.pull(cx, stack, got.take())? {
                Looked::Item(item) => {
                    cx.spend(1)?;
                    cx.alloc(16)?;
                    self.first.push(item);
                    self.left -= 1;
                }
                Looked::End => break,
                Looked::Wait(next) => return Ok(next),
            }
            if cx.pausing() {
                return Ok(Request::Pause);
            }
        }
        let first = cx.list(std::mem::take(&mut self.first))?;
        *self.args.get_mut(self.at).ok_or_else(invariant_violated)? = first;
        cx.call(self.id, &mut self.args).map(Request::Done)
    }

    fn each_value(&self, visit: &mut impl FnMut(&Value)) {
        self.args.iter().chain(&self.first).for_each(&mut *visit);
        self.items.each_value(visit);
    }

    fn computes(&self, visit: &mut impl FnMut(usize)) {
        self.items.computes(visit);
    }
}
