//! Maps that share their keys, and the memories of shapes.

use std::sync::{Arc, Weak};

use super::item::depth_above;
use super::shape::{Key, Shape};
use super::small::Record;
use super::table::Map;

/// The shapes that a reader of data, or a machine, saw last.
pub struct Shapes<K: Key> {
    /// Empty until the first shape.
    slots: Vec<Slot<K>>,
}

struct Slot<K: Key> {
    /// The mark of the last shape.
    mark: u64,
    shape: Option<Arc<Shape<K>>>,
}

impl<K: Key> Default for Shapes<K> {
    fn default() -> Shapes<K> {
        Shapes { slots: Vec::new() }
    }
}

impl<K: Key> Default for Slot<K> {
    fn default() -> Slot<K> {
        Slot { mark: 0, shape: None }
    }
}

impl<K: Key> Shapes<K> {
    const BITS: u32 = 6;

    /// Returns the shape of these keys, which are new to the map that gets it.
    pub fn of<'k>(&mut self, keys: impl Iterator<Item = &'k K> + Clone) -> Arc<Shape<K>> {
        self.known(keys.clone()).unwrap_or_else(|| {
            let shape = Shape::of(keys.cloned().collect());
            self.keep(&shape);
            shape
        })
    }

    /// Returns the shape of these keys, if it was seen lately.
    pub(crate) fn known<'k>(
        &mut self,
        keys: impl Iterator<Item = &'k K> + Clone,
    ) -> Option<Arc<Shape<K>>> {
        if self.slots.is_empty() {
            return None;
        }
        let slot = self.slot(mark(keys.clone())?);
        slot.shape.as_ref().filter(|shape| shape.has(keys)).cloned()
    }

    pub(crate) fn keep(&mut self, shape: &Arc<Shape<K>>) {
        if let Some(mark) = mark(shape.keys().iter()) {
            self.slot(mark).shape = Some(shape.clone());
        }
    }

    /// Gives a new map the shape of an earlier one with the same keys. Keys that come once are not kept.
    pub fn share(&mut self, map: &mut Map<K>) {
        let Some(own) = map.shape_mut() else { return };
        if own.keys().is_empty() || Arc::strong_count(own) > 1 {
            return;
        }
        let Some(mark) = mark(own.keys().iter()) else { return };
        let slot = self.slot(mark);
        match &slot.shape {
            Some(shape) if shape.has(own.keys().iter()) => *own = shape.clone(),
            _ if slot.mark == mark => slot.shape = Some(own.clone()),
            _ => slot.mark = mark,
        }
    }

    /// Makes a map of pairs, which may share its keys with an earlier one.
    pub fn map(&mut self, pairs: impl IntoIterator<Item = (K, K)>) -> Map<K> {
        let mut map = Map::of_pairs(pairs);
        self.share(&mut map);
        map
    }

    fn slot(&mut self, mark: u64) -> &mut Slot<K> {
        if self.slots.is_empty() {
            self.slots.resize_with(1 << Self::BITS, Slot::default);
        }
        &mut self.slots[(mark >> (u64::BITS - Self::BITS)) as usize]
    }
}

/// Returns a number for keys that are short names, by their addresses. Nothing is ordered by it.
fn mark<'k, K: Key>(keys: impl Iterator<Item = &'k K>) -> Option<u64> {
    let mut mark = 0_u64;
    for key in keys {
        let mixed =
            (mark.rotate_left(5) ^ key.address()? as u64).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        mark = mixed ^ (mixed >> 32);
    }
    Some(mark.wrapping_mul(0x9E37_79B9_7F4A_7C15))
}

/// The shapes in which the lookups of one key found it last, with its places in them.
pub struct Places<K: Key> {
    shapes: [Weak<Shape<K>>; COUNT],
    at: [u8; COUNT],
    /// The place of the key in the last map.
    near: u8,
    /// The number of shapes that were remembered so far.
    changes: u8,
}

/// The number of shapes that the lookups of a key remember.
const COUNT: usize = 4;

impl<K: Key> Default for Places<K> {
    fn default() -> Places<K> {
        let shapes = [const { Weak::new() }; COUNT];
        Places { shapes, at: [0; COUNT], near: 0, changes: 0 }
    }
}

impl<K: Key> Places<K> {
    /// The place of a key that a shape does not have.
    const NONE: u8 = u8::MAX;

    /// The number of shapes after which no further one is remembered: maps of many shapes are looked up.
    const CHANGES: u8 = 64;

    /// Returns the place of the key in a shape that is remembered; [`Places::NONE`] if the shape does not have it.
    #[inline]
    pub(crate) fn of(&self, shape: &Arc<Shape<K>>) -> Option<usize> {
        let shape = Arc::as_ptr(shape);
        let known = |(known, place): (&Weak<Shape<K>>, &u8)| {
            std::ptr::eq(known.as_ptr(), shape).then_some(usize::from(*place))
        };
        self.shapes.iter().zip(&self.at).find_map(known)
    }

    /// Returns the place of the key in the last map, if it is the place in this shape too.
    #[inline]
    fn near(&self, shape: &Shape<K>, key: &K) -> Option<usize> {
        let near = usize::from(self.near);
        shape.keys().get(near).is_some_and(|found| found.is_the_name(key)).then_some(near)
    }

    /// Finds the key in a shape that is not remembered, and remembers it if other maps share it.
    #[inline(never)]
    pub(crate) fn find(&mut self, shape: &Arc<Shape<K>>, key: &K) -> Option<usize> {
        let near = usize::from(self.near);
        let keys = shape.keys();
        let place = match keys.get(near) {
            Some(found) if found.is_same(key) => Some(near),
            _ => keys.iter().position(|other| other.is_same(key)),
        };
        if let Some(place) = place {
            self.near = place as u8;
        }
        // A remembered shape is copied by a change of its keys, so one of a single map is not remembered.
        if self.changes < Self::CHANGES && Arc::strong_count(shape) > 1 {
            let at = usize::from(self.changes) % COUNT;
            self.changes += 1;
            self.shapes[at] = Arc::downgrade(shape);
            self.at[at] = place.map_or(Self::NONE, |place| place as u8);
        }
        place
    }
}

/// The keys of the last map that was asked about.
pub struct LastKeys<K: Key>(Weak<Shape<K>>);

impl<K: Key> Default for LastKeys<K> {
    fn default() -> LastKeys<K> {
        LastKeys(Weak::new())
    }
}

impl<K: Key> LastKeys<K> {
    /// Returns whether a map shares its keys with the last one. Remembers its keys if it shares them with any map.
    pub fn are_of(&mut self, map: &Map<K>) -> bool {
        let Some(record) = map.small() else { return false };
        let is_same = std::ptr::eq(self.0.as_ptr(), Arc::as_ptr(&record.shape));
        if !is_same && Arc::strong_count(&record.shape) > 1 {
            self.0 = Arc::downgrade(&record.shape);
        }
        is_same
    }
}

impl<K: Key> Map<K> {
    /// Makes a map of a shape and the values of its keys, which hold nothing themselves.
    pub(crate) fn of_shape(shape: Arc<Shape<K>>, values: Vec<K>) -> Map<K> {
        let depth = depth_above(&values);
        Map::of_small(Record::new(shape, values), depth)
    }

    /// Makes a map of a shape and the values of its keys, which hold nothing deeper than `depth`.
    #[inline]
    pub fn of_record(shape: Arc<Shape<K>>, values: Vec<K>, depth: u32) -> Map<K> {
        Map::of_small(Record::new(shape, values), depth + 1)
    }

    /// Gives a small map a shape, and returns the places of its values. [`Map::set_depth`] follows when they are in place.
    /// Returns none for a large map.
    #[inline]
    pub fn start_record(&mut self, shape: &Arc<Shape<K>>) -> Option<&mut [K]> {
        self.forget_parts();
        let record = self.small_mut()?;
        if !Arc::ptr_eq(&record.shape, shape) {
            record.reshape(shape.clone());
        }
        Some(record.values_mut())
    }

    /// Removes the values that take memory, not the keys, of an unshared small map; false for
    /// others.
    pub fn drop_values(this: &mut Arc<Map<K>>) -> bool {
        let Some(record) = this.small() else { return false };
        if record.values().iter().all(K::is_plain) {
            return Arc::strong_count(this) == 1;
        }
        let Some(own) = Arc::get_mut(this) else { return false };
        own.forget_parts();
        for value in own.small_mut().map(Record::values_mut).unwrap_or_default() {
            let old = std::mem::take(value);
            // A drop of a plain one would be a call.
            if old.is_plain() { std::mem::forget(old) } else { drop(old) }
        }
        true
    }

    /// Returns the value of a key. Looks in the shapes that `places` remembers first, and remembers the shape of this
    /// map. All lookups with these places are of one key, at one address.
    #[inline]
    pub fn get_at(&self, key: &K, places: &mut Places<K>) -> Option<&K> {
        let Some(record) = self.small() else { return self.get(key) };
        match places.of(&record.shape) {
            Some(place) => record.value(place),
            None => record.value(places.find(&record.shape, key)?),
        }
    }

    /// Returns the value of the key of some places, or `absent`, if they remember the shape of this map. Returns the value
    /// too if the key has the place that it had in the last map.
    #[inline]
    pub fn get_known<'a>(&'a self, places: &Places<K>, key: &K, absent: &'a K) -> Option<&'a K> {
        let record = self.small()?;
        match places.of(&record.shape) {
            Some(place) => Some(record.value(place).unwrap_or(absent)),
            None => record.value(places.near(&record.shape, key)?),
        }
    }

    /// Returns whether both are small maps that share their keys, in one order.
    pub fn same_keys(this: &Map<K>, other: &Map<K>) -> bool {
        match (this.small(), other.small()) {
            (Some(this), Some(other)) => Arc::ptr_eq(&this.shape, &other.shape),
            _ => false,
        }
    }

    fn shape_mut(&mut self) -> Option<&mut Arc<Shape<K>>> {
        self.small_mut().map(|record| &mut record.shape)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::{Arc, Weak};

    use crate::{LastKeys, Map, Places, SHORT_NAME, Shapes, Value};

    type Shape = crate::shape::Shape<Value>;

    fn key(name: &str) -> Value {
        Value::str(name)
    }

    fn shape(keys: &[Value]) -> Arc<Shape> {
        Shape::of(keys.to_vec())
    }

    #[test]
    fn keys_of_one_map_change_in_place() {
        let mut own = shape(&[key("a")]);
        let before = Arc::as_ptr(&own);
        Shape::push(&mut own, key("b"));
        assert_eq!(Shape::remove(&mut own, 0), key("a"));
        assert_eq!((Arc::as_ptr(&own), own.keys()), (before, &[key("b")][..]));
        // A lookup that remembers a shape keeps it as it is.
        let (mut places, other) = (Places::default(), own.clone());
        assert_eq!(places.find(&own, &key("b")), Some(0));
        drop(other);
        Shape::remove(&mut own, 0);
        assert!(places.of(&own).is_none() && own.keys().is_empty());
    }

    #[test]
    fn shapes_that_were_seen_last_are_shared() {
        let mut shapes = Shapes::default();
        let keys = [key("a"), key("b")];
        let first = shapes.of(keys.iter());
        assert!(Arc::ptr_eq(&first, &shapes.of(keys.iter())));
        assert!(!Arc::ptr_eq(&first, &shapes.of([key("a"), key("b")].iter())));
        // Other keys than names, and long ones, are not kept.
        for keys in [[Value::from(1), key("a")], [key("a"), key(&"b".repeat(SHORT_NAME + 1))]] {
            assert!(!Arc::ptr_eq(&shapes.of(keys.iter()), &shapes.of(keys.iter())));
        }
        let many: Vec<Weak<Shape>> =
            (0..1000).map(|at| Arc::downgrade(&shapes.of([key(&at.to_string())].iter()))).collect();
        assert!(many.iter().filter(|shape| shape.upgrade().is_some()).count() <= 64);
    }

    #[test]
    fn maps_with_the_same_names_get_one_shape() {
        let mut shapes = Shapes::default();
        let (a, b) = (key("a"), key("b"));
        let mut made = || {
            let pairs = [(a.clone(), Value::from(1)), (b.clone(), Value::from(2))];
            let mut map = Map::of_pairs(pairs);
            shapes.share(&mut map);
            map
        };
        let [first, second, mut third] = [(); 3].map(|()| made());
        assert!(!Map::same_keys(&first, &second) && Map::same_keys(&second, &third));
        third.insert((key("c"), Value::from(3)));
        assert!(!Map::same_keys(&second, &third));
        assert_eq!((second.len(), third.len()), (2, 3));
    }

    #[test]
    fn the_keys_of_the_last_map_are_known() {
        let pairs = || [(key("a"), Value::from(1))];
        let (own, shared) = (Map::of_pairs(pairs()), Map::of_pairs(pairs()));
        let (copy, mut last) = (shared.clone(), LastKeys::default());
        let asked = [&own, &own, &shared, &copy, &own, &shared].map(|map| last.are_of(map));
        assert_eq!(asked, [false, false, false, true, false, true]);
    }

    #[test]
    fn keys_that_nest_deep_are_dropped_without_recursion() {
        let mut nested = Value::Nil;
        for _ in 0..200_000 {
            nested = Value::map([(nested, Value::Nil)]);
        }
        let copy = match &nested {
            Value::Map(map) => Value::Map(Arc::new(Map::clone(map))),
            other => other.clone(),
        };
        drop(nested);
        drop(copy);
    }

    #[test]
    fn a_lookup_remembers_the_shapes_that_it_saw() {
        let (a, b) = (key("a"), key("b"));
        let [first, second] = [shape(&[a.clone(), b.clone()]), shape(std::slice::from_ref(&a))];
        let _others = [first.clone(), second.clone()];
        let mut places = Places::default();
        assert_eq!((places.find(&first, &b), places.find(&second, &b)), (Some(1), None));
        assert_eq!((places.of(&first), places.of(&second)), (Some(1), Some(255)));
        // Maps of many shapes are found without a memory.
        for at in 0..200 {
            let other = shape(&[key(&at.to_string()), b.clone()]);
            let _shared = other.clone();
            assert_eq!(places.find(&other, &b), Some(1));
            assert_eq!(places.of(&other).is_some(), at < 62, "{at}");
        }
    }
}
