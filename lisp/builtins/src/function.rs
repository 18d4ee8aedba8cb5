//! Functions that take and return functions.

use super::facts::{ANY, How, LIST, ResultShape::By, TransducerUse, as_value, calls, listed};
use super::{Row, lisp, pure};
use ptc_facts::shape::{Reader, gives};
use ptc_values::Value;

pub const TABLE: &[Row] = &[
    lisp(
        "comp",
        "& fs",
        "The composition of functions; the last is called first.",
        "((comp inc abs) -3) => 4",
        as_value(By(|g| gives::reader(Reader::Comp, g))).sends(TransducerUse::Together),
    ),
    lisp(
        "partial",
        "f & args",
        "f with its first arguments fixed.",
        "((partial + 1) 2) => 3",
        as_value(ANY),
    ),
    lisp(
        "complement",
        "f",
        "The function that returns the opposite of f.",
        "((complement nil?) 1) => true",
        listed(By(gives::complement)),
    ),
    lisp(
        "constantly",
        "x",
        "The function that always returns x.",
        "((constantly 1) 2 3) => 1",
        as_value(ANY),
    ),
    lisp(
        "juxt",
        "f & fs",
        "The function that returns a vector of the results of all functions.",
        "((juxt inc dec) 1) => [2 0]",
        as_value(By(|g| gives::reader(Reader::Juxt, g))),
    ),
    lisp(
        "fnil",
        "f x|f x y|f x y z",
        "f with defaults for arguments that are nil.",
        "((fnil inc 0) nil) => 1",
        as_value(ANY),
    ),
    // Keeps the prices of the functions above when they need no lists of arguments.
    pure("ptc/pay", "n", "Pays fuel; gives nil.", "", as_value(ANY), |cx, args| {
        cx.spend(args[0].as_int().unwrap_or(0).unsigned_abs())?;
        Ok(Value::Nil)
    }),
    lisp("ptc/every-of", "ps x y more", "Whether all items pass all tests.", "", as_value(ANY)),
    lisp("ptc/some-of", "fs x y more", "The first true result for an item.", "", as_value(ANY)),
    lisp(
        "every-pred",
        "p & ps",
        "The function that returns whether all arguments pass all tests.",
        "((every-pred odd? pos?) 3) => true",
        listed(ANY),
    ),
    lisp(
        "some-fn",
        "f & fs",
        "The function that returns the first true result of any of the functions.",
        "((some-fn :a :b) {:b 1}) => 1",
        listed(ANY),
    ),
    lisp(
        "trampoline",
        "f & args",
        "Calls f, and then its result for as long as that is a function.",
        "(trampoline (fn [n] (fn [] (inc n))) 1) => 2",
        listed(ANY),
    ),
    lisp(
        "repeatedly",
        "f|n f",
        "A sequence of the results of n calls of f; endless without n.",
        "(repeatedly 2 (constantly 1)) => (1 1)",
        as_value(LIST).calls(&[calls(1, How::Count)]).makes_lazy(1),
    ),
];
