//! Names of Clojure's transients, which are other names of plain functions here (D7), and queues.

use super::{Builtin, Imp, at_least, constant, exactly};
use crate::diagnostic::{Code, Diagnostic};
use crate::value::Value;

/// The names with the functions that they stand for.
const SAME: &[(&str, &str)] = &[
    ("transient", "identity"),
    ("persistent!", "identity"),
    ("conj!", "conj"),
    ("assoc!", "assoc"),
    ("dissoc!", "dissoc"),
    ("disj!", "disj"),
    ("pop!", "pop"),
];

/// The function that a name is another name of.
pub(super) fn same_as(name: &str) -> Option<&'static str> {
    SAME.iter().find(|(other, _)| *other == name).map(|(_, same)| *same)
}

pub(super) const TABLE: &[Builtin] = &[
    same(
        "transient",
        exactly(1),
        "coll",
        "The collection itself: there are no transients.",
        "(persistent! (conj! (transient [1]) 2)) => [1 2]",
    ),
    same("persistent!", exactly(1), "coll", "The collection itself.", "(persistent! [1]) => [1]"),
    same(
        "conj!",
        at_least(0),
        "|coll & items",
        "Another name of `conj`; what it gives has the items, and its argument does not.",
        "(conj! [1] 2) => [1 2]",
    ),
    same(
        "assoc!",
        at_least(3),
        "coll key value & more",
        "Another name of `assoc`.",
        "(assoc! {:a 1} :b 2) => {:a 1, :b 2}",
    ),
    same(
        "dissoc!",
        at_least(1),
        "map & keys",
        "Another name of `dissoc`.",
        "(dissoc! {:a 1 :b 2} :a) => {:b 2}",
    ),
    same(
        "disj!",
        at_least(1),
        "set & members",
        "Another name of `disj`.",
        "(disj! #{1 2} 1) => #{2}",
    ),
    same("pop!", exactly(1), "coll", "Another name of `pop`.", "(pop! [1 2]) => [1]"),
    constant!(
        "PersistentQueue/EMPTY",
        "A queue without items: `conj` adds at its end, `peek` and `pop` take its first.",
        "(peek (conj PersistentQueue/EMPTY 1 2)) => 1",
        Value::empty_queue()
    ),
];

/// A row of a name that stands for another function, which is called instead.
const fn same(
    name: &'static str,
    (min, max): (usize, Option<usize>),
    usage: &'static str,
    doc: &'static str,
    example: &'static str,
) -> Builtin {
    let imp = Imp::Pure(|_, _| {
        Err(Diagnostic::new(Code::InvariantViolated, "this name stands for another function"))
    });
    Builtin { name, min, max, usage, doc, example, imp, constant: None }
}
