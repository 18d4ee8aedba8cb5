//! Agent files, with the tools of the MCP servers that they name, and the settings of runs.

use std::path::{Path, PathBuf};

use ptc_mcp::{Logins, Servers};
use ptc_subagent::provider::ModelSpec;
use ptc_subagent::replay::Resume;
use ptc_subagent::store::RunRecord;
use ptc_subagent::{Agent, Error, ErrorKind, RunChange, RunSettings};

use crate::args::{ModelArgs, SettingsArgs};
use crate::records::state_folder;
use crate::report::{self, Fault};

/// Reads an agent file. Its servers are asked for their tools.
pub(crate) fn read(path: &Path) -> Result<Agent, Error> {
    Agent::read_with(path, &servers(), None)
}

/// Reads agent files, and those of folders. `left_out` is told why a file of a folder cannot be used.
pub(crate) fn read_all(paths: &[PathBuf], left_out: &dyn Fn(&str)) -> report::Result<Vec<Agent>> {
    let mut all = Vec::new();
    for path in paths {
        if path.is_dir() {
            in_folder(path, &mut all, left_out)?;
        } else {
            all.push(read(path)?);
        }
    }
    if all.is_empty() {
        return Err(Fault::new("usage", "there is no agent file in these folders"));
    }
    Ok(all)
}

/// Returns how the agent of a recorded run is read, with the tools that its servers had.
pub(crate) fn recall() -> impl Fn(&RunRecord) -> Result<Agent, Error> {
    let servers = servers();
    move |record| {
        let file = record.setup.file.as_ref().map(Path::new);
        let file = file.ok_or_else(|| {
            let message = format!("run {} does not name its agent file", record.summary.run);
            Error::new(ErrorKind::Replay, message)
        })?;
        Agent::read_with(file, &servers, Some(record))
    }
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

/// The maximum depth of the folders in which agent files are looked for.
const MAX_DEPTH: usize = 3;

/// Adds the agents of a folder. Each file `agent.toml` is one; a folder without any has one in each file that can be read
/// as an agent. A file that cannot be used is told.
fn in_folder(folder: &Path, all: &mut Vec<Agent>, left_out: &dyn Fn(&str)) -> report::Result<()> {
    let mut files = Vec::new();
    agent_files(folder, MAX_DEPTH, &mut files)?;
    for file in files {
        let agent = match read(&file) {
            Ok(agent) => agent,
            Err(error) => {
                left_out(&error.to_string());
                continue;
            }
        };
        if all.iter().any(|it| it.name == agent.name) {
            let file = file.display();
            left_out(&format!("{file}: another agent is named `{}`", agent.name));
            continue;
        }
        all.push(agent);
    }
    Ok(())
}

/// Lists the agent files of a folder and the folders in it, in the order of their names.
fn agent_files(folder: &Path, depth: usize, files: &mut Vec<PathBuf>) -> report::Result<()> {
    let failed = |error: std::io::Error| {
        Fault::new("unreadable-file", format!("cannot read {}: {error}", folder.display()))
    };
    let mut entries = Vec::new();
    for entry in std::fs::read_dir(folder).map_err(failed)? {
        entries.push(entry.map_err(failed)?.path());
    }
    entries.sort();
    let named: Vec<PathBuf> = entries
        .iter()
        .filter(|it| it.file_name().is_some_and(|it| it == "agent.toml"))
        .cloned()
        .collect();
    let others = entries.iter().filter(|it| it.extension().is_some_and(|it| it == "toml"));
    if named.is_empty() {
        files.extend(others.filter(|it| it.is_file()).cloned());
    } else {
        // The other files of such a folder are the agents that it calls.
        files.extend(named);
    }
    let folders = entries.iter().filter(|it| it.is_dir()).filter(|_| depth > 0);
    for folder in folders {
        agent_files(folder, depth - 1, files)?;
    }
    Ok(())
}
