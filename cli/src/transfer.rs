//! `ptc export` and `ptc import`: runs as files.

use std::fs::File;
use std::io::{BufReader, BufWriter};
use std::path::{Path, PathBuf};
use std::sync::PoisonError;

use ptc_subagent::replay::Replay;
use ptc_subagent::store::Store;

use crate::args::{ExportArgs, ImportArgs, StoreArgs};
use crate::figures::plural;
use crate::output::{self, Target};
use crate::report::{self, Fault, Result};
use crate::run::runtime;
use crate::runs;

/// Runs `ptc export`.
pub(crate) fn export(args: &ExportArgs) -> Result<u8> {
    let first = args.runs.first().map(String::as_str);
    let store = runs::open_for_reading(args.store.file())?.ok_or_else(|| runs::unknown(first))?;
    let newest = runs::named_or_newest(&store, first)?;
    let names = match args.runs.as_slice() {
        [] => vec![newest.as_str()],
        runs => runs.iter().map(String::as_str).collect(),
    };
    let (record, _) = runs::place(args.store.file())?;
    output::check_distinct(
        &[("`--out`", args.out.as_deref())],
        &[("the record of runs", Some(&record))],
    )?;
    let folder = args.out.as_deref().and_then(folder);
    let (writer, failure) = Target::new(args.out.as_deref());
    let writer = BufWriter::new(writer);
    let (exported, hidden) = if args.redact {
        let [run] = names.as_slice() else {
            return Err(Fault::new("usage", "`--redact` is for one run at a time"));
        };
        let redacted = runtime()?.block_on(Replay::of(&store, run)?.redacted())?;
        (redacted.store.export(&[run], folder.as_deref(), writer), Some(redacted.hidden))
    } else {
        (store.export(&names, folder.as_deref(), writer), None)
    };
    // An error of the output file is reported as such, not as an error of the record.
    if let Some(fault) = failure.lock().unwrap_or_else(PoisonError::into_inner).take() {
        return Err(fault);
    }
    exported?;
    if let Some(hidden) = hidden {
        report::say(&format!("{} removed\n", plural(hidden as u64, "value")));
    }
    Ok(report::DONE)
}

/// Returns the canonical folder of a file.
fn folder(file: &Path) -> Option<PathBuf> {
    let folder = file.parent()?;
    let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
    folder.canonicalize().ok()
}

/// Runs `ptc import`.
pub(crate) fn import(args: &ImportArgs) -> Result<u8> {
    let file = open(&args.file)?;
    let store = runs::open_for_writing(args.store.file())?;
    let imported = store.import(folder(&args.file).as_deref(), file);
    let imported = imported.map_err(|error| file_fault(error, &args.file))?;
    report::say(&format!("{} imported\n", plural(imported.len() as u64, "run")));
    for run in imported {
        report::print(&format!("{}\n", report::clean(run.as_str())))?;
    }
    Ok(report::DONE)
}

/// Returns the store that has a run, and the run's name. The store is the record, or a file that `ptc export` wrote.
/// Without a name, the run is the newest one.
pub(crate) fn find(run: Option<&str>, store: &StoreArgs) -> Result<(Store, String)> {
    if let Some(path) = run.map(Path::new).filter(|it| it.is_file()) {
        return read(path);
    }
    let store = runs::open_for_reading(store.file())?.ok_or_else(|| runs::unknown(run))?;
    let run = runs::named_or_newest(&store, run)?;
    Ok((store, run))
}

/// Reads the runs of a file into a store in memory. Also returns the name of the first run.
pub(crate) fn read(path: &Path) -> Result<(Store, String)> {
    let store = Store::in_memory()?;
    let imported = store.import(folder(path).as_deref(), open(path)?);
    let imported = imported.map_err(|error| file_fault(error, path))?;
    let first = imported
        .first()
        .ok_or_else(|| Fault::new("no-replay", format!("{} holds no run", path.display())))?;
    Ok((store, first.to_string()))
}

/// Returns the fault of a file of runs, with the name of the file.
fn file_fault(error: ptc_subagent::Error, path: &Path) -> Fault {
    let message = format!("{}: {error}", path.display());
    Fault::from(error).with_message(report::clean(&message))
}

fn open(path: &Path) -> Result<BufReader<File>> {
    let file = File::open(path).map_err(|error| {
        Fault::new("unreadable-file", format!("cannot read {}: {error}", path.display()))
    })?;
    Ok(BufReader::new(file))
}
