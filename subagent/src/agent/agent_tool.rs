//! Tools that are agents. A call starts another run.

use std::any::Any;
use std::fmt;
use std::ops::Deref;
use std::path::Path;
use std::sync::{Arc, OnceLock};

use super::settings::Agent;
use crate::error::Error;
use crate::provider::{ModelSpec, Provider, Recorded};
use crate::tool::{CalledAgent, Effect, ToolDef};

/// The implementation of a tool that is an agent.
#[derive(Clone)]
pub(crate) struct AgentTool {
    /// The agent; `None` is the agent that has the tool.
    agent: Option<Arc<Agent>>,
    /// The provider that [`ToolDef::with_provider`] sets.
    provider: Option<Arc<dyn Provider>>,
    /// The provider of the agent's own model, opened when it is first needed.
    opened: Arc<OnceLock<Arc<dyn Provider>>>,
}

impl AgentTool {
    /// Returns the agent. `own` is the agent that has the tool.
    pub(crate) fn agent<'a>(&'a self, own: &'a Agent) -> &'a Agent {
        self.agent.as_deref().unwrap_or(own)
    }

    /// Returns the agent, unless it is the agent that has the tool.
    pub(crate) fn other(&self) -> Option<&Agent> {
        self.agent.as_deref()
    }

    /// Returns the recording that answers the agent, if its own model is one.
    pub(crate) fn recording(&self) -> Option<&Path> {
        match self.agent.as_ref()?.model.as_ref()? {
            ModelSpec::Recorded(path) if self.provider.is_none() => Some(path),
            _ => None,
        }
    }

    /// Returns whether the agent is answered by a provider of its own.
    pub(crate) fn has_provider(&self) -> bool {
        self.provider.is_some() || self.agent.as_ref().is_some_and(|it| it.model.is_some())
    }

    /// Returns the agent's own provider, or `None` if it uses the provider of the calling run.
    pub(crate) fn provider(&self) -> Result<Option<&dyn Provider>, Error> {
        if let Some(provider) = &self.provider {
            return Ok(Some(&**provider));
        }
        let Some((agent, model)) =
            self.agent.as_ref().and_then(|it| Some((it, it.model.as_ref()?)))
        else {
            return Ok(None);
        };
        if let Some(provider) = self.opened.get() {
            return Ok(Some(&**provider));
        }
        let provider = model.open(&agent.provider_options())?;
        Ok(Some(&**self.opened.get_or_init(|| provider.into())))
    }
}

/// The recordings of sub-agents, with the replies that runs on record have received from each.
#[derive(Default)]
pub(crate) struct UsedRecordings<'a>(Vec<(&'a AgentTool, Vec<&'a str>)>);

impl<'a> UsedRecordings<'a> {
    /// Adds the replies of a run. Runs of different callers may share a recording.
    pub(crate) fn add(&mut self, tool: &'a AgentTool, replies: Vec<&'a str>) {
        match self.0.iter_mut().find(|(it, _)| Arc::ptr_eq(&it.opened, &tool.opened)) {
            Some((_, all)) => all.extend(replies),
            None => self.0.push((tool, replies)),
        }
    }

    /// Opens the recordings that are not open yet, behind these replies.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Recording`](crate::ErrorKind::Recording) if one cannot be read.
    pub(crate) fn open_behind(self) -> Result<(), Error> {
        for (tool, replies) in self.0 {
            if let Some(path) = tool.recording()
                && tool.opened.get().is_none()
            {
                let recording = Recorded::open(path)?.without(replies);
                // Nobody else opens it before the run starts.
                drop(tool.opened.set(Arc::new(recording)));
            }
        }
        Ok(())
    }
}

impl CalledAgent for AgentTool {}

impl fmt::Debug for AgentTool {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("AgentTool").field("agent", &self.agent).finish_non_exhaustive()
    }
}

impl Agent {
    /// Opens the models of its sub-agents, at all levels.
    ///
    /// # Errors
    ///
    /// The first error that shows before a request is sent, such as a missing key.
    pub(crate) fn open_models(&self) -> Result<(), Error> {
        for tool in self.tools.iter().filter_map(ToolDef::as_agent) {
            tool.provider()?;
            if let Some(agent) = tool.other() {
                agent.open_models()?;
            }
        }
        Ok(())
    }
}

impl ToolDef {
    /// Creates a tool from an agent. A call starts a separate run that is linked to the call. The value of that run is
    /// the result.
    ///
    /// The agent gives the name, the signature and the mode. The description is the agent's, or the beginning of its
    /// prompt. The tool writes if one of the agent's tools does.
    ///
    /// The run uses the agent's model, or the provider of the calling run if the agent has none. It draws on the budget
    /// of the calling run ([`RunBudget`](crate::RunBudget)). Its time limit is the agent's.
    pub fn agent(agent: Agent) -> ToolDef {
        let schema = agent.tool_schema();
        let effect = effect_of(&agent);
        let agent = Arc::new(agent);
        let mut tool = ToolDef::of_agent(agent.name.clone(), Some(Arc::clone(&agent)));
        tool.signature.clone_from(&agent.signature);
        tool.signature_mode = Some(agent.signature_mode);
        tool.description = schema.description;
        tool.effect = Some(effect);
        tool
    }

    /// Creates a tool that is the agent itself. A program can delegate parts of its mission to further runs of the
    /// agent, as deep as its [`RunBudget`](crate::RunBudget) allows. The agent gives the signature, the mode and the
    /// description.
    pub fn itself(name: impl Into<String>) -> ToolDef {
        ToolDef::of_agent(name.into(), None)
    }

    /// Returns the agent of the tool, unless the tool is not an agent or is the agent itself.
    pub fn sub_agent(&self) -> Option<&Agent> {
        self.as_agent().and_then(AgentTool::other)
    }

    /// Sets the provider of a tool that is an agent. It has no effect on other tools.
    #[must_use]
    pub fn with_provider(mut self, provider: Arc<dyn Provider>) -> ToolDef {
        if let Some(agent) = self.as_agent() {
            let with_provider = AgentTool { provider: Some(provider), ..agent.clone() };
            self.set_agent(Arc::new(with_provider));
        }
        self
    }

    /// Returns the tool with another agent, which has the provider of the one before. The effect is that of its tools,
    /// unless the author of the tool states another one.
    pub(super) fn calling(&self, agent: Agent) -> ToolDef {
        let mut tool = self.clone();
        let Some(called) = self.as_agent() else { return tool };
        let is_stated = called.other().is_some_and(|it| tool.effect != Some(effect_of(it)));
        if !is_stated {
            tool.effect = Some(effect_of(&agent));
        }
        tool.set_agent(Arc::new(AgentTool { agent: Some(Arc::new(agent)), ..called.clone() }));
        tool
    }

    fn of_agent(name: String, agent: Option<Arc<Agent>>) -> ToolDef {
        let mut tool = ToolDef::planning(name);
        tool.set_agent(Arc::new(AgentTool { agent, provider: None, opened: Arc::default() }));
        tool
    }

    /// Returns the agent of a tool that is one.
    pub(crate) fn as_agent(&self) -> Option<&AgentTool> {
        let agent: &dyn Any = self.called_agent()?;
        agent.downcast_ref()
    }

    /// Returns the tool with the defaults that it takes from `agent`: the signature mode, and for the agent itself also
    /// the effect, the signature and the description.
    pub(crate) fn of<'a>(&'a self, agent: &'a Agent) -> ToolOf<'a> {
        let is_itself = self.as_agent().is_some_and(|it| it.other().is_none());
        let mode = self.signature_mode.unwrap_or(agent.signature_mode);
        if !is_itself && mode == self.signature_mode.unwrap_or_default() {
            return ToolOf::Own(self);
        }
        let mut tool = self.clone();
        if is_itself {
            if effect_of(agent) == Effect::Write {
                tool.effect = Some(Effect::Write);
            }
            tool.signature = tool.signature.or_else(|| agent.signature.clone());
            tool.description = tool.description.or_else(|| agent.tool_schema().description);
        }
        ToolOf::Filled(Arc::new(tool.with_signature_mode(mode)))
    }
}

/// Returns the effect of the tools of an agent together.
fn effect_of(agent: &Agent) -> Effect {
    let writes = agent.tools.iter().any(|tool| tool.effect() == Effect::Write);
    if writes { Effect::Write } else { Effect::Read }
}

/// A tool of an agent, with the defaults that it takes from the agent.
#[derive(Clone)]
pub(crate) enum ToolOf<'a> {
    /// The tool takes no defaults.
    Own(&'a ToolDef),
    Filled(Arc<ToolDef>),
}

impl Deref for ToolOf<'_> {
    type Target = ToolDef;

    fn deref(&self) -> &ToolDef {
        match self {
            ToolOf::Own(tool) => tool,
            ToolOf::Filled(tool) => tool,
        }
    }
}
