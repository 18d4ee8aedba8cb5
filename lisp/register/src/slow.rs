//! The cold halves of operations, and the values that they make.

use std::sync::Arc;

use ptc_values::code::Code as Problem;
use ptc_values::ir::{Node, Op as Operation};
use ptc_values::{Closure, Diagnostic, Map, Res, Set, Value, json, pairs};

use crate::Registers;
use crate::calls::{broken, no};
use crate::code::{Code, Codes, WINDOW};
use crate::run::put;

type Slots = [Value; WINDOW];

impl Registers {
    fn core_at(codes: &Codes, code: u32, pc: usize) -> Option<Node> {
        Registers::core_in(codes, codes.list.get(code as usize)?, pc)
    }

    fn core_in(codes: &Codes, code: &Code, pc: usize) -> Option<Node> {
        let node = code.nodes.get(pc.checked_sub(1)?)?;
        codes.programs.get(code.program as usize)?.program.core(*node)
    }

    #[cold]
    #[inline(never)]
    pub(crate) fn slow_test(
        &mut self,
        codes: &Codes,
        code: u32,
        pc: usize,
        slots: &mut Slots,
        a: u8,
        b: u8,
    ) -> Res<bool> {
        let locals = codes.list.get(code as usize).map_or(0, |code| code.locals);
        let Some(Node::Op { op, .. }) = Registers::core_at(codes, code, pc) else {
            return Err(broken());
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
    pub(crate) fn slow_test_int(
        &mut self,
        codes: &Codes,
        code: u32,
        pc: usize,
        slots: &mut Slots,
        a: u8,
        int: i32,
    ) -> Res<bool> {
        if let Value::Float(float) = &slots[usize::from(a)]
            && let Some(Node::Op { op, .. }) = Registers::core_at(codes, code, pc)
        {
            let value = self.cx.op(op, &Value::Float(*float), &Value::Int(i64::from(int)))?;
            return Ok(value.truthy());
        }
        let locals = codes.list.get(code as usize).map_or(0, |code| code.locals);
        let value = match Registers::core_at(codes, code, pc) {
            Some(Node::Op { op, .. }) => {
                self.cx.op(op, &slots[usize::from(a)], &Value::Int(i64::from(int)))?
            }
            Some(Node::Builtin { id, .. }) => self.borrow(slots, id, a, None)?,
            _ => return Err(broken()),
        };
        if a >= locals {
            put(&mut slots[usize::from(a)], Value::Nil);
        }
        Ok(value.truthy())
    }

    #[inline(never)]
    pub(crate) fn slow_add(
        &mut self,
        codes: &Codes,
        code: u32,
        pc: usize,
        slots: &mut Slots,
        to: u8,
        a: u8,
        int: i32,
    ) -> Res<()> {
        let Some(Node::Op { op, .. }) = Registers::core_at(codes, code, pc) else {
            return Err(broken());
        };
        let written = Value::Int(op.written(int));
        let value = self.cx.op(op, &slots[usize::from(a)], &written)?;
        put(&mut slots[usize::from(to)], value);
        Ok(())
    }

    #[inline(never)]
    pub(crate) fn slow_two(
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

    #[cold]
    pub(crate) fn slow_get(
        &mut self,
        codes: &Codes,
        code: &Code,
        pc: usize,
        map: Value,
        key: &Value,
    ) -> Res {
        match Registers::core_in(codes, code, pc) {
            Some(Node::Builtin { id, .. }) => self.cx.call(id, &mut [map, key.clone()]),
            _ => Err(broken()),
        }
    }

    #[cold]
    pub(crate) fn slow_as_map(
        &mut self,
        codes: &Codes,
        code: &Code,
        pc: usize,
        value: Value,
    ) -> Res {
        match Registers::core_in(codes, code, pc) {
            Some(Node::Builtin { id, .. }) => self.cx.call(id, &mut [value]),
            _ => Err(broken()),
        }
    }

    #[cold]
    pub(crate) fn undefined(&self, global: u32) -> Diagnostic {
        let name = self.global_names.get(global as usize).cloned().unwrap_or_default();
        Diagnostic::new(Problem::UnknownName, format!("`{name}` is used before it is defined"))
            .with_help(format!("move the definition of `{name}` up"))
    }

    #[inline(never)]
    pub(crate) fn make_function(
        &mut self,
        codes: &Codes,
        code: &Code,
        pc: usize,
        slots: &mut Slots,
        first: u8,
        lambda: u32,
    ) -> Res {
        let Some(Node::Function { captures, .. }) = Registers::core_in(codes, code, pc) else {
            return Err(broken());
        };
        let Some(linked) = codes.programs.get(code.program as usize) else { return Err(broken()) };
        let from = usize::from(first);
        let captures = slots.get_mut(from..from + captures.count as usize).unwrap_or_default();
        let captures: Box<[Value]> = captures.iter_mut().map(std::mem::take).collect();
        let closure = Closure::new(linked.program.clone(), lambda, captures);
        self.cx.alloc(closure.captures.len() as u64 * 16 + 64)?;
        Ok(Value::Function(Arc::new(closure)))
    }

    pub(crate) fn make_map(&mut self, items: Vec<Value>) -> Res {
        let mut map = Map::with_capacity(items.len() / 2);
        for (key, value) in pairs(items) {
            self.cx.key(&key)?;
            map.insert((key, value));
        }
        self.cx.map(map)
    }

    pub(crate) fn make_set(&mut self, items: Vec<Value>) -> Res {
        let mut set = Set::with_capacity(items.len());
        for member in items {
            self.cx.key(&member)?;
            set.insert(member);
        }
        self.cx.set(set)
    }

    /// Makes a map of keys that are known to be valid and distinct.
    #[inline(never)]
    pub(crate) fn make_record(
        &mut self,
        code: &Code,
        slots: &mut Slots,
        first: u8,
        count: u8,
        shape: u16,
    ) -> Res {
        let mut map = match std::mem::take(&mut self.args) {
            Value::Map(map) if Arc::strong_count(&map) == 1 => map,
            _ => Arc::default(),
        };
        let (Some(own), Some(keys)) = (Arc::get_mut(&mut map), code.shapes.get(usize::from(shape)))
        else {
            return Err(broken());
        };
        let first = usize::from(first);
        let values = slots.get_mut(first..first + usize::from(count)).unwrap_or_default();
        let rows = own.start_record(values.len()).unwrap_or_default();
        let mut depth = 0;
        let mut is_flat = true;
        for (((name, place), value), key) in rows.iter_mut().zip(values).zip(keys) {
            if !value.is_plain() {
                is_flat = false;
                depth = depth.max(value.depth());
            }
            is_flat &= !matches!(value, Value::Float(_));
            let key = code.constant(*key);
            if !name.is_the_name(key) {
                *name = key.clone();
            }
            put(place, std::mem::take(value));
        }
        own.set_depth(depth);
        // A pair of a short name and a number takes less than 256 bytes as JSON.
        self.fits = is_flat && u64::from(count) * 256 < u64::from(self.cx.limits.result_bytes);
        self.cx.changed_map(map, u64::from(count) * 40 + 64)
    }

    /// Pays for a tool call, after checks of its arguments.
    pub(crate) fn check_call(&mut self, args: &Value, is_record: bool) -> Res<()> {
        let max = self.cx.limits.result_bytes as usize;
        let fits = match args {
            Value::Map(_) if is_record && self.fits => true,
            Value::Map(_) => json::size(args, max).is_ok_and(|size| size <= max),
            _ => false,
        };
        if !fits || self.cx.calls_left == 0 {
            return no("a tool with these arguments");
        }
        self.cx.calls_left -= 1;
        self.calls_made += 1;
        Ok(())
    }
}
