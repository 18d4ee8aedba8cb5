//! One run of an agent: the turn loop and everything it drives.
//!
//! `turns` decides the next step and does not know the language. `mission` carries the step out. `program` and `calls`
//! run programs. `ledger` is the budget ledger, and `sub_agent` runs agents that programs call.

mod answer;
mod approval;
mod asking;
mod call_state;
mod calls;
mod context;
mod continuation;
mod earlier;
mod ending;
mod guarded;
mod in_doubt;
mod input;
mod journal;
mod learned;
mod ledger;
mod mission;
mod payload;
mod plan;
mod program;
mod program_change;
mod question;
mod record_check;
mod recorded;
mod shown_images;
mod sub_agent;
mod tool_use;
mod turn_end;
mod turns;
mod waits;
mod workflow;

pub(crate) use call_state::check_form;
pub(crate) use journal::Doubts;
pub use mission::Mission;
pub(crate) use mission::{can_continue, session_before};
pub use question::Question;
pub(crate) use recorded::{RecordedRun, RunMode, came_of};
pub(crate) use workflow::ends_in_loop_exit;
