//! Functions that run without frames end as with them: value, problem, place, trace, fuel and
//! prints. A debugged machine gives every function its frame, so it is the measure.

use ptc_lisp::debug::Debugger;
use ptc_lisp::{
    Budget, Ended, Limits, Outcome, Session, ToolCall, ToolDecl, ToolFailure, Value, Yielded,
};
use ptc_tests::assert_no_problems;

/// The values that the functions below call.
const CALLED: &[(&str, &str)] = &[
    ("k", ":a"),
    ("m", "{1 10, 2 20}"),
    ("v", "[5 6 7]"),
    ("s", "#{1 3}"),
    ("bad", "nil"),
    ("f", "(fn [x] (/ 12 x))"),
    ("g", "(fn [x] (f (inc x)))"),
    ("h", "(fn [x] (println x) (g (g x)))"),
    ("r", "(fn r [x] (if (pos? x) (r (dec x)) (f x)))"),
];

/// Functions of one argument.
const FUNCTIONS: &[&str] = &[
    "f",
    "g",
    "h",
    "k",
    "bad",
    "(fn [x] (k x))",
    "(fn [x] (k {:a x}))",
    "(fn [x] (m x))",
    "(fn [x] (m x x x))",
    "(fn [x] (v x))",
    "(fn [x] (bad x))",
    "(fn [x] (g x x))",
    "(fn [x] (f (g x)))",
    "(fn [x] (+ (f x) (m x)))",
    "(fn [x] (if (s x) (f x) (g x)))",
    "(fn [x] (let [a (f x) b (g a)] [a b x]))",
    "(fn [{:keys [a b]}] (f (+ a (or b 1))))",
    "(fn [x] (r x))",
    "(fn [x] (map f [x 1]))",
    "(fn [x] (mapv (fn [y] (+ x (f y))) [x 1]))",
    "(fn [x] (map (fn [y] (map f [x y])) [x 1]))",
    "(fn [x] (reduce + (map g [x 2])))",
    "(fn [x] (reduce (fn [a b] (+ a (f b))) 0 [x 3]))",
    "(fn [x] (reduce (fn [a b] (+ a (f b))) []))",
    "(fn [x] (reduce (fn ([] (f x)) ([a b] a)) []))",
    "(fn [x] (reduce max []))",
    "(fn [x] (for [a [x 1] b [2 x] :when (not= a b)] (f (+ a b))))",
    "(fn [x] (sort-by f > [x 1 2]))",
    "(fn [x] (sort-by (juxt f k) [x 1 2]))",
    "(fn [x] (group-by s [x 1]))",
    "(fn [x] (some s [x 5]))",
    "(fn [x] (every? (comp pos? f) [x 5]))",
    "(fn [x] (keep-indexed (fn [i y] (m (+ i y))) [x 1]))",
    "(fn [x] (reduce-kv (fn [a _ y] (+ a (f y))) 0 {:a x :b 1}))",
    "(fn [x] (update-vals {:a x} f))",
    "(fn [x] (update {:a x} :a f))",
    "(fn [x] (update {:a x} :a + x 1))",
    "(fn [x] (update {:a x} :b (fnil + 1) x))",
    "(fn [x] (update-in {:a {:b x}} [:a :b] (fnil g 0)))",
    "(fn [x] (update-in {:a {:b [x]}} [:a :b] conj [x [x]]))",
    "(fn [x] (update-in {:a [x]} [:a 0] f))",
    "(fn [x] (update-in {} [x :b] (fn [old] (f x))))",
    "(fn [x] (reduce (fn [m y] (update-in m [y :n] (fnil + 0) (f y))) {} [x 1 x]))",
    "(fn [x] (reduce (fn [m y] (let [n (update m :n conj y)] (assoc n :old (:n m)))) {:n []} [x 1]))",
    "(fn [x] (swap! (atom x) f))",
    "(fn [x] (let [a (atom {:n x})] (swap! a update :n f) @a))",
    "(fn [x] (apply f [x]))",
    "(fn [x] (try (f x) (catch Exception e [x (ex-message e)]) (finally (println x))))",
    "(fn [x] (do (def made x) (f made)))",
    "(fn [x] (tool/echo {:v (f x)}))",
    "(comp f g)",
    "(comp k (fn [x] {:a (f x)}))",
    "(comp f g inc)",
    "(juxt f g)",
    "(juxt f k g)",
    "(fnil f 0)",
    "(fnil (fn [x] (g x)) 2)",
    "(complement s)",
    "(partial + 1)",
    "(constantly (f 3))",
    "(memoize f)",
];

/// Programs that call such a function.
const USES: &[&str] = &[
    "(F (first xs))",
    "(map F xs)",
    "(mapv F xs)",
    "(filter F xs)",
    "(keep F xs)",
    "(group-by F xs)",
    "(sort-by F xs)",
    "(reduce (fn [out x] (conj out (F x))) [] xs)",
    "(update {:k 1} :k F)",
    "(update-in {:k {:l 2}} [:k :l] F)",
    "(let [m {:k {:l 2}} n (update-in m [:k :l] F) o (update (:k m) :l F)] [m n o])",
    "(into {} (map (juxt identity F)) xs)",
    "(loop [i 0 out []] (if (< i 2) (recur (inc i) (conj out (F (nth xs i)))) out))",
    "(try (mapv F xs) (catch Exception e [(ex-message e) (F 2)]) (finally (println :end)))",
    "(let [a (F 1) b (if (F 2) 1 2)] (or (F a) (F b)))",
];

/// Walks along a value: tests for items, the items, and the rest.
const WALKS: &[&str] = &[
    "(loop [s xs out []] (if (seq s) (recur (rest s) (conj out (first s))) [out s]))",
    "(loop [s xs out []] (if (empty? s) [out s] (recur (next s) (conj out (second s)))))",
    "(loop [s (seq xs) out []] (if s (recur (next s) (conj out [s (first s)])) out))",
    "(loop [s xs t xs n 0] (if (seq s) (recur (rest s) (next t) (+ n (count s) (count t))) [s t n]))",
    "(loop [[x & more :as s] xs n 0] (if (and s (< n 4)) (recur more (+ n (count s))) [x more n]))",
    "(loop [s xs n 0] (if (and (seq s) (not (empty? s))) (recur (rest s) (/ 6 (first s))) [s n]))",
    "(let [[a b & more] xs] [a b more (rest more) (first xs)])",
    "(let [[a] xs [_ b] xs [_ _ & more] xs] [a b more])",
    "(let [r (rest xs) n (next xs)] [r n (first r) (second xs) (rest r) xs])",
    "(let [f (fn [[a & more] n] (if (pos? n) (recur more (dec n)) [a more]))] (f xs 2))",
    "(let [f (fn [s n] (if (seq s) (recur (rest s) (+ n (count (str (first s))))) [s n]))] (f xs 0))",
    "(let [f (fn [s n] (cond (empty? s) n (seq (rest s)) (recur (next s) (conj n s)) :else [s n]))] (f xs []))",
];

/// Values of all kinds that have items, and some that have none.
const COLLECTIONS: &[&str] = &[
    "nil",
    "[]",
    "[1 2 3]",
    "[[1 2] nil]",
    "'()",
    "'(1 2 3)",
    "(cons 0 [1 2])",
    "(cons 0 (cons 1 nil))",
    "(map inc [1 2 3])",
    "(rest [1 2 3])",
    "(subvec [1 2 3 4] 1 3)",
    "(vec (range 70))",
    "(range 4)",
    "(range 3 3)",
    "(let [r (range 4)] (println r) r)",
    "(rest (range 4))",
    "(keys {:a 1 :b 2})",
    "(keys (zipmap (range 40) (range)))",
    "(seq {:a 1})",
    "{}",
    "{:a 1 :b 2}",
    "#{1 2}",
    "(sorted-map 2 :b 1 :a)",
    "(sorted-set 2 1)",
    "\"\"",
    "\"abc\"",
    "(str/join (range 300))",
    "(reduce str (map str (range 300)))",
    "[(reduce str (map str (range 300))) 2]",
    "(conj clojure.lang.PersistentQueue/EMPTY 1 2)",
    "(concat [1] '(2 3))",
    "(lazy-seq [1 2])",
    "(take 3 (iterate inc 1))",
    "(first [(rest (iterate inc 1))])",
    "5",
    ":k",
];

const ITEMS: &[&str] = &["[1 2 0]", "[{:a 1} nil]", "[]"];

fn answer(call: &ToolCall) -> Result<Value, ToolFailure> {
    Ok(call.args.get("v").cloned().unwrap_or_default())
}

fn session(limits: &Limits) -> Session {
    let tools = vec![ToolDecl::new("echo", ptc_lisp::Effect::Read)];
    Session::new(Value::map([]), tools, limits.clone())
}

/// Returns everything that a program leaves behind, as text. The place of a problem between two items
/// is that of the last node, which is in a function only if it had a frame.
fn whole(ended: &Ended) -> String {
    let outcome = match &ended.outcome {
        Outcome::Error(problem) => {
            let is_between =
                problem.code() == "fuel-limit" || problem.message().ends_with("cannot be compared");
            let place = if is_between { None } else { problem.span() };
            let (message, help) = (problem.message(), problem.help());
            format!("{} {message} {help:?} {place:?} {:?}", problem.code(), problem.trace())
        }
        other => format!("{other:?}"),
    };
    format!("{outcome}\n{:?} {} {}", ended.prints, ended.fuel, ended.tool_calls)
}

fn run(source: &str, limits: &Limits) -> Option<String> {
    let session = session(limits);
    let mut machine = session.start(&session.admit(source).ok()?);
    let mut budget = Budget::new(limits);
    while !matches!(machine.run_with(&mut budget, &mut |call| Some(answer(call))), Yielded::Done) {}
    Some(whole(&machine.finish()))
}

fn debug(source: &str, limits: &Limits) -> Option<String> {
    let session = || session(limits);
    Some(whole(&Debugger::new(&session, source, &answer).ok()?.trace(1).ended))
}

/// Returns the program with the called values as globals, and as captured values.
fn programs(function: &str, used: &str, items: &str) -> [String; 2] {
    let used = used.replace('F', "called").replace("xs", items);
    let all = |line: fn(&str, &str) -> String| {
        CALLED.iter().map(|(name, it)| line(name, it)).collect::<Vec<_>>().join("\n")
    };
    let globals = all(|name, it| format!("(def {name} {it})"));
    let locals = all(|name, it| format!("{name} {it}"));
    [
        format!("{globals}\n(def called {function})\n{used}"),
        format!("(let [{locals}\ncalled {function}]\n{used})"),
    ]
}

fn differences(functions: &[&str], limits: &Limits) -> (usize, Vec<String>) {
    let (mut count, mut problems) = (0, Vec::new());
    for function in functions {
        for used in USES {
            for source in ITEMS.iter().flat_map(|items| programs(function, used, items)) {
                let Some(with) = debug(&source, limits) else { continue };
                let without = run(&source, limits).unwrap_or_default();
                count += 1;
                if with != without {
                    problems.push(format!("{source}\nwith frames: {with}\nwithout: {without}"));
                }
            }
        }
    }
    (count, problems)
}

#[test]
fn functions_end_as_with_frames() {
    let (count, problems) = differences(FUNCTIONS, &Limits::default());
    assert_no_problems(&problems);
    assert!(count > 3_500, "{count}");
}

#[test]
fn functions_reach_a_limit_as_with_frames() {
    let mut problems = Vec::new();
    for (fuel, call_depth) in [(5, 100), (20, 100), (45, 100), (1_000, 1), (1_000, 2), (1_000, 3)] {
        let limits = Limits { fuel, call_depth, ..Limits::default() };
        problems.extend(differences(FUNCTIONS, &limits).1);
    }
    assert_no_problems(&problems);
}

#[test]
fn walks_end_as_with_frames() {
    let mut problems = Vec::new();
    let few = [3, 9, 30].map(|fuel| Limits { fuel, ..Limits::default() });
    for limits in few.into_iter().chain([Limits { fuel: 20_000, ..Limits::default() }]) {
        for (walk, xs) in WALKS.iter().flat_map(|walk| COLLECTIONS.iter().map(move |xs| (walk, xs)))
        {
            let source = format!("(let [xs {xs}] {walk})");
            let (with, without) = (debug(&source, &limits), run(&source, &limits));
            if with.is_none() || with != without {
                problems.push(format!("{source}\nwith frames: {with:?}\nwithout: {without:?}"));
            }
        }
    }
    assert_no_problems(&problems);
}
