//! The checked form of programs: each optimisation on a program that it applies to, and on a
//! similar one that must not get it.

use std::fmt::Write as _;

use ptc_lisp::Limits;
use ptc_tests::World;

/// A description of the case, and a program.
const PROGRAMS: &[(&str, &str)] = &[
    ("an operation on two slots", "(fn [a b] [(* a b) (= a b) (- a b)])"),
    ("the sum of two slots", "(fn [a b] (+ a b))"),
    ("an operation on a slot and a small integer", "(fn [a] [(* a 2) (quot a 10) (< a 5)])"),
    ("the sum of a slot and a small integer", "(fn [a] [(inc a) (dec a) (+ a 5) (- a 7)])"),
    (
        "no small integers: large ones, floats, constants in front",
        "(fn [a] [(+ a 3000000000) (+ a 1.5) (- 1 a) (- a -2147483648)])",
    ),
    ("a test that compares a slot with a small integer", "(fn [n] (if (< n 2) :small :large))"),
    ("a test that compares two slots", "(fn [a b] (if (>= a b) a b))"),
    ("a test that compares something else", "(fn [m] (if (= (:kind m) :a) 1 (if m 2 3)))"),
    ("a call of itself", "(defn fib [n] (if (< n 2) n (+ (fib (- n 1)) (fib (- n 2)))))"),
    (
        "the same when its argument is not asked first",
        "(defn fib [n] (let [k n] (if (< k 2) k (+ (fib (- k 1)) (fib (- k 2))))))",
    ),
    ("a function that reads itself", "(defn f [x] (if x [f x] (f true)))"),
    ("a call of a function of the program", "(defn square [x] (* x x)) (square 3)"),
    ("a call of a function that was handed in", "(fn [f x] (f x))"),
    (
        "a turn of a loop over integers",
        "(loop [i 0 sum 0] (if (< i 10) (recur (inc i) (+ sum i)) sum))",
    ),
    (
        "a turn whose next value needs frames",
        "(defn f [x] x) (loop [i 0] (if (< i 3) (recur (f i)) i))",
    ),
    (
        "a loop over three variables",
        "(loop [a 1 b 2 c 3] (if (> a 9) [a b c] (recur (inc a) c b)))",
    ),
    (
        "a loop inside a loop",
        "(loop [i 0] (if (< i 3) (do (loop [k i] (if (< k 3) (recur (inc k)) k)) (recur (inc i))) i))",
    ),
    (
        "the last reading of a slot moves its value",
        "(fn [v x] (let [w (conj v x)] (conj w (count w))))",
    ),
    ("a reading in only one branch", "(fn [v t] (if t (conj v 1) v))"),
    (
        "what a loop reads from outside is not moved",
        "(fn [v] (loop [i 0] (if (< i 3) (recur (+ i (count v))) v)))",
    ),
    ("collections of constants", "(fn [] [[1 2 {:a #{1}}] {:b [3]}])"),
    (
        "a map of different names, and a map whose keys are looked at",
        "(fn [a b] [{:x a \"y\" b} {:x a b 1}])",
    ),
    (
        "`str` of what is there, and of what is made first",
        "(fn [a b] [(str \"n\" a) (str \"n\" (inc a) (str b))])",
    ),
    (
        "a call that borrows slots and fields, and one whose second argument moves the first",
        "(fn [row v] [(count (:lines row)) (get row :id) (first (rest v)) (nth v (dec (count v)))])",
    ),
    ("a keyword looked up in what stands in a slot", "(fn [row] [(:id row) (:total row)])"),
    ("captured values", "(fn [a] (fn [b] (+ a b)))"),
    ("the items of a pattern at once, and a pattern of one item", "(fn [[a b c] [d]] [a b c d])"),
    ("nodes that need frames, and nodes that do not", "(fn [xs] [(count xs) (map inc xs)])"),
    (
        "functions for items: without frames, with them, with a rest",
        "(defn f [x] [x]) (fn [xs] [(map (fn [x] [x]) xs) (map (fn [x] (f x)) xs) (map (fn [x & _] (f x)) xs)])",
    ),
    (
        "a tool call that is all a function does, and one that is not",
        "(fn [xs] [(map (fn [x] (tool/echo {:v x})) xs) (map (fn [x] (let [y x] (tool/echo {:v y}))) xs)])",
    ),
];

#[test]
fn what_the_checker_makes() {
    let world = World::new("{}", Limits::default());
    let mut all = String::new();
    for (name, source) in PROGRAMS {
        let listing = match world.session.admit(source) {
            Ok(admitted) => admitted.listing(),
            Err(rejection) => format!("{rejection}\n"),
        };
        // Writing to a string cannot fail.
        let _ = writeln!(all, "; {name}\n{source}\n{listing}");
    }
    insta::assert_snapshot!(all);
}
