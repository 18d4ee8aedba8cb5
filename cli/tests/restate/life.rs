//! The life of a run: steps, questions, waits, cancellation, sub-agents, and its record.

use serde_json::{Value, json};

use crate::cluster::Cluster;
use crate::support::Folder;

/// Writes a tool that appends its arguments to a file, and gives the number of its lines.
pub(crate) fn write_agents(folder: &Folder) {
    std::fs::write(
        folder.path("append.sh"),
        // The caller may be killed while it writes the line.
        "line=$(cat); case $line in '' | *[!}]) exit 1 ;; esac\n\
         printf '%s\\n' \"$line\" >> \"$1\"; wc -l < \"$1\"\n",
    )
    .expect("writes");
    let large = format!("printf '\"'; head -c {LARGE} /dev/zero | tr '\\0' x; printf '\"'\n");
    std::fs::write(folder.path("large.sh"), large).expect("writes");
    let large = large_tool();
    let two = [SLOW_TOOL, HANGING_TOOL].concat();
    let agents = [
        ("steps", "(n :int) -> :any", "", STEPS),
        ("asks", "() -> :any", "", ASKS),
        ("waits", "(ms :int) -> :any", "", WAITS),
        ("branches", "() -> :any", "", BRANCHES),
        ("above", "() -> :any", "[[tools]]\nname = \"below\"\nagent = \"below.toml\"\n", ABOVE),
        ("slow", "() -> :any", SLOW_TOOL, "(tool/slow {:n 1})"),
        ("slower", "() -> :any", SLOW_TOOL, "[(tool/slow {:n 1}) (tool/send {:n 2})]"),
        ("two", "() -> :any", &two, TWO),
        ("large", "() -> :any", &large, "(count (tool/large {}))"),
        ("ten", "() -> :any", TEXT_TOOL, TEN),
        ("many", "(n :int) -> :any", FIXED_TOOL, MANY),
    ];
    for (name, signature, more, program) in agents {
        write_agent(folder, name, signature, more, program);
    }
    // The agents of a folder are its files `agent.toml`, or else all that can be read.
    write_agent(folder, "below", "(n :int) -> :int", "", "(tool/look {:n ctx/n})");
}

/// Writes a workflow with two tools that append lines, and more tools.
pub(crate) fn write_agent(folder: &Folder, name: &str, signature: &str, more: &str, program: &str) {
    let tool = |name: &str, effect: &str| {
        format!(
            "[[tools]]\nname = \"{name}\"\nsignature = \"(n :int) -> :int\"\neffect = \"{effect}\"\n\
             description = \"Appends a line.\"\ncommand = [\"sh\", \"append.sh\", \"{name}.log\"]\n"
        )
    };
    let (look, send) = (tool("look", "read"), tool("send", "write"));
    let agent = format!(
        "name = \"{name}\"\nprogram = \"{name}.clj\"\nsignature = \"{signature}\"\n{look}{send}{more}"
    );
    std::fs::write(folder.path(&format!("{name}.clj")), program).expect("writes");
    std::fs::write(folder.path(&format!("{name}.toml")), agent).expect("writes");
}

/// The length of a large result: more than the 32 MiB that a message of the server may have.
const LARGE: usize = 40 << 20;

/// A tool with a large result.
fn large_tool() -> String {
    let limit = LARGE + 100;
    format!(
        "[[tools]]\nname = \"large\"\neffect = \"read\"\ndescription = \"A long text.\"\n\
         signature = \"() -> :string\"\nmax_output = {limit}\ncommand = [\"sh\", \"large.sh\"]\n\
         [limits]\nmemory = 500_000_000\n"
    )
}

/// The length of the result of `text`.
const TEXT: usize = 1 << 20;
/// A tool whose results are long and equal.
const TEXT_TOOL: &str = "[[tools]]\nname = \"text\"\neffect = \"read\"\ndescription = \"A text.\"\n\
     signature = \"() -> :string\"\nmax_output = 2_000_000\n\
     command = [\"sh\", \"-c\", \"printf '\\\"'; head -c 1048576 /dev/zero | tr '\\\\0' x; printf '\\\"'\"]\n";
/// A tool that answers at once.
const FIXED_TOOL: &str =
    "[[tools]]\nname = \"fixed\"\neffect = \"read\"\ndescription = \"One.\"\nreturns = 1\n";
/// A tool that writes, and takes a while before it does.
const SLOW_TOOL: &str = "[[tools]]\nname = \"slow\"\nsignature = \"(n :int) -> :int\"\neffect = \"write\"\n\
     description = \"Appends a line.\"\n\
     command = [\"sh\", \"-c\", \"touch begun; while [ ! -e go ]; do sleep 0.05; done; sh append.sh slow.log\"]\n";
/// A tool that writes, and has no end as long as the test goes on.
const HANGING_TOOL: &str = "[[tools]]\nname = \"hang\"\nsignature = \"(n :int) -> :int\"\neffect = \"write\"\n\
     description = \"Waits.\"\n\
     command = [\"sh\", \"-c\", \"touch hangs; while [ -e hangs ]; do sleep 0.05; done\"]\n";
const TWO: &str = "(pmap (fn [n] (if (= n 1) (tool/slow {:n n}) (tool/hang {:n n}))) [1 2])";
const STEPS: &str = "(mapv (fn [n] (tool/send {:n n}) (rand-int 1000)) (range ctx/n))";
const ASKS: &str = "(let [before (tool/send {:n 1})
  answer (ask {:title \"How much?\" :fields \"(amount :int[0..500])\"})]
  {:before before :amount (:amount answer) :after (tool/send {:n 2})})";
const WAITS: &str = "(tool/send {:n 1}) (flow/wait ctx/ms) (tool/send {:n 2})";
const BRANCHES: &str = "(pmap (fn [n] (tool/send {:n n}) (tool/look {:n n}) n) (range 6))";
const ABOVE: &str = "(reduce + (pmap (fn [n] (tool/below {:n n}) n) [1 2 3]))";
const TEN: &str = "(reduce + (mapv (fn [_] (count (tool/text {}))) (range 10)))";
const MANY: &str = "(let [done (or (:done ctx/state) 0)]
  (dotimes [i 250] (tool/fixed {:n i}))
  (if (< (+ done 250) ctx/n) (flow/continue {:done (+ done 250)}) (+ done 250)))";

/// Every step is one entry of the journal, under the place and the tool of the record. The record is that of any run.
#[test]
fn each_call_is_a_step_with_its_place() {
    let Some(cluster) = Cluster::start(1, write_agents) else { return };
    let run = cluster.run("steps", &json!({"n": 3}));
    let end = cluster.attach(&run);
    assert_eq!((&end["status"], &end["tool_calls"]), (&json!("returned"), &json!(3)));
    assert_eq!(cluster.show(&run)["value"], end["value"]);
    let steps = cluster.query(
        "SELECT j.name FROM sys_journal j JOIN sys_invocation i ON i.id = j.id \
         WHERE i.target_service_name = 'PtcRecord' AND i.target_handler_name = 'go' \
         AND j.entry_type LIKE '%Run' AND j.name IS NOT NULL AND j.name <> '' ORDER BY j.index",
    );
    let names: Vec<&Value> = steps.iter().map(|it| &it["name"]).collect();
    assert_eq!(names, ["go on", "1.0 send", "1.1 send", "1.2 send"]);
    cluster.assert_replays(&run);
    // The record goes to any store, and is tested there.
    let exported = cluster.ptc(&["export", &run, "--out", "run.jsonl"]);
    assert_eq!(exported.code, Some(0), "{}", exported.stderr);
    let imported = cluster.folder.ptc(&["import", "run.jsonl"]);
    assert_eq!(imported.stdout.trim(), run);
    let replayed = cluster.folder.ptc(&["replay", &run]);
    assert_eq!(replayed.code, Some(0), "{}{}", replayed.stdout, replayed.stderr);
    let listed = cluster.ptc(&["runs", "--json"]);
    let listed: Value = serde_json::from_str(&listed.stdout).expect("is JSON");
    assert_eq!(listed["runs"][0]["run"], run.as_str());
}

/// A run that asks holds nothing. Its answer may come a restart of all processes later, and is refused if it does not fit.
#[test]
fn a_question_is_answered_after_a_restart() {
    let Some(cluster) = Cluster::start(1, write_agents) else { return };
    let run = cluster.run("asks", &json!({}));
    let record = cluster.wait_until(&run, "waiting");
    assert_eq!(record["questions"].as_array().map(Vec::len), Some(1), "{record}");
    cluster.kill_worker(0);
    cluster.kill_server();
    cluster.wait_until(&run, "waiting");
    let wrong = cluster.ptc(&["answer", &run, r#"{"amount": 501}"#]);
    assert_ne!(wrong.code, Some(0), "{}", wrong.stderr);
    assert!(wrong.stderr.contains("amount"), "{}", wrong.stderr);
    let answered = cluster.ptc(&["answer", &run, r#"{"amount": 20}"#]);
    assert_eq!(answered.code, Some(0), "{}", answered.stderr);
    let end = cluster.attach(&run);
    assert_eq!(end["value"], json!({"before": 1, "amount": 20, "after": 2}), "{end}");
    cluster.assert_replays(&run);
    let again = cluster.ptc(&["answer", &run, r#"{"amount": 20}"#]);
    assert_ne!(again.code, Some(0));
}

/// A wait is a timer of the server: no worker has to live.
#[test]
fn a_wait_ends_by_a_timer() {
    let Some(cluster) = Cluster::start(1, write_agents) else { return };
    let run = cluster.run("waits", &json!({"ms": 4000}));
    let record = cluster.wait_until(&run, "waiting");
    assert!(record["due"].is_u64(), "{record}");
    cluster.kill_worker(0);
    assert_eq!(cluster.attach(&run)["value"], 2);
    cluster.assert_replays(&run);
}

#[test]
fn a_waiting_run_is_cancelled() {
    let Some(cluster) = Cluster::start(1, write_agents) else { return };
    let run = cluster.run("asks", &json!({}));
    cluster.wait_until(&run, "waiting");
    let cancelled = cluster.ptc(&["answer", &run, "--cancel"]);
    assert_eq!(cancelled.code, Some(0), "{}", cancelled.stderr);
    let end = cluster.attach(&run);
    assert_eq!((&end["status"], &end["stop"]), (&json!("stopped"), &json!("cancelled")), "{end}");
    assert_eq!(cluster.show(&run)["stop"], "cancelled");
}

/// Cancels a run that works, and then lets the slow tool end.
fn cancel_at_work(cluster: &Cluster, agent: &str, begun: &[&str]) -> String {
    let run = cluster.run(agent, &json!({}));
    cluster.wait_for("the calls", || begun.iter().all(|it| cluster.folder.path(it).exists()));
    let cancelled = cluster.ptc(&["answer", &run, "--cancel"]);
    assert_eq!(cancelled.code, Some(0), "{}", cancelled.stderr);
    let query = "SELECT target FROM sys_invocation WHERE target_handler_name = 'withdraw'";
    cluster.wait_for("the cancellation", || cluster.query(query).len() == 1);
    std::fs::write(cluster.folder.path("go"), "").expect("writes");
    run
}

/// A run that works is cancelled as soon as its step has ended.
#[test]
fn a_working_run_is_cancelled() {
    let Some(cluster) = Cluster::start(1, write_agents) else { return };
    let run = cancel_at_work(&cluster, "slower", &["begun"]);
    let end = cluster.attach(&run);
    assert_eq!((&end["status"], &end["stop"]), (&json!("stopped"), &json!("cancelled")), "{end}");
    let made = (cluster.lines("slow.log").len(), cluster.lines("send.log").len());
    assert_eq!(made, (1, 0), "the next call is not made");
    cluster.assert_replays(&run);
}

/// A call of another branch that writes has no result when the run is cancelled. A person decides about it.
#[test]
fn cancelling_leaves_a_call_of_another_branch_in_doubt() {
    let Some(cluster) = Cluster::start(1, write_agents) else { return };
    let run = cancel_at_work(&cluster, "two", &["begun", "hangs"]);
    let record = cluster.wait_until(&run, "stopped");
    let in_doubt = &record["error"]["in_doubt"];
    assert_eq!((&record["stop"], &in_doubt[0]["tool"]), (&json!("in-doubt"), &json!("hang")));
    assert_eq!(in_doubt.as_array().map(Vec::len), Some(1), "{record}");
    let call = in_doubt[0]["call"].as_str().and_then(|it| it.strip_prefix(&format!("{run}.")));
    let decision = ["resume", &run, "--assume-done", call.expect("is a call of the run"), "7"];
    let decided = cluster.ptc(&decision);
    assert_eq!(decided.code, Some(0), "{}", decided.stderr);
    assert_eq!(cluster.attach(&run)["value"], json!([1, 7]));
    assert_eq!(cluster.lines("slow.log").len(), 1);
    cluster.assert_replays(&run);
}

/// A result may be larger than a message of the server.
#[test]
fn a_large_result_is_on_record() {
    let Some(cluster) = Cluster::start(1, write_agents) else { return };
    let run = cluster.run("large", &json!({}));
    let end = cluster.attach(&run);
    assert_eq!(end["value"], LARGE, "{end}");
    cluster.kill_worker(0);
    let record = cluster.show(&run);
    let result = &record["turn_records"][0]["calls"][0]["result"];
    assert_eq!(result.as_str().map(str::len), Some(LARGE));
    cluster.assert_replays(&run);
}

/// A record has the result of each call once, also when a step is divided into parts.
#[test]
fn equal_results_are_on_record_once_for_each_call() {
    let Some(cluster) = Cluster::start(1, write_agents) else { return };
    let run = cluster.run("ten", &json!({}));
    assert_eq!(cluster.attach(&run)["value"], 10 * TEXT);
    let exported = cluster.ptc(&["export", &run, "--out", "ten.jsonl"]);
    assert_eq!(exported.code, Some(0), "{}", exported.stderr);
    let record = cluster.lines("ten.jsonl").iter().map(String::len).sum::<usize>();
    assert!((10 * TEXT..11 * TEXT).contains(&record), "{record}");
    cluster.assert_replays(&run);
}

/// Branches and sub-agents work side by side, and their record replays.
#[test]
fn branches_and_sub_agents_work_side_by_side() {
    let Some(cluster) = Cluster::start(1, write_agents) else { return };
    let run = cluster.run("branches", &json!({}));
    assert_eq!(cluster.attach(&run)["value"], json!([0, 1, 2, 3, 4, 5]));
    assert_eq!((cluster.lines("send.log").len(), cluster.lines("look.log").len()), (6, 6));
    cluster.assert_replays(&run);
    let run = cluster.run("above", &json!({}));
    assert_eq!(cluster.attach(&run)["value"], 6);
    cluster.assert_replays(&run);
}

/// A long run goes on in fresh invocations, so that no journal gets long. `PTC_CALLS` is the number of its calls.
#[test]
fn a_long_run_has_short_journals() {
    let Some(cluster) = Cluster::start(1, write_agents) else { return };
    let calls = std::env::var("PTC_CALLS").ok().and_then(|it| it.parse().ok()).unwrap_or(1500_u64);
    let start = std::time::Instant::now();
    let run = cluster.run("many", &json!({"n": calls}));
    assert_eq!(cluster.attach(&run)["value"], calls);
    eprintln!("{calls} calls in {:?}", start.elapsed());
    let journals = cluster.query(
        "SELECT count(*) AS stretches, max(journal_size) AS longest FROM sys_invocation \
         WHERE target_service_name = 'PtcRecord' AND target_handler_name = 'go'",
    );
    // The request to the model is a step too.
    assert_eq!(journals[0]["stretches"], (calls + 1).div_ceil(1000), "{journals:?}");
    let longest = journals[0]["longest"].as_u64();
    assert!(longest.is_some_and(|it| it < 5000), "{journals:?}");
    cluster.assert_replays(&run);
}
