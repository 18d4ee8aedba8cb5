//! A memo renders the same prompts as no memo, whatever it rendered before.

use crate::common::{planned, signature, tool, value};
use ptc_lisp::Effect;
use ptc_prompt::{
    AgentSpec, Memo, MissionMode, PromptLimits, PromptPart, PromptSpec, Reference, Sections,
    TurnInfo, opening, system,
};

fn sections(own: &[(PromptPart, &str)]) -> Sections {
    let mut sections = Sections::default();
    for (part, template) in own {
        sections.set(*part, *template).expect("a test's template reads");
    }
    sections
}

/// Changes the inputs of a prompt one at a time, so that some sections are reused and others are
/// not.
#[test]
fn a_memo_changes_nothing() {
    let missions = ["Do it.", "Greet {{name}}.", "Greet {{nobody}}."];
    let data = [
        r#"{"name": "Ana"}"#,
        r#"{"name": "Ben"}"#,
        r#"{"name": "Ana", "rows": [{"kind": "a", "n": 1}, {"kind": "a", "n": 2}]}"#,
        "{}",
    ];
    let data = data.map(value);
    let types = ["(name :string) -> :string", "(name :string) -> [:int]"];
    let types = types.map(signature);
    let tools = [
        vec![],
        vec![tool("search", "(name :string) -> [:int]", "Finds.", Effect::Read)],
        vec![tool("search", "(name :string) -> [:int]", "Finds more.", Effect::Read)],
        vec![
            tool("search", "(name :string) -> [:int]", "Finds.", Effect::Write),
            planned("send", "(id :int) -> :bool", ""),
        ],
    ];
    let limits = [
        PromptLimits::default(),
        PromptLimits { max_tools: 0, ..PromptLimits::default() },
        PromptLimits { reference: Reference::Full, ..PromptLimits::default() },
        PromptLimits { reference: Reference::None, string_truncate: 1, ..PromptLimits::default() },
        PromptLimits { max_chars: Some(3_000), ..PromptLimits::default() },
        PromptLimits { max_chars: Some(10), ..PromptLimits::default() },
    ];
    let sections = [
        sections(&[]),
        sections(&[(PromptPart::Rules, "{{ section }}\n8. Be kind")]),
        sections(&[(PromptPart::Rules, "{{ section }}\n8. Be brief")]),
        sections(&[
            (PromptPart::Tools, "{{ callable.count }}"),
            (PromptPart::Whole, "{{ tools }}"),
        ]),
        sections(&[(PromptPart::Role, "{{ nothing }}")]),
    ];
    let modes = [MissionMode::Agent, MissionMode::SingleTurn];
    let turns = [1, 2, 3].map(|turn| TurnInfo { turn, max_turns: 2, retry_turns: 1, ends: false });
    let sizes = [3, 4, 3, 4, 6, 5, 2, 3];

    let memo = Memo::default();
    let (mut at, mut random) = ([0_usize; 8], 1_u64);
    let (mut made, mut refused) = (0, 0);
    for _ in 0..4_000 {
        random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        let which = (random >> 40) as usize % 8;
        at[which] = (random >> 50) as usize % sizes[which];
        let spec = PromptSpec {
            agent: AgentSpec::default(),
            mission: missions[at[0]],
            mode: modes[at[6]],
            ctx: &data[at[1]],
            signature: types.get(at[2]),
            tools: &tools[at[3]],
            limits: limits[at[4]],
            payload: None,
            sections: Some(&sections[at[5]]),
            instructions: &[],
        };
        let turn = turns[at[7]];
        match (memo.system(&spec), system(&spec)) {
            (Ok(with), Ok(without)) => {
                assert_eq!(with, without, "{at:?}");
                made += 1;
            }
            (Err(with), Err(without)) => {
                assert_eq!(with.to_string(), without.to_string(), "{at:?}");
                refused += 1;
            }
            (with, without) => panic!("{at:?}: {with:?}, {without:?}"),
        }
        assert_eq!(memo.opening(&spec, turn), opening(&spec, turn), "{at:?}");
    }
    assert!(made > 500 && refused > 500, "{made} were made, {refused} refused");
}
