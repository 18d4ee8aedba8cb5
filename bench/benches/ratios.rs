//! Measures the gain of each optimisation: a program with it beside one that does the same work
//! without it. The program fails if a gain is below its floor.
//!
//! Both programs alternate in one process, and their minimum times are compared, so the ratio
//! hardly depends on the machine. `tests/tests/it/listing.rs` shows the code of such programs.

#![expect(clippy::print_stdout, reason = "the table is what this program is for")]

use std::time::Instant;

use ptc_lisp::{Budget, Effect, Limits, Outcome, Session, ToolCall, ToolDecl, Value, Yielded};

/// An optimisation, a program with it, a program without it, and the minimum ratio.
struct Pair {
    name: &'static str,
    with: &'static str,
    without: &'static str,
    floor: f64,
}

const PAIRS: &[Pair] = &[
    Pair {
        name: "the next item in the frame of the last one, and each in a frame of its own",
        with: "(reduce + (map (fn [x] (loop [i x] (if (< i 0) (recur (inc i)) i))) (range 1 20000 1)))",
        without: "(reduce + (map (fn [x & _] (loop [i x] (if (< i 0) (recur (inc i)) i))) (range 1 20000 1)))",
        floor: 1.1,
    },
    Pair {
        name: "a tool call that reuses the arguments of the last one, and one with a list, which cannot",
        with: "(reduce + (map (fn [n] (call \"host\" {:n n :m nil})) (range 1 200 1)))",
        without: "(reduce + (map (fn [n] (call \"host\" {:n n :m [0]})) (range 1 200 1)))",
        floor: 1.1,
    },
    Pair {
        name: "the last reading of a vector moves it, and a vector that is read again is copied once",
        with: "(loop [i 0 v []] (if (< i 20000) (recur (inc i) (conj v i)) (count v)))",
        without: "(loop [i 0 v []] (if (< i 20000) (let [w (conj v i)] (count v) (recur (inc i) w)) (count v)))",
        floor: 2.0,
    },
    Pair {
        name: "collections of constants made once, and made at every turn",
        with: "(dotimes [i 20000] (get [1 2 3 4 5 6 7 8] 3))",
        without: "(dotimes [i 20000] (get [i 2 3 4 5 6 7 8] 3))",
        floor: 1.3,
    },
];

/// The program for all kinds of hosts.
const CALLS: &str = "(reduce + (map (fn [n] (call \"host\" {:n n})) (range 1 200 1)))";

/// The party that answers tool calls.
#[derive(Clone, Copy, PartialEq)]
enum Answers {
    /// The host, at once.
    AtOnce,
    /// The host, at once; it keeps the arguments.
    Keeping,
    /// The driver.
    Driver,
}

/// An optimisation of calls, the party that answers without it, and the minimum ratio.
const CALL_PAIRS: &[(&str, Answers, f64)] = &[
    ("a tool call that the host answers at once, and one through the driver", Answers::Driver, 1.5),
    (
        "a tool call that reuses the arguments of the last one, and a host that keeps them",
        Answers::Keeping,
        1.1,
    ),
];

/// Returns sources that are only read and checked: the fact that the checker finds once, the
/// program with it, the program without it, and the minimum ratio.
fn check_pairs() -> [(&'static str, String, String, f64); 3] {
    let functions = ptc_lisp::vocabulary::builtins().map(|(_, builtin)| builtin);
    let names: Vec<&str> =
        functions.filter(|it| !it.is_constant()).map(|it| it.name).take(400).collect();
    let all_of = |name: &str| format!("(fn [{name}] [{}])", format!("{name} ").repeat(400));
    [
        (
            "a name of the language that was looked up before, and one that was not",
            format!("[{}]", "map ".repeat(names.len())),
            format!("[{}]", names.join(" ")),
            1.5,
        ),
        (
            "names of plain letters, and names with a letter past ASCII",
            all_of("price"),
            all_of("prisé"),
            1.1,
        ),
        (
            "names of eight bytes, which are compared as a number, and names of nine",
            all_of("customer"),
            all_of("customers"),
            1.0,
        ),
    ]
}

const ROUNDS: usize = 40;

fn session() -> Session {
    let tool = ToolDecl::new("host", Effect::Read);
    Session::new(Value::map([]), vec![tool], Limits::default())
}

/// Runs a program to its end, and returns its value and its time.
fn timed(session: &Session, source: &str, answers: Answers) -> (Value, f64) {
    let Ok(program) = session.admit(source) else { return (Value::Nil, f64::MAX) };
    let answer = |call: &ToolCall| Ok(call.args.get("n").cloned().unwrap_or_default());
    let mut kept = Vec::with_capacity(1000);
    let mut host = |call: &ToolCall| {
        if answers == Answers::Keeping {
            kept.push(call.args.clone());
        }
        (answers != Answers::Driver).then(|| answer(call))
    };
    let start = Instant::now();
    let mut machine = session.start(&program);
    let mut budget = Budget::new(session.limits());
    loop {
        match machine.run_with(&mut budget, &mut host) {
            Yielded::Done => break,
            Yielded::SliceUsed => {}
            Yielded::Calls(calls) => {
                for call in calls {
                    machine.resume(&call.id, answer(&call));
                }
            }
        }
    }
    let outcome = machine.finish().outcome;
    let time = start.elapsed().as_secs_f64();
    match outcome {
        Outcome::Value(value) => (value, time),
        _ => (Value::Nil, f64::MAX),
    }
}

/// Returns the time to read and check a program.
fn checked(session: &Session, source: &str) -> f64 {
    let start = Instant::now();
    let admitted = session.admit(source).is_ok();
    let time = start.elapsed().as_secs_f64();
    assert!(admitted, "a program of the table is one: {source}");
    time
}

fn least_to_check(session: &Session, with: &str, without: &str) -> (f64, f64) {
    let mut best = (f64::MAX, f64::MAX);
    for _ in 0..ROUNDS * 5 {
        best = (best.0.min(checked(session, with)), best.1.min(checked(session, without)));
    }
    best
}

fn least(session: &Session, with: (&str, Answers), without: (&str, Answers)) -> (f64, f64) {
    let mut best = (f64::MAX, f64::MAX);
    for _ in 0..ROUNDS {
        let (value, time) = timed(session, with.0, with.1);
        let (other, longer) = timed(session, without.0, without.1);
        assert_eq!(value, other, "both do the same work: {} and {}", with.0, without.0);
        best = (best.0.min(time), best.1.min(longer));
    }
    best
}

fn main() {
    let session = session();
    println!("| optimisation | with | without | ratio | floor |\n|---|---:|---:|---:|---:|");
    let mut fallen = 0;
    let pairs = PAIRS.iter().map(|pair| {
        let [with, without] = [pair.with, pair.without].map(|source| (source, Answers::AtOnce));
        let times = least(&session, with, without);
        (pair.name, times, pair.floor)
    });
    let calls = CALL_PAIRS.iter().map(|(name, answers, floor)| {
        (*name, least(&session, (CALLS, Answers::AtOnce), (CALLS, *answers)), *floor)
    });
    let checks = check_pairs().map(|(name, with, without, floor)| {
        (name, least_to_check(&session, &with, &without), floor)
    });
    for (name, (with, without), floor) in pairs.chain(calls).chain(checks) {
        let ratio = without / with;
        fallen += u32::from(ratio < floor);
        let (with, without) = (with * 1e6, without * 1e6);
        println!("| {name} | {with:.1} µs | {without:.1} µs | {ratio:.2} | {floor:.1} |");
    }
    assert!(fallen == 0, "{fallen} optimisations give less than their floor");
}
