//! Tests that the table of builtins is true.

use std::collections::HashSet;

use ptc_lisp::Limits;
use ptc_lisp::vocabulary::{Builtin, builtins};
use ptc_subagent::payload::{Grants, payload_of_session};
use ptc_tests::{World, assert_no_problems};

#[test]
fn every_example_is_true() {
    let mut problems = Vec::new();
    for (_, builtin) in builtins() {
        let Some((call, expected)) = builtin.example.split_once(" => ") else {
            problems.push(format!("{}: no example: {}", builtin.name, builtin.example));
            continue;
        };
        let found = run(call);
        if found != format!("=> {expected}") {
            problems.push(format!("{call}\nexpected => {expected}\nfound    {found}"));
        }
    }
    assert_no_problems(&problems);
}

/// Runs a program in a world with an empty payload.
fn run(source: &str) -> String {
    let payload = payload_of_session(serde_json::json!({}).into(), Grants::all());
    World::new("{}", Limits::default()).with_payload(payload).run(source).shown
}

#[test]
fn every_name_is_unique() {
    let mut seen = HashSet::new();
    let twice: Vec<String> = builtins()
        .filter(|(_, builtin)| !seen.insert(builtin.name))
        .map(|(_, builtin)| builtin.name.to_owned())
        .collect();
    assert_no_problems(&twice);
}

#[test]
fn every_doc_line_is_short_and_ends_with_a_dot() {
    let wrong: Vec<String> = builtins()
        .filter(|(_, builtin)| {
            !builtin.doc.ends_with('.')
                || builtin.doc.chars().count() > 120
                || builtin.doc.contains('\n')
        })
        .map(|(_, builtin)| format!("{}: {}", builtin.name, builtin.doc))
        .collect();
    assert_no_problems(&wrong);
}

/// The usage lines match the bounds of the arity.
#[test]
fn every_usage_matches_its_arity() {
    let mut problems = Vec::new();
    for (_, builtin) in builtins() {
        let mut min = usize::MAX;
        let mut max = Some(0);
        for usage in builtin.usage.split('|') {
            let fixed = usage.split(" & ").next().unwrap_or_default();
            let open = usage.contains("& ");
            let fixed = if usage.starts_with("& ") { 0 } else { fixed.split_whitespace().count() };
            min = min.min(fixed);
            max = match max {
                Some(max) if !open => Some(max.max(fixed)),
                _ => None,
            };
        }
        // The table allows the call `(range)`, and the function refuses it by name.
        if (min, max) != (builtin.min, builtin.max) && builtin.name != "range" {
            problems.push(format!(
                "{}: `{}` says {min} to {max:?}, the table {} to {:?}",
                builtin.name, builtin.usage, builtin.min, builtin.max
            ));
        }
    }
    assert_no_problems(&problems);
}

fn call(builtin: &Builtin, count: usize) -> String {
    format!("({}{})", builtin.name, " nil".repeat(count))
}

/// Too few and too many arguments are refused before anything runs, and also when the function is a
/// value that only the machine knows.
#[test]
fn a_wrong_number_of_arguments_is_wrong_arity() {
    let mut problems = Vec::new();
    for (_, builtin) in builtins() {
        if builtin.is_constant() {
            continue;
        }
        let few = (0..builtin.min).rev().find(|count| !builtin.accepts(*count));
        let many = builtin.max.and_then(|max| (max + 1..10).find(|count| !builtin.accepts(*count)));
        for count in few.into_iter().chain(many) {
            let direct = call(builtin, count);
            let applied = format!("(apply {} [{}])", builtin.name, " nil".repeat(count));
            for source in [direct, applied] {
                let shown = run(&source);
                if !shown.starts_with(&format!("! wrong-arity `{}` takes ", builtin.stands_for())) {
                    problems.push(format!("{source}\nfound {shown}"));
                }
            }
        }
    }
    assert_no_problems(&problems);
}
