//! Lowers tests into jumps.

use crate::ops::Op;
use ptc_values::Value;
use ptc_values::ir::{Node, Op as Operation, Operand, OperandKind};

use super::Lower;

impl Lower<'_> {
    /// Emits a test; returns the jumps for values that fail it.
    pub(super) fn unless(&mut self, test: Operand) -> Vec<usize> {
        let top = self.top;
        let outer = self.at;
        let jumps = if self.constant(test).is_some_and(Value::truthy) {
            Vec::new()
        } else if self.is_watched || self.is_far || self.level >= super::MOST_LEVELS {
            self.unless_value(test)
        } else {
            self.level += 1;
            self.at = test.node().unwrap_or(self.at);
            let jumps = self.unless_any(test);
            self.level -= 1;
            jumps
        };
        self.top = top;
        self.at = outer;
        jumps
    }

    fn unless_any(&mut self, test: Operand) -> Vec<usize> {
        match self.core(test) {
            Some(Node::Op { op, a, b }) if op.order().is_some() && self.constant(a).is_none() => {
                let (a, _) = self.source(a, Some(b));
                if let Some(int) = self.small(b) {
                    return vec![self.emit(unless_int(op, a, int))];
                }
                if let OperandKind::Const(constant) = b.kind()
                    && let Ok(constant) = u16::try_from(constant)
                {
                    return vec![self.emit(Op::UnlessConst { op, a, constant, to: 0 })];
                }
                let (b, _) = self.source(b, None);
                vec![self.emit(unless_slots(op, a, b))]
            }
            Some(Node::And(args)) => {
                let mut jumps = Vec::new();
                for part in self.program.args(args) {
                    jumps.extend(self.unless(*part));
                }
                jumps
            }
            Some(Node::Builtin { id, args }) if args.count == 1 => {
                let operand = self.program.args(args)[0];
                let op = match id.name() {
                    "pos?" => Operation::Greater,
                    "neg?" => Operation::Less,
                    "zero?" => Operation::Equal,
                    "even?" | "odd?" => {
                        let (a, _) = self.source(operand, None);
                        let rest = u8::from(id.name() == "odd?");
                        return vec![self.emit(Op::UnlessEven { a, rest, to: 0 })];
                    }
                    "seq" | "empty?" => {
                        return match self.unless_items(id, operand) {
                            Some(jump) => vec![jump],
                            None => self.unless_value(test),
                        };
                    }
                    "not" => {
                        let (test, taken) = self.source(operand, None);
                        return vec![self.emit(Op::If { test, taken, to: 0 })];
                    }
                    _ => return self.unless_value(test),
                };
                let (a, _) = self.source(operand, None);
                vec![self.emit(unless_int(op, a, 0))]
            }
            _ => self.unless_value(test),
        }
    }

    fn unless_value(&mut self, test: Operand) -> Vec<usize> {
        let (test, taken) = self.source(test, None);
        vec![self.emit(Op::Unless { test, taken, to: 0 })]
    }
}

fn unless_int(op: Operation, a: u8, int: i32) -> Op {
    let to = 0;
    match op {
        Operation::Less => Op::UnlessLessInt { a, to, int },
        Operation::LessEq => Op::UnlessLessEqInt { a, to, int },
        Operation::Greater => Op::UnlessGreaterInt { a, to, int },
        Operation::GreaterEq => Op::UnlessGreaterEqInt { a, to, int },
        Operation::Equal => Op::UnlessEqualInt { a, to, int },
        _ => Op::UnlessNotEqualInt { a, to, int },
    }
}

fn unless_slots(op: Operation, a: u8, b: u8) -> Op {
    let to = 0;
    match op {
        Operation::Less => Op::UnlessLess { a, b, to },
        Operation::LessEq => Op::UnlessLessEq { a, b, to },
        Operation::Greater => Op::UnlessGreater { a, b, to },
        Operation::GreaterEq => Op::UnlessGreaterEq { a, b, to },
        Operation::Equal => Op::UnlessEqual { a, b, to },
        _ => Op::UnlessNotEqual { a, b, to },
    }
}
