//! Problems of programs, as the Python half reads them.

use ptc_lisp::{Code, Diagnostic, Failure, Value};
use ptc_view::{Look, Placed, Text};
use pyo3::prelude::*;

use crate::to_python::{NoObject, to_python};

/// A problem: the fields of `ptc.Problem`.
#[derive(IntoPyObject)]
pub(crate) struct Problem {
    code: &'static str,
    kind: &'static str,
    message: String,
    line: Option<u32>,
    column: Option<u32>,
    help: Option<String>,
    rendering: String,
}

impl Problem {
    /// Describes an error of a program.
    pub(crate) fn error(problem: &Diagnostic, source: &Text) -> Problem {
        Problem::of(problem, &Placed::error(problem, source).or_earlier())
    }

    /// Describes a warning about a program.
    pub(crate) fn warning(problem: &Diagnostic, source: &Text) -> Problem {
        Problem::of(problem, &Placed::warning(problem, source))
    }

    fn of(problem: &Diagnostic, placed: &Placed<'_>) -> Problem {
        let place = problem.line_column();
        Problem {
            code: problem.code(),
            kind: problem.kind().as_str(),
            message: problem.message().to_owned(),
            line: place.map(|(line, _)| line),
            column: place.map(|(_, column)| column),
            help: problem.help_and_advice().map(std::borrow::Cow::into_owned),
            rendering: Look::default().draw(placed),
        }
    }
}

/// The reason and the text of a program that called `fail`.
#[derive(IntoPyObject)]
pub(crate) struct Failed<'py> {
    reason: String,
    message: String,
    details: Bound<'py, PyAny>,
}

impl<'py> Failed<'py> {
    pub(crate) fn of(py: Python<'py>, failure: Failure, max: usize) -> PyResult<Failed<'py>> {
        let details = match to_python(py, &failure.details, max) {
            Ok(details) => details,
            Err(NoObject::Raised(error)) => return Err(error),
            Err(NoObject::Kind(_) | NoObject::Size) => py.None().into_bound(py),
        };
        Ok(Failed { reason: failure.reason, message: failure.message, details })
    }
}

/// Converts the value of a program.
///
/// # Errors
///
/// The problem of a value without a form in Python.
pub(crate) fn value_of<'py>(
    py: Python<'py>,
    value: &Value,
    max: usize,
) -> PyResult<Result<Bound<'py, PyAny>, Diagnostic>> {
    Ok(match to_python(py, value, max) {
        Ok(object) => Ok(object),
        Err(NoObject::Raised(error)) => return Err(error),
        Err(NoObject::Kind(kind)) => {
            let message = format!("the value has a {kind}, which has no form outside programs");
            Err(Diagnostic::new(Code::NotJson, message).with_help("return data"))
        }
        Err(NoObject::Size) => {
            let message = format!("the value is larger than the limit of {max} bytes");
            Err(Diagnostic::new(Code::ResultSizeLimit, message)
                .with_help("return less: ids, counts or the rows that are needed")
                .with_advice("raise the limit `result_bytes`"))
        }
    })
}
