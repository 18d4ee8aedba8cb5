//! Callback states: builtins that call functions of the program, as state machines. See [`CallsBack`].

mod merge;

use std::sync::Arc;

use super::change::{Change, Force, ready};
use super::cx::Cx;
use super::each::Each;
use super::item_iter::ItemIter;
use super::problems::invariant_violated;
use super::realizer::LazyRealizer;
use super::reduce::Reduce;
use super::reducing::{reducing, wrong_arity_of_step};
use super::request::{CallsBack, Request};
use super::sorted_insert::SortedInsert;
use super::sorting::{Sort, SortBy};
use super::stages::{Stages, chain_of};
use super::taken::Taken;
pub(crate) use merge::Merge;
use ptc_values::{Map, Res, Stage, StageKind, Value, is_unbuilt};

/// Makes the enum of all states, which passes each request to the state that it holds.
macro_rules! states {
    ($($(#[$doc:meta])* $state:ident($held:ty)),+ $(,)?) => {
        /// A builtin that calls functions, between two calls.
        pub enum CallbackState {
            $($(#[$doc])* $state($held),)+
        }

        impl CallsBack for CallbackState {
            fn step(&mut self, cx: &mut Cx, stack: &mut Vec<Value>, got: Option<Value>) -> Res<Request> {
                match self {
                    $(CallbackState::$state(it) => it.step(cx, stack, got),)+
                }
            }

            #[inline(always)]
            fn again(&mut self, cx: &mut Cx, args: &mut [Value], got: &mut Value) -> Res<bool> {
                match self {
                    $(CallbackState::$state(it) => it.again(cx, args, got),)+
                }
            }

            fn each_value(&self, visit: &mut impl FnMut(&Value)) {
                match self {
                    $(CallbackState::$state(it) => it.each_value(visit),)+
                }
            }

            fn computes(&self, visit: &mut impl FnMut(usize)) {
                match self {
                    $(CallbackState::$state(it) => it.computes(visit),)+
                }
            }
        }
    };
}

states! {
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
    Taken(Box<Taken>),
    /// A builtin that needs no call.
    Value(Value),
}

/// A builtin that calls a function once and converts its result.
pub struct Once {
    pub function: Value,
    pub args: Vec<Value>,
    /// The values that the end needs besides the result.
    pub state: Vec<Value>,
    pub finish: fn(&mut Cx, Vec<Value>, Value) -> Res,
}

impl CallsBack for Once {
    fn step(&mut self, cx: &mut Cx, stack: &mut Vec<Value>, got: Option<Value>) -> Res<Request> {
        if let Some(result) = got {
            return (self.finish)(cx, std::mem::take(&mut self.state), result).map(Request::Done);
        }
        stack.push(std::mem::take(&mut self.function));
        let count = self.args.len();
        stack.append(&mut self.args);
        Ok(Request::Call(count))
    }

    fn each_value(&self, visit: &mut impl FnMut(&Value)) {
        self.args.iter().chain(&self.state).for_each(visit);
    }
}

impl CallsBack for Value {
    fn step(&mut self, _: &mut Cx, _: &mut Vec<Value>, _: Option<Value>) -> Res<Request> {
        Ok(Request::Done(std::mem::take(self)))
    }

    fn each_value(&self, visit: &mut impl FnMut(&Value)) {
        visit(self);
    }
}

impl CallbackState {
    /// Builds the result of a function for a builtin that looks at it or keeps it in a collection.
    #[inline]
    pub(super) fn build(&self, cx: &mut Cx, got: &mut Value) -> Res<()> {
        match self {
            _ if got.is_plain() || !is_unbuilt(got) => Ok(()),
            // It goes on to the next call, or into an atom, a map or a vector.
            CallbackState::Reduce(_) | CallbackState::Change(_) | CallbackState::Once(_) => Ok(()),
            CallbackState::Stages(stages) if stages.carries_result() => Ok(()),
            _ if matches!(got, Value::List(_)) => Ok(()),
            _ => cx.build(got),
        }
    }

    pub fn once(
        function: Value,
        args: Vec<Value>,
        state: Vec<Value>,
        finish: fn(&mut Cx, Vec<Value>, Value) -> Res,
    ) -> CallbackState {
        CallbackState::Once(Box::new(Once { function, args, state, finish }))
    }

    /// Calls a function once and converts its result. A function that calls nothing itself is called at once.
    pub fn call_once(
        cx: &mut Cx,
        function: Value,
        mut args: Vec<Value>,
        state: Vec<Value>,
        finish: fn(&mut Cx, Vec<Value>, Value) -> Res,
    ) -> Res<CallbackState> {
        match cx.call_pure(&function, &mut args)? {
            Some(result) => finish(cx, state, result).map(CallbackState::Value),
            None => Ok(CallbackState::once(function, args, state, finish)),
        }
    }

    /// Makes a `reduce`; without a start, the first item is the start.
    pub fn reduce(function: Value, start: Option<Value>, items: ItemIter) -> CallbackState {
        CallbackState::Reduce(Reduce::new(function, start, items))
    }

    /// Makes a `reduce` that passes the key and the value of each entry separately.
    pub fn reduce_entries(function: Value, start: Value, items: ItemIter) -> CallbackState {
        let mut reduce = Reduce::new(function, Some(start), items);
        reduce.entries = true;
        CallbackState::Reduce(reduce)
    }

    /// Makes a `reduce` that keeps every intermediate value.
    pub fn reductions(function: Value, start: Option<Value>, items: ItemIter) -> CallbackState {
        let all = Some(start.iter().cloned().collect());
        let mut reduce = Reduce::new(function, start, items);
        reduce.all = all;
        CallbackState::Reduce(reduce)
    }

    /// Merges entries into a map; the function combines two values under one key.
    pub fn merge(function: Value, map: Arc<Map>, entries: Vec<Value>) -> CallbackState {
        CallbackState::Merge(Box::new(Merge {
            function,
            entries: entries.into_iter(),
            map,
            key: Value::Nil,
        }))
    }

    /// Returns or computes the value of a delay.
    pub fn force(delay: Value) -> Res<CallbackState> {
        Ok(match ready(&delay)? {
            Some(value) => CallbackState::Value(value),
            None => CallbackState::Force(Force::new(delay)),
        })
    }

    /// Calls a transducer or a reducing function made by one.
    pub(super) fn stage(cx: &mut Cx, callee: Value, mut args: Vec<Value>) -> Res<CallbackState> {
        let Some(stage) = Stage::of(&callee) else { return Err(invariant_violated()) };
        let kind = stage.kind;
        if stage.next.is_none() {
            let [next] = args.as_mut_slice() else {
                return Err(wrong_arity_of_step(kind, args.len(), false));
            };
            return reducing(cx, stage, std::mem::take(next)).map(CallbackState::Value);
        }
        let (steps, last) = chain_of(cx, callee)?;
        Ok(match kind {
            StageKind::Collect if args.is_empty() => CallbackState::Value(Value::Nil),
            _ if args.is_empty() => {
                CallbackState::once(last, args, Vec::new(), |_, _, result| Ok(result))
            }
            _ => Stages::call(cx, kind, (steps, last), args)?.into(),
        })
    }

    pub fn value(value: Value) -> CallbackState {
        CallbackState::Value(value)
    }
}

/// Makes the conversions of states that are kept in a box.
macro_rules! boxed {
    ($($state:ident)+) => {
        $(impl From<$state> for CallbackState {
            fn from(state: $state) -> CallbackState {
                CallbackState::$state(Box::new(state))
            }
        })+
    };
}

boxed! { Each Sort SortBy LazyRealizer Stages SortedInsert Change Taken }
