//! `ptc runs`, and where the record is.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::time::Duration;

use jiff::Timestamp;
use jiff::tz::TimeZone;
use ptc_subagent::store::{Prune, Pruned, RunSummary, Store};

use crate::args::{PruneArgs, RunsArgs, RunsCommand};
use crate::progress::plural;
use crate::report::{self, Fault, Result};

/// Runs `ptc runs`.
pub(crate) fn command(args: &RunsArgs) -> Result<u8> {
    if let Some(RunsCommand::Prune(args)) = &args.command {
        return prune(args);
    }
    let runs = match open_for_reading(args.store.as_deref())? {
        Some(store) => store.runs(args.limit)?,
        None => Vec::new(),
    };
    if args.json {
        report::print(&format!("{}\n", serde_json::json!({ "runs": runs })))?;
    } else if runs.is_empty() {
        report::say("no runs on record\n");
    } else {
        report::print(&table(&runs))?;
    }
    Ok(report::DONE)
}

/// Runs `ptc runs prune`.
fn prune(args: &PruneArgs) -> Result<u8> {
    if args.runs.is_empty() && args.older_than.is_none() && args.keep.is_none() {
        return Err(Fault::new("usage", "nothing says which runs are to go")
            .with_help("name them, or give `--older-than TIME` or `--keep N`"));
    }
    let mut what = Prune::default();
    what.runs.clone_from(&args.runs);
    what.keep = args.keep;
    what.dry_run = args.dry_run;
    what.older_than = args.older_than.as_deref().map(age).transpose()?;
    let pruned = match open_for_reading(args.store.as_deref())? {
        Some(_) => open_for_writing(args.store.as_deref())?.prune(&what)?,
        None => Pruned::default(),
    };
    let runs = plural(pruned.runs, "run");
    report::say(&if args.dry_run {
        format!("{runs} would go\n")
    } else {
        format!("{runs} deleted, the file is {} bytes smaller\n", pruned.bytes)
    });
    Ok(report::DONE)
}

/// Reads a time such as `30d`.
fn age(text: &str) -> Result<Duration> {
    let wrong = || {
        Fault::new("usage", format!("--older-than: `{text}` is no time"))
            .with_help("write it as `30d`, `12h` or `90m`")
    };
    let (number, unit) = text.split_at(text.len() - text.chars().last().map_or(0, char::len_utf8));
    let seconds: u64 = match unit {
        "d" => 86400,
        "h" => 3600,
        "m" => 60,
        _ => return Err(wrong()),
    };
    let number: u64 = number.parse().map_err(|_| wrong())?;
    Ok(Duration::from_secs(number.saturating_mul(seconds)))
}

fn table(runs: &[RunSummary]) -> String {
    let longest = |of: fn(&RunSummary) -> usize| runs.iter().map(of).max().unwrap_or(0);
    let status = longest(|it| how(it).chars().count()).max(6);
    let agent = longest(|it| name(it).chars().count()).max(5);
    let mut text = format!(
        "{:<26}  {:<19}  {:<status$}  {:<agent$}  {:>5}  {:>5}\n",
        "run", "when", "status", "agent", "turns", "calls"
    );
    for run in runs {
        // A string takes everything that is written to it.
        let _ = writeln!(
            text,
            "{:<26}  {:<19}  {:<status$}  {:<agent$}  {:>5}  {:>5}",
            run.run.as_str(),
            when(run.started_at),
            how(run),
            name(run),
            run.turns,
            run.tool_calls
        );
    }
    text
}

/// The agent's name, with a mark if the run is a sub-agent's.
fn name(run: &RunSummary) -> String {
    let mark = if run.parent.is_some() { "› " } else { "" };
    format!("{mark}{}", report::clean(&run.agent))
}

/// How a run ended: `returned`, or `stopped: fuel`.
pub(crate) fn how(run: &RunSummary) -> String {
    match &run.stop {
        Some(stop) => format!("{}: {stop}", run.status),
        None => run.status.clone(),
    }
}

/// A time of the record, in the time zone of whoever asks.
pub(crate) fn when(ms: u64) -> String {
    match Timestamp::from_millisecond(ms.cast_signed()) {
        Ok(time) => time.to_zoned(TimeZone::system()).strftime("%Y-%m-%d %H:%M:%S").to_string(),
        Err(_) => "?".to_owned(),
    }
}

/// Opens the record that a run goes to, and makes it if there is none.
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

/// Opens the record for reading. Unless the command line names one, there may be none yet.
pub(crate) fn open_for_reading(option: Option<&Path>) -> Result<Option<Store>> {
    let (path, named) = place(option)?;
    // An empty file is about to be made a record by another process.
    if !named && path.metadata().map_or(true, |it| it.len() == 0) {
        return Ok(None);
    }
    Ok(Some(Store::open_read_only(&path)?))
}

/// How far back the newest run that nobody called is looked for.
const NEWEST: u32 = 10_000;

/// The run that is named, else the newest one that no run called.
pub(crate) fn named_or_newest(store: &Store, run: Option<&str>) -> Result<String> {
    if let Some(run) = run {
        return Ok(run.to_owned());
    }
    // A run comes before those of its sub-agents, of which there may be many.
    let runs = store.runs(NEWEST)?;
    match runs.iter().find(|run| run.parent.is_none()) {
        Some(run) => Ok(run.run.to_string()),
        None => Err(unknown(None)),
    }
}

/// What is said of a run where there is no record.
pub(crate) fn unknown(run: Option<&str>) -> Fault {
    let message = run.map_or("there is no run".to_owned(), |run| format!("no run `{run}`"));
    Fault::new("unknown-run", message).with_help("there are no runs on record yet")
}

/// Where the record is, and whether the command line says so.
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
