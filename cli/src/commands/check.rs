//! `ptc check`: the admission report of a program, or the reasons for its rejection. Nothing runs.

use std::path::Path;

use ptc_lisp::{Diagnostic, Value, json};

use ptc_subagent::eval::flow_lines;

use crate::args::{CheckArgs, SeedArgs};
use crate::draw::{Placed, draw};
use crate::program::{Request, exit_of, line, map, repair_field, say_repaired};
use crate::report::{self, Result};
use crate::report_text::for_people;
use crate::sandbox::Purpose;

/// Runs `ptc check`.
pub(crate) fn command(args: &CheckArgs) -> Result<u8> {
    let (is_shown, args) = (args.show, &args.program);
    let agent = args.file.as_deref().map(Path::new).filter(|file| is_agent_file(file));
    let (text, request) = match agent {
        Some(file) => Request::of_workflow(file, args)?,
        None => Request::of(args, Purpose::Check, &SeedArgs { seed: None })?,
    };
    if is_shown {
        report::print(request.source.trim_end())?;
        return Ok(report::DONE);
    }
    let assumes_input = request.sandbox.assumes_input;
    let admitted = request.admit(&request.session());
    let (report, warnings, errors, repair) = match &admitted {
        Ok((admitted, repair)) => {
            (Some(admitted.report()), admitted.warnings(), [].as_slice(), repair.as_ref())
        }
        Err(problems) => (None, [].as_slice(), problems.as_slice(), None),
    };
    let flows = admitted.as_ref().map(|(admitted, _)| flow_lines(admitted)).unwrap_or_default();
    let exit = if report.is_some() { report::DONE } else { exit_of(errors) };
    if args.output.json {
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
            ("assumes_input", assumes_input.into()),
        ];
        if !flows.is_empty() {
            let flows = flows.iter().map(|it| it.as_str().into()).collect();
            object.push(("flows", Value::vector(flows)));
        }
        if args.repair {
            object.push(("repair", repair_field(repair)));
        }
        report::print(&line(&map(object))?)?;
        return Ok(exit);
    }
    say_repaired(repair);
    if assumes_input {
        report::say("note: no input is given, so the check is for every input of the signature\n");
    }
    for warning in warnings {
        let (warning, text) = request.placed(warning, &text);
        draw(&Placed::warning(&warning, &text));
    }
    for error in errors {
        let (error, text) = request.placed(error, &text);
        draw(&Placed::error(&error, &text));
    }
    if let Some(report) = report {
        report::print(&format!(
            "admitted: a run can do this, and no more\n{}",
            for_people(report)
        ))?;
        for flow in flows {
            report::print(&format!("  {:<15}{}\n", "flow", report::clean(&flow)))?;
        }
    }
    Ok(exit)
}

fn is_agent_file(file: &Path) -> bool {
    file.extension().is_some_and(|it| it == "toml" || it == "json")
}
