//! The report of a debugger about a stopped program.

use ptc_machine::{CallId, Ended};
use ptc_values::code::Span;
use ptc_values::print::{Preview, preview};
use ptc_values::{Diagnostic, Value};

/// The characters of a value in a line.
const SHORT: usize = 120;

/// The characters of a value that was asked for.
const LONG: usize = 4000;

/// A place in a source.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Place {
    /// The line, from 1.
    pub line: u32,
    /// The column, from 1, in characters.
    pub column: u32,
    /// The range in the source.
    pub span: Span,
    /// The text of the form.
    pub text: String,
    /// Whether it is in this program, not in an earlier one of the session.
    pub is_here: bool,
}

/// A function that is running.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Level {
    /// The name; `fn` without one, and `None` for the program itself.
    pub function: Option<String>,
    /// The place of the form being evaluated.
    pub place: Option<Place>,
}

/// The state of a stopped program.
#[derive(Debug)]
pub struct Stop {
    /// The number of the step, from 1.
    pub step: u64,
    /// The event that is about to happen.
    pub what: What,
    /// The form; `None` at the end of the program.
    pub place: Option<Place>,
    /// The step at which that form began.
    pub form: Option<u64>,
    /// The step at which the call of the running function began.
    pub caller: Option<u64>,
    /// The number of enclosing open forms.
    pub depth: u32,
    /// The running functions, innermost first, at most fifty.
    pub stack: Vec<Level>,
    /// The number of further running functions.
    pub more_levels: u64,
    /// The forms finished since the previous step that had begun before it.
    pub finished: Vec<Line>,
    /// The number of further finished forms.
    pub unsaid: u64,
    /// The lines printed so far.
    pub prints: Vec<String>,
    /// The fuel used so far.
    pub fuel: u64,
    /// The number of tool calls so far.
    pub tool_calls: u32,
}

/// An event that is about to happen.
#[derive(Debug)]
pub enum What {
    /// A form is evaluated.
    Form,
    /// A tool is called.
    Call {
        /// The tool.
        tool: String,
        /// The arguments, as text.
        args: String,
    },
    /// An error is raised to its handler, if any.
    Error(Diagnostic),
    /// Nothing: the program has ended.
    End(Box<Ended>),
}

/// A step and its outcome.
#[derive(Debug, Clone)]
pub struct Line {
    /// The number of the step.
    pub step: u64,
    /// The form; `None` for an error outside a form.
    pub place: Option<Place>,
    /// The number of enclosing open forms.
    pub depth: u32,
    /// The outcome.
    pub gave: Gave,
}

/// The outcome of a step.
#[derive(Debug, Clone)]
pub enum Gave {
    /// The form returned this value, as text.
    Value(String),
    /// The form ended in a `recur`.
    Again,
    /// The form ended in an error.
    Failed,
    /// The form was still open at the end of the program.
    Open,
    /// A tool was called with these arguments: name and text.
    Calls(String, String),
    /// An error was raised.
    Raised(Diagnostic),
}

/// A name in scope.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Name {
    /// The name.
    pub name: String,
    /// Its value, as text.
    pub value: String,
}

/// The names in scope at a step.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Names {
    /// The names of the running function, sorted.
    pub names: Vec<Name>,
    /// The definitions of the program, without functions.
    pub defined: Vec<Name>,
    /// Whether all values are known. If a run with all values exceeds a limit, names that are not read afterwards are
    /// nil.
    pub are_whole: bool,
}

/// A tool call that was made.
#[derive(Debug, Clone)]
pub struct CallMade {
    /// The id of the call.
    pub id: CallId,
    /// The name of the tool.
    pub name: String,
    /// The arguments, as text.
    pub args: String,
    /// The result as text, or the message of the failure.
    pub result: Result<String, String>,
}

/// The result of an expression.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Evaluated {
    /// The value, as text.
    pub value: String,
    /// The printed lines.
    pub prints: Vec<String>,
}

/// The first steps of a program, and its end.
#[derive(Debug)]
pub struct Trace {
    /// A line for each step.
    pub lines: Vec<Line>,
    /// The number of further steps.
    pub more: u64,
    /// The end of the program.
    pub ended: Ended,
}

pub(super) fn short(value: &Value) -> String {
    bounded(value, SHORT)
}

pub(super) fn text(value: &Value) -> String {
    bounded(value, LONG)
}

fn bounded(value: &Value, max_chars: usize) -> String {
    let bounds = Preview { max_chars, max_items: 100, max_depth: 24, hide_private: false };
    preview(value, &bounds).0
}

/// Returns the place of a span. Lines and columns begin at 1; columns count characters.
pub(super) fn place_of(source: &str, span: Span, is_here: bool) -> Place {
    let before = source.get(..span.start as usize).unwrap_or_default();
    let line_start = before.rfind('\n').map_or(0, |newline| newline + 1);
    let column = before.get(line_start..).unwrap_or_default().chars().count() as u32 + 1;
    let line = before.matches('\n').count() as u32 + 1;
    let text = source.get(span.start as usize..span.end as usize).unwrap_or_default();
    Place { line, column, span, text: text.to_owned(), is_here }
}
