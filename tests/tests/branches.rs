//! `pmap` and its kin: calls side by side, and nothing that depends on which answer comes first.

use ptc_lisp::{Budget, Limits, Outcome, Step, ToolCall, ToolFailure, Value};
use ptc_tests::{World, assert_no_problems};

/// How a program went.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Ran {
    shown: String,
    prints: Vec<String>,
    fuel: u64,
    tool_calls: u32,
    /// The calls that were handed out together, each as `id value`.
    rounds: Vec<Vec<String>>,
}

/// Runs a program whose tool `t` answers its `:v`, and fails for `:boom`. The calls of each round
/// are answered in the order that `arrange` brings them into.
fn run(source: &str, limits: &Limits, slice: u64, arrange: &dyn Fn(&mut Vec<ToolCall>)) -> Ran {
    run_hosted(source, limits, slice, arrange, &|_| false)
}

/// The same with a host that answers some calls at once; they are in no round.
fn run_hosted(
    source: &str,
    limits: &Limits,
    slice: u64,
    arrange: &dyn Fn(&mut Vec<ToolCall>),
    at_once: &dyn Fn(&ToolCall) -> bool,
) -> Ran {
    let value = |call: &ToolCall| call.args.get("v").cloned().unwrap_or_default();
    let answer = |call: &ToolCall| match value(call) {
        value if value == Value::keyword("boom") => Err(ToolFailure::new("the service is down")),
        value => Ok(value),
    };
    let mut host = |call: &ToolCall| at_once(call).then(|| answer(call));
    let mut world = World::without_tools("{}", limits.clone());
    world.declare("t", true);
    let source = format!("(defn t [x] (call \"t\" {{:v x}}))\n{source}");
    let admitted = world.session.admit(&source).unwrap_or_else(|problem| panic!("{problem}"));
    let mut machine = world.session.start(&admitted);
    let mut budget = Budget::new(limits);
    budget.slice = slice;
    let mut rounds = Vec::new();
    loop {
        match machine.run_with(&mut budget, &mut host) {
            Step::Done => break,
            Step::Yield => {}
            Step::Calls(mut calls) => {
                assert!(!calls.is_empty(), "{source}: waits for nothing");
                rounds.push(calls.iter().map(|it| format!("{} {}", it.id, value(it))).collect());
                arrange(&mut calls);
                for (at, call) in calls.iter().enumerate() {
                    if at > 0 {
                        let step = machine.run(&mut budget);
                        let waits = matches!(&step, Step::Calls(calls) if calls.is_empty());
                        assert!(waits, "{source}: went on before its round was over");
                    }
                    machine.resume(&call.id, answer(call));
                }
            }
        }
    }
    let ended = machine.finish();
    let shown = match &ended.outcome {
        Outcome::Value(value) => format!("=> {value}"),
        Outcome::Return(value) => format!("return {value}"),
        Outcome::Fail(failure) => format!("fail {}", failure.details),
        Outcome::Error(problem) => {
            let place = problem.to_json();
            let text = format!("! {} {}", problem.code(), problem.message());
            format!("{text} @{}:{}", place["line"], place["column"])
        }
    };
    let (prints, fuel, tool_calls) = (ended.prints, ended.fuel, ended.tool_calls);
    assert_eq!(budget.tool_calls + tool_calls, limits.tool_calls, "{source}");
    Ran { shown, prints, fuel, tool_calls, rounds }
}

fn in_order(source: &str) -> Ran {
    run(source, &Limits::default(), 100_000, &|_| {})
}

/// A program, the rounds of calls it makes, and what it answers.
type Case = (&'static str, &'static [&'static [&'static str]], &'static str);

const CASES: &[Case] = &[
    ("(pmap inc [1 2 3])", &[], "=> (2 3 4)"),
    ("(pmap t [])", &[], "=> ()"),
    ("(pmap t nil)", &[], "=> ()"),
    ("(pmap t [1 2 3])", &[&["0.0.0 1", "0.1.0 2", "0.2.0 3"]], "=> (1 2 3)"),
    ("(pmap t {:a 1})", &[&["0.0.0 [:a 1]"]], "=> ([:a 1])"),
    (
        "(pmap (fn [x y] (+ (t x) (t y))) [1 2] [3 4 5])",
        &[&["0.0.0 1", "0.1.0 2"], &["0.0.1 3", "0.1.1 4"]],
        "=> (4 6)",
    ),
    // A branch that needs fewer calls is over earlier, and the others do not wait for it.
    (
        "(pmap (fn [n] (reduce + (map t (range n)))) [2 0 3])",
        &[&["0.0.0 0", "0.2.0 0"], &["0.0.1 1", "0.2.1 1"], &["0.2.2 2"]],
        "=> (1 0 3)",
    ),
    ("(pcalls (fn [] (t 1)) (fn [] 2) (fn [] (t 3)))", &[&["0.0.0 1", "0.2.0 3"]], "=> (1 2 3)"),
    ("(pcalls)", &[], "=> ()"),
    ("(pvalues (t 1) (+ 1 1) (t 3))", &[&["0.0.0 1", "0.2.0 3"]], "=> (1 2 3)"),
    // Calls and forks of one task are numbered together.
    (
        "[(t 0) (pmap t [1 2]) (t 3) (pmap t [4])]",
        &[&["0 0"], &["1.0.0 1", "1.1.0 2"], &["2 3"], &["3.0.0 4"]],
        "=> [0 (1 2) 3 (4)]",
    ),
    // Forks in forks.
    (
        "(pmap (fn [x] (pmap (fn [y] (t (+ x y))) [1 2])) [10 20])",
        &[&["0.0.0.0.0 11", "0.0.0.1.0 12", "0.1.0.0.0 21", "0.1.0.1.0 22"]],
        "=> ((11 12) (21 22))",
    ),
    (
        "(pmap (fn [x] (t (apply + (pmap t (range x))))) [2 1])",
        &[&["0.0.0.0.0 0", "0.0.0.1.0 1", "0.1.0.0.0 0"], &["0.0.1 1", "0.1.1 0"]],
        "=> (1 0)",
    ),
    (
        "(defn walk [n] (if (zero? n) [(t n)] (into [n] (mapcat identity (pmap walk [(dec n) 0]))))) (walk 2)",
        &[&["0.0.0.0.0 0", "0.0.0.1.0 0", "0.1.0 0"]],
        "=> [2 1 0 0 0]",
    ),
    (
        "(pmap pmap [t t] [[1] [2 3]])",
        &[&["0.0.0.0.0 1", "0.1.0.0.0 2", "0.1.0.1.0 3"]],
        "=> ((1) (2 3))",
    ),
    // Inside of what calls back.
    (
        "(reduce (fn [a x] (+ a (apply + (pmap t [x x])))) 0 [1 2])",
        &[&["0.0.0 1", "0.1.0 1"], &["1.0.0 2", "1.1.0 2"]],
        "=> 6",
    ),
    ("(sort (fn [a b] (apply - (pmap t [a b]))) [2 1])", &[&["0.0.0 1", "0.1.0 2"]], "=> (1 2)"),
    (
        "(sort-by (fn [x] (first (pmap (fn [y] (- (t y))) [x]))) [1 2])",
        &[&["0.0.0 1"], &["1.0.0 2"]],
        "=> (2 1)",
    ),
    ("(for [x [1 2]] (pmap t [x]))", &[&["0.0.0 1"], &["1.0.0 2"]], "=> ((1) (2))"),
    ("(apply pmap t [[1 2]])", &[&["0.0.0 1", "0.1.0 2"]], "=> (1 2)"),
    ("((comp (partial pmap t) reverse) [1 2])", &[&["0.0.0 2", "0.1.0 1"]], "=> (2 1)"),
    ("(pmap (comp inc t) [1 2])", &[&["0.0.0 1", "0.1.0 2"]], "=> (2 3)"),
    ("(pmap :a [{:a 1} {}])", &[], "=> (1 nil)"),
    // Errors: the first in the order of the items, whoever fails first.
    (
        "(pmap (fn [x] (t (/ 6 x))) [1 0 2])",
        &[&["0.0.0 6"]],
        "! divide-by-zero `/` divides by zero @2:18",
    ),
    (
        "(pmap (fn [x] (if (= x 1) (/ (t x) 0) (apply x []))) [1 2])",
        &[&["0.0.0 1"]],
        "! divide-by-zero `/` divides by zero @2:27",
    ),
    (
        "(pmap (fn [x] (t (t x))) [1 :boom 2])",
        &[&["0.0.0 1", "0.1.0 :boom", "0.2.0 2"], &["0.0.1 1"]],
        "! tool-failed tool `t`: the service is down @1:13",
    ),
    (
        "(try (pmap t [1 :boom :boom]) (catch Exception e [(t :caught) (ex-message e)]))",
        &[&["0.0.0 1", "0.1.0 :boom", "0.2.0 :boom"], &["1 :caught"]],
        "=> [:caught \"tool `t`: the service is down\"]",
    ),
    (
        "(pmap (fn [x] (try (t x) (catch Exception _ :no) (finally (t :end)))) [1 :boom])",
        &[&["0.0.0 1", "0.1.0 :boom"], &["0.0.1 :end", "0.1.1 :end"]],
        "=> (1 :no)",
    ),
    (
        "(pmap (fn [x] (try (pmap (fn [y] (t y) (t (/ 1 y))) [x 1]) (catch ArithmeticException e x))) [0 1])",
        &[
            &["0.0.0.0.0 0", "0.0.0.1.0 1", "0.1.0.0.0 1", "0.1.0.1.0 1"],
            &["0.1.0.0.1 1", "0.1.0.1.1 1"],
        ],
        "=> (0 (1 1))",
    ),
    (
        "(try (pmap (fn [x] (pmap (fn [y] (t y)) [x :boom x])) [1 2]) (catch Exception e (pmap t [7])))",
        &[
            &[
                "0.0.0.0.0 1",
                "0.0.0.1.0 :boom",
                "0.0.0.2.0 1",
                "0.1.0.0.0 2",
                "0.1.0.1.0 :boom",
                "0.1.0.2.0 2",
            ],
            &["1.0.0 7"],
        ],
        "=> (7)",
    ),
    (
        "(pmap (fn [x y] x) (vec (str 12)))",
        &[],
        "! wrong-arity this function takes 2 arguments, not 1 @2:1",
    ),
    ("(pcalls inc)", &[], "! wrong-arity `inc` takes 1 argument, not 0 @2:1"),
    ("(pmap t 5)", &[], "! wrong-type expected a collection, found an integer 5 @2:1"),
    // The end of the program, from any branch. What the round has not called yet is not called.
    ("(pmap (fn [x] (if (= x 2) (return :out) (t x))) [1 2 3])", &[], "return :out"),
    (
        "(pmap (fn [x] (t x) (if (= x 2) (fail {:reason :no}) (t x))) [1 2 3])",
        &[&["0.0.0 1", "0.1.0 2", "0.2.0 3"]],
        "fail {:reason :no}",
    ),
    ("(pmap (fn [x] (pmap (fn [y] (return y)) [x])) [1 2])", &[], "return 1"),
    // What branches share, they change in the order of the program.
    (
        "(let [seen (atom [])] (pmap (fn [x] (swap! seen conj x) (swap! seen conj (t (- x)))) [1 2]) @seen)",
        &[&["0.0.0 -1", "0.1.0 -2"]],
        "=> [1 2 -1 -2]",
    ),
    // A function that has waited while another branch changed the atom is called again.
    (
        "(let [a (atom 0)] [(pmap (fn [x] (swap! a (fn [v] (+ v (t x))))) [1 10]) @a])",
        &[&["0.0.0 1", "0.1.0 10"], &["0.1.1 10"]],
        "=> [(1 11) 11]",
    ),
    // A delay is computed once, whoever asks while it is.
    (
        "(let [n (atom 0) d (delay (swap! n inc) (t 7))] [(pmap (fn [x] (+ x @d)) [1 2 3]) @n])",
        &[&["0.0.0 7"]],
        "=> [(8 9 10) 1]",
    ),
    (
        "(let [d (delay (t 5) (t 6))] (pmap (fn [x] (case x 0 (do (t 0) @d) 1 (do (t 1) (/ (t 2) 0)) @d)) [0 1 2]))",
        &[
            &["0.0.0 0", "0.1.0 1", "0.2.0 5"],
            &["0.1.1 2", "0.2.1 6"],
            // The branch that computed it was given up.
            &["0.0.1 5"],
            &["0.0.2 6"],
        ],
        "! divide-by-zero `/` divides by zero @2:80",
    ),
    (
        "(def a (delay (t 1) (force b))) (def b (delay (t 2) @a)) (pmap force [a b])",
        &[&["0.0.0 1", "0.1.0 2"]],
        "! unsupported a delay or a lazy sequence needs its own value to be computed @2:21",
    ),
    // An item of a lazy sequence is made once, whichever branch asks for it first.
    (
        "(let [xs (map (fn [x] (t x)) (range))] (pmap (fn [n] (nth xs n)) [1 0 1]))",
        &[&["0.0.0 0"], &["0.0.1 1"]],
        "=> (1 0 1)",
    ),
    (
        "(let [xs (lazy-seq [(t 1)])] (pmap (fn [x] (if (= x 0) (do (t :boom) (first xs)) (first xs))) [0 1]))",
        &[&["0.0.0 :boom", "0.1.0 1"]],
        "! tool-failed tool `t`: the service is down @1:13",
    ),
    (
        "(let [xs (lazy-seq (t 1) [(/ (t 0) 0)])] (pmap (fn [x] (try (first xs) (catch Exception e x))) [0 1]))",
        &[&["0.0.0 1"], &["0.0.1 0"], &["0.1.0 1"], &["0.1.1 0"]],
        "=> (0 1)",
    ),
    (
        "(pmap (fn [n x] (t [n x])) (range) [:a :b])",
        &[&["0.0.0 [0 :a]", "0.1.0 [1 :b]"]],
        "=> ([0 :a] [1 :b])",
    ),
    // What is printed belongs to the branch that prints it.
    (
        "(with-out-str (println (t 1)) (pmap (fn [x] (println (t x))) [2 3]))",
        &[&["0.0.0 1"], &["0.0.1.0.0 2", "0.0.1.1.0 3"]],
        "=> \"1\\n2\\n3\\n\"",
    ),
    (
        "(pmap (fn [x] (if (= x 1) (with-out-str (print (t x)) (println :in)) (println (t x)))) [1 2])",
        &[&["0.0.0.0.0 1", "0.1.0 2"]],
        "=> (\"1:in\\n\" nil)",
    ),
    (
        "(do (pmap (fn [x] (memory/put :last (t x))) [1 2 3]) memory/last)",
        &[&["0.0.0 1", "0.1.0 2", "0.2.0 3"]],
        "=> 3",
    ),
    (
        "(pmap (fn [x] (loop [i 0 a 0] (if (< i x) (recur (inc i) (+ a (t i))) a))) [1 2])",
        &[&["0.0.0 0", "0.1.0 0"], &["0.1.1 1"]],
        "=> (0 1)",
    ),
];

#[test]
fn calls_of_branches_are_handed_out_together() {
    let mut problems = Vec::new();
    for (source, rounds, shown) in CASES {
        let ran = in_order(source);
        if ran.shown != *shown || ran.rounds != *rounds {
            problems.push(format!(
                "{source}\nexpected {shown} {rounds:?}\nfound    {} {:?}",
                ran.shown, ran.rounds
            ));
        }
    }
    assert_no_problems(&problems);
}

/// Every order of so many things, as lists of places.
fn orders(count: usize) -> Vec<Vec<usize>> {
    let mut all = vec![Vec::new()];
    for place in 0..count {
        all = all
            .into_iter()
            .flat_map(|order: Vec<usize>| {
                (0..=order.len()).map(move |at| {
                    let mut longer = order.clone();
                    longer.insert(at, place);
                    longer
                })
            })
            .collect();
    }
    all
}

#[test]
fn nothing_depends_on_the_order_of_answers() {
    let busy = "(let [log (atom [])
          note (fn [& xs] (swap! log conj (vec xs)) (println xs))]
      (pmap (fn [x]
              (note :start x)
              (let [a (t x) b (pmap (fn [y] (note x y) (memory/put :last [x y]) (t (* x y))) [1 2])]
                (note :end x a (vec b))))
            [1 2])
      [@log memory/last])";
    let mut programs: Vec<&str> = CASES.iter().map(|(source, ..)| *source).collect();
    programs.push(busy);
    for source in programs {
        let whole = in_order(source);
        let most = whole.rounds.iter().map(Vec::len).max().unwrap_or(0);
        for order in orders(most.min(4)) {
            let arrange = |calls: &mut Vec<ToolCall>| {
                let given = calls.clone();
                let places = order.iter().filter(|place| **place < given.len());
                let mut placed: Vec<ToolCall> = places.map(|at| given[*at].clone()).collect();
                placed.extend(given.iter().skip(order.len()).rev().cloned());
                assert_eq!(placed.len(), given.len());
                *calls = placed;
            };
            for slice in [1, 7, 1_000_000] {
                let other = run(source, &Limits::default(), slice, &arrange);
                assert_eq!(other, whole, "{source} in the order {order:?}, slice {slice}");
            }
        }
    }
}

#[test]
fn captured_text_is_not_printed() {
    let ran = in_order(
        "(println (pmap (fn [x] (if (= x 1) (with-out-str (println (t x))) (println (t x)))) [1 2]))
         (try (with-out-str (println :lost) (t :boom)) (catch Exception e (println :caught)))",
    );
    assert_eq!(ran.prints, ["2", "(1\n nil)", ":caught"]);
}

#[test]
fn prints_stand_in_the_order_of_rounds() {
    let ran = in_order("(pmap (fn [x] (println :a x) (t x) (println :b x)) [1 2])");
    assert_eq!(ran.prints, [":a 1", ":a 2", ":b 1", ":b 2"]);
}

#[test]
fn an_answer_to_a_branch_that_nobody_waits_for_is_ignored() {
    let mut world = World::without_tools("{}", Limits::default());
    world.declare("t", true);
    let admitted = world.session.admit("(pmap (fn [x] (tool/t {:v x})) [1 2])").unwrap();
    let mut machine = world.session.start(&admitted);
    let mut budget = Budget::new(&Limits::default());
    let Step::Calls(calls) = machine.run(&mut budget) else { panic!() };
    machine.resume(&calls[1].id, Ok(Value::from(2)));
    machine.resume(&calls[1].id, Ok(Value::from(3)));
    assert!(matches!(machine.run(&mut budget), Step::Calls(none) if none.is_empty()));
    machine.resume(&calls[0].id, Ok(Value::from(1)));
    machine.resume(&calls[0].id, Err(ToolFailure::new("late")));
    assert!(matches!(machine.run(&mut budget), Step::Done));
    let Outcome::Value(value) = machine.finish().outcome else { panic!() };
    assert_eq!(value.to_string(), "(1 2)");
}

#[test]
fn limits_hold_across_branches() {
    let cases: &[(&str, Limits, &str)] = &[
        (
            "(pmap (fn [x] (loop [i 0] (if (< i 1000) (recur (inc i)) i))) (range 1000))",
            Limits { fuel: 100_000, ..Limits::default() },
            "! fuel-limit the program used up its fuel of 100000 units of work @2:42",
        ),
        (
            "(pmap (fn [x] (apply identity [x])) (range 1000))",
            Limits { fuel: 1500, ..Limits::default() },
            "! fuel-limit the program used up its fuel of 1500 units of work @2:15",
        ),
        (
            "(pmap t (range 6))",
            Limits { tool_calls: 5, ..Limits::default() },
            "! tool-call-limit the program makes more than its limit of 5 tool calls @1:13",
        ),
        (
            "(with-out-str (loop [i 0] (println (range 1000)) (recur (inc i))))",
            Limits { memory: 2 << 20, ..Limits::default() },
            "! memory-limit the program keeps more than its limit of 2097152 bytes of memory @2:36",
        ),
        (
            "(defn f [n] (first (pmap f [(inc n)]))) (f 1)",
            Limits::default(),
            "! call-depth-limit calls nest deeper than the limit of 20000 @2:20",
        ),
        // What waits counts too: no branch alone holds much.
        (
            "(pmap (fn [x] (let [held (vec (range 100000))] (t x) (count held))) (range 200))",
            Limits { memory: 32 << 20, ..Limits::default() },
            "! memory-limit the program keeps more than its limit of 33554432 bytes of memory @2:31",
        ),
    ];
    let mut problems = Vec::new();
    for (source, limits, shown) in cases {
        for slice in [1, 1_000_000] {
            let ran = run(source, limits, slice, &|_| {});
            if ran.shown != *shown {
                problems.push(format!("{source}\nexpected {shown}\nfound    {}", ran.shown));
            }
            // Nothing goes on behind a limit, so no round was handed out.
            assert_eq!((ran.rounds.len(), ran.tool_calls), (0, 0), "{source}");
        }
    }
    assert_no_problems(&problems);
}

#[test]
fn ten_thousand_branches_need_no_more_memory_than_one() {
    let limits = Limits { memory: 2 << 20, ..Limits::default() };
    let source =
        "(reduce + (pmap (fn [x] (reduce + (map (fn [y] (* x y)) (range 100)))) (range 10000)))";
    let ran = run(source, &limits, 1000, &|_| {});
    assert_eq!(ran.shown, format!("=> {}", 4950u64 * (9999 * 10000 / 2)));
}

/// As many branches wait as there are calls.
#[test]
fn every_call_that_the_limit_allows_may_wait_at_once() {
    let ran = in_order("(reduce + (pmap t (range 256)))");
    assert_eq!((ran.shown.as_str(), ran.rounds.len(), ran.rounds[0].len()), ("=> 32640", 1, 256));
}

#[test]
fn an_error_says_which_calls_led_to_it() {
    let mut world = World::without_tools("{}", Limits::default());
    let source = "(defn inner [x] (apply / [1 x])) (defn outer [x] (+ 1 (first (pmap inner [x])))) (pmap outer [0])";
    let problems = world.problems(source);
    assert_eq!(problems[0].trace(), ["inner", "outer"]);
}

/// For functions that share nothing, `pmap` ends as `map` does.
#[test]
fn pmap_ends_as_map_does() {
    let functions = [
        "inc",
        "identity",
        ":a",
        "(fn [x] (t x))",
        "(fn [x] (apply + [x x]))",
        "(fn [x] (t (/ 12 x)))",
        "(fn [x] (/ 12 (t x)))",
        "(fn [x] (if (= x 3) (t :boom) (t (t x))))",
        "(fn [x] (when (= x 2) (throw (ex-info \"two\" {:x x}))) (t x) (/ 1 (- x 3)))",
        "(fn [x] (try (/ 12 (t x)) (catch Exception e (t (ex-message e))) (finally (t :end))))",
        "(fn [x] (reduce (fn [a y] (+ a (t y))) 0 (range x)))",
        "(fn [x] (pmap (fn [y] (/ 12 (t (- y x)))) (range 1 4)))",
        "(fn [x] (if (= x 3) (return (t x)) x))",
        "(fn [x] (loop [n x] (if (pos? n) (recur (dec (t n))) (fail {:x x}))))",
        "(fn [x y] x)",
        "5",
    ];
    let inputs = ["[]", "[1]", "[1 2 3]", "[3 2 1 0]", "[0 3 2]", "[2 2 nil 1]", "(range 1 9)"];
    let mut problems = Vec::new();
    for function in functions {
        for input in inputs {
            let ended =
                |head: &str| in_order(&format!("({head} {function} (second [0 {input}]))")).shown;
            let (one, other) = (ended("pmap"), ended(" map"));
            // What ends the program at once may do so before an earlier item fails.
            let at_once = |shown: &str| shown.starts_with("return") || shown.starts_with("fail");
            if one != other && !at_once(&one) {
                problems.push(format!("{function} {input}\npmap {one}\nmap  {other}"));
            }
        }
    }
    assert_no_problems(&problems);
}

/// A host that answers at once, all calls or some of a round, changes nothing that a program does.
#[test]
fn it_does_not_matter_which_calls_the_host_answers_at_once() {
    type Which = fn(&ToolCall) -> bool;
    let which: [(&str, Which); 3] = [
        ("all", |_| true),
        ("those of even branches", |call| call.id.to_string().contains(".0.")),
        ("the first of a line", |call| call.id.to_string().ends_with('0')),
    ];
    for (source, ..) in CASES {
        let driven = in_order(source);
        for (name, at_once) in which {
            for slice in [1, 100_000] {
                let limits = Limits::default();
                let hosted = run_hosted(source, &limits, slice, &|_| {}, &at_once);
                let handed_out: usize = hosted.rounds.iter().map(Vec::len).sum();
                assert!(name != "all" || handed_out == 0, "{source}: {:?}", hosted.rounds);
                let hosted = Ran { rounds: driven.rounds.clone(), ..hosted };
                assert_eq!(hosted, driven, "{source}: the host answers {name}");
            }
        }
    }
}
