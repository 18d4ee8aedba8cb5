//! Work on the threads of the package that an event loop waits for.

use std::sync::{Arc, Mutex, PoisonError};

use pyo3::exceptions::PyRuntimeError;
use pyo3::exceptions::asyncio::CancelledError;
use pyo3::prelude::*;

use crate::callback::Stop;
use crate::runtime::spawn;

/// Work in progress, or its result.
#[pyclass(module = "ptc._ptc", frozen)]
pub(crate) struct Work {
    stop: Arc<Stop>,
    end: Arc<Mutex<Option<End>>>,
}

/// Makes the result an object.
type End = Box<dyn FnOnce(Python<'_>) -> PyResult<Py<PyAny>> + Send>;

impl Work {
    /// Starts work. It ends early when its `Stop` rings, and `notify` is called without arguments at its end.
    ///
    /// # Errors
    ///
    /// The reason that there are no threads.
    pub(crate) fn start<F, E>(
        notify: Py<PyAny>,
        work: impl FnOnce(Arc<Stop>) -> F,
    ) -> PyResult<Work>
    where
        F: Future<Output = E> + Send + 'static,
        E: FnOnce(Python<'_>) -> PyResult<Py<PyAny>> + Send + 'static,
    {
        let started = Work { stop: Arc::default(), end: Arc::default() };
        let end = started.end.clone();
        let work = work(started.stop.clone());
        spawn(async move {
            let done: End = Box::new(work.await);
            end.lock().unwrap_or_else(PoisonError::into_inner).replace(done);
            // An event loop that is closed needs no news.
            let _ = Python::try_attach(|py| notify.call0(py));
        })?;
        Ok(started)
    }
}

#[pymethods]
impl Work {
    /// Ends the work early.
    fn cancel(&self) {
        self.stop.raise(CancelledError::new_err(()));
    }

    /// Returns the result, once.
    fn result(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        if let Some(error) = self.stop.take() {
            return Err(error);
        }
        let end = self.end.lock().unwrap_or_else(PoisonError::into_inner).take();
        end.ok_or_else(|| PyRuntimeError::new_err("the work has not ended"))?(py)
    }
}
