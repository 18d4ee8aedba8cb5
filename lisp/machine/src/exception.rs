//! Exceptions as values, and the problems that they are thrown as.

use super::problems::over;
use ptc_facts::messages::describe;
use ptc_values::{Diagnostic, Ext, Thrown, Value};

/// Returns the problem of throwing an exception again.
pub(crate) fn rethrown(value: &Value) -> Diagnostic {
    Thrown::of(value).map_or_else(over, |thrown| raise(thrown, value.clone()))
}

/// Returns the value that `catch` binds for a problem.
pub(crate) fn caught(problem: Diagnostic) -> Value {
    if let Some(value) = problem.thrown_value() {
        return value.clone();
    }
    let class = problem.class().unwrap_or("Exception").into();
    let data = problem.data().clone();
    let message = problem.exception_message().into();
    let mut thrown = Thrown::new(class, Some(message), data, Value::Nil);
    thrown.problem = Some(problem);
    Ext::Error(thrown).into_value()
}

/// Returns the problem of a thrown exception. One raised by the language is raised again unchanged.
pub fn raise(thrown: &Thrown, value: Value) -> Diagnostic {
    if let Some(problem) = &thrown.problem {
        return problem.clone();
    }
    let message = match &thrown.message {
        Some(message) => message.to_string(),
        None => format!("a {} without a message was thrown", thrown.class),
    };
    let problem = Diagnostic::thrown(message, thrown.class.clone(), value);
    match &thrown.data {
        Value::Map(map) if !map.is_empty() => {
            problem.with_help(format!("its data is {}", describe(&thrown.data)))
        }
        _ => problem,
    }
}
