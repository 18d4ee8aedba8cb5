//! Missions over a server with 500 tools, in every answer style.

use std::fmt::Write as _;

use ptc_subagent::Mission;
use ptc_subagent::provider::{ModelCall, Reply, Scripted};
use ptc_subagent::replay::Replay;
use ptc_subagent::store::Store;
use serde_json::{Value, json};

use super::support::{Place, record, runtime};

/// Returns a reply that calls a tool natively.
fn native(name: &str, args: &Value) -> Reply {
    let call =
        ModelCall { id: "c".to_string(), name: name.to_string(), arguments: args.to_string() };
    Reply { calls: vec![call], ..Reply::new("") }
}

fn action(name: &str, args: &Value) -> Reply {
    Reply::new(format!("Thought: next.\nAction: {name}\nAction Input: {args}"))
}

fn decision(name: &str, args: &Value) -> Reply {
    let step = json!({"type": "Actions", "actions": [{"name": name, "params": args}]});
    Reply::new(json!({"nextStep": step}).to_string())
}

fn program(source: &str) -> Reply {
    Reply::new(format!("```clojure\n{source}\n```"))
}

/// Returns the replies of a model that looks a tool up, calls it, and answers with its result.
fn replies(answers: &str) -> Vec<Reply> {
    let words = json!({"words": "refunds billing count"});
    let name = json!({"name": "billing_count_refunds"});
    let id = json!({"id": 7});
    let wrong = json!({"id": 1});
    let answer = json!({"tool": "billing_count_refunds", "id": 7});
    match answers {
        "program" => vec![
            program("(tools/search \"refunds billing count\")"),
            program("(tools/describe \"billing_count_refunds\")"),
            program("(tool/billing_count_refund {:id 1})"),
            program("(return (tool/billing_count_refunds {:id 7}))"),
        ],
        "tools" => vec![
            native("tools_search", &words),
            native("tools_describe", &name),
            native("billing_count_refund", &wrong),
            native("tools_call", &json!({"name": "billing_count_refunds", "arguments": id})),
            native("return", &answer),
        ],
        "react" => vec![
            action("tools/search", &words),
            action("tools/describe", &json!("billing_count_refunds")),
            action("billing_count_refund_", &wrong),
            action("billing_count_refunds", &id),
            Reply::new(format!("Final Answer: {answer}")),
        ],
        _ => vec![
            decision("tools/search", &words),
            decision("tools/describe", &name),
            decision("billing_count_refund_", &wrong),
            decision("billing_count_refunds", &id),
            Reply::new(json!({"taskComplete": true, "result": answer}).to_string()),
        ],
    }
}

#[test]
fn missions_over_500_tools_are_solved_in_every_style() {
    let mut all = String::new();
    for answers in ["program", "tools", "react", "decisions"] {
        let place = Place::new();
        let keys = format!(
            "signature = \"-> {{tool :string, id :int}}\"\nanswers = \"{answers}\"\nmcp = \"servers.json\""
        );
        place.write("many", &keys);
        let agent = place.read(None).unwrap();
        assert_eq!(agent.tools.len(), 500);
        let store = Store::open(&place.path("runs.db")).unwrap();
        let provider = Scripted::from_replies(replies(answers));
        let mission = Mission::new(&agent, json!({})).record_in(&store);
        let report = runtime().block_on(mission.run(&provider)).unwrap();
        let value = serde_json::to_value(&report.value).unwrap();
        assert_eq!(
            value,
            json!({"tool": "billing_count_refunds", "id": 7}),
            "{answers} {report:?}"
        );
        let _ = writeln!(all, "=== {answers}");
        for turn in record(&store).turn_records.iter().skip(1) {
            let results = turn.results.iter().map(|it| it.text.as_str());
            let told: Vec<&str> = results.chain([turn.prompt.as_str()]).collect();
            let _ = writeln!(all, "--- turn {}\n{}", turn.turn, told.join("\n").trim());
        }
        let replayed = runtime().block_on(Replay::of(&store, report.run.as_str()).unwrap().run());
        let replayed = replayed.unwrap();
        assert_eq!(replayed.differences, [], "{answers}");
        assert_eq!(replayed.report.unwrap(), report, "{answers}");
    }
    insta::assert_snapshot!(all);
}
