//! The bound on failed logins of an address.

use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// The number of failures after which an address has to wait.
const MAX_FAILURES: u32 = 10;

/// The time for which failures count.
const WINDOW: Duration = Duration::from_mins(1);

/// The number of addresses that are kept. With more, the one whose failures are oldest makes room, so that nobody can
/// fill the memory.
const MAX_ADDRESSES: usize = 4096;

/// The failed logins of addresses.
///
/// Nobody guesses 256 random bits. The bound keeps a client with a wrong token from costing the server more than a lookup.
#[derive(Debug, Default)]
pub(super) struct Attempts(Mutex<HashMap<IpAddr, Failures>>);

#[derive(Clone, Copy, Debug)]
struct Failures {
    since: Instant,
    count: u32,
}

impl Attempts {
    /// Returns how long an address has to wait before its next attempt; `None` if it need not wait.
    pub(super) fn wait(&self, of: IpAddr, now: Instant) -> Option<Duration> {
        let failures = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let it = failures.get(&of).filter(|it| it.count >= MAX_FAILURES)?;
        (it.since + WINDOW).checked_duration_since(now).filter(|it| !it.is_zero())
    }

    /// Counts a failure.
    pub(super) fn failed(&self, of: IpAddr, now: Instant) {
        let mut failures = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if !failures.contains_key(&of)
            && failures.len() >= MAX_ADDRESSES
            && let Some(oldest) = failures.iter().min_by_key(|(_, it)| it.since).map(|it| *it.0)
        {
            failures.remove(&oldest);
        }
        let it = failures.entry(of).or_insert(Failures { since: now, count: 0 });
        if now.saturating_duration_since(it.since) >= WINDOW {
            *it = Failures { since: now, count: 0 };
        }
        it.count += 1;
    }

    /// Forgets the failures of an address that has logged in.
    pub(super) fn succeeded(&self, of: IpAddr) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).remove(&of);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_waits_after_ten_failures() {
        let attempts = Attempts::default();
        let start = Instant::now();
        let [one, other] = [1, 2].map(|it| IpAddr::from([192, 0, 2, it]));
        let after = |seconds| start + Duration::from_secs(seconds);
        for at in 0..10 {
            assert_eq!(attempts.wait(one, start), None, "{at}");
            attempts.failed(one, start);
        }
        assert_eq!(attempts.wait(one, after(20)), Some(Duration::from_secs(40)));
        assert_eq!(attempts.wait(other, start), None);
        assert_eq!(attempts.wait(one, after(60)), None);
        // A failure after the window begins a new one.
        attempts.failed(one, after(61));
        assert_eq!(attempts.wait(one, after(61)), None);
        for _ in 0..9 {
            attempts.failed(one, after(62));
        }
        assert_eq!(attempts.wait(one, after(62)), Some(Duration::from_secs(59)));
        attempts.succeeded(one);
        assert_eq!(attempts.wait(one, after(62)), None);
    }

    #[test]
    fn the_oldest_address_makes_room() {
        let attempts = Attempts::default();
        let start = Instant::now();
        let address = |at: u32| IpAddr::from(at.to_be_bytes());
        let full = u32::try_from(MAX_ADDRESSES).expect("fits");
        for at in 0..=full {
            for _ in 0..10 {
                attempts.failed(address(at), start + Duration::from_micros(u64::from(at)));
            }
        }
        let later = start + Duration::from_secs(1);
        let waits = [0, 1, full].map(|at| attempts.wait(address(at), later).is_some());
        assert_eq!(waits, [false, true, true]);
    }
}
