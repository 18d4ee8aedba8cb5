//! How long each program of the hostile corpus takes: the slowest last.
//!
//! `cargo run --release -p ptc-tests --example hostile` uses the default limits where a block sets
//! none; with an argument, the limits of the test.

#![expect(clippy::print_stdout, reason = "a tool for people")]

use std::io::Write as _;
use std::time::Instant;

use ptc_lisp::Limits;
use ptc_tests::hostile;

fn main() {
    let argument = std::env::args().nth(1);
    let limits = if argument.is_some() { hostile::limits() } else { Limits::default() };
    let mut times = Vec::new();
    for corpus in hostile::corpora() {
        for block in &corpus.blocks {
            let mut world = hostile::world(block, limits.clone());
            for case in &block.cases {
                print!("\r{}:{}\x1b[K", corpus.name, case.line);
                // What hangs shows its place.
                drop(std::io::stdout().flush());
                let start = Instant::now();
                let ran = world.run(&case.source);
                let shown: String = ran.shown.chars().take(40).collect();
                let line = format!("{}:{} {} {shown}", corpus.name, case.line, case.source);
                times.push((start.elapsed(), ran.fuel, line));
            }
        }
    }
    times.sort();
    println!("\r{} programs", times.len());
    for (time, fuel, line) in times.iter().rev().take(25).rev() {
        println!("{:8.1} ms {fuel:9} {line}", time.as_secs_f64() * 1e3);
    }
}
