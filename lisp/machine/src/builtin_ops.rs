//! The operations that call builtins, read fields, and call values of any kind.

#![expect(clippy::too_many_arguments, reason = "the operands of an operation")]

use super::built::takes_itself;
use super::codes::{Codes, Entry, Found, Kind};
use super::machine_core::Core;
use super::problems::invariant_violated;
use super::row::Implementation;
use super::slots::{empty, given, put};
use super::then::Then;
use super::tracer::Tracer;
use crate::ops::WINDOW;
use ptc_facts::registry::Registered;
use ptc_values::{BuiltinId, Lazy, Res, Value};

type Slots = [Value; WINDOW];

impl<W: Tracer> Core<W> {
    /// Looks up a key in data; returns false for a function.
    #[inline(never)]
    pub(super) fn look_up_slot(
        &mut self,
        slots: &mut Slots,
        to: u8,
        data: u8,
        key: u8,
        taken: bool,
    ) -> Res<bool> {
        let found = self.look_up_at(&slots[usize::from(data)], &slots[usize::from(key)]);
        let Some(found) = found else { return Ok(false) };
        let found = found?;
        if taken {
            put(&mut slots[usize::from(key)], Value::Nil);
        }
        put(&mut slots[usize::from(to)], found);
        Ok(true)
    }

    /// Calls a builtin that calls nothing, with the arguments behind `first`.
    #[inline(never)]
    pub(super) fn pure(
        &mut self,
        codes: &Codes,
        slots: &mut Slots,
        to: u8,
        first: u8,
        count: u8,
        id: BuiltinId,
    ) -> Then {
        let start = usize::from(first) + 1;
        let Some(args) = slots.get_mut(start..start + usize::from(count)) else {
            return self.failed(invariant_violated());
        };
        if self.cx.world.lazy_aware && !takes_itself(id, args) {
            return self.calling(codes, slots, to, first, count, id);
        }
        match self.cx.call_inline(id, args) {
            Ok(value) => {
                empty(args);
                put(&mut slots[usize::from(to)], value);
                self.next()
            }
            Err(problem) => self.failed(problem),
        }
    }

    /// `str`. Short strings and integers are read in their slots.
    #[inline(never)]
    pub(super) fn text(
        &mut self,
        codes: &Codes,
        slots: &mut Slots,
        to: u8,
        first: u8,
        count: u8,
        id: BuiltinId,
    ) -> Then {
        let start = usize::from(first) + 1;
        let Some(args) = slots.get_mut(start..start + usize::from(count)) else {
            return self.failed(invariant_violated());
        };
        let text = match super::texts::short_text(&mut self.cx, args.iter().map(Some)) {
            Some(text) => text,
            None if self.cx.world.lazy_aware => {
                return self.calling(codes, slots, to, first, count, id);
            }
            None => self.cx.call_growing(id, args),
        };
        match text {
            Ok(text) => {
                empty(args);
                put(&mut slots[usize::from(to)], text);
                self.next()
            }
            Err(problem) => self.failed(problem),
        }
    }

    /// Calls a builtin of any kind, with the arguments behind `first`.
    pub(super) fn calling(
        &mut self,
        codes: &Codes,
        slots: &mut Slots,
        to: u8,
        first: u8,
        count: u8,
        id: BuiltinId,
    ) -> Then {
        let called = self.call_builtin(codes, &mut slots[usize::from(first)..], id, count.into());
        self.called_or_failed(codes, slots, called, first, to)
    }

    #[inline(never)]
    pub(super) fn borrow_one(
        &mut self,
        (codes, entry): (&Codes, &Entry),
        slots: &mut Slots,
        to: u8,
        a: u8,
        taken: bool,
        id: BuiltinId,
    ) -> Then {
        if let Some(value) = self.cx.borrow(id, &slots[usize::from(a)], &Value::Nil) {
            if taken {
                put(&mut slots[usize::from(a)], Value::Nil);
            }
            put(&mut slots[usize::from(to)], value);
            return self.next();
        }
        let value = given(&mut slots[usize::from(a)], taken);
        self.call_apart((codes, entry), slots, to, id, [value])
    }

    #[inline(never)]
    pub(super) fn borrow_two(
        &mut self,
        (codes, entry): (&Codes, &Entry),
        slots: &mut Slots,
        to: u8,
        a: u8,
        b: u8,
        taken: u8,
        id: BuiltinId,
    ) -> Then {
        if let Some(value) = self.cx.borrow(id, &slots[usize::from(a)], &slots[usize::from(b)]) {
            if taken & 1 > 0 {
                put(&mut slots[usize::from(a)], Value::Nil);
            }
            if taken & 2 > 0 {
                put(&mut slots[usize::from(b)], Value::Nil);
            }
            put(&mut slots[usize::from(to)], value);
            return self.next();
        }
        let first = given(&mut slots[usize::from(a)], taken & 1 > 0 && a != b);
        let second = given(&mut slots[usize::from(b)], taken & 2 > 0 || (taken > 0 && a == b));
        self.call_apart((codes, entry), slots, to, id, [first, second])
    }

    /// Calls a builtin with values, in slots that the frame does not use.
    fn call_apart<const N: usize>(
        &mut self,
        (codes, entry): (&Codes, &Entry),
        slots: &mut Slots,
        to: u8,
        id: BuiltinId,
        values: [Value; N],
    ) -> Then {
        let first = entry.code.slots.min((WINDOW - 8) as u16) as u8;
        for (slot, value) in slots.iter_mut().skip(usize::from(first) + 1).zip(values) {
            put(slot, value);
        }
        self.pure(codes, slots, to, first, N as u8, id)
    }

    #[inline(never)]
    pub(super) fn field(&mut self, slots: &mut Slots, to: u8, map: u8, taken: bool, key: &Value) {
        let value = self.cx.fields.lookup(&slots[usize::from(map)], key);
        if taken {
            put(&mut slots[usize::from(map)], Value::Nil);
        }
        put(&mut slots[usize::from(to)], value);
    }

    /// `get` of a keyword.
    #[inline(never)]
    pub(super) fn get_field(
        &mut self,
        (codes, entry, pc): (&Codes, &Entry, usize),
        slots: &mut Slots,
        to: u8,
        map: u8,
        taken: bool,
        key: &Value,
    ) -> Then {
        let value = match &slots[usize::from(map)] {
            map @ Value::Map(_) => self.cx.fields.lookup(map, key),
            Value::Nil => Value::Nil,
            _ => {
                let value = given(&mut slots[usize::from(map)], taken);
                return match entry.builtin(pc) {
                    Ok(id) => self.call_apart((codes, entry), slots, to, id, [value, key.clone()]),
                    Err(problem) => self.failed(problem),
                };
            }
        };
        if taken {
            put(&mut slots[usize::from(map)], Value::Nil);
        }
        put(&mut slots[usize::from(to)], value);
        Then::Request
    }

    #[inline(never)]
    pub(super) fn as_map(
        &mut self,
        (codes, entry, pc): (&Codes, &Entry, usize),
        slots: &mut Slots,
        to: u8,
        from: u8,
        taken: bool,
    ) -> Then {
        match given(&mut slots[usize::from(from)], taken) {
            map @ (Value::Map(_) | Value::Nil) => put(&mut slots[usize::from(to)], map),
            other => {
                return match entry.builtin(pc) {
                    Ok(id) => self.call_apart((codes, entry), slots, to, id, [other]),
                    Err(problem) => self.failed(problem),
                };
            }
        }
        Then::Request
    }

    /// Calls a global other than a function without captured values.
    #[inline(never)]
    pub(super) fn call_global(
        &mut self,
        codes: &Codes,
        slots: &mut Slots,
        global: u32,
        first: u8,
        to: u8,
        count: u8,
    ) -> Then {
        let Some(Some(callee)) = self.cx.world.globals.values.get(global as usize) else {
            let problem = self.undefined(global);
            return self.failed(problem);
        };
        if let Some(quick) = codes.quick(callee)
            && let Some(place) = self.quick.get_mut(global as usize)
        {
            *place = quick;
        }
        put(&mut slots[usize::from(first)], callee.clone());
        self.call(codes, slots, first, to, count)
    }

    /// Calls data, or a builtin that calls nothing, with the arguments behind the first of some slots. Returns none if the
    /// call is another one, or may be one of lazy sequences.
    #[inline]
    pub(super) fn call_plain(&mut self, slots: &mut [Value], count: usize) -> Option<Res> {
        let (callee, rest) = slots.split_first_mut()?;
        let args = rest.get_mut(..count)?;
        let is_lazy = self.cx.world.lazy_aware;
        if let [arg] = args
            && let Some(found) = self.look_up_at(callee, arg)
        {
            put(arg, Value::Nil);
            return Some(found);
        }
        let result = match callee {
            Value::Builtin(id)
                if id.builtin().facts.is_brief()
                    && let [first] | [first, _] = &*args
                    && let Some(value) = self.cx.call_brief(*id, first, args.get(1)) =>
            {
                Ok(value)
            }
            Value::Builtin(id) if !id.makes_transducer(count) => match id.for_count(count) {
                Ok(id)
                    if matches!(self.cx.imp(id), Implementation::Pure(_))
                        && (!is_lazy || takes_itself(id, args)) =>
                {
                    self.cx.call_growing(id, args)
                }
                Ok(_) => return None,
                Err(problem) => Err(problem),
            },
            Value::Keyword(_) | Value::Map(_) | Value::Set(_) | Value::Vector(_)
                if !is_lazy || args.iter().all(|arg| Lazy::of(arg).is_none()) =>
            {
                self.look_up(callee, args)
            }
            _ => return None,
        };
        if result.is_ok() {
            empty(args);
        }
        Some(result)
    }

    /// Calls the callee at `first`.
    #[inline(never)]
    pub(super) fn call(
        &mut self,
        codes: &Codes,
        slots: &mut Slots,
        first: u8,
        to: u8,
        count: u8,
    ) -> Then {
        if let Value::Function(closure) = &slots[usize::from(first)]
            && let Ok(Found::Entry(entry)) = codes.of(closure, count.into())
        {
            return Then::Enter { entry, first, to, count, kind: Kind::Call };
        }
        match self.call_plain(&mut slots[usize::from(first)..], count.into()) {
            Some(Ok(value)) => {
                put(&mut slots[usize::from(to)], value);
                return self.next();
            }
            Some(Err(problem)) => return self.failed(problem),
            None => {}
        }
        if let Value::Builtin(id) = slots[usize::from(first)]
            && let Ok(id) = id.for_count(count.into())
            && let Implementation::Shortcut(shortcut, _) = self.cx.imp(id)
        {
            match self.shortcut(codes, slots, shortcut, first, to, count) {
                Ok(Some(then)) => return then,
                Ok(None) => {}
                Err(problem) => return self.failed(problem),
            }
        }
        let called = self.call_at(codes, &mut slots[usize::from(first)..], count.into());
        self.called_or_failed(codes, slots, called, first, to)
    }
}
