//! `ptc resume`: continues a run.

use ptc_lisp::json;
use ptc_subagent::Data;
use ptc_subagent::host::Decisions;
use ptc_subagent::replay::Resume;

use crate::agents::{NAME_AGENT, agent_of, with_tools};
use crate::args::ResumeArgs;
use crate::events::EventLog;
use crate::input::host_context;
use crate::mission::{PATIENCE, run_to_end};
use crate::model::model_on_record;
use crate::output;
use crate::progress::Progress;
use crate::records;
use crate::report::{self, Fault, Result};
#[cfg(feature = "restate")]
use crate::restate;

/// Runs `ptc resume`.
pub(crate) fn command(args: &ResumeArgs) -> Result<u8> {
    let run = args.run.as_deref();
    #[cfg(feature = "restate")]
    if let Some(client) = restate::client(&args.store)? {
        return restate::decide(&client, run, decisions(args)?);
    }
    if records::open_for_reading(args.store.file())?.is_none() {
        return Err(records::unknown(run));
    }
    let store = records::open_for_writing(args.store.file())?;
    let resume = Resume::of(&store, &records::named_or_newest(&store, run)?)?;
    let agent = agent_of(resume.record(), args.agent.file(), NAME_AGENT)?;
    let context = host_context(args.context.file())?;
    let resume = with_tools(resume.decide(decisions(args)?)?)?;
    let provider =
        model_on_record(&args.model, &agent, resume.record())?.open_for(&resume, &agent)?;
    let (store_file, _) = records::place(args.store.file())?;
    let written =
        [("`--events`", args.events.as_deref()), ("the record of runs", Some(&*store_file))];
    output::check_distinct(&written, &[("the agent file", agent.file.as_deref())])?;
    let events = args.events.as_deref().map(EventLog::open).transpose()?;
    let mut progress =
        Progress::new(args.output.quiet, args.store.file()).after_record(resume.record());
    let summary = resume.record().summary.clone();
    let mission = resume.mission(&agent)?.with_context(context).wait_at_most(PATIENCE);
    if !args.output.quiet {
        report::say_about_tools(&agent);
    }
    progress.show_resumed(&summary);
    run_to_end(
        mission,
        &*provider,
        progress,
        events,
        &args.yes.yes,
        args.output.json,
        args.output.quiet,
    )
}

/// Returns the decisions of the command line.
fn decisions(args: &ResumeArgs) -> Result<Decisions> {
    let mut decisions = Decisions::default();
    for pair in args.assume_done.chunks(2) {
        let [call, text] = pair else { continue };
        let unusable = |why: &str| Fault::new("usage", format!("--assume-done: the result {why}"));
        let result =
            json::parse(text).map_err(|error| unusable(&format!("is not valid JSON: {error}")))?;
        let result = Data::of(&result)
            .map_err(|error| unusable(&format!("cannot be on record: {error}")))?;
        decisions.done.push((call.clone(), result));
    }
    decisions.retry.clone_from(&args.retry);
    decisions.accepts_change = args.accept_change;
    decisions.takes_over = args.take_over;
    decisions.keys = args.model.variables();
    Ok(decisions)
}
