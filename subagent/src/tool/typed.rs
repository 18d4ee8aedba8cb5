//! Tools that are async closures over Rust types. The types provide the signature and the description.

use std::future::Future;

use ptc_signatures::schemars::JsonSchema;
use serde::Serialize;
use serde::de::DeserializeOwned;

use super::{CallContext, FnTool, ToolDef};
use crate::data::Data;
use crate::error::in_our_words;
use crate::provider::BoxFuture;
use crate::record::{ToolError, ToolErrorKind};

/// An async closure over Rust types, with or without a [`CallContext`] argument.
///
/// It is implemented for every closure that [`ToolDef::typed`] takes. `Shape` only distinguishes the two kinds of
/// closures.
pub trait TypedFunction<Shape>: Send + Sync + 'static {
    /// The type of the arguments: a struct with one field for each argument.
    type Args: DeserializeOwned + JsonSchema;
    /// The type of the result.
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
    /// Creates a tool from an async closure over Rust types. The types give the signature. The doc comment of the
    /// argument type gives the description. Serde parses the arguments.
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
    /// The closure may also take the [`CallContext`]. All calls share the captured values, so each call clones what it
    /// needs:
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
        let tool = FnTool::exact(move |args, cx| {
            let running = read::<F::Args>(&args).map(|args| function.call(args, cx));
            async move { write(&running?.await?) }
        });
        ToolDef::new(name, tool).with_signature_of::<F::Args, F::Output>()
    }
}

fn read<Args: DeserializeOwned>(args: &Data) -> Result<Args, ToolError> {
    args.read().map_err(|error| {
        let (path, what) = (error.path().to_string(), in_our_words(&error.inner().to_string()));
        let place = if path == "." { String::new() } else { format!("{path}: ") };
        let message = format!("the arguments do not match: {place}{what}");
        ToolError::new(ToolErrorKind::Arguments, message)
    })
}

fn write<Output: Serialize>(result: &Output) -> Result<Data, ToolError> {
    // Writing text takes longer, and serde makes no value of an integer past 64 bits.
    let made = serde_json::to_value(result).map(Data::from);
    made.or_else(|_| Data::written(result)).map_err(|error| {
        let message = format!("the result has no JSON form: {error}");
        ToolError::new(ToolErrorKind::Output, message).permanent()
    })
}
