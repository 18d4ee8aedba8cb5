//! Tools that are agents: what a run starts another run for.

use std::fmt;
use std::ops::Deref;
use std::sync::{Arc, OnceLock};

use super::{Effect, Implementation, ToolDef};
use crate::agent::Agent;
use crate::error::Error;
use crate::provider::Provider;

/// An agent in the place of a tool.
#[derive(Clone)]
pub(crate) struct AgentTool {
    /// `None` is the agent that has the tool.
    agent: Option<Arc<Agent>>,
    /// The provider it was given.
    provider: Option<Arc<dyn Provider>>,
    /// The provider of its own model, once it was needed.
    opened: Arc<OnceLock<Arc<dyn Provider>>>,
}

impl AgentTool {
    /// The agent; `own` is the one that has the tool.
    pub(crate) fn agent<'a>(&'a self, own: &'a Agent) -> &'a Agent {
        self.agent.as_deref().unwrap_or(own)
    }

    /// The agent, unless it is the one that has the tool.
    pub(crate) fn other(&self) -> Option<&Agent> {
        self.agent.as_deref()
    }

    /// The provider of its own; `None` if it asks whom the run asks that calls it.
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

impl fmt::Debug for AgentTool {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("AgentTool").field("agent", &self.agent).finish_non_exhaustive()
    }
}

impl ToolDef {
    /// Makes a tool of an agent: a call is a run of its own, linked to the call, and its value is the result.
    ///
    /// Name, signature and mode are those of the agent; the description is the agent's, or how its prompt begins.
    /// It writes if one of its tools does. It asks the model that the agent names, else whom the calling run
    /// asks. What it takes comes out of the budget of the calling run ([`RunBudget`](crate::RunBudget)); how long it may
    /// take, the agent says.
    pub fn agent(agent: Agent) -> ToolDef {
        let schema = agent.tool_schema();
        let writes = agent.tools.iter().any(|tool| tool.effect() == Effect::Write);
        ToolDef {
            signature: agent.signature.clone(),
            signature_mode: Some(agent.signature_mode),
            description: schema.description,
            effect: Some(if writes { Effect::Write } else { Effect::Read }),
            ..ToolDef::of_agent(agent.name.clone(), Some(Arc::new(agent)))
        }
    }

    /// Makes a tool of the agent that has it: a program of the agent may give parts of its mission to further
    /// runs of the agent, as deep as its [`RunBudget`](crate::RunBudget) allows. Signature, mode and description are
    /// the agent's.
    pub fn itself(name: impl Into<String>) -> ToolDef {
        ToolDef::of_agent(name.into(), None)
    }

    /// Returns the agent that the tool is, if it is one; that it is the one that has it does not count.
    pub fn sub_agent(&self) -> Option<&Agent> {
        self.as_agent().and_then(AgentTool::other)
    }

    /// Sets whom an agent asks that is a tool; other tools ask nobody.
    #[must_use]
    pub fn with_provider(mut self, provider: Arc<dyn Provider>) -> ToolDef {
        if let Implementation::Agent(agent) = &mut self.implementation {
            agent.provider = Some(provider);
        }
        self
    }

    fn of_agent(name: String, agent: Option<Arc<Agent>>) -> ToolDef {
        let implementation = AgentTool { agent, provider: None, opened: Arc::default() };
        ToolDef { implementation: Implementation::Agent(implementation), ..ToolDef::planning(name) }
    }

    /// The tool as programs of `agent` know it: with the agent's mode, and if it is the agent itself, with all
    /// that it takes from it.
    pub(crate) fn of<'a>(&'a self, agent: &'a Agent) -> ToolOf<'a> {
        let is_itself = self.as_agent().is_some_and(|it| it.other().is_none());
        let mode = self.signature_mode.unwrap_or(agent.signature_mode);
        if !is_itself && mode == self.signature_mode.unwrap_or_default() {
            return ToolOf::Own(self);
        }
        let mut tool = self.clone();
        if is_itself {
            if agent.tools.iter().any(|it| it.effect() == Effect::Write) {
                tool.effect = Some(Effect::Write);
            }
            tool.signature = tool.signature.or_else(|| agent.signature.clone());
            tool.description = tool.description.or_else(|| agent.tool_schema().description);
        }
        ToolOf::Filled(Arc::new(tool.with_signature_mode(mode)))
    }
}

/// A tool of an agent, with what it takes from the agent.
#[derive(Clone)]
pub(crate) enum ToolOf<'a> {
    /// It takes nothing.
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
