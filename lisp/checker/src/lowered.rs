//! A program as lowering leaves it, with the facts that the later passes need.

use std::collections::BTreeMap;

use arcstr::ArcStr;
use ptc_facts::report::Report;
use ptc_values::code::Span;
use ptc_values::{Diagnostic, Program};

/// The number of problems reported at once: a model fixes a few at a time.
pub(crate) const MAX_PROBLEMS: usize = 5;

/// A lowered program.
#[derive(Default)]
pub(crate) struct Lowered {
    pub(crate) program: Program,
    /// The report, without the bounds of calls.
    pub(crate) report: Report,
    /// The names that it defines for the first time, ordered by number.
    pub(crate) new_globals: Vec<ArcStr>,
    /// The definition of each name that it defines.
    pub(crate) defined: BTreeMap<u32, Defined>,
    /// Its calls of names that programs defined.
    pub(crate) global_calls: Vec<GlobalCall>,
    /// The places where bodies begin and end among the nodes.
    pub(crate) outline: Outline,
    /// Whether it contains a `return`, a `fail` or a tool call by a computed name.
    pub(crate) ends: bool,
    /// Whether a builtin gets named options, or a literal that may be wrong there.
    pub(crate) is_doubtful: bool,
    pub(crate) problems: Vec<Diagnostic>,
    /// Calls that are certain to fail. A `catch` around a call of their function may expect them.
    pub(crate) failing: Vec<FailingCall>,
    pub(crate) warnings: Vec<Diagnostic>,
}

impl Lowered {
    /// Returns whether a further problem would be dropped, so its help is not needed.
    pub(crate) fn has_enough_problems(&self) -> bool {
        self.problems.len() > MAX_PROBLEMS
    }

    pub(crate) fn problem(&mut self, problem: Diagnostic) {
        // One more than the limit shows that there are more.
        if !self.has_enough_problems() {
            self.problems.push(problem);
        }
    }

    pub(crate) fn warn(&mut self, warning: Diagnostic) {
        self.warnings.push(warning.in_source(&self.program.source));
    }
}

/// A call of a function that a name of a program refers to.
pub(crate) struct GlobalCall {
    /// The function that contains the call.
    pub(crate) lambda: u32,
    pub(crate) global: u32,
    pub(crate) count: u32,
    pub(crate) span: Span,
}

/// A call that is certain to fail.
pub(crate) struct FailingCall {
    /// The function that contains the call.
    pub(crate) lambda: u32,
    pub(crate) problem: Diagnostic,
}

/// The kind of a definition.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Defined {
    /// A function, by its lambda.
    Function(u32),
    /// Another value.
    Value,
    /// A name with several definitions.
    Several,
}

/// The checker's record of function bodies, made while it made their nodes. The program is the outermost body.
#[derive(Debug, Default)]
pub(crate) struct Outline {
    /// The marks in order, each with the number of the node after it.
    pub(crate) marks: Vec<(u32, Mark)>,
    /// The open bodies, by their marks.
    open: Vec<usize>,
}

/// A place between two nodes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Mark {
    /// The body of a function's arity begins.
    Enter { lambda: u32, params: u32, variadic: bool },
    /// The innermost body ends.
    Leave,
    /// A `catch` puts a value into a slot.
    Catch { slot: u32 },
    /// The body of a `try` begins.
    Try,
    /// The body of a `try` ends.
    EndTry,
}

impl Outline {
    /// Creates an empty outline with room for `marks` marks.
    pub(crate) fn with_room(marks: usize) -> Outline {
        Outline { marks: Vec::with_capacity(marks), open: Vec::with_capacity(marks / 4) }
    }

    pub(crate) fn enter(&mut self, node: usize, lambda: u32, params: usize) {
        self.open.push(self.marks.len());
        let mark = Mark::Enter { lambda, params: params as u32, variadic: false };
        self.marks.push((node as u32, mark));
    }

    pub(crate) fn leave(&mut self, node: usize, is_variadic: bool) {
        let Some(at) = self.open.pop() else { return };
        if let Some((_, Mark::Enter { variadic, .. })) = self.marks.get_mut(at) {
            *variadic = is_variadic;
        }
        self.marks.push((node as u32, Mark::Leave));
    }

    pub(crate) fn mark(&mut self, node: usize, mark: Mark) {
        self.marks.push((node as u32, mark));
    }
}
