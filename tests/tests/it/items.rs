//! Tests of callbacks and of functions called with integers. The machine has fast paths for both,
//! and no result depends on the path.

use std::cell::RefCell;
use std::collections::BTreeSet;

use ptc_lisp::debug::Debugger;
use ptc_lisp::{
    Budget, Effect, Ended, Limits, Outcome, Session, ToolCall, ToolDecl, ToolFailure, Value,
    Yielded,
};
use ptc_tests::assert_no_problems;

/// Programs with their outcomes. The tool `t` returns its `:v`, and fails for `:boom`.
const CASES: &[(&str, &str)] = &[
    ("(map t [1 2 3])", "=> (1 2 3)"),
    ("(reduce + (map #(tool/t {:v %}) (range 5)))", "=> 10"),
    ("(mapv (fn [x] (tool/t {:v x})) [1 [2] \"three\" nil])", "=> [1 [2] \"three\" nil]"),
    // Captured values, including the function itself.
    ("(let [k 10] (map (fn [x] (tool/t {:v (+ x k)})) [1 2]))", "=> (11 12)"),
    (
        "(map (fn down [n] (if (zero? n) [] (conj (down (dec n)) (t n)))) [2 0 1])",
        "=> ([1 2] [] [1])",
    ),
    // Values of one item do not reach the next.
    ("(map (fn [x] (when (odd? x) (let [y (t x)] y))) [1 2 3])", "=> (1 nil 3)"),
    ("(map (fn [x] (let [y (if (= x 1) (t [x]) nil)] (conj y x))) [1 2])", "=> ([1 1] (2))"),
    ("(map (fn [x] (loop [x x] (if (< x 3) (recur (inc x)) (t x)))) [1 7])", "=> (3 7)"),
    (
        "(map (fn [a & more] (if (and (pos? a) (nil? more)) (recur 0 5) (t [a more]))) [1 0 2])",
        "=> ([0 5] [0 nil] [0 5])",
    ),
    // All kinds of builtins and parameters.
    ("(map-indexed (fn [i x] (t [i x])) [:a :b])", "=> ([0 :a] [1 :b])"),
    ("(map (fn [x & more] (t [x more])) [1 2])", "=> ([1 nil] [2 nil])"),
    ("(map (fn [a b] (t (+ a b))) [1 2] [10 20 30])", "=> (11 22)"),
    ("(map (fn ([a] (t a)) ([a b] (t [a b]))) [1 2])", "=> (1 2)"),
    ("(filter (fn [x] (t (odd? x))) [1 2 3])", "=> (1 3)"),
    ("(remove (fn [x] (t (odd? x))) [1 2 3])", "=> (2)"),
    ("(keep (fn [x] (t (when (odd? x) x))) [1 2 3])", "=> (1 3)"),
    ("(group-by (fn [x] (t (odd? x))) [1 2 3])", "=> {true [1 3], false [2]}"),
    ("(sort-by (fn [x] (t (- x))) [1 3 2])", "=> (3 2 1)"),
    ("(take-while (fn [x] (t (< x 3))) [1 2 3 1])", "=> (1 2)"),
    ("(some (fn [x] (t (when (> x 1) x))) [1 2 3])", "=> 2"),
    ("(every? (fn [x] (t (< x 2))) [1 2 3])", "=> false"),
    ("(run! (fn [x] (println (t x))) [1 2])", "=> nil [\"1\", \"2\"]"),
    ("(reduce (fn [a x] (+ a (t x))) [1 2 3])", "=> 6"),
    ("(reduce (fn [a x] (if (> x 2) (reduced a) (+ a (t x)))) 0 [1 2 3 4])", "=> 3"),
    ("(reductions (fn [a x] (+ a (t x))) [1 2 3])", "=> (1 3 6)"),
    ("(reduce-kv (fn [a k v] (conj a (t [k v]))) [] {:a 1 :b 2})", "=> [[:a 1] [:b 2]]"),
    ("(mapcat (fn [x] (map (fn [y] (t [x y])) [1 2])) [1 2])", "=> ([1 1] [1 2] [2 1] [2 2])"),
    ("(map (fn [x] (reduce + (map (fn [y] (t (* x y))) [1 2]))) [1 2])", "=> (3 6)"),
    // An accumulator is changed in place.
    ("(count (reduce (fn [v x] (conj v (t x))) [] (range 40)))", "=> 40"),
    ("(let [v [1 2]] [(map (fn [x] (conj v (t x))) [3 4]) v])", "=> [([1 2 3] [1 2 4]) [1 2]]"),
    // Arguments of calls: the same number as in the last call, more, fewer, with other names, with
    // the same value.
    ("(map (fn [x] (tool/t (if (odd? x) {:v x} {:v x :w x :u x}))) [1 2 3])", "=> (1 2 3)"),
    ("(map (fn [x] (:w (tool/t {:v {:w x}}))) [1 2])", "=> (1 2)"),
    (
        "(let [all (map (fn [x] {:v x :w [x]}) [1 2])] [(map t all) all])",
        "=> [({:v 1, :w [1]} {:v 2, :w [2]}) ({:v 1, :w [1]} {:v 2, :w [2]})]",
    ),
    (
        "(map (fn [x] (let [args {:v x}] [(call \"t\" args) args])) [1 2])",
        "=> ([1 {:v 1}] [2 {:v 2}])",
    ),
    ("(map (fn [x] (do (tool/t {:v [x]}) {:w x})) [1 2])", "=> ({:w 1} {:w 2})"),
    ("(map (fn [x] [(tool/t {:v x}) (tool/u {:v x})]) [1 2])", "=> ([1 1] [2 2])"),
    ("(map (fn [x] (tool/t {\"v\" x})) [1 2])", "=> (1 2)"),
    ("(map (fn [x] (keys (tool/t {:v {:a x :b x}}))) [1 2])", "=> ((:a :b) (:a :b))"),
    ("(map (fn [x] (call \"t\" x)) [{:v 1} {:v 2}])", "=> (1 2)"),
    // Arguments that replace those of the last call: values of every kind, constants, one value twice, calls in
    // loops, branches and steps.
    (
        "(map (fn [x] (tool/t {:v x})) [1 nil true 2.5 \"x\" :k [1 [2]] {:a 1} #{1} '(1) 12345678901234567890 3])",
        "=> (1 nil true 2.5 \"x\" :k [1 [2]] {:a 1} #{1} (1) 12345678901234567890N 3)",
    ),
    ("(map (fn [x] (tool/t {:v x :w \"w\" :u nil :k [1]})) [1 2])", "=> (1 2)"),
    ("(map (fn [x] (tool/t {:w x :v x})) [[1] [2]])", "=> ([1] [2])"),
    ("(map (fn [x] (tool/t {:v (inc x) :w {:v x}})) [1 2])", "=> (2 3)"),
    ("(map (fn [x] (tool/t {:v (:n x) :w (str x)})) [{:n 1} {:n 2} {:n nil}])", "=> (1 2 nil)"),
    ("(map (fn [x] (tool/t {:w (str x) :v (/ 6 x)})) [1 2 0])", "! divide-by-zero"),
    ("(map (fn [x] (tool/t {:v [(inc x)] :w (str x)})) [1 2])", "=> ([2] [3])"),
    ("(map (fn [x] (tool/t {:v (tool/u {:v (inc x)}) :w (dec x)})) [1 2])", "=> (2 3)"),
    ("(map (fn [_] (tool/t {})) [1 2])", "=> (nil nil)"),
    ("(map (fn [x] (tool/t {:v x})) [1 ##NaN])", "! not-json"),
    ("(map (fn [x] (tool/t {:v x})) [1 ##Inf])", "! not-json"),
    ("(map (fn [x] (tool/t {:v x})) [1 inc])", "! not-json"),
    ("(map (fn [x] (tool/t {:v x})) [1 [inc]])", "! not-json"),
    (
        "(map (fn [x] (tool/t {:v (apply str (repeat x \"\\n\"))})) [1 2])",
        "=> (\"\\n\" \"\\n\\n\")",
    ),
    (
        "(map (fn [x] (count (tool/t {:v x}))) [\"a\" \"longer than one\" \"\\u0000\\u0001\"])",
        "=> (1 15 2)",
    ),
    ("(loop [i 0 a []] (if (< i 3) (recur (inc i) (conj a (tool/t {:v i}))) a))", "=> [0 1 2]"),
    ("(reduce (fn [a x] (tool/t {:v x :w a})) 0 [1 2 3])", "=> 3"),
    ("(map-indexed (fn [i x] (tool/t {:v x :w i})) [:a :b :c])", "=> (:a :b :c)"),
    ("(map (fn [x & more] (tool/t {:v more :w x})) [1 2])", "=> (nil nil)"),
    ("(take 2 (map (fn [x] (tool/t {:v x})) (range)))", "=> (0 1)"),
    ("[(tool/t {:v 1}) (pmap (fn [x] (tool/t {:v x})) [2 3]) (tool/t {:v 4})]", "=> [1 (2 3) 4]"),
    ("(map (fn [x] (flow/step \"s\" (fn [] (tool/t {:v x})))) [1 2])", "=> (1 2)"),
    ("[(tool/t {:v 1}) (flow/step \"s\" (fn [] (tool/t {:v 2}))) (tool/t {:v 3})]", "=> [1 2 3]"),
    // Reductions: integers of any size, other numbers, one item, no items.
    ("(reduce + (range 1000))", "=> 499500"),
    ("(reduce + [9223372036854775807 1 1])", "=> 9223372036854775809N"),
    ("(reduce * 1.5 [2 3])", "=> 9.0"),
    ("(reduce - [7])", "=> 7"),
    ("(reduce - [])", "! wrong-arity"),
    ("(reduce / [8 2 0 4])", "! divide-by-zero"),
    ("(reduce + [1 2 :three 4])", "! wrong-type"),
    ("(reduce < [1 2])", "=> true"),
    ("(reductions + [1 2 3])", "=> (1 3 6)"),
    ("(reduce + #{1 2 3})", "=> 6"),
    // Errors, caught and uncaught.
    ("(map (fn [x] (t (/ 6 x))) [1 0])", "! divide-by-zero"),
    ("(map t [1 :boom 2])", "! tool-failed"),
    ("(map (fn [x] (tool/t {:v x})) [1 :boom 2])", "! tool-failed"),
    (
        "(map (fn [x] (try (t x) (catch Exception _ :no) (finally (println x)))) [1 :boom])",
        "=> (1 :no) [\"1\", \":boom\"]",
    ),
    (
        "(try (map (fn [x] (tool/t {:v x})) [1 :boom 2]) (catch Exception _ (t :caught)))",
        "=> :caught",
    ),
    ("(map (fn [x] (tool/t {:v x})) [1 inc])", "! not-json"),
    ("(map (fn [x] (tool/t x)) [{:v 1} 2])", "! wrong-type"),
    ("(map (fn [x] (if (= x 2) (return (t x)) (t x))) [1 2 3])", "return 2"),
    ("(pmap (fn [x] (reduce + (map (fn [y] (tool/t {:v (* x y)})) [1 2]))) [1 2])", "=> (3 6)"),
    // Calls with integers: the first test, the result, and the work after the call.
    ("(defn fib [n] (if (< n 2) n (+ (fib (- n 1)) (fib (- n 2))))) (fib 7)", "=> 13"),
    ("(defn fib [n] (if (< n 2) (t n) (+ (fib (- n 1)) (fib (- n 2))))) (fib 3)", "=> 2"),
    ("(defn f [a b] (if (> a 2) b (f (inc a) (* b 2)))) (f 0 5)", "=> 40"),
    ("(defn f [a b] (if (> b a) a (f (dec a) (inc b)))) [(f 9 1) (f 1 2)]", "=> [4 1]"),
    ("(defn f [n] (if (= n 0) 7 (f (dec n)))) [(f 3) (f 0)]", "=> [7 7]"),
    ("(defn f [n] (if (= n 0) :end (f (dec n)))) [(f 3) (f 0)]", "=> [:end :end]"),
    ("(defn f [n] (if (> n 0) (f (- n 1)) (inc n))) [(f 3) (f 0)]", "=> [1 1]"),
    ("(defn f [n] (if (= n 0) [n n] (conj (f (dec n)) n))) (f 3)", "=> [0 0 1 2 3]"),
    ("(defn f [n] (if (< n 3) (let [m (t n)] (+ m n)) n)) [(f 1) (f 3)]", "=> [2 3]"),
    ("(defn f [n] (if (< n 2) n (recur (- n 2)))) [(f 5) (f 4)]", "=> [1 0]"),
    ("(defn f ([a] (f a 1)) ([a b] (if (= b 0) a (f (+ a b) (dec b))))) (f 3)", "=> 4"),
    ("(defn f ([a b] (+ a b)) ([a] (if (< a 2) a (f a 1)))) [(f 1) (f 2)]", "=> [1 3]"),
    (
        "(defn f [a & more] (if (< a 2) a [a more])) [(f 1) (f 2) (f 1 2) (f 2 3)]",
        "=> [1 [2 nil] 1 [2 (3)]]",
    ),
    ("(defn f [a b c] (if (< a 2) c (f (dec a) b (+ c b)))) (f 4 10 1)", "=> 31"),
    ("(defn f [n] (if (< n 2) n (f (/ n 2)))) [(f 3) (f 2.5) (f 8)]", "=> [1.5 1.25 1]"),
    ("(defn f [n] (if (< n 2) n (f (- n 9223372036854775807)))) (f 9223372036854775807)", "=> 0"),
    ("(defn f [n] (if (> n 2) n (f (+ n 9223372036854775807)))) (f 1)", "=> 9223372036854775808N"),
    ("(defn f [n] (if (< n 2) n (f (nth [nil] n)))) (try (f 5) (catch Exception _ (f 1)))", "=> 1"),
    ("(defn f [n] (if (< n 2) n (f nil))) (f 5)", "! wrong-type"),
    ("(defn f [n] (if (< n 2) (/ 1 n) (f (dec n)))) (f 3)", "=> 1"),
    ("(defn f [n] (if (< n 1) (/ 1 n) (f (dec n)))) (f 3)", "! divide-by-zero"),
    (
        "(defn f [n] (if (< n 1) (t [n]) (do (println n) (f (dec n))))) (f 2)",
        "=> [0] [\"2\", \"1\"]",
    ),
    ("(let [k 2] (defn f [n] (if (< n k) n (f (dec n)))) (f 5))", "=> 1"),
    ("(defn f [n] (if (< n 2) f (f (dec n)))) (fn? (f 4))", "=> true"),
    ("(defn g [n] (if (< n 3) n 3)) (map (fn [x] (+ (g x) (t x))) [1 5])", "=> (2 8)"),
    (
        "(defn g [n] (if (< n 3) n 3)) (loop [i 0 s 0] (if (< i 6) (recur (inc i) (+ s (g i))) s))",
        "=> 12",
    ),
    ("(defn g [n] (if (< n 3) (+ n 1) (* n n))) [(g 1) (g 3) (g 4.0)]", "=> [2 9 16.0]"),
    ("(defn g [a b] (- (t a) b)) (defn h [a b] (- a b)) [(g 5 3) (h 5 3)]", "=> [2 2]"),
    ("(defn g [a b] (* a b)) [(g 3 4) (g 9223372036854775807 2)]", "=> [12 18446744073709551614N]"),
    ("(defn g [n] (inc n)) [(g 1) (g 9223372036854775807)]", "=> [2 9223372036854775808N]"),
    ("(defn g [n] (if (> n 0) (quot 6 n) (quot 6 n))) [(g 4) (g 0)]", "! divide-by-zero"),
    ("(defn g [n] (< n 2)) [(g 1) (g 2)]", "=> [true false]"),
    ("(defn g [_] 7) (defn h [_ b] b) (defn i [_] nil) [(g 1) (h 1 2) (i 1)]", "=> [7 2 nil]"),
    ("(defn g [n] (let [m (* n 2)] (+ m n))) [(g 1) (g 2)]", "=> [3 6]"),
];

/// The way in which calls are answered.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Answers {
    /// The host answers every `every`-th call at once; the others are handed out.
    Host { every: u32 },
    /// All calls are handed out.
    Driver,
    /// The program runs in a debugger.
    Watched,
}

fn answer(call: &ToolCall) -> Result<Value, ToolFailure> {
    match call.args.get("v").cloned().unwrap_or_default() {
        value if value == Value::keyword("boom") => Err(ToolFailure::new("the service is down")),
        value => Ok(value),
    }
}

/// A program that has ended, and all of its tool calls.
struct Run {
    ended: Ended,
    calls: BTreeSet<String>,
}

fn run(source: &str, limits: &Limits, answers: Answers, slice: u64) -> Run {
    let calls = RefCell::new(BTreeSet::new());
    let answer = |call: &ToolCall| {
        let ToolCall { id, name, args, span, step, in_loop } = call;
        calls.borrow_mut().insert(format!("{id} {name} {args} {span:?} {step:?} {in_loop}"));
        answer(call)
    };
    let ended = ended(source, limits, answers, slice, &answer);
    Run { ended, calls: calls.take() }
}

fn ended(
    source: &str,
    limits: &Limits,
    answers: Answers,
    slice: u64,
    answer: &dyn Fn(&ToolCall) -> Result<Value, ToolFailure>,
) -> Ended {
    let tools: Vec<ToolDecl> = ["t", "u"].map(|name| ToolDecl::new(name, Effect::Read)).into();
    let session = || Session::new(Value::map([]), Vec::clone(&tools), limits.clone());
    let source = &format!("(defn t [x] (call \"t\" {{:v x}}))\n{source}");
    if answers == Answers::Watched {
        return Debugger::new(&session, source, answer).unwrap().trace(0).ended;
    }
    let session = session();
    let program = session.admit(source).unwrap_or_else(|problem| panic!("{problem}"));
    let mut machine = session.start(&program);
    let mut budget = Budget::new(limits);
    budget.slice = slice;
    let mut asked = 0;
    // Arguments that the host keeps do not change.
    let mut kept: Vec<(Value, String)> = Vec::new();
    let mut host = |call: &ToolCall| {
        asked += 1;
        if asked % 3 == 0 {
            kept.push((call.args.clone(), call.args.to_string()));
        }
        match answers {
            Answers::Host { every } if asked % every == 0 => Some(answer(call)),
            _ => None,
        }
    };
    loop {
        match machine.run_with(&mut budget, &mut host) {
            Yielded::Done => break,
            Yielded::SliceUsed => {}
            Yielded::Calls(calls) => {
                for call in calls {
                    machine.resume(&call.id, answer(&call));
                }
            }
        }
    }
    for (args, text) in kept {
        assert_eq!(args.to_string(), text, "{source}");
    }
    machine.finish()
}

/// Returns everything that a program leaves behind, with the places and calls of errors, and its tool calls.
fn whole(Run { ended, calls }: &Run) -> String {
    let outcome = match &ended.outcome {
        Outcome::Error(problem) => format!("! {}", problem.to_json()),
        other => format!("{other:?}"),
    };
    format!("{outcome} {:?} {} {} {calls:#?}", ended.prints, ended.fuel, ended.tool_calls)
}

fn shown(ended: &Ended) -> String {
    let outcome = match &ended.outcome {
        Outcome::Value(value) => format!("=> {value}"),
        Outcome::Return(value) => format!("return {value}"),
        Outcome::Continue(value) => format!("continue {value}"),
        Outcome::Fail(failure) => format!("fail {}", failure.details),
        Outcome::Error(problem) => return format!("! {}", problem.code()),
    };
    if ended.prints.is_empty() { outcome } else { format!("{outcome} {:?}", ended.prints) }
}

#[test]
fn every_path_gives_the_same_result() {
    let limits = Limits::default();
    let mut problems = Vec::new();
    for (source, expected) in CASES {
        let plain = run(source, &limits, Answers::Driver, 100_000);
        let found = shown(&plain.ended);
        if found != *expected {
            problems.push(format!("{source}\nexpected {expected}\nfound    {found}"));
        }
        let ways = [
            (Answers::Host { every: 1 }, 100_000),
            (Answers::Host { every: 2 }, 100_000),
            (Answers::Host { every: 1 }, 1),
            (Answers::Host { every: 3 }, 2),
            (Answers::Driver, 1),
            (Answers::Watched, 100_000),
        ];
        for (answers, slice) in ways {
            let other = run(source, &limits, answers, slice);
            assert_eq!(whole(&other), whole(&plain), "{source} {answers:?} {slice}");
        }
    }
    assert_no_problems(&problems);
}

#[test]
fn every_limit_is_reached_at_the_same_place() {
    for (source, _) in CASES {
        let whole_fuel = run(source, &Limits::default(), Answers::Driver, 100_000).ended.fuel;
        let fuels = (0..whole_fuel.min(60)).map(|fuel| Limits { fuel, ..Limits::default() });
        let calls = (0..4).map(|tool_calls| Limits { tool_calls, ..Limits::default() });
        let depths = (1..5).map(|call_depth| Limits { call_depth, ..Limits::default() });
        let sizes = [0, 1, 2, 9, 40, 1_600, 3_200, 3_250];
        let sizes =
            sizes.map(|result_bytes| Limits { result_bytes, ..Limits::default() }).into_iter();
        let memory = [0, 64, 104, 144, 150, 400];
        let memory = memory.map(|memory| Limits { memory, ..Limits::default() }).into_iter();
        let nesting = (0..4).map(|value_depth| Limits { value_depth, ..Limits::default() });
        let limits = fuels.chain(calls).chain(depths).chain(sizes).chain(memory).chain(nesting);
        for limits in limits {
            let plain = whole(&run(source, &limits, Answers::Watched, 100_000));
            for answers in [Answers::Driver, Answers::Host { every: 1 }] {
                let other = whole(&run(source, &limits, answers, 100_000));
                assert_eq!(other, plain, "{source} {answers:?} {limits:?}");
            }
        }
    }
}
