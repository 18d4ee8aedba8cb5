//! Tests of programs that a grammar refuses, beside similar ones that it accepts.

use ptc_lisp::vocabulary::{Builtin, builtins};
use ptc_lisp::{Effect, Limits, Session, ToolDecl, json};
use ptc_prompt::{Functions, GrammarOptions, MissionMode, ReplyFormat};
use ptc_tests::assert_no_problems;

use super::gbnf::Follower;
use super::scope::{Lark, gbnf, grammar_of};

fn session() -> Session {
    let tools = [
        ("rate", "(currency :string, on :string?) -> :float"),
        ("now", "-> :string"),
        ("search", "(query :string, limit :int?, page :int?, sort :string?) -> [:any]"),
        ("free", ""),
        ("odd \"name\" \\ [a-z]* \u{1}", ""),
    ];
    let tools = tools.map(|(name, signature)| ToolDecl {
        signature: (!signature.is_empty()).then(|| signature.parse().unwrap()),
        ..ToolDecl::new(name, Effect::Read)
    });
    let later = ToolDecl { callable: false, ..ToolDecl::new("later", Effect::Read) };
    let tools = tools.into_iter().chain([later]).collect();
    Session::new(
        json::parse(r#"{"orders": [], "region": "n", "größe": 1, "x.*": 2, "a b": 3}"#).unwrap(),
        tools,
        Limits::default(),
    )
}

/// Checks accepted and refused programs, in both notations.
fn check(
    mode: MissionMode,
    functions: Functions,
    reply: ReplyFormat,
    taken: &[String],
    refused: &[String],
) {
    let options = GrammarOptions { functions, reply, ..GrammarOptions::default() };
    let grammar = grammar_of(&session(), mode, &options);
    let (lark, gbnf) = (Lark::new(&grammar), gbnf(&grammar));
    let mut follower = Follower::new(&gbnf);
    let mut problems = Vec::new();
    for (sources, expected) in [(taken, true), (refused, false)] {
        for source in sources {
            let found = [lark.takes(source), follower.takes(source)];
            if found.iter().any(|it| it.is_ok() != expected) {
                problems.push(format!("{source}\nexpected {expected}\nfound    {found:?}"));
            }
        }
    }
    assert_no_problems(&problems);
}

fn lines(text: &str) -> Vec<String> {
    text.lines().map(str::trim).filter(|line| !line.is_empty()).map(str::to_owned).collect()
}

#[test]
fn unknown_names_are_refused() {
    let odd = "(call \"odd \\\"name\\\" \\\\ [a-z]* \u{1}\" {:any 1})";
    let taken = r#"
        (return (count ctx/orders))
        (call "rate" {:currency "EUR"})
        (call "rate" {"on" "now", :currency "EUR"})
        (call "rate" {:currency "EUR" :on (call "now")})
        (call "now" {})
        (tool/now)
        (call "search" {:sort "x" :query "y"})
        (call "free" {:anything [1 2]})
        (call t {:anything [1 2]})
        (call @t)
        (call (:tool ctx/orders) (merge t {:a 1}))
        (call ctx/x.* {})
        (str/join "," (map :id ctx/orders))
        (clojure.string/join "," [1])
        (-> ctx/orders first :id (str "x") return)
        (f 1 2)
        (let [{:keys [a b] :or {b 1}} {:a 1}] (if (> a b) a b))
        (try (f) (catch Exception e (ex-message e)))
        (:id ctx/fail)
        (case () () 0)
        (not (not (not (not (not (not (not (case () () 0))))))))
        [ctx/größe ctx/x.*]
    "#;
    let refused = r#"
        (return (count ctx/order))
        (count ctx/ordersx)
        ctx/xyz
        (call "odd name" {})
        (call "rates" {:currency "EUR"})
        (call "rate" {:curency "EUR"})
        (call "rate" {:on "now"})
        (call "rate" {:currency "EUR" :currency "USD"})
        (call "rate")
        (call "now" {:at 1})
        (call "search" {:query "y" :user 1})
        (call "later" {})
        (call :now {})
        (call ["now"] {})
        (call (str "no" "w") {} {})
        (call)
        (tool/rates {:currency "EUR"})
        (str/joined "," [1])
        (str/join "," [1] 2)
        (first [1] 2)
        (-> ctx/orders (first 1))
        (-> ctx/orders get)
        (:id ctx/orders 1 2)
        (return 1 2)
        (if true)
        (let [a] a)
        (let (a 1) a)
        (cond true)
        (slurp "x")
        (sum-up [1 2])
        (try 1 (catch Oops e 1))
        (1 2)
        (inc 1
        inc 1)
        {:a}
    "#;
    let both = [[lines(taken), vec![odd.to_owned()]].concat(), lines(refused)];
    check(MissionMode::Agent, Functions::default(), ReplyFormat::Bare, &both[0], &both[1]);
    check(
        MissionMode::Agent,
        Functions::Any,
        ReplyFormat::Bare,
        &both[0],
        &lines("(slurp 1)\n(first)\n(let 1)"),
    );
    check(
        MissionMode::Agent,
        Functions::Any,
        ReplyFormat::Bare,
        &lines("(sum-up [1 2])\n(firsts 1)"),
        &[],
    );
    let ends = r#"
        (return 1)
        (fail {:reason :x})
        (call "now")
        ctx/fail
    "#;
    check(
        MissionMode::SingleTurn,
        Functions::default(),
        ReplyFormat::Bare,
        &lines("(inc 1)"),
        &lines(ends),
    );
}

#[test]
fn lengths_and_depths_are_bounded() {
    let deep = |depth: usize| format!("{}1{}", "(not ".repeat(depth), ")".repeat(depth));
    let text = |length: usize| format!("\"{}\"", "a".repeat(length));
    let blanks = |length: usize| format!("(not{}1)", " ".repeat(length));
    let lines = |count: usize| format!("1{}2", "\n".repeat(count));
    let remark = |length: usize| format!("1 ;{}\n2", "a".repeat(length));
    let name = |length: usize| format!("[:{}]", "a".repeat(length));
    let taken = [deep(8), text(400), blanks(40), lines(12), remark(400), name(64)];
    let refused = [deep(9), text(401), blanks(41), lines(13), remark(401), name(65)];
    check(MissionMode::Agent, Functions::default(), ReplyFormat::Bare, &taken, &refused);
}

#[test]
fn a_fenced_reply_is_one_block() {
    let block = |program: &str| format!("```clojure\n{program}\n```");
    let taken = [
        block("(return 1)"),
        block(";; the answer\n(def x 1)\n\n(return x) ; done"),
        block("(return 1)\n") + "\n",
    ];
    let refused = [
        "(return 1)".to_owned(),
        format!("Here it is:\n{}", block("(return 1)")),
        block("(return 1)") + "\n\n",
        block("\"`\""),
        block(""),
        "```clojure\n(return 1)```".to_owned(),
        "```lisp\n(return 1)\n```".to_owned(),
    ];
    check(MissionMode::Agent, Functions::default(), ReplyFormat::Fenced, &taken, &refused);
}

/// Returns a call with `count` arguments.
fn call(builtin: &Builtin, count: usize) -> String {
    format!("({}{})", builtin.name, " 1".repeat(count))
}

#[test]
fn every_builtin_is_called_with_as_many_arguments_as_it_takes() {
    let functions = || builtins().map(|(_, it)| it).filter(|it| !it.is_constant());
    let most = |it: &Builtin| it.max.unwrap_or(it.min + 9);
    let taken: Vec<String> =
        functions().flat_map(|it| [call(it, it.min), call(it, most(it))]).collect();
    let few = functions().filter(|it| it.min > 0).map(|it| call(it, it.min - 1));
    let many = functions().filter_map(|it| it.max.map(|max| call(it, max + 1)));
    let refused: Vec<String> = few.chain(many).collect();
    assert!(taken.len() > 1_000 && refused.len() > 700, "{} {}", taken.len(), refused.len());
    check(MissionMode::Agent, Functions::default(), ReplyFormat::Bare, &taken, &refused);
    check(MissionMode::Agent, Functions::Any, ReplyFormat::Bare, &taken, &refused);
}
