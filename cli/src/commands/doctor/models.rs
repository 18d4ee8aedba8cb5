//! The checks of models and their keys, which are never shown.

use std::collections::BTreeSet;

use ptc_subagent::host::ChosenModel;
use ptc_subagent::provider::{Keys, ModelSpec, ProviderKind, ProviderOptions};
use ptc_subagent::{Agent, RunSettings};

use super::check::{Check, State};
use crate::args::ModelArgs;
use crate::model::chosen_model;

/// Checks the model of an agent and its key, which is never shown. `name` is the sub-agent's name, or empty.
pub(super) async fn model(name: &str, args: &ModelArgs, agent: &Agent) -> Vec<Check> {
    let what = &format!("model {name}").trim_end().to_owned();
    let chosen = chosen_model(args, agent, &RunSettings::new());
    let chosen = match chosen {
        Ok(chosen) => chosen,
        Err(fault) => {
            let check = Check::new(what, State::Fail, fault.to_string());
            return vec![match fault.help() {
                Some(help) => check.with_help(help),
                None => check,
            }];
        }
    };
    let mut checks = one_model(what, &chosen.spec, &chosen.options).await;
    for (ChosenModel { spec, options, .. }, number) in chosen.fallbacks.iter().zip(1..) {
        let what = format!("fallback {number} {name}");
        checks.extend(one_model(what.trim_end(), spec, options).await);
    }
    checks.extend(aliases(what, agent, chosen.options.api_key_env.as_deref()));
    checks
}

async fn one_model(what: &str, spec: &ModelSpec, options: &ProviderOptions) -> Vec<Check> {
    let mut checks: Vec<Check> = key(spec, options).into_iter().collect();
    let provider = match spec.open(options) {
        Ok(provider) => provider,
        Err(error) => {
            checks.push(Check::of_error(what, &error));
            return checks;
        }
    };
    checks.push(match provider.check().await {
        Ok(_) if matches!(spec, ModelSpec::Recorded(_)) => {
            Check::new(what, State::Ok, format!("{spec} reads"))
        }
        Ok(checked) if checked.is_certain => {
            Check::new(what, State::Ok, format!("{spec}: {}", checked.message))
        }
        Ok(checked) => Check::new(what, State::Warn, format!("{spec}: {}", checked.message))
            .with_help("the server may know it nevertheless; try a run"),
        Err(error) => {
            let check = Check::new(what, State::Fail, format!("{spec}: {}", error.message));
            match error.help {
                Some(help) => check.with_help(help),
                None => check,
            }
        }
    });
    checks
}

/// Returns warnings about the variables of keys that aliases of models name, other than the one that is used.
fn aliases(what: &str, agent: &Agent, used: Option<&str>) -> Vec<Check> {
    let all = agent.models.iter().filter_map(|(name, it)| Some((name, it.api_key_env.as_deref()?)));
    let unset = all.filter(|(_, variable)| {
        let is_set = std::env::var(variable).is_ok_and(|it| !it.trim().is_empty());
        Some(*variable) != used && !is_set
    });
    let checks = unset.map(|(name, variable)| {
        let message =
            format!("the variable {variable}, which has the key of the model `{name}`, is not set");
        Check::new(what, State::Warn, message)
            .with_help(format!("set {variable} before a run uses `{name}`"))
    });
    checks.collect()
}

/// Tells which key the server of a model gets.
fn key(spec: &ModelSpec, options: &ProviderOptions) -> Option<Check> {
    let ModelSpec::Server { kind, .. } = spec else { return None };
    let variable = options.api_key_env.as_deref().unwrap_or(kind.key_variable());
    let is_set = options.keys.get(variable).is_some();
    if !is_set && !kind.requires_key() {
        return None;
    }
    let foreign = options.base_url.as_deref().filter(|it| !kind.is_vendors(it));
    let foreign = foreign.filter(|_| options.api_key_env.is_none());
    match (is_set, foreign) {
        (true, Some(url)) if options.send_key => {
            let message = format!("{variable} goes to {url}, which is not a server of its vendor");
            let help = "take `send_key` out unless you trust that server with the key";
            Some(Check::new("key", State::Warn, message).with_help(help))
        }
        (true, None) => Some(Check::new("key", State::Ok, format!("{variable} is set"))),
        (true, Some(_)) => {
            let message = format!("{variable} is not sent to a server that is not its vendor's");
            let help = "name the variable of its key with `api_key_env`, if the server needs one";
            Some(Check::new("key", State::Ok, message).with_help(help))
        }
        (false, _) if options.base_url.is_some() && options.api_key_env.is_none() => {
            let message = format!("{variable} is not set; a server of yours may need none");
            Some(Check::new("key", State::Ok, message))
        }
        // The check of the model reports the missing key.
        (false, _) => None,
    }
}

pub(super) fn key_without_agent() -> Check {
    let keys = Keys::from_env();
    let kinds = ProviderKind::all().filter(|kind| kind.requires_key());
    let variables: BTreeSet<&str> = kinds.map(ProviderKind::key_variable).collect();
    let set: Vec<&str> = variables.iter().copied().filter(|it| keys.get(it).is_some()).collect();
    if !set.is_empty() {
        return Check::new("key", State::Ok, format!("set: {}", set.join(", ")));
    }
    let variables: Vec<&str> = variables.into_iter().collect();
    Check::new("key", State::Warn, format!("none of {} is set", variables.join(", ")))
        .with_help("a server with `base_url`, Ollama and recordings need none")
}
