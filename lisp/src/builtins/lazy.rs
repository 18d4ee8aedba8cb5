//! Sequences whose items are made when they are asked for (D2), and what walks them.

use super::{Builtin, at_least, exactly, hof, lisp, pure, take, wrong_type};
use crate::diagnostic::{Code, Diagnostic};
use crate::ir::Op;
use crate::machine::{Cx, Hof, Pull, Res};
use crate::value::{Lazy, Value};

pub(super) const TABLE: &[Builtin] = &[
    lisp(
        "iterate",
        exactly(2),
        "f x",
        "x, f of x, f of that and so on without end.",
        "(take 3 (iterate inc 5)) => (5 6 7)",
        "(fn [f x] (cons x (ptc/lazy true (fn [f x] (iterate f (f x))) f x)))",
    ),
    lisp(
        "cycle",
        exactly(1),
        "coll",
        "The items again and again without end; none of none.",
        "(take 3 (cycle [1 2])) => (1 2 1)",
        "(fn [coll]
           (let [all (seq coll)]
             (if all
               ((fn around [items]
                  (cons (first items)
                        (ptc/lazy true (fn [] (around (or (next items) all))))))
                all)
               ())))",
    ),
    // What the language itself makes and walks lazy sequences with.
    pure(
        "ptc/lazy",
        at_least(2),
        "endless f & args",
        "A sequence that f makes when it is asked for.",
        "",
        |cx, args| {
            let endless = args[0].truthy();
            let rest = args[2..].iter_mut().map(std::mem::take).collect();
            lazy(cx, take(args, 1), rest, endless)
        },
    ),
    pure(
        "ptc/lazy?",
        exactly(1),
        "x",
        "Whether a sequence is made when it is asked for.",
        "",
        |_, args| Ok(Value::Bool(Lazy::of(&args[0]).is_some())),
    ),
    pure(
        "ptc/endless?",
        exactly(1),
        "x",
        "Whether a sequence is known never to end.",
        "",
        |_, args| Ok(Value::Bool(endless(&args[0]))),
    ),
    pure("ptc/from", exactly(1), "n", "n, and the numbers after it.", "", |cx, args| {
        let next = cx.op(Op::Add, &args[0], &Value::Int(1))?;
        let rest = from(cx, "ptc/from", next)?;
        cell(cx, take(args, 0), rest)
    }),
    pure("ptc/again", exactly(1), "x", "x, and x again.", "", |cx, args| {
        let rest = again(cx, args[0].clone())?;
        cell(cx, take(args, 0), rest)
    }),
    hof("ptc/take", exactly(2), "n xs", "The first items.", "", |_, args| {
        let [count, sequence] = two(args)?;
        let count = super::sequence::whole("take", &count)?;
        Ok(Pull::hof(sequence, count, true, |cx, pull| cx.list(pull.into_parts().0)))
    }),
    hof("ptc/drop", exactly(2), "n xs", "What is after the first items.", "", |_, args| {
        let [count, sequence] = two(args)?;
        let count = super::sequence::whole("drop", &count)?;
        Ok(Pull::hof(sequence, count, false, |cx, pull| match pull.into_parts().1 {
            Value::Nil => cx.list(Vec::new()),
            rest => Ok(rest),
        }))
    }),
    hof(
        "ptc/step",
        exactly(1),
        "xs",
        "The first item and what is after it; nil at the end.",
        "",
        |_, mut args| {
            Ok(Pull::hof(take(&mut args, 0), 1, true, |cx, pull| {
                let (mut items, rest) = pull.into_parts();
                match items.pop() {
                    Some(item) => cx.vector(vec![item, rest]),
                    None => Ok(Value::Nil),
                }
            }))
        },
    ),
    hof(
        "ptc/all",
        exactly(1),
        "x",
        "A lazy sequence as a list; anything else as it is.",
        "",
        |_, mut args| {
            let whole = take(&mut args, 0);
            if endless(&whole) {
                return Err(without_end());
            }
            if Lazy::of(&whole).is_none() {
                return Ok(Hof::value(whole));
            }
            Ok(Pull::hof(whole, usize::MAX, true, |cx, pull| cx.list(pull.into_parts().0)))
        },
    ),
    pure("ptc/no-item", exactly(1), "n", "What `nth` does behind the end.", "", |_, args| {
        Err(Diagnostic::new(
            Code::OutOfBounds,
            format!(
                "there is no item at {}; the sequence ends before",
                super::sequence::position(&args[0])
            ),
        )
        .with_class("IndexOutOfBoundsException")
        .with_help("use `(nth coll index nil)` for nil instead of an error"))
    }),
    pure(
        "ptc/holds-lazy?",
        exactly(1),
        "x",
        "Whether a lazy sequence is in it.",
        "",
        |cx, args| holds_lazy(cx, &args[0]).map(Value::Bool),
    ),
    lisp(
        "ptc/realized",
        exactly(1),
        "x",
        "A value with lists in place of the lazy sequences in it.",
        "",
        "(fn realized [x]
           (if (ptc/holds-lazy? x)
             (walk/walk realized identity (ptc/all x))
             x))",
    ),
    lisp(
        "ptc/with-all",
        at_least(1),
        "f & args",
        "Calls f with lists in place of lazy sequences.",
        "",
        "(fn [f & args] (apply f (map ptc/all args)))",
    ),
    lisp(
        "ptc/level",
        exactly(1),
        "colls",
        "Collections of which the lazy ones are cut to the shortest of the others, if there are any.",
        "",
        "(fn [colls]
           (let [finite (remove ptc/lazy? colls)]
             (if (empty? finite)
               colls
               (let [n (apply min (map count finite))]
                 (map (fn [c] (if (ptc/lazy? c) (ptc/take n c) c)) colls)))))",
    ),
    lisp(
        "ptc/append",
        exactly(2),
        "xs ys",
        "The items of one sequence and then those of another.",
        "",
        "(fn append [xs ys]
           (ptc/lazy (or (ptc/endless? xs) (ptc/endless? ys))
             (fn []
               (let [x (ptc/step xs)]
                 (if x (cons (x 0) (append (x 1) ys)) ys)))))",
    ),
    lisp(
        "ptc/flat",
        exactly(2),
        "colls endless",
        "The items of collections, one collection after another.",
        "",
        "(fn flat [colls endless]
           (ptc/lazy endless
             (fn []
               (loop [colls colls]
                 (let [c (ptc/step colls)]
                   (if c
                     (let [x (ptc/step (c 0))]
                       (if x
                         (cons (x 0) (ptc/append (x 1) (flat (c 1) endless)))
                         (recur (c 1))))))))))",
    ),
    lisp(
        "ptc/for",
        exactly(3),
        "f coll ends",
        "What `for` is made of: the items of f of each item, up to a reduced one.",
        "",
        "(fn each [f coll ends]
           (if (ptc/lazy? coll)
             (ptc/lazy (and (not ends) (ptc/endless? coll))
               (fn []
                 (loop [coll coll]
                   (let [x (ptc/step coll)]
                     (if x
                       (let [some (f (x 0))]
                         (cond
                           (reduced? some) (seq @some)
                           (= 0 (count some)) (recur (x 1))
                           :else (ptc/append some (each f (x 1) ends)))))))))
             (ptc/as-list
               (reduce (fn [all x]
                         (let [some (f x)]
                           (if (reduced? some) (reduced (into all @some)) (into all some))))
                       [] coll))))",
    ),
];

/// A sequence that a function makes when it is asked for.
pub(super) fn lazy(cx: &mut Cx, function: Value, args: Vec<Value>, endless: bool) -> Res {
    cx.alloc(args.len() as u64 * 16)?;
    cx.lazy(Lazy::unmade(function, args, endless))
}

/// An item in front of a lazy sequence.
pub(super) fn cell(cx: &mut Cx, first: Value, rest: Value) -> Res {
    cx.lazy(Lazy::cons(first, rest))
}

/// `(range)`: 0, 1, 2 and so on.
pub(super) fn counting(cx: &mut Cx) -> Res {
    from(cx, "ptc/from", Value::Int(0))
}

/// `(repeat x)`: x again and again.
pub(super) fn again(cx: &mut Cx, x: Value) -> Res {
    from(cx, "ptc/again", x)
}

fn from(cx: &mut Cx, name: &str, x: Value) -> Res {
    let function = super::find(name).map_or(Value::Nil, Value::Builtin);
    lazy(cx, function, vec![x], true)
}

fn endless(value: &Value) -> bool {
    Lazy::of(value).is_some_and(Lazy::is_endless)
}

fn two(args: Vec<Value>) -> Res<[Value; 2]> {
    <[Value; 2]>::try_from(args).map_err(|_| wrong_type("ptc/take", "two arguments", &Value::Nil))
}

#[cold]
pub(crate) fn without_end() -> Diagnostic {
    Diagnostic::new(Code::EndlessSequence, "all items of a sequence that never ends are asked for")
        .with_help("take a part of it first: `(take 10 xs)` or `(take-while pred xs)`")
}

/// Whether a lazy sequence is somewhere in a value; pays for the walk.
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
