//! The rows of tables, and the interface of small tables of them.

use super::shape::Key;

/// One row of a table.
pub trait Row: Clone + 'static {
    /// The kind of its key.
    type Key: Key;
    /// The form of a small table of such rows.
    type Small: Small<Row = Self, Key = Self::Key>;
    /// Returns the key of the row.
    fn key(&self) -> &Self::Key;
    /// Replaces all of the row but its key.
    fn replace(&mut self, new: Self);
    /// Returns the nesting of the row's items, in levels.
    fn depth(&self) -> u32;
    /// Moves the items out.
    fn drain_into(self, work: &mut Vec<Self::Key>);
}

/// A row in a table: a member, or a key and a value.
pub(crate) type Ref<'r, R> = <<R as Row>::Small as Small>::Ref<'r>;

/// A small table of rows in insertion order.
pub trait Small: Clone + Default + 'static {
    type Key;
    type Row;
    /// A row in a table.
    type Ref<'s>: Copy
    where
        Self: 's;
    type Rows<'s>: Iterator<Item = Self::Ref<'s>> + Clone
    where
        Self: 's;

    fn by_ref(row: &Self::Row) -> Self::Ref<'_>;
    fn owned(row: Self::Ref<'_>) -> Self::Row;

    fn with_capacity(rows: usize) -> Self;
    fn keys(&self) -> &[Self::Key];
    fn get(&self, place: usize) -> Option<Self::Ref<'_>>;
    fn rows(&self) -> Self::Rows<'_>;
    /// Adds a row whose key it does not have.
    fn push(&mut self, row: Self::Row);
    /// Replaces the row at a place, but not its key.
    fn replace(&mut self, place: usize, row: Self::Row);
    fn remove(&mut self, place: usize) -> Self::Row;
    fn into_rows(self) -> Vec<Self::Row>;
}
