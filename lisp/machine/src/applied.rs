//! `apply` of few items, which go into slots: the function is called there as any other one.

use std::sync::Arc;

use super::calls::Called;
use super::codes::{Codes, Found, Kind};
use super::machine_core::Core;
use super::slots::put;
use super::then::Then;
use super::tracer::Tracer;
use crate::ops::WINDOW;
use ptc_facts::registry::Registered;
use ptc_values::{Res, Seq, Value, Vector, is_unbuilt};

/// The most items that go into slots.
const MOST_ITEMS: usize = 32;

impl<W: Tracer> Core<W> {
    /// Calls a function, which is behind `first` with its first arguments and the collection of the others. Returns none if
    /// the general form must do it.
    pub(super) fn apply(
        &mut self,
        codes: &Codes,
        slots: &mut [Value; WINDOW],
        first: u8,
        to: u8,
        count: u8,
    ) -> Res<Option<Then>> {
        let begin = usize::from(first);
        let end = begin + usize::from(count);
        let len = match &slots[end] {
            Value::Vector(vector) => vector.len(),
            Value::List(seq) => seq.len(),
            _ => return Ok(None),
        };
        let given = usize::from(count) - 2 + len;
        if self.cx.world.lazy_aware
            || len > MOST_ITEMS
            || end + len >= WINDOW
            || slots[begin + 1..=end].iter().any(is_unbuilt)
        {
            return Ok(None);
        }
        // The general form links a function, and gives the problem of a wrong number of arguments.
        if let Value::Function(closure) = &slots[begin + 1]
            && !matches!(codes.of(closure, given), Ok(Found::Entry(_)))
        {
            return Ok(None);
        }
        self.cx.spend(len as u64)?;
        let collection = std::mem::take(&mut slots[end]);
        slots[begin..end].rotate_left(1);
        spread(&mut slots[end - 1..], collection);
        if let (Value::Builtin(id), 2) = (&slots[begin], given)
            && let Some(op) = id.builtin().facts.op_of(2)
        {
            let [a, b] = [begin + 1, begin + 2].map(|at| std::mem::take(&mut slots[at]));
            let value = self.cx.take_op(op, a, b)?;
            put(&mut slots[usize::from(to)], value);
            return Ok(Some(self.next()));
        }
        match self.call_at(codes, &mut slots[begin..], given)? {
            Called::Enter(entry, count) | Called::EnterOther(entry, count) => {
                Ok(Some(Then::Enter { entry, first, to, count, kind: Kind::Applied }))
            }
            called => self.called(codes, slots, called, first, to).map(Some),
        }
    }
}

/// Puts the items of a collection into slots. They move out of one that nobody else holds, so that a function may change
/// them in place.
fn spread(slots: &mut [Value], collection: Value) {
    let places = slots.iter_mut();
    match collection {
        Value::Vector(vector) if Arc::strong_count(&vector) == 1 => {
            places.zip(Vector::into_vec(vector)).for_each(|(slot, item)| put(slot, item));
        }
        Value::Vector(vector) => {
            places.zip(vector.iter()).for_each(|(slot, item)| put(slot, item.clone()));
        }
        Value::List(seq) => {
            places.zip(Seq::into_vec(seq)).for_each(|(slot, item)| put(slot, item));
        }
        _ => {}
    }
}
