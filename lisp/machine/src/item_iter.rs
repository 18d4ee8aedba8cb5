//! Iteration over the items of a collection, across suspensions.

use std::sync::Arc;

use super::cx::Cx;
use super::items::{copied, pay_for_copy};
use super::pipe::Pipe;
use super::realizer::Puller;
use super::request::Looked;
use ptc_values::{Lazy, Numbers, Origin, Pulled, Res, Seq, Value, Vector};

/// The number of items of a range that a result has room for at first.
const ROOM: usize = 1_024;

pub enum ItemIter {
    /// Unshared items.
    Own(std::vec::IntoIter<Value>),
    /// Items of a vector that may be shared, from a position on.
    Vector(Arc<Vector>, usize),
    /// Items of a sequence that may be shared, from a position on.
    Seq(Arc<Seq>, usize),
    /// The integers of a range.
    Numbers(Box<Numbers>),
    /// Items that went through stages. Only `pull` makes the next ones.
    Pipe(Box<Pipe>),
    /// Items of a lazy sequence, which only `pull` takes.
    Lazy(Box<Puller>),
}

impl ItemIter {
    /// Returns the items of any collection; `nil` has none. Pays for copying many items, because
    /// the caller may stop at the first.
    pub fn of(cx: &mut Cx, value: Value) -> Res<ItemIter> {
        Ok(match value {
            Value::Vector(vector) if Arc::strong_count(&vector) == 1 => {
                ItemIter::Own(Vector::into_vec(vector).into_iter())
            }
            Value::Vector(vector) => ItemIter::Vector(vector, 0),
            Value::List(seq) => {
                if let Some(numbers) = seq.unbuilt() {
                    return Ok(ItemIter::Numbers(Box::new(numbers)));
                }
                if seq.is_unmade() {
                    pay_for_copy(cx, seq.len(), 112)?;
                }
                if Seq::is_own(&seq) {
                    ItemIter::Own(Seq::into_vec(seq).into_iter())
                } else {
                    ItemIter::Seq(seq, 0)
                }
            }
            other => ItemIter::Own(copied(cx, other)?.into_iter()),
        })
    }

    /// Returns the items of any collection, or of a lazy sequence.
    pub fn pulled(cx: &mut Cx, value: Value) -> Res<ItemIter> {
        if Lazy::of(&value).is_some() {
            return Ok(ItemIter::Lazy(Box::new(Puller::new(value))));
        }
        if let Some(pulled) = Pulled::of(&value) {
            return Ok(match &pulled.origin {
                Origin::Numbers(numbers) if pulled.stages.is_empty() => {
                    ItemIter::Numbers(Box::new(numbers.clone()))
                }
                _ => ItemIter::Pipe(Box::new(Pipe::new(pulled.clone()))),
            });
        }
        ItemIter::of(cx, value)
    }

    /// Returns the items as [`ItemIter::pulled`] does, for a caller that may want the rest. A
    /// collection that can
    /// share its rest is not unpacked, so [`ItemIter::into_rest`] copies nothing.
    pub fn kept(cx: &mut Cx, value: Value) -> Res<ItemIter> {
        Ok(match value {
            Value::Vector(vector) => ItemIter::Vector(vector, 0),
            Value::List(seq) if seq.is_unbuilt() => ItemIter::of(cx, Value::List(seq))?,
            Value::List(seq) => {
                if seq.is_unmade() {
                    pay_for_copy(cx, seq.len(), 112)?;
                }
                ItemIter::Seq(seq, 0)
            }
            other => match Pulled::of(&other) {
                Some(pulled) if pulled.left().is_none() => {
                    ItemIter::Pipe(Box::new(Pipe::new(pulled.clone())))
                }
                _ => ItemIter::pulled(cx, other)?,
            },
        })
    }

    /// Looks for the next item. `got` is the result that an earlier look waits for.
    #[inline]
    pub(super) fn pull(
        &mut self,
        cx: &mut Cx,
        stack: &mut Vec<Value>,
        got: Option<Value>,
    ) -> Res<Looked> {
        if let ItemIter::Pipe(pipe) = self {
            return pipe.pull(cx, stack, got);
        }
        if let ItemIter::Lazy(puller) = self {
            if let Some(pulled) = puller.pull(cx, stack, got)? {
                return Ok(pulled);
            }
            // The rest is an ordinary collection.
            let rest = std::mem::take(&mut puller.rest);
            *self = ItemIter::kept(cx, rest)?;
        }
        Ok(self.next().map_or(Looked::End, Looked::Item))
    }

    /// Returns whether its next item may need calls.
    pub fn is_lazy(&self) -> bool {
        matches!(self, ItemIter::Lazy(_) | ItemIter::Pipe(_))
    }

    /// Returns whether its items are not in memory, so that nobody has paid for their places.
    pub(super) fn is_unpaid(&self) -> bool {
        matches!(self, ItemIter::Numbers(_))
    }

    /// Returns whether its remaining items can be a lazy sequence.
    pub(super) fn can_wait(&self) -> bool {
        match self {
            ItemIter::Lazy(_) => true,
            ItemIter::Pipe(pipe) => pipe.is_endless(),
            _ => false,
        }
    }

    /// Returns the remaining items as a lazy sequence, if they can be one.
    pub(super) fn into_lazy(self, cx: &mut Cx) -> Res {
        match self {
            ItemIter::Lazy(puller) => Ok(puller.into_rest()),
            ItemIter::Pipe(pipe) => pipe.into_lazy(cx),
            _ => Ok(Value::empty_list()),
        }
    }

    /// Returns `last`, the last item taken, and the remaining items as a sequence.
    pub fn into_rest(self, cx: &mut Cx, last: Value) -> Res {
        let rest = match self {
            ItemIter::Own(items) => Seq::new(std::iter::once(last).chain(items).collect()),
            ItemIter::Vector(vector, at) => Seq::of_vector(vector, at.saturating_sub(1)),
            // The iterator drops the cells it has passed, so its position is 0.
            ItemIter::Seq(seq, 0) => Seq::cons(last, Seq::plain(seq)),
            ItemIter::Seq(seq, at) => Seq::behind(seq, at - 1),
            ItemIter::Numbers(numbers) => {
                cx.alloc(64)?;
                return Ok(Value::List(Arc::new(Seq::of_range(&numbers.back()))));
            }
            // No builtin that wants the rest gets such items.
            ItemIter::Pipe(_) => Seq::new(vec![last]),
            ItemIter::Lazy(puller) => return Ok(puller.into_last()),
        };
        cx.seq(rest)
    }

    /// Returns the number of remaining items that a result has room for at first.
    pub fn room(&self) -> usize {
        match self {
            ItemIter::Numbers(_) => self.remaining().min(ROOM),
            _ => self.remaining(),
        }
    }

    /// Returns the number of remaining items, as far as it is known.
    pub fn remaining(&self) -> usize {
        match self {
            ItemIter::Own(items) => items.len(),
            ItemIter::Vector(vector, at) => vector.len().saturating_sub(*at),
            ItemIter::Seq(seq, at) => seq.len().saturating_sub(*at),
            ItemIter::Numbers(numbers) => numbers.at_most(usize::MAX),
            ItemIter::Lazy(_) | ItemIter::Pipe(_) => 0,
        }
    }

    /// Visits the remaining items, for counting live bytes.
    pub(super) fn each_value(&self, visit: &mut impl FnMut(&Value)) {
        match self {
            ItemIter::Own(items) => items.as_slice().iter().for_each(visit),
            ItemIter::Vector(vector, at) => vector.iter_from(*at).for_each(visit),
            ItemIter::Seq(seq, at) => seq.iter_from(*at).for_each(visit),
            ItemIter::Numbers(_) => {}
            ItemIter::Pipe(pipe) => pipe.each_value(visit),
            ItemIter::Lazy(puller) => puller.each_value(visit),
        }
    }

    /// Visits the keys of the cells that it computes.
    pub(super) fn computes(&self, visit: &mut impl FnMut(usize)) {
        match self {
            ItemIter::Lazy(puller) => puller.computes(visit),
            ItemIter::Pipe(pipe) => pipe.computes(visit),
            _ => {}
        }
    }
}

impl Iterator for ItemIter {
    type Item = Value;

    #[inline(always)]
    #[expect(clippy::inline_always, reason = "what a builtin does for every item")]
    fn next(&mut self) -> Option<Value> {
        match self {
            ItemIter::Own(items) => items.next(),
            shared => shared.next_shared(),
        }
    }
}

impl ItemIter {
    /// Returns the next item of a collection that may be shared.
    #[inline(never)]
    fn next_shared(&mut self) -> Option<Value> {
        match self {
            ItemIter::Vector(vector, at) => {
                let item = vector.get(*at)?.clone();
                *at += 1;
                Some(item)
            }
            ItemIter::Seq(seq, at) => Seq::step(seq, at),
            ItemIter::Numbers(numbers) => numbers.next().map(Value::Int),
            ItemIter::Pipe(pipe) => pipe.at_hand(),
            ItemIter::Own(_) | ItemIter::Lazy(_) => None,
        }
    }
}

/// Returns the items of several collections by position, up to the end of the shortest.
pub fn rows_of(cx: &mut Cx, collections: Vec<Value>) -> Res<Vec<Value>> {
    let mut inputs = Vec::with_capacity(collections.len());
    for collection in collections {
        inputs.push(ItemIter::pulled(cx, collection)?);
    }
    let count = inputs.iter().map(ItemIter::remaining).min().unwrap_or(0);
    let places = (count as u64).saturating_mul(inputs.len() as u64);
    cx.spend(places)?;
    cx.alloc(places.saturating_mul(16).saturating_add((count as u64).saturating_mul(80)))?;
    let mut rows = Vec::with_capacity(count);
    for _ in 0..count {
        let row = Seq::new(inputs.iter_mut().filter_map(Iterator::next).collect());
        cx.depth(row.depth())?;
        rows.push(Value::List(Arc::new(row)));
    }
    Ok(rows)
}
