//! `ptc export` and `ptc import`: runs as files.

use std::io::BufWriter;
use std::sync::PoisonError;

use ptc_subagent::replay::Replay;

use crate::args::{ExportArgs, ImportArgs};
use crate::exported::{file_fault, folder, open, open_to_read};
use crate::figures::plural;
use crate::output::{self, Target};
use crate::process::runtime;
use crate::records;
use crate::report::{self, Fault, Result};

/// Runs `ptc export`.
pub(crate) fn export(args: &ExportArgs) -> Result<u8> {
    let first = args.runs.first().map(String::as_str);
    let store = open_to_read(&args.store, None)?.ok_or_else(|| records::unknown(first))?;
    let newest = records::named_or_newest(&store, first)?;
    let names = match args.runs.as_slice() {
        [] => vec![newest.as_str()],
        runs => runs.iter().map(String::as_str).collect(),
    };
    let (record, _) = records::place(args.store.file())?;
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

/// Runs `ptc import`.
pub(crate) fn import(args: &ImportArgs) -> Result<u8> {
    let file = open(&args.file)?;
    let store = records::open_for_writing(args.store.file())?;
    let imported = store.import(folder(&args.file).as_deref(), file);
    let imported = imported.map_err(|error| file_fault(error, &args.file))?;
    report::say(&format!("{} imported\n", plural(imported.len() as u64, "run")));
    for run in imported {
        report::print(&format!("{}\n", report::clean(run.as_str())))?;
    }
    Ok(report::DONE)
}
