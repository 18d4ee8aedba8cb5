//! Agent files, with the tools of the MCP servers that they name, and the settings of runs.

use std::path::Path;

use ptc_mcp::{Logins, Servers};
use ptc_subagent::provider::ModelSpec;
use ptc_subagent::replay::Resume;
use ptc_subagent::store::RunRecord;
use ptc_subagent::{Agent, Error, RunChange, RunSettings};

use crate::args::{ModelArgs, SettingsArgs};
use crate::records::state_folder;
use crate::report::{self, Fault};

/// Reads an agent file. Its servers are asked for their tools.
pub(crate) fn read(path: &Path) -> Result<Agent, Error> {
    Agent::read_with(path, &servers(), None)
}

/// Reads the agent file of a run on record. The tools of servers are those on record.
pub(crate) fn read_for(record: &RunRecord, path: &Path) -> Result<Agent, Error> {
    Agent::read_with(path, &servers(), Some(record))
}

/// Returns the settings of a file.
pub(crate) fn settings_of_file(path: &Path) -> Result<RunSettings, Error> {
    RunSettings::read_with(path, &servers())
}

/// Returns the settings of a run: those of the files, then those of the other options.
pub(crate) fn settings(args: &SettingsArgs, model: &ModelArgs) -> Result<RunSettings, Error> {
    let mut settings = RunSettings::new();
    for file in &args.files {
        settings.changes.extend(settings_of_file(file)?.changes);
    }
    let has_models = args.effort.is_some() || !args.fallbacks.is_empty();
    let has_tools = !args.removed.is_empty() || !args.only.is_empty() || args.effects.is_some();
    if has_tools || has_models {
        let mut change = RunChange::new().without_tools(&args.removed);
        change.effort = args.effort;
        if !args.fallbacks.is_empty() {
            // A model that cannot be read is an error of the command line.
            args.fallbacks.iter().try_for_each(|it| it.parse::<ModelSpec>().map(drop))?;
            change.fallback_models = Some(args.fallbacks.clone());
        }
        if !args.only.is_empty() {
            change = change.with_only_tools(&args.only);
        }
        if let Some(effect) = args.effects {
            change = change.with_effects([effect]);
        }
        settings = settings.with(change);
    }
    settings.changes.extend(model.keys());
    if args.start_at.is_some() || !args.skip.is_empty() {
        let mut change = RunChange::new().skipping(&args.skip);
        change.start_at.clone_from(&args.start_at);
        settings = settings.with(change);
    }
    if let Some(rules) = &args.transcript {
        settings = settings.with(RunChange::new().with_transcript(rules.clone()));
    }
    Ok(settings)
}

/// Gives a run to resume the tools that its settings add, from their files.
pub(crate) fn with_tools(resume: Resume<'_>) -> Result<Resume<'_>, Error> {
    let settings = RunSettings::of_record(resume.record())?;
    resume.with_settings(settings.with_tools_of_files(&servers())?)
}

/// Makes the host of MCP servers, with the logins of this user.
pub(crate) fn servers() -> Servers {
    match logins() {
        Ok(logins) => Servers::new().with_logins(logins),
        // Without a place for logins there are none.
        Err(_) => Servers::new(),
    }
}

/// Returns the logins of this user.
pub(crate) fn logins() -> report::Result<Logins> {
    let folder = state_folder().ok_or_else(|| {
        Fault::new("usage", "there is no place for logins").with_help("`HOME` is not set")
    })?;
    Ok(Logins::in_file(folder.join("mcp-logins.json")))
}

/// How a command that resumes or replays one run is told its agent file.
pub(crate) const NAME_AGENT: &str = "name it with `--agent AGENT.toml`";

/// Reads the agent of a run: from the named file, or else from the file that is on record. `help` tells how to name one.
pub(crate) fn agent_of(
    record: &RunRecord,
    named: Option<&Path>,
    help: &str,
) -> report::Result<Agent> {
    let recorded = record.setup.file.as_ref().map(Path::new);
    let Some(path) = named.or(recorded) else {
        let message = format!("run {} does not name its agent file", record.summary.run);
        return Err(Fault::new("no-replay", message).with_help(help));
    };
    if named.is_none() && !path.exists() {
        let message = format!("the agent file of the run is gone: {}", path.display());
        return Err(Fault::new("no-replay", message).with_help(help));
    }
    Ok(read_for(record, path)?)
}
