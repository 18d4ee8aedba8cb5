//! Maps and sets, in insertion order at every size.
//!
//! One interface has three forms. A small table is a block searched from the front (`small.rs`), a
//! larger one a block with an index (`index.rs`). A long shared one becomes a persistent tree
//! (`tree.rs`) when it changes. Sorted ones are trees too: see `sorted.rs`. `keyed.rs` has the access
//! by keys.

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

use super::index::Index;
use super::item::{Holder, Item, SHALLOW};
use super::row::{Ref, Row, Small};
use super::shape::Key;
use super::small::FLAT_MAX;
use super::tree::{Order, Tree};

/// A longer shared table becomes a tree when it changes; a shorter one is copied.
const COPY_MAX: usize = 64;

/// A map: pairs of a key and a value.
pub(crate) type Map<V> = Table<(V, V)>;

/// A set of members.
pub(crate) type Set<V> = Table<V>;

/// An insertion-ordered table of rows.
pub struct Table<R: Row> {
    pub(super) repr: Repr<R>,
    pub(super) depth: u32,
    /// The number of its values with nested ones, once it was counted; 0 before.
    parts: AtomicU32,
}

#[derive(Clone)]
pub(super) enum Repr<R: Row> {
    Small(R::Small),
    Big(Box<Big<R>>),
}

#[derive(Clone)]
pub(super) enum Big<R: Row> {
    Index(Index<R>),
    Tree(Tree<R>),
}

/// The form of a table, for its uses.
pub(super) enum Form<'t, R: Row> {
    Small(&'t R::Small),
    Index(&'t Index<R>),
    Tree(&'t Tree<R>),
}

/// The form of a table, for its changes.
pub(super) enum FormMut<'t, R: Row> {
    Small(&'t mut R::Small),
    Index(&'t mut Index<R>),
    Tree(&'t mut Tree<R>),
}

impl<R: Row> Default for Repr<R> {
    fn default() -> Repr<R> {
        Repr::Small(R::Small::default())
    }
}

impl<R: Row> Repr<R> {
    pub(super) fn index(index: Index<R>) -> Repr<R> {
        Repr::Big(Box::new(Big::Index(index)))
    }

    fn tree(tree: Tree<R>) -> Repr<R> {
        Repr::Big(Box::new(Big::Tree(tree)))
    }
}

impl<R: Row> Default for Table<R> {
    fn default() -> Table<R> {
        Table::of(Repr::default(), 1)
    }
}

impl<R: Row> Clone for Table<R> {
    fn clone(&self) -> Table<R> {
        Table::of(self.repr.clone(), self.depth)
    }
}

impl<R: Row> Table<R> {
    /// Makes an empty table with room for `rows` rows.
    pub fn with_capacity(rows: usize) -> Table<R> {
        let repr = if rows <= FLAT_MAX {
            Repr::Small(R::Small::with_capacity(rows))
        } else {
            Repr::index(Index::with_capacity(rows))
        };
        Table::of(repr, 1)
    }

    #[inline]
    pub(super) fn form(&self) -> Form<'_, R> {
        match &self.repr {
            Repr::Small(small) => Form::Small(small),
            Repr::Big(big) => match &**big {
                Big::Index(index) => Form::Index(index),
                Big::Tree(tree) => Form::Tree(tree),
            },
        }
    }

    #[inline]
    pub(super) fn form_mut(&mut self) -> FormMut<'_, R> {
        match &mut self.repr {
            Repr::Small(small) => FormMut::Small(small),
            Repr::Big(big) => match &mut **big {
                Big::Index(index) => FormMut::Index(index),
                Big::Tree(tree) => FormMut::Tree(tree),
            },
        }
    }

    #[inline]
    pub(super) fn small(&self) -> Option<&R::Small> {
        match &self.repr {
            Repr::Small(small) => Some(small),
            Repr::Big(_) => None,
        }
    }

    #[inline]
    pub(super) fn small_mut(&mut self) -> Option<&mut R::Small> {
        match &mut self.repr {
            Repr::Small(small) => Some(small),
            Repr::Big(_) => None,
        }
    }

    fn of(repr: Repr<R>, depth: u32) -> Table<R> {
        Table { repr, depth, parts: AtomicU32::new(0) }
    }

    /// Returns the remembered number of its values with nested ones.
    pub(super) fn parts(&self) -> Option<usize> {
        match self.parts.load(Relaxed) {
            0 => None,
            parts => Some(parts as usize),
        }
    }

    pub(super) fn remember_parts(&self, parts: usize) {
        self.parts.store(u32::try_from(parts).unwrap_or(0), Relaxed);
    }

    /// Forgets the number of its values, before a change.
    #[inline]
    pub(super) fn forget_parts(&mut self) {
        *self.parts.get_mut() = 0;
    }

    /// Returns the number of rows.
    pub fn len(&self) -> usize {
        match self.form() {
            Form::Small(small) => small.keys().len(),
            Form::Index(index) => index.len(),
            Form::Tree(tree) => tree.rows.len(),
        }
    }

    /// Returns whether it has no rows.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns the rows in insertion order.
    pub fn rows(&self) -> TableIter<'_, R> {
        match self.form() {
            Form::Small(small) => TableIter::Small(small.rows()),
            Form::Index(index) => TableIter::Index(index.rows().iter()),
            Form::Tree(tree) => TableIter::Tree(tree.rows.iter()),
        }
    }

    /// Returns the rows of a small table in insertion order.
    pub fn small_rows(&self) -> Option<<R::Small as Small>::Rows<'_>> {
        self.small().map(Small::rows)
    }

    pub fn depth(&self) -> u32 {
        self.depth
    }

    /// Returns the number of rows that [`Table::make_mut`] would copy.
    pub fn copy_cost(this: &Arc<Table<R>>) -> u64 {
        match this.form() {
            Form::Index(index)
                if index.len() > COPY_MAX
                    && index.tree.get().is_none()
                    && Arc::strong_count(this) > 1 =>
            {
                index.len() as u64
            }
            _ => 0,
        }
    }

    /// Returns whether it becomes a tree when it changes while shared.
    pub fn is_long(&self) -> bool {
        self.len() > COPY_MAX
    }

    /// Returns the number of rows that its parts have room for.
    pub fn held(&self) -> usize {
        match self.form() {
            Form::Index(index) if index.tree.get().is_some() => self.len() * 3,
            _ => self.len(),
        }
    }

    /// Returns a table to change. Before many new rows a block is copied, since it fills faster.
    pub fn make_mut_for(this: &mut Arc<Table<R>>, rows: usize) -> &mut Table<R> {
        if let Form::Index(index) = this.form()
            && rows >= index.len() / 4
            && Arc::strong_count(this) > 1
        {
            *this = Arc::new(Table::of(Repr::index(index.copy()), this.depth));
        }
        Table::make_mut(this)
    }

    /// Returns a table to change: this one if it is not shared, otherwise a copy.
    pub fn make_mut(this: &mut Arc<Table<R>>) -> &mut Table<R> {
        let repr = match Arc::get_mut(this).map(Table::form_mut) {
            // The tree has all rows, and the next change while shared would make it again.
            Some(FormMut::Index(index)) => index.tree.take().map(|tree| Repr::tree(*tree)),
            Some(_) => None,
            None => Some(match this.form() {
                Form::Index(index) if index.len() > COPY_MAX => {
                    let tree = index.tree.get_or_init(|| Box::new(Tree::of(this.rows())));
                    Repr::tree(Tree::clone(tree))
                }
                _ => this.repr.clone(),
            }),
        };
        if let Some(repr) = repr {
            *this = Arc::new(Table::of(repr, this.depth));
        }
        Arc::make_mut(this)
    }

    /// Returns whether dropping it may overflow the native stack: it is deep, or its ordering
    /// function may hold another such table.
    fn may_nest(&self) -> bool {
        self.depth > SHALLOW || matches!(self.order(), Some(Order::By(_)))
    }

    pub(super) fn of_tree(tree: Tree<R>) -> Table<R> {
        Table::of(Repr::tree(tree), 1)
    }

    pub(super) fn of_small(small: R::Small, depth: u32) -> Table<R> {
        Table::of(Repr::Small(small), depth)
    }

    /// Updates what is known of its values for a new row.
    #[inline]
    pub(super) fn deepen(&mut self, row: &R) {
        self.forget_parts();
        self.depth = self.depth.max(row.depth() + 1);
    }
}

impl<R: Row> Holder<R::Key> for Table<R> {
    /// Moves the items out if they may nest deep. A tree is dropped in place, because taking its
    /// rows out would copy its shared parts. Its deep items return to [`Item::drop_held`].
    fn drain_into(&mut self, work: &mut Vec<R::Key>) {
        if !self.may_nest() {
            return;
        }
        self.depth = 0;
        match std::mem::take(&mut self.repr) {
            Repr::Small(small) => {
                small.into_rows().into_iter().for_each(|row| row.drain_into(work));
            }
            Repr::Big(big) => match *big {
                Big::Index(index) => {
                    index.rows.into_iter().flatten().for_each(|row| row.drain_into(work));
                }
                Big::Tree(tree) => drop(tree),
            },
        }
    }
}

impl<V: Key> Map<V> {
    /// Records that a value under one of its keys nests so deep.
    pub fn deepen_to(&mut self, depth: u32) {
        self.depth = self.depth.max(depth);
    }

    /// Computes the depth again from its rows.
    pub fn measure(&mut self) {
        let deepest = self.iter().map(|(key, value)| key.depth().max(value.depth())).max();
        self.depth = deepest.unwrap_or(0) + 1;
    }

    /// Records the greatest depth of the values of a new record.
    #[inline]
    pub fn set_depth(&mut self, depth: u32) {
        self.depth = depth + 1;
    }

    /// Returns the pairs in insertion order.
    pub fn iter(&self) -> impl Iterator<Item = (&V, &V)> + Clone {
        self.rows()
    }
}

impl<V: Key> Set<V> {
    /// Returns the members in insertion order.
    pub fn iter(&self) -> TableIter<'_, V> {
        self.rows()
    }
}

impl<'a, V: Key> IntoIterator for &'a Set<V> {
    type Item = &'a V;
    type IntoIter = TableIter<'a, V>;

    fn into_iter(self) -> TableIter<'a, V> {
        self.iter()
    }
}

impl<R: Row> Drop for Table<R> {
    fn drop(&mut self) {
        if self.may_nest() {
            R::Key::drop_held(std::mem::take(self));
        }
    }
}

impl<V: Key + std::fmt::Debug> std::fmt::Debug for Map<V> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_map().entries(self.iter()).finish()
    }
}

/// An iterator over the rows of a table.
pub enum TableIter<'a, R: Row> {
    /// The rows of a small table.
    Small(<R::Small as Small>::Rows<'a>),
    /// The rows of a block with gaps.
    Index(std::slice::Iter<'a, Option<R>>),
    /// The rows of a tree.
    Tree(im::ordmap::Iter<'a, u64, R, im::shared_ptr::DefaultSharedPtr>),
}

impl<R: Row> Clone for TableIter<'_, R> {
    fn clone(&self) -> Self {
        match self {
            TableIter::Small(iter) => TableIter::Small(iter.clone()),
            TableIter::Index(iter) => TableIter::Index(iter.clone()),
            TableIter::Tree(iter) => TableIter::Tree(iter.clone()),
        }
    }
}

impl<'a, R: Row> Iterator for TableIter<'a, R> {
    type Item = Ref<'a, R>;

    #[inline]
    fn next(&mut self) -> Option<Ref<'a, R>> {
        match self {
            TableIter::Small(iter) => iter.next(),
            TableIter::Index(iter) => iter.find_map(Option::as_ref).map(R::Small::by_ref),
            TableIter::Tree(iter) => iter.next().map(|(_, row)| R::Small::by_ref(row)),
        }
    }
}
