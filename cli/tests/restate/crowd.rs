//! Many runs at once.

use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use serde_json::json;

use crate::cluster::{Cluster, lock};
use crate::life::write_agents;

/// The default number of runs.
const RUNS: usize = 20;

/// The number of clients. Each waits for the end of its run.
const CLIENTS: usize = 16;

/// Many runs on two workers all end, each with its own calls. `PTC_RUNS` starts as many, also on one worker, and prints how
/// long they took.
#[test]
fn many_runs_share_two_workers() {
    let given = std::env::var("PTC_RUNS").ok().and_then(|it| it.parse().ok());
    let count: usize = given.unwrap_or(RUNS);
    for workers in if given.is_some() { [1, 2].as_slice() } else { &[2] } {
        let Some(cluster) = Cluster::start(*workers, write_agents) else { return };
        let (next, times) = (AtomicUsize::new(0), Mutex::new(Vec::new()));
        let start = Instant::now();
        std::thread::scope(|scope| {
            for _ in 0..CLIENTS {
                scope.spawn(|| {
                    while next.fetch_add(1, Ordering::SeqCst) < count {
                        let start = Instant::now();
                        let run = cluster.run("steps", &json!({"n": 2}));
                        assert_eq!(cluster.attach(&run)["status"], "returned");
                        lock(&times).push(start.elapsed());
                    }
                });
            }
        });
        let took = start.elapsed();
        assert_eq!(cluster.lines("send.log").len(), 2 * count);
        let mut times = std::mem::take(&mut *lock(&times));
        assert_eq!(times.len(), count);
        times.sort();
        let (median, late): (Duration, Duration) = (times[count / 2], times[count * 99 / 100]);
        let memory = cluster.worker_processes().into_iter().map(most_memory);
        eprintln!(
            "{count} runs of 2 calls, {workers} workers: {took:?}, {:.1} runs a second, median {median:?}, 99% {late:?}; \
             memory of the workers {:?} MiB, of the server {} MiB",
            count as f64 / took.as_secs_f64(),
            memory.collect::<Vec<u64>>(),
            most_memory(cluster.server_process()),
        );
    }
}

/// Returns the most memory that a process has had, in MiB; zero where the system does not tell.
fn most_memory(process: u32) -> u64 {
    let status = std::fs::read_to_string(format!("/proc/{process}/status")).unwrap_or_default();
    let line = status.lines().find_map(|it| it.strip_prefix("VmHWM:"));
    let kib = line.and_then(|it| it.trim().trim_end_matches(" kB").parse::<u64>().ok());
    kib.unwrap_or_default() / 1024
}
