//! The model that a command line names.

use ptc_subagent::host::ChosenModel;
use ptc_subagent::provider::ModelSpec;
use ptc_subagent::store::RunRecord;
use ptc_subagent::{Agent, RunSettings};

use crate::args::ModelArgs;
use crate::report::{Fault, Result};

/// Returns the chosen model of a run on record that goes on, with the options of its provider.
pub(crate) fn model_on_record(
    args: &ModelArgs,
    agent: &Agent,
    record: &RunRecord,
) -> Result<ChosenModel> {
    chosen_model(args, agent, &RunSettings::of_record(record)?)
}

/// Returns the chosen model of a run with these settings, and the options of its provider.
pub(crate) fn chosen_model(
    args: &ModelArgs,
    agent: &Agent,
    settings: &RunSettings,
) -> Result<ChosenModel> {
    let mut settings = settings.clone();
    settings.changes.extend(args.keys());
    let (agent, _) = settings.agent_of(agent);
    let named = args.model.as_deref().map(str::parse).transpose()?;
    let chosen = agent.choose_model(named, args.base_url.clone()).map_err(|error| {
        // A name that leads to no model has advice of its own.
        if error.help().is_some() {
            return error;
        }
        error.with_help("give one with `--model openai:NAME` or `--model recorded:FILE`")
    })?;
    if args.base_url.is_some() && matches!(chosen.spec, ModelSpec::Recorded(_)) {
        let message =
            format!("`--base-url` is for models of a server, and this is `{}`", chosen.spec);
        return Err(Fault::new("usage", message));
    }
    Ok(chosen)
}
