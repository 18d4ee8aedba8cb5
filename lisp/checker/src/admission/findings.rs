//! The findings of admission about a program.

use arcstr::ArcStr;
use ptc_facts::field_watch::WatchedField;
use ptc_facts::shape::Shape;
use ptc_facts::times::Times;
use ptc_values::Diagnostic;
use ptc_values::ir::KnownRead;

/// The findings about a program.
#[derive(Debug, Default)]
pub(crate) struct Findings {
    /// The bound of calls of each tool of the program.
    pub(crate) tools: Vec<(ArcStr, Times)>,
    /// The tools of calls by computed names, one for each place and tool.
    pub(crate) places: Vec<ArcStr>,
    /// The tools that its functions can call by computed names, in later programs too.
    pub(crate) named: Vec<ArcStr>,
    /// Whether it never ends in a plain value.
    pub(crate) ends: bool,
    /// The shape of its value.
    pub(crate) value: Option<Shape>,
    /// The certain failures.
    pub(crate) problems: Vec<Diagnostic>,
    /// The possible failures.
    pub(crate) warnings: Vec<Diagnostic>,
    /// The functions that a `try` calls, so that their failures may be caught.
    pub(crate) guarded: Vec<u32>,
    /// The reads of fields of records.
    pub(crate) reads: Vec<KnownRead>,
    /// The reads that are watched while the program runs, each with its node.
    pub(crate) watched: Vec<(u32, WatchedField)>,
}
