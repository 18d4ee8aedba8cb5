//! Prints the time of each program of the hostile corpus, with the slowest last.
//!
//! `cargo run --release -p ptc-tests --example hostile` uses the default limits where a block sets
//! none. With an argument, it uses the limits of the test, with which each program must end within
//! two seconds of processor time. Other processes do not change that.

#![expect(clippy::print_stdout, reason = "a tool for people")]

use std::io::Write as _;
use std::sync::LazyLock;
use std::time::{Duration, Instant};

use ptc_lisp::Limits;
use ptc_tests::hostile;

/// The maximum time of a program with the limits of the test.
const MOST: Duration = Duration::from_secs(2);

fn main() {
    let argument = std::env::args().nth(1);
    let limits = if argument.is_some() { hostile::limits() } else { Limits::default() };
    let mut times = Vec::new();
    for corpus in hostile::corpora() {
        for block in &corpus.blocks {
            let mut world = hostile::world(block, limits.clone());
            for case in &block.cases {
                print!("\r{}:{}\x1b[K", corpus.name, case.line);
                // The output shows the place of a program that hangs.
                drop(std::io::stdout().flush());
                let start = busy();
                let ran = world.run(&case.source);
                let shown: String = ran.shown.chars().take(40).collect();
                let line = format!("{}:{} {} {shown}", corpus.name, case.line, case.source);
                times.push((busy().saturating_sub(start), ran.fuel, line));
            }
        }
    }
    times.sort();
    println!("\r{} programs", times.len());
    for (time, fuel, line) in times.iter().rev().take(25).rev() {
        println!("{:8.1} ms {fuel:9} {line}", time.as_secs_f64() * 1e3);
    }
    let slowest = times.last().map(|(time, ..)| *time).unwrap_or_default();
    assert!(argument.is_none() || slowest < MOST, "a program takes longer than {MOST:?}");
}

/// Returns the processor time of this thread. Where the system does not tell it, returns the time since the first call.
fn busy() -> Duration {
    static START: LazyLock<Instant> = LazyLock::new(Instant::now);
    let told = std::fs::read_to_string("/proc/thread-self/schedstat").ok();
    let nanos = told.and_then(|text| text.split(' ').next()?.parse().ok());
    nanos.map_or_else(|| START.elapsed(), Duration::from_nanos)
}
