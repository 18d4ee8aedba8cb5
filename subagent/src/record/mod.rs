//! The records of runs as data: ids, codes, events, reports, and errors of calls.
//!
//! Everything that runs, keeps or shows a run reads these types. They know no store, no tool and no turn loop.

mod artifact;
mod code;
mod diagnostic;
mod earlier;
mod event;
mod event_fields;
mod fields;
mod id;
mod label_origin;
mod names;
mod progress;
mod question;
mod queued;
mod report;
mod run;
mod seed;
mod sent;
mod source;
mod tool_error;
mod tree;
mod webhook;
mod why;

pub use artifact::{Artifact, ArtifactLink};
pub use code::{ErrorCode, ProblemKind, RunCode};
pub(crate) use diagnostic::as_compared;
pub(crate) use earlier::After;
pub use earlier::{ConversationPlace, Earlier, EarlierPayload};
pub use event::{
    Act, Action, Bound, Event, FallbackModel, Origin, Parent, Purpose, RefusedCall, RunSetup,
    RunStarted, TurnOutcome,
};
pub(crate) use event_fields::Stored;
pub(crate) use fields::BadField;
pub use fields::Fields;
pub use id::{InvalidRunId, RunId};
pub(crate) use id::{now_ms, random_name};
pub use label_origin::{DeniedCall, LabelOrigin};
pub use names::{APPROVE, ASK, CONFIRM, EXPAND, WAIT};
pub use progress::CallProgress;
pub use question::{OpenQuestion, QuestionKind};
pub(crate) use question::{Refused, approval, confirmation};
pub use queued::{QueuedDecisions, Reserved, RunQueued};
pub use report::{Below, CallInDoubt, Fail, RunError, RunReport, Status, Stop};
pub(crate) use report::{unknown_keys, warnings};
pub use run::{
    ActRecord, CallRecord, CallStatus, PayloadRecord, ProgramRecord, RequestRecord, RunRecord,
    RunSummary, SnapshotRecord, TurnRecord, WarningRecord,
};
pub use seed::{MAX_SEED, fresh_seed, seed_of_part};
pub use source::{SourceInto, SourceRecord, SourceState};
pub use tool_error::{ToolError, ToolErrorKind};
pub(crate) use tool_error::{list, refuse};
pub(crate) use tree::RunTree;
pub use webhook::WebhookSent;
pub use why::CallOrigins;
