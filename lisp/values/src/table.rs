//! Maps and sets, in insertion order at every size.
//!
//! One interface has three forms. A small table is a block searched from the front (`small.rs`), a
//! larger one a block with an index. A long shared one becomes a persistent tree when it changes.
//! Sorted ones are trees too: see `sorted.rs`. This file has the forms, `keyed.rs` the access by
//! keys.

use std::sync::atomic::{AtomicU32, Ordering::Relaxed};
use std::sync::{Arc, OnceLock};

use hashbrown::HashTable;

use super::Value;
use super::drop::{SHALLOW, drop_all};
use super::small::{FLAT_MAX, Record, Small};

/// A longer shared table becomes a tree when it changes; a shorter one is copied.
const COPY_MAX: usize = 64;

/// A map: pairs of a key and a value.
pub type Map = Table<(Value, Value)>;

/// A set of members.
pub type Set = Table<Value>;

/// One row of a table.
pub trait Row: Clone + 'static {
    /// The form of a small table of such rows.
    type Small: Small<Row = Self>;
    /// Returns the key of the row.
    fn key(&self) -> &Value;
    /// Replaces all of the row but its key.
    fn replace(&mut self, new: Self);
    /// Returns the nesting of the row's values, in levels.
    fn depth(&self) -> u32;
    /// Moves the values out.
    fn drain_into(self, work: &mut Vec<Value>);

    /// Makes a value of a table of such rows.
    fn value_of(table: Arc<Table<Self>>) -> Value;
}

impl Row for (Value, Value) {
    type Small = Record;

    fn key(&self) -> &Value {
        &self.0
    }

    fn replace(&mut self, new: Self) {
        self.1 = new.1;
    }

    fn depth(&self) -> u32 {
        self.0.depth().max(self.1.depth())
    }

    fn drain_into(self, work: &mut Vec<Value>) {
        work.push(self.0);
        work.push(self.1);
    }

    fn value_of(table: Arc<Map>) -> Value {
        Value::Map(table)
    }
}

impl Row for Value {
    type Small = Vec<Value>;

    fn key(&self) -> &Value {
        self
    }

    fn replace(&mut self, _: Self) {}

    fn depth(&self) -> u32 {
        Value::depth(self)
    }

    fn drain_into(self, work: &mut Vec<Value>) {
        work.push(self);
    }

    fn value_of(table: Arc<Set>) -> Value {
        Value::Set(table)
    }
}

/// A row in a table: a member, or a key and a value.
pub(super) type Ref<'r, R> = <<R as Row>::Small as Small>::Ref<'r>;

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

// The head of each record in a list of records.
const _: () = assert!(size_of::<Map>() <= 32 && size_of::<Set>() <= 32);

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

/// Rows in order, with the place of each key; a removed row leaves a gap.
#[derive(Clone)]
pub(super) struct Index<R: Row> {
    pub(super) rows: Vec<Option<R>>,
    pub(super) places: HashTable<Spot>,
    /// The number of gaps before the first row, so that a queue finds it at once.
    pub(super) gone: usize,
    /// The tree made by the first change while the table was shared.
    pub(super) tree: OnceLock<Box<Tree<R>>>,
}

/// The place of a row, with half of the hash of its key, so that a table grows without its keys.
#[derive(Clone, Copy)]
pub(super) struct Spot {
    pub(super) place: u32,
    pub(super) hash: u32,
}

/// Rows under ascending numbers, with the number of each key.
#[derive(Clone)]
pub(super) struct Tree<R: Row> {
    pub(super) rows: im::OrdMap<u64, R>,
    pub(super) numbers: im::HashMap<Key<R>, u64>,
    pub(super) next: u64,
    /// The order of a sorted table's keys, which the row numbers follow.
    pub(super) order: Option<Order>,
}

/// The order of the keys of a sorted table.
#[derive(Clone)]
pub enum Order {
    /// The order of `compare`.
    Natural,
    /// The order of a function of two keys.
    By(Value),
}

/// A key with the hashing and equality of the row kind, for `im`.
pub(super) struct Key<R>(pub(super) Value, std::marker::PhantomData<R>);

impl<R> Key<R> {
    pub(super) fn new(key: &Value) -> Key<R> {
        Key(key.clone(), std::marker::PhantomData)
    }
}

impl<R> Clone for Key<R> {
    fn clone(&self) -> Key<R> {
        Key::new(&self.0)
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
            Repr::index(Index {
                rows: Vec::with_capacity(rows),
                places: HashTable::with_capacity(rows),
                gone: 0,
                tree: OnceLock::new(),
            })
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
            Form::Index(index) => index.places.len(),
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
            Form::Index(index) => {
                TableIter::Index(index.rows.get(index.gone..).unwrap_or_default().iter())
            }
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
                if index.places.len() > COPY_MAX
                    && index.tree.get().is_none()
                    && Arc::strong_count(this) > 1 =>
            {
                index.places.len() as u64
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
            && rows >= index.places.len() / 4
            && Arc::strong_count(this) > 1
        {
            let copy = Index {
                rows: index.rows.clone(),
                places: index.places.clone(),
                gone: index.gone,
                tree: OnceLock::new(),
            };
            *this = Arc::new(Table::of(Repr::index(copy), this.depth));
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
                Form::Index(index) if index.places.len() > COPY_MAX => {
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

    /// Moves the values out if they may nest deep; only for [`drop_all`]. A tree is dropped in
    /// place, because taking its rows out would copy its shared parts. Its deep values return to
    /// `drop_all`.
    pub(super) fn drain_into(&mut self, work: &mut Vec<Value>) {
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

impl Map {
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
    pub fn iter(&self) -> impl Iterator<Item = (&Value, &Value)> + Clone {
        self.rows()
    }
}

impl Set {
    /// Returns the members in insertion order.
    pub fn iter(&self) -> TableIter<'_, Value> {
        self.rows()
    }
}

impl<'a> IntoIterator for &'a Set {
    type Item = &'a Value;
    type IntoIter = TableIter<'a, Value>;

    fn into_iter(self) -> TableIter<'a, Value> {
        self.iter()
    }
}

impl<R: Row> Drop for Table<R> {
    fn drop(&mut self) {
        if self.may_nest() {
            drop_all(vec![R::value_of(Arc::new(std::mem::take(self)))]);
        }
    }
}

impl std::fmt::Debug for Map {
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
