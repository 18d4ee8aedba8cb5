//! Calls of functions and coroutines of Python from a running program.

use std::future::pending;
use std::sync::{Arc, Mutex, PoisonError};

use ptc_subagent::Data;
use pyo3::exceptions::{PyException, PyRuntimeError};
use pyo3::prelude::*;
use pyo3::types::{PyCFunction, PyDict, PyTuple};
use tokio::sync::{Notify, oneshot};

use crate::python;
use crate::to_python::object;

/// The place where callbacks of a program or a run are called.
#[derive(Clone, Default)]
pub(crate) struct Place {
    /// Whether functions run on threads of their own. Otherwise they run on the thread of the program.
    pub(crate) threads: bool,
    /// The event loop of coroutines; `None` for the one of the package.
    pub(crate) event_loop: Option<Arc<Py<PyAny>>>,
    /// The variables of the context that callbacks see; `None` for those of the thread.
    pub(crate) context: Option<Arc<Py<PyAny>>>,
    /// The way to stop the program with an exception that programs cannot catch; `None` if such an exception is a
    /// failure like others.
    pub(crate) stop: Option<Arc<Stop>>,
}

tokio::task_local! {
    static PLACE: Place;
}

impl Place {
    /// Runs a future whose callbacks have this place.
    pub(crate) async fn scope<F: Future>(self, future: F) -> F::Output {
        PLACE.scope(self, future).await
    }

    fn current() -> Place {
        PLACE.try_with(Place::clone).unwrap_or_default()
    }
}

/// The exceptions of tools. An exception that programs cannot catch, such as `KeyboardInterrupt`, stops the program.
#[derive(Default)]
pub(crate) struct Stop {
    raised: Mutex<Option<PyErr>>,
    bell: Notify,
    /// The latest failure of a call: its message, and the exception.
    failed: Mutex<Option<(String, PyErr)>>,
}

impl Stop {
    /// Stops the program with an exception.
    pub(crate) fn raise(&self, error: PyErr) {
        self.raised.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(error);
        self.bell.notify_one();
    }

    /// Returns the exception, once.
    pub(crate) fn take(&self) -> Option<PyErr> {
        self.raised.lock().unwrap_or_else(PoisonError::into_inner).take()
    }

    /// Returns the exception behind a problem, if the latest failure of a call has its message. Forgets the failure.
    pub(crate) fn cause_of(&self, problem: Option<&str>) -> Option<PyErr> {
        let failed = self.failed.lock().unwrap_or_else(PoisonError::into_inner).take();
        failed.filter(|(message, _)| problem.is_some_and(|it| it.ends_with(message))).map(|it| it.1)
    }

    /// Waits for an exception.
    pub(crate) async fn wait(&self) {
        self.bell.notified().await;
    }
}

/// A function or a coroutine.
pub(crate) struct Callback {
    function: Arc<Py<PyAny>>,
    is_async: bool,
}

/// The failure of a callback.
pub(crate) struct Fault {
    pub(crate) message: String,
    pub(crate) help: Option<String>,
    pub(crate) advice: Option<String>,
    /// The seconds to wait before the next attempt.
    pub(crate) retry_after: Option<f64>,
    pub(crate) permanent: bool,
    pub(crate) is_cancelled: bool,
}

/// The arguments of a call, as JSON.
pub(crate) enum Arguments {
    /// One object.
    Object(Data),
    /// The fields of an object, by their names.
    Fields(Data),
}

impl Arguments {
    fn of(self, py: Python<'_>) -> PyResult<(Bound<'_, PyTuple>, Bound<'_, PyDict>)> {
        Ok(match self {
            Arguments::Object(data) => {
                (PyTuple::new(py, [object(py, data.value())?])?, PyDict::new(py))
            }
            Arguments::Fields(data) => {
                (PyTuple::empty(py), object(py, data.value())?.cast_into::<PyDict>()?)
            }
        })
    }
}

impl Callback {
    pub(crate) fn new(function: Py<PyAny>, is_async: bool) -> Callback {
        Callback { function: Arc::new(function), is_async }
    }

    /// Returns the callback with data of the host, which its calls see as `ptc.context()`.
    pub(crate) fn in_context(&self, data: &Data) -> PyResult<Callback> {
        Python::attach(|py| {
            let data = object(py, data.value())?;
            let function = python::in_context(self.function.bind(py), self.is_async, data)?;
            Ok(Callback::new(function.unbind(), self.is_async))
        })
    }

    /// Makes a call. `read` reads the result. Dropping the future cancels a coroutine.
    ///
    /// # Errors
    ///
    /// The failure that an exception is.
    pub(crate) async fn call<T: Send + 'static>(
        &self,
        arguments: Arguments,
        read: impl FnOnce(&Bound<'_, PyAny>) -> PyResult<T> + Send + 'static,
    ) -> Result<T, Fault> {
        let place = Place::current();
        let function = self.function.clone();
        let outcome = if self.is_async || place.threads {
            let started =
                Python::attach(|py| start(py, function.bind(py), arguments, self.is_async, &place));
            match started {
                Err(error) => Err(error),
                Ok((done, _cancel)) => match done.await {
                    Ok(done) => Python::attach(|py| read(&done.bind(py).call_method0("result")?)),
                    Err(_) => Err(PyRuntimeError::new_err("the event loop ended")),
                },
            }
        } else {
            Python::attach(|py| {
                let (args, kwargs) = arguments.of(py)?;
                read(&function.bind(py).call(args, Some(&kwargs))?)
            })
        };
        match outcome {
            Ok(value) => Ok(value),
            Err(error) => match Python::attach(|py| fault(py, error, place.stop.as_deref())) {
                Some(fault) => Err(fault),
                // The program is stopped: the call has no outcome.
                None => pending().await,
            },
        }
    }
}

/// Cancels a coroutine whose call is dropped. A function that runs goes on.
struct Cancel(Option<Py<PyAny>>);

impl Drop for Cancel {
    fn drop(&mut self) {
        if let Some(future) = self.0.take() {
            // A future that is done ignores it. A failure has nobody to tell.
            let _ = Python::try_attach(|py| future.call_method0(py, "cancel"));
        }
    }
}

/// Starts a coroutine on an event loop, or a function on a thread of its own.
fn start(
    py: Python<'_>,
    function: &Bound<'_, PyAny>,
    arguments: Arguments,
    is_async: bool,
    place: &Place,
) -> PyResult<(oneshot::Receiver<Py<PyAny>>, Cancel)> {
    let (args, kwargs) = arguments.of(py)?;
    let context = place.context.as_deref();
    let future = if is_async {
        let coroutine = function.call(args, Some(&kwargs))?;
        python::start(coroutine, place.event_loop.as_deref(), context)?
    } else {
        python::call(function, args, kwargs, context)?
    };
    let (sender, receiver) = oneshot::channel();
    let sender = Mutex::new(Some(sender));
    let done = move |args: &Bound<'_, PyTuple>, _: Option<&Bound<'_, PyDict>>| -> PyResult<()> {
        let sender = sender.lock().unwrap_or_else(PoisonError::into_inner).take();
        if let Some(sender) = sender {
            // Nobody waits for a cancelled call.
            let _ = sender.send(args.get_item(0)?.unbind());
        }
        Ok(())
    };
    let done = PyCFunction::new_closure(py, None, None, done)?;
    future.call_method1("add_done_callback", (done,))?;
    Ok((receiver, Cancel(Some(future.unbind()))))
}

/// Returns the failure for an exception. Returns nothing for one that stops the program.
fn fault(py: Python<'_>, error: PyErr, stop: Option<&Stop>) -> Option<Fault> {
    let is_cancelled = error.get_type(py).name().is_ok_and(|it| it == "CancelledError");
    let mut fault = Fault {
        message: "failed".to_owned(),
        help: None,
        advice: None,
        retry_after: None,
        permanent: false,
        is_cancelled,
    };
    if is_cancelled {
        return Some(Fault { message: "was cancelled".to_owned(), ..fault });
    }
    if let Some(stop) = stop
        && !error.is_instance_of::<PyException>(py)
    {
        stop.raise(error);
        return None;
    }
    // The text of an exception may raise another one.
    if let Ok(told) = python::fault(py, &error) {
        fault = Fault {
            message: told.message,
            help: told.help,
            advice: told.advice,
            retry_after: told.retry_after,
            permanent: told.permanent,
            is_cancelled,
        };
    }
    if let Some(stop) = stop {
        let failed = Some((fault.message.clone(), error));
        *stop.failed.lock().unwrap_or_else(PoisonError::into_inner) = failed;
    }
    Some(fault)
}
