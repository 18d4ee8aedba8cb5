//! Numbers for people: durations, money, counts. The page (`page/text.js` of `ptc-view`) formats them in the same way; a test
//! compares both.

use std::time::Duration;

use ptc_subagent::provider::{Cost, Usage};

/// Formats an elapsed time: `4 ms`, `1.2 s`, `2 min 5 s`, `3 h 20 min`.
pub(crate) fn duration(time: Duration) -> String {
    let ms = time.as_millis();
    let tenths = (ms + 50) / 100;
    match (ms, tenths) {
        (..1000, _) => format!("{ms} ms"),
        (_, ..600) => format!("{}.{} s", tenths / 10, tenths % 10),
        _ => clock(Duration::from_secs(time.as_secs() + u64::from(time.subsec_millis() >= 500))),
    }
}

/// Formats a running time in whole seconds: `0 s`, `59 s`, `2 min 5 s`, `3 h 20 min`.
pub(crate) fn clock(time: Duration) -> String {
    let seconds = time.as_secs();
    match seconds {
        ..60 => format!("{seconds} s"),
        60..3600 => format!("{} min {} s", seconds / 60, seconds % 60),
        _ => format!("{} h {} min", seconds / 3600, seconds / 60 % 60),
    }
}

/// Formats the time between two timestamps of a record, which are in ms.
pub(crate) fn between(start: u64, end: u64) -> String {
    duration(Duration::from_millis(end.saturating_sub(start)))
}

/// Returns the cost of replies, if it is known. Without a reply there is no cost to show.
pub(crate) fn cost(usage: &Usage) -> Option<Cost> {
    usage.cost.filter(|it| *it != Cost::ZERO || usage.tokens() > 0)
}

/// Formats a count with its noun.
pub(crate) fn plural(count: u64, what: &str) -> String {
    if count == 1 { format!("1 {what}") } else { format!("{count} {what}s") }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `cli/tests/it/view.rs` checks the page with the same times.
    #[test]
    fn times() {
        for line in include_str!("../tests/data/durations.txt").lines() {
            let (ms, shown) = line.split_once(' ').expect("is a number and a text");
            assert_eq!(between(1, 1 + ms.parse::<u64>().expect("is a number")), shown);
        }
        let clocks = [0, 59, 60, 3599, 3600].map(|it| clock(Duration::from_secs(it)));
        assert_eq!(clocks, ["0 s", "59 s", "1 min 0 s", "59 min 59 s", "1 h 0 min"]);
    }
}
