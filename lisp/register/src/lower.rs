//! Lowers a function of a checked program into register code.
//!
//! Only core nodes are read. The spike recurs on the native stack here; a machine in use would keep a list of tasks, as
//! the checker does.

mod names;
mod step;
mod test;

use std::fmt;
use std::sync::Arc;

use ptc_values::Value;
use ptc_values::ir::{Args, Arity, Node, Op as Operation, Operand, OperandKind, Program};

use crate::code::{Code, Op, WINDOW};

/// A part of the language that the spike does not lower.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unsupported(pub String);

impl fmt::Display for Unsupported {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the spike does not lower {}", self.0)
    }
}

type Res<T = ()> = Result<T, Unsupported>;

fn no<T>(what: impl Into<String>) -> Res<T> {
    Err(Unsupported(what.into()))
}

/// The place of a value.
#[derive(Clone, Copy)]
enum Dest {
    Slot(u8),
    /// The value of the function.
    Tail,
}

/// A loop whose body is being lowered.
struct Loop {
    node: u32,
    first: u32,
    start: usize,
}

struct Lower<'p> {
    program: &'p Program,
    arity: &'p Arity,
    ops: Vec<Op>,
    nodes: Vec<u32>,
    shapes: Vec<Box<[u32]>>,
    /// The first free temporary.
    top: usize,
    loops: Vec<Loop>,
    at: u32,
    lambda: u32,
    /// Whether the frame needs the function itself.
    needs_itself: bool,
    /// Slots whose value is moved later than the checker says, because an earlier operand is read last.
    held: Vec<u32>,
    caches: u16,
    /// Locals that are other names of a local, and whether they own its value.
    names: Vec<(u32, (u32, bool))>,
}

/// Lowers one arity of a function.
///
/// `caches` is the number of functions that are made once, in all code so far.
pub(crate) fn lower(
    program: &Program,
    (number, lambda, consts): (u32, u32, Arc<[Value]>),
    arity: &Arity,
    caches: &mut u32,
) -> Res<Code> {
    let locals = arity.frame as usize + 1;
    if locals + 8 > WINDOW {
        return no("a frame of so many slots");
    }
    let mut lower = Lower {
        program,
        arity,
        ops: Vec::new(),
        nodes: Vec::new(),
        shapes: Vec::new(),
        top: locals,
        loops: Vec::new(),
        at: 0,
        lambda,
        needs_itself: false,
        held: Vec::new(),
        caches: 0,
        names: Vec::new(),
    };
    lower.value(arity.body, Dest::Tail)?;
    if lower.ops.len() > usize::from(u16::MAX) {
        return no("a function of so many steps");
    }
    let needs_itself = lower.needs_itself;
    let first_cache = *caches;
    *caches += u32::from(lower.caches);
    let params = if arity.variadic { 0 } else { arity.params };
    let one = match (params, lower.ops.as_slice()) {
        (2, [Op::Add { to, a: 1, b: 2 }, Op::Return { from }]) if to == from => {
            Some(Operation::Add)
        }
        (2, [Op::Sub { to, a: 1, b: 2 }, Op::Return { from }]) if to == from => {
            Some(Operation::Sub)
        }
        (2, [Op::Mul { to, a: 1, b: 2 }, Op::Return { from }]) if to == from => {
            Some(Operation::Mul)
        }
        _ => None,
    };
    Ok(Code {
        consts,
        one,
        ops: lower.ops.into(),
        nodes: lower.nodes.into(),
        shapes: lower.shapes.into(),
        caches: first_cache,
        program: number,
        params: arity.params as u8,
        variadic: arity.variadic,
        locals: locals as u8,
        needs_itself,
        is_free: program.builtin,
    })
}

impl Lower<'_> {
    fn emit(&mut self, op: Op) -> usize {
        self.ops.push(op);
        self.nodes.push(self.at);
        self.ops.len() - 1
    }

    fn temp(&mut self) -> Res<u8> {
        let slot = self.top;
        self.top += 1;
        if slot >= WINDOW { no("a frame of so many slots") } else { Ok(slot as u8) }
    }

    /// Returns the slot of a local in the frame.
    fn local(&self, slot: u32) -> u8 {
        self.same(slot).0 as u8 + 1
    }

    fn patch(&mut self, jumps: &[usize]) {
        let here = self.ops.len() as u32;
        for at in jumps {
            match &mut self.ops[*at] {
                Op::Jump { to } | Op::Unless { to, .. } | Op::If { to, .. } => *to = here,
                Op::UnlessLess { to, .. }
                | Op::UnlessLessEq { to, .. }
                | Op::UnlessGreater { to, .. }
                | Op::UnlessGreaterEq { to, .. }
                | Op::UnlessEqual { to, .. }
                | Op::UnlessNotEqual { to, .. }
                | Op::UnlessLessInt { to, .. }
                | Op::UnlessLessEqInt { to, .. }
                | Op::UnlessGreaterInt { to, .. }
                | Op::UnlessGreaterEqInt { to, .. }
                | Op::UnlessEqualInt { to, .. }
                | Op::UnlessNotEqualInt { to, .. }
                | Op::UnlessConst { to, .. }
                | Op::UnlessEven { to, .. }
                | Op::Known { over: to, .. }
                | Op::Lookup { over: to, .. } => *to = here as u16,
                _ => {}
            }
        }
    }

    fn constant(&self, operand: Operand) -> Option<&Value> {
        let OperandKind::Const(index) = operand.kind() else { return None };
        self.program.consts.get(index as usize)
    }

    fn small(&self, operand: Operand) -> Option<i32> {
        self.program.int(operand).and_then(|int| i32::try_from(int).ok())
    }

    fn core(&self, operand: Operand) -> Option<Node> {
        self.program.core(operand.node()?)
    }

    /// Returns the number of values that a function captures.
    fn captures_of(&self, lambda: u32) -> Option<u32> {
        self.program.nodes.iter().find_map(|node| match node {
            Node::Function { lambda: it, captures } if *it == lambda => Some(captures.count),
            _ => None,
        })
    }

    /// Evaluates an operand. Returns whether the code goes on behind it.
    fn value(&mut self, operand: Operand, dest: Dest) -> Res<bool> {
        let node = match (operand.kind(), dest) {
            (OperandKind::Local(slot) | OperandKind::Take(slot), Dest::Tail) => {
                self.emit(Op::Return { from: self.local(slot) });
                return Ok(false);
            }
            (OperandKind::Direct(node) | OperandKind::Deep(node), _) => node,
            (_, Dest::Tail) => {
                let to = self.temp()?;
                self.at_hand(operand, to);
                self.emit(Op::Return { from: to });
                self.top -= 1;
                return Ok(false);
            }
            (_, Dest::Slot(to)) => {
                self.at_hand(operand, to);
                return Ok(true);
            }
        };
        let outer = std::mem::replace(&mut self.at, node);
        let top = self.top;
        let goes_on = self.node(node, dest)?;
        self.top = top;
        self.at = outer;
        Ok(goes_on)
    }

    fn to(&mut self, operand: Operand, slot: u8) -> Res {
        self.value(operand, Dest::Slot(slot)).map(|_| ())
    }

    /// Puts a slot, a constant or a captured value into a slot.
    fn at_hand(&mut self, operand: Operand, to: u8) {
        match operand.kind() {
            OperandKind::Take(slot) if self.moves(slot) => {
                let from = self.local(slot);
                if from != to {
                    self.emit(Op::Move { to, from });
                }
            }
            OperandKind::Local(slot) | OperandKind::Take(slot) => {
                let from = self.local(slot);
                if from != to {
                    self.emit(Op::Copy { to, from });
                }
            }
            OperandKind::Const(constant) => {
                match self.small(operand) {
                    Some(int) => self.emit(Op::Int { to, int }),
                    None => self.emit(Op::Const { to, constant }),
                };
            }
            OperandKind::Capture(index) => {
                self.needs_itself = true;
                self.emit(Op::Capture { to, index: index as u16 });
            }
            OperandKind::Direct(_) | OperandKind::Deep(_) => {}
        }
    }

    /// Returns the slot of an operand, and whether its value is read for the last time. `later` is evaluated before it is
    /// read.
    fn source(&mut self, operand: Operand, later: Option<Operand>) -> Res<(u8, bool)> {
        match operand.kind() {
            OperandKind::Local(slot)
                if later.is_none_or(|it| it.node().is_none() || !self.touches(it, slot, true)) =>
            {
                Ok((self.local(slot), false))
            }
            OperandKind::Take(slot) => Ok((self.local(slot), self.moves(slot))),
            _ => {
                let to = self.temp()?;
                self.to(operand, to)?;
                Ok((to, true))
            }
        }
    }

    /// Evaluates operands into slots one after the other; returns the first. A local that a later operand reads for the
    /// last time is moved at the end instead, so its value has one owner.
    fn row(&mut self, operands: &[Operand]) -> Res<u8> {
        let first = self.top as u8;
        let mut late = Vec::new();
        let held = self.held.len();
        for (at, operand) in operands.iter().enumerate() {
            let to = self.temp()?;
            if let OperandKind::Local(slot) = operand.kind()
                && !self.held.contains(&self.same(slot).0)
                && operands[at + 1..]
                    .iter()
                    .any(|it| it.node().is_some() && self.touches(*it, slot, true))
            {
                late.push((to, self.local(slot)));
                self.held.push(self.same(slot).0);
                continue;
            }
            self.to(*operand, to)?;
        }
        self.held.truncate(held);
        for (to, from) in late {
            self.emit(Op::Move { to, from });
        }
        Ok(first)
    }

    fn node(&mut self, node: u32, dest: Dest) -> Res<bool> {
        let Some(core) = self.program.core(node) else { return no("this node") };
        match core {
            Node::If { test, then, other } => {
                let jumps = self.unless(test)?;
                if jumps.is_empty() && self.constant(test).is_some_and(Value::truthy) {
                    return self.value(then, dest);
                }
                if self.value(then, dest)? {
                    let end = self.emit(Op::Jump { to: 0 });
                    self.patch(&jumps);
                    self.value(other, dest)?;
                    self.patch(&[end]);
                    return Ok(true);
                }
                self.patch(&jumps);
                self.value(other, dest)
            }
            Node::Do(args) => {
                let Some((last, before)) = self.program.args(args).split_last() else {
                    return no("an empty `do`");
                };
                let parts = self.program.args(args);
                let names = self.names.len();
                for (at, part) in before.iter().enumerate() {
                    if let Some(Node::Bind { slot, value }) = self.core(*part) {
                        if self.names_same(slot, value, &parts[at + 1..]) {
                            continue;
                        }
                        let to = self.local(slot);
                        self.at = part.node().unwrap_or(self.at);
                        self.to(value, to)?;
                    } else if part.node().is_some() {
                        let to = self.temp()?;
                        self.to(*part, to)?;
                        self.emit(Op::Drop { slot: to });
                        self.top -= 1;
                    }
                }
                let goes_on = self.value(*last, dest)?;
                self.names.truncate(names);
                Ok(goes_on)
            }
            Node::And(args) | Node::Or(args) => {
                let Some((last, before)) = self.program.args(args).split_last() else {
                    return no("an empty `and`");
                };
                let is_and = matches!(core, Node::And(_));
                let to = self.temp()?;
                let mut jumps = Vec::new();
                for part in before {
                    self.to(*part, to)?;
                    jumps.push(self.emit(if is_and {
                        Op::Unless { test: to, taken: false, to: 0 }
                    } else {
                        Op::If { test: to, taken: false, to: 0 }
                    }));
                }
                self.to(*last, to)?;
                self.patch(&jumps);
                match dest {
                    Dest::Slot(slot) => {
                        self.emit(Op::Move { to: slot, from: to });
                        Ok(true)
                    }
                    Dest::Tail => {
                        self.emit(Op::Return { from: to });
                        Ok(false)
                    }
                }
            }
            Node::Loop { first, body } => {
                self.loops.push(Loop { node, first, start: self.ops.len() });
                let goes_on = self.value(body, dest)?;
                self.loops.pop();
                Ok(goes_on)
            }
            Node::Recur { target, args } => {
                let Some(found) = self.loops.iter().find(|it| it.node == target) else {
                    return no("this `recur`");
                };
                let (first, start) = (found.first, found.start);
                self.turn(args, first, start)
            }
            Node::RecurFunction(args) => self.turn(args, 0, 0),
            _ => {
                let to = match dest {
                    Dest::Slot(slot) => slot,
                    Dest::Tail => self.temp()?,
                };
                self.step(node, core, to)?;
                if let Dest::Tail = dest {
                    self.emit(Op::Return { from: to });
                }
                Ok(matches!(dest, Dest::Slot(_)))
            }
        }
    }

    /// The next turn of a loop: all values are computed before a variable that a later one reads changes.
    fn turn(&mut self, args: Args, first: u32, start: usize) -> Res<bool> {
        let operands = self.program.args(args);
        let mut moves = Vec::new();
        let mut adds = None;
        for (at, operand) in operands.iter().enumerate() {
            let slot = first + at as u32;
            let to = self.local(slot);
            let later = &operands[at + 1..];
            let is_read = later.iter().any(|it| self.touches(*it, slot, false));
            if operand.slot() == Some(slot) {
                continue;
            }
            if let Some(int) = self.added_to(*operand, slot)
                && adds.is_none()
                && later.iter().all(|it| it.deep().is_none())
            {
                adds = Some((to, int, operand.node().unwrap_or(self.at)));
                continue;
            }
            match operand.kind() {
                // A slot that is no variable of the loop keeps its value until the end.
                OperandKind::Take(from)
                    if is_read
                        && self.moves(from)
                        && self.same(from).0 == from
                        && !(first..first + operands.len() as u32).contains(&from) =>
                {
                    moves.push((to, self.local(from)));
                }
                _ if is_read => {
                    let temp = self.temp()?;
                    self.to(*operand, temp)?;
                    moves.push((to, temp));
                }
                _ => self.to(*operand, to)?,
            }
        }
        let last = if adds.is_none() { moves.pop() } else { None };
        for (to, from) in moves {
            self.emit(Op::Move { to, from });
        }
        if let Some((slot, int, node)) = adds {
            let outer = std::mem::replace(&mut self.at, node);
            self.emit(Op::TurnAdd { slot, to: start as u16, int });
            self.at = outer;
            return Ok(false);
        }
        self.emit(match last {
            Some((slot, from)) => Op::TurnMove { slot, from, to: start as u16 },
            None => Op::Turn { to: start as u32 },
        });
        Ok(false)
    }

    /// Returns the integer that an operand adds to a slot.
    fn added_to(&self, operand: Operand, slot: u32) -> Option<i32> {
        let Some(Node::Op { op, a, b }) = self.core(operand) else { return None };
        if a.slot() != Some(slot) {
            return None;
        }
        match op {
            Operation::Add | Operation::Inc => self.small(b),
            Operation::Sub | Operation::Dec => self.small(b)?.checked_neg(),
            _ => None,
        }
    }
}
