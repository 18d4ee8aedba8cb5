//! The keys of small maps, which maps of one origin share.
//!
//! A small map is a shape, which has its keys, and the values in the order of the keys. Maps share a shape only if their
//! keys are the same texts at the same addresses, so no program can tell whether they do. The bytes that a program is
//! charged, prints and fuel do not depend on it either.
//!
//! Shapes come together in three ways. A reader of data and a machine have the shapes that they saw last (`records.rs`).
//! A shape remembers the one that a change of its keys led to. A copy of a map has the shape of the map. None of them
//! grows with the data: they hold short texts, and a fixed number of shapes.

use std::sync::{Arc, Mutex, Weak};

use super::item::{Item, SHALLOW};
use super::text::CHARGE_BYTES;

/// The bytes of a text up to which a key is remembered.
pub const SHORT_NAME: usize = CHARGE_BYTES as usize;

/// The number of keys for which the first one makes room.
pub(crate) const FEW: usize = 4;

/// An item that can be a key.
pub trait Key: Item {
    /// Compares with the language's `=`.
    fn is_same(&self, other: &Self) -> bool;

    /// Returns a hash: equal keys have equal hashes.
    fn hash(&self) -> u64;

    /// Returns the hash of the keys that are this name.
    fn hash_of_name(name: &str) -> u64;

    /// Makes a key that is this name.
    fn of_name(name: &str) -> Self;

    /// Returns whether it is this name.
    fn is_named(&self, name: &str) -> bool;

    /// Returns whether both are the same name at the same address.
    fn is_the_name(&self, other: &Self) -> bool;

    /// Returns the address of a short name.
    fn address(&self) -> Option<usize>;

    /// Returns the shape of empty maps. Like each shape, it holds at most one longer one of each length.
    fn no_keys() -> Arc<Shape<Self>>;
}

/// The keys of small maps, in insertion order.
pub struct Shape<K: Key> {
    keys: Vec<K>,
    /// Empty until the first change of shared keys.
    next: Mutex<Option<Box<Next<K>>>>,
}

/// The change of a shape that happened last.
struct Next<K: Key> {
    /// The name of the change. A name that comes once leads to no other shape, since most computed keys do.
    name: usize,
    shape: Known<K>,
}

enum Known<K: Key> {
    None,
    /// A shape with one more key. A chain of these ends at the longest shape.
    Longer(Arc<Shape<K>>),
    /// A shape without one of the keys. It would make the chain endless, so it lives as long as its maps.
    Shorter(Weak<Shape<K>>),
}

impl<K: Key> Default for Next<K> {
    fn default() -> Next<K> {
        Next { name: 0, shape: Known::None }
    }
}

impl<K: Key> Shape<K> {
    pub(crate) fn of(keys: Vec<K>) -> Arc<Shape<K>> {
        Arc::new(Shape { keys, next: Mutex::new(None) })
    }

    #[inline]
    pub(crate) fn keys(&self) -> &[K] {
        &self.keys
    }

    #[inline]
    pub(crate) fn len(&self) -> usize {
        self.keys.len()
    }

    /// Returns whether its keys are these names, at these addresses.
    #[inline]
    pub(crate) fn has<'k>(&self, names: impl Iterator<Item = &'k K>) -> bool {
        let mut keys = self.keys.iter();
        for name in names {
            if !keys.next().is_some_and(|key| key.is_the_name(name)) {
                return false;
            }
        }
        keys.next().is_none()
    }

    /// Returns the keys to be moved if no other map has them, otherwise copies.
    pub(crate) fn into_keys(this: Arc<Shape<K>>) -> Vec<K> {
        match Arc::try_unwrap(this) {
            Ok(mut own) => std::mem::take(&mut own.keys),
            Err(shared) => shared.keys.clone(),
        }
    }

    /// Adds a key that it does not have.
    pub(crate) fn push(this: &mut Arc<Shape<K>>, key: K) {
        if let Some(own) = Arc::get_mut(this) {
            own.keys.push(key);
            return;
        }
        let longer = |key| {
            let mut keys = Vec::with_capacity((this.keys.len() + 1).max(FEW));
            keys.extend_from_slice(&this.keys);
            keys.push(key);
            Shape::of(keys)
        };
        *this = match key.address() {
            None => longer(key),
            Some(name) => this.changed(
                name,
                |known| match known {
                    Known::Longer(shape) => {
                        let last = shape.keys.last();
                        last.is_some_and(|last| last.is_the_name(&key)).then(|| shape.clone())
                    }
                    _ => None,
                },
                || longer(key.clone()),
                |shape| Known::Longer(shape.clone()),
            ),
        };
    }

    /// Removes the key at a place and returns it.
    pub(crate) fn remove(this: &mut Arc<Shape<K>>, place: usize) -> K {
        if let Some(own) = Arc::get_mut(this) {
            return own.keys.remove(place);
        }
        let key = this.keys.get(place).cloned().unwrap_or_default();
        let kept = || this.keys.iter().enumerate().filter(|(at, _)| *at != place).map(|it| it.1);
        let shorter = || Shape::of(kept().cloned().collect());
        let shape = match key.address() {
            None => shorter(),
            // Texts are aligned, so this is the address of no text.
            Some(name) => this.changed(
                name + 1,
                |known| match known {
                    Known::Shorter(shape) => shape.upgrade().filter(|shape| shape.has(kept())),
                    _ => None,
                },
                shorter,
                |shape| Known::Shorter(Arc::downgrade(shape)),
            ),
        };
        *this = shape;
        key
    }

    /// Returns the shape that a change of a name leads to: the known one, or a new one, which becomes known if the same
    /// change was the last one.
    fn changed(
        &self,
        name: usize,
        known: impl FnOnce(&Known<K>) -> Option<Arc<Shape<K>>>,
        new: impl FnOnce() -> Arc<Shape<K>>,
        remember: impl FnOnce(&Arc<Shape<K>>) -> Known<K>,
    ) -> Arc<Shape<K>> {
        // Another thread may hold it; then the change is not remembered.
        let Ok(mut next) = self.next.try_lock() else { return new() };
        let next = next.get_or_insert_default();
        if let Some(shape) = known(&next.shape) {
            return shape;
        }
        let shape = new();
        if next.name == name {
            next.shape = remember(&shape);
        }
        next.name = name;
        shape
    }
}

impl<K: Key> Drop for Shape<K> {
    fn drop(&mut self) {
        if self.keys.iter().any(|key| key.depth() > SHALLOW) {
            K::drop_held(std::mem::take(&mut self.keys));
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::{Arc, Weak};

    use crate::Value;

    type Shape = super::Shape<Value>;

    fn key(name: &str) -> Value {
        Value::str(name)
    }

    fn shape(keys: &[Value]) -> Arc<Shape> {
        Shape::of(keys.to_vec())
    }

    /// Returns a shape that two maps share, with a key more.
    fn longer(this: &Arc<Shape>, key: &Value) -> Arc<Shape> {
        let mut shape = this.clone();
        Shape::push(&mut shape, key.clone());
        shape
    }

    fn shorter(this: &Arc<Shape>, place: usize) -> Arc<Shape> {
        let mut shape = this.clone();
        Shape::remove(&mut shape, place);
        shape
    }

    #[test]
    fn a_change_that_comes_twice_leads_to_one_shape() {
        let (a, b, c) = (key("a"), key("b"), key("c"));
        let base = shape(&[a.clone(), b.clone()]);
        let [first, second, third] = [(); 3].map(|()| longer(&base, &c));
        assert!(!Arc::ptr_eq(&first, &second) && Arc::ptr_eq(&second, &third));
        assert!(third.has([&a, &b, &c].into_iter()));
        // An equal key at another address is another key.
        assert!(!Arc::ptr_eq(&longer(&base, &key("c")), &third));
        assert!(!Arc::ptr_eq(&longer(&base, &Value::keyword("c")), &third));
        let [first, second, third] = [(); 3].map(|()| shorter(&base, 0));
        assert!(!Arc::ptr_eq(&first, &second) && Arc::ptr_eq(&second, &third));
        assert!(third.has(std::iter::once(&b)));
        assert!(shorter(&base, 1).has(std::iter::once(&a)));
    }

    #[test]
    fn changes_of_many_names_hold_few_shapes() {
        let base = shape(&[key("a"), key("b")]);
        let weak: Vec<Weak<Shape>> = (0..1000)
            .flat_map(|at| {
                let name = key(&at.to_string());
                [longer(&base, &name), longer(&base, &name)]
            })
            .map(|shape| Arc::downgrade(&shape))
            .collect();
        assert_eq!(weak.iter().filter(|shape| shape.upgrade().is_some()).count(), 1);
        // Keys that leave and return lead to new shapes again and again.
        let mut shape = base.clone();
        let mut weak = Vec::new();
        for _ in 0..1000 {
            for _ in 0..3 {
                let first = shape.keys()[0].clone();
                let next = shorter(&shape, 0);
                weak.push(Arc::downgrade(&next));
                let next = longer(&next, &first);
                weak.push(Arc::downgrade(&next));
                shape = next;
            }
        }
        drop(shape);
        let left = weak.iter().filter(|shape| shape.upgrade().is_some()).count();
        assert!(left <= 16 && base.len() == 2, "{left}");
    }
}
