//! The error of a call with a wrong number of arguments.

use super::code::Code;
use super::ir::Lambda;
use super::value::Diagnostic;

/// Returns the error of a call with a wrong number of arguments.
#[cold]
pub fn wrong_arity_of(lambda: &Lambda, count: usize) -> Diagnostic {
    let name = match lambda.name.as_deref() {
        Some(name) => format!("the function `{name}`"),
        None => "this function".to_owned(),
    };
    let takes: Vec<String> = lambda
        .arities
        .iter()
        .map(|arity| {
            if arity.variadic {
                format!("{} or more", arity.params)
            } else {
                arity.params.to_string()
            }
        })
        .collect();
    let plural = if takes.len() == 1 && takes.first().is_some_and(|count| count == "1") {
        "argument"
    } else {
        "arguments"
    };
    Diagnostic::new(
        Code::WrongArity,
        format!("{name} takes {} {plural}, not {count}", takes.join(" or ")),
    )
    .with_jvm_message(wrong_number(
        count,
        &format!("user/{}", lambda.name.as_deref().unwrap_or("fn")),
    ))
}

/// Returns the JVM's message for a wrong number of arguments.
pub fn wrong_number(count: usize, name: &str) -> String {
    format!("Wrong number of args ({count}) passed to: {name}")
}
