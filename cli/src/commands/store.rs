//! `ptc store`: copies and checks of the record of runs.

use std::fmt::Write as _;

use crate::args::{BackupArgs, CheckStoreArgs, StoreCommand};
use crate::figures::plural;
use crate::output;
use crate::records;
use crate::report::{self, Result};

/// Runs `ptc store`.
pub(crate) fn command(command: &StoreCommand) -> Result<u8> {
    match command {
        StoreCommand::Backup(args) => backup(args),
        StoreCommand::Check(args) => check(args),
    }
}

fn backup(args: &BackupArgs) -> Result<u8> {
    let (record, _) = records::place(args.store.file())?;
    output::check_distinct(
        &[("the copy", Some(&args.file))],
        &[("the record of runs", Some(&record))],
    )?;
    let store =
        records::open_for_reading(args.store.file())?.ok_or_else(|| records::unknown(None))?;
    store.backup(&args.file)?;
    report::say(&format!("copied to {}\n", args.file.display()));
    Ok(report::DONE)
}

fn check(args: &CheckStoreArgs) -> Result<u8> {
    let store = records::open_for_reading(args.store.file())?;
    let checked = store.map(|it| it.check()).transpose()?.unwrap_or_default();
    if args.output.json {
        report::print_json(&serde_json::json!(checked))?;
    } else {
        let mut text = format!(
            "{}, {}, {}, {}: {}\n",
            plural(checked.runs, "run"),
            plural(checked.events, "event"),
            plural(checked.texts, "long text"),
            plural(checked.blobs, "binary content"),
            plural(checked.problems.len() as u64, "problem"),
        );
        for problem in &checked.problems {
            let run = problem.run.as_ref().map(|it| format!("run {it}: ")).unwrap_or_default();
            // Writing to a string cannot fail.
            let _ = writeln!(text, "{}", report::clean(&format!("{run}{}", problem.message)));
        }
        report::print(&text)?;
    }
    Ok(if checked.problems.is_empty() { report::DONE } else { report::FAILED })
}
