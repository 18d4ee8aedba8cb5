//! Steps of a walk along a collection in a slot: whether it has items, an item of it, and its rest. `lower/parts.rs` makes the
//! operations.

use std::sync::Arc;

use super::cx::Cx;
use super::row::PROBLEM;
use super::slots::put;
use crate::ops::WINDOW;
use ptc_values::{Res, Seq, Value, is_long};

type Slots = [Value; WINDOW];

/// Returns whether a vector, a list or nil has items, or a text if no sequence of it is asked for; none for another value.
#[inline]
pub(super) fn has_items(value: &Value, is_seq: bool) -> Option<bool> {
    match value {
        Value::List(seq) if !seq.is_unbuilt() => Some(!seq.is_empty()),
        Value::Vector(vector) if !is_long(value) => Some(!vector.is_empty()),
        Value::Str(text) if !is_seq && !is_long(value) => Some(!text.is_empty()),
        Value::Nil => Some(false),
        _ => None,
    }
}

/// Returns whether a value is nil, a vector, or a list whose rest needs no items to be made.
#[inline]
pub(super) fn is_at_hand(value: &Value) -> bool {
    match value {
        Value::List(seq) => seq.is_at_hand(),
        Value::Vector(_) => !is_long(value),
        Value::Nil => true,
        _ => false,
    }
}

/// Pays for a view of a collection, as a call of a builtin that makes one does.
#[inline]
pub(super) fn pay_for_rest(cx: &mut Cx) -> Res<()> {
    match cx.spend(1).and_then(|()| cx.alloc(64)) {
        Err(problem) => cx.spend(PROBLEM).and(Err(problem)),
        paid => paid,
    }
}

/// Copies an item into a slot. Returns false for values of other kinds.
#[inline(never)]
pub(super) fn item(slots: &mut Slots, to: u8, from: u8, at: u8, taken: bool) -> bool {
    let slot = &mut slots[usize::from(from)];
    let item = match &*slot {
        Value::List(seq) if seq.is_at_hand() => seq.get(at.into()).cloned().unwrap_or_default(),
        Value::List(seq) if !seq.is_unbuilt() => seq.front(at.into()).unwrap_or_default(),
        Value::Vector(vector) => vector.get(at.into()).cloned().unwrap_or_default(),
        Value::Nil => Value::Nil,
        _ => return false,
    };
    if taken {
        put(slot, Value::Nil);
    }
    put(&mut slots[usize::from(to)], item);
    true
}

/// Makes the rest of a value at hand.
#[inline(never)]
pub(super) fn rest(slots: &mut Slots, to: u8, from: u8, at: u8, taken: bool, or_nil: bool) {
    let slot = &mut slots[usize::from(from)];
    let rest = match &*slot {
        Value::List(seq) if !taken => of_list(Seq::behind_shared(seq, at.into()), or_nil),
        _ => {
            let whole = if taken { std::mem::take(slot) } else { slot.clone() };
            behind(whole, at, or_nil)
        }
    };
    put(&mut slots[usize::from(to)], rest);
}

/// Moves a value to its rest, if that is paid for. Otherwise takes the value of the call, which is in `from`.
#[inline(never)]
pub(super) fn rest_now(slots: &mut Slots, slot: u8, from: u8, at: u8, or_nil: bool) {
    let called = std::mem::take(&mut slots[usize::from(from)]);
    let slot = &mut slots[usize::from(slot)];
    if !matches!(called, Value::Bool(true)) {
        return put(slot, called);
    }
    if let Value::List(seq) = slot
        && Seq::advance_own(seq, at.into())
    {
        return;
    }
    *slot = behind(std::mem::take(slot), at, or_nil);
}

fn behind(whole: Value, at: u8, or_nil: bool) -> Value {
    of_list(
        match whole {
            Value::List(seq) => Seq::skip(seq, at.into()),
            Value::Vector(vector) => {
                let start = usize::from(at).min(vector.len());
                Arc::new(Seq::of_vector(vector, start))
            }
            _ => Arc::default(),
        },
        or_nil,
    )
}

fn of_list(rest: Arc<Seq>, or_nil: bool) -> Value {
    match rest {
        // As in Clojure, the rest of any used-up collection is the empty list.
        rest if rest.is_empty() => {
            if or_nil {
                Value::Nil
            } else {
                Value::empty_list()
            }
        }
        rest => Value::List(rest),
    }
}
