//! `ptc diff`, and differences of two records as text.

use std::fmt::Write as _;

use ptc_lisp::Value;
use ptc_subagent::Data;
use ptc_subagent::replay::{Difference, differences};
use ptc_subagent::store::RunRecord;
use serde_json::json;
use similar::TextDiff;

use crate::args::DiffArgs;
use crate::figures::plural;
use crate::hidden;
use crate::report::{self, Result};
use crate::transfer;

/// The largest number of lines shown of one difference.
const MAX_LINES: usize = 60;
/// The largest number of characters shown of one line.
const MAX_LINE: usize = 400;

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
    if args.json {
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
    let (store, run) = transfer::find(Some(run), &args.store)?;
    store.read(move |snapshot| Ok((snapshot.family(&run)?, snapshot.show(&run)?)))
}

/// Adds both sides of a difference to a page, under their names.
pub(crate) fn show(page: &mut String, difference: &Difference, names: (&str, &str)) {
    let turn = difference.turn.map(|turn| format!("turn {turn}, ")).unwrap_or_default();
    let call = difference.call.as_ref().map(|call| format!("call {call}, ")).unwrap_or_default();
    let place = format!("{turn}{call}{}", difference.what);
    // Writing to a string cannot fail.
    let _ = writeln!(page, "run {} differs: {}", difference.run, report::clean(&place));
    if difference.recorded == difference.replayed {
        let _ = writeln!(page, "  only in hidden fields; --hidden shows them");
        return;
    }
    let (old, new) = (text(&difference.recorded), text(&difference.replayed));
    let diff = TextDiff::from_lines(&old, &new);
    let diff = diff.unified_diff().context_radius(2).header(names.0, names.1).to_string();
    for line in diff.lines().take(MAX_LINES) {
        let _ = writeln!(page, "  {}", report::clean(&cut(line)));
    }
    let more = diff.lines().count().saturating_sub(MAX_LINES);
    if more > 0 {
        let _ = writeln!(page, "  … and {}", plural(more as u64, "more line"));
    }
}

fn text(data: &Data) -> String {
    let mut text = match data.value() {
        Value::Str(text) => text.to_string(),
        _ => format!("{data:#}"),
    };
    text.push('\n');
    text
}

/// Cuts a line to [`MAX_LINE`] characters.
pub(crate) fn cut(line: &str) -> String {
    match line.char_indices().nth(MAX_LINE) {
        None => line.to_owned(),
        Some((at, _)) => format!("{}…", &line[..at]),
    }
}
