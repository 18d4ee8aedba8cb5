//! `ptc why`: where the arguments of a call came from.

use std::fmt::Write as _;

use ptc_subagent::store::{CallRecord, RunRecord};
use serde_json::json;

use crate::args::WhyArgs;
use crate::exported;
use crate::hidden;
use crate::report::{self, Fault, Result};

/// Runs `ptc why`.
pub(crate) fn command(args: &WhyArgs) -> Result<u8> {
    let (store, run) = exported::find(Some(&args.run), &args.store)?;
    let (family, record) = store
        .read(move |snapshot| Ok::<_, Fault>((snapshot.family(&run)?, snapshot.show(&run)?)))?;
    let record = hidden::of(&family, &args.hidden)?.cover(&record);
    let calls = find(&record, &args.call)?;
    let text = if args.output.json {
        let calls = calls.iter().map(|(turn, call)| {
            let labels: Vec<_> = labels(call, args.argument.as_deref()).collect();
            json!({"turn": turn, "call": call.call, "tool": call.tool, "args": call.args, "labels": labels})
        });
        format!("{}\n", calls.collect::<serde_json::Value>())
    } else {
        let texts = calls.iter().map(|(turn, call)| shown(*turn, call, args.argument.as_deref()));
        texts.collect()
    };
    report::print(&text)?;
    Ok(report::DONE)
}

/// Returns the calls of a tool, or the call with a turn and a number.
fn find<'r>(record: &'r RunRecord, name: &str) -> Result<Vec<(u32, &'r CallRecord)>> {
    let turns = record.turn_records.iter();
    let all = turns.flat_map(|turn| turn.calls.iter().map(move |call| (turn.turn, call)));
    let is_meant = |(turn, call): &(u32, &CallRecord)| {
        call.tool == name || format!("{turn}.{}", call.call) == name
    };
    let found: Vec<_> = all.clone().filter(is_meant).collect();
    if !found.is_empty() {
        return Ok(found);
    }
    let message = format!("run {} has no call `{name}`", record.summary.run);
    let fault = Fault::new("unknown-call", message);
    let names: Vec<String> =
        all.map(|(turn, call)| format!("{turn}.{} ({})", call.call, call.tool)).collect();
    Err(if names.is_empty() {
        fault
    } else {
        fault.with_help(format!("it has {}", names.join(", ")))
    })
}

fn labels<'c>(
    call: &'c CallRecord,
    argument: Option<&'c str>,
) -> impl Iterator<Item = &'c ptc_subagent::LabelOrigin> {
    let is_meant = move |it: &&ptc_subagent::LabelOrigin| {
        argument.is_none_or(|name| it.argument.as_deref() == Some(name))
    };
    call.labels.iter().filter(is_meant)
}

fn shown(turn: u32, call: &CallRecord, argument: Option<&str>) -> String {
    let mut text = String::new();
    // Writing to a string cannot fail.
    let _ = writeln!(text, "turn {turn}, call {}: {} {}", call.call, call.tool, call.args);
    if let Some(error) = &call.error {
        let _ = writeln!(text, "  {}", error.message);
    }
    let mut any = false;
    for origin in labels(call, argument) {
        any = true;
        let _ = writeln!(text, "  {origin}");
        for form in &origin.path {
            let _ = writeln!(text, "    {form}");
        }
    }
    if !any {
        text.push_str("  no label\n");
    }
    text.lines().fold(String::new(), |all, line| all + &report::clean(line) + "\n")
}
