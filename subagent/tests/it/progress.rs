//! Progress that tools report: the observer of a run receives it, the record does not.

use ptc_subagent::provider::Scripted;
use ptc_subagent::store::Store;
use ptc_subagent::tool::{CallContext, Effect, FnTool, ToolDef};
use ptc_subagent::{Agent, Event, Mission};
use serde_json::{Value, json};

use crate::support::program;

/// Runs a program with a tool that makes these reports. Returns the events of its calls as JSON, and the names of the
/// recorded ones.
async fn events(source: &str, reports: fn(&CallContext)) -> (Vec<Value>, Vec<String>) {
    let work = FnTool::new(move |_: Value, cx: CallContext| async move {
        reports(&cx);
        Ok(json!("done"))
    });
    let work = ToolDef::new("work", work).with_effect(Effect::Read).with_cache(true);
    let agent = Agent::new("x").with_tool(work);
    let store = Store::in_memory().unwrap();
    let mut told = Vec::new();
    let report = Mission::new(&agent, json!({}))
        .record_in(&store)
        .observe(|run, event| {
            if event.call().is_some() {
                told.push(serde_json::to_value(event.to_json(run)).unwrap());
            }
        })
        .run(&Scripted::new([program(source)]))
        .await
        .unwrap();
    for event in &mut told {
        let event = event.as_object_mut().unwrap();
        assert_eq!(event.remove("run"), Some(json!(report.run)));
        event.remove("elapsed");
    }
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("run.jsonl");
    store.export(&[report.run.as_str()], None, std::fs::File::create(&path).unwrap()).unwrap();
    let lines = std::fs::read_to_string(&path).unwrap();
    let events = lines.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
    let names = events.map(|it| it["event"].as_str().unwrap_or_default().to_string());
    (told, names.filter(|it| it.starts_with("call-")).collect())
}

#[tokio::test]
async fn progress_comes_between_start_and_end_and_is_not_on_record() {
    let (told, recorded) = events("(return [(tool/work {}) (tool/work {})])", |cx| {
        cx.report(1.0, Some(2.0), Some(" reading\n\u{1b}[31mpage 1 "));
        cx.report(f64::NAN, None, Some("nothing"));
        cx.report(2.0, Some(f64::INFINITY), Some(&"x".repeat(201)));
        cx.report(2.5, None, Some("\u{7}"));
    })
    .await;
    let progress = |done: f64, total: Value, message: Value| {
        json!({
            "event": "call-progress", "turn": 1, "call": "0", "tool": "work",
            "done": done, "total": total, "message": message,
        })
    };
    let start = |call: &str| json!({"event": "call-started", "turn": 1, "call": call, "tool": "work", "args": {}});
    let end = |call: &str, cached: bool, ended: u32| {
        json!({
            "event": "call-finished", "turn": 1, "call": call, "tool": "work", "result": "done",
            "error": null, "sub_run": null, "cached": cached, "ended": ended,
        })
    };
    let expected = [
        start("0"),
        progress(1.0, json!(2.0), json!("reading [31mpage 1")),
        progress(2.0, json!(null), json!(format!("{}…", "x".repeat(200)))),
        progress(2.5, json!(null), json!(null)),
        end("0", false, 1),
        // A call that gets an earlier result reports nothing.
        start("1"),
        end("1", true, 2),
    ];
    assert_eq!(told, expected);
    let expected = ["call-started", "call-finished", "call-started", "call-finished"];
    assert_eq!(recorded, expected);
}

#[tokio::test]
async fn a_tool_that_reports_much_is_slowed() {
    let (told, _) = events("(return (tool/work {}))", |cx| {
        for done in 0..100_000 {
            cx.report(f64::from(done), None, None);
        }
    })
    .await;
    let reports = told.iter().filter(|it| it["event"] == "call-progress").count();
    assert!((100..200).contains(&reports), "{reports}");
}

#[tokio::test]
async fn progress_as_text() {
    let mut told = Vec::new();
    let work = FnTool::new(|_: Value, cx: CallContext| async move {
        cx.report(1.0, Some(4.0), Some("reading"));
        cx.report(0.5, None, None);
        Ok(json!(null))
    });
    let agent = Agent::new("x").with_tool(ToolDef::new("work", work));
    Mission::new(&agent, json!({}))
        .observe(|_, event| {
            if let Event::CallProgress { progress, .. } = event {
                told.push(progress.to_string());
            }
        })
        .run(&Scripted::new([program("(return (tool/work {}))")]))
        .await
        .unwrap();
    assert_eq!(told, ["1/4 reading", "0.5"]);
}
