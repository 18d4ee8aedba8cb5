//! The output and the exit code of the process: results, faults of the command line and of the
//! environment, and a few notes.

use std::borrow::Cow;
use std::fmt;
use std::io::{self, IsTerminal as _, Write as _};
use std::sync::atomic::{AtomicBool, Ordering};

use miette::{LabeledSpan, SourceCode};
use ptc_signatures::shown;
use ptc_subagent::Agent;
use serde_json::{Value, json};

use crate::draw::{Text, draw};

pub(crate) use crate::screen::say;
pub(crate) use crate::terminal::{clean, colour_is_wanted, is_coloured, is_stdout_coloured};

/// The exit code of a value, or of a run that returned.
pub(crate) const DONE: u8 = 0;
/// The exit code of a program that called `fail`.
pub(crate) const FAILED: u8 = 1;
/// The exit code of a fault of usage or configuration.
pub(crate) const USAGE: u8 = 2;
/// The exit code of a run without an acceptable program.
pub(crate) const NO_PROGRAM: u8 = 3;
/// The exit code of a limit.
pub(crate) const LIMIT: u8 = 4;
/// The exit code of a model that did not answer.
pub(crate) const PROVIDER: u8 = 5;
/// The exit code of an internal error.
pub(crate) const BUG: u8 = 70;

/// The result of a command: an exit code, or a fault that has one.
pub(crate) type Result<T> = std::result::Result<T, Fault>;

/// The reason a command cannot do its work. An error of a program is not a fault.
#[derive(Debug)]
pub(crate) struct Fault(Box<Inner>);

#[derive(Debug)]
struct Inner {
    exit: u8,
    code: String,
    message: String,
    /// The file of the place, if the message does not name it.
    file: Option<String>,
    help: Option<String>,
    place: Option<(Text, LabeledSpan)>,
    /// The line and the column of the place.
    line_column: Option<(usize, usize)>,
    /// Whether the input of a mission is the cause.
    of_input: bool,
    /// Whether nothing is shown, because nobody reads it or because the panic hook has reported it.
    silent: bool,
}

impl Fault {
    /// Makes a fault of usage or configuration.
    #[cold]
    pub(crate) fn new(code: &str, message: impl Into<String>) -> Fault {
        Fault(Box::new(Inner {
            exit: USAGE,
            code: code.to_owned(),
            message: message.into(),
            file: None,
            help: None,
            place: None,
            line_column: None,
            of_input: false,
            silent: false,
        }))
    }

    /// Makes the fault of an internal error that the panic hook has already reported.
    #[cold]
    pub(crate) fn bug() -> Fault {
        let mut fault = Fault::new("internal", "a bug in ptc");
        (fault.0.exit, fault.0.silent) = (BUG, true);
        fault
    }

    /// Makes the fault of a result that cannot be printed.
    #[cold]
    pub(crate) fn of_stdout(error: &io::Error) -> Fault {
        let mut fault = Fault::new("output", format!("cannot write the result: {error}"));
        if error.kind() == io::ErrorKind::BrokenPipe {
            // The reader has gone, such as `head` in `ptc … | head`.
            (fault.0.exit, fault.0.silent) = (DONE, true);
        }
        fault
    }

    /// Adds a help text.
    #[must_use]
    pub(crate) fn with_help(mut self, help: impl Into<String>) -> Fault {
        self.0.help = Some(help.into());
        self
    }

    /// Returns the message.
    pub(crate) fn message(&self) -> &str {
        &self.0.message
    }

    /// Replaces the message.
    #[must_use]
    pub(crate) fn with_message(mut self, message: impl Into<String>) -> Fault {
        self.0.message = message.into();
        self
    }

    /// Adds the file that the message does not name. The drawn place names it, and the JSON message begins with it.
    #[must_use]
    pub(crate) fn in_file(mut self, name: &str) -> Fault {
        self.0.file = Some(name.to_owned());
        self
    }

    /// Adds the place in a text. Line and column count from 1, columns in characters.
    #[must_use]
    pub(crate) fn at(mut self, name: &str, text: &str, line: usize, column: usize) -> Fault {
        let start: usize = text.split_inclusive('\n').take(line.max(1) - 1).map(str::len).sum();
        let rest = text.get(start..).unwrap_or_default();
        let inside: usize = rest.chars().take(column.max(1) - 1).map(char::len_utf8).sum();
        let offset = (start + inside).min(text.len());
        let text = Text::new(name, text);
        let label = LabeledSpan::new_with_span(None, text.span(offset, offset));
        self.0.place = Some((text, label));
        self.0.line_column = Some((line, column));
        self
    }

    /// Adds the place of a problem of a program.
    #[must_use]
    pub(crate) fn of_program(mut self, name: &str, problem: &ptc_lisp::Diagnostic) -> Fault {
        if let Some(source) = problem.source() {
            let text = Text::new(name, source);
            self.0.place = text.label(problem).map(|label| (text, label));
        }
        self
    }

    /// Marks the input of a mission as the cause.
    #[must_use]
    pub(crate) fn of_input(mut self) -> Fault {
        self.0.of_input = true;
        self
    }

    /// Returns the object that `--json` prints when nothing ran, with all fields that the command prints otherwise.
    pub(crate) fn to_json(&self, shape: Shape) -> Value {
        let (stop, kind) = match self.0.exit {
            BUG => ("internal", "internal"),
            _ if self.0.of_input => ("input", "input"),
            _ => ("configuration", "configuration"),
        };
        let message = match &self.0.file {
            Some(name) => format!("{name}: {}", self.0.message),
            None => self.0.message.clone(),
        };
        let help = self.0.help.as_deref().map(clean);
        let mut error = problem(kind, &self.0.code, &clean(&message), help.as_deref());
        if let Some((line, column)) = self.0.line_column {
            (error["line"], error["column"]) = (json!(line), json!(column));
        }
        match shape {
            Shape::Run => not_started(stop, &error),
            Shape::Program => json!({
                "status": "error",
                "value": null,
                "edn": null,
                "prints": [],
                "tool_calls": [],
                "memory": {},
                "fuel": 0,
                "error": error,
            }),
            Shape::Check => json!({
                "status": "error",
                "report": null,
                "warnings": [],
                "errors": [error],
            }),
            Shape::Other => json!({ "error": error }),
        }
    }

    /// Returns the exit code.
    pub(crate) fn exit_code(&self) -> u8 {
        self.0.exit
    }

    /// Returns the help text.
    pub(crate) fn help(&self) -> Option<&str> {
        self.0.help.as_deref()
    }

    /// Draws the fault on stderr.
    pub(crate) fn show(&self) {
        if !self.0.silent {
            draw(self);
        }
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&clean(&self.0.message))
    }
}

/// The kind of object that a command prints with `--json`.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Shape {
    /// The report of a run.
    Run,
    /// The outcome of one program.
    Program,
    /// The admission report of a program.
    Check,
    /// An object without a field for an error.
    Other,
}

/// Returns a problem of the command as JSON, in the format of problems of runs.
pub(crate) fn problem(kind: &str, code: &str, message: &str, help: Option<&str>) -> Value {
    json!({
        "code": code,
        "kind": kind,
        "message": message,
        "line": null,
        "column": null,
        "help": help,
    })
}

/// Returns the report of a run that did not start, with all fields of a report.
pub(crate) fn not_started(stop: &str, error: &Value) -> Value {
    json!({
        "run": null,
        "status": "stopped",
        "ended_by": stop,
        "value": null,
        "fail": null,
        "stop": stop,
        "turns": 0,
        "tool_calls": 0,
        "fuel": 0,
        "seed": null,
        "usage": { "input_tokens": 0, "output_tokens": 0, "cost": null },
        "error": error,
    })
}

impl std::error::Error for Fault {}

impl miette::Diagnostic for Fault {
    fn code<'a>(&'a self) -> Option<Box<dyn fmt::Display + 'a>> {
        Some(Box::new(clean(&self.0.code)))
    }

    fn help<'a>(&'a self) -> Option<Box<dyn fmt::Display + 'a>> {
        self.0.help.as_ref().map(|help| Box::new(clean(help)) as Box<dyn fmt::Display>)
    }

    fn source_code(&self) -> Option<&dyn SourceCode> {
        self.0.place.as_ref().map(|(text, _)| text as &dyn SourceCode)
    }

    fn labels(&self) -> Option<Box<dyn Iterator<Item = LabeledSpan> + '_>> {
        let (_, label) = self.0.place.as_ref()?;
        Some(Box::new(std::iter::once(label.clone())))
    }
}

/// The help for a tool without an effect.
pub(crate) const SAY_EFFECT: &str =
    "set `effect = \"read\"` if its calls change nothing, else `effect = \"write\"`";

/// The maximum number of tools that a warning names.
const MAX_NAMED: usize = 5;

/// Warns about the tools that are left out, and about those without an effect.
pub(crate) fn say_about_tools(agent: &Agent) {
    let left_out = agent.tools_left_out();
    for it in left_out.iter().take(MAX_NAMED) {
        say(&clean(&format!("warning: {it}\n")));
    }
    match left_out.len().saturating_sub(MAX_NAMED) {
        0 => {}
        more => say(&format!("warning: {more} more tools are left out: `ptc doctor` names them\n")),
    }
    if let Some(warning) = assumed_effects(&agent.tools_without_effect()) {
        say(&clean(&warning));
    }
}

fn assumed_effects(names: &[String]) -> Option<String> {
    let more = names.len().saturating_sub(MAX_NAMED);
    let (last, before) = match names {
        [] => return None,
        [one] => (format!("`{one}`: it counts as a tool that writes"), String::new()),
        [before @ .., _] if more > 0 => {
            let named: Vec<&str> = before.iter().take(MAX_NAMED).map(String::as_str).collect();
            (format!("{more} more: they count as tools that write"), named.join("`, `"))
        }
        [before @ .., last] => {
            (format!("`{last}`: they count as tools that write"), before.join("`, `"))
        }
    };
    let before = if before.is_empty() { before } else { format!("`{before}` and ") };
    Some(format!("warning: no effect is given for {before}{last}\n  help: {SAY_EFFECT}\n"))
}

/// Shows the reason and the message of a program that called `fail`, on one line.
pub(crate) fn say_failed(reason: &str, message: &str) {
    // `failed` is the reason of a program that gave none.
    let reason = if reason == "failed" { String::new() } else { format!("{}: ", clean(reason)) };
    say(&format!("failed: {reason}{}\n", clean(message)));
}

/// Writes an object to stdout, on one line. It is cleaned with [`clean`], whose escapes do not change a JSON value.
pub(crate) fn print_json(json: &impl std::fmt::Display) -> Result<()> {
    print(&format!("{}\n", clean(&json.to_string())))
}

/// Writes foreign text to stdout: unchanged to a file or a pipe, cleaned to a terminal.
pub(crate) fn print_raw(text: &str) -> Result<()> {
    if io::stdout().is_terminal() { print(&clean(text)) } else { print(text) }
}

/// Returns whether anything was written to stdout.
pub(crate) fn has_printed() -> bool {
    HAS_PRINTED.load(Ordering::Relaxed)
}

static HAS_PRINTED: AtomicBool = AtomicBool::new(false);

/// Writes bytes to stdout, unless it is a terminal.
pub(crate) fn print_bytes(bytes: &[u8]) -> Result<()> {
    let mut out = io::stdout().lock();
    if out.is_terminal() {
        let fault = Fault::new("output", "binary content is not written to a terminal");
        return Err(fault.with_help("write it to a file: `ptc show … --blob HASH > FILE`"));
    }
    HAS_PRINTED.store(true, Ordering::Relaxed);
    let done = out.write_all(bytes).and_then(|()| out.flush());
    unless_unread(done)
}

/// Returns whether the reader of stdout has gone, such as `head` in `ptc … | head`.
pub(crate) fn has_no_reader() -> bool {
    HAS_NO_READER.load(Ordering::Relaxed)
}

static HAS_NO_READER: AtomicBool = AtomicBool::new(false);

/// Returns the outcome of a write to stdout. A reader that has gone needs no more, and changes no exit code.
fn unless_unread(done: io::Result<()>) -> Result<()> {
    match done {
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => {
            HAS_NO_READER.store(true, Ordering::Relaxed);
            Ok(())
        }
        done => done.map_err(|it| Fault::of_stdout(&it)),
    }
}

/// Writes results to stdout and flushes them. Nothing is written for a reader that has gone.
pub(crate) fn print(text: &str) -> Result<()> {
    HAS_PRINTED.store(true, Ordering::Relaxed);
    let mut out = io::stdout().lock();
    // `clean` has escaped all foreign escape sequences, so those that are left are our colours. The other unsafe
    // characters are in text that was never cleaned.
    let text = if out.is_terminal() {
        shown::escape_except(text, |c| matches!(c, '\u{1b}' | '\r'))
    } else {
        Cow::Borrowed(text)
    };
    let done = out.write_all(text.as_bytes()).and_then(|()| out.flush());
    unless_unread(done)
}

/// Reports an internal error. This is the panic hook of the process.
pub(crate) fn on_panic(panic: &std::panic::PanicHookInfo<'_>) {
    let what = panic
        .payload()
        .downcast_ref::<&str>()
        .map(ToString::to_string)
        .or_else(|| panic.payload().downcast_ref::<String>().cloned())
        .unwrap_or_default();
    let place = panic.location().map(|it| format!("{}:{}", it.file(), it.line()));
    say(&format!(
        "\n× this is a bug in ptc {}, not in your program: {} ({})\n\
         help: please report it, with the command and its input\n",
        env!("CARGO_PKG_VERSION"),
        clean(&what),
        place.unwrap_or_default(),
    ));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_warning_names_few_tools() {
        let check = |count: usize, expected: &str| {
            let names: Vec<String> = (1..=count).map(|it| format!("t{it}")).collect();
            let expected =
                format!("warning: no effect is given for {expected}\n  help: {SAY_EFFECT}\n");
            assert_eq!(assumed_effects(&names), Some(expected));
        };
        assert_eq!(assumed_effects(&[]), None);
        check(1, "`t1`: it counts as a tool that writes");
        check(2, "`t1` and `t2`: they count as tools that write");
        check(5, "`t1`, `t2`, `t3`, `t4` and `t5`: they count as tools that write");
        check(5000, "`t1`, `t2`, `t3`, `t4`, `t5` and 4995 more: they count as tools that write");
    }
}
