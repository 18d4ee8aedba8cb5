//! Maps and sets in the order of their keys.

use super::facts::{ANY, MAP, UNSEEN, as_value, listed};
use super::{Row, callback, find, lisp, pure, take, wrong_type};
use ptc_facts::messages::check_comparator;
use ptc_machine::{Cx, SortedInsert, sorted_by};
use ptc_values::code::Code;
use ptc_values::{Diagnostic, Map, Order, Res, Set, Value};

pub const TABLE: &[Row] = &[
    pure(
        "sorted-map",
        "& keyvals",
        "A map whose keys are in the order of `compare`.",
        "(sorted-map :b 1 :a 2) => {:a 2, :b 1}",
        listed(MAP),
        |cx, args| {
            if let [.., key] = &*args
                && !args.len().is_multiple_of(2)
            {
                return Err(without_value(key));
            }
            let mut map = Map::sorted(Order::Natural);
            for pair in args.chunks_exact_mut(2) {
                let row = (take(pair, 0), take(pair, 1));
                cx.insert(&mut map, row)?;
            }
            cx.map(map)
        },
    ),
    pure(
        "sorted-set",
        "& members",
        "A set whose members are in the order of `compare`.",
        "(sorted-set 3 1 2) => #{1 2 3}",
        listed(ANY),
        |cx, args| {
            let mut set = Set::sorted(Order::Natural);
            for member in args {
                cx.insert(&mut set, std::mem::take(member))?;
            }
            cx.set(set)
        },
    ),
    lisp(
        "sorted-map-by",
        "f & keyvals",
        "A map whose keys are in the order of the comparator f.",
        "(sorted-map-by > 1 :a 2 :b) => {2 :b, 1 :a}",
        listed(MAP).makes_lazy(usize::MAX).compares_by(0, 1),
    ),
    lisp(
        "sorted-set-by",
        "f & members",
        "A set whose members are in the order of the comparator f.",
        "(sorted-set-by > 1 3 2) => #{3 2 1}",
        listed(ANY).makes_lazy(usize::MAX).compares_by(0, 1),
    ),
    pure(
        "sorted?",
        "x",
        "Whether it is a sorted map or set.",
        "(sorted? (sorted-map)) => true",
        as_value(ANY),
        |_, args| Ok(Value::Bool(is_sorted(&args[0]))),
    ),
    lisp(
        "subseq",
        "coll test key|coll test key test key",
        "The items of a sorted map or set whose keys pass the tests; nil if there are none.",
        "(subseq (sorted-set 1 2 3 4) > 1 <= 3) => (2 3)",
        listed(ANY),
    ),
    lisp(
        "rsubseq",
        "coll test key|coll test key test key",
        "The items of `subseq`, in reverse order.",
        "(rsubseq (sorted-set 1 2 3 4) < 3) => (2 1)",
        listed(ANY),
    ),
    // The functions behind collections that a function sorts.
    pure(
        "ptc/sorted-by",
        "f map",
        "An empty map or set that f sorts.",
        "",
        as_value(ANY),
        |cx, args| {
            cx.alloc(128)?;
            check_comparator(&args[0])?;
            Ok(sorted_by(take(args, 0), args[1].truthy()))
        },
    ),
    pure("ptc/entries", "& keyvals", "Keys and values as pairs.", "", as_value(ANY), |cx, args| {
        if let [.., key] = &*args
            && !args.len().is_multiple_of(2)
        {
            return Err(without_value(key));
        }
        let mut pairs = Vec::with_capacity(args.len() / 2);
        for pair in args.chunks_exact_mut(2) {
            let pair = vec![take(pair, 0), take(pair, 1)];
            pairs.push(cx.vector(pair)?);
        }
        cx.list(pairs)
    }),
    callback(
        "ptc/put",
        "coll key value",
        "A sorted collection with a row.",
        "",
        UNSEEN,
        as_value(ANY),
        |_, args| {
            let [collection, key, value] = <[Value; 3]>::try_from(args).unwrap_or_default();
            Ok(SortedInsert::new(collection, key, value).into())
        },
    ),
    lisp(
        "ptc/add",
        "coll x",
        "The implementation of `conj` for a sorted collection.",
        "",
        as_value(ANY),
    ),
    lisp(
        "ptc/number-from",
        "f",
        "A function that orders two keys and returns a number.",
        "",
        as_value(ANY),
    ),
    pure("ptc/order-of", "coll", "The function that orders two keys.", "", as_value(ANY), order_of),
];

fn order(value: &Value) -> Option<&Order> {
    match value {
        Value::Map(map) => map.order(),
        Value::Set(set) => set.order(),
        _ => None,
    }
}

pub fn is_sorted(value: &Value) -> bool {
    order(value).is_some()
}

/// Returns whether a function of the program sorts a collection.
pub fn is_sorted_by(value: &Value) -> bool {
    matches!(order(value), Some(Order::By(_)))
}

fn order_of(_: &mut Cx, args: &mut [Value]) -> Res {
    let compare = |name| find(name).map_or(Value::Nil, Value::Builtin);
    match order(&args[0]) {
        Some(Order::Natural) => Ok(compare("compare")),
        Some(Order::By(function)) => Ok(function.clone()),
        None => Err(wrong_type("subseq", "a sorted map or set", &args[0])),
    }
}

fn without_value(key: &Value) -> Diagnostic {
    Diagnostic::new(Code::WrongArity, format!("{} is a key without a value", super::describe(key)))
        .with_class("IllegalArgumentException")
        .with_help("write a value after every key: `(sorted-map :a 1 :b 2)`")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_stay_in_order_when_numbers_run_out() {
        // Every new key goes between the same two, so their numbers soon have no gap.
        let mut map = Map::sorted(Order::Natural);
        let mut insert = |key: f64| {
            let mut search = ptc_values::Search::default();
            while let Some((other, number)) = map.probe(search) {
                let Value::Float(other) = other else { continue };
                search.narrow(key.total_cmp(other), number);
            }
            map.insert_at(search, (Value::Float(key), Value::Nil))
        };
        let moved: usize = [0.0, 1.0]
            .into_iter()
            .chain((1..500).map(|n| 1.0 / f64::from(n + 1)))
            .map(&mut insert)
            .sum();
        assert!(moved > 0, "the numbers never ran out");
        let keys: Vec<f64> = map
            .iter()
            .filter_map(|(key, _)| match key {
                Value::Float(key) => Some(*key),
                _ => None,
            })
            .collect();
        assert_eq!(keys.len(), 501);
        assert!(keys.is_sorted());
        assert!(map.contains(&Value::Float(1.0 / 250.0)));
    }
}
