//! The cold halves of operations on numbers: values of any other kind.

use super::codes::Entry;
use super::machine_core::Core;
use super::problems::invariant_violated;
use super::slots::put;
use super::tracer::Tracer;
use crate::ops::WINDOW;
use ptc_values::ir::{Node, Op as Operation};
use ptc_values::{Res, Value};

type Slots = [Value; WINDOW];

impl<W: Tracer> Core<W> {
    #[cold]
    #[inline(never)]
    pub(super) fn slow_test(
        &mut self,
        entry: &Entry,
        pc: usize,
        slots: &mut Slots,
        a: u8,
        b: u8,
    ) -> Res<bool> {
        let locals = entry.locals;
        let Some(Node::Op { op, .. }) = entry.core(pc) else {
            return Err(invariant_violated());
        };
        let holds = self.cx.op(op, &slots[usize::from(a)], &slots[usize::from(b)])?.truthy();
        for slot in [a, b] {
            if slot >= locals {
                put(&mut slots[usize::from(slot)], Value::Nil);
            }
        }
        Ok(holds)
    }

    /// Tests a slot and an integer: an operation, or a builtin of one argument.
    #[inline(never)]
    pub(super) fn slow_test_int(
        &mut self,
        entry: &Entry,
        pc: usize,
        slots: &mut Slots,
        a: u8,
        int: i32,
    ) -> Res<bool> {
        if let Value::Float(float) = &slots[usize::from(a)]
            && let Some(Node::Op { op, .. }) = entry.core(pc)
        {
            let value = self.cx.op(op, &Value::Float(*float), &Value::Int(i64::from(int)))?;
            return Ok(value.truthy());
        }
        let locals = entry.locals;
        let value = match entry.core(pc) {
            Some(Node::Op { op, .. }) => {
                self.cx.op(op, &slots[usize::from(a)], &Value::Int(i64::from(int)))?
            }
            Some(Node::Builtin { id, .. }) => {
                match self.cx.borrow(id, &slots[usize::from(a)], &Value::Nil) {
                    Some(value) => value,
                    None => self.cx.call(id, &mut [slots[usize::from(a)].clone()])?,
                }
            }
            _ => return Err(invariant_violated()),
        };
        if a >= locals {
            put(&mut slots[usize::from(a)], Value::Nil);
        }
        Ok(value.truthy())
    }

    #[inline(never)]
    pub(super) fn slow_add(
        &mut self,
        entry: &Entry,
        pc: usize,
        slots: &mut Slots,
        to: u8,
        a: u8,
        int: i32,
    ) -> Res<()> {
        let Some(Node::Op { op, .. }) = entry.core(pc) else {
            return Err(invariant_violated());
        };
        let written = Value::Int(op.written(int));
        let value = self.cx.op(op, &slots[usize::from(a)], &written)?;
        put(&mut slots[usize::from(to)], value);
        Ok(())
    }

    #[inline(never)]
    pub(super) fn slow_two(
        &mut self,
        op: Operation,
        slots: &mut Slots,
        locals: u8,
        to: u8,
        a: u8,
        b: u8,
    ) -> Res<()> {
        let value = self.cx.op(op, &slots[usize::from(a)], &slots[usize::from(b)])?;
        for slot in [a, b] {
            if slot >= locals {
                put(&mut slots[usize::from(slot)], Value::Nil);
            }
        }
        put(&mut slots[usize::from(to)], value);
        Ok(())
    }

    /// Adds an integer to the variable of a loop. A problem belongs to the operand of the `recur`.
    #[inline(never)]
    pub(super) fn slow_turn(
        &mut self,
        entry: &Entry,
        pc: usize,
        slots: &mut Slots,
        slot: u8,
        int: i32,
    ) -> Res<()> {
        let program = &entry.program;
        let args = match entry.core(pc) {
            Some(Node::Recur { args, .. } | Node::RecurFunction(args)) => program.args(args),
            _ => return Err(invariant_violated()),
        };
        let local = u32::from(slot).wrapping_sub(1);
        let found = args.iter().find_map(|part| match program.core(part.node()?) {
            Some(Node::Op { op, a, .. }) if a.slot() == Some(local) => Some((op, part.node()?)),
            _ => None,
        });
        let (op, node) = found.ok_or_else(invariant_violated)?;
        let written = Value::Int(op.written(int));
        match self.cx.op(op, &slots[usize::from(slot)], &written) {
            Ok(value) => {
                put(&mut slots[usize::from(slot)], value);
                Ok(())
            }
            Err(problem) => Err(self.locate_in(problem, program, node)),
        }
    }
}
