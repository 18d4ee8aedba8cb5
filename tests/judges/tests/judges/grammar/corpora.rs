//! Tests that the grammar accepts programs of people and models.

use std::collections::BTreeMap;

use ptc_lisp::vocabulary::builtins;
use ptc_lisp::{Effect, Limits, Session, ToolDecl, json};
use ptc_prompt::{Functions, GrammarOptions, MissionMode, ReplyFormat};
use ptc_tests::{Corpus, assert_no_problems, files, root};

use super::gbnf::Follower;
use super::scope::{Lark, gbnf, grammar_of};

/// An admitted program, with the data and the tools that it names.
struct Program {
    place: String,
    source: String,
    ctx: String,
    tools: &'static [(&'static str, &'static str)],
}

/// The tools of `tests/src/world.rs`, which have no signatures.
const WORLD: &[(&str, &str)] = &[("echo", ""), ("add", ""), ("boom", ""), ("items", "")];

/// The tools of `tests/tests/admission.rs`.
const ORDERS: &[(&str, &str)] = &[
    ("rate", "(currency :string) -> :float"),
    ("orders", "(customer :int, limit :int?) -> [{id :int, total :float, lines [{sku :string}]}]"),
    ("top", "(n :int[1..10]) -> [:int][..5]"),
    ("notify", "(to :string, level :enum[low high], tags [:string]?) -> :bool"),
    ("free", ""),
];

const CUSTOMERS: &str = r#"{
    "customers": [{"id": 1, "name": "Ada"}, {"id": 2, "name": "Bo"}],
    "groups": [[1, 2], [3]], "limit": 3, "region": "north", "none": []
}"#;

fn session(program: &Program) -> Session {
    let tools = program.tools.iter().map(|(name, signature)| ToolDecl {
        signature: (!signature.is_empty()).then(|| signature.parse().unwrap()),
        ..ToolDecl::new(*name, Effect::Read)
    });
    Session::new(json::parse(&program.ctx).unwrap(), tools.collect(), Limits::default())
}

/// Returns all programs of the corpora that admission accepts.
fn programs() -> Vec<Program> {
    let mut programs = Vec::new();
    for path in files(&root().join("tests/language"), "clj") {
        let corpus = Corpus::read(&path);
        for block in &corpus.blocks {
            let ctx = block.ctx.clone().unwrap_or_else(|| "{}".to_owned());
            // A later program may call functions of an earlier one.
            let mut world = block.world(Limits::default());
            for case in &block.cases {
                let place = format!("{}:{}", corpus.name, case.line);
                let admitted = world.session.admit(&case.source).is_ok();
                world.run(&case.source);
                let source = case.source.clone();
                let program = Program { place, source, ctx: ctx.clone(), tools: WORLD };
                programs.extend(Some(program).filter(|_| admitted));
            }
        }
    }
    let mut alone = |place: String, source: &str, ctx: &str, tools| {
        let (source, ctx) = (source.to_owned(), ctx.to_owned());
        let program = Program { place, source, ctx, tools };
        let admitted = session(&program).admit(&program.source).is_ok();
        programs.extend(Some(program).filter(|_| admitted));
    };
    let conformance = std::fs::read_dir(root().join("tests/conformance")).unwrap();
    let mut paths: Vec<_> = conformance.map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    for path in paths.iter().filter(|path| path.to_string_lossy().ends_with(".expected.jsonl")) {
        for line in std::fs::read_to_string(path).unwrap().lines() {
            let case: serde_json::Value = serde_json::from_str(line).unwrap();
            let text = |key: &str| case[key].as_str().unwrap_or_default().to_owned();
            let ctx = case.get("ctx").map_or_else(|| "{}".to_owned(), ToString::to_string);
            alone(text("id"), &text("source"), &ctx, &[]);
        }
    }
    for path in files(&root().join("tests/admission"), "clj") {
        let text = std::fs::read_to_string(&path).unwrap();
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        for (at, source) in text.split("\n\n").enumerate() {
            alone(format!("{name}#{}", at + 1), source.trim(), CUSTOMERS, ORDERS);
        }
    }
    for path in files(&root().join("lisp/tests/cases"), "txt") {
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        for (at, line) in std::fs::read_to_string(&path).unwrap().lines().enumerate() {
            if let Some((source, _)) = line.split_once(" ;") {
                alone(format!("{name}:{}", at + 1), source, "{}", &[]);
            }
        }
    }
    for (part, builtin) in builtins() {
        let source = builtin.example.split(" => ").next().unwrap_or_default();
        alone(format!("{part}: {}", builtin.name), source, "{}", &[]);
    }
    programs
}

/// Features of the language that the grammar leaves out, each with the texts that mark programs
/// with it.
const LEFT_OUT: &[(&str, &[&str])] = &[
    ("libraries get names", &["(require", "(ns ", "(use ", "(import", "(refer "]),
    ("the namespace of a program", &["user/", "::"]),
    ("a name with the package of a class", &["java.", "clojure.lang."]),
    (
        "another name of a library",
        &[
            "clojure.core/",
            "clojure.repl/",
            "clojure.edn/",
            "clojure.math/",
            "clojure.math.combinatorics/",
            "clojure.data.json/",
            "cheshire.",
            "(math/",
            "(string/",
            "(s/",
        ],
    ),
    ("Java's dots", &["(. ", "(.. ", "(memfn ", "(new "]),
    ("metadata, parts that are skipped, vars", &["^", "#_", "#'"]),
    (
        "arguments that do not stand in the call of their tool",
        &[
            "tool/echo]",
            "tool/echo [",
            "(call \"echo\" args)",
            "(call \"echo\" (assoc",
            "(call \"free\" c)",
            "(call \"free\" o)",
            "(call \"free\" (",
            "(call \"rate\" (",
        ],
    ),
    ("an argument that the tool has not", &["{:currency \"EUR\" :date"]),
    ("the end of a run as a tool", &["(call \"return\"", "(call \"fail\""]),
    (
        "a number of arguments that is wrong",
        &[
            "(try (inc 1 2)",
            "(try (str/join)",
            "(Math/PI)",
            "(ctx/name)",
            "(try (:a",
            "(fn [] (:a))",
            "(try (assoc {} :a)",
            "(ex-info \"a\" {} nil 1)",
            "(try (first)",
            "(try (json/read-str)",
            "(keys 1 2)",
        ],
    ),
    (
        "a name of the language for something else",
        &[
            "(let [doc inc]",
            "(let [sum 3 ",
            "(defn sum [& xs]",
            "(let [fn inc]",
            "(let [let inc]",
            "(let [loop inc]",
            "(let [budget inc]",
            "(let [memory inc]",
            "(let [return inc]",
            "(let [[call]",
            "(for [call ",
            "(defn f [call]",
            "(defn call ",
            "(defn fail ",
            "(defn memory ",
            "(letfn [(return ",
        ],
    ),
    (
        "a transducer",
        &[
            "(into [",
            "(into {",
            "(into #{",
            "(into nil",
            "(into '(",
            "(into (sorted",
            "(into)",
            "(into [] cat",
            "(partial into",
            "(apply into",
            "(sequence ",
            "transduce",
            "eduction",
            "halt-when",
            "(map inc)",
            "((map ",
            "((filter ",
            "((take ",
            "((take-while ",
            "((partition-",
            "((comp ",
            "(filter odd?)",
        ],
    ),
    ("a map before the parameters", &["(defn k {:doc", "(defn f \"doc\" {:added"]),
    ("names and blanks that hardly anybody writes", &["a#b", "\u{a0}"]),
    (
        "a literal that does nothing there",
        &[
            "'deref @a",
            "(1 2)",
            "(\"a\" 2)",
            "(true 2)",
            "(5 1)",
            "(false x)",
            "@1",
            "@5",
            "('(1 2) 0)",
            "'(1 . 2)",
        ],
    ),
];

fn left_out(source: &str) -> Option<&'static str> {
    if source == "tool/echo" {
        return Some("arguments that do not stand in the call of their tool");
    }
    let has = |(_, parts): &&(&str, &[&str])| parts.iter().any(|part| source.contains(part));
    LEFT_OUT.iter().find(has).map(|(why, _)| *why)
}

/// The depth for the few programs that nest deeper than the default allows, in levels.
const DEEPER: usize = 12;

#[test]
fn every_program_in_scope_is_taken_in_both_notations() {
    let programs = programs();
    let mut scopes: BTreeMap<(&str, usize), Vec<&Program>> = BTreeMap::new();
    for program in &programs {
        scopes.entry((&program.ctx, program.tools.len())).or_default().push(program);
    }
    let mut problems = Vec::new();
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    let default = GrammarOptions::default();
    for mut programs in scopes.into_values() {
        for depth in [default.depth, DEEPER] {
            let Some(first) = programs.first() else { break };
            let options =
                GrammarOptions { depth, functions: Functions::Any, reply: ReplyFormat::Bare };
            let grammar = grammar_of(&session(first), MissionMode::Agent, &options);
            let (lark, gbnf) = (Lark::new(&grammar), gbnf(&grammar));
            let mut follower = Follower::new(&gbnf);
            programs.retain(|program| {
                let (place, source) = (&program.place, program.source.as_str());
                let (lark, gbnf) = (lark.takes(source), follower.takes(source));
                if lark.is_ok() != gbnf.is_ok() {
                    problems.push(format!("{place}: {source}\nLark {lark:?}\nGBNF {gbnf:?}"));
                }
                let why = left_out(source);
                let count = match (&lark, why) {
                    (Ok(()), _) if depth == default.depth => "taken",
                    (Ok(()), _) => "deeper",
                    (Err(_), Some(why)) => why,
                    (Err(_), None) if depth == default.depth => return true,
                    (Err(stop), None) => {
                        problems.push(format!("{place}: {source}\n{stop}"));
                        return false;
                    }
                };
                *counts.entry(count).or_default() += 1;
                false
            });
        }
    }
    assert_no_problems(&problems);
    // The number of taken programs grows with each program that is added.
    assert!(counts.remove("taken").is_some_and(|taken| taken > 10_000));
    let counts: Vec<String> =
        counts.iter().map(|(what, count)| format!("{count:5} {what}")).collect();
    insta::assert_snapshot!(counts.join("\n"));
}
