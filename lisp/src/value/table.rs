//! Maps and sets, in insertion order at every size.
//!
//! One interface has three forms. A small table is a flat block searched from the front, a larger
//! one a block with an index. A long shared one becomes a persistent tree when it changes. Sorted
//! ones are trees too: see `sorted.rs`.

use std::hash::{Hash, Hasher};
use std::sync::{Arc, OnceLock};

use hashbrown::HashTable;

use super::drop::{SHALLOW, drop_all};
use super::hash::{hash_key, hash_name};
use super::sorted::Order;
use super::{Value, equal, same_key};

/// The number of rows up to which a search from the front beats hashing the key. Tools send JSON
/// records with at most 16 keys.
pub(crate) const FLAT_MAX: usize = 16;

/// A longer shared table becomes a tree when it changes; a shorter one is copied.
const COPY_MAX: usize = 64;

/// A map: pairs of a key and a value.
pub type Map = Table<(Value, Value)>;

/// A set of members.
pub type Set = Table<Value>;

/// One row of a table.
pub trait Row: Clone {
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

/// An insertion-ordered table of rows.
#[derive(Clone)]
pub struct Table<R: Row> {
    pub(super) repr: Repr<R>,
    depth: u32,
}

#[derive(Clone)]
pub(super) enum Repr<R> {
    Flat(Vec<R>),
    Index(Box<Index<R>>),
    Tree(Box<Tree<R>>),
}

impl<R> Default for Repr<R> {
    fn default() -> Repr<R> {
        Repr::Flat(Vec::new())
    }
}

/// Rows in order, with the place of each key; a removed row leaves a gap.
#[derive(Clone)]
pub(super) struct Index<R> {
    rows: Vec<Option<R>>,
    places: HashTable<u32>,
    /// The number of gaps before the first row, so that a queue finds it at once.
    gone: usize,
    /// The tree made by the first change while the table was shared.
    tree: OnceLock<Box<Tree<R>>>,
}

/// Rows under ascending numbers, with the number of each key.
#[derive(Clone)]
pub(super) struct Tree<R> {
    pub(super) rows: im::OrdMap<u64, R>,
    numbers: im::HashMap<Key<R>, u64>,
    next: u64,
    /// The order of a sorted table's keys, which the row numbers follow.
    pub(super) order: Option<Order>,
}

/// A key with the hashing and equality of the row kind, for `im`.
pub(super) struct Key<R>(Value, std::marker::PhantomData<R>);

impl<R> Key<R> {
    fn new(key: &Value) -> Key<R> {
        Key(key.clone(), std::marker::PhantomData)
    }
}

impl<R> Clone for Key<R> {
    fn clone(&self) -> Key<R> {
        Key::new(&self.0)
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

impl<R: Row> Default for Table<R> {
    fn default() -> Table<R> {
        Table { repr: Repr::default(), depth: 1 }
    }
}

impl<R: Row> Table<R> {
    /// Makes an empty table with room for `rows` rows.
    pub(crate) fn with_capacity(rows: usize) -> Table<R> {
        let repr = if rows <= FLAT_MAX {
            Repr::Flat(Vec::with_capacity(rows))
        } else {
            Repr::Index(Box::new(Index {
                rows: Vec::with_capacity(rows),
                places: HashTable::with_capacity(rows),
                gone: 0,
                tree: OnceLock::new(),
            }))
        };
        Table { repr, depth: 1 }
    }

    /// Returns the number of rows.
    pub fn len(&self) -> usize {
        match &self.repr {
            Repr::Flat(rows) => rows.len(),
            Repr::Index(index) => index.places.len(),
            Repr::Tree(tree) => tree.rows.len(),
        }
    }

    /// Returns whether it has no rows.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns the row of a key.
    pub(crate) fn row(&self, key: &Value) -> Option<&R> {
        match &self.repr {
            Repr::Flat(rows) => rows.iter().find(|row| same_key(row.key(), key)),
            Repr::Index(index) => index.row(hash_key(key), |other| same_key(other, key)),
            Repr::Tree(tree) => tree.rows.get(tree.numbers.get(&Key::new(key))?),
        }
    }

    /// Returns whether it has the key.
    pub fn contains(&self, key: &Value) -> bool {
        self.row(key).is_some()
    }

    /// Returns the rows in insertion order.
    pub fn rows(&self) -> TableIter<'_, R> {
        match &self.repr {
            Repr::Flat(rows) => TableIter::Flat(rows.iter()),
            Repr::Index(index) => {
                TableIter::Index(index.rows.get(index.gone..).unwrap_or_default().iter())
            }
            Repr::Tree(tree) => TableIter::Tree(tree.rows.iter()),
        }
    }

    /// Returns the rows in insertion order if they are one block, as in small tables.
    pub(crate) fn block(&self) -> Option<&[R]> {
        match &self.repr {
            Repr::Flat(rows) => Some(rows),
            _ => None,
        }
    }

    pub(crate) fn depth(&self) -> u32 {
        self.depth
    }

    /// Returns the number of rows that [`Table::make_mut`] would copy.
    pub(crate) fn copy_cost(this: &Arc<Table<R>>) -> u64 {
        match &this.repr {
            Repr::Index(index)
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
    pub(crate) fn is_long(&self) -> bool {
        self.len() > COPY_MAX
    }

    /// Returns the number of rows that its parts have room for.
    pub(crate) fn held(&self) -> usize {
        match &self.repr {
            Repr::Index(index) if index.tree.get().is_some() => self.len() * 3,
            _ => self.len(),
        }
    }

    /// Returns a table to change. Before many new rows a block is copied, since it fills faster.
    pub(crate) fn make_mut_for(this: &mut Arc<Table<R>>, rows: usize) -> &mut Table<R> {
        if let Repr::Index(index) = &this.repr
            && rows >= index.places.len() / 4
            && Arc::strong_count(this) > 1
        {
            let copy = Index {
                rows: index.rows.clone(),
                places: index.places.clone(),
                gone: index.gone,
                tree: OnceLock::new(),
            };
            *this = Arc::new(Table { repr: Repr::Index(Box::new(copy)), depth: this.depth });
        }
        Table::make_mut(this)
    }

    /// Returns a table to change: this one if it is not shared, otherwise a copy.
    pub(crate) fn make_mut(this: &mut Arc<Table<R>>) -> &mut Table<R> {
        let repr = match Arc::get_mut(this).map(|own| &mut own.repr) {
            // The tree has all rows, and the next change while shared would make it again.
            Some(Repr::Index(index)) => index.tree.take().map(Repr::Tree),
            Some(_) => None,
            None => Some(match &this.repr {
                Repr::Index(index) if index.places.len() > COPY_MAX => {
                    Repr::Tree(index.tree.get_or_init(|| Box::new(Tree::of(this.rows()))).clone())
                }
                repr => repr.clone(),
            }),
        };
        if let Some(repr) = repr {
            *this = Arc::new(Table { repr, depth: this.depth });
        }
        Arc::make_mut(this)
    }

    /// Returns whether dropping it may overflow the native stack: it is deep, or its ordering
    /// function may hold another such table.
    fn may_nest(&self) -> bool {
        self.depth > SHALLOW || matches!(self.order(), Some(Order::By(_)))
    }

    pub(super) fn of_tree(tree: Tree<R>) -> Table<R> {
        Table { repr: Repr::Tree(Box::new(tree)), depth: 1 }
    }

    /// Updates the depth for a new row.
    pub(super) fn deepen(&mut self, row: &R) {
        self.depth = self.depth.max(row.depth() + 1);
    }

    /// Inserts a row, or replaces the row of an equal key, which keeps its place and spelling. A
    /// sorted table takes new keys only through [`Table::insert_at`].
    pub(crate) fn insert(&mut self, row: R) {
        self.depth = self.depth.max(row.depth() + 1);
        match &mut self.repr {
            Repr::Flat(rows) => {
                if let Some(old) = rows.iter_mut().find(|old| same_key(old.key(), row.key())) {
                    old.replace(row);
                } else if rows.len() < FLAT_MAX {
                    rows.push(row);
                } else {
                    let mut index = Index::of(std::mem::take(rows));
                    index.insert(row);
                    self.repr = Repr::Index(Box::new(index));
                }
            }
            Repr::Index(index) => index.insert(row),
            Repr::Tree(tree) => tree.insert(row),
        }
    }

    /// Removes the row of a key, if there is one.
    pub(crate) fn remove(&mut self, key: &Value) -> Option<R> {
        match &mut self.repr {
            Repr::Flat(rows) => {
                let place = rows.iter().position(|row| same_key(row.key(), key))?;
                Some(rows.remove(place))
            }
            Repr::Index(index) => index.remove(key),
            Repr::Tree(tree) => {
                let number = tree.numbers.remove(&Key::new(key))?;
                tree.rows.remove(&number)
            }
        }
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
            Repr::Flat(rows) => rows.into_iter().for_each(|row| row.drain_into(work)),
            Repr::Index(index) => {
                index.rows.into_iter().flatten().for_each(|row| row.drain_into(work));
            }
            Repr::Tree(tree) => drop(tree),
        }
    }
}

impl Map {
    /// Returns the value of a key.
    pub fn get(&self, key: &Value) -> Option<&Value> {
        self.row(key).map(|(_, value)| value)
    }

    /// Returns the value of the keyword or string key of this name.
    pub fn get_name(&self, name: &str) -> Option<&Value> {
        let named =
            |key: &Value| matches!(key, Value::Str(text) | Value::Keyword(text) if text == name);
        match &self.repr {
            Repr::Flat(rows) => rows.iter().find(|(key, _)| named(key)).map(|(_, value)| value),
            Repr::Index(index) => index.row(hash_name(name), named).map(|(_, value)| value),
            Repr::Tree(_) => self.get(&Value::str(name)),
        }
    }

    /// Prepares a small map for this number of rows, which [`Map::put_field`] stores.
    pub(crate) fn start_record(&mut self, rows: usize) {
        self.depth = 1;
        if let Repr::Flat(block) = &mut self.repr
            && block.len() != rows
        {
            block.truncate(rows);
            block.reserve_exact(rows - block.len());
        }
    }

    /// Stores a row at its place, under a name that no other row has. An equal key stays.
    #[inline]
    pub(crate) fn put_field(&mut self, at: usize, key: &Value, value: Value) {
        if !value.is_plain() {
            self.depth = self.depth.max(value.depth() + 1);
        }
        let Repr::Flat(block) = &mut self.repr else { return };
        match block.get_mut(at) {
            Some(row) if row.0.is_the_name(key) => std::mem::replace(&mut row.1, value).done(),
            Some(row) => *row = (key.clone(), value),
            None => block.push((key.clone(), value)),
        }
    }

    /// Removes the values that take memory, not the keys, of an unshared small map; false for
    /// others.
    pub(crate) fn drop_values(this: &mut Arc<Map>) -> bool {
        let Repr::Flat(block) = &this.repr else { return false };
        let is_held = |(_, value): &(Value, Value)| !value.is_plain();
        if !block.iter().any(is_held) {
            return Arc::strong_count(this) == 1;
        }
        let Some(Repr::Flat(block)) = Arc::get_mut(this).map(|own| &mut own.repr) else {
            return false;
        };
        for (_, value) in block {
            std::mem::take(value).done();
        }
        true
    }

    /// Returns the pairs in insertion order.
    pub fn iter(&self) -> impl Iterator<Item = (&Value, &Value)> + Clone {
        self.rows().map(|(key, value)| (key, value))
    }

    /// Returns the value of an existing key, to be changed.
    pub(crate) fn get_mut(&mut self, key: &Value) -> Option<&mut Value> {
        match &mut self.repr {
            Repr::Flat(rows) => {
                rows.iter_mut().find(|row| same_key(&row.0, key)).map(|row| &mut row.1)
            }
            Repr::Index(index) => {
                // The tree would not see this change and become stale.
                index.tree.take();
                index.row_mut(key).map(|row| &mut row.1)
            }
            Repr::Tree(tree) => {
                let number = *tree.numbers.get(&Key::new(key))?;
                tree.rows.get_mut(&number).map(|row| &mut row.1)
            }
        }
    }

    /// Returns whether both have the same keys; `later` gets the pairs to compare, to avoid
    /// recursion.
    pub(super) fn same_shape<'a>(
        &'a self,
        other: &'a Map,
        later: &mut impl FnMut(&'a Value, &'a Value),
    ) -> bool {
        self.len() == other.len()
            && self
                .iter()
                .all(|(key, value)| other.get(key).inspect(|found| later(value, found)).is_some())
    }
}

impl Set {
    /// Returns the members in insertion order.
    pub fn iter(&self) -> TableIter<'_, Value> {
        self.rows()
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

    fn row(&self, hash: u64, same: impl Fn(&Value) -> bool) -> Option<&R> {
        let place = self.places.find(hash, |place| {
            self.rows
                .get(*place as usize)
                .and_then(Option::as_ref)
                .is_some_and(|row| same(row.key()))
        })?;
        self.rows.get(*place as usize)?.as_ref()
    }

    fn row_mut(&mut self, key: &Value) -> Option<&mut R> {
        let rows = &self.rows;
        let place = *self.places.find(hash_key(key), |place| {
            rows.get(*place as usize)
                .and_then(Option::as_ref)
                .is_some_and(|row| same_key(row.key(), key))
        })?;
        self.rows.get_mut(place as usize)?.as_mut()
    }

    fn insert(&mut self, row: R) {
        self.tree.take();
        if let Some(old) = self.row_mut(row.key()) {
            old.replace(row);
            return;
        }
        if self.rows.len() >= 32 && self.places.len() * 2 < self.rows.len() {
            self.close_gaps();
        }
        let place = self.rows.len() as u32;
        let hash = hash_key(row.key());
        self.rows.push(Some(row));
        let rows = &self.rows;
        self.places.insert_unique(hash, place, |place| hash_at(rows, *place));
    }

    fn remove(&mut self, key: &Value) -> Option<R> {
        self.tree.take();
        let rows = &self.rows;
        let entry = self.places.find_entry(hash_key(key), |place| {
            rows.get(*place as usize)
                .and_then(Option::as_ref)
                .is_some_and(|row| same_key(row.key(), key))
        });
        let (place, _) = entry.ok()?.remove();
        let row = self.rows.get_mut(place as usize)?.take();
        if place as usize == self.gone {
            let rows = self.rows.get(self.gone..).unwrap_or_default();
            self.gone += rows.iter().take_while(|row| row.is_none()).count();
        }
        row
    }

    /// Renumbers the rows when more than half of them are gone.
    fn close_gaps(&mut self) {
        self.rows.retain(Option::is_some);
        self.gone = 0;
        self.places.clear();
        let rows = &self.rows;
        for place in 0..rows.len() as u32 {
            self.places.insert_unique(hash_at(rows, place), place, |place| hash_at(rows, *place));
        }
    }
}

fn hash_at<R: Row>(rows: &[Option<R>], place: u32) -> u64 {
    rows.get(place as usize).and_then(Option::as_ref).map_or(0, |row| hash_key(row.key()))
}

impl<R: Row> Tree<R> {
    fn of<'a>(rows: impl Iterator<Item = &'a R>) -> Tree<R>
    where
        R: 'a,
    {
        let mut tree = Tree::new(None);
        for row in rows {
            tree.insert(row.clone());
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

impl PartialEq for Map {
    fn eq(&self, other: &Map) -> bool {
        let mut all = true;
        self.same_shape(other, &mut |a, b| all = all && equal(a, b)) && all
    }
}

/// An iterator over the rows of a table.
pub enum TableIter<'a, R: Row> {
    /// The rows of a block.
    Flat(std::slice::Iter<'a, R>),
    /// The rows of a block with gaps.
    Index(std::slice::Iter<'a, Option<R>>),
    /// The rows of a tree.
    Tree(im::ordmap::Iter<'a, u64, R, im::shared_ptr::DefaultSharedPtr>),
}

impl<R: Row> Clone for TableIter<'_, R> {
    fn clone(&self) -> Self {
        match self {
            TableIter::Flat(iter) => TableIter::Flat(iter.clone()),
            TableIter::Index(iter) => TableIter::Index(iter.clone()),
            TableIter::Tree(iter) => TableIter::Tree(iter.clone()),
        }
    }
}

impl<'a, R: Row> Iterator for TableIter<'a, R> {
    type Item = &'a R;

    #[inline]
    fn next(&mut self) -> Option<&'a R> {
        match self {
            TableIter::Flat(iter) => iter.next(),
            TableIter::Index(iter) => iter.find_map(Option::as_ref),
            TableIter::Tree(iter) => iter.next().map(|(_, row)| row),
        }
    }
}
