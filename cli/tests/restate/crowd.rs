//! Many runs at once.

use std::collections::BTreeSet;
use std::time::Instant;

use serde_json::json;

use crate::cluster::Cluster;
use crate::life::write_agents;

/// Many runs on two workers all end, each with its own calls.
#[test]
fn many_runs_share_two_workers() {
    let Some(cluster) = Cluster::start(2, write_agents) else { return };
    let count = std::env::var("PTC_RUNS").ok().and_then(|it| it.parse().ok()).unwrap_or(20);
    let start = Instant::now();
    let runs: BTreeSet<String> =
        (0..count).map(|_| cluster.run("steps", &json!({"n": 2}))).collect();
    assert_eq!(runs.len(), count);
    for run in &runs {
        assert_eq!(cluster.attach(run)["status"], "returned");
    }
    assert_eq!(cluster.lines("send.log").len(), 2 * count);
    eprintln!("{count} runs in {:?}", start.elapsed());
}
