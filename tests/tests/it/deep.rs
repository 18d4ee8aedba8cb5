//! A million levels and a million items on a thread with a stack of 256 KiB: nothing recurs on
//! programs, data or answers of tools.

use ptc_lisp::{Limits, Outcome, Value, json, print};
use ptc_tests::{World, one_in};

const MILLION: usize = 1_000_000;

/// Runs work on a thread where native recursion over input would overflow the stack.
fn on_a_small_stack(work: impl FnOnce() + Send + 'static) {
    std::thread::Builder::new().stack_size(256 << 10).spawn(work).unwrap().join().unwrap();
}

/// Returns limits that are all at their maximum, except fuel and memory, which end unbounded
/// programs.
fn raised() -> Limits {
    let mut limits = Limits::default();
    for limit in Limits::ALL {
        limit.set(&mut limits, limit.max);
    }
    Limits { fuel: 2_000_000_000, memory: 4 << 30, ..limits }
}

fn nested(open: &str, inner: &str, close: &str, count: usize) -> String {
    open.repeat(count) + inner + &close.repeat(count)
}

fn run(source: &str) -> String {
    World::without_tools("{}", raised()).run(source).shown
}

/// Returns the value of a run, or the code of its problem.
fn short(shown: &str) -> String {
    match shown.strip_prefix("! ") {
        Some(problem) => problem.split(' ').next().unwrap_or_default().to_owned(),
        None => shown.chars().take(40).collect(),
    }
}

#[test]
fn sources_that_never_close() {
    on_a_small_stack(|| {
        for open in ["(", "[", "{", "#{", "#(", "'", "@", "#'", "#_", "^", "(do ", "[{"] {
            let source = open.repeat(MILLION);
            let default = Limits { source_bytes: u32::MAX, ..Limits::default() };
            let mut world = World::without_tools("{}", default);
            let found = short(&world.run(&source).shown);
            assert_eq!(found, "source-nesting-limit", "{open}");
            // With all limits raised, the problem is the text itself or its meaning.
            let found = run(&source);
            assert!(found.starts_with("! "), "{open}: {found}");
        }
        let mut world = World::without_tools("{}", Limits::default());
        assert_eq!(short(&world.run(&"(".repeat(MILLION)).shown), "source-size-limit");
    });
}

#[test]
fn sources_a_million_levels_deep_are_read_and_checked() {
    on_a_small_stack(|| {
        for (open, inner, close) in [
            ("[", "1", "]"),
            ("(do ", "1", ")"),
            ("(inc ", "0", ")"),
            ("(if true ", "1", ")"),
            ("(let [x 1] ", "x", ")"),
            ("(and 1 ", "2", ")"),
            ("(-> ", "2", " identity)"),
            ("((fn [] ", "2", "))"),
        ]
        .into_iter()
        .step_by(one_in(3))
        {
            // The report is computed, and both program and report are dropped.
            let count = if open.len() > 2 { MILLION / 5 } else { MILLION };
            let source = nested(open, inner, close, count);
            let session = World::without_tools("{}", raised()).session;
            assert!(session.admit(&source).is_ok(), "{open}");
        }
        for (open, close) in [("(", ")"), ("[", "]"), ("'", "")] {
            let source = format!("'{}", nested(open, "1", close, MILLION));
            assert!(!run(&format!("(coll? {source})")).starts_with("! "), "{open}");
        }
    });
}

#[test]
fn a_million_calls_inside_one_another() {
    on_a_small_stack(|| {
        for (source, expected) in [
            ("(defn f [n] (if (= n 0) 0 (inc (f (dec n))))) (f 1000000)", "=> 1000000"),
            ("(defn f [n] (if (= n 0) 0 (reduce + [1 (f (dec n))]))) (f 300000)", "=> 300000"),
            ("(defn f [n] (if (= n 0) 0 (first (map inc [(f (dec n))])))) (f 300000)", "=> 300000"),
            (
                "(defn f [n] (if (= n 0) 0 (try (inc (f (dec n))) (finally nil)))) (f 300000)",
                "=> 300000",
            ),
            ("((reduce comp (repeat 300000 inc)) 0)", "=> 300000"),
            ("((reduce (fn [f _] (fn [x] (inc (f x)))) identity (range 300000)) 0)", "=> 300000"),
            ("(loop [i 0] (if (< i 1000000) (recur (inc i)) i))", "=> 1000000"),
        ] {
            assert_eq!(run(source), expected, "{source}");
        }
        let limits = Limits { fuel: 2_000_000_000, memory: 4 << 30, ..Limits::default() };
        let mut world = World::without_tools("{}", limits);
        assert_eq!(short(&world.run("(defn f [] (inc (f))) (f)").shown), "call-depth-limit");
    });
}

/// A function that wraps a value in a container.
type Wrap = fn(Value) -> Value;

fn deep(wrap: Wrap, levels: usize) -> Value {
    (0..levels).fold(Value::from(1), |inner, _| wrap(inner))
}

/// Values from outside are compared, printed, written, read, looked up and dropped.
#[test]
fn values_a_million_levels_deep() {
    on_a_small_stack(|| {
        let wraps: [(Wrap, usize); 3] = [
            (|inner| Value::vector(vec![inner]), MILLION),
            (|inner| Value::list(vec![inner]), MILLION / 5),
            (|inner| Value::map([(Value::str("a"), inner)]), MILLION / 5),
        ];
        for (wrap, levels) in wraps {
            let (value, other) = (deep(wrap, levels), deep(wrap, levels));
            assert_eq!(value, other);
            let text = print::readable(&value);
            assert!(text.len() > 2 * levels);
            assert_eq!(print::display(&value), text);
            assert!(print::preview(&value, &print::Preview::default()).0.len() < 200);
            let written = json::write(&value).unwrap();
            let read = json::parse(&written).unwrap();
            assert!(read == value);
            // A part may be shared while the rest is dropped.
            let part = value.items().and_then(|mut items| items.next().cloned());
            drop((value, other, read));
            drop(part);
        }
        assert!(json::parse(&"[".repeat(MILLION)).is_err());
        assert!(json::parse(&"{\"a\":".repeat(MILLION)).is_err());
        let nested = deep(|inner| Value::vector(vec![inner]), MILLION);
        assert!(json::to_serde(&nested).is_err() && json::plain(&nested).is_err());
    });
}

/// Values that programs make and use.
#[test]
fn programs_with_values_a_million_levels_deep() {
    on_a_small_stack(|| {
        let made = |name, levels| {
            format!(
                "(defn {name} [wrap] (loop [i 0 v 1] (if (< i {levels}) (recur (inc i) (wrap v)) v)))"
            )
        };
        let prelude = made("deep", MILLION) + &made("less", MILLION / 10);
        for (program, expected) in [
            ("(= (deep vector) (deep list))", "=> true"),
            ("(compare (deep vector) (deep vector))", "=> 0"),
            ("(= (hash (deep vector)) (hash (deep list)))", "=> true"),
            ("(count (str (deep vector)))", "=> 2000001"),
            ("(do (println (less vector)) 1)", "=> 1"),
            ("(count (json/generate-string (deep vector)))", "=> 2000001"),
            (
                "(= (less vector) (json/parse-string (json/generate-string (less vector))))",
                "=> true",
            ),
            ("(get {1 2} (less vector) :none)", "=> :none"),
            ("(contains? (set (range 100)) (less vector))", "=> false"),
            ("(do (less (fn [g] (fn [] g))) 1)", "=> 1"),
            ("(do (less (fn [x] (list x x))) 1)", "=> 1"),
            ("(do (deep atom) 1)", "=> 1"),
            ("(do (less (fn [x] [(reduced x)])) 1)", "=> 1"),
            ("(do (less (fn [c] (sorted-set-by (fn [a b] (count c) (compare a b)) 1))) 1)", "=> 1"),
            ("(do (less (fn [c] (conj (sorted-set-by (fn [a b] c (compare a b))) 1))) 1)", "=> 1"),
            (
                "(do (less (fn [c] (let [m {:a [c]}] (sorted-set-by (fn [a b] m (compare a b)) 1)))) 1)",
                "=> 1",
            ),
            ("(do (less (fn [x] (delay x))) 1)", "=> 1"),
            ("(do (less (fn [x] [(atom x)])) 1)", "=> 1"),
            ("(do (less (fn [x] (lazy-seq [x]))) 1)", "=> 1"),
            // Trees: each shares almost all of its nodes with `long`.
            (
                "(let [long (vec (range 100))] (less (fn [x] (assoc long 5 x))) (count long))",
                "=> 100",
            ),
            (
                "(let [long (zipmap (range 100) (range))] (less (fn [x] (assoc long 5 x))) (count long))",
                "=> 100",
            ),
            (
                "(let [long (apply sorted-map-by (fn [a b] (compare a b)) (range 100))] (do (less (fn [x] (assoc long 5 x))) (count long)))",
                "=> 50",
            ),
            ("(do (less (fn [x] (ex-info \"a\" {:x x}))) 1)", "=> 1"),
            ("(count (flatten (less vector)))", "=> 1"),
            ("(get-in (deep vector) (repeat 1000000 0))", "=> 1"),
            ("(count (str (assoc-in {} (repeat 100000 :a) 1)))", "=> 500001"),
            ("(= 1 (read-string (str (str/join (repeat 1000000 \"#_1 \")) 1)))", "=> true"),
            (
                "(count (read-string (str (str/join (repeat 1000000 \"[\")) (str/join (repeat 1000000 \"]\")))))",
                "=> 1",
            ),
        ]
        .into_iter()
        .step_by(one_in(4))
        {
            let mut world = World::without_tools("{}", raised());
            assert_eq!(world.run(&format!("{prelude} {program}")).shown, expected, "{program}");
        }
        // A deep value is refused as a key.
        let found = run(&format!("{prelude} {{(deep vector) 1}}"));
        assert_eq!(short(&found), "value-depth-limit");
        // A deep value may be returned, kept and passed on.
        let mut world = World::new("{}", raised());
        let (ended, _) = world.run_raw(&format!("{prelude} (return (deep vector))")).unwrap();
        assert!(matches!(ended.outcome, Outcome::Return(_)));
        assert_eq!(world.run(&format!("{prelude} (memory/put :d (deep vector)) 1")).shown, "=> 1");
        assert_eq!(world.run("(call \"echo\" {:v memory/d}) 1").shown, "=> 1");
    });
}

#[test]
fn collections_of_a_million_items() {
    on_a_small_stack(|| {
        for (program, expected) in [
            ("(= (vec (range 1000000)) (range 1000000))", "=> true"),
            ("(compare (vec (range 1000000)) (vec (range 1000000)))", "=> 0"),
            ("(= (set (range 1000000)) (set (reverse (range 1000000))))", "=> true"),
            ("(= (hash (range 1000000)) (hash (vec (range 1000000))))", "=> true"),
            ("(count (zipmap (range 1000000) (range 1000000)))", "=> 1000000"),
            ("(first (sort (reverse (range 1000000))))", "=> 0"),
            ("(first (sort > (range 1000000)))", "=> 999999"),
            ("(count (str (vec (range 1000000))))", "=> 6888891"),
            ("(count (json/parse-string (json/generate-string (range 1000000))))", "=> 1000000"),
            ("(count (into (sorted-set) (range 100000)))", "=> 100000"),
            ("(count (apply str (repeat 1000000 \"a\")))", "=> 1000000"),
            ("(apply + (range 1000000))", "=> 499999500000"),
            ("(count (apply vector (range 1000000)))", "=> 1000000"),
            (
                "(count (loop [i 0 v nil] (if (< i 1000000) (recur (inc i) (cons i v)) v)))",
                "=> 1000000",
            ),
            ("(nth (iterate inc 0) 1000000)", "=> 1000000"),
            ("(count (doall (take 1000000 (repeat 1))))", "=> 1000000"),
            ("(count (re-seq #\"a\" (apply str (repeat 1000000 \"a\"))))", "=> 1000000"),
            ("(first (reduce (fn [s _] (rest s)) (range 1000001) (range 1000000)))", "=> 1000000"),
        ]
        .into_iter()
        .step_by(one_in(4))
        {
            assert_eq!(run(program), expected, "{program}");
        }
        let source = format!("(count [{}])", "1 ".repeat(MILLION));
        assert_eq!(run(&source), "=> 1000000");
        let source = format!("(do {})", "(inc 1) ".repeat(MILLION / 4));
        assert_eq!(run(&source), "=> 2");
    });
}

/// Each function nests as deep as native calls go, before and in the call of the next one.
#[test]
fn calls_without_frames_are_bounded() {
    on_a_small_stack(|| {
        let deep = |inner: &str| nested("(if (= x -1) 0 (+ 1 (max ", inner, " 0)))", 5);
        let body = |inner: &str| nested("(if (= x -1) 0 (str/trim (str ", inner, " \"\")))", 4);
        let plain = deep(&deep("x"));
        let functions = (1..8).map(|number| {
            let before = number - 1;
            let call = format!("(reduce (fn [a y] (+ a (f{before} y))) 0 [x x])");
            let call = if number % 2 == 0 { call } else { format!("(f{before} x)") };
            format!("(defn f{number} [x] (do {} {}))", body("x"), deep(&call))
        });
        let source = functions.collect::<Vec<_>>().join("\n");
        let source = format!("(defn f0 [x] {plain})\n{source}");
        assert_eq!(run(&format!("{source}(map f7 [1 2])")), "=> (198 206)");
    });
}
