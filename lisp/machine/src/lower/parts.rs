//! Lowers the steps of a walk along a list: whether it has items, an item of it, and its rest.
//!
//! Each is an operation for vectors, lists and nil. It skips the call of the builtin, which is left for other values.

use ptc_values::BuiltinId;
use ptc_values::ir::{Node, Operand};

use super::Lower;
use crate::ops::{Local, Op};

/// A part of a collection.
#[derive(Clone, Copy)]
enum Part {
    Item(u8),
    /// The items from a position on, or nil if there are none and it says so.
    Rest(u8, bool),
}

impl Lower<'_> {
    /// Lowers a call that takes a part of a collection. Returns false for another call.
    pub(super) fn walk(&mut self, id: BuiltinId, operands: &[Operand], to: u8) -> bool {
        let Some(part) = self.part(id, operands) else { return false };
        let (from, taken) = self.first_source(operands[0], None, to);
        let over = self.emit(match part {
            Part::Item(at) => Op::Item { to, from, at, taken, over: 0 },
            Part::Rest(at, false) => Op::Rest { to, from, at, taken, over: 0 },
            Part::Rest(at, true) => Op::Next { to, from, at, taken, over: 0 },
        });
        self.call_of_part(id, operands, (from, taken), to);
        self.patch(&[over]);
        true
    }

    /// Lowers the next value of a variable of a loop that is its own rest, if later operands read the variable. The rest is
    /// paid for here and made at the end of the turn, so the list has one owner. Returns the operation of that end.
    pub(super) fn rest_later(&mut self, operand: Operand, slot: u32) -> Option<Op> {
        let Some(Node::Builtin { id, args }) = self.core(operand) else { return None };
        let operands = self.program.args(args);
        let Part::Rest(at, or_nil) = self.part(id, operands)? else { return None };
        let Local::Slot(place) = self.local(slot) else { return None };
        if operands[0].slot() != Some(slot) {
            return None;
        }
        let to = self.temp();
        let outer = std::mem::replace(&mut self.at, operand.node()?);
        let over = self.emit(Op::RestLater { to, from: place, over: 0 });
        self.call_of_part(id, operands, (place, false), to);
        self.patch(&[over]);
        self.at = outer;
        Some(Op::RestNow { slot: place, from: to, at, or_nil })
    }

    /// Emits a test for items of a local; returns the jump for values that fail it. Returns none for another test.
    pub(super) fn unless_items(&mut self, id: BuiltinId, operand: Operand) -> Option<usize> {
        let is_seq = match id.name() {
            "seq" => true,
            "empty?" => false,
            _ => return None,
        };
        operand.slot()?;
        let (a, taken) = self.source(operand, None);
        let to = self.temp();
        let over = self.emit(Op::HasItems { to, a, is_seq, taken, over: 0 });
        self.call_of_part(id, &[operand], (a, taken), to);
        self.patch(&[over]);
        Some(self.emit(Op::Unless { test: to, taken: true, to: 0 }))
    }

    /// Calls the builtin itself, with the collection in a slot.
    fn call_of_part(
        &mut self,
        id: BuiltinId,
        operands: &[Operand],
        (from, taken): (u8, bool),
        to: u8,
    ) {
        let top = self.top;
        let first = self.temp();
        let place = self.temp();
        self.emit(if taken { Op::Move { to: place, from } } else { Op::Copy { to: place, from } });
        for operand in &operands[1..] {
            let place = self.temp();
            self.to(*operand, place);
        }
        self.emit(Op::Pure { to, first, count: operands.len() as u8, id });
        self.top = top;
    }

    fn part(&self, id: BuiltinId, operands: &[Operand]) -> Option<Part> {
        if self.is_watched || self.is_far || self.takes_others {
            return None;
        }
        let at = || self.small(*operands.get(1)?).and_then(|at| u8::try_from(at).ok());
        match (id.name(), operands.len()) {
            ("first", 1) => Some(Part::Item(0)),
            ("second", 1) => Some(Part::Item(1)),
            ("rest", 1) => Some(Part::Rest(1, false)),
            ("next", 1) => Some(Part::Rest(1, true)),
            ("ptc/item" | "ptc/seq-item", 2) => at().map(Part::Item),
            ("ptc/rest-from", 2) => at().map(|at| Part::Rest(at, true)),
            _ => None,
        }
    }
}
