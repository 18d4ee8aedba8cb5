//! Measures the register machine beside today's: `cargo run --release -p ptc-register --example spike [part of a group]`.
//!
//! Both run the same admitted program in turn, and the best of many runs counts.

#![expect(clippy::print_stdout, reason = "it prints its table")]
#![expect(
    clippy::disallowed_methods,
    reason = "it measures, and takes its group from the command line"
)]

#[path = "../tests/it/programs.rs"]
mod programs;

use std::time::{Duration, Instant};

use ptc_lisp::{Admitted, Budget, Effect, Limits, Outcome, Session, Step, ToolDecl, Value, json};
use ptc_register::Registers;

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn answer(args: &Value) -> Value {
    args.get("id").cloned().unwrap_or_default()
}

fn today(session: &Session, admitted: &Admitted) -> (Value, u64, Duration) {
    let mut machine = session.start(admitted);
    let mut budget = Budget::new(session.limits());
    let start = Instant::now();
    while !matches!(
        machine.run_with(&mut budget, &mut |call| Some(Ok(answer(&call.args)))),
        Step::Done
    ) {}
    let took = start.elapsed();
    let ended = machine.finish();
    match ended.outcome {
        Outcome::Value(value) => (value, ended.fuel, took),
        other => (Value::str(format!("{other:?}")), 0, took),
    }
}

fn registers(session: &Session, admitted: &Admitted) -> (Value, u64, Duration) {
    let mut machine = match Registers::new(session, admitted) {
        Ok(machine) => machine,
        Err(problem) => return (Value::str(problem.to_string()), 0, Duration::ZERO),
    };
    let mut budget = Budget::new(session.limits());
    let start = Instant::now();
    loop {
        match machine.run(&mut budget, &mut |_, args| Some(answer(args))) {
            ptc_register::Step::Done(value) => {
                let took = start.elapsed();
                let value = value.unwrap_or_else(|problem| Value::str(problem.to_string()));
                return (value, machine.fuel(), took);
            }
            ptc_register::Step::Yield => {}
            ptc_register::Step::Call(_, args) => machine.resume(answer(&args)),
        }
    }
}

fn main() {
    let wanted = std::env::args().nth(1).unwrap_or_default();
    let lists = std::env::args().nth(2).is_some();
    let limits = Limits { tool_calls: 5_000, fuel: 1 << 40, ..Limits::default() };
    let tools = vec![ToolDecl::new("get", Effect::Read)];
    let data = json::parse(&programs::data()).unwrap_or_default();
    let session = Session::new(data, tools, limits);
    let all = programs::programs();
    let mut rows = Vec::new();
    for program in all.iter().filter(|it| it.group.contains(&wanted)) {
        let admitted = match session.admit(&program.source) {
            Ok(admitted) => admitted,
            Err(problem) => {
                println!("{}: {problem}", program.source);
                continue;
            }
        };
        if lists {
            println!("{}\n{}", program.source, admitted.listing());
            if let Ok(machine) = Registers::new(&session, &admitted) {
                println!("{}", machine.listing());
            }
        }
        let (mut old, mut new) = (Duration::MAX, Duration::MAX);
        let begin = Instant::now();
        let mut count = 0;
        while count < 5 || begin.elapsed() < Duration::from_millis(600) {
            let (value, fuel, took) = today(&session, &admitted);
            old = old.min(took);
            let (other, other_fuel, took) = registers(&session, &admitted);
            new = new.min(took);
            if (&value, fuel) != (&other, other_fuel) {
                println!("{}: {value} for {fuel}, and {other} for {other_fuel}", program.source);
                new = Duration::MAX;
                break;
            }
            count += 1;
        }
        let nanos = |it: Duration| it.as_nanos() as f64 / program.turns as f64;
        rows.push((program.group, program.spelling, nanos(old), nanos(new)));
    }
    println!("| work | spelling | today, ns a turn | registers | ratio | beside today's fastest |");
    println!("|---|---|--:|--:|--:|--:|");
    for (group, spelling, old, new) in &rows {
        let best = rows.iter().filter(|it| it.0 == *group).map(|it| it.2).fold(f64::MAX, f64::min);
        println!(
            "| {group} | {spelling} | {old:.1} | {new:.1} | {:.2} | {:.2} |",
            new / old,
            new / best
        );
    }
}
