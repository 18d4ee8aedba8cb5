//! The `ptc` command: arguments, files, and terminal output.
//!
//! This crate reads the files that the command line names, calls the libraries, and shows their
//! results. Behaviour that a user of the libraries would miss belongs in the libraries.

mod agents;
mod args;
mod ask;
mod commands;
mod difference_text;
mod draw;
mod events;
mod exported;
mod figures;
mod help;
mod hidden;
mod history;
mod input;
mod library_fault;
mod mission;
mod model;
mod output;
mod paint;
mod process;
mod program;
mod progress;
mod prompt_drift;
mod queue;
mod records;
mod report;
mod report_text;
#[cfg(feature = "restate")]
mod restate;
mod run_files;
mod run_text;
mod sandbox;
mod screen;
mod set;
mod signals;
mod telemetry;
mod terminal;
mod tokens;
mod tools_file;

use std::process::ExitCode;

use clap::Parser as _;

use args::Cli;
use report::Fault;

// Programs allocate many small values and drop them soon. Most system allocators are slower at that, and threads that
// run missions wait for each other in them.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    std::panic::set_hook(Box::new(report::on_panic));
    signals::survive_large_files();
    let code = std::panic::catch_unwind(|| match Cli::try_parse() {
        Ok(cli) => commands::run(&cli.command).unwrap_or_else(|fault| {
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
