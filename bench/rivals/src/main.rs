//! Compares the language with its rivals: the same work, each in its own idiom, from source text to
//! result.
//!
//! In every round, each rival runs once for at least [`SLICE`], one after another, so that other
//! load on the machine affects all of them. The table shows the minimum and the median time of a
//! run.

mod lua;
mod monty;
mod ptc;
mod quickjs;
mod rhai;
mod starlark;
mod steel;

use std::time::{Duration, Instant};

#[cfg(feature = "mimalloc")]
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// The time of one turn of a rival.
const SLICE: Duration = Duration::from_millis(30);

/// The number of turns of each rival in a row of the table.
const ROUNDS: usize = 40;

/// One row of the table.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Row {
    /// `1 + 2`.
    Tiny,
    /// Squares of the odd numbers below 40, summed.
    Sequence,
    /// `fib(22)`, by calls.
    Calls,
    /// A loop of a million turns that adds numbers.
    Loop,
    /// Ten thousand strings, created and joined.
    Strings,
    /// A thousand calls of a host function.
    Host,
    /// Ten thousand JSON records, filtered, grouped, summed and sorted. Input and output are JSON.
    Records,
}

impl Row {
    const ALL: [Row; 7] =
        [Row::Tiny, Row::Sequence, Row::Calls, Row::Loop, Row::Strings, Row::Host, Row::Records];

    fn name(self) -> &'static str {
        match self {
            Row::Tiny => "tiny: 1 + 2",
            Row::Sequence => "filter, map, reduce over 40",
            Row::Calls => "fib(22)",
            Row::Loop => "a million turns",
            Row::Strings => "10,000 strings joined",
            Row::Host => "1,000 host calls",
            Row::Records => "10,000 JSON records",
        }
    }

    fn answer(self) -> &'static str {
        match self {
            Row::Tiny => "3",
            Row::Sequence => "10660",
            Row::Calls => "17711",
            Row::Loop => "499999500000",
            Row::Strings => "98889",
            Row::Host => "499500",
            // The number of customers.
            Row::Records => "97",
        }
    }
}

/// An implementation that runs programs.
pub trait Rival {
    fn name(&self) -> &'static str;
    /// Returns the program of a row.
    fn source(&self, row: Row) -> &'static str;
    /// Runs the program of a row from its text to its result. The result of [`Row::Records`] is a
    /// JSON array, and that of every other row a number.
    fn run(&mut self, row: Row, source: &str, records: &str) -> String;
}

/// Returns ten thousand orders with five fields.
fn records() -> String {
    let rows: Vec<serde_json::Value> = (0..10_000)
        .map(|id| {
            serde_json::json!({
                "id": id,
                "customer": format!("c{}", id % 97),
                "total": f64::from(id % 1000) + 0.5,
                "status": if id % 3 == 0 { "open" } else { "paid" },
                "region": format!("r{}", id % 7),
            })
        })
        .collect();
    serde_json::json!({ "rows": rows }).to_string()
}

/// Reduces the result of a row to the text that is compared with the answer.
fn essence(row: Row, result: &str) -> String {
    if row != Row::Records {
        return result.trim_end_matches(".0").to_owned();
    }
    let rows: Vec<serde_json::Value> = serde_json::from_str(result).expect("a JSON array");
    let totals: Vec<f64> = rows.iter().map(|row| row["total"].as_f64().expect("a total")).collect();
    assert!(totals.windows(2).all(|pair| pair[0] >= pair[1]), "sorted by total");
    assert!(
        (totals.iter().sum::<f64>() - 1_667_000.0).abs() < 1.0,
        "{}",
        totals.iter().sum::<f64>()
    );
    rows.len().to_string()
}

fn shown(time: Duration) -> String {
    let micros = time.as_secs_f64() * 1e6;
    match micros {
        0.0..10.0 => format!("{micros:.2} µs"),
        10.0..1000.0 => format!("{micros:.0} µs"),
        _ => format!("{:.2} ms", micros / 1e3),
    }
}

fn main() {
    let only = std::env::args().nth(1);
    let records = records();
    let mut rivals: Vec<Box<dyn Rival>> = vec![
        Box::new(ptc::Ptc),
        Box::new(monty::Monty),
        Box::new(starlark::Starlark::new()),
        Box::new(rhai::Rhai::new()),
        Box::new(steel::Steel::new()),
        Box::new(lua::Lua::new()),
        Box::new(quickjs::QuickJs::new()),
    ];
    let head: Vec<&str> = rivals.iter().map(|rival| rival.name()).collect();
    println!("| row | {} |", head.join(" | "));
    println!("|---|{}", "---:|".repeat(rivals.len()));
    let mut ratios = vec![Vec::new(); rivals.len()];
    for row in Row::ALL {
        if only.as_deref().is_some_and(|only| !row.name().contains(only)) {
            continue;
        }
        // The number of runs that fill a slice; this also checks every rival's answer.
        let counts: Vec<u32> = rivals
            .iter_mut()
            .map(|rival| {
                let source = rival.source(row);
                let result = rival.run(row, source, &records);
                assert_eq!(essence(row, &result), row.answer(), "{} {}", rival.name(), row.name());
                let start = Instant::now();
                let mut count = 0;
                while count == 0 || start.elapsed() < SLICE {
                    rival.run(row, source, &records);
                    count += 1;
                }
                count
            })
            .collect();
        let mut times = vec![Vec::new(); rivals.len()];
        for _ in 0..ROUNDS {
            for (at, rival) in rivals.iter_mut().enumerate() {
                let source = rival.source(row);
                let start = Instant::now();
                for _ in 0..counts[at] {
                    std::hint::black_box(rival.run(row, std::hint::black_box(source), &records));
                }
                times[at].push(start.elapsed() / counts[at]);
            }
        }
        let mut cells = Vec::new();
        let mut least_of_ours = 0.0;
        for (at, times) in times.iter_mut().enumerate() {
            times.sort();
            let (least, median) = (times[0], times[times.len() / 2]);
            if at == 0 {
                least_of_ours = least.as_secs_f64();
            }
            ratios[at].push(least.as_secs_f64() / least_of_ours);
            cells.push(format!("{} ({})", shown(least), shown(median)));
        }
        println!("| {} | {} |", row.name(), cells.join(" | "));
    }
    let means: Vec<String> = ratios
        .iter()
        .map(|ratios| {
            let mean =
                ratios.iter().map(|ratio: &f64| ratio.ln()).sum::<f64>() / ratios.len() as f64;
            format!("{:.2}", mean.exp())
        })
        .collect();
    println!("| geometric mean beside ptc | {} |", means.join(" | "));
}
