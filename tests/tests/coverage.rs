//! Every public name of Clojure's core libraries is there, or left out with a reason.
//!
//! `UPDATE=1 cargo test -p ptc-tests --test coverage` writes `docs/language/coverage.md` anew.

use std::collections::{BTreeMap, HashSet};
use std::fmt::Write as _;

use ptc_lisp::{Diagnostic, Limits, Session, Value, builtins, forms};
use ptc_tests::{assert_no_problems, root, updating};

/// The namespaces of `names.tsv`, and how their names start here.
const SPACES: &[(&str, &str)] = &[
    ("clojure.core", ""),
    ("clojure.string", "str/"),
    ("clojure.set", "set/"),
    ("clojure.walk", "walk/"),
];

/// What became of a name.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Fate {
    Function,
    Form,
    /// It stands for a value.
    Value,
    /// It is accepted and does nothing, or gives names to what is there anyway.
    Accepted,
    LeftOut(String),
}

fn admit(source: &str) -> Result<(), Diagnostic> {
    let session = Session::new(Value::Nil, Vec::new(), Limits::default());
    session.admit(source).map(drop).map_err(|rejection| rejection.diagnostics[0].clone())
}

fn fate(name: &str, functions: &HashSet<&str>, forms: &HashSet<&str>) -> Result<Fate, String> {
    if forms.contains(name) {
        return Ok(Fate::Form);
    }
    let Err(problem) = admit(name) else {
        return Ok(if functions.contains(name) { Fate::Function } else { Fate::Value });
    };
    // What gives names to a library, takes one.
    if [format!("({name})"), format!("({name} 's 'clojure.set)")].iter().any(|it| admit(it).is_ok())
    {
        return Ok(Fate::Accepted);
    }
    match problem.help() {
        Some(instead) if problem.code() == "not-available" => Ok(Fate::LeftOut(instead.to_owned())),
        _ => Err(format!("{name}: {} {}", problem.code(), problem.message())),
    }
}

/// The names of every namespace with what became of them, in the order of `names.tsv`.
fn fates() -> Vec<(&'static str, Vec<(String, Fate)>)> {
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
            match fate(&name, &functions, &forms) {
                Ok(fate) => names.push((name, fate)),
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
    let fates = fates();
    let mut out = String::from(
        "# Coverage\n\n\
         The language supports every public name of four namespaces of Clojure 1.11.1, or leaves it out with a reason and a replacement.\n\
         That text is also the help of the diagnostic `not-available`.\n\
         A test writes this page from `tests/conformance/names.tsv` and from the language itself.\n\n\
         | Namespace | Names | Functions | Forms | Values | Accepted | Left out |\n\
         |---|---:|---:|---:|---:|---:|---:|\n",
    );
    let mut total = [0; 6];
    for (space, names) in &fates {
        let count = |wanted: fn(&Fate) -> bool| names.iter().filter(|(_, it)| wanted(it)).count();
        let counts = [
            names.len(),
            count(|it| *it == Fate::Function),
            count(|it| *it == Fate::Form),
            count(|it| *it == Fate::Value),
            count(|it| *it == Fate::Accepted),
            count(|it| matches!(it, Fate::LeftOut(_))),
        ];
        total.iter_mut().zip(counts).for_each(|(sum, count)| *sum += count);
        let counts = counts.map(|count| count.to_string()).join(" | ");
        let _ = writeln!(out, "| `{space}` | {counts} |");
    }
    let _ = writeln!(out, "| together | {} |", total.map(|count| count.to_string()).join(" | "));
    for (space, names) in &fates {
        let _ = write!(out, "\n## `{space}`\n");
        for (title, wanted) in [
            ("Functions", Fate::Function),
            ("Forms", Fate::Form),
            ("Values", Fate::Value),
            ("Accepted: everything they could ask for is there already", Fate::Accepted),
        ] {
            let found = list(names.iter().filter(|(_, it)| *it == wanted).map(|(name, _)| name));
            if !found.is_empty() {
                let _ = write!(out, "\n{title}:\n{found}\n");
            }
        }
        let mut reasons: BTreeMap<&str, Vec<&String>> = BTreeMap::new();
        for (name, it) in names {
            if let Fate::LeftOut(reason) = it {
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
fn every_name_is_there_or_left_out_with_a_reason() {
    let path = root().join("docs/language/coverage.md");
    let page = page();
    if updating() {
        std::fs::write(&path, &page).unwrap();
    }
    let written = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(written == page, "docs/language/coverage.md is out of date: run with UPDATE=1");
}

/// What is left out says so wherever it stands, and its long name does too.
#[test]
fn what_is_left_out_says_so_in_a_call() {
    let mut problems = Vec::new();
    for (_, names) in fates() {
        for (name, fate) in names {
            let call = admit(&format!("({name} 1)"));
            match (fate, call) {
                (Fate::LeftOut(reason), Err(problem))
                    if problem.code() == "not-available"
                        && problem.help() == Some(reason.as_str()) => {}
                (Fate::LeftOut(_), call) => problems.push(format!("({name} 1): {call:?}")),
                _ => {}
            }
        }
    }
    assert_no_problems(&problems);
}

/// Names may be written with the namespace that Clojure has them in.
#[test]
fn long_names_are_known() {
    let mut problems = Vec::new();
    for ((space, names), (_, short)) in fates().into_iter().zip(SPACES) {
        for (name, fate) in names {
            let long = format!("{space}/{}", name.strip_prefix(short).unwrap());
            let found = admit(&long);
            let fits = match (&fate, &found) {
                (Fate::Function, Ok(())) => true,
                (Fate::LeftOut(reason), Err(problem)) => problem.help() == Some(reason.as_str()),
                (Fate::Form | Fate::Value | Fate::Accepted, _) => true,
                _ => false,
            };
            if !fits {
                problems.push(format!("{long}: {fate:?}, {found:?}"));
            }
        }
    }
    assert_no_problems(&problems);
}
