//! A debugger for programs.
//!
//! A program is deterministic for the same data and tool results, so its steps can be numbered. The state at a step is
//! the state of a machine after that many steps. So nothing is stored: the debugger reaches a step, forward or back, by
//! running the program again. At a step, a form is about to be evaluated, a tool is about to be called, or an error is
//! raised.

mod evaluate;
mod forms;
mod stop;
mod watcher;

use std::sync::Arc;

use crate::session::{Admitted, Rejection, Session};
use forms::Forms;
use ptc_machine::{AnswerEffects, Budget, Core, Ended, ToolCall, ToolFailure, Yielded};
use ptc_values::{Diagnostic, Value};
pub use stop::{CallMade, Evaluated, Gave, Level, Line, Name, Names, Place, Stop, Trace, What};
use stop::{place_of, text};
use watcher::{Breaks, Info, Until, Wanted, Watcher};

/// The factor by which the memory limit grows for a run that keeps all values.
const ROOM: u64 = 4;

/// A function that answers tool calls, with equal results for equal calls.
pub type Answers<'d> = dyn Fn(&ToolCall) -> Result<Value, ToolFailure> + 'd;

/// A function that returns the further effects of the answer to a call, with equal ones for equal calls.
pub type Effects<'d> = dyn Fn(&ToolCall) -> AnswerEffects + 'd;

/// Steps through a program, forward and back.
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
    effects: Option<&'d Effects<'d>>,
    admitted: Admitted,
    source: Arc<str>,
    forms: Forms,
    breaks: Vec<(Break, Vec<u32>)>,
}

/// A movement from a step.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Go {
    /// To the next step.
    Step,
    /// To the first step after the form that is about to be evaluated.
    Over,
    /// To the first step after the call of the running function.
    Out,
    /// To the next break.
    Continue,
    /// To the previous step.
    Back,
    /// To the previous break; to the first step if there is none.
    BackToBreak,
}

/// A place to stop.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Break {
    /// At the first form that begins at this line and column or later.
    Form {
        /// The line, from 1.
        line: u32,
        /// The column, from 1.
        column: u32,
    },
    /// When a tool is about to be called.
    Tool(String),
    /// When an error is raised, even if it is caught later.
    Error,
}

impl<'d> Debugger<'d> {
    /// Creates a debugger for a program. `session` returns a new session each time, in the state before the program.
    /// `answers` answers its tool calls.
    ///
    /// # Errors
    /// Returns the rejection if the program is not admitted.
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
        let breaks = Vec::new();
        Ok(Debugger { session, answers, effects: None, admitted, source, forms, breaks })
    }

    /// Gives the answers their further effects, such as the changes of the payload by sub-agents.
    #[must_use]
    pub fn with_effects(mut self, effects: &'d Effects<'d>) -> Debugger<'d> {
        self.effects = Some(effects);
        self
    }

    /// Returns the source of the program.
    pub fn source(&self) -> &str {
        &self.source
    }

    /// Returns the names of the tools that the program calls by literal name.
    pub fn tools(&self) -> impl Iterator<Item = &str> {
        self.admitted.program().tools.iter().map(arcstr::ArcStr::as_str)
    }

    /// Adds a break and returns its actual place: the first form at or after the wanted one. Returns `None` if there is
    /// no such form or the program does not name the tool.
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

    /// Returns the breaks in the order they were added.
    pub fn breaks(&self) -> impl Iterator<Item = &Break> {
        self.breaks.iter().map(|(place, _)| place)
    }

    /// Removes all breaks.
    pub fn clear_breaks(&mut self) {
        self.breaks.clear();
    }

    /// Removes a break by its index; returns false if there is none.
    pub fn remove_break(&mut self, place: usize) -> bool {
        let is_there = place < self.breaks.len();
        if is_there {
            self.breaks.remove(place);
        }
        is_there
    }

    /// Returns a step by its number, or the end of the program if it has fewer steps.
    pub fn at(&self, step: u64) -> Stop {
        let until = Until { at: Some(step.max(1)), ..Until::default() };
        self.run(until)
    }

    /// Moves from a step.
    pub fn go(&self, stop: &Stop, go: Go) -> Stop {
        let from = Until { from: stop.step, ..Until::default() };
        let is_over = matches!(stop.what, What::End(_));
        let until = match go {
            Go::Back => return self.at(stop.step.saturating_sub(1)),
            Go::BackToBreak => {
                let until = Until { at: Some(stop.step), ..Until::default() };
                let ran = self.drive(self.watcher(until, Wanted::default()), Kept::Needed);
                return self.at(ran.watcher.last_break.unwrap_or(1));
            }
            // No step follows the end.
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

    /// Returns the names in scope at a step, with their values.
    pub fn names(&self, stop: &Stop) -> Names {
        let wanted = Wanted { names: true, expression: None };
        let (Info { names, defined, .. }, are_whole) = self.look(stop, &wanted);
        Names { names, defined, are_whole }
    }

    /// Evaluates an expression at a step, with the names in scope there. It has no tools, has its own fuel, and cannot
    /// change the program.
    ///
    /// # Errors
    /// Returns the problems of the expression.
    pub fn evaluate(&self, stop: &Stop, source: &str) -> Result<Evaluated, Vec<Diagnostic>> {
        let wanted = Wanted { names: false, expression: Some(source.to_owned()) };
        self.look(stop, &wanted).0.evaluated.unwrap_or_else(|| Err(Vec::new()))
    }

    /// Returns the tool calls made before a step, in program order.
    pub fn calls(&self, stop: &Stop) -> Vec<CallMade> {
        let until = Until { at: Some(stop.step), ..Until::default() };
        self.drive(self.watcher(until, Wanted::default()), Kept::Needed).calls
    }

    /// Returns the first steps, at most `max`, and the end of the program.
    pub fn trace(&self, max: usize) -> Trace {
        let watcher = self.watcher(Until::default(), Wanted::default()).traced(max);
        let ran = self.drive(watcher, Kept::Needed);
        let lines = ran.watcher.trace;
        Trace { more: ran.watcher.steps - lines.len() as u64, lines, ended: ran.ended }
    }

    fn watcher(&self, until: Until, wanted: Wanted) -> Watcher {
        let mut breaks = Breaks::default();
        for (place, nodes) in &self.breaks {
            match place {
                Break::Form { .. } => breaks.nodes.extend(nodes),
                Break::Tool(tool) => breaks.tools.push(tool.clone()),
                Break::Error => breaks.errors = true,
            }
        }
        Watcher::new(self.source.clone(), until, breaks, wanted)
    }

    /// Returns the information at a step, and whether it includes values that are not read afterwards.
    ///
    /// Keeping such values takes a run of its own: an additional reference makes the program copy values it would
    /// change in place.
    fn look(&self, stop: &Stop, wanted: &Wanted) -> (Info, bool) {
        let until = Until { at: Some(stop.step), ..Until::default() };
        let kept = self.drive(self.watcher(until, wanted.clone()), Kept::All);
        let is_same = match (&kept.stop, &stop.what) {
            (None, What::End(_)) => true,
            (Some(other), what) => {
                let kinds = (std::mem::discriminant(&other.what), std::mem::discriminant(what));
                kinds.0 == kinds.1 && other.step == stop.step && other.place == stop.place
            }
            (None, _) => false,
        };
        if is_same {
            return (kept.info, true);
        }
        (self.drive(self.watcher(until, wanted.clone()), Kept::Needed).info, false)
    }

    fn run(&self, until: Until) -> Stop {
        let mut ran = self.drive(self.watcher(until, Wanted::default()), Kept::Needed);
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
    fn drive(&self, watcher: Watcher, kept: Kept) -> RunResult {
        let session = (self.session)();
        let mut start = session.beginning(&self.admitted);
        if kept == Kept::All {
            start.limits.memory = start.limits.memory.saturating_mul(ROOM);
        }
        let mut budget = Budget::new(&start.limits);
        let mut core = Core::new(start, watcher.keeping(kept == Kept::All));
        let mut calls = Vec::new();
        let effects = |call: &ToolCall| self.effects.map(|of| of(call)).unwrap_or_default();
        let mut answer = |call: &ToolCall| {
            let result = (self.answers)(call);
            let shown = result.as_ref().map(text).map_err(|failure| failure.message.clone());
            let (id, name) = (call.id.clone(), call.name.to_string());
            calls.push(CallMade { id, name, args: text(&call.args), result: shown });
            result
        };
        loop {
            // An answer with further effects cannot be given at once.
            let mut host = |call: &ToolCall| effects(call).is_none().then(|| answer(call));
            match core.run_with(&mut budget, &mut host) {
                Yielded::Done => break,
                Yielded::SliceUsed => {}
                Yielded::Calls(all) => {
                    for call in all {
                        let result = answer(&call);
                        core.answer(&call.id, result, effects(&call));
                    }
                }
            }
        }
        calls.sort_by(|a, b| a.id.cmp(&b.id));
        let (stop, info) = watcher::found(&mut core);
        let watcher = std::mem::take(&mut core.watch);
        RunResult { stop, info, watcher, calls, ended: core.finish() }
    }
}

/// The values that a run keeps.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kept {
    /// The values that the program needs.
    Needed,
    /// All values, also those that are not read afterwards.
    All,
}

struct RunResult {
    /// The stop; `None` if it ran to the end.
    stop: Option<Stop>,
    info: Info,
    watcher: Watcher,
    calls: Vec<CallMade>,
    ended: Ended,
}

impl std::fmt::Debug for Debugger<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Debugger").field("breaks", &self.breaks).finish_non_exhaustive()
    }
}
