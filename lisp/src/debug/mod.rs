//! A debugger for programs.
//!
//! A program gives the same with the same data and the same answers of tools, so its steps can be
//! numbered, and the state at a step is what the machine holds after running so many of them. So nothing
//! is kept: to go to a step, forward or back, is to run the program again up to it. A step is a form that
//! is about to be evaluated, a tool that is about to be called, or an error that is raised.

mod evaluate;
mod forms;
mod watcher;

use std::sync::Arc;

use crate::diagnostic::{Diagnostic, Span};
use crate::machine::{Budget, CallId, Core, Ended, Step, ToolCall, ToolFailure};
use crate::session::{Admitted, Rejection, Session};
use crate::value::Value;
use crate::value::print::{Preview, preview};
use forms::Forms;
use watcher::{Breaks, Granted, Until, Watcher, Wish};

/// Characters of a value in a line of text.
const SHORT: usize = 120;

/// Characters of a value that somebody asked for.
const LONG: usize = 4000;

/// How much more memory a program may take whose values are kept for whoever asks for them.
const ROOM: u64 = 4;

/// Answers a tool call: the same call always with the same.
pub type Answers<'d> = dyn Fn(&ToolCall) -> Result<Value, ToolFailure> + 'd;

/// Steps over a program, forward and back.
///
/// ```
/// use ptc_lisp::{Limits, Session, ToolCall, ToolFailure, Value};
/// use ptc_lisp::debug::{Debugger, Go};
///
/// let session = || Session::new(Value::Nil, Vec::new(), Limits::default());
/// let answer = |_: &ToolCall| Err(ToolFailure::new("no tools here"));
/// let debugger = Debugger::new(&session, "(let [x (+ 1 2)] (* x x))", &answer).unwrap();
/// let inside = debugger.at(3);
/// assert_eq!(inside.place.as_ref().unwrap().text, "(* x x)");
/// assert_eq!(debugger.names(&inside).names[0].value, "3");
/// assert_eq!(debugger.evaluate(&inside, "(inc x)").unwrap().value, "4");
/// let before = debugger.go(&inside, Go::Back);
/// assert_eq!(before.place.as_ref().unwrap().text, "(+ 1 2)");
/// ```
pub struct Debugger<'d> {
    session: &'d dyn Fn() -> Session,
    answers: &'d Answers<'d>,
    admitted: Admitted,
    source: Arc<str>,
    forms: Forms,
    breaks: Vec<(Break, Vec<u32>)>,
}

/// Where to go from a step.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Go {
    /// To the next step.
    Step,
    /// To the first step behind the form that is about to be evaluated.
    Over,
    /// To the first step behind the call of the function that runs.
    Out,
    /// To the next step that a break is for.
    Continue,
    /// To the step before.
    Back,
    /// To the last step before that a break is for; to the first one if there is none.
    BackToBreak,
}

/// Where to stop.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Break {
    /// At the first form that begins in a line, at a column or behind it.
    Form {
        /// The line, from 1.
        line: u32,
        /// The column, from 1.
        column: u32,
    },
    /// When a tool is about to be called.
    Tool(String),
    /// When an error is raised, even if it is caught then.
    Error,
}

/// A place in a source.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Place {
    /// The line, from 1.
    pub line: u32,
    /// The column, from 1, in characters.
    pub column: u32,
    /// Where it is in the source.
    pub span: Span,
    /// The form that stands there.
    pub text: String,
    /// Whether it is a part of the program itself, and not of an earlier one of its session.
    pub is_here: bool,
}

/// A function that is running.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Level {
    /// Its name; `fn` if it has none, and none for the program itself.
    pub function: Option<String>,
    /// Where it stands.
    pub place: Option<Place>,
}

/// Where a program was stopped.
#[derive(Debug)]
pub struct Stop {
    /// The number of the step, from 1.
    pub step: u64,
    /// What is about to happen.
    pub what: What,
    /// The form; none at the end of the program.
    pub place: Option<Place>,
    /// The step at which that form began.
    pub form: Option<u64>,
    /// The step at which the call of the running function began.
    pub caller: Option<u64>,
    /// How many forms are open around it.
    pub depth: u32,
    /// The functions that are running, innermost first, at most fifty.
    pub stack: Vec<Level>,
    /// How many more there are.
    pub more_levels: u64,
    /// The forms that are over since the step that the machine went on from, and had begun before.
    pub finished: Vec<Line>,
    /// How many more there are.
    pub unsaid: u64,
    /// Lines that were printed up to now.
    pub prints: Vec<String>,
    /// Fuel that was used up to now.
    pub fuel: u64,
    /// Tool calls that were made up to now.
    pub tool_calls: u32,
}

/// What is about to happen.
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
    /// An error goes to whoever catches it.
    Error(Diagnostic),
    /// Nothing: the program is over.
    End(Box<Ended>),
}

/// A step and what came of it.
#[derive(Debug, Clone)]
pub struct Line {
    /// The number of the step.
    pub step: u64,
    /// The form; none where an error belongs to no form.
    pub place: Option<Place>,
    /// How many forms are open around it.
    pub depth: u32,
    /// What came of it.
    pub gave: Gave,
}

/// What came of a step.
#[derive(Debug, Clone)]
pub enum Gave {
    /// The form had this value, as text.
    Value(String),
    /// It ended in a `recur`.
    Again,
    /// It ended in an error.
    Failed,
    /// It was not over when the program was.
    Open,
    /// A tool was called with these arguments.
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
    /// The names of the function that runs, sorted.
    pub names: Vec<Name>,
    /// What the program has defined, but for functions.
    pub defined: Vec<Name>,
    /// Whether all values are there. Where a program stops at a limit, names that it does not read any
    /// more are nil.
    pub are_whole: bool,
}

/// A tool call that was made.
#[derive(Debug, Clone)]
pub struct CallMade {
    /// Its identity.
    pub id: CallId,
    /// The tool.
    pub name: String,
    /// The arguments, as text.
    pub args: String,
    /// The result as text, or the message of the failure.
    pub result: Result<String, String>,
}

/// What an expression came to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Evaluated {
    /// The value, as text.
    pub value: String,
    /// What it printed.
    pub prints: Vec<String>,
}

/// The first steps of a program, and how it ended.
#[derive(Debug)]
pub struct Trace {
    /// A line for each step.
    pub lines: Vec<Line>,
    /// How many more steps there are.
    pub more: u64,
    /// How the program ended.
    pub ended: Ended,
}

impl<'d> Debugger<'d> {
    /// A debugger for a program. `session` gives a session as it was before the program, a new one every
    /// time; `answers` answers its calls.
    ///
    /// # Errors
    /// The program is not admitted.
    pub fn new(
        session: &'d dyn Fn() -> Session,
        source: &str,
        answers: &'d Answers<'d>,
    ) -> Result<Debugger<'d>, Rejection> {
        let mut first = session();
        first.remember_names();
        let admitted = first.admit(source)?;
        let source = admitted.program().source.clone();
        let forms = Forms::of(admitted.program());
        Ok(Debugger { session, answers, admitted, source, forms, breaks: Vec::new() })
    }

    /// The source of the program.
    pub fn source(&self) -> &str {
        &self.source
    }

    /// The names of the tools that the program may call.
    pub fn tools(&self) -> impl Iterator<Item = &str> {
        self.admitted.program().tools.iter().map(arcstr::ArcStr::as_str)
    }

    /// Stops at a place from now on, and says where that is: a line without a form stands for the next one
    /// that has one. None if there is no form from there on, or if the program names no such tool.
    pub fn add_break(&mut self, wanted: Break) -> Option<Break> {
        let mut nodes = Vec::new();
        let set = match wanted {
            Break::Form { line, column } => {
                let places = self.forms.in_order().into_iter().map(|node| {
                    let place = place_of(&self.source, self.forms.span(node), true);
                    (node, place.line, place.column)
                });
                let wanted = (line, column);
                let (node, line, column) =
                    places.into_iter().find(|(_, line, column)| (*line, *column) >= wanted)?;
                nodes.push(node);
                Break::Form { line, column }
            }
            Break::Tool(tool) => {
                self.tools().find(|known| *known == tool)?;
                Break::Tool(tool)
            }
            Break::Error => Break::Error,
        };
        if self.breaks.iter().all(|(known, _)| *known != set) {
            self.breaks.push((set.clone(), nodes));
        }
        Some(set)
    }

    /// Where it stops, in the order in which it was told to.
    pub fn breaks(&self) -> impl Iterator<Item = &Break> {
        self.breaks.iter().map(|(place, _)| place)
    }

    /// Stops at none of these places any more.
    pub fn clear_breaks(&mut self) {
        self.breaks.clear();
    }

    /// Stops at one of them no more, by its place among them; false if there is none.
    pub fn remove_break(&mut self, place: usize) -> bool {
        let is_there = place < self.breaks.len();
        if is_there {
            self.breaks.remove(place);
        }
        is_there
    }

    /// A step by its number; the end of the program if it has not so many.
    pub fn at(&self, step: u64) -> Stop {
        let until = Until { at: Some(step.max(1)), ..Until::default() };
        self.run(until)
    }

    /// Goes on from a step.
    pub fn go(&self, stop: &Stop, go: Go) -> Stop {
        let from = Until { from: stop.step, ..Until::default() };
        let is_over = matches!(stop.what, What::End(_));
        let until = match go {
            Go::Back => return self.at(stop.step.saturating_sub(1)),
            Go::BackToBreak => {
                let until = Until { at: Some(stop.step), ..Until::default() };
                let ran = self.drive(self.watcher(until, Wish::default()), Kept::AsEver);
                return self.at(ran.watcher.last_break.unwrap_or(1));
            }
            // The end has no step behind it.
            _ if is_over => return self.at(stop.step),
            Go::Step => Until { any: true, ..from },
            Go::Over => match stop.form {
                Some(form) => Until { left: Some(form), breaks: true, ..from },
                None => Until { any: true, ..from },
            },
            Go::Out => Until { left: stop.caller, breaks: true, ..from },
            Go::Continue => Until { breaks: true, ..from },
        };
        self.run(until)
    }

    /// The names in scope at a step, with their values.
    pub fn names(&self, stop: &Stop) -> Names {
        let wish = Wish { names: true, expression: None };
        let (Granted { names, defined, .. }, are_whole) = self.look(stop, &wish);
        Names { names, defined, are_whole }
    }

    /// Evaluates an expression at a step, with the names in scope there, without tools and with fuel of
    /// its own. Nothing that it does changes the program.
    ///
    /// # Errors
    /// What is wrong with it.
    pub fn evaluate(&self, stop: &Stop, source: &str) -> Result<Evaluated, Vec<Diagnostic>> {
        let wish = Wish { names: false, expression: Some(source.to_owned()) };
        self.look(stop, &wish).0.evaluated.unwrap_or_else(|| Err(Vec::new()))
    }

    /// The tool calls that were made up to a step, in the order of the program.
    pub fn calls(&self, stop: &Stop) -> Vec<CallMade> {
        let until = Until { at: Some(stop.step), ..Until::default() };
        self.drive(self.watcher(until, Wish::default()), Kept::AsEver).calls
    }

    /// The first steps, at most so many, and the end of the program.
    pub fn trace(&self, max: usize) -> Trace {
        let watcher = self.watcher(Until::default(), Wish::default()).traced(max);
        let ran = self.drive(watcher, Kept::AsEver);
        let lines = ran.watcher.lines_of_trace;
        Trace { more: ran.watcher.steps - lines.len() as u64, lines, ended: ran.ended }
    }

    fn watcher(&self, until: Until, wish: Wish) -> Watcher {
        let mut breaks = Breaks::default();
        for (place, nodes) in &self.breaks {
            match place {
                Break::Form { .. } => breaks.nodes.extend(nodes),
                Break::Tool(tool) => breaks.tools.push(tool.clone()),
                Break::Error => breaks.errors = true,
            }
        }
        Watcher::new(self.source.clone(), until, breaks, wish)
    }

    /// What there is at a step, and whether values are there that nobody reads any more.
    ///
    /// Such values are kept in a run of their own, since whoever holds one more reference makes the
    /// program copy what it would change in place.
    fn look(&self, stop: &Stop, wish: &Wish) -> (Granted, bool) {
        let until = Until { at: Some(stop.step), ..Until::default() };
        let kept = self.drive(self.watcher(until, wish.clone()), Kept::All);
        let is_same = match (&kept.stop, &stop.what) {
            (None, What::End(_)) => true,
            (Some(other), what) => {
                let kinds = (std::mem::discriminant(&other.what), std::mem::discriminant(what));
                kinds.0 == kinds.1 && other.step == stop.step && other.place == stop.place
            }
            (None, _) => false,
        };
        if is_same {
            return (kept.granted, true);
        }
        (self.drive(self.watcher(until, wish.clone()), Kept::AsEver).granted, false)
    }

    fn run(&self, until: Until) -> Stop {
        let mut ran = self.drive(self.watcher(until, Wish::default()), Kept::AsEver);
        if let Some(stop) = ran.stop {
            return stop;
        }
        let (finished, unsaid) = ran.watcher.finished();
        Stop {
            step: ran.watcher.steps + 1,
            place: None,
            form: None,
            caller: None,
            depth: 0,
            stack: Vec::new(),
            more_levels: 0,
            finished,
            unsaid,
            prints: ran.ended.prints.clone(),
            fuel: ran.ended.fuel,
            tool_calls: ran.ended.tool_calls,
            what: What::End(Box::new(ran.ended)),
        }
    }

    /// Runs the program from its beginning.
    fn drive(&self, watcher: Watcher, kept: Kept) -> Ran {
        let session = (self.session)();
        let mut start = session.beginning(&self.admitted);
        if kept == Kept::All {
            start.limits.memory = start.limits.memory.saturating_mul(ROOM);
        }
        let mut budget = Budget::new(&start.limits);
        let mut core = Core::new(start, watcher.keeping(kept == Kept::All));
        let mut calls = Vec::new();
        let mut host = |call: &ToolCall| {
            let result = (self.answers)(call);
            let shown = result.as_ref().map(text).map_err(|failure| failure.message.clone());
            let (id, name) = (call.id.clone(), call.name.to_string());
            calls.push(CallMade { id, name, args: text(&call.args), result: shown });
            Some(result)
        };
        while !matches!(core.run_with(&mut budget, &mut host), Step::Done) {}
        calls.sort_by(|a, b| a.id.cmp(&b.id));
        let (stop, granted) = watcher::found(&mut core);
        let watcher = std::mem::take(&mut core.watch);
        Ran { stop, granted, watcher, calls, ended: core.finish() }
    }
}

/// Which values a run keeps.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kept {
    /// Those that the program needs.
    AsEver,
    /// Those that it has done with, too.
    All,
}

/// What came of a run.
struct Ran {
    /// Where it was stopped; none if it ran to the end.
    stop: Option<Stop>,
    granted: Granted,
    watcher: Watcher,
    calls: Vec<CallMade>,
    ended: Ended,
}

impl std::fmt::Debug for Debugger<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Debugger").field("breaks", &self.breaks).finish_non_exhaustive()
    }
}

/// A value as a short text.
fn short(value: &Value) -> String {
    bounded(value, SHORT)
}

/// A value as text.
fn text(value: &Value) -> String {
    bounded(value, LONG)
}

fn bounded(value: &Value, max_chars: usize) -> String {
    let bounds = Preview { max_chars, max_items: 100, max_depth: 24, hide_private: false };
    preview(value, &bounds).0
}

/// Where a span is. Lines and columns begin at 1, columns count characters.
fn place_of(source: &str, span: Span, is_here: bool) -> Place {
    let before = source.get(..span.start as usize).unwrap_or_default();
    let line_start = before.rfind('\n').map_or(0, |newline| newline + 1);
    let column = before.get(line_start..).unwrap_or_default().chars().count() as u32 + 1;
    let line = before.matches('\n').count() as u32 + 1;
    let text = source.get(span.start as usize..span.end as usize).unwrap_or_default();
    Place { line, column, span, text: text.to_owned(), is_here }
}
