//! Loads the earlier run that the next message of a conversation follows.
//!
//! The run itself keeps no state at its end. Its programs run again, with the recorded results of their calls, and the
//! state that they leave becomes a snapshot. So a message can follow every run on record.

use std::fmt::Write as _;

use ptc_signatures::Enforced;

use super::replay_run::root_run;
use crate::agent::{Agent, RunSettings};
use crate::error::{Error, ErrorKind};
use crate::record::{Earlier, Purpose, RunRecord, Status, list};
use crate::run::{RecordedRun, session_before};
use crate::store::Store;

/// The largest state that a run begins with, in bytes of text.
const MAX_STATE: usize = 16 << 20;

/// The largest number of characters of the reason that a state is lost.
const MAX_REASON: usize = 300;

impl Earlier {
    /// Loads a run that a run of `agent` is to follow. A unique prefix of its id is enough. Blocks the calling thread
    /// while it reads the store, and runs the programs of the run again, without a model or a tool.
    ///
    /// The agent may have changed, but the input and the value of the run must match its signature. Values of the state
    /// that have no text form are lost, and so is a state that the record does not determine; the new run has a warning
    /// then.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::UnknownRun`] if no run, or more than one, has the id. [`ErrorKind::Input`] if the run has not ended,
    /// is of another agent, does not match the signature, or is in a circle of runs, which only an edited record has.
    /// [`ErrorKind::Replay`] for the run of a sub-agent. [`ErrorKind::Store`] and [`ErrorKind::DamagedRun`] if the store
    /// cannot be read.
    pub async fn of(store: &Store, run: &str, agent: &Agent) -> Result<Earlier, Error> {
        let past = RecordedRun::from(root_run(store, run)?);
        check(&past.record, agent)?;
        store.check_conversation(&past.record)?;
        let mut earlier = Earlier::up_to(&past.record, agent);
        match state_after(&past).await {
            Ok(state) => earlier.state = Some(state),
            Err(why) => {
                let mut lost = format!("the state of run {} is not kept: ", earlier.run);
                lost.extend(why.chars().take(MAX_REASON));
                earlier.lost = Some(lost);
            }
        }
        earlier.artifacts = store.changed_artifacts(&earlier.run)?;
        if agent.payload.is_some() {
            earlier.payload = Some(store.payload_of(earlier.run.as_str())?);
        }
        Ok(earlier)
    }
}

/// Checks that a run of the agent can follow a recorded run.
fn check(record: &RunRecord, agent: &Agent) -> Result<(), Error> {
    let summary = &record.summary;
    let run = &summary.run;
    let wrong = |message: String, help: &str| {
        Err(Error::new(ErrorKind::Input, message).with_help(help.to_string()))
    };
    if summary.agent != agent.name {
        return wrong(
            format!("run {run} is a run of agent `{}`, not of `{}`", summary.agent, agent.name),
            "the runs of a conversation have one agent; `ptc runs` lists runs with their agents",
        );
    }
    if summary.status == Status::Waiting {
        let help = format!(
            "`ptc answer {run}` answers it, and `ptc runs --waiting` lists what it waits for"
        );
        return wrong(format!("run {run} waits: no message can come after it yet"), &help);
    }
    if summary.ended_at.is_none() {
        let help =
            format!("wait for its end; `ptc resume {run}` resumes it if its process has died");
        return wrong(format!("run {run} has not ended: no message can come after it yet"), &help);
    }
    let Some(signature) = &agent.signature else { return Ok(()) };
    if record.setup.signature.as_deref() == Some(signature.to_string().as_str()) {
        return Ok(());
    }
    let mut problems = String::new();
    let input = signature.enforce_input(record.setup.input.value().clone(), agent.signature_mode);
    add_problem(&mut problems, "input", &input);
    if summary.status == Status::Returned {
        let value = record.value.value().clone();
        let value = signature.output.enforce(value, agent.signature_mode);
        add_problem(&mut problems, "value", &value);
    }
    if problems.is_empty() {
        return Ok(());
    }
    let message = format!("the signature of the agent has changed: of run {run}{problems}");
    wrong(message, &format!("begin a new conversation; the signature is now {signature}"))
}

fn add_problem<D>(problems: &mut String, what: &str, enforced: &Enforced<D>) {
    if !enforced.mismatches.is_empty() {
        // Writing to a string cannot fail.
        let _ = write!(problems, ", the {what} does not match: {}", list(&enforced.mismatches));
    }
}

/// Returns the state that the programs of a run left, or the reason that it is lost.
async fn state_after(past: &RecordedRun) -> Result<serde_json::Value, String> {
    let message = |error: Error| error.message().to_string();
    let Some(definition) = &past.record.setup.definition else {
        return Err("it was recorded without its agent".to_string());
    };
    let settings = RunSettings::of_record(&past.record).map_err(message)?;
    let agent = Agent::from_definition(definition).map_err(message)?;
    let agent = Box::new(settings.agent_of(&agent).0.into_owned());
    let is_summary = |turn: &&crate::record::TurnRecord| {
        turn.requests.iter().any(|it| it.purpose == Purpose::Summary)
    };
    let turns = past.record.turn_records.iter();
    let last = turns
        .take_while(|turn| agent.workflow.is_some() || turn.reply.is_some())
        .take_while(|turn| !is_summary(turn))
        .last()
        .map_or(0, |turn| turn.turn);
    let session = session_before(&agent, past, last + 1).await.map_err(message)?;
    let snapshot = session.snapshot(MAX_STATE).map_err(|error| error.to_string())?;
    Ok(snapshot.without_ctx().to_json())
}
