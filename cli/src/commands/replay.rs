//! `ptc replay`: replays a run, unchanged or with a change.

use std::fmt::Write as _;

use ptc_subagent::replay::{Difference, Replay, Replayed};
use ptc_subagent::store::{CallRecord, Hidden, RunRecord, Store, TurnRecord};
use ptc_subagent::{RunError, TurnOutcome};

use crate::agents;
use crate::agents::{NAME_AGENT, agent_of};
use crate::args::ReplayArgs;
use crate::difference_text::{cut, show};
use crate::exported;
use crate::figures::plural;
use crate::hidden;
use crate::input;
use crate::mission::run_to_end;
use crate::model::model_on_record;
use crate::process::runtime;
use crate::progress::Progress;
use crate::records;
use crate::report::{self, Fault, Result};

/// Runs `ptc replay`.
pub(crate) fn command(args: &ReplayArgs) -> Result<u8> {
    let (store, run) = exported::find(args.run.name(), &args.store)?;
    let replay = Replay::of(&store, &run)?;
    let replay = match (args.turn, &args.program) {
        (Some(turn), Some(program)) => replay.with_program(turn, &source(program)?)?,
        _ => replay,
    };
    if args.live || args.from.is_some() {
        return branch(args, &replay);
    }
    let replay = match &args.prompt {
        Some(path) => {
            let agent = agents::read_for(replay.record(), path)?;
            replay.with_agent(agent)
        }
        None => replay,
    };
    let replayed = runtime()?.block_on(replay.run())?;
    let mut runs = replay.family();
    runs.push(replayed.record.clone());
    let hidden = hidden::of(&runs, &args.hidden)?;
    match args.turn {
        Some(turn) => what_if(args, turn, replay.record(), &replayed, &hidden),
        None => report_differences(args, replay.record(), &replayed, &hidden),
    }
}

fn source(program: &str) -> Result<String> {
    input::named(program, "the program")
}

/// Continues from a turn as a new run.
fn branch(args: &ReplayArgs, replay: &Replay) -> Result<u8> {
    let store: Store = records::open_for_writing(args.store.file())?;
    let agent = agent_of(replay.record(), args.agent.as_deref(), NAME_AGENT)?;
    let turns = args.from.or(args.turn).unwrap_or(0);
    let provider = model_on_record(&args.model, &agent, replay.record())?.open()?;
    let progress = Progress::new(args.progress.quiet, args.store.file());
    let settings = replay.settings().with_tools_of_files(&agents::servers())?;
    let mission = replay.branch(&agent, turns).with_settings(settings).record_in(&store);
    run_to_end(mission, &*provider, progress, None, &[], args.output.json, args.progress.quiet)
}

/// Reports whether a replay equals the record.
fn report_differences(
    args: &ReplayArgs,
    record: &RunRecord,
    replayed: &Replayed,
    hidden: &Hidden,
) -> Result<u8> {
    let run = &record.summary.run;
    let differences: Vec<Difference> =
        replayed.differences.iter().map(|it| hidden.difference(it)).collect();
    if args.output.json {
        report::print_json(&replayed.to_json(hidden)?)?;
    } else if differences.is_empty() {
        let summary = &replayed.record.summary;
        let open =
            if record.summary.ended_at.is_none() { ", as far as the record goes" } else { "" };
        let (what, drift) = match replayed.drift.len() {
            0 => ("nothing", String::new()),
            drift => {
                let drift = plural(drift as u64, "other difference");
                let since = "since another version of ptc recorded it (--json has them)";
                ("no call and no ending", format!("; {drift}, {since}"))
            }
        };
        report::print(&format!(
            "run {run}: {what} differs in {}, {}, {} fuel{open}{drift}\n",
            plural(u64::from(summary.turns), "turn"),
            plural(summary.tool_calls, "call"),
            summary.fuel
        ))?;
    } else {
        let mut page = String::new();
        let shown = if args.prompt.is_some() { differences.len() } else { 1 };
        for difference in differences.iter().take(shown) {
            show(&mut page, difference, ("recorded", "replayed"));
        }
        let more = differences.len() - shown;
        if more > 0 {
            // Writing to a string cannot fail.
            let more = plural(more as u64, "more difference");
            let _ = writeln!(page, "{more}; --json has them");
        }
        report::print(&page)?;
    }
    Ok(if differences.is_empty() { report::DONE } else { report::NO_PROGRAM })
}

/// Reports the outcome of another program of a turn, beside that of the recorded one.
fn what_if(
    args: &ReplayArgs,
    turn: u32,
    record: &RunRecord,
    replayed: &Replayed,
    hidden: &Hidden,
) -> Result<u8> {
    let of = |record: &RunRecord| {
        let shown = hidden.cover(record);
        shown
            .turn_records
            .iter()
            .find(|it| it.turn == turn)
            .cloned()
            .ok_or_else(|| Fault::new("no-replay", format!("the record has no turn {turn}")))
    };
    let (old, new) = (of(record)?, of(&replayed.record)?);
    let unanswered: Vec<&CallRecord> = new.calls.iter().filter(|it| it.ended.is_none()).collect();
    let exit = match &replayed.report {
        Some(report) => report.exit_code(),
        None if new.outcome == Some(TurnOutcome::Value) => report::DONE,
        None => report::NO_PROGRAM,
    };
    if args.output.json {
        report::print_json(&replayed.turn_to_json(record, turn, hidden)?)?;
        return Ok(exit);
    }
    let mut page = format!("turn {turn} of run {}\n", record.summary.run);
    side(&mut page, "was", &old);
    side(&mut page, "is", &new);
    let answered = new.calls.len() - unanswered.len();
    if !new.calls.is_empty() {
        let _ = writeln!(page, "  calls  {answered} answered from the record");
    }
    for call in &unanswered {
        let line = format!("{} {}", call.tool, call.args);
        let _ = writeln!(page, "         not on record: {}", report::clean(&cut(&line)));
    }
    for line in &new.prints {
        let _ = writeln!(page, "  prints {}", report::clean(&cut(line)));
    }
    report::print(&page)?;
    if !unanswered.is_empty() {
        report::say("`--live` makes the calls that are not on record, as a new run\n");
    }
    Ok(exit)
}

/// Adds the outcome of a turn to a page, on one line.
fn side(page: &mut String, name: &str, turn: &TurnRecord) {
    let outcome = turn.outcome.as_ref().map_or("unfinished", TurnOutcome::as_str);
    let problem = |error: &RunError| {
        let place = error.line.map(|line| format!("line {line}: ")).unwrap_or_default();
        format!("{place}{}", error.message)
    };
    let first = turn.rejection.as_ref().and_then(|all| all.first());
    let what = match (first, &turn.error, &turn.value) {
        (Some(error), ..) | (None, Some(error), _) => problem(error),
        (None, None, Some(value)) => value.clone(),
        (None, None, None) => String::new(),
    };
    let what = report::clean(&cut(&what.replace('\n', " ")));
    let _ = writeln!(page, "  {name:<6} {}", format!("{outcome} · {what}").trim_end_matches(" · "));
}
