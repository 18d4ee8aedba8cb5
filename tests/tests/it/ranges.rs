//! Tests of ranges that builtins take item by item: whatever the bounds are, a program pays for the items that it takes.

use ptc_lisp::Limits;
use ptc_lisp::vocabulary::builtins;
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

/// Ranges of idioms that also have a name.
const NAMED: &[&str] = &["(range N)", "(range 1 N)", "(range 2 N)", "(range 3 N)", "(range 0 N 5)"];

/// Ways to give a range a name, and a program over it: the text before the range, that before the program, and that behind.
const NAMES: &[(&str, &str, &str, &str)] = &[
    ("a local", "(let [n 100000000 r ", "] ", ")"),
    ("a local with other uses", "(let [n 100000000 r ", " a (count r) b (nth r 7)] (last r) ", ")"),
    ("a local that a function holds", "(let [n 100000000 r ", " f (fn [] ", ")] (f))"),
    ("an argument", "(defn f [r] (second r) @@) (let [n 100000000] (f ", "", "))"),
    ("the value of a function", "(defn f [n] ", ") (let [r (f 100000000)] ", ")"),
    ("an atom", "(let [n 100000000 a (atom ", ") r @a] ", ")"),
    ("a definition", "(def n 100000000) (def r ", ") ", ""),
    ("a definition in a function", "(def n 100000000) (def r ", ") (defn f [] ", ") (f)"),
];

/// Programs over `r`, a range of 0 up to 100000000000, with their values. They read no items but those that they show.
const AS_VALUES: &[(&str, &str)] = &[
    ("(count r)", "100000000000"),
    ("[(first r) (second r) (last r)]", "[0 1 99999999999]"),
    ("[(nth r 99999999999) (nth r 100000000000 :none)]", "[99999999999 :none]"),
    (
        "(nth r 100000000000)",
        "! out-of-bounds there is no item at position 100000000000; the collection has 100000000000 items",
    ),
    ("(take 2 (rest r))", "(1 2)"),
    ("(take 2 (next (drop 5 r)))", "(6 7)"),
    ("(count (drop 5 (rest r)))", "99999999994"),
    ("(first (take 50000000000 r))", "0"),
    ("(count (take 50000000000 r))", "50000000000"),
    ("(last (drop-last 3 r))", "99999999996"),
    ("(last (butlast r))", "99999999998"),
    ("(take-last 2 r)", "(99999999998 99999999999)"),
    ("(take 3 (reverse r))", "(99999999999 99999999998 99999999997)"),
    ("(take 2 (nthrest r 7))", "(7 8)"),
    ("(take 2 (nthnext r 7))", "(7 8)"),
    (
        "[(empty? r) (some? (seq r)) (seq? r) (vector? r) (list? r)]",
        "[false true true false false]",
    ),
    (
        "[(= r (range 100000000000)) (= r (range 100000000001)) (= r (rest r))]",
        "[true false false]",
    ),
    (
        "[(= r [0 1]) (= r nil) (not= r (drop 1 r)) (= [0 2] (take 2 r))]",
        "[false false true false]",
    ),
    ("(let [[a b & more] r] [a b (first more) (count more)])", "[0 1 2 99999999998]"),
    ("(loop [[x & more] r] (if (= x 3) (count more) (recur more)))", "99999999996"),
    ("(loop [xs r sum 0] (if (> sum 20) sum (recur (rest xs) (+ sum (first xs)))))", "21"),
    ("(into [] (comp (map inc) (take 2)) r)", "[1 2]"),
    ("(transduce (take 4) + r)", "6"),
    ("(sequence (take 2) r)", "(0 1)"),
    ("(let [a (atom r)] (swap! a rest) (first @a))", "1"),
    ("(reduce (fn [left x] (if (= x 3) (reduced (count left)) (rest left))) r r)", "99999999997"),
    ("(split-with #(< % 3) (take 5 r))", "[(0 1 2) (3 4)]"),
    ("(count (second (split-with #(< % 3) (take 5 r))))", "2"),
    ("(count (drop-while #(< % 3) r))", "99999999997"),
    ("(map + r [1 2])", "(1 3)"),
    ("(sort-by - (take 3 r))", "(2 1 0)"),
    ("[(= (hash (take 3 r)) (hash [0 1 2])) (case r (1 2) :a :b)]", "[true :b]"),
    ("(zipmap [:a :b] (take 2 r))", "{:a 0, :b 1}"),
    ("(def kept r)", "#'kept"),
    ("(do (def kept (rest r)) (first kept))", "1"),
];

/// Ways to write the bound of such a range.
const FAR: &[&str] = &["100000000000", "(* 100000 1000000)"];

/// Programs over `r` that need all its items as values, or hold it as an item.
const WHOLE: &[&str] = &[
    "(vec r)",
    "(set r)",
    "(into #{} r)",
    "(into [] r)",
    "(sort r)",
    "(sort-by - r)",
    "(shuffle r)",
    "(apply + r)",
    "(reduce + r)",
    "(map inc r)",
    "(mapv inc r)",
    "(filter even? r)",
    "(frequencies r)",
    "(group-by even? r)",
    "(partition 2 r)",
    "(distinct r)",
    "(concat r [1])",
    "(cons 1 r)",
    "(conj r 1)",
    "(conj [] r)",
    "(flatten [r])",
    "(interleave r r)",
    "(str r)",
    "(pr-str r)",
    "(println r)",
    "(str/join r)",
    "(json/write-str r)",
    "(hash r)",
    "(hash [r])",
    "(return r)",
    "(return {:r r})",
    "(fail r)",
    "r",
    "[r]",
    "{:r r}",
    "{r 1}",
    "#{r}",
    "({:a 1} r)",
    "(get {:a 1} r)",
    "(contains? #{1} r)",
    "(assoc {} :r r)",
    "(assoc {} r 1)",
    "(assoc-in {} [:a :b] r)",
    "(update {:r 1} :r (fn [_] r))",
    "(update-in {:r {:s 1}} [:r :s] (fn [_] r))",
    "(update-vals {:r 1} (fn [_] r))",
    "(merge-with (fn [_ _] r) {:a 1} {:a 2})",
    "(map (fn [_] r) [1 2])",
    "(mapv (fn [_] r) [1 2])",
    "(for [x [1 2]] r)",
    "((juxt identity count) r)",
    "(reductions (fn [_ _] r) [1 2 3])",
    "(let [a (atom {:r 1})] (swap! a update :r (fn [_] r)))",
    "(let [a (atom {:r 1})] (swap! a assoc :r r))",
    "(let [a (atom [])] (swap! a conj r))",
    "((fn [& xs] (first xs)) r)",
    "(pmap (fn [_] r) [1 2])",
    "(tool/echo {:v r})",
    "(memory/put :r r)",
    "(= [r] [(rest r)])",
    "(compare [r] [r])",
    "(throw (ex-info \"r\" {:r r}))",
    "(ffirst [r])",
    "(nth r 1 (vec r))",
];

/// Returns the outcome of a program as the value that it shows.
fn value_of(shown: &str) -> &str {
    shown.trim_start_matches("return ").trim_start_matches("=> ")
}

#[test]
fn idioms_pay_for_what_they_take_whatever_the_bound_is() {
    let mut programs = Vec::new();
    for (idiom, expected) in IDIOMS {
        for (name, before, bound, after) in BOUNDS {
            let program = format!("{before}{}{after}", idiom.replace('N', bound));
            programs.push((format!("bound: {name}"), program, expected));
        }
        for named in NAMED.iter().filter(|named| idiom.contains(**named)) {
            for (name, before, between, after) in NAMES {
                let (range, over) =
                    (named.replace('N', "n"), idiom.replace(named, "r").replace('N', "n"));
                let program = if before.contains("@@") {
                    format!("{}{range}{between}{after}", before.replace("@@", &over))
                } else {
                    format!("{before}{range}{between}{over}{after}")
                };
                // Another range of an idiom may need the bound.
                if !idiom.replace(named, "").contains('N') {
                    programs.push((format!("name: {name}"), program, expected));
                }
            }
        }
    }
    let mut problems = Vec::new();
    for (name, program, expected) in programs {
        let mut world = World::new("{\"n\": 100000000}", Limits::default());
        let ran = world.run(&program);
        if value_of(&ran.shown) != *expected || ran.fuel > 5_000 {
            problems.push(format!("{name}: {program}\n  {} for {} of fuel", ran.shown, ran.fuel));
        }
    }
    assert_no_problems(&problems);
}

#[test]
fn a_range_is_a_value_of_three_numbers() {
    let mut problems = Vec::new();
    for (program, expected) in AS_VALUES {
        for bound in FAR {
            let program = format!("(let [r (range {bound})] {program})");
            let ran =
                World::new("{}", Limits { memory: 1 << 20, ..Limits::default() }).run(&program);
            if value_of(&ran.shown) != *expected || ran.fuel > 200 {
                problems.push(format!("{program}\n  {} for {} of fuel", ran.shown, ran.fuel));
            }
        }
    }
    assert_no_problems(&problems);
}

#[test]
fn all_items_are_paid_for_before_they_are_made() {
    let plenty = Limits { fuel: u64::MAX >> 1, ..Limits::default() };
    let limits: [(Limits, &[&str]); 2] =
        [(Limits::default(), &["! fuel-limit", "! memory-limit"]), (plenty, &["! memory-limit"])];
    let mut problems = Vec::new();
    for program in WHOLE {
        for (limits, codes) in &limits {
            // Fuel alone limits a walk that keeps no items.
            if *program == "(reduce + r)" && codes.len() == 1 {
                continue;
            }
            for bound in FAR {
                let program = format!("(let [r (range {bound})] {program})");
                let ran = World::new("{}", limits.clone()).run(&program);
                if !codes.iter().any(|code| ran.shown.starts_with(code)) {
                    let shown: String = ran.shown.chars().take(200).collect();
                    problems.push(format!("{program}\n  {shown} instead of {codes:?}"));
                }
            }
        }
    }
    assert_no_problems(&problems);
}

/// Programs that would build a range, with what a program with and one without lazy sequences gives.
const BUILT: &[(&str, &str, &str)] = &[
    ("(take 2 (partition 2 (range N)))", "((0 1) (2 3))", "! fuel-limit"),
    ("(take 2 (map-indexed vector (range N)))", "([0 0] [1 1])", "! memory-limit"),
    ("(first (drop-while #(< % 9) (map inc (range N))))", "9", "! memory-limit"),
    ("(take 2 (distinct (range 0 N 2)))", "(0 2)", "! fuel-limit"),
    ("(take 2 (range 0.5 N))", "(0.5 1.5)", "! memory-limit"),
];

/// A bound that the source spells changes nothing: only what else the program says makes it one with lazy sequences.
#[test]
fn the_spelling_of_a_bound_decides_nothing() {
    let mut problems = Vec::new();
    for (program, lazy, eager) in BUILT {
        for (name, before, bound, after) in BOUNDS {
            for (prefix, expected) in [("", eager), ("(defn other [] (iterate inc 1)) ", lazy)] {
                let program = format!("{prefix}{before}{}{after}", program.replace('N', bound));
                let ran = World::new("{\"n\": 100000000}", Limits::default()).run(&program);
                if !value_of(&ran.shown).starts_with(expected) {
                    problems.push(format!("{name}: {program}\n  {} for {expected}", ran.shown));
                }
            }
        }
    }
    assert_no_problems(&problems);
}

/// A later program takes a range that an earlier one defined as it is. It pays for itself: neither a run that ends with an
/// error nor another run of the same program pays for it.
#[test]
fn a_definition_keeps_three_numbers() {
    let mut world = World::new("{}", Limits { memory: 1 << 20, ..Limits::default() });
    let mut run = |program: &str| {
        let ran = world.run(program);
        format!("{} {}", ran.shown, ran.fuel)
    };
    assert_eq!(run("(def r (range 100000000000))"), "=> #'r 0");
    assert_eq!(run("[(first r) (last r) (count r)]"), "=> [0 99999999999 100000000000] 0");
    assert_eq!(run("(def few (range 100))"), "=> #'few 0");
    for _ in 0..2 {
        assert_eq!(run("(do (vec few) (throw (ex-info \"no\" {})))"), "! thrown no 280");
    }
    assert_eq!([run("(count (vec few))"), run("(count (vec few))")], ["=> 100 200", "=> 100 100"]);
}

/// The builtins that need no items of a range, with the place of the range among their arguments. The others pay before they
/// make any: without that the test would need all memory.
#[test]
fn every_builtin_pays_for_a_range_or_needs_no_items() {
    let limits = Limits { fuel: 20_000, memory: 4 << 20, ..Limits::default() };
    let mut free = Vec::new();
    for (_, builtin) in builtins() {
        let mut world = World::without_tools("{}", limits.clone());
        for place in 0..3.max(builtin.min) {
            let count = builtin.min.max(place + 1);
            if builtin.max.is_some_and(|max| count > max) {
                continue;
            }
            for other in ["identity", "1", "r"] {
                let args: Vec<&str> =
                    (0..count).map(|at| if at == place { "r" } else { other }).collect();
                let call = format!("({} {})", builtin.name, args.join(" "));
                let ran =
                    world.run(&format!("(let [r (range (* 100000 1000000))] {call} (count r))"));
                if ran.shown == "=> 100000000000" {
                    free.push(format!("{} at {place}", builtin.name));
                    break;
                }
            }
        }
    }
    free.dedup();
    insta::assert_snapshot!(free.join("\n"));
}

/// A range has the text, the JSON, the hash and the order of a list of its items.
#[test]
fn a_range_shows_as_the_list_of_its_items() {
    let mut problems = Vec::new();
    for range in
        ["(range 0)", "(range 5)", "(range 3 -4 -2)", "(range 200)", "(drop 7 (range 300))"]
    {
        for program in [
            "(str r)",
            "(pr-str r)",
            "(hash r)",
            "(json/write-str r)",
            "[r]",
            "{:a r}",
            "#{r}",
            "(get {r 1} r)",
            "(= r (vec r))",
            "(= (vec r) r)",
            "(conj r 1)",
            "(cons 1 r)",
            "(concat r r)",
            "(count r)",
            "(last r)",
            "(reverse r)",
            "(reduce + r)",
            "(apply + r)",
            "(map inc r)",
            "(nth r 3 :no)",
            "(butlast r)",
            "(take-last 2 r)",
            "(drop-last 2 r)",
            "(rest r)",
            "(next r)",
            "(seq r)",
            "(empty r)",
            "(not-empty r)",
            "(sort > r)",
            "(frequencies r)",
            "(interleave r r)",
            "(partition 2 r)",
            "(into [] r)",
            "(set r)",
            "(map vector r r)",
            "(group-by odd? r)",
            "(list? r)",
            "(list? (reverse r))",
            "(sequential? r)",
            "(type r)",
            "(meta r)",
            "(compare [(count r)] [3])",
            "(mapcat (fn [x] [x x]) r)",
            "(zipmap r r)",
            "(str/join \",\" r)",
            "(let [[a b & more] r] [a b more])",
            "(do (doall r) (nth r 2 nil))",
            "(max-key - 1 (count r))",
            "(peek (vec r))",
            "(contains? (set [r]) r)",
            "(drop 2 (rest r))",
            "(first (rest r))",
            "(flatten [r [r]])",
            "(shuffle r)",
            "(let [x (vec r)] [(= r x) (first r) (rest r) (conj r 0)])",
            "(distinct (concat r r))",
            "(every? int? r)",
        ] {
            let run = |list: &str| {
                let program = format!("(let [r {list}] {program})");
                World::new("{}", Limits::default()).run(&program).shown
            };
            let (ours, list) = (run(range), run(&format!("(map identity {range})")));
            if ours != list {
                problems.push(format!("(let [r {range}] {program})\n  {ours}\n  {list}"));
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
