//! Processes that are killed while runs work: the answer is the same, no call is repeated, and none is lost.

use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::cluster::Cluster;
use crate::life::write_agents;

/// The default number of kills.
const KILLS: u64 = 12;

/// Moments that are the same in every run of the tests.
struct Moments(u64);

impl Moments {
    fn next(&mut self, below: u64) -> u64 {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % below
    }
}

/// Decides a call in doubt of a run, as a person does who looks at what the tool has done.
pub(crate) fn decide(cluster: &Cluster, run: &str, record: &Value) {
    let turns = record["turn_records"].as_array().into_iter().flatten();
    let calls = turns.flat_map(|turn| {
        let calls = turn["calls"].as_array().into_iter().flatten();
        calls.map(move |call| (&turn["turn"], call))
    });
    let open = calls.into_iter().find(|(_, call)| call["ended"].is_null());
    let (turn, call) = open.unwrap_or_else(|| panic!("no call is in doubt: {record}"));
    let place = format!("{turn}.{}", call["call"].as_str().unwrap_or_default());
    let line = call["args"].to_string();
    cluster.wait_for_tools();
    let output = match cluster.lines("send.log").iter().position(|it| *it == line) {
        Some(at) => cluster.ptc(&["resume", run, "--assume-done", &place, &(at + 1).to_string()]),
        None => cluster.ptc(&["resume", run, "--retry", &place]),
    };
    // A server that was killed a moment ago refuses requests. Then the run is in doubt still.
    let is_known = output.code == Some(0) || output.stderr.contains("Restate server");
    assert!(is_known, "{}", output.stderr);
}

/// Kills workers and the server at random moments while one run after another works.
#[test]
fn a_run_survives_the_kill_of_any_process_at_any_moment() {
    let Some(cluster) = Cluster::start(2, write_agents) else { return };
    let kills = std::env::var("PTC_KILLS").ok().and_then(|it| it.parse().ok()).unwrap_or(KILLS);
    let (mut moments, mut killed, mut in_doubt, mut runs) = (Moments(1), 0, 0, 0);
    while killed < kills {
        drop(std::fs::remove_file(cluster.folder.path("send.log")));
        let run = cluster.run("steps", &json!({"n": 12}));
        runs += 1;
        let start = Instant::now();
        let record = loop {
            let record = cluster.show(&run);
            match (record["status"].as_str(), record["stop"].as_str()) {
                (Some("returned"), _) => break record,
                (Some("stopped"), Some("in-doubt")) => {
                    in_doubt += 1;
                    decide(&cluster, &run, &record);
                }
                _ => {}
            }
            assert!(start.elapsed() < Duration::from_mins(2), "{record}");
            if killed < kills {
                std::thread::sleep(Duration::from_millis(moments.next(150)));
                match moments.next(8) {
                    0 => cluster.kill_server(),
                    it => cluster.kill_worker(it as usize % 2),
                }
                killed += 1;
            }
        };
        assert_eq!(record["value"].as_array().map(Vec::len), Some(12), "{record}");
        let sent = cluster.lines("send.log");
        let expected: Vec<String> = (0..12).map(|n| json!({"n": n}).to_string()).collect();
        assert_eq!(sent, expected, "no call is repeated, and none is lost");
        assert_eq!(cluster.attach(&run)["value"], record["value"]);
        cluster.assert_replays(&run);
    }
    eprintln!("{killed} kills in {runs} runs, {in_doubt} calls in doubt");
}

/// A call whose worker was killed before it had a result is not made again by itself: a person decides.
#[test]
fn a_person_decides_about_a_call_in_doubt() {
    let Some(cluster) = Cluster::start(1, write_agents) else { return };
    for (decision, value, lines) in
        [(["--retry", "1.0"].as_slice(), 1, 1), (&["--assume-done", "1.0", "7"], 7, 0)]
    {
        for file in ["begun", "go", "slow.log"] {
            drop(std::fs::remove_file(cluster.folder.path(file)));
        }
        let run = cluster.run("slow", &json!({}));
        cluster.wait_for("the call", || cluster.folder.path("begun").exists());
        cluster.kill_worker(0);
        let record = cluster.wait_until(&run, "stopped");
        assert_eq!(record["stop"], "in-doubt", "{record}");
        // The tool of the worker that was killed must not end beside the repeated one.
        std::fs::write(cluster.folder.path("go"), "").expect("writes");
        cluster.wait_for("the tool", || !cluster.lines("slow.log").is_empty());
        drop(std::fs::remove_file(cluster.folder.path("slow.log")));
        let decided = cluster.ptc(&[&["resume", run.as_str()], decision].concat());
        assert_eq!(decided.code, Some(0), "{}", decided.stderr);
        assert_eq!(cluster.attach(&run)["value"], value);
        assert_eq!(cluster.lines("slow.log").len(), lines);
        cluster.assert_replays(&run);
    }
}

/// The server gives up a worker that does not answer, and another one goes on.
#[test]
fn a_worker_that_hangs_loses_its_run_to_another_one() {
    let Some(cluster) = Cluster::start(2, write_agents) else { return };
    let run = cluster.run("waits", &json!({"ms": 3000}));
    cluster.wait_until(&run, "waiting");
    cluster.signal_worker(0, "-STOP");
    let end = cluster.attach(&run);
    cluster.signal_worker(0, "-CONT");
    assert_eq!(end["value"], 2);
    assert_eq!(cluster.lines("send.log").len(), 2);
}
