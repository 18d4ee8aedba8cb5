//! The models of runs. Runs with the same model share its connections.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use ptc_subagent::host::Model;
use ptc_subagent::provider::{ChosenModel, ModelSpec, Provider};
use ptc_subagent::{Agent, Error, RunSettings};

use crate::state::State;

/// The open models of agents, by their names.
#[derive(Default)]
pub(crate) struct Models(Mutex<HashMap<String, Arc<dyn Provider>>>);

impl State {
    /// Returns the model of a run of an agent with settings. Blocks the calling thread.
    ///
    /// # Errors
    ///
    /// Those of [`Agent::choose_model`], and of opening a model.
    pub(crate) fn model(&self, agent: &Agent, settings: &RunSettings) -> Result<Model, Error> {
        if let Some(provider) = &self.options.provider {
            return Ok(Model::from(Arc::clone(provider)));
        }
        let chosen = self.chosen(agent, settings)?;
        // A recording is read by one run, and settings may choose other models.
        if !settings.is_empty() || matches!(chosen.spec, ModelSpec::Recorded(_)) {
            return Ok(Model::Chosen(chosen));
        }
        let mut open = self.models.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(provider) = open.get(&agent.name) {
            return Ok(Model::from(Arc::clone(provider)));
        }
        let provider: Arc<dyn Provider> = Arc::from(chosen.open()?);
        open.insert(agent.name.clone(), Arc::clone(&provider));
        Ok(Model::from(provider))
    }

    /// Returns the open model of a new run, which gives its name to the record. Blocks the calling thread.
    ///
    /// # Errors
    ///
    /// Those of [`State::model`].
    pub(crate) fn provider(
        &self,
        agent: &Agent,
        settings: &RunSettings,
    ) -> Result<Box<dyn Provider>, Error> {
        match self.model(agent, settings)? {
            Model::Open(provider) => Ok(provider),
            _ => self.chosen(agent, settings)?.open(),
        }
    }

    fn chosen(&self, agent: &Agent, settings: &RunSettings) -> Result<ChosenModel, Error> {
        let mut settings = settings.clone();
        settings.changes.extend(self.options.keys.clone());
        let names_model = settings.changes.iter().any(|it| it.model.is_some());
        let (agent, _) = settings.agent_of(agent);
        let own = (self.options.model.clone(), self.options.base_url.clone());
        let (model, base_url) = if names_model { (None, None) } else { own };
        agent.choose_model(model, base_url)
    }
}
