//! The eager form of steps: a function called for every item of one or more collections.

use std::sync::Arc;

use super::cx::Cx;
use super::item_iter::ItemIter;
use super::items::items_of;
use super::reducing::streamed;
use super::request::{CallsBack, Looked, Request};
use super::step::{COMPUTED, Call, Choice, Collect, ItemStep, Pass};
use ptc_facts::registry::named;
use ptc_values::{Map, Res, StageState, Value, Vector};

/// A builtin that calls a function for every item of one or more collections.
pub struct Each {
    /// The function, or the argument of a step that calls nothing.
    pub(super) function: Value,
    pub(super) inputs: Vec<ItemIter>,
    collect: Collect,
    /// The position of the item, for functions that receive it; negative for others.
    index: i64,
    /// Whether an item can follow another without a full step.
    is_quick: bool,
    /// Whether nobody has paid for the places of the items, so that each pays for that of its result.
    pays: bool,
    /// Whether the item is needed besides the result for it.
    needs_item: bool,
    awaits: Awaits,
    /// Results or kept items.
    pub out: Vec<Value>,
    /// Companions of the results: keys for values, or other results.
    pub aside: Vec<Value>,
    /// The items from the one on at which the step stopped looking.
    pub rest: Option<Value>,
    /// The item whose result is awaited.
    item: Value,
    /// The state of a rule.
    state: Option<Box<StageState>>,
    /// The function that makes the final value.
    finish: fn(&mut Cx, Each) -> Res,
}

/// The meaning of the next result of a call.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Awaits {
    /// The result for the item.
    Result,
    /// A part of a lazy sequence.
    Item,
    /// The final value.
    Whole,
    /// No more than a step: all items are done.
    End,
}

impl Each {
    pub fn one(
        function: Value,
        items: ItemIter,
        collect: Collect,
        finish: fn(&mut Cx, Each) -> Res,
    ) -> Each {
        Each::over(function, vec![items], collect, finish)
    }

    /// Makes the eager form of a step that calls its function, from the arguments of a call.
    pub fn eager(cx: &mut Cx, step: &ItemStep, mut args: Vec<Value>) -> Res<Each> {
        let feeds = feeds(cx, &mut args, step.collect)?;
        let function = args.pop().unwrap_or_default();
        let mut each = Each::over(function, feeds, step.collect, finish_list);
        if step.call == Call::Indexed {
            each.index = 0;
        }
        Ok(each)
    }

    /// Returns what a rule that needs no call makes of all items. The compiler
    /// makes a loop for each rule.
    #[inline]
    pub fn run(
        cx: &mut Cx,
        arg: &Value,
        items: Vec<Value>,
        rule: impl Fn(&mut Cx, &mut StageState, &Value, Value, Value) -> Res<Pass>,
    ) -> Res<Vec<Value>> {
        let mut state = StageState::default();
        let mut out = Vec::with_capacity(items.len());
        for item in items {
            match rule(cx, &mut state, arg, item.clone(), item)? {
                Pass::Nothing => {}
                Pass::One(value) => out.push(value),
                Pass::Two(first, second) => {
                    out.push(first);
                    out.push(second);
                }
                Pass::Items(value) => out.extend(items_of(cx, value)?),
                Pass::Group(group, next) => {
                    out.push(cx.list(group)?);
                    state.group.extend(next);
                }
                Pass::Last(value) | Pass::Rest(value) => {
                    out.push(value);
                    break;
                }
                Pass::End => break,
            }
        }
        if !state.group.is_empty() {
            out.push(cx.list(state.group)?);
        }
        Ok(out)
    }

    pub fn over(
        function: Value,
        inputs: Vec<ItemIter>,
        collect: Collect,
        finish: fn(&mut Cx, Each) -> Res,
    ) -> Each {
        let room = match collect {
            Collect::Results | Collect::Both => {
                inputs.iter().map(ItemIter::room).min().unwrap_or(0)
            }
            _ => 0,
        };
        let state = matches!(collect, Collect::By(_)).then(Box::default);
        Each {
            function,
            is_quick: matches!(inputs.as_slice(), [input] if !matches!(input, ItemIter::Lazy(_))),
            pays: inputs.iter().all(ItemIter::is_unpaid),
            inputs,
            collect,
            index: -1,
            needs_item: collect.needs_item(),
            awaits: Awaits::Result,
            out: Vec::with_capacity(room),
            aside: Vec::new(),
            rest: None,
            item: Value::Nil,
            state,
            finish,
        }
    }

    /// Takes the next item out of a lazy sequence, and calls the function with it.
    fn pull(&mut self, cx: &mut Cx, stack: &mut Vec<Value>, got: Option<Value>) -> Res<Request> {
        let can_wait = self.inputs.first().is_some_and(ItemIter::can_wait);
        if matches!(self.collect, Collect::While) && can_wait && self.out.len() > COMPUTED {
            return self.continue_lazily(cx, stack);
        }
        let Some(input) = self.inputs.first_mut() else { return self.done(cx) };
        match input.pull(cx, stack, got)? {
            Looked::End => self.done(cx),
            Looked::Wait(next) => {
                self.awaits = Awaits::Item;
                Ok(next)
            }
            Looked::Item(item) => {
                cx.spend(1)?;
                if self.needs_item {
                    self.item = item.clone();
                }
                let start = stack.len();
                stack.push(self.function.clone());
                self.push_index(stack);
                stack.push(item);
                Ok(Request::Call(stack.len() - start - 1))
            }
        }
    }

    /// Returns the items so far and behind them a lazy sequence, which may be endless.
    fn continue_lazily(&mut self, cx: &mut Cx, stack: &mut Vec<Value>) -> Res<Request> {
        let rest = match self.inputs.pop() {
            Some(input) => input.into_lazy(cx)?,
            None => Value::empty_list(),
        };
        let function = std::mem::take(&mut self.function);
        let mut args = [named("take-while"), function, rest];
        let front = cx.list(std::mem::take(&mut self.out))?;
        stack.extend([named("ptc/append"), front, streamed(cx, &mut args)?]);
        self.awaits = Awaits::Whole;
        self.is_quick = false;
        Ok(Request::Call(2))
    }

    #[inline]
    fn push_index(&mut self, stack: &mut Vec<Value>) {
        if self.index >= 0 {
            stack.push(Value::Int(self.index));
            self.index += 1;
        }
    }

    /// Pays for an item.
    #[inline(always)]
    #[expect(clippy::inline_always, reason = "what a builtin does for every item")]
    fn pay(&self, cx: &mut Cx) -> Res<()> {
        if self.pays {
            cx.alloc(16)?;
        }
        cx.spend(1)
    }

    /// Does the work of [`Each::again`] for several collections.
    fn again_of_several(&mut self, cx: &mut Cx, args: &mut [Value], got: &mut Value) -> Res<bool> {
        if !matches!(self.collect, Collect::Results) || args.len() != self.inputs.len() {
            return Ok(false);
        }
        for (input, place) in self.inputs.iter_mut().zip(args) {
            // After this the full step finds the same end.
            let Some(item) = input.next() else { return Ok(false) };
            std::mem::replace(place, item).done();
        }
        self.out.push(std::mem::take(got));
        self.pay(cx)?;
        Ok(true)
    }

    /// Does the work of [`Each::again`] for a step that does not keep all results.
    #[inline(never)]
    fn again_by_choice(&mut self, cx: &mut Cx, args: &mut [Value], got: &mut Value) -> Res<bool> {
        if self.inputs.len() > 1 {
            return self.again_of_several(cx, args, got);
        }
        if !self.is_quick {
            return Ok(false);
        }
        // A full step makes the next items of stages, and takes the result before.
        if let Some(ItemIter::Pipe(pipe)) = self.inputs.first()
            && !pipe.has_next()
        {
            return Ok(false);
        }
        if !self.take(cx, std::mem::take(got))? {
            return Ok(self.end());
        }
        self.pay(cx)?;
        let Some(item) = self.inputs.first_mut().and_then(Iterator::next) else {
            return Ok(self.end());
        };
        if self.needs_item {
            std::mem::replace(&mut self.item, item.clone()).done();
        }
        self.put_item(args, item);
        Ok(true)
    }

    /// Replaces the arguments of the function.
    #[inline(always)]
    #[expect(clippy::inline_always, reason = "what a builtin does for every item")]
    fn put_item(&mut self, args: &mut [Value], item: Value) {
        match args {
            [only] => std::mem::replace(only, item).done(),
            [index, place] => {
                std::mem::replace(index, Value::Int(self.index)).done();
                std::mem::replace(place, item).done();
                self.index += 1;
            }
            _ => {}
        }
    }

    /// Makes the next full step the last one.
    #[inline]
    fn end(&mut self) -> bool {
        self.awaits = Awaits::End;
        false
    }

    fn done(&mut self, cx: &mut Cx) -> Res<Request> {
        self.close(cx)?;
        let whole = Each {
            function: Value::Nil,
            inputs: Vec::new(),
            collect: self.collect,
            index: self.index,
            is_quick: false,
            pays: false,
            needs_item: false,
            awaits: Awaits::End,
            out: std::mem::take(&mut self.out),
            aside: std::mem::take(&mut self.aside),
            rest: self.rest.take(),
            item: Value::Nil,
            state: None,
            finish: self.finish,
        };
        (self.finish)(cx, whole).map(Request::Done)
    }

    /// Passes on what is left after the last item.
    fn close(&mut self, cx: &mut Cx) -> Res<()> {
        if let Collect::Items = self.collect {
            // The function is called for all items before a wrong result is an error.
            for part in std::mem::take(&mut self.out) {
                self.out.extend(items_of(cx, part)?);
            }
        }
        let group = self.state.as_mut().map(|state| std::mem::take(&mut state.group));
        if let Some(group) = group.filter(|group| !group.is_empty()) {
            self.out.push(cx.list(group)?);
        }
        Ok(())
    }

    /// Takes the result for the item; returns whether it wants more items.
    #[inline]
    pub(super) fn take(&mut self, cx: &mut Cx, result: Value) -> Res<bool> {
        match self.collect.choose(&result) {
            Choice::Result => self.out.push(result),
            Choice::Item => self.out.push(std::mem::take(&mut self.item)),
            Choice::Nothing => result.done(),
            Choice::Both => {
                self.out.push(result);
                self.aside.push(std::mem::take(&mut self.item));
            }
            choice => return self.take_rarely(cx, choice, result),
        }
        Ok(true)
    }

    #[inline(never)]
    fn take_rarely(&mut self, cx: &mut Cx, choice: Choice, result: Value) -> Res<bool> {
        let item = std::mem::take(&mut self.item);
        let state = self.state.get_or_insert_default();
        let pass = choice.pass(cx, state, &self.function, item, result)?;
        self.put(cx, pass)
    }

    /// Takes what a step passes on; returns whether it wants more items.
    fn put(&mut self, cx: &mut Cx, pass: Pass) -> Res<bool> {
        match pass {
            Pass::Nothing => {}
            Pass::One(value) => self.out.push(value),
            Pass::Two(first, second) => self.out.extend([first, second]),
            Pass::Items(value) => self.out.extend(items_of(cx, value)?),
            Pass::Group(group, next) => {
                self.out.push(cx.list(group)?);
                self.state.get_or_insert_default().group.extend(next);
            }
            Pass::Last(value) => {
                self.out.push(value);
                return Ok(false);
            }
            Pass::Rest(first) => {
                self.rest = match self.inputs.pop() {
                    Some(input) => Some(input.into_rest(cx, first)?),
                    None => None,
                };
                return Ok(false);
            }
            Pass::End => return Ok(false),
        }
        Ok(true)
    }

    /// Returns whether its collection has another item at hand.
    pub(super) fn has_next(&self) -> bool {
        self.inputs.first().is_some_and(|input| input.remaining() > 0)
    }

    /// Takes the next item of its collection without a call.
    pub(super) fn next_item(&mut self) -> Option<Value> {
        let item = self.inputs.first_mut().and_then(Iterator::next)?;
        self.item = item.clone();
        Some(item)
    }

    pub(super) fn is_lazy(&self) -> bool {
        self.inputs.first().is_some_and(ItemIter::is_lazy)
    }
}

impl CallsBack for Each {
    fn step(
        &mut self,
        cx: &mut Cx,
        stack: &mut Vec<Value>,
        mut got: Option<Value>,
    ) -> Res<Request> {
        match self.awaits {
            Awaits::Result => {
                if let Some(result) = got.take()
                    && !self.take(cx, result)?
                {
                    return self.done(cx);
                }
            }
            Awaits::Item => self.awaits = Awaits::Result,
            Awaits::Whole => return Ok(Request::Done(got.unwrap_or_default())),
            Awaits::End => return self.done(cx),
        }
        if self.is_lazy() {
            return self.pull(cx, stack, got);
        }
        self.pay(cx)?;
        let start = stack.len();
        stack.push(self.function.clone());
        self.push_index(stack);
        let one = self.inputs.len() == 1;
        for input in &mut self.inputs {
            let Some(item) = input.next() else {
                stack.truncate(start);
                return self.done(cx);
            };
            if one && self.needs_item {
                self.item = item.clone();
            }
            stack.push(item);
        }
        Ok(Request::Call(stack.len() - start - 1))
    }

    /// Takes the result `got` and replaces the arguments by the next ones. Returns false if `got` needs a full step.
    #[inline(always)]
    #[expect(clippy::inline_always, reason = "what a builtin does for every item")]
    fn again(&mut self, cx: &mut Cx, args: &mut [Value], got: &mut Value) -> Res<bool> {
        if let (Collect::Results, [input]) = (self.collect, self.inputs.as_mut_slice()) {
            // A lazy sequence has no next item here.
            let Some(item) = input.next() else { return Ok(false) };
            self.out.push(std::mem::take(got));
            self.pay(cx)?;
            self.put_item(args, item);
            return Ok(true);
        }
        self.again_by_choice(cx, args, got)
    }

    fn each_value(&self, visit: &mut impl FnMut(&Value)) {
        visit(&self.function);
        self.out.iter().chain(&self.aside).chain(&self.rest).for_each(&mut *visit);
        if let Some(state) = &self.state {
            state.each_value(visit);
        }
        self.inputs.iter().for_each(|input| input.each_value(visit));
    }

    fn computes(&self, visit: &mut impl FnMut(usize)) {
        self.inputs.iter().for_each(|input| input.computes(visit));
    }
}

/// Moves the collections out of the arguments. A walk that may end early copies no items.
pub fn feeds(cx: &mut Cx, args: &mut Vec<Value>, collect: Collect) -> Res<Vec<ItemIter>> {
    let mut feeds = Vec::with_capacity(args.len() - 1);
    for collection in args.drain(1..) {
        feeds.push(match collect {
            Collect::While | Collect::From | Collect::Split => ItemIter::kept(cx, collection)?,
            _ => ItemIter::pulled(cx, collection)?,
        });
    }
    Ok(feeds)
}

/// Returns the results as a sequence.
pub(crate) fn finish_list(cx: &mut Cx, each: Each) -> Res {
    match each.rest {
        None => cx.list(each.out),
        Some(rest) if each.out.is_empty() => Ok(rest),
        Some(rest) => {
            let mut all = each.out;
            all.extend(items_of(cx, rest)?);
            cx.list(all)
        }
    }
}

pub fn finish_vector(cx: &mut Cx, each: Each) -> Res {
    cx.vector(each.out)
}

/// Returns the one kept result, or nil.
pub fn finish_first(_: &mut Cx, mut each: Each) -> Res {
    Ok(each.out.pop().unwrap_or_default())
}

/// Groups items with the same result in vectors under that result.
pub fn finish_groups(cx: &mut Cx, each: Each) -> Res {
    let mut groups: Map = Map::default();
    for (key, item) in each.out.into_iter().zip(each.aside) {
        cx.key(&key)?;
        let add = |group: &mut Value, item| {
            if let Value::Vector(group) = group {
                Vector::make_mut(group).push(item);
            }
        };
        groups.change(key, item, add, |item| Value::vector(vec![item]));
    }
    cx.alloc(groups.len() as u64 * 64)?;
    cx.changed_map(Arc::new(groups), 0)
}
