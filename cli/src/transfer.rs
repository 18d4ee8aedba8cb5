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
    output::distinct(
        &[("`--out`", args.out.as_deref())],
        &[("the record of runs", Some(&record))],
    )?;
    let folder = args.out.as_deref().and_then(folder);
    let (to, failed) = Target::new(args.out.as_deref());
    let to = BufWriter::new(to);
    let (exported, hidden) = if args.redact {
        let [run] = names.as_slice() else {
            return Err(Fault::new("usage", "`--redact` is for one run at a time"));
        };
        let redacted = runtime()?.block_on(Replay::of(&store, run)?.redacted())?;
        (redacted.store.export(&[run], folder.as_deref(), to), Some(redacted.hidden))
    } else {
        (store.export(&names, folder.as_deref(), to), None)
    };
    // What is wrong with the file is no fault of the record.
    if let Some(fault) = failed.lock().unwrap_or_else(PoisonError::into_inner).take() {
        return Err(fault);
    }
    exported?;
    if let Some(hidden) = hidden {
        report::say(&format!("{} taken out\n", plural(hidden as u64, "value")));
    }
    Ok(report::DONE)
}

/// The folder of a file.
fn folder(file: &Path) -> Option<PathBuf> {
    let folder = file.parent()?;
    let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
    folder.canonicalize().ok()
}

/// Runs `ptc import`.
pub(crate) fn import(args: &ImportArgs) -> Result<u8> {
    let file = open(&args.file)?;
    let store = runs::open_for_writing(args.store.file())?;
    let taken = store.import(folder(&args.file).as_deref(), file);
    let taken = taken.map_err(|error| of_file(error, &args.file))?;
    report::say(&format!("{} taken\n", plural(taken.len() as u64, "run")));
    for run in taken {
        report::print(&format!("{}\n", report::clean(run.as_str())))?;
    }
    Ok(report::DONE)
}

/// Returns the store that has a run, and the run's name: of the record, or of a file that `ptc export` wrote. Without a
/// name it is the newest run.
pub(crate) fn find(run: Option<&str>, store: &StoreArgs) -> Result<(Store, String)> {
    if let Some(path) = run.map(Path::new).filter(|it| it.is_file()) {
        return read(path);
    }
    let store = runs::open_for_reading(store.file())?.ok_or_else(|| runs::unknown(run))?;
    let run = runs::named_or_newest(&store, run)?;
    Ok((store, run))
}

/// Reads the runs of a file into a store of their own, and says which is the first.
pub(crate) fn read(path: &Path) -> Result<(Store, String)> {
    let store = Store::in_memory()?;
    let taken = store.import(folder(path).as_deref(), open(path)?);
    let taken = taken.map_err(|error| of_file(error, path))?;
    let first = taken
        .first()
        .ok_or_else(|| Fault::new("no-replay", format!("{} holds no run", path.display())))?;
    Ok((store, first.to_string()))
}

/// What is wrong with a file of runs, with its name.
fn of_file(error: ptc_subagent::Error, path: &Path) -> Fault {
    let message = format!("{}: {error}", path.display());
    Fault::from(error).with_message(report::clean(&message))
}

fn open(path: &Path) -> Result<BufReader<File>> {
    let file = File::open(path).map_err(|error| {
        Fault::new("unreadable-file", format!("cannot read {}: {error}", path.display()))
    })?;
    Ok(BufReader::new(file))
}
