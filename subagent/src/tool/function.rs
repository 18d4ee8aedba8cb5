//! Tools that are async closures over JSON.

use std::fmt;
use std::future::Future;
use std::sync::Arc;

use serde_json::Value;

use super::{CallContext, Tool};
use crate::data::Data;
use crate::provider::BoxFuture;
use crate::record::{ToolError, ToolErrorKind};

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
#[derive(Clone)]
pub struct FnTool(Arc<Function>);

type Function =
    dyn Fn(Data, CallContext) -> BoxFuture<'static, Result<Data, ToolError>> + Send + Sync;

impl FnTool {
    /// Creates a tool from a closure that takes the arguments and the context of the call. A value of `serde_json` has
    /// no integers past 64 bits, so a call with one fails; [`FnTool::exact`] takes them.
    pub fn new<F, R>(function: F) -> FnTool
    where
        F: Fn(Value, CallContext) -> R + Send + Sync + 'static,
        R: Future<Output = Result<Value, ToolError>> + Send + 'static,
    {
        FnTool(Arc::new(move |args: Data, cx| match args.to_json() {
            Ok(args) => {
                let result = function(args, cx);
                Box::pin(async move { result.await.map(Data::from) })
            }
            Err(error) => Box::pin(std::future::ready(Err(too_big(&error)))),
        }))
    }

    /// Creates a tool from a closure whose arguments and result keep every digit of their integers.
    ///
    /// ```
    /// use ptc_subagent::Data;
    /// use ptc_subagent::tool::{CallContext, FnTool, ToolDef};
    ///
    /// let echo = ToolDef::new("echo", FnTool::exact(|args: Data, _| async move { Ok(args) }));
    /// # tokio::runtime::Builder::new_current_thread().enable_time().build().unwrap().block_on(async {
    /// let args: Data = r#"{"n":123456789012345678901234567890}"#.parse()?;
    /// let result = echo.call(args, &CallContext::new("key")).await.unwrap();
    /// assert_eq!(result.to_string(), r#"{"n":123456789012345678901234567890}"#);
    /// # Ok::<(), ptc_subagent::Error>(())
    /// # }).unwrap();
    /// ```
    pub fn exact<F, R>(function: F) -> FnTool
    where
        F: Fn(Data, CallContext) -> R + Send + Sync + 'static,
        R: Future<Output = Result<Data, ToolError>> + Send + 'static,
    {
        FnTool(Arc::new(move |args, cx| Box::pin(function(args, cx))))
    }
}

/// Returns the error of arguments that `serde_json` cannot hold.
fn too_big(error: &crate::Error) -> ToolError {
    let message = format!("the arguments have no JSON form: {error}");
    ToolError::new(ToolErrorKind::Arguments, message)
        .with_help("send an integer past 64 bits as text: `(str n)`")
}

impl fmt::Debug for FnTool {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("FnTool").finish_non_exhaustive()
    }
}

impl Tool for FnTool {
    fn call<'a>(
        &'a self,
        args: Data,
        cx: &'a CallContext,
    ) -> BoxFuture<'a, Result<Data, ToolError>> {
        (self.0)(args, cx.clone())
    }
}
