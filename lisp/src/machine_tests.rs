//! Tests of the machine's inside that need whole programs.

use std::sync::Arc;

use ptc_machine::{Budget, Core, Machine, Outcome, SortKeys};
use ptc_values::Value;
use ptc_values::ir::{Args, Node};
use ptc_values::limits::Limits;

use crate::session::Session;

/// Runs a program with one node replaced after the check; returns code and message.
fn broken(source: &str, is_hit: fn(&Node) -> bool, by: Node) -> (&'static str, String) {
    let session = Session::new(Value::Nil, Vec::new(), Limits::default());
    let mut start = session.beginning(&session.admit(source).unwrap());
    let program = Arc::get_mut(&mut start.program).unwrap();
    *program.nodes.iter_mut().find(|node| is_hit(node)).unwrap() = by;
    let mut machine = Machine::new(start);
    machine.run(&mut Budget::new(&Limits::default()));
    match machine.finish().outcome {
        Outcome::Error(problem) => (problem.code(), problem.message().to_owned()),
        other => panic!("{source} ended with {other:?}"),
    }
}

#[test]
fn a_violated_invariant_is_not_an_error_of_the_program() {
    let expected = (
        "invariant-violated",
        "the machine lost its place; this is a bug of the language".to_owned(),
    );
    let caught =
        |body: &str| format!("(defn f [x] x) (try {body} (catch Throwable e 1) (finally (f 2)))");
    // A turn without a loop, a call taken for a value, and a `try` that does not exist.
    let turn = caught("(loop [i 0] (if (< i 3) (recur (f i)) i))");
    let is_turn = |node: &Node| matches!(node, Node::Recur { .. });
    assert_eq!(broken(&turn, is_turn, Node::Try(9)), expected);
    let value = caught("(+ 1 (let [y 1] (inc y)))");
    let is_sum = |node: &Node| matches!(node, Node::Op { .. });
    assert_eq!(broken(&value, is_sum, Node::RecurFunction(Args { first: 0, count: 0 })), expected);
    let is_try = |node: &Node| matches!(node, Node::Try(_));
    assert_eq!(broken(&caught("(f 1)"), is_try, Node::Try(9)), expected);
}

/// Keys of a sort whose first values have ranks.
const RANKED: &[&str] = &[
    "[3 1 2 1 -1 0 9223372036854775807 (- -9223372036854775807 1)]",
    "[nil 1 (- -9223372036854775807 1) nil -1]",
    "[0.5 -0.5 0.0 -0.0 1e300 -1e300 (/ 1.0 3)]",
    "[1 1.0 0.5 -2 9007199254740992 9007199254740992.0 nil]",
    r#"["b" "a" :a "" "ab" "a\u0000" "a\u0000b"]"#,
    r#"["2024-05-01" "2024-05-02" "2023-12-31" "2024-05-01" :2024]"#,
    r#"["same start, one" "same start, two" "same start, three, and longer" nil "same start, "]"#,
    r#"["Ωμέγα" "Ω" "Я" "日本" "日" "🙂"]"#,
    r#"[["a" 1] ["a" 2] ["b" 0] ["a" 1] [:a 1.5] ["aaaaaaaaaaaa" 1] ["aaaaaaaaaaab" nil]]"#,
    "[[1 [2 3]] [1 [2 4]] [0 [9 9]] [1 [2 3]]]",
    "(let [v [1 2]] [[v 1] [v 2] [[1 2] 1] [[1 3] 0]])",
    "(let [v [1 2]] [v v [1 2] [1 1]])",
    "[[[] 1] [[] 0]]",
    "[nil nil]",
    "[true false nil true]",
    "[[1 true] [1 false] [1 true] [0 nil]]",
    "[[1 [1]] [1 2] [1 nil]]",
    "[[1 2] (conj [1] 1) (vec (cons 1 [2])) (subvec [0 1 2] 1)]",
    "[[1 (apply str (repeat 300 1))] [1 (apply str (repeat 700 1))]]",
    "[[2 {}] [1 {}] [2 {}]]",
];

/// Keys of a sort whose first values have no ranks.
const UNRANKED: &[&str] = &[
    "[[] [] []]",
    "[[1] [1 2] [0 0]]",
    "[9007199254740993 9007199254740992.0 1]",
    "[9223372036854775808 1 2]",
    "[(apply str (repeat 300 1)) (apply str (repeat 700 1)) nil]",
    "[(- ##Inf ##Inf) 1.0 2.0]",
    r#"[1 "a" nil true]"#,
    r#"[["a" 1] [1 2] [2 3]]"#,
    "['a 'b/a 'a]",
    r#"[(parse-date "2024-03-01") (parse-date "2024-01-01")]"#,
    "[(vec (range 20)) (vec (range 20)) (assoc (vec (range 20)) 15 0)]",
];

fn machine(source: &str) -> Machine {
    let session = Session::new(Value::Nil, Vec::new(), Limits::default());
    session.start(&session.admit(source).unwrap())
}

fn keys(source: &str) -> Vec<Value> {
    let mut machine = machine(source);
    machine.run(&mut Budget::new(&Limits::default()));
    match machine.finish().outcome {
        Outcome::Value(value) => value.items().unwrap().cloned().collect(),
        other => panic!("{source} ended with {other:?}"),
    }
}

#[test]
fn ranks_have_the_order_the_price_and_the_errors_of_the_keys() {
    let session = Session::new(Value::Nil, Vec::new(), Limits::default());
    let mut core = Core::new(session.beginning(&session.admit("nil").unwrap()), ());
    let cx = core.cx();
    let ranked = RANKED.iter().map(|source| (source, true));
    for (source, is_ranked) in ranked.chain(UNRANKED.iter().map(|source| (source, false))) {
        let keys = keys(source);
        for descending in [false, true] {
            let sort = SortKeys::of(keys.iter().collect(), descending);
            let positions = sort.ranked();
            assert_eq!(sort.has_ranks(), is_ranked, "{source}");
            for ((one, a), fuel) in
                positions.iter().zip(&keys).flat_map(|pair| [(pair, 1_000), (pair, 2), (pair, 0)])
            {
                for (other, b) in positions.iter().zip(&keys) {
                    let budget = Budget { fuel, ..Budget::new(&Limits::default()) };
                    cx.load(&budget);
                    let expected = if descending { cx.compare(b, a) } else { cx.compare(a, b) };
                    let expected = (expected.map_err(|it| it.to_string()), cx.fuel_left());
                    cx.load(&budget);
                    let found = sort.compare(cx, *one, *other).map_err(|it| it.to_string());
                    assert_eq!((found, cx.fuel_left()), expected, "{source}: {a:?} {b:?}, {fuel}");
                }
            }
        }
    }
}
