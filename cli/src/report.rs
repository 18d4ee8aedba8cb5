//! What people see on stderr, and what the process exits with.
//!
//! Every problem is drawn here and nowhere else, through miette: a problem of a program with its
//! place in the source, and a [`Fault`] of the command line, a file or the surroundings.

use std::fmt;
use std::io::{self, IsTerminal as _, Write as _};

use miette::{
    GraphicalReportHandler, GraphicalTheme, LabeledSpan, MietteError, MietteSpanContents, Severity,
    SourceCode, SourceSpan, SpanContents,
};

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

/// A diagnostic of the language, in the source that it is about.
#[derive(Debug)]
pub(crate) struct Placed<'a> {
    diagnostic: &'a ptc_lisp::Diagnostic,
    source: &'a Text,
    severity: Severity,
}

impl<'a> Placed<'a> {
    /// An error.
    pub(crate) fn error(diagnostic: &'a ptc_lisp::Diagnostic, source: &'a Text) -> Placed<'a> {
        Placed { diagnostic, source, severity: Severity::Error }
    }

    /// What looks wrong and is not certain to be.
    pub(crate) fn warning(diagnostic: &'a ptc_lisp::Diagnostic, source: &'a Text) -> Placed<'a> {
        Placed { diagnostic, source, severity: Severity::Warning }
    }

    /// Draws it on stderr.
    pub(crate) fn show(&self) {
        draw(self);
    }
}

impl fmt::Display for Placed<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.diagnostic.fmt(f)
    }
}

impl std::error::Error for Placed<'_> {}

impl miette::Diagnostic for Placed<'_> {
    fn code<'a>(&'a self) -> Option<Box<dyn fmt::Display + 'a>> {
        Some(Box::new(self.diagnostic.code()))
    }

    fn severity(&self) -> Option<Severity> {
        Some(self.severity)
    }

    fn help<'a>(&'a self) -> Option<Box<dyn fmt::Display + 'a>> {
        self.diagnostic.help().map(|help| Box::new(help) as Box<dyn fmt::Display>)
    }

    fn source_code(&self) -> Option<&dyn SourceCode> {
        self.diagnostic
            .span()
            .filter(|_| !self.source.text.trim().is_empty())
            .map(|_| self.source as &dyn SourceCode)
    }

    fn labels(&self) -> Option<Box<dyn Iterator<Item = LabeledSpan> + '_>> {
        let span = self.diagnostic.span()?;
        let range = self.source.first_line_of(span.start as usize, span.end as usize);
        Some(Box::new(std::iter::once(LabeledSpan::new_with_span(Some("here".to_owned()), range))))
    }
}

/// The longest line that is drawn whole, in bytes.
const WIDE: usize = 160;
/// How much of a longer line is drawn before and after the place.
const AROUND: usize = 60;

/// A named text that shows only what is worth reading of it: a program on one line of a megabyte
/// is drawn as the few words around the place.
#[derive(Debug)]
pub(crate) struct Text {
    name: String,
    text: String,
}

impl Text {
    /// Makes a text with the name that reports show.
    pub(crate) fn new(name: &str, text: &str) -> Text {
        Text { name: name.to_owned(), text: text.to_owned() }
    }

    /// A span cut to its first line and to what is drawn of it.
    fn first_line_of(&self, start: usize, end: usize) -> SourceSpan {
        let place = self.text.get(start..end).unwrap_or_default();
        let line = place.split('\n').next().unwrap_or_default().trim_end();
        (start, floor(line, AROUND)).into()
    }
}

/// The largest char boundary of `text` that is not over `at`.
fn floor(text: &str, at: usize) -> usize {
    (0..=at.min(text.len())).rev().find(|&it| text.is_char_boundary(it)).unwrap_or(0)
}

impl SourceCode for Text {
    fn read_span<'a>(
        &'a self,
        span: &SourceSpan,
        before: usize,
        after: usize,
    ) -> std::result::Result<Box<dyn SpanContents<'a> + 'a>, MietteError> {
        let text = self.text.as_str();
        let at = floor(text, span.offset());
        let line_start = text.get(..at).and_then(|it| it.rfind('\n')).map_or(0, |it| it + 1);
        let line_end = text.get(at..).and_then(|it| it.find('\n')).map_or(text.len(), |it| at + it);
        let line = text.get(..line_start).unwrap_or_default().matches('\n').count();
        let contents = text.read_span(span, before, after)?;
        let longest = contents.data().split(|&it| it == b'\n').map(<[u8]>::len).max().unwrap_or(0);
        if longest <= WIDE {
            let contents = MietteSpanContents::new_named(
                self.name.clone(),
                contents.data(),
                *contents.span(),
                contents.line(),
                contents.column(),
                contents.line_count(),
            );
            return Ok(Box::new(contents));
        }
        // The line alone, and only the part of it around the place.
        let (start, end) = if line_end - line_start <= WIDE {
            (line_start, line_end)
        } else {
            (
                floor(text, at.saturating_sub(AROUND).max(line_start)),
                floor(text, (at + span.len() + AROUND).min(line_end)),
            )
        };
        let data = text.as_bytes().get(start..end).unwrap_or_default();
        // With no context asked for, miette wants the place itself, for the heading.
        let column = if before == 0 && after == 0 {
            text.get(line_start..at).unwrap_or_default().chars().count()
        } else {
            0
        };
        let span = (start, end - start).into();
        let contents =
            MietteSpanContents::new_named(self.name.clone(), data, span, line, column, 1);
        Ok(Box::new(contents))
    }
}

/// Draws a problem on stderr: in colour and wrapped on a terminal, plain and unwrapped elsewhere.
fn draw(problem: &dyn miette::Diagnostic) {
    let mut text = String::new();
    // A report that cannot be drawn is still a message.
    if handler().render_report(&mut text, problem).is_err() {
        text = format!("error: {problem}\n");
    }
    say(&text);
}

fn handler() -> GraphicalReportHandler {
    let coloured = is_coloured();
    let theme =
        if coloured { GraphicalTheme::unicode() } else { GraphicalTheme::unicode_nocolor() };
    let handler = GraphicalReportHandler::new_themed(theme)
        .with_context_lines(1)
        .with_links(false)
        .with_cause_chain();
    if io::stderr().is_terminal() {
        handler
    } else {
        handler.with_wrap_lines(false).with_width(usize::from(u16::MAX))
    }
}

/// Whether stderr takes colour.
pub(crate) fn is_coloured() -> bool {
    let set = |name: &str| std::env::var_os(name).is_some_and(|it| !it.is_empty());
    io::stderr().is_terminal() && !set("NO_COLOR")
}

/// Text of a model or a tool, which must not drive the terminal: control characters but for line
/// ends and tabs are shown, not sent.
pub(crate) fn clean(text: &str) -> String {
    let unsafe_ = |c: char| c.is_control() && c != '\n' && c != '\t';
    if !text.contains(unsafe_) {
        return text.to_owned();
    }
    text.chars()
        .map(|c| if unsafe_(c) { c.escape_default().to_string() } else { c.to_string() })
        .collect()
}

/// Writes to stderr. Where nobody can be told anything, nothing is lost.
pub(crate) fn say(text: &str) {
    drop(io::stderr().lock().write_all(text.as_bytes()));
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
