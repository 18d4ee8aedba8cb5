//! Functions over functions.

use super::{Builtin, at_least, between, exactly, hof, lisp, take, wrong_type};
use crate::machine::{
    Collect, Cx, Each, Feed, Hof, Res, Sort, finish_first, finish_groups, finish_list,
    finish_vector, items_of, map_of,
};
use crate::num;
use crate::value::Value;

pub(super) const TABLE: &[Builtin] = &[
    hof("map", at_least(2), "f coll & colls", "f of every item.", "(map inc [1 2]) => (2 3)", |cx, args| each(cx, args, Collect::Results, finish_list)),
    hof("mapv", at_least(2), "f coll & colls", "f of every item, as a vector.", "(mapv inc [1 2]) => [2 3]", |cx, args| each(cx, args, Collect::Results, finish_vector)),
    hof("mapcat", at_least(2), "f coll & colls", "The items of f of every item.", "(mapcat reverse [[2 1] [3]]) => (1 2 3)", |cx, args| {
        each(cx, args, Collect::Results, |cx, each| {
            let mut all = Vec::new();
            for part in each.out {
                all.extend(items_of(cx, part)?);
                cx.alloc(0)?;
            }
            cx.list(all)
        })
    }),
    hof("map-indexed", exactly(2), "f coll", "f of every position and item.", "(map-indexed vector [:a]) => ([0 :a])", |cx, args| {
        each(cx, args, Collect::Results, finish_list).map(Each::indexed)
    }),
    hof("keep", exactly(2), "f coll", "f of every item, without nils.", "(keep :a [{:a 1} {}]) => (1)", |cx, args| each(cx, args, Collect::NotNil, finish_list)),
    hof("keep-indexed", exactly(2), "f coll", "f of every position and item, without nils.", "(keep-indexed (fn [i x] (if (odd? i) x)) [:a :b]) => (:b)", |cx, args| {
        each(cx, args, Collect::NotNil, finish_list).map(Each::indexed)
    }),
    hof("filter", exactly(2), "pred coll", "The items that pass.", "(filter odd? [1 2 3]) => (1 3)", |cx, args| each(cx, args, Collect::Kept, finish_list)),
    hof("filterv", exactly(2), "pred coll", "The items that pass, as a vector.", "(filterv odd? [1 2 3]) => [1 3]", |cx, args| each(cx, args, Collect::Kept, finish_vector)),
    hof("remove", exactly(2), "pred coll", "The items that do not pass.", "(remove odd? [1 2 3]) => (2)", |cx, args| each(cx, args, Collect::Dropped, finish_list)),
    hof("take-while", exactly(2), "pred coll", "Items up to the first that does not pass.", "(take-while odd? [1 2 3]) => (1)", |cx, args| walk(cx, args, Collect::While, finish_list)),
    hof("drop-while", exactly(2), "pred coll", "Items from the first that does not pass.", "(drop-while odd? [1 2 3]) => (2 3)", |cx, args| walk(cx, args, Collect::From, finish_list)),
    hof("some", exactly(2), "pred coll", "The first true result of pred; nil if there is none.", "(some #{2} [1 2]) => 2", |cx, args| each(cx, args, Collect::First, finish_first)),
    hof("every?", exactly(2), "pred coll", "Whether all items pass.", "(every? odd? [1 3]) => true", |cx, args| {
        each(cx, args, Collect::FirstFalse, |_, each| Ok(Value::Bool(each.out.is_empty())))
    }),
    hof("not-every?", exactly(2), "pred coll", "Whether some item does not pass.", "(not-every? odd? [1 2]) => true", |cx, args| {
        each(cx, args, Collect::FirstFalse, |_, each| Ok(Value::Bool(!each.out.is_empty())))
    }),
    hof("not-any?", exactly(2), "pred coll", "Whether no item passes.", "(not-any? odd? [2]) => true", |cx, args| {
        each(cx, args, Collect::First, |_, each| Ok(Value::Bool(each.out.is_empty())))
    }),
    hof("run!", exactly(2), "f coll", "Calls f for every item; gives nil.", "(run! println []) => nil", |cx, args| each(cx, args, Collect::Nothing, |_, _| Ok(Value::Nil))),
    hof("group-by", exactly(2), "f coll", "The items in vectors under f of them.", "(group-by odd? [1 2 3]) => {true [1 3], false [2]}", |cx, args| each(cx, args, Collect::Both, finish_groups)),
    hof("partition-by", exactly(2), "f coll", "The items in groups, a new one wherever f of them changes.", "(partition-by odd? [1 3 2]) => ((1 3) (2))", |cx, args| {
        each(cx, args, Collect::Both, |cx, each| {
            let mut groups = Vec::new();
            let mut group = Vec::new();
            let mut last: Option<Value> = None;
            for (key, item) in each.out.into_iter().zip(each.aside) {
                let changed = match &last {
                    Some(last) => !cx.equal(last, &key)?,
                    None => false,
                };
                if changed {
                    groups.push(cx.list(std::mem::take(&mut group))?);
                }
                group.push(item);
                last = Some(key);
            }
            if !group.is_empty() {
                groups.push(cx.list(group)?);
            }
            cx.list(groups)
        })
    }),
    hof("split-with", exactly(2), "pred coll", "Items up to the first that does not pass, and the others.", "(split-with odd? [1 2 3]) => [(1) (2 3)]", |cx, args| {
        walk(cx, args, Collect::Split, |cx, mut each| {
            let rest = each.aside.pop();
            let parts = vec![cx.list(each.out)?, rest.unwrap_or_else(Value::empty_list)];
            cx.vector(parts)
        })
    }),
    hof("sort-by", between(2, 3), "keyfn coll|keyfn comparator coll", "The items in ascending order of keyfn of them.", "(sort-by count [\"bb\" \"a\"]) => (\"a\" \"bb\")", |cx, args| {
        if args.len() == 2 {
            return each(cx, args, Collect::Both, |cx, each| {
                let items = super::sequence::sorted_by(cx, each.out.into_iter().zip(each.aside).collect())?;
                cx.list(items)
            });
        }
        let [function, comparator, items] = <[Value; 3]>::try_from(args).unwrap_or_default();
        // First the keys, then the comparisons: two builtins one after the other.
        super::sequence::check_items(&items)?;
        Hof::sort_by(function, comparator, Feed::of(cx, items)?)
    }),
    hof("sort", between(1, 2), "coll|comparator coll", "The items in ascending order, or in the order of a comparator.", "(sort > [1 3 2]) => (3 2 1)", |cx, mut args| {
        let items = items_of(cx, args.pop().unwrap_or_default())?;
        match args.pop() {
            None | Some(Value::Nil) => {
                let items = super::sequence::sorted(cx, items)?;
                cx.list(items).map(Hof::value)
            }
            Some(comparator) => {
                if !items.is_empty() {
                    super::sorted::check_comparator(&comparator)?;
                }
                let keyed = items.into_iter().map(|item| (item.clone(), item)).collect();
                Ok(Sort::by(comparator, keyed))
            }
        }
    }),
    hof("reduce", between(2, 3), "f coll|f init coll", "One value of all items: f of it and each item in turn.", "(reduce + 0 [1 2 3]) => 6", |cx, args| {
        let (function, start, items) = match fold(cx, args)? {
            Fold::Over(function, start, items) => (function, start, items),
            Fold::Nothing(function) => return Ok(Hof::once(function, Vec::new(), Vec::new(), |_, _, result| Ok(result))),
        };
        cx.spend(1)?;
        Ok(Hof::reduce(function, start, items))
    }),
    hof("reductions", between(2, 3), "f coll|f init coll", "Every value on the way of a reduce.", "(reductions + [1 2 3]) => (1 3 6)", |cx, args| {
        match fold(cx, args)? {
            Fold::Over(function, start, items) => Ok(Hof::reductions(function, start, items)),
            Fold::Nothing(function) => Ok(Hof::once(function, Vec::new(), Vec::new(), |cx, _, result| cx.list(vec![result]))),
        }
    }),
    hof("apply", at_least(2), "f args|f x & more args", "Calls f with the items of a collection as its arguments.", "(apply + [1 2]) => 3", |cx, mut args| {
        let last = args.pop().unwrap_or_default();
        let function = take(&mut args, 0);
        let mut call: Vec<Value> = args.into_iter().skip(1).collect();
        call.extend(items_of(cx, last)?);
        Ok(Hof::once(function, call, Vec::new(), |_, _, result| Ok(result)))
    }),
    hof("max-key", at_least(2), "f x & more", "The argument with the greatest f of it; the last of equal ones.", "(max-key count [1] [1 2]) => [1 2]", |_, args| by_key(args, |cx, each| extreme(cx, each, "max-key", true))),
    hof("min-key", at_least(2), "f x & more", "The argument with the least f of it; the last of equal ones.", "(min-key count [1] [1 2]) => [1]", |_, args| by_key(args, |cx, each| extreme(cx, each, "min-key", false))),
    hof("sum-by", exactly(2), "f coll", "The sum of f of every item, without nils. Not in Clojure.", "(sum-by :n [{:n 1} {:n 2}]) => 3", |cx, args| {
        each(cx, args, Collect::NotNil, |cx, each| sum(cx, &each.out))
    }),
    hof("avg-by", exactly(2), "f coll", "The mean of f of every item, without nils; nil of nothing. Not in Clojure.", "(avg-by :n [{:n 1} {:n 2}]) => 1.5", |cx, args| {
        each(cx, args, Collect::NotNil, |cx, each| {
            if each.out.is_empty() {
                return Ok(Value::Nil);
            }
            let total = sum(cx, &each.out)?;
            cx.op(crate::ir::Op::Div, &total, &Value::Float(each.out.len() as f64))
        })
    }),
    hof("min-by", exactly(2), "f coll", "The item with the least f of it; the first of equal ones, nils left out. Not in Clojure.", "(min-by :n [{:n 2} {:n 1}]) => {:n 1}", |cx, args| {
        each(cx, args, Collect::Both, |cx, each| best_by(cx, each, false))
    }),
    hof("max-by", exactly(2), "f coll", "The item with the greatest f of it; the first of equal ones, nils left out. Not in Clojure.", "(max-by :n [{:n 2} {:n 1}]) => {:n 2}", |cx, args| {
        each(cx, args, Collect::Both, |cx, each| best_by(cx, each, true))
    }),
    hof("distinct-by", exactly(2), "f coll", "The first item for each value of f. Not in Clojure.", "(distinct-by odd? [1 3 2]) => (1 2)", |cx, args| {
        each(cx, args, Collect::Both, |cx, each| {
            let mut seen = crate::value::Set::default();
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
    }),
    hof("index-by", exactly(2), "f coll", "A map of f of each item to the item; the last of equal ones. Not in Clojure.", "(index-by :id [{:id 1}]) => {1 {:id 1}}", |cx, args| {
        each(cx, args, Collect::Both, |cx, each| map_of(cx, each.out.into_iter().zip(each.aside)))
    }),
    lisp("comp", at_least(0), "& fs", "The functions one after another, the last first.", "((comp inc abs) -3) => 4", "(fn comp
        ([] identity)
        ([f] f)
        ([f g] (fn [& args] (f (apply g args))))
        ([f g & more] (comp f (apply comp g more))))"),
    lisp("partial", at_least(1), "f & args", "f with its first arguments given.", "((partial + 1) 2) => 3", "(fn
        ([f] f)
        ([f & args] (fn [& more] (apply f (concat args more)))))"),
    lisp("complement", exactly(1), "f", "The function that says the opposite.", "((complement nil?) 1) => true", "(fn [f] (fn [& args] (not (apply f args))))"),
    lisp("constantly", exactly(1), "x", "The function that always gives x.", "((constantly 1) 2 3) => 1", "(fn [x] (fn [& _] x))"),
    lisp("juxt", at_least(1), "f & fs", "The function that gives the values of all, as a vector.", "((juxt inc dec) 1) => [2 0]", "(fn [& fs] (fn [& args] (mapv (fn [f] (apply f args)) fs)))"),
    lisp("fnil", between(2, 4), "f x|f x y|f x y z", "f with defaults for arguments that are nil.", "((fnil inc 0) nil) => 1", "(fn
        ([f x] (fn [a & more] (apply f (if (nil? a) x a) more)))
        ([f x y] (fn [a b & more] (apply f (if (nil? a) x a) (if (nil? b) y b) more)))
        ([f x y z] (fn [a b c & more] (apply f (if (nil? a) x a) (if (nil? b) y b) (if (nil? c) z c) more))))"),
    lisp("every-pred", at_least(1), "p & ps", "The test that all of the tests pass for all arguments.", "((every-pred odd? pos?) 3) => true", "(fn [& ps] (fn [& xs] (every? (fn [p] (every? p xs)) ps)))"),
    lisp("some-fn", at_least(1), "f & fs", "The function that gives the first true value of any.", "((some-fn :a :b) {:b 1}) => 1", "(fn [& fs] (fn [& xs]
        (reduce (fn [last f]
            (let [found (reduce (fn [last x] (let [r (f x)] (if r (reduced r) r))) last xs)]
                (if found (reduced found) found))) nil fs)))"),
    lisp("trampoline", at_least(1), "f & args", "Calls f, and then what it gives as long as that is a function.", "(trampoline (fn [n] (fn [] (inc n))) 1) => 2", "(fn [f & args]
        (loop [value (apply f args)]
          (if (fn? value) (recur (value)) value)))"),
    lisp("repeatedly", between(1, 2), "f|n f", "A sequence of n calls of f; without n, f called again and again.", "(repeatedly 2 (constantly 1)) => (1 1)", "(fn repeatedly
        ([f] (ptc/lazy true (fn [] (cons (f) (repeatedly f)))))
        ([n f] (map (fn [_] (f)) (range n))))"),
];

/// A call of a function for every item of one or more collections.
fn each(
    cx: &mut Cx,
    mut args: Vec<Value>,
    collect: Collect,
    finish: fn(&mut Cx, Each) -> Res,
) -> Res<Hof> {
    let mut feeds = Vec::with_capacity(args.len() - 1);
    for collection in args.drain(1..) {
        feeds.push(Feed::of(cx, collection)?);
    }
    Ok(Each::over(take(&mut args, 0), feeds, collect, finish))
}

/// The same for a walk that ends before the items do: they are not copied for it.
fn walk(
    cx: &mut Cx,
    mut args: Vec<Value>,
    collect: Collect,
    finish: fn(&mut Cx, Each) -> Res,
) -> Res<Hof> {
    let items = Feed::kept(cx, take(&mut args, 1))?;
    Ok(Each::one(take(&mut args, 0), items, collect, finish))
}

/// What `reduce` and its kin start from.
enum Fold {
    Over(Value, Value, Feed),
    /// Neither a start nor an item: the function is called without arguments.
    Nothing(Value),
}

fn fold(cx: &mut Cx, args: Vec<Value>) -> Res<Fold> {
    Ok(match <[Value; 3]>::try_from(args) {
        Ok([function, start, items]) => Fold::Over(function, start, Feed::of(cx, items)?),
        Err(mut two) => {
            let mut items = Feed::of(cx, take(&mut two, 1))?;
            let function = take(&mut two, 0);
            match items.next() {
                Some(first) => Fold::Over(function, first, items),
                None => Fold::Nothing(function),
            }
        }
    })
}

fn by_key(mut args: Vec<Value>, finish: fn(&mut Cx, Each) -> Res) -> Res<Hof> {
    let function = take(&mut args, 0);
    let items: Vec<Value> = args.into_iter().skip(1).collect();
    if items.len() == 1 {
        return Ok(Hof::value(items.into_iter().next().unwrap_or_default()));
    }
    Ok(Each::one(function, Feed::Own(items.into_iter()), Collect::Both, finish))
}

fn extreme(_: &mut Cx, each: Each, who: &str, greatest: bool) -> Res {
    let mut best: Option<(Value, Value)> = None;
    for (key, item) in each.out.into_iter().zip(each.aside) {
        let Some(number) = num::Num::of(&key) else {
            return Err(wrong_type(who, "numbers as keys", &key));
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
                if greatest { order.is_gt() } else { order.is_lt() }
            }
        };
        if better {
            best = Some((key, item));
        }
    }
    Ok(best.map(|(_, item)| item).unwrap_or_default())
}

fn sum(cx: &mut Cx, values: &[Value]) -> Res {
    let mut total = Value::Int(0);
    for value in values {
        total = cx.op(crate::ir::Op::Add, &total, value)?;
    }
    Ok(total)
}
