//! The models of an agent: its own, its aliases and its fallbacks, and the keys of their servers.

use super::agent_tool::AgentTool;
use super::settings::Agent;
use crate::error::{Error, ErrorKind};
use crate::provider::{
    ChosenModel, KeyResolver, Keys, ModelAlias, ModelSpec, ProviderOptions, Unaliased,
};

impl Agent {
    /// Returns the options to reach its model, with the keys from the environment.
    pub fn provider_options(&self) -> ProviderOptions {
        let own = self.own_model(self.model.clone().unwrap_or(ModelSpec::None));
        match self.models.follow(own.clone()) {
            Ok(found) => self.options(found, self.has_base_url_of_run),
            // The check of the definition reports the alias.
            Err(_) => self.options(Unaliased { model: own, aliases: Vec::new() }, false),
        }
    }

    /// Returns the model of its runs with its fallbacks: the chosen one, or its own. A workflow needs none. `base_url` is
    /// used before its own. A key that was named for one server goes to no other.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Model`] if it has no model, needs one, and none is chosen. Also if an alias is unknown.
    pub fn choose_model(
        &self,
        chosen: Option<ModelSpec>,
        base_url: Option<String>,
    ) -> Result<ChosenModel, Error> {
        let own = self.model.clone();
        let is_other = own.is_some() && chosen.as_ref().is_some_and(|it| own.as_ref() != Some(it));
        let model = match chosen.or_else(|| own.clone()) {
            // An alias has a server of its own.
            Some(spec @ ModelSpec::Alias(_)) if is_other => ModelAlias::new(spec),
            Some(spec) => self.own_model(spec),
            None if self.workflow.is_some() => ModelAlias::new(ModelSpec::None),
            None => {
                let message = format!("agent `{}` names no model", self.name);
                return Err(Error::new(ErrorKind::Model, message));
            }
        };
        let is_alias = matches!(model.model, ModelSpec::Alias(_));
        let mut found = self.models.follow(model)?;
        // The server that keys of the definition were named for.
        let named_for = match own.filter(|_| is_other && !is_alias) {
            Some(own) => self.models.follow(self.own_model(own))?.model.server(),
            None => found.model.server(),
        };
        let is_of_run = base_url.is_some() || self.has_base_url_of_run;
        if base_url.is_some() {
            found.model.base_url = base_url;
        }
        if found.model.server() != named_for {
            (found.model.api_key_env, found.model.send_key) = (None, false);
            found.model.key_header = None;
        }
        let spec = found.model.model.clone();
        // A recording always replies.
        let fallbacks = match spec {
            ModelSpec::Recorded(_) => Vec::new(),
            _ => self.chosen_fallbacks()?.unwrap_or_default(),
        };
        Ok(ChosenModel { spec, options: self.options(found, is_of_run), fallbacks })
    }

    /// Returns the models that stand in for its model, unless it leaves them to the agent that calls it.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Model`] if an alias is unknown.
    pub(crate) fn chosen_fallbacks(&self) -> Result<Option<Vec<ChosenModel>>, Error> {
        let chosen = |spec: &ModelSpec| {
            // Its server and its keys are those of its own model.
            let prices = self.prices.clone();
            let found =
                self.models.follow(ModelAlias { prices, ..ModelAlias::new(spec.clone()) })?;
            let spec = found.model.model.clone();
            Ok(ChosenModel { spec, options: self.options(found, false), fallbacks: Vec::new() })
        };
        let all = self.fallback_models.as_ref();
        all.map(|all| all.iter().map(chosen).collect()).transpose()
    }

    /// Sets the function that has the keys that no variable has, for it and for its sub-agents.
    #[must_use]
    pub fn with_key_resolver(mut self, resolver: KeyResolver) -> Agent {
        for tool in &mut self.tools {
            if let Some(other) = tool.as_agent().and_then(AgentTool::other) {
                let other = other.clone().with_key_resolver(resolver.clone());
                *tool = tool.calling(other);
            }
        }
        self.key_resolver = Some(resolver);
        self
    }

    /// Changes the model for a run. A key that was named for one server goes to no other.
    pub(super) fn change_model(&mut self, model: Option<ModelSpec>, base_url: Option<&String>) {
        let server = |agent: &Agent| {
            let own = agent.own_model(agent.model.clone()?);
            agent.models.follow(own).ok()?.model.server()
        };
        let before = server(self);
        if let Some(model) = model {
            // An alias has a server of its own.
            if matches!(model, ModelSpec::Alias(_)) {
                self.base_url = None;
                self.forget_keys();
            }
            self.model = Some(model);
        }
        if let Some(url) = base_url {
            (self.base_url, self.has_base_url_of_run) = (Some(url.clone()), true);
        }
        if before.is_some() && before != server(self) {
            self.forget_keys();
        }
    }

    /// Forgets which key its server gets.
    fn forget_keys(&mut self) {
        (self.api_key_env, self.send_key, self.key_header) = (None, false, None);
    }

    /// Returns whether another agent has the same models, with the same ways to reach them.
    pub(super) fn has_models_of(&self, other: &Agent) -> bool {
        let all = |it: &Agent| {
            let limits = (it.prices.clone(), it.request_timeout, it.fallback_models.clone());
            let keys = (it.keys.clone(), it.has_base_url_of_run, it.key_resolver.clone());
            let own = it.own_model(it.model.clone().unwrap_or(ModelSpec::None));
            (own, it.models.clone(), limits, keys)
        };
        all(self) == all(other)
    }

    /// Finds an alias that leads to no model. A definition on record has no models, and a replay asks none.
    pub(super) fn model_fault(&self) -> Option<(&'static str, Error)> {
        if self.models.is_empty() {
            return None;
        }
        let follow = |spec: &ModelSpec| self.models.follow(ModelAlias::new(spec.clone())).err();
        let own = self.model.as_ref().and_then(follow);
        let of_alias = || self.models.iter().find_map(|(_, it)| follow(&it.model));
        let fallback = || self.fallback_models.iter().flatten().find_map(follow);
        own.map(|error| ("model", error))
            .or_else(|| of_alias().map(|error| ("models", error)))
            .or_else(|| fallback().map(|error| ("fallback_models", error)))
    }

    /// Returns a model with what the agent itself says about how to reach it.
    fn own_model(&self, spec: ModelSpec) -> ModelAlias {
        ModelAlias {
            base_url: self.base_url.clone(),
            api_key_env: self.api_key_env.clone(),
            send_key: self.send_key,
            key_header: self.key_header.clone(),
            prices: self.prices.clone(),
            ..ModelAlias::new(spec)
        }
    }

    /// Returns the options to reach a model. The keys of the run are used before the others. `is_of_run` tells whether the
    /// run names the server too, so that its keys are for it.
    fn options(&self, found: Unaliased, is_of_run: bool) -> ProviderOptions {
        let Unaliased { model, aliases } = found;
        let of_alias = aliases.iter().find_map(|it| self.keys.get(it));
        let of_kind = match &model.model {
            ModelSpec::Server { kind, .. } => {
                let is_vendors = model.base_url.as_deref().is_none_or(|it| kind.is_vendors(it));
                self.keys.get(kind.name()).filter(|_| is_vendors || is_of_run || model.send_key)
            }
            _ => None,
        };
        let variable = of_alias.or(of_kind).cloned().or(model.api_key_env);
        let mut keys = Keys::from_env();
        if let Some(variable) = &variable {
            keys = keys.with_variable(variable);
        }
        if let Some(resolver) = &self.key_resolver {
            keys = keys.with_resolver(resolver.clone());
        }
        ProviderOptions {
            base_url: model.base_url,
            keys,
            api_key_env: variable,
            send_key: model.send_key,
            key_header: model.key_header,
            prices: model.prices,
            max_tokens: model.max_tokens,
            effort: model.effort,
            request_timeout: model.request_timeout.unwrap_or(self.request_timeout),
            ..ProviderOptions::default()
        }
    }
}
