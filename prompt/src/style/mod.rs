//! Answer styles: the forms in which a model replies.
//!
//! A style renders the prompts of a mission, reads a reply into a program, and renders what came of
//! it. A run acts by programs only: [`Reading::Program`] is one that the model wrote, and
//! [`Reading::Plan`] is a reply that is read as one. A style has no state and runs nothing.

mod decisions;
mod interface;
mod json;
mod keys;
mod lookup;
mod observe;
mod payload;
mod plan;
mod program;
mod react;
mod summary;
mod switches;
mod tools;

pub use decisions::DecisionsStyle;
pub use interface::{
    Outcome, OutcomeEnd, Reading, ReplyParts, ReplyProblem, ShownChange, Style, StyleRules, Told,
};
pub use json::{JsonStyle, answer_opening, read_answer};
pub(crate) use json::{plain, without_hidden};
pub use keys::{text_without_key_rules, without_key_rules};
pub use plan::{CallOutcome, Plan, PlanEnd, PlannedCall, stages};
pub use program::ProgramStyle;
pub use react::ReactStyle;
pub use summary::{read_summary, summary_request};
pub use switches::{DecisionSwitches, Switch};
pub use tools::ToolsStyle;
