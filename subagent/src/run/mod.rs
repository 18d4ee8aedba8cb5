//! One run of an agent: the turn loop and everything it drives.
//!
//! `turns` decides the next step and does not know the language. `mission` carries the step out. `program` and `calls`
//! run programs. They ask `outside` for everything that the agent and the input do not determine. `ledger` is the budget
//! ledger, and `sub_agent` runs agents that programs call.

mod answer;
mod approval;
mod artifacts;
mod asking;
mod call_state;
mod calls;
mod context;
mod continuation;
mod earlier;
mod elsewhere;
mod ending;
mod guarded;
mod in_doubt;
mod input;
mod journal;
mod learned;
mod ledger;
mod mission;
mod outside;
mod payload;
mod plan;
mod program;
mod question;
mod recorded;
mod select;
mod session_before;
mod shown_images;
mod snapshots;
mod sources;
mod sub_agent;
mod tool_use;
mod turn_end;
mod turns;
mod waits;
mod workflow;

pub(crate) use call_state::check_form;
pub use elsewhere::{AgentCall, Elsewhere};
pub(crate) use in_doubt::Decisions;
pub use mission::Mission;
pub(crate) use outside::Source;
pub(crate) use program::labels_of;
pub use question::Question;
pub(crate) use recorded::{RecordedRun, recorded_outcome};
pub(crate) use session_before::session_before;
pub(crate) use snapshots::can_continue;
pub(crate) use workflow::ends_in_loop_exit;
