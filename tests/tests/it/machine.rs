//! Tests of the machine: it can suspend at any tool call, and results do not depend on the places
//! where it suspends.

use ptc_lisp::{Budget, Limits, Outcome, ToolFailure, Value, Yielded};
use ptc_tests::{Corpus, Ran, World, assert_no_problems, files, one_in, root};

/// A program, its tool calls in order, and its answer.
type Suspended = (&'static str, &'static [&'static str], &'static str);

/// The tool `t` returns its `:v`. Each program calls it inside another form.
const SUSPENDED: &[Suspended] = &[
    ("(map (fn [x] (t x)) [1 2 3])", &["1", "2", "3"], "=> (1 2 3)"),
    ("(map (fn [x y] (+ (t x) (t y))) [1 2] [3 4])", &["1", "3", "2", "4"], "=> (4 6)"),
    ("(mapv (fn [x] (t x)) #{1 2})", &["1", "2"], "=> [1 2]"),
    ("(map-indexed (fn [i x] (t [i x])) [:a :b])", &["[0 :a]", "[1 :b]"], "=> ([0 :a] [1 :b])"),
    ("(filter (fn [x] (t (> x 1))) [1 2 3])", &["false", "true", "true"], "=> (2 3)"),
    ("(filterv (fn [x] (t (odd? x))) [1 2 3])", &["true", "false", "true"], "=> [1 3]"),
    ("(remove (fn [x] (t (> x 1))) [1 2])", &["false", "true"], "=> (1)"),
    ("(keep (fn [x] (t (if (> x 1) x))) [1 2])", &["nil", "2"], "=> (2)"),
    ("(keep-indexed (fn [i x] (t (if (> i 0) x))) [1 2])", &["nil", "2"], "=> (2)"),
    ("(reduce (fn [a x] (t (+ a x))) [1 2 3])", &["3", "6"], "=> 6"),
    ("(reduce (fn [a x] (t (+ a x))) 10 [1 2])", &["11", "13"], "=> 13"),
    ("(reduce (fn [a x] (if (> x 1) (reduced (t a)) (+ a x))) 0 [1 2 3])", &["1"], "=> 1"),
    ("(reduce-kv (fn [a k v] (t (+ a v))) 0 {:a 1 :b 2})", &["1", "3"], "=> 3"),
    ("(reductions (fn [a x] (t (+ a x))) [1 2 3])", &["3", "6"], "=> (1 3 6)"),
    ("(sort-by (fn [x] (t (- x))) [1 3 2])", &["-1", "-3", "-2"], "=> (3 2 1)"),
    ("(sort (fn [a b] (t (< a b))) [2 1])", &["true"], "=> (1 2)"),
    ("(sort-by :n (fn [a b] (t (> a b))) [{:n 1} {:n 2}])", &["true"], "=> ({:n 2} {:n 1})"),
    ("(sort (fn [a b] (t (compare a b))) [3 1 2])", &["-1", "1", "-1"], "=> (1 2 3)"),
    ("(update {:a 1} :a (fn [x] (t (inc x))))", &["2"], "=> {:a 2}"),
    ("(update-in {:a {:b 1}} [:a :b] (fn [x] (t (inc x))))", &["2"], "=> {:a {:b 2}}"),
    ("(update-vals {:a 1 :b 2} (fn [x] (t x)))", &["1", "2"], "=> {:a 1, :b 2}"),
    ("(update-keys {:a 1} (fn [k] (t (name k))))", &["\"a\""], "=> {\"a\" 1}"),
    ("(merge-with (fn [a b] (t (+ a b))) {:a 1} {:a 2 :b 3})", &["3"], "=> {:a 3, :b 3}"),
    (
        "(group-by (fn [x] (t (odd? x))) [1 2 3])",
        &["true", "false", "true"],
        "=> {true [1 3], false [2]}",
    ),
    ("(partition-by (fn [x] (t (odd? x))) [1 3 2])", &["true", "true", "false"], "=> ((1 3) (2))"),
    ("(take-while (fn [x] (t (< x 2))) [1 2 3])", &["true", "false"], "=> (1)"),
    ("(drop-while (fn [x] (t (< x 2))) [1 2 3])", &["true", "false"], "=> (2 3)"),
    ("(split-with (fn [x] (t (< x 2))) [1 2 3])", &["true", "false"], "=> [(1) (2 3)]"),
    ("(some (fn [x] (t (> x 1))) [1 2 3])", &["false", "true"], "=> true"),
    ("(every? (fn [x] (t (< x 2))) [1 2 3])", &["true", "false"], "=> false"),
    ("(not-any? (fn [x] (t (> x 2))) [1 2])", &["false", "false"], "=> true"),
    ("(mapcat (fn [x] (t [x x])) [1 2])", &["[1 1]", "[2 2]"], "=> (1 1 2 2)"),
    ("(run! (fn [x] (t x)) [1 2])", &["1", "2"], "=> nil"),
    ("(max-key (fn [x] (t x)) 1 3 2)", &["1", "3", "2"], "=> 3"),
    ("(min-by (fn [x] (t x)) [2 1])", &["2", "1"], "=> 1"),
    ("(sum-by (fn [x] (t x)) [2 1])", &["2", "1"], "=> 3"),
    ("(index-by (fn [x] (t x)) [2 1])", &["2", "1"], "=> {2 2, 1 1}"),
    ("(distinct-by (fn [x] (t (odd? x))) [1 3 2])", &["true", "true", "false"], "=> (1 2)"),
    ("(find-first (fn [x] (t (> x 1))) [1 2 3])", &["false", "true"], "=> 2"),
    (
        "(count-by (fn [x] (t (odd? x))) [1 3 2])",
        &["true", "true", "false"],
        "=> {true 2, false 1}",
    ),
    ("(top-by 2 (fn [x] (t (- x))) [3 1 2])", &["-3", "-1", "-2"], "=> (1 2)"),
    ("(filter-vals (fn [x] (t (> x 1))) {:a 1 :b 2})", &["false", "true"], "=> {:b 2}"),
    (
        "(aggregate-by (fn [x] (t (odd? x))) (fn [x] (t x)) (fn [xs] (t (sum xs))) [1 3])",
        &["true", "true", "1", "3", "4"],
        "=> {true 4}",
    ),
    ("(if-error (t (/ (t 1) 0)) (t 2))", &["1", "2"], "=> 2"),
    ("(apply (fn [a b] (t (+ a b))) [1 2])", &["3"], "=> 3"),
    ("((comp inc (fn [x] (t x))) 1)", &["1"], "=> 2"),
    ("((comp (fn [x] (t x)) (fn [x] (t (inc x)))) 1)", &["2", "2"], "=> 2"),
    ("((partial (fn [a b] (t [a b])) 1) 2)", &["[1 2]"], "=> [1 2]"),
    ("((juxt (fn [x] (t x)) inc) 1)", &["1"], "=> [1 2]"),
    ("((complement (fn [x] (t x))) true)", &["true"], "=> false"),
    ("((fnil (fn [x] (t x)) 5) nil)", &["5"], "=> 5"),
    ("((every-pred (fn [x] (t (pos? x))) odd?) 1)", &["true"], "=> true"),
    ("((some-fn (fn [x] (t (:a x))) :b) {:b 1})", &["nil"], "=> 1"),
    ("(repeatedly 2 (fn [] (t 1)))", &["1", "1"], "=> (1 1)"),
    ("(str/replace \"ab\" #\"[ab]\" (fn [m] (t (str m m))))", &["\"aa\"", "\"bb\""], "=> \"aabb\""),
    (
        "(for [x [1 2] y [3 4] :when (t (odd? (+ x y)))] [x y])",
        &["false", "true", "true", "false"],
        "=> ([1 4] [2 3])",
    ),
    (
        "(for [x (t [1 2]) :let [y (t x)] :while (t (< y 2))] y)",
        &["[1 2]", "1", "true", "2", "false"],
        "=> (1)",
    ),
    ("(take 2 (map (fn [x] (t (inc x))) (range)))", &["1", "2"], "=> (1 2)"),
    ("(first (filter (fn [x] (t (> x 1))) (range)))", &["false", "false", "true"], "=> 2"),
    ("(nth (iterate (fn [x] (t (* 2 x))) 1) 2)", &["2", "4"], "=> 4"),
    ("(take 2 (repeatedly (fn [] (t 1))))", &["1", "1"], "=> (1 1)"),
    ("(some (fn [x] (t (if (> x 1) x))) (range))", &["nil", "nil", "2"], "=> 2"),
    ("(let [s (lazy-seq (t [1 2]))] [(first s) (count s) s])", &["[1 2]"], "=> [1 2 (1 2)]"),
    ("(let [[a b] (map (fn [x] (t x)) (range))] [a b])", &["0", "1"], "=> [0 1]"),
    (
        "(take 2 (for [x (range) :when (t (odd? x))] x))",
        &["false", "true", "false", "true"],
        "=> (1 3)",
    ),
    ("(sorted-set-by (fn [a b] (t (> a b))) 1 2)", &["true"], "=> #{2 1}"),
    (
        "(assoc (sorted-map-by (fn [a b] (t (compare a b))) 2 :b) 1 :a 2 :c)",
        &["-1"],
        "=> {1 :a, 2 :c}",
    ),
    ("(doseq [x [1 2]] (t x))", &["1", "2"], "=> nil"),
    ("(dotimes [i 2] (t i))", &["0", "1"], "=> nil"),
    ("(let [a (t 1) b (t (inc a))] [a b])", &["1", "2"], "=> [1 2]"),
    ("(let [[a b] (t [1 2]) {:keys [c]} (t {:c 3})] [a b c])", &["[1 2]", "{:c 3}"], "=> [1 2 3]"),
    ("(let [{:keys [a] :or {a (t 7)}} {}] a)", &["7"], "=> 7"),
    (
        "(loop [i 0 a []] (if (t (< i 2)) (recur (inc i) (conj a (t i))) a))",
        &["true", "0", "true", "1", "false"],
        "=> [0 1]",
    ),
    ("(loop [i (t 2)] (if (zero? i) :done (recur (t (dec i)))))", &["2", "1", "0"], "=> :done"),
    ("(if (t true) (t 1) (t 2))", &["true", "1"], "=> 1"),
    ("(when-not (t false) (t 1))", &["false", "1"], "=> 1"),
    ("(cond (t nil) 1 (t 2) (t 3))", &["nil", "2", "3"], "=> 3"),
    ("(case (t 2) 1 :one 2 (t :two))", &["2", ":two"], "=> :two"),
    ("(condp = (t 2) (t 1) :one (t 2) :two)", &["2", "1", "2"], "=> :two"),
    ("(swap! (atom 1) (fn [x y] (t (+ x y))) 2)", &["3"], "=> 3"),
    ("(swap-vals! (atom 1) (fn [x] (t (inc x))))", &["2"], "=> [1 2]"),
    // The atom holds its value while the function runs, and when it fails.
    (
        "(let [a (atom {:n 1})] (swap! a update :n (fn [n] (t 5) (+ n (:n @a)))) @a)",
        &["5"],
        "=> {:n 2}",
    ),
    (
        "(let [a (atom {:n 1})] (try (swap! a update :n (fn [n] (/ n (t 0)))) (catch Exception e nil)) (swap! a assoc :m 2) @a)",
        &["0"],
        "=> {:n 1, :m 2}",
    ),
    (
        "(let [a (atom [1]) b @a c (swap! a conj (t 2))] (swap! a conj 3) (try (swap! a conj (/ 1 0)) (catch Exception e nil)) [@a b c])",
        &["2"],
        "=> [[1 2 3] [1] [1 2]]",
    ),
    ("(reset! (atom (t 1)) (t 2))", &["1", "2"], "=> 2"),
    (
        "(let [a (atom 1 :validator (fn [x] (t (pos? x))))] (swap! a inc))",
        &["true", "true"],
        "=> 2",
    ),
    ("(set-validator! (atom 1) (fn [x] (t (pos? x))))", &["true"], "=> nil"),
    (
        "(let [a (atom 1)] (add-watch a :k (fn [k _ o n] (t [k o n]))) (reset! a 5))",
        &["[:k 1 5]"],
        "=> 5",
    ),
    ("(vswap! (volatile! 1) (fn [x] (t (inc x))))", &["2"], "=> 2"),
    ("(let [d (delay (t 1))] [@d (force d)])", &["1"], "=> [1 1]"),
    ("(and (t 1) (t nil) (t 2))", &["1", "nil"], "=> nil"),
    ("(or (t nil) (t 2) (t 3))", &["nil", "2"], "=> 2"),
    ("[(t 1) (t 2) [(t 3)]]", &["1", "2", "3"], "=> [1 2 [3]]"),
    ("{(t :a) (t 1) :b (t 2)}", &[":a", "1", "2"], "=> {:a 1, :b 2}"),
    ("#{(t 1) (t 2)}", &["1", "2"], "=> #{1 2}"),
    ("(+ (t 1) 1 (t 2))", &["1", "2"], "=> 4"),
    ("(- (t 5) (t 2))", &["5", "2"], "=> 3"),
    ("(t (t (t 1)))", &["1", "1", "1"], "=> 1"),
    ("(-> 1 t inc t)", &["1", "2"], "=> 2"),
    ("(->> [1 2] (map t) (reduce +) t)", &["1", "2", "3"], "=> 3"),
    ("(some-> (t {:a 1}) :a t)", &["{:a 1}", "1"], "=> 1"),
    ("((t :a) {:a 1})", &[":a"], "=> 1"),
    ("(:a (t {:a 1}) (t 2))", &["{:a 1}", "2"], "=> 1"),
    (
        "(map (fn [x] (map (fn [y] (t [x y])) [1 2])) [3 4])",
        &["[3 1]", "[3 2]", "[4 1]", "[4 2]"],
        "=> (([3 1] [3 2]) ([4 1] [4 2]))",
    ),
    ("(let [f (fn f [n] (if (zero? n) 0 (+ (t n) (f (dec n)))))] (f 3))", &["3", "2", "1"], "=> 6"),
    ("(let [n 1 f (fn [x] (fn [y] (t [n x y])))] ((f 2) 3))", &["[1 2 3]"], "=> [1 2 3]"),
    ("(def d (t 1)) (+ d (t 2))", &["1", "2"], "=> 3"),
    ("(do (memory/put :k (t 1)) (t memory/k))", &["1", "1"], "=> 1"),
    ("(do (println (t 1)) (t 2))", &["1", "2"], "=> 2"),
    ("(return (t 1))", &["1"], "return 1"),
    ("(fail {:reason (t :r)})", &[":r"], "fail {:reason :r}"),
    ("(reduce (fn [a x] (if (t (> x 1)) (return a) x)) 0 [1 2])", &["false", "true"], "return 1"),
    ("(sort (fn [a b] (return (t a))) [2 1])", &["1"], "return 1"),
    ("(map t (map t [1 2]))", &["1", "2", "1", "2"], "=> (1 2)"),
    ("(apply map (fn [a b] (t [a b])) [[1 2] [3 4]])", &["[1 3]", "[2 4]"], "=> ([1 3] [2 4])"),
    ("(str (t 1) (t 2))", &["1", "2"], "=> \"12\""),
    ("(get-in {:a {:b 1}} [(t :a) (t :b)])", &[":a", ":b"], "=> 1"),
    ("(assoc (t {}) (t :a) (t 1))", &["{}", ":a", "1"], "=> {:a 1}"),
    ("((fn [& xs] (map t xs)) (t 1) 2)", &["1", "1", "2"], "=> (1 2)"),
    (
        "((fn [n acc] (if (zero? n) acc (recur (t (dec n)) (conj acc n)))) 2 [])",
        &["1", "0"],
        "=> [2 1]",
    ),
];

fn suspended(source: &str, slice: u64) -> Ran {
    let mut world = World::without_tools("{}", Limits::default());
    world.tool("t", |args| Ok(args.get("v").cloned().unwrap_or_default()));
    world.slice = slice;
    world.run("(defn t [x] (call \"t\" {:v x}))");
    world.run(source)
}

#[test]
fn a_tool_call_suspends_anywhere_and_resumes() {
    let mut problems = Vec::new();
    for (source, calls, shown) in SUSPENDED {
        for slice in [1, 1_000_000] {
            let ran = suspended(source, slice);
            let texts: Vec<String> = ran.calls.iter().map(|call| call.text.clone()).collect();
            let expected: Vec<String> =
                calls.iter().map(|call| format!("t {{:v {call}}}")).collect();
            let ids: Vec<String> = ran.calls.iter().map(|call| call.id.clone()).collect();
            let numbers: Vec<String> = (0..calls.len()).map(|at| at.to_string()).collect();
            if ran.shown != *shown || texts != expected || ids != numbers {
                problems.push(format!("{source} (slice {slice})\nexpected {shown} {expected:?}\nfound    {} {texts:?} {ids:?}", ran.shown));
            }
        }
    }
    assert_no_problems(&problems);
}

/// Runs the whole corpus, block by block.
fn corpus(slice: u64) -> Vec<(String, Ran)> {
    let mut all = Vec::new();
    for path in files(&root().join("tests/language"), "clj") {
        for block in Corpus::read(&path).blocks.iter().step_by(one_in(8)) {
            let mut world = block.world(Limits::default());
            world.slice = slice;
            for case in &block.cases {
                all.push((case.source.clone(), world.run(&case.source)));
            }
        }
    }
    for (source, ..) in SUSPENDED {
        all.push(((*source).to_owned(), suspended(source, slice)));
    }
    all
}

fn differences(one: &[(String, Ran)], other: &[(String, Ran)]) -> Vec<String> {
    let pairs = one.iter().zip(other).filter(|(one, other)| one != other);
    pairs.map(|((source, one), (_, other))| format!("{source}\n{one:?}\n{other:?}")).collect()
}

#[test]
fn runs_repeat_values_prints_and_fuel() {
    assert_no_problems(&differences(&corpus(100_000), &corpus(100_000)));
}

#[test]
fn nothing_depends_on_the_slice() {
    let whole = corpus(1_000_000);
    assert_no_problems(&differences(&corpus(1), &whole));
    assert_no_problems(&differences(&corpus(7), &whole));
}

/// Memory is counted at the same points for every slice.
#[test]
fn limits_do_not_depend_on_the_slice() {
    let sources = [
        "(loop [i 0 a []] (recur (inc i) (conj a (range 1000))))",
        "(loop [i 0] (recur (inc i)))",
        "(reduce (fn [a x] (conj a (range x))) [] (range 100000))",
        "(defn f [n] (+ 1 (f n))) (f 1)",
    ];
    for source in sources {
        let limits = Limits { memory: 16 << 20, fuel: 3_000_000, ..Limits::default() };
        let run = |slice| {
            let mut world = World::new("{}", limits.clone());
            world.slice = slice;
            world.run(source)
        };
        let whole = run(1_000_000);
        assert_eq!(run(1), whole, "{source}");
        assert_eq!(run(333), whole, "{source}");
    }
}

/// A slice of one unit yields often, and each slice makes progress.
#[test]
fn a_small_slice_yields() {
    let world = World::new("{}", Limits::default());
    let admitted = world.session.admit("(reduce + (map inc (range 50)))").unwrap();
    let mut machine = world.session.start(&admitted);
    let mut budget = Budget::new(world.session.limits());
    budget.slice = 1;
    let mut yields = 0;
    while matches!(machine.run(&mut budget), Yielded::SliceUsed) {
        yields += 1;
    }
    assert!(yields >= 50, "only {yields} yields");
    assert!(
        matches!(machine.finish().outcome, Outcome::Value(value) if value == Value::from(1275))
    );
}

#[test]
fn running_an_ended_machine_again_is_done() {
    let world = World::new("{}", Limits::default());
    let admitted = world.session.admit("1").unwrap();
    let mut machine = world.session.start(&admitted);
    let mut budget = Budget::new(world.session.limits());
    for _ in 0..3 {
        assert!(matches!(machine.run(&mut budget), Yielded::Done));
    }
    assert!(matches!(machine.finish().outcome, Outcome::Value(value) if value == Value::from(1)));
}

#[test]
fn a_waiting_machine_resumes_only_with_an_answer() {
    let world = World::new("{}", Limits::default());
    let admitted = world.session.admit("(+ 1 (call \"echo\" {:v 1}))").unwrap();
    let mut machine = world.session.start(&admitted);
    let mut budget = Budget::new(world.session.limits());
    let Yielded::Calls(calls) = machine.run(&mut budget) else { panic!() };
    let [call] = calls.as_slice() else { panic!() };
    assert!(matches!(machine.run(&mut budget), Yielded::Calls(none) if none.is_empty()));
    machine.resume(&call.id, Ok(Value::from(41)));
    // A second answer to the same call is ignored.
    machine.resume(&call.id, Ok(Value::from(100)));
    assert!(matches!(machine.run(&mut budget), Yielded::Done));
    assert!(matches!(machine.finish().outcome, Outcome::Value(value) if value == Value::from(42)));
}

/// The slots of a task take 4 KiB while it runs.
#[test]
fn a_waiting_branch_holds_only_the_slots_that_it_uses() {
    let limits = Limits { tool_calls: 20_000, ..Limits::default() };
    let world = World::new("{}", limits);
    let source = "(count (pmap (fn [x] (call \"echo\" {:v x})) (range 20000)))";
    let mut machine = world.session.start(&world.session.admit(source).unwrap());
    let mut budget = Budget::new(world.session.limits());
    let calls = loop {
        match machine.run(&mut budget) {
            Yielded::Calls(calls) => break calls,
            Yielded::SliceUsed => {}
            Yielded::Done => panic!("{:?}", machine.finish().outcome),
        }
    };
    assert_eq!(calls.len(), 20_000);
}

#[test]
fn a_failed_call_ends_the_program_at_its_place() {
    let world = World::new("{}", Limits::default());
    let admitted = world.session.admit("(map (fn [x]\n  (call \"echo\" {:v x})) [1 2])").unwrap();
    let mut machine = world.session.start(&admitted);
    let mut budget = Budget::new(world.session.limits());
    let Yielded::Calls(calls) = machine.run(&mut budget) else { panic!() };
    machine.resume(&calls[0].id, Err(ToolFailure::new("no network")));
    assert!(matches!(machine.run(&mut budget), Yielded::Done));
    let Outcome::Error(problem) = machine.finish().outcome else { panic!() };
    assert_eq!(
        problem.to_json().to_string(),
        r#"{"code":"tool-failed","kind":"tool","message":"tool `echo`: no network","line":2,"column":3,"help":null}"#
    );
}

#[test]
fn a_stopped_machine_has_no_value_and_keeps_nothing() {
    let mut world = World::new("{}", Limits::default());
    let admitted = world.session.admit("(memory/put :a 1) (call \"echo\" {})").unwrap();
    let mut machine = world.session.start(&admitted);
    let mut budget = Budget::new(world.session.limits());
    let Yielded::Calls(_) = machine.run(&mut budget) else { panic!() };
    let ended = machine.finish();
    assert!(matches!(&ended.outcome, Outcome::Error(problem) if problem.code() == "unsupported"));
    world.session.commit(&ended).unwrap();
    assert_eq!(world.session.memory().to_string(), "{}");
}

/// Machines may be sent between threads, since a waiting run holds no thread.
#[test]
fn machines_and_values_are_send() {
    fn send<T: Send>() {}
    fn sync<T: Sync>() {}
    send::<ptc_lisp::Machine>();
    send::<Value>();
    sync::<Value>();
    sync::<ptc_lisp::Session>();
}

#[test]
fn a_program_that_fails_keeps_nothing() {
    let ways = [
        "(/ 1 0)",
        "(fail {:reason :no})",
        "(loop [] (recur))",
        "(call \"boom\" {})",
        "(return inc)",
    ];
    for way in ways {
        let mut world = World::new("{}", Limits { fuel: 100_000, ..Limits::default() });
        world.run("(def kept 1) (memory/put :kept 1)");
        world.run(&format!(
            "(def kept 2) (def more 3) (memory/put :kept 2) (memory/put :more 3) {way}"
        ));
        assert_eq!(world.run("[kept memory *1]").shown, "=> [1 {:kept 1} 1]", "{way}");
        assert!(world.run("more").shown.starts_with("! unknown-name"), "{way}");
    }
}

#[test]
fn return_and_fail_end_the_program_at_any_depth() {
    let depths = [
        "X",
        "(let [a X] a)",
        "[1 X 2]",
        "{:a X}",
        "(+ 1 X)",
        "(map (fn [x] X) [1])",
        "(reduce (fn [a x] X) 0 [1])",
        "(sort (fn [a b] X) [2 1])",
        "(sort-by (fn [a] X) [2 1])",
        "(for [x [1]] X)",
        "(doseq [x [1]] X)",
        "(loop [i 0] (if (< i 3) (recur (inc i)) X))",
        "((fn f [n] (if (zero? n) X (+ 1 (f (dec n))))) 500)",
        "(update {:a 1} :a (fn [_] X))",
        "(apply (fn [& _] X) [1])",
        "((comp (fn [_] X) inc) 1)",
        "(def d X)",
        "(println X)",
        "(if X 1 2)",
        "(and 1 X)",
        "(call \"echo\" {:v X})",
        "(str/replace \"a\" #\"a\" (fn [_] X))",
        "(merge-with (fn [a b] X) {:a 1} {:a 2})",
    ];
    for depth in depths {
        let returned = ptc_tests::eval(&depth.replace('X', "(return {:n 1})"));
        assert_eq!(
            (returned.shown.as_str(), returned.prints.len()),
            ("return {:n 1}", 0),
            "{depth}"
        );
        let failed = ptc_tests::eval(&depth.replace('X', "(fail {:reason :no})"));
        assert_eq!(
            (failed.shown.as_str(), failed.prints.len()),
            ("fail {:reason :no}", 0),
            "{depth}"
        );
    }
}
