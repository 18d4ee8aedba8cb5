//! Measures a model with the missions of a folder.
//!
//! `cargo run -p ptc-tests --example missions -- --model openai:NAME --base-url URL` prints a table
//! with a row for each mission. `--help` lists the other options.

#![expect(clippy::print_stdout, clippy::print_stderr, reason = "a tool for people")]

use std::error::Error;
use std::path::PathBuf;
use std::time::Duration;

use clap::builder::PossibleValuesParser;
use clap::{Parser, ValueEnum};
use ptc_subagent::provider::{GrammarServer, ModelSpec, Provider, ProviderOptions};
use ptc_subagent::tool::Effect;
use ptc_subagent::{Agent, Event, Reference, RunReport, Status};
use ptc_tests::missions::{Case, Mission, Writes, missions};
use ptc_tests::root;
use serde_json::Value;

/// Put the missions of a folder to a model, and say which answers are right.
#[derive(Debug, Parser)]
struct Args {
    /// `openai:NAME`; a key is taken from the environment (`OPENAI_API_KEY`)
    #[arg(long)]
    model: ModelSpec,
    /// The server: any that speaks chat completions
    #[arg(long)]
    base_url: Option<String>,
    /// How much of the language the prompt explains
    #[arg(long, default_value = "auto", value_parser = PossibleValuesParser::new(Reference::ALL.map(Reference::as_str)))]
    reference: String,
    /// The folder of missions
    #[arg(long)]
    missions: Option<PathBuf>,
    /// The missions that prompts are tuned on, those that are held out, or all
    #[arg(long, value_enum, default_value_t = Set::Tuned)]
    set: Set,
    /// These missions, whichever set they are in
    #[arg(long, value_delimiter = ',')]
    only: Vec<String>,
    /// Cases of a mission at most, if it is to be fewer than it has
    #[arg(long)]
    cases: Option<usize>,
    /// Send the grammar of each mission, for servers that take one
    #[arg(long)]
    grammar: bool,
    /// Turns of a mission at most, if it is to be fewer than its file says
    #[arg(long)]
    turns: Option<u32>,
    /// Tokens of one reply at most
    #[arg(long, default_value_t = 400)]
    max_tokens: u32,
    /// Seconds to wait for one reply
    #[arg(long, default_value_t = 600)]
    wait: u64,
    /// Print replies and what is said to them
    #[arg(long)]
    verbose: bool,
    /// Write the table into docs/models.md
    #[arg(long)]
    write: bool,
    /// Add a row with these words to the table of what was tried in docs/models.md
    #[arg(long)]
    tried: Option<String>,
}

/// A set of missions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Set {
    Tuned,
    HeldOut,
    All,
}

impl Set {
    fn has(self, mission: &Mission) -> bool {
        match self {
            Set::Tuned => !mission.held_out,
            Set::HeldOut => mission.held_out,
            Set::All => true,
        }
    }
}

/// The outcome of one mission.
struct Row {
    name: String,
    cases: usize,
    right: usize,
    /// The largest number of turns of a case.
    turns: u32,
    /// The largest number of tokens of a first prompt.
    prompt_tokens: u64,
    /// What went wrong, for each case that has something.
    wrong: Vec<String>,
}

impl Row {
    fn is_right(&self) -> bool {
        self.right == self.cases
    }
}

/// The outcome of one case.
struct Outcome {
    right: bool,
    turns: u32,
    prompt_tokens: u64,
    wrong: Vec<String>,
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn Error>> {
    let args = Args::parse();
    let options = ProviderOptions {
        base_url: args.base_url.clone(),
        request_timeout: Duration::from_secs(args.wait),
        attempts: 1,
        ..ProviderOptions::from_env()
    };
    let provider = args.model.open(&options)?;
    let folder = args.missions.clone().unwrap_or_else(|| root().join("examples/missions"));
    let mut all = missions(&folder)?;
    all.retain(|it| match &args.only[..] {
        [] => args.set.has(it),
        names => names.contains(&it.name),
    });
    let mut rows = Vec::new();
    for mission in &all {
        let row = put(mission, &args, provider.as_ref()).await?;
        eprintln!("{}", line(&row));
        rows.push(row);
    }
    let table = table(&rows);
    println!("{table}\n\nright, in the first turn, tokens of a prompt: {}", summary(&rows));
    let page = root().join("docs/models.md");
    let setting = if args.grammar { "grammar" } else { "plain" };
    if args.write {
        let text = std::fs::read_to_string(&page)?;
        std::fs::write(&page, replace(&text, setting, &table)?)?;
    }
    if let Some(what) = &args.tried {
        let text = std::fs::read_to_string(&page)?;
        let row = format!("| {what} | {setting} | {} |", summary(&rows));
        std::fs::write(&page, append(&text, "tried", &row)?)?;
    }
    Ok(())
}

/// Returns the page with another table below the mark of this name.
fn replace(page: &str, mark: &str, table: &str) -> Result<String, String> {
    let (before, _, after) = marked(page, mark)?;
    Ok(format!("{before}{table}{after}"))
}

/// Returns the page with one more row in the table below the mark of this name.
fn append(page: &str, mark: &str, row: &str) -> Result<String, String> {
    let (before, old, after) = marked(page, mark)?;
    Ok(format!("{before}{old}\n{row}{after}"))
}

/// Returns the text before, in and after the table below `<!-- mark -->`.
fn marked<'a>(page: &'a str, mark: &str) -> Result<(&'a str, &'a str, &'a str), String> {
    let mark = format!("<!-- {mark} -->\n\n");
    let start = page.find(&mark).ok_or_else(|| format!("the page has no {}", mark.trim()))?;
    let (before, rest) = page.split_at(start + mark.len());
    let end = rest.find("\n\n").unwrap_or(rest.trim_end().len());
    let (table, after) = rest.split_at(end);
    Ok((before, table, after))
}

/// Runs the cases of one mission with the model.
async fn put(
    mission: &Mission,
    args: &Args,
    provider: &dyn Provider,
) -> Result<Row, Box<dyn Error>> {
    let mut agent = Agent::read(&mission.agent)?;
    let reference = Reference::ALL.into_iter().find(|it| it.as_str() == args.reference);
    agent.prompt_limits.reference = reference.unwrap_or_default();
    agent.grammar = args.grammar.then(GrammarServer::default);
    agent.max_turns = args.turns.unwrap_or(agent.max_turns).min(agent.max_turns);
    agent.parameters.max_tokens = Some(args.max_tokens);
    agent.timeout = Duration::from_secs(args.wait.saturating_mul(u64::from(agent.max_turns)));
    let name = mission.name.clone();
    let mut row = Row { name, cases: 0, right: 0, turns: 0, prompt_tokens: 0, wrong: Vec::new() };
    for case in mission.cases.iter().take(args.cases.unwrap_or(usize::MAX)) {
        let outcome = put_case(mission, case, &agent, args, provider).await?;
        row.cases += 1;
        row.right += usize::from(outcome.right);
        row.turns = row.turns.max(outcome.turns);
        row.prompt_tokens = row.prompt_tokens.max(outcome.prompt_tokens);
        if !outcome.wrong.is_empty() {
            row.wrong.push(outcome.wrong.join(", "));
        }
    }
    Ok(row)
}

/// Runs one case with the model.
async fn put_case(
    mission: &Mission,
    case: &Case,
    agent: &Agent,
    args: &Args,
    provider: &dyn Provider,
) -> Result<Outcome, Box<dyn Error>> {
    let mut prompt_tokens = 0;
    let mut wrong = Vec::new();
    let writers = agent.tools.iter().filter(|it| it.effect() == Effect::Write);
    let mut writes = Writes::of(writers.map(|it| it.name.clone()));
    let run = ptc_subagent::Mission::new(agent, case.input.clone()).observe(|_, event| {
        match event {
            Event::ModelReplied { turn: 1, reply, .. } => {
                prompt_tokens = reply.usage.map_or(0, |it| it.input_tokens);
            }
            Event::CallStarted { call, tool, args, .. } => {
                writes.started(call, tool, &args.to_json().unwrap_or_default());
            }
            Event::CallFinished { call, result, .. } => writes.ended(call, result.is_ok()),
            Event::TurnEnded { outcome, error, .. } => {
                let code = error.as_ref().map_or(outcome.as_str(), |it| it.code.as_str());
                wrong.push(code.to_owned());
            }
            _ => {}
        }
        if args.verbose {
            tell(event);
        }
    });
    let report = run.run(provider).await?;
    let right =
        report.status == Status::Returned && mission.accepts(case, &report.value, writes.made());
    // The report has the end of the last turn.
    wrong.pop();
    wrong.extend(ended(&report, right, writes.made().len()));
    Ok(Outcome { right, turns: report.turns, prompt_tokens, wrong })
}

/// Describes the fault of the last turn in a few words.
fn ended(report: &RunReport, right: bool, writes: usize) -> Option<String> {
    match report.status {
        Status::Returned if right => None,
        Status::Returned if writes > 0 => {
            Some(format!("returned `{}`, successful writes: {writes}", short(&report.value)))
        }
        Status::Returned => Some(format!("returned `{}`", short(&report.value))),
        Status::Failed => {
            let reason = report.fail.as_ref().map_or("", |it| it.reason.as_str());
            Some(format!("failed: `{reason}`"))
        }
        _ => report.error.as_ref().map(|it| it.code.to_string()),
    }
}

fn short(value: &Value) -> String {
    let text = value.to_string().replace('|', "/").replace('`', "'");
    if text.chars().count() <= 40 {
        return text;
    }
    text.chars().take(37).chain("...".chars()).collect()
}

fn tell(event: &Event) {
    match event {
        Event::RunStarted(started) => eprintln!("=== {}\n{}", started.agent, started.system),
        Event::TurnStarted { turn, prompt } => eprintln!("--- turn {turn}\n{prompt}"),
        Event::ModelReplied { reply, .. } => eprintln!("--- reply\n{}", reply.text),
        Event::CallFinished { tool, result, .. } => eprintln!("--- {tool}: {result:?}"),
        _ => {}
    }
}

fn table(rows: &[Row]) -> String {
    let mut out = vec![
        "| mission | right | turns | prompt tokens | what went wrong |".to_owned(),
        "|---|---|--:|--:|---|".to_owned(),
    ];
    out.extend(rows.iter().map(line));
    out.join("\n")
}

/// Returns the number of missions with right answers to all cases, the number of those in the first
/// turn, and the length of the prompts.
fn summary(rows: &[Row]) -> String {
    let right = rows.iter().filter(|row| row.is_right()).count();
    let first = rows.iter().filter(|row| row.is_right() && row.turns == 1).count();
    let tokens: u64 = rows.iter().map(|row| row.prompt_tokens).sum();
    let mean = tokens / (rows.len() as u64).max(1);
    format!("{right} of {} | {first} | {mean}", rows.len())
}

fn line(row: &Row) -> String {
    let Row { name, cases, right, turns, prompt_tokens, wrong } = row;
    let right = match (right, cases) {
        (1, 1) => "yes".to_owned(),
        (0, 1) => "no".to_owned(),
        _ => format!("{right} of {cases}"),
    };
    let wrong = wrong.join("; ");
    format!("| {name} | {right} | {turns} | {prompt_tokens} | {wrong} |")
}
