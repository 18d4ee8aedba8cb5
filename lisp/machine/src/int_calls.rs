//! Calls with small integers, without a frame where the body needs none.
//!
//! Calls are half the work of small recursive functions. A frame for each makes a function that asks its argument first
//! 2.4 times as slow, and one that is an operation on its argument 1.5 times. Floors in `bench/benches/ratios.rs` check
//! this.

#![expect(clippy::inline_always, reason = "what the machine does for every call")]

use super::ints::{choose, int_op, small};
use super::plain::plain;
use super::tracer::Tracer;
use super::{Caller, Core, Mode};
use ptc_values::ir::{Args, Arity, Node, Operand, OperandKind, Program};
use ptc_values::{Res, Value};

impl<W: Tracer> Core<W> {
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
    /// Only functions of one or two integers qualify.
    #[inline(always)]
    fn call_with_ints<const N: usize>(
        &mut self,
        program: &Program,
        lambda: u32,
        args: [Operand; N],
    ) -> Res<Option<Mode>> {
        let Some((ints, arity)) = self.ints_for(program, lambda, args) else { return Ok(None) };
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

    /// Calls a function as [`Core::call_plain`] does, if it needs no frame. Otherwise returns none and does nothing.
    #[inline]
    pub(super) fn call_ints_now(
        &mut self,
        program: &Program,
        lambda: u32,
        args: Args,
    ) -> Res<Option<Value>> {
        match *program.args(args) {
            [one] => self.ints_now(program, lambda, [one]),
            [one, two] => self.ints_now(program, lambda, [one, two]),
            _ => Ok(None),
        }
    }

    #[inline(always)]
    fn ints_now<const N: usize>(
        &mut self,
        program: &Program,
        lambda: u32,
        args: [Operand; N],
    ) -> Res<Option<Value>> {
        let Some((ints, arity)) = self.ints_for(program, lambda, args) else { return Ok(None) };
        if arity.body.deep().is_some() {
            return Ok(None);
        }
        let Some(int) = arithmetic(program, ints, arity.body) else { return Ok(None) };
        self.pay_call(program.builtin)?;
        Ok(Some(Value::Int(int)))
    }

    /// Returns the arguments if all are computed integers, and the arity that takes them.
    #[inline(always)]
    fn ints_for<'p, const N: usize>(
        &self,
        program: &'p Program,
        lambda: u32,
        args: [Operand; N],
    ) -> Option<([i64; N], &'p Arity)> {
        let mut ints = [0; N];
        for (int, arg) in ints.iter_mut().zip(args) {
            *int = self.int(program, arg)?;
        }
        let arity = program.lambdas.get(lambda as usize)?.just(N)?;
        Some((ints, arity))
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
