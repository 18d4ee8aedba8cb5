//! What a program may call: async closures, commands, HTTP endpoints and tables of answers, each checked by
//! its signature.

mod agent;
mod command;
mod constant;
mod error;
mod function;
mod http;
mod output;
mod processes;
#[cfg(feature = "schemars")]
mod typed;

use std::borrow::Cow;
use std::fmt;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

pub use ptc_lisp::Effect;
use ptc_lisp::ToolDecl;
use ptc_signatures::{Coercible, Enforced, Signature, SignatureMode};
use serde_json::Value;

use crate::error::{Error, ErrorKind};
use crate::provider::BoxFuture;
use crate::run::{RunError, warnings};
pub(crate) use agent::{AgentTool, ToolOf};
pub use command::CommandTool;
pub use constant::Constant;
pub(crate) use error::list;
use error::refuse;
pub use error::{ToolError, ToolErrorKind};
pub use function::FnTool;
pub use http::HttpTool;
#[cfg(feature = "schemars")]
pub use typed::TypedFunction;

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

    /// Returns where its work is done, as far as somebody may look there without making a call.
    fn place(&self) -> Option<ToolPlace<'_>> {
        None
    }

    /// Returns what it needs for a call besides what its place names.
    fn needs(&self) -> ToolNeeds {
        ToolNeeds::default()
    }

    /// Returns the effect of its calls if the tool itself shows it, as a GET request does. `None` leaves it to the
    /// author of the [`ToolDef`].
    fn effect(&self) -> Option<Effect> {
        None
    }
}

/// What a tool needs for a call: somebody may look whether it is there without making one.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct ToolNeeds {
    /// Arguments that every call must have, since the URL is made with them.
    pub arguments: Vec<String>,
    /// Variables of the environment that headers need: a call without one fails.
    pub header_variables: Vec<String>,
    /// Variables of the environment that a program is given: where one is not set, the program starts without it.
    pub passed_variables: Vec<String>,
}

/// Where the work of a tool is done.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ToolPlace<'a> {
    /// In a program of its own.
    Command {
        /// The program and its arguments.
        command: &'a [String],
        /// Where it starts.
        folder: &'a Path,
    },
    /// At a server.
    Server {
        /// Its name or address.
        host: String,
        /// Where it listens.
        port: u16,
    },
}

/// What a tool is told about a call besides its arguments.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct CallContext {
    /// The same for the same call of the same run, however often it is made.
    pub idempotency_key: String,
    /// The most bytes that the result may take as JSON. A tool that reads its result from elsewhere
    /// stops reading there; the result of any tool is held to it.
    pub max_output: usize,
}

impl CallContext {
    /// Makes a context with a key of the caller's choice.
    pub fn new(idempotency_key: impl Into<String>) -> CallContext {
        let max_output = ToolDef::DEFAULT_MAX_OUTPUT;
        CallContext { idempotency_key: idempotency_key.into(), max_output }
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
    /// Whether it changes anything, as its author says; `None` if nobody says. [`ToolDef::effect`] is what counts.
    ///
    /// [`Effect::Read`] is a promise: a call may be made again, in any order, and its result may be cached; nobody is
    /// asked before it.
    pub effect: Option<Effect>,
    /// What a call costs, in a unit of the user's choice.
    pub cost: Option<f64>,
    /// The most time of one attempt.
    pub timeout: Duration,
    /// How often a call is tried again that failed in a way that may pass: [`ToolErrorKind::Failed`],
    /// [`ToolErrorKind::Timeout`] and [`ToolErrorKind::Output`]. Only for tools that read or are idempotent.
    pub retries: u32,
    /// The wait before the second attempt. It doubles with every further one, up to
    /// [`ToolDef::MAX_RETRY_DELAY`]; a tool may ask for another one.
    pub retry_delay: Duration,
    /// The most bytes of the result as JSON.
    pub max_output: usize,
    /// The most calls of one run; `None` is no ceiling.
    pub max_calls: Option<u32>,
    /// Whether a call with the same arguments as an earlier one of the same run gets its result. Only for tools
    /// that read.
    pub cache: bool,
    /// Whether a call that was made twice with the same [key](CallContext::idempotency_key) does what one call does,
    /// although the tool writes: then a call of which nobody knows what came is made again when a run is resumed.
    pub idempotent: bool,
    implementation: Implementation,
}

#[derive(Clone)]
enum Implementation {
    /// Nothing: it is only there to plan with.
    None,
    Tool(Arc<dyn Tool>),
    Agent(AgentTool),
}

impl ToolDef {
    /// The time of one attempt, unless something else is said.
    pub const DEFAULT_TIMEOUT: Duration = Duration::from_secs(30);

    /// The first wait before another attempt, unless something else is said.
    pub const DEFAULT_RETRY_DELAY: Duration = Duration::from_millis(500);

    /// The longest wait that doubling leads to.
    pub const MAX_RETRY_DELAY: Duration = Duration::from_secs(30);

    /// The most bytes of the result as JSON, unless something else is said.
    pub const DEFAULT_MAX_OUTPUT: usize = 1 << 20;

    /// Makes a tool without signature, description and effect. Until [`ToolDef::with_effect`] says otherwise, it
    /// counts as a tool that writes, unless the tool itself shows that it reads: a GET request and a [`Constant`] do.
    pub fn new(name: impl Into<String>, tool: impl Tool + 'static) -> ToolDef {
        let implementation = Implementation::Tool(Arc::new(tool));
        ToolDef { implementation, ..ToolDef::planning(name) }
    }

    /// Makes a tool that the model may plan with and no program may call.
    pub fn planning(name: impl Into<String>) -> ToolDef {
        ToolDef {
            name: name.into(),
            signature: None,
            signature_mode: None,
            description: None,
            effect: None,
            cost: None,
            timeout: ToolDef::DEFAULT_TIMEOUT,
            retries: 0,
            retry_delay: ToolDef::DEFAULT_RETRY_DELAY,
            max_output: ToolDef::DEFAULT_MAX_OUTPUT,
            max_calls: None,
            cache: false,
            idempotent: false,
            implementation: Implementation::None,
        }
    }

    /// Sets the signature, such as `(city :string) -> :float`.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Agent`] if the text is not a signature.
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

    /// Says whether it changes anything.
    #[must_use]
    pub fn with_effect(mut self, effect: Effect) -> ToolDef {
        self.effect = Some(effect);
        self
    }

    /// Sets the most time of one attempt.
    #[must_use]
    pub fn with_timeout(mut self, timeout: Duration) -> ToolDef {
        self.timeout = timeout;
        self
    }

    /// Sets how often a call is tried again.
    #[must_use]
    pub fn with_retries(mut self, retries: u32) -> ToolDef {
        self.retries = retries;
        self
    }

    /// Sets the wait before the second attempt.
    #[must_use]
    pub fn with_retry_delay(mut self, delay: Duration) -> ToolDef {
        self.retry_delay = delay;
        self
    }

    /// Sets the most bytes of the result as JSON.
    #[must_use]
    pub fn with_max_output(mut self, bytes: usize) -> ToolDef {
        self.max_output = bytes;
        self
    }

    /// Sets the most calls of one run.
    #[must_use]
    pub fn with_max_calls(mut self, calls: u32) -> ToolDef {
        self.max_calls = Some(calls);
        self
    }

    /// Sets whether the same arguments get the same result within a run.
    #[must_use]
    pub fn with_cache(mut self, cache: bool) -> ToolDef {
        self.cache = cache;
        self
    }

    /// Says that a call which is made twice with the same key does what one call does.
    #[must_use]
    pub fn with_idempotent(mut self, idempotent: bool) -> ToolDef {
        self.idempotent = idempotent;
        self
    }

    /// Returns the effect that counts: what its author says, else what the tool itself shows, else
    /// [`Effect::Write`].
    pub fn effect(&self) -> Effect {
        self.known_effect().unwrap_or(Effect::Write)
    }

    /// Tells whether the tool counts as writing only because nobody says what it does.
    pub fn effect_is_assumed(&self) -> bool {
        self.known_effect().is_none()
    }

    fn known_effect(&self) -> Option<Effect> {
        self.effect.or_else(|| match &self.implementation {
            Implementation::Tool(tool) => tool.effect(),
            // It is never called, or its effect is that of the tools of an agent.
            Implementation::None | Implementation::Agent(_) => Some(Effect::Read),
        })
    }

    /// Whether a call may be made again although an earlier attempt may have gone through.
    pub(crate) fn may_repeat(&self) -> bool {
        self.idempotent || self.effect() == Effect::Read
    }

    /// Says whether a program may call it.
    pub fn is_callable(&self) -> bool {
        !matches!(self.implementation, Implementation::None)
    }

    /// Returns what programs may know of it.
    pub fn declaration(&self) -> ToolDecl {
        ToolDecl {
            name: self.name.clone(),
            signature: self.signature.clone(),
            mode: Some(self.signature_mode.unwrap_or_default()),
            description: self.description.clone(),
            effect: self.effect(),
            callable: self.is_callable(),
            cost: self.cost,
        }
    }

    /// Finds a request to repeat or to remember calls that may write: the key of a file, what is wrong, what to do.
    pub(crate) fn unsafe_repetition(&self) -> Option<(&'static str, String, String)> {
        let name = &self.name;
        let (key, why, instead) = if self.retries > 0 && !self.may_repeat() {
            let why =
                format!("tool `{name}` writes, and has `retries`: only reading may be repeated");
            ("retries", why, ", or say `idempotent = true` if a repeated call changes nothing more")
        } else if self.cache && self.effect() == Effect::Write {
            let why = format!("`cache` of tool `{name}`: only what a tool reads can be remembered");
            ("cache", why, "")
        } else {
            return None;
        };
        let unsaid = match self.sub_agent() {
            Some(agent) => agent.tools_without_effect(),
            None if self.effect_is_assumed() => vec![name.clone()],
            None => Vec::new(),
        };
        if unsaid.is_empty() {
            return Some((key, why, format!("remove `{key}`{instead}")));
        }
        let message = format!(
            "tool `{name}` has `{key}`, and counts as one that writes: no `effect` is given for `{}`",
            unsaid.join("`, `")
        );
        let help = format!(
            "say `effect = \"read\"` if its calls change nothing{instead}; else remove `{key}`"
        );
        Some((key, message, help))
    }

    /// Finds what makes no sense, with the key of a file that says so.
    pub(crate) fn fault(&self) -> Option<(&'static str, String)> {
        let name = self.name.as_str();
        if name.trim().is_empty() {
            return Some(("name", "a tool has an empty name".to_string()));
        }
        if name == "return" || name == "fail" {
            let message = format!("`{name}` cannot name a tool: programs end with it");
            return Some(("name", message));
        }
        if name.contains(char::is_control) {
            let message = format!("the name {name:?} of a tool has a control character");
            return Some(("name", message));
        }
        // Prompts and messages put on one line what may have several.
        if !name.split(' ').all(|word| !word.is_empty() && !word.contains(char::is_whitespace)) {
            let message = format!(
                "the name `{name}` of a tool has white space other than single spaces between words"
            );
            return Some(("name", message));
        }
        let length = name.chars().count();
        if length > MAX_NAME {
            let start: String = name.chars().take(20).collect();
            let message = format!(
                "the name `{start}…` of a tool is {length} characters long, and may have {MAX_NAME}"
            );
            return Some(("name", message));
        }
        if self.cost.is_some_and(|cost| !cost.is_finite() || cost < 0.0) {
            return Some(("cost", "a `cost` is a number from 0 on".to_string()));
        }
        let unknown = self.unknown_placeholder();
        unknown.map(|(_, message)| ("url", message))
    }

    /// Finds an argument that the URL needs and the signature does not have; comes with what to say of it.
    pub(crate) fn unknown_placeholder(&self) -> Option<(String, String)> {
        let params = &self.signature.as_ref()?.params;
        let is_param = |name: &String| params.iter().any(|field| field.name == *name);
        let unknown = self.needs().arguments.into_iter().find(|name| !is_param(name))?;
        let tool = &self.name;
        let message = format!(
            "tool `{tool}`: the URL needs `{{{unknown}}}`, which is no input of its signature"
        );
        Some((unknown, message))
    }

    /// Returns where its work is done, as far as somebody may look there without making a call.
    pub fn place(&self) -> Option<ToolPlace<'_>> {
        match &self.implementation {
            Implementation::Tool(tool) => tool.place(),
            Implementation::None | Implementation::Agent(_) => None,
        }
    }

    /// Returns what it needs for a call besides what its place names.
    pub fn needs(&self) -> ToolNeeds {
        match &self.implementation {
            Implementation::Tool(tool) => tool.needs(),
            Implementation::None | Implementation::Agent(_) => ToolNeeds::default(),
        }
    }

    /// Makes one call: checks the arguments against the signature, retries as the definition allows, checks the result against
    /// its size limit and the signature.
    ///
    /// # Errors
    ///
    /// [`ToolError`] with the kind of failure: arguments or result that do not fit, a timeout, or an error of the tool.
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
        args: Value,
        cx: &CallContext,
        warned: &mut Vec<RunError>,
    ) -> Result<Value, ToolError> {
        let not_callable = |why| Err(ToolError::new(ToolErrorKind::NotCallable, why));
        let tool = match &self.implementation {
            Implementation::None => return not_callable("is only there to plan with"),
            Implementation::Agent(_) => return not_callable("is an agent: only a run can call it"),
            Implementation::Tool(tool) => tool,
        };
        let (name, mode) = (&self.name, self.signature_mode.unwrap_or_default());
        let args = self.enforce_arguments(args, warned)?;
        let mut result = self.tried(&**tool, args, cx).await?;
        if !output::fits(&result, self.max_output) {
            let max = self.max_output;
            let message =
                format!("the result is larger as JSON than its `max_output` of {max} bytes");
            return Err(ToolError::new(ToolErrorKind::TooLarge, message));
        }
        if let Some(signature) = &self.signature {
            let Enforced { value, warnings: found, mismatches } =
                signature.output.enforce(result, mode);
            warned.extend(warnings(format_args!("result of tool `{name}`"), &found));
            refuse(ToolErrorKind::Result, "the result does not match", &mismatches)?;
            result = value;
        }
        Ok(result)
    }

    /// Makes attempts until one goes well, or fails for good, or was the last.
    async fn tried(
        &self,
        tool: &dyn Tool,
        mut args: Value,
        cx: &CallContext,
    ) -> Result<Value, ToolError> {
        let mut cx = Cow::Borrowed(cx);
        if cx.max_output != self.max_output {
            cx.to_mut().max_output = self.max_output;
        }
        let retries = if self.may_repeat() { self.retries } else { 0 };
        let (mut delay, mut failed) = (self.retry_delay, 0);
        loop {
            let is_last = failed >= retries;
            let given = if is_last { std::mem::take(&mut args) } else { args.clone() };
            let error = match tokio::time::timeout(self.timeout, tool.call(given, &cx)).await {
                Ok(Ok(result)) => return Ok(result),
                Ok(Err(error)) => error,
                Err(_) => {
                    let message = format!("gave no result within {:?}", self.timeout);
                    ToolError::new(ToolErrorKind::Timeout, message)
                }
            };
            failed += 1;
            match error.wait(delay) {
                Some(wait) if !is_last => tokio::time::sleep(wait).await,
                _ => return Err(error.after(failed)),
            }
            delay = delay.saturating_mul(2).min(ToolDef::MAX_RETRY_DELAY);
        }
    }
}

impl ToolDef {
    /// The agent that it is, if it is one.
    pub(crate) fn as_agent(&self) -> Option<&AgentTool> {
        match &self.implementation {
            Implementation::Agent(agent) => Some(agent),
            Implementation::None | Implementation::Tool(_) => None,
        }
    }

    /// Holds arguments to the signature.
    pub(crate) fn enforce_arguments<D: Coercible>(
        &self,
        args: D,
        warned: &mut Vec<RunError>,
    ) -> Result<D, ToolError> {
        let Some(signature) = &self.signature else { return Ok(args) };
        let mode = self.signature_mode.unwrap_or_default();
        let Enforced { value, warnings: found, mismatches } = signature.enforce_input(args, mode);
        warned.extend(warnings(format_args!("arguments of tool `{}`", self.name), &found));
        refuse(ToolErrorKind::Arguments, "the arguments do not match", &mismatches)?;
        Ok(value)
    }
}

/// A name is repeated in prompts, errors and records.
const MAX_NAME: usize = 128;

impl fmt::Debug for ToolDef {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ToolDef").field("name", &self.name).finish_non_exhaustive()
    }
}
