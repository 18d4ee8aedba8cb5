//! Tests of the loops of decisions.

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use ptc_lisp::Limits;
use ptc_subagent::provider::Reply;
use ptc_subagent::store::RunRecord;
use ptc_subagent::tool::{Effect, FnTool, ToolDef, ToolError};
use ptc_subagent::{Agent, Answers, DecisionsStyle, Mission, PayloadDef, RunReport};
use serde_json::{Value, json};

use super::tools::{Model, run};

fn decision(step: &Value) -> Reply {
    Reply::new(json!({"nextStep": step}).to_string())
}

fn done() -> Reply {
    Reply::new(json!({"taskComplete": true, "message": "done"}).to_string())
}

/// Returns an agent with a payload and the tool `send`, which fails for ids below 0.
fn agent(payload: Value) -> Agent {
    let send = FnTool::new(|args: Value, _| async move {
        let id = args["id"].as_i64().unwrap_or_default();
        // Later items end first.
        tokio::time::sleep(Duration::from_millis(u64::try_from(20 - id.clamp(0, 20)).unwrap()))
            .await;
        if id < 0 { Err(ToolError::failed(format!("no {id}"))) } else { Ok(args) }
    });
    Agent::new("Work.")
        .with_answers(Answers::Decisions(DecisionsStyle::WHOLE))
        .with_max_turns(9)
        .with_payload(PayloadDef::new().with_start(payload).unwrap())
        .with_tool(ToolDef::new("send", send).with_effect(Effect::Read))
}

/// Runs a loop. Returns the message about it, the arguments of its calls, and the report.
async fn looped(agent: &Agent, step: &Value) -> (String, Vec<Value>, RunReport, RunRecord) {
    let (report, record) = run(agent, &Model::new(vec![decision(step), done()])).await;
    let told = record.turn_records[1].prompt.clone();
    let args = record.turn_records[0].calls.iter().map(|it| it.args.to_string());
    let args = args.map(|it| serde_json::from_str(&it).unwrap()).collect();
    (told, args, report, record)
}

fn each(more: &Value) -> Value {
    let mut details = json!({
        "collectionPath": "payload.customers",
        "itemVariable": "customer",
        "action": {"name": "send", "params": {"id": "customer.id"}},
    });
    details.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    json!({"type": "ForEach", "forEach": details})
}

fn customers(ids: impl IntoIterator<Item = i64>) -> Value {
    let all: Vec<Value> =
        ids.into_iter().map(|id| json!({"id": id, "email": format!("c{id}@x")})).collect();
    json!({"customers": all, "greeting": "Hi"})
}

/// L9, L33, L34, L37, M29: one decision calls the action for every item, in order, with its references.
#[tokio::test]
async fn l33_l34_l37_m29_items_in_order() {
    let step = each(&json!({"action": {"name": "SEND", "params": {
        "id": "customer.id", "to": "customer.email", "all": ["index", "payload.greeting", "Welcome!"],
        "text": "{{payload.greeting}} {{customer.email}}, no {{index}} of {{item}}",
    }}}));
    let (told, args, _, record) = looped(&agent(customers([1, 2])), &step).await;
    assert_eq!(
        args[1],
        json!({"id": 2, "to": "c2@x", "all": [1, "Hi", "Welcome!"],
            "text": "Hi c2@x, no 1 of {\"id\":2,\"email\":\"c2@x\"}"})
    );
    assert_eq!(
        told,
        "## Loop Completed\n**Type:** ForEach\n**Collection:** payload.customers\n**Processed:** 2, \
         **Errors:** 0\n\n### Iteration 1\n{\"id\":1,\"to\":\"c1@x\",\"all\":[0,\"Hi\",\"Welcome!\"],\
         \"text\":\"Hi c1@x, no 0 of {\\\"id\\\":1,\\\"email\\\":\\\"c1@x\\\"}\"}\n\n### Iteration 2\n\
         {\"id\":2,\"to\":\"c2@x\",\"all\":[1,\"Hi\",\"Welcome!\"],\"text\":\"Hi c2@x, no 1 of \
         {\\\"id\\\":2,\\\"email\\\":\\\"c2@x\\\"}\"}"
    );
    assert!(record.turn_records[0].program.as_deref().unwrap().contains("(flow/each (take 256 "));
    let (_, args, report, _) = looped(&agent(customers(1..=15)), &each(&json!({}))).await;
    assert_eq!(args, (1..=15).map(|id| json!({"id": id})).collect::<Vec<_>>());
    assert_eq!((report.turns, report.tool_calls), (2, 15));
}

/// L38, L40: side by side, never more than `maxConcurrency`, and told in the order of the items.
#[tokio::test]
async fn l38_l40_items_side_by_side() {
    let open = Arc::new([AtomicU32::new(0), AtomicU32::new(0)]);
    let counts = Arc::clone(&open);
    let slow = FnTool::new(move |args: Value, _| {
        let counts = Arc::clone(&counts);
        async move {
            let now = counts[0].fetch_add(1, Ordering::Relaxed) + 1;
            counts[1].fetch_max(now, Ordering::Relaxed);
            let id = args["id"].as_u64().unwrap();
            tokio::time::sleep(Duration::from_millis(20 - id % 20)).await;
            counts[0].fetch_sub(1, Ordering::Relaxed);
            Ok(json!(id))
        }
    });
    let limits = Limits { calls_in_flight: 40, ..Limits::default() };
    let agent = agent(customers(1..=50))
        .with_limits(limits)
        .with_tool(ToolDef::new("slow", slow).with_effect(Effect::Read));
    let step = |more: &Value| {
        let mut all = json!({"executionMode": "parallel",
            "action": {"name": "slow", "params": {"id": "customer.id"}}});
        all.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        each(&all)
    };
    let (told, ..) = looped(&agent, &step(&json!({"maxConcurrency": 15}))).await;
    let results: Vec<&str> = told.split("\n\n").skip(1).collect();
    let expected: Vec<String> = (1..=50).map(|n| format!("### Iteration {n}\n{n}")).collect();
    assert_eq!(results, expected);
    assert_eq!(open[1].swap(0, Ordering::Relaxed), 15);
    looped(&agent, &step(&json!({}))).await;
    assert_eq!(open[1].load(Ordering::Relaxed), 10);
}

/// L39: `continueOnError` tries all items; without it, the first error ends the loop.
#[tokio::test]
async fn l39_errors_of_items() {
    let agent = agent(customers([1, -2, 3]));
    let (told, args, ..) = looped(&agent, &each(&json!({"continueOnError": true}))).await;
    assert_eq!(args.len(), 3);
    let head = "**Type:** ForEach\n**Collection:** payload.customers\n**Processed:**";
    assert_eq!(
        told,
        format!(
            "## Loop Completed\n{head} 2, **Errors:** 1\n\n### Iteration 1\n{{\"id\":1}}\n\n\
             ### Iteration 2\nfailed\n\n### Iteration 3\n{{\"id\":3}}\n\n### Errors\n- Iteration 2: no -2"
        )
    );
    let (told, args, ..) = looped(&agent, &each(&json!({}))).await;
    assert_eq!(args.len(), 2);
    assert_eq!(
        told,
        format!(
            "## Loop Failed\n{head} 1, **Errors:** 1\n**Error:** tool `send`: no -2\n\n### Iteration 1\n\
             {{\"id\":1}}\n\n### Iteration 2\nfailed\n\n### Errors\n- Iteration 2: no -2"
        )
    );
}

/// L41, L42, and options of the wrong form: the model is asked again.
#[tokio::test]
async fn l41_l42_malformed_loops() {
    let agent = agent(customers([1, 2, 3]));
    let failed = |path: &str| {
        format!(
            "## Loop Failed\n**Type:** ForEach\n**Collection:** {path}\n**Processed:** 0, **Errors:** \
             0\n**Error:** the collection `{path}` is missing or not a list"
        )
    };
    let retry = |text: &str| format!("Retrying due to: {text}");
    let path = "Name a list, such as `payload.customers`.";
    let count = "Write a whole number from 0 to 1000000000.";
    for (more, expected) in [
        (json!({"collectionPath": "payload.clients"}), failed("payload.clients")),
        (json!({"collectionPath": "greeting"}), failed("greeting")),
        (json!({"collectionPath": "data.n"}), failed("data.n")),
        (
            json!({"action": {"name": "nope"}}),
            "## Loop Failed\n**Type:** ForEach\n**Collection:** payload.customers\nError: Tool 'nope' \
             not found. Available: send"
                .to_string(),
        ),
        (
            json!({"action": {"name": "send", "params": 1}}),
            "## Loop Failed\n**Type:** ForEach\n**Collection:** payload.customers\nError: the params of \
             `send` must be a JSON object"
                .to_string(),
        ),
        (json!({"collectionPath": null}), retry(&format!("`forEach` has no `collectionPath`. {path}"))),
        (json!({"collectionPath": "a b"}), retry(&format!("`a b` is not a path of a collection. {path}"))),
        (
            json!({"collectionPath": "static:1"}),
            retry(&format!("`collectionPath` has no JSON list after `static:`. {path}")),
        ),
        (json!({"maxIterations": -1}), retry(&format!("`maxIterations` of `forEach` is not a count. {count}"))),
        (json!({"itemVariable": 1}), retry("`itemVariable` of `forEach` is not a text. Write it as text.")),
        (
            json!({"executionMode": "fast"}),
            retry(
                "`executionMode` of `forEach` is neither `sequential` nor `parallel`. Write one of them, \
                 or leave it out.",
            ),
        ),
        (
            json!({"action": null}),
            retry(
                "`forEach` has neither `action` nor `subAgent`. Add one, as in `Actions` or `Sub-Agent`.",
            ),
        ),
        (
            json!({"subAgent": {"name": "send"}}),
            retry("`forEach` has both `action` and `subAgent`. Keep one of them."),
        ),
    ] {
        assert_eq!(looped(&agent, &each(&more)).await.0, expected);
    }
    for (step, expected) in [
        (
            json!({"type": "ForEach"}),
            "`ForEach` has no `forEach`. Add it as `{\"collectionPath\", \"itemVariable\", \"action\"}`.",
        ),
        (
            json!({"type": "While"}),
            "`While` has no `while`. Add it as `{\"condition\", \"action\"}`.",
        ),
    ] {
        assert_eq!(looped(&agent, &step).await.0, retry(expected));
    }
}

/// L33, M31: `maxIterations` ends a loop over more items, and 0 removes the limit. A fixed list needs no payload.
#[tokio::test]
async fn l33_m31_limits_and_fixed_lists() {
    let agent = agent(customers([1, 2, 3]));
    let (told, args, ..) = looped(&agent, &each(&json!({"maxIterations": 2}))).await;
    assert_eq!(args.len(), 2);
    assert!(told.contains("**Errors:** 0\nStopped at `maxIterations`: 2 of 3 items.\n"), "{told}");
    let fixed = json!({"maxIterations": 0, "collectionPath": "static:[4, 5]", "itemVariable": "n",
        "indexVariable": "i", "action": {"name": "send", "params": {"id": "n", "at": "i"}}});
    let (_, args, ..) = looped(&agent, &each(&fixed)).await;
    assert_eq!(args, [json!({"id": 4, "at": 0}), json!({"id": 5, "at": 1})]);
}

/// M31: the defaults of both loops: names, limits, and errors that end the loop. `parallel` has its default above.
#[tokio::test]
async fn m31_defaults() {
    let agent = agent(json!({"n": 25}));
    let bare = json!({"type": "ForEach", "forEach": {"collectionPath": "static:[30, 40]",
        "action": {"name": "send", "params": {"id": "item", "at": "index"}}}});
    let (_, args, _, record) = looped(&agent, &bare).await;
    assert_eq!(args, [json!({"id": 30, "at": 0}), json!({"id": 40, "at": 1})]);
    assert_eq!(waits(&record), [] as [i64; 0]);
    assert!(record.turn_records[0].program.as_deref().unwrap().contains("(flow/each (take 256 "));
    let bare = json!({"type": "While", "while": {"condition": "true",
        "action": {"name": "send", "params": {"id": "payload.n", "no": "attempt.attemptNumber"}}}});
    let (told, args, _, record) = looped(&agent, &bare).await;
    assert_eq!((args.len(), &args[99]), (100, &json!({"id": 25, "no": 100})));
    assert_eq!(waits(&record), [] as [i64; 0]);
    assert!(
        told.contains("\nStopped at `maxIterations`: the condition is still true after 100.\n")
    );
}

fn waits(record: &RunRecord) -> Vec<i64> {
    let calls = record.turn_records[0].calls.iter().filter(|it| it.tool == ptc_subagent::WAIT);
    calls
        .map(|it| {
            serde_json::from_str::<Value>(&it.args.to_string()).unwrap()["ms"].as_i64().unwrap()
        })
        .collect()
}

fn again(more: &Value) -> Value {
    let mut details = json!({
        "condition": "payload.status === 'pending'",
        "action": {"name": "send", "params": {"id": "attempt.attemptNumber"}},
    });
    details.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    json!({"type": "While", "while": details})
}

/// L43 to L46: the condition comes first, the delay between rounds, the limit is told, and every
/// round knows its number.
#[tokio::test]
async fn l43_l44_l45_l46_rounds() {
    let agent = agent(json!({"status": "pending", "n": 3}));
    let more = json!({"maxIterations": 3, "delayBetweenIterationsMs": 2, "itemVariable": "check",
        "action": {"name": "send", "params": {"id": "check.attemptNumber", "before": "check.totalAttempts"}}});
    let (told, _, _, record) = looped(&agent, &again(&more)).await;
    assert_eq!(waits(&record), [2, 2]);
    assert_eq!(
        told,
        "## Loop Completed\n**Type:** While\n**Condition:** payload.status === 'pending'\n\
         **Processed:** 3, **Errors:** 0\nStopped at `maxIterations`: the condition is still true after \
         3.\n\n### Iteration 1\n{\"id\":1,\"before\":0}\n\n### Iteration 2\n{\"id\":2,\"before\":1}\n\n\
         ### Iteration 3\n{\"id\":3,\"before\":2}"
    );
    let (told, args, ..) = looped(&agent, &again(&json!({"condition": "payload.n < 3"}))).await;
    assert_eq!(args, Vec::<Value>::new());
    assert_eq!(
        told,
        "## Loop Completed\n**Type:** While\n**Condition:** payload.n < 3\n**Processed:** 0, **Errors:** 0"
    );
    for (condition, rounds) in [
        ("results.length < 4", 4),
        ("!results.some(r => r.id == 2)", 2),
        ("results.map(r => r.id).includes(3) == false", 3),
        ("errors.length == 0 && results.length < payload.n", 3),
    ] {
        let (told, args, ..) = looped(&agent, &again(&json!({"condition": condition}))).await;
        assert_eq!(args.len(), rounds, "{condition}: {told}");
    }
}

/// L39 for rounds: with `continueOnError` the condition sees the errors.
#[tokio::test]
async fn l39_errors_of_rounds() {
    let agent = agent(json!({"bad": -1}));
    let action = json!({"name": "send", "params": {"id": "payload.bad"}});
    let more = json!({"condition": "errors.length < 2", "continueOnError": true, "action": action});
    let (told, ..) = looped(&agent, &again(&more)).await;
    assert!(told.ends_with("### Errors\n- Iteration 1: no -1\n- Iteration 2: no -1"), "{told}");
    let more = json!({"condition": "true", "action": action});
    let (told, args, ..) = looped(&agent, &again(&more)).await;
    assert_eq!(args.len(), 1);
    assert!(told.contains("**Errors:** 1\n**Error:** tool `send`: no -1\n"), "{told}");
}

/// L49: a condition that cannot be read or evaluated is an error, and not a loop without rounds.
#[tokio::test]
async fn l49_conditions_without_a_value() {
    let agent = agent(json!({"n": 1}));
    let (told, ..) = looped(&agent, &again(&json!({"condition": "payload.a.b == 1"}))).await;
    assert_eq!(
        told,
        "## Loop Failed\n**Type:** While\n**Condition:** payload.a.b == 1\n**Processed:** 0, **Errors:** \
         0\n**Error:** `b` of nothing"
    );
    let (told, ..) = looped(&agent, &again(&json!({"condition": "payload.n = 1"}))).await;
    assert_eq!(
        told,
        "Retrying due to: The condition `payload.n = 1` cannot be read: it has `=`. Correct it."
    );
}

/// L9: a loop over a sub-agent gives each run its message and parameters.
#[tokio::test]
async fn l9_a_loop_over_a_sub_agent() {
    let child = Agent::new("Greet {{who}} in {{year}}.")
        .with_name("greeter")
        .with_signature("(who :string, year :int) -> :string")
        .unwrap()
        .with_max_turns(1);
    let agent = agent(json!({"names": ["Ada", "Bo"]})).with_tool(ToolDef::agent(child));
    let step = json!({"forEach": {"collectionPath": "names", "subAgent": {
        "name": "Greeter", "message": "{{item}}", "templateParameters": {"year": 1900}}}});
    let greets = || Reply::new("```clojure\n(str \"Hello, \" ctx/who \" \" ctx/year)\n```");
    let model = Model::new(vec![decision(&step), greets(), greets(), done()]);
    let record = run(&agent, &model).await.1;
    assert_eq!(
        record.turn_records[1].prompt,
        "## Loop Completed\n**Type:** ForEach\n**Collection:** names\n**Processed:** 2, **Errors:** 0\n\n\
         ### Iteration 1\nHello, Ada 1900\n\n### Iteration 2\nHello, Bo 1900"
    );
}

/// The numbers in prompt, programs and messages are those of the limits in force.
#[tokio::test]
async fn loops_have_the_limits_of_the_agent() {
    let agent = agent(customers(0..300));
    let prompt = |agent: &Agent| Mission::new(agent, json!({})).system_prompt().unwrap().text();
    for (limits, expected) in [
        (
            Limits::default(),
            ["(at most 256; 0 for as many)", "after 256 items", "(8)", "after 100 rounds"],
        ),
        (
            Limits { tool_calls: 9, calls_in_flight: 3, ..Limits::default() },
            ["(at most 9; 0 for as many)", "after 9 items", "(3)", "after 9 rounds"],
        ),
        (
            Limits { tool_calls: 5_000, calls_in_flight: 99, ..Limits::default() },
            ["(at most 5000; 0 for as many)", "after 1000 items", "(10)", "after 100 rounds"],
        ),
    ] {
        let prompt = prompt(&agent.clone().with_limits(limits));
        for text in expected {
            assert!(prompt.contains(text), "{text} in {prompt}");
        }
    }
    for (most, note) in
        [(1_000, "\n\nNote: `maxIterations` is at most 256, by the limits of the agent."), (0, "")]
    {
        let given = json!({"maxIterations": most, "executionMode": "parallel"});
        let (told, args, ..) = looped(&agent, &each(&given)).await;
        assert_eq!(args.len(), 256);
        assert!(told.contains("\nStopped at `maxIterations`: 256 of 300 items.\n"), "{told}");
        assert!(told.ends_with(&format!("### Iteration 256\n{{\"id\":255}}{note}")), "{told}");
    }
}

/// The next decision reads the results that a message leaves out.
#[tokio::test]
async fn results_that_are_cut_can_be_read() {
    let long = "x".repeat(20_000);
    let texts =
        json!({"rows": [{"id": 1, "text": long}, {"id": 2, "text": long}, {"id": 3, "text": "y"}]});
    let rows = |step: Value| {
        let mut details = json!({
            "action": {"name": "send", "params": {"id": "item.id", "text": "item.text"}}});
        details.as_object_mut().unwrap().extend(step.as_object().unwrap().clone());
        decision(&json!({"type": "ForEach", "forEach": details}))
    };
    let reads = |params: Value| {
        decision(&json!({"type": "Actions", "actions": [{"name": "send", "params": params}]}))
    };
    let model = Model::new(vec![
        rows(json!({"collectionPath": "payload.rows"})),
        reads(json!({"id": "results[2].id", "text": "{{results[2].text}}!"})),
        rows(json!({"collectionPath": "results", "continueOnError": true})),
        decision(&json!({"type": "While", "while": {"condition": "results.length < 2",
            "action": {"name": "send", "params": {"id": "attempt.attemptNumber"}}}})),
        reads(json!({"id": "results[1].id"})),
        done(),
    ]);
    let (report, record) = run(&agent(texts), &model).await;
    assert_eq!(report.value, json!("done"));
    let turns = &record.turn_records;
    let all = "All results are kept until the next loop: `results[2]` in `params` is the last one, and `results` as \
               `collectionPath` all.";
    assert!(turns[1].prompt.ends_with(all), "{}", turns[1].prompt);
    let args = |turn: usize| -> Vec<Value> {
        let calls = turns[turn].calls.iter().map(|it| it.args.to_string());
        calls.map(|it| serde_json::from_str(&it).unwrap()).collect()
    };
    assert_eq!(args(1), [json!({"id": 3, "text": "y!"})]);
    assert_eq!(args(2), args(0));
    assert_eq!(args(4), [json!({"id": 2})]);
}
