//! The sizes of prompts and solutions, in tokens of a real encoding.

use std::fmt::Write;

use crate::common::{EMAILS, mail_tools, value};
use ptc_prompt::{AgentSpec, MissionMode, PromptLimits, PromptSpec, system};
use ptc_signatures::Signature;
use ptc_subagent::trial::TrialMission;
use ptc_subagent::{Agent, Data, Mission};
use ptc_tests::{root, updating};

/// The parts that no mission changes take at most 250 tokens, and the lines of the reference 200.
#[test]
fn budget() {
    let ctx = value(EMAILS);
    let tools = mail_tools();
    let spec = PromptSpec {
        agent: AgentSpec::default(),
        mission: "",
        mode: MissionMode::Agent,
        ctx: &ctx,
        signature: None,
        tools: &tools,
        limits: PromptLimits::default(),
        payload: None,
        sections: None,
        instructions: &[],
    };
    let encoding = tiktoken_rs::o200k_base_singleton();
    let tokens = |spec: &PromptSpec<'_>, numbers: &[usize]| {
        let prompt = system(spec).expect("it renders");
        let text = |number: &usize| prompt.section(*number).map_or("", |it| &*it.text).to_owned();
        encoding.encode_ordinary(&numbers.iter().map(text).collect::<String>()).len()
    };
    let bare = PromptSpec { tools: &[], ..spec };
    let fixed = tokens(&spec, &[1, 2, 6]) + tokens(&bare, &[4]);
    assert!(fixed <= 250, "the fixed parts take {fixed} tokens");
    let lines = tokens(&spec, &[5]);
    assert!(lines <= 200, "the lines of the reference take {lines} tokens");
}

/// A prompt of `examples/missions` takes at most 420 tokens on the mean, and at most 560 among the data of two other missions.
#[test]
fn prompts_of_missions() {
    let missions = TrialMission::read_all(&root().join("examples/missions")).unwrap();
    let agents: Vec<Agent> = missions.iter().map(|it| it.agent().unwrap()).collect();
    let tokens = |agent: &Agent, input: &Data| {
        let prompt = Mission::new(agent, input).system_prompt().unwrap();
        tiktoken_rs::o200k_base_singleton().encode_ordinary(&prompt.text()).len()
    };
    let (mut own, mut large) = (Vec::new(), Vec::new());
    for (at, mission) in missions.iter().enumerate() {
        own.push(tokens(&agents[at], &mission.cases[0].input));
        let others = [1, 2].map(|step| (at + step) % missions.len());
        let mut signature = agents[at].signature.clone().unwrap();
        let mut input = mission.cases[0].input.clone();
        for other in others {
            let Signature { params, .. } = agents[other].signature.as_ref().unwrap();
            for param in params {
                let value = missions[other].cases[0].input.value().get(&param.name);
                let is_new = signature.params.iter().all(|it| it.name != param.name);
                if let (Some(value), true) = (value, is_new) {
                    input = input.with(&param.name, Data::of(value).unwrap());
                    signature.params.push(param.clone());
                }
            }
        }
        let agent = agents[at].clone().with_signature(&signature.to_string()).unwrap();
        large.push(tokens(&agent, &input));
    }
    let mean = |all: &[usize]| all.iter().sum::<usize>() / all.len();
    let found = (mean(&own), mean(&large));
    assert!(found.0 <= 420 && found.1 <= 560, "{found:?}");
}

/// `tests/missions/plain.txt` has the tokens of each solution in plain Clojure, before the functions for data work were
/// there.
#[test]
fn solutions_take_a_quarter_fewer_tokens_than_plain_clojure() {
    let read = |path: &str| std::fs::read_to_string(root().join(path)).unwrap();
    let plain = read("tests/missions/plain.txt");
    let sizes: Vec<(usize, usize)> = plain
        .lines()
        .map(|line| {
            let (name, before) = line.split_once(' ').unwrap();
            let solution = read(&format!("examples/missions/{name}/solution.clj"));
            let encoding = tiktoken_rs::o200k_base_singleton();
            (before.parse().unwrap(), encoding.encode_ordinary(solution.trim()).len())
        })
        .collect();
    let mut table =
        "| solutions | plain Clojure | with these functions | fewer |\n|---|--:|--:|--:|\n"
            .to_owned();
    for (title, range) in [
        ("of at most 50 tokens", 0..51),
        ("of 51 to 100 tokens", 51..101),
        ("of more than 100 tokens", 101..usize::MAX),
        ("all", 0..usize::MAX),
    ] {
        let of_range = sizes.iter().filter(|(before, _)| range.contains(before));
        let (mut count, mut before, mut after) = (0, 0, 0);
        for (plain, short) in of_range {
            (count, before, after) = (count + 1, before + plain, after + short);
        }
        let fewer = 100.0 * (1.0 - after as f64 / before as f64);
        writeln!(table, "| {count} {title} | {before} | {after} | {fewer:.0} % |").unwrap();
        if title == "all" {
            assert!(fewer >= 25.0, "only {fewer:.2} % fewer");
        }
    }
    let page = root().join("docs/language/data.md");
    let text = std::fs::read_to_string(&page).unwrap();
    let (before, rest) = text.split_once("<!-- tokens -->\n").expect("the table has a start");
    let (_, after) = rest.split_once("<!-- end -->").expect("the table has an end");
    let new = format!("{before}<!-- tokens -->\n{table}<!-- end -->{after}");
    if updating() {
        std::fs::write(page, new).unwrap();
    } else {
        assert!(
            text == new,
            "docs/language/data.md is old: UPDATE=1 cargo test -p ptc-judges --test judges tokens"
        );
    }
}
