//! Data that does not match, in every mode: inputs, arguments, results and answers.

use std::sync::{Arc, Mutex};

use ptc_subagent::provider::{Message, Provider, ProviderError, Reply, Request, Role, Scripted};
use ptc_subagent::store::Store;
use ptc_subagent::tool::{CallContext, FnTool, ToolDef};
use ptc_subagent::{Agent, Data, Event, Mission, RunReport, SignatureMode};
use serde_json::{Value, json};

use crate::support::program;

/// A provider that records every request.
pub(crate) struct RequestLog {
    script: Scripted,
    said: Mutex<Vec<Request>>,
}

impl RequestLog {
    pub(crate) fn new(programs: &[&str]) -> RequestLog {
        let replies: Vec<String> = programs.iter().map(|it| program(it)).collect();
        RequestLog { script: Scripted::new(replies), said: Mutex::new(Vec::new()) }
    }

    /// Returns every text that was sent, except the model's own replies.
    pub(crate) fn texts(&self) -> Vec<String> {
        let said = self.said.lock().unwrap();
        let last = said.last().expect("a request");
        let told = |it: &&Message| it.role == Role::User;
        let messages = last.messages.iter().filter(told).map(|it| it.text.clone());
        std::iter::once(last.system.text()).chain(messages).collect()
    }
}

impl Provider for RequestLog {
    fn name(&self) -> String {
        self.script.name()
    }

    fn complete<'a>(
        &'a self,
        request: &'a Request,
    ) -> ptc_subagent::provider::BoxFuture<'a, Result<Reply, ProviderError>> {
        self.said.lock().unwrap().push(request.clone());
        self.script.complete(request)
    }
}

/// Creates a tool that returns its `n` unchanged.
fn echo() -> ToolDef {
    let function = async |args: Value, _| Ok(args["n"].clone());
    ToolDef::new("echo", FnTool::new(function)).with_signature("(n :any) -> :int").unwrap()
}

/// Creates a tool that returns the arguments it received.
fn given() -> ToolDef {
    let function = async |args: Value, _| Ok(json!(args.to_string()));
    ToolDef::new("given", FnTool::new(function)).with_signature("(n :int) -> :string").unwrap()
}

/// Creates a tool whose signature does not constrain its result, so admission does not know the result either.
fn raw(result: Value) -> ToolDef {
    let function = move |_: Value, _| {
        let result = result.clone();
        async move { Ok(result) }
    };
    ToolDef::new("raw", FnTool::new(function)).with_signature("() -> :any").unwrap()
}

fn agent(mode: SignatureMode) -> Agent {
    Agent::new("Go.")
        .with_signature("(a :int) -> {x :int}")
        .unwrap()
        .with_signature_mode(mode)
        .with_tool(echo())
        .with_tool(given())
        .with_tool(raw(json!("4")))
        .with_max_turns(2)
}

fn warned(report: &RunReport) -> Vec<String> {
    report.warnings.iter().map(|it| format!("{} {}", it.code, it.message)).collect()
}

/// Runs one program. Returns the value or the error, and the warnings.
async fn outcome(mode: SignatureMode, input: Value, source: &str) -> (String, Vec<String>) {
    let provider = RequestLog::new(&[source, "(fail {:reason :r :message \"m\"})"]);
    let errors = Arc::new(Mutex::new(Vec::new()));
    let seen = Arc::clone(&errors);
    let agent = agent(mode);
    let run = Mission::new(&agent, input).observe(move |_, event| {
        if let Event::TurnEnded { error: Some(error), .. } = event {
            seen.lock().unwrap().push(error.message.clone());
        }
    });
    match run.run(&provider).await {
        Err(error) => (error.message().to_string(), vec![]),
        Ok(report) => {
            let error = errors.lock().unwrap().first().cloned();
            (error.unwrap_or_else(|| report.value.to_string()), warned(&report))
        }
    }
}

#[tokio::test]
async fn each_mode_at_each_place() {
    use SignatureMode::{Coerce, Off, Strict, Warn};
    let (one, text, more) = (json!({"a": 1}), json!({"a": "1"}), json!({"a": 1, "b": 2}));
    let input = "(return {:x (if (int? ctx/a) 1 0)})";
    let arguments = "(return {:x (count (tool/given {:n (tool/raw {})}))})";
    let result = "(return {:x (if (= 4 (tool/echo {:n (tool/raw {})})) 1 0)})";
    let (answer, extra) = ("(return {:x (last [4 \"4\"])})", "(return {:x 4 :y 5})");
    let cases: &[(SignatureMode, &Value, &str, &str, &[&str])] = &[
        (Coerce, &text, input, r#"{"x":1}"#, &[r#"coerced input: a: coerced string "1" to int 1"#]),
        (
            Coerce,
            &more,
            input,
            r#"{"x":1}"#,
            &["unknown-key input: b: the signature has no such key; the known keys are a"],
        ),
        (
            Strict,
            &text,
            input,
            r#"the input does not match: a: expected int, found string "1""#,
            &[],
        ),
        (
            Strict,
            &more,
            input,
            "the input does not match: b: expected no such field, found int 2",
            &[],
        ),
        (
            Warn,
            &text,
            input,
            r#"{"x":0}"#,
            &[r#"mismatch input: a: expected int, found string "1""#],
        ),
        (Off, &text, input, r#"{"x":0}"#, &[]),
        (
            Coerce,
            &one,
            arguments,
            r#"{"x":7}"#,
            &[r#"coerced arguments of tool `given`: n: coerced string "4" to int 4"#],
        ),
        (
            Strict,
            &one,
            arguments,
            r#"tool `given`: the arguments do not match: n: expected int, found string "4""#,
            &[],
        ),
        (
            Warn,
            &one,
            arguments,
            r#"{"x":9}"#,
            &[r#"mismatch arguments of tool `given`: n: expected int, found string "4""#],
        ),
        (Off, &one, arguments, r#"{"x":9}"#, &[]),
        (
            Coerce,
            &one,
            result,
            r#"{"x":1}"#,
            &[r#"coerced result of tool `echo`: coerced string "4" to int 4"#],
        ),
        (
            Strict,
            &one,
            result,
            r#"tool `echo`: the result does not match: expected int, found string "4""#,
            &[],
        ),
        (
            Warn,
            &one,
            result,
            r#"{"x":0}"#,
            &[r#"mismatch result of tool `echo`: expected int, found string "4""#],
        ),
        (Off, &one, result, r#"{"x":0}"#, &[]),
        (
            Coerce,
            &one,
            answer,
            r#"{"x":4}"#,
            &[r#"coerced answer: x: coerced string "4" to int 4"#],
        ),
        (Coerce, &one, extra, r#"{"x":4,"y":5}"#, &[]),
        (Strict, &one, answer, r#"x: expected int, found string "4""#, &[]),
        (Strict, &one, extra, "y: expected no such field, found int 5", &[]),
        (
            Warn,
            &one,
            answer,
            r#"{"x":"4"}"#,
            &[r#"mismatch answer: x: expected int, found string "4""#],
        ),
        (Off, &one, answer, r#"{"x":"4"}"#, &[]),
    ];
    for (mode, input, source, came, warnings) in cases {
        let (found, told) = outcome(*mode, (*input).clone(), source).await;
        assert_eq!(
            (found.as_str(), told),
            (*came, warnings.iter().map(ToString::to_string).collect()),
            "{mode} {source}"
        );
    }
}

#[tokio::test]
async fn a_tool_has_the_mode_of_its_agent_or_its_own() {
    let source = "(return {:x (count (tool/given {:n (tool/raw {})}))})";
    let with = |agent_mode, tool_mode| {
        let mut agent = agent(agent_mode);
        agent.tools[1].signature_mode = tool_mode;
        agent
    };
    for (agent, x) in [
        (with(SignatureMode::Off, None), 9),
        (with(SignatureMode::Off, Some(SignatureMode::Coerce)), 7),
        (with(SignatureMode::Strict, Some(SignatureMode::Off)), 9),
    ] {
        let report =
            Mission::new(&agent, json!({"a": 1})).run(&RequestLog::new(&[source])).await.unwrap();
        assert_eq!(report.value, json!({"x": x}));
    }
    let (result, warnings) =
        given().call_with_warnings(Data::from(json!({"n": "4"})), &CallContext::new("k")).await;
    assert_eq!(result.unwrap(), json!("{\"n\":4}"));
    assert_eq!(warnings[0].message, "arguments of tool `given`: n: coerced string \"4\" to int 4");
}

/// Warnings are in the events, in the record, in the report, and in the messages to the model.
#[tokio::test]
async fn warnings_are_visible() {
    let store = Store::in_memory().unwrap();
    let provider = RequestLog::new(&[
        "(tool/given {:n (tool/raw {})})",
        "(do (tool/given {:n (tool/raw {})}) (throw (ex-info \"no\" {})))",
    ]);
    let agent = agent(SignatureMode::Coerce).with_max_turns(3);
    let input = json!({"a": "1"});
    let replies = Mission::new(&agent, input).record_in(&store);
    let report = replies.run(&provider).await.unwrap();
    let lines = [
        r#"coerced input: a: coerced string "1" to int 1"#,
        r#"coerced arguments of tool `given`: n: coerced string "4" to int 4"#,
        r#"coerced arguments of tool `given`: n: coerced string "4" to int 4"#,
    ];
    assert_eq!(warned(&report), lines);
    assert_eq!(report.to_json().to_json().unwrap()["warnings"][0]["code"], "coerced");
    let record = store.show(report.run.as_str()).unwrap();
    let kept: Vec<_> = record
        .warnings
        .iter()
        .map(|it| (it.turn, it.call.clone(), format!("{} {}", it.code, it.message)))
        .collect();
    let call = || Some("1".to_string());
    assert_eq!(
        kept,
        [
            (0, None, lines[0].to_string()),
            (1, call(), lines[1].to_string()),
            (2, call(), lines[2].to_string()),
        ]
    );
    let texts = provider.texts();
    let told = |n: &str| {
        format!("warnings:\n- arguments of tool `given`: n: coerced string \"{n}\" to int {n}\n")
    };
    assert!(texts[2].contains(&told("4")), "{}", texts[2]);
    assert!(texts[3].contains(&told("4")), "{}", texts[3]);
}

#[tokio::test]
async fn many_warnings_are_counted() {
    let tool = ToolDef::new("sum", FnTool::new(async |_: Value, _| Ok(json!(1))))
        .with_signature("(ns [:int]) -> :int")
        .unwrap();
    let agent = Agent::new("Go.").with_tool(tool).with_tool(raw(json!(vec!["1"; 1000])));
    let source = "(return (tool/sum {:ns (tool/raw {})}))";
    let report = Mission::new(&agent, json!({})).run(&RequestLog::new(&[source])).await.unwrap();
    assert_eq!(report.warnings.len(), 21);
    assert_eq!(report.warnings[20].message, "arguments of tool `sum`: and 980 more");
}

#[tokio::test]
async fn keys_that_the_signature_does_not_name() {
    use SignatureMode::{Coerce, Off, Strict, Warn};
    let agent = |mode| {
        Agent::new("Go.")
            .with_signature(
                "(least :int?, _token :string?, near {city :string?}|{zip :int}?, rows [{id :int?}]?, \
                 open {}?) -> :any",
            )
            .unwrap()
            .with_signature_mode(mode)
    };
    let input = json!({
        "leastt": 3, "_token": "secret", "_tokn": "secret", "other": 1, "open": {"any": 1},
        "near": {"citi": "Bonn", "more": 1}, "rows": [{"idd": 1, "more": 2}, {"ids": 1}],
    });
    let told = [
        "unknown-key input: leastt: the signature has no such key; did you mean `least`?",
        "unknown-key input: _tokn: the signature has no such key; the known keys are least, _token, near, rows, open",
        "unknown-key input: other: the signature has no such key; the known keys are least, _token, near, rows, open",
        "unknown-key input: near.citi: the signature has no such key; did you mean `city`?",
        "unknown-key input: rows[0].idd: the signature has no such key; did you mean `id`?",
    ];
    for mode in [Coerce, Warn, Off] {
        let agent = agent(mode);
        let provider = RequestLog::new(&["(return (get ctx \"leastt\"))"]);
        let store = Store::in_memory().unwrap();
        let report = Mission::new(&agent, &input).record_in(&store).run(&provider).await.unwrap();
        let mut found = warned(&report);
        found.sort();
        let mut expected = if mode == Off { vec![] } else { told.to_vec() };
        expected.sort_unstable();
        assert_eq!(found, expected, "{mode}");
        let record = store.show(report.run.as_str()).unwrap();
        assert_eq!(record.warnings.len(), expected.len(), "{mode}");
        // The model does not see them.
        assert!(!provider.texts().iter().any(|it| it.contains("no such key")), "{mode}");
    }
    let error = Mission::new(&agent(Strict), &input).opening().unwrap_err();
    assert!(error.message().starts_with("the input does not match: "), "{error}");
    // Without a signature an agent takes any input. With an empty one it takes none.
    let free = Agent::new("Go.");
    assert_eq!(Mission::new(&free, &input).warnings().unwrap(), []);
    let none = Agent::new("Go.").with_signature(":int").unwrap();
    let warnings = Mission::new(&none, json!({"a": 1})).warnings().unwrap();
    assert_eq!(warnings[0].message, "input: a: the signature has no such key; it has no inputs");
    // A long list of warnings ends with a count.
    let many: Value =
        (0..50).map(|n| (format!("key{n}"), json!(n))).collect::<serde_json::Map<_, _>>().into();
    let warnings =
        Mission::new(&free.with_signature("(a :int?) -> :any").unwrap(), many).warnings().unwrap();
    assert_eq!(warnings.len(), 21);
    assert_eq!(warnings[20].message, "input: and 30 more unknown keys");
}

#[tokio::test]
async fn an_input_of_a_rust_type() {
    #[derive(serde::Serialize)]
    struct Point<'a> {
        name: &'a str,
        at: std::collections::BTreeMap<(i32, i32), i32>,
    }
    let agent = Agent::new("Go.").with_signature("(name :string, at :map) -> :any").unwrap();
    let fine = Point { name: "here", at: [].into() };
    let provider = RequestLog::new(&["(return ctx/name)"]);
    let report = Mission::new(&agent, &fine).run(&provider).await.unwrap();
    assert_eq!(report.value, json!("here"));
    // A JSON map needs text keys.
    let wrong = Point { name: "here", at: [((1, 2), 3)].into() };
    for (error, message) in [
        (
            Mission::new(&agent, &wrong).run(&provider).await.unwrap_err(),
            "the input cannot be written as JSON: key must be a string",
        ),
        (
            Mission::new(&agent, [1, 2]).run(&provider).await.unwrap_err(),
            "the input must be a JSON object, and is a list",
        ),
        (
            Mission::new(&agent, ()).system_prompt().unwrap_err(),
            "the input must be a JSON object, and is null",
        ),
    ] {
        assert_eq!((error.kind(), error.message()), (ptc_subagent::ErrorKind::Input, message));
    }
}
