//! The model of a run.

use crate::agent::{Agent, RunSettings};
use crate::error::Error;
use crate::provider::{ChosenModel, ModelSpec, Provider, Recorded};
use crate::replay::Resume;

/// The model of a [`Running`](super::Running).
pub enum Model {
    /// A provider that is open.
    Open(Box<dyn Provider>),
    /// A model that the run opens, so that a recording goes on behind the replies that a resumed run has had.
    Chosen(ChosenModel),
    /// The model of the agent as the settings of the run leave it, unless the host names another one.
    Named {
        /// The model that the host names.
        spec: Option<ModelSpec>,
        /// The base URL of its server.
        base_url: Option<String>,
    },
}

impl Model {
    /// Opens the model of a new run.
    pub(super) fn open(
        self,
        agent: &Agent,
        settings: &RunSettings,
    ) -> Result<Box<dyn Provider>, Error> {
        match self {
            Model::Open(provider) => Ok(provider),
            Model::Chosen(chosen) => chosen.open(),
            Model::Named { spec, base_url } => {
                settings.agent_of(agent).0.choose_model(spec, base_url)?.open()
            }
        }
    }

    /// Opens the model of a run to resume.
    pub(super) fn open_for(
        self,
        resume: &Resume<'_>,
        agent: &Agent,
    ) -> Result<Box<dyn Provider>, Error> {
        match self {
            Model::Open(provider) => Ok(provider),
            Model::Chosen(chosen) => chosen.open_for(resume, agent),
            Model::Named { spec, base_url } => {
                let settings = RunSettings::of_record(resume.record())?;
                let chosen = settings.agent_of(agent).0.choose_model(spec, base_url)?;
                chosen.open_for(resume, agent)
            }
        }
    }
}

impl<P: Provider + 'static> From<P> for Model {
    fn from(provider: P) -> Model {
        Model::Open(Box::new(provider))
    }
}

impl ChosenModel {
    /// Opens the model for a run to resume. A recording goes on behind the replies that are on record.
    ///
    /// # Errors
    ///
    /// Those of [`ModelSpec::open`].
    pub fn open_for(&self, resume: &Resume<'_>, agent: &Agent) -> Result<Box<dyn Provider>, Error> {
        match &self.spec {
            ModelSpec::Recorded(path) => {
                let recorded = Recorded::open(path)?.without(resume.replies(agent));
                self.with_fallbacks(Box::new(recorded))
            }
            _ => self.open(),
        }
    }
}
