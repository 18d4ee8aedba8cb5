//! Calls that a builtin makes for one item after another, of a function without frames. Its
//! arguments use the same places of the stack every time.

#![expect(clippy::inline_always, reason = "what a builtin does for every item")]

use std::sync::Arc;

use super::Core;
use super::callback::CallbackState;
use super::next::Way;
use super::plain::plain_number;
use super::problems::invariant_violated;
use super::tracer::Tracer;
use crate::value::ir::{Arity, Op, Program};
use crate::value::{BuiltinId, Ext, Res, Value};

/// The callee of repeated calls.
enum Callee<'p> {
    /// A function of a program that needs no frames.
    Function(&'p Program, Arity),
    /// An operation on two values.
    Op(Op),
    Builtin(BuiltinId),
    /// A keyword, map, set or vector: a lookup.
    Data,
}

impl<W: Tracer> Core<W> {
    /// Calls the value below the last `count` values, and repeats that while the innermost builtin
    /// supplies new arguments and the machine need not pause. Returns the last result, which the
    /// builtin has not seen. Returns none if a call needs frames.
    pub(super) fn repeat(
        &mut self,
        running: &Arc<Program>,
        count: usize,
        way: Way,
    ) -> Res<Option<Value>> {
        self.calling(running, count, way, Core::repeat_callee)
    }

    /// Calls the value below the last `count` values once, if it needs no frames.
    pub(super) fn call_directly(
        &mut self,
        running: &Arc<Program>,
        count: usize,
    ) -> Res<Option<Value>> {
        self.calling(running, count, Way::Value, |machine, callee, count| {
            machine.call_callee_once(callee, count)
        })
    }

    /// Classifies the value below the last `count` values, calls `call`, and clears the stack.
    #[inline]
    fn calling(
        &mut self,
        running: &Arc<Program>,
        count: usize,
        way: Way,
        call: impl FnOnce(&mut Core<W>, &Callee<'_>, usize) -> Res,
    ) -> Res<Option<Value>> {
        let place = self.task.stack.len() - count - 1;
        let result = match &self.task.stack[place] {
            Value::Int(int)
                if way != Way::Value
                    && let Some(lambda) = plain_number(*int) =>
            {
                let lambda = running.lambdas.get(lambda as usize).ok_or_else(invariant_violated)?;
                let Some(arity) = lambda.arity(count as u32) else {
                    return Err(crate::value::wrong_arity_of(lambda, count));
                };
                if arity.body.deep().is_some() {
                    return Ok(None);
                }
                let base = std::mem::replace(&mut self.task.base, place + 1);
                self.watch.calls_directly(running, Some(base));
                let result = call(self, &Callee::Function(running, *arity), count);
                self.watch.calls_directly(running, None);
                self.task.base = base;
                result
            }
            Value::Function(closure) => {
                let Some(arity) = closure.lambda().and_then(|lambda| lambda.arity(count as u32))
                else {
                    return Err(self.arity_problem(place, count));
                };
                if arity.body.deep().is_some() {
                    return Ok(None);
                }
                let arity = *arity;
                let base = self.task.base;
                self.watch.calls_directly(running, Some(base));
                // The function nearly always belongs to the running program.
                let result = if Arc::ptr_eq(&closure.program, running) {
                    self.task.base = place + 1;
                    call(self, &Callee::Function(running, arity), count)
                } else {
                    let program = closure.program.clone();
                    self.task.base = place + 1;
                    let caller = std::mem::replace(&mut self.task.program, program.clone());
                    let result = call(self, &Callee::Function(&program, arity), count);
                    self.task.program = caller;
                    result
                };
                self.watch.calls_directly(running, None);
                self.task.base = base;
                result
            }
            Value::Builtin(id) => {
                let id = &id.for_count(count)?;
                let builtin = id.builtin();
                if !builtin.is_pure || !builtin.takes(count) {
                    return Ok(None);
                }
                if self.cx.lazy_aware {
                    if super::row::lazy_override(*id, &self.task.stack[place + 1..]).is_some() {
                        return Ok(None);
                    }
                    // The next arguments may need another function.
                    self.call_callee_once(&Callee::Builtin(*id), count)
                } else {
                    let op = if count == 2 { builtin.facts.op_of(2) } else { None };
                    call(self, &op.map_or(Callee::Builtin(*id), Callee::Op), count)
                }
            }
            value if crate::value::is_var(value) || self.looks_for_lazy(place) => return Ok(None),
            Value::Ext(ext) if matches!(**ext, Ext::Stage(_)) => return Ok(None),
            _ => call(self, &Callee::Data, count),
        };
        self.task.drop_above(place);
        result.map(Some)
    }

    fn repeat_callee(&mut self, callee: &Callee<'_>, count: usize) -> Res {
        let first = self.task.stack.len() - count;
        // Each kind has a loop of its own.
        match callee {
            Callee::Function(program, arity) => self
                .repeat_call(first, count, |machine| machine.call_function(program, arity, count)),
            Callee::Op(op) => self.fold(*op, first),
            other => {
                self.repeat_call(first, count, |machine| machine.call_callee_once(other, count))
            }
        }
    }

    #[inline(always)]
    fn repeat_call(
        &mut self,
        first: usize,
        count: usize,
        mut call: impl FnMut(&mut Core<W>) -> Res,
    ) -> Res {
        loop {
            let value = call(self)?;
            if self.cx.pausing() || self.task.stack.len() < first + count {
                return Ok(value);
            }
            self.task.drop_above(first + count);
            let state = self.task.callbacks.last_mut().ok_or_else(invariant_violated)?;
            if let Some(unseen) = state.again(&mut self.cx, &mut self.task.stack[first..], value)? {
                return Ok(unseen);
            }
        }
    }

    /// Carries a value through the rest of a `reduce` by an operation, without using the stack.
    fn fold(&mut self, op: Op, first: usize) -> Res {
        let mut so_far = self.call_op(op, first)?;
        if let Some(CallbackState::Reduce(reduce)) = self.task.callbacks.last_mut() {
            while !self.cx.pausing()
                && let Some(item) = reduce.next_plain()
            {
                self.cx.spend(1)?;
                so_far = self.cx.take_op(op, so_far, item)?;
            }
        }
        Ok(so_far)
    }

    fn call_callee_once(&mut self, callee: &Callee<'_>, count: usize) -> Res {
        let first = self.task.stack.len() - count;
        match callee {
            Callee::Function(program, arity) => self.call_function(program, arity, count),
            Callee::Op(op) => self.call_op(*op, first),
            Callee::Builtin(id) => self.cx.call(*id, &mut self.task.stack[first..]),
            Callee::Data => self.look_up(first - 1, count),
        }
    }

    #[inline(always)]
    fn call_function(&mut self, program: &Program, arity: &Arity, count: usize) -> Res {
        if !program.builtin {
            self.cx.spend(1)?;
        }
        self.arrange(arity, count)?;
        self.direct(program, arity.body)
    }

    #[inline(always)]
    fn call_op(&mut self, op: Op, first: usize) -> Res {
        let [a, b] = &mut self.task.stack[first..] else { return Err(invariant_violated()) };
        let (a, b) = (std::mem::take(a), std::mem::take(b));
        self.cx.take_op(op, a, b)
    }
}
