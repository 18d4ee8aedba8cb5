//! The payload of a run: what is committed, and what its sub-agents bring.
//!
//! A program works on its own copy. The operations of an ended program are committed with the turn, those of a sub-agent
//! when its run returns. A commit is an event with the patch and the hash of the payload, so the record has every state.
//! The whole payload is on record only at the start and at the end.

use ptc_lisp::snapshot::SnapshotError;
use ptc_lisp::{CallId, Code, Diagnostic, Ended, Outcome, PayloadEnd, PayloadOp};
use ptc_prompt::PayloadSpec;
use serde::{Deserialize, Serialize};

use super::answer::{Returned, canonical};
use super::journal::Journal;
use crate::agent::{Agent, PayloadDef};
use crate::data::Data;
use crate::payload::{
    Contract, Diff, Filtered, Grants, Patch, PayloadChange, PayloadCheck, ScopeError, Verdict,
    View, merge, overwritten, suspicions,
};
use crate::record::{ErrorCode, Event, RunCode, RunError, RunId, RunRecord, WarningRecord};

/// The payload of a run.
pub(super) struct RunPayload<'a> {
    def: &'a PayloadDef,
    /// Whether sub-agents can change the payload while a program runs.
    has_sub_agents: bool,
    /// The paths that programs may change, as text; none for all.
    writes: Option<String>,
    start: Data,
    committed: Data,
    /// The payload that the operations of the running program start from.
    base: Data,
    /// The patches of sub-agents since then, each with its call.
    patches: Vec<(CallId, Patch)>,
    /// Whether the model of the run can change the payload, itself or through sub-agents.
    can_change: bool,
    /// The number of retries after a failed check at the end.
    retries: u32,
}

/// The payload that a run is given.
#[derive(Clone, Debug, Default)]
pub(super) struct GivenPayload {
    /// The payload at the start; none for that of the agent.
    pub(super) start: Option<Data>,
    /// The run that it continues from.
    pub(super) from: Option<RunId>,
    /// The reason that there is no payload of an earlier run, in words.
    pub(super) lost: Option<String>,
    /// The labels that the programs of its givers may have put there.
    pub(super) labels: Vec<String>,
}

impl GivenPayload {
    /// Returns the payload that a recorded run was given.
    pub(super) fn recorded(record: &RunRecord) -> GivenPayload {
        let Some(payload) = &record.payload else { return GivenPayload::default() };
        let is_lost = |it: &&WarningRecord| it.code == ErrorCode::Run(RunCode::PayloadLost);
        let lost = record.warnings.iter().find(is_lost).map(|it| it.message.clone());
        GivenPayload {
            start: Some(payload.start.clone()),
            from: payload.from.clone(),
            lost,
            ..GivenPayload::default()
        }
    }
}

/// The payload in a snapshot of a run.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct PayloadKept {
    /// The payload as JSON text, which keeps every digit.
    value: String,
    #[serde(default, skip_serializing_if = "is_zero")]
    retries: u32,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde asks for a reference")]
pub(super) fn is_zero(count: &u32) -> bool {
    *count == 0
}

/// The payload after the operations of a program, which are not committed yet.
pub(super) struct Merged {
    own: Patch,
    after: Data,
}

impl<'a> RunPayload<'a> {
    /// Returns the payload of a run of the agent; none if the agent has none. `given` replaces the start that the agent
    /// defines.
    pub(super) fn new(agent: &'a Agent, given: Option<Data>) -> Option<RunPayload<'a>> {
        let def = agent.payload.as_ref()?;
        let start = given.unwrap_or_else(|| def.start().clone());
        let mut tools = agent.tools.iter().filter_map(|tool| tool.as_agent());
        let has_sub_agents = tools.any(|tool| tool.agent(agent).payload.is_some());
        let can_write = *def.writes() != Grants::none();
        Some(RunPayload {
            def,
            has_sub_agents,
            // The program of a workflow is written once.
            can_change: agent.workflow.is_none() && (can_write || has_sub_agents),
            writes: (*def.writes() != Grants::all()).then(|| def.writes().to_string()),
            committed: start.clone(),
            base: start.clone(),
            start,
            patches: Vec::new(),
            retries: 0,
        })
    }

    /// Returns the payload at the start of the run.
    pub(super) fn start(&self) -> &Data {
        &self.start
    }

    /// Returns the grants of its programs.
    pub(super) fn writes(&self) -> &Grants {
        self.def.writes()
    }

    /// Returns the committed payload.
    pub(super) fn committed(&self) -> &Data {
        &self.committed
    }

    /// Returns the payload of a new session.
    pub(super) fn for_session(&self) -> ptc_lisp::Payload {
        self.def.for_session(self.committed.clone()).shared_with_tools(self.has_sub_agents)
    }

    /// Returns the state for a snapshot.
    pub(super) fn kept(&self) -> PayloadKept {
        PayloadKept { value: self.committed.to_string(), retries: self.retries }
    }

    /// Continues from a snapshot.
    ///
    /// # Errors
    ///
    /// The payload is not readable.
    pub(super) fn go_on(&mut self, kept: &PayloadKept) -> Result<(), SnapshotError> {
        let committed = Data::recorded(&kept.value)
            .map_err(|error| SnapshotError::new(format!("the payload: {}", error.message())))?;
        (self.base, self.committed) = (committed.clone(), committed);
        self.retries = kept.retries;
        Ok(())
    }

    /// Returns the payload as the prompt describes it.
    pub(super) fn spec(&self) -> PayloadSpec<'_> {
        PayloadSpec {
            value: self.start.value(),
            signature: self.def.contract().map(Contract::signature),
            writes: self.writes.as_deref(),
            can_write: *self.def.writes() != Grants::none(),
        }
    }

    /// Begins the program of a turn.
    pub(super) fn begin(&mut self) {
        self.base = self.committed.clone();
        self.patches.clear();
    }

    /// Returns the payload after a program that ended well. The program ends in an error instead if its operations do not
    /// fit the patches of sub-agents that it did not wait for.
    pub(super) fn merged(&self, ended: &mut Ended) -> Option<Merged> {
        if !matches!(ended.outcome, Outcome::Value(_) | Outcome::Return(_) | Outcome::Continue(_)) {
            return None;
        }
        match self.merged_with(ended.payload()?) {
            Ok(merged) => Some(merged),
            Err(conflict) => {
                ended.outcome = Outcome::Error(conflict);
                None
            }
        }
    }

    /// Returns the payload after the operations of a program up to now.
    ///
    /// # Errors
    ///
    /// The operations do not fit the patches of sub-agents that the program did not wait for.
    pub(super) fn merged_with(&self, end: &PayloadEnd) -> Result<Merged, Diagnostic> {
        let own = Patch::of_program(&end.ops).map_err(|error| conflict(&error))?;
        let is_unseen = |(call, _): &&(CallId, Patch)| !end.adopted.contains(call);
        let mut unseen = self.patches.iter().filter(is_unseen).map(|(_, patch)| patch).peekable();
        let after = if unseen.peek().is_none() {
            Data::made(end.value.clone())
        } else {
            let mut patches = unseen.chain([&own]);
            let after = patches.try_fold(self.base.clone(), |payload, patch| patch.apply(&payload));
            after.map_err(|error| conflict(&error))?
        };
        Ok(Merged { own, after })
    }

    /// Commits the operations of a program: at the end of its turn, and in a workflow or a plan before
    /// each call.
    pub(super) fn commit(&mut self, turn: u32, merged: Merged, journal: &mut Journal<'_>) {
        let Merged { own, after } = merged;
        if own.is_empty() {
            return;
        }
        let patches = self.patches.iter().map(|(_, patch)| patch);
        let replaced = overwritten(&own, patches, &after).into_iter().map(|path| {
            let path = path.shown();
            let message = format!(
                "a sub-agent changed {path} without having seen the change of the program, and its change wins"
            );
            RunError::new(Code::PayloadConflict, message)
        });
        journal.warn(turn, None, replaced.collect());
        // The patches of sub-agents are on record already, so the record needs the difference.
        let has_patches = !self.patches.is_empty();
        let patch = if has_patches { Diff::between(&self.committed, &after).patch() } else { own };
        self.record(turn, None, patch, after, journal);
        self.base = self.committed.clone();
        self.patches.clear();
    }

    /// Returns the part of the payload that a sub-agent gets; none if it has no payload.
    ///
    /// # Errors
    ///
    /// [`ScopeError`] if its scope leads to no value.
    pub(super) fn view_of(&self, agent: &Agent) -> Result<Option<View>, ScopeError> {
        let Some(def) = &agent.payload else { return Ok(None) };
        View::within(&self.committed, def.reads(), def.scope()).map(Some)
    }

    /// Commits the changes of a sub-agent that has returned. Returns its operations for the calling program, and the
    /// changes that were not allowed, in words.
    ///
    /// # Errors
    ///
    /// The changes do not fit the payload any more, in words.
    pub(super) fn adopt(
        &mut self,
        turn: u32,
        call: &CallId,
        agent: &Agent,
        returned: Returned,
        journal: &mut Journal<'_>,
    ) -> Result<(Vec<PayloadOp>, Vec<String>), String> {
        let Returned { view, end } = returned;
        let writes = agent.payload.as_ref().map(|def| def.writes().under(view.base()));
        let writes = writes.transpose().map_err(|error| error.to_string())?;
        let writes = writes.unwrap_or_else(Grants::none);
        let Filtered { patch, blocked, .. } = merge(&view, &end, &writes);
        let blocked = blocked
            .iter()
            .map(|it| format!("the payload keeps {}: {}", it.path.shown(), it.reason));
        let blocked: Vec<String> = blocked.collect();
        if patch.is_empty() {
            return Ok((Vec::new(), blocked));
        }
        let after = patch.apply(&self.committed).map_err(|error| error.to_string())?;
        let ops = patch.for_program();
        self.patches.push((call.clone(), patch.clone()));
        self.record(turn, Some(call.to_string()), patch, after, journal);
        Ok((ops, blocked))
    }

    /// Checks the payload before the first request. Returns the error that stops the run, if there is one.
    pub(super) fn begin_run(&self, journal: &mut Journal<'_>) -> Option<RunError> {
        journal.set_payload(&self.committed);
        let check = self.def.contract()?.at_start(&self.committed);
        let error = RunError::new(RunCode::WrongPayload, check.to_string());
        let verdict = check.verdict;
        journal.tell(|_| Event::PayloadChecked { turn: 0, check });
        match verdict {
            Verdict::Pass => None,
            Verdict::Warn => {
                journal.warn(0, None, vec![error]);
                None
            }
            _ => Some(error),
        }
    }

    /// Checks the payload when a program has returned, and counts the retries. Returns the check if the run may not
    /// return.
    pub(super) fn check_end(
        &mut self,
        turn: u32,
        journal: &mut Journal<'_>,
    ) -> Option<PayloadCheck> {
        let mut check = self.def.contract()?.at_end(&self.committed, self.retries);
        if check.verdict == Verdict::Retry && !self.can_change {
            // The model would return again with the same payload.
            (check.verdict, check.retry) = (Verdict::Fail, None);
        }
        journal.tell(|_| Event::PayloadChecked { turn, check: check.clone() });
        match check.verdict {
            Verdict::Pass => None,
            Verdict::Warn => {
                let warning = RunError::new(RunCode::WrongPayload, check.to_string());
                journal.warn(turn, None, vec![warning]);
                None
            }
            Verdict::Retry => {
                self.retries += 1;
                Some(check)
            }
            _ => Some(check),
        }
    }

    fn record(
        &mut self,
        turn: u32,
        call: Option<String>,
        patch: Patch,
        after: Data,
        journal: &mut Journal<'_>,
    ) {
        if patch.is_empty() {
            self.committed = after;
            return journal.set_payload(&self.committed);
        }
        if journal.is_heard() {
            let change = PayloadChange {
                call,
                patch,
                hash: hash_of(&after),
                suspicious: suspicions(&self.committed, &after),
            };
            journal.tell(|_| Event::PayloadChanged { turn, change });
        }
        self.committed = after;
        journal.set_payload(&self.committed);
    }
}

/// Returns the hash of a payload. The order of its keys does not matter.
fn hash_of(payload: &Data) -> String {
    blake3::hash(canonical(payload).as_bytes()).to_hex().to_string()
}

fn conflict(error: &dyn std::fmt::Display) -> Diagnostic {
    let message = format!("the payload changed meanwhile: {error}");
    Diagnostic::new(Code::PayloadConflict, message)
        .with_help("wait for every sub-agent, and read the payload again")
}
