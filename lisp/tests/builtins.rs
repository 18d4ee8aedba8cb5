//! Tests builtins against real Clojure: the examples of the table, and the cases in `cases/`.
//!
//! A case is a line `expression ;=> value` or `expression ;! code: message`. The values of the
//! first kind come from Clojure 1.11 through `cases/oracle.clj`. A line such as `;=> [D4] value`
//! differs because of the marked divergence.

mod rules;

use std::sync::Arc;

use ptc_lisp::vocabulary::builtins;
use ptc_lisp::{Budget, Limits, Outcome, Payload, Session, Value, Yielded};
use rules::AllowAll;

/// Returns the readable value of a program, or its problem as `! code: message`.
fn run(source: &str) -> String {
    let mut session = Session::new(Value::Nil, Vec::new(), Limits::default());
    session.set_payload(Payload::new(Value::map([]), Arc::new(AllowAll)));
    let program = match session.admit(source) {
        Ok(program) => program,
        Err(rejection) => {
            let problem = rejection.diagnostics.first();
            return problem
                .map_or(String::new(), |first| format!("! {}: {}", first.code(), first.message()));
        }
    };
    let mut machine = session.start(&program);
    let mut budget = Budget::new(session.limits());
    loop {
        match machine.run(&mut budget) {
            Yielded::Done => break,
            Yielded::SliceUsed => {}
            Yielded::Calls(_) => return "! the program calls a tool".to_owned(),
        }
    }
    match machine.finish().outcome {
        Outcome::Value(value) => value.to_string(),
        Outcome::Error(problem) => format!("! {}: {}", problem.code(), problem.message()),
        _ => "! the program ended otherwise".to_owned(),
    }
}

fn check(wrong: &mut Vec<String>, place: &str, source: &str, expected: &str) {
    let got = run(source);
    if got != expected {
        wrong.push(format!("{place}: {source}\n  expected {expected}\n  got      {got}"));
    }
}

#[test]
fn every_example_gives_its_result() {
    let mut wrong = Vec::new();
    for (part, builtin) in builtins() {
        match builtin.example.split_once(" => ") {
            Some((source, expected)) => check(&mut wrong, part, source, expected),
            None => wrong.push(format!("{part}: `{}` has no example", builtin.name)),
        }
    }
    assert!(wrong.is_empty(), "{} wrong:\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn every_doc_is_a_sentence() {
    for (_, builtin) in builtins() {
        assert!(builtin.doc.ends_with('.'), "{}", builtin.name);
        assert!(builtin.max.is_none_or(|max| max >= builtin.min), "{}", builtin.name);
    }
}

#[test]
fn cases_match_clojure() {
    let mut wrong = Vec::new();
    let mut count = 0;
    for (file, text) in [
        ("numbers", include_str!("cases/numbers.txt")),
        ("text", include_str!("cases/text.txt")),
        ("java", include_str!("cases/java.txt")),
        ("time", include_str!("cases/time.txt")),
        ("core", include_str!("cases/core.txt")),
        ("errors", include_str!("cases/errors.txt")),
    ] {
        for (number, line) in text.lines().enumerate() {
            if line.trim().is_empty() || line.starts_with(";;") {
                continue;
            }
            count += 1;
            let place = format!("{file}:{}", number + 1);
            if let Some((source, expected)) = line.split_once(" ;=> ") {
                let expected = match expected.split_once("] ") {
                    Some((mark, rest)) if mark.starts_with("[D") => rest,
                    _ => expected,
                };
                check(&mut wrong, &place, source, expected);
            } else if let Some((source, problem)) = line.split_once(" ;! ") {
                check(&mut wrong, &place, source, &format!("! {problem}"));
            } else {
                wrong.push(format!("{place}: no case: {line}"));
            }
        }
    }
    assert!(count >= 300, "only {count} cases");
    assert!(wrong.is_empty(), "{} of {count} wrong:\n{}", wrong.len(), wrong.join("\n"));
}

/// Edge values of each kind.
const EDGE_VALUES: &[&str] = &[
    "nil",
    "true",
    "0",
    "-1",
    "1",
    "5",
    "9223372036854775807",
    "-9223372036854775808",
    "123456789012345678901234567890",
    "1.5",
    "-0.0",
    "##NaN",
    "##Inf",
    "1e300",
    "\"\"",
    "\"a\"",
    "\"é😀b\"",
    "\"%5$-10s\"",
    "\"%é\"",
    "\"2024-01-05\"",
    "\"2024-é1-05\"",
    "\"P1D\"",
    "\"-\"",
    "\"(\"",
    "\"yyyy[\"",
    "\"'\"",
    ":a",
    ":a/b",
    "'s",
    "[]",
    "[1 2]",
    "[\"a\" \"b\"]",
    "'(1)",
    "{}",
    "{:a 1}",
    "#{1}",
    "#\"a\"",
    "inc",
    "(LocalDate/of 9999 12 31)",
    "(LocalDate/of -9999 1 1)",
    "(Instant/ofEpochMilli 0)",
    "(LocalDateTime/of 2024 1 5 10 30)",
    "(Duration/ofSeconds 9223372036854775807)",
    "(Duration/ofSeconds -9223372036854775808)",
    "(Period/of 2147483647 1 -2147483648)",
    "(ChronoUnit/DAYS)",
    "(ChronoUnit/CENTURIES)",
    "(ZoneOffset/UTC)",
    "(DateTimeFormatter/ofPattern \"[uuuu][ HH]\")",
    "(DateTimeFormatter/ofPattern \"yyMMMdS\")",
    "(Month/MAY)",
    "(reduced 1)",
];

#[test]
fn no_function_panics_on_edge_values() {
    // Any mix of functions and values will do, as long as it is the same each time.
    let mut step = 7usize;
    // Each mix of several arguments, and one of `every` values of a single argument.
    let (mixes, every) = if option_env!("PTC_TESTS") == Some("all") { (60, 1) } else { (6, 4) };
    for (_, builtin) in builtins() {
        for count in builtin.min..=builtin.max.unwrap_or(builtin.min + 1).min(4) {
            let rounds = match count {
                0 => (0..1).step_by(1),
                1 => (step % every..EDGE_VALUES.len()).step_by(every),
                _ => (0..mixes).step_by(1),
            };
            for round in rounds {
                let args: Vec<&str> = (0..count)
                    .map(|at| {
                        step = (step * 1_103 + 12_345 + at) % 1_000_003;
                        EDGE_VALUES[if count == 1 { round } else { step % EDGE_VALUES.len() }]
                    })
                    .collect();
                let source = format!("({} {})", builtin.name, args.join(" "));
                let ran = std::panic::catch_unwind(|| run(&source));
                assert!(ran.is_ok(), "{source}");
            }
        }
    }
}
