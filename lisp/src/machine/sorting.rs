//! Sorts with functions of the program: see [`super::sort`] for the others.

use std::cmp::Ordering;

use super::cx::Cx;
use super::each::{Each, finish_list};
use super::item_iter::ItemIter;
use super::next::Next;
use super::step::Collect;
use crate::value::{Res, Value};

/// A sort with a comparator of the program: merges of runs that stop at every comparison.
pub(crate) struct Sort {
    pub(crate) comparator: Value,
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
        let parts = [&self.left, &self.right, &self.merged];
        for (key, item) in self.runs.iter().chain(&self.next_runs).chain(parts).flatten() {
            visit(key);
            visit(item);
        }
    }

    /// Sorts items by their keys.
    pub(crate) fn by(comparator: Value, keyed: Vec<(Value, Value)>) -> Sort {
        Sort {
            comparator,
            runs: keyed.into_iter().map(|pair| vec![pair]).collect(),
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

/// Interprets an answer of the comparator: a number by its sign, a boolean as "is before". Returns
/// none if the turned question must be asked too.
pub(super) fn order_of(answer: &Value, turned: bool) -> Res<Option<Ordering>> {
    let before = match answer {
        Value::Bool(before) => *before,
        number => match crate::value::num::Num::of(number) {
            Some(number) => {
                // The JVM truncates the answer to an integer: 0.5 means equal.
                let sign = number.to_f64().trunc();
                let order = sign.partial_cmp(&0.0).unwrap_or(Ordering::Equal);
                return Ok(Some(if turned { order.reverse() } else { order }));
            }
            None => {
                return Err(crate::messages::wrong_type(
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
pub(crate) enum SortBy {
    /// The walk that computes the keys, and the comparator.
    Keys(Each, Value),
    Sort(Sort),
}

impl SortBy {
    pub(crate) fn new(function: Value, comparator: Value, items: ItemIter) -> SortBy {
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

    pub(super) fn each_value(&self, visit: &mut impl FnMut(&Value)) {
        match self {
            SortBy::Keys(keys, _) => keys.each_value(visit),
            SortBy::Sort(sort) => sort.each_value(visit),
        }
    }
}
