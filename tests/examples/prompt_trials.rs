//! Tries variants of prompts: without one line, with a plan, with an example; and judges replies that were made elsewhere.
//!
//! - `prompts FOLDER` writes the prompt of each mission to `FOLDER/NNN.txt`, with a list in `FOLDER/missions.tsv`;
//!   `prompts FOLDER LINE` leaves out one line, and takes the missions that have it.
//! - `judge FOLDER REPLIES` judges the replies in `REPLIES/NNN.txt` to these prompts.
//! - `lines SPEC [BASE_URL] [SIZE] [COUNT]` asks a model for the first programs of the missions to tune on, without each line
//!   in turn. It takes the `COUNT` missions with the shortest solutions, or all of them.
//! - `ways SPEC [BASE_URL] [SIZE] [WAY] [COUNT]` tries it in each of the ways to ask, which are `all`, or in one. It takes the
//!   missions of both halves, or the first `COUNT` of each by name.
//!
//! `SIZE` is that of the reference. Run it with `cargo run -p ptc-tests --example prompt_trials -- …`.

#![expect(clippy::print_stdout, reason = "a tool for people")]

use std::collections::{BTreeMap, BTreeSet};
use std::error::Error;
use std::fmt::Write as _;
use std::fs;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use ptc_prompt::Reference;
use ptc_subagent::provider::{
    BoxFuture, GrammarServer, ModelSpec, Provider, ProviderError, ProviderErrorKind,
    ProviderOptions, Reply, Request, Scripted,
};
use ptc_subagent::trial::{Attempt, TrialMission};
use ptc_subagent::{Agent, Instruction, Mission, PromptPart, RunSettings};
use ptc_tests::root;

/// The lines of a prompt that can be left out: a name, the section, and a text that only this line has.
const LINES: [(&str, PromptPart, &str); 14] = [
    ("reading", PromptPart::Rules, "reads the data"),
    ("calling", PromptPart::Rules, "calls a tool"),
    ("going on", PromptPart::Rules, "the mission goes on"),
    ("memory", PromptPart::Rules, "(memory/put"),
    ("note on samples", PromptPart::Inventory, "marks a cut"),
    ("return", PromptPart::Tools, "`(return result)`"),
    ("fail", PromptPart::Tools, "`(fail {"),
    ("core", PromptPart::Reference, "Clojure's core"),
    ("rows", PromptPart::Reference, "- Rows:"),
    ("numbers", PromptPart::Reference, "- Numbers:"),
    ("dates", PromptPart::Reference, "`(time-between"),
    ("missing values", PromptPart::Reference, "What is missing"),
    ("side by side", PromptPart::Reference, "side by side"),
    ("failing call", PromptPart::Reference, "`(if-error"),
];

/// The turns of a mission of several turns.
const MAX_TURNS: u32 = 3;
/// The tokens of a reply.
const MAX_TOKENS: u32 = 400;

type Result<T> = std::result::Result<T, Box<dyn Error>>;

#[tokio::main]
async fn main() -> Result<()> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let args: Vec<&str> = args.iter().map(String::as_str).collect();
    match args[..] {
        ["prompts", folder] => prompts(Path::new(folder), None),
        ["prompts", folder, line] => prompts(Path::new(folder), Some(line)),
        ["judge", folder, replies] => judge(Path::new(folder), Path::new(replies)).await,
        [way @ ("lines" | "ways"), spec, ref rest @ ..] => {
            let options = ProviderOptions {
                base_url: rest.first().map(|it| (*it).to_owned()),
                ..ProviderOptions::from_env()
            };
            let provider = spec.parse::<ModelSpec>()?.open(&options)?;
            let size = rest
                .get(1)
                .and_then(|name| Reference::ALL.into_iter().find(|it| it.as_str() == *name));
            let mut missions = missions()?;
            for (_, agent) in &mut missions {
                agent.prompt_limits.reference = size.unwrap_or(agent.prompt_limits.reference);
                // A small model on a small machine takes a minute for a prompt, and repeats itself without end.
                agent.request_timeout = Duration::from_hours(1);
                agent.timeout = Duration::from_hours(6);
                agent.parameters.temperature = Some(0.0);
                agent.parameters.max_tokens = Some(MAX_TOKENS);
                if agent.max_turns > 1 {
                    agent.max_turns = MAX_TURNS;
                }
            }
            match way {
                "lines" => {
                    let count = rest.get(2).map_or(Ok(usize::MAX), |it| it.parse())?;
                    lines(missions, count, &*provider).await
                }
                _ => {
                    let count = rest.get(3).map_or(Ok(usize::MAX), |it| it.parse())?;
                    let only = rest.get(2).copied().filter(|it| *it != "all");
                    ways(&missions, only, count, &*provider).await
                }
            }
        }
        _ => Err("say `prompts`, `judge`, `lines` or `ways`".into()),
    }
}

/// Returns the missions with their agents, those with the longest solutions first.
fn missions() -> Result<Vec<(TrialMission, Agent)>> {
    let mut all = Vec::new();
    for mission in TrialMission::read_all(&root().join("examples/missions"))? {
        let solution = fs::read_to_string(mission.file.with_file_name("solution.clj"))?;
        let agent = mission.agent()?;
        all.push((solution.len(), mission, agent));
    }
    all.sort_by_key(|(length, mission, _)| (std::cmp::Reverse(*length), mission.name.clone()));
    Ok(all.into_iter().map(|(_, mission, agent)| (mission, agent)).collect())
}

/// Returns the agent without a line of its prompt. `None` if the prompt does not have it.
fn without(agent: &Agent, mission: &TrialMission, line: &str) -> Result<Option<Agent>> {
    let found = LINES.into_iter().find(|it| it.0 == line);
    let (_, part, text) = found.ok_or_else(|| format!("there is no line `{line}`"))?;
    let prompt = Mission::new(agent, &mission.cases[0].input).system_prompt()?;
    if !prompt.part(part).is_some_and(|it| it.text.contains(text)) {
        return Ok(None);
    }
    let quoted = text.replace('\'', "\\'");
    let template = format!(
        "{{% for line in section | lines if '{quoted}' not in line %}}{{{{ line }}}}\n{{% endfor %}}"
    );
    Ok(Some(agent.clone().with_section(part, template)?))
}

/// Writes the prompts of the missions, each with the first message.
fn prompts(folder: &Path, line: Option<&str>) -> Result<()> {
    fs::create_dir_all(folder)?;
    let mut list = String::new();
    let mut number = 0;
    for (mission, agent) in missions()? {
        let agent = match line {
            None => Some(agent),
            Some(line) => without(&agent, &mission, line)?,
        };
        let Some(agent) = agent else { continue };
        number += 1;
        let run = Mission::new(&agent, &mission.cases[0].input);
        let text = format!("{}\n\n=== user\n\n{}\n", run.system_prompt()?.text(), run.opening()?);
        fs::write(folder.join(format!("{number:03}.txt")), text)?;
        writeln!(list, "{number:03}\t{}", mission.name)?;
    }
    fs::write(folder.join("missions.tsv"), list)?;
    println!("{number} prompts");
    Ok(())
}

/// Judges replies: which are right in the first turn, and what went wrong in the others.
async fn judge(folder: &Path, replies: &Path) -> Result<()> {
    let list = fs::read_to_string(folder.join("missions.tsv"))?;
    let missions = missions()?;
    let (mut right, mut all) = ([0, 0], [0, 0]);
    for row in list.lines() {
        let (number, name) = row.split_once('\t').ok_or("a row lacks a mission")?;
        let Ok(reply) = fs::read_to_string(replies.join(format!("{number}.txt"))) else { continue };
        let (mission, agent) =
            missions.iter().find(|it| it.0.name == name).ok_or("an unknown mission")?;
        let attempt = attempt(mission, agent, &Scripted::new([reply])).await?;
        let half = usize::from(mission.held_out);
        all[half] += 1;
        if is_right_at_once(&attempt) {
            right[half] += 1;
            continue;
        }
        println!("{number} {name}: {}", attempt.problems.join(", "));
        if let Some(error) = attempt.report.error {
            println!("    {}", error.message);
        }
    }
    println!("to tune on: {} of {} right in the first turn", right[0], all[0]);
    println!("held out: {} of {}", right[1], all[1]);
    Ok(())
}

/// Tries a model without each line in turn.
async fn lines(
    mut missions: Vec<(TrialMission, Agent)>,
    count: usize,
    provider: &dyn Provider,
) -> Result<()> {
    missions.retain(|(mission, _)| !mission.held_out);
    missions.drain(..missions.len().saturating_sub(count));
    let mut with = Vec::new();
    for (mission, agent) in &missions {
        with.push(is_right_at_once(&first_attempt(mission, agent, provider).await?));
    }
    let whole = with.iter().filter(|it| **it).count();
    println!("whole prompts: {whole} of {} right in the first turn\n", missions.len());
    println!(
        "| without the line | missions | characters less | right with it | right without it |"
    );
    println!("|---|--:|--:|--:|--:|");
    for (line, ..) in LINES {
        let (mut count, mut before, mut after, mut less) = (0, 0, 0, 0);
        for ((mission, agent), was_right) in missions.iter().zip(&with) {
            let Some(changed) = without(agent, mission, line)? else { continue };
            let input = &mission.cases[0].input;
            let length = |agent| Mission::new(agent, input).system_prompt().map(|it| it.len());
            less += length(agent)?.saturating_sub(length(&changed)?);
            count += 1;
            before += usize::from(*was_right);
            let attempt = first_attempt(mission, &changed, provider).await?;
            after += usize::from(is_right_at_once(&attempt));
        }
        let less = less / count.max(1);
        println!("| {line} | {count} | {less} | {before} | {after} |");
    }
    Ok(())
}

const PLAN: &str =
    "Begin the program with comments: `;; 1.` and so on, a step each. Then write the steps.";

/// The ways to ask: a name, whether a plan comes first, whether the solution of a similar mission is shown, and whether a grammar
/// allows only programs of the mission.
const WAYS: [(&str, bool, bool, bool); 6] = [
    ("plain", false, false, false),
    ("plan", true, false, false),
    ("example", false, true, false),
    ("grammar", false, false, true),
    ("plan-example", true, true, false),
    ("example-grammar", false, true, true),
];

/// Tries a model with each way to ask, or with one. Each wrong attempt is a line with the codes of its turns.
async fn ways(
    missions: &[(TrialMission, Agent)],
    only: Option<&str>,
    count: usize,
    provider: &dyn Provider,
) -> Result<()> {
    let mut chosen: Vec<&(TrialMission, Agent)> = missions.iter().collect();
    chosen.sort_by_key(|it| it.0.name.as_str());
    for (name, plans, shows, restricts) in WAYS {
        if only.is_some_and(|only| only != name) {
            continue;
        }
        for held_out in [true, false] {
            let half = chosen.iter().filter(|it| it.0.held_out == held_out).take(count);
            let (mut all, mut right, mut first) = (0, 0, 0);
            let mut ends = BTreeMap::<String, usize>::new();
            for (mission, agent) in half {
                let mut agent = agent.clone();
                if restricts {
                    agent = agent.with_grammar(GrammarServer::LlamaCpp);
                }
                if shows {
                    let (other, solution) = similar(missions, mission, &agent)?;
                    let text = format!(
                        "A program for another mission, \"{}\":\n\n```clojure\n{solution}\n```",
                        other.prompt.trim()
                    );
                    // Two braces would be a placeholder.
                    let text = text.replace("{{", "{ {").replace("}}", "} }");
                    agent = agent.with_instruction(Instruction::new("example", text));
                }
                if plans {
                    agent = agent.with_instruction(Instruction::new("plan", PLAN));
                }
                let attempt = attempt(mission, &agent, provider).await?;
                all += 1;
                right += usize::from(attempt.is_right);
                first += usize::from(is_right_at_once(&attempt));
                if !attempt.is_right {
                    println!("  {}: {}", mission.name, attempt.problems.join(", "));
                    let last = attempt.problems.last().cloned().unwrap_or_default();
                    *ends.entry(last).or_default() += 1;
                }
            }
            let half = if held_out { "held out" } else { "to tune on" };
            let ends: Vec<String> = ends.iter().map(|(code, n)| format!("{code} {n}")).collect();
            println!(
                "{name}, {half}: {right} of {all} right, {first} in the first turn; ends of the others: {}",
                ends.join(", ")
            );
        }
    }
    Ok(())
}

/// Returns the most similar other mission to tune on, by the rare words of prompts and signatures, and its solution.
fn similar<'a>(
    missions: &'a [(TrialMission, Agent)],
    mission: &TrialMission,
    agent: &Agent,
) -> Result<(&'a Agent, String)> {
    let words = |agent: &Agent| -> BTreeSet<String> {
        let signature = agent.signature.as_ref().map(ToString::to_string).unwrap_or_default();
        let text = format!("{} {signature}", agent.prompt).to_lowercase();
        text.split(|c: char| !c.is_alphanumeric()).map(str::to_owned).collect()
    };
    let own = words(agent);
    let all: Vec<BTreeSet<String>> = missions.iter().map(|it| words(&it.1)).collect();
    let weight = |word: &String| 1.0 / all.iter().filter(|it| it.contains(word)).count() as f64;
    let others =
        missions.iter().zip(&all).filter(|((it, _), _)| it.name != mission.name && !it.held_out);
    let score = |words: &BTreeSet<String>| own.intersection(words).map(weight).sum::<f64>();
    let found = others.max_by(|a, b| score(a.1).total_cmp(&score(b.1)));
    let ((found, agent), _) = found.ok_or("there is no other mission")?;
    let solution = fs::read_to_string(found.file.with_file_name("solution.clj"))?;
    let first = solution.split("; next turn").next().unwrap_or_default().trim().to_owned();
    Ok((agent, first))
}

async fn attempt<P: Provider + ?Sized>(
    mission: &TrialMission,
    agent: &Agent,
    provider: &P,
) -> Result<Attempt> {
    let settings = RunSettings::new();
    let agent = &agent.clone().with_seed(1);
    Ok(mission.attempt(agent, &mission.cases[0], &settings, provider, None).await?)
}

/// Asks for the first program of a mission alone.
async fn first_attempt(
    mission: &TrialMission,
    agent: &Agent,
    provider: &dyn Provider,
) -> Result<Attempt> {
    attempt(mission, agent, &FirstReply { provider, is_given: AtomicBool::new(false) }).await
}

/// A model that gives one reply.
struct FirstReply<'a> {
    provider: &'a dyn Provider,
    is_given: AtomicBool,
}

impl Provider for FirstReply<'_> {
    fn complete<'a>(
        &'a self,
        request: &'a Request,
    ) -> BoxFuture<'a, std::result::Result<Reply, ProviderError>> {
        if self.is_given.swap(true, Ordering::Relaxed) {
            let error = ProviderError::new(ProviderErrorKind::Recording, "one reply is enough");
            return Box::pin(std::future::ready(Err(error)));
        }
        self.provider.complete(request)
    }

    fn name(&self) -> String {
        self.provider.name()
    }
}

fn is_right_at_once(attempt: &Attempt) -> bool {
    attempt.is_right && attempt.report.turns == 1
}
