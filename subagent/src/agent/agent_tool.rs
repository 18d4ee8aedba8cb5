//! Tools that are agents. A call starts another run.

use std::any::Any;
use std::borrow::Cow;
use std::fmt;
use std::ops::Deref;
use std::path::Path;
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use super::settings::Agent;
use crate::error::Error;
use crate::provider::{ChosenModel, ModelSpec, Provider, Recorded};
use crate::tool::{CalledAgent, Effect, ToolDef};

/// The implementation of a tool that is an agent.
#[derive(Clone)]
pub(crate) struct AgentTool {
    /// The agent; `None` is the agent that has the tool.
    agent: Option<Arc<Agent>>,
    /// The provider that [`ToolDef::with_provider`] sets.
    provider: Option<Arc<dyn Provider>>,
    /// The providers of the agent's own models, opened when they are first needed.
    opened: Arc<OnceLock<Opened>>,
}

/// The providers of the models that an agent has of its own.
struct Opened {
    model: Option<Box<dyn Provider>>,
    /// The models that stand in for it; `None` for those of the calling run.
    fallbacks: Option<Vec<Box<dyn Provider>>>,
}

/// The models that a sub-agent has of its own, instead of those of the calling run.
#[derive(Clone, Copy, Default)]
pub(crate) struct OwnModels<'a> {
    pub(crate) model: Option<&'a dyn Provider>,
    pub(crate) fallbacks: Option<&'a [Box<dyn Provider>]>,
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

    /// Returns the models of its own.
    pub(crate) fn models(&self) -> Result<OwnModels<'_>, Error> {
        let Some(agent) = &self.agent else { return Ok(OwnModels::default()) };
        let opened = match self.opened.get() {
            Some(opened) => opened,
            None => {
                let opened = self.open(agent)?;
                self.opened.get_or_init(|| opened)
            }
        };
        let given = self.provider.as_ref().map(|it| &**it as &dyn Provider);
        let model = given.or(opened.model.as_deref());
        Ok(OwnModels { model, fallbacks: opened.fallbacks.as_deref() })
    }

    fn open(&self, agent: &Agent) -> Result<Opened, Error> {
        let is_own = self.provider.is_none() && agent.model.is_some();
        let chosen = is_own.then(|| agent.choose_model(None, None)).transpose()?;
        let open = |it: &ChosenModel| it.spec.open(&it.options);
        let model = chosen.as_ref().map(open).transpose()?;
        // A recording always replies.
        let fallbacks = match self.recording() {
            Some(_) => Some(Vec::new()),
            None => agent.chosen_fallbacks()?,
        };
        let fallbacks = fallbacks.map(|all| all.iter().map(open).collect()).transpose()?;
        Ok(Opened { model, fallbacks })
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
                let fallbacks = Some(Vec::new());
                drop(tool.opened.set(Opened { model: Some(Box::new(recording)), fallbacks }));
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
            tool.models()?;
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
        tool.signature = agent.call_signature().map(Cow::into_owned);
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
        // Models of other settings are others, with other keys.
        let is_same = called.other().is_some_and(|it| it.has_models_of(&agent));
        let opened = if is_same { Arc::clone(&called.opened) } else { Arc::default() };
        let called =
            AgentTool { agent: Some(Arc::new(agent)), opened, provider: called.provider.clone() };
        tool.set_agent(Arc::new(called));
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
            tool.signature = tool.signature.or_else(|| agent.call_signature().map(Cow::into_owned));
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

impl<'a> ToolOf<'a> {
    /// Returns the tool with another time limit of its calls. `caller` is the agent whose tool it is.
    pub(crate) fn within(&self, limit: Duration, caller: &Agent) -> ToolOf<'a> {
        let tool = match self.as_agent() {
            Some(it) => self.calling(Agent { timeout: limit, ..it.agent(caller).clone() }),
            None => ToolDef::clone(self).with_timeout(limit),
        };
        ToolOf::Filled(Arc::new(tool))
    }
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
