//! What the process says and exits with: results, faults of the command line and of the
//! surroundings, and the few lines that are neither.

use std::fmt::{self, Write as _};
use std::io::{self, IsTerminal as _, Write as _};

use miette::{LabeledSpan, SourceCode, SourceSpan};

use crate::draw::{Text, draw};

/// A value, or a run that returned.
pub(crate) const DONE: u8 = 0;
/// The program said `fail`.
pub(crate) const FAILED: u8 = 1;
/// Usage or configuration.
pub(crate) const USAGE: u8 = 2;
/// No acceptable program.
pub(crate) const NO_PROGRAM: u8 = 3;
/// A limit.
pub(crate) const LIMIT: u8 = 4;
/// The model did not answer.
pub(crate) const PROVIDER: u8 = 5;
/// A mistake of ours.
pub(crate) const BUG: u8 = 70;

/// What a command comes to: an exit code, or a fault that has one.
pub(crate) type Result<T> = std::result::Result<T, Fault>;

/// Why a command cannot do its work. What is wrong with a program is no fault.
#[derive(Debug)]
pub(crate) struct Fault(Box<Inner>);

#[derive(Debug)]
struct Inner {
    exit: u8,
    code: String,
    message: String,
    help: Option<String>,
    place: Option<(Text, SourceSpan)>,
    /// Nobody reads what we write: not worth a word.
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
            help: None,
            place: None,
            silent: false,
        }))
    }

    /// Makes the fault of a mistake of ours that the panic hook has told already.
    #[cold]
    pub(crate) fn bug() -> Fault {
        let mut fault = Fault::new("internal", "a mistake in ptc");
        (fault.0.exit, fault.0.silent) = (BUG, true);
        fault
    }

    /// Adds what to do about it.
    #[must_use]
    pub(crate) fn with_help(mut self, help: impl Into<String>) -> Fault {
        self.0.help = Some(help.into());
        self
    }

    /// Says it in other words.
    #[must_use]
    pub(crate) fn with_message(mut self, message: impl Into<String>) -> Fault {
        self.0.message = message.into();
        self
    }

    /// Adds the place in a text, line and column counted from 1, columns in characters.
    #[must_use]
    pub(crate) fn at(mut self, name: &str, text: &str, line: usize, column: usize) -> Fault {
        let start: usize = text.split_inclusive('\n').take(line.max(1) - 1).map(str::len).sum();
        let rest = text.get(start..).unwrap_or_default();
        let inside: usize = rest.chars().take(column.max(1) - 1).map(char::len_utf8).sum();
        let offset = (start + inside).min(text.len());
        self.0.place = Some((Text::new(name, text), (offset, 0).into()));
        self
    }

    /// Returns the exit code.
    pub(crate) fn exit_code(&self) -> u8 {
        self.0.exit
    }

    /// Returns what to do about it.
    pub(crate) fn help(&self) -> Option<&str> {
        self.0.help.as_deref()
    }

    /// Draws it on stderr.
    pub(crate) fn show(&self) {
        if !self.0.silent {
            draw(self);
        }
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0.message)
    }
}

impl std::error::Error for Fault {}

impl miette::Diagnostic for Fault {
    fn code<'a>(&'a self) -> Option<Box<dyn fmt::Display + 'a>> {
        Some(Box::new(&self.0.code))
    }

    fn help<'a>(&'a self) -> Option<Box<dyn fmt::Display + 'a>> {
        self.0.help.as_ref().map(|help| Box::new(help) as Box<dyn fmt::Display>)
    }

    fn source_code(&self) -> Option<&dyn SourceCode> {
        self.0.place.as_ref().map(|(text, _)| text as &dyn SourceCode)
    }

    fn labels(&self) -> Option<Box<dyn Iterator<Item = LabeledSpan> + '_>> {
        let (_, span) = self.0.place.as_ref()?;
        Some(Box::new(std::iter::once(LabeledSpan::new_with_span(None, *span))))
    }
}

/// Whether stderr takes colour.
pub(crate) fn is_coloured() -> bool {
    io::stderr().is_terminal() && colour_is_wanted()
}

/// Whether stdout takes colour.
pub(crate) fn is_stdout_coloured() -> bool {
    io::stdout().is_terminal() && colour_is_wanted()
}

/// Whether a terminal may get colour: `NO_COLOR` is not set, and it is not a dumb one.
pub(crate) fn colour_is_wanted() -> bool {
    let set = |name: &str| std::env::var_os(name).is_some_and(|it| !it.is_empty());
    !set("NO_COLOR") && std::env::var_os("TERM").is_none_or(|it| it != "dumb")
}

/// Text of a model or a tool, which must not drive the terminal: control characters but for line
/// ends and tabs are shown, not sent.
pub(crate) fn clean(text: &str) -> String {
    let unsafe_ = |c: char| c.is_control() && c != '\n' && c != '\t';
    if !text.contains(unsafe_) {
        return text.to_owned();
    }
    let mut shown = String::with_capacity(text.len() + 16);
    for c in text.chars() {
        if unsafe_(c) {
            // As JSON and the language write it, so that what is shown is still either.
            // A string takes everything that is written to it.
            let _ = write!(shown, "\\u{:04x}", u32::from(c));
        } else {
            shown.push(c);
        }
    }
    shown
}

/// Writes to stderr. Where nobody can be told anything, nothing is lost.
pub(crate) fn say(text: &str) {
    drop(io::stderr().lock().write_all(text.as_bytes()));
}

/// What a program gave to `fail`, in a line.
pub(crate) fn say_failed(reason: &str, message: &str) {
    // A program that gave no reason has this one.
    let reason = if reason == "failed" { String::new() } else { format!("{}: ", clean(reason)) };
    say(&format!("failed: {reason}{}\n", clean(message)));
}

/// Writes results to stdout, and sees to it that they get there.
pub(crate) fn print(text: &str) -> Result<()> {
    let mut out = io::stdout().lock();
    out.write_all(text.as_bytes()).and_then(|()| out.flush()).map_err(|error| {
        let mut fault = Fault::new("output", format!("cannot write the result: {error}"));
        if error.kind() == io::ErrorKind::BrokenPipe {
            // `ptc … | head` has what it wanted.
            fault.0.silent = true;
            fault.0.exit = DONE;
        }
        fault
    })
}

/// Says that we are at fault. The panic hook of the process.
pub(crate) fn on_panic(panic: &std::panic::PanicHookInfo<'_>) {
    let what = panic
        .payload()
        .downcast_ref::<&str>()
        .map(ToString::to_string)
        .or_else(|| panic.payload().downcast_ref::<String>().cloned())
        .unwrap_or_default();
    let place = panic.location().map(|it| format!("{}:{}", it.file(), it.line()));
    say(&format!(
        "\n× this is a mistake in ptc {}, not in your program: {what} ({})\n\
         help: please report it, with the command and its input\n",
        env!("CARGO_PKG_VERSION"),
        place.unwrap_or_default(),
    ));
}
