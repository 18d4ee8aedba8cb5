//! Sequences: what `map`, `filter`, `rest`, `cons` and the like make.
//!
//! A fresh one owns its block; `rest` of anything is a view into the block it came from; `cons`
//! and `conj` put one cell in front. So each of these costs a constant, as in Clojure.

use std::sync::Arc;

use super::drop::{SHALLOW, drop_all};
use super::vector::{Vector, VectorIter};
use super::{Value, depth_above};

/// An immutable sequence of values.
#[derive(Default)]
pub struct Seq {
    repr: Repr,
    len: usize,
    depth: u32,
    /// Whether it is a list that a program wrote or made, and not a sequence of something else.
    list: bool,
}

enum Repr {
    /// A block of its own.
    Own(Vec<Value>),
    /// The end of a vector, from a position on.
    OfVector(Arc<Vector>, usize),
    /// The end of a sequence that owns its block.
    OfSeq(Arc<Seq>, usize),
    /// One value in front of another sequence.
    Cons(Value, Arc<Seq>),
}

impl Default for Repr {
    fn default() -> Repr {
        Repr::Own(Vec::new())
    }
}

impl Seq {
    /// A sequence of these items.
    pub fn new(items: Vec<Value>) -> Seq {
        let depth = depth_above(&items);
        Seq { len: items.len(), repr: Repr::Own(items), depth, list: false }
    }

    /// The items of a vector from a position on, without copying them.
    pub(crate) fn of_vector(vector: Arc<Vector>, start: usize) -> Seq {
        let len = vector.len().saturating_sub(start);
        Seq { len, depth: vector.depth(), repr: Repr::OfVector(vector, start), list: false }
    }

    /// One value in front of a sequence.
    pub(crate) fn cons(first: Value, rest: Arc<Seq>) -> Seq {
        let depth = rest.depth.max(first.depth() + 1);
        Seq { len: rest.len + 1, repr: Repr::Cons(first, rest), depth, list: false }
    }

    /// The sequence without its first `count` items.
    pub(crate) fn skip(mut this: Arc<Seq>, count: usize) -> Arc<Seq> {
        let mut count = count.min(this.len);
        while count > 0 {
            let next = match &this.repr {
                Repr::Cons(_, rest) => {
                    count -= 1;
                    rest.clone()
                }
                Repr::Own(_) => {
                    let (len, depth, list) = (this.len - count, this.depth, this.list);
                    return Arc::new(Seq { len, depth, list, repr: Repr::OfSeq(this, count) });
                }
                Repr::OfVector(..) | Repr::OfSeq(..) => {
                    return Seq::advance(this, count);
                }
            };
            this = next;
        }
        this
    }

    /// Moves a view forward, in place when nobody else holds it.
    fn advance(mut this: Arc<Seq>, count: usize) -> Arc<Seq> {
        if let Some(own) = Arc::get_mut(&mut this) {
            own.len -= count;
            if let Repr::OfVector(_, start) | Repr::OfSeq(_, start) = &mut own.repr {
                *start += count;
            }
            return this;
        }
        let repr = match &this.repr {
            Repr::OfVector(base, start) => Repr::OfVector(base.clone(), start + count),
            Repr::OfSeq(base, start) => Repr::OfSeq(base.clone(), start + count),
            Repr::Own(_) | Repr::Cons(..) => return Seq::skip(this, count),
        };
        Arc::new(Seq { len: this.len - count, depth: this.depth, list: this.list, repr })
    }

    /// The same items as a list.
    pub(crate) fn into_list(mut self) -> Seq {
        self.list = true;
        self
    }

    /// The same items as a sequence that is no list.
    pub(crate) fn plain(this: Arc<Seq>) -> Arc<Seq> {
        if !this.list {
            return this;
        }
        let (len, depth) = (this.len, this.depth);
        let repr = match &this.repr {
            Repr::Own(_) => Repr::OfSeq(this, 0),
            Repr::OfVector(base, start) => Repr::OfVector(base.clone(), *start),
            Repr::OfSeq(base, start) => Repr::OfSeq(base.clone(), *start),
            Repr::Cons(first, rest) => Repr::Cons(first.clone(), rest.clone()),
        };
        Arc::new(Seq { len, depth, list: false, repr })
    }

    /// Whether it is a list that a program wrote or made.
    pub(crate) fn is_list(&self) -> bool {
        self.list
    }

    /// How many items it has.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether it has no items.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// The item at a position; walks the cells that `cons` put in front.
    pub fn get(&self, index: usize) -> Option<&Value> {
        let (mut seq, mut index) = (self, index);
        loop {
            match &seq.repr {
                Repr::Own(items) => return items.get(index),
                Repr::OfVector(base, start) => return base.get(start + index),
                Repr::OfSeq(base, start) => {
                    index += start;
                    seq = base;
                }
                Repr::Cons(first, _) if index == 0 => return Some(first),
                Repr::Cons(_, rest) => {
                    index -= 1;
                    seq = rest;
                }
            }
        }
    }

    /// The items in order.
    pub fn iter(&self) -> SeqIter<'_> {
        SeqIter { block: VectorIter::Flat([].iter()), rest: Some((self, 0)) }
    }

    pub(crate) fn depth(&self) -> u32 {
        self.depth
    }

    /// The items as a block of their own, without copying when nobody else holds the sequence.
    pub(crate) fn into_vec(this: Arc<Seq>) -> Vec<Value> {
        match Arc::try_unwrap(this) {
            Ok(mut own) => match std::mem::take(&mut own.repr) {
                Repr::Own(items) => {
                    own.depth = 0;
                    items
                }
                repr => {
                    own.repr = repr;
                    own.iter().cloned().collect()
                }
            },
            Err(shared) => shared.iter().cloned().collect(),
        }
    }

    /// Moves the items out for [`drop_all`].
    pub(super) fn drain_into(&mut self, work: &mut Vec<Value>) {
        self.depth = 0;
        match std::mem::take(&mut self.repr) {
            Repr::Own(mut items) => work.append(&mut items),
            Repr::OfVector(base, _) => work.push(Value::Vector(base)),
            Repr::OfSeq(base, _) => work.push(Value::List(base)),
            Repr::Cons(first, rest) => {
                work.push(first);
                work.push(Value::List(rest));
            }
        }
    }

    /// How many references one after another lead to the last cell: a chain of `cons` is as deep
    /// to drop as it is long, whatever its values are.
    fn chained(&self) -> bool {
        matches!(&self.repr, Repr::Cons(_, rest) if matches!(rest.repr, Repr::Cons(..)))
    }
}

impl<'a> IntoIterator for &'a Seq {
    type Item = &'a Value;
    type IntoIter = SeqIter<'a>;

    fn into_iter(self) -> SeqIter<'a> {
        self.iter()
    }
}

impl Drop for Seq {
    fn drop(&mut self) {
        if self.depth > SHALLOW || self.chained() {
            let mut work = Vec::new();
            self.drain_into(&mut work);
            drop_all(work);
        }
    }
}

/// Iterator over the items of a sequence.
#[derive(Clone)]
pub struct SeqIter<'a> {
    block: VectorIter<'a>,
    rest: Option<(&'a Seq, usize)>,
}

impl<'a> Iterator for SeqIter<'a> {
    type Item = &'a Value;

    #[inline]
    fn next(&mut self) -> Option<&'a Value> {
        loop {
            if let Some(item) = self.block.next() {
                return Some(item);
            }
            let (seq, skip) = self.rest.take()?;
            match &seq.repr {
                Repr::Own(items) => {
                    self.block = VectorIter::Flat(items.get(skip..).unwrap_or_default().iter());
                }
                Repr::OfVector(base, start) => self.block = base.iter_from(start + skip),
                Repr::OfSeq(base, start) => self.rest = Some((base, start + skip)),
                Repr::Cons(first, rest) => {
                    self.rest = Some((rest, 0));
                    return Some(first);
                }
            }
        }
    }
}
