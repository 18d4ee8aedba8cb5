//! Tests of decisions as JSON.

use ptc_subagent::provider::Reply;
use ptc_subagent::tool::ToolDef;
use ptc_subagent::{
    Agent, Answers, Data, DecisionSwitches, DecisionsStyle, PayloadDef, Status, Transcript,
};
use serde_json::{Value, json};

use super::tools::{Model, agent, run};
use crate::agent_file;

fn decision(json: impl Into<Value>) -> Reply {
    Reply::new(json.into().to_string())
}

fn deciding(signature: Option<&str>) -> Agent {
    agent(signature).0.with_answers(Answers::Decisions(DecisionsStyle::WHOLE)).with_max_turns(9)
}

fn actions(all: &[(&str, Value)]) -> Reply {
    let all: Vec<Value> =
        all.iter().map(|(name, params)| json!({"name": name, "params": params})).collect();
    decision(json!({"nextStep": {"type": "Actions", "actions": all}}))
}

/// Runs an agent, and compares the messages to the model after the first one.
async fn check(agent: &Agent, replies: Vec<Reply>, told: &[&str]) -> ptc_subagent::RunReport {
    let model = Model::new(replies);
    let (report, record) = run(agent, &model).await;
    let found: Vec<&str> =
        record.turn_records.iter().skip(1).map(|it| it.prompt.as_str()).collect();
    assert_eq!(found, told);
    report
}

/// L1 to L6, L10, L22, L24, L25: actions side by side, then the end of the task.
#[tokio::test]
async fn l1_l6_l22_actions_and_the_end_of_the_task() {
    let report = check(
        &deciding(Some("(n :int) -> {sum :int}")),
        vec![
            actions(&[
                ("add", json!({"x": 1, "y": 2})),
                ("boom", json!({})),
                ("add", json!({"x": "one", "y": 2})),
                ("nope", json!({})),
                ("add", json!([1])),
            ]),
            actions(&[("ADD", json!({"x": 1, "y": 1})), ("save", json!({"a": 1}))]),
            decision(json!({"taskComplete": true, "message": "done"})),
            decision(json!({"taskComplete": true, "result": {"sum": "x"}})),
            decision(json!({"taskComplete": true, "result": {"sum": 3}, "confidence": 1.7})),
        ],
        &[
            "4 of 5 action(s) failed:\n\n## add ✓\n3\n\n## boom ✗\nError executing boom: boom\n\n\
             ## add ✗\nError: `add` was not called: the argument `x` of the tool `add`: expected int, \
             found string \"one\"\n\n## nope ✗\nError: Tool 'nope' not found. Available: add, boom, \
             notes/save\n\n## add ✗\nError: the params of `add` must be a JSON object",
            "Action results:\n\n## add ✓\n2\n\n## notes/save ✓\n{\"ok\":true}\n\nNote: `save` was read \
             as the action `notes/save`.",
            "Retrying due to: The task is complete, and there is no `result`. Add `result` with the \
             answer.",
            "Retrying due to: the result is not of the type `{sum :int}`:\n- sum: expected int, found \
             string \"x\"",
        ],
    )
    .await;
    assert_eq!((report.turns, report.value), (5, Data::from(json!({"sum": 3}))));
}

/// L5, L11, B.1.2: the leniency of the envelope.
#[tokio::test]
async fn l5_l11_malformed_decisions() {
    let types = "The types are Actions, Sub-Agent, ForEach, While, Retry and Chat.";
    let step = |step: Value| decision(json!({"taskComplete": false, "nextStep": step}));
    let report = check(
        &deciding(None),
        vec![
            Reply::new("I will add the numbers."),
            Reply::new("Sure: {\"taskComplete\": \"yes\"}"),
            decision(json!({})),
            step(json!({"type": "Jump"})),
            step(json!({"reason": "x"})),
            step(json!({"type": "Actions", "actions": []})),
            step(json!({"type": " retry "})),
            step(json!({"actions": [{"name": "add", "params": {"x": 1, "y": 2}}]})),
            Reply::new("```json\n{\"taskComplete?\": true, \"message\": \"It is 3.\"}\n```"),
        ],
        &[
            "Retrying due to: The reply is not one JSON object. Reply with one raw JSON object: no \
             prose, no code block, no narration of actions.",
            "Retrying due to: `taskComplete` is not a boolean. Write true or false.",
            "Retrying due to: The decision has neither `taskComplete` nor `nextStep`. The types of \
             `nextStep` are Actions, Sub-Agent, ForEach, While, Retry and Chat.",
            &format!("Retrying due to: `Jump` is not a type of `nextStep`. {types}"),
            &format!("Retrying due to: `nextStep` has no `type`. {types}"),
            "Retrying due to: `Actions` has no `actions`. List them as `{\"name\", \"params\"}`.",
            "Go on with the mission.",
            "Action results:\n\n## add ✓\n3\n\nThis is the last turn: set `taskComplete` to true now.",
        ],
    )
    .await;
    assert_eq!(report.value, json!("It is 3."));
}

/// L3, L11, L28: a question ends the run with the message as its value, or as its failure.
#[tokio::test]
async fn l3_l11_l28_questions() {
    for reply in [
        json!({"taskComplete": true, "message": "Which one?", "nextStep": {"type": "Chat"}}),
        json!({"reasoning": "Which one?"}),
    ] {
        let model = Model::new(vec![decision(reply.clone())]);
        let (report, record) = run(&deciding(None), &model).await;
        assert_eq!((report.ended_by(), report.status), ("chat", Status::Returned));
        assert_eq!((&report.value, record.chat), (&Data::from(json!("Which one?")), true));
        let typed = deciding(Some("(n :int) -> :int"));
        let fail = check(&typed, vec![decision(reply)], &[]).await.fail.unwrap();
        assert_eq!((fail.reason.as_str(), fail.message.as_str()), ("question", "Which one?"));
    }
    // The typed answer of an ended task is kept: nobody can be asked.
    let both = json!({"taskComplete": true, "message": "Anything else?", "result": 3,
        "nextStep": {"type": "Chat"}});
    let report = check(&deciding(Some("(n :int) -> :int")), vec![decision(both)], &[]).await;
    assert_eq!((report.ended_by(), &report.value), ("answer", &Data::from(json!(3))));
    let silent = decision(json!({"nextStep": {"type": "Chat"}}));
    check(
        &deciding(None),
        vec![silent, decision(json!({"taskComplete": true}))],
        &["Retrying due to: A `Chat` has no `message`. Write the question as `message`."],
    )
    .await;
}

/// L7, L23: a sub-agent, with and without `terminateAfter`.
#[tokio::test]
async fn l7_sub_agents() {
    let child = Agent::new("Greet {{who}}.")
        .with_name("greeter")
        .with_signature("(who :string) -> :string")
        .unwrap()
        .with_max_turns(1);
    let agent = Agent::new("Work.")
        .with_answers(Answers::Decisions(DecisionsStyle::WHOLE))
        .with_tool(ToolDef::agent(child));
    let ask = |ends: bool| {
        let sub_agent = json!({"name": "Greeter", "message": "Ada", "terminateAfter": ends});
        decision(json!({"nextStep": {"type": "Sub-Agent", "subAgent": sub_agent}}))
    };
    let greets = || Reply::new("```clojure\n(return (str \"Hello, \" ctx/who))\n```");
    let report = run(
        &agent,
        &Model::new(vec![
            ask(false),
            greets(),
            decision(json!({"taskComplete": true, "message": "done"})),
        ]),
    )
    .await;
    assert_eq!(report.0.value, json!("done"));
    assert_eq!(report.1.turn_records[1].prompt, "Action results:\n\n## greeter ✓\nHello, Ada");
    let report = run(&agent, &Model::new(vec![ask(true), greets()])).await.0;
    assert_eq!((report.turns, report.value), (1, Data::from(json!("Hello, Ada"))));
    let gives_up = Reply::new("```clojure\n(fail {:reason :rude :message \"no\"})\n```");
    let fail = run(&agent, &Model::new(vec![ask(true), gives_up])).await.0.fail.unwrap();
    assert_eq!(
        (fail.reason.as_str(), fail.message.as_str()),
        ("sub-agent", "greeter failed: tool `greeter`: failed: rude: no")
    );
}

/// L17, L26, L27: the payload changes with every decision, within the grants.
#[tokio::test]
async fn l17_l26_l27_the_payload() {
    let payload = PayloadDef::new()
        .with_start(json!({"items": ["a"], "draft": true, "locked": 1}))
        .unwrap()
        .with_writes(["items", "draft", "sum"])
        .unwrap();
    let agent = deciding(Some("(n :int) -> {items [:string], sum :int}")).with_payload(payload);
    let change = |change: Value| {
        decision(json!({"payloadChangeRequest": change, "nextStep": {"type": "Retry"}}))
    };
    let report = check(
        &agent,
        vec![
            change(json!({"newElements": {"items": ["b"]}, "removeElements": {"draft": "__DELETE__"}})),
            change(json!({"updateElements": {"locked": 2, "sum": 1}})),
            decision(json!({"payloadChangeRequest": {"sum": 3}})),
        ],
        &[
            "Go on with the mission.\n\nPayload now, in place of all earlier ones:\n{\"items\":[\"a\",\"b\"],\"locked\":1}",
            "Go on with the mission.\n\nNote: Auto-corrected: updateElements of sum treated as an \
             addition\nNote: Blocked: update locked: no grant allows to update it\n\nPayload now, in place of all earlier ones:\n\
             {\"items\":[\"a\",\"b\"],\"locked\":1,\"sum\":1}",
        ],
    )
    .await;
    assert_eq!(report.value, json!({"items": ["a", "b"], "locked": 1, "sum": 3}));
    assert_eq!(report.payload.unwrap(), json!({"items": ["a", "b"], "locked": 1, "sum": 3}));
    let ignored = deciding(None);
    let first = change(json!({"newElements": {"a": 1}}));
    let done = || decision(json!({"taskComplete": true, "message": "m"}));
    check(
        &ignored,
        vec![first, done()],
        &["Go on with the mission.\n\nNote: there is no payload, so its change was ignored."],
    )
    .await;
}

/// The newest message has the current payload, also if the message about its change has expired.
#[tokio::test]
async fn the_newest_message_has_the_payload() {
    let payload = PayloadDef::new().with_start(json!({"n": 1})).unwrap();
    let agent = deciding(None).with_payload(payload);
    let change = json!({"payloadChangeRequest": {"updateElements": {"n": 2}}, "nextStep": {"type": "Retry"}});
    let replies = || {
        vec![
            decision(change.clone()),
            decision(json!({"nextStep": {"type": "Retry"}})),
            decision(json!({"nextStep": {"type": "Retry"}})),
            decision(json!({"taskComplete": true, "message": "m"})),
        ]
    };
    let goes_on = "Go on with the mission.";
    let now = "Go on with the mission.\n\nPayload now, in place of all earlier ones:\n{\"n\":2}";
    check(&agent, replies(), &[now, goes_on, goes_on]).await;
    let forgets = agent.with_transcript(Transcript::default().with_keep_results(1));
    let model = Model::new(replies());
    run(&forgets, &model).await;
    let last = model.requests().pop().unwrap().messages;
    let texts: Vec<&str> = last.iter().step_by(2).map(|it| it.text.as_str()).collect();
    // They are shorter than the notes about them.
    let first = "Find the sum of 1 and 2.\n\nPayload at the start:\n{\"n\":1}\n\nYou have at most 9 replies.";
    assert_eq!(texts, [first, now, now, now]);
}

/// The model reads what sub-agents have changed.
#[tokio::test]
async fn changes_of_sub_agents_are_told() {
    let child = Agent::workflow("(payload/put [:n] 3)").with_name("child");
    let child = child.with_payload(PayloadDef::new());
    let payload = PayloadDef::new().with_start(json!({"n": 1})).unwrap();
    let agent = Agent::new("Work.")
        .with_answers(Answers::Decisions(DecisionsStyle::WHOLE))
        .with_payload(payload);
    let agent = agent.with_tool(ToolDef::agent(child));
    let asks = json!({"nextStep": {"type": "Sub-Agent", "subAgent": {"name": "child"}}});
    let done = decision(json!({"taskComplete": true, "message": "m"}));
    let told =
        "Action results:\n\n## child ✓\n3\n\nPayload now, in place of all earlier ones:\n{\"n\":3}";
    check(&agent, vec![decision(asks), done], &[told]).await;
}

/// L4: the decision that ends the run leaves its remarks in the report and on record.
#[tokio::test]
async fn l4_remarks() {
    let form = json!({"title": "Which?", "questions": [
        {"id": "c", "label": "City", "type": {"type": "radio", "options": [{"value": 1}, {"value": "1"}]}},
        {"id": "n", "label": "Note", "type": "textarea", "required": true},
        {"id": "k", "label": "Keep it?", "type": "checkbox", "options": null},
    ]});
    let actionable = json!([
        {"type": "open:url", "label": "Read", "url": "https://x.example"},
        {"type": "open:resource", "label": "See", "resourceType": "Record", "resourceId": "7"},
    ]);
    let automatic = json!([
        {"type": "refresh:data", "scope": "entity", "entityNames": ["Orders"]},
        {"type": "notification", "message": "done", "severity": "success", "duration": 0},
    ]);
    let all = json!({"message": "It is 3.", "reasoning": "1 + 2", "confidence": 0.75,
        "responseForm": form, "actionableCommands": actionable, "automaticCommands": automatic});
    let with = |more: Value| {
        let mut all = all.as_object().unwrap().clone();
        all.extend(more.as_object().unwrap().clone());
        decision(Value::Object(all))
    };
    let model = Model::new(vec![
        decision(json!({"message": "first", "confidence": 0.1, "nextStep": {"type": "Retry"}})),
        with(json!({"taskComplete": true})),
    ]);
    let (report, record) = run(&deciding(None), &model).await;
    assert_eq!(report.value, json!("It is 3."));
    assert_eq!(report.remarks.as_ref(), Some(&all));
    assert_eq!(report.to_json().to_json().unwrap()["remarks"], all);
    assert_eq!(record.remarks.as_ref(), Some(&all));
    // A question of a typed mission ends it as failed, with its remarks.
    let asks = with(json!({"nextStep": {"type": "Chat"}}));
    let report = run(&deciding(Some("(n :int) -> :int")), &Model::new(vec![asks])).await.0;
    assert_eq!((report.fail.unwrap().reason.as_str(), report.remarks), ("question", Some(all)));
    let stops = Model::new(vec![decision(json!({"message": "m", "nextStep": {"type": "Retry"}}))]);
    assert_eq!(run(&deciding(None).with_max_turns(1), &stops).await.0.remarks, None);
}

/// L57 to L61: the report has the commands of the reply that ends the run, in their order and with all their fields. Those
/// of an earlier reply are not in it.
#[tokio::test]
async fn l57_l58_l59_l60_l61_commands_of_the_last_reply() {
    let actionable = json!([
        {"type": "open:url", "label": "Read", "icon": "book", "url": "https://x.example", "newTab": false},
        {"type": "open:resource", "label": "See", "icon": "eye", "resourceType": "Dashboard",
            "entityName": "Orders", "resourceId": "7", "mode": "edit", "parameters": {"year": 2026}},
        {"type": "open:url", "label": "Write", "url": "mailto:ada@x.example"},
    ]);
    let automatic = json!([
        {"type": "notification", "message": "Done.", "severity": "warning", "duration": 0},
        {"type": "refresh:data", "scope": "entity", "entityNames": ["Orders", "Lines"]},
        {"type": "refresh:data", "scope": "cache", "cacheName": "AI"},
    ]);
    let early = json!({"type": "open:url", "label": "Early", "url": "https://x.example"});
    let model = Model::new(vec![
        decision(json!({"nextStep": {"type": "Retry"}, "actionableCommands": [early],
            "automaticCommands": [{"type": "notification", "message": "Early."}]})),
        decision(json!({"taskComplete": true, "message": "m", "actionableCommands": actionable,
            "automaticCommands": automatic})),
    ]);
    let (report, record) = run(&deciding(None), &model).await;
    let all =
        json!({"message": "m", "actionableCommands": actionable, "automaticCommands": automatic});
    assert_eq!((report.remarks.as_ref(), record.remarks.as_ref()), (Some(&all), Some(&all)));
    assert!(record.turn_records.iter().all(|it| it.notes == Some(Vec::new())));
}

/// L4, L57 to L60: parts of the wrong form are left out, with a note.
#[tokio::test]
async fn l4_malformed_remarks() {
    let question = |more: Value| {
        let mut question = json!({"id": "a", "label": "A", "type": "text"});
        question.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        question
    };
    let form = |questions: Value| json!({"responseForm": {"questions": questions}});
    let options =
        |options: Value| form(json!([question(json!({"type": "radio", "options": options}))]));
    let kinds = "text, textarea, email, number, currency, date, datetime, time, daterange, buttongroup, \
                 radio, dropdown, checkbox, slider";
    let command = |key: &str, command: Value| json!({key: [command]});
    let ignored = |key: &str, fault: &str| format!("command 1 of `{key}` was ignored: {fault}.");
    let unusable = |fault: &str| {
        format!(
            "question 1 of `responseForm` was ignored: {fault}.\n`responseForm` was ignored: it has no usable `questions`."
        )
    };
    let (user, host) = ("actionableCommands", "automaticCommands");
    let cases = [
        (json!({"reasoning": 1}), "`reasoning` is not a text, and was ignored.".to_string()),
        (
            json!({"confidence": "high"}),
            "`confidence` is not a number, and was ignored.".to_string(),
        ),
        (
            json!({"responseForm": []}),
            "`responseForm` was ignored: it has no usable `questions`.".to_string(),
        ),
        (form(json!([])), "`responseForm` was ignored: it has no usable `questions`.".to_string()),
        (form(json!([1])), unusable("it has no `id`")),
        (form(json!([question(json!({"label": null}))])), unusable("it has no `label`")),
        (
            form(json!([question(json!({"type": "poem"}))])),
            unusable(&format!("its `type` is none of {kinds}")),
        ),
        (options(json!([])), unusable("it has no `options`")),
        (options(json!([{"value": []}])), unusable("one of its options has no `value`")),
        (options(json!([{"value": 1}, {"value": 1}])), unusable("two of its options are 1")),
        (json!({user: {}}), format!("`{user}` is not a list, and was ignored.")),
        (
            command(user, json!({"type": "open:door"})),
            ignored(user, "its `type` is none of open:resource, open:url"),
        ),
        (
            command(user, json!({"type": "open:url", "label": "x", "url": "x.example"})),
            ignored(user, "its `url` is not an address with https:, http:, mailto:"),
        ),
        (
            command(user, json!({"type": "open:url", "label": "x", "url": "JavaScript:alert(1)"})),
            ignored(user, "its `url` is not an address with https:, http:, mailto:"),
        ),
        (
            command(user, json!({"type": "open:url", "label": "x", "url": "file:///etc/passwd"})),
            ignored(user, "its `url` is not an address with https:, http:, mailto:"),
        ),
        (
            command(user, json!({"type": "open:url", "url": "a:b"})),
            ignored(user, "it has no `label`"),
        ),
        (
            command(user, json!({"type": "open:url", "label": "x", "url": "https:x", "newTab": 1})),
            ignored(user, "its `newTab` is not true or false"),
        ),
        (
            command(
                user,
                json!({"type": "open:resource", "label": "x", "resourceType": "Page", "resourceId": "1"}),
            ),
            ignored(user, "its `resourceType` is not one of Record, Dashboard, Report, Form, View"),
        ),
        (
            command(
                user,
                json!({"type": "open:resource", "label": "x", "resourceType": "View", "resourceId": "1",
                    "parameters": []}),
            ),
            ignored(user, "its `parameters` is not an object"),
        ),
        (
            command(host, json!({"type": "refresh:data", "scope": "cache", "entityNames": [1]})),
            ignored(host, "its `entityNames` is not a list of texts"),
        ),
        (
            command(host, json!({"type": "notification", "message": "m", "duration": -1})),
            ignored(host, "its `duration` is not milliseconds"),
        ),
        (
            command(host, json!({"type": "refresh:data", "scope": "all"})),
            ignored(host, "its `scope` is not one of entity, cache"),
        ),
        (
            command(host, json!({"type": "notification", "message": 1})),
            ignored(host, "its `message` is not a text"),
        ),
    ];
    for (given, note) in cases {
        let mut reply = json!({"taskComplete": true, "message": "m"});
        reply.as_object_mut().unwrap().extend(given.as_object().unwrap().clone());
        let (report, record) = run(&deciding(None), &Model::new(vec![decision(reply)])).await;
        let notes = note.split('\n').map(str::to_string).collect();
        assert_eq!(record.turn_records[0].notes, Some(notes), "{given}");
        assert_eq!(report.remarks, Some(json!({"message": "m"})), "{given}");
    }
    // The other questions stay.
    let questions = json!([question(json!({})), question(json!({})), question(json!({"id": "b"}))]);
    let mut reply = form(questions);
    reply["taskComplete"] = true.into();
    reply["message"] = "m".into();
    let (report, record) = run(&deciding(None), &Model::new(vec![decision(reply)])).await;
    let left = json!([question(json!({})), question(json!({"id": "b"}))]);
    assert_eq!(report.remarks.unwrap()["responseForm"], json!({"questions": left}));
    let note = "question 2 of `responseForm` was ignored: another one has the id `a`.".to_string();
    assert_eq!(record.turn_records[0].notes, Some(vec![note]));
    let reply = json!({"taskComplete": true, "message": "m", "confidence": 1.7});
    let (report, record) = run(&deciding(None), &Model::new(vec![decision(reply)])).await;
    assert_eq!(report.remarks, Some(json!({"message": "m", "confidence": 1.0})));
    let note = "`confidence` is a number from 0 to 1, and was 1.7.".to_string();
    assert_eq!(record.turn_records[0].notes, Some(vec![note]));
}

/// L8, L32: a request to expand a message tells that it cannot be expanded.
#[tokio::test]
async fn l8_l32_expansion() {
    let expand = |index: Value| {
        decision(json!({"nextStep": {"type": "Retry", "messageIndex": index, "reason": "r"}}))
    };
    check(
        &deciding(None),
        vec![
            expand(json!(5)),
            expand(json!("five")),
            decision(json!({"taskComplete": true, "message": "m"})),
        ],
        &[
            "Go on with the mission.\n\nNote: message 5 cannot be expanded: do not ask again.",
            "Go on with the mission.\n\nNote: `messageIndex` is not the number of a message.",
        ],
    )
    .await;
}

/// L14, L17, L19: a run has the switches of its agent, and a sub-agent knows its caller.
#[tokio::test]
async fn l14_l17_l19_prompts_of_runs() {
    let mut switches = DecisionSwitches::default();
    assert!(switches.set("payload", false));
    let child = Agent::new("Greet.")
        .with_name("greeter")
        .with_answers(Answers::Decisions(DecisionsStyle::WHOLE));
    let agent = Agent::new("Work.")
        .with_answers(Answers::Decisions(DecisionsStyle::new(switches)))
        .with_name("boss")
        .with_payload(PayloadDef::new().with_start(json!({"a": 1})).unwrap())
        .with_tool(ToolDef::agent(child));
    let done = || decision(json!({"taskComplete": true, "message": "done"}));
    let model = Model::new(vec![
        decision(json!({
            "nextStep": {"type": "Sub-Agent", "subAgent": {"name": "greeter"}},
            "payloadChangeRequest": {"updateElements": {"a": 2}},
        })),
        done(),
        done(),
    ]);
    let report = run(&agent, &model).await.0;
    assert_eq!(report.payload.unwrap(), json!({"a": 2}));
    let requests = model.requests();
    let roles: Vec<String> = requests
        .iter()
        .map(|it| it.system.text().lines().nth(2).unwrap_or_default().to_string())
        .collect();
    let boss = "You are the top-level agent `boss`, with 1 sub-agent.";
    let greeter =
        "You are `greeter`, a sub-agent of `boss`. Your result returns to `boss`, not to the user.";
    assert_eq!(roles, [boss, greeter, boss]);
    let texts: Vec<&str> = requests[2].messages.iter().map(|it| it.text.as_str()).collect();
    assert_eq!(texts[0], "Work.\n\nn:\n1\n\nYou have at most 5 replies.");
    assert_eq!(texts[2], "Action results:\n\n## greeter ✓\ndone");
    assert!(!requests[0].system.text().contains("# Payload"));
}

/// L2, L29, M4, M14: `taskComplete` ends the task at once, each `Retry` asks once more, and rules in keys are dropped.
#[tokio::test]
async fn l2_l29_m14_the_end_of_the_task() {
    let retry = || decision(json!({"nextStep?": {"type:!empty": "Retry"}}));
    let done =
        || decision(json!({"taskComplete?": true, "message": "m", "recommendations:[3+]": [1]}));
    let agent = deciding(None);
    for retries in 0..3 {
        let replies = (0..retries).map(|_| retry()).chain([done()]).collect();
        let report = run(&agent, &Model::new(replies)).await.0;
        assert_eq!((report.turns, report.value), (retries + 1, Data::from(json!("m"))));
    }
}

/// L21: switches in an agent file.
#[test]
fn l21_switches_of_agent_files() {
    agent_file::check(
        "a.toml",
        "prompt = \"x\"\n[decisions]\npayload = false\npayloads = true\n",
        "a.toml:4:1: unknown key `payloads` | did you mean `payload`?",
    );
    agent_file::check(
        "a.toml",
        "prompt = \"x\"\n[decisions]\npayload = 1\n",
        "a.toml:3:11: `decisions.payload`: found integer `1`, expected true or false",
    );
    let text = "prompt = \"x\"\nanswers = \"decisions\"\n[decisions]\npayload = false\npayload_type = true\n";
    let (_folder, agent) = agent_file::read("a.toml", text);
    let mut switches = DecisionSwitches::default();
    assert!(switches.set("payload", false) && switches.set("payload_type", true));
    assert_eq!(agent.unwrap().answers, Answers::Decisions(DecisionsStyle::new(switches)));
}

/// L27: the sub-agent of a reply sees the change of that reply, and the change stays if the sub-agent fails.
#[tokio::test]
async fn l27_sub_agents_see_the_change() {
    let payload = || PayloadDef::new().with_start(json!({"a": 1})).unwrap();
    let child = Agent::new("Look.")
        .with_name("child")
        .with_answers(Answers::Decisions(DecisionsStyle::WHOLE));
    let agent = Agent::new("Work.")
        .with_answers(Answers::Decisions(DecisionsStyle::WHOLE))
        .with_payload(payload())
        .with_tool(ToolDef::agent(child.with_payload(payload()).with_max_turns(1)));
    let step = json!({"type": "Sub-Agent", "subAgent": {"name": "child"}});
    let change = |a: i64| decision(json!({"payloadChangeRequest": {"a": a}, "nextStep": step}));
    let own =
        decision(json!({"payloadChangeRequest": {"b": 3}, "taskComplete": true, "message": "m"}));
    let model = Model::new(vec![
        change(2),
        own,
        change(4),
        decision(json!({"nextStep": {"type": "Retry"}})),
        decision(json!({"taskComplete": true, "message": "done"})),
    ]);
    let report = run(&agent, &model).await.0;
    assert_eq!(report.payload.unwrap(), json!({"a": 4, "b": 3}));
    let first = |at: usize| model.requests()[at].messages[0].text.clone();
    let opening =
        |payload: &str| format!("Look.\n\nPayload at the start:\n{payload}\n\nYou have one reply.");
    assert_eq!(first(1), opening("{\"a\":2}"));
    assert_eq!(first(3), opening("{\"a\":4,\"b\":3}"));
}

/// L1: ten replies in a row that are not a decision stop the run.
#[tokio::test]
async fn l1_ten_malformed_replies_stop_the_run() {
    let replies = (0..10).map(|n| Reply::new(format!("I think {n}."))).collect();
    let report = run(&deciding(None).with_max_turns(20), &Model::new(replies)).await.0;
    assert_eq!((report.turns, report.ended_by()), (10, "malformed"));
    let message = "10 malformed replies in a row: the reply is not one JSON object";
    assert_eq!(report.error.unwrap().message, message);
}

/// JSON that is nested too deeply is told as no JSON object.
#[tokio::test]
async fn deep_json_is_no_decision() {
    let deep = format!("{}1{}", "{\"a\":".repeat(10_000), "}".repeat(10_000));
    let done = decision(json!({"taskComplete": true, "message": "m"}));
    check(
        &deciding(None),
        vec![Reply::new(deep), done],
        &["Retrying due to: The reply is not one JSON object. Reply with one raw JSON object: no \
           prose, no code block, no narration of actions."],
    )
    .await;
}
