//! The `ptc` command: arguments, files, and terminal output.
//!
//! This crate reads the files that the command line names, calls the libraries, and shows their
//! results. Behaviour that a user of the libraries would miss belongs in the libraries.

mod agents;
mod answer;
mod args;
mod ask;
mod batch;
mod chat;
mod check;
mod debug;
mod difference;
mod docs;
mod doctor;
mod draw;
mod eval;
mod events;
mod figures;
mod help;
mod hidden;
mod init;
mod input;
mod login;
mod man;
mod many;
mod mcp;
mod output;
mod paint;
mod progress;
mod prompt;
mod queue;
mod repl;
mod replay;
mod report;
mod resume;
mod run;
mod runs;
mod sandbox;
mod screen;
mod set;
mod show;
mod signals;
mod telemetry;
mod test;
mod tools_file;
mod transfer;
mod trial;
mod view;
mod work;

use std::process::ExitCode;

use clap::{CommandFactory as _, Parser as _};

use args::{Cli, Command};
use report::Fault;

// Programs allocate many small values and drop them soon. Most system allocators are slower at that, and threads that
// run missions wait for each other in them.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    std::panic::set_hook(Box::new(report::on_panic));
    signals::survive_large_files();
    let code = std::panic::catch_unwind(|| match Cli::try_parse() {
        Ok(cli) => run(&cli).unwrap_or_else(|fault| {
            print_fault(&fault);
            fault.show();
            fault.exit_code()
        }),
        Err(help) => {
            if help.use_stderr() {
                print_fault(&usage_fault(&help));
            }
            // A reader that has closed its pipe needs no more.
            drop(help.print());
            help.exit_code() as u8
        }
    });
    ExitCode::from(code.unwrap_or_else(|_| {
        print_fault(&Fault::bug());
        report::BUG
    }))
}

/// Prints a fault as JSON if the command line asks for JSON. If a result is on stdout already, the fault is only shown
/// on stderr.
fn print_fault(fault: &Fault) {
    if let Some(shape) = args::shape(std::env::args_os().skip(1))
        && !report::has_printed()
    {
        // If stdout is closed, nobody reads the fault.
        drop(report::print_json(&fault.to_json(shape)));
    }
}

/// Returns the fault of an invalid command line.
fn usage_fault(error: &clap::Error) -> Fault {
    let text = error.to_string();
    let (first, _) = text.split_once("\n\n").unwrap_or((&text, ""));
    let message = first.trim().trim_start_matches("error: ");
    Fault::new("usage", message).with_help("`ptc help` and `ptc COMMAND --help` have the options")
}

fn run(cli: &Cli) -> report::Result<u8> {
    match &cli.command {
        Command::Init(args) => init::command(args),
        Command::Run(args) => run::command(args),
        Command::Chat(args) => chat::command(args),
        Command::Eval(args) => eval::command(args),
        Command::Check(args) => check::command(args),
        Command::Prompt(args) => prompt::command(args),
        Command::Runs(args) => runs::command(args),
        Command::Show(args) => show::command(args),
        Command::View(args) => view::command(args),
        Command::Replay(args) => replay::command(args),
        Command::Resume(args) => resume::command(args),
        Command::Answer(args) => answer::command(args),
        Command::Work(args) => work::command(args),
        Command::Mcp(args) => mcp::command(args),
        Command::Test(args) => test::command(args),
        Command::Try(args) => trial::command(args),
        Command::Diff(args) => difference::command(args),
        Command::Export(args) => transfer::export(args),
        Command::Import(args) => transfer::import(args),
        Command::Repl(args) => repl::command(args),
        Command::Debug(args) => debug::command(args),
        Command::Doctor(args) => doctor::command(args),
        Command::Docs(args) => docs::command(args),
        Command::Completions(args) => completions(args.shell),
        Command::Man(args) => man::command(args),
    }
}

/// Prints the completions of a shell.
fn completions(shell: clap_complete::Shell) -> report::Result<u8> {
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut Cli::command(), "ptc", &mut script);
    report::print(&String::from_utf8_lossy(&script))?;
    Ok(report::DONE)
}
