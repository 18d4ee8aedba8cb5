//! Runs of agents: the native half of `Agent.run` and its kin.

use std::collections::VecDeque;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use ptc_subagent::{Data, Error, RunReport};
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use serde_json::json;
use tokio::sync::Notify;

use crate::error::raise;
use crate::runtime::SIGNALS;
use crate::to_python::object;

/// A run in progress, or its end.
#[pyclass(module = "ptc._ptc", frozen)]
pub(crate) struct Run(pub(crate) Arc<Progress>);

/// The events that nobody has taken yet, and the end of a run.
pub(crate) struct Progress {
    state: Mutex<State>,
    arrived: Condvar,
    cancelled: Notify,
    /// A function that is called without arguments when something arrives after the last look.
    notify: Option<Py<PyAny>>,
}

#[derive(Default)]
struct State {
    events: VecDeque<Data>,
    end: Option<Result<RunReport, Error>>,
    /// Whether the run ended; its end may have been taken.
    is_over: bool,
    was_told: bool,
}

impl Progress {
    pub(crate) fn new(notify: Option<Py<PyAny>>) -> Progress {
        Progress {
            state: Mutex::default(),
            arrived: Condvar::new(),
            cancelled: Notify::new(),
            notify,
        }
    }

    /// Keeps an event.
    pub(crate) fn event(&self, event: Data) {
        self.change(|state| state.events.push_back(event));
    }

    /// Keeps the end of the run.
    pub(crate) fn end(&self, end: Result<RunReport, Error>) {
        self.change(|state| {
            state.end = Some(end);
            state.is_over = true;
        });
    }

    /// Waits until the run is to be cancelled.
    pub(crate) async fn cancelled(&self) {
        self.cancelled.notified().await;
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn change(&self, change: impl FnOnce(&mut State)) {
        let mut state = self.lock();
        change(&mut state);
        let tells = !std::mem::replace(&mut state.was_told, true);
        drop(state);
        self.arrived.notify_all();
        if let Some(notify) = self.notify.as_ref().filter(|_| tells) {
            // An event loop that is closed needs no news.
            let _ = Python::try_attach(|py| notify.call0(py));
        }
    }
}

#[pymethods]
impl Run {
    /// Whether the run ended.
    #[getter]
    fn is_over(&self) -> bool {
        self.0.lock().is_over
    }

    /// Takes the events since the last call.
    fn take<'py>(&self, py: Python<'py>) -> PyResult<Vec<Bound<'py, PyAny>>> {
        let mut state = self.0.lock();
        state.was_told = false;
        let events = std::mem::take(&mut state.events);
        drop(state);
        events.iter().map(|event| object(py, event.value())).collect()
    }

    /// Waits for an event or the end. A signal such as Ctrl-C cancels the run, and waits for its end.
    fn wait(&self, py: Python<'_>) -> PyResult<()> {
        let mut interrupt = None;
        loop {
            let is_ready = py.detach(|| {
                let state = self.0.lock();
                let waits = |state: &mut State| state.events.is_empty() && !state.is_over;
                let waited = self.0.arrived.wait_timeout_while(state, SIGNALS, waits);
                let (state, _) = waited.unwrap_or_else(PoisonError::into_inner);
                state.is_over || !state.events.is_empty() && interrupt.is_none()
            });
            if is_ready {
                return interrupt.map_or(Ok(()), Err);
            }
            if let Err(error) = py.check_signals() {
                self.0.cancelled.notify_one();
                interrupt.get_or_insert(error);
            }
        }
    }

    /// Cancels the run.
    fn cancel(&self) {
        self.0.cancelled.notify_one();
    }

    /// Takes the report of the run.
    fn report<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let end = self.0.lock().end.take();
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
