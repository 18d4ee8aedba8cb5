//! Workflows: agents whose program a person wrote.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use ptc_lisp::{Diagnostic, Limits, Span};

use crate::error::line_column;
use crate::flow::Places;
use crate::record::RunError;

/// The program of a workflow. See [`Agent::workflow`](super::Agent::workflow).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Workflow {
    /// The source.
    pub program: String,
    /// The file of the source, or the flow file that it was made of, if it comes from one.
    pub file: Option<PathBuf>,
    /// The flow file that the program was made of.
    pub(crate) flow: Option<Arc<FlowSource>>,
}

/// A flow file, and the places of its program in it.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct FlowSource {
    pub(crate) text: String,
    pub(crate) places: Places,
}

impl Workflow {
    /// Makes the program of a workflow that comes from no file.
    pub fn new(program: impl Into<String>) -> Workflow {
        Workflow { program: program.into(), file: None, flow: None }
    }

    /// Returns the text that a person wrote, the program or its flow file.
    pub fn written(&self) -> &str {
        self.flow.as_ref().map_or(&self.program, |flow| &flow.text)
    }

    /// Gives an error of the program the file that it came from, and its place there. Parts of the program that are
    /// nowhere in a flow file keep their place in the program.
    pub(crate) fn locate(&self, error: &mut RunError) {
        let Some(flow) = &self.flow else {
            error.file.clone_from(&self.file);
            return;
        };
        let place = error.span.and_then(|(start, _)| flow.places.of(start as usize));
        let Some(place) = place.filter(|_| !error.is_earlier) else { return };
        let number = |at: usize| u32::try_from(at).unwrap_or(u32::MAX);
        let (line, column) = line_column(&flow.text, place.start);
        (error.line, error.column) = (Some(number(line)), Some(number(column)));
        error.span = Some((number(place.start), number(place.end)));
        error.program = Some(flow.text.as_str().into());
        error.file.clone_from(&self.file);
    }

    /// Returns a problem of the program with its place in what a person wrote. `None` if the part of the program that it
    /// is about is nowhere in the flow file.
    pub fn place(&self, problem: &Diagnostic) -> Option<Diagnostic> {
        let Some(flow) = &self.flow else { return Some(problem.clone()) };
        let place = flow.places.of(problem.span()?.start as usize)?;
        let offset = |at: usize| u32::try_from(at).unwrap_or(u32::MAX);
        let span = Span { start: offset(place.start), end: offset(place.end) };
        Some(problem.clone().moved(span))
    }
}

/// The fuel of one turn of a workflow.
const FUEL: u64 = 1_000_000_000;

/// The longest time that an agent file can state. A workflow has no time limit of its own below it.
const NO_TIME_LIMIT: Duration = Duration::from_hours(365 * 24);

/// Returns the limits of the program of a workflow: more fuel than a model's program has, any number of calls, and no
/// limit of computing time. The budget of the run still holds.
pub(super) fn limits() -> Limits {
    let mut limits = Limits { program_time: NO_TIME_LIMIT, fuel: FUEL, ..Limits::default() };
    limits.tool_calls = u32::MAX;
    limits
}
