//! The checks of the settings of a run.

use ptc_subagent::RunSettings;

use super::check::{Check, State};

/// Checks the variables of keys that settings name, and returns the problems. Values are never shown.
pub(super) fn variables(settings: &RunSettings) -> Vec<Check> {
    let keys = settings.changes.iter().flat_map(|it| &it.keys);
    let unset = |variable: &str| std::env::var_os(variable).is_none_or(|it| it.is_empty());
    let missing = keys.filter(|(_, variable)| unset(variable)).map(|(model, variable)| {
        let message =
            format!("the variable {variable}, which has the key of `{model}`, is not set");
        Check::new("settings", State::Fail, message)
            .with_help(format!("set {variable} before a run"))
    });
    missing.collect()
}
