//! Measures the growth of the time per element with the number of elements.
//!
//! Every operation is run over 10, 1,000 and 100,000 elements. Each row states the maximum ratio of
//! the time per element at 100,000 to that at 1,000. For a quadratic operation the ratio is about a
//! hundred. The program fails when a row is above its bound. Arguments select the rows whose names
//! contain one of them.

#![expect(clippy::print_stdout, reason = "the table is what this program is for")]

#[path = "growth/operations.rs"]
mod operations;

use std::process::ExitCode;
use std::time::{Duration, Instant};

use operations::{OPERATIONS, Op};
use ptc_lisp::{Admitted, Budget, Limits, Outcome, Session, Value, Yielded};

/// The sizes. The ratio compares the last with the second.
const SIZES: [i64; 3] = [10, 1_000, 100_000];

struct Job {
    session: Session,
    program: Admitted,
}

fn main() -> ExitCode {
    let only: Vec<String> =
        std::env::args().skip(1).filter(|argument| !argument.starts_with('-')).collect();
    println!("| operation | ns per element at 10 | at 1,000 | at 100,000 | ratio | bound |");
    println!("|---|---:|---:|---:|---:|---:|");
    let mut over = Vec::new();
    for op in OPERATIONS {
        if !only.is_empty() && !only.iter().any(|word| op.0.contains(word.as_str())) {
            continue;
        }
        match row(op) {
            Ok((line, fits)) => {
                println!("{line}");
                if !fits {
                    over.push(op.0);
                }
            }
            Err(problem) => {
                println!("| {} | {problem} |", op.0);
                over.push(op.0);
            }
        }
    }
    println!();
    if over.is_empty() {
        return ExitCode::SUCCESS;
    }
    println!("over the bound: {}", over.join("; "));
    ExitCode::FAILURE
}

/// Returns a row of the table, and whether it is within its bound.
fn row(Op(name, setup, source, answer, bound): &Op) -> Result<(String, bool), String> {
    let mut times = Vec::new();
    let mut note = String::new();
    for n in SIZES {
        if n > 10_000 {
            // A quadratic operation would take minutes; a tenth of the elements reveals it.
            let early = measure(setup, source, *answer, 10_000)?.0;
            let before = times.last().copied().unwrap_or(early);
            if early / before > 6.0 && early / before > bound / 2.0 {
                let line =
                    format!("{} | {:.0} | (10,000: {early:.0})", shown(&times), early / before);
                return Ok((format!("| {name} | {line} |"), false));
            }
        }
        let (time, raised) = measure(setup, source, *answer, n)?;
        times.push(time);
        note = raised;
    }
    let ratio = times[2] / times[1];
    let bound_shown = if bound.is_finite() { format!("{bound:.0}") } else { "none".to_owned() };
    Ok((
        format!("| {name}{note} | {} | {ratio:.1} | {bound_shown} |", shown(&times)),
        ratio <= *bound,
    ))
}

fn shown(times: &[f64]) -> String {
    times.iter().map(|time| format!("{time:.0}")).collect::<Vec<_>>().join(" | ")
}

/// Returns the nanoseconds per element, and the limit that had to be raised.
fn measure(
    setup: &str,
    source: &str,
    answer: fn(i64) -> i64,
    n: i64,
) -> Result<(f64, String), String> {
    let (job, note) = prepare(setup, source, answer, n)?;
    // The minimum of several measurements. A measurement of a small size has as many runs as take a
    // millisecond.
    let mut least = f64::MAX;
    let begun = Instant::now();
    let mut rounds = 0;
    while rounds < 15 && begun.elapsed() < Duration::from_millis(if rounds < 3 { 900 } else { 150 })
    {
        let start = Instant::now();
        let mut runs = 0_u32;
        while runs == 0 || start.elapsed() < Duration::from_millis(1) {
            drop(std::hint::black_box(run(&job)));
            runs += 1;
        }
        least = least.min(start.elapsed().as_nanos() as f64 / f64::from(runs));
        rounds += 1;
    }
    Ok((least / n as f64, note))
}

/// Admits the program with its data, and checks that it gives the right answer.
fn prepare(
    setup: &str,
    source: &str,
    answer: fn(i64) -> i64,
    n: i64,
) -> Result<(Job, String), String> {
    let free = Limits { fuel: u64::MAX, memory: 1 << 40, ..Limits::default() };
    let data = outcome(&job(setup, Value::map([(Value::keyword("n"), Value::from(n))]), free)?)?;
    let data = Value::map([(Value::keyword("n"), Value::from(n)), (Value::keyword("data"), data)]);
    let mut limits = Limits::default();
    let mut note = "";
    loop {
        let job = job(source, data.clone(), limits.clone())?;
        match outcome(&job) {
            Ok(value) if value == Value::from(answer(n)) => return Ok((job, note.to_owned())),
            Ok(value) => return Err(format!("at {n} it gives {value}, not {}", answer(n))),
            Err(problem) if problem.contains("fuel-limit") && limits.fuel < 1 << 40 => {
                (limits.fuel, note) = (1 << 40, "; fuel raised");
            }
            Err(problem) if problem.contains("memory-limit") && limits.memory < 1 << 34 => {
                (limits.memory, note) = (1 << 34, "; memory raised");
            }
            Err(problem) => return Err(format!("at {n}: {problem}")),
        }
    }
}

fn job(source: &str, ctx: Value, limits: Limits) -> Result<Job, String> {
    let session = Session::new(ctx, Vec::new(), limits);
    let program = session.admit(source).map_err(|refused| refused.to_string())?;
    Ok(Job { session, program })
}

fn run(job: &Job) -> Outcome {
    let mut machine = job.session.start(&job.program);
    let mut budget = Budget::new(job.session.limits());
    while !matches!(machine.run(&mut budget), Yielded::Done) {}
    machine.finish().outcome
}

fn outcome(job: &Job) -> Result<Value, String> {
    match run(job) {
        Outcome::Value(value) => Ok(value),
        Outcome::Error(problem) => Err(format!("{}: {problem}", problem.code())),
        other => Err(format!("{other:?}")),
    }
}
