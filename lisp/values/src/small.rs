//! Small tables: blocks that are searched from the front.

use std::iter::Zip;
use std::slice;
use std::sync::Arc;

use super::Value;
use super::shape::{FEW, Shape};

/// The number of rows up to which a search from the front beats hashing the key. Tools send JSON
/// records with at most 16 keys.
pub const FLAT_MAX: usize = 16;

/// A small table of rows in insertion order.
pub trait Small: Clone + Default + 'static {
    type Row;
    /// A row in a table.
    type Ref<'s>: Copy
    where
        Self: 's;
    type Rows<'s>: Iterator<Item = Self::Ref<'s>> + Clone
    where
        Self: 's;

    fn by_ref(row: &Self::Row) -> Self::Ref<'_>;
    fn owned(row: Self::Ref<'_>) -> Self::Row;

    fn with_capacity(rows: usize) -> Self;
    fn keys(&self) -> &[Value];
    fn get(&self, place: usize) -> Option<Self::Ref<'_>>;
    fn rows(&self) -> Self::Rows<'_>;
    /// Adds a row whose key it does not have.
    fn push(&mut self, row: Self::Row);
    /// Replaces the row at a place, but not its key.
    fn replace(&mut self, place: usize, row: Self::Row);
    fn remove(&mut self, place: usize) -> Self::Row;
    fn into_rows(self) -> Vec<Self::Row>;
}

impl Small for Vec<Value> {
    type Row = Value;
    type Ref<'s> = &'s Value;
    type Rows<'s> = slice::Iter<'s, Value>;

    fn by_ref(member: &Value) -> &Value {
        member
    }

    fn owned(member: &Value) -> Value {
        member.clone()
    }

    fn with_capacity(rows: usize) -> Vec<Value> {
        Vec::with_capacity(rows)
    }

    fn keys(&self) -> &[Value] {
        self
    }

    fn get(&self, place: usize) -> Option<&Value> {
        self.as_slice().get(place)
    }

    fn rows(&self) -> slice::Iter<'_, Value> {
        self.iter()
    }

    fn push(&mut self, member: Value) {
        Vec::push(self, member);
    }

    fn replace(&mut self, _: usize, _: Value) {}

    fn remove(&mut self, place: usize) -> Value {
        Vec::remove(self, place)
    }

    fn into_rows(self) -> Vec<Value> {
        self
    }
}

/// The keys and the values of a small map.
pub struct Record {
    pub(super) shape: Arc<Shape>,
    /// As many values as the shape has keys, and then nil for the values of new keys.
    values: Box<[Value]>,
}

impl Default for Record {
    fn default() -> Record {
        Record { shape: Shape::empty(), values: Box::default() }
    }
}

impl Clone for Record {
    fn clone(&self) -> Record {
        Record { shape: self.shape.clone(), values: self.values().into() }
    }
}

impl Record {
    /// Makes a record of a shape and the values of its keys.
    pub(super) fn new(shape: Arc<Shape>, values: Vec<Value>) -> Record {
        let mut record = Record { shape, values: values.into_boxed_slice() };
        if record.values.len() != record.shape.len() {
            record.resize(record.shape.len());
        }
        record
    }

    /// Gives it another shape. Its values are to be replaced.
    pub(super) fn reshape(&mut self, shape: Arc<Shape>) {
        self.shape = shape;
        self.resize(self.shape.len());
    }

    /// Returns the value at a place.
    #[inline]
    pub(super) fn value(&self, place: usize) -> Option<&Value> {
        self.values.get(place)
    }

    #[inline]
    pub(super) fn values(&self) -> &[Value] {
        self.values.get(..self.shape.len()).unwrap_or_default()
    }

    #[inline]
    pub(super) fn values_mut(&mut self) -> &mut [Value] {
        self.values.get_mut(..self.shape.len()).unwrap_or_default()
    }

    /// Makes room for this many values in all.
    fn resize(&mut self, room: usize) {
        let mut values = std::mem::take(&mut self.values).into_vec();
        values.truncate(room);
        values.reserve_exact(room - values.len());
        values.resize_with(room, Value::default);
        self.values = values.into_boxed_slice();
    }
}

impl Small for Record {
    type Row = (Value, Value);
    type Ref<'s> = (&'s Value, &'s Value);
    type Rows<'s> = Zip<slice::Iter<'s, Value>, slice::Iter<'s, Value>>;

    fn by_ref((key, value): &(Value, Value)) -> (&Value, &Value) {
        (key, value)
    }

    fn owned((key, value): (&Value, &Value)) -> (Value, Value) {
        (key.clone(), value.clone())
    }

    fn with_capacity(rows: usize) -> Record {
        let mut record = Record::default();
        if rows > 0 {
            record.shape = Shape::of(Vec::with_capacity(rows));
            record.resize(rows);
        }
        record
    }

    #[inline]
    fn keys(&self) -> &[Value] {
        self.shape.keys()
    }

    fn get(&self, place: usize) -> Option<(&Value, &Value)> {
        Some((self.shape.keys().get(place)?, self.values.get(place)?))
    }

    #[inline]
    fn rows(&self) -> Self::Rows<'_> {
        self.shape.keys().iter().zip(self.values())
    }

    fn push(&mut self, (key, value): (Value, Value)) {
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

    fn replace(&mut self, place: usize, row: (Value, Value)) {
        if let Some(old) = self.values.get_mut(place) {
            *old = row.1;
        }
    }

    fn remove(&mut self, place: usize) -> (Value, Value) {
        let values = self.values_mut().get_mut(place..).unwrap_or_default();
        values.rotate_left(usize::from(!values.is_empty()));
        let value = values.last_mut().map(std::mem::take).unwrap_or_default();
        (Shape::remove(&mut self.shape, place), value)
    }

    fn into_rows(self) -> Vec<(Value, Value)> {
        // The keys end the pairs, so no place for a new value becomes one.
        Shape::into_keys(self.shape).into_iter().zip(self.values).collect()
    }
}
