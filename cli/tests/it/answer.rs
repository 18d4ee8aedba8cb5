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

#[test]
fn answers_keep_every_digit() {
    let folder = Folder::asking("(inc (ask {:title \"How many?\" :type \":int\"}))");
    let id = folder.start();
    let output = folder.ptc(&["answer", &id, "123456789012345678901234567890", "--quiet"]);
    assert_eq!(
        (output.code, output.stdout.as_str()),
        (Some(0), "123456789012345678901234567891\n")
    );
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
    let program =
        "(str (ask \"Who?\") (do (flow/wait 100) (ask \"And?\")) (do (flow/wait 100) \"!\"))";
    survives_kills(&Folder::asking(program), &[("Who?", "Ada"), ("And?", "Bob")], "AdaBob!");
    // The same for the question whether a program may run.
    let folder = Folder::new();
    let agent = "name = \"asks\"\nprompt = \"Ask.\"\nmodel = \"recorded:asks.jsonl\"\n[policy]\nask = \"always\"\n";
    std::fs::write(folder.path("asks.toml"), agent).expect("writes");
    let reply = json!({"text": format!("```clojure\n(return {program})\n```")});
    std::fs::write(folder.path("asks.jsonl"), format!("{reply}\n")).expect("writes");
    let answers = [("May this program run?", "true"), ("Who?", "Ada"), ("And?", "Bob")];
    survives_kills(&folder, &answers, "AdaBob!");
}

/// Kills each process of a run after a delay, and answers until the run returns the value.
#[cfg(unix)]
fn survives_kills(folder: &Folder, answers: &[(&str, &str)], value: &str) {
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
                    let title = &question["form"]["title"];
                    let (_, answer) = answers.iter().find(|it| title == it.0).expect("is known");
                    ["answer", &id, answer, "--quiet"].map(str::to_owned).to_vec()
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
                (&json!("returned"), &json!(value)),
                "{delay}"
            );
            assert_eq!(folder.ptc(&["replay", id]).code, Some(0));
            let deleted = folder.ptc(&["runs", "prune", id]);
            assert_eq!(deleted.code, Some(0), "{}", deleted.stderr);
        }
    }
}

/// An agent whose policy asks for programs that write, and whose tool asks for each call but small ones.
const PAYS: &str = r#"
name = "pays"
prompt = "Pay 40 euros, then 900."
model = "recorded:pays.jsonl"

[policy]
ask = "writes"
yes = ["pay(euros :int[..50])"]

[[tools]]
name = "pay"
signature = "(euros :int) -> :any"
effect = "write"
confirm = true
command = ["sh", "-c", "cat >> paid.txt; echo true"]
"#;

impl Folder {
    fn paying() -> Folder {
        let folder = Folder::new();
        std::fs::write(folder.path("pays.toml"), PAYS).expect("writes");
        let reply = "```clojure\n(doseq [n [40 900]] (tool/pay {:euros n}))\n(return :paid)\n```";
        let reply = format!("{}\n", json!({"text": reply}));
        std::fs::write(folder.path("pays.jsonl"), reply).expect("writes");
        folder
    }

    fn paid(&self) -> String {
        std::fs::read_to_string(self.path("paid.txt")).unwrap_or_default()
    }
}

/// L52, L56: programs and calls wait for a yes; `--yes` and patterns give it to runs that nobody attends.
#[test]
fn yes_for_runs_that_nobody_attends() {
    let rows: [(&[&str], &str, &str); 5] = [
        (&[], "May this program run?", ""),
        (&["--yes"], "", r#"{"euros":40}{"euros":900}"#),
        // A pattern of calls allows no program.
        (&["--yes=pay"], "May this program run?", ""),
        (&["--yes=pay(euros :int[..1000])", "--yes"], "", r#"{"euros":40}{"euros":900}"#),
        (&["--yes=refund"], "May this program run?", ""),
    ];
    for (options, waits_for, paid) in rows {
        let folder = Folder::paying();
        let report = folder.report(&[&["run", "pays.toml"], options].concat());
        let title = report["questions"][0]["form"]["title"].as_str().unwrap_or_default();
        assert_eq!((title, folder.paid().as_str()), (waits_for, paid), "{options:?}");
        let status = if waits_for.is_empty() { "returned" } else { "waiting" };
        assert_eq!(report["status"], status, "{options:?}");
    }
    let folder = Folder::paying();
    let wrong = folder.ptc(&["run", "pays.toml", "--yes=pay(euros"]);
    refused(&wrong, 2, "`pay(euros` is not a pattern of calls: ");
}

/// A waiting run shows what will happen: the mission, the tool, its effect, its arguments, and what was refused before.
#[test]
fn a_question_shows_what_will_happen() {
    let folder = Folder::paying();
    let id = folder.report(&["run", "pays.toml"])["run"].as_str().expect("is a text").to_owned();
    let listed = folder.ptc(&["runs", "--waiting"]).stdout;
    let expected = format!(
        "{id}  pays\n  1.program  May this program run?  {{allow :bool \"Allow it?\", reason :string? \"Why?\"}}\n    \
         mission: Pay 40 euros, then 900.\n    calls: pay (write), at most twice\n    \
         (doseq [n [40 900]] (tool/pay {{:euros n}}))\n    (return :paid)\n"
    );
    assert_eq!(listed, expected);
    assert_eq!(folder.report(&["answer", &id, "--yes"])["status"], "waiting");
    assert_eq!(folder.paid(), r#"{"euros":40}"#);
    let listed = folder.ptc(&["answer", &id]).stdout;
    let expected = "  1.1.confirm  Call `pay`?  {allow :bool \"Allow it?\", reason :string? \"Why?\"}\n    \
                    mission: Pay 40 euros, then 900.\n    write {\"euros\":900}\n";
    assert_eq!(listed, expected);
    // Cancelled, it has no result, and its question can still be answered.
    let cancelled = folder.report(&["answer", &id, "--cancel"]);
    assert_eq!(
        (&cancelled["status"], &cancelled["stop"]),
        (&json!("stopped"), &json!("cancelled"))
    );
    assert_eq!(folder.ptc(&["runs", "--waiting"]).stderr, "no run waits\n");
    assert_eq!(folder.report(&["answer", &id, "true"])["value"], "paid");
    assert_eq!(folder.paid(), r#"{"euros":40}{"euros":900}"#);
    assert_eq!(folder.ptc(&["replay", &id]).code, Some(0));
}

/// A run whose process is killed while a person thinks is listed like one that waits.
#[cfg(unix)]
#[test]
fn a_run_that_died_at_a_question_is_listed() {
    use std::io::Read as _;
    // The other branch keeps the process alive.
    let folder = Folder::asking("(pcalls #(ask \"Who?\") #(flow/wait 50000))");
    let mut child = folder.command(&["run", "asks.toml", "--events", "/dev/stdout", "--quiet"]);
    let mut child = child.stdout(Stdio::piped()).stderr(Stdio::null()).spawn().expect("starts");
    let mut seen = String::new();
    let mut out = child.stdout.take().expect("is piped");
    let mut buffer = [0; 4096];
    while seen.matches("call-started").count() < 2 {
        let count = out.read(&mut buffer).expect("reads");
        assert_ne!(count, 0, "{seen}");
        seen.push_str(&String::from_utf8_lossy(&buffer[..count]));
    }
    let running = folder.ptc(&["runs", "--waiting"]);
    assert_eq!((running.stdout.as_str(), running.stderr.as_str()), ("", "no run waits\n"));
    let run = seen.split("\"run\":\"").nth(1).and_then(|it| it.split('"').next()).expect("a run");
    // An event is told before it is on record.
    while folder.ptc(&["show", run]).stdout.matches("started: outcome unknown").count() < 2 {}
    child.kill().expect("is killed");
    child.wait().expect("ends");
    let listed = folder.ptc(&["runs", "--waiting"]).stdout;
    assert!(listed.ends_with("  asks\n  1.0.0.0  Who?  :string\n"), "{listed}");
}

/// An answer that could end the run by its size is refused, and the run goes on waiting.
#[test]
fn an_answer_that_is_too_large_is_refused() {
    let folder = Folder::asking("(count (ask \"What?\"))");
    let id = folder.start();
    let large = |bytes: usize| {
        let text = json!("x".repeat(bytes)).to_string();
        std::fs::write(folder.path("answer.json"), text).expect("writes");
    };
    large(100_000_000);
    let output = folder.ptc(&["answer", &id, "@answer.json"]);
    let message = "an answer has at most 1048576 bytes of JSON\n  help: the run goes on waiting\n";
    refused(&output, 2, message);
    assert_eq!(folder.runs()["runs"][0]["status"], "waiting");
    large(1_000_000);
    assert_eq!(folder.report(&["answer", &id, "@answer.json"])["value"], 1_000_000);
}

/// Nobody can answer the question of a run whose record ends with its process.
#[test]
fn a_question_of_a_store_in_memory_is_refused() {
    let folder = Folder::asking("(try (ask \"What?\") (catch Exception e (ex-message e)))");
    let output = folder.ptc(&["run", "asks.toml", "--store", ":memory:", "--quiet"]);
    let why = "`ask`: nobody can answer: the record is in memory, and ends with this process";
    assert_eq!((output.code, output.stdout), (Some(0), format!("{why:?}\n")), "{}", output.stderr);
    assert!(!folder.path(":memory:").exists());
}
