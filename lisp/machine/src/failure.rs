//! The failure of a tool call, and the problem that it raises in the program.

use ptc_values::code::Code;
use ptc_values::{Diagnostic, Map, Value};

use super::tool_call::ASK;

/// The failure of a tool call. It stops a program that does not catch it.
#[derive(Debug, Clone)]
pub struct ToolFailure {
    /// The message, without the name of the tool, which the machine knows.
    pub message: String,
    /// The kind of failure; [`Code::ToolFailed`] unless a more exact one is known.
    pub code: Code,
    /// One concrete remedy for the author of the program.
    pub help: Option<String>,
    /// One remedy for the author of the mission; the model does not see it.
    pub advice: Option<String>,
    /// A map of further entries of `ex-data`, or nil.
    pub data: Box<Value>,
}

impl ToolFailure {
    /// Makes a failure with a message.
    pub fn new(message: impl Into<String>) -> ToolFailure {
        let (code, message) = (Code::ToolFailed, message.into());
        ToolFailure { message, code, help: None, advice: None, data: Box::default() }
    }

    /// Returns the problem that a call of `tool` raises; `ex-data` returns its data.
    #[cold]
    pub(super) fn into_diagnostic(self, tool: &str) -> Diagnostic {
        let data = failure_data(tool, self.code.as_str(), &self.message, &self.data);
        let message = match tool {
            ASK => format!("`ask`: {}", self.message),
            tool => format!("tool `{tool}`: {}", self.message),
        };
        let problem = Diagnostic::new(self.code, message).with_data(data);
        let problem = self.help.into_iter().fold(problem, Diagnostic::with_help);
        self.advice.into_iter().fold(problem, Diagnostic::with_advice)
    }
}

/// Returns the value of `ex-data` in a program that catches the failure of a call.
pub(super) fn failure_data(tool: &str, code: &str, message: &str, further: &Value) -> Value {
    let own = [
        (Value::keyword("tool"), Value::str(tool)),
        (Value::keyword("kind"), Value::keyword(code)),
        (Value::keyword("message"), Value::str(message)),
    ];
    let further = further.as_map().into_iter().flat_map(Map::iter);
    Value::map(own.into_iter().chain(further.map(|(key, value)| (key.clone(), value.clone()))))
}
