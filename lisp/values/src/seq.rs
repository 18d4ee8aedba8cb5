//! Sequences: the results of `map`, `filter`, `rest`, `cons` and similar functions.
//!
//! A new one owns its block. `rest` is a view of the original block, and `cons` and `conj` add one
//! cell in front. So each of these takes constant time, as in Clojure.

use std::sync::{Arc, OnceLock};

use super::item::{Holder, SHALLOW, UNBUILT, depth_above};
use super::pulled::Numbers;
use super::range::Range;
use super::shape::Key;
use super::table::{Map, Set};
use super::vector::{Vector, VectorIter};

/// An item of a sequence, which may be made of an integer of a range or of an entry of a map.
pub trait Element: Key + From<i64> + From<Vector<Self>> {}

impl<T: Key + From<i64> + From<Vector<T>>> Element for T {}

/// An immutable sequence.
#[derive(Default)]
pub struct Seq<T: Element> {
    repr: Repr<T>,
    len: usize,
    depth: u32,
    kind: SeqKind,
}

/// The kind of a sequence, as programs see it.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
enum SeqKind {
    /// A sequence made from another collection.
    #[default]
    Plain,
    /// A list that the program wrote or made.
    List,
    /// A queue; it is a view of a vector.
    Queue,
}

enum Repr<T: Element> {
    /// A block of items.
    Own(Vec<T>),
    /// The items of a vector from a position on.
    OfVector(Arc<Vector<T>>, usize),
    /// The items of a sequence with a block, from a position on.
    OfSeq(Arc<Seq<T>>, usize),
    /// One value in front of another sequence.
    Cons(T, Arc<Seq<T>>),
    /// The rows of a table, and the items made of them.
    OfTable(Box<Rows<T>>),
    /// Integers at equal distances.
    Range(Box<Range<T>>),
}

/// The rows of a table, and their items once they are made.
struct Rows<T: Element> {
    source: Source<T>,
    made: OnceLock<Vec<T>>,
}

impl<T: Element> Rows<T> {
    fn items(&self) -> &Vec<T> {
        self.made.get_or_init(|| self.source.items())
    }
}

/// The view of a large table's rows.
pub enum Source<T: Element> {
    Entries(Arc<Map<T>>),
    Keys(Arc<Map<T>>),
    Vals(Arc<Map<T>>),
    Members(Arc<Set<T>>),
}

impl<T: Element> Source<T> {
    /// Returns the item of a row near the front, without making the others.
    pub fn item(&self, index: usize) -> Option<T> {
        match self {
            Source::Entries(map) => map.rows().nth(index).map(|(key, value)| entry(key, value)),
            Source::Keys(map) => map.rows().nth(index).map(|(key, _)| key.clone()),
            Source::Vals(map) => map.rows().nth(index).map(|(_, value)| value.clone()),
            Source::Members(set) => set.rows().nth(index).cloned(),
        }
    }

    /// Moves the items of the table out.
    fn drain_into(self, work: &mut Vec<T>) {
        match self {
            Source::Entries(map) | Source::Keys(map) | Source::Vals(map) => drain(map, work),
            Source::Members(set) => drain(set, work),
        }
    }

    fn items(&self) -> Vec<T> {
        match self {
            Source::Entries(map) => map.rows().map(|(key, value)| entry(key, value)).collect(),
            Source::Keys(map) => map.rows().map(|(key, _)| key.clone()).collect(),
            Source::Vals(map) => map.rows().map(|(_, value)| value.clone()).collect(),
            Source::Members(set) => set.rows().cloned().collect(),
        }
    }
}

/// The collection that holds the items of a sequence.
pub enum Base<'a, T: Element> {
    Vector(&'a Arc<Vector<T>>),
    Seq(&'a Arc<Seq<T>>),
    Table(&'a Source<T>),
}

fn entry<T: Element>(key: &T, value: &T) -> T {
    T::from(Vector::entry(key.clone(), value.clone()))
}

/// Moves the items of a collection out if nothing else holds it.
fn drain<T>(shared: Arc<impl Holder<T>>, work: &mut Vec<T>) {
    if let Some(mut own) = Arc::into_inner(shared) {
        own.drain_into(work);
    }
}

impl<T: Element> Default for Repr<T> {
    fn default() -> Repr<T> {
        Repr::Own(Vec::new())
    }
}

impl<T: Element> Seq<T> {
    /// Makes a sequence of these items.
    pub fn new(items: Vec<T>) -> Seq<T> {
        let depth = depth_above(&items);
        Seq { len: items.len(), repr: Repr::Own(items), depth, kind: SeqKind::Plain }
    }

    /// Makes a sequence of these integers, which end. It takes constant time.
    pub fn of_range(numbers: &Numbers) -> Seq<T> {
        let len = numbers.at_most(usize::MAX);
        Seq::range(Range::new(numbers.next, numbers.step, len))
    }

    fn range(range: Range<T>) -> Seq<T> {
        Seq { len: range.len(), depth: 1, repr: Repr::Range(Box::new(range)), kind: SeqKind::Plain }
    }

    /// Returns the integers of a range, if nobody has paid for the places of its items.
    pub fn unbuilt(&self) -> Option<Numbers> {
        match &self.repr {
            Repr::Range(range) if !range.is_paid() => Some(range.numbers()),
            _ => None,
        }
    }

    /// Returns whether it is a range, and nobody has paid for the places of its items.
    #[inline]
    pub fn is_unbuilt(&self) -> bool {
        matches!(&self.repr, Repr::Range(range) if !range.is_paid())
    }

    /// Returns whether it is a range of integers.
    pub fn is_range(&self) -> bool {
        matches!(&self.repr, Repr::Range(_))
    }

    /// Returns another range of these integers, if nobody has paid for its items. Each of the two is then paid for alone.
    pub fn unpaid_copy(&self) -> Option<Seq<T>> {
        match &self.repr {
            Repr::Range(range) if !range.is_paid() => Some(Seq::range(range.skip(0))),
            _ => None,
        }
    }

    /// Notes that the program has paid for the places of all items.
    pub fn pay(&self) {
        if let Repr::Range(range) = &self.repr {
            range.pay();
        }
    }

    /// Makes a view of a vector from a position on.
    pub fn of_vector(vector: Arc<Vector<T>>, start: usize) -> Seq<T> {
        let len = vector.len().saturating_sub(start);
        Seq {
            len,
            depth: vector.depth(),
            repr: Repr::OfVector(vector, start),
            kind: SeqKind::Plain,
        }
    }

    /// Puts one value in front of a sequence.
    pub fn cons(first: T, rest: Arc<Seq<T>>) -> Seq<T> {
        let depth = rest.depth().max(first.depth() + 1);
        Seq { len: rest.len + 1, repr: Repr::Cons(first, rest), depth, kind: SeqKind::Plain }
    }

    /// Returns the sequence without its first `count` items.
    pub fn skip(mut this: Arc<Seq<T>>, count: usize) -> Arc<Seq<T>> {
        let mut count = count.min(this.len);
        while count > 0 {
            let next = match &this.repr {
                Repr::Cons(_, rest) => {
                    count -= 1;
                    rest.clone()
                }
                Repr::Range(range) if !range.is_paid() => {
                    return Arc::new(Seq::range(range.skip(count)));
                }
                Repr::Own(_) | Repr::OfTable(..) | Repr::Range(_) => {
                    let (len, depth, kind) = (this.len - count, this.depth, this.kind);
                    return Arc::new(Seq { len, depth, kind, repr: Repr::OfSeq(this, count) });
                }
                Repr::OfVector(..) | Repr::OfSeq(..) => {
                    return Seq::advance(this, count);
                }
            };
            this = next;
        }
        this
    }

    /// Returns the sequence without its first `count` items, for a holder that keeps the whole.
    pub fn behind_shared(this: &Arc<Seq<T>>, count: usize) -> Arc<Seq<T>> {
        let repr = match &this.repr {
            Repr::OfVector(base, start) if count <= this.len => {
                Repr::OfVector(base.clone(), start + count)
            }
            Repr::OfSeq(base, start) if count <= this.len => {
                Repr::OfSeq(base.clone(), start + count)
            }
            _ => return Seq::skip(this.clone(), count),
        };
        Arc::new(Seq { len: this.len - count, depth: this.depth, kind: this.kind, repr })
    }

    /// Moves a view forward if nobody else holds it and items are left; returns whether it did.
    pub fn advance_own(this: &mut Arc<Seq<T>>, count: usize) -> bool {
        let Some(own) = Arc::get_mut(this).filter(|own| own.len > count) else { return false };
        let (Repr::OfVector(_, start) | Repr::OfSeq(_, start)) = &mut own.repr else {
            return false;
        };
        *start += count;
        own.len -= count;
        true
    }

    /// Returns whether its items are in memory, so that an item and the rest cost nothing more.
    #[inline]
    pub fn is_at_hand(&self) -> bool {
        match &self.repr {
            Repr::Own(_) | Repr::OfVector(..) | Repr::Cons(..) => self.kind != SeqKind::Queue,
            Repr::OfSeq(base, _) => {
                self.kind != SeqKind::Queue && matches!(base.repr, Repr::Own(_))
            }
            Repr::OfTable(_) | Repr::Range(_) => false,
        }
    }

    /// Moves a view forward, in place if it is not shared.
    fn advance(mut this: Arc<Seq<T>>, count: usize) -> Arc<Seq<T>> {
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
            Repr::Own(_) | Repr::OfTable(..) | Repr::Range(_) | Repr::Cons(..) => {
                return Seq::skip(this, count);
            }
        };
        Arc::new(Seq { len: this.len - count, depth: this.depth, kind: this.kind, repr })
    }

    /// Appends items. Does not copy the existing ones if they are not shared or form a tree.
    pub fn append(mut this: Arc<Seq<T>>, more: Vec<T>) -> Seq<T> {
        let depth = this.depth.max(depth_above(&more));
        let len = this.len + more.len();
        let shared = Arc::strong_count(&this) > 1;
        let repr = match Arc::get_mut(&mut this) {
            Some(own) => std::mem::take(&mut own.repr),
            None => match &this.repr {
                Repr::OfVector(base, start) => Repr::OfVector(base.clone(), *start),
                _ => Repr::Own(this.iter().cloned().collect()),
            },
        };
        let repr = match repr {
            Repr::Own(mut items) => {
                items.extend(more);
                // The next change while shared turns a vector into a tree, but not a block.
                if shared {
                    Repr::OfVector(Arc::new(Vector::new(items)), 0)
                } else {
                    Repr::Own(items)
                }
            }
            Repr::OfVector(mut base, mut start) => {
                // A queue drops the items it has passed.
                if start > 64 && start * 2 > base.len() {
                    base = Arc::new(Vector::part(&base, start, base.len()));
                    start = 0;
                }
                let own = Vector::make_mut(&mut base);
                for item in more {
                    own.push(item);
                }
                Repr::OfVector(base, start)
            }
            Repr::OfSeq(mut base, start) => {
                match Arc::get_mut(&mut base).map(|own| &mut own.repr) {
                    Some(Repr::Own(items)) => {
                        let mut items = std::mem::take(items);
                        items.extend(more);
                        Repr::OfVector(Arc::new(Vector::new(items)), start)
                    }
                    _ => {
                        let items = base.iter().skip(start).cloned().chain(more).collect();
                        Repr::OfVector(Arc::new(Vector::new(items)), 0)
                    }
                }
            }
            repr @ (Repr::Cons(..) | Repr::OfTable(..) | Repr::Range(_)) => {
                let whole = Seq { repr, len: this.len, depth, kind: SeqKind::Plain };
                let items = whole.iter().cloned().chain(more).collect();
                Repr::OfVector(Arc::new(Vector::new(items)), 0)
            }
        };
        Seq { repr, len, depth, kind: SeqKind::Plain }
    }

    /// Returns the number of items that [`Seq::append`] and [`Seq::prepend`] would copy each time.
    pub fn copy_cost(this: &Arc<Seq<T>>) -> u64 {
        match &this.repr {
            Repr::OfVector(..) => 0,
            _ if Seq::is_own(this) => 0,
            Repr::OfSeq(base, _) if Arc::strong_count(this) == 1 && Seq::is_own(base) => 0,
            _ => this.len as u64,
        }
    }

    /// Prepends items; the sequence becomes a tree, which is not copied.
    pub fn prepend(this: Arc<Seq<T>>, front: Vec<T>) -> Seq<T> {
        let vector = match &this.repr {
            Repr::OfVector(base, start) => base.with_front(front, *start),
            _ => Vector::new(Seq::into_vec(this)).with_front(front, 0),
        };
        Seq::of_vector(Arc::new(vector), 0)
    }

    /// Makes a view of a table's rows, which become items on demand.
    pub fn of_table(source: Source<T>) -> Seq<T> {
        let (len, depth) = match &source {
            Source::Entries(map) => (map.len(), map.depth() + 1),
            Source::Keys(map) | Source::Vals(map) => (map.len(), map.depth()),
            Source::Members(set) => (set.len(), set.depth()),
        };
        let rows = Rows { source, made: OnceLock::new() };
        Seq { repr: Repr::OfTable(Box::new(rows)), len, depth, kind: SeqKind::Plain }
    }

    /// Returns the table whose rows are not items yet.
    pub fn unmade(&self) -> Option<&Source<T>> {
        match &self.repr {
            Repr::OfTable(rows) if rows.made.get().is_none() => Some(&rows.source),
            Repr::OfSeq(base, _) => base.unmade(),
            _ => None,
        }
    }

    /// Returns the first item and the rest if it is a cell.
    pub fn cell(&self) -> Option<(&T, &Arc<Seq<T>>)> {
        match &self.repr {
            Repr::Cons(first, rest) => Some((first, rest)),
            _ => None,
        }
    }

    /// Returns the collection that holds its items, if that is another one.
    pub fn base(&self) -> Option<Base<'_, T>> {
        match &self.repr {
            Repr::OfVector(base, _) => Some(Base::Vector(base)),
            Repr::OfSeq(base, _) => Some(Base::Seq(base)),
            Repr::OfTable(rows) if rows.made.get().is_none() => Some(Base::Table(&rows.source)),
            Repr::Own(_) | Repr::Cons(..) | Repr::OfTable(_) | Repr::Range(_) => None,
        }
    }

    /// Returns whether it is an unshared sequence with its own items, which may be moved out.
    pub fn is_own(this: &Arc<Seq<T>>) -> bool {
        let own = !matches!(this.repr, Repr::OfVector(..) | Repr::OfSeq(..));
        own && Arc::strong_count(this) == 1
    }

    /// Returns whether it is a view of a table whose items are not made yet.
    pub fn is_unmade(&self) -> bool {
        match &self.repr {
            Repr::OfTable(rows) => rows.made.get().is_none(),
            Repr::OfSeq(base, _) => {
                matches!(&base.repr, Repr::OfTable(rows) if rows.made.get().is_none())
            }
            _ => false,
        }
    }

    /// Returns the item at a position, without making all items of a table for the first ones.
    pub fn front(&self, index: usize) -> Option<T> {
        match &self.repr {
            Repr::OfTable(rows) if rows.made.get().is_none() => rows.source.item(index),
            Repr::Range(range) => range.item(index),
            _ => self.get(index).cloned(),
        }
    }

    /// Returns the item at a position of a walk and advances the walk.
    pub fn step(this: &mut Arc<Seq<T>>, at: &mut usize) -> Option<T> {
        if let Repr::Cons(first, rest) = &this.repr {
            let (first, rest) = (first.clone(), rest.clone());
            *this = rest;
            return Some(first);
        }
        let item = match &this.repr {
            Repr::Range(range) => range.item(*at)?,
            _ => this.get(*at)?.clone(),
        };
        *at += 1;
        Some(item)
    }

    pub fn into_list(mut self) -> Seq<T> {
        self.kind = SeqKind::List;
        self
    }

    /// Turns it into a sequence that is not a list.
    pub fn plain(this: Arc<Seq<T>>) -> Arc<Seq<T>> {
        if this.kind == SeqKind::Plain {
            return this;
        }
        let (len, depth) = (this.len, this.depth);
        let repr = match &this.repr {
            Repr::Range(range) if !range.is_paid() => Repr::Range(Box::new(range.skip(0))),
            Repr::Own(_) | Repr::OfTable(..) | Repr::Range(_) => Repr::OfSeq(this, 0),
            Repr::OfVector(base, start) => Repr::OfVector(base.clone(), *start),
            Repr::OfSeq(base, start) => Repr::OfSeq(base.clone(), *start),
            Repr::Cons(first, rest) => Repr::Cons(first.clone(), rest.clone()),
        };
        Arc::new(Seq { len, depth, kind: SeqKind::Plain, repr })
    }

    /// Returns whether it is a list that a program wrote or made.
    pub fn is_list(&self) -> bool {
        self.kind == SeqKind::List
    }

    pub fn empty_queue() -> Seq<T> {
        let repr = Repr::OfVector(Arc::default(), 0);
        Seq { repr, len: 0, depth: 1, kind: SeqKind::Queue }
    }

    pub fn is_queue(&self) -> bool {
        self.kind == SeqKind::Queue
    }

    /// Appends items to a queue.
    pub fn enqueue(this: Arc<Seq<T>>, items: Vec<T>) -> Seq<T> {
        let mut longer = Seq::append(this, items);
        longer.kind = SeqKind::Queue;
        longer
    }

    /// Removes the first item of a queue.
    pub fn dequeue(this: Arc<Seq<T>>) -> Arc<Seq<T>> {
        if this.len == 0 { this } else { Seq::advance(this, 1) }
    }

    /// Returns the vector that a queue is a view of.
    pub fn queue_vector(&self) -> Option<&Arc<Vector<T>>> {
        match &self.repr {
            Repr::OfVector(base, _) if self.is_queue() => Some(base),
            _ => None,
        }
    }

    /// Returns the number of items.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Returns whether it has no items.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Returns the item at a position; walks the cells of `cons`.
    pub fn get(&self, index: usize) -> Option<&T> {
        let (mut seq, mut index) = (self, index);
        loop {
            match &seq.repr {
                Repr::Own(items) => return items.get(index),
                Repr::OfTable(rows) => return rows.items().get(index),
                Repr::Range(range) => return range.items_from(index).first(),
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

    /// Returns the items in order.
    pub fn iter(&self) -> SeqIter<'_, T> {
        SeqIter { block: VectorIter::Flat([].iter()), rest: Some((self, 0)) }
    }

    /// Returns the items from a position on, in order.
    pub fn iter_from(&self, start: usize) -> SeqIter<'_, T> {
        let mut iter = self.iter();
        match &self.repr {
            Repr::Cons(..) => iter.by_ref().take(start).for_each(drop),
            _ => iter.rest = Some((self, start)),
        }
        iter
    }

    /// Returns a view from a position on, as a sequence that is not a list.
    pub fn behind(this: Arc<Seq<T>>, start: usize) -> Seq<T> {
        let (len, depth) = (this.len.saturating_sub(start), this.depth);
        let repr = match &this.repr {
            Repr::Range(range) if !range.is_paid() => {
                return Seq::range(range.skip(start.min(this.len)));
            }
            Repr::OfVector(base, before) => Repr::OfVector(base.clone(), before + start),
            Repr::OfSeq(base, before) => Repr::OfSeq(base.clone(), before + start),
            _ => Repr::OfSeq(this, start),
        };
        Seq { repr, len, depth, kind: SeqKind::Plain }
    }

    /// Returns the nesting. That of a range without places is above each limit, so nothing can hold one as an item: it is
    /// built before.
    pub fn depth(&self) -> u32 {
        if self.is_unbuilt() { UNBUILT } else { self.depth }
    }

    /// Returns the number of items that have a place.
    pub fn made(&self) -> usize {
        match &self.repr {
            Repr::Range(range) if !range.is_paid() => range.made(),
            _ => self.len,
        }
    }

    /// Returns the items as a vector, without copying if the sequence is not shared.
    pub fn into_vec(this: Arc<Seq<T>>) -> Vec<T> {
        match Arc::try_unwrap(this) {
            Ok(mut own) => match std::mem::take(&mut own.repr) {
                Repr::Own(items) => {
                    own.depth = 0;
                    items
                }
                Repr::OfTable(rows) => {
                    own.depth = 0;
                    let Rows { source, made } = *rows;
                    made.into_inner().unwrap_or_else(|| source.items())
                }
                Repr::Range(range) => range.numbers().map(T::from).collect(),
                repr => {
                    own.repr = repr;
                    own.iter().cloned().collect()
                }
            },
            Err(shared) => match &shared.repr {
                Repr::Range(range) => range.numbers().map(T::from).collect(),
                _ => shared.iter().cloned().collect(),
            },
        }
    }

    /// Returns whether it is a chain of cells. Dropping one nests as deep as the chain is long.
    fn is_chain(&self) -> bool {
        matches!(&self.repr, Repr::Cons(_, rest) if matches!(rest.repr, Repr::Cons(..)))
    }
}

impl<T: Element> Holder<T> for Seq<T> {
    fn drain_into(&mut self, work: &mut Vec<T>) {
        self.depth = 0;
        let mut repr = std::mem::take(&mut self.repr);
        // A chain of cells may be long.
        loop {
            let rest = match repr {
                Repr::Own(mut items) => return work.append(&mut items),
                Repr::OfVector(base, _) => return drain(base, work),
                Repr::OfTable(rows) => {
                    rows.source.drain_into(work);
                    work.extend(rows.made.into_inner().into_iter().flatten());
                    return;
                }
                Repr::Range(_) => return,
                Repr::OfSeq(base, _) => base,
                Repr::Cons(first, rest) => {
                    work.push(first);
                    rest
                }
            };
            let Some(mut own) = Arc::into_inner(rest) else { return };
            own.depth = 0;
            repr = std::mem::take(&mut own.repr);
        }
    }
}

impl<'a, T: Element> IntoIterator for &'a Seq<T> {
    type Item = &'a T;
    type IntoIter = SeqIter<'a, T>;

    fn into_iter(self) -> SeqIter<'a, T> {
        self.iter()
    }
}

impl<T: Element> Drop for Seq<T> {
    fn drop(&mut self) {
        if self.depth > SHALLOW || self.is_chain() {
            T::drop_held(std::mem::take(self));
        }
    }
}

/// An iterator over the items of a sequence.
#[derive(Clone)]
pub struct SeqIter<'a, T: Element> {
    block: VectorIter<'a, T>,
    rest: Option<(&'a Seq<T>, usize)>,
}

impl<'a, T: Element> Iterator for SeqIter<'a, T> {
    type Item = &'a T;

    #[inline]
    fn next(&mut self) -> Option<&'a T> {
        loop {
            if let Some(item) = self.block.next() {
                return Some(item);
            }
            let (seq, skip) = self.rest.take()?;
            match &seq.repr {
                Repr::Own(items) => {
                    self.block = VectorIter::Flat(items.get(skip..).unwrap_or_default().iter());
                }
                Repr::OfTable(rows) => {
                    let items = rows.items();
                    self.block = VectorIter::Flat(items.get(skip..).unwrap_or_default().iter());
                }
                Repr::Range(range) => {
                    let items = range.items_from(skip);
                    self.block = VectorIter::Flat(items.iter());
                    self.rest = (!items.is_empty()).then_some((seq, skip + items.len()));
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
