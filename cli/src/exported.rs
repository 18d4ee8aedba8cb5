//! The runs that a command reads: those on record, of a Restate server, or of a file that was exported.

use std::fs::File;
use std::io::BufReader;
use std::path::{Path, PathBuf};

use ptc_subagent::store::Store;

use crate::args::RecordArgs;
use crate::records::{named_or_newest, open_for_reading, unknown};
use crate::report::{self, Fault, Result};
#[cfg(feature = "restate")]
use crate::restate;

/// Returns the canonical folder of a file.
pub(crate) fn folder(file: &Path) -> Option<PathBuf> {
    let folder = file.parent()?;
    let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
    folder.canonicalize().ok()
}

/// Opens the record that a command reads, or that of a Restate server. `run` is the start of the id of the run that is
/// looked for, if there is one.
pub(crate) fn open_to_read(args: &RecordArgs, run: Option<&str>) -> Result<Option<Store>> {
    #[cfg(feature = "restate")]
    if let Some(client) = restate::client(args)? {
        return restate::read(&client, run.unwrap_or_default()).map(Some);
    }
    #[cfg(not(feature = "restate"))]
    let _ = run;
    open_for_reading(args.file())
}

/// Returns the store that has a run, and the run's name. The store is the record, or a file that `ptc export` wrote.
/// Without a name, the run is the newest one.
pub(crate) fn find(run: Option<&str>, store: &RecordArgs) -> Result<(Store, String)> {
    if let Some(path) = run.map(Path::new).filter(|it| it.is_file()) {
        return read(path);
    }
    let store = open_to_read(store, run)?.ok_or_else(|| unknown(run))?;
    let run = named_or_newest(&store, run)?;
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
pub(crate) fn file_fault(error: ptc_subagent::Error, path: &Path) -> Fault {
    let message = format!("{}: {error}", path.display());
    Fault::from(error).with_message(report::clean(&message))
}

pub(crate) fn open(path: &Path) -> Result<BufReader<File>> {
    let file = File::open(path).map_err(|error| {
        Fault::new("unreadable-file", format!("cannot read {}: {error}", path.display()))
    })?;
    Ok(BufReader::new(file))
}
