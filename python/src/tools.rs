//! Functions and coroutines of Python as tools.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use ptc_lisp::json;
use ptc_subagent::tool::{CallContext, Effect, Tool, ToolDef, ToolError, ToolErrorKind};
use pyo3::exceptions::{PyException, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyCFunction, PyDict, PyTuple};
use serde_json::Value;
use tokio::sync::{Notify, oneshot};

use crate::python;
use crate::to_python::{NoObject, to_python};
use crate::to_value::to_value;

/// A tool as the Python half describes it.
#[derive(FromPyObject)]
#[expect(clippy::struct_excessive_bools, reason = "each is a setting of its own")]
pub(crate) struct ToolSpec {
    name: String,
    function: Py<PyAny>,
    is_async: bool,
    signature: Option<String>,
    description: Option<String>,
    effect: Option<String>,
    cost: Option<f64>,
    timeout: Option<f64>,
    retries: u32,
    max_calls: Option<u32>,
    cache: bool,
    idempotent: bool,
    confirm: bool,
}

impl ToolSpec {
    /// Makes the tool. Its calls run as `way` says, and stop the program through `stop`.
    pub(crate) fn define(self, way: &Way, stop: &Arc<Stop>) -> PyResult<ToolDef> {
        let way = if self.is_async { way.of_coroutines() } else { way.of_functions() };
        let function = Arc::new(self.function);
        let mut tool = ToolDef::new(self.name, PythonTool { function, way, stop: stop.clone() });
        if let Some(text) = &self.signature {
            tool = tool.with_signature(text).map_err(|error| {
                let help = error.help().map(|it| format!(" ({it})")).unwrap_or_default();
                PyValueError::new_err(format!("{}{help}", error.message()))
            })?;
        }
        tool.description = self.description;
        tool.effect = match self.effect.as_deref() {
            None => None,
            Some("read") => Some(Effect::Read),
            Some("write") => Some(Effect::Write),
            Some(other) => {
                let message =
                    format!("the effect of a tool is \"read\" or \"write\", not {other:?}");
                return Err(PyValueError::new_err(message));
            }
        };
        if let Some(seconds) = self.timeout {
            tool.timeout = Duration::try_from_secs_f64(seconds).map_err(|_| {
                PyValueError::new_err("the timeout of a tool must be a number of seconds")
            })?;
        }
        tool.cost = self.cost;
        tool.retries = self.retries;
        tool.max_calls = self.max_calls;
        tool.cache = self.cache;
        tool.idempotent = self.idempotent;
        tool.confirm = self.confirm;
        Ok(tool)
    }
}

/// The threads and the event loop of the calls of a program.
pub(crate) struct Way {
    /// Whether functions run on threads of their own. Otherwise they run on the thread of the program.
    pub(crate) threads: bool,
    /// The event loop of coroutines; `None` for the one of the package.
    pub(crate) event_loop: Option<Arc<Py<PyAny>>>,
}

impl Way {
    fn of_functions(&self) -> CallWay {
        if self.threads { CallWay::Thread } else { CallWay::Here }
    }

    fn of_coroutines(&self) -> CallWay {
        CallWay::Loop(self.event_loop.clone())
    }
}

#[derive(Clone)]
enum CallWay {
    Here,
    Thread,
    Loop(Option<Arc<Py<PyAny>>>),
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

    /// Remembers the exception of a failed call.
    fn remember(&self, message: &str, error: PyErr) {
        let failed = Some((message.to_owned(), error));
        *self.failed.lock().unwrap_or_else(PoisonError::into_inner) = failed;
    }

    /// Waits for an exception.
    pub(crate) async fn wait(&self) {
        self.bell.notified().await;
    }
}

struct PythonTool {
    function: Arc<Py<PyAny>>,
    way: CallWay,
    stop: Arc<Stop>,
}

impl Tool for PythonTool {
    fn call<'a>(
        &'a self,
        args: Value,
        _: &'a CallContext,
    ) -> ptc_subagent::provider::BoxFuture<'a, Result<Value, ToolError>> {
        let (function, stop) = (&self.function, &self.stop);
        match &self.way {
            CallWay::Here => Box::pin(async move {
                outcome_of(Python::attach(|py| call(py, function, &args, stop))).await
            }),
            CallWay::Thread => {
                let (function, stop) = (function.clone(), stop.clone());
                let work = move || Python::attach(|py| call(py, &function, &args, &stop));
                Box::pin(async move {
                    match tokio::task::spawn_blocking(work).await {
                        Ok(outcome) => outcome_of(outcome).await,
                        Err(_) => Err(ToolError::new(ToolErrorKind::Panicked, "broke down")),
                    }
                })
            }
            CallWay::Loop(event_loop) => Box::pin(async move {
                let started = Python::attach(|py| {
                    begin(py, function, &args, event_loop.as_deref())
                        .map_err(|it| fail(py, it, stop))
                });
                let (waiting, _cancel) = match started {
                    Ok(started) => started,
                    Err(error) => return outcome_of(error.map(Err)).await,
                };
                let Ok(done) = waiting.await else {
                    return Err(ToolError::new(ToolErrorKind::Cancelled, "was cancelled"));
                };
                let outcome = Python::attach(|py| match done.call_method0(py, "result") {
                    Ok(result) => read(result.bind(py), stop),
                    Err(error) => fail(py, error, stop).map(Err),
                });
                outcome_of(outcome).await
            }),
        }
    }
}

/// Returns the outcome of a call. Without one the program is stopped, and waits until then.
async fn outcome_of(outcome: Option<Result<Value, ToolError>>) -> Result<Value, ToolError> {
    match outcome {
        Some(outcome) => outcome,
        None => std::future::pending().await,
    }
}

/// Calls a function. Returns nothing if the program is stopped instead.
fn call(
    py: Python<'_>,
    function: &Py<PyAny>,
    args: &Value,
    stop: &Stop,
) -> Option<Result<Value, ToolError>> {
    match arguments(py, args).and_then(|args| function.bind(py).call((), Some(&args))) {
        Ok(result) => read(&result, stop),
        Err(error) => fail(py, error, stop).map(Err),
    }
}

/// Cancels a coroutine whose call is dropped.
struct Cancel(Option<Py<PyAny>>);

impl Drop for Cancel {
    fn drop(&mut self) {
        if let Some(future) = self.0.take() {
            // A future that is done ignores it. A failure has nobody to tell.
            let _ = Python::try_attach(|py| future.call_method0(py, "cancel"));
        }
    }
}

/// Starts a coroutine on an event loop.
fn begin(
    py: Python<'_>,
    function: &Py<PyAny>,
    args: &Value,
    event_loop: Option<&Py<PyAny>>,
) -> PyResult<(oneshot::Receiver<Py<PyAny>>, Cancel)> {
    let coroutine = function.bind(py).call((), Some(&arguments(py, args)?))?;
    let future = python::start(coroutine, event_loop)?;
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

/// Returns arguments as keywords.
fn arguments<'py>(py: Python<'py>, args: &Value) -> PyResult<Bound<'py, PyDict>> {
    let args = to_python(py, &json::from_serde(args), usize::MAX);
    match args {
        Ok(args) => Ok(args.cast_into::<PyDict>()?),
        Err(NoObject::Raised(error)) => Err(error),
        Err(NoObject::Kind(_) | NoObject::Size) => Ok(PyDict::new(py)),
    }
}

/// Reads the result of a call.
fn read(result: &Bound<'_, PyAny>, stop: &Stop) -> Option<Result<Value, ToolError>> {
    let wrong = |why: String| Err(ToolError::new(ToolErrorKind::Output, why).permanent());
    Some(match to_value(result, "the result") {
        Ok(value) => match json::to_serde(&value) {
            Ok(value) => Ok(value),
            Err(error) => wrong(format!("gave a result without a JSON form: {error}")),
        },
        Err(error) => {
            let failure = fail(result.py(), error, stop)?;
            wrong(format!("gave a result without a JSON form: {}", failure.message))
        }
    })
}

/// Returns the failure for an exception. Returns nothing for one that stops the program.
fn fail(py: Python<'_>, error: PyErr, stop: &Stop) -> Option<ToolError> {
    let is_cancelled = error.get_type(py).name().is_ok_and(|it| it == "CancelledError");
    if !error.is_instance_of::<PyException>(py) && !is_cancelled {
        stop.raise(error);
        return None;
    }
    if is_cancelled {
        return Some(ToolError::new(ToolErrorKind::Cancelled, "was cancelled"));
    }
    // The text of an exception may raise another one.
    let Ok(fault) = python::fault(py, &error) else { return Some(ToolError::failed("failed")) };
    stop.remember(&fault.message, error);
    let mut failure = ToolError::failed(fault.message);
    failure = fault.help.into_iter().fold(failure, ToolError::with_help);
    failure = fault.advice.into_iter().fold(failure, ToolError::with_advice);
    if let Some(wait) = fault.retry_after.and_then(|it| Duration::try_from_secs_f64(it).ok()) {
        failure = failure.with_retry_after(wait);
    }
    Some(if fault.permanent { failure.permanent() } else { failure })
}
