//! Replays of a recorded run, and branches off it.

use std::sync::Arc;

use super::compare::{self, Difference};
use crate::agent::{Agent, RunSettings};
use crate::error::{Error, ErrorKind};
use crate::provider::NoProvider;
use crate::record::{RunRecord, RunReport, RunTree};
use crate::run::{Mission, RecordedRun, Source};
use crate::semantics::SEMANTICS;
use crate::store::{Folds, Store};

/// A recorded run to replay. The replay reaches neither a model nor a tool.
#[derive(Clone, Debug)]
pub struct Replay {
    pub(super) recorded: Arc<RecordedRun>,
    /// The source of answers: the record, possibly with a program replaced.
    pub(super) past: Arc<RecordedRun>,
    pub(super) agent: Agent,
    /// The settings of the run.
    pub(super) settings: RunSettings,
}

/// The result of a replay.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Replayed {
    /// The record of the replay. A call that the original record does not answer is `started`.
    pub record: RunRecord,
    /// The report of the run; `None` if the replay reached the end of the record first.
    pub report: Option<RunReport>,
    /// The step that the record does not answer, if the replay reached one.
    pub missing: Option<String>,
    /// The differences from the record, in the order of the run; differences of sub-agents follow.
    pub differences: Vec<Difference>,
    /// The other differences from a record that was made with other [semantics](crate::SEMANTICS): in prompts, reports,
    /// fuel and the like, but not in calls or endings. For all other records this is empty, and such differences are in
    /// `differences`.
    pub drift: Vec<Difference>,
}

impl Replay {
    /// Loads a run from a store. A unique prefix of its id is enough. Blocks the calling thread.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::UnknownRun`] if no run, or more than one, has the id. [`ErrorKind::Store`] and
    /// [`ErrorKind::DamagedRun`] if the store cannot be read. [`ErrorKind::Replay`] for the run of a sub-agent, which
    /// is replayed with its caller, and for a run of a version before 0.2, which did not record the agent.
    pub fn of(store: &Store, run: &str) -> Result<Replay, Error> {
        let past = RecordedRun::from(root_run(store, run)?);
        let Some(definition) = &past.record.setup.definition else {
            let id = &past.record.summary.run;
            let message = format!("run {id} was recorded without its agent");
            return Err(Error::new(ErrorKind::Replay, message));
        };
        let agent = Agent::from_definition(definition)?;
        let settings = RunSettings::of_record(&past.record)?;
        let past = Arc::new(past);
        Ok(Replay { recorded: Arc::clone(&past), past, agent, settings })
    }

    /// Returns the record of the run.
    pub fn record(&self) -> &RunRecord {
        &self.recorded.record
    }

    /// Returns the settings of the run. Calls of the tools that they add fail.
    pub fn settings(&self) -> &RunSettings {
        &self.settings
    }

    /// Returns the record of the run, then those of its sub-agents, each before the runs that it called.
    pub fn family(&self) -> Vec<RunRecord> {
        RecordedRun::clone(&self.recorded).into_tree().into_records()
    }

    /// Replaces the program of a turn, and drops the later turns. Its calls get the results of calls of that turn with
    /// the same tool and arguments.
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
        let is_workflow = self.agent.workflow.is_some();
        if program.contains("```") && !is_workflow {
            return wrong("the program has three backticks, which end a block of code".to_string());
        }
        let past = Arc::make_mut(&mut self.past);
        past.cut(turn);
        if is_workflow {
            past.replace_program(program.to_string());
        } else {
            past.replace_reply(Some(format!("```clojure\n{}\n```", program.trim_end())));
        }
        Ok(self)
    }

    /// Replaces the recorded agent by another one. Its prompts are made anew and compared.
    #[must_use]
    pub fn with_agent(mut self, agent: Agent) -> Replay {
        self.agent = agent;
        Arc::make_mut(&mut self.past).forget_programs();
        self
    }

    /// Replays the run.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Replay`] if the run asks for something that is not on record.
    pub async fn run(&self) -> Result<Replayed, Error> {
        let folds = Folds::default();
        let (settings, past) = (self.settings.clone(), Arc::clone(&self.past));
        let mission = Mission::of_recorded(&self.agent, settings, past, Source::Recorded);
        let (report, missing) = match mission.fold_into(&folds).run(&NoProvider).await {
            Ok(report) => (Some(report), None),
            Err(error) if error.kind() == ErrorKind::Replay => {
                (None, Some(error.message().to_string()))
            }
            Err(error) => return Err(error),
        };
        let run = &self.recorded.record.summary.run;
        let replayed = folds.into_tree(run).map(RecordedRun::from).ok_or_else(|| {
            Error::new(ErrorKind::Replay, format!("the replay of run {run} did not start"))
        })?;
        let mut differences = compare::tree_differences(&self.recorded, &replayed);
        let mut drift = Vec::new();
        if self.recorded.record.setup.semantics != SEMANTICS {
            (differences, drift) = differences.into_iter().partition(compare::is_effect);
        }
        differences.truncate(MAX_DIFFERENCES);
        drift.truncate(MAX_DIFFERENCES);
        Ok(Replayed { record: replayed.record, report, missing, differences, drift })
    }

    /// Creates a mission that keeps the first turns of the run, or all of them, and continues as a new run. The
    /// requests that the record does not answer go outside. `agent` supplies the tools; [`Mission::with_settings`] supplies
    /// those that the settings of the run add.
    #[must_use]
    pub fn branch<'a>(&self, agent: &'a Agent, turns: u32) -> Mission<'a> {
        let mut past = RecordedRun::clone(&self.past);
        past.cut(turns);
        if let Some(workflow) = &agent.workflow {
            past.branch_programs(workflow);
        }
        // Two conversations of a name would be one for those who look for it.
        let mission =
            Mission::of_recorded(agent, self.settings.clone(), Arc::new(past), Source::Branch);
        mission.named(None)
    }
}

/// The maximum number of differences in each list. Longer lists are not useful.
const MAX_DIFFERENCES: usize = 1000;

/// Loads a run and the runs of its sub-agents from a store. Fails for the run of a sub-agent.
pub(super) fn root_run(store: &Store, run: &str) -> Result<RunTree, Error> {
    let past = store.past(run)?;
    match &past.record.summary.parent {
        None => Ok(past),
        Some(parent) => {
            let message = format!("run {} is the run of a sub-agent", past.record.summary.run);
            Err(Error::new(ErrorKind::Replay, message)
                .with_help(format!("name run {} instead, which called it", parent.run)))
        }
    }
}
