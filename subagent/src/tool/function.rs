//! Tools that are async closures over JSON.

use std::future::Future;

use serde_json::Value;

use super::{CallContext, Tool, ToolError};
use crate::provider::BoxFuture;

/// A tool made from an async closure over JSON. With the feature `schemars`, `ToolDef::typed` makes one from a closure
/// over Rust types.
///
/// A closure that captures a value clones it for each call, because the future has to own the values it uses.
///
/// ```
/// use std::sync::Arc;
///
/// use ptc_subagent::tool::{FnTool, ToolDef};
/// use serde_json::json;
///
/// let greeting = Arc::new("Hello".to_string());
/// let greet = FnTool::new(move |args: serde_json::Value, _| {
///     let greeting = Arc::clone(&greeting);
///     async move { Ok(json!(format!("{greeting}, {}", args["name"]))) }
/// });
/// # ToolDef::new("greet", greet);
/// ```
#[derive(Clone, Debug)]
pub struct FnTool<F>(F);

impl<F, R> FnTool<F>
where
    F: Fn(Value, CallContext) -> R + Send + Sync,
    R: Future<Output = Result<Value, ToolError>> + Send + 'static,
{
    /// Creates a tool from a closure that takes the arguments and the context of the call.
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
