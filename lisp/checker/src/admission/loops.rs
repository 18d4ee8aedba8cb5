//! Infers the effects of a loop and the bound of its turns.

use super::scan::{Effect, Scan};
use ptc_facts::shape::Shape;
use ptc_values::Value;
use ptc_values::ir::{Node, Op, Operand};

/// The number of nodes before a loop searched for the start of its first variable.
const BEFORE: usize = 64;

impl Scan<'_> {
    /// Returns the value of a loop: the value of its body.
    #[inline(never)]
    pub(super) fn loop_shape(&self, node: u32) -> &Shape {
        match self.program.nodes.get(node as usize) {
            Some(Node::Loop { body, .. }) if !self.is_loop(*body) => self.shape(*body),
            _ => Shape::UNKNOWN,
        }
    }

    /// Returns whether an operand is a loop. A loop directly in a loop is too rare for an analysis.
    fn is_loop(&self, operand: Operand) -> bool {
        let node = operand.node().and_then(|node| self.program.nodes.get(node as usize));
        matches!(node, Some(Node::Loop { .. }))
    }

    /// Returns the effects of a loop: those of its body times its turns. The body's nodes follow
    /// the loop's.
    #[inline(never)]
    pub(super) fn loop_effect(&mut self, node: u32) -> Effect {
        let Some(Node::Loop { first, body }) = self.program.nodes.get(node as usize).copied()
        else {
            return Effect::default();
        };
        let effect = match body.node().filter(|_| self.is_loop(body)) {
            Some(inner) => Effect { calls: self.innermost(inner), ends: false },
            None => self.effect(body),
        };
        if effect.calls == 0 {
            return effect;
        }
        let calls = self.calls(effect.calls).clone();
        let calls = match self.turns(node, first, body) {
            Some(turns) => calls.times(turns),
            None => calls.unbounded(),
        };
        Effect { calls: self.store_calls(calls), ..effect }
    }

    /// Returns the calls of directly nested loops: those of the innermost body, unbounded.
    fn innermost(&mut self, mut node: u32) -> u32 {
        while let Some(Node::Loop { body, .. }) = self.program.nodes.get(node as usize) {
            let Some(inner) = body.node() else { return 0 };
            node = inner;
        }
        let place = self.facts.get(node as usize).map_or(0, |fact| fact.calls);
        let calls = self.calls(place).clone().unbounded();
        self.store_calls(calls)
    }

    /// Returns the maximum number of turns. A loop that never turns back takes one turn, and one
    /// that counts its first variable up to a number takes that many.
    fn turns(&self, node: u32, first: u32, body: Operand) -> Option<u64> {
        let Some(last) = body.node() else { return Some(1) };
        let inside = self.program.nodes.get(node as usize + 1..=last as usize)?;
        let mut goes_back = false;
        for inner in inside {
            let Node::Recur { target, args } = *inner else { continue };
            if target != node {
                continue;
            }
            goes_back = true;
            let next = self.program.args(args).first()?.node()?;
            if !self.counts_up(next, first) {
                return None;
            }
        }
        if !goes_back {
            return Some(1);
        }
        // The variable starts with a number in the last node before the loop that sets it.
        let before = self.program.nodes.get(..node as usize)?;
        let value = before.iter().rev().take(BEFORE).find_map(|node| match node {
            Node::Bind { slot, value } if *slot == first => Some(*value),
            _ => None,
        })?;
        let start = self.program.int(value)?;
        let Node::If { test, other, .. } = *self.program.nodes.get(last as usize)? else {
            return None;
        };
        let Node::Op { op: Op::Less, a, b } = *self.program.nodes.get(test.node()? as usize)?
        else {
            return None;
        };
        let (true, Shape::Known(Value::Int(end))) = (a.slot() == Some(first), self.shape(b)) else {
            return None;
        };
        // Every turn but the last passes the test.
        let passes = u64::try_from(end.saturating_sub(start).max(0)).ok()?;
        let calls = |node: u32| self.facts.get(node as usize).is_none_or(|fact| fact.calls != 0);
        let last_calls = other.node().is_some_and(calls);
        Some(passes.saturating_add(u64::from(last_calls)))
    }

    /// Returns whether a node adds a positive number to a slot.
    fn counts_up(&self, node: u32, slot: u32) -> bool {
        let Some(Node::Op { op, a, b }) = self.program.nodes.get(node as usize) else {
            return false;
        };
        let by = self.program.int(*b);
        a.slot() == Some(slot)
            && match op {
                Op::Add | Op::Inc => by.is_some_and(|by| by > 0),
                Op::Sub => by.is_some_and(|by| by < 0),
                _ => false,
            }
    }
}
