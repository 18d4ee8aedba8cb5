//! Lowers the nodes without control flow.

use crate::ops::{Local, Op, Outside};
use ptc_facts::registry::Registered;
use ptc_values::ir::{Args, Node, Op as Operation, Operand, OperandKind};
use ptc_values::{BuiltinId, FLAT_MAX, Value, is_long};

use super::{Lower, MOST_OPERANDS};

/// Builtins that make functions, with the most arguments from which they make one for free. Of constants they make the same
/// one each time.
const MAKERS: &[(&str, u32)] = &[
    ("comp", 2),
    ("complement", 1),
    ("constantly", 1),
    ("every-pred", 2),
    ("fnil", 4),
    ("juxt", 3),
    ("partial", u32::MAX),
    ("some-fn", 2),
];

impl Lower<'_> {
    fn near(&self, operand: Operand) -> Option<u16> {
        match operand.kind() {
            OperandKind::Const(index) => u16::try_from(index).ok(),
            _ => None,
        }
    }

    fn operation(&mut self, op: Operation, a: Operand, b: Operand, to: u8) {
        if let Some(constant) = self.near(a) {
            let (b, _) = self.first_source(b, None, to);
            self.emit(Op::ConstTwo { op, to, b, constant });
            return;
        }
        let (left, takes_left) = self.first_source(a, Some(b), to);
        if let Some(int) = self.small(b) {
            let plus = match op {
                Operation::Add | Operation::Inc => Some(int),
                Operation::Sub | Operation::Dec => int.checked_neg(),
                _ => None,
            };
            self.emit(match plus {
                Some(int) => Op::AddInt { to, a: left, int },
                None if op == Operation::Mul => Op::MulInt { to, a: left, int },
                None => Op::TwoInt { op, to, a: left, int },
            });
        } else if let Some(constant) = self.near(b) {
            self.emit(Op::TwoConst { op, to, a: left, constant });
        } else {
            let (right, takes_right) = self.source(b, None);
            let (a, b) = (left, right);
            self.emit(match op {
                Operation::Add => Op::Add { to, a, b },
                Operation::Sub => Op::Sub { to, a, b },
                Operation::Mul => Op::Mul { to, a, b },
                _ => Op::Two { op, to, a, b },
            });
            if takes_right {
                self.drop_compared(op, right, to);
            }
        }
        if takes_left {
            self.drop_compared(op, left, to);
        }
    }

    /// Drops a local that is compared and not read again. Numbers can stay.
    fn drop_compared(&mut self, op: Operation, slot: u8, to: u8) {
        if matches!(op, Operation::Equal | Operation::NotEqual) && slot != to && self.is_local(slot)
        {
            self.emit(Op::Drop { slot });
        }
    }

    fn builtin(&mut self, id: BuiltinId, args: Args, to: u8) {
        let operands = self.program.args(args);
        match (id.name(), operands) {
            ("ptc/pay", [fuel])
                if let Some(fuel) = self.small(*fuel)
                    && let Ok(fuel) = u32::try_from(fuel) =>
            {
                self.emit(Op::Pay { to, fuel });
                return;
            }
            ("ptc/as-map", [from]) => {
                let (from, taken) = self.first_source(*from, None, to);
                self.emit(Op::AsMap { to, from, taken });
                return;
            }
            ("get", [map, key])
                if let Some(name @ Value::Keyword(_)) = self.constant(*key)
                    && !is_long(name)
                    && let Some(key) = self.near(*key) =>
            {
                let (map, taken) = self.first_source(*map, None, to);
                self.emit(Op::GetField { to, map, taken, key });
                return;
            }
            _ => {}
        }
        if operands.len() <= MOST_OPERANDS && self.pull(id, operands, to) {
            return;
        }
        if self.walk(id, operands, to) {
            return;
        }
        self.plain_builtin(id, operands, to);
    }

    /// Lowers a call of a builtin that has no operations of its own.
    pub(super) fn plain_builtin(&mut self, id: BuiltinId, operands: &[Operand], to: u8) {
        match (id.builtin().facts.borrowing.map(|it| it.count), operands) {
            (Some(1), [a]) => {
                let (a, taken) = self.first_source(*a, None, to);
                self.emit(Op::Borrow { to, a, taken, id });
                return;
            }
            (Some(2), [a, b]) => {
                let (a, first) = self.first_source(*a, Some(*b), to);
                let (b, second) = self.source(*b, None);
                let taken = u8::from(first) | u8::from(second) << 1;
                self.emit(Op::Borrow2 { to, a, b, taken, id });
                return;
            }
            _ => {}
        }
        let first = self.temp();
        if operands.len() > MOST_OPERANDS {
            let from = self.gathered(operands);
            self.emit(Op::Spread { to, first, from });
            return;
        }
        let count = operands.len() as u8;
        if id.builtin().is_pure {
            self.row(operands);
            self.emit(match (id.name(), count) {
                ("str", 2..) => Op::Text { to, first, count, id },
                _ => Op::Pure { to, first, count, id },
            });
            return;
        }
        for at in 0..operands.len() {
            let slot = self.temp();
            self.argument(id, operands, at, slot);
        }
        self.emit(Op::Calling { to, first, count, id });
    }

    /// Evaluates an argument of a builtin that calls.
    pub(super) fn argument(&mut self, id: BuiltinId, operands: &[Operand], at: usize, to: u8) {
        let mut calls = id.builtin().facts.calls.iter();
        let Some(operand) = operands.get(at) else { return };
        if calls.any(|it| it.function == at && it.least <= operands.len()) {
            self.function_or(*operand, to);
        } else {
            self.to(*operand, to);
        }
    }

    /// Evaluates an argument of a builtin that calls. A function that a builtin makes of constants is made once: the
    /// builtin that gets it only calls it.
    fn function_or(&mut self, operand: Operand, to: u8) {
        if let Some((id, args)) = self.made_of_constants(operand)
            && let Ok(cache) = u16::try_from(self.caches)
        {
            self.caches += 1;
            let outer = self.at;
            self.at = operand.node().unwrap_or(outer);
            let over = self.emit(Op::Known { to, cache, over: 0 });
            let top = self.top;
            let first = self.temp();
            self.row(self.program.args(args));
            self.emit(Op::Calling { to, first, count: args.count as u8, id });
            self.emit(Op::Remember { from: to, cache });
            self.patch(&[over]);
            self.top = top;
            self.at = outer;
            return;
        }
        self.to(operand, to);
    }

    /// Returns the call that makes a function of constants.
    fn made_of_constants(&self, operand: Operand) -> Option<(BuiltinId, Args)> {
        let Some(Node::Builtin { id, args }) = self.core(operand) else { return None };
        let is_maker = |(name, most): &(&str, u32)| *name == id.name() && args.count <= *most;
        let is_made_once = !self.is_far
            && !self.is_watched
            && args.count as usize <= MOST_OPERANDS
            && MAKERS.iter().any(is_maker)
            && self.program.args(args).iter().all(|it| self.constant(*it).is_some());
        is_made_once.then_some((id, args))
    }

    fn call(&mut self, args: Args, to: u8) {
        let operands = self.program.args(args);
        let Some((callee, rest)) = operands.split_first() else {
            self.emit(Op::Broken);
            return;
        };
        if operands.len() > MOST_OPERANDS {
            let first = self.temp();
            let from = self.gathered(operands);
            self.emit(Op::Spread { to, first, from });
            return;
        }
        let count = rest.len() as u8;
        if let Some(Node::Sibling(lambda)) = self.core(*callee)
            && !self.is_watched
            && if lambda == self.lambda {
                self.takes(u32::from(count))
            } else {
                self.captures_nothing()
            }
        {
            let first = self.temp();
            self.row(rest);
            self.emit(if lambda == self.lambda {
                Op::CallSelf { to, first, count }
            } else {
                Op::CallKnown { to, first, count, lambda }
            });
            return;
        }
        let slot = callee.slot().and_then(|slot| match self.local(slot) {
            Local::Slot(at) if rest.iter().all(|it| !self.reads.takes(*it, slot)) => Some(at),
            _ => None,
        });
        if let (Some(data), [key]) = (slot, rest)
            && !self.is_far
            && !self.is_watched
        {
            let (key, taken) = self.source(*key, None);
            let over = self.emit(Op::Lookup { to, data, key, taken, over: 0 });
            let first = self.temp();
            let place = self.temp();
            self.emit(if taken {
                Op::Move { to: place, from: key }
            } else {
                Op::Copy { to: place, from: key }
            });
            self.emit(Op::CallSlot { to, first, count, callee: data });
            self.patch(&[over]);
            return;
        }
        if let Some(callee) = slot
            && !self.is_watched
        {
            let first = self.temp();
            self.row(rest);
            self.emit(Op::CallSlot { to, first, count, callee });
            return;
        }
        let first = if self.made_of_constants(*callee).is_some() {
            let first = self.temp();
            self.function_or(*callee, first);
            self.row(rest);
            first
        } else {
            self.row(operands)
        };
        self.emit(Op::Call { to, first, count });
    }

    fn call_global(&mut self, global: u32, args: Args, to: u8) {
        let operands = self.program.args(args);
        let first = self.temp();
        // A function that an argument calls may define the global anew. Its value before that is called.
        let is_early =
            operands.len() >= MOST_OPERANDS || operands.iter().any(|it| self.may_define(*it));
        if !is_early {
            self.row(operands);
            self.emit(Op::CallGlobal { to, first, count: args.count as u8, global });
            return;
        }
        self.emit(Op::Global { to: first, global });
        if operands.len() >= MOST_OPERANDS {
            let from = self.gathered(operands);
            self.emit(Op::Spread { to, first, from });
            return;
        }
        self.row(operands);
        self.emit(Op::Call { to, first, count: args.count as u8 });
    }

    fn call_itself(&mut self, args: Args, to: u8) {
        let operands = self.program.args(args);
        let first = self.temp();
        if operands.len() > MOST_OPERANDS {
            self.needs_itself = true;
            self.emit(Op::Myself { to: first });
            let from = self.gathered(operands);
            self.emit(Op::Spread { to, first, from });
            return;
        }
        let count = args.count as u8;
        if self.is_watched || !self.takes(args.count) {
            self.needs_itself = true;
            self.emit(Op::Myself { to: first });
            self.row(operands);
            self.emit(Op::Call { to, first, count });
            return;
        }
        self.row(operands);
        self.emit(Op::CallSelf { to, first, count });
    }

    /// Evaluates operands into slots, or gathers them; returns the first slot if they are in slots.
    fn row_or_gathered(&mut self, args: Args, to: u8) -> Option<u8> {
        let operands = self.program.args(args);
        if operands.len() <= MOST_OPERANDS {
            return Some(self.row(operands));
        }
        let first = self.temp();
        let from = self.gathered(operands);
        self.emit(Op::Spread { to, first, from });
        None
    }

    /// Emits the step of a node without control flow.
    pub(super) fn step(&mut self, core: Node, to: u8) {
        match core {
            Node::Op { op, a, b } => self.operation(op, a, b, to),
            Node::Builtin { id, args } => self.builtin(id, args, to),
            Node::Call(args) => self.call(args, to),
            Node::CallGlobal { global, args } => self.call_global(global, args, to),
            Node::CallSelf(args) => self.call_itself(args, to),
            Node::Get { key, map } => {
                if let Ok(key) = u16::try_from(key) {
                    let (map, taken) = self.first_source(map, None, to);
                    self.emit(Op::Field { to, map, taken, key });
                } else {
                    let first = self.temp();
                    self.emit(Op::Const { to: first, constant: key });
                    self.row(&[map]);
                    self.emit(Op::Call { to, first, count: 1 });
                }
            }
            Node::Vector(args) => {
                if let Some(first) = self.row_or_gathered(args, to) {
                    self.emit(Op::Vector { to, first, count: args.count as u16 });
                }
            }
            Node::Set(args) => {
                if let Some(first) = self.row_or_gathered(args, to) {
                    self.emit(Op::Set { to, first, count: args.count as u16 });
                }
            }
            Node::Map(args) => self.map(args, to),
            Node::Function { lambda, captures } => {
                if let Some(first) = self.row_or_gathered(captures, to) {
                    self.emit(Op::Function { to, first, lambda });
                }
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
                let from = self.temp();
                self.to(value, from);
                self.emit(Op::Def { to, from, global });
            }
            Node::Ctx(key) => {
                self.emit(Op::Ctx { to, key });
            }
            Node::CtxAll => self.read(to, Outside::Data, 0),
            Node::Memory(key) => self.read(to, Outside::Memory, key),
            Node::MemoryAll => self.read(to, Outside::AllMemory, 0),
            Node::History(back) => self.read(to, Outside::History, u32::from(back)),
            Node::Tool { tool, args } => {
                let slot = self.temp();
                self.to(args, slot);
                let is_record = match self.core(args) {
                    Some(Node::Map(args)) => self.record_keys(args).is_some(),
                    _ => false,
                };
                if let Some(op) = self.ops.last_mut().filter(|_| is_record)
                    && let Op::Record { to, first, count, shape } = *op
                {
                    *op = Op::Arguments { to, first, count, shape };
                }
                self.emit(Op::Tool { to, args: slot, is_record, tool });
            }
            Node::Named(args) => {
                let first = self.row(self.program.args(args));
                self.emit(Op::Named { to, first });
            }
            Node::Return(value) => self.leave(value, false),
            Node::Fail(value) => self.leave(value, true),
            Node::Bind { slot, value } => {
                self.bind(slot, value);
                if self.local(slot) != Local::Slot(to) {
                    self.emit(Op::Drop { slot: to });
                }
            }
            _ => {
                self.emit(Op::Broken);
            }
        }
    }

    fn read(&mut self, to: u8, what: Outside, index: u32) {
        self.emit(Op::Read { to, what, index });
    }

    fn leave(&mut self, value: Operand, fails: bool) {
        let from = self.temp();
        self.to(value, from);
        self.emit(Op::Leave { from, fails });
    }

    fn map(&mut self, args: Args, to: u8) {
        if let Some(keys) = self.record_keys(args)
            && self.shapes.len() < usize::from(u16::MAX)
        {
            let operands = self.program.args(args);
            let values: Vec<Operand> = operands.iter().skip(1).step_by(2).copied().collect();
            let first = self.row(&values);
            let shape = self.shapes.len() as u16;
            self.shapes.push(keys);
            self.emit(Op::Record { to, first, count: values.len() as u8, shape });
        } else if let Some(first) = self.row_or_gathered(args, to) {
            self.emit(Op::Map { to, first, count: args.count as u16 });
        }
    }

    /// Returns the keys of a map if they are few distinct short names, which need no comparison.
    fn record_keys(&self, args: Args) -> Option<Box<[u32]>> {
        let mut names = [""; FLAT_MAX];
        let operands = self.program.args(args);
        let mut keys = Vec::with_capacity(operands.len() / 2);
        for (at, key) in operands.iter().step_by(2).enumerate() {
            let name = match self.constant(*key)? {
                key @ (Value::Str(name) | Value::Keyword(name)) if !is_long(key) => name,
                _ => return None,
            };
            let (before, [place, ..]) = names.split_at_mut_checked(at)? else { return None };
            if before.contains(&name.as_str()) {
                return None;
            }
            *place = name;
            keys.push(key.index());
        }
        Some(keys.into())
    }

    /// Returns whether the evaluation of an operand may define a global.
    fn may_define(&self, operand: Operand) -> bool {
        let mut work = vec![operand];
        while let Some(operand) = work.pop() {
            let Some(core) = self.core(operand) else { continue };
            let may = match core {
                Node::Def { .. } => true,
                Node::Call(_) | Node::CallGlobal { .. } | Node::CallSelf(_) => {
                    self.program.defines_late()
                }
                Node::Builtin { id, .. } => !id.builtin().is_pure && self.program.defines_late(),
                _ => false,
            };
            if may {
                return true;
            }
            self.program.each_operand(core, &mut |part| work.push(part));
        }
        false
    }

    /// Returns whether the arity being lowered takes a number of arguments.
    fn takes(&self, count: u32) -> bool {
        !self.arity.variadic && self.arity.params == count
    }

    /// Returns whether the function being lowered captures nothing, so that others of its `letfn` capture nothing.
    fn captures_nothing(&mut self) -> bool {
        let (program, lambda) = (self.program, self.lambda);
        *self.captures_nothing.get_or_insert_with(|| {
            program.nodes.iter().any(|node| match node {
                Node::Function { lambda: it, captures } => *it == lambda && captures.count == 0,
                _ => false,
            })
        })
    }
}
