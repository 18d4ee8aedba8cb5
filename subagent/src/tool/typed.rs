//! Tools that are async closures over Rust types, which give them signature and description.

use std::future::Future;

use ptc_signatures::schemars::JsonSchema;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use super::{CallContext, FnTool, ToolDef, ToolError, ToolErrorKind};
use crate::error::in_our_words;
use crate::provider::BoxFuture;

/// An async closure of one Rust type, with or without a [`CallContext`], to a result of another.
///
/// It is there for every closure that [`ToolDef::typed`] takes; `Shape` only tells the two kinds apart.
pub trait TypedFunction<Shape>: Send + Sync + 'static {
    /// What it takes: a struct with a field for every argument.
    type Args: DeserializeOwned + JsonSchema;
    /// What it gives.
    type Output: Serialize + JsonSchema + 'static;

    /// Makes one call.
    fn call(
        &self,
        args: Self::Args,
        cx: CallContext,
    ) -> BoxFuture<'static, Result<Self::Output, ToolError>>;
}

impl<F, Args, Output, R> TypedFunction<fn(Args)> for F
where
    F: Fn(Args) -> R + Send + Sync + 'static,
    R: Future<Output = Result<Output, ToolError>> + Send + 'static,
    Args: DeserializeOwned + JsonSchema,
    Output: Serialize + JsonSchema + 'static,
{
    type Args = Args;
    type Output = Output;

    fn call(&self, args: Args, _: CallContext) -> BoxFuture<'static, Result<Output, ToolError>> {
        Box::pin(self(args))
    }
}

impl<F, Args, Output, R> TypedFunction<fn(Args, CallContext)> for F
where
    F: Fn(Args, CallContext) -> R + Send + Sync + 'static,
    R: Future<Output = Result<Output, ToolError>> + Send + 'static,
    Args: DeserializeOwned + JsonSchema,
    Output: Serialize + JsonSchema + 'static,
{
    type Args = Args;
    type Output = Output;

    fn call(&self, args: Args, cx: CallContext) -> BoxFuture<'static, Result<Output, ToolError>> {
        Box::pin(self(args, cx))
    }
}

impl ToolDef {
    /// Makes a tool that reads of an async closure over Rust types. Its signature is that of the types, its
    /// description the doc comment of the first one, and its arguments are read by serde.
    ///
    /// ```
    /// use ptc_subagent::schemars::{self, JsonSchema};
    /// use ptc_subagent::tool::{CallContext, Effect, ToolDef, ToolError};
    /// use serde::Deserialize;
    /// use serde_json::json;
    ///
    /// /// The temperature of a place, in °C.
    /// #[derive(Deserialize, JsonSchema)]
    /// struct Place {
    ///     city: String,
    /// }
    ///
    /// let tool = ToolDef::typed("weather", async |place: Place| match place.city.as_str() {
    ///     "Köln" => Ok(11.5),
    ///     other => Err(ToolError::failed(format!("no station in {other}"))),
    /// })
    /// .with_effect(Effect::Read);
    /// assert_eq!(tool.signature.as_ref().unwrap().to_string(), "(city :string) -> :float");
    /// assert_eq!(tool.description.as_deref(), Some("The temperature of a place, in °C."));
    ///
    /// # tokio::runtime::Builder::new_current_thread().enable_time().build().unwrap().block_on(async {
    /// let result = tool.call(json!({"city": "Köln"}), &CallContext::new("key")).await;
    /// assert_eq!(result.unwrap(), json!(11.5));
    /// # });
    /// ```
    ///
    /// The closure may take the [`CallContext`] too. What it captures is shared by all calls, so that a call
    /// takes a share of its own:
    ///
    /// ```
    /// # use ptc_subagent::schemars::{self, JsonSchema};
    /// # use ptc_subagent::tool::{CallContext, Effect, ToolDef, ToolError};
    /// # use serde::Deserialize;
    /// use std::sync::{Arc, Mutex};
    ///
    /// #[derive(Deserialize, JsonSchema)]
    /// struct Note {
    ///     text: String,
    /// }
    ///
    /// let notes = Arc::new(Mutex::new(Vec::new()));
    /// let tool = ToolDef::typed("note", move |note: Note, cx: CallContext| {
    ///     let notes = Arc::clone(&notes);
    ///     async move {
    ///         let mut notes = notes.lock().map_err(|it| ToolError::failed(it.to_string()))?;
    ///         notes.push((cx.idempotency_key, note.text));
    ///         Ok(notes.len())
    ///     }
    /// })
    /// .with_effect(Effect::Write);
    /// # assert_eq!(tool.signature.unwrap().to_string(), "(text :string) -> :int[0..]");
    /// ```
    pub fn typed<Shape, F>(name: impl Into<String>, function: F) -> ToolDef
    where
        F: TypedFunction<Shape>,
    {
        let tool = FnTool::new(move |args, cx| {
            let running = read::<F::Args>(args).map(|args| function.call(args, cx));
            async move { write(&running?.await?) }
        });
        ToolDef::new(name, tool).with_signature_of::<F::Args, F::Output>()
    }
}

fn read<Args: DeserializeOwned>(args: Value) -> Result<Args, ToolError> {
    serde_path_to_error::deserialize(args).map_err(|error| {
        let (path, what) = (error.path().to_string(), in_our_words(&error.inner().to_string()));
        let place = if path == "." { String::new() } else { format!("{path}: ") };
        let message = format!("the arguments do not match: {place}{what}");
        ToolError::new(ToolErrorKind::Arguments, message)
    })
}

fn write<Output: Serialize>(result: &Output) -> Result<Value, ToolError> {
    serde_json::to_value(result).map_err(|error| {
        let message = format!("the result has no JSON form: {error}");
        ToolError::new(ToolErrorKind::Output, message).permanent()
    })
}
