//! Instructions, and switches of prompts at run time: the default of a style, then the agent, then the run.

use ptc_subagent::provider::Scripted;
use ptc_subagent::replay::Replay;
use ptc_subagent::store::Store;
use ptc_subagent::tool::ToolDef;
use ptc_subagent::{
    Agent, Answers, DecisionSwitches, DecisionsStyle, Instruction, Mission, RunChange, RunSettings,
    Scope,
};
use serde_json::json;

use crate::agent_file;

/// An agent that decides, with these switches of its own and an instruction that is off.
fn decider(switches: &[(&str, bool)]) -> Agent {
    let mut own = DecisionSwitches::default();
    for (name, is_on) in switches {
        assert!(own.set(name, *is_on), "{name}");
    }
    let mut tutor = Instruction::new("tutor", "Explain each step.");
    tutor.is_on = false;
    let child = Agent::new("Look.").with_name("child").with_instruction(tutor.clone());
    Agent::new("Work.")
        .with_answers(Answers::Decisions(DecisionsStyle::new(own)))
        .with_instruction(tutor)
        .with_tool(ToolDef::agent(child))
}

/// Returns which of these texts the prompt of a run with the settings has.
fn shown<'t>(agent: &Agent, change: RunChange, texts: &[&'t str]) -> Vec<&'t str> {
    let mission = Mission::new(agent, json!({})).with_settings(change.into());
    let prompt = mission.system_prompt().unwrap().text();
    texts.iter().copied().filter(|it| prompt.contains(it)).collect()
}

/// L21: the switch of a run wins over that of its agent, which wins over the default. The format follows the explanation
/// unless somebody sets it.
#[test]
fn l21_a_run_wins_over_its_agent() {
    const DOCS: &str = "- `ForEach` takes a list";
    const TYPE: &str = "- `ForEach`: runs an action";
    const FORMS: &str = "# Forms";
    let texts = [DOCS, TYPE, FORMS];
    let run = |switches: &[(&str, bool)]| {
        let set = |change: RunChange, it: &(&str, bool)| change.with_prompt_switch(it.0, it.1);
        switches.iter().fold(RunChange::new(), set)
    };
    for (own, settings, expected) in [
        (&[][..], &[][..], &[DOCS, TYPE, FORMS][..]),
        (&[("for_each", false)], &[], &[FORMS]),
        (&[("for_each", false)], &[("for_each", true)], &[DOCS, TYPE, FORMS]),
        (&[], &[("for_each", false), ("forms", false)], &[]),
        (&[("for_each_type", true)], &[("for_each", false)], &[TYPE, FORMS]),
        (&[("for_each_type", true)], &[("for_each", false), ("for_each_type", false)], &[FORMS]),
    ] {
        let found = shown(&decider(own), run(settings), &texts);
        assert_eq!(found, expected, "{own:?} {settings:?}");
    }
}

/// M9: a run switches instructions, for the agents of its scope.
#[test]
fn m9_a_run_switches_instructions() {
    let agent = decider(&[]);
    let tutor = || RunChange::new().with_prompt_switch("tutor", true);
    let text = ["Explain each step."];
    assert_eq!(shown(&agent, RunChange::new(), &text), [""; 0]);
    assert_eq!(shown(&agent, tutor(), &text), text);
    assert_eq!(shown(&agent, tutor().with_scope(Scope::Children), &text), [""; 0]);
    let settings = RunSettings::from(tutor().with_scope(Scope::Children));
    let (effective, warnings) = settings.agent_of(&agent);
    let child = effective.tools[0].sub_agent().unwrap();
    assert_eq!((child.instructions[0].is_on, effective.instructions[0].is_on), (true, false));
    assert!(warnings.is_empty() && !agent.instructions[0].is_on);

    let wrong = RunSettings::from(RunChange::new().with_prompt_switch("tutr", true));
    let warnings: Vec<String> = wrong.agent_of(&agent).1.into_iter().map(|it| it.message).collect();
    assert_eq!(
        warnings,
        ["the settings name `tutr`, and no part of a prompt has the name: did you mean `tutor`?"]
    );
}

/// The record has the instructions of the agent and the switches of the run beside them, so replay needs neither file.
#[tokio::test]
async fn m9_l21_switches_are_on_record() {
    let agent = Agent::new("Work.").with_instruction(Instruction::new("tutor", "Explain."));
    let settings = RunSettings::from(RunChange::new().with_prompt_switch("tutor", false));
    let store = Store::in_memory().unwrap();
    let model = Scripted::new(["```clojure\n(return 1)\n```"]);
    let mission = Mission::new(&agent, json!({})).record_in(&store).with_settings(settings);
    let report = mission.run(&model).await.unwrap();
    let record = store.show(report.run.as_str()).unwrap();
    assert!(!record.setup.system.contains("Explain."));
    let definition = record.setup.definition.as_ref().unwrap();
    assert_eq!(definition["instructions"], json!([{"name": "tutor", "text": "Explain."}]));
    assert_eq!(record.setup.settings, Some(json!([{"prompt": {"tutor": false}}])));
    let replayed = Replay::of(&store, report.run.as_str()).unwrap().run().await.unwrap();
    assert_eq!(replayed.differences, []);
}

/// M9: an agent file lists texts for the system prompt, with an order and a switch.
#[test]
fn m9_instructions_of_agent_files() {
    let (folder, _) = agent_file::read("a.toml", "prompt = \"p\"");
    std::fs::write(folder.path().join("house.md"), "Amounts are in EUR.\n\n").unwrap();
    let path = folder.path().join("a.toml");
    let file = "prompt = \"p\"\n[[system.instructions]]\nfile = \"house.md\"\norder = 3\n\
                [[system.instructions]]\nname = \"tone\"\ntext = \"Be kind.\"\non = false\n";
    std::fs::write(&path, file).unwrap();
    let agent = Agent::read(&path).unwrap();
    let (mut house, mut tone) =
        (Instruction::new("house", "Amounts are in EUR."), Instruction::new("tone", "Be kind."));
    (house.order, tone.is_on) = (3, false);
    assert_eq!(agent.instructions, [house, tone]);

    let one = |keys: &str| {
        format!(
            "prompt = \"p\"\nsignature = \"(n :int) -> :int\"\n[system]\ninstructions = [{keys}]\n"
        )
    };
    let text = |name: &str, text: &str| format!("{{name = \"{name}\", text = \"{text}\"}}");
    for (keys, expected) in [
        ("{}".to_string(), "an instruction has either a `file` or a `text`"),
        (
            "{text = \"x\"}".to_string(),
            "an instruction with a `text` has a `name`, by which a run switches it",
        ),
        (text("a", "x") + ", " + &text("a", "y"), "two instructions are named `a`"),
        (text("payload", "x"), "the instruction `payload` has the name of a switch of decisions"),
        (
            text("a", "{{m}}"),
            "the instruction `a`: the placeholder `{{m}}` names `m`, which the signature does not have; it has `n`",
        ),
    ] {
        let column =
            if expected.contains("either") || expected.contains("by which") { 17 } else { 16 };
        agent_file::check("a.toml", &one(&keys), &format!("a.toml:4:{column}: {expected}"));
    }
    let missing = one("{file = \"none.md\"}");
    let error = agent_file::read("a.toml", &missing).1.unwrap_err().to_string();
    assert!(error.contains("a.toml:4:25: cannot read the instruction `none.md`: "), "{error}");
}
