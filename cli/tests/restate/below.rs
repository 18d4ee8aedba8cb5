//! Sub-agents that work in other processes.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use crate::cluster::Cluster;
use crate::life::write_agent;
use crate::support::Folder;

/// The most runs of a test that waits for runs to fall to different workers.
const TRIES: usize = 30;

/// A tool that writes the process of its worker and its arguments, and then waits while there is a file `hold`.
const MARK: &str = "[[tools]]\nname = \"mark\"\nsignature = \"(n :int) -> :int\"\neffect = \"write\"\n\
     description = \"Writes a line.\"\ncommand = [\"sh\", \"mark.sh\"]\n";
/// A tool that writes the process of its worker.
const NOTE: &str = "[[tools]]\nname = \"note\"\nsignature = \"(n :int) -> :int\"\neffect = \"write\"\n\
     description = \"Writes a line.\"\ncommand = [\"sh\", \"note.sh\"]\n";

fn write_agents(folder: &Folder) {
    let scripts = [
        (
            "mark.sh",
            "line=$(cat); echo \"$PPID $line\" >> mark.log\nwhile [ -e hold ]; do sleep 0.05; done; echo 1\n",
        ),
        ("note.sh", "cat > /dev/null; echo \"$PPID\" >> note.log; echo 1\n"),
    ];
    for (name, script) in scripts {
        std::fs::write(folder.path(name), script).expect("writes");
    }
    let calls = |agent: &str| format!("[[tools]]\nname = \"{agent}\"\nagent = \"{agent}.toml\"\n");
    let agents = [
        ("boss", "(n :int) -> :any", NOTE.to_owned() + &calls("hand"), BOSS),
        (
            "hand",
            "(n :int) -> :any",
            MARK.to_owned() + &calls("finger"),
            "(tool/finger {:n ctx/n})",
        ),
        (
            "finger",
            "(n :int) -> :any",
            MARK.to_owned(),
            "(tool/mark {:n ctx/n}) [ctx/n (rand-int 1000)]",
        ),
        ("asker", "() -> :any", calls("asked"), "(mapv (fn [n] (tool/asked {:n n})) [1 2])"),
        ("asked", "(n :int) -> :any", MARK.to_owned(), ASKED),
    ];
    for (name, signature, more, program) in agents {
        write_agent(folder, name, signature, &more, program);
    }
}

const BOSS: &str = "(tool/note {:n 0}) (pmap (fn [n] (tool/hand {:n n})) (range ctx/n))";
const ASKED: &str = "(let [before (tool/mark {:n ctx/n})
  answer (ask {:title \"How much?\" :fields \"(amount :int)\"})]
  (+ before (:amount answer)))";

/// Returns the process of each line of a file.
fn processes(cluster: &Cluster, name: &str) -> Vec<String> {
    let lines = cluster.lines(name);
    lines.iter().map(|it| it.split(' ').next().unwrap_or_default().to_owned()).collect()
}

fn count_of_records(cluster: &Cluster) -> Value {
    let query = "SELECT count(DISTINCT service_key) AS keys FROM state \
                 WHERE service_name = 'PtcRecord' AND service_key LIKE '%/%'";
    cluster.query(query)[0]["keys"].clone()
}

/// The sub-agents of branches work in two processes, with sub-agents of their own, and the record is that of any run.
#[test]
fn sub_agents_work_side_by_side_on_two_workers() {
    let Some(cluster) = Cluster::start(2, write_agents) else { return };
    let mut workers = BTreeSet::new();
    for _ in 0..TRIES {
        drop(std::fs::remove_file(cluster.folder.path("mark.log")));
        // All sub-agents are at work before one of them ends.
        std::fs::write(cluster.folder.path("hold"), "").expect("writes");
        let run = cluster.run("boss", &json!({"n": 4}));
        cluster.wait_for("all sub-agents", || cluster.lines("mark.log").len() == 4);
        workers.extend(processes(&cluster, "mark.log"));
        std::fs::remove_file(cluster.folder.path("hold")).expect("removes");
        let end = cluster.attach(&run);
        let places: Vec<&Value> = (0..4).map(|n| &end["value"][n][0]).collect();
        assert_eq!(places, [0, 1, 2, 3], "{end}");
        cluster.assert_replays(&run);
        if workers.len() == 2 {
            break;
        }
    }
    assert_eq!(workers.len(), 2);
    cluster.wait_for("their records to be forgotten", || count_of_records(&cluster) == 0);
}

/// The process of a run is killed while its sub-agent works in another one, which is not disturbed.
#[test]
fn a_sub_agent_outlives_the_process_of_its_caller() {
    let Some(cluster) = Cluster::start(2, write_agents) else { return };
    for _ in 0..TRIES {
        for name in ["mark.log", "note.log"] {
            drop(std::fs::remove_file(cluster.folder.path(name)));
        }
        std::fs::write(cluster.folder.path("hold"), "").expect("writes");
        let run = cluster.run("boss", &json!({"n": 1}));
        cluster.wait_for("the sub-agent", || cluster.lines("mark.log").len() == 1);
        let (above, below) = (processes(&cluster, "note.log"), processes(&cluster, "mark.log"));
        let is_apart = above != below;
        if is_apart {
            cluster.kill_worker(cluster.number_of(&above[0]));
        }
        std::fs::remove_file(cluster.folder.path("hold")).expect("removes");
        let end = cluster.attach(&run);
        assert_eq!((&end["status"], &end["value"][0][0]), (&json!("returned"), &json!(0)), "{end}");
        let made = (cluster.lines("note.log").len(), cluster.lines("mark.log").len());
        assert_eq!(made, (1, 1), "no call is made twice");
        cluster.assert_replays(&run);
        if is_apart {
            return;
        }
    }
    panic!("the run and its sub-agent had one worker each time");
}

/// A question of a sub-agent is one of the whole run. No worker holds the run while it waits.
#[test]
fn a_sub_agent_asks_a_person() {
    let Some(cluster) = Cluster::start(2, write_agents) else { return };
    let run = cluster.run("asker", &json!({}));
    for answer in [r#"{"amount": 10}"#, r#"{"amount": 20}"#] {
        let record = cluster.wait_until(&run, "waiting");
        assert_eq!(record["questions"].as_array().map(Vec::len), Some(1), "{record}");
        cluster.kill_worker(0);
        cluster.kill_worker(1);
        let answered = cluster.ptc(&["answer", &run, answer]);
        assert_eq!(answered.code, Some(0), "{}", answered.stderr);
        cluster.wait_for("the next state", || cluster.show(&run)["status"] != "queued");
    }
    let end = cluster.attach(&run);
    assert_eq!(end["value"], json!([11, 21]), "{end}");
    assert_eq!(cluster.lines("mark.log").len(), 2, "no call is made twice");
    cluster.assert_replays(&run);
}

/// Cancelling a run cancels its sub-agents. Its record has what they did.
#[test]
fn cancelling_a_run_cancels_its_sub_agents() {
    let Some(cluster) = Cluster::start(2, write_agents) else { return };
    std::fs::write(cluster.folder.path("hold"), "").expect("writes");
    let run = cluster.run("boss", &json!({"n": 2}));
    cluster.wait_for("the sub-agents", || cluster.lines("mark.log").len() == 2);
    let cancelled = cluster.ptc(&["answer", &run, "--cancel"]);
    assert_eq!(cancelled.code, Some(0), "{}", cancelled.stderr);
    // A run that hears of the end of its sub-agent before its cancellation returns. The keys of `finger` have two calls.
    let query = "SELECT count(*) AS open FROM sys_invocation \
                 WHERE target_handler_name IN ('go', 'work') AND status <> 'completed' \
                 AND target_service_key NOT LIKE '%/%/%'";
    cluster.wait_for("the cancellation", || cluster.query(query)[0]["open"] == 0);
    std::fs::remove_file(cluster.folder.path("hold")).expect("removes");
    let end = cluster.attach(&run);
    assert_eq!((&end["status"], &end["stop"]), (&json!("stopped"), &json!("cancelled")), "{end}");
    let listed = cluster.ptc(&["runs", "--json"]);
    let listed: Value =
        serde_json::from_str(&listed.stdout).unwrap_or_else(|_| panic!("{}", listed.stderr));
    let runs = listed["runs"].as_array().cloned().unwrap_or_default();
    let end_of = |it: &Value| format!("{} {}", it["agent"], it["status"]).replace('"', "");
    let mut ends: Vec<String> = runs.iter().map(end_of).collect();
    ends.sort();
    // A call ends before its run is cancelled, and the runs of `finger` end with it.
    ends.dedup();
    assert_eq!(ends, ["boss stopped", "finger returned", "hand stopped"]);
    cluster.wait_for("their records to be forgotten", || count_of_records(&cluster) == 0);
}
