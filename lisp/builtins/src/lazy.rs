//! Lazy sequences (D2), and the functions that walk them.

use super::facts::{
    self, ANY, How, Moves, OnNil, Pulls, ResultShape::By, UNSEEN, as_value, calls, listed,
};
use super::lazy_cells::{cell, from, lazy, repeating, up_to};
use super::{Row, callback, lisp, pure, take, wrong_type};
use ptc_facts::messages::{position, without_end};
use ptc_machine::{CallbackState, Cx, LazyRealizer, items_of};
use ptc_values::code::Code;
use ptc_values::ir::Op;
use ptc_values::{Diagnostic, Ext, Lazy, Origin, Pulled, Res, Stage, Value};

pub const TABLE: &[Row] = &[
    lisp(
        "iterate",
        "f x",
        "The endless sequence of x, f of x, f of that and so on.",
        "(take 3 (iterate inc 5)) => (5 6 7)",
        as_value(ANY).makes_lazy(usize::MAX).pulls(Pulls::Makes("ptc/iterated")),
    ),
    lisp(
        "ptc/iterate-after",
        "f x",
        "The endless sequence of f of x, f of that and so on.",
        "",
        as_value(ANY),
    ),
    pure(
        "ptc/iterated",
        "f x",
        "An `iterate` as the argument of a builtin that takes one item after another.",
        "",
        as_value(ANY),
        |cx, args| {
            cx.alloc(96)?;
            let origin = Origin::Iterated { function: take(args, 0), first: take(args, 1) };
            Ok(Ext::Pulled(Pulled { origin, stages: Vec::new() }).into_value())
        },
    ),
    lisp(
        "cycle",
        "coll",
        "The items, repeated without end; empty for an empty collection.",
        "(take 3 (cycle [1 2])) => (1 2 1)",
        listed(ANY).makes_lazy(usize::MAX),
    ),
    // The functions with which the language itself makes and walks lazy sequences.
    pure(
        "ptc/lazy",
        "endless f & args",
        "A lazy sequence that f computes.",
        "",
        as_value(ANY),
        |cx, args| {
            let endless = args[0].truthy();
            let rest = args[2..].iter_mut().map(std::mem::take).collect();
            lazy(cx, take(args, 1), rest, endless)
        },
    ),
    pure("ptc/lazy?", "x", "Whether a sequence is lazy.", "", as_value(ANY), |_, args| {
        Ok(Value::Bool(Lazy::of(&args[0]).is_some()))
    }),
    pure(
        "ptc/endless?",
        "x",
        "Whether a sequence is known to be endless.",
        "",
        as_value(ANY),
        |_, args| Ok(Value::Bool(endless(&args[0]))),
    ),
    pure("ptc/from", "n", "n, and the numbers after it.", "", as_value(ANY), |cx, args| {
        let next = cx.op(Op::Add, &args[0], &Value::Int(1))?;
        let rest = from(cx, "ptc/from", next)?;
        cell(cx, take(args, 0), rest)
    }),
    pure(
        "ptc/up-to",
        "n end step",
        "n, and the numbers after it before an end.",
        "",
        as_value(ANY),
        |cx, args| {
            let [n, end, step] = [take(args, 0), take(args, 1), take(args, 2)];
            if !super::number::is_before(cx, &n, &end, &step)? {
                return Ok(Value::Nil);
            }
            let next = cx.op(Op::Add, &n, &step)?;
            let endless = matches!(end, Value::Float(float) if float.is_infinite());
            let rest = up_to(cx, [next, end, step], endless)?;
            cell(cx, n, rest)
        },
    ),
    pure("ptc/again", "x", "x, repeated without end.", "", as_value(ANY), |cx, args| {
        let rest = repeating(cx, args[0].clone())?;
        cell(cx, take(args, 0), rest)
    }),
    callback("ptc/take", "n xs", "The first items.", "", UNSEEN, as_value(ANY), |_, args| {
        let [count, sequence] = two(args)?;
        let count = super::sequence::whole("take", &count)?;
        Ok(LazyRealizer::new(sequence, count, true, |cx, realizer| {
            cx.list(realizer.into_parts().0)
        })
        .into())
    }),
    callback(
        "ptc/drop",
        "n xs",
        "The items after the first ones.",
        "",
        UNSEEN,
        as_value(ANY),
        |_, args| {
            let [count, sequence] = two(args)?;
            let count = super::sequence::whole("drop", &count)?;
            Ok(LazyRealizer::new(sequence, count, false, |cx, realizer| {
                match realizer.into_parts().1 {
                    Value::Nil => cx.list(Vec::new()),
                    rest => Ok(rest),
                }
            })
            .into())
        },
    ),
    callback(
        "ptc/behind",
        "tail stage",
        "The groups behind a long group, whose last items are a sequence of a stage.",
        "",
        UNSEEN,
        as_value(ANY),
        |_, args| {
            let [tail, stage] = two(args)?;
            if Stage::of(&stage).is_none() {
                return Err(wrong_type("ptc/behind", "a stage", &stage));
            }
            Ok(LazyRealizer::behind(tail, stage).into())
        },
    ),
    callback(
        "ptc/step",
        "xs",
        "The first item and the rest; nil at the end.",
        "",
        UNSEEN,
        as_value(ANY),
        |_, mut args| {
            Ok(LazyRealizer::new(take(&mut args, 0), 1, true, |cx, realizer| {
                let (mut items, rest) = realizer.into_parts();
                match items.pop() {
                    Some(item) => cx.vector(vec![item, rest]),
                    None => Ok(Value::Nil),
                }
            })
            .into())
        },
    ),
    callback(
        "ptc/all",
        "x",
        "A lazy sequence as a list; any other value unchanged.",
        "",
        UNSEEN,
        as_value(ANY),
        |_, mut args| {
            let whole = take(&mut args, 0);
            if endless(&whole) {
                return Err(without_end());
            }
            if Lazy::of(&whole).is_none() {
                return Ok(CallbackState::value(whole));
            }
            Ok(LazyRealizer::new(whole, usize::MAX, true, |cx, realizer| {
                cx.list(realizer.into_parts().0)
            })
            .into())
        },
    ),
    pure("ptc/no-item", "n", "The error of `nth` after the end.", "", as_value(ANY), |_, args| {
        Err(Diagnostic::new(
            Code::OutOfBounds,
            format!("there is no item at {}; the sequence is shorter", position(&args[0])),
        )
        .with_class("IndexOutOfBoundsException")
        .with_help("use `(nth coll index nil)` for nil instead of an error"))
    }),
    pure(
        "ptc/holds-lazy?",
        "x",
        "Whether it contains a lazy sequence.",
        "",
        as_value(ANY).moves(Moves::All),
        |cx, args| holds_lazy(cx, &args[0]).map(Value::Bool),
    ),
    lisp(
        "ptc/realized",
        "x",
        "A value with its lazy sequences replaced by lists.",
        "",
        as_value(By(|g| g.arg(0).clone())).on_nil(OnNil::Passes).origin(facts::Origin::Last),
    ),
    lisp(
        "ptc/with-all",
        "f & args",
        "Calls f with lazy sequences replaced by lists.",
        "",
        as_value(ANY),
    ),
    lisp(
        "ptc/with-realized",
        "f x",
        "Calls f with a value whose lazy sequences are replaced by lists.",
        "",
        as_value(ANY),
    ),
    lisp(
        "ptc/level",
        "colls",
        "The collections, with the lazy ones cut to the shortest of the others, if there are any.",
        "",
        as_value(ANY),
    ),
    lisp(
        "ptc/append",
        "xs ys",
        "The items of one sequence, and then those of another.",
        "",
        as_value(ANY),
    ),
    pure(
        "ptc/over?",
        "xs",
        "Whether a sequence is known to be empty without computing an item.",
        "",
        as_value(ANY),
        |_, args| {
            Ok(Value::Bool(match &args[0] {
                Value::Nil => true,
                Value::List(seq) => seq.is_empty(),
                _ => false,
            }))
        },
    ),
    lisp(
        "ptc/flat",
        "colls endless",
        "The items of collections, one collection after another.",
        "",
        as_value(ANY),
    ),
    lisp(
        "ptc/chain",
        "colls",
        "The items of collections in a list, one collection after another.",
        "",
        as_value(ANY),
    ),
    lisp(
        "ptc/take-far",
        "n xs",
        "The first items, even more than a list can hold.",
        "",
        as_value(ANY),
    ),
    pure(
        "ptc/has-room?",
        "n",
        "Whether this number of items fits into a list.",
        "",
        as_value(ANY),
        |cx, args| {
            let count = super::sequence::whole("take", &args[0])?;
            Ok(Value::Bool(cx.has_room(count as u64)))
        },
    ),
    lisp(
        "ptc/same",
        "x y",
        "Whether two values that contain lazy sequences are equal.",
        "",
        as_value(ANY),
    ),
    pure("ptc/equal", "x y", "Whether two values are equal.", "", as_value(ANY), |cx, args| {
        cx.equal(&args[0], &args[1]).map(Value::Bool)
    }),
    lisp(
        "ptc/apply",
        "f xs",
        "Calls a function with the items of a lazy sequence.",
        "",
        as_value(ANY),
    ),
    pure(
        "ptc/params",
        "f",
        "The number of arguments before the rest arguments of a function; nil if it has none.",
        "",
        as_value(ANY),
        |_, args| {
            let arity = match &args[0] {
                // Functions of earlier programs and of the language itself may accept only lists.
                Value::Function(closure)
                    if closure.program.lazy_aware && !closure.program.builtin =>
                {
                    closure.lambda().and_then(|lambda| lambda.variadic())
                }
                _ => None,
            };
            Ok(arity.map_or(Value::Nil, |arity| Value::Int(i64::from(arity.params))))
        },
    ),
    callback(
        "ptc/call",
        "f args rest",
        "Calls a function with arguments and a lazy sequence of the rest.",
        "",
        UNSEEN,
        as_value(ANY),
        |cx, mut args| {
            let (rest, front) = (take(&mut args, 2), take(&mut args, 1));
            let mut call = items_of(cx, front)?;
            call.push(rest);
            cx.rest_is_given();
            Ok(CallbackState::once(take(&mut args, 0), call, Vec::new(), |_, _, result| Ok(result)))
        },
    ),
    lisp(
        "ptc/for",
        "ends f coll",
        "The implementation of `for`: the items of f of each item, up to a reduced one.",
        "",
        as_value(By(|g| g.list_of(g.result.item()))).calls(&[calls(1, How::Each)]),
    ),
];

fn endless(value: &Value) -> bool {
    Lazy::of(value).is_some_and(Lazy::is_endless)
}

fn two(args: Vec<Value>) -> Res<[Value; 2]> {
    <[Value; 2]>::try_from(args).map_err(|_| wrong_type("ptc/take", "two arguments", &Value::Nil))
}

/// Returns whether a value contains a lazy sequence; pays for the walk.
fn holds_lazy(cx: &mut Cx, value: &Value) -> Res<bool> {
    let mut work = vec![value.clone()];
    while let Some(value) = work.pop() {
        let before = work.len();
        match &value {
            Value::Ext(_) if Lazy::of(&value).is_some() => return Ok(true),
            Value::Map(map) => work.extend(
                map.iter().flat_map(|(key, value)| [key, value]).filter(|v| nested(v)).cloned(),
            ),
            _ => work
                .extend(value.items().into_iter().flatten().filter(|item| nested(item)).cloned()),
        }
        cx.spend((work.len() - before) as u64)?;
        cx.alloc((work.len() - before) as u64 * 16)?;
    }
    Ok(false)
}

fn nested(value: &Value) -> bool {
    value.depth() > 0 || matches!(value, Value::Ext(_))
}
