//! The part of `flow/` in the machine: waits, ends of turns, names of steps, and loops of agents.

use arcstr::ArcStr;

use super::codes::Codes;
use super::tracer::Tracer;
use super::{Core, Mode, Outcome, ToolCall};
use ptc_facts::messages::wrong_type;
use ptc_values::code::Span;
use ptc_values::{Res, Value};

/// The action of the machine that a builtin starts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Act {
    /// Waits for a number of milliseconds.
    Wait,
    /// Ends the turn with a state for the next one.
    Continue,
    /// Asks a person.
    Ask,
}

/// The name of the function that waits. A [`ToolCall`] of this name is a wait.
const WAIT: &str = "flow/wait";

/// The name under which a program's question to a person is made. A [`ToolCall`] of this name is a question.
pub(super) const ASK: &str = "flow/ask";

/// The longest wait in milliseconds: 100 years of 365 days.
const MAX_WAIT: i64 = 100 * 365 * 86_400_000;

/// The place of a task among steps and loops of agents. A branch begins with that of its parent.
#[derive(Debug, Clone, Default)]
pub struct FlowPlace {
    /// The names of the open steps, outermost first, joined by `/`.
    pub step: Option<ArcStr>,
    pub looped: Looped,
}

/// The relation of a task to the innermost loop of agents around it.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Looped {
    /// There is none.
    #[default]
    No,
    /// It goes on.
    Inside,
    /// An agent has ended it.
    Exited,
}

impl ToolCall {
    /// Returns the number of milliseconds to wait, if this is a wait: the call of `flow/wait`, not of a tool.
    pub fn wait(&self) -> Option<u64> {
        if self.name != WAIT {
            return None;
        }
        self.args.get("ms").and_then(Value::as_int).and_then(|ms| u64::try_from(ms).ok())
    }

    /// Returns whether this is a question to a person, which `ask` makes. Its arguments are the form.
    pub fn is_question(&self) -> bool {
        self.name == ASK
    }

    /// Returns whether this is the call of a tool.
    pub(super) fn is_of_tool(&self) -> bool {
        self.wait().is_none() && !self.is_question()
    }
}

impl FlowPlace {
    /// Takes over the end of a loop from a branch.
    pub(super) fn join(&mut self, branch: &FlowPlace) {
        if branch.looped == Looped::Exited {
            self.exit();
        }
    }

    /// Ends the innermost loop behind the running agent. Does nothing outside a loop.
    pub(super) fn exit(&mut self) {
        if self.looped == Looped::Inside {
            self.looped = Looped::Exited;
        }
    }
}

impl<W: Tracer> Core<W> {
    pub(super) fn act(&mut self, codes: &Codes, act: Act, argument: Value) -> Res<Mode> {
        match act {
            Act::Wait => self.wait(codes, &argument),
            Act::Continue => self.leave_with(argument, Outcome::Continue),
            Act::Ask => self.ask_person(codes, argument),
        }
    }

    /// Returns the position of the running operation.
    fn span_here(&self, codes: &Codes) -> Span {
        let entry = codes.list.get(self.task.entry as usize);
        entry.map(|it| it.program.span(it.node(self.task.pc))).unwrap_or_default()
    }

    fn wait(&mut self, codes: &Codes, ms: &Value) -> Res<Mode> {
        let Some(count) = ms.as_int().filter(|ms| (0..=MAX_WAIT).contains(ms)) else {
            return Err(wrong_type(WAIT, "a number of milliseconds from 0 to 100 years", ms));
        };
        let args = Value::map([(Value::keyword("ms"), Value::from(count))]);
        let span = self.span_here(codes);
        self.make_call(&arcstr::literal!("flow/wait"), args, span)?;
        Ok(Mode::Waiting)
    }

    fn ask_person(&mut self, codes: &Codes, form: Value) -> Res<Mode> {
        let form = match form {
            Value::Str(_) => Value::map([(Value::keyword("title"), form)]),
            Value::Map(_) => form,
            other => return Err(wrong_type("ask", "a text or a form", &other)),
        };
        let span = self.span_here(codes);
        self.make_call(&arcstr::literal!("flow/ask"), form, span)?;
        Ok(Mode::Waiting)
    }
}

/// Returns the arguments that a payload has for the parameters of a tool.
pub fn arguments_from<'n>(payload: &Value, parameters: impl Iterator<Item = &'n str>) -> Value {
    let given = |name| Some((Value::keyword(name), payload.as_map()?.get_name(name)?.clone()));
    Value::map(parameters.filter_map(given))
}
