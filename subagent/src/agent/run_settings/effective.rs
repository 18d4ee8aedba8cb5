//! The agent of a run with its settings, computed once for all agents of the tree.

use std::borrow::Cow;
use std::collections::BTreeSet;

use ptc_signatures::spelling::nearest;

use super::change::{RunChange, RunSettings, Scope, SourceSwitches, ToolChange};
use crate::agent::{Agent, Artifacts};
use crate::provider::{ModelSpec, ProviderKind};
use crate::record::{RunCode, RunError};
use crate::tool::{ToolDef, matches};

impl RunSettings {
    /// Returns the agent as a run with these settings has it, and warnings about parts that have no effect.
    pub fn agent_of<'a>(&self, agent: &'a Agent) -> (Cow<'a, Agent>, Vec<RunError>) {
        if self.is_empty() {
            return (Cow::Borrowed(agent), Vec::new());
        }
        let mut tree = Tree { changes: &self.changes, ..Tree::default() };
        let agent = tree.agent(agent, Place { is_root: true, is_added: false });
        (Cow::Owned(agent), tree.warnings())
    }
}

/// The agents of a tree of runs, as the changes leave them.
#[derive(Default)]
struct Tree<'s> {
    changes: &'s [RunChange],
    /// The names of the agents.
    agents: BTreeSet<String>,
    /// The names of the models that the agents have.
    aliases: BTreeSet<String>,
    /// The names of the tools that the agents had before the settings.
    tools: BTreeSet<String>,
    /// The names of the sources.
    sources: BTreeSet<String>,
    /// The added tools that an agent took.
    taken: BTreeSet<&'s str>,
    /// The names of the switches of the prompts.
    switches: BTreeSet<String>,
    /// The added tools that an agent has already, with its name.
    duplicates: BTreeSet<(&'s str, String)>,
}

/// The place of an agent in a tree of runs.
#[derive(Clone, Copy)]
struct Place {
    is_root: bool,
    /// Whether the settings added it. It gets no further tools, which could be the agent itself again.
    is_added: bool,
}

impl<'s> Tree<'s> {
    fn agent(&mut self, agent: &Agent, place: Place) -> Agent {
        let changes = self.changes;
        let differs = |it: &RunChange| matches!(it.scope, Scope::Root | Scope::Children);
        // The runs below the run have other settings, also those of the agent itself.
        let splits = place.is_root && changes.iter().any(differs);
        let below = Place { is_root: false, ..place };
        let mut new = agent.clone();
        self.agents.insert(agent.name.clone());
        self.aliases.extend(agent.models.iter().map(|(name, _)| name.to_string()));
        self.tools.extend(agent.tools.iter().map(|it| it.name.clone()));
        self.switches.extend(agent.prompt_switches().into_keys());
        self.sources.extend(agent.sources.iter().map(|it| it.name.clone()));
        for tool in &mut new.tools {
            let Some(called) = tool.as_agent() else { continue };
            match called.other() {
                Some(other) => *tool = tool.calling(self.agent(other, below)),
                None if splits => {
                    // The model of the calling run answers it, as before.
                    let own = Agent { model: None, fallback_models: None, ..agent.clone() };
                    *tool = tool.of(agent).calling(self.agent(&own, below));
                }
                None => {}
            }
        }
        for change in changes.iter().filter(|it| it.scope.holds(place.is_root, &agent.name)) {
            self.change_tools(&mut new, &change.tools, place);
            change.set_models(&mut new, place.is_root);
            change.set_budget(&mut new);
            change.set_transcript(&mut new);
            for (name, is_on) in &change.prompt {
                new.set_prompt_switch(name, *is_on);
            }
            change.switch_sources(&mut new);
            if change.artifacts == Some(false) {
                new.artifacts = Artifacts::Made(false);
            }
            change.set_steps(&mut new, place.is_root);
        }
        let is_gone = |name: &str| {
            let is_named = |it: &ToolDef| it.name == name;
            agent.tools.iter().any(is_named) && !new.tools.iter().any(is_named)
        };
        // A policy names only tools that there are.
        new.policy.max_calls.retain(|name, _| !is_gone(name));
        new.policy.yes.retain(|calls| !is_gone(calls.tool()));
        new
    }

    fn change_tools(&mut self, agent: &mut Agent, change: &'s ToolChange, place: Place) {
        let fits = |patterns: &[String], tool: &ToolDef| {
            patterns.iter().any(|pattern| matches(pattern, &tool.name))
        };
        agent.tools.retain(|tool| !fits(&change.remove, tool));
        let acts = agent.answers.style().rules().acts;
        for tool in change.add.iter().filter(|_| acts && !place.is_added) {
            if agent.tools.iter().any(|it| it.name == tool.name) {
                self.duplicates.insert((&tool.name, agent.name.clone()));
                continue;
            }
            self.taken.insert(&tool.name);
            let added = Place { is_root: false, is_added: true };
            let tool = match tool.sub_agent() {
                Some(other) => tool.calling(self.agent(other, added)),
                None => tool.clone(),
            };
            agent.tools.push(tool);
        }
        if let Some(allowed) = &change.allow {
            agent.tools.retain(|tool| fits(allowed, tool));
        }
        if let Some(effects) = &change.effects {
            agent.tools.retain(|tool| effects.contains(&tool.effect()));
        }
    }

    /// Returns warnings about the parts of the changes that have no effect.
    fn warnings(&self) -> Vec<RunError> {
        let mut messages = BTreeSet::new();
        for (tool, agent) in &self.duplicates {
            messages.insert(format!(
                "the settings add the tool `{tool}`, which agent `{agent}` has: it keeps its own"
            ));
        }
        for change in self.changes {
            if let Scope::Agents(names) = &change.scope {
                for name in names.iter().filter(|it| !self.agents.contains(*it)) {
                    messages.insert(unknown("agent", name, &self.agents));
                }
            }
            for name in change.prompt.keys().filter(|it| !self.switches.contains(*it)) {
                messages.insert(unknown("part of a prompt", name, &self.switches));
            }
            let kinds = ProviderKind::all().map(|it| it.name().to_string());
            let known: BTreeSet<String> = kinds.chain(self.aliases.iter().cloned()).collect();
            for name in change.keys.keys().filter(|it| !known.contains(*it)) {
                messages.insert(unknown("kind or alias of a model", name, &known));
            }
            if let SourceSwitches::Named(names) = &change.sources {
                for name in names.keys().filter(|it| !self.sources.contains(*it)) {
                    messages.insert(unknown("source", name, &self.sources));
                }
            }
            let ToolChange { add, remove, allow, .. } = &change.tools;
            for name in remove.iter().chain(allow.iter().flatten()).filter(|it| !it.contains('*')) {
                if !self.tools.contains(name) && !self.taken.contains(name.as_str()) {
                    messages.insert(unknown("tool", name, &self.tools));
                }
            }
            let has = |tool: &&ToolDef| self.duplicates.iter().any(|it| it.0 == tool.name);
            for tool in add.iter().filter(|it| !self.taken.contains(it.name.as_str()) && !has(it)) {
                let name = &tool.name;
                messages.insert(format!("the settings add the tool `{name}` to no agent"));
            }
        }
        messages.into_iter().map(|it| RunError::new(RunCode::UnusedSetting, it)).collect()
    }
}

impl RunChange {
    /// Sets models, effort and keys. A sub-agent without a model or fallbacks of its own has those of its caller, so a
    /// change for all runs leaves it as it is.
    fn set_models(&self, agent: &mut Agent, is_root: bool) {
        // The check of the agent reports a text that is no model.
        let spec = |text: &String| text.parse().unwrap_or_else(|_| ModelSpec::Alias(text.clone()));
        let inherits = !is_root && self.scope == Scope::All;
        let model = self.model.as_ref().filter(|_| !(inherits && agent.model.is_none()));
        agent.change_model(model.map(spec), self.base_url.as_ref());
        let fallbacks = self.fallback_models.as_ref();
        if let Some(all) = fallbacks.filter(|_| !(inherits && agent.fallback_models.is_none())) {
            agent.fallback_models = Some(all.iter().map(spec).collect());
        }
        agent.parameters.effort = self.effort.or(agent.parameters.effort);
        let keys = self.keys.iter();
        agent.keys.extend(keys.map(|(name, variable)| (name.clone(), variable.clone())));
    }

    fn set_budget(&self, agent: &mut Agent) {
        let Some(budget) = &self.budget else { return };
        let own = &mut agent.budget;
        own.turns = budget.turns.or(own.turns);
        own.tool_calls = budget.tool_calls.or(own.tool_calls);
        own.fuel = budget.fuel.or(own.fuel);
        own.tokens = budget.tokens.or(own.tokens);
        own.cost = budget.cost.or(own.cost);
        own.depth = budget.depth.or(own.depth);
    }

    /// Sets the steps that a run starts at and skips. A change for all runs means the run itself: others have other steps.
    fn set_steps(&self, agent: &mut Agent, is_root: bool) {
        if self.scope == Scope::All && !is_root {
            return;
        }
        let steps = &mut agent.steps;
        steps.start_at = self.start_at.as_deref().map(Into::into).or(steps.start_at.take());
        steps.skip.extend(self.skip.iter().map(|it| it.as_str().into()));
    }

    fn switch_sources(&self, agent: &mut Agent) {
        for source in &mut agent.sources {
            match &self.sources {
                // What is off in the file stays off.
                SourceSwitches::All(is_on) => source.enabled &= *is_on,
                SourceSwitches::Named(switches) => {
                    source.enabled = switches.get(&source.name).copied().unwrap_or(source.enabled);
                }
            }
        }
    }

    fn set_transcript(&self, agent: &mut Agent) {
        agent.transcript = self.transcript.or(&agent.transcript);
        let rule = self.transcript.result_rule();
        for tool in &mut agent.tools {
            tool.result = rule.or(&tool.result);
        }
    }
}

fn unknown(what: &str, name: &str, known: &BTreeSet<String>) -> String {
    let near = nearest(name, known.iter().map(String::as_str));
    let near = near.map(|it| format!(": did you mean `{it}`?")).unwrap_or_default();
    format!("the settings name `{name}`, and no {what} has the name{near}")
}
