//! The files that a command which runs missions reads and writes.

use std::path::Path;

use ptc_subagent::Agent;
use ptc_subagent::provider::ModelSpec;

use crate::args::RunArgs;
use crate::output;
use crate::records;
use crate::report::Result;

/// Fails if the command would write over another of its files.
pub(crate) fn check_files(args: &RunArgs, agent: &Agent, model: &ModelSpec) -> Result<()> {
    let (store, _) = records::place(args.store.as_deref())?;
    let written = [
        ("`--events`", args.events.as_deref()),
        ("`--record`", args.record.as_deref()),
        ("`--out`", args.out.as_deref()),
        ("the record of runs", Some(&*store)),
    ];
    let recorded = match model {
        ModelSpec::Recorded(path) => Some(&**path),
        _ => None,
    };
    let mut read = vec![
        ("the agent file", Some(&*args.agent.file)),
        (
            "`--input`",
            args.mission.input.as_deref().and_then(|it| it.strip_prefix('@')).map(Path::new),
        ),
        ("`--payload`", args.payload.as_deref().and_then(|it| it.strip_prefix('@')).map(Path::new)),
        ("the input of the agent", agent.input.as_deref()),
        ("`--inputs`", args.inputs.as_deref().filter(|it| *it != "-").map(Path::new)),
        ("the recording that answers", recorded),
    ];
    read.extend(args.settings.files.iter().map(|it| ("`--with`", Some(&**it))));
    output::check_distinct(&written, &read)?;
    if let Some(path) = &args.record
        && let Some((name, _)) = output::standard_stream(path)
    {
        return Err(output::overwrite_fault("`--record`", name, path));
    }
    Ok(())
}
