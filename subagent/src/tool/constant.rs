//! Tools that answer from a table, for tests and for drafts of agents.

use ptc_lisp::print::{Preview, preview};
use ptc_lisp::{Effect, Value};

use super::{CallContext, Tool};
use crate::data::Data;
use crate::provider::BoxFuture;
use crate::record::{ToolError, ToolErrorKind};

/// A tool that answers from a table. The first case with equal arguments gives the answer, else the default does.
///
/// Arguments compare as values of the language: `1` equals `1.0`, and the order of keys does not matter.
///
/// ```
/// use ptc_subagent::tool::{CallContext, Constant, ToolDef};
/// use serde_json::json;
///
/// let rate = Constant::fails("no such currency")
///     .with_case(json!({"currency": "USD"}), json!(0.5))
///     .with_failure(json!({"currency": "GBP"}), "the market is closed");
/// let tool = ToolDef::new("rate", rate);
/// # tokio::runtime::Builder::new_current_thread().enable_time().build().unwrap().block_on(async {
/// let cx = CallContext::new("key");
/// assert_eq!(tool.call(json!({"currency": "USD"}), &cx).await.unwrap(), json!(0.5));
/// let error = tool.call(json!({"currency": "GBP"}), &cx).await.unwrap_err();
/// assert_eq!(error.to_string(), "the market is closed");
/// # });
/// ```
#[derive(Clone, Debug, Default)]
pub struct Constant {
    cases: Vec<(Value, Answer)>,
    otherwise: Option<Answer>,
}

/// A result, or the message of an error.
type Answer = Result<Value, String>;

impl Constant {
    /// Creates a tool that always returns this result.
    pub fn returns(result: impl Into<Value>) -> Constant {
        Constant { cases: Vec::new(), otherwise: Some(Ok(result.into())) }
    }

    /// Creates a tool that always fails with this message.
    pub fn fails(message: impl Into<String>) -> Constant {
        Constant { cases: Vec::new(), otherwise: Some(Err(message.into())) }
    }

    /// Adds a result for these arguments. Earlier cases take precedence.
    #[must_use]
    pub fn with_case(mut self, args: impl Into<Value>, result: impl Into<Value>) -> Constant {
        self.cases.push((args.into(), Ok(result.into())));
        self
    }

    /// Adds an error for these arguments.
    #[must_use]
    pub fn with_failure(mut self, args: impl Into<Value>, message: impl Into<String>) -> Constant {
        self.cases.push((args.into(), Err(message.into())));
        self
    }

    /// Answers a call at once.
    ///
    /// # Errors
    ///
    /// [`ToolErrorKind::Failed`](super::ToolErrorKind::Failed) with the failure of the matching case or of the default,
    /// or if no case matches and there is no default.
    pub fn answer(&self, args: &Value) -> Result<Value, ToolError> {
        let case = self.cases.iter().find(|(wanted, _)| wanted == args).map(|(_, answer)| answer);
        match case.or(self.otherwise.as_ref()) {
            Some(Ok(result)) => Ok(result.clone()),
            Some(Err(message)) => Err(ToolError::failed(message).permanent()),
            None => Err(ToolError::failed(format!("has no result for {}", rendered(args)))
                .permanent()
                .with_advice("add a case, or `returns` for all other arguments")),
        }
    }
}

/// Renders arguments for a message, without the fields that are hidden from models.
fn rendered(args: &Value) -> String {
    let bounds = Preview { max_chars: 200, max_items: 20, max_depth: 5, hide_private: true };
    preview(args, &bounds).0
}

impl Tool for Constant {
    fn call<'a>(
        &'a self,
        args: Data,
        _: &'a CallContext,
    ) -> BoxFuture<'a, Result<Data, ToolError>> {
        let result = self.answer(args.value()).and_then(|result| {
            Data::of_program(&result).map_err(|error| {
                let message = format!("the result has no JSON form: {error}");
                ToolError::new(ToolErrorKind::Output, message).permanent()
            })
        });
        Box::pin(std::future::ready(result))
    }

    /// Returns [`Effect::Read`], because a table never changes.
    fn effect(&self) -> Option<Effect> {
        Some(Effect::Read)
    }
}
