//! The lazy realizer, which takes items out of a lazy sequence.

use std::sync::Arc;

use super::callback::{CallbackState, Next};
use super::cx::Cx;
use super::rest::as_seq;
use super::waiting;
use crate::code::Code;
use crate::value::{Diagnostic, Ext, Lazy, Link, Res, Seq, Value};

/// A walk along a sequence, which calls the functions of its cells.
pub(crate) struct LazyRealizer {
    /// The part of the sequence that is not walked yet.
    rest: Value,
    /// The number of items still wanted.
    left: usize,
    /// Whether the items are kept or only skipped.
    keep: bool,
    items: Vec<Value>,
    /// Cells in progress: each is the result of the function of the one before it.
    making: Vec<Arc<Ext>>,
    /// Whether another task computes the innermost of them.
    waiting: bool,
    finish: fn(&mut Cx, LazyRealizer) -> Res,
}

impl LazyRealizer {
    /// Walks `count` items along a sequence or up to its end.
    pub(crate) fn hof(
        sequence: Value,
        count: usize,
        keep: bool,
        finish: fn(&mut Cx, LazyRealizer) -> Res,
    ) -> CallbackState {
        let making = Vec::new();
        let items = Vec::new();
        let (rest, left) = (sequence, count);
        CallbackState::LazyRealizer(Box::new(LazyRealizer {
            rest,
            left,
            keep,
            items,
            making,
            waiting: false,
            finish,
        }))
    }

    pub(crate) fn into_parts(mut self) -> (Vec<Value>, Value) {
        (std::mem::take(&mut self.items), std::mem::take(&mut self.rest))
    }

    pub(super) fn step(
        &mut self,
        cx: &mut Cx,
        stack: &mut Vec<Value>,
        got: Option<Value>,
    ) -> Res<Next> {
        if let Some(result) = got {
            self.take_result(cx, result)?;
        }
        while self.left > 0 || !self.making.is_empty() {
            let next = match self.making.last() {
                Some(cell) => match &**cell {
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
                    if self.making.is_empty()
                        && let Value::Ext(cell) = &self.rest
                    {
                        self.making.push(cell.clone());
                    }
                    cx.spend(1)?;
                    self.waiting = false;
                    stack.push(function.clone());
                    stack.extend(args.iter().cloned());
                    let count = args.len();
                    self.mark(Link::Making(function, args));
                    return Ok(Next::Call(count));
                }
                // Another branch computes it, or it needs itself, which the machine detects.
                Link::Making(..) => {
                    if self.making.is_empty()
                        && let Value::Ext(cell) = &self.rest
                    {
                        self.making.push(cell.clone());
                    }
                    self.waiting = true;
                    let of = self.making.last().map_or(0, waiting::key);
                    return Ok(Next::Hold(of));
                }
                Link::Over => return Err(over()),
                made => match self.making.pop() {
                    // A cell whose function returned another cell equals that cell.
                    Some(_) => self.settle(cx, &made),
                    None => self.pass(cx, made)?,
                },
            }
        }
        let whole = LazyRealizer {
            rest: std::mem::take(&mut self.rest),
            left: 0,
            keep: self.keep,
            items: std::mem::take(&mut self.items),
            making: Vec::new(),
            waiting: false,
            finish: self.finish,
        };
        (self.finish)(cx, whole).map(Next::Done)
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

    /// Takes the result of the function of the innermost cell.
    fn take_result(&mut self, cx: &mut Cx, result: Value) -> Res<()> {
        if let Value::Ext(ext) = &result
            && let Ext::Lazy(lazy) = &**ext
        {
            match lazy.link() {
                Link::Unmade(..) | Link::Making(..) => {
                    cx.alloc(16)?;
                    self.waiting = true;
                    self.making.push(ext.clone());
                }
                made => self.settle(cx, &made),
            }
            return Ok(());
        }
        let seq = as_seq(cx, result)?;
        let made = match seq.get(0) {
            Some(first) => Link::Made(first.clone(), Value::List(Seq::skip(seq.clone(), 1))),
            None => Link::Empty,
        };
        self.settle(cx, &made);
        Ok(())
    }

    /// Gives every cell in progress the link of the innermost one.
    fn settle(&mut self, cx: &mut Cx, made: &Link) {
        self.waiting = false;
        for cell in self.making.drain(..) {
            cx.waiting.wake(waiting::key(&cell));
            if let Ext::Lazy(lazy) = &*cell {
                drop(lazy.set(made.clone()));
            }
        }
    }

    /// Sets the link of the innermost cell.
    fn mark(&self, link: Link) {
        if let Some(Ext::Lazy(lazy)) = self.making.last().map(|cell| &**cell) {
            drop(lazy.set(link));
        }
    }

    /// Visits the keys of the cells that it computes.
    pub(super) fn computes(&self, visit: &mut impl FnMut(usize)) {
        let others = usize::from(self.waiting);
        self.making.iter().rev().skip(others).for_each(|cell| visit(waiting::key(cell)));
    }

    pub(super) fn each_value(&self, visit: &mut impl FnMut(&Value)) {
        visit(&self.rest);
        self.items.iter().for_each(&mut *visit);
        self.making.iter().for_each(|cell| visit(&Value::Ext(cell.clone())));
    }
}

impl Drop for LazyRealizer {
    fn drop(&mut self) {
        // An error or the end of a branch stopped it: the next task that asks starts again.
        let others = usize::from(self.waiting);
        for cell in self.making.iter().rev().skip(others) {
            if let Ext::Lazy(lazy) = &**cell
                && let Link::Making(function, args) = lazy.link()
            {
                drop(lazy.set(Link::Unmade(function, args)));
            }
        }
    }
}

#[cold]
pub(super) fn over() -> Diagnostic {
    Diagnostic::new(Code::Unsupported, "this lazy sequence belongs to a run that has ended")
        .with_class("IllegalStateException")
        .with_help("create it again in this program")
}
