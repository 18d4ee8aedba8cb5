//! Sorts with functions of the program: see [`super::sort`] for the others.

use std::cmp::Ordering;

use super::cx::Cx;
use super::each::{Each, finish_list};
use super::item_iter::ItemIter;
use super::next::Next;
use super::step::Collect;
use ptc_facts::registry::op_of;
use ptc_values::ir::Op;
use ptc_values::{Res, Value};

/// A sort with a comparator of the program: merges of runs that stop at every comparison.
pub struct Sort {
    pub comparator: Value,
    /// The pairs of a key and an item until the first step.
    keyed: Vec<(Value, Value)>,
    /// Sorted runs still to be merged in this pass, as pairs of a key and an item.
    runs: std::collections::VecDeque<Vec<(Value, Value)>>,
    /// Runs for the next pass.
    next_runs: std::collections::VecDeque<Vec<(Value, Value)>>,
    /// The two runs being merged, last items first, and the merged items.
    left: Vec<(Value, Value)>,
    right: Vec<(Value, Value)>,
    merged: Vec<(Value, Value)>,
}

impl Sort {
    /// Visits every key and item that the sort holds.
    pub(super) fn each_value(&self, visit: &mut impl FnMut(&Value)) {
        let parts = [&self.keyed, &self.left, &self.right, &self.merged];
        for (key, item) in self.runs.iter().chain(&self.next_runs).chain(parts).flatten() {
            visit(key);
            visit(item);
        }
    }

    /// Sorts items by their keys.
    pub fn by(comparator: Value, keyed: Vec<(Value, Value)>) -> Sort {
        Sort {
            comparator,
            keyed,
            runs: std::collections::VecDeque::new(),
            next_runs: std::collections::VecDeque::new(),
            left: Vec::new(),
            right: Vec::new(),
            merged: Vec::new(),
        }
    }

    pub(super) fn step(
        &mut self,
        cx: &mut Cx,
        stack: &mut Vec<Value>,
        got: Option<Value>,
    ) -> Res<Next> {
        let keyed = std::mem::take(&mut self.keyed);
        if !keyed.is_empty() {
            match op_of(&self.comparator) {
                // Values of a lazy-aware program may be lazy sequences, which only the machine compares.
                Some(op) if !cx.lazy_aware => {
                    let items = sorted_by_op(cx, keyed, op)?;
                    return cx.list(items).map(Next::Done);
                }
                _ => self.runs = keyed.into_iter().map(|pair| vec![pair]).collect(),
            }
        }
        if let Some(answer) = got {
            let right = order_of(&answer, false)? == Some(Ordering::Less);
            let from = if right { &mut self.right } else { &mut self.left };
            self.merged.extend(from.pop());
        }
        loop {
            if !self.left.is_empty() && !self.right.is_empty() {
                cx.spend(1)?;
                return Ok(self.ask(stack));
            }
            self.close_merge();
            if self.runs.len() < 2 {
                // Only neighbours are merged, pass by pass, which keeps the sort stable.
                self.next_runs.append(&mut self.runs);
                std::mem::swap(&mut self.runs, &mut self.next_runs);
            }
            if self.runs.len() < 2 {
                let sorted = self.runs.pop_front().unwrap_or_default();
                let items = sorted.into_iter().map(|(_, item)| item).collect();
                return cx.list(items).map(Next::Done);
            }
            self.left = self.runs.pop_front().unwrap_or_default();
            self.right = self.runs.pop_front().unwrap_or_default();
            self.left.reverse();
            self.right.reverse();
        }
    }

    /// Asks whether the right item comes before the left one. It goes first only then, for stability.
    fn ask(&mut self, stack: &mut Vec<Value>) -> Next {
        let key =
            |run: &[(Value, Value)]| run.last().map(|(key, _)| key.clone()).unwrap_or_default();
        stack.extend([self.comparator.clone(), key(&self.right), key(&self.left)]);
        Next::Call(2)
    }

    fn close_merge(&mut self) {
        self.left.reverse();
        self.right.reverse();
        self.merged.append(&mut self.left);
        self.merged.append(&mut self.right);
        if !self.merged.is_empty() {
            self.next_runs.push_back(std::mem::take(&mut self.merged));
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
                if order_of(&answer, false)? == Some(Ordering::Less) {
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

    pub(super) fn step(
        &mut self,
        cx: &mut Cx,
        stack: &mut Vec<Value>,
        got: Option<Value>,
    ) -> Res<Next> {
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
            return Ok(Next::Call(1));
        }
        let out = std::mem::take(&mut keys.out);
        let keyed = out.into_iter().zip(std::mem::take(&mut keys.aside)).collect();
        let mut sort = Sort::by(std::mem::take(comparator), keyed);
        let next = sort.step(cx, stack, None);
        *self = SortBy::Sort(sort);
        next
    }

    /// Takes the key `got` and replaces the item by the next one. Returns false if the key needs a full step.
    pub(super) fn again(&mut self, cx: &mut Cx, args: &mut [Value], got: &mut Value) -> Res<bool> {
        match (self, args) {
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

    pub(super) fn each_value(&self, visit: &mut impl FnMut(&Value)) {
        match self {
            SortBy::Keys(keys, _) => keys.each_value(visit),
            SortBy::Sort(sort) => sort.each_value(visit),
        }
    }
}
