//! Functions that take and return functions.

use super::facts::{ANY, Gives::By, How, LIST, Sends, as_value, calls, listed};
use super::{Row, lisp};
use crate::shape::{Reader, gives};

pub(crate) const TABLE: &[Row] = &[
    lisp(
        "comp",
        "& fs",
        "The composition of functions; the last is called first.",
        "((comp inc abs) -3) => 4",
        as_value(By(|g| gives::reader(Reader::Comp, g))).sends(Sends::Together),
        "(fn comp
        ([] identity)
        ([f] f)
        ([f g] (fn [& args] (f (apply g args))))
        ([f g & more] (comp f (apply comp g more))))",
    ),
    lisp(
        "partial",
        "f & args",
        "f with its first arguments fixed.",
        "((partial + 1) 2) => 3",
        as_value(ANY),
        "(fn
        ([f] f)
        ([f & args] (fn [& more] (apply f (concat args more)))))",
    ),
    lisp(
        "complement",
        "f",
        "The function that returns the opposite of f.",
        "((complement nil?) 1) => true",
        listed(By(gives::complement)),
        "(fn [f] (fn [& args] (not (apply f args))))",
    ),
    lisp(
        "constantly",
        "x",
        "The function that always returns x.",
        "((constantly 1) 2 3) => 1",
        as_value(ANY),
        "(fn [x] (fn [& _] x))",
    ),
    lisp(
        "juxt",
        "f & fs",
        "The function that returns a vector of the results of all functions.",
        "((juxt inc dec) 1) => [2 0]",
        as_value(By(|g| gives::reader(Reader::Juxt, g))),
        "(fn [& fs]
           (fn [& args] (mapv (fn [f] (apply f args)) fs)))",
    ),
    lisp(
        "fnil",
        "f x|f x y|f x y z",
        "f with defaults for arguments that are nil.",
        "((fnil inc 0) nil) => 1",
        as_value(ANY),
        "(fn
        ([f x] (fn [a & more] (apply f (if (nil? a) x a) more)))
        ([f x y] (fn [a b & more] (apply f (if (nil? a) x a) (if (nil? b) y b) more)))
        ([f x y z] (fn [a b c & more]
            (apply f (if (nil? a) x a) (if (nil? b) y b) (if (nil? c) z c) more))))",
    ),
    lisp(
        "every-pred",
        "p & ps",
        "The function that returns whether all arguments pass all tests.",
        "((every-pred odd? pos?) 3) => true",
        listed(ANY),
        "(fn [& ps]
           (fn [& xs] (every? (fn [p] (every? p xs)) ps)))",
    ),
    lisp(
        "some-fn",
        "f & fs",
        "The function that returns the first true result of any of the functions.",
        "((some-fn :a :b) {:b 1}) => 1",
        listed(ANY),
        "(fn [& fs] (fn [& xs]
        (reduce (fn [last f]
            (let [found (reduce (fn [last x] (let [r (f x)] (if r (reduced r) r))) last xs)]
                (if found (reduced found) found))) nil fs)))",
    ),
    lisp(
        "trampoline",
        "f & args",
        "Calls f, and then its result for as long as that is a function.",
        "(trampoline (fn [n] (fn [] (inc n))) 1) => 2",
        listed(ANY),
        "(fn [f & args]
        (loop [value (apply f args)]
          (if (fn? value) (recur (value)) value)))",
    ),
    lisp(
        "repeatedly",
        "f|n f",
        "A sequence of the results of n calls of f; endless without n.",
        "(repeatedly 2 (constantly 1)) => (1 1)",
        as_value(LIST).calls(&[calls(1, How::Count)]).makes_lazy(1),
        "(fn repeatedly
        ([f] (ptc/lazy true (fn [] (cons (f) (repeatedly f)))))
        ([n f] (map (fn [_] (f)) (range n))))",
    ),
];
