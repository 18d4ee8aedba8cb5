//! Slots: how values get into them and out of them.

#![expect(
    clippy::inline_always,
    reason = "measured: what the loop of the machine does in every step"
)]

use std::ops::{Deref, DerefMut};

use super::problems::invariant_violated;
use crate::ops::WINDOW;
use ptc_values::{Res, Value, Vector};

/// The slots of a task. Most are nil when it ends, and a drop of each would be a call.
#[derive(Default)]
pub(super) struct Stack(Vec<Value>);

impl Deref for Stack {
    type Target = Vec<Value>;

    fn deref(&self) -> &Vec<Value> {
        &self.0
    }
}

impl DerefMut for Stack {
    fn deref_mut(&mut self) -> &mut Vec<Value> {
        &mut self.0
    }
}

impl Drop for Stack {
    fn drop(&mut self) {
        let values = std::mem::take(&mut self.0).into_iter();
        // Without a branch for each, it takes half of the time.
        if values.as_slice().iter().fold(true, |all, value| all & value.is_plain()) {
            values.for_each(std::mem::forget);
        } else {
            values.for_each(Value::done);
        }
    }
}

/// Stores a value; plain values cost no call.
#[inline(always)]
pub(super) fn put(slot: &mut Value, value: Value) {
    if slot.is_plain() {
        std::mem::forget(std::mem::replace(slot, value));
    } else {
        put_counted(slot, value);
    }
}

#[inline(never)]
fn put_counted(slot: &mut Value, value: Value) {
    *slot = value;
}

/// Stores an integer in a slot, which usually holds one already.
#[inline(always)]
pub(super) fn put_int(slot: &mut Value, int: i64) {
    match slot {
        Value::Int(old) => *old = int,
        other => put(other, Value::Int(int)),
    }
}

#[inline(always)]
pub(super) fn put_float(slot: &mut Value, float: f64) {
    match slot {
        Value::Float(old) => *old = float,
        other => put(other, Value::Float(float)),
    }
}

/// Empties slots.
#[inline(always)]
pub(super) fn empty(slots: &mut [Value]) {
    for slot in slots {
        if !slot.is_plain() {
            put_counted(slot, Value::Nil);
        }
    }
}

/// Stores the value of a spilled local.
pub(super) fn store_spilled(slot: &mut Value, index: u32, value: Value) -> Res<()> {
    let Value::Vector(vector) = slot else { return Err(invariant_violated()) };
    Vector::make_mut(vector).set(index as usize, value);
    Ok(())
}

/// Returns a value of a slot, moved out if it is taken.
#[inline(always)]
pub(super) fn given(slot: &mut Value, taken: bool) -> Value {
    if taken { std::mem::take(slot) } else { slot.clone() }
}

/// Moves values out of their slots.
#[inline]
pub(super) fn taken(slots: &mut [Value], first: u8, count: usize) -> Vec<Value> {
    let first = usize::from(first);
    let places = slots.get_mut(first..first + count).unwrap_or_default();
    places.iter_mut().map(std::mem::take).collect()
}

/// Copies the first items of the vector or list in a slot into slots side by side; nil has none. Returns false for another
/// value.
#[inline(never)]
pub(super) fn items(slots: &mut [Value; WINDOW], to: u8, from: u8, count: u8, taken: bool) -> bool {
    let whole = std::mem::take(&mut slots[usize::from(from)]);
    let places = slots.iter_mut().skip(usize::from(to)).take(usize::from(count));
    match &whole {
        Value::Vector(vector) => match vector.as_slice().and_then(|it| it.get(..count.into())) {
            Some(items) => places.zip(items).for_each(|(place, item)| put(place, item.clone())),
            None => places
                .enumerate()
                .for_each(|(at, place)| put(place, vector.get(at).cloned().unwrap_or_default())),
        },
        Value::List(seq) => {
            places
                .enumerate()
                .for_each(|(at, place)| put(place, seq.front(at).unwrap_or_default()));
        }
        Value::Nil => places.for_each(|place| put(place, Value::Nil)),
        _ => {
            slots[usize::from(from)] = whole;
            return false;
        }
    }
    if taken {
        drop(whole);
    } else {
        slots[usize::from(from)] = whole;
    }
    true
}
