//! The `select` of a source: a program over what was read, without tools and with the limits of the agent.

use ptc_lisp::{
    Budget, CallId, Diagnostic, Limits, Outcome, Session, ToolCall, ToolFailure, Value,
};

use crate::data::Data;
use crate::driver::{CallHost, Halt, Next, drive, never_made};
use crate::error::Error;

/// Returns the value of a program, in which `ctx/` has what was read, the input and the host context.
///
/// # Errors
///
/// The reason that there is no value, which shows no data unless `is_shown`.
pub(super) async fn select(
    program: &str,
    loaded: Value,
    input: &Value,
    context: Value,
    limits: &Limits,
    is_shown: bool,
) -> Result<Value, String> {
    let names = [("loaded", loaded), ("input", input.clone()), ("context", context)];
    let ctx = Value::map(names.map(|(name, value)| (Value::str(name), value)));
    let session = Session::new(ctx, Vec::new(), limits.clone());
    let told = |problem: &Diagnostic| {
        let code = problem.code();
        if is_shown {
            format!("`select`: {}", problem.message())
        } else {
            format!("`select`: {code}")
        }
    };
    let admitted = session.admit(program).map_err(|rejection| {
        rejection.diagnostics.first().map_or_else(|| "`select` was refused".to_string(), told)
    })?;
    let (mut machine, mut budget) = (session.start(&admitted), Budget::new(limits));
    let most = limits.program_time;
    let halt = drive(&mut machine, &mut budget, most, &mut NoCalls).await;
    match halt {
        Ok(Halt::Done) => {}
        Ok(Halt::Failed(problem)) => return Err(told(&problem)),
        Ok(_) | Err(_) => return Err(format!("`select`: it did not end within {most:?}")),
    }
    match machine.finish().outcome {
        Outcome::Value(value) | Outcome::Return(value) => {
            Data::of_program(&value).map(Data::into_value).map_err(|error| {
                let why = if is_shown { format!(": {error}") } else { String::new() };
                format!("`select`: the value has no JSON form{why}")
            })
        }
        Outcome::Error(problem) => Err(told(&problem)),
        Outcome::Fail(failure) if is_shown => Err(format!("`select`: {}", failure.message)),
        _ => Err("`select`: it failed".to_string()),
    }
}

/// Makes no call.
struct NoCalls;

impl CallHost for NoCalls {
    fn queue(&mut self, calls: Vec<ToolCall>) -> Vec<(CallId, ToolFailure)> {
        let refused = |call: ToolCall| (call.id, ToolFailure::new("a `select` makes no call"));
        calls.into_iter().map(refused).collect()
    }

    async fn next(&mut self) -> Result<Next, Error> {
        Ok(Next::Halt(never_made()))
    }

    fn give_up(&mut self, _: &CallId) {}
}
