//! The block form of larger tables: rows in order, with an index of their keys.

use std::sync::OnceLock;

use hashbrown::HashTable;

use super::row::Row;
use super::shape::Key;
use super::tree::Tree;

/// Rows in order, with the place of each key; a removed row leaves a gap.
#[derive(Clone)]
pub(super) struct Index<R: Row> {
    pub(super) rows: Vec<Option<R>>,
    places: HashTable<Spot>,
    /// The number of gaps before the first row, so that a queue finds it at once.
    gone: usize,
    /// The tree made by the first change while the table was shared.
    pub(super) tree: OnceLock<Box<Tree<R>>>,
}

/// The place of a row, with half of the hash of its key, so that a table grows without its keys.
#[derive(Clone, Copy)]
struct Spot {
    place: u32,
    hash: u32,
}

impl<R: Row> Index<R> {
    pub(super) fn with_capacity(rows: usize) -> Index<R> {
        let (rows, places) = (Vec::with_capacity(rows), HashTable::with_capacity(rows));
        Index { rows, places, gone: 0, tree: OnceLock::new() }
    }

    pub(super) fn of(rows: Vec<R>) -> Index<R> {
        let mut index = Index::with_capacity(rows.len() * 2);
        for row in rows {
            index.insert(row);
        }
        index
    }

    /// Returns a copy without the tree.
    pub(super) fn copy(&self) -> Index<R> {
        let (rows, places) = (self.rows.clone(), self.places.clone());
        Index { rows, places, gone: self.gone, tree: OnceLock::new() }
    }

    /// Returns the number of rows.
    pub(super) fn len(&self) -> usize {
        self.places.len()
    }

    /// Returns the rows in order, with gaps.
    pub(super) fn rows(&self) -> &[Option<R>] {
        self.rows.get(self.gone..).unwrap_or_default()
    }

    /// Returns the place of a key that has this half of a hash.
    pub(super) fn place(&self, hash: u32, same: impl Fn(&R::Key) -> bool) -> Option<usize> {
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

    pub(super) fn row(&self, hash: u32, same: impl Fn(&R::Key) -> bool) -> Option<&R> {
        self.rows.get(self.place(hash, same)?)?.as_ref()
    }

    pub(super) fn row_mut(&mut self, key: &R::Key) -> Option<&mut R> {
        let place = self.place(half(key.hash()), |other| other.is_same(key))?;
        self.rows.get_mut(place)?.as_mut()
    }

    pub(super) fn insert(&mut self, row: R) {
        self.tree.take();
        let hash = half(row.key().hash());
        match self.place(hash, |other| other.is_same(row.key())) {
            Some(place) => {
                if let Some(Some(old)) = self.rows.get_mut(place) {
                    old.replace(row);
                }
            }
            None => self.push(hash, row),
        }
    }

    /// Adds a row whose key it does not have.
    pub(super) fn push(&mut self, hash: u32, row: R) {
        if self.rows.len() >= 32 && self.places.len() * 2 < self.rows.len() {
            self.close_gaps();
        }
        let place = self.rows.len() as u32;
        self.rows.push(Some(row));
        self.places.insert_unique(whole(hash), Spot { place, hash }, |spot| whole(spot.hash));
    }

    pub(super) fn remove(&mut self, key: &R::Key) -> Option<R> {
        self.tree.take();
        let hash = half(key.hash());
        let rows = &self.rows;
        let entry = self.places.find_entry(whole(hash), |spot| {
            spot.hash == hash
                && rows
                    .get(spot.place as usize)
                    .and_then(Option::as_ref)
                    .is_some_and(|row| row.key().is_same(key))
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
pub(super) fn half(hash: u64) -> u32 {
    (hash >> 32) as u32
}

/// Returns the hash for the index of a table, which reads the first bits and the last ones.
fn whole(hash: u32) -> u64 {
    u64::from(hash).wrapping_mul(0x9E37_79B9_7F4A_7C15)
}
