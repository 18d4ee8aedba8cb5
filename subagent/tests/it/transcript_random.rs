//! Random conversations under random rules: a record tells each request, and a replayed or resumed run sends the same.

use proptest::prelude::*;
use ptc_subagent::provider::{Message, Reply};
use ptc_subagent::replay::{Replay, Resume};
use ptc_subagent::store::Store;
use ptc_subagent::tool::{CallContext, Effect, FnTool, ToolDef};
use ptc_subagent::{AfterExpiry, Agent, Answers, Mission, ResultRule, Stop, Transcript};
use serde_json::{Value, json};

use crate::styles::tools::calls;
use crate::support::program;
use crate::transcript::{check_pairs, done, messages, page, reader};
use crate::transcript_summaries::Summarizing;

/// A reply of the model: calls of the tools, or an expansion of a turn.
#[derive(Clone, Debug)]
enum Step {
    Calls(Vec<&'static str>),
    Expand(u32),
}

impl Step {
    /// Returns the reply of a turn. No two calls of a run are equal.
    fn reply(&self, turn: usize, is_program: bool) -> Reply {
        match self {
            Step::Calls(tools) => {
                let all: Vec<(&str, usize)> = tools.iter().copied().zip(10 * turn..).collect();
                if is_program {
                    let all = all.iter().map(|(tool, n)| format!("(tool/{tool} {{:n {n}}})"));
                    return Reply::new(program(&format!(
                        "[{}]",
                        all.collect::<Vec<_>>().join(" ")
                    )));
                }
                let all = all.iter().map(|(tool, n)| (*tool, json!({ "n": n }).to_string()));
                let all: Vec<(&str, String)> = all.collect();
                let all: Vec<(&str, &str)> =
                    all.iter().map(|(tool, arguments)| (*tool, arguments.as_str())).collect();
                calls(&all)
            }
            Step::Expand(turn) if is_program => {
                Reply::new(program(&format!("(transcript/expand {turn})")))
            }
            Step::Expand(turn) => calls(&[("expand", &json!({ "turn": turn }).to_string())]),
        }
    }
}

fn steps() -> impl Strategy<Value = Vec<Step>> {
    let tool = prop_oneof![Just("page"), Just("look")];
    let step = prop_oneof![
        3 => prop::collection::vec(tool, 1..4).prop_map(Step::Calls),
        1 => (1u32..6).prop_map(Step::Expand),
    ];
    prop::collection::vec(step, 1..8)
}

fn rule() -> impl Strategy<Value = ResultRule> {
    let after = prop_oneof![
        Just(AfterExpiry::Remove),
        Just(AfterExpiry::First),
        Just(AfterExpiry::Summary)
    ];
    (1u32..4, after, 0u32..300, any::<bool>()).prop_map(|(turns, after, length, keeps)| {
        ResultRule::default()
            .with_result_turns(turns)
            .with_result_after(after)
            .with_result_length(length)
            .with_keep_original(keeps)
    })
}

fn rules() -> impl Strategy<Value = Transcript> {
    let some = |most| prop::option::of(1u32..most);
    (some(5), some(5), prop::option::of(1_500u32..4_000), some(4), prop::option::of(rule()))
        .prop_map(|(window, reset_after, tokens, step, rule)| {
            let rule = rule.unwrap_or_default();
            let mut rules = Transcript::default();
            (rules.window, rules.reset_after, rules.tokens) = (window, reset_after, tokens);
            (rules.step, rules.result_turns) = (step, rule.result_turns);
            (rules.result_after, rules.result_length) = (rule.result_after, rule.result_length);
            rules.keep_original = rule.keep_original;
            rules
        })
}

/// Summarizes some results and fails for others.
fn summary(message: &str) -> Option<String> {
    (!message.len().is_multiple_of(3)).then(|| message.chars().rev().take(40).collect())
}

/// Checks a run of these steps.
async fn check(agent: &Agent, steps: &[Step], stops_after: usize) {
    let is_program = agent.answers == Answers::Program;
    let last = if is_program { Reply::new(program("(return \"done\")")) } else { done() };
    let replies: Vec<Reply> =
        steps.iter().zip(1..).map(|(it, turn)| it.reply(turn, is_program)).chain([last]).collect();
    let store = Store::in_memory().unwrap();
    let model = Summarizing::new(replies.clone(), summary);
    let mission = Mission::new(agent, json!({"n": 1})).record_in(&store);
    let report = mission.run(&model).await.unwrap();
    let whole = messages(&model.model);
    assert_eq!(whole.len(), replies.len());
    for messages in &whole {
        check_pairs(messages);
    }
    let recorded = |run: &str| -> Vec<Vec<Message>> {
        let record = store.show(run).unwrap();
        let turns = record.turn_records.iter();
        turns.map(|it| record.sent(it.turn, it.requests.last().unwrap().number).unwrap()).collect()
    };
    assert_eq!(recorded(report.run.as_str()), whole);
    let replayed = Replay::of(&store, report.run.as_str()).unwrap().run().await.unwrap();
    assert_eq!((replayed.differences, replayed.report), (Vec::new(), Some(report)));
    // The model does not reply any more, and the run is resumed.
    let stops_after = stops_after % replies.len();
    let model = Summarizing::new(replies[..stops_after].to_vec(), summary);
    let mission = Mission::new(agent, json!({"n": 1})).record_in(&store);
    let stopped = mission.run(&model).await.unwrap();
    assert_eq!(stopped.stop, Some(Stop::Provider));
    let model = Summarizing::new(replies[stops_after..].to_vec(), summary);
    let resume = Resume::of(&store, stopped.run.as_str()).unwrap();
    resume.mission(agent).unwrap().run(&model).await.unwrap();
    assert_eq!(messages(&model.model), whole[stops_after..]);
    assert_eq!(recorded(stopped.run.as_str()), whole);
    let replayed = Replay::of(&store, stopped.run.as_str()).unwrap().run().await.unwrap();
    assert_eq!(replayed.differences, []);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn a_replay_is_exact_under_any_rules(
        steps in steps(),
        rules in rules(),
        rule in prop::option::of(rule()),
        is_program in any::<bool>(),
        snapshots in any::<bool>(),
        stops_after in 0usize..9,
    ) {
        let look = |args: Value, _: CallContext| {
            std::future::ready(Ok(json!(page(args["n"].as_u64().unwrap()).repeat(2))))
        };
        let look = ToolDef::new("look", FnTool::new(look))
            .with_signature("(n :int) -> :string")
            .unwrap()
            .with_effect(Effect::Read);
        let answers = if is_program { Answers::Program } else { Answers::Tools };
        let mut agent =
            reader(answers).with_transcript(rules).with_snapshots(snapshots).with_tool(look);
        agent.tools[1].result = rule.unwrap_or_default();
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        runtime.block_on(check(&agent, &steps, stops_after));
    }
}
