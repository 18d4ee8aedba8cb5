//! Queries of runs: filters, totals, and the queries of the documentation.

use std::path::Path;

use ptc_lisp::Limits;
use ptc_subagent::provider::Scripted;
use ptc_subagent::store::{Filter, Store};
use ptc_subagent::tool::ToolDef;
use ptc_subagent::{Agent, Mission};
use rusqlite::Connection;
use serde_json::{Value, json};

use crate::support::{Model, priced, program};

/// Makes a store with a run of each kind. The unfinished ones are made by hand.
async fn record(path: &Path) {
    let store = Store::open(path).unwrap();
    let child = Agent::new("Double {{id}}.")
        .with_name("track")
        .with_signature("(id :int) -> :int")
        .unwrap()
        .with_max_turns(1);
    let lead = Agent::new("Lead.").with_name("lead").with_tool(ToolDef::agent(child));
    let source = "(return (pmap (fn [id] (tool/track {:id id})) [1 2]))";
    let provider = Model(move |text: &str| match text {
        _ if text.contains("Lead") => priced(source, 100, 0.25),
        _ => priced("(return (* 2 ctx/id))", 10, 0.01),
    });
    Mission::new(&lead, json!({})).record_in(&store).run(&provider).await.unwrap();
    let short = Limits { fuel: 10, ..Limits::default() };
    for (name, replies, limits) in [
        ("sad", vec!["(+ 1 nil)", "(fail {:reason :no-days :message \"m\"})"], Limits::default()),
        ("hungry", vec!["(return (reduce + (range 1000)))"], short),
        ("open", vec!["(return 1)"], Limits::default()),
        ("gone", vec!["(return 1)"], Limits::default()),
        ("mended", vec!["(+ 1 nil)", "(return 2)"], Limits::default()),
        ("lost", vec!["nowhere"], Limits::default()),
    ] {
        let turns = u32::try_from(replies.len()).unwrap();
        let agent = Agent::new("Go.").with_name(name).with_limits(limits).with_max_turns(turns);
        let provider = Scripted::new(replies.into_iter().map(program));
        Mission::new(&agent, json!({})).record_in(&store).run(&provider).await.unwrap();
    }
    drop(store);
    let db = Connection::open(path).unwrap();
    for (agent, process) in [("open", "1:init"), ("gone", "999999999:gone")] {
        let sql = "UPDATE run_heads SET status = 'running', ended_at = NULL, ended = NULL, process = ?2 WHERE agent = ?1";
        assert_eq!(db.execute(sql, [agent, process]).unwrap(), 1);
    }
}

/// Compares the agents of the runs that a filter selects, newest first, and the totals.
fn check(store: &Store, set: impl Fn(&mut Filter), agents: &[&str], totals: &Value) {
    let mut filter = Filter::default();
    set(&mut filter);
    let found = store.find(&filter).unwrap();
    let names: Vec<&str> = found.runs.iter().map(|it| it.agent.as_str()).collect();
    assert_eq!(names, agents, "{filter:?}");
    if filter.limit.is_none() {
        let fuel: u64 = found.runs.iter().map(|it| it.fuel).sum();
        assert_eq!(found.totals.fuel, fuel, "{filter:?}");
    }
    let mut found = json!(found.totals);
    found.as_object_mut().unwrap().remove("fuel");
    assert_eq!(found, *totals, "{filter:?}");
}

fn some(text: &str) -> Option<String> {
    Some(text.to_string())
}

#[tokio::test]
async fn filters_and_totals() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("s.sqlite");
    record(&path).await;
    let store = Store::open_read_only(&path).unwrap();
    let one = |status: &str, turns: u32| {
        json!({
            "runs": 1, "statuses": {status: 1}, "turns": turns, "tool_calls": 0,
            "usage": {"input_tokens": 0, "output_tokens": 0}, "cost_unknown": 1,
        })
    };
    let none = json!({
        "runs": 0, "statuses": {}, "turns": 0, "tool_calls": 0,
        "usage": {"input_tokens": 0, "output_tokens": 0}, "cost_unknown": 0,
    });
    let all = json!({
        "runs": 9,
        "statuses": {"died": 1, "failed": 1, "returned": 4, "running": 1, "stopped": 2},
        "turns": 11,
        "tool_calls": 2,
        "usage": {"input_tokens": 120, "output_tokens": 0, "cost": 0.27},
        "cost_unknown": 6,
    });
    let everything = ["lost", "mended", "gone", "open", "hungry", "sad", "track", "track", "lead"];
    check(&store, |_| {}, &everything, &all);
    // The totals count all selected runs, also those beyond the limit of the list.
    check(&store, |it| it.limit = Some(2), &everything[..2], &all);
    check(&store, |it| it.status = some("died"), &["gone"], &one("died", 1));
    check(&store, |it| it.status = some("running"), &["open"], &one("running", 1));
    check(&store, |it| it.status = some("failed"), &["sad"], &one("failed", 2));
    check(&store, |it| it.status = some("fuel"), &["hungry"], &one("stopped", 1));
    check(&store, |it| it.agent = some("hungry"), &["hungry"], &one("stopped", 1));
    check(&store, |it| it.error = some("no-days"), &["sad"], &one("failed", 2));
    let wrong = |it: &mut Filter| (it.error, it.status) = (some("wrong-type"), some("failed"));
    check(&store, wrong, &["sad"], &one("failed", 2));
    // A filter by error also finds runs in which no program ran.
    check(&store, |it| it.error = some("unknown-name"), &["lost"], &one("stopped", 1));
    let lead = json!({
        "runs": 1, "statuses": {"returned": 1}, "turns": 1, "tool_calls": 2,
        "usage": {"input_tokens": 100, "output_tokens": 0, "cost": 0.25}, "cost_unknown": 0,
    });
    check(&store, |it| it.tool = some("track"), &["lead"], &lead);
    let roots = |it: &mut Filter| (it.roots, it.status) = (true, some("returned"));
    let returned = json!({
        "runs": 2, "statuses": {"returned": 2}, "turns": 3, "tool_calls": 2,
        "usage": {"input_tokens": 100, "output_tokens": 0, "cost": 0.25}, "cost_unknown": 1,
    });
    check(&store, roots, &["mended", "lead"], &returned);
    check(&store, |it| it.since = Some(0), &everything, &all);
    check(&store, |it| it.since = Some(u64::MAX >> 2), &[], &none);
    check(&store, |it| it.agent = some("' OR 1 --"), &[], &none);

    // The JSON status of runs whose process is gone, and of others.
    let filter = |name: &str| {
        let mut filter = Filter::default();
        filter.agent = some(name);
        json!(store.find(&filter).unwrap().runs[0])
    };
    let (gone, open) = (filter("gone"), filter("open"));
    assert_eq!((&gone["status"], &gone["died"]), (&json!("running"), &json!(true)));
    assert_eq!((&open["status"], open.get("died")), (&json!("running"), None));
}

#[tokio::test]
async fn totals_of_invalid_numbers() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("s.sqlite");
    record(&path).await;
    let db = Connection::open(&path).unwrap();
    db.execute("UPDATE run_heads SET fuel = ?1, input_tokens = -1", [i64::MAX]).unwrap();
    let totals = Store::open_read_only(&path).unwrap().find(&Filter::default()).unwrap().totals;
    assert_eq!((totals.fuel, totals.usage.input_tokens), (u64::MAX, 0));
}

/// Compares the results of the documented queries, without ids and times.
#[tokio::test]
async fn queries_of_the_documentation() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("s.sqlite");
    record(&path).await;
    let db = Connection::open(&path).unwrap();
    let page = concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/store.md");
    let page = std::fs::read_to_string(page).unwrap();
    let queries: Vec<&str> =
        page.split("```sql\n").skip(1).map(|it| it.split_once("```").unwrap().0).collect();
    assert_eq!(queries.len(), 10);
    // Adds a call that started before its process died, and fixes the times.
    db.execute_batch(
        "UPDATE run_heads SET started_at = 1795000000000;
         UPDATE event_rows AS e SET at = 5 + (SELECT at FROM event_rows s WHERE s.run = e.run AND s.turn = e.turn
             AND s.call = e.call AND s.kind = 'call-started') WHERE kind = 'call-finished';
         DELETE FROM event_rows WHERE kind = 'call-finished' AND call = (SELECT call FROM calls ORDER BY seq LIMIT 1)
             AND run = (SELECT run FROM event_rows WHERE kind = 'call-started' ORDER BY seq LIMIT 1);",
    )
    .unwrap();
    let mut found = Vec::new();
    for query in queries {
        let mut statement = db.prepare(query).unwrap();
        let columns = statement.column_count();
        let row = |row: &rusqlite::Row<'_>| (0..columns).map(|at| row.get(at)).collect();
        let rows = statement.query_map([], row).unwrap();
        let rows: Vec<Vec<rusqlite::types::Value>> = rows.collect::<Result<_, _>>().unwrap();
        found.push(
            rows.iter()
                .map(|row| row.iter().map(shown).collect::<Vec<_>>().join(" | "))
                .collect::<Vec<_>>(),
        );
    }
    let expected: [&[&str]; 10] = [
        &[
            "gone | running | 1",
            "hungry | fuel | 1",
            "lead | returned | 1",
            "lost | turns | 1",
            "mended | returned | 1",
            "open | running | 1",
            "sad | failed | 1",
            "track | returned | 2",
        ],
        &["wrong-type | 2", "fuel-limit | 1", "unknown-name | 1"],
        &[
            "RUN | 1 | 1 | `+` expects numbers, its second argument is nil | (+ 1 nil)",
            "RUN | 1 | 1 | `+` expects numbers, its second argument is nil | (+ 1 nil)",
        ],
        &["RUN | (+ 1 nil) | (return 2)"],
        &["track | 2 | 0 | 0 | 5"],
        &["RUN | 1 | {\"id\":2} | 4"],
        &["RUN.1.0.0.0 | track | {\"id\":1}"],
        &["2026-11-18 | model | 3 | 120 | 0 | 0.27", "2026-11-18 | scripted | 6 | 0 | 0 | -"],
        &[
            "RUN | 3 | 120 | 0 | 0.27",
            "RUN | 1 | 0 | 0 | -",
            "RUN | 1 | 0 | 0 | -",
            "RUN | 1 | 0 | 0 | -",
            "RUN | 1 | 0 | 0 | -",
            "RUN | 1 | 0 | 0 | -",
            "RUN | 1 | 0 | 0 | -",
        ],
        &["RUN | 1 | ```clojure\u{23ce}(return (reduce + (range 1000)))\u{23ce}```"],
    ];
    assert_eq!(found, expected);
}

/// Returns a value of a query as text.
fn shown(value: &rusqlite::types::Value) -> String {
    use rusqlite::types::Value;
    match value {
        Value::Null => "-".to_string(),
        Value::Integer(it) => it.to_string(),
        Value::Real(it) => it.to_string(),
        Value::Text(it) if it.len() > 25 && it.starts_with("01") => format!("RUN{}", &it[26..]),
        Value::Text(it) => it.replace('\n', "\u{23ce}"),
        Value::Blob(_) => "a blob".to_string(),
    }
}
