//! `ptc eval`: one program, without a model.

use ptc_lisp::Failure;
use ptc_subagent::eval::{EvalStatus, readable};

use crate::args::EvalArgs;
use crate::draw::{Placed, Text, draw};
use crate::program::{Evaluated, Request, evaluate, line, map, repair_field, say_repaired};
use crate::report::{self, Result};
use crate::sandbox::Purpose;

/// Runs `ptc eval`.
pub(crate) fn command(args: &EvalArgs) -> Result<u8> {
    let (text, request) = Request::of(&args.program, Purpose::Run { live: args.live }, &args.seed)?;
    let evaluated = evaluate(&request)?;
    if args.program.output.json {
        let mut fields = evaluated.fields();
        if args.program.repair {
            fields.push(("repair", repair_field(evaluated.evaluation.repair.as_ref())));
        }
        report::print(&line(&map(fields))?)?;
        return Ok(evaluated.exit_code());
    }
    show(&evaluated, &text)?;
    Ok(evaluated.exit_code())
}

/// Shows the value on stdout and everything else on stderr.
fn show(evaluated: &Evaluated, source: &Text) -> Result<()> {
    let Evaluated { evaluation, max_bytes, .. } = evaluated;
    say_repaired(evaluation.repair.as_ref());
    for warning in &evaluation.warnings {
        draw(&Placed::warning(warning, source));
    }
    for print in &evaluation.prints {
        report::say(&format!("{}\n", report::clean(print)));
    }
    for error in &evaluation.errors {
        draw(&Placed::error(error, source));
    }
    for note in &evaluation.notes {
        report::say(&format!("warning: answer: {}\n", report::clean(note)));
    }
    if let Some(Failure { reason, message, .. }) = &evaluation.failure {
        report::say_failed(reason, message);
    } else if let Some(value) = &evaluation.value
        && evaluation.status != EvalStatus::Error
    {
        // A pipe receives the exact value.
        report::print_raw(&format!("{}\n", readable(value, *max_bytes).0))?;
    }
    Ok(())
}
