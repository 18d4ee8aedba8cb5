//! `ptc try`: judgements, tables, ceilings, continued and compared trials.

use std::path::PathBuf;

use serde_json::{Value, json};

use crate::support::{Output, ptc, run};

/// Two missions over the same data, and two models that solve one of them each.
struct Trial {
    folder: tempfile::TempDir,
}

const MODELS: [(&str, &str); 2] =
    [("adds", "(reduce + ctx/numbers)"), ("maximum", "(apply max ctx/numbers)")];

impl Trial {
    fn new() -> Trial {
        let trial = Trial { folder: tempfile::tempdir().expect("makes a folder") };
        for (name, prompt, expected, held_out) in
            [("largest", "The largest.", [2, 9], false), ("sum", "The sum.", [3, 10], true)]
        {
            let cases = json!({"held_out": held_out, "cases": [
                {"input": {"numbers": [1, 2]}, "expected": expected[0]},
                {"input": {"numbers": [9, 1]}, "expected": expected[1]},
            ]});
            trial.write(&format!("missions/{name}/cases.json"), &cases.to_string());
            let agent = format!(
                "name = \"{name}\"\nprompt = \"{prompt}\"\nsignature = \"(numbers [:int]) -> :int\"\nmax_turns = 2\n"
            );
            trial.write(&format!("missions/{name}/agent.toml"), &agent);
        }
        for (name, program) in MODELS {
            let mut reply = json!({
                "text": format!("```clojure\n(return {program})\n```"),
                "usage": {"input_tokens": 100, "output_tokens": 10},
            });
            if name == "adds" {
                reply["usage"]["cost"] = json!(0.002);
            }
            trial.write(&format!("{name}.jsonl"), &format!("{reply}\n"));
        }
        trial
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn write(&self, name: &str, text: &str) {
        let path = self.path(name);
        std::fs::create_dir_all(path.parent().expect("has a folder")).expect("makes a folder");
        std::fs::write(path, text).expect("writes");
    }

    /// Runs `ptc try missions` in the folder, one attempt at a time.
    fn run(&self, models: &[&str], options: &[&str]) -> Output {
        let models: Vec<String> =
            models.iter().map(|name| format!("--model=recorded:{name}.jsonl")).collect();
        let models: Vec<&str> = models.iter().map(String::as_str).collect();
        let args = [&["try", "missions", "--jobs", "1"], &models[..], options].concat();
        let mut command = ptc(&args, &self.path("runs.sqlite"));
        run(command.current_dir(self.folder.path()), b"")
    }

    fn lines(&self, name: &str) -> Vec<Value> {
        let text = std::fs::read_to_string(self.path(name)).expect("reads");
        text.lines().map(|line| serde_json::from_str(line).expect("is JSON")).collect()
    }
}

/// Returns a text with `RUN` for ids of runs and `TIME` for the last column of the table.
fn steady(text: &str) -> String {
    let words = |line: &str| {
        let is_id = |word: &str| word.len() == 26 && word.starts_with("01");
        let words = line.split(' ').map(|word| if is_id(word) { "RUN" } else { word });
        words.collect::<Vec<_>>().join(" ")
    };
    let cut = |line: &str| match line.strip_suffix(" s") {
        Some(line) => line.rsplit_once("  ").map_or(line, |(line, _)| line).trim_end().to_owned(),
        None => line.trim_end().to_owned(),
    };
    text.lines().map(|line| cut(&words(line)) + "\n").collect()
}

/// R26: a trial tells the share of right answers, the turns, and the cost of each model.
#[test]
fn models_are_compared() {
    let trial = Trial::new();
    let output = trial.run(&["adds", "maximum"], &["--html", "trial.html"]);
    assert_eq!(
        steady(&output.stdout),
        "\
model                    right       share  first turn  turns  requests  calls  prompt   in  out     cost   time
recorded:adds.jsonl     2 of 4  15 to 85 %           2    1.0       1.0    0.0     100  100   10  $0.0080
recorded:maximum.jsonl  2 of 4  15 to 85 %           2    1.0       1.0    0.0     100  100   10  unknown

`share` is the interval of the true share in 95 of 100 trials. Turns, requests, calls, tokens and times are means of an attempt; `prompt` is the first request.
recorded:adds.jsonl: wrong-answer 2
recorded:maximum.jsonl: wrong-answer 2

not right (`ptc show RUN` shows a run):
  RUN  largest 1 · recorded:adds.jsonl · wrong-answer
  RUN  largest 2 · recorded:adds.jsonl · wrong-answer
  RUN  sum 1 · recorded:maximum.jsonl · wrong-answer
  RUN  sum 2 · recorded:maximum.jsonl · wrong-answer
"
    );
    let told = steady(&output.stderr);
    assert!(told.starts_with("2 missions, 2 models: 8 attempts\n"), "{told}");
    assert!(told.contains("right  sum 1 · recorded:adds.jsonl · 1 turn · RUN\n"), "{told}");
    assert!(
        told.contains("WRONG  sum 2 · recorded:maximum.jsonl · 1 turn · wrong-answer · RUN\n"),
        "{told}"
    );
    assert_eq!(output.code, Some(0));
    let page = std::fs::read_to_string(trial.path("trial.html")).expect("reads");
    assert_eq!(page.matches("class=\"right\"").count(), 4);
    assert_eq!(page.matches("class=\"wrong\"").count(), 4);
    // Half of the answers are right, so the bars of both charts of shares are half as long as can be.
    assert_eq!(page.matches("width=\"180.0\"").count(), 4);
    assert!(!page.contains("<script"), "{page}");
}

#[test]
fn a_trial_goes_on_where_it_stopped() {
    let trial = Trial::new();
    let out = &["--out", "out.jsonl"][..];
    let first = trial.run(&["adds"], &[out, &["--max-total-tokens", "200"]].concat());
    assert_eq!((first.code, trial.lines("out.jsonl").len()), (Some(4), 2), "{}", first.stderr);
    let why = "stopped: 220 of 200 tokens are used; the same command continues the trial\n";
    assert!(first.stderr.ends_with(why), "{}", first.stderr);
    let unkept = trial.run(&["adds"], &["--max-total-tokens", "200"]).stderr;
    let why = "stopped: 220 of 200 tokens are used; with `--out FILE`, a trial can be continued\n";
    assert!(unkept.ends_with(why), "{unkept}");
    // A crash cuts off the last line.
    let text = std::fs::read_to_string(trial.path("out.jsonl")).expect("reads");
    trial.write("out.jsonl", &text[..text.len() - 9]);
    let second = trial.run(&["adds"], out);
    let begin = "2 missions, 1 model: 4 attempts, 1 of them made before\n";
    assert!(second.stderr.starts_with(begin), "{}", second.stderr);
    let rows = trial.lines("out.jsonl");
    let right: Vec<(&Value, &Value, &Value)> =
        rows.iter().map(|row| (&row["mission"], &row["case"], &row["right"])).collect();
    assert_eq!(
        json!(right),
        json!([["largest", 1, false], ["largest", 2, false], ["sum", 1, true], ["sum", 2, true]])
    );
    // The agent has changed, so its attempts are made again.
    let agent = std::fs::read_to_string(trial.path("missions/sum/agent.toml")).expect("reads");
    trial.write("missions/sum/agent.toml", &agent.replace("The sum.", "The sum, please."));
    let third = trial.run(&["adds"], out);
    let begin = "2 missions, 1 model: 4 attempts, 2 of them made before\n";
    assert!(third.stderr.starts_with(begin), "{}", third.stderr);
    assert_eq!(trial.lines("out.jsonl").len(), 6);
}

#[test]
fn trials_are_compared_and_have_thresholds() {
    let trial = Trial::new();
    let first = trial.run(&["adds"], &["--out", "before.jsonl", "--min-right", "50"]);
    assert_eq!(first.code, Some(0), "{}", first.stderr);
    let options = ["--against", "before.jsonl", "--min-right", "50.1", "--json"];
    let second = trial.run(&["maximum"], &options);
    assert_eq!(second.code, Some(3), "{}", second.stderr);
    let json: Value = serde_json::from_str(&second.stdout).expect("is JSON");
    let changes = json["changes"].as_array().expect("is a list");
    let changes: Vec<Value> = changes
        .iter()
        .map(|it| json!([it["mission"], it["case"], it["was_right"], it["is_right"]]))
        .collect();
    assert_eq!(
        json!(changes),
        json!([
            ["largest", 1, false, true],
            ["largest", 2, false, true],
            ["sum", 1, true, false],
            ["sum", 2, true, false]
        ])
    );
    let model = &json["models"][0];
    assert_eq!(
        json!([model["missions"], model["missions_right"], model["right"], model["problems"]]),
        json!([2, 1, 2, {"wrong-answer": 2}])
    );
    // Each attempt is a run on record.
    let runs = run(&mut ptc(&["runs", "--json"], &trial.path("runs.sqlite")), b"");
    let runs: Value = serde_json::from_str(&runs.stdout).expect("is JSON");
    let of_trial = json["attempts"].as_array().expect("is a list");
    let known = runs["runs"].as_array().expect("is a list");
    assert!(of_trial.iter().all(|row| known.iter().any(|run| run["run"] == row["run"])));
}

#[test]
fn missions_are_chosen() {
    let trial = Trial::new();
    let told = |options: &[&str]| trial.run(&["adds"], options).stderr;
    let attempts = |options: &[&str]| told(options).lines().next().unwrap_or_default().to_owned();
    assert_eq!(attempts(&["--set", "tuned"]), "1 mission, 1 model: 2 attempts");
    assert_eq!(attempts(&["--set", "held-out", "--repeat", "3"]), "1 mission, 1 model: 6 attempts");
    assert_eq!(attempts(&["--only", "sum", "--cases", "1"]), "1 mission, 1 model: 1 attempt");
    assert!(told(&["--with-tools"]).contains("no mission is chosen"));
    assert!(told(&["--only", "nothing"]).contains("there is no mission `nothing`"));
    trial.write("missions/sum/cases.json", "{\"cases\": []}");
    assert!(told(&[]).contains("cases.json: `cases` is empty"), "{}", told(&[]));
}

/// Styles and settings are tried one by one, and are continued and compared by their names.
#[test]
fn styles_and_settings_are_compared() {
    let trial = Trial::new();
    trial.write("few.toml", "effort = 10\n");
    // The style `json` takes the text of the reply as the answer.
    let reply = json!({"text": "3", "usage": {"input_tokens": 50, "output_tokens": 1}});
    trial.write("says.jsonl", &format!("{reply}\n"));
    let options = ["--only", "sum", "--cases", "1", "--turns", "1", "--out", "trial.jsonl"];
    let styles =
        ["--style", "json", "--style", "program", "--variant", "-", "--variant", "few.toml"];
    let output = trial.run(&["says"], &[&options[..], &styles[..]].concat());
    assert!(
        output.stderr.starts_with("1 mission, 1 model, 4 variants: 4 attempts\n"),
        "{output:?}"
    );
    let rows = trial.lines("trial.jsonl");
    let told: Vec<(&str, bool)> = rows
        .iter()
        .map(|it| (it["variant"].as_str().expect("has one"), it["right"].as_bool().expect("is")))
        .collect();
    let expected =
        [("json", true), ("json · few", true), ("program", false), ("program · few", false)];
    assert_eq!(told, expected);
    assert_eq!(rows[0]["model"], "recorded:says.jsonl");
    let again = trial.run(&["says"], &[&options[..], &styles[..]].concat());
    let told = "1 mission, 1 model, 4 variants: 4 attempts, 4 of them made before\n";
    assert_eq!(again.stderr, told);
    let table = steady(&again.stdout);
    assert!(table.contains("recorded:says.jsonl · json · few"), "{table}");
    // Attempts of another file stand beside those of the trial.
    let other = trial.run(&["adds"], &["--only", "sum", "--beside", "trial.jsonl", "--json"]);
    let json: Value = serde_json::from_str(&other.stdout).expect("is JSON");
    let models = json["models"].as_array().expect("is a list");
    let models = models.iter().map(|it| json!([it["model"], it["variant"], it["right"]]));
    assert_eq!(
        json!(models.collect::<Vec<_>>()),
        json!([
            ["recorded:adds.jsonl", null, 2],
            ["recorded:says.jsonl", "json", 1],
            ["recorded:says.jsonl", "json · few", 1],
            ["recorded:says.jsonl", "program", 0],
            ["recorded:says.jsonl", "program · few", 0]
        ])
    );
    let output = trial.run(&["says"], &["--style", "poem"]);
    assert_eq!(output.code, Some(2));
    let twice = trial.run(&["says"], &["--variant", "few.toml", "--variant", "few.toml"]);
    assert!(twice.stderr.contains("two variants are named `few`"), "{twice:?}");
}

/// A difference is told with the chance that it is noise.
#[test]
fn a_comparison_has_a_verdict() {
    let trial = Trial::new();
    trial.run(&["adds"], &["--out", "first.jsonl", "--repeat", "4"]);
    let against = ["--against", "first.jsonl", "--repeat", "4", "--only"];
    let output = trial.run(&["maximum"], &[&against[..], &["largest"]].concat());
    let better = "\ncompared with the earlier trial:\n  recorded:maximum.jsonl: 8 better and 0 worse of 8; such a \
                  difference comes by chance in 1 of 100 trials: better\n";
    assert!(output.stdout.ends_with(better), "{}", output.stdout);
    let output = trial.run(&["maximum"], &["--against", "first.jsonl", "--repeat", "4", "--json"]);
    let json: Value = serde_json::from_str(&output.stdout).expect("is JSON");
    let verdict = json!([{
        "model": "recorded:maximum.jsonl", "attempts": 16, "better": 8, "worse": 8, "chance": 1.0,
        "verdict": "no more than noise",
    }]);
    assert_eq!(json["verdicts"], verdict);
    let between = &json["models"][0]["right_between"];
    assert_eq!(
        (
            between[0].as_f64().map(|it| (it * 100.0).round()),
            json["changes"].as_array().map(Vec::len)
        ),
        (Some(28.0), Some(16))
    );
}

/// A run that failed becomes a case. Its tools answer from the record, also where the agent file is gone.
#[test]
fn a_recorded_run_becomes_a_mission() {
    let trial = Trial::new();
    let agent = "name = \"price\"\nprompt = \"The price of {{n}}.\"\nsignature = \"(n :int) -> :int\"\nmax_turns = 1\n\
                 [[tools]]\nname = \"price\"\nsignature = \"(n :int) -> :int\"\neffect = \"read\"\n\
                 command = [\"sh\", \"-c\", \"echo x >> calls; echo 7\"]\n\
                 [[tools]]\nname = \"note\"\nsignature = \"(text :string) -> :any\"\neffect = \"write\"\n\
                 command = [\"sh\", \"-c\", \"echo x >> calls; echo null\"]\n";
    trial.write("agents/price.toml", agent);
    let program =
        |text: &str| json!({"text": format!("```clojure\n{text}\n```")}).to_string() + "\n";
    let wrong = "(tool/note {:text \"asked\"})\n(fail {:reason :odd :message (str (tool/price {:n ctx/n}))})";
    trial.write("wrong.jsonl", &program(wrong));
    trial.write(
        "right.jsonl",
        &program("(tool/note {:text \"asked\"})\n(return (* 2 (tool/price {:n ctx/n})))"),
    );
    trial.write("other.jsonl", &program("(return (tool/price {:n 99}))"));
    let command = |args: &[&str]| {
        let mut command = ptc(args, &trial.path("runs.sqlite"));
        run(command.current_dir(trial.folder.path()), b"")
    };
    let ran = command(&[
        "run",
        "agents/price.toml",
        "--input",
        "{\"n\": 3}",
        "--model",
        "recorded:wrong.jsonl",
        "--yes",
        "--json",
    ]);
    assert_eq!(ran.code, Some(1), "{ran:?}");
    let report: Value = serde_json::from_str(&ran.stdout).expect("is JSON");
    let id = report["run"].as_str().expect("has one");
    let refused = command(&["try", "missions/price", "--from", id]);
    assert_eq!(refused.code, Some(2), "{refused:?}");
    assert!(
        refused.stderr.contains("has not returned a value, so the expected one is needed"),
        "{refused:?}"
    );
    let added = command(&["try", "missions/price", "--from", id, "--expected", "14"]);
    assert_eq!(
        added.stdout, "missions/price has 1 case; `ptc try missions/price --model SPEC` tries it\n",
        "{added:?}"
    );
    let cases: Value = serde_json::from_str(
        &std::fs::read_to_string(trial.path("missions/price/cases.json")).expect("reads"),
    )
    .expect("is JSON");
    let expected = json!({"cases": [{
        "input": {"n": 3}, "expected": 14, "calls": [{"tool": "note", "args": {"text": "asked"}}],
        "record": format!("{id}.jsonl"),
    }]});
    assert_eq!(cases, expected);
    let calls = || {
        std::fs::read_to_string(trial.path("agents/calls"))
            .or_else(|_| std::fs::read_to_string(trial.path("calls")))
            .expect("reads")
            .lines()
            .count()
    };
    assert_eq!(calls(), 2);
    for keeps_agent in [true, false] {
        if !keeps_agent {
            std::fs::remove_file(trial.path("agents/price.toml")).expect("removes");
        }
        let output = trial.run(&["right", "wrong", "other"], &["--only", "price"]);
        let table = steady(&output.stdout);
        for (model, right) in [("right", "1 of 1"), ("wrong", "0 of 1"), ("other", "0 of 1")] {
            let line = table.lines().find(|it| it.starts_with(&format!("recorded:{model}.jsonl ")));
            assert!(line.is_some_and(|it| it.contains(right)), "{table}");
        }
    }
    assert_eq!(calls(), 2);
    // The same run again replaces its case.
    let again = command(&["try", "missions/price", "--from", id, "--expected", "15"]);
    assert!(again.stdout.starts_with("missions/price has 1 case;"), "{again:?}");
}
