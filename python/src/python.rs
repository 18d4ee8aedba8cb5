//! The functions that the Python half of the package gives to the native one.

use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyDict, PyTuple};

/// Converts an object of a type that the language lacks, one level deep. Returns other objects unchanged.
pub(crate) fn plain<'py>(object: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
    static PLAIN: PyOnceLock<Py<PyAny>> = PyOnceLock::new();
    PLAIN.import(object.py(), "ptc._plain", "plain")?.call1((object,))
}

/// The failure that an exception of a tool is for the program.
#[derive(FromPyObject)]
pub(crate) struct ToolFault {
    pub(crate) message: String,
    pub(crate) help: Option<String>,
    pub(crate) advice: Option<String>,
    /// The seconds to wait before the next attempt.
    pub(crate) retry_after: Option<f64>,
    pub(crate) permanent: bool,
}

/// Describes an exception of a tool.
pub(crate) fn fault(py: Python<'_>, error: &PyErr) -> PyResult<ToolFault> {
    static FAULT: PyOnceLock<Py<PyAny>> = PyOnceLock::new();
    FAULT.import(py, "ptc._tools", "fault_of")?.call1((error.value(py),))?.extract()
}

/// Starts a coroutine on an event loop, or on that of the package. Returns its `concurrent.futures.Future`.
pub(crate) fn start<'py>(
    coroutine: Bound<'py, PyAny>,
    event_loop: Option<&Py<PyAny>>,
    context: Option<&Py<PyAny>>,
) -> PyResult<Bound<'py, PyAny>> {
    static START: PyOnceLock<Py<PyAny>> = PyOnceLock::new();
    let py = coroutine.py();
    START.import(py, "ptc._loop", "start")?.call1((coroutine, event_loop, context))
}

/// Calls a function on a thread of its own. Returns its `concurrent.futures.Future`.
pub(crate) fn call<'py>(
    function: &Bound<'py, PyAny>,
    args: Bound<'py, PyTuple>,
    kwargs: Bound<'py, PyDict>,
    context: Option<&Py<PyAny>>,
) -> PyResult<Bound<'py, PyAny>> {
    static CALL: PyOnceLock<Py<PyAny>> = PyOnceLock::new();
    CALL.import(function.py(), "ptc._loop", "call")?.call1((function, args, kwargs, context))
}

/// Returns a function whose calls see the data of the host as `ptc.context()`.
pub(crate) fn in_context<'py>(
    function: &Bound<'py, PyAny>,
    is_async: bool,
    data: Bound<'py, PyAny>,
) -> PyResult<Bound<'py, PyAny>> {
    static IN_CONTEXT: PyOnceLock<Py<PyAny>> = PyOnceLock::new();
    let py = function.py();
    IN_CONTEXT.import(py, "ptc._tools", "in_context")?.call1((function, is_async, data))
}

/// An error of the library: code, message, help, path, line and column.
pub(crate) type Told<'a> =
    (&'a str, &'a str, Option<&'a str>, Option<String>, Option<usize>, Option<usize>);

/// Makes `ptc.AgentError`.
pub(crate) fn agent_error(py: Python<'_>, told: Told<'_>) -> PyResult<PyErr> {
    static ERROR: PyOnceLock<Py<PyAny>> = PyOnceLock::new();
    Ok(PyErr::from_value(ERROR.import(py, "ptc._errors", "AgentError")?.call1(told)?))
}
