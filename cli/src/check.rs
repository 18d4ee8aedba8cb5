//! `ptc check`: what a program can touch, or why it may not run. Nothing runs.

use std::fmt::Write as _;

use ptc_lisp::{Diagnostic, Report, Value, json};

use crate::args::ProgramArgs;
use crate::draw::Placed;
use crate::eval::{Request, exit_of, line, map, repair_field, say_repaired};
use crate::report::{self, Result};

/// Runs `ptc check`.
pub(crate) fn command(args: &ProgramArgs) -> Result<u8> {
    let (text, request) = Request::of(args)?;
    let admitted = request.admit(&request.session());
    let (report, warnings, errors, repair) = match &admitted {
        Ok((admitted, repair)) => {
            (Some(admitted.report()), admitted.warnings(), [].as_slice(), repair.as_ref())
        }
        Err(rejection) => (None, [].as_slice(), rejection.diagnostics.as_slice(), None),
    };
    let exit = if report.is_some() { report::DONE } else { exit_of(errors) };
    if args.json {
        let list = |from: &[Diagnostic]| {
            Value::vector(from.iter().map(|it| json::from_serde(&it.to_json())).collect())
        };
        let status = if report.is_some() { "admitted" } else { "rejected" };
        let report = report.map(|it| json::from_serde(&it.to_json()));
        let mut object = vec![
            ("status", status.into()),
            ("report", report.unwrap_or_default()),
            ("warnings", list(warnings)),
            ("errors", list(errors)),
        ];
        if args.repair {
            object.push(("repair", repair_field(repair)));
        }
        report::print(&line(&map(object))?)?;
        return Ok(exit);
    }
    say_repaired(repair);
    for warning in warnings {
        Placed::warning(warning, &text).show();
    }
    for error in errors {
        Placed::error(error, &text).show();
    }
    if let Some(report) = report {
        report::print(&for_people(report))?;
    }
    Ok(exit)
}

/// What a program can touch, in a few lines.
fn for_people(report: &Report) -> String {
    let mut text = String::from("admitted\n");
    let mut row = |name: &str, items: Vec<String>| {
        let shown = if items.is_empty() { "nothing".to_owned() } else { items.join(", ") };
        // A string takes everything that is written to it.
        let _ = writeln!(text, "  {name:<15}{shown}");
    };
    let names = |from: &std::collections::BTreeSet<String>| from.iter().cloned().collect();
    let tools = report.tools.iter().map(|tool| {
        let places = if tool.places == 1 { "place" } else { "places" };
        format!("{} ({}, {} {places})", tool.name, tool.effect.as_str(), tool.places)
    });
    row("calls", tools.collect());
    row("reads ctx", names(&report.ctx));
    row("reads memory", names(&report.memory_reads));
    row("writes memory", names(&report.memory_writes));
    row("defines", names(&report.defines));
    text
}
