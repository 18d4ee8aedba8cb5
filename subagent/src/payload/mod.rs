//! The payload: state that the runs of one tree share, under grants.
//!
//! Everything here is a pure function on [`Data`](crate::Data): no IO, no clock, and no native recursion over a payload.
//!
//! - A [`Path`] leads to a part of a payload.
//! - A [`Patch`] is a list of operations, and makes a new payload that shares the unchanged parts.
//! - [`Grants`] say who may read and write which parts. They refuse a patch, or take its allowed part.
//! - A [`View`] is the part that a sub-agent sees: what it may read, within its [`Scope`].
//! - [`merge`] brings the changes of a sub-agent back, and [`join`] those of branches.
//! - A [`PayloadChange`] is a committed change as a record has it.
//! - A [`Diff`] has the differences of two payloads, and [`suspicions`] those that look like mistakes.
//! - A [`ChangeRequest`] is a partial payload of a model, read as a patch.
//! - [`payload_of_session`] lets programs of a session change a payload under grants.
//! - [`without_key_rules`] drops the rules that models add to keys.
//! - A [`Contract`] checks a payload against its signature, and a [`Template`] reads the rules of other systems.

mod change;
mod check;
mod diff;
mod grants;
mod key_rules;
mod merge;
mod overwritten;
mod patch;
mod path;
mod pattern;
mod request;
mod rules;
mod scope;
mod suspicious;
pub mod template;
mod tree;
mod walk;

pub use change::PayloadChange;
pub use check::{Contract, DEFAULT_RETRIES, EndCheck, PayloadCheck, StartCheck, Verdict};
pub use diff::{Change, ChangeKind, Diff};
pub use grants::{Access, Blocked, CheckError, Denied, Filtered, Grant, GrantError, Grants};
pub use key_rules::{text_without_key_rules, without_key_rules};
pub use merge::{Conflict, JoinError, Joined, join, merge};
pub(crate) use overwritten::overwritten;
pub use patch::{Op, Patch, PatchError, RecordError};
pub use path::{Path, PathError};
pub use request::{ChangeRequest, ChangeResult, Counts, DELETE, RequestError, Requested};
pub use rules::payload_of_session;
pub use scope::{Scope, ScopeError, View};
pub use suspicious::{Severity, Suspicion, SuspicionKind, suspicions};
pub use template::{Template, TemplateError};
pub use tree::Segment;
