//! Names of Clojure's transients, which are synonyms of plain functions here (D7), and queues.

use super::facts::{ANY, as_value};
use super::{Row, pure};
use ptc_machine::constant;
use ptc_values::code::Code;
use ptc_values::{Diagnostic, Value};

pub const TABLE: &[Row] = &[
    same(
        "transient",
        "coll",
        "The collection itself: there are no transients.",
        "(persistent! (conj! (transient [1]) 2)) => [1 2]",
        "identity",
    ),
    same("persistent!", "coll", "The collection itself.", "(persistent! [1]) => [1]", "identity"),
    same(
        "conj!",
        "|coll & items",
        "The same as `conj`; use its result, since the argument does not change.",
        "(conj! [1] 2) => [1 2]",
        "conj",
    ),
    same(
        "assoc!",
        "coll key value & more",
        "The same as `assoc`.",
        "(assoc! {:a 1} :b 2) => {:a 1, :b 2}",
        "assoc",
    ),
    same(
        "dissoc!",
        "map & keys",
        "The same as `dissoc`.",
        "(dissoc! {:a 1 :b 2} :a) => {:b 2}",
        "dissoc",
    ),
    same("disj!", "set & members", "The same as `disj`.", "(disj! #{1 2} 1) => #{2}", "disj"),
    same("pop!", "coll", "The same as `pop`.", "(pop! [1 2]) => [1]", "pop"),
    constant!(
        "PersistentQueue/EMPTY",
        "An empty queue: `conj` adds at its end, `peek` and `pop` use its first item.",
        "(peek (conj PersistentQueue/EMPTY 1 2)) => 1",
        Value::empty_queue()
    ),
];

/// Makes the row of a synonym; the machine calls the other function.
const fn same(
    name: &'static str,
    usage: &'static str,
    doc: &'static str,
    example: &'static str,
    function: &'static str,
) -> Row {
    pure(name, usage, doc, example, as_value(ANY).same_as(function), |_, _| {
        Err(Diagnostic::new(Code::InvariantViolated, "this name is a synonym of another function"))
    })
}
