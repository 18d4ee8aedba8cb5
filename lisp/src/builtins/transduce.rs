//! Transducers, and the functions that send items through them.
//!
//! The module `machine::stages` implements the steps.

use std::collections::HashMap;
use std::sync::LazyLock;

use super::facts::{ANY, Lazily, Sends, UNSEEN, as_value, lazily};
use super::{Builtin, BuiltinId, callback, lisp, pure, take, wrong_type};
use crate::diagnostic::{Code, Diagnostic};
use crate::machine::{CallbackState, Cx, Items, Res, Stages, rows_of};
use crate::num::Num;
use crate::value::{Stage, StageKind, Value};

/// Makes the row of a transducer with one argument fewer than its function.
macro_rules! step {
    ($name:literal, $usage:literal, $kind:ident) => {
        pure(
            $name,
            $usage,
            "The transducer of the function of this name.",
            "",
            as_value(ANY).step(StageKind::$kind),
            |cx, args| transducer(cx, StageKind::$kind, take(args, 0), Value::Nil),
        )
    };
    ($name:literal, $kind:ident) => {
        pure(
            $name,
            "",
            "The transducer of the function of this name.",
            "",
            as_value(ANY).step(StageKind::$kind),
            |cx, _| transducer(cx, StageKind::$kind, Value::Nil, Value::Nil),
        )
    };
}

pub(super) const TABLE: &[Builtin] = &[
    step!("ptc/map", "f", Map),
    step!("ptc/map-indexed", "f", MapIndexed),
    step!("ptc/mapcat", "f", Mapcat),
    step!("ptc/filter", "pred", Filter),
    step!("ptc/remove", "pred", Remove),
    step!("ptc/keep", "f", Keep),
    step!("ptc/keep-indexed", "f", KeepIndexed),
    step!("ptc/take-step", "n", Take),
    step!("ptc/take-while", "pred", TakeWhile),
    step!("ptc/take-nth", "n", TakeNth),
    step!("ptc/drop-step", "n", Drop),
    step!("ptc/drop-while", "pred", DropWhile),
    step!("ptc/distinct", Distinct),
    step!("ptc/dedupe", Dedupe),
    step!("ptc/interpose", "separator", Interpose),
    step!("ptc/replace", "replacements", Replace),
    step!("ptc/partition-all", "n", PartitionAll),
    step!("ptc/partition-by", "f", PartitionBy),
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
        if self.builtin().takes(count) {
            return Ok(self);
        }
        self.other_for(count).ok_or_else(|| self.builtin().wrong_arity(count))
    }

    /// Returns the builtin that replaces this one in a call with `count` arguments, if any.
    pub(crate) fn other_for(self, count: usize) -> Option<BuiltinId> {
        type Others = HashMap<BuiltinId, Vec<(usize, usize, BuiltinId)>>;
        static OTHERS_OF: LazyLock<Others> = LazyLock::new(|| {
            let mut others = Others::new();
            for (_, id) in super::rows() {
                for (least, most, other) in id.builtin().facts.others {
                    let other = super::find(other).map(|other| (*least, *most, other));
                    others.entry(id).or_default().extend(other);
                }
            }
            others
        });
        if self.builtin().takes(count) || self.builtin().facts.others.is_empty() {
            return None;
        }
        let others = OTHERS_OF.get(&self)?.iter();
        let mut fitting = others.filter(|(least, most, _)| (*least..=*most).contains(&count));
        fitting.next().map(|(_, _, other)| *other)
    }
}

/// Makes the reducing function of a transducer in front of another.
pub(crate) fn reducing(cx: &mut Cx, transducer: &Stage, next: Value) -> Res {
    let (kind, arg) = (transducer.kind, transducer.arg.clone());
    let count = match kind {
        StageKind::Take | StageKind::Drop => whole(kind, &arg)?,
        StageKind::PartitionAll => match &arg {
            Value::Int(count @ 0..) => *count as u64,
            other => {
                return Err(wrong_type("partition-all", "a positive integer first", other)
                    .with_class("IllegalArgumentException"));
            }
        },
        StageKind::Replace if !matches!(arg, Value::Map(_) | Value::Vector(_) | Value::Nil) => {
            return Err(wrong_type("replace", "a map of replacements first", &arg)
                .with_class("IllegalArgumentException"));
        }
        StageKind::Mapcat => {
            let cat = Stage::reducing(StageKind::Cat, (Value::Nil, Value::Nil), next, 0);
            let next = cx.step(cat, false)?;
            let map = Stage::reducing(StageKind::Map, (arg, Value::Nil), next, 0);
            return cx.step(map, false);
        }
        _ => 0,
    };
    let keeps_items = matches!(
        kind,
        StageKind::Distinct | StageKind::Dedupe | StageKind::PartitionAll | StageKind::PartitionBy
    );
    let step = Stage::reducing(kind, (arg, transducer.more.clone()), next, count);
    cx.step(step, keeps_items)
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

/// Returns a number as a count of items, rounded up.
fn whole(kind: StageKind, value: &Value) -> Res<u64> {
    match (value, Num::of(value)) {
        (Value::Int(count), _) => Ok(u64::try_from(*count).unwrap_or(0)),
        (_, Some(number)) => Ok(number.to_f64().ceil().max(0.0) as u64),
        (_, None) => Err(wrong_type(kind.name(), "a number of items first", value)),
    }
}

fn named(name: &str) -> Value {
    super::find(name).map_or(Value::Nil, Value::Builtin)
}
