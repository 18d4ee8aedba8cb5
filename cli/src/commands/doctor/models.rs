//! The checks of models and their keys, which are never shown.

use std::collections::BTreeSet;

use ptc_subagent::Agent;
use ptc_subagent::host::ChosenModel;
use ptc_subagent::provider::{Keys, ModelSpec, ProviderKind, ProviderOptions};

use super::check::{Check, State};
use crate::args::ModelArgs;
use crate::model::chosen_model;

/// Checks the model of an agent and its key, which is never shown. `name` is the sub-agent's name, or empty.
pub(super) async fn model(name: &str, args: &ModelArgs, agent: &Agent) -> Vec<Check> {
    let what = &format!("model {name}").trim_end().to_owned();
    let chosen = chosen_model(args, agent);
    let ChosenModel { spec, options } = match chosen {
        Ok(chosen) => chosen,
        Err(fault) => {
            let check = Check::new(what, State::Fail, fault.to_string());
            return vec![match fault.help() {
                Some(help) => check.with_help(help),
                None => check,
            }];
        }
    };
    let mut checks: Vec<Check> = key(&spec, &options).into_iter().collect();
    let provider = match spec.open(&options) {
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

fn key(spec: &ModelSpec, options: &ProviderOptions) -> Option<Check> {
    let ModelSpec::Server { kind, .. } = spec else { return None };
    let variable = kind.key_variable();
    let key = options.keys.get(variable);
    if key.is_none() && !kind.requires_key() {
        return None;
    }
    match (key, &options.base_url) {
        (Some(_), _) => Some(Check::new("key", State::Ok, format!("{variable} is set"))),
        (None, Some(_)) => Some(Check::new(
            "key",
            State::Ok,
            format!("{variable} is not set; a server of yours may need none"),
        )),
        // The check of the model reports the missing key.
        (None, None) => None,
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
