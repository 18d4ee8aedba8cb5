//! Vectors: one flat block until a long shared one is changed, then a persistent tree.

use std::sync::Arc;

use super::drop::{SHALLOW, drop_all};
use super::{Value, depth_above};

/// A shared vector longer than this becomes a tree when it is changed; a shorter one is copied.
/// Copying 64 values costs about as much as the first change of a tree.
const COPY_MAX: usize = 64;

/// An immutable vector of values.
#[derive(Clone, Default)]
pub struct Vector {
    items: Repr,
    depth: u32,
    /// Whether it is an entry of a map and not a vector that a program wrote; a changed one is not.
    entry: bool,
}

#[derive(Clone)]
enum Repr {
    Flat(Vec<Value>),
    Tree(im::Vector<Value>),
}

impl Default for Repr {
    fn default() -> Repr {
        Repr::Flat(Vec::new())
    }
}

impl Vector {
    /// A vector of these items.
    pub fn new(items: Vec<Value>) -> Vector {
        let depth = depth_above(&items);
        Vector { items: Repr::Flat(items), depth, entry: false }
    }

    /// An entry of a map.
    pub(crate) fn entry(key: Value, value: Value) -> Vector {
        let mut entry = Vector::new(vec![key, value]);
        entry.entry = true;
        entry
    }

    /// The key and the value of an entry of a map; none if it is just a vector.
    pub(crate) fn as_entry(&self) -> Option<(&Value, &Value)> {
        if self.entry { self.get(0).zip(self.get(1)) } else { None }
    }

    /// How many items it has.
    pub fn len(&self) -> usize {
        match &self.items {
            Repr::Flat(items) => items.len(),
            Repr::Tree(items) => items.len(),
        }
    }

    /// Whether it has no items.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The item at a position.
    pub fn get(&self, index: usize) -> Option<&Value> {
        match &self.items {
            Repr::Flat(items) => items.get(index),
            Repr::Tree(items) => items.get(index),
        }
    }

    /// The items in order.
    pub fn iter(&self) -> VectorIter<'_> {
        self.iter_from(0)
    }

    /// The items from a position on.
    pub(crate) fn iter_from(&self, start: usize) -> VectorIter<'_> {
        match &self.items {
            Repr::Flat(items) => VectorIter::Flat(items.get(start..).unwrap_or_default().iter()),
            Repr::Tree(items) => VectorIter::Tree { items, next: start },
        }
    }

    pub(crate) fn depth(&self) -> u32 {
        self.depth
    }

    /// How many items [`Vector::make_mut`] would copy, beyond the few that are free.
    pub(crate) fn copy_cost(this: &Arc<Vector>) -> u64 {
        match &this.items {
            Repr::Flat(items) if items.len() > COPY_MAX && Arc::strong_count(this) > 1 => {
                items.len() as u64
            }
            _ => 0,
        }
    }

    /// A vector that may be changed: this one if nobody else holds it, else a copy.
    pub(crate) fn make_mut(this: &mut Arc<Vector>) -> &mut Vector {
        if Arc::get_mut(this).is_none() {
            let items = match &this.items {
                Repr::Flat(items) if items.len() <= COPY_MAX => Repr::Flat(items.clone()),
                Repr::Flat(items) => Repr::Tree(items.iter().cloned().collect()),
                Repr::Tree(items) => Repr::Tree(items.clone()),
            };
            *this = Arc::new(Vector { items, depth: this.depth, entry: false });
        }
        let own = Arc::make_mut(this);
        own.entry = false;
        own
    }

    pub(crate) fn push(&mut self, item: Value) {
        self.depth = self.depth.max(item.depth() + 1);
        match &mut self.items {
            Repr::Flat(items) => items.push(item),
            Repr::Tree(items) => items.push_back(item),
        }
    }

    pub(crate) fn pop(&mut self) -> Option<Value> {
        match &mut self.items {
            Repr::Flat(items) => items.pop(),
            Repr::Tree(items) => items.pop_back(),
        }
    }

    /// Replaces the item at a position that exists; otherwise does nothing.
    pub(crate) fn set(&mut self, index: usize, item: Value) {
        self.depth = self.depth.max(item.depth() + 1);
        let place = match &mut self.items {
            Repr::Flat(items) => items.get_mut(index),
            Repr::Tree(items) => items.get_mut(index),
        };
        if let Some(place) = place {
            *place = item;
        }
    }

    /// The items as a block of their own, without copying when nobody else holds the vector.
    pub(crate) fn into_vec(this: Arc<Vector>) -> Vec<Value> {
        match Arc::try_unwrap(this) {
            Ok(mut own) => match std::mem::take(&mut own.items) {
                Repr::Flat(items) => items,
                Repr::Tree(items) => items.into_iter().collect(),
            },
            Err(shared) => shared.iter().cloned().collect(),
        }
    }

    /// Moves the items out for [`drop_all`].
    pub(super) fn drain_into(&mut self, work: &mut Vec<Value>) {
        self.depth = 0;
        match std::mem::take(&mut self.items) {
            Repr::Flat(mut items) => work.append(&mut items),
            Repr::Tree(items) => work.extend(items),
        }
    }
}

impl<'a> IntoIterator for &'a Vector {
    type Item = &'a Value;
    type IntoIter = VectorIter<'a>;

    fn into_iter(self) -> VectorIter<'a> {
        self.iter()
    }
}

impl Drop for Vector {
    fn drop(&mut self) {
        if self.depth > SHALLOW {
            let mut work = Vec::new();
            self.drain_into(&mut work);
            drop_all(work);
        }
    }
}

/// Iterator over the items of a vector.
#[derive(Clone)]
pub enum VectorIter<'a> {
    /// Over one block.
    Flat(std::slice::Iter<'a, Value>),
    /// Over a tree, by position.
    Tree {
        /// The tree.
        items: &'a im::Vector<Value>,
        /// The position of the next item.
        next: usize,
    },
}

impl<'a> Iterator for VectorIter<'a> {
    type Item = &'a Value;

    #[inline]
    fn next(&mut self) -> Option<&'a Value> {
        match self {
            VectorIter::Flat(iter) => iter.next(),
            VectorIter::Tree { items, next } => {
                let item = items.get(*next)?;
                *next += 1;
                Some(item)
            }
        }
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        let len = match self {
            VectorIter::Flat(iter) => iter.len(),
            VectorIter::Tree { items, next } => items.len().saturating_sub(*next),
        };
        (len, Some(len))
    }
}

impl ExactSizeIterator for VectorIter<'_> {}
