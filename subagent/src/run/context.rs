//! The context of a run: what it shares with its tree, and what it was given.

use std::sync::Arc;

use serde_json::Value;

use super::journal::Shared;
use super::ledger::Ledger;
use super::payload::GivenPayload;
use super::recorded::{RecordedProgram, RecordedRun, RunMode};
use crate::agent::Agent;
use crate::data::Data;
use crate::error::{Error, ErrorKind};
use crate::provider::{BoxFuture, Provider};
use crate::record::{Earlier, Origin, Parent, RunId, RunReport};
use crate::semantics::SEMANTICS;

/// The context of a run: the parts that a tree of runs shares, the provider, the ledger, and the calling run.
pub(super) struct RunContext<'a> {
    pub(super) shared: Shared<'a>,
    pub(super) provider: &'a dyn Provider,
    pub(super) ledger: Arc<Ledger>,
    pub(super) parent: Option<Parent>,
    /// The recorded run that supplies answers, if there is one.
    pub(super) past: Option<&'a RecordedRun>,
    /// The seed of the random numbers that programs draw.
    pub(super) seed: u64,
    pub(super) payload: GivenPayload,
    /// The earlier run of the conversation.
    pub(super) after: Option<&'a Earlier>,
    /// Whether the call that the run answers is inside a loop of agents, which the run can end.
    pub(super) in_loop: bool,
    /// The name of the agent that called this one.
    pub(super) caller: Option<&'a str>,
    /// Runs the agent of a call. A run calls runs, so its programs get the turn loop from here.
    pub(super) run_agent: RunAgent,
}

/// Runs an agent to its end, in the context of a call.
pub(super) type RunAgent =
    for<'r, 'c> fn(&'r Agent, Data, &'r RunContext<'c>) -> BoxFuture<'r, Result<RunReport, Error>>;

impl<'a> RunContext<'a> {
    /// Returns the record of the program of a turn.
    pub(super) fn program(&self, turn: u32) -> Option<RecordedProgram<'a>> {
        Some(self.past?.program(turn))
    }

    /// Returns the id of the run: the recorded one, unless the run is new.
    pub(super) fn name(&self) -> RunId {
        let known = self.past.filter(|_| self.shared.mode.keeps_names());
        known.map_or_else(RunId::generate, RecordedRun::id)
    }

    /// Returns the name of the provider; for a replay, the recorded one.
    pub(super) fn model(&self) -> String {
        let known = self.past.filter(|_| self.shared.mode.is_closed());
        known.map_or_else(|| self.provider.name(), |it| it.record.summary.model.clone())
    }

    /// Returns the version of the semantics; for a run that keeps its id, the recorded one.
    pub(super) fn semantics(&self) -> u32 {
        let known = self.past.filter(|_| self.shared.mode.keeps_names());
        known.map_or(SEMANTICS, |it| it.record.setup.semantics)
    }

    /// Returns the parts of the agent's definition that a replay needs. A sub-agent has none: its caller's definition
    /// includes it.
    pub(super) fn definition(&self, agent: &Agent) -> Option<Value> {
        let is_root = self.parent.is_none();
        (is_root && (self.shared.store.is_some() || self.shared.folds.is_some()))
            .then(|| agent.definition())
    }

    /// Returns the run that this one branches off from.
    pub(super) fn origin(&self) -> Option<Origin> {
        let past = self.past.filter(|_| self.shared.mode == RunMode::Branch)?;
        let turns = past.record.turn_records.last().map_or(0, |it| it.turn);
        Some(Origin { run: past.id(), turns })
    }
}

/// Returns the error of a replay that needs something that is not on record.
pub(super) fn end_of_record(what: &str) -> Error {
    Error::new(ErrorKind::Replay, format!("the record does not have {what}"))
}
