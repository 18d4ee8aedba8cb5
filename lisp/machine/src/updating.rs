//! `update` and `update-in` of a map that nobody else holds.

use super::calls::Called;
use super::codes::{Codes, Found, Kind};
use super::machine_core::Core;
use super::problems::invariant_violated;
use super::slots::put;
use super::then::Then;
use super::tracer::Tracer;
use super::update::{Changes, find, known_keys, put as put_at};
use crate::ops::WINDOW;
use ptc_facts::registry::Registered;
use ptc_values::{Res, Value};

type Slots = [Value; WINDOW];

impl<W: Tracer> Core<W> {
    /// Begins to change a map that nobody else holds. The map, the path, the function and its arguments begin behind
    /// `first`. Returns none if the general form must do it.
    pub(super) fn update(
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
        let Some(arguments) = count.checked_sub(2) else { return Ok(None) };
        let entered = match function {
            Value::Function(closure) => match codes.of(closure, arguments.into())? {
                Found::Entry(entry) => Some(entry),
                // The general form links it.
                Found::Link(..) => return Ok(None),
            },
            Value::Builtin(id)
                if id.for_count(usize::from(arguments)).is_ok_and(|id| {
                    id.builtin().is_pure && id.builtin().takes(arguments.into())
                }) =>
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
        let end = begin + usize::from(arguments);
        let args = slots.get_mut(begin..end).ok_or_else(invariant_violated)?;
        args.rotate_right(1);
        if let Some(slot) = args.first_mut() {
            put(slot, old);
        }
        if let Some(entry) = entered {
            return Ok(Some(Then::Enter { entry, first: first + 3, to, count: arguments, kind }));
        }
        match self.call_at(codes, &mut slots[place + 2..], arguments.into())? {
            Called::Value(new) => {
                self.changed(slots, kind, first + 3, to, new)?;
                Ok(Some(self.next()))
            }
            _ => Err(invariant_violated()),
        }
    }

    /// Puts the new value into the map; the function was called at `place`.
    pub(super) fn changed(
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
            return Err(invariant_violated());
        };
        put(function, Value::Nil);
        let Some(keys) = known_keys(changes, path) else { return Err(invariant_violated()) };
        if kind == Kind::Path {
            self.cx.spend(keys.len() as u64)?;
        }
        let map = std::mem::take(map);
        let changed = put_at(&mut self.cx, map, keys, new)?;
        put(path, Value::Nil);
        put(&mut slots[usize::from(to)], changed);
        Ok(())
    }
}
