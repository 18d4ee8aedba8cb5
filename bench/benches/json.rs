//! Times how long `ptc` and other libraries take to read and write JSON.
//!
//! Each library reads a text into its own kind of tree, and writes the tree as text. The libraries
//! take turns, and the table has the least time of each. The name of a library as an argument times
//! that one alone, for a profiler.

#![expect(clippy::print_stdout, reason = "the table is what this program is for")]

use std::hint::black_box;
use std::time::Instant;

use ptc_bench::records;

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

const ROUNDS: usize = 60;

/// The least times of a library, in milliseconds.
struct Times {
    name: &'static str,
    read: f64,
    written: f64,
    is_skipped: bool,
}

fn main() {
    let text = records();
    let only = std::env::args().skip(1).find(|it| !it.starts_with('-'));
    let mut all =
        [Times::of("ptc"), Times::of("serde_json"), Times::of("simd-json"), Times::of("sonic-rs")];
    for times in &mut all {
        times.is_skipped = only.as_ref().is_some_and(|it| it != times.name);
    }
    for _ in 0..ROUNDS {
        let [ptc, serde, simd, sonic] = &mut all;
        ptc.round(|| ptc_lisp::json::parse(&text).ok(), |it| ptc_lisp::json::write(it).ok());
        serde.round(
            || serde_json::from_str::<serde_json::Value>(&text).ok(),
            |it| serde_json::to_string(it).ok(),
        );
        // It reads in place, so it needs a copy of the text.
        simd.round(
            || simd_json::to_owned_value(&mut text.clone().into_bytes()).ok(),
            |it| simd_json::to_string(it).ok(),
        );
        sonic.round(
            || sonic_rs::from_str::<sonic_rs::Value>(&text).ok(),
            |it| sonic_rs::to_string(it).ok(),
        );
    }
    println!("| library | reading | writing | both |");
    println!("|---|---:|---:|---:|");
    for Times { name, read, written, .. } in all.iter().filter(|it| !it.is_skipped) {
        println!("| {name} | {read:.2} ms | {written:.2} ms | {:.2} ms |", read + written);
    }
}

impl Times {
    fn of(name: &'static str) -> Times {
        Times { name, read: f64::INFINITY, written: f64::INFINITY, is_skipped: false }
    }

    /// Reads and writes once; dropping the values is not counted.
    fn round<T>(&mut self, read: impl Fn() -> Option<T>, write: impl Fn(&T) -> Option<String>) {
        if self.is_skipped {
            return;
        }
        let start = Instant::now();
        let Some(value) = black_box(read()) else { return };
        self.read = self.read.min(start.elapsed().as_secs_f64() * 1e3);
        let start = Instant::now();
        if black_box(write(&value)).is_some() {
            self.written = self.written.min(start.elapsed().as_secs_f64() * 1e3);
        }
    }
}
