//! `ptc view`: runs as one self-contained page of HTML.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use ptc_subagent::ErrorKind;
use ptc_subagent::replay::Replay;
use ptc_subagent::store::{Filter, RunRecord, Snapshot, Store};
use ptc_view::RunsPage;

use crate::args::{HiddenArgs, ViewArgs};
use crate::exported;
use crate::figures::plural;
use crate::hidden;
use crate::output;
use crate::process::runtime;
use crate::records;
use crate::report::{self, Fault, Result};

/// Runs `ptc view`.
pub(crate) fn command(args: &ViewArgs) -> Result<u8> {
    if !args.all && records::filter(&args.filter, None)? != Filter::default() {
        return Err(Fault::new("usage", "a filter is for many runs, and one run is shown")
            .with_help("add `--all`"));
    }
    let (page, name) = if args.all {
        let store = exported::open_to_read(&args.store, None)?;
        let store = store.ok_or_else(|| records::unknown(None))?;
        let filter = records::filter(&args.filter, Some(args.limit))?;
        (matching_runs(&store, &filter, args)?, "runs.html".to_owned())
    } else {
        named_run(args)?
    };
    let Page { count, html } = page;
    if args.out.as_ref().is_some_and(|it| it.as_os_str() == "-") {
        report::print_raw(&html)?;
        return Ok(report::DONE);
    }
    let path = args.out.clone().unwrap_or_else(|| PathBuf::from(name));
    let (record, _) = records::place(args.store.file())?;
    output::check_distinct(&[("`--out`", Some(&path))], &[("the record of runs", Some(&record))])?;
    std::fs::write(&path, html).map_err(|error| {
        Fault::new("output", format!("cannot write {}: {error}", path.display()))
    })?;
    report::say(&format!("{} in {}\n", plural(count as u64, "run"), path.display()));
    Ok(report::DONE)
}

/// A page, and the number of its runs.
struct Page {
    count: usize,
    html: String,
}

/// Adds a run to a page.
fn add(page: &mut RunsPage, record: &RunRecord) -> Result<()> {
    page.add(record).map_err(|error| Fault::new("output", format!("cannot write the run: {error}")))
}

/// Returns the page of the named run and of the runs below it, and the file name of the page. If the command line names
/// a file with several runs, the page has all of them.
fn named_run(args: &ViewArgs) -> Result<(Page, String)> {
    let (mut store, run) = exported::find(args.run.as_deref(), &args.store)?;
    if args.redact {
        let redacted = runtime()?.block_on(Replay::of(&store, &run)?.redacted())?;
        report::say(&format!("{} removed\n", plural(redacted.hidden as u64, "value")));
        store = redacted.store;
    }
    let is_file = args.run.as_ref().is_some_and(|it| Path::new(it).is_file());
    if is_file && !args.redact {
        let mut roots = Filter::default();
        roots.roots = true;
        if store.find(&roots)?.runs.len() > 1 {
            return Ok((matching_runs(&store, &Filter::default(), args)?, "runs.html".to_owned()));
        }
    }
    let (family, records) = store
        .read(move |snapshot| Ok::<_, Fault>((snapshot.family(&run)?, snapshot.tree(&run)?)))?;
    let hidden = hidden::of(&family, &args.hidden)?;
    let name =
        records.first().map_or_else(String::new, |it| format!("run-{}.html", it.summary.run));
    let mut page = RunsPage::default();
    records.iter().try_for_each(|it| add(&mut page, &hidden.cover(it)))?;
    Ok((Page { count: page.len(), html: page.of_one() }, name))
}

/// Returns the page of the runs that match a filter, and of the runs below them.
fn matching_runs(store: &Store, filter: &Filter, args: &ViewArgs) -> Result<Page> {
    let (filter, options) = (filter.clone(), args.hidden.clone());
    store.read(move |snapshot| matching_in(snapshot, &filter, &options))
}

fn matching_in(snapshot: &Snapshot<'_>, filter: &Filter, options: &HiddenArgs) -> Result<Page> {
    let found = snapshot.find(filter)?;
    records::say_damaged(&found);
    let mut seen = BTreeSet::new();
    let mut page = RunsPage::default();
    // A run precedes the runs below it, so each tree is read once.
    for run in found.runs.iter().rev() {
        let run = run.run.as_str();
        if seen.contains(run) {
            continue;
        }
        let trees = snapshot.family(run).and_then(|family| Ok((family, snapshot.tree(run)?)));
        let (family, tree) = match trees {
            Ok(trees) => trees,
            Err(error) if error.kind() == ErrorKind::DamagedRun => {
                report::say(&format!("warning: {}\n", report::clean(error.message())));
                continue;
            }
            Err(error) => return Err(error.into()),
        };
        let hidden = hidden::of(&family, options)?;
        for record in tree {
            if seen.insert(record.summary.run.to_string()) {
                add(&mut page, &hidden.cover(&record))?;
            }
        }
    }
    let (listed, count) = (found.runs.len(), page.len());
    Ok(Page { count, html: page.of_many(listed, found.totals.runs) })
}
