//! Agents: a prompt, a signature, tools, limits, and a default model.
//!
//! A definition has no state, so one agent can run any number of missions, also concurrently.

mod agent_tool;
mod answers;
mod api_file;
mod artifacts;
mod budget;
mod check;
mod definition;
mod file;
mod flow_file;
mod key_values;
mod limits_file;
mod message;
mod models;
mod models_file;
mod on_limit;
mod payload;
mod prompt_switches;
mod recorded_forms;
mod run_settings;
mod server_file;
mod settings;
mod source;
mod sources_file;
mod step_choice;
mod strict_fields;
mod system_file;
mod tool_file;
mod workflow;

pub(crate) use agent_tool::{AgentTool, OwnModels, ToolOf, UsedRecordings};
pub use answers::Answers;
pub use artifacts::{Artifacts, TakenArtifact};
pub use budget::RunBudget;
pub use on_limit::OnLimit;
pub use payload::PayloadDef;
pub use run_settings::{RunChange, RunSettings, Scope, SourceSwitches, ToolChange};
pub(crate) use settings::STATE;
pub use settings::{Agent, ToolSchema};
pub use strict_fields::StrictFields;
pub use workflow::Workflow;
