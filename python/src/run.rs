//! Runs of agents: the native half of `Agent.run` and its kin.

use std::time::Duration;

use ptc_subagent::host::Running;
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use serde_json::json;

use crate::error::raise;
use crate::runtime::SIGNALS;
use crate::to_python::object;

/// A run in progress, or its end.
#[pyclass(module = "ptc._ptc", frozen)]
pub(crate) struct Run(pub(crate) Running);

#[pymethods]
impl Run {
    /// Whether the run ended.
    #[getter]
    fn is_over(&self) -> bool {
        self.0.is_over()
    }

    /// Takes the events since the last call.
    fn take<'py>(&self, py: Python<'py>) -> PyResult<Vec<Bound<'py, PyAny>>> {
        let events = self.0.take_events();
        events.iter().map(|(run, event)| object(py, event.to_json(run).value())).collect()
    }

    /// Waits for an event or the end. A signal such as Ctrl-C cancels the run, and waits for its end.
    fn wait(&self, py: Python<'_>) -> PyResult<()> {
        let mut interrupt = None;
        loop {
            let is_ready = py.detach(|| match &interrupt {
                None => self.0.wait(SIGNALS),
                Some(_) => self.0.wait_for_end(SIGNALS),
            });
            if is_ready {
                return interrupt.map_or(Ok(()), Err);
            }
            if let Err(error) = py.check_signals() {
                self.0.cancel();
                interrupt.get_or_insert(error);
            }
        }
    }

    /// Cancels the run.
    fn cancel(&self) {
        self.0.cancel();
    }

    /// Takes the report of the run.
    fn report<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let end = self.0.take_report();
        let end = end.ok_or_else(|| PyRuntimeError::new_err("the run has no report to take"))?;
        let report = end.map_err(raise)?;
        let fields = report.to_json().with("exit_code", json!(report.exit_code()));
        object(py, fields.with("partial", json!(report.partial)).value())
    }
}

/// The longest time that a run waits in the process for a time of its program.
pub(crate) fn patience(seconds: f64) -> PyResult<Duration> {
    Duration::try_from_secs_f64(seconds)
        .map_err(|_| PyRuntimeError::new_err("`wait_at_most` must be a number of seconds"))
}
