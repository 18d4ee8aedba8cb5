//! Maps and sets in the order of their keys.
//!
//! A sorted table is a tree whose rows have numbers that ascend with their keys: a new row gets a
//! number between those of its neighbours. Finding the neighbours takes comparisons, which may call
//! functions of the program, so a search is a value that stops at every comparison.

use std::cmp::Ordering;

use super::Value;
use super::table::{Repr, Row, Table, Tree};

/// Numbers between neighbours at the ends: so many rows can come between two.
const GAP: u64 = 1 << 32;

/// How the keys of a sorted table are ordered.
#[derive(Clone)]
pub(crate) enum Order {
    /// As `compare` orders them.
    Natural,
    /// By a function of two keys.
    By(Value),
}

/// A search for the place of a key: the place is between two numbers.
#[derive(Clone, Copy)]
pub(crate) struct Search {
    above: u64,
    below: u64,
}

impl Search {
    /// The place is anywhere.
    pub(crate) fn new() -> Search {
        Search { above: 0, below: u64::MAX }
    }

    /// Takes down how the key that is looked for compares with that of the row of a number.
    pub(crate) fn narrow(&mut self, order: Ordering, number: u64) {
        match order {
            Ordering::Less => self.below = number,
            Ordering::Greater | Ordering::Equal => self.above = number,
        }
    }
}

impl<R: Row> Table<R> {
    /// An empty sorted table.
    pub(crate) fn sorted(order: Order) -> Table<R> {
        Table::of_tree(Tree::new(Some(order)))
    }

    /// An empty table of the same kind.
    pub(crate) fn empty_like(&self) -> Table<R> {
        self.order().map_or_else(Table::default, |order| Table::sorted(order.clone()))
    }

    /// How its keys are ordered; none when they keep the order they came in.
    pub(crate) fn order(&self) -> Option<&Order> {
        self.tree()?.order.as_ref()
    }

    /// The key to compare next, with the number of its row; none when the place is found.
    pub(crate) fn probe(&self, search: Search) -> Option<(&Value, u64)> {
        let rows = &self.tree()?.rows;
        let Search { above, below } = search;
        let found = if (above, below) == (0, u64::MAX) {
            // Keys mostly come in order, so the last is the first to ask.
            rows.get_max().map(|(number, row)| (number, row))
        } else {
            let middle = above + (below - above) / 2;
            let after = rows.range(middle.max(above + 1)..below).next();
            after.or_else(|| rows.range(above + 1..middle.max(above + 1)).next_back())
        };
        found.map(|(number, row)| (row.key(), *number))
    }

    /// Puts in a row whose key is not there, where a search has ended; gives how many rows had to
    /// be numbered anew.
    pub(crate) fn insert_at(&mut self, search: Search, row: R) -> usize {
        self.deepen(&row);
        let Some(tree) = self.tree_mut() else { return 0 };
        let (number, moved) = match tree.number_in(search) {
            Some(number) => (number, 0),
            None => tree.number_anew(search),
        };
        tree.put(number, row);
        moved
    }

    /// Puts in a row behind all others, which its key must belong behind.
    pub(crate) fn push_last(&mut self, row: R) {
        let last =
            self.tree().and_then(|tree| tree.rows.get_max()).map_or(0, |(number, _)| *number);
        self.insert_at(Search { above: last, below: u64::MAX }, row);
    }

    /// Replaces the row of a number, but not its key.
    pub(crate) fn replace_at(&mut self, number: u64, row: R) {
        self.deepen(&row);
        if let Some(old) = self.tree_mut().and_then(|tree| tree.rows.get_mut(&number)) {
            old.replace(row);
        }
    }

    /// The key of the row of a number.
    pub(crate) fn key_at(&self, number: u64) -> Option<&Value> {
        self.tree()?.rows.get(&number).map(Row::key)
    }

    fn tree(&self) -> Option<&Tree<R>> {
        match &self.repr {
            Repr::Tree(tree) => Some(tree),
            _ => None,
        }
    }

    fn tree_mut(&mut self) -> Option<&mut Tree<R>> {
        match &mut self.repr {
            Repr::Tree(tree) => Some(tree),
            _ => None,
        }
    }
}

impl<R: Row> Tree<R> {
    /// A free number where a search has ended, if there is one.
    fn number_in(&self, Search { above, below }: Search) -> Option<u64> {
        let number = match (above, below) {
            (0, u64::MAX) => 1 << 63,
            (_, u64::MAX) => above.checked_add(GAP)?,
            (0, _) => below.checked_sub(GAP)?,
            _ => above + (below - above) / 2,
        };
        (above < number && number < below).then_some(number)
    }

    /// Makes room where a search has ended: numbers rows near it anew, as many as it takes to lie
    /// loosely again, so that every row is moved a logarithmic number of times on the average. Gives
    /// a free number there, and how many rows were moved.
    fn number_anew(&mut self, search: Search) -> (u64, usize) {
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
