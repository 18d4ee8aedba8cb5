//! `ptc run`: runs a mission, from the agent file to its result.

use ptc_subagent::provider::{Provider, Recorder};
use ptc_subagent::{Data, Earlier, Mission};

use crate::agents;
use crate::args::RunArgs;
use crate::events::EventLog;
use crate::input::{json_input, mission_input};
use crate::mission::{PATIENCE, run_to_end};
use crate::model::chosen_model;
use crate::process::runtime;
use crate::progress::Progress;
use crate::records;
use crate::report::{self, Fault, Result};
use crate::run_files::check_files;

/// Runs `ptc run`.
pub(crate) fn command(args: &RunArgs) -> Result<u8> {
    let mut agent = agents::read(&args.agent.file)?;
    if args.mission.input.as_deref() == Some("-") && args.payload.as_deref() == Some("-") {
        let message = "both `--input` and `--payload` read standard input";
        return Err(Fault::new("usage", message).with_help("give one of them as `@FILE`"));
    }
    let input = mission_input(&agent, args.mission.input.as_deref(), &args.mission.set)?;
    // An invalid input fails here, before any file is opened or overwritten.
    Mission::new(&agent, input.clone()).system_prompt()?;
    let (model, options) = chosen_model(&args.model, &agent)?;
    check_files(args, &agent, &model)?;
    let provider = model.open(&options)?;
    let store = records::open_for_writing(args.store.as_deref())?;
    agent.learn(&store)?;
    let events = args.events.as_deref().map(EventLog::open).transpose()?;
    let provider: Box<dyn Provider> = match &args.record {
        Some(path) => Box::new(Recorder::create(provider, path)?),
        None => provider,
    };
    if !args.output.quiet {
        report::say_about_tools(&agent);
    }
    let progress = Progress::new(args.output.quiet, args.store.as_deref());
    let mission = Mission::new(&agent, input).record_in(&store).wait_at_most(PATIENCE);
    let mission = match &args.payload {
        Some(payload) => mission.with_payload(Data::of(&json_input("--payload", payload)?)?),
        None => mission,
    };
    let mission = match &args.payload_from {
        Some(run) => mission.continue_payload(store.payload_of(run)?),
        None => mission,
    };
    let mission = match &args.after {
        Some(run) => mission.after(runtime()?.block_on(Earlier::of(&store, run, &agent))?),
        None => mission,
    };
    let mission = match args.seed.seed {
        Some(seed) => mission.with_seed(seed),
        None => mission,
    };
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
