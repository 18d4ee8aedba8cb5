//! Decides whether a program handles a nil where it arises.

use super::scan::Scan;
use crate::lowered::Mark;
use hashbrown::HashMap;
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

/// The users of nodes and slots, so that a problem does not search the whole program.
pub(super) struct Users {
    /// Nodes with the nodes that use them, in order.
    nodes: Vec<(u32, u32)>,
    /// The number of the function around each node.
    functions: Vec<u32>,
    /// The nodes that use or bind a slot of a function, in order.
    slots: HashMap<(u32, u32), Vec<u32>>,
}

impl Users {
    pub(super) fn of(scan: &Scan<'_>) -> Users {
        let mut users = Users { nodes: Vec::new(), functions: Vec::new(), slots: HashMap::new() };
        // Inner functions have slots of their own.
        let (mut open, mut entered) = (vec![0], 0);
        let mut marks = scan.marks.iter().peekable();
        for (at, node) in (0..).zip(&scan.program.nodes) {
            while let Some((_, mark)) = marks.next_if(|(place, _)| *place <= at) {
                match mark {
                    Mark::Enter { .. } => {
                        entered += 1;
                        open.push(entered);
                    }
                    Mark::Leave => drop(open.pop()),
                    _ => {}
                }
            }
            let function = open.last().copied().unwrap_or_default();
            users.functions.push(function);
            let mut slots: Vec<u32> = Vec::new();
            scan.program.each_operand(*node, &mut |part| {
                if let OperandKind::Direct(used) | OperandKind::Deep(used) = part.kind()
                    && used < at
                {
                    users.nodes.push((used, at));
                }
                slots.extend(part.slot());
            });
            if let Node::Bind { slot, .. } = node {
                slots.push(*slot);
            }
            for slot in slots {
                let known = users.slots.entry((function, slot)).or_default();
                if known.last() != Some(&at) {
                    known.push(at);
                }
            }
        }
        users.nodes.sort_unstable();
        users
    }

    /// Returns the nodes that use a node, in order.
    fn of_node(&self, at: u32) -> impl Iterator<Item = u32> {
        let start = self.nodes.partition_point(|(used, _)| *used < at);
        let all = self.nodes.get(start..).unwrap_or_default();
        all.iter().take_while(move |(used, _)| *used == at).map(|(_, user)| *user)
    }

    /// Returns the nodes of the function around a node, and behind it, that use or bind a slot.
    fn of_slot(&self, behind: u32, slot: u32) -> &[u32] {
        let function = self.functions.get(behind as usize).copied().unwrap_or_default();
        let all = self.slots.get(&(function, slot)).map(Vec::as_slice).unwrap_or_default();
        all.get(all.partition_point(|at| *at <= behind)..).unwrap_or_default()
    }
}

impl Scan<'_> {
    /// Returns whether a nil from a node is handled: by `or`, by a test, or by the node itself, as by `filter`.
    pub(super) fn handles_nil(&self, users: &Users, at: u32) -> bool {
        if let Some(Node::Builtin { id, .. }) = self.program.nodes.get(at as usize)
            && matches!(id.builtin().facts.on_nil, OnNil::Asks | OnNil::AsksInside | OnNil::Drops)
        {
            return true;
        }
        let mut at = at;
        for _ in 0..STEPS {
            let is_it = |part: Operand| matches!(part.kind(), OperandKind::Direct(node) | OperandKind::Deep(node) if node == at);
            let mut used = users.of_node(at).map(|user| (user, self.use_in(user, &is_it)));
            let Some((user, Some(what))) = used.find(|(_, what)| what.is_some()) else {
                return false;
            };
            match what {
                Use::Tested => return true,
                Use::Passed => at = user,
                Use::Named(slot) => return self.tests_slot(users, user, slot),
                Use::Other => return false,
            }
        }
        false
    }

    /// Returns whether the value that a slot gets at a node is tested before it is replaced, or not used.
    fn tests_slot(&self, users: &Users, bound: u32, slot: u32) -> bool {
        let is_it = |part: Operand| part.slot() == Some(slot);
        let mut used = false;
        for at in users.of_slot(bound, slot).iter().copied() {
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
                    let mut users = users.of_node(at);
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
