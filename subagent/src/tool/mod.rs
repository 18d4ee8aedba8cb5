//! What a program may call: async closures, commands and HTTP endpoints, each checked by its signature.

mod command;
mod http;

use std::fmt;
use std::future::Future;
use std::sync::Arc;
use std::time::Duration;

pub use ptc_lisp::Effect;
use ptc_signatures::{Held, Mismatch, Signature, SignatureMode};
use serde_json::Value;

use crate::error::{Error, ErrorKind};
use crate::provider::BoxFuture;
use crate::run::{RunError, warnings};
pub use command::CommandTool;
pub use http::HttpTool;

/// Something a program may call.
///
/// Dropping the future must stop the work: that is how a call is cancelled.
pub trait Tool: Send + Sync {
    /// Makes one call. The arguments match the signature, as far as its mode asks for that.
    fn call<'a>(
        &'a self,
        args: Value,
        cx: &'a CallContext,
    ) -> BoxFuture<'a, Result<Value, ToolError>>;
}

/// What a tool is told about a call besides its arguments.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct CallContext {
    /// The same for the same call of the same run, however often it is made.
    pub idempotency_key: String,
}

impl CallContext {
    /// Makes a context with a key of the caller's choice.
    pub fn new(idempotency_key: impl Into<String>) -> CallContext {
        CallContext { idempotency_key: idempotency_key.into() }
    }
}

/// A tool with its name, its contract and its limits.
#[derive(Clone)]
pub struct ToolDef {
    /// The name programs call it by.
    pub name: String,
    /// What goes in and what comes out; both are checked.
    pub signature: Option<Signature>,
    /// What happens with arguments and results that do not match; without one, what the agent says,
    /// and [`SignatureMode::Coerce`] outside of a run.
    pub signature_mode: Option<SignatureMode>,
    /// What the model is told about it.
    pub description: Option<String>,
    /// Whether it changes anything.
    pub effect: Effect,
    /// What a call costs, in a unit of the user's choice.
    pub cost: Option<f64>,
    /// The most time of one call.
    pub timeout: Duration,
    implementation: Option<Arc<dyn Tool>>,
}

impl ToolDef {
    /// The time of one call, unless something else is said.
    pub const DEFAULT_TIMEOUT: Duration = Duration::from_secs(30);

    /// Makes a tool that reads, without signature and description.
    pub fn new(name: impl Into<String>, tool: impl Tool + 'static) -> ToolDef {
        ToolDef { implementation: Some(Arc::new(tool)), ..ToolDef::planning(name) }
    }

    /// Makes a tool that the model may plan with and no program may call.
    pub fn planning(name: impl Into<String>) -> ToolDef {
        ToolDef {
            name: name.into(),
            signature: None,
            signature_mode: None,
            description: None,
            effect: Effect::Read,
            cost: None,
            timeout: ToolDef::DEFAULT_TIMEOUT,
            implementation: None,
        }
    }

    /// Sets the signature, such as `(city :string) -> :float`.
    pub fn with_signature(mut self, text: &str) -> Result<ToolDef, Error> {
        let signature = text.parse().map_err(|error: ptc_signatures::Error| {
            let tool = &self.name;
            let message = format!("the signature of tool `{tool}` does not parse: {error}");
            Error::new(ErrorKind::Agent, message).with_help(format!("it is `{text}`"))
        })?;
        self.signature = Some(signature);
        Ok(self)
    }

    /// Sets the signature to that of a function from one Rust type to another. A tool without a description
    /// gets the doc comment of the first one.
    ///
    /// ```
    /// use ptc_subagent::schemars::{self, JsonSchema};
    /// use ptc_subagent::tool::ToolDef;
    ///
    /// /// The temperature of a place, in °C.
    /// #[derive(JsonSchema)]
    /// # #[allow(dead_code)]
    /// struct Place {
    ///     city: String,
    /// }
    ///
    /// let tool = ToolDef::planning("weather").with_signature_of::<Place, f64>();
    /// assert_eq!(tool.signature.unwrap().to_string(), "(city :string) -> :float");
    /// assert_eq!(tool.description.unwrap(), "The temperature of a place, in °C.");
    /// ```
    #[cfg(feature = "schemars")]
    #[must_use]
    pub fn with_signature_of<Args, Output>(mut self) -> ToolDef
    where
        Args: ptc_signatures::schemars::JsonSchema,
        Output: ptc_signatures::schemars::JsonSchema,
    {
        self.signature = Some(Signature::of::<Args, Output>());
        if self.description.is_none() {
            let schema = ptc_signatures::schemars::schema_for!(Args);
            let text = schema.get("description").and_then(Value::as_str);
            self.description = text.map(str::to_string);
        }
        self
    }

    /// Sets what happens with arguments and results that do not match.
    #[must_use]
    pub fn with_signature_mode(mut self, mode: SignatureMode) -> ToolDef {
        self.signature_mode = Some(mode);
        self
    }

    /// Sets what the model is told about it.
    #[must_use]
    pub fn with_description(mut self, text: impl Into<String>) -> ToolDef {
        self.description = Some(text.into());
        self
    }

    /// Sets whether it changes anything.
    #[must_use]
    pub fn with_effect(mut self, effect: Effect) -> ToolDef {
        self.effect = effect;
        self
    }

    /// Sets the most time of one call.
    #[must_use]
    pub fn with_timeout(mut self, timeout: Duration) -> ToolDef {
        self.timeout = timeout;
        self
    }

    /// Says whether a program may call it.
    pub fn is_callable(&self) -> bool {
        self.implementation.is_some()
    }

    /// Makes one call: holds the arguments to the signature, calls within the time, holds the
    /// result to the signature.
    pub async fn call(&self, args: Value, cx: &CallContext) -> Result<Value, ToolError> {
        self.call_with_warnings(args, cx).await.0
    }

    /// Makes one call, and tells what was changed or let through in arguments and result.
    pub async fn call_with_warnings(
        &self,
        args: Value,
        cx: &CallContext,
    ) -> (Result<Value, ToolError>, Vec<RunError>) {
        let mut warnings = Vec::new();
        let result = self.call_into(args, cx, &mut warnings).await;
        (result, warnings)
    }

    async fn call_into(
        &self,
        mut args: Value,
        cx: &CallContext,
        warned: &mut Vec<RunError>,
    ) -> Result<Value, ToolError> {
        let Some(tool) = &self.implementation else {
            return Err(ToolError::new(ToolErrorKind::NotCallable, "is only there to plan with"));
        };
        let (name, mode) = (&self.name, self.signature_mode.unwrap_or_default());
        if let Some(signature) = &self.signature {
            let Held { value, warnings: found, mismatches } = signature.hold_input(args, mode);
            warned.extend(warnings(&format!("arguments of tool `{name}`"), &found));
            refuse(ToolErrorKind::Arguments, "the arguments do not match", &mismatches)?;
            args = value;
        }
        let Ok(result) = tokio::time::timeout(self.timeout, tool.call(args, cx)).await else {
            let message = format!("gave no result within {:?}", self.timeout);
            return Err(ToolError::new(ToolErrorKind::Timeout, message));
        };
        let mut result = result?;
        if let Some(signature) = &self.signature {
            let Held { value, warnings: found, mismatches } = signature.output.hold(result, mode);
            warned.extend(warnings(&format!("result of tool `{name}`"), &found));
            refuse(ToolErrorKind::Result, "the result does not match", &mismatches)?;
            result = value;
        }
        Ok(result)
    }
}

impl fmt::Debug for ToolDef {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ToolDef").field("name", &self.name).finish_non_exhaustive()
    }
}

/// A tool made of an async closure.
#[derive(Clone, Debug)]
pub struct FnTool<F>(F);

impl<F, R> FnTool<F>
where
    F: Fn(Value, CallContext) -> R + Send + Sync,
    R: Future<Output = Result<Value, ToolError>> + Send + 'static,
{
    /// Makes a tool of a closure that takes the arguments and what is known of the call.
    pub fn new(function: F) -> FnTool<F> {
        FnTool(function)
    }
}

impl<F, R> Tool for FnTool<F>
where
    F: Fn(Value, CallContext) -> R + Send + Sync,
    R: Future<Output = Result<Value, ToolError>> + Send + 'static,
{
    fn call<'a>(
        &'a self,
        args: Value,
        cx: &'a CallContext,
    ) -> BoxFuture<'a, Result<Value, ToolError>> {
        Box::pin((self.0)(args, cx.clone()))
    }
}

/// Why a call has no result. The message does not name the tool: whoever shows it does.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct ToolError {
    /// What kind of failure it is.
    pub kind: ToolErrorKind,
    /// What happened, in lower case.
    pub message: String,
}

impl ToolError {
    /// Makes an error of `kind`.
    #[cold]
    pub fn new(kind: ToolErrorKind, message: impl Into<String>) -> ToolError {
        ToolError { kind, message: message.into() }
    }

    /// Makes the error of a tool that did its work and cannot give a result.
    #[cold]
    pub fn failed(message: impl Into<String>) -> ToolError {
        ToolError::new(ToolErrorKind::Failed, message)
    }
}

/// The kinds of [`ToolError`]. Codes are stable.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ToolErrorKind {
    /// The tool says that it failed: its error, or its exit code.
    Failed,
    /// The arguments do not match the signature; the tool was not called.
    Arguments,
    /// The result does not match the signature.
    Result,
    /// No result in time.
    Timeout,
    /// The command's program is not there or may not be run.
    Missing,
    /// What the command printed is no JSON.
    Output,
    /// The command printed too much.
    TooLarge,
    /// The tool is only there to plan with.
    NotCallable,
    /// The tool panicked.
    Panicked,
}

impl ToolErrorKind {
    /// Returns the stable kebab-case code.
    pub fn code(self) -> &'static str {
        match self {
            ToolErrorKind::Failed => "tool-failed",
            ToolErrorKind::Arguments => "tool-arguments",
            ToolErrorKind::Result => "tool-result",
            ToolErrorKind::Timeout => "tool-timeout",
            ToolErrorKind::Missing => "tool-missing",
            ToolErrorKind::Output => "tool-output",
            ToolErrorKind::TooLarge => "tool-too-large",
            ToolErrorKind::NotCallable => "tool-not-callable",
            ToolErrorKind::Panicked => "tool-panicked",
        }
    }
}

/// More than these in one message tell nobody anything new.
const MAX_SHOWN: usize = 5;

/// The message goes to programs and models: it does not say what is in hidden fields.
fn refuse(kind: ToolErrorKind, what: &str, mismatches: &[Mismatch]) -> Result<(), ToolError> {
    if mismatches.is_empty() {
        return Ok(());
    }
    let shown: Vec<Mismatch> = mismatches.iter().map(Mismatch::redacted).collect();
    Err(ToolError::new(kind, format!("{what}: {}", list(&shown))))
}

/// Returns mismatches on one line, the first few of them.
pub(crate) fn list(mismatches: &[Mismatch]) -> String {
    let mut shown: Vec<_> = mismatches.iter().take(MAX_SHOWN).map(ToString::to_string).collect();
    if mismatches.len() > MAX_SHOWN {
        shown.push(format!("and {} more", mismatches.len() - MAX_SHOWN));
    }
    shown.join("; ")
}
