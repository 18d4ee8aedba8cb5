//! Tests of `pmap` and its kin: concurrent calls, and results that no order of answers changes.

use std::collections::BTreeSet;

use ptc_lisp::{Budget, Limits, Outcome, ToolCall, ToolFailure, Value, Yielded};
use ptc_tests::{World, assert_no_problems};

/// The outcome of a program.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Ran {
    shown: String,
    prints: Vec<String>,
    memory: String,
    fuel: u64,
    tool_calls: u32,
    ids: BTreeSet<String>,
    /// The calls of each step, each as `id value`.
    handed_out: Vec<Vec<String>>,
    /// The calls in the order of their answers.
    answered: Vec<String>,
    /// Whether several calls were answered before the program continued.
    came_together: bool,
    /// The number of calls given up.
    given_up: usize,
}

/// The parts of an outcome that the order of answers must not change; fuel and ids if asked for.
type Invariants<'r> = (&'r str, &'r [String], &'r str, Option<(u64, &'r BTreeSet<String>)>);

impl Ran {
    /// Returns those parts. Where branches are given up, fuel and ids depend on the order.
    fn invariants(&self, with_work: bool) -> Invariants<'_> {
        let work = with_work.then_some((self.fuel, &self.ids));
        (&self.shown, &self.prints, &self.memory, work)
    }
}

/// An order of answers. It takes the calls in flight, in the order in which they were handed out,
/// and removes those that are answered before the program continues.
type Order<'o> = dyn FnMut(&mut Vec<ToolCall>) -> Vec<ToolCall> + 'o;

/// Runs a program whose tool `t` returns its `:v`, and fails for `:boom`.
fn run(source: &str, limits: &Limits, slice: u64, order: &mut Order<'_>) -> Ran {
    run_hosted(source, limits, slice, order, &|_| false)
}

/// Runs a program with a host that answers some calls at once. Those calls are not handed out.
fn run_hosted(
    source: &str,
    limits: &Limits,
    slice: u64,
    order: &mut Order<'_>,
    at_once: &dyn Fn(&ToolCall) -> bool,
) -> Ran {
    let value = |call: &ToolCall| call.args.get("v").cloned().unwrap_or_default();
    let answer = |call: &ToolCall| match value(call) {
        value if value == Value::keyword("boom") => Err(ToolFailure::new("the service is down")),
        value => Ok(value),
    };
    let (mut asked, mut answered_at_once) = (BTreeSet::new(), BTreeSet::new());
    let mut host = |call: &ToolCall| {
        assert!(asked.insert(call.id.to_string()), "the host is asked about {} twice", call.id);
        if !at_once(call) {
            return None;
        }
        answered_at_once.insert(call.id.to_string());
        Some(answer(call))
    };
    let mut world = World::without_tools("{}", limits.clone());
    world.declare("t", true);
    let source = format!("(defn t [x] (call \"t\" {{:v x}}))\n{source}");
    let admitted = world.session.admit(&source).unwrap_or_else(|problem| panic!("{problem}"));
    let mut machine = world.session.start(&admitted);
    let mut budget = Budget::new(limits);
    budget.slice = slice;
    let (mut handed_out, mut answered, mut in_flight) = (Vec::new(), Vec::new(), Vec::new());
    let (mut came_together, mut given_up) = (false, 0);
    loop {
        let step = machine.run_with(&mut budget, &mut host);
        for id in machine.given_up() {
            let before = in_flight.len();
            in_flight.retain(|call: &ToolCall| call.id != id);
            assert_eq!(in_flight.len() + 1, before, "{source}: {id} is not in flight");
            given_up += 1;
        }
        match step {
            Yielded::Done => break,
            Yielded::SliceUsed => {}
            Yielded::Calls(calls) => {
                if !calls.is_empty() {
                    let shown = calls.iter().map(|it| format!("{} {}", it.id, value(it)));
                    handed_out.push(shown.collect());
                }
                in_flight.extend(calls);
                assert!(!in_flight.is_empty(), "{source}: waits for nothing");
                let calls = order(&mut in_flight);
                assert!(!calls.is_empty(), "{source}: {in_flight:?} wait");
                came_together |= calls.len() > 1;
                for call in calls {
                    answered.push(call.id.to_string());
                    machine.resume(&call.id, answer(&call));
                }
            }
        }
    }
    assert!(in_flight.is_empty(), "{source}: is over, and calls are in flight");
    let ended = machine.finish();
    let shown = match &ended.outcome {
        Outcome::Value(value) => format!("=> {value}"),
        Outcome::Return(value) | Outcome::Continue(value) => format!("return {value}"),
        Outcome::Fail(failure) => format!("fail {}", failure.details),
        Outcome::Error(problem) => {
            let place = problem.to_json();
            let text = format!("! {} {}", problem.code(), problem.message());
            format!("{text} @{}:{}", place["line"], place["column"])
        }
    };
    let memory = ended.memory().to_string();
    let (prints, fuel, tool_calls) = (ended.prints, ended.fuel, ended.tool_calls);
    assert_eq!(budget.tool_calls + tool_calls, limits.tool_calls, "{source}");
    let mut ids = answered_at_once;
    ids.extend(handed_out.iter().flatten().map(|call: &String| id_of(call).to_owned()));
    assert_eq!(ids.len(), tool_calls as usize, "{source}");
    Ran {
        shown,
        prints,
        memory,
        fuel,
        tool_calls,
        ids,
        handed_out,
        answered,
        came_together,
        given_up,
    }
}

fn id_of(call: &str) -> &str {
    call.split(' ').next().unwrap()
}

/// Answers all calls in flight before the program continues.
fn together(in_flight: &mut Vec<ToolCall>) -> Vec<ToolCall> {
    std::mem::take(in_flight)
}

fn in_order(source: &str) -> Ran {
    run(source, &Limits::default(), 100_000, &mut together)
}

/// A program, the calls of each step if all in flight are answered together, and the outcome.
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
    // A branch with fewer calls ends earlier, and the others do not wait for it.
    (
        "(pmap (fn [n] (reduce + (map t (range n)))) [2 0 3])",
        &[&["0.0.0 0", "0.2.0 0"], &["0.0.1 1", "0.2.1 1"], &["0.2.2 2"]],
        "=> (1 0 3)",
    ),
    ("(pcalls (fn [] (t 1)) (fn [] 2) (fn [] (t 3)))", &[&["0.0.0 1", "0.2.0 3"]], "=> (1 2 3)"),
    ("(pcalls)", &[], "=> ()"),
    ("(pvalues (t 1) (+ 1 1) (t 3))", &[&["0.0.0 1", "0.2.0 3"]], "=> (1 2 3)"),
    // Calls and forks of one task share one numbering.
    (
        "[(t 0) (pmap t [1 2]) (t 3) (pmap t [4])]",
        &[&["0 0"], &["1.0.0 1", "1.1.0 2"], &["2 3"], &["3.0.0 4"]],
        "=> [0 (1 2) 3 (4)]",
    ),
    // Nested forks.
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
    // Forks inside a callback.
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
    // The first error in the order of the items counts, whichever branch fails first.
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
    // Any branch can end the program. The end waits for the branches before it.
    ("(pmap (fn [x] (if (= x 2) (return :out) (t x))) [1 2 3])", &[&["0.0.0 1"]], "return :out"),
    (
        "(pmap (fn [x] (t x) (if (= x 2) (fail {:reason :no}) (t x))) [1 2 3])",
        &[&["0.0.0 1", "0.1.0 2", "0.2.0 3"], &["0.0.1 1"]],
        "fail {:reason :no}",
    ),
    ("(pmap (fn [x] (pmap (fn [y] (return y)) [x])) [1 2])", &[], "return 1"),
    // Branches change shared atoms in the order of the program.
    (
        "(let [seen (atom [])] (pmap (fn [x] (swap! seen conj x) (swap! seen conj (t (- x)))) [1 2]) @seen)",
        &[&["0.0.0 -1", "0.1.0 -2"]],
        "=> [1 2 -1 -2]",
    ),
    // A function that waited while another branch changed the atom is called again.
    (
        "(let [a (atom {:n 0})] [(pmap (fn [x] (swap! a update :n (fn [v] (+ v (t x))))) [1 10]) @a])",
        &[&["0.0.0 1", "0.1.0 10"], &["0.1.1 10"]],
        "=> [({:n 1} {:n 11}) {:n 11}]",
    ),
    // A delay is computed once, also if another branch asks meanwhile.
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
            // The branch that computed the delay was given up.
            &["0.0.1 5"],
            &["0.0.2 6"],
        ],
        "! divide-by-zero `/` divides by zero @2:80",
    ),
    (
        "(def a (delay (t 1) (force b))) (def b (delay (t 2) @a)) (pmap force [a b])",
        &[&["0.0.0 1", "0.1.0 2"]],
        "! unsupported a delay or a lazy sequence needs its own value to compute it @2:21",
    ),
    // An item of a lazy sequence is realized once, whichever branch asks first.
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
    // Printed text belongs to its branch.
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
        "(do (pmap (fn [x] (memory/put :last (quot (t x) 9))) [1 2 3]) memory/last)",
        &[&["0.0.0 1", "0.1.0 2", "0.2.0 3"]],
        "=> 0",
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
    for (source, handed_out, shown) in CASES {
        let ran = in_order(source);
        if ran.shown != *shown || ran.handed_out != *handed_out {
            problems.push(format!(
                "{source}\nexpected {shown} {handed_out:?}\nfound    {} {:?}",
                ran.shown, ran.handed_out
            ));
        }
    }
    assert_no_problems(&problems);
}

/// Programs whose branches print, write memory, draw random numbers, fail and return.
const MORE: &[&str] = &[
    "(pmap t [1 :boom 2 3])",
    "(pmap (fn [x] (t x) (t :end)) [1 :boom 2 :boom])",
    "(pmap (fn [x] (try (t x) (catch Exception e :no))) [1 :boom 2])",
    "(try (pmap (fn [x] (println x) (t x) (println :behind x) (t x)) [1 :boom 2]) (catch Exception e (t :caught)))",
    "(pmap (fn [xs] (pmap (fn [x] (println x) (t x) (println :and x)) xs)) [[1 2] [3 :boom 4] [5 6]])",
    "(pmap (fn [xs] (try (pmap t xs) (catch Exception e (t :caught)))) [[1 2] [3 :boom 4] [5]])",
    "(pmap (fn [xs] (try (pmap t xs) (finally (println :end)))) [[1 2] [3 :boom 4] [5]])",
    "(pmap (fn [x] (with-out-str (print (t x)))) [1 :boom 2])",
    "(pcalls (fn [] (t 1)) (fn [] (t :boom)) (fn [] (pmap t [1 2])))",
    // Prints before, between and after calls.
    "(do (println :first)
         (pmap (fn [x] (println :a x) (t x) (println :b x) (t x) (println :c x)) [1 2 3])
         (println :last))",
    "(with-out-str (println :first)
       (pmap (fn [x] (println :a x) (t x) (println :b x (with-out-str (print (t x))))) [1 2])
       (println :last))",
    "(pmap (fn [x] (println x) (pmap (fn [y] (println x y) (t y) (println :end x y)) [1 2]) (t x) (println :out x)) [1 2])",
    // Memory is written in the order of the items, and a branch does not see the writes of others
    // meanwhile.
    "(do (memory/put :n 1)
         [(pmap (fn [x] (memory/put x (t x)) (memory/put :n (+ (memory/get :n) (t 5))) (memory/get :n)) [:a :b])
          (memory/get :n)])",
    "(do (memory/put :n 1)
         [(pmap (fn [x] (memory/put x (t x)) (memory/put :n (+ (memory/get :n) (t 1))) (memory/get :n)) [:a :b :c])
          (memory/get :n)])",
    "(do (try (pmap (fn [x] (memory/put x 1) (t x) (memory/put [x] 1)) [1 :boom 2]) (catch Exception e nil)) 5)",
    "(do (try (pmap (fn [x] (memory/put (str x) 1) (t x) (memory/put (str x x) 1)) [1 :boom 2]) (catch Exception e nil)) 5)",
    // Random numbers.
    "(pmap (fn [x] [(rand-int 1000) (t x) (rand-int 1000) (t (rand-int 9)) (rand-int 1000)]) [1 2 3])",
    "[(pmap (fn [x] (t x) (with-out-str (print (rand-int 1000)))) [1 2]) (rand-int 1000)]",
    // The end of the program waits for the branches before it.
    "(pmap (fn [x] (println :in x) (t x) (println :out x) (when (= x 2) (return :two)) (t x)) [1 2 3])",
    "(pmap (fn [x] (t x) (t x) (when (= x 1) (return :one))) [0 1 2])",
    "(pmap (fn [x] (t x) (case x 0 (fail {:reason :zero}) 1 (return :one) x)) [0 1 2])",
    "(pmap (fn [x] (t x) (case x 0 (/ 1 0) 1 (return :one) x)) [0 1 2])",
    "(try (pmap (fn [x] (t x) (case x 0 (/ 1 0) 1 (return :one) x)) [0 1 2]) (catch Exception e (t :caught)))",
    "(pmap (fn [x] (pmap (fn [y] (t y) (when (= x y) (return [x y]))) [1 2])) [1 2])",
    "(pmap (fn [x] (try (with-out-str (t x) (when (= x 1) (return :out))) (finally (println :never)))) [0 1])",
    // A limit of one branch ends the program like an uncaught error.
    "(pmap (fn [x] (t x) (if (= x 1) (reduce (fn [a _] [a]) [] (range 1000)) (t x))) [0 1 2])",
    "(do (defn deep [n] (+ 1 (deep n))) (pmap (fn [x] (t x) (if (= x 1) (try (deep 1) (catch Exception e 0)) (return (t x)))) [0 1 2]))",
    // Long texts, some with a cached character index.
    "(let [text (apply str (repeat 3000 \"é\"))]
       [(pmap (fn [x] [(subs text x (+ x 2)) (t x) (subs text x (+ x 2))]) [1 2 3]) (count text)])",
    // One branch computes the delay, and all of them read it.
    "(let [d (delay (reduce + (range 100)))] (pmap (fn [x] (t x) (+ x @d)) [1 2 3]))",
];

/// Programs whose branches share delays, lazy sequences or atoms that call tools, print or draw
/// random numbers.
const SHARED: &[&str] = &[
    "(let [log (atom [])
          note (fn [& xs] (swap! log conj (vec xs)) (println xs))]
      (pmap (fn [x]
              (note :start x)
              (let [a (t x) b (pmap (fn [y] (note x y) (memory/put :last [x y]) (t (* x y))) [1 2])]
                (note :end x a (vec b))))
            [1 2])
      [@log memory/last])",
    "(let [a (atom 0)] [(pmap (fn [x] (t x) (swap! a (fn [v] (+ (* 2 v) (t x))))) [1 2 3]) @a])",
    "(let [d (delay (println :once) (t 5) (t 6))] (pmap (fn [x] (t x) (println x) (+ x @d)) [1 2 3]))",
    "(let [d (delay (t 5) (t 6))] (pmap (fn [x] (case x 0 (do (t 0) @d) 1 (do (t 1) (t :boom)) @d)) [0 1 2]))",
    "(let [d (delay (rand-int 1000))] (pmap (fn [x] (t x) [@d (rand-int 1000)]) [1 2 3]))",
    "(let [xs (map (fn [x] (t x)) (range))] (pmap (fn [n] (t n) (nth xs n)) [1 0 2]))",
    "(let [stop (atom false)] (pmap (fn [x] (t x) (if @stop (return x) (reset! stop true)) (t x)) [1 2 3]))",
];

/// Returns whether branches share an atom, a delay or a lazy sequence.
fn shares(source: &str) -> bool {
    let marks = ["(atom", "(delay (swap!", "(delay (t", "(lazy-seq", "(t x)) (range))"];
    SHARED.contains(&source) || marks.iter().any(|mark| source.contains(mark))
}

/// Runs a program with every order of single answers, up to `most` orders, and then with `most`
/// random orders.
fn every_order(source: &str, most: usize, mut check: impl FnMut(Ran)) {
    let slices = [1_000_000, 1, 7];
    // At every answer, the chosen call and the number of choices.
    let mut chosen: Vec<(usize, usize)> = Vec::new();
    for number in 0..most {
        let mut at = 0;
        let mut order = |in_flight: &mut Vec<ToolCall>| {
            if at == chosen.len() {
                chosen.push((0, in_flight.len()));
            }
            assert_eq!(chosen[at].1, in_flight.len(), "{source}: goes the same way");
            at += 1;
            vec![in_flight.remove(chosen[at - 1].0)]
        };
        check(run(source, &Limits::default(), slices[number % 3], &mut order));
        while chosen.pop_if(|(choice, of)| *choice + 1 == *of).is_some() {}
        match chosen.last_mut() {
            Some((choice, _)) => *choice += 1,
            None => return,
        }
    }
    let mut random = 1u64;
    for number in 0..most {
        let mut order = |in_flight: &mut Vec<ToolCall>| {
            random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            let count = 1 + (random >> 61) as usize % in_flight.len().min(3);
            let next = |_| in_flight.remove((random >> 33) as usize % in_flight.len());
            (0..count).map(next).collect()
        };
        check(run(source, &Limits::default(), slices[number % 3], &mut order));
    }
}

/// Value, prints and memory are equal under every order of answers. So are fuel and the ids of
/// calls, unless branches are given up.
#[test]
fn nothing_depends_on_the_order_of_answers() {
    let mut problems = Vec::new();
    let programs = CASES.iter().map(|(source, ..)| *source).chain(MORE.iter().copied());
    for source in programs.filter(|source| !shares(source)) {
        let mut runs = vec![in_order(source)];
        every_order(source, 150, |ran| runs.push(ran));
        let gives_up = source.contains("(try (pmap")
            || runs.iter().any(|ran| ran.given_up > 0 || !ran.shown.starts_with("=>"));
        let odd =
            runs.iter().find(|ran| ran.invariants(!gives_up) != runs[0].invariants(!gives_up));
        if let Some(odd) = odd {
            problems.push(format!("{source}\nfirst {:?}\nthen  {odd:?}", runs[0]));
        }
    }
    assert_no_problems(&problems);
}

/// Where branches share an atom, the result depends on the order of answers. The same order always
/// gives the same result.
#[test]
fn the_same_order_of_answers_gives_the_same() {
    let mut problems = Vec::new();
    let programs = CASES.iter().map(|(source, ..)| *source).chain(MORE.iter().copied());
    for source in programs.chain(SHARED.iter().copied()) {
        every_order(source, 40, |ran| {
            for (slice, at_a_time) in [(1, 1), (1_000_000, 1), (7, 2)] {
                let mut left = ran.answered.iter();
                let mut order = |in_flight: &mut Vec<ToolCall>| {
                    let mut calls = Vec::new();
                    while calls.len() < at_a_time
                        && let Some(id) = left.as_slice().first()
                    {
                        let is_it = |call: &ToolCall| call.id.to_string() == *id;
                        match in_flight.iter().position(is_it) {
                            Some(at) => calls.push(in_flight.remove(at)),
                            // The call is made only after the earlier ones are answered.
                            None if !calls.is_empty() => break,
                            // The call was answered together with one that gave it up.
                            None => {}
                        }
                        left.next();
                    }
                    calls
                };
                let again = run(source, &Limits::default(), slice, &mut order);
                // If answers came together, a given-up call may or may not have been made.
                let with_work = !ran.came_together && at_a_time == 1;
                if again.invariants(with_work) != ran.invariants(with_work) {
                    problems.push(format!("{source}\nfirst {ran:?}\nagain {again:?}"));
                }
            }
        });
    }
    assert_no_problems(&problems);
}

/// A branch continues as soon as its own call is answered.
#[test]
fn a_branch_does_not_wait_for_the_calls_of_others() {
    let source = "(pmap (fn [x] (t x) (t [x]) (t [[x]])) [1 2])";
    let mut last = |in_flight: &mut Vec<ToolCall>| vec![in_flight.pop().unwrap()];
    let ran = run(source, &Limits::default(), 100_000, &mut last);
    let handed_out: &[&[&str]] = &[
        &["0.0.0 1", "0.1.0 2"],
        &["0.1.1 [2]"],
        &["0.1.2 [[2]]"],
        &["0.0.1 [1]"],
        &["0.0.2 [[1]]"],
    ];
    assert_eq!((ran.shown.as_str(), ran.fuel), ("=> ([[1]] [[2]])", in_order(source).fuel));
    assert_eq!(ran.handed_out, handed_out);
}

/// The machine reports the calls of a given-up branch at once.
#[test]
fn calls_of_given_up_branches_are_reported() {
    let cases: &[(&str, &str, &[usize], usize)] = &[
        // A tool failure, an error of the program, the end of the program, and a limit.
        ("(pmap t [1 :boom 2 3])", "! tool-failed", &[1, 0], 2),
        (
            "(pmap (fn [x] (t x) (/ 1 (- x 2)) (t x)) [1 2 3 4])",
            "! divide-by-zero",
            &[3, 1, 0, 0],
            2,
        ),
        (
            "(pmap (fn [x] (t x) (when (= x 2) (return :two)) (t x)) [1 2 3])",
            "return :two",
            &[1, 0, 0],
            1,
        ),
        ("(pmap (fn [x] (pmap (fn [y] (t y) (return y)) [1 2])) [1 2])", "return 1", &[0], 3),
        ("(pmap (fn [x] (t x) (when (= x 2) (loop [] (recur)))) [1 2 3])", "! fuel-limit", &[1], 2),
    ];
    for (source, shown, choices, given_up) in cases {
        let mut choices = choices.iter();
        let mut order =
            |in_flight: &mut Vec<ToolCall>| vec![in_flight.remove(*choices.next().unwrap())];
        let limits = Limits { fuel: 10_000, ..Limits::default() };
        let ran = run(source, &limits, 100_000, &mut order);
        assert!(ran.shown.starts_with(shown), "{source}: {}", ran.shown);
        assert_eq!(ran.given_up, *given_up, "{source}");
    }
}

/// The order of answers determines where a shared limit is reached. Text printed before it is kept.
#[test]
fn prints_before_a_shared_limit_are_in_program_order() {
    let source = "(do (println :begin)
      (pmap (fn [x] (println :a x) (t x) (println :b x)
              (if (= x 2) (loop [] (recur)) (pmap (fn [y] (println x y) (t y)) [1 2])))
            [1 2 3]))";
    let limits = Limits { fuel: 10_000, ..Limits::default() };
    let mut turns = [2, 0, 0].into_iter();
    let mut order = |in_flight: &mut Vec<ToolCall>| vec![in_flight.remove(turns.next().unwrap())];
    let ran = run(source, &limits, 100_000, &mut order);
    assert!(ran.shown.starts_with("! fuel-limit"), "{}", ran.shown);
    let prints =
        [":begin", ":a 1", ":b 1", "1 1", "1 2", ":a 2", ":b 2", ":a 3", ":b 3", "3 1", "3 2"];
    assert_eq!(ran.prints, prints);
}

/// The prints of branches are cut where they would be cut without branches.
#[test]
fn the_limit_of_prints_holds_in_the_order_of_the_program() {
    let limits = Limits { print_bytes: 20, ..Limits::default() };
    for source in [
        "(pmap (fn [x] (t x) (println \"123456789\" x) (t x) (println x)) [1 2 3])",
        "(pmap (fn [x] (println \"1234567890123456789012345\") (t x) (println x)) [1 2 3])",
    ] {
        let whole = run(source, &limits, 100_000, &mut together);
        let mut last = |in_flight: &mut Vec<ToolCall>| vec![in_flight.pop().unwrap()];
        let other = run(source, &limits, 100_000, &mut last);
        assert_eq!(other.invariants(true), whole.invariants(true), "{source}");
        assert_eq!(whole.prints.last().unwrap(), "… (printed text is kept up to 20 bytes)");
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
fn prints_are_in_the_order_of_branches() {
    let ran = in_order("(pmap (fn [x] (println :a x) (t x) (println :b x)) [1 2])");
    assert_eq!(ran.prints, [":a 1", ":b 1", ":a 2", ":b 2"]);
}

#[test]
fn an_answer_to_a_given_up_branch_is_ignored() {
    let mut world = World::without_tools("{}", Limits::default());
    world.declare("t", true);
    let admitted = world.session.admit("(pmap (fn [x] (tool/t {:v x})) [1 2])").unwrap();
    let mut machine = world.session.start(&admitted);
    let mut budget = Budget::new(&Limits::default());
    let Yielded::Calls(calls) = machine.run(&mut budget) else { panic!() };
    machine.resume(&calls[1].id, Ok(Value::from(2)));
    machine.resume(&calls[1].id, Ok(Value::from(3)));
    assert!(matches!(machine.run(&mut budget), Yielded::Calls(none) if none.is_empty()));
    machine.resume(&calls[0].id, Ok(Value::from(1)));
    machine.resume(&calls[0].id, Err(ToolFailure::new("late")));
    assert!(matches!(machine.run(&mut budget), Yielded::Done));
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
            "! memory-limit the program keeps more than its limit of 2097152 bytes of memory @2:27",
        ),
        (
            "(defn f [n] (first (pmap f [(inc n)]))) (f 1)",
            Limits::default(),
            "! call-depth-limit calls nest deeper than the limit of 20000 @2:20",
        ),
        // The values of waiting branches count too; no single branch has much.
        (
            "(pmap (fn [x] (let [held (vec (range 100000))] (t x) (count held))) (range 200))",
            Limits { memory: 32 << 20, ..Limits::default() },
            "! memory-limit the program keeps more than its limit of 33554432 bytes of memory @2:26",
        ),
    ];
    let mut problems = Vec::new();
    for (source, limits, shown) in cases {
        for slice in [1, 1_000_000] {
            let ran = run(source, limits, slice, &mut together);
            if ran.shown != *shown {
                problems.push(format!("{source}\nexpected {shown}\nfound    {}", ran.shown));
            }
            // Nothing continues after a limit, so no call was handed out.
            assert_eq!((ran.handed_out.len(), ran.tool_calls), (0, 0), "{source}");
        }
    }
    assert_no_problems(&problems);
}

#[test]
fn ten_thousand_branches_need_no_more_memory_than_one() {
    let limits = Limits { memory: 2 << 20, ..Limits::default() };
    let source =
        "(reduce + (pmap (fn [x] (reduce + (map (fn [y] (* x y)) (range 100)))) (range 10000)))";
    let ran = run(source, &limits, 1000, &mut together);
    assert_eq!(ran.shown, format!("=> {}", 4950u64 * (9999 * 10000 / 2)));
}

/// All branches wait at once.
#[test]
fn every_call_that_the_limit_allows_may_wait_at_once() {
    let ran = in_order("(reduce + (pmap t (range 256)))");
    let lengths: Vec<usize> = ran.handed_out.iter().map(Vec::len).collect();
    assert_eq!((ran.shown.as_str(), lengths), ("=> 32640", vec![256]));
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
            if one != other {
                problems.push(format!("{function} {input}\npmap {one}\nmap  {other}"));
            }
        }
    }
    assert_no_problems(&problems);
}

/// If branches share nothing, a host that answers some or all calls at once changes nothing.
#[test]
fn results_do_not_depend_on_which_calls_the_host_answers() {
    type Which = fn(&ToolCall) -> bool;
    let which: [(&str, Which); 3] = [
        ("all", |_| true),
        ("those of even branches", |call| call.id.to_string().contains(".0.")),
        ("the first of a line", |call| call.id.to_string().ends_with('0')),
    ];
    let programs = CASES.iter().map(|(source, ..)| *source).chain(MORE.iter().copied());
    for source in programs.chain(SHARED.iter().copied()) {
        let driven = in_order(source);
        for (name, at_once) in which {
            for slice in [1, 100_000] {
                let limits = Limits::default();
                let hosted = run_hosted(source, &limits, slice, &mut together, &at_once);
                let handed_out = hosted.handed_out.len();
                assert!(name != "all" || handed_out == 0, "{source}: {:?}", hosted.handed_out);
                if name == "all" || !shares(source) {
                    let is_whole = driven.shown.starts_with("=>") && !source.contains("(try (pmap");
                    let with_work = is_whole && hosted.given_up + driven.given_up == 0;
                    let context = format!("{source}: the host answers {name}");
                    assert_eq!(
                        hosted.invariants(with_work),
                        driven.invariants(with_work),
                        "{context}"
                    );
                }
            }
        }
    }
}
