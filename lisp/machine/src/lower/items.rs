//! Lowers patterns in square brackets: the items of a vector go into slots side by side.

use super::Lower;
use crate::ops::{Local, Op};
use ptc_values::ir::{Node, Operand};

/// The builtins that take an item for a pattern.
const TAKES: [&str; 2] = ["ptc/item", "ptc/seq-item"];

/// An operation for several bindings, and the part at which they end.
type Items = Option<(usize, usize)>;

impl Lower<'_> {
    /// Ends the operation for bindings that end before a part, and begins one for those that begin there.
    pub(super) fn items_before(&mut self, items: &mut Items, parts: &[Operand], at: usize) {
        if let Some((op, end)) = *items
            && at == end
        {
            self.patch(&[op]);
            *items = None;
        }
        if items.is_none() {
            let outer = self.at;
            let found = parts.get(at..).and_then(|parts| self.first_items(parts));
            *items = found.map(|(op, count)| (op, at + count));
            self.at = outer;
        }
    }

    /// Emits one operation for the bindings of the first items of a local, which are the first of some parts. It skips the
    /// operations for each of them if the local holds a vector or a list. Returns the operation and the number of bindings.
    fn first_items(&mut self, parts: &[Operand]) -> Option<(usize, usize)> {
        if self.is_watched || self.is_far {
            return None;
        }
        let (first, whole, _) = self.item_of(*parts.first()?, 0)?;
        let (Local::Slot(to), Local::Slot(from)) = (self.local(first), self.local(whole)) else {
            return None;
        };
        let mut taken = false;
        let mut count = 0_u8;
        while let Some(part) = parts.get(usize::from(count))
            && let Some((slot, of, moves)) = self.item_of(*part, count)
            && (slot, of) == (first + u32::from(count), whole)
            && slot != whole
            && matches!(self.local(slot), Local::Slot(_))
            && count < u8::MAX
        {
            taken |= moves;
            count += 1;
        }
        if count < 2 {
            return None;
        }
        self.at = parts.first()?.node()?;
        Some((self.emit(Op::Items { to, from, count, taken, over: 0 }), count.into()))
    }

    /// Returns the local that a part binds to the item at an index, the local that has the items, and whether this is the
    /// last reading of it.
    fn item_of(&self, part: Operand, index: u8) -> Option<(u32, u32, bool)> {
        let Some(Node::Bind { slot, value }) = self.core(part) else { return None };
        let Some(Node::Builtin { id, args }) = self.core(value) else { return None };
        let [whole, at] = self.program.args(args) else { return None };
        let is_item = TAKES.contains(&id.name()) && self.small(*at) == Some(i32::from(index));
        is_item.then_some((slot, whole.slot()?, self.moves(*whole)))
    }
}
