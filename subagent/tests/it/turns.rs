//! Retries after the last turn, and the text that an observer gets while a reply arrives.

use ptc_subagent::provider::Scripted;
use ptc_subagent::{Agent, Data, Event, Mission};
use serde_json::json;

use crate::run::{check, double, openai, returned, run};
use crate::support::{Answer, Server, program, text};

#[tokio::test]
async fn a_wrong_value_in_the_last_turn_gets_further_turns() {
    let agent = Agent::new("x")
        .with_signature("(n :int) -> :int")
        .unwrap()
        .with_max_turns(2)
        .with_retry_turns(2);
    let retried = &[
        "turn 1",
        "  value 1",
        "turn 2",
        "  wrong-return \"a\" wrong-return",
        "turn 3",
        "  error divide-by-zero",
        "turn 4",
        "  returned 7",
    ];
    check(
        &agent,
        &["1", "(return (str \"a\"))", "(/ ctx/n (- ctx/n ctx/n))", "(return ctx/n)"],
        retried,
        returned(7),
    )
    .await;
    // An error in the last regular turn is not a wrong value, so no retry follows.
    let ended = json!({"status": "stopped", "stop": "turns", "error": "divide-by-zero", "exit": 3});
    let lines = &["turn 1", "  value 1", "turn 2", "  error divide-by-zero"];
    check(&agent, &["1", "(/ ctx/n (- ctx/n ctx/n))"], lines, ended).await;
    // The retries are announced to the model.
    let server =
        Server::start(vec![text(program("(return \"a\")")), text(program("(return 1)"))]).await;
    let agent = agent.with_max_turns(1);
    let report = Mission::new(&agent.with_tool(double()), json!({"n": 1}))
        .run(&*openai(&server, "none"))
        .await
        .unwrap();
    assert_eq!((report.value, report.turns), (Data::from(json!(1)), 2));
    let told = server.bodies()[1]["messages"].as_array().unwrap().last().unwrap().to_string();
    assert!(told.contains("This is retry 1 of 2: only what is returned was wrong."), "{told}");
}

#[tokio::test]
async fn a_fallback_is_never_silent() {
    let agent = Agent::new("x").with_signature("(n :int) -> :int").unwrap().with_max_turns(3);
    let programs = ["\"no number\"", "(inc ctx/n)", "(/ 1 (- 1 1))"];
    let ended = json!({"status": "stopped", "stop": "turns", "error": "divide-by-zero", "exit": 3});
    let lines = &[
        "turn 1",
        "  value \"no number\"",
        "turn 2",
        "  value 8",
        "turn 3",
        "  error divide-by-zero",
    ];
    check(&agent, &programs, lines, ended).await;
    let agent = agent.with_fallback(true);
    let (_, report) = run(&agent, json!({"n": 7}), &Scripted::new(programs.map(program))).await;
    assert_eq!((report.value.clone(), report.exit_code()), (Data::from(json!(8)), 0));
    let warnings = report.to_json().to_json().unwrap()["warnings"].clone();
    assert_eq!(
        warnings,
        json!([{
            "code": "fallback", "kind": "limit", "line": null, "column": null, "help": null,
            "message": "no program returned (`/` divides by zero): the value of turn 2 is the answer",
        }])
    );
}

#[tokio::test]
async fn a_reply_is_observed_while_it_arrives() {
    let mut chunks = ["```clojure\\n", "(return ", "7)", "\\n```"]
        .map(|it| {
            format!("data: {{\"choices\":[{{\"delta\":{{\"content\":\"{it}\"}}}}]}}\n\n")
                .into_bytes()
        })
        .to_vec();
    let end = "data: {\"choices\":[{\"delta\":{},\"finish_reason\":\"stop\"}]}\n\ndata: [DONE]\n\n";
    chunks.push(end.into());
    let server = Server::start(vec![Answer::Chunks("text/event-stream", chunks, true)]).await;
    let agent = Agent::new("x").with_max_turns(1);
    let mut told = Vec::new();
    let report = Mission::new(&agent, json!({}))
        .observe(|_, event| {
            if let Event::ReplyText { text, .. } = event {
                told.push(text.clone());
            }
        })
        .stream(true)
        .run(&*openai(&server, "none"))
        .await
        .unwrap();
    assert_eq!(report.value, json!(7));
    assert_eq!(told.concat(), "```clojure\n(return 7)\n```");
    assert_eq!(server.bodies()[0]["stream"], json!(true));
}
