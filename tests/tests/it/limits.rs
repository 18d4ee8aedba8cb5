//! Tests of limits: a diagnostic stops every excessive program, never the process.

use std::collections::BTreeMap;

use ptc_lisp::vocabulary::builtins;
use ptc_lisp::{Limits, Outcome, Value, json, print};
use ptc_subagent::payload::{Grants, payload_of_session};
use ptc_tests::{World, assert_no_problems, eval};

fn small() -> Limits {
    Limits { fuel: 3_000_000, memory: 32 << 20, ..Limits::default() }
}

fn run(limits: Limits, source: &str) -> String {
    World::new("{}", limits).run(source).shown
}

/// Returns the code of the problem, or the value.
fn code(limits: Limits, source: &str) -> String {
    let shown = run(limits, source);
    match shown.strip_prefix("! ") {
        Some(problem) => problem.split(' ').next().unwrap_or_default().to_owned(),
        None => shown.chars().take(60).collect(),
    }
}

const STOPPED: &[(&str, &str)] = &[
    // Loops and recursion.
    ("(loop [] (recur))", "fuel-limit"),
    ("(loop [i 0] (recur (inc i)))", "fuel-limit"),
    ("((fn f [] (recur)))", "fuel-limit"),
    ("(defn f [n] (f n)) (f 1)", "call-depth-limit"),
    ("(defn f [n] (+ 1 (f n))) (f 1)", "call-depth-limit"),
    ("(defn f [n] (map f [n])) (f 1)", "call-depth-limit"),
    ("(defn f [n] (reduce (fn [a x] (f a)) [n 1])) (f 1)", "call-depth-limit"),
    ("(defn f [n] (sort-by f [n 2])) (f 1)", "call-depth-limit"),
    ("(defn f [n] (apply f [n])) (f 1)", "call-depth-limit"),
    ("(defn a [] (b)) (defn b [] (a)) (a)", "call-depth-limit"),
    ("(defn f [n] (update {:a 1} :a f)) (f 1)", "call-depth-limit"),
    ("(let [f (fn [g] (g g))] (f f))", "call-depth-limit"),
    ("((comp (fn f [x] ((comp f) x))) 1)", "call-depth-limit"),
    ("(dotimes [i 1000000000] i)", "fuel-limit"),
    ("(doseq [x (range 1000) y (range 100000)] y)", "fuel-limit"),
    ("(for [x (range 1000) y (range 100000)] y)", "fuel-limit"),
    ("(count (for [x (range 10000) y (range 10000)] 1))", "fuel-limit"),
    // Amplification.
    ("(range 1000000000000)", "fuel-limit"),
    ("(range 1e12)", "fuel-limit"),
    ("(range 0 1e12 0.5)", "memory-limit"),
    ("(range -9223372036854775808 9223372036854775807)", "fuel-limit"),
    ("(repeat 1000000000000 1)", "fuel-limit"),
    ("(repeatedly 1000000000000 (constantly 1))", "fuel-limit"),
    ("(take 5000000 (range 1000000000000))", "fuel-limit"),
    ("(reduce (fn [s _] (str s s)) \"ab\" (range 100))", "memory-limit"),
    ("(loop [s \"ab\"] (recur (str s s)))", "memory-limit"),
    ("(loop [s \"ab\"] (recur (str/join s [s s s])))", "memory-limit"),
    ("(let [s (str/join (repeat 100000 \"x\"))] (str/join s (repeat 100000 s)))", "memory-limit"),
    ("(let [s (str/join (repeat 100000 \"x\"))] (str/replace s \"x\" s))", "memory-limit"),
    ("(let [s (str/join (repeat 100000 \"x\"))] (str/replace s #\"x\" s))", "memory-limit"),
    (
        "(let [s (str/join (repeat 100000 \"x\"))] (str/replace s #\"x\" (fn [_] s)))",
        "memory-limit",
    ),
    ("(let [s (str/join (repeat 100000 \"ab\"))] (count (str/split s #\"b\")))", "=> 100000"),
    ("(loop [v [1]] (recur (into v v)))", "memory-limit"),
    ("(loop [v [1]] (recur (concat v v)))", "memory-limit"),
    ("(loop [v [1]] (recur (interleave v v v v)))", "fuel-limit"),
    ("(loop [v [1]] (recur (vec (mapcat (fn [x] [x x]) v))))", "fuel-limit"),
    ("(loop [v [1]] (recur [v v]))", "value-depth-limit"),
    ("(pr-str (reduce (fn [v _] [v v]) [] (range 100)))", "memory-limit"),
    ("(str (reduce (fn [v _] [v v]) [] (range 100)))", "memory-limit"),
    (
        "(= (reduce (fn [v _] [v v]) [] (range 100)) (reduce (fn [v _] [v v]) [] (range 100)))",
        "fuel-limit",
    ),
    (
        "(compare (reduce (fn [v _] [v v]) [] (range 100)) (reduce (fn [v _] [v v]) [] (range 100)))",
        "fuel-limit",
    ),
    (
        "(hash-set (reduce (fn [v _] [v v]) [] (range 60)) (reduce (fn [v _] [v v]) [] (range 60)))",
        "value-depth-limit",
    ),
    ("{(reduce (fn [v _] [v v]) [] (range 60)) 1}", "value-depth-limit"),
    ("(flatten (reduce (fn [v _] [v v]) [1] (range 100)))", "fuel-limit"),
    ("(println (reduce (fn [v _] [v v]) [] (range 100)))", "=> nil"),
    ("(return (reduce (fn [v _] [v v]) [] (range 100)))", "result-size-limit"),
    ("(reduce (fn [v _] [v v]) [] (range 100))", "result-size-limit"),
    ("(memory/put :k (reduce (fn [v _] [v v]) [] (range 100))) 1", "kept-memory-limit"),
    ("(call \"echo\" {:v (reduce (fn [v _] [v v]) [] (range 100))})", "result-size-limit"),
    ("(partition 100000 1 (range 200000))", "fuel-limit"),
    ("(reductions conj [] (range 100000))", "result-size-limit"),
    // Large integers.
    ("(loop [n 2] (recur (* n n)))", "fuel-limit"),
    ("(reduce * (range 1 100000))", "fuel-limit"),
    ("(loop [a 1 b 1] (recur b (+ a b)))", "fuel-limit"),
    // Values that are kept.
    ("(loop [a []] (recur (conj a (range 1000))))", "memory-limit"),
    ("(loop [a nil] (recur (cons (vec (range 1000)) a)))", "fuel-limit"),
    ("(loop [a {} i 0] (recur (assoc a i (str/join (repeat 1000 \"x\"))) (inc i)))", "fuel-limit"),
    (
        "(loop [f identity] (let [big (range 10000)] (recur (fn [x] (count big) (f x)))))",
        "memory-limit",
    ),
    ("(loop [i 0] (memory/put (str i) (vec (range 1000))) (recur (inc i)))", "fuel-limit"),
    ("(count (reduce (fn [m i] (assoc m (str i) (range 100))) {} (range 100000)))", "memory-limit"),
    // Garbage does not count: 2,000 turns make 160 MB and keep nothing.
    ("(loop [i 0] (if (< i 2000) (do (range 1000) (recur (inc i))) :ok))", "=> :ok"),
    (
        "(reduce (fn [_ i] (count (str/join (repeat 500 \"xxxxxxxxxxxxxxxxxxxx\")))) 0 (range 1000))",
        "=> 10000",
    ),
    // Tool calls.
    ("(map (fn [x] (call \"echo\" {:v x})) (range 257))", "tool-call-limit"),
    ("(count (map (fn [x] (call \"echo\" {:v x})) (range 256)))", "=> 256"),
];

#[test]
fn excessive_programs_are_stopped() {
    let wrong: Vec<String> = STOPPED
        .iter()
        .map(|(source, expected)| (source, expected, code(small(), source)))
        .filter(|(_, expected, found)| found != *expected)
        .map(|(source, expected, found)| format!("{source}\nexpected {expected}\nfound    {found}"))
        .collect();
    assert_no_problems(&wrong);
}

#[test]
fn a_message_names_the_limit_and_its_value() {
    let shown = |limits, source: &str| run(limits, source);
    let limits = Limits { fuel: 1000, call_depth: 10, value_depth: 20, tool_calls: 1, ..small() };
    insta::assert_snapshot!(
        [
            shown(limits.clone(), "(loop [] (recur))"),
            shown(limits.clone(), "(defn f [] (inc (f))) (f)"),
            shown(limits.clone(), "(reduce (fn [v _] [v]) [] (range 30))"),
            shown(limits, "(call \"items\") (call \"items\")"),
            shown(Limits { source_bytes: 10, ..small() }, "(+ 1 2 3 4 5)"),
            shown(Limits { source_nesting: 3, ..small() }, "[[[[1]]]]"),
            shown(Limits { result_bytes: 10, ..small() }, "(return [1 2 3 4 5 6])"),
            shown(Limits { memory_bytes: 10, ..small() }, "(memory/put :k [1 2 3 4 5 6])"),
            shown(Limits { memory: 1 << 20, ..small() }, "(vec (range 100000))"),
        ]
        .join("\n")
    );
}

#[test]
fn printed_text_is_cut_with_a_note() {
    let ran = World::new("{}", small()).run("(dotimes [i 100000] (println \"0123456789\"))");
    let bytes: usize = ran.prints.iter().map(|line| line.len() + 1).sum();
    assert_eq!(ran.shown, "=> nil");
    assert!(bytes < 70_000, "{bytes}");
    assert_eq!(ran.prints.last().unwrap(), "… (printed text is kept up to 65536 bytes)");
    let ran = World::new("{}", small()).run("(println (str/join (repeat 100000 \"é\")))");
    assert!(ran.prints[0].ends_with('…') && ran.prints[0].len() < 65_600);
    assert_eq!(ran.prints.len(), 2);
}

/// A comparison by an operation costs as much as one by a function of it, except for the call.
#[test]
fn a_sort_by_an_operation_pays_for_the_same_comparisons() {
    for count in [0, 1, 2, 3, 5, 8, 13, 100] {
        let items = format!("(map (fn [i] (mod (* i 37) 11)) (range {count}))");
        let ends = |comparator: &str| {
            let sorted = format!("(sort {comparator} {items})");
            let by = format!("(sort-by (fn [x] (- x)) {comparator} {items})");
            [eval(&sorted), eval(&by)].map(|ran| (ran.shown, ran.fuel))
        };
        let counting =
            format!("(let [n (atom 0)] (sort (fn [a b] (swap! n inc) (> a b)) {items}) @n)");
        let comparisons: u64 = eval(&counting).shown.trim_start_matches("=> ").parse().unwrap();
        let [sorted, by] = ends(">");
        let [sorted_by_calls, by_calls] = ends("(fn [a b] (> a b))");
        assert_eq!((&sorted.0, &by.0), (&sorted_by_calls.0, &by_calls.0), "{count}");
        assert_eq!(sorted.1 + comparisons, sorted_by_calls.1, "{count}");
        let reversed = format!(
            "(let [n (atom 0)] (sort-by (fn [x] (- x)) (fn [a b] (swap! n inc) (> a b)) {items}) @n)"
        );
        let comparisons: u64 = eval(&reversed).shown.trim_start_matches("=> ").parse().unwrap();
        assert_eq!(by.1 + comparisons, by_calls.1, "{count}");
    }
    assert_eq!(eval("(sort > [1 :a])").shown, eval("(sort (fn [a b] (> a b)) [1 :a])").shown);
}

/// A map that a keyword looks into is no key, so its size has no price.
#[test]
fn a_keyword_looks_into_a_map_of_any_size_at_one_price() {
    let map = |count: usize| format!("(zipmap (range {count}) (range {count}))");
    let fuel = |lookup: &str, count: usize| {
        eval(&format!("(let [k :a g get m {}] {lookup})", map(count))).fuel - eval(&map(count)).fuel
    };
    for lookup in [
        "(k m)",
        "(k m 1)",
        "(map k [m])",
        "((comp k) m)",
        "(apply k [m])",
        "((juxt k :b) m)",
        "(g m k)",
        "(into [] (map k) [m])",
        "(group-by k [m])",
    ] {
        assert_eq!(fuel(lookup, 2), fuel(lookup, 40), "{lookup}");
    }
}

/// Fuel counts one unit per call, loop turn and element, and is equal in every run.
#[test]
fn fuel_counts_work() {
    let fuel = |source: &str| eval(source).fuel;
    let counts: BTreeMap<&str, u64> = [
        "1",
        "(+ 1 2)",
        "(let [x 1] (if x [x] {}))",
        "(inc (inc (inc 1)))",
        "((fn [] 1))",
        "(loop [i 0] (if (< i 100) (recur (inc i)) i))",
        "(range 100)",
        "(map inc (range 100))",
        "(map (fn [x] x) (range 100))",
        "(reduce + (range 100))",
        "(sort (range 100))",
        "(str/join (repeat 100 \"x\"))",
        "(count (reduce str (repeat 100 \"word \")))",
        "(count (reduce str (repeat 2000 \"word \")))",
        "(call \"items\")",
    ]
    .into_iter()
    .map(|source| (source, fuel(source)))
    .collect();
    insta::assert_debug_snapshot!(counts);
}

const MILLION: usize = 1_000_000;

fn nested(open: &str, close: &str, count: usize) -> String {
    open.repeat(count) + &close.repeat(count)
}

/// Runs work on a thread with a stack of 256 KiB, which native recursion over input would overflow.
fn on_a_small_stack(work: impl FnOnce() + Send + 'static) {
    std::thread::Builder::new().stack_size(256 << 10).spawn(work).unwrap().join().unwrap();
}

#[test]
fn deep_sources_are_refused() {
    on_a_small_stack(|| {
        for count in [10_000, MILLION] {
            for (open, close) in [
                ("(", ")"),
                ("[", "]"),
                ("{", "}"),
                ("#{", "}"),
                ("#(", ")"),
                ("(do ", ")"),
                ("'", ""),
                ("#_", ""),
                ("^", ""),
                ("@", ""),
                ("((((", ""),
            ] {
                let source = nested(open, close, count);
                let found = code(Limits { source_bytes: u32::MAX, ..small() }, &source);
                assert_eq!(found, "source-nesting-limit", "{count} of {open}");
            }
        }
        assert_eq!(code(small(), &nested("(", ")", MILLION)), "source-size-limit");
        assert_eq!(code(small(), &" ".repeat(1 << 20)), "source-size-limit");
    });
}

/// The limit on nesting can be raised without a larger native stack: the reader, the checker and
/// the machine have their own stacks.
#[test]
fn deep_sources_run_when_the_limits_are_raised() {
    on_a_small_stack(|| {
        let limits = Limits {
            source_nesting: u32::MAX,
            source_bytes: u32::MAX,
            value_depth: u32::MAX,
            memory: 1 << 30,
            ..Limits::default()
        };
        let count = 5_000;
        for (open, inner, close, expected) in [
            ("(do ", "1", ")", "=> 1"),
            ("(inc ", "0", ")", "=> 5000"),
            ("(if true ", "1", ")", "=> 1"),
            ("(let [x 1] ", "x", ")", "=> 1"),
            ("(and 1 ", "2", ")", "=> 2"),
            ("(when 1 ", "2", ")", "=> 2"),
            ("(cond 1 ", "2", ")", "=> 2"),
            ("(identity ", "2", ")", "=> 2"),
            ("(str ", "2", ")", "=> \"2\""),
            ("(first [", "2", "])", "=> 2"),
            ("(:a {:a ", "2", "})", "=> 2"),
            ("((fn [] ", "2", "))", "=> 2"),
            ("(-> ", "2", " identity)", "=> 2"),
        ] {
            let source = open.repeat(count) + inner + &close.repeat(count);
            let shown = run(Limits { call_depth: u32::MAX, ..limits.clone() }, &source);
            assert_eq!(shown, expected, "{open}");
        }
        let vectors = nested("[", "]", count);
        assert_eq!(run(limits.clone(), &format!("(count {vectors})")), "=> 1");
        assert_eq!(run(limits.clone(), &format!("(count '{})", nested("(", ")", count))), "=> 1");
        assert_eq!(run(limits.clone(), &format!("(= {vectors} {vectors})")), "=> true");
        assert_eq!(run(limits, &format!("(count (str {vectors}))")), "=> 10000");
    });
}

/// Values nested 100,000 deep are compared, ordered, printed, written, read and dropped.
#[test]
fn deep_values_need_no_native_stack() {
    on_a_small_stack(|| {
        let depth = 100_000;
        let vector = || (0..depth).fold(Value::Nil, |inner, _| Value::vector(vec![inner]));
        let list = || (0..depth).fold(Value::Nil, |inner, _| Value::list(vec![inner]));
        let map =
            || (0..depth).fold(Value::Nil, |inner, _| Value::map([(Value::keyword("a"), inner)]));
        for value in [vector(), list(), map()] {
            let text = print::readable(&value);
            assert!(text.len() > depth);
            assert_eq!(text, print::display(&value));
            assert!(print::preview(&value, &print::Preview::default()).0.len() < 200);
            let json_text = json::write(&value).unwrap();
            assert!(
                json::parse(&json_text).is_ok_and(|read| read == value) || json_text.len() > depth
            );
        }
        assert_eq!(vector(), vector());
        assert_eq!(vector(), list());
        assert_ne!(vector(), map());
        assert_eq!(map(), map());
    });
}

#[test]
fn deep_values_of_programs_need_no_native_stack() {
    on_a_small_stack(|| {
        let limits = Limits {
            value_depth: u32::MAX,
            memory: 1 << 30,
            result_bytes: u32::MAX,
            ..Limits::default()
        };
        let deep =
            "(defn deep [wrap] (loop [i 0 v 1] (if (< i 50000) (recur (inc i) (wrap v)) v)))";
        for (program, expected) in [
            ("(count (str (deep vector)))", "=> 100001"),
            ("(= (deep vector) (deep list))", "=> true"),
            ("(= (deep vector) (deep (fn [x] {:a x})))", "=> false"),
            ("(compare (deep vector) (deep vector))", "=> 0"),
            ("(count (flatten (deep vector)))", "=> 1"),
            ("(do (println (deep vector)) 1)", "=> 1"),
            ("(let [f (deep (fn [g] (fn [] g)))] (fn? f))", "=> true"),
            ("(do (deep (fn [x] {:a x})) 1)", "=> 1"),
            ("(do (deep (fn [x] (list x x))) 1)", "=> 1"),
            (
                "(let [s (loop [i 0 v nil] (if (< i 100000) (recur (inc i) (cons i v)) v))] (count s))",
                "=> 100000",
            ),
            (
                "(let [s (loop [i 0 v (range 100001)] (if (< i 100000) (recur (inc i) (rest v)) v))] s)",
                "=> (100000)",
            ),
            ("(count (str (deep (fn [x] [(reduced x)]))))", "=> 10"),
            ("(get-in (deep vector) (repeat 50000 0))", "=> 1"),
            ("(count (str (assoc-in {} (repeat 50000 :a) 1)))", "=> 250001"),
        ] {
            let mut world = World::new("{}", limits.clone());
            assert_eq!(world.run(&format!("{deep} {program}")).shown, expected, "{program}");
        }
        // Deep values may be returned, kept and passed to tools.
        let mut world = World::new("{}", limits.clone());
        let (ended, _) = world.run_raw(&format!("{deep} (return (deep vector))")).unwrap();
        assert!(matches!(ended.outcome, Outcome::Return(_)));
        let mut world = World::new("{}", Limits { memory_bytes: u32::MAX, ..limits });
        assert_eq!(world.run(&format!("{deep} (memory/put :d (deep vector)) 1")).shown, "=> 1");
        assert_eq!(world.run("(count (str memory/d))").shown, "=> 100001");
    });
}

/// Repeated changes of a shared large collection copy it only once. The copy is free, so fuel does
/// not depend on other references.
#[test]
fn copies_are_made_once_and_cost_no_fuel() {
    let ctx = format!(
        r#"{{"m": {{{}}}, "xs": [{}]}}"#,
        (0..4_000).map(|at| format!("\"k{at}\": {at}")).collect::<Vec<_>>().join(","),
        (0..4_000).map(|at| at.to_string()).collect::<Vec<_>>().join(","),
    );
    let mut world = World::without_tools(&ctx, Limits { fuel: 200_000, ..Limits::default() });
    for change in [
        "(assoc ctx/m \"x\" i)",
        "(update ctx/m \"k1\" + i)",
        "(dissoc ctx/m \"k1\")",
        "(conj ctx/m [i i])",
        "(merge ctx/m {i i})",
        "(assoc ctx/xs 0 i)",
        "(conj ctx/xs i)",
        "(pop ctx/xs)",
    ] {
        let ran = world.run(&format!("(dotimes [i 1000] {change})"));
        assert_eq!(
            (ran.shown.as_str(), ran.fuel < 70_000),
            ("=> nil", true),
            "{change}: {}",
            ran.fuel
        );
        let again = world.run(&format!("(dotimes [i 1000] {change})"));
        assert_eq!(again.fuel, ran.fuel, "{change}");
    }
    let ran = world.run("(count (reduce (fn [m i] (assoc m i i)) ctx/m (range 1000)))");
    assert_eq!((ran.shown.as_str(), ran.fuel < 14_000), ("=> 5000", true), "{}", ran.fuel);
}

#[test]
fn keys_nest_to_a_bound() {
    on_a_small_stack(|| {
        let limits = Limits {
            value_depth: u32::MAX,
            source_nesting: u32::MAX,
            source_bytes: u32::MAX,
            ..Limits::default()
        };
        let deep = "(reduce (fn [v _] [v]) [] (range 5000))";
        let literal = nested("[", "]", 5000);
        for source in [
            format!("{{{deep} 1}}"),
            format!("#{{{deep}}}"),
            format!("(assoc {{}} {deep} 1)"),
            format!("(hash-set {deep})"),
            format!("(conj #{{}} {deep})"),
            format!("(frequencies [{deep}])"),
            format!("(group-by identity [{deep}])"),
            format!("(distinct [{deep}])"),
            format!("(zipmap [{deep}] [1])"),
            format!("(into {{}} [[{deep} 1]])"),
            format!("(set [{deep}])"),
            format!("(index-by identity [{deep}])"),
            format!("(set/union #{{}} #{{{deep}}})"),
            format!("(update {{}} {deep} identity)"),
            format!("(merge {{}} {{{deep} 1}})"),
            format!("(get {{1 2}} {deep})"),
            format!("(contains? #{{1}} {deep})"),
            format!("(#{{1 2}} {deep})"),
            format!("(dissoc {{1 2}} {deep})"),
            format!("(disj #{{1 2}} {deep})"),
            format!("(distinct? {deep} {deep})"),
            format!("{{{literal} 1}}"),
            format!("#{{{literal}}}"),
            format!("'{{{literal} 1}}"),
            format!("'#{{{literal}}}"),
            format!("(case 1 {literal} 2 3)"),
        ] {
            // Each program has to end; most are refused.
            let found = code(limits.clone(), &source);
            assert!(
                found == "value-depth-limit" || found.starts_with("=> "),
                "{found}: {}",
                &source[..60.min(source.len())]
            );
        }
    });
}

fn numbered(count: usize, part: fn(usize) -> String) -> String {
    (0..count).map(part).collect::<Vec<_>>().concat()
}

#[test]
fn long_sources_are_read_quickly() {
    let limits = Limits { source_bytes: u32::MAX, memory: 1 << 30, ..Limits::default() };
    let megabyte = |part: &str| part.repeat((1 << 20) / part.len());
    assert_eq!(run(limits.clone(), &format!("(count [{}])", megabyte("1 "))), "=> 524288");
    assert_eq!(run(limits.clone(), &format!("(count \"{}\")", megabyte("x"))), "=> 1048576");
    assert_eq!(run(limits.clone(), &format!("1 ;{}", megabyte("x"))), "=> 1");
    assert_eq!(run(limits.clone(), &format!("(do {} 2)", megabyte("nil "))), "=> 2");
    assert_eq!(code(limits.clone(), &megabyte("x")), "bad-token");
    assert_eq!(code(limits.clone(), &"x".repeat(4096)), "unknown-name");
    assert_eq!(code(limits.clone(), &megabyte("9")), "bad-token");
    assert_eq!(code(limits.clone(), &megabyte("\"")), "=> \"\"");
    assert_eq!(code(limits.clone(), &megabyte("x ")), "unknown-name");
    assert_eq!(code(limits.clone(), &megabyte("\\q ")), "=> \"q\"");
    assert_eq!(code(limits.clone(), &megabyte("“")), "bad-token");
    assert_eq!(code(limits.clone(), &format!("#\"{}\"", megabyte("a"))), "bad-regex");
    assert_eq!(
        code(
            limits.clone(),
            &format!("(let [{}] 1)", numbered(50_000, |at| format!("x{at} {at} ")))
        ),
        "=> 1"
    );
    assert_eq!(code(limits, &numbered(4_000, |at| format!("(def x{at} {at}) "))), "=> #'x3999");
}

/// Every builtin with a collection of thousands of items in any argument exceeds a budget of 1,000
/// units, or is cheap enough to need no more.
#[test]
fn every_builtin_that_loops_pays() {
    let ctx = format!(
        r#"{{"xs": [{}], "m": {{{}}}, "s": "{}"}}"#,
        (0..4_000).map(|at| at.to_string()).collect::<Vec<_>>().join(","),
        (0..3_000).map(|at| format!("\"k{at}\": {at}")).collect::<Vec<_>>().join(","),
        "ab ".repeat(10_000),
    );
    let limits = Limits { fuel: 1000, ..Limits::default() };
    let mut free = Vec::new();
    let payload = payload_of_session(serde_json::json!({}).into(), Grants::all());
    let mut world = World::without_tools(&ctx, limits).with_payload(payload);
    for (_, builtin) in builtins() {
        for big in ["ctx/xs", "ctx/m", "ctx/s"] {
            for place in 0..3.max(builtin.min) {
                let count = builtin.min.max(place + 1);
                if builtin.max.is_some_and(|max| count > max) {
                    continue;
                }
                for other in ["identity", "1", "[]", "{}", "\"a\"", "#\"b\""] {
                    let args: Vec<&str> =
                        (0..count).map(|at| if at == place { big } else { other }).collect();
                    let source = format!("(do ({} {}) 1)", builtin.name, args.join(" "));
                    let ran = world.run(&source);
                    // A value means that the builtin did not pay for the collection.
                    if ran.shown.starts_with("=> ") {
                        free.push(format!("{} {big} at {place}", builtin.name));
                        break;
                    }
                }
            }
        }
    }
    free.dedup();
    insta::assert_snapshot!(free.join("\n"));
}
