//! Lowers a function of a checked program into register code.
//!
//! Each operand becomes operations that put its value into a slot. Parts that nest deep are
//! lowered behind the rest of the code, so the lowering recurs a few levels at most. Rows of operands that are too long
//! for slots are gathered, temporaries that are too many are packed into one slot, and so are locals that are too many.

mod items;
mod loops;
mod parts;
mod pull;
mod reads;
mod step;
mod test;
mod traps;

use std::fmt::Write as _;
use std::sync::Arc;
use std::sync::OnceLock;

use crate::ops::{Code, Local, MOST_LOCALS, Op, Takes, Trap, WINDOW};
use ptc_values::ir::{Args, Arity, Node, Op as Operation, Operand, OperandKind};
use ptc_values::{Program, Value};

use reads::Reads;

/// The levels of nodes that the lowering goes down at once.
const MOST_LEVELS: usize = 24;

/// The number of slots above which temporaries are packed.
const PACK_ABOVE: usize = 160;

/// The operands that are put into slots side by side.
const MOST_OPERANDS: usize = 32;

/// The slots of a frame that no operation names, which are left for the arguments of a call.
const SPARE: usize = 8;

/// The place of a value.
#[derive(Clone, Copy)]
enum Dest {
    Slot(u8),
    /// The value of the function.
    Tail,
}

/// A loop whose body is being lowered.
#[derive(Clone, Copy)]
struct Loop {
    node: u32,
    first: u32,
    start: usize,
}

/// The part of a `try` that is being lowered.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Part {
    Body,
    Handler,
    Finally,
}

/// A part that is lowered behind the rest of the code, with the state at its place.
struct Later {
    operand: Operand,
    dest: Dest,
    at: u32,
    top: usize,
    floor: usize,
    held: Vec<u32>,
    loops: Vec<Loop>,
    open: Vec<(usize, Part)>,
    /// The jump to it; it jumps back behind that.
    jump: usize,
}

#[expect(clippy::struct_excessive_bools, reason = "facts that do not depend on one another")]
struct Lower<'p> {
    program: &'p Program,
    arity: &'p Arity,
    lambda: u32,
    /// Whether a debugger sees each form.
    is_watched: bool,
    /// Whether jumps are too far for two bytes.
    is_far: bool,
    reads: Reads,
    ops: Vec<Op>,
    nodes: Vec<u32>,
    shapes: Vec<Box<[u32]>>,
    traps: Vec<Trap>,
    /// The traps of each part of each `try` so far.
    parts: Vec<[Vec<Takes>; 3]>,
    /// The node and the first temporary of each `try`.
    tries: Vec<(u32, u8)>,
    /// The parts that are being lowered, innermost last.
    open: Vec<(usize, Part)>,
    later: Vec<Later>,
    /// The first free temporary, and the first that may be packed.
    top: usize,
    floor: usize,
    /// The most slots in use so far.
    most: usize,
    loops: Vec<Loop>,
    level: usize,
    at: u32,
    /// Whether the frame needs the function itself.
    needs_itself: bool,
    /// Slots whose value is moved later than the checker says, because an earlier operand is read last.
    held: Vec<u32>,
    caches: u32,
    /// Whether the function captures nothing, once that was asked.
    captures_nothing: Option<bool>,
    is_too_large: bool,
    /// The first operation behind the preparation of the frame.
    start: usize,
    /// Whether only other values than lists and vectors arrive: an operation before has taken the items of those.
    takes_others: bool,
}

/// The code of the arities of a function. Nearly all functions have one.
pub(crate) struct Lowered {
    first: Option<Arc<Code>>,
    more: Vec<Arc<Code>>,
}

impl Lowered {
    pub(crate) fn iter(&self) -> impl Iterator<Item = &Arc<Code>> {
        self.first.iter().chain(&self.more)
    }
}

/// Lowers all arities of a function. `is_watched` tells that a debugger sees each form.
pub(crate) fn lower(program: &Program, lambda: u32, is_watched: bool) -> Lowered {
    let arities = program.lambdas.get(lambda as usize).map(|found| found.arities.iter());
    let code = |arity| Arc::new(lower_arity(program, lambda, arity, is_watched));
    let mut codes = arities.into_iter().flatten().map(code);
    Lowered { first: codes.next(), more: codes.collect() }
}

/// Returns the code of a function as text, one operation a line, with the node of each.
#[must_use]
pub fn code_listing(program: &Program, lambda: u32) -> String {
    let mut out = String::new();
    for (arity, code) in lower(program, lambda, false).iter().enumerate() {
        // Writing to a string cannot fail.
        let _ = writeln!(out, "code of {lambda}, arity {arity}: {} slots", code.slots);
        for (at, (op, node)) in code.ops.iter().zip(&code.nodes).enumerate() {
            let _ = writeln!(out, "{at:4} #{node} {op:?}");
        }
    }
    out
}

fn lower_arity(program: &Program, lambda: u32, arity: &Arity, is_watched: bool) -> Code {
    let mut lower = Lower::new(program, lambda, arity, is_watched);
    lower.all();
    if lower.ops.len() > usize::from(u16::MAX) {
        lower = Lower::new(program, lambda, arity, is_watched);
        lower.is_far = true;
        lower.all();
    }
    if lower.is_too_large {
        (lower.ops, lower.nodes) =
            (vec![Op::TooLarge], vec![arity.body.node().unwrap_or(u32::MAX)]);
        lower.traps.clear();
    }
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
    let (locals, spilled) = lower.locals();
    Code {
        ops: lower.ops,
        nodes: lower.nodes,
        shapes: lower.shapes,
        traps: lower.traps,
        caches: lower.caches,
        one,
        lambda,
        params: arity.params.min(u32::from(u8::MAX)) as u8,
        variadic: arity.variadic,
        locals: locals as u8,
        slots: lower.most as u16,
        spilled,
        needs_itself: lower.needs_itself || lower.is_watched,
        calls_nothing: arity.body.deep().is_none(),
        is_quiet: OnceLock::new(),
    }
}

impl<'p> Lower<'p> {
    fn new(program: &'p Program, lambda: u32, arity: &'p Arity, is_watched: bool) -> Lower<'p> {
        // Most nodes become an operation.
        let last = arity.body.node().unwrap_or(arity.start);
        let room = (last.saturating_sub(arity.start) as usize + 4).min(1_000);
        let mut lower = Lower {
            program,
            arity,
            lambda,
            is_watched,
            is_far: false,
            reads: Reads::of(program, arity),
            ops: Vec::with_capacity(room),
            nodes: Vec::with_capacity(room),
            shapes: Vec::new(),
            traps: Vec::new(),
            parts: Vec::new(),
            tries: Vec::new(),
            open: Vec::new(),
            later: Vec::new(),
            top: 0,
            floor: 0,
            most: 0,
            loops: Vec::new(),
            level: 0,
            at: arity.body.node().unwrap_or(u32::MAX),
            needs_itself: false,
            held: Vec::new(),
            caches: 0,
            captures_nothing: None,
            is_too_large: arity.params as usize > WINDOW - 16 - SPARE,
            start: 0,
            takes_others: false,
        };
        lower.top = lower.locals().0;
        lower.floor = lower.top;
        lower.most = lower.top;
        lower
    }

    /// Returns the number of slots of locals, with that of the function, and the slot of spilled ones.
    fn locals(&self) -> (usize, u8) {
        let own = self.arity.frame.min(MOST_LOCALS) as usize + 1;
        // Arguments arrive in slots, also those that are spilled then.
        let params = self.arity.params as usize + usize::from(self.arity.variadic) + 1;
        let is_spilled = self.arity.frame > MOST_LOCALS;
        let locals = own.max(params) + usize::from(is_spilled);
        (locals.min(WINDOW - 16), (locals - 1).min(WINDOW - 17) as u8)
    }

    fn all(&mut self) {
        if self.arity.frame > MOST_LOCALS {
            let (_, slot) = self.locals();
            let count = self.arity.frame - MOST_LOCALS;
            self.emit(Op::Spill { slot, count });
            let params = self.arity.params + u32::from(self.arity.variadic);
            for index in 0..params.saturating_sub(MOST_LOCALS) {
                let from = (index + MOST_LOCALS + 1) as u8;
                self.emit(Op::StoreSpilled { from, slot, index });
            }
        }
        self.start = self.ops.len();
        self.value(self.arity.body, Dest::Tail);
        while let Some(later) = self.later.pop() {
            self.patch(&[later.jump]);
            let from = self.ops.len();
            (self.at, self.top, self.floor) = (later.at, later.top, later.floor);
            (self.held, self.loops, self.open) = (later.held, later.loops, later.open);
            if self.value(later.operand, later.dest) {
                self.emit(Op::Jump { to: later.jump as u32 + 1 });
            }
            self.trap_again(from);
        }
    }

    fn emit(&mut self, op: Op) -> usize {
        self.ops.push(op);
        self.nodes.push(self.at);
        self.ops.len() - 1
    }

    fn temp(&mut self) -> u8 {
        let slot = self.top;
        self.top += 1;
        self.most = self.most.max(self.top);
        if slot >= WINDOW - SPARE {
            self.is_too_large = true;
            return (WINDOW - SPARE) as u8;
        }
        slot as u8
    }

    /// Returns the place of a local.
    fn local(&self, slot: u32) -> Local {
        match slot.checked_sub(MOST_LOCALS) {
            None => Local::Slot(slot as u8 + 1),
            Some(index) => Local::Spilled(index),
        }
    }

    /// Returns whether a slot holds a local.
    fn is_local(&self, slot: u8) -> bool {
        usize::from(slot) < self.locals().0
    }

    fn patch(&mut self, jumps: &[usize]) {
        let here = self.ops.len() as u32;
        for at in jumps {
            self.ops[*at].jump_to(here);
        }
    }

    fn constant(&self, operand: Operand) -> Option<&'p Value> {
        let OperandKind::Const(index) = operand.kind() else { return None };
        self.program.consts.get(index as usize)
    }

    fn small(&self, operand: Operand) -> Option<i32> {
        self.program.int(operand).and_then(|int| i32::try_from(int).ok())
    }

    fn core(&self, operand: Operand) -> Option<Node> {
        self.program.core(operand.node()?)
    }

    /// Evaluates an operand. Returns whether the code goes on behind it.
    fn value(&mut self, operand: Operand, dest: Dest) -> bool {
        let Some(node) = operand.node() else {
            match (operand.kind(), dest) {
                (OperandKind::Local(slot) | OperandKind::Take(slot), Dest::Tail)
                    if let Local::Slot(from) = self.local(slot) =>
                {
                    self.emit(Op::Return { from });
                    return false;
                }
                (_, Dest::Tail) => {
                    let to = self.temp();
                    self.at_hand(operand, to);
                    self.emit(Op::Return { from: to });
                    self.top -= 1;
                    return false;
                }
                (_, Dest::Slot(to)) => {
                    self.at_hand(operand, to);
                    return true;
                }
            }
        };
        if self.level >= MOST_LEVELS {
            return self.lower_later(operand, dest);
        }
        if let Dest::Slot(to) = dest
            && self.top > PACK_ABOVE
            && self.top - self.floor > 1
        {
            return self.packed(operand, to);
        }
        let outer = std::mem::replace(&mut self.at, node);
        let top = self.top;
        self.level += 1;
        if self.is_watched {
            self.emit(Op::Begin { node });
        }
        let goes_on = self.node(node, dest);
        if self.is_watched
            && goes_on
            && let Dest::Slot(from) = dest
        {
            self.at = node;
            self.emit(Op::End { from, node });
        }
        self.level -= 1;
        self.top = top;
        self.at = outer;
        goes_on
    }

    /// Lowers an operand behind the rest of the code.
    fn lower_later(&mut self, operand: Operand, dest: Dest) -> bool {
        let jump = self.emit(Op::Jump { to: 0 });
        self.later.push(Later {
            operand,
            dest,
            at: self.at,
            top: self.top,
            floor: self.floor,
            held: self.held.clone(),
            loops: self.loops.clone(),
            open: self.open.clone(),
            jump,
        });
        matches!(dest, Dest::Slot(_))
    }

    /// Evaluates an operand while the temporaries are packed into one slot.
    fn packed(&mut self, operand: Operand, to: u8) -> bool {
        let (top, floor) = (self.top, self.floor);
        let (first, count) = (floor as u8, (top - floor) as u8);
        self.emit(Op::Pack { first, count });
        self.top = floor + 1;
        self.floor = floor + 1;
        let from = self.temp();
        let goes_on = self.value(operand, Dest::Slot(from));
        (self.top, self.floor) = (top, floor);
        if goes_on {
            self.emit(Op::Unpack { to, first, from });
        }
        goes_on
    }

    fn to(&mut self, operand: Operand, slot: u8) {
        self.value(operand, Dest::Slot(slot));
    }

    /// Puts a slot, a constant or a captured value into a slot.
    fn at_hand(&mut self, operand: Operand, to: u8) {
        match operand.kind() {
            OperandKind::Local(slot) | OperandKind::Take(slot) => {
                let taken = self.moves(operand);
                match self.local(slot) {
                    Local::Slot(from) if from == to => return,
                    Local::Slot(from) if taken => self.emit(Op::Move { to, from }),
                    Local::Slot(from) => self.emit(Op::Copy { to, from }),
                    Local::Spilled(index) => {
                        let (_, slot) = self.locals();
                        self.emit(Op::LoadSpilled { to, slot, taken, index })
                    }
                };
            }
            OperandKind::Const(constant) => {
                match self.small(operand) {
                    Some(int) => self.emit(Op::Int { to, int }),
                    None => self.emit(Op::Const { to, constant }),
                };
            }
            OperandKind::Capture(index) => {
                self.needs_itself = true;
                match u16::try_from(index) {
                    Ok(index) => self.emit(Op::Capture { to, index }),
                    Err(_) => self.emit(Op::TooLarge),
                };
            }
            OperandKind::Direct(_) | OperandKind::Deep(_) => {}
        }
    }

    /// Returns whether an operand is the last reading of a local, which moves its value.
    fn moves(&self, operand: Operand) -> bool {
        match operand.kind() {
            OperandKind::Take(slot) => !self.held.contains(&slot),
            _ => false,
        }
    }

    /// Stores a slot in a local.
    fn bind(&mut self, slot: u32, value: Operand) {
        match self.local(slot) {
            Local::Slot(to) => self.to(value, to),
            Local::Spilled(index) => {
                let (_, slot) = self.locals();
                let from = self.temp();
                self.to(value, from);
                self.emit(Op::StoreSpilled { from, slot, index });
                self.top -= 1;
            }
        }
    }

    /// Returns the slot of an operand, and whether its value is read for the last time. `later` is evaluated before it is
    /// read.
    fn source(&mut self, operand: Operand, later: Option<Operand>) -> (u8, bool) {
        self.source_at_hand(operand, later).unwrap_or_else(|| {
            let to = self.temp();
            self.to(operand, to);
            (to, true)
        })
    }

    /// Does the same for the first operand of an operation, which may be evaluated in the slot of the result. So a chain of
    /// operations needs one slot.
    fn first_source(&mut self, operand: Operand, later: Option<Operand>, to: u8) -> (u8, bool) {
        if self.is_local(to) {
            return self.source(operand, later);
        }
        self.source_at_hand(operand, later).unwrap_or_else(|| {
            self.to(operand, to);
            (to, true)
        })
    }

    fn source_at_hand(&self, operand: Operand, later: Option<Operand>) -> Option<(u8, bool)> {
        let slot = operand.slot()?;
        let Local::Slot(at) = self.local(slot) else { return None };
        match self.moves(operand) {
            // A debugger may keep a value that is moved, so only a move may move it.
            true if !self.is_watched => Some((at, true)),
            false if later.is_none_or(|it| !self.reads.takes(it, slot)) => Some((at, false)),
            _ => None,
        }
    }

    /// Evaluates operands into slots one after the other; returns the first. A local that a later operand reads for the
    /// last time is moved at the end instead, so its value has one owner.
    fn row(&mut self, operands: &[Operand]) -> u8 {
        let first = self.top as u8;
        let mut late = Vec::new();
        let held = self.held.len();
        for (at, operand) in operands.iter().enumerate() {
            let to = self.temp();
            if let OperandKind::Local(slot) = operand.kind()
                && let Local::Slot(from) = self.local(slot)
                && !self.is_watched
                && !self.held.contains(&slot)
                && operands[at + 1..]
                    .iter()
                    .any(|it| it.node().is_some() && self.reads.takes(*it, slot))
            {
                late.push((to, from));
                self.held.push(slot);
                continue;
            }
            self.to(*operand, to);
        }
        self.held.truncate(held);
        for (to, from) in late {
            self.emit(Op::Move { to, from });
        }
        first
    }

    /// Evaluates a row of operands that is too long for slots; returns the slot of the gathered values.
    fn gathered(&mut self, operands: &[Operand]) -> u8 {
        let to = self.temp();
        for (at, some) in operands.chunks(MOST_OPERANDS / 2).enumerate() {
            let top = self.top;
            let first = self.row(some);
            self.emit(Op::Gather { to, first, count: some.len() as u8, begins: at == 0 });
            self.top = top;
        }
        to
    }

    fn node(&mut self, node: u32, dest: Dest) -> bool {
        let Some(core) = self.program.core(node) else {
            self.emit(Op::Broken);
            return true;
        };
        match core {
            Node::If { test, then, other } => {
                let jumps = self.unless(test);
                if jumps.is_empty() && self.constant(test).is_some_and(Value::truthy) {
                    return self.value(then, dest);
                }
                if self.value(then, dest) {
                    let end = self.emit(Op::Jump { to: 0 });
                    self.patch(&jumps);
                    self.value(other, dest);
                    self.patch(&[end]);
                    return true;
                }
                self.patch(&jumps);
                self.value(other, dest)
            }
            Node::Do(args) => self.sequence(args, dest),
            Node::And(args) | Node::Or(args) => {
                self.choice(args, matches!(core, Node::And(_)), dest)
            }
            Node::Loop { first, body } => {
                self.loops.push(Loop { node, first, start: self.ops.len() });
                let goes_on = self.value(body, dest);
                self.loops.pop();
                goes_on
            }
            Node::Recur { target, args } => {
                match self.loops.iter().find(|it| it.node == target).copied() {
                    Some(found) => self.turn(args, found.first, found.start, true),
                    None => {
                        self.emit(Op::Broken);
                    }
                }
                false
            }
            Node::RecurFunction(args) => {
                let count = self.arity.params + u32::from(self.arity.variadic);
                if args.count == count && matches!(dest, Dest::Tail) {
                    self.turn(args, 0, self.start, !self.program.builtin);
                } else {
                    self.emit(Op::Broken);
                }
                false
            }
            _ => {
                let to = match dest {
                    Dest::Slot(slot) => slot,
                    Dest::Tail => self.temp(),
                };
                match core {
                    Node::Try(index) => self.attempt(node, index, to),
                    _ => self.step(core, to),
                }
                if let Dest::Tail = dest {
                    self.emit(Op::Return { from: to });
                }
                matches!(dest, Dest::Slot(_))
            }
        }
    }

    fn sequence(&mut self, args: Args, dest: Dest) -> bool {
        let Some((last, before)) = self.program.args(args).split_last() else {
            return self.nothing(dest);
        };
        let mut items = None;
        for (at, part) in before.iter().enumerate() {
            self.items_before(&mut items, before, at);
            if let Some(Node::Bind { slot, value }) = self.core(*part)
                && !self.is_watched
            {
                let outer = self.at;
                self.at = part.node().unwrap_or(outer);
                self.takes_others = items.is_some();
                self.bind(slot, value);
                self.takes_others = false;
                self.at = outer;
            } else if part.node().is_some() {
                let to = self.temp();
                // A payment leaves nil.
                let is_call = matches!(self.core(*part), Some(Node::Builtin { .. }));
                if self.value(*part, Dest::Slot(to))
                    && !(is_call && matches!(self.ops.last(), Some(Op::Pay { .. })))
                {
                    self.emit(Op::Drop { slot: to });
                }
                self.top -= 1;
            }
        }
        self.items_before(&mut items, before, before.len());
        self.value(*last, dest)
    }

    /// The value nil.
    fn nothing(&mut self, dest: Dest) -> bool {
        let to = match dest {
            Dest::Slot(slot) => slot,
            Dest::Tail => self.temp(),
        };
        self.emit(Op::Drop { slot: to });
        if let Dest::Tail = dest {
            self.emit(Op::Return { from: to });
        }
        matches!(dest, Dest::Slot(_))
    }

    /// `and` and `or`.
    fn choice(&mut self, args: Args, is_and: bool, dest: Dest) -> bool {
        let Some((last, before)) = self.program.args(args).split_last() else {
            return self.nothing(dest);
        };
        // A part may read the local that the value goes to.
        let to = match dest {
            Dest::Slot(slot) if !self.is_local(slot) => slot,
            _ => self.temp(),
        };
        let mut jumps = Vec::new();
        for part in before {
            self.to(*part, to);
            jumps.push(self.emit(if is_and {
                Op::Unless { test: to, taken: false, to: 0 }
            } else {
                Op::If { test: to, taken: false, to: 0 }
            }));
        }
        self.to(*last, to);
        self.patch(&jumps);
        match dest {
            Dest::Slot(slot) if slot == to => true,
            Dest::Slot(slot) => {
                self.emit(Op::Move { to: slot, from: to });
                true
            }
            Dest::Tail => {
                self.emit(Op::Return { from: to });
                false
            }
        }
    }
}
