//! Transducers, and the functions that send items through them.
//!
//! The module `machine::stages` implements the steps.

use super::facts::{ANY, LazyInput, Moves, Pulls, TransducerUse, UNSEEN, as_value, lazily};
use super::{Row, callback, lisp, pure, take, wrong_type};
use ptc_facts::registry::named;
use ptc_machine::StageStep;
use ptc_machine::{CallbackState, Cx, Items, Stages, kind_of, rows_of, streamed};
use ptc_values::num::Num;
use ptc_values::{Res, Stage, StageKind, Value};

pub const TABLE: &[Row] = &[
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
        as_value(ANY).pulls(Pulls::Numbers).moves(Moves::Start).sends(TransducerUse::Folds),
        |_, mut args| {
            let items = Items::Of(args.pop().unwrap_or_default());
            let init = if args.len() == 3 { args.pop() } else { None };
            let function = take(&mut args, 1);
            Ok(Stages::transduce(take(&mut args, 0), function, init, items).into())
        },
    ),
    callback(
        "ptc/into",
        "|to|to xform from",
        "`into` through a transducer.",
        "",
        UNSEEN,
        as_value(ANY).pulls(Pulls::Numbers).moves(Moves::Collection).sends(TransducerUse::Into),
        |_, mut args| match args.len() {
            0 => Ok(CallbackState::value(Value::vector(Vec::new()))),
            3 => {
                let items = Items::Of(take(&mut args, 2));
                let init = Some(take(&mut args, 0));
                Ok(Stages::transduce(take(&mut args, 1), named("conj"), init, items).into())
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
        lazily(ANY, LazyInput::Function).pulls(Pulls::Numbers).sends(TransducerUse::Lists),
        |cx, mut args| {
            let mut collections = args.split_off(1);
            let items = match collections.len() {
                1 => Items::Of(collections.pop().unwrap_or_default()),
                _ => Items::Rows(rows_of(cx, collections)?),
            };
            let collector = collector(cx)?;
            Ok(Stages::collect(take(&mut args, 0), collector, items).into())
        },
    ),
    lisp(
        "eduction",
        "& xforms coll",
        "The items of a collection after transducers, computed lazily.",
        "(reduce + (eduction (map inc) (filter odd?) [1 2 3])) => 3",
        as_value(ANY).sends(TransducerUse::ListsAll).makes_lazy(usize::MAX),
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
