//! `ptc why`: where the arguments of a call came from.

use std::fmt::Write as _;

use ptc_subagent::store::CallOrigins;
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
    let calls = record.why(&args.call, args.argument.as_deref())?;
    let text = match calls.as_slice() {
        calls if args.output.json => format!("{}\n", json!(calls)),
        [] => "no label\n".to_owned(),
        calls => calls.iter().map(shown).collect(),
    };
    report::print(&text)?;
    Ok(report::DONE)
}

fn shown(call: &CallOrigins) -> String {
    let mut text = String::new();
    // Writing to a string cannot fail.
    let _ = match (&call.call, &call.args) {
        (Some(id), Some(args)) => {
            writeln!(text, "turn {}, call {id}: {} {args}", call.turn, call.tool)
        }
        _ => writeln!(text, "turn {}, refused: {}", call.turn, call.tool),
    };
    if let Some(error) = &call.error {
        let _ = writeln!(text, "  {error}");
    }
    for origin in &call.labels {
        let _ = writeln!(text, "  {origin}");
        for form in &origin.path {
            let _ = writeln!(text, "    {form}");
        }
        if let Some(rule) = &origin.rule {
            let _ = writeln!(text, "    rule: {rule}");
        }
    }
    if call.labels.is_empty() {
        text.push_str("  no label\n");
    }
    text.lines().fold(String::new(), |all, line| all + &report::clean(line) + "\n")
}
