//! Integers past 64 bits keep every digit: in inputs, arguments and results of tools, returned values and records.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use ptc_subagent::provider::{
    CallResult, Message, ModelCall, NoModel, Reply, Request, Scripted, ToolOffer,
};
use ptc_subagent::replay::{Replay, Resume, differences};
use ptc_subagent::store::{Hidden, Store};
use ptc_subagent::tool::{Constant, Effect, FnTool, HttpTool, ToolDef};
use ptc_subagent::{
    Agent, Answers, Data, DecisionsStyle, Event, Mission, PayloadDef, RunReport, SignatureMode,
    Stop,
};
use serde::Serialize;
use serde_json::{Value, json};
use tokio::sync::Notify;

use crate::provider::request;
use crate::provider_protocols::ask;
use crate::support::{Answer, Model, Server, program};

const BIG: &str = "123456789012345678901234567890";

fn data(text: &str) -> Data {
    text.parse().unwrap()
}

async fn run(agent: &Agent, input: impl Serialize, source: &str, store: &Store) -> RunReport {
    let mission = Mission::new(agent, input).record_in(store);
    mission.run(&Scripted::new([program(source)])).await.unwrap()
}

/// Runs a program with an input that a signature checks in a mode. Compares the input the program sees and the
/// warnings, or the error if the run does not start.
async fn check(signature: &str, mode: SignatureMode, input: &str, expected: &str, warned: &[&str]) {
    let agent = Agent::new("Go.").with_signature(signature).unwrap().with_signature_mode(mode);
    let provider = Scripted::new([program("(return (pr-str ctx))")]);
    let found = match Mission::new(&agent, data(input)).run(&provider).await {
        Ok(report) => {
            let warnings: Vec<&str> = report.warnings.iter().map(|it| &*it.message).collect();
            assert_eq!(warnings, warned, "{signature} {input}");
            report.value.as_str().unwrap().to_string()
        }
        Err(error) => error.to_string(),
    };
    assert_eq!(found, expected, "{signature} {input}");
}

#[tokio::test]
async fn signatures_check_and_coerce_them() {
    use SignatureMode::{Coerce, Off, Strict, Warn};
    let is_big = format!(r#"{{"n": {BIG}}}"#);
    let sees = format!(r#"{{"n" {BIG}N}}"#);
    for mode in [Coerce, Strict, Warn, Off] {
        check("(n :int) -> :string", mode, &is_big, &sees, &[]).await;
        check("(n :any) -> :string", mode, &is_big, &sees, &[]).await;
        check("(n :float) -> :string", mode, &is_big, &sees, &[]).await;
        check("(n :int[1..]) -> :string", mode, &is_big, &sees, &[]).await;
    }
    let below = "the input does not match: n: expected int of at least 0, found big int -";
    let negative = format!(r#"{{"n": -{BIG}}}"#);
    check("(n :int[0..]) -> :string", Coerce, &negative, &format!("{below}{BIG}"), &[]).await;
    let range = "the input does not match: n: expected int from 1 to 100, found big int ";
    check("(n :int[1..100]) -> :string", Strict, &is_big, &format!("{range}{BIG}"), &[]).await;
    let text = "the input does not match: n: expected string, found big int ";
    check("(n :string) -> :string", Coerce, &is_big, &format!("{text}{BIG}"), &[]).await;
    // A text is coerced to an integer of any size, and the other integer is unchanged.
    let both = format!(r#"{{"n": "{BIG}", "rows": [{{"m": {BIG}, "k": "7"}}]}}"#);
    check(
        "(n :int, rows [{m :int, k :int}]) -> :string",
        Coerce,
        &both,
        &format!(r#"{{"n" {BIG}N, "rows" [{{"m" {BIG}N, "k" 7}}]}}"#),
        &[
            &format!("input: n: coerced string \"{BIG}\" to big int {BIG}"),
            "input: rows[0].k: coerced string \"7\" to int 7",
        ],
    )
    .await;
    let unknown = "input: m: the signature has no such key; the known keys are n";
    let more = format!(r#"{{"n": 1, "m": {BIG}}}"#);
    let sees = format!(r#"{{"n" 1, "m" {BIG}N}}"#);
    check("(n :int) -> :string", Coerce, &more, &sees, &[unknown]).await;
}

#[tokio::test]
async fn every_input_api_keeps_the_digits() {
    #[derive(Serialize)]
    struct Wide {
        n: u128,
    }
    let agent = Agent::new("Go.");
    let store = Store::in_memory().unwrap();
    let wide = Wide { n: 123_456_789_012_345_678_901_234_567_890 };
    let lisp = ptc_lisp::json::parse(&format!("{{\"n\": {BIG}}}")).unwrap();
    let reports = [
        run(&agent, wide, "(return (str ctx/n))", &store).await,
        run(&agent, Data::of(&lisp).unwrap(), "(return (str ctx/n))", &store).await,
        run(&agent, json!({"n": BIG}), "(return (str (bigint ctx/n)))", &store).await,
    ];
    for report in reports {
        assert_eq!(report.value, json!(BIG));
    }
    let deep = format!("{}1{}", "[".repeat(200), "]".repeat(200));
    let error = deep.parse::<Data>().unwrap_err();
    assert_eq!(error.to_string(), "a value nested over 128 levels has no JSON form");
    let nines = "9".repeat(4001);
    let error = format!("{{\"n\": [1, {nines}]}}").parse::<Data>().unwrap_err();
    assert_eq!(error.to_string(), "n[1]: a whole number of over 4,000 digits has no JSON form");
}

#[tokio::test]
async fn events_and_the_record() {
    let (seen, store) = (Mutex::new(Vec::new()), Store::in_memory().unwrap());
    let agent = Agent::new("Add one to {{n}}.").with_signature("(n :int) -> :string").unwrap();
    let input = data(&format!(r#"{{"n":{BIG}}}"#));
    let mission = Mission::new(&agent, &input).record_in(&store).observe(|run, event| {
        if let Event::RunStarted(started) = event {
            seen.lock().unwrap().push((started.setup.input.to_string(), event.to_json(run)));
        }
    });
    let opening = mission.system_prompt().unwrap().text();
    assert!(opening.contains(&format!("Add one to {BIG}.")), "{opening}");
    assert!(opening.contains(&format!("- `ctx/n :int`: `{BIG}N`")), "{opening}");
    let provider = Scripted::new([program("(return (str (+ ctx/n 1) \" \" (mod ctx/n 7)))")]);
    let report = mission.run(&provider).await.unwrap();
    assert_eq!(report.value, json!("123456789012345678901234567891 0"));
    let (told, event) = seen.lock().unwrap().remove(0);
    assert_eq!(told, input.to_string());
    assert!(event.to_string().contains(&format!(r#""input":{{"n":{BIG}}}"#)), "{event}");

    let record = store.show(report.run.as_str()).unwrap();
    assert_eq!(record.setup.input, input);
    let written = serde_json::to_string(&record).unwrap();
    assert!(written.contains(&format!(r#""input":{{"n":{BIG}}}"#)), "{written}");

    // Replays of the record, and of the record after an export and import, are equal.
    let replay = Replay::of(&store, report.run.as_str()).unwrap();
    assert_eq!(replay.run().await.unwrap().differences, []);
    let other = imported(&store, report.run.as_str());
    assert_eq!(other.show(report.run.as_str()).unwrap(), record);
    let replay = Replay::of(&other, report.run.as_str()).unwrap();
    assert_eq!(replay.run().await.unwrap().differences, []);

    // Two integers that differ only in the last digit.
    let one = run(&agent, data(&format!(r#"{{"n":{BIG}}}"#)), "(return \"\")", &store).await;
    let two = data(r#"{"n":123456789012345678901234567891}"#);
    let two = run(&agent, two, "(return \"\")", &store).await;
    let show = |it: &RunReport| store.show(it.run.as_str()).unwrap();
    let found = differences(&show(&one), &show(&two));
    assert_eq!(found[0].what, "input");
    assert_eq!(found[0].recorded.to_string(), format!(r#"{{"n":{BIG}}}"#));
    assert_eq!(found[0].replayed.to_string(), r#"{"n":123456789012345678901234567891}"#);
}

struct Written(Arc<Mutex<Vec<u8>>>);

impl std::io::Write for Written {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0.lock().unwrap().extend(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

#[tokio::test]
async fn resumed_and_branched_runs() {
    let (store, called) = (Store::in_memory().unwrap(), Arc::new(Notify::new()));
    let (told, times) = (Arc::clone(&called), AtomicUsize::new(0));
    // The first call never ends.
    let tool = FnTool::new(move |_: Value, _| {
        let is_first = times.fetch_add(1, Ordering::Relaxed) == 0;
        told.notify_one();
        async move { if is_first { std::future::pending().await } else { Ok(json!(7)) } }
    });
    let tool = ToolDef::new("late", tool).with_effect(Effect::Read);
    let agent = Agent::new("Go.").with_signature("(n :int) -> :string").unwrap().with_tool(tool);
    let input = data(&format!(r#"{{"n":{BIG}}}"#));
    let programs = ["(def m (+ ctx/n 1))", "(return (str m \" \" ctx/n \" \" (tool/late {})))"];
    let mission = Mission::new(&agent, &input).record_in(&store);
    let mission = mission.cancel_on(async move { called.notified().await });
    let first = mission.run(&Scripted::new(programs.map(program))).await.unwrap();
    assert_eq!((first.stop, first.turns), (Some(Stop::Cancelled), 2));

    let resume = Resume::of(&store, first.run.as_str()).unwrap();
    let mission = resume.mission(&agent).unwrap();
    let report = mission.run(&Scripted::new([] as [&str; 0])).await.unwrap();
    let expected = format!("123456789012345678901234567891 {BIG} 7");
    assert_eq!(report.value, json!(expected));
    assert_eq!(store.show(report.run.as_str()).unwrap().setup.input, input);

    let replay = Replay::of(&store, report.run.as_str()).unwrap();
    let branch = replay.branch(&agent, 1);
    let report = branch.run(&Scripted::new([program("(return (str m))")])).await.unwrap();
    assert_eq!(report.value, json!("123456789012345678901234567891"));
}

#[tokio::test]
async fn sub_agents_get_them() {
    let store = Store::in_memory().unwrap();
    let below = Agent::new("Halve {{n}}.")
        .with_name("half")
        .with_signature("(n :int, why :keyword?, _pin :int?) -> :string")
        .unwrap();
    let agent = Agent::new("Work.").with_tool(ToolDef::agent(below));
    let model = Model(|text: &str| {
        let halves = text.contains(&format!("Halve {BIG}."));
        let source = if halves {
            "(return (str (quot ctx/n 2) \" \" ctx/why))"
        } else {
            "(return (tool/half {:n (+ ctx/n 1) :why :fun :_pin (* ctx/n ctx/n)}))"
        };
        Reply::new(program(source))
    });
    let input = data(r#"{"n":123456789012345678901234567889}"#);
    let report = Mission::new(&agent, &input).record_in(&store).run(&model).await.unwrap();
    assert_eq!(report.value, json!("61728394506172839450617283945 fun"));
    let family = store.family(report.run.as_str()).unwrap();
    let pin = "15241578753238836750495351562289285209477213842072549916321";
    let expected = format!(r#"{{"n":{BIG},"why":"fun","_pin":{pin}}}"#);
    assert_eq!(family[0].turn_records[0].calls[0].args.to_string(), expected);
    assert_eq!(family[1].setup.input.to_string(), expected);
    let replay = Replay::of(&store, report.run.as_str()).unwrap();
    assert_eq!(replay.run().await.unwrap().differences, []);

    let hidden = Hidden::of(&family).unwrap();
    let shown = hidden.cover(&family[1]).setup.input.to_string();
    assert_eq!(shown, format!(r#"{{"n":{BIG},"why":"fun","_pin":"[Hidden]"}}"#));
}

#[tokio::test]
async fn a_run_without_its_secrets() {
    let store = Store::in_memory().unwrap();
    let agent = Agent::new("Go.");
    let input = data(&format!(r#"{{"_pin":{BIG},"n":{BIG},"_mail":"ada@example.com"}}"#));
    let report = run(&agent, &input, "(return (str ctx/n))", &store).await;
    let replay = Replay::of(&store, report.run.as_str()).unwrap();
    let redacted = replay.redacted().await.unwrap();
    assert_eq!(redacted.hidden, 2);
    let record = redacted.store.show(report.run.as_str()).unwrap();
    let expected = format!(r#"{{"_pin":0,"n":{BIG},"_mail":"hidden-1-xxxxxx"}}"#);
    assert_eq!(record.setup.input.to_string(), expected);
}

#[tokio::test]
async fn a_function_over_values_of_serde_takes_none() {
    let store = Store::in_memory().unwrap();
    let tool = FnTool::new(|args: Value, _| async move { Ok(args) });
    let agent = Agent::new("Go.").with_tool(ToolDef::new("t", tool)).with_max_turns(1);
    let input = data(&format!(r#"{{"n":{BIG}}}"#));
    let report = run(&agent, &input, "(tool/t {:n ctx/n})", &store).await;
    assert_eq!(
        report.error.unwrap().message,
        "tool `t`: the arguments have no JSON form: n: a whole number past 64 bits has no JSON form"
    );
}

/// Exports a run, and returns a store that has imported it.
fn imported(store: &Store, run: &str) -> Store {
    let out = Arc::new(Mutex::new(Vec::new()));
    store.export(&[run], None, Written(Arc::clone(&out))).unwrap();
    let file = out.lock().unwrap().clone();
    let other = Store::in_memory().unwrap();
    other.import(None, std::io::Cursor::new(file)).unwrap();
    other
}

/// Runs a program that calls the tool `echo`. Compares the value, the record, and a replay of its export.
async fn check_exact(tool: ToolDef, source: &str, args: &str, result: &str, value: &str) {
    let store = Store::in_memory().unwrap();
    let agent = Agent::new("Go.").with_tool(tool).with_max_turns(1);
    let report = run(&agent, json!({}), source, &store).await;
    assert_eq!(report.error.map(|it| it.message), None);
    assert_eq!(report.value.to_string(), value, "{source}");
    let record = store.show(report.run.as_str()).unwrap();
    let call = &record.turn_records[0].calls[0];
    assert_eq!(call.args.to_string(), args);
    assert_eq!(call.result.as_ref().unwrap().to_string(), result);
    assert_eq!(record.value.to_string(), value);

    let other = imported(&store, report.run.as_str());
    assert_eq!(other.show(report.run.as_str()).unwrap(), record);
    let replayed = Replay::of(&other, report.run.as_str()).unwrap().run().await.unwrap();
    assert_eq!(replayed.differences, []);
    assert_eq!(replayed.report.unwrap().value.to_string(), value);
}

/// A program that calls `echo`, and returns one more than it gives.
const PLUS_ONE: &str =
    "(let [r (tool/echo {:n 123456789012345678901234567890 :m -1})] (return {:n (inc (:n r))}))";
const ONE_MORE: &str = r#"{"n":123456789012345678901234567891}"#;

#[cfg(unix)]
#[tokio::test]
async fn commands_take_and_give_them() {
    use ptc_subagent::tool::CommandTool;

    let args = format!(r#"{{"n":{BIG},"m":-1}}"#);
    let echo = CommandTool::new(["cat"], ".");
    check_exact(ToolDef::new("echo", echo), PLUS_ONE, &args, &args, ONE_MORE).await;
    // A signature checks them, and turns the text of a command into one.
    let echo = CommandTool::new(["tr", "-d", "-"], ".");
    let echo =
        ToolDef::new("echo", echo).with_signature("(n :int, m :int) -> {n :int[1..], m :int}");
    let result = format!(r#"{{"n":{BIG},"m":1}}"#);
    check_exact(echo.unwrap(), PLUS_ONE, &args, &result, ONE_MORE).await;
}

#[tokio::test]
async fn endpoints_take_and_give_them() {
    let server = Server::start(vec![Answer::Raw(200, "", format!(r#"{{"n":{BIG}}}"#))]).await;
    let (args, result) = (format!(r#"{{"n":{BIG},"m":-1}}"#), format!(r#"{{"n":{BIG}}}"#));
    for (method, path) in [("POST", "/double"), ("GET", "/double/{n}")] {
        let url = format!("{}{path}", server.base_url);
        let echo = ToolDef::new("echo", HttpTool::new(method, &url).unwrap());
        check_exact(echo, PLUS_ONE, &args, &result, ONE_MORE).await;
    }
    let requests = server.requests();
    assert!(requests[0].ends_with(&format!("\r\n\r\n{args}")), "{}", requests[0]);
    let line = format!("GET /v1/double/{BIG}?m=-1 HTTP/1.1\r\n");
    assert!(requests[1].starts_with(&line), "{}", requests[1]);
}

#[tokio::test]
async fn functions_take_and_give_them() {
    let args = format!(r#"{{"n":{BIG},"m":-1}}"#);
    let echo = FnTool::exact(|args: Data, _| async move { Ok(args) });
    check_exact(ToolDef::new("echo", echo), PLUS_ONE, &args, &args, ONE_MORE).await;
    let constant = Constant::fails("another number")
        .with_case(ptc_lisp::json::parse(&args).unwrap(), ptc_lisp::json::parse(&args).unwrap());
    check_exact(ToolDef::new("echo", constant), PLUS_ONE, &args, &args, ONE_MORE).await;
}

/// Runs an agent whose model replies so. Compares the value, and that of an exact replay.
async fn check_replies(agent: &Agent, replies: Vec<Reply>, value: &str) -> RunReport {
    let store = Store::in_memory().unwrap();
    let mission = Mission::new(agent, json!({})).record_in(&store);
    let report = mission.run(&Scripted::from_replies(replies)).await.unwrap();
    assert_eq!(report.error.as_ref().map(|it| it.message.as_str()), None);
    assert_eq!(report.value.to_string(), value);
    let replayed = Replay::of(&store, report.run.as_str()).unwrap().run().await.unwrap();
    assert_eq!(replayed.differences, []);
    report
}

/// Returns an agent with a tool that echoes its arguments and keeps them.
fn echoing(answers: Answers) -> (Agent, Arc<Mutex<Vec<String>>>) {
    let seen: Arc<Mutex<Vec<String>>> = Arc::default();
    let kept = Arc::clone(&seen);
    let echo = FnTool::exact(move |args: Data, _| {
        kept.lock().unwrap().push(args.to_string());
        std::future::ready(Ok(args))
    });
    let echo = ToolDef::new("echo", echo).with_effect(Effect::Read);
    let agent = Agent::new("Go.").with_signature("() -> {n :int}").unwrap();
    (agent.with_answers(answers).with_tool(echo).with_max_turns(4), seen)
}

#[tokio::test]
async fn arguments_and_answers_of_every_style() {
    let object = format!(r#"{{"n":{BIG}}}"#);
    let params = format!(r#"{{"n":{BIG},"rows":[-{BIG},1.5,"{BIG}"]}}"#);
    let native = |name: &str, arguments: &str| {
        let call = ModelCall { id: "a".into(), name: name.into(), arguments: arguments.into() };
        Reply { calls: vec![call], ..Reply::new("") }
    };
    let (agent, seen) = echoing(Answers::Tools);
    let replies = vec![native("echo", &params), native("return", &object)];
    check_replies(&agent, replies, &object).await;
    assert_eq!(*seen.lock().unwrap(), std::slice::from_ref(&params));

    let (agent, seen) = echoing(Answers::React);
    let replies = vec![
        Reply::new(format!("Action: echo\nAction Input: {params}")),
        Reply::new(format!("Final Answer: {object}")),
    ];
    check_replies(&agent, replies, &object).await;
    assert_eq!(*seen.lock().unwrap(), std::slice::from_ref(&params));

    let (mut agent, _) = echoing(Answers::Json);
    agent.tools.clear();
    check_replies(&agent, vec![Reply::new(format!("So:\n```json\n{object}\n```"))], &object).await;

    let (agent, seen) = echoing(Answers::Decisions(DecisionsStyle::WHOLE));
    let step = |step: &str| Reply::new(format!(r#"{{"nextStep":{step}}}"#));
    let action = format!(r#"{{"name":"echo","params":{params}}}"#);
    let refers = format!(r#"{{"n":{BIG},"text":"conversation.user.last.content"}}"#);
    let replies = vec![
        step(&format!(
            r#"{{"type":"Actions","actions":[{action},{{"name":"echo","params":{refers}}}]}}"#
        )),
        step(&format!(
            r#"{{"type":"ForEach","forEach":{{"collectionPath":[{BIG}],"itemVariable":"it","action":{{"name":"echo","params":{{"n":"it","m":{BIG}}}}}}}}}"#
        )),
        Reply::new(format!(r#"{{"taskComplete":true,"result":{object}}}"#)),
    ];
    check_replies(&agent, replies, &object).await;
    let mut seen = seen.lock().unwrap().clone();
    assert!(seen.remove(1).starts_with(&format!(r#"{{"n":{BIG},"text":"#)), "{seen:?}");
    assert_eq!(seen, [params, format!(r#"{{"n":{BIG},"m":{BIG}}}"#)]);
}

#[tokio::test]
async fn changes_of_the_payload_and_its_start() {
    let payload = PayloadDef::new().with_start(json!({"n": 0, "m": 0})).unwrap();
    let payload = payload.with_writes(["**"]).unwrap();
    let agent = Agent::new("Go.")
        .with_payload(payload)
        .with_answers(Answers::Decisions(DecisionsStyle::WHOLE));
    let request = format!(
        r#"{{"taskComplete":true,"result":"done","payloadChangeRequest":{{"updateElements":{{"m":{BIG}}}}}}}"#
    );
    let start = data(&format!(r#"{{"n":{BIG},"m":0}}"#));
    let mission = Mission::new(&agent, json!({})).with_payload(start);
    let report = mission.run(&Scripted::new([request])).await.unwrap();
    assert_eq!(report.payload.unwrap().to_string(), format!(r#"{{"n":{BIG},"m":{BIG}}}"#));
}

#[tokio::test]
async fn answers_of_people() {
    let agent = Agent::workflow(
        "(let [{:keys [n m]} (ask {:title \"How many?\" :fields \"(n :int, m :any?)\"})] (return [(inc n) m]))",
    );
    let expected = format!("[123456789012345678901234567891,[{BIG}]]");
    for given in
        [format!(r#"{{"n":{BIG},"m":[{BIG}]}}"#), format!(r#"{{"n":"{BIG}","m":[{BIG}]}}"#)]
    {
        let given = data(&given);
        let store = Store::in_memory().unwrap();
        let waiting =
            Mission::new(&agent, json!({})).record_in(&store).run(&NoModel).await.unwrap();
        let resume = Resume::of(&store, waiting.run.as_str()).unwrap();
        let resume = resume.answer(None, given.clone()).unwrap();
        let report = resume.mission(&agent).unwrap().run(&NoModel).await.unwrap();
        assert_eq!(report.value.to_string(), expected);

        let mission = Mission::new(&agent, json!({})).record_in(&store).ask_with(move |_| {
            let given = given.clone();
            Box::pin(async { Some(given) })
        });
        let report = mission.run(&NoModel).await.unwrap();
        assert_eq!(report.value.to_string(), expected);
        let replayed = Replay::of(&store, report.run.as_str()).unwrap().run().await.unwrap();
        assert_eq!(replayed.differences, []);
    }
}

/// Some protocols send the arguments of a call as an object, not as text.
#[tokio::test]
async fn calls_of_models_over_http() {
    let arguments = format!(r#"{{"n":{BIG}}}"#);
    for (spec, reply) in [
        (
            "anthropic:m",
            format!(
                r#"{{"content":[{{"type":"tool_use","id":"a","name":"echo","input":{arguments}}}]}}"#
            ),
        ),
        (
            "ollama:m",
            format!(
                r#"{{"message":{{"content":"","tool_calls":[{{"function":{{"name":"echo","arguments":{arguments}}}}}]}},"done":true}}"#
            ),
        ),
        (
            "openai:m",
            format!(
                r#"{{"choices":[{{"message":{{"tool_calls":[{{"id":"a","function":{{"name":"echo","arguments":{arguments}}}}}]}}}}]}}"#
            ),
        ),
    ] {
        let offer = ToolOffer {
            name: "echo".into(),
            description: "Echoes.".into(),
            parameters: json!({"type": "object"}),
        };
        let mut asked = Message::assistant("");
        let known = ModelCall { id: "z".into(), name: "echo".into(), arguments: arguments.clone() };
        asked.calls = vec![known];
        let result = CallResult { id: "z".into(), name: "echo".into(), text: "1".into() };
        let told = Message::user("").with_results(vec![result]);
        let messages = vec![Message::user("Go."), asked, told];
        let request = Request { messages, tools: vec![offer], ..request() };
        let (replied, server) = ask(spec, &request, vec![Answer::Raw(200, "", reply)]).await;
        assert_eq!(replied.unwrap().calls[0].arguments, arguments, "{spec}");
        let sent = server.requests().remove(0);
        let (plain, quoted) = (format!(":{arguments}"), json!(arguments).to_string());
        assert!(sent.contains(&plain) || sent.contains(&quoted), "{spec} {sent}");
    }
}

#[tokio::test]
async fn returned_values_keep_every_digit() {
    let store = Store::in_memory().unwrap();
    let agent = Agent::new("Go.").with_signature("() -> :int").unwrap();
    let report = run(&agent, json!({}), "(return 99999999999999999999)", &store).await;
    assert_eq!(report.value.to_string(), "99999999999999999999");
    assert_eq!(report.value::<i128>().unwrap(), 99_999_999_999_999_999_999);
    let shown = report.to_json().to_string();
    assert!(shown.contains(r#""value":99999999999999999999"#), "{shown}");
    let failed = run(&agent, json!({}), "(fail {:reason :big :n 99999999999999999999})", &store);
    let failed = failed.await.to_json().to_string();
    assert!(failed.contains(r#""details":{"n":99999999999999999999}"#), "{failed}");
}

#[tokio::test]
async fn questions_to_models() {
    let mut agent = Agent::new("Is {{n}} prime?");
    agent.answers = Answers::Json;
    let input = data(&format!(r#"{{"n":{BIG},"m":[{BIG},0.5],"_pin":{BIG}}}"#));
    let opening = Mission::new(&agent, &input).opening().unwrap();
    assert_eq!(opening, format!("Is {BIG} prime?\n\nm:\n[{BIG},0.5]"));
}

#[test]
fn data_is_equal_where_its_json_is() {
    let is_same = |one: &str, other: &str| data(one) == data(other);
    for text in ["1", "1.0", "123456789012345678901", "[1, {\"a\": 2.5}]", "{}", "null"] {
        assert!(is_same(text, text), "{text}");
    }
    assert!(is_same("{\"a\": 1, \"b\": 2}", "{\"b\": 2, \"a\": 1}"));
    for (one, other) in [
        ("1", "1.0"),
        ("[1]", "[1.0]"),
        ("{\"a\": [{\"b\": 2}]}", "{\"a\": [{\"b\": 2.0}]}"),
        ("{\"a\": 1}", "{\"b\": 1}"),
        ("[1]", "[1, 2]"),
        ("123456789012345678901", "123456789012345678902"),
    ] {
        assert!(!is_same(one, other) && !is_same(other, one), "{one} {other}");
    }
}

/// A value that enters or leaves a run nests at most 128 levels. The innermost value is the last level.
#[tokio::test]
async fn values_nest_at_most_128_levels() {
    let store = Store::in_memory().unwrap();
    let agent = Agent::new("Nest.").with_max_turns(1);
    let nested = |lists: usize| format!("{}1{}", "[".repeat(lists), "]".repeat(lists));
    let returned = |lists: usize| format!("(return (reduce (fn [x _] [x]) 1 (range {lists})))");
    let report = run(&agent, json!({}), &returned(127), &store).await;
    assert_eq!(report.value.to_string(), nested(127));
    assert_eq!(nested(127).parse::<Data>().unwrap().to_string(), nested(127));
    let empty = |lists: usize| format!("{}{}", "[".repeat(lists), "]".repeat(lists));
    assert_eq!(empty(127).parse::<Data>().unwrap().to_string(), empty(127));
    assert!(empty(128).parse::<Data>().is_err());
    let report = run(&agent, json!({}), &returned(128), &store).await;
    assert_eq!(
        report.error.unwrap().message,
        "the returned value has no JSON form: a value nested over 128 levels has no JSON form"
    );
    let input = |lists: usize| format!("{{\"x\": {}}}", nested(lists));
    let report = run(&agent, data(&input(126)), "(return (count ctx/x))", &store).await;
    assert_eq!(report.value.to_string(), "1");
    let error = input(127).parse::<Data>().unwrap_err();
    assert_eq!(error.to_string(), "a value nested over 128 levels has no JSON form");
}
