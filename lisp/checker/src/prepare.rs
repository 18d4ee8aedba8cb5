//! Joins a lowered program with the findings of admission: refuses it, or makes it ready to run.

use std::sync::Arc;

use arcstr::ArcStr;
use ptc_facts::field_watch::WatchedField;
use ptc_facts::report::Report;
use ptc_facts::shape::Shape;
use ptc_values::{Diagnostic, Program};

use crate::admission::findings::Findings;
use crate::lowered::{Lowered, MAX_PROBLEMS};
use crate::scope::Scope;
use crate::sites::separate;

/// An accepted program.
#[derive(Clone)]
pub struct Checked {
    pub program: Arc<Program>,
    pub report: Report,
    pub warnings: Vec<Diagnostic>,
    /// The fields that are watched while it runs.
    pub watched: Arc<[WatchedField]>,
    /// The shape of its value; `None` if it was not examined.
    pub value: Option<Shape>,
    /// The names that this program defines for the first time, ordered by number.
    pub new_globals: Vec<ArcStr>,
}

/// Returns the certain failures, most useful first, at most five; or the program, which has none.
pub(crate) fn prepare(
    mut lowered: Lowered,
    found: Findings,
    scope: &Scope<'_>,
) -> Result<Checked, Vec<Diagnostic>> {
    found.problems.into_iter().for_each(|it| lowered.problem(it));
    found.warnings.into_iter().for_each(|it| lowered.warn(it));
    // A `try` may enclose calls of these functions.
    for call in std::mem::take(&mut lowered.failing) {
        if found.guarded.contains(&call.lambda) {
            lowered.warn(call.problem);
        } else {
            lowered.problem(call.problem);
        }
    }
    let Lowered { mut program, mut report, new_globals, mut problems, warnings, .. } = lowered;
    if !problems.is_empty() {
        // Problems inside a form come before problems of the form.
        problems.sort_by_key(|problem| problem.span().map(|span| span.end));
        problems.truncate(MAX_PROBLEMS);
        return Err(problems.into_iter().map(|it| it.in_source(&program.source)).collect());
    }
    let tools = scope.env.tools;
    for name in found.places {
        if let Some(decl) = tools.iter().find(|decl| decl.name == name.as_str()) {
            report.calls_tool(decl);
        }
    }
    report.found(found.tools, found.ends, tools, scope.tool_calls);
    program.named = found.named;
    program.reads = found.reads;
    let watched = separate(&mut program, found.watched);
    // An empty list needs no allocation.
    let watched = if watched.is_empty() { Arc::default() } else { watched.into() };
    let value = found.value;
    Ok(Checked { program: Arc::new(program), report, warnings, watched, value, new_globals })
}
