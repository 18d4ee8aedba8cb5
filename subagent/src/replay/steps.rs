//! A recorded program with the data it saw, for the debugger.

use std::collections::BTreeMap;

use ptc_lisp::{AnswerEffects, Session, ToolCall, ToolFailure, Value};

use crate::agent::{Agent, AgentTool, RunSettings};
use crate::data::Data;
use crate::error::{Error, ErrorKind};
use crate::record::{RunRecord, TurnRecord};
use crate::run::{RecordedRun, ends_in_loop_exit, recorded_outcome, session_before};
use crate::store::Store;
use crate::tool::ToolDef;

/// A recorded program with the data it saw.
#[derive(Clone, Debug)]
pub struct ProgramOnRecord {
    agent: Agent,
    past: RecordedRun,
    turn: u32,
    source: String,
    answers: BTreeMap<String, Result<Value, ToolFailure>>,
    effects: BTreeMap<String, AnswerEffects>,
}

impl ProgramOnRecord {
    /// Loads the program of a turn. Without a turn, it loads the last program that failed, or else the last one. The
    /// run may be the run of a sub-agent. Blocks the calling thread.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::UnknownRun`] if no run, or more than one, has the id. [`ErrorKind::Store`] and
    /// [`ErrorKind::DamagedRun`] if the store cannot be read. [`ErrorKind::Replay`] if no program ran in the turn.
    pub fn of(store: &Store, run: &str, turn: Option<u32>) -> Result<ProgramOnRecord, Error> {
        let (agent, past) = agent_and_recorded_run(store, run)?;
        let ran = |it: &&TurnRecord| it.report.is_some();
        let turns = &past.record.turn_records;
        let is_wrong = |it: &&TurnRecord| ran(it) && it.error.is_some();
        let found = match turn {
            Some(turn) => turns.iter().find(|it| it.turn == turn).filter(ran),
            None => turns.iter().rfind(is_wrong).or_else(|| turns.iter().rfind(ran)),
        };
        let Some(found) = found else {
            let message = match turn {
                Some(turn) => format!("turn {turn} has no program that ran"),
                None => "the run has no program that ran".to_string(),
            };
            return Err(Error::new(ErrorKind::Replay, message));
        };
        let repaired = found.repair.as_ref().map(|it| it.source.as_str());
        let source = repaired.or(found.program.as_deref()).unwrap_or_default().to_string();
        let answers = found.calls.iter().filter(|it| it.ended.is_some()).map(|call| {
            let answer = recorded_outcome(call);
            let answer = answer.map(Data::into_value).map_err(|it| ToolFailure::from(&it));
            (call.call.clone(), answer)
        });
        let (answers, turn) = (answers.collect(), found.turn);
        let effects = effects(store, found)?;
        Ok(ProgramOnRecord { agent, past, turn, source, answers, effects })
    }

    /// Returns the record of the run.
    pub fn record(&self) -> &RunRecord {
        &self.past.record
    }

    /// Returns the number of the turn.
    pub fn turn(&self) -> u32 {
        self.turn
    }

    /// Returns the source that ran, after any repair.
    pub fn source(&self) -> &str {
        &self.source
    }

    /// Returns the outcome of a call, by its id in the program.
    ///
    /// # Errors
    ///
    /// The recorded failure of the call, or a failure which says that the call is not on record.
    pub fn answer(&self, call: &str) -> Result<Value, ToolFailure> {
        let missing = || Err(ToolFailure::new("is not on record"));
        self.answers.get(call).cloned().unwrap_or_else(missing)
    }

    /// Returns the further effects of the outcome of a call: the changes of the payload by a sub-agent, and whether it
    /// ended the loop around it.
    pub fn effects(&self, call: &ToolCall) -> AnswerEffects {
        let mut effects = self.effects.get(&call.id.to_string()).cloned().unwrap_or_default();
        effects.exits_loop &= call.in_loop;
        effects
    }

    /// Returns the session as the program found it, with the names that earlier programs defined. Each call replays the
    /// earlier programs, so sessions share nothing.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Replay`] if an earlier program asks for something that is not on record.
    pub async fn session(&self) -> Result<Session, Error> {
        session_before(&self.agent, &self.past, self.turn).await
    }
}

/// Returns the further effects of the calls of a turn.
fn effects(store: &Store, turn: &TurnRecord) -> Result<BTreeMap<String, AnswerEffects>, Error> {
    let mut all: BTreeMap<String, AnswerEffects> = BTreeMap::new();
    for change in &turn.payload_changes {
        let Some(call) = &change.call else { continue };
        all.entry(call.clone()).or_default().payload.extend(change.patch.for_program());
    }
    for call in &turn.calls {
        let Some(run) = &call.run else { continue };
        if ends_in_loop_exit(&store.show(run.as_str())?) {
            all.entry(call.call.clone()).or_default().exits_loop = true;
        }
    }
    Ok(all)
}

/// Loads a run with its agent. The agent of a sub-agent is part of its caller's definition.
fn agent_and_recorded_run(store: &Store, run: &str) -> Result<(Agent, RecordedRun), Error> {
    let past = RecordedRun::from(store.past(run)?);
    let Some(parent) = past.record.summary.parent.clone() else {
        let definition = past.record.setup.definition.as_ref();
        let agent = definition.map(Agent::from_definition).transpose()?;
        let message = format!("run {} was recorded without its agent", past.record.summary.run);
        let agent = agent.ok_or_else(|| Error::new(ErrorKind::Replay, message))?;
        let settings = RunSettings::of_record(&past.record)?;
        return Ok((settings.agent_of(&agent).0.into_owned(), past));
    };
    let (own, above) = agent_and_recorded_run(store, parent.run.as_str())?;
    let turn = above.record.turn_records.iter().find(|it| it.turn == parent.turn);
    let call = turn.and_then(|it| it.calls.iter().find(|it| it.call == parent.call));
    let tool = call.and_then(|call| own.tools.iter().find(|tool| tool.name == call.tool));
    let agent = tool.and_then(ToolDef::as_agent).map(|it: &AgentTool| it.agent(&own).clone());
    let agent = agent.ok_or_else(|| {
        Error::new(ErrorKind::Replay, format!("the agent of run {run} is not on record"))
    })?;
    Ok((agent, past))
}
