//! Lowers `try`: ranges of code, and the places that take their problems.

use crate::ops::{Op, Takes, Trap};

use super::{Lower, Part};

impl Lower<'_> {
    /// Lowers a `try`, whose value goes to a slot.
    pub(super) fn attempt(&mut self, node: u32, index: u32, to: u8) {
        let Some(one) = self.program.tries.get(index as usize) else {
            self.emit(Op::Broken);
            return;
        };
        let number = self.tries.len();
        self.tries.push((node, self.top as u8));
        self.parts.push([Vec::new(), Vec::new(), Vec::new()]);
        // Problems find the temporaries below where they are.
        let floor = std::mem::replace(&mut self.floor, self.top);
        let mut ends = Vec::new();
        let start = self.ops.len();
        self.open.push((number, Part::Body));
        if self.value(one.body, super::Dest::Slot(to)) {
            ends.push(self.emit(Op::Jump { to: 0 }));
        }
        self.open.pop();
        let end = self.ops.len();
        let mut catches = Vec::new();
        self.open.push((number, Part::Handler));
        for catch in &one.catches {
            catches.push((catch.class.clone(), self.local(catch.slot), self.ops.len() as u32));
            if self.value(catch.body, super::Dest::Slot(to)) {
                ends.push(self.emit(Op::Jump { to: 0 }));
            }
        }
        self.open.pop();
        let handled = self.ops.len();
        self.patch(&ends);
        if !catches.is_empty() {
            self.trap(number, (start, end), &[Part::Body], Takes::Catch(catches.into()));
        }
        if let Some(finally) = one.finally {
            self.emit(Op::BeginFinally);
            let begin = self.ops.len();
            let both = [Part::Body, Part::Handler];
            self.trap(number, (start, handled), &both, Takes::Finally(begin as u32));
            self.open.push((number, Part::Finally));
            let value = self.temp();
            if self.value(finally, super::Dest::Slot(value)) {
                self.emit(Op::Drop { slot: value });
            }
            self.open.pop();
            self.top -= 1;
            let over = self.ops.len();
            self.trap(number, (begin, over), &[Part::Finally], Takes::Pending);
            self.at = node;
            self.emit(Op::EndFinally);
        }
        self.floor = floor;
    }

    fn trap(&mut self, number: usize, (from, to): (usize, usize), parts: &[Part], takes: Takes) {
        for part in parts {
            self.parts[number][*part as usize].push(takes.clone());
        }
        let (node, top) = self.tries[number];
        self.traps.push(Trap { from: from as u32, to: to as u32, node, top, takes });
    }

    /// Makes the traps around a part that is lowered behind the rest.
    pub(super) fn trap_again(&mut self, from: usize) {
        let to = self.ops.len() as u32;
        for (number, part) in std::mem::take(&mut self.open).into_iter().rev() {
            let (node, top) = self.tries[number];
            for takes in self.parts[number][part as usize].clone() {
                self.traps.push(Trap { from: from as u32, to, node, top, takes });
            }
        }
    }
}
