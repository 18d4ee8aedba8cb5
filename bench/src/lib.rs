//! Data and the clock that several benchmarks share; see `benches/` and the README.

use std::fmt::Write;

use rustix::time::{ClockId, clock_gettime};

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

/// Returns the time that processors have spent on this process, in seconds.
pub fn processor_time() -> f64 {
    let time = clock_gettime(ClockId::ProcessCPUTime);
    time.tv_sec as f64 + time.tv_nsec as f64 / 1e9
}
