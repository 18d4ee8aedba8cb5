//! The tools of programs outside of a run.

use std::sync::Arc;

use ptc_lisp::{Code, Effect, ToolDecl, ToolFailure, Value, json};
use ptc_signatures::{Mismatch, Signature};

use super::text::plain;
use crate::agent::Agent;
use crate::blob::Contents;
use crate::data::Data;
use crate::driver::CallOutcome;
use crate::record::{ToolError, ToolErrorKind, list};
use crate::tool::{CallContext, Constant, ToolDef};

/// The tools that programs may call.
#[derive(Clone, Debug)]
pub struct EvalTools(Kind);

#[derive(Clone, Debug)]
enum Kind {
    Constants(Vec<ConstantTool>),
    Agent { all: Vec<Arc<ToolDef>>, live: bool, contents: Contents },
}

/// A tool that answers from a table. A program learns nothing but its declaration.
#[derive(Clone, Debug)]
pub struct ConstantTool {
    declaration: ToolDecl,
    answers: Constant,
}

/// The advice to the author of an agent whose tool is not called.
const ANSWER: &str = "give the tool an answer in the agent file, with `returns` or `cases`";

impl Default for EvalTools {
    fn default() -> EvalTools {
        EvalTools::constants(Vec::new())
    }
}

impl EvalTools {
    /// Makes tools that answer from tables.
    pub fn constants(tools: Vec<ConstantTool>) -> EvalTools {
        EvalTools(Kind::Constants(tools))
    }

    /// Takes the tools of an agent. Those that reach outside fail unless `live` is set.
    pub fn of_agent(agent: &Agent, live: bool) -> EvalTools {
        let all = agent.tools_of_programs().into_iter().map(Arc::new).collect();
        EvalTools(Kind::Agent { all, live, contents: Contents::default() })
    }

    /// Returns the declarations that programs see.
    pub fn declarations(&self) -> Vec<ToolDecl> {
        match &self.0 {
            Kind::Constants(tools) => tools.iter().map(|tool| tool.declaration.clone()).collect(),
            Kind::Agent { all, .. } => all.iter().map(|tool| tool.declaration()).collect(),
        }
    }

    /// Returns whether all tools answer from tables, so that a call waits for nothing.
    pub fn are_constants(&self) -> bool {
        matches!(self.0, Kind::Constants(_))
    }

    /// Returns whether calls may reach outside.
    pub fn are_live(&self) -> bool {
        matches!(self.0, Kind::Agent { live: true, .. })
    }

    /// Returns whether a person must allow the calls of a tool that can be called.
    pub(super) fn confirms(&self, name: &str) -> bool {
        match &self.0 {
            Kind::Agent { all, live: true, .. } => {
                all.iter().any(|it| it.name == name && it.confirm)
            }
            _ => false,
        }
    }

    /// Answers a call that waits for nothing; `None` for other calls. `args` comes from [`plain_arguments`].
    pub(super) fn answer_at_once(&self, name: &str, args: &Value) -> Option<CallOutcome> {
        let Kind::Constants(tools) = &self.0 else { return None };
        let tool = tools.iter().find(|it| it.declaration.name == name);
        Some(tool.map_or_else(missing, |tool| tool.answer(args)))
    }

    /// Makes a call. `key` is its idempotency key, and `args` comes from [`plain_arguments`].
    pub(super) async fn answer(&self, name: &str, args: &Value, key: String) -> CallOutcome {
        if let Some(outcome) = self.answer_at_once(name, args) {
            return outcome;
        }
        let Kind::Agent { all, live, contents } = &self.0 else { return missing() };
        let Some(tool) = all.iter().find(|it| it.name == name) else { return missing() };
        if !live && tool.place().is_some() {
            let mut failure = ToolFailure::new("reaches outside, and is called only with `--live`");
            failure.advice = Some(ANSWER.to_owned());
            return Err(failure);
        }
        let args = Data::of_program(args).map_err(|error| {
            let message = format!("the arguments have no JSON form: {error}");
            ToolFailure::from(&ToolError::new(ToolErrorKind::Arguments, message))
        })?;
        let mut cx = CallContext::new(key);
        cx.contents = contents.clone();
        let result = tool.call(args, &cx).await;
        contents.keep(&cx.take_blobs());
        result.map(Data::into_value).map_err(|error| {
            let mut failure = ToolFailure::from(&error);
            if error.kind == ToolErrorKind::NotCallable {
                failure.advice.get_or_insert_with(|| ANSWER.to_owned());
            }
            failure
        })
    }
}

fn missing() -> CallOutcome {
    Err(ToolFailure::new("is not there"))
}

impl ConstantTool {
    /// Makes a tool with the effect `read`, without signature and description.
    pub fn new(name: impl Into<String>, answers: Constant) -> ConstantTool {
        ConstantTool { declaration: ToolDecl::new(name.into(), Effect::Read), answers }
    }

    /// Sets the signature. Arguments and results are checked against it and not changed.
    #[must_use]
    pub fn with_signature(mut self, signature: Option<Signature>) -> ConstantTool {
        self.declaration.signature = signature;
        self
    }

    /// Sets the description.
    #[must_use]
    pub fn with_description(mut self, description: Option<String>) -> ConstantTool {
        self.declaration.description = description;
        self
    }

    /// Sets the effect.
    #[must_use]
    pub fn with_effect(mut self, effect: Effect) -> ConstantTool {
        self.declaration.effect = effect;
        self
    }

    /// Answers a call. Checks arguments and result as JSON, as a run does. Values that nest too deep for JSON are
    /// checked directly.
    fn answer(&self, args: &Value) -> CallOutcome {
        let signature = self.declaration.signature.as_ref();
        if let Some(signature) = signature {
            let found = signature.check_input(&outside(args));
            refuse(Code::ToolArguments, "the arguments do not match", &found)?;
        }
        let result = self.answers.answer(args).map_err(|error| ToolFailure::from(&error))?;
        if let Some(signature) = signature {
            let found = signature.check_output(&outside(&result));
            refuse(Code::ToolResult, "the result does not match", &found)?;
        }
        Ok(result)
    }
}

/// Returns a value as JSON. One that nests too deep for JSON stays as it is.
fn outside(value: &Value) -> Value {
    json::plain(value).unwrap_or_else(|_| value.clone())
}

/// Returns arguments as a tool receives them: JSON, so keywords are strings.
///
/// # Errors
///
/// The arguments have no JSON form, or one of more than `max_bytes`.
pub(super) fn plain_arguments(args: &Value, max_bytes: usize) -> Result<Value, ToolFailure> {
    let text = plain(args, max_bytes).map_err(|why| format!("the arguments {why}"));
    let parsed = text.and_then(|text| {
        json::parse(&text).map_err(|error| format!("the arguments have no JSON form: {error}"))
    });
    parsed.map_err(|why| ToolFailure { code: Code::ToolArguments, ..ToolFailure::new(why) })
}

fn refuse(code: Code, what: &str, found: &[Mismatch]) -> Result<(), ToolFailure> {
    if found.is_empty() {
        return Ok(());
    }
    let message = format!("{what}: {}", list(found));
    Err(ToolFailure { code, ..ToolFailure::new(message) })
}
