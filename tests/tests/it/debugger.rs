//! Tests of the debugger: steps, names in scope, stacks and breaks. A debugged program gives the
//! same result as a run.

use std::fmt::Write as _;

use ptc_lisp::debug::{Break, Debugger, Gave, Go, Line, Place, Stop, What};
use ptc_lisp::{
    Budget, Effect, Ended, Limits, Outcome, Session, ToolCall, ToolDecl, ToolFailure, Value,
    Yielded, json,
};
use ptc_tests::{Corpus, files, one_in, root};

/// A description of the case, and a program.
const PROGRAMS: &[(&str, &str)] = &[
    ("calls inside of calls", "(+ 1 (* 2 3) (count [1 2]))"),
    ("names that are bound", "(let [x (inc 1)\n      y (* x x)]\n  (+ x y))"),
    ("several forms, and a definition", "(def a 2)\n(def b (* a 2))\n(+ a b)"),
    ("a choice, with a test of integers", "(let [n 1] (if (< n 2) (inc n) (dec n)))"),
    ("clauses", "(let [n 7] (cond (< n 2) :small (< n 10) (keyword \"middling\") :else :large))"),
    ("`when`, `and`, `or`", "(when (and (odd? 3) (or nil (even? 2))) (str \"a\" 1))"),
    ("threading", "(-> 3 inc (* 2) str)\n(->> [1 2 3] (map inc) (filter odd?))"),
    (
        "functions inside of functions",
        "(defn outer [a]\n  (let [inner (fn [b] (* a b))]\n    (inner (+ a 1))))\n(outer 2)",
    ),
    ("a function that calls itself", "(defn sum [n] (if (= n 0) 0 (+ n (sum (dec n)))))\n(sum 2)"),
    ("a loop", "(loop [i 0 s 0]\n  (if (< i 2)\n    (recur (inc i) (+ s i))\n    s))"),
    (
        "`dotimes` and `while`",
        "(def a (atom 0))\n(dotimes [i 2] (swap! a + i))\n(while (< @a 3) (swap! a inc))",
    ),
    (
        "a function that goes back to its beginning",
        "(defn f [n] (when (pos? n) (recur (- n 1))))\n(f 1)",
    ),
    (
        "`map` with a function, and with a short one",
        "(map (fn [x] (* x 2)) [1 2])\n(map #(+ % 1) [1 2])",
    ),
    (
        "`reduce` and `for`",
        "(reduce (fn [a x] (+ a x)) 0 [1 2])\n(for [x [1 2] :when (odd? x)] (* x x))",
    ),
    (
        "an error that is caught",
        "(try\n  (+ 1 (/ 1 0))\n  (catch ArithmeticException e (ex-message e))\n  (finally (println \"done\")))",
    ),
    ("an error that is not", "(defn f [x] (+ x :a))\n(map f [1])"),
    (
        "an error of a call inside of `try` around a function",
        "(defn f [x] (nth [1] x))\n(try (f 4) (catch Exception e (str \"caught\")))",
    ),
    ("tools", "(let [r (tool/add {:a 1 :b 2})]\n  (+ r (tool/add {:a r :b r})))"),
    ("a tool that fails", "(try (call \"boom\" {}) (catch Exception e (ex-message e)))"),
    ("branches", "(pmap (fn [n] (+ (tool/add {:a n :b 1}) n)) [1 2])"),
    ("branches that call no tool", "(pmap (fn [n] (* n n)) [1 2])"),
    ("keywords and data as functions", "(:a {:a (inc 1)})\n({:a 1} :a)\n([5 6] 1)"),
    ("`return` out of a function", "(defn f [x] (return (inc x)))\n(+ 1 (f 1))"),
    ("`fail`", "(when true (fail {:reason :none :message (str \"no \" 1)}))"),
    ("a lazy sequence", "(take 2 (iterate (fn [x] (* x 2)) 1))"),
    ("a library function that calls back", "((comp inc (fn [x] (* x 3))) 2)"),
    ("nothing to step over", "[1 2]"),
];

fn answer(call: &ToolCall) -> Result<Value, ToolFailure> {
    let part = |key| call.args.get(key).and_then(Value::as_int).unwrap_or(0);
    match call.name.as_str() {
        "add" => Ok(Value::from(part("a") + part("b"))),
        "echo" => Ok(call.args.get("v").cloned().unwrap_or_default()),
        "items" => Ok(Value::vector((1..=3).map(Value::from).collect())),
        _ => Err(ToolFailure::new("the service is down")),
    }
}

fn session_of(ctx: &str, limits: Limits) -> Session {
    let tools = ["echo", "add", "boom", "items"].map(|name| ToolDecl::new(name, Effect::Read));
    let plan = ToolDecl { callable: false, ..ToolDecl::new("plan", Effect::Read) };
    let tools = tools.into_iter().chain([plan]).collect();
    Session::new(json::parse(ctx).unwrap(), tools, limits)
}

fn session() -> Session {
    session_of("{}", Limits::default())
}

/// Calls a function with a debugger for a program.
fn debug<T>(source: &str, ask: impl FnOnce(&mut Debugger<'_>) -> T) -> T {
    match Debugger::new(&session, source, &answer) {
        Ok(mut debugger) => ask(&mut debugger),
        Err(rejection) => panic!("{source}: {rejection}"),
    }
}

fn place(place: Option<&Place>) -> String {
    match place {
        Some(Place { line, column, text, .. }) => {
            let first = text.lines().next().unwrap_or_default();
            let more = if first.len() < text.len() { " …" } else { "" };
            format!("{line}:{column} {first}{more}")
        }
        None => "-".to_owned(),
    }
}

fn line(line: &Line) -> String {
    let gave = match &line.gave {
        Gave::Value(value) => format!("=> {value}"),
        Gave::Again => "again".to_owned(),
        Gave::Failed => "failed".to_owned(),
        Gave::Open => "open".to_owned(),
        Gave::Calls(tool, args) => format!("calls {tool} {args}"),
        Gave::Raised(problem) => format!("raises {}", problem.message()),
    };
    let indent = "  ".repeat(line.depth as usize);
    format!("{:>2} {indent}{} {gave}", line.step, place(line.place.as_ref()))
}

fn outcome(ended: &Ended) -> String {
    match &ended.outcome {
        Outcome::Value(value) => format!("=> {value}"),
        Outcome::Return(value) => format!("return {value}"),
        Outcome::Continue(value) => format!("continue {value}"),
        Outcome::Fail(failure) => format!("fail {}", failure.details),
        Outcome::Error(problem) => format!("! {} {}", problem.code(), problem.message()),
    }
}

#[test]
fn the_steps_of_programs() {
    let mut all = String::new();
    for (name, source) in PROGRAMS {
        let trace = debug(source, |debugger| debugger.trace(100));
        // Writing to a string cannot fail.
        let _ = writeln!(all, "; {name}\n{source}");
        for one in &trace.lines {
            let _ = writeln!(all, "{}", line(one));
        }
        assert_eq!(trace.more, 0, "{source}");
        let _ = writeln!(all, "{}\n", outcome(&trace.ended));
    }
    insta::assert_snapshot!(all);
}

/// Formats a stop of the debugger in full.
fn stop(debugger: &Debugger<'_>, stop: &Stop) -> String {
    let mut out = String::new();
    for over in &stop.finished {
        let _ = writeln!(out, "   over: {}", line(over));
    }
    let what = match &stop.what {
        What::Form => "form".to_owned(),
        What::Call { tool, args } => format!("call {tool} {args}"),
        What::Error(problem) => format!("error {}", problem.message()),
        What::End(ended) => format!("end {}", outcome(ended)),
    };
    let _ = writeln!(out, "{} {what} at {}", stop.step, place(stop.place.as_ref()));
    for level in &stop.stack {
        let function = level.function.as_deref().unwrap_or("program");
        let _ = writeln!(out, "   in {function} at {}", place(level.place.as_ref()));
    }
    let names = debugger.names(stop);
    for name in names.names.iter().chain(&names.defined) {
        let _ = writeln!(out, "   {} = {}", name.name, name.value);
    }
    for print in &stop.prints {
        let _ = writeln!(out, "   printed {print}");
    }
    for call in debugger.calls(stop) {
        let _ = writeln!(out, "   {} {} {}: {:?}", call.id, call.name, call.args, call.result);
    }
    let _ = writeln!(out, "   fuel {}, calls {}", stop.fuel, stop.tool_calls);
    out
}

/// A description of the case, a program, the breaks, and the moves from the first step.
type Walk = (&'static str, &'static str, &'static [Break], &'static [Go]);

const WALKS: &[Walk] = &[
    (
        "values that the program has done with are still there",
        "(let [v [1 2]\n      w (conj v 3)]\n  (count w))",
        &[],
        &[Go::Step, Go::Step, Go::Step],
    ),
    (
        "the stack of nested functions, and what they closed over",
        "(defn twice [f x] (f (f x)))\n(let [k 10]\n  (twice (fn [n] (+ n k)) 1))",
        &[Break::Form { line: 3, column: 18 }],
        &[Go::Continue, Go::Continue, Go::Out, Go::Step],
    ),
    (
        "the turns of a loop",
        "(loop [i 0 acc []]\n  (if (< i 2)\n    (recur (inc i) (conj acc i))\n    acc))",
        &[Break::Form { line: 3, column: 1 }],
        &[Go::Continue, Go::Continue, Go::Back, Go::BackToBreak, Go::Over],
    ),
    (
        "over a call, and out of a function",
        "(defn f [x] (let [y (* x 2)] (println y) (inc y)))\n(+ (f 1) (f 2))",
        &[],
        &[Go::Step, Go::Step, Go::Over, Go::Step, Go::Step, Go::Out, Go::Over, Go::Over],
    ),
    (
        "a function that `map` calls",
        "(let [k 2] (map (fn [x] (* x k)) [5 6]))",
        &[],
        &[Go::Step, Go::Step, Go::Step, Go::Step],
    ),
    (
        "an error, where it is raised",
        "(defn share [total n] (/ total n))\n(try (share 6 0) (catch Exception e (ex-message e)))",
        &[Break::Error],
        &[Go::Continue, Go::Step, Go::Step],
    ),
    (
        "a name that hides another, and one of `catch`",
        "(let [x 1]\n  (let [x (inc x)] (str x))\n  (try (throw (ex-info \"no\" {})) (catch Exception x (ex-message x)))\n  (str x))",
        &[],
        &[Go::Step, Go::Step, Go::Step, Go::Step, Go::Step, Go::Step, Go::Step, Go::Step, Go::Step],
    ),
    (
        "a tool, and branches",
        "(def base 100)\n(pmap (fn [n] (let [m (* n 2)] (+ base (tool/add {:a m :b 1})))) [1 2])",
        &[Break::Tool(String::new())],
        &[Go::Continue, Go::Continue, Go::Step, Go::Continue],
    ),
    (
        "destructuring and parameters for the rest",
        "((fn [{:keys [a b] :as row} & more] (str a b more)) {:a 1 :b 2} 3 4)",
        &[],
        &[Go::Step],
    ),
    (
        "functions of `letfn`",
        "(let [k 3] (letfn [(even [n] (if (= n 0) k (odd (dec n)))) (odd [n] (even (dec n)))] (even 2)))",
        &[],
        &[Go::Step, Go::Step, Go::Step, Go::Step, Go::Step, Go::Step],
    ),
];

#[test]
fn walks_over_programs() {
    let mut all = String::new();
    for (name, source, breaks, ways) in WALKS {
        debug(source, |debugger| {
            let _ = writeln!(all, "; {name}\n{source}");
            for wanted in *breaks {
                let wanted = match wanted {
                    Break::Tool(_) => Break::Tool("add".to_owned()),
                    other => other.clone(),
                };
                let _ = writeln!(all, "break {:?}", debugger.add_break(wanted));
            }
            let mut at = debugger.at(1);
            all += &stop(debugger, &at);
            for way in *ways {
                at = debugger.go(&at, *way);
                let _ = write!(all, "- {way:?}\n{}", stop(debugger, &at));
            }
            all.push('\n');
        });
    }
    insta::assert_snapshot!(all);
}

/// Asserts the result of an expression at a step.
fn check(source: &str, step: u64, expression: &str, expected: &str) {
    let shown = debug(source, |debugger| match debugger.evaluate(&debugger.at(step), expression) {
        Ok(evaluated) => {
            let prints = evaluated.prints.iter().map(|line| format!("{line}\n"));
            prints.collect::<String>() + &evaluated.value
        }
        Err(problems) => {
            let problems = problems.iter().map(|it| format!("! {} {}", it.code(), it.message()));
            problems.collect::<Vec<_>>().join("\n")
        }
    });
    assert_eq!(shown, expected, "{source} at {step}: {expression}");
}

#[test]
fn expressions_see_what_the_program_sees() {
    let source = "(def base 7)\n(defn f [x] (let [y (* x 2)] (+ x y)))\n(f 4)";
    let inside = 6;
    check(source, inside, "[x y base]", "[4 8 7]");
    check(source, inside, "(f y)", "24");
    check(source, inside, "(do (println x) (map inc [y]))", "4\n(9)");
    check(source, inside, "(+ x z)", "! unknown-name `z` is not defined");
    check(
        source,
        inside,
        "(+ x",
        "! unclosed-delimiter `(+ …` is never closed; the program ends first",
    );
    check(source, inside, "(/ x 0)", "! divide-by-zero `/` divides by zero");
    check(
        source,
        inside,
        "(loop [] (recur))",
        "! fuel-limit the program used up its fuel of 1000000 units of work",
    );
    check(
        source,
        inside,
        "(tool/add {:a 1})",
        "! tool-failed tool `add`: a debugger calls no tools",
    );
    check(source, 1, "base", "! unknown-name `base` is not defined");
    // At the end, only definitions remain.
    check(source, 99, "(f base)", "21");
    check(source, 99, "x", "! unknown-name `x` is not defined");
    // A name of the program shadows a name of the language.
    check("(let [count 3] (inc count))", 2, "(+ count 1)", "4");
    // The program does not see changes that an expression makes to an atom.
    let atom = "(let [a (atom 1)] (swap! a inc) (deref a))";
    check(atom, 4, "(do (swap! a + 100) @a)", "102");
    check(atom, 4, "@a", "2");
}

#[test]
fn places_to_stop_at() {
    let source = "(defn f [x]\n\n  (inc x))\n(str (f 1) (f 2))";
    debug(source, |debugger| {
        let form = |line, column| Break::Form { line, column };
        assert_eq!(debugger.add_break(form(1, 1)), Some(form(1, 1)));
        assert_eq!(debugger.add_break(form(2, 1)), Some(form(3, 3)));
        assert_eq!(debugger.add_break(form(4, 7)), Some(form(4, 12)));
        assert_eq!(debugger.add_break(form(4, 13)), None);
        assert_eq!(debugger.add_break(Break::Tool("add".to_owned())), None);
        assert_eq!(debugger.add_break(Break::Error), Some(Break::Error));
        assert_eq!(debugger.add_break(Break::Error), Some(Break::Error));
        let all = [form(1, 1), form(3, 3), form(4, 12), Break::Error];
        assert_eq!(debugger.breaks().cloned().collect::<Vec<_>>(), all);
        assert!(!debugger.remove_break(4));
        assert!(debugger.remove_break(0));
        let mut lines = Vec::new();
        let mut at = debugger.at(1);
        while !matches!(at.what, What::End(_)) {
            at = debugger.go(&at, Go::Continue);
            lines.extend(at.place.as_ref().map(|place| (place.line, place.column)));
        }
        assert_eq!(lines, [(3, 3), (4, 12), (3, 3)]);
        debugger.clear_breaks();
        assert_eq!(debugger.breaks().count(), 0);
    });
}

#[test]
fn a_limit_stops_a_program_where_it_does_anyway() {
    let limits = Limits { memory: 12 << 20, ..Limits::default() };
    let session = || session_of("{}", limits.clone());
    // The program holds `a` and `b` once, since they are moved. Kept copies of them exceed the
    // limit.
    let source =
        "(let [a (vec (range 300000))\n      b (mapv inc a)\n      c (mapv inc b)]\n  (count c))";
    let check = |source: &str, expected: &str, are_whole: bool| {
        let debugger = Debugger::new(&session, source, &answer).unwrap();
        let trace = debugger.trace(0);
        let plain = run(&session(), source);
        assert_eq!(whole(&trace.ended), whole(&plain), "{source}");
        assert_eq!(outcome(&plain), expected, "{source}");
        let last = debugger.at(trace.more);
        assert_eq!(debugger.names(&last).are_whole, are_whole, "{source}");
    };
    check(source, "=> 300000", true);
    check(
        "(let [start []]\n  (reduce (fn [all n] (conj all (str n \"-\" n))) start (vec (range 1000000))))",
        "! memory-limit the program keeps more than its limit of 12582912 bytes of memory",
        false,
    );
}

#[test]
fn functions_of_earlier_programs_know_their_names() {
    let session = || {
        let mut session = session();
        session.remember_names();
        let ended = run(&session, "(def by 3)\n(defn times [x]\n  (* x by))");
        session.commit(&ended).unwrap();
        session
    };
    let debugger = Debugger::new(&session, "(times (+ 1 4))", &answer).unwrap();
    let at = debugger.at(3);
    assert_eq!(
        stop(&debugger, &at),
        "3 form at 3:3 (* x by)
   in times at 3:3 (* x by)
   in program at 1:1 (times (+ 1 4))
   x = 5
   by = 3
   fuel 1, calls 0
"
    );
    assert_eq!(at.place.map(|place| place.is_here), Some(false));
    assert_eq!(debugger.evaluate(&debugger.at(3), "(times x)").unwrap().value, "15");
}

fn run(session: &Session, source: &str) -> Ended {
    let admitted = session.admit(source).unwrap();
    let mut machine = session.start(&admitted);
    let mut budget = Budget::new(session.limits());
    let mut host = |call: &ToolCall| Some(answer(call));
    while !matches!(machine.run_with(&mut budget, &mut host), Yielded::Done) {}
    machine.finish()
}

/// Returns everything that a program leaves behind, as text.
fn whole(ended: &Ended) -> String {
    let Ended { prints, fuel, tool_calls, .. } = ended;
    format!("{} {prints:?} {fuel} {tool_calls} {}", outcome(ended), ended.memory())
}

/// Asserts that debugging a program gives the same result as running it. Returns `None` if the
/// program is not admitted.
fn same(source: &str, ctx: &str, limits: &Limits) -> Option<()> {
    let session = || session_of(ctx, limits.clone());
    let debugger = Debugger::new(&session, source, &answer).ok()?;
    let plain = whole(&run(&session(), source));
    let trace = debugger.trace(40);
    assert_eq!(whole(&trace.ended), plain, "{source}");
    // A step has the same number and place if the debugger goes directly to it.
    for step in [1, 2, 5, 17] {
        let stop = debugger.at(step);
        let line = trace.lines.get(step as usize - 1);
        assert_eq!(
            stop.place.as_ref().map(|it| it.span),
            line.and_then(|line| line.place.as_ref()).map(|it| it.span),
            "{source} at {step}"
        );
        assert!(debugger.names(&stop).are_whole, "{source} at {step}");
    }
    Some(())
}

#[test]
fn programs_of_the_conformance_corpus_give_the_same() {
    let (mut looked_at, every) = (0, one_in(16));
    for file in files(&root().join("tests/conformance"), "jsonl") {
        for line in std::fs::read_to_string(file).unwrap().lines().step_by(every) {
            let case: serde_json::Value = serde_json::from_str(line).unwrap();
            let source = case.get("source").and_then(serde_json::Value::as_str).unwrap_or_default();
            let ctx = case.get("ctx").map_or_else(|| "{}".to_owned(), ToString::to_string);
            looked_at += usize::from(same(source, &ctx, &Limits::default()).is_some());
        }
    }
    assert!(looked_at > 4_000 / every, "{looked_at}");
}

#[test]
fn programs_of_the_language_corpus_give_the_same() {
    let (mut looked_at, every) = (0, one_in(8));
    // For programs that never end, a million units of fuel are enough.
    let limits = Limits { fuel: 1_000_000, ..Limits::default() };
    for file in files(&root().join("tests/language"), "clj") {
        for block in Corpus::read(&file).blocks {
            for case in block.cases.iter().step_by(every) {
                let ctx = block.ctx.as_deref().unwrap_or("{}");
                looked_at += usize::from(same(&case.source, ctx, &limits).is_some());
            }
        }
    }
    assert!(looked_at > 500 / every, "{looked_at}");
}

#[test]
fn excessive_programs_reach_the_same_limit() {
    let limits = Limits { fuel: 200_000, call_depth: 300, memory: 4 << 20, ..Limits::default() };
    for (_, source) in PROGRAMS {
        for fuel in [0, 1, 3, 8] {
            let limits = Limits { fuel, ..limits.clone() };
            assert_eq!(same(source, "{}", &limits), Some(()), "{source}");
        }
    }
    for source in [
        "(defn f [n] (+ 1 (f (inc n)))) (f 0)",
        "(loop [v []] (recur (conj v v)))",
        "(reduce (fn [m i] (assoc m i (str i \"-\" i))) {} (range 100000))",
        "(map (fn [x] (inc x)) (range 300000))",
    ] {
        assert_eq!(same(source, "{}", &limits), Some(()), "{source}");
    }
}
