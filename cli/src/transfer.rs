//! `ptc export` and `ptc import`: runs as files.

use std::fs::File;
use std::io::{self, BufReader, BufWriter};
use std::path::Path;

use ptc_subagent::store::Store;

use crate::args::{ExportArgs, ImportArgs};
use crate::progress::plural;
use crate::report::{self, Fault, Result};
use crate::runs;

/// Runs `ptc export`.
pub(crate) fn export(args: &ExportArgs) -> Result<u8> {
    let first = args.runs.first().map(String::as_str);
    let store =
        runs::open_for_reading(args.store.as_deref())?.ok_or_else(|| runs::unknown(first))?;
    let newest = runs::named_or_newest(&store, first)?;
    let names = match args.runs.as_slice() {
        [] => vec![newest.as_str()],
        runs => runs.iter().map(String::as_str).collect(),
    };
    match &args.out {
        None => store.export(&names, BufWriter::new(io::stdout()))?,
        Some(path) => {
            let file = File::create(path).map_err(|error| {
                let path = path.display();
                Fault::new("output", format!("cannot write {path}: {error}"))
            })?;
            store.export(&names, BufWriter::new(file))?;
        }
    }
    Ok(report::DONE)
}

/// Runs `ptc import`.
pub(crate) fn import(args: &ImportArgs) -> Result<u8> {
    let file = open(&args.file)?;
    let store = runs::open_for_writing(args.store.as_deref())?;
    let taken = store.import(file)?;
    report::say(&format!("{} taken\n", plural(taken.len() as u64, "run")));
    for run in taken {
        report::print(&format!("{run}\n"))?;
    }
    Ok(report::DONE)
}

/// Reads the runs of a file into a store of their own, and says which is the first.
pub(crate) fn read(path: &Path) -> Result<(Store, String)> {
    let store = Store::in_memory()?;
    let taken = store.import(open(path)?)?;
    let first = taken
        .first()
        .ok_or_else(|| Fault::new("no-replay", format!("{} holds no run", path.display())))?;
    Ok((store, first.to_string()))
}

fn open(path: &Path) -> Result<BufReader<File>> {
    let file = File::open(path).map_err(|error| {
        Fault::new("unreadable-file", format!("cannot read {}: {error}", path.display()))
    })?;
    Ok(BufReader::new(file))
}
