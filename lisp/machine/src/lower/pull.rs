//! Lowers calls of builtins that take stages over a range, or items without an end, item by item.

use super::Lower;
use crate::ops::Op;
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

/// The place of a stage.
#[derive(Clone, Copy)]
struct Stage {
    /// Whether it, or what takes its items, may take items without an end.
    endless: bool,
    /// The number of stages above it, with itself.
    depth: usize,
}

impl Stage {
    /// Returns the place below a builtin that takes the items.
    fn below(sources: Sources) -> Stage {
        Stage { endless: sources.endless, depth: 0 }
    }
}

impl Lower<'_> {
    /// Lowers the call of a builtin with stages as its collection, which may be stages over a range, or with items without
    /// an end. Returns false if it has neither.
    pub(super) fn pull(&mut self, id: BuiltinId, operands: &[Operand], to: u8) -> bool {
        let builtin = id.builtin();
        let sources = match builtin.facts.pulls {
            Pulls::Whole | Pulls::AsValue | Pulls::Makes(_) => return false,
            Pulls::Numbers | Pulls::Front => Sources { stages: false, endless: false },
            Pulls::Stage { ends } => Sources { stages: ends, endless: ends },
            Pulls::All => Sources { stages: true, endless: false },
            Pulls::Some | Pulls::First(_) => Sources { stages: true, endless: true },
        };
        if builtin.max.is_none() && operands.len() > 2 {
            return self.pull_several(id, operands, to);
        }
        let Some(at) = builtin.pulled_at(operands.len()) else { return false };
        if !operands.get(at).is_some_and(|source| self.is_source(*source, sources)) {
            return false;
        }
        self.pull_from(id, operands, to, &|place| place == at, Stage::below(sources), false);
        true
    }

    /// Does the same for several collections. A range without an end needs a finite one beside it.
    fn pull_several(&mut self, id: BuiltinId, operands: &[Operand], to: u8) -> bool {
        let endless = operands.iter().skip(1).any(|it| !self.is_endless(*it));
        let sources = Sources { stages: false, endless };
        let is_source: Vec<bool> = operands
            .iter()
            .enumerate()
            .map(|(at, it)| at > 0 && self.is_source(*it, sources))
            .collect();
        if !is_source.contains(&true) {
            return false;
        }
        let is_source = |at| is_source.get(at).copied().unwrap_or(false);
        self.pull_from(id, operands, to, &is_source, Stage::below(sources), false);
        true
    }

    /// Returns whether an operand is a range without an end.
    fn is_endless(&self, operand: Operand) -> bool {
        match self.core(operand) {
            Some(Node::Builtin { id, args }) => makes_endless(id, args.count as usize),
            _ => false,
        }
    }

    /// Returns whether an operand makes items without an end, or is a stage. It shows when the program runs whether a stage
    /// is one over a range.
    fn is_source(&self, operand: Operand, sources: Sources) -> bool {
        let Some(Node::Builtin { id, args }) = self.core(operand) else { return false };
        match (id.builtin().facts.pulls, self.program.args(args)) {
            (Pulls::Makes(_), args) => sources.endless && makes_endless(id, args.len()),
            (Pulls::Stage { .. }, [_, _]) => sources.stages,
            _ => false,
        }
    }

    fn pull_from(
        &mut self,
        id: BuiltinId,
        operands: &[Operand],
        to: u8,
        is_source: &dyn Fn(usize) -> bool,
        below: Stage,
        stays: bool,
    ) {
        let first = self.temp();
        for (at, operand) in operands.iter().enumerate() {
            let slot = self.temp();
            if is_source(at) {
                self.source_of_items(*operand, slot, below);
            } else {
                self.argument(id, operands, at, slot);
            }
        }
        self.emit(Op::Pull { to, first, count: operands.len() as u8, stays, id });
    }

    /// Evaluates a source so that the next operation can take it item by item. An operand of any other kind may be a range.
    fn source_of_items(&mut self, operand: Operand, to: u8, below: Stage) {
        let (Some(node), Some(Node::Builtin { id, args })) = (operand.node(), self.core(operand))
        else {
            return self.to(operand, to);
        };
        let operands = self.program.args(args);
        let maker = match id.builtin().facts.pulls {
            Pulls::Makes(name) if below.endless && makes_endless(id, operands.len()) => find(name),
            Pulls::Stage { .. } if operands.len() == 2 && below.depth < MOST_STAGES => None,
            _ => return self.to(operand, to),
        };
        let outer = std::mem::replace(&mut self.at, node);
        let top = self.top;
        if self.is_watched {
            self.emit(Op::Begin { node });
        }
        if let Some(id) = maker {
            let first = self.temp();
            self.row(operands);
            self.emit(Op::Pure { to, first, count: operands.len() as u8, id });
        } else {
            let ends = matches!(id.builtin().facts.pulls, Pulls::Stage { ends: true });
            let stage = Stage { endless: below.endless || ends, depth: below.depth + 1 };
            self.pull_from(id, operands, to, &|at| at == 1, stage, true);
        }
        if self.is_watched {
            self.emit(Op::End { from: to, node });
        }
        self.top = top;
        self.at = outer;
    }
}

/// Returns whether a builtin makes items without an end from this number of arguments.
fn makes_endless(id: BuiltinId, count: usize) -> bool {
    let facts = &id.builtin().facts;
    matches!(facts.pulls, Pulls::Makes(_)) && facts.makes_lazy.is_some_and(|most| count <= most)
}
