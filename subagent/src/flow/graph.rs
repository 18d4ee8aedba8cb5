//! The graph of a flow: its steps, and the paths between them.

use serde::{Deserialize, Serialize};

use super::file::{PathOn, StepStatus};

/// The graph of a flow file, as a record has it and a page draws it.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct FlowGraph {
    /// The steps, in the order of the file.
    pub steps: Vec<FlowStep>,
    /// The paths, those of a step in the order in which it tries them.
    pub paths: Vec<FlowPath>,
}

/// A step of a flow.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct FlowStep {
    /// Its name.
    pub name: String,
    /// The kind of work: `action`, `prompt` or `agent`.
    pub kind: String,
    /// The tool that does it.
    pub tool: String,
    /// Its purpose.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// Whether the flow starts at it.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub starts: bool,
    /// Whether it takes part in the flow.
    #[serde(default, skip_serializing_if = "is_active")]
    pub status: StepStatus,
    /// The time limit of its calls in seconds, if it has one of its own.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub timeout: Option<f64>,
    /// How it is repeated: `each` or `while`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub repeated: Option<String>,
}

/// A path from one step to another.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct FlowPath {
    /// The step that it leads away from.
    pub from: String,
    /// The step that it leads to.
    pub to: String,
    /// Its condition; `None` if it always holds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub when: Option<String>,
    /// The end of the first step after which it may be taken.
    #[serde(default, skip_serializing_if = "is_success")]
    pub on: PathOn,
    /// Paths of a higher priority are tried first.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub priority: i64,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde asks for a reference")]
fn is_active(status: &StepStatus) -> bool {
    *status == StepStatus::Active
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde asks for a reference")]
fn is_success(on: &PathOn) -> bool {
    *on == PathOn::Success
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde asks for a reference")]
fn is_zero(priority: &i64) -> bool {
    *priority == 0
}
