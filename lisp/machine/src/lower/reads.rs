//! The readings of locals in the parts of a function.

use ptc_values::Program;
use ptc_values::ir::{Arity, Operand, OperandKind};

/// For each node the places of its parts, in the order of a walk, and for each slot the places that read it.
pub(super) struct Reads {
    start: u32,
    /// For each node its place and that of its last part.
    nodes: Vec<(u32, u32)>,
    /// For each slot the places of its readings, and whether they move its value.
    slots: Vec<Vec<(u32, bool)>>,
}

impl Reads {
    pub(super) fn of(program: &Program, arity: &Arity) -> Reads {
        if arity.frame == 0 {
            return Reads { start: arity.start, nodes: Vec::new(), slots: Vec::new() };
        }
        let last = arity.body.node().unwrap_or(arity.start);
        let count = (last.saturating_sub(arity.start) as usize).saturating_add(1);
        let nodes = vec![(0, 0); count.min(program.nodes.len())];
        let slots = vec![Vec::new(); arity.frame as usize];
        let mut reads = Reads { start: arity.start, nodes, slots };
        let mut next = 0;
        // A node to visit, or to leave.
        let mut work: Vec<(u32, bool)> =
            arity.body.node().map(|it| (it, false)).into_iter().collect();
        let mut parts = Vec::new();
        while let Some((node, is_over)) = work.pop() {
            let at = node.wrapping_sub(reads.start) as usize;
            let Some(place) = reads.nodes.get_mut(at) else { continue };
            if is_over {
                place.1 = next - 1;
                continue;
            }
            place.0 = next;
            let Some(core) = program.core(node) else { continue };
            work.push((node, true));
            parts.clear();
            program.each_operand(core, &mut |part| parts.push(part));
            for part in &parts {
                if let Some(slot) = part.slot()
                    && let Some(found) = reads.slots.get_mut(slot as usize)
                {
                    found.push((next, matches!(part.kind(), OperandKind::Take(_))));
                }
            }
            next += 1;
            work.extend(parts.iter().rev().filter_map(|part| part.node()).map(|it| (it, false)));
        }
        reads
    }

    /// Returns whether an operand reads a local.
    pub(super) fn reads(&self, operand: Operand, slot: u32) -> bool {
        self.any(operand, slot, |_| true)
    }

    /// Returns whether an operand moves the value of a local out.
    pub(super) fn takes(&self, operand: Operand, slot: u32) -> bool {
        self.any(operand, slot, |takes| takes)
    }

    fn any(&self, operand: Operand, slot: u32, is_it: impl Fn(bool) -> bool) -> bool {
        let Some(node) = operand.node() else {
            return operand.slot() == Some(slot)
                && is_it(matches!(operand.kind(), OperandKind::Take(_)));
        };
        let place = self.nodes.get(node.wrapping_sub(self.start) as usize);
        let (Some((first, last)), Some(found)) = (place, self.slots.get(slot as usize)) else {
            return true;
        };
        let from = found.partition_point(|(at, _)| at < first);
        found[from..].iter().take_while(|(at, _)| at <= last).any(|(_, takes)| is_it(*takes))
    }
}
