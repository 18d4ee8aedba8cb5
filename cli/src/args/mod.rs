//! The command line.

mod artifacts;
mod continuing;
mod groups;
mod serving;
mod storing;
mod tokens;

use std::ffi::OsString;
use std::path::PathBuf;

use clap::builder::PossibleValuesParser;
use clap::{Args, CommandFactory as _, Parser, Subcommand, ValueEnum};
use ptc_subagent::{Answers, Reference};

use crate::help;
use crate::report::Shape;

pub(crate) use artifacts::ArtifactsArgs;
pub(crate) use continuing::{AnswerArgs, ResumeArgs, WorkArgs};
pub(crate) use groups::{
    AgentArgs, ContextArgs, DataArgs, FilterArgs, HiddenArgs, InputArgs, JsonArgs, KeyVariable,
    ModelArgs, OutcomeArgs, QuietArgs, RecordArgs, RunOrFileArgs, SeedArgs, SettingsArgs,
    StoreArgs, Yes, YesArgs,
};
#[cfg(feature = "restate")]
pub(crate) use serving::RestateCommand;
pub(crate) use serving::{Access, LogForm, LoginArgs, LogoutArgs, McpArgs, ServeArgs};
pub(crate) use storing::{BackupArgs, CheckStoreArgs, StoreCommand};
pub(crate) use tokens::{TokenCommand, TokensArgs};

/// Sub-agents that answer with programs: run them, check programs, inspect runs.
#[derive(Debug, Parser)]
#[command(name = "ptc", version, max_term_width = 100, after_help = help::TOP)]
pub(crate) struct Cli {
    /// The command to run.
    #[command(subcommand)]
    pub(crate) command: Command,
}

/// The commands of `ptc`.
#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Write a small project that is ready to run.
    #[command(after_help = help::INIT)]
    Init(InitArgs),
    /// Run a mission of an agent and print its typed result.
    #[command(after_help = help::RUN)]
    Run(RunArgs),
    /// Talk with an agent: a run answers each message.
    #[command(after_help = help::CHAT)]
    Chat(ChatArgs),
    /// Run one program, without a model.
    #[command(after_help = help::eval())]
    Eval(EvalArgs),
    /// Check a program without running it: its tools and data, or the reasons for its rejection.
    #[command(after_help = help::CHECK)]
    Check(CheckArgs),
    /// Print the system prompt of a mission.
    #[command(after_help = help::PROMPT)]
    Prompt(PromptArgs),
    /// List recorded runs, newest first.
    #[command(after_help = help::RUNS)]
    Runs(RunsArgs),
    /// Show a run: turns, programs, tool calls, outcome.
    #[command(after_help = help::SHOW)]
    Show(ShowArgs),
    /// Show where the arguments of a call came from.
    #[command(after_help = help::WHY)]
    Why(WhyArgs),
    /// Write runs as an HTML page with a timeline, programs, calls and search.
    #[command(after_help = help::VIEW)]
    View(ViewArgs),
    /// Replay a run without model and tools, unchanged or with a change.
    #[command(after_help = help::REPLAY)]
    Replay(ReplayArgs),
    /// Resume a run whose process died, that was cancelled, or whose model did not answer.
    #[command(after_help = help::RESUME)]
    Resume(ResumeArgs),
    /// Answer the question of a waiting run, and resume it.
    #[command(after_help = help::ANSWER)]
    Answer(AnswerArgs),
    /// Resume waiting runs when their wait is over.
    #[command(after_help = help::WORK)]
    Work(WorkArgs),
    /// Serve agents, or programs over tools, to MCP clients.
    #[command(after_help = help::MCP)]
    Mcp(McpArgs),
    /// Serve agents and their runs over HTTP.
    #[command(after_help = help::SERVE)]
    Serve(ServeArgs),
    /// Run agents on a Restate server, on several machines.
    #[cfg(feature = "restate")]
    #[command(subcommand, disable_help_subcommand = true, after_help = help::RESTATE)]
    Restate(RestateCommand),
    /// Test agents by replaying exported runs.
    #[command(after_help = help::TEST)]
    Test(TestArgs),
    /// Try models on missions with known answers.
    #[command(after_help = help::TRY)]
    Try(TryArgs),
    /// List, show, compare and make the artifacts of a conversation.
    #[command(after_help = help::ARTIFACTS)]
    Artifacts(ArtifactsArgs),
    /// Compare two runs, and show the first difference.
    #[command(after_help = help::DIFF)]
    Diff(DiffArgs),
    /// Export runs to a file for another machine.
    #[command(after_help = help::EXPORT)]
    Export(ExportArgs),
    /// Import the runs of a file into the record.
    #[command(after_help = help::IMPORT)]
    Import(ImportArgs),
    /// Back up the record of runs, or check it.
    #[command(subcommand, disable_help_subcommand = true, after_help = help::STORE)]
    Store(StoreCommand),
    /// Make, list and remove the tokens of a server.
    #[command(subcommand, disable_help_subcommand = true, after_help = help::TOKEN)]
    Token(TokenCommand),
    /// Type programs and see their values.
    #[command(after_help = help::REPL)]
    Repl(ReplArgs),
    /// Debug a program: step forward and back, and inspect values.
    #[command(after_help = help::DEBUG)]
    Debug(DebugArgs),
    /// Check everything that a run needs.
    #[command(after_help = help::DOCTOR)]
    Doctor(DoctorArgs),
    /// Print a page of the documentation, or the documentation of a function.
    #[command(after_help = help::DOCS)]
    Docs(DocsArgs),
    /// Print a completion script for a shell.
    #[command(after_help = help::COMPLETIONS)]
    Completions(CompletionsArgs),
    /// Print a manual page, or write all of them.
    #[command(after_help = help::MAN)]
    Man(ManArgs),
}

/// Returns the shape of the JSON that a command line asks for, even if it is invalid. `args` begins after the name of
/// the executable.
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
    let mut command = cli.find_subcommand(name)?;
    if let Some(nested) = args.get(1).and_then(|it| command.find_subcommand(it)) {
        command = nested;
    }
    command.get_arguments().find(|it| it.get_long() == Some("json"))?;
    Some(match name {
        "run" | "resume" => Shape::Run,
        "replay" if has("--live") || has("--from") => Shape::Run,
        "eval" => Shape::Program,
        "check" => Shape::Check,
        _ => Shape::Other,
    })
}

/// The arguments of `ptc init`.
#[derive(Debug, Args)]
pub(crate) struct InitArgs {
    /// The folder; a missing one is created.
    #[arg(value_name = "FOLDER", default_value = ".")]
    pub(crate) folder: PathBuf,
    /// Make a workflow: a program of your own that runs two agents.
    #[arg(long)]
    pub(crate) workflow: bool,
}

/// The arguments of `ptc repl`.
#[derive(Debug, Args)]
pub(crate) struct ReplArgs {
    /// An agent file; programs get its input, tools and limits.
    #[arg(value_name = "AGENT.toml")]
    pub(crate) agent: Option<PathBuf>,
    /// The data under `ctx/`: a JSON object; by default the agent's input.
    #[arg(long, value_name = "JSON|@FILE")]
    pub(crate) ctx: Option<String>,
    /// A file of tools that answer from a table; `ptc eval --help` shows its form.
    #[arg(long, value_name = "FILE", conflicts_with = "agent")]
    pub(crate) tools: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) seed: SeedArgs,
}

/// The arguments of `ptc debug`.
#[derive(Debug, Args)]
#[command(group = clap::ArgGroup::new("program"))]
pub(crate) struct DebugArgs {
    /// The run: an id, the start of an id, or a file of `ptc export`; by default the newest run.
    #[arg(value_name = "RUN|FILE", group = "program")]
    pub(crate) run: Option<String>,
    /// The turn; by default the last turn whose program failed, or else the last turn.
    #[arg(long, value_name = "N", conflicts_with_all = ["eval", "expression", "ctx", "memory", "tools", "agent", "limits"])]
    pub(crate) turn: Option<u32>,
    #[command(flatten)]
    pub(crate) store: RecordArgs,
    /// The file of the program; `-` for standard input, with `--print` or `--do`.
    #[arg(long, value_name = "FILE", group = "program")]
    pub(crate) eval: Option<String>,
    /// The program as text.
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
    /// Call the agent's tools that reach outside; each call is made once.
    #[arg(long, requires = "agent")]
    pub(crate) live: bool,
    #[command(flatten)]
    pub(crate) seed: SeedArgs,
    /// Run this command; repeat the option for more. Then no commands are read.
    #[arg(long = "do", value_name = "COMMAND")]
    pub(crate) commands: Vec<String>,
    /// Print the steps, one a line, and read no commands.
    #[arg(long, conflicts_with = "commands")]
    pub(crate) print: bool,
    /// The largest number of steps that `--print` prints.
    #[arg(long, value_name = "N", default_value_t = 1000, requires = "print")]
    pub(crate) max: usize,
}

/// The arguments of `ptc doctor`.
#[derive(Debug, Args)]
pub(crate) struct DoctorArgs {
    /// An agent file; its model and tools are checked too.
    #[arg(value_name = "AGENT.toml")]
    pub(crate) agent: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) model: ModelArgs,
    #[command(flatten)]
    pub(crate) settings: SettingsArgs,
    #[command(flatten)]
    pub(crate) store: StoreArgs,
    #[command(flatten)]
    pub(crate) output: JsonArgs,
}

/// The arguments of `ptc docs`.
#[derive(Debug, Args)]
pub(crate) struct DocsArgs {
    /// A page, or a name of the language; by default the pages are listed.
    #[arg(value_name = "PAGE|NAME", allow_hyphen_values = true)]
    pub(crate) name: Option<String>,
    /// Print the lines that contain a word, and the functions whose names contain it.
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

/// The arguments of `ptc man`.
#[derive(Debug, Args)]
pub(crate) struct ManArgs {
    /// The command, such as `run` or `mcp login`; by default `ptc` itself.
    #[arg(value_name = "COMMAND")]
    pub(crate) command: Vec<String>,
    /// Write the pages of all commands into this folder.
    #[arg(long, value_name = "FOLDER", conflicts_with = "command")]
    pub(crate) out: Option<PathBuf>,
}

/// The arguments of `ptc run`.
#[derive(Debug, Args)]
pub(crate) struct RunArgs {
    #[command(flatten)]
    pub(crate) agent: AgentArgs,
    #[command(flatten)]
    pub(crate) mission: InputArgs,
    /// The payload at the start; by default that of the agent or of `--payload-from`.
    #[arg(long, value_name = "JSON|@FILE|-", conflicts_with = "inputs")]
    pub(crate) payload: Option<String>,
    /// Continue from the payload of an earlier run: an id, or the start of an id.
    #[arg(long, value_name = "RUN", conflicts_with = "inputs")]
    pub(crate) payload_from: Option<String>,
    /// Go on after an earlier run of the agent: an id, or the start of an id.
    #[arg(long, value_name = "RUN", conflicts_with_all = ["inputs", "payload_from"])]
    pub(crate) after: Option<String>,
    /// Go on with the conversation of this name, or begin it.
    #[arg(long, value_name = "NAME", conflicts_with_all = ["inputs", "payload_from", "after"])]
    pub(crate) conversation: Option<String>,
    /// Run a mission for each line of a file; a line is a JSON object, `-` is standard input.
    #[arg(long, value_name = "FILE|-", conflicts_with_all = ["input", "record", "events"])]
    pub(crate) inputs: Option<String>,
    /// The number of concurrent missions of `--inputs`; by default 4.
    #[arg(long, value_name = "N", requires = "inputs", value_parser = clap::value_parser!(u16).range(1..=1000))]
    pub(crate) jobs: Option<u16>,
    /// Append the results of `--inputs` to a file; lines with a result in it are not run again.
    #[arg(long, value_name = "FILE", requires = "inputs")]
    pub(crate) out: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) model: ModelArgs,
    /// The file of the record; see below for the default.
    #[arg(long, value_name = "FILE")]
    pub(crate) store: Option<PathBuf>,
    /// Write the model's replies to a recording.
    #[arg(long, value_name = "FILE")]
    pub(crate) record: Option<PathBuf>,
    /// Write events to a file as they happen, as JSON lines.
    #[arg(long, value_name = "FILE")]
    pub(crate) events: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) context: ContextArgs,
    #[command(flatten)]
    pub(crate) settings: SettingsArgs,
    #[command(flatten)]
    pub(crate) seed: SeedArgs,
    #[command(flatten)]
    pub(crate) yes: YesArgs,
    #[command(flatten)]
    pub(crate) output: OutcomeArgs,
}

/// The arguments of `ptc chat`.
#[derive(Debug, Args)]
pub(crate) struct ChatArgs {
    #[command(flatten)]
    pub(crate) agent: AgentArgs,
    /// Begin a new conversation instead of going on with the last one.
    #[arg(long)]
    pub(crate) new: bool,
    /// Go on after this run of the agent: an id, or the start of an id.
    #[arg(long, value_name = "RUN", conflicts_with = "new")]
    pub(crate) after: Option<String>,
    /// The other inputs of each mission: a JSON object; by default the agent's input.
    #[arg(long, value_name = "JSON|@FILE")]
    pub(crate) input: Option<String>,
    /// Set one key of the other inputs; `a.b=1` sets `b` in the object `a`.
    #[arg(long, value_name = "KEY=VALUE")]
    pub(crate) set: Vec<String>,
    #[command(flatten)]
    pub(crate) context: ContextArgs,
    #[command(flatten)]
    pub(crate) yes: YesArgs,
    #[command(flatten)]
    pub(crate) model: ModelArgs,
    #[command(flatten)]
    pub(crate) settings: SettingsArgs,
    #[command(flatten)]
    pub(crate) store: StoreArgs,
    #[command(flatten)]
    pub(crate) seed: SeedArgs,
    #[command(flatten)]
    pub(crate) progress: QuietArgs,
}

/// The arguments of `ptc prompt`.
#[derive(Debug, Args)]
pub(crate) struct PromptArgs {
    #[command(flatten)]
    pub(crate) agent: AgentArgs,
    #[command(flatten)]
    pub(crate) mission: InputArgs,
    #[command(flatten)]
    pub(crate) settings: SettingsArgs,
    /// Print one section, by its name or its number.
    #[arg(long, value_name = "NAME|N")]
    pub(crate) section: Option<String>,
    /// Print the prompt in another answer style; several names with commas print them side by side.
    #[arg(long, value_name = "NAME,...", value_delimiter = ',', conflicts_with = "grammar")]
    pub(crate) style: Vec<String>,
    /// Print the lengths of the sections, with an estimate of their tokens.
    #[arg(long, conflicts_with = "section")]
    pub(crate) stats: bool,
    /// Print the system prompt, the first message and the native tools as one JSON object.
    #[arg(long, conflicts_with_all = ["section", "stats", "grammar"])]
    pub(crate) json: bool,
    /// Print the grammar of the allowed replies, in this notation.
    #[arg(long, value_name = "NOTATION", conflicts_with_all = ["section", "stats"])]
    pub(crate) grammar: Option<Notation>,
    /// Leave out the block of code around the program in the grammar.
    #[arg(long, requires = "grammar")]
    pub(crate) bare: bool,
}

/// A notation of grammars.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub(crate) enum Notation {
    /// The notation of llama.cpp.
    Gbnf,
    /// The notation of Lark, as llguidance reads it.
    Lark,
}

/// The arguments of `ptc replay`.
#[derive(Debug, Args)]
pub(crate) struct ReplayArgs {
    #[command(flatten)]
    pub(crate) run: RunOrFileArgs,
    /// The turn whose program is replaced.
    #[arg(long, value_name = "N", requires = "program")]
    pub(crate) turn: Option<u32>,
    /// The file of the new program; `-` for standard input.
    #[arg(long, value_name = "FILE|-", requires = "turn")]
    pub(crate) program: Option<String>,
    /// Call tools and model for answers that the record lacks, as a new run.
    #[arg(long, requires = "program")]
    pub(crate) live: bool,
    /// Keep the first N turns and continue with the model, as a new run.
    #[arg(long, value_name = "N", conflicts_with_all = ["turn", "prompt"])]
    pub(crate) from: Option<u32>,
    /// Render the prompts with another agent, and show the differences.
    #[arg(long, value_name = "AGENT.toml", conflicts_with = "turn")]
    pub(crate) prompt: Option<PathBuf>,
    /// The agent file of the tools and model; by default the agent file of the run.
    #[arg(long, value_name = "AGENT.toml")]
    pub(crate) agent: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) model: ModelArgs,
    #[command(flatten)]
    pub(crate) store: RecordArgs,
    #[command(flatten)]
    pub(crate) hidden: HiddenArgs,
    #[command(flatten)]
    pub(crate) output: JsonArgs,
    #[command(flatten)]
    pub(crate) progress: QuietArgs,
}

/// The arguments of `ptc diff`.
#[derive(Debug, Args)]
pub(crate) struct DiffArgs {
    /// A run: an id, the start of an id, or a file of `ptc export`.
    #[arg(value_name = "RUN|FILE")]
    pub(crate) first: String,
    /// The other run, in the same form.
    #[arg(value_name = "OTHER")]
    pub(crate) second: String,
    /// Show all differences instead of the first.
    #[arg(long)]
    pub(crate) all: bool,
    #[command(flatten)]
    pub(crate) store: RecordArgs,
    #[command(flatten)]
    pub(crate) hidden: HiddenArgs,
    #[command(flatten)]
    pub(crate) output: JsonArgs,
}

/// The arguments of `ptc export`.
#[derive(Debug, Args)]
pub(crate) struct ExportArgs {
    /// The runs: ids, or starts of ids; by default the newest run.
    #[arg(value_name = "RUN")]
    pub(crate) runs: Vec<String>,
    /// The file to write; by default standard output.
    #[arg(long, value_name = "FILE")]
    pub(crate) out: Option<PathBuf>,
    /// Replace the values of hidden fields and of fields that are named like secrets; only for one run.
    #[arg(long)]
    pub(crate) redact: bool,
    #[command(flatten)]
    pub(crate) store: RecordArgs,
}

/// The arguments of `ptc test`.
#[derive(Debug, Args)]
pub(crate) struct TestArgs {
    /// Files of `ptc export`, or folders of them.
    #[arg(value_name = "FILE|FOLDER", required = true)]
    pub(crate) files: Vec<PathBuf>,
    /// The agent file to test; by default the agent file of each run.
    #[arg(long, value_name = "AGENT.toml")]
    pub(crate) agent: Option<PathBuf>,
    /// Fail also if a prompt differs.
    #[arg(long)]
    pub(crate) strict: bool,
    #[command(flatten)]
    pub(crate) hidden: HiddenArgs,
    #[command(flatten)]
    pub(crate) output: JsonArgs,
}

/// The arguments of `ptc try`.
#[derive(Debug, Args)]
pub(crate) struct TryArgs {
    /// A mission, or a folder of missions: folders with `agent.toml` and `cases.json`.
    #[arg(value_name = "FOLDER")]
    pub(crate) folder: PathBuf,
    /// A model to try; may be repeated.
    #[arg(long, value_name = "SPEC", required_unless_present = "from")]
    pub(crate) model: Vec<String>,
    /// An answer style to try instead of that of the agents, such as `tools`; may be repeated.
    #[arg(long, value_name = "STYLE", value_parser = style)]
    pub(crate) style: Vec<String>,
    /// A file of settings of a run to try, in TOML or JSON; may be repeated. `-` is the agents as they are.
    #[arg(long, value_name = "FILE")]
    pub(crate) variant: Vec<PathBuf>,
    /// Add a recorded run to the mission as a case, and try no model.
    #[arg(long, value_name = "RUN", conflicts_with = "model")]
    pub(crate) from: Option<String>,
    /// With `--from`, the value that the run should return; by default the one that it returned.
    #[arg(long, value_name = "JSON|@FILE", requires = "from")]
    pub(crate) expected: Option<String>,
    /// The base URL of the models' server, such as `http://localhost:8080/v1`.
    #[arg(long, value_name = "URL")]
    pub(crate) base_url: Option<String>,
    /// The variable with the key of a kind of models, such as `openai=MY_KEY`; may be repeated.
    #[arg(long, value_name = "KIND=VARIABLE")]
    pub(crate) key_env: Vec<KeyVariable>,
    /// The number of attempts at each case.
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..))]
    pub(crate) repeat: u16,
    /// The missions to try: those that prompts are tuned on, those that are held out, or all.
    #[arg(long, value_name = "SET", value_enum, default_value_t = MissionSet::All)]
    pub(crate) set: MissionSet,
    /// Only this mission; may be repeated.
    #[arg(long, value_name = "NAME")]
    pub(crate) only: Vec<String>,
    /// Only missions with tools.
    #[arg(long)]
    pub(crate) with_tools: bool,
    /// At most this many cases of each mission.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    pub(crate) cases: Option<u16>,
    /// The number of attempts at a time; 4 by default.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    pub(crate) jobs: Option<u16>,
    /// Start no attempt when this much is spent, in dollars.
    #[arg(long, value_name = "DOLLARS")]
    pub(crate) max_cost: Option<f64>,
    /// Start no attempt when this many tokens are used.
    #[arg(long, value_name = "N")]
    pub(crate) max_total_tokens: Option<u64>,
    /// The size of the language reference in prompts; by default the agent's.
    #[arg(long, value_name = "SIZE", value_parser = PossibleValuesParser::new(Reference::ALL.map(Reference::as_str)))]
    pub(crate) reference: Option<String>,
    /// Send the grammar of each mission, for servers that take one.
    #[arg(long)]
    pub(crate) grammar: bool,
    /// This many turns for agents that have several.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) turns: Option<u32>,
    /// At most this many tokens of a reply.
    #[arg(long, value_name = "N")]
    pub(crate) max_tokens: Option<u32>,
    /// Wait this many seconds for a reply.
    #[arg(long, value_name = "SECONDS")]
    pub(crate) wait: Option<u64>,
    /// Write each attempt to this file, as JSON lines; a second start makes only those that are missing.
    #[arg(long, value_name = "FILE")]
    pub(crate) out: Option<PathBuf>,
    /// Write a page with charts.
    #[arg(long, value_name = "FILE")]
    pub(crate) html: Option<PathBuf>,
    /// Show the attempts of this file of `--out` too; may be repeated.
    #[arg(long, value_name = "FILE")]
    pub(crate) beside: Vec<PathBuf>,
    /// Compare with an earlier file of `--out`.
    #[arg(long, value_name = "FILE")]
    pub(crate) against: Option<PathBuf>,
    /// Exit with 3 if a model has a smaller share of right attempts.
    #[arg(long, value_name = "PERCENT")]
    pub(crate) min_right: Option<f64>,
    /// The record of the runs; `ptc run --help` names the default.
    #[arg(long, value_name = "FILE")]
    pub(crate) store: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) output: JsonArgs,
}

fn style(name: &str) -> Result<String, String> {
    let known = || format!("the styles are {}", Answers::names().join(", "));
    Answers::find(name).map(|_| name.to_owned()).ok_or_else(known)
}

/// A choice of missions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum MissionSet {
    /// Those that prompts may be tuned on.
    Tuned,
    /// Those that are held out.
    HeldOut,
    /// All of them.
    All,
}

impl MissionSet {
    /// Returns whether the set has a mission that is held out or not.
    pub(crate) fn has(self, held_out: bool) -> bool {
        match self {
            MissionSet::Tuned => !held_out,
            MissionSet::HeldOut => held_out,
            MissionSet::All => true,
        }
    }
}

/// The arguments of `ptc import`.
#[derive(Debug, Args)]
pub(crate) struct ImportArgs {
    /// A file of `ptc export`.
    #[arg(value_name = "FILE")]
    pub(crate) file: PathBuf,
    #[command(flatten)]
    pub(crate) store: StoreArgs,
}

/// The subcommands of `ptc runs`.
#[derive(Debug, Subcommand)]
pub(crate) enum RunsCommand {
    /// Delete runs with the runs of their sub-agents, and free the space.
    #[command(after_help = help::PRUNE)]
    Prune(PruneArgs),
}

/// The arguments of `ptc runs prune`.
#[derive(Debug, Args)]
pub(crate) struct PruneArgs {
    /// The runs to delete: ids, or starts of ids.
    #[arg(value_name = "RUN")]
    pub(crate) runs: Vec<String>,
    /// Delete runs that began longer ago, such as `30d`, `12h` or `90m`.
    #[arg(long, value_name = "TIME")]
    pub(crate) older_than: Option<String>,
    /// Delete all runs except the newest N.
    #[arg(long, value_name = "N")]
    pub(crate) keep: Option<u32>,
    /// Keep runs that have not ended, such as those that wait for a person.
    #[arg(long)]
    pub(crate) ended: bool,
    /// Report the number of runs to delete, and delete nothing.
    #[arg(long)]
    pub(crate) dry_run: bool,
    #[command(flatten)]
    pub(crate) store: StoreArgs,
}

/// The arguments of `ptc runs`.
#[derive(Debug, Args)]
#[command(args_conflicts_with_subcommands = true)]
pub(crate) struct RunsArgs {
    /// The subcommand; without one the runs are listed.
    #[command(subcommand)]
    pub(crate) command: Option<RunsCommand>,
    #[command(flatten)]
    pub(crate) store: RecordArgs,
    /// The largest number of runs to list.
    #[arg(long, value_name = "N", default_value_t = 50)]
    pub(crate) limit: u32,
    #[command(flatten)]
    pub(crate) filter: FilterArgs,
    /// List the runs that wait for a person or a time, with their questions, oldest first.
    #[arg(long, conflicts_with_all = ["status", "agent", "tool", "error", "since", "conversation", "roots"])]
    pub(crate) waiting: bool,
    #[command(flatten)]
    pub(crate) output: JsonArgs,
}

/// The arguments of `ptc show`.
#[derive(Debug, Args)]
pub(crate) struct ShowArgs {
    #[command(flatten)]
    pub(crate) run: RunOrFileArgs,
    #[command(flatten)]
    pub(crate) store: RecordArgs,
    #[command(flatten)]
    pub(crate) hidden: HiddenArgs,
    /// Show only this turn.
    #[arg(long, value_name = "N")]
    pub(crate) turn: Option<u32>,
    /// Show also the messages that each request sent to the model.
    #[arg(long)]
    pub(crate) sent: bool,
    /// Write binary content of a result, such as an image, to a file or a pipe; the start of its hash is enough.
    #[arg(long, value_name = "HASH", conflicts_with_all = ["turn", "json", "sent"])]
    pub(crate) blob: Option<String>,
    /// Print one JSON object with the whole run.
    #[arg(long)]
    pub(crate) json: bool,
}

/// The arguments of `ptc why`.
#[derive(Debug, Args)]
pub(crate) struct WhyArgs {
    /// The run: an id, the start of an id, or a file of `ptc export`.
    #[arg(value_name = "RUN|FILE")]
    pub(crate) run: String,
    /// The call: the name of its tool, or its turn and number, such as `2.0`.
    #[arg(value_name = "CALL")]
    pub(crate) call: String,
    /// The argument; by default all.
    #[arg(value_name = "ARG")]
    pub(crate) argument: Option<String>,
    #[command(flatten)]
    pub(crate) store: RecordArgs,
    #[command(flatten)]
    pub(crate) hidden: HiddenArgs,
    #[command(flatten)]
    pub(crate) output: JsonArgs,
}

/// The arguments of `ptc view`.
#[derive(Debug, Args)]
pub(crate) struct ViewArgs {
    /// The run: an id, the start of an id, or a file of `ptc export`; by default the newest run.
    #[arg(value_name = "RUN|FILE", conflicts_with = "all")]
    pub(crate) run: Option<String>,
    /// Write many runs, with a list of them; the filters of `ptc runs` apply.
    #[arg(long)]
    pub(crate) all: bool,
    #[command(flatten)]
    pub(crate) filter: FilterArgs,
    /// The largest number of runs of --all, newest first; the runs of their sub-agents do not count.
    #[arg(long, value_name = "N", default_value_t = 200)]
    pub(crate) limit: u32,
    /// The file to write, or `-` for standard output; by default `run-ID.html` or `runs.html` in this folder.
    #[arg(long, value_name = "FILE|-")]
    pub(crate) out: Option<PathBuf>,
    /// Replace values as `ptc export --redact` does, also in fields that are named like secrets.
    #[arg(long, conflicts_with = "all")]
    pub(crate) redact: bool,
    #[command(flatten)]
    pub(crate) store: RecordArgs,
    #[command(flatten)]
    pub(crate) hidden: HiddenArgs,
}

/// A program, with its data, tools and limits.
#[derive(Debug, Args)]
pub(crate) struct ProgramArgs {
    /// The file of the program; by default `-`, standard input.
    #[arg(value_name = "FILE", conflicts_with = "expression")]
    pub(crate) file: Option<String>,
    /// The program as text.
    #[arg(short = 'e', long = "expression", value_name = "SOURCE", allow_hyphen_values = true)]
    pub(crate) expression: Option<String>,
    #[command(flatten)]
    pub(crate) data: DataArgs,
    /// Repair delimiters that do not match, if the repair is certain.
    #[arg(long)]
    pub(crate) repair: bool,
    #[command(flatten)]
    pub(crate) output: JsonArgs,
}

/// The arguments of `ptc check`.
#[derive(Debug, Args)]
pub(crate) struct CheckArgs {
    #[command(flatten)]
    pub(crate) program: ProgramArgs,
    /// Print the program that a flow file is compiled to.
    #[arg(long, conflicts_with_all = ["expression", "json"])]
    pub(crate) show: bool,
}

/// The arguments of `ptc eval`.
#[derive(Debug, Args)]
pub(crate) struct EvalArgs {
    #[command(flatten)]
    pub(crate) program: ProgramArgs,
    /// Call the agent's tools that reach outside; without this option their calls fail.
    #[arg(long, requires = "agent")]
    pub(crate) live: bool,
    #[command(flatten)]
    pub(crate) seed: SeedArgs,
    /// Read requests from standard input, one JSON object a line, and answer each with one line.
    #[arg(long, conflicts_with_all = ["file", "expression", "ctx", "memory", "tools", "agent", "limits", "repair", "seed", "json"])]
    pub(crate) batch: bool,
}
