//! The part of a conversation that is sent: windows, resets, results that expire, and expansions. A replay, a resumed run
//! and a branch send the same requests, and a record tells them.

use std::fs::File;
use std::io::BufReader;
use std::sync::Mutex;

use ptc_subagent::provider::{
    BoxFuture, CallResult, Message, Provider, ProviderError, ProviderErrorKind, Reply, Request,
    Role,
};
use ptc_subagent::replay::{Replay, Resume};
use ptc_subagent::store::Store;
use ptc_subagent::tool::{CallContext, Effect, FnTool, ToolDef};
use ptc_subagent::{
    AfterExpiry, Agent, Answers, DecisionsStyle, Event, Mission, PayloadDef, ResultRule, Stop,
    Transcript, TranscriptDeed,
};
use serde_json::{Value, json};

use crate::styles::tools::{Model, agent, calls};
use crate::support::program;

/// Returns an agent whose tool `page` gives a long text.
pub(crate) fn reader(answers: Answers) -> Agent {
    let page = |args: Value, _: CallContext| {
        std::future::ready(Ok(json!(page(args["n"].as_u64().unwrap()))))
    };
    Agent::new("Read {{n}} pages.").with_answers(answers).with_max_turns(9).with_tool(
        ToolDef::new("page", FnTool::new(page))
            .with_signature("(n :int) -> :string")
            .unwrap()
            .with_effect(Effect::Read),
    )
}

/// Returns the text of a page.
pub(crate) fn page(number: u64) -> String {
    format!("page {number} ").repeat(150)
}

pub(crate) fn read(n: i64) -> Reply {
    calls(&[("page", &json!({ "n": n }).to_string())])
}

pub(crate) fn done() -> Reply {
    Reply::new("done")
}

/// Runs a mission of four calls and returns the conversation of each request.
async fn asked(transcript: Transcript) -> Vec<Vec<Message>> {
    asked_by(&reader(Answers::Tools).with_transcript(transcript), || {
        vec![read(1), read(2), read(3), read(4), done()]
    })
    .await
}

/// Runs a mission and returns the conversation of each request. Checks that the record tells it, and that a replay, a
/// resumed run and a branch have the same.
async fn asked_by(agent: &Agent, replies: impl Fn() -> Vec<Reply>) -> Vec<Vec<Message>> {
    let store = Store::in_memory().unwrap();
    let model = Model::new(replies());
    let mission = Mission::new(agent, json!({"n": 1})).record_in(&store);
    let report = mission.run(&model).await.unwrap();
    let replay = Replay::of(&store, report.run.as_str()).unwrap();
    assert_eq!(replay.run().await.unwrap().differences, []);
    let whole = messages(&model);
    assert_eq!(whole.len(), replies().len());
    let record = store.show(report.run.as_str()).unwrap();
    for (sent, turn) in whole.iter().zip(1..) {
        assert_eq!(record.sent(turn, 1).as_ref(), Some(sent), "{turn}");
        assert_eq!(record.turn_records[turn as usize - 1].requests[0].messages, None);
    }
    // A run that stops after any reply and is resumed sends the same, and so does a branch of its record.
    for snapshots in [false, true] {
        for turns in 1..replies().len() {
            let agent = agent.clone().with_snapshots(snapshots);
            let model = Model::new(replies().into_iter().take(turns).collect());
            let mission = Mission::new(&agent, json!({"n": 1})).record_in(&store);
            let stopped = mission.run(&model).await.unwrap();
            assert_eq!(stopped.stop, Some(Stop::Provider));
            let model = Model::new(replies().into_iter().skip(turns).collect());
            let resume = Resume::of(&store, stopped.run.as_str()).unwrap();
            resume.mission(&agent).unwrap().run(&model).await.unwrap();
            assert_eq!(messages(&model), whole[turns..], "{snapshots} {turns}");
            let replay = Replay::of(&store, stopped.run.as_str()).unwrap();
            assert_eq!(replay.run().await.unwrap().differences, []);
        }
    }
    let model = Model::new(replies().into_iter().skip(3).collect());
    let replay = Replay::of(&store, report.run.as_str()).unwrap();
    replay.branch(agent, 3).run(&model).await.unwrap();
    assert_eq!(messages(&model), whole[3..]);
    whole
}

pub(crate) fn messages(model: &Model) -> Vec<Vec<Message>> {
    model.requests().into_iter().map(|it| it.messages).collect()
}

/// Returns what the first message of a request has behind the mission.
fn summary(messages: &[Message]) -> Option<&str> {
    let mission = "Read 1 pages.\n\nYou have at most 9 replies.";
    let rest = messages[0].text.strip_prefix(mission).unwrap();
    rest.strip_prefix(
        "\n\n# Earlier turns\n\nThese turns are left out of the conversation, except for the following:\n",
    )
}

/// Checks that every result follows its call.
pub(crate) fn check_pairs(messages: &[Message]) {
    for pair in messages[1..].chunks(2) {
        let [reply, told] = pair else { panic!("{pair:?}") };
        assert_eq!((reply.role, told.role), (Role::Assistant, Role::User));
        let ids = |it: &[CallResult]| it.iter().map(|it| it.id.clone()).collect::<Vec<_>>();
        let asked: Vec<String> = reply.calls.iter().map(|it| it.id.clone()).collect();
        assert_eq!(asked, ids(&told.results));
    }
}

fn turn(number: u64) -> String {
    let told: String = page(number).chars().take(300).collect();
    format!(
        "- turn {number}: you wrote \"page {{\\\"n\\\":{number}}}\", and were told \"{told} …\""
    )
}

/// R22: the conversation is bounded, and a summary has the turns before the window.
#[tokio::test]
async fn r22_a_window_with_a_summary() {
    let asked = asked(Transcript::default().with_window(2)).await;
    for it in &asked {
        check_pairs(it);
    }
    let sizes: Vec<usize> = asked.iter().map(Vec::len).collect();
    assert_eq!(sizes, [1, 3, 5, 5, 5]);
    let summaries: Vec<_> = asked.iter().map(|it| summary(it)).collect();
    let both = [turn(1), turn(2)].join("\n");
    assert_eq!(summaries, [None, None, None, Some(turn(1).as_str()), Some(both.as_str())]);
}

/// R23: after a number of turns, the conversation begins anew with a summary.
#[tokio::test]
async fn r23_a_reset_with_a_summary() {
    let asked = asked(Transcript::default().with_reset_after(2)).await;
    let sizes: Vec<usize> = asked.iter().map(Vec::len).collect();
    assert_eq!(sizes, [1, 3, 5, 3, 5]);
    let both = [turn(1), turn(2)].join("\n");
    assert_eq!(summary(&asked[3]), Some(both.as_str()));
    assert_eq!(summary(&asked[4]), Some(both.as_str()));
}

#[tokio::test]
async fn results_of_calls_expire() {
    let asked = asked(Transcript::default().with_keep_results(2)).await;
    for it in &asked {
        check_pairs(it);
    }
    let results = asked[4].iter().flat_map(|it| &it.results).map(|it| it.text.as_str());
    let expired = |turn| {
        format!(
            "[what you were told after turn {turn} has expired. Call `expand` with the turn {turn} to see it whole.]"
        )
    };
    assert_eq!(results.collect::<Vec<_>>(), [&expired(1), &expired(2), &page(3), &page(4)]);
}

/// Replay, resume and branch are exact under any rules.
#[tokio::test]
async fn every_rule_is_on_record() {
    let rules = Transcript::default;
    let after = |after| rules().with_result_turns(1).with_result_after(after);
    for rules in [
        rules(),
        rules().with_window(1),
        rules().with_window(3).with_step(2),
        rules().with_tokens(600),
        rules().with_tokens(900).with_window(3).with_result_length(20),
        after(AfterExpiry::First).with_result_length(50),
        after(AfterExpiry::First).with_step(3),
        after(AfterExpiry::Remove).with_window(2).with_keep_original(false),
    ] {
        for it in asked(rules).await {
            check_pairs(&it);
        }
    }
    // The rule of a tool decides, also behind a snapshot.
    let agent = reader(Answers::Program).with_transcript(rules().with_result_turns(3));
    let mut agent = agent.with_tool(
        ToolDef::new(
            "look",
            FnTool::new(|_: Value, _: CallContext| std::future::ready(Ok(json!(page(9))))),
        )
        .with_effect(Effect::Read),
    );
    agent.tools[1].result = ResultRule::default().with_result_turns(1);
    let replies = [
        "(tool/look {})",
        "(tool/page {:n 1})",
        "(tool/look {})",
        "(tool/page {:n 2})",
        "(return 1)",
    ];
    let asked =
        asked_by(&agent, || replies.iter().map(|it| Reply::new(program(it))).collect()).await;
    let shortened: Vec<bool> =
        asked[4].iter().skip(2).step_by(2).map(|it| it.text.contains("[Compacted: ")).collect();
    assert_eq!(shortened, [true, false, true, false]);
}

/// L8, L30, L31, M103: in every style, the text that is left says how the model gets the whole one back, and the next request
/// has it.
#[tokio::test]
async fn l8_l30_l31_m103_expansion_in_every_style() {
    type Case = (Answers, &'static str, fn(i64) -> Reply, Reply, Reply);

    let rules = Transcript::default().with_result_turns(1).with_result_length(30);
    let cases: [Case; 4] = [
        (
            Answers::Program,
            "`(transcript/expand 1)` shows it whole.",
            |n| Reply::new(program(&format!("(tool/page {{:n {n}}})"))),
            Reply::new(program("(transcript/expand 1)")),
            Reply::new(program("(return \"done\")")),
        ),
        (
            Answers::Tools,
            "Call `expand` with the turn 1 to see it whole.",
            read,
            calls(&[("expand", r#"{"turn": 1}"#)]),
            done(),
        ),
        (
            Answers::React,
            "The action `expand` with the turn 1 shows it whole.",
            |n| Reply::new(format!("Action: page\nAction Input: {{\"n\": {n}}}")),
            Reply::new("Action: expand\nAction Input: {\"turn\": 1}"),
            Reply::new("Final Answer: done"),
        ),
        (
            Answers::Decisions(DecisionsStyle::WHOLE),
            "The step `Retry` with the `messageIndex` 1 shows it whole.",
            |n| {
                let actions = json!([{"name": "page", "params": {"n": n}}]);
                let next = json!({"type": "Actions", "actions": actions});
                Reply::new(json!({ "nextStep": next }).to_string())
            },
            Reply::new(json!({"nextStep": {"type": "Retry", "messageIndex": 1}}).to_string()),
            Reply::new(json!({"taskComplete": true, "message": "done"}).to_string()),
        ),
    ];
    for (answers, hint, read, expand, last) in cases {
        let name = answers.name().to_string();
        let agent = reader(answers).with_transcript(rules.clone());
        let replies = || vec![read(1), read(2), expand.clone(), read(3), last.clone()];
        let asked = asked_by(&agent, replies).await;
        let told = |at: usize| {
            let message = &asked[at][2];
            message.results.first().map_or(&message.text, |it| &it.text).clone()
        };
        let whole = told(1);
        assert!(whole.contains(&page(1)[..100]), "{name}: {whole}");
        // It is short in the third request, whole in the fourth and the fifth, since it counts as new.
        let head: String = whole.chars().take(30).collect();
        let length = whole.chars().count();
        let short = format!(
            "{head}...\n\n[Compacted: showing first 30 of {length} characters. Agent can request expansion if \
             needed.]\n[{hint}]"
        );
        assert_eq!(told(2), short, "{name}");
        assert_eq!(told(3), whole, "{name}");
        assert_eq!(told(4), short, "{name}");
        let store = Store::in_memory().unwrap();
        let report = Mission::new(&agent, json!({"n": 1}))
            .record_in(&store)
            .run(&Model::new(replies()))
            .await
            .unwrap();
        let record = store.show(report.run.as_str()).unwrap();
        // The message about the expansion is too short to be shortened in some styles.
        let deeds: Vec<Vec<(TranscriptDeed, u32)>> = record
            .turn_records
            .iter()
            .map(|it| {
                let deeds = it.requests[0].changes.iter().map(|it| (it.did, it.turn));
                deeds.filter(|it| it.1 != 3).collect()
            })
            .collect();
        let (short, whole) = (TranscriptDeed::Shortened, TranscriptDeed::Expanded);
        assert_eq!(
            deeds,
            [vec![], vec![], vec![(short, 1)], vec![(whole, 1), (short, 2)], vec![(short, 1)]],
            "{name}"
        );
        assert_eq!(report.tool_calls, 3, "{name}");
    }
}

/// L32, M105: an expansion that is not possible is refused, with the reason.
#[tokio::test]
async fn l32_m105_expansions_that_are_refused() {
    let rules = Transcript::default().with_result_turns(1).with_keep_original(false);
    let agent = reader(Answers::Tools).with_transcript(rules);
    let expand = |turn: u32| calls(&[("expand", &json!({ "turn": turn }).to_string())]);
    let model =
        Model::new(vec![expand(1), read(1), read(2), expand(2), expand(3), expand(9), done()]);
    Mission::new(&agent, json!({"n": 1})).run(&model).await.unwrap();
    let newest =
        messages(&model).into_iter().skip(1).map(|it| it.last().unwrap().results[0].text.clone());
    let newest: Vec<String> = newest.collect();
    let why = |turn: u32, why: &str| {
        format!(
            "Error executing expand: tool `transcript/expand`: cannot show turn {turn} again: {why}"
        )
    };
    assert_eq!(newest[0], why(1, "this is the first turn"));
    assert_eq!(
        newest[3],
        why(2, "its rule does not keep the original (`keep_original = false`). Do not ask again")
    );
    assert_eq!(
        newest[4],
        why(3, "its rule does not keep the original (`keep_original = false`). Do not ask again")
    );
    assert_eq!(newest[5], why(9, "the turns so far are 1 to 5"));
}

/// L35, L36, L48: the results of a loop are in the next prompt alone, and what the model stores in that turn stays.
#[tokio::test]
async fn l35_l36_l48_results_of_loops_are_there_once() {
    let each = json!({"type": "ForEach", "forEach": {"collectionPath": "payload.xs",
        "action": {"name": "add", "params": {"x": "item", "y": 70}}}});
    let again = json!({"type": "While", "while": {"condition": "results.length < 2",
        "action": {"name": "add", "params": {"x": "attempt.attemptNumber", "y": 80}}}});
    let decision = |step: &Value, change: Value| {
        let decision = json!({"nextStep": step, "payloadChangeRequest": change});
        Reply::new(decision.to_string())
    };
    let retry = json!({"type": "Retry"});
    for (step, marks) in [(each, ["71", "72"]), (again, ["81", "82"])] {
        let (agent, _) = agent(None);
        let agent: Agent = agent
            .with_answers(Answers::Decisions(DecisionsStyle::WHOLE))
            .with_max_turns(9)
            .with_transcript(Transcript::default().with_keep_results(1))
            .with_payload(PayloadDef::new().with_start(json!({"xs": [1, 2]})).unwrap());
        let model = Model::new(vec![
            decision(&step, json!({})),
            decision(&retry, json!({"newElements": {"kept": "the first sum"}})),
            decision(&retry, json!({})),
            Reply::new(json!({"taskComplete": true, "message": "done"}).to_string()),
        ]);
        let report = Mission::new(&agent, json!({"n": 1})).run(&model).await.unwrap();
        assert_eq!(report.value, json!("done"));
        let texts: Vec<String> = messages(&model)
            .iter()
            .map(|it| it.iter().flat_map(|it| [it.text.as_str(), "\n"]).collect())
            .collect();
        for mark in marks {
            let has: Vec<bool> = texts.iter().map(|it| it.contains(&format!("\n{mark}"))).collect();
            assert_eq!(has, [false, true, false, false], "{mark}");
        }
        let kept: Vec<bool> = texts.iter().map(|it| it.contains("the first sum")).collect();
        assert_eq!(kept[2..], [true, true]);
        let payload = serde_json::to_value(report.payload).unwrap();
        assert_eq!(payload["kept"], "the first sum");
    }
}

/// Returns the number of bytes of a request.
fn size(request: &Request) -> usize {
    let messages = request.messages.iter().map(|it| {
        let results = it.results.iter().map(|it| it.text.len()).sum::<usize>();
        let calls = it.calls.iter().map(|it| it.name.len() + it.arguments.len()).sum::<usize>();
        it.text.len() + results + calls
    });
    let tools = request.tools.iter();
    let tools =
        tools.map(|it| it.name.len() + it.description.len() + it.parameters.to_string().len());
    request.system.len() + messages.chain(tools).sum::<usize>()
}

/// M98: forty long results stay within the most tokens of a request, one comes back, and the run is replayed.
#[tokio::test]
async fn m98_forty_long_results_stay_within_their_tokens() {
    let agent = reader(Answers::Tools)
        .with_max_turns(50)
        .with_transcript(Transcript::default().with_tokens(5_000).with_result_length(100));
    let replies = || {
        let mut replies: Vec<Reply> = (1..=40).map(read).collect();
        replies.extend([calls(&[("expand", r#"{"turn": 7}"#)]), done()]);
        replies
    };
    let store = Store::in_memory().unwrap();
    let model = Model::new(replies());
    let mission = Mission::new(&agent, json!({"n": 40})).record_in(&store);
    let report = mission.run(&model).await.unwrap();
    let requests = model.requests();
    for request in &requests {
        assert!(size(request) as f64 / 3.3 <= 5_000.0);
    }
    let has = |at: usize| {
        requests[at].messages.iter().flat_map(|it| &it.results).any(|it| it.text == page(7))
    };
    assert_eq!([has(39), has(40), has(41)], [false, false, true]);
    let replay = Replay::of(&store, report.run.as_str()).unwrap();
    assert_eq!(replay.run().await.unwrap().differences, []);
}

/// Each request begins with the one before it, unless a rule ran. Rules run in steps, so the share of bytes that a server
/// reads anew stays small.
#[tokio::test]
async fn rules_run_in_steps_so_that_caches_of_prompts_survive() {
    let share = async |rules: Transcript| {
        let agent = reader(Answers::Tools).with_max_turns(99).with_transcript(rules);
        let replies = (1..=60).map(read).chain([done()]).collect();
        let model = Model::new(replies);
        let store = Store::in_memory().unwrap();
        let report =
            Mission::new(&agent, json!({"n": 1})).record_in(&store).run(&model).await.unwrap();
        let record = store.show(report.run.as_str()).unwrap();
        let texts: Vec<String> =
            messages(&model).iter().map(|it| serde_json::to_string(it).unwrap()).collect();
        let (mut new, mut all) = (0, 0);
        for (pair, turn) in texts.windows(2).zip(2..) {
            let same = pair[0].bytes().zip(pair[1].bytes()).take_while(|(one, other)| one == other);
            let same = same.count();
            // Without a change, all but the bracket that closes the list stays.
            let is_unchanged = record.turn_records[turn - 1].requests[0].changes.is_empty();
            assert_eq!(same == pair[0].len() - 1, is_unchanged, "{turn}");
            (new, all) = (new + pair[1].len() - same, all + pair[1].len());
        }
        100 * new / all
    };
    let rules = Transcript::default;
    let every_turn = share(rules().with_window(16).with_step(1)).await;
    let in_steps = share(rules().with_window(16)).await;
    assert!(3 * in_steps < every_turn, "{in_steps} {every_turn}");
    let every_turn = share(rules().with_result_turns(16).with_step(1)).await;
    let in_steps = share(rules().with_result_turns(16)).await;
    assert!(3 * in_steps < every_turn, "{in_steps} {every_turn}");
}

/// L25: from the third failure of a tool in a row on, the model is told how many there were.
#[tokio::test]
async fn l25_the_third_failure_of_a_tool_is_told() {
    for answers in [Answers::Tools, Answers::Program] {
        let is_program = matches!(answers, Answers::Program);
        let (agent, _) = agent(None);
        let agent = agent.with_answers(answers).with_max_turns(9);
        let call = |tool: &str, args: &Value| {
            if is_program {
                let args = args.to_string().replace(':', " ");
                Reply::new(program(&format!("(call \"{tool}\" {args})")))
            } else {
                calls(&[(tool, &args.to_string())])
            }
        };
        let fail = |n: u32| call("boom", &json!({ "n": n }));
        let add = call("add", &json!({"x": 1, "y": 2}));
        let last = if is_program { Reply::new(program("(return 1)")) } else { done() };
        let model = Model::new(vec![fail(1), fail(2), add, fail(3), fail(4), last]);
        Mission::new(&agent, json!({"n": 1})).run(&model).await.unwrap();
        let newest = messages(&model).into_iter().skip(1).map(|it| it.last().unwrap().clone());
        let told: Vec<Option<u32>> = newest
            .map(|it| {
                let text =
                    it.text + &it.results.iter().map(|it| it.text.as_str()).collect::<String>();
                (3..9).find(|n| text.contains(&format!("`boom` has failed {n} times in a row")))
            })
            .collect();
        assert_eq!(told, [None, None, None, Some(3), Some(4)]);
    }
}

/// M104: the rule of a run goes before that of a tool, which the record of the run has.
#[tokio::test]
async fn m104_a_run_has_rules_of_its_own() {
    let mut agent = reader(Answers::Tools);
    agent.tools[0].result = ResultRule::default().with_result_turns(9);
    let rules = Transcript::default().with_keep_results(1);
    let replies = || vec![read(1), read(2), done()];
    let (store, model) = (Store::in_memory().unwrap(), Model::new(replies()));
    let mission = Mission::new(&agent, json!({"n": 1})).with_transcript(rules).record_in(&store);
    let report = mission.run(&model).await.unwrap();
    let last = messages(&model).pop().unwrap();
    assert!(last[2].results[0].text.starts_with("[what you were told after turn 1 has expired"));
    let replayed = Replay::of(&store, report.run.as_str()).unwrap().run().await.unwrap();
    assert_eq!(replayed.differences, []);
}

/// M106: the events of a run tell each change of what is sent: what it did, the turn, and the tokens that it saves.
#[tokio::test]
async fn m106_events_tell_what_the_rules_did() {
    let rules = Transcript::default().with_result_turns(1).with_result_length(30);
    let mut agent = reader(Answers::Tools).with_transcript(rules).with_tool(
        ToolDef::new(
            "look",
            FnTool::new(|_: Value, _: CallContext| std::future::ready(Ok(json!(page(9))))),
        )
        .with_effect(Effect::Read),
    );
    agent.tools[1].result = ResultRule::default().with_result_after(AfterExpiry::Remove);
    let expand = calls(&[("expand", r#"{"turn": 1}"#)]);
    let model = Model::new(vec![read(1), calls(&[("look", "{}")]), expand, done()]);
    let told = Mutex::new(Vec::new());
    let mission = Mission::new(&agent, json!({"n": 1})).observe(|run, event| {
        if let Event::ModelAsked { turn, changes, .. } = event {
            for change in changes {
                let gain = change.tokens_saved.signum();
                told.lock().unwrap().push((*turn, change.did, change.turn, gain));
            }
            let json = event.to_json(run).to_json().unwrap();
            let changes = (!changes.is_empty()).then(|| json!(changes));
            assert_eq!(json.get("changes"), changes.as_ref());
        }
    });
    mission.run(&model).await.unwrap();
    assert_eq!(
        told.into_inner().unwrap(),
        [
            (3, TranscriptDeed::Shortened, 1, 1),
            (4, TranscriptDeed::Expanded, 1, -1),
            (4, TranscriptDeed::Removed, 2, 1)
        ]
    );
}

/// A result that was cut, since it was too long for the model, does not come back.
#[tokio::test]
async fn a_result_that_was_cut_is_refused() {
    struct Small(Model);

    impl Provider for Small {
        fn complete<'a>(
            &'a self,
            request: &'a Request,
        ) -> BoxFuture<'a, Result<Reply, ProviderError>> {
            let is_cut =
                request.messages.iter().flat_map(|it| &it.results).all(|it| it.text.len() < 30_000);
            if is_cut {
                return self.0.complete(request);
            }
            let error = ProviderError::new(ProviderErrorKind::Context, "too long");
            Box::pin(std::future::ready(Err(error)))
        }

        fn name(&self) -> String {
            "small".to_string()
        }
    }

    let mut agent =
        reader(Answers::Tools).with_transcript(Transcript::default().with_result_turns(5));
    agent.prompt_limits.string_truncate = 100_000;
    agent = agent.with_tool(
        ToolDef::new(
            "book",
            FnTool::new(|_: Value, _: CallContext| {
                std::future::ready(Ok(json!(page(9).repeat(30))))
            }),
        )
        .with_effect(Effect::Read),
    );
    let expand = calls(&[("expand", r#"{"turn": 1}"#)]);
    let model = Small(Model::new(vec![calls(&[("book", "{}")]), expand, done()]));
    Mission::new(&agent, json!({"n": 1})).run(&model).await.unwrap();
    let last = messages(&model.0).pop().unwrap();
    assert_eq!(
        last[4].results[0].text,
        "Error executing expand: tool `transcript/expand`: cannot show turn 1 again: it was too long for the model. Do \
         not ask again"
    );
}

/// Earlier versions recorded the messages of requests. Their records tell the same, replay exactly, and can be continued.
#[tokio::test]
async fn records_with_messages_replay() {
    let store = Store::in_memory().unwrap();
    let export = include_str!("stores/windows.jsonl");
    let run = store.import(None, export.as_bytes()).unwrap().remove(0);
    let record = store.show(run.as_str()).unwrap();
    let recorded: Vec<Vec<Message>> = (3..=6)
        .map(|turn| {
            let sent = record.sent(turn, 1).unwrap();
            let request = &record.turn_records[turn as usize - 1].requests[0];
            assert_eq!(request.messages.as_ref(), Some(&sent), "{turn}");
            sent
        })
        .collect();
    let replayed = Replay::of(&store, run.as_str()).unwrap().run().await.unwrap();
    assert_eq!(replayed.differences, []);
    // A branch goes on from the messages of the request before it.
    let page = |_: Value, _: CallContext| std::future::ready(Ok(json!("A short page.")));
    let agent = Agent::new("Read the pages 1 to 5.")
        .with_answers(Answers::Tools)
        .with_max_turns(9)
        .with_transcript(Transcript::default().with_window(3).with_keep_results(1))
        .with_tool(
            ToolDef::new("page", FnTool::new(page))
                .with_signature("(n :int) -> :string")
                .unwrap()
                .with_effect(Effect::Read),
        );
    let model = Model::new(vec![done()]);
    let replay = Replay::of(&store, run.as_str()).unwrap();
    replay.branch(&agent, 5).run(&model).await.unwrap();
    let sent = messages(&model).remove(0);
    // It leaves turn 2 out too, whose line is the second one of the summary.
    assert_eq!(sent[..4], recorded[3][..4]);
    let expired = "[what you were told after turn 4 has expired. Call `expand` with the turn 4 to see it whole.]";
    assert_eq!(sent[4].results[0].text, expired);
    assert_eq!(sent.len(), recorded[3].len());
    check_pairs(&sent);
}

/// Two equal calls of one reply, whose result is a long text, replay the same with and without snapshots.
#[tokio::test]
async fn equal_calls_of_one_reply_replay_the_same() {
    for snapshots in [false, true] {
        let agent = reader(Answers::Tools).with_snapshots(snapshots);
        let page = ("page", r#"{"n":1}"#);
        let replies = || vec![calls(&[page, page]), calls(&[page, page]), done()];
        let asked = asked_by(&agent, replies).await;
        assert_eq!(asked.len(), 3, "snapshots: {snapshots}");
    }
}

/// A long result of a native call is stored once for its call and for what the model was told.
#[tokio::test]
async fn results_of_native_calls_are_stored_once() {
    let text = |n: u64| if n == 3 { "short".to_string() } else { format!("{n:>9} ").repeat(2_000) };
    let long = move |args: Value, _: CallContext| {
        std::future::ready(Ok(json!(text(args["n"].as_u64().unwrap()))))
    };
    let tool = ToolDef::new("long", FnTool::new(long))
        .with_signature("(n :int) -> :string")
        .unwrap()
        .with_effect(Effect::Read);
    let mut agent =
        Agent::new("Read.").with_answers(Answers::Tools).with_max_turns(11).with_tool(tool);
    agent.prompt_limits.string_truncate = 20_000;
    let call = |n: u32| ("long", json!({ "n": n }).to_string());
    let replies = (0..10).map(|turn| {
        let all = [call(3 * turn + 1), call(3 * turn + 2), call(3 * turn + 3)];
        let all: Vec<(&str, &str)> = all.iter().map(|it| (it.0, it.1.as_str())).collect();
        calls(&all)
    });
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("s.sqlite");
    let store = Store::open(&path).unwrap();
    let model = Model::new(replies.chain([done()]).collect());
    let report = Mission::new(&agent, json!({})).record_in(&store).run(&model).await.unwrap();
    let told = messages(&model).pop().unwrap();
    let record = store.show(report.run.as_str()).unwrap();
    assert_eq!(record.sent(11, 1), Some(told));
    let replay = Replay::of(&store, report.run.as_str()).unwrap();
    assert_eq!(replay.run().await.unwrap().differences, []);
    let exported = folder.path().join("runs.jsonl");
    store.export(&[report.run.as_str()], None, File::create(&exported).unwrap()).unwrap();
    let other = Store::in_memory().unwrap();
    other.import(None, BufReader::new(File::open(&exported).unwrap())).unwrap();
    let events = |of: &Store| {
        let run = report.run.to_string();
        of.read(move |it| it.events(&run)).unwrap()
    };
    assert_eq!(events(&other), events(&store));
    drop(store);
    let stored = std::fs::metadata(&path).unwrap().len();
    let results = 29 * 20_000;
    // A call also has its value as the program of the style returned it.
    assert!(stored < 5 * results / 2, "{stored} bytes for {results}");
}
