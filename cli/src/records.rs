//! The record of runs: its place, and the runs in it.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::time::Duration;

use jiff::Timestamp;
use jiff::civil::Date;
use jiff::tz::TimeZone;
use ptc_subagent::form::Form;
use ptc_subagent::store::{Damaged, Filter, Found, RunSummary, Store};
use ptc_subagent::{OpenQuestion, RunId};

use crate::args::FilterArgs;
use crate::report::{self, Fault, Result};

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

/// Parses an age such as `30d`.
pub(crate) fn age(text: &str) -> Option<Duration> {
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
pub(crate) fn invalid_age(option: &str, text: &str, help: &str) -> Fault {
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

pub(crate) fn local(ms: u64, format: &str) -> String {
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
