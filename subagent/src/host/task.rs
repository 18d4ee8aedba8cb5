//! The task of a run: to begin anew, or to go on from its record.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::model::Model;
use crate::agent::{Agent, RunSettings};
use crate::data::Data;
use crate::error::{Error, ErrorKind};
use crate::provider::{ModelSpec, NoModel, Provider};
use crate::record::{Earlier, RunQueued, RunReport};
use crate::replay::Resume;
use crate::run::{AgentCall, Mission};
use crate::store::Store;
use crate::tool::HostContext;

/// The task of a run.
#[derive(Clone, Debug)]
pub enum Task {
    /// A new run.
    Start(Start),
    /// A run of the store to resume, and the decisions about it. A unique prefix of its id is enough.
    Resume(String, Decisions),
    /// A call of a sub-agent of another process, as [`Resume::of_call`] says.
    Answer(Box<AgentCall>, bool),
}

/// The start of a new run. The methods of [`Mission`] with the same names say more.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct Start {
    /// The input; `None` for the default input of the agent, or for an empty one.
    pub input: Option<Data>,
    /// The payload at the start.
    pub payload: Option<Data>,
    /// The run whose payload it starts with, unless it has one of its own.
    pub payload_from: Option<String>,
    /// The run that it follows in a conversation.
    pub after: Option<String>,
    /// The name of its conversation: the run follows the newest run of the agent in it, or begins it.
    pub conversation: Option<String>,
    /// The seed of random functions.
    pub seed: Option<u64>,
    /// The data for tools alone.
    pub context: Option<HostContext>,
    /// The settings of the run, which also hold for the runs below it.
    pub settings: RunSettings,
    /// The person who starts the run.
    pub by: Option<String>,
}

/// The decisions of a person about a recorded run. The methods of [`Resume`] say more.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct Decisions {
    /// Answers, each with the id of its question; without an id, the run has one open question.
    pub answers: Vec<(Option<String>, Data)>,
    /// Calls that took effect, with their results.
    pub done: Vec<(String, Data)>,
    /// Calls to make again.
    pub retry: Vec<String>,
    /// Whether a workflow continues although its program changed.
    pub accepts_change: bool,
    /// Whether the run resumes although its process seems to be alive.
    pub takes_over: bool,
    /// The settings that the run began with, if they add tools in code.
    pub settings: Option<RunSettings>,
    /// The data for tools alone, which no record has.
    pub context: Option<HostContext>,
    /// The person who decides.
    pub by: Option<String>,
    /// The variables that hold keys from now on, by kind or alias of model.
    pub keys: BTreeMap<String, String>,
}

impl Task {
    /// Makes the mission of the task. It is recorded in the store, if there is one. Blocks the calling thread while it reads
    /// the store.
    ///
    /// # Errors
    ///
    /// Those of [`Start::mission`] and [`Resume::mission`], and [`ErrorKind::Replay`] for a run to resume without a store.
    pub async fn mission<'a>(
        self,
        agent: &'a Agent,
        store: Option<&'a Store>,
    ) -> Result<Mission<'a>, Error> {
        match (self, store) {
            (Task::Start(start), store) => start.mission(agent, store).await,
            (Task::Resume(run, decisions), Some(store)) => {
                let context = decisions.context.clone();
                let resume = Resume::of(store, &run)?.decide(decisions)?;
                Ok(resume.mission(agent)?.with_context(context))
            }
            (Task::Answer(call, is_begun), Some(store)) => {
                Resume::of_call(store, *call, is_begun)?.mission(agent)
            }
            (Task::Resume(..) | Task::Answer(..), None) => Err(no_store_to_resume_from()),
        }
    }
}

impl Task {
    /// Returns the model of the task: the one that a host names, else that of the agent as the settings of the run leave it.
    /// It is open for a new run, so that one that cannot be used is an error before the run starts. `how` is the help that
    /// tells how to name one.
    ///
    /// # Errors
    ///
    /// Those of [`Agent::choose_model`] and [`ModelSpec::open`].
    pub fn model(
        &self,
        agent: &Agent,
        spec: Option<ModelSpec>,
        base_url: Option<String>,
        how: &str,
    ) -> Result<Model, Error> {
        // The settings of a run to resume are on record.
        let Task::Start(start) = self else { return Ok(Model::Named { spec, base_url }) };
        let chosen = start.settings.agent_of(agent).0.choose_model(spec, base_url);
        let chosen = chosen.map_err(|error| {
            // A name that leads to no model has advice of its own.
            if error.help().is_some() { error } else { error.with_help(how) }
        })?;
        chosen.open().map(Model::Open)
    }
}

impl Start {
    /// Returns the start with an input.
    pub fn of(input: impl Into<Data>) -> Start {
        Start { input: Some(input.into()), ..Start::default() }
    }

    /// Makes the mission. It is recorded in the store, if there is one.
    ///
    /// # Errors
    ///
    /// Those of [`Agent::default_input`], [`Store::payload_of`] and [`Earlier::of`]. [`ErrorKind::Input`] if the run
    /// follows another one and there is no store.
    pub async fn mission<'a>(
        self,
        agent: &'a Agent,
        store: Option<&'a Store>,
    ) -> Result<Mission<'a>, Error> {
        let of_store = |what: &str| {
            let needs = || {
                let message = format!("{what} a store, and none is given");
                Error::new(ErrorKind::Input, message)
            };
            store.ok_or_else(needs)
        };
        let input = match self.input {
            Some(input) => input,
            None => agent.default_input()?.unwrap_or_else(|| serde_json::json!({}).into()),
        };
        let mut mission = Mission::new(agent, input).with_settings(self.settings).by(self.by);
        if let Some(store) = store {
            mission = mission.record_in(store);
        }
        if let Some(payload) = self.payload {
            mission = mission.with_payload(payload);
        }
        if let Some(run) = &self.payload_from {
            let store = of_store("a payload comes from a run of")?;
            mission = mission.continue_payload(store.payload_of(run)?);
        }
        let mut after = self.after;
        if let Some(name) = self.conversation.filter(|_| after.is_none()) {
            let store = of_store("a conversation has a name in")?;
            let (agent, named) = (agent.name.clone(), name.clone());
            after = store.read(move |snapshot| snapshot.newest_of(&named, &agent))?;
            mission = mission.named(name);
        }
        if let Some(run) = &after {
            let store = of_store("a run follows one of")?;
            mission = mission.after(Earlier::of(store, run, agent).await?);
        }
        if let Some(seed) = self.seed {
            mission = mission.with_seed(seed);
        }
        Ok(mission.with_context(self.context))
    }
}

impl Start {
    /// Records the run as [queued](crate::Status::Queued). A [`Task::Resume`] continues it. Blocks the calling thread
    /// while it reads the store; only a start that follows another run reads much.
    ///
    /// A new run of an agent with servers shows the types of their [earlier results](Agent::learn).
    ///
    /// # Errors
    ///
    /// Those of [`Start::mission`] and [`Mission::enqueue`].
    pub async fn enqueue(
        self,
        agent: Arc<Agent>,
        store: &Store,
        provider: &dyn Provider,
        queued: RunQueued,
    ) -> Result<RunReport, Error> {
        let agent = Agent::learned(agent, store)?;
        let mission = self.mission(&agent, Some(store)).await?;
        Box::pin(mission.enqueue(queued, provider)).await
    }
}

impl Resume<'_> {
    /// Ends the run without an answer to its questions. It counts as cancelled. Blocks the calling thread while it reads the
    /// store.
    ///
    /// # Errors
    ///
    /// Those of [`Resume::mission`].
    pub async fn cancel(self, agent: &Agent) -> Result<RunReport, Error> {
        // While the host is asked, the run does not leave its questions, so the cancellation finds it there.
        let mission = self.mission(agent)?.ask_with(|_| Box::pin(std::future::pending()));
        Box::pin(mission.cancel_on(std::future::ready(())).run(&NoModel)).await
    }

    /// Makes the decisions of a person.
    ///
    /// # Errors
    ///
    /// Those of [`Resume::with_settings`], [`Resume::answer`], [`Resume::assume_done`] and [`Resume::retry`].
    pub fn decide(mut self, decisions: Decisions) -> Result<Self, Error> {
        if let Some(settings) = decisions.settings {
            self = self.with_settings(settings)?;
        }
        self = self.by(decisions.by);
        for (question, answer) in decisions.answers {
            self = self.answer(question.as_deref(), answer)?;
        }
        for (call, result) in decisions.done {
            self = self.assume_done(&call, result)?;
        }
        for call in decisions.retry {
            self = self.retry(&call)?;
        }
        if decisions.accepts_change {
            self = self.accept_change();
        }
        self = self.with_keys(decisions.keys);
        Ok(if decisions.takes_over { self.take_over() } else { self })
    }
}

pub(super) fn no_store_to_resume_from() -> Error {
    Error::new(ErrorKind::Replay, "a run is resumed from a store, and none is given")
}
