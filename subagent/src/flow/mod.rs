//! Flow files: steps and the paths between them, compiled to the program of a workflow.

mod body;
mod fault;
mod file;
mod graph;
mod names;
mod output;
mod places;
mod program;
mod reach;
mod scope;
mod steps;

pub use file::{PathOn, StepStatus};
pub use graph::{FlowGraph, FlowPath, FlowStep};

pub(crate) use file::FlowFile;
pub(crate) use places::Places;
pub(crate) use program::compile;
pub(crate) use scope::FlowScope;
