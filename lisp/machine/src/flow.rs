//! The actions of builtins that leave the machine: waits, ends of turns, questions, and expansions of the transcript.

use super::action::Action;
use super::codes::Codes;
use super::flow_place::MachineAction;
use super::machine_core::Core;
use super::outcome::Outcome;
use super::tool_call::{EXPAND, WAIT};
use super::tracer::Tracer;
use ptc_facts::messages::wrong_type;
use ptc_values::code::Span;
use ptc_values::{Res, Value};

/// The longest wait in milliseconds: 100 years of 365 days.
const MAX_WAIT: i64 = 100 * 365 * 86_400_000;

impl<W: Tracer> Core<W> {
    pub(super) fn act(
        &mut self,
        codes: &Codes,
        act: MachineAction,
        argument: Value,
    ) -> Res<Action> {
        match act {
            MachineAction::Wait => self.wait(codes, &argument),
            MachineAction::Continue => self.leave_with(argument, Outcome::Continue),
            MachineAction::Ask => self.ask_person(codes, argument),
            MachineAction::Expand => self.expand(codes, &argument),
        }
    }

    /// Returns the position of the running operation.
    fn span_here(&self, codes: &Codes) -> Span {
        let entry = codes.list.get(self.task.entry as usize);
        entry.map(|it| it.program.span(it.node(self.task.pc))).unwrap_or_default()
    }

    fn wait(&mut self, codes: &Codes, ms: &Value) -> Res<Action> {
        let Some(count) = ms.as_int().filter(|ms| (0..=MAX_WAIT).contains(ms)) else {
            return Err(wrong_type(WAIT, "a number of milliseconds from 0 to 100 years", ms));
        };
        let args = Value::map([(Value::keyword("ms"), Value::from(count))]);
        let span = self.span_here(codes);
        self.make_call(&arcstr::literal!("flow/wait"), args, span)?;
        Ok(Action::Waiting)
    }

    fn ask_person(&mut self, codes: &Codes, form: Value) -> Res<Action> {
        let form = match form {
            Value::Str(_) => Value::map([(Value::keyword("title"), form)]),
            Value::Map(_) => form,
            other => return Err(wrong_type("ask", "a text or a form", &other)),
        };
        let span = self.span_here(codes);
        self.make_call(&arcstr::literal!("flow/ask"), form, span)?;
        Ok(Action::Waiting)
    }

    fn expand(&mut self, codes: &Codes, turn: &Value) -> Res<Action> {
        let Some(turn) = turn.as_int().filter(|it| *it > 0) else {
            return Err(wrong_type(EXPAND, "the number of a turn", turn));
        };
        let args = Value::map([(Value::keyword("turn"), Value::from(turn))]);
        let span = self.span_here(codes);
        self.make_call(&arcstr::literal!("transcript/expand"), args, span)?;
        Ok(Action::Waiting)
    }
}

/// Returns the arguments that a payload has for the parameters of a tool.
pub fn arguments_from<'n>(payload: &Value, parameters: impl Iterator<Item = &'n str>) -> Value {
    let given = |name| Some((Value::keyword(name), payload.as_map()?.get_name(name)?.clone()));
    Value::map(parameters.filter_map(given))
}
