//! Tests that the programs of a prompt are admitted in the mission of that very prompt.

use std::path::{Path, PathBuf};

use ptc_signatures::{Signature, Type};
use ptc_subagent::eval::Sandbox;
use ptc_subagent::tool::{Constant, Effect, ToolDef};
use ptc_subagent::{Agent, Answers, Data, Mission, PromptPart, Reference};
use ptc_tests::{assert_no_problems, one_in, root};
use serde_json::json;

use crate::solved::missions;

#[test]
fn programs_of_prompts_are_admitted() {
    let mut problems = Vec::new();
    let mut prompts = 0;
    for mission in missions(&root().join("examples/missions")).unwrap().iter().step_by(one_in(4)) {
        let agent = mission.trial.agent().unwrap();
        let input = Data::written(&mission.trial.cases[0].input).unwrap();
        prompts += check(&mission.trial.name, &agent, &input, &mut problems);
    }
    for path in agent_files(&root().join("examples")) {
        // Some files are agents that need a server or a variable.
        let Ok(agent) = Agent::read(&path) else { continue };
        let example = agent.signature.as_ref().map(Signature::example_input);
        let example = Data::written(&example.unwrap_or(json!({}))).unwrap();
        // The input of a conversation lacks its message.
        let fits = |input: &Data| Mission::new(&agent, input).system_prompt().is_ok();
        let input = agent.default_input().unwrap().filter(fits).unwrap_or(example);
        prompts += check(&path.display().to_string(), &agent, &input, &mut problems);
    }
    let mut types = Types(1);
    for number in 0..200 {
        let (input, output) = (types.fields(2), types.of(3));
        let signature = format!("({input}) -> {output}");
        let (param, result) = (types.of(1), types.of(2));
        let tools = [("look-up", Effect::Read, "id"), ("save", Effect::Write, "what")];
        let tools = tools.map(|(name, effect, arg)| {
            let tool = ToolDef::new(name, Constant::returns(1)).with_effect(effect);
            tool.with_signature(&format!("({arg} {param}) -> {result}")).unwrap()
        });
        let agent = Agent::new("Do it.").with_signature(&signature).unwrap();
        let agent = tools.into_iter().take(number % 3).fold(agent, Agent::with_tool);
        let agent = agent.with_max_turns(1 + number as u32 % 2);
        let input = agent.signature.as_ref().unwrap().example_input();
        let input = Data::written(&input).unwrap();
        prompts += check(&signature, &agent, &input, &mut problems);
    }
    assert!(prompts > 600, "only {prompts} prompts");
    assert_no_problems(&problems);
}

/// Checks the prompts of an agent with each size of the reference. Returns their number.
fn check(name: &str, agent: &Agent, input: &Data, problems: &mut Vec<String>) -> usize {
    if agent.answers != Answers::Program || agent.workflow.is_some() {
        return 0;
    }
    let (sandbox, _) = Sandbox::of_agent(agent, Some(input.value().clone()), false);
    // Worked examples answer other missions, so their values have other types.
    let mut other = agent.clone();
    if let Some(signature) = &mut other.signature {
        signature.output = Type::Any;
    }
    let (other, _) = Sandbox::of_agent(&other, Some(input.value().clone()), false);
    let mut prompts = 0;
    for reference in Reference::ALL {
        let mut agent = agent.clone();
        agent.prompt_limits.reference = reference;
        let prompt = Mission::new(&agent, input).system_prompt().unwrap();
        prompts += 1;
        for section in &prompt.sections {
            let mut programs = blocks(&section.text);
            let is_reference = section.part == PromptPart::Reference;
            if is_reference && reference == Reference::Auto || section.part == PromptPart::Mission {
                programs.extend(spans(&section.text));
            }
            let sandbox = if is_reference { &other } else { &sandbox };
            for program in programs {
                if let Err(refused) = sandbox.session().admit(&program) {
                    let title = section.part.title();
                    problems
                        .push(format!("{name}, {reference:?}, {title}: {program}\n  {refused}"));
                }
            }
        }
    }
    prompts
}

/// Returns the programs of the code blocks of a text.
fn blocks(text: &str) -> Vec<String> {
    let mut programs = Vec::new();
    let mut block: Option<String> = None;
    for line in text.lines() {
        match &mut block {
            None if line == "```clojure" => block = Some(String::new()),
            None => {}
            Some(whole) if line == "```" => {
                programs.extend(whole.split("\n\n").map(str::to_owned));
                block = None;
            }
            Some(whole) => {
                whole.push_str(line);
                whole.push('\n');
            }
        }
    }
    programs.retain(|program| !program.trim().is_empty());
    programs
}

/// Returns the programs that are marked within lines.
fn spans(text: &str) -> Vec<String> {
    let marked = text.lines().flat_map(|line| line.split('`').skip(1).step_by(2));
    marked.filter(|span| span.starts_with('(')).map(str::to_owned).collect()
}

/// Returns the TOML files below a folder.
fn agent_files(folder: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    let mut folders = vec![folder.to_path_buf()];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(&folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() && !path.ends_with("missions") {
                folders.push(path);
            } else if path.extension().is_some_and(|it| it == "toml") {
                files.push(path);
            }
        }
    }
    files.sort();
    files
}

/// A generator of types.
struct Types(u64);

impl Types {
    fn below(&mut self, bound: u64) -> u64 {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % bound
    }

    /// Returns a type with at most `depth` levels.
    fn of(&mut self, depth: u32) -> String {
        let leaves = [
            ":int",
            ":string",
            ":float",
            ":bool",
            ":keyword",
            ":datetime",
            ":map",
            ":any",
            ":int[3..9]",
            ":string[2..5]",
            ":enum[low high]",
        ];
        let count = leaves.len() as u64;
        match self.below(if depth == 0 { count } else { count + 9 }) {
            leaf if leaf < count => leaves[leaf as usize].to_owned(),
            at if at < count + 4 => {
                let length = ["", "", "[2..]", "[..3]"][self.below(4) as usize];
                format!("[{}]{length}", self.of(depth - 1))
            }
            at if at < count + 8 => format!("{{{}}}", self.fields(depth - 1)),
            _ => format!(":int|{}", leaves[self.below(2) as usize + 1]),
        }
    }

    /// Returns one to three fields.
    fn fields(&mut self, depth: u32) -> String {
        let names = ["id", "rows", "first-name"];
        let count = 1 + self.below(3) as usize;
        let fields = names.iter().take(count).map(|name| {
            let may_be_absent = if self.below(4) == 0 { "?" } else { "" };
            format!("{name}{may_be_absent} {}", self.of(depth))
        });
        fields.collect::<Vec<_>>().join(", ")
    }
}
