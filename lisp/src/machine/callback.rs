//! Callback states: builtins that call functions of the program, as state machines.
//!
//! A step wants a function called, and has pushed the function and its arguments, or is done. So a
//! tool call inside the function suspends the program and resumes it.

mod merge;

use std::cmp::Ordering;
use std::sync::Arc;

use super::change::{Change, Force};
use super::cx::Cx;
use super::item_iter::ItemIter;
use super::realizer::LazyRealizer;
use super::sorted_insert::SortedInsert;
use super::stages::Stages;
use crate::value::ir::Program;
use crate::value::reduced;
use crate::value::{Ext, Map, Res, Row, Set, Value, plain};
pub(crate) use merge::Merge;

/// The next request of a builtin that calls back.
pub(crate) enum Next {
    /// Call the function below this number of values.
    Call(usize),
    /// Finish with this value.
    Done(Value),
    /// Wait until another task has computed the value with this key: see [`super::waiting`].
    Hold(usize),
    /// Wait until the machine has counted live bytes or yielded.
    Pause,
}

pub(crate) enum CallbackState {
    Each(Box<Each>),
    Reduce(Reduce),
    Once(Box<Once>),
    Sort(Box<Sort>),
    SortBy(Box<SortBy>),
    Merge(Box<Merge>),
    LazyRealizer(Box<LazyRealizer>),
    Stages(Box<Stages>),
    SortedInsert(Box<SortedInsert>),
    Change(Box<Change>),
    Force(Force),
    /// A builtin that needs no call.
    Value(Value),
}

/// A builtin that calls a function for every item of one or more collections.
pub(crate) struct Each {
    pub(crate) function: Value,
    way: Way,
    pub(crate) inputs: Vec<ItemIter>,
    pub(crate) collect: Collect,
    /// Results or kept items.
    pub(crate) out: Vec<Value>,
    /// Companions of the results: keys for values, or other results.
    pub(crate) aside: Vec<Value>,
    /// The item whose result is awaited.
    pub(crate) item: Value,
    /// The number of the item, for builtins that pass it; negative for others.
    pub(crate) index: i64,
    /// The function that makes the final value.
    pub(crate) finish: fn(&mut Cx, Each) -> Res,
}

/// The kind of call a builtin makes to its function.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Way {
    /// A call of a value of any kind.
    Value,
    /// A call by the number of the lambda in its place: see [`crate::value::plain`].
    Plain,
    /// A call of a function of this program that needs frames, so none is tried without.
    NeedsFrames,
}

/// The use that an [`Each`] makes of the result for an item.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Collect {
    Results,
    /// Keep the result, and the item beside it.
    Both,
    /// Keep the item if the result is true.
    Kept,
    /// Keep the item if the result is false.
    Dropped,
    /// Keep the result unless it is nil.
    NotNil,
    /// Keep items until a result is false.
    While,
    /// Keep items from the first whose result is false.
    From,
    /// Keep items until a result is false, and the remaining ones separately.
    Split,
    /// Stop at the first true result, and keep it.
    First,
    /// Stop at the first true result, and keep its item.
    Found,
    /// Stop at the first false result, and keep it.
    FirstFalse,
    /// Keep nothing; stop at a reduced result.
    Nothing,
}

impl Each {
    pub(crate) fn one(
        function: Value,
        items: ItemIter,
        collect: Collect,
        finish: fn(&mut Cx, Each) -> Res,
    ) -> CallbackState {
        Each::over(function, vec![items], collect, finish)
    }

    pub(crate) fn over(
        function: Value,
        inputs: Vec<ItemIter>,
        collect: Collect,
        finish: fn(&mut Cx, Each) -> Res,
    ) -> CallbackState {
        let room = inputs.iter().map(ItemIter::len).min().unwrap_or(0);
        let room = match collect {
            Collect::Results | Collect::Both => room,
            _ => 0,
        };
        CallbackState::Each(Box::new(Each {
            function,
            way: Way::Value,
            inputs,
            collect,
            out: Vec::with_capacity(room),
            aside: Vec::new(),
            item: Value::Nil,
            index: -1,
            finish,
        }))
    }

    /// Makes the builtin pass the number of each item before the item.
    pub(crate) fn indexed(state: CallbackState) -> CallbackState {
        match state {
            CallbackState::Each(mut each) => {
                each.index = 0;
                CallbackState::Each(each)
            }
            other => other,
        }
    }

    fn step(&mut self, cx: &mut Cx, stack: &mut Vec<Value>, got: Option<Value>) -> Res<Next> {
        match got {
            Some(result) if self.collect == Collect::Results => self.out.push(result),
            Some(result) => {
                let over = self.take(result);
                if over {
                    return self.done(cx);
                }
            }
            None => {}
        }
        if matches!(self.collect, Collect::From | Collect::Split)
            && let Some(last) = self.aside.pop()
        {
            // The rest is a view of the collection that was walked.
            let rest = match self.inputs.pop() {
                Some(input) => cx.seq(input.into_rest(last))?,
                None => Value::empty_list(),
            };
            if self.collect == Collect::From {
                return Ok(Next::Done(rest));
            }
            self.aside.push(rest);
            return self.done(cx);
        }
        cx.spend(1)?;
        let start = stack.len();
        stack.push(self.function.clone());
        if self.index >= 0 {
            stack.push(Value::Int(self.index));
            self.index += 1;
        }
        let one = self.inputs.len() == 1;
        for input in &mut self.inputs {
            let Some(item) = input.next() else {
                stack.truncate(start);
                return self.done(cx);
            };
            if one && self.collect.needs_item() {
                self.item = item.clone();
            }
            stack.push(item);
        }
        Ok(Next::Call(stack.len() - start - 1))
    }

    /// Replaces the arguments by the next ones; returns the result if it needs a full step.
    #[inline]
    fn again(&mut self, cx: &mut Cx, args: &mut [Value], got: Value) -> Res<Option<Value>> {
        let [input] = self.inputs.as_mut_slice() else { return Ok(Some(got)) };
        if self.collect.may_stop()
            || self.collect == Collect::Nothing && matches!(got, Value::Ext(_))
        {
            return Ok(Some(got));
        }
        let Some(item) = input.next() else { return Ok(Some(got)) };
        if self.collect == Collect::Results {
            self.out.push(got);
        } else {
            self.take(got);
            if self.collect.needs_item() {
                std::mem::replace(&mut self.item, item.clone()).done();
            }
        }
        cx.spend(1)?;
        match args {
            [only] => std::mem::replace(only, item).done(),
            [index, place] => {
                std::mem::replace(index, Value::Int(self.index)).done();
                std::mem::replace(place, item).done();
                self.index += 1;
            }
            _ => {}
        }
        Ok(None)
    }

    fn done(&mut self, cx: &mut Cx) -> Res<Next> {
        let whole = Each {
            function: Value::Nil,
            way: Way::Value,
            inputs: Vec::new(),
            collect: self.collect,
            out: std::mem::take(&mut self.out),
            aside: std::mem::take(&mut self.aside),
            item: Value::Nil,
            index: self.index,
            finish: self.finish,
        };
        (self.finish)(cx, whole).map(Next::Done)
    }

    /// Stores the result or its item as `collect` says; returns true when no more are wanted.
    fn take(&mut self, result: Value) -> bool {
        let truthy = result.truthy();
        let ended = matches!(&result, Value::Ext(ext) if matches!(**ext, Ext::Reduced(_)));
        match self.collect {
            Collect::Results => self.out.push(result),
            Collect::Both => {
                self.out.push(result);
                self.aside.push(std::mem::take(&mut self.item));
            }
            Collect::Kept if truthy => self.out.push(std::mem::take(&mut self.item)),
            Collect::Dropped if !truthy => self.out.push(std::mem::take(&mut self.item)),
            Collect::NotNil if !result.is_nil() => self.out.push(result),
            Collect::While if truthy => self.out.push(std::mem::take(&mut self.item)),
            Collect::Split if truthy => self.out.push(std::mem::take(&mut self.item)),
            Collect::From | Collect::Split if !truthy => {
                self.aside.push(std::mem::take(&mut self.item));
            }
            Collect::First if truthy => self.out.push(result),
            Collect::Found if truthy => self.out.push(std::mem::take(&mut self.item)),
            Collect::FirstFalse if !truthy => self.out.push(result),
            _ => {}
        }
        match self.collect {
            Collect::While | Collect::FirstFalse => !truthy,
            Collect::First | Collect::Found => truthy,
            Collect::Nothing => ended,
            _ => false,
        }
    }
}

impl Collect {
    /// Returns whether a result may end the walk or change the handling of later items.
    fn may_stop(self) -> bool {
        matches!(
            self,
            Collect::While
                | Collect::From
                | Collect::Split
                | Collect::First
                | Collect::Found
                | Collect::FirstFalse
        )
    }

    fn needs_item(self) -> bool {
        !matches!(
            self,
            Collect::Results
                | Collect::NotNil
                | Collect::First
                | Collect::FirstFalse
                | Collect::Nothing
        )
    }
}

/// `reduce` and its relatives: one value carried through a collection.
pub(crate) struct Reduce {
    pub(crate) function: Value,
    way: Way,
    pub(crate) so_far: Value,
    pub(crate) items: ItemIter,
    /// Whether items are entries of a map whose key and value are separate arguments.
    pub(crate) entries: bool,
    /// All values so far, if they are kept.
    pub(crate) all: Option<Vec<Value>>,
}

impl Reduce {
    fn step(&mut self, cx: &mut Cx, stack: &mut Vec<Value>, got: Option<Value>) -> Res<Next> {
        if let Some(result) = got {
            match reduced(result) {
                Ok(last) => {
                    self.so_far = last;
                    self.keep();
                    return self.done(cx);
                }
                Err(result) => self.so_far = result,
            }
            self.keep();
        }
        let Some(item) = self.items.next() else { return self.done(cx) };
        cx.spend(1)?;
        stack.push(self.function.clone());
        // The value moves out, so that the function holds the only reference to it.
        stack.push(std::mem::take(&mut self.so_far));
        if self.entries
            && let Value::Vector(entry) = &item
        {
            stack.push(entry.get(0).cloned().unwrap_or_default());
            stack.push(entry.get(1).cloned().unwrap_or_default());
            return Ok(Next::Call(3));
        }
        stack.push(item);
        Ok(Next::Call(2))
    }

    /// Replaces the arguments by the next ones; returns the result if it needs a full step.
    #[inline]
    fn again(&mut self, cx: &mut Cx, args: &mut [Value], got: Value) -> Res<Option<Value>> {
        let [so_far, place] = args else { return Ok(Some(got)) };
        if self.all.is_some() || matches!(&got, Value::Ext(_)) {
            return Ok(Some(got));
        }
        let Some(item) = self.items.next() else { return Ok(Some(got)) };
        std::mem::replace(so_far, got).done();
        std::mem::replace(place, item).done();
        cx.spend(1)?;
        Ok(None)
    }

    /// Returns the next item if it needs no other work.
    #[inline]
    pub(super) fn next_plain(&mut self) -> Option<Value> {
        if self.all.is_some() || self.entries { None } else { self.items.next() }
    }

    fn keep(&mut self) {
        if let Some(all) = &mut self.all {
            all.push(self.so_far.clone());
        }
    }

    fn done(&mut self, cx: &mut Cx) -> Res<Next> {
        let so_far = std::mem::take(&mut self.so_far);
        match self.all.take() {
            Some(all) => cx.list(all).map(Next::Done),
            None => Ok(Next::Done(so_far)),
        }
    }
}

/// A builtin that calls a function once and converts its result.
pub(crate) struct Once {
    pub(crate) function: Value,
    pub(crate) args: Vec<Value>,
    /// The values that the end needs besides the result.
    pub(crate) state: Vec<Value>,
    pub(crate) finish: fn(&mut Cx, Vec<Value>, Value) -> Res,
}

impl Once {
    fn step(&mut self, cx: &mut Cx, stack: &mut Vec<Value>, got: Option<Value>) -> Res<Next> {
        if let Some(result) = got {
            return (self.finish)(cx, std::mem::take(&mut self.state), result).map(Next::Done);
        }
        stack.push(std::mem::take(&mut self.function));
        let count = self.args.len();
        stack.append(&mut self.args);
        Ok(Next::Call(count))
    }
}

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
    fn each_value(&self, visit: &mut impl FnMut(&Value)) {
        let parts = [&self.left, &self.right, &self.merged];
        for (key, item) in self.runs.iter().chain(&self.next_runs).chain(parts).flatten() {
            visit(key);
            visit(item);
        }
    }

    /// Sorts items by their keys.
    pub(crate) fn by(comparator: Value, keyed: Vec<(Value, Value)>) -> CallbackState {
        CallbackState::Sort(Box::new(Sort {
            comparator,
            runs: keyed.into_iter().map(|pair| vec![pair]).collect(),
            next_runs: std::collections::VecDeque::new(),
            left: Vec::new(),
            right: Vec::new(),
            merged: Vec::new(),
        }))
    }

    fn step(&mut self, cx: &mut Cx, stack: &mut Vec<Value>, got: Option<Value>) -> Res<Next> {
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

impl CallbackState {
    pub(crate) fn reduce(function: Value, so_far: Value, items: ItemIter) -> CallbackState {
        CallbackState::Reduce(Reduce {
            function,
            way: Way::Value,
            so_far,
            items,
            entries: false,
            all: None,
        })
    }

    pub(crate) fn once(
        function: Value,
        args: Vec<Value>,
        state: Vec<Value>,
        finish: fn(&mut Cx, Vec<Value>, Value) -> Res,
    ) -> CallbackState {
        CallbackState::Once(Box::new(Once { function, args, state, finish }))
    }

    pub(crate) fn value(value: Value) -> CallbackState {
        CallbackState::Value(value)
    }

    pub(super) fn step(
        &mut self,
        cx: &mut Cx,
        stack: &mut Vec<Value>,
        got: Option<Value>,
    ) -> Res<Next> {
        match self {
            CallbackState::Each(each) => each.step(cx, stack, got),
            CallbackState::Reduce(reduce) => reduce.step(cx, stack, got),
            CallbackState::Once(once) => once.step(cx, stack, got),
            CallbackState::Sort(sort) => sort.step(cx, stack, got),
            CallbackState::SortBy(sort) => sort.step(cx, stack, got),
            CallbackState::Merge(merge) => merge.step(cx, stack, got),
            CallbackState::LazyRealizer(realizer) => realizer.step(cx, stack, got),
            CallbackState::Stages(stages) => stages.step(cx, stack, got),
            CallbackState::SortedInsert(place) => place.step(cx, stack, got),
            CallbackState::Change(change) => change.step(cx, stack, got),
            CallbackState::Force(force) => force.step(cx, stack, got),
            CallbackState::Value(value) => Ok(Next::Done(std::mem::take(value))),
        }
    }

    /// Decides how to call the function for every item. Replaces a function of this program by the
    /// number of its lambda if that suffices.
    pub(super) fn simplify(&mut self, program: &Arc<Program>) {
        let (function, way, count) = match self {
            CallbackState::Each(each) => {
                let count = each.inputs.len() + usize::from(each.index >= 0);
                (&mut each.function, &mut each.way, count)
            }
            CallbackState::Reduce(reduce) => {
                let count = 2 + usize::from(reduce.entries);
                (&mut reduce.function, &mut reduce.way, count)
            }
            _ => return,
        };
        if let Value::Function(closure) = function
            && Arc::ptr_eq(&closure.program, program)
        {
            let arity = closure.lambda().and_then(|lambda| lambda.arity(count as u32));
            let has_frames = arity.is_some_and(|arity| arity.body.deep().is_some());
            let plain_number = closure.plain_in(program);
            *way = match plain_number {
                _ if has_frames => Way::NeedsFrames,
                Some(_) => Way::Plain,
                None => Way::Value,
            };
            if let Some(lambda) = plain_number {
                *function = Value::Int(plain(lambda));
            }
        }
    }

    #[inline]
    pub(super) fn way(&self) -> Way {
        match self {
            CallbackState::Each(each) => each.way,
            CallbackState::Reduce(reduce) => reduce.way,
            _ => Way::Value,
        }
    }

    /// Replaces the last arguments by the next ones; returns `got` if it needs a full step.
    #[inline]
    pub(super) fn again(
        &mut self,
        cx: &mut Cx,
        args: &mut [Value],
        got: Value,
    ) -> Res<Option<Value>> {
        match self {
            CallbackState::Each(each) => each.again(cx, args, got),
            CallbackState::Reduce(reduce) => reduce.again(cx, args, got),
            _ => Ok(Some(got)),
        }
    }

    pub(super) fn each_value(&self, visit: &mut impl FnMut(&Value)) {
        match self {
            CallbackState::Each(each) => {
                visit(&each.function);
                each.out.iter().chain(&each.aside).for_each(&mut *visit);
                each.inputs.iter().flat_map(ItemIter::rest).for_each(visit);
            }
            CallbackState::Reduce(reduce) => {
                visit(&reduce.function);
                visit(&reduce.so_far);
                reduce.all.iter().flatten().for_each(&mut *visit);
                reduce.items.rest().for_each(visit);
            }
            CallbackState::Once(once) => once.args.iter().chain(&once.state).for_each(visit),
            CallbackState::Sort(sort) => sort.each_value(visit),
            CallbackState::SortBy(sort) => {
                if let Some(keys) = &sort.keys {
                    keys.out.iter().chain(&keys.aside).for_each(&mut *visit);
                    keys.inputs.iter().flat_map(ItemIter::rest).for_each(&mut *visit);
                }
                if let Some(CallbackState::Sort(sort)) = &sort.sort {
                    sort.each_value(visit);
                }
            }
            CallbackState::Change(change) => change.each_value(visit),
            CallbackState::Force(force) => force.each_value(visit),
            CallbackState::Value(value) => visit(value),
            CallbackState::Merge(merge) => {
                merge.entries.as_slice().iter().for_each(&mut *visit);
                visit(&Value::Map(merge.map.clone()));
            }
            CallbackState::LazyRealizer(realizer) => realizer.each_value(visit),
            CallbackState::Stages(stages) => stages.each_value(visit),
            CallbackState::SortedInsert(place) => place.each_value(visit),
        }
    }

    /// Visits the keys of values it computes for other tasks too: see [`super::waiting`].
    pub(super) fn computes(&self, visit: &mut impl FnMut(usize)) {
        match self {
            CallbackState::Force(force) => force.computes(visit),
            CallbackState::LazyRealizer(realizer) => realizer.computes(visit),
            _ => {}
        }
    }
}

/// Returns the results as a sequence.
pub(crate) fn finish_list(cx: &mut Cx, each: Each) -> Res {
    cx.list(each.out)
}

pub(crate) fn finish_vector(cx: &mut Cx, each: Each) -> Res {
    cx.vector(each.out)
}

/// Returns the one kept result, or nil.
pub(crate) fn finish_first(_: &mut Cx, mut each: Each) -> Res {
    Ok(each.out.pop().unwrap_or_default())
}

/// Makes a map of existing rows.
pub(crate) fn map_of(cx: &mut Cx, rows: impl Iterator<Item = (Value, Value)>) -> Res {
    let mut map = Map::default();
    for row in rows {
        cx.key(row.key())?;
        map.insert(row);
    }
    cx.map(map)
}

/// Makes a set of existing members.
pub(crate) fn set_of(cx: &mut Cx, members: impl Iterator<Item = Value>) -> Res {
    let mut set = Set::default();
    for member in members {
        cx.key(&member)?;
        set.insert(member);
    }
    cx.set(set)
}

/// Groups items with the same result in vectors under that result.
pub(crate) fn finish_groups(cx: &mut Cx, each: Each) -> Res {
    let mut groups: Map = Map::default();
    for (key, item) in each.out.into_iter().zip(each.aside) {
        cx.key(&key)?;
        match groups.get_mut(&key) {
            Some(Value::Vector(group)) => crate::value::Vector::make_mut(group).push(item),
            _ => groups.insert((key, Value::vector(vec![item]))),
        }
    }
    cx.alloc(groups.len() as u64 * 64)?;
    cx.changed_map(Arc::new(groups), 0)
}

impl CallbackState {
    /// Makes a `reduce` that passes the key and the value of each entry separately.
    pub(crate) fn reduce_entries(function: Value, so_far: Value, items: ItemIter) -> CallbackState {
        CallbackState::Reduce(Reduce {
            function,
            way: Way::Value,
            so_far,
            items,
            entries: true,
            all: None,
        })
    }

    /// Makes a `reduce` that keeps every intermediate value.
    pub(crate) fn reductions(function: Value, so_far: Value, items: ItemIter) -> CallbackState {
        let all = Some(vec![so_far.clone()]);
        CallbackState::Reduce(Reduce {
            function,
            way: Way::Value,
            so_far,
            items,
            entries: false,
            all,
        })
    }

    /// Sorts by keys with a comparator: computes every key first, then compares.
    pub(crate) fn sort_by(
        function: Value,
        comparator: Value,
        items: ItemIter,
    ) -> Res<CallbackState> {
        let keys = Each::one(function, items, Collect::Both, finish_list);
        match keys {
            CallbackState::Each(keys) => Ok(CallbackState::SortBy(Box::new(SortBy {
                keys: Some(*keys),
                comparator,
                sort: None,
            }))),
            other => Ok(other),
        }
    }

    /// Merges entries into a map; the function combines two values under one key.
    pub(crate) fn merge(function: Value, map: Arc<Map>, entries: Vec<Value>) -> CallbackState {
        CallbackState::Merge(Box::new(Merge {
            function,
            entries: entries.into_iter(),
            map,
            key: Value::Nil,
        }))
    }
}

pub(crate) struct SortBy {
    keys: Option<Each>,
    comparator: Value,
    sort: Option<CallbackState>,
}

impl SortBy {
    fn step(&mut self, cx: &mut Cx, stack: &mut Vec<Value>, got: Option<Value>) -> Res<Next> {
        if let Some(keys) = &mut self.keys {
            let depth = stack.len();
            if let Some(result) = got {
                keys.take(result);
            }
            cx.spend(1)?;
            if let Some(item) = keys.inputs.first_mut().and_then(Iterator::next) {
                keys.item = item.clone();
                stack.push(keys.function.clone());
                stack.push(item);
                return Ok(Next::Call(stack.len() - depth - 1));
            }
            let out = std::mem::take(&mut keys.out);
            let keyed = out.into_iter().zip(std::mem::take(&mut keys.aside)).collect();
            self.keys = None;
            self.sort = Some(Sort::by(std::mem::take(&mut self.comparator), keyed));
            return self.step_sort(cx, stack, None);
        }
        self.step_sort(cx, stack, got)
    }

    fn step_sort(&mut self, cx: &mut Cx, stack: &mut Vec<Value>, got: Option<Value>) -> Res<Next> {
        match &mut self.sort {
            Some(CallbackState::Sort(sort)) => sort.step(cx, stack, got),
            _ => Ok(Next::Done(Value::Nil)),
        }
    }
}
