//! The command line.

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand, ValueEnum};

/// Sub-agents that answer with programs: run them, check them, look at what they did.
#[derive(Debug, Parser)]
#[command(name = "ptc", version, max_term_width = 100, after_help = EXAMPLES)]
pub(crate) struct Cli {
    /// What to do.
    #[command(subcommand)]
    pub(crate) command: Command,
}

const EXAMPLES: &str = "\
Examples:
  ptc run agent.toml --input '{\"region\": \"north\"}'   run a mission to its typed result
  ptc runs                                           list the runs on record
  ptc show 01kb2                                     everything about one of them
  ptc eval -e '(reduce + (range 10))'                run one program without a model
  ptc check program.clj --tools tools.json           what a program could touch

Results go to stdout, everything else to stderr; --json prints one object.

Exit codes:
  0  a value               3  no acceptable program   5   the model did not answer
  1  the program failed    4  a limit, or cancelled   70  a mistake in ptc
  2  usage, configuration

Keys come from the environment (OPENAI_API_KEY) and appear in no record and no output.";

/// What to do.
#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Run a mission of an agent: ask the model, check and run its programs, print the result.
    #[command(after_help = RUN_EXAMPLES)]
    Run(RunArgs),
    /// Run one program, without a model.
    #[command(after_help = EVAL_EXAMPLES)]
    Eval(EvalArgs),
    /// Say what a program can touch, or why it may not run; nothing runs.
    #[command(after_help = CHECK_EXAMPLES)]
    Check(ProgramArgs),
    /// Print the system prompt that a mission starts with.
    #[command(after_help = PROMPT_EXAMPLES)]
    Prompt(PromptArgs),
    /// List the runs on record, newest first.
    #[command(after_help = RUNS_EXAMPLES)]
    Runs(RunsArgs),
    /// Show everything about one run: its turns, programs, tool calls and outcome.
    #[command(after_help = SHOW_EXAMPLES)]
    Show(ShowArgs),
}

const RUN_EXAMPLES: &str = "\
Examples:
  ptc run agent.toml
  ptc run agent.toml --input @input.json --model openai:gpt-5-mini
  ptc run agent.toml --model openai:qwen3 --base-url http://localhost:11434/v1
  ptc run agent.toml --record replies.jsonl --json

The result goes to stdout. Progress goes to stderr: live on a terminal, one line for each event
elsewhere. Ctrl-C cancels the run.

The record goes to --store, else to $PTC_STORE, else to ptc/runs.sqlite in $XDG_DATA_HOME, which is
~/.local/share if it is not set.";

const EVAL_EXAMPLES: &str = "\
Examples:
  ptc eval -e '(map inc [1 2 3])'
  ptc eval program.clj --ctx @data.json --json
  ptc eval -e '(tool/rate {:currency \"USD\"})' --tools tools.json
  ptc eval --batch < requests.jsonl > responses.jsonl

A tools file maps names to answers; the first case with equal arguments answers, else `error`, else
`returns`:
  {\"rate\": {\"signature\": \"(currency :string) -> :float\", \"effect\": \"read\",
            \"cases\": [{\"args\": {\"currency\": \"USD\"}, \"returns\": 0.9}], \"error\": \"no such currency\"}}

A request of --batch is {\"id\", \"source\", \"ctx\"?, \"memory\"?, \"tools\"?, \"limits\"?}; its response is
{\"id\", \"status\", \"value\", \"edn\", \"prints\", \"tool_calls\", \"memory\", \"fuel\", \"error\"}, and status one of
value, return, fail, error, rejected, limit. No line ends a batch; it exits with 0.

The limits are fuel, memory, call_depth, value_depth, source_bytes, source_nesting, tool_calls,
calls_in_flight, print_bytes, result_bytes, memory_bytes, and program_time in seconds.";

const CHECK_EXAMPLES: &str = "\
Examples:
  ptc check program.clj --ctx @data.json --tools tools.json
  ptc check -e '(tool/rate {:currency ctx/from})' --ctx '{\"from\": \"USD\"}' --tools tools.json --json";

const PROMPT_EXAMPLES: &str = "\
Examples:
  ptc prompt agent.toml
  ptc prompt agent.toml --section 3
  ptc prompt agent.toml --input @input.json --stats
  ptc prompt agent.toml --grammar gbnf > agent.gbnf";

const RUNS_EXAMPLES: &str = "\
Examples:
  ptc runs
  ptc runs --store runs.sqlite --json";

const SHOW_EXAMPLES: &str = "\
Examples:
  ptc show 01kb2m        the start of an id is enough
  ptc show 01kb2m --json
Long texts are cut for people; --json has all of them.";

/// The arguments of `ptc run`.
#[derive(Debug, Args)]
pub(crate) struct RunArgs {
    /// The agent file: TOML, or JSON.
    #[arg(value_name = "AGENT.toml")]
    pub(crate) agent: PathBuf,
    /// The input of the mission: an object; the agent's own if it is not given.
    #[arg(long, value_name = "JSON|@FILE")]
    pub(crate) input: Option<String>,
    /// The model: `openai:NAME` or `recorded:FILE`; the agent's own if it is not given.
    #[arg(long, value_name = "SPEC")]
    pub(crate) model: Option<String>,
    /// The chat-completions server of an `openai:` model, such as `http://localhost:8080/v1`.
    #[arg(long, value_name = "URL")]
    pub(crate) base_url: Option<String>,
    /// Where the record of the run goes.
    #[arg(long, value_name = "FILE")]
    pub(crate) store: Option<PathBuf>,
    /// Write the model's replies down as a recording.
    #[arg(long, value_name = "FILE")]
    pub(crate) record: Option<PathBuf>,
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
    #[arg(long, value_name = "JSON|@FILE")]
    pub(crate) input: Option<String>,
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

/// The arguments of `ptc runs`.
#[derive(Debug, Args)]
pub(crate) struct RunsArgs {
    /// The record; `ptc run --help` says where it is by default.
    #[arg(long, value_name = "FILE")]
    pub(crate) store: Option<PathBuf>,
    /// The most runs to list.
    #[arg(long, value_name = "N", default_value_t = 50)]
    pub(crate) limit: u32,
    /// Print one JSON object.
    #[arg(long)]
    pub(crate) json: bool,
}

/// The arguments of `ptc show`.
#[derive(Debug, Args)]
pub(crate) struct ShowArgs {
    /// The id of the run, or its start.
    #[arg(value_name = "RUN")]
    pub(crate) run: String,
    /// The record; `ptc run --help` says where it is by default.
    #[arg(long, value_name = "FILE")]
    pub(crate) store: Option<PathBuf>,
    /// Print one JSON object with everything in it.
    #[arg(long)]
    pub(crate) json: bool,
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
    /// The data that the program sees as `ctx/…`: an object.
    #[arg(long, value_name = "JSON|@FILE")]
    pub(crate) ctx: Option<String>,
    /// What earlier programs kept, seen as `memory/…`: an object.
    #[arg(long, value_name = "JSON|@FILE")]
    pub(crate) memory: Option<String>,
    /// Tools that answer from a table; see the examples.
    #[arg(long, value_name = "FILE")]
    pub(crate) tools: Option<PathBuf>,
    /// What the program may use, such as `{"fuel": 1000}`.
    #[arg(long, value_name = "JSON|@FILE")]
    pub(crate) limits: Option<String>,
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
    /// Read requests from standard input, one JSON object a line, and answer each with one.
    #[arg(long, conflicts_with_all = ["file", "expression", "ctx", "memory", "tools", "limits", "repair", "json"])]
    pub(crate) batch: bool,
}
