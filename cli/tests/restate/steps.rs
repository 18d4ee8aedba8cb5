//! The kill of a process at every step of a workflow with an approval, and a network that is cut.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::cluster::Cluster;
use crate::kills::decide;
use crate::life::write_agent;
use crate::support::Folder;

/// By default one of so many messages is a moment of a kill. `PTC_KILLS` takes each.
const STRIDE: i64 = 6;

/// The tool kills a process before or after it takes effect, if there is a file that names the process and the moment.
const SEND: &str = "line=$(cat); case $line in '' | *[!}]) exit 1 ;; esac
at() { [ -e \"$1\" ] && kill=$(cat \"$1\") && rm \"$1\" && kill -9 ${kill:-$PPID}; true; }
at before; printf '%s\\n' \"$line\" >> send.log; at after; wc -l < send.log
";
const APPROVED: &str = "(let [first (tool/sent {:n 1})
  answer (ask {:title \"How much?\" :fields \"(amount :int[0..500])\"})]
  {:first first :amount (:amount answer) :second (tool/sent {:n 2})})";

fn write_agents(folder: &Folder) {
    std::fs::write(folder.path("sent.sh"), SEND).expect("writes");
    let tool = "[[tools]]\nname = \"sent\"\nsignature = \"(n :int) -> :int\"\neffect = \"write\"\n\
         description = \"Appends a line.\"\ncommand = [\"sh\", \"sent.sh\"]\n";
    write_agent(folder, "approved", "() -> :any", tool, APPROVED);
}

/// Goes on with a run as persons do: answers its question, and decides about calls in doubt. Checks that it ended as ever.
fn finish(cluster: &Cluster, run: &str) {
    let start = Instant::now();
    let record = loop {
        let record = cluster.show(run);
        match (record["status"].as_str(), record["stop"].as_str()) {
            (Some("returned"), _) => break record,
            (Some("waiting"), _) => {
                // The server may have been killed, or the answer has come already.
                drop(cluster.ptc(&["answer", run, r#"{"amount": 20}"#]));
            }
            (Some("stopped"), Some("in-doubt")) => decide(cluster, run, &record),
            _ => std::thread::sleep(Duration::from_millis(30)),
        }
        assert!(start.elapsed() < Duration::from_mins(2), "{record}");
    };
    assert_eq!(record["value"], json!({"first": 1, "amount": 20, "second": 2}), "{record}");
    let sent: Vec<String> = [1, 2].map(|n| json!({"n": n}).to_string()).to_vec();
    assert_eq!(cluster.lines("send.log"), sent, "no call is repeated, and none is lost");
    assert_eq!(cluster.attach(run)["value"], record["value"]);
    std::fs::remove_file(cluster.folder.path("send.log")).expect("removes");
}

/// Kills the worker or the server while a call has not taken effect, and when it has.
#[test]
fn a_process_is_killed_in_a_call() {
    let Some(cluster) = Cluster::start(1, write_agents) else { return };
    for moment in ["before", "after"] {
        for kills_server in [false, true] {
            let process =
                if kills_server { cluster.server_process().to_string() } else { String::new() };
            std::fs::write(cluster.folder.path(moment), process).expect("writes");
            let (run, _) = run_beside(&cluster, || {
                cluster.revive_workers();
                cluster.revive_server();
                false
            });
            cluster.assert_replays(&run);
            assert!(!cluster.folder.path(moment).exists(), "a process was killed");
        }
    }
}

/// Says at its drop that a run is over.
struct Over<'a>(&'a AtomicBool);

impl Drop for Over<'_> {
    fn drop(&mut self) {
        self.0.store(true, Ordering::SeqCst);
    }
}

/// Starts a run and lets it end. Meanwhile does something again and again, until it says that it is done. Returns the run, and
/// whether it said so.
fn run_beside(cluster: &Cluster, act: impl Fn() -> bool + Sync) -> (String, bool) {
    let (is_over, is_done) = (AtomicBool::new(false), AtomicBool::new(false));
    let run = std::thread::scope(|scope| {
        scope.spawn(|| {
            while !is_over.load(Ordering::SeqCst) && !is_done.load(Ordering::SeqCst) {
                is_done.store(act(), Ordering::SeqCst);
                std::thread::sleep(Duration::from_millis(5));
            }
        });
        let _over = Over(&is_over);
        let run = cluster.run("approved", &json!({}));
        finish(cluster, &run);
        run
    });
    (run, is_done.load(Ordering::SeqCst))
}

/// Holds up the message of a number while a run works, and does something then. Returns whether the run had as many messages.
fn at_message(cluster: &Cluster, number: i64, act: impl Fn() + Sync) -> bool {
    cluster.hold_message(number);
    let (run, is_done) = run_beside(cluster, || {
        let is_held = cluster.is_held();
        if is_held {
            act();
        }
        is_held
    });
    cluster.release_message();
    cluster.assert_replays(&run);
    is_done
}

/// Kills the worker, then the server, at each message between them: before a step is on record, when it is, and between.
#[test]
fn a_process_is_killed_at_each_message() {
    let Some(cluster) = Cluster::start(1, write_agents) else { return };
    let stride = if std::env::var_os("PTC_KILLS").is_some() { 1 } else { STRIDE };
    for kills_server in [false, true] {
        let kill = || {
            if kills_server {
                cluster.kill_server();
            } else {
                cluster.kill_worker(0);
            }
            cluster.release_message();
        };
        let (mut number, mut kills) = (1, 0);
        while at_message(&cluster, number, kill) {
            kills += 1;
            number += stride;
        }
        assert!(kills > 2, "{kills}");
        let what = if kills_server { "server" } else { "worker" };
        eprintln!("{kills} kills of the {what}, up to message {}", number - stride);
    }
}

/// The server and the workers hear nothing of each other for a time. Neither knows that until it asks. Bytes are lost, as on a
/// link that is down. They never come later, so it is harder than a link, whose system sends them again.
#[test]
fn a_run_survives_a_network_that_is_cut() {
    let Some(cluster) = Cluster::start(2, write_agents) else { return };
    let cut = || {
        let seen = cluster.connections();
        cluster.cut_wire(true);
        cluster.release_message();
        // The server gives up its connections, and asks for new ones.
        cluster.wait_for("new connections", || cluster.connections() > seen);
        cluster.cut_wire(false);
    };
    for number in [3, 8, 13] {
        assert!(at_message(&cluster, number, cut), "the run has {number} messages");
    }
}

/// A run goes on at another version of the workers. Its record, which is of an earlier version of the semantics, stays.
#[test]
fn a_run_goes_on_at_a_later_version() {
    let Some(cluster) = Cluster::start(1, write_agents) else { return };
    let run = cluster.run("approved", &json!({}));
    let record = cluster.wait_until(&run, "waiting");
    let now = record["setup"]["semantics"].as_u64().or(record["semantics"].as_u64());
    let now = now.unwrap_or_else(|| panic!("{record}"));
    let now = format!("\"semantics\":{now}");
    // The first versions had no number.
    cluster.change_state(&run, |text| text.replace(&now, "\"semantics\":0"));
    let later = cluster.add_deployment(&[]);
    let is_earlier = || {
        let record = cluster.show(&run);
        record["status"].is_string() && !record.to_string().contains(&now)
    };
    cluster.wait_for("the change", is_earlier);
    finish(&cluster, &run);
    cluster.assert_replays(&run);
    let query = "SELECT DISTINCT pinned_deployment_id AS id FROM sys_invocation \
                 WHERE target_service_name = 'PtcRecord' AND target_handler_name = 'go'";
    let used: Vec<Value> = cluster.query(query).into_iter().map(|it| it["id"].clone()).collect();
    assert_eq!(used.len(), 2, "{used:?}");
    assert!(used.contains(&later.id), "{used:?}");
    assert!(is_earlier(), "the version of the record stays");
}
