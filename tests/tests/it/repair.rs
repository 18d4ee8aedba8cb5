//! Tests of the repair of delimiters: the repaired programs, the messages, and the absence of wrong
//! repairs.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use ptc_lisp::{Effect, Limits, Outcome, Session, ToolDecl, Value, Yielded, json};
use ptc_tests::damage::{Damage, Seeded, damaged};
use ptc_tests::{Corpus, assert_no_problems, files, root, updating};

/// A program, and the session that admits it.
struct Program {
    source: String,
    session: std::rc::Rc<Session>,
    shape: &'static str,
}

const CTX: &str = r#"{
  "invoices": [{"id": 1, "customer": "A", "customer-id": 1, "days": 40, "amount": 10, "currency": "EUR"}],
  "orders": [{"id": 7, "customer": "A", "customer-id": 1, "status": "shipped", "region": "north", "currency": "EUR", "total": 12, "date": "2024-01-02"}],
  "tickets": [{"id": 1, "subject": "a b", "severity": "critical", "age": 3, "kind": "bug", "status": "open"}],
  "customers": [{"id": 1, "name": "A", "email": "a@example.com", "region": "north", "active": true}],
  "products": [{"sku": "a-1", "stock": 3, "reserved": 1}],
  "documents": [{"title": "t", "body": "b"}],
  "links": [{"url": "https://example.com"}],
  "tree": {"label": "a", "children": [{"label": "b"}]},
  "request": {"topic": "x", "start": "2024-01-01", "end": "2024-02-01", "address": {"city": "x"}, "text": "{}", "items": [{"sku": "a-1", "quantity": 2}], "budget": 10}
}"#;

const TOOLS: &[(&str, &str, Effect)] = &[
    ("rate", "(currency :string) -> :float", Effect::Read),
    ("search", "(query :string, limit :int?) -> [{title :string, url :string}]", Effect::Read),
    ("fetch", "(url :string) -> {title :string, text :string}", Effect::Read),
    ("customer", "(id :int) -> {id :int, name :string, email :string, active :bool}", Effect::Read),
    ("send", "(to :string, subject :string, body :string) -> :any", Effect::Write),
    ("list", "(page :int) -> {rows [:map], more :bool}", Effect::Read),
    ("assign", "(id :int, team :string) -> :any", Effect::Write),
    ("export", "(ids [:int], format :string) -> :any", Effect::Write),
    ("weather", "(city :string) -> {hours [{mm :float}]}", Effect::Read),
    ("escalate", "(id :int, reason :string, level :int) -> {owner :string}", Effect::Write),
    ("price", "(sku :string) -> {unit :float}", Effect::Read),
    ("shipping", "(sku :string, quantity :int) -> {cost :float}", Effect::Read),
];

fn session(ctx: Value, tools: &[(&str, &str, Effect)]) -> Session {
    let declare = |(name, signature, effect): &(&str, &str, Effect)| ToolDecl {
        signature: (!signature.is_empty()).then(|| signature.parse().unwrap()),
        ..ToolDecl::new(*name, *effect)
    };
    Session::new(ctx, tools.iter().map(declare).collect(), Limits::default())
}

/// Returns the session of `tests/repair/programs.clj`.
fn agent_session() -> Session {
    session(json::parse(CTX).unwrap(), TOOLS)
}

fn agent_programs() -> Vec<(String, String)> {
    let text = std::fs::read_to_string(root().join("tests/repair/programs.clj")).unwrap();
    let named = text.split("\n;: ").skip(1);
    named
        .map(|part| {
            let (name, source) = part.split_once('\n').unwrap();
            (name.to_owned(), source.trim_end().to_owned())
        })
        .collect()
}

/// Returns the admitted programs of all corpora, with their origins.
fn programs() -> Vec<Program> {
    let agent = std::rc::Rc::new(agent_session());
    let mut all: Vec<Program> = agent_programs()
        .into_iter()
        .map(|(_, source)| Program { source, session: agent.clone(), shape: "agent programs" })
        .collect();
    let mut add = |source: &str, session: &std::rc::Rc<Session>| {
        let source = source.trim().to_owned();
        let several = source.lines().count() > 1;
        let shape = if several { "corpus, several lines" } else { "corpus, one line" };
        all.push(Program { source, session: session.clone(), shape });
    };
    for path in files(&root().join("tests/conformance"), "jsonl") {
        for line in std::fs::read_to_string(path).unwrap().lines() {
            let case: serde_json::Value = serde_json::from_str(line).unwrap();
            let ctx = case.get("ctx").map_or_else(|| Value::map([]), json::from_serde);
            let source = case.get("source").and_then(|it| it.as_str()).unwrap_or_default();
            add(source, &std::rc::Rc::new(session(ctx, &[])));
        }
    }
    let usual = [
        ("echo", "", Effect::Read),
        ("add", "", Effect::Read),
        ("boom", "", Effect::Read),
        ("items", "", Effect::Read),
    ];
    for path in files(&root().join("tests/language"), "clj") {
        for block in Corpus::read(&path).blocks {
            let ctx = json::parse(block.ctx.as_deref().unwrap_or("{}")).unwrap();
            let session = std::rc::Rc::new(session(ctx, &usual));
            block.cases.iter().for_each(|case| add(&case.source, &session));
        }
    }
    all.retain(|it| it.source.contains(['(', '[', '{']) && it.session.admit(&it.source).is_ok());
    all
}

/// Returns the forms of a source, as text.
fn forms(source: &str) -> String {
    let session = Session::new(Value::map([]), Vec::new(), Limits::default());
    let quoted = format!("(quote [{source}\n])");
    let Ok(admitted) = session.admit(&quoted) else { return format!("unread: {source}") };
    let mut machine = session.start(&admitted);
    let mut budget = ptc_lisp::Budget::new(session.limits());
    while !matches!(machine.run(&mut budget), Yielded::Done) {}
    match machine.finish().outcome {
        Outcome::Value(value) => value.to_string(),
        other => format!("{other:?}"),
    }
}

#[derive(Default, Clone, Copy)]
struct Counts {
    right: usize,
    wrong: usize,
    left: usize,
}

const KINDS: &[(Damage, usize)] = &[
    (Damage::Lost, 1),
    (Damage::Lost, 2),
    (Damage::Lost, 3),
    (Damage::Added, 1),
    (Damage::Added, 2),
    (Damage::Added, 3),
    (Damage::Swapped, 1),
    (Damage::Swapped, 2),
    (Damage::Swapped, 3),
    (Damage::Mixed, 2),
    (Damage::Mixed, 3),
    (Damage::Ends, 2),
    (Damage::Ends, 3),
    (Damage::Ends, 4),
];

type Table = BTreeMap<(&'static str, Damage, usize), Counts>;

/// Damages `each` programs of every origin with each kind of damage, and repairs them.
fn measure(each: usize, seed: u64) -> (Table, Vec<String>) {
    let programs = programs();
    let mut table = Table::new();
    let mut wrong = Vec::new();
    for shape in ["agent programs", "corpus, several lines", "corpus, one line"] {
        let programs: Vec<&Program> = programs.iter().filter(|it| it.shape == shape).collect();
        for &(damage, count) in KINDS {
            let mut random = Seeded::new(seed + count as u64);
            let counts = table.entry((shape, damage, count)).or_default();
            while counts.right + counts.wrong + counts.left < each {
                let program = programs[random.below(programs.len())];
                let Some(broken) = damaged(&program.source, damage, count, &mut random) else {
                    continue;
                };
                if !is_unbalanced(&program.session, &broken) {
                    continue;
                }
                match program.session.admit_repaired(&broken) {
                    Ok((_, Some(repair))) if forms(&repair.source) == forms(&program.source) => {
                        counts.right += 1;
                    }
                    Ok((_, repair)) => {
                        counts.wrong += 1;
                        let repair = repair.unwrap();
                        let kind = damage.as_str();
                        wrong.push(format!(
                            "{shape}, {kind} {count}: {}\n{broken}\n--- was\n{}",
                            repair.message(),
                            program.source
                        ));
                    }
                    Err(_) => counts.left += 1,
                }
            }
        }
    }
    (table, wrong)
}

fn is_unbalanced(session: &Session, source: &str) -> bool {
    session.admit(source).is_err_and(|rejection| {
        let delimiters = ["unclosed-delimiter", "unexpected-delimiter"];
        rejection.diagnostics.iter().any(|it| delimiters.contains(&it.code()))
    })
}

/// Returns the table in Markdown.
fn shown(table: &Table) -> String {
    let mut out = String::from(
        "| programs | damage | broken | repaired | wrongly | left |\n|---|---|--:|--:|--:|--:|\n",
    );
    let mut sums: BTreeMap<&str, Counts> = BTreeMap::new();
    for ((shape, damage, count), counts) in table {
        let Counts { right, wrong, left } = counts;
        let all = right + wrong + left;
        let share = right * 100 / all;
        let _ = writeln!(
            out,
            "| {shape} | {} {count} | {all} | {right} ({share} %) | {wrong} | {left} |",
            damage.as_str()
        );
        let sum = sums.entry(shape).or_default();
        *sum = Counts { right: sum.right + right, wrong: sum.wrong + wrong, left: sum.left + left };
    }
    for (shape, Counts { right, wrong, left }) in sums {
        let all = right + wrong + left;
        let share = right * 100 / all;
        let _ = writeln!(out, "| {shape} | all | {all} | {right} ({share} %) | {wrong} | {left} |");
    }
    out
}

#[test]
fn agent_programs_are_admitted() {
    let session = agent_session();
    let problems: Vec<String> = agent_programs()
        .iter()
        .filter_map(|(name, source)| {
            let rejection = session.admit(source).err()?;
            Some(format!("{name}: {:?}", rejection.diagnostics))
        })
        .collect();
    assert_no_problems(&problems);
    assert!(agent_programs().len() >= 40);
}

fn page() -> std::path::PathBuf {
    root().join("docs/repair.md")
}

const BEGIN: &str = "<!-- measured -->\n";
const END: &str = "<!-- end -->";

/// `UPDATE=1` rewrites the table.
#[test]
fn nothing_is_repaired_wrongly() {
    let (table, wrong) = measure(25, 1);
    assert_no_problems(&wrong);
    let text = std::fs::read_to_string(page()).unwrap();
    let (before, rest) = text.split_once(BEGIN).unwrap();
    let (_, after) = rest.split_once(END).unwrap();
    let new = format!("{before}{BEGIN}\n{}\n{END}{after}", shown(&table));
    if updating() {
        std::fs::write(page(), new).unwrap();
    } else {
        assert!(
            text == new,
            "docs/repair.md is old: UPDATE=1 cargo test -p ptc-tests --test it repair"
        );
    }
}

/// Checks other programs than those of the table. `EACH` is the number of each kind, and `SEED`
/// selects them.
#[test]
fn no_other_programs_are_repaired_wrongly() {
    let number = |name| std::env::var(name).ok().and_then(|it| it.parse().ok());
    let (table, wrong) = measure(number("EACH").unwrap_or(10), number("SEED").unwrap_or(77) as u64);
    assert!(wrong.is_empty(), "{}\n{}", shown(&table), wrong.join("\n\n"));
}

/// Repairs a program. Returns the repaired text and the message, or the codes of the refusal.
fn repaired(source: &str) -> String {
    match agent_session().admit_repaired(source) {
        Ok((_, Some(repair))) => format!("{}\n; {}", repair.source, repair.message()),
        Ok((_, None)) => "admitted".to_owned(),
        Err(rejection) => rejection
            .diagnostics
            .iter()
            .map(ptc_lisp::Diagnostic::code)
            .collect::<Vec<_>>()
            .join(" "),
    }
}

const UNCLOSED: &str = "unclosed-delimiter";
const UNEXPECTED: &str = "unexpected-delimiter";

#[test]
fn repairs_and_refusals() {
    let mut problems = Vec::new();
    let mut check = |source: &str, expected: &str| {
        let found = repaired(source);
        if found != expected {
            problems.push(format!("{source}\nexpected {expected}\nfound    {found}"));
        }
    };
    check("(+ 1 2)", "admitted");
    // The end of the text, of a line, and of a form in the middle.
    check(
        "(let [total (reduce + (map :total ctx/orders))]\n  (return total)",
        "(let [total (reduce + (map :total ctx/orders))]\n  (return total))\n; added `)` at line 2, column 17, which closes `(let …` of line 1",
    );
    check(
        "(defn total [rows]\n  (reduce + (map :total rows))\n\n(return (total ctx/orders))",
        "(defn total [rows]\n  (reduce + (map :total rows)))\n\n(return (total ctx/orders))\n; added `)` at line 2, column 31, which closes `(defn …` of line 1",
    );
    check(
        "(let [a 1\n      b (+ a 1)\n  (return\n    b))",
        "(let [a 1\n      b (+ a 1)]\n  (return\n    b))\n; added `]` at line 2, column 16, which closes `[a …` of line 1",
    );
    check(
        "(let [n (count ctx/orders)]\n  (return {:n n})))",
        "(let [n (count ctx/orders)]\n  (return {:n n}))\n; removed the `)` at line 2, column 19",
    );
    check(
        "(return\n  {:n (count ctx/orders)\n   :m [1 2})",
        // `:m [] 1 2` also makes a map.
        UNEXPECTED,
    );
    check(
        "(return\n  {:n (count ctx/orders)\n   :rows (vec\n           ctx/orders",
        "(return\n  {:n (count ctx/orders)\n   :rows (vec\n           ctx/orders)})\n; added `)})` at line 4, column 22, which closes `(vec …` of line 3, `{:n …` of line 2 and `(return …` of line 1",
    );
    check(
        "(defn total [rows]\n  (reduce +\n    (map :total rows\n\n(return (total ctx/orders))",
        "(defn total [rows]\n  (reduce +\n    (map :total rows)))\n\n(return (total ctx/orders))\n; added `)))` at line 3, column 21, which closes `(map …` of line 3, `(reduce …` of line 2 and `(defn …` of line 1",
    );
    // Text may be missing within one line.
    check("(def a 1)\n(return (reduce + (map :total ctx/orders", UNCLOSED);
    // More than one change.
    check(
        "(defn total [rows]\n  (reduce +\n    (map :total rows\n\n(return\n  (total ctx/orders",
        "unclosed-delimiter unclosed-delimiter",
    );
    check(
        "(let [n {count ctx/orders)]\n  (return n))",
        "(let [n (count ctx/orders)]\n  (return n))\n; wrote `(` instead of the `{` at line 1, column 9",
    );
    check(
        "(let [n (count ctx/orders)]\n  (return {:n n :m 2]))",
        "(let [n (count ctx/orders)]\n  (return {:n n :m 2}))\n; wrote `}` instead of the `]` at line 2, column 21, which closes `{:n …` of line 2",
    );
    // A superfluous delimiter without an equal neighbour.
    check(
        "(let [n (count ctx/orders) m ) 1]\n  (return n))",
        "unexpected-delimiter unexpected-delimiter unexpected-delimiter",
    );
    // Either of two forms may end there.
    check("(str (str 1 2 3)", UNCLOSED);
    check("(println\n  (str \"a\" (str \"b\" \"c\"))", UNCLOSED);
    // A repair never moves arguments of a tool.
    check("(call \"send\" {:to \"a\" :subject \"b\" :body (str \"c\" \"d\"})", UNEXPECTED);
    // Strings, comments, characters and discarded forms never change.
    check("(str \"(\" 1) ; (", "admitted");
    check("(str \\( 1)", "admitted");
    check("(println \"hello)", "unclosed-string");
    // A program that admission refuses for other reasons is not repaired.
    check("(frobnicate (inc 1", UNCLOSED);
    assert_no_problems(&problems);
}

#[test]
fn a_repair_is_one_change() {
    let source = "(return\n  {:n (count ctx/orders";
    let (_, repair) = agent_session().admit_repaired(source).unwrap();
    assert_eq!(
        repair.unwrap().to_json(),
        serde_json::json!({
            "message": "added `)})` at line 2, column 24, which closes `(count …` of line 2, `{:n …` of line 2 and `(return …` of line 1",
            "source": "(return\n  {:n (count ctx/orders)})",
            "changes": [{"offset": 31, "line": 2, "column": 24, "removed": "", "added": ")})"}],
        })
    );
}

/// Long and deep texts, and texts with many candidates, end soon without a panic.
#[test]
fn hostile_texts_are_left_alone() {
    let texts = [
        "(".repeat(250_000),
        ")".repeat(250_000),
        "([{".repeat(80_000),
        "(a ".repeat(80_000),
        "(]".repeat(120_000),
        "(str ".repeat(400),
        format!("(str {}", "1 ".repeat(1_900)),
        format!("(do\n{}", "  (str 1 2 3\n".repeat(1_000)),
        format!("({}", "(f)\n (g]\n".repeat(700)),
        format!("[{}", "[1 2]\n ".repeat(900)),
        format!("(do {}", "#\"(a{50}){50}\" ".repeat(10)),
        format!("{}{}", "(str\n ".repeat(450), ")".repeat(440)),
    ];
    let session = agent_session();
    for text in &texts {
        let started = std::time::Instant::now();
        let result = session.admit_repaired(text);
        let start: String = text.chars().take(20).collect();
        assert!(result.is_err(), "{start}");
        assert!(started.elapsed().as_secs() < 10, "{start}: {:?}", started.elapsed());
    }
}
