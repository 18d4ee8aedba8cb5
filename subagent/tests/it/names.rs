//! Names of tools: the names in the prompt are the names that programs may write.

use ptc_lisp::Code;
use std::sync::{Arc, Mutex};

use ptc_subagent::provider::Scripted;
use ptc_subagent::tool::{FnTool, ToolDef};
use ptc_subagent::{Agent, Event, Mission};
use serde_json::{Value, json};

use crate::support::program;

fn agent(name: &str) -> Agent {
    let echo = FnTool::new(async |args: Value, _| Ok(args["v"].clone()));
    let tool = ToolDef::new(name, echo).with_signature("(v :int) -> :int").unwrap();
    Agent::new("p").with_max_turns(2).with_tool(tool)
}

/// For each tool: its name, its form in the prompt, its form in `call`, its form in `tool/…`, a near miss, and the
/// help.
const NAMES: &[[&str; 6]] = &[
    ["search", "search(v", r#""search""#, "tool/search", r#""serch""#, "did you mean `search`?"],
    [
        "my tool",
        r#""my tool"(v"#,
        r#""my tool""#,
        "",
        r#""my-tool""#,
        "did you mean `(call \"my tool\" {:argument value})`?",
    ],
    [
        "Fetch.Order",
        "Fetch.Order(v",
        r#""Fetch.Order""#,
        "tool/Fetch.Order",
        r#""fetch.order""#,
        "did you mean `Fetch.Order`?",
    ],
    ["a/b", "a/b(v", r#""a/b""#, "tool/a/b", r#""a-b""#, "did you mean `a/b`?"],
    ["UPPER", "UPPER(v", r#""UPPER""#, "tool/UPPER", r#""upper""#, "did you mean `UPPER`?"],
    ["größe", "größe(v", r#""größe""#, "tool/größe", r#""grösse""#, "did you mean `größe`?"],
    ["日本", "日本(v", r#""日本""#, "tool/日本", r#""日木""#, "did you mean `日本`?"],
    [
        "2nd_try",
        "2nd_try(v",
        r#""2nd_try""#,
        "tool/2nd_try",
        r#""2nd-try""#,
        "did you mean `2nd_try`?",
    ],
    [
        r#"with"quote"#,
        r#""with\"quote"(v"#,
        r#""with\"quote""#,
        "",
        r#""withquote""#,
        "did you mean `(call \"with\\\"quote\" {:argument value})`?",
    ],
    [
        r"back\slash",
        r#""back\\slash"(v"#,
        r#""back\\slash""#,
        "",
        r#""backslash""#,
        "did you mean `(call \"back\\\\slash\" {:argument value})`?",
    ],
    [
        "tick`ed (x)",
        "\"tick`ed (x)\"(v",
        "\"tick`ed (x)\"",
        "",
        r#""ticked (x)""#,
        "did you mean `(call \"tick`ed (x)\" {:argument value})`?",
    ],
];

#[tokio::test]
async fn names_in_the_prompt_can_be_called() {
    for [name, shown, call, word, near, help] in NAMES {
        let agent = agent(name);
        let prompt = Mission::new(&agent, json!({})).system_prompt().unwrap().text();
        assert!(
            prompt.contains(&format!("`{shown} :int) -> :int`"))
                || prompt.contains(&format!("`` {shown} :int) -> :int ``")),
            "{name}: {prompt}"
        );
        let mut calls = vec![format!("(call {call} {{:v 1}})")];
        if !word.is_empty() {
            calls.push(format!("({word} {{:v 2}})"));
        }
        let wrong = program(&format!("(call {near} {{:v 1}})"));
        let provider = Scripted::new([wrong, program(&format!("(return [{}])", calls.join(" ")))]);
        let events = Arc::new(Mutex::new((Vec::new(), Vec::new())));
        let seen = Arc::clone(&events);
        let report = Mission::new(&agent, json!({}))
            .observe(move |_, event| match event {
                Event::Rejected { errors, .. } => seen.lock().unwrap().0.extend(errors.clone()),
                Event::CallStarted { tool, .. } => seen.lock().unwrap().1.push(tool.clone()),
                _ => {}
            })
            .run(&provider)
            .await
            .unwrap();
        let results: Vec<usize> = (1..=calls.len()).collect();
        assert_eq!(report.value, json!(results), "{name}");
        let (rejected, called) = events.lock().unwrap().clone();
        assert_eq!(called, vec![*name; calls.len()]);
        assert_eq!(rejected[0].code, Code::UnknownTool.into(), "{name}");
        assert_eq!(rejected[0].help.as_deref(), Some(*help), "{name}");
    }
}

#[test]
fn invalid_names() {
    let long = "x".repeat(129);
    for (name, expected) in [
        ("", "a tool has an empty name"),
        (" ", "a tool has an empty name"),
        ("return", "`return` cannot name a tool: programs end with it"),
        ("fail", "`fail` cannot name a tool: programs end with it"),
        ("a\nb", r#"the name "a\nb" of a tool has a control character"#),
        ("a\u{7f}", r#"the name "a\u{7f}" of a tool has a control character"#),
        (
            "a  b",
            "the name `a  b` of a tool has white space other than single spaces between words",
        ),
        (" a", "the name ` a` of a tool has white space other than single spaces between words"),
        (
            "a\u{2028}b",
            "the name `a\u{2028}b` of a tool has white space other than single spaces between words",
        ),
        (
            &long,
            "the name `xxxxxxxxxxxxxxxxxxxx…` of a tool is 129 characters long: the maximum is 128",
        ),
    ] {
        assert_eq!(agent(name).check().unwrap_err().to_string(), expected);
    }
    agent(&"ü".repeat(128)).check().unwrap();
}
