//! `clojure.walk`: changes of nested data, from the inside or the outside. Written in the language,
//! so that a function argument may call tools, and nesting takes no native stack.

use super::facts::{ANY, BOOL, as_value, listed};
use super::{Row, lisp, predicate, pure};
use ptc_values::Value;

/// The price of the visit of a part, in units of fuel. A visit takes as long as this many calls of a short builtin.
const VISIT: u64 = 16;

pub const TABLE: &[Row] = &[
    pure(
        "ptc/visited-coll?",
        "x",
        "Pays for the visit of a part; whether the part is a collection.",
        "",
        as_value(BOOL),
        |cx, args| {
            cx.spend(VISIT)?;
            Ok(Value::Bool(predicate::is_coll(&args[0])))
        },
    ),
    lisp(
        "ptc/with-parts",
        "visit form",
        "The form with every part replaced by what visit makes of it.",
        "",
        as_value(ANY),
    ),
    lisp(
        "walk/walk",
        "inner outer form",
        "Applies inner to every item, and outer to the collection of the results.",
        "(walk/walk inc #(apply + %) [1 2]) => 5",
        listed(ANY),
    ),
    lisp(
        "walk/postwalk",
        "f form",
        "The data with every part replaced by f of it, inner parts first.",
        "(walk/postwalk #(if (int? %) (inc %) %) {:a [1 2]}) => {:a [2 3]}",
        listed(ANY),
    ),
    lisp(
        "walk/prewalk",
        "f form",
        "The data with every part replaced by f of it, outer parts first.",
        "(walk/prewalk #(if (int? %) (inc %) %) {:a [1 2]}) => {:a [2 3]}",
        listed(ANY),
    ),
    lisp(
        "walk/keywordize-keys",
        "form",
        "The data with keywords for string keys, at every level.",
        "(walk/keywordize-keys {\"a\" [{\"b\" 1}]}) => {:a [{:b 1}]}",
        listed(ANY),
    ),
    lisp(
        "walk/stringify-keys",
        "form",
        "The data with strings for keyword keys, at every level.",
        "(walk/stringify-keys {:a [{:b 1}]}) => {\"a\" [{\"b\" 1}]}",
        listed(ANY),
    ),
    lisp(
        "walk/postwalk-replace",
        "replacements form",
        "The data with parts that are keys of a map replaced by its values, inner parts first.",
        "(walk/postwalk-replace {:a 1} [:a [:a :b]]) => [1 [1 :b]]",
        listed(ANY),
    ),
    lisp(
        "walk/prewalk-replace",
        "replacements form",
        "The data with parts that are keys of a map replaced by its values, outer parts first.",
        "(walk/prewalk-replace {:a 1} [:a [:a :b]]) => [1 [1 :b]]",
        listed(ANY),
    ),
];
