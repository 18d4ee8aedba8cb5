//! What is on record of a run and its sub-agents, as answers to what the same run asks outside.
//!
//! A run is a function of its agent, its input and what comes from outside: replies of models, results of calls, what
//! is left of a budget that others take from, the clock, whoever cancels it. All of that is on record. So a run whose
//! answers come from the record goes the same way again, as far as the record goes. What happens there, the [`RunMode`]
//! says.

use std::collections::HashMap;
use std::sync::OnceLock;

use ptc_lisp::Code;
use serde_json::Value;

use super::code::{ErrorCode, RunCode};
use super::continuation::Continuation;
use super::event::{Bound, TurnOutcome};
use super::id::RunId;
use super::ledger::{BUDGET_OF, Exhausted};
use super::report::{RunError, Status, Stop};
use super::tool_use::{Answer, canonical};
use crate::data::Data;
use crate::provider::{Finish, Message, Reply, Role};
use crate::semantics::SEMANTICS;
use crate::store::{CallRecord, RunRecord, TurnRecord, WarningRecord, forget_ending};
use crate::tool::ToolError;

/// Where the answers of a run come from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum RunMode {
    /// From outside.
    Fresh,
    /// From the record alone: where it ends, the run does.
    Replay,
    /// From the record as far as it goes, then from outside. What happens is added to the record.
    Resume,
    /// From the record as far as it goes, then from outside, as a run of its own.
    Branch,
}

impl RunMode {
    /// Whether nothing may be asked outside.
    pub(super) fn is_closed(self) -> bool {
        self == RunMode::Replay
    }

    /// Whether the run is the one on record, under its name.
    pub(super) fn keeps_names(self) -> bool {
        matches!(self, RunMode::Replay | RunMode::Resume)
    }
}

/// A run on record, with those of its sub-agents.
#[derive(Debug)]
pub(crate) struct RecordedRun {
    pub(crate) record: RunRecord,
    pub(crate) children: Vec<RecordedRun>,
    /// Results that any call with the same tool and arguments may have, of the turn whose program was exchanged.
    spare: Vec<CallRecord>,
    /// Whether the calls of the turns up to the newest snapshot are left out.
    begins_behind_snapshot: bool,
    /// Made at the first look-up. A change of the rest takes it out.
    places: OnceLock<Places>,
}

impl Clone for RecordedRun {
    fn clone(&self) -> RecordedRun {
        let RecordedRun { record, children, spare, begins_behind_snapshot, .. } = self;
        let (record, children, spare) = (record.clone(), children.clone(), spare.clone());
        let begins_behind_snapshot = *begins_behind_snapshot;
        RecordedRun { record, children, spare, begins_behind_snapshot, places: OnceLock::new() }
    }
}

/// Where things of a record are, so that each is found at once.
#[derive(Debug, Default)]
struct Places {
    /// The places of calls in the lists of their turns, by turn, in the order of their names.
    calls: HashMap<u32, Vec<u32>>,
    /// The runs of sub-agents, by the calls that they answer.
    children: HashMap<(u32, String), usize>,
    /// Warnings that are about no call, by turn.
    notes: HashMap<u32, Vec<usize>>,
    /// Those that are about one.
    warnings: HashMap<(u32, String), Vec<usize>>,
    /// Results of calls of a program that was exchanged, by tool and arguments.
    spare: HashMap<(String, String), usize>,
}

/// What is on record of asking a model.
pub(super) enum Asked {
    /// It answered; besides, what was said of the request.
    Reply(Reply),
    NoReply(RunError),
    TimeUp,
    Cancelled,
    Exhausted(Exhausted),
    /// Nothing.
    Unknown,
}

impl RecordedRun {
    pub(crate) fn new(record: RunRecord, children: Vec<RecordedRun>) -> RecordedRun {
        RecordedRun {
            record,
            children,
            spare: Vec::new(),
            begins_behind_snapshot: false,
            places: OnceLock::new(),
        }
    }

    fn places(&self) -> &Places {
        self.places.get_or_init(|| {
            let mut places = Places::default();
            for turn in &self.record.turn_records {
                let name = |at: &u32| turn.calls.get(*at as usize).map(|it| it.call.as_str());
                let mut calls: Vec<u32> = (0..turn.calls.len() as u32).collect();
                calls.sort_by(|one, other| name(one).cmp(&name(other)));
                places.calls.insert(turn.turn, calls);
            }
            for (at, child) in self.children.iter().enumerate() {
                if let Some(parent) = &child.record.summary.parent {
                    places.children.entry((parent.turn, parent.call.clone())).or_insert(at);
                }
            }
            for (at, it) in self.record.warnings.iter().enumerate() {
                match &it.call {
                    Some(call) => {
                        places.warnings.entry((it.turn, call.clone())).or_default().push(at);
                    }
                    None => places.notes.entry(it.turn).or_default().push(at),
                }
            }
            for (at, call) in self.spare.iter().enumerate().filter(|(_, it)| it.ended.is_some()) {
                let key = (call.tool.clone(), canonical(&call.args));
                places.spare.entry(key).or_insert(at);
            }
            places
        })
    }

    /// The record of the run, then those of the runs below it, each before those that it called.
    pub(crate) fn into_records(self) -> Vec<RunRecord> {
        let mut open = vec![self];
        let mut records = Vec::new();
        while let Some(RecordedRun { record, mut children, .. }) = open.pop() {
            records.push(record);
            children.reverse();
            open.append(&mut children);
        }
        records
    }

    /// The name of the run.
    pub(super) fn id(&self) -> RunId {
        self.record.summary.run.clone()
    }

    /// What its programs drew from. Records of earlier versions do not say, and their programs drew nothing.
    pub(super) fn seed(&self) -> u64 {
        self.record.seed.unwrap_or_default()
    }

    /// Whether the run is over.
    pub(crate) fn is_over(&self) -> bool {
        self.record.summary.ended_at.is_some()
    }

    /// The run that a call of it was answered by.
    pub(crate) fn child(&self, turn: u32, call: &str) -> Option<&RecordedRun> {
        let place = self.places().children.get(&(turn, call.to_string()))?;
        self.children.get(*place)
    }

    /// What is on record of a call of a turn.
    pub(crate) fn call(&self, turn: u32, call: &str) -> Option<&CallRecord> {
        let places = self.places().calls.get(&turn)?;
        let calls = &self.turn(turn)?.calls;
        let name = |at: &u32| calls.get(*at as usize).map(|it| it.call.as_str());
        let place = places.binary_search_by(|at| name(at).cmp(&Some(call))).ok()?;
        calls.get(*places.get(place)? as usize)
    }

    /// What was said of a turn, or of a call of it.
    pub(super) fn warned(
        &self,
        turn: u32,
        call: Option<&str>,
    ) -> impl Iterator<Item = &WarningRecord> {
        let places = match call {
            Some(call) => self.places().warnings.get(&(turn, call.to_string())),
            None => self.places().notes.get(&turn),
        };
        places.into_iter().flatten().filter_map(|at| self.record.warnings.get(*at))
    }

    /// Whether the run can go on: it has not ended, or for a reason that would not end it again.
    pub(crate) fn may_go_on(&self) -> bool {
        !self.is_over() || self.record.summary.stop.is_some_and(Stop::passes)
    }

    /// Forgets how the run ended, and so for those of sub-agents whose calls are open.
    pub(crate) fn reopen(&mut self) {
        self.places.take();
        let is_open = |child: &RecordedRun| {
            let parent = child.record.summary.parent.as_ref();
            let call = parent.and_then(|it| self.call(it.turn, &it.call));
            call.is_some_and(|it| it.ended.is_none()) && child.may_go_on()
        };
        let open: Vec<bool> = self.children.iter().map(is_open).collect();
        for (child, _) in self.children.iter_mut().zip(open).filter(|(_, is_open)| *is_open) {
            child.reopen();
        }
        forget_ending(&mut self.record);
        self.places.take();
    }

    /// Forgets how the run ended and all turns behind the first `turns`.
    pub(crate) fn cut(&mut self, turns: u32) {
        self.places.take();
        self.record.turn_records.retain(|it| it.turn <= turns);
        self.record.warnings.retain(|it| it.turn <= turns);
        let is_kept = |child: &RecordedRun| {
            child.record.summary.parent.as_ref().is_none_or(|parent| parent.turn <= turns)
        };
        self.children.retain(is_kept);
        self.record.snapshot.take_if(|it| it.turn > turns);
        let summary = &mut self.record.summary;
        summary.status = Status::Running;
        (summary.stop, summary.ended_at) = (None, None);
        (self.record.value, self.record.fail, self.record.error) = (Value::Null, None, None);
    }

    /// Puts a reply in the place of that of the last turn; its calls may have the results of the calls that were
    /// made there.
    pub(crate) fn exchange(&mut self, reply: String) {
        self.places.take();
        let Some(turn) = self.record.turn_records.last_mut() else { return };
        turn.requests.clear();
        self.record.warnings.retain(|it| it.turn != turn.turn || it.call.is_none());
        self.spare = std::mem::take(&mut turn.calls);
        let children = std::mem::take(&mut self.children);
        let of_it = |child: &RecordedRun| {
            child.record.summary.parent.as_ref().is_some_and(|parent| parent.turn == turn.turn)
        };
        self.children = children.into_iter().filter(|child| !of_it(child)).collect();
        turn.reply = Some(reply);
        turn.finish = Some(Finish::Stop);
        turn.usage = None;
        (turn.program, turn.repair, turn.report) = (None, None, None);
        (turn.warnings, turn.rejection, turn.notes) = (None, None, None);
        (turn.outcome, turn.value, turn.error) = (None, None, None);
        turn.fuel = 0;
        turn.prints.clear();
        turn.bounds.clear();
        turn.ended_at = None;
    }

    /// What is on record of asking the model in a turn.
    pub(super) fn asked(&self, turn: u32) -> Asked {
        let Some(row) = self.turn(turn) else { return self.ended_before(turn) };
        match (&row.reply, row.outcome) {
            (Some(text), _) => {
                let (text, usage) = (text.clone(), row.usage);
                Asked::Reply(Reply { text, usage, finish: row.finish.unwrap_or_default() })
            }
            (None, Some(TurnOutcome::Provider)) => {
                Asked::NoReply(row.error.clone().unwrap_or_else(unexplained))
            }
            (None, Some(TurnOutcome::Time)) => Asked::TimeUp,
            (None, Some(TurnOutcome::Cancelled)) => Asked::Cancelled,
            (None, _) => Asked::Unknown,
        }
    }

    /// Why a run ended before a turn that it might have had.
    fn ended_before(&self, turn: u32) -> Asked {
        let is_next = self.record.turn_records.last().map_or(0, |it| it.turn) + 1 == turn;
        if !self.is_over() || !is_next {
            return Asked::Unknown;
        }
        match (self.record.summary.stop, self.record.error.clone()) {
            (Some(Stop::Cancelled), _) => Asked::Cancelled,
            // A run that fell back to an earlier value has no code of its stop; any that is used up does.
            (stop, Some(error)) => {
                Asked::Exhausted(Exhausted { stop: stop.unwrap_or(Stop::Turns), error })
            }
            (_, None) => Asked::Unknown,
        }
    }

    /// What was said of the request of a turn.
    pub(super) fn notes(&self, turn: u32) -> Vec<RunError> {
        let notes = self.warned(turn, None);
        let notes = notes.filter(|it| matches!(it.code, ErrorCode::Provider(_)));
        notes.map(|it| RunError::new(it.code, &it.message)).collect()
    }

    /// How many requests of a turn are on record.
    pub(super) fn requests(&self, turn: u32) -> u32 {
        self.turn(turn).and_then(|it| it.requests.last()).map_or(0, |it| it.number)
    }

    /// The newest snapshot that this version can read, and its turn.
    pub(super) fn snapshot(&self) -> Option<(u32, Continuation)> {
        let newest = self.record.snapshot.as_ref()?;
        // What a place in a program is called may be different in another version.
        let is_ours = self.record.semantics == SEMANTICS;
        Some((newest.turn, Continuation::read(&newest.state).filter(|_| is_ours)?))
    }

    /// Has the run begin behind its newest snapshot; returns whether this version can read that.
    pub(crate) fn begin_behind_snapshot(&mut self) -> bool {
        self.begins_behind_snapshot = self.snapshot().is_some();
        self.begins_behind_snapshot
    }

    /// Whether the run can only begin behind its newest snapshot.
    pub(crate) fn begins_behind_snapshot(&self) -> bool {
        self.begins_behind_snapshot
    }

    /// The messages of a conversation up to the reply of a turn.
    pub(super) fn messages(&self, turns: u32) -> Vec<Message> {
        let mut messages = Vec::new();
        for turn in self.record.turn_records.iter().take_while(|it| it.turn <= turns) {
            messages.push(Message { role: Role::User, text: turn.prompt.clone() });
            if let Some(sent) = turn.requests.last().and_then(|it| it.messages.as_ref()) {
                messages.clone_from(sent);
            }
            let text = turn.reply.clone().unwrap_or_default();
            messages.push(Message { role: Role::Assistant, text });
        }
        messages
    }

    /// What was said in the turns up to one.
    pub(super) fn warnings_up_to(&self, turn: u32) -> impl Iterator<Item = RunError> {
        let warnings = self.record.warnings.iter().filter(move |it| it.turn <= turn);
        warnings.map(|it| RunError::new(it.code, &it.message))
    }

    /// What is on record of a turn.
    pub(crate) fn turn(&self, turn: u32) -> Option<&TurnRecord> {
        let turns = &self.record.turn_records;
        let place = turns.binary_search_by_key(&turn, |it| it.turn).ok()?;
        turns.get(place)
    }

    /// What is on record of what a program of a turn may ask.
    pub(super) fn program(&self, turn: u32) -> RecordedProgram<'_> {
        RecordedProgram { past: self, turn: self.turn(turn) }
    }
}

/// What is on record of a program.
#[derive(Clone, Copy)]
pub(super) struct RecordedProgram<'a> {
    past: &'a RecordedRun,
    turn: Option<&'a TurnRecord>,
}

/// What is on record of a call.
pub(super) enum RecordedCall {
    /// What came of it, and its place among the calls that are over.
    Over(u32, Answer),
    /// The run that is to answer it is over, or would be.
    Run(u32),
    /// It was made, and nobody knows what came of it.
    Started,
    /// A call at this place, but another one.
    Other,
    Unknown,
}

impl<'a> RecordedProgram<'a> {
    /// What the turn came to, in one word.
    pub(super) fn outcome(&self) -> Option<TurnOutcome> {
        self.turn?.outcome
    }

    /// What went wrong.
    pub(super) fn error(&self) -> Option<RunError> {
        self.turn?.error.clone()
    }

    /// The error of a program that the budget of its run stopped.
    pub(super) fn out_of_budget(&self) -> Option<RunError> {
        self.error().filter(|it| it.budget.is_some() || was_out_of_budget(it))
    }

    /// The error of a program that computed for too long.
    pub(super) fn out_of_time(&self) -> Option<RunError> {
        self.error().filter(|it| it.code == ErrorCode::Language(Code::TimeLimit))
    }

    /// What was left of the run when it started.
    pub(super) fn budget(&self) -> Option<&'a Value> {
        self.turn?.budget.as_ref()
    }

    /// Where the budget of the run left it less than it had, if all of that is known.
    pub(super) fn bounds(&self) -> Option<&'a [Bound]> {
        let turn = self.turn?;
        turn.outcome.as_ref()?;
        Some(&turn.bounds)
    }

    /// Why it was not allowed to run: nothing if it was allowed, none if nobody knows.
    pub(super) fn refused(&self) -> Option<Vec<RunError>> {
        let turn = self.turn?;
        if turn.report.is_some() {
            return Some(Vec::new());
        }
        let is_policy = |it: &&RunError| it.code == ErrorCode::Language(Code::Policy);
        let errors: Vec<RunError> =
            turn.rejection.as_ref()?.iter().filter(is_policy).cloned().collect();
        (!errors.is_empty()).then_some(errors)
    }

    /// The fuel at which the clock stopped it.
    pub(super) fn stopped_at(&self) -> Option<u64> {
        let turn = self.turn?;
        let by_run = self.outcome() == Some(TurnOutcome::Time);
        let by_program = self.out_of_time().is_some();
        (by_run || by_program).then_some(turn.fuel)
    }

    /// How many calls it made.
    pub(super) fn calls(&self) -> usize {
        self.turn.map_or(0, |turn| turn.calls.len())
    }

    /// What is on record of a call.
    pub(super) fn call(&self, id: &str, tool: &str, args: &Data) -> RecordedCall {
        let Some(turn) = self.turn else { return RecordedCall::Unknown };
        let Some(call) = self.past.call(turn.turn, id) else {
            return self.spare(tool, args);
        };
        if call.tool != tool || call.args != *args {
            return RecordedCall::Other;
        }
        let Some(ended) = call.ended else { return RecordedCall::Started };
        // The run of a sub-agent says by itself what came of the call, and takes what it took.
        if call.run.is_some() && self.past.child(turn.turn, id).is_some() {
            return RecordedCall::Run(ended);
        }
        RecordedCall::Over(ended, answer(call, self.past.warnings(turn.turn, id)))
    }

    /// What came of a call with the same arguments, before the program was exchanged.
    fn spare(&self, tool: &str, args: &Data) -> RecordedCall {
        if self.past.spare.is_empty() {
            return RecordedCall::Unknown;
        }
        let place = self.past.places().spare.get(&(tool.to_string(), canonical(args)));
        match place.and_then(|at| self.past.spare.get(*at)) {
            Some(call) => RecordedCall::Over(0, answer(call, Vec::new())),
            None => RecordedCall::Unknown,
        }
    }
}

impl RecordedRun {
    /// What was changed in the data of a call, or let through.
    fn warnings(&self, turn: u32, call: &str) -> Vec<RunError> {
        self.warned(turn, Some(call)).map(|it| RunError::new(it.code, &it.message)).collect()
    }
}

fn answer(call: &CallRecord, warnings: Vec<RunError>) -> Answer {
    let result = came_of(call);
    Answer { warnings, run: call.run.clone(), cached: call.cached, ..Answer::new(result) }
}

/// What came of a call that is over.
pub(crate) fn came_of(call: &CallRecord) -> Result<Value, ToolError> {
    if let Some(result) = &call.result {
        return Ok(result.clone());
    }
    Err(ToolError::recorded(call.error.as_deref().cloned().unwrap_or_else(unexplained)))
}

/// Whether an error of an earlier version, which has no [`RunError::budget`], is of the budget of its run.
fn was_out_of_budget(error: &RunError) -> bool {
    error.message.contains(BUDGET_OF)
}

/// The error of something that went wrong, where the record does not say why.
fn unexplained() -> RunError {
    RunError::new(RunCode::Unexplained, "nobody knows why")
}
