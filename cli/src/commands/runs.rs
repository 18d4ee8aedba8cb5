//! `ptc runs`.

use std::fmt::Write as _;

use ptc_subagent::provider::Cost;
use ptc_subagent::store::{Filter, Found, Prune, Pruned, RunSummary};

use crate::args::{PruneArgs, RunsArgs, RunsCommand};
use crate::exported::open_to_read;
use crate::figures::{between, cost, plural};
use crate::records::{
    age, describe_status, filter, invalid_age, local, local_time, open_for_reading,
    open_for_writing, questions, say_damaged,
};
use crate::report::{self, Fault, Result};

/// Runs `ptc runs`.
pub(crate) fn command(args: &RunsArgs) -> Result<u8> {
    if let Some(RunsCommand::Prune(args)) = &args.command {
        return prune(args);
    }
    if args.waiting {
        return waiting(args);
    }
    let filter = filter(&args.filter, Some(args.limit))?;
    let found = match open_to_read(&args.store, None)? {
        Some(store) => store.find(&filter)?,
        None => Found::default(),
    };
    say_damaged(&found);
    if args.output.json {
        report::print_json(&serde_json::json!(found))?;
    } else if found.totals.runs > 0 {
        report::print(&table(&found))?;
    } else {
        let mut all = Filter::default();
        all.limit = filter.limit;
        report::say(if filter == all { "no runs on record\n" } else { "no such runs on record\n" });
    }
    Ok(report::DONE)
}

/// Runs `ptc runs --waiting`.
fn waiting(args: &RunsArgs) -> Result<u8> {
    let mut runs = match open_to_read(&args.store, None)? {
        Some(store) => store.waiting()?,
        None => Vec::new(),
    };
    runs.truncate(args.limit as usize);
    if args.output.json {
        report::print_json(&serde_json::json!(runs))?;
    } else if runs.is_empty() {
        report::say("no run waits\n");
    }
    for it in runs.iter().filter(|_| !args.output.json) {
        let due = it.due.map(|due| format!("  until {}", local_time(due))).unwrap_or_default();
        let head = format!("{}  {}{due}\n", it.run, report::clean(&it.agent));
        report::print(&format!("{head}{}", questions(&it.run, &it.questions)))?;
    }
    Ok(report::DONE)
}

/// Runs `ptc runs prune`.
fn prune(args: &PruneArgs) -> Result<u8> {
    if args.runs.is_empty() && args.older_than.is_none() && args.keep.is_none() {
        return Err(Fault::new("usage", "no option says which runs to delete")
            .with_help("name them, or give `--older-than TIME` or `--keep N`"));
    }
    let mut options = Prune::default();
    options.runs.clone_from(&args.runs);
    options.keep = args.keep;
    (options.ended, options.dry_run) = (args.ended, args.dry_run);
    if let Some(text) = &args.older_than {
        let wrong = || invalid_age("--older-than", text, "write it as `30d`, `12h` or `90m`");
        options.older_than = Some(age(text).ok_or_else(wrong)?);
    }
    let pruned = match open_for_reading(args.store.file())? {
        Some(_) => open_for_writing(args.store.file())?.prune(&options)?,
        None => Pruned::default(),
    };
    let runs = plural(pruned.runs, "run");
    report::say(&if args.dry_run {
        format!("{runs} would be deleted\n")
    } else {
        format!("{runs} deleted, the file is {} bytes smaller\n", pruned.bytes)
    });
    Ok(report::DONE)
}

/// The width of a table in columns, if stdout is not a terminal.
const WIDTH: usize = 100;
/// The smallest limit on the width of the models, in columns, even if the table becomes wider than the terminal.
const MIN_MODEL: usize = 12;

fn table(found: &Found) -> String {
    let has_cost = found.runs.iter().any(|run| cost(&run.usage).is_some());
    let mut rows = vec![
        ["run", "when", "took", "status", "agent", "turns", "calls", "cost", "model"]
            .map(str::to_owned),
    ];
    rows.extend(found.runs.iter().map(|run| {
        [
            run.run.to_string(),
            local(run.started_at, "%Y-%m-%d %H:%M"),
            run.ended_at.map(|end| between(run.started_at, end)).unwrap_or_default(),
            describe_status(run),
            name(run),
            run.turns.to_string(),
            run.tool_calls.to_string(),
            cost(&run.usage).map(|it| it.to_string()).unwrap_or_default(),
            report::clean(model(run)),
        ]
    }));
    let mut widths = [0; 9];
    for row in &rows {
        for (width, cell) in widths.iter_mut().zip(row) {
            *width = cell.chars().count().max(*width);
        }
    }
    // Times of a few seconds and of a few minutes take the same width.
    let [_, _, took, _, _, _, _, costs, models] = &mut widths;
    *took = 9.max(*took);
    *costs = if has_cost { *costs } else { 0 };
    let last = std::mem::take(models);
    let gaps = if has_cost { 16 } else { 14 };
    let terminal = terminal_size::terminal_size_of(std::io::stdout());
    let wide = terminal.map_or(WIDTH, |(width, _)| usize::from(width.0));
    let left = wide.saturating_sub(widths.iter().sum::<usize>() + gaps);
    let [.., models] = &mut widths;
    *models = last.min(left.max(MIN_MODEL));
    let mut text = String::new();
    for [run, when, took, status, agent, turns, calls, cost, model] in &rows {
        let [run_width, when_width, took_width, status_width, agent_width, ..] = widths;
        let [.., turn_width, call_width, cost_width, model_width] = widths;
        let cost = if has_cost { format!("  {cost:>cost_width$}") } else { String::new() };
        let row = format!(
            "{run:<run_width$}  {when:<when_width$}  {took:<took_width$}  {status:<status_width$}  \
             {agent:<agent_width$}  {turns:>turn_width$}  {calls:>call_width$}{cost}  {}",
            shortened(model, model_width)
        );
        // Writing to a string cannot fail.
        let _ = writeln!(text, "{}", row.trim_end());
    }
    let _ = writeln!(text, "\n{}", totals(found));
    text
}

/// Returns the model without its protocol. A recording is named `recorded`, without its file.
fn model(run: &RunSummary) -> &str {
    match run.model.split_once(':') {
        Some(("recorded", _)) => "recorded",
        Some((_, name)) => name,
        None => &run.model,
    }
}

fn shortened(text: &str, max: usize) -> String {
    if text.chars().count() <= max {
        return text.to_owned();
    }
    text.chars().take(max.saturating_sub(1)).chain(['…']).collect()
}

/// Returns the totals of all matching runs, on one line.
fn totals(found: &Found) -> String {
    let Found { runs, totals, .. } = found;
    let listed = if (runs.len() as u64) < totals.runs {
        format!("the newest {} of ", runs.len())
    } else {
        String::new()
    };
    let statuses: Vec<String> = totals
        .statuses
        .iter()
        .map(|(status, count)| format!("{count} {}", report::clean(status)))
        .collect();
    let cost = match totals.usage.cost {
        // Runs without a reply cost nothing, so a zero says nothing about the runs whose cost is unknown.
        Some(Cost::ZERO) if totals.cost_unknown > 0 || totals.usage.tokens() == 0 => String::new(),
        Some(cost) if totals.cost_unknown == 0 => format!(", {cost}"),
        Some(cost) => {
            format!(", {cost} and the unknown cost of {}", plural(totals.cost_unknown, "other run"))
        }
        None => String::new(),
    };
    format!(
        "{listed}{}: {} · {}, {}, {} tokens in, {} tokens out{cost}",
        plural(totals.runs, "run"),
        statuses.join(", "),
        plural(totals.turns, "turn"),
        plural(totals.tool_calls, "call"),
        totals.usage.input_tokens,
        totals.usage.output_tokens,
    )
}

/// Returns the agent's name, with a mark if the run is a sub-agent's, and with the number of its message in a
/// conversation.
fn name(run: &RunSummary) -> String {
    let mark = if run.parent.is_some() { "› " } else { "" };
    let message = run.conversation.as_ref().map(|it| format!(", message {}", it.message));
    format!("{mark}{}{}", report::clean(&run.agent), message.unwrap_or_default())
}
