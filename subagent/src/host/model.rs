//! The model of a run.

use crate::agent::Agent;
use crate::error::Error;
use crate::provider::{ChosenModel, ModelSpec, Provider, Recorded};
use crate::replay::Resume;

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
