//! Data that several benchmarks share; see `benches/` and the README.

use std::fmt::Write;

/// Returns ten thousand orders with five fields as JSON.
pub fn records() -> String {
    let mut text = String::from("{\"rows\": [");
    for id in 0..10_000 {
        let separator = if id == 0 { "" } else { ", " };
        let status = if id % 3 == 0 { "open" } else { "paid" };
        // Writing to a string cannot fail.
        let _ = write!(
            text,
            "{separator}{{\"id\": {id}, \"customer\": \"c{}\", \"total\": {}.5, \"status\": \"{status}\", \"region\": \"r{}\"}}",
            id % 97,
            id % 1000,
            id % 7
        );
    }
    text + "]}"
}
