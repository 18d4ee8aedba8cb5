//! Questions to people: `ask`, waiting runs, and their answers.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use ptc_subagent::provider::{NoModel, Scripted};
use ptc_subagent::replay::{Replay, Resume};
use ptc_subagent::store::Store;
use ptc_subagent::tool::{Constant, Effect, FnTool, ToolDef, ToolError};
use ptc_subagent::{Agent, Data, ErrorKind, Mission, RunReport, Status, Stop};
use serde_json::{Value, json};

use crate::support::program;

/// Runs a workflow on record.
async fn start(agent: &Agent, store: &Store) -> RunReport {
    Mission::new(agent, json!({})).record_in(store).run(&NoModel).await.unwrap()
}

/// Answers a question of a run and resumes it. Returns its report, or the refusal.
async fn answer(
    agent: &Agent,
    store: &Store,
    run: &RunReport,
    question: Option<&str>,
    value: Value,
) -> Result<RunReport, String> {
    let text = |error: ptc_subagent::Error| format!("{error}");
    let resume = Resume::of(store, run.run.as_str()).map_err(text)?;
    let resume = resume.answer(question, value).map_err(text)?;
    resume.mission(agent).map_err(text)?.run(&NoModel).await.map_err(text)
}

/// Checks that a run has returned a value, and that its replay equals it.
async fn check(store: &Store, report: &RunReport, value: Value) {
    assert_eq!(
        (report.status, &report.value),
        (Status::Returned, &Data::from(value)),
        "{:?}",
        report.error
    );
    let replayed = Replay::of(store, report.run.as_str()).unwrap().run().await.unwrap();
    assert_eq!((replayed.differences, replayed.missing), (vec![], None));
}

/// Returns the places and the titles of the open questions of a report.
fn asked(report: &RunReport) -> Vec<(String, Value)> {
    let place = |id: &str, run: &str| id.strip_prefix(run).unwrap_or_default().to_string();
    let of = |it: &ptc_subagent::OpenQuestion| {
        (place(&it.id, it.run.as_str()), it.form["title"].clone())
    };
    report.questions.iter().map(of).collect()
}

/// L28: an answer resumes the waiting run.
#[tokio::test]
async fn l28_a_run_waits_for_an_answer() {
    let store = Store::in_memory().unwrap();
    let agent = Agent::workflow(
        "(println \"once\")
         (let [{:keys [approved reason]} (ask {:title \"Pay?\" :fields \"(approved :bool, reason :string?)\"})]
           {:approved approved :reason reason})",
    );
    let waiting = start(&agent, &store).await;
    assert_eq!((waiting.status, waiting.exit_code()), (Status::Waiting, 6));
    assert_eq!((waiting.tool_calls, waiting.due), (0, None));
    assert_eq!(asked(&waiting), [(".1.0".to_string(), json!("Pay?"))]);
    let listed = store.waiting().unwrap();
    assert_eq!(
        (listed.len(), &listed[0].run, &listed[0].questions),
        (1, &waiting.run, &waiting.questions)
    );
    let json = waiting.to_json();
    assert_eq!(json.to_json().unwrap()["questions"][0]["form"]["fields"][0]["type"], ":bool");

    let given = json!({"approved": false, "reason": "Too much."});
    let report = answer(&agent, &store, &waiting, None, given.clone()).await.unwrap();
    check(&store, &report, given.clone()).await;
    assert!(store.waiting().unwrap().is_empty());
    let record = store.tree(report.run.as_str()).unwrap().remove(0);
    let call = &record.turn_records[0].calls[0];
    assert_eq!((call.is_question(), &call.result), (true, &Some(given.into())));
    assert_eq!(record.turn_records[0].prints, ["once"]);
    assert!(record.questions.is_empty());

    // An answer twice, and an answer to a run that is over.
    let over = answer(&agent, &store, &waiting, None, json!({})).await.unwrap_err();
    let expected = format!("run {} has ended (returned): it cannot be resumed", waiting.run);
    assert_eq!(over, expected);
}

/// The store keeps long texts apart from the events that have them.
#[tokio::test]
async fn a_long_question_is_listed() {
    let store = Store::in_memory().unwrap();
    let help = "All that is known. ".repeat(60);
    let agent =
        Agent::workflow(format!("(ask {{:title \"Pay?\" :help {help:?} :type \":bool\"}})"));
    let waiting = start(&agent, &store).await;
    let listed = store.waiting().unwrap();
    assert_eq!((listed.len(), &listed[0].questions), (1, &waiting.questions));
    assert_eq!(asked(&waiting), [(".1.0".to_string(), json!("Pay?"))]);
}

/// L56: a wrong answer is refused with the ids, and the run goes on waiting.
#[tokio::test]
async fn l56_a_wrong_answer_is_refused() {
    let store = Store::in_memory().unwrap();
    let agent =
        Agent::workflow("(ask {:title \"Size\" :fields \"(size :int[1..5], note :string?)\"})");
    let waiting = start(&agent, &store).await;
    for (given, problem) in [
        (json!({"note": "x"}), "`size`: an answer is required"),
        (json!({"size": 9}), "`size`: expected int from 1 to 5, found int 9"),
        (json!({"size": 1, "colour": 2}), "`colour`: the form has no such field"),
    ] {
        let refused = answer(&agent, &store, &waiting, None, given).await.unwrap_err();
        assert_eq!(refused, format!("question {}.1.0: {problem}", waiting.run));
    }
    let error = Resume::of(&store, waiting.run.as_str()).unwrap().answer(None, json!("x"));
    assert_eq!(error.unwrap_err().kind(), ErrorKind::Input);
    assert_eq!(store.waiting().unwrap().len(), 1);
    let report = answer(&agent, &store, &waiting, Some("1.0"), json!({"size": "2"})).await.unwrap();
    check(&store, &report, json!({"size": 2})).await;
}

#[tokio::test]
async fn questions_side_by_side_are_answered_one_after_another() {
    let store = Store::in_memory().unwrap();
    let agent = Agent::workflow("(pmap ask [\"a\" \"b\" {:title \"c\" :type \":int\"}])");
    let waiting = start(&agent, &store).await;
    let titles: Vec<Value> = asked(&waiting).into_iter().map(|(_, title)| title).collect();
    assert_eq!(titles, ["a", "b", "c"]);
    let places: Vec<String> =
        asked(&waiting).into_iter().map(|(place, _)| place[1..].to_string()).collect();

    let several = answer(&agent, &store, &waiting, None, json!(1)).await.unwrap_err();
    assert_eq!(several, format!("run {} asks several questions: name one", waiting.run));
    let unknown = answer(&agent, &store, &waiting, Some("1.9"), json!(1)).await.unwrap_err();
    assert_eq!(unknown, "no question `1.9` is open");

    let second = answer(&agent, &store, &waiting, Some(&places[1]), json!("B")).await.unwrap();
    assert_eq!((second.status, second.questions.len()), (Status::Waiting, 2));
    let twice = answer(&agent, &store, &waiting, Some(&places[1]), json!("B")).await.unwrap_err();
    assert_eq!(twice, format!("question {} has its answer", places[1]));
    let third = answer(&agent, &store, &waiting, Some(&places[2]), json!(3)).await.unwrap();
    assert_eq!(third.status, Status::Waiting);
    let report = answer(&agent, &store, &waiting, None, json!("A")).await.unwrap();
    check(&store, &report, json!(["A", "B", 3])).await;
}

/// The question of a sub-agent is the root's, whose answer goes down to it.
#[tokio::test]
async fn the_question_of_a_sub_agent_is_asked_at_the_root() {
    let store = Store::in_memory().unwrap();
    let inner = Agent::new("Ask.").with_name("inner");
    let agent =
        Agent::workflow("[(tool/inner {}) (tool/inner {})]").with_tool(ToolDef::agent(inner));
    let reply = Scripted::new([program("(return (str (ask \"Who?\") \"!\"))")]);
    let waiting = Mission::new(&agent, json!({})).record_in(&store).run(&reply).await.unwrap();
    assert_eq!(waiting.status, Status::Waiting);
    let [question] = waiting.questions.as_slice() else { panic!("{:?}", waiting.questions) };
    assert_eq!((question.agent.as_str(), question.run != waiting.run), ("inner", true));

    let resume = Resume::of(&store, waiting.run.as_str()).unwrap();
    let resume = resume.answer(Some(&question.id), json!("Ada")).unwrap();
    let rest = Scripted::new([program("(return (ask \"And who?\"))")]);
    let waiting = resume.mission(&agent).unwrap().run(&rest).await.unwrap();
    assert_eq!((waiting.status, waiting.questions.len()), (Status::Waiting, 1));
    let report = answer(&agent, &store, &waiting, None, json!("Bob")).await.unwrap();
    check(&store, &report, json!(["Ada!", "Bob"])).await;
}

#[tokio::test]
async fn a_question_can_expire() {
    let store = Store::in_memory().unwrap();
    let agent = Agent::workflow(
        "(let [asked (flow/attempt (fn [] (ask {:title \"Go?\" :expires 40})))]
           (get-in asked [:error :data :kind]))",
    );
    let waiting = start(&agent, &store).await;
    assert_eq!(waiting.status, Status::Waiting);
    assert_eq!(waiting.due, waiting.questions[0].expires);
    assert_eq!(store.due(u64::MAX).unwrap()[0].run, waiting.run);
    tokio::time::sleep(Duration::from_millis(60)).await;
    let resume = Resume::of(&store, waiting.run.as_str()).unwrap();
    let report = resume.mission(&agent).unwrap().run(&NoModel).await.unwrap();
    check(&store, &report, json!("question-unanswered")).await;
}

#[tokio::test]
async fn without_a_record_or_a_host_nobody_can_answer() {
    let agent = Agent::workflow("(ask \"Who?\")");
    let report = Mission::new(&agent, json!({})).run(&NoModel).await.unwrap();
    let error = report.error.unwrap();
    assert_eq!((report.stop, error.code.as_str()), (Some(Stop::Program), "question-unanswered"));
    let expected =
        "`ask`: nobody can answer: the host answers no questions, and the run is not on record";
    assert_eq!(error.message, expected);
    // The same if a host leaves it open.
    let mission = Mission::new(&agent, json!({})).ask_with(|_| Box::pin(async { None }));
    assert_eq!(mission.run(&NoModel).await.unwrap().stop, Some(Stop::Program));
}

#[tokio::test]
async fn a_host_answers_at_once() {
    let store = Store::in_memory().unwrap();
    let agent =
        Agent::workflow("[(ask {:title \"How many?\" :type \":int[1..5]\"}) (ask \"Who?\")]");
    let seen = Arc::new(Mutex::new(Vec::new()));
    let told = Arc::clone(&seen);
    let mut given = vec![json!("Ada"), json!(3), json!(9)];
    let mission = Mission::new(&agent, json!({})).record_in(&store).ask_with(move |question| {
        let problems: Vec<String> = question.problems.iter().map(ToString::to_string).collect();
        told.lock().unwrap().push((question.form.summary().to_string(), problems.join("; ")));
        let answer = given.pop().map(Data::from);
        Box::pin(async { answer })
    });
    let report = mission.run(&NoModel).await.unwrap();
    check(&store, &report, json!([3, "Ada"])).await;
    let expected = [
        ("How many?", ""),
        ("How many?", "`answer`: expected int from 1 to 5, found int 9"),
        ("Who?", ""),
    ];
    let expected = expected.map(|(title, problem)| (title.to_string(), problem.to_string()));
    assert_eq!(*seen.lock().unwrap(), expected);

    // A host leaves a question open, and another process answers it.
    let mission = Mission::new(&agent, json!({})).record_in(&store);
    let waiting = mission.ask_with(|_| Box::pin(async { None })).run(&NoModel).await.unwrap();
    assert_eq!(waiting.status, Status::Waiting);
    let waiting = answer(&agent, &store, &waiting, None, json!(2)).await.unwrap();
    let report = answer(&agent, &store, &waiting, None, json!("Bob")).await.unwrap();
    check(&store, &report, json!([2, "Bob"])).await;
}

/// A question takes no call and no place in flight, and a run waits only once nothing else can go on.
#[tokio::test]
async fn a_run_waits_once_all_its_branches_do() {
    let store = Store::in_memory().unwrap();
    let tool = ToolDef::new("echo", Constant::returns(7)).with_effect(Effect::Read);
    let mut agent = Agent::workflow(
        "(pcalls #(ask \"a\") #(do (flow/wait 20) (call \"echo\" {})) #(call \"echo\" {}))",
    )
    .with_tool(tool);
    agent.limits.calls_in_flight = 1;
    agent.budget.tool_calls = Some(2);
    let waiting = start(&agent, &store).await;
    assert_eq!((waiting.status, waiting.tool_calls), (Status::Waiting, 2));
    let report = answer(&agent, &store, &waiting, None, json!("A")).await.unwrap();
    check(&store, &report, json!(["A", 7, 7])).await;
}

#[tokio::test(start_paused = true)]
async fn a_question_stops_the_clock() {
    let mut agent = Agent::workflow("(ask \"Who?\")");
    agent.timeout = Duration::from_secs(5);
    let mission = Mission::new(&agent, json!({})).ask_with(|_| {
        Box::pin(async {
            tokio::time::sleep(Duration::from_hours(9)).await;
            Some(json!("Ada").into())
        })
    });
    assert_eq!(mission.run(&NoModel).await.unwrap().value, json!("Ada"));
}

/// A question is withdrawn when its branch is given up.
#[tokio::test]
async fn a_question_is_withdrawn_with_its_branch() {
    let store = Store::in_memory().unwrap();
    let broken = FnTool::new(async |_: Value, _| {
        tokio::time::sleep(Duration::from_millis(20)).await;
        Err::<Value, _>(ToolError::failed("no").permanent())
    });
    let agent = Agent::workflow(
        "(flow/attempt (fn [] (pcalls #(call \"broken\" {}) #(ask \"Who?\"))))
         :done",
    )
    .with_tool(ToolDef::new("broken", broken).with_effect(Effect::Read));
    let report = start(&agent, &store).await;
    check(&store, &report, json!("done")).await;
    let record = store.tree(report.run.as_str()).unwrap().remove(0);
    let asked = record.turn_records[0].calls.iter().find(|it| it.is_question()).unwrap();
    assert_eq!(asked.error.as_ref().unwrap().code.as_str(), "tool-cancelled");
}

/// Questions and waits of a sub-agent are withdrawn with the branch that called it, and so is the approval of its program.
#[tokio::test]
async fn questions_of_a_sub_agent_are_withdrawn_with_its_branch() {
    let asks = Agent::workflow("(pcalls #(ask \"Who?\") #(flow/wait 3600000))").with_name("asks");
    let approved = Agent::new("Work.")
        .with_name("approved")
        .with_policy(ptc_subagent::Policy::default().with_ask(ptc_subagent::Ask::Always));
    let broken = FnTool::new(async |_: Value, _| {
        tokio::time::sleep(Duration::from_millis(200)).await;
        Err::<Value, _>(ToolError::failed("no").permanent())
    });
    let agent = Agent::workflow(
        "(flow/attempt (fn [] (pcalls #(call \"broken\" {}) #(tool/asks {}) #(tool/approved {}))))
         (ask \"And now?\")",
    )
    .with_tool(ToolDef::new("broken", broken).with_effect(Effect::Read))
    .with_tool(ToolDef::agent(asks))
    .with_tool(ToolDef::agent(approved));
    let store = Store::in_memory().unwrap();
    let mission = Mission::new(&agent, json!({})).record_in(&store);
    let waiting = mission.run(&Scripted::new([program("1")])).await.unwrap();
    let titles: Vec<Value> = asked(&waiting).into_iter().map(|it| it.1).collect();
    assert_eq!((titles, waiting.due), (vec![json!("And now?")], None));
    let report = answer(&agent, &store, &waiting, None, json!("On")).await.unwrap();
    check(&store, &report, json!("On")).await;
}

/// A literal form is checked before the program runs, and a computed one when it asks.
#[tokio::test]
async fn a_form_that_is_wrong_is_an_error_of_the_program() {
    let write = ToolDef::new("write", FnTool::new(|_, _| std::future::ready(Ok(json!(1)))));
    for (ty, calls) in [("\"colour\"", 0), (":colour", 0), ("(str \"col\" \"our\" ctx/end)", 1)] {
        let source = format!("(tool/write {{}}) (ask {{:title \"Pick\" :type {ty}}})");
        let agent = Agent::workflow(&source).with_signature("(end :string) -> :any").unwrap();
        let agent = agent.with_tool(write.clone());
        let store = Store::in_memory().unwrap();
        let mission = Mission::new(&agent, json!({"end": ""})).record_in(&store);
        let report = mission.run(&Scripted::new(Vec::<String>::new())).await.unwrap();
        let error = report.error.unwrap();
        let message = "`ask`: `answer`: unknown type `colour`: write a type such as `:int`, or one of text, \
                       textarea, email, number, currency, date, datetime, time, daterange, slider, buttongroup, \
                       radio, dropdown, checkbox";
        let help = "write `(ask \"text\")` or `(ask {:title \"text\" :fields \"(name :string, age :int?)\"})`";
        assert_eq!((error.code.as_str(), error.message.as_str()), ("tool-arguments", message));
        assert_eq!((error.help.as_deref(), report.tool_calls), (Some(help), calls), "{ty}");
    }
}

/// The type of a form may be a keyword.
#[tokio::test]
async fn a_keyword_is_a_type_of_a_form() {
    let agent = Agent::workflow("(* 2 (ask {:title \"How many?\" :type :int}))");
    let store = Store::in_memory().unwrap();
    let waiting = start(&agent, &store).await;
    assert_eq!(waiting.questions[0].form, json!({"title": "How many?", "type": ":int"}));
    let report = answer(&agent, &store, &waiting, None, json!("3")).await.unwrap();
    check(&store, &report, json!(6)).await;
}

/// K24: a template pipeline asks only for what is missing, and does not start without it.
#[tokio::test]
async fn k24_a_pipeline_asks_only_for_what_is_missing() {
    let store = Store::in_memory().unwrap();
    let fill = ToolDef::new("fill", FnTool::new(async |args: Value, _| Ok(args)))
        .with_signature("(template :string, summary :string) -> :any")
        .unwrap()
        .with_effect(Effect::Read);
    let agent = Agent::workflow(
        "(tool/fill {:template (or ctx/template (ask \"Which template?\"))
                     :summary (or ctx/summary (ask \"What is the summary?\"))})",
    )
    .with_signature("(template :string?, summary :string?) -> :any")
    .unwrap()
    .with_tool(fill);
    let run = async |input: Value| {
        Mission::new(&agent, input).record_in(&store).run(&NoModel).await.unwrap()
    };
    let whole = json!({"template": "t", "summary": "s"});
    check(&store, &run(whole.clone()).await, whole.clone()).await;
    let waiting = run(json!({"template": "t"})).await;
    assert_eq!((waiting.status, waiting.tool_calls), (Status::Waiting, 0));
    assert_eq!(asked(&waiting)[0].1, json!("What is the summary?"));
    let report = answer(&agent, &store, &waiting, None, json!("s")).await.unwrap();
    check(&store, &report, whole).await;
}

/// A tool with `confirm` is called only after a yes. A no is an error of the call, and the next question shows it.
#[tokio::test]
async fn a_call_needs_a_yes() {
    let store = Store::in_memory().unwrap();
    let paid = Arc::new(Mutex::new(Vec::new()));
    let log = Arc::clone(&paid);
    let pay = FnTool::new(move |args: Value, _| {
        let log = Arc::clone(&log);
        async move {
            log.lock().unwrap().push(args["amount"].clone());
            Ok::<_, ToolError>(json!("paid"))
        }
    });
    let pay = ToolDef::new("pay", pay).with_effect(Effect::Write).with_confirm(true);
    let agent = Agent::workflow(
        "(let [first (flow/attempt (fn [] (call \"pay\" {:amount 900 :to \"Ada\"})))]
           [(get-in first [:error :data :kind]) (get-in first [:error :message])
            (call \"pay\" {:amount 90 :to \"Ada\"})])",
    )
    .with_tool(pay);
    let waiting = start(&agent, &store).await;
    let [question] = waiting.questions.as_slice() else { panic!("{:?}", waiting.questions) };
    assert_eq!(question.id, format!("{}.1.0.confirm", waiting.run));
    assert_eq!((&question.form["title"], question.kind.as_str()), (&json!("Call `pay`?"), "call"));
    assert_eq!(question.form["help"], "write {\"amount\":900,\"to\":\"Ada\"}");
    let resume = Resume::of(&store, waiting.run.as_str()).unwrap();
    assert_eq!((resume.questions(), resume.open_calls()), (waiting.questions.clone(), vec![]));

    let no = json!({"allow": false, "reason": "Too much."});
    let waiting = answer(&agent, &store, &waiting, None, no).await.unwrap();
    assert_eq!((waiting.status, waiting.tool_calls), (Status::Waiting, 0));
    let help = waiting.questions[0].form["help"].as_str().unwrap();
    assert!(
        help.starts_with("write {\"amount\":90,\"to\":\"Ada\"}\nrefused before: Too much.\n"),
        "{help}"
    );
    assert!(help.contains("amount: Changed from 900 to 90"), "{help}");
    assert!(paid.lock().unwrap().is_empty());

    let report = answer(&agent, &store, &waiting, None, json!({"allow": true})).await.unwrap();
    let message = "tool `pay`: a person refused the call: Too much.";
    check(&store, &report, json!(["tool-denied", message, "paid"])).await;
    assert_eq!(*paid.lock().unwrap(), [json!(90)]);
    assert_eq!(report.tool_calls, 1);
}

/// A host allows calls at once. Branches ask one after another, and a call without anybody to allow it is not made.
#[tokio::test]
async fn a_host_allows_calls() {
    let pay = ToolDef::new("pay", Constant::returns("paid"))
        .with_effect(Effect::Write)
        .with_confirm(true);
    let agent =
        Agent::workflow("(pmap (fn [n] (flow/attempt (fn [] (call \"pay\" {:n n})))) [1 2 3])")
            .with_tool(pay);
    let store = Store::in_memory().unwrap();
    let mut asked = 0;
    let mission = Mission::new(&agent, json!({})).record_in(&store).ask_with(move |question| {
        asked += 1;
        let answer = question.form.verdict(asked != 2, None).map(Data::from);
        Box::pin(async { answer })
    });
    let report = mission.run(&NoModel).await.unwrap();
    let value = report.value.to_json().unwrap();
    assert_eq!((&value[0], &value[2]), (&json!({"ok": "paid"}), &json!({"ok": "paid"})));
    assert_eq!(value[1]["error"]["data"]["kind"], "tool-denied");
    check(&store, &report, value).await;

    let report = Mission::new(&agent, json!({})).run(&NoModel).await.unwrap();
    assert_eq!(report.value.to_json().unwrap()[0]["error"]["data"]["kind"], "question-unanswered");
}
