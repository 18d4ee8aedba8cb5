//! Tests that every public name of Clojure's core libraries exists, or is left out with a reason.
//!
//! `UPDATE=1 cargo test -p ptc-tests --test it coverage` rewrites `docs/language/coverage.md`.

use std::collections::{BTreeMap, HashSet};
use std::fmt::Write as _;

use ptc_lisp::vocabulary::{builtins, forms};
use ptc_lisp::{Diagnostic, Limits, Session, Value};
use ptc_tests::{assert_no_problems, root, updating};

/// The namespaces of `names.tsv`, each with its prefix in the language.
const SPACES: &[(&str, &str)] = &[
    ("clojure.core", ""),
    ("clojure.string", "str/"),
    ("clojure.set", "set/"),
    ("clojure.walk", "walk/"),
];

/// The status of a name in the language.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Status {
    Function,
    Form,
    /// A constant.
    Value,
    /// A form that is accepted without effect, or only gives names to a library that exists anyway.
    Accepted,
    LeftOut(String),
}

fn admit(source: &str) -> Result<(), Diagnostic> {
    let session = Session::new(Value::Nil, Vec::new(), Limits::default());
    session.admit(source).map(drop).map_err(|rejection| rejection.diagnostics[0].clone())
}

fn status(name: &str, functions: &HashSet<&str>, forms: &HashSet<&str>) -> Result<Status, String> {
    if forms.contains(name) {
        return Ok(Status::Form);
    }
    let Err(problem) = admit(name) else {
        return Ok(if functions.contains(name) { Status::Function } else { Status::Value });
    };
    // A form that names a library takes a library as argument.
    if [format!("({name})"), format!("({name} 's 'clojure.set)")].iter().any(|it| admit(it).is_ok())
    {
        return Ok(Status::Accepted);
    }
    match problem.help() {
        Some(instead) if problem.code() == "not-available" => {
            Ok(Status::LeftOut(instead.to_owned()))
        }
        _ => Err(format!("{name}: {} {}", problem.code(), problem.message())),
    }
}

/// Returns the names of every namespace with their status, in the order of `names.tsv`.
fn statuses() -> Vec<(&'static str, Vec<(String, Status)>)> {
    let functions: HashSet<&str> = builtins().map(|(_, builtin)| builtin.name).collect();
    let forms: HashSet<&str> = forms().map(|form| form.name).collect();
    let text = std::fs::read_to_string(root().join("tests/conformance/names.tsv")).unwrap();
    let mut problems = Vec::new();
    let mut all = Vec::new();
    for (space, short) in SPACES {
        let mut names = Vec::new();
        for row in text.lines().skip(1) {
            let mut fields = row.split('\t');
            if fields.next() != Some(*space) {
                continue;
            }
            let name = format!("{short}{}", fields.next().unwrap());
            match status(&name, &functions, &forms) {
                Ok(status) => names.push((name, status)),
                Err(problem) => problems.push(problem),
            }
        }
        all.push((*space, names));
    }
    assert_no_problems(&problems);
    let rows = text.lines().count() - 1;
    assert_eq!(all.iter().map(|(_, names)| names.len()).sum::<usize>(), rows);
    all
}

fn list<'n>(names: impl Iterator<Item = &'n String>) -> String {
    let names: Vec<String> = names.map(|name| format!("`{name}`")).collect();
    names.join(" ")
}

fn page() -> String {
    let statuses = statuses();
    let mut out = String::from(
        "# Coverage\n\n\
         The language supports every public name of four namespaces of Clojure 1.11.1, or leaves it out with a reason and a replacement.\n\
         That text is also the help of the diagnostic `not-available`.\n\
         A test writes this page from `tests/conformance/names.tsv` and from the language itself.\n\n\
         | Namespace | Names | Functions | Forms | Values | Accepted | Left out |\n\
         |---|---:|---:|---:|---:|---:|---:|\n",
    );
    let mut total = [0; 6];
    for (space, names) in &statuses {
        let count = |wanted: fn(&Status) -> bool| names.iter().filter(|(_, it)| wanted(it)).count();
        let counts = [
            names.len(),
            count(|it| *it == Status::Function),
            count(|it| *it == Status::Form),
            count(|it| *it == Status::Value),
            count(|it| *it == Status::Accepted),
            count(|it| matches!(it, Status::LeftOut(_))),
        ];
        total.iter_mut().zip(counts).for_each(|(sum, count)| *sum += count);
        let counts = counts.map(|count| count.to_string()).join(" | ");
        let _ = writeln!(out, "| `{space}` | {counts} |");
    }
    let _ = writeln!(out, "| together | {} |", total.map(|count| count.to_string()).join(" | "));
    for (space, names) in &statuses {
        let _ = write!(out, "\n## `{space}`\n");
        for (title, wanted) in [
            ("Functions", Status::Function),
            ("Forms", Status::Form),
            ("Values", Status::Value),
            ("Accepted: everything they could ask for is there already", Status::Accepted),
        ] {
            let found = list(names.iter().filter(|(_, it)| *it == wanted).map(|(name, _)| name));
            if !found.is_empty() {
                let _ = write!(out, "\n{title}:\n{found}\n");
            }
        }
        let mut reasons: BTreeMap<&str, Vec<&String>> = BTreeMap::new();
        for (name, it) in names {
            if let Status::LeftOut(reason) = it {
                reasons.entry(reason).or_default().push(name);
            }
        }
        if !reasons.is_empty() {
            out.push_str("\n| Left out | Why, and what instead |\n|---|---|\n");
        }
        for (reason, names) in reasons {
            let _ = writeln!(out, "| {} | {reason} |", list(names.into_iter()));
        }
    }
    out
}

#[test]
fn every_name_exists_or_is_left_out_with_a_reason() {
    let path = root().join("docs/language/coverage.md");
    let page = page();
    if updating() {
        std::fs::write(&path, &page).unwrap();
    }
    let written = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(written == page, "docs/language/coverage.md is out of date: run with UPDATE=1");
}

/// A left-out name is reported in every position, and so is its long name.
#[test]
fn unsupported_names_are_reported_in_calls() {
    let mut problems = Vec::new();
    for (_, names) in statuses() {
        for (name, status) in names {
            let call = admit(&format!("({name} 1)"));
            match (status, call) {
                (Status::LeftOut(reason), Err(problem))
                    if problem.code() == "not-available"
                        && problem.help() == Some(reason.as_str()) => {}
                (Status::LeftOut(_), call) => problems.push(format!("({name} 1): {call:?}")),
                _ => {}
            }
        }
    }
    assert_no_problems(&problems);
}

/// Names may be written with their namespace in Clojure.
#[test]
fn long_names_are_known() {
    let mut problems = Vec::new();
    for ((space, names), (_, short)) in statuses().into_iter().zip(SPACES) {
        for (name, status) in names {
            let long = format!("{space}/{}", name.strip_prefix(short).unwrap());
            let found = admit(&long);
            let fits = match (&status, &found) {
                (Status::Function, Ok(())) => true,
                (Status::LeftOut(reason), Err(problem)) => problem.help() == Some(reason.as_str()),
                (Status::Form | Status::Value | Status::Accepted, _) => true,
                _ => false,
            };
            if !fits {
                problems.push(format!("{long}: {status:?}, {found:?}"));
            }
        }
    }
    assert_no_problems(&problems);
}
