//! The number of allocations of the smallest programs, from session to end.
//!
//! The table is exact, so it shows every change of the language that allocates more or less. If the
//! change is intended, replace `EXPECTED` with the table that the test prints.

use std::fmt::Write as _;

use ptc_lisp::{Budget, Effect, Limits, Outcome, Session, ToolDecl, Value, Yielded, json};

const EXPECTED: &str = "
program                               | session | admit | start | run | finish
(+ 1 2)                               |     1 |    15 |     8 |     1 |     0
(:a ctx/row)                          |     1 |    30 |     8 |     2 |     0
(map (fn [x] (* x 2)) ctx/three)      |     1 |    58 |     8 |    21 |     0
(:total (tool/order {:id 7}))         |     1 |    57 |     9 |     8 |     0
";

/// Programs, each with the answer of its tool call.
const PROGRAMS: &[(&str, &str)] = &[
    ("(+ 1 2)", ""),
    ("(:a ctx/row)", ""),
    ("(map (fn [x] (* x 2)) ctx/three)", ""),
    ("(:total (tool/order {:id 7}))", "{\"total\": 40}"),
];

#[test]
fn the_smallest_programs_allocate_as_expected() {
    // A first run makes the allocations that happen once per process.
    for (source, answer) in PROGRAMS {
        row(source, answer);
    }
    let mut table = EXPECTED.lines().take(2).collect::<Vec<_>>().join("\n");
    for (source, answer) in PROGRAMS {
        let counts: Vec<String> =
            row(source, answer).iter().map(|count| format!("{count:>5}")).collect();
        let _ = write!(table, "\n{source:<37} | {}", counts.join(" | "));
    }
    table.push('\n');
    assert!(table == EXPECTED, "the allocations have changed:\n{table}");
}

/// Returns the allocations of five steps: creating the session, checking the program, starting it,
/// running it with its tool calls, and taking its value.
fn row(source: &str, answer: &str) -> [u64; 5] {
    let ctx = json::parse("{\"row\": {\"a\": 1, \"b\": 2}, \"three\": [1, 2, 3]}").unwrap();
    let answer = json::parse(answer).unwrap_or_default();
    let tools = vec![ToolDecl::new("order", Effect::Read)];
    let (session, made) = counted(|| Session::new(ctx, tools, Limits::default()));
    let (program, admitted) = counted(|| session.admit(source).unwrap());
    let (mut machine, started) = counted(|| session.start(&program));
    let ((), ran) = counted(|| {
        let mut budget = Budget::new(session.limits());
        loop {
            match machine.run(&mut budget) {
                Yielded::Calls(calls) => {
                    for call in calls {
                        machine.resume(&call.id, Ok(answer.clone()));
                    }
                }
                Yielded::Done => return,
                Yielded::SliceUsed => {}
            }
        }
    });
    let (ended, finished) = counted(|| machine.finish());
    assert!(matches!(ended.outcome, Outcome::Value(value) if value != Value::Nil));
    [made, admitted, started, ran, finished]
}

fn counted<T>(work: impl FnOnce() -> T) -> (T, u64) {
    let mut result = None;
    let info = allocation_counter::measure(|| result = Some(work()));
    (result.unwrap(), info.count_total)
}
