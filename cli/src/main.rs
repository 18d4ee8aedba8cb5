//! The `ptc` command: arguments, files, and what people see.
//!
//! What lives here: reading what the command line names, calling the libraries, drawing what they
//! say. What never will: behaviour that a user of the libraries would miss.

mod args;
mod ask;
mod batch;
mod check;
mod draw;
mod eval;
mod input;
mod progress;
mod prompt;
mod report;
mod run;
mod runs;
mod show;
mod tools_file;

use std::process::ExitCode;

use clap::Parser as _;

use args::{Cli, Command};

fn main() -> ExitCode {
    std::panic::set_hook(Box::new(report::on_panic));
    let code = std::panic::catch_unwind(|| match Cli::try_parse() {
        Ok(cli) => run(&cli).unwrap_or_else(|fault| {
            fault.show();
            fault.exit_code()
        }),
        Err(help) => {
            // A pipe that is closed has read enough.
            drop(help.print());
            help.exit_code() as u8
        }
    });
    ExitCode::from(code.unwrap_or(report::BUG))
}

fn run(cli: &Cli) -> report::Result<u8> {
    match &cli.command {
        Command::Run(args) => run::command(args),
        Command::Eval(args) => eval::command(args),
        Command::Check(args) => check::command(args),
        Command::Prompt(args) => prompt::command(args),
        Command::Runs(args) => runs::command(args),
        Command::Show(args) => show::command(args),
    }
}
