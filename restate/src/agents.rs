//! The agents of a worker, and their models.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

use ptc_subagent::host::Model;
use ptc_subagent::provider::{ModelSpec, Provider};
use ptc_subagent::store::RunRecord;
use ptc_subagent::{Agent, Error, ErrorKind};

/// Reads the agent of a recorded run again, with the tools that its servers had. It may block.
pub type Recall = Arc<dyn Fn(&RunRecord) -> Result<Agent, Error> + Send + Sync>;

/// The agents of a worker by their names, and the models of their runs.
#[derive(Default)]
#[non_exhaustive]
pub struct Agents {
    all: BTreeMap<String, Arc<Agent>>,
    /// The model of all runs, instead of that of their agents.
    pub model: Option<ModelSpec>,
    /// The base URL of that model.
    pub base_url: Option<String>,
    /// A model in code for all runs.
    pub provider: Option<Arc<dyn Provider>>,
    /// How the agent of a recorded run is read, if it has tools of servers.
    pub recall: Option<Recall>,
}

impl Agents {
    /// Creates the agents of a worker.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Agent`] if an agent is invalid, or if two have one name.
    pub fn new(all: impl IntoIterator<Item = Agent>) -> Result<Agents, Error> {
        let mut agents = Agents::default();
        for agent in all {
            agent.check()?;
            let name = agent.name.clone();
            if agents.all.insert(name.clone(), Arc::new(agent)).is_some() {
                return Err(Error::new(ErrorKind::Agent, format!("two agents are named `{name}`")));
            }
        }
        Ok(agents)
    }

    /// Returns the agent of a name.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Agent`] if the worker has none.
    pub(crate) fn named(&self, name: &str) -> Result<Arc<Agent>, Error> {
        self.all.get(name).cloned().ok_or_else(|| {
            Error::new(ErrorKind::Agent, format!("this worker has no agent `{name}`"))
        })
    }

    /// Returns the agent of a recorded run.
    ///
    /// # Errors
    ///
    /// Those of [`Agents::named`], and of reading it again.
    pub(crate) fn of_record(&self, record: &RunRecord) -> Result<Arc<Agent>, Error> {
        let agent = self.named(&record.summary.agent)?;
        match &self.recall {
            Some(recall) if agent.tools.iter().any(|it| it.server.is_some()) => {
                recall(record).map(Arc::new)
            }
            _ => Ok(agent),
        }
    }

    /// Returns the model of recorded runs.
    pub(crate) fn model(&self) -> Model {
        match &self.provider {
            Some(provider) => Model::from(Arc::clone(provider)),
            None => Model::Named { spec: self.model.clone(), base_url: self.base_url.clone() },
        }
    }

    /// Opens the model of a new run of an agent.
    ///
    /// # Errors
    ///
    /// Those of [`Agent::choose_model`], and of opening a model.
    pub(crate) fn provider(&self, agent: &Agent) -> Result<Box<dyn Provider>, Error> {
        match &self.provider {
            Some(provider) => Ok(Box::new(Arc::clone(provider))),
            None => agent.choose_model(self.model.clone(), self.base_url.clone())?.open(),
        }
    }
}

impl fmt::Debug for Agents {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Agents").field("names", &self.all.keys()).finish_non_exhaustive()
    }
}
