//! Settings of a run: which tools, ceilings and rules its agents have, and what is on record of them.

use std::sync::{Arc, Mutex};

use ptc_subagent::host::{Decisions, Running, Task, Watch};
use ptc_subagent::provider::{
    BoxFuture, ModelCall, Provider, ProviderError, Reply, Request, Scripted,
};
use ptc_subagent::replay::{Replay, Resume, differences};
use ptc_subagent::store::{RunRecord, Store};
use ptc_subagent::tool::{Effect, FnTool, ToolDef};
use ptc_subagent::{
    Agent, Answers, Data, DecisionsStyle, Earlier, Error, ErrorKind, Event, Mission, Policy,
    RunBudget, RunChange, RunReport, RunSettings, Scope, Stop, Transcript,
};
use serde_json::{Value, json};

use crate::support::{Model, exported, program, scripted_by};

/// The names of the tools that were called.
type Calls = Arc<Mutex<Vec<String>>>;

fn tool(name: &'static str, effect: Effect, calls: &Calls) -> ToolDef {
    let calls = Arc::clone(calls);
    let function = FnTool::new(move |_: Value, _| {
        calls.lock().unwrap().push(name.to_string());
        async move { Ok(json!(name)) }
    });
    let tool = ToolDef::new(name, function).with_signature("() -> :string").unwrap();
    tool.with_effect(effect).with_description(format!("The {name} of a desk."))
}

/// A tree of three levels, in which each agent reads and writes, and the lowest one can call itself.
fn desk(calls: &Calls) -> Agent {
    let own = |prompt: &str, name: &str| {
        Agent::new(prompt)
            .with_name(name)
            .with_tool(tool("orders", Effect::Read, calls))
            .with_tool(tool("refund", Effect::Write, calls))
    };
    let clerk = own("The clerk.", "clerk").with_tool(ToolDef::itself("again"));
    let lead = own("The lead.", "lead").with_tool(ToolDef::agent(clerk));
    own("The desk.", "desk").with_tool(ToolDef::agent(lead))
}

/// Returns the names of the tools of every agent of a tree, as `desk: orders refund lead`.
fn tools(agent: &Agent) -> Vec<String> {
    let names: Vec<&str> = agent.tools.iter().map(|it| it.name.as_str()).collect();
    let mut all = vec![format!("{}: {}", agent.name, names.join(" "))];
    for below in agent.tools.iter().filter_map(ToolDef::sub_agent) {
        all.extend(tools(below));
    }
    all
}

/// Returns the tools of the tree with the settings, and the warnings.
fn settled(settings: &RunSettings) -> (Vec<String>, Vec<String>) {
    let agent = desk(&Calls::default());
    let before = tools(&agent);
    let (effective, warnings) = settings.agent_of(&agent);
    // M58: the definition stays as it is.
    assert_eq!(tools(&agent), before);
    (tools(&effective), warnings.into_iter().map(|it| it.message).collect())
}

fn parsed(toml: &str) -> Result<RunSettings, Error> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("s.toml");
    std::fs::write(&path, toml).unwrap();
    RunSettings::read(&path)
}

/// Compares the tools of the tree with the settings of a file.
fn check(toml: &str, expected: &[&str]) {
    let (found, warnings) = settled(&parsed(toml).unwrap());
    assert_eq!(found, expected, "{toml}");
    assert_eq!(warnings, [""; 0], "{toml}");
}

const WHOLE: [&str; 3] =
    ["desk: orders refund lead", "lead: orders refund clerk", "clerk: orders refund again"];

#[test]
fn m50_names_of_agents_and_none() {
    check("", &WHOLE);
    check("tools.remove = [\"refund\"]\nfor = []", &WHOLE);
    check(
        "tools.remove = [\"refund\"]\nfor = [\"lead\"]",
        &[WHOLE[0], "lead: orders clerk", WHOLE[2]],
    );
}

#[test]
fn m51_m52_m53_scopes() {
    let [desk, lead, clerk] = ["desk: orders lead", "lead: orders clerk", "clerk: orders again"];
    check("tools.remove = [\"refund\"]", &[desk, lead, clerk]);
    check("tools.remove = [\"refund\"]\nfor = \"all\"", &[desk, lead, clerk]);
    check("tools.remove = [\"refund\"]\nfor = \"root\"", &[desk, WHOLE[1], WHOLE[2]]);
    check("tools.remove = [\"refund\"]\nfor = \"children\"", &[WHOLE[0], lead, clerk]);
}

#[test]
fn m54_names_reach_deep_runs() {
    let lowest = [WHOLE[0], WHOLE[1], "clerk: orders again"];
    check("tools.remove = [\"refund\"]\nfor = [\"clerk\"]", &lowest);
}

/// M55: changes hold in their order, so that one can replace a tool of another.
#[test]
fn m55_changes_in_their_order() {
    let added = "[[changes.tools.add]]\nname = \"refund\"\nreturns = 1\neffect = \"read\"\n";
    let remove = "[[changes]]\nfor = \"root\"\ntools.remove = [\"refund\"]\n";
    let replaced = "desk: orders lead refund";
    check(
        &format!("{remove}[[changes]]\nfor = \"root\"\n{added}"),
        &[replaced, WHOLE[1], WHOLE[2]],
    );
    // One change removes before it adds.
    check(&format!("{remove}{added}"), &[replaced, WHOLE[1], WHOLE[2]]);
    let settings = parsed(&format!("[[changes]]\nfor = \"root\"\n{added}{remove}")).unwrap();
    let expected = ["desk: orders lead".to_string(), WHOLE[1].to_string(), WHOLE[2].to_string()];
    assert_eq!(settled(&settings).0, expected);
    check(
        "[[changes]]\ntools.remove = [\"*\"]\n[[changes]]\nfor = \"root\"\n\
         [[changes.tools.add]]\nname = \"x\"\nreturns = 1\n",
        &["desk: x"],
    );
}

#[test]
fn p27_allow_lists_and_effects() {
    check("tools.allow = [\"orders\"]", &["desk: orders"]);
    check(
        "tools.allow = [\"*r*d*\", \"lead\", \"clerk\"]",
        &["desk: orders refund lead", "lead: orders refund clerk", "clerk: orders refund"],
    );
    // Sub-agents without tools that write are tools that read.
    let reads = ["desk: orders lead", "lead: orders clerk", "clerk: orders again"];
    check("tools.effects = \"read\"", &reads);
    check("tools.effects = [\"read\"]", &reads);
    check("tools.effects = [\"read\", \"write\"]", &WHOLE);
    // The runs below write, so a run that only reads does not call them.
    check("tools.effects = \"read\"\nfor = \"root\"", &["desk: orders"]);
    check("tools.effects = \"read\"\nfor = [\"clerk\"]", &[WHOLE[0], WHOLE[1], reads[2]]);
    // What is added is let through, too.
    let writes =
        "tools.effects = \"read\"\n[[tools.add]]\nname = \"x\"\nreturns = 1\neffect = \"write\"";
    check(&format!("for = \"root\"\n{writes}"), &["desk: orders"]);
}

/// M59: what has no effect is a warning, and the run goes on.
#[test]
fn m59_parts_without_effect() {
    let warned = |toml: &str| {
        let (tools, warnings) = settled(&parsed(toml).unwrap());
        assert_eq!(tools, WHOLE, "{toml}");
        warnings
    };
    assert_eq!(
        warned("[[tools.add]]\nname = \"refund\"\nreturns = 1"),
        ["clerk", "desk", "lead"].map(|name| format!(
            "the settings add the tool `refund`, which agent `{name}` has: it keeps its own"
        ))
    );
    assert_eq!(
        warned("tools.remove = [\"refunds\", \"pay*\"]"),
        ["the settings name `refunds`, and no tool has the name: did you mean `refund`?"]
    );
    assert_eq!(
        warned("for = [\"lede\"]\ntools.remove = [\"refund\"]"),
        ["the settings name `lede`, and no agent has the name: did you mean `lead`?"]
    );
    let added = "[[changes.tools.add]]\nname = \"x\"\nreturns = 1";
    assert_eq!(
        warned(&format!("[[changes]]\nfor = []\n{added}")),
        ["the settings add the tool `x` to no agent"]
    );
}

/// An added agent gets no further tools: it could be one of them.
#[test]
fn added_agents_have_the_other_settings() {
    let helper = desk(&Calls::default()).with_name("helper");
    let change = RunChange::new().with_tool(ToolDef::agent(helper)).without_tools(["refund"]);
    let (found, warnings) = settled(&RunSettings::from(change));
    let helped = |name: &str, own: &str| {
        let below = ["helper: orders lead", "lead: orders clerk", "clerk: orders again"];
        let own = format!("{name}: orders {own} helper");
        std::iter::once(own).chain(below.map(str::to_string)).collect::<Vec<_>>()
    };
    let [desk, lead, clerk] =
        [helped("desk", "lead"), helped("lead", "clerk"), helped("clerk", "again")];
    let expected: Vec<String> =
        [&desk[..1], &lead[..1], &clerk[..], &lead[1..], &desk[1..]].concat();
    assert_eq!((found, warnings), (expected, vec![]));
    // An agent whose style takes no tools gets none.
    let plain = Agent::new("p").with_answers(Answers::Json);
    let change = RunChange::new().with_tool(tool("x", Effect::Read, &Calls::default()));
    let settings = RunSettings::from(change);
    let (agent, warnings) = settings.agent_of(&plain);
    assert_eq!((agent.tools.len(), warnings.len()), (0, 1));
}

/// The policy of an agent names only tools that it has.
#[test]
fn a_policy_does_without_removed_tools() {
    let policy = Policy::default().with_max_calls("refund", 2).with_yes("refund".parse().unwrap());
    let agent = desk(&Calls::default()).with_policy(policy.with_max_calls("orders", 1));
    let settings = RunSettings::from(RunChange::new().without_tools(["refund"]));
    let policy = settings.agent_of(&agent).0.policy.clone();
    assert_eq!(policy.max_calls.into_keys().collect::<Vec<_>>(), ["orders"]);
    assert_eq!(policy.yes, []);
}

#[test]
fn ceilings_and_rules_by_scope() {
    let settings = parsed(
        "[[changes]]\nbudget.turns = 7\n[[changes]]\nfor = \"children\"\nbudget.tool_calls = 2\n\
         transcript.window = 3\n[[changes]]\nfor = [\"clerk\"]\nbudget.turns = 1\n",
    );
    let agent = desk(&Calls::default()).with_transcript(Transcript::default().with_keep_results(4));
    let settings = settings.unwrap();
    let (agent, _) = settings.agent_of(&agent);
    let lead = agent.tools[2].sub_agent().unwrap();
    let clerk = lead.tools[2].sub_agent().unwrap();
    let budget = RunBudget::default().with_turns(7);
    assert_eq!(agent.budget, budget);
    assert_eq!(lead.budget, budget.clone().with_tool_calls(2));
    assert_eq!(clerk.budget, budget.with_tool_calls(2).with_turns(1));
    let window = Transcript::default().with_window(3);
    assert_eq!(agent.transcript, Transcript::default().with_keep_results(4));
    assert_eq!((&lead.transcript, &clerk.transcript), (&window, &window));
}

#[test]
fn malformed_settings() {
    let check = |name: &str, text: &str, expected: &str| {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join(name);
        std::fs::write(&path, text).unwrap();
        let error = RunSettings::read(&path).unwrap_err();
        let prefix = format!("{}/", folder.path().display());
        let found = error.to_string().replace(&prefix, "");
        let found = error.help().map_or(found.clone(), |help| format!("{found} | {help}"));
        assert_eq!((found.as_str(), error.kind()), (expected, ErrorKind::Settings), "{text}");
    };
    check("s.toml", "tool = 1", "s.toml:1:1: unknown key `tool` | did you mean `tools`?");
    check(
        "s.toml",
        "[[changes]]\neffort = 3\n[[changes]]\ntools.removed = []",
        "s.toml:4:7: unknown key `removed` | did you mean `remove`?",
    );
    check(
        "s.toml",
        "[[changes]]\n[[changes]]\n[[changes.tools.add]]\nreturns = 1",
        "s.toml:3:1: `changes.1.tools.add[0]` has no `name`",
    );
    check(
        "s.toml",
        "[[tools.add]]\nname = \"x\"\nreturns = 1\nsignature = \"(x :strng)\"",
        "s.toml:4:17: the signature of tool `x` does not parse: unknown type `:strng` | did you mean `:string`?",
    );
    check(
        "s.toml",
        "[[tools.add]]\nname = \"return\"\nreturns = 1",
        "s.toml:2:9: `return` cannot name a tool: programs end with it",
    );
    check(
        "s.toml",
        "for = \"roots\"",
        "s.toml:1:7: `for`: `roots` is not \"root\", \"children\", \"all\" or a list of names of agents",
    );
    check(
        "s.toml",
        "tools.effects = \"raed\"",
        "s.toml:1:17: `raed` is not a value of `tools.effects` | did you mean `read`?",
    );
    check(
        "s.toml",
        "\neffort = 0",
        "s.toml:2:10: `effort` is a number from 1 to 100 | leave it out for the effort of the agent",
    );
    check(
        "s.toml",
        "[keys]\nopenai = \"sk-verysecret\"",
        "s.toml:2:10: `keys.openai` is not the name of an environment variable | write the name of the variable that holds the key, such as `ACME_KEY`",
    );
    check(
        "s.toml",
        "transcript.window = 0",
        "s.toml:1:21: `window` of the transcript is 0 | a turn is the least",
    );
    check("s.toml", "changes = 1", "s.toml:1:11: `changes`: found integer `1`, expected a list");
    check(
        "s.toml",
        "sources = 3",
        "s.toml:1:11: `sources`: expected true, false, or a table of names with true or false",
    );
    check(
        "s.json",
        "[{\"tools\": {\"alow\": []}}]",
        "s.json:1:18: unknown key `alow` | did you mean `allow`?",
    );
    check(
        "s.json",
        "{\"changes\": [{}], \"effort\": 1}",
        "s.json:1:26: unknown key `effort` | the known keys are changes",
    );
    check(
        "s.json",
        "[{\"for\": 1}]",
        "s.json:1:11: `[0].for`: expected a string or a list of strings",
    );
    let missing = RunSettings::read("none.toml".as_ref()).unwrap_err();
    assert_eq!(missing.kind(), ErrorKind::Unreadable);
}

/// A provider that keeps everything that it is sent.
struct Logged {
    script: Scripted,
    sent: Mutex<String>,
}

impl Logged {
    fn new(replies: Vec<Reply>) -> Logged {
        Logged { script: Scripted::from_replies(replies), sent: Mutex::default() }
    }

    fn sent(&self) -> String {
        self.sent.lock().unwrap().clone()
    }
}

impl Provider for Logged {
    fn name(&self) -> String {
        self.script.name()
    }

    fn complete<'a>(&'a self, request: &'a Request) -> BoxFuture<'a, Result<Reply, ProviderError>> {
        let sent = format!("{}\n{request:?}\n", request.system.text());
        self.sent.lock().unwrap().push_str(&sent);
        self.script.complete(request)
    }
}

/// An agent with two tools in a style, whose model does not reply.
fn styled(answers: &Answers, calls: &Calls) -> Agent {
    let agent = Agent::new("Look.").with_name("styled").with_answers(answers.clone());
    if *answers == Answers::Json {
        return agent;
    }
    agent.with_tool(tool("orders", Effect::Read, calls)).with_tool(tool(
        "refund",
        Effect::Write,
        calls,
    ))
}

fn styles() -> [Answers; 5] {
    let decisions = Answers::Decisions(DecisionsStyle::WHOLE);
    [Answers::Program, Answers::Tools, Answers::React, decisions, Answers::Json]
}

/// Returns the reply of a style that calls a tool.
fn calling(answers: &Answers, tool: &str) -> Reply {
    match answers.name() {
        "program" => Reply::new(program(&format!("(call \"{tool}\" {{}})"))),
        "tools" => {
            let (id, name, arguments) = ("c".to_string(), tool.to_string(), "{}".to_string());
            Reply { calls: vec![ModelCall { id, name, arguments }], ..Reply::new("") }
        }
        "react" => Reply::new(format!("Thought: next\nAction: {tool}\nAction Input: {{}}")),
        _ => {
            let actions = json!([{"name": tool, "params": {}}]);
            let next = json!({"type": "Actions", "actions": actions});
            Reply::new(json!({"nextStep": next}).to_string())
        }
    }
}

/// Returns the reply of a style that ends the run.
fn done(answers: &Answers) -> Reply {
    match answers.name() {
        "program" => Reply::new(program("(return \"done\")")),
        "react" => Reply::new("Thought: done\nFinal Answer: done"),
        "decisions" => Reply::new(json!({"taskComplete": true, "message": "done"}).to_string()),
        "json" => Reply::new("\"done\""),
        _ => Reply::new("done"),
    }
}

/// Runs a mission with settings, replays it, and returns the report, the record and what the model was sent.
async fn run(
    agent: &Agent,
    settings: RunSettings,
    replies: Vec<Reply>,
) -> (RunReport, RunRecord, String) {
    let store = Store::in_memory().unwrap();
    let provider = Logged::new(replies);
    let mission = Mission::new(agent, json!({})).with_settings(settings).record_in(&store);
    let report = mission.run(&provider).await.unwrap();
    let replayed = Replay::of(&store, report.run.as_str()).unwrap().run().await.unwrap();
    assert_eq!((replayed.differences, replayed.missing), (vec![], None));
    assert_eq!(replayed.report.unwrap(), report);
    (report.clone(), store.show(report.run.as_str()).unwrap(), provider.sent())
}

/// M56, M57: no style shows a removed tool or calls it, and the error names the tools that there are.
#[tokio::test]
async fn m56_m57_a_removed_tool_is_neither_shown_nor_called() {
    let settings = RunSettings::from(RunChange::new().without_tools(["ref*"]));
    for answers in styles() {
        let calls = Calls::default();
        let agent = styled(&answers, &calls);
        if answers == Answers::Json {
            let (report, _, sent) = run(&agent, settings.clone(), vec![done(&answers)]).await;
            assert_eq!((report.value, sent.contains("refund")), (Data::from(json!("done")), false));
            continue;
        }
        let (_, _, whole) = run(&agent, RunSettings::new(), vec![done(&answers)]).await;
        assert!(whole.contains("refund") && whole.contains("orders"), "{answers:?}");
        let (_, _, sent) = run(&agent, settings.clone(), vec![done(&answers)]).await;
        assert!(!sent.contains("refund") && sent.contains("orders"), "{answers:?}: {sent}");
        assert_eq!(*calls.lock().unwrap(), [""; 0]);

        let replies =
            vec![calling(&answers, "refund"), calling(&answers, "orders"), done(&answers)];
        let (report, record, sent) = run(&agent, settings.clone(), replies).await;
        assert_eq!(report.value, json!("done"), "{answers:?}");
        assert_eq!(*calls.lock().unwrap(), ["orders"], "{answers:?}");
        let told = &record.turn_records[1].prompt;
        let results = record.turn_records[1].results.iter().map(|it| it.text.as_str());
        let told = results.fold(told.clone(), |all, it| format!("{all}\n{it}"));
        let expected = match answers.name() {
            "program" => "the tools are `orders`",
            _ => "Error: Tool 'refund' not found. Available: orders",
        };
        assert!(told.contains(expected), "{answers:?}: {told}\n{sent}");
    }
}

/// M56: search and description of tools know no removed tool.
#[tokio::test]
async fn m56_a_removed_tool_is_not_found() {
    let agent = styled(&Answers::Program, &Calls::default());
    let settings = RunSettings::from(RunChange::new().with_effects([Effect::Read]));
    let search = "(return (mapv :name (tools/search \"refund orders desk\")))";
    let (report, ..) = run(&agent, settings.clone(), vec![Reply::new(program(search))]).await;
    assert_eq!(report.value, json!(["orders"]));
    let describe = "(return (try (tools/describe \"refund\") (catch Exception e (ex-message e))))";
    let (report, ..) = run(&agent, settings, vec![Reply::new(program(describe))]).await;
    assert_eq!(report.value, json!("there is no tool `refund`"));
}

/// A tool that the policy of the agent forbids is not shown either, and no message names it.
#[tokio::test]
async fn m56_a_tool_that_the_policy_forbids_is_not_shown() {
    for answers in styles().iter().take(4) {
        let agent = styled(answers, &Calls::default()).with_policy(Policy::default().read_only());
        let replies = vec![calling(answers, "refunds"), done(answers)];
        let (report, _, sent) = run(&agent, RunSettings::new(), replies).await;
        assert_eq!(report.value, json!("done"), "{answers:?}");
        let sent = sent.replace("refunds", "");
        assert!(!sent.contains("refund") && sent.contains("orders"), "{answers:?}: {sent}");
    }
}

/// M57: a function that an earlier run of the conversation left calls no removed tool.
#[tokio::test]
async fn m57_a_function_of_an_earlier_run() {
    let calls = Calls::default();
    let agent = styled(&Answers::Program, &calls);
    let store = Store::in_memory().unwrap();
    let first = "(defn pay [] (call \"refund\"))\n(return (pay))";
    let mission = Mission::new(&agent, json!({})).record_in(&store);
    let first = mission.run(&Scripted::new([program(first)])).await.unwrap();
    assert_eq!((first.value, first.error), (Data::from(json!("refund")), None));
    calls.lock().unwrap().clear();
    let earlier = Earlier::of(&store, first.run.as_str(), &agent).await.unwrap();
    let change = RunChange::new().without_tools(["refund"]);
    let mission = Mission::new(&agent, json!({})).with_settings(change.into()).after(earlier);
    let replies = ["(return (pay))", "(return \"done\")"].map(program);
    let second = mission.record_in(&store).run(&Scripted::new(replies)).await.unwrap();
    assert_eq!((second.value, second.turns), (Data::from(json!("done")), 2));
    assert_eq!(*calls.lock().unwrap(), [""; 0]);
    let warned: Vec<&str> = second.warnings.iter().map(|it| it.message.as_str()).collect();
    assert_eq!(warned, ["`pay` is not kept: its program calls the missing tool `refund`"]);
}

/// M60: removing all tools leaves none.
#[tokio::test]
async fn m60_removing_all_tools_leaves_none() {
    let settings = [
        RunChange::new().without_tools(["*"]),
        RunChange::new().with_only_tools::<String>([]),
        RunChange::new().with_effects([]),
    ];
    for (answers, change) in styles().iter().take(4).zip(settings.iter().cycle()) {
        let calls = Calls::default();
        let agent = styled(answers, &calls);
        let settings = RunSettings::from(change.clone());
        let replies = vec![calling(answers, "orders"), done(answers)];
        let (report, record, sent) = run(&agent, settings, replies).await;
        assert_eq!(report.value, json!("done"), "{answers:?}");
        assert_eq!(*calls.lock().unwrap(), [""; 0]);
        let first = sent.lines().take(40).collect::<String>();
        assert!(!first.contains("The orders of a desk"), "{answers:?}: {first}");
        let told = &record.turn_records[1].prompt;
        let results = record.turn_records[1].results.iter().map(|it| it.text.as_str());
        let told = results.fold(told.clone(), |all, it| format!("{all}\n{it}"));
        let expected = match answers.name() {
            "program" => "this mission has no tools",
            _ => "Error: Tool 'orders' not found. There are no tools: answer without one.",
        };
        assert!(told.contains(expected), "{answers:?}: {told}");
    }
}

/// M58: the definition on record is that of the agent, with the settings beside it. The next run does without them.
#[tokio::test]
async fn m58_settings_are_on_record_beside_the_definition() {
    let agent = styled(&Answers::Program, &Calls::default());
    let settings = parsed(
        "[[changes]]\nfor = [\"styled\"]\nmodel = \"openai:m\"\nkeys.openai = \"ACME_KEY\"\neffort = 9\n\
         fallback_models = [\"ollama:m\"]\nprompt.rules = false\nsources = false\nbase_url = \"http://h\"\n\
         tools = { remove = [\"refund\"], allow = [\"*\"], effects = \"read\" }\n\
         budget.tokens = 9\ntranscript.window = 2\n[[changes]]\nfor = \"root\"\nsources.a = true\n",
    );
    let replies = || vec![done(&Answers::Program)];
    let (_, with, _) = run(&agent, settings.unwrap(), replies()).await;
    let (_, without, _) = run(&agent, RunSettings::new(), replies()).await;
    assert_eq!(with.setup.definition, without.setup.definition);
    assert_eq!(without.setup.settings, None);
    let budget =
        json!({"turns": null, "tool_calls": null, "fuel": null, "tokens": 9, "cost": null});
    let first = json!({
        "for": ["styled"], "model": "openai:m", "base_url": "http://h", "fallback_models": ["ollama:m"],
        "effort": 9, "keys": {"openai": "ACME_KEY"},
        "tools": {"remove": ["refund"], "allow": ["*"], "effects": ["read"]},
        "prompt": {"rules": false}, "transcript": {"window": 2}, "budget": budget, "sources": false,
    });
    let second = json!({"for": "root", "sources": {"a": true}});
    assert_eq!(with.setup.settings, Some(json!([first, second])));
    assert!(!with.setup.system.contains("refund") && without.setup.system.contains("refund"));
}

/// The runs below a run have its settings, and the record of the run alone has them.
#[tokio::test]
async fn m53_settings_hold_in_the_runs_below() {
    let agent = desk(&Calls::default());
    let shown = "(mapv :name (tools/search \"desk\"))";
    let (lead, clerk) =
        (format!("[{shown} (call \"lead\")]"), format!("[{shown} (call \"clerk\")]"));
    let model = Model(move |text: &str| {
        let value = match text {
            it if it.contains("The desk.") => lead.as_str(),
            it if it.contains("The lead.") => clerk.as_str(),
            _ => shown,
        };
        Reply::new(program(&format!("(return {value})")))
    });
    let store = Store::in_memory().unwrap();
    let removed = RunChange::new().without_tools(["refund", "none"]).with_scope(Scope::Children);
    let mission = Mission::new(&agent, json!({})).with_settings(removed.into()).record_in(&store);
    let report = mission.run(&model).await.unwrap();
    let expected = json!([["orders", "refund"], [["orders"], ["orders"]]]);
    assert_eq!((report.value, report.error), (Data::from(expected), None));
    let warned: Vec<String> =
        report.warnings.iter().map(|it| format!("{}: {}", it.code, it.message)).collect();
    assert_eq!(warned, ["unused-setting: the settings name `none`, and no tool has the name"]);
    let family = store.tree(report.run.as_str()).unwrap();
    let settings: Vec<bool> = family.iter().map(|it| it.setup.settings.is_some()).collect();
    assert_eq!(settings, [true, false, false]);
    let replayed = Replay::of(&store, report.run.as_str()).unwrap().run().await.unwrap();
    assert_eq!((replayed.differences, replayed.missing), (vec![], None));
}

/// M53: an agent that calls itself has other tools below than at the root.
#[tokio::test]
async fn m53_an_agent_that_calls_itself() {
    let calls = Calls::default();
    let agent = Agent::new("Level {{n}}.")
        .with_name("self")
        .with_signature("(n :int) -> [:any]")
        .unwrap()
        .with_tool(tool("orders", Effect::Read, &calls))
        .with_tool(tool("refund", Effect::Write, &calls))
        .with_tool(ToolDef::itself("again"));
    let model = || {
        scripted_by(&[
            ("Level 1.", "(return [(mapv :name (tools/search \"desk\")) (call \"again\" {:n 2})])"),
            ("Level 2.", "(return [(mapv :name (tools/search \"desk\")) (call \"again\" {:n 3})])"),
            ("Level 3.", "(return [(mapv :name (tools/search \"desk\"))])"),
        ])
    };
    for (scope, expected) in [
        (Scope::Children, json!([["orders", "refund"], [["orders"], [["orders"]]]])),
        (Scope::Root, json!([["orders"], [["orders", "refund"], [["orders", "refund"]]]])),
        (Scope::All, json!([["orders"], [["orders"], [["orders"]]]])),
    ] {
        let change = RunChange::new().without_tools(["refund"]).with_scope(scope);
        let store = Store::in_memory().unwrap();
        let mission = Mission::new(&agent, json!({"n": 1})).with_settings(change.into());
        let report = mission.record_in(&store).run(&model()).await.unwrap();
        assert_eq!((report.value, report.error), (Data::from(expected), None));
        let replayed = Replay::of(&store, report.run.as_str()).unwrap().run().await.unwrap();
        assert_eq!((replayed.differences, replayed.missing), (vec![], None));
    }
}

/// Another store has the settings after an export, and neither has a header of a tool that they add.
#[tokio::test]
async fn settings_go_from_store_to_store_without_secrets() {
    let agent = styled(&Answers::Program, &Calls::default());
    let settings = parsed(
        "tools.remove = [\"refund\"]\nkeys.openai = \"ACME_KEY\"\n[[tools.add]]\nname = \"rate\"\n\
         url = \"http://127.0.0.1:9/rate\"\nheaders.Authorization = \"Bearer verysecret\"\n\
         [[tools.add]]\nname = \"list\"\ncommand = [\"ls\", \"--verysecret\"]\ncache = true\neffect = \"read\"\n",
    );
    let store = Store::in_memory().unwrap();
    let mission = Mission::new(&agent, json!({})).with_settings(settings.unwrap());
    let report = mission.record_in(&store).run(&Scripted::new([program("(return 1)")])).await;
    let run = report.unwrap().run.to_string();
    let record = store.show(&run).unwrap();
    let change = &record.setup.settings.as_ref().unwrap()[0];
    assert_eq!(change["keys"], json!({"openai": "ACME_KEY"}));
    assert_eq!(
        change["tools"]["add"][0],
        json!({"name": "rate", "kind": "tool", "effect": "read", "trust": "untrusted"})
    );
    let exported = exported(&store, &run);
    assert!(!exported.contains("verysecret"), "{exported}");
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("run.jsonl");
    std::fs::write(&file, exported).unwrap();
    let other = Store::in_memory().unwrap();
    let lines = std::io::BufReader::new(std::fs::File::open(&file).unwrap());
    other.import(None, lines).unwrap();
    assert_eq!(other.show(&run).unwrap().setup, record.setup);
    let replayed = Replay::of(&other, &run).unwrap().run().await.unwrap();
    assert_eq!((replayed.differences, replayed.missing), (vec![], None));
    // Without the settings, the prompt and so the run would differ.
    let plain = Mission::new(&agent, json!({})).record_in(&store);
    let plain = plain.run(&Scripted::new([program("(return 1)")])).await.unwrap();
    let differences = differences(&record, &store.show(plain.run.as_str()).unwrap());
    let what: Vec<&str> = differences.iter().map(|it| it.what.as_str()).collect();
    assert_eq!(what, ["settings", "system"]);
}

/// Tools that were added in code are given again to resume a run.
#[tokio::test]
async fn a_resumed_run_gets_its_tools_in_code_again() {
    let calls = Calls::default();
    let settings = || {
        let change = RunChange::new().with_tool(tool("added", Effect::Read, &calls));
        RunSettings::from(change)
    };
    let agent = |is_slow: bool| {
        let wait = FnTool::new(move |_: Value, _| async move {
            if is_slow {
                std::future::pending::<()>().await;
            }
            Ok(json!(1))
        });
        let wait = ToolDef::new("wait", wait).with_effect(Effect::Read);
        Agent::new("Go.").with_name("a").with_tool(wait)
    };
    let store = Arc::new(Store::in_memory().unwrap());
    let source = "(do (call \"wait\") (return (call \"added\")))";
    let run = cut_off(&agent(true), settings(), &store, source).await;
    let resume = |settings: Option<RunSettings>| {
        let mut decisions = Decisions::default();
        decisions.settings = settings;
        let task = Task::Resume(run.clone(), decisions);
        let (agent, store) = (Arc::new(agent(false)), Some(Arc::clone(&store)));
        let model = Scripted::new([""; 0]).into();
        let (running, work) = Running::new(agent, model, store, task, Watch::default());
        async move {
            Box::pin(work).await;
            running.take_report().unwrap()
        }
    };
    let error = resume(None).await.unwrap_err();
    assert_eq!(error.message(), "the settings of the run add `added`, and no file has it");
    assert_eq!(error.help(), Some("give the settings again, with the same tools"));
    let error = resume(Some(RunSettings::new())).await.unwrap_err();
    assert_eq!(error.message(), format!("the settings are not those that run {run} started with"));
    let report = resume(Some(settings())).await.unwrap();
    assert_eq!((report.value, report.error), (Data::from(json!("added")), None));
}

/// Runs a mission that is cut off in its tool `wait`, and returns the id of the run.
async fn cut_off(agent: &Agent, settings: RunSettings, store: &Store, source: &str) -> String {
    let begun = Arc::new(tokio::sync::Notify::new());
    let mission = Mission::new(agent, json!({})).with_settings(settings).record_in(store);
    let heard = Arc::clone(&begun);
    let mission = mission
        .observe(move |_, event| {
            if matches!(event, Event::CallStarted { .. }) {
                heard.notify_one();
            }
        })
        .cancel_on(async move { begun.notified().await });
    let report = mission.run(&Scripted::new([program(source)])).await.unwrap();
    assert_eq!(report.stop, Some(Stop::Cancelled));
    report.run.to_string()
}

/// A resumed run has its settings from the record, and reads the tools that a file adds again.
#[tokio::test]
async fn a_resumed_run_keeps_its_settings() {
    let agent = |is_slow: bool| {
        let wait = FnTool::new(move |_: Value, _| async move {
            if is_slow {
                std::future::pending::<()>().await;
            }
            Ok(json!(1))
        });
        Agent::new("Go.")
            .with_name("a")
            .with_tool(ToolDef::new("wait", wait).with_effect(Effect::Read))
            .with_tool(tool("refund", Effect::Write, &Calls::default()))
    };
    let source = "(do (call \"wait\") (return [(call \"added\") (mapv :name (tools/search \"refund added desk\"))]))";
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("s.toml");
    let text = "tools.remove = [\"refund\"]\n[[tools.add]]\nname = \"added\"\nreturns = 7\n";
    std::fs::write(&file, text).unwrap();
    let settings = || RunSettings::read(&file).unwrap();

    let store = Store::in_memory().unwrap();
    let run = cut_off(&agent(true), settings(), &store, source).await;
    let quick = agent(false);
    let nobody = Scripted::new([""; 0]);
    let resume = Resume::of(&store, &run).unwrap();
    let report = resume.mission(&quick).unwrap().run(&nobody).await.unwrap();
    assert_eq!((report.value, report.error), (Data::from(json!([7, ["added"]])), None));
    let replayed = Replay::of(&store, &run).unwrap().run().await.unwrap();
    assert_eq!((replayed.differences, replayed.missing), (vec![], None));

    // The tools of another file are other tools.
    let run = cut_off(&agent(true), settings(), &store, source).await;
    std::fs::write(&file, text.replace("returns", "max_calls = 3\nreturns")).unwrap();
    let error = Resume::of(&store, &run).unwrap().mission(&quick).err().unwrap();
    assert_eq!(error.message(), "the settings that add `added` have changed since the run began");
    let other = Resume::of(&store, &run).unwrap().with_settings(settings()).unwrap_err();
    assert_eq!(other.message(), format!("the settings are not those that run {run} started with"));
    std::fs::write(&file, text).unwrap();
    let resume = Resume::of(&store, &run).unwrap().with_settings(settings()).unwrap();
    let report = resume.mission(&quick).unwrap().run(&nobody).await.unwrap();
    assert_eq!(report.error, None);
}
