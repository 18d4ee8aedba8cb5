//! `ptc run`: runs a mission, from the agent file to its result.

use ptc_subagent::host::Start;
use ptc_subagent::provider::{Provider, Recorder};
use ptc_subagent::{Data, Mission};

use crate::agents;
use crate::args::RunArgs;
use crate::events::EventLog;
use crate::input::{host_context, json_input, mission_input};
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
    let settings = agents::settings(&args.settings, &args.model)?;
    Mission::new(&agent, input.clone()).with_settings(settings.clone()).system_prompt()?;
    let model = chosen_model(&args.model, &agent, &settings)?;
    check_files(args, &agent, &model.spec)?;
    let provider = model.open()?;
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
    let payload =
        args.payload.as_deref().map(|it| Ok::<_, Fault>(Data::of(&json_input("--payload", it)?)?));
    let mut start = Start::of(input);
    start.payload = payload.transpose()?;
    start.payload_from.clone_from(&args.payload_from);
    start.after.clone_from(&args.after);
    start.conversation.clone_from(&args.conversation);
    start.seed = args.seed.seed;
    start.context = host_context(args.context.file())?;
    start.settings = settings;
    let mission = runtime()?.block_on(start.mission(&agent, Some(&store)))?;
    run_to_end(
        mission.wait_at_most(PATIENCE),
        &*provider,
        progress,
        events,
        &args.yes.yes,
        args.output.json,
        args.output.quiet,
    )
}
