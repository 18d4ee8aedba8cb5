//! Regular expressions as values, and the error of a text that is not one.

use std::sync::Arc;

use super::code::Code;
use super::pattern::Pattern;
use super::value::{Diagnostic, Ext, Value};

/// Compiles a regular expression of a program, whose cost the reader has checked.
pub fn compile_regex(source: &str) -> Result<Value, Diagnostic> {
    Pattern::new(source, |_| Ok(()), |why| bad_regex(source, &why)).map(regex)
}

/// Makes a value of an expression.
pub fn regex(pattern: Pattern) -> Value {
    Ext::Regex(Arc::new(pattern)).into_value()
}

/// Returns the error of a text that is not a regular expression.
#[cold]
pub fn bad_regex(source: &str, why: &str) -> Diagnostic {
    let why = why.lines().last().unwrap_or_default().trim_start_matches("error: ");
    let shown: String = source.chars().take(40).collect();
    let problem =
        Diagnostic::new(Code::BadRegex, format!("`{shown}` is not a regular expression: {why}"));
    if why.contains("look-around") || why.contains("backreference") {
        problem.with_help("expressions run in linear time, without look-around and back-references; match more and filter")
    } else if why.contains("more than") {
        problem.with_help("repeat less, such as with `+` instead of a number, and check lengths with `count`; the limit cannot be raised")
    } else {
        problem.with_help("write a literal as #\"…\" with single backslashes, a text for `re-pattern` with double ones")
    }
}
