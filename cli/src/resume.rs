//! `ptc resume`: continues a run.

use std::path::Path;

use ptc_lisp::json;
use ptc_subagent::provider::{ModelSpec, Provider, Recorded};
use ptc_subagent::replay::Resume;
use ptc_subagent::store::RunRecord;
use ptc_subagent::{Agent, Data};

use crate::agents;
use crate::args::ResumeArgs;
use crate::events::EventLog;
use crate::output;
use crate::progress::Progress;
use crate::report::{self, Fault, Result};
use crate::run::{PATIENCE, chosen_model, run_to_end};
use crate::runs;

/// Runs `ptc resume`.
pub(crate) fn command(args: &ResumeArgs) -> Result<u8> {
    let run = args.run.as_deref();
    if runs::open_for_reading(args.store.file())?.is_none() {
        return Err(runs::unknown(run));
    }
    let store = runs::open_for_writing(args.store.file())?;
    let mut resume = Resume::of(&store, &runs::named_or_newest(&store, run)?)?;
    let agent = agent_of(resume.record(), args.agent.as_deref(), NAME_AGENT)?;
    for pair in args.assume_done.chunks(2) {
        let [call, text] = pair else { continue };
        let unusable = |why: &str| Fault::new("usage", format!("--assume-done: the result {why}"));
        let result =
            json::parse(text).map_err(|error| unusable(&format!("is not valid JSON: {error}")))?;
        let result = Data::of(&result)
            .map_err(|error| unusable(&format!("cannot be on record: {error}")))?;
        resume = resume.assume_done(call, result)?;
    }
    for call in &args.retry {
        resume = resume.retry(call)?;
    }
    if args.accept_change {
        resume = resume.accept_change();
    }
    if args.take_over {
        resume = resume.take_over();
    }
    let (model, options) = chosen_model(&args.model, &agent)?;
    // A recording continues after the replies that are on record.
    let provider: Box<dyn Provider> = match &model {
        ModelSpec::Recorded(path) => {
            Box::new(Recorded::open(path)?.without(resume.replies(&agent)))
        }
        model => model.open(&options)?,
    };
    let (store_file, _) = runs::place(args.store.file())?;
    let written =
        [("`--events`", args.events.as_deref()), ("the record of runs", Some(&*store_file))];
    output::check_distinct(&written, &[("the agent file", agent.file.as_deref())])?;
    let events = args.events.as_deref().map(EventLog::open).transpose()?;
    let mut progress = Progress::new(args.quiet, args.store.file()).after_record(resume.record());
    let summary = resume.record().summary.clone();
    let mission = resume.mission(&agent)?.wait_at_most(PATIENCE);
    if !args.quiet {
        report::say_about_tools(&agent);
    }
    progress.show_resumed(&summary);
    run_to_end(mission, &*provider, progress, events, &args.yes.yes, args.json, args.quiet)
}

/// How a command that resumes or replays one run is told its agent file.
pub(crate) const NAME_AGENT: &str = "name it with `--agent AGENT.toml`";

/// Reads the agent of a run: from the named file, or else from the file that is on record. `help` tells how to name one.
pub(crate) fn agent_of(record: &RunRecord, named: Option<&Path>, help: &str) -> Result<Agent> {
    let recorded = record.file.as_ref().map(Path::new);
    let Some(path) = named.or(recorded) else {
        let message = format!("run {} does not name its agent file", record.summary.run);
        return Err(Fault::new("no-replay", message).with_help(help));
    };
    if named.is_none() && !path.exists() {
        let message = format!("the agent file of the run is gone: {}", path.display());
        return Err(Fault::new("no-replay", message).with_help(help));
    }
    Ok(agents::read_for(record, path)?)
}
