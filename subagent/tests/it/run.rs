//! The turn loop: every course of a run, as the list of its events and its report.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use ptc_lisp::{Code, Repair};
use ptc_subagent::provider::{Keys, Provider, ProviderOptions, Scripted};
use ptc_subagent::store::{CallStatus, Store};
use ptc_subagent::tool::{CommandTool, Effect, FnTool, ToolDef, ToolError};
use ptc_subagent::{Agent, Data, Event, Mission, RunCode, RunReport, Status, Stop, TurnOutcome};
use serde_json::{Value, json};

use crate::support::{Answer, Server, program, text, wait_for_exit};

/// Runs a mission and returns its events, one per line, and its report.
pub(crate) async fn run<P: Provider + ?Sized>(
    agent: &Agent,
    input: Value,
    provider: &P,
) -> (Vec<String>, RunReport) {
    let lines = Arc::new(Mutex::new(Vec::new()));
    let seen = Arc::clone(&lines);
    let report = Mission::new(agent, input)
        .observe(move |_, event| seen.lock().unwrap().extend(line(event)))
        .run(provider)
        .await
        .unwrap();
    let lines = lines.lock().unwrap().clone();
    (lines, report)
}

fn line(event: &Event) -> Option<String> {
    Some(match event {
        Event::TurnStarted { turn, .. } => format!("turn {turn}"),
        Event::Rejected { errors, .. } => {
            let codes: Vec<&str> = errors.iter().map(|it| it.code.as_str()).collect();
            format!("  rejected {}", codes.join(" "))
        }
        Event::CallStarted { call, tool, args, .. } => format!("  call {call} {tool} {args}"),
        Event::CallFinished { call, result, .. } => match result {
            Ok(value) => format!("  done {call} {value}"),
            Err(error) => format!("  error {call} {}: {}", error.code, error.message),
        },
        Event::Printed { line, .. } => format!("  printed {line}"),
        Event::TurnEnded { outcome, value, error, .. } => {
            let value = value.as_ref().map(|it| format!(" {it}")).unwrap_or_default();
            let error = error.as_ref().map(|it| format!(" {}", it.code)).unwrap_or_default();
            format!("  {}{value}{error}", outcome.as_str())
        }
        _ => return None,
    })
}

/// Runs a mission whose replies are programs. Compares the events and the ending.
pub(crate) async fn check(agent: &Agent, programs: &[&str], events: &[&str], ending: Value) {
    let replies: Vec<String> = programs.iter().map(|it| program(it)).collect();
    let (lines, report) = run(agent, json!({"n": 7}), &Scripted::new(replies)).await;
    assert_eq!(lines, events, "{programs:?}");
    assert_eq!(end(&report), ending, "{programs:?}");
}

/// Returns the output of `ptc run --json`, without the fields that the turn loop does not decide.
fn end(report: &RunReport) -> Value {
    let mut json = report.to_json().to_json().unwrap();
    let object = json.as_object_mut().unwrap();
    for key in ["run", "fuel", "seed", "usage", "error", "turns", "tool_calls", "ended_by"] {
        assert!(object.remove(key).is_some(), "{key}");
    }
    object.retain(|_, value| !value.is_null());
    let code = report.error.as_ref().map(|it| it.code);
    if let Some(code) = code {
        object.insert("error".to_string(), json!(code));
    }
    object.insert("exit".to_string(), report.exit_code().into());
    json
}

pub(crate) fn double() -> ToolDef {
    let function = async |args: Value, _| match args["n"].as_i64() {
        Some(13) => Err(ToolError::failed("13 brings bad luck")),
        Some(n) => Ok(json!(n * 2)),
        None => panic!("the signature lets nothing else through"),
    };
    ToolDef::new("double", FnTool::new(function)).with_signature("(n :int) -> :int").unwrap()
}

fn agent() -> Agent {
    Agent::new("Double {{n}}.")
        .with_signature("(n :int) -> :int")
        .unwrap()
        .with_tool(double())
        .with_max_turns(3)
}

pub(crate) fn returned(value: i64) -> Value {
    json!({"status": "returned", "value": value, "exit": 0})
}

fn stopped(stop: &str, error: &str, exit: u8) -> Value {
    json!({"status": "stopped", "stop": stop, "error": error, "exit": exit})
}

/// The model sees the repairs of a program, and the record has them beside the original source.
#[tokio::test]
async fn a_program_that_is_repaired() {
    let written = "(let [x (call \"double\" {:n 4})]\n  (memory/put :x x)\n  (+ 1 x)";
    let mended = format!("{written})");
    let told = "added `)` at line 3, column 10, which closes `(let …` of line 1";
    let replies = [program(written), program("(return memory/x)")];
    let store = Store::in_memory().unwrap();
    let report = Mission::new(&agent(), json!({"n": 7}))
        .record_in(&store)
        .run(&Scripted::new(replies.to_vec()))
        .await
        .unwrap();
    assert_eq!(end(&report), returned(8));
    let record = store.show(report.run.as_str()).unwrap();
    let [first, second] = record.turn_records.as_slice() else { panic!("{record:?}") };
    assert_eq!(first.program.as_deref(), Some(written));
    let offset = written.len();
    let change = json!({"offset": offset, "line": 3, "column": 10, "removed": "", "added": ")"});
    let repair = first.repair.as_ref().map(Repair::to_json);
    assert_eq!(repair, Some(json!({"message": told, "source": mended, "changes": [change]})));
    let told = format!(
        "The delimiters of the last program did not match, so it was mended before it ran: {told}.\n\nThe program ran to its end"
    );
    assert!(second.prompt.starts_with(&told), "{}", second.prompt);
    assert_eq!(second.repair, None);

    let strict = agent().with_repair(false);
    check(
        &strict,
        &[written, "(return 1)"],
        &[
            "turn 1",
            "  rejected unclosed-delimiter",
            "  rejected unclosed-delimiter",
            "turn 2",
            "  returned 1",
        ],
        returned(1),
    )
    .await;
}

/// P17: memory of one turn is read in the next.
#[tokio::test]
async fn m10_a_run_that_returns() {
    check(
        &agent(),
        &["(return (tool/double {:n ctx/n}))"],
        &["turn 1", r#"  call 0 double {"n":7}"#, "  done 0 14", "  returned 14"],
        returned(14),
    )
    .await;
    check(
        &agent(),
        &[
            "(memory/put :x (call \"double\" {:n 4})) (println \"hi\") (+ 1 memory/x)",
            "(return memory/x)",
        ],
        &[
            "turn 1",
            r#"  call 0 double {"n":4}"#,
            "  done 0 8",
            "  printed hi",
            "  value 9",
            "turn 2",
            "  returned 8",
        ],
        returned(8),
    )
    .await;
}

#[tokio::test]
async fn a_run_that_fails() {
    check(
        &agent(),
        &["(fail {:reason :no-luck :message \"not today\" :tries 3})"],
        &["turn 1", "  failed {:reason :no-luck, :message \"not today\", :tries 3}"],
        json!({
            "status": "failed",
            "fail": {
                "reason": "no-luck",
                "message": "not today",
                "details": {"tries": 3},
            },
            "exit": 1,
        }),
    )
    .await;
}

/// A run starts without the inputs that its signature lets be absent, even if the prompt names them.
#[tokio::test]
async fn an_optional_input_that_is_absent() {
    let agent = Agent::new("Greet {{name}}.").with_signature("(name :string?) -> :any").unwrap();
    for (input, mission, value) in [
        (json!({}), "Greet .", json!(null)),
        (json!({"name": null}), "Greet .", json!(null)),
        (json!({"name": "Ana"}), "Greet Ana.", json!("Ana")),
    ] {
        let system = Mission::new(&agent, input.clone()).system_prompt().unwrap().text();
        let (_, text) = system.split_once("# Mission\n\n").unwrap();
        assert_eq!(text.lines().next(), Some(mission), "{input}");
        let provider = Scripted::new([program("(return ctx/name)")]);
        let report = Mission::new(&agent, input).run(&provider).await.unwrap();
        assert_eq!(report.value, value);
    }
}

/// P14, P29: a wrong value does not end the run, and the next program reads the error of the last one.
#[tokio::test]
async fn errors_are_reported_and_corrected() {
    check(
        &agent(),
        &["(return (duble 1))", "(return (last [2 \"two\"]))", "(return 2)"],
        &[
            "turn 1",
            "  rejected unknown-name",
            "  rejected unknown-name",
            "turn 2",
            "  wrong-return \"two\" wrong-return",
            "turn 3",
            "  returned 2",
        ],
        returned(2),
    )
    .await;
    check(
        &agent(),
        &["(tool/double {:n 13})", "(return (count (:message ctx/fail)))"],
        &[
            "turn 1",
            r#"  call 0 double {"n":13}"#,
            "  error 0 tool-failed: 13 brings bad luck",
            "  error tool-failed",
            "turn 2",
            "  returned 33",
        ],
        returned(33),
    )
    .await;
}

#[tokio::test]
async fn an_error_discards_the_definitions_of_its_turn() {
    check(
        &agent(),
        &["(memory/put :x 1)", "(memory/put :x 2) (+ 1 \"a\")", "(return memory/x)"],
        &["turn 1", "  value 1", "turn 2", "  error wrong-type", "turn 3", "  returned 1"],
        returned(1),
    )
    .await;
}

/// P6: a reply without a program, and one with two, get another turn.
#[tokio::test]
async fn replies_that_are_no_program() {
    let replies = [
        "I would rather talk.".to_string(),
        format!("{}\nor\n{}", program("(return 1)"), program("(return 2)")),
        program("(return 3)"),
    ];
    let (lines, report) = run(&agent(), json!({"n": 1}), &Scripted::new(replies)).await;
    assert_eq!(
        lines,
        [
            "turn 1",
            "  rejected no-program",
            "  no-program no-program",
            "turn 2",
            "  rejected several-programs",
            "  no-program several-programs",
            "turn 3",
            "  returned 3",
        ]
    );
    assert_eq!(end(&report), returned(3));
}

#[tokio::test]
async fn the_turns_run_out() {
    let agent = agent().with_max_turns(2);
    check(
        &agent,
        &["1", "2"],
        &["turn 1", "  value 1", "turn 2", "  value 2"],
        stopped("turns", "turn-limit", 3),
    )
    .await;
    check(
        &agent,
        &["1", "(return (last [1 :x]))"],
        &["turn 1", "  value 1", "turn 2", "  wrong-return :x wrong-return"],
        stopped("turns", "wrong-return", 3),
    )
    .await;
}

#[tokio::test]
async fn the_recording_runs_out() {
    check(
        &agent(),
        &["1"],
        &["turn 1", "  value 1", "turn 2", "  provider provider-recording"],
        stopped("provider", "provider-recording", 5),
    )
    .await;
}

#[tokio::test]
async fn limits() {
    let mut small = agent().with_max_turns(1);
    small.limits.fuel = 1000;
    small.limits.tool_calls = 2;
    let mut two = small.clone();
    two.max_turns = 2;
    let spin = "(loop [i 0] (recur (inc i)))";
    let ended = ["turn 1", "  limit fuel-limit"];
    check(&small, &[spin], &ended, stopped("fuel", "fuel-limit", 4)).await;
    check(
        &two,
        &[spin, "(return 1)"],
        &["turn 1", "  limit fuel-limit", "turn 2", "  returned 1"],
        returned(1),
    )
    .await;
    check(
        &two,
        &[spin, "2"],
        &["turn 1", "  limit fuel-limit", "turn 2", "  value 2"],
        stopped("turns", "turn-limit", 3),
    )
    .await;
    check(
        &small,
        &["[(tool/double {:n 1}) (tool/double {:n 2}) (tool/double {:n 3})]"],
        &[
            "turn 1",
            r#"  call 0 double {"n":1}"#,
            "  done 0 2",
            r#"  call 1 double {"n":2}"#,
            "  done 1 4",
            "  limit tool-call-limit",
        ],
        stopped("tool-calls", "tool-call-limit", 4),
    )
    .await;
    let deep = "(".repeat(10_000);
    check(
        &small,
        &[&deep],
        &["turn 1", "  rejected source-nesting-limit", "  rejected source-nesting-limit"],
        stopped("source", "source-nesting-limit", 4),
    )
    .await;
    let long = format!("\"{}\"", "x".repeat(1 << 20));
    check(
        &small,
        &[&long],
        &["turn 1", "  rejected source-size-limit", "  rejected source-size-limit"],
        stopped("source", "source-size-limit", 4),
    )
    .await;
}

/// M73: the seconds of a program, and those of a run.
#[tokio::test]
async fn time() {
    let mut agent = agent().with_max_turns(1);
    agent.limits.fuel = u64::MAX;
    agent.limits.program_time = Duration::from_millis(50);
    check(
        &agent,
        &["(loop [i 0] (recur (inc i)))"],
        &["turn 1", "  limit time-limit"],
        stopped("time", "time-limit", 4),
    )
    .await;
    agent.limits.program_time = Duration::from_mins(1);
    agent.timeout = Duration::from_millis(100);
    check(
        &agent,
        &["(loop [i 0] (recur (inc i)))"],
        &["turn 1", "  time"],
        stopped("time", "run-time-limit", 4),
    )
    .await;
    // Waiting for a tool does not count as computing, but counts as time of the run.
    agent.limits.program_time = Duration::from_secs(1);
    agent.timeout = Duration::from_secs(2);
    let folder = tempfile::tempdir().unwrap();
    let nap = CommandTool::new(["sh", "-c", "echo $$ > pid; exec sleep 600"], folder.path());
    agent.tools = vec![ToolDef::new("nap", nap)];
    check(
        &agent,
        &["(tool/nap {})"],
        &["turn 1", "  call 0 nap {}", "  time"],
        stopped("time", "run-time-limit", 4),
    )
    .await;
    // The process ends with the run.
    let pid = std::fs::read_to_string(folder.path().join("pid")).unwrap();
    wait_for_exit(pid.trim()).await;
    let server = Server::start(vec![Answer::Wait(Duration::from_mins(10))]).await;
    agent.timeout = Duration::from_millis(300);
    let (lines, report) = run(&agent, json!({"n": 1}), &*openai(&server, "k")).await;
    assert_eq!(lines, ["turn 1", "  time"]);
    assert_eq!(end(&report), stopped("time", "run-time-limit", 4));
}

#[tokio::test]
async fn a_tool_that_misbehaves_is_an_error_of_the_program() {
    let panics = FnTool::new(async |_, _| -> Result<Value, ToolError> { panic!("boom") });
    let agent = Agent::new("x")
        .with_tool(ToolDef::new("boom", panics))
        .with_tool(ToolDef::new("gone", CommandTool::new(["no-such-program"], "/tmp")))
        .with_tool(ToolDef::new("chatty", CommandTool::new(["echo", "hello"], "/tmp")))
        .with_tool(double());
    check(
        &agent,
        &["(tool/boom {})", "(tool/gone {})", "(tool/chatty {})", "(return (tool/double {:n 1}))"],
        &[
            "turn 1",
            "  call 0 boom {}",
            "  error 0 tool-panicked: broke down",
            "  error tool-panicked",
            "turn 2",
            "  call 0 gone {}",
            "  error 0 tool-missing: cannot start `no-such-program` in /tmp: there is no such program",
            "  error tool-missing",
            "turn 3",
            "  call 0 chatty {}",
            "  error 0 tool-output: did not print JSON (expected value at line 1 column 1): hello",
            "  error tool-output",
            "turn 4",
            r#"  call 0 double {"n":1}"#,
            "  done 0 2",
            "  returned 2",
        ],
        returned(2),
    )
    .await;
}

/// P4: the value of an expression is the answer.
#[tokio::test]
async fn one_turn_without_tools_answers_with_a_value() {
    let agent =
        Agent::new("Double {{n}}.").with_signature("(n :int) -> :int").unwrap().with_max_turns(1);
    check(&agent, &["(* 2 ctx/n)"], &["turn 1", "  returned 14"], returned(14)).await;
    check(
        &agent,
        &["(str \"n\" ctx/n)"],
        &["turn 1", "  wrong-return \"n7\" wrong-return"],
        stopped("turns", "wrong-return", 3),
    )
    .await;
}

#[tokio::test]
async fn input_that_does_not_match() {
    let check = async |agent: Agent, input: Value, expected: &str| {
        let never = Scripted::new(Vec::<String>::new());
        let error = Mission::new(&agent, input).run(&never).await.unwrap_err();
        assert_eq!(format!("{}: {error}", error.code()), expected);
    };
    check(
        agent(),
        json!({"n": "seven"}),
        r#"invalid-input: the input does not match: n: expected int, found string "seven""#,
    )
    .await;
    check(agent(), json!([7]), "invalid-input: the input must be a JSON object, and is a list")
        .await;
    check(
        agent().with_tool(double()),
        json!({"n": 7}),
        "invalid-agent: two tools are named `double`",
    )
    .await;
}

pub(crate) fn openai(server: &Server, key: &str) -> Box<dyn Provider> {
    let options = ProviderOptions {
        base_url: Some(server.base_url.clone()),
        keys: Keys::default().with("OPENAI_API_KEY", key),
        send_key: true,
        request_timeout: Duration::from_secs(1),
        retry_delay: Duration::from_millis(1),
        ..ProviderOptions::default()
    };
    "openai:m".parse::<ptc_subagent::provider::ModelSpec>().unwrap().open(&options).unwrap()
}

#[tokio::test]
async fn a_server_with_every_weakness() {
    let answers = vec![
        Answer::Raw(500, "", String::new()),
        text("no program"),
        Answer::Drop,
        text(program("(return (last [1 \"wrong\"]))")),
        Answer::Wait(Duration::from_secs(9)),
        text(program("(return (tool/double {:n ctx/n}))")),
    ];
    let server = Server::start(answers).await;
    let (lines, report) = run(&agent(), json!({"n": 21}), &*openai(&server, "key")).await;
    assert_eq!(
        lines,
        [
            "turn 1",
            "  rejected no-program",
            "  no-program no-program",
            "turn 2",
            "  wrong-return \"wrong\" wrong-return",
            "turn 3",
            r#"  call 0 double {"n":21}"#,
            "  done 0 42",
            "  returned 42",
        ]
    );
    let retries: Vec<&str> = report.warnings.iter().map(|it| it.code.as_str()).collect();
    assert_eq!(retries, ["provider-server", "provider-network", "provider-timeout"]);
    let mut report = report;
    report.warnings.clear();
    assert_eq!(end(&report), returned(42));
    assert_eq!((report.usage.input_tokens, report.usage.output_tokens), (33, 21));
    let bodies = server.bodies();
    assert_eq!(bodies.len(), 6);
    let roles: Vec<&str> = bodies[5]["messages"]
        .as_array()
        .unwrap()
        .iter()
        .map(|it| it["role"].as_str().unwrap())
        .collect();
    assert_eq!(roles, ["system", "user", "assistant", "user", "assistant", "user"]);
}

#[tokio::test]
async fn a_key_is_never_shown() {
    const KEY: &str = "sk-secret-0123456789";
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("s.sqlite");
    let store = Store::open(&path).unwrap();
    // Our own environment has a provider's key under some name. The tool must not see it.
    let env = FnTool::new(async |_, _| Ok(json!("nothing")));
    let agent = agent().with_tool(ToolDef::new("env", env));
    let mut seen = Vec::new();
    for last in [Answer::EchoKey, Answer::Echo(401), Answer::Echo(500)] {
        let server = Server::start(vec![Answer::EchoKey, last]).await;
        let report = Mission::new(&agent, json!({"n": 1}))
            .record_in(&store)
            .observe(|_, event| seen.push(format!("{event:?}")))
            .run(&*openai(&server, KEY))
            .await
            .unwrap();
        seen.push(report.to_json().to_string());
        let record = store.show(report.run.as_str()).unwrap();
        seen.push(serde_json::to_string(&record).unwrap());
        assert!(server.requests()[0].contains(KEY));
    }
    let seen = seen.concat();
    assert!(seen.contains("Bearer [key]"));
    assert!(!seen.contains(KEY));
    drop(store);
    for file in std::fs::read_dir(folder.path()).unwrap() {
        let bytes = std::fs::read(file.unwrap().path()).unwrap();
        assert!(!bytes.windows(KEY.len()).any(|it| it == KEY.as_bytes()));
    }
}

/// M15, M158: the record has the run, its turns with their requests and replies, and its calls, with their errors.
#[tokio::test]
async fn the_record_holds_everything() {
    let store = Store::in_memory().unwrap();
    let mut agent = agent().with_tool(
        ToolDef::new("nap", CommandTool::new(["sleep", "600"], "/")).with_effect(Effect::Write),
    );
    agent.name = "doubler".to_string();
    agent.timeout = Duration::from_secs(2);
    let replies = [
        "Let me see.".to_string(),
        program("(println \"a\") (println \"b\") (tool/double {:n 13})"),
        program("(tool/nap {})"),
    ];
    let report = Mission::new(&agent, json!({"n": 7}))
        .record_in(&store)
        .run(&Scripted::new(replies.clone()))
        .await
        .unwrap();
    assert_eq!(end(&report), stopped("time", "run-time-limit", 4));
    let record = store.show(report.run.as_str()).unwrap();
    assert_eq!(record.summary.agent, "doubler");
    assert_eq!(record.summary.model, "scripted");
    assert_eq!(record.summary.status, Status::Stopped);
    assert_eq!(record.summary.stop, Some(Stop::Time));
    assert_eq!((record.summary.turns, record.summary.fuel), (3, report.fuel));
    assert_eq!(record.setup.signature.as_deref(), Some("(n :int) -> :int"));
    assert_eq!(record.setup.input, json!({"n": 7}));
    assert_eq!(record.setup.limits["timeout"], json!(2.0));
    assert_eq!(record.error, report.error);
    assert!(record.setup.system.contains("Double 7."), "{}", record.setup.system);
    let [first, second, third] = &record.turn_records[..] else { panic!() };
    assert_eq!(first.reply.as_deref(), Some(replies[0].as_str()));
    assert_eq!((first.program.as_deref(), first.outcome), (None, Some(TurnOutcome::NoProgram)));
    assert_eq!(first.rejection.as_ref().unwrap()[0].code, RunCode::NoProgram.into());
    assert!(second.program.as_ref().unwrap().starts_with("(println"));
    assert_eq!(second.report.as_ref().unwrap()["tools"][0]["name"], "double");
    assert_eq!((&second.warnings, &second.notes), (&Some(Vec::new()), &Some(Vec::new())));
    assert_eq!(second.prints, ["a", "b"]);
    assert_eq!(second.calls[0].status, CallStatus::Failed);
    assert_eq!(second.calls[0].error.as_ref().unwrap().message, "13 brings bad luck");
    assert_eq!(second.error.as_ref().unwrap().line, Some(1));
    // The outcome of the call is unknown, and the record does not invent one.
    assert_eq!((third.calls[0].status, third.calls[0].ended_at), (CallStatus::Started, None));
    assert_eq!(third.outcome, Some(TurnOutcome::Time));
    assert_eq!(first.prompt, "This is turn 1 of 3. Write its program.");
}

#[tokio::test]
async fn a_run_can_be_spawned() {
    let agent = Arc::new(agent());
    let task = tokio::spawn(async move {
        let provider = Scripted::new([program("(return ctx/n)")]);
        Mission::new(&agent, json!({"n": 3})).run(&provider).await
    });
    assert_eq!(task.await.unwrap().unwrap().value, json!(3));
}

#[tokio::test]
async fn a_value_that_is_short_in_memory_and_endless_as_text() {
    let agent = agent().with_max_turns(2).with_tool(ToolDef::new(
        "any",
        FnTool::new(async |_, _| panic!("arguments of this length never get here")),
    ));
    let endless = "(reduce (fn [a _] [a a]) [1] (range 100))";
    let (lines, report) = run(
        &agent,
        json!({"n": 1}),
        &Scripted::new([program(endless), program(&format!("(tool/any {{:x {endless}}})"))]),
    )
    .await;
    assert_eq!(lines.len(), 4, "{lines:?}");
    assert_eq!(report.error.unwrap().code, Code::ResultSizeLimit.into());
    for last in ["(return ", "(fail ", "(println "] {
        let (_, report) =
            run(&agent, json!({"n": 1}), &Scripted::new([program(&format!("{last}{endless})"))]))
                .await;
        assert_eq!(report.exit_code(), 5, "{last}: {:?}", report.error);
    }
}

#[tokio::test]
async fn m6_the_report_as_json() {
    let check = async |source: &str, expected: &str| {
        let (_, report) =
            run(&agent().with_max_turns(1), json!({"n": 1}), &Scripted::new([program(source)]))
                .await;
        let text = report.to_json().to_string();
        let text = text.replace(report.run.as_str(), "ID");
        let text = text.replace(&format!("\"seed\":{}", report.seed), "\"seed\":S");
        assert_eq!(text.replace(&format!("\"fuel\":{}", report.fuel), "\"fuel\":F"), expected);
    };
    check(
        "(return (tool/double {:n 2}))",
        r#"{"run":"ID","status":"returned","ended_by":"answer","value":4,"payload":null,"fail":null,"stop":null,"turns":1,"tool_calls":1,"fuel":F,"seed":S,"usage":{"input_tokens":0,"output_tokens":0,"cost":null},"error":null}"#,
    )
    .await;
    check(
        "(fail {:reason :no})",
        r#"{"run":"ID","status":"failed","ended_by":"fail","value":null,"payload":null,"fail":{"reason":"no","message":"{:reason :no}","details":null},"stop":null,"turns":1,"tool_calls":0,"fuel":F,"seed":S,"usage":{"input_tokens":0,"output_tokens":0,"cost":null},"error":null}"#,
    )
    .await;
    check(
        "(return\n  (tool/double {:n 13}))",
        r#"{"run":"ID","status":"stopped","ended_by":"turns","value":null,"payload":null,"fail":null,"stop":"turns","turns":1,"tool_calls":1,"fuel":F,"seed":S,"usage":{"input_tokens":0,"output_tokens":0,"cost":null},"error":{"code":"tool-failed","kind":"tool","message":"tool `double`: 13 brings bad luck","line":2,"column":3,"span":[10,31],"help":null}}"#,
    )
    .await;
}

#[tokio::test]
async fn an_optional_input_that_was_not_given_is_nil() {
    let agent = Agent::new("Sum.").with_signature("(n :int, more :int?) -> :int").unwrap();
    let programs = ["(return (+ ctx/n (or ctx/more 1)))"];
    check(
        &agent,
        &programs,
        &["turn 1", "  returned 8"],
        json!({"status": "returned", "value": 8, "exit": 0}),
    )
    .await;
}

/// The value of a run as a Rust type, or the error if there is none.
#[tokio::test]
async fn the_value_as_a_type() {
    #[derive(Debug, PartialEq, serde::Deserialize)]
    struct Total {
        customer: String,
        total: f64,
    }
    let run = async |source: &str| {
        let agent = Agent::new("Sum.").with_max_turns(1).with_tool(double());
        let provider = Scripted::new([program(source)]);
        Mission::new(&agent, json!({})).run(&provider).await.unwrap()
    };
    let report = run("(return [{:customer \"Ada\" :total 2}])").await;
    let totals: Vec<Total> = report.value().unwrap();
    assert_eq!(totals, [Total { customer: "Ada".to_string(), total: 2.0 }]);
    assert_eq!(report.value, json!([{"customer": "Ada", "total": 2}]));
    let error = report.value::<Vec<i64>>().unwrap_err();
    assert_eq!(error.code(), "no-such-value");
    assert_eq!(
        error.to_string(),
        "the value is of another type at `[0]`: invalid type: map, expected i64"
    );
    for (source, expected) in [
        ("(fail {:reason :none :message \"no rows\"})", "the run failed: none: no rows"),
        (
            "(+ 1 :a)",
            "the run was stopped: turns: `+` expects numbers, its second argument is a keyword :a",
        ),
    ] {
        let error = run(source).await.value::<i64>().unwrap_err();
        assert_eq!(error.to_string(), expected);
    }
}

/// If a program is repeated and ends the same way, the feedback changes. It does not change for a different program, or
/// if a turn between the two succeeded.
#[tokio::test]
async fn a_repeated_program() {
    let wrong = "(dubble 1)";
    let agent = agent().with_max_turns(8);
    let told = Arc::new(Mutex::new(Vec::new()));
    let seen = Arc::clone(&told);
    let replies = [wrong, wrong, wrong, "(dubble 2)", "1", wrong, "(return (tool/double {:n 1}))"];
    let provider = Scripted::new(replies.map(program));
    let report = Mission::new(&agent, json!({"n": 7}))
        .observe(move |_, event| {
            if let Event::TurnStarted { prompt, .. } = event {
                let intro =
                    prompt.lines().find(|line| line.starts_with("The ")).unwrap_or_default();
                seen.lock().unwrap().push(intro.to_string());
            }
        })
        .run(&provider)
        .await
        .unwrap();
    assert_eq!(report.value, json!(2));
    let refused = "The last program was refused before it ran; no tool was called:";
    assert_eq!(
        *told.lock().unwrap(),
        [
            "",
            refused,
            "The same program was sent again, and it ended in the same way:",
            "The same program was sent for the 3rd time, and it ended in the same way:",
            refused,
            "The program ran to its end without `return` or `fail`, so the mission goes on. What came of it:",
            refused,
        ]
    );
}

/// M12: a panic of the observer is on record and in the report, and changes nothing else.
#[tokio::test]
async fn m12_a_panic_of_the_observer_is_a_warning() {
    let store = Store::in_memory().unwrap();
    let agent = Agent::new("x").with_tool(double());
    let mut seen = Vec::new();
    let mission = Mission::new(&agent, json!({})).record_in(&store).observe(|_, event| {
        seen.push(event.name().to_string());
        assert!(!matches!(event, Event::CallStarted { .. } | Event::TurnEnded { .. }), "boom");
    });
    let provider = Scripted::new([program("(return (tool/double {:n 1}))")]);
    let report = mission.run(&provider).await.unwrap();
    assert_eq!(report.value, Data::from(json!(2)), "{report:?}");
    let told: Vec<(&str, &str)> =
        report.warnings.iter().map(|it| (it.code.as_str(), it.message.as_str())).collect();
    let message = "the observer of the run panicked 2 times, and the run went on: boom";
    assert_eq!(told, [("observer-failed", message)]);
    assert_eq!(seen.last().map(String::as_str), Some("run-ended"));
    let run = report.run.to_string();
    let recorded = store.show(&run).unwrap().warnings;
    let recorded: Vec<(u32, &str, &str)> =
        recorded.iter().map(|it| (it.turn, it.code.as_str(), it.message.as_str())).collect();
    assert_eq!(recorded, [(0, "observer-failed", message)]);
    let replay = ptc_subagent::replay::Replay::of(&store, &run).unwrap();
    assert_eq!(replay.with_agent(agent).run().await.unwrap().differences, []);
}
