//! Lowers the turns of loops.

use ptc_values::ir::{Args, Node, Op as Operation, Operand, OperandKind};

use super::Lower;
use crate::ops::{Local, MOST_LOCALS, Op};

impl Lower<'_> {
    /// The next turn of a loop: all values are computed before a variable that a later one reads changes.
    pub(super) fn turn(&mut self, args: Args, first: u32, start: usize, pays: bool) {
        let operands = self.program.args(args);
        let mut moves = Vec::new();
        let mut spilled = Vec::new();
        let mut rests = Vec::new();
        let held = self.held.len();
        let mut adds = None;
        let is_near = !self.is_far && !self.is_watched && pays;
        for (at, operand) in operands.iter().enumerate() {
            let slot = first + at as u32;
            let later = &operands[at + 1..];
            let is_read = later.iter().any(|it| self.reads.reads(*it, slot));
            if operand.slot() == Some(slot) {
                // It keeps its value, whatever reads it last.
                self.held.push(slot);
                continue;
            }
            let Local::Slot(to) = self.local(slot) else {
                let temp = self.temp();
                self.to(*operand, temp);
                spilled.push((slot - MOST_LOCALS, temp));
                continue;
            };
            if is_near
                && let Some(int) = self.added_to(*operand, slot)
                && adds.is_none()
                && later.iter().all(|it| it.node().is_none())
            {
                adds = Some((to, int));
                self.held.push(slot);
                continue;
            }
            if is_read
                && is_near
                && let Some(rest) = self.rest_later(*operand, slot)
            {
                rests.push(rest);
                self.held.push(slot);
                continue;
            }
            match operand.kind() {
                // A slot that is no variable of the loop keeps its value until the end.
                OperandKind::Take(from)
                    if is_read
                        && self.moves(*operand)
                        && !(first..first + operands.len() as u32).contains(&from)
                        && let Local::Slot(from) = self.local(from) =>
                {
                    moves.push((to, from));
                }
                _ if is_read => {
                    let temp = self.temp();
                    self.to(*operand, temp);
                    moves.push((to, temp));
                }
                _ => self.to(*operand, to),
            }
        }
        self.held.truncate(held);
        let (_, slot) = self.locals();
        for (index, from) in spilled {
            self.emit(Op::StoreSpilled { from, slot, index });
        }
        for rest in rests {
            self.emit(rest);
        }
        let last = if adds.is_none() && is_near { moves.pop() } else { None };
        for (to, from) in moves {
            self.emit(Op::Move { to, from });
        }
        if let Some((slot, int)) = adds {
            self.emit(Op::TurnAdd { slot, to: start as u16, int });
            return;
        }
        if self.is_watched {
            self.emit(Op::Again { node: self.at });
        }
        self.emit(match last {
            Some((slot, from)) => Op::TurnMove { slot, from, to: start as u16 },
            None if pays => Op::Turn { to: start as u32 },
            None => Op::Jump { to: start as u32 },
        });
    }

    /// Returns the integer that an operand adds to a slot.
    fn added_to(&self, operand: Operand, slot: u32) -> Option<i32> {
        let Some(Node::Op { op, a, b }) = self.core(operand) else { return None };
        if a.slot() != Some(slot) {
            return None;
        }
        match op {
            Operation::Add | Operation::Inc => self.small(b),
            Operation::Sub | Operation::Dec => self.small(b)?.checked_neg(),
            _ => None,
        }
    }
}
