//! Tests of reading unknown fields. Programs with one wrong field are refused, and correct programs
//! are not.

use std::collections::BTreeMap;

use crate::solved::missions;
use ptc_lisp::{
    Budget, Code, Diagnostic, Effect, Ended, Limits, Outcome, Session, ToolDecl, Value, Yielded,
    json,
};
use ptc_signatures::Signature;
use ptc_subagent::Agent;
use ptc_tests::{files, root};
use serde_json::Value as Json;

/// The data and tools of the programs of `tests/fields`.
struct World {
    session: Session,
    /// For each field, plausible names that are not declared.
    foreign: BTreeMap<String, Vec<String>>,
}

impl World {
    fn read() -> World {
        World::with(true)
    }

    /// Reads the world without the types of its data.
    fn without_types() -> World {
        World::with(false)
    }

    fn with(is_typed: bool) -> World {
        let text = std::fs::read_to_string(root().join("tests/fields/world.json")).unwrap();
        let world: Json = serde_json::from_str(&text).unwrap();
        let input: Signature = world["input"].as_str().unwrap().parse().unwrap();
        let tools = world["tools"].as_object().unwrap().iter().map(|(name, signature)| ToolDecl {
            signature: Some(signature.as_str().unwrap().parse().unwrap()),
            ..ToolDecl::new(name, Effect::Read)
        });
        let ctx = json::from_serde(&world["ctx"]);
        let mut session = Session::new(ctx, tools.collect(), Limits::default());
        if is_typed {
            session.declare(&input.params);
        }
        World { session, foreign: serde_json::from_value(world["foreign"].clone()).unwrap() }
    }
}

/// Returns the programs of a file: paragraphs without remarks.
fn programs(file: &str) -> Vec<String> {
    let text = std::fs::read_to_string(root().join("tests/fields").join(file)).unwrap();
    let paragraphs = text.split("\n\n").map(str::trim);
    paragraphs.filter(|it| !it.is_empty() && !it.starts_with(";;")).map(str::to_owned).collect()
}

/// Returns the fields in angle brackets of a program, each once.
fn marked(program: &str) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    for part in program.split('<').skip(1) {
        let Some((name, _)) = part.split_once('>') else { continue };
        let is_name = !name.is_empty() && name.chars().all(char::is_alphanumeric);
        if is_name && !names.iter().any(|known| known == name) {
            names.push(name.to_owned());
        }
    }
    names
}

/// Returns the program with another name for one marked field, and with the correct names of all
/// others.
fn with(program: &str, field: &str, name: &str) -> String {
    let changed = program.replace(&format!("<{field}>"), name);
    marked(&changed).iter().fold(changed, |text, other| text.replace(&format!("<{other}>"), other))
}

/// Returns misspellings of a name: an extra letter, a missing letter, two swapped letters, a wrong
/// letter.
fn slips(name: &str) -> Vec<String> {
    let letters: Vec<char> = name.chars().collect();
    let middle = letters.len() / 2;
    let mut doubled = letters.clone();
    doubled.insert(middle, letters[middle]);
    let mut swapped = letters.clone();
    swapped.swap(middle - 1, middle);
    let mut wrong = letters.clone();
    wrong[middle] = if letters[middle] == 'x' { 'w' } else { 'x' };
    let mut short = letters.clone();
    short.remove(middle);
    let mut all = vec![doubled, wrong];
    if swapped != letters {
        all.push(swapped);
    }
    if letters.len() > 3 {
        all.push(short);
    }
    all.into_iter().map(String::from_iter).collect()
}

/// Returns the codes with which a program is refused.
fn refusals(session: &Session, program: &str) -> Vec<Code> {
    match session.admit(program) {
        Ok(_) => Vec::new(),
        Err(refused) => refused.diagnostics.iter().map(Diagnostic::code_value).collect(),
    }
}

/// Returns whether a program with a wrong field is refused, or its value is held back.
fn is_caught(session: &Session, program: &str) -> bool {
    match session.admit(program) {
        Ok(admitted) => admitted.unseen_fields().next().is_some(),
        Err(refused) => refused.diagnostics.iter().any(|it| it.code_value() == Code::UnknownField),
    }
}

/// Each program with one misspelt name, or another plausible name, with types and without them.
#[test]
#[expect(clippy::print_stderr, reason = "the counts are what the test measures")]
fn programs_with_one_wrong_field_are_caught() {
    for (file, is_typed, least) in [
        ("programs.clj", true, 800),
        ("programs.clj", false, 800),
        ("nil_safe.clj", true, 120),
        ("nil_safe.clj", false, 120),
    ] {
        let world = if is_typed { World::read() } else { World::without_types() };
        let (mut all, mut passed, mut wrong) = (0, Vec::new(), Vec::new());
        for program in programs(file) {
            let right = with(&program, "", "");
            if is_caught(&world.session, &right) || !refusals(&world.session, &right).is_empty() {
                wrong.push(format!("{right}\n{:?}", world.session.admit(&right).err()));
            }
            for field in marked(&program) {
                let none = Vec::new();
                let foreign = world.foreign.get(&field).unwrap_or(&none);
                for name in slips(&field).iter().chain(foreign) {
                    let changed = with(&program, &field, name);
                    all += 1;
                    if !is_caught(&world.session, &changed) {
                        passed.push(changed);
                    }
                }
            }
        }
        let caught = all - passed.len();
        let types = if is_typed { "with types" } else { "without types" };
        eprintln!(
            "{file}, {types}: {caught} of {all} programs with one wrong field are caught; not caught:"
        );
        for program in &passed {
            eprintln!("  {program}");
        }
        assert!(wrong.is_empty(), "right programs are caught:\n{}", wrong.join("\n\n"));
        assert!(all >= least && caught * 100 >= all * 99, "{file}, {types}: {caught} of {all}");
    }
}

/// Programs that go over a record, or read a field of a scalar.
#[test]
fn programs_without_records_are_refused() {
    for world in [World::read(), World::without_types()] {
        let passed: Vec<String> =
            programs("wrong.clj").into_iter().filter(|it| !is_caught(&world.session, it)).collect();
        assert!(passed.is_empty(), "{}", passed.join("\n\n"));
    }
}

/// Programs over sequences of keys and values, dictionaries of their own, and values of several kinds.
#[test]
fn right_programs_over_dictionaries_pass() {
    let rows = json::parse(
        r#"{"items": [{"id": 1, "kind": "van", "total": 3}, {"id": 2, "kind": "taxi", "total": 4}]}"#,
    )
    .unwrap();
    for is_typed in [true, false] {
        let mut problems = Vec::new();
        for program in programs("right.clj") {
            let mut world = World::with(is_typed);
            match world.session.admit(&program) {
                Err(refused) => problems.push(format!("{program}\n{refused:?}")),
                Ok(admitted) => {
                    for problem in admitted.unseen_fields() {
                        problems.push(format!("{program}\n{problem}"));
                    }
                    let ended = ran(&mut world.session, &program, &rows);
                    if !matches!(ended.outcome, Outcome::Return(_)) {
                        problems.push(format!("{program}\n{:?}", ended.outcome));
                    }
                    for problem in ended.unseen {
                        problems.push(format!("{program}\n{problem}"));
                    }
                }
            }
        }
        assert!(problems.is_empty(), "{}", problems.join("\n"));
    }
}

#[test]
#[expect(clippy::print_stderr, reason = "the counts are what the test measures")]
fn correct_programs_are_not_refused() {
    let mut corpus: Vec<(String, Session, String)> = Vec::new();
    let data = |ctx: Json| Session::new(json::from_serde(&ctx), Vec::new(), Limits::default());
    for path in files(&root().join("tests/conformance"), "jsonl") {
        for line in std::fs::read_to_string(&path).unwrap().lines() {
            let Ok(case) = serde_json::from_str::<Json>(line) else { continue };
            let (Some(id), Some(source)) = (case["id"].as_str(), case["source"].as_str()) else {
                continue;
            };
            let ctx = case.get("ctx").cloned().unwrap_or_else(|| serde_json::json!({}));
            corpus.push((id.to_owned(), data(ctx), source.to_owned()));
        }
    }
    let without_tools = corpus.len();
    let of_agent = |agent: &Agent, ctx: Value| {
        let tools = agent.tools.iter().map(|tool| ToolDecl {
            signature: tool.signature.clone(),
            ..ToolDecl::new(&tool.name, tool.effect())
        });
        let mut session = Session::new(ctx, tools.collect(), Limits::default());
        if let Some(signature) = &agent.signature {
            session.declare(&signature.params);
        }
        session
    };
    for mission in missions(&root().join("examples/missions")).unwrap() {
        let agent = mission.trial.agent().unwrap();
        for case in mission.trial.cases {
            for program in &mission.solution {
                let session = of_agent(&agent, case.input.value().clone());
                corpus.push((mission.trial.name.clone(), session, program.clone()));
            }
        }
    }
    // The recorded replies beside the agents of the examples.
    for path in files(&root().join("examples"), "toml") {
        let Ok(agent) = Agent::read(&path) else { continue };
        let Some(folder) = path.parent() else { continue };
        let input = agent.default_input().unwrap().unwrap_or_default();
        for recording in files(folder, "jsonl") {
            for line in std::fs::read_to_string(&recording).unwrap().lines() {
                let Ok(reply) = serde_json::from_str::<Json>(line) else { continue };
                for text in texts(&reply) {
                    if let Ok(found) = ptc_prompt::extract(&text) {
                        let name = recording.display().to_string();
                        corpus.push((name, of_agent(&agent, input.value().clone()), found.program));
                    }
                }
            }
        }
    }
    let refused = |(name, session, program): &(String, Session, String)| {
        let rejection = session.admit(program).err()?;
        let problem = rejection.diagnostics.iter().find(|it| it.code() == "unknown-field")?;
        Some(format!("{name}: {problem}\n{program}"))
    };
    let refused: Vec<String> = corpus.iter().filter_map(refused).collect();
    let held = |(name, session, program): &(String, Session, String)| {
        let admitted = session.admit(program).ok()?;
        let problem = admitted.unseen_fields().next()?;
        Some(format!("{name}: {problem}\n{program}"))
    };
    let mut held: Vec<String> = corpus.iter().filter_map(held).collect();
    for (name, session, program) in corpus.iter_mut().take(without_tools) {
        if session.admit(program).is_ok() {
            let unseen = ran(session, program, &Value::Nil).unseen;
            held.extend(unseen.first().map(|problem| format!("{name}: {problem}\n{program}")));
        }
    }
    let (n_refused, n_held, all) = (refused.len(), held.len(), corpus.len());
    eprintln!(
        "of {all} right programs, {n_refused} are refused for a field, and {n_held} are held back:"
    );
    eprintln!("{}", held.join("\n"));
    assert!(n_held * 1_000 <= all * 5, "{n_held} of {all}");
    assert!(refused.is_empty(), "{}", refused.join("\n\n"));
    assert!(corpus.len() > 5_000, "{}", corpus.len());
}

/// Returns the texts in a JSON value that contain a program.
fn texts(value: &Json) -> Vec<String> {
    match value {
        Json::String(text) if text.contains("```") => vec![text.clone()],
        Json::Array(items) => items.iter().flat_map(texts).collect(),
        Json::Object(fields) => fields.values().flat_map(texts).collect(),
        _ => Vec::new(),
    }
}

/// Runs a program whose tools all give the same answer. Returns the help of its error, if it ends
/// in one.
fn run(session: &mut Session, program: &str, answer: &Value) -> Option<String> {
    let ended = ran(session, program, answer);
    match ended.outcome {
        Outcome::Error(problem) => problem.help().map(str::to_owned),
        _ => None,
    }
}

/// Runs a program whose tools all give the same answer.
fn ran(session: &mut Session, program: &str, answer: &Value) -> Ended {
    let admitted = session.admit(program).unwrap();
    let mut machine = session.start(&admitted);
    let mut budget = Budget::new(session.limits());
    loop {
        match machine.run(&mut budget) {
            Yielded::Done => break,
            Yielded::SliceUsed => {}
            Yielded::Calls(calls) => {
                for call in calls {
                    machine.resume(&call.id, Ok(answer.clone()));
                }
            }
        }
    }
    let ended = machine.finish();
    session.commit(&ended).unwrap();
    ended
}

/// A field that an earlier result of the run had may be read, even if the program that saw it
/// failed.
#[test]
fn fields_that_results_had_are_known() {
    for first in ["(call \"vehicle\" {:trip 1})", "(do (call \"vehicle\" {:trip 1}) (+ 1 nil))"] {
        let mut world = World::read();
        let program = "(:colour (call \"vehicle\" {:trip 1}))";
        assert_eq!(refusals(&world.session, program), [Code::UnknownField]);
        let answer = json::parse(r#"{"kind": "van", "tank": 40.0, "colour": "red"}"#).unwrap();
        run(&mut world.session, first, &answer);
        assert_eq!(refusals(&world.session, program), []);
        let other = "(:coluor (call \"vehicle\" {:trip 1}))";
        assert_eq!(refusals(&world.session, other), [Code::UnknownField]);
    }
}

/// The fields of large data are known: long lists of wide rows, and maps with many keys.
#[test]
fn large_data_is_known() {
    let rows: Vec<Json> = (0..500)
        .map(|id| {
            let mut row = serde_json::Map::new();
            for column in 0..20 {
                row.insert(format!("column{column}"), (id * column).into());
            }
            if id == 400 {
                row.insert("rare".to_owned(), serde_json::json!([{"deep": 1}]));
            }
            Json::Object(row)
        })
        .collect();
    let prices: serde_json::Map<String, Json> =
        (0..100).map(|number| (format!("sku{number}"), serde_json::json!({"net": 1}))).collect();
    let ctx = json::from_serde(&serde_json::json!({"rows": rows, "prices": prices}));
    let session = Session::new(ctx, Vec::new(), Limits::default());
    let right = [
        "(map :column7 ctx/rows)",
        "(map :rare ctx/rows)",
        "(mapcat #(map :deep (:rare %)) ctx/rows)",
        "(:net (:sku42 ctx/prices))",
        "(map :net (vals ctx/prices))",
        "(map (fn [[sku price]] (:net price)) ctx/prices)",
    ];
    for program in right {
        assert_eq!(refusals(&session, program), [], "{program}");
    }
    let wrong = [
        "(map :colum7 ctx/rows)",
        "(:colum7 (first ctx/rows))",
        "(mapcat #(map :depth (:rare %)) ctx/rows)",
        "(:sku420 ctx/prices)",
        "(:gross (:sku42 ctx/prices))",
        "(map :gross (vals ctx/prices))",
    ];
    for program in wrong {
        assert_eq!(refusals(&session, program), [Code::UnknownField], "{program}");
    }
}

/// An arithmetic error on nil names the field that the nil came from.
#[test]
fn an_error_on_nil_names_its_field() {
    let declared = "the field `:age` is declared, and nil here: leave such records out with `(filter :age xs)`, \
        or give a default with `(or (:age x) 0)`";
    let any = "the field `:size` is nil here, and no type declares it: check its name first, since \
        `(or (:size x) 0)` would hide a wrong name";
    let cases = [
        ("(map #(+ 1 (:age (:driver %))) ctx/trips)", declared),
        ("(let [ages (map #(:age (:driver %)) ctx/trips)] (reduce + ages))", declared),
        ("(map (fn [t] (let [{:keys [age]} (:driver t)] (* age 2))) ctx/trips)", declared),
        ("(map (fn [t] (let [a (get-in t [:driver :age] nil)] (inc a))) ctx/trips)", NO_FIELD),
        ("(+ 1 (:size (call \"lookup\" {:key \"a\"})))", any),
        ("(let [{:keys [size]} (call \"lookup\" {:key \"a\"})] (- size 1))", any),
        ("(+ 1 nil)", NO_FIELD),
    ];
    for (program, help) in cases {
        let mut world = World::read();
        let found = run(&mut world.session, program, &json::parse("{}").unwrap());
        assert_eq!(found.as_deref(), Some(help), "{program}");
    }
}

/// The help where no field is known.
const NO_FIELD: &str =
    "give missing numbers a default with `(or x 0)`, or drop them with `(filter some? xs)`";
