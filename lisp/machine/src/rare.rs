//! The operations that are rarer than a turn or a call.

#![expect(
    clippy::inline_always,
    reason = "measured: what the loop of the machine does in most steps"
)]

use std::sync::Arc;

use arcstr::ArcStr;

use super::action::Action;
use super::calls::Called;
use super::codes::{Codes, Entry};
use super::driver::Host;
use super::machine_core::Core;
use super::operations::floats;
use super::outcome::Outcome;
use super::problems::invariant_violated;
use super::row::{Implementation, Shortcut};
use super::slots::{put, put_float, store_spilled, taken};
use super::task::Dest;
use super::then::{Exit, Then};
use super::tracer::Tracer;
use crate::ops::{Op, Outside, WINDOW};
use ptc_values::code::{Code, Span};
use ptc_values::ir::Op as Operation;
use ptc_values::{Diagnostic, Res, Value, Vector, num};

type Slots = [Value; WINDOW];

impl<W: Tracer> Core<W> {
    /// Returns the reason to leave the loop.
    pub(super) fn exit(&mut self) -> Res<Exit> {
        match self.problem.take() {
            Some(problem) => Err(problem),
            None => Ok(self.exit.take().unwrap_or(Exit::Pause)),
        }
    }

    #[cold]
    pub(super) fn failed(&mut self, problem: Diagnostic) -> Then {
        self.problem = Some(problem);
        Then::Exit
    }

    pub(super) fn leave(&mut self, exit: Exit) -> Then {
        self.exit = Some(exit);
        Then::Exit
    }

    pub(super) fn or_failed(&mut self, then: Res<Then>) -> Then {
        match then {
            Ok(then) => then,
            Err(problem) => self.failed(problem),
        }
    }

    /// Makes the task wait; its value goes to a place.
    pub(super) fn wait_for(&mut self, dest: Dest, action: Action) -> Then {
        self.task.dest = dest;
        self.leave(Exit::Action(action))
    }

    /// Goes on, unless a count of live bytes is due.
    #[inline(always)]
    pub(super) fn next(&mut self) -> Then {
        if self.cx.counting_due() { self.leave(Exit::Pause) } else { Then::Request }
    }

    #[inline(never)]
    pub(super) fn two(
        &mut self,
        slots: &mut Slots,
        locals: u8,
        op: Operation,
        to: u8,
        a: u8,
        b: u8,
    ) -> Res<()> {
        if let (Value::Int(a), Value::Int(b)) = (&slots[usize::from(a)], &slots[usize::from(b)])
            && let Some(value) = two_ints(op, *a, *b)
        {
            put(&mut slots[usize::from(to)], value);
            return Ok(());
        }
        self.slow_two(op, slots, locals, to, a, b)
    }

    #[inline(never)]
    pub(super) fn two_int(
        &mut self,
        slots: &mut Slots,
        op: Operation,
        to: u8,
        a: u8,
        int: i32,
    ) -> Res<()> {
        let int = i64::from(int);
        let value = match &slots[usize::from(a)] {
            Value::Int(a) if let Some(value) = two_ints(op, *a, int) => value,
            a => self.cx.op(op, a, &Value::Int(int))?,
        };
        put(&mut slots[usize::from(to)], value);
        Ok(())
    }

    #[inline(never)]
    pub(super) fn two_const(
        &mut self,
        slots: &mut Slots,
        op: Operation,
        to: u8,
        a: u8,
        b: &Value,
    ) -> Res<()> {
        let a = &slots[usize::from(a)];
        if let Some((a, b)) = floats(a, b)
            && let Some(float) = two_floats(op, a, b)
        {
            put_float(&mut slots[usize::from(to)], float);
            return Ok(());
        }
        let value = self.cx.op(op, a, b)?;
        put(&mut slots[usize::from(to)], value);
        Ok(())
    }

    #[inline(never)]
    pub(super) fn test_const(
        &mut self,
        slots: &Slots,
        op: Operation,
        a: u8,
        b: &Value,
    ) -> Res<bool> {
        let a = &slots[usize::from(a)];
        let Some((a, b)) = floats(a, b) else {
            return Ok(self.cx.op(op, a, b)?.truthy());
        };
        Ok(match op {
            Operation::Less => a < b,
            Operation::LessEq => a <= b,
            Operation::Greater => a > b,
            Operation::GreaterEq => a >= b,
            Operation::Equal => a == b,
            _ => a != b,
        })
    }

    #[inline(never)]
    pub(super) fn record(
        &mut self,
        entry: &Entry,
        slots: &mut Slots,
        to: u8,
        first: u8,
        count: u8,
        shape: u16,
    ) -> Then {
        match self.make_record(entry, slots, first, count, shape) {
            Ok(value) => {
                put(&mut slots[usize::from(to)], value);
                self.next()
            }
            Err(problem) => self.failed(problem),
        }
    }

    /// Makes a record, and calls the tool of the next operation with it. So the record is not put into its slot, unless
    /// the machine must pause before the call.
    #[inline(never)]
    #[expect(clippy::too_many_arguments, reason = "the operands of an operation")]
    pub(super) fn arguments(
        &mut self,
        entry: &Entry,
        slots: &mut Slots,
        to: u8,
        first: u8,
        count: u8,
        shape: u16,
        host: &mut Host<'_>,
    ) -> Then {
        let args = match self.make_record(entry, slots, first, count, shape) {
            Ok(args) => args,
            Err(problem) => return self.failed(problem),
        };
        if self.cx.pausing() {
            put(&mut slots[usize::from(to)], args);
            return self.leave(Exit::Pause);
        }
        let pc = self.task.pc;
        if let Some(Op::Tool { to, tool, .. }) = entry.code.ops.get(pc as usize)
            && let Some(name) = entry.program.tools.get(*tool as usize)
        {
            self.task.pc = pc + 1;
            let span = entry.program.span(entry.node(pc + 1));
            let fits = std::mem::take(&mut self.fits);
            return self.call_tool(slots, (name, span), *to, args, fits, host);
        }
        self.failed(invariant_violated())
    }

    /// Calls the tool of a name with the arguments in a slot.
    #[inline(never)]
    pub(super) fn tool(
        &mut self,
        slots: &mut Slots,
        (name, span): (&ArcStr, Span),
        to: u8,
        args: u8,
        is_record: bool,
        host: &mut Host<'_>,
    ) -> Then {
        let args = std::mem::take(&mut slots[usize::from(args)]);
        let fits = is_record && std::mem::take(&mut self.fits);
        self.call_tool(slots, (name, span), to, args, fits, host)
    }

    /// Calls a tool; the host may answer at once.
    #[inline(always)]
    fn call_tool(
        &mut self,
        slots: &mut Slots,
        (name, span): (&ArcStr, Span),
        to: u8,
        args: Value,
        fits: bool,
        host: &mut Host<'_>,
    ) -> Then {
        if let Err(problem) = self.ask_for(name, args, span, fits) {
            return self.failed(problem);
        }
        if !W::ON {
            let mut answer = Value::Nil;
            match self.answered_here(host, &mut answer) {
                None => {
                    put(&mut slots[usize::from(to)], answer);
                    return if self.cx.pausing() { self.leave(Exit::Pause) } else { Then::Request };
                }
                Some(action) => return self.wait_for(Dest::Slot(to), action),
            }
        }
        self.wait_for(Dest::Slot(to), Action::Waiting)
    }

    /// Runs an operation that is rarer.
    #[inline(never)]
    pub(super) fn rare(
        &mut self,
        codes: &Codes,
        entry: &Entry,
        pc: usize,
        op: Op,
        slots: &mut Slots,
    ) -> Then {
        let then = self.rare_any(codes, entry, pc, op, slots);
        self.or_failed(then)
    }

    #[inline(always)]
    fn rare_any(
        &mut self,
        codes: &Codes,
        entry: &Entry,
        pc: usize,
        op: Op,
        slots: &mut Slots,
    ) -> Res<Then> {
        match op {
            Op::Drop { slot } => put(&mut slots[usize::from(slot)], Value::Nil),
            Op::Myself { to } => {
                let value = slots[0].clone();
                put(&mut slots[usize::from(to)], value);
            }
            Op::ConstTwo { op, to, b, constant } => {
                let a = entry.constant(u32::from(constant));
                let b = &slots[usize::from(b)];
                if let Some((a, b)) = floats(a, b)
                    && let Some(float) = two_floats(op, a, b)
                {
                    put_float(&mut slots[usize::from(to)], float);
                } else if let (Value::Int(a), Value::Int(b)) = (a, b)
                    && let Some(value) = two_ints(op, *a, *b)
                {
                    put(&mut slots[usize::from(to)], value);
                } else {
                    let value = self.cx.op(op, a, b)?;
                    put(&mut slots[usize::from(to)], value);
                }
            }
            Op::Known { to, cache, over } => {
                match self.made.get(entry.caches as usize + usize::from(cache)) {
                    None | Some(Value::Nil) => {}
                    Some(known) => {
                        put(&mut slots[usize::from(to)], known.clone());
                        return Ok(Then::Jump(u32::from(over)));
                    }
                }
            }
            Op::Remember { from, cache } => {
                if let Some(place) = self.made.get_mut(entry.caches as usize + usize::from(cache)) {
                    *place = slots[usize::from(from)].clone();
                }
            }
            Op::Calling { to, first, count, id } => {
                if let Implementation::Shortcut(shortcut, _) = self.cx.imp(id)
                    && let Some(then) = self.shortcut(codes, slots, shortcut, first, to, count)?
                {
                    return Ok(then);
                }
                return Ok(self.calling(codes, slots, to, first, count, id));
            }
            Op::Pull { to, first, count, stays, id } => {
                return self.pull(codes, slots, (to, first, count), id, stays);
            }
            Op::Vector { to, first, count } => {
                let items = taken(slots, first, usize::from(count));
                put(&mut slots[usize::from(to)], self.cx.vector(items)?);
                return Ok(self.next());
            }
            Op::Set { to, first, count } => {
                let items = taken(slots, first, usize::from(count));
                put(&mut slots[usize::from(to)], self.make_set(items)?);
                return Ok(self.next());
            }
            Op::Map { to, first, count } => {
                let items = taken(slots, first, usize::from(count));
                put(&mut slots[usize::from(to)], self.make_map(items)?);
                return Ok(self.next());
            }
            Op::Function { to, first, lambda } => {
                let count = entry.captures(pc)?;
                let captures = taken(slots, first, count).into_boxed_slice();
                let function = self.make_function(&entry.program, lambda, captures)?;
                put(&mut slots[usize::from(to)], function);
                return Ok(self.next());
            }
            Op::Sibling { to, lambda } => {
                let captures = match &slots[0] {
                    Value::Function(closure) => closure.captures.clone(),
                    _ => Box::default(),
                };
                let function = self.make_function(&entry.program, lambda, captures)?;
                put(&mut slots[usize::from(to)], function);
                return Ok(self.next());
            }
            Op::Global { to, global } => match self.cx.world.globals.values.get(global as usize) {
                Some(Some(value)) => put(&mut slots[usize::from(to)], value.clone()),
                _ => return Err(self.undefined(global)),
            },
            Op::Def { to, from, global } => {
                let value = std::mem::take(&mut slots[usize::from(from)]);
                if let Some(place) = self.quick.get_mut(global as usize) {
                    *place = codes.quick(&value).unwrap_or(super::codes::Quick::NONE);
                }
                put(&mut slots[usize::from(to)], self.define(global, value)?);
            }
            Op::Ctx { to, key } => {
                let value = self.cx.world.ctx.get(entry.constant(key)).cloned().unwrap_or_default();
                put(&mut slots[usize::from(to)], value);
            }
            Op::Read { to, what, index } => {
                let value = match what {
                    Outside::Data => Value::Map(self.cx.world.ctx.clone()),
                    Outside::Memory => {
                        self.cx.own.memory.get(entry.constant(index)).cloned().unwrap_or_default()
                    }
                    Outside::AllMemory => Value::Map(self.cx.own.memory.clone()),
                    Outside::History => {
                        self.cx.world.history.get(index as usize).cloned().unwrap_or_default()
                    }
                };
                put(&mut slots[usize::from(to)], value);
            }
            Op::Named { to, first } => {
                let [name, args] =
                    [first, first + 1].map(|it| std::mem::take(&mut slots[usize::from(it)]));
                let span = entry.program.span(entry.node(pc as u32));
                let dest = Dest::Slot(to);
                return self
                    .call_named(&name, args, span)
                    .map(|action| self.wait_for(dest, action));
            }
            Op::Leave { from, fails } => {
                let value = std::mem::take(&mut slots[usize::from(from)]);
                let wrap = if fails { super::outcome::failed_with } else { Outcome::Return };
                let action = self.leave_with(value, wrap)?;
                return Ok(self.leave(Exit::Action(action)));
            }
            Op::Pack { first, count } => {
                let items = taken(slots, first, usize::from(count));
                put(&mut slots[usize::from(first)], Value::Vector(Arc::new(Vector::new(items))));
            }
            Op::Unpack { to, first, from } => {
                let value = std::mem::take(&mut slots[usize::from(from)]);
                let packed = std::mem::take(&mut slots[usize::from(first)]);
                let Value::Vector(items) = packed else { return Err(invariant_violated()) };
                let places = slots.iter_mut().skip(usize::from(first));
                for (slot, item) in places.zip(Vector::into_vec(items)) {
                    put(slot, item);
                }
                put(&mut slots[usize::from(to)], value);
            }
            Op::Spill { slot, count } => {
                let items = vec![Value::Nil; count as usize];
                put(&mut slots[usize::from(slot)], Value::Vector(Arc::new(Vector::new(items))));
            }
            Op::LoadSpilled { to, slot, taken, index } => {
                let value = self.spilled(slots, slot, index, taken)?;
                put(&mut slots[usize::from(to)], value);
            }
            Op::StoreSpilled { from, slot, index } => {
                let value = std::mem::take(&mut slots[usize::from(from)]);
                store_spilled(&mut slots[usize::from(slot)], index, value)?;
            }
            Op::Gather { to, first, count, begins } => {
                let items = taken(slots, first, usize::from(count));
                let place = &mut slots[usize::from(to)];
                if begins {
                    put(place, Value::Vector(Arc::new(Vector::new(items))));
                } else if let Value::Vector(vector) = place {
                    let vector = Vector::make_mut(vector);
                    for item in items {
                        vector.push(item);
                    }
                }
            }
            Op::Spread { to, first, from } => {
                let gathered = std::mem::take(&mut slots[usize::from(from)]);
                let Value::Vector(items) = gathered else { return Err(invariant_violated()) };
                let items = Vector::into_vec(items);
                let called = self.spread(codes, (entry, pc), slots, first, items)?;
                return self.called(codes, slots, called, first, to);
            }
            Op::BeginFinally => self.task.raised.push(None),
            Op::EndFinally => match self.task.raised.pop() {
                Some(Some(problem)) => return Err(problem),
                Some(None) => {}
                None => return Err(invariant_violated()),
            },
            Op::TooLarge => return Err(too_large()),
            _ => return Err(invariant_violated()),
        }
        Ok(Then::Request)
    }

    /// Does a builtin that calls back without a state machine; returns none if that cannot be.
    #[inline]
    pub(super) fn shortcut(
        &mut self,
        codes: &Codes,
        slots: &mut Slots,
        shortcut: Shortcut,
        first: u8,
        to: u8,
        count: u8,
    ) -> Res<Option<Then>> {
        match shortcut {
            Shortcut::Update(_) if self.cx.world.lazy_aware => Ok(None),
            Shortcut::Update(changes) => self.update(codes, slots, changes, first, to, count),
            Shortcut::Swap(kind) => self.swap(codes, slots, kind, first, to, count),
            Shortcut::Reset => self.reset(slots, first, to),
            Shortcut::Deref => Ok(self.deref(slots, first, to)),
            Shortcut::Apply => self.apply(codes, slots, first, to, count),
        }
    }

    fn spilled(&self, slots: &mut Slots, slot: u8, index: u32, taken: bool) -> Res {
        let Value::Vector(vector) = &mut slots[usize::from(slot)] else {
            return Err(invariant_violated());
        };
        let value = vector.get(index as usize).cloned().unwrap_or_default();
        if taken && !(W::ON && self.watch.keeps()) {
            Vector::make_mut(vector).set(index as usize, Value::Nil);
        }
        Ok(value)
    }

    /// Runs a node with gathered operands.
    fn spread(
        &mut self,
        codes: &Codes,
        (entry, pc): (&Entry, usize),
        slots: &mut Slots,
        first: u8,
        mut items: Vec<Value>,
    ) -> Res<Called> {
        use ptc_values::ir::Node;
        let place = usize::from(first);
        Ok(Called::Value(match entry.core(pc) {
            Some(Node::Call(_)) => {
                let args = items.split_off(1);
                let callee = items.pop().unwrap_or_default();
                return self.call_values(codes, &mut slots[place..], callee, args);
            }
            Some(Node::CallGlobal { .. } | Node::CallSelf(_)) => {
                let callee = std::mem::take(&mut slots[place]);
                return self.call_values(codes, &mut slots[place..], callee, items);
            }
            Some(Node::Builtin { id, .. }) => {
                return self.call_builtin_values(codes, &mut slots[place..], id, items);
            }
            Some(Node::Vector(_)) => self.cx.vector(items)?,
            Some(Node::Map(_)) => self.make_map(items)?,
            Some(Node::Set(_)) => self.make_set(items)?,
            Some(Node::Function { lambda, .. }) => {
                self.make_function(&entry.program, lambda, items.into_boxed_slice())?
            }
            _ => return Err(invariant_violated()),
        }))
    }
}

#[cold]
fn too_large() -> Diagnostic {
    Diagnostic::new(
        Code::SourceNestingLimit,
        "a function here holds too many values at a time: its calls have very many arguments or nest very deep",
    )
    .with_help("name inner parts with `let` or `defn`")
}

/// Applies an operation to two integers if it is quick.
#[inline(always)]
fn two_ints(op: Operation, a: i64, b: i64) -> Option<Value> {
    Some(match op {
        Operation::Add | Operation::Inc => Value::Int(a.checked_add(b)?),
        Operation::Sub | Operation::Dec => Value::Int(a.checked_sub(b)?),
        Operation::Mul => Value::Int(a.checked_mul(b)?),
        Operation::Quot => Value::Int(a.checked_div(b)?),
        Operation::Rem => Value::Int(a.checked_rem(b)?),
        Operation::Mod => {
            let rest = a.checked_rem(b)?;
            Value::Int(if rest != 0 && (rest < 0) != (b < 0) { rest + b } else { rest })
        }
        Operation::Div => num::div_ints(a, b)?,
        Operation::Less => Value::Bool(a < b),
        Operation::LessEq => Value::Bool(a <= b),
        Operation::Greater => Value::Bool(a > b),
        Operation::GreaterEq => Value::Bool(a >= b),
        Operation::Equal => Value::Bool(a == b),
        Operation::NotEqual => Value::Bool(a != b),
    })
}

#[inline(always)]
fn two_floats(op: Operation, a: f64, b: f64) -> Option<f64> {
    match op {
        Operation::Add | Operation::Inc => Some(a + b),
        Operation::Sub | Operation::Dec => Some(a - b),
        Operation::Mul => Some(a * b),
        Operation::Div => Some(a / b),
        _ => None,
    }
}
