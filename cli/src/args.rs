//! The command line.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use clap::{Args, CommandFactory as _, Parser, Subcommand, ValueEnum};

use ptc_subagent::MAX_SEED;
use ptc_subagent::provider::ModelSpec;

use crate::help;
use crate::report::Shape;

/// Sub-agents that answer with programs: run, check, look at what they did.
#[derive(Debug, Parser)]
#[command(name = "ptc", version, max_term_width = 100, after_help = help::TOP)]
pub(crate) struct Cli {
    /// What to do.
    #[command(subcommand)]
    pub(crate) command: Command,
}

/// What to do.
#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Write a small project that runs at once.
    #[command(after_help = help::INIT)]
    Init(InitArgs),
    /// Run a mission of an agent to its typed result.
    #[command(after_help = help::RUN)]
    Run(RunArgs),
    /// Run one program, without a model.
    #[command(after_help = help::eval())]
    Eval(EvalArgs),
    /// Say what a program can touch, or why it may not run; nothing runs.
    #[command(after_help = help::CHECK)]
    Check(ProgramArgs),
    /// Print the system prompt that a mission starts with.
    #[command(after_help = help::PROMPT)]
    Prompt(PromptArgs),
    /// List the runs on record, newest first.
    #[command(after_help = help::RUNS)]
    Runs(RunsArgs),
    /// Show all of one run: turns, programs, tool calls, outcome.
    #[command(after_help = help::SHOW)]
    Show(ShowArgs),
    /// Write runs as a page of HTML: a timeline, programs, calls, search.
    #[command(after_help = help::VIEW)]
    View(ViewArgs),
    /// Go through a run again without model and tools: as it was, or with something changed.
    #[command(after_help = help::REPLAY)]
    Replay(ReplayArgs),
    /// Go on with a run whose process died, that was cancelled, or whose model did not answer.
    #[command(after_help = help::RESUME)]
    Resume(ResumeArgs),
    /// Hold agents against runs that were exported: do they still come to the same?
    #[command(after_help = help::TEST)]
    Test(TestArgs),
    /// Say where two runs part.
    #[command(after_help = help::DIFF)]
    Diff(DiffArgs),
    /// Write runs to a file that another machine can take.
    #[command(after_help = help::EXPORT)]
    Export(ExportArgs),
    /// Take the runs of a file into the record.
    #[command(after_help = help::IMPORT)]
    Import(ImportArgs),
    /// Type programs of the language and see what they give.
    #[command(after_help = help::REPL)]
    Repl(ReplArgs),
    /// Step over a program, forward and back, and look at what it holds.
    #[command(after_help = help::DEBUG)]
    Debug(DebugArgs),
    /// Say whether everything that a run needs is there.
    #[command(after_help = help::DOCTOR)]
    Doctor(DoctorArgs),
    /// Print the documentation: a page, or what a function does.
    #[command(after_help = help::DOCS)]
    Docs(DocsArgs),
    /// Print the completions of a shell.
    #[command(after_help = help::COMPLETIONS)]
    Completions(CompletionsArgs),
}

/// What a command line that may be wrong asks for as JSON, if it does. The name of the command is not part of it.
pub(crate) fn shape(args: impl Iterator<Item = OsString>) -> Option<Shape> {
    let args: Vec<OsString> = args.take_while(|it| it != "--").collect();
    let has = |option: &str| {
        let with_value = format!("{option}=");
        args.iter().any(|it| it == option || it.to_string_lossy().starts_with(&with_value))
    };
    if !has("--json") {
        return None;
    }
    let name = args.first()?.to_str()?;
    let cli = Cli::command();
    let command = cli.find_subcommand(name)?;
    command.get_arguments().find(|it| it.get_long() == Some("json"))?;
    Some(match name {
        "run" | "resume" => Shape::Run,
        "replay" if has("--live") || has("--from") => Shape::Run,
        "eval" => Shape::Program,
        "check" => Shape::Check,
        _ => Shape::Other,
    })
}

/// Where the record is that a command reads.
#[derive(Debug, Args)]
pub(crate) struct StoreArgs {
    /// The record; `ptc run --help` says where it is by default.
    #[arg(id = "store", long, value_name = "FILE")]
    file: Option<PathBuf>,
}

impl StoreArgs {
    /// The file that was named, if one was.
    pub(crate) fn file(&self) -> Option<&Path> {
        self.file.as_deref()
    }
}

/// What a command shows of a run.
#[derive(Clone, Debug, Args)]
pub(crate) struct HiddenArgs {
    /// Show what is in hidden fields, whose names start with `_`, too.
    #[arg(id = "hidden", long)]
    all: bool,
}

impl HiddenArgs {
    /// Whether hidden values are shown.
    pub(crate) fn are_shown(&self) -> bool {
        self.all
    }
}

/// A model and its server.
#[derive(Clone, Debug, Args)]
pub(crate) struct ModelArgs {
    #[arg(long, value_name = "SPEC", help = model_help())]
    pub(crate) model: Option<String>,
    /// The server of the model, such as `http://localhost:8080/v1`.
    #[arg(long, value_name = "URL")]
    pub(crate) base_url: Option<String>,
}

/// The help of `--model`, which names every kind of model.
fn model_help() -> String {
    let forms = ModelSpec::forms();
    format!("The model, one of `{}`; by default that of the agent", forms.join("`, `"))
}

/// The seed of random functions.
#[derive(Clone, Debug, Args)]
pub(crate) struct SeedArgs {
    /// The seed of `rand` and its kin; by default the agent's `seed`, or a fresh one.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(..=MAX_SEED))]
    pub(crate) seed: Option<u64>,
}

/// The data, tools and limits of a program outside of a run.
#[derive(Clone, Debug, Args)]
pub(crate) struct DataArgs {
    /// The data that the program sees as `ctx/…`: an object.
    #[arg(long, value_name = "JSON|@FILE")]
    pub(crate) ctx: Option<String>,
    /// The data of earlier programs, seen as `memory/…`: an object.
    #[arg(long, value_name = "JSON|@FILE")]
    pub(crate) memory: Option<String>,
    /// Tools that answer from a table, in the form that `ptc eval --help` shows.
    #[arg(long, value_name = "FILE", conflicts_with = "agent")]
    pub(crate) tools: Option<PathBuf>,
    /// An agent file, for its input, tools, signature, policy and limits.
    #[arg(long, value_name = "AGENT.toml")]
    pub(crate) agent: Option<PathBuf>,
    /// Limits of the program, such as `{"fuel": 1000}`.
    #[arg(long, value_name = "JSON|@FILE")]
    pub(crate) limits: Option<String>,
}

/// The arguments of `ptc init`.
#[derive(Debug, Args)]
pub(crate) struct InitArgs {
    /// The folder; it is made if it is not there.
    #[arg(value_name = "FOLDER", default_value = ".")]
    pub(crate) folder: PathBuf,
}

/// The arguments of `ptc repl`.
#[derive(Debug, Args)]
pub(crate) struct ReplArgs {
    /// An agent file, for its input, tools and limits.
    #[arg(value_name = "AGENT.toml")]
    pub(crate) agent: Option<PathBuf>,
    /// The data that programs see as `ctx/…`: an object; the agent's input if it is not given.
    #[arg(long, value_name = "JSON|@FILE")]
    pub(crate) ctx: Option<String>,
    /// Tools that answer from a table, as for `ptc eval`.
    #[arg(long, value_name = "FILE", conflicts_with = "agent")]
    pub(crate) tools: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) seed: SeedArgs,
}

/// The arguments of `ptc debug`.
#[derive(Debug, Args)]
#[command(group = clap::ArgGroup::new("program"))]
pub(crate) struct DebugArgs {
    /// The id of a run, or its start; or a file that `ptc export` wrote; the newest run if nothing else is given.
    #[arg(value_name = "RUN|FILE", group = "program")]
    pub(crate) run: Option<String>,
    /// The turn; else the last one whose program failed, else the last one.
    #[arg(long, value_name = "N", conflicts_with_all = ["eval", "expression", "ctx", "memory", "tools", "agent", "limits"])]
    pub(crate) turn: Option<u32>,
    #[command(flatten)]
    pub(crate) store: StoreArgs,
    /// The file with the program; with `--print`, `-` is standard input.
    #[arg(long, value_name = "FILE", group = "program")]
    pub(crate) eval: Option<String>,
    /// The program itself.
    #[arg(
        short = 'e',
        long = "expression",
        value_name = "SOURCE",
        allow_hyphen_values = true,
        group = "program"
    )]
    pub(crate) expression: Option<String>,
    #[command(flatten)]
    pub(crate) data: DataArgs,
    /// Call the agent's tools that reach outside, each call once.
    #[arg(long, requires = "agent")]
    pub(crate) live: bool,
    #[command(flatten)]
    pub(crate) seed: SeedArgs,
    /// Do this command; may be given again. Then none are read.
    #[arg(long = "do", value_name = "COMMAND")]
    pub(crate) commands: Vec<String>,
    /// Print the steps, a line each, and take no commands.
    #[arg(long, conflicts_with = "commands")]
    pub(crate) print: bool,
    /// The most steps that `--print` prints.
    #[arg(long, value_name = "N", default_value_t = 1000, requires = "print")]
    pub(crate) max: usize,
}

/// The arguments of `ptc doctor`.
#[derive(Debug, Args)]
pub(crate) struct DoctorArgs {
    /// The agent file whose model and tools are looked at.
    #[arg(value_name = "AGENT.toml")]
    pub(crate) agent: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) model: ModelArgs,
    #[command(flatten)]
    pub(crate) store: StoreArgs,
    /// Print one JSON object.
    #[arg(long)]
    pub(crate) json: bool,
}

/// The arguments of `ptc docs`.
#[derive(Debug, Args)]
pub(crate) struct DocsArgs {
    /// A page, or a name of the language; without one the pages are listed.
    #[arg(value_name = "PAGE|NAME", allow_hyphen_values = true)]
    pub(crate) name: Option<String>,
    /// Print the lines that have a word, and the functions whose name has it.
    #[arg(long, value_name = "WORD", conflicts_with = "name")]
    pub(crate) search: Option<String>,
}

/// The arguments of `ptc completions`.
#[derive(Debug, Args)]
pub(crate) struct CompletionsArgs {
    /// The shell.
    #[arg(value_name = "SHELL")]
    pub(crate) shell: clap_complete::Shell,
}

/// The arguments of `ptc run`.
#[derive(Debug, Args)]
pub(crate) struct RunArgs {
    /// The agent file: TOML, or JSON.
    #[arg(value_name = "AGENT.toml")]
    pub(crate) agent: PathBuf,
    /// The input of the mission: an object; the agent's own if it is not given.
    #[arg(long, value_name = "JSON|@FILE|-")]
    pub(crate) input: Option<String>,
    /// Sets one key of the input, over what is there; `a.b=1` sets `b` in the object `a`.
    #[arg(long, value_name = "KEY=VALUE")]
    pub(crate) set: Vec<String>,
    /// Run a mission for each line of a file, which is an object; `-` is standard input.
    #[arg(long, value_name = "FILE|-", conflicts_with_all = ["input", "record", "events"])]
    pub(crate) inputs: Option<String>,
    /// How many missions of `--inputs` run at a time; 4 if it is not given.
    #[arg(long, value_name = "N", requires = "inputs", value_parser = clap::value_parser!(u16).range(1..=1000))]
    pub(crate) jobs: Option<u16>,
    /// Add the results of `--inputs` to a file; lines that have one there are not run again.
    #[arg(long, value_name = "FILE", requires = "inputs")]
    pub(crate) out: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) model: ModelArgs,
    /// Where the record of the run goes.
    #[arg(long, value_name = "FILE")]
    pub(crate) store: Option<PathBuf>,
    /// Write the model's replies down as a recording.
    #[arg(long, value_name = "FILE")]
    pub(crate) record: Option<PathBuf>,
    /// Write what happens down while it happens: JSON lines.
    #[arg(long, value_name = "FILE")]
    pub(crate) events: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) seed: SeedArgs,
    /// Print one JSON object that tells how the run ended.
    #[arg(long)]
    pub(crate) json: bool,
    /// Show no progress.
    #[arg(long, short)]
    pub(crate) quiet: bool,
}

/// The arguments of `ptc prompt`.
#[derive(Debug, Args)]
pub(crate) struct PromptArgs {
    /// The agent file: TOML, or JSON.
    #[arg(value_name = "AGENT.toml")]
    pub(crate) agent: PathBuf,
    /// The input of the mission: an object; the agent's own if it is not given.
    #[arg(long, value_name = "JSON|@FILE|-")]
    pub(crate) input: Option<String>,
    /// Sets one key of the input, over what is there; `a.b=1` sets `b` in the object `a`.
    #[arg(long, value_name = "KEY=VALUE")]
    pub(crate) set: Vec<String>,
    /// Print this one of the seven sections.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u8).range(1..=7))]
    pub(crate) section: Option<u8>,
    /// Print how long the sections are, with an estimate of their tokens.
    #[arg(long, conflicts_with = "section")]
    pub(crate) stats: bool,
    /// Print the grammar of the replies that the mission allows, in this notation.
    #[arg(long, value_name = "NOTATION", conflicts_with_all = ["section", "stats"])]
    pub(crate) grammar: Option<Notation>,
    /// Leave out the block of code that the grammar has around the program.
    #[arg(long, requires = "grammar")]
    pub(crate) bare: bool,
}

/// How a grammar is written down.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub(crate) enum Notation {
    /// llama.cpp's.
    Gbnf,
    /// Lark's, as llguidance reads it.
    Lark,
}

/// The arguments of `ptc replay`.
#[derive(Debug, Args)]
pub(crate) struct ReplayArgs {
    /// The id of the run, or its start; or a file that `ptc export` wrote; the newest run if it is not given.
    #[arg(value_name = "RUN|FILE")]
    pub(crate) run: Option<String>,
    /// The turn that gets another program.
    #[arg(long, value_name = "N", requires = "program")]
    pub(crate) turn: Option<u32>,
    /// The program; `-` is standard input.
    #[arg(long, value_name = "FILE|-", requires = "turn")]
    pub(crate) program: Option<String>,
    /// Ask outside what the record does not say, tools and model, as a new run.
    #[arg(long, requires = "program")]
    pub(crate) live: bool,
    /// Keep the first turns and go on from there with the model, as a new run.
    #[arg(long, value_name = "N", conflicts_with_all = ["turn", "prompt"])]
    pub(crate) from: Option<u32>,
    /// Make the prompts anew with another agent, and show what would differ.
    #[arg(long, value_name = "AGENT.toml", conflicts_with = "turn")]
    pub(crate) prompt: Option<PathBuf>,
    /// The agent file whose tools and model are asked; else the one that the run had.
    #[arg(long, value_name = "AGENT.toml")]
    pub(crate) agent: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) model: ModelArgs,
    #[command(flatten)]
    pub(crate) store: StoreArgs,
    #[command(flatten)]
    pub(crate) hidden: HiddenArgs,
    /// Print one JSON object.
    #[arg(long)]
    pub(crate) json: bool,
    /// Show no progress.
    #[arg(long, short)]
    pub(crate) quiet: bool,
}

/// The arguments of `ptc resume`.
#[derive(Debug, Args)]
pub(crate) struct ResumeArgs {
    /// The id of the run, or its start; the newest if it is not given.
    #[arg(value_name = "RUN")]
    pub(crate) run: Option<String>,
    /// The agent file; else the one that the run had.
    #[arg(long, value_name = "AGENT.toml")]
    pub(crate) agent: Option<PathBuf>,
    /// A call in doubt has done what it should, with this result.
    #[arg(long, num_args = 2, value_names = ["CALL", "JSON"])]
    pub(crate) assume_done: Vec<String>,
    /// Make a call in doubt again.
    #[arg(long, value_name = "CALL")]
    pub(crate) retry: Vec<String>,
    /// Take the run from the process that has it; if that is alive, both go on.
    #[arg(long)]
    pub(crate) take_over: bool,
    #[command(flatten)]
    pub(crate) model: ModelArgs,
    #[command(flatten)]
    pub(crate) store: StoreArgs,
    /// Write what happens down while it happens: JSON lines.
    #[arg(long, value_name = "FILE")]
    pub(crate) events: Option<PathBuf>,
    /// Print one JSON object that tells how the run ended.
    #[arg(long)]
    pub(crate) json: bool,
    /// Show no progress.
    #[arg(long, short)]
    pub(crate) quiet: bool,
}

/// The arguments of `ptc diff`.
#[derive(Debug, Args)]
pub(crate) struct DiffArgs {
    /// The id of a run, or its start; or a file that `ptc export` wrote.
    #[arg(value_name = "RUN|FILE")]
    pub(crate) first: String,
    /// The other run, named in the same way.
    #[arg(value_name = "OTHER")]
    pub(crate) second: String,
    /// Show all differences, not only the first.
    #[arg(long)]
    pub(crate) all: bool,
    #[command(flatten)]
    pub(crate) store: StoreArgs,
    #[command(flatten)]
    pub(crate) hidden: HiddenArgs,
    /// Print one JSON object.
    #[arg(long)]
    pub(crate) json: bool,
}

/// The arguments of `ptc export`.
#[derive(Debug, Args)]
pub(crate) struct ExportArgs {
    /// The ids of the runs, or their starts; the newest if none is given.
    #[arg(value_name = "RUN")]
    pub(crate) runs: Vec<String>,
    /// Where they go; standard output if it is not given.
    #[arg(long, value_name = "FILE")]
    pub(crate) out: Option<PathBuf>,
    /// Put others in the places of values that are hidden or called like secrets; of one run.
    #[arg(long)]
    pub(crate) redact: bool,
    #[command(flatten)]
    pub(crate) store: StoreArgs,
}

/// The arguments of `ptc test`.
#[derive(Debug, Args)]
pub(crate) struct TestArgs {
    /// Files that `ptc export` wrote, or folders of them.
    #[arg(value_name = "FILE|FOLDER", required = true)]
    pub(crate) files: Vec<PathBuf>,
    /// The agent file that the runs are held against; else the one that each had.
    #[arg(long, value_name = "AGENT.toml")]
    pub(crate) agent: Option<PathBuf>,
    /// A prompt that differs fails too.
    #[arg(long)]
    pub(crate) strict: bool,
    #[command(flatten)]
    pub(crate) hidden: HiddenArgs,
    /// Print one JSON object.
    #[arg(long)]
    pub(crate) json: bool,
}

/// The arguments of `ptc import`.
#[derive(Debug, Args)]
pub(crate) struct ImportArgs {
    /// A file that `ptc export` wrote.
    #[arg(value_name = "FILE")]
    pub(crate) file: PathBuf,
    #[command(flatten)]
    pub(crate) store: StoreArgs,
}

/// What `ptc runs` does besides listing.
#[derive(Debug, Subcommand)]
pub(crate) enum RunsCommand {
    /// Delete runs, with those of their sub-agents, and give the space back.
    #[command(after_help = help::PRUNE)]
    Prune(PruneArgs),
}

/// The arguments of `ptc runs prune`.
#[derive(Debug, Args)]
pub(crate) struct PruneArgs {
    /// The ids of runs, or their starts.
    #[arg(value_name = "RUN")]
    pub(crate) runs: Vec<String>,
    /// Runs that began longer ago than this: `30d`, `12h`, `90m`.
    #[arg(long, value_name = "TIME")]
    pub(crate) older_than: Option<String>,
    /// All but this many of the newest.
    #[arg(long, value_name = "N")]
    pub(crate) keep: Option<u32>,
    /// Only say what would go.
    #[arg(long)]
    pub(crate) dry_run: bool,
    #[command(flatten)]
    pub(crate) store: StoreArgs,
}

/// The arguments of `ptc runs`.
#[derive(Debug, Args)]
#[command(args_conflicts_with_subcommands = true)]
pub(crate) struct RunsArgs {
    /// What to do with them; without it they are listed.
    #[command(subcommand)]
    pub(crate) command: Option<RunsCommand>,
    #[command(flatten)]
    pub(crate) store: StoreArgs,
    /// The most runs to list.
    #[arg(long, value_name = "N", default_value_t = 50)]
    pub(crate) limit: u32,
    /// Which runs.
    #[command(flatten)]
    pub(crate) filter: FilterArgs,
    /// Print one JSON object.
    #[arg(long)]
    pub(crate) json: bool,
}

/// Which runs are asked for.
#[derive(Debug, Args)]
pub(crate) struct FilterArgs {
    /// Runs that ended so: returned, failed, stopped, running, died, or the code of a stop such as fuel.
    #[arg(long, value_name = "STATUS")]
    pub(crate) status: Option<String>,
    /// Runs of an agent.
    #[arg(long, value_name = "NAME")]
    pub(crate) agent: Option<String>,
    /// Runs that called a tool.
    #[arg(long, value_name = "NAME")]
    pub(crate) tool: Option<String>,
    /// Runs in which an error with this code came up, or that failed for this reason.
    #[arg(long, value_name = "CODE")]
    pub(crate) error: Option<String>,
    /// Runs that began not longer ago than `2d`, `12h` or `90m`, or on `2026-11-01` or later.
    #[arg(long, value_name = "TIME")]
    pub(crate) since: Option<String>,
    /// Leave out runs of sub-agents.
    #[arg(long)]
    pub(crate) roots: bool,
}

/// The arguments of `ptc show`.
#[derive(Debug, Args)]
pub(crate) struct ShowArgs {
    /// The id of the run, or its start; or a file that `ptc export` wrote; the newest run if it is not given.
    #[arg(value_name = "RUN|FILE")]
    pub(crate) run: Option<String>,
    #[command(flatten)]
    pub(crate) store: StoreArgs,
    #[command(flatten)]
    pub(crate) hidden: HiddenArgs,
    /// Show only this turn.
    #[arg(long, value_name = "N")]
    pub(crate) turn: Option<u32>,
    /// Print one JSON object with everything in it.
    #[arg(long)]
    pub(crate) json: bool,
}

/// The arguments of `ptc view`.
#[derive(Debug, Args)]
pub(crate) struct ViewArgs {
    /// The id of the run, or its start; or a file that `ptc export` wrote; the newest run if it is not given.
    #[arg(value_name = "RUN|FILE", conflicts_with = "all")]
    pub(crate) run: Option<String>,
    /// Many runs, with a list of them; the filters are those of `ptc runs`.
    #[arg(long)]
    pub(crate) all: bool,
    /// Which runs.
    #[command(flatten)]
    pub(crate) filter: FilterArgs,
    /// The most runs of --all, the newest; those of their sub-agents come on top.
    #[arg(long, value_name = "N", default_value_t = 200)]
    pub(crate) limit: u32,
    /// Where the page goes, `-` for standard output; else `run-ID.html` or `runs.html` in this folder.
    #[arg(long, value_name = "FILE|-")]
    pub(crate) out: Option<PathBuf>,
    /// Write the run as `ptc export --redact` would: values of fields that are called like secrets are replaced too.
    #[arg(long, conflicts_with = "all")]
    pub(crate) redact: bool,
    #[command(flatten)]
    pub(crate) store: StoreArgs,
    #[command(flatten)]
    pub(crate) hidden: HiddenArgs,
}

/// A program and what it may see.
#[derive(Debug, Args)]
pub(crate) struct ProgramArgs {
    /// The file with the program; `-` is standard input, which is also the default.
    #[arg(value_name = "FILE", conflicts_with = "expression")]
    pub(crate) file: Option<String>,
    /// The program itself.
    #[arg(short = 'e', long = "expression", value_name = "SOURCE", allow_hyphen_values = true)]
    pub(crate) expression: Option<String>,
    #[command(flatten)]
    pub(crate) data: DataArgs,
    /// Mend delimiters that do not match, where it is certain how they were meant.
    #[arg(long)]
    pub(crate) repair: bool,
    /// Print one JSON object.
    #[arg(long)]
    pub(crate) json: bool,
}

/// The arguments of `ptc eval`.
#[derive(Debug, Args)]
pub(crate) struct EvalArgs {
    /// The program.
    #[command(flatten)]
    pub(crate) program: ProgramArgs,
    /// Call the agent's tools that reach outside; without it they are refused.
    #[arg(long, requires = "agent")]
    pub(crate) live: bool,
    #[command(flatten)]
    pub(crate) seed: SeedArgs,
    /// Read requests from standard input, one JSON object a line, and answer each with one.
    #[arg(long, conflicts_with_all = ["file", "expression", "ctx", "memory", "tools", "agent", "limits", "repair", "seed", "json"])]
    pub(crate) batch: bool,
}
