//! The model of a run.

use crate::agent::Agent;
use crate::error::{Error, ErrorKind};
use crate::provider::{ModelSpec, Provider, ProviderOptions, Recorded};
use crate::replay::Resume;

/// A model with the options to reach it.
#[derive(Clone, Debug)]
pub struct ChosenModel {
    /// The model.
    pub spec: ModelSpec,
    /// The options of its provider.
    pub options: ProviderOptions,
}

/// The model of a [`Running`](super::Running).
pub enum Model {
    /// A provider that is open.
    Open(Box<dyn Provider>),
    /// A model that the run opens, so that a recording goes on behind the replies that a resumed run has had.
    Chosen(ChosenModel),
}

impl<P: Provider + 'static> From<P> for Model {
    fn from(provider: P) -> Model {
        Model::Open(Box::new(provider))
    }
}

impl ChosenModel {
    /// Opens the model for a new run.
    ///
    /// # Errors
    ///
    /// Those of [`ModelSpec::open`].
    pub fn open(&self) -> Result<Box<dyn Provider>, Error> {
        self.spec.open(&self.options)
    }

    /// Opens the model for a run to resume. A recording goes on behind the replies that are on record.
    ///
    /// # Errors
    ///
    /// Those of [`ModelSpec::open`].
    pub fn open_for(&self, resume: &Resume<'_>, agent: &Agent) -> Result<Box<dyn Provider>, Error> {
        match &self.spec {
            ModelSpec::Recorded(path) => {
                Ok(Box::new(Recorded::open(path)?.without(resume.replies(agent))))
            }
            _ => self.open(),
        }
    }
}

impl Agent {
    /// Returns the model of its runs: the chosen one, or its own. A workflow needs none. `base_url` is used before its own.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Model`] if it has no model, needs one, and none is chosen.
    pub fn choose_model(
        &self,
        chosen: Option<ModelSpec>,
        base_url: Option<String>,
    ) -> Result<ChosenModel, Error> {
        let spec = match chosen.or_else(|| self.model.clone()) {
            Some(spec) => spec,
            None if self.workflow.is_some() => ModelSpec::None,
            None => {
                let message = format!("agent `{}` names no model", self.name);
                return Err(Error::new(ErrorKind::Model, message));
            }
        };
        let mut options = self.provider_options();
        if base_url.is_some() {
            options.base_url = base_url;
        }
        Ok(ChosenModel { spec, options })
    }
}
