//! Functions and coroutines of Python as tools.

use std::time::Duration;

use ptc_lisp::json;
use ptc_signatures::Signature;
use ptc_subagent::provider::BoxFuture;
use ptc_subagent::tool::{CallContext, Effect, Tool, ToolDef, ToolError, ToolErrorKind};
use ptc_subagent::{Data, ResultRule};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use serde_json::Value;

use crate::callback::{Arguments, Callback, Fault};
use crate::error::raise;
use crate::to_value::to_value;

/// A tool as the Python half describes it.
#[derive(FromPyObject)]
#[expect(clippy::struct_excessive_bools, reason = "each is a setting of its own")]
pub(crate) struct ToolSpec {
    name: String,
    function: Py<PyAny>,
    is_async: bool,
    signature: Option<String>,
    /// The JSON Schemas of the arguments and of the result, as text, if there is no signature.
    schemas: Option<(String, Option<String>)>,
    description: Option<String>,
    effect: Option<String>,
    cost: Option<f64>,
    timeout: Option<f64>,
    retries: u32,
    max_calls: Option<u32>,
    cache: bool,
    idempotent: bool,
    confirm: bool,
    trust: Option<String>,
    /// The rule about its results.
    result: Py<PyDict>,
}

impl ToolSpec {
    /// Makes the tool.
    pub(crate) fn define(self) -> PyResult<ToolDef> {
        let tool = PythonTool(Callback::new(self.function, self.is_async));
        let mut tool = ToolDef::new(self.name, tool);
        if let Some(text) = &self.signature {
            tool = tool.with_signature(text).map_err(raise)?;
        } else if let Some((input, output)) = &self.schemas {
            tool.signature = Some(signature_of(input, output.as_deref())?);
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
        tool.trust = self.trust;
        tool.result = Python::attach(|py| rule_of(self.result.bind(py)))?;
        Ok(tool)
    }
}

/// Reads the rule about the results of a tool.
fn rule_of(keys: &Bound<'_, PyDict>) -> PyResult<ResultRule> {
    let wrong = |why: String| PyValueError::new_err(format!("the settings of a tool: {why}"));
    let keys = to_value(keys, "the settings of a tool")?;
    let keys = json::write(&keys).map_err(|why| wrong(why.to_string()))?;
    serde_json::from_str(&keys).map_err(|error| wrong(error.to_string()))
}

/// Makes a signature of JSON Schemas.
pub(crate) fn signature_of(input: &str, output: Option<&str>) -> PyResult<Signature> {
    let read = |text: &str| {
        serde_json::from_str::<Value>(text).map_err(|error| {
            PyTypeError::new_err(format!("the schema of a type is not JSON: {error}"))
        })
    };
    let output = output.map(read).transpose()?;
    Ok(Signature::from_schemas(&read(input)?, output.as_ref()).0)
}

struct PythonTool(Callback);

impl Tool for PythonTool {
    fn call<'a>(
        &'a self,
        args: Data,
        cx: &'a CallContext,
    ) -> BoxFuture<'a, Result<Data, ToolError>> {
        Box::pin(async move {
            let host = cx.context();
            let own;
            let callback = if host.is_null() {
                &self.0
            } else {
                own = self.0.in_context(&host).map_err(|_| {
                    ToolError::new(ToolErrorKind::Failed, "the host context has no form in Python")
                })?;
                &own
            };
            match callback.call(Arguments::Fields(args), read).await {
                Ok(result) => result,
                Err(fault) => Err(failure(fault)),
            }
        })
    }
}

/// Reads the result of a call.
fn read(result: &Bound<'_, PyAny>) -> PyResult<Result<Data, ToolError>> {
    let wrong = |why: &str| {
        let message = format!("gave a result without a JSON form: {why}");
        Err(ToolError::new(ToolErrorKind::Output, message).permanent())
    };
    let value = match to_value(result, "the result") {
        Ok(value) => value,
        // Conversion may run code, whose exceptions are those of the call.
        Err(error) if !error.is_instance_of::<PyTypeError>(result.py()) => return Err(error),
        Err(error) => return Ok(wrong(&error.value(result.py()).str()?.to_string_lossy())),
    };
    Ok(Data::of(&value).or_else(|error| wrong(&error.to_string())))
}

fn failure(fault: Fault) -> ToolError {
    let kind = if fault.is_cancelled { ToolErrorKind::Cancelled } else { ToolErrorKind::Failed };
    let mut failure = ToolError::new(kind, fault.message);
    failure = fault.help.into_iter().fold(failure, ToolError::with_help);
    failure = fault.advice.into_iter().fold(failure, ToolError::with_advice);
    if let Some(wait) = fault.retry_after.and_then(|it| Duration::try_from_secs_f64(it).ok()) {
        failure = failure.with_retry_after(wait);
    }
    if fault.permanent { failure.permanent() } else { failure }
}
