//! Lowers calls of builtins that take a range, or stages over one, item by item.

use super::Lower;
use crate::ops::{Local, Op};
use ptc_facts::registry::facts::Pulls;
use ptc_facts::registry::{Registered, find};
use ptc_values::BuiltinId;
use ptc_values::ir::{Node, Operand};

/// The most stages over one another that are made item by item.
const MOST_STAGES: usize = 8;

/// The collections that a builtin takes item by item.
#[derive(Clone, Copy)]
struct Sources {
    /// Whether it takes stages over a range too.
    stages: bool,
    /// Whether it takes items without an end.
    endless: bool,
}

impl Lower<'_> {
    /// Finds the locals that may hold a range that is not built: each reading of them is the collection of a builtin that
    /// takes numbers one after another.
    pub(super) fn find_ranges(&mut self) {
        let last = self.arity.body.node().unwrap_or(0) as usize;
        let nodes = self.program.nodes.get(self.arity.start as usize..=last).unwrap_or_default();
        let makes = |node: &Node| match node {
            Node::Builtin { id, .. } => matches!(id.builtin().facts.pulls, Pulls::Makes(_)),
            _ => false,
        };
        if self.arity.frame == 0 || !nodes.iter().any(makes) {
            return;
        }
        let mut ranges: Vec<u32> = Vec::new();
        let mut others: Vec<u32> = Vec::new();
        let mut work: Vec<Operand> = vec![self.arity.body];
        while let Some(operand) = work.pop() {
            let Some(core) = self.core(operand) else { continue };
            if let Node::Bind { slot, value } = core
                && self.is_source(value, Sources { stages: false, endless: false }, 0)
            {
                ranges.push(slot);
            }
            let pulled = match core {
                Node::Builtin { id, args } => pulled_at(id, args.count as usize),
                _ => None,
            };
            let mut at = 0;
            self.program.each_operand(core, &mut |part| {
                if let Some(slot) = part.slot()
                    && pulled != Some(at)
                {
                    others.push(slot);
                }
                at += 1;
                work.push(part);
            });
        }
        ranges.retain(|slot| !others.contains(slot));
        self.ranges = ranges;
    }

    /// Stores a range in a local that may hold one that is not built. Returns false for another value.
    pub(super) fn bind_range(&mut self, slot: u32, value: Operand) -> bool {
        let Local::Slot(to) = self.local(slot) else { return false };
        let finite = Sources { stages: false, endless: false };
        if !self.ranges.contains(&slot) || !self.is_source(value, finite, 0) {
            return false;
        }
        self.source_of_items(value, to);
        true
    }

    /// Lowers the call of a builtin with a range as its collection, or with stages over one. Returns false if it has none.
    pub(super) fn pull(&mut self, id: BuiltinId, operands: &[Operand], to: u8) -> bool {
        let builtin = id.builtin();
        let sources = match builtin.facts.pulls {
            Pulls::Whole | Pulls::Makes(_) => return false,
            Pulls::Numbers => Sources { stages: false, endless: false },
            Pulls::Stage { ends } => Sources { stages: ends, endless: ends },
            Pulls::All => Sources { stages: true, endless: false },
            Pulls::Some | Pulls::First(_) => Sources { stages: true, endless: true },
        };
        if builtin.max.is_none() && operands.len() > 2 {
            return self.pull_several(id, operands, to);
        }
        let Some(at) = pulled_at(id, operands.len()) else { return false };
        if !operands.get(at).is_some_and(|source| self.is_source(*source, sources, 0)) {
            return false;
        }
        self.pull_from(id, operands, to, &|place| place == at, false);
        true
    }

    /// Does the same for several collections. A range without an end needs a finite one beside it.
    fn pull_several(&mut self, id: BuiltinId, operands: &[Operand], to: u8) -> bool {
        let finite = Sources { stages: false, endless: false };
        let endless = Sources { endless: true, ..finite };
        let has_end = operands.iter().skip(1).any(|it| !self.is_endless(*it));
        let sources = if has_end { endless } else { finite };
        let is_source: Vec<bool> = operands
            .iter()
            .enumerate()
            .map(|(at, it)| at > 0 && self.is_source(*it, sources, 0))
            .collect();
        if !is_source.contains(&true) {
            return false;
        }
        self.pull_from(id, operands, to, &|at| is_source.get(at).copied().unwrap_or(false), false);
        true
    }

    /// Returns whether an operand is a range without an end.
    fn is_endless(&self, operand: Operand) -> bool {
        match self.core(operand) {
            Some(Node::Builtin { id, args }) => makes_endless(id, args.count as usize),
            _ => false,
        }
    }

    /// Returns whether an operand is a range or consists of stages over one.
    fn is_source(&self, operand: Operand, sources: Sources, depth: usize) -> bool {
        if let Some(slot) = operand.slot() {
            return self.ranges.contains(&slot);
        }
        let Some(Node::Builtin { id, args }) = self.core(operand) else { return false };
        match (id.builtin().facts.pulls, self.program.args(args)) {
            (Pulls::Makes(_), args) => sources.endless || !makes_endless(id, args.len()),
            (Pulls::Stage { ends }, [_, source]) => {
                let endless = sources.endless || ends;
                sources.stages
                    && depth < MOST_STAGES
                    && self.is_source(*source, Sources { endless, ..sources }, depth + 1)
            }
            _ => false,
        }
    }

    fn pull_from(
        &mut self,
        id: BuiltinId,
        operands: &[Operand],
        to: u8,
        is_source: &dyn Fn(usize) -> bool,
        stays: bool,
    ) {
        let first = self.temp();
        for (at, operand) in operands.iter().enumerate() {
            let slot = self.temp();
            if is_source(at) {
                self.source_of_items(*operand, slot);
            } else {
                self.argument(id, operands, at, slot);
            }
        }
        self.emit(Op::Pull { to, first, count: operands.len() as u8, stays, id });
    }

    /// Evaluates a range, or stages over one, so that the next operation takes it item by item.
    fn source_of_items(&mut self, operand: Operand, to: u8) {
        let (Some(node), Some(Node::Builtin { id, args })) = (operand.node(), self.core(operand))
        else {
            return self.to(operand, to);
        };
        let outer = std::mem::replace(&mut self.at, node);
        let top = self.top;
        if self.is_watched {
            self.emit(Op::Begin { node });
        }
        let operands = self.program.args(args);
        match id.builtin().facts.pulls {
            Pulls::Makes(name) if let Some(id) = find(name) => {
                let first = self.temp();
                self.row(operands);
                self.emit(Op::Pure { to, first, count: operands.len() as u8, id });
            }
            _ => self.pull_from(id, operands, to, &|at| at == 1, true),
        }
        if self.is_watched {
            self.emit(Op::End { from: to, node });
        }
        self.top = top;
        self.at = outer;
    }
}

/// Returns the argument that a builtin takes item by item, if it has one collection.
fn pulled_at(id: BuiltinId, count: usize) -> Option<usize> {
    let builtin = id.builtin();
    match builtin.facts.pulls {
        Pulls::Whole | Pulls::Makes(_) => None,
        _ if builtin.max.is_none() && count > 2 => None,
        _ if builtin.facts.collection.is_some_and(|order| !order.is_last) => Some(0),
        _ => count.checked_sub(1),
    }
}

/// Returns whether a builtin makes items without an end from this number of arguments.
fn makes_endless(id: BuiltinId, count: usize) -> bool {
    let facts = &id.builtin().facts;
    matches!(facts.pulls, Pulls::Makes(_)) && facts.makes_lazy.is_some_and(|it| count <= it.most)
}
