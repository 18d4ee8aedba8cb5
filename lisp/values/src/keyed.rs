//! Access to the rows of a table by their keys.

use std::hash::{Hash, Hasher};
use std::sync::OnceLock;

use hashbrown::HashTable;

use super::hash::{hash_key, hash_name};
use super::small::Small;
use super::table::{Form, FormMut, Index, Key, Order, Ref, Repr, Spot, Tree};
use super::{FLAT_MAX, Map, Row, Table, Value, equal, same_key, same_text};

impl<R: Row> Table<R> {
    /// Returns the row of a key.
    pub fn row(&self, key: &Value) -> Option<Ref<'_, R>> {
        match self.form() {
            Form::Small(small) => small.get(place(small, key)?),
            Form::Index(index) => {
                let row = index.row(half(hash_key(key)), |other| same_key(other, key));
                row.map(R::Small::by_ref)
            }
            Form::Tree(tree) => {
                tree.rows.get(tree.numbers.get(&Key::new(key))?).map(R::Small::by_ref)
            }
        }
    }

    /// Returns whether it has the key.
    pub fn contains(&self, key: &Value) -> bool {
        self.row(key).is_some()
    }

    /// Inserts a row, or replaces the row of an equal key, which keeps its place and spelling. A
    /// sorted table takes new keys only through [`Table::insert_at`].
    pub fn insert(&mut self, row: R) {
        self.deepen(&row);
        match self.form_mut() {
            FormMut::Small(small) => match place(small, row.key()) {
                Some(place) => small.replace(place, row),
                None if small.keys().len() < FLAT_MAX => small.push(row),
                None => {
                    let mut index = Index::of(std::mem::take(small).into_rows());
                    index.insert(row);
                    self.repr = Repr::index(index);
                }
            },
            FormMut::Index(index) => index.insert(row),
            FormMut::Tree(tree) => tree.insert(row),
        }
    }

    /// Inserts a row whose key it certainly does not have.
    pub fn insert_new(&mut self, row: R) {
        self.deepen(&row);
        match self.small_mut() {
            Some(small) if small.keys().len() < FLAT_MAX => small.push(row),
            _ => self.insert(row),
        }
    }

    /// Removes the row of a key, if there is one.
    pub fn remove(&mut self, key: &Value) -> Option<R> {
        self.forget_parts();
        match self.form_mut() {
            FormMut::Small(small) => {
                let place = place(small, key)?;
                Some(small.remove(place))
            }
            FormMut::Index(index) => index.remove(key),
            FormMut::Tree(tree) => {
                let number = tree.numbers.remove(&Key::new(key))?;
                tree.rows.remove(&number)
            }
        }
    }
}

/// Returns the place of a key in a small table.
fn place(small: &impl Small, key: &Value) -> Option<usize> {
    small.keys().iter().position(|other| same_key(other, key))
}

impl Map {
    /// Makes a map of pairs; a later pair replaces the value of an earlier equal key.
    pub(super) fn of_pairs(pairs: impl IntoIterator<Item = (Value, Value)>) -> Map {
        let pairs = pairs.into_iter();
        let mut map = Map::with_capacity(pairs.size_hint().0.min(FLAT_MAX));
        pairs.for_each(|pair| map.insert(pair));
        map
    }

    /// Returns the value of a key.
    pub fn get(&self, key: &Value) -> Option<&Value> {
        self.row(key).map(|(_, value)| value)
    }

    /// Returns the value of the keyword or string key of this name.
    #[inline]
    pub fn get_name(&self, name: &str) -> Option<&Value> {
        let Some(record) = self.small() else { return self.get_name_in_many(name) };
        let place = record.shape.keys().iter().position(|key| is_named(key, name))?;
        record.values().get(place)
    }

    fn get_name_in_many(&self, name: &str) -> Option<&Value> {
        match self.form() {
            Form::Index(index) => {
                let row = index.row(half(hash_name(name)), |key| is_named(key, name));
                row.map(|(_, value)| value)
            }
            _ => self.get(&Value::str(name)),
        }
    }

    /// Returns the value of an existing key, to be changed.
    pub fn get_mut(&mut self, key: &Value) -> Option<&mut Value> {
        self.forget_parts();
        match self.form_mut() {
            FormMut::Small(record) => {
                let place = place(record, key)?;
                record.values_mut().get_mut(place)
            }
            FormMut::Index(index) => {
                // The tree would not see this change and become stale.
                index.tree.take();
                index.row_mut(key).map(|row| &mut row.1)
            }
            FormMut::Tree(tree) => {
                let number = *tree.numbers.get(&Key::new(key))?;
                tree.rows.get_mut(&number).map(|row| &mut row.1)
            }
        }
    }

    /// Changes the value of a key, or inserts the value that `new` makes. Both get `with`. Hashes the
    /// key once.
    pub fn change<T>(
        &mut self,
        key: Value,
        with: T,
        change: impl FnOnce(&mut Value, T),
        new: impl FnOnce(T) -> Value,
    ) {
        let FormMut::Index(index) = self.form_mut() else {
            return match self.get_mut(&key) {
                Some(value) => change(value, with),
                None => self.insert_new((key, new(with))),
            };
        };
        let hash = half(hash_key(&key));
        index.tree.take();
        if let Some(place) = index.place(hash, |other| same_key(other, &key)) {
            if let Some(Some(row)) = index.rows.get_mut(place) {
                change(&mut row.1, with);
            }
            return self.forget_parts();
        }
        let row = (key, new(with));
        let depth = row.depth() + 1;
        index.push(hash, row);
        self.forget_parts();
        self.depth = self.depth.max(depth);
    }

    /// Adds one to the count of a key.
    pub fn count(&mut self, key: Value) {
        let add = |count: &mut Value, ()| {
            if let Value::Int(count) = count {
                *count += 1;
            }
        };
        self.change(key, (), add, |()| Value::Int(1));
    }

    /// Returns whether both have the same keys; `later` gets the pairs to compare, to avoid
    /// recursion.
    pub(super) fn same_shape<'a>(
        &'a self,
        other: &'a Map,
        later: &mut impl FnMut(&'a Value, &'a Value),
    ) -> bool {
        if let (Some(record), Some(others)) = (self.small(), other.small())
            && Map::same_keys(self, other)
        {
            record.values().iter().zip(others.values()).for_each(|(a, b)| later(a, b));
            return true;
        }
        self.len() == other.len()
            && self
                .iter()
                .all(|(key, value)| other.get(key).inspect(|found| later(value, found)).is_some())
    }
}

/// Returns whether a key is the keyword or string of this name.
#[inline]
fn is_named(key: &Value, name: &str) -> bool {
    match key {
        Value::Str(text) | Value::Keyword(text) => same_text(text, name),
        _ => false,
    }
}

impl PartialEq for Map {
    fn eq(&self, other: &Map) -> bool {
        let mut all = true;
        self.same_shape(other, &mut |a, b| all = all && equal(a, b)) && all
    }
}

impl<R: Row> Index<R> {
    fn of(rows: Vec<R>) -> Index<R> {
        let places = HashTable::with_capacity(rows.len() * 2);
        let (gone, tree) = (0, OnceLock::new());
        let mut index = Index { rows: Vec::with_capacity(rows.len() * 2), places, gone, tree };
        for row in rows {
            index.insert(row);
        }
        index
    }

    /// Returns the place of a key that has this half of a hash.
    fn place(&self, hash: u32, same: impl Fn(&Value) -> bool) -> Option<usize> {
        let is_same = |spot: &Spot| {
            spot.hash == hash
                && self
                    .rows
                    .get(spot.place as usize)
                    .and_then(Option::as_ref)
                    .is_some_and(|row| same(row.key()))
        };
        self.places.find(whole(hash), is_same).map(|spot| spot.place as usize)
    }

    fn row(&self, hash: u32, same: impl Fn(&Value) -> bool) -> Option<&R> {
        self.rows.get(self.place(hash, same)?)?.as_ref()
    }

    fn row_mut(&mut self, key: &Value) -> Option<&mut R> {
        let place = self.place(half(hash_key(key)), |other| same_key(other, key))?;
        self.rows.get_mut(place)?.as_mut()
    }

    fn insert(&mut self, row: R) {
        self.tree.take();
        let hash = half(hash_key(row.key()));
        match self.place(hash, |other| same_key(other, row.key())) {
            Some(place) => {
                if let Some(Some(old)) = self.rows.get_mut(place) {
                    old.replace(row);
                }
            }
            None => self.push(hash, row),
        }
    }

    /// Adds a row whose key it does not have.
    fn push(&mut self, hash: u32, row: R) {
        if self.rows.len() >= 32 && self.places.len() * 2 < self.rows.len() {
            self.close_gaps();
        }
        let place = self.rows.len() as u32;
        self.rows.push(Some(row));
        self.places.insert_unique(whole(hash), Spot { place, hash }, |spot| whole(spot.hash));
    }

    fn remove(&mut self, key: &Value) -> Option<R> {
        self.tree.take();
        let hash = half(hash_key(key));
        let rows = &self.rows;
        let entry = self.places.find_entry(whole(hash), |spot| {
            spot.hash == hash
                && rows
                    .get(spot.place as usize)
                    .and_then(Option::as_ref)
                    .is_some_and(|row| same_key(row.key(), key))
        });
        let (Spot { place, .. }, _) = entry.ok()?.remove();
        let row = self.rows.get_mut(place as usize)?.take();
        if place as usize == self.gone {
            let rows = self.rows.get(self.gone..).unwrap_or_default();
            self.gone += rows.iter().take_while(|row| row.is_none()).count();
        }
        row
    }

    /// Renumbers the rows when more than half of them are gone.
    fn close_gaps(&mut self) {
        // The new place of each row; a gap has that of the next row.
        let mut places = Vec::with_capacity(self.rows.len());
        let mut next = 0;
        for row in &self.rows {
            places.push(next);
            next += u32::from(row.is_some());
        }
        for spot in &mut self.places {
            spot.place = places.get(spot.place as usize).copied().unwrap_or_default();
        }
        self.rows.retain(Option::is_some);
        self.gone = 0;
    }
}

/// Returns the half of a hash that a table keeps.
fn half(hash: u64) -> u32 {
    (hash >> 32) as u32
}

/// Returns the hash for the index of a table, which reads the first bits and the last ones.
fn whole(hash: u32) -> u64 {
    u64::from(hash).wrapping_mul(0x9E37_79B9_7F4A_7C15)
}

impl<R: Row> Tree<R> {
    pub(super) fn of<'a>(rows: impl Iterator<Item = Ref<'a, R>>) -> Tree<R>
    where
        R: 'a,
    {
        let mut tree = Tree::new(None);
        for row in rows {
            tree.insert(R::Small::owned(row));
        }
        tree
    }

    pub(super) fn new(order: Option<Order>) -> Tree<R> {
        Tree { rows: im::OrdMap::new(), numbers: im::HashMap::new(), next: 0, order }
    }

    /// Inserts a row under a number.
    pub(super) fn put(&mut self, number: u64, row: R) {
        self.numbers.insert(Key::new(row.key()), number);
        self.rows.insert(number, row);
    }

    fn insert(&mut self, row: R) {
        if let Some(number) = self.numbers.get(&Key::new(row.key())) {
            if let Some(old) = self.rows.get_mut(number) {
                old.replace(row);
            }
            return;
        }
        self.put(self.next, row);
        self.next += 1;
    }
}

impl<R> Hash for Key<R> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        state.write_u64(hash_key(&self.0));
    }
}

impl<R: Row> PartialEq for Key<R> {
    fn eq(&self, other: &Key<R>) -> bool {
        same_key(&self.0, &other.0)
    }
}

impl<R: Row> Eq for Key<R> {}
