//! The context of a run: what it shares with its tree, and what it was given.

use std::sync::Arc;
use std::sync::atomic::AtomicUsize;

use serde_json::Value;

use super::journal::Shared;
use super::ledger::Ledger;
use super::outside::Outside;
use super::payload::GivenPayload;
use crate::agent::{Agent, RunSettings};
use crate::data::Data;
use crate::error::Error;
use crate::provider::{BoxFuture, Parameters, Provider};
use crate::record::{Earlier, Parent, RunReport};
use crate::sources::Kept;
use crate::tool::HostContext;

/// The context of a run: the parts that a tree of runs shares, the provider, the ledger, and the calling run.
#[derive(Clone)]
pub(super) struct RunContext<'a> {
    pub(super) shared: Shared<'a>,
    pub(super) provider: &'a dyn Provider,
    pub(super) ledger: Arc<Ledger>,
    pub(super) parent: Option<Parent>,
    /// The source of everything that the agent and its input do not determine.
    pub(super) outside: Outside<'a>,
    /// The seed of the random numbers that programs draw.
    pub(super) seed: u64,
    pub(super) payload: GivenPayload,
    /// The data of the host for tools alone.
    pub(super) host: Option<HostContext>,
    /// The data that sources of the tree read, for those with a cache of a run.
    pub(super) read: Kept,
    /// The earlier run of the conversation.
    pub(super) after: Option<&'a Earlier>,
    /// Whether the call that the run answers is inside a loop of agents, which the run can end.
    pub(super) in_loop: bool,
    /// The number of the model that the run asks, as in [`Request::fallback`](crate::provider::Request::fallback).
    pub(super) fallback: Arc<AtomicUsize>,
    /// The effort that the calling run had; none for a run that nobody called.
    pub(super) effort: Option<u8>,
    /// The name of the agent that called this one.
    pub(super) caller: Option<&'a str>,
    /// The origin of the agent that the record names; `None` for a sub-agent, whose caller's definition includes it.
    pub(super) origin: Option<AgentOrigin<'a>>,
    /// Runs the agent of a call. A run calls runs, so its programs get the turn loop from here.
    pub(super) run_agent: RunAgent,
}

/// The origin of the agent of a run: its definition, and the settings of the run that change it.
#[derive(Clone, Copy)]
pub(super) struct AgentOrigin<'a> {
    pub(super) agent: &'a Agent,
    pub(super) settings: &'a RunSettings,
    /// The person who starts the run.
    pub(super) by: Option<&'a str>,
    /// The name of the conversation that the run begins.
    pub(super) named: Option<&'a str>,
}

/// Runs an agent to its end, in the context of a call.
pub(super) type RunAgent =
    for<'r, 'c> fn(&'r Agent, Data, &'r RunContext<'c>) -> BoxFuture<'r, Result<RunReport, Error>>;

impl RunContext<'_> {
    /// Returns the name of the provider; for a replay, the recorded one.
    pub(super) fn model(&self) -> String {
        self.outside.model().map_or_else(|| self.provider.name(), str::to_string)
    }

    /// Returns the parameters of requests. An agent without an effort has that of the run that called it.
    pub(super) fn parameters(&self, agent: &Agent) -> Parameters {
        let effort = agent.parameters.effort.or(self.effort);
        Parameters { effort, ..agent.parameters }
    }

    /// Returns the parts of the agent's definition that a replay needs, and the settings of the run, if it is recorded.
    pub(super) fn definition(&self) -> (Option<Value>, Option<Value>) {
        let is_kept = self.shared.store.is_some() || self.shared.folds.is_some();
        match self.origin.filter(|_| is_kept) {
            Some(it) => (Some(it.agent.definition()), it.settings.on_record()),
            None => (None, None),
        }
    }
}
