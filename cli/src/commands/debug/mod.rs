//! `ptc debug`: stepping through a program, forward and back.
//!
//! This module has the commands and their output. A [`Target`] supplies the program, and
//! [`ptc_lisp::debug::Debugger`] steps.

mod commands;
mod front;
mod line;
mod show;

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::io::{self, BufRead as _, IsTerminal as _};
use std::rc::Rc;

use ptc_lisp::debug::Debugger;
use ptc_lisp::{AnswerEffects, CallId, Session, ToolCall, ToolFailure, Value};
use ptc_subagent::RunId;
use ptc_subagent::replay::ProgramOnRecord;
use rustyline::error::ReadlineError;
use rustyline::history::MemHistory;
use rustyline::{Behavior, ColorMode, CompletionType, Config, Editor};

use crate::args::{DebugArgs, JsonArgs, ProgramArgs};
use crate::draw::{Placed, Text, draw};
use crate::exported;
use crate::process::runtime;
use crate::program::{self, Request};
use crate::report::{self, Fault, Result};
use crate::sandbox::Purpose;
use crate::signals::Session as SignalSession;
use front::{Front, Then};
use line::Line;

const PROMPT: &str = "(ptc) ";

/// A program to debug, with its session and the answers to its calls.
pub(crate) struct Target {
    /// The program, with a name for messages.
    pub(crate) text: Text,
    /// The source of the program, as it was admitted.
    pub(crate) source: String,
    /// Makes a new session in the state before the program. Names in earlier programs are shown only if
    /// `Session::remember_names` was called before those programs were admitted.
    pub(crate) session: Box<dyn Fn() -> Session>,
    /// Answers a tool call. The same call always gets the same answer.
    pub(crate) answers: Box<Answers>,
    /// The further effects of an answer.
    pub(crate) effects: Box<Effects>,
}

type CallOutcome = std::result::Result<Value, ToolFailure>;

type Answers = dyn Fn(&ToolCall) -> CallOutcome;

type Effects = dyn Fn(&ToolCall) -> AnswerEffects;

impl Target {
    /// Reads a program from the command line, as `ptc eval` does. Returns the exit code if it is rejected.
    fn of_eval(args: &DebugArgs) -> Result<std::result::Result<Target, u8>> {
        let program = ProgramArgs {
            file: args.eval.clone(),
            expression: args.expression.clone(),
            data: args.data.clone(),
            repair: false,
            output: JsonArgs { json: false },
        };
        let reads_commands = !args.print && args.commands.is_empty();
        if args.eval.as_deref() == Some("-") && reads_commands {
            let fault =
                Fault::new("usage", "the commands come from standard input, so the program cannot");
            return Err(fault.with_help("give a file, `-e SOURCE`, `--do COMMAND` or `--print`"));
        }
        let (text, request) = Request::of(&program, Purpose::Run { live: args.live }, &args.seed)?;
        if let Err(problems) = request.admit(&request.session()) {
            for problem in &problems {
                draw(&Placed::error(problem, &text));
            }
            return Ok(Err(program::exit_of(&problems)));
        }
        let source = request.source.clone();
        let sandbox = request.sandbox.clone();
        let (runtime, program) = (program::runtime(&sandbox.tools)?, RunId::generate());
        // Every step runs the program from its start, but each call must be made only once.
        let made: RefCell<BTreeMap<CallId, CallOutcome>> = RefCell::default();
        let answers = move |call: &ToolCall| {
            if let Some(answer) = made.borrow().get(&call.id) {
                return answer.clone();
            }
            let key = format!("{program}.{}", call.id);
            let answer = runtime.block_on(sandbox.call(call, key));
            made.borrow_mut().insert(call.id.clone(), answer.clone());
            answer
        };
        let session = Box::new(move || request.session());
        let effects = Box::new(|_: &ToolCall| AnswerEffects::default());
        Ok(Ok(Target { text, source, session, answers: Box::new(answers), effects }))
    }
}

impl Target {
    /// Reads a program from the record.
    fn of_run(args: &DebugArgs) -> Result<Target> {
        let given = [
            ("--ctx", args.data.ctx.is_some()),
            ("--memory", args.data.memory.is_some()),
            ("--tools", args.data.tools.is_some()),
            ("--agent", args.data.agent.is_some()),
            ("--limits", args.data.limits.is_some()),
            ("--seed", args.seed.seed.is_some()),
        ];
        if let Some((option, _)) = given.iter().find(|(_, is_given)| *is_given) {
            let message =
                format!("`{option}` is for a program that you give, and a run has its own");
            return Err(Fault::new("usage", message).with_help(format!(
                "give the program with `--eval FILE` or `-e SOURCE`, or leave out `{option}`"
            )));
        }
        let (store, run) = exported::find(args.run.as_deref(), &args.store)?;
        let program = Rc::new(ProgramOnRecord::of(&store, &run, args.turn)?);
        let text = Text::new(&format!("program of turn {}", program.turn()), program.source());
        let source = program.source().to_owned();
        let runtime = runtime()?;
        // The first session is made here, so that an error of the record is reported.
        let first = RefCell::new(Some(runtime.block_on(program.session())?));
        let recorded = Rc::clone(&program);
        let session = move || {
            let first = first.borrow_mut().take();
            first.unwrap_or_else(|| match runtime.block_on(recorded.session()) {
                Ok(session) => session,
                // The record was gone through once, so this is a bug of ours, and no session can be shown.
                Err(error) => {
                    Fault::from(error).show();
                    std::process::exit(report::BUG.into())
                }
            })
        };
        let with_effects = Rc::clone(&program);
        let effects = Box::new(move |call: &ToolCall| with_effects.effects(call));
        let answers = Box::new(move |call: &ToolCall| program.answer(&call.id.to_string()));
        Ok(Target { text, source, session: Box::new(session), answers, effects })
    }
}

/// Runs `ptc debug`.
pub(crate) fn command(args: &DebugArgs) -> Result<u8> {
    let target = match (&args.eval, &args.expression) {
        (None, None) => Target::of_run(args)?,
        _ => match Target::of_eval(args)? {
            Ok(target) => target,
            Err(exit) => return Ok(exit),
        },
    };
    debug(&target, args)
}

/// Runs the debugger on a program, or prints its first steps.
fn debug(target: &Target, args: &DebugArgs) -> Result<u8> {
    let debugger = match Debugger::new(&target.session, &target.source, &target.answers) {
        Ok(debugger) => debugger.with_effects(&target.effects),
        Err(rejection) => {
            for problem in &rejection.diagnostics {
                draw(&Placed::error(problem, &target.text));
            }
            return Ok(program::exit_of(&rejection.diagnostics));
        }
    };
    if args.print {
        report::print(&show::trace(&debugger.trace(args.max)))?;
        return Ok(report::DONE);
    }
    let mut front = Front::new(debugger);
    if !args.commands.is_empty() {
        report::print(&front.here())?;
        for command in &args.commands {
            report::print(&format!("{PROMPT}{command}\n"))?;
            if take(&mut front, command)? == Then::End {
                break;
            }
        }
        return Ok(report::DONE);
    }
    if io::stdin().is_terminal() && io::stdout().is_terminal() {
        let version = env!("CARGO_PKG_VERSION");
        report::say(&format!("ptc {version} · help lists the commands, Ctrl-D ends\n"));
        report::print(&front.here())?;
        on_terminal(&mut front)?;
    } else {
        report::print(&front.here())?;
        from_lines(&mut front)?;
    }
    Ok(report::DONE)
}

fn on_terminal(front: &mut Front<'_>) -> Result<()> {
    let broken = |error: &ReadlineError| Fault::new("terminal", format!("cannot read: {error}"));
    let colour = if report::colour_is_wanted() { ColorMode::Enabled } else { ColorMode::Disabled };
    let config = Config::builder()
        .completion_type(CompletionType::List)
        .color_mode(colour)
        .behavior(Behavior::Stdio)
        .auto_add_history(true)
        .build();
    let history = MemHistory::with_config(&config);
    let mut editor: Editor<Line, MemHistory> =
        Editor::with_history(config, history).map_err(|error| broken(&error))?;
    editor.set_helper(Some(Line::new(front.tools())));
    let _signals = SignalSession::start(true);
    loop {
        match editor.readline(PROMPT) {
            Ok(text) => {
                if take(front, &text)? == Then::End {
                    return Ok(());
                }
            }
            Err(ReadlineError::Interrupted) => {}
            Err(ReadlineError::Eof) => return Ok(()),
            Err(error) => return Err(broken(&error)),
        }
    }
}

fn from_lines(front: &mut Front<'_>) -> Result<()> {
    for line in io::stdin().lock().lines() {
        let line = line.map_err(|error| {
            Fault::new("unreadable-file", format!("cannot read standard input: {error}"))
        })?;
        if take(front, &line)? == Then::End {
            break;
        }
    }
    Ok(())
}

fn take(front: &mut Front<'_>, text: &str) -> Result<Then> {
    let (shown, then) = front.take(text);
    report::print(&shown)?;
    Ok(then)
}
