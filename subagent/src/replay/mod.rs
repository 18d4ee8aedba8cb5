//! Going through a run again: exactly as it went, with another program in one of its turns, or on from where it
//! broke off.
//!
//! ```
//! use ptc_subagent::provider::Scripted;
//! use ptc_subagent::replay::Replay;
//! use ptc_subagent::store::Store;
//! use ptc_subagent::{Agent, Mission};
//! use serde_json::json;
//!
//! # #[tokio::main(flavor = "current_thread")]
//! # async fn main() -> Result<(), ptc_subagent::Error> {
//! let store = Store::in_memory()?;
//! let agent = Agent::new("Double {{n}}.").with_signature("(n :int) -> :int")?.with_max_turns(1);
//! let provider = Scripted::new(["```clojure\n(return (* 3 ctx/n))\n```"]);
//! let report = Mission::new(&agent, json!({"n": 4})).record_in(&store).run(&provider).await?;
//! assert_eq!(report.value, json!(12));
//!
//! // The same again, without the model: nothing is different.
//! let replay = Replay::of(&store, report.run.as_str())?;
//! assert!(replay.run().await?.differences.is_empty());
//!
//! // What another program would have come to.
//! let mended = replay.with_program(1, "(return (* 2 ctx/n))")?.run().await?;
//! assert_eq!(mended.record.value, json!(8));
//! # Ok(())
//! # }
//! ```

mod compare;
mod redact;
mod resume;
mod steps;

pub use compare::{Difference, differences};
pub use redact::Redacted;
pub use resume::Resume;
pub use steps::ProgramOnRecord;

use std::sync::Arc;

use crate::agent::Agent;
use crate::error::{Error, ErrorKind};
use crate::provider::{BoxFuture, Provider, ProviderError, ProviderErrorKind, Reply, Request};
use crate::run::{Mission, RecordedRun, RunMode, RunReport};
use crate::semantics::SEMANTICS;
use crate::store::{Folds, RunRecord, Store};

/// A run on record that is to be gone through again. It reaches neither a model nor a tool.
#[derive(Clone, Debug)]
pub struct Replay {
    recorded: Arc<RecordedRun>,
    /// What answers: the record, as it is or with a program exchanged.
    past: Arc<RecordedRun>,
    agent: Agent,
}

/// What came of going through a run again.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Replayed {
    /// What would be on record of it. A call that the record does not answer is `started`.
    pub record: RunRecord,
    /// How it ended; none if it came to where the record says nothing more.
    pub report: Option<RunReport>,
    /// What the record says nothing of, if it came there.
    pub missing: Option<String>,
    /// Where it differs from the record, in the order of the run; those of sub-agents stand behind.
    pub differences: Vec<Difference>,
    /// What differs of a record that was made with other [semantics](crate::SEMANTICS), and is neither a call nor an
    /// ending: prompts, reports, fuel and the like. Empty for all other records, where that is a difference.
    pub drift: Vec<Difference>,
}

impl Replay {
    /// Takes a run from a store. A prefix of its id is enough if it is unique. Blocks the calling thread.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::UnknownRun`] if no run, or more than one, has the id; [`ErrorKind::Store`] and
    /// [`ErrorKind::DamagedRun`] if the store cannot be read; [`ErrorKind::Replay`] for the run of a sub-agent,
    /// which is replayed with its caller, and for a run of a version before 0.2, which did not record the agent.
    pub fn of(store: &Store, run: &str) -> Result<Replay, Error> {
        let past = root(store, run)?;
        let Some(definition) = &past.record.definition else {
            let id = &past.record.summary.run;
            let message = format!("run {id} was recorded without its agent");
            return Err(Error::new(ErrorKind::Replay, message));
        };
        let agent = Agent::from_definition(definition)?;
        let past = Arc::new(past);
        Ok(Replay { recorded: Arc::clone(&past), past, agent })
    }

    /// The run as it is on record.
    pub fn record(&self) -> &RunRecord {
        &self.recorded.record
    }

    /// The run as it is on record, then those of its sub-agents, each before those that it called.
    pub fn family(&self) -> Vec<RunRecord> {
        RecordedRun::clone(&self.recorded).into_records()
    }

    /// Replaces the program of a turn, and drops the later turns. Its calls get the results of calls of that turn with the
    /// same tool and arguments.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Replay`] if the run has no such turn.
    pub fn with_program(mut self, turn: u32, program: &str) -> Result<Replay, Error> {
        let wrong = |message: String| Err(Error::new(ErrorKind::Replay, message));
        if self.past.record.turn_records.iter().all(|it| it.turn != turn) {
            let turns = self.past.record.turn_records.len();
            return wrong(format!("the run has no turn {turn}: it has {turns}"));
        }
        if program.contains("```") {
            return wrong("the program has three backticks, which end a block of code".to_string());
        }
        let past = Arc::make_mut(&mut self.past);
        past.cut(turn);
        past.exchange(format!("```clojure\n{}\n```", program.trim_end()));
        Ok(self)
    }

    /// Puts another agent in the place of the one on record: its prompts are made anew, and compared.
    #[must_use]
    pub fn with_agent(mut self, agent: Agent) -> Replay {
        self.agent = agent;
        self
    }

    /// Replays the run.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Replay`] if the run asks for something that is not on record.
    pub async fn run(&self) -> Result<Replayed, Error> {
        let folds = Folds::default();
        let mission = Mission::over(&self.agent, Arc::clone(&self.past), RunMode::Replay);
        let (report, missing) = match mission.fold_in(&folds).run(&Nobody).await {
            Ok(report) => (Some(report), None),
            Err(error) if error.kind() == ErrorKind::Replay => {
                (None, Some(error.message().to_string()))
            }
            Err(error) => return Err(error),
        };
        let run = &self.recorded.record.summary.run;
        let replayed = folds.into_recorded_run(run).ok_or_else(|| {
            Error::new(ErrorKind::Replay, format!("run {run} did not begin again"))
        })?;
        let mut differences = compare::trees(&self.recorded, &replayed);
        let mut drift = Vec::new();
        if self.recorded.record.semantics != SEMANTICS {
            (differences, drift) = differences.into_iter().partition(compare::is_of_effect);
        }
        differences.truncate(MAX_DIFFERENCES);
        drift.truncate(MAX_DIFFERENCES);
        Ok(Replayed { record: replayed.record, report, missing, differences, drift })
    }

    /// Makes a mission that keeps the first turns of the run, or all of them, and goes on from there as a run of its
    /// own: what the record does not answer is asked outside. `agent` is the one whose tools are called.
    #[must_use]
    pub fn branch<'a>(&self, agent: &'a Agent, turns: u32) -> Mission<'a> {
        let mut past = RecordedRun::clone(&self.past);
        past.cut(turns);
        Mission::over(agent, Arc::new(past), RunMode::Branch)
    }
}

/// Nobody reads more of them.
const MAX_DIFFERENCES: usize = 1000;

/// Takes a run and those of its sub-agents from a store.
fn root(store: &Store, run: &str) -> Result<RecordedRun, Error> {
    let past = store.past(run)?;
    match &past.record.summary.parent {
        None => Ok(past),
        Some(parent) => {
            let message = format!("run {} is that of a sub-agent", past.record.summary.run);
            Err(Error::new(ErrorKind::Replay, message)
                .with_help(format!("it belongs to run {}: name that one", parent.run)))
        }
    }
}

/// Whom a replay asks.
pub(crate) struct Nobody;

impl Provider for Nobody {
    fn complete<'a>(
        &'a self,
        _request: &'a Request,
    ) -> BoxFuture<'a, Result<Reply, ProviderError>> {
        let error = ProviderError::new(ProviderErrorKind::Recording, "a replay asks no model");
        Box::pin(std::future::ready(Err(error)))
    }

    fn name(&self) -> String {
        "nobody".to_string()
    }
}
