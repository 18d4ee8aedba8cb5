//! Data cannot leave the place where a prompt shows it, whatever it contains.

use crate::common::section;
use proptest::prelude::*;
use ptc_lisp::{Effect, Value};
use ptc_prompt::{
    AgentSpec, CallMade, CallsMade, MissionMode, Problem, PromptLimits, PromptSpec, Reference,
    TurnInfo, feedback, observation, system,
};
use ptc_signatures::shown::escape;

const TURN: TurnInfo = TurnInfo { turn: 2, max_turns: 5, retry_turns: 0, ends: false };

/// Generates text that tries to break out of its place.
fn nasty() -> impl Strategy<Value = String> {
    let piece = prop::sample::select(vec![
        "|",
        "\\",
        "`",
        "```",
        "\n",
        "\r",
        "\n# Mission\n",
        "</output>",
        "<OUTPUT >",
        "< / output",
        "{{x}}",
        "{% raw %}",
        "\"",
        "a",
        " ",
        "é",
        "\u{2028}",
        "\u{0}",
        "_",
        "[Hidden]",
    ]);
    prop_oneof![
        prop::collection::vec(piece, 0..20).prop_map(|pieces| pieces.concat()),
        any::<String>()
    ]
}

proptest! {
    #[test]
    fn in_the_inventory(key in nasty(), text in nasty(), inner in nasty()) {
        let ctx = Value::map([
            (Value::str(key), Value::str(text)),
            (Value::str("in"), Value::vector(vec![Value::map([(Value::str(inner.clone()), Value::str(inner))])])),
        ]);
        let spec = PromptSpec {
            agent: AgentSpec::default(),
            mission: "Do it.", mode: MissionMode::Agent, ctx: &ctx, signature: None, tools: &[],
            limits: PromptLimits { reference: Reference::Full, ..PromptLimits::default() },
            payload: None, sections: None,
            instructions: &[],
        };
        let prompt = system(&spec).expect("it renders");
        prop_assert_eq!(&prompt, &system(&spec).expect("it renders"), "two renders differ");
        let text = prompt.section(3).expect("there is an inventory").text.to_string();
        let (heading, rest) = text.split_once("\n\n").expect("there are keys");
        prop_assert_eq!(heading, "# Data Inventory");
        let list = rest.split("\n\n").next().unwrap_or_default();
        prop_assert!(list.lines().all(|line| line.starts_with("- `")), "{}", text);
        prop_assert_eq!(list.lines().count(), ctx.as_map().map_or(0, ptc_lisp::Map::len), "{}", text);
        let reference = prompt.section(5).expect("there is a reference").text.to_string();
        prop_assert_eq!(reference.matches("```").count(), 2, "{}", reference);
    }

    #[test]
    fn in_an_observation(text in nasty(), print in nasty()) {
        let seen = observation(&Value::str(text), &[print], &CallsMade::default(), false, TURN, &PromptLimits::default());
        prop_assert_eq!(marks(&seen), 2, "{}", seen);
    }

    #[test]
    fn in_feedback(text in nasty()) {
        let args = Value::map([(Value::str("a"), Value::str(text.clone()))]);
        let (name, outcome) = (text.clone(), Err(text.clone()));
        let call = CallMade { name, args, outcome, effect: Effect::Read, warnings: Vec::new(), repeats: 0 };
        let calls = CallsMade::from_iter([call]);
        let received = Value::str(text);
        let expected = ptc_signatures::Type::INT;
        let problem = Problem::WrongReturn { expected: &expected, mismatches: &[], received: &received, program: "", calls: &calls };
        let told = feedback(&problem, TURN);
        prop_assert_eq!(marks(&told), 2, "{}", told);
        prop_assert_eq!(told.lines().filter(|line| line.starts_with('#')).count(), 1, "{}", told);
    }

    #[test]
    fn in_a_mission(text in nasty()) {
        let ctx = Value::map([(Value::str("x"), Value::str(text.clone()))]);
        let spec = PromptSpec {
            agent: AgentSpec::default(),
            mission: "a {{x}} b", mode: MissionMode::Agent, ctx: &ctx, signature: None, tools: &[],
            limits: PromptLimits::default(),
            payload: None, sections: None,
            instructions: &[],
        };
        let prompt = system(&spec).expect("it renders");
        let section = prompt.section(7).map(|s| s.text.to_string());
        prop_assert_eq!(section, Some(format!("# Mission\n\na {} b", escape(&text))));
    }
}

/// Counts the tags of the data mark, in any spelling.
fn marks(text: &str) -> usize {
    let squeezed: String =
        text.to_lowercase().chars().filter(|c| !c.is_whitespace() && *c != '/').collect();
    squeezed.matches("<output").count()
}

#[test]
fn deeply_nested_values_are_shown() {
    let deep = (0..400).fold(Value::Int(1), |inner, _| Value::vector(vec![inner]));
    let seen =
        observation(&deep, &[], &CallsMade::default(), false, TURN, &PromptLimits::default());
    assert!(seen.len() < 600, "{seen}");
}

#[test]
fn zero_limits_work() {
    let limits = PromptLimits { list_sample: 0, string_truncate: 0, ..PromptLimits::default() };
    let text = section(
        3,
        MissionMode::Agent,
        r#"{"l": [1, 2], "s": "abc", "m": {"a": 1}}"#,
        "",
        &[],
        limits,
    );
    let rows: Vec<&str> = text.lines().filter(|line| line.starts_with("- `")).collect();
    assert_eq!(
        rows,
        [
            "- `ctx/l [:int]`: `[...]` (2 items)",
            "- `ctx/s :string`: `\"...\" (3 characters)`",
            "- `ctx/m {a :int}`: `{...} (1 key)`",
        ]
    );
}
