//! Calls that a builtin makes for one item after another, of a function without frames. Its
//! arguments use the same places of the stack every time.

#![expect(clippy::inline_always, reason = "what a builtin does for every item")]

use std::sync::Arc;

use super::Core;
use super::callback::CallbackState;
use super::ints::int_op;
use super::next::Way;
use super::plain::plain_number;
use super::problems::invariant_violated;
use super::tracer::Tracer;
use ptc_facts::registry::Registered;
use ptc_values::ir::{Arity, Op, Program};
use ptc_values::{BuiltinId, Ext, Res, Value};

/// The callee of repeated calls.
enum Callee<'p> {
    /// A function of a program that needs no frames.
    Function(&'p Program, Arity),
    /// A function that needs none now: see [`super::callees`]. Its caller is given by the start of its slots, and by its
    /// program if that is another one.
    Unframed(&'p Program, Arity, usize, Option<&'p Arc<Program>>),
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
        self.calling(running, count, Some(way), Core::repeat_callee)
    }

    /// Calls the value below the last `count` values once, if it needs no frames.
    pub(super) fn call_directly(
        &mut self,
        running: &Arc<Program>,
        count: usize,
    ) -> Res<Option<Value>> {
        self.calling(running, count, None, |machine, callee, count| {
            machine.call_callee_once(callee, count)
        })
    }

    /// Classifies the value below the last `count` values, calls `call`, and clears the stack. A
    /// builtin that repeats its calls gives the way; only then a function may run unframed.
    #[inline]
    fn calling(
        &mut self,
        running: &Arc<Program>,
        count: usize,
        way: Option<Way>,
        call: impl FnOnce(&mut Core<W>, &Callee<'_>, usize) -> Res,
    ) -> Res<Option<Value>> {
        let place = self.task.stack.len() - count - 1;
        let result = match &self.task.stack[place] {
            Value::Int(int)
                if way.is_some_and(|way| way != Way::Value)
                    && let Some(lambda) = plain_number(*int) =>
            {
                let lambda = running.lambdas.get(lambda as usize).ok_or_else(invariant_violated)?;
                let Some(arity) = lambda.arity(count as u32) else {
                    return Err(ptc_values::wrong_arity_of(lambda, count));
                };
                if arity.body.deep().is_some() {
                    if !self.runs_plain_unframed(running, lambda, count) {
                        return Ok(None);
                    }
                    return self.calling_unframed(running, (*arity, count), None, call);
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
                    if way.is_none() || !self.runs_unframed(&self.task.stack[place], count) {
                        return Ok(None);
                    }
                    let (program, arity) = (closure.program.clone(), *arity);
                    let caller = (!Arc::ptr_eq(&program, running)).then_some(running);
                    return self.calling_unframed(&program, (arity, count), caller, call);
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
            value if ptc_values::is_var(value) || self.looks_for_lazy(place) => return Ok(None),
            Value::Ext(ext) if matches!(**ext, Ext::Stage(_)) => return Ok(None),
            _ => call(self, &Callee::Data, count),
        };
        self.task.drop_above(place);
        result.map(Some)
    }

    /// Calls `call` for a function of a program that needs no frames now. A call of it that fails
    /// gets its frame, and leaves the stack as it is.
    fn calling_unframed(
        &mut self,
        program: &Arc<Program>,
        (arity, count): (Arity, usize),
        caller: Option<&Arc<Program>>,
        call: impl FnOnce(&mut Core<W>, &Callee<'_>, usize) -> Res,
    ) -> Res<Option<Value>> {
        if self.task.depth >= self.cx.limits.call_depth {
            return Ok(None);
        }
        let first = self.task.stack.len() - count;
        let frames = self.task.frames.len();
        let base = std::mem::replace(&mut self.task.base, first);
        if caller.is_some() {
            self.task.program = program.clone();
        }
        self.task.depth += 1;
        let result = call(self, &Callee::Unframed(program, arity, base, caller), count);
        if self.task.frames.len() > frames {
            return result.map(Some);
        }
        self.task.depth -= 1;
        if let Some(caller) = caller {
            self.task.program = caller.clone();
        }
        self.task.base = base;
        self.task.drop_above(first - 1);
        result.map(Some)
    }

    fn repeat_callee(&mut self, callee: &Callee<'_>, count: usize) -> Res {
        let first = self.task.stack.len() - count;
        // Each kind has a loop of its own.
        match callee {
            Callee::Function(program, arity) => self
                .repeat_call(first, count, |machine| machine.call_function(program, arity, count)),
            Callee::Unframed(program, arity, base, caller) => {
                self.repeat_call(first, count, |machine| {
                    machine.call_once_unframed(program, arity, count, (*base, *caller))
                })
            }
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
            let mut value = call(self)?;
            if self.cx.pausing() || self.task.stack.len() < first + count {
                return Ok(value);
            }
            self.task.drop_above(first + count);
            let state = self.task.callbacks.last_mut().ok_or_else(invariant_violated)?;
            if !state.again(&mut self.cx, &mut self.task.stack[first..], &mut value)? {
                return Ok(value);
            }
        }
    }

    /// Carries a value through the rest of a `reduce` by an operation, without using the stack.
    fn fold(&mut self, op: Op, first: usize) -> Res {
        let mut so_far = self.call_op(op, first)?;
        let Some(CallbackState::Reduce(reduce)) = self.task.callbacks.last_mut() else {
            return Ok(so_far);
        };
        // An integer is carried without a value in memory.
        let mut sum = so_far.as_int();
        while !self.cx.pausing()
            && let Some(item) = reduce.next_plain()
        {
            self.cx.spend(1)?;
            if let (Some(left), Value::Int(right)) = (sum, &item)
                && let Some(next) = int_op(op, left, *right)
            {
                sum = Some(next);
                item.done();
                continue;
            }
            let left = sum.map_or_else(|| std::mem::take(&mut so_far), Value::Int);
            so_far = self.cx.take_op(op, left, item)?;
            sum = so_far.as_int();
        }
        Ok(sum.map_or(so_far, Value::Int))
    }

    fn call_callee_once(&mut self, callee: &Callee<'_>, count: usize) -> Res {
        let first = self.task.stack.len() - count;
        match callee {
            Callee::Function(program, arity) => self.call_function(program, arity, count),
            Callee::Unframed(program, arity, base, caller) => {
                self.call_once_unframed(program, arity, count, (*base, *caller))
            }
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

    #[inline]
    fn call_once_unframed(
        &mut self,
        program: &Program,
        arity: &Arity,
        count: usize,
        (base, caller): (usize, Option<&Arc<Program>>),
    ) -> Res {
        if !program.builtin {
            self.cx.spend(1)?;
        }
        let (frames, callers) = (self.task.frames.len(), self.task.callers.len());
        self.arrange(arity, count).and_then(|()| self.direct(program, arity.body)).inspect_err(
            |_| {
                self.frame_failed((frames, callers), base, caller.cloned());
            },
        )
    }

    #[inline(always)]
    fn call_op(&mut self, op: Op, first: usize) -> Res {
        let [a, b] = &mut self.task.stack[first..] else { return Err(invariant_violated()) };
        let (a, b) = (std::mem::take(a), std::mem::take(b));
        self.cx.take_op(op, a, b)
    }
}
