//! The path for small integers that are already computed: arithmetic, comparison and calls. It
//! makes no value, touches no reference count, and pushes nothing on the stack that would be popped
//! at once. Everything else takes the general path.

#![expect(clippy::inline_always, reason = "what the loop of the machine does in every step")]

use super::tracer::Tracer;
use super::{Caller, Core, Mode};
use crate::value::ir::{Args, Arity, Node, Op, Operand, OperandKind, Order, Program};
use crate::value::{Res, Value, plain};

impl<W: Tracer> Core<W> {
    /// Returns the slots of the running function, and the values above them.
    #[inline(always)]
    pub(super) fn slots(&self) -> &[Value] {
        &self.task.stack[self.task.base..]
    }

    /// Returns the integer of an operand if it is known without making a value.
    #[inline(always)]
    pub(super) fn int(&self, program: &Program, operand: Operand) -> Option<i64> {
        if W::ON {
            return None;
        }
        int_in(program, self.slots(), operand)
    }

    /// Returns whether the comparison of small integers inside an `if` holds.
    #[inline]
    pub(super) fn compares(&self, order: Order, a: u16, b: Compared) -> Option<bool> {
        if W::ON {
            return None;
        }
        let slots = self.slots();
        let Value::Int(a) = slots[usize::from(a)] else { return None };
        let b = match b {
            Compared::Int(int) => i64::from(int),
            Compared::Slot(slot) => match slots[usize::from(slot)] {
                Value::Int(b) => b,
                _ => return None,
            },
        };
        Some(order.holds(a, b))
    }

    /// Calls the function of the running program with this number.
    #[inline(always)]
    pub(super) fn call_plain(
        &mut self,
        program: &Program,
        node: u32,
        lambda: u32,
        args: Args,
    ) -> Res<Mode> {
        let entered = match *program.args(args) {
            [one] => self.call_with_ints(program, lambda, [one])?,
            [one, two] => self.call_with_ints(program, lambda, [one, two])?,
            _ => None,
        };
        if let Some(mode) = entered {
            return Ok(mode);
        }
        self.task.stack.push(Value::Int(plain(lambda)));
        self.call_with(program, node, args)
    }

    /// Calls a function whose arguments are all computed integers and match its parameters.
    /// Otherwise returns none and does nothing.
    ///
    /// If the body first compares an argument, as in most recursive functions, the comparison runs
    /// before there is a frame. If only an argument, a constant or an operation on them remains,
    /// there is no frame at all.
    ///
    /// Only functions of one or two integers qualify. The path stays because calls are half the
    /// work of small recursive functions, and a frame makes such a call a third slower. Floors in
    /// `bench/benches/ratios.rs` check this.
    #[inline(always)]
    fn call_with_ints<const N: usize>(
        &mut self,
        program: &Program,
        lambda: u32,
        args: [Operand; N],
    ) -> Res<Option<Mode>> {
        let mut ints = [0; N];
        for (int, arg) in ints.iter_mut().zip(args) {
            match self.int(program, arg) {
                Some(known) => *int = known,
                None => return Ok(None),
            }
        }
        let callee = program.lambdas.get(lambda as usize);
        let Some(arity) = callee.and_then(|callee| callee.just(N)) else { return Ok(None) };
        if self.pay_call(program.builtin)? {
            self.push_ints(arity, lambda, ints)?;
            return Ok(Some(Mode::Pause(arity.body)));
        }
        let (mut body, mut at) = (arity.body, self.task.at);
        let known = if let Some(node) = body.deep() {
            if let Some(chosen) = branch(program, &ints, node) {
                (body, at) = (chosen, node);
            }
            argument(program, &ints, body)
        } else {
            arithmetic(program, ints, body)
        };
        if let Some(int) = known {
            self.task.at = at;
            return Ok(Some(Mode::Value(Value::Int(int))));
        }
        self.push_ints(arity, lambda, ints)?;
        self.task.at = at;
        Ok(Some(Mode::Eval(body)))
    }

    /// Makes a frame of integers.
    #[inline(always)]
    fn push_ints<const N: usize>(&mut self, arity: &Arity, lambda: u32, ints: [i64; N]) -> Res<()> {
        self.task.stack.push(Value::Int(plain(lambda)));
        for int in ints {
            self.task.stack.push(Value::Int(int));
        }
        self.push_frame(arity, N, Caller::Here)
    }
}

/// Returns the small integer that a value holds.
#[inline(always)]
fn small(value: &Value) -> Option<i64> {
    match value {
        Value::Int(int) => Some(*int),
        _ => None,
    }
}

/// Returns the integer of an operand if it is known without making a value.
#[inline(always)]
pub(super) fn int_in(program: &Program, slots: &[Value], operand: Operand) -> Option<i64> {
    match operand.kind() {
        OperandKind::Direct(node) => match program.nodes[node as usize] {
            Node::AddInt { a, plus, .. } => {
                small(&slots[a.index() as usize])?.checked_add(i64::from(plus))
            }
            Node::AddSlots { a, b } => {
                small(&slots[a.index() as usize])?.checked_add(small(&slots[b.index() as usize])?)
            }
            _ => {
                let (op, a, b) = ints(program, slots, node)?;
                int_op(op, a, b)
            }
        },
        _ => known(program, slots, operand),
    }
}

/// Returns the two integers that an operation combines, if they are already computed.
#[inline(always)]
pub(super) fn ints(program: &Program, slots: &[Value], node: u32) -> Option<(Op, i64, i64)> {
    match program.nodes[node as usize] {
        Node::OpInt { op, a, int } => {
            Some((op, small(&slots[a.index() as usize])?, i64::from(int)))
        }
        Node::OpSlots { op, a, b } => {
            Some((op, small(&slots[a.index() as usize])?, small(&slots[b.index() as usize])?))
        }
        Node::Op { op, a, b } => Some((op, known(program, slots, a)?, known(program, slots, b)?)),
        _ => None,
    }
}

/// Returns the integer in a slot or constant.
fn known(program: &Program, slots: &[Value], operand: Operand) -> Option<i64> {
    match operand.kind() {
        OperandKind::Local(slot) | OperandKind::Take(slot) => small(&slots[slot as usize]),
        OperandKind::Const(index) => small(&program.consts[index as usize]),
        _ => None,
    }
}

/// Returns the integer of an operand that is an argument or a constant.
#[inline(always)]
fn argument(program: &Program, args: &[i64], operand: Operand) -> Option<i64> {
    match operand.kind() {
        OperandKind::Local(slot) | OperandKind::Take(slot) => args.get(slot as usize).copied(),
        OperandKind::Const(index) => small(&program.consts[index as usize]),
        _ => None,
    }
}

/// Returns the branch of an `if` that compares an argument with an integer.
#[inline(always)]
fn branch(program: &Program, args: &[i64], node: u32) -> Option<Operand> {
    match program.node(node) {
        Node::IfInt { order, slot, int, then, other } => {
            let asked = *args.get(usize::from(slot))?;
            Some(choose(order.holds(asked, i64::from(int)), then, other))
        }
        _ => None,
    }
}

/// Returns the result of a body that needs no frames: an argument, a constant or an operation on
/// them, possibly in a branch. Passes the integers by value: a caller whose integers have an
/// address keeps them in memory.
#[inline(never)]
fn arithmetic<const N: usize>(program: &Program, args: [i64; N], mut body: Operand) -> Option<i64> {
    if let OperandKind::Direct(node) = body.kind()
        && let Some(chosen) = branch(program, &args, node)
    {
        body = chosen;
    }
    let arg = |operand| argument(program, &args, operand);
    let OperandKind::Direct(node) = body.kind() else { return arg(body) };
    match program.node(node) {
        Node::AddInt { a, plus, .. } => arg(a)?.checked_add(i64::from(plus)),
        Node::AddSlots { a, b } => arg(a)?.checked_add(arg(b)?),
        Node::OpInt { op, a, int } => int_op(op, arg(a)?, i64::from(int)),
        Node::OpSlots { op, a, b } | Node::Op { op, a, b } => int_op(op, arg(a)?, arg(b)?),
        _ => None,
    }
}

/// The right side of a comparison with a slot.
#[derive(Clone, Copy)]
pub(super) enum Compared {
    Int(i32),
    Slot(u16),
}

/// Compares two small integers if the operation is a comparison.
#[inline]
pub(super) fn compare_ints(op: Op, a: i64, b: i64) -> Option<bool> {
    op.order().map(|order| order.holds(a, b))
}

/// Applies an operation to two small integers if the result is one too.
#[inline(always)]
pub(super) fn int_op(op: Op, a: i64, b: i64) -> Option<i64> {
    if matches!(op, Op::Add | Op::Inc) {
        a.checked_add(b)
    } else if matches!(op, Op::Sub | Op::Dec) {
        a.checked_sub(b)
    } else if op == Op::Mul {
        a.checked_mul(b)
    } else {
        None
    }
}

/// Chooses one of two operands with a branch, so that the next operand is fetched before the test
/// is known. A conditional move would wait for the test, and every turn of a loop for the one
/// before.
#[inline(always)]
pub(super) fn choose(holds: bool, then: Operand, other: Operand) -> Operand {
    if holds {
        then
    } else {
        std::hint::cold_path();
        other
    }
}
