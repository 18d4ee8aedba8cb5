//! Plans: replies that are read as a program.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use ptc_lisp::{Value, json, print};

use crate::calls::CallMade;

/// The program that a reply is read as: calls side by side, and the end of the mission.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Plan {
    /// The calls. Each is checked alone, so one that is refused does not stop the others.
    pub calls: Vec<PlannedCall>,
    /// How the program ends the mission, if it does. It does so last, and only if every call has
    /// succeeded.
    pub end: Option<PlanEnd>,
    /// The place of the native call that is the end, among all calls of the reply.
    pub end_at: Option<usize>,
    /// The change of the payload that the reply asks for, as a partial payload. It is made first.
    pub change: Option<serde_json::Value>,
    /// Notes about parts of the reply that were ignored or corrected.
    pub notes: Vec<String>,
    /// The remarks of the model beside its decision, by their keys.
    pub remarks: BTreeMap<String, serde_json::Value>,
    /// The heading of the results, if the only call of the plan is a loop.
    pub heading: Option<String>,
}

/// A call of a plan.
#[derive(Clone, Debug, PartialEq)]
pub struct PlannedCall {
    /// The id of the call in the reply; empty if the style has none.
    pub id: String,
    /// The name of the tool, as the model wrote it.
    pub name: String,
    /// The expression that makes the call, or the reason that there is none.
    pub source: Result<String, String>,
}

/// The end of a mission by a plan.
#[derive(Clone, Debug, PartialEq)]
pub enum PlanEnd {
    /// The mission returns a value.
    Return(Value),
    /// The mission fails.
    Fail {
        /// The reason, in a word.
        reason: String,
        /// The message.
        message: String,
    },
    /// An expression that ends the mission.
    Source(String),
}

/// The outcome of a planned call.
#[derive(Clone, Debug)]
pub enum CallOutcome {
    /// The tool calls that it made, in order. A single call makes at most one.
    Made(Vec<CallMade>),
    /// It made no tool call. This is its value, or the message of its error.
    Gave(Result<Value, String>),
    /// It was refused before anything ran, for this reason.
    Refused(String),
    /// It was not made, since the program stopped before it for this reason.
    NotMade(String),
}

impl Plan {
    /// Creates the plan that returns a value.
    pub fn returning(value: &serde_json::Value) -> Plan {
        let end = Some(PlanEnd::Return(json::from_serde(value)));
        Plan { end, ..Plan::default() }
    }

    /// Returns the source of the program. Leaves out the calls for which `is_refused` is true.
    ///
    /// A call that fails does not stop the others. The value of the program is `{:ok result}` or
    /// `{:error message}`, or a list of those.
    ///
    /// ```
    /// use ptc_prompt::{Plan, PlannedCall};
    ///
    /// let call = |id: &str| {
    ///     let (id, name) = (id.to_owned(), "f".to_owned());
    ///     PlannedCall { id, name, source: Ok("(call \"f\" {})".to_owned()) }
    /// };
    /// let plan = Plan { calls: vec![call("a"), call("b")], ..Plan::default() };
    /// let one = "(try {:ok (call \"f\" {})} (catch Exception e {:error (ex-message e)}))";
    /// assert_eq!(plan.program(|at| at == 0), one);
    /// assert_eq!(plan.program(|_| false), format!("(pcalls\n  #({})\n  #({}))", &one[1..one.len() - 1], &one[1..one.len() - 1]));
    /// assert_eq!(plan.program(|_| true), "nil");
    /// ```
    pub fn program(&self, is_refused: impl Fn(usize) -> bool) -> String {
        let sources = self.calls.iter().enumerate().filter(|(at, _)| !is_refused(*at));
        let sources: Vec<&str> = sources.filter_map(|(_, it)| it.source.as_deref().ok()).collect();
        let is_whole = sources.len() == self.calls.len();
        let end = self.end.as_ref().filter(|end| is_whole || matches!(end, PlanEnd::Fail { .. }));
        let calls = side_by_side(&sources);
        match (end.map(PlanEnd::source), sources.as_slice()) {
            (None, []) => "nil".to_owned(),
            (Some(end), []) => end,
            (None, _) => calls,
            (Some(end), _) if matches!(self.end, Some(PlanEnd::Fail { .. })) => {
                format!("(do\n  {calls}\n  {end})")
            }
            (Some(end), [_]) => {
                format!("(let [result {calls}]\n  (if (:error result) result {end}))")
            }
            (Some(end), _) => {
                format!("(let [results {calls}]\n  (if (some :error results) results {end}))")
            }
        }
    }
}

impl PlanEnd {
    fn source(&self) -> String {
        match self {
            PlanEnd::Return(value) => format!("(return {})", print::readable(value)),
            PlanEnd::Source(source) => source.clone(),
            PlanEnd::Fail { reason, message } => {
                let (reason, message) = (Value::str(reason), Value::str(message));
                let (reason, message) = (print::readable(&reason), print::readable(&message));
                format!("(fail {{:reason (keyword {reason}) :message {message}}})")
            }
        }
    }
}

/// Returns the call of a tool as source.
pub(crate) fn call_source(tool: &str, args: &Value) -> String {
    format!("(call {} {})", print::readable(&Value::str(tool)), print::readable(args))
}

fn side_by_side(sources: &[&str]) -> String {
    let attempt = |source: &str| {
        format!("try {{:ok {source}}} (catch Exception e {{:error (ex-message e)}})")
    };
    if let [one] = sources {
        return format!("({})", attempt(one));
    }
    let mut text = "(pcalls".to_owned();
    for source in sources {
        // Writing to a `String` cannot fail.
        let _ = write!(text, "\n  #({})", attempt(source));
    }
    text + ")"
}
