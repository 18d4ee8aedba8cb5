//! The check of a run's input.

use ptc_lisp::Value;
use ptc_signatures::{MismatchKind, SignatureMode, check};

use crate::agent::Agent;
use crate::data::Data;
use crate::error::{Error, ErrorKind};
use crate::record::{RunError, list, unknown_keys, warnings};
use crate::semantics::FLOAT_INPUTS;
use crate::tool::HostContext;

/// Checks an agent, its input and whether it takes a payload. Returns the input as the signature has it, and warnings:
/// values that were coerced or let through, and keys that the signature does not name. `semantics` is the version of the run.
pub(super) fn checked_input(
    agent: &Agent,
    input: Data,
    has_payload: bool,
    semantics: u32,
) -> Result<(Value, Vec<RunError>), Error> {
    agent.check()?;
    let wrong = |message: String| Err(Error::new(ErrorKind::Input, message));
    if has_payload && agent.payload.is_none() {
        let message = format!("agent `{}` has no payload, and was given one", agent.name);
        return wrong(message);
    }
    let mut input = input.into_value();
    if input.as_map().is_none() {
        return wrong(format!("the input must be a JSON object, and is {}", json_type(&input)));
    }
    let mut warned = Vec::new();
    if let Some(signature) = agent.input_signature() {
        let enforced = match semantics {
            FLOAT_INPUTS.. => signature.enforce_mission(input, agent.signature_mode),
            _ => signature.enforce_input(input, agent.signature_mode),
        };
        if !enforced.mismatches.is_empty() {
            let message = format!("the input does not match: {}", list(&enforced.mismatches));
            return Err(Error::new(ErrorKind::Input, message)
                .with_help(format!("the signature is {signature}")));
        }
        warned = warnings("input", &enforced.warnings);
        input = enforced.value;
        if agent.signature_mode != SignatureMode::Off {
            warned.extend(unknown_keys(&signature, &input));
        }
    }
    Ok((input, warned))
}

/// Checks the host context against the agent's type for it. The error has nothing of the data.
pub(super) fn check_context(agent: &Agent, host: Option<&HostContext>) -> Result<(), Error> {
    let Some(signature) = &agent.context_signature else { return Ok(()) };
    let data = host.map(HostContext::data).cloned().unwrap_or_else(|| Data::object([]));
    let wrong: Vec<String> = check(signature, data.value())
        .into_iter()
        .map(|it| match it.kind {
            MismatchKind::Missing => format!("`{}` is missing", it.path),
            _ => format!("`{}` is no {}", it.path, it.expected),
        })
        .collect();
    if wrong.is_empty() {
        return Ok(());
    }
    let message =
        format!("the host context of agent `{}` does not match: {}", agent.name, wrong.join(", "));
    Err(Error::new(ErrorKind::Input, message).with_help(format!("its type is {signature}")))
}

/// Returns the JSON name of a value's type.
fn json_type(value: &Value) -> &'static str {
    match value {
        Value::Nil => "null",
        Value::Bool(_) => "a boolean",
        Value::Str(_) => "a string",
        Value::Vector(_) => "a list",
        Value::Map(_) => "an object",
        _ => "a number",
    }
}
