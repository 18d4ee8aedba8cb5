//! Definitions of tools: names, signatures and limits. A definition makes a call: types, attempts, time, size.

use std::any::Any;
use std::borrow::Cow;
use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use ptc_lisp::{Effect, ToolDecl};
use ptc_signatures::{Coercible, Enforced, Signature, SignatureMode};

use super::host_context::HostContext;
use super::interface::{CallContext, MAX_OUTPUT, Tool, ToolNeeds, ToolPlace};
use super::output;
use crate::data::Data;
use crate::error::{Error, ErrorKind};
use crate::record::{RunError, ToolError, ToolErrorKind, refuse, warnings};
use crate::setters::setters;
use crate::transcript::ResultRule;

/// A tool with its name, signature and limits.
#[derive(Clone)]
#[expect(clippy::struct_excessive_bools, reason = "each is a setting of its own")]
pub struct ToolDef {
    /// The name by which programs call the tool.
    pub name: String,
    /// The types of the arguments and the result; both are checked.
    pub signature: Option<Signature>,
    /// The handling of arguments and results that do not match the signature. `None` is the agent's mode in a run, and
    /// [`SignatureMode::Coerce`] elsewhere.
    pub signature_mode: Option<SignatureMode>,
    /// The description that the model reads.
    pub description: Option<String>,
    /// Whether the tool reads or writes, as its author states it; `None` if the author states nothing.
    /// [`ToolDef::effect`] returns the effect that counts.
    ///
    /// [`Effect::Read`] is a promise. Calls may be repeated and made in any order, their results may be cached, and
    /// they need no approval.
    pub effect: Option<Effect>,
    /// The cost of a call, in a unit of the user's choice.
    pub cost: Option<f64>,
    /// The time limit of one attempt.
    pub timeout: Duration,
    /// The maximum number of retries of a call. Only failures that may be temporary are retried:
    /// [`ToolErrorKind::Failed`], [`ToolErrorKind::Timeout`] and [`ToolErrorKind::Output`]. Only tools that read or are
    /// idempotent may have retries.
    pub retries: u32,
    /// The wait before the second attempt. It doubles with each further attempt, up to [`ToolDef::MAX_RETRY_DELAY`]. A
    /// tool may ask for another wait.
    pub retry_delay: Duration,
    /// The maximum size of the result as JSON, in bytes.
    pub max_output: usize,
    /// The maximum number of calls of one run; `None` sets no limit.
    pub max_calls: Option<u32>,
    /// Whether a call with the same arguments as an earlier call of the run gets the earlier result. Only tools that
    /// read may have a cache.
    pub cache: bool,
    /// Whether two calls with the same [key](CallContext::idempotency_key) have the effect of one call, although the
    /// tool writes. If the outcome of such a call is unknown, a resumed run makes the call again.
    pub idempotent: bool,
    /// Whether an equal call is made again in an answer style that otherwise gives the earlier result of the run.
    pub repeat: bool,
    /// The rule about its results in the conversation. Parts that are not set come from the agent's
    /// [transcript](crate::Transcript).
    pub result: ResultRule,
    /// Whether a person must allow each call. See [`Mission::ask_with`](crate::Mission::ask_with).
    pub confirm: bool,
    /// The label of its results, such as `untrusted`; `trusted` for none. Without one, results of servers are untrusted
    /// if the [policy](crate::Policy) has rules for labels.
    pub trust: Option<String>,
    /// The name of the [server](super::ServerDef) or [API](super::ApiDef) that offers the tool, if one does.
    pub server: Option<String>,
    pub(super) implementation: Implementation,
}

#[derive(Clone)]
pub(super) enum Implementation {
    /// Not callable: a tool for planning only.
    None,
    Tool(Arc<dyn Tool>),
    Agent(Arc<dyn CalledAgent>),
}

/// An agent as the implementation of a tool. Agents have tools, so only the layer of agents knows more of it.
pub(crate) trait CalledAgent: Any + fmt::Debug + Send + Sync {}

impl ToolDef {
    /// The default time limit of one attempt.
    pub const DEFAULT_TIMEOUT: Duration = Duration::from_secs(30);

    /// The default wait before the second attempt.
    pub const DEFAULT_RETRY_DELAY: Duration = Duration::from_millis(500);

    /// The longest wait that doubling reaches.
    pub const MAX_RETRY_DELAY: Duration = Duration::from_secs(30);

    /// The default maximum size of the result as JSON, in bytes.
    pub const DEFAULT_MAX_OUTPUT: usize = MAX_OUTPUT;

    /// Creates a tool without signature, description and effect. The tool counts as writing until
    /// [`ToolDef::with_effect`] states otherwise. The exceptions are tools that are known to read: a GET request and a
    /// [`Constant`](crate::tool::Constant).
    pub fn new(name: impl Into<String>, tool: impl Tool + 'static) -> ToolDef {
        let implementation = Implementation::Tool(Arc::new(tool));
        ToolDef { implementation, ..ToolDef::planning(name) }
    }

    /// Creates a tool that the model may use in plans and that programs cannot call.
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
            repeat: false,
            confirm: false,
            trust: None,
            result: ResultRule::default(),
            server: None,
            implementation: Implementation::None,
        }
    }

    /// Returns the label of its results, if they have one.
    pub fn label(&self) -> Option<&str> {
        let trust = self.trust.as_deref().or(self.server.as_ref().map(|_| "untrusted"));
        trust.filter(|it| *it != "trusted")
    }

    /// Returns the tool with another implementation. It keeps its effect, and nobody has to allow a call.
    pub(crate) fn answered_by(&self, tool: impl Tool + 'static) -> ToolDef {
        let implementation = Implementation::Tool(Arc::new(tool));
        let effect = Some(self.effect());
        ToolDef { implementation, effect, confirm: false, retries: 0, ..self.clone() }
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

    /// Sets the signature to that of a function from one Rust type to another. The doc comment of the first type
    /// becomes the description, unless the tool has one.
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
            let text = schema.get("description").and_then(serde_json::Value::as_str);
            self.description = text.map(str::to_string);
        }
        self
    }

    /// Sets the description that the model reads.
    #[must_use]
    pub fn with_description(mut self, text: impl Into<String>) -> ToolDef {
        self.description = Some(text.into());
        self
    }

    /// Returns the effect that counts: the one the author states, else the one the tool itself determines, else
    /// [`Effect::Write`].
    pub fn effect(&self) -> Effect {
        self.known_effect().unwrap_or(Effect::Write)
    }

    /// Returns whether the tool counts as writing only because its effect is unknown.
    pub fn effect_is_assumed(&self) -> bool {
        self.known_effect().is_none()
    }

    fn known_effect(&self) -> Option<Effect> {
        self.effect.or_else(|| match &self.implementation {
            Implementation::Tool(tool) => tool.effect(),
            // A planning tool is never called, and the tools of an agent determine the agent's effect.
            Implementation::None | Implementation::Agent(_) => Some(Effect::Read),
        })
    }

    /// Returns whether a call may be repeated although an earlier attempt may have succeeded.
    pub(crate) fn may_repeat(&self) -> bool {
        self.idempotent || self.effect() == Effect::Read
    }

    /// Returns whether a program may call the tool.
    pub fn is_callable(&self) -> bool {
        !matches!(self.implementation, Implementation::None)
    }

    /// Returns the declaration of the tool, which programs can read.
    pub fn declaration(&self) -> ToolDecl {
        ToolDecl {
            name: self.name.clone(),
            signature: self.signature.clone(),
            mode: Some(self.signature_mode.unwrap_or_default()),
            description: self.description.clone(),
            effect: self.effect(),
            callable: self.is_callable(),
            shown: true,
            cost: self.cost,
        }
    }

    /// Checks that the definition does not repeat or cache calls that may write. Returns the key of the agent file, the
    /// problem, and the help.
    pub(crate) fn unsafe_repetition(&self) -> Option<(&'static str, String, String)> {
        let name = &self.name;
        let (key, why, instead) = if self.retries > 0 && !self.may_repeat() {
            let why = format!(
                "tool `{name}` writes and has `retries`: only a tool that reads may be repeated"
            );
            ("retries", why, ", or set `idempotent = true` if a repeated call changes nothing more")
        } else if self.cache && self.effect() == Effect::Write {
            let why = format!(
                "`cache` of tool `{name}`: only results of a tool that reads can be cached"
            );
            ("cache", why, "")
        } else {
            return None;
        };
        let without_effect = match self.sub_agent() {
            Some(agent) => agent.tools_without_effect(),
            None if self.effect_is_assumed() => vec![name.clone()],
            None => Vec::new(),
        };
        if without_effect.is_empty() {
            return Some((key, why, format!("remove `{key}`{instead}")));
        }
        let message = format!(
            "tool `{name}` has `{key}`, and counts as one that writes: no `effect` is given for `{}`",
            without_effect.join("`, `")
        );
        let help = format!(
            "set `effect = \"read\"` if its calls change nothing{instead}; else remove `{key}`"
        );
        Some((key, message, help))
    }

    /// Validates the definition. Returns the key of the agent file and the problem.
    pub(crate) fn fault(&self) -> Option<(&'static str, String)> {
        let name = self.name.as_str();
        if name.trim().is_empty() {
            return Some(("name", "a tool has an empty name".to_string()));
        }
        if name == "return" || name == "fail" {
            let message = format!("`{name}` cannot name a tool: programs end with it");
            return Some(("name", message));
        }
        if let Some(key) = self.result.fault() {
            return Some((key, format!("`{key}` of tool `{name}` is 0: a turn is the least")));
        }
        if name.contains(char::is_control) {
            let message = format!("the name {name:?} of a tool has a control character");
            return Some(("name", message));
        }
        // Prompts and messages put the name on one line.
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
                "the name `{start}…` of a tool is {length} characters long: the maximum is {MAX_NAME}"
            );
            return Some(("name", message));
        }
        if self.cost.is_some_and(|cost| !cost.is_finite() || cost < 0.0) {
            return Some(("cost", "`cost` must be a number that is not negative".to_string()));
        }
        let unknown = self.unknown_placeholder();
        unknown.map(|(_, message)| ("url", message))
    }

    /// Finds an argument that the URL needs and the signature lacks. Returns its name and the problem.
    pub(crate) fn unknown_placeholder(&self) -> Option<(String, String)> {
        let params = &self.signature.as_ref()?.params;
        let is_param = |name: &String| params.iter().any(|field| field.name == *name);
        let unknown = self.needs().arguments.into_iter().find(|name| !is_param(name))?;
        let tool = &self.name;
        let message = format!(
            "tool `{tool}`: the URL needs `{{{unknown}}}`, which is not an input of its signature"
        );
        Some((unknown, message))
    }

    /// Returns the place where the tool works, if it can be checked without a call.
    pub fn place(&self) -> Option<ToolPlace<'_>> {
        match &self.implementation {
            Implementation::Tool(tool) => tool.place(),
            Implementation::None | Implementation::Agent(_) => None,
        }
    }

    /// Returns the needs of a call, other than the place.
    pub fn needs(&self) -> ToolNeeds {
        match &self.implementation {
            Implementation::Tool(tool) => tool.needs(),
            Implementation::None | Implementation::Agent(_) => ToolNeeds::default(),
        }
    }

    /// Returns whether calls read binary content of earlier results.
    pub(crate) fn takes_content(&self) -> bool {
        matches!(&self.implementation, Implementation::Tool(tool) if tool.takes_content())
    }

    /// Makes one call. It checks the arguments against the signature, retries as the definition allows, and checks the
    /// result against its size limit and the signature.
    ///
    /// # Errors
    ///
    /// [`ToolError`] with the kind of the failure: a mismatch of the arguments or the result, a timeout, or an error of
    /// the tool.
    pub async fn call(&self, args: impl Into<Data>, cx: &CallContext) -> Result<Data, ToolError> {
        self.call_with_warnings(args.into(), cx).await.0
    }

    /// Makes one call, and returns warnings about changes and mismatches that the signature mode allowed.
    pub async fn call_with_warnings(
        &self,
        args: Data,
        cx: &CallContext,
    ) -> (Result<Data, ToolError>, Vec<RunError>) {
        let mut warnings = Vec::new();
        let mut result = self.call_into(args, cx, &mut warnings).await;
        if let Some(secrets) = cx.host.as_ref().map(HostContext::secrets) {
            match &mut result {
                Ok(result) => secrets.clean_data(result),
                Err(error) => error.clean(secrets),
            }
            for it in &mut warnings {
                secrets.clean_string(&mut it.message);
            }
        }
        (result, warnings)
    }

    async fn call_into(
        &self,
        args: Data,
        cx: &CallContext,
        warned: &mut Vec<RunError>,
    ) -> Result<Data, ToolError> {
        let not_callable = |why| Err(ToolError::new(ToolErrorKind::NotCallable, why));
        let tool = match &self.implementation {
            Implementation::None => return not_callable("is for planning only"),
            Implementation::Agent(_) => return not_callable("is an agent: only a run can call it"),
            Implementation::Tool(tool) => tool,
        };
        let (name, mode) = (&self.name, self.signature_mode.unwrap_or_default());
        let mut args = self.enforce_arguments(args.into_value(), warned)?;
        if let Some(signature) = &self.signature {
            args = signature.leave_out_absent(args);
        }
        let mut result = self.call_with_retries(&**tool, Data::made(args), cx).await?;
        if !output::fits(&result, self.max_output) {
            let max = self.max_output;
            let message =
                format!("the result is larger as JSON than its `max_output` of {max} bytes");
            return Err(ToolError::new(ToolErrorKind::TooLarge, message));
        }
        if let Some(signature) = &self.signature {
            let Enforced { value, warnings: found, mismatches } =
                signature.output.enforce(result.into_value(), mode);
            warned.extend(warnings(format_args!("result of tool `{name}`"), &found));
            refuse(ToolErrorKind::Result, "the result does not match", &mismatches)?;
            result = Data::made(value);
        }
        Ok(result)
    }

    /// Makes attempts until one succeeds, one fails permanently, or none are left.
    async fn call_with_retries(
        &self,
        tool: &dyn Tool,
        mut args: Data,
        cx: &CallContext,
    ) -> Result<Data, ToolError> {
        let mut cx = Cow::Borrowed(cx);
        if cx.max_output != self.max_output {
            cx.to_mut().max_output = self.max_output;
        }
        let retries = if self.may_repeat() { self.retries } else { 0 };
        let (mut delay, mut attempts) = (self.retry_delay, 0);
        loop {
            let is_last = attempts >= retries;
            let given = if is_last { std::mem::take(&mut args) } else { args.clone() };
            let error = match tokio::time::timeout(self.timeout, tool.call(given, &cx)).await {
                Ok(Ok(result)) => return Ok(result),
                Ok(Err(error)) => error,
                Err(_) => {
                    let message = format!("gave no result within {:?}", self.timeout);
                    ToolError::new(ToolErrorKind::Timeout, message)
                }
            };
            attempts += 1;
            match error.retry_delay(delay) {
                Some(wait) if !is_last => tokio::time::sleep(wait).await,
                _ => return Err(error.with_attempts(attempts)),
            }
            delay = delay.saturating_mul(2).min(ToolDef::MAX_RETRY_DELAY);
        }
    }
}

setters! {
    ToolDef:
    /// Sets the handling of arguments and results that do not match the signature.
    with_signature_mode(signature_mode: SignatureMode) => Some;
    /// Sets whether the tool reads or writes.
    with_effect(effect: Effect) => Some;
    /// Sets the time limit of one attempt.
    with_timeout(timeout: Duration);
    /// Sets the maximum number of retries of a call.
    with_retries(retries: u32);
    /// Sets the wait before the second attempt.
    with_retry_delay(retry_delay: Duration);
    /// Sets the maximum size of the result as JSON, in bytes.
    with_max_output(max_output: usize);
    /// Sets the maximum number of calls of one run.
    with_max_calls(max_calls: u32) => Some;
    /// Sets whether equal arguments get the same result within a run.
    with_cache(cache: bool);
    /// Sets whether two calls with the same key have the effect of one call.
    with_idempotent(idempotent: bool);
    /// Sets whether an equal call is made again in every answer style.
    with_repeat(repeat: bool);
    /// Sets whether a person must allow each call.
    with_confirm(confirm: bool);
    /// Sets the label of its results: `untrusted`, `secret`, `trusted` or a name.
    with_trust(trust: String) => Some;
    /// Sets the rule about its results in the conversation.
    with_result(result: ResultRule);
}

impl ToolDef {
    /// Returns the agent, if the tool is an agent.
    pub(crate) fn called_agent(&self) -> Option<&dyn CalledAgent> {
        match &self.implementation {
            Implementation::Agent(agent) => Some(&**agent),
            Implementation::None | Implementation::Tool(_) => None,
        }
    }

    /// Makes the tool call an agent.
    pub(crate) fn set_agent(&mut self, agent: Arc<dyn CalledAgent>) {
        self.implementation = Implementation::Agent(agent);
    }

    /// Enforces the signature on the arguments.
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

/// The maximum length of a name, in characters. Prompts, errors and records repeat the name.
const MAX_NAME: usize = 128;

impl fmt::Debug for ToolDef {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ToolDef").field("name", &self.name).finish_non_exhaustive()
    }
}
