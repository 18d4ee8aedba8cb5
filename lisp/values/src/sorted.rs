//! Maps and sets in the order of their keys.
//!
//! A sorted table is a tree whose rows have numbers that ascend with their keys. A new row gets a
//! number between those of its neighbours. Finding them takes comparisons, which may call functions
//! of the program, so a search is a value that stops at every comparison.

use std::cmp::Ordering;

use super::row::Row;
use super::table::{Form, FormMut, Table};
use super::tree::{Order, Tree};

/// The distance between numbers at the ends, which leaves room for rows between two.
const GAP: u64 = 1 << 32;

/// A search for the place of a key, between two numbers.
#[derive(Clone, Copy)]
pub struct Search {
    above: u64,
    below: u64,
}

impl Default for Search {
    /// Starts a search over all places.
    fn default() -> Search {
        Search { above: 0, below: u64::MAX }
    }
}

impl Search {
    /// Narrows the search by the order of the wanted key and the key of a row.
    pub fn narrow(&mut self, order: Ordering, number: u64) {
        match order {
            Ordering::Less => self.below = number,
            Ordering::Greater | Ordering::Equal => self.above = number,
        }
    }
}

impl<R: Row> Table<R> {
    pub fn sorted(order: Order<R::Key>) -> Table<R> {
        Table::of_tree(Tree::new(Some(order)))
    }

    /// Makes an empty table of the same kind.
    pub fn empty_like(&self) -> Table<R> {
        self.order().map_or_else(Table::default, |order| Table::sorted(order.clone()))
    }

    /// Returns the order of its keys; none for insertion order.
    pub fn order(&self) -> Option<&Order<R::Key>> {
        self.tree()?.order.as_ref()
    }

    /// Returns the next key to compare, with the number of its row; none at the end of the search.
    pub fn probe(&self, search: Search) -> Option<(&R::Key, u64)> {
        let rows = &self.tree()?.rows;
        let Search { above, below } = search;
        let found = if (above, below) == (0, u64::MAX) {
            // Keys mostly arrive in order, so the last one is compared first.
            rows.get_max().map(|(number, row)| (number, row))
        } else {
            let middle = above + (below - above) / 2;
            let after = rows.range(middle.max(above + 1)..below).next();
            after.or_else(|| rows.range(above + 1..middle.max(above + 1)).next_back())
        };
        found.map(|(number, row)| (row.key(), *number))
    }

    /// Inserts a row with a new key at the end of a search; returns the number of renumbered rows.
    pub fn insert_at(&mut self, search: Search, row: R) -> usize {
        self.deepen(&row);
        let Some(tree) = self.tree_mut() else { return 0 };
        let (number, moved) = match tree.number_in(search) {
            Some(number) => (number, 0),
            None => tree.renumber(search),
        };
        tree.put(number, row);
        moved
    }

    /// Appends a row whose key is greater than all others.
    pub fn push_last(&mut self, row: R) {
        let last =
            self.tree().and_then(|tree| tree.rows.get_max()).map_or(0, |(number, _)| *number);
        self.insert_at(Search { above: last, below: u64::MAX }, row);
    }

    /// Replaces the row with this number, but not its key.
    pub fn replace_at(&mut self, number: u64, row: R) {
        self.deepen(&row);
        if let Some(old) = self.tree_mut().and_then(|tree| tree.rows.get_mut(&number)) {
            old.replace(row);
        }
    }

    /// Returns the key of the row with this number.
    pub fn key_at(&self, number: u64) -> Option<&R::Key> {
        self.tree()?.rows.get(&number).map(Row::key)
    }

    fn tree(&self) -> Option<&Tree<R>> {
        match self.form() {
            Form::Tree(tree) => Some(tree),
            _ => None,
        }
    }

    fn tree_mut(&mut self) -> Option<&mut Tree<R>> {
        match self.form_mut() {
            FormMut::Tree(tree) => Some(tree),
            _ => None,
        }
    }
}

impl<R: Row> Tree<R> {
    /// Returns a free number at the end of a search, if there is one.
    fn number_in(&self, Search { above, below }: Search) -> Option<u64> {
        let number = match (above, below) {
            (0, u64::MAX) => 1 << 63,
            (_, u64::MAX) => above.checked_add(GAP)?,
            (0, _) => below.checked_sub(GAP)?,
            _ => above + (below - above) / 2,
        };
        (above < number && number < below).then_some(number)
    }

    /// Renumbers rows near the end of a search until they are sparse again. Each row moves a
    /// logarithmic number of times on average. Returns a free number there and the number of moved
    /// rows.
    fn renumber(&mut self, search: Search) -> (u64, usize) {
        let near = if search.above == 0 { search.below } else { search.above };
        // A window of twice the width may hold 10/7 as many rows.
        let (mut bits, mut most) = (8, 17_u64);
        let (low, high, count) = loop {
            let width = 1_u64.checked_shl(bits).unwrap_or(0);
            let (low, high) = match width {
                0 => (1, u64::MAX - 1),
                _ => {
                    let low = near & !(width - 1);
                    (low.max(1), (low | (width - 1)).min(u64::MAX - 1))
                }
            };
            let count = self.rows.range(low..=high).count() as u64;
            if count < most || width == 0 {
                break (low, high, count);
            }
            (bits, most) = (bits + 1, most * 10 / 7);
        };
        let step = (high - low) / (count + 2);
        let mut next = low;
        let mut free = low;
        let numbers: Vec<u64> = self.rows.range(low..=high).map(|(number, _)| *number).collect();
        let rows: Vec<(u64, R)> = numbers
            .into_iter()
            .filter_map(|number| Some((number, self.rows.remove(&number)?)))
            .collect();
        let moved = rows.len();
        for (number, row) in rows {
            next += step;
            if search.above == 0 && number == search.below {
                (free, next) = (next, next + step);
            }
            self.put(next, row);
            if number == search.above {
                next += step;
                free = next;
            }
        }
        (free, moved)
    }
}
