//! Tests of admission reports, and of their truth in every run.

use std::fmt::Write as _;

use proptest::prelude::*;
use ptc_lisp::{Budget, Effect, Limits, Outcome, Session, ToolDecl, Yielded, json};
use ptc_signatures::SignatureMode;
use ptc_tests::{World, assert_no_problems};

const CTX: &str = r#"{
    "customers": [{"id": 1, "name": "Ada"}, {"id": 2, "name": "Bo"}],
    "groups": [[1, 2], [3]], "limit": 3, "region": "north", "none": []
}"#;

/// Tools with name, signature, effect and cost of a call.
const TOOLS: &[(&str, &str, Effect, Option<f64>)] = &[
    ("rate", "(currency :string) -> :float", Effect::Read, Some(0.5)),
    (
        "orders",
        "(customer :int, limit :int?) -> [{id :int, total :float, lines [{sku :string}]}]",
        Effect::Read,
        None,
    ),
    ("top", "(n :int[1..10]) -> [:int][..5]", Effect::Read, None),
    ("page", "() -> {items [{id :int, total :float}], next :int?}", Effect::Read, None),
    (
        "notify",
        "(to :string, level :enum[low high], tags [:string]?) -> :bool",
        Effect::Write,
        None,
    ),
    ("free", "", Effect::Read, None),
    ("open", "() -> [{id :int, ..}]", Effect::Read, None),
    ("events", "() -> [{id :int, at :datetime}]", Effect::Read, None),
];

fn session(mode: Option<SignatureMode>) -> Session {
    let tools = TOOLS.iter().map(|(name, signature, effect, cost)| ToolDecl {
        signature: (!signature.is_empty()).then(|| signature.parse().unwrap()),
        mode,
        cost: *cost,
        ..ToolDecl::new(*name, *effect)
    });
    Session::new(json::parse(CTX).unwrap(), tools.collect(), Limits::default())
}

/// Returns the report as lines: problems, or tools with bounds and everything unusual.
fn report_text(session: &Session, source: &str) -> String {
    let mut text = String::new();
    let admitted = match session.admit(source) {
        Ok(admitted) => admitted,
        Err(rejection) => {
            for problem in &rejection.diagnostics {
                let (line, column) = problem.line_column().unwrap_or_default();
                let help = problem.help().map(|help| format!(" ({help})")).unwrap_or_default();
                let code = problem.code();
                let _ = writeln!(text, "! {line}:{column} {code}: {problem}{help}");
            }
            return text;
        }
    };
    let report = admitted.report();
    for tool in &report.tools {
        let _ = writeln!(text, "{} {}", tool.name, tool.times);
    }
    if let Some(cost) = report.worst_cost() {
        let _ = writeln!(text, "costs {cost}");
    }
    if report.always_ends {
        text.push_str("always ends\n");
    }
    for warning in admitted.warnings() {
        let _ = writeln!(text, "? {}: {warning}", warning.code());
    }
    text
}

fn all(session: &Session, programs: &str) -> String {
    let mut text = String::new();
    for program in programs.split("\n\n").map(str::trim).filter(|it| !it.is_empty()) {
        let _ = writeln!(text, "{program}\n{}", report_text(session, program));
    }
    text
}

/// The bounds on calls of each tool, for every form that calls.
#[test]
fn bounds() {
    insta::assert_snapshot!(all(&session(None), include_str!("../../admission/bounds.clj")));
}

/// Errors and warnings.
#[test]
fn fits() {
    insta::assert_snapshot!(all(&session(None), include_str!("../../admission/fits.clj")));
}

/// Misspelled options and words of forms.
#[test]
fn options() {
    insta::assert_snapshot!(all(&session(None), include_str!("../../admission/options.clj")));
}

/// Arguments in the wrong order, for example by `->` instead of `->>`, are refused where a run
/// would fail.
#[test]
fn order() {
    let (programs, session) = (include_str!("../../admission/order.clj"), session(None));
    insta::assert_snapshot!(all(&session, programs));
    let mut world = World::new(CTX, Limits::default());
    for program in programs.split("\n\n").map(str::trim) {
        let refused = session.admit(program).is_err();
        if refused {
            let ran = world.run(&format!("(try {program} (catch Exception e :failed))"));
            assert_eq!(ran.shown, "=> :failed", "{program}");
        }
    }
}

/// Fields that records do not have.
#[test]
fn fields() {
    insta::assert_snapshot!(all(&session(None), include_str!("../../admission/fields.clj")));
}

/// Comparisons that never hold.
#[test]
fn equal() {
    insta::assert_snapshot!(all(&session(None), include_str!("../../admission/equal.clj")));
}

/// Returned values are checked against the signature of the mission.
#[test]
fn returns() {
    let mut session = session(None);
    let output = "[{customer :string, total :float, note :string?}]".parse().unwrap();
    session.expect(output, SignatureMode::Strict);
    insta::assert_snapshot!(all(&session, include_str!("../../admission/returns.clj")));
}

/// The mode `coerce` refuses less, `strict` refuses more, and `warn` refuses nothing.
#[test]
fn modes() {
    let programs = [
        "(call \"orders\" {:customer \"42\"})",
        "(call \"orders\" {:customer \"many\"})",
        "(call \"orders\" {:customer 1 :colour \"red\"})",
        "(call \"orders\" {:customer [1]})",
        "(filter #(= (:id %) \"1\") (call \"orders\" {:customer 1}))",
    ];
    let mut text = String::new();
    for mode in SignatureMode::ALL {
        for program in programs {
            let report_text = report_text(&session(Some(mode)), program);
            let _ = writeln!(text, "{mode} {program}\n{report_text}");
        }
    }
    insta::assert_snapshot!(text);
}

/// Functions and data of earlier programs may call the tools that those programs named.
#[test]
fn what_earlier_programs_left() {
    let mut world = World::new(CTX, Limits::default());
    let mut text = String::new();
    for program in [
        "(defn fetch [x] (call \"echo\" {:v x}))",
        "(fetch 1)",
        "(map fetch ctx/customers)",
        "(def box {:f fetch})",
        "((:f box) 1)",
        "(defn fetch [x] (call \"add\" {:a x :b 1}))",
        "(defn twice [x] [(fetch x) (fetch x)])",
        "(twice 2)",
        "(count ctx/customers)",
    ] {
        let report_text = report_text(&world.session, program);
        let ran = world.run(program);
        let _ = writeln!(text, "{program}\n{report_text}{}\n", ran.shown);
    }
    insta::assert_snapshot!(text);
}

/// Problems of all kinds in one program are reported together, inner ones first.
#[test]
fn all_problems_at_once() {
    let source = "(let [a (call \"rat\" {:currency \"EUR\"})\n      b (call \"orders\" {:custmer 1})]\n  (notfy a)\n  (call \"top\" {:n 50})\n  (str/joyn b))";
    insta::assert_snapshot!(report_text(&session(None), source));
}

/// Generates programs from forms that call tools, loop and pass functions on.
fn program() -> impl Strategy<Value = String> {
    let leaf = prop_oneof![
        Just("1".to_owned()),
        Just("nil".to_owned()),
        Just("x".to_owned()),
        Just("ctx/limit".to_owned()),
        Just("(call \"echo\" {:v x})".to_owned()),
        Just("(call \"items\")".to_owned()),
        Just("(tool/add {:a 1 :b 2})".to_owned()),
        Just("(call \"boom\")".to_owned()),
        Just("(call (str \"ec\" \"ho\") {:v x})".to_owned()),
        Just("(call (if x \"add\" \"items\") {:v x})".to_owned()),
        Just("(call x {:v 1})".to_owned()),
    ];
    let name = prop_oneof![
        6 => prop_oneof![Just("\"echo\""), Just("\"items\""), Just("\"boom\""), Just("\"add\"")],
        1 => prop_oneof![Just("\"return\""), Just("\"fail\""), Just("\"ecko\""), Just("\"plan\""), Just("x")],
    ];
    let list = prop_oneof![
        Just("ctx/customers".to_owned()),
        Just("ctx/none".to_owned()),
        Just("[1 2 3]".to_owned()),
        Just("(call \"items\")".to_owned()),
        Just("(range 3)".to_owned()),
        Just("(take 2 (call \"items\"))".to_owned()),
        Just("(filter map? ctx/customers)".to_owned()),
    ];
    leaf.prop_recursive(5, 40, 4, move |inner| {
        let list = list.clone();
        let (x, n) = (inner, name.clone());
        prop_oneof![
            (x.clone(), x.clone(), x.clone()).prop_map(|(a, b, c)| format!("(if {a} {b} {c})")),
            (x.clone(), x.clone()).prop_map(|(a, b)| format!("(let [x {a}] {b})")),
            (x.clone(), x.clone()).prop_map(|(a, b)| format!("(do {a} {b})")),
            (x.clone(), x.clone()).prop_map(|(a, b)| format!("(or {a} {b})")),
            (x.clone(), list.clone()).prop_map(|(a, l)| format!("(mapv (fn [x] {a}) {l})")),
            (x.clone(), list.clone()).prop_map(|(a, l)| format!("(doseq [x {l}] {a})")),
            (x.clone(), list.clone()).prop_map(|(a, l)| format!("(vec (for [x {l} :when {a}] x))")),
            (x.clone(), list.clone()).prop_map(|(a, l)| format!("(pmap (fn [x] {a}) {l})")),
            (x.clone(), list.clone())
                .prop_map(|(a, l)| format!("(reduce (fn [acc x] (conj acc {a})) [] {l})")),
            (x.clone(), list.clone()).prop_map(|(a, l)| format!("(group-by (fn [x] {a}) {l})")),
            (x.clone(), list.clone()).prop_map(|(a, l)| format!("(some (fn [x] {a}) {l})")),
            (x.clone(), list.clone()).prop_map(|(a, l)| format!("(into [] (map (fn [x] {a})) {l})")),
            (x.clone(), x.clone(), list.clone()).prop_map(|(a, b, l)| format!(
                "(transduce (comp (filter (fn [x] {a})) (mapcat (fn [x] [x {b}])) (take 3)) conj {l})"
            )),
            (x.clone(), x.clone(), list.clone()).prop_map(|(a, b, l)| format!(
                "(let [xf (comp (take-while (fn [x] {a})) (partition-by (fn [x] {b})))] [(into [] xf {l}) (sequence xf [1 2])])"
            )),
            (x.clone(), list.clone()).prop_map(|(a, l)| format!(
                "(do (def xf (map (fn [x] {a}))) (vec (eduction xf (halt-when nil?) {l})))"
            )),
            (x.clone(), x.clone(), list.clone()).prop_map(|(a, b, l)| format!(
                "(into #{{}} (fn [rf] (fn ([] (rf)) ([acc] {a} (rf acc)) ([acc x] (rf acc {b})))) {l})"
            )),
            (x.clone(), 0..4).prop_map(|(a, n)| format!("(dotimes [x {n}] {a})")),
            (x.clone(), 0..4).prop_map(|(a, n)| format!(
                "(loop [i 0 r []] (if (< i {n}) (recur (inc i) (conj r {a})) r))"
            )),
            (x.clone(), x.clone())
                .prop_map(|(a, b)| format!("(let [f (fn [x] {a})] [(f {b}) (f 2)])")),
            (x.clone(), x.clone())
                .prop_map(|(a, b)| format!("(let [f (fn [g x] (g x))] (f (fn [x] {a}) {b}))")),
            (x.clone(), x.clone()).prop_map(|(a, b)| format!("((comp (fn [x] {a}) inc) {b})")),
            (x.clone(), list).prop_map(|(a, l)| format!("(map (partial (fn [y x] {a}) 1) {l})")),
            (x.clone(), x.clone()).prop_map(|(a, b)| format!(
                "(try {a} (catch Exception e {b}) (finally (call \"echo\" {{:v 1}})))"
            )),
            x.clone().prop_map(|a| format!(
                "(letfn [(f [n] (if (pos? n) (g (dec n)) {a})) (g [n] (f n))] (f 2))"
            )),
            x.clone().prop_map(|a| format!("((fn f [n x] (if (pos? n) (f (dec n) {a}) x)) 2 1)")),
            x.clone().prop_map(|a| format!("(let [d (delay {a})] [@d @d])")),
            x.clone().prop_map(|a| format!("(update {{:a 1}} :a (fn [x] {a}))")),
            x.clone().prop_map(|a| format!("(apply (fn [x] {a}) [1])")),
            (x.clone(), x.clone())
                .prop_map(|(a, b)| format!("(if {a} (return {b}) (fail {{:m {a}}}))")),
            x.clone().prop_map(|a| format!("(when (nil? {a}) (return {a}))")),
            (x.clone(), n.clone()).prop_map(|(a, n)| format!("(let [t {n}] (call t {{:v {a}}}))")),
            (x.clone(), n.clone(), n.clone())
                .prop_map(|(a, n, m)| format!("(mapv (fn [t] (call t {{:v {a}}})) [{n} {m}])")),
            (x.clone(), n.clone(), n.clone())
                .prop_map(|(a, n, m)| format!("(doseq [x [{n} {m}]] {a})")),
            (x.clone(), n.clone()).prop_map(|(a, n)| format!(
                "(do (defn again [t v n] (try (call t {{:v v}}) (catch Exception e (if (pos? n) (again t v (dec n)) {a})))) (again {n} 1 2))"
            )),
            (x.clone(), n.clone(), n.clone()).prop_map(|(a, n, m)| format!(
                "(do (defn go ([t] (go t 2)) ([t k] (if (pos? k) (mapv (fn [x] (go t (dec k))) [1 {a}]) (call t {{:v k}})))) [(go {n}) (go {m} 1)])"
            )),
            (x.clone(), n.clone(), n.clone()).prop_map(|(a, n, m)| format!(
                "((fn f [t k] (if (pos? k) (recur {m} (dec k)) (call t {{:v {a}}}))) {n} 1)"
            )),
            (x.clone(), n.clone(), n.clone()).prop_map(|(a, n, m)| format!(
                "(let [box {{:a {n} :b {m}}}] [(call (get box {a} \"items\")) (call (:a box) {{:v 1}})])"
            )),
            (x.clone(), n).prop_map(|(a, n)| format!("(do (def x {n}) {a})")),
            (x.clone(), x).prop_map(|(a, b)| format!("(do (defn h [x] {a}) (map h [1 {b}]))")),
        ]
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, ..ProptestConfig::default() })]

    /// The world checks every run against the report of its program, so running is the test.
    #[test]
    fn no_run_exceeds_its_report(body in program(), second in program()) {
        let limits = Limits { fuel: 20_000, ..Limits::default() };
        let mut world = World::new(CTX, limits);
        world.run(&format!("(let [x 1] {body})"));
        world.run(&format!("(def x 2) {second}"));
    }
}

/// The description of a tool that a program looks up shows no more than the prompt does.
#[test]
fn documentation_of_a_tool_leaves_hidden_fields_out() {
    let signature = "(id :int, _token :string) -> {name :string, _key :string}";
    let tool = ToolDecl {
        signature: Some(signature.parse().unwrap()),
        description: Some("An account.".into()),
        ..ToolDecl::new("account", Effect::Read)
    };
    let session = Session::new(json::parse("{}").unwrap(), vec![tool], Limits::default());
    let admitted = session.admit("(with-out-str (doc account))").unwrap();
    let mut machine = session.start(&admitted);
    let mut budget = Budget::new(session.limits());
    assert!(matches!(machine.run(&mut budget), Yielded::Done));
    let Outcome::Value(value) = machine.finish().outcome else { panic!("no value") };
    assert_eq!(
        value.as_str().unwrap(),
        "account\n(call \"account\" {…})\n  (id :int, _token :string) -> {name :string}\n  An account.\n"
    );
}

/// Right programs with lazy sequences have no warnings.
#[test]
fn lazy_programs_have_no_warnings() {
    const PROGRAMS: &[&str] = &[
        "(first (for [x (range 1000000000)] x))",
        "(take 3 (for [x (range) :when (odd? x) :let [y (* x x)]] [x y]))",
        "(first (for [x (range 10) y (range 1000000000)] [x y]))",
        "(take 2 (map inc (range)))",
        "(take 2 (map + (range) (iterate inc 1)))",
        "(take 2 (map-indexed vector (range)))",
        "(take 2 (filter odd? (iterate inc 1)))",
        "(take 2 (remove odd? (range)))",
        "(take 2 (keep identity (repeat 1)))",
        "(take 2 (mapcat (fn [x] [x x]) (range)))",
        "(take-while #(< % 3) (range))",
        "(first (drop-while #(< % 3) (range)))",
        "(take 2 (partition-by even? (range)))",
        "(take 2 (reductions + (range)))",
        "(take 2 (cycle [1 2]))",
        "(take 2 (repeatedly (fn [] 1)))",
        "(take 2 (lazy-seq (cons 1 nil)))",
        "(some #(when (> % 3) %) (range))",
        "(every? pos? (range))",
        "(doseq [x (range 3)] (println x))",
        "(reduce (fn [a x] (if (> x 3) (reduced a) (+ a x))) 0 (range))",
        "(into [] (comp (map inc) (take 2)) (range))",
    ];
    let warned = PROGRAMS.iter().filter_map(|source| {
        let admitted = session(None).admit(source).expect("it is admitted");
        let warnings = admitted.warnings();
        (!warnings.is_empty()).then(|| format!("{source}: {warnings:?}"))
    });
    assert_no_problems(&warned.collect::<Vec<_>>());
}
