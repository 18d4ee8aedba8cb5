//! `ptc repl`: programs typed one after another, in one session.
//!
//! A terminal gets a prompt and line editing. Otherwise programs are read from standard input.

mod evaluator;
mod line;

use std::io::{self, BufRead as _, IsTerminal as _};
use std::ops::ControlFlow;

use rustyline::error::ReadlineError;
use rustyline::history::FileHistory;
use rustyline::{Behavior, ColorMode, CompletionType, Config, Editor};

use crate::args::ReplArgs;
use crate::history::{MAX_HISTORY, history_file};
use crate::report::{self, Fault, Result};
use evaluator::Evaluator;
use line::{Line, is_complete};

const PROMPT: &str = "ptc> ";

const HELP: &str = "\
(doc name)          documents a function or form; (doc tool/name) a tool
(apropos \"text\")    finds names that contain a text
(tool/name {...})   calls a tool
ctx, memory         the data, and the values kept by (memory/put :key value)
*1 *2 *3            the last values
Tab                 completes functions, tools, keys of the data and your own names
:reset              forgets all definitions and kept values
:quit, Ctrl-D       ends
An unfinished program continues on the next line. Ctrl-C drops the line, or stops the program.
";

/// Runs `ptc repl`.
pub(crate) fn command(args: &ReplArgs) -> Result<u8> {
    let is_terminal = io::stdin().is_terminal() && io::stdout().is_terminal();
    let mut evaluator = Evaluator::of(args, is_terminal)?;
    if is_terminal {
        let version = env!("CARGO_PKG_VERSION");
        report::say(&format!("ptc {version} · :help lists the commands, Ctrl-D ends\n"));
    }
    if let Some(warning) = evaluator.warning() {
        report::say(&warning);
    }
    if is_terminal { on_terminal(&mut evaluator) } else { from_lines(&mut evaluator) }
}

fn on_terminal(evaluator: &mut Evaluator) -> Result<u8> {
    let broken = |error: &ReadlineError| Fault::new("terminal", format!("cannot read: {error}"));
    let colour = if report::colour_is_wanted() { ColorMode::Enabled } else { ColorMode::Disabled };
    let config = Config::builder()
        .max_history_size(MAX_HISTORY)
        .map_err(|error| broken(&error))?
        .completion_type(CompletionType::List)
        .color_mode(colour)
        .behavior(Behavior::Stdio)
        .auto_add_history(true)
        .build();
    let mut editor: Editor<Line, FileHistory> =
        Editor::with_config(config).map_err(|error| broken(&error))?;
    let history = history_file("history");
    if let Some(path) = &history {
        // A missing or unreadable history counts as empty.
        drop(editor.load_history(path));
    }
    editor.set_helper(Some(Line::new(evaluator.names())));
    loop {
        match editor.readline(PROMPT) {
            Ok(text) => {
                if let Some(path) = &history {
                    // The session continues if its history cannot be written.
                    drop(editor.append_history(path));
                }
                if let ControlFlow::Break(code) = take(evaluator, &text)? {
                    return Ok(code);
                }
                editor.set_helper(Some(Line::new(evaluator.names())));
            }
            Err(ReadlineError::Interrupted) => {}
            Err(ReadlineError::Eof) => return Ok(report::DONE),
            Err(error) => return Err(broken(&error)),
        }
    }
}

/// Reads programs from lines. An unclosed program continues on the next line.
fn from_lines(evaluator: &mut Evaluator) -> Result<u8> {
    let mut program = String::new();
    for line in io::stdin().lock().lines() {
        let line = line.map_err(|error| {
            Fault::new("unreadable-file", format!("cannot read standard input: {error}"))
        })?;
        program.push_str(&line);
        program.push('\n');
        if is_complete(&program)
            && let ControlFlow::Break(code) = take(evaluator, &std::mem::take(&mut program))?
        {
            return Ok(code);
        }
    }
    let taken = take(evaluator, &program)?;
    Ok(taken.break_value().unwrap_or(report::DONE))
}

/// Runs a command or evaluates a program. Breaks with the exit code at the end of the session.
fn take(evaluator: &mut Evaluator, text: &str) -> Result<ControlFlow<u8>> {
    match text.trim() {
        "" => {}
        ":quit" | ":q" => return Ok(ControlFlow::Break(report::DONE)),
        ":help" => report::print(HELP)?,
        ":reset" => {
            evaluator.reset();
            report::say("forgot all definitions and kept values\n");
        }
        _ => {
            if evaluator.evaluate(text.trim_end())?.is_break() {
                return Ok(ControlFlow::Break(report::LIMIT));
            }
        }
    }
    Ok(ControlFlow::Continue(()))
}
