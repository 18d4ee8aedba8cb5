//! The states of a call of a run's program: ready, in flight, and open on record.

use std::time::Duration;

use ptc_lisp::{CallId, Code, Diagnostic, Report, ToolCall, ToolFailure, Value, json};
use ptc_prompt::CallMade;
use tokio::time::Instant;

use crate::agent::ToolOf;
use crate::data::Data;
use crate::form::Form;
use crate::record::{
    ASK, CONFIRM, EXPAND, LabelOrigin, OpenQuestion, QuestionKind, Refused, RunId, ToolError,
    ToolErrorKind, WAIT, confirmation,
};
use crate::tool::ToolDef;

/// A started call, wait or question without an outcome.
pub(super) struct OpenCall<'t> {
    /// The name on record.
    pub(super) name: String,
    /// The id on record.
    pub(super) id: String,
    /// The tool; `None` for what calls no tool.
    pub(super) tool: Option<ToolOf<'t>>,
    pub(super) args: Value,
    /// The number of equal calls before it, if it gets the result of one of them.
    pub(super) repeats: u32,
    /// Whether its arguments have no label.
    pub(super) is_trusted: bool,
}

impl OpenCall<'_> {
    /// Returns the call with its outcome; `None` for what calls no tool, which no model is told of.
    pub(super) fn with_outcome(
        self,
        outcome: Result<Value, String>,
        warnings: Vec<String>,
    ) -> Option<CallMade> {
        let OpenCall { tool, args, repeats, .. } = self;
        let tool = tool?;
        let (name, effect) = (tool.name.clone(), tool.effect());
        Some(CallMade { name, args, outcome, effect, warnings, repeats })
    }
}

/// A call that passed the checks and can start, a wait, or a question.
pub(super) struct Ready<'t> {
    pub(super) id: CallId,
    pub(super) work: Work<'t>,
    pub(super) step: Option<String>,
    pub(super) in_loop: bool,
    pub(super) args: Value,
    /// The labels of the arguments.
    pub(super) labels: Vec<LabelOrigin>,
    /// The arguments as the tool gets them and the record has them.
    pub(super) arguments: Data,
}

/// The work that a program waits for.
pub(super) enum Work<'t> {
    /// A tool.
    Tool(ToolOf<'t>),
    /// A wait.
    Wait(Duration),
    /// A person.
    Question(Box<Asking<'t>>),
    /// Nothing: an expansion of the transcript, which shows in the next message.
    Expansion(u32),
    /// Nothing: a call of the tool of this name that the policy denies.
    Denied(String, Box<ToolError>),
}

/// The subject of a question.
pub(super) enum About<'t> {
    /// The form alone.
    Form,
    /// A call of a tool, with its arguments.
    Call(String, Value),
    /// A program, with its report.
    Program(&'t str, &'t Report),
}

/// A question that can be asked.
pub(super) struct Asking<'t> {
    pub(super) open: OpenQuestion,
    /// The call that waits for a yes, if the question is about one.
    pub(super) call: Option<Box<Ready<'t>>>,
    pub(super) form: Form,
    /// The time that has passed since the question was on record.
    pub(super) since: Duration,
    pub(super) about: About<'t>,
}

impl<'t> Ready<'t> {
    /// Returns the name on record.
    pub(super) fn name(&self) -> &str {
        match &self.work {
            Work::Tool(tool) => &tool.name,
            Work::Wait(_) => WAIT,
            Work::Expansion(_) => EXPAND,
            Work::Denied(tool, _) => tool,
            Work::Question(asking) if asking.open.kind == QuestionKind::Call => CONFIRM,
            Work::Question(_) => ASK,
        }
    }

    /// Returns the id on record. A confirmation has an id of its own beside that of its call.
    pub(super) fn record_id(&self) -> String {
        if self.name() == CONFIRM { format!("{}.confirm", self.id) } else { self.id.to_string() }
    }

    /// Returns the tool; `None` for what calls no tool.
    pub(super) fn tool(&self) -> Option<&ToolOf<'t>> {
        match &self.work {
            Work::Tool(tool) => Some(tool),
            _ => None,
        }
    }
}

/// A call in flight.
pub(super) struct Flight {
    pub(super) id: CallId,
    /// The time of its start, if the run has an observer or a store.
    pub(super) since: Option<Instant>,
    /// Its recorded position among the finished calls.
    pub(super) ended: Option<u32>,
    /// Whether it does not count as work of the run: a wait, a question, or an agent, whose own run counts.
    pub(super) is_quiet: bool,
}

/// Returns a wait as work that can start.
pub(super) fn wait_of(call: ToolCall, ms: u64) -> Ready<'static> {
    let arguments = Data::from(serde_json::json!({"ms": ms}));
    pause_of(call, Work::Wait(Duration::from_millis(ms)), arguments)
}

/// Returns an expansion of the transcript as work that can start.
pub(super) fn expansion_of(call: ToolCall, turn: u32) -> Ready<'static> {
    let arguments = Data::from(serde_json::json!({"turn": turn}));
    pause_of(call, Work::Expansion(turn), arguments)
}

/// Returns the question of a program as work that can start.
///
/// # Errors
///
/// The failure of a question whose form is wrong.
pub(super) fn question_of(
    call: ToolCall,
    run: &RunId,
    agent: &str,
    turn: u32,
) -> Result<Ready<'static>, (CallId, ToolFailure)> {
    let (json, form) = match read_form(&call.args) {
        Ok(read) => read,
        Err(message) => {
            let error = ToolError::new(ToolErrorKind::Arguments, message).with_help(FORMS);
            return Err((call.id, ToolFailure::from(&error)));
        }
    };
    let open = OpenQuestion {
        id: format!("{run}.{turn}.{}", call.id),
        run: run.clone(),
        agent: agent.to_string(),
        kind: QuestionKind::Form,
        form: form.to_json(),
        expires: None,
    };
    let work = Work::Question(Box::new(Asking {
        open,
        call: None,
        form,
        since: Duration::ZERO,
        about: About::Form,
    }));
    Ok(pause_of(call, work, Data::from(json)))
}

/// Returns the question whether a call may be made. `refused` is the call of the same tool that was refused before, and
/// `mission` that of the run.
pub(super) fn confirmation_of<'t>(
    call: Ready<'t>,
    tool: &ToolDef,
    run: &RunId,
    agent: &str,
    turn: u32,
    (refused, mission, labels): (Option<&Refused>, &str, Vec<LabelOrigin>),
) -> Ready<'t> {
    let Ready { id, args, step, in_loop, .. } = &call;
    let (id, args, step, in_loop) = (id.clone(), args.clone(), step.clone(), *in_loop);
    let about = call.arguments.clone();
    let form = confirmation(&tool.name, tool.effect().as_str(), &about, refused, mission, &labels);
    let open = OpenQuestion {
        id: format!("{run}.{turn}.{id}.confirm"),
        run: run.clone(),
        agent: agent.to_string(),
        kind: QuestionKind::Call,
        form: form.to_json(),
        expires: None,
    };
    let shown =
        Data::from(serde_json::json!({"tool": tool.name, "effect": tool.effect().as_str()}));
    let arguments = shown.with("args", about);
    let call = Some(Box::new(call));
    let about = About::Call(tool.name.clone(), args.clone());
    let work = Work::Question(Box::new(Asking { open, call, form, since: Duration::ZERO, about }));
    Ready { id, work, step, in_loop, args, labels, arguments }
}

/// The largest number of problems of a form in a message.
const MAX_SHOWN: usize = 5;

fn pause_of(call: ToolCall, work: Work<'static>, arguments: Data) -> Ready<'static> {
    let ToolCall { id, args, step, in_loop, .. } = call;
    let step = step.map(|step| step.to_string());
    Ready { id, work, step, in_loop, args, labels: Vec::new(), arguments }
}

/// The forms of a question.
const FORMS: &str =
    "write `(ask \"text\")` or `(ask {:title \"text\" :fields \"(name :string, age :int?)\"})`";

/// Reads the argument of `ask`. Returns it as JSON and as a form.
fn read_form(args: &Value) -> Result<(serde_json::Value, Form), String> {
    let json =
        json::to_serde(args).map_err(|error| format!("the form has no JSON form: {error}"))?;
    let form = Form::read(&json).map_err(|problems| {
        let all: Vec<String> = problems.iter().take(MAX_SHOWN).map(ToString::to_string).collect();
        all.join("; ")
    })?;
    Ok((json, form))
}

/// Checks the argument of `ask` before its program runs.
///
/// # Errors
///
/// The problem that the program would end with.
pub(crate) fn check_form(args: &Value) -> Result<(), Diagnostic> {
    read_form(args).map(drop).map_err(|why| {
        Diagnostic::new(Code::ToolArguments, format!("`ask`: {why}")).with_help(FORMS)
    })
}
