//! Transducers, and the functions that send items through them.
//!
//! The module `machine::stages` implements the steps.

use super::facts::{ANY, Lazily, Sends, UNSEEN, as_value, lazily};
use super::{Builtin, BuiltinId, callback, lisp, pure, take, wrong_type};
use crate::diagnostic::{Code, Diagnostic};
use crate::machine::{CallbackState, Collect, Cx, ItemStep, Items, Res, Stages, rows_of};
use crate::num::Num;
use crate::value::{Lazy, Stage, StageKind, StageState, Value};

pub(super) const TABLE: &[Builtin] = &[
    pure(
        "ptc/transducer",
        "of|of arg",
        "The transducer of a function without its collection.",
        "",
        as_value(ANY),
        |cx, args| {
            let (kind, arg) = kind_of(args)?;
            transducer(cx, kind, arg, Value::Nil)
        },
    ),
    pure(
        "ptc/stream-of",
        "of coll|of arg coll",
        "The items of a sequence after the step of a function, computed lazily.",
        "",
        as_value(ANY),
        streamed,
    ),
    callback(
        "transduce",
        "xform f coll|xform f init coll",
        "Reduces the items to one value, after a transducer.",
        "(transduce (map inc) + [1 2]) => 5",
        UNSEEN,
        as_value(ANY).sends(Sends::Folds),
        |_, mut args| {
            let items = Items::Of(args.pop().unwrap_or_default());
            let init = if args.len() == 3 { args.pop() } else { None };
            let function = take(&mut args, 1);
            Ok(Stages::transduce(take(&mut args, 0), function, init, items))
        },
    ),
    callback(
        "ptc/into",
        "|to|to xform from",
        "`into` through a transducer.",
        "",
        UNSEEN,
        as_value(ANY).sends(Sends::Into),
        |_, mut args| match args.len() {
            0 => Ok(CallbackState::value(Value::vector(Vec::new()))),
            3 => {
                let items = Items::Of(take(&mut args, 2));
                let init = Some(take(&mut args, 0));
                Ok(Stages::transduce(take(&mut args, 1), named("conj"), init, items))
            }
            _ => Ok(CallbackState::value(take(&mut args, 0))),
        },
    ),
    callback(
        "ptc/sequence",
        "xform coll & colls",
        "`sequence` through a transducer.",
        "",
        UNSEEN,
        lazily(ANY, Lazily::Function).sends(Sends::Lists),
        |cx, mut args| {
            let mut collections = args.split_off(1);
            let items = match collections.len() {
                1 => Items::Of(collections.pop().unwrap_or_default()),
                _ => Items::Rows(rows_of(cx, collections)?),
            };
            let collector = collector(cx)?;
            Ok(Stages::collect(take(&mut args, 0), collector, items))
        },
    ),
    lisp(
        "eduction",
        "& xforms coll",
        "The items of a collection after transducers, computed lazily.",
        "(reduce + (eduction (map inc) (filter odd?) [1 2 3])) => 3",
        as_value(ANY).sends(Sends::ListsAll).makes_lazy(usize::MAX),
    ),
    pure(
        "completing",
        "f|f done",
        "The reducing function f with a final step: done of the result.",
        "(transduce (map inc) (completing + str) 0 [1 2]) => \"5\"",
        as_value(ANY),
        |cx, args| {
            let done = if args.len() == 2 { take(args, 1) } else { named("identity") };
            let step = Stage::reducing(StageKind::Completing, (done, Value::Nil), take(args, 0), 0);
            cx.step(step, false)
        },
    ),
    pure(
        "cat",
        "rf",
        "The transducer that passes on the items of each item.",
        "(into [] cat [[1 2] [3]]) => [1 2 3]",
        as_value(ANY),
        |cx, args| {
            let step = Stage::reducing(StageKind::Cat, (Value::Nil, Value::Nil), take(args, 0), 0);
            cx.step(step, false)
        },
    ),
    pure(
        "halt-when",
        "pred|pred f",
        "The transducer that stops at the first item that passes; its result is that item, or f of the result and the item.",
        "(into [] (halt-when neg?) [1 -2 3]) => -2",
        as_value(ANY),
        |cx, args| {
            let more = if args.len() == 2 { take(args, 1) } else { Value::Nil };
            transducer(cx, StageKind::HaltWhen, take(args, 0), more)
        },
    ),
    // The functions behind lazy sequences of transducers.
    pure(
        "ptc/collector",
        "",
        "A reducing function that keeps the items.",
        "",
        as_value(ANY),
        |cx, _| collector(cx),
    ),
    pure(
        "ptc/collected",
        "rf",
        "The items that a reducing function has kept.",
        "",
        as_value(ANY),
        |cx, args| {
            let kept = Stage::of(&args[0]).map(Stage::forget);
            cx.vector(kept.map(|state| state.group).unwrap_or_default())
        },
    ),
    pure(
        "ptc/unending?",
        "rf",
        "Whether no step of a reducing function ends early.",
        "",
        as_value(ANY),
        |cx, args| {
            let mut rest = &args[0];
            while let Some(step) = Stage::of(rest) {
                cx.spend(1)?;
                match (step.kind, &step.next) {
                    (StageKind::Collect, _) => return Ok(Value::Bool(true)),
                    (kind, _) if kind.ends() => break,
                    (_, Some(next)) => rest = next,
                    (_, None) => break,
                }
            }
            Ok(Value::Bool(false))
        },
    ),
    lisp(
        "ptc/stream",
        "xform coll & colls",
        "The same as `sequence`, computed lazily.",
        "",
        as_value(ANY),
    ),
];

impl BuiltinId {
    /// Returns the builtin of a call with this number of arguments.
    pub(crate) fn for_count(self, count: usize) -> Res<BuiltinId> {
        if self.builtin().takes(count) || self.makes_transducer(count) {
            return Ok(self);
        }
        self.other_for(count).ok_or_else(|| self.builtin().wrong_arity(count))
    }

    /// Returns whether a call with `count` arguments lacks only the collection, and so makes a
    /// transducer.
    pub(crate) fn makes_transducer(self, count: usize) -> bool {
        let builtin = self.builtin();
        count + 1 == builtin.min && builtin.facts.step.is_some()
    }

    /// Returns the builtin that replaces this one in a call with `count` arguments, if any.
    pub(crate) fn other_for(self, count: usize) -> Option<BuiltinId> {
        let builtin = self.builtin();
        if builtin.takes(count) {
            return None;
        }
        let mut others = builtin.facts.others.iter();
        let (_, _, other) = others.find(|(least, most, _)| (*least..=*most).contains(&count))?;
        super::find(other)
    }
}

impl StageKind {
    /// Returns the step in the row of its function, if there is one.
    pub(crate) fn step(self) -> Option<&'static ItemStep> {
        match self {
            StageKind::Step(id) => id.builtin().facts.step,
            _ => None,
        }
    }

    /// Returns the kind whose function has this name.
    pub(crate) fn named(name: &str) -> Option<StageKind> {
        if let Some((kind, _)) = StageKind::OTHERS.iter().find(|(_, known)| *known == name) {
            return Some(*kind);
        }
        super::find(name).map(StageKind::Step).filter(|kind| kind.step().is_some())
    }

    /// Returns whether it may stop early.
    pub(crate) fn ends(self) -> bool {
        self == StageKind::HaltWhen || self.step().is_some_and(|step| step.ends)
    }
}

/// Returns the step of the function that is the first argument, and the argument behind it.
fn kind_of(args: &mut [Value]) -> Res<(StageKind, Value)> {
    match args {
        [Value::Builtin(id), rest @ ..] if id.builtin().facts.step.is_some() => {
            Ok((StageKind::Step(*id), rest.first_mut().map(std::mem::take).unwrap_or_default()))
        }
        [other, ..] => Err(wrong_type("a transducer", "a function with a step", other)),
        [] => Err(wrong_type("a transducer", "a function with a step", &Value::Nil)),
    }
}

/// Makes the lazy form of a step: its function, its argument if it has one, and the sequence.
pub(crate) fn streamed(cx: &mut Cx, args: &mut [Value]) -> Res {
    let (args, source) = args.split_at_mut(args.len() - 1);
    let (kind, arg) = kind_of(args)?;
    let Some(step) = kind.step() else { return Ok(Value::Nil) };
    let count = (step.start)(cx, &arg)?;
    let state = StageState { count, ..StageState::default() };
    let stage = Stage::transducer(kind, arg, Value::Nil).remembering(state);
    let stage = cx.stage(stage, step.keeps)?;
    let endless = !step.ends && Lazy::of(&source[0]).is_some_and(Lazy::is_endless);
    super::lazy::lazy(cx, stage, vec![take(source, 0)], endless)
}

/// Makes the reducing function of a transducer in front of another.
pub(crate) fn reducing(cx: &mut Cx, transducer: &Stage, next: Value) -> Res {
    let (kind, arg) = (transducer.kind, transducer.arg.clone());
    let Some(step) = kind.step() else {
        let stage = Stage::reducing(kind, (arg, transducer.more.clone()), next, 0);
        return cx.step(stage, false);
    };
    if let Collect::Items = step.collect {
        // As in Clojure, it is `map`, and then `cat`.
        let cat = Stage::reducing(StageKind::Cat, (Value::Nil, Value::Nil), next, 0);
        let next = cx.step(cat, false)?;
        let kind = StageKind::named("map").unwrap_or(kind);
        return cx.step(Stage::reducing(kind, (arg, Value::Nil), next, 0), false);
    }
    let count = (step.start)(cx, &arg)?;
    cx.step(Stage::reducing(kind, (arg, Value::Nil), next, count), step.keeps)
}

/// Returns the error of a wrong number of arguments for a transducer or its reducing function.
#[cold]
pub(crate) fn wrong_arity_of_step(kind: StageKind, count: usize, reduces: bool) -> Diagnostic {
    let name = kind.name();
    let (what, takes) = if reduces {
        (format!("the reducing function of `{name}`"), "0 to 2 arguments")
    } else {
        (format!("the transducer of `{name}`"), "1 argument, a reducing function")
    };
    Diagnostic::new(Code::WrongArity, format!("{what} takes {takes}, not {count}"))
        .with_jvm_message(crate::value::wrong_number(count, &format!("clojure.core/{name}/fn")))
        .with_help(format!(
            "give `{name}` its collection, or send items through it: `(into [] ({name} …) coll)`"
        ))
}

fn transducer(cx: &mut Cx, kind: StageKind, arg: Value, more: Value) -> Res {
    cx.step(Stage::transducer(kind, arg, more), false)
}

fn collector(cx: &mut Cx) -> Res {
    let args = (Value::Nil, Value::Nil);
    cx.step(Stage::reducing(StageKind::Collect, args, Value::Nil, 0), true)
}

/// Returns the argument of a step as a count of items, rounded up.
pub(super) fn count_of_step(who: &str, value: &Value) -> Res<u64> {
    match (value, Num::of(value)) {
        (Value::Int(count), _) => Ok(u64::try_from(*count).unwrap_or(0)),
        (_, Some(number)) => Ok(number.to_f64().ceil().max(0.0) as u64),
        (_, None) => Err(wrong_type(who, "a number of items first", value)),
    }
}

/// Returns the function of a name.
pub(crate) fn named(name: &str) -> Value {
    super::find(name).map_or(Value::Nil, Value::Builtin)
}
