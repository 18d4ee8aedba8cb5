//! Lowers the nodes without control flow.

use ptc_facts::registry::Registered;
use ptc_values::ir::{Args, Node, Op as Operation, Operand, OperandKind};
use ptc_values::{BuiltinId, Value};

use super::{Lower, Res, no};
use crate::code::Op;

/// Builtins that make functions. Of constants they make the same one each time, so it is made once.
const MAKERS: &[&str] = &["complement", "constantly", "fnil", "partial"];

impl Lower<'_> {
    fn operation(&mut self, op: Operation, a: Operand, b: Operand, to: u8) -> Res {
        let index = |operand: Operand| match operand.kind() {
            OperandKind::Const(index) => u16::try_from(index).ok(),
            _ => None,
        };
        if let Some(constant) = index(a) {
            let (b, _) = self.source(b, None)?;
            self.emit(Op::ConstTwo { op, to, b, constant });
            return Ok(());
        }
        let (a, _) = self.source(a, Some(b))?;
        if let Some(int) = self.small(b) {
            let plus = match op {
                Operation::Add | Operation::Inc => Some(int),
                Operation::Sub | Operation::Dec => int.checked_neg(),
                _ => None,
            };
            self.emit(match plus {
                Some(int) => Op::AddInt { to, a, int },
                None if op == Operation::Mul => Op::MulInt { to, a, int },
                None => Op::TwoInt { op, to, a, int },
            });
            return Ok(());
        }
        if let Some(constant) = index(b) {
            self.emit(Op::TwoConst { op, to, a, constant });
            return Ok(());
        }
        let (b, _) = self.source(b, None)?;
        self.emit(match op {
            Operation::Add => Op::Add { to, a, b },
            Operation::Sub => Op::Sub { to, a, b },
            Operation::Mul => Op::Mul { to, a, b },
            _ => Op::Two { op, to, a, b },
        });
        Ok(())
    }

    fn builtin(&mut self, id: BuiltinId, args: Args, to: u8) -> Res {
        let operands = self.program.args(args);
        match (id.name(), operands) {
            ("ptc/pay", [fuel]) if let Some(fuel) = self.small(*fuel) => {
                self.emit(Op::Pay { to, fuel: fuel as u32 });
                return Ok(());
            }
            ("ptc/as-map", [from]) => {
                let (from, taken) = self.source(*from, None)?;
                self.emit(Op::AsMap { to, from, taken });
                return Ok(());
            }
            ("get", [map, key]) if let Some(Value::Keyword(_)) = self.constant(*key) => {
                let (map, taken) = self.source(*map, None)?;
                let key = key.index() as u16;
                self.emit(Op::GetField { to, map, taken, key });
                return Ok(());
            }
            _ => {}
        }
        match (id.builtin().facts.borrowing.map(|it| it.count), operands) {
            (Some(1), [a]) => {
                let (a, taken) = self.source(*a, None)?;
                self.emit(Op::Borrow { to, a, taken, id });
                return Ok(());
            }
            (Some(2), [a, b]) => {
                let (a, first) = self.source(*a, Some(*b))?;
                let (b, second) = self.source(*b, None)?;
                let taken = u8::from(first) | u8::from(second) << 1;
                self.emit(Op::Borrow2 { to, a, b, taken, id });
                return Ok(());
            }
            _ => {}
        }
        if id.builtin().is_pure {
            let first = self.row(operands)?;
            self.emit(Op::Pure { to, first, count: args.count as u8, id });
        } else if MAKERS.contains(&id.name())
            && operands.iter().all(|it| self.constant(*it).is_some())
        {
            let cache = self.caches;
            self.caches += 1;
            let over = self.emit(Op::Known { to, cache, over: 0 });
            let first = self.temp()?;
            self.row(operands)?;
            self.emit(Op::Calling { to, first, count: args.count as u8, id });
            self.emit(Op::Remember { from: to, cache });
            self.patch(&[over]);
        } else {
            let first = self.temp()?;
            self.row(operands)?;
            self.emit(Op::Calling { to, first, count: args.count as u8, id });
        }
        Ok(())
    }

    fn call(&mut self, args: Args, to: u8) -> Res {
        let operands = self.program.args(args);
        let Some((callee, rest)) = operands.split_first() else { return no("an empty call") };
        let count = rest.len() as u8;
        if let Some(Node::Sibling(lambda)) = self.core(*callee)
            && (lambda == self.lambda || self.captures_of(lambda) == Some(0))
        {
            let first = self.temp()?;
            self.row(rest)?;
            self.emit(if lambda == self.lambda {
                Op::CallSelf { to, first, count }
            } else {
                Op::CallKnown { to, first, count, lambda }
            });
            return Ok(());
        }
        if let (Some(slot), [key]) = (callee.slot(), rest)
            && !self.touches(*key, slot, true)
        {
            let data = self.local(slot);
            let (key, taken) = self.source(*key, None)?;
            let over = self.emit(Op::Lookup { to, data, key, taken, over: 0 });
            let first = self.temp()?;
            let place = self.temp()?;
            self.emit(if taken {
                Op::Move { to: place, from: key }
            } else {
                Op::Copy { to: place, from: key }
            });
            self.emit(Op::CallSlot { to, first, count, callee: data });
            self.patch(&[over]);
            return Ok(());
        }
        if let Some(slot) = callee.slot()
            && !rest.iter().any(|it| self.touches(*it, slot, true))
        {
            let callee = self.local(slot);
            let first = self.temp()?;
            self.row(rest)?;
            self.emit(Op::CallSlot { to, first, count, callee });
            return Ok(());
        }
        let first = self.row(operands)?;
        self.emit(Op::Call { to, first, count });
        Ok(())
    }

    /// Emits the step of a node without control flow.
    pub(super) fn step(&mut self, node: u32, core: Node, to: u8) -> Res {
        match core {
            Node::Op { op, a, b } => return self.operation(op, a, b, to),
            Node::Builtin { id, args } => return self.builtin(id, args, to),
            Node::Call(args) => return self.call(args, to),
            Node::CallGlobal { global, args } => {
                let first = self.temp()?;
                self.row(self.program.args(args))?;
                self.emit(Op::CallGlobal { to, first, count: args.count as u8, global });
            }
            Node::CallSelf(args) => {
                let first = self.temp()?;
                self.row(self.program.args(args))?;
                self.emit(Op::CallSelf { to, first, count: args.count as u8 });
            }
            Node::Get { key, map } => {
                let (map, taken) = self.source(map, None)?;
                self.emit(Op::Field { to, map, taken, key: key as u16 });
            }
            Node::Vector(args) => {
                let first = self.row(self.program.args(args))?;
                self.emit(Op::Vector { to, first, count: args.count as u16 });
            }
            Node::Set(args) => {
                let first = self.row(self.program.args(args))?;
                self.emit(Op::Set { to, first, count: args.count as u16 });
            }
            Node::Map(args) => {
                let operands = self.program.args(args);
                if let Node::Record(_) = self.program.node(node) {
                    let keys = operands.iter().step_by(2).map(|key| key.index()).collect();
                    let values: Vec<Operand> =
                        operands.iter().skip(1).step_by(2).copied().collect();
                    let first = self.row(&values)?;
                    let shape = self.shapes.len() as u16;
                    self.shapes.push(keys);
                    self.emit(Op::Record { to, first, count: values.len() as u8, shape });
                } else {
                    let first = self.row(operands)?;
                    self.emit(Op::Map { to, first, count: args.count as u16 });
                }
            }
            Node::Function { lambda, captures } => {
                let first = self.row(self.program.args(captures))?;
                self.emit(Op::Function { to, first, lambda });
            }
            Node::Myself => {
                self.needs_itself = true;
                self.emit(Op::Myself { to });
            }
            Node::Sibling(lambda) => {
                self.needs_itself = true;
                self.emit(Op::Sibling { to, lambda });
            }
            Node::Global(global) => {
                self.emit(Op::Global { to, global });
            }
            Node::Def { global, value } => {
                let from = self.temp()?;
                self.to(value, from)?;
                self.emit(Op::Def { to, from, global });
            }
            Node::Ctx(key) => {
                self.emit(Op::Ctx { to, key });
            }
            Node::Tool { tool, args } => {
                let slot = self.temp()?;
                self.to(args, slot)?;
                let is_record =
                    matches!(args.node().map(|it| self.program.node(it)), Some(Node::Record(_)));
                self.emit(Op::Tool { to, args: slot, is_record, tool });
            }
            Node::Bind { slot, value } => {
                let to = self.local(slot);
                self.to(value, to)?;
            }
            other => return no(format!("{other:?} (of {} parameters)", self.arity.params)),
        }
        Ok(())
    }
}
