//! Functions that sort, fold and compare items by the results of another function.

use ptc_signatures::Kinds;

use super::data::{check_keys, refuse_unfound};
use super::each::each;
use super::facts::{
    Callback, EACH, FOLD, How, LAST, LIST, LazyInput, Moves, NUMBER, ONCE, Origin, Pulls,
    ResultShape, ResultShape::By, as_value, calls, lazily, listed,
};
use super::{Row, callback, statistics, take, wrong_type};
use ptc_facts::messages::check_comparator;
use ptc_facts::shape::{Shape, gives};
use ptc_machine::{CallbackState, Collect, Cx, Each, ItemIter, Shortcut, Sort, SortBy, items_of};
use ptc_values::{Res, Value, num};

pub const TABLE: &[Row] = &[
    callback(
        "sort-by",
        "keyfn coll|keyfn comparator coll",
        "The items in ascending order of the results of keyfn.",
        "(sort-by count [\"bb\" \"a\"]) => (\"a\" \"bb\")",
        &[calls(0, How::Each), Callback { least: 3, function: 0, how: How::Last }],
        listed(By(gives::ordered)).collection(LAST).compares_by(1, 3),
        |cx, mut args| {
            if matches!(args.as_slice(), [_, Value::Nil, _]) {
                args.remove(1);
            }
            if args.len() == 2 {
                return each(cx, args, Collect::Both, |cx, each| {
                    let items = super::sequence::sorted_by(
                        cx,
                        each.out.into_iter().zip(each.aside).collect(),
                    )?;
                    cx.list(items)
                });
            }
            let [function, comparator, items] = <[Value; 3]>::try_from(args).unwrap_or_default();
            // Compute the keys first, then compare: two callback states in sequence.
            super::sequence::check_items(&items)?;
            let items = ItemIter::of(cx, items)?;
            if items.is_lazy() || items.remaining() > 0 {
                check_comparator(&comparator)?;
            }
            Ok(SortBy::new(function, comparator, items).into())
        },
    ),
    callback(
        "sort",
        "coll|comparator coll",
        "The items in ascending order, or in the order of a comparator.",
        "(sort > [1 3 2]) => (3 2 1)",
        &[Callback { least: 2, function: 0, how: How::Pairs }],
        listed(By(gives::ordered)).origin(Origin::Last).compares_by(0, 2),
        |cx, mut args| {
            let items = items_of(cx, args.pop().unwrap_or_default())?;
            match args.pop() {
                None | Some(Value::Nil) => {
                    let items = super::sequence::sorted(cx, items)?;
                    cx.list(items).map(CallbackState::value)
                }
                Some(comparator) => {
                    if !items.is_empty() {
                        check_comparator(&comparator)?;
                    }
                    let keyed = items.into_iter().map(|item| (item.clone(), item)).collect();
                    Ok(Sort::by(comparator, keyed).into())
                }
            }
        },
    ),
    callback(
        "reduce",
        "f coll|f init coll",
        "Reduces all items to one value: f of the value so far and each item.",
        "(reduce + 0 [1 2 3]) => 6",
        FOLD,
        as_value(By(gives::folded)).pulls(Pulls::All).moves(Moves::Start).collection(LAST),
        |cx, args| {
            let (function, start, items) = fold(cx, args)?;
            // Items of a lazy sequence cost more than this.
            if !items.is_lazy() && (start.is_some() || items.remaining() > 0) {
                cx.spend(1)?;
            }
            Ok(CallbackState::reduce(function, start, items))
        },
    ),
    callback(
        "reductions",
        "f coll|f init coll",
        "The intermediate values of a `reduce`.",
        "(reductions + [1 2 3]) => (1 3 6)",
        FOLD,
        lazily(LIST, LazyInput::Function).pulls(Pulls::Numbers).collection(LAST),
        |cx, args| {
            let (function, start, items) = fold(cx, args)?;
            Ok(CallbackState::reductions(function, start, items))
        },
    ),
    callback(
        "apply",
        "f args|f x & more args",
        "Calls f with the items of a collection as its arguments.",
        "(apply + [1 2]) => 3",
        ONCE,
        lazily(By(gives::of_apply), LazyInput::Function).collection(LAST),
        |cx, mut args| {
            let last = args.pop().unwrap_or_default();
            let function = take(&mut args, 0);
            let mut call: Vec<Value> = args.into_iter().skip(1).collect();
            call.extend(items_of(cx, last)?);
            Ok(CallbackState::once(function, call, Vec::new(), |_, _, result| Ok(result)))
        },
    )
    .shortcut(Shortcut::Apply),
    callback(
        "max-key",
        "f x & more",
        "The argument with the greatest result of f; the last of equal ones.",
        "(max-key count [1] [1 2]) => [1 2]",
        &[calls(0, How::Args("max-by"))],
        listed(By(|g| g.any_of(1))),
        |_, args| by_key(args, |cx, each| extreme(cx, each, "max-key", true)),
    ),
    callback(
        "min-key",
        "f x & more",
        "The argument with the least result of f; the last of equal ones.",
        "(min-key count [1] [1 2]) => [1]",
        &[calls(0, How::Args("min-by"))],
        listed(By(|g| g.any_of(1))),
        |_, args| by_key(args, |cx, each| extreme(cx, each, "min-key", false)),
    ),
    callback(
        "sum-by",
        "f coll",
        "The sum of the results of f, without nils. Not in Clojure.",
        "(sum-by :n [{:n 1} {:n 2}]) => 3",
        EACH,
        listed(NUMBER).collection(LAST),
        |cx, args| {
            refuse_unfound(cx, "sum-by", &args)?;
            each(cx, args, Collect::NotNil, |cx, each| statistics::total(cx, "sum-by", &each.out))
        },
    ),
    callback(
        "avg-by",
        "f coll",
        "The mean of the results of f, without nils; nil if there are none. Not in Clojure.",
        "(avg-by :n [{:n 1} {:n 2}]) => 1.5",
        EACH,
        listed(ResultShape::OrNil(Kinds::NUMBER)).collection(LAST),
        |cx, args| {
            refuse_unfound(cx, "avg-by", &args)?;
            each(cx, args, Collect::NotNil, |cx, each| statistics::mean(cx, "avg-by", &each.out))
        },
    ),
    callback(
        "min-by",
        "f coll",
        "The item with the least result of f; the first of equal ones, nils are skipped. Not in Clojure.",
        "(min-by :n [{:n 2} {:n 1}]) => {:n 1}",
        EACH,
        listed(By(|g| g.item(g.last()).or_nil())).collection(LAST),
        |cx, args| {
            refuse_unfound(cx, "min-by", &args)?;
            each(cx, args, Collect::Both, |cx, each| best_by(cx, each, false))
        },
    ),
    callback(
        "max-by",
        "f coll",
        "The item with the greatest result of f; the first of equal ones, nils are skipped. Not in Clojure.",
        "(max-by :n [{:n 2} {:n 1}]) => {:n 2}",
        EACH,
        listed(By(|g| g.item(g.last()).or_nil())).collection(LAST),
        |cx, args| {
            refuse_unfound(cx, "max-by", &args)?;
            each(cx, args, Collect::Both, |cx, each| best_by(cx, each, true))
        },
    ),
    callback(
        "distinct-by",
        "f coll",
        "The first item for each result of f. Not in Clojure.",
        "(distinct-by odd? [1 3 2]) => (1 2)",
        EACH,
        listed(By(gives::kept)).collection(LAST),
        |cx, args| {
            refuse_unfound(cx, "distinct-by", &args)?;
            each(cx, args, Collect::Both, |cx, each| {
                let mut seen = ptc_values::Set::default();
                let mut items = Vec::new();
                for (key, item) in each.out.into_iter().zip(each.aside) {
                    cx.key(&key)?;
                    if !seen.contains(&key) {
                        seen.insert(key);
                        items.push(item);
                    }
                }
                cx.list(items)
            })
        },
    ),
    callback(
        "index-by",
        "f coll",
        "A map from each result of f to its item, the last of equal ones. Not in Clojure.",
        "(index-by :id [{:id 1}]) => {1 {:id 1}}",
        EACH,
        listed(By(|g| Shape::entries(g.result.clone(), g.item(1)))).collection(LAST),
        |cx, args| {
            refuse_unfound(cx, "index-by", &args)?;
            each(cx, args, Collect::Both, |cx, each| {
                cx.map_of(each.out.into_iter().zip(each.aside))
            })
        },
    ),
];

/// Returns the function of a `reduce`, the start if there is one, and the items.
fn fold(cx: &mut Cx, mut args: Vec<Value>) -> Res<(Value, Option<Value>, ItemIter)> {
    let items = ItemIter::pulled(cx, args.pop().unwrap_or_default())?;
    let start = if args.len() == 2 { args.pop() } else { None };
    Ok((take(&mut args, 0), start, items))
}

fn by_key(mut args: Vec<Value>, finish: fn(&mut Cx, Each) -> Res) -> Res<CallbackState> {
    let function = take(&mut args, 0);
    let items: Vec<Value> = args.into_iter().skip(1).collect();
    if items.len() == 1 {
        return Ok(CallbackState::value(items.into_iter().next().unwrap_or_default()));
    }
    Ok(Each::one(function, ItemIter::Own(items.into_iter()), Collect::Both, finish).into())
}

fn extreme(_: &mut Cx, each: Each, who: &str, greatest: bool) -> Res {
    let mut best: Option<(Value, Value)> = None;
    for (key, item) in each.out.into_iter().zip(each.aside) {
        let Some(number) = num::Num::of(&key) else {
            let problem = wrong_type(who, "numbers as keys", &key);
            let by = if greatest { "max-by" } else { "min-by" };
            let help =
                || format!("`({by} f xs)` compares texts and dates too, and leaves out nils");
            return Err(if key.is_nil() { problem } else { problem.with_help(help()) });
        };
        let better = match best.as_ref().and_then(|(best, _)| num::Num::of(best)) {
            None => true,
            Some(best) => match num::partial_order(number, best) {
                Some(order) => order.is_eq() || order.is_gt() == greatest,
                None => true,
            },
        };
        if better {
            best = Some((key, item));
        }
    }
    Ok(best.map(|(_, item)| item).unwrap_or_default())
}

fn best_by(cx: &mut Cx, each: Each, greatest: bool) -> Res {
    let mut best: Option<(Value, Value)> = None;
    for (key, item) in each.out.into_iter().zip(each.aside) {
        if key.is_nil() {
            continue;
        }
        let better = match &best {
            None => true,
            Some((kept, _)) => {
                let order = cx.compare(&key, kept)?;
                let (less, more) = if order.is_lt() { (&key, kept) } else { (kept, &key) };
                check_keys(if greatest { "max-by" } else { "min-by" }, less, more)?;
                if greatest { order.is_gt() } else { order.is_lt() }
            }
        };
        if better {
            best = Some((key, item));
        }
    }
    Ok(best.map(|(_, item)| item).unwrap_or_default())
}
