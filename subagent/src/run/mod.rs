//! One run of an agent: the turn loop and everything it drives.
//!
//! `turns` decides the next step and does not know the language. `mission` carries the step out. `program` and `calls`
//! run programs. `answer_style` prepares the agent's style and programs. `ledger` is the
//! budget ledger, and `sub_agent` runs agents that programs call.

mod answer_style;
mod approval;
mod asking;
mod call_state;
mod calls;
mod code;
mod continuation;
mod earlier;
mod ending;
mod event;
mod guarded;
mod id;
mod in_doubt;
mod journal;
mod ledger;
mod mission;
mod payload;
mod plan;
mod program;
mod program_change;
mod question;
mod record_check;
mod recorded;
mod report;
mod seed;
mod shown_images;
mod sub_agent;
mod tool_use;
mod turn_end;
mod turns;
mod waits;
mod workflow;

pub(crate) use call_state::check_form;
pub use code::{ErrorCode, ProblemKind, RunCode};
pub(crate) use earlier::After;
pub use earlier::Earlier;
pub(crate) use event::{BadField, read};
pub use event::{
    Bound, Event, Fields, Origin, Parent, Purpose, RefusedCall, RunStarted, TurnOutcome,
};
pub use id::{InvalidRunId, RunId};
pub(crate) use id::{now_ms, random_name};
pub(crate) use journal::Doubts;
pub use mission::Mission;
pub(crate) use mission::{can_continue, session_before};
pub use question::{OpenQuestion, Question, QuestionKind};
pub(crate) use recorded::{RecordedRun, RunMode, came_of};
pub(crate) use report::warnings;
pub use report::{Below, CallInDoubt, Fail, RunError, RunReport, Status, Stop};

pub use seed::{MAX_SEED, fresh_seed, seed_of_part};
pub(crate) use workflow::ends_in_loop_exit;
pub use workflow::{APPROVE, ASK, CONFIRM, WAIT};
