//! Plans: replies that are read as a program.

use std::collections::BTreeMap;

use ptc_lisp::{Effect, Value, print};

use crate::calls::CallMade;

/// The program that a reply is read as: its calls, and the end of the mission.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Plan {
    /// The calls. Each is checked alone, so one that is refused does not stop the others.
    pub calls: Vec<PlannedCall>,
    /// How the program ends the mission, if it does. It does so last, and only if every call has
    /// succeeded.
    pub end: Option<PlanEnd>,
    /// The place of the native call that is the end, among all calls of the reply.
    pub end_at: Option<usize>,
    /// Whether the value that it returns is a question to a person, whom the agent cannot ask.
    pub is_question: bool,
    /// The change of the payload that the reply asks for, as a partial payload. It is made first.
    pub change: Option<Value>,
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
    pub fn returning(value: impl Into<Value>) -> Plan {
        let end = Some(PlanEnd::Return(value.into()));
        Plan { end, ..Plan::default() }
    }

    /// Returns the source of the program. `effect` has the effect of each call, and `None` for a
    /// call that is left out.
    ///
    /// Reads that follow each other run side by side. A write runs alone, after all calls before it.
    /// A call that fails does not stop the others. The value of the program is `{:ok result}` or
    /// `{:error message}`, or a list of those.
    ///
    /// ```
    /// use ptc_lisp::Effect;
    /// use ptc_prompt::{Plan, PlannedCall};
    ///
    /// let call = |name: &str| {
    ///     let source = Ok(format!("(call \"{name}\" {{}})"));
    ///     PlannedCall { id: String::new(), name: name.to_owned(), source }
    /// };
    /// let plan = Plan { calls: vec![call("f"), call("g"), call("h")], ..Plan::default() };
    /// let f = "(try {:ok (call \"f\" {})} (catch Exception e {:error (ex-message e)}))";
    /// assert_eq!(plan.program(|at| (at == 0).then_some(Effect::Write)), f);
    /// let effects = [Effect::Read, Effect::Read, Effect::Write];
    /// let attempt = |name: &str| "#".to_owned() + &f.replace("\"f\"", &format!("{name:?}"));
    /// let (f, g, h) = (attempt("f"), attempt("g"), attempt("h"));
    /// let reads = format!("(pcalls\n  {f}\n  {g})");
    /// assert_eq!(plan.program(|at| effects.get(at).filter(|it| **it == Effect::Read).copied()), reads);
    /// let all = format!("(into [] cat [\n{reads}\n(pcalls\n  {h})])");
    /// assert_eq!(plan.program(|at| effects.get(at).copied()), all);
    /// assert_eq!(plan.program(|_| None), "nil");
    /// ```
    pub fn program(&self, effect: impl Fn(usize) -> Option<Effect>) -> String {
        let sources = self.calls.iter().enumerate();
        let sources =
            sources.filter_map(|(at, it)| Some((it.source.as_deref().ok()?, effect(at)?)));
        let sources: Vec<(&str, Effect)> = sources.collect();
        let is_whole = sources.len() == self.calls.len();
        let end = self.end.as_ref().filter(|end| is_whole || matches!(end, PlanEnd::Fail { .. }));
        let calls = in_stages(&sources);
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

/// Returns the stage of each call and its place in the stage, in the order of the calls. The stages
/// run one after another, and the calls of a stage side by side: each run of reads is a stage, and
/// each write.
///
/// ```
/// use ptc_lisp::Effect::{Read, Write};
/// use ptc_prompt::stages;
///
/// let all: Vec<(u32, u32)> = stages([Read, Read, Write, Write, Read]).collect();
/// assert_eq!(all, [(0, 0), (0, 1), (1, 0), (2, 0), (3, 0)]);
/// ```
pub fn stages(calls: impl IntoIterator<Item = Effect>) -> impl Iterator<Item = (u32, u32)> {
    let mut last: Option<(Effect, u32, u32)> = None;
    calls.into_iter().map(move |effect| {
        let (stage, place) = match last {
            None => (0, 0),
            Some((Effect::Read, stage, place)) if effect == Effect::Read => (stage, place + 1),
            Some((_, stage, _)) => (stage + 1, 0),
        };
        last = Some((effect, stage, place));
        (stage, place)
    })
}

fn in_stages(calls: &[(&str, Effect)]) -> String {
    let attempt = |source: &str| {
        format!("(try {{:ok {source}}} (catch Exception e {{:error (ex-message e)}}))")
    };
    if let [(one, _)] = calls {
        return attempt(one);
    }
    let mut text = String::new();
    let mut count = 0;
    for ((stage, place), (source, _)) in stages(calls.iter().map(|it| it.1)).zip(calls) {
        if place == 0 {
            text.push_str(if stage == 0 { "(pcalls" } else { ")\n(pcalls" });
            count = stage + 1;
        }
        text.push_str("\n  #");
        text.push_str(&attempt(source));
    }
    text.push(')');
    if count > 1 { format!("(into [] cat [\n{text}])") } else { text }
}
