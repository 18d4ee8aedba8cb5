//! The parts of a run that are known before it starts: its warnings, prompts, grammar and tools.

use ptc_prompt::{Grammar, GrammarOptions, SystemPrompt, ToolOffer};

use super::{Mission, written};
use crate::error::{Error, ErrorKind};
use crate::record::RunError;
use crate::run::program::Programs;
use crate::semantics::SEMANTICS;

impl Mission<'_> {
    /// Returns the warnings that a run would have before its first turn. They are about inputs that it coerces or lets
    /// through, and about keys that the signature does not name.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Agent`] or [`ErrorKind::Input`] if a run would not start.
    pub fn warnings(&self) -> Result<Vec<RunError>, Error> {
        let unused = self.unused.iter().cloned();
        Ok(unused.chain(self.prepared()?.1).collect())
    }

    /// Returns the system prompt that a run would have.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Agent`], [`ErrorKind::Input`] or [`ErrorKind::Prompt`] if a run would not start.
    pub fn system_prompt(&self) -> Result<SystemPrompt, Error> {
        self.prepared()?.0.system()
    }

    /// Returns the grammar of the programs that a run accepts, for providers with constrained decoding.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Agent`] if the agent does not answer with programs. The errors of a run that does not start are
    /// returned too.
    pub fn grammar(&self, options: &GrammarOptions) -> Result<Grammar, Error> {
        self.prepared()?.0.grammar(options).ok_or_else(|| {
            let style = self.agent.answers.name();
            let message =
                format!("an agent with `answers = \"{style}\"` has no grammar of programs");
            Error::new(ErrorKind::Agent, message)
        })
    }

    /// Returns the first message that a run would send to the model.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Agent`], [`ErrorKind::Input`] or [`ErrorKind::Prompt`] if a run would not start.
    pub fn opening(&self) -> Result<String, Error> {
        self.prepared()?.0.opening()
    }

    /// Returns the tools that requests of a run would offer for [native calls](crate::Answers::Tools).
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Agent`] or [`ErrorKind::Input`] if a run would not start.
    pub fn native_tools(&self) -> Result<Vec<ToolOffer>, Error> {
        Ok(self.prepared()?.0.offers())
    }

    /// Prepares the programs of a run. Also returns the warnings that it would have.
    fn prepared(&self) -> Result<(Box<Programs<'_>>, Vec<RunError>), Error> {
        let agent = self.effective.as_deref().unwrap_or(self.agent);
        let payload = written("payload", self.payload.clone())?;
        let input = written("input", self.input.clone())?;
        let called = (None, false, agent.budget.depth != Some(0));
        Programs::of_run(agent, input, payload.start, self.after.as_deref(), called, SEMANTICS)
    }
}
