//! Advice for the author of an agent: it is on record, and no model reads it.

use ptc_lisp::Limits;
use ptc_subagent::provider::Scripted;
use ptc_subagent::replay::Replay;
use ptc_subagent::store::Store;
use ptc_subagent::tool::{Constant, FnTool, ToolDef, ToolError, ToolErrorKind};
use ptc_subagent::{Agent, Mission, RunBudget};
use serde_json::{Value, json};

use crate::modes::RequestLog;

fn constant() -> ToolDef {
    let rate = Constant::default().with_case(json!({"currency": "USD"}), json!(0.5));
    ToolDef::new("rate", rate)
        .with_signature("(currency :string, _token :string?) -> :float")
        .unwrap()
}

fn large() -> ToolDef {
    ToolDef::new("large", Constant::returns("xxxxxxxxxxxx")).with_max_output(4)
}

fn broken() -> ToolDef {
    let broken = async |_: Value, _| {
        Err(ToolError::new(ToolErrorKind::Failed, "is closed")
            .with_help("ask tomorrow")
            .with_advice("open it"))
    };
    ToolDef::new("broken", FnTool::new(broken))
}

/// A program that ends in an error; the error's message, its help and its advice.
#[tokio::test]
async fn advice_is_on_record_and_in_no_prompt() {
    let cases = [
        (
            "(tool/rate {:currency \"GBP\" :_token ctx/_token})",
            "tool `rate`: has no result for {\"currency\" \"GBP\", \"_token\" [Hidden]}",
            None,
            "add a case, or `returns` for all other arguments",
        ),
        (
            "(tool/large {})",
            "tool `large`: the result is larger as JSON than its `max_output` of 4 bytes",
            Some("ask for less at once"),
            "raise `max_output` of the tool",
        ),
        ("(tool/broken {})", "tool `broken`: is closed", Some("ask tomorrow"), "open it"),
        (
            "(loop [n 0] (recur (inc n)))",
            "the program used up its fuel of 1000 units of work",
            Some("check that every loop ends, and do less work per element"),
            "raise the limit `fuel`",
        ),
    ];
    let limits = Limits { fuel: 1000, ..Limits::default() };
    let agent = Agent::new("Go.")
        .with_tool(constant())
        .with_tool(large())
        .with_tool(broken())
        .with_limits(limits)
        .with_max_turns(2);
    for (program, message, help, advice) in cases {
        let store = Store::in_memory().unwrap();
        let provider = RequestLog::new(&[program, "(return (str ctx/fail))"]);
        let report = Mission::new(&agent, json!({"_token": "secret"}))
            .record_in(&store)
            .run(&provider)
            .await
            .unwrap();
        let told = provider.texts().join("\n") + &report.value.to_string();
        assert!(told.contains(&message.replace('"', "\\\"")) || told.contains(message), "{told}");
        assert!(help.is_none_or(|help| told.contains(help)), "{told}");
        assert!(!told.contains(advice) && !told.contains("secret"), "{told}");
        let record = store.show(report.run.as_str()).unwrap();
        let turn = &record.turn_records[0];
        let error = turn.error.as_ref().expect("an error");
        assert_eq!(
            (error.message.as_str(), error.help.as_deref(), error.advice.as_deref()),
            (message, help, Some(advice))
        );
        for call in &turn.calls {
            assert_eq!(call.error.as_ref().expect("an error").advice.as_deref(), Some(advice));
        }
        // A replay gives the model the same messages.
        let again = Replay::of(&store, report.run.as_str()).unwrap().run().await.unwrap();
        assert_eq!(again.differences, []);
    }
}

/// Only the author can raise a budget, so the model gets no advice to do so.
#[tokio::test]
async fn a_program_cannot_raise_a_budget() {
    let mut budget = RunBudget::default();
    budget.fuel = Some(500);
    let agent = Agent::new("Go.").with_budget(budget).with_max_turns(2);
    let provider = Scripted::new(["```clojure\n(loop [n 0] (recur (inc n)))\n```"]);
    let report = Mission::new(&agent, json!({})).run(&provider).await.unwrap();
    let error = report.error.unwrap();
    assert_eq!(error.help_and_advice().as_deref(), Some("raise `fuel` of `[budget]`"));
}
