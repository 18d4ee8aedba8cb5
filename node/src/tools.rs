//! Functions of JavaScript as tools.

use std::time::Duration;

use napi::Result;
use ptc_signatures::Signature;
use ptc_subagent::provider::BoxFuture;
use ptc_subagent::tool::{CallContext, Effect, Tool, ToolDef, ToolError, ToolErrorKind};
use ptc_subagent::{Data, ResultRule};
use serde::Deserialize;
use serde_json::Value;

use crate::error::{raise, type_error};
use crate::text;
use crate::work::{Fault, call};

/// A tool as the JavaScript half describes it.
#[derive(Deserialize)]
pub(crate) struct ToolSpec {
    name: String,
    /// The number of its function.
    function: u32,
    signature: Option<String>,
    /// The JSON Schemas of the arguments and of the result, if there is no signature.
    schemas: Option<(Value, Option<Value>)>,
    description: Option<String>,
    effect: Option<String>,
    cost: Option<f64>,
    timeout: Option<f64>,
    #[serde(default)]
    retries: u32,
    max_calls: Option<u32>,
    #[serde(default)]
    cache: bool,
    #[serde(default)]
    idempotent: bool,
    #[serde(default)]
    confirm: bool,
    trust: Option<String>,
    #[serde(flatten)]
    result: ResultRule,
}

impl ToolSpec {
    /// Makes the tool.
    pub(crate) fn define(self) -> Result<ToolDef> {
        let mut tool = ToolDef::new(self.name, NodeTool(self.function));
        if let Some(text) = &self.signature {
            tool = tool.with_signature(text).map_err(raise)?;
        } else if let Some((input, output)) = &self.schemas {
            tool.signature = Some(Signature::from_schemas(input, output.as_ref()).0);
        }
        tool.description = self.description;
        tool.effect = match self.effect.as_deref() {
            None => None,
            Some("read") => Some(Effect::Read),
            Some("write") => Some(Effect::Write),
            Some(other) => {
                let message =
                    format!("the effect of a tool is \"read\" or \"write\", not {other:?}");
                return Err(type_error(message));
            }
        };
        if let Some(seconds) = self.timeout {
            tool.timeout = Duration::try_from_secs_f64(seconds)
                .map_err(|_| type_error("the timeout of a tool must be a number of seconds"))?;
        }
        tool.cost = self.cost;
        tool.retries = self.retries;
        tool.max_calls = self.max_calls;
        tool.cache = self.cache;
        tool.idempotent = self.idempotent;
        tool.confirm = self.confirm;
        tool.trust = self.trust;
        tool.result = self.result;
        Ok(tool)
    }
}

struct NodeTool(u32);

impl Tool for NodeTool {
    fn call<'a>(
        &'a self,
        args: Data,
        cx: &'a CallContext,
    ) -> BoxFuture<'a, std::result::Result<Data, ToolError>> {
        Box::pin(async move {
            let context = cx.context();
            let context = if context.is_null() { String::new() } else { text::of_data(&context) };
            let result = call(self.0, &context, &text::of_data(&args)).await.map_err(failure)?;
            text::data(&result).map_err(|why| {
                let message = format!("gave a result without a JSON form: {why}");
                ToolError::new(ToolErrorKind::Output, message).permanent()
            })
        })
    }
}

fn failure(fault: Fault) -> ToolError {
    let mut failure = ToolError::new(ToolErrorKind::Failed, fault.message);
    failure = fault.help.into_iter().fold(failure, ToolError::with_help);
    failure = fault.advice.into_iter().fold(failure, ToolError::with_advice);
    if let Some(wait) = fault.retry_after.and_then(|it| Duration::try_from_secs_f64(it).ok()) {
        failure = failure.with_retry_after(wait);
    }
    if fault.permanent { failure.permanent() } else { failure }
}
