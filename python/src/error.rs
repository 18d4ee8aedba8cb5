//! Errors of the library as exceptions.

use ptc_subagent::Error;
use pyo3::prelude::*;

use crate::python;

/// Makes the exception for an error: a run did not start, or a store failed.
pub(crate) fn raise(error: Error) -> PyErr {
    let path = error.path().map(|it| it.display().to_string());
    let (line, column) = error.line_column().unzip();
    let told = (error.code(), error.message(), error.help(), path, line, column);
    Python::attach(|py| python::agent_error(py, told).unwrap_or_else(|error| error))
}
