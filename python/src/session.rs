//! Programs without a run: the native half of `ptc.Session`.

use std::sync::Arc;

use ptc_lisp::{Limits, Repair, Value, json};
use ptc_subagent::eval::{EvalStatus, EvalTools, Evaluation, Sandbox, changed_limits};
use ptc_subagent::{Agent, fresh_seed};
use ptc_view::Text;
use pyo3::exceptions::{PyRuntimeError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use tokio::sync::{Mutex, MutexGuard, TryLockError};

use crate::callback::{Place, Stop};
use crate::error::raise;
use crate::problem::{Failed, Problem, value_of};
use crate::runtime::{stopped, wait_here};
use crate::to_python::to_python;
use crate::to_value::to_value;
use crate::tools::ToolSpec;
use crate::work::Work;

/// The name of a program in renderings.
const PROGRAM: &str = "program";

/// The data, the tools and the state of programs.
#[pyclass(module = "ptc._ptc", frozen)]
pub(crate) struct Session {
    state: Arc<Mutex<State>>,
    seed: u64,
    /// The largest value that leaves a program, in bytes.
    max: usize,
}

struct State {
    sandbox: Sandbox,
    session: ptc_lisp::Session,
}

/// The outcome of a program.
#[derive(IntoPyObject)]
struct Outcome<'py> {
    status: &'static str,
    value: Bound<'py, PyAny>,
    prints: Vec<String>,
    fuel: u64,
    calls: Vec<Call<'py>>,
    warnings: Vec<Problem>,
    errors: Vec<Problem>,
    failed: Option<Failed<'py>>,
    /// The exception of the tool that failed.
    cause: Option<PyErr>,
    repair: Option<String>,
}

/// A call: the name of the tool, the arguments, the result, and the message of a failure.
type Call<'py> = (String, Bound<'py, PyAny>, Bound<'py, PyAny>, Option<String>);

/// The findings about a program that does not run.
#[derive(IntoPyObject)]
struct Checked<'py> {
    report: Option<Bound<'py, PyAny>>,
    warnings: Vec<Problem>,
    errors: Vec<Problem>,
    repair: Option<String>,
}

#[pymethods]
impl Session {
    #[new]
    #[pyo3(signature = (ctx, memory, tools, limits, seed))]
    fn new(
        ctx: &Bound<'_, PyAny>,
        memory: &Bound<'_, PyAny>,
        tools: Vec<ToolSpec>,
        limits: &Bound<'_, PyDict>,
        seed: Option<u64>,
    ) -> PyResult<Session> {
        let (ctx, memory) = (map(ctx, "ctx")?, map(memory, "memory")?);
        let tools = if tools.is_empty() {
            EvalTools::default()
        } else {
            // The prompt is never read: an agent checks and holds the tools.
            let mut agent = Agent::new("Run programs.");
            for tool in tools {
                agent = agent.with_tool(tool.define()?);
            }
            agent.check().map_err(raise)?;
            EvalTools::of_agent(&agent, true)
        };
        let limits = limits_of(limits)?;
        let max = limits.result_bytes as usize;
        let seed = seed.unwrap_or_else(fresh_seed);
        let sandbox = Sandbox { ctx, tools, limits, seed, ..Sandbox::default() };
        let mut session = sandbox.session();
        if !memory.is_nil() {
            session.set_memory(memory);
        }
        Ok(Session { state: Arc::new(Mutex::new(State { sandbox, session })), seed, max })
    }

    /// The seed of random functions.
    #[getter]
    fn seed(&self) -> u64 {
        self.seed
    }

    /// The values that programs have kept.
    fn memory<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let memory = py.detach(|| self.with(|state| state.session.memory()))?;
        value_of(py, &memory, usize::MAX)?
            .map_err(|error| PyTypeError::new_err(error.message().to_owned()))
    }

    /// Runs a program.
    fn run<'py>(&self, py: Python<'py>, source: &str, repair: bool) -> PyResult<Outcome<'py>> {
        let stop = Arc::new(Stop::default());
        let evaluation = wait_here(py, &stop, async {
            let mut state = self.lock()?;
            let place = Place { stop: Some(stop.clone()), ..Place::default() };
            let evaluated = state.evaluate(source, repair, stopped(&stop));
            Ok::<_, PyErr>(place.scope(evaluated).await)
        })??;
        if let Some(error) = stop.take() {
            return Err(error);
        }
        Outcome::of(py, source, evaluation, &stop, self.max)
    }

    /// Starts a program on the threads of the package. Its coroutines run on an event loop.
    fn start(
        &self,
        source: String,
        repair: bool,
        event_loop: Py<PyAny>,
        context: Py<PyAny>,
        notify: Py<PyAny>,
    ) -> PyResult<Work> {
        let mut state = self.state.clone().try_lock_owned().map_err(busy)?;
        let max = self.max;
        Work::start(notify, |stop| async move {
            let place = Place {
                threads: true,
                event_loop: Some(Arc::new(event_loop)),
                context: Some(Arc::new(context)),
                stop: Some(stop.clone()),
            };
            let evaluation = place.scope(state.evaluate(&source, repair, stop.wait())).await;
            move |py: Python<'_>| {
                let outcome = Outcome::of(py, &source, evaluation, &stop, max)?;
                Ok(outcome.into_pyobject(py)?.into_any().unbind())
            }
        })
    }

    /// Checks a program.
    fn check<'py>(&self, py: Python<'py>, source: &str, repair: bool) -> PyResult<Checked<'py>> {
        let admitted =
            py.detach(|| self.with(|it| it.sandbox.admit(&it.session, source, repair)))?;
        let text = Text::new(PROGRAM, source);
        Ok(match admitted {
            Ok((admitted, repair)) => {
                let report = json::from_serde(&admitted.report().to_json());
                let report = to_python(py, &report, usize::MAX).ok();
                let warnings = admitted.warnings().iter();
                let warnings = warnings.map(|it| Problem::warning(it, &text)).collect();
                Checked { report, warnings, errors: Vec::new(), repair: message_of(repair) }
            }
            Err(errors) => Checked {
                report: None,
                warnings: Vec::new(),
                errors: errors.iter().map(|it| Problem::error(it, &text)).collect(),
                repair: None,
            },
        })
    }
}

impl Session {
    fn lock(&self) -> PyResult<MutexGuard<'_, State>> {
        self.state.try_lock().map_err(busy)
    }

    fn with<T>(&self, f: impl FnOnce(&mut State) -> T) -> PyResult<T> {
        Ok(f(&mut *self.lock()?))
    }
}

impl State {
    async fn evaluate(
        &mut self,
        source: &str,
        repair: bool,
        stopped: impl Future<Output = ()> + Send,
    ) -> Evaluation {
        self.sandbox.evaluate(&mut self.session, source, repair, stopped).await
    }
}

impl<'py> Outcome<'py> {
    fn of(
        py: Python<'py>,
        source: &str,
        evaluation: Evaluation,
        stop: &Stop,
        max: usize,
    ) -> PyResult<Outcome<'py>> {
        let mut status = evaluation.status;
        let mut value = py.None().into_bound(py);
        let mut problems = evaluation.errors;
        if let Some(found) = evaluation.value.filter(|_| problems.is_empty()) {
            match value_of(py, &found, max)? {
                Ok(object) => value = object,
                Err(_) if evaluation.failure.is_some() => {}
                Err(problem) => {
                    status = EvalStatus::Error;
                    problems.push(problem);
                }
            }
        }
        let cause = stop.cause_of(problems.first().map(ptc_lisp::Diagnostic::message));
        let failed = evaluation.failure.map(|it| Failed::of(py, it, max)).transpose()?;
        let mut calls = Vec::with_capacity(evaluation.calls.len());
        for call in evaluation.calls.into_values() {
            let none = || py.None().into_bound(py);
            let object =
                |value: &Value| to_python(py, value, usize::MAX).unwrap_or_else(|_| none());
            let (result, error) = match call.outcome {
                Ok(result) => (object(&result), None),
                Err(error) => (none(), Some(error)),
            };
            calls.push((call.name, object(&call.args), result, error));
        }
        let (warnings, errors) = if evaluation.warnings.is_empty() && problems.is_empty() {
            (Vec::new(), Vec::new())
        } else {
            let text = Text::new(PROGRAM, source);
            let warnings = evaluation.warnings.iter().map(|it| Problem::warning(it, &text));
            let errors = problems.iter().map(|it| Problem::error(it, &text));
            (warnings.collect(), errors.collect())
        };
        Ok(Outcome {
            status: status.as_str(),
            value,
            prints: evaluation.prints,
            fuel: evaluation.fuel,
            calls,
            warnings,
            errors,
            failed,
            cause,
            repair: message_of(evaluation.repair),
        })
    }
}

fn busy(_: TryLockError) -> PyErr {
    PyRuntimeError::new_err("the session is running another program")
}

fn message_of(repair: Option<Repair>) -> Option<String> {
    repair.map(|it| it.message().to_owned())
}

/// Reads named data; nil for none.
fn map(object: &Bound<'_, PyAny>, name: &str) -> PyResult<Value> {
    match to_value(object, name)? {
        value @ (Value::Map(_) | Value::Nil) => Ok(value),
        other => {
            let kind = other.type_name();
            Err(PyTypeError::new_err(format!("{name} must be a mapping, and is of kind {kind}")))
        }
    }
}

/// Reads limits by their names.
fn limits_of(limits: &Bound<'_, PyDict>) -> PyResult<Limits> {
    let changes = to_value(limits, "limits")?;
    let changes = changes.as_map().into_iter().flat_map(ptc_lisp::Map::iter);
    changed_limits(&Limits::default(), changes).map_err(PyValueError::new_err)
}

/// Returns the table of limits: the name, the default, and the thing that each one counts.
#[pyfunction]
pub(crate) fn limits() -> Vec<(&'static str, f64, &'static str)> {
    let defaults = Limits::default().to_json();
    let row = |limit: &ptc_lisp::Limit| {
        let default = defaults.get(limit.name).and_then(serde_json::Value::as_f64);
        (limit.name, default.unwrap_or_default(), limit.counts)
    };
    Limits::ALL.iter().map(row).collect()
}
