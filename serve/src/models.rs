//! The models of runs. Runs with the same model share its connections.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use ptc_subagent::host::Model;
use ptc_subagent::provider::{ChosenModel, ModelSpec, Provider};
use ptc_subagent::{Agent, Error, RunSettings};

use crate::options::Options;

/// The open models of agents, by their names.
#[derive(Default)]
pub(crate) struct Models(Mutex<HashMap<String, Arc<dyn Provider>>>);

impl Models {
    /// Returns the model of a run of an agent with settings. Blocks the calling thread.
    ///
    /// # Errors
    ///
    /// Those of [`Agent::choose_model`], and of opening a model.
    pub(crate) fn model(
        &self,
        options: &Options,
        agent: &Agent,
        settings: &RunSettings,
    ) -> Result<Model, Error> {
        if let Some(provider) = &options.provider {
            return Ok(Model::from(Arc::clone(provider)));
        }
        let chosen = chosen(options, agent, settings)?;
        // A recording is read by one run, and settings may choose other models.
        if !settings.is_empty() || matches!(chosen.spec, ModelSpec::Recorded(_)) {
            return Ok(Model::Chosen(chosen));
        }
        let mut open = self.0.lock().unwrap_or_else(PoisonError::into_inner);
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
    /// Those of [`Models::model`].
    pub(crate) fn provider(
        &self,
        options: &Options,
        agent: &Agent,
        settings: &RunSettings,
    ) -> Result<Box<dyn Provider>, Error> {
        match self.model(options, agent, settings)? {
            Model::Open(provider) => Ok(provider),
            _ => chosen(options, agent, settings)?.open(),
        }
    }
}

fn chosen(options: &Options, agent: &Agent, settings: &RunSettings) -> Result<ChosenModel, Error> {
    let mut settings = settings.clone();
    settings.changes.extend(options.keys.clone());
    let names_model = settings.changes.iter().any(|it| it.model.is_some());
    let (agent, _) = settings.agent_of(agent);
    let own = (options.model.clone(), options.base_url.clone());
    let (model, base_url) = if names_model { (None, None) } else { own };
    agent.choose_model(model, base_url)
}
