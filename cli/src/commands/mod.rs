//! The commands. None of them knows another one: what several of them need is a module beside this folder.

mod answer;
mod artifacts;
mod batch;
mod chat;
mod check;
mod debug;
mod difference;
mod docs;
mod doctor;
mod eval;
mod init;
mod login;
mod man;
mod many;
mod mcp;
mod prompt;
mod repl;
mod replay;
#[cfg(feature = "restate")]
mod restate;
mod resume;
mod run;
mod runs;
mod serve;
mod show;
mod store;
mod test;
mod token;
mod transfer;
mod trial;
mod view;
mod why;
mod work;

use clap::CommandFactory as _;

use crate::args::{Access, Cli, Command};
use crate::report::{self, Result};

/// Runs a command. Returns its exit code.
pub(crate) fn run(command: &Command) -> Result<u8> {
    match command {
        Command::Init(args) => init::command(args),
        Command::Run(args) => match &args.inputs {
            None => run::command(args),
            Some(source) => many::command(args, source),
        },
        Command::Chat(args) => chat::command(args),
        Command::Eval(args) if args.batch => batch::command(),
        Command::Eval(args) => eval::command(args),
        Command::Check(args) => check::command(args),
        Command::Prompt(args) => prompt::command(args),
        Command::Runs(args) => runs::command(args),
        Command::Show(args) => show::command(args),
        Command::Why(args) => why::command(args),
        Command::View(args) => view::command(args),
        Command::Replay(args) => replay::command(args),
        Command::Resume(args) => resume::command(args),
        Command::Answer(args) => answer::command(args),
        Command::Work(args) => work::command(args),
        Command::Mcp(args) => match &args.access {
            None => mcp::command(args),
            Some(Access::Login(args)) => login::login(args),
            Some(Access::Logout(args)) => login::logout(args),
        },
        Command::Serve(args) => serve::command(args),
        #[cfg(feature = "restate")]
        Command::Restate(command) => restate::command(command),
        Command::Test(args) => test::command(args),
        Command::Try(args) => trial::command(args),
        Command::Artifacts(args) => artifacts::command(args),
        Command::Diff(args) => difference::command(args),
        Command::Export(args) => transfer::export(args),
        Command::Import(args) => transfer::import(args),
        Command::Store(args) => store::command(args),
        Command::Token(args) => token::command(args),
        Command::Repl(args) => repl::command(args),
        Command::Debug(args) => debug::command(args),
        Command::Doctor(args) => doctor::command(args),
        Command::Docs(args) => docs::command(args),
        Command::Completions(args) => completions(args.shell),
        Command::Man(args) => man::command(args),
    }
}

/// Prints the completions of a shell.
fn completions(shell: clap_complete::Shell) -> Result<u8> {
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut Cli::command(), "ptc", &mut script);
    report::print(&String::from_utf8_lossy(&script))?;
    Ok(report::DONE)
}
