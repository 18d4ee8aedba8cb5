//! `swap!`, `reset!` and `deref` of an atom that calls nothing when it changes, and `vswap!`, for which a volatile is one.
//!
//! A collection that only the atom holds is changed in place. A function of the program runs while the atom holds the old
//! value, so it may read the atom, wait, or fail. A builtin gets the value itself if it cannot fail. Fuel is that of
//! `change.rs`, which does all other cases.

use super::calls::Called;
use super::change::{Change, same};
use super::codes::{Codes, Found, Kind};
use super::cx::Cx;
use super::machine_core::Core;
use super::problems::invariant_violated;
use super::row::{Implementation, Shortcut};
use super::slots::{empty, put, taken};
use super::task::Working;
use super::then::Then;
use super::tracer::Tracer;
use super::update::Changes;
use crate::ops::WINDOW;
use ptc_facts::registry::Registered;
use ptc_values::{BuiltinId, Cell, CellKind, Ext, Res, Value, holds_grown};

type Slots = [Value; WINDOW];

/// The slots of an atom, its function and the arguments of that.
#[derive(Clone, Copy)]
struct Swap {
    begin: usize,
    end: usize,
    /// The slot of the new value.
    to: u8,
}

impl Swap {
    /// Drops the value in the slot of the new one, which may be the value of the atom.
    fn empty_result(self, slots: &mut Slots) {
        let to = usize::from(self.to);
        if !(self.begin..self.end).contains(&to) {
            put(&mut slots[to], Value::Nil);
        }
    }

    fn done(self, slots: &mut Slots, new: Value) {
        empty(&mut slots[self.begin..self.end]);
        put(&mut slots[usize::from(self.to)], new);
    }
}

impl<W: Tracer> Core<W> {
    /// `deref` of an atom or a volatile. Returns none if the general form must do it.
    pub(super) fn deref(&mut self, slots: &mut Slots, first: u8, to: u8) -> Option<Then> {
        let place = usize::from(first) + 1;
        let Value::Ext(ext) = slots.get(place)? else { return None };
        let value = match &**ext {
            Ext::Cell(cell) if cell.kind() != CellKind::Delay => cell.get()?,
            _ => return None,
        };
        put(&mut slots[place], Value::Nil);
        put(&mut slots[usize::from(to)], value);
        Some(self.next())
    }

    /// `reset!`. Returns none if the general form must do it.
    pub(super) fn reset(&mut self, slots: &mut Slots, first: u8, to: u8) -> Res<Option<Then>> {
        let begin = usize::from(first) + 1;
        let Some([atom, new, ..]) = slots.get_mut(begin..) else { return Ok(None) };
        let Some(cell) = cell(atom).filter(|it| it.kind() == CellKind::Atom) else {
            return Ok(None);
        };
        if cell.exchange(new.clone(), |_| true).is_err() {
            return Ok(None);
        }
        self.cx.spend(2)?;
        let new = std::mem::take(new);
        Swap { begin, end: begin + 2, to }.done(slots, new);
        Ok(Some(self.next()))
    }

    /// Begins a `swap!`, whose atom, function and arguments begin behind `first`. Returns none if the general form must
    /// do it.
    pub(super) fn swap(
        &mut self,
        codes: &Codes,
        slots: &mut Slots,
        kind: CellKind,
        first: u8,
        to: u8,
        count: u8,
    ) -> Res<Option<Then>> {
        let begin = usize::from(first) + 1;
        let Some(cell) = cell(&slots[begin]).filter(|it| it.kind() == kind) else {
            return Ok(None);
        };
        let swap = Swap { begin, end: begin + usize::from(count), to };
        // The values that the end needs are behind the arguments, and the call is behind them.
        let place = swap.end + 2;
        if place + usize::from(count) >= WINDOW {
            return Ok(None);
        }
        if let Value::Builtin(id) = slots[begin + 1]
            && !self.updates(id)
        {
            return self.swap_by_builtin(slots, swap, id);
        }
        let is_update = matches!(slots[begin + 1], Value::Builtin(_));
        let function = if is_update { begin + 3 } else { begin + 1 };
        if function >= swap.end {
            return Ok(None);
        }
        let given = swap.end - function;
        let mut is_moved = false;
        match &slots[function] {
            Value::Function(closure) => match codes.of(closure, given) {
                Ok(Found::Entry(entry)) => {
                    is_moved =
                        !is_update && !W::ON && self.branches.is_alone() && codes.is_unseen(entry);
                }
                _ => return Ok(None),
            },
            Value::Builtin(id) if is_update && self.is_pure(*id, given) => {}
            _ => return Ok(None),
        }
        // The function gets the only reference. If it fails, the program ends.
        let found = if is_moved { cell.take_plain() } else { cell.get_plain() };
        let Some(found) = found else { return Ok(None) };
        let (old, value) = if is_update {
            let Some(value) = field(&found, &slots[begin + 2]) else { return Ok(None) };
            (found, value)
        } else if is_moved {
            (Value::Nil, found)
        } else {
            (found.clone(), found)
        };
        for at in function..swap.end {
            let value = slots[at].clone();
            // The old value is between the function and its other arguments.
            let behind = usize::from(at > function);
            put(&mut slots[place + at - function + behind], value);
        }
        put(&mut slots[place + 1], value);
        put(&mut slots[swap.end], Value::Int(i64::from(count)));
        put(&mut slots[swap.end + 1], old);
        if is_moved {
            swap.empty_result(slots);
        }
        let place = place as u8;
        match self.call_at(codes, &mut slots[usize::from(place)..], given)? {
            Called::Enter(entry, count) => {
                Ok(Some(Then::Enter { entry, first: place, to, count, kind: Kind::Swap }))
            }
            Called::Value(new) => self.swapped(codes, slots, place, to, new).map(Some),
            _ => Err(invariant_violated()),
        }
    }

    /// Ends a `swap!` whose function was called at `place`.
    pub(super) fn swapped(
        &mut self,
        codes: &Codes,
        slots: &mut Slots,
        place: u8,
        to: u8,
        new: Value,
    ) -> Res<Then> {
        let end = usize::from(place) - 2;
        let Value::Int(count) = slots[end] else { return Err(invariant_violated()) };
        let swap = Swap { begin: end - count as usize, end, to };
        let old = std::mem::take(&mut slots[end + 1]);
        let is_update = matches!(slots[swap.begin + 1], Value::Builtin(_));
        let cell = cell(&slots[swap.begin]).ok_or_else(invariant_violated)?;
        // Only a limit ends the update, and the program with it if it is alone.
        let between = match is_update {
            true if self.branches.is_alone() => Value::Nil,
            true => old.clone(),
            false => new.clone(),
        };
        let Ok(map) = cell.exchange(between, |now| same(now, &old)) else {
            return self.swap_again(codes, slots, swap, old, new);
        };
        let new = if is_update {
            drop(old);
            swap.empty_result(slots);
            let key = std::mem::take(&mut slots[swap.begin + 2]);
            let new = put_field(&mut self.cx, map, key, new)?;
            put_back(&slots[swap.begin], new.clone())?;
            new
        } else {
            new
        };
        self.cx.spend(2)?;
        swap.done(slots, new);
        Ok(self.next())
    }

    /// Goes on in the general form, since the atom has changed or calls something when it changes.
    #[cold]
    fn swap_again(
        &mut self,
        codes: &Codes,
        slots: &mut Slots,
        swap: Swap,
        old: Value,
        new: Value,
    ) -> Res<Then> {
        let new = if matches!(slots[swap.begin + 1], Value::Builtin(_)) {
            put_field(&mut self.cx, old.clone(), slots[swap.begin + 2].clone(), new)?
        } else {
            new
        };
        let mut args = taken(slots, swap.begin as u8, swap.end - swap.begin);
        let (atom, function) = (std::mem::take(&mut args[0]), std::mem::take(&mut args[1]));
        let state = Change::computing(atom, function, args.split_off(2), old).into();
        self.task.callbacks.push(Working { state, is_nested: false });
        let first = swap.begin - 1;
        let asked = self.ask(codes, &mut slots[first..], Some(new))?;
        self.asked(slots, asked, first as u8, swap.to)
    }

    /// Swaps by a builtin that calls nothing.
    fn swap_by_builtin(
        &mut self,
        slots: &mut Slots,
        swap: Swap,
        id: BuiltinId,
    ) -> Res<Option<Then>> {
        let Swap { begin, end, .. } = swap;
        // One that reads its arguments where they are needs the cell once.
        if let [_, _, more @ ..] = &slots[begin..end]
            && more.len() < 2
            && id.builtin().facts.is_brief()
            && let Some(cell) = cell(&slots[begin])
            && let Some(new) = cell.change_plain(|old| self.cx.call_brief(id, old, more.first()))
        {
            self.cx.spend(2)?;
            swap.done(slots, new);
            return Ok(Some(self.next()));
        }
        if !self.is_pure(id, end - begin - 1) {
            return Ok(None);
        }
        let (function, id) = (id, id.for_count(end - begin - 1)?);
        let Some(old) = cell(&slots[begin]).and_then(Cell::take_plain) else { return Ok(None) };
        put(&mut slots[begin + 1], old);
        if self.cx.world.lazy_aware && self.cx.overridden(id, &mut slots[begin + 1..end])?.is_some()
        {
            let old = std::mem::replace(&mut slots[begin + 1], Value::Builtin(function));
            put_back(&slots[begin], old)?;
            return Ok(None);
        }
        // A builtin that calls nothing does not read the atom.
        let is_moved = self.branches.is_alone() && cannot_fail(id, &slots[begin + 1..end]);
        let kept = if is_moved { Value::Nil } else { slots[begin + 1].clone() };
        if is_moved {
            swap.empty_result(slots);
        }
        let result = match &mut slots[begin + 1..end] {
            [a, b]
                if !self.cx.world.lazy_aware
                    && let Some(op) = id.builtin().facts.op_of(2) =>
            {
                let (a, b) = (std::mem::take(a), std::mem::take(b));
                self.cx.take_op(op, a, b)
            }
            args => self.cx.call_growing(id, args),
        };
        match result.and_then(|new| self.cx.spend(2).map(|()| new)) {
            Ok(new) => {
                put_back(&slots[begin], new.clone())?;
                swap.done(slots, new);
                Ok(Some(self.next()))
            }
            Err(problem) => {
                put_back(&slots[begin], kept)?;
                Err(problem)
            }
        }
    }

    /// Returns whether a builtin is `update`, whose map is then looked up here.
    fn updates(&self, id: BuiltinId) -> bool {
        !self.cx.world.lazy_aware
            && matches!(
                self.cx.imp(id),
                Implementation::Shortcut(Shortcut::Update(Changes::Field), _)
            )
    }

    /// Returns whether a builtin takes a number of arguments and calls nothing.
    fn is_pure(&self, id: BuiltinId, count: usize) -> bool {
        let takes = |id: BuiltinId| id.builtin().is_pure && id.builtin().takes(count);
        takes(id) || !id.makes_transducer(count) && id.for_count(count).is_ok_and(takes)
    }
}

/// Returns the cell of an atom or a volatile.
fn cell(value: &Value) -> Option<&Cell> {
    let Value::Ext(ext) = value else { return None };
    match &**ext {
        Ext::Cell(cell) if cell.kind() != CellKind::Delay => Some(cell),
        _ => None,
    }
}

fn put_back(holder: &Value, value: Value) -> Res<()> {
    cell(holder).ok_or_else(invariant_violated)?.replace(value);
    Ok(())
}

/// Returns the value under a key of a map, if looking for it costs nothing.
fn field(map: &Value, key: &Value) -> Option<Value> {
    let Value::Map(map) = map else { return None };
    let [key] = Changes::Field.keys(key)? else { return None };
    map.order().is_none().then(|| map.get(key).cloned().unwrap_or_default())
}

/// Puts a value under a key where [`field`] looked, and pays for it as `assoc` does.
fn put_field(cx: &mut Cx, map: Value, key: Value, mut value: Value) -> Res {
    let Value::Map(mut map) = map else { return Err(invariant_violated()) };
    if !holds_grown(&value) {
        cx.build(&mut value)?;
        cx.depth(value.depth() + 1)?;
    }
    cx.key(&key)?;
    let own = cx.own_table(&mut map)?;
    cx.insert(own, (key, value))?;
    cx.changed_map(map, 40)
}

/// Returns whether only a limit can end a builtin with these arguments. The price of `dissoc` and `disj` depends on other
/// holders.
fn cannot_fail(id: BuiltinId, args: &[Value]) -> bool {
    match (id.name(), args) {
        ("conj", [Value::Vector(_) | Value::List(_), _])
        | ("into", [Value::Vector(_), Value::Vector(_) | Value::List(_)]) => true,
        ("conj", [Value::Set(set), _]) => set.order().is_none(),
        ("conj", [Value::Map(map), Value::Vector(pair)]) => {
            map.order().is_none() && pair.len() == 2
        }
        ("assoc", [Value::Map(map), pairs @ ..]) => {
            map.order().is_none() && pairs.len().is_multiple_of(2)
        }
        ("assoc", [Value::Vector(vector), Value::Int(at), _]) => {
            usize::try_from(*at).is_ok_and(|at| at <= vector.len())
        }
        _ => false,
    }
}
