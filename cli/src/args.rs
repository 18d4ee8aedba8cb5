//! The command line.

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand};

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
  ptc eval -e '(reduce + (range 10))'
  ptc check program.clj --tools tools.json

Exit codes:
  0 a value · 1 the program said `fail` · 2 usage or configuration · 3 no acceptable program ·
  4 a limit · 5 the model did not answer · 70 a mistake in ptc";

/// What to do.
#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Run one program, without a model.
    Eval(EvalArgs),
    /// Say what a program can touch, or why it may not run. Nothing runs.
    Check(ProgramArgs),
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
    #[arg(long, conflicts_with_all = ["file", "expression", "ctx", "memory", "tools", "limits", "json"])]
    pub(crate) batch: bool,
}
