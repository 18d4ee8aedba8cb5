//! Vectors: a flat block, which becomes a persistent tree when a long shared one changes.
//!
//! A block that changes while shared keeps the tree made of it, so it is copied only once. The copy
//! is free of charge, because making the block cost more.

use std::sync::{Arc, OnceLock};

use super::item::{Holder, Item, SHALLOW, depth_above};

/// A longer shared vector becomes a tree when it changes; a shorter one is copied. Copying 64
/// values costs about as much as the first change of a tree.
pub const COPY_MAX: usize = 64;

/// An immutable vector.
#[derive(Clone, Default)]
pub struct Vector<T: Item> {
    items: Repr<T>,
    depth: u32,
    /// Whether it is a map entry and not a vector that a program wrote; a changed one is not.
    entry: bool,
}

#[derive(Clone)]
enum Repr<T: Item> {
    /// A block, and the tree made by the first change while it was shared.
    Flat(Vec<T>, OnceLock<Box<im::Vector<T>>>),
    /// The range of a vector that is a block.
    Part(Arc<Vector<T>>, usize, usize),
    /// It is boxed, since most vectors are short blocks.
    Tree(Box<im::Vector<T>>),
}

impl<T: Item> Repr<T> {
    fn flat(items: Vec<T>) -> Repr<T> {
        Repr::Flat(items, OnceLock::new())
    }
}

impl<T: Item> Default for Repr<T> {
    fn default() -> Repr<T> {
        Repr::flat(Vec::new())
    }
}

impl<T: Item> Vector<T> {
    /// Makes a vector of these items.
    pub fn new(items: Vec<T>) -> Vector<T> {
        let depth = depth_above(&items);
        Vector { items: Repr::flat(items), depth, entry: false }
    }

    /// Returns the items, if they are next to each other in memory.
    pub fn as_slice(&self) -> Option<&[T]> {
        match &self.items {
            Repr::Flat(..) | Repr::Part(..) => Some(self.block()),
            Repr::Tree(_) => None,
        }
    }

    pub fn entry(key: T, value: T) -> Vector<T> {
        let mut entry = Vector::new(vec![key, value]);
        entry.entry = true;
        entry
    }

    /// Returns the key and the value of a map entry; none for other vectors.
    pub fn as_entry(&self) -> Option<(&T, &T)> {
        if self.entry { self.get(0).zip(self.get(1)) } else { None }
    }

    /// Returns the number of items.
    pub fn len(&self) -> usize {
        match &self.items {
            Repr::Flat(items, _) => items.len(),
            Repr::Part(_, start, end) => end - start,
            Repr::Tree(items) => items.len(),
        }
    }

    /// Returns whether it has no items.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns the item at a position.
    pub fn get(&self, index: usize) -> Option<&T> {
        match &self.items {
            Repr::Flat(items, _) => items.get(index),
            Repr::Part(..) => self.block().get(index),
            Repr::Tree(items) => items.get(index),
        }
    }

    /// Returns the items of a block; none for a tree.
    fn block(&self) -> &[T] {
        match &self.items {
            Repr::Flat(items, _) => items,
            Repr::Part(base, start, end) => match &base.items {
                Repr::Flat(items, _) => items.get(*start..*end).unwrap_or_default(),
                _ => &[],
            },
            Repr::Tree(_) => &[],
        }
    }

    /// Returns the items in order.
    pub fn iter(&self) -> VectorIter<'_, T> {
        self.iter_from(0)
    }

    /// Returns the items from a position on.
    pub fn iter_from(&self, start: usize) -> VectorIter<'_, T> {
        match &self.items {
            Repr::Tree(items) => VectorIter::Tree { items, next: start },
            _ => VectorIter::Flat(self.block().get(start..).unwrap_or_default().iter()),
        }
    }

    pub fn depth(&self) -> u32 {
        self.depth
    }

    /// Returns the number of items that [`Vector::make_mut`] would copy.
    pub fn copy_cost(this: &Arc<Vector<T>>) -> u64 {
        match &this.items {
            Repr::Flat(items, tree)
                if items.len() > COPY_MAX
                    && tree.get().is_none()
                    && Arc::strong_count(this) > 1 =>
            {
                items.len() as u64
            }
            Repr::Part(base, ..) => Vector::copy_cost(base),
            _ => 0,
        }
    }

    /// Returns the room of its own parts, in values, and the vector it is a part of.
    pub fn held(&self) -> (usize, Option<&Arc<Vector<T>>>) {
        match &self.items {
            Repr::Flat(items, tree) if tree.get().is_some() => (items.len() * 2, None),
            Repr::Part(base, ..) => (0, Some(base)),
            _ => (self.len(), None),
        }
    }

    /// Returns the items as a tree; the tree of a block is made once.
    fn tree(&self) -> im::Vector<T> {
        match &self.items {
            Repr::Flat(items, tree) => {
                im::Vector::clone(tree.get_or_init(|| Box::new(items.iter().cloned().collect())))
            }
            Repr::Part(base, start, end) => base.tree().slice(*start..*end),
            Repr::Tree(items) => im::Vector::clone(items),
        }
    }

    /// Returns a vector to change: this one if it is not shared, otherwise a copy.
    pub fn make_mut(this: &mut Arc<Vector<T>>) -> &mut Vector<T> {
        let items = match Arc::get_mut(this).map(|own| &mut own.items) {
            // The tree has all items, and the next change while shared would make it again.
            Some(Repr::Flat(_, tree)) => tree.take().map(Repr::Tree),
            Some(Repr::Tree(_)) => None,
            Some(Repr::Part(..)) | None => Some(this.copied()),
        };
        if let Some(items) = items {
            *this = Arc::new(Vector { items, depth: this.depth, entry: false });
        }
        let own = Arc::make_mut(this);
        own.entry = false;
        own
    }

    /// Returns a vector to change without a copy: a block that nobody shares.
    #[inline]
    pub fn own_block(this: &mut Arc<Vector<T>>) -> Option<&mut Vector<T>> {
        let own = Arc::get_mut(this)?;
        match &own.items {
            Repr::Flat(_, tree) if tree.get().is_none() => {
                own.entry = false;
                Some(own)
            }
            _ => None,
        }
    }

    /// Copies the items, sharing only the parts of trees.
    fn copied(&self) -> Repr<T> {
        match &self.items {
            Repr::Flat(..) | Repr::Part(..) if self.len() <= COPY_MAX => {
                Repr::flat(self.block().to_vec())
            }
            _ => Repr::Tree(Box::new(self.tree())),
        }
    }

    /// Returns the items of a valid range; a long part shares them.
    pub fn part(this: &Arc<Vector<T>>, start: usize, end: usize) -> Vector<T> {
        let items = match &this.items {
            _ if end - start <= COPY_MAX => {
                return Vector::new(this.iter_from(start).take(end - start).cloned().collect());
            }
            Repr::Flat(..) => Repr::Part(this.clone(), start, end),
            Repr::Part(base, before, _) => Repr::Part(base.clone(), before + start, before + end),
            Repr::Tree(_) => Repr::Tree(Box::new(this.tree().slice(start..end))),
        };
        Vector { items, depth: this.depth, entry: false }
    }

    /// Prepends items to the items from a position on, which are many.
    pub fn with_front(&self, front: Vec<T>, start: usize) -> Vector<T> {
        let mut items = self.tree();
        if start > 0 {
            items = items.slice(start..);
        }
        let depth = self.depth.max(depth_above(&front));
        for item in front.into_iter().rev() {
            items.push_front(item);
        }
        Vector { items: Repr::Tree(Box::new(items)), depth, entry: false }
    }

    /// Computes the depth again from its items.
    pub fn measure(&mut self) {
        self.depth = depth_above(self.iter());
    }

    #[inline]
    pub fn push(&mut self, item: T) {
        self.depth = self.depth.max(item.depth() + 1);
        match &mut self.items {
            Repr::Flat(items, _) => items.push(item),
            Repr::Tree(items) => items.push_back(item),
            Repr::Part(..) => {}
        }
    }

    pub fn pop(&mut self) -> Option<T> {
        match &mut self.items {
            Repr::Flat(items, _) => items.pop(),
            Repr::Tree(items) => items.pop_back(),
            Repr::Part(..) => None,
        }
    }

    /// Replaces the item at a position, if it exists.
    pub fn set(&mut self, index: usize, item: T) {
        self.depth = self.depth.max(item.depth() + 1);
        let place = match &mut self.items {
            Repr::Flat(items, _) => items.get_mut(index),
            Repr::Tree(items) => items.get_mut(index),
            Repr::Part(..) => None,
        };
        if let Some(place) = place {
            *place = item;
        }
    }

    /// Removes the item at a position, if it exists.
    pub fn remove(&mut self, index: usize) -> Option<T> {
        match &mut self.items {
            Repr::Flat(items, _) if index < items.len() => Some(items.remove(index)),
            Repr::Tree(items) if index < items.len() => Some(items.remove(index)),
            _ => None,
        }
    }

    /// Returns the items as a block, without copying if the vector is not shared.
    pub fn into_vec(this: Arc<Vector<T>>) -> Vec<T> {
        match Arc::try_unwrap(this) {
            Ok(mut own) => match std::mem::take(&mut own.items) {
                Repr::Flat(items, _) => items,
                Repr::Tree(items) => items.into_iter().collect(),
                part @ Repr::Part(..) => {
                    own.items = part;
                    own.block().to_vec()
                }
            },
            Err(shared) => shared.iter().cloned().collect(),
        }
    }
}

impl<T: Item> Holder<T> for Vector<T> {
    /// Moves the items out if they nest deep. A tree is dropped in place, because taking its items
    /// out would copy its shared parts. Its deep items return to [`Item::drop_held`].
    fn drain_into(&mut self, work: &mut Vec<T>) {
        if self.depth <= SHALLOW {
            return;
        }
        self.depth = 0;
        match std::mem::take(&mut self.items) {
            Repr::Flat(mut items, _) => work.append(&mut items),
            // The base is a block, so this nests once.
            Repr::Part(base, ..) => {
                if let Some(mut own) = Arc::into_inner(base) {
                    own.drain_into(work);
                }
            }
            Repr::Tree(items) => drop(items),
        }
    }
}

impl<'a, T: Item> IntoIterator for &'a Vector<T> {
    type Item = &'a T;
    type IntoIter = VectorIter<'a, T>;

    fn into_iter(self) -> VectorIter<'a, T> {
        self.iter()
    }
}

impl<T: Item> Drop for Vector<T> {
    fn drop(&mut self) {
        if self.depth > SHALLOW {
            T::drop_held(std::mem::take(self));
        }
    }
}

/// An iterator over the items of a vector.
#[derive(Clone)]
pub enum VectorIter<'a, T> {
    /// The items of a block.
    Flat(std::slice::Iter<'a, T>),
    /// The items of a tree, by position.
    Tree {
        /// The tree.
        items: &'a im::Vector<T>,
        /// The position of the next item.
        next: usize,
    },
}

impl<'a, T: Item> Iterator for VectorIter<'a, T> {
    type Item = &'a T;

    #[inline]
    fn next(&mut self) -> Option<&'a T> {
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

impl<T: Item> ExactSizeIterator for VectorIter<'_, T> {}
