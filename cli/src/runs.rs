//! `ptc runs`, and the place of the record.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::time::Duration;

use jiff::Timestamp;
use jiff::civil::Date;
use jiff::tz::TimeZone;
use ptc_subagent::form::Form;
use ptc_subagent::provider::Cost;
use ptc_subagent::store::{Damaged, Filter, Found, Prune, Pruned, RunSummary, Store};
use ptc_subagent::{OpenQuestion, RunId};

use crate::args::{FilterArgs, PruneArgs, RunsArgs, RunsCommand};
use crate::figures::{between, cost, plural};
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
    let found = match open_for_reading(args.store.file())? {
        Some(store) => store.find(&filter)?,
        None => Found::default(),
    };
    say_damaged(&found);
    if args.json {
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
    let mut runs = match open_for_reading(args.store.file())? {
        Some(store) => store.waiting()?,
        None => Vec::new(),
    };
    runs.truncate(args.limit as usize);
    if args.json {
        report::print_json(&serde_json::json!(runs))?;
    } else if runs.is_empty() {
        report::say("no run waits\n");
    }
    for it in runs.iter().filter(|_| !args.json) {
        let due = it.due.map(|due| format!("  until {}", local_time(due))).unwrap_or_default();
        let head = format!("{}  {}{due}\n", it.run, report::clean(&it.agent));
        report::print(&format!("{head}{}", questions(&it.run, &it.questions)))?;
    }
    Ok(report::DONE)
}

/// The largest number of lines of a question's further text in a list.
const MAX_HELP: usize = 12;

/// Lists open questions: the id, the agent unless it is that of the run, the title, and the type of the answer; below
/// them the further text.
pub(crate) fn questions(run: &RunId, all: &[OpenQuestion]) -> String {
    let mut text = String::new();
    for it in all {
        let own = it.id.strip_prefix(run.as_str()).and_then(|rest| rest.strip_prefix('.'));
        let agent = if own.is_some() { String::new() } else { format!("{}: ", it.agent) };
        let (title, ty, help) = match Form::read(&it.form) {
            Ok(form) => (form.summary().to_owned(), form.signature().output.to_string(), form.help),
            Err(_) => (it.form.to_string(), String::new(), None),
        };
        let line = format!("  {}  {agent}{title}  {ty}", own.unwrap_or(&it.id));
        // Writing to a string cannot fail.
        let _ = writeln!(text, "{}", report::clean(line.trim_end()));
        let help = help.unwrap_or_default();
        for line in help.lines().take(MAX_HELP) {
            let _ = writeln!(text, "    {}", report::clean(line));
        }
        if help.lines().count() > MAX_HELP {
            let _ = writeln!(text, "    …");
        }
    }
    text
}

/// Warns about each run that cannot be read.
pub(crate) fn say_damaged(found: &Found) {
    for Damaged { run, message, .. } in &found.damaged {
        let message = format!("run {run} cannot be read: {message}");
        report::say(&format!("warning: {}\n", report::clean(&message)));
    }
}

/// Returns the filter that the command line asks for.
pub(crate) fn filter(args: &FilterArgs, limit: Option<u32>) -> Result<Filter> {
    let mut filter = Filter::default();
    filter.status.clone_from(&args.status);
    filter.agent.clone_from(&args.agent);
    filter.tool.clone_from(&args.tool);
    filter.error.clone_from(&args.error);
    filter.since = args.since.as_deref().map(since).transpose()?;
    filter.conversation.clone_from(&args.conversation);
    filter.roots = args.roots;
    filter.limit = limit;
    Ok(filter)
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
    options.dry_run = args.dry_run;
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

/// Parses an age such as `30d`.
fn age(text: &str) -> Option<Duration> {
    let (number, unit) = text.split_at(text.len() - text.chars().last().map_or(0, char::len_utf8));
    let seconds: u64 = match unit {
        "d" => 86400,
        "h" => 3600,
        "m" => 60,
        _ => return None,
    };
    let number: u64 = number.parse().ok()?;
    Some(Duration::from_secs(number.saturating_mul(seconds)))
}

/// Returns the fault of an option whose value is not an age.
fn invalid_age(option: &str, text: &str, help: &str) -> Fault {
    Fault::new("usage", format!("{option}: `{text}` is not a time")).with_help(help)
}

/// Parses an age, or a day in the local time zone, as milliseconds since 1970.
fn since(text: &str) -> Result<u64> {
    let now = Timestamp::now().as_millisecond();
    let start = match age(text) {
        Some(age) => Some(now.saturating_sub(i64::try_from(age.as_millis()).unwrap_or(i64::MAX))),
        None => text.parse::<Date>().ok().and_then(|day| {
            Some(day.to_zoned(TimeZone::system()).ok()?.timestamp().as_millisecond())
        }),
    };
    match start {
        Some(start) => Ok(start.max(0).cast_unsigned()),
        None => Err(invalid_age("--since", text, "write it as `2d`, `12h`, `90m` or `2026-11-01`")),
    }
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

/// Describes how a run ended: `returned`, or `stopped: fuel`, or `died` if its process did.
pub(crate) fn describe_status(run: &RunSummary) -> String {
    match run.stop {
        _ if run.died => "died".to_owned(),
        // A later version may have written another word.
        Some(stop) => report::clean(&format!("{}: {stop}", run.status)),
        None => report::clean(run.status.as_str()),
    }
}

/// Formats a time of the record, in ms since 1970, in the local time zone.
pub(crate) fn local_time(ms: u64) -> String {
    local(ms, "%Y-%m-%d %H:%M:%S")
}

fn local(ms: u64, format: &str) -> String {
    match Timestamp::from_millisecond(ms.cast_signed()) {
        Ok(time) => time.to_zoned(TimeZone::system()).strftime(format).to_string(),
        Err(_) => "?".to_owned(),
    }
}

/// Opens the record for writing, and creates it if it is missing.
pub(crate) fn open_for_writing(option: Option<&Path>) -> Result<Store> {
    let (path, named) = place(option)?;
    if !named && let Some(folder) = path.parent() {
        std::fs::create_dir_all(folder).map_err(|error| {
            let message = format!("cannot make the folder {}: {error}", folder.display());
            Fault::new("store-failure", message).with_help("name another place with `--store FILE`")
        })?;
    }
    Ok(Store::open(&path)?)
}

/// Opens the record for reading. Returns `None` if it does not exist yet and the command line does not name it.
pub(crate) fn open_for_reading(option: Option<&Path>) -> Result<Option<Store>> {
    let (path, named) = place(option)?;
    // Another process has created an empty file and is about to make it a record.
    if !named && path.metadata().map_or(true, |it| it.len() == 0) {
        return Ok(None);
    }
    Ok(Some(Store::open_read_only(&path)?))
}

/// Returns the named run, or else the newest run that no other run called.
pub(crate) fn named_or_newest(store: &Store, run: Option<&str>) -> Result<String> {
    if let Some(run) = run {
        return Ok(run.to_owned());
    }
    let mut newest = Filter::default();
    (newest.roots, newest.limit) = (true, Some(1));
    let runs = store.find(&newest)?.runs;
    runs.first().map(|run| run.run.to_string()).ok_or_else(|| unknown(None))
}

/// Returns the fault of a command that needs a run while there is no record.
pub(crate) fn unknown(run: Option<&str>) -> Fault {
    let message = run.map_or("there is no run".to_owned(), |run| format!("no run `{run}`"));
    Fault::new("unknown-run", message).with_help("there are no runs on record yet")
}

/// Returns the folder for the state of `ptc`, such as histories and logins; `None` if there is no place for it.
pub(crate) fn state_folder() -> Option<PathBuf> {
    let var = |name: &str| std::env::var_os(name).filter(|it| !it.is_empty()).map(PathBuf::from);
    let state = var("XDG_STATE_HOME")
        .or_else(|| var("LOCALAPPDATA").filter(|_| cfg!(windows)))
        .or_else(|| var("HOME").map(|home| home.join(".local").join("state")))?;
    Some(state.join("ptc"))
}

/// Returns the path of the record, and whether the command line names it.
pub(crate) fn place(option: Option<&Path>) -> Result<(PathBuf, bool)> {
    let var = |name: &str| std::env::var_os(name).filter(|it| !it.is_empty()).map(PathBuf::from);
    if let Some(path) = option {
        return Ok((path.to_path_buf(), true));
    }
    if let Some(path) = var("PTC_STORE") {
        return Ok((path, false));
    }
    let data = var("XDG_DATA_HOME")
        .or_else(|| var("LOCALAPPDATA").filter(|_| cfg!(windows)))
        .or_else(|| var("HOME").map(|home| home.join(".local").join("share")));
    match data {
        Some(data) => Ok((data.join("ptc").join("runs.sqlite"), false)),
        None => Err(Fault::new("store-failure", "there is no place for the record of runs")
            .with_help("name one with `--store FILE` or in `PTC_STORE`; `HOME` is not set")),
    }
}
