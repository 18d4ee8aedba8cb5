//! Calls of values, and builtins that call back.

use std::sync::Arc;

use ptc_facts::registry::Registered;
use ptc_machine::{CallbackState, Changes, Each, Imp, Next, find};
use ptc_values::code::Code as Problem;
use ptc_values::ir::{Op as Operation, Program};
use ptc_values::{BuiltinId, Closure, Diagnostic, Res, Value, is_long, wrong_arity_of};

use crate::Registers;
use crate::code::{Codes, Kind, Quick, WINDOW};
use crate::rare::Then;
use crate::run::{Exit, empty, put};

type Slots = [Value; WINDOW];

/// The work of a builtin that calls back after a pause.
pub(crate) enum Later {
    /// The result of a call.
    Got(Value),
    /// A call of the function that is in its place.
    Enter(u8),
}

/// The next step of a builtin that calls back.
pub(crate) enum Asked {
    Value(Value),
    /// Enter this code with this number of arguments, which are in their places.
    Enter(u32, u8),
    /// The machine must pause, with the result of a call.
    Later(Value),
    Link(Arc<Program>, u32, u8),
}

/// The code of a call.
pub(crate) enum Found {
    Code(u32),
    Link(Arc<Program>, u32),
}

#[cold]
pub(crate) fn broken() -> Diagnostic {
    Diagnostic::new(Problem::InvariantViolated, "this is a bug of the register machine")
}

#[cold]
pub(crate) fn no<T>(what: &str) -> Res<T> {
    Err(Diagnostic::new(Problem::Unsupported, format!("the spike does not call {what}")))
}

impl Codes {
    /// Returns the code of a function of the running program, if its frame needs only the number of it.
    #[inline(always)]
    pub(crate) fn quick(&self, program: u32, closure: &Closure, count: u8) -> Option<u32> {
        let linked = self.programs.get(program as usize)?;
        if !Arc::ptr_eq(&linked.program, &closure.program) {
            return None;
        }
        let first = (*linked.firsts.get(closure.lambda as usize)?)?;
        let code = self.list.get(first as usize)?;
        let fits = code.params == count && !code.variadic && !code.needs_itself;
        (fits && closure.captures.is_empty()).then_some(first)
    }

    /// Returns the code of a function of a program that captures nothing.
    #[inline]
    pub(crate) fn known(&self, program: u32, lambda: u32, count: u8) -> Option<u32> {
        let linked = self.programs.get(program as usize)?;
        let first = (*linked.firsts.get(lambda as usize)?)?;
        let code = self.list.get(first as usize)?;
        (code.params == count && !code.variadic).then_some(first)
    }

    /// Returns the code of a function of the running program, and whether its frame needs the function.
    #[inline(always)]
    pub(crate) fn own(&self, program: u32, function: &Value, count: u8) -> Option<(u32, bool)> {
        let Value::Function(closure) = function else { return None };
        let linked = self.programs.get(program as usize)?;
        if !Arc::ptr_eq(&linked.program, &closure.program) {
            return None;
        }
        let first = (*linked.firsts.get(closure.lambda as usize)?)?;
        let code = self.list.get(first as usize)?;
        (code.params == count && !code.variadic).then_some((first, code.needs_itself))
    }

    /// Returns the code of a function for a number of arguments.
    #[inline]
    fn code_of(&self, closure: &Closure, count: u8) -> Res<Found> {
        let linked = self.programs.iter().find(|it| Arc::ptr_eq(&it.program, &closure.program));
        let first = linked.and_then(|it| it.firsts.get(closure.lambda as usize).copied().flatten());
        let Some(first) = first else {
            return Ok(Found::Link(closure.program.clone(), closure.lambda));
        };
        if let Some(code) = self.list.get(first as usize)
            && code.params == count
            && !code.variadic
        {
            return Ok(Found::Code(first));
        }
        self.other_arity(closure, first, count)
    }

    fn other_arity(&self, closure: &Closure, first: u32, count: u8) -> Res<Found> {
        let Some(lambda) = closure.lambda() else { return Err(broken()) };
        let Some(arity) = lambda.arity(u32::from(count)) else {
            return Err(wrong_arity_of(lambda, usize::from(count)));
        };
        match lambda.arities.iter().position(|it| std::ptr::eq(it, arity)) {
            Some(at) => Ok(Found::Code(first + at as u32)),
            None => Err(broken()),
        }
    }
}

impl Registers {
    /// Remembers the code of a global that is defined.
    pub(crate) fn remember(&mut self, codes: &Codes, program: u32, global: u32, value: &Value) {
        let Some(place) = self.quick.get_mut(global as usize) else { return };
        *place = Quick::NONE;
        if let Value::Function(closure) = value
            && let Some(lambda) = closure.lambda()
            && let Some(arity) = lambda.arities.iter().next()
            && let Some(code) = codes.quick(program, closure, arity.params as u8)
        {
            *place = Quick { code, params: arity.params as u8 };
        }
    }

    /// Calls the callee at `first`.
    #[inline]
    pub(crate) fn call_any(
        &mut self,
        codes: &Codes,
        slots: &mut Slots,
        first: u8,
        to: u8,
        count: u8,
    ) -> Res<Then> {
        if let Value::Function(closure) = &slots[usize::from(first)] {
            return Ok(match codes.code_of(closure, count)? {
                Found::Code(code) => Then::Enter { code, first, to, count, kind: Kind::Call },
                Found::Link(program, lambda) => {
                    self.leave(Exit::Link(program, lambda));
                    Then::Again
                }
            });
        }
        let place = usize::from(first);
        let value = self.call_other(slots.get_mut(place..), usize::from(count))?;
        put(&mut slots[usize::from(to)], value);
        Ok(self.next())
    }

    /// Calls a builtin that calls nothing, or data. The callee and its arguments begin the slice.
    #[inline(never)]
    fn call_other(&mut self, slots: Option<&mut [Value]>, count: usize) -> Res {
        let Some([callee, rest @ ..]) = slots else { return Err(broken()) };
        let Some(args) = rest.get_mut(..count) else { return Err(broken()) };
        let value = match callee {
            Value::Builtin(id) => {
                let id = id.for_count(count)?;
                let builtin = id.builtin();
                if !builtin.is_pure || !builtin.takes(count) {
                    return no(id.name());
                }
                match (builtin.facts.op_of(count), &mut *args) {
                    (Some(op), [a, b]) => {
                        let (a, b) = (std::mem::take(a), std::mem::take(b));
                        self.cx.take_op(op, a, b)?
                    }
                    _ => self.cx.call(id, args)?,
                }
            }
            Value::Ext(_) | Value::Symbol(_) => return no("this value"),
            Value::Keyword(_) => {
                self.cx.look_for(callee)?;
                args.iter().try_for_each(|key| self.cx.look_for(key))?;
                if let [map] = args {
                    self.cx.fields.lookup(map, callee)
                } else {
                    ptc_facts::access::call_data(callee, args).unwrap_or_else(|| Err(broken()))?
                }
            }
            _ => {
                args.iter().try_for_each(|key| self.cx.look_for(key))?;
                ptc_facts::access::call_data(callee, args).unwrap_or_else(|| no("this value"))?
            }
        };
        empty(args);
        Ok(value)
    }

    /// Looks up a key in data that is called; returns none for a function.
    #[inline]
    pub(crate) fn look_up_at(&mut self, data: &Value, key: &Value) -> Option<Res> {
        match (data, key) {
            (Value::Vector(items), Value::Int(at)) => {
                let item = usize::try_from(*at).ok().and_then(|at| items.get(at));
                item.map(|item| Ok(item.clone()))
            }
            (Value::Map(map), key) => {
                Some(self.cx.look_for(key).map(|()| map.get(key).cloned().unwrap_or_default()))
            }
            (Value::Keyword(_), map) => {
                let paid = self.cx.look_for(data).and_then(|()| self.cx.look_for(map));
                Some(paid.map(|()| self.cx.fields.lookup(map, data)))
            }
            _ => None,
        }
    }

    /// Makes the state of a builtin that calls back.
    pub(crate) fn make(&mut self, imp: Imp, args: Vec<Value>) -> Res<CallbackState> {
        match imp {
            Imp::Step(step) => Ok(Each::eager(&mut self.cx, step, args)?.into()),
            Imp::CallbackState(make) | Imp::Update(_, make) => make(&mut self.cx, args),
            _ => no("this builtin"),
        }
    }

    /// Steps the innermost builtin until it is done or calls a function of a program.
    pub(crate) fn ask(
        &mut self,
        codes: &Codes,
        stack: &mut [Value],
        mut got: Option<Value>,
    ) -> Res<Asked> {
        loop {
            let Some(state) = self.callbacks.last_mut() else { return Err(broken()) };
            match state.step(&mut self.cx, &mut self.scratch, got.take())? {
                Next::Done(value) => {
                    self.callbacks.pop();
                    return Ok(Asked::Value(value));
                }
                Next::Call(count) => {
                    for (slot, value) in stack.iter_mut().zip(self.scratch.drain(..)) {
                        put(slot, value);
                    }
                    match self.ask_again(codes, stack, count as u8)? {
                        Asked::Value(value) => got = Some(value),
                        other => return Ok(other),
                    }
                }
                Next::Hold(_) | Next::Pause => return no("a value that another task computes"),
            }
        }
    }

    /// Calls the function at `place` for the innermost builtin, and again while that needs no code.
    pub(crate) fn ask_again(
        &mut self,
        codes: &Codes,
        stack: &mut [Value],
        count: u8,
    ) -> Res<Asked> {
        if let Some(Value::Function(closure)) = stack.first() {
            let found = codes.code_of(closure, count)?;
            if let Found::Code(found) = found
                && let Some(code) = codes.list.get(found as usize)
                && let Some(op) = code.one
                && count == 2
            {
                let ticks = u64::from(!code.is_free);
                return self.fold(stack, op, ticks);
            }
            return Ok(match found {
                Found::Code(code) => Asked::Enter(code, count),
                Found::Link(program, lambda) => Asked::Link(program, lambda, count),
            });
        }
        if let Some(Value::Builtin(id)) = stack.first()
            && count == 2
            && let Some(op) = id.builtin().facts.op_of(2)
        {
            return self.fold(stack, op, 0);
        }
        loop {
            let count = usize::from(count);
            let mut value = self.call_other(Some(&mut *stack), count)?;
            if self.cx.pausing() {
                return Ok(Asked::Later(value));
            }
            let Some(state) = self.callbacks.last_mut() else { return Err(broken()) };
            let Some(args) = stack.get_mut(1..=count) else { return Err(broken()) };
            if !state.again(&mut self.cx, args, &mut value)? {
                return Ok(Asked::Value(value));
            }
        }
    }

    /// Carries a value through a collection by an operation, without a call. Each costs `ticks`.
    fn fold(&mut self, stack: &mut [Value], op: Operation, ticks: u64) -> Res<Asked> {
        let Some([_, so_far, item, ..]) = Some(&mut *stack) else { return Err(broken()) };
        let (mut value, mut next) = (std::mem::take(so_far), std::mem::take(item));
        self.cx.spend(ticks)?;
        value = self.cx.take_op(op, value, next)?;
        let Some(CallbackState::Reduce(reduce)) = self.callbacks.last_mut() else {
            return Ok(if self.cx.pausing() { Asked::Later(value) } else { Asked::Value(value) });
        };
        // An integer is carried without a value in memory.
        let mut sum = value.as_int();
        while !self.cx.pausing()
            && let Some(item) = reduce.next_plain()
        {
            self.cx.spend(ticks + 1)?;
            if let (Some(left), Value::Int(right), Operation::Add) = (sum, &item, op)
                && let Some(int) = left.checked_add(*right)
            {
                sum = Some(int);
                item.done();
                continue;
            }
            next = item;
            let left = sum.map_or_else(|| std::mem::take(&mut value), Value::Int);
            value = self.cx.take_op(op, left, next)?;
            sum = value.as_int();
        }
        let value = sum.map_or(value, Value::Int);
        Ok(if self.cx.pausing() { Asked::Later(value) } else { Asked::Value(value) })
    }

    /// Begins to change a map that nobody else holds. The map, the path, the function and its arguments begin behind
    /// `first`. Returns none if the general form must do it.
    pub(crate) fn update(
        &mut self,
        codes: &Codes,
        slots: &mut Slots,
        changes: Changes,
        first: u8,
        to: u8,
        count: u8,
    ) -> Res<Option<Then>> {
        let place = usize::from(first) + 1;
        let Some([map, path, function, ..]) = slots.get_mut(place..) else { return Ok(None) };
        let Some(keys) = changes.keys(path) else { return Ok(None) };
        let arguments = count - 2;
        let found = match function {
            Value::Function(closure) => match codes.code_of(closure, arguments)? {
                Found::Code(code) => Some(code),
                Found::Link(program, lambda) => {
                    self.leave(Exit::Link(program, lambda));
                    return Ok(Some(Then::Again));
                }
            },
            Value::Builtin(id)
                if id.for_count(usize::from(arguments)).is_ok_and(|id| id.builtin().is_pure) =>
            {
                None
            }
            _ => return Ok(None),
        };
        let Some(old) = find(map, keys).map(std::mem::take) else { return Ok(None) };
        let kind = if changes == Changes::Path { Kind::Path } else { Kind::Field };
        if kind == Kind::Path {
            self.cx.spend(keys.len() as u64)?;
        }
        let begin = place + 3;
        let args = slots.get_mut(begin..begin + usize::from(arguments)).ok_or_else(broken)?;
        args.rotate_right(1);
        if let Some(slot) = args.first_mut() {
            put(slot, old);
        }
        if let Some(code) = found {
            return Ok(Some(Then::Enter { code, first: first + 3, to, count: arguments, kind }));
        }
        let new = self.call_other(slots.get_mut(place + 2..), usize::from(arguments))?;
        self.changed(slots, kind, first + 3, to, new)?;
        Ok(Some(self.next()))
    }

    /// Puts the new value into the map; the function was called at `place`.
    pub(crate) fn changed(
        &mut self,
        slots: &mut Slots,
        kind: Kind,
        place: u8,
        to: u8,
        new: Value,
    ) -> Res<()> {
        let changes = if kind == Kind::Path { Changes::Path } else { Changes::Field };
        let place = usize::from(place);
        let Some([map, path, function]) = slots.get_mut(place - 2..=place) else {
            return Err(broken());
        };
        put(function, Value::Nil);
        let Some(keys) = changes.keys(path) else { return Err(broken()) };
        if kind == Kind::Path {
            self.cx.spend(keys.len() as u64)?;
        }
        let map = std::mem::take(map);
        let changed = ptc_machine::put(&mut self.cx, map, keys, new)?;
        put(path, Value::Nil);
        put(&mut slots[usize::from(to)], changed);
        Ok(())
    }

    #[cold]
    #[inline(never)]
    pub(crate) fn collect_rest(&mut self, slots: &mut Slots, params: u8, count: u8) -> Res<()> {
        let from = usize::from(params) + 1;
        let rest: Vec<Value> = (from..=usize::from(count))
            .filter_map(|at| slots.get_mut(at).map(std::mem::take))
            .collect();
        let rest = if rest.is_empty() { Value::Nil } else { self.cx.list(rest)? };
        if let Some(slot) = slots.get_mut(from) {
            put(slot, rest);
        }
        Ok(())
    }

    /// Calls a builtin that can borrow its arguments.
    #[inline]
    pub(crate) fn borrow(&mut self, slots: &mut Slots, id: BuiltinId, a: u8, b: Option<u8>) -> Res {
        let first = &slots[usize::from(a)];
        let second = b.map_or(&Value::Nil, |b| &slots[usize::from(b)]);
        if let Some(borrowing) = id.builtin().facts.borrowing
            && !is_long(first)
            && !is_long(second)
            && let Some(value) = (borrowing.call)(&mut self.cx.fields, first, second)
        {
            return Ok(value);
        }
        self.borrow_no(slots, id, a, b)
    }

    #[inline(never)]
    fn borrow_no(&mut self, slots: &Slots, id: BuiltinId, a: u8, b: Option<u8>) -> Res {
        let first = slots[usize::from(a)].clone();
        match b {
            None => self.cx.call(id, &mut [first]),
            Some(b) => self.cx.call(id, &mut [first, slots[usize::from(b)].clone()]),
        }
    }
}
