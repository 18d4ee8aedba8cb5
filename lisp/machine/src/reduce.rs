//! `reduce` and its relatives.

use super::cx::Cx;
use super::item_iter::ItemIter;
use super::request::{CallsBack, Looked, Request};
use ptc_values::{Ext, Res, Value, reduced};

/// One value carried through a collection.
pub struct Reduce {
    pub(super) function: Value,
    so_far: Value,
    items: ItemIter,
    /// Whether items are entries of a map whose key and value are separate arguments.
    pub(super) entries: bool,
    /// All values so far, if they are kept.
    pub(super) all: Option<Vec<Value>>,
    /// Whether there is a value so far; otherwise the first item becomes it.
    has_start: bool,
    awaits: Awaits,
}

/// The meaning of the next result of a call.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Awaits {
    /// The next value so far.
    Result,
    /// A part of a lazy sequence.
    Item,
    /// The final value.
    Whole,
}

impl Reduce {
    pub(super) fn new(function: Value, so_far: Option<Value>, items: ItemIter) -> Reduce {
        Reduce {
            function,
            has_start: so_far.is_some(),
            so_far: so_far.unwrap_or_default(),
            items,
            entries: false,
            all: None,
            awaits: Awaits::Result,
        }
    }

    /// Returns the next item if it needs no other work.
    #[inline]
    pub(super) fn next_plain(&mut self) -> Option<Value> {
        if self.all.is_some() || self.entries { None } else { self.items.next() }
    }

    fn keep(&mut self) {
        if let Some(all) = &mut self.all {
            all.push(self.so_far.clone());
        }
    }

    fn done(&mut self, cx: &mut Cx) -> Res<Request> {
        let so_far = std::mem::take(&mut self.so_far);
        match self.all.take() {
            Some(all) => cx.list(all).map(Request::Done),
            None => Ok(Request::Done(so_far)),
        }
    }
}

impl CallsBack for Reduce {
    fn step(
        &mut self,
        cx: &mut Cx,
        stack: &mut Vec<Value>,
        mut got: Option<Value>,
    ) -> Res<Request> {
        match self.awaits {
            Awaits::Result => {
                if let Some(result) = got.take() {
                    match reduced(result) {
                        Ok(last) => {
                            self.so_far = last;
                            self.keep();
                            return self.done(cx);
                        }
                        Err(result) => self.so_far = result,
                    }
                    self.keep();
                }
            }
            Awaits::Item => self.awaits = Awaits::Result,
            Awaits::Whole => {
                self.so_far = got.unwrap_or_default();
                self.keep();
                return self.done(cx);
            }
        }
        let item = loop {
            match self.items.pull(cx, stack, got.take())? {
                Looked::Item(item) if self.has_start => break item,
                Looked::Item(first) => {
                    (self.so_far, self.has_start) = (first, true);
                    self.keep();
                }
                Looked::End if self.has_start => return self.done(cx),
                Looked::End => {
                    self.awaits = Awaits::Whole;
                    stack.push(std::mem::take(&mut self.function));
                    return Ok(Request::Call(0));
                }
                Looked::Wait(next) => {
                    self.awaits = Awaits::Item;
                    return Ok(next);
                }
            }
        };
        cx.spend(1)?;
        stack.push(self.function.clone());
        // The value moves out, so that the function holds the only reference to it.
        stack.push(std::mem::take(&mut self.so_far));
        if self.entries
            && let Value::Vector(entry) = &item
        {
            stack.push(entry.get(0).cloned().unwrap_or_default());
            stack.push(entry.get(1).cloned().unwrap_or_default());
            return Ok(Request::Call(3));
        }
        stack.push(item);
        Ok(Request::Call(2))
    }

    /// Takes the result `got` and replaces the arguments by the next ones. Returns false if `got` needs a full step.
    #[inline]
    fn again(&mut self, cx: &mut Cx, args: &mut [Value], got: &mut Value) -> Res<bool> {
        let [so_far, place] = args else { return Ok(false) };
        if self.all.is_some() || matches!(got, Value::Ext(ext) if !matches!(**ext, Ext::Grown(_))) {
            return Ok(false);
        }
        // A lazy sequence has no next item here, so results of its functions end here too.
        let Some(item) = self.items.next() else { return Ok(false) };
        std::mem::replace(so_far, std::mem::take(got)).done();
        std::mem::replace(place, item).done();
        cx.spend(1)?;
        Ok(true)
    }

    fn each_value(&self, visit: &mut impl FnMut(&Value)) {
        visit(&self.function);
        visit(&self.so_far);
        self.all.iter().flatten().for_each(&mut *visit);
        self.items.each_value(visit);
    }

    fn computes(&self, visit: &mut impl FnMut(usize)) {
        self.items.computes(visit);
    }
}
