//! The checks of sources. None is loaded.

use ptc_subagent::Agent;
use ptc_subagent::sources::OnSourceError;

use super::check::{Check, State};

/// Checks that the files and databases of an agent's sources can be read. `prefix` is the path of the agent.
pub(super) fn sources(prefix: &str, agent: &Agent) -> Vec<Check> {
    let all = agent.sources.iter().map(|source| {
        let what = format!("source {prefix}{}", source.name);
        let place = source.place();
        match source.check() {
            _ if !source.enabled => Check::new(&what, State::Ok, "is off"),
            Ok(()) => Check::new(&what, State::Ok, format!("{place} can be read")),
            Err(why) => {
                let stops = source.on_error == OnSourceError::Stop;
                let state = if stops { State::Fail } else { State::Warn };
                Check::new(&what, state, format!("{place}: {why}"))
                    .with_help("mend it before a run, or switch the source off")
            }
        }
    });
    all.collect()
}
