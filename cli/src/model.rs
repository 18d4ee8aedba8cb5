//! The model that a command line names.

use ptc_subagent::Agent;
use ptc_subagent::provider::{ModelSpec, ProviderOptions};

use crate::args::ModelArgs;
use crate::report::{Fault, Result};

/// Returns the chosen model and the options of its provider.
pub(crate) fn chosen_model(
    args: &ModelArgs,
    agent: &Agent,
) -> Result<(ModelSpec, ProviderOptions)> {
    let ModelArgs { model, base_url } = args;
    let spec = match model {
        Some(text) => text.parse()?,
        None if agent.workflow.is_some() => agent.model.clone().unwrap_or(ModelSpec::None),
        None => agent.model.clone().ok_or_else(|| {
            Fault::new("unusable-model", format!("agent `{}` names no model", agent.name))
                .with_help("give one with `--model openai:NAME` or `--model recorded:FILE`")
        })?,
    };
    if base_url.is_some() && matches!(spec, ModelSpec::Recorded(_)) {
        let message = format!("`--base-url` is for models of a server, and this is `{spec}`");
        return Err(Fault::new("usage", message));
    }
    let mut options = agent.provider_options();
    if let Some(url) = base_url {
        options.base_url = Some(url.clone());
    }
    Ok((spec, options))
}
