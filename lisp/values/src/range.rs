//! A range of integers: a first one, a step and a count. Its items are made when they are looked at.
//!
//! Values hold items by reference, so an item that is looked at needs a place. The places are in blocks that double, so a
//! look at the first items makes few others. A program pays for all of them before it needs them all: see [`Range::pay`].

use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};

use super::pulled::Numbers;

/// The number of items in the first block.
const FIRST: usize = 64;

/// A block of items, once one of them was looked at.
type Block<T> = OnceLock<Box<[T]>>;

/// The integers of a sequence.
pub(super) struct Range<T> {
    first: i64,
    step: i64,
    len: usize,
    is_paid: AtomicBool,
    blocks: OnceLock<Box<[Block<T>]>>,
}

impl<T: From<i64>> Range<T> {
    pub(super) fn new(first: i64, step: i64, len: usize) -> Range<T> {
        Range { first, step, len, is_paid: AtomicBool::new(len == 0), blocks: OnceLock::new() }
    }

    /// Returns the integers without the first `count`, which are at most all.
    pub(super) fn skip(&self, count: usize) -> Range<T> {
        Range::new(self.at(count), self.step, self.len - count)
    }

    pub(super) fn len(&self) -> usize {
        self.len
    }

    pub(super) fn numbers(&self) -> Numbers {
        Numbers { next: self.first, step: self.step, left: Some(self.len as u64) }
    }

    /// Returns whether the program has paid for the places of all items.
    pub(super) fn is_paid(&self) -> bool {
        self.is_paid.load(Ordering::Relaxed)
    }

    /// Notes that the program has paid for the places of all items.
    pub(super) fn pay(&self) {
        self.is_paid.store(true, Ordering::Relaxed);
    }

    /// Returns the item at a position.
    pub(super) fn item(&self, index: usize) -> Option<T> {
        (index < self.len).then(|| T::from(self.at(index)))
    }

    /// Returns the items from a position on, up to the end of their block.
    pub(super) fn items_from(&self, index: usize) -> &[T] {
        if index >= self.len {
            return &[];
        }
        let blocks = self
            .blocks
            .get_or_init(|| (0..=block_of(self.len - 1)).map(|_| OnceLock::new()).collect());
        let number = block_of(index);
        let start = start_of(number);
        let Some(block) = blocks.get(number) else { return &[] };
        let items = block.get_or_init(|| {
            let end = start_of(number + 1).min(self.len);
            (start..end).map(|index| T::from(self.at(index))).collect()
        });
        items.get(index - start..).unwrap_or_default()
    }

    /// Returns the number of items that have a place.
    pub(super) fn made(&self) -> usize {
        let blocks = self.blocks.get().into_iter().flatten();
        blocks.filter_map(OnceLock::get).map(|items| items.len()).sum()
    }

    /// Returns the integer at a position up to the end. Only the one behind the last may be too large, and nobody sees it.
    fn at(&self, index: usize) -> i64 {
        self.first.wrapping_add(self.step.wrapping_mul(index as i64))
    }
}

/// Returns the number of the block with an index.
fn block_of(index: usize) -> usize {
    (index / FIRST + 1).ilog2() as usize
}

/// Returns the index of the first item of a block.
fn start_of(block: usize) -> usize {
    FIRST.saturating_mul((1_usize << block) - 1)
}

#[cfg(test)]
mod tests {
    use super::{Range, block_of, start_of};
    use crate::Value;

    #[test]
    fn blocks_follow_one_another() {
        for block in 0..40 {
            let (start, next) = (start_of(block), start_of(block + 1));
            assert_eq!([block_of(start), block_of(next - 1)], [block, block]);
        }
        assert_eq!(block_of(usize::MAX), 58);
    }

    #[test]
    fn a_look_at_an_item_makes_its_block_alone() {
        let range = Range::new(i64::MIN, 2, 1 << 40);
        assert_eq!(range.made(), 0);
        assert_eq!(range.items_from(70).first(), Some(&Value::Int(i64::MIN + 140)));
        assert_eq!(range.made(), 128);
        assert_eq!(range.item(1 << 39), Some(Value::Int(i64::MIN + (1 << 40))));
        assert_eq!(range.made(), 128);
        assert_eq!(range.skip(3).items_from(0).len(), 64);
        assert!(range.items_from(1 << 40).is_empty());
    }
}
