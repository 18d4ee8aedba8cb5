//! Sorts with functions of the program: see [`super::sort`] for the others.

use std::cmp::Ordering;
use std::ops::Range;

use super::cx::Cx;
use super::each::{Each, finish_list};
use super::item_iter::ItemIter;
use super::request::{CallsBack, Request};
use super::slots::put;
use super::step::Collect;
use ptc_facts::registry::op_of;
use ptc_values::ir::Op;
use ptc_values::{Res, Value};

/// A sort with a comparator of the program: a merge sort that stops at every comparison.
pub struct Sort {
    pub comparator: Value,
    /// The pairs of a key and an item, in their first order.
    keyed: Vec<(Value, Value)>,
    merges: Merges,
    is_begun: bool,
}

impl Sort {
    /// Sorts items by their keys.
    pub fn by(comparator: Value, keyed: Vec<(Value, Value)>) -> Sort {
        Sort { comparator, keyed, merges: Merges::default(), is_begun: false }
    }
}

impl CallsBack for Sort {
    fn step(&mut self, cx: &mut Cx, stack: &mut Vec<Value>, got: Option<Value>) -> Res<Request> {
        if !std::mem::replace(&mut self.is_begun, true) {
            match op_of(&self.comparator) {
                // Values of a lazy-aware program may be lazy sequences, which only the machine compares.
                Some(op) if !cx.world.lazy_aware => {
                    let items = sorted_by_op(cx, std::mem::take(&mut self.keyed), op)?;
                    return cx.list(items).map(Request::Done);
                }
                _ => self.merges = Merges::of(self.keyed.len()),
            }
        }
        // An answer after the last comparison was taken by `again`.
        if let Some(answer) = got
            && self.merges.pair().is_some()
        {
            self.merges.take(is_before(&answer)?);
        }
        let Some((right, left)) = self.merges.pair() else {
            let (order, keyed) = (&self.merges.order, &mut self.keyed);
            let item = |at: &u32| std::mem::take(&mut keyed[*at as usize].1);
            return cx.list(order.iter().map(item).collect()).map(Request::Done);
        };
        cx.spend(1)?;
        let key = |at: usize| self.keyed[at].0.clone();
        stack.extend([self.comparator.clone(), key(right), key(left)]);
        Ok(Request::Call(2))
    }

    /// Takes the answer `got` and replaces the keys by the next ones. Returns false if `got` needs a full step.
    fn again(&mut self, cx: &mut Cx, args: &mut [Value], got: &mut Value) -> Res<bool> {
        // A problem belongs to the call of the builtin, where the full step raises it.
        let ([right, left], 2.., Ok(before)) = (args, cx.fuel_left(), is_before(got)) else {
            return Ok(false);
        };
        self.merges.take(before);
        let Some((next_right, next_left)) = self.merges.pair() else { return Ok(false) };
        cx.spend(1)?;
        put(right, self.keyed[next_right].0.clone());
        put(left, self.keyed[next_left].0.clone());
        Ok(true)
    }

    /// Visits every key and item that the sort holds.
    fn each_value(&self, visit: &mut impl FnMut(&Value)) {
        for (key, item) in &self.keyed {
            visit(key);
            visit(item);
        }
    }
}

/// The merges of a sort, which are made pass by pass. Only neighbours are merged, which keeps the sort stable.
#[derive(Default)]
struct Merges {
    /// The places of the items: runs that are sorted.
    order: Vec<u32>,
    /// The runs of the next pass so far.
    merged: Vec<u32>,
    /// The length of a run.
    width: usize,
    /// The rest of the run that is merged with its neighbour, within the order.
    left: Range<usize>,
    right: Range<usize>,
}

impl Merges {
    fn of(count: usize) -> Merges {
        let mut merges = Merges {
            order: (0..count as u32).collect(),
            merged: Vec::with_capacity(count),
            width: 1,
            left: 0..0,
            right: 0..0,
        };
        merges.begin(0);
        merges
    }

    /// Returns the places of the right and the left item to compare next; none if all are sorted.
    #[inline]
    fn pair(&self) -> Option<(usize, usize)> {
        if self.left.is_empty() {
            return None;
        }
        let (right, left) = (self.order.get(self.right.start)?, self.order.get(self.left.start)?);
        Some((*right as usize, *left as usize))
    }

    /// Takes the answer whether the right item comes before the left one. It goes first only then, for stability.
    #[inline]
    fn take(&mut self, right_is_before: bool) {
        let run = if right_is_before { &mut self.right } else { &mut self.left };
        let Some(at) = self.order.get(run.start) else { return };
        self.merged.push(*at);
        run.start += 1;
        if run.start == run.end {
            let rest = if right_is_before { &self.left } else { &self.right };
            self.merged.extend_from_slice(&self.order[rest.clone()]);
            self.begin(self.merged.len());
        }
    }

    /// Begins with the two runs at a place of this pass, or with the next pass.
    #[inline(never)]
    fn begin(&mut self, mut start: usize) {
        let count = self.order.len();
        (self.left, self.right) = (0..0, 0..0);
        while self.width < count {
            let middle = start.saturating_add(self.width);
            if middle < count {
                self.left = start..middle;
                self.right = middle..middle.saturating_add(self.width).min(count);
                return;
            }
            self.merged.extend_from_slice(&self.order[start..]);
            std::mem::swap(&mut self.order, &mut self.merged);
            self.merged.clear();
            self.width *= 2;
            start = 0;
        }
    }
}

/// Sorts by an operation on two keys, such as `>`, with the comparisons and the fuel of [`Sort`].
fn sorted_by_op(cx: &mut Cx, mut keyed: Vec<(Value, Value)>, op: Op) -> Res<Vec<Value>> {
    let mut order: Vec<u32> = (0..keyed.len() as u32).collect();
    let mut merged = Vec::with_capacity(order.len());
    let mut width = 1;
    while width < order.len() {
        merged.clear();
        for pair in order.chunks(2 * width) {
            let (mut left, mut right) = pair.split_at(width.min(pair.len()));
            while let ([first, left_rest @ ..], [second, right_rest @ ..]) = (left, right) {
                cx.spend(1)?;
                let answer = cx.op(op, &keyed[*second as usize].0, &keyed[*first as usize].0)?;
                if is_before(&answer)? {
                    merged.push(*second);
                    right = right_rest;
                } else {
                    merged.push(*first);
                    left = left_rest;
                }
            }
            merged.extend_from_slice(left);
            merged.extend_from_slice(right);
        }
        std::mem::swap(&mut order, &mut merged);
        width *= 2;
    }
    Ok(order.iter().map(|at| std::mem::take(&mut keyed[*at as usize].1)).collect())
}

/// Interprets an answer of the comparator: whether the first of two items comes before the second.
#[inline]
fn is_before(answer: &Value) -> Res<bool> {
    match answer {
        Value::Bool(before) => Ok(*before),
        Value::Int(int) => Ok(*int < 0),
        _ => Ok(order_of(answer, false)? == Some(Ordering::Less)),
    }
}

/// Interprets an answer of the comparator: a number by its sign, a boolean as "is before". Returns
/// none if the turned question must be asked too.
pub(super) fn order_of(answer: &Value, turned: bool) -> Res<Option<Ordering>> {
    let before = match answer {
        Value::Bool(before) => *before,
        number => match ptc_values::num::Num::of(number) {
            Some(number) => {
                // The JVM truncates the answer to an integer: 0.5 means equal.
                let sign = number.to_f64().trunc();
                let order = sign.partial_cmp(&0.0).unwrap_or(Ordering::Equal);
                return Ok(Some(if turned { order.reverse() } else { order }));
            }
            None => {
                return Err(ptc_facts::messages::wrong_type(
                    "a comparator",
                    "a number or a boolean",
                    answer,
                ));
            }
        },
    };
    Ok(match (before, turned) {
        (true, false) => Some(Ordering::Less),
        (true, true) => Some(Ordering::Greater),
        (false, true) => Some(Ordering::Equal),
        (false, false) => None,
    })
}

/// A sort by computed keys: computes every key first, then compares.
pub enum SortBy {
    /// The walk that computes the keys, and the comparator.
    Keys(Each, Value),
    Sort(Sort),
}

impl SortBy {
    pub fn new(function: Value, comparator: Value, items: ItemIter) -> SortBy {
        SortBy::Keys(Each::one(function, items, Collect::Both, finish_list), comparator)
    }
}

impl CallsBack for SortBy {
    fn step(&mut self, cx: &mut Cx, stack: &mut Vec<Value>, got: Option<Value>) -> Res<Request> {
        let (keys, comparator) = match self {
            SortBy::Keys(keys, comparator) => (keys, comparator),
            SortBy::Sort(sort) => return sort.step(cx, stack, got),
        };
        if let Some(result) = got {
            keys.take(cx, result)?;
        }
        cx.spend(1)?;
        if let Some(item) = keys.next_item() {
            stack.extend([keys.function.clone(), item]);
            return Ok(Request::Call(1));
        }
        let out = std::mem::take(&mut keys.out);
        let keyed = out.into_iter().zip(std::mem::take(&mut keys.aside)).collect();
        let mut sort = Sort::by(std::mem::take(comparator), keyed);
        let next = sort.step(cx, stack, None);
        *self = SortBy::Sort(sort);
        next
    }

    /// Takes the key `got` and replaces the item by the next one. Returns false if the key needs a full step.
    fn again(&mut self, cx: &mut Cx, args: &mut [Value], got: &mut Value) -> Res<bool> {
        match (self, args) {
            (SortBy::Sort(sort), args) => sort.again(cx, args, got),
            (SortBy::Keys(keys, _), [place]) if keys.has_next() => {
                keys.take(cx, std::mem::take(got))?;
                cx.spend(1)?;
                let item = keys.next_item().unwrap_or_default();
                std::mem::replace(place, item).done();
                Ok(true)
            }
            _ => Ok(false),
        }
    }

    fn each_value(&self, visit: &mut impl FnMut(&Value)) {
        match self {
            SortBy::Keys(keys, _) => keys.each_value(visit),
            SortBy::Sort(sort) => sort.each_value(visit),
        }
    }
}
