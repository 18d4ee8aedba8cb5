//! `ptc chat`: a conversation with an agent. A run answers each message.
//!
//! A terminal gets line editing and commands. Otherwise messages are read from standard input, one a line.

use std::fmt::Write as _;
use std::io::{self, BufRead as _, IsTerminal as _};
use std::ops::ControlFlow;
use std::sync::{Arc, Mutex, PoisonError};

use ptc_subagent::host::Start;
use ptc_subagent::provider::Provider;
use ptc_subagent::store::{Filter, RunRecord, Store};
use ptc_subagent::tool::HostContext;
use ptc_subagent::{Agent, Data, Earlier, ErrorKind, RunId, RunReport, RunSettings, Status, Stop};
use rustyline::error::ReadlineError;
use rustyline::history::FileHistory;
use rustyline::{Behavior, Config, Editor};
use serde_json::Value;
use tokio::runtime::Runtime;

use crate::agents;
use crate::args::{ChatArgs, Yes};
use crate::ask;
use crate::figures::plural;
use crate::history::{MAX_HISTORY, history_file};
use crate::input::{host_context, mission_input};
use crate::mission::{PATIENCE, show_result};
use crate::model::chosen_model;
use crate::process::runtime;
use crate::progress::Progress;
use crate::records;
use crate::report::{self, Fault, Result};
use crate::run_text;
use crate::signals::{Session, interrupted};
use crate::telemetry::Telemetry;

const PROMPT: &str = "> ";

const HELP: &str = "\
/runs           lists the messages of the conversation and their runs
/show [RUN]     shows a run; by default the last one
/undo           takes back the last message: the next one follows the message before
/new            begins a new conversation
/quit, Ctrl-D   ends; the next `ptc chat` of the agent goes on here
Ctrl-C cancels the run of a message, or drops the line.
";

/// The most messages that `/runs` lists.
const MAX_LISTED: usize = 50;
/// The largest number of characters of a message in a list.
const MAX_SHOWN: usize = 70;

/// Runs `ptc chat`.
pub(crate) fn command(args: &ChatArgs) -> Result<u8> {
    let mut agent = agents::read(&args.agent.file)?;
    let input = mission_input(&agent, args.input.as_deref(), &args.set)?;
    let Some(name) = agent.message_input().map(str::to_owned) else {
        let signature = agent.signature.as_ref().map(ToString::to_string).unwrap_or_default();
        let message =
            format!("agent `{}` takes no message: its signature is {signature}", agent.name);
        return Err(Fault::new("usage", message)
            .with_help("add an input `message :string`, or run it with `ptc run`"));
    };
    let settings = agents::settings(&args.settings, &args.model)?;
    let provider = chosen_model(&args.model, &agent, &settings)?.open()?;
    let store = records::open_for_writing(args.store.file())?;
    agent.learn(&store)?;
    let is_terminal = io::stdin().is_terminal() && io::stdout().is_terminal();
    let progress = Progress::new(args.progress.quiet, args.store.file()).brief();
    let runtime = runtime()?;
    let telemetry = runtime.block_on(async { Telemetry::from_env() });
    let mut chat = Chat {
        agent: &agent,
        store: &store,
        provider: &*provider,
        seed: args.seed.seed,
        context: host_context(args.context.file())?,
        settings,
        yes: &args.yes.yes,
        input,
        name,
        last: None,
        is_terminal,
        session: Session::start(is_terminal),
        is_over: false,
        progress: Arc::new(Mutex::new(progress)),
        runtime: &runtime,
        telemetry,
    };
    chat.last = chat.start(args)?;
    let code = if is_terminal {
        chat.greet()?;
        chat.on_terminal()
    } else {
        chat.read_lines()
    };
    let telemetry = chat.telemetry;
    if let Some(warning) = runtime.block_on(telemetry.finish()) {
        report::say(&warning);
    }
    // A thread may still be waiting for the answer to a question.
    runtime.shutdown_background();
    code
}

/// A conversation in progress.
struct Chat<'a> {
    agent: &'a Agent,
    store: &'a Store,
    provider: &'a dyn Provider,
    seed: Option<u64>,
    /// The data for tools alone.
    context: Option<HostContext>,
    settings: RunSettings,
    yes: &'a [Yes],
    /// The input of each mission, without the message.
    input: Data,
    /// The name of the input that messages go to.
    name: String,
    /// The run that the next message follows.
    last: Option<RunId>,
    is_terminal: bool,
    session: Session,
    /// Whether a signal has ended the session.
    is_over: bool,
    progress: Arc<Mutex<Progress>>,
    runtime: &'a Runtime,
    telemetry: Telemetry,
}

impl Chat<'_> {
    /// Returns the last run of the conversation: the named one, or the newest one of the agent.
    fn start(&self, args: &ChatArgs) -> Result<Option<RunId>> {
        if let Some(run) = &args.after {
            return Ok(Some(self.runtime.block_on(Earlier::of(self.store, run, self.agent))?.run));
        }
        let mut newest = Filter::default();
        newest.agent = Some(self.agent.name.clone());
        (newest.roots, newest.limit) = (true, Some(1));
        let found = if args.new { None } else { self.store.find(&newest)?.runs.into_iter().next() };
        let Some(summary) = found else { return Ok(None) };
        if summary.ended_at.is_some() && summary.status != Status::Waiting {
            return Ok(Some(summary.run));
        }
        let (run, status) = (&summary.run, records::describe_status(&summary));
        report::say(&format!(
            "run {run} is {status}; the next message follows the run before it\n"
        ));
        Ok(summary.conversation.and_then(|it| it.after))
    }

    /// Tells where the conversation is.
    fn greet(&self) -> Result<()> {
        let mut text = format!("{} · /help lists the commands, Ctrl-D ends\n", self.agent.name);
        if let Some(run) = &self.last {
            let record = self.store.show(run.as_str())?;
            let earlier = record.summary.conversation.as_ref().map_or(0, |it| it.message - 1);
            let messages = plural(u64::from(earlier) + 1, "message");
            // Writing to a string cannot fail.
            let _ = writeln!(text, "the conversation has {messages}, the last was");
            let _ = writeln!(text, "  {}", shown(&self.message_of(&record)));
        }
        report::say(&report::clean(&text));
        Ok(())
    }

    fn on_terminal(&mut self) -> Result<u8> {
        let broken =
            |error: &ReadlineError| Fault::new("terminal", format!("cannot read: {error}"));
        let config = Config::builder()
            .max_history_size(MAX_HISTORY)
            .map_err(|error| broken(&error))?
            .behavior(Behavior::Stdio)
            .auto_add_history(true)
            .build();
        let mut editor: Editor<(), FileHistory> =
            Editor::with_config(config).map_err(|error| broken(&error))?;
        let history = history_file("messages");
        if let Some(path) = &history {
            // A missing or unreadable history counts as empty.
            drop(editor.load_history(path));
        }
        loop {
            match editor.readline(PROMPT) {
                Ok(line) => {
                    if let Some(path) = &history {
                        // The conversation goes on if its history cannot be written.
                        drop(editor.append_history(path));
                    }
                    let taken = self.take(line.trim());
                    match taken {
                        Ok(ControlFlow::Break(())) => return Ok(report::DONE),
                        Ok(ControlFlow::Continue(_)) => {}
                        Err(fault) => fault.show(),
                    }
                    if self.is_over {
                        return Ok(report::LIMIT);
                    }
                }
                Err(ReadlineError::Interrupted) => {}
                Err(ReadlineError::Eof) => return Ok(report::DONE),
                Err(error) => return Err(broken(&error)),
            }
        }
    }

    /// Answers each line of standard input. Returns the exit code of the last run.
    fn read_lines(&mut self) -> Result<u8> {
        let mut code = report::DONE;
        for line in io::stdin().lock().lines() {
            let line = line.map_err(|error| {
                Fault::new("unreadable-file", format!("cannot read standard input: {error}"))
            })?;
            match self.take(line.trim()) {
                Ok(ControlFlow::Break(())) => return Ok(code),
                Ok(ControlFlow::Continue(Some(report))) => {
                    code = report.exit_code();
                    let is_cancelled = report.stop == Some(Stop::Cancelled);
                    if self.is_over || is_cancelled || report::has_no_reader() {
                        return Ok(code);
                    }
                }
                Ok(ControlFlow::Continue(None)) => {}
                Err(fault) => {
                    fault.show();
                    code = fault.exit_code();
                }
            }
        }
        Ok(code)
    }

    /// Runs a command, or answers a message.
    fn take(&mut self, line: &str) -> Result<ControlFlow<(), Option<RunReport>>> {
        let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        match word {
            "" => {}
            "/quit" | "/q" => return Ok(ControlFlow::Break(())),
            "/help" => report::print(HELP)?,
            "/runs" => report::print(&self.list()?)?,
            "/show" => self.show(rest.trim())?,
            "/undo" => self.undo()?,
            "/new" => {
                self.last = None;
                report::say("the next message begins a new conversation\n");
            }
            _ if is_command(word) => {
                let message = format!("there is no command `{word}`");
                return Err(Fault::new("usage", message).with_help("`/help` lists the commands"));
            }
            _ => return Ok(ControlFlow::Continue(Some(self.say(line)?))),
        }
        Ok(ControlFlow::Continue(None))
    }

    /// Runs a mission that answers a message, and prints its answer.
    fn say(&mut self, text: &str) -> Result<RunReport> {
        let mut start = Start::of(self.input.clone().with(&self.name, Value::from(text)));
        start.after = self.last.as_ref().map(ToString::to_string);
        start.seed = self.seed;
        start.context.clone_from(&self.context);
        start.settings = self.settings.clone();
        let mission = self.runtime.block_on(start.mission(self.agent, Some(self.store)))?;
        let (is_live, presenter) = {
            let mut progress = self.progress();
            progress.begin_next();
            (progress.is_live(), ask::can_ask().then(|| progress.question_presenter()))
        };
        let (progress, mut spans) =
            (Arc::clone(&self.progress), self.telemetry.observer(Vec::new()));
        let mission = mission
            .wait_at_most(PATIENCE)
            .stream(is_live)
            .observe(move |run, event| {
                progress.lock().unwrap_or_else(PoisonError::into_inner).handle(run, event);
                spans(run, event);
            })
            .cancel_on(interrupted());
        let mission = ask::with_answers(mission, self.yes, presenter);
        let (report, is_over) =
            self.session.run(|| self.runtime.block_on(mission.run(self.provider)));
        self.is_over |= is_over;
        self.progress().finish();
        let report = report?;
        if report.status != Status::Waiting {
            self.last = Some(report.run.clone());
        }
        if self.is_terminal && report.stop == Some(Stop::Cancelled) {
            // The terminal has shown `^C` on the last line.
            report::say("\n");
        }
        show_answer(&report)?;
        Ok(report)
    }

    fn progress(&self) -> std::sync::MutexGuard<'_, Progress> {
        self.progress.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Lists the runs of the conversation, the oldest first.
    fn list(&self) -> Result<String> {
        let (mut lines, mut next) = (Vec::new(), self.last.clone());
        while let Some(run) = next.filter(|_| lines.len() < MAX_LISTED) {
            let record = match self.store.show(run.as_str()) {
                // It may have been deleted. The run after it has its message.
                Err(error) if error.kind() == ErrorKind::UnknownRun => break,
                record => record?,
            };
            let place = record.summary.conversation.as_ref();
            let status = records::describe_status(&record.summary);
            let number = place.map_or(1, |it| it.message);
            let message = shown(&self.message_of(&record));
            lines.push(report::clean(&format!("{number:>3}  {run}  {status}  {message}")) + "\n");
            next = record.summary.conversation.and_then(|it| it.after);
        }
        if lines.is_empty() {
            return Ok("no message yet\n".to_owned());
        }
        lines.reverse();
        Ok(lines.concat())
    }

    fn show(&self, run: &str) -> Result<()> {
        match (run, &self.last) {
            ("", None) => report::print("no message yet\n"),
            ("", Some(last)) => report::print(&run_text::page(self.store, last.as_str())?),
            (run, _) => report::print(&run_text::page(self.store, run)?),
        }
    }

    /// Takes back the last message. Its run stays on record.
    fn undo(&mut self) -> Result<()> {
        let Some(run) = &self.last else { return report::print("no message yet\n") };
        let record = self.store.show(run.as_str())?;
        let message = shown(&self.message_of(&record));
        self.last = record.summary.conversation.and_then(|it| it.after);
        report::print(&report::clean(&format!("took back: {message}\n")))
    }

    fn message_of(&self, record: &RunRecord) -> String {
        let message =
            record.setup.input.get(&self.name).unwrap_or_else(|| record.setup.input.clone());
        message.value().as_str().map_or_else(|| message.to_string(), str::to_owned)
    }
}

/// Returns whether a word is meant as a command: `/` and letters. A path such as `/etc/hosts` begins a message.
fn is_command(word: &str) -> bool {
    let name = word.strip_prefix('/').unwrap_or_default();
    !name.is_empty() && name.chars().all(|c| c.is_ascii_lowercase())
}

/// Returns the beginning of a message on one line.
fn shown(message: &str) -> String {
    let line: String = message.split_whitespace().collect::<Vec<_>>().join(" ");
    match line.char_indices().nth(MAX_SHOWN) {
        Some((end, _)) => format!("{}…", line.get(..end).unwrap_or_default()),
        None => line,
    }
}

/// Prints the answer of a run, a text as it is, or the reason that there is none.
fn show_answer(report: &RunReport) -> Result<()> {
    match report.value.as_str() {
        Some(text) if report.status == Status::Returned => {
            report::print(&format!("{}\n", report::clean(text)))
        }
        _ => show_result(report, false),
    }
}
