//! The persistent form of tables: rows under ascending numbers, with the number of each key.

use std::hash::{Hash, Hasher};

use super::row::{Ref, Row, Small};
use super::shape::Key;

/// Rows under ascending numbers, with the number of each key.
#[derive(Clone)]
pub(super) struct Tree<R: Row> {
    pub(super) rows: im::OrdMap<u64, R>,
    numbers: im::HashMap<Hashed<R::Key>, u64>,
    next: u64,
    /// The order of a sorted table's keys, which the row numbers follow.
    pub(super) order: Option<Order<R::Key>>,
}

/// The order of the keys of a sorted table.
#[derive(Clone)]
pub enum Order<K> {
    /// The order of `compare`.
    Natural,
    /// The order of a function of two keys.
    By(K),
}

/// A key with the hashing and equality of keys, for `im`.
#[derive(Clone)]
pub(super) struct Hashed<K>(K);

impl<K: Key> Hash for Hashed<K> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        state.write_u64(self.0.hash());
    }
}

impl<K: Key> PartialEq for Hashed<K> {
    fn eq(&self, other: &Hashed<K>) -> bool {
        self.0.is_same(&other.0)
    }
}

impl<K: Key> Eq for Hashed<K> {}

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

    pub(super) fn new(order: Option<Order<R::Key>>) -> Tree<R> {
        Tree { rows: im::OrdMap::new(), numbers: im::HashMap::new(), next: 0, order }
    }

    /// Returns the number of a key.
    pub(super) fn number(&self, key: &R::Key) -> Option<u64> {
        self.numbers.get(&Hashed(key.clone())).copied()
    }

    /// Removes the row of a key.
    pub(super) fn remove(&mut self, key: &R::Key) -> Option<R> {
        let number = self.numbers.remove(&Hashed(key.clone()))?;
        self.rows.remove(&number)
    }

    /// Inserts a row under a number.
    pub(super) fn put(&mut self, number: u64, row: R) {
        self.numbers.insert(Hashed(row.key().clone()), number);
        self.rows.insert(number, row);
    }

    /// Inserts a row behind all others, or replaces the row of an equal key.
    pub(super) fn insert(&mut self, row: R) {
        if let Some(number) = self.number(row.key()) {
            if let Some(old) = self.rows.get_mut(&number) {
                old.replace(row);
            }
            return;
        }
        self.put(self.next, row);
        self.next += 1;
    }
}
