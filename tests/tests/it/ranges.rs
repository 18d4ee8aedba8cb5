//! Tests of ranges that builtins take item by item: whatever the bounds are, a program pays for the items that it takes.

use ptc_lisp::Limits;
use ptc_tests::{World, assert_no_problems};

/// Programs over `N`, with their values. No program can pay for `N` items.
const IDIOMS: &[(&str, &str)] = &[
    ("(first (range N))", "0"),
    ("(second (range 1 N))", "2"),
    ("(nth (range N) 7)", "7"),
    ("(take 3 (range 0 N 5))", "(0 5 10)"),
    ("(empty? (range N))", "false"),
    ("(first (filter #(> % 70) (map inc (range N))))", "71"),
    ("(->> (range N) (map #(* % %)) (filter even?) (take 3))", "(0 4 16)"),
    ("(->> (range 1 N) (keep #(when (zero? (mod % 7)) (str %))) (take 2))", "(\"7\" \"14\")"),
    ("(take 4 (mapcat (fn [x] [x x]) (range N)))", "(0 0 1 1)"),
    ("(take 2 (remove #(< % 50) (range N)))", "(50 51)"),
    ("(first (for [x (range N) :let [y (* x x)] :when (> y 90)] [x y]))", "[10 100]"),
    ("(take 2 (for [x (range N)] (dec x)))", "(-1 0)"),
    ("(some #(when (> % 500) %) (map #(* % %) (range N)))", "529"),
    ("(every? #(< % 50) (take-while #(< % 30) (range 2 N)))", "true"),
    ("(every? #(< % 50) (range N))", "false"),
    ("(not-any? #{9} (range N))", "false"),
    ("(not-every? neg? (map dec (range N)))", "true"),
    ("(take-while #(< % 3) (range N))", "(0 1 2)"),
    ("(take-while #(< % 30) (map #(* % %) (range N)))", "(0 1 4 9 16 25)"),
    ("(reduce (fn [sum x] (if (> x 10) (reduced sum) (+ sum x))) 0 (range N))", "55"),
    ("(reduce (fn [sum x] (if (> x 10) (reduced sum) (+ sum x))) (map inc (range N)))", "55"),
    ("(doseq [x (range N)] (when (= x 7) (return [x])))", "[7]"),
    ("(run! #(when (= % 7) (return [%])) (range N))", "[7]"),
    ("(doseq [x (range N) y (range x N)] (when (= y 7) (return [x y])))", "[0 7]"),
    ("(map vector (range N) [:a :b])", "([0 :a] [1 :b])"),
    ("(mapv (fn [a b] (+ a b)) [10 20] (range 1 N))", "[11 22]"),
    ("(let [xs (range N)] [(first xs) (take 2 xs) (some #{5} xs)])", "[0 (0 1) 5]"),
    ("(let [xs (range 3 N)] (reduce (fn [_ x] (reduced x)) xs))", "4"),
    ("(last (take 200 (filter odd? (map inc (range N)))))", "399"),
];

/// Ways to write the bound: the text before the program, the bound in it, and the text behind it.
const BOUNDS: &[(&str, &str, &str, &str)] = &[
    ("a literal", "", "100000000", ""),
    ("a local", "(let [n 100000000] ", "n", ")"),
    ("a sum", "(let [n 99999999] ", "(inc n)", ")"),
    ("a definition", "(def n 100000000) ", "n", ""),
    ("data", "", "ctx/n", ""),
    ("a parameter", "(defn f [n] ", "n", ") (f 100000000)"),
];

#[test]
fn idioms_pay_for_what_they_take_whatever_the_bound_is() {
    let mut problems = Vec::new();
    for (idiom, expected) in IDIOMS {
        for (name, before, bound, after) in BOUNDS {
            let program = format!("{before}{}{after}", idiom.replace('N', bound));
            let mut world = World::new("{\"n\": 100000000}", Limits::default());
            let ran = world.run(&program);
            if ran.shown.trim_start_matches("return ").trim_start_matches("=> ") != *expected
                || ran.fuel > 5_000
            {
                problems
                    .push(format!("{name}: {program}\n  {} for {} of fuel", ran.shown, ran.fuel));
            }
        }
    }
    assert_no_problems(&problems);
}

/// Calls whose values are not the same each time, or that do more than give a value.
const NOT_QUIET: &[&str] = &[
    "(rand)",
    "(rand-int 9)",
    "(rand-nth [1 2 3])",
    "(shuffle [1 2 3])",
    "(random-uuid)",
    "(UUID/randomUUID)",
    "(Math/random)",
    "(doall (random-sample 0.5 [1 2 3]))",
    "(println x)",
    "(print x)",
    "(pr x)",
    "(prn x)",
    "(newline)",
    "(printf \"%d\" x)",
    "(memory/put :seen x)",
    "(swap! seen inc)",
    "(reset! seen x)",
    "(if (= x 50) (throw (ex-info \"50\" {})) x)",
    "(tool/echo {:v x})",
    "(noisy x)",
    "(:fuel (budget))",
];

/// A stage that is not quiet does its work at its place, for all items. So nothing differs from a stage over a vector.
#[test]
fn stages_with_effects_run_at_their_place() {
    let mut problems = Vec::new();
    for call in NOT_QUIET {
        let run = |numbers: &str| {
            let program = format!(
                "(def seen (atom 0)) (defn noisy [x] (println x) x)
                 [(some? (first (map (fn [x] {call} x) {numbers}))) @seen (memory/get :seen) (rand)]"
            );
            let ran = World::new("{}", Limits::default()).run(&program);
            (ran.shown, ran.prints, ran.calls)
        };
        let (range, vector) = (run("(range 100)"), run("(vec (range 100))"));
        if range != vector {
            problems.push(format!("{call}\n  {range:?}\n  {vector:?}"));
        }
    }
    assert_no_problems(&problems);
}
