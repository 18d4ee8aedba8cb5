//! The keys of a flow file.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use toml::Spanned;

/// A flow file.
#[derive(Deserialize)]
#[serde(deny_unknown_fields, expecting = "the keys of a flow")]
pub(crate) struct FlowFile {
    /// The values that the payload has before the first step.
    pub(super) payload: Option<Spanned<toml::Value>>,
    /// The value of the run.
    pub(super) result: Option<Spanned<toml::Value>>,
    #[serde(default)]
    pub(super) steps: Vec<StepFile>,
    #[serde(default)]
    pub(super) paths: Vec<PathFile>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields, expecting = "the keys of a step")]
pub(super) struct StepFile {
    pub(super) name: Spanned<String>,
    pub(super) description: Option<String>,
    pub(super) action: Option<Spanned<String>>,
    pub(super) prompt: Option<Spanned<String>>,
    pub(super) agent: Option<Spanned<String>>,
    pub(super) each: Option<Spanned<EachFile>>,
    #[serde(rename = "while")]
    pub(super) repeated: Option<Spanned<WhileFile>>,
    #[serde(default)]
    pub(super) starts: bool,
    #[serde(default)]
    pub(super) sequence: i64,
    #[serde(default)]
    pub(super) status: StepStatus,
    pub(super) timeout: Option<Spanned<f64>>,
    /// The values that are written to paths of the payload before the call.
    #[serde(default)]
    pub(super) set: BTreeMap<Spanned<String>, Spanned<toml::Value>>,
    pub(super) input: Option<Spanned<toml::Value>>,
    #[serde(default)]
    pub(super) output: BTreeMap<Spanned<String>, Spanned<String>>,
}

/// The items that a step is repeated for.
#[derive(Deserialize)]
#[serde(deny_unknown_fields, expecting = "the keys of `each`")]
pub(super) struct EachFile {
    pub(super) over: Spanned<String>,
    pub(super) item: Option<String>,
    pub(super) index: Option<String>,
    pub(super) at_once: Option<u32>,
    pub(super) max: Option<u32>,
    pub(super) delay: Option<f64>,
    #[serde(default)]
    pub(super) on_error: OnError,
}

/// The condition under which a step is repeated.
#[derive(Deserialize)]
#[serde(deny_unknown_fields, expecting = "the keys of `while`")]
pub(super) struct WhileFile {
    pub(super) condition: Spanned<String>,
    pub(super) item: Option<String>,
    pub(super) max: Option<u32>,
    pub(super) delay: Option<f64>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields, expecting = "the keys of a path")]
pub(super) struct PathFile {
    pub(super) from: Spanned<String>,
    pub(super) to: Spanned<String>,
    pub(super) when: Option<Spanned<String>>,
    #[serde(default)]
    pub(super) on: PathOn,
    #[serde(default)]
    pub(super) priority: i64,
}

/// The effect that an error of one item has on the others.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum OnError {
    #[default]
    Stop,
    Continue,
}

/// Whether a step takes part in a flow.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum StepStatus {
    /// It does.
    #[default]
    Active,
    /// It does not, and paths to it are not taken.
    Disabled,
    /// It does not yet.
    Pending,
}

impl StepStatus {
    /// Returns the word of the status.
    pub fn as_str(self) -> &'static str {
        match self {
            StepStatus::Active => "active",
            StepStatus::Disabled => "disabled",
            StepStatus::Pending => "pending",
        }
    }
}

/// The end of a step after which a path may be taken.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum PathOn {
    /// The step has ended without an error.
    #[default]
    Success,
    /// The step has ended with an error.
    Error,
    /// The step has ended.
    Any,
}
