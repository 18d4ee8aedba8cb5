//! A recorded run and its sub-agents, as the answers to the requests that the same run makes outside.
//!
//! A run is a function of its agent, its input and the answers from outside. Those are replies, results of calls, the
//! remainder of shared budgets, the clock and cancellation. All of them are on record. So a run that gets its answers
//! from the record behaves the same as far as the record goes. `outside.rs` decides what follows.

mod workflow;

use std::collections::HashMap;
use std::sync::OnceLock;

use super::answer::{Answer, canonical};
use super::ledger::Exhausted;
use crate::data::Data;
use crate::error::{Error, ErrorKind};
use crate::provider::{Finish, Reply};
use crate::record::{
    CallRecord, FallbackModel, Parent, ProgramRecord, RunCode, RunError, RunId, RunRecord, RunTree,
    Status, Stop, ToolError, TurnOutcome, TurnRecord, WarningRecord,
};
use crate::store::forget_ending;

/// A recorded run with the runs of its sub-agents.
#[derive(Debug)]
pub(crate) struct RecordedRun {
    pub(crate) record: RunRecord,
    pub(crate) children: Vec<RecordedRun>,
    /// Calls of a replaced program. A call with the same tool and arguments may reuse their results.
    reusable: Vec<CallRecord>,
    /// Whether the record lacks the calls of the turns up to the newest snapshot.
    pub(super) begins_behind_snapshot: bool,
    /// The turn whose program was replaced. Its reply has the new program, whatever the style of the agent.
    replaced_turn: Option<u32>,
    /// The change of the program of a workflow, if the run is to continue with another one.
    pub(super) change: Option<ProgramChange>,
    /// Built at the first lookup. Every change of the record drops it.
    index: OnceLock<Index>,
}

impl Clone for RecordedRun {
    fn clone(&self) -> RecordedRun {
        RecordedRun {
            record: self.record.clone(),
            children: self.children.clone(),
            reusable: self.reusable.clone(),
            begins_behind_snapshot: self.begins_behind_snapshot,
            replaced_turn: self.replaced_turn,
            change: self.change.clone(),
            index: OnceLock::new(),
        }
    }
}

/// A change of the program that is not on record yet.
#[derive(Clone, Debug)]
pub(super) struct ProgramChange {
    /// The turn of the snapshot that the run continues from.
    pub(super) after: u32,
    /// The new program, and the first turn that runs it.
    pub(super) new: ProgramRecord,
}

/// The index of a record, by which each lookup is fast.
#[derive(Debug, Default)]
struct Index {
    /// The positions of each turn's calls in its list, ordered by call id, by turn.
    calls: HashMap<u32, Vec<u32>>,
    /// The runs of sub-agents, by the calls that they answer.
    children: HashMap<(u32, String), usize>,
    /// Warnings that do not belong to a call, by turn.
    notes: HashMap<u32, Vec<usize>>,
    /// Warnings that belong to a call, by turn and call.
    warnings: HashMap<(u32, String), Vec<usize>>,
    /// Reusable results of a replaced program, by tool and arguments.
    reusable: HashMap<(String, String), usize>,
}

/// The recorded outcome of asking the model.
pub(super) enum RecordedReply {
    /// The model replied.
    Reply(Reply),
    NoReply(RunError),
    TimeUp,
    Cancelled,
    Exhausted(Exhausted),
}

impl From<RunTree> for RecordedRun {
    fn from(tree: RunTree) -> RecordedRun {
        RecordedRun {
            record: tree.record,
            children: tree.children.into_iter().map(RecordedRun::from).collect(),
            reusable: Vec::new(),
            begins_behind_snapshot: false,
            replaced_turn: None,
            change: None,
            index: OnceLock::new(),
        }
    }
}

impl RecordedRun {
    /// Returns the records without what is known about them as answers.
    pub(crate) fn into_tree(self) -> RunTree {
        let children = self.children.into_iter().map(RecordedRun::into_tree).collect();
        RunTree { record: self.record, children }
    }

    fn index(&self) -> &Index {
        self.index.get_or_init(|| {
            let mut index = Index::default();
            for turn in &self.record.turn_records {
                let name = |at: &u32| turn.calls.get(*at as usize).map(|it| it.call.as_str());
                let mut calls: Vec<u32> = (0..turn.calls.len() as u32).collect();
                calls.sort_by(|one, other| name(one).cmp(&name(other)));
                index.calls.insert(turn.turn, calls);
            }
            for (at, child) in self.children.iter().enumerate() {
                if let Some(parent) = &child.record.summary.parent {
                    index.children.entry((parent.turn, parent.call.clone())).or_insert(at);
                }
            }
            let own = |it: &&WarningRecord| it.code != RunCode::ObserverFailed.into();
            for (at, it) in self.record.warnings.iter().enumerate().filter(|(_, it)| own(it)) {
                match &it.call {
                    Some(call) => {
                        index.warnings.entry((it.turn, call.clone())).or_default().push(at);
                    }
                    None => index.notes.entry(it.turn).or_default().push(at),
                }
            }
            // The result of a sub-agent does not have its changes of the payload.
            let is_shared = self.record.payload.is_some();
            let is_whole = |it: &CallRecord| it.ended.is_some() && !(is_shared && it.run.is_some());
            for (at, call) in self.reusable.iter().enumerate().filter(|(_, it)| is_whole(it)) {
                let key = (call.tool.clone(), canonical(&call.args));
                index.reusable.entry(key).or_insert(at);
            }
            index
        })
    }

    /// Returns the id of the run.
    pub(super) fn id(&self) -> RunId {
        self.record.summary.run.clone()
    }

    /// Returns the seed of the run's random numbers. Records of earlier versions have none, and their programs drew no
    /// numbers.
    pub(super) fn seed(&self) -> u64 {
        self.record.setup.seed.unwrap_or_default()
    }

    /// Returns whether the run has ended.
    pub(crate) fn is_over(&self) -> bool {
        self.record.summary.ended_at.is_some()
    }

    /// Returns the run of the sub-agent that answered a call.
    pub(crate) fn child(&self, turn: u32, call: &str) -> Option<&RecordedRun> {
        let place = self.index().children.get(&(turn, call.to_string()))?;
        self.children.get(*place)
    }

    /// Returns the runs that a turn started.
    pub(crate) fn children_of(&self, turn: u32) -> impl Iterator<Item = &RecordedRun> {
        let parent = |child: &RecordedRun| child.record.summary.parent.as_ref().map(|it| it.turn);
        self.children.iter().filter(move |child| parent(child) == Some(turn))
    }

    /// Returns the record of a call.
    pub(crate) fn call(&self, turn: u32, call: &str) -> Option<&CallRecord> {
        let places = self.index().calls.get(&turn)?;
        let calls = &self.turn(turn)?.calls;
        let name = |at: &u32| calls.get(*at as usize).map(|it| it.call.as_str());
        let place = places.binary_search_by(|at| name(at).cmp(&Some(call))).ok()?;
        calls.get(*places.get(place)? as usize)
    }

    /// Returns the warnings of a turn, or of one of its calls.
    pub(super) fn warnings_of(
        &self,
        turn: u32,
        call: Option<&str>,
    ) -> impl Iterator<Item = &WarningRecord> {
        let places = match call {
            Some(call) => self.index().warnings.get(&(turn, call.to_string())),
            None => self.index().notes.get(&turn),
        };
        places.into_iter().flatten().filter_map(|at| self.record.warnings.get(*at))
    }

    /// Returns whether the run can resume: it has not ended, or ended for a reason that would not end it again.
    pub(crate) fn is_resumable(&self) -> bool {
        let summary = &self.record.summary;
        !self.is_over()
            || summary.status == Status::Waiting
            // Without its sources a run has no prompt to go on from.
            || summary.stop.is_some_and(Stop::passes) && !self.record.sources.iter().any(|it| it.stops)
    }

    /// Removes the end of the run from the record, and the ends of sub-agents whose calls are open.
    pub(crate) fn reopen(&mut self) {
        self.index.take();
        let is_open = |child: &RecordedRun| {
            let parent = child.record.summary.parent.as_ref();
            let call = parent.and_then(|it| self.call(it.turn, &it.call));
            call.is_some_and(|it| it.ended.is_none()) && child.is_resumable()
        };
        let open: Vec<bool> = self.children.iter().map(is_open).collect();
        for (child, _) in self.children.iter_mut().zip(open).filter(|(_, is_open)| *is_open) {
            child.reopen();
        }
        forget_ending(&mut self.record);
        self.index.take();
    }

    /// Removes the end of the run that a path of calls leads to, as [`RecordedRun::reopen`] does.
    pub(crate) fn reopen_at(&mut self, path: &[&Parent]) {
        let Some((call, below)) = path.split_first() else { return self.reopen() };
        let place = self.index().children.get(&(call.turn, call.call.clone())).copied();
        if let Some(child) = place.and_then(|at| self.children.get_mut(at)) {
            child.reopen_at(below);
        }
    }

    /// Removes the end of the run, and all turns after the first `turns`.
    pub(crate) fn cut(&mut self, turns: u32) {
        self.index.take();
        self.record.turn_records.retain(|it| it.turn <= turns);
        self.record.warnings.retain(|it| it.turn <= turns);
        let is_kept = |child: &RecordedRun| {
            child.record.summary.parent.as_ref().is_none_or(|parent| parent.turn <= turns)
        };
        self.children.retain(is_kept);
        self.record.snapshot.take_if(|it| it.turn > turns);
        self.record.programs.retain(|it| it.turn <= turns);
        let summary = &mut self.record.summary;
        summary.status = Status::Running;
        (summary.stop, summary.ended_at) = (None, None);
        (self.record.value, self.record.fail, self.record.error) = (Data::default(), None, None);
        (self.record.partial, self.record.chat, self.record.remarks) = (false, false, None);
        if let Some(payload) = &mut self.record.payload {
            payload.end = None;
        }
    }

    /// Replaces the reply of the last turn; a workflow has none. The calls of the new program may reuse the results of the old ones.
    pub(crate) fn replace_reply(&mut self, reply: Option<String>) {
        self.index.take();
        let Some(turn) = self.record.turn_records.last_mut() else { return };
        turn.requests.clear();
        self.record.warnings.retain(|it| it.turn != turn.turn || it.call.is_none());
        self.reusable = std::mem::take(&mut turn.calls);
        let children = std::mem::take(&mut self.children);
        let is_of_turn = |child: &RecordedRun| {
            child.record.summary.parent.as_ref().is_some_and(|parent| parent.turn == turn.turn)
        };
        self.children = children.into_iter().filter(|child| !is_of_turn(child)).collect();
        self.replaced_turn = Some(turn.turn);
        turn.reply = reply;
        turn.refused.clear();
        (turn.model_calls, turn.opaque) = (Vec::new(), Vec::new());
        turn.finish = Some(Finish::Stop);
        turn.usage = None;
        (turn.program, turn.repair, turn.report) = (None, None, None);
        (turn.warnings, turn.rejection, turn.notes) = (None, None, None);
        (turn.outcome, turn.value, turn.error) = (None, None, None);
        (turn.payload_changes, turn.payload_check) = (Vec::new(), None);
        turn.fuel = 0;
        turn.prints.clear();
        turn.bounds.clear();
        turn.ended_at = None;
    }

    /// Returns the recorded outcome of asking the model in a turn.
    pub(super) fn recorded_reply(&self, turn: u32) -> Option<RecordedReply> {
        let Some(row) = self.turn(turn) else { return self.ended_before(turn) };
        Some(match (&row.reply, row.outcome) {
            (Some(text), _) => RecordedReply::Reply(row.reply_with(text.clone())),
            (None, Some(TurnOutcome::Provider)) => {
                RecordedReply::NoReply(row.error.clone().unwrap_or_else(unexplained))
            }
            (None, Some(TurnOutcome::Time)) => RecordedReply::TimeUp,
            (None, Some(TurnOutcome::Cancelled)) => RecordedReply::Cancelled,
            (None, _) => return None,
        })
    }

    /// Returns the recorded reason that the run ended before `turn`.
    fn ended_before(&self, turn: u32) -> Option<RecordedReply> {
        let is_next = self.record.turn_records.last().map_or(0, |it| it.turn) + 1 == turn;
        if !self.is_over() || !is_next {
            return None;
        }
        match (self.record.summary.stop, self.record.error.clone()) {
            (Some(Stop::Cancelled), _) => Some(RecordedReply::Cancelled),
            // A run that fell back to an earlier value records no stop. Any stop that allows a fallback gives the same
            // ending.
            (stop, Some(error)) => Some(RecordedReply::Exhausted(Exhausted {
                stop: stop.unwrap_or(Stop::Turns),
                error,
            })),
            (_, None) => None,
        }
    }

    /// Returns the provider's warnings about the requests of a turn.
    pub(super) fn notes(&self, turn: u32) -> Vec<RunError> {
        let notes = self.warnings_of(turn, None);
        let notes = notes.filter(|it| it.code.is_of_request());
        notes.map(|it| RunError::new(it.code, &it.message)).collect()
    }

    /// Returns the fallback that gave the reply of a turn; `None` for the model that the run started with.
    pub(super) fn fallback(&self, turn: u32) -> Option<&FallbackModel> {
        self.turn(turn)?.requests.last()?.fallback.as_ref()
    }

    /// Returns the number of recorded requests of a turn.
    pub(super) fn requests(&self, turn: u32) -> u32 {
        self.turn(turn).and_then(|it| it.requests.last()).map_or(0, |it| it.number)
    }

    /// Returns whether the run can start only after its newest snapshot.
    pub(crate) fn begins_behind_snapshot(&self) -> bool {
        self.begins_behind_snapshot
    }

    /// Returns the calls of all turns up to `turn` that have ended.
    pub(super) fn ended_calls(&self, turn: u32) -> impl Iterator<Item = &CallRecord> {
        let turns = self.record.turn_records.iter().take_while(move |it| it.turn <= turn);
        turns.flat_map(|it| &it.calls).filter(|it| it.ended.is_some())
    }

    /// Returns the warnings of all turns up to `turn`.
    pub(super) fn warnings_up_to(&self, turn: u32) -> impl Iterator<Item = RunError> {
        let warnings = self.record.warnings.iter().filter(move |it| it.turn <= turn);
        warnings.map(|it| RunError::new(it.code, &it.message))
    }

    /// Returns the record of a turn.
    pub(crate) fn turn(&self, turn: u32) -> Option<&TurnRecord> {
        let turns = &self.record.turn_records;
        let place = turns.binary_search_by_key(&turn, |it| it.turn).ok()?;
        turns.get(place)
    }

    /// Returns whether the program of a turn was replaced.
    pub(super) fn is_replaced(&self, turn: u32) -> bool {
        self.replaced_turn == Some(turn)
    }

    /// Finds the record of a call of a tool with these arguments.
    pub(super) fn find_call(&self, turn: u32, id: &str, tool: &str, args: &Data) -> RecordedCall {
        if self.turn(turn).is_none() {
            return RecordedCall::Unknown;
        }
        let Some(call) = self.call(turn, id) else { return self.reusable(tool, args) };
        if call.tool != tool || call.args != *args {
            return RecordedCall::Other;
        }
        let Some(ended) = call.ended else { return RecordedCall::Started };
        // The replayed run of a sub-agent gives the outcome of the call, and charges the ledger.
        if call.run.is_some() && self.child(turn, id).is_some() {
            return RecordedCall::Run(ended);
        }
        RecordedCall::Over(ended, Box::new(answer(call, self.warnings(turn, id))))
    }

    /// Returns the outcome of a call of the replaced program with the same tool and arguments.
    fn reusable(&self, tool: &str, args: &Data) -> RecordedCall {
        if self.reusable.is_empty() {
            return RecordedCall::Unknown;
        }
        let place = self.index().reusable.get(&(tool.to_string(), canonical(args)));
        match place.and_then(|at| self.reusable.get(*at)) {
            Some(call) => RecordedCall::Over(0, Box::new(answer(call, Vec::new()))),
            None => RecordedCall::Unknown,
        }
    }

    /// Returns the warnings about values of a call that were coerced or let through.
    fn warnings(&self, turn: u32, call: &str) -> Vec<RunError> {
        self.warnings_of(turn, Some(call)).map(|it| RunError::new(it.code, &it.message)).collect()
    }
}

/// The record of a call.
pub(super) enum RecordedCall {
    /// The call has ended: its position among the ended calls of the turn, and its outcome.
    Over(u32, Box<Answer>),
    /// The call is answered by replaying the run of a sub-agent. Has the position of the call among the ended ones.
    Run(u32),
    /// The call was made, and its outcome is unknown.
    Started,
    /// The record has a different call with this id.
    Other,
    Unknown,
}

fn answer(call: &CallRecord, warnings: Vec<RunError>) -> Answer {
    let result = recorded_outcome(call);
    let (blobs, run) = (call.blobs.clone(), call.run.clone());
    Answer { warnings, blobs, run, cached: call.cached, ..Answer::new(result) }
}

/// Returns the outcome of a call that has ended.
pub(crate) fn recorded_outcome(call: &CallRecord) -> Result<Data, ToolError> {
    if let Some(result) = &call.result {
        return Ok(result.clone());
    }
    Err(ToolError::recorded(call.error.as_deref().cloned().unwrap_or_else(unexplained)))
}

/// Returns the error used where the record does not give the reason.
fn unexplained() -> RunError {
    RunError::new(RunCode::Unexplained, "the record does not give the reason")
}

/// Returns the error of a replay that needs something that is not on record.
pub(super) fn end_of_record(what: &str) -> Error {
    Error::new(ErrorKind::Replay, format!("the record does not have {what}"))
}
