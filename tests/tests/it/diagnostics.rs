//! Tests of the renderings of diagnostics: text for models, JSON, and a terminal.

use miette::{GraphicalReportHandler, GraphicalTheme};
use ptc_lisp::{Diagnostic, Limits};
use ptc_tests::World;

/// Faulty programs, each with a name for its fault.
const PROGRAMS: &[(&str, &str)] = &[
    ("unclosed_paren", "(defn total [xs]\n  (reduce + (map :price xs)\n\n(total ctx/orders)"),
    ("unclosed_vector", "(let [x 1\n  (+ x 1))"),
    ("stray_paren", "(+ 1 2))"),
    ("wrong_closer", "(map inc [1 2 3)"),
    ("unclosed_string", "(println \"hello)"),
    ("bad_escape", "(str \"a\\qb\")"),
    ("bad_number", "(+ 1 12abc)"),
    ("decimal", "(+ 1.5M 1)"),
    ("bad_character", "[\\nope]"),
    ("syntax_quote", "`(a ~b)"),
    ("tagged_literal", "#inst \"2024-01-01\""),
    ("odd_map", "{:a 1\n :b}"),
    ("twice_in_map", "{:a 1 :a 2}"),
    ("nothing", "; only a remark"),
    ("several_tokens", "(+ 1x 2y)\n(str ::a)"),
    ("unknown_name", "(let [total 1]\n  (+ totl 1))"),
    ("unknown_function", "(reduc + [1 2])"),
    ("underscore", "(group_by :a [])"),
    ("name_of_a_namespace", "(upper-case \"a\")"),
    ("name_of_ctx", "(map :total orders)"),
    ("name_of_a_tool", "(echo {:v 1})"),
    ("nothing_near", "(frobnicate 1)"),
    ("several_names", "(foo bar baz)"),
    ("left_out_macro", "(defmacro unless [t b] b)"),
    ("left_out_clock", "(System/currentTimeMillis)"),
    ("left_out_library", "(ns my.app (:require [clojure.data.csv :as csv]))\n(csv/read-csv \"a\")"),
    ("left_out_thread", "(future (inc 1))"),
    (
        "exception",
        "(defn check [row] (when-not (:id row) (throw (ex-info \"no id\" {:row row})))) (check {:name \"a\"})",
    ),
    ("exception_without_data", "(throw (IllegalStateException. \"stopped\"))"),
    ("try_without_class", "(try 1 (catch e 2))"),
    ("ctx_near", "ctx/order"),
    ("ctx_far", "ctx/zzzzzz"),
    ("ctx_called", "(count (ctx/orders))"),
    ("name_from_elsewhere", "(return (avg [1 2]))"),
    ("unknown_option", "(json/read-str \"{}\" :key-fun keyword)"),
    ("tool_near", "(call \"ech\" {:v 1})"),
    ("tool_far", "(tool/zzzzzz {})"),
    ("tool_name", "(call echo {:v 1})"),
    ("tool_arguments", "(call \"echo\" [1 2])"),
    ("tool_arguments_late", "(let [args (list 1)] (call \"echo\" args))"),
    ("tool_function", "(call \"echo\" {:v {:f inc}})"),
    ("tool_failed", "(map (fn [id] (call \"boom\" {:id id}))\n     [1 2])"),
    ("planning_tool", "(call \"plan\" {})"),
    ("arity", "(assoc {:a 1} :b)"),
    ("arity_of_a_program", "(defn area [w h] (* w h))\n(area 3)"),
    ("arity_of_a_callback", "(map (fn [a b] (+ a b)) [1 2])"),
    ("arity_of_a_keyword", "(:a {:a 1} 2 3)"),
    ("add_nil", "(let [m {:price 3}]\n  (* 2 (+ (:prise m) 1)))"),
    ("add_string", "(+ 1 \"2\")"),
    ("order_of_texts", "(< \"2025-03-01\" \"2025-04-01\")"),
    ("sort_of_texts", "(sort-by :n > [{:n \"a\"} {:n \"b\"}])"),
    ("order_of_digits", "(< \"1\" \"2\")"),
    ("greatest_text", "(max \"a\" \"b\")"),
    ("greatest_key", "(apply max-key :n [{:n \"a\"} {:n \"b\"}])"),
    ("add_in_a_callback", "(defn cost [o]\n  (* (:price o) (:count o)))\n(map cost [{:price 1}])"),
    ("not_a_collection", "(map inc 5)"),
    ("compare_kinds", "(sort [1 \"a\"])"),
    ("divide", "(/ 10 (- 1 1))"),
    ("step", "(range 0 10 0)"),
    ("position", "(nth [1 2 3] 7)"),
    ("cut", "(subs \"hello\" 3 9)"),
    ("pop", "(pop [])"),
    ("call_a_number", "(1 2 3)"),
    ("call_a_list", "((map inc [1 2]) 0)"),
    ("call_nil", "(let [f (:f {})] (f 1))"),
    ("if_without", "(if)"),
    ("if_too_much", "(if true 1 2 3)"),
    ("let_odd", "(let [a 1 b] a)"),
    ("let_no_vector", "(let (a 1) a)"),
    ("cond_odd", "(cond true 1 false)"),
    ("fn_without", "(fn x)"),
    ("defn_without", "(defn f \"doc\")"),
    ("two_arities", "(defn f ([x] 1) ([y] 2))"),
    ("recur_place", "(loop [i 0] (+ 1 (recur (inc i))))"),
    ("recur_count", "(loop [i 0 j 0] (recur (inc i)))"),
    ("form_as_value", "(map if [1 2])"),
    ("nested_short_fn", "(map #(map #(inc %) %) [[1]])"),
    ("for_modifier", "(for [x [1] :unless x] x)"),
    ("pattern", "(let [{:keys a} {:a 1}] a)"),
    ("pattern_of_a_map", "(let [[a b] {:a 1}] a)"),
    ("return_two", "(return 1 2)"),
    ("return_function", "(return {:rows [{:f inc}]})"),
    ("fail_two", "(fail :a :b)"),
    ("keep_function", "(memory/put :f inc)"),
    ("def_memory", "(def memory/x 1)"),
    ("look_around", "(re-find #\"(?=a)b\" \"ab\")"),
    ("bad_regex", "(re-pattern \"(a\")"),
    ("no_clause", "(case 5 1 :one 2 :two)"),
    ("endless_range", "(sort (map inc (range)))"),
    ("fuel", "(loop [i 0]\n  (recur (inc i)))"),
    ("recursion", "(defn f [n]\n  (+ 1 (f n)))\n(f 1)"),
    (
        "applied",
        "(defn f [x]\n  (/ x 0))\n(defn g [xs]\n  (+ 1 (apply f xs) (apply (fn own [x] (inc x)) xs)))\n(g [1])",
    ),
    ("depth", "(reduce (fn [v _] [v]) [] (range 1000))"),
    (
        "wide",
        "(let [a 1 b 2 c 3 d 4 e 5 f 6 g 7 h 8 i 9 j 10 k 11 l 12 m 13 n 14 o 15 p 16] (+ a b c d e f g h i j k l m n o p misspelled-name))",
    ),
    ("unicode", "(str \"héllo 😀\" wörld)"),
    ("tabs", "\t(foo\t1)"),
    ("windows_lines", "(let [x 1]\r\n  (+ x y))\r\n"),
];

fn problems(source: &str) -> Vec<Diagnostic> {
    let limits = Limits { fuel: 100_000, call_depth: 1000, ..Limits::default() };
    let mut world = World::new(r#"{"orders": [{"total": 1}]}"#, limits);
    let mut problems = world.problems(source);
    if problems.is_empty()
        && let Ok((ended, _)) = world.run_raw(source)
    {
        problems.extend(world.session.commit(&ended).err());
    }
    problems
}

/// Returns the text for a model and the JSON for a program.
fn text(problem: &Diagnostic) -> String {
    let head = (problem.code(), problem.kind().as_str(), problem.message());
    let lines = [
        Some(format!("{} ({}): {}", head.0, head.1, head.2)),
        problem.excerpt(),
        problem.help().map(|help| format!("help: {help}")),
        Some(problem.trace().join(" < "))
            .filter(|trace| !trace.is_empty())
            .map(|trace| format!("in: {trace}")),
        Some(problem.to_json().to_string()),
    ];
    lines.into_iter().flatten().map(|line| line + "\n").collect()
}

#[test]
fn texts_and_json() {
    let pages: Vec<String> = PROGRAMS
        .iter()
        .map(|(name, source)| {
            let found: Vec<String> = problems(source).iter().map(text).collect();
            assert!(!found.is_empty(), "nothing is wrong with {name}");
            format!("── {name}\n{source}\n\n{}\n", found.join("\n"))
        })
        .collect();
    insta::assert_snapshot!(pages.concat());
}

#[test]
fn terminal() {
    let handler =
        GraphicalReportHandler::new_themed(GraphicalTheme::unicode_nocolor()).with_width(100);
    let mut all = String::new();
    for (name, source) in PROGRAMS {
        for problem in problems(source) {
            all += "── ";
            all += name;
            all += "\n";
            handler.render_report(&mut all, &problem).unwrap();
            all += "\n";
        }
    }
    insta::assert_snapshot!(all);
}

/// Every message follows the house rules.
#[test]
fn messages_follow_the_rules() {
    for (name, source) in PROGRAMS {
        for problem in problems(source) {
            let message = problem.message();
            assert!(!message.ends_with('.'), "{name}: {message}");
            assert!(!message.contains("Value::") && !message.contains("ptc/"), "{name}: {message}");
            let first = message.chars().next().unwrap_or_default();
            assert!(!first.is_uppercase(), "{name}: {message}");
            assert!(problem.help().is_none_or(|help| !help.ends_with('.')), "{name}");
        }
    }
}
