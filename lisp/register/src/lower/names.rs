//! The locals that operands read, and locals that are other names of a local.

use ptc_values::ir::{Node, Operand, OperandKind};

use super::Lower;

impl Lower<'_> {
    /// Returns whether the evaluation of an operand reads a slot, or moves its value out.
    pub(super) fn touches(&self, operand: Operand, slot: u32, only_moves: bool) -> bool {
        match operand.kind() {
            OperandKind::Take(it) => {
                let (it, owns) = self.same(it);
                it == self.same(slot).0 && (owns || !only_moves)
            }
            OperandKind::Local(it) => !only_moves && self.same(it).0 == self.same(slot).0,
            OperandKind::Direct(node) | OperandKind::Deep(node) => {
                let Some(core) = self.program.core(node) else { return false };
                let mut found = false;
                self.program.each_operand(core, &mut |part| {
                    found = found || self.touches(part, slot, only_moves);
                });
                found
            }
            _ => false,
        }
    }

    /// Returns the local whose value a local has, and whether it owns the value.
    pub(super) fn same(&self, slot: u32) -> (u32, bool) {
        let found = self.names.iter().rev().find(|(name, _)| *name == slot);
        found.map_or((slot, true), |(_, same)| *same)
    }

    /// Returns whether the last reading of a local moves its value.
    pub(super) fn moves(&self, slot: u32) -> bool {
        let (same, owns) = self.same(slot);
        owns && !self.held.contains(&same)
    }

    /// Makes a local another name of the one it is bound to, if that local has its value as long as `scope` reads the
    /// name. Returns false otherwise.
    pub(super) fn names_same(&mut self, name: u32, value: Operand, scope: &[Operand]) -> bool {
        let Some(of) = value.slot() else { return false };
        let (same, owns) = self.same(of);
        let moves = matches!(value.kind(), OperandKind::Take(_)) && owns;
        if name == same || self.held.contains(&same) {
            return false;
        }
        let mut is_gone = false;
        let holds = scope.iter().all(|part| self.keeps(*part, name, of, &mut is_gone));
        if holds {
            self.names.push((name, (same, moves)));
        }
        holds
    }

    /// Returns whether every reading of `name` in an operand comes before `of` is moved or bound again.
    pub(super) fn keeps(&self, operand: Operand, name: u32, of: u32, is_gone: &mut bool) -> bool {
        match operand.kind() {
            OperandKind::Local(slot) | OperandKind::Take(slot) if slot == name => !*is_gone,
            OperandKind::Take(slot) if slot == of || self.same(slot).0 == self.same(of).0 => {
                *is_gone = true;
                true
            }
            OperandKind::Direct(node) | OperandKind::Deep(node) => {
                let Some(core) = self.program.core(node) else { return false };
                let mut keeps = true;
                self.program.each_operand(core, &mut |part| {
                    keeps = keeps && self.keeps(part, name, of, is_gone);
                });
                match core {
                    Node::Bind { slot, .. } => {
                        keeps && slot != of && slot != self.same(of).0 && slot != name
                    }
                    _ => keeps,
                }
            }
            _ => true,
        }
    }
}
