//! Policies of agents, which check the reports of programs before anything runs.

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use ptc_lisp::{Code, Effect};
use ptc_subagent::provider::Reply;
use ptc_subagent::tool::{FnTool, ToolDef};
use ptc_subagent::{Agent, Answers, Ask, DecisionsStyle, Event, Mission, Policy, RunReport, Stop};
use serde_json::{Value, json};

use crate::modes::RequestLog;
use crate::styles;
use crate::support::{Model, program};

/// The result of running one program and then `(return 0)`: the report, the refusals, the messages to the model, and
/// the number of tool calls.
struct Ran {
    report: RunReport,
    refused: Vec<String>,
    told: String,
    calls: u32,
}

async fn run(policy: Policy, program: &str, approve: Option<bool>) -> Ran {
    let called = Arc::new(AtomicU32::new(0));
    let tool = |name: &str, effect: Effect, cost: Option<f64>| {
        let called = called.clone();
        let function = move |_: Value, _| {
            called.fetch_add(1, Ordering::SeqCst);
            async { Ok(json!([1, 2])) }
        };
        let mut tool = ToolDef::new(name, FnTool::new(function));
        tool.effect = Some(effect);
        tool.cost = cost;
        tool
    };
    let agent = Agent::new("Do it.")
        .with_signature("(ids [:int]) -> :any")
        .unwrap()
        .with_policy(policy)
        .with_tool(tool("look", Effect::Read, Some(0.5)))
        .with_tool(tool("save", Effect::Write, None));
    let provider = RequestLog::new(&[program, "(return 0)"]);
    let mut refused = Vec::new();
    let mission = Mission::new(&agent, json!({"ids": [1, 2, 3]})).observe(|_, event| {
        if let Event::Rejected { errors, .. } = event {
            refused.extend(errors.iter().map(|it| format!("{}: {}", it.code, it.message)));
        }
    });
    let mission = match approve {
        Some(answer) => {
            mission.ask_with(move |_| Box::pin(std::future::ready(Some(json!(answer).into()))))
        }
        None => mission,
    };
    let report = mission.run(&provider).await.unwrap();
    let told = provider.texts().pop().unwrap_or_default();
    Ran { report, refused, told, calls: called.load(Ordering::SeqCst) }
}

#[tokio::test]
async fn a_refused_program_makes_no_call() {
    let looks = "(return (map (fn [i] (call \"look\" {:i i})) ctx/ids))";
    let loops = "(loop [] (when (call \"look\") (recur)))";
    let nested = "(doseq [x (call \"look\")] (call \"save\" {:x x}))";
    let five = || Policy::default().with_max_calls("look", 5);
    let cases: [(Policy, &str, &[&str]); 8] = [
        (Policy::default(), looks, &[]),
        (five(), looks, &[]),
        (
            Policy::default().with_max_calls("look", 2),
            looks,
            &[
                "policy: the policy of this mission: a program may call `look` at most 2 times, and this one can call it at most once for each item of ctx/ids (3)",
            ],
        ),
        (
            five(),
            loops,
            &[
                "policy: the policy of this mission: a program may call `look` at most 5 times, and this one can call it any number of times",
            ],
        ),
        (
            Policy::default().read_only(),
            nested,
            &[
                "policy: the policy of this mission: tools that are `write` are not allowed, and `save` is one",
            ],
        ),
        (
            Policy::default().with_max_calls("save", 5),
            nested,
            &[
                "policy: the policy of this mission: a program may call `save` at most 5 times, and this one can call it any number of times",
            ],
        ),
        (
            Policy::default().with_max_cost(1.0),
            looks,
            &[
                "policy: the policy of this mission: the calls of a program may cost at most 1, and this program's can cost 1.5",
            ],
        ),
        (
            Policy::default().with_check(|report| {
                if report.always_ends { Err("programs must not end".to_owned()) } else { Ok(()) }
            }),
            looks,
            // The second program is refused too, as is every program that returns.
            &[
                "policy: the policy of this mission: programs must not end",
                "policy: the policy of this mission: programs must not end",
            ],
        ),
    ];
    for (policy, program, refused) in cases {
        let shown = format!("{policy:?} {program}");
        let ran = run(policy, program, None).await;
        assert_eq!(ran.refused, refused, "{shown}");
        if let Some(first) = refused.first() {
            assert_eq!(ran.calls, 0, "{shown}");
            let message = first.trim_start_matches("policy: ");
            assert!(ran.told.contains(message), "{shown}: {}", ran.told);
        } else {
            assert_eq!(ran.report.value, json!([[1, 2], [1, 2], [1, 2]]), "{shown}");
        }
    }
}

/// When to ask, the program, the answer, the number of calls, and the refusals.
type Asked<'a> = (Ask, &'a str, Option<bool>, u32, &'a [&'a str]);

#[tokio::test]
async fn approval_comes_before_the_run() {
    let looks = "(return (call \"look\"))";
    let saves = "(return (call \"save\"))";
    let no = "policy: the person who was asked did not allow this program";
    let nobody = "policy: this program needs an approval, and nobody can give it";
    let cases: [Asked<'_>; 7] = [
        (Ask::Never, saves, None, 1, &[]),
        (Ask::Writes, looks, None, 1, &[]),
        (Ask::Writes, saves, Some(true), 1, &[]),
        (Ask::Writes, saves, Some(false), 0, &[no]),
        (Ask::Writes, saves, None, 0, &[nobody]),
        (Ask::Always, looks, Some(true), 1, &[]),
        // The second program needs approval too.
        (Ask::Always, looks, None, 0, &[nobody, nobody]),
    ];
    for (ask, program, answer, calls, refused) in cases {
        let ran = run(Policy::default().with_ask(ask), program, answer).await;
        assert_eq!(
            (ran.calls, ran.refused.as_slice()),
            (calls, &strings(refused)[..]),
            "{ask:?} {program}"
        );
    }
}

fn strings(all: &[&str]) -> Vec<String> {
    all.iter().map(|it| (*it).to_owned()).collect()
}

#[tokio::test]
async fn a_run_stops_for_policy_if_its_last_program_was_refused() {
    let save = ToolDef::new("save", FnTool::new(async |_, _| Ok(json!(null))));
    let agent = Agent::new("Save.")
        .with_tool(save.with_effect(Effect::Write))
        .with_policy(Policy::default().read_only())
        .with_max_turns(1);
    let provider = RequestLog::new(&["(tool/save {})"]);
    let report = Mission::new(&agent, json!({})).run(&provider).await.unwrap();
    assert_eq!((report.stop, report.exit_code()), (Some(Stop::Policy), 3));
    assert_eq!(report.error.unwrap().code, Code::Policy.into());
}

/// Neither prompts nor searches show a tool that the policy forbids. A program that calls it anyway is told why not.
#[tokio::test]
async fn forbidden_tools_are_not_shown() {
    let tool = |name: &str, effect, cost| {
        let mut tool = ToolDef::new(name, FnTool::new(async |_, _| Ok(json!(1))));
        (tool.effect, tool.cost) = (Some(effect), cost);
        tool
    };
    let agent = Agent::new("Look.")
        .with_policy(Policy::default().read_only().with_max_calls("never", 0).with_max_cost(1.0))
        .with_tool(tool("save-price", Effect::Write, None))
        .with_tool(tool("see-price", Effect::Read, Some(1.0)))
        .with_tool(tool("never-price", Effect::Read, None))
        .with_tool(tool("never", Effect::Read, None))
        .with_tool(tool("dear-price", Effect::Read, Some(1.5)));
    let search = "(map :name (tools/search \"price never\"))";
    let provider = RequestLog::new(&[search, "(tool/save-price {})", "(return 0)"]);
    Mission::new(&agent, json!({})).run(&provider).await.unwrap();
    let texts = provider.texts().join("\n");
    assert!(texts.contains("(\"never-price\" \"see-price\")"), "{texts}");
    assert!(texts.contains("tools that are `write` are not allowed, and `save-price` is one"));
    for answers in [
        Answers::Program,
        Answers::Tools,
        Answers::React,
        Answers::Decisions(DecisionsStyle::WHOLE),
    ] {
        let agent = agent.clone().with_answers(answers);
        let model = styles::tools::Model::new(vec![Reply::new("x")]);
        _ = Mission::new(&agent, json!({})).run(&model).await;
        let request = model.requests().remove(0);
        let names: Vec<&str> = request.tools.iter().map(|it| it.name.as_str()).collect();
        let shown = format!("{names:?}{}{}", request.system.text(), request.messages[0].text);
        assert!(shown.contains("see-price") || shown.contains("see_price"), "{shown}");
        for hidden in ["save-", "save_", "dear", "never\"", "`never`", "never("] {
            assert!(!shown.contains(hidden), "{hidden} in {shown}");
        }
    }
}

#[tokio::test]
async fn a_question_names_its_agent() {
    let asks = || Policy::default().with_ask(Ask::Always);
    let child = Agent::new("Double {{n}}.")
        .with_name("double")
        .with_signature("(n :int) -> :int")
        .unwrap()
        .with_policy(asks())
        .with_max_turns(1);
    let agent =
        Agent::new("Lead.").with_name("lead").with_policy(asks()).with_tool(ToolDef::agent(child));
    let model = Model(|text: &str| {
        let leads = text.contains("Lead");
        Reply::new(program(if leads { "(return (tool/double {:n 2}))" } else { "(* 2 ctx/n)" }))
    });
    let asked = std::sync::Mutex::new(Vec::new());
    let mission = Mission::new(&agent, json!({})).ask_with(|question| {
        let mut asked = asked.lock().unwrap();
        let (program, _) = question.program.unwrap();
        asked.push((question.open.run.clone(), format!("{}: {program}", question.open.agent)));
        Box::pin(std::future::ready(Some(json!(true).into())))
    });
    let report = mission.run(&model).await.unwrap();
    assert_eq!(report.value, json!(4));
    let asked = asked.into_inner().unwrap();
    let texts: Vec<&str> = asked.iter().map(|it| it.1.as_str()).collect();
    assert_eq!(texts, ["lead: (return (tool/double {:n 2}))", "double: (* 2 ctx/n)"]);
    assert_eq!(asked[0].0, report.run);
    assert_ne!(asked[1].0, report.run);
}
