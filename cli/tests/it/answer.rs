//! `ptc answer`: real stores and processes.

use std::process::Stdio;

use serde_json::{Value, json};

use crate::support::{Folder, Output};

impl Folder {
    /// Creates a folder with a workflow.
    fn asking(program: &str) -> Folder {
        let folder = Folder::new();
        folder.write_workflow("asks", program);
        folder
    }

    /// Starts a run that waits, and returns its id.
    fn start(&self) -> String {
        let output = self.ptc(&["run", "asks.toml", "--json", "--quiet"]);
        assert_eq!((output.code, output.stderr.as_str()), (Some(6), ""));
        let report: Value = serde_json::from_str(&output.stdout).expect("is JSON");
        report["run"].as_str().expect("is a text").to_owned()
    }

    fn runs(&self) -> Value {
        serde_json::from_str(&self.ptc(&["runs", "--json"]).stdout).expect("is JSON")
    }

    fn report(&self, args: &[&str]) -> Value {
        let output = self.ptc(&[args, &["--json", "--quiet"]].concat());
        serde_json::from_str(&output.stdout).unwrap_or_else(|_| panic!("{}", output.stderr))
    }
}

/// Checks the exit code and the first line of stderr behind the code of the error.
fn refused(output: &Output, code: i32, message: &str) {
    assert_eq!(output.code, Some(code), "{}", output.stderr);
    assert!(output.stderr.contains(message), "{} lacks {message}", output.stderr);
    assert_eq!(output.stdout, "");
}

#[test]
fn answers_by_value_file_and_verdict() {
    let folder = Folder::asking(
        "[(ask {:title \"Go?\" :fields \"(go :bool, why :string?)\"})
          (ask \"Who?\")
          (ask {:title \"Sure?\" :type \":bool\"})
          (ask {:title \"Size?\" :fields \"(size :int)\"})]",
    );
    let id = folder.start();
    refused(&folder.ptc(&["answer", &id, "{\"why\": \"x\"}"]), 2, "`go`: an answer is required");
    refused(&folder.ptc(&["answer", &id, "1.9", "x"]), 2, "no question `1.9` is open");
    let waiting = folder.report(&["answer", &id, "--no", "Too far."]);
    assert_eq!(
        (&waiting["status"], &waiting["questions"][0]["form"]["title"]),
        (&json!("waiting"), &json!("Who?"))
    );
    let first = format!("{id}.1.0");
    refused(&folder.ptc(&["answer", &id, &first, "x"]), 2, "has its answer");
    assert_eq!(folder.report(&["answer", &id, "Ada"])["status"], "waiting");
    refused(
        &folder.ptc(&["answer", &id, "--no", "Too far."]),
        2,
        "does not ask for yes or no with a reason",
    );
    assert_eq!(folder.report(&["answer", &id, "--yes"])["status"], "waiting");
    std::fs::write(folder.path("size.json"), "{\"size\": 3}").expect("writes");
    let report = folder.report(&["answer", &id, "@size.json"]);
    assert_eq!(
        report["value"],
        json!([{"go": false, "why": "Too far."}, "Ada", true, {"size": 3}])
    );
    refused(&folder.ptc(&["answer", &id, "x"]), 2, "has ended (returned): it cannot be resumed");
}

/// Two processes that answer at once: one wins, and the other answer changes nothing.
#[test]
fn one_of_two_answers_wins() {
    let folder = Folder::asking("(let [who (ask \"Who?\")] (flow/wait 300) who)");
    for _ in 0..3 {
        let id = folder.start();
        let answer = |who: &str| {
            let mut command = folder.command(&["answer", &id, who, "--json", "--quiet"]);
            command.spawn().expect("starts")
        };
        let both = [answer("Ada"), answer("Bob")];
        let ended = both.map(|child| child.wait_with_output().expect("ends"));
        let values: Vec<Value> = ended
            .iter()
            .filter(|it| it.status.code() == Some(0))
            .map(|it| {
                serde_json::from_slice::<Value>(&it.stdout).expect("is JSON")["value"].clone()
            })
            .collect();
        let [value] = values.as_slice() else { panic!("{values:?} {ended:?}") };
        let shown = folder.show(&id);
        assert_eq!((&shown["value"], &shown["status"]), (value, &json!("returned")));
        let calls = shown["turn_records"][0]["calls"].as_array().expect("is a list").len();
        assert_eq!(calls, 2);
    }
}

/// A process that is killed between question and answer loses nothing.
#[cfg(unix)]
#[test]
fn a_process_killed_at_a_question_loses_nothing() {
    let folder = Folder::asking(
        "(str (ask \"Who?\") (do (flow/wait 100) (ask \"And?\")) (do (flow/wait 100) \"!\"))",
    );
    for delay in [5, 20, 40, 80, 120, 200] {
        let mut killed = folder
            .command(&["run", "asks.toml", "--quiet"])
            .stderr(Stdio::null())
            .spawn()
            .expect("starts");
        std::thread::sleep(std::time::Duration::from_millis(delay));
        drop(killed.kill());
        killed.wait().expect("ends");
        for round in 0..20 {
            let runs = folder.runs();
            let Some(run) = runs["runs"].get(0) else { break };
            if run["status"] == "returned" {
                break;
            }
            let id = run["run"].as_str().expect("is a text").to_owned();
            let open = folder.ptc(&["answer", &id, "--json"]);
            let open: Vec<Value> = serde_json::from_str(&open.stdout).expect("is JSON");
            let args: Vec<String> = match open.first() {
                Some(question) => {
                    let who = if question["form"]["title"] == "Who?" { "Ada" } else { "Bob" };
                    ["answer", &id, who, "--quiet"].map(str::to_owned).to_vec()
                }
                None => ["resume", &id, "--quiet"].map(str::to_owned).to_vec(),
            };
            let args: Vec<&str> = args.iter().map(String::as_str).collect();
            let mut child = folder.command(&args);
            let child = child.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
            let mut child = child.spawn().expect("starts");
            if round < 4 {
                std::thread::sleep(std::time::Duration::from_millis(delay));
                drop(child.kill());
            }
            child.wait().expect("ends");
        }
        let runs = folder.runs();
        // A process that is killed before its run is on record has lost nothing either.
        if let Some(run) = runs["runs"].get(0) {
            let id = run["run"].as_str().expect("is a text");
            let shown = folder.show(id);
            assert_eq!(
                (&shown["status"], &shown["value"]),
                (&json!("returned"), &json!("AdaBob!")),
                "{delay}"
            );
            assert_eq!(folder.ptc(&["replay", id]).code, Some(0));
            let deleted = folder.ptc(&["runs", "prune", id]);
            assert_eq!(deleted.code, Some(0), "{}", deleted.stderr);
        }
    }
}
