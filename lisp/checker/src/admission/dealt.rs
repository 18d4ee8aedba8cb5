//! Decides whether a program handles a nil where it arises.

use super::Mark;
use super::scan::Scan;
use ptc_facts::registry::Registered;
use ptc_facts::registry::facts::OnNil;
use ptc_values::Value;
use ptc_values::ir::{Node, Op, Operand, OperandKind};

/// The use of a node's value.
enum Use {
    /// It is tested for nil.
    Tested,
    /// It may become the value of the node that uses it.
    Passed,
    /// It is bound to a slot.
    Named(u32),
    /// Anything else.
    Other,
}

/// The number of steps from a value to its uses.
const STEPS: usize = 16;

impl Scan<'_> {
    /// Returns whether a nil from a node is handled: by `or`, by a test, or by the node itself, as by `filter`.
    pub(super) fn handles_nil(&self, at: u32) -> bool {
        if let Some(Node::Builtin { id, .. }) = self.program.nodes.get(at as usize)
            && matches!(id.builtin().facts.on_nil, OnNil::Asks | OnNil::AsksInside | OnNil::Drops)
        {
            return true;
        }
        let mut at = at;
        for _ in 0..STEPS {
            let is_it = |part: Operand| matches!(part.kind(), OperandKind::Direct(node) | OperandKind::Deep(node) if node == at);
            let users = at + 1..self.program.nodes.len() as u32;
            let mut used = users.map(|user| (user, self.use_in(user, &is_it)));
            let Some((user, Some(what))) = used.find(|(_, what)| what.is_some()) else {
                return false;
            };
            match what {
                Use::Tested => return true,
                Use::Passed => at = user,
                Use::Named(slot) => return self.tests_slot(user, slot),
                Use::Other => return false,
            }
        }
        false
    }

    /// Returns whether the value that a slot gets at a node is tested before it is replaced, or not used.
    fn tests_slot(&self, bound: u32, slot: u32) -> bool {
        let is_it = |part: Operand| part.slot() == Some(slot);
        // Inner functions have slots of their own.
        let (mut inside, mut used) = (0, false);
        let mut marks = self.marks.iter().skip_while(|(node, _)| *node <= bound).peekable();
        for at in bound + 1..self.program.nodes.len() as u32 {
            while let Some((_, mark)) = marks.next_if(|(node, _)| *node <= at) {
                match mark {
                    Mark::Enter { .. } => inside += 1,
                    Mark::Leave if inside == 0 => return !used,
                    Mark::Leave => inside -= 1,
                    _ => {}
                }
            }
            if inside > 0 {
                continue;
            }
            used |=
                self.program.nodes.get(at as usize).is_some_and(|node| self.uses(*node, &is_it));
            match self.program.nodes.get(at as usize) {
                Some(Node::Bind { slot: other, value }) if *other == slot && !is_it(*value) => {
                    return !used;
                }
                _ => {}
            }
            match self.use_in(at, &is_it) {
                Some(Use::Tested) => return true,
                Some(Use::Passed) => {
                    let passed = |part: Operand| matches!(part.kind(), OperandKind::Direct(node) | OperandKind::Deep(node) if node == at);
                    let mut users = at + 1..self.program.nodes.len() as u32;
                    if users.any(|user| matches!(self.use_in(user, &passed), Some(Use::Tested))) {
                        return true;
                    }
                }
                _ => {}
            }
        }
        !used
    }

    /// Returns the use of a value in a node, if any.
    fn use_in(&self, node: u32, is_it: &impl Fn(Operand) -> bool) -> Option<Use> {
        let found = self.program.nodes.get(node as usize)?;
        let nil = |part: Operand| match part.kind() {
            OperandKind::Const(index) => {
                self.program.consts.get(index as usize).is_some_and(Value::is_nil)
            }
            _ => false,
        };
        match *found {
            Node::If { test, .. } if is_it(test) => Some(Use::Tested),
            Node::If { then, other, .. } if is_it(then) || is_it(other) => Some(Use::Passed),
            Node::And(args) | Node::Or(args) => {
                let parts = self.program.args(args);
                let place = parts.iter().position(|part| is_it(*part))?;
                Some(if place + 1 < parts.len() { Use::Tested } else { Use::Passed })
            }
            Node::Do(args) => {
                let parts = self.program.args(args);
                let place = parts.iter().position(|part| is_it(*part))?;
                Some(if place + 1 < parts.len() { Use::Other } else { Use::Passed })
            }
            Node::Op { op: Op::Equal | Op::NotEqual, a, b }
                if is_it(a) && nil(b) || nil(a) && is_it(b) =>
            {
                Some(Use::Tested)
            }
            Node::Bind { slot, value } if is_it(value) => Some(Use::Named(slot)),
            Node::Builtin { id, args } => {
                let parts = self.program.args(args);
                let facts = &id.builtin().facts;
                parts.iter().any(|part| is_it(*part)).then(|| match (facts.on_nil, facts.op) {
                    (OnNil::Passes, _) => Use::Passed,
                    (OnNil::Asks, _) => Use::Tested,
                    (OnNil::Drops, _) if self.drops_nil(parts) => Use::Tested,
                    (_, Some((Op::Equal | Op::NotEqual, ..)))
                        if parts.iter().any(|part| nil(*part)) =>
                    {
                        Use::Tested
                    }
                    _ => Use::Other,
                })
            }
            ref other => self.uses(*other, is_it).then_some(Use::Other),
        }
    }

    /// Returns whether the function of a `filter` or `remove` tests items for nil.
    fn drops_nil(&self, parts: &[Operand]) -> bool {
        let Some(OperandKind::Const(index)) = parts.first().map(|part| part.kind()) else {
            return false;
        };
        match self.program.consts.get(index as usize) {
            Some(Value::Builtin(id)) => {
                matches!(id.builtin().facts.on_nil, OnNil::Asks | OnNil::Passes)
            }
            _ => false,
        }
    }

    fn uses(&self, found: Node, is_it: &impl Fn(Operand) -> bool) -> bool {
        let mut used = false;
        self.program.each_operand(found, &mut |part| used |= is_it(part));
        used
    }
}
