//! Calls of values, and builtins that call back.
//!
//! Every call goes through [`Core::call_at`], whose callee and arguments are in slots, or through [`Core::call_values`],
//! whose arguments are too many for slots or of a builtin that keeps them.

use std::ops::ControlFlow;
use std::sync::Arc;

use super::action::Action;
use super::callback::CallbackState;
use super::codes::{Codes, Found, Kind};
use super::each::Each;
use super::machine_core::Core;
use super::problems::invariant_violated;
use super::request::{CallsBack, Request};
use super::row::{Implementation, compiled};
use super::slots::{empty, put, taken};
use super::task::{Dest, Later, Working};
use super::then::{Exit, Then};
use super::tracer::Tracer;
use crate::ops::WINDOW;
use ptc_facts::registry::Registered;
use ptc_values::ir::Op as Operation;
use ptc_values::{BuiltinId, Ext, Lazy, Program, Res, Value, is_var};

type Slots = [Value; WINDOW];

/// The outcome of a call so far.
pub(super) enum Called {
    Value(Value),
    /// Enter this code with this number of arguments, which are in their places.
    Enter(u32, u8),
    /// The same, but the function is another one than the callee.
    EnterOther(u32, u8),
    /// Link this function, and call again with this number of arguments, which are in their places.
    Link(Arc<Program>, u32, usize),
    /// The same with the callee and its arguments.
    LinkFor(Arc<Program>, u32, Vec<Value>),
    /// The callee is a builtin that calls back, now the innermost one.
    Pushed,
    /// The task must wait for the value.
    Wait(Action),
}

/// The next step of a builtin that calls back.
pub(super) enum Asked {
    Value(Value),
    Enter(u32, u8, Kind),
    Later(Later),
    Link(Arc<Program>, u32, Later),
    Wait(Action),
}

/// The outcome of a step of a builtin that calls back: that of its call, or the next step.
type Stepped = Res<ControlFlow<Asked, Called>>;

impl Asked {
    /// Returns the next step after a call whose value is not there, or after one at which the machine must pause.
    fn of(called: Called) -> Asked {
        match called {
            Called::Value(value) => Asked::Later(Later::Got(value)),
            Called::Enter(entry, count) => Asked::Enter(entry, count, Kind::Item),
            Called::EnterOther(entry, count) => Asked::Enter(entry, count, Kind::Once),
            Called::Link(program, lambda, count) => {
                Asked::Link(program, lambda, Later::Item(count))
            }
            Called::LinkFor(program, lambda, values) => {
                Asked::Link(program, lambda, Later::ItemOf(values))
            }
            Called::Pushed => Asked::Later(Later::Step),
            Called::Wait(action) => Asked::Wait(action),
        }
    }
}

impl<W: Tracer> Core<W> {
    /// Calls the callee at the first of some slots; `count` arguments follow.
    pub(super) fn call_at(
        &mut self,
        codes: &Codes,
        slots: &mut [Value],
        count: usize,
    ) -> Res<Called> {
        if let Some(Value::Function(closure)) = slots.first() {
            return Ok(match codes.of(closure, count)? {
                Found::Entry(entry) => Called::Enter(entry, count as u8),
                Found::Link(program, lambda) => Called::Link(program, lambda, count),
            });
        }
        if let Some(result) = self.call_plain(slots, count) {
            return result.map(Called::Value);
        }
        let [callee, rest @ ..] = slots else { return Err(invariant_violated()) };
        match callee {
            Value::Builtin(id) if !id.makes_transducer(count) => {
                let id = id.for_count(count)?;
                self.call_builtin(codes, slots, id, count)
            }
            _ => {
                let args = rest.get_mut(..count).ok_or_else(invariant_violated)?;
                let callee = std::mem::take(callee);
                let args = args.iter_mut().map(std::mem::take).collect();
                self.call_values(codes, slots, callee, args)
            }
        }
    }

    /// Calls a builtin with the arguments behind the first of some slots.
    pub(super) fn call_builtin(
        &mut self,
        codes: &Codes,
        slots: &mut [Value],
        id: BuiltinId,
        count: usize,
    ) -> Res<Called> {
        let args = slots.get_mut(1..=count).ok_or_else(invariant_violated)?;
        let is_lazy = self.cx.world.lazy_aware && self.cx.overridden(id, args)?.is_some();
        match self.cx.imp(id) {
            Implementation::Pure(_) if !is_lazy => {
                let value = self.cx.call_growing(id, args)?;
                empty(args);
                Ok(Called::Value(value))
            }
            Implementation::Lisp if !is_lazy => {
                put(&mut slots[0], compiled(id)?);
                self.call_at(codes, slots, count)
            }
            _ => {
                let args = taken(slots, 1, count);
                self.call_builtin_values(codes, slots, id, args)
            }
        }
    }

    /// Calls a value. The slots are for the arguments of a function.
    pub(super) fn call_values(
        &mut self,
        codes: &Codes,
        slots: &mut [Value],
        mut callee: Value,
        mut args: Vec<Value>,
    ) -> Res<Called> {
        let count = args.len();
        if let Some(value) = self.value_of_var(&callee)? {
            callee = value;
        }
        match &callee {
            Value::Function(closure) => {
                let entry = match codes.of(closure, count)? {
                    Found::Entry(entry) => entry,
                    Found::Link(program, lambda) => {
                        args.insert(0, callee);
                        return Ok(Called::LinkFor(program, lambda, args));
                    }
                };
                let code = codes.list.get(entry as usize).ok_or_else(invariant_violated)?;
                let params = usize::from(code.params);
                if count + 1 > slots.len() && code.variadic && !self.cx.rest_given {
                    let rest = args.split_off(params);
                    args.push(self.cx.list(rest)?);
                    self.cx.rest_given = true;
                }
                let count = args.len();
                let [place, places @ ..] = slots else { return Err(invariant_violated()) };
                if count > places.len() {
                    return Err(invariant_violated());
                }
                put(place, callee);
                for (slot, arg) in places.iter_mut().zip(args) {
                    put(slot, arg);
                }
                Ok(Called::EnterOther(entry, count as u8))
            }
            Value::Builtin(id) if id.makes_transducer(count) => {
                let transducer = ptc_facts::registry::find("ptc/transducer");
                let of = transducer.ok_or_else(invariant_violated)?;
                args.insert(0, callee);
                self.call_builtin_values(codes, slots, of, args)
            }
            Value::Builtin(id) => {
                let id = id.for_count(count)?;
                self.call_builtin_values(codes, slots, id, args)
            }
            Value::Ext(ext) if matches!(**ext, Ext::Stage(_)) => {
                if self.task.callbacks.len() >= self.cx.limits.call_depth as usize {
                    return Err(self.cx.too_deep());
                }
                let state = CallbackState::stage(&mut self.cx, callee, args)?;
                Ok(self.pushed(state))
            }
            Value::Map(_) | Value::Set(_)
                if self.cx.world.lazy_aware
                    && args.first().is_some_and(|key| Lazy::of(key).is_some()) =>
            {
                let get = ptc_facts::registry::find("get").ok_or_else(invariant_violated)?;
                args.insert(0, callee);
                self.call_builtin_values(codes, slots, get.for_count(count + 1)?, args)
            }
            _ => self.look_up(&callee, &args).map(Called::Value),
        }
    }

    /// Calls a builtin with arguments that it may keep.
    pub(super) fn call_builtin_values(
        &mut self,
        codes: &Codes,
        slots: &mut [Value],
        id: BuiltinId,
        mut args: Vec<Value>,
    ) -> Res<Called> {
        if self.cx.world.lazy_aware
            && let Some((function, with_all)) = self.cx.overridden(id, &mut args)?
        {
            if with_all {
                args.insert(0, Value::Builtin(id));
            }
            return self.call_values(codes, slots, function, args);
        }
        match self.cx.imp_for(id, &mut args)? {
            Implementation::Pure(_) => self.cx.call(id, &mut args).map(Called::Value),
            Implementation::Step(step) => {
                let state = Each::eager(&mut self.cx, step, args)?.into();
                Ok(self.pushed(state))
            }
            Implementation::CallbackState(make) | Implementation::Shortcut(_, make) => {
                let state = make(&mut self.cx, args)?;
                Ok(self.pushed(state))
            }
            Implementation::Fork(make) => {
                let fork = make(&mut self.cx, args)?;
                Ok(Called::Wait(self.fork(fork)))
            }
            Implementation::Action(act) => {
                self.act(codes, act, args.pop().unwrap_or_default()).map(Called::Wait)
            }
            Implementation::Lisp => self.call_values(codes, slots, compiled(id)?, args),
        }
    }

    /// Makes a builtin that calls back the innermost one, unless it is done.
    pub(super) fn pushed(&mut self, state: CallbackState) -> Called {
        match state {
            CallbackState::Value(value) => Called::Value(value),
            state => {
                self.task.callbacks.push(Working { state, is_nested: true });
                Called::Pushed
            }
        }
    }

    /// Takes the outcome of the call of an operation.
    pub(super) fn called(
        &mut self,
        codes: &Codes,
        slots: &mut Slots,
        called: Called,
        first: u8,
        to: u8,
    ) -> Res<Then> {
        Ok(match called {
            Called::Value(value) => {
                put(&mut slots[usize::from(to)], value);
                self.next()
            }
            Called::Enter(entry, count) | Called::EnterOther(entry, count) => {
                Then::Enter { entry, first, to, count, kind: Kind::Call }
            }
            Called::Link(program, lambda, count) => {
                self.task.later = Some((first, to, Later::Call(count)));
                self.leave(Exit::Link(program, lambda))
            }
            Called::LinkFor(program, lambda, values) => {
                self.task.later = Some((first, to, Later::CallOf(values)));
                self.leave(Exit::Link(program, lambda))
            }
            Called::Pushed => {
                if let Some(last) = self.task.callbacks.last_mut() {
                    last.is_nested = false;
                }
                let asked = self.ask(codes, &mut slots[usize::from(first)..], None)?;
                return self.asked(slots, asked, first, to);
            }
            Called::Wait(action) => self.wait_for(Dest::Slot(to), action),
        })
    }

    /// Takes the outcome of the call of an operation, or its problem.
    pub(super) fn called_or_failed(
        &mut self,
        codes: &Codes,
        slots: &mut Slots,
        called: Res<Called>,
        first: u8,
        to: u8,
    ) -> Then {
        let then = called.and_then(|called| self.called(codes, slots, called, first, to));
        self.or_failed(then)
    }

    /// Goes on after a pause within a call.
    pub(super) fn go_on(
        &mut self,
        codes: &Codes,
        slots: &mut Slots,
        first: u8,
        to: u8,
        later: Later,
    ) -> Then {
        let place = &mut slots[usize::from(first)..];
        let asked = match later {
            Later::Got(value) => self.ask(codes, place, Some(value)),
            Later::Step => self.ask(codes, place, None),
            Later::Item(count) => {
                let called = self.call_for_builtin(codes, place, count);
                self.ask_with(codes, place, called)
            }
            Later::ItemOf(values) => {
                let called = self.call_all(codes, place, values);
                self.ask_with(codes, place, called)
            }
            Later::Call(count) => {
                let called = self.call_at(codes, place, count);
                return self.called_or_failed(codes, slots, called, first, to);
            }
            Later::CallOf(values) => {
                let called = self.call_all(codes, place, values);
                return self.called_or_failed(codes, slots, called, first, to);
            }
        };
        let then = asked.and_then(|asked| self.asked(slots, asked, first, to));
        self.or_failed(then)
    }

    pub(super) fn asked(
        &mut self,
        slots: &mut Slots,
        asked: Asked,
        first: u8,
        to: u8,
    ) -> Res<Then> {
        Ok(match asked {
            Asked::Value(value) => {
                put(&mut slots[usize::from(to)], value);
                self.next()
            }
            Asked::Enter(entry, count, kind) => Then::Enter { entry, first, to, count, kind },
            Asked::Later(later) => {
                self.task.later = Some((first, to, later));
                self.leave(Exit::Pause)
            }
            Asked::Link(program, lambda, later) => {
                self.task.later = Some((first, to, later));
                self.leave(Exit::Link(program, lambda))
            }
            Asked::Wait(action) => self.wait_for(Dest::Builtin { first, to }, action),
        })
    }

    /// Gives the value of a function to the builtin that called it, and takes its next arguments. Returns false if there
    /// are none.
    #[inline(never)]
    pub(super) fn again(&mut self, slots: &mut Slots, count: u8, value: &mut Value) -> Res<bool> {
        let args = slots.get_mut(1..=usize::from(count)).ok_or_else(invariant_violated)?;
        let working = self.task.callbacks.last_mut().ok_or_else(invariant_violated)?;
        working.state.build(&mut self.cx, value)?;
        working.state.again(&mut self.cx, args, value)
    }

    /// Delivers the value of a function that a builtin called.
    #[inline(never)]
    pub(super) fn deliver(
        &mut self,
        codes: &Codes,
        slots: &mut Slots,
        kind: Kind,
        value: Value,
        first: u8,
        to: u8,
    ) -> Then {
        let then = match kind {
            Kind::Field | Kind::Path => {
                self.changed(slots, kind, first, to, value).map(|()| self.next())
            }
            Kind::Swap => self.swapped(codes, slots, first, to, value),
            Kind::Applied => self.called(codes, slots, Called::Value(value), first, to),
            _ => self.give(codes, slots, value, first, to),
        };
        self.or_failed(then)
    }

    /// Gives the value of a function to the innermost builtin, which mostly calls a function of the program again.
    fn give(
        &mut self,
        codes: &Codes,
        slots: &mut Slots,
        value: Value,
        first: u8,
        to: u8,
    ) -> Res<Then> {
        let place = &mut slots[usize::from(first)..];
        let stepped = match self.request(Some(value)) {
            Ok(Request::Call(count)) => {
                if let Some(entry) = self.entered(codes, place, count) {
                    let count = count as u8;
                    return Ok(Then::Enter { entry, first, to, count, kind: Kind::Item });
                }
                self.requested(codes, place, Request::Call(count))
            }
            request => request.and_then(|request| self.requested(codes, place, request)),
        };
        let asked = self.ask_on(codes, place, stepped)?;
        self.asked(slots, asked, first, to)
    }

    /// Puts the arguments of a function of the program into their slots; returns its code. Returns none for another call.
    fn entered(&mut self, codes: &Codes, slots: &mut [Value], count: usize) -> Option<u32> {
        let Some(Value::Function(closure)) = self.scratch.first() else { return None };
        let Ok(Found::Entry(entry)) = codes.of(closure, count) else { return None };
        // Operations are folded: see `call_for_builtin`.
        if codes.list.get(entry as usize)?.code.one.is_some() || count >= slots.len() {
            return None;
        }
        for (slot, value) in slots.iter_mut().zip(self.scratch.drain(..)) {
            put(slot, value);
        }
        Some(entry)
    }

    /// Drops the builtins that call back in the running operation, after a problem.
    pub(super) fn drop_callbacks(&mut self) {
        while let Some(working) = self.task.callbacks.pop() {
            self.cx.give_up([&working.state]);
            if !working.is_nested {
                break;
            }
        }
    }

    /// Steps the innermost builtin until it is done or calls a function of a program.
    pub(super) fn ask(
        &mut self,
        codes: &Codes,
        slots: &mut [Value],
        got: Option<Value>,
    ) -> Res<Asked> {
        let stepped = self.step_builtin(codes, slots, got);
        self.ask_on(codes, slots, stepped)
    }

    /// Goes on with the outcome of a call for the innermost builtin.
    fn ask_with(&mut self, codes: &Codes, slots: &mut [Value], called: Res<Called>) -> Res<Asked> {
        self.ask_on(codes, slots, called.map(ControlFlow::Continue))
    }

    fn ask_on(&mut self, codes: &Codes, slots: &mut [Value], mut stepped: Stepped) -> Res<Asked> {
        loop {
            let got = match stepped {
                Ok(ControlFlow::Continue(Called::Value(value))) if !self.cx.pausing() => {
                    Some(value)
                }
                Ok(ControlFlow::Continue(Called::Pushed)) => None,
                Ok(ControlFlow::Continue(called)) => return Ok(Asked::of(called)),
                Ok(ControlFlow::Break(asked)) => return Ok(asked),
                Err(problem) => {
                    self.drop_callbacks();
                    return Err(problem);
                }
            };
            stepped = self.step_builtin(codes, slots, got);
        }
    }

    /// Steps the innermost builtin once, and makes the call that it asks for.
    fn step_builtin(&mut self, codes: &Codes, slots: &mut [Value], got: Option<Value>) -> Stepped {
        let request = self.request(got)?;
        self.requested(codes, slots, request)
    }

    /// Steps the innermost builtin once.
    fn request(&mut self, mut got: Option<Value>) -> Res<Request> {
        let working = self.task.callbacks.last_mut().ok_or_else(invariant_violated)?;
        if let Some(got) = &mut got {
            working.state.build(&mut self.cx, got)?;
        }
        working.state.step(&mut self.cx, &mut self.scratch, got)
    }

    /// Does what the innermost builtin asks for.
    fn requested(&mut self, codes: &Codes, slots: &mut [Value], request: Request) -> Stepped {
        let called = match request {
            Request::Done(value) => {
                let last = self.task.callbacks.pop().ok_or_else(invariant_violated)?;
                if !last.is_nested {
                    return Ok(ControlFlow::Break(Asked::Value(value)));
                }
                Called::Value(value)
            }
            Request::Hold(of) => return Ok(ControlFlow::Break(Asked::Wait(self.hold(of)))),
            Request::Pause => return Ok(ControlFlow::Break(Asked::Later(Later::Step))),
            Request::Call(count) if count < slots.len() => {
                for (slot, value) in slots.iter_mut().zip(self.scratch.drain(..)) {
                    put(slot, value);
                }
                self.call_for_builtin(codes, slots, count)?
            }
            Request::Call(_) => {
                let values = std::mem::take(&mut self.scratch);
                self.call_all(codes, slots, values)?
            }
        };
        Ok(ControlFlow::Continue(called))
    }

    /// Calls the first of some values with the others.
    fn call_all(&mut self, codes: &Codes, slots: &mut [Value], values: Vec<Value>) -> Res<Called> {
        let mut values = values.into_iter();
        let callee = values.next().unwrap_or_default();
        self.call_values(codes, slots, callee, values.collect())
    }

    /// Calls the function at the first slot for the innermost builtin, and again while that needs no code.
    fn call_for_builtin(
        &mut self,
        codes: &Codes,
        slots: &mut [Value],
        count: usize,
    ) -> Res<Called> {
        match slots.first() {
            Some(Value::Function(_)) => {
                let called = self.call_at(codes, slots, count)?;
                if let Called::Enter(entry, 2) = called
                    && !W::ON
                    && let Some(entry) = codes.list.get(entry as usize)
                    && let Some(op) = entry.code.one
                {
                    let ticks = u64::from(!entry.is_free);
                    return self.fold(slots, op, ticks).map(Called::Value);
                }
                return Ok(called);
            }
            Some(Value::Builtin(id))
                if count == 2
                    && !self.cx.world.lazy_aware
                    && let Some(op) = id.builtin().facts.op_of(2) =>
            {
                return self.fold(slots, op, 0).map(Called::Value);
            }
            _ => {}
        }
        loop {
            let is_data = matches!(
                slots.first(),
                Some(Value::Builtin(_) | Value::Keyword(_) | Value::Map(_) | Value::Set(_))
            );
            let mut value = match self.call_at(codes, slots, count)? {
                Called::Value(value) if is_data && !self.cx.world.lazy_aware => value,
                called => return Ok(called),
            };
            if self.cx.pausing() {
                return Ok(Called::Value(value));
            }
            let working = self.task.callbacks.last_mut().ok_or_else(invariant_violated)?;
            let args = slots.get_mut(1..=count).ok_or_else(invariant_violated)?;
            if !working.state.again(&mut self.cx, args, &mut value)? {
                return Ok(Called::Value(value));
            }
        }
    }

    /// Makes the calls of a builtin by an operation, without a call. Each costs `ticks`.
    fn fold(&mut self, slots: &mut [Value], op: Operation, ticks: u64) -> Res {
        let [_, so_far, item, ..] = slots else { return Err(invariant_violated()) };
        let (mut value, mut next) = (std::mem::take(so_far), std::mem::take(item));
        self.cx.spend(ticks)?;
        value = self.cx.take_op(op, value, next)?;
        let working = self.task.callbacks.last_mut().ok_or_else(invariant_violated)?;
        let CallbackState::Reduce(reduce) = &mut working.state else {
            let mut args = [Value::Nil, Value::Nil];
            while !self.cx.pausing() && working.state.again(&mut self.cx, &mut args, &mut value)? {
                self.cx.spend(ticks)?;
                let [left, right] = std::mem::take(&mut args);
                value = self.cx.take_op(op, left, right)?;
            }
            return Ok(value);
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
        Ok(sum.map_or(value, Value::Int))
    }

    /// Arranges the rest of the arguments as a list.
    #[cold]
    #[inline(never)]
    pub(super) fn collect_rest(&mut self, slots: &mut Slots, params: u8, count: u8) -> Res<()> {
        if std::mem::take(&mut self.cx.rest_given) {
            return Ok(());
        }
        let from = usize::from(params) + 1;
        let rest = taken(slots, from as u8, (usize::from(count) + 1).saturating_sub(from));
        let rest = if rest.is_empty() { Value::Nil } else { self.cx.list(rest)? };
        if let Some(slot) = slots.get_mut(from) {
            put(slot, rest);
        }
        Ok(())
    }

    /// Returns the definition of a var, which a call of the var calls; none for another value.
    fn value_of_var(&mut self, callee: &Value) -> Res<Option<Value>> {
        // A var may be defined as a var, even as itself.
        const MOST_VARS: usize = 32;
        let mut found = None;
        for _ in 0..MOST_VARS {
            let Value::Ext(ext) = found.as_ref().unwrap_or(callee) else { break };
            let Ext::Var(name) = &**ext else { break };
            self.cx.spend(self.cx.world.globals.count() as u64 / 64 + 1)?;
            let mut globals = self.cx.world.globals.iter();
            let value = globals.find(|(global, _)| *global == name).and_then(|(_, value)| value);
            found = Some(value.cloned().unwrap_or_default());
        }
        Ok(found.filter(|value| !is_var(value)))
    }
}
