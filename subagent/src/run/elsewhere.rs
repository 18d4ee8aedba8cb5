//! Runs of sub-agents in other processes.

use serde::{Deserialize, Serialize};

use super::ledger::Share;
use crate::data::Data;
use crate::error::Error;
use crate::provider::BoxFuture;
use crate::record::{Parent, RunReport};

/// Lets the sub-agents of a run work in other processes.
///
/// Each has a share of the budget of its caller. A run with a ceiling of tool calls or fuel keeps its sub-agents, because
/// its programs must know at each step what is left.
pub trait Elsewhere: Send + Sync {
    /// Says that a call is to be answered by a run elsewhere, which may have to wait for its share. Returns the call as it
    /// was begun, if it was.
    fn begun(&self, call: &Parent) -> Option<AgentCall>;

    /// Lets the run of a call work until it ends or waits. The caller waits for its report.
    ///
    /// # Errors
    ///
    /// The reason that there is no report.
    fn run(&self, call: AgentCall) -> BoxFuture<'_, Result<RunReport, Error>>;
}

/// A call of a sub-agent, with all that another process needs to run it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct AgentCall {
    /// The calls from that of the first run to this one.
    pub(super) path: Vec<AgentStep>,
    pub(super) args: Data,
    /// The payload that the caller gives.
    pub(super) payload: Option<Data>,
    pub(super) seed: u64,
    pub(super) share: Share,
}

/// A call on the way from the first run of a tree to another one.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct AgentStep {
    pub(super) parent: Parent,
    pub(super) tool: String,
    pub(super) in_loop: bool,
    /// The number of the model that the caller asks.
    pub(super) fallback: usize,
}

impl AgentCall {
    /// Returns the call.
    pub fn parent(&self) -> Option<&Parent> {
        self.path.last().map(|it| &it.parent)
    }

    /// Returns the runs above that of the call, from the first one on.
    pub fn callers(&self) -> impl Iterator<Item = &Parent> {
        self.path.iter().map(|it| &it.parent)
    }
}
