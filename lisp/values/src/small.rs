//! Small tables: blocks that are searched from the front.

use std::iter::Zip;
use std::slice;
use std::sync::Arc;

use super::item::Item;
use super::row::{Row, Small};
use super::shape::{FEW, Key, Shape};

/// The number of rows up to which a search from the front beats hashing the key. Tools send JSON
/// records with at most 16 keys.
pub const FLAT_MAX: usize = 16;

impl<V: Key> Row for (V, V) {
    type Key = V;
    type Small = Record<V>;

    fn key(&self) -> &V {
        &self.0
    }

    fn replace(&mut self, new: (V, V)) {
        self.1 = new.1;
    }

    fn depth(&self) -> u32 {
        self.0.depth().max(self.1.depth())
    }

    fn drain_into(self, work: &mut Vec<V>) {
        work.push(self.0);
        work.push(self.1);
    }
}

impl<V: Key> Row for V {
    type Key = V;
    type Small = Vec<V>;

    fn key(&self) -> &V {
        self
    }

    fn replace(&mut self, _: V) {}

    fn depth(&self) -> u32 {
        Item::depth(self)
    }

    fn drain_into(self, work: &mut Vec<V>) {
        work.push(self);
    }
}

impl<V: Key> Small for Vec<V> {
    type Key = V;
    type Row = V;
    type Ref<'s> = &'s V;
    type Rows<'s> = slice::Iter<'s, V>;

    fn by_ref(member: &V) -> &V {
        member
    }

    fn owned(member: &V) -> V {
        member.clone()
    }

    fn with_capacity(rows: usize) -> Vec<V> {
        Vec::with_capacity(rows)
    }

    fn keys(&self) -> &[V] {
        self
    }

    fn get(&self, place: usize) -> Option<&V> {
        self.as_slice().get(place)
    }

    fn rows(&self) -> slice::Iter<'_, V> {
        self.iter()
    }

    fn push(&mut self, member: V) {
        Vec::push(self, member);
    }

    fn replace(&mut self, _: usize, _: V) {}

    fn remove(&mut self, place: usize) -> V {
        Vec::remove(self, place)
    }

    fn into_rows(self) -> Vec<V> {
        self
    }
}

/// The keys and the values of a small map.
pub struct Record<V: Key> {
    pub(super) shape: Arc<Shape<V>>,
    /// As many values as the shape has keys, and then nil for the values of new keys.
    values: Box<[V]>,
}

impl<V: Key> Default for Record<V> {
    fn default() -> Record<V> {
        Record { shape: V::no_keys(), values: Box::default() }
    }
}

impl<V: Key> Clone for Record<V> {
    fn clone(&self) -> Record<V> {
        Record { shape: self.shape.clone(), values: self.values().into() }
    }
}

impl<V: Key> Record<V> {
    /// Makes a record of a shape and the values of its keys.
    pub(super) fn new(shape: Arc<Shape<V>>, values: Vec<V>) -> Record<V> {
        let mut record = Record { shape, values: values.into_boxed_slice() };
        if record.values.len() != record.shape.len() {
            record.resize(record.shape.len());
        }
        record
    }

    /// Gives it another shape. Its values are to be replaced.
    pub(super) fn reshape(&mut self, shape: Arc<Shape<V>>) {
        self.shape = shape;
        self.resize(self.shape.len());
    }

    /// Returns the value at a place.
    #[inline]
    pub(super) fn value(&self, place: usize) -> Option<&V> {
        self.values.get(place)
    }

    #[inline]
    pub(super) fn values(&self) -> &[V] {
        self.values.get(..self.shape.len()).unwrap_or_default()
    }

    #[inline]
    pub(super) fn values_mut(&mut self) -> &mut [V] {
        self.values.get_mut(..self.shape.len()).unwrap_or_default()
    }

    /// Makes room for this many values in all.
    fn resize(&mut self, room: usize) {
        let mut values = std::mem::take(&mut self.values).into_vec();
        values.truncate(room);
        values.reserve_exact(room - values.len());
        values.resize_with(room, V::default);
        self.values = values.into_boxed_slice();
    }
}

impl<V: Key> Small for Record<V> {
    type Key = V;
    type Row = (V, V);
    type Ref<'s> = (&'s V, &'s V);
    type Rows<'s> = Zip<slice::Iter<'s, V>, slice::Iter<'s, V>>;

    fn by_ref((key, value): &(V, V)) -> (&V, &V) {
        (key, value)
    }

    fn owned((key, value): (&V, &V)) -> (V, V) {
        (key.clone(), value.clone())
    }

    fn with_capacity(rows: usize) -> Record<V> {
        let mut record = Record::default();
        if rows > 0 {
            record.shape = Shape::of(Vec::with_capacity(rows));
            record.resize(rows);
        }
        record
    }

    #[inline]
    fn keys(&self) -> &[V] {
        self.shape.keys()
    }

    fn get(&self, place: usize) -> Option<(&V, &V)> {
        Some((self.shape.keys().get(place)?, self.values.get(place)?))
    }

    #[inline]
    fn rows(&self) -> Self::Rows<'_> {
        self.shape.keys().iter().zip(self.values())
    }

    fn push(&mut self, (key, value): (V, V)) {
        let place = self.shape.len();
        Shape::push(&mut self.shape, key);
        if place == self.values.len() {
            // Maps that share the longer shape are of one origin: most get this key, and no other one.
            let is_shared = Arc::strong_count(&self.shape) > 1;
            let room = if is_shared { place + 1 } else { (place * 2).min(FLAT_MAX) };
            self.resize(room.max(FEW));
        }
        if let Some(new) = self.values.get_mut(place) {
            *new = value;
        }
    }

    fn replace(&mut self, place: usize, row: (V, V)) {
        if let Some(old) = self.values.get_mut(place) {
            *old = row.1;
        }
    }

    fn remove(&mut self, place: usize) -> (V, V) {
        let values = self.values_mut().get_mut(place..).unwrap_or_default();
        values.rotate_left(usize::from(!values.is_empty()));
        let value = values.last_mut().map(std::mem::take).unwrap_or_default();
        (Shape::remove(&mut self.shape, place), value)
    }

    fn into_rows(self) -> Vec<(V, V)> {
        // The keys end the pairs, so no place for a new value becomes one.
        Shape::into_keys(self.shape).into_iter().zip(self.values).collect()
    }
}
