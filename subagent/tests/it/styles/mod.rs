//! Tests of answer styles.

mod asking;
mod decisions;
mod loops;
mod matrix;
mod payload;
mod react;
pub(crate) mod tools;

use std::sync::Arc;

use ptc_subagent::provider::Scripted;
use ptc_subagent::replay::Replay;
use ptc_subagent::store::Store;
use ptc_subagent::style::{
    Error, Memo, Outcome, OutcomeEnd, Plan, PromptSpec, Reading, ReplyParts, ReplyProblem, Style,
    Told, TurnInfo,
};
use ptc_subagent::{Agent, Answers, Data, Mission, SystemPrompt};
use serde_json::json;

use crate::agent_file;

/// A style of a host: the line `ANSWER: JSON` is the answer.
#[derive(Debug)]
struct LineStyle;

impl Style for LineStyle {
    fn name(&self) -> &'static str {
        "line"
    }

    fn system(&self, spec: &PromptSpec<'_>, _memo: &Memo) -> Result<SystemPrompt, Error> {
        Ok(format!("Answer with the line `ANSWER: JSON`. Mission: {}", spec.mission)
            .as_str()
            .into())
    }

    fn opening(
        &self,
        _spec: &PromptSpec<'_>,
        turn: TurnInfo,
        _memo: &Memo,
    ) -> Result<String, Error> {
        Ok(format!("Turn {}.", turn.turn))
    }

    fn read(&self, reply: &ReplyParts<'_>, _spec: &PromptSpec<'_>) -> Reading {
        let lines = reply.text.lines();
        let answer = lines.filter_map(|line| line.strip_prefix("ANSWER: ")).next_back();
        match answer.and_then(|json| serde_json::from_str::<serde_json::Value>(json).ok()) {
            Some(answer) => Reading::Plan(Plan::returning(answer)),
            None => Reading::Problem(ReplyProblem::NoAnswer),
        }
    }

    fn tell(&self, outcome: &Outcome<'_>, turn: TurnInfo) -> Told {
        match &outcome.end {
            OutcomeEnd::Problem { problem, .. } => {
                format!("Turn {}: {}.", turn.turn, problem.message()).into()
            }
            OutcomeEnd::Value { .. } => "Go on.".to_string().into(),
        }
    }
}

/// M2, M3, M7: a host registers a style, and an agent file and records name it.
#[tokio::test]
async fn m2_a_registered_style_drives_a_run() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("a.toml");
    let text = "prompt = \"Add.\"\nsignature = \"() -> {sum :int}\"\nanswers = \"line\"\n";
    std::fs::write(&file, text).unwrap();
    let error = Agent::read(&file).unwrap_err();
    assert_eq!(error.message(), "`line` is not a value of `answers`");
    Answers::register(Arc::new(LineStyle), 0).unwrap();
    let agent = Agent::read(&file).unwrap();
    let store = Store::in_memory().unwrap();
    let provider = Scripted::new(["I think.", "ANSWER: {\"sum\": \"x\"}", "ANSWER: {\"sum\": 3}"]);
    let report = Mission::new(&agent, json!({})).record_in(&store).run(&provider).await.unwrap();
    assert_eq!((report.turns, &report.value), (3, &Data::from(json!({"sum": 3}))));
    let record = store.show(report.run.as_str()).unwrap();
    let prompts: Vec<&str> = record.turn_records.iter().map(|it| it.prompt.as_str()).collect();
    assert_eq!(
        prompts,
        [
            "Turn 1.",
            "Turn 2: the reply has no JSON.",
            "Turn 3: sum: expected int, found string \"x\"."
        ]
    );
    let programs: Vec<Option<&str>> =
        record.turn_records.iter().map(|it| it.program.as_deref()).collect();
    assert_eq!(programs, [None, Some("(return {\"sum\" \"x\"})"), Some("(return {\"sum\" 3})")]);
    let replayed = Replay::of(&store, report.run.as_str()).unwrap().run().await.unwrap();
    assert_eq!(replayed.differences, []);
}

/// M7: of two styles with a name, the one with the higher priority is used, in whatever order they are registered. Two with
/// the same priority clash.
#[test]
fn m7_the_style_with_the_higher_priority_is_used() {
    #[derive(Debug)]
    struct Named(&'static str, LineStyle);

    impl Style for Named {
        fn name(&self) -> &'static str {
            self.0
        }

        fn system(&self, spec: &PromptSpec<'_>, memo: &Memo) -> Result<SystemPrompt, Error> {
            self.1.system(spec, memo)
        }

        fn opening(
            &self,
            spec: &PromptSpec<'_>,
            turn: TurnInfo,
            memo: &Memo,
        ) -> Result<String, Error> {
            self.1.opening(spec, turn, memo)
        }

        fn read(&self, reply: &ReplyParts<'_>, spec: &PromptSpec<'_>) -> Reading {
            self.1.read(reply, spec)
        }

        fn tell(&self, outcome: &Outcome<'_>, turn: TurnInfo) -> Told {
            self.1.tell(outcome, turn)
        }
    }

    let style = |name| -> Arc<dyn Style> { Arc::new(Named(name, LineStyle)) };
    let (low, high, higher) = (style("ranked"), style("ranked"), style("ranked"));
    let is_used =
        |style: &Arc<dyn Style>| Answers::find("ranked") == Some(Answers::Custom(style.clone()));
    Answers::register(high.clone(), 5).unwrap();
    Answers::register(low, 1).unwrap();
    assert!(is_used(&high));
    Answers::register(higher.clone(), 6).unwrap();
    Answers::register(higher.clone(), 6).unwrap();
    assert!(is_used(&higher));
    let clash = |style, priority| {
        let error = Answers::register(style, priority).unwrap_err();
        format!("{} | {}", error.message(), error.help().unwrap_or_default())
    };
    assert_eq!(
        clash(style("ranked"), 6),
        "another answer style is registered as `ranked` with priority 6 | \
         give one of them another name, or a higher priority"
    );
    assert_eq!(
        clash(style("react"), 9),
        "`react` is the name of a built-in answer style | give the style another name"
    );
}

/// A key of `[system]` that has no effect with an answer style is refused there.
#[test]
fn keys_of_prompts_have_an_effect() {
    for (answers, key, place) in [
        ("tools", "list_sample = 3", "4:15: `system.list_sample`"),
        ("react", "reference = \"full\"", "4:13: `system.reference`"),
        ("decisions", "omit_reference = true", "4:18: `system.omit_reference`"),
        ("json", "max_tools = 3", "4:13: `system.max_tools`"),
        ("tools", "sections.inventory = \"x\"", "4:22: `system.sections.inventory`"),
        ("program", "sections.payload = \"x\"", "4:20: `system.sections.payload`"),
        ("decisions", "sections.mission = \"x\"", "4:20: `system.sections.mission`"),
    ] {
        let text = format!("prompt = \"p\"\nanswers = \"{answers}\"\n[system]\n{key}\n");
        let own = Answers::find(answers).unwrap();
        let own = own.style().sections().iter().map(|it| format!("`{}`", it.as_str()));
        let own: Vec<String> = own.collect();
        let own = own.join(", ");
        let help =
            format!("remove it; the sections of `{answers}` are {own}, `instructions`, `whole`");
        let why = format!("has no effect with `answers = \"{answers}\"` | {help}");
        agent_file::check("a.toml", &text, &format!("a.toml:{place} {why}"));
    }
    let keys = "string_truncate = 9\nmax_chars = 9\nsections.role = \"x\"\nsections.rules = \"y\"\nsections.whole = \"z\"";
    for answers in ["tools", "react", "decisions", "json"] {
        let text = format!("prompt = \"p\"\nanswers = \"{answers}\"\n[system]\n{keys}\n");
        agent_file::read("a.toml", &text).1.unwrap();
    }
}
