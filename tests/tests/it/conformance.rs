//! The conformance corpus: the answers of real Clojure, and the known gaps.
//!
//! `tests/conformance/gaps.txt` lists the cases that differ without a divergence that explains it.
//! A listed case that becomes right fails the test as much as a new difference, so the list is
//! exact. `UPDATE=1` rewrites it.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use ptc_lisp::{Budget, Diagnostic, Limits, Outcome, Session, Value, Yielded, json};
use ptc_tests::{broken_promise, root, updating};

/// The outcome of a program.
enum Answer {
    Value(Value),
    /// The JVM class of the problem, if it has one.
    Error(Option<String>),
    /// Admission refused the program. Clojure may refuse it too, or fail at run time. `missing`
    /// means that a name does not exist.
    Refused {
        missing: bool,
    },
}

fn answer(source: &str, ctx: Value) -> Answer {
    let session = Session::new(ctx, Vec::new(), Limits::default());
    let class = |problem: &Diagnostic| Answer::Error(problem.class().map(str::to_owned));
    let admitted = match session.admit(source) {
        Ok(admitted) => admitted,
        Err(rejection) => {
            let missing =
                |problem: &Diagnostic| matches!(problem.code(), "unknown-name" | "not-available");
            return Answer::Refused { missing: rejection.diagnostics.iter().any(missing) };
        }
    };
    let mut machine = session.start(&admitted);
    let mut budget = Budget::new(session.limits());
    loop {
        match machine.run(&mut budget) {
            Yielded::Done => break,
            Yielded::SliceUsed => {}
            Yielded::Calls(_) => return Answer::Error(None),
        }
    }
    let ended = machine.finish();
    assert_eq!(broken_promise(&admitted, &ended, []), None, "{source}");
    match ended.outcome {
        Outcome::Value(value) | Outcome::Return(value) | Outcome::Continue(value) => {
            Answer::Value(value)
        }
        Outcome::Error(problem) => class(&problem),
        Outcome::Fail(_) => Answer::Error(None),
    }
}

/// Reads a printed value.
fn read(text: &str) -> Option<Value> {
    match answer(&format!("(quote {text})"), Value::map([])) {
        Answer::Value(value) => Some(value),
        Answer::Error(_) | Answer::Refused { .. } => None,
    }
}

/// Returns whether two values are equal in kind and content. `by_name` compares the keys of maps by
/// their names.
fn same(ours: &Value, theirs: &Value, by_name: bool) -> bool {
    let items =
        |value: &Value| -> Vec<Value> { value.items().into_iter().flatten().cloned().collect() };
    if ours.type_name() != theirs.type_name() {
        return false;
    }
    match (ours, theirs) {
        (Value::Float(a), Value::Float(b)) => a == b || a.is_nan() && b.is_nan(),
        (Value::Map(a), Value::Map(b)) => {
            a.len() == b.len()
                && a.iter().all(|(key, value)| {
                    b.iter().any(|(other, found)| {
                        let named = by_name && key.name().is_some() && key.name() == other.name();
                        (named || same(key, other, by_name)) && same(value, found, by_name)
                    })
                })
        }
        (Value::Set(a), Value::Set(b)) => {
            a.len() == b.len()
                && a.iter().all(|member| b.iter().any(|other| same(member, other, by_name)))
        }
        (Value::List(_), Value::List(_)) | (Value::Vector(_), Value::Vector(_)) => {
            let (a, b) = (items(ours), items(theirs));
            a.len() == b.len() && a.iter().zip(&b).all(|(a, b)| same(a, b, by_name))
        }
        // Two patterns are never equal, so their texts are compared.
        _ => {
            ours == theirs
                || ours.type_name() == "regular expression"
                    && ours.to_string() == theirs.to_string()
        }
    }
}

fn right(case: &serde_json::Value) -> bool {
    let text = |key: &str| case.get(key).and_then(serde_json::Value::as_str);
    let ctx = case.get("ctx").map_or_else(|| Value::map([]), json::from_serde);
    let answer = answer(text("source").unwrap_or_default(), ctx);
    if case.get("ours_error").is_some() {
        return matches!(answer, Answer::Error(_) | Answer::Refused { .. });
    }
    match (answer, text("ours").or(text("value")), text("error")) {
        (Answer::Value(ours), Some(theirs), _) => {
            // Text that cannot be read back is compared with the printed value.
            match read(theirs) {
                Some(value) => same(&ours, &value, case.get("ctx").is_some()),
                None => ours.to_string() == theirs,
            }
        }
        // A name that is missing here but not in Clojure is a gap, whatever the case tests.
        (Answer::Refused { missing }, None, Some(error)) => {
            !missing
                || ["Unable to resolve", "No such", "No matching", "ClassNotFound"]
                    .iter()
                    .any(|words| error.contains(words))
        }
        (Answer::Error(class), None, Some(error)) => {
            let wanted = error.split(':').next().unwrap_or_default();
            class.is_some_and(|class| class == wanted)
        }
        _ => false,
    }
}

#[test]
fn the_gaps_are_known() {
    let folder = root().join("tests/conformance");
    let mut files: Vec<_> = std::fs::read_dir(&folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.to_string_lossy().ends_with(".expected.jsonl"))
        .collect();
    files.sort();
    let mut count = 0;
    let mut wrong = BTreeSet::new();
    for path in files {
        for line in std::fs::read_to_string(path).unwrap().lines() {
            let case: serde_json::Value = serde_json::from_str(line).unwrap();
            count += 1;
            if !right(&case) {
                wrong.insert(case["id"].as_str().unwrap().to_owned());
            }
        }
    }
    let list = folder.join("gaps.txt");
    let mut text = format!("# {} of {count} cases are not right yet.\n", wrong.len());
    for id in &wrong {
        let _ = writeln!(text, "{id}");
    }
    if updating() {
        std::fs::write(&list, &text).unwrap();
    }
    let known = std::fs::read_to_string(&list).unwrap();
    let known: BTreeSet<String> =
        known.lines().filter(|line| !line.starts_with('#')).map(str::to_owned).collect();
    let new: Vec<_> = wrong.difference(&known).collect();
    let mended: Vec<_> = known.difference(&wrong).collect();
    assert!(
        new.is_empty() && mended.is_empty(),
        "newly wrong: {new:#?}\nright now, to be taken off gaps.txt: {mended:#?}"
    );
    assert!(count >= 2_000, "the corpus has only {count} cases");
}
