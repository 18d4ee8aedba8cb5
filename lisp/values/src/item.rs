//! The facts that collections need about their items. Collections are below the type of all values and know no more.

/// The nesting up to which items are dropped recursively, in levels. 32 native frames fit any
/// stack, and no list of work is needed.
pub(crate) const SHALLOW: u32 = 32;

/// The nesting of what holds a range for whose items nobody has paid. It is above each limit.
pub const UNBUILT: u32 = 1 << 30;

/// The nesting of a text that grew. A collection that holds one nests above it, by the levels between the two.
pub const GROWN: u32 = 1 << 29;

/// A value in a collection.
pub trait Item: Clone + Default + 'static {
    /// Returns the nesting of containers in levels: 0 for an item that holds none.
    fn depth(&self) -> u32;

    /// Returns whether it takes only its own bytes and counts no references.
    fn is_plain(&self) -> bool;

    /// Returns whether it is of a common kind that holds nothing.
    fn is_common_leaf(&self) -> bool;

    /// Drops what a holder holds, without native recursion.
    fn drop_held(holder: impl Holder<Self> + 'static);
}

/// A collection, or another part of a value, that holds items.
pub trait Holder<T> {
    /// Moves the items out, to be dropped by [`Item::drop_held`].
    fn drain_into(&mut self, work: &mut Vec<T>);
}

impl<T> Holder<T> for Vec<T> {
    fn drain_into(&mut self, work: &mut Vec<T>) {
        work.append(self);
    }
}

/// Returns one more than the depth of the deepest item.
#[inline]
pub(crate) fn depth_above<'a, T: Item>(items: impl IntoIterator<Item = &'a T>) -> u32 {
    let mut deepest = 0;
    for item in items {
        // Most hold nothing, and there may be many.
        if !item.is_common_leaf() {
            deepest = deepest.max(item.depth());
        }
    }
    deepest + 1
}
