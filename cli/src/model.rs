//! The model that a command line names.

use ptc_subagent::Agent;
use ptc_subagent::host::ChosenModel;
use ptc_subagent::provider::ModelSpec;

use crate::args::ModelArgs;
use crate::report::{Fault, Result};

/// Returns the chosen model and the options of its provider.
pub(crate) fn chosen_model(args: &ModelArgs, agent: &Agent) -> Result<ChosenModel> {
    let named = args.model.as_deref().map(str::parse).transpose()?;
    let chosen = agent.choose_model(named, args.base_url.clone()).map_err(|error| {
        error.with_help("give one with `--model openai:NAME` or `--model recorded:FILE`")
    })?;
    if args.base_url.is_some() && matches!(chosen.spec, ModelSpec::Recorded(_)) {
        let message =
            format!("`--base-url` is for models of a server, and this is `{}`", chosen.spec);
        return Err(Fault::new("usage", message));
    }
    Ok(chosen)
}
