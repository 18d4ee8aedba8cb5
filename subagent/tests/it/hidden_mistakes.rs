//! Everyday mistakes with values of hidden fields. No text of ours quotes such a value: in feedback, printed errors,
//! events, the store or an export.

use ptc_subagent::replay::Replay;
use ptc_subagent::store::Store;
use ptc_subagent::tool::{FnTool, ToolDef, ToolError};
use ptc_subagent::{Agent, Mission, RunBudget, Status};
use serde_json::{Value, json};

use crate::modes::RequestLog;
use crate::support::exported;

/// The hidden values: long, a plain word, short, a long number, a short number, and a fraction.
pub(crate) fn canaries() -> Value {
    json!({
        "_token": "xyzzy-7719-plugh-\"quoted\"-canary-of-more-than-forty-characters",
        "_word": "plover",
        "_code": "Q7",
        "_pin": 48_151_623,
        "_digit": 917,
        "_rate": 3.25,
    })
}

/// The programs. `X` is the hidden value.
const MISTAKES: &[&str] = &[
    // Numbers.
    "(+ 1 X)",
    "(+ :a X)",
    "(- X :a)",
    "(* X \"a\")",
    "(/ X 0)",
    "(inc X)",
    "(max X :a)",
    "(min :a X)",
    "(< X :b)",
    "(bit-and X \"a\")",
    "(quot X \"a\")",
    "(even? X)",
    "(Math/sqrt X)",
    "(parse-long X)",
    "(parse-double X)",
    "(Integer/parseInt X)",
    "(Long/parseLong (str X \"z\"))",
    "(Double/parseDouble (str X \"z\"))",
    "(format \"%d\" X)",
    "(format \"%.2f\" X)",
    "(sum [X :a])",
    "(mean [:a X])",
    "(+ 1 {:a X})",
    "(+ 1 {:a {:b X}})",
    "(+ 1 [X X])",
    "(+ 1 [1 2 X])",
    "(+ 1 #{X})",
    "(+ 1 (str \"Bearer \" X))",
    "(+ 1 (keyword (str X)))",
    "(+ 1 (symbol (str X)))",
    "(+ 1 (str/reverse (str/reverse (str X))))",
    "(long (str X \"z\"))",
    "(bigdec (str X \"z\"))",
    // Texts.
    "(str/upper-case X)",
    "(str/split X #\"-\")",
    "(str/join X 1)",
    "(str/replace X 1 2)",
    "(str/includes? X 1)",
    "(str/starts-with? 1 X)",
    "(subs X 100)",
    "(subs \"abc\" X)",
    "(name X)",
    "(name [X])",
    "(keyword [X])",
    "(symbol [X])",
    "(re-find X \"abc\")",
    "(re-find #\"a\" X)",
    "(re-matches #\"a\" [X])",
    "(re-pattern (str \"(\" X))",
    "(json/read-str (str \"{\" X))",
    "(json/read-str (str X \" x\"))",
    "(read-string (str \"(\" X))",
    "(parse-uuid X)",
    "(java.time.LocalDate/parse (str X))",
    "(java.time.Instant/parse (str X))",
    "(days-between (str X) \"2026-01-01\")",
    "(compare X [1])",
    "(compare :a X)",
    // Collections.
    "(nth [1 2] X)",
    "(nth X 1000)",
    "(get [1] X X X)",
    "(count X)",
    "(first X)",
    "(map inc X)",
    "(reduce + X)",
    "(apply + X)",
    "(mapv (fn [x] (+ x 1)) [X :a])",
    "(pmap (fn [x] (+ :a x)) [X X])",
    "(sort [X :a 1])",
    "(sort X)",
    "(sort-by :a X)",
    "(sort-by X [1 2])",
    "(let [{:keys [a]} X] (inc a))",
    "(let [[a b] X] (+ a b))",
    "(let [{a X} {}] (inc a))",
    "(case X :one 1)",
    "(case [X] :one 1)",
    "(assoc X :a 1)",
    "(assoc [1] X 1)",
    "(conj X 1)",
    "(into {} [X])",
    "(into {} [[X]])",
    "(merge X {:a 1})",
    "(update {:a 1} :a + X :b)",
    "(update-in {:a 1} [:a X] inc)",
    "(zipmap X [1])",
    "(set/union X #{1})",
    "(disj X 1)",
    "(vec X)",
    "(keys X)",
    "(key X)",
    "(vals X)",
    "(contains? X 1)",
    "(select-keys X [:a])",
    "(rand-nth X)",
    "(take X :a)",
    "(partition X :a)",
    "(group-by X X)",
    "(deref X)",
    "(sorted-map X 1 :a 2)",
    "(hash-map X)",
    "(X 1)",
    "([1 2] X)",
    "((fn [a] a) X X)",
    "(where X [1])",
    "(subvec [1 2] X)",
    // Exceptions.
    "(assert (= X \"no\"))",
    "(throw X)",
    "(throw (ex-info \"no\" {:t X}))",
    "(throw (ex-info \"no\" {:_t X :rows [X]}))",
    "(throw (ex-info \"no\" X))",
    "(try (+ 1 X) (catch Exception e (throw e)))",
    "(try (+ :a X) (catch Exception e (println (ex-message e))))",
    "(try (+ :a X) (catch Exception e (prn e) (println (ex-data e) (str e))))",
    "(try (case X :one 1) (catch Exception e (println (ex-message e))))",
    "(try (Integer/parseInt (str X \"z\")) (catch Exception e (println (ex-message e))))",
    "(try (tool/lookup {:id {:a X}}) (catch Exception e (println (ex-message e) (ex-data e))))",
    "(try (tool/refuses {:text (str X)}) (catch Exception e (println (ex-message e) (ex-data e))))",
    // Tools, and results that are wrong.
    "(tool/lookup X)",
    "(tool/lookup {:id {:a X}})",
    "(tool/lookup {:id [X]})",
    "(tool/lookup {:id (str X)})",
    "(tool/lookup {:id :a :text X})",
    "(tool/lookup {:id 1 :kind X})",
    "(tool/refuses {:text (str X)})",
    "(pmap (fn [x] (tool/refuses {:text (str x)})) [X])",
    "(let [r (tool/secret {})] (+ :a (:_key r)))",
    "(let [r (tool/secret {})] (+ :a (:_key (first (:rows r)))))",
    "(do (tool/secret {}) (+ :a X))",
    "(tool/echo {:value X :more {:a [X]}})",
    "(return {:n [X] :kind \"open\"})",
    "(return {:n 1 :kind X})",
    "(return {:n 1 :kind [X]})",
    "(return {:n {:a X}})",
    "(return [X])",
];

pub(crate) const RESULT: &str = "result-canary-2241";

fn agent() -> Agent {
    let number = FnTool::new(async |_: Value, _| Ok(json!(1)));
    let refuses = FnTool::new(async |args: Value, _| {
        let text = args["text"].as_str().unwrap_or_default().to_string();
        Err::<Value, _>(ToolError::failed(format!("no such account: {text}")))
    });
    let secret = FnTool::new(async |_: Value, _| {
        Ok(json!({"_key": RESULT, "rows": [{"_key": RESULT, "id": 1}]}))
    });
    let lookup = ToolDef::new("lookup", number)
        .with_signature("(id :int, kind :enum[open closed]?, text :bool?) -> :int")
        .unwrap();
    let refuses =
        ToolDef::new("refuses", refuses).with_signature("(text :string) -> :any").unwrap();
    let echo = ToolDef::new("echo", FnTool::new(async |_: Value, _| Ok(json!("done"))));
    Agent::new("Go.")
        .with_tool(echo)
        .with_signature("(name :string) -> {n :int, kind :enum[open closed]}")
        .unwrap()
        .with_tool(lookup)
        .with_tool(refuses)
        .with_tool(ToolDef::new("secret", secret))
        .with_budget(RunBudget::default().with_turns(1_000))
        .with_max_turns(MISTAKES.len() as u32 + 2)
}

/// Removes the places of a record where a value may be: the input, the arguments and the results of calls, and the
/// values and texts of the program.
pub(crate) fn scrubbed(value: &mut Value) {
    const PLACES: &[&str] = &["input", "args", "result", "definition", "reply", "program"];
    match value {
        Value::Object(map) => {
            map.retain(|name, _| !PLACES.contains(&name.as_str()));
            map.values_mut().for_each(scrubbed);
        }
        Value::Array(items) => items.iter_mut().for_each(scrubbed),
        _ => {}
    }
}

/// Returns whether a text has a canary as a word of its own.
pub(crate) fn has(text: &str, canary: &str) -> bool {
    text.match_indices(canary).any(|(at, _)| {
        let is_part = |c: Option<char>| c.is_some_and(char::is_alphanumeric);
        let (before, after) = (&text[..at], &text[at + canary.len()..]);
        !is_part(before.chars().next_back()) && !is_part(after.chars().next())
    })
}

/// Returns the texts that may not be anywhere: the canary, and its beginning if it is long.
pub(crate) fn parts(canary: &Value) -> Vec<String> {
    match canary {
        Value::String(text) if text.len() > 40 => {
            vec!["xyzzy".to_string(), "plugh".to_string(), "7719".to_string()]
        }
        Value::String(text) => vec![text.clone()],
        other => vec![other.to_string()],
    }
}

#[tokio::test]
async fn no_text_about_a_mistake_quotes_a_hidden_value() {
    let mut found = Vec::new();
    for (name, canary) in canaries().as_object().unwrap() {
        let programs: Vec<String> = MISTAKES
            .iter()
            .map(|it| {
                // `X` is a word of its own.
                let words = it.replace('X', &format!("ctx/{name}"));
                if it.starts_with("(return") { words } else { format!("(do {words} nil)") }
            })
            .chain(["(return {:n 1 :kind \"open\"})".to_string()])
            .collect();
        let programs: Vec<&str> = programs.iter().map(String::as_str).collect();
        let provider = RequestLog::new(&programs);
        let store = Store::in_memory().unwrap();
        let mut input = canaries();
        input["name"] = json!("Ana");
        let agent = agent();
        let mission = Mission::new(&agent, input).record_in(&store);
        let report = mission.run(&provider).await.unwrap();
        assert_eq!(report.status, Status::Returned, "{name}: {:?}", report.error);
        let mut canaries = parts(canary);
        canaries.push(RESULT.to_string());
        let mut check = |place: &str, text: &str| {
            if let Some(canary) = canaries.iter().find(|it| has(text, it)) {
                found.push(format!("{name} ({canary}) {place}: {text}\n"));
            }
        };
        // The first text is the prompt, and each program has the next message.
        for (at, text) in provider.texts().iter().enumerate().skip(1) {
            let program = at.checked_sub(2).and_then(|it| programs.get(it)).unwrap_or(&"");
            check(&format!("feedback of {program}"), text);
        }
        let run = report.run.as_str();
        for line in exported(&store, run).lines() {
            let mut event: Value = serde_json::from_str(line).unwrap();
            scrubbed(&mut event);
            let is_told = ["run-started", "model-asked"]
                .contains(&event["event"].as_str().unwrap_or_default());
            if !is_told {
                event
                    .as_object_mut()
                    .unwrap()
                    .retain(|name, _| !["at", "run", "elapsed", "fuel"].contains(&name.as_str()));
                check("export", &event.to_string());
            }
        }
        let replayed = Replay::of(&store, run).unwrap().run().await.unwrap();
        assert_eq!(replayed.differences, []);
    }
    assert!(found.is_empty(), "{} texts:\n{}", found.len(), found.join("\n"));
}
