//! Access to the rows of a table by their keys.

use super::index::{Index, half};
use super::row::{Ref, Row, Small};
use super::shape::Key;
use super::small::FLAT_MAX;
use super::table::{Form, FormMut, Map, Repr, Table};

impl<R: Row> Table<R> {
    /// Returns the row of a key.
    pub fn row(&self, key: &R::Key) -> Option<Ref<'_, R>> {
        match self.form() {
            Form::Small(small) => small.get(place(small, key)?),
            Form::Index(index) => {
                let row = index.row(half(key.hash()), |other| other.is_same(key));
                row.map(R::Small::by_ref)
            }
            Form::Tree(tree) => tree.rows.get(&tree.number(key)?).map(R::Small::by_ref),
        }
    }

    /// Returns whether it has the key.
    pub fn contains(&self, key: &R::Key) -> bool {
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
    pub fn remove(&mut self, key: &R::Key) -> Option<R> {
        self.forget_parts();
        match self.form_mut() {
            FormMut::Small(small) => {
                let place = place(small, key)?;
                Some(small.remove(place))
            }
            FormMut::Index(index) => index.remove(key),
            FormMut::Tree(tree) => tree.remove(key),
        }
    }
}

/// Returns the place of a key in a small table. Names are mostly at one address, and comparing texts takes longer.
fn place<K: Key>(small: &impl Small<Key = K>, key: &K) -> Option<usize> {
    let keys = small.keys();
    let at_hand = keys.iter().position(|other| other.is_the_name(key));
    at_hand.or_else(|| keys.iter().position(|other| other.is_same(key)))
}

impl<V: Key> Map<V> {
    /// Makes a map of pairs; a later pair replaces the value of an earlier equal key.
    pub(super) fn of_pairs(pairs: impl IntoIterator<Item = (V, V)>) -> Map<V> {
        let pairs = pairs.into_iter();
        let mut map = Map::with_capacity(pairs.size_hint().0.min(FLAT_MAX));
        pairs.for_each(|pair| map.insert(pair));
        map
    }

    /// Returns the value of a key.
    pub fn get(&self, key: &V) -> Option<&V> {
        self.row(key).map(|(_, value)| value)
    }

    /// Returns the value of the keyword or string key of this name.
    #[inline]
    pub fn get_name(&self, name: &str) -> Option<&V> {
        let Some(record) = self.small() else { return self.get_name_in_many(name) };
        let place = record.shape.keys().iter().position(|key| key.is_named(name))?;
        record.values().get(place)
    }

    fn get_name_in_many(&self, name: &str) -> Option<&V> {
        match self.form() {
            Form::Index(index) => {
                let row = index.row(half(V::hash_of_name(name)), |key| key.is_named(name));
                row.map(|(_, value)| value)
            }
            _ => self.get(&V::of_name(name)),
        }
    }

    /// Returns the value of an existing key, to be changed.
    pub fn get_mut(&mut self, key: &V) -> Option<&mut V> {
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
                let number = tree.number(key)?;
                tree.rows.get_mut(&number).map(|row| &mut row.1)
            }
        }
    }

    /// Changes the value of a key, or inserts the value that `new` makes. Both get `with`. Hashes the
    /// key once.
    pub fn change<T>(
        &mut self,
        key: V,
        with: T,
        change: impl FnOnce(&mut V, T),
        new: impl FnOnce(T) -> V,
    ) {
        let FormMut::Index(index) = self.form_mut() else {
            return match self.get_mut(&key) {
                Some(value) => change(value, with),
                None => self.insert_new((key, new(with))),
            };
        };
        let hash = half(key.hash());
        index.tree.take();
        if let Some(place) = index.place(hash, |other| other.is_same(&key)) {
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

    /// Returns whether both have the same keys; `later` gets the pairs to compare, to avoid
    /// recursion.
    pub(super) fn same_shape<'a>(
        &'a self,
        other: &'a Map<V>,
        later: &mut impl FnMut(&'a V, &'a V),
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
