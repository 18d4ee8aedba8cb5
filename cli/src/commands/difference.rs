//! `ptc diff`.

use std::fmt::Write as _;

use ptc_subagent::Data;
use ptc_subagent::replay::{Difference, differences};
use ptc_subagent::store::RunRecord;
use serde_json::json;

use crate::args::DiffArgs;
use crate::difference_text::show;
use crate::exported;
use crate::figures::plural;
use crate::hidden;
use crate::report::{self, Result};

/// Runs `ptc diff`.
pub(crate) fn command(args: &DiffArgs) -> Result<u8> {
    let (mut family, first) = tree_and_run(&args.first, args)?;
    let (other, second) = tree_and_run(&args.second, args)?;
    family.extend(other);
    let hidden = hidden::of(&family, &args.hidden)?;
    let found = differences(&first, &second);
    // Names are not compared: a copy of an agent has another one.
    let found = found.iter().filter(|it| it.what != "agent").map(|it| hidden.difference(it));
    let found: Vec<Difference> = found.collect();
    if args.output.json {
        let runs = [&first.summary.run, &second.summary.run];
        let json = Data::from(json!({"runs": runs}));
        report::print_json(&json.with("differences", Data::written(&found)?))?;
    } else if found.is_empty() {
        report::print("no differences except names and times\n")?;
    } else {
        let mut page = String::new();
        let shown = if args.all { found.len() } else { 1 };
        let names = (first.summary.run.as_str(), second.summary.run.as_str());
        for difference in found.iter().take(shown) {
            show(&mut page, difference, names);
        }
        let more = found.len() - shown;
        if more > 0 {
            let more = plural(more as u64, "more difference");
            let _ = writeln!(page, "{more}; --all shows them");
        }
        report::print(&page)?;
    }
    Ok(if found.is_empty() { report::DONE } else { report::NO_PROGRAM })
}

/// Returns all runs of the tree that a run belongs to, and the run.
fn tree_and_run(run: &str, args: &DiffArgs) -> Result<(Vec<RunRecord>, RunRecord)> {
    let (store, run) = exported::find(Some(run), &args.store)?;
    store.read(move |snapshot| Ok((snapshot.family(&run)?, snapshot.show(&run)?)))
}
